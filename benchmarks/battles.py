"""The galley engine, the store and the battle page, with 8 to 100 ships and after a journal of 5,000 entries."""

from __future__ import annotations

import random
import tempfile
from collections.abc import Iterator
from pathlib import Path
from time import perf_counter
from typing import Any

from benchmarks.clock import Row, milliseconds, spread
from tactical import GALLEY
from tactical.kernel.dice import Dice, random_source
from tactical.kernel.record import read
from webapp import create_app
from webapp.store import Store

QUITS = ("resign", "agree")


def fleets(each: int) -> dict[str, Any]:
    """A position of so many ships a side, in lines of fifteen that face each other."""
    ships: dict[str, Any] = {}
    kinds = ("quinquereme", "quadrireme")
    for number in range(each):
        line, place = divmod(number, 15)
        for letter, side, column, facing in (
            ("r", "rome", 6 - 2 * line, "SE"),
            ("c", "carthage", 16 + 2 * line, "NW"),
        ):
            at = [column, 2 * place + 1 - column // 2]
            ships[f"{letter}{number}"] = {"side": side, "type": kinds[number % 2], "at": at, "facing": facing}
    return {"ships": ships, "board": {"columns": 24, "rows": 32}, "turn_limit": 400}


def commands(state: Any, generator: random.Random) -> Iterator[tuple[str, dict[str, Any], Any]]:
    """Play at random: the seat, the command, and the state after it."""
    source = random_source(generator.randrange)
    while not state.is_over:
        seat = generator.choice(GALLEY.waiting_for(state))
        offers = [offer for offer in GALLEY.offers(state, seat) if offer.type not in QUITS]
        offer = generator.choice(offers)
        fields = {name: one_of(value, generator) for name, value in offer.fields.items()}
        raw = {"type": offer.type, **fields}
        state = GALLEY.apply(state, seat, read(raw, GALLEY.command), Dice((), source)).state
        yield seat, raw, state


def one_of(value: Any, generator: random.Random) -> Any:
    """One of the values that an offer's field allows."""
    if isinstance(value, list):
        return generator.choice(value)
    return generator.randint(value["from"], value["to"]) if isinstance(value, dict) else value


def engine(ships: int, most: int) -> list[Row]:
    """Commands a second of random play, and of `apply` by itself on the same commands."""
    state = GALLEY.start(None, fleets(ships // 2), {}, Dice()).state
    begun, count, played = perf_counter(), 0, []
    before = state
    for seat, raw, after in commands(state, random.Random(1)):
        played.append((before, seat, raw))
        before = after
        count += 1
        if count >= most:
            break
    whole = count / (perf_counter() - begun)
    source = random_source(random.Random(2).randrange)
    ready = [(position, seat, read(raw, GALLEY.command)) for position, seat, raw in played]
    begun = perf_counter()
    for position, seat, command in ready:
        GALLEY.apply(position, seat, command, Dice((), source))
    alone = count / (perf_counter() - begun)
    return [
        Row(f"random play, {ships} ships", whole, "commands/s", f"{count} commands, with all offers"),
        Row(f"apply alone, {ships} ships", alone, "commands/s"),
    ]


def store_and_page(folder: Path, entries: int) -> list[Row]:
    """One durable submit, and one battle page of 40 ships, with so many entries in the journal."""
    path = folder / f"bench{entries}.db"
    app = create_app({"DATABASE": str(path), "TESTING": True})
    store: Store = app.extensions["navarch"]
    game, tokens = made(store)
    fill_journal(store, game, entries)
    taken = submits(store, game, 200)
    client = app.test_client()
    page = f"/g/{game}"
    headers = {"Authorization": f"Bearer {tokens['rome']}"}
    pages = milliseconds(lambda: client.get(page, headers=headers).get_data(), 40)
    label = f"journal of {entries} entries"
    return [
        spread(f"durable submit, 40 ships, {label}", taken),
        spread(f"battle page, 40 ships, {label}", pages),
    ]


def made(store: Store) -> tuple[str, dict[str, str]]:
    """A new battle of 40 ships: its code, and the tokens of its seats."""
    game, tokens = store.create("galley", None, fleets(20), {}, "bench", "digital")
    return game.id, tokens


def fill_journal(store: Store, game: str, entries: int) -> None:
    """Plot to and fro until the journal has so many entries."""
    version = store.game(game).version
    while version < entries:
        for speed in (0, 1):
            command = {"type": "plot", "ship": f"r{version % 20}", "speed": speed}
            version = store.submit(game, version, "rome", command, None, None).version


def submits(store: Store, game: str, times: int) -> list[float]:
    """How long each of so many plots takes, in milliseconds."""
    taken = []
    for number in range(times):
        version = store.game(game).version
        command = {"type": "plot", "ship": f"r{number % 20}", "speed": number % 2}
        begun = perf_counter()
        store.submit(game, version, "rome", command, None, None)
        taken.append((perf_counter() - begun) * 1000)
    return taken


def sixty(folder: Path) -> list[Row]:
    """The battle page of the largest scenario, 60 ships."""
    app = create_app({"DATABASE": str(folder / "sixty.db"), "TESTING": True})
    game, tokens = app.extensions["navarch"].create("galley", "ecnomus")
    client = app.test_client()
    address, headers = f"/g/{game.id}", {"Authorization": f"Bearer {tokens['rome']}"}
    return [spread("battle page, 60 ships", milliseconds(lambda: client.get(address, headers=headers).get_data(), 40))]


def rows() -> list[Row]:
    """All of it."""
    found = [row for ships in (8, 40, 100) for row in engine(ships, 3000)]
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        return [*found, *store_and_page(folder, 10), *store_and_page(folder, 5000), *sixty(folder)]
