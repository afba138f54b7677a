"""A game's row and the end of its journal in one query; and which services follow its changes."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal, get_args

from webapp.storage.errors import Unknown
from webapp.storage.file.database import File
from webapp.storage.journal.records import Game, game_of

ROW = (
    "select games.*, head.chain as chain, last.chain as tail from games"
    " left join entries as head on head.game = games.id and head.number = games.head"
    " left join entries as last on last.game = games.id and last.number = games.version where games.id = ?"
)
FOLLOWERS = (
    "select exists(select 1 from courses where game = ?1) as courses,"
    " exists(select 1 from captains where game = ?1) as captains,"
    " exists(select 1 from calls where game = ?1) as calls,"
    " exists(select 1 from people where game = ?1) or exists(select 1 from deadlines where game = ?1)"
    " or exists(select 1 from orders where game = ?1) or exists(select 1 from devices where game = ?1) as post,"
    " exists(select 1 from clocks where game = ?1)"
    " or exists(select 1 from links join clocks on clocks.game = links.battle where links.campaign = ?1) as clocks"
)
Beside = Literal["courses", "captains", "hints_off", "pings", "clocks", "letters"]
BESIDE = "select " + ", ".join(f"exists(select 1 from {name} where game = ?1) as {name}" for name in get_args(Beside))


@dataclass(frozen=True)
class GameHead:
    """A game, the chain of the entry whose position stands, and that of the newest one (see `anchors`)."""

    game: Game
    chain: str | None
    tail: str | None


@dataclass(frozen=True)
class Followers:
    """What a game has that must hear of its changes: courses, captains, calls, people or deadlines or orders
    or devices, clocks (its own, or those of its battles)."""

    courses: bool
    captains: bool
    calls: bool
    post: bool
    clocks: bool


def head_of(file: File, game: str) -> GameHead:
    """The head of a game. Raises Unknown."""
    return file.read_once(("head", game), lambda: _read(file, game))


def prime(file: File, found: GameHead) -> None:
    """What this thread has just written need not be read again."""
    file.prime(("head", found.game.id), found)


def _read(file: File, game: str) -> GameHead:
    found = file.rows(ROW, game)
    if not found:
        raise Unknown("There is no such game.")
    return GameHead(game_of(found[0]), found[0]["chain"], found[0]["tail"])


def has(file: File, game: str, what: Beside) -> bool:
    """Has the game any of this beside its journal? A page asks of all that it may show in one read."""
    return bool(file.rows(BESIDE, game)[0][what])


def followers(file: File, game: str) -> Followers:
    """Who must hear of the game's changes, in one read."""
    found = file.rows(FOLLOWERS, game)[0]
    return Followers(**{name: bool(value) for name, value in found.items()})
