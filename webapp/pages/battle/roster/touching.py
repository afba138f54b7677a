"""The players' own table: whom a ship's base touches, and how, as pictures that are tapped (G1.5)."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import msgspec
from markupsafe import Markup

from tactical.battle import Battle
from tactical.kernel.protocol import Offer
from tactical.rules import contacts, ramming
from webapp.http.language import gettext as _
from webapp.pages.battle.board.looking import Looking
from webapp.pages.battle.orders import odds_hint
from webapp.pages.battle.orders.order_records import command_json
from webapp.pages.battle.roster.strip import Chip, chips
from webapp.presenting.battle_labels import aspect_word, coming_word
from webapp.presenting.ships.meeting import meeting


@dataclass(frozen=True)
class Way:
    """One way in which two bases touch: its picture, its word, what it may bring, and the command that says so."""

    aspect: str
    word: str
    hint: str
    picture: Markup
    command: str


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


def touching(battle: Battle, offers: Sequence[Offer], look: Looking) -> Touching | None:
    """G1.5 What the selected ship may touch; None where she may touch nobody."""
    offer = next((each for each in offers if each.type == "contact" and each.fields["ship"] == look.ship), None)
    if offer is None or look.ship is None:
        return None
    names = offer.fields["target"]
    ids = [names] if isinstance(names, str) else list(names)
    ids.sort(key=lambda foe: likely(battle, look.ship or "", foe))
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
        )
        for aspect in ("side", "bow_to_bow", "parallel")
        if aspect in offer.fields["aspect"]
    )
    turns = tuple((turn, coming_word(turn)) for turn in offer.fields.get("turn", ()))
    return Touching(look.ship, foes, chosen, ways, turns)


def likely(battle: Battle, ship: str, foe: str) -> int:
    """The order of the enemies: first those whose bases touch hers already."""
    near = battle.ships[foe].contact == ship or foe in battle.ships[ship].touching
    return 0 if near else 1


def prospect(battle: Battle, name: str, foe: str, aspect: str) -> str:
    """G6.1, G6.2, G7.1 What such a contact may bring in the ram step, in a few words."""
    ship, target = battle.ships[name], battle.ships[foe]
    met = battle.with_ship(name, msgspec.structs.replace(ship, contact=foe, aspect=aspect, touching=(foe,)))
    if aspect == "parallel":
        return _("breaks her oars") if contacts.may_rake(met, name) else _("her oars hold")
    kind = battle.kind(ship)
    if kind.ram is None:
        return _("she has no ram")
    if aspect == "bow_to_bow" and contacts.can_ram(battle, target):
        rams, rammed, _both = odds_hint.percents(odds_hint.head_on(ship.crew, target.crew))
        return _("rams %(rams)s, is rammed %(rammed)s", rams=rams, rammed=rammed)
    left = battle.kind(target).hull - target.damage
    damage, sunk = odds_hint.ram_damage(kind.ram, ramming.has_full_speed(kind, met.ships[name]), left)
    span = f"{min(damage)}–{max(damage)}"
    return _("%(span)s hull, sinks %(chance)s", span=span, chance=odds_hint.percent(sunk))
