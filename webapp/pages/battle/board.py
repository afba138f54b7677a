"""The board as one SVG: the sea, ships, what is selected, places to tap."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, NamedTuple

from markupsafe import Markup, escape

from tactical.battle import Battle
from tactical.board import Board
from tactical.kernel.cache import remember
from tactical.kernel.record import decode, encode
from tactical.ship import Ship
from webapp.http.cache import cache_by_language
from webapp.http.language import gettext as _
from webapp.http.language import minus
from webapp.pages.battle import marks, open_sea
from webapp.presenting.battle_labels import heading_word, hex_name, letters, ship_state, side_name, tones
from webapp.presenting.labels import type_word
from webapp.presenting.ships import galley
from webapp.presenting.ships.galley import galley_of, look_of, on_board

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
    usual: int = 99  # the steps that she makes without a sprint
    tracks: Mapping[str, marks.Track] = field(default_factory=dict)  # by ship the steps of this turn or the last
    leads: Collection[tuple[int, int]] = ()  # hexes to which a tap shows the course
    route: tuple[Any, ...] = ()  # the course to the place that was tapped
    draws: bool = False  # may a course of the selected ship be drawn or tapped now?
    rings: bool = False
    sight: bool = False
    moved: Collection[str] = ()
    struck: Collection[str] = ()  # an unread result tells of these
    targets: Collection[str] = ()  # the selected ship can do something to these now
    strikes: Mapping[str, str] = field(default_factory=dict)  # what a second tap on one of them commands
    chances: tuple[marks.Chance, ...] = ()  # of what the selected ship can do to them, now or with a later step
    mine: Collection[str] = ()  # the ships of the seat that looks
    pings: Collection[Any] = ()  # places that somebody points at (`pointing.Mark`)
    proposed: Mapping[str, Any] = field(default_factory=dict)  # where a photograph would have ships lie: at, facing
    still: bool = False  # nothing on it can be tapped: display, print, replay
    named: Collection[str] | None = None  # whose names are shown; with none given all, and flagships always


def board(battle: Battle, picture: Picture) -> Markup:
    """The board of a battle, as an SVG element."""
    return Markup("".join(text for _id, text in pieces(battle, picture)))


def pieces(battle: Battle, picture: Picture) -> list[tuple[str, Markup]]:
    """The same in pieces that change each by itself: its frame, the still sea, what lies under the ships, each ship,
    what lies above them. Each has its element's id, or none where it is no element."""
    home = "{} {} {} {}".format(*marks.frame(battle.board))
    chosen = battle.ships.get(picture.selected or "")
    where = "" if chosen is None or chosen.at is None else "{:g} {:g}".format(*marks.place(chosen.at))
    flags = flags_of(battle)
    above = [marks.contacts(battle), *map(marks.draw_ping, picture.pings)]
    asked = [(battle.ships[name], lies) for name, lies in picture.proposed.items() if name in battle.ships]
    above += [draw_outline(battle, ship, flags[ship.side].shape, lies) for ship, lies in asked]
    above += [marks.draw_ghost(battle, chosen, ghost) for ghost in picture.ghosts if chosen is not None]
    if battle.board.kind == "open" and chosen is not None and picture.ghosts:
        above.append(marks.draw_aim(battle, chosen))
    lying = under(battle, picture, chosen) if chosen is not None and chosen.at is not None else ""
    word = _("The board")
    begin = (
        f'<svg id="board" class="board" data-own="viewBox class style" viewBox="{escape(home)}"'
        f' data-home="{escape(home)}"'
        f' data-long="{galley.board_length("quinquereme"):g}" role="group"'
        f'{marks.drawable(battle, picture.draws)} hx-ignore aria-label="{escape(word)}"'
        ' preserveAspectRatio="xMidYMid meet">'
    )
    placed = [(name, ship) for name, ship in battle.ships.items() if ship.at is not None]
    tones_of = {side: flag.shape for side, flag in flags.items()}
    found = [
        ("", begin + ground(battle.board, hulls_of(battle))),
        ("wakes", marks.draw_wakes(picture.tracks)),
        ("under", Markup('<g id="under" data-at="{}">{}</g>').format(where, Markup(lying))),
        *((f"on-{name}", group_element(name, draw_ship(battle, picture, name, ship, flags))) for name, ship in placed),
        ("above", f'<g id="above">{"".join(above)}</g>'),
        ("rings", marks.draw_target_rings(battle, picture.chances)),
        ("names", marks.draw_names(battle, placed, tones_of, picture.mine, picture.named)),
        ("chances", marks.draw_chances(battle, picture.chances)),
        ("", "</svg>"),
    ]
    return [(name, text if isinstance(text, Markup) else Markup(text)) for name, text in found]


def draw_outline(battle: Battle, ship: Ship, shape: int, lies: Mapping[str, Any]) -> str:
    """G1.6 The outline of a ship at a place that the others are asked about."""
    x, y = open_sea.spot(lies["at"])
    return (
        f'<path class="proposed side{shape:d}" d="{open_sea.outline(battle.kind(ship))}"'
        f' transform="translate({x:g} {y:g}) rotate({lies["facing"]:g})"/>'
    )


# Boards that are only looked at: the builder's, those of a case, of a battle's moments, the one under a drawing.

ROOM = 76  # units about the ships of a board that is cut to them
LETTERS = 34  # a name's size is this part of the picture's breadth
STILL = Markup(
    '<svg class="board board-picture" viewBox="{} {} {} {}" width="{}" height="{}" role="img" aria-label="{}">{}</svg>'
)
GROUND, SAME_GROUND = Markup('<g id="ground" class="board">{}</g>'), Markup('<use href="#ground"/>')
NAME = Markup('<text class="still-name" x="{}" y="{}" font-size="{}">{}</text>')
Hulls = tuple[tuple[str, str, int], ...]


def still(
    battle: Battle,
    caption: str,
    box: tuple[float, float, float, float] | None = None,
    names: str = "",
    hulls: Hulls | None = None,
) -> Markup:
    """A board that is only looked at, or the part of it in a box (left, top, width, height of the drawing).

    `names` writes what a ship is called below her ("name"), or her id. Of several on a page the first draws the sea and
    all `hulls`, and the others have none to draw (an empty tuple): they use the first one's.
    """
    left, top, wide, high = box or marks.frame(battle.board)
    hulls = hulls_of(battle) if hulls is None else hulls
    still_sea = Markup("".join((galley.board_symbols(hulls), marks.still(battle.board))))
    sea = GROUND.format(still_sea) if hulls else SAME_GROUND
    placed = [(name, ship) for name, ship in battle.ships.items() if ship.at is not None]
    flags, looks = flags_of(battle), Picture(still=True)
    drawn = [marks.wrecks(battle.board), *(draw_ship(battle, looks, name, ship, flags) for name, ship in placed)]
    size = f"{max(13, wide / LETTERS):.0f}"
    for name, ship in placed if names else ():
        assert ship.at is not None
        x, y = where(ship, len(battle.by_hex.get(ship.at, ())) > 1)
        said = (ship.name if names == "name" else "") or name
        drawn.append(NAME.format(f"{x:.0f}", f"{y + marks.BELOW:.0f}", size, said))
    frame = (f"{each:.0f}" for each in (left, top, wide, high, wide, high))
    return STILL.format(*frame, caption, sea + Markup("".join((*drawn, marks.contacts(battle)))))


def about(battles: Sequence[Battle], also: Iterable[Any] = ()) -> tuple[float, float, float, float]:
    """The part of one board about its ships and wrecks in all these positions and the places in `also`, as a box."""
    at = [ship.at for battle in battles for ship in battle.ships.values() if ship.at is not None] + list(also)
    at += [wreck for battle in battles if battle.has_hexes for wreck in battle.board.wrecks]
    left, top, wide, high = marks.frame(battles[0].board)
    spots = [marks.place(each) for each in at] or [(left, top), (left + wide, top + high)]
    west, east = max(left, min(x for x, _ in spots) - ROOM), min(left + wide, max(x for x, _ in spots) + ROOM)
    north, south = max(top, min(y for _, y in spots) - ROOM), min(top + high, max(y for _, y in spots) + ROOM)
    return west, north, east - west, south - north


def group_element(name: str, drawn: Markup) -> Markup:
    """A ship's drawing as one element."""
    return Markup(f'<g id="on-{escape(name)}">{escape(drawn)}</g>')


def hulls_of(battle: Battle) -> Hulls:
    """The hulls that this battle needs: type, look and number of the side."""
    flags = flags_of(battle)
    return tuple(sorted({(it.type, flags[it.side].look, flags[it.side].shape) for it in battle.ships.values()}))


@remember
def ground(board: Board, wanted: Hulls) -> str:
    """What no command changes: the hulls that the ships are drawn with, sea, land and wrecks."""
    return "".join((galley.board_symbols(wanted), marks.still(board), marks.wrecks(board)))


def under(battle: Battle, picture: Picture, ship: Ship) -> str:
    """What lies under the ships: the selected hex, its rings, reach and lines of sight."""
    assert ship.at is not None
    x, y = marks.place(ship.at)
    shape = f'd="{marks.hex_path(0.94)}" transform="translate({x} {y})"'
    if battle.board.kind == "open":
        shape = f'd="{open_sea.ring(battle, ship, 0.15)}" transform="translate({x} {y}) rotate({ship.facing:g})"'
    parts = [f'<path class="chosen" {shape}/>']
    if picture.reach:
        is_foe = bool(picture.mine) and picture.selected not in picture.mine
        parts.append(marks.draw_reach(picture.reach, picture.leads, picture.usual, is_foe))
    if track := picture.tracks.get(picture.selected or ""):
        parts.append(marks.draw_track(track))
    if picture.route:
        parts.append(marks.draw_route(ship, picture.route, battle))
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


def draw_ship(battle: Battle, picture: Picture, name: str, ship: Ship, flags: Mapping[str, Flag]) -> Markup:
    """One galley as an element, with a link to its sheet, or with the button that strikes at it."""
    assert ship.at is not None
    own, captor = flags[ship.side], flags.get(ship.captured_by or "", NOBODY)
    figure = Figure(
        encode(ship),
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
        scale(battle, ship),
        own.look,
    )
    if name in picture.strikes:
        group, said = draw_figure(figure)
        return Markup(f"{escape(group)}{marks.strike(ship, said, picture.strikes[name])}")
    link = picture.links.get(name)
    return title_ship(figure) if picture.still or link is None else link_ship(figure, link)


@cache_by_language
def link_ship(figure: Figure, link: str) -> Markup:
    """A galley as a link to her sheet."""
    group, said = draw_figure(figure)
    x, y = where(decode(figure.sheet, Ship), figure.crowded)
    return Markup(
        f'<a href="{escape(link)}" id="at-{escape(figure.name)}" data-go aria-label="{escape(said)}"'
        f' tabindex="-1"><circle class="touch" cx="{x:g}" cy="{y:g}" r="29"/>{escape(group)}</a>',
    )


@cache_by_language
def title_ship(figure: Figure) -> Markup:
    """A galley that cannot be tapped."""
    group, said = draw_figure(figure)
    return Markup(f"<g><title>{escape(said)}</title>{escape(group)}</g>")


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


def scale(battle: Battle, ship: Ship) -> tuple[float, float]:
    """G1.6 On the open sea a hull is drawn as long and as broad as it is measured."""
    if battle.board.kind != "open":
        return galley.SCALE, galley.SCALE
    kind = battle.kind(ship)
    broad = kind.beam * open_sea.BASE / galley.board_beam(ship.type)
    long = kind.length * open_sea.BASE / galley.board_length(ship.type)
    return round(broad * galley.SCALE, 3), round(long * galley.SCALE, 3)


def where(ship: Ship, crowded: bool) -> tuple[float, float]:
    """The place of a ship in the drawing; of two in a hex one lies beside the other."""
    assert ship.at is not None
    x, y = marks.place(ship.at)
    if isinstance(ship.at[0], float):
        return x, y
    return (x + (-11 if ship.passing is not None else 11) if ship.passing is not None or crowded else x), y


@cache_by_language
def draw_figure(it: Figure) -> tuple[Markup, Markup]:
    """One galley with its pennant and what has befallen it, a prize in her captor's colour; and in words."""
    ship = decode(it.sheet, Ship)
    x, y = where(ship, it.crowded)
    angle = marks.angle_of(ship.facing)
    seen = galley_of(ship, it.whole, it.look, it.shape, it.letter, (it.colour, it.captor))
    body: list[str] = [on_board(seen, angle, *it.scale)]
    body.append(badges(ship, it.captor, it.plots))
    ring = '<circle class="todo" r="35"/>' if it.todo else ""
    if it.struck:
        ring += f'<path class="struck" d="{BURST}"/>'
    kinds = f"ship side{it.colour}" + (" prize" if ship.is_prize else "") + (" selected" if it.selected else "")
    kinds += " moved" if it.moved else ""
    kinds += " target" if it.target else ""
    kinds += marks.fares(ship, it.whole) if ship.is_afloat else ""
    place = f'data-ship="{escape(it.name)}" data-x="{x:g}" data-y="{y:g}" data-angle="{angle:g}"'
    group = (
        f'<g class="{kinds}" {place} transform="translate({x:g} {y:g})">'
        f'<g class="hit-part">{ring}{"".join(body)}</g></g>'
    )
    return Markup(group), escape(describe(it.name, ship, it.side))


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
        speed=minus(ship.speed),
    )
    return f"{said}; {state}" if state else said


def badges(ship: Ship, captor: str, plots: bool) -> str:
    """The signs of what has befallen a ship: shape and letter first; in the plot that her speed is set."""
    found = []
    if ship.is_prize:
        found.append(
            '<path class="sign captured" d="M-9 -9h18v18h-18z"/>'
            f'<text class="sign-letter" y="5">{escape(captor)}</text>'
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
        found.append('<path class="sign plotted" d="M-5 -1h10v7h-10zM-3 -1v-2.500a3 3 0 0 1 6 0v2.500"/>')
    corners = ((24, -21), (19, 16), (-19, -17), (-19, 16))
    return "".join(
        f'<g transform="translate({x:d} {y:d})">{Markup(sign)}</g>'
        for (x, y), sign in zip(corners, found, strict=False)
    )
