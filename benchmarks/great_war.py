"""The open campaign: a turn of a great war, what a campaign of thirty turns takes on disk, and the page of orders."""

from __future__ import annotations

import random
import tempfile
from collections.abc import Callable
from pathlib import Path
from typing import Any

from msgspec.structs import replace

from benchmarks import anchors, clock
from benchmarks.engines import MOVE, MOVES, QUIET_MOVE
from benchmarks.row import Row, cost
from benchmarks.web import EACH, SMALL, both, small
from strategic.naval.settling import ChooseWay
from strategic.open_campaign import OPEN_CAMPAIGN
from strategic.open_campaign.commands import Run
from strategic.open_campaign.rules.world import chart, cut
from strategic.open_campaign.state import Order, State
from tactical.kernel.dice import Dice, random_source
from tactical.kernel.protocol import UMPIRE
from tactical.kernel.record import plain
from webapp.storage.journal.store import Store

SIDES, FLEETS, SHIPS, SPACES = 8, 60, 600, 300
TURN = 1.0  # seconds of processor time on the quiet machine
TURNS, MEGABYTES = 30, 5.0
CORNERS = ((-10.0, 29.0), (43.0, 49.0))
SCENARIO = "sicily"


def measures(rounds: int) -> dict[str, Callable[[], Row]]:
    """The measures of the open campaign by their ids."""
    return {
        "great_war.turn": lambda: _turn(rounds),
        "great_war.file": _file,
        "great_war.orders": lambda: _orders(rounds),
    }


def great_war(seed: int = 1) -> dict[str, Any]:
    """Eight sides with sixty fleets of ten ships, on all spaces of the ancient sea (278), a week's turn."""
    throw = random.Random(seed)
    world = spaces_of(cut(CORNERS, 0), SPACES)
    ports = [each["properties"]["id"] for each in world["features"] if each["properties"].get("kind") == "port"]
    sides = [f"side{number}" for number in range(SIDES)]
    homes = throw.sample(ports, FLEETS)
    fleets, ships = {}, {}
    for number, home in enumerate(homes):
        side = sides[number % SIDES]
        own = [f"s{number}-{ship}" for ship in range(SHIPS // FLEETS)]
        ships |= {ship: {"side": side, "type": "trireme"} for ship in own}
        fleets[f"f{number}"] = {"side": side, "name": f"Fleet {number}", "at": home, "ships": own}
    held = {home: sides[number % SIDES] for number, home in enumerate(homes)}
    return {
        "world": world,
        "sides": {side: {"name": side} for side in sides},
        "fleets": fleets,
        "ships": ships,
        "ports": held,
        "turn_length": "week",
        "turns": TURNS,
        "date": "-260-05-01",
        "options": {"money": "simple", "land": True},
    }


def spaces_of(world: dict[str, Any], most: int) -> dict[str, Any]:
    """A world with so many of its spaces at most, the greatest first, and the lanes between them."""
    points = [each for each in world["features"] if each["geometry"]["type"] == "Point"]
    points = sorted(points, key=lambda each: (-each["properties"]["rank"], each["properties"]["id"]))[:most]
    kept = {each["properties"]["id"] for each in points}
    lines = [each for each in world["features"] if each["geometry"]["type"] != "Point"]
    lines = [each for each in lines if each["properties"]["from"] in kept and each["properties"]["to"] in kept]
    return {"type": "FeatureCollection", "features": [*points, *lines]}


def ordered(state: State, throw: random.Random) -> State:
    """Every fleet is sent somewhere."""
    spaces = sorted(chart(state.world).spaces)
    orders: dict[str, dict[str, Order]] = {}
    for name in state.at_sea():
        given = Order(throw.choice(("go", "patrol", "blockade")), state.turn, to=throw.choice(spaces), stance="seek")
        orders.setdefault(state.fleets[name].side, {})[name] = given
    return replace(state, orders={side: orders[side] for side in sorted(orders)})


def run(state: State, dice: Dice) -> State:
    """A whole turn, with each meeting by quick dice."""
    after: State = OPEN_CAMPAIGN.apply(state, UMPIRE, Run(), dice).state
    while after.engagement is not None:
        way = ChooseWay(after.engagement.id, "own_table", next(iter(after.engagement.fleets)))
        after = OPEN_CAMPAIGN.apply(after, way.side, way, dice).state
    return after


def _turn(rounds: int) -> Row:
    source = random_source(random.Random(1).randrange)
    state = ordered(OPEN_CAMPAIGN.start(None, great_war(), {}, Dice()).state, random.Random(2))

    def turn() -> int:
        run(state, Dice((), source, source))
        return 1

    turn()  # the chart and the ways are read once for a world
    found = clock.by_turns(clock.of(turn), clock.of(lambda: anchors.chess_moves(1, MOVES)), rounds)
    return cost("great_war.turn", found, TURN / QUIET_MOVE, f"{MOVE}; the target is {TURN:g} s when quiet")


def _file() -> Row:
    """What a store's file grows by while a ready-made war of thirty turns is played, each fleet ordered each turn."""
    with tempfile.TemporaryDirectory() as folder:
        store = Store(Path(folder) / "war.db", source=random_source(random.Random(1).randrange))
        throw = random.Random(3)
        empty = store.create(OPEN_CAMPAIGN.name, SCENARIO)[0].id
        before = written(store, folder)
        position = {**plain(store.load(empty).state), "turns": TURNS}
        game = store.create(OPEN_CAMPAIGN.name, None, position, None, "war", "digital")[0].id
        while not store.load(game).game.over:
            state = store.load(game).state
            if state.engagement is not None:
                side = next(iter(state.engagement.fleets))
                give(
                    store,
                    game,
                    side,
                    {"type": "choose_way", "engagement": state.engagement.id, "way": "own_table", "side": side},
                )
                continue
            spaces = sorted(chart(state.world).spaces)
            for name in (each for each in state.at_sea() if not state.fleets[each].strays_of):
                side = state.fleets[name].side
                give(
                    store,
                    game,
                    side,
                    {"type": "order", "side": side, "fleet": name, "do": "go", "to": throw.choice(spaces)},
                )
            give(store, game, UMPIRE, {"type": "run"})
        size = (written(store, folder) - before) / 2**20
        known = {"against": f"{MEGABYTES:g} MB", "commands": store.game(game).version}
        store.file.close()
        return Row("great_war.file", size, "MB", MEGABYTES, size / MEGABYTES, 1.0, "lower", known)


def give(store: Store, game: str, seat: str, command: dict[str, Any]) -> None:
    """One command with the server's dice."""
    store.submit(game, store.game(game).version, seat, command, "digital")


def written(store: Store, folder: str) -> int:
    """Bytes of the store's files, when all is in the first of them."""
    store.file.rows("pragma wal_checkpoint(truncate)")
    return sum(path.stat().st_size for path in Path(folder).iterdir())


def _orders(rounds: int) -> Row:
    """The page of orders of one side in a war of eight, with the days of its order in hand."""
    with both() as (ours, anchor):
        made = ours.told("POST", "/games", {"system": OPEN_CAMPAIGN.name, "position": great_war()})
        tokens = {seat["id"]: seat["token"] for seat in made["seats"]}
        path = f"/open/{made['id']}/orders"

        def ask() -> int:
            for number in range(EACH):
                _, status = ours.ask("GET", path, Authorization=f"Bearer {tokens[f'side{number % SIDES}']}")
                if status != 200:
                    raise RuntimeError(f"the page of orders: {status}")
            return EACH

        ask()
        return cost("great_war.orders", clock.by_turns(lambda: ours.cost(ask), small(anchor), rounds), 12, SMALL)
