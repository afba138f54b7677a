"""Hannibal's events as sentences in the reader's language."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from flask_babel import ngettext

from webapp.http.language import gettext as _
from webapp.http.signs import signed
from webapp.presenting.campaign_labels import seat_said
from webapp.presenting.naming import said
from webapp.systems import land_war

Data = Mapping[str, Any]
LOUD = land_war.LOUD | frozenset(("city_taken", "subjugated", "sunk"))
SOFT = land_war.SOFT | frozenset(
    (
        "halted",
        "arranged",
        "hand",
        "dealt",
        "activated",
        "card_played",
        "first_player",
        "carthage_decided",
        "stood",
        "reinforced",
        "no_proconsul",
        "reshuffled",
        "battle_hand",
        "count",
        "initiative",
        "discarded",
        "took_command",
        "interception_declared",
        "accepted",
        "no_pursuit",
        "reinforcements",
        "rome_opened",
        "landed",
    )
)


def name(value: Any, field: str = "") -> str:
    """A space, general or card by its name."""
    return said("hannibal", value, field)


def units(it: Data, key: str = "units") -> str:
    """So many units, and elephants if there are any."""
    count = int(it.get(key) or 0)
    text = ngettext("%(num)d unit", "%(num)d units", count)
    beasts = int(it.get("elephants") or 0)
    if not beasts:
        return text if count else _("nobody else")
    if not count:
        return ngettext("%(num)d elephant", "%(num)d elephants", beasts)
    return _(
        "%(units)s and %(elephants)s", units=text, elephants=ngettext("%(num)d elephant", "%(num)d elephants", beasts)
    )


def party(it: Data) -> str:
    """A general and who goes with him."""
    return ", ".join(name(one) for one in (it["general"], *it.get("companions", ())))


def result(it: Data) -> str:
    """Whether a roll succeeded."""
    return _("it succeeds") if it.get("success") else _("it fails")


def stepped(it: Data) -> str:
    return _(
        "%(party)s with %(units)s: from %(start)s to %(to)s.",
        party=party(it),
        units=units(it),
        start=name(it["start"]),
        to=name(it["to"]),
    )


def sailed(it: Data) -> str:
    return _(
        "%(party)s with %(units)s put to sea from %(start)s for %(to)s.",
        party=party(it),
        units=units(it),
        start=name(it["start"]),
        to=name(it["to"]),
    )


def naval_roll(it: Data) -> str:
    said_of = {
        "passes": _("the fleet gets through"),
        "returns": _("the fleet turns back"),
        "sunk": _("the fleet is sunk"),
    }
    return _(
        "Rome meets the fleet of %(general)s (modifier %(modifier)s): %(result)s.",
        general=name(it["general"]),
        modifier=signed(it["modifier"]),
        result=said_of.get(it["result"], str(it["result"])),
    )


def attrition(it: Data) -> str:
    return _(
        "Attrition at %(place)s: %(lost)s of %(force)s lost (modifier %(modifier)s).",
        place=name(it.get("space")),
        lost=it["lost"],
        force=it["force"],
        modifier=signed(it["modifier"]),
    )


def battle(it: Data) -> str:
    start = it.get("start", {})
    return _(
        "Battle at %(place)s: %(attacker)s attacks; Rome %(rome)s, Carthage %(carthage)s.",
        place=name(it["space"]),
        attacker=seat_said(it["attacker"]),
        rome=start.get("rome", 0),
        carthage=start.get("carthage", 0),
    )


def battle_lost(it: Data) -> str:
    return _("%(side)s loses the battle at %(place)s.", side=seat_said(it["side"]), place=name(it["space"]))


def over(it: Data) -> str:
    return _("The war is over: %(side)s wins.", side=seat_said(it["winner"] or ""))


def count(it: Data) -> str:
    return _(
        "The count at the end of turn %(turn)s: Rome %(rome)s, Carthage %(carthage)s.",
        turn=it["turn"],
        rome=it["rome"],
        carthage=it["carthage"],
    )


def interception(it: Data) -> str:
    return _(
        "%(general)s tries to intercept at %(place)s: %(result)s.",
        general=name(it.get("general")),
        place=name(it.get("to") or it.get("space")),
        result=result(it),
    )


OWN: Mapping[str, Callable[[Data], str]] = {
    "rome_opened": lambda it: _("Rome opens with %(card)s.", card=name(it["card"], "card")),
    "card_played": lambda it: _("%(side)s plays %(card)s.", side=seat_said(it["side"]), card=name(it["card"], "card")),
    "activated": lambda it: _(
        "%(general)s is activated with %(points)s points.", general=name(it["general"]), points=it["points"]
    ),
    "sailed": sailed,
    "landed": lambda it: _("%(general)s lands at %(place)s.", general=name(it["general"]), place=name(it["space"])),
    "stepped": stepped,
    "halted": lambda it: _("The march ends at %(place)s.", place=name(it["space"])),
    "bad_weather": lambda it: _(
        "Bad weather drives %(general)s back to %(place)s.", general=name(it["general"]), place=name(it["to"])
    ),
    "pc_placed": lambda it: _("%(side)s takes %(place)s.", side=seat_said(it["side"]), place=name(it["space"])),
    "pc_removed": lambda it: _(
        "%(side)s loses its marker at %(place)s.", side=seat_said(it["side"]), place=name(it["space"])
    ),
    "unit_raised": lambda it: _(
        "%(general)s raises a unit at %(place)s.", general=name(it["general"]), place=name(it["space"])
    ),
    "event": lambda it: _(
        "%(side)s plays the event %(card)s.", side=seat_said(it["side"]), card=name(it["card"], "card")
    ),
    "macedon": lambda it: _("Macedon joins Carthage.") if it["now"] == "allied" else _("Macedon leaves the war."),
    "discarded": lambda it: _("%(side)s discards %(card)s.", side=seat_said(it["side"]), card=name(it["card"], "card")),
    "count": count,
    "behind": lambda it: _("%(side)s is behind by %(by)s.", side=seat_said(it["side"]), by=it["by"]),
    "reinforcements": lambda it: _("Turn %(turn)s begins.", turn=it["turn"]),
    "reinforced": lambda it: _(
        "%(side)s: a new unit at %(place)s.", side=seat_said(it["side"]), place=name(it["space"])
    ),
    "proconsul": lambda it: _("%(general)s becomes proconsul.", general=name(it["general"])),
    "no_proconsul": lambda it: _("Rome has no proconsul."),
    "generals_left": lambda it: _("Out of office: %(generals)s.", generals=name(it["generals"])),
    "consuls_drawn": lambda it: _("The new consuls: %(generals)s.", generals=name(it["generals"])),
    "consul_placed": lambda it: _(
        "Consul %(general)s takes his post at %(place)s.", general=name(it["general"]), place=name(it["space"])
    ),
    "hand": lambda it: _("%(side)s is dealt its hand.", side=seat_said(it["side"])),
    "dealt": lambda it: _("%(cards)s cards are dealt to each.", cards=it["cards"]),
    "carthage_decided": lambda it: _("Carthage decides who plays first."),
    "first_player": lambda it: _("%(side)s plays first.", side=seat_said(it["side"])),
    "isolated": lambda it: _(
        "%(side)s loses isolated markers: %(places)s.", side=seat_said(it["side"]), places=name(it["spaces"])
    ),
    "naval_roll": naval_roll,
    "sunk": lambda it: _("The sea takes %(general)s and his fleet.", general=name(it["general"])),
    "troops_raised": lambda it: _(
        "%(side)s raises %(units)s at %(place)s.", side=seat_said(it["side"]), units=units(it), place=name(it["space"])
    ),
    "reshuffled": lambda it: _("The deck is shuffled anew."),
    "truce_broken": lambda it: _("The truce is broken."),
    "city_taken": lambda it: _(
        "%(side)s takes the city of %(place)s!", side=seat_said(it["side"]), place=name(it["space"])
    ),
    "africanus_arrived": lambda it: _("Scipio Africanus arrives at %(place)s.", place=name(it["space"])),
    "attrition": attrition,
    "interception": interception,
    "battle": battle,
    "battle_lost": battle_lost,
    "battle_ended": lambda it: _("The battle at %(place)s is over.", place=name(it["space"])),
    "besieges": lambda it: _("%(general)s besieges %(place)s.", general=name(it["general"]), place=name(it["space"])),
    "siege_lifted": lambda it: _("The siege of %(place)s is lifted.", place=name(it["space"])),
    "displaced": lambda it: (
        _("%(general)s is dead.", general=name(it["general"]))
        if it.get("dead")
        else _("%(general)s is displaced.", general=name(it["general"]))
    ),
    "general_returned": lambda it: _(
        "%(general)s comes back at %(place)s.", general=name(it["general"]), place=name(it["space"])
    ),
    "took_command": lambda it: _(
        "%(general)s takes command at %(place)s.", general=name(it["general"]), place=name(it["space"])
    ),
    "pursuit": lambda it: _("%(general)s pursues: %(result)s.", general=name(it["general"]), result=result(it)),
    "counter_attack": lambda it: _(
        "%(side)s tries to take the initiative: %(result)s.", side=seat_said(it["side"]), result=result(it)
    ),
    "withdrawal": lambda it: _(
        "%(side)s tries to withdraw: %(result)s.", side=seat_said(it["side"]), result=result(it)
    ),
    "matched": lambda it: _("%(side)s matches with %(card)s.", side=seat_said(it["side"]), card=name(it["card"])),
    "initiative": lambda it: _("%(side)s has the initiative.", side=seat_said(it["side"])),
    "elephants_charged": lambda it: _("The elephants charge."),
    "stood": lambda it: _("%(side)s stands at %(place)s.", side=seat_said(it["side"]), place=name(it["space"])),
    "sheltered": lambda it: _(
        "%(side)s goes inside the walls of %(place)s.", side=seat_said(it["side"]), place=name(it["space"])
    ),
    "eliminated": lambda it: _(
        "%(side)s loses all %(units)s at %(place)s.",
        side=seat_said(it["side"]),
        units=units(it),
        place=name(it["space"]),
    ),
    "overrun": lambda it: _("%(side)s is overrun at %(place)s.", side=seat_said(it["side"]), place=name(it["space"])),
    "over": over,
    "ally_deserted": lambda it: _("An ally of %(side)s deserts in the battle.", side=seat_said(it["side"])),
    "begun": lambda it: _("The war begins."),
    "betrayed": lambda it: _("%(place)s is betrayed.", place=name(it["space"])),
    "card_taken": lambda it: _("A card is taken: %(card)s.", card=name(it["card"], "card")),
    "dismissed": lambda it: _(
        "%(general)s is dismissed; %(successor)s takes his place.",
        general=name(it["general"]),
        successor=name(it["successor"]),
    ),
    "draw_and_discard_by_hand": lambda it: _("%(side)s draws and discards by hand.", side=seat_said(it["side"])),
    "elephant_fright": lambda it: _("The elephants take fright: %(cards)s battle cards fewer.", cards=it["cards"]),
    "lasting": lambda it: _("%(card)s stays in force.", card=name(it["card"], "card")),
    "loyalty": lambda it: _(
        "Loyalty at %(place)s, %(general)s: %(result)s.",
        place=name(it["space"]),
        general=name(it["general"]) if it.get("general") else _("no general"),
        result=result(it),
    ),
    "messenger": lambda it: _("A messenger of %(side)s is caught.", side=seat_said(it["side"])),
    "must_stay": lambda it: _("The army must stay at %(place)s.", place=name(it["space"])),
    "pcs_lost": lambda it: _(
        "%(side)s loses markers: %(places)s.", side=seat_said(it["side"]), places=name(it["spaces"])
    ),
    "reinforcements_lost": lambda it: _(
        "%(side)s has no room for its reinforcements: %(units)s.", side=seat_said(it["side"]), units=units(it)
    ),
    "siege_points": lambda it: _(
        "The siege of %(place)s stands at %(points)s points.", place=name(it["space"]), points=it["points"]
    ),
    "siege_train": lambda it: _("%(general)s has the siege train.", general=name(it["general"])),
    "siege_train_lost": lambda it: _("%(general)s loses the siege train.", general=name(it["general"])),
    "spied": lambda it: _("Spies look into the battle cards of %(side)s.", side=seat_said(it["side"])),
}
SENTENCES = land_war.with_old_names({**land_war.sentences("hannibal"), **OWN})
