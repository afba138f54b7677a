"""4 The set-up, positions typed in, and what a position may not contradict."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Literal

from msgspec.structs import replace

import data
from strategic.hamilcar.house import House, validate_house
from strategic.hamilcar.rules.turn import deck_of
from strategic.hamilcar.sequence import run
from strategic.hamilcar.state import Options, State
from strategic.hamilcar.tables import (
    ALL_CELLS,
    CARDS,
    CHART,
    LEADERS,
    TABLES,
    ground,
)
from strategic.hamilcar.troops import General
from strategic.hamilcar.underway import check_agenda, check_under_way
from strategic.point_to_point.pieces import Place, Troops
from strategic.point_to_point.tables import SIDES, Side
from tactical.kernel.dice import Dice
from tactical.kernel.play import OptionInfo, Outcome, ScenarioInfo, event
from tactical.kernel.record import BadInput, Input, plain, read

FOLDER = "hamilcar/scenarios"
SIGUS = "sigus"

OPTIONS: tuple[OptionInfo, ...] = (
    OptionInfo("naval_stores", False, "Ships that sailed or tried to intercept become unready.", (), "26.7"),
    OptionInfo("crews_at_sea", False, "Carthage may not take CUs in place of ships.", (), "26.8"),
    OptionInfo("war_in_numidia", False, "Sigus starts without a tribe and empty.", (), "26.9"),
    OptionInfo("carthaginian_militia", False, "Carthage may always take a CU in place of its ship.", (), "26.10"),
    OptionInfo("fixed_roman_reinforcements", False, "Rome always gets 5 CUs.", (), "26.11"),
    OptionInfo("more_allies", False, "Card 48 joins the deck.", (), "26.12"),
    OptionInfo("epic_battles", False, "No limits of 14.1 on battle cards.", (), "26.13"),
    OptionInfo("elected_consuls", 0, "So many consuls are chosen by Rome, not drawn.", (0, 1, 2), "26.14"),
    OptionInfo("extended_contract", False, "Xanthippus leaves at the end of the turn after his arrival.", (), "26.15"),
    OptionInfo("flaccus_leaves", True, "Flaccus leaves for good after turn 1.", (), "6.4.d"),
    OptionInfo("lone_consul_fleet", False, "A consul may sail with ships only.", (), "H13"),
    OptionInfo(
        "island_allies",
        "province",
        "Whether an island's provinces give allied cards in battles in that province only, or on the whole island.",
        ("province", "island"),
        "hands.4",
    ),
    OptionInfo("cards", "deck", "The program deals its substitute deck, or the cards lie on the table and are said.",
               ("deck", "table"), "8.2"),
    OptionInfo("commander_rerolls", False, "In a battle on the table a commander's rating is that many re-rolls.", (),
               "L2.5.a"),
    OptionInfo("house", None, "The group's own values in place of reconstructed ones.", (), "H.table"),
)  # fmt: skip


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
    scene: Scene | None = None


class Scene(Input, frozen=True):
    """The war stopped in mid-move: this general has put to sea and this one has caught him."""

    mover: Side
    general: str
    start: str
    to: str
    ships: int
    units: int
    trains: int
    catcher: str
    catching: int
    hand: int


def all_scenarios() -> dict[str, Scenario]:
    """The scenario files by id."""
    found = (data.read(path, Scenario) for path in data.files(FOLDER))
    return {scenario.id: scenario for scenario in found}


def scenarios() -> tuple[ScenarioInfo, ...]:
    """The scenarios as the house sees them, the whole war first."""
    ordered = sorted(all_scenarios().values(), key=lambda each: (each.scene is not None, each.id))
    return tuple(ScenarioInfo(each.id, each.title, each.history, (each.source,), SIDES) for each in ordered)


def start(
    scenario: str | None, position: Mapping[str, Any] | None, options: Mapping[str, Any], dice: Dice
) -> Outcome[State]:
    """4 The campaign before its first command. BadInput names the field that is wrong or contradicts another."""
    if (scenario is None) == (position is None):
        raise BadInput("scenario", "give a scenario or a position, not both and not neither")
    if position is not None:
        state = read_position(position, options)
        if "deck" not in position and state.options.cards == "deck":
            elsewhere = {*state.discard, *state.removed, *state.hands["rome"], *state.hands["carthage"]}
            state = replace(state, deck=dice.shuffled(tuple(n for n in deck_of(state) if n not in elsewhere)))
    else:
        found = all_scenarios().get(scenario or "")
        if found is None:
            raise BadInput("scenario", f"there is no scenario {scenario!r} of Hamilcar")
        state = set_up(found, read_options(options), dice, read_house_of(options))
    state, events = run(state, dice)
    return Outcome(state, (event("4", "start", scenario=state.scenario, turn=state.turn), *events))


def read_options(raw: Mapping[str, Any]) -> Options:
    """26 The options, each by its name."""
    chosen = {name: value for name, value in raw.items() if name != "house"}
    for name in chosen:
        if name not in Options.__struct_fields__:
            raise BadInput(f"options.{name}", "there is no such option")
    found: Options = read(chosen, Options, "options")
    return found


def read_house_of(options: Mapping[str, Any]) -> House | None:
    """H.table The group's own values, if it has any; an empty text or nothing means none."""
    raw = options.get("house")
    return validate_house(raw) if raw else None


def set_up(scenario: Scenario, options: Options, dice: Dice, house: House | None = None) -> State:
    """4.1, 4.2, 4.3 The markers, armies, generals, ships and tribes at their places."""
    state = State(
        scenario.turn, "deal", board(scenario, options), people(scenario), supremacy=scenario.supremacy,
        seamanship=scenario.seamanship, corvus=scenario.corvus, forgotten=scenario.forgotten,
        council=scenario.council, options=options, scenario=scenario.id, house=house,
    )  # fmt: skip
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
    if scenario.scene is not None:
        from strategic.hamilcar.scene import raise_curtain

        state = raise_curtain(state, scenario.scene)
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
        raise BadInput("position", "a position is an object")
    for name in raw:
        if name not in State.__struct_fields__:
            raise BadInput(f"position.{name}", "there is no such field")
    scenario = all_scenarios()["first_punic_war"]
    full = dict(raw)
    full["options"] = {**(raw.get("options") or {}), **{k: v for k, v in options.items() if k != "house"}}
    if options.get("house"):
        full["house"] = options["house"]
    given = read_options(full["options"])
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
    if state.house is not None:
        validate_house(plain(state.house))
    check(state, "position.")
    return state


def check(state: State, at: str = "") -> None:
    """2.2.7, 4 Refuse a position that contradicts itself; the path leads to the field."""
    if not 1 <= state.turn <= TABLES.turns.last:
        raise BadInput(f"{at}turn", f"turns are 1 to {TABLES.turns.last}")
    if not 0 <= state.seamanship < len(TABLES.sea.levels):
        raise BadInput(f"{at}seamanship", f"seamanship is 0 (poor) to {len(TABLES.sea.levels) - 1} (excellent)")
    if state.lost_ships < 0:
        raise BadInput(f"{at}lost_ships", "a count from 0")
    for space in CHART.spaces:
        if space not in state.spaces:
            raise BadInput(f"{at}spaces.{space}", "this space is missing")
    for space, place in state.spaces.items():
        check_place(space, place, f"{at}spaces.{space}", is_met(state, space), is_rolled(state, space))
    for name, general in state.generals.items():
        check_general(name, general, f"{at}generals.{name}")
    for name in LEADERS:
        if name not in state.generals:
            raise BadInput(f"{at}generals.{name}", "this general is missing")
    check_ships(state, at)
    check_council(state, at)
    check_cards(state, at)
    check_under_way(state, at)
    check_agenda(state, at)


def is_met(state: State, space: str) -> bool:
    """movement.general.3 Both sides are outside the walls only where an army arrives, or a battle is fought."""
    marching = state.march is not None and bool(state.march.path) and state.march.at == space
    return marching or (state.battle is not None and state.battle.space == space)


def is_rolled(state: State, space: str) -> bool:
    """20.2.8 Has a siege just been rolled there, and the city may still hold out?"""
    return any(prompt.kind in ("hold_out", "siege_result") and prompt.about.get("space") == space
               for prompt in state.agenda)  # fmt: skip


def check_place(space: str, place: Place, at: str, met: bool = False, rolled: bool = False) -> None:
    """cities.2, 8.2.1.limit A space that the map has, with counts from 0 and walls that hold what is inside.

    `met`: both sides may be outside the walls just now. `rolled`: a city may have more siege points just now.
    """
    if space not in CHART.spaces:
        raise BadInput(at, "there is no such space")
    here = ground(space)
    for name, troops in (("rome", place.rome), ("carthage", place.carthage), ("inside", place.inside)):
        for field in ("units", "elephants", "trains"):
            if not 0 <= getattr(troops, field) <= 99:
                raise BadInput(f"{at}.{name}.{field}", "a count from 0 to 99")
    if place.rome.elephants or (place.inside.elephants and place.control == "rome"):
        raise BadInput(f"{at}.rome.elephants", "Rome has no elephants")
    if place.rome.size and place.carthage.size and not met:
        raise BadInput(f"{at}.carthage", "CUs of both sides stand outside the walls of the same space")
    if not place.inside.is_nothing and (not here.city or place.control is None):
        raise BadInput(f"{at}.inside", "troops are inside only in a walled city that somebody holds")
    if place.inside.size > here.inside or place.inside.trains > here.inside:
        raise BadInput(f"{at}.inside", f"at most {here.inside} CUs and {here.inside} trains fit inside")
    if place.tribe and not here.tribe:
        raise BadInput(f"{at}.tribe", "no tribe lives here")
    if here.city and place.control is None:
        raise BadInput(f"{at}.control", "a walled city has an owner")
    if place.siege < 0 or (place.siege >= TABLES.siege.takes and not rolled):
        raise BadInput(f"{at}.siege", f"siege points are 0 to {TABLES.siege.takes - 1}")
    if place.siege and (place.besieger is None or not place.outside(place.besieger).size):
        raise BadInput(f"{at}.besieger", "siege points need a besieger's CUs outside")


def check_general(name: str, general: General, at: str) -> None:
    """4 A known general, in a space exactly when he is on the board."""
    if name not in LEADERS:
        raise BadInput(at, "there is no such general")
    if (general.status == "board") != (general.space is not None):
        raise BadInput(f"{at}.space", "a general has a space exactly when he is on the board")
    if general.space is not None and general.space not in CHART.spaces:
        raise BadInput(f"{at}.space", f"there is no space {general.space!r}")
    if general.inside and (general.space is None or not ground(general.space).city):
        raise BadInput(f"{at}.inside", "a general is inside only in a walled city")


def check_ships(state: State, at: str) -> None:
    """2.2.7 At most ten a side, each name once; at sea only what is sailing."""
    names: set[str] = set()
    for side in SIDES:
        ships = state.ships[side]
        if len(ships) > TABLES.sea.ships:
            raise BadInput(f"{at}ships.{side}", f"{len(ships)} ships are more than the limit of {TABLES.sea.ships}")
        for number, ship in enumerate(ships):
            path = f"{at}ships.{side}.{number}"
            if not ship.name.strip() or ship.name in names:
                raise BadInput(f"{path}.name", f"ship names differ, and {ship.name!r} is there twice or empty")
            names.add(ship.name)
            if ship.damage < 0:
                raise BadInput(f"{path}.damage", "hull damage is a count from 0")
            if ship.at_sea and state.voyage is None:
                raise BadInput(f"{path}.at_sea", "nobody is sailing, so every ship is in port")


def check_council(state: State, at: str) -> None:
    """H.council Nine cells, one PC each."""
    if len(set(state.council)) != len(state.council) or not set(state.council) <= set(ALL_CELLS):
        raise BadInput(f"{at}council", "the Council has nine cells, (1, 1) to (3, 3), with one PC each")


def check_cards(state: State, at: str) -> None:
    """8.2 No card is in two places."""
    everywhere = [*state.deck, *state.discard, *state.removed, *state.hands["rome"], *state.hands["carthage"]]
    known = [number for number in everywhere if number and number not in state.declared]
    if state.options.cards == "deck" and len(set(known)) != len(known):
        raise BadInput(f"{at}hands", "a strategy card is in two places")
    for number in known:
        if state.options.cards == "deck" and number not in CARDS:
            raise BadInput(f"{at}hands", f"there is no card {number}")
