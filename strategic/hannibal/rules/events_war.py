"""Events that wear armies or touch sieges."""

from __future__ import annotations

from msgspec.structs import replace

from strategic.hannibal.rules.attrition import wear_all, wear_outside
from strategic.hannibal.rules.event_shape import Choice, Kind, asking, if_options
from strategic.hannibal.rules.survey import spaces_of
from strategic.hannibal.state import Handled, State
from strategic.hannibal.tables import TABLES, Card, ground
from strategic.interception import attempt
from strategic.point_to_point.survey import (
    armies,
    commander,
    generals_at,
    holding,
    rating,
)
from strategic.point_to_point.tables import Side, enemy
from tactical.kernel.dice import Dice
from tactical.kernel.protocol import event

HOSTILE = ("gallia_transalpina", "liguria")


def tribe_spaces(state: State, side: Side, card: Card) -> tuple[str, ...]:
    """strategy.3 Cards 7 and 8 as events: enemy forces in Transalpine Gaul or Liguria."""
    return tuple(space for space in spaces_of(*HOSTILE) if state.spaces[space].outside(enemy(side)).size)


def hostile_tribes(state: State, side: Side, card: Card, choice: str, dice: Dice) -> Handled:
    """tables.attrition.tribes Cards 7 and 8: always the column 5-6."""
    column = TABLES.attrition.tribes_force
    return wear_outside(state, dice, "tables.attrition.tribes", enemy(side), choice, 0, column)


def enemy_armies(state: State, side: Side, card: Card) -> tuple[str, ...]:
    """strategy.3 Card 51: an enemy army, a general with CUs."""
    other = enemy(side)
    return tuple(space for space in armies(state, other) if generals_at(state, other, space))


def epidemic(state: State, side: Side, card: Card, choice: str, dice: Dice) -> Handled:
    """strategy.3 Card 51: it rolls attrition."""
    return wear_all(state, dice, "strategy.3", enemy(side), choice)


def besiegers(state: State, side: Side, card: Card) -> tuple[str, ...]:
    """strategy.3 Card 52: enemy armies that besiege a city of this side."""
    other = enemy(side)
    return tuple(
        space
        for space, place in state.spaces.items()
        if ground(space).city and place.besieged() and place.besieger == other and place.outside(other).size
    )


def pestilence(state: State, side: Side, card: Card, choice: str, dice: Dice) -> Handled:
    """strategy.3 Card 52: attrition at +1."""
    modifier = TABLES.attrition.pestilence
    return wear_outside(state, dice, "tables.attrition.modifiers", enemy(side), choice, modifier)


def deserting(state: State) -> tuple[str, ...]:
    """strategy.3 Card 21: Carthaginian forces outside the spaces of their own cities."""
    return tuple(
        space
        for space, place in state.spaces.items()
        if place.carthage.size and not (ground(space).city and holding(state, "carthage", space))
    )


def mercenaries_desert(state: State, side: Side, card: Card, dice: Dice) -> Handled:
    """strategy.3 Card 21: a general saves his stack with a die no higher than his battle rating; else attrition."""
    told = []
    for space in deserting(state):
        leader = commander(state, generals_at(state, "carthage", space))
        if leader is not None:
            saved, face = attempt(dice, "strategy.3", rating(state, leader), general=leader, space=space)
            told.append(event("strategy.3", "loyalty", general=leader, space=space, dice=[face], success=saved))
            if saved:
                continue
        state, more = wear_outside(state, dice, "strategy.3", "carthage", space)
        told += more
    return state, tuple(told)


def besieged_own(state: State, side: Side, card: Card) -> tuple[str, ...]:
    """strategy.3 Card 17: a city with siege points."""
    return tuple(space for space, place in state.spaces.items() if ground(space).city and place.besieged())


def surprise_sortie(state: State, side: Side, card: Card, choice: str, dice: Dice) -> Handled:
    """strategy.3 Card 17: one siege point less."""
    place = state.spaces[choice]
    left = place.siege - 1
    state = state.with_place(choice, replace(place, siege=left, besieger=place.besieger if left else None))
    return state, (event("strategy.3", "siege_points", space=choice, points=left, card=card.number),)


def besieged_ports(state: State, side: Side, card: Card) -> tuple[str, ...]:
    """strategy.3 Card 49: a besieged city with a port."""
    return tuple(space for space in besieged_own(state, side, card) if ground(space).port)


def tribes_under_attack(state: State, side: Side, card: Card) -> tuple[str, ...]:
    """strategy.3 Card 53: a tribe with subjugation points."""
    return tuple(space for space, place in state.spaces.items() if place.tribe and place.siege)


def relieve(state: State, side: Side, card: Card, choice: str, dice: Dice) -> Handled:
    """strategy.3 Cards 49 and 53: all points go."""
    place = replace(state.spaces[choice], siege=0, besieger=None)
    return state.with_place(choice, place), (
        event("strategy.3", "siege_points", space=choice, points=0, card=card.number),
    )


EVENTS = {
    "hostile_tribes": Kind(if_options(tribe_spaces), asking("hostile_tribes")),
    "epidemic": Kind(if_options(enemy_armies), asking("epidemic")),
    "pestilence": Kind(if_options(besiegers), asking("pestilence")),
    "mercenaries_desert": Kind(if_options(lambda state, side, card: deserting(state)), mercenaries_desert),
    "sortie": Kind(if_options(besieged_own), asking("sortie")),
    "fleet_breaks_siege": Kind(if_options(besieged_ports), asking("fleet_breaks_siege")),
    "tribal_resistance": Kind(if_options(tribes_under_attack), asking("tribal_resistance")),
}

CHOICES = {
    "hostile_tribes": Choice(tribe_spaces, hostile_tribes),
    "epidemic": Choice(enemy_armies, epidemic),
    "pestilence": Choice(besiegers, pestilence),
    "sortie": Choice(besieged_own, surprise_sortie),
    "fleet_breaks_siege": Choice(besieged_ports, relieve),
    "tribal_resistance": Choice(tribes_under_attack, relieve),
}
