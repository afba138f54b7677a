"""The store: games, seats and journals in one SQLite file. No Flask here."""

from __future__ import annotations

import json
import random
from collections.abc import Callable, Iterable, Mapping
from contextlib import AbstractContextManager
from datetime import UTC, datetime
from pathlib import Path
from secrets import token_hex
from typing import Any

from sqlite_utils import Database

from strategic import SYSTEMS
from strategic.season import SEASON
from tactical import GALLEY
from tactical.kernel.dice import Dice, Source, random_source
from tactical.kernel.journal import Entry, is_known_to
from tactical.kernel.protocol import SPECTATOR, UMPIRE, Outcome, System
from tactical.kernel.record import NAME_LETTERS, TITLE_LETTERS, Record, clean_name, decode, encode
from webapp.storage.errors import Unknown
from webapp.storage.file import anchors
from webapp.storage.file.anchors import GONE, End, Lost
from webapp.storage.file.database import HOLDERS, OF_A_GAME, Connection, File, end_token, rows
from webapp.storage.file.election import Election, revisions
from webapp.storage.file.migrations import migrate
from webapp.storage.journal import new_game, records, writing
from webapp.storage.journal.entries import (
    GameHead,
    head_of,
    insert_entry,
    insert_with_free_code,
    last_taken_back,
    note_look,
)
from webapp.storage.journal.records import (
    Game,
    Position,
    Positions,
    Seat,
    Submitted,
    Table,
    TakenBack,
    Whole,
    entry_of,
    game_of,
    pack,
    seat_of,
    unpack,
)
from webapp.storage.journal.writing import Agreeing, Bar, Faces, Repository, TransactionHook

# -- Every system that can be played here: the galley engine and the strategic ones, under their names.

ALL: dict[str, System] = {GALLEY.name: GALLEY, **SYSTEMS}
JOURNALLED: dict[str, System] = {SEASON.name: SEASON}  # stored and journalled like a game, but nobody plays it


def all_systems() -> dict[str, System]:
    """The systems by name."""
    return ALL


# -- A change that no command makes, such as a letter or a clock: pages that show the game look again.


def touch(store: Repository, game: str) -> None:
    """Count one more change that pages may show, and tell of it once it is on the disk; the version stays.

    It takes part in the transaction that is open, if one is: nothing is told of what did not end well.
    """
    with store.write() as db:
        db.conn.execute("update games set revision = revision + 1 where id = ?", (game,))
        db.then.append(lambda: _tell(store, game))


def _tell(store: Repository, game: str) -> None:
    now = store.game(game)
    store.announce(game, now.version, now.revision)


# -- L1.4 A campaign's engagement and the battle on the table point at each other; campaign seats hold its seats.
#
# What a campaign's command means for the battle is done by hooks (`Repository.transaction_hooks`): functions that the
# store calls inside the command's transaction. They may create games and link them, and add events that name them.


class BattleLink(Record, frozen=True):
    """A battle, and the engagement of the campaign that it settles."""

    battle: str
    campaign: str
    engagement: str


def link_battle(store: Repository, battle: str, campaign: str, engagement: str) -> None:
    """Link a battle to an engagement; it takes part in the transaction that is open, if one is."""
    with store.write() as db:
        db.table("links").insert({"battle": battle, "campaign": campaign, "engagement": engagement})


def campaign_of(store: Repository, battle: str) -> BattleLink | None:
    """What a battle settles; None for a battle of its own."""
    found = store.file.rows("select battle, campaign, engagement from links where battle = ?", battle)
    return BattleLink(**found[0]) if found else None


def battles_of(store: Repository, campaign: str) -> list[BattleLink]:
    """A campaign's battles, in the order of their opening."""
    sql = "select battle, campaign, engagement from links where campaign = ? order by rowid"
    return [BattleLink(**row) for row in store.file.rows(sql, campaign)]


def has_secret_meetings(system: System) -> bool:
    """O6.1 Do only those who meet know of a meeting in this system?"""
    return any(secret.path == "engagement" for secret in system.hidden)


def battles_for(store: Repository, table: Table, seat: str, charge: tuple[str, ...] = ()) -> list[BattleLink]:
    """O6.1 The battles of a campaign of which this seat may know: where meetings are secret, until the end its own.

    `charge`: whose seat it is has charge of these pieces, and knows of the battles in which he has a seat.
    """
    found = battles_of(store, table.game.id)
    if charge:
        his = Seat(table.game.id, seat, charge=charge)
        return [link for link in found if seat_in(store, link.battle, his) is not None]
    if not found or seat == UMPIRE or table.game.over or not has_secret_meetings(table.system):
        return found
    return [link for link in found if seat != SPECTATOR and seat in {each.id for each in store.seats(link.battle)}]


def archived_battles(store: Repository) -> set[str]:
    """The battles of all campaigns that lie in the archive."""
    sql = "select battle from links join games on games.id = links.campaign where games.archived"
    return {row["battle"] for row in store.file.rows(sql)}


def seat_in(store: Repository, game: str, seat: Seat) -> Seat | None:
    """The seat in that game which the holder of `seat` takes: his own, or in his campaign's battle the like-named.

    Who has charge of single pieces only watches a battle in which none of them fights. Nobody watches whom his seat in
    the campaign tells nothing of a secret meeting (O6.1).
    """
    if seat.game == game:
        return seat
    link = campaign_of(store, game)
    if link is None or link.campaign != seat.game:
        return None
    id = seat.id
    if seat.charge or id == SPECTATOR:
        campaign = store.load(link.campaign)
        charges = campaign.system.charges
        if charges is None or not charges.fights(campaign.state, link.engagement, seat.id, seat.charge):
            id = SPECTATOR
        knows = bool(seat.charge) and campaign.knowledge_for(seat.id, seat.charge) is campaign
        if id == SPECTATOR and not knows and not campaign.game.over and has_secret_meetings(campaign.system):
            return None
    return next((same for same in store.seats(game) if same.id == id), None)


def forget(db: Database, game: str) -> None:
    """Forget the links of a game that is deleted."""
    db.conn.execute("delete from links where battle = ? or campaign = ?", (game, game))


# -- The store: games, seats and journals in one SQLite file. No Flask here.
#
# Reading a game reads one row, however long its journal. Writing is in `writing`, taking back in `undo`.

CHANCE: random.Random = random.SystemRandom()  # throws the dice of a store that is given no others
Listener = Callable[[str, int, int], None]  # game, version, revision


class Store:
    """All games of one file. `source` throws the server's dice; `listeners` hear of each change once safe.

    `transaction_hooks` act within a command's transaction (see `repository`). `shows_only`: another machine writes the
    file.
    """

    def __init__(
        self,
        path: Path | str,
        systems: Mapping[str, System] | None = None,
        source: Source | None = None,
        shows_only: bool = False,
    ) -> None:
        self.file = File(path, shows_only)
        self.systems = all_systems() if systems is None else systems
        self.source = source or random_source(CHANCE.randrange)
        self.listeners: list[Listener] = []
        self.count_unknown: Callable[[str], None] = lambda code: None  # hears each code that no game has
        self.transaction_hooks: list[TransactionHook] = []
        self.first_letters = records.LETTERS  # of the codes of games that begin here
        self.bars: list[Bar] = []  # why a last entry cannot be taken back, though its game would allow it
        self.agreeing: list[Agreeing] = []  # which seats agree to what others take back
        self.drawers: dict[str, new_game.Draw] = {}  # by system: draws a position as its pages do, before it counts
        self.positions = Positions()
        self.election = Election()  # alone over the file, unless whoever serves says otherwise
        migrate(self.file)

    # Reading ---------------------------------------------------------------------------------------

    @property
    def rules(self) -> Mapping[str, System]:
        """The rules of everything that is stored here: the systems that are played, and seasons."""
        return {**self.systems, **JOURNALLED}

    def load(self, game: str) -> Table:
        """The game with its position. Raises Unknown."""
        return self.file.read_once(("table", game), lambda: self._table(self._head(game)))

    def _table(self, found: GameHead) -> Table:
        record, chain = found.game, found.chain
        system = new_game.find_system(self.rules, record.system)
        name = (record.id, record.head, chain or "")
        kept = self.positions.get(name) if chain else None
        if kept is None:
            kept, written = self._position(record.id, record.head, system, chain)
            kept = self.positions.keep(name, kept, written) if chain else kept
        return Table(record, system, kept.state, kept, found.tail)

    def _position(self, game: str, number: int, system: System, chain: str | None) -> tuple[Position, int]:
        """The position after an entry that has one, as it is stored, and the bytes of its JSON."""
        found = self.file.rows(
            "select entries.state, entries.beside, whole.state as whole from entries"
            " left join entries as whole on whole.game = entries.game and whole.number = entries.beside"
            " where entries.game = ? and entries.number = ?",
            game,
            number,
        )
        if not found:
            raise Unknown("There is no such game.")
        if found[0]["beside"] is None:
            state = unpack(found[0]["state"])
            whole = Whole(number, state)
        else:
            whole = Whole(found[0]["beside"], unpack(found[0]["whole"]))
            state = unpack(found[0]["state"], whole.state)
        return Position(decode(state, system.state), whole, chain or ""), len(state)

    def game(self, game: str) -> Game:
        """The game without its position. Raises Unknown."""
        return self._head(game).game

    def find(self, game: str) -> Game | None:
        """The same for a code that the server itself wrote down, which is not a guess; None where it is gone."""
        try:
            return head_of(self.file, game).game
        except Unknown:
            return None

    def _head(self, game: str) -> GameHead:
        try:
            return head_of(self.file, game)
        except Unknown:
            self.count_unknown(game)
            raise

    def games(self) -> list[Game]:
        """All games, the newest first."""
        return [game_of(row) for row in self.file.rows("select * from games order by created desc, id")]

    def revisions(self, games: Iterable[str]) -> dict[str, tuple[int, int]]:
        """Version and revision of those of the games that exist."""
        return revisions(self.file, games)

    def entry(self, game: str, number: int, seat: str = UMPIRE) -> Entry:
        """One entry of the journal. Raises Unknown, also for one that is secret from the seat."""
        found = self.file.rows("select * from entries where game = ? and number = ?", game, number)
        entry = entry_of(found[0]) if found else None
        if entry is None or (seat != UMPIRE and not is_known_to(self.rules[self.game(game).system], entry, seat)):
            raise Unknown("There is no such entry in the journal.")
        return entry

    def entries(self, game: str, after: int = -1, limit: int = -1, seat: str = UMPIRE) -> list[Entry]:
        """The journal from the entry after `after` on, as far as the seat knows of it; entry 0 is the start."""
        found = self.file.rows(
            "select game, number, parent, seat, time, command, rolls, draws, events, on_behalf, taken_back, engine"
            " from entries where game = ? and number > ? order by number limit ?",
            game,
            after,
            limit,
        )
        entries = [entry_of(row) for row in found]
        if seat == UMPIRE:
            return entries
        system = self.rules[self.game(game).system]
        return [entry for entry in entries if is_known_to(system, entry, seat)]

    def state_after(self, game: str, number: int) -> bytes:
        """The JSON of the position after an entry; an undo has its parent's. Raises Unknown."""
        stored = self.stored_state(game, number)
        return self.state_after(game, self.head_after(game, number)) if stored is None else stored

    def stored_state(self, game: str, number: int) -> bytes | None:
        """The JSON of the position that is stored with an entry; None for an undo. Raises Unknown."""
        found = self.file.rows(
            "select entries.state, whole.state as whole from entries left join entries as whole"
            " on whole.game = entries.game and whole.number = entries.beside"
            " where entries.game = ? and entries.number = ?",
            game,
            number,
        )
        if not found:
            raise Unknown("There is no such entry in the journal.")
        state, whole = found[0]["state"], found[0]["whole"]
        return None if state is None else unpack(state, None if whole is None else unpack(whole))

    def head_after(self, game: str, number: int) -> int:
        """The entry whose position stood when `number` was the newest; itself unless it is an undo."""
        found = self.entry(game, number)
        return found.parent if found.command.get("type") == "undo" else number

    def table_after(self, game: str, number: int) -> Table:
        """The game as it stood after an entry, for replay and reports."""
        record = self.game(game)
        system = new_game.find_system(self.rules, record.system)
        found = self.file.rows("select chain from entries where game = ? and number = ?", game, number)
        chain = found[0]["chain"] if found else None
        kept = self.positions.get((game, number, chain)) if chain else None
        if kept is None:
            kept = Position(decode(self.state_after(game, number), system.state))
        return Table(record, system, kept.state, kept)

    # Seats -----------------------------------------------------------------------------------------

    def seats(self, game: str) -> list[Seat]:
        """The seats of a game, in order."""
        found = self.file.rows("select game, seat, name from seats where game = ? order by position", game)
        return [Seat(row["game"], row["seat"], row["name"]) for row in found]

    def seat_of(self, token: str) -> Seat | None:
        """Whose token this is; None when it is nobody's (any more)."""
        found = self.file.rows(
            "select game, seat, name, null as duty, '' as charge from seats where token = ?1"
            " union all select game, seat, name, duty, charge from people where token = ?1",
            records.token_hash(token),
        )
        return seat_of(found[0]) if found else None

    def tokens_of(self, game: str, seat: str) -> list[str]:
        """The hashes of the tokens that give a seat: its own, and those of the people in it."""
        held = " union all ".join(f"select token from {table} where game = ?1 and seat = ?2" for table in HOLDERS)
        return [row["token"] for row in self.file.rows(held, game, seat)]

    def standing(self, hashes: Iterable[str]) -> set[str]:
        """Which of these hashes of tokens (see `tokens.hashed`) are still somebody's."""
        wanted = list(hashes)
        marks = ", ".join("?" * len(wanted))
        held = (f"select token from {table} where token in ({marks})" for table in HOLDERS)
        return {row["token"] for asked in held for row in self.file.rows(asked, *wanted)}

    def reissue(self, game: str, seat: str) -> str:
        """Withdraw a seat's token with all that hangs on it (see `tables`), and give a new one. Raises Unknown."""
        fresh = records.token()
        with self.file.write() as db:
            found = rows(db, "select token from seats where game = ? and seat = ?", game, seat)
            if not found:
                raise Unknown("There is no such seat in this game.")
            end_token(db, game, seat, found[0]["token"])
            db.conn.execute(
                "update seats set token = ? where game = ? and seat = ?", (records.token_hash(fresh), game, seat)
            )
        return fresh

    def withdraw(self, game: str, seat: str) -> None:
        """Withdraw a seat's token: its holder is out until the umpire gives a new one. Raises Unknown."""
        self.reissue(game, seat)

    def name_seat(self, game: str, seat: str, name: str) -> None:
        """Write who sits there."""
        with self.file.write() as db:
            db.conn.execute(
                "update seats set name = ? where game = ? and seat = ?", (clean_name(name)[:NAME_LETTERS], game, seat)
            )

    def looked(self, game: str, seat: str, version: int) -> None:
        """Remember up to where a seat has read the journal; nothing is written where that is known."""
        if self.last_look(game, seat) != version:
            with self.file.write(is_move=True) as db:
                note_look(db, game, seat, version)

    def last_look(self, game: str, seat: str) -> int:
        """The version that the seat looked at last; 0 when it never did."""
        return self.looks(game).get(seat, 0)

    def looks(self, game: str) -> dict[str, int]:
        """What was looked at last, by seat and by whatever else has a cursor; nothing where nobody looked."""
        found = self.file.rows("select seat, version from cursors where game = ?", game)
        return {row["seat"]: row["version"] for row in found}

    # Writing ---------------------------------------------------------------------------------------

    def create(
        self,
        system: str,
        scenario: str | None = None,
        position: Mapping[str, Any] | None = None,
        options: Mapping[str, Any] | None = None,
        title: str | None = None,
        dice: str = "digital",
    ) -> tuple[Game, dict[str, str]]:
        """A new game and the tokens of its seats. Raises Unknown, BadInput, Illegal."""
        rules = new_game.find_system(self.rules, system)
        options = dict(options or {})
        thrown = Dice(source=self.source, secret=self.source)
        outcome = new_game.start(rules, scenario, position, options, thrown, self.drawers.get(system))
        titles = {known.id: known.title for known in rules.scenarios()} if scenario else {}
        game = Game(
            id="",
            system=rules.name,
            engine=rules.version,
            title=clean_name(title or "")[:TITLE_LETTERS] or titles.get(scenario or "", rules.title),
            scenario=scenario,
            options=options,
            dice=dice,
            hash=new_game.fingerprint(rules, options),
            created=self.now(),
            over=rules.is_over(outcome.state),
        )
        command: dict[str, Any] = {"type": "start", "scenario": scenario} if scenario else {"type": "start"}
        beginning = Entry(
            0,
            0,
            UMPIRE,
            game.created,
            command,
            tuple(thrown.rolls),
            tuple(thrown.draws),
            outcome.events,
            engine=rules.version,
        )
        return self.insert(game, rules, outcome, [(beginning, None, pack(encode(outcome.state)))])

    def insert(
        self,
        game: Game,
        rules: System,
        outcome: Outcome[Any],
        entries: Iterable[tuple[Entry, str | None, bytes | None]],
        names: Mapping[str, str] | None = None,
    ) -> tuple[Game, dict[str, str]]:
        """Write a whole game under a new code with new tokens; entries come with their choice and packed state."""
        seats = (*rules.sides(outcome.state), UMPIRE, SPECTATOR)
        given = {seat: records.token() for seat in seats}
        with self.file.write() as db:
            game = insert_with_free_code(db, game, self.first_letters)
            for place, (seat, token) in enumerate(given.items()):
                name = (names or {}).get(seat, "")
                db.conn.execute(
                    "insert into seats (game, seat, name, token, position) values (?, ?, ?, ?, ?)",
                    (game.id, seat, name, records.token_hash(token), place),
                )
            chain = None
            for entry, choice, state in entries:
                chain = insert_entry(db, game.id, entry, choice, state, before=chain)
        return game, given

    def submit(
        self,
        game: str,
        seen: int,
        seat: str,
        command: dict[str, Any],
        faces: Faces = None,
        key: str | None = None,
        looks: Mapping[str, int] | None = None,
    ) -> Submitted:
        """One command by one seat: see `writing.submit`."""
        return writing.submit(self, game, seen, seat, command, faces, key, looks)

    def cancel_roll(self, game: str, seen: int, seat: str) -> int:
        """Let go of the command that waits for dice: see `writing.cancel_roll`."""
        return writing.cancel_roll(self, game, seen, seat)

    def undo(self, game: str, seen: int, seat: str, consent: bool = False) -> TakenBack:
        """Take back the last command, or consent to it: see `undo.undo`."""
        return writing.undo(self, game, seen, seat, consent)

    def refuse_undo(self, game: str, seen: int, seat: str) -> TakenBack:
        """Refuse what others ask: see `writing.refuse_undo`."""
        return writing.refuse_undo(self, game, seen, seat)

    def propose(self, game: str, seen: int, seat: str, command: dict[str, Any]) -> TakenBack:
        """Ask the others for their word on a command of the umpire's: see `writing.propose`."""
        return writing.propose(self, game, seen, seat, command)

    def agree(self, game: str, seen: int, seat: str) -> TakenBack:
        """Give a seat's word on what is proposed: see `writing.agree`."""
        return writing.agree(self, game, seen, seat)

    def delete(self, game: str) -> None:
        """Remove a game with its seats and its journal, for good."""
        with self.file.write() as db:
            db.conn.execute("delete from games where id = ?", (game,))
            for table in OF_A_GAME:
                db.conn.execute(f"delete from {table} where game = ?", (game,))
            forget(db, game)
            db.ends.append(End(game, GONE, "-"))
        self.announce(game, -1, -1)

    def rename(self, game: str, title: str) -> None:
        """Give the game another title."""
        with self.file.write() as db:
            db.conn.execute("update games set title = ? where id = ?", (title, game))

    def secret(self, name: str) -> str:
        """A secret of this server, made once and kept in the file."""
        if (known := self.note(name)) is not None:
            return known
        with self.file.write() as db:
            db.conn.execute("insert or ignore into secrets (name, value) values (?, ?)", (name, token_hex(32)))
        return self.secret(name)

    def note(self, name: str) -> str | None:
        """A note that the server keeps for itself."""
        found = self.file.rows("select value from secrets where name = ?", name)
        return str(found[0]["value"]) if found else None

    def keep_note(self, name: str, value: str) -> None:
        """Write such a note."""
        with self.file.write() as db:
            db.table("secrets").insert({"name": name, "value": value}, replace=True)

    def taken_back(self, table: Table, choice: str) -> Entry | None:
        """The newest entry of the game that made this choice and was taken back; its dice stand."""
        game = table.game.id
        if table.is_all:  # whether there are such entries stands in what its chain covers
            asked = "select exists(select 1 from entries where game = ? and taken_back is not null) as found"
            if not table.kept.once(writing.STRUCK, lambda: bool(self.file.rows(asked, game)[0]["found"])):
                return None
        return last_taken_back(self.file.db, game, choice)

    @staticmethod
    def now() -> str:
        """This moment, as journals write it."""
        return datetime.now(UTC).isoformat(timespec="milliseconds").replace("+00:00", "Z")

    def write(self, is_move: bool = False) -> AbstractContextManager[Connection]:
        """A transaction that writes (see `File.write`)."""
        return self.file.write(is_move)

    def announce(self, game: str, version: int, revision: int) -> None:
        """Tell the listeners of a change once it is on the disk: after the transaction that is open, if one is."""
        db = self.file.db
        if db.conn.in_transaction:
            db.then.append(lambda: self.announce(game, version, revision))
            return
        for listener in self.listeners:
            listener(game, version, revision)


# -- Acknowledged moves that are no longer in the file: noted for the organizer until he knows (see `anchors`).

NOTE = "lost moves"


def look(store: Store) -> list[Lost]:
    """Compare the file with its anchors and note what is missing."""
    found = anchors.look(store.file.path)
    add(store, found)
    return found


def add(store: Store, found: Iterable[Lost]) -> None:
    """Note losses beside those that the organizer does not know of yet."""
    if lost := [*found]:
        store.keep_note(NOTE, json.dumps([*read(store), *lost]))


def read(store: Store) -> list[Lost]:
    """The losses that the organizer has not yet said he knows of."""
    return [Lost(*each) for each in json.loads(store.note(NOTE) or "[]")]


def clear(store: Store) -> None:
    """The organizer knows."""
    store.keep_note(NOTE, "[]")
