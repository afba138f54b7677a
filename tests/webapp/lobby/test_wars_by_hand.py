"""Campaigns drawn by hand: what each tap does, what the engine has against it, saving, loading, files, the API."""

from __future__ import annotations

import html
import io
import json
import re
from typing import Any, Self

import pytest
from flask.testing import FlaskClient

from kit.real_house import real_app, real_store
from strategic import NAMES, SYSTEMS
from webapp.pages import wars as drafts
from webapp.storage.journal.store import Store
from webapp.storage.services import letters

from kit.drawing_hand import DrawingHand  # isort: skip

__all__ = ["real_app", "real_store"]
MARK = """zq'"><i hx-get="/zq" hx-trigger="load">zq</i>"""
ELSEWHERE = {"REMOTE_ADDR": "203.0.113.9"}
BEGINNINGS = [(system, scenario) for system in NAMES for scenario in drafts.beginnings(system)]
FIRST = {
    "hannibal": "second_punic_war",
    "hamilcar": "first_punic_war",
    "sword_of_rome": "five_powers",
    "punic_wars": "1",
}


class Hand(DrawingHand):
    """Somebody who draws a campaign: with what is typed, the page says what it shows."""

    shelf = "/wars"

    def __init__(self, client: FlaskClient, system: str = "hannibal", address: str = "") -> None:
        super().__init__(client, address or f"/wars/draw?system={system}&scenario={FIRST[system]}")

    def does(self, *acts: str, **fields: Any) -> Self:
        for act in acts:
            super().does(act, **({"shown": self.draft["of"], **fields} if fields else {}))
        return self

    @property
    def position(self) -> dict[str, Any]:
        found: dict[str, Any] = self.draft["position"]
        return found


@pytest.fixture
def client(app: Any) -> Any:
    return app.test_client()


@pytest.fixture
def hand(client: FlaskClient) -> Hand:
    return Hand(client)


@pytest.mark.parametrize(("system", "scenario"), BEGINNINGS)
def test_every_scenario_is_drawn_on_saved_loaded_and_begun(
    client: FlaskClient, store: Store, system: str, scenario: str
) -> None:
    hand = Hand(client, system, f"/wars/draw?system={system}&scenario={scenario}")
    assert hand.said("ready") and not set(hand.position) & set(SYSTEMS[system].anew)
    saved = hand.leaves("save", title=f"Like {scenario}")
    assert saved.status_code == 303, saved.text
    address = saved.headers["Location"]
    code = address.rpartition("/")[2]
    again = Hand(client, system, f"/wars/draw?from={code}")
    assert again.position == hand.position and f"Like {scenario}" in client.get("/wars").text
    page = client.get(address).text
    text = re.search(r'name="position" value="([^"]*)"', page)
    assert text is not None
    begun = client.post("/new", data={"system": system, "title": "Ours", "position": html.unescape(text.group(1))})
    assert begun.status_code == 303 and begun.headers["Location"].startswith("/seats/")
    table = store.load(store.games()[0].id)
    assert table.game.title == "Ours" and table.system.waiting_for(table.state)


def test_what_the_start_draws_is_drawn_anew_for_each_game(hand: Hand) -> None:
    assert "hands" not in hand.position and "deck" not in hand.position
    position, hands = hand.position, set()
    for _ in range(3):
        made = hand.client.post("/api/v1/games", json={"system": "hannibal", "position": position})
        headers = {"Authorization": f"Bearer {next(s['token'] for s in made.json['seats'] if s['id'] == 'umpire')}"}
        state = hand.client.get(f"/api/v1/games/{made.json['id']}", headers=headers).json["state"]
        hands.add(tuple(state["hands"]["rome"]))
        assert state["turn"] == 1 and len(state["hands"]["rome"]) == len(state["hands"]["carthage"]) > 0
    assert len(hands) > 1


@pytest.mark.parametrize(
    ("system", "space", "path"),
    [
        ("hannibal", "saguntum", "spaces.saguntum.carthage.units"),
        ("hamilcar", "roma", "spaces.roma.rome.units"),
        ("sword_of_rome", "velitrae", "forces.velitrae.romans.units"),
        ("punic_wars", "2915", "stacks.2915.carthage.land"),
    ],
)
def test_a_space_is_tapped_and_its_force_is_stepped_up_and_down(
    client: FlaskClient, system: str, space: str, path: str
) -> None:
    hand = Hand(client, system).does(f"tap.{space}")
    assert hand.draft["of"] == f"space.{space}" and f'value="more.{path}"' in hand.page
    family, _dot, rest = path.partition(".")
    at, side, field = rest.split(".")
    before = hand.position[family][at][side][field]
    hand.does(f"more.{path}", f"more.{path}", f"less.{path}")
    assert hand.position[family][at][side][field] == before + 1 and hand.said("ready")
    hand.does("apply", **{f"f.{path}": str(before + 3)})
    assert hand.position[family][at][side][field] == before + 3
    hand.does("before", "before", "before", "before")
    assert hand.position[family][at][side][field] == before and hand.draft["past"] == []


@pytest.mark.parametrize(
    ("system", "act", "field"),
    [
        ("hannibal", ("tap.rome", "less.spaces.rome.carthage.units"), "Carthage, Units"),
        ("punic_wars", ("tap.2915", "less.stacks.2915.rome.land"), "Rome, Land points"),
        ("sword_of_rome", ("tap.velitrae", "less.forces.velitrae.gauls.units"), "Gauls, CUs"),
        ("hamilcar", ("tap.roma", "less.spaces.roma.carthage.units"), "Carthage, Units"),
    ],
)
def test_the_engine_refuses_a_value_by_its_field_and_nothing_changes(
    client: FlaskClient, system: str, act: tuple[str, str], field: str
) -> None:
    hand = Hand(client, system).does(act[0])
    before = hand.position
    hand.does(act[1])
    assert hand.answer.status_code == 422 and field in hand.said("refusal")
    assert hand.position == before


def test_what_contradicts_another_field_is_said_until_it_is_mended(hand: Hand) -> None:
    hand.does("tap.rome", "more.spaces.rome.carthage.units")
    assert "Rome" in hand.said("problem") and not hand.said("ready")
    refused = hand.leaves("save", title="Not yet")
    assert refused.status_code == 422 and "Rome" in refused.text and hand.leaves("start").status_code == 422
    assert hand.does("less.spaces.rome.carthage.units").said("ready")


def test_an_army_is_taken_up_with_its_leaders_and_set_down_by_a_tap(hand: Hand) -> None:
    hand.does("tap.saguntum", "take.saguntum/carthage")
    assert 'id="in-hand"' in hand.page
    before = hand.position["spaces"]["saguntum"]["carthage"]
    hand.does("tap.gades")
    assert hand.position["spaces"]["gades"]["carthage"] == before
    assert hand.position["spaces"]["saguntum"]["carthage"]["units"] == 0
    assert hand.position["generals"]["hannibal"]["space"] == "gades" and hand.draft["of"] == "space.gades"
    assert hand.does("take.gades/carthage", "put", "tap.utica").draft["of"] == "space.utica", "left where it was"
    assert hand.position["generals"]["hannibal"]["space"] == "gades"
    hand.does("tap.gades", "strike.gades/carthage")
    assert hand.position["spaces"]["gades"]["carthage"]["units"] == 0
    assert hand.position["generals"]["hannibal"] == {
        "status": "pool",
        "space": None,
        "inside": False,
        "rank": "general",
    }


def test_the_sword_of_rome_moves_its_leaders_in_their_lists(client: FlaskClient) -> None:
    hand = Hand(client, "sword_of_rome").does("tap.velitrae", "take.velitrae/romans", "tap.capua")
    assert hand.position["forces"]["capua"]["romans"]["leaders"] == ["camillus"]
    hand.does("tap.velitrae", "bring", leader="camillus")
    assert hand.position["forces"]["velitrae"]["romans"]["leaders"] == ["camillus"]
    assert hand.position["forces"]["capua"]["romans"]["leaders"] == []


@pytest.mark.parametrize(
    ("system", "space", "leader", "path"),
    [
        ("hannibal", "capua", "fabius", ("generals", "fabius", "space")),
        ("hamilcar", "roma", "appius_claudius_caudex", ("generals", "appius_claudius_caudex", "space")),
        ("punic_wars", "2915", "cb", ("leaders", "cb", "at")),
    ],
)
def test_a_leader_is_brought_and_sent_away_again(
    client: FlaskClient, system: str, space: str, leader: str, path: tuple[str, ...]
) -> None:
    hand = Hand(client, system).does(f"tap.{space}", "bring", leader=leader)
    family, _leader, field = path
    record = hand.position[family][leader]
    assert record[field] == space and record.get("status", "board") == "board" and not record.get("fate")
    hand.does(f"show.leader.{leader}")
    off = {f"f.{family}.{leader}.status": "pool"} if "status" in record else {f"f.{family}.{leader}.fate": "pool"}
    hand.does("apply", **off)
    assert hand.position[family][leader][field] is None


def test_a_map_is_cleared_and_filled_from_nothing(client: FlaskClient, store: Store) -> None:
    hand = Hand(client, "punic_wars").does("stands", "clear")
    assert hand.position["stacks"] == {} and hand.position["groups"] == [] and hand.said("ready")
    hand.does("tap.2915", *["more.stacks.2915.rome.land"] * 3, "more.stacks.2915.rome.naval")
    hand.does("tap.2516", *["more.stacks.2516.carthage.land"] * 2)
    hand.does("show.regions", "apply", **{"f.alignment.Sicilia": "rome"})
    assert hand.position["alignment"]["Sicilia"] == "rome" and hand.said("ready")
    made = client.post("/api/v1/games", json={"system": "punic_wars", "position": hand.position})
    state = store.load(made.json["id"]).state
    assert state.stacks["2915"]["rome"].land == 3 and state.phase != "setup", "nobody sets up"


def test_ships_are_built_and_scrapped_and_the_side_has_them_when_it_begins(client: FlaskClient, store: Store) -> None:
    hand = Hand(client, "hamilcar").does("show.side.rome", "build.rome", "build.rome", "build.rome")
    names = [ship["name"] for ship in hand.position["ships"]["rome"]]
    assert len(set(names)) == len(names) == 4
    hand.does("scrap.rome", "apply", **{"f.ships.rome.1.ready": "false"})
    made = client.post("/api/v1/games", json={"system": "hamilcar", "position": hand.position})
    fleet = store.load(made.json["id"]).state.ships["rome"]
    assert [(ship.name, ship.ready) for ship in fleet] == list(zip(names[:3], (True, False, True), strict=True))


def test_options_and_a_groups_own_values_are_kept_in_the_file(hand: Hand) -> None:
    hand.does("apply", **{"option.sea_battles": "table", "option.counter_prompts": "held", "title": "Ours"})
    assert (hand.position["options"]["sea_battles"], hand.position["options"]["counter_prompts"]) == ("table", "held")
    hand.does("house", house="cards = [7, 7, 7, 8, 8, 8, 9, 9, 9]")
    assert hand.position["house"]["cards"][0] == 7 and hand.said("ready")
    hand.does("house", house="cards = [70]")
    assert hand.answer.status_code == 422 and hand.said("refusal")
    hand.does("house", house="")
    assert not hand.position.get("house")


def test_a_file_is_what_the_api_takes_and_what_the_page_opens_again(hand: Hand, store: Store) -> None:
    hand.does("tap.capua", "bring", leader="fabius")
    file = hand.leaves("file", title="Ours")
    assert file.mimetype == "application/json" and "attachment" in file.headers["Content-Disposition"]
    whole = json.loads(file.text)
    made = hand.client.post("/api/v1/games", json=whole)
    assert made.status_code == 201 and store.load(made.json["id"]).state.generals["fabius"].space == "capua"
    opened = hand.client.post(
        "/wars/draw", data={"file": (io.BytesIO(file.data), "ours.json")}, content_type="multipart/form-data"
    )
    again = Hand(hand.client).takes(opened)
    assert again.position == hand.position and again.draft["title"] == "Ours"
    part = {"system": "hannibal", "position": {"spaces": {"capua": {"rome": {"units": 3}}}}}
    some = hand.client.post(
        "/wars/draw",
        data={"file": (io.BytesIO(json.dumps(part).encode()), "x.json")},
        content_type="multipart/form-data",
    )
    assert again.takes(some).position["spaces"]["capua"]["rome"]["units"] == 3, "the engine fills in the rest"


@pytest.mark.parametrize(
    "text",
    [
        "",
        "[]",
        "{",
        '{"system": "galley", "position": {}}',
        '{"system": "hannibal", "position": {"spaces": 3}}',
        '{"system": "hannibal", "position": {"moon": 1}}',
    ],
)
def test_a_file_that_is_none_is_refused(client: FlaskClient, text: str) -> None:
    answer = client.post(
        "/wars/draw", data={"file": (io.BytesIO(text.encode()), "x.json")}, content_type="multipart/form-data"
    )
    assert answer.status_code == 422 and 'id="refusal"' in answer.text


def test_a_draft_that_is_none_is_refused(client: FlaskClient, hand: Hand) -> None:
    wrong = [
        "",
        "[]",
        "{}",
        '{"system": "galley", "position": {}}',
        '{"system": "hannibal", "position": []}',
        '{"system": "hannibal", "position": {"spaces": {"rome": 2}}}',
        json.dumps({**hand.draft, "past": [{"spaces.rome": 3}]}),
        json.dumps({**hand.draft, "past": [{"turn": ["x"]}]}),
        json.dumps({**hand.draft, "army": "nowhere/rome"}),
        json.dumps({**hand.draft, "army": "/"}),
    ]
    for draft in wrong:
        answer = client.post("/wars/draw", data={"draft": draft, "do": "before" if "past" in draft else "tap.rome"})
        assert answer.status_code in (404, 422) or ("army" in draft and answer.status_code == 200), draft
    for draft in wrong[:6]:
        assert client.post("/wars", data={"draft": draft, "do": "save"}).status_code in (400, 404), draft


@pytest.mark.parametrize(
    "act",
    [
        "tap.atlantis",
        "show.space.atlantis",
        "show.side.egypt",
        "show.leader.nobody",
        "more.turns",
        "more.spaces.rome",
        "take.rome/egypt",
        "strike.rome/egypt",
        "build.rome",
        "scrap.rome",
        "json",
        "bring",
        "nothing",
        "",
    ],
)
def test_what_cannot_be_done_changes_nothing(hand: Hand, act: str) -> None:
    before = hand.position
    hand.does(act)
    assert hand.answer.status_code in (200, 422) and hand.position == before


def test_over_the_api_a_campaign_is_saved_listed_and_refused(client: FlaskClient, hand: Hand) -> None:
    body = {"title": "Ours", "system": "hannibal", "position": hand.position}
    made = client.post("/api/v1/positions", json=body)
    assert made.status_code == 201 and made.json["system"] == "hannibal"
    assert [each["system"] for each in client.get("/api/v1/positions").json["positions"]] == ["hannibal"]
    assert client.get(f"/api/v1/positions/{made.json['id']}").json["position"] == hand.position
    refused = client.post("/api/v1/positions", json={**body, "position": {**hand.position, "turn": 99}})
    assert refused.status_code == 400 and "turn" in refused.json["detail"]["path"]
    assert client.post("/api/v1/positions", json={**body, "system": "chess"}).status_code == 404
    assert made.json["id"] not in client.get("/positions").text
    assert client.get(f"/positions/{made.json['id']}").status_code == 404


def test_only_who_saved_it_or_the_organizer_removes_a_campaign(app: Any, hand: Hand, store: Store) -> None:
    address = hand.leaves("save", title="Ours").headers["Location"]
    stranger = app.test_client()
    assert "Remove" not in stranger.get(address, environ_base=ELSEWHERE).text
    assert stranger.post(f"{address}/remove", data={}, environ_base=ELSEWHERE).status_code == 403
    assert hand.client.post(f"{address}/remove", data={}).status_code == 303
    assert letters.all_positions(store) == []


def test_what_people_write_into_it_is_text(client: FlaskClient, hand: Hand) -> None:
    hand.does("apply", title=MARK)
    live = re.compile("""zq['"]|<i hx-get""")
    saved = hand.leaves("save", title=MARK).headers["Location"]
    for page in (hand.page, *(client.get(each).text for each in (saved, "/wars", f"/wars/draw?from={saved[6:]}"))):
        assert "zq" in page and not live.search(page)


def test_the_start_page_and_the_set_up_lead_here(client: FlaskClient) -> None:
    assert 'href="/wars"' in client.get("/campaigns").text
    assert "/wars/draw?system=hannibal" in client.get("/new?system=hannibal&scenario=second_punic_war").text
    assert "/wars/draw" not in client.get("/new?system=hamilcar&scenario=off_mylae").text, "it begins in mid-move"
    assert client.get("/wars/draw?system=hamilcar&scenario=off_mylae").status_code == 404


def test_what_can_be_gone_back_to_is_bounded(hand: Hand, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(drafts, "PAST", 4)
    hand.does("tap.rome", *["more.spaces.rome.rome.units"] * (drafts.PAST + 3))
    assert len(hand.draft["past"]) == drafts.PAST
