"""Hamilcar's events as sentences: the land war that it shares with Hannibal, its own sea, its council and budget."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from flask_babel import ngettext

from webapp.http.language import gettext as _
from webapp.presenting.campaign_labels import seat_said
from webapp.presenting.naming import said
from webapp.systems import land_war
from webapp.systems.land_war import Data, rolled, side, troops

LOUD = land_war.LOUD | frozenset(
    ("army_lost", "naval_battle", "naval_battle_over", "ships_lost", "city_taken", "subjugated")
)
SOFT = land_war.SOFT | frozenset(
    (
        "naval_round",
        "regrouped",
        "no_engagement",
        "card_played",
        "card_declared",
        "strategy_over",
        "points",
        "tactics_remembered",
        "tactic_taken",
        "seamanship",
        "trains_spent",
        "train_spent",
        "reform",
        "catcher",
    )
)


def name(value: Any, field: str = "") -> str:
    """A space, general, ship or card by its name."""
    return said("hamilcar", value, field)


def ships(it: Data, key: str = "ships") -> str:
    """Ships by name; how many, where they have none."""
    value = it.get(key)
    if isinstance(value, int):
        return ngettext("%(num)d ship", "%(num)d ships", value)
    return ", ".join(map(str, value)) if value else _("no ship")


def sailed(it: Data) -> str:
    who = ", ".join(name(one) for one in (it.get("general"), *it.get("companions", ())) if one) or side(it)
    fleet = ships(it) if it.get("ships") else _("without warships")
    return _(
        "%(party)s, with %(troops)s, put to sea from %(start)s for %(to)s: %(ships)s.",
        party=who,
        troops=troops(it),
        start=name(it["start"]),
        to=name(it["to"]),
        ships=fleet,
    )


def engages(it: Data) -> str:
    goal = _("the transports") if it.get("target") == "transports" else _("the warships")
    text = ngettext(
        "%(side)s engages %(goal)s: %(num)d hit.",
        "%(side)s engages %(goal)s: %(num)d hits.",
        int(it.get("hits") or 0),
        side=side(it),
        goal=goal,
    )
    return text + (" " + _("A prize may be taken.") if it.get("prize") else "")


def ships_hit(it: Data) -> str:
    parts = []
    if it.get("sunk"):
        parts.append(_("sunk: %(ships)s", ships=ships(it, "sunk")))
    if it.get("taken"):
        parts.append(_("taken: %(ships)s", ships=ships(it, "taken")))
    return _("%(side)s, hit at sea: %(what)s.", side=side(it), what="; ".join(parts) or _("no ship"))


def storm(it: Data) -> str:
    if it.get("hits"):
        return ngettext(
            "A storm strikes %(side)s at %(place)s: %(num)d hit.",
            "A storm strikes %(side)s at %(place)s: %(num)d hits.",
            int(it["hits"]),
            side=side(it),
            place=name(it.get("space")),
        )
    return _("The storm at %(place)s spares %(side)s.", side=side(it), place=name(it.get("space")))


def naval_battle(it: Data) -> str:
    held = it.get("cards") or {}
    counted = ", ".join(f"{seat_said(str(who))} {count}" for who, count in held.items())
    return _(
        "The fleets join battle; %(side)s begins. Tactics in hand: %(cards)s.", side=side(it, "first"), cards=counted
    )


def ships_home(it: Data) -> str:
    ready = it.get("ready") or ()
    return _(
        "%(side)s comes home with %(ships)s; ready for sea: %(ready)s.",
        side=side(it),
        ships=ships(it),
        ready=", ".join(map(str, ready)) or _("no ship"),
    )


def over_at_sea(it: Data) -> str:
    if it.get("winner"):
        return ngettext(
            "%(side)s wins the battle at sea after %(num)d round.",
            "%(side)s wins the battle at sea after %(num)d rounds.",
            int(it.get("rounds") or 0),
            side=side(it, "winner"),
        )
    return _("The battle at sea ends undecided.")


def seamanship(it: Data) -> str:
    known = {"poor": _("poor"), "fair": _("fair"), "good": _("good"), "very_good": _("very good")}
    return _("Rome's seamanship is now %(level)s.", level=known.get(str(it.get("level")), name(it.get("level"))))


def reform_said(kind: str) -> str:
    """6.5.3.b What a reform of the fleet is about."""
    known = {
        "seamanship": _("seamanship"),
        "corvus": _("the corvus"),
        "ship": _("a new ship"),
        "repair": _("repairs"),
        "none": _("no change"),
    }
    return known.get(kind, name(kind))


def both(it: Data) -> str:
    """A figure for each side."""
    return _("Rome %(rome)s, Carthage %(carthage)s", rome=it.get("rome", 0), carthage=it.get("carthage", 0))


OWN: Mapping[str, Callable[[Data], str]] = {
    "army_lost": lambda it: _("The sea takes the army of %(side)s: %(troops)s.", side=side(it), troops=troops(it)),
    "card_declared": lambda it: _("%(side)s lays a card: %(ops)s operations.", side=side(it), ops=it.get("ops", "")),
    "card_played": lambda it: _("%(side)s plays %(card)s.", side=side(it), card=name(it["card"], "card")),
    "catcher": lambda it: _(
        "%(general)s commands the interception.", general=name(it.get("general")) if it.get("general") else _("Nobody")
    ),
    "caught": lambda it: _(
        "%(side)s catches the fleet off %(place)s with %(ships)s.",
        side=side(it),
        place=name(it["space"]),
        ships=ships(it),
    ),
    "contract_over": lambda it: _("The contract of %(general)s is over.", general=name(it["general"])),
    "corvus": lambda it: _("The Roman ships carry the corvus.") if it.get("fitted") else _("The corvus is put ashore."),
    "council_pc": lambda it: _("A marker is put into the Council of Carthage."),
    "council_pc_removed": lambda it: _("A marker is taken from the Council of Carthage."),
    "die_lowered": lambda it: _(
        "%(general)s lowers the die: %(result)s.", general=name(it["general"]), result=rolled(it)
    ),
    "elected": lambda it: _("%(general)s is elected consul.", general=name(it["general"])),
    "engaged": engages,
    "found_port": lambda it: _("%(side)s finds a port at %(place)s.", side=side(it), place=name(it["space"])),
    "fled": lambda it: _("%(side)s tries to flee: %(result)s.", side=side(it), result=rolled(it)),
    "generals_arrived": lambda it: _("New generals of Carthage: %(generals)s.", generals=name(it["drawn"])),
    "hired": lambda it: _(
        "%(general)s is hired and comes to %(place)s.", general=name(it["general"]), place=name(it["space"])
    ),
    "naval_battle": naval_battle,
    "naval_battle_over": over_at_sea,
    "naval_round": lambda it: _("Round %(round)s at sea; %(side)s begins.", round=it["round"], side=side(it, "first")),
    "no_engagement": lambda it: _("%(side)s does not engage.", side=side(it)),
    "points": lambda it: _("Victory points: %(points)s.", points=both(it)),
    "prize_roll": lambda it: ngettext(
        "%(side)s rolls for prizes: %(num)d ship.",
        "%(side)s rolls for prizes: %(num)d ships.",
        int(it.get("hits") or 0),
        side=side(it),
    ),
    "prizes": lambda it: _("Prizes of %(side)s: %(ships)s.", side=side(it), ships=ships(it)),
    "prizes_returned": lambda it: _("%(side)s has its ships back: %(ships)s.", side=side(it), ships=ships(it)),
    "put_to_sea": lambda it: _(
        "%(side)s puts to sea off %(place)s: %(ships)s.", side=side(it), place=name(it["space"]), ships=ships(it)
    ),
    "reform": lambda it: _(
        "%(general)s reforms the fleet: %(kind)s.", general=name(it["general"]), kind=reform_said(str(it["kind"]))
    ),
    "regrouped": lambda it: _("%(side)s regroups: %(result)s.", side=side(it), result=rolled(it)),
    "reinforcements_lost": lambda it: ngettext(
        "%(side)s has no room for %(num)d reinforcement.",
        "%(side)s has no room for %(num)d reinforcements.",
        int(it.get("units") or it.get("count") or 0),
        side=side(it),
    ),
    "broke_off": lambda it: _("%(side)s breaks off at sea.", side=side(it)),
    "sailed": sailed,
    "sea_interception": lambda it: _(
        "%(general)s tries to catch the fleet: %(result)s.",
        general=name(it["general"]) if it.get("general") else side(it),
        result=rolled(it),
    ),
    "seamanship": seamanship,
    "ship_aground": lambda it: _("%(ship)s of %(side)s runs aground.", ship=it["ship"], side=side(it)),
    "ships_built": lambda it: _("%(side)s builds %(ships)s.", side=side(it), ships=ships(it)),
    "ships_hit": ships_hit,
    "ships_home": ships_home,
    "ships_lost": lambda it: _("%(side)s loses %(ships)s.", side=side(it), ships=ships(it)),
    "ships_repaired": lambda it: _("%(side)s makes ready %(ships)s.", side=side(it), ships=ships(it)),
    "ships_unready": lambda it: _("Not ready for sea: %(ships)s of %(side)s.", side=side(it), ships=ships(it)),
    "start": lambda it: _("The war begins."),
    "storm": storm,
    "supremacy": lambda it: (
        _("%(side)s rules the sea.", side=side(it)) if it.get("side") else _("Nobody rules the sea.")
    ),
    "tactic": lambda it: _("%(side)s plays the tactic %(card)s.", side=side(it), card=name(it["card"])),
    "tactic_taken": lambda it: _("%(side)s takes up a tactic.", side=side(it)),
    "tactics_remembered": lambda it: _("Forgotten tactics are remembered."),
    "train_burnt": lambda it: _("%(side)s burns a train at %(place)s.", side=side(it), place=name(it["space"])),
    "train_placed": lambda it: _("%(side)s: a new train at %(place)s.", side=side(it), place=name(it["space"])),
    "train_spent": lambda it: _("%(side)s spends a train at %(place)s.", side=side(it), place=name(it["space"])),
    "trains_captured": lambda it: _(
        "%(side)s captures trains at %(place)s: %(trains)s.",
        side=side(it),
        place=name(it["space"]),
        trains=it["trains"],
    ),
    "trains_destroyed": lambda it: _(
        "Trains of %(side)s destroyed at %(place)s: %(trains)s.",
        side=side(it),
        place=name(it["space"]),
        trains=it["trains"],
    ),
    "trains_spent": lambda it: _(
        "%(side)s spends trains at %(place)s: %(trains)s.", side=side(it), place=name(it["space"]), trains=it["trains"]
    ),
    "transports_hit": lambda it: ngettext(
        "%(side)s loses %(num)d transport.",
        "%(side)s loses %(num)d transports.",
        int(it.get("count") or 0),
        side=side(it),
    ),
    "transports_lost": lambda it: _(
        "Lost with the transports of %(side)s: %(troops)s.", side=side(it), troops=troops(it)
    ),
    "turned_back": lambda it: _("%(side)s turns back to %(place)s.", side=side(it), place=name(it["space"])),
    "war_budget": lambda it: _("The war budget: %(points)s.", points=both(it)),
    "winter_at_sea": lambda it: (
        _("Winter takes %(ships)s of %(side)s.", side=side(it), ships=ships(it))
        if it.get("ships")
        else _("The fleet of %(side)s lies safe through the winter.", side=side(it))
    ),
}
SENTENCES = land_war.with_old_names({**land_war.sentences("hamilcar"), **OWN})
