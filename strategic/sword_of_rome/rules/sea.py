"""9.6 Sea movement among five powers, and crossings fought on the table."""

from __future__ import annotations

from typing import Any

from msgspec.structs import replace

from strategic.interception import FACES
from strategic.naval import settling
from strategic.naval.engagement import Engagement, Fleet, NavalOutcome, Transport, stops
from strategic.sword_of_rome.commands import Contest, LendShips, Pass, Sail, SeaRoll
from strategic.sword_of_rome.rules import avoidance, battle, interception, land, reaction
from strategic.sword_of_rome.rules.moving_army import lose_moving, put_out, set_down, spendable, why_not_contest
from strategic.sword_of_rome.rules.survey import are_allied, carries, is_friendly, seat_of, strangers
from strategic.sword_of_rome.state import Crossing, State
from strategic.sword_of_rome.tables import CARTHAGE, CHART, SPACES, SYSTEM, TABLES, NavalCombat, name_of
from tactical.kernel.dice import Dice
from tactical.kernel.protocol import UMPIRE, Event, Handled, Illegal, NotYours, Prompt, event

# -- 9.6 Sea movement among five powers: it succeeds unless Carthage spends a card on it.

MEETING_STEP = "meeting"  # nobody is asked: the fleets meet by themselves


def why_not_sail(state: State, to: str) -> Illegal | None:
    """9.6.3, 15.3 Why the moving army may not sail to this port.

    Ruling: nor does it put out from the port of an ally whose CUs are there while Carthage may contest it, for a
    Return would set it down among them.
    """
    move = state.army
    if to not in SPACES:
        return Illegal("9.6.3", "There is no space called %(space)s.", space=repr(to))
    for port in (move.at, to):
        if not SPACES[port].port:
            return Illegal("9.6.3", "%(port)s is not a port.", port=SPACES[port].name)
    if to == move.at:
        return Illegal("9.6.3", "The army is already in %(to)s.", to=SPACES[to].name)
    price = CHART.costs["sea"]
    if move.points < price:
        return Illegal(
            "9.6.3",
            "Sailing costs %(price)s %(price|point|points)s, and %(points)s %(points|is|are)s left.",
            price=price,
            points=move.points,
        )
    room = carries(state, move.power, move.card, move.at, to, move.lent)
    if not room:
        return Illegal(
            "9.6.3",
            "This card gives %(power)s no ships for the passage to %(to)s.",
            power=name_of(move.power),
            to=SPACES[to].name,
        )
    if move.units > room:
        return Illegal(
            "9.6.3",
            "The ships carry %(room)s %(room|CU|CUs)s, but the army has %(units)s.",
            room=room,
            units=move.units,
        )
    if move.units and strangers(state, move.power, move.at) and why_not_contest(state, move.power) is None:
        return Illegal(
            "15.3", "An ally stands in %(space)s, and the army could not come back to it.", space=SPACES[move.at].name
        )
    return land.why_not_enter(state, to, move.points - price)


def sail(state: State, command: Sail, dice: Dice) -> Handled[State]:
    """9.6 (5p) The army puts to sea; 10.5.1 the port it leaves is where it may go back to."""
    move = state.army
    state = state.with_move(replace(move, points=move.points - CHART.costs["sea"]))
    friendly = is_friendly(state, move.power, command.to)
    said = event("9.6.3", "sailed", power=move.power, start=move.at, end=command.to, units=move.units)
    state, more = put_out(state, "move", move.power, move.units, move.at, command.to, friendly)
    return state, (said, *more)


def why_not_contest_with(state: State, command: Contest) -> Illegal | None:
    """9.6 (5p) Carthage contests with a card of its hand."""
    if command.card not in spendable(state, CARTHAGE):
        return Illegal("9.6 (5p)", "Carthage has no card of value %(card)s.", card=command.card)
    return None


def contest(state: State, command: Contest, dice: Dice) -> Handled[State]:
    """9.6 (5p) A card is discarded: its first point forces the roll, each further one adds 1 to the die.

    What follows waits as the question `sea_roll`: there a naval battle may take the place of the table (L1.1.a).
    """
    crossing = state.voyage
    state = replace(state.discarding(CARTHAGE, command.card), crossing=replace(crossing, contest=command.card))
    said = event("9.6 (5p)", "contested", card=command.card, power=crossing.power, modifier=modifier(state))
    seat = seat_of(state, crossing.power)
    if seat is not None and stops(state.options.sea_battles, state.options.battles_at_sea):
        return state.asking(Prompt(MEETING_STEP, "", "L1.1")), (said,)
    if seat is not None:
        return state.asking(Prompt("sea_roll", seat, "9.6.4", {"modifier": modifier(state)})), (said,)
    state, more = roll(state.asking(), dice)
    return state, (said, *more)


def pass_by(state: State, command: Pass, dice: Dice) -> Handled[State]:
    """9.6 (5p) Carthage keeps its cards: the crossing succeeds."""
    crossing = state.voyage
    said = event("9.6 (5p)", "pass", power=crossing.power)
    state, more = settle_crossing(state.asking(), "success", dice)
    return state, (said, *more)


def modifier(state: State) -> int:
    """9.6 (5p), 9.6.4 1 for each point of the card after the first; -2 when the destination is friendly."""
    crossing, table = state.voyage, state.tables.naval_combat
    card = max(0, (crossing.contest or 0) - table.first_point) * table.each_point
    return card + (table.friendly_port if crossing.friendly else 0)


def reading(total: int, table: NavalCombat = TABLES.naval_combat) -> str:
    """9.6.4 The naval combat table: values under 1 are a success too."""
    return "success" if total <= table.success else "return" if total <= table.back else "attrition"


def crossing_chances(modifier: int, table: NavalCombat = TABLES.naval_combat) -> dict[str, int]:
    """9.6.4 Of the six faces of the die, how many give success, return and attrition."""
    read = [reading(face + modifier, table) for face in FACES]
    return {result: read.count(result) for result in ("success", "return", "attrition")}


def cross_freely(state: State, dice: Dice) -> Handled[State]:
    """9.6 (5p) Nobody contests it: the crossing succeeds."""
    return settle_crossing(state.asking(), "success", dice)


def sea_roll(state: State, command: SeaRoll, dice: Dice) -> Handled[State]:
    """9.6.4 The contested army rolls on the naval combat table."""
    return roll(state.asking(), dice)


def roll(state: State, dice: Dice) -> Handled[State]:
    """9.6.4 One die with its modifiers: success, return or attrition."""
    crossing = state.voyage
    added = modifier(state)
    (face,) = dice.roll(1, 6, "9.6.4", power=crossing.power, start=crossing.start, end=crossing.end)
    result = reading(face + added, state.tables.naval_combat)
    said = event(
        "9.6.4", "naval_combat", power=crossing.power, dice=[face], modifier=added, total=face + added, result=result
    )
    lost = attrition(crossing.units, state.tables.naval_combat) if result == "attrition" else 0
    state, more = settle_crossing(state, result, dice, lost)
    return state, (said, *more)


def attrition(units: int, table: NavalCombat = TABLES.naval_combat) -> int:
    """9.6.4 The CUs that attrition takes: a third, rounded up (reconstructed)."""
    return -(-units // table.attrition_divisor)


def settle_crossing(state: State, result: str, dice: Dice, lost: int = 0) -> Handled[State]:
    """L1.3 The one place where a crossing is settled, whatever settled it.

    `result` is success, return or attrition (it arrives with losses); `lost` CUs are gone in any case.
    """
    crossing = state.voyage
    state = replace(state, crossing=None, pending=())
    arrived = result != "return"
    if crossing.purpose == "move":
        return land_army(state, crossing, arrived, lost, dice)
    if crossing.purpose == "decline":
        state, gone = lose_moving(state, lost)
        if state.move is None:
            return state, gone
        state, more = interception.gone_back(state) if arrived else interception.attack(state)
        return state, (*gone, *more)
    if crossing.purpose == "avoid":
        return avoidance.by_sea(state, crossing, arrived, lost, dice)
    return battle.by_sea(state, crossing, arrived, lost)


def land_army(state: State, crossing: Crossing, arrived: bool, lost: int, dice: Dice) -> Handled[State]:
    """9.6.4 The army lands and may be answered; or it is back in the port it left, and its move is over.

    Ruling: a Return ends the move, for the ships have come home.
    """
    state, events = lose_moving(state, lost)
    move = state.move
    if move is None:
        return state, events
    if not arrived:
        state, more = set_down(state)
        return state, (*events, event("9.6.4", "returned", power=move.power, space=crossing.start), *more)
    move = replace(move, at=crossing.end, came_from=crossing.start, by="sea", steps=move.steps + 1)
    state, more = reaction.enter(state.with_move(move), dice)
    return state, (*events, event("9.6 (5p)", "landed", power=move.power, space=move.at, lost=lost), *more)


def why_not_lend(state: State, command: LendShips) -> Illegal | None:
    """9.6.3 Carthage lends its ships to an ally on the move, for a card."""
    move = state.army
    if not move.units or move.power == CARTHAGE or not are_allied(state, move.power, CARTHAGE):
        return Illegal("9.6.3", "Carthage is not an ally of %(power)s.", power=name_of(move.power))
    if move.lent:
        return Illegal("9.6.3", "Carthage has already lent its ships.")
    if command.card not in spendable(state, CARTHAGE):
        return Illegal("9.6.3", "Carthage has no card of value %(card)s.", card=command.card)
    return None


def lend_ships(state: State, command: LendShips, dice: Dice) -> Handled[State]:
    """9.6.3 The ally may sail with as many CUs as the card carries."""
    move = state.army
    state = state.discarding(CARTHAGE, command.card).with_move(replace(move, lent=command.card))
    return state, (event("9.6.3", "lent_ships", card=command.card, power=move.power),)


# -- L2.6, L3.8 A contested crossing can be fought on the table; the result comes home by `sea.settle_crossing`.

ESCORTS, MORE_TO_A_FRIEND = 3, 2  # L2.6
PUNIC, PUNIC_EACH_POINT = 1, 2


def meets(state: State, dice: Dice) -> Handled[State]:
    """L1.1, L2.6 Carthage comes out against a convoy: both seats are asked how to settle it."""
    crossing = state.voyage
    seat = seat_of(state, crossing.power)
    assert seat is not None
    escorts = ESCORTS + (MORE_TO_A_FRIEND if crossing.friendly else 0)
    squadron = PUNIC + PUNIC_EACH_POINT * (crossing.contest or 0)
    number = len(state.settled) + 1
    engagement = Engagement(
        id=f"{state.turn}.{number}",
        system=SYSTEM,
        place=crossing.end,
        fleets={
            seat: Fleet(
                settling.units_of(seat, escorts),
                tuple(Transport(f"{seat}-t{each + 1}") for each in range(crossing.units)),
            ),
            CARTHAGE: Fleet(settling.units_of(CARTHAGE, squadron)),
        },
        mover=seat,
        rule="9.6.4",
        start=crossing.start,
        turn=state.turn,
        deciding=state.options.sea_battles,
    ).decided()
    about = {"engagement": engagement.id}
    asked = tuple(Prompt("engagement", each, "L1.2", about) for each in (seat, CARTHAGE))
    return replace(state, engagement=engagement, pending=asked), (settling.met(engagement),)


def by_seat(state: State, seat: str, given: Any) -> Illegal | NotYours | None:
    """L1.2, L1.4 The seats whose fleets have met settle it; without a battle only the umpire enters an outcome."""
    if isinstance(given, settling.Settle | settling.Report) and given.engagement in state.settled:
        return None
    engagement = state.engagement
    if seat == UMPIRE or engagement is None or engagement.id != given.engagement:
        return None
    if seat not in engagement.fleets:
        return NotYours("This meeting is between %(list)s.", list=tuple(engagement.fleets))
    return settling.only_umpire_enters(state, seat, given)


def check(state: State, given: Any) -> None:
    """L1.1 Only who has a fleet there speaks."""
    side = getattr(given, "side", None)
    if side not in (None, UMPIRE) and state.engagement is not None and side not in state.engagement.fleets:
        raise Illegal("L1.1", "%(side)s %(side|takes|take)s no part in this engagement.", side=side)


def by_own_table(state: State, dice: Dice) -> Handled[State]:
    """L1.2 Both leave it to the crossing roll."""
    return roll(replace(state, engagement=None).asking(), dice)


def enter(state: State, engagement: Engagement, outcome: NavalOutcome, dice: Dice) -> Handled[State]:
    """L1.3, L3.8 Transports lost are CUs lost; arriving with losses stands for attrition.

    It arrives if the mover won, or if nobody did and at most a third of the transports are lost; a convoy without
    escort and transport is gone; any other returns with the rest.
    """
    state = replace(state, engagement=None, settled={**state.settled, engagement.id: outcome})
    lost = outcome.of(engagement.mover).transports
    told: tuple[Event, ...] = (settling.outcome_event(engagement, outcome),)
    arrives = settling.arrives(engagement, outcome)
    result = ("attrition" if lost else "success") if arrives else "return"
    told += (event("L3.8", "convoy", arrives=arrives, lost=lost),)
    state, more = settle_crossing(state, result, dice, lost)
    return state, (*told, *more)


MEETING: settling.Meeting[State] = settling.Meeting(by_own_table, enter, check)
