"""O5 Seeing, and letters between the sides."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, NamedTuple

from msgspec.structs import replace

from strategic.coast import Point, apart, is_hidden
from strategic.open_campaign import commands as c
from strategic.open_campaign.rules.orders import LONGEST_TEXT, why_not_side
from strategic.open_campaign.rules.sailing import ROUGH, is_on_patrol, sky
from strategic.open_campaign.rules.world import chart
from strategic.open_campaign.state import Fleet, Handled, Mail, Pin, Sighting, State, Treaty
from strategic.open_campaign.tables import Tables
from tactical.kernel.dice import Dice
from tactical.kernel.protocol import UMPIRE, Event, Illegal, Offer, event

# -- O5.1 Seeing: a die by numbers, distance, weather and stance; what is seen is told with its error and its age.

CLOSE = 3  # nautical miles within which ships are counted well
STEP = 0.1  # of the error, by a pip of the die
LEAST = 0.75
DUSK = 4  # O5.1: in the last watch the light fails
DEGREE = 60.0  # nautical miles of a degree of latitude
WIDEST = 0.5  # a degree of longitude is never shorter than this part of one of latitude, in these seas


class Eye(NamedTuple):
    """Who looks out: a side, from a fleet or from a space with watchers."""

    side: str
    at: Point
    called: str
    scouts: bool = False


def eyes_of(state: State) -> tuple[Eye, ...]:
    """O5.1 Watchers ashore: in every port that a side holds."""
    world = chart(state.world)
    return tuple(
        Eye(side, world.spaces[port].lonlat, port)
        for port, side in sorted(state.ports.items())
        if not state.sides[side].resigned
    )


def is_near(one: Point, other: Point, miles: float) -> bool:
    """May two points be so near each other? A cheap question before the exact one."""
    return (
        abs(one[1] - other[1]) * DEGREE <= miles
        and abs(one[0] - other[0]) * DEGREE * WIDEST <= miles
        and apart(one, other) <= miles
    )


def sees(state: State, one: Point, other: Point) -> bool:
    """O5.1 Is the line between two points free of land? Only the great map knows where land is."""
    if not isinstance(state.world, str):
        return True
    first, last = sorted(((round(one[0], 2), round(one[1], 2)), (round(other[0], 2), round(other[1], 2))))
    return not is_hidden(first, last)


def modifier(state: State, target: str, miles: float, limit: float, scouts: bool) -> int:
    """O5.1 What numbers, distance, stance, scouts and weather do to the dice."""
    order = state.order_of(target)
    return on_the_dice(
        state.tables,
        len(state.fleets[target].ships),
        miles,
        limit,
        avoids=order is not None and order.stance == "avoid",
        dusk=state.watch >= DUSK,
        rough=sky(state, state.fleets[target], state.watch) in ROUGH,
        scouts=scouts,
    )


def on_the_dice(
    tables: Tables,
    number: int,
    miles: float,
    limit: float,
    *,
    avoids: bool = False,
    dusk: bool = False,
    rough: bool = False,
    scouts: bool = False,
) -> int:
    """O5.1 The same of plain facts: so many sail, so far, by a lookout who sees so far."""
    found = next(row.more for row in tables.sight.number if number <= row.most)
    return found + (2 * miles <= limit) - avoids - dusk + scouts + tables.sight.gale * rough


def look(
    state: State, eye: Eye, target: str, miles: float, limit: float, dice: Dice
) -> tuple[State, tuple[Event, ...], int]:
    """O5.1 A fleet or a watcher looks out for a fleet: what its side, and who shares its eyes, then knows of it.

    With it how many sail were told; 0 where nothing was seen.
    """
    more = modifier(state, target, miles, limit, eye.scouts)
    if sum(dice.roll(2, 6, "O5.1", only=UMPIRE)) + more < state.tables.sight.needed:
        return state, (), 0
    number = len(state.fleets[target].ships)
    if miles > CLOSE:
        (face,) = dice.roll(1, 6, "O5.1", only=UMPIRE)
        number = about(number, LEAST + STEP * (face - 1))
    return *note_sighting(state, eye, target, number), number


def note_sighting(state: State, eye: Eye, target: str, number: int, quiet: int = 1) -> tuple[State, tuple[Event, ...]]:
    """O5.1, O5.4 A sighting in the books of the side, and of those that have a treaty to share what they see.

    A fleet that was told as strong from the same place within `quiet` days is not told again.
    """
    world = chart(state.world)
    fleet = state.fleets[target]
    lon, lat = world.point(fleet.at)
    near = world.near(fleet.at)
    seen = Sighting(fleet.side, number, near, round(lon, 2), round(lat, 2), state.turn, state.day, fleet.heading)
    known = dict(state.known)
    days = state.tables.days[state.turn_length]
    now = state.turn * days + state.day
    if any(
        (each.side, each.near) == (fleet.side, near)
        and now - each.turn * days - each.day < quiet
        and each.number >= number
        for each in known.get(eye.side, ())
    ):
        return state, ()
    for side in (eye.side, *(other for other in state.sides if state.has_treaty(eye.side, other, "seeing"))):
        if side != fleet.side:
            known[side] = (*known.get(side, ()), seen)
    told = event(
        "O5.1",
        "sighted",
        (eye.side,),
        True,
        side=eye.side,
        of=seen.side,
        number=number,
        space=near,
        day=state.day,
        course=seen.course,
        fleet=eye.called,
    )
    return replace(state, known={name: known[name] for name in sorted(known)}), (told,)


def about(number: int, error: float) -> int:
    """O5.1 So many sail as they are told: larger numbers to the nearest five."""
    told = max(1, round(number * error))
    return told if told < 10 else 5 * round(told / 5)


def eye_of(state: State, name: str, fleet: Fleet, at: Point) -> Eye:
    """O3.3, O5.1 The lookouts of a fleet; a fleet that scouts, or patrols at its station, sees more."""
    order = state.order_of(name)
    scouts = order is not None and order.do == "scout"
    return Eye(fleet.side, at, name, scouts or is_on_patrol(state, name))


# -- O5.2, O5.4, O11.2 Between the sides: treaties, letters that may go by ship, and the pins on one's own map.

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
