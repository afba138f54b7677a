"""5.0 Movement: a leader and the force under it go hex by hex, paying one of twenty points for each."""

from __future__ import annotations

from msgspec.structs import replace

from strategic.punic_wars.commands import Finish, March, Move, Take
from strategic.punic_wars.rules import attrition, control, towns
from strategic.punic_wars.rules.combat import owes_attack, relief_is_possible
from strategic.punic_wars.rules.control import aftermath
from strategic.punic_wars.rules.geography import stop_distance
from strategic.punic_wars.rules.pieces import ENEMY, KINDS, Leader, Step
from strategic.punic_wars.rules.towns import available, mover, remaining_points
from strategic.punic_wars.state import Campaign, Handled
from strategic.punic_wars.tables import NUMBERS
from tactical.kernel.dice import Dice
from tactical.kernel.protocol import Event, Illegal, event


def free_mover(state: Campaign, id: str) -> Leader:
    """10.29 A leader that may act now and owes no attack."""
    leader = mover(state, id)
    if owes_attack(state, id):
        raise Illegal("10.29", "The relieving force must attack the besieger first.")
    return leader


def check_take(state: Campaign, command: Take) -> None:
    """5.13, 5.24, 5.25 Points that are there, face up and free; none are left behind in sea or mountains."""
    leader = free_mover(state, command.leader)
    for kind, wanted in (("land", command.land), ("naval", command.naval)):
        most = available(state, command.leader, kind)
        if wanted > most:
            raise Illegal(
                "5.24",
                "This leader can take only %(available)s %(kind)s %(available|point|points)s with him from here.",
                available=most,
                kind=kind,
            )
        if wanted < leader.force(kind) and not state.chart.places[leader.at or ""].can_stop:
            raise Illegal("5.25", "No points may be left behind in an all-sea or mountain hex.")


def take(state: Campaign, command: Take, dice: Dice) -> Handled:
    """5.13, 7.11 The leader picks up and drops at no cost: this is his force from here."""
    check_take(state, command)
    leader = state.leaders[command.leader]
    new = state.with_leader(command.leader, leader.leading(command.land, command.naval))
    happened = event(
        "5.13",
        "taken",
        only=(leader.side,),
        leader=command.leader,
        hex=leader.at,
        land=command.land,
        naval=command.naval,
    )
    return new, (happened,)


def ferry_is_open(state: Campaign, one: str, other: str, side: str, leaving: int = 0) -> bool:
    """5.37 A friendly naval point and no enemy one in the ferry hex, when the crossing begins.

    Ruling P22: `leaving` naval points that cross from the ferry hex in the same step do not keep it open.
    """
    at = state.chart.ferries.get(one, {}).get(other)
    if at is None:
        return False
    staying = state.points(at, side, "naval") - (leaving if at == one else 0)
    return staying > 0 and not state.points(at, ENEMY[side], "naval")


def must_be_carried(state: Campaign, side: str, origin: str, to: str, naval: int) -> bool:
    """5.32, 5.33 Must land points on this step have as many naval points with them? `naval` points go along.

    Ruling P2: over an all-sea hexside between coasts too, and over a ferry side while the ferry is shut.
    """
    kind = state.chart.sides[origin][to]
    shut = kind == "ferry" and not ferry_is_open(state, origin, to, side, naval)
    return state.chart.places[to].terrain == "sea" or kind == "sea" or shut


def check_step(state: Campaign, leader: Leader, to: str, land: int, naval: int) -> None:
    """5.12, 5.25, 5.32, 5.33, 5.37, 19.14.E May a force of this size go from the leader's hex into the next?"""
    origin = leader.at or ""
    chart = state.chart
    if to not in chart.sides.get(origin, {}):
        raise Illegal(
            "5.0 (procedure)", "%(to)s is not a hex beside %(origin)s on the map (5.25).", to=to, origin=origin
        )
    if remaining_points(leader) < NUMBERS.movement.hex_cost:
        raise Illegal("5.12", "Leader %(letter)s has no movement points left.", letter=leader.letter)
    place, kind = chart.places[to], chart.sides[origin][to]
    if is_closed(state, to):
        rule = "19.14.E" if state.scenario == "1" else "19.24.D"
        raise Illegal(rule, "No unit may enter %(region)s.", region=place.region)
    if naval and (place.terrain == "land" or kind == "land"):
        raise Illegal("5.32", "Fleets may not enter an all-land hex or cross an all-land hexside.")
    if land > naval and must_be_carried(state, leader.side, origin, to, naval):
        rule = "5.37" if kind == "ferry" else "5.33"
        raise Illegal(rule, "Here land points need at least an equal number of naval points with them.")


def check_move(state: Campaign, command: Move) -> None:
    """5.0, 10.29 A legal step of a leader who moves now and owes no attack."""
    free_mover(state, command.leader)
    check_way(state, command.leader, command.to)


def check_way(state: Campaign, id: str, to: str) -> None:
    """5.0, 5.25, 10.29 A legal step from which the force can still reach a hex where it may stop."""
    leader = state.leaders[id]
    check_step(state, leader, to, leader.land, leader.naval)
    place = state.chart.places[to]
    after = remaining_points(leader) - NUMBERS.movement.hex_cost
    if not place.can_stop:
        sieges = towns.sieges(state, leader.side, leader) if leader.land + leader.naval else frozenset()
        away = stop_distance(state, to, leader.land, leader.naval, sieges)
        if away is None or away * NUMBERS.movement.hex_cost > after:
            raise Illegal(
                "5.25",
                "From there the force could not reach a hex where it may certainly stop "
                "(not at sea, in mountains or with besieged friends).",
            )
    if (
        leader.land + leader.naval
        and towns.is_besieged(state, to, leader.side)
        and not relief_is_possible(state, id, to, after)
    ):
        raise Illegal("10.29", "A force may relieve a siege only if it can attack the besieger at 1:2 or better.")


def is_closed(state: Campaign, at: str) -> bool:
    """19.14.E, 19.24.D, 16.34 Regions that no unit may enter."""
    region = state.chart.places[at].region
    return region is not None and state.alignment.get(region) == "closed"


def move(state: Campaign, command: Move, dice: Dice) -> Handled:
    """5.12, 5.21, 5.22, 5.23, 5.31 One hex for one point, whatever stands there; first the attrition of leaving."""
    check_move(state, command)
    leader = state.leaders[command.leader]
    origin = leader.at or ""
    state = replace(state, active=command.leader)
    for kind in KINDS:
        state = towns.bound(state, command.leader, kind)
    state = replace(state, step=Step(command.leader, command.to))
    events: tuple[Event, ...] = ()
    risk = attrition.leaving(state, leader, origin, leader.land, leader.naval)
    if risk is not None:
        state, events = attrition.suffer(state, command.leader, risk, dice)
        if state.pending is not None:
            return state, events
    state, more = enter(state, dice)
    return state, events + more


def enter(state: Campaign, dice: Dice) -> Handled:
    """5.12, 9.12 The force stands in the next hex; then what happens there."""
    step = state.step
    assert step is not None
    state = replace(state, step=None)
    id, to = step.leader, step.to
    lost: tuple[Event, ...] = ()
    if not state.leaders[id].land + state.leaders[id].naval:
        state, lost = aftermath(state)  # P20: a leader whose force is wiped out as it leaves is alone here (8.31)
    leader = state.leaders[id]
    if leader.at is None or state.result is not None:
        return state, lost
    side, origin = leader.side, leader.at
    if leader.land > leader.naval and must_be_carried(state, side, origin, to, leader.naval):
        leader = leader.leading(leader.naval, leader.naval)  # the rest finds no ships any more and stays
    state = state.with_leader(id, leader)
    has_force = leader.land + leader.naval > 0
    relief = has_force and towns.is_besieged(state, to, side)
    cost = NUMBERS.movement.hex_cost
    if relief and not relief_is_possible(state, id, to, remaining_points(leader) - cost):
        return state, (*lost, event("10.29", "relief_failed", side=side, hex=to))
    state = towns.carry(state, id, to)
    state = state.with_leader(id, leader.moved_to(to, cost))
    events: tuple[Event, ...] = (
        *lost,
        event("5.12", "moved", side=side, hex=origin, to=to),
        event("5.12", "force", only=(side,), leader=id, land=leader.land, naval=leader.naval, to=to),
    )
    meets = state.occupied(to, ENEMY[side])
    inspected = (event("9.12", "inspected", reveals=True, side=side, hex=to),)
    if meets:
        events += inspected
    if relief:
        state = replace(towns.turned_out(state, to, side), must_attack=id)
        events += (event("10.29", "relief", side=side, hex=to),)
    if has_force:
        state, more = control.invasion(state, to, side)
        events += more
        if not meets and state.occupied(to, ENEMY[side]):  # enemies since this step (17.11)
            events += inspected
    risk = attrition.entering(state, state.leaders[id], to, leader.land, leader.naval)
    if risk is not None:
        state, more = attrition.suffer(state, id, risk, dice)
        events += more
    state, more = aftermath(state)
    return state, events + more


def march(state: Campaign, command: March, dice: Dice) -> Handled:
    """5.0 (procedure) A path walked hex by hex; a step that is refused undoes the whole command.

    The force named is taken first (5.13). It halts early after a loss, in an enemy's hex, at a question and at the end
    of the game.
    """
    events: tuple[Event, ...] = ()
    leader = mover(state, command.leader)
    if command.land is not None or command.naval is not None:
        land = leader.land if command.land is None else command.land
        naval = leader.naval if command.naval is None else command.naval
        state, events = take(state, Take(command.leader, land, naval), dice)
    for to in command.path:
        state, more = move(state, Move(command.leader, to), dice)
        events += more
        stop = any(happened.type in ("lost", "inspected", "relief_failed", "over") for happened in more)
        if stop or state.pending is not None or state.leaders[command.leader].at != to:
            break
    return state, events


def check_finish(state: Campaign, command: Finish) -> None:
    """5.25, 9.18 A force stops on land or coast, never in mountains; a relieving force has attacked.

    Ruling P16: a leader alone may not stop at sea or in mountains either.
    """
    leader = free_mover(state, command.leader)
    if not state.chart.places[leader.at or ""].can_stop:
        raise Illegal("5.25", "Nobody may stop in an all-sea or mountain hex.")


def finish(state: Campaign, command: Finish, dice: Dice) -> Handled:
    """5.0 (procedure) The movement is announced as finished; the force does not move again this phase."""
    check_finish(state, command)
    leader = state.leaders[command.leader]
    new = replace(state.with_leader(command.leader, leader.done()), active=None)
    own = event("5.0 (procedure)", "rests", only=(leader.side,), leader=command.leader)  # who he is stays hidden (9.12)
    return new, (event("5.0 (procedure)", "finished", side=leader.side, hex=leader.at), own)
