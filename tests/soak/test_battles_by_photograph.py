"""Two battles of three turns played by photographs of the models as they are moved, through the pages.

On the players' own table every contact, and every range of a shot, is the one that the page proposes from a photograph.
On the measured sea the models are set down by hand beside the board, and each phase is checked by a photograph that the
other side agrees to. What is read is held against where the models truly lie.
"""

from __future__ import annotations

import json
import math
import random
from itertools import combinations
from typing import Any

import pytest
from flask import Flask
from shapely import Polygon

from kit.models_on_table import afloat, confirm, models, places_on, said_on, send_photo
from kit.photographed import Wanted, photograph
from kit.readers import battle, commands_on, store
from tactical.board import hull_outline
from tactical.geometry import GEOMETRIES
from tactical.offers import waiting_for
from tactical.rules import missiles
from tactical.ship import TYPES
from tactical.tabletop import Lies, base_outline, ranges_of
from webapp import create_app
from webapp.storage.journal.store import Store
from webapp.storage.services.archive import keep_layout, tape_of

__all__ = ["battle", "store"]
pytestmark = pytest.mark.soak
TABLE = (1200.0, 800.0)
LAYOUT = models(6, TABLE)
LONG = LAYOUT.base_length
TURNS = 3
MOST_PHOTOGRAPHS = 6  # of one position: tags hide behind models, and each is taken from elsewhere
# s0 and s1 meet bow to bow, s2 and s3 pass each other with 5 mm between them, s4 comes into the side of s5.
START = {
    "s0": (170.0, 160.0, 90.0),
    "s1": (1000.0, 160.0, 270.0),
    "s2": (170.0, 290.0, 90.0),
    "s3": (1030.0, 320.0, 270.0),
    "s4": (520.0, 700.0, 0.0),
    "s5": (930.0, 440.0, 270.0),
}


@pytest.fixture
def app(store: Store) -> Flask:
    """A server whose players photograph their table as fast as the machine goes."""
    return create_app({"STORE": store, "TABLE_PHOTOGRAPHS_A_MINUTE": 1000})


class Models:
    """The models on the table, as they truly lie, and photographs of them."""

    def __init__(self, lies: dict[str, tuple[float, float, float]], seed: int, are_hulls: bool = False) -> None:
        self.lies, self.seed, self.photos = dict(lies), seed, 0
        self.are_hulls = are_hulls  # the measured sea measures from hull to hull, the players from base to base

    def shape(self, name: str, lies: tuple[float, float, float] | None = None) -> Polygon:
        x, y, heading = lies or self.lies[name]
        if self.are_hulls:
            kind = TYPES["quinquereme"]
            hull = hull_outline((x / LONG, y / LONG), heading, kind.length, kind.beam)
            return Polygon([(a * LONG, b * LONG) for a, b in hull])
        return Polygon(base_outline(Lies(x, y, heading, 2, 0.0), LAYOUT.ships[name]))

    def gap(self, one: str, other: str) -> float:
        return self.shape(one).distance(self.shape(other))

    def ahead(self, name: str, far: float) -> tuple[float, float, float]:
        x, y, heading = self.lies[name]
        return x + far * math.sin(math.radians(heading)), y - far * math.cos(math.radians(heading)), heading

    def row(self, name: str, far: float) -> None:
        """So far ahead, or until her bow touches another model."""
        others = [self.shape(other) for other in self.lies if other != name]
        if far > 0 and any(self.shape(name, self.ahead(name, far)).intersects(each) for each in others):
            near, touching = 0.0, far
            while touching - near > 0.05:
                middle = (near + touching) / 2
                free = not any(self.shape(name, self.ahead(name, middle)).intersects(each) for each in others)
                near, touching = (middle, touching) if free else (near, middle)
            far = near
        self.lies[name] = self.ahead(name, far)

    def photo(self) -> bytes:
        self.photos += 1
        wanted = Wanted(table=TABLE, width=2200)
        return photograph(wanted, self.seed + self.photos, (), (), LAYOUT, self.lies).jpeg()

    def is_near_a_line(self, one: str, other: str) -> bool:
        """Is the gap so near a whole length that a hand's breadth of error may decide?"""
        return abs((self.gap(one, other) + LONG / 2) % LONG - LONG / 2) < 3


def press(seat: Any, store: Any, command: dict[str, Any], **fields: Any) -> None:
    answer = seat.give(json.dumps(command), store.game(seat.game).version, **fields)
    assert answer.status_code == 200, (command, answer.text[answer.text.find('id="refused"') :][:600])


def buttons(seat: Any, kind: str, ship: str) -> list[dict[str, Any]]:
    """The commands of a kind that a ship's page has on its buttons."""
    found = map(json.loads, commands_on(seat.get(ship=ship).text))
    return [each for each in found if (each.get("type"), each.get("ship")) == (kind, ship)]


def plot_and_lock(seat: Any, store: Any, side: str) -> None:
    state = store.load(seat.game).state
    mine = [name for name, ship in state.ships.items() if ship.side == side and ship.is_afloat]
    for name in mine:
        speeds = {each["speed"] for each in buttons(seat, "plot", name) if "speed" in each}
        if speeds:
            press(seat, store, {"type": "plot", "ship": name, "speed": 2 if 2 in speeds else min(speeds)})
    press(seat, store, {"type": "lock", "side": side})


def test_a_battle_on_the_players_own_table_is_played_by_photographs(battle, store):
    seats = battle(afloat(LAYOUT, "table", START))
    game = seats["rome"].game
    keep_layout(store, game, LAYOUT)
    table, told = Models(START, 100), {"contacts": 0, "shots": 0, "ranges": 0, "unsure": 0, "rams": 0}
    while (state := store.load(game).state).turn <= TURNS and not state.is_over:
        side = waiting_for(state)[0]
        seat = seats[side]
        for name in [each for each in table.lies if not state.ships[each].is_afloat and not state.ships[each].is_prize]:
            del table.lies[name]
        if state.step == "plot":
            plot_and_lock(seat, store, side)
        elif state.step == "move":
            due = [name for name, it in state.ships.items() if it.side == side and state.is_due(it)]
            for name in due:
                table.row(name, LONG if state.ships[name].speed > 0 else -LONG)
            if due:
                measure(seat, store, table, told)
            for name in due:
                read = [each for each in buttons(seat, "contact", name) if is_read(store, game, each)]
                if read:
                    told["contacts"] += 1
                    assert table.gap(name, read[0]["target"]) < 0.5
                press(seat, store, read[0] if read else {"type": "step", "ship": name, "turn": "none"})
            press(seat, store, {"type": "done", "side": side})
        elif state.step == "fire":
            kept = tape_of(store, game)[1]
            near = any(table.gap(*pair) < 4 * LONG for pair in combinations(table.lies, 2))
            if near and (kept is None or not kept.holds(state)):  # one photograph a phase, where anybody is in reach
                measure(seat, store, table, told)
            for name in [each for each in table.lies if state.ships[each].side == side and not state.ships[each].fired]:
                for shot in buttons(seat, "fire", name)[:1]:
                    assert shot["range"] in ranges_of(table.gap(name, shot["target"]), LONG, 3.0)
                    press(seat, store, {**shot, "count": 1})
                    told["shots"] += 1
            if side in waiting_for(store.load(game).state):
                press(seat, store, {"type": "done", "side": side})
        elif state.step == "ram":
            mine = [name for name, it in state.ships.items() if it.side == side and it.contact]
            for name in mine:
                for command in buttons(seat, "ram", name)[:1]:
                    press(seat, store, command)
                    told["rams"] += 1
            if side in waiting_for(store.load(game).state):
                press(seat, store, {"type": "done", "side": side})
        else:
            press(seat, store, {"type": "done", "side": side})
    print("own table:", told, f"{table.photos} photographs")
    assert told["contacts"] >= 2 and told["rams"] >= 1 and told["shots"] >= 1 and told["ranges"] >= 20, told


def is_read(store: Any, game: str, contact: dict[str, Any]) -> bool:
    """Is this the contact that the photograph shows?"""
    kept = tape_of(store, game)[1]
    seen = kept.of(contact["ship"]).get(contact["target"]) if kept else None
    how = seen.aspects.get(contact["ship"]) if seen else None
    return how is not None and contact["aspect"] == ("side" if how == "stern" else how)


def see_all(seat: Any, table: Models) -> Any:
    """The page once every model was seen: another photograph adds what those before did not see."""
    seen: dict[str, list[float]] = {}
    for _ in range(MOST_PHOTOGRAPHS):
        page = send_photo(seat, table.photo(), **({"ships": json.dumps(seen)} if seen else {}))
        assert page.status_code == 200, said_on(page)
        seen = places_on(page)
        if set(seen) == set(table.lies):
            return page
    raise AssertionError((table.lies, seen))


def measure(seat: Any, store: Any, table: Models, told: dict[str, int]) -> None:
    """Read the table and confirm; the tape says what is true."""
    page = see_all(seat, table)
    assert confirm(seat, page).status_code == 303
    measured = {frozenset(each.ships): each for each in tape_of(store, seat.game)[1].measured}
    ships = store.load(seat.game).state.ships
    for one, other in combinations(table.lies, 2):
        if ships[one].side == ships[other].side or not (ships[one].is_afloat and ships[other].is_afloat):
            continue
        gap, said = table.gap(one, other), measured.get(frozenset((one, other)))
        if gap / LONG > 9.9:
            continue
        assert said is not None, (one, other, gap)
        if gap < 0.5 or gap > 4:
            touches = frozenset((one, other)) in {frozenset(each.ships) for each in measured.values() if each.aspects}
            assert touches == (gap < 0.5), (one, other, gap, said)
        if len(said.ranges) > 1:
            told["unsure"] += 1
        elif not table.is_near_a_line(one, other):
            assert said.ranges == ranges_of(gap, LONG, 0.0), (one, other, gap, said)
            told["ranges"] += 1


def test_a_battle_on_the_measured_sea_is_checked_by_photographs(battle, store):
    seats = battle(afloat(LAYOUT, "open", START))
    game, hand = seats["rome"].game, random.Random(5)
    keep_layout(store, game, LAYOUT)
    table, told = Models(START, 500, are_hulls=True), {"same": 0, "agreed": 0, "pairs": 0, "contacts": 0}
    shoved = 0  # the turn in which somebody has last knocked a model
    while (state := store.load(game).state).turn <= TURNS and not state.is_over:
        side = waiting_for(state)[0]
        seat, other = seats[side], seats["carthage" if side == "rome" else "rome"]
        if state.step == "plot":
            plot_and_lock(seat, store, side)
            continue
        if state.step == "move":
            for name in [each for each, it in state.ships.items() if it.side == side and state.is_due(it)]:
                if state.is_due(store.load(game).state.ships[name]):
                    steps = buttons(seat, "step", name)
                    straight = next((each for each in steps if each.get("angle") == 0), None)
                    press(seat, store, straight or (steps or [{"type": "hold", "ship": name}])[0])
            follow(store, game, table, hand)
            if shoved < state.turn and (free := knock(store, game, table)):
                shoved = state.turn
                print("knocked:", free)
            check(seat, other, store, table, told)
        for kind in ("ram",) if state.step == "ram" else ():
            for name in [each for each, it in state.ships.items() if it.side == side and it.contact]:
                for command in buttons(seat, kind, name)[:1]:
                    press(seat, store, command)
        if side in waiting_for(store.load(game).state) and store.load(game).state.step == state.step:
            press(seat, store, {"type": "done", "side": side})
    print("measured sea:", told, f"{table.photos} photographs")
    assert told["agreed"] >= 1 and told["same"] >= 1 and told["pairs"] >= 20 and told["contacts"] >= 1, told


def follow(store: Any, game: str, table: Models, hand: random.Random) -> None:
    """Set every model down where the board has its ship, as exactly as a hand can."""
    ships = store.load(game).state.ships
    for name in list(table.lies):
        it = ships[name]
        if it.at is None:
            del table.lies[name]
            continue
        x, y = (part * LONG for part in it.at)
        if math.dist((x, y), table.lies[name][:2]) > 3 or it.facing != table.lies[name][2]:
            table.lies[name] = (x + hand.gauss(0, 0.5), y + hand.gauss(0, 0.5), float(it.facing))


def knock(store: Any, game: str, table: Models) -> str:
    """Push one model that touches no other 12 mm aside; its name."""
    ships = store.load(game).state.ships
    for name in table.lies:
        x, y, heading = table.lies[name]
        if not ships[name].contact and all(table.gap(name, each) > 40 for each in table.lies if each != name):
            table.lies[name] = (x, y + 12, heading + 6)
            return name
    return ""


def check(seat: Any, other: Any, store: Any, table: Models, told: dict[str, int]) -> None:
    """Read the table; what differs from the board is agreed by the other side. Then both say the same."""
    page = see_all(seat, table)
    answer = confirm(seat, page)
    if answer.status_code == 422:
        assert "nothing to change" in said_on(answer)[0], said_on(answer)
        told["same"] += 1
    else:
        assert answer.status_code == 303
        seen = store.game(seat.game).version
        assert other.post("/undo", partial=True, word=1, seen=seen).status_code == 200
        assert store.game(seat.game).version == seen + 1
        told["agreed"] += 1
    state = store.load(seat.game).state
    geometry = GEOMETRIES["open"]
    for name, (x, y, heading) in table.lies.items():
        it = state.ships[name]
        assert math.dist((it.at[0] * LONG, it.at[1] * LONG), (x, y)) < 6, name
        assert abs((it.facing - heading + 180) % 360 - 180) < 4, name
    for one, two in combinations(table.lies, 2):
        ship, foe = state.ships[one], state.ships[two]
        gap = state.hull(ship).distance(state.hull(foe)) * LONG
        true = table.gap(one, two)
        if ship.side != foe.side and true / LONG < 9.9 and not table.is_near_a_line(one, two) and true > 6:
            assert geometry.range_between(state, ship, foe) in ranges_of(true, LONG, 6.0), (one, two, true)
            assert missiles.range_between(state, ship, foe) >= 1
            told["pairs"] += 1
        if ship.contact == two or foe.contact == one:
            assert gap < 0.1 and true < 6, (one, two, gap, true)
            told["contacts"] += 1
