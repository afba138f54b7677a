"""The Punic Wars' events as sentences in the reader's language."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from flask_babel import ngettext

from strategic.punic_wars import PUNIC_WARS
from webapp.http.language import gettext as _
from webapp.http.signs import signed
from webapp.presenting.campaign_labels import phase_word, seat_said
from webapp.presenting.labels import translated
from webapp.presenting.naming import said
from webapp.systems.punic_wars.force import forces

Data = Mapping[str, Any]
LOUD = frozenset(("combat", "fleets_taken", "leader_lost"))
SOFT = frozenset(
    (
        "phase",
        "phase_done",
        "bid_written",
        "bid",
        "taken",
        "force",
        "finished",
        "rests",
        "inspected",
        "leader_placed",
        "leader_turned",
        "way",
        "agreed",
    )
)


def name(value: Any, field: str = "") -> str:
    """A hex, region or leader by its name."""
    return said("punic_wars", value, field)


def side(it: Data, key: str = "side") -> str:
    """The side that an event is about."""
    return seat_said(str(it.get(key) or ""))


def here(it: Data) -> str:
    """The hex of an event; off the map where there is none."""
    return name(it["hex"]) if it.get("hex") else _("off the map")


def points(it: Data, key: str = "points") -> str:
    """So many points."""
    count = int(it.get(key) or 0)
    return ngettext("%(num)d point", "%(num)d points", count)


def kind(it: Data) -> str:
    """Land or naval points."""
    return _("naval") if it.get("kind") == "naval" else _("land")


def force(it: Data) -> str:
    """Land and naval points of a force."""
    return forces(int(it.get("land") or 0), int(it.get("naval") or 0)) or _("no points")


def modifier(it: Data) -> str:
    """The modifier with its sign."""
    return signed(int(it.get("modifier") or 0))


def cause(it: Data) -> str:
    """Why attrition is rolled for."""
    known = {
        "sea": _("at sea"),
        "leaving": _("when leaving"),
        "entering": _("when entering"),
        "mountain": _("in the mountains"),
        "revolt": _("by revolt"),
        "unsupplied": _("without supply"),
        "unpaid": _("unpaid"),
    }
    return known.get(str(it.get("cause")), str(it.get("cause") or ""))


def attrition(it: Data) -> str:
    lost = points(it) if it.get("points") else _("nothing")
    return _(
        "%(side)s suffers attrition %(cause)s, %(place)s: %(percent)s%%, lost: %(points)s (modifier %(modifier)s).",
        side=side(it),
        cause=cause(it),
        place=here(it),
        percent=it["percent"],
        points=lost,
        modifier=modifier(it),
    )


def combat(it: Data) -> str:
    lost = it.get("losses") or {}
    return _(
        "Combat at %(place)s: %(attackers)s against %(defenders)s, %(ratio)s, modifier %(modifier)s. "
        "Carthage loses %(carthage)s, Rome %(rome)s.",
        place=here(it),
        attackers=it["attackers"],
        defenders=it["defenders"],
        ratio=it["ratio"],
        modifier=modifier(it),
        carthage=lost.get("carthage", 0),
        rome=lost.get("rome", 0),
    )


def lost(it: Data) -> str:
    count = int(it.get("points") or 0)
    force = forces(0, count) if it.get("kind") == "naval" else forces(count, 0)
    return _("%(side)s loses %(force)s, %(place)s.", side=side(it, "nation"), force=force, place=here(it))


def outcome(result: str) -> str:
    """16.31 One of the five results of a diplomacy table."""
    known = {
        "none": _("nothing happens"),
        "revolt": _("revolt"),
        "war": _("war"),
        "alliance": _("alliance"),
        "defection": _("defection"),
    }
    return known.get(result, result)


def diplomacy(it: Data) -> str:
    regions = ", ".join(name(region) for region in it.get("regions") or ())
    result = outcome(str(it["result"]))
    if regions:
        return _(
            "Diplomacy (modifier %(modifier)s): %(result)s, %(regions)s.",
            modifier=modifier(it),
            result=result,
            regions=regions,
        )
    return _("Diplomacy (modifier %(modifier)s): %(result)s.", modifier=modifier(it), result=result)


def supplied(it: Data) -> str:
    parts = [_("%(side)s pays %(paid)s for supply.", side=side(it), paid=points(it, "paid"))]
    if it.get("beyond"):
        parts.append(ngettext("%(num)d point is not paid for.", "%(num)d points are not paid for.", it["beyond"]))
    if it.get("hexes"):
        parts.append(ngettext("%(num)d hex is cut off.", "%(num)d hexes are cut off.", it["hexes"]))
    return " ".join(parts)


def game_over(it: Data) -> str:
    if not it.get("winner"):
        return _("The war is over without a winner.")
    known = {"marginal": _("marginal"), "substantial": _("substantial"), "decisive": _("decisive")}
    if it.get("level") in known:
        return _(
            "The war is over: %(side)s wins, %(level)s victory.", side=side(it, "winner"), level=known[str(it["level"])]
        )
    return _("The war is over: %(side)s wins.", side=side(it, "winner"))


def syracuse(it: Data) -> str:
    if it.get("by") == "invasion":
        return _("Syracuse is invaded and joins %(side)s.", side=side(it, "to"))
    return _("Syracuse allies with %(side)s.", side=side(it, "to"))


def turned(it: Data) -> str:
    if it.get("inside"):
        return _("%(leader)s goes inside the walls.", leader=name(it["leader"]))
    return _("%(leader)s comes out.", leader=name(it["leader"]))


def set_up(it: Data) -> str:
    return _("%(side)s sets up at %(place)s: %(force)s.", side=side(it), place=here(it), force=force(it))


def recruited(it: Data) -> str:
    if it.get("kind") == "naval":
        return _("%(side)s builds %(points)s of ships at %(place)s.", side=side(it), points=points(it), place=here(it))
    return _("%(side)s raises %(points)s of troops at %(place)s.", side=side(it), points=points(it), place=here(it))


def agreed(it: Data) -> str:
    if not it.get("agreed", True):
        return _("%(side)s no longer agrees to end the war here.", side=side(it))
    return _("%(side)s agrees to end the war here.", side=side(it))


def way(it: Data) -> str:
    if it.get("agreed"):
        return _("The meeting at sea: both sides agree how it is settled.")
    return _("%(side)s says how the meeting at sea is to be settled.", side=side(it))


def no_effect(it: Data) -> str:
    known = {
        "allied": _("Syracuse has chosen its ally already"),
        "war_been": _("the war with Illyria has been fought"),
        "no_leader": _("no leader is there, or it has happened before"),
        "unmet": _("what a defection needs is not there"),
    }
    if it.get("why") in known:
        return _("Diplomacy changes nothing: %(why)s.", why=known[str(it["why"])])
    return _("Diplomacy changes nothing.")


def scenario(it: Data) -> str:
    """The war that begins, by its title."""
    titles = {war.id: war.title for war in PUNIC_WARS.scenarios()}
    return _("%(war)s: the war begins.", war=translated(titles.get(str(it["scenario"]), "")))


SENTENCES: Mapping[str, Callable[[Data], str]] = {
    "turn": lambda it: _("Turn %(turn)s begins.", turn=it["turn"]),
    "phase": lambda it: _("%(side)s: %(phase)s.", side=side(it), phase=phase_word("punic_wars", str(it["phase"]))),
    "phase_done": lambda it: _("%(side)s ends its phase.", side=side(it)),
    "taxes": lambda it: _("%(side)s draws %(points)s of revenue.", side=side(it), points=points(it)),
    "supplied": supplied,
    "bid_written": lambda it: _("%(side)s has written its bid.", side=side(it)),
    "bid": lambda it: _("%(side)s bids %(points)s.", side=side(it), points=points(it)),
    "bids": lambda it: _("The bids: Carthage %(carthage)s, Rome %(rome)s.", carthage=it["carthage"], rome=it["rome"]),
    "diplomacy": diplomacy,
    "no_effect": no_effect,
    "revolt": lambda it: _("Revolt in %(regions)s.", regions=name(it["regions"])),
    "war": lambda it: _("War in %(region)s.", region=name(it["region"])),
    "syracuse_allied": syracuse,
    "defected": lambda it: _("%(region)s goes over to %(side)s.", region=name(it["region"]), side=side(it, "to")),
    "marker_removed": lambda it: _("The marker in %(region)s is removed.", region=name(it["region"])),
    "moved": lambda it: _("%(side)s moves from %(start)s to %(to)s.", side=side(it), start=here(it), to=name(it["to"])),
    "force": lambda it: _(
        "%(leader)s leads %(force)s to %(to)s.", leader=name(it["leader"]), force=force(it), to=name(it["to"])
    ),
    "taken": lambda it: _(
        "%(leader)s at %(place)s now leads %(force)s.", leader=name(it["leader"]), place=here(it), force=force(it)
    ),
    "finished": lambda it: _("A force of %(side)s ends its march at %(place)s.", side=side(it), place=here(it)),
    "rests": lambda it: _("%(leader)s has finished.", leader=name(it["leader"])),
    "inspected": lambda it: _("%(side)s looks at what stands at %(place)s.", side=side(it), place=here(it)),
    "relief": lambda it: _("%(side)s comes to the relief of %(place)s.", side=side(it), place=here(it)),
    "relief_failed": lambda it: _("The relief of %(place)s by %(side)s fails.", side=side(it), place=here(it)),
    "attack": lambda it: _(
        "%(side)s attacks the %(kind)s units at %(place)s.", side=side(it), kind=kind(it), place=here(it)
    ),
    "stood": lambda it: _("%(side)s stands at %(place)s.", side=side(it), place=here(it)),
    "went_inside": lambda it: _("%(side)s goes inside the walls of %(place)s.", side=side(it), place=here(it)),
    "came_out": lambda it: _("%(side)s comes out of the walls at %(place)s.", side=side(it), place=here(it)),
    "combat": combat,
    "lost": lost,
    "attrition": attrition,
    "leader_lost": lambda it: _(
        "%(side)s loses its leader %(leader)s at %(place)s.", side=side(it), leader=name(it["leader"]), place=here(it)
    ),
    "leader_turned": turned,
    "leader_placed": lambda it: _("%(side)s places a leader.", side=side(it)),
    "placed": lambda it: _("%(leader)s comes into play at %(place)s.", leader=name(it["leader"]), place=here(it)),
    "retired": lambda it: _("%(leader)s leaves his command at %(place)s.", leader=name(it["leader"]), place=here(it)),
    "elected": lambda it: _("Rome elects leaders: %(count)s.", count=it["leaders"]),
    "consuls": lambda it: _("Elected: %(leaders)s.", leaders=name(it["leaders"])),
    "fleets_taken": lambda it: _(
        "%(side)s loses the fleet in %(place)s with the city: %(points)s.",
        side=side(it, "nation"),
        place=here(it),
        points=points(it, "naval"),
    ),
    "recruiting": lambda it: _("%(side)s spends %(cost)s on recruits.", side=side(it), cost=points(it, "cost")),
    "recruited": recruited,
    "shipwrights": lambda it: (
        _("The Roman shipwrights have learned to build fleets.")
        if it["learned"]
        else _("The Roman shipwrights have not learned yet.")
    ),
    "set_up": set_up,
    "engagement": lambda it: _("Fleets meet at %(place)s.", place=name(it["place"])),
    "way": way,
    "battle_opened": lambda it: _("The battle at %(place)s is on the table.", place=name(it["place"])),
    "report": lambda it: _("%(side)s reports the outcome at sea.", side=side(it)),
    "settled": lambda it: (
        _("The meeting at sea is settled: %(side)s wins.", side=side(it, "winner"))
        if it.get("winner")
        else _("The meeting at sea is settled.")
    ),
    "scenario": scenario,
    "adjusted": lambda it: ngettext(
        "The umpire sets %(num)d field of the position.",
        "The umpire sets %(num)d fields of the position.",
        len(it.get("changes") or ()),
    ),
    "adjustment": lambda it: _("The umpire adjusts the position: %(why)s", why=it["why"]),
    "agreed": agreed,
    "resigned": lambda it: _("%(side)s gives the war up.", side=side(it)),
    "over": game_over,
    "game_over": game_over,  # its name in journals of before
}
