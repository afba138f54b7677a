"""Forecasts: battles from one position by captains of chosen levels, as jobs that worker processes fight."""

from __future__ import annotations

import multiprocessing
import os
import random
import threading
from collections import Counter, deque
from collections.abc import Callable, Mapping, Sequence
from concurrent.futures import FIRST_COMPLETED, BrokenExecutor, Future, ProcessPoolExecutor, wait
from datetime import UTC, datetime, timedelta
from html import escape
from secrets import token_urlsafe
from typing import Any, NamedTuple

import msgspec
from markupsafe import Markup

from strategic.naval.handoff import battle_position
from tactical import GALLEY
from tactical.battle import Battle
from tactical.captains.captain import Fought, Share, play, wilson
from tactical.kernel.journal import Entry, replay
from tactical.kernel.protocol import UMPIRE, Outcome, event
from tactical.kernel.record import BadInput, Record, decode, encode, plain
from tactical.rules.ending import HALVES
from webapp.captains.matches import opening, player
from webapp.http.language import gettext as _
from webapp.http.language import minus
from webapp.http.rate_limit import TooMany
from webapp.presenting.meetings import seen_engagement
from webapp.storage.errors import Refused, Unknown
from webapp.storage.file.election import Lock
from webapp.storage.journal import new_game
from webapp.storage.journal.records import Game, pack, unpack
from webapp.storage.journal.store import Store
from webapp.storage.services.archive import most
from webapp.storage.services.worker import Worker

# -- Where a forecast starts from: a scenario, a typed position, a battle under way, or a campaign's engagement.


def start_of(
    store: Store | None,
    seat: str,
    game: str | None,
    scenario: str | None,
    position: dict[str, Any] | None,
    options: dict[str, Any],
) -> Battle:
    """The position to forecast from, as the seat sees it. Raises BadInput, Refused (nothing to forecast), Unknown."""
    given = [name for name, value in (("game", game), ("scenario", scenario), ("position", position)) if value]
    if len(given) != 1:
        raise BadInput(given[1] if len(given) > 1 else "scenario", "give one of game, scenario and position")
    if game is None or store is None:
        return opening(scenario, position, options)
    table = store.load(game)
    if not isinstance(table.state, Battle):
        engagement = seen_engagement(table, seat)
        if engagement is None:
            raise Refused("No engagement is pending in this campaign, so there is no battle to forecast.", path="game")
        raw = battle_position(engagement, engagement.models_per_unit or 1, campaign=game)
        return opening(None, plain(raw), {})
    if table.game.over:
        raise Refused("This battle is over: there is nothing to forecast.", path="game")
    return without_hidden_plots(table.view(seat), seat)


def without_hidden_plots(battle: Battle, seat: str) -> Battle:
    """A view as a position to play on from: sides whose plots are hidden plot anew, and nobody has agreed to end."""
    if battle.step == "plot" and seat != UMPIRE:
        ships = {
            name: msgspec.structs.replace(ship, plot=None) for name, ship in battle.ships.items() if ship.side != seat
        }
        battle = battle.with_ships(ships)
    sides = {
        name: msgspec.structs.replace(
            side, agreed=False, locked=side.locked and (battle.step != "plot" or name == seat or seat == UMPIRE)
        )
        for name, side in battle.sides.items()
    }
    return msgspec.structs.replace(battle, sides=sides)


def check_levels(start: Battle, levels: dict[str, str]) -> dict[str, str]:
    """The level of each side, able where none is given. Raises BadInput with the field."""
    for side, level in levels.items():
        if side not in start.sides:
            raise BadInput(
                f"levels.{side}",
                "there is no side called '%(side)s'; the sides are %(sides)s",
                side=side,
                sides=tuple(start.sides),
            )
        player(level, f"levels.{side}")
    return {side: levels.get(side, "able") for side in start.sides}


# -- Processes that think and fight apart, so that the pages stay quick; they end when the server does, in any way.


def worker_pool(workers: int, step: int) -> ProcessPoolExecutor:
    """A pool of worker processes whose priority is lowered by `step`, so that pages come first."""
    return ProcessPoolExecutor(workers, multiprocessing.get_context("spawn"), begin_worker, (step,))


def begin_worker(step: int) -> None:
    """Start such a process: it lets the pages have the processor first and ends with the server."""
    os.nice(step)
    threading.Thread(target=_end_with_parent, name="parent", daemon=True).start()


def _end_with_parent() -> None:
    parent = multiprocessing.parent_process()
    if parent is not None:
        parent.join()
        os._exit(0)


# -- A forecast: so many battles from one position by captains of chosen levels, and what they add up to. No Flask.
#
# Each battle hangs on its seed and number alone, so that any process may fight it and a stopped forecast goes on.

LOST = ("sunk", "captured", "withdrawn")


class Result(Record, frozen=True):
    """One battle: its number, who won, each side's points and losses by value, its length, and every ship's fate."""

    number: int
    winner: str | None
    points: dict[str, int]
    losses: dict[str, int]
    turns: int
    fates: dict[str, str]


class Losses(Record, frozen=True):
    """What a side probably loses: the mean, and the chance of each value (in points of hull, G10.2)."""

    mean: float
    distribution: dict[str, float]


class Fates(Record, frozen=True):
    """How often a ship is lost, and how."""

    name: str
    side: str
    type: str
    sunk: float
    captured: float
    withdrawn: float


class Sample(Record, frozen=True):
    """A battle to read: the first side's best, a middling one, or its worst."""

    kind: str
    number: int
    winner: str | None
    points: dict[str, int]
    turns: int


class Summary(Record, frozen=True):
    """What the battles so far add up to."""

    battles: int
    wins: dict[str, Share]
    draw: Share
    losses: dict[str, Losses]
    ships: dict[str, Fates]
    turns: Losses
    margin: dict[str, float]
    samples: tuple[Sample, ...]


def fight_one(start: Battle, levels: Mapping[str, str], seed: str, number: int, keep: bool = False) -> Fought:
    """One battle of a forecast."""
    players = {side: player(levels.get(side, "able"), f"levels.{side}") for side in start.sides}
    return play(GALLEY, start, players, random.Random(f"{seed}:{number}"), keep)


def fight(start: bytes, levels: Mapping[str, str], seed: str, numbers: Sequence[int]) -> list[bytes]:
    """Some battles of a forecast, from and to JSON: what a worker process runs."""
    battle = decode(start, Battle)
    return [encode(result(number, battle, fight_one(battle, levels, seed, number).state)) for number in numbers]


def result(number: int, start: Battle, end: Battle) -> Result:
    """What is kept of a battle."""
    fates: dict[str, str] = {name: ship.status for name, ship in end.ships.items() if not ship.is_afloat}
    losses = dict.fromkeys(end.sides, 0)
    for name, fate in fates.items():
        if start.ships[name].status == "afloat":
            losses[end.ships[name].side] += end.kind(end.ships[name]).hull * HALVES[fate] // HALVES["sunk"]
    won = end.result.winner if end.result is not None else None
    points = {name: side.points for name, side in end.sides.items()}
    return Result(number, won, points, losses, end.turn, fates)


def summarize(start: Battle, results: Sequence[Result]) -> Summary:
    """The chances with their intervals, the losses, the length, and three battles to read."""
    count = len(results)
    won = Counter(each.winner for each in results)
    sides = list(start.sides)
    fates = {name: Counter(each.fates.get(name) for each in results) for name in start.ships}
    return Summary(
        count,
        {side: wilson(won[side], count) for side in sides},
        wilson(won[None], count),
        {side: spread([each.losses[side] for each in results]) for side in sides},
        {
            name: Fates(
                ship.name or name,
                ship.side,
                ship.type,
                *(round(fates[name][fate] / count, 4) if count else 0.0 for fate in LOST),
            )
            for name, ship in start.ships.items()
            if ship.status == "afloat"
        },
        spread([each.turns for each in results]),
        spread([margin(each, sides[0]) for each in results]).distribution,
        samples(results, sides[0]),
    )


def spread(values: Sequence[int]) -> Losses:
    """The mean and the share of each value, lowest first."""
    if not values:
        return Losses(0.0, {})
    counted = Counter(values)
    shares = {str(value): round(counted[value] / len(values), 4) for value in sorted(counted)}
    return Losses(round(sum(values) / len(values), 3), shares)


def margin(result: Result, side: str) -> int:
    """By how many points the side leads at the end."""
    return result.points[side] - max((points for other, points in result.points.items() if other != side), default=0)


def samples(results: Sequence[Result], side: str) -> tuple[Sample, ...]:
    """The side's best battle, a middling one and its worst."""
    if not results:
        return ()
    ranked = sorted(results, key=lambda each: (-margin(each, side), each.number))
    picked = (("best", ranked[0]), ("median", ranked[len(ranked) // 2]), ("worst", ranked[-1]))
    return tuple(Sample(kind, each.number, each.winner, each.points, each.turns) for kind, each in picked)


def rows(start: Battle, results: Sequence[Result]) -> list[dict[str, Any]]:
    """One flat row for each battle, for CSV."""
    return [
        {
            "battle": each.number,
            "winner": each.winner or "",
            "turns": each.turns,
            **{f"points_{side}": each.points[side] for side in start.sides},
            **{f"losses_{side}": each.losses[side] for side in start.sides},
        }
        for each in results
    ]


# -- Plots as SVG, made on the server: chances with their intervals, and how often each value falls.

WIDTH, HEIGHT, ROW = 320, 120, 34
MOST_BARS = 24
LEFT, WIDE = 110, WIDTH - 120


def chances(start: Battle, summary: Summary, name: Callable[[str], str]) -> Markup:
    """The chance of each side, and of a draw, as a bar with its interval."""
    rows = [(name(side), summary.wins[side]) for side in start.sides]
    drawn = [*rows, (_("Drawn"), summary.draw)]
    colours = [f"plot-side{number % 4}" for number in range(len(rows))] + ["plot-2"]
    parts = [_chance_row(number, *row, colour) for number, (row, colour) in enumerate(zip(drawn, colours, strict=True))]
    height = ROW * len(drawn) + 6
    return Markup(
        f'<svg class="plot" viewBox="0 0 {WIDTH} {height}" role="img" aria-label="%s">' % escape(_label(drawn))
        + "".join(parts)
        + "</svg>"
    )


def _label(rows: list[tuple[str, Share]]) -> str:
    return "; ".join(
        f"{name} {100 * share.share:.0f}% ({100 * share.low:.0f}-{100 * share.high:.0f})" for name, share in rows
    )


def _chance_row(number: int, name: str, share: Share, colour: str) -> str:
    y = 4 + number * ROW
    low, high, at = (LEFT + WIDE * value for value in (share.low, share.high, share.share))
    return (
        f'<text x="{LEFT - 8}" y="{y + 18}" text-anchor="end" class="plot-name">{escape(name[:14])}</text>'
        f'<rect x="{LEFT}" y="{y + 4}" width="{WIDE}" height="20" class="plot-ground"/>'
        f'<rect x="{LEFT}" y="{y + 4}" width="{at - LEFT:.1f}" height="20" class="plot-bar {escape(colour)}"/>'
        f'<line x1="{low:.1f}" x2="{high:.1f}" y1="{y + 14}" y2="{y + 14}" class="plot-span"/>'
        f'<line x1="{low:.1f}" x2="{low:.1f}" y1="{y + 9}" y2="{y + 19}" class="plot-span"/>'
        f'<line x1="{high:.1f}" x2="{high:.1f}" y1="{y + 9}" y2="{y + 19}" class="plot-span"/>'
    )


def bars(shares: Mapping[str, float]) -> Markup:
    """How often each whole number falls, as columns; many numbers are drawn together."""
    values = sorted((int(value), share) for value, share in shares.items())
    if not values:
        return Markup("")
    low, high = values[0][0], values[-1][0]
    step = max(1, -(-(high - low + 1) // MOST_BARS))
    count = (high - low) // step + 1
    heaps = [0.0] * count
    for value, share in values:
        heaps[(value - low) // step] += share
    most, wide = max(heaps), (WIDTH - 20) / count
    columns = []
    for number, share in enumerate(heaps):
        tall = (HEIGHT - 34) * share / most
        first = low + number * step
        label = minus(first) if step == 1 else _("%(low)s to %(high)s", low=minus(first), high=minus(first + step - 1))
        columns.append(
            f'<rect x="{10 + number * wide:.1f}" y="{HEIGHT - 20 - tall:.1f}" width="{max(1.0, wide - 2):.1f}"'
            f' height="{tall:.1f}" class="plot-bar plot-0"><title>{escape(label)}: {100 * share:.0f}%</title></rect>'
        )
        if count <= 10 or number in (0, count - 1):
            middle = 10 + (number + 0.5) * wide
            columns.append(
                f'<text x="{middle:.1f}" y="{HEIGHT - 4}" text-anchor="middle">{escape(minus(first))}</text>'
            )
    said = ", ".join(f"{minus(value)}: {100 * share:.0f}%" for value, share in values[:MOST_BARS])
    return Markup(
        f'<svg class="plot" viewBox="0 0 {WIDTH} {HEIGHT}" role="img" aria-label="{escape(said)}">'
        + "".join(columns)
        + "</svg>"
    )


# -- Forecasts as jobs: kept in the file of games, fought by worker processes, read while they run, stopped at will.
#
# A forecast that a stop of the server cut off goes on when somebody next asks for it. Of several processes over one
# file
# one fights at a time, and each reads what the others have done.

CHUNK = 4  # battles that a worker fights before it reports
IDLE = 30.0  # seconds after which workers without work are sent home
GENTLE = 10  # how far workers step back behind the pages
TURN = 2  # chunks for each worker in one turn, where others wait
NEXT = "the next forecast"
LOOK = 0.5  # seconds between two looks whether another process over the file has done its fighting


class Asker(NamedTuple):
    """Who asks for forecasts: a mark of his, and how many of them may be open at a time."""

    mark: str
    most: int


ORGANIZER = Asker("organizer", 1_000_000)


class Forecast(Record, frozen=True):
    """One forecast: what was asked, and the battles so far."""

    id: str
    start: Battle
    levels: dict[str, str]
    seed: str
    of: int
    status: str
    results: tuple[Result, ...]
    title: str = ""
    game: str | None = None
    by: str = ""  # who asked for it, by a mark

    @property
    def done(self) -> bool:
        """Nothing more is to come."""
        return self.status != "running"

    def summary(self) -> Summary:
        """What the battles so far add up to."""
        return summarize(self.start, self.results)


class Turns:
    """Names that wait, each with whose it is: everybody in turn, and the names of one in turn as well."""

    def __init__(self) -> None:
        self.names: dict[str, str] = {}  # with the asker; the one that waits longest first

    @property
    def is_alone(self) -> bool:
        """Does nobody else wait?"""
        return len(self.names) <= 1

    def add(self, name: str, by: str) -> None:
        """Let a name wait behind the others; one that waits already stays where it is."""
        self.names.setdefault(name, by)

    def next(self) -> str | None:
        """The name whose turn it is; None where nothing waits."""
        return next(iter(self.names), None)

    def end_turn(self, name: str, is_open: bool) -> None:
        """Its turn is over: whatever its asker has goes behind the others, and itself last, if more is to come."""
        by = self.names.pop(name, "")
        for same in [each for each, whose in self.names.items() if whose == by]:
            self.names[same] = self.names.pop(same)
        if is_open:
            self.names[name] = by


class Jobs:
    """The forecasts of one file of games, and the processes that fight them."""

    def __init__(self, store: Store, workers: int) -> None:
        self.store = store
        self.workers = workers
        self._queue = Turns()
        self._guard = threading.Lock()
        self._pool: ProcessPoolExecutor | None = None
        self._lock = Lock(store.file.path.with_name(f"{store.file.path.name}.forecasts.lock"))
        self._worker = Worker("forecasts", self._work, self._end_pool, IDLE, lasting=False, end=store.file.close)

    # Asking ----------------------------------------------------------------------------------------

    def begin(
        self,
        start: Battle,
        levels: Mapping[str, str],
        seed: str,
        battles: int,
        title: str,
        game: str | None,
        asker: Asker = ORGANIZER,
    ) -> str:
        """A new forecast; its id is its key. Raises TooMany where its asker has as many open as he may."""
        name = token_urlsafe(16)
        asked = encode(
            {"levels": dict(levels), "seed": seed, "of": battles, "title": title, "game": game, "by": asker.mark}
        )
        with self.store.write() as db:
            self._end_old()
            if len(self._open(asker.mark)) >= asker.most:
                raise TooMany(
                    "Two forecasts from your network address are still being fought: "
                    "wait until one has ended, or stop one."
                )
            db.table("forecasts").insert(
                {
                    "id": name,
                    "made": self.store.now(),
                    "asked": asked.decode(),
                    "start": pack(encode(start)),
                    "results": pack(b"[]"),
                    "status": "running",
                }
            )
        self._enqueue(name, asker.mark)
        return name

    def look(self, name: str) -> Forecast:
        """A forecast as it stands; one that was cut off goes on. Raises Unknown."""
        self._end_old()
        found = self._read(name)
        if not found.done:
            self._enqueue(name, found.by)
        return found

    def stop(self, name: str) -> Forecast:
        """Fight no more battles; what there is stays to be read. Raises Unknown."""
        self._read(name)
        with self.store.write() as db:
            db.conn.execute("update forecasts set status = 'stopped' where id = ? and status = 'running'", (name,))
        return self._read(name)

    def _open(self, by: str) -> list[str]:
        """The forecasts of an asker that are being fought, or wait for it."""
        rows = self.store.file.rows(
            "select id from forecasts where status = 'running' and json_extract(asked, '$.by') = ?", by
        )
        return [row["id"] for row in rows]

    def _end_old(self) -> None:
        """Stop those that were begun too long ago; what there is of them stays to be read."""
        since = (datetime.now(UTC) - timedelta(hours=most("forecast hours"))).isoformat()
        if self.store.file.rows("select 1 from forecasts where status = 'running' and made < ? limit 1", since):
            with self.store.write() as db:
                db.conn.execute(
                    "update forecasts set status = 'stopped' where status = 'running' and made < ?", (since,)
                )

    def _read(self, name: str) -> Forecast:
        rows = self.store.file.rows("select * from forecasts where id = ?", name)
        if not rows:
            raise Unknown("There is no such forecast.")
        row = rows[0]
        asked: dict[str, Any] = msgspec.json.decode(row["asked"])
        return Forecast(
            name,
            decode(unpack(row["start"]), Battle),
            asked["levels"],
            asked["seed"],
            asked["of"],
            row["status"],
            decode(unpack(row["results"]), tuple[Result, ...]),
            asked.get("title", ""),
            asked.get("game"),
            asked.get("by", ""),
        )

    # Fighting --------------------------------------------------------------------------------------

    def _enqueue(self, name: str, by: str) -> None:
        with self._guard:
            self._queue.add(name, by)
        self._worker.put(NEXT)

    def _work(self, what: str) -> None:
        """One turn of the forecast whose turn it is."""
        with self._guard:
            name = self._queue.next()
        if name is None:
            return
        if not self._lock.take():
            self._worker.put(NEXT, after=LOOK)
            return
        is_open = False  # one that cannot be fought holds up no other
        try:
            self._end_old()
            if self._read(name).status == "running":
                self._fight(name)
                is_open = self._read(name).status == "running"
        except BrokenExecutor:
            self._pool = None
            raise
        finally:
            self._lock.let_go()
            with self._guard:
                self._queue.end_turn(name, is_open)
            self._worker.put(NEXT)

    def _end_pool(self) -> None:
        """Send the workers home."""
        pool, self._pool = self._pool, None
        if pool is not None:
            pool.shutdown(wait=False, cancel_futures=True)

    def _fight(self, name: str) -> None:
        """One forecast to its end, until it is stopped, or for one turn where others wait."""
        pool = self._pool = self._pool or worker_pool(self.workers, GENTLE)
        job = self._read(name)
        results = {each.number: each for each in job.results}
        missing = deque(number for number in range(job.of) if number not in results)
        start = encode(job.start)
        running: set[Future[list[bytes]]] = set()
        parts = 0  # that were handed out in this turn
        while self._read(name).status == "running":
            while missing and len(running) < 2 * self.workers and (parts < TURN * self.workers or self._queue.is_alone):
                parts += 1
                numbers = [missing.popleft() for _ in range(min(CHUNK, len(missing)))]
                running.add(pool.submit(fight, start, job.levels, job.seed, numbers))
            if not running:
                break
            finished, running = wait(running, timeout=1.0, return_when=FIRST_COMPLETED)
            for future in finished:
                for raw in future.result():
                    each = decode(raw, Result)
                    results[each.number] = each
            if finished:
                self._keep(name, results, len(results) == job.of)
        for future in running:
            future.cancel()

    def _keep(self, name: str, results: Mapping[int, Result], done: bool) -> None:
        ordered = [results[number] for number in sorted(results)]
        with self.store.write() as db:
            db.conn.execute("update forecasts set results = ? where id = ?", (pack(encode(ordered)), name))
            if done:
                db.conn.execute("update forecasts set status = 'done' where id = ? and status = 'running'", (name,))


# -- A battle of a forecast, fought once more and kept as a game with its journal, to be read and replayed.


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
