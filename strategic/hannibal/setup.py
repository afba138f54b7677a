"""Starting a campaign from a scenario or from a position that a group types in."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from msgspec.structs import replace

from strategic.hannibal.rules.checks import faults
from strategic.hannibal.sequence import SEQUENCE
from strategic.hannibal.state import NO_CARD, General, Options, Phase, State
from strategic.hannibal.tables import CARDS, CHART, HOUSE, LEADERS, ground
from strategic.point_to_point.state import SIDES, Place, Side, Troops
from tactical.kernel.dice import Dice
from tactical.kernel.engine import advance
from tactical.kernel.house_rules import other_options
from tactical.kernel.options import choose_options, choose_scenario, describe, infos, read_all
from tactical.kernel.protocol import Outcome, Prompt, ScenarioInfo, event
from tactical.kernel.record import BadInput, Input, Reason, plain, read

OPTIONS = infos("hannibal/options.toml")
ANEW = (  # what a start draws, deals or asks by itself where a position leaves it out
    "phase",
    "active",
    "first",
    "opening",
    "deck",
    "hands",
    "agenda",
    "play",
    "march",
    "battle",
    "result",
    "engagement",
    "settled",
)


class Force(Input, frozen=True):
    """CUs and generals that start together; the first general commands."""

    cite: str
    side: Side
    space: str
    units: int
    generals: tuple[str, ...]
    elephants: int = 0


class Scenario(Input, frozen=True):
    """A scenario file."""

    id: str
    title: str
    history: str
    cite: str
    source: str
    turn: int
    phase: Phase
    consuls: tuple[str, ...]
    force: tuple[Force, ...]


def all_scenarios() -> dict[str, Scenario]:
    """setup.1 The scenario files by id."""
    return read_all("hannibal/scenarios", Scenario)


def scenarios() -> tuple[ScenarioInfo, ...]:
    """setup.1 What can be started."""
    return tuple(describe(each, (each.source,), SIDES) for each in all_scenarios().values())


def blank() -> State:
    """setup.1, setup.2, setup.3 The board with its markers and nobody on it."""
    places = {}
    for space in CHART.spaces:
        start = ground(space).start
        control: Side | None = "rome" if start == "rome" else "carthage" if start == "carthage" else None
        places[space] = Place(control=control, tribe=ground(space).tribe)
    people = {}
    for name, leader in LEADERS.items():
        if leader.side == "carthage":
            people[name] = General("displaced")
        else:
            people[name] = General("waiting" if leader.arrives else "pool", rank=leader.rank)
    return State(turn=1, phase="deal", spaces=places, generals=people)


def start(
    scenario: str | None, position: Mapping[str, Any] | None, options: Mapping[str, Any], dice: Dice
) -> Outcome[State]:
    """setup.4 Begin: from a scenario with both decks shuffled, or from a position. Raises BadInput."""
    wanted, house = choose_options(options, Options, HOUSE)
    if position is not None:
        state = from_position(position, other_options(options), dice)
    else:
        found = choose_scenario(all_scenarios(), scenario or "second_punic_war", None)
        assert found is not None
        state = from_scenario(found, wanted, dice)
    if house is not None:
        state = replace(state, house=house)
    begun = event("setup.4", "begun", turn=state.turn, options=plain(state.options))
    state, events = advance(SEQUENCE, state, dice)
    return Outcome(state, (begun, *events))


def from_scenario(scenario: Scenario, options: Options, dice: Dice) -> State:
    """setup.carthage.1 … setup.rome.2 The armies of the scenario."""
    deck = () if options.cards_on_table else dice.shuffled(tuple(CARDS))
    state = replace(
        blank(), turn=scenario.turn, phase=scenario.phase, options=options, deck=deck, consuls=scenario.consuls
    )
    for force in scenario.force:
        state = state.add(force.space, force.side, Troops(force.units, force.elephants))
        for name_of in force.generals:
            general = replace(state.generals[name_of], status="board", space=force.space)
            state = state.with_general(name_of, general)
    return state


def from_position(position: Mapping[str, Any], options: Mapping[str, Any], dice: Dice) -> State:
    """setup.1 The full state or any part of it; what is left out takes the start's markers and the other defaults.

    strategy.4 In the strategy phase without an agenda the side named `active` is to play a card.
    """
    raw = plain(blank())
    for name, value in position.items():
        if name not in State.__struct_fields__:
            raise BadInput(name, "there is no such field")
        if name in ("spaces", "generals"):
            raw[name] = _merge(raw[name], value, name)
        elif name == "hands" and isinstance(value, Mapping):
            raw[name] = {**raw[name], **value}
        else:
            raw[name] = value
    if not isinstance(raw["options"], Mapping):
        raise BadInput("options", "expected an object")
    for name in raw["options"]:
        if name not in Options.__struct_fields__:
            raise BadInput(f"options.{name}", "there is no such option")
    raw["options"] = {**raw["options"], **options}
    state: State = read(raw, State)
    if "phase" not in position:
        state = replace(state, phase="strategy" if "hands" in position else "deal")
    if "consuls" not in position:
        now = (name for name, g in state.generals.items() if g.status == "board" and g.rank == "consul")
        state = replace(state, consuls=tuple(now))
    state = _with_deck(state, position, dice)
    check(state)
    if "agenda" in position or state.phase != "strategy" or state.active is None or not state.hands[state.active]:
        return state
    return state.then(Prompt("card", state.active, "strategy.4"))


def _merge(known: dict[str, Any], given: Any, at: str) -> dict[str, Any]:
    """Records given in part, over the defaults of each."""
    if not isinstance(given, Mapping):
        raise BadInput(at, "expected an object")
    merged = dict(known)
    for name, value in given.items():
        if name not in known:
            raise BadInput(
                f"{at}.{name}",
                (Reason("there is no such space") if at == "spaces" else Reason("there is no such general")),
            )
        if not isinstance(value, Mapping):
            raise BadInput(f"{at}.{name}", "expected an object")
        for field in value:
            if field not in known[name]:
                raise BadInput(f"{at}.{name}.{field}", "there is no such field")
        part = dict(value)
        if at == "generals" and part.get("space") is not None and "status" not in part:
            part["status"] = "board"
        merged[name] = {**known[name], **part}
    return merged


def _with_deck(state: State, position: Mapping[str, Any], dice: Dice) -> State:
    """deal.1 A deck that is not given holds the cards that lie nowhere else."""
    if "deck" in position or state.options.cards_on_table:
        return state
    hands = [card for side in SIDES for card in state.hands[side]]
    away = {*hands, *state.discard, *state.removed}
    return replace(state, deck=dice.shuffled(tuple(card for card in CARDS if card not in away)))


def check(state: State) -> None:
    """setup.4 Refuse a contradiction with the path to the field."""
    for path, reason in faults(state):
        raise BadInput(path, reason)
    for side, hand in state.hands.items():
        if NO_CARD in hand and not state.options.cards_on_table:
            raise BadInput(
                f"hands.{side}", "0 is not a card; hands can be unknown only when the cards are on the players' table"
            )
