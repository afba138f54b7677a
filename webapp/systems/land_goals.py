"""retreat.1, avoid.1, reinforcements.1 A land war's answers by their goals: retreats, avoiding, placing."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import partial
from typing import Any

from flask_babel import ngettext

from strategic.point_to_point.battle_ahead import meeting_here
from strategic.point_to_point.pieces import Troops, replace
from strategic.point_to_point.retreat import divide, entry_cost, ways
from strategic.point_to_point.rulebook import book_of
from strategic.point_to_point.state import Campaign
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
from strategic.point_to_point.tables import SIDES, enemy
from tactical.kernel.protocol import Offer
from webapp.http.language import gettext as _
from webapp.http.signs import with_sign
from webapp.presenting.campaign_labels import command_title, seat_word
from webapp.presenting.march_preview import Goals
from webapp.presenting.naming import say_value
from webapp.systems import land_roll
from webapp.systems.goal_answers import Command, Fields, Leg, Naming, Price, goals
from webapp.systems.land_party import bounds, troops, with_force
from webapp.systems.land_stakes import battle_words

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
    told = [_("To get away: %(die)s.", die=land_roll.avoidance(state, command["generals"]))]
    if pursuit := land_roll.pursuit(state):
        told.append(_("Then the enemy may pursue: %(die)s.", die=pursuit))
    failed = replace(state, march=replace(march, failed_avoid=True))
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
        _("To get away: %(die)s.", die=land_roll.withdrawal(state)),
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
    return state.with_place(space, replace(state.spaces[space], control=side))


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
