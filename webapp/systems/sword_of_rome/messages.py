"""The Sword of Rome's events as sentences in the reader's language. What is done by hand stands in `by_hand`."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from flask_babel import ngettext

from webapp.http.language import gettext as _
from webapp.http.signs import signed
from webapp.presenting.campaign_labels import seat_said
from webapp.presenting.naming import attempt_said, said
from webapp.systems.sword_of_rome.by_hand import BY_HAND

Data = Mapping[str, Any]
LOUD = frozenset(("automatic_victory", "battle", "battle_rolled", "eliminated", "naval_combat"))
SOFT = frozenset(("dealt", "hand", "halted", "answered", "round", "action_ended", "order", "halt", "end_action"))
OLD_NAMES = {  # kinds of events as journals written before version 3 have them
    "activate": "activated",
    "contest": "contested",
    "discard": "discarded",
    "drop": "dropped",
    "end_action": "action_ended",
    "halt": "halted",
    "lend_ships": "lent_ships",
    "pick_up": "picked_up",
    "retreat": "retreated",
    "sail": "sailed",
    "shelter": "sheltered",
    "step": "stepped",
}


def name(value: Any, field: str = "") -> str:
    """A space, leader or card by its name."""
    return said("sword_of_rome", value, field)


def power(it: Data, key: str = "power") -> str:
    """A power, or the seat that an event is about."""
    return seat_said(str(it.get(key) or it.get("seat") or it.get("side") or ""))


def units(count: int) -> str:
    """So many combat units."""
    return ngettext("%(num)d unit", "%(num)d units", count) if count else _("no unit")


def where(it: Data) -> str:
    """The space of an event."""
    return name(it["space"])


def activated(it: Data) -> str:
    who = ", ".join(name(one) for one in (it["leader"], *it.get("companions", ())))
    return _(
        "%(power)s: %(leaders)s with %(units)s sets out from %(place)s with %(points)s points.",
        power=power(it),
        leaders=who,
        units=units(it["units"]),
        place=where(it),
        points=it["points"],
    )


def moved(it: Data) -> str:
    return _(
        "%(power)s: %(units)s from %(start)s to %(to)s.",
        power=power(it),
        units=units(it["units"]),
        start=name(it["start"]),
        to=name(it["end"]),
    )


def declared(it: Data) -> str:
    tries = "; ".join(attempt_said("sword_of_rome", dict(one)) for one in it.get("intercepts", ()))
    slips = ", ".join(seat_said(one["power"]) for one in it.get("avoids", ()))
    if tries and slips:
        return _("Declared: interception by %(tries)s; to avoid battle, %(slips)s.", tries=tries, slips=slips)
    if tries:
        return _("Declared: interception by %(tries)s.", tries=tries)
    return _("Declared: to avoid battle, %(slips)s.", slips=slips) if slips else _("Nobody intercepts or avoids.")


def flank_confirmed(it: Data) -> str:
    if it["allow"]:
        return _("%(side)s grants %(power)s the flank march.", side=seat_said(it["side"]), power=power(it))
    return _("%(side)s does not grant %(power)s the flank march.", side=seat_said(it["side"]), power=power(it))


def interception(it: Data) -> str:
    result = _("it succeeds") if it["success"] else _("it fails")
    return _(
        "%(leader)s tries to intercept from %(place)s, needs %(needed)s or less (modifier %(modifier)s): %(result)s.",
        leader=name(it["leader"]),
        place=where(it),
        needed=it["needed"],
        modifier=signed(it["modifier"]),
        result=result,
    )


def rolled(it: Data, succeeds: str, fails: str) -> str:
    """A die against a leader's tactics."""
    return _(
        "%(who)s needs %(needed)s or less: %(result)s.",
        who=name(it["leader"]) if it.get("leader") else power(it),
        needed=it["needed"],
        result=succeeds if it["success"] else fails,
    )


def lapsed(it: Data) -> str:
    return _("The attempt of %(power)s from %(place)s lapses unrolled.", power=power(it), place=where(it))


def sheltered(it: Data) -> str:
    return _(
        "%(power)s goes behind the walls of %(place)s with %(units)s.",
        power=power(it),
        place=where(it),
        units=units(it["units"]),
    )


def commands(it: Data) -> str:
    return _("%(leader)s commands %(power)s at %(place)s.", leader=name(it["leader"]), power=power(it), place=where(it))


def forks(it: Data) -> str:
    return _(
        "Caudine Forks: the Samnites fall upon the army at %(place)s with %(units)s.",
        place=name(it["to"]),
        units=units(it["units"]),
    )


def convoy(it: Data) -> str:
    if it["arrives"]:
        return _("The convoy arrives and has lost %(units)s.", units=units(it["lost"]))
    return _("The convoy turns back and has lost %(units)s.", units=units(it["lost"]))


def contest(it: Data) -> str:
    return _(
        "Carthage contests the crossing of %(power)s with a card of %(card)s (modifier %(modifier)s).",
        power=power(it),
        card=it["card"],
        modifier=signed(it["modifier"]),
    )


def naval_combat(it: Data) -> str:
    results = {
        "success": _("the crossing succeeds"),
        "return": _("the army turns back"),
        "attrition": _("the army arrives with losses"),
    }
    return _(
        "The crossing of %(power)s (modifier %(modifier)s) comes to %(total)s: %(result)s.",
        power=power(it),
        modifier=signed(it["modifier"]),
        total=it["total"],
        result=results.get(it["result"], str(it["result"])),
    )


def battle(it: Data) -> str:
    return _(
        "Battle at %(place)s: %(attacker)s attacks %(defender)s.",
        place=where(it),
        attacker=power(it, "attacker"),
        defender=power(it, "defender"),
    )


def battle_rolled(it: Data) -> str:
    first, second = it["totals"]
    return _(
        "%(attacker)s throws %(first)s, %(defender)s %(second)s: %(winner)s wins at %(place)s.",
        attacker=power(it, "attacker"),
        first=first,
        defender=power(it, "defender"),
        second=second,
        winner=power(it, "winner"),
        place=where(it),
    )


def lost(it: Data) -> str:
    place = where(it) if it.get("space") else ""
    if not place:
        return _("%(power)s loses %(units)s.", power=power(it), units=units(it["units"]))
    return _("%(power)s loses %(units)s at %(place)s.", power=power(it), units=units(it["units"]), place=place)


def eliminated(it: Data) -> str:
    leaders = ", ".join(name(one) for one in it.get("leaders", ()))
    if leaders:
        return _(
            "The army of %(power)s at %(place)s is no more; %(leaders)s is displaced.",
            power=power(it),
            place=where(it),
            leaders=leaders,
        )
    return _("The army of %(power)s at %(place)s is no more.", power=power(it), place=where(it))


def retreat(it: Data) -> str:
    way = ", ".join(name(one) for one in it.get("path", ())) or name(it["start"])
    return _("%(power)s retreats from %(start)s by %(way)s.", power=power(it), start=name(it["start"]), way=way)


def displaced(it: Data) -> str:
    leaders = ", ".join(name(one) for one in it.get("leaders", ()))
    return _("%(power)s: %(leaders)s is displaced.", power=power(it), leaders=leaders)


def over(it: Data) -> str:
    if not it.get("winner"):
        return _("The game is over without a winner.")
    return _("The war is over: %(side)s wins.", side=seat_said(str(it["winner"])))


NOW: Mapping[str, Callable[[Data], str]] = {
    **BY_HAND,
    "activated": activated,
    "stepped": moved,
    "sailed": moved,
    "avoided": lambda it: _(
        "%(power)s slips away from %(start)s to %(to)s.", power=power(it), start=name(it["start"]), to=name(it["end"])
    ),
    "halted": lambda it: _("The march ends at %(place)s.", place=where(it)),
    "dropped": lambda it: _(
        "%(power)s leaves %(units)s at %(place)s.", power=power(it), units=units(it["units"]), place=where(it)
    ),
    "picked_up": lambda it: _(
        "%(power)s picks up %(units)s at %(place)s.", power=power(it), units=units(it["units"]), place=where(it)
    ),
    "answered": lambda it: _("%(power)s has answered.", power=power(it)),
    "flank_confirmed": flank_confirmed,
    "declared": declared,
    "declarations": declared,
    "order": lambda it: _("They try in this order: %(powers)s.", powers=", ".join(map(seat_said, it["powers"]))),
    "interception": interception,
    "interception_lapsed": lapsed,
    "commander": commands,
    "sheltered": sheltered,
    "avoiding": lambda it: rolled(it, _("the army slips away"), _("the army is caught")),
    "pursuit": lambda it: rolled(it, _("the army may move on"), _("the march is over")),
    "declining": lambda it: rolled(it, _("the army may go back"), _("the army must fight")),
    "declined": lambda it: _("%(power)s goes back to %(place)s and stops.", power=power(it), place=where(it)),
    "storms_at_sea": lambda it: _(
        "Storms at Sea: %(side)s keeps the army from going back.", side=seat_said(it["side"])
    ),
    "caudine_forks": forks,
    "lent_ships": lambda it: _("Carthage lends its ships to %(power)s.", power=power(it)),
    "convoy": convoy,
    "decline": lambda it: _("%(power)s declines battle at %(place)s.", power=power(it), place=where(it)),
    "permitted": lambda it: _("%(power)s may go.", power=power(it)),
    "contested": contest,
    "pass": lambda it: _("Carthage lets %(power)s sail.", power=power(it)),
    "naval_combat": naval_combat,
    "returned": lambda it: _("%(power)s is back at %(place)s.", power=power(it), place=where(it)),
    "landed": lambda it: _("%(power)s lands at %(place)s.", power=power(it), place=where(it)),
    "battle": battle,
    "battle_rolled": battle_rolled,
    "automatic_victory": lambda it: _(
        "%(power)s wins at %(place)s without a fight.", power=power(it, "winner"), place=where(it)
    ),
    "losses": lost,
    "eliminated": eliminated,
    "retreated": retreat,
    "displaced": displaced,
    "action_ended": lambda it: _("%(power)s ends its action.", power=power(it)),
    "round": lambda it: _("Turn %(turn)s, round %(round)s.", turn=it["turn"], round=it["round"]),
    "over": over,
}
SENTENCES = {**{old: NOW[new] for old, new in OLD_NAMES.items()}, **NOW}
