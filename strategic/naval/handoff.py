"""L2, L3 From the campaign to the table and back: an engagement becomes a position, a battle a naval outcome."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Any

from msgspec import UNSET

import data
from strategic.naval.engagement import (
    Deployment,
    Engagement,
    Fleet,
    NavalOutcome,
    NavalUnit,
    SideOutcome,
    Wounds,
    check_outcome,
    count_losses,
)
from tactical.battle import Battle
from tactical.board import BOARD_LIMIT, from_column_row
from tactical.kernel.protocol import Illegal
from tactical.kernel.record import Record
from tactical.rules.ending import warships
from tactical.ship import FIGURES, TYPES, Ship, ShipType, complement_of


class BoardRow(Record, frozen=True):
    """L2.5 The board of a linked battle."""

    cite: str
    columns_least: int
    rows: int
    margin: int
    edge: int
    gap: int


class TypeRow(Record, frozen=True):
    """L2.1, L2.3 Which ship types stand for a unit and for a transport."""

    cite: str
    default: str
    transport: str


class CrewRow(Record, frozen=True):
    """L2.2 Which crews a seamanship gives, and which a navy's flagship has whatever the seamanship."""

    cite: str
    default: str
    seamanship: dict[str, str]
    flagship: dict[str, str] = {}


class LinkingTable(Record, frozen=True):
    """data/linking/fleets.toml."""

    cite: str
    source: str
    turn_limit: int
    wall_until: int
    most_models: int
    abandoned_days: int
    board: BoardRow
    type: TypeRow
    crew: CrewRow
    navy: dict[str, str]


class NameTable(Record, frozen=True):
    """data/linking/names.toml: ship names by side, in the order in which they are drawn."""

    cite: str
    names: dict[str, tuple[str, ...]]


TABLE: LinkingTable = data.read("linking/fleets.toml", LinkingTable)
NAMES: NameTable = data.read("linking/names.toml", NameTable)


def ship_name(side: str, number: int) -> str:
    """L2.4 The name of a side's ship of this number, from 0: of its list; a second round has a 2 behind each name."""
    names = NAMES.names.get(side, NAMES.names["default"])
    rounds, place = divmod(number, len(names))
    return f"{names[place]} {rounds + 1}" if rounds else names[place]


def battle_position(
    engagement: Engagement, models_per_unit: int = 1, *, campaign: str = "", stakes: str = "", rerolls: bool = False
) -> dict[str, Any]:
    """L2.1, L2.5 The position of the battle that settles an engagement, ready for the galley engine's `start`.

    `models_per_unit` is 1 to 5 (L2.1); `rerolls` is the option commander_rerolls (L2.5.a). Raises Illegal when a
    side has no warship (L1.2): then only the system's own table settles.
    """
    if not 1 <= models_per_unit <= TABLE.most_models:
        raise Illegal(
            "L2.1",
            "A unit must be represented by 1 to %(most_models)s models, not %(models_per_unit)s.",
            most_models=TABLE.most_models,
            models_per_unit=models_per_unit,
        )
    if engagement.own_table_only():
        raise Illegal("L1.2", "A side has no warship; only the game's dice table can settle this meeting.")
    lines = {side: list(models(side, fleet, models_per_unit)) for side, fleet in engagement.fleets.items()}
    columns = board_columns(lines)
    ships: dict[str, dict[str, Any]] = {}
    coming: dict[tuple[str, int], dict[str, Any]] = {}
    units: dict[str, str] = {}
    met = engagement.deployment or Deployment()
    for top, side in zip((True, False), engagement.sides, strict=True):
        line = sorted(lines[side], key=lambda each: each[0] in met.late)  # who comes later is numbered last
        here = [each for each in line if each[0] not in met.late]
        later = [each for each in line if each[0] in met.late]
        places = [*stations(here, columns, top), *stations(later, columns, top)]
        speed = under_way(here) if engagement.deployment and side not in met.anchored else 0
        for number, ((unit, sheet), at) in enumerate(zip(line, places, strict=True), start=1):
            name = f"{letters(side, engagement.sides)}{number}"
            sheet = {**sheet, "side": side, "at": at, "facing": "S" if top else "N", "speed": speed}
            units[name] = unit
            if unit in met.late:
                coming.setdefault((side, met.late[unit]), {})[name] = sheet
            else:
                ships[name] = sheet
    evades = engagement.supremacy is not None  # 11.7.evade: the price of it is supremacy
    return {
        "board": {"columns": columns, "rows": TABLE.board.rows, **shore(engagement, columns)},
        "sides": {side: {"name": title(side), "navy": navy(side)} for side in engagement.sides},
        "ships": ships,
        "turn_limit": TABLE.turn_limit,
        "link": {
            "game": campaign,
            "engagement": engagement.id,
            "system": engagement.system,
            "models_per_unit": models_per_unit,
            "wall_until": TABLE.wall_until,
            "supremacy": engagement.supremacy,
            "evades": evades,
            "units": units,
            "stakes": stakes,
            "deploying": deploying(engagement),
            "fled": [],
            "rerolls": {side: fleet.rating for side, fleet in engagement.fleets.items() if rerolls and fleet.rating},
            **(
                {"arrivals": [{"side": side, "turn": turn, "ships": own} for (side, turn), own in coming.items()]}
                if coming
                else {}
            ),
        },
    }


UNDER_WAY = 2  # L2.5: the speed at which a fleet comes up that did not lie at anchor


def under_way(line: list[tuple[str, dict[str, Any]]]) -> int:
    """L2.5 The speed of a fleet that was under way when it met the other; without ships there is none."""
    return UNDER_WAY if line else 0


def shore(engagement: Engagement, columns: int) -> dict[str, Any]:
    """L2.5 The land behind the side that has the shore: the row along its own long edge."""
    if not engagement.deployment or engagement.deployment.shore not in engagement.fleets:
        return {}
    row = 0 if engagement.deployment.shore == engagement.mover else TABLE.board.rows - 1
    return {"land": [from_column_row(column, row) for column in range(columns)]}


def deploying(engagement: Engagement) -> list[str]:
    """L2.5 Who may still move his ships about before the first plot: the holder of supremacy last, the other first.

    Where the campaign knows how they met, who has the wind is the last, and nobody does who lay at anchor.
    """
    met = engagement.deployment
    if met:
        first = [side for side in engagement.sides if side != met.windward]
        return [side for side in (*first, met.windward) if side and side not in met.anchored] if met.windward else []
    if engagement.supremacy is None:
        return []
    return [engagement.other(engagement.supremacy), engagement.supremacy]


def models(side: str, fleet: Fleet, per_unit: int) -> Iterator[tuple[str, dict[str, Any]]]:
    """L2.1, L2.3, L2.4 The models of a fleet with the unit each stands for: warships first, then transports.

    The commander is aboard the flagship, else the first ship. A unit's old damage is carried by its first model.
    """
    crew = TABLE.crew.seamanship.get(fleet.seamanship or "", TABLE.crew.default)
    drawn = iter(NAMES.names.get(side, NAMES.names["default"]))
    for number, unit in enumerate(fleet.units):
        name = unit.name or next(drawn, unit.id)
        for model in range(per_unit):
            is_his = unit.id == fleet.flagship if fleet.flagship else number == 0
            flagship = is_his and model == 0 and fleet.commander is not None
            yield (
                unit.id,
                {
                    "type": unit.type or TABLE.type.default,
                    "name": name if per_unit == 1 else f"{name} {ROMAN[model]}",
                    "crew": unit.crew or (TABLE.crew.flagship.get(navy(side), crew) if flagship else crew),
                    "corvus": fleet.has_corvus(unit),
                    "damage": unit.damage if model == 0 else 0,
                    "flagship": flagship,
                    **crew_of_another(unit.type or TABLE.type.default, navy(side)),
                    **(wounds_of(unit, navy(side)) if model == 0 else {}),
                },
            )
    for number, transport in enumerate(fleet.transports, start=1):
        name = transport.name or f"{title(side)} transport {number}"
        yield transport.id, {"type": TABLE.type.transport, "name": name, "crew": crew}


def crew_of_another(kind: str, navy: str) -> dict[str, int]:
    """L2.1 The figures of a ship whose type the source does not give her navy, as those who built her had; else none.

    A named ship of a campaign may be a prize, or older than her navy's rules.
    """
    found = TYPES.get(kind)
    if found is None or complement_of(found, navy) is not None:
        return {}
    crew = complement_of(found, TABLE.navy["default"])
    return {figure: getattr(crew, figure) for figure in FIGURES} if crew is not None else {}


def wounds_of(unit: NavalUnit, navy: str) -> dict[str, Any]:
    """L2.4 What a ship bears besides her hull's damage: breaches, broken oars, and the marines that are left."""
    if not unit.wounds:
        return {}
    kind = TYPES[unit.type or TABLE.type.default]
    found: dict[str, Any] = {"breaches": unit.wounds.breaches, "oars_broken": unit.wounds.oars}
    crew = complement_of(kind, navy) or complement_of(kind, TABLE.navy["default"])
    if unit.wounds.marines and crew is not None:
        gone = unit.wounds.marines
        for figure in reversed(FIGURES[:3]):  # the light ones first
            lost = min(gone, getattr(crew, figure))
            found[figure], gone = getattr(crew, figure) - lost, gone - lost
        found |= {figure: getattr(crew, figure) for figure in FIGURES[3:]}
    return found


def wounds(kind: ShipType, ship: Ship, navy: str) -> Wounds:
    """L2.4 What a ship brings home besides her hull's damage."""
    crew = complement_of(kind, navy) or complement_of(kind, TABLE.navy["default"])
    full = sum(getattr(crew, figure) for figure in FIGURES[:3]) if crew is not None else 0
    left = ship.heavy + ship.medium + ship.light
    return Wounds(breaches=ship.breaches, oars=ship.oars_broken, marines=max(0, full - left))


ROMAN = ("I", "II", "III", "IV", "V")


def board_columns(lines: dict[str, list[tuple[str, dict[str, Any]]]]) -> int:
    """L2.5 Wide enough for half of the longer fleet in one line, in steps that leave room to turn.

    A fleet for which the widest board is too narrow gets more lines.
    """
    longest = max(len(line) for line in lines.values())
    front = min(longest, max(9, (longest + 1) // 2))
    return min(BOARD_LIMIT, max(TABLE.board.columns_least, front * TABLE.board.gap + 2 * TABLE.board.margin))


def stations(line: list[tuple[str, dict[str, Any]]], columns: int, top: bool) -> list[tuple[int, int]]:
    """L2.5 Where each model stands: warships in lines along the long side, transports behind them."""
    board = TABLE.board
    width = max(1, (columns - 2 * board.margin) // board.gap)
    war = [index for index, (_, sheet) in enumerate(line) if sheet["type"] != TABLE.type.transport]
    carried = [index for index in range(len(line)) if index not in war]
    rows = [war[i : i + width] for i in range(0, len(war), width)]
    rows += [carried[i : i + width] for i in range(0, len(carried), width)]
    places: dict[int, tuple[int, int]] = {}
    for behind, row in enumerate(rows):
        depth = board.edge + len(rows) - 1 - behind
        left = (columns - len(row) * board.gap) // 2
        for number, index in enumerate(row):
            column = left + number * board.gap
            places[index] = from_column_row(column, depth if top else board.rows - 1 - depth)
    return [places[index] for index in range(len(line))]


def letters(side: str, sides: tuple[str, ...]) -> str:
    """The shortest beginning of a side's id that the other does not share."""
    other = next(name for name in sides if name != side)
    return next((side[:n] for n in range(1, len(side) + 1) if not other.startswith(side[:n])), side)


def navy(side: str) -> str:
    """G2.6 Which column of the ship table the side uses."""
    return TABLE.navy.get(side, TABLE.navy["default"])


def title(side: str) -> str:
    """The side's name on the battle's page."""
    return side.replace("_", " ").title()


def outcome_of(battle: Battle, engagement: Engagement) -> NavalOutcome:
    """L3.1 What a finished battle sends home. Raises Illegal while it is being fought.

    A side has fled when it has no warship left and the last went over the edge (L3.4), evaded by L3.5; supremacy
    that was conceded goes to the other side whatever came of the ships that stayed in their fights.
    """
    if battle.link is None or battle.result is None:
        raise Illegal("L1.4", "The battle has not ended.")
    evaded = battle.link.evaded
    outcome = NavalOutcome(
        winner=battle.result.winner,
        supremacy=None if evaded is None else engagement.other(evaded),
        turns=battle.turn,
        sides={
            side: side_outcome(battle, side, fleet, bool(engagement.deployment))
            for side, fleet in engagement.fleets.items()
        },
    )
    check_outcome(engagement, outcome, {**TYPES, **battle.types})
    return outcome


def side_outcome(battle: Battle, side: str, fleet: Fleet, sheets: bool = False) -> SideOutcome:
    """L3.1, L3.2, L3.4 One side's losses, models turned back into units; it may have fled though nobody has won.

    Of a campaign that keeps `sheets` with names the wounds besides.
    """
    assert battle.link is not None
    engaged = battle.link.units if sheets else {}
    own = {name: ship for name, ship in battle.ships.items() if ship.side == side}
    fighting = {name: ship for name, ship in own.items() if is_warship(battle, ship)}
    counts = {status: sum(ship.status == status for ship in fighting.values()) for status in ("sunk", "captured")}
    per_unit = battle.link.models_per_unit
    sunk, captured = count_losses(counts["sunk"], counts["captured"], per_unit, len(fleet.units))
    gone = not warships(battle, side)
    evaded = gone and battle.link.evaded == side
    noted = battle.link.fled
    left = side in noted if noted is not None else any(ship.status == "withdrawn" for ship in fighting.values())
    fled = gone and not evaded and left
    named = per_unit == 1
    units = battle.link.units

    def which(status: str, ships: Iterable[str]) -> tuple[str, ...]:
        """The units of these models that have come to this; of warships only where a model is a unit (L3.2)."""
        found = (name for name in ships if own[name].status == status and (named or name not in fighting))
        return tuple(units[name] for name in found if name in units)

    carrying = [name for name in own if name not in fighting]
    return SideOutcome(
        sunk=sunk,
        captured=captured,
        transports=sum(own[name].status in ("sunk", "captured") for name in carrying),
        fled=fled,
        evaded=evaded,
        left=len(fleet.units) - sunk - captured if gone and not (fled or evaded) else 0,
        sunk_ships=which("sunk", fighting),
        captured_ships=which("captured", fighting),
        sunk_transports=which("sunk", carrying),
        captured_transports=which("captured", carrying),
        fled_ships=which("withdrawn", own),
        damage={
            units[name]: ship.damage
            for name, ship in fighting.items()
            if named and ship.damage and ship.status in ("afloat", "withdrawn")
        },
        wounds=borne(battle, side, fighting, engaged) if named and engaged else UNSET,
    )


def borne(battle: Battle, side: str, ships: dict[str, Ship], units: dict[str, str]) -> dict[str, Wounds]:
    """L2.4 The wounds of each named ship that comes home, where she has any."""
    found = {
        units[name]: wounds(battle.kind(ship), ship, battle.sides[side].navy)
        for name, ship in ships.items()
        if ship.status in ("afloat", "withdrawn")
    }
    return {unit: each for unit, each in found.items() if each != Wounds()}


def is_warship(battle: Battle, ship: Ship) -> bool:
    """L3.3 Everything but a transport."""
    return battle.kind(ship).ram is not None
