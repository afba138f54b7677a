"""18.0 Victory points, levels, the automatic wins, and an end by agreement."""

from __future__ import annotations

from msgspec.structs import replace

from strategic.punic_wars.commands import Agree, Resign
from strategic.punic_wars.rules.control import worth
from strategic.punic_wars.rules.pieces import ENEMY, SIDES, Result, Side
from strategic.punic_wars.state import Campaign
from strategic.punic_wars.tables import NUMBERS
from tactical.kernel.dice import Dice
from tactical.kernel.protocol import Event, Illegal, event

Level = str


def totals(state: Campaign) -> dict[str, int]:
    """18.0 Victory points: the value of the regions that each side controls; neutral ones give none."""
    return {side: worth(state, side) for side in SIDES}


def judge(state: Campaign, rule: str) -> Result:
    """18.0, 19.15, 19.25 The higher total against the scenario's levels; without levels nobody wins (19.34.D)."""
    points = totals(state)
    levels = state.war_rules.victory
    best: Side = "rome" if points["rome"] > points["carthage"] else "carthage"
    if levels.marginal is None or points["rome"] == points["carthage"] or points[best] < levels.marginal:
        return Result(None, "draw", rule, points)
    if levels.decisive is not None and points[best] >= levels.decisive:
        return Result(best, "decisive", rule, points)
    if levels.substantial is not None and points[best] >= levels.substantial:
        return Result(best, "substantial", rule, points)
    return Result(best, "marginal", rule, points)


def win(state: Campaign, side: Side, rule: str) -> tuple[Campaign, tuple[Event, ...]]:
    """18.2 A decisive victory at once."""
    result = Result(side, "decisive", rule, totals(state))
    return state.ended(result), (event(rule, "over", winner=side, level="decisive", points=result.points),)


def on_capital_fall(state: Campaign) -> tuple[Campaign, tuple[Event, ...]]:
    """18.22, 18.23, 19.34.D The phasing player's land points in the enemy's capital, with no enemy land point there.

    Ruling P9: that is what "inside" means.
    """
    if state.result is not None or state.phase == "setup":
        return state, ()
    side = state.phasing
    places = NUMBERS.places
    goal, rule = (places.carthage, "18.23") if side == "rome" else (places.rome, "18.22")
    if state.war_rules.special.only_the_fall_of_carthage:
        if side == "carthage":
            return state, ()
        rule = "19.34.D"
    if state.points(goal, side, "land") and not state.points(goal, ENEMY[side], "land"):
        return win(state, side, rule)
    return state, ()


def region_total(state: Campaign) -> tuple[Campaign, tuple[Event, ...]]:
    """18.21 In his tax phase the phasing player wins when his regions reach the automatic level."""
    level = state.war_rules.victory.decisive
    if level is not None and worth(state, state.phasing) >= level:
        return win(state, state.phasing, "18.21")
    return state, ()


def check_agree(state: Campaign, side: str, agreed: bool = True) -> None:
    """18.1 Each side says it once, and may take it back."""
    if agreed and side in state.agreed:
        raise Illegal("18.1", "You have already agreed; the other side has not.")
    if not agreed and side not in state.agreed:
        raise Illegal("18.1", "You have not agreed to end the game.")


def agree(state: Campaign, command: Agree, dice: Dice) -> tuple[Campaign, tuple[Event, ...]]:
    """18.1 The game ends at any time when both players agree, and is judged by region values.

    Ruling P24: an agreement is of one moment: it can be taken back, and lapses with the phase.
    """
    check_agree(state, command.side, command.agreed)
    if not command.agreed:
        rest = tuple(side for side in state.agreed if side != command.side)
        return replace(state, agreed=rest), (event("18.1", "agreed", side=command.side, agreed=False),)
    new = replace(state, agreed=(*state.agreed, command.side))
    events: tuple[Event, ...] = (event("18.1", "agreed", side=command.side),)
    if set(new.agreed) < set(SIDES):
        return new, events
    result = judge(new, "18.1")
    over = event("18.1", "over", winner=result.winner, level=result.level, points=result.points)
    return new.ended(result), (*events, over)


def resign(state: Campaign, command: Resign, dice: Dice) -> tuple[Campaign, tuple[Event, ...]]:
    """18.1 Giving up: the other side has won decisively."""
    winner: Side = "rome" if command.side == "carthage" else "carthage"
    over, events = win(state, winner, "18.1")
    return over, (event("18.1", "resigned", side=command.side), *events)
