"""Pings: a place is pointed at for a few seconds, before all or before the own side alone; nothing else changes."""

from __future__ import annotations

import re

import pytest

from kit.readers import DUEL
from webapp.pages.battle import marks, open_sea
from webapp.storage.services import letters

SEA = {
    **DUEL,
    "board": {"kind": "open", "width": 20, "height": 14},
    "ships": {
        name: {**{key: value for key, value in ship.items() if key not in ("at", "facing")}, "at": at, "facing": 90}
        for (name, ship), at in zip(DUEL["ships"].items(), ([2, 2], [2, 6], [8, 2], [2, 10]), strict=True)
    },
}
TABLE = {
    **DUEL,
    "board": {"kind": "table"},
    "ships": {name: {key: ship[key] for key in ("side", "type", "speed")} for name, ship in DUEL["ships"].items()},
}


def ping(seat, **said):
    return seat.post("/ping", partial=True, **{"to": "all", **said})


def shown(page: str) -> list[tuple[str, ...]]:
    """The marks of a page: where in the drawing, and whose name stands at each."""
    return re.findall(r'<g class="ping[^>]*translate\(([^)]*)\).*?class="ping-who"[^>]*>([^<]*)<', page)


@pytest.fixture
def wrist(monkeypatch):
    """The clock of the pings, in the hands of the test."""
    time = [1000.0]
    monkeypatch.setattr(letters, "clock", lambda: time[0])
    return time


def looks(seats, app):
    """What every seat and the television show."""
    television = app.test_client().get(f"/display/{seats['rome'].game}").text
    return {**{name: seat.get().text for name, seat in seats.items()}, "television": television}


@pytest.mark.parametrize("position", [DUEL, SEA])
def test_all_see_what_is_pointed_at_and_by_whom(battle, store, app, wrist, position):
    seats = battle(position)
    game = store.game(seats["rome"].game)
    assert ping(seats["carthage"], at="130,150").status_code == 200
    for page in looks(seats, app).values():
        ((_where, who),) = shown(page)
        assert who == "Carthage" and "Carthage points at" in page
    now = store.game(game.id)
    assert now.revision > game.revision, "the pages that are open look again"
    assert (now.version, len(store.entries(game.id))) == (game.version, 1), "nothing stands in the journal"


def test_a_tap_means_the_hex_about_it(battle, wrist):
    rome = battle()["rome"]
    for hex_ in ((0, 0), (3, 2), (4, 3), (11, 0)):
        x, y = marks.place(hex_)
        for dx, dy in ((0, 0), (14, 12), (-14, -12)):
            assert marks.hex_at((x + dx, y + dy)) == hex_
    x, y = marks.place((3, 2))
    assert shown(ping(rome, at=f"{x + 9:.1f},{y - 8:.1f}").text) == [(f"{x:g} {y:g}", "Rome")]


def test_at_sea_a_tap_means_the_place_itself(battle, wrist):
    page = ping(battle(SEA)["rome"], at=f"{4.5 * open_sea.BASE},{3 * open_sea.BASE}").text
    assert shown(page) == [(f"{4.5 * open_sea.BASE:g} {3 * open_sea.BASE:g}", "Rome")] and "4.5 × 3.0" in page


def test_a_ping_for_the_own_side_reaches_nobody_else(battle, app, wrist):
    seats = battle()
    before = looks(seats, app)
    page = ping(seats["rome"], to="own", place="0306").text
    assert shown(page) and "For your side alone: 0306" in page
    for name, seen in looks(seats, app).items():
        if name == "rome":
            assert shown(seen)
        else:
            without = [re.sub(r'data-revision="\d+"|name="csrf[^>]*', "", each) for each in (before[name], seen)]
            assert without[0] == without[1], name
            assert not shown(seen) and "data-ping=" not in seen
    held = seats["carthage"].get("/table").text
    assert not shown(held) and not shown(app.test_client().get(f"/display/{seats['rome'].game}/table").text)


def test_it_is_gone_after_some_seconds_and_goes_with_its_game(battle, store, wrist):
    rome = battle()["rome"]
    ping(rome, place="0306")
    wrist[0] += letters.SECONDS - 0.1
    assert shown(rome.get().text)
    wrist[0] += 0.2
    assert not shown(rome.get().text)
    ping(rome, place="0307")
    assert len(store.file.rows("select * from pings")) == 1, "what nobody sees is not kept"
    store.delete(rome.game)
    assert store.file.rows("select * from pings") == []


def test_nobody_floods_the_board(battle, wrist):
    seats = battle()
    for _ in range(letters.FEW):
        assert ping(seats["rome"], place="0306").status_code == 200
    answer = ping(seats["rome"], place="0306")
    assert answer.status_code == 422 and "You have pointed too often" in answer.text
    assert ping(seats["carthage"], place="0306").status_code == 200
    wrist[0] += letters.SECONDS
    assert ping(seats["rome"], place="0306").status_code == 200


@pytest.mark.parametrize(
    "said", [{}, {"at": "x"}, {"at": "9999,9999"}, {"at": "-900,0"}, {"place": "9999"}, {"place": "nan,1"}]
)
@pytest.mark.parametrize("position", [DUEL, SEA])
def test_what_is_no_place_is_refused_in_a_sentence(battle, store, wrist, said, position):
    rome = battle(position)["rome"]
    answer = ping(rome, **said)
    assert answer.status_code == 422 and 'id="refused"' in answer.text
    assert store.file.rows("select * from pings") == []


def test_who_looks_on_points_at_nothing_and_a_stranger_is_not_heard(battle, app, store, wrist):
    seats = battle()
    assert ping(seats["spectator"], place="0306").status_code == 422
    assert 'data-point="all"' not in seats["spectator"].get().text
    assert app.test_client().post(f"/g/{seats['rome'].game}/ping").status_code in (400, 401, 403)
    assert store.file.rows("select * from pings") == []


def test_the_players_own_table_has_no_places_to_point_at(battle):
    rome = battle(TABLE)["rome"]
    assert ping(rome, place="0306").status_code == 404 and "data-arm" not in rome.get().text


def test_without_a_script_the_ruler_points(battle, wrist):
    rome = battle()["rome"]
    assert 'action="/g/' in rome.get("/ruler", ship="r1", place="0306").text
    x, y = marks.place((2, 4))
    assert 'name="place" value="0306"' in rome.get("/ruler", ship="r1", at=f"{x},{y}").text
    answer = rome.post("/ping", to="all", place="0306")
    assert answer.status_code == 303 and shown(rome.get().text)
