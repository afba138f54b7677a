"""O1.4: a person of a side who has charge of single fleets, on every page, over the API and in mail."""

import difflib
import re

import pytest

from kit.open_war import go, play, position, run_turn
from kit.wars import War
from webapp.post import people
from webapp.post.mail import turn as mail_of_turn

BY_SHIP = {"options": {"letters": "by_ship"}}


class Admiral:
    """Somebody of Rhodes in charge of the Guard, in his own browser and over the API."""

    def __init__(self, war, fleets=("guard",)):
        self.war = war
        new = people.Newcomer("rhodes", "Agathostratos", "", "player", "", "en", "http://localhost")
        self.who, self.token = people.invite(war.store, war.id, new)
        people.entrust(war.store, war.id, self.who.id, fleets)
        self.client = war.client.application.test_client()
        self.landed = self.client.get(f"/join/{self.token}").location
        self.seat = self.landed.rpartition("seat=")[2]

    def get(self, address):
        return self.client.get(f"{address}{'&' if '?' in address else '?'}seat={self.seat}")

    def orders(self, query=""):
        return self.get(f"/open/{self.war.id}/orders{query}")

    def give(self, **form):
        token = re.search(r'name="csrf-token" content="([^"]+)"', self.orders().text)[1]
        form = {"csrf_token": token, "turn": str(self.war.state.turn), "act": "order", **form}
        return self.client.post(f"/open/{self.war.id}/orders?seat={self.seat}", data=form)

    def api(self, method, what="", body=None):
        headers = {"Authorization": f"Bearer {self.token}"}
        return self.client.open(f"/api/v1/games/{self.war.id}{what}", method=method, json=body, headers=headers)

    def command(self, **command):
        return self.api("POST", "/commands", {"command": command, "seen": self.war.version})


@pytest.fixture
def admiral(war):
    return Admiral(war)


@pytest.fixture
def far(store, client):
    """A war whose letters go by ship: the Guard lies in Rhodos, the Escort far off."""
    return War(store, client, "open_campaign", position=position(**BY_SHIP))


def test_o1_4_an_admiral_gives_orders_to_his_fleets_and_no_others(war, admiral):
    text = admiral.orders().text
    fleets = re.search(r'<nav class="fleets".*?</nav>', text, re.S)[0]
    assert "Guard" in fleets and "Escort" not in fleets
    assert "Declare these orders final" not in text
    assert admiral.give(fleet="guard", do="go", to="telos", stance="avoid").status_code == 303
    assert war.state.orders["rhodes"]["guard"].to == "telos"
    refused = admiral.give(fleet="escort", do="stay", stance="avoid")
    assert refused.status_code in (403, 409, 422) and "You have charge of other fleets" in refused.text
    assert set(war.state.orders["rhodes"]) == {"guard"}
    text = war.client.get(f"/open/{war.id}/orders?seat=rhodes").text
    assert "✓ Go Telos" in text, "his order is his side's"


def test_o1_4_over_the_api_he_is_offered_and_may_command_the_same(war, admiral):
    offers = admiral.api("GET").json["offers"]
    assert offers
    assert {(each["type"], each["fields"]["fleet"]) for each in offers} == {("order", "guard")}
    assert admiral.command(type="order", side="rhodes", fleet="guard", do="stay").status_code == 200
    for barred in (
        {"type": "order", "side": "rhodes", "fleet": "escort", "do": "stay"},
        {"type": "ready", "side": "rhodes"},
        {"type": "resign", "side": "rhodes"},
        {"type": "propose", "side": "rhodes", "to": "cretans", "terms": ["peace"]},
    ):
        assert admiral.command(**barred).status_code == 403, barred
    play(war, {"type": "order", "side": "rhodes", "fleet": "escort", "do": "stay"})
    assert admiral.api("POST", "/undo", {"seen": war.version}).status_code == 403
    assert admiral.api("POST", "/captains", {"seat": "rhodes", "level": "able"}).status_code == 403


def test_o1_4_the_commander_and_the_umpire_say_who_has_charge_and_nobody_else(war, admiral):
    where, fleets = f"/people/{admiral.who.id}/charge", {"pieces": ["guard", "escort"]}
    group = f"/g/{war.id}/group/people/{admiral.who.id}"
    token = re.search(r'name="csrf-token" content="([^"]+)"', admiral.orders().text)[1]
    own = {"csrf_token": token, "act": "charge", "pieces": ["escort"]}
    refused = admiral.client.post(f"{group}?seat=rhodes", data=own)
    assert refused.status_code == 422 and "Only the commander of your side and the umpire" in refused.text
    assert admiral.api("PUT", where, fleets).status_code == 403
    form = {"csrf_token": war.csrf(), "act": "charge", "pieces": ["escort"]}
    assert war.client.post(f"{group}?seat=cretans", data=form).status_code == 422
    assert war.client.post(f"{group}?seat=rhodes", data={**form, "pieces": ["lasthenes"]}).status_code == 422
    assert war.client.post(f"{group}?seat=rhodes", data=form).status_code == 303
    assert people.person(war.store, war.id, admiral.who.id).charge == ("escort",)
    assert "commands: Escort" in war.client.get(f"/g/{war.id}/group?seat=rhodes").text
    assert "commands: Escort" not in war.client.get(f"/g/{war.id}/group?seat=cretans").text
    assert war.client.post(f"{group}?seat=umpire", data={**form, "pieces": []}).status_code == 303
    assert admiral.command(type="ready", side="rhodes").status_code == 200, "he commands the whole side again"


def part(war, fleet, to):
    """Let a fleet of Rhodes sail away for a turn."""
    run_turn(war, go("rhodes", fleet, to))


def test_o1_4_where_letters_go_by_ship_he_sees_what_his_fleets_see(far):
    part(far, "escort", "telos")
    admiral = Admiral(far)
    assert admiral.seat == "spectator"
    state = admiral.api("GET").json["state"]
    assert set(state["fleets"]) == {"guard"} and set(state["ships"]) == set(far.state.fleets["guard"].ships)
    text = admiral.orders().text
    assert "<b>Guard</b>" in text and "<b>Escort</b>" not in text
    assert admiral.give(fleet="guard", do="stay", stance="avoid").status_code == 303
    assert far.state.orders["rhodes"]["guard"].do == "stay"
    told = admiral.get(f"/open/{far.id}/dispatch/rhodes/1").text
    assert "Guard: Rhodos, as before." in told and "Escort" not in told
    assert admiral.get(f"/open/{far.id}/dispatch/cretans/1").status_code == 404


PLACES = (
    "/open/{}/orders",
    "/open/{}/lines",
    "/open/{}/dispatch/rhodes/1",
    "/open/{}/lists",
    "/open/{}/relations",
    "/open/{}/models",
    "/g/{}",
    "/g/{}/table",
    "/g/{}/log",
    "/g/{}/group",
    "/g/{}/letters",
    "/api/v1/games/{}",
    "/api/v1/games/{}/journal",
    "/api/v1/games/{}/letters",
    "/api/v1/games/{}/people",
    "/api/v1/games/{}/deadline",
)


def bytes_of(admiral):
    """Everything that he can fetch, without what is drawn anew for each request."""
    found = {}
    for place in PLACES:
        answer = admiral.get(place.format(admiral.war.id))
        text = re.sub(r'(csrf[-_]token"[^>]*?(content|value)="|name="back" value=")[^"]+', r"\1", answer.text)
        found[place] = (answer.status_code, text)
    found["bearer"] = (200, admiral.api("GET").text)
    return found


def test_o1_4_by_ship_nothing_that_he_can_fetch_tells_what_his_commander_does(far):
    part(far, "escort", "telos")
    admiral = Admiral(far)
    before = bytes_of(admiral)
    assert any(status == 200 for status, _text in before.values())
    play(
        far,
        go("rhodes", "escort", "rhodos"),
        {"type": "write", "side": "rhodes", "text": "Send the pilot ashore."},
        {"type": "mark", "side": "rhodes", "space": "telos", "note": "ours"},
        {"type": "post", "side": "rhodes", "to": "cretans", "text": "On its way by ship."},
    )
    after = bytes_of(admiral)
    version = re.compile(r'(data-version="|"version":|data-revision=")\d+')
    for place, (status, text) in before.items():
        was, now = (version.sub("", each).splitlines() for each in (text, after[place][1]))
        assert (place, status, [*difflib.unified_diff(was, now)]) == (place, after[place][0], [])


def test_o1_4_his_mail_tells_what_his_fleets_know(far):
    part(far, "escort", "telos")
    admiral = Admiral(far)
    table = far.store.load(far.id)
    with far.client.application.test_request_context("/"):
        who = people.person(far.store, far.id, admiral.who.id)
        _subject, text = mail_of_turn(far.store, table, who, None, 0)
        _subject, whole = mail_of_turn(far.store, table, type(who)(**{**fields(who), "charge": ()}), None, 0)
    assert "Guard" in text and "Escort" not in text
    assert "Escort" in whole


def fields(who):
    return {name: getattr(who, name) for name in who.__struct_fields__}
