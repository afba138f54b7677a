"""Meeting an enemy: interception, avoiding battle, and the march shown before it is made."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from fractions import Fraction
from functools import partial
from typing import Any

from strategic.atlas import Reach, reach
from strategic.interception import attempt, beside, chance, outs, parties
from strategic.point_to_point.commands import (
    AcceptBattle,
    Avoid,
    Done,
    GoBack,
    Intercept,
    Party,
    Shelter,
    Stand,
    companies,
    least,
)
from strategic.point_to_point.movement import brought, come_to, loads, put, step_back, told_of, way_to, why_not_step
from strategic.point_to_point.rulebook import always, auto, book_of, box
from strategic.point_to_point.state import (
    NONE,
    ROADS,
    Campaign,
    Handled,
    March,
    S,
    Side,
    Troops,
    as_side,
    enemy,
    replace,
)
from strategic.point_to_point.survey import (
    commander,
    enemy_outside,
    enemy_units,
    generals_at,
    holding,
    is_enemy_ground,
    is_met_alone,
    is_own_city,
    is_shut_in,
    keep_to,
    may_follow,
    side_of_prompt,
    why_not_consular,
    why_not_keep_to,
    why_not_room,
)
from tactical.kernel.dice import Dice
from tactical.kernel.protocol import Event, Illegal, Offer, Prompt, Step, event, offer, refuse
from tactical.kernel.record import Reason, Record

# -- Interception of an army, or a general, that enters a space.

Named = dict[str, Any]


def why_not_target(state: Campaign, march: March) -> Illegal | None:
    """interception.general.3 Not where a CU of the mover stands that did not move, nor inside walls.

    interception.general.1 A general who moves without CUs can be intercepted too.
    """
    if (wrong := book_of(state).why_not_interception(state)) is not None:
        return wrong
    if march.inside:
        return Illegal("movement.general.3", "an army inside walls cannot be intercepted")
    if state.spaces[march.at].all_of(march.side).size > march.force.size:
        return Illegal("interception.general.3", "CUs that did not move stand in %(at)s", at=march.at)
    return None


def can_send(state: Campaign, side: Side, space: str, march: March) -> bool:
    """interception.general.1, interception.4 An army with a general next to the target by road, not shut in, one try a
    space and card (interception.general.4)."""
    return (
        space not in state.playing().intercepted_from
        and not is_shut_in(state, side, space)
        and state.spaces[space].all_of(side).size > 0
        and bool(generals_at(state, side, space))
        and book_of(state).may_units_enter(state, side, space, march.at)
    )


def named_tries(state: Campaign) -> list[Named]:
    """interception.more.1 The tries that have been named, all before any die."""
    found = state.agenda[-1].about.get("declared", [])
    if not isinstance(found, dict):
        return list(found)
    return [  # a position of an earlier program: general, and his CUs and trains
        {"space": state.generals[name].space, "generals": [name], "units": u, "elephants": e, "trains": t}
        for name, (u, e, t) in found.items()
    ]


def named_in(state: Campaign, command: Intercept) -> Intercept:
    """interception.1 The command with its space and generals, where it names one general only."""
    if command.general is None:
        return command
    record = state.generals.get(command.general)
    return replace(command, space=(record.space if record else None) or "", generals=(command.general,))


def why_not_intercept(state: Campaign, side: Side, command: Intercept) -> Illegal | None:
    """interception.1 Who tries, and what must stay (interception.1a, interception.1b, reading.5)."""
    march, book = state.marching(), book_of(state)
    if (wrong := why_not_target(state, march)) is not None:
        return wrong
    if command.space not in book.chart.neighbours(march.at, ROADS):
        return Illegal("interception.4", "%(space)s is not next to %(at)s by road", space=command.space, at=march.at)
    spaces = [named["space"] for named in named_tries(state)]
    if command.space in spaces or not can_send(state, side, command.space, march):
        return Illegal(
            "interception.general.4",
            "no army of %(side)s in %(space)s may try to intercept, or try again, during this card",
            side=side,
            space=command.space,
        )
    return why_not_interceptors(state, side, command.space, command.generals, command.force) or why_not_keep_to(
        state, command.generals, march.at
    )


def why_not_interceptors(
    state: Campaign, side: Side, space: str, group: tuple[str, ...], force: Troops
) -> Illegal | None:
    """interception.1a, interception.1b Generals of the space with at least one CU; a general who stays keeps one."""
    here, present = generals_at(state, side, space), state.spaces[space].all_of(side)
    if not group or len(set(group)) != len(group) or not set(group) <= set(here):
        return Illegal("interception.1", "name generals who are in that space")
    if not force.is_counted or not present.holds(force) or not force.size:
        return Illegal("interception.1a", "an interceptor must take at least one CU, and no more than there are")
    if force.size > state.tables.movement.units:
        most = state.tables.movement.units
        return Illegal(
            book_of(state).cite("movement.land.1a"),
            "a general may move with at most %(most)s %(most|CU|CUs)s",
            most=most,
        )
    if (wrong := book_of(state).why_not_load(state, force)) is not None:
        return wrong
    staying = [name for name in here if name not in group]
    if (
        wrong := why_not_consular(state, group, force, staying, present, rules=("reading.5", "interception.1b"))
    ) is not None:
        return wrong
    if staying and force.size == present.size:
        return Illegal("interception.1b", "a general who stays must keep a CU")
    return None


def intercept(state: S, command: Intercept, dice: Dice) -> Handled[S]:
    """interception.1 One more army is named; all are named before any die (interception.more.1)."""
    side, command = side_of_prompt(state), named_in(state, command)
    refuse(why_not_intercept(state, side, command))
    named = {"space": command.space, "generals": list(command.generals), **told_of(command.force)}
    tries, play = [*named_tries(state), named], state.playing()
    state = replace(state, play=replace(play, intercepted_from=(*play.intercepted_from, command.space)))
    return state.asking(declared=tries), (
        event("interception.1", "interception_declared", (), False, side=side, **named),
    )


def intercept_modifier(state: Campaign, side: Side, target: str) -> int:
    """interception.2b +1 if the target has an enemy PC and no friendly CU."""
    return int(holding(state, enemy(side), target) and not state.spaces[target].all_of(side).size)


def roll_interceptions(state: S, command: Done, dice: Dice) -> Handled[S]:
    """interception.2 A die for each; who succeeds moves in at once (interception.3), and his CUs count for the next."""
    side, tries = side_of_prompt(state), named_tries(state)
    events: tuple[Event, ...] = ()
    state = state.answered()
    for named in tries:
        state, more = roll_one(state, side, named, dice)
        events += more
    march = state.marching()
    if march.intercepted:
        state = state.then(Prompt("intercepted", march.side, "interception.3a"))
    return state, events


def roll_one(state: S, side: Side, named: Named, dice: Dice) -> Handled[S]:
    """interception.2a No higher than the battle rating of that army's commander; Varro and Gisgo by ability."""
    march, group, start = state.marching(), tuple(named["generals"]), named["space"]
    modifier = intercept_modifier(state, side, march.at)
    leader = commander(state, group) or ""
    limit = book_of(state).limit(state, leader, "intercept", False)
    good, face = attempt(dice, "interception.2", limit, modifier, general=leader, to=march.at)
    told = event(
        "interception.2a",
        "interception",
        side=side,
        general=leader,
        start=start,
        to=march.at,
        dice=[face],
        modifier=modifier,
        rating=limit,
        success=good,
    )
    force = Troops(named["units"], named["elephants"], named.get("trains", 0))
    if not good:
        failed, bound = (*march.failed, *group), {**march.bound, start: force}
        return replace(state, march=replace(march, failed=failed, bound=bound)), (told,)
    state = state.take(start, side, force).add(march.at, side, force).move_generals(group, march.at)
    return replace(state, march=replace(march, intercepted=(*march.intercepted, *group))), (told,)


def intercept_open(state: Campaign) -> bool:
    """interception.general.1 May anybody still try?"""
    march = state.march
    if march is None or why_not_target(state, march) is not None:
        return False
    return bool(named_tries(state)) or bool(watchers(state))


def watchers(state: Campaign) -> tuple[str, ...]:
    """interception.general.1 The spaces from which an army could try now."""
    spaces = [named["space"] for named in named_tries(state)]
    return tuple(space for space in senders(state, side_of_prompt(state)) if space not in spaces)


def senders(state: Campaign, side: Side) -> tuple[str, ...]:
    """interception.general.1 The spaces from which an army of the side could try against the army on the march."""
    march = state.marching()
    near = beside(book_of(state).chart, march.at, ROADS, lambda space: can_send(state, side, space, march))
    return tuple(space for space in near if any(True for _ in tries_from(state, side, space)))


def tries_from(state: Campaign, side: Side, space: str) -> Iterator[Named]:
    """interception.1a Every group of generals of a space with the CUs that they may take, as fields."""
    here, at = state.spaces[space].all_of(side), state.marching().at
    groups = (group for group in parties(generals_at(state, side, space)) if keep_to(state, group, at))
    why_not = partial(why_not_interceptors, state, side, space)
    for fields in companies("generals", groups, here, state.tables.movement.units, why_not):
        yield {"space": space, **fields}


def intercept_choices(state: Campaign) -> Iterator[Offer]:
    """interception.1 The armies that may try, or no (more) of them."""
    side = side_of_prompt(state)
    for space in watchers(state):
        for fields in tries_from(state, side, space):
            yield Offer("intercept", "interception.1", fields)
    yield Offer("done", "interception.2")


# the army that was caught


def can_go_back(state: Campaign) -> bool:
    """interception.3a Is the space that it came from open (over sea too)?"""
    march = state.marching()
    return len(march.path) > 1 and not enemy_outside(state, march.side, march.path[-2]).size


def go_back(state: S, command: GoBack, dice: Dice) -> Handled[S]:
    """interception.3a One space back, and the move is over. naval.3, 11.7.second.a: over the sea as its game does it.

    Ruling: the source does not say whether it may move on; like an army that failed to pursue it stops there,
    but may still make its siege roll.
    """
    if not can_go_back(state):
        raise Illegal("interception.3a", "the space that the army came from is closed to it")
    state = state.answered()
    march, book = state.marching(), book_of(state)
    start, to = march.at, march.path[-2]
    told = event("interception.3a", "went_back", side=march.side, general=march.general, start=start, to=to)
    if march.landed():
        state, events = book.sail_back(state)
        return state, (told, *events)
    state = put(state, march, start, to)
    back = replace(march, path=march.path[:-1], legs=march.legs[:-1], intercepted=(), stopped=True)
    state, events = book.on_step(replace(state, march=back), march.legs[-1], True, dice)
    return state, (told, *events)


def accept_battle(state: S, command: AcceptBattle, dice: Dice) -> Handled[S]:
    """interception.3a It fights where it was caught."""
    march = state.marching()
    return state.answered(), (
        event("interception.3a", "accepted", side=march.side, general=march.general, space=march.at),
    )


def caught_choices(state: Campaign) -> Iterator[Offer]:
    """interception.3a Back or battle."""
    if can_go_back(state):
        yield Offer("go_back", "interception.3a")
    yield Offer("accept_battle", "interception.3a")


# -- The chance of the die that an interception or an avoidance by land brings (interception.2a, avoid.2).


def chances(state: Campaign, command: Mapping[str, Any]) -> tuple[Fraction, ...]:
    """interception.2a, avoid.2 By the rating of their commander, for the side that is asked; () without a die."""
    if command["type"] not in ("intercept", "avoid"):
        return ()
    side, book = as_side(state.agenda[-1].seat), book_of(state)
    leader = commander(state, command["generals"]) or ""
    limit = book.limit(state, leader, command["type"], False)
    bare = Fraction(*chance(limit))
    if command["type"] == "avoid":
        return (bare,)
    plus = intercept_modifier(state, side, state.marching().at)
    alone = Fraction(1)  # the chance that none of those already named has come before his die
    for named in named_tries(state):
        most = book.limit(state, commander(state, named["generals"]) or "", "intercept", False)
        alone *= 1 - Fraction(*chance(most, plus))
    return (alone * Fraction(*chance(limit, plus)) + (1 - alone) * bare,)


# -- Meeting an enemy: into the walls or away, or standing for battle.


def meet(state: S, dice: Dice) -> Handled[S]:
    """movement.land.1d Who is here? Nobody outside the walls: go on. Others may avoid battle.

    cities.3: CUs inside a city are not met, and stop nobody. interception.general.5: who has just intercepted finds
    no refuge, nor does an army that stood here before. movement.land.1e: a general without CUs passes one of the
    enemy's; caught by an interception he is displaced.
    """
    state = state.answered()
    march = state.march
    if march is None or march.inside:
        return state, ()
    other = enemy(march.side)
    troops = state.spaces[march.at].outside(other)
    people = generals_at(state, other, march.at, inside=False)
    if not troops.size and not people:
        return state, ()
    if not march.force.size:
        return alone(state, march, other) if troops.size else (state, ())
    if march.intercepted:
        return state.then(Prompt("clash", "", "battle.1")), ()
    return state.then(Prompt("avoid", other, "avoid.1", {"sheltered": False}), Prompt("clash", "", "battle.1")), ()


def alone(state: S, march: March, other: Side) -> Handled[S]:
    """movement.land.1d, movement.land.5a A general among enemy CUs without any: caught, he is displaced; else he steps
    back.
    """
    if not march.intercepted:
        return step_back(state, march)
    return replace(state, march=None), ()


# into the walls


def why_not_shelter(state: Campaign, side: Side, command: Shelter) -> Illegal | None:
    """avoid.1a, cities.4 Into a friendly city in the space that is not besieged, once, as far as there is room."""
    space = state.marching().at
    place = state.spaces[space]
    if not is_own_city(state, side, space) or place.besieged():
        return Illegal("avoid.1a", "there is no friendly city in the space that is not besieged")
    if state.agenda[-1].about.get("sheltered"):
        return Illegal("avoid.1a", "troops have already gone inside the walls; no more may follow")
    force, here = command.force, generals_at(state, side, space, inside=False)
    if len(set(command.generals)) != len(command.generals) or not set(command.generals) <= set(here):
        return Illegal("avoid.1a", "these generals are not before the walls")
    if not force.is_counted or not place.outside(side).holds(force):
        return Illegal("avoid.1a", "there are not that many CUs before the walls")
    if not force.size and not command.generals:
        return Illegal("avoid.1a", "at least one general or CU must go in")
    staying = [name for name in here if name not in command.generals]
    return why_not_consular(state, command.generals, force, staying, place.outside(side)) or why_not_room(
        state, space, force
    )


def shelter(state: S, command: Shelter, dice: Dice) -> Handled[S]:
    """avoid.1a No roll, and no pursuit roll either."""
    side, space = side_of_prompt(state), state.marching().at
    refuse(why_not_shelter(state, side, command))
    state = state.asking(sheltered=True).enter_walls(space, side, command.force)
    state = state.move_generals(command.generals, space, inside=True)
    told = event(
        "avoid.1a", "sheltered", side=side, space=space, generals=list(command.generals), **told_of(command.force)
    )
    return state, (told,)


def shelter_offers(state: Campaign, side: Side) -> Iterator[Offer]:
    """avoid.1a Everybody who may go in."""
    space = state.marching().at
    out, groups = state.spaces[space].outside(side), parties(generals_at(state, side, space, inside=False), least=0)

    def why_not(group: Party, force: Troops) -> Illegal | None:
        return why_not_shelter(state, side, Shelter(group, force.units, force.elephants, force.trains))

    for fields in companies("generals", groups, out, out.size, why_not):
        yield Offer("shelter", "avoid.1a", fields)


# away


def avoid_targets(state: Campaign, side: Side) -> tuple[str, ...]:
    """avoid.3b, avoid.4 By road, not onto enemy PCs, CUs or foreign tribes, nor where the attacker came from."""
    march = state.marching()
    return outs(
        book_of(state).chart,
        march.at,
        ROADS,
        march.came_from(),
        lambda there: not is_enemy_ground(state, side, there) and not enemy_units(state, side, there),
    )


def group_of(state: Campaign, side: Side, command: Avoid) -> tuple[str, ...]:
    """avoid.1 The generals who go: those named, or the one named with all who may follow him."""
    if command.general is None:
        return command.generals
    here = generals_at(state, side, state.marching().at, inside=False)
    if command.general not in here:
        return (command.general,)
    others = (name for name in here if name != command.general and may_follow(state, command.general, name))
    return (command.general, *others)


def why_not_avoid(state: Campaign, side: Side, command: Avoid) -> Illegal | None:
    """avoid.3 All who go, go to one space, up to 10 CUs; some may stay (avoid.3a)."""
    march, book, group = state.marching(), book_of(state), group_of(state, side, command)
    if command.to not in avoid_targets(state, side):
        return Illegal("avoid.3b", "an army may not avoid battle by going to %(to)s", to=command.to)
    if not command.force.size and is_met_alone(state, side, command.to):
        return Illegal(
            "movement.land.1e", "a general without CUs cannot stop at %(to)s, where an enemy general is", to=command.to
        )
    wrong = why_not_avoiders(state, side, group, command.force) or why_not_keep_to(state, group, command.to)
    if wrong is not None:
        return wrong
    if command.force.size and not book.may_units_enter(state, side, march.at, command.to):
        return Illegal("strategy.event.1", "these CUs cannot go there while card 57 or 58 is in force")
    return None


def why_not_avoiders(state: Campaign, side: Side, group: tuple[str, ...], force: Troops) -> Illegal | None:
    """avoid.3a Who goes and what stays. interception.general.6: who failed to stop this army cannot avoid it."""
    march = state.marching()
    here = generals_at(state, side, march.at, inside=False)
    if not group or len(set(group)) != len(group) or not set(group) <= set(here):
        return Illegal("avoid.1", "CUs can avoid battle only under a general in this space")
    if set(group) & set(march.failed):
        return Illegal(
            "interception.general.6", "an army that failed to intercept may not avoid battle with the same enemy"
        )
    outside = state.spaces[march.at].outside(side)
    if not force.is_counted or not outside.holds(force):
        return Illegal("avoid.3", "there are not that many CUs here")
    bound = march.bound.get(march.at, NONE).shared_with(outside)
    if not outside.minus(bound).holds(force):
        return Illegal(
            "interception.general.6",
            "the troops that failed to intercept may not avoid battle with the same enemy under another general",
        )
    if force.size > state.tables.movement.units:
        return Illegal(
            "avoid.3",
            "at most %(units)s %(units|CU|CUs)s may avoid battle at once",
            units=state.tables.movement.units,
        )
    return book_of(state).why_not_load(state, force) or why_not_consular(
        state, group, force, [name for name in here if name not in group], outside
    )


def avoid(state: S, command: Avoid, dice: Dice) -> Handled[S]:
    """avoid.2 A die no higher than the battle rating of their commander; Fabius 5, Gisgo 3. One try."""
    side = side_of_prompt(state)
    refuse(why_not_avoid(state, side, command))
    group, force = group_of(state, side, command), command.force
    state = state.answered()
    march, book = state.marching(), book_of(state)
    leader = commander(state, group) or ""
    limit = book.limit(state, leader, "avoid", False)
    good, face = attempt(dice, "avoid.2", limit, general=leader, to=command.to)
    told = event(
        "avoid.2a",
        "avoided",
        side=side,
        general=leader,
        start=march.at,
        to=command.to,
        dice=[face],
        rating=limit,
        success=good,
    )
    if not good:
        return replace(state, march=replace(march, failed_avoid=True)), (told,)
    place = state.spaces[march.at]
    state = state.with_place(march.at, place.with_outside(side, place.outside(side).minus(force)))
    state = state.add(command.to, side, force).move_generals(group, command.to)
    state, more = book.leave_behind(state, side, group, march.at, "avoid")
    return replace(state, march=replace(state.marching(), chased=True)), (told, *more)


def avoid_away_offers(state: Campaign, side: Side) -> Iterator[Offer]:
    """avoid.2 Every party, and where it may go."""
    march, book = state.marching(), book_of(state)
    out, targets = state.spaces[march.at].outside(side), avoid_targets(state, side)
    groups = parties(generals_at(state, side, march.at, inside=False)) if targets else ()
    why_not = partial(why_not_avoiders, state, side)
    for fields in companies("generals", groups, out, state.tables.movement.units, why_not):
        to = [target for target in targets if keep_to(state, fields["generals"][0], target)]
        if fields["units"]["to"] + fields["elephants"]:
            to = [target for target in to if book.may_units_enter(state, side, march.at, target)]
        else:
            to = [target for target in to if not is_met_alone(state, side, target)]
        yield from offer("avoid", "avoid.2", to=to, **fields)


# or neither


def stand(state: S, command: Stand, dice: Dice) -> Handled[S]:
    """avoid.1 They stay."""
    return state.answered(), (event("avoid.1", "stood", side=side_of_prompt(state), space=state.marching().at),)


def avoid_choices(state: Campaign) -> Iterator[Offer]:
    """avoid.1 Into the walls, away, or stand; nothing where nobody could do anything but stand."""
    march, side = state.march, side_of_prompt(state)
    if march is None or not (
        state.spaces[march.at].outside(side).size or generals_at(state, side, march.at, inside=False)
    ):
        return
    found = (*shelter_offers(state, side), *avoid_away_offers(state, side))
    yield from (*found, Offer("stand", "avoid.1")) if found else ()


# -- The boxes of a meeting: each question with its answers, and what goes by itself.

INTERCEPT = box(
    "intercept",
    "interception.1",
    {Intercept: intercept, Done: roll_interceptions},
    intercept_choices,
    intercept_open,
)
BOXES: tuple[Step[Any], ...] = (
    INTERCEPT,
    box("intercepted", "interception.3a", {GoBack: go_back, AcceptBattle: accept_battle}, caught_choices, always),
    auto("meet", "movement.land.1d", meet),
    box("avoid", "avoid.1", {Shelter: shelter, Avoid: avoid, Stand: stand}, avoid_choices),
)


# -- movement.land.1 The march before it is made: where the army may come, by which way, and who may intercept it
# there.
#
# Only what is open to both sides is read, so that either may be shown it. What the enemy does on the way is not
# foreseen.


class Watcher(Record, frozen=True):
    """interception.general.1 An enemy general who could try to intercept there, and his chance."""

    general: str
    space: str
    success: Fraction


def whole_party(state: Campaign) -> dict[str, Any] | None:
    """movement.land.1b The fields of the largest party that may leave: most generals, most units, most elephants; None
    when nobody may."""
    march = state.marching()

    def size(fields: dict[str, Any]) -> tuple[int, int, int]:
        return len(fields["companions"][0]), fields["units"]["to"] + fields["elephants"], fields["elephants"]

    return max(loads(state, march, state.tables.movement.units, 1), key=size, default=None)


def party_of(fields: Mapping[str, Any]) -> tuple[tuple[str, ...], Troops]:
    """movement.land.1b The companions and the most CUs that these fields stand for."""
    return tuple(fields["companions"][0]), least({**fields, "units": {"from": fields["units"]["to"]}})


def ways_ahead(state: Campaign) -> Reach:
    """movement.land.1, movement.land.2 What the largest party reaches with its points, step by step as it would go, as
    far as the enemy lets it: no further than to enemy CUs before which it must stop (cities.3: not those in walls)."""
    march, chart = state.marching(), book_of(state).chart
    fields = whole_party(state)
    if march.stopped or fields is None:
        return Reach({march.at: 0}, {march.at: (march.at,)}, {})
    companions, force = party_of(fields)
    standing = {march.at: state}  # the position with the army in each space that it has come to

    def barred(start: str, to: str, kind: str, spent: int) -> Reason | None:
        here = standing[start]
        if start != march.at and force.size and enemy_outside(here, march.side, start).size:
            return Reason("the enemy stands in the way")
        wrong, way = why_not_step(here, to, companions, force), way_to(here, here.marching(), to)
        if wrong is None and way is not None:
            standing[to] = come_to(here, way, companions, force)
        return wrong.why if wrong else None

    return reach(chart, march.at, march.points, barred, "land")


def watchers_at(state: Campaign, space: str) -> tuple[Watcher, ...]:
    """interception.general.1 The enemy generals who may try if the largest party comes to a space, with their chances:
    whoever can lead one of the armies that the rule lets try there."""
    fields = whole_party(state)
    if fields is None:
        return ()
    there, book = brought(state, space, *party_of(fields)), book_of(state)
    side = enemy(there.marching().side)
    if why_not_target(there, there.marching()) is not None:
        return ()
    modifier, found = intercept_modifier(there, side, space), dict[str, Watcher]()
    for near in senders(there, side):
        for fields in tries_from(there, side, near):
            name = commander(there, fields["generals"][0]) or ""
            most = book.limit(there, name, "intercept", False)
            found[name] = Watcher(name, near, Fraction(*chance(most, modifier)))
    return tuple(found.values())
