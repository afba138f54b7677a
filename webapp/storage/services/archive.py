"""What an organizer does with a campaign: pause, end, archive, copy, publish. Each act is recorded. No Flask.

The journal does not change: these acts are about the game, not moves in it.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Literal, get_args

import msgspec

from tactical.kernel.proper_names import TITLE_LETTERS, clean_name
from tactical.kernel.reason import Reason
from tactical.kernel.record import BadInput, Record
from webapp.storage.errors import Refused
from webapp.storage.journal import transfer
from webapp.storage.journal.records import Game

if TYPE_CHECKING:
    from webapp.storage.journal.store import Store

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


def perform(store: Store, game: str, act: str, by: str) -> Game:
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


def record(store: Store, game: str, act: ArchiveEntry) -> None:
    """Write down what was done about a game, in the transaction that is open if one is."""
    with store.write() as db:
        db.table("acts").insert({"game": game, **msgspec.structs.asdict(act)})


def acts(store: Store, game: str) -> tuple[ArchiveEntry, ...]:
    """What was done about a game, the oldest first."""
    return tuple(
        ArchiveEntry(**row)
        for row in store.file.rows("select time, act, by, about from acts where game = ? order by id", game)
    )


def copy(store: Store, game: str, by: str, number: int | None = None, title: str = "") -> tuple[Game, dict[str, str]]:
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
