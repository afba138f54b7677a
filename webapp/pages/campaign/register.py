"""L2.4, L3.9 The fleet register: every named ship of the war and what has become of it."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any

from flask_babel import ngettext

from strategic.naval.engagement import Engagement
from tactical.battle import Battle
from tactical.kernel.journal import Entry
from tactical.kernel.protocol import Event
from tactical.kernel.record import plain
from webapp.api.serializers import events_for
from webapp.files.book import Cells
from webapp.http.language import gettext as _
from webapp.presenting.acts import Lost, add_lost
from webapp.presenting.campaign_labels import lost_word
from webapp.presenting.meetings import at_opening, place_name, settled_outcome, side_name
from webapp.storage.journal.records import Table
from webapp.storage.journal.store import BattleLink, Store, battles_of
from webapp.systems.presentations import PRESENTATIONS

# -- L2.4, L3.9 What ships did in a battle, read from its journal: each deed with the ship's campaign name.

Data = Mapping[str, Any]


@dataclass(frozen=True)
class Deed:
    """One thing that a ship did or suffered. `other` is a ship or a side; `count` hull, breaches or nothing.

    `kind`: rammed, was_rammed, raked, was_raked, boarded, took, taken, sunk, shot, flooded, mended, left, fought,
    built, repaired, lost, prize, returned, broken_up, aground, damage.
    """

    side: str
    ship: str
    kind: str
    other: str = ""
    count: int = 0
    turn: int = 0


def names_of(battle: Battle, engagement: Engagement) -> dict[str, str]:
    """L2.4 The campaign's name of the ship for which each model stands; transports have none."""
    known = {unit.id: unit.name for fleet in engagement.fleets.values() for unit in fleet.units}
    units = battle.link.units if battle.link is not None else {}
    found = {}
    for model, ship in battle.ships.items():
        if battle.kind(ship).ram is not None:
            found[model] = known.get(units.get(model, "")) or ship.name or model
    return found


def of_battle(battle: Battle, names: Mapping[str, str], events: Iterable[Data]) -> Iterator[Deed]:
    """The deeds of a battle in their order. Transports do no deeds, but may be named as the other ship."""
    turn, boarders = 1, dict[str, list[str]]()
    for it in events:
        kind = it.get("type")
        if kind == "turn":
            turn = int(it["turn"])
        if kind == "board" and it.get("success", True):
            boarders.setdefault(str(it["target"]), []).append(str(it["ship"]))
        for model, done, other, count in _parts(it, boarders):
            if model in names:
                said = names.get(other) or (battle.ships[other].name if other in battle.ships else other)
                yield Deed(battle.ships[model].side, names[model], done, said, count, turn)


def _parts(it: Data, boarders: Mapping[str, list[str]]) -> Iterator[tuple[str, str, str, int]]:
    """An event as (model, deed, other, count) for each model that it is about."""
    ship, target = str(it.get("ship", "")), str(it.get("target", ""))
    match it.get("type"):
        case "ram":
            yield ship, "rammed", target, int(it.get("damage") or 0)
            yield target, "was_rammed", ship, int(it.get("damage") or 0)
        case "rake":
            yield ship, "raked", target, 0
            yield target, "was_raked", ship, 0
        case "board" if it.get("success", True):
            yield ship, "boarded", target, 0
        case "captured":
            yield ship, "taken", str(it.get("by", "")), 0
            for boarder in dict.fromkeys(boarders.get(ship, ())):
                yield boarder, "took", ship, 0
        case "sunk":
            yield ship, "sunk", "", 0
        case "fire" if it.get("hull"):
            yield target, "shot", ship, int(it["hull"])
        case "flood" if it.get("damage"):
            yield ship, "flooded", "", int(it["damage"])
        case "repair" if it.get("closed"):
            yield ship, "mended", "", int(it["closed"])
        case "withdrawn":
            yield ship, "left", "", 0


# -- L2.4, L3.9 The fleet register: every named ship of the war, its history by battle, and what has become of it.
#
# Told from journals alone, as far as the seat may see them, and from the seat's own view: nothing is kept twice.

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
    lost: Lost = field(default_factory=dict)  # what each side has lost in the war, ships and troops

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
    events = events_for(entry.events, reader.seat)
    if (shown := PRESENTATIONS.get(reader.table.game.system)) is not None:  # a battle of the campaign has none
        add_lost(reader.register.lost, shown.acts.lost(events))
    for it in events:
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


# -- The register in words: a ship's state, her deeds, and the same as CSV.

CSV = ("side", "ship", "holder", "state", "turn", "place", "battle", "entry", "deed", "other", "count", "battle_turn")


def state_text(ship: Ship) -> str:
    """How a ship stands now."""
    if ship.holder is None:
        how = next((told.deed.other for told in reversed(ship.deeds) if told.deed.kind == "lost"), "")
        known = {
            "sunk": _("sunk"),
            "lost": _("lost (%(how)s)", how=lost_word(how)),
            "broken_up": _("broken up"),
            "taken": _("captured"),
        }
        return known.get(ship.fate, "")
    parts = []
    if ship.holder != ship.side:
        parts.append(_("a prize of %(side)s", side=side_name(ship.holder)))
    parts.append(_("ready") if ship.ready else _("unready"))
    parts.append(_("at sea") if ship.at_sea else _("in port"))
    if ship.damage:
        parts.append(_("hull −%(count)s", count=ship.damage))
    return ", ".join(parts)


def deed_text(deed: Deed) -> str:
    """One deed as a sentence."""
    it = {"other": deed.other, "count": deed.count}
    match deed.kind:
        case "rammed":
            return _("rammed %(other)s: %(count)s hull damage", **it)
        case "was_rammed":
            return _("rammed by %(other)s: lost %(count)s of her hull", **it)
        case "raked":
            return _("broke the oars of %(other)s", **it)
        case "was_raked":
            return _("had her oars broken by %(other)s", **it)
        case "boarded":
            return _("boarded %(other)s", **it)
        case "took":
            return _("took %(other)s", **it)
        case "taken":
            return _("surrendered to %(side)s", side=side_name(deed.other))
        case "shot":
            return _("shot at by %(other)s: lost %(count)s of her hull", **it)
        case "flooded":
            return _("took water: lost %(count)s of her hull", **it)
        case "mended":
            return ngettext("closed %(num)d breach", "closed %(num)d breaches", deed.count)
        case "damage":
            return _("returned to port with %(count)s hull damage", **it)
        case "lost":
            return _("lost (%(how)s)", how=lost_word(deed.other))
        case "prize":
            return _("went over to %(side)s as a prize", side=side_name(deed.other))
        case "broken_up":
            return _("broken up by %(side)s", side=side_name(deed.other))
    known = {
        "sunk": _("sank"),
        "left": _("left the battle across the edge of the board"),
        "fought": _("met the enemy"),
        "built": _("was launched"),
        "repaired": _("was repaired"),
        "returned": _("was won back"),
        "aground": _("ran aground"),
    }
    return known.get(deed.kind, deed.kind)


def chapters(ship: Ship) -> list[tuple[str, str, str, list[Told]]]:
    """A ship's history: (turn, place, battle, deeds), one chapter for each stretch at one place."""
    found: list[tuple[str, str, str, list[Told]]] = []
    for told in ship.deeds:
        if found and (found[-1][0], found[-1][1]) == (told.turn, told.place):
            turn, place, battle, deeds = found[-1]
            found[-1] = (turn, place, battle or told.battle, [*deeds, told])
        else:
            found.append((told.turn, told.place, told.battle, [told]))
    return found


def as_rows(found: Register) -> list[Cells]:
    """Every deed as a row; a ship without deeds has one row of her own. The words are ids, for other programs."""
    rows: list[Cells] = [[*CSV]]
    for side, ships in found.by_side():
        for ship in ships:
            now = ship.fate if ship.holder is None else "ready" if ship.ready else "unready"
            head: Cells = [side, ship.name, ship.holder or "", now]
            for told in ship.deeds:
                deed = told.deed
                about = (told.turn, told.place, told.battle, told.entry, deed.kind, deed.other)
                rows.append([*head, *about, deed.count or "", deed.turn or ""])
            if not ship.deeds:
                rows.append([*head, *[""] * (len(CSV) - len(head))])
    return rows
