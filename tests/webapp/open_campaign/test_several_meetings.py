"""O6.1, O6.2: several meetings of one turn on the desk and on the sides' pages, settled in any order."""

import re

import pytest

from kit.insistence import insist
from kit.open_war import play, position
from kit.wars import War
from webapp import create_app
from webapp.post import people
from webapp.storage.journal.store import Store, all_systems, battles_of, seat_in


@pytest.fixture
def met(tmp_path):
    """Two meetings of Rhodes and the Cretans in one turn, off Telos and off Kydonia; every die shows its most."""
    store = Store(tmp_path / "met.db", all_systems(), lambda sides: sides)
    where = position(options={"small_battles": False})
    where["fleets"]["lasthenes"]["ships"] = [f"lasthenes-{n}" for n in (1, 2, 3)]
    second = {**where["fleets"]["lasthenes"], "name": "Sosos", "ships": [f"lasthenes-{n}" for n in (4, 5, 6)]}
    where["fleets"]["sosos"] = {**second, "admiral": "Sosos"}
    for fleet, at in {"guard": "telos", "lasthenes": "telos", "escort": "kydonia", "sosos": "kydonia"}.items():
        where["fleets"][fleet]["at"] = at
    with create_app({"STORE": store, "TESTING": True}).test_client() as client:
        war = War(store, client, "open_campaign", position=where)
        stay = {"type": "order", "do": "stay", "stance": "seek"}
        for side, fleet in (("rhodes", "guard"), ("rhodes", "escort"), ("cretans", "lasthenes"), ("cretans", "sosos")):
            play(war, {**stay, "side": side, "fleet": fleet})
        play(war, {"type": "run"})
        yield war


def desk(war):
    return war.client.get(f"/open/{war.id}/desk?seat=umpire").text


def act(war, what, **form):
    form = {"csrf_token": war.csrf(), "seen": str(war.version), "act": what, **form}
    return war.client.post(f"/open/{war.id}/desk?seat=umpire", data=form)


def names(war):
    return {each.place: each.id for each in (war.state.engagement, *war.state.waiting)}


def test_o6_1_the_desk_has_a_line_for_each_meeting_and_settles_them_in_any_order(met):
    assert len(names(met)) == 2 and desk(met).count(">At a table</button>") == 2
    behind = met.state.waiting[0]
    assert act(met, "settle", engagement=behind.id, way="table").status_code == 303
    assert names(met).keys() == {"telos", "kydonia"} and desk(met).count(">At a table</button>") == 1
    (link,) = battles_of(met.store, met.id)
    for side in behind.fleets:
        insist(met.store, link.battle, side, {"type": "agree", "side": side})
    assert "Enter its outcome" in desk(met), "also while another meeting stands in front"
    act(met, "enter", engagement=behind.id)
    assert behind.id in met.state.settled and met.state.engagement.id != behind.id
    act(met, "settle", engagement=met.state.engagement.id, way="dice")
    assert met.state.engagement is None and len(met.state.settled) == 2
    assert act(met, "settle", engagement=behind.id, way="dice").status_code == 422


def test_o6_2_a_meeting_has_its_forecast_by_quick_dice_before_it_is_settled(met):
    said = [" ".join(each.split()) for each in re.findall(r"By quick dice: ([^<]+)", desk(met))]
    assert re.fullmatch(r"(\w+ \d+% · ){2}undecided: \d+%", said[0]), "short enough for a phone"
    assert re.search(r"By quick dice: [^·<]+: victory \d+%, average loss [\d.]+", met.page("rhodes").text)
    assert "By quick dice:" not in met.page("spectator").text


def test_o6_1_a_side_chooses_which_of_its_meetings_it_looks_at(met):
    front, behind = met.state.engagement, met.state.waiting[0]
    first = met.page("rhodes").text
    assert f"meeting={behind.id}" in first and first.count("Other meetings:") == 1
    second = met.page("rhodes", query=f"&meeting={behind.id}").text
    assert f"&#34;engagement&#34;: &#34;{behind.id}&#34;" in second
    assert f"&#34;engagement&#34;: &#34;{front.id}&#34;" not in second, "no button of the other one"
    form = met.client.get(f"/linked/{met.id}/report?seat=rhodes&meeting={behind.id}").text
    assert f"meeting={behind.id}" in form


def test_o3_6_a_battle_at_a_table_gets_its_date_from_the_desk_or_from_a_side_and_the_others_go_on(met):
    front, behind = met.state.engagement.id, met.state.waiting[0].id
    date = {"when": "2026-12-31T20:00", "where": "The <club>", "who": "Ann, Ben"}
    assert act(met, "appoint", engagement=front, **{**date, "when": "soon"}).status_code == 422
    assert act(met, "appoint", engagement=front, **date).status_code == 303
    assert met.state.step == "engagement" and "2026-12-31 20:00, The &lt;club&gt;, Ann, Ben" in desk(met)
    page = f"/open/{met.id}/relations?seat=cretans"
    assert met.client.get(page).text.count("Set the date") == 2
    form = {"csrf_token": met.csrf(), "turn": str(met.state.turn), "act": "appoint", "engagement": behind, **date}
    assert met.client.post(page, data=form).status_code == 303
    assert (met.state.step, set(met.state.appointed)) == ("orders", {front, behind}) and "Run the turn" in desk(met)
    act(met, "settle", engagement=behind, way="dice")
    assert behind in met.state.settled and met.state.step == "orders"


def test_o1_4_an_admiral_has_his_sides_seat_where_his_fleet_fights_and_watches_elsewhere(met):
    for name in names(met).values():
        assert act(met, "settle", engagement=name, way="table").status_code == 303
    places, seats = names(met), {}
    for fleet in ("guard", "escort"):
        new = people.Newcomer("rhodes", f"Admiral of {fleet}", "", "player", "", "en", "")
        who, token = people.invite(met.store, met.id, new)
        people.entrust(met.store, met.id, who.id, (fleet,))
        sits = met.store.seat_of(token)
        battles = battles_of(met.store, met.id)
        seats[fleet] = {link.engagement: seat_in(met.store, link.battle, sits).id for link in battles}
    assert seats == {
        "guard": {places["telos"]: "rhodes", places["kydonia"]: "spectator"},
        "escort": {places["telos"]: "spectator", places["kydonia"]: "rhodes"},
    }
