"""What the page of a drawn campaign shows beside its map: the fields of what was tapped, in groups, as steppers."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from werkzeug.datastructures import MultiDict

from tactical.kernel.record import BadInput
from webapp.http.language import gettext as _
from webapp.pages.campaign.umpire.umpires_hand import LISTS_OF_LEADERS, Field, Part, Subject, parts, targets
from webapp.pages.wars import draft as drafts
from webapp.pages.wars.draft import Draft
from webapp.presenting.campaign_labels import field_word, side_word
from webapp.presenting.labels import translate
from webapp.presenting.map.layout import sheet
from webapp.presenting.naming import names, records, say_value
from webapp.presenting.umpires_words import position_word

OF_A_TURN = frozenset(
    (  # what a turn leaves behind, and what a counter says by itself
        "served_land",
        "served_naval",
        "spent",
        "finished",
        "side",
        "value",
        "built_by",
        "begun",
        "resigned",
        "named",
        "at_sea",
        "last_control",
        "recruited",
        "bids",
        "holders",
    )
)
REGIONS = "regions"


@dataclass(frozen=True)
class Box:
    """Fields that stand together under one title; `open` where there is something in them to see."""

    title: str
    fields: tuple[Field, ...]
    open: bool
    key: str = ""


def parts_to_change(draft: Draft, of: Subject) -> tuple[Part, ...]:
    """The parts of what is to be changed. Raises BadInput."""
    if draft.of == REGIONS:
        return (Part(_("Regions"), tuple(regions(draft, of))),)
    found = (Part(part.title, tuple(fields_that_are_set(draft, part.fields))) for part in parts(of, draft.of))
    return tuple(part for part in found if part.fields)


def fields_that_are_set(draft: Draft, fields: Iterable[Field]) -> Iterator[Field]:
    """The fields that a set-up has; of a game under way also what its turn has left behind."""
    without = frozenset[str]() if draft.game else OF_A_TURN
    for field in fields:
        words = field.path.split(".")
        if not without & set(words) and words[-1] not in LISTS_OF_LEADERS[:2]:
            yield field


def regions(draft: Draft, of: Subject) -> Iterator[Field]:
    """14.11 Whose each region is, where regions stand by a side."""
    held: Mapping[str, str] = draft.position.get("alignment") or {}
    values = dict.fromkeys((*of.sides, "neutral", *held.values()))
    choices = tuple((value, position_word(draft.system, value) or side_word(value) or value) for value in values)
    for region, value in held.items():
        yield Field(f"alignment.{region}", translate(region), value, "choice", choices)


def boxes(draft: Draft, part: Part, of: Subject) -> tuple[Box, ...]:
    """A part's fields, those of each side or ship in a box of their own."""
    found: dict[str, list[Field]] = {}
    for field in part.fields:
        found.setdefault(apart(draft, field, of), []).append(field)
    made = (
        Box(
            part_title(draft.system, key, fields, of) if key else part.title,
            tuple(short(field, bool(key)) for field in fields),
            not key or any(field.value not in ("", "0", "false", "none") for field in fields),
            key,
        )
        for key, fields in found.items()
    )
    return tuple(sorted(made, key=lambda box: 1 if not box.key else 0 if box.open else 2))


def apart(draft: Draft, field: Field, of: Subject) -> str:
    """What a field belongs to within its part: a side, the walls, a ship; empty for the space itself."""
    family, *words = field.path.split(".")
    if family == "ships" and len(words) > 2:
        return ".".join((family, *words[:2]))
    if draft.space and len(words) > 2 and words[0] == draft.space:
        return words[1]
    return ""


def part_title(system: str, key: str, fields: list[Field], of: Subject) -> str:
    """What such a box is called: a ship by her name, else the side."""
    if key.startswith("ships."):
        _family, side, number = key.split(".")
        return str(of.state["ships"][side][int(number)].get("name") or number)
    return position_word(system, key) or side_word(key) or say_value(system, key)


def short(field: Field, is_apart: bool) -> Field:
    """A field in a box of its own without what its title says."""
    label = field.label.rpartition(", ")[2] if is_apart else field.label
    return Field(field.path, label[:1].upper() + label[1:], field.value, field.kind, field.choices)


def lists(draft: Draft, of: Subject) -> dict[str, dict[str, str]]:
    """All that can be chosen by list, for keyboard and screen reader: the game, sides, regions, leaders, spaces."""
    found = targets(of)
    if draft.position.get("alignment"):
        found[_("The game")][REGIONS] = _("Regions")
    spots = sheet(draft.system).spots.values()
    named = {
        f"space.{spot.id}": say_value(draft.system, spot.id) for spot in spots if spot.name or spot.id == draft.space
    }
    found[field_word(draft.system, "spaces")] = dict(sorted(named.items(), key=lambda known: known[1]))
    return {title: those for title, those in found.items() if those}


def leaders(draft: Draft) -> tuple[tuple[str, str], ...]:
    """The leaders who can be brought to the space that is shown: all who are not there."""
    here = {leader.id for stack in drafts.picture(draft).at(draft.space) for leader in stack.leaders}
    known = [leader for family in drafts.OF_LEADERS for leader in draft.position.get(family) or ()]
    if "forces" in draft.position:
        known = [record["id"] for record in records(draft.system, "leaders")]
    return tuple(sorted(((id, say_value(draft.system, id)) for id in known if id not in here), key=lambda one: one[1]))


def fill_draft(draft: Draft, form: MultiDict[str, str]) -> Draft:
    """The draft with what was typed or chosen in the fields that are shown. Raises BadInput."""
    if form.get("shown") != draft.of:
        return draft
    for part in parts_to_change(draft, drafts.subject(draft)):
        for field in part.fields:
            told = form.getlist(f"f.{field.path}")
            text = ", ".join(told) if field.kind == "many" else next(iter(told), None)
            if text is not None and text.strip() != field.value and (told or f"m.{field.path}" in form):
                draft = drafts.set_field(draft, field.path, field.read(text))
    return draft


def step_number(draft: Draft, path: str, by: int) -> Draft:
    """One more or less of a number that is shown. Raises BadInput."""
    for part in parts_to_change(draft, drafts.subject(draft)):
        for field in part.fields:
            if field.path == path and field.kind == "number":
                return drafts.set_field(draft, path, int(field.value or 0) + by)
    raise BadInput(path, _("there is nothing of that name to change"))


def said_of(system: str, path: str) -> str:
    """A field of the position in words, for a refusal: what it belongs to, then what it is."""
    words = [word for word in path.removeprefix("position.").split(".") if word and word not in FAMILIES]
    known = names(system)
    parts = [
        position_word(system, word)
        or (say_value(system, word) if word in known else "")
        or side_word(word)
        or say_value(system, word)
        for word in words
    ]
    return ", ".join(part[:1].upper() + part[1:] for part in parts if part)


FAMILIES = ("position", "spaces", "generals", "leaders", "stacks", "forces", "changes")


def ship_counts(draft: Draft) -> dict[str, Any]:
    """The fleets of a side that are lists of ships, and how many each has."""
    ships = draft.position.get("ships")
    return {side: len(fleet) for side, fleet in ships.items()} if isinstance(ships, Mapping) else {}
