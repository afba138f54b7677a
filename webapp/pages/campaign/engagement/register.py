"""L2.4, L3.9 The fleet register: every named ship of the war, its history by battle, and what has become of it.

Told from journals alone, as far as the seat may see them, and from the seat's own view: nothing is kept twice.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any

from tactical.battle import Battle
from tactical.kernel.journal import Entry
from tactical.kernel.protocol import Event
from tactical.kernel.record import plain
from webapp.api.serializers import events_for
from webapp.pages.campaign.engagement.ship_history import Deed, names_of, of_battle
from webapp.presenting.engagement_meetings import at_opening, place_name, settled_outcome
from webapp.storage.journal.battle_links import BattleLink, battles_of
from webapp.storage.journal.records import Table
from webapp.storage.journal.store import Store

WOUNDS = ("was_rammed", "shot", "flooded")
GONE = ("sunk", "lost", "broken_up")


@dataclass(frozen=True)
class Told:
    """A deed with where and when: the campaign's turn and entry, the place, the battle on this server if any."""

    deed: Deed
    turn: str
    entry: int
    place: str
    battle: str


@dataclass
class Ship:
    """A ship of the war. `side` is whose she was first; `holder` whose she is now, none when she is gone."""

    side: str
    name: str
    deeds: list[Told] = field(default_factory=list)
    holder: str | None = None
    ready: bool | None = None
    at_sea: bool = False
    damage: int = 0

    @property
    def anchor(self) -> str:
        """Her place on the page."""
        return f"{self.side}-{self.name}".lower().replace(" ", "-")

    @property
    def counts(self) -> Counter[str]:
        """How often she did what; `wounds` is hull lost, `mended` breaches closed."""
        found: Counter[str] = Counter(told.deed.kind for told in self.deeds)
        found["wounds"] = sum(told.deed.count for told in self.deeds if told.deed.kind in WOUNDS)
        found["mended"] = sum(told.deed.count for told in self.deeds if told.deed.kind == "mended")
        found["battles"] = found["fought"]
        return found

    @property
    def fate(self) -> str:
        """The last thing that took her away; empty while she sails."""
        if self.holder is not None:
            return ""
        return next((told.deed.kind for told in reversed(self.deeds) if told.deed.kind in (*GONE, "taken")), "")


@dataclass
class Register:
    """All ships by the side that had them first, in the order in which they came."""

    ships: dict[tuple[str, str], Ship] = field(default_factory=dict)
    held: dict[tuple[str, str], tuple[str, str]] = field(default_factory=dict)  # who has whose ship now

    def ship(self, side: str, name: str) -> Ship:
        """The ship that this side has under this name."""
        key = self.held.get((side, name), (side, name))
        return self.ships.setdefault(key, Ship(*key))

    def passes(self, name: str, captor: str) -> Ship:
        """A ship goes over to a captor, from whichever other side has one of that name."""
        from_side = next((side for side, known in self.ships if known == name and side != captor), captor)
        ship = self.ship(from_side, name)
        self.held[captor, name] = (ship.side, ship.name)
        return ship

    def by_side(self) -> Iterator[tuple[str, list[Ship]]]:
        """The sides with their ships."""
        for side in dict.fromkeys(side for side, _name in self.ships):
            yield side, [ship for (owner, _name), ship in self.ships.items() if owner == side]


@dataclass
class _Reader:
    """Where the telling is: turn, entry, and the meeting that was last heard of."""

    store: Store
    table: Table
    seat: str
    register: Register
    links: dict[str, BattleLink]
    turn: str = ""
    places: dict[str, str] = field(default_factory=dict)
    last: str = ""
    fleets: dict[str, dict[str, Any]] = field(default_factory=dict)

    def note(self, deed: Deed, entry: int, place: str = "", battle: str = "") -> None:
        ship = self.register.ship(deed.side, deed.ship)
        ship.deeds.append(Told(deed, self.turn, entry, place, battle))


def register(store: Store, table: Table, seat: str) -> Register:
    """L2.4 The register of a campaign for a seat."""
    links = {battle_link.battle: battle_link for battle_link in battles_of(store, table.game.id)}
    reader = _Reader(store, table, seat, Register(), links)
    for side, ship in _afloat(plain(table.view(seat))):
        if ship.get("built_by") in (None, side):
            reader.register.ship(side, str(ship["name"]))
    for entry in store.entries(table.game.id):
        if entry.taken_back is None and entry.command.get("type") != "undo":
            _read(reader, entry)
    _stand(reader.register, plain(table.view(seat)))
    return reader.register


def _read(reader: _Reader, entry: Entry) -> None:
    for it in events_for(entry.events, reader.seat):
        if isinstance(it.get("turn"), int):
            reader.turn = str(it["turn"])
        _read_event(reader, it, entry.number)


def _read_event(reader: _Reader, it: Mapping[str, Any], entry: int) -> None:
    side, ships = str(it.get("side", "")), ship_names(it.get("ships"))
    link = str(it.get("rule", "")).startswith("L")
    place = reader.places.get(reader.last, "")
    match it.get("type"):
        case "engagement" if link:
            _read_meeting(reader, it, entry)
        case "battle" if link:
            _battle(reader, str(it.get("game", "")), entry)
        case "settled" if link:
            _read_outcome(reader, str(it.get("engagement", "")), entry)
        case "ships_built":
            for name in ships:
                reader.note(Deed(side, name, "built"), entry)
        case "ships_repaired":
            for name in ships:
                reader.note(Deed(side, name, "repaired"), entry)
        case "ships_lost":
            how = str(it.get("how", ""))
            for name in ships:
                if not _sank(reader, side, name, place):
                    reader.note(Deed(side, name, "lost", how), entry, place if how == "sunk" else "")
        case "prizes":
            for name in ships:
                reader.register.passes(name, side)
                reader.note(Deed(side, name, "prize", side), entry, place)
            for name in it.get("broken_up") or ():
                ship = reader.register.passes(str(name), side)
                reader.note(Deed(ship.side, ship.name, "broken_up", side), entry, place)
        case "prizes_returned":
            for name in ships:
                reader.note(Deed(side, name, "returned"), entry, place)
        case "ship_aground":
            reader.note(Deed(side, str(it.get("ship", "")), "aground"), entry, place)


def _read_meeting(reader: _Reader, it: Mapping[str, Any], entry: int) -> None:
    reader.last = str(it.get("engagement", ""))
    reader.places[reader.last] = place_name(reader.table.game.system, str(it.get("place", "")))
    for side, sent in (it.get("ships") or {}).items():
        for name in ship_names(sent):
            reader.note(Deed(side, name, "fought", reader.last), entry, reader.places[reader.last])


def ship_names(told: object) -> list[str]:
    """The ships that an event names; none of one that says only how many they were."""
    return [name for name in told if isinstance(name, str)] if isinstance(told, list | tuple) else []


def _battle(reader: _Reader, game: str, entry: int) -> None:
    """The deeds of a battle on this server, with the ships that the table had names for."""
    battle_link = reader.links.get(game)
    if battle_link is None:
        return
    battle: Battle = reader.store.load(game).view(reader.seat)
    engagement = at_opening(reader.store, battle_link, reader.table)
    if engagement is None:
        return
    reader.turn = reader.turn or str(engagement.turn or "")
    names = names_of(battle, engagement)
    place = place_name(reader.table.game.system, engagement.place)
    for model, name in names.items():
        ship = reader.register.ship(battle.ships[model].side, name)
        if not any(told.deed.kind == "fought" and told.deed.other == battle_link.engagement for told in ship.deeds):
            reader.note(Deed(ship.side, name, "fought", battle_link.engagement), entry, place, game)
    happened: list[Event] = []
    for each in reader.store.entries(game):
        if each.taken_back is None:
            happened += each.events
    for deed in of_battle(battle, names, events_for(tuple(happened), reader.seat)):
        reader.note(deed, entry, place, game)


def _read_outcome(reader: _Reader, name: str, entry: int) -> None:
    """L2.4 The hull damage that ships bring home, where no battle on this server has told it."""
    outcome = settled_outcome(reader.table, name)
    if outcome is None or any(battle_link.engagement == name for battle_link in reader.links.values()):
        return
    for side, lost in outcome.sides.items():
        for unit, hull in lost.damage.items():
            if (side, unit) in reader.register.ships and hull:
                reader.note(Deed(side, unit, "damage", "", hull), entry, reader.places.get(name, ""))


def _sank(reader: _Reader, side: str, name: str, place: str) -> bool:
    """Has a battle's journal told already that she went down there?"""
    ship = reader.register.ship(side, name)
    return any(told.deed.kind == "sunk" and told.place == place for told in ship.deeds[-3:])


def _afloat(view: Mapping[str, Any]) -> Iterator[tuple[str, Mapping[str, Any]]]:
    """The ships that a view names, where a campaign keeps ships by name."""
    for side, ships in (view.get("ships") or {}).items() if isinstance(view.get("ships"), dict) else ():
        for ship in ships if isinstance(ships, list | tuple) else ():
            if isinstance(ship, dict) and ship.get("name"):
                yield side, ship


def _stand(found: Register, view: Mapping[str, Any]) -> None:
    """How each ship stands now."""
    for side, now in _afloat(view):
        owner = now.get("built_by")
        name = str(now["name"])
        ship = found.ship(owner, name) if owner and (owner, name) in found.ships else found.ship(side, name)
        ship.holder, ship.ready = side, bool(now.get("ready"))
        ship.at_sea, ship.damage = bool(now.get("at_sea")), int(now.get("damage") or 0)
