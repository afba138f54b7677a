"""What an organizer does with a campaign, what anybody may store here, and the layout of a battle's table."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Literal, get_args

import msgspec

from tactical.kernel.record import TITLE_LETTERS, BadInput, Reason, Record, clean_name, decode, encode
from tactical.tabletop import Layout, Tape
from webapp.storage.errors import Refused
from webapp.storage.journal import transfer
from webapp.storage.journal.records import Game
from webapp.storage.journal.store import touch

# -- What anybody may store here or start, and how much of it: the one table of these limits. No Flask.
#
# A row with `seconds` flows: so much within that time. `rate_limit.slow_down(name)` counts it and takes the number from
# the setting of the row. A row without them is how much there may be at a time: code that keeps to it reads
# `most(name)`.
# `python tools/limits.py` writes the table into docs/threats.md.

Whose = Literal["an address", "the organizer", "a game", "the server"]
MINUTE, HOUR, DAY = 60, 3600, 24 * 3600
MARKS = "<!-- limits, written by python tools/limits.py -->", "<!-- end of limits -->"


@dataclass(frozen=True)
class Limit:
    """How much there may be of what, for whom, within so many seconds (0: at a time), by which setting."""

    what: str
    whose: Whose
    most: int
    seconds: int = 0
    setting: str = ""
    unit: Literal["", "bytes", "hours"] = ""

    def amount(self) -> str:
        """The limit as the table writes it: `20 a minute`, `2 MB a day`, `12 at a time`."""
        text = f"{self.most:,} {self.unit}".strip()
        if self.unit == "bytes":
            text = f"{self.most >> 30} GB" if self.most >= 1 << 30 else f"{self.most >> 20} MB"
        if self.unit == "hours":
            return text
        return f"{text} { ({MINUTE: 'a minute', HOUR: 'an hour', DAY: 'a day', 0: 'at a time'}[self.seconds]) }"


LIMITS: Mapping[str, Limit] = {
    "games": Limit("games, campaigns and samples begun", "an address", 10, MINUTE, "GAMES_A_MINUTE"),
    "imports": Limit("games brought in or copied", "an address", 5, MINUTE, "IMPORTS_A_MINUTE"),
    "own games": Limit("games begun, brought in or copied", "the organizer", 6000, MINUTE, "OWN_GAMES_A_MINUTE"),
    "forecasts": Limit("forecasts asked for over the API", "an address", 60, MINUTE, "FORECASTS_A_MINUTE"),
    "mails": Limit("people, e-mail addresses and devices entered", "an address", 12, MINUTE, "MAILS_A_MINUTE"),
    "letters": Limit("letters written", "an address", 20, MINUTE, "LETTERS_A_MINUTE"),
    "tokens": Limit("wrong tokens, links and passwords", "an address", 20, MINUTE, "BAD_TOKENS_A_MINUTE"),
    "codes": Limit("codes that no game has", "an address", 20, MINUTE, "UNKNOWN_CODES_A_MINUTE"),
    "public": Limit(
        "pages and replays that are shown to everybody", "an address", 240, MINUTE, "PUBLIC_PAGES_A_MINUTE"
    ),
    "cuts": Limit("parts of the great map cut out", "an address", 60, MINUTE, "CUTS_A_MINUTE"),
    "odds": Limit("odds reckoned by the calculators", "an address", 120, MINUTE, "ODDS_A_MINUTE"),
    "seats": Limit("requests for a seat", "an address", 20, MINUTE, "SEAT_REQUESTS_A_MINUTE"),
    "calls": Limit("addresses for webhooks, entered or changed", "an address", 12, MINUTE, "CALLS_A_MINUTE"),
    "notes": Limit("notes of a chronicle", "an address", 20, MINUTE, "NOTES_A_MINUTE"),
    "photos": Limit("photographs", "an address", 6, MINUTE, "PHOTOS_A_MINUTE"),
    "table photographs": Limit(
        "photographs of a table that are read", "an address", 12, MINUTE, "TABLE_PHOTOGRAPHS_A_MINUTE"
    ),
    "spreadsheets": Limit("spreadsheets read", "an address", 20, MINUTE, "SPREADSHEETS_A_MINUTE"),
    "saved positions": Limit("positions and campaigns saved", "an address", 20, DAY, "SAVED_POSITIONS_A_DAY"),
    "saved bytes": Limit("bytes of saved positions", "an address", 4 << 20, DAY, "SAVED_BYTES_A_DAY", "bytes"),
    "shelf": Limit("saved positions in all", "the server", 500),
    "file": Limit("the games file, for everything but moves", "the server", 64 << 30, 0, "LARGEST_FILE", "bytes"),
    "seat requests": Limit("requests for a seat that wait for an answer", "a game", 12),
    "people": Limit("people in the seats", "a game", 60),
    "kept letters": Limit("letters that are kept", "a game", 5000),
    "kept marks": Limit("named marks in a journal", "a game", 500),
    "open forecasts": Limit("forecasts that are in progress or waiting", "an address", 2),
    "forecast hours": Limit("a forecast, before it is stopped", "the server", 6, 0, "", "hours"),
    "battles": Limit("battles of one forecast", "an address", 2000),
}


def most(name: str) -> int:
    """How much there may be of what this row of the table is about."""
    return LIMITS[name].most


def flowing() -> dict[str, Limit]:
    """The rows that are counted within a time; their order is that of their rooms in the common memory."""
    return {name: limit for name, limit in LIMITS.items() if limit.seconds}


def settings() -> dict[str, Any]:
    """The settings of the table, with what stands in it."""
    return {limit.setting: limit.most for limit in LIMITS.values() if limit.setting}


def table() -> str:
    """The limits as a table of Markdown."""
    head = "| what is counted | for | at most | setting |\n|---|---|---|---|\n"
    rows = (
        f"| {limit.what} | {limit.whose} | {limit.amount()} | {f'`{limit.setting}`' if limit.setting else ''} |\n"
        for limit in LIMITS.values()
    )
    return head + "".join(rows)


def with_table(page: str) -> str:
    """The text of a page with the table between its marks. Raises ValueError where it has none."""
    begin, end = MARKS
    found, count = re.subn(
        f"{re.escape(begin)}.*?{re.escape(end)}", lambda _: f"{begin}\n{table()}{end}", page, flags=re.DOTALL
    )
    if count != 1:
        raise ValueError(f"The page has {count} places for the table: expected {begin} and {end} once.")
    return found


# -- What an organizer does with a campaign: pause, end, archive, copy, publish. Each act is recorded. No Flask.
#
# The journal does not change: these acts are about the game, not moves in it.

if TYPE_CHECKING:
    from webapp.storage.journal.store import Store as store_Store

Act = Literal["pause", "go_on", "end", "archive", "open_again", "publish", "hide"]
ACTS: tuple[Act, ...] = get_args(Act)
SHARING: tuple[Act, ...] = ("publish", "hide")  # of a battle that is over, too
COPIED, COPY = "copied", "copy"  # what is recorded with the game that was copied, and with its copy
CHANGES: dict[Act, dict[str, object]] = {
    "pause": {"halted": "paused"},
    "go_on": {"halted": ""},
    "end": {"halted": "ended"},
    "archive": {"archived": 1},
    "open_again": {"archived": 0},
    "publish": {"is_public": 1},
    "hide": {"is_public": 0},
}


class ArchiveEntry(Record, frozen=True):
    """An act: when, which (one of ACTS, COPIED or COPY), by whom, and what it was about (a game's code and entry)."""

    time: str
    act: str
    by: str
    about: str = ""


def perform(store: store_Store, game: str, act: str, by: str) -> Game:
    """Pause, end, archive and so on; the game as it is then. Raises BadInput, Refused, Unknown."""
    found = store.game(game)
    known = next((each for each in ACTS if each == act), None)
    if known is None:
        raise BadInput("act", "expected one of %(choices)s", choices=tuple(ACTS))
    if found.system == "galley" and not (known in SHARING and found.over):
        raise Refused("Only a campaign can be paused, archived or published here; its battles go with it.")
    if (why := why_not(found, known)) is not None:
        raise Refused(why)
    changes = ", ".join(f"{name} = ?" for name in CHANGES[known])
    with store.write() as db:
        db.conn.execute(
            f"update games set {changes}, revision = revision + 1 where id = ?", (*CHANGES[known].values(), game)
        )
        record(store, game, ArchiveEntry(store.now(), known, by))
    found = store.game(game)
    store.announce(game, found.version, found.revision)
    return found


def why_not(game: Game, act: Act) -> Reason | None:
    """Why an act would change nothing; None when it would."""
    match act:
        case "pause" if game.halted:
            return Reason("This game is not running: there is nothing to pause.")
        case "go_on" if not game.halted:
            return Reason("This game is neither paused nor ended.")
        case "end" if game.halted == "ended":
            return Reason("This game has already ended.")
        case "archive" if game.archived:
            return Reason("This game is already in the archive.")
        case "open_again" if not game.archived:
            return Reason("This game is not in the archive.")
        case "publish" if game.is_public:
            return Reason("This game is already shown to everybody.")
        case "hide" if not game.is_public:
            return Reason("This game is not shown to everybody.")
        case _:
            return None


def record(store: store_Store, game: str, act: ArchiveEntry) -> None:
    """Write down what was done about a game, in the transaction that is open if one is."""
    with store.write() as db:
        db.table("acts").insert({"game": game, **msgspec.structs.asdict(act)})


def acts(store: store_Store, game: str) -> tuple[ArchiveEntry, ...]:
    """What was done about a game, the oldest first."""
    return tuple(
        ArchiveEntry(**row)
        for row in store.file.rows("select time, act, by, about from acts where game = ? order by id", game)
    )


def copy(
    store: store_Store, game: str, by: str, number: int | None = None, title: str = ""
) -> tuple[Game, dict[str, str]]:
    """A new game from this one as it stood after an entry (the newest where none is named); it and its tokens.

    Its journal is this one's up to there. People, letters, notes and battles on the table do not come along.
    Raises BadInput, Unknown.
    """
    saved = transfer.export(store, game)
    last = saved.game.version if number is None else number
    if not 0 <= last <= saved.game.version:
        raise BadInput("entry", "the journal has the entries 0 to %(most)s", most=saved.game.version)
    title = clean_name(title or saved.game.title)[:TITLE_LETTERS]
    made, tokens = transfer.import_(store, msgspec.to_builtins(transfer.cut(saved, last, title)))
    with store.write():
        record(store, game, ArchiveEntry(store.now(), COPIED, by, f"{made.id} {last}"))
        record(store, made.id, ArchiveEntry(store.now(), COPY, by, f"{game} {last}"))
    return made, tokens


# -- The layout of a battle's table: where the tags of its models sit, as the sheet was printed (G1.5, G1.6). No Flask.


def keep_layout(store: store_Store, game: str, layout: Layout) -> None:
    """Keep the layout with the battle, in the place of the one before. Raises Unknown."""
    store.game(game)
    with store.write() as db:
        db.table("table_layouts").insert({"game": game, "layout": encode(layout)}, replace=True)
        touch(store, game)


def layout_of(store: store_Store, game: str) -> Layout | None:
    """The layout that is kept with a battle; None where no sheet was made for it."""
    rows = store.file.rows("select layout from table_layouts where game = ?", game)
    return decode(rows[0]["layout"], Layout) if rows else None


def keep_tape(store: store_Store, game: str, tape: Tape) -> None:
    """G1.5 Keep what a photograph measured with the layout by which it was read, in the place of the one before."""
    with store.write() as db:
        db.conn.execute("update table_layouts set tape = ? where game = ?", (encode(tape), game))
        touch(store, game)


def tape_of(store: store_Store, game: str) -> tuple[bool, Tape | None]:
    """Can the models of a battle be photographed, and what did the last photograph measure?"""
    rows = store.file.rows("select tape from table_layouts where game = ?", game)
    return bool(rows), decode(rows[0]["tape"], Tape) if rows and rows[0]["tape"] else None
