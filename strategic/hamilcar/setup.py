"""4 The set-up, and positions typed in."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Literal

from msgspec.structs import replace

from strategic.hamilcar.rules.cards import deck_of
from strategic.hamilcar.rules.checks import check
from strategic.hamilcar.rules.events import Opening, open_in_move
from strategic.hamilcar.sequence import SEQUENCE
from strategic.hamilcar.state import General, Options, State
from strategic.hamilcar.tables import CHART, HOUSE, LEADERS, House, ground
from strategic.point_to_point.state import SIDES, Place, Side, Troops
from tactical.kernel.dice import Dice
from tactical.kernel.engine import advance
from tactical.kernel.options import choose_options, choose_scenario, describe, infos, read_all
from tactical.kernel.protocol import Outcome, ScenarioInfo, event
from tactical.kernel.record import BadInput, Input, plain, read

SIGUS = "sigus"

# 26 Optional rules, with how a group plays
OPTIONS = infos("hamilcar/options.toml")
ANEW = (  # what a start draws, deals or asks by itself where a position leaves it out
    "phase",
    "active",
    "first",
    "opening",
    "deck",
    "hands",
    "declared",
    "agenda",
    "play",
    "march",
    "voyage",
    "engagement",
    "settled",
    "naval",
    "battle",
    "result",
    "scenario",
)


class Force(Input, frozen=True):
    """An army at the start."""

    cite: str
    side: Side
    space: str
    units: int = 0
    elephants: int = 0
    trains: int = 0
    general: str | None = None
    rank: Literal["consul", "proconsul", "general"] = "general"


class ShipCount(Input, frozen=True):
    """Ships at the start."""

    ready: int
    unready: int


class Scenario(Input, frozen=True):
    """A scenario file; `position` holds the rest of a stopped game, as in a position typed in."""

    id: str
    title: str
    history: str
    cite: str
    source: str
    turn: int
    supremacy: Side
    seamanship: int
    corvus: bool
    forgotten: bool
    council: tuple[tuple[int, int], ...]
    ships: dict[Side, ShipCount]
    force: tuple[Force, ...]
    out: tuple[str, ...] = ()
    consuls: tuple[str, ...] = ()
    control: dict[str, Side] = {}
    opening: Opening | None = None


def all_scenarios() -> dict[str, Scenario]:
    """The scenario files by id, the whole war first."""
    return read_all("hamilcar/scenarios", Scenario, lambda each: (each.opening is not None, each.id))


def scenarios() -> tuple[ScenarioInfo, ...]:
    """What the systems page shows of each scenario."""
    return tuple(describe(each, (each.source,), SIDES) for each in all_scenarios().values())


def start(
    scenario: str | None, position: Mapping[str, Any] | None, options: Mapping[str, Any], dice: Dice
) -> Outcome[State]:
    """4 The campaign before its first command. BadInput names the field that is wrong or contradicts another."""
    found = choose_scenario(all_scenarios(), scenario, position)
    if found is None:
        state = read_position(position or {}, options)
        if "deck" not in (position or {}) and state.options.cards == "deck":
            elsewhere = {*state.discard, *state.removed, *state.hands["rome"], *state.hands["carthage"]}
            state = replace(state, deck=dice.shuffled(tuple(n for n in deck_of(state) if n not in elsewhere)))
    else:
        state = set_up(found, *choose_options(options, Options, HOUSE), dice)
    state, events = advance(SEQUENCE, state, dice)
    return Outcome(state, (event("4", "start", scenario=state.scenario, turn=state.turn), *events))


def set_up(scenario: Scenario, options: Options, house: House | None, dice: Dice) -> State:
    """4.1, 4.2, 4.3 The markers, armies, generals, ships and tribes at their places."""
    state = State(
        scenario.turn,
        "deal",
        board(scenario, options),
        people(scenario),
        supremacy=scenario.supremacy,
        seamanship=scenario.seamanship,
        corvus=scenario.corvus,
        forgotten=scenario.forgotten,
        council=scenario.council,
        options=options,
        scenario=scenario.id,
        house=house,
    )
    for force in scenario.force:
        state = state.add(force.space, force.side, Troops(force.units, force.elephants, force.trains))
        if force.general:
            state = state.with_general(force.general, General("board", force.space, False, force.rank))
    for side in SIDES:
        for ready, count in ((True, scenario.ships[side].ready), (False, scenario.ships[side].unready)):
            for _ in range(count):
                state = state.built(side, ready)
    first = tuple(force.general for force in scenario.force if force.general and force.rank == "consul")
    state = replace(state, consuls=scenario.consuls or first)
    if options.cards == "deck":
        state = replace(state, deck=dice.shuffled(deck_of(state)))
    if scenario.opening is not None:
        state = open_in_move(state, scenario.opening)
    check(state)
    return state


def board(scenario: Scenario, options: Options) -> dict[str, Place]:
    """4.1, 4.2, 4.3, 26.9 Markers and tribes by the map; Sigus is empty by an option.

    4.1.c, 4.2.d Walled cities bear their owner's marker. 4.b Numidia, Etruria and Sicily are neutral.
    """
    spaces: dict[str, Place] = {}
    for space in CHART.spaces:
        here = ground(space)
        control = scenario.control.get(space, here.start)
        tribe = here.tribe and not (space == SIGUS and options.war_in_numidia)
        owner: Side | None = "rome" if control == "rome" else "carthage" if control == "carthage" else None
        spaces[space] = Place(owner, tribe and owner is None)
    return spaces


def people(scenario: Scenario) -> dict[str, General]:
    """4.1.b, 4.2.6, 4.2.7 Romans in the draw, Carthaginians on the track, hired captains in their reserve."""
    found: dict[str, General] = {}
    for name, leader in LEADERS.items():
        if name in scenario.out:
            found[name] = General("out")
        elif leader.mercenary:
            found[name] = General("mercenary")
        elif leader.side == "carthage" and leader.arrives > scenario.turn:
            found[name] = General("track")
        else:
            found[name] = General("pool")
    return found


def read_position(raw: Mapping[str, Any], options: Mapping[str, Any]) -> State:
    """A typed position: defaults filled in, contradictions refused with the path to the field."""
    if not isinstance(raw, Mapping):
        raise BadInput("position", "a position must be an object")
    for name in raw:
        if name not in State.__struct_fields__:
            raise BadInput(f"position.{name}", "there is no such field")
    scenario = all_scenarios()["first_punic_war"]
    full = dict(raw)
    given, house = choose_options({**(raw.get("options") or {}), **options}, Options, HOUSE)
    full["options"] = plain(given)
    full.setdefault("turn", scenario.turn)
    full.setdefault("phase", "strategy" if raw.get("agenda") else "deal")
    given_spaces = raw.get("spaces") or {}
    at_start = plain(board(scenario, given))
    full["spaces"] = {
        name: {**at_start.get(name, {}), **(given_spaces.get(name) or {})} for name in (*at_start, *given_spaces)
    }
    everybody = {name: {"status": record.status} for name, record in people(scenario).items()}
    full["generals"] = {**everybody, **(raw.get("generals") or {})}
    state: State = read(full, State, "position")
    if house is not None:
        state = replace(state, house=house)
    check(state, "position.")
    return state
