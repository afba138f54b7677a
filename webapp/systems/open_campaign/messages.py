"""The events of the open campaign as sentences in the reader's language: data/events/open_campaign.toml."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from flask_babel import format_decimal, ngettext

from strategic.open_campaign.rules.money import talents
from tactical.kernel.record import BadInput
from tactical.kernel.vocabulary import kinds
from webapp.http.language import gettext as _
from webapp.presenting import event_words
from webapp.presenting.battle_labels import heading_word
from webapp.presenting.place_names import place_name
from webapp.presenting.sentences import Data, join_parts, sentences, weighing
from webapp.systems.open_campaign.dates import date_words


class Talents(float):
    """An amount that is not whole, which reads with the comma or the point of the reader's language."""

    def __str__(self) -> str:
        return format_decimal(float(self), "0.##")


def say(word: str, field: str, value: Any) -> Any:
    """A field's value in words: a date, a course, money in talents; a fleet, or a port, by its name."""
    if word == "money":
        return Talents(amount) if isinstance(amount := talents(value or 0), float) else amount
    if field == "date":
        return date_or_text(str(value or ""))
    if field == "course":
        return heading_word(str(value or ""))
    if field == "fleet":
        name = str(value or "")
        return place_name(name.replace("_", " ").title() if name.islower() else name)
    return event_words.say("open_campaign", word, field, value)


def date_or_text(date: str) -> str:
    """5 June 260 BC; what is not a date stays as it is."""
    try:
        return date_words(date)
    except BadInput:
        return date


def damage(it: Mapping[str, Any]) -> str:
    """What bad weather did to a fleet's ships; only what happened is named."""
    lost, hurt, scattered = (int(it.get(name) or 0) for name in ("lost", "hurt", "scattered"))
    parts = (
        lost and ngettext("%(num)d ship lost", "%(num)d ships lost", lost),
        hurt and ngettext("%(num)d ship damaged", "%(num)d ships damaged", hurt),
        scattered and ngettext("%(num)d ship scattered", "%(num)d ships scattered", scattered),
    )
    return join_parts(part for part in parts if part) or _("no damage")


def ships_lost(it: Data) -> str:
    """What a battle cost each side in ships, transports included."""
    losses = zip(it.get("sides") or (), it.get("losses") or (), strict=False)
    return ", ".join(f"{event_words.side('open_campaign', side)} {lost}" for side, lost in losses)


KINDS = kinds("open_campaign")
SENTENCES = sentences(KINDS, say, {"damage": damage, "lost": ships_lost})
LOUD = weighing(KINDS, "loud")
SOFT = weighing(KINDS, "soft")
