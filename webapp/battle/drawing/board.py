"""The whole board as one SVG: still sea, ships, what is selected, ghosts as buttons. Strings, not templates: 60 ships
must be drawn in milliseconds."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from dataclasses import dataclass, field

from flask_babel import gettext as _
from markupsafe import Markup, escape

from tactical.battle import Battle
from tactical.ship import STEPS_OF, Ship
from webapp.battle.drawing import hulls, marks, sea
from webapp.battle.words import heading_word, hex_name, letters, ship_name, ship_state, side_name, speed_word
from webapp.lobby.words import type_word


@dataclass(frozen=True)
class Picture:
    """What a board shows besides the position: links, the selected ship, who has something to do, what is on offer."""

    links: Mapping[str, str] = field(default_factory=dict)
    selected: str | None = None
    to_act: Collection[str] = ()
    ghosts: tuple[marks.Ghost, ...] = ()
    reach: Mapping[tuple[int, int], int] = field(default_factory=dict)
    rings: bool = False
    sight: bool = False
    moved: Collection[str] = ()
    still: bool = False  # nothing on it can be tapped: display, print, replay


def board(battle: Battle, picture: Picture) -> Markup:
    """The board of a battle on hexes, as an SVG element."""
    left, top, width, height = sea.frame(battle.board)
    home = f"{left} {top} {width} {height}"
    chosen = battle.ships.get(picture.selected or "")
    where = "" if chosen is None or chosen.at is None else "{:g} {:g}".format(*sea.place(chosen.at))
    parts = [
        f'<svg id="board" class="board" viewBox="{home}" data-home="{home}" data-at="{where}" role="group"'
        f' aria-label="{escape(_("The board"))}" preserveAspectRatio="xMidYMid meet">',
        symbols(battle),
        sea.still(battle.board),
        sea.wrecks(battle.board),
    ]
    if chosen is not None and chosen.at is not None:
        parts.append(under(battle, picture, chosen))
    pennants = letters(battle)
    order = {side: number % hulls.SHAPES for number, side in enumerate(battle.sides)}
    for name, ship in battle.ships.items():
        if ship.at is not None:
            parts.append(draw_ship(battle, picture, name, ship, order[ship.side], pennants))
    parts.append(contacts(battle))
    parts += [draw_ghost(battle, chosen, ghost) for ghost in picture.ghosts if chosen is not None]
    parts.append("</svg>")
    return Markup("".join(parts))


def symbols(battle: Battle) -> str:
    """The hulls that this battle needs."""
    kinds = tuple(sorted({ship.type for ship in battle.ships.values()}))
    return hulls.symbols(kinds, tuple(range(min(len(battle.sides), hulls.SHAPES))))


def under(battle: Battle, picture: Picture, ship: Ship) -> str:
    """What lies under the ships: the selected hex, its rings, reach and lines of sight."""
    assert ship.at is not None
    x, y = sea.place(ship.at)
    parts = [f'<path class="chosen" d="{sea.hex_path(0.94)}" transform="translate({x} {y})"/>']
    if picture.reach:
        parts.append(marks.draw_reach(dict(picture.reach)))
    if picture.rings:
        parts.append(marks.draw_rings(battle, ship))
    if picture.sight:
        parts.append(marks.draw_sight(battle, ship))
    return "".join(parts)


def draw_ship(battle: Battle, picture: Picture, name: str, ship: Ship, shape: int, pennants: Mapping[str, str]) -> str:
    """One galley with its pennant, what has befallen it, and a link to its sheet."""
    assert ship.at is not None
    x, y = sea.place(ship.at)
    if ship.passing is not None or len(battle.by_hex.get(ship.at, ())) > 1:
        x += -11 if ship.passing is not None else 11
    angle = marks.ANGLES[ship.facing or "N"]
    prize = ship.is_prize
    turned = f' transform="rotate({angle})"' if angle else ""
    oars = "stumps" if ship.oars_broken else "oars"
    body = [f"<g{turned}>", f'<use href="#{oars}-{ship.type}"/><use href="#hull-{ship.type}-{shape}"/>']
    if ship.corvus:
        body.append(f'<use href="#plank-{ship.type}"/>')
    body.append("</g>")
    letter = pennants[ship.side]
    body.append(f'<text class="pennant" y="5">{letter}</text>')
    if ship.flagship:
        body.append('<path class="flag" d="M-7 -9h14l-3 -3.500 3 -3.500h-14z"/>')
    body.append(badges(battle, ship, pennants))
    if ship.damage and ship.is_afloat:
        body.append(hull_bar(battle, ship))
    body.append(f'<text class="shipname" y="30">{escape(ship.name or name)}</text>')
    ring = ""
    if name in picture.to_act:
        ring = '<circle class="todo" r="28"/>'
    kinds = f"ship side{shape}" + (" prize" if prize else "") + (" selected" if name == picture.selected else "")
    kinds += " moved" if name in picture.moved else ""
    group = f'<g class="{kinds}" transform="translate({x:g} {y:g})">{ring}{"".join(body)}</g>'
    link = picture.links.get(name)
    if picture.still or link is None:
        return f"<g><title>{escape(describe(battle, name, ship))}</title>{group}</g>"
    return (
        f'<a href="{escape(link)}" id="at-{name}" data-go aria-label="{escape(describe(battle, name, ship))}"'
        f' tabindex="-1"><circle class="touch" cx="{x:g}" cy="{y:g}" r="29"/>{group}</a>'
    )


def describe(battle: Battle, name: str, ship: Ship) -> str:
    """A ship on the board in one line, for a screen reader."""
    state = ship_state(ship)
    said = _(
        "%(ship)s, %(type)s of %(side)s, hex %(hex)s, heading %(way)s, speed %(speed)s",
        ship=ship_name(battle, name), type=type_word(ship.type), side=side_name(battle, ship.side),
        hex=hex_name(ship.at), way=heading_word(ship.facing), speed=speed_word(ship.speed),
    )  # fmt: skip
    return f"{said}; {state}" if state else said


def badges(battle: Battle, ship: Ship, pennants: Mapping[str, str]) -> str:
    """The signs of what has befallen a ship: shape and letter first."""
    found = []
    if ship.is_prize:
        captor = pennants.get(ship.captured_by or "", "")
        found.append(
            f'<path class="sign captured" d="M-9 -9h18v18h-18z"/><text class="sign-letter" y="5">C{captor}</text>'
        )
    if ship.boarding is not None:
        found.append(
            '<path class="sign boarding" d="M0 -12L12 0L0 12L-12 0Z"/><text class="sign-letter" y="5">B</text>'
        )
    if ship.breaches:
        found.append(
            '<path class="sign breach" d="M0 -13C7 -4 9 0 9 4A9 9 0 0 1 -9 4C-9 0 -7 -4 0 -13Z"/>'
            f'<text class="sign-letter" y="8">{ship.breaches}</text>'
        )
    if ship.oars_broken:
        found.append('<circle class="sign broken" r="9.500"/><text class="sign-letter" y="5">O</text>')
    if battle.step == "plot" and ship.plot is not None:
        found.append('<path class="sign plotted" d="M-8 -1h16v11h-16zM-5 -1v-4a5 5 0 0 1 10 0v4"/>')
    corners = ((19, -17), (19, 16), (-19, -17), (-19, 16))
    return "".join(
        f'<g transform="translate({x} {y})">{sign}</g>' for (x, y), sign in zip(corners, found, strict=False)
    )


def hull_bar(battle: Battle, ship: Ship) -> str:
    """What is left of a damaged hull, as a bar under the ship."""
    hull = battle.kind(ship).hull
    left = max(0, hull - ship.damage) / hull
    return f'<path class="bar" d="M-14 21h28"/><path class="bar-left" d="M-14 21h{28 * left:.0f}"/>'


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
    angle = marks.ANGLES[ghost.facing]
    shape = list(battle.sides).index(ship.side) % hulls.SHAPES
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
            f'<path class="ghost" transform="rotate({angle})" d="{hulls.hull_path(ship.type, shape)}"/>'
        )
    return (
        f'<g class="ghosts" transform="translate({x:g} {y:g})">{drawn}'
        f'<foreignObject x="-30" y="-30" width="60" height="60"><button xmlns="http://www.w3.org/1999/xhtml"'
        f' class="on-board" form="orders" name="command" id="ghost-{ghost.name}" value="{escape(ghost.command)}"'
        f' aria-label="{escape(ghost.label)}" title="{escape(ghost.label)}"></button></foreignObject></g>'
    )


def phases_of(ship: Ship) -> tuple[int, ...]:
    """The phases in which the ship steps at its speed."""
    return tuple(sorted(STEPS_OF.get(ship.speed, ())))
