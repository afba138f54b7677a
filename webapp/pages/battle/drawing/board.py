"""The whole board as one SVG: still sea, ships, what is selected, ghosts as buttons. Strings, not templates: 60 ships
must be drawn in milliseconds."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from dataclasses import dataclass, field
from functools import lru_cache
from typing import Any, NamedTuple

from markupsafe import Markup, escape

from tactical import measured
from tactical.battle import Battle
from tactical.board import Board
from tactical.kernel.record import decode
from tactical.ship import STEPS_OF, Ship
from webapp.http.kept import json_of, kept
from webapp.http.language import gettext as _
from webapp.http.signs import minus
from webapp.pages.battle.drawing import condition, marks, open_sea, sea, ways
from webapp.presenting import hulls
from webapp.presenting.battle_labels import heading_word, hex_name, letters, ship_state, side_name, speed_word, tones
from webapp.presenting.labels import type_word
from webapp.presenting.ships.galley import on_board
from webapp.presenting.ships.looks import galley_of, look_of

CHIP = 118  # from midship to the buttons of the angles, in the drawing's units
BURST = (  # the mark of a blow
    "M0 -33L6 -24L16 -29L16 -18L28 -17L22 -8L33 0L22 8L28 17L16 18L16 29L6 24L0 33L-6 24L-16 29L-16 18L-28 17L-22 8"
    "L-33 0L-22 -8L-28 -17L-16 -18L-16 -29L-6 -24Z"
)


@dataclass(frozen=True)
class Picture:
    """What a board shows besides the position: links, the selected ship, who has something to do, what is on offer."""

    links: Mapping[str, str] = field(default_factory=dict)
    selected: str | None = None
    to_act: Collection[str] = ()
    ghosts: tuple[marks.Ghost, ...] = ()
    reach: Mapping[tuple[int, int], int] = field(default_factory=dict)
    leads: Collection[tuple[int, int]] = ()  # hexes to which a tap shows the course
    route: tuple[Any, ...] = ()  # the course to the place that was tapped
    draws: bool = False  # may a course of the selected ship be drawn or tapped now?
    rings: bool = False
    sight: bool = False
    moved: Collection[str] = ()
    struck: Collection[str] = ()  # an unread result tells of these
    targets: Collection[str] = ()  # the selected ship can do something to these now
    strikes: Mapping[str, str] = field(default_factory=dict)  # what a second tap on one of them commands
    pings: Collection[Any] = ()  # places that somebody points at (`pointing.Mark`)
    still: bool = False  # nothing on it can be tapped: display, print, replay


def board(battle: Battle, picture: Picture) -> Markup:
    """The board of a battle, as an SVG element."""
    return Markup("".join(text for _id, text in pieces(battle, picture)))


def pieces(battle: Battle, picture: Picture) -> list[tuple[str, Markup]]:
    """The same in pieces that change each by itself: its frame, the still sea, what lies under the ships, each ship,
    what lies above them. Each has its element's id, or none where it is no element."""
    left, top, width, height = sea.frame(battle.board)
    home = f"{left} {top} {width} {height}"
    chosen = battle.ships.get(picture.selected or "")
    eye = chosen if chosen is not None and chosen.at is not None else in_focus(battle, picture)
    where = "" if eye is None or eye.at is None else "{:g} {:g}".format(*sea.place(eye.at))
    flags = flags_of(battle)
    above = [contacts(battle), *map(marks.draw_ping, picture.pings)]
    above += [draw_ghost(battle, chosen, ghost) for ghost in picture.ghosts if chosen is not None]
    if battle.board.kind == "open" and chosen is not None and picture.ghosts:
        above.append(aimed(battle, chosen))
    lying = under(battle, picture, chosen) if chosen is not None and chosen.at is not None else ""
    small = "" if picture.still else condition.overview(battle, {side: flag.shape for side, flag in flags.items()})
    begin = (
        f'<svg id="board" class="board" data-own="viewBox class style" viewBox="{home}" data-home="{home}" role="group"'
        f'{ways.drawable(battle, picture.draws)} hx-ignore aria-label="{escape(_("The board"))}"'
        ' preserveAspectRatio="xMidYMid meet">'
    )
    placed = [(name, ship) for name, ship in battle.ships.items() if ship.at is not None]
    found = [
        ("", begin + ground(battle.board, hulls_of(battle))),
        ("under", Markup('<g id="under" data-at="{}">{}</g>').format(where, Markup(lying))),
        *((f"on-{name}", grouped(name, draw_ship(battle, picture, name, ship, flags))) for name, ship in placed),
        ("above", f'<g id="above">{"".join(above)}</g>'),
        ("", "</svg>"),
        *([("overview", small)] if small else []),
    ]
    return [(name, Markup(text)) for name, text in found]


def grouped(name: str, drawn: str) -> str:
    """A ship's drawing as one element."""
    return Markup('<g id="on-{}">{}</g>').format(name, Markup(drawn))


def in_focus(battle: Battle, picture: Picture) -> Ship | None:
    """What the board turns to while no ship is selected: where a blow fell, else a ship that has something to do."""
    for names in (picture.struck, picture.to_act):
        for name, ship in battle.ships.items():
            if name in names and ship.at is not None:
                return ship
    return None


def hulls_of(battle: Battle) -> tuple[tuple[str, str, int], ...]:
    """The hulls that this battle needs: type, look and number of the side."""
    flags = flags_of(battle)
    return tuple(sorted({(it.type, flags[it.side].look, flags[it.side].shape) for it in battle.ships.values()}))


@lru_cache(maxsize=32)
def ground(board: Board, wanted: tuple[tuple[str, str, int], ...]) -> str:
    """What no command changes: the hulls that the ships are drawn with, sea, land and wrecks."""
    return "".join((hulls.symbols(wanted), sea.still(board), sea.wrecks(board)))


def under(battle: Battle, picture: Picture, ship: Ship) -> str:
    """What lies under the ships: the selected hex, its rings, reach and lines of sight."""
    assert ship.at is not None
    x, y = sea.place(ship.at)
    shape = f'd="{sea.hex_path(0.94)}" transform="translate({x} {y})"'
    if battle.board.kind == "open":
        shape = f'd="{open_sea.ring(battle, ship, 0.15)}" transform="translate({x} {y}) rotate({ship.facing:g})"'
    parts = [f'<path class="chosen" {shape}/>']
    if picture.reach:
        parts.append(ways.draw_reach(picture.reach, picture.leads))
    if picture.route:
        parts.append(ways.draw_route(ship, picture.route))
    if picture.rings:
        parts.append(marks.draw_rings(battle, ship))
    if picture.sight:
        parts.append(marks.draw_sight(battle, ship))
    return "".join(parts)


class Flag(NamedTuple):
    """How a side is told apart: its number, its letter, its name, and the look of its ships."""

    shape: int
    letter: str
    name: str
    look: str = "hellenistic"


NOBODY = Flag(0, "", "")


def flags_of(battle: Battle) -> dict[str, Flag]:
    """The flags of all sides."""
    pennants = letters(battle)
    return {
        side: Flag(shape, pennants[side], side_name(battle, side), look_of(battle, side))
        for side, shape in tones(battle).items()
    }


def draw_ship(battle: Battle, picture: Picture, name: str, ship: Ship, flags: Mapping[str, Flag]) -> str:
    """One galley with a link to its sheet, or with the button that strikes at it."""
    assert ship.at is not None
    own, captor = flags[ship.side], flags.get(ship.captured_by or "", NOBODY)
    figure = Figure(
        json_of(ship),
        name,
        own.shape,
        captor.shape if ship.captured_by else own.shape,
        len(battle.by_hex.get(ship.at, ())) > 1,
        battle.kind(ship).hull,
        own.letter,
        captor.letter,
        own.name,
        battle.step == "plot",
        name in picture.to_act,
        name in picture.struck,
        name == picture.selected,
        name in picture.moved,
        name in picture.targets,
        scaled(battle, ship),
        own.look,
    )
    if name in picture.strikes:
        group, said = drawn(figure)
        return f"{escape(group)}{strike(ship, said, picture.strikes[name])}"
    link = picture.links.get(name)
    return titled(figure) if picture.still or link is None else linked(figure, link)


@kept(16384)
def linked(figure: Figure, link: str) -> str:
    """A galley as a link to her sheet."""
    group, said = drawn(figure)
    x, y = where(decode(figure.sheet, Ship), figure.crowded)
    return (
        f'<a href="{escape(link)}" id="at-{escape(figure.name)}" data-go aria-label="{escape(said)}"'
        f' tabindex="-1"><circle class="touch" cx="{x:g}" cy="{y:g}" r="29"/>{escape(group)}</a>'
    )


@kept(16384)
def titled(figure: Figure) -> str:
    """A galley that cannot be tapped."""
    group, said = drawn(figure)
    return f"<g><title>{escape(said)}</title>{escape(group)}</g>"


class Figure(NamedTuple):
    """All that the drawing of a ship depends on besides the language; `sheet` is her record, written."""

    sheet: bytes
    name: str
    shape: int
    colour: int
    crowded: bool
    whole: int
    letter: str
    captor: str
    side: str
    plots: bool
    todo: bool
    struck: bool
    selected: bool
    moved: bool
    target: bool
    scale: tuple[float, float]  # breadth and length of the drawn hull; on the open sea as she is measured (G1.6)
    look: str


def scaled(battle: Battle, ship: Ship) -> tuple[float, float]:
    """G1.6 On the open sea a hull is drawn as long and as broad as it is measured."""
    if battle.board.kind != "open":
        return hulls.SCALE, hulls.SCALE
    kind = battle.kind(ship)
    broad = kind.beam * open_sea.BASE / hulls.beam(ship.type)
    long = kind.length * open_sea.BASE / hulls.length(ship.type)
    return round(broad * hulls.SCALE, 3), round(long * hulls.SCALE, 3)


def where(ship: Ship, crowded: bool) -> tuple[float, float]:
    """The place of a ship in the drawing; of two in a hex one lies beside the other."""
    assert ship.at is not None
    x, y = sea.place(ship.at)
    if isinstance(ship.at[0], float):
        return x, y
    return (x + (-11 if ship.passing is not None else 11) if ship.passing is not None or crowded else x), y


@kept(16384)
def drawn(it: Figure) -> tuple[Markup, Markup]:
    """One galley with its pennant and what has befallen it, a prize in her captor's colour; and in words."""
    ship = decode(it.sheet, Ship)
    x, y = where(ship, it.crowded)
    angle = marks.angle_of(ship.facing)
    seen = galley_of(ship, it.whole, it.look, it.shape, it.letter, (it.colour, it.captor))
    body: list[str] = [on_board(seen, angle, *it.scale)]
    body.append(badges(ship, it.captor, it.plots))
    if ship.is_afloat:
        row = condition.pips(max(0, it.whole - ship.damage), it.whole)
        body.append(f'<g class="hullrow{"" if ship.damage else " whole"}">{row}</g>')
        body.append(f'<text class="aboard" y="-21">{escape(condition.aboard(ship))}</text>')
    body.append(f'<text class="shipname" y="27">{escape(condition.short_name(ship.name or it.name))}</text>')
    ring = '<circle class="todo" r="28"/>' if it.todo else ""
    if it.struck:
        ring += f'<path class="struck" d="{BURST}"/>'
    kinds = f"ship side{it.colour}" + (" prize" if ship.is_prize else "") + (" selected" if it.selected else "")
    kinds += " moved" if it.moved else ""
    kinds += " named" if it.selected or it.target or it.struck else ""
    kinds += " target" if it.target else ""
    kinds += condition.fares(ship, it.whole) if ship.is_afloat else ""
    place = f'data-ship="{escape(it.name)}" data-x="{x:g}" data-y="{y:g}" data-angle="{angle:g}"'
    group = (
        f'<g class="{kinds}" {place} transform="translate({x:g} {y:g})">'
        f'<g class="hit-part">{ring}{"".join(body)}</g></g>'
    )
    return Markup(group), escape(describe(it.name, ship, it.side))


def strike(ship: Ship, said: Markup, command: str) -> str:
    """A button over an enemy that was tapped: the second tap strikes; `said` is the ship in words."""
    assert ship.at is not None
    x, y = sea.place(ship.at)
    return (
        f'<circle class="aimed" cx="{x:g}" cy="{y:g}" r="30"/>'
        f'<foreignObject x="{x - 30:g}" y="{y - 30:g}" width="60" height="60">'
        f'<button xmlns="http://www.w3.org/1999/xhtml" class="on-board" form="orders" name="command" id="strike"'
        f' value="{escape(command)}" aria-label="{escape(said)}"></button></foreignObject>'
    )


def describe(name: str, ship: Ship, side: str) -> str:
    """A ship on the board in one line, for a screen reader."""
    state = ship_state(ship)
    said = _(
        "%(ship)s, %(type)s of %(side)s, hex %(hex)s, heading %(way)s, speed %(speed)s",
        ship=ship.name or name,
        type=type_word(ship.type),
        side=side,
        hex=hex_name(ship.at),
        way=heading_word(ship.facing),
        speed=speed_word(ship.speed),
    )
    return f"{said}; {state}" if state else said


def badges(ship: Ship, captor: str, plots: bool) -> str:
    """The signs of what has befallen a ship: shape and letter first; in the plot that her speed is set."""
    found = []
    if ship.is_prize:
        found.append(
            '<path class="sign captured" d="M-9 -9h18v18h-18z"/>'
            f'<text class="sign-letter" y="5">C{escape(captor)}</text>'
        )
    if ship.boarding is not None:
        found.append(
            '<path class="sign boarding" d="M0 -12L12 0L0 12L-12 0Z"/><text class="sign-letter" y="5">B</text>'
        )
    if ship.breaches:
        found.append(
            '<path class="sign breach" d="M0 -13C7 -4 9 0 9 4A9 9 0 0 1 -9 4C-9 0 -7 -4 0 -13Z"/>'
            f'<text class="sign-letter" y="8">{ship.breaches:d}</text>'
        )
    if ship.oars_broken:
        found.append('<circle class="sign broken" r="9.500"/><text class="sign-letter" y="5">O</text>')
    if plots and ship.plot is not None:
        found.append('<path class="sign plotted" d="M-8 -1h16v11h-16zM-5 -1v-4a5 5 0 0 1 10 0v4"/>')
    corners = ((19, -17), (19, 16), (-19, -17), (-19, 16))
    return "".join(
        f'<g transform="translate({x:d} {y:d})">{Markup(sign)}</g>'
        for (x, y), sign in zip(corners, found, strict=False)
    )


def contacts(battle: Battle) -> str:
    """Who is in contact with whom, and who fights aboard whom: a mark between the two."""
    found = []
    for ship in battle.ships.values():
        other = battle.ships.get(ship.contact or ship.boarding or "")
        if other is None or ship.at is None or other.at is None or other.at == ship.at:
            continue
        x, y = sea.place(ship.at)
        a, b = sea.place(other.at)
        kind = "meeting" if ship.contact else "grappled"
        found.append(
            f'<path class="{kind}" d="M{x + (a - x) * 0.3:.0f} {y + (b - y) * 0.3:.0f}'
            f'L{x + (a - x) * 0.7:.0f} {y + (b - y) * 0.7:.0f}"/>'
        )
    return f'<g class="meetings" aria-hidden="true">{"".join(found)}</g>' if found else ""


def draw_ghost(battle: Battle, ship: Ship, ghost: marks.Ghost) -> str:
    """A legal step as the ship that it would make, with a button over it that commands it."""
    assert ship.at is not None
    x, y = sea.place(ghost.to)
    if battle.board.kind == "open":
        return draw_angle(battle, ship, ghost)
    angle = int(marks.angle_of(ghost.facing))
    if ghost.meets == "contact":
        drawn = (
            f'<path class="ghost-hex strike" d="{sea.hex_path(0.9)}"/>'
            '<path class="ghost-ram" d="M-16 -16L16 16M16 -16L-16 16"/>'
        )
    elif ghost.meets == "blocked":
        drawn = f'<path class="ghost-hex stop" d="{sea.hex_path(0.9)}"/><path class="ghost-ram" d="M-14 0H14"/>'
    elif ghost.meets == "place":
        drawn = f'<path class="ghost-place" d="{sea.hex_path(0.9)}"/>'
    else:
        drawn = (
            f'<path class="ghost-hex" d="{sea.hex_path(0.9)}"/>'
            f'<g class="ghost-ship" transform="rotate({angle:d})">'
            f"{hulls.ghost(ship.type, look_of(battle, ship.side))}</g>"
        )
    return (
        f'<g class="ghosts"{escape(ways.led(ghost))} transform="translate({x:g} {y:g})">{drawn}'
        f'<foreignObject x="-30" y="-30" width="60" height="60"><button xmlns="http://www.w3.org/1999/xhtml"'
        f' class="on-board" form="orders" name="command" id="ghost-{escape(ghost.name)}"'
        f' value="{escape(ghost.command)}" aria-label="{escape(ghost.label)}" title="{escape(ghost.label)}">'
        "</button></foreignObject></g>"
    )


def aimed(battle: Battle, ship: Ship) -> str:
    """G1.6 The hull that follows the slider and the bow that is dragged, and the handle at the bow."""
    assert ship.at is not None
    x, y = sea.place(ship.at)
    kind = battle.kind(ship)
    way = open_sea.BASE if ship.speed >= 0 else -open_sea.BASE
    return (
        f'<g class="aim" id="aim" data-facing="{ship.facing:g}" data-way="{way:d}" data-x="{x:g}" data-y="{y:g}"'
        f' transform="translate({x:g} {y:g}) rotate({ship.facing:g})">'
        f'<path class="aim-hull" d="{open_sea.outline(kind)}" transform="translate(0 {-way:d})"/>'
        f'<circle class="bow" r="15" cy="{-kind.length * open_sea.BASE / 2:.1f}"/></g>'
    )


def draw_angle(battle: Battle, ship: Ship, ghost: marks.Ghost) -> str:
    """G1.6 A chip's hull where the ship comes to lie, and before it a button with the angle that commands it."""
    assert ship.at is not None
    x, y = sea.place(ghost.to)
    hull = open_sea.outline(battle.kind(ship))
    kind = {"contact": " strike", "blocked": " stop", "edge": " stop"}.get(ghost.meets, "")
    ahead = measured.unit(marks.angle_of(ghost.facing))
    far = -CHIP if ship.speed < 0 else CHIP
    at_x, at_y = (start + way * far for start, way in zip(sea.place(ship.at), ahead, strict=True))
    number = int(ghost.name)
    said = f"{'+' if number > 0 else ''}{minus(number)}°"
    return (
        f'<g class="ghosts measured"><path class="ghost{escape(kind)}" d="{hull}"'
        f' transform="translate({x:g} {y:g}) rotate({ghost.facing:g})"/>'
        f'<g transform="translate({at_x:.1f} {at_y:.1f})"><circle class="ghost-hex{escape(kind)}" r="23"/>'
        f'<text class="ghost-angle" y="6">{escape(said)}</text>'
        f'<foreignObject x="-26" y="-26" width="52" height="52"><button xmlns="http://www.w3.org/1999/xhtml"'
        f' class="on-board" form="orders" name="command" id="ghost-{escape(ghost.name)}"'
        f' value="{escape(ghost.command)}" aria-label="{escape(ghost.label)}" title="{escape(ghost.label)}">'
        "</button></foreignObject></g></g>"
    )


def phases_of(ship: Ship) -> tuple[int, ...]:
    """The phases in which the ship steps at its speed."""
    return tuple(sorted(STEPS_OF.get(ship.speed, ())))
