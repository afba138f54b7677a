"""The table read by a photograph (G1.5, G1.6): taken, looked at, corrected, confirmed.

The picture is read and forgotten. What was read travels in the page's form until a person confirms it: as a position
that the others are asked about on the measured sea, as a measuring tape on the players' own table
(docs/decisions/042).
"""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from math import isfinite
from typing import Annotated, Any

from flask import abort, g, redirect, render_template, request, url_for
from flask.typing import ResponseReturnValue
from markupsafe import Markup
from msgspec import Meta

from tactical.battle import Battle
from tactical.kernel.protocol import SPECTATOR
from tactical.kernel.record import BadInput, Input, Reason, because, encode, read
from tactical.tabletop import LARGEST_TABLE, TOLERANCE, Layout, Lies, Measured, ShipName, Tape, propose
from webapp.camera.reading import ENOUGH, LARGEST, Reading, is_installed, read_photo, read_taps
from webapp.http.forms import parse, whole
from webapp.http.language import gettext as _
from webapp.http.rate_limit import reckon_apart
from webapp.http.seats import REFUSALS, current_seat, store
from webapp.pages.battle.looking import looking
from webapp.pages.battle.orders import range_words, refusal
from webapp.pages.battle.roster import Chip, as_declared, chips
from webapp.presenting.battle_labels import aspect_word, seat_name, ship_name
from webapp.presenting.labels import translate
from webapp.presenting.ships import galley
from webapp.storage.errors import Refused, Stale
from webapp.storage.journal.records import Table
from webapp.storage.journal.writing import check_open
from webapp.storage.services.archive import keep_tape, layout_of

# -- What is over the photograph: each ship where she lies, or where she may lie, and what there is to say.

PART = "X-Part"  # the header by which a script asks for the part of the page that changes
MARGIN = 30  # mm of the picture beyond the table's edges
Spot = Annotated[float, Meta(ge=-LARGEST_TABLE, le=2 * LARGEST_TABLE)]


class Spotted(Input, frozen=True):
    """Where a base lies: its middle in mm from the table's north-west corner, its heading in degrees."""

    x: Spot
    y: Spot
    heading: Annotated[float, Meta(ge=-720, le=720)]


@dataclass(frozen=True)
class Piece:
    """A ship over the photograph: her drawing and her base; her place, and those that she may have ("x y heading")."""

    chip: Chip
    drawn: Markup
    base: tuple[float, float]
    place: Spotted | None
    either: tuple[Spotted, ...] = ()
    before: Spotted | None = None


@dataclass(frozen=True)
class Sheet:
    """What a reading shows: the table's size, its ships, sentences (each with its weight), whether it may count."""

    size: tuple[float, float]
    pieces: tuple[Piece, ...] = ()
    said: tuple[tuple[str, str], ...] = ()
    contacts: tuple[str, ...] = ()
    ranges: tuple[str, ...] = ()
    settled: str = ""
    lens: str = ""
    wants_taps: bool = False

    @property
    def ships(self) -> str:
        """The places as the form carries them."""
        placed = {each.chip.id: each.place for each in self.pieces if each.place}
        return json.dumps({name: [it.x, it.y, it.heading] for name, it in placed.items()})

    @property
    def symbols(self) -> Markup:
        """The hulls that the drawings use."""
        return galley.board_symbols(
            tuple({(each.chip.galley.kind, each.chip.galley.look, each.chip.shape) for each in self.pieces})
        )


def written(place: Spotted | None) -> str:
    """A place as the page writes it: x, y and heading."""
    return f"{place.x:g} {place.y:g} {place.heading:g}" if place else ""


def sheet(battle: Battle, layout: Layout, places: Mapping[str, Spotted], reading: Reading | None) -> Sheet:
    """What is over the photograph when the ships lie so; of the reading its doubts."""
    if not places and (reading is None or reading.why_not is not None):
        said = ((refusal(battle, reading.why_not), "refused"),) if reading and reading.why_not else ()
        return Sheet(layout.table, said=said, wants_taps=bool(reading and reading.wants_taps))
    doubted = reading.places if reading else {}
    names = on_table(battle, layout)
    pieces = [
        Piece(
            chip,
            drawing(battle, layout, chip),
            layout.ships[chip.id].base,
            places.get(chip.id),
            tuple(Spotted(each.x, each.y, each.heading) for each in doubted.get(chip.id, ())),
            on_board(battle, layout, chip.id),
        )
        for chip in chips(battle, names, ())
    ]
    proposal, doubts = propose(battle, layout, lies_of(battle, layout, places))
    told = [*(reading.warnings if reading else ()), *([reading.why_not] if reading and reading.why_not else ())]
    return Sheet(
        layout.table,
        tuple(pieces),
        tuple((said, "careful") for said in dict.fromkeys(refusal(battle, why) for why in (*told, *doubts.reasons))),
        tuple(contact_words(battle, each) for each in proposal.measured if each.aspects),
        () if battle.has_places else tuple(pair_words(battle, each) for each in nearest(proposal.measured)),
        settled_words(proposal.moved),
        encode(reading.lens).decode() if reading and reading.lens else "",
        bool(reading and reading.wants_taps),
    )


def on_table(battle: Battle, layout: Layout) -> list[str]:
    """The ships that a photograph can show: those that are still there and have tags."""
    return [name for name, it in battle.ships.items() if (it.is_afloat or it.is_prize) and name in layout.ships]


def drawing(battle: Battle, layout: Layout, chip: Chip) -> Markup:
    """A ship as the board draws her, about (0, 0), heading north, as long in mm as her hull or her base."""
    kind, ship = chip.galley.kind, battle.ships[chip.id]
    long = layout.ships[chip.id].base[0]
    if battle.has_places:
        long = battle.kind(ship).length * layout.base_length
    scale = long / galley.length(kind)
    return galley.on_board(chip.galley, 0, scale, scale)


def on_board(battle: Battle, layout: Layout, name: str) -> Spotted | None:
    """Where the measured sea has a ship, on the table; None where it has no places."""
    ship = battle.ships[name]
    if battle.board.kind != "open" or ship.at is None:
        return None
    at = [round(part * layout.base_length, 1) for part in ship.at]
    return Spotted(at[0], at[1], float(ship.facing or 0))


SAME, SAME_WAY = 4.0, 3.0  # mm and degrees within which a ship lies where the board has her


def lies_of(battle: Battle, layout: Layout, places: Mapping[str, Spotted]) -> dict[str, Lies]:
    """The places for the engine; a ship that lies where the board has her, as far as a camera can tell, lies there."""
    found = {}
    for name, it in places.items():
        was, at = (on_board(battle, layout, name), battle.ships[name].at) if name in battle.ships else (None, None)
        if was is not None and at is not None and is_same(it, was):
            x, y = (part * layout.base_length for part in at)
            found[name] = Lies(x, y, was.heading, 2, 0.0)
        else:
            found[name] = Lies(it.x, it.y, it.heading % 360, 2, 0.0)
    return found


def is_same(one: Spotted, other: Spotted) -> bool:
    """Are these one place, as far as a camera can tell?"""
    turned = abs((one.heading - other.heading + 180) % 360 - 180)
    return max(abs(one.x - other.x), abs(one.y - other.y)) <= SAME and turned <= SAME_WAY


# -- What a tape measures, in words.


def settled_words(moved: float) -> str:
    """By how much hulls were pushed apart or together, in mm, so that they touch or do not; empty where none was."""
    said = _(
        "Hulls nearer than %(near)s mm touch; the farthest was moved by %(moved)s mm.",
        near=f"{TOLERANCE:g}",
        moved=f"{moved:.1f}",
    )
    return said if moved >= 0.1 else ""


def nearest(measured: Sequence[Measured]) -> list[Measured]:
    """The pairs that do not touch, the nearest first."""
    return sorted((each for each in measured if not each.aspects), key=lambda it: it.ranges)


def contact_words(battle: Battle, it: Measured) -> str:
    """Two ships that touch, and how."""
    one, other = (ship_name(battle, name) for name in it.ships)
    how = aspect_word(as_declared(next(iter(it.aspects.values()))))
    return _("%(one)s and %(other)s touch: %(how)s", one=one, other=other, how=how)


def pair_words(battle: Battle, it: Measured) -> str:
    """Two ships and the range between them."""
    one, other = (ship_name(battle, name) for name in it.ships)
    return _("%(one)s – %(other)s: %(range)s", one=one, other=other, range=range_words(it))


# -- The page, its photograph, and the word that makes a reading count.


def at_table(game: str) -> tuple[Table, Battle, str]:
    """The battle as the seat that asks sees it. Aborts with 404 on hexes, and with 403 for who only watches."""
    seat, table = current_seat(game).id, store().load(game)
    battle: Battle = table.view(seat)
    if battle.has_hexes:
        abort(404)
    if seat == SPECTATOR:
        abort(403)
    return table, battle, seat


def page(game: str) -> ResponseReturnValue:
    """Where a photograph of the table is taken."""
    table, battle, seat = at_table(game)
    layout = layout_of(store(), game)
    return shown(table, battle, seat, layout, Sheet(layout.table) if layout else None)


@reckon_apart("table photographs")
def read_table(game: str) -> ResponseReturnValue:
    """What a photograph says, over what an earlier one said; or the same with one ship laid down."""
    table, battle, seat = at_table(game)
    layout = layout_of(store(), game)
    if layout is None:
        abort(404)
    reading: Reading | None = None
    places: dict[str, Spotted] = {}
    refused: tuple[tuple[str, str], ...] = ()
    try:
        places = places_of_form(layout)
        photo = request.files.get("photo")
        if photo is not None and photo.filename:
            taps = read_taps(request.form.get("corners", ""))
            reading = read_photo(photo.stream.read(LARGEST + 1), layout, taps)
            places = {name: Spotted(it.x, it.y, it.heading) for name, it in reading.ships.items()} | places
        elif not places:
            raise BadInput("photo", "this file is empty: choose a photograph")
    except BadInput as fault:
        refused = ((refusal(battle, fault.why), "refused"),)
    there = set(on_table(battle, layout))
    found = sheet(battle, layout, {name: it for name, it in places.items() if name in there}, reading)
    is_wrong = bool(refused) or (reading is not None and reading.why_not is not None)
    return shown(table, battle, seat, layout, found, refused), 422 if is_wrong else 200


def places_of_form(layout: Layout) -> dict[str, Spotted]:
    """The ships that the form has laid down, one of them by the button that was pressed. Raises BadInput."""
    raw = parse(request.form.get("ships", "{}").encode() or b"{}")
    if isinstance(raw, dict):
        raw = dict(raw)
        for said in request.form.getlist("put"):
            name, _space, place = said.partition(" ")
            raw[name] = place.split()
    fields = Spotted.__struct_fields__
    spread = {
        name: dict(zip(fields, map(number, place), strict=False)) if isinstance(place, list) else place
        for name, place in (raw.items() if isinstance(raw, dict) else ())
    }
    found: dict[str, Spotted] = read(spread if isinstance(raw, dict) else raw, dict[ShipName, Spotted], "ships")
    return {name: place for name, place in found.items() if name in layout.ships}


def number(said: Any) -> Any:
    """A number that a form wrote as a text; anything else as it is."""
    try:
        return float(said) if isfinite(float(said)) else said
    except (TypeError, ValueError):
        return said


PUSHED = 5.0  # mm by which no hull that lies free of others can have been read wrong
GONE_ON = because("The game has gone on since this photograph: look again, then confirm it once more.")


def confirm(game: str) -> ResponseReturnValue:
    """The reading counts: the others are asked about it, or it is the tape of this phase."""
    table, battle, seat = at_table(game)
    layout = layout_of(store(), game)
    if layout is None:
        abort(404)
    places: dict[str, Spotted] = {}
    try:
        places = places_of_form(layout)
        take(table, battle, seat, layout, places)
    except REFUSALS as fault:
        why = GONE_ON if isinstance(fault, Stale) else getattr(fault, "why", None) or Reason(str(fault))
        there = set(on_table(battle, layout))
        found = sheet(battle, layout, {name: it for name, it in places.items() if name in there}, None)
        return shown(table, battle, seat, layout, found, ((refusal(battle, why), "refused"),)), 422
    onward = url_for("game.page", game=game, seat=seat)
    return ("", 204, {"X-Next": onward}) if PART in request.headers else redirect(onward, 303)


def take(table: Table, battle: Battle, seat: str, layout: Layout, places: Mapping[str, Spotted]) -> None:
    """Propose the places on the measured sea, or keep what they measure.

    Raises BadInput for a place that cannot be or is missing, and what `Store.propose` raises.
    """
    proposal, doubts = propose(battle, layout, lies_of(battle, layout, places))
    wrong = (why for why in doubts.reasons if any(it in doubts.ask for it in why.values.values()))
    for why_not in wrong:
        raise BadInput("ships", why_not)
    for name, it in proposal.ships.items():
        if it.moved > PUSHED:
            raise BadInput("ships", "%(ship)s lies across another ship: drag her to where she lies", ship=name)
    if not battle.has_places:
        check_open(table.game)
        keep_tape(store(), table.game.id, Tape(battle.turn, battle.phase, proposal.measured))
        return
    missing = [name for name in on_table(battle, layout) if name not in places]
    if missing:
        raise BadInput("ships", "these ships have no place yet: %(ships)s", ships=tuple(missing))
    changes = {
        name: {"at": list(it.at), "facing": it.heading}
        for name, it in proposal.ships.items()
        if (it.at, it.heading) != (battle.ships[name].at, battle.ships[name].facing)
    }
    if not changes:
        raise Refused(because("Every ship lies where the board has her: there is nothing to change."))
    why = _("The table as it was photographed (%(seat)s)", seat=seat_name(battle, seat))
    command = {"type": "adjust", "ships": changes, "why": why}
    store().propose(table.game.id, whole(request.form.get("seen"), "seen"), seat, command)


def shown(
    table: Table,
    battle: Battle,
    seat: str,
    layout: Layout | None,
    found: Sheet | None,
    refused: tuple[tuple[str, str], ...] = (),
) -> str:
    """The page, or the part of it that a script asks for."""
    at = looking(table, seat, None, None)
    g.page_address = at.url("battle.reading", ship=None)
    return render_template(
        "battle/_reading.html" if PART in request.headers else "battle/reading.html",
        at=at,
        b=battle,
        title=translate(table.game.title),
        version=table.game.version,
        layout=layout,
        sheet=found,
        refused=refused,
        written=written,
        margin=MARGIN,
        is_installed=is_installed(),
        tag=min((tag.size for _name, tag in layout.tags.values()), default=0) if layout else 0,
        enough=ENOUGH,
    )
