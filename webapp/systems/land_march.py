"""Marches and answers of a land war by their goals, on the map."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import partial
from itertools import pairwise, product
from typing import Any

from flask_babel import ngettext

from strategic.atlas import Reach
from strategic.point_to_point.battle import meeting_here, meeting_there
from strategic.point_to_point.meeting import watchers_at, ways_ahead, whole_party
from strategic.point_to_point.retreat import divide, entry_cost, ways
from strategic.point_to_point.rulebook import book_of
from strategic.point_to_point.state import SIDES, Campaign, March, S, Troops, enemy
from strategic.point_to_point.state import replace as replace_state
from strategic.point_to_point.survey import (
    commander,
    controls,
    count_on_board,
    enemy_outside,
    generals_at,
    is_enemy_ground,
    province_of,
    rating,
    side_of_prompt,
)
from tactical.kernel.protocol import UMPIRE, Offer
from webapp.http.language import gettext as _
from webapp.http.language import with_sign
from webapp.presenting import naming
from webapp.presenting.campaign_labels import command_title, field_word, seat_word
from webapp.presenting.map import sheet as map_svg
from webapp.presenting.map.sheet import sheet
from webapp.presenting.naming import say_value
from webapp.presenting.presentation import Amount, Choosing, Footstep, Goals, Going, Mark, Tint, Walk, Walker, by_face
from webapp.presenting.refusals import refusal_text
from webapp.presenting.sentences import fill, join_parts, tell
from webapp.systems import land_war
from webapp.systems.land_answers import bounds, troops, with_force
from webapp.systems.land_war import battle_words

# -- An answer that names a space, given by a tap on the map: what each space costs, the way there, what follows.
#
# The offers of the engine say which spaces there are; a system's `Naming` says what each of them costs and what
# follows.

Fields = Mapping[str, Any]
Command = dict[str, Any]
MOST_WALKERS = 8  # so many may be chosen by a tap; who else could be meant stands in the lists below


@dataclass(frozen=True)
class Price:
    """What a goal costs: on the map, and on the button."""

    sign: str = ""
    words: str = ""


@dataclass(frozen=True)
class Leg:
    """A space of the way: what is lost when it is entered, and why."""

    space: str
    lost: int = 0
    why: str = ""


@dataclass(frozen=True)
class Naming:
    """How a command that names a space is shown: `field` is the one that names it.

    `apart` are the fields by whose values somebody is chosen first; `who` says one such choice in words. Of what else
    is offered a tap means the party for which `usual` is greatest. `price`, `way` and `follows` are asked with the
    position and the command. `amount` is a number that may be changed, and how it begins (None: with nothing); `among`
    is a field that is chosen among `options`, each with its words, the usual one first.
    """

    field: str
    apart: tuple[str, ...] = ()
    who: Callable[[Any, Command], str] = lambda state, command: ""
    usual: Callable[[Fields], Any] = lambda fields: 0
    price: Callable[[Any, Command], Price] = lambda state, command: Price()
    way: Callable[[Any, Command], tuple[str, tuple[Leg, ...]] | None] = lambda state, command: None
    follows: Callable[[Any, Command], tuple[str, ...]] = lambda state, command: ()
    amount: str = ""
    begins: Callable[[int], int | None] = lambda high: high
    among: str = ""
    options: Callable[[Any, Fields], Sequence[tuple[Any, str]]] = lambda state, fields: ()


@dataclass(frozen=True)
class Choice:
    """A goal with the party that a tap on it means."""

    naming: Naming
    fields: Fields
    command: Command


def goals(
    system: str,
    namings: Mapping[str, Naming],
    state: Any,
    seat: str,
    offers: Sequence[Offer],
    picked: str | None,
    where: str | None,
    beside: bool = False,
) -> Goals | None:
    """The goals of what the seat may answer now, with the one that was tapped; None where no answer names a space.

    Of what is done `beside`, nobody is chosen before he is picked, and a tap on a space means whoever may come there.
    """
    spots = sheet(system).spots
    found: dict[str, dict[str, Choice]] = {}
    for offer in offers:
        if naming := namings.get(offer.type):
            for who, space, choice in choices(naming, offer):
                ends = found.setdefault(who, {})
                if space in spots and (space not in ends or usual(choice) > usual(ends[space])):
                    ends[space] = choice
    found = {who: ends for who, ends in found.items() if ends}
    if not found:
        return None
    chosen = picked if picked in found else next(iter(found))
    if beside and picked not in found:
        chosen = next((who for who, ends in found.items() if where in ends), chosen)
    ends, kinds = found[chosen], dict.fromkeys(each.command["type"] for one in found.values() for each in one.values())
    shown = Goals(tuple(kinds), "", tints(system, state, ends), walkers(state, found, chosen, beside), chosen)
    shown = replace(shown, title=command_title(system, next(iter(ends.values())).command["type"]), beside=beside)
    if beside and picked not in found:
        shown = replace(shown, chosen="", walkers=tuple(replace(one, chosen=False) for one in shown.walkers))
    return replace(shown, **describe_goal(system, state, shown.title, ends[where], where)) if where in ends else shown


def choices(naming: Naming, offer: Offer) -> Iterator[tuple[str, str, Choice]]:
    """Each of those of whom one is chosen first, with each space, and the command of his largest party."""
    several = [values_of(offer.fields.get(name)) for name in naming.apart]
    for values in product(*several):
        apart = dict(zip(naming.apart, values, strict=True))
        rest = {name: most(name, value) for name, value in offer.fields.items()}
        who = ":".join([offer.type, *(str(part) for value in values for part in values_of(value))])
        for space in values_of(offer.fields.get(naming.field)):
            if isinstance(space, str):
                fields = {name: value for name, value in apart.items() if name in offer.fields}
                yield (
                    who,
                    space,
                    Choice(naming, offer.fields, {"type": offer.type, **rest, **fields, naming.field: space}),
                )


def usual(choice: Choice) -> Any:
    """How much the party is what a tap means."""
    return choice.naming.usual(choice.fields)


def values_of(value: Any) -> Sequence[Any]:
    """What a field may be."""
    return value if isinstance(value, list | tuple) else [value]


def most(name: str, value: Any) -> Any:
    """What a field is while nobody says otherwise: as much as may be; nobody goes within walls."""
    if isinstance(value, dict):
        return value["from"] if name.endswith("inside") else value["to"]
    if isinstance(value, list):
        return max(value) if all(isinstance(one, int) for one in value) else value[0]
    return value


def tints(system: str, state: Any, ends: Mapping[str, Choice]) -> tuple[Tint, ...]:
    """The goals as the map shows them, each with what it costs."""
    cells, spots, found = map_svg.grounds(sheet(system)), sheet(system).spots, []
    for space, choice in ends.items():
        price = choice.naming.price(state, choice.command)
        disc = (spots[space].x, spots[space].y) if price.sign else None
        found.append(Tint(space, cells[space], 0, disc, price.sign))
    return tuple(found)


def walkers(
    state: Any, found: Mapping[str, Mapping[str, Choice]], chosen: str, beside: bool = False
) -> tuple[Walker, ...]:
    """Those of whom one is chosen first; nobody where there is only one, but of what is done beside."""
    if len(found) < 2 and not beside:
        return ()
    told = []
    for who, ends in list(found.items())[:MOST_WALKERS]:
        choice = next(iter(ends.values()))
        told.append(Walker(who, choice.naming.who(state, choice.command), "", who == chosen))
    return tuple(told)


def describe_goal(system: str, state: Any, title: str, choice: Choice, where: str) -> dict[str, Any]:
    """What the page says of the goal that was tapped: way, costs, what follows, the button."""
    naming, command, spots = choice.naming, choice.command, sheet(system).spots
    options = naming.options(state, choice.fields)
    if options:
        command = {**command, naming.among: options[0][0]}
    name, price = say_value(system, where), naming.price(state, command)
    found: dict[str, Any] = {
        "goal": name,
        "follows": naming.follows(state, command),
        "command": json.dumps(command, ensure_ascii=False),
        "button": " · ".join(part for part in (f"{title}: {name}", price.words) if part),
        "amount": amount(system, choice),
        "choosing": choosing(system, naming, options),
    }
    if way := naming.way(state, command):
        start, legs = way
        spent = [sum(leg.lost for leg in legs[: count + 1]) for count in range(len(legs))]
        line = [spots[space] for space in (start, *(leg.space for leg in legs))]
        found["line"] = "M" + "L".join(f"{spot.x:.1f} {spot.y:.1f}" for spot in line)
        found["steps"] = tuple(
            Footstep(leg.space, say_value(system, leg.space), so_far, (leg.why,) if leg.why else ())
            for leg, so_far in zip(legs, spent, strict=True)
        )
        found["marks"] = tuple(
            Mark(spots[leg.space].x, spots[leg.space].y, so_far, bool(leg.lost))
            for leg, so_far in zip(legs, spent, strict=True)
        )
    return found


def choosing(system: str, naming: Naming, options: Sequence[tuple[Any, str]]) -> Choosing | None:
    """What may still be chosen among several, where there are several."""
    told = tuple((json.dumps(value, ensure_ascii=False), words) for value, words in options)
    return Choosing(naming.among, field_word(system, naming.among), told) if len(told) > 1 else None


def amount(system: str, choice: Choice) -> Amount | None:
    """The number that may still be changed, where there is one."""
    value = choice.fields.get(choice.naming.amount)
    if not isinstance(value, dict) or value["from"] == value["to"]:
        return None
    name = choice.naming.amount
    return Amount(name, field_word(system, name), value["from"], value["to"], choice.naming.begins(value["to"]))


# -- A march by its goal where armies go space by space: what a system's rules tell of it, as the page and map show it.

AnyCommand = Mapping[str, Any]


@dataclass(frozen=True)
class Stage:
    """One space of a way: the points spent when it is entered, what may happen there, the command that enters it;
    `is_ruin`: the army is certain to be lost there."""

    space: str
    spent: int
    dangers: tuple[str, ...]
    command: AnyCommand
    is_ruin: bool = False


@dataclass(frozen=True)
class Ahead:
    """What a leader on the march may do: the points that each goal takes, and how he comes there.

    `stages(goal)` is the way; `why_not(goal)` says in words why there is none; `outlook(goal)` what waits there.
    `goes(goal, at_sea)` is what goes there and what stays. `sea` are the goals of voyages alone, `voyage(goal)` is one
    to a goal that is reached by land too.
    """

    leader: str
    force: str
    start: str
    points: int
    cost: Mapping[str, int]
    stages: Callable[[str], Sequence[Stage]]
    why_not: Callable[[str], str]
    outlook: Callable[[str], tuple[str, ...]]
    goes: Callable[[str, bool], Going]
    sea: frozenset[str] = frozenset()
    voyage: Callable[[str], Sequence[Stage]] = lambda goal: ()


def walk(system: str, ahead: Ahead, where: str | None) -> Walk | None:
    """The reach of the army on the march, and its way to the space that was tapped; None when it can go nowhere."""
    name = say_value(system, ahead.leader)
    cells, spots = map_svg.grounds(sheet(system)), sheet(system).spots
    tints = tuple(
        Tint(at, "" if at in ahead.sea else cells[at], points, (spots[at].x, spots[at].y))
        for at, points in ahead.cost.items()
        if at != ahead.start and at in spots
    )
    if not tints:
        return None
    walkers = (Walker(ahead.leader, name, ahead.force, True),)
    found = Walk(walkers, ahead.leader, name, ahead.force, ahead.points, tints, points=ahead.points)
    if where is None or where == ahead.start:
        return found
    stages = ahead.stages(where) if where in ahead.cost else ()
    if not stages:
        return replace(found, barred=ahead.why_not(where) or _("out of reach with the points that are left"))
    voyage = ahead.voyage(where)
    way = [spots[ahead.start], *(spots[stage.space] for stage in stages)]
    return replace(
        found,
        steps=tuple(Footstep(one.space, say_value(system, one.space), one.spent, one.dangers) for one in stages),
        line="M" + "L".join(f"{spot.x:.1f} {spot.y:.1f}" for spot in way),
        marks=tuple(Mark(spots[one.space].x, spots[one.space].y, one.spent, bool(one.dangers)) for one in stages),
        orders=json.dumps([dict(one.command) for one in stages]),
        going=ahead.goes(where, where in ahead.sea),
        goal=say_value(system, where),
        spent=stages[-1].spent,
        outlook=ahead.outlook(where),
        at_sea=where in ahead.sea,
        voyage=json.dumps([dict(one.command) for one in voyage]) if voyage else "",
        voyage_going=ahead.goes(where, True) if voyage else Going(),
        voyage_spent=voyage[-1].spent if voyage else 0,
        voyage_dangers=tuple(danger for one in voyage for danger in one.dangers),
        is_ruin=any(one.is_ruin for one in stages),
        is_voyage_ruin=any(one.is_ruin for one in voyage),
    )


# -- retreat.1, avoid.1, reinforcements.1 A land war's answers by their goals: retreats, avoiding, placing.

FACES = 6


# a beaten army


def lost_units(count: int) -> str:
    """The number of units lost, in words."""
    return ngettext("%(num)d unit lost", "%(num)d units lost", count) if count else _("nothing lost")


def way_of(state: Campaign, command: Command) -> Any:
    """retreat.1 The way to the goal of a retreat of all."""
    side = side_of_prompt(state)
    return ways(divide(state, side, Troops(), ()), state.fighting(), side)[command["to"]]


def retreat_price(state: Campaign, command: Command) -> Price:
    """retreat.8 The units that are lost on the way."""
    cost = min(way_of(state, command).cost, state.spaces[state.fighting().space].outside(side_of_prompt(state)).size)
    return Price(with_sign(-cost) if cost else "0", lost_units(cost))


def retreat_way(system: str, state: Campaign, command: Command) -> tuple[str, tuple[Leg, ...]]:
    """retreat.8, retreat.9 Space by space with what is lost there."""
    side, way = side_of_prompt(state), way_of(state, command)
    legs = []
    for space in way.path:
        stops = space == way.path[-1]
        cost = 0 if way.by_sea else entry_cost(state, side, space, stops=stops)
        why = []
        if not way.by_sea and is_enemy_ground(state, side, space):
            why.append(_("enemy ground: 1 unit lost"))
        if not way.by_sea and not stops and (met := enemy_outside(state, side, space).size):
            why.append(_("passing the enemy there: %(lost)s", lost=lost_units(met)))
        legs.append(Leg(space, cost, ", ".join(why)))
    return state.fighting().space, tuple(legs)


def retreat_follows(system: str, state: Campaign, command: Command) -> tuple[str, ...]:
    """What comes to the goal, and what the army finds there."""
    side, way = side_of_prompt(state), way_of(state, command)
    had = state.spaces[state.fighting().space].outside(side).size
    left = max(0, had - way.cost)
    comes = _("By sea: nothing is lost on the way.") if way.by_sea else ""
    arrives = ngettext("%(num)d unit arrives.", "%(num)d units arrive.", left)
    if had and not left:
        arrives = _("Nobody arrives: the army is lost on the way, and its generals are displaced.")
    return tuple(text for text in (comes, arrives, *standing(system, state, side, command["to"])) if text)


# an army that slips away


def avoid_price(state: Campaign, command: Command) -> Price:
    """avoid.2 The faces by which they get away."""
    leader = commander(state, command["generals"])
    good = max(0, min(FACES, book_of(state).limit(state, leader, "avoid", False) if leader else 0))
    return Price(f"{good}/{FACES}", _("%(good)s of %(of)s", good=good, of=FACES))


def avoid_follows(system: str, state: Campaign, command: Command) -> tuple[str, ...]:
    """avoid.2, pursuit.2a The die, what the enemy may do then, and what comes if it fails."""
    side, march = side_of_prompt(state), state.marching()
    told = [_("To get away: %(die)s.", die=land_war.avoidance(state, command["generals"]))]
    if pursuit := land_war.pursuit(state):
        told.append(_("Then the enemy may pursue: %(die)s.", die=pursuit))
    failed = replace_state(state, march=replace_state(march, failed_avoid=True))
    if battle := battle_words(meeting_here(failed)):
        told += [_("If that fails, there is a battle."), *battle]
    stays = (
        state.spaces[march.at].outside(side).size - bounds(command.get("units"))[1] - int(command.get("elephants") or 0)
    )
    if stays:
        told.append(ngettext("%(num)d unit stays and fights.", "%(num)d units stay and fight.", stays))
    return (*told, *standing(system, state, side, command["to"]))


def largest(fields: Fields) -> tuple[int, int]:
    """How large a party is."""
    return bounds(fields.get("units"))[1] + int(fields.get("elephants") or 0), bounds(fields.get("trains"))[1]


# an army that leaves a battle


def withdrawal_price(state: Campaign, command: Command) -> Price:
    """round.1a The faces by which it gets away."""
    good = max(0, min(FACES, rating(state, state.fighting().commanders.get(side_of_prompt(state)))))
    return Price(f"{good}/{FACES}", _("%(good)s of %(of)s", good=good, of=FACES))


def withdrawal_follows(system: str, state: Campaign, command: Command) -> tuple[str, ...]:
    """round.1b, round.1d What the enemy may do, and what comes if it fails."""
    other = seat_word(enemy(side_of_prompt(state)))
    return (
        _("To get away: %(die)s.", die=land_war.withdrawal(state)),
        _("Then %(side)s may roll to stop it.", side=other),
        _("If it fails, %(side)s attacks next.", side=other),
        *standing(system, state, side_of_prompt(state), command["to"]),
    )


# pieces that come onto the map


def standing(system: str, state: Campaign, side: Any, space: str) -> tuple[str, ...]:
    """Who of the side stands in a space already, and whom it has before it."""
    own, foe = state.spaces[space].all_of(side), enemy_outside(state, side, space)
    told = []
    names = ", ".join(say_value(system, name) for name in generals_at(state, side, space))
    if own.size or names:
        force = with_force(names, troops({"units": own.units, "elephants": own.elephants}))
        told.append(_("There already: %(force)s.", force=force))
    if foe.size:
        told.append(
            _("The enemy stands there: %(force)s.", force=troops({"units": foe.units, "elephants": foe.elephants}))
        )
    return tuple(told)


def follow_placing(system: str, state: Campaign, command: Command) -> tuple[str, ...]:
    """Who stands there already, and who holds the province."""
    side, space = side_of_prompt(state), command["at"]
    return (*standing(system, state, side, space), province_share(system, state, space))


def province_share(system: str, state: Campaign, space: str) -> str:
    """victory.1 Who holds how many spaces of the province, of how many that control it."""
    province = province_of(state, space)
    shares = ", ".join(f"{seat_word(side)} {count_on_board(state, side, province)}" for side in SIDES)
    return _(
        "%(province)s: %(shares)s (%(needed)s control it).",
        province=say_value(system, province),
        shares=shares,
        needed=book_of(state).provinces[province].needed,
    )


def after(state: Campaign, command: Command) -> Any:
    """The position with the marker placed, or taken off."""
    side = side_of_prompt(state) if command["type"] == "put" else None
    space = command["space"]
    return state.with_place(space, replace_state(state.spaces[space], control=side))


def marker_price(state: Campaign, command: Command) -> Price:
    """victory.1 The side's spaces of the province afterwards, of those that control it."""
    side, province = side_of_prompt(state), province_of(state, command["space"])
    return Price(f"{count_on_board(after(state, command), side, province)}/{book_of(state).provinces[province].needed}")


def marker_follows(system: str, state: Campaign, command: Command) -> tuple[str, ...]:
    """victory.1 What becomes of the province."""
    then, province = after(state, command), province_of(state, command["space"])
    told = [_("Afterwards – %(province)s", province=province_share(system, then, command["space"]))]
    for side in SIDES:
        name = say_value(system, province)
        if controls(then, side, province) and not controls(state, side, province):
            told.append(_("%(side)s then controls %(province)s.", side=seat_word(side), province=name))
        if controls(state, side, province) and not controls(then, side, province):
            told.append(_("%(side)s loses control of %(province)s.", side=seat_word(side), province=name))
    return tuple(told)


# who or what comes


def general(system: str, state: Campaign, command: Command) -> str:
    """The general of a command, or the first of several."""
    named = command.get("general") or (command.get("generals") or [""])
    return ", ".join(say_value(system, one) for one in ([named] if isinstance(named, str) else named))


def name_command(system: str, state: Campaign, command: Command) -> str:
    """What is done, where several kinds of commands name a space."""
    return command_title(system, command["type"])


def piece(system: str, state: Campaign, command: Command) -> str:
    """A unit or a ship, by the line from which it comes."""
    return say_value(system, command.get("what") or "unit", "what")


def namings(system: str) -> Mapping[str, Naming]:
    """What of a land war's commands is answered by tapping a space."""
    who, what, comes = partial(general, system), partial(piece, system), partial(follow_placing, system)
    marker = Naming(
        "space", (), partial(name_command, system), price=marker_price, follows=partial(marker_follows, system)
    )
    placing = Naming("at", ("general",), who, follows=comes)
    return {
        "retreat": Naming(
            "to",
            usual=lambda fields: -bounds(fields.get("units_inside"))[1] - int(fields.get("elephants_inside") or 0),
            price=retreat_price,
            way=partial(retreat_way, system),
            follows=partial(retreat_follows, system),
        ),
        "avoid": Naming(
            "to",
            ("generals",),
            who,
            largest,
            avoid_price,
            follows=partial(avoid_follows, system),
            amount="units",
        ),
        "withdraw": Naming(
            "to", (), partial(name_command, system), price=withdrawal_price, follows=partial(withdrawal_follows, system)
        ),
        "put": marker,
        "remove": marker,
        "reinforce": Naming("at", ("what",), what, lambda fields: -len(fields["at"]), follows=comes),
        "place_consul": placing,
        "place_general": placing,
        "return_general": placing,
        "land": Naming("at", follows=comes),
    }


def answer_goals(
    system: str,
    more: Mapping[str, Naming],
    state: Campaign,
    seat: str,
    offers: Sequence[Offer],
    picked: str | None,
    where: str | None,
    beside: bool = False,
) -> Goals | None:
    """The goals of what a side of the land war is asked; `more` are those that the system has of its own."""
    known = {**namings(system), **more}
    return goals(system, known, state, seat, offers, picked, where, beside) if state.agenda else None


# -- movement.land.1 The march of a land war by its goal: reach, way, who may cut in and at what chance, what it wears.

Wear = Callable[[S, str, int], tuple[int, ...]]  # what an army of a size loses on a connection, by the die
MARCHING = ("march", "move")


@dataclass(frozen=True)
class Voyages:
    """The ports that the army may sail to: the points that each takes, the way there, the offer of its first step."""

    cost: Mapping[str, int]
    stages: Callable[[str], tuple[Stage, ...]]
    fields: Callable[[str], Fields]


def no_wear(state: Campaign, kind: str, units: int) -> tuple[int, ...]:
    """No connection wears an army."""
    return ()


def march(
    system: str,
    wear: Wear[S],
    voyages: Callable[[S, str], Voyages],
    state: S,
    seat: str,
    picked: str | None,
    where: str | None,
) -> Walk | None:
    """The march that waits for this seat; None when none does."""
    asked = state.agenda[-1] if state.agenda else None
    going = state.march
    if (
        asked is None
        or asked.kind not in MARCHING
        or going is None
        or going.stopped
        or seat not in (asked.seat, UMPIRE)
    ):
        return None
    fields = whole_party(state)
    reach = ways_ahead(state)
    sailing = voyages(state, asked.seat)
    cost = {**sailing.cost, **reach.cost}
    if fields is None:
        fields = {"companions": [[]], "units": {"from": 0, "to": 0}, "elephants": 0}
    units, party = fields["units"], party_of(going, fields)
    force = with_force(
        ", ".join(say_value(system, name) for name in party),
        troops({**fields, "units": units["to"], "trains": trains(fields)}),
    )
    ahead = Ahead(
        going.general,
        force,
        going.at,
        going.points,
        cost,
        lambda goal: by_land(system, wear, state, fields, reach, goal) if goal in reach.cost else sailing.stages(goal),
        partial(why_not, system, reach),
        partial(outlook, system, state, fields),
        lambda goal, at_sea: goes(system, state, sailing.fields(goal) if at_sea else fields),
        frozenset(sailing.cost) - frozenset(reach.cost),
        lambda goal: sailing.stages(goal) if goal in sailing.cost and goal in reach.cost else (),
    )
    return walk(system, ahead, where)


def goes(system: str, state: Campaign, fields: Fields) -> Going:
    """movement.land.1b What of the army goes and what stays, elephants among the units."""
    going = state.marching()
    here = state.spaces[going.at].all_of(going.side)
    elephants = bounds(fields["elephants"])[1]
    low, high = (number + elephants for number in bounds(fields["units"]))
    if not here.size:
        return Going()
    if high == here.size:
        said = ngettext("The %(num)d unit there may go.", "All %(num)d units may go.", high)
        if low == high:
            said = ngettext("The %(num)d unit there goes.", "All %(num)d units go.", high)
    elif low == high:
        said = _("%(high)s of %(all)s units go.", high=high, all=here.size)
    else:
        said = _("At most %(high)s of %(all)s units may go.", high=high, all=here.size)
    told = [said, *([_("Elephants among those that go: %(count)s.", count=elephants)] if elephants else [])]
    stays = [name for name in generals_at(state, going.side, going.at) if name not in party_of(going, fields)]
    names = join_parts([say_value(system, name) for name in stays]) or _("no general")
    if high < here.size:
        least = here.size - high
        text = _("%(count)s %(count|unit stays|units stay)s at %(place)s, with %(generals)s.")
        if low < high:
            text = _("At least %(count)s %(count|unit stays|units stay)s at %(place)s, with %(generals)s.")
        values = {"count": least, "place": say_value(system, going.at), "generals": names}
        told.append(fill(text, values.__getitem__))
    elif low < high:
        told.append(
            _(
                "Units that do not go stay at %(place)s, with %(generals)s.",
                place=say_value(system, going.at),
                generals=names,
            )
        )
    return Going((low, high) if high > low else None, tuple(told))


def party_of(going: March, fields: Fields) -> tuple[str, ...]:
    """The general on the march, with the generals of the largest party of an offer."""
    companions = fields["companions"]
    return (going.general, *(companions[0] if companions and isinstance(companions[0], list) else companions))


def trains(fields: Mapping[str, Any]) -> int:
    """As many supply trains as may go."""
    return max(fields.get("trains") or (0,))


def by_land(
    system: str, wear: Wear[S], state: S, fields: Mapping[str, Any], reach: Reach, goal: str
) -> tuple[Stage, ...]:
    """The way step by step."""
    chart = book_of(state).chart
    order = {"type": "step", "companions": fields["companions"][0], "elephants": fields["elephants"]}
    order |= {"units": fields["units"]["to"]}
    if "trains" in fields:
        order |= {"trains": trains(fields)}
    size = fields["units"]["to"] + fields["elephants"]
    found = []
    for start, to in pairwise(reach.path[goal]):
        way = chart.between(start, to)
        dangers = (*attrition_lines(wear(state, way.kind, size) if way else ()), *cut_in(system, state, to))
        found.append(Stage(to, reach.cost[to], dangers, {**order, "to": to}))
    return tuple(found)


def attrition_lines(losses: tuple[int, ...]) -> tuple[str, ...]:
    """What the army loses on a step, by the die."""
    told = ", ".join(
        _("%(faces)s: %(units)s", faces=faces, units=ngettext("%(num)d unit", "%(num)d units", lost))
        for faces, lost in by_face(losses)
        if lost
    )
    return (_("At a pass, losses for each roll – %(losses)s", losses=told),) if told else ()


def cut_in(system: str, state: Campaign, space: str) -> tuple[str, ...]:
    """Who may intercept there, at what chance."""
    return tuple(
        _(
            "%(general)s may intercept from %(place)s: %(good)s in 6",
            general=say_value(system, one.general),
            place=say_value(system, one.space),
            good=round(one.success * 6),
        )
        for one in watchers_at(state, space)
        if one.success
    )


def outlook(system: str, state: Campaign, fields: Mapping[str, Any], goal: str) -> tuple[str, ...]:
    """Who stands at the goal, and the battle that it may come to with the whole force."""
    side = enemy(state.marching().side)
    there = state.spaces[goal].all_of(side)
    names = ", ".join(say_value(system, name) for name in generals_at(state, side, goal))
    if not there.size:
        return ()
    force = (
        with_force(names, troops({"units": there.units, "elephants": there.elephants}))
        if names
        else troops({"units": there.units, "elephants": there.elephants})
    )
    inside = state.spaces[goal].outside(side).size == 0
    if inside:
        return (_("%(side)s is within the walls there: %(force)s.", side=seat_word(side), force=force),)
    along = Troops(units=fields["units"]["to"], elephants=fields["elephants"], trains=trains(fields))
    meeting = meeting_there(state, goal, tuple(fields["companions"][0]), along)
    text = _("%(side)s %(side|stands|stand)s there: %(force)s. There may be a battle.")
    stands = tell(text, side=naming.side(system, side), force=force)
    return (stands, *battle_words(meeting))


def why_not(system: str, reach: Reach, goal: str) -> str:
    """Why the army cannot come there."""
    return refusal_text(system, reach.why_not[goal]) if goal in reach.why_not else ""
