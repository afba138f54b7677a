"""Events that raise troops."""

from __future__ import annotations

from msgspec.structs import replace

from strategic.hannibal.rules.event_shape import Choice, Kind, asking, if_options
from strategic.hannibal.rules.survey import (
    province_of,
    region_of,
    remaining_elephants,
    spaces_in,
    spaces_of,
)
from strategic.hannibal.state import Handled, State
from strategic.hannibal.tables import CHART, Card, ground
from strategic.point_to_point.pieces import Troops
from strategic.point_to_point.survey import (
    controls,
    enemy_outside,
    enemy_units,
    generals_at,
    holding,
    italian,
    may_muster,
    muster,
)
from strategic.point_to_point.tables import Side
from tactical.kernel.dice import Dice
from tactical.kernel.protocol import event
from tactical.kernel.reason import Reason, because


def raise_units(state: State, side: Side, card: Card, space: str, troops: Troops) -> Handled:
    """strategy.3 The CUs appear."""
    state = muster(state, side, space, troops)
    told = event(
        "strategy.3",
        "troops_raised",
        side=side,
        space=space,
        units=troops.units,
        elephants=troops.elephants,
        card=card.number,
    )
    return state, (told,)


def raise_here(state: State, side: Side, card: Card, choice: str, dice: Dice) -> Handled:
    """strategy.3 The card's CUs in the space chosen."""
    return raise_units(state, side, card, choice, Troops(card.units))


def allied_ports(state: State, side: Side, card: Card) -> tuple[str, ...]:
    """strategy.3 Card 10: friendly ports in Africa or Italy, while Macedon is allied."""
    if state.lasting.macedon != "allied":
        return ()
    return tuple(
        space
        for space in CHART.ports()
        if region_of(space) in ("africa", "italia")
        and holding(state, side, space)
        and may_muster(state, side, space, card.units)
    )


def slinger_ports(state: State, side: Side, card: Card) -> tuple[str, ...]:
    """strategy.3 Card 11: the controller of the Baleares, a port with his PC and no enemy CU."""
    if not controls(state, side, "balearic_islands"):
        return ()
    return tuple(
        space for space in CHART.ports() if holding(state, side, space) and not enemy_units(state, side, space)
    )


def no_elephants(state: State, side: Side, card: Card) -> Reason | None:
    """strategy.3 Card 12: Carthage must be able to take them in (siege.more.2)."""
    return None if may_muster(state, side, "carthage", card.units) else Reason("Carthage is besieged or full")


def african_elephants(state: State, side: Side, card: Card, dice: Dice) -> Handled:
    """strategy.3, elephants.1 Card 12: at most four elephant CUs; ordinary CUs make up the rest."""
    elephants = min(card.units, remaining_elephants(state))
    return raise_units(state, side, card, "carthage", Troops(card.units - elephants, elephants))


def with_general(state: State, side: Side, card: Card, spaces: tuple[str, ...]) -> tuple[str, ...]:
    """strategy.3 Spaces with an own general that can take the card's CUs."""
    return tuple(
        space for space in spaces if generals_at(state, side, space) and may_muster(state, side, space, card.units)
    )


def recruit_spaces(state: State, side: Side, card: Card) -> tuple[str, ...]:
    """strategy.3 Cards 13 to 16: generals in these provinces (card 15: friendly ones)."""
    spaces = with_general(state, side, card, spaces_of(*card.provinces))
    return tuple(space for space in spaces if not card.friendly or controls(state, side, province_of(space)))


def auxiliary_spaces(state: State, side: Side, card: Card) -> tuple[str, ...]:
    """strategy.3 Cards 44 to 48: Roman generals in Italy, if the province is Roman."""
    if not controls(state, side, card.province):
        return ()
    return with_general(state, side, card, spaces_in("italia"))


def no_volones(state: State, side: Side, card: Card) -> Reason | None:
    """strategy.3 Card 43: three Italian provinces lost, and no Carthaginian CU in Latium."""
    if italian(state, "carthage") < card.italian:
        return because(
            "Carthage must control %(italian)s %(italian|province|provinces)s of Italy", italian=card.italian
        )
    return Reason("a Carthaginian CU is in Latium") if enemy_units(state, "rome", "rome") else None


def volones(state: State, side: Side, card: Card, dice: Dice) -> Handled:
    """strategy.3 Card 43: four CUs in Rome."""
    return raise_units(state, side, card, "rome", Troops(card.units))


def mutin_spaces(state: State, side: Side, card: Card) -> tuple[str, ...]:
    """strategy.3 Card 22: Sicilian spaces without a city and without a Roman CU."""
    return tuple(
        space
        for space in spaces_in("island_sicily")
        if not ground(space).city and not enemy_outside(state, side, space).size
    )


def mutin(state: State, side: Side, card: Card, choice: str, dice: Dice) -> Handled:
    """strategy.3 Card 22: a CU and a PC."""
    state = state.with_place(choice, replace(state.spaces[choice], control="carthage"))
    return raise_units(state, side, card, choice, Troops(1))


EVENTS = {
    "macedonians": Kind(if_options(allied_ports), asking("macedonians")),
    "slingers": Kind(if_options(slinger_ports), asking("slingers")),
    "african_elephants": Kind(no_elephants, african_elephants),
    "recruits": Kind(if_options(recruit_spaces), asking("recruits")),
    "auxiliaries": Kind(if_options(auxiliary_spaces), asking("auxiliaries")),
    "volones": Kind(no_volones, volones),
    "mutin": Kind(if_options(mutin_spaces), asking("mutin")),
}

CHOICES = {
    "macedonians": Choice(allied_ports, raise_here),
    "slingers": Choice(slinger_ports, raise_here),
    "recruits": Choice(recruit_spaces, raise_here),
    "auxiliaries": Choice(auxiliary_spaces, raise_here),
    "mutin": Choice(mutin_spaces, mutin),
}
