"""H9, H10, L3.6 After a naval battle: the one function that takes an outcome into the campaign, and who goes where."""

from __future__ import annotations

from collections import deque
from collections.abc import Iterator

from msgspec.structs import replace

from strategic.hamilcar.commands import AfterSea, PrizeRoll
from strategic.hamilcar.rules.sea import catching_force, may_catcher_land
from strategic.hamilcar.rules.survey import count_losses, displace, home, is_unskilled, lose
from strategic.hamilcar.rules.victory import owe
from strategic.hamilcar.state import Handled, State
from strategic.hamilcar.tables import ports_beside
from strategic.naval.engagement import Engagement, NavalOutcome, SideOutcome
from strategic.naval.settling import outcome_event
from strategic.point_to_point.commands import Pass
from strategic.point_to_point.movement import spend
from strategic.point_to_point.rulebook import auto, box
from strategic.point_to_point.state import SIDES, Side, Troops, as_side, enemy
from strategic.point_to_point.survey import is_met_alone, side_of_prompt
from tactical.kernel.dice import Dice
from tactical.kernel.protocol import Event, Illegal, Offer, Prompt, event


def enter(state: State, engagement: Engagement, outcome: NavalOutcome, dice: Dice) -> Handled:
    """L1.3, L3.6 Take an outcome into the campaign, whichever way it came; nothing else does."""
    state = replace(state, engagement=None, settled={**state.settled, engagement.id: outcome})
    won = as_side(outcome.winner) if outcome.winner else None
    events: list[Event] = [outcome_event(engagement, outcome)]
    sent = {side: tuple(unit.id for unit in engagement.fleets[side].units) for side in SIDES}
    for side in SIDES:
        state, more = ships_back(state, side, sent[side], outcome.of(side), won)
        events += more
    for side in SIDES:
        state, more = transports_back(state, side, outcome.of(side).transports)
        events += more
    holder = won or (as_side(outcome.supremacy) if outcome.supremacy else state.supremacy)
    if holder != state.supremacy:
        state = replace(state, supremacy=holder)
        events.append(event("11.7.after.5", "supremacy", side=holder))
    price = outcome.of(enemy(won)).lost // 2 if won else 0
    state = state.then(*_places(state, won, price))
    if won is not None and not outcome.of(enemy(won)).evaded:
        state = state.then(Prompt("prize_roll", won, "11.7.after.3"))
    return state, tuple(events)


def ships_back(state: State, side: Side, sent: tuple[str, ...], lost: SideOutcome, won: Side | None) -> Handled:
    """11.7.after.1, 11.7.after.2, H9 The loser's ships unready, the winner's ready, both unready without a winner.

    H7, L3.6 Captured ships go unready to a captor who won, or where nobody did; else back to their owner, unready.
    """
    captured = lost.captured_ships or _last(sent, lost.captured, lost.sunk_ships)
    sunk = lost.sunk_ships or _last(sent, lost.sunk, captured)
    state = state.damaged(side, {name: hull for name, hull in lost.damage.items() if name in sent})
    left = tuple(name for name in sent if name not in sunk and name not in captured)
    state, events = home(state, side, left)
    if won != side:
        state = state.made_unready(side, left)
    state = state.made_unready(side, lost.disabled_ships)
    if left:
        ready = [name for name in left if name in state.ready(side)]
        damage = {name: hull for name, hull in lost.damage.items() if name in left}
        events += (event("L2.4", "ships_home", side=side, ships=list(left), ready=ready, damage=damage),)
    state, more = lose(state, side, sunk, "11.7.after.6", "sunk")
    events += more
    state, more = prizes(state, side, captured, won)
    return state, (*events, *more)


def _last(sent: tuple[str, ...], count: int, other: tuple[str, ...]) -> tuple[str, ...]:
    """Ships that no one has named: the last of those sent."""
    free = [name for name in sent if name not in other]
    return tuple(free[len(free) - count :]) if count else ()


def prizes(state: State, side: Side, names: tuple[str, ...], won: Side | None) -> Handled:
    """11.7.prizes.a Captured ships stay with a captor who did not lose, up to ten a side (L3.6); else they return."""
    if not names:
        return state, ()
    if won == side:
        state = state.put_into_port(side, names)
        return state.made_unready(side, names), (
            event("11.7.prizes.a", "prizes_returned", side=side, ships=list(names)),
        )
    captor = enemy(side)
    kept = names[: state.berths(captor)]
    ships = tuple(ship for ship in state.fleet(side) if ship.name in kept)
    state = state.without_ships(side, names)
    taken = tuple(replace(ship, ready=False, at_sea=False) for ship in ships)
    state = state.with_fleet(captor, (*state.fleet(captor), *taken))
    told: tuple[Event, ...] = (
        event("11.7.after.6", "prizes", side=captor, ships=list(kept), broken_up=list(names[len(kept) :])),
    )
    if side == "rome":
        state, more = count_losses(state, len(names))
        told += more
    return state, told


def transports_back(state: State, side: Side, lost: int) -> Handled:
    """11.7.engage.c Each lost transport is 1 CU and its train."""
    if not lost:
        return state, ()
    march, voyage = state.marching(), state.sailing()
    if side == march.side:
        left = march.force.without_transports(lost)
        state = state.take(voyage.start, side, march.force.minus(left))
        state = replace(state, march=replace(march, force=left))
        gone = march.force.minus(left)
        where = voyage.start
    else:
        assert voyage.catcher is not None, "ships alone carry nobody"
        force, record = catching_force(state), state.generals[voyage.catcher]
        left = force.without_transports(lost)
        gone = force.minus(left)
        where = record.space or voyage.to
        state = state.take(where, side, gone)
        attempts = tuple(replace(a, force=left) if a.general == voyage.catcher else a for a in voyage.attempts)
        state = replace(state, voyage=replace(voyage, attempts=attempts))
    return state, (
        event(
            "11.7.engage.c",
            "transports_lost",
            side=side,
            units=gone.size,
            elephants_lost=gone.elephants,
            trains=gone.trains,
        ),
    )


def aboard(state: State, side: Side) -> Troops:
    """The troops that a side has at sea."""
    return state.marching().force if side == state.marching().side else catching_force(state)


def prize_roll(state: State, command: PrizeRoll, dice: Dice) -> Handled:
    """11.7.after.3, 11.7.after.4 One roll in column V at the transports of a loser who fled or has no ready ship."""
    won = side_of_prompt(state)
    loser, plus, state = enemy(won), 0, state.answered()
    if won == "rome":
        plus = (state.tables.naval.corvus if state.corvus else 0) + (
            state.tables.naval.unskilled if is_unskilled(state) else 0
        )
    (face,) = dice.roll(1, 6, "11.7.after.3", side=won)
    hits = state.tables.naval.read(face + plus, state.tables.naval.prize_column)
    hits = min(hits, aboard(state, loser).transports)
    told = event("11.7.after.3", "prize_roll", side=won, dice=[face], modifier=plus, hits=hits)
    state, more = transports_back(state, loser, hits)
    return state, (told, *more)


def prize_choices(state: State) -> Iterator[Offer]:
    """11.7.after.3 Roll, or let them go; nothing is asked where the loser has no transport left."""
    if aboard(state, enemy(side_of_prompt(state))).transports:
        yield Offer("prize_roll", "11.7.after.3")
        yield Offer("pass", "11.7.after.3")


def _places(state: State, won: Side | None, price: int) -> tuple[Prompt, ...]:
    """H10.a, H10.c What follows: the loser's markers, then the interceptor's place, then the mover's."""
    side = state.marching().side
    other = enemy(side)
    prompts = [owe(enemy(won), price, "11.7.political", "naval")] if won and price else []
    if won == other:
        prompts.append(Prompt("after_sea", other, "11.7.places.2", {"role": "catcher"}))
    else:
        prompts.append(Prompt("catcher_home", "", "11.7.places.3"))
    if won == side and may_mover_land(state):
        prompts.append(Prompt("after_sea", side, "11.7.places.1", {"role": "mover"}))
    else:
        prompts.append(Prompt("mover_home", "", "11.7.places.3"))
    return tuple(prompts)


def may_mover_land(state: State) -> bool:
    """11.7.places.1 A winning mover arrives, unless all the CUs that he had are lost (those stand in the settled
    outcome).
    """
    lost = next(reversed(state.settled.values())).of(state.marching().side).transports
    return state.marching().force.size > 0 or not lost


def after_sea(state: State, command: AfterSea, dice: Dice) -> Handled:
    """11.6.7.a, 11.7.places.1, 11.7.places.2 Land here, or go home."""
    role = state.agenda[-1].about["role"]
    state = state.answered()
    if role == "mover":
        if command.choice == "land":
            return state, ()  # the arrival is next
        return mover_home(state.then(Prompt("mover_home", "", "11.7.places.1")), dice)
    if command.choice == "home":
        return catcher_home(state.then(Prompt("catcher_home", "", "11.7.places.2")), dice)
    if not may_catcher_land(state):
        raise Illegal("11.7.places.2", "the interceptor's general may land only where no enemy CU stands")
    return catcher_lands(state)


def after_choices(state: State) -> Iterator[Offer]:
    """11.7.places Land or home; nothing to ask when the interceptor cannot land."""
    prompt = state.agenda[-1]
    if prompt.about["role"] != "catcher" or may_catcher_land(state):
        yield Offer("after_sea", prompt.rule, {"choice": ["land", "home"]})


def catcher_lands(state: State) -> Handled:
    """11.7.places.2 The interceptor's general and his troops land in the space of the interception."""
    voyage = state.sailing()
    assert voyage.catcher is not None
    record, force = state.generals[voyage.catcher], catching_force(state)
    assert record.space is not None
    side = enemy(state.marching().side)
    state = state.take(record.space, side, force).add(voyage.to, side, force)
    state = state.move_generals((voyage.catcher,), voyage.to)
    return state, (event("11.7.places.2", "landed", side=side, general=voyage.catcher, space=voyage.to),)


def catcher_home(state: State, dice: Dice) -> Handled:
    """11.7.places.3 The interceptor's general goes back to where he came from, or by H10.b elsewhere."""
    state = state.answered()
    voyage = state.sailing()
    if voyage.catcher is None:
        return state, ()
    record = state.generals[voyage.catcher]
    if record.space is None:
        return state, ()
    side = enemy(state.marching().side)
    return shut_out(state, side, record.space, record.inside, catching_force(state), (voyage.catcher,))


def mover_home(state: State, dice: Dice) -> Handled:
    """11.7.places.1, 11.7.places.3 The mover goes back to his last port, or by H10.b elsewhere; the move is over.

    movement.command.5 Who went back moves no more on this card.
    """
    state = state.answered()
    march, voyage = state.marching(), state.sailing()
    state, events = home(state, march.side, voyage.ships)
    state = replace(state, voyage=replace(voyage, ended=True))
    told = event("11.7.places.3", "went_back", side=march.side, general=march.general, space=voyage.start)
    state, more = shut_out(state, march.side, voyage.start, march.inside, march.force, march.generals)
    space = state.generals[march.general].space
    if space is not None and space != voyage.start:
        state = spend(state, space, march.force.size, march.generals)
    return state, (*events, told, *more)


def shut_out(state: State, side: Side, port: str, inside: bool, force: Troops, generals: tuple[str, ...]) -> Handled:
    """H10.b If enemy CUs now stand in the last port, and no own: the nearest own port by lanes, else all is lost.

    cities.3: CUs inside walls shut nobody out of his camp before them.
    """
    place = state.spaces[port]
    rest = place.all_of(side).size - force.size
    if inside or rest > 0 or not place.outside(enemy(side)).size:
        return state, ()
    state = state.take(port, side, force)
    harbour = nearest_harbour(state, side, port, force.size > 0)
    if harbour is not None:
        state = state.add(harbour, side, force).move_generals(generals, harbour)
        return state, (event("H10.b", "found_port", side=side, generals=list(generals), space=harbour),)
    events: tuple[Event, ...] = (
        event("H10.b", "army_lost", side=side, units=force.size, elephants_lost=force.elephants, trains=force.trains),
    )
    for name in generals:
        state, more = displace(state, name, "H10.b")
        events += more
    return state, events


def nearest_harbour(state: State, side: Side, start: str, with_units: bool) -> str | None:
    """H10.b The nearest own port by lanes in which no enemy CU stands, nor a general of the enemy beside whom one
    without CUs would be alone (movement.land.1e).
    """
    queue, seen = deque([start]), {start}
    while queue:
        here = queue.popleft()
        for there in ports_beside(here):
            if there in seen:
                continue
            seen.add(there)
            place = state.spaces[there]
            barred = not with_units and not place.all_of(side).size and is_met_alone(state, side, there)
            if place.control == side and not place.all_of(enemy(side)).size and not barred:
                return there
            queue.append(there)
    return None


BOXES = (
    auto("catcher_home", "11.7.places.2", catcher_home),
    auto("mover_home", "11.7.places.1", mover_home),
    box("after_sea", "11.7.places.1", {AfterSea: after_sea}, after_choices, leave=catcher_home),
    box("prize_roll", "11.7.after.3", {PrizeRoll: prize_roll, Pass: None}, prize_choices),
)
