"""Movement by sea, the Roman naval roll, and crossings fought on the table."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from msgspec.structs import replace

from strategic.hannibal.commands import Sail
from strategic.hannibal.rules.reinforcements import lose_train, train_among
from strategic.hannibal.rules.survey import may_units_enter
from strategic.hannibal.state import Crossing, Handled, March, State
from strategic.hannibal.tables import CARDS, CHART, LEADERS, TABLES, Naval, ground
from strategic.naval import settling
from strategic.naval.engagement import Engagement, Fleet, NavalOutcome, Transport, stops
from strategic.point_to_point.commands import least
from strategic.point_to_point.movement import (
    arrive,
    loads,
    put,
    set_out,
    why_not_entry,
    why_not_fresh,
    why_not_moving,
    why_not_party,
)
from strategic.point_to_point.state import Troops, enemy
from strategic.point_to_point.survey import commander, displace_all, holding, is_shut_in, rating
from tactical.kernel.dice import Dice
from tactical.kernel.protocol import Event, Illegal, Offer, Prompt, event, refuse

# -- Movement by sea, and the Roman naval roll that meets Carthage there.

PIRATE_PORTS = ("brundisium", "croton", "tarentum")


def why_not_ship(state: State, march: March) -> Illegal | None:
    """movement.sea.1 A card with a ship; on a campaign one general sails (Nero twice)."""
    play = state.playing()
    if not CARDS[play.card].ship:
        return Illegal("movement.sea.1", "the card shows no ship")
    if march.side == "rome" and state.lasting.naval_victory and not play.campaign:
        return Illegal("strategy.event.1", "this turn Rome may sail only with campaign cards (card 29)")
    if play.sailed is not None and play.sailed != march.general:
        return Illegal(
            "movement.sea.2", "with one campaign card only one army may sail, and another has already sailed"
        )
    if march.sailed and not LEADERS[march.general].campaign_points:
        return Illegal("movement.sea.3", "this army has already sailed")
    return None


def sea_limit(state: State) -> int:
    """movement.sea.2 CUs that sail together: 5; naval.2: 10 with a campaign card; 3 with card 50."""
    play = state.playing()
    if play.use == "pirates":
        return TABLES.movement.pirates_units
    return TABLES.movement.campaign_sea_units if play.campaign else TABLES.movement.sea_units


def why_not_port(state: State, march: March, to: str, inside: bool) -> Illegal | None:
    """movement.sea.5 From any port to any port; movement.sea.5a, movement.sea.6: walls under siege are closed."""
    for port in (march.at, to):
        if port not in CHART.spaces or not ground(port).port:
            return Illegal("movement.sea.5", "%(port)s is not a port", port=port)
    if to == march.at:
        return Illegal("movement.sea.5", "a voyage must lead to another port")
    if march.points < TABLES.movement.sea:
        return Illegal(
            "movement.sea.3",
            "sailing costs %(price)s %(price|point|points)s, and %(points)s %(points|is|are)s left",
            price=TABLES.movement.sea,
            points=march.points,
        )
    if is_shut_in(state, march.side, march.at) and state.spaces[march.at].besieged():
        return Illegal("movement.sea.5a", "nothing can sail out of %(at)s while it is besieged", at=march.at)
    if inside:
        place = state.spaces[to]
        if not ground(to).city or not holding(state, march.side, to) or place.besieged():
            return Illegal(
                "movement.sea.6", "an army can land inside a city only if the city is friendly and not besieged"
            )
    return None


def why_not_sail(state: State, march: March, command: Sail) -> Illegal | None:
    """movement.sea.3 A voyage."""
    wrong = (
        why_not_moving(march) or why_not_ship(state, march) or why_not_port(state, march, command.to, command.inside)
    )
    if wrong is not None:
        return wrong
    force = Troops(command.units, command.elephants)
    return (
        why_not_party(state, march, command.companions, force)
        or why_not_fresh(state, march, command.companions, force.size, TABLES.movement.sea)
        or why_not_landing(state, march, command.to, command.inside, command.companions, force)
    )


def why_not_landing(
    state: State, march: March, to: str, inside: bool, companions: tuple[str, ...], force: Troops
) -> Illegal | None:
    """movement.sea.2 Numbers aboard and room ashore; cards 57 and 58."""
    if force.size > sea_limit(state):
        return Illegal(
            "movement.sea.2",
            "at most %(sea_limit)s %(sea_limit|CU|CUs)s may sail at once",
            sea_limit=sea_limit(state),
        )
    if force.size and not may_units_enter(state, march.side, march.at, to):
        return Illegal("strategy.event.1", "these CUs cannot go there while card 57 or 58 is in force")
    if inside and force.size > state.room_left(to):
        return Illegal(
            "cities.2",
            "there is room inside the walls of %(to)s for only %(room_left)s more %(room_left|CU|CUs)s",
            to=to,
            room_left=state.room_left(to),
        )
    return why_not_entry(state, march, to, companions, force, march.points - TABLES.movement.sea)


def sail(state: State, command: Sail, dice: Dice) -> Handled:
    """movement.sea.3 Put to sea: storms may strike, then Rome rolls against Carthage (movement.sea.4)."""
    march = state.marching()
    refuse(why_not_sail(state, march, command))
    crossing = Crossing(command.to, command.inside, command.units, command.elephants, command.companions)
    told = event(
        "movement.sea.3",
        "sailed",
        general=march.general,
        start=march.at,
        to=command.to,
        inside=command.inside,
        units=command.units,
        elephants=command.elephants,
        companions=list(command.companions),
    )
    state, events = aboard(state, replace(march, sailed=march.sailed + 1), crossing)
    return state, (told, *events)


def aboard(state: State, march: March, crossing: Crossing) -> Handled:
    """movement.sea.4 The voyage is begun; the siege train does not sail."""
    events: tuple[Event, ...] = ()
    if train_among(state, (march.general, *crossing.companions)):
        state, events = lose_train(state)
    state = replace(state, march=replace(march, crossing=crossing))
    state = replace(state, play=replace(state.playing(), sailed=march.general))
    return state.then(
        Prompt("counter", enemy(march.side), "strategy.event.2", {"moment": "storms"}),
        Prompt("naval", "", "tables.naval"),
    ), events


def naval_modifier(
    state: State, start: str, to: str, size: int, generals: tuple[str, ...]
) -> tuple[int, dict[str, int]]:
    """tables.naval.ports, tables.naval.modifiers The sum, and its parts for the players.

    movement.command.6 Mago's ability works where he commands those who sail (movement.command.2).
    check.1: Carthage to New Carthage is -4. check.2: one CU from there to a Roman Rhegium is -1.
    """
    table, lasting = TABLES.naval, state.lasting
    leader = commander(state, generals)
    mago = state.leaders[leader].naval if leader is not None else 0
    parts = {
        "embarkation": ground(start).port_modifier,
        "landing": ground(to).port_modifier,
        "roman_start": table.roman_port * holding(state, "rome", start),
        "roman_landing": table.roman_port * holding(state, "rome", to),
        "alone": table.alone * (size <= 1),
        "syracuse": table.syracuse * holding(state, "carthage", "syracuse"),
        "macedon": table.macedon * (lasting.macedon == "allied"),
        "naval_victory": table.naval_victory * lasting.naval_victory,
        "mago": mago,
    }
    return sum(parts.values()), {name: value for name, value in parts.items() if value}


def is_met(state: State, march: March, to: str) -> bool:
    """naval.1 Rome rolls only against Carthage, and not where card 50 leads past it."""
    pirates = state.playing().use == "pirates" and (march.at in PIRATE_PORTS or to in PIRATE_PORTS)
    return march.side == "carthage" and not pirates


def naval(state: State, dice: Dice) -> Handled:
    """tables.naval, L1.1 The one place where a voyage is settled: unmet it lands, else the roll or a battle."""
    state = state.answered()
    march = state.marching()
    crossing = march.crossing
    assert crossing is not None
    if not is_met(state, march, crossing.to):
        return land(state)
    if stops(state.options.sea_battles, state.options.battles_at_sea):
        return state.then(Prompt("contested", "", "L2.6")), ()
    return roll_naval(state, dice)


def roll_naval(state: State, dice: Dice) -> Handled:
    """tables.naval The printed roll."""
    march = state.marching()
    crossing = march.crossing
    assert crossing is not None
    generals = (march.general, *crossing.companions)
    modifier, parts = naval_modifier(state, march.at, crossing.to, crossing.force.size, generals)
    (face,) = dice.roll(1, 6, "tables.naval", general=march.general, to=crossing.to)
    result = naval_result(face + modifier, state.tables.naval)
    told = event(
        "tables.naval",
        "naval_roll",
        dice=[face],
        modifier=modifier,
        parts=parts,
        result=result,
        start=march.at,
        to=crossing.to,
        general=march.general,
    )
    state, events = {"passes": land, "returns": return_to_port, "sunk": lose_at_sea}[result](state)
    return state, (told, *events)


def naval_result(total: int, table: Naval = TABLES.naval) -> str:
    """tables.naval 1 or less passes, 2 returns, more is sunk."""
    if total <= table.passes:
        return "passes"
    return "returns" if total <= table.returns else "sunk"


def land(state: State) -> Handled:
    """movement.sea.5 The army lands. naval.3: one that sailed back has ended its move."""
    march = state.marching()
    crossing = march.crossing
    assert crossing is not None
    if not crossing.back:
        state = set_out(state, march, crossing.companions, crossing.force.size, TABLES.movement.sea)
        march = state.marching()
    moved = replace(march, companions=crossing.companions, crossing=None, inside=crossing.inside)
    moved = replace(moved, detached=(), detached_size=0)
    moved = moved.with_force(crossing.force)
    state = put(state, moved, march.at, crossing.to, inside=crossing.inside)
    told = event("movement.sea.5", "landed", general=march.general, space=crossing.to, inside=crossing.inside)
    if crossing.back:
        home = replace(moved, path=march.path[:-1], legs=march.legs[:-1], intercepted=(), stopped=True)
        return replace(state, march=home), (told,)
    points = march.points - TABLES.movement.sea
    moved = replace(moved, path=(*march.path, crossing.to), legs=(*march.legs, "sea"), points=points)
    state = replace(state, march=moved)
    return (state if crossing.inside else arrive(state)), (told,)


def return_to_port(state: State) -> Handled:
    """tables.naval Back to the port of departure, and the move of all who sailed is over (movement.command.5).

    naval.3: going back, it must stay and fight.
    """
    march = state.marching()
    crossing = march.crossing
    assert crossing is not None
    if crossing.back:
        return replace(state, march=replace(march, crossing=None)), (event("naval.3", "must_stay", space=march.at),)
    party = replace(march, companions=crossing.companions, crossing=None, stopped=True)
    return replace(state, march=party.with_force(crossing.force)), ()


def lose_at_sea(state: State) -> Handled:
    """movement.land.5b CUs lost, generals displaced; losses.6: no political loss."""
    march = state.marching()
    crossing = march.crossing
    assert crossing is not None
    state = replace(state.take(march.at, march.side, crossing.force), march=None)
    force = crossing.force
    lost = event(
        "tables.naval", "sunk", general=march.general, units=force.size, elephants_lost=force.elephants, to=crossing.to
    )
    names = (march.general, *crossing.companions)
    state, events = displace_all(state, names, "movement.land.5b")
    return state, (lost, *events)


def after_storm(state: State, left: Troops) -> State:
    """strategy.event.2 Card 60: what is still aboard; the lost ones never leave the port's count."""
    march = state.marching()
    crossing = march.crossing
    assert crossing is not None
    state = state.take(march.at, march.side, crossing.force.minus(left))
    crossing = replace(crossing, units=left.units, elephants=left.elephants)
    if crossing.back:
        march = march.with_force(left)
    return replace(state, march=replace(march, crossing=crossing))


def sail_back(state: State) -> Handled:
    """naval.3 The intercepted army goes back to the port that it came from, and Rome rolls again."""
    march = state.marching()
    crossing = Crossing(march.path[-2], False, march.units, march.elephants, march.companions, back=True)
    return aboard(state, march, crossing)


def sail_offers(state: State) -> Iterator[Offer]:
    """movement.sea.3 For each party its ports, outside the walls and inside them."""
    march = state.marching()
    if march.stopped or why_not_ship(state, march) is not None:
        return
    for inside in (False, True):
        ports = [port for port in CHART.ports() if why_not_port(state, march, port, inside) is None]
        for fields in loads(state, march, sea_limit(state), TABLES.movement.sea) if ports else ():
            yield from _voyages(state, march, ports, inside, fields)


def _voyages(state: State, march: March, ports: list[str], inside: bool, fields: dict[str, Any]) -> Iterator[Offer]:
    """Ports grouped by the most units that may land there."""
    groups: dict[int, list[str]] = {}
    party, force, last = tuple(fields["companions"][0]), least(fields), fields["units"]["to"]
    for port in ports:
        top = min(last, state.room_left(port) - force.elephants) if inside else last
        if top >= force.units and why_not_landing(state, march, port, inside, party, force) is None:
            groups.setdefault(top, []).append(port)
    for top, group in groups.items():
        more = {**fields, "inside": inside, "units": {"from": force.units, "to": top}}
        yield Offer("sail", "movement.sea.3", {"to": group, **more})


# -- L2.6, L3.8 Carthage sails and Rome may come out: with the option, a contested crossing can be fought on the table.

ESCORTS = 2  # L2.6: escorts are 2 and half the troop units; the Roman squadron the escorts, 2 and the modifiers
ROMAN_MORE = 2


def meet(state: State, dice: Dice) -> Handled:
    """L1.1, L2.6 The crossing is contested: the campaign waits on the engagement and on nothing else."""
    state = state.answered()
    march = state.marching()
    crossing = march.crossing
    assert crossing is not None, "a contested crossing is under way"
    generals = (march.general, *crossing.companions)
    modifier, _ = naval_modifier(state, march.at, crossing.to, crossing.force.size, generals)
    escorts = ESCORTS + crossing.force.size // 2
    squadron = max(1, escorts + ROMAN_MORE + modifier)
    leader = commander(state, generals) or march.general
    engagement = Engagement(
        id=f"{state.turn}.{len(state.settled) + 1}",
        system="hannibal",
        place=crossing.to,
        fleets={
            "carthage": Fleet(
                settling.units_of("carthage", escorts),
                tuple(Transport(f"carthage-t{number + 1}") for number in range(crossing.force.size)),
                leader,
                LEADERS[leader].name,
                rating(state, leader),
            ),
            "rome": Fleet(settling.units_of("rome", squadron)),
        },
        mover="carthage",
        rule="tables.naval",
        start=march.at,
        turn=state.turn,
        deciding=state.options.sea_battles,
    ).decided()
    return replace(state, engagement=engagement), (settling.met(engagement),)


def enter(state: State, engagement: Engagement, outcome: NavalOutcome, dice: Dice) -> Handled:
    """L1.3, L3.8 The one way home: transports lost are CUs lost; then the rest lands, returns or is gone.

    It arrives if Carthage won, or if nobody did and at most a third of its transports are lost; a convoy without
    escort and transport is sunk and its generals are displaced, without political loss.
    """
    state = replace(state, engagement=None, settled={**state.settled, engagement.id: outcome})
    lost = outcome.of("carthage")
    told = settling.outcome_event(engagement, outcome)
    sent = engagement.fleets["carthage"]
    escort_gone = lost.lost >= len(sent.units) and not lost.fled
    if escort_gone and lost.transports >= len(sent.transports):
        state, more = lose_at_sea(state)
        return state, (told, *more)
    crossing = state.marching().crossing
    assert crossing is not None
    left = survivors(crossing.force, lost.transports)
    state = after_storm(state, left)
    arrives = settling.arrives(engagement, outcome)
    state, more = land(state) if arrives else return_to_port(state)
    elephants = crossing.elephants - left.elephants
    return state, (
        told,
        event("L3.8", "convoy", arrives=arrives, lost=lost.transports, elephants_lost=elephants),
        *more,
    )


def survivors(force: Troops, lost: int) -> Troops:
    """L3.8 Every transport lost is a troop unit lost: ordinary CUs first, then elephants."""
    units = min(force.units, lost)
    return Troops(force.units - units, force.elephants - (lost - units))


def by_own_table(state: State, dice: Dice) -> Handled:
    """L1.2 Both leave it to the naval roll."""
    return roll_naval(replace(state, engagement=None), dice)


MEETING: settling.Meeting[State] = settling.Meeting(by_own_table, enter)
