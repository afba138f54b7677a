"""L1.2 The campaign's side of the link: two fleets that have met, how each side would settle it, and what waits."""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any

from flask_babel import ngettext

from strategic.naval.engagement import WAYS, Engagement, Fleet
from tactical.kernel.protocol import SPECTATOR, UMPIRE, Offer
from webapp.api.serializers import offers_of
from webapp.http.language import gettext as _
from webapp.pages.campaign.engagement import outcomes
from webapp.pages.campaign.engagement.review import Review, review
from webapp.presenting.engagement_labels import abandon_word, consent_word, level_word, way_word
from webapp.presenting.engagement_meetings import (
    Fought,
    battle_of,
    engagement_in,
    link_of,
    place_name,
    quick_dice_lines,
    side_name,
    unit_names,
)
from webapp.presenting.labels import translate
from webapp.storage.journal.records import Table
from webapp.storage.journal.store import Store

OWN = frozenset(("choose_way", "open_battle", "report", "assent", "settle"))  # offers that this panel gives


@dataclass(frozen=True)
class FleetShown:
    """A fleet as it has met the other."""

    id: str
    name: str
    commander: str
    ships: tuple[str, ...]
    warships: str
    transports: str
    notes: tuple[str, ...]
    chosen: str


@dataclass(frozen=True)
class Button:
    """A command that this seat may give."""

    text: str
    command: str
    main: bool = False
    alone: bool = False  # it settles the meeting for both at once, so it is asked twice


@dataclass(frozen=True)
class Choices:
    """The ways that a side may still choose; the umpire has both sides' before him."""

    side: str
    name: str
    buttons: tuple[Button, ...]


@dataclass(frozen=True)
class MeetingShown:
    """The panel."""

    engagement: str
    place: str
    rule: str
    mover: str
    supremacy: str
    fleets: tuple[FleetShown, ...]
    own_only: bool
    consent: str
    asked: tuple[str, ...]
    to_open: str
    way: str
    choices: tuple[Choices, ...]
    models: tuple[int, int] | None
    battle: Fought | None
    left: tuple[str, ...]
    review: Review | None
    proposed: outcomes.OutcomeShown | None
    assented: str
    assents: tuple[Button, ...]
    may_report: bool
    may_enter: bool
    may_abandon: bool
    to_report: bool
    others: tuple[tuple[str, str], ...] = ()
    at_once: tuple[str, ...] = ()
    hides: frozenset[str] = OWN


def meeting_for(store: Store, table: Table, seat: str, view: dict[str, Any], name: str = "") -> MeetingShown | None:
    """The panel for a seat, of the meeting in front or of the one of this name; None while no engagement waits, or
    where it is hidden from the seat."""
    engagement = engagement_in(view, name)
    if engagement is None or view.get("naval"):
        return None
    game = table.game
    offers = [] if game.waiting else [each for each in offers_of(store, table, seat) if each.type in OWN]
    offers = [each for each in offers if each.fields.get("engagement") == engagement.id]
    link = link_of(store, game.id, engagement.id) if engagement.opened else None
    battle = battle_of(store, link, engagement) if link is not None else None
    names = unit_names(engagement)
    free = not engagement.opened and not engagement.own_table_only() and not game.waiting
    by_hand = free and "report" in kinds(table)
    return MeetingShown(
        engagement=engagement.id,
        place=place_name(game.system, engagement.place),
        rule=engagement.rule,
        mover=side_name(engagement.mover),
        supremacy=side_name(engagement.supremacy) if engagement.supremacy else "",
        fleets=tuple(fleet_of(side, engagement, names) for side in engagement.sides),
        own_only=engagement.own_table_only(),
        consent=consent_word(engagement),
        asked=engagement.asked(),
        to_open=_("Both want a battle in this program")
        if engagement.deciding in ("", "both")
        else _("It is fought in this program"),
        way=way_word(engagement.way) if engagement.way else "",
        choices=apart(
            [choices(engagement, side, offers) for side in (*engagement.sides, UMPIRE) if _ways(offers, side)]
        ),
        models=models(offers),
        battle=battle,
        left=tuple(
            _("%(side)s %(left)s of %(sent)s", side=side_name(side), left=left, sent=sent)
            for side, left, sent in (battle.left if battle else ())
        ),
        review=review(store, link.battle, seat) if battle is not None and battle.over and link is not None else None,
        proposed=outcomes.outcome_words(engagement, engagement.proposed, names) if engagement.proposed else None,
        assented=", ".join(side_name(side) for side in engagement.assents),
        assents=tuple(
            Button(_("Agree for %(side)s", side=side_name(str(each.fields["side"]))), command_json(each), True)
            for each in offers
            if each.type == "assent"
        ),
        may_report=by_hand and seat in engagement.fleets and engagement.way != "battle",
        may_enter=by_hand and seat == UMPIRE,
        may_abandon=battle is not None
        and battle.abandoned
        and seat != SPECTATOR
        and not game.waiting
        and (seat == UMPIRE or seat in engagement.fleets),
        to_report=by_hand and engagement.way == "report" and seat in engagement.fleets,
        others=tuple(
            (id, place_name(game.system, each["place"]))
            for id, each in (view.get("engagements") or {}).items()
            if id != engagement.id
        ),
        at_once=quick_dice_lines((view.get("instant") or {}).get(engagement.id)),
    )


def kinds(table: Table) -> frozenset[str]:
    """The kinds of command that the system takes."""
    members = getattr(table.system.command, "__args__", (table.system.command,))
    return frozenset(str(each.__struct_config__.tag) for each in members)


def fleet_of(side: str, engagement: Engagement, names: dict[str, str]) -> FleetShown:
    """L1.1 One side: its ships by name with the damage that they bring, its transports, its commander."""
    fleet = engagement.fleets[side]
    ships = []
    for unit in fleet.units:
        if not unit.name:  # the points of some systems are like coins (L2.4): they are counted
            continue
        name = names[unit.id]
        ships.append(_("%(ship)s (hull −%(damage)s)", ship=name, damage=unit.damage) if unit.damage else name)
    notes = []
    if fleet.corvus:
        notes.append(_("corvus"))
    if fleet.seamanship:
        notes.append(_("seamanship: %(level)s", level=level_word(fleet.seamanship)))
    if engagement.supremacy == side:
        notes.append(_("naval supremacy"))
    if side == engagement.mover:
        notes.append(_("was on the move"))
    return FleetShown(
        id=side,
        name=side_name(side),
        commander=commander(fleet),
        ships=tuple(ships),
        warships=warships(len(fleet.units)),
        transports=transports(len(fleet.transports)),
        notes=tuple(notes),
        chosen=way_word(engagement.chosen[side]) if side in engagement.chosen else "",
    )


def warships(count: int) -> str:
    """L1.2.a So many warships, or none."""
    return ngettext("%(num)d warship", "%(num)d warships", count) if count else _("no warship")


def transports(count: int) -> str:
    """L2.3 So many transports; nothing when there are none."""
    return ngettext("%(num)d transport", "%(num)d transports", count) if count else ""


def commander(fleet: Fleet) -> str:
    """The commander with his rating."""
    if not fleet.commander_name:
        return ""
    return _("%(name)s, rating %(rating)s", name=translate(fleet.commander_name), rating=fleet.rating)


def choices(engagement: Engagement, side: str, offers: list[Offer]) -> Choices:
    """L1.2 The ways a side may choose, as buttons."""
    buttons = []
    for way in sorted(WAYS, key=lambda way: way != "battle"):  # the table first
        for offer in _ways(offers, side):
            offered = offer.fields["way"]
            if way == offered or (isinstance(offered, list) and way in offered):
                text = abandon_word() if engagement.opened else way_word(way)
                command = {"type": "choose_way", "engagement": engagement.id, "way": way, "side": side}
                agreed = any(chosen == way for other, chosen in engagement.chosen.items() if other != side)
                alone = way == "own_table" and not engagement.opened and not agreed and not engagement.deciding
                buttons.append(Button(text, json.dumps(command), agreed, alone or side == UMPIRE))
    return Choices(side, side_name(side), tuple(buttons))


def apart(sides: Sequence[Choices]) -> tuple[Choices, ...]:
    """The choices of each side; who chooses for several reads on each button for whom."""
    if len(sides) < 2:
        return tuple(sides)

    def name_side(side: Choices, one: Button) -> Button:
        return replace(one, text=_("%(title)s: %(what)s", title=side.name, what=one.text))

    return tuple(replace(side, buttons=tuple(name_side(side, one) for one in side.buttons)) for side in sides)


def _ways(offers: list[Offer], side: str) -> list[Offer]:
    return [each for each in offers if each.type == "choose_way" and each.fields.get("side") == side]


def models(offers: list[Offer]) -> tuple[int, int] | None:
    """L2.1 How many models a unit may become, once the battle may be opened."""
    for offer in offers:
        if offer.type == "open_battle":
            span = offer.fields.get("models_per_unit", 1)
            return (span["from"], span["to"]) if isinstance(span, dict) else (span, span)
    return None


def command_json(offer: Offer) -> str:
    """An offer without choices as a command."""
    return json.dumps({"type": offer.type, **offer.fields})
