"""11.7 A battle at sea by cards, as a panel: round and step, both fleets, cards played, the own hand, what may be."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from typing import Any

from flask_babel import ngettext

from strategic.hamilcar.tables import TABLES, TACTICS
from webapp.http.language import gettext as _
from webapp.http.signs import with_sign
from webapp.presenting.campaign_labels import seat_word
from webapp.presenting.naming import data_text, say_value
from webapp.presenting.picture import BattleCard, BattlePanel, BattleSide, View
from webapp.systems import land_battle
from webapp.systems.hamilcar.presenter import leaders

SYSTEM = "hamilcar"
SIDES = ("rome", "carthage")
UNSEEN = "unseen"


def panel(view: View, seat: str) -> BattlePanel | None:
    """The battle at sea that is fought by cards, else the one on land; None when there is none."""
    naval = view.get("naval")
    return _at_sea(view, naval, seat) if naval else land_battle.panel(SYSTEM, leaders, view, seat)


def _at_sea(view: View, naval: Mapping[str, Any], seat: str) -> BattlePanel:
    order = tuple(naval.get("order") or ())
    turn = int(naval.get("turn") or 0)
    now = order[turn] if turn < len(order) else ""
    voyage = view.get("voyage") or {}
    return BattlePanel(
        title=_("Battle at sea off %(place)s", place=say_value(SYSTEM, voyage["to"])) if voyage else _("Battle at sea"),
        rule="11.7.rounds",
        round=int(naval.get("round") or 1),
        initiative=seat_word(order[0]) if order else "",
        played="",
        sides=tuple(_side(view, naval["fleets"][side], side) for side in SIDES if side in naval["fleets"]),
        own=_own(naval["fleets"].get(seat, {}).get("hand")),
        status=_status(naval, now),
        open=tuple(say_value(SYSTEM, card) for card in naval.get("discard") or ()),
        possible=_possible(view, naval, seat),
        tactics=True,
    )


def _status(naval: Mapping[str, Any], side: str) -> str:
    """Whose part of the round is played, and which; the step that is kept is the one that comes next."""
    if not side:
        return ""
    steps = {"engage": _("manoeuvre"), "regroup": _("engagement"), "manoeuvre": _("regrouping or retreat")}
    return _(
        "%(side)s: %(step)s; %(rounds)s rounds at most.",
        side=seat_word(side),
        step=steps.get(str(naval.get("step")), ""),
        rounds=TABLES.naval.rounds,
    )


def _side(view: View, fleet: Mapping[str, Any], side: str) -> BattleSide:
    general = fleet.get("general")
    rating = _("rating %(rating)s", rating=fleet.get("rating", 0))
    return BattleSide(
        side=side,
        name=seat_word(side),
        role=_("rules the sea") if view.get("supremacy") == side else "",
        commander=f"{say_value(SYSTEM, general)} ({rating})" if general else _("no general"),
        cards=len(fleet.get("hand") or ()),
        lines=tuple(_lines(fleet)),
    )


def _lines(fleet: Mapping[str, Any]) -> list[str]:
    """What still fights, what is lost, and what holds for the next die."""
    ready = tuple(fleet.get("ready") or ())
    count = ngettext("%(num)d warship", "%(num)d warships", len(ready))
    found = [f"{count}: {', '.join(ready)}" if ready else _("no warship")]
    if fleet.get("transports"):
        found.append(ngettext("%(num)d transport", "%(num)d transports", int(fleet["transports"])))
    for field, words in (
        ("sunk", _("Sunk: %(ships)s")),
        ("taken", _("Taken: %(ships)s")),
        ("shoaled", _("Aground: %(ships)s")),
    ):
        if fleet.get(field):
            found.append(words % {"ships": ", ".join(fleet[field])})
    if fleet.get("transports_lost"):
        found.append(_("Transports lost: %(count)s", count=fleet["transports_lost"]))
    plus = int(fleet.get("bonus") or 0) + int(fleet.get("next_bonus") or 0)
    if plus:
        found.append(_("Next die: %(modifier)s", modifier=with_sign(plus)))
    if fleet.get("skips"):
        found.append(_("may not engage this time"))
    if fleet.get("no_corvus"):
        found.append(_("no corvus this round"))
    return found


def _own(hand: Any) -> tuple[BattleCard, ...]:
    """The seat's own cards by kind, with what they do."""
    held = Counter(card for card in hand or () if card != UNSEEN)
    return tuple(
        BattleCard(card, say_value(SYSTEM, card), count, data_text(SYSTEM, TACTICS[card].text))
        for card, count in held.most_common()
    )


def _possible(view: View, naval: Mapping[str, Any], seat: str) -> tuple[str, ...]:
    """What this side may still do, and what the other may still hold."""
    fleet = naval["fleets"].get(seat)
    if fleet is None or not fleet.get("ready"):
        return ()
    found = [ngettext("%(num)d card left to draw", "%(num)d cards left to draw", len(naval.get("deck") or ()))]
    if view.get("supremacy") == seat:
        found.append(_("may leave without a roll, giving up naval supremacy"))
    other = next(side for side in SIDES if side != seat)
    unseen = len(naval["fleets"][other].get("hand") or ())
    if unseen and "pursuit" not in (naval.get("discard") or ()):
        found.append(_("a retreat may be met by a Pursuit"))
    return tuple(found)
