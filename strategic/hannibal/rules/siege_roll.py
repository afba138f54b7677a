"""The siege roll of Hannibal: its dice and modifiers, and the fall of a city or tribe."""

from __future__ import annotations

from msgspec.structs import replace

from strategic.hannibal.rules.reinforcements import train_among
from strategic.hannibal.rules.victory import on_capital_fall
from strategic.hannibal.state import Handled, State
from strategic.hannibal.tables import LEADERS, TABLES, Leader, ground
from strategic.interception import FACES
from strategic.point_to_point.siege import bear_losses, is_target
from strategic.point_to_point.state import NONE, Side, enemy
from strategic.point_to_point.survey import commander, displace_all, generals_at
from tactical.kernel.dice import Dice
from tactical.kernel.protocol import Event, event

TRAITOR_CITY = "tarentum"


def siege(state: State, dice: Dice) -> Handled:
    """tables.siege Roll for points and for the besieger's losses."""
    about = state.agenda[-1].about
    general, space = about["general"], about["space"]
    state = state.answered()
    if state.march is None or state.march.weathered or state.march.at != space:
        return state, ()
    play = state.playing()
    state = replace(state, play=replace(play, rolled_at=(*play.rolled_at, space)))
    if play.use == "traitor" and space == TRAITOR_CITY:
        state, fallen = take_city(state, LEADERS[general].side, space)
        return state, (event("strategy.3", "betrayed", space=space, card=play.card), *fallen)
    events: tuple[Event, ...] = ()
    for _ in range(siege_dice(state, general, space)):
        if is_target(state, LEADERS[general].side, space) and state.result is None:
            state, more = siege_roll(state, general, space, dice)
            events += more
    return state, events


def besieging(state: State, general: str) -> tuple[str, ...]:
    """siege.1, siege.2 The generals who besiege together: the mover with his companions, or one who was detached."""
    march = state.march
    return march.generals if march is not None and march.general == general else (general,)


def siege_leader(state: State, general: str) -> Leader:
    """movement.command.2 Who commands the siege: of the others' abilities none works."""
    return LEADERS[commander(state, besieging(state, general)) or general]


def siege_dice(state: State, general: str, space: str) -> int:
    """tables.siege.marcellus Two dice with card 54, and for Africanus with a Force March; against walled cities only,
    not against tribes.
    """
    use = state.playing().use
    if state.spaces[space].tribe:
        return 1
    if use == "treachery":
        return 2
    return (siege_leader(state, general).force_march_siege_dice or 1) if use == "force_march" else 1


def siege_modifier(state: State, general: str, space: str) -> int:
    """tables.siege.carthage, tables.siege.great, tables.siege.marcellus The sum for this besieger and target.

    The siege train (card 30) is of the army, whoever of its generals has it.
    """
    leader, total = siege_leader(state, general), 0
    if leader.side == "carthage" and not train_among(state, besieging(state, general)):
        total += TABLES.siege.carthage
    if state.spaces[space].tribe:
        return total
    if ground(space).great:
        total += TABLES.siege.great
    if state.playing().campaign:
        total += leader.campaign_siege
    return total


def siege_results(state: State, general: str, space: str) -> tuple[tuple[int, int], ...]:
    """tables.siege What each face of the die gives, from 1 to 6: siege points, and CUs that the besieger loses."""
    modifier = siege_modifier(state, general, space)
    return tuple(state.tables.siege.read(face + modifier) for face in FACES)


def siege_roll(state: State, general: str, space: str, dice: Dice) -> Handled:
    """tables.siege One die: siege points (siege.4), losses, and the fall at 3 points (siege.5)."""
    side, modifier = LEADERS[general].side, siege_modifier(state, general, space)
    (face,) = dice.roll(1, 6, "tables.siege", general=general, space=space)
    won, lost = siege_results(state, general, space)[face - 1]
    place = state.spaces[space]
    force = place.outside(side)
    left = force.after_losses(lost, False)
    before = place.siege if place.besieger in (None, side) else 0
    points = min(before + won, TABLES.siege.takes)
    place = replace(place, siege=points, besieger=side if points else None)
    told = event(
        "subjugation.1" if place.tribe else "siege.4",
        "siege_roll",
        side=side,
        general=general,
        space=space,
        dice=[face],
        modifier=modifier,
        won=won,
        points=points,
        lost=force.size - left.size,
        elephants_lost=force.elephants - left.elephants,
    )
    state = bear_losses(state.with_place(space, place), general, left)
    if points < TABLES.siege.takes:
        return state, (told,)
    state, events = take_city(state, side, space)
    return state, (told, *events)


def take_city(state: State, side: Side, space: str) -> Handled:
    """siege.5, siege.more.4, subjugation.2 The marker turns to the captor; CUs inside die, generals are displaced."""
    place = state.spaces[space]
    tribe, dead = place.tribe, place.inside
    names = generals_at(state, enemy(side), space, inside=True)
    fallen = replace(place, control=side, tribe=False, inside=NONE, siege=0, besieger=None)
    state = state.with_place(space, fallen)
    kind, rule = ("subjugated", "subjugation.2") if tribe else ("city_taken", "siege.5")
    told = event(rule, kind, side=side, space=space, destroyed=dead.size, elephants_lost=dead.elephants)
    state, events = displace_all(state, names, "siege.5")
    if ground(space).capital == enemy(side):
        state, more = on_capital_fall(state, side)
        events += more
    return state, (told, *events)
