"""A side's own hand: what no rule of its system moves, as fields to change, where the system says which they are.

What is written back is the command `by_hand` of the fields that were changed, with the note, if there is one.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

from werkzeug.datastructures import MultiDict

from tactical.kernel.protocol import Settable
from tactical.kernel.record import BadInput
from webapp.http.language import gettext as _
from webapp.pages.campaign.umpire import umpires_hand
from webapp.pages.campaign.umpire.umpires_hand import OF_SPACES, Field, Part, field_text
from webapp.presenting.campaign_labels import field_word, side_word
from webapp.presenting.map.layout import sheet
from webapp.presenting.naming import say_value
from webapp.presenting.umpires_words import position_word

FIRST = "first"  # who of the leaders of a list commands: a field of the form alone


def waits_for(state: Any) -> str:
    """Whose word is wanted for what is not the side's own affair; empty where it counts at once."""
    known = {
        "one": _(
            "One other player or the umpire must agree to any change outside your own action, "
            "and to every change of victory points."
        ),
        "all": _(
            "Either all other players or the umpire must agree to any change outside your own action, "
            "and to every change of victory points."
        ),
        "umpire": _(
            "The umpire must agree to any change outside your own action, and to every change of victory points."
        ),
    }
    return known.get(getattr(state.options, "by_hand", ""), "")


@dataclass(frozen=True)
class Hand(umpires_hand.Hand):
    """The form by which a side changes a game: two spaces at a time, so that pieces can go from one to the other."""

    def targets(self) -> dict[str, dict[str, str]]:
        """The game, and every space by its name."""
        system = self.table.game.system
        spaces = {f"space.{id}": say_value(system, id) for id in sheet(system).spots}
        by_name = dict(sorted(spaces.items(), key=lambda known: known[1]))
        return {_("The game"): {"game": _("Alliances, points and so on")}, field_word(system, "spaces"): by_name}

    def parts(self, of: str, beside: str) -> tuple[Part, ...]:
        """The fields of the game, or of one space or two. Raises BadInput."""
        system, spots = self.table.game.system, sheet(self.table.game.system).spots
        if of != "game" and of.removeprefix("space.") not in spots:
            raise BadInput("of", _("there is nothing of that name to change"))
        fields: dict[str, list[Field]] = {each.removeprefix("space."): [] for each in (of, beside) if each}
        assert self.table.system.settable is not None
        for each in self.table.system.settable(self.table.state, self.seat):
            head, *names = each.path.split(".")
            place = names[0] if head in OF_SPACES else "game"
            if place in fields:
                fields[place] += self.fields(each)
        titles = {place: _("The game") if place == "game" else say_value(system, place) for place in fields}
        return tuple(Part(titles[place], tuple(those)) for place, those in fields.items() if those)

    def fields(self, of: Settable) -> Iterator[Field]:
        """The field, and of several leaders who commands."""
        now, label = of.now, self.label(of.path)
        if of.several:
            names = dict.fromkeys((*now, *of.values))  # in the order in which they stand, the others after them
            choices = tuple((name, self.called(name)) for name in names)
            yield Field(of.path, label, ", ".join(now), "many", choices)
            if len(now) > 1:
                label = _("%(field)s: who commands", field=label)
                yield Field(f"{of.path}.{FIRST}", label, now[0], "choice", choices[: len(now)])
        elif isinstance(of.values[-1], int) and not isinstance(of.values[-1], bool):
            yield Field(of.path, label, field_text(now), "number")
        else:
            yield Field(
                of.path, label, field_text(now), "choice", tuple((field_text(v), self.called(v)) for v in of.values)
            )

    def label(self, path: str) -> str:
        """What a field is called: whose it is, and what it is; its space stands in the title."""
        head, *names = path.split(".")
        words = names[1:] if head == "forces" else [head] if head in OF_SPACES else [head, *names]
        return ", ".join(self.called(word) for word in words)

    def called(self, word: Any) -> str:
        """A name in a path, or a value."""
        text = str(word)
        own = position_word(self.table.game.system, text) or side_word(text) if isinstance(word, str) else ""
        return own or say_value(self.table.game.system, word)

    def command(self, shown: tuple[Part, ...], form: MultiDict[str, str]) -> dict[str, Any]:
        """The command `by_hand`. Raises BadInput."""
        put = umpires_hand.changes(self.table, shown, form)
        fields = {field.path: field for part in shown for field in part.fields}
        for path in [path for path in put if path.endswith(f".{FIRST}")]:
            first, of = put.pop(path), path.removesuffix(f".{FIRST}")
            rest = put.get(of, fields[of].value.split(", "))
            put[of] = [first, *(name for name in rest if name != first)]
        note = form.get("why", "").strip()
        if not put and not note:
            raise BadInput("", _("nothing was changed"))
        return {"type": "by_hand", "changes": put} | ({"note": note, "side": self.seat} if note else {})
