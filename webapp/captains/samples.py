"""A battle of a forecast, fought once more and kept as a game with its journal, to be read and replayed."""

from __future__ import annotations

import msgspec

from tactical import GALLEY
from tactical.captains.playing import Fought
from tactical.kernel.journal import Entry, replay
from tactical.kernel.protocol import UMPIRE, Outcome, event
from tactical.kernel.record import encode
from webapp.captains.forecast_jobs import Forecast
from webapp.captains.forecasting import fight_one
from webapp.storage.errors import Refused, Unknown
from webapp.storage.journal import new_game
from webapp.storage.journal.packing import pack
from webapp.storage.journal.records import Game
from webapp.storage.journal.store import Store


def keep_sample(store: Store, forecast: Forecast, kind: str) -> tuple[Game, dict[str, str]]:
    """Fight the sample again and write it down. Raises Unknown (no such kind), Refused (no battle yet)."""
    samples = {each.kind: each for each in forecast.summary().samples}
    if kind not in ("best", "median", "worst"):
        raise Unknown(f"There is no sample '{kind}': there are best, median and worst.")
    if kind not in samples:
        raise Refused("No battle of this forecast has been fought yet.")
    played = fight_one(forecast.start, forecast.levels, forecast.seed, samples[kind].number, keep=True)
    return kept_as_game(store, played, f"{forecast.title or 'Forecast'} ({kind})")


def kept_as_game(store: Store, played: Fought, title: str) -> tuple[Game, dict[str, str]]:
    """A battle that was played with its journal, written down as a game."""
    moment = store.now()
    begun = Entry(0, 0, UMPIRE, moment, {"type": "start"}, events=(event("G3.0", "start", turn=played.start.turn),))
    entries: list[tuple[Entry, str | None, bytes | None]] = [(begun, None, pack(encode(played.start)))]
    for entry, outcome in replay(GALLEY, played.start, played.entries):
        entries.append((msgspec.structs.replace(entry, time=moment), None, pack(encode(outcome.state))))
    last = len(played.entries)
    game = Game(
        id="",
        system="galley",
        engine=GALLEY.version,
        title=title,
        scenario=None,
        options={},
        dice="digital",
        hash=new_game.fingerprint(GALLEY, {}),
        created=moment,
        version=last,
        head=last,
        over=played.state.is_over,
    )
    return store.insert(game, GALLEY, Outcome(played.state), entries)
