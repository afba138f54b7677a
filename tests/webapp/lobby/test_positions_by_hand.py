"""Positions drawn by hand: what each tap does, what the engine has against it, saving, loading, files, the API."""

from __future__ import annotations

import html
import io
import json
import re
from typing import Any

import pytest
from flask.testing import FlaskClient

from kit.real_house import real_app, real_store
from tactical.position import read_position
from tactical.setup import all_scenarios
from webapp.pages import positions as drafts
from webapp.storage.journal.store import Store
from webapp.storage.services import letters

from kit.drawing_hand import DrawingHand  # isort: skip

__all__ = ["real_app", "real_store"]
MARK = """zq'"><i hx-get="/zq" hx-trigger="load">zq</i>"""
ELSEWHERE = {"REMOTE_ADDR": "203.0.113.9"}


class Hand(DrawingHand):
    """Somebody who draws a position."""

    shelf = "/positions"

    def __init__(self, client: FlaskClient, address: str = "/positions/draw") -> None:
        super().__init__(client, address)

    @property
    def ships(self) -> dict[str, Any]:
        found: dict[str, Any] = self.draft["position"]["ships"]
        return found


@pytest.fixture
def hand(client: FlaskClient) -> Hand:
    return Hand(client)


@pytest.fixture
def client(app: Any) -> Any:
    return app.test_client()


def duel(hand: Hand) -> Hand:
    """A quinquereme against a trireme."""
    return hand.does("add.rome/quinquereme", "tap.3,3", "add.carthage/trireme", "tap.7,2")


def test_ships_are_put_on_the_board_turned_and_damaged_by_taps(hand: Hand) -> None:
    duel(hand).does("turn.1", "turn.1", "more.damage", "more.breaches", "less.medium", "switch.oars_broken")
    assert hand.ships["r1"] == {"side": "rome", "type": "quinquereme", "name": "", "at": [3, 3], "facing": "N"}
    battle = read_position(hand.draft["position"], {})
    ship = battle.ships["c1"]
    assert (ship.at, ship.facing, ship.damage, ship.breaches, ship.oars_broken) == ((7, 2), "SE", 1, 1, True)
    assert (ship.medium, ship.archers) == (1, 1), "the rest of her complement stays"
    assert hand.said("ready") and not hand.said("problem")


def test_ships_of_one_side_alone_are_not_called_a_battle(hand: Hand) -> None:
    hand.does("add.rome/quinquereme", "tap.3,3")
    assert hand.said("alone") and not hand.said("ready")
    assert hand.does("add.carthage/trireme", "tap.7,2").said("ready")


def test_g2_1_a_ship_that_her_navy_has_none_of_begins_with_nobody_aboard(hand: Hand) -> None:
    duel(hand).does("add.rome/trireme", "tap.2,2", "more.heavy")
    assert not hand.said("problem") and hand.ships["r2"]["heavy"] == 1 and hand.ships["r2"]["archers"] == 0
    hand.does("apply", **{"ship.id": "r2", "ship.type": "quinquereme"})
    assert "heavy" not in hand.ships["r2"], "another type has its own complement"


def test_a_tap_on_a_ship_takes_her_in_hand_and_the_next_moves_her(hand: Hand) -> None:
    duel(hand).does("tap.3,3")
    assert hand.draft["ship"] == "r1"
    hand.does("tap.4,4")
    assert hand.ships["r1"]["at"] == [4, 4]
    hand.does("pick.c1", "ashore")
    assert "at" not in hand.ships["c1"] and "ashore" in hand.page
    hand.does("before")
    assert hand.ships["c1"]["at"] == [7, 2]


def test_ships_from_the_builder_are_laid_one_after_another(client: FlaskClient) -> None:
    hand = Hand(client)
    for _ in range(3):
        hand.does("add.rome/trireme")
    hand.does("pick.r1")
    hand.does("tap.2,2", "tap.2,4", "tap.2,6")
    assert [ship["at"] for ship in hand.ships.values()] == [[2, 2], [2, 4], [2, 6]]
    built = client.post("/positions/draw", data={"position": json.dumps(hand.draft["position"]), "title": "Three"})
    again = Hand(client).takes(built)
    assert again.draft["title"] == "Three" and again.ships == hand.ships
    again.does("clear")
    assert not any("at" in ship for ship in again.ships.values()) and again.draft["ship"] == "r1"


def test_land_is_laid_and_taken_hex_by_hex_or_seven_at_a_time(hand: Hand) -> None:
    hand.does("tool.land", "tap.5,5", "tap.5,6", "tap.5,5")
    assert hand.draft["position"]["board"]["land"] == [[5, 6]]
    hand.does("tap.9,2", wide="yes")
    assert len(hand.draft["position"]["board"]["land"]) == 8
    hand.does("tool.wreck", "tap.2,2")
    assert hand.draft["position"]["board"]["wrecks"] == [[2, 2]]


def test_what_contradicts_itself_is_said_with_the_ships_name_and_the_field(hand: Hand) -> None:
    duel(hand).does("pick.r1")
    hand.does("apply", **{"ship.id": "r1", "ship.name": "Aquila"})
    assert hand.ships["r1"]["name"] == "Aquila"
    hand.does("tool.land", "tap.3,3")
    assert "Aquila" in hand.said("problem") and "land" in hand.said("problem")
    refused = hand.leaves("save", title="A duel")
    assert refused.status_code == 422 and "Aquila" in refused.text
    assert hand.leaves("start").status_code == 422
    hand.does("tap.3,3")
    assert not hand.said("problem")


@pytest.mark.parametrize(
    ("act", "fields", "said"),
    [
        ("tap.x,y", {}, "not a place on the board"),
        ("tap.9999,1", {}, "not a place on the board"),
        ("add.nobody/trireme", {}, "there is no side"),
        ("add.rome/ark", {}, "there is no ship type"),
        ("more.name", {}, "there is no such field"),
        ("switch.at", {}, "there is no such field"),
        ("json", {"text": "[1, 2"}, "this is not JSON"),
        ("close", {}, "three points"),
        ("apply", {"ship.id": "c1", "ship.at": "12"}, "four digits"),
        ("apply", {"kind": "hexes", "wide_size": "many", "high_size": "9"}, "whole number"),
        ("apply", {"kind": "hexes", "wide_size": "100", "high_size": "100"}, "at most"),
    ],
)
def test_what_cannot_be_done_is_refused_and_the_draft_stays(
    hand: Hand, act: str, fields: dict[str, str], said: str
) -> None:
    duel(hand)
    before = hand.draft["position"]
    hand.does(act, **fields)
    assert hand.answer.status_code == 422 and said in hand.said("refusal")
    assert hand.draft["position"] == before


def test_a_draft_that_is_none_is_refused(client: FlaskClient) -> None:
    for draft in (
        "",
        "[]",
        "{}",
        '{"position": []}',
        '{"position": {"ships": 1}}',
        '{"position": {"ships": {"r1": 2}}}',
        '{"position": {"ships": {}, "options": "x", "sides": {"a": {}, "b": {}}}}',
    ):
        answer = client.post("/positions/draw", data={"draft": draft, "do": "apply"})
        assert answer.status_code == 422, draft
        assert client.post("/positions", data={"draft": draft, "do": "save"}).status_code == 400


def test_the_settings_of_the_page_are_taken_with_every_tap(hand: Hand) -> None:
    duel(hand)
    fields = {
        "kind": "hexes",
        "wide_size": "9",
        "high_size": "9",
        "turn_limit": "6",
        "side.rome": "Duilius",
        "navy.rome": "hellenistic",
        "option.edge": "wall",
        "title": "Off the cape",
    }
    hand.does("apply", **fields)
    battle = read_position(hand.draft["position"], {})
    assert (battle.board.columns, battle.turn_limit, battle.options.edge) == (9, 6, "wall")
    assert (battle.sides["rome"].name, battle.sides["rome"].navy) == ("Duilius", "hellenistic")
    assert hand.draft["title"] == "Off the cape"
    hand.does("apply", **{**fields, "option.edge": "withdraw"})
    assert read_position(hand.draft["position"], {}).options.edge == "withdraw"


def test_the_open_sea_has_coasts_of_points_and_headings_of_degrees(hand: Hand) -> None:
    hand.does("apply", kind="open")
    duel(hand).does("pick.r1", "turn.-1")
    assert hand.ships["r1"]["facing"] == 345
    hand.does("tool.coast", "tap.12,10", "tap.16,10", "tap.16,13")
    assert len(hand.draft["ring"]) == 3 and "Close the coast" in hand.page
    hand.does("point", "tap.17,13", "tap.12.1,10.2")
    assert hand.draft["ring"] == [], "a tap near the first point closes it"
    battle = read_position(hand.draft["position"], {})
    assert len(battle.board.coasts) == 1 and battle.board.shore.area == pytest.approx(6.0, abs=0.2)
    hand.does("tool.land", "tap.16,11")
    assert read_position(hand.draft["position"], {}).board.coasts == ()


def test_another_kind_of_board_takes_the_ships_ashore(hand: Hand) -> None:
    duel(hand).does("apply", kind="table")
    assert not any("at" in ship for ship in hand.ships.values())
    assert hand.said("ready"), "the players' own table needs no places"


@pytest.mark.parametrize("scenario", list(all_scenarios()))
def test_every_scenario_is_opened_saved_and_loaded_as_it_is(client: FlaskClient, store: Store, scenario: str) -> None:
    hand = Hand(client, f"/positions/draw?scenario={scenario}")
    assert hand.said("ready")
    saved = hand.leaves("save", title=f"Like {scenario}")
    assert saved.status_code == 303
    code = saved.headers["Location"].rpartition("/")[2]
    again = Hand(client, f"/positions/draw?from={code}")
    assert again.draft["position"] == hand.draft["position"]
    position = client.get(f"/api/v1/positions/{code}").json["position"]
    assert read_position(position, {}) == read_position(hand.draft["position"], {})
    assert f"Like {scenario}" in client.get("/positions").text
    assert client.get(f"/positions/{code}").status_code == 200


def test_a_file_is_what_the_api_takes_and_what_the_page_opens_again(hand: Hand, store: Store) -> None:
    file = duel(hand).leaves("file", title="A duel")
    assert file.mimetype == "application/json" and "attachment" in file.headers["Content-Disposition"]
    made = hand.client.post("/api/v1/games", json=json.loads(file.text))
    assert made.status_code == 201 and store.load(made.json["id"]).state.ships["r1"].at == (3, 3)
    opened = hand.client.post(
        "/positions/draw", data={"file": (io.BytesIO(file.data), "duel.json")}, content_type="multipart/form-data"
    )
    again = Hand(hand.client).takes(opened)
    assert again.ships == hand.ships and again.draft["title"] == "A duel"
    saved = hand.leaves("save", title="A duel").headers["Location"]
    kept = json.loads(hand.client.get(f"{saved}/file").text)
    assert (kept["system"], kept["title"], kept["position"]["ships"]) == ("galley", "A duel", hand.ships)


def test_a_battle_begins_from_what_was_drawn(hand: Hand, store: Store) -> None:
    page = duel(hand).leaves("start", title="A duel")
    text = re.search(r'name="position" value="([^"]*)"', page.text)
    assert page.status_code == 200 and text is not None
    begun = hand.client.post(
        "/new", data={"system": "galley", "title": "A duel", "position": html.unescape(text.group(1))}
    )
    assert begun.status_code == 303 and begun.headers["Location"].startswith("/seats/")
    game = store.games()[0]
    assert game.title == "A duel" and set(store.load(game.id).state.ships) == {"r1", "c1"}


def test_over_the_api_a_position_is_saved_listed_and_refused(client: FlaskClient, hand: Hand) -> None:
    position = duel(hand).draft["position"]
    made = client.post("/api/v1/positions", json={"title": "A duel", "position": position})
    assert made.status_code == 201 and made.json["ships"] == 2
    assert [each["id"] for each in client.get("/api/v1/positions").json["positions"]] == [made.json["id"]]
    wrong = {**position, "ships": {**position["ships"], "r1": {**position["ships"]["r1"], "damage": 8}}}
    refused = client.post("/api/v1/positions", json={"title": "A duel", "position": wrong})
    assert (refused.status_code, refused.json["detail"]["path"]) == (400, "position.ships.r1.damage")
    nameless = client.post("/api/v1/positions", json={"title": "  ", "position": position})
    assert (nameless.status_code, nameless.json["detail"]["path"]) == (400, "title")
    assert client.get("/api/v1/positions/NOWHERE2").status_code == 404


def test_only_who_saved_it_or_the_organizer_removes_a_position(app: Any, hand: Hand, store: Store) -> None:
    address = duel(hand).leaves("save", title="A duel").headers["Location"]
    stranger = app.test_client()
    assert "Remove" not in stranger.get(address, environ_base=ELSEWHERE).text
    assert stranger.post(f"{address}/remove", data={}, environ_base=ELSEWHERE).status_code == 403
    assert len(letters.all_positions(store)) == 1
    assert hand.client.post(f"{address}/remove", data={}).status_code == 303
    assert letters.all_positions(store) == []


def test_positions_are_saved_as_slowly_as_games_are_begun(app: Any, hand: Hand, store: Store) -> None:
    text = duel(hand).text
    client = app.test_client()
    answers = [
        client.post("/positions", data={"draft": text, "do": "save", "title": "x"}, environ_base=ELSEWHERE).status_code
        for _ in range(12)
    ]
    assert answers == [303] * 10 + [422] * 2
    assert len(letters.all_positions(store)) == 10


def test_what_people_write_into_a_position_is_text(client: FlaskClient, hand: Hand) -> None:
    duel(hand).does("apply", **{"ship.id": "c1", "ship.name": MARK[:60], "title": MARK, "side.rome": MARK[:60]})
    live = re.compile("""zq['"]|<i hx-get""")
    saved = hand.leaves("save", title=MARK).headers["Location"]
    for page in (
        hand.page,
        *(client.get(each).text for each in (saved, "/positions", f"/positions/draw?from={saved[11:]}")),
    ):
        assert "zq" in page and not live.search(page)


def test_what_can_be_gone_back_to_is_bounded(hand: Hand) -> None:
    for _ in range(drafts.PAST + 4):
        hand.does("add.rome/trireme")
    assert len(hand.draft["past"]) == drafts.PAST
    hand.does("before", "before")
    assert len(hand.ships) == drafts.PAST + 2
