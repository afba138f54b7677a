"""The strategic engines: commands a second of random play, and the questions that a map page asks."""

from __future__ import annotations

import random
import tempfile
from pathlib import Path
from time import perf_counter

from benchmarks.clock import Row, milliseconds, spread
from strategic import SYSTEMS, atlas
from tactical.kernel.play import System
from tactical.kernel.random_play import play_at_random
from webapp import create_app


def engine(system: System, seconds: float = 8.0) -> Row:
    """Commands a second of random play, with every check of the driver, over whole games."""
    begun, commands, games = perf_counter(), 0, 0
    while perf_counter() - begun < seconds:
        played = play_at_random(system, system.scenarios()[0].id, random.Random(games))
        commands += played.commands
        games += 1
    taken = perf_counter() - begun
    return Row(f"random play with checks, {system.name}", commands / taken, "commands/s", f"{games} games")


def page(system: System, folder: Path) -> Row:
    """The map page of a new campaign."""
    app = create_app({"DATABASE": str(folder / f"{system.name}.db"), "TESTING": True})
    game, tokens = app.extensions["navarch"].create(system.name, system.scenarios()[0].id)
    client = app.test_client()
    seat = next(iter(tokens))
    headers = {"Authorization": f"Bearer {tokens[seat]}"}
    taken = milliseconds(lambda: client.get(f"/g/{game.id}", headers=headers).get_data(), 20)
    return spread(f"map page, {system.name}", taken)


def routes() -> list[Row]:
    """The cheapest way between two spaces of each map, by any means."""
    found = []
    for system in SYSTEMS:
        spaces = [
            feature["properties"]["id"]
            for feature in atlas.geojson(system)["features"]
            if feature["geometry"]["type"] == "Point"
        ]
        ends = [(spaces[number], spaces[-number - 1]) for number in range(min(20, len(spaces) // 2))]
        call = iter(ends * 10)

        def ask(system: str = system, call: object = call) -> object:
            start, end = next(call)  # type: ignore[call-overload]
            return atlas.routes(system, start, end, "any")

        if ends:
            found.append(spread(f"route between two spaces, {system}", milliseconds(ask, len(ends) * 5)))
    return found


def rows() -> list[Row]:
    """All of it."""
    with tempfile.TemporaryDirectory() as name:
        pages = [page(system, Path(name)) for system in SYSTEMS.values()]
    return [*(engine(system) for system in SYSTEMS.values()), *pages, *routes()]
