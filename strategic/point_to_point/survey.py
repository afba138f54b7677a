"""Questions about a position that many chapters ask: who holds what, who stands where, what is cut off."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping

from strategic.atlas import cut_off
from strategic.point_to_point.rulebook import book_of, nothing_more
from strategic.point_to_point.state import SIDES, Campaign, Handled, Province, S, Side, Troops, as_side, enemy, replace
from tactical.kernel.dice import Dice
from tactical.kernel.protocol import Event, Illegal, event

# -- Questions about a position that many chapters ask: who holds what, who stands where, who commands.


def side_of_prompt(state: Campaign) -> Side:
    """strategy.4 The side that the current prompt asks."""
    return as_side(state.agenda[-1].seat)


# people


def generals_at(state: Campaign, side: Side, space: str, inside: bool | None = None) -> tuple[str, ...]:
    """The generals of a side in a space; only those inside or outside the walls when asked."""
    return tuple(
        name
        for name, general in state.generals.items()
        if general.status == "board"
        and general.space == space
        and state.leaders[name].side == side
        and (inside is None or general.inside == inside)
    )


def on_board(state: Campaign, side: Side) -> tuple[str, ...]:
    """The generals of a side on the board."""
    return tuple(
        name
        for name, general in state.generals.items()
        if general.status == "board" and state.leaders[name].side == side
    )


def commander(state: Campaign, names: Iterable[str]) -> str | None:
    """movement.command.1 Who commands these generals: among equals the one whom the owner named, else the first."""
    people, standing = list(names), book_of(state).standing
    if not people:
        return None
    return max(people, key=lambda name: (standing(state, name), name in state.preferred, -people.index(name)))


def may_follow(state: Campaign, leader: str, other: str) -> bool:
    """movement.land.1c May the second be taken along by the first? A consul follows no proconsul; nobody leads
    Hannibal. Who commands in battle is another question (movement.command.2).
    """
    if state.generals[other].rank == "consul" and state.generals[leader].rank == "proconsul":
        return False
    return book_of(state).follows(leader, other)


def companions_of(state: Campaign, general: str) -> tuple[str, ...]:
    """movement.command.5, movement.land.1c The generals in his space whom he may take along."""
    record, side = state.generals[general], state.leaders[general].side
    here = generals_at(state, side, record.space or "")
    return tuple(name for name in here if name != general and may_follow(state, general, name))


def rating(state: Campaign, general: str | None) -> int:
    """The battle rating; 0 for nobody."""
    return state.leaders[general].battle if general else 0


def keep_to(state: Campaign, names: Iterable[str], space: str) -> bool:
    """movement.command.6 May all these generals be in this space?"""
    return all(book_of(state).keeps_to(name, space) for name in names)


def why_not_keep_to(state: Campaign, names: Iterable[str], space: str) -> Illegal | None:
    """movement.command.6 Raises Illegal when one of these generals may not be in this space."""
    for name in names:
        if not book_of(state).keeps_to(name, space):
            return Illegal("movement.command.6", "%(name)s may not go to %(space)s", name=name, space=space)
    return None


# consular armies


def least_consular(state: Campaign, names: Iterable[str]) -> int:
    """movement.general.2 The CUs that must be with these generals: those of a consular army if one is a consul."""
    return state.tables.movement.consular if any(state.generals[name].rank == "consul" for name in names) else 0


def why_not_consular(
    state: Campaign,
    going: Iterable[str],
    force: Troops,
    staying: Iterable[str],
    present: Troops,
    alone: bool = False,
    rules: tuple[str, str] = ("movement.land.3", "movement.general.2"),
) -> Illegal | None:
    """movement.general.2 No voluntary act brings a consul's army below its least size.

    `force` of the CUs that are `present` goes with some generals, the others stay with the rest. An army below the
    least size already acts with all that it has and drops nobody; a consul who has CUs does not go without them; one
    who has none may go alone, or anyone where `alone` says so. Raises Illegal by the first of the rules for who goes
    with too few, by the second for who is left with too few.
    """
    book, rest = book_of(state), present.size - force.size
    least = least_consular(state, going)
    if force.size < least and rest and not (alone and not force.size):
        return Illegal(
            book.cite(rules[0]),
            "a consul must go with at least %(least)s %(least|CU|CUs)s, or with all that he has",
            least=least,
        )
    least = least_consular(state, staying)
    if rest < least and force.size:
        return Illegal(book.cite(rules[1]), "at least %(least)s %(least|CU|CUs)s must stay with a consul", least=least)
    return None


# the map


def province_of(state: Campaign, space: str) -> str:
    """The province of a space."""
    return book_of(state).ground(space).province


def count_spaces(province: Province, side: Side, holder: Callable[[str], object]) -> int:
    """tribes.2 The spaces of a province that count for a side, by who holds each.

    cities.general.1, tribes.general.1: a city and a friendly tribe are PCs of their side.
    """
    return sum(holder(space) == side for space in province.spaces)


def count_on_board(state: Campaign, side: Side, province: str) -> int:
    """tribes.2 The same on this board."""
    return count_spaces(book_of(state).provinces[province], side, lambda space: state.spaces[space].control)


def has_majority(province: Province, side: Side, holder: Callable[[str], object]) -> bool:
    """victory.1 Has the side the needed majority of the province?"""
    return count_spaces(province, side, holder) >= province.needed


def majorities(provinces: Mapping[str, Province], holders: Mapping[str, str]) -> dict[str, Side]:
    """victory.1 Who has the majority of each province, by who holds the spaces."""
    return {
        name: side
        for name, province in provinces.items()
        for side in SIDES
        if has_majority(province, side, holders.get)
    }


def controls(state: Campaign, side: Side, province: str) -> bool:
    """victory.1 Has the side the needed majority of the province on this board?"""
    return has_majority(book_of(state).provinces[province], side, lambda space: state.spaces[space].control)


def provinces_under(state: Campaign, side: Side) -> tuple[str, ...]:
    """victory.1 The provinces that a side controls."""
    return tuple(province for province in book_of(state).provinces if controls(state, side, province))


def italian(state: Campaign, side: Side) -> int:
    """victory.1, 6.2 How many provinces of Italy a side controls."""
    provinces = book_of(state).provinces
    return sum(provinces[province].region == "italia" for province in provinces_under(state, side))


def holding(state: Campaign, side: Side, space: str) -> bool:
    """victory.1 Is the space friendly to the side?"""
    return state.spaces[space].control == side


def is_enemy_ground(state: Campaign, side: Side, space: str) -> bool:
    """winter An enemy PC, or a tribe that is not friendly."""
    place = state.spaces[space]
    return place.control == enemy(side) or (place.tribe and place.control != side)


def plain_pcs(state: Campaign, side: Side) -> tuple[str, ...]:
    """losses.5 The PCs that a side can lose: neither cities nor tribes."""
    ground = book_of(state).ground
    return tuple(
        space
        for space, place in state.spaces.items()
        if place.control == side and not place.tribe and not ground(space).city
    )


def is_own_city(state: Campaign, side: Side, space: str) -> bool:
    """cities.4 A walled city that the side holds?"""
    return book_of(state).ground(space).city and holding(state, side, space)


# armies


def armies(state: Campaign, side: Side) -> tuple[str, ...]:
    """The spaces where a side has CUs."""
    return tuple(space for space, place in state.spaces.items() if place.all_of(side).size)


def enemy_units(state: Campaign, side: Side, space: str) -> int:
    """CUs of the other side in the space, inside the walls too."""
    return state.spaces[space].all_of(enemy(side)).size


def enemy_outside(state: Campaign, side: Side, space: str) -> Troops:
    """Troops of the other side outside the walls."""
    return state.spaces[space].outside(enemy(side))


def is_shut_in(state: Campaign, side: Side, space: str) -> bool:
    """siege.6 Do enemy CUs stand before the walls of this side's city?"""
    return state.spaces[space].control == side and enemy_outside(state, side, space).size > 0


def freezing(state: Campaign, side: Side) -> tuple[str, ...]:
    """winter Where a side's stacks must roll, besiegers too; winter.a: CUs inside their own city never."""
    return tuple(
        space
        for space, place in state.spaces.items()
        if place.outside(side).size and is_enemy_ground(state, side, space)
    )


def may_muster(state: Campaign, side: Side, space: str, count: int = 1) -> bool:
    """reinforcements.general.1 May CUs be put into this space: not into a besieged city, nor among enemies? CUs inside
    an enemy city keep nobody from the camp before it (cities.3).
    """
    if enemy_outside(state, side, space).size:
        place = state.spaces[space]
        return place.control == side and not place.besieged() and state.room_left(space) >= count
    return True


def muster(state: S, side: Side, space: str, troops: Troops) -> S:
    """reinforcements.general.1 Put new CUs into a space: inside the walls when enemies stand before them."""
    return state.add(space, side, troops, inside=enemy_outside(state, side, space).size > 0)


def train_room(state: Campaign, space: str) -> int:
    """8.2.1.limit How many more trains fit inside the walls: as many as CUs would."""
    return book_of(state).room(space) - state.spaces[space].inside.trains


def why_not_room(state: Campaign, space: str, force: Troops) -> Illegal | None:
    """cities.2, 8.2.1.limit Raises Illegal when so many CUs or trains do not fit inside the walls any more."""
    if force.size > state.room_left(space):
        return Illegal(
            "cities.2",
            "there is room inside the walls of %(to)s for only %(room_left)s more %(room_left|CU|CUs)s",
            to=space,
            room_left=state.room_left(space),
        )
    if force.trains > max(train_room(state, space), 0):
        return Illegal(
            "8.2.1.limit",
            "there is room inside the walls of %(space)s for only %(count)s more supply %(count|train|trains)s",
            space=space,
            count=max(train_room(state, space), 0),
        )
    return None


# -- Political isolation: PCs that nothing holds up.


def holds_up(state: Campaign, side: Side, space: str) -> bool:
    """isolation.2 A friendly CU, city (besieged counts), tribe, or port that the side controls."""
    place, ground = state.spaces[space], book_of(state).ground(space)
    if place.all_of(side).size:
        return True
    return place.control == side and (ground.city or place.tribe or ground.port)


def may_trace(state: Campaign, side: Side, space: str) -> bool:
    """isolation.4, isolation.5, isolation.6 May the path enter this space?"""
    place = state.spaces[space]
    if place.all_of(side).size:
        return True
    if place.control == enemy(side) or (place.tribe and place.control is None):
        return False
    return not enemy_units(state, side, space) or place.control == side


def isolated_pcs(state: Campaign, side: Side) -> tuple[str, ...]:
    """isolation.2 The PCs of a side that would go now."""
    book = book_of(state)
    anchors = [space for space in state.spaces if holds_up(state, side, space)]
    return cut_off(
        book.chart,
        plain_pcs(state, side),
        anchors,
        lambda space: may_trace(state, side, space),
        lambda kind: not book.isolating(state, kind),
    )


def isolation(state: S, dice: Dice) -> Handled[S]:
    """isolation.1 The sides take their isolated PCs off, in the order of their book; isolation.3: passes block."""
    book = book_of(state)
    events: tuple[Event, ...] = ()
    for side in book.isolation_order:
        gone = isolated_pcs(state, side)
        for space in gone:
            state = state.with_place(space, replace(state.spaces[space], control=None))
        if gone:
            events += (event(book.cite("isolation.1"), "isolated", side=side, spaces=list(gone)),)
    return replace(state, phase="victory"), events


# -- Displacement of generals, and the one place that asks who stands alone where he cannot.

MEETING = frozenset({"intercept", "intercepted", "meet", "avoid", "clash", "battle"})  # who stays is still open


def displace_all(state: S, names: tuple[str, ...], rule: str) -> Handled[S]:
    """movement.land.5 Displace several generals."""
    events: tuple[Event, ...] = ()
    for name in names:
        state, more = book_of(state).displace(state, name, rule)
        events += more
    return state, events


def catch_alone(state: S, side: Side, space: str) -> Handled[S]:
    """movement.land.5a Generals of a side outside the walls without a CU, where enemy CUs have come, are displaced."""
    if state.spaces[space].outside(side).size:
        return state, ()
    state, events = displace_all(state, generals_at(state, side, space, inside=False), "movement.land.5a")
    state, more = book_of(state).spoils(state, side, space)
    return state, (*events, *more)


# who stands alone


def is_contested(state: Campaign, space: str) -> bool:
    """movement.general.3 Is it still open who stays here: has an army just entered, or is a battle being fought?"""
    if state.battle is not None and state.battle.space == space:
        return True
    march = state.march
    return march is not None and march.at == space and any(prompt.kind in MEETING for prompt in state.agenda)


def lone_among_enemies(state: Campaign) -> Iterator[tuple[Side, str]]:
    """movement.land.5a The sides and spaces where a general or a train is alone outside the walls with enemy CUs."""
    posts, has_trains = _posts(state), book_of(state).spoils is not nothing_more
    for space, place in state.spaces.items():
        for side in SIDES:
            if place.outside(side).size or not place.outside(enemy(side)).size:
                continue
            somebody = (side, space) in posts or (has_trains and place.outside(side).trains > 0)
            if somebody and not is_contested(state, space):
                yield side, space


def lone_pairs(state: Campaign) -> Iterator[str]:
    """movement.land.1e The spaces where generals of both sides are without a CU; who is under way may be passing."""
    posts = _posts(state)
    for side, space in posts:
        if side != SIDES[0] or (enemy(side), space) not in posts:
            continue
        place, march = state.spaces[space], state.march
        passing = march is not None and march.at == space
        if not any(place.outside(each).size for each in SIDES) and not passing and not is_contested(state, space):
            yield space


def _posts(state: Campaign) -> set[tuple[Side, str]]:
    """movement.land.5a Where generals of a side stand outside the walls."""
    return {
        (state.leaders[name].side, general.space)
        for name, general in state.generals.items()
        if general.status == "board" and general.space is not None and not general.inside
    }


def clear_lone(state: S) -> Handled[S]:
    """movement.land.5a, 8.2.1.capture Nobody stands alone outside the walls among enemy CUs: generals are displaced,
    trains taken. movement.land.1e: nor does a general alone stand with one of the enemy's; the mover's goes.

    Asked after every change, once it is settled who stays in a space (`is_contested`).
    """
    events: tuple[Event, ...] = ()
    for side, space in tuple(lone_among_enemies(state)):
        state, more = catch_alone(state, side, space)
        events += more
    for space in sorted(lone_pairs(state)):
        mover = state.play.side if state.play is not None else SIDES[0]
        state, more = displace_all(state, generals_at(state, mover, space, inside=False), "movement.land.1e")
        events += more
    return state, events


def is_met_alone(state: Campaign, side: Side, space: str) -> bool:
    """movement.land.1e Does a general of the enemy stand outside the walls there, without a CU?"""
    other = enemy(side)
    return not state.spaces[space].outside(other).size and bool(generals_at(state, other, space, inside=False))


def give_way(state: S, side: Side, names: tuple[str, ...], space: str) -> Handled[S]:
    """movement.land.1e Generals who must come without a CU to where one of the enemy's stands are displaced."""
    if state.spaces[space].outside(side).size or not is_met_alone(state, side, space):
        return state, ()
    return displace_all(state, names, "movement.land.1e")
