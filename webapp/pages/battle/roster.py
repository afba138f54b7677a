"""The fleet: the strip, the roster of rows, the list, whom a base touches."""

from __future__ import annotations

import io
from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import Any, NamedTuple

import msgspec
import segno
from flask_babel import ngettext, pgettext
from markupsafe import Markup

from tactical import GALLEY
from tactical.battle import Battle
from tactical.commands import AnyCommand
from tactical.geometry import geometry
from tactical.kernel.dice import Dice, RollNeeded
from tactical.kernel.protocol import Illegal, NotYours, Offer
from tactical.kernel.record import BadInput, decode, encode, read
from tactical.rules import missiles, movement, plotting, ramming
from tactical.rules.plotting import can_plot
from tactical.ship import MARINES, Ship
from tactical.tabletop import Tape
from webapp.captains.courses import Course
from webapp.http.cache import cache_by_language
from webapp.http.language import gettext as _
from webapp.http.language import minus
from webapp.pages.battle import marks, odds, orders, plans
from webapp.pages.battle.looking import Looking, bearing_word
from webapp.pages.battle.orders import Action, Cannot, Order, command_json, together
from webapp.presenting.battle_labels import (
    aspect_word,
    coming_word,
    figures,
    heading_word,
    hex_name,
    letters,
    ship_name,
    ship_state,
    side_name,
    stage_word,
    tones,
)
from webapp.presenting.labels import translate, type_word
from webapp.presenting.ships.galley import Galley, galley, galley_of, icon, look_of, meeting, picture, use

# -- The fleet strip: each ship as a chip with its signs; tasks and squadrons.


class Chip(NamedTuple):
    """A ship in the strip: its picture, its signs, whether it has something to do; `said` is that in words."""

    id: str
    name: str
    shape: int
    letter: str
    galley: Galley
    signs: tuple[tuple[str, str], ...]
    todo: bool
    gone: bool
    left: int
    hull: int
    said: str
    squadron: str
    speed: str
    side: str
    crew: str = ""
    fares: str = ""

    @property
    def pips(self) -> Markup:
        """What is left of the hull, drawn."""
        return marks.pip_row(self.left, self.hull)


class Task(NamedTuple):
    """A ship in the panel with what it may do; `plain` when all of that is buttons."""

    id: str
    chip: Chip
    orders: tuple[Order, ...] = ()
    plain: bool = False


def chips(battle: Battle, names: Sequence[str], to_act: Collection[str]) -> list[Chip]:
    """The chips of some ships."""
    pennants = letters(battle)
    order = tones(battle)
    plots = battle.step == "plot"
    found = []
    for name, ship in ((name, battle.ships[name]) for name in names):
        side = Side(order[ship.side], pennants[ship.side], look_of(battle, ship.side))
        captor = (order[ship.captured_by], pennants[ship.captured_by]) if ship.captured_by in order else None
        found.append(chip(encode(ship), name, side, captor, battle.kind(ship).hull, name in to_act, plots))
    return found


class Side(NamedTuple):
    """How the ships of a side are drawn: its number, its letter, the look of its navy."""

    shape: int
    letter: str
    look: str


@cache_by_language
def chip(
    sheet: bytes, name: str, side: Side, captor: tuple[int, str] | None, hull: int, todo: bool, plots: bool
) -> Chip:
    """The chip of a ship whose record is `sheet`; `plots` in the plot, when the speed that is set is shown."""
    ship = decode(sheet, Ship)
    state = ship_state(ship)
    said = type_word(ship.type) + (f", {state}" if state else "")
    if ship.is_afloat:
        said += ", " + _("hull %(left)s of %(hull)s", left=max(0, hull - ship.damage), hull=hull)
    return Chip(
        name,
        ship.name or name,
        side.shape,
        side.letter,
        galley_of(ship, hull, side.look, side.shape, side.letter, captor),
        signs_of(ship),
        todo,
        ship.status in ("sunk", "withdrawn"),
        max(0, hull - ship.damage),
        hull,
        said + (", " + _("has something to do") if todo else ""),
        ship.squadron or "",
        speed_sign(ship, plots),
        ship.side,
        marks.aboard(ship) if ship.is_afloat else "",
        marks.fares(ship, hull),
    )


def signs_of(ship: Ship) -> tuple[tuple[str, str], ...]:
    """State as shape and letter: S sunk, C captured, W withdrawn, B boarding, O oars, P paper, a drop for breaches."""
    found = []
    if ship.status == "sunk":
        found.append(("sunk", "S"))
    elif ship.status == "captured":
        found.append(("captured", "C"))
    elif ship.status == "withdrawn":
        found.append(("withdrawn", "W"))
    if ship.boarding:
        found.append(("boarding", "B"))
    if ship.breaches:
        found.append(("breach", str(min(9, ship.breaches))))
    if ship.oars_broken:
        found.append(("broken", "O"))
    if ship.paper:
        found.append(("paper", "P"))
    return tuple(found)


def speed_sign(ship: Ship, plots: bool) -> str:
    """The speed that is set, in the plot a question mark while none is."""
    if ship.status != "afloat":
        return ""
    if plots:
        return "–" if ship.boarding else "?" if ship.plot is None else minus(ship.plot)
    return minus(ship.speed)


def squadrons(battle: Battle, side: str) -> dict[str, tuple[str, ...]]:
    """The squadrons of a side with their ships that are afloat."""
    found: dict[str, list[str]] = {}
    for name, ship in battle.ships.items():
        if ship.side == side and ship.squadron and ship.is_afloat:
            found.setdefault(ship.squadron, []).append(name)
    return {name: tuple(ships) for name, ships in found.items()}


# -- Small pictures: one ship as an icon for chips, sheets and cards; QR codes.

SIZE = 30  # pixels of a quinquereme's length in a chip


def picture_of(chip: Chip, size: float = SIZE) -> Markup:
    """The ship of a chip as she fares, for `size` pixels of a quinquereme's length."""
    return picture(chip.galley, size)


@lru_cache(maxsize=1024)
def ship_drawing(chip: Chip) -> Markup:
    """The same as a part of a picture, for `shows`."""
    return Markup('<g id="drawn-{}">{}</g>').format(chip.id, galley(chip.galley, 90, SIZE))


@lru_cache(maxsize=256)
def shows(name: str) -> Markup:
    """The picture of a ship whose drawing stands on the page under this id."""
    return icon(use(name))


@lru_cache(maxsize=256)
def qr(link: str) -> Markup:
    """A link as a QR code, inline."""
    out = io.BytesIO()
    segno.make(link, error="m", micro=False).save(
        out, kind="svg", xmldecl=False, svgns=True, nl=False, svgclass="qr", lineclass=None, border=2, omitsize=True
    )
    return Markup(out.getvalue().decode())


# -- The text board: all ships as a list with bearing and range.


@dataclass(frozen=True)
class ListRow:
    """A ship in the list: where it is, and how it lies from the ship that looks."""

    chip: Chip
    side: str
    type: str
    hex: str
    facing: str
    heading: str
    bearing: str
    range: str
    state: str


def list_rows(battle: Battle, found: Sequence[Chip], looker: str | None) -> list[ListRow]:
    """All ships with bearing and range from one of them, the nearest first."""
    here = battle.ships.get(looker or "")
    listed = []
    for chip in found:
        ship = battle.ships[chip.id]
        both = here is not None and here.at is not None and ship.at is not None
        far = geometry(battle).range_between(battle, here, ship) if here is not None and both else None
        state = ship_state(ship)
        row = ListRow(
            chip,
            side_name(battle, ship.side),
            type_word(ship.type),
            hex_name(ship.at),
            ship.facing or "",
            heading_word(ship.facing),
            bearing_word(here, ship) if here is not None and far is not None else "",
            str(far) if far is not None and chip.id != looker else "",
            state,
        )
        listed.append((-1 if chip.id == looker else 999 if far is None else far, chip.gone, row))
    listed.sort(key=lambda each: (each[1], each[0]))
    return [row for _far, _gone, row in listed]


# -- The players' own table: whom a ship's base touches, and how, as pictures that are tapped (G1.5).


@dataclass(frozen=True)
class Way:
    """One way in which two bases touch: its picture, its word, what it may bring, and the command that says so."""

    aspect: str
    word: str
    hint: str
    picture: Markup
    command: str
    is_read: bool = False  # as a photograph shows it


@dataclass(frozen=True)
class Touching:
    """Whom a ship may touch: each enemy's chip with the address that chooses her, the chosen one, her pictures.

    `turns` are the turns that the ship may have made as she came up, empty where she has made her step already.
    """

    ship: str
    foes: tuple[tuple[Chip, str], ...]
    chosen: str
    ways: tuple[Way, ...]
    turns: tuple[tuple[str, str], ...]


def touching(battle: Battle, offers: Sequence[Offer], look: Looking, tape: Tape | None = None) -> Touching | None:
    """G1.5 What the selected ship may touch, first whom a photograph shows; None where she may touch nobody."""
    offer = next((each for each in offers if each.type == "contact" and each.fields["ship"] == look.ship), None)
    if offer is None or look.ship is None:
        return None
    names = offer.fields["target"]
    ids = [names] if isinstance(names, str) else list(names)
    read = touches(tape, look.ship)
    ids.sort(key=lambda foe: (foe not in read, likely(battle, look.ship or "", foe)))
    chosen: str = next((foe for foe in ids if foe == look.target), ids[0])
    foes = tuple((chip, look.url(target=chip.id)) for chip in chips(battle, ids, ()))
    own, other = (each.galley for each in chips(battle, [look.ship, chosen], ()))
    ways = tuple(
        Way(
            aspect,
            aspect_word(aspect),
            prospect(battle, look.ship, chosen, aspect),
            meeting(own, other, aspect),
            command_json("contact", ship=look.ship, target=chosen, aspect=aspect),
            read.get(chosen) == aspect,
        )
        for aspect in ("side", "bow_to_bow", "parallel")
        if aspect in offer.fields["aspect"]
    )
    turns = tuple((turn, coming_word(turn)) for turn in offer.fields.get("turn", ()))
    return Touching(look.ship, foes, chosen, ways, turns)


def touches(tape: Tape | None, ship: str) -> dict[str, str]:
    """G1.5 Whom a ship touches by a photograph, each with the word by which such a contact is declared."""
    found = tape.of(ship) if tape is not None else {}
    return {foe: as_declared(each.aspects[ship]) for foe, each in found.items() if ship in each.aspects}


def as_declared(aspect: str) -> str:
    """G1.5 The word by which a contact is declared on the players' own table: astern it is into the side."""
    return "side" if aspect == "stern" else aspect


def as_photographed(battle: Battle, offer: Offer, tape: Tape | None) -> Iterator[Action]:
    """G1.5 The contacts of a ship that a photograph shows, each as the button that declares it."""
    ship, may = str(offer.fields["ship"]), offer.fields
    for foe, aspect in touches(tape, ship).items():
        if foe in may["target"] and aspect in may["aspect"]:
            label = _("Touches %(ship)s", ship=ship_name(battle, foe))
            command = command_json("contact", ship=ship, target=foe, aspect=aspect)
            yield Action(label, command, offer.rule, aspect_word(aspect), "main")


def likely(battle: Battle, ship: str, foe: str) -> int:
    """The order of the enemies: first those whose bases touch hers already."""
    near = battle.ships[foe].contact == ship or foe in battle.ships[ship].touching
    return 0 if near else 1


def prospect(battle: Battle, name: str, foe: str, aspect: str) -> str:
    """G6.1, G6.2, G7.1 What such a contact may bring in the ram step, in a few words."""
    ship, target = battle.ships[name], battle.ships[foe]
    met = battle.with_ship(name, msgspec.structs.replace(ship, contact=foe, aspect=aspect, touching=(foe,)))
    if aspect == "parallel":
        return _("breaks her oars") if movement.may_rake(met, name) else _("her oars hold")
    kind = battle.kind(ship)
    if kind.ram is None:
        return _("she has no ram")
    if aspect == "bow_to_bow" and movement.can_ram(battle, target):
        rams, rammed, _both = odds.percents(odds.head_on(ship.crew, target.crew))
        return _("rams %(rams)s, is rammed %(rammed)s", rams=rams, rammed=rammed)
    blow = odds.blow_of(battle, name, foe, ramming.has_full_speed(kind, met.ships[name]))
    chance, later = odds.percent(blow.sunk), odds.percent(blow.sunk_this_turn)
    return _("%(span)s hull, sinks %(chance)s, by the turn's end %(later)s", span=blow.span, chance=chance, later=later)


# -- The players' own table: a roster in rows, each ship with what she owes and what may be done in a tap; whole
# fleets.
#
# Without hexes the page cannot see who touches whom: the models say so, the players tap it.


@dataclass(frozen=True)
class Row:
    """A ship on the roster: her chip, type, men, what she owes and her orders; `more` says what her row opens to."""

    chip: Chip
    type: str
    crew: tuple[tuple[str, int], ...]
    owes: str
    orders: tuple[Order, ...]
    more: str


def rows(
    battle: Battle, offers: Sequence[Offer], found: Sequence[Chip], may: bool, tape: Tape | None = None
) -> list[Row]:
    """The roster in the fleet's order, those that are gone last: no row moves because its ship has acted."""
    return sorted((row(battle, offers, chip, may, tape) for chip in found), key=lambda each: each.chip.gone)


def row(battle: Battle, offers: Sequence[Offer], chip: Chip, may: bool, tape: Tape | None) -> Row:
    """One ship."""
    ship = battle.ships[chip.id]
    mine = [offer for offer in offers if offer.fields.get("ship") == chip.id] if may else []
    shown: tuple[Order, ...] = ()
    more = ""
    match battle.step:
        case "plot":
            shown = tuple(orders.dial(battle, chip.id, bool(mine))) if may and can_plot(ship) else ()
        case "move":
            turns = orders.steps(battle, mine, chip.id) if mine else []
            shown = tuple(shortly(each) for each in turns if is_turn(each))
            contact = next((offer for offer in mine if offer.type == "contact"), None)
            if contact is not None:
                shown, more = (*as_photographed(battle, contact, tape), *shown), _("Touches…")
        case "fire":
            more = _("Fire…") if any(offer.type == "fire" for offer in mine) else ""
        case "ram":
            shown = tuple(shortly(each) for each in orders.meetings(battle, mine, chip.id)) if mine else ()
        case "board":
            found = orders.boardings(battle, mine, chip.id) if mine else []
            shown = tuple(each for each in found if each.what == "action")
    kind = type_word(ship.type) + (" · " + _("flagship") if ship.flagship else "")
    marines = max(MARINES, key=lambda each: int(getattr(ship, each)))
    aboard = ((marines, ship.marines), ("archers", ship.archers)) if ship.is_afloat else ()
    crew = tuple((figure, count) for figure, count in aboard if count)
    return Row(chip, kind, crew, owes(battle, chip.id), shown, more)


def is_turn(order: Order) -> bool:
    """A step left, ahead or right; holding and contacts stand on the sheet."""
    return order.what in ("action", "cannot") and '"step"' in getattr(order, "command", "")


def shortly(order: Order) -> Order:
    """A turn or a rake in few words, as a row has room for, which says already whom she touches."""
    if not isinstance(order, Action | Cannot):
        return order
    for value, word in (
        ("left", pgettext("turn", "Left")),
        ("right", pgettext("turn", "Right")),
        ("rake", _("Break her oars")),
    ):
        if f'"{value}"' in order.command:
            return order._replace(label=word)
    return order


def owes(battle: Battle, name: str) -> str:
    """What a ship must do in this step, in a word or two."""
    ship = battle.ships[name]
    if not ship.is_afloat or ship.boarding:
        return ""
    if battle.step == "plot":
        if ship.must_back:
            return _("must back")
        return ""
    if ship.contact is not None:
        return _("touches %(ship)s", ship=ship_name(battle, ship.contact))
    if battle.step == "move":
        return _("has a step to make") if battle.is_due(ship) else _("has stepped") if ship.stepped else ""
    if battle.step == "fire":
        left = sum(missiles.ready(ship, weapon) for weapon in missiles.WEAPONS)
        return ngettext("%(num)d may fire", "%(num)d may fire", left) if left else ""
    return ""


def totals(battle: Battle, names: Sequence[str]) -> list[str]:
    """What the ships of a side have to do in this step and have done, all together; empty where nothing counts."""
    ships = [battle.ships[name] for name in names if battle.ships[name].is_afloat]
    found = []
    if battle.step == "plot":
        bare = sum(ship.plot is None and can_plot(ship) for ship in ships)
        found.append(ngettext("%(num)d ship without a speed", "%(num)d ships without a speed", bare) if bare else "")
    elif battle.step == "move":
        due = sum(battle.is_due(ship) for ship in ships)
        stepped = sum(ship.stepped for ship in ships)
        found.append(
            ngettext("%(num)d ship has a step to make", "%(num)d ships have a step to make", due) if due else ""
        )
        found.append(ngettext("%(num)d has stepped", "%(num)d have stepped", stepped) if stepped else "")
    elif battle.step == "fire":
        ready = {weapon: sum(missiles.ready(ship, weapon) for ship in ships) for weapon in missiles.WEAPONS}
        found += [figures(weapon, count) for weapon, count in ready.items() if count]
    if battle.step in ("move", "ram"):
        near = sum(ship.contact is not None for ship in ships)
        found.append(ngettext("%(num)d touches an enemy", "%(num)d touch an enemy", near) if near else "")
    return [each for each in found if each]


@dataclass(frozen=True)
class Enemies:
    """The other fleet on the roster: its side's name and the chips of its ships, each with her speed."""

    name: str
    chips: tuple[Chip, ...]


def enemies(battle: Battle, mine: Collection[str]) -> list[Enemies]:
    """The fleets of the sides that have no ship among `mine`; what they have plotted is their secret."""
    sides = {battle.ships[name].side for name in mine}
    found = []
    for side in battle.sides:
        names = [name for name, ship in battle.ships.items() if ship.side == side]
        if side not in sides and names:
            seen = [chip._replace(speed=speed_sign(battle.ships[chip.id], False)) for chip in chips(battle, names, ())]
            found.append(Enemies(side_name(battle, side), tuple(seen)))
    return found


def step_all(battle: Battle, names: Sequence[str], side: str) -> list[Action]:
    """G4.1, G1.5 All ships that still owe a step go ahead; with it, that no other base has come to touch."""
    due = [name for name in names if battle.is_due(battle.ships[name])]
    if not due or not movement.may_move_now(battle, side):
        return []
    steps: list[dict[str, Any]] = [{"type": "step", "ship": name, "turn": "none"} for name in due]
    found = []
    some = any(battle.ships[name].stepped or battle.ships[name].contact for name in names)
    word = _("All went ahead") if not some else _("The rest went ahead")
    closed = [*steps, {"type": "done", "side": side}]
    if would_go(battle, side, closed):
        alone = _("no ships touch")
        found.append(Action(f"{word}; {alone}", together(closed), "G4.1", weight="main"))
    if would_go(battle, side, steps):
        found.append(Action(word, together(steps), "G4.1", weight="plain" if found else "main"))
    return found


def would_go(battle: Battle, side: str, commands: Sequence[Mapping[str, Any]]) -> bool:
    """Would the engine take these commands together? Dice that they might ask for are no obstacle."""
    try:
        command = read({"type": "together", "commands": list(commands)}, AnyCommand, "command")
        GALLEY.apply(battle, side, command, Dice())
    except RollNeeded:
        return True
    except (Illegal, NotYours, BadInput):
        return False
    return True


# -- The sheet's place while no ship is selected: what the whole fleet, each squadron and each ship may do.

MOST_ROWS = 40  # ships with their orders


def panel(
    battle: Battle, look: Looking, offers: list[Offer], sides: list[str], todo: list[str], kept: Mapping[str, Course]
) -> dict[str, Any]:
    """The fleet's plots, or what there is to do."""
    names = todo
    if battle.step == "plot":
        names = [name for name, ship in battle.ships.items() if ship.side in sides and plotting.can_plot(ship)]
    names = names[:MOST_ROWS]
    by_ship: dict[object, list[Offer]] = {}
    for offer in offers:
        by_ship.setdefault(offer.fields.get("ship"), []).append(offer)
    rows = []
    for name, chip in zip(names, chips(battle, names, ()), strict=True):
        found = orders.of_ship(battle, by_ship.get(name, ()), name) if battle.step != "fire" else []
        found = [each for each in found if each.what != "bearing"]  # the slider is the selected ship's alone
        plain = all(isinstance(order, Action | Cannot) for order in found)
        rows.append(Task(name, chip, tuple(found), plain))
    groups, spoken = [], orders.speaker(battle, offers, todo, look.ship)
    for side in sides:
        mine = [name for name, ship in battle.ships.items() if ship.side == side and ship.is_afloat]
        squads = squadrons(battle, side)
        if battle.step == "plot":
            groups.append({"name": _("Whole fleet"), "side": side, "actions": orders.plot_all(battle, mine)})
        elif battle.step == "move":
            bulk = [*plans.all_ahead(battle, look, mine, kept), *orders.of_squadron(battle, mine)]
            if not battle.has_places:
                bulk = step_all(battle, mine, side)
            groups.append({"name": _("Whole fleet"), "side": side, "actions": bulk})
        elif battle.step == "fire":
            actions = [action for _foe, _name, found in orders.fire_all(battle, mine) for action in found]
            groups.append({"name": _("Whole fleet"), "side": side, "actions": actions})
        elif battle.step == "ram":
            groups.append({"name": _("Whole fleet"), "side": side, "actions": orders.of_squadron(battle, mine)})
        elif battle.step == "board":
            groups.append({"name": _("Whole fleet"), "side": side, "actions": orders.board_all(battle, mine)})
        groups += [
            {"name": translate(name), "side": side, "actions": orders.of_squadron(battle, ships)}
            for name, ships in squads.items()
        ]
        says = orders.for_turn(battle, side)
        if len(sides) > 1:  # at the bottom there is room for one side
            says += [] if side == spoken else orders.of_side(battle, offers, side)
            says += orders.forgoing(battle, offers, side)
        groups.append({"name": _("This turn"), "side": side, "actions": says})
    many = len(sides) > 1
    for group in groups:
        if many:
            group["name"] = f"{side_name(battle, str(group['side']))}: {group['name']}"
    groups = [{**group, "actions": tuple(group["actions"])} for group in groups if group["actions"]]
    return {"rows": rows, "groups": groups, "step": stage_word(battle)}
