"""The one write path: a command becomes an entry; taking back; replaying."""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping, Sequence
from contextlib import AbstractContextManager
from typing import Any, Literal, Protocol

import msgspec
from sqlite_utils import Database

from tactical.drawing import check_drawings
from tactical.kernel import corrections
from tactical.kernel.dice import Asked, BadFace, Dice, Roll, RollNeeded, Source
from tactical.kernel.journal import Entry, is_known_to, knowers, may_undo
from tactical.kernel.protocol import SPECTATOR, UMPIRE, Event, NotYours, Outcome
from tactical.kernel.record import BadInput, Reason, because, clean_names, encode, plain, read
from webapp.storage.errors import Barred, Refused, Stale
from webapp.storage.file.database import Connection, File
from webapp.storage.journal import records
from webapp.storage.journal.entries import (
    GameHead,
    behind_column,
    change,
    choice,
    first_answer,
    insert_entry,
    note_look,
    prime,
)
from webapp.storage.journal.new_game import BROKEN, Draw, check_names, check_usable, may_bring_names, unread
from webapp.storage.journal.records import (
    Game,
    Position,
    Positions,
    Seat,
    Submitted,
    Table,
    TakenBack,
    Waiting,
    Whole,
    dice_first,
    pack_beside,
    roll_seen_by,
)

# -- What commands, undo and the link to battles ask of the store, without knowing how it keeps anything.

Faces = Sequence[int] | Literal["digital"] | None


class Repository(Protocol):
    """The games of one file (`games.Store`)."""

    file: File
    source: Source
    positions: Positions
    transaction_hooks: list[TransactionHook]
    bars: list[Bar]
    agreeing: list[Agreeing]
    drawers: dict[str, Draw]

    def load(self, game: str) -> Table:
        """A game with its newest position."""

    def table_after(self, game: str, number: int) -> Table:
        """A game as it stood after an entry."""

    def game(self, game: str) -> Game:
        """A game's record."""

    def entry(self, game: str, number: int) -> Entry:
        """An entry of its journal."""

    def taken_back(self, table: Table, choice: str) -> Entry | None:
        """The newest entry of the game that made this choice and was taken back."""

    def seats(self, game: str) -> list[Seat]:
        """A game's seats."""

    def create(
        self,
        system: str,
        scenario: str | None,
        position: Mapping[str, Any] | None,
        options: Mapping[str, Any] | None,
        title: str | None,
        dice: str,
    ) -> tuple[Game, dict[str, str]]:
        """A new game and the tokens of its seats."""

    def write(self, is_move: bool = False) -> AbstractContextManager[Connection]:
        """A transaction that writes (see `File.write`)."""

    def announce(self, game: str, version: int, revision: int) -> None:
        """Tell of a change that is on the disk."""

    @staticmethod
    def now() -> str:
        """This moment, as journals write it."""


TransactionHook = Callable[
    [Repository, Table, str, Any, Outcome[Any]], tuple[Event, ...]
]  # with the seat that commands
Bar = Callable[[Repository, str, Entry], Reason | None]  # why the last entry of a game cannot be taken back
Agreeing = Callable[[Repository, str], Collection[str]]  # the seats of a game that agree to what others take back


# -- The one write path: a command becomes an entry of the journal, or a roll that is waited for.
#
# The engine runs before the transaction; the transaction only checks that nothing has changed since.

DIGITAL: Literal["digital"] = "digital"
STRUCK = "has anything been taken back"  # what is known of a position whose journal it ends
FACES_GIVEN = "faces_given"  # the event that tells all of faces that the umpire gave in a digital game


def submit(
    store: Repository,
    game: str,
    seen: int,
    seat: str,
    command: dict[str, Any],
    faces: Faces,
    key: str | None,
    looks: Mapping[str, int] | None,
) -> Submitted:
    """Apply the command for the seat and write it down, or let it wait for dice.

    `looks`: given by a page, which shows the seat the new version at once: what else it has read, and up to where.
    Raises BadInput, Stale, NotYours, Illegal, Refused (dice are awaited; wrong faces), Unknown.
    """
    while True:
        table = store.load(game)
        if key is not None and (first := first_answer(store.file.db, game, seat, key)):
            return first
        attempt = Attempt(store, table, seen, seat, command, faces, looks)
        answer = attempt.run(key)
        if answer is not None:
            return answer


class Attempt:
    """One try at one command upon one revision of the game."""

    def __init__(
        self,
        store: Repository,
        table: Table,
        seen: int,
        seat: str,
        raw: dict[str, Any],
        faces: Faces,
        looks: Mapping[str, int] | None,
    ) -> None:
        self.store, self.table, self.game, self.seat = store, table, table.game, seat
        self.raw, self.looks = clean_names(raw, "command"), looks
        self.command = read(self.raw, table.system.command, "command")
        check_version(self.game, seat, seen)
        if seat == SPECTATOR:
            raise NotYours("A spectator only watches and cannot give commands.")
        check_open(self.game)
        self.waiting = self._continue(faces)
        self.actor = self.waiting.seat if self.waiting else seat
        self.choice = choice(table.json, plain(self.command))
        self.memory = store.taken_back(table, self.choice)
        self.given, self.digital = self._faces(faces)

    def _continue(self, faces: Faces) -> Waiting | None:
        """The waiting command that this one goes on with; Refused when another one waits."""
        waiting = self.game.waiting
        if waiting is None:
            return None
        same = plain(read(waiting.command, self.table.system.command)) == plain(self.command)
        if not same or self.seat not in (UMPIRE, waiting.seat, waiting.on_behalf):
            raise dice_first(waiting, self.seat)
        return waiting

    def _faces(self, faces: Faces) -> tuple[list[int], bool]:
        """The faces given by hand so far, and whether the server throws the rest.

        What was thrown before it was taken back stands, whoever threw it; only the umpire may give new faces.
        """
        before = list(self.waiting.faces) if self.waiting else []
        thrown = self.memory is not None and bool(self.memory.rolls)
        by_hand = thrown and self.memory is not None and all(roll.by == "table" for roll in self.memory.rolls)
        if by_hand and self.memory is not None and not faces:
            return list(self.memory.faces), False
        digital = self.game.dice == DIGITAL or faces == DIGITAL or (thrown and not by_hand)
        given = [] if faces is None or faces == DIGITAL else [int(face) for face in faces]
        if given and self.game.dice == DIGITAL and self.seat != UMPIRE:
            raise Refused("The server throws the dice of this game: only the umpire may enter faces.", None, "rolls")
        shared = min(len(given), len(before))
        if given[:shared] != before[:shared]:
            told = ", ".join(map(str, before))
            rule = self.waiting.asked.rule if self.waiting else None
            raise Refused(
                because("These faces have already been rolled at the table, and count: %(told)s.", told=told),
                rule,
                "rolls",
            )
        if thrown and given and self.seat != UMPIRE and self.memory is not None:
            self._same_dice(given, self.memory)
        return (given if len(given) >= len(before) else before), digital

    def _same_dice(self, given: list[int], memory: Entry) -> None:
        """Undo never gives new dice for the same choice."""
        if tuple(given) != memory.faces[: len(given)]:
            told = ", ".join(map(str, memory.faces))
            rule = memory.rolls[0].rule
            raise Refused(
                because("This was rolled before the action was taken back, and still counts: %(told)s.", told=told),
                rule,
                "rolls",
            )

    def _dice(self) -> Dice:
        known = self.memory.faces if self.memory else ()
        hidden = self.waiting.draws if self.waiting else self.memory.draws if self.memory else ()
        throw = self.store.source
        thrown = iter(known[len(self.given) :])
        drawn = iter(hidden)

        def source(sides: int) -> int:
            face = next(thrown, 0)
            return face if 1 <= face <= sides else throw(sides)

        def secret(sides: int) -> int:
            value = next(drawn, sides)
            return value + 1 if value < sides else throw(sides)

        return Dice(self.given, source if self.digital else None, secret)

    def try_out(self) -> None:
        """Raise what the command would raise now, if it needs no dice."""
        self._apply(Dice())

    def run(self, key: str | None) -> Submitted | None:
        """The answer; None when the game changed meanwhile without a new version: try again."""
        dice = self._dice()
        try:
            outcome = self._apply(dice)
            dice.finish()
        except RollNeeded as need:
            return self._wait(need.asked, dice)
        except BadFace as fault:
            raise Refused(fault.why, fault.rule, "rolls") from None
        return self._write(outcome, dice, key)

    def _apply(self, dice: Dice) -> Outcome[Any]:
        """What the engine makes of it; an adjustment must leave a position that can be shown and played."""
        system = self.table.system
        if self.raw.get("type") != "adjust":
            return system.apply(self.table.state, self.actor, self.command, dice)
        try:
            is_drawn = self._check_drawings()
            outcome = system.apply(self.table.state, self.actor, self.command, dice)
            check_usable(system, outcome.state, self.store.drawers.get(system.name) if is_drawn else None)
        except BadInput:
            raise
        except BROKEN as fault:
            raise unread(system, "command.changes", fault) from None
        return outcome

    def _check_drawings(self) -> bool:
        """Does an adjustment change what people draw? Raises BadInput where that is larger than it may be."""
        system, state = self.table.system, self.table.state
        named = self.command.changes if system.drawn else {}
        changes = {path: value for path, value in named.items() if path.split(".")[0] in system.drawn}
        if not changes:
            return False
        before, after = corrections.as_json(state), corrections.as_json(state)
        for path, value in changes.items():
            corrections.put(after, state, path, value)
        check_drawings(system.drawn, after, before, "changes")
        return True

    def _wait(self, asked: Asked, dice: Dice) -> Submitted | None:
        waiting = Waiting(self.actor, self.raw, asked, tuple(self.given), tuple(dice.draws), self._on_behalf())
        with self.store.write(is_move=True) as db:
            if not change(db, self.table, waiting=encode(waiting).decode()):
                return None
            self._note_looks(db, self.game.version)
        self.store.announce(self.game.id, self.game.version, self.game.revision + 1)
        return Submitted(self.game.version, roll_needed=roll_seen_by(waiting, self.seat))

    def _write(self, outcome: Outcome[Any], dice: Dice, key: str | None) -> Submitted | None:
        state = encode(outcome.state)
        if may_bring_names(outcome.state, self.table.state):
            check_names(self.table.system, state, "command", self.table.json)
        number = self.game.version + 1
        packed = pack_beside(state, self.table.kept.whole, number)
        rolls = tuple(dice.rolls)
        if self.memory and not self.given and _same_faces(self.memory, dice):
            rolls = self.memory.rolls  # with who threw them then
        entry = Entry(
            number,
            self.game.head,
            self.actor,
            self.store.now(),
            self.raw,
            rolls,
            tuple(dice.draws),
            outcome.events + self._told_of_faces(rolls),
            self._on_behalf(),
            engine=self.table.system.version,
        )
        behind = self.game.behind_after(knowers(self.table.system, entry), self.table.observers)
        after = msgspec.structs.replace(
            self.game,
            version=number,
            head=number,
            revision=self.game.revision + (not behind),
            behind=behind,
            waiting=None,
            consents=(),
            refused="",
            proposed={},
            over=self.table.system.is_over(outcome.state),
        )
        with self.store.write(is_move=True) as db:
            if key is not None and (first := first_answer(db, self.game.id, self.seat, key)):
                return first
            columns = {"version": number, "head": number, "waiting": None, **NOBODY_ASKS, "over": int(after.over)}
            if not change(db, self.table, **columns, behind=behind_column(behind)):
                return None
            happened = outcome.events + self._run_hooks(outcome) + self._told_of_faces(rolls)
            entry = msgspec.structs.replace(entry, events=happened)
            answer = Submitted(number, [event.flat() for event in happened if event.seen_by(self.seat)])
            chain = insert_entry(db, self.game.id, entry, self.choice, *packed, before=self.table.tail)
            self._note_looks(db, number)
            seat_newcomers(db, self.table, outcome.state)
            if key is not None:
                db.conn.execute(
                    "insert into keys (game, seat, key, answer) values (?, ?, ?, ?)",
                    (self.game.id, self.seat, key, encode(answer)),
                )
        whole = Whole(number, state) if packed.beside is None else self.table.kept.whole
        kept = self.store.positions.keep(
            (self.game.id, number, chain), Position(outcome.state, whole, chain), len(state)
        )
        kept.once("json", lambda: state)
        if self.table.is_all and self.table.kept.made.get(STRUCK) is False:
            kept.once(STRUCK, lambda: False)
        prime(self.store.file, GameHead(after, chain, chain))
        self.store.announce(self.game.id, number, after.revision)
        return answer

    def _run_hooks(self, outcome: Outcome[Any]) -> tuple[Event, ...]:
        """What else happens on this server because of the command, such as a battle that opens."""
        found: tuple[Event, ...] = ()
        for hook in self.store.transaction_hooks:
            found += hook(self.store, self.table, self.actor, self.command, outcome)
        return found

    def _told_of_faces(self, rolls: tuple[Roll, ...]) -> tuple[Event, ...]:
        """In a digital game all hear that the umpire gave faces, and how many; the faces stand with the rolls."""
        if not self.given or self.game.dice != DIGITAL:
            return ()
        return (Event(rolls[0].rule, FACES_GIVEN, {"count": len(self.given), "by": UMPIRE}),)

    def _note_looks(self, db: Database, version: int) -> None:
        """The page that gave the command shows this version, and has read what it says it has."""
        if self.looks is not None:
            for name, upto in {**self.looks, self.seat: version}.items():
                note_look(db, self.game.id, name, upto)

    def _on_behalf(self) -> str | None:
        """The side for which an umpire acts."""
        own = self.actor != UMPIRE or self.raw.get("type") == "adjust"
        return None if own else side_of_command(self.table, self.command)


def seat_newcomers(db: Database, table: Table, after: Any) -> None:
    """A seat for each side that joins a game under way; nobody has its token until the umpire gives it out."""
    sides = table.system.sides(after)
    for place, side in enumerate(sides):
        if side not in table.sides:
            db.conn.execute(
                "insert or ignore into seats (game, seat, name, token, position) values (?, ?, '', ?, ?)",
                (table.game.id, side, records.token_hash(records.token()), place),
            )


def side_of_command(table: Table, command: object) -> str | None:
    """The side whose affair a command is, as its system knows it; else the side that it names, or whose ship."""
    whose = table.system.whose(table.state, command)
    if whose is not None and len(whose) == 1:
        return whose[0] if whose[0] in table.sides else None
    for name in ("side", "player", "seat"):
        if (named := getattr(command, name, None)) in table.sides:
            return str(named)
    ships = getattr(table.state, "ships", None)
    ship = ships.get(getattr(command, "ship", None)) if isinstance(ships, dict) else None
    side = getattr(ship, "side", None)
    return side if side in table.sides else None


def why_halted(game: Game) -> Reason | None:
    """Why nothing can be commanded in the game (see `archive`); None while it goes on."""
    if game.archived:
        return Reason("This game is in the archive: its umpire can open it again.")
    if game.halted == "paused":
        return Reason("This game is paused: no commands are possible until its umpire lets it go on.")
    if game.halted == "ended":
        return Reason("This game was ended by its umpire or its organizer.")
    return None


def check_version(game: Game, seat: str, seen: int) -> None:
    """Raises Stale unless a seat has seen all that it may know of; a number up to the umpire's will do."""
    if not game.newest(seat) <= seen <= game.version:
        raise Stale(game.newest(seat), seen)


def check_open(game: Game) -> None:
    """Raises Refused while the game is paused, ended or archived: nothing changes in it."""
    if (why := why_halted(game)) is not None:
        raise Refused(why)


def cancel_roll(store: Repository, game: str, seen: int, seat: str) -> int:
    """Let go of the command that waits for dice; the umpire's alone. The version stays.

    Raises Barred, Stale, Refused (nothing waits), Unknown.
    """
    while True:
        table = store.load(game)
        record = table.game
        if seat != UMPIRE:
            raise Barred("Only the umpire can cancel a roll that was asked for.")
        check_version(record, seat, seen)
        if record.waiting is None:
            raise Refused("The game is not waiting for a roll.")
        with store.write(is_move=True) as db:
            if not change(db, table, waiting=None):
                continue
        store.announce(game, record.version, record.revision + 1)
        return record.version


def sentence(reason: str) -> str:
    """A reason as a sentence."""
    return reason[0].upper() + reason[1:] + ("" if reason.endswith(".") else ".")


def _same_faces(memory: Entry, dice: Dice) -> bool:
    shape = [(roll.rule, roll.sides, roll.faces) for roll in memory.rolls]
    return shape == [(roll.rule, roll.sides, roll.faces) for roll in dice.rolls]


# -- Taking back: an entry of its own, which strikes the entry whose position stands.

NOBODY_ASKS = {"consents": None, "refused": "", "proposed": None}  # columns of a game in which nobody asks for anything
ASKED = because("Another question is open: wait for the answer, or withdraw the question.")
OTHERS = because("Others may have acted since then: give another command, or ask the umpire to take this one back.")


def undo(store: Repository, game: str, seen: int, seat: str, consent: bool) -> TakenBack:
    """Take back the entry that stands last: at once when the seat may, else when all sides have consented.

    Raises Barred (with the sides whose consent is missing), Refused, Stale, Unknown.
    """
    while True:
        answer = _attempt(store, store.load(game), seen, seat, consent)
        if answer is not None:
            return answer


def _attempt(store: Repository, table: Table, seen: int, seat: str, consent: bool) -> TakenBack | None:
    game = table.game
    if seat == SPECTATOR:
        raise Barred("A spectator only watches and cannot take anything back.")
    check_version(game, seat, seen)
    check_open(game)
    if game.waiting is not None:
        raise dice_first(game.waiting, seat)
    if game.head == 0:
        raise Refused("There is nothing to take back.")
    last = store.entry(game.id, game.head)
    if not is_known_to(table.system, last, seat):
        raise Refused(OTHERS)
    for bar in store.bars:
        if (moved_on := bar(store, game.id, last)) is not None:
            is_told = all(each.seen_by(seat) for each in last.events if "game" in each.data)
            raise Refused(moved_on if is_told else OTHERS, "L1.5")
    barred = may_undo(last, seat)
    if barred is None:
        return _take_back(store, table, last, seat, ())
    consents = () if is_asked(game) else game.consents
    if not consent:
        raise Barred(barred, tuple(side for side in table.sides if side not in consents))
    if is_asked(game):
        raise Refused(ASKED)
    consents, missing = _words(store, table, seat)
    if not missing:
        return _take_back(store, table, last, seat, consents)
    return _consent(store, table, consents, missing)


def is_asked(game: Game) -> bool:
    """Are the others asked for their word on a command of the umpire's?"""
    return bool(game.proposed and game.consents)


def _words(store: Repository, table: Table, seat: str) -> tuple[tuple[str, ...], tuple[str, ...]]:
    """The sides that have given their word once this seat gives its own, and those whose word is missing."""
    game = table.game
    said = (*game.consents, seat, *(each for agreeing in store.agreeing for each in agreeing(store, game.id)))
    consents = tuple(side for side in dict.fromkeys(said) if side in table.sides)
    return consents, tuple(side for side in table.sides if side not in consents)


def _consent(
    store: Repository,
    table: Table,
    consents: tuple[str, ...],
    missing: tuple[str, ...],
    proposed: Mapping[str, Any] | None = None,
) -> TakenBack | None:
    game, asked = table.game, encode(proposed).decode() if proposed else None
    with store.write(is_move=True) as db:
        if not change(db, table, consents=encode(consents).decode(), refused="", proposed=asked):
            return None
    store.announce(game.id, game.version, game.revision + 1)
    return TakenBack(game.version, False, None, missing)


def _seen_by(store: Repository, game: str, seen: int, seat: str) -> Table:
    """The game as this seat saw it, in which it may ask and answer. Raises Barred, Refused, Stale, Unknown."""
    table = store.load(game)
    if seat == SPECTATOR:
        raise Barred("A spectator only watches and cannot give commands.")
    check_version(table.game, seat, seen)
    check_open(table.game)
    return table


def propose(store: Repository, game: str, seen: int, seat: str, command: dict[str, Any]) -> TakenBack:
    """Ask the others for their word on a command of the umpire's; from the umpire it is that command.

    Raises what the command would raise now, Barred, Refused (something else is asked already), Stale, Unknown.
    """
    while True:
        table = _seen_by(store, game, seen, seat)
        if table.game.waiting is not None:
            raise dice_first(table.game.waiting, seat)
        if seat != UMPIRE and table.game.consents:
            raise Refused(ASKED)
        Attempt(store, table, table.game.version, UMPIRE, command, None, None).try_out()
        answer = _with_word(store, table, seat, command)
        if answer is not None:
            return answer


def agree(store: Repository, game: str, seen: int, seat: str) -> TakenBack:
    """Give a seat's word on what is proposed: with the word of all sides, or the umpire's, it is carried out.

    Raises Barred, Refused (nothing is proposed), Stale, Unknown, and what the command raises now.
    """
    while True:
        table = _seen_by(store, game, seen, seat)
        if not is_asked(table.game):
            raise Refused("Nobody asks for anything.")
        answer = _with_word(store, table, seat, table.game.proposed)
        if answer is not None:
            return answer


def _with_word(store: Repository, table: Table, seat: str, command: dict[str, Any]) -> TakenBack | None:
    consents, missing = _words(store, table, seat)
    if seat != UMPIRE and missing:
        return _consent(store, table, consents, missing, command)
    done = submit(store, table.game.id, table.game.version, UMPIRE, command, None, None, None)
    return TakenBack(done.version, False, None)


def refuse_undo(store: Repository, game: str, seen: int, seat: str) -> TakenBack:
    """Say no to what others ask, or ask no more for it; it stands as long as nobody asks again.

    Raises Barred, Refused, Stale, Unknown.
    """
    while True:
        table = store.load(game)
        if seat not in (*table.sides, UMPIRE):
            raise Barred("A spectator only watches and cannot take anything back.")
        check_version(table.game, seat, seen)
        check_open(table.game)
        if not table.game.consents:
            raise Refused("Nobody asks for anything.")
        is_own = seat == table.game.consents[0]
        columns = NOBODY_ASKS if is_own else {"consents": None, "refused": seat}
        with store.write(is_move=True) as db:
            is_done = change(db, table, **columns)
        if is_done:
            store.announce(game, table.game.version, table.game.revision + 1)
            return TakenBack(table.game.version, False, None)


def _take_back(store: Repository, table: Table, last: Entry, seat: str, consents: tuple[str, ...]) -> TakenBack | None:
    game = table.game
    before = store.table_after(game.id, last.parent)
    over = before.system.is_over(before.state)
    number = game.version + 1
    known = knowers(table.system, last)
    command = {"type": "undo", "entry": last.number, "consents": list(consents)}
    if known is not None:
        command["only"] = list(known)
    behind = game.behind_after(known, table.observers)
    column = behind_column(behind)
    with store.write(is_move=True) as db:
        if not change(db, table, version=number, head=last.parent, over=int(over), behind=column, **NOBODY_ASKS):
            return None
        entry = Entry(number, last.parent, seat, store.now(), command, engine=table.system.version)
        insert_entry(db, game.id, entry, None, None, before=table.tail)
        _strike(db, game, last, number)
    store.announce(game.id, number, game.revision + (not behind))
    return TakenBack(number, True, last.number)


def _strike(db: Database, game: Game, last: Entry, number: int) -> None:
    db.conn.execute("update entries set taken_back = ? where game = ? and number = ?", (number, game.id, last.number))


def umpire_only(seat: str) -> None:
    """Barred unless it is the umpire, who gives out seats."""
    if seat != UMPIRE:
        raise Barred("Only the umpire can give out seats.")
