"""L1.1, L3.1 What a campaign hands down to a battle, and what comes back. One shape for every system."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Literal

from msgspec import UNSET, UnsetType
from msgspec.structs import replace

import data
from tactical.kernel.protocol import UMPIRE, Illegal
from tactical.kernel.record import Input, Reason, Record
from tactical.position import SHIP_LIMIT
from tactical.ship import TYPES, ShipType

# -- L2.4, L2.5 What a campaign with named sheets knows besides of a meeting: how two fleets met, and what ships bear.


class Wounds(Input, frozen=True, omit_defaults=True):
    """L2.4 What a named ship bears besides her hull's damage: open breaches, oars of one side, marines gone."""

    breaches: int = 0
    oars: bool = False
    marines: int = 0


class Deployment(Record, frozen=True, omit_defaults=True):
    """L2.5 How two fleets have met, where the campaign knows it.

    `anchored` are the sides that lay at anchor, `shore` the one that has the land behind it, `windward` the one that
    has the wind; `late` are units that come in later, with the turn of the battle in which they do.
    """

    anchored: tuple[str, ...] = ()
    shore: str = ""
    windward: str = ""
    late: dict[str, int] = {}


# -- L1.1 What a campaign hands down to a battle, and L3.1 what comes back. One shape for every system.
#
# An `Engagement` stands in a campaign's state while two fleets meet; the campaign waits on it. A `NavalOutcome` is
# what the system's own table, a tactical battle or a report yields; each system has one function that consumes it.

Way = Literal["own_table", "battle", "report"]
WAYS: tuple[Way, ...] = ("own_table", "battle", "report")
Deciding = Literal["", "table", "dice", "both", "umpire"]  # empty: as the system's own options say
MOST_MODELS = 5  # L2.1


class UnitRow(Record, frozen=True):
    """L2.1 Which ship type stands for a unit."""

    default: str


class UnitTable(Record, frozen=True):
    """The part of data/linking/fleets.toml that a report needs."""

    type: UnitRow


HULL = TYPES[data.read("linking/fleets.toml", UnitTable).type.default].hull


class NavalUnit(Record, frozen=True):
    """L2.1 One naval unit: a ready ship, a naval strength point, an escort: whatever the campaign counts.

    `damage` is the hull damage that the ship brings from earlier battles (L2.4). `type` and `crew` are those of a named
    sheet, where the campaign keeps them; empty for what the linking table says. So are her `wounds`, and whether she
    has the `corvus`; without it she has what the fleet has.
    """

    id: str
    name: str
    damage: int = 0
    type: str = ""
    crew: str = ""
    wounds: Wounds | UnsetType = UNSET
    corvus: bool | None = None


class Transport(Record, frozen=True):
    """L2.3 One transport: a troop unit with its train, or a train alone; with a `name`, where the campaign keeps it."""

    id: str
    troops: int = 1
    elephant: bool = False
    trains: int = 0
    name: str = ""


class Fleet(Record, frozen=True):
    """L1.1 One side of a meeting at sea: what it brings, and the campaign facts that matter at sea (L2.2).

    The commander is aboard the `flagship`, where the campaign knows which unit that is; else aboard the first one.
    """

    units: tuple[NavalUnit, ...] = ()
    transports: tuple[Transport, ...] = ()
    commander: str | None = None
    commander_name: str | None = None
    rating: int = 0
    admiral: bool = False
    corvus: bool = False
    seamanship: str | None = None
    flagship: str = ""

    def has_warship(self) -> bool:
        """L1.2.a Is there a warship to be put on the table?"""
        return bool(self.units)

    def has_corvus(self, unit: NavalUnit) -> bool:
        """L2.2 Has this unit the corvus: by her own sheet, else by what the fleet has?"""
        return self.corvus if unit.corvus is None else unit.corvus


class Engagement(Record, frozen=True):
    """L1.1 A meeting at sea that waits to be settled.

    `mover` is the side whose movement was met; `supremacy` holds naval supremacy and deploys second (L2.5).
    `place` is the space or hex of the meeting, `start` where the movement began. `rule` is the paragraph that opened
    it. `chosen` is what each side wants (L1.2), `way` what is settled on; `opened` says that the battle stands on the
    table with `models_per_unit`. `proposed` is a report, or an outcome under review, that awaits `assents`.
    `limit` is the turn limit of the battle (L3.3), `None` for the linking table's own. `deciding` is what the group has
    said about where battles at sea are decided: on the table unless both leave it, by what both choose, by the umpire.
    """

    id: str
    system: str
    place: str
    fleets: dict[str, Fleet]
    mover: str
    rule: str
    start: str | None = None
    turn: int = 0
    supremacy: str | None = None
    chosen: dict[str, Way] = {}
    way: Way | None = None
    models_per_unit: int | None = None
    opened: bool = False
    proposed: NavalOutcome | None = None
    assents: tuple[str, ...] = ()
    facts: dict[str, int] = {}
    deciding: Deciding = ""
    deployment: Deployment | UnsetType = UNSET

    @property
    def late(self) -> dict[str, int]:
        """L2.5 The units that come in later, with the turn of the battle."""
        return self.deployment.late if self.deployment else {}

    @property
    def sides(self) -> tuple[str, ...]:
        """The two sides, the mover first."""
        return (self.mover, *(side for side in self.fleets if side != self.mover))

    def other(self, side: str) -> str:
        """The other side."""
        return next(name for name in self.fleets if name != side)

    def own_table_only(self) -> bool:
        """L1.2.a Where a side has no warship only the system's own table settles."""
        return not all(fleet.has_warship() for fleet in self.fleets.values())

    def most_models(self) -> int:
        """L2.1 How many models a unit may become, so that one battle holds all ships; 0 where it cannot hold them."""
        units = sum(len(fleet.units) for fleet in self.fleets.values())
        transports = sum(len(fleet.transports) for fleet in self.fleets.values())
        return max(0, min(MOST_MODELS, (SHIP_LIMIT - transports) // max(1, units)))

    def is_for_table(self) -> bool:
        """L1.2.a, L2.1 Can the meeting be fought out on the table? Each side has a warship, and a board holds all."""
        return not self.own_table_only() and self.most_models() > 0

    def decided(self) -> Engagement:
        """L1.2 As it begins: on the table from the start, where the group has said so and both have a warship."""
        if self.deciding != "table" or not self.is_for_table():
            return self
        return replace(self, chosen=dict.fromkeys(self.fleets, "battle"), way="battle")

    def wishing(self, side: str, way: Way) -> Engagement:
        """L1.2 A side says how it wants to settle: the system's own table needs no consent unless the group says so.

        The umpire's word, where he decides, is that of both.
        """
        if side == UMPIRE:
            return replace(self, chosen=dict.fromkeys(self.fleets, way), way=way, proposed=None, assents=())
        chosen = {**self.chosen, side: way}
        alone = way == "own_table" and (not self.deciding or self.own_table_only())
        agreed = alone or all(chosen.get(name) == way for name in self.fleets)
        otherwise: Way | None = "battle" if self.deciding == "table" else None
        return replace(self, chosen=chosen, way=way if agreed else otherwise, proposed=None, assents=())

    def is_umpires(self) -> bool:
        """L1.2 Does the umpire say how it is settled, and has not yet?"""
        return self.deciding == "umpire" and self.way is None and not self.own_table_only()

    def asked(self) -> tuple[str, ...]:
        """L1.2 Who has still to answer; who has answered may change its mind, but is not waited for."""
        if self.is_umpires():
            return (UMPIRE,)
        if self.proposed is not None:
            return tuple(side for side in self.fleets if side not in self.assents)
        if self.way == "battle" and len(set(self.chosen.values())) > 1:  # one is for leaving the table
            return tuple(side for side in self.fleets if self.chosen[side] == "battle")
        silent = tuple(side for side in self.fleets if side not in self.chosen)
        return silent if self.way is None and silent else tuple(self.fleets)

    def on_table(self, models_per_unit: int) -> Engagement:
        """L1.2 The battle stands on the table: the way is fixed."""
        return replace(self, opened=True, models_per_unit=models_per_unit)

    def abandoning(self, side: str) -> Engagement:
        """L1.2.a A side is for leaving the battle on the table; when both are, the system's own table settles."""
        chosen: dict[str, Way] = {**self.chosen, side: "own_table"}
        both = all(chosen.get(name) == "own_table" for name in self.fleets)
        return replace(self, chosen=chosen, way="own_table" if both else self.way, opened=self.opened and not both)

    def proposing(self, outcome: NavalOutcome, side: str) -> Engagement:
        """L1.2 A report, with the assent of the side that gave it."""
        assents = (*self.assents, side) if self.proposed == outcome and side not in self.assents else (side,)
        return replace(self, proposed=outcome, assents=assents)


class BattleOpened(Record, frozen=True):
    """L1.2 What else must happen because of a command: the battle of this engagement is to be put on the table."""

    engagement: Engagement


def put_on_table(before: Any, after: Any) -> tuple[BattleOpened, ...]:
    """L1.2 The effect of a command that opened the battle of the engagement that a campaign waits on."""
    now: Engagement | None = after.engagement
    if now is None or not now.opened:
        return ()
    was: Engagement | None = before.engagement
    return () if was is not None and was.id == now.id and was.opened else (BattleOpened(now),)


class SideOutcome(Input, frozen=True):
    """L3.1 What one side lost: units sunk, units captured by the enemy, transports sunk or captured; fled or evaded.

    `sunk_ships`, `captured_ships` name the units (L2.4) where names are kept, and `damage` the hull damage that the
    remaining ones bring home; without them the system picks. So do `sunk_transports`, `captured_transports` name the
    transports, all or none, and `fled_ships` the ships of both kinds that went over the edge. `disabled_ships` come
    home in need of repair however the battle ended (one that ran into the shallows). `left` counts the units that went
    over the edge before the side's last warship was sunk or taken, so that it has not fled (L3.4). `wounds` are what
    named ships bring home besides, where the campaign keeps their sheets.
    """

    sunk: int = 0
    captured: int = 0
    transports: int = 0
    fled: bool = False
    evaded: bool = False
    sunk_ships: tuple[str, ...] = ()
    captured_ships: tuple[str, ...] = ()
    damage: dict[str, int] = {}
    disabled_ships: tuple[str, ...] = ()
    left: int = 0
    wounds: dict[str, Wounds] | UnsetType = UNSET
    sunk_transports: tuple[str, ...] = ()
    captured_transports: tuple[str, ...] = ()
    fled_ships: tuple[str, ...] = ()

    @property
    def lost(self) -> int:
        """L3.2 Units sunk or captured."""
        return self.sunk + self.captured

    def transports_of(self, fleet: Fleet, taken: bool) -> tuple[tuple[str, ...], tuple[str, ...]]:
        """L3.1 The transports that were sunk, and those that were captured, by name.

        Where an outcome has their number alone they are the first that were sent, `taken` all or none.
        """
        if self.sunk_transports or self.captured_transports:
            return self.sunk_transports, self.captured_transports
        first = tuple(each.id for each in fleet.transports[: self.transports])
        return ((), first) if taken else (first, ())


class NavalOutcome(Input, frozen=True):
    """L3.1 How a meeting at sea ended. Equal values are the same outcome (L1.4).

    `turns` fought; `supremacy` is who holds it at the end where that may change during the fight without a winner.
    """

    winner: str | None = None
    turns: int = 0
    sides: dict[str, SideOutcome] = {}
    supremacy: str | None = None

    def of(self, side: str) -> SideOutcome:
        """A side's losses; none when it is not named."""
        return self.sides.get(side, NOTHING_LOST)


NOTHING_LOST = SideOutcome()


def check_outcome(engagement: Engagement, outcome: NavalOutcome, kinds: Mapping[str, ShipType] = TYPES) -> None:
    """L1.2, L3.1, L3.2 An outcome may not exceed what was sent, nor contradict itself. Illegal names the clause.

    `kinds` are the ship types in use, where a group has types of its own (G2.1).
    """
    names = set(engagement.fleets)
    for side in outcome.sides:
        if side not in names:
            raise Illegal("L3.1", "%(side)s %(side|takes|take)s no part in this engagement", side=side)
    for who, field in ((outcome.winner, Reason("winner")), (outcome.supremacy, Reason("holder of supremacy"))):
        if who is not None and who not in names:
            raise Illegal(
                "L3.1",
                "%(who)s takes no part in this engagement and cannot be named there (%(field)s)",
                who=who,
                field=field,
            )
    if outcome.turns < 0:
        raise Illegal("L3.1", "the number of turns fought must be 0 or more")
    for side, fleet in engagement.fleets.items():
        _check_side(side, fleet, outcome.of(side), kinds)
        has_held = engagement.supremacy == side or outcome.supremacy not in (
            None,
            side,
        )  # won and conceded in the fight
        if outcome.of(side).evaded and not has_held:
            raise Illegal("L3.5", "only the side with naval supremacy may evade")
    _check_winner(engagement, outcome)


def _check_side(side: str, fleet: Fleet, lost: SideOutcome, kinds: Mapping[str, ShipType]) -> None:
    if min(lost.sunk, lost.captured, lost.transports, lost.left) < 0:
        raise Illegal("L3.1", "%(side)s's losses must be whole numbers, 0 or more", side=side)
    if lost.lost > len(fleet.units):
        raise Illegal(
            "L1.2",
            "%(side)s sent %(len)s naval %(len|unit|units)s and cannot lose %(lost)s",
            side=side,
            len=len(fleet.units),
            lost=lost.lost,
        )
    if lost.lost + lost.left > len(fleet.units):
        raise Illegal(
            "L1.2",
            "%(side)s sent %(len)s naval %(len|unit|units)s; the report accounts for %(count)s",
            side=side,
            len=len(fleet.units),
            count=lost.lost + lost.left,
        )
    if lost.transports > len(fleet.transports):
        raise Illegal(
            "L1.2",
            "%(side)s sent %(len)s %(len|transport|transports)s and cannot lose %(transports)s",
            side=side,
            len=len(fleet.transports),
            transports=lost.transports,
        )
    if lost.fled and lost.evaded:
        raise Illegal("L3.1", "%(side)s cannot both have fled and have evaded", side=side)
    ships = {unit.id: kinds[unit.type].hull if unit.type else HULL for unit in fleet.units}
    carriers = {each.id for each in fleet.transports}
    named, carrying = (*lost.sunk_ships, *lost.captured_ships), (*lost.sunk_transports, *lost.captured_transports)
    for names, sent in (
        ((*named, *lost.damage, *lost.disabled_ships, *(lost.wounds or {})), set(ships)),
        (carrying, carriers),
        (lost.fled_ships, carriers.union(ships)),
    ):
        if (name := next((name for name in names if name not in sent), None)) is not None:
            raise Illegal("L2.4", "%(side)s sent no ship called %(name)s", side=side, name=repr(name))
    if len(set(fates := (*named, *carrying, *lost.fled_ships))) != len(fates):
        raise Illegal("L2.4", "a ship of %(side)s is named twice among its losses", side=side)
    if carrying and len(carrying) != lost.transports:
        raise Illegal(
            "L2.4",
            "%(side)s reports %(count)s %(count|transport|transports)s lost but names %(len)s",
            side=side,
            count=lost.transports,
            len=len(carrying),
        )
    if lost.sunk_ships and len(lost.sunk_ships) != lost.sunk:
        raise Illegal(
            "L2.4",
            "%(side)s reports %(count)s sunk %(count|ship|ships)s but names %(len)s",
            side=side,
            count=lost.sunk,
            len=len(lost.sunk_ships),
        )
    if lost.captured_ships and len(lost.captured_ships) != lost.captured:
        raise Illegal(
            "L2.4",
            "%(side)s reports %(count)s captured %(count|ship|ships)s but names %(len)s",
            side=side,
            count=lost.captured,
            len=len(lost.captured_ships),
        )
    if any(damage < 0 for damage in lost.damage.values()) or any(
        min(each.breaches, each.marines) < 0 for each in (lost.wounds or {}).values()
    ):
        raise Illegal("L2.4", "the hull damage of %(side)s's ships must be a whole number, 0 or more", side=side)
    for name, damage in lost.damage.items():
        if damage >= ships[name] and name not in named:
            raise Illegal(
                "L2.4",
                "%(ship)s returned to port with %(damage)s damage, but %(hull)s damage sinks this ship",
                ship=name,
                damage=damage,
                hull=ships[name],
            )


def _check_winner(engagement: Engagement, outcome: NavalOutcome) -> None:
    winner = outcome.winner
    if winner is None:
        for side in engagement.fleets:
            left = outcome.of(side).fled or outcome.of(side).evaded
            if left and not _is_gone(engagement, engagement.other(side), outcome):
                raise Illegal("L3.1", "a side that fled or evaded cannot have won")
        return
    own, loser = outcome.of(winner), engagement.other(winner)
    if own.fled or own.evaded:
        raise Illegal("L3.1", "%(winner)s cannot both have won and have left", winner=winner)
    if not _is_gone(engagement, loser, outcome):
        raise Illegal("L3.3", "%(loser)s has warships left and neither fled nor evaded, so nobody has won", loser=loser)


def _is_gone(engagement: Engagement, side: str, outcome: NavalOutcome) -> bool:
    """L3.3, L3.4 Has the side no warship left at the end: fled, evaded, lost, or over the edge before the last fell?"""
    told = outcome.of(side)
    return told.fled or told.evaded or told.lost + told.left >= len(engagement.fleets[side].units)


def count_losses(sunk_models: int, captured_models: int, models_per_unit: int, sent: int) -> tuple[int, int]:
    """L3.2 Models to units: (sunk, captured); halves up, lost at most sent, captured at most lost."""
    lost = min(_halves_up(sunk_models + captured_models, models_per_unit), sent)
    captured = min(_halves_up(captured_models, models_per_unit), lost)
    return lost - captured, captured


def _halves_up(models: int, per_unit: int) -> int:
    return (2 * models + per_unit) // (2 * per_unit)


def find(engagement: Engagement | None, settled: Mapping[str, NavalOutcome], name: str) -> Engagement | None:
    """L1.4 The engagement that a command names: the open one, None for one that is settled; Illegal for another."""
    if engagement is not None and engagement.id == name:
        return engagement
    if name in settled:
        return None
    raise Illegal("L1.1", "there is no engagement called %(name)s", name=repr(name))


def stops(deciding: Deciding, otherwise: bool) -> bool:
    """L1.2 Does a meeting stop the campaign? `otherwise` is what the system's own option says of it."""
    return deciding != "dice" if deciding else otherwise
