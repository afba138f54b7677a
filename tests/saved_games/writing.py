"""Saved games: one of every system and scenario as a released version wrote it, and battles that campaigns opened.

`python tests/saved_games/writing.py v0.2 [SYSTEM …]` plays them anew, through the store and with fixed seeds, and
writes them as gzipped exports into tests/saved_games/v0.2. A folder that is written stays as it is for good: later
programs must open, verify and play on what stands there.
"""

from __future__ import annotations

import gzip
import random
import sys
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

from tactical.kernel.dice import random_source
from tactical.kernel.protocol import UMPIRE, Illegal, NotYours, Offer
from tactical.kernel.random_play import QUITTING, fill, random_offer
from tactical.kernel.record import BadInput, encode, plain
from webapp.api.serializers import offers_of
from webapp.storage.errors import Barred, Refused
from webapp.storage.journal.engagements import install
from webapp.storage.journal.store import Store, all_systems
from webapp.storage.journal.transfer import export

HERE = Path(__file__).parent
COMMANDS = 400
LONGEST = 2000
UNDO_AT, CONSENT_AT, ADJUST_AT, SECRET_AT = 20, 40, 60, 80
SEA = {"hannibal": {"battles_at_sea": True}, "sword_of_rome": {"battles_at_sea": True}}
REFUSED = (Illegal, NotYours, BadInput, Refused, Barred)


class Table:
    """One game on a server of its own, played at random from a seed."""

    def __init__(self, store: Store, game: str, seed: int) -> None:
        self.store, self.game, self.random = store, game, random.Random(seed)
        self.opened: list[str] = []

    @property
    def state(self) -> Any:
        return self.store.load(self.game).state

    def give(self, seat: str, command: dict[str, Any]) -> None:
        """One command with the server's dice; the battles that it opens are remembered."""
        answer = self.store.submit(self.game, self.store.game(self.game).version, seat, command, "digital")
        self.opened += [each["game"] for each in answer.events if each["type"] == "battle" and "game" in each]

    def play(self, commands: int) -> None:
        """So many commands on offer, or until the game is over or waits for a battle."""
        for _ in range(commands):
            table = self.store.load(self.game)
            waiting = [
                (seat, offer)
                for seat in table.system.waiting_for(table.state)
                for offer in table.system.offers(table.state, seat)
                if offer.type not in QUITTING and not (offer.type == "choose_way" and self.opened)
            ]
            if table.game.over or not waiting:
                return
            seat, offer = self.chosen(waiting)
            self.give(seat, fill(offer, self.random))

    def chosen(self, waiting: list[tuple[str, Offer]]) -> tuple[str, Offer]:
        """Any offer; of those about an engagement the one that leads to a battle."""
        battle = [(seat, offer) for seat, offer in waiting if offer.type in ("choose_way", "open_battle")]
        for seat, offer in battle:
            if offer.type == "open_battle":
                return seat, Offer(offer.type, offer.rule, {**offer.fields, "models_per_unit": 1})
        for seat, offer in battle:
            ways = offer.fields["way"]
            if "battle" in ways:
                return seat, Offer(offer.type, offer.rule, {**offer.fields, "way": "battle"})
        offer = random_offer([offer for _, offer in waiting], self.random, ())
        return next(seat for seat, each in waiting if each is offer), offer

    def take_back(self, consent: bool) -> None:
        """Undo the last command: by whoever gave it, else by the umpire, or by the consent of all sides."""
        table = self.store.load(self.game)
        seats = table.sides if consent else (self.store.entry(self.game, table.game.head).seat, UMPIRE)
        for seat in seats:
            try:
                answer = self.store.undo(self.game, self.store.game(self.game).version, seat, consent=consent)
            except REFUSED:
                continue
            if answer.undone:
                return

    def settle(self) -> None:
        """Enter the outcome of the battle, when it has one."""
        table = self.store.load(self.game)
        for seat in table.sides:
            for offer in offers_of(self.store, table, seat):
                if offer.type == "settle" and self.opened:
                    self.opened = []
                    self.give(seat, {"type": "settle", **offer.fields})

    def adjust(self, secret: bool) -> None:
        """The umpire changes something open, or something that is hidden from others."""
        for changes in wished(self.store.load(self.game).system.name, self.state, secret):
            try:
                self.give(UMPIRE, {"type": "adjust", "why": "the table says so", **changes})
            except REFUSED:
                continue
            return


def wished(system: str, state: Any, secret: bool) -> list[dict[str, Any]]:
    """What the umpire may want to change, by system."""
    if system == "galley":
        name, ship = next((name, ship) for name, ship in state.ships.items() if ship.is_afloat)
        if secret:
            return [{"ship": name, "changes": {"plot": speed}} for speed in (2, 1, 0)]
        return [{"ship": name, "changes": {"breaches": ship.breaches + 1, "squadron": "van"}}]
    if system == "punic_wars":
        if secret:
            named = [
                (f"stacks.{at}.{owner}", force) for at, here in state.stacks.items() for owner, force in here.items()
            ]
            return [{"changes": {path: {**plain(force), "land": force.land + 1}}} for path, force in named[:3]]
        return [{"changes": {"treasury.rome": state.treasury["rome"] + 3}}]
    if system == "open_campaign":
        if secret:
            return [{"changes": {f"fleets.{name}.provisions": 2}} for name in state.fleets]
        return [{"changes": {"turns": state.turns + 1}}]
    if secret:
        hands = [(seat, list(reversed(hand))) for seat, hand in state.hands.items() if hand]
        return [{"changes": {f"hands.{seat}": hand}} for seat, hand in hands]
    if system == "sword_of_rome":
        return [{"changes": {"unrest": state.unrest + 1}}]
    return [{"changes": {f"spaces.{name}.control": "rome"}} for name, at in state.spaces.items() if at.control is None]


def written(
    system: str, scenario: str, seed: int, path: Path, dice: str, options: dict[str, Any]
) -> list[tuple[str, bytes]]:
    """One game, and the battle that it opened, as exports."""
    throw = random.Random(seed)
    store = Store(path, source=random_source(throw.randrange))
    install(store)
    game, _ = store.create(system, scenario, None, options, None, dice)
    table = Table(store, game.id, seed)
    done = 0
    for until, deed in (
        (UNDO_AT, lambda: table.take_back(False)),
        (CONSENT_AT, lambda: table.take_back(True)),
        (ADJUST_AT, lambda: table.adjust(False)),
        (SECRET_AT, lambda: table.adjust(True)),
    ):
        table.play(until - done)
        deed()
        done = until
    table.play(COMMANDS - done)
    fights = [Table(store, battle, seed + 1) for battle in table.opened[-1:]]
    for fight in fights:
        fight.play(LONGEST)
        table.settle()
        table.play(COMMANDS // 4)
    title = f"{system}_{scenario}" + ("_at_sea" if options else "")
    found = [(title, encode(export(store, game.id)))]
    found += [(f"galley_of_{title}", encode(export(store, fight.game))) for fight in fights]
    return found


def main(version: str, *wanted: str) -> None:
    """Write the games of a version; a file that is there stays."""
    folder = HERE / version
    folder.mkdir(exist_ok=True)
    for name, system in all_systems().items():
        for number, scenario in enumerate(system.scenarios()):
            if (wanted and name not in wanted) or (folder / f"{name}_{scenario.id}.json.gz").exists():
                continue
            dice = "digital" if number % 2 == 0 else "physical"
            for options in ({}, SEA[name]) if name in SEA and number < 2 else ({},):
                with TemporaryDirectory() as place:
                    file = Path(place) / "games.db"
                    for title, text in written(name, scenario.id, 1000 + number, file, dice, options):
                        (folder / f"{title}.json.gz").write_bytes(gzip.compress(text, 9, mtime=0))
                        print(title, len(text))


if __name__ == "__main__":
    main(*sys.argv[1:])
