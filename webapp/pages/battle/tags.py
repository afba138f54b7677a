"""Tags for the models of a battle: their sizes asked once, the sheet to print, the layout kept with the battle."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass

from flask import Response, redirect, render_template, request, url_for
from flask.typing import ResponseReturnValue
from markupsafe import Markup
from werkzeug.datastructures import MultiDict

from tactical.battle import Battle
from tactical.kernel.protocol import SPECTATOR, UMPIRE
from tactical.kernel.record import BadInput, because, encode, plain
from tactical.tabletop import LARGEST_TABLE, SMALLEST_TABLE, THICKEST, Layout, hulls_of_bases
from webapp.camera.reading import ENOUGH
from webapp.camera.sheet import (
    PAPERS,
    RULERS,
    TAGS,
    Mark,
    Wanted,
    as_measured,
    as_pdf,
    as_printed,
    as_svg,
    box,
    draw_strip,
    draw_tag,
    draw_up,
    fleet_of,
    pages,
    ruler_of,
    tag_pixels,
)
from webapp.http.forms import reason_text
from webapp.http.language import gettext as _
from webapp.http.seats import REFUSALS, current_seat, store
from webapp.pages.battle.looking import Looking, looking
from webapp.pages.lobby import BASES, decimal
from webapp.presenting.battle_labels import ship_name
from webapp.presenting.labels import translate, type_word
from webapp.presenting.refusals import flash_of
from webapp.storage.errors import Barred, Unknown
from webapp.storage.journal.records import Table
from webapp.storage.services.archive import keep_layout, layout_of

# -- The sizes: what the page asks for, in millimetres; at first what is kept with the battle, else what is usual.

TABLE, BASE = (1800.0, 1200.0), (80.0, 25.0)


@dataclass(frozen=True)
class Sizes:
    """The table, the bases by ship type (length, width) and thickness, a base length of the rules, tags, the print."""

    table: tuple[float, float]
    bases: Mapping[str, tuple[float, float]]
    base_length: float
    height: float = 3.0
    tag: float = 16.0
    middles: bool = False
    ruler: float = 100.0

    def values(self) -> dict[str, str]:
        """The sizes as the form's fields have them."""
        found = {"width": self.table[0], "depth": self.table[1], "base_length": self.base_length}
        found |= {"height": self.height, "tag": self.tag, "ruler": self.ruler}
        for name, (length, width) in self.bases.items():
            found |= {f"length.{name}": length, f"beam.{name}": width}
        return {name: f"{value:g}" for name, value in found.items()} | ({"middles": "yes"} if self.middles else {})

    def layout(self, battle: Battle) -> Layout:
        """Where every tag will sit on the print that these sizes describe. Raises BadInput for what does not fit."""
        ships = fleet_of(battle)
        bases = {name: self.bases[ship.type] for name, ship in battle.ships.items()}
        wanted = Wanted(self.table, BASE, self.tag, ships, self.height, self.middles, bases, self.base_length)
        return as_measured(draw_up(wanted), self.ruler)


def sizes_of(battle: Battle, kept: Layout | None) -> Sizes:
    """The sizes that are kept; before that a usual table, for the measured sea one that is as large as its board."""
    kinds = dict.fromkeys(ship.type for ship in battle.ships.values())
    if kept is None:
        sea = battle.board.kind == "open"
        table = (battle.board.size[0] * BASE[0], battle.board.size[1] * BASE[0]) if sea else TABLE
        return Sizes((min(table[0], LARGEST_TABLE), min(table[1], LARGEST_TABLE)), dict.fromkeys(kinds, BASE), BASE[0])
    known = {battle.ships[name].type: model.base for name, model in kept.ships.items() if name in battle.ships}
    scale, model = ruler_of(kept) / 100, next(iter(kept.ships.values()))
    return Sizes(
        kept.table,
        {name: known.get(name, BASE) for name in kinds},
        kept.base_length,
        model.height,
        round(model.tags[0].size / scale, 2),
        len(kept.corners) > 4,
        round(100 * scale, 2),
    )


def read_sizes(form: Mapping[str, str], before: Sizes) -> Sizes:
    """The sizes that a form says; an empty field stays as it was. Raises BadInput by the field."""
    spans = (SMALLEST_TABLE, LARGEST_TABLE)
    return Sizes(
        (decimal(form, "width", spans, before.table[0]), decimal(form, "depth", spans, before.table[1])),
        {
            name: (decimal(form, f"length.{name}", BASES, base[0]), decimal(form, f"beam.{name}", BASES, base[1]))
            for name, base in before.bases.items()
        },
        decimal(form, "base_length", BASES, before.base_length),
        decimal(form, "height", (0, THICKEST), before.height),
        decimal(form, "tag", TAGS, before.tag),
        form.get("middles") == "yes",
        decimal(form, "ruler", RULERS, before.ruler),
    )


def field_word(field: str) -> str:
    """A field of the form as the page calls it."""
    size, _dot, kind = field.partition(".")
    known = {
        "width": _("The table from west to east"),
        "depth": _("The table from north to south"),
        "table": _("The table"),
        "length": _("Length of the base"),
        "beam": _("Width of the base"),
        "base": _("The bases"),
        "base_length": _("A base length of the rules"),
        "height": _("Thickness of the bases"),
        "tag": _("Side of a tag"),
        "ruler": _("What the rulers of 100 mm measure"),
        "ships": _("The ships"),
    }
    return ", ".join((known[size], type_word(kind)) if kind else (known[size],)) if size in known else ""


# -- What the page shows of them before anything is printed: pictures, and how large a tag will be for which phone.

PHONES, TILTS = (3, 12, 48), (0, 25, 45)  # megapixels; degrees from straight down


@dataclass(frozen=True)
class Seen:
    """How many pixels wide a tag is in the middle of the table and at its far edge, and in a word if that is enough."""

    middle: int
    far: int
    word: str
    is_enough: bool


def seen(sizes: Sizes, megapixels: int, tilt: int) -> Seen:
    """A ship's tag in a photograph that the table fills."""
    middle, far = tag_pixels(sizes.table, sizes.tag * sizes.ruler / 100, megapixels, tilt)
    if round(far) >= ENOUGH:
        return Seen(round(middle), round(far), _("enough"), True)
    word = _("not at the far edge") if round(middle) >= ENOUGH else _("too few")
    return Seen(round(middle), round(far), word, False)


def strip_picture(layout: Layout) -> Markup:
    """One ship's strip in its true size: that of the longest base."""
    name = max(layout.ships, key=lambda each: layout.ships[each].base)
    length, width = layout.ships[name].base
    return Markup(as_svg(draw_strip(layout, name, 2, 2), (width + 4, length + 4), reason_text))


def table_picture(layout: Layout) -> Markup:
    """The table to scale with its corner tags, and the fleet's bases in rows in its middle."""
    return Markup(as_svg(marks_of_table(layout), layout.table, reason_text))


def marks_of_table(layout: Layout) -> Iterator[Mark]:
    """The marks of that picture."""
    width, height = layout.table
    yield box(0, 0, width, height, 0.88)
    for id, (x, y, size) in layout.corners.items():
        yield box(x - size * 0.67, y - size * 0.67, size * 1.34, size * 1.34, 1.0)
        yield from draw_tag(layout.dictionary, id, x, y, size)
    longest, widest = (max(model.base[part] for model in layout.ships.values()) for part in (0, 1))
    across = max(1, int((width - 200) // (widest * 2)))
    rows = -(-len(layout.ships) // across)
    across = -(-len(layout.ships) // rows)
    for number, model in enumerate(layout.ships.values()):
        x = width / 2 + (number % across - (across - 1) / 2) * widest * 2
        y = height / 2 + (number // across - (rows - 1) / 2) * longest * 1.25
        length, beam = model.base
        yield box(x - beam / 2, y - length / 2, beam, length, 1.0)
        for tag in model.tags:
            yield box(x + tag.across - tag.size / 2, y - tag.along - tag.size / 2, tag.size, tag.size, 0.1)
    yield Mark("text", ((width / 2, height * 0.06),), 0.2, height * 0.05, because("N"))


# -- The page, the sheet, and what is kept.


def opened(game: str) -> tuple[Looking, Table, Battle]:
    """The battle with who looks at it. Raises Unknown for a board of hexes, Barred for a spectator."""
    seat, table = current_seat(game).id, store().load(game)
    battle: Battle = table.view(seat)
    if battle.has_hexes:
        raise Unknown(_("Tags are for the measured sea and for the players' own table."))
    if seat == SPECTATOR:
        raise Barred("Only the umpire and the sides can print the tags of their table.")
    return looking(table, seat, None, None), table, battle


def page(game: str) -> str:
    """The sizes that are kept or asked for, what they mean, and the sheet once it is kept."""
    return draw(game, request.args if "width" in request.args else None)


def draw(game: str, asked: MultiDict[str, str] | None, fault: Exception | None = None) -> str:
    """The page with what was typed, and with a refusal."""
    at, table, battle = opened(game)
    kept = layout_of(store(), game)
    before = sizes_of(battle, kept)
    sizes, printed, sheets = before, None, 0
    try:
        sizes = before if asked is None else read_sizes(asked, before)
        printed = as_printed(sizes.layout(battle))
        sheets = len(pages(printed, PAPERS[paper()]))
    except BadInput as wrong:
        printed, fault = None, fault or wrong
    return render_template(
        "battle/tags.html",
        at=at,
        b=battle,
        title=translate(table.game.title),
        values={**before.values(), "middles": "", **asked.to_dict()} if asked else sizes.values(),
        kinds=list(before.bases),
        paper=paper(),
        problem=complaint(fault) if fault else "",
        sizes=sizes,
        sheets=sheets,
        is_kept=kept is not None and fault is None and sizes == before,
        has_layout=kept is not None,
        strip=strip_picture(printed) if printed else None,
        picture=table_picture(printed) if printed else None,
        phones=[(phone, [seen(sizes, phone, tilt) for tilt in TILTS]) for phone in PHONES] if printed else [],
        tilts=TILTS,
        enough=int(ENOUGH),
        anew=[ship_name(battle, name) for name in printed_anew(kept, printed)],
        sea=(round(battle.board.size[0] * sizes.base_length), round(battle.board.size[1] * sizes.base_length))
        if battle.board.kind == "open"
        else None,
        hulls=battle.board.kind == "open"
        and hulls_of_bases(battle.types, sizes.bases, sizes.base_length) != battle.types,
    )


def complaint(fault: Exception) -> str:
    """A refusal in a sentence, with the field that it is about."""
    if isinstance(fault, BadInput) and (field := field_word(fault.path)):
        return _("%(field)s: %(reason)s.", field=field, reason=reason_text(fault.why))
    return flash_of(fault, "galley").text


def paper() -> str:
    """The paper that is asked for."""
    return "letter" if request.values.get("paper") == "letter" else "a4"


def printed_anew(kept: Layout | None, printed: Layout | None) -> list[str]:
    """The ships whose tags were printed before and would be others now, or would sit elsewhere."""
    if kept is None or printed is None:
        return []
    before = as_printed(kept).ships
    return [
        name
        for name, model in printed.ships.items()
        if name in before
        and any(
            tag.id != other.id or abs(tag.along - other.along) + abs(tag.size - other.size) > 0.1
            for tag, other in zip(model.tags, before[name].tags, strict=False)
        )
    ]


def change(game: str) -> ResponseReturnValue:
    """Keep the layout of these sizes with the battle; or make the hulls on the measured sea as large as the bases."""
    at, table, battle = opened(game)
    before = sizes_of(battle, layout_of(store(), game))
    try:
        if request.form.get("do") == "hulls":
            make_hulls(game, table, at.seat, before)
        else:
            layout = read_sizes(request.form, before).layout(battle)
            pages(as_printed(layout), PAPERS[paper()])
            keep_layout(store(), game, layout)
    except REFUSALS as fault:
        return draw(game, request.form if "width" in request.form else None, fault), flash_of(fault).status
    return redirect(url_for("battle.tags", game=game, seat=at.seat, paper=paper()), 303)


def make_hulls(game: str, table: Table, seat: str, sizes: Sizes) -> None:
    """G2.0 The umpire gives the battle ship types of the bases' sizes. Raises Barred, BadInput, Illegal, Stale."""
    if seat != UMPIRE:
        raise Barred("Only the umpire can change the hulls of a battle.")
    battle: Battle = table.state
    types = hulls_of_bases(battle.types, sizes.bases, sizes.base_length)
    changes = {f"types.{name}": plain(kind) for name, kind in types.items() if battle.types.get(name) != kind}
    if changes:
        command = {"type": "adjust", "changes": changes, "why": _("the bases of the models")}
        store().submit(game, table.game.version, seat, command)


def file(game: str, kind: str) -> Response:
    """The sheet that is kept, as a PDF or a page of it as an SVG; or its layout as JSON. Raises Unknown."""
    opened(game)
    kept = layout_of(store(), game)
    if kept is None:
        raise Unknown(_("No sheet is kept for this battle yet."))
    name = {"Content-Disposition": f'attachment; filename="navarch-{game}-tags.{kind}"'}
    if kind == "json":
        return Response(encode(kept), mimetype="application/json", headers=name)
    size = PAPERS[paper()]
    sheets = pages(as_printed(kept), size)
    if kind == "pdf":
        return Response(as_pdf(sheets, size, reason_text), mimetype="application/pdf", headers=name)
    number = request.args.get("page", 1, int)
    if kind != "svg" or not 1 <= number <= len(sheets):
        raise Unknown(_("The sheet has no such page."))
    return Response(as_svg(sheets[number - 1], size, reason_text), mimetype="image/svg+xml")
