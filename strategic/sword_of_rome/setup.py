"""How a game begins: a scenario, or a position that somebody typed in."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from msgspec.structs import replace

from strategic.sword_of_rome.rules import turn
from strategic.sword_of_rome.rules.checks import check, on_map
from strategic.sword_of_rome.rules.moving_army import tidy
from strategic.sword_of_rome.rules.survey import with_pairs_in_order
from strategic.sword_of_rome.state import Force, State, Tally
from strategic.sword_of_rome.tables import HOUSE, PLAYED, SEATS
from tactical.kernel.dice import Dice
from tactical.kernel.house_rules import other_options
from tactical.kernel.options import choose_scenario, describe, read_all
from tactical.kernel.protocol import Outcome, ScenarioInfo, event
from tactical.kernel.record import BadInput, Input, check_fields, plain, read

ANEW = (  # what a start draws, deals or asks by itself where a position leaves it out
    "active",
    "acted",
    "hands",
    "tallies",
    "proposals",
    "wishes",
    "move",
    "reaction",
    "crossing",
    "battle",
    "fleeing",
    "pending",
    "result",
    "engagement",
    "settled",
    "scenario",
)


class ScenarioForce(Input, frozen=True):
    """One army of a set-up."""

    power: str
    space: str
    units: int = 0
    leaders: tuple[str, ...] = ()


class Scenario(Input, frozen=True):
    """data/sword_of_rome/scenarios/*.toml."""

    id: str
    title: str
    history: str
    cite: str
    source: str
    sources: tuple[str, ...]
    order: tuple[str, ...]
    vp: int
    force: tuple[ScenarioForce, ...]
    alliances: tuple[tuple[str, str], ...] = ()
    hands: dict[str, tuple[int, ...]] = {}
    control: dict[str, str] = {}
    teaching: bool = False


def all_scenarios() -> dict[str, Scenario]:
    """The set-ups by id, the whole game first, then the lessons."""
    return read_all("sword_of_rome/scenarios", Scenario, lambda each: (each.teaching, each.cite))


def scenarios() -> tuple[ScenarioInfo, ...]:
    """What the systems page shows of each scenario."""
    return tuple(describe(each, each.sources, tuple(SEATS)) for each in all_scenarios().values())


def position_of(scenario: Scenario) -> dict[str, Any]:
    """3 The scenario as a position."""
    forces: dict[str, dict[str, Any]] = {}
    for force in scenario.force:
        forces.setdefault(force.space, {})[force.power] = {"units": force.units, "leaders": force.leaders}
    return {
        "order": scenario.order,
        "forces": forces,
        "alliances": scenario.alliances,
        "hands": scenario.hands,
        "control": scenario.control,
        "vp": {power: scenario.vp for power in PLAYED},
        "scenario": scenario.id,
    }


def start(
    scenario: str | None, position: Mapping[str, Any] | None, options: Mapping[str, Any], dice: Dice
) -> Outcome[State]:
    """3 The game before its first command. BadInput names the field that is wrong or contradicts another."""
    found = choose_scenario(all_scenarios(), scenario, position)
    state = read_position(position if found is None else position_of(found), options)
    begun = (event("3", "start", scenario=state.scenario, turn=state.turn),)
    is_dealt = found is not None or begins_without_hands(state, position or {})
    if is_dealt and state.options.cards == "dealt" and not state.hands:
        state, more = turn.deal(state, dice)
        return Outcome(state, (*begun, *more))
    return Outcome(state, begun)


def begins_without_hands(state: State, position: Mapping[str, Any]) -> bool:
    """6.2 Does a turn begin with it, for which nobody has said what anybody holds? Then its cards are dealt."""
    is_first = state.round == 1 and not state.acted and state.move is None and not state.pending
    return "hands" not in position and is_first and not state.is_over


def read_position(raw: Mapping[str, Any] | None, options: Mapping[str, Any]) -> State:
    """3 A typed position: defaults filled in, contradictions refused with the path to the field."""
    if not isinstance(raw, Mapping):
        raise BadInput("position", "a position must be an object")
    house, raw_options = HOUSE.of(options), {**(raw.get("options") or {}), **other_options(options)}
    state = read_state({**raw, "options": raw_options}, "position")
    if house is not None:
        state = replace(state, house=house)
    check_fields(raw_options, plain(state.options), "options")
    state = with_pairs_in_order(replace(state, order=state.order or tuple(SEATS)))
    if state.active is None and not state.is_over:
        state = replace(state, active=next((seat for seat in state.order if seat not in state.resigned), None))
    if not state.tallies:
        state = replace(state, tallies={power: Tally(units) for power, units in on_map(state).items()})
    check(state, "position.")
    state, _ = tidy(state)
    return state


def read_state(raw: Mapping[str, Any], at: str) -> State:
    """Plain values as a position; a field that no record has, or of the wrong shape, is refused by its path."""
    forces = raw.get("forces")
    for space, here in forces.items() if isinstance(forces, Mapping) else ():
        for power, force in here.items() if isinstance(here, Mapping) else ():
            read(force, Force, f"{at}.forces.{space}.{power}")
    state: State = read(raw, State, at)
    check_fields(raw, plain(state), at)
    return state
