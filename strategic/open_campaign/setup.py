"""O12 How an open campaign begins: ready-made, or from a position of one's own."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from msgspec.structs import replace

from strategic.naval.handoff import ship_name
from strategic.open_campaign.rules.position import check
from strategic.open_campaign.rules.upkeep import larder
from strategic.open_campaign.rules.world import check_world
from strategic.open_campaign.rules.world_reading import read_world
from strategic.open_campaign.sequence import SEQUENCE
from strategic.open_campaign.state import Fleet, Goal, Options, Ship, Side, State, TurnLength
from strategic.open_campaign.tables import CAPTAINS, HOUSE
from tactical.drawing import at_most, check_drawings
from tactical.kernel import options
from tactical.kernel.dice import Dice
from tactical.kernel.engine import begin
from tactical.kernel.house_rules import other_options
from tactical.kernel.protocol import Outcome, ScenarioInfo
from tactical.kernel.record import Input, read

OPTIONS = options.infos("open_campaign/options.toml")


DRAWN = {"world": check_world, "ships": at_most(2000), "fleets": at_most(400)}
CHEST = 5000  # O8.1: hundredths of a talent with which each side begins


class FleetRow(Input, frozen=True):
    """O12.1 A fleet of an order of battle: its ships by type."""

    id: str
    side: str
    name: str
    admiral: str
    seamanship: int
    fight: int
    at: str
    ships: dict[str, int]
    pips: int = 5
    corvus: bool = False
    arrives: int = 0
    weeks: int = 0
    home: str = ""


class Scenario(Input, frozen=True):
    """data/open_campaign/scenarios/<id>.toml."""

    id: str
    title: str
    history: str
    sources: tuple[str, ...]
    world: str
    date: str
    turn_length: TurnLength
    turns: int
    sides: dict[str, Side]
    ports: dict[str, str]
    fleet: tuple[FleetRow, ...]
    goal: tuple[Goal, ...] = ()


SCENARIOS = options.read_all("open_campaign/scenarios", Scenario)


def all_scenarios() -> tuple[ScenarioInfo, ...]:
    """O12.1 What is ready-made, with its sources."""
    return tuple(options.describe(each, each.sources, tuple(each.sides)) for each in SCENARIOS.values())


def start(
    scenario: str | None, position: Mapping[str, Any] | None, chosen: Mapping[str, Any], dice: Dice
) -> Outcome[State]:
    """O12.1 A ready-made campaign with its options, or a position."""
    wanted, house = options.choose_options(chosen, Options, HOUSE)
    found = options.choose_scenario(SCENARIOS, scenario, position)
    if found is None:
        check_drawings(DRAWN, position or {}, None, "")
        if isinstance(world := (position or {}).get("world"), Mapping):
            position = {**(position or {}), "world": read_world(world, "world").world}
        state: State = read(position, State, "position")
        if other_options(chosen):
            state = replace(state, options=wanted)
    else:
        state = opening(found, wanted)
    if house is not None:
        state = replace(state, house=house)
    state = replace(state, ready={**dict.fromkeys(state.sides, False), **state.ready})
    check(state)
    return begin(SEQUENCE, state, dice)


def opening(scenario: Scenario, wanted: Options) -> State:
    """O12.1 The starting position of a scenario: each ship a sheet, each larder full."""
    ships: dict[str, Ship] = {}
    fleets: dict[str, Fleet] = {}
    for row in sorted(scenario.fleet, key=lambda each: each.id):
        own = sheets(row, sum(each.side == row.side for each in ships.values()))
        if wanted.land:
            own = {each: replace(ship, companies=int(not ship.is_warship)) for each, ship in own.items()}
        ships |= own
        fleets[row.id] = Fleet(
            side=row.side,
            name=row.name,
            at=row.at,
            ships=tuple(own),
            admiral=row.admiral,
            seamanship=row.seamanship,
            fight=row.fight,
            arrives=row.arrives,
        )
    state = State(
        world=scenario.world,
        sides=scenario.sides,
        fleets=fleets,
        ships=ships,
        date=scenario.date,
        turn_length=scenario.turn_length,
        turns=scenario.turns,
        scenario=scenario.id,
        ports=dict(sorted(scenario.ports.items())),
        goals=scenario.goal,
        money={side: CHEST for side in sorted(scenario.sides)} if wanted.money != "none" else {},
        options=wanted,
    )
    full = {name: replace(fleet, provisions=larder(state, fleet)) for name, fleet in fleets.items()}
    return replace(state, fleets=full)


def sheets(row: FleetRow, first: int = 0) -> dict[str, Ship]:
    """O2.1 The sheets of a fleet, each with a name and a captain (the next of her side's) and a home port."""
    found: dict[str, Ship] = {}
    for kind, count in row.ships.items():
        for _ in range(count):
            number = len(found)
            corvus = row.corvus and kind == "quinquereme"
            found[f"{row.id}-{number + 1}"] = Ship(
                row.side,
                kind,
                ship_name(row.side, first + number),
                pips=row.pips,
                corvus=corvus,
                weeks=row.weeks,
                captain=CAPTAINS.of(row.side, first + number),
                home=row.home or row.at,
            )
    return found
