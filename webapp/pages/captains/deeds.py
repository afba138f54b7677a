"""A command in words, as a hint or an explanation shows it."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from flask_babel import gettext as _

from tactical.battle import Battle
from webapp.captains.sentences import Names
from webapp.pages.campaign.hand.offer_forms import in_words
from webapp.presenting.campaign_labels import command_title
from webapp.presenting.engagement_labels import way_word

APART = ("type", "side", "engagement")  # fields that say nothing to a reader
Writer = Callable[[dict[str, Any]], str]
TURNS: dict[str, Writer] = {
    "left": lambda it: _("%(ship)s: turn left and go on", **it),
    "right": lambda it: _("%(ship)s: turn right and go on", **it),
    "none": lambda it: _("%(ship)s: straight on", **it),
}
WRITERS: dict[str, Writer] = {
    "plot": lambda it: _("%(ship)s: speed %(speed)s", **it),
    "lock": lambda it: _("Lock the plots", **it),
    "fire": lambda it: _("%(ship)s: fire at %(target)s (%(count)s)", **it),
    "ram": lambda it: _("%(ship)s: ram", **it),
    "rake": lambda it: _("%(ship)s: break the oars", **it),
    "hold": lambda it: _("%(ship)s: hold", **it),
    "board": lambda it: _("%(ship)s: board %(target)s", **it),
    "done": lambda it: _("Nothing more in this step", **it),
    "finish": lambda it: _("%(ship)s: nothing more in this step", **it),
    "forgo": lambda it: _("Hold fire this turn", **it) if it["step"] == "fire" else _("Board no ship this turn", **it),
    "agree": lambda it: _("Agree to end the battle", **it),
    "keep": lambda it: _("Keep these dice", **it),
    "reroll": lambda it: _("Re-roll one die", **it),
    "evade": lambda it: _("Evade, and concede supremacy", **it),
}


def command_sentence(system: str, command: Mapping[str, Any], state: Any) -> str:
    """A command as a short sentence in the reader's language; `state` is what the reader sees."""
    kind = str(command.get("type", ""))
    if not isinstance(state, Battle):
        chosen = {name: value for name, value in command.items() if name not in APART}
        if "way" in chosen:
            chosen["way"] = way_word(chosen["way"])
        rest = in_words(system, chosen)
        title = command_title(system, kind)
        return f"{title}: {rest}" if rest else title
    names = Names(state)
    values = dict(command)
    for name in ("ship", "target"):
        if values.get(name):
            values[name] = names[values[name]]
    if kind == "step":
        return TURNS.get(str(command.get("turn") or ""), faces)(values)
    writer = WRITERS.get(kind)
    return writer(values) if writer else kind


def faces(it: dict[str, Any]) -> str:
    """G6.8 A ship that may face any way."""
    return _("%(ship)s: face %(facing)s and go on", ship=it["ship"], facing=it.get("facing", ""))
