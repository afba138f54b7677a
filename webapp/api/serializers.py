"""A game and its journal as one seat may see them: the same values for the API and for pages."""

from __future__ import annotations

from typing import Any

from tactical.kernel.journal import Entry, command_seen_by, is_known_to, may_undo, rolls_seen_by
from tactical.kernel.protocol import SPECTATOR, UMPIRE, Event, Offer, System
from tactical.kernel.record import BadInput, Reason, read
from webapp.api.openapi import EntryShown, GameShown, JournalShown, OfferShown, OptionShown, ScenarioShown, SystemShown
from webapp.storage.journal.engagements import offers_to_settle
from webapp.storage.journal.records import Table, dice_first, roll_seen_by
from webapp.storage.journal.store import Store, battles_for, campaign_of
from webapp.storage.journal.writing import FACES_GIVEN, why_halted


def system_json(system: System) -> SystemShown:
    """A system with its scenarios, options and the seats that any of its games may have."""
    scenarios = system.scenarios()
    sides = tuple(dict.fromkeys(side for scenario in scenarios for side in scenario.sides))
    return SystemShown(
        system.name,
        system.title,
        system.version,
        [
            ScenarioShown(
                known.id,
                known.title,
                known.history,
                list(known.sources),
                list(known.sides),
                seats_of(known.sides),
            )
            for known in scenarios
        ],
        [
            OptionShown(known.name, known.default, known.meaning, list(known.choices), known.rule)
            for known in system.options
        ],
        seats_of(sides),
    )


def seats_of(sides: tuple[str, ...]) -> list[str]:
    """The seats of a game with these sides."""
    return [*sides, UMPIRE, SPECTATOR]


def game_json(store: Store, table: Table, seat: str, charge: tuple[str, ...] = ()) -> GameShown:
    """The game with everything that the seat may see and do now; `charge`: whose it is has charge of these pieces."""
    game = table.game.for_seat(seat)
    waiting, barred = game.waiting, why_no_undo(store, table, SPECTATOR if charge else seat)
    return GameShown(
        id=game.id,
        system=game.system,
        title=game.title,
        version=game.version,
        seat=seat,
        over=game.over,
        state=table.view(seat),
        offers=[each for each in offers_json(store, table, seat) if is_for(table, charge, each)],
        waiting_for=[waiting.seat] if waiting else list(table.waiting_for) if game.is_open else [],
        roll_needed=roll_seen_by(waiting, seat) if waiting else None,
        undo_barred=None if barred is None else str(barred),
        consents=list(game.consents),
        dice=game.dice,
        options=game.options,
        scenario=game.scenario,
        engine=game.engine,
        hash=game.hash,
        last_look=0 if charge else store.last_look(game.id, seat),
        settles=campaign_of(store, game.id),
        battles=battles_for(store, table, seat, charge),
        halted=game.halted,
        archived=game.archived,
        is_public=game.is_public,
        refused=game.refused,
        proposed=game.proposed,
    )


def is_for(table: Table, charge: tuple[str, ...], offer: OfferShown) -> bool:
    """Is an offer one for who has this charge? Its choices are all of one piece."""
    charges = table.system.charges
    if not charge or charges is None:
        return True
    first = {name: value[0] if isinstance(value, list) and value else value for name, value in offer.fields.items()}
    try:
        command = read({"type": offer.type, **first}, table.system.command)
    except BadInput:  # a number of which the offer says from where to where: such an offer is of no piece
        return False
    return charges.may_give(table.state, command, charge)


def offers_json(store: Store, table: Table, seat: str) -> list[OfferShown]:
    """What the seat may command: the umpire for every side; while dice are awaited, only that."""
    waiting = table.game.waiting
    if waiting is not None and table.game.is_open:
        if seat not in (UMPIRE, waiting.seat, waiting.on_behalf):
            return []
        fields = {name: value for name, value in waiting.command.items() if name != "type"}
        return [OfferShown(str(waiting.command["type"]), waiting.asked.rule, fields)]
    offers = [*offers_of(store, table, seat), *at_once(table, seat)]
    return [OfferShown(offer.type, offer.rule, offer.fields) for offer in offers]


def at_once(table: Table, seat: str) -> list[Offer]:
    """What the seat may command for whole fleets; the umpire for every side."""
    if seat == SPECTATOR or not table.game.is_open:
        return []
    sides = table.sides if seat == UMPIRE else (seat,)
    return [offer for side in sides for offer in table.system.at_once(table.state, side)]


def offers_of(store: Store, table: Table, seat: str) -> list[Offer]:
    """The engine's offers to the seat (to the umpire those of every side), and a finished battle's outcome (L1.4)."""
    if seat == SPECTATOR or not table.game.is_open:
        return []
    found = list(table.offers(seat))
    if seat == UMPIRE:
        for side in table.sides:
            found += [offer for offer in table.offers(side) if offer not in found]
    return [*found, *offers_to_settle(store, table, seat)]


def why_no_undo(store: Store, table: Table, seat: str) -> Reason | None:
    """Why the seat may not take back the last command by itself; None when it may."""
    if seat == SPECTATOR:
        return Reason("A spectator only watches and cannot take anything back.")
    if (waiting := table.game.waiting) is not None:
        return dice_first(waiting, seat).why
    if (halted := why_halted(table.game)) is not None:
        return halted
    return may_undo(last_act(store, table, seat), seat)


def last_act(store: Store, table: Table, seat: str) -> Entry | None:
    """The newest entry that stands and that the seat knows of; None for the start."""
    game = table.game

    def find() -> Entry | None:
        number = store.head_after(game.id, game.behind[seat]) if seat in game.behind else game.head
        while number and not is_known_to(table.system, entry := store.entry(game.id, number), seat):
            number = entry.parent
        return entry if number else None

    found: Entry | None = table.kept.once(("last act", seat), find)
    return found


def journal_json(store: Store, game: str, seat: str, after: int | None, limit: int) -> JournalShown:
    """The entries after `after`; from the beginning also the start."""
    record = store.game(game)
    version, system = record.newest(seat), store.rules[record.system]
    found = store.entries(game, -1 if after is None else max(after, 0), limit + 1 if after is None else limit)
    last = found[-1].number if found else version
    shown = [entry_for(entry, seat) for entry in found if is_known_to(system, entry, seat)]
    start = shown.pop(0) if after is None else None
    return JournalShown(version, start, shown, last if last < version else None)


def entry_for(entry: Entry, seat: str) -> EntryShown:
    """An entry without what the seat may not see: hidden events, and the command and dice they belong to.

    What the server marks beside a command (events of no rule) tells nothing of it.
    """
    events = events_for(entry.events, seat)
    hidden = bool(entry.events) and all(event["type"] == FACES_GIVEN or not event["rule"] for event in events)
    return EntryShown(
        number=entry.number,
        parent=entry.parent,
        seat=entry.seat,
        on_behalf=entry.on_behalf,
        time=entry.time,
        command=command_seen_by(entry, seat),
        dice=[] if hidden and seat not in (UMPIRE, entry.seat) else list(rolls_seen_by(entry, seat)),
        events=events,
        taken_back=entry.taken_back,
        engine=entry.engine,
    )


def events_for(events: tuple[Event, ...], seat: str) -> list[dict[str, Any]]:
    """The events that the seat may see, as flat objects."""
    return [event.flat() for event in events if event.seen_by(seat)]
