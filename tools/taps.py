"""Count the taps of whole battles: `python -m tools.taps [--write] [--only NAME]`.

Two fleets of 2, 10 and 30 ships meet on hexes, with the server's dice and with one's own, on the players' own table
and on the measured sea, on three sizes of screen. Two tablets play them through the real pages in Chromium, by touch
alone. What each side means to do is always the same (see `taps_hand`), the dice come from a seed, and every tap is
counted; how few taps it takes is the page's doing. `--write` keeps each battle's line in docs/taps.md as soon as it is
played.
"""

from __future__ import annotations

import argparse
import logging
import os
import random
import tempfile
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any, NamedTuple

from playwright.sync_api import Browser, Error, sync_playwright
from werkzeug.serving import make_server

from benchmarks.browser import ARGS
from tactical.kernel.dice import random_source
from tools.taps_hand import Hand
from webapp import create_app
from webapp.storage.journal.store import Store

SIZES = {"1024×768": (1024, 768), "390×844": (390, 844), "844×390": (844, 390)}
HURRIED = "window.navarch = { patience: 0, grace: 0 };"  # a person waits half a second; the script need not
SIDES = ("rome", "carthage")
HERE = Path(__file__).parents[1] / "docs/taps.md"
TURNS, MOST_ROUNDS = 3, 2000
FOUGHT = frozenset(("ram", "rake", "board", "counter_board", "fight"))


class Plan(NamedTuple):
    """One battle to be played: on what, how many ships a side, whose dice, what screen, how many taps may be."""

    name: str
    kind: str
    ships: int
    dice: str
    screen: str
    quiet: int | None = None
    melee: int | None = None


def plans() -> list[Plan]:
    """The battles: each board and whose dice, each number of ships, each screen; with the goals where there are any.

    The goals are those of a turn with the server's dice, quiet and in a melee, and of any turn on the own table.
    """
    goal = {2: (8, 15), 10: (8, 15), 30: (20, 20)}
    boards: dict[str, tuple[str, str, dict[int, tuple[int, int]]]] = {
        "hexes": ("hexes", "digital", goal),
        "hexes, own dice": ("hexes", "physical", {}),
        "own table": ("table", "digital", {2: (25, 25), 10: (25, 25)}),
        "measured sea": ("open", "digital", goal),
    }
    return [
        Plan(name, kind, each, dice, screen, *goals.get(each, ()))
        for name, (kind, dice, goals) in boards.items()
        for each in goal
        for screen in SIZES
    ]


def position(kind: str, each: int) -> dict[str, Any]:
    """Two lines abreast, bow to bow, a turn and a half apart."""
    ships: dict[str, Any] = {}
    for side, row, heading in (("rome", 3, "S"), ("carthage", 13, "N")):
        for number in range(each):
            column = 2 + number
            ship: dict[str, Any] = {"side": side, "type": "quinquereme" if number % 2 else "quadrireme", "speed": 3}
            if kind == "hexes":
                ship |= {"at": [column, row - column // 2], "facing": heading}
            elif kind == "open":
                ship |= {"at": [2 + 1.5 * number, row], "facing": 180 if side == "rome" else 0}
            ships[f"{side[0]}{number:02}"] = ship
    board: dict[str, Any] = {"kind": "table"}
    if kind == "hexes":
        board = {"columns": each + 4, "rows": 17}
    if kind == "open":
        board = {"kind": "open", "width": 4 + 1.5 * each, "height": 17}
    sides = {"rome": {"name": "Rome", "navy": "roman"}, "carthage": {"name": "Carthage", "navy": "hellenistic"}}
    return {"board": board, "sides": sides, "ships": ships, "options": {"edge": "wall"}}


class Counted(NamedTuple):
    """The most taps that a side needed for a turn in which nothing happened, and in a melee; all by turn and side."""

    plan: Plan
    quiet: int | None
    melee: int | None
    turns: dict[str, dict[int, int]]
    refused: list[str]


def play(browser: Browser, store: Store, address: str, plan: Plan, turns: int = TURNS) -> Counted:
    """Play one battle and count. Its dice come from a seed of its own, whatever was played before."""
    store.source = random_source(random.Random(f"{plan.name} {plan.ships} {plan.screen}").randrange)
    game, tokens = store.create("galley", None, position(plan.kind, plan.ships), dice=plan.dice)
    width, height = SIZES[plan.screen]
    contexts = []
    hands = []
    for number, side in enumerate(SIDES):
        context = browser.new_context(
            viewport={"width": width, "height": height},
            has_touch=True,
            service_workers="block",
            locale="en-GB",
            reduced_motion="reduce",
        )
        context.add_init_script(HURRIED)
        page = context.new_page()
        page.set_default_timeout(60_000)
        page.goto(f"{address}/join/{tokens[side]}")
        contexts.append(context)
        hands.append(Hand(page, store, game.id, side, random.Random(number)))
    for _ in range(MOST_ROUNDS):
        table = store.load(game.id)
        if table.game.over or table.state.turn > turns:
            break
        acted = [hand.act() for hand in hands if store.load(game.id).state.turn == table.state.turn]
        assert any(acted), f"nobody finds anything to do in {table.state.step}"
    for context in contexts:
        context.close()
    refused = [said for hand in hands for said in hand.refused]
    fought = melees(store, game.id)
    taps = {hand.side: {turn: hand.taps[turn] for turn in sorted(hand.taps) if turn <= turns} for hand in hands}
    quiet = [count for each in taps.values() for turn, count in each.items() if turn not in fought]
    melee = [count for each in taps.values() for turn, count in each.items() if turn in fought]
    return Counted(plan, max(quiet, default=None), max(melee, default=None), taps, refused)


def melees(store: Store, game: str) -> set[int]:
    """The turns in which ships rammed, boarded or fought."""
    found, turn = set(), 1
    for entry in store.entries(game):
        for happened in entry.events:
            if happened.type == "turn":
                turn = happened.data["turn"]
            elif happened.type in FOUGHT:
                found.add(turn)
    return found


@contextmanager
def serving() -> Iterator[tuple[Store, str]]:
    """A server with an empty file of games, and its address."""
    logging.getLogger("werkzeug").setLevel(logging.ERROR)
    with tempfile.TemporaryDirectory() as folder:
        store = Store(Path(folder) / "games.db")
        app = create_app({"STORE": store})
        server = make_server("127.0.0.1", 0, app, threaded=True)
        threading.Thread(target=server.serve_forever, daemon=True).start()
        yield store, f"http://127.0.0.1:{server.server_port}"
        app.extensions["navarch"].hub.close()
        server.shutdown()


def row(found: Counted) -> str:
    """A line of the table."""
    plan = found.plan

    def cell(count: int | None, most: int | None) -> str:
        return "–" if count is None else str(count) if most is None else f"{count} of {most}"

    each = "; ".join(f"{side} {', '.join(map(str, counts.values()))}" for side, counts in found.turns.items())
    counts = f"{cell(found.quiet, plan.quiet)} | {cell(found.melee, plan.melee)}"
    return f"| {plan.name} | {plan.ships} | {plan.screen} | {counts} | {each} |"


def keep(line: str) -> None:
    """Write a line into docs/taps.md, in the place of the same battle's older one; in the order of the plans."""
    head, _title, body = HERE.read_text().partition(TITLE)
    lines = {key_of(each): each for each in body.splitlines() if each.startswith("| ")}
    lines[key_of(line)] = line
    order = [f"| {plan.name} | {plan.ships} | {plan.screen} |" for plan in plans()]
    HERE.write_text(head + TITLE + "".join(f"{lines[key]}\n" for key in order if key in lines))


def key_of(line: str) -> str:
    """The battle of a line: board, ships, screen."""
    return "|".join(line.split("|")[:4]) + "|"


def main() -> None:
    """Play, print, and write when asked to."""
    asked = argparse.ArgumentParser(description=__doc__)
    asked.add_argument("--write", action="store_true", help="keep the figures in docs/taps.md")
    asked.add_argument("--only", default="", help="battles whose line begins with this, such as 'hexes 10 390'")
    given = asked.parse_args()
    with serving() as (store, address), sync_playwright() as playwright:
        browser = playwright.chromium.launch(
            executable_path=os.environ.get("CHROMIUM", "/usr/bin/chromium"), args=list(ARGS)
        )
        for plan in plans():
            if not f"{plan.name} {plan.ships} {plan.screen}".startswith(given.only):
                continue
            try:
                found = play(browser, store, address, plan)
            except (Error, AssertionError) as fault:  # the others are worth counting all the same
                print("FAILED", plan, fault, flush=True)
                continue
            print(row(found), *found.refused, flush=True)
            if given.write:
                keep(row(found))
        browser.close()


TITLE = """| board | ships a side | screen | nothing happens | melee | taps by turn |
|---|---|---|---|---|---|
"""

if __name__ == "__main__":
    main()
