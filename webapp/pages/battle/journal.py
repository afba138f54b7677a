"""The journal as a page, and how lucky the dice were."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from flask import render_template, request

from tactical.battle import Battle
from tactical.kernel.dice import Roll
from tactical.kernel.journal import Entry
from tactical.kernel.protocol import Event
from tactical.rules import boarding, end_of_turn
from tactical.rules.missiles import WEAPONS
from webapp.api.serializers import entry_for
from webapp.http.forms import count
from webapp.http.language import gettext as _
from webapp.http.seats import current_seat, store
from webapp.pages.battle.looking import looking
from webapp.pages.battle.results import MARKS, Line, line, lines
from webapp.presenting.battle_labels import seat_name, side_name
from webapp.presenting.labels import translate
from webapp.presenting.refusals import mark
from webapp.storage.journal.records import Table

# -- Luck: what the dice brought against what they bring on average, by kind of roll and side.


@dataclass
class Luck:
    """One kind of roll by one side: dice thrown, what counts as success on average, and what came."""

    rule: str
    kind: str
    side: str
    dice: int = 0
    expected: float = 0.0
    actual: float = 0.0

    @property
    def better(self) -> float:
        """By how much it was better than the average; below 0 worse."""
        return self.actual - self.expected


def count_dice(battle: Battle, entries: Iterable[Entry]) -> list[Luck]:
    """All dice of the entries that stand, by kind and side. What a roll is worth is said by the rules' own tables."""
    found: dict[tuple[str, str], Luck] = {}
    for entry in entries:
        if entry.taken_back is not None:
            continue
        for roll in entry.rolls:
            side = side_of(battle, roll)
            if side is None:
                continue
            row = found.setdefault((roll.rule, side), Luck(roll.rule, kind_word(roll.rule), side_name(battle, side)))
            worth = [value(battle, roll, face, entry.events) for face in range(1, roll.sides + 1)]
            row.dice += len(roll.faces)
            row.expected += len(roll.faces) * sum(worth) / roll.sides
            row.actual += sum(worth[face - 1] for face in roll.faces)
    return sorted(found.values(), key=lambda row: (row.rule, row.side))


def side_of(battle: Battle, roll: Roll) -> str | None:
    """Whose dice they were."""
    if roll.about.get("side") in battle.sides:
        return roll.about["side"]
    ship = battle.ships.get(roll.about.get("ship", ""))
    return ship.side if ship is not None else None


def value(battle: Battle, roll: Roll, face: int, events: tuple[Event, ...]) -> float:
    """What a face of this roll is worth: kills and damage, a breach closed, a boarding, or its points."""
    if roll.rule == "G5.2":
        weapon = WEAPONS.get(roll.about.get("weapon", ""))
        effect = weapon.effect(range_of(roll, events), face) if weapon else None
        return effect.kills + effect.hull if effect else 0
    if roll.rule == "G8.1":
        return 1 if face in boarding.TABLE.board.succeeds else 0
    if roll.rule == "G8.3":
        return 1 if face in boarding.HITS.get(roll.about.get("figure", ""), ()) else 0
    if roll.rule == "G9.2":
        return 1 if face in end_of_turn.closes(in_fight(roll, events)) else 0
    return face


def range_of(roll: Roll, events: tuple[Event, ...]) -> int:
    """The range of a volley, from its event."""
    for happened in events:
        data = happened.data
        if happened.type == "fire" and all(
            data.get(key) == roll.about.get(key) for key in ("ship", "target", "weapon")
        ):
            return int(data["range"])
    return 1


def in_fight(roll: Roll, events: tuple[Event, ...]) -> bool:
    """Was a ship that repaired in a fight?"""
    return any(
        happened.type == "repair" and happened.data.get("ship") == roll.about.get("ship") and happened.data.get("fight")
        for happened in events
    )


def kind_word(rule: str) -> str:
    """A kind of roll."""
    known = {
        "G3.4": _("Initiative (points)"),
        "G5.2": _("Missiles (kills and damage)"),
        "G6.1": _("Bow to bow (points)"),
        "G6.2": _("Ram damage (points)"),
        "G8.1": _("Boarding (successes)"),
        "G8.3": _("Marines (kills)"),
        "G9.2": _("Repairs (breaches closed)"),
        "G2.3": _("Dice thrown outside the rules (points)"),
    }
    return known.get(rule, rule)


# -- The journal as a page: all of it, a turn of it, or what happened since the last look.

SHORT = 40  # entries in the journal beside the board


@dataclass(frozen=True)
class Told:
    """One entry in words: its number, time, who acted, its lines; struck when it was taken back."""

    number: int
    time: str
    who: str
    lines: list[Line]
    struck: bool
    new: bool
    mark: str = ""  # where another version of the rules goes on
    sign: str = ""  # that a captain gave the command


@dataclass
class Chapter:
    """The entries of a turn."""

    turn: int
    entries: list[Told] = field(default_factory=list)


def in_words(battle: Battle, entries: Sequence[Entry], seat: str, last_look: int = -1) -> list[Told]:
    """Entries in words, without what the seat may not see; an entry of which nothing is seen is left out."""
    found = []
    engine = ""
    for entry in entries:
        shown = entry_for(entry, seat)
        said = lines(battle, shown.events)
        if entry.command.get("type") == "undo":
            said = [
                Line("", _("Entry %(number)s is taken back.", number=entry.command.get("entry")), (), "soft", "undo")
            ]
        if not said:
            continue
        who = seat_name(battle, entry.seat)
        if entry.on_behalf:
            who = _("%(who)s for %(side)s", who=who, side=side_name(battle, entry.on_behalf))
        found.append(
            Told(
                entry.number,
                entry.time[11:16],
                who,
                said,
                entry.taken_back is not None,
                0 <= last_look < entry.number,
                mark(engine, entry.engine),
                sign(battle, shown.events),
            )
        )
        engine = entry.engine
    return found


def sign(battle: Battle, events: Sequence[Mapping[str, Any]]) -> str:
    """How an entry came about, for the small sign beside it; empty where a player gave the command."""
    return next((line(battle, happened).text for happened in events if happened.get("type") in MARKS), "")


def chapters(battle: Battle, entries: Sequence[Entry], seat: str, last_look: int = -1) -> list[Chapter]:
    """The journal by turns; an entry that ends a turn belongs to that turn."""
    found = [Chapter(1)]
    turn = 1
    for entry, said in _pairs(battle, entries, seat, last_look):
        if said is not None:
            if found[-1].turn != turn:
                found.append(Chapter(turn))
            found[-1].entries.append(said)
        for happened in entry.events:
            if happened.type == "turn" and entry.taken_back is None:
                turn = int(happened.data["turn"])
    return [chapter for chapter in found if chapter.entries]


def _pairs(battle: Battle, entries: Sequence[Entry], seat: str, last_look: int) -> list[tuple[Entry, Told | None]]:
    by_number = {each.number: each for each in in_words(battle, entries, seat, last_look)}
    return [(entry, by_number.get(entry.number)) for entry in entries]


def short(game: str) -> str:
    """The newest entries, beside the board."""
    at, table, battle = here(game)
    version = table.game.version
    found = in_words(battle, store().entries(game, max(-1, version - SHORT)), at.seat)
    return render_template("battle/_journal.html", at=at, told=list(reversed(found)), b=battle)


def log(game: str) -> Any:
    """The whole journal, a turn of it, or what happened since this seat last looked."""
    at, table, battle = here(game)
    last = store().last_look(game, at.seat)
    entries = store().entries(game)
    found = chapters(battle, entries, at.seat, last)
    turns = [chapter.turn for chapter in found]
    wanted = request.args.get("turn", "")
    if (turn := count(wanted)) is not None:
        found = [chapter for chapter in found if chapter.turn == turn]
    if request.args.get("since") == "look":
        for chapter in found:
            chapter.entries = [entry for entry in chapter.entries if entry.new]
        found = [chapter for chapter in found if chapter.entries]
    if at.seat != "spectator":
        store().looked(game, at.seat, table.game.version)
    return render_template(
        "battle/log.html",
        at=at,
        chapters=found,
        turns=turns,
        wanted=wanted,
        since=request.args.get("since"),
        title=translate(table.game.title),
        b=battle,
        version=table.game.version,
    )


def here(game: str) -> tuple[Any, Table, Battle]:
    """Who looks, the table, and the position as that seat sees it."""
    seat = current_seat(game)
    table = store().load(game)
    at = looking(table, seat.id, request.args.get("ship"), request.args.get("view"))
    return at, table, table.view(seat.id)
