"""O5.2, O5.4, O11.2 Between the sides: treaties, letters that may go by ship, and the pins on one's own map."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from msgspec.structs import replace

from strategic.open_campaign import commands as c
from strategic.open_campaign.rules.changes import Handled
from strategic.open_campaign.rules.orders import LONGEST_TEXT, why_not_side
from strategic.open_campaign.rules.world import chart
from strategic.open_campaign.state import Mail, Pin, State, Treaty
from tactical.kernel.dice import Dice
from tactical.kernel.protocol import UMPIRE, Event, Illegal, Offer, event

MOST_PINS = 60


def why_not_to(state: State, side: str, to: str) -> Illegal | None:
    """O5.4 The other is another side that still plays."""
    if to == side or to not in state.playing:
        return Illegal("O5.4", "Write to another side of the campaign.")
    return why_not_side(state, side)


def between(state: State, one: str, other: str) -> tuple[Treaty, ...]:
    """O5.4 What two sides have agreed, or one of them has proposed."""
    return tuple(each for each in state.treaties if each.is_between(one, other))


def why_not_propose(state: State, command: c.Propose) -> Illegal | None:
    """O5.4 A treaty has terms or words; one proposal at a time."""
    if not command.terms and not command.text.strip():
        return Illegal("O5.4", "A treaty needs terms or a text.")
    if len(command.text) > LONGEST_TEXT or len(set(command.terms)) != len(command.terms):
        return Illegal("O5.4", "A letter must have 1 to %(most)s %(most|character|characters)s.", most=LONGEST_TEXT)
    if any(not each.turn for each in between(state, command.side, command.to)):
        return Illegal("O5.4", "A proposal between these sides is already waiting for an answer.")
    return why_not_to(state, command.side, command.to)


def propose(state: State, command: c.Propose, dice: Dice) -> Handled:
    """O5.4 The proposal is known to the two sides alone."""
    treaty = Treaty(command.side, command.to, tuple(sorted(command.terms)), command.text)
    told = event("O5.4", "proposed", pair(command), side=command.side, of=command.to, text=command.text)
    return replace(state, treaties=(*state.treaties, treaty)), (told,)


def pair(command: Any) -> tuple[str, ...]:
    """The two sides of a command, for whom alone it is."""
    return tuple(sorted((command.side, command.to)))


def why_not_agree(state: State, command: c.Agree) -> Illegal | None:
    """O5.4 There must be a proposal of the other side."""
    if not any(each.by == command.to and not each.turn for each in between(state, command.side, command.to)):
        return Illegal("O5.4", "That side has proposed nothing.")
    return why_not_to(state, command.side, command.to)


def agree(state: State, command: c.Agree, dice: Dice) -> Handled:
    """O5.4 The treaty holds from now on."""
    treaties = tuple(
        replace(each, turn=state.turn) if each.by == command.to and each.to == command.side and not each.turn else each
        for each in state.treaties
    )
    told = event("O5.4", "agreed", pair(command), side=command.side, of=command.to)
    return replace(state, treaties=treaties), (told,)


def why_not_denounce(state: State, command: c.Denounce) -> Illegal | None:
    """O5.4 There must be something to end."""
    if not between(state, command.side, command.to):
        return Illegal("O5.4", "There is no treaty between these sides.")
    return why_not_side(state, command.side)


def denounce(state: State, command: c.Denounce, dice: Dice) -> Handled:
    """O5.4 Nothing holds between the two any more; the other hears of it."""
    gone = between(state, command.side, command.to)
    told = event("O5.4", "denounced", pair(command), side=command.side, of=command.to)
    return replace(state, treaties=tuple(each for each in state.treaties if each not in gone)), (told,)


def why_not_post(state: State, command: c.Post) -> Illegal | None:
    """O11.2 A letter says something, and not too much."""
    if not 0 < len(command.text.strip()) <= LONGEST_TEXT:
        return Illegal("O11.2", "A letter must have 1 to %(most)s %(most|character|characters)s.", most=LONGEST_TEXT)
    return why_not_to(state, command.side, command.to)


def post(state: State, command: c.Post, dice: Dice) -> Handled:
    """O11.2 A letter arrives at once, or goes by a dispatch boat between the sides' nearest ports."""
    mail = Mail(command.side, command.to, command.text, state.turn)
    seen = pair(command)
    if state.options.letters == "by_ship":
        mail = replace(mail, days=days_between(state, command.side, command.to), arrived=False)
        seen = (command.side,)
    told = event("O11.2", "posted", seen, side=command.side, of=command.to, text=command.text)
    return replace(state, mail=(*state.mail, mail)), (told,)


def days_between(state: State, one: str, other: str) -> int:
    """O1.1, O11.2 Days of a dispatch boat, or of a rider, between the nearest ports of two sides; one at least."""
    world, speed = chart(state.world), state.tables.letters
    mine = [port for port, side in state.ports.items() if side == one]
    theirs = [port for port, side in state.ports.items() if side == other]
    ways = [-(-world.from_(port)[end][0] // speed.boat) for port in mine for end in theirs if end in world.from_(port)]
    roads = [
        -(-miles // speed.rider) for port in mine for end in theirs if (miles := world.by_road(port, end)) is not None
    ]
    return max(1, min((*ways, *roads), default=1))


def deliver(state: State, dice: Dice) -> Handled:
    """O3.1, O11.2 Before a turn the letters on their way: on two ones one is taken, on a die of 5 it is late."""
    events: list[Event] = []
    mail = []
    for each in state.mail:
        if not each.arrived and not each.lost:
            each = carry(state, each, dice)
            if each.arrived:
                events.append(event("O11.2", "letter_came", (each.to,), side=each.to, of=each.by, text=each.text))
        mail.append(each)
    return replace(state, mail=tuple(mail)), tuple(events)


def carry(state: State, each: Mail, dice: Dice) -> Mail:
    """O11.2 One letter after a turn."""
    row = state.tables.letters
    first, second, late = dice.roll(3, 6, "O11.2", only=UMPIRE)
    is_new = each.turn == state.turn - 1  # it was written in the turn that has just run
    if is_new and first + second <= row.lost:
        return replace(each, lost=True)
    left = each.days + row.delay * (is_new and late >= row.late) - state.tables.days[state.turn_length]
    return replace(each, days=max(0, left), arrived=left <= 0)


def why_not_mark(state: State, command: c.Mark) -> Illegal | None:
    """O5.2 A pin stands in a space of the world."""
    if command.space not in chart(state.world).spaces:
        return Illegal("O5.2", "There is no space called %(space)s on this map.", space=command.space)
    if len(command.note) > LONGEST_TEXT:
        return Illegal("O5.2", "A note may have at most %(most)s %(most|character|characters)s.", most=LONGEST_TEXT)
    if command.note.strip() and len(other_pins(state, command)) >= MOST_PINS:
        return Illegal("O5.2", "A side may have at most %(most)s %(most|pin|pins)s.", most=MOST_PINS)
    return why_not_side(state, command.side)


def other_pins(state: State, command: c.Mark) -> list[Pin]:
    """O5.2 A side's pins in other spaces."""
    return [each for each in state.pins.get(command.side, ()) if each.space != command.space]


def mark(state: State, command: c.Mark, dice: Dice) -> Handled:
    """O5.2 A side's own pin with its note, in place of the one that stood there; without a note it is taken off."""
    pins = other_pins(state, command)
    if command.note.strip():
        pins.append(Pin(command.space, command.note, state.turn))
    told = event("O5.2", "marked", (command.side,), side=command.side, space=command.space, text=command.note)
    every = {**state.pins, command.side: tuple(sorted(pins, key=lambda each: each.space))}
    return replace(state, pins={side: every[side] for side in sorted(every) if every[side]}), (told,)


def offer_treaties(state: State, seat: str) -> Iterator[Offer]:
    """O5.4 What waits between two sides may be agreed to, or ended."""
    if state.sides[seat].resigned:
        return
    for other in state.playing:
        here = between(state, seat, other) if other != seat else ()
        if any(each.by == other and not each.turn for each in here):
            yield Offer("agree_treaty", "O5.4", {"side": seat, "to": other})
        if here:
            yield Offer("denounce", "O5.4", {"side": seat, "to": other})
