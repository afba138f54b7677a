"""What comes of a meeting: generals caught alone, an overrun, a battle, a pursuit."""

from __future__ import annotations

from strategic.interception import attempt
from strategic.point_to_point.commands import Done, Pass, Pursue
from strategic.point_to_point.pieces import replace
from strategic.point_to_point.rulebook import book_of
from strategic.point_to_point.state import Campaign, Handled, March, S
from strategic.point_to_point.survey import commander
from strategic.point_to_point.tables import Side, enemy
from tactical.kernel.dice import Dice
from tactical.kernel.protocol import Event, Offer, Prompt, event


def clash(state: S, dice: Dice) -> Handled[S]:
    """movement.land.4 What is left is overrun or fights, and who is alone is caught (movement.land.5a); who has
    intercepted is not overrun.
    """
    state = state.answered()
    march = state.march
    if march is None:
        return state, ()
    other, most = enemy(march.side), state.tables.movement.overrun
    events: tuple[Event, ...] = ()
    troops = state.spaces[march.at].outside(other)
    if troops.size == 1 and march.force.size >= most and not march.intercepted:
        state, events = overrun(state, march, other)
    elif troops.size:
        return open_battle(state), ()
    return (state.then(Prompt("pursuit", march.side, "pursuit.1")) if march.chased else state), events


def overrun(state: S, march: March, other: Side) -> Handled[S]:
    """movement.land.4 Five CUs ride down one (reading.2); its general is then alone (movement.land.5a)."""
    troops = state.spaces[march.at].outside(other)
    state = state.set_outside(march.at, other, troops.only_trains())
    return state, (event("movement.land.4", "overrun", side=other, space=march.at, elephants=troops.elephants),)


def open_battle(state: S) -> S:
    """battle.1 A battle comes, unless the weather (card 41) prevents it."""
    march = state.marching()
    calm = book_of(state).moments(state, "weather")
    return state.then(*calm, Prompt("battle", "", "battle.1", {"space": march.at}))


# the pursuit


def pursuit_open(state: Campaign) -> bool:
    """pursuit.3 Only with points left to go on with."""
    return state.march is not None and state.march.points > 0 and not state.march.stopped


def pursue(state: S, command: Pursue, dice: Dice) -> Handled[S]:
    """pursuit.2 After a success the army moves on (pursuit.2b), after a failure it stops (pursuit.2c).

    pursuit.2a The battle rating of the active army's commander, whoever was activated; Flaminius 4.
    """
    state = state.answered()
    march = state.marching()
    leader = commander(state, march.generals) or ""
    limit = book_of(state).limit(state, leader, "pursue", True)
    good, face = attempt(dice, "pursuit.2", limit, general=leader)
    told = event("pursuit.2a", "pursuit", side=march.side, general=leader, dice=[face], rating=limit, success=good)
    return replace(state, march=replace(march, chased=False, stopped=not good)), (told,)


def give_up(state: S, command: Done | Pass, dice: Dice) -> Handled[S]:
    """pursuit.1 No pursuit: the army stops."""
    state = state.answered()
    march = state.marching()
    told: tuple[Event, ...] = (event("pursuit.1", "no_pursuit", side=march.side, general=march.general),)
    return replace(state, march=replace(march, chased=False, stopped=True)), told


def no_pursuit(state: S, dice: Dice) -> Handled[S]:
    """pursuit.3 No points are left."""
    state = state.answered()
    if state.march is None:
        return state, ()
    return replace(state, march=replace(state.march, chased=False, stopped=True)), ()


def pursuit_offers(state: Campaign) -> tuple[Offer, ...]:
    """pursuit.1 Roll, or stop."""
    return (Offer("pursue", "pursuit.2"), Offer("done", "pursuit.1"))
