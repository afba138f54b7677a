"""What a side may say in Punic Wars, and what it is asked, as sentences."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import replace
from typing import Any

from flask_babel import ngettext

from strategic.punic_wars.rules.preview import attack_preview
from strategic.punic_wars.state import Campaign
from tactical.kernel.protocol import Illegal
from tactical.kernel.record import BadInput
from webapp.http.language import gettext as _
from webapp.presenting.campaign_labels import kind_word, seat_word
from webapp.presenting.names import full_name
from webapp.presenting.naming import say_value
from webapp.presenting.picture import Asked, View
from webapp.presenting.sentences import tell
from webapp.systems.chances import by_face
from webapp.systems.land_party import bounds
from webapp.systems.punic_wars.force import forces

SYSTEM = "punic_wars"
Fields = Mapping[str, Any]


def name(value: Any) -> str:
    """A hex, region or leader by its name."""
    return say_value(SYSTEM, value)


def view_of(view: View) -> Mapping[str, Any]:
    """The part of a view that every seat gets; the umpire's holds it beside the position."""
    found: Mapping[str, Any] = view["view"] if isinstance(view.get("view"), dict) else view
    return found


def single(it: Fields, *fields: str) -> bool:
    """Is each of these fields decided?"""
    return all(isinstance(it.get(field), str) for field in fields)


def deploy(view: View, it: Fields, state: Campaign | None) -> str:
    """19.0 (procedure) A group, or a part of it, into a hex."""
    group = next((each for each in view_of(view).get("groups") or () if each["number"] == it.get("group")), None)
    if group is None or not single(it, "hex"):
        return ""
    land = group.get("land", 0) if it.get("land") is None else it["land"]
    naval = group.get("naval", 0) if it.get("naval") is None else it["naval"]
    if not isinstance(land, int) or not isinstance(naval, int):
        return ""
    led = () if it.get("leaders") is False else group.get("leaders") or ()
    who = ", ".join(part for part in (forces(land, naval), ", ".join(name(each) for each in led)) if part)
    return tell(_("%(force)s to %(place)s"), force=who or name(group["where"]), place=full_name(name(it["hex"])))


def move(view: View, it: Fields, state: Campaign | None) -> str:
    if not single(it, "leader", "to"):
        return ""
    return tell(_("%(leader)s to %(place)s"), leader=name(it["leader"]), place=full_name(name(it["to"])))


def attack(view: View, it: Fields, state: Campaign | None) -> str:
    """9.13 Who attacks whom, and the losses by the die where the enemy's numbers may be known."""
    if not single(it, "leader", "kind"):
        return ""
    words = _("%(leader)s attacks the enemy's %(kind)s", leader=name(it["leader"]), kind=kind_word(it["kind"]))
    odds = odds_words(view, it, state)
    return f"{words} – {odds}" if odds else words


def odds_words(view: View, it: Fields, state: Campaign | None) -> str:
    """9.0 (procedure) Ratio and losses, only where no counter in the hex hides its strength from the seat."""
    if state is None or it["leader"] not in state.leaders:
        return ""
    where = state.leaders[it["leader"]].at
    stacks = view_of(view).get("hexes", {}).get(where or "", {})
    if where is None or any("top" in stack for stack in stacks.values()):
        return ""
    try:
        found = attack_preview(state, it["leader"], it["kind"])
    except (Illegal, BadInput):
        return ""
    if found is None:
        return ""
    return loss_words(found)


def loss_words(found: Mapping[str, Any]) -> str:
    """9.0 (procedure) The ratio of an attack, and both sides' losses by the die."""
    faces = found["faces"]
    own = tuple(each["attacker"] for each in faces)
    foe = tuple(each["defender"] for each in faces)
    return _(
        "%(ratio)s; your own losses for each roll – %(own)s; the enemy's – %(foe)s",
        ratio=found["ratio"],
        own=runs(own),
        foe=runs(foe),
    )


def runs(lost: tuple[int, ...]) -> str:
    """Losses by the faces of the die."""
    return ", ".join(_("%(faces)s: %(points)s", faces=faces, points=count) for faces, count in by_face(lost))


def take(view: View, it: Fields, state: Campaign | None) -> str:
    if not single(it, "leader"):
        return ""
    (low_land, land), (low_naval, naval) = bounds(it.get("land")), bounds(it.get("naval"))
    if low_land != land or low_naval != naval:
        return _("%(leader)s takes along the units that you choose; the rest stay", leader=name(it["leader"]))
    if not land and not naval:
        return _("%(leader)s goes alone", leader=name(it["leader"]))
    return _("%(leader)s leads %(force)s", leader=name(it["leader"]), force=forces(land, naval))


def place(view: View, it: Fields, state: Campaign | None) -> str:
    if not single(it, "leader", "hex"):
        return ""
    return tell(_("%(leader)s to %(place)s"), leader=name(it["leader"]), place=full_name(name(it["hex"])))


def points_at(words: Callable[[str, str], str]) -> Callable[[View, Fields, Campaign | None], str]:
    """Points of a kind in a hex."""

    def sentence(view: View, it: Fields, state: Campaign | None) -> str:
        if not single(it, "hex", "kind"):
            return ""
        nation = f"{seat_word(it['nation'])}, " if isinstance(it.get("nation"), str) else ""
        return words(nation + name(it["hex"]), kind_word(it["kind"]))

    return sentence


def invert(view: View, it: Fields, state: Campaign | None) -> str:
    if it.get("inside") not in (True, False):
        return ""
    if it["inside"]:
        return _("Go inside the walls: there is no combat now, and they are besieged")
    fight = state.battle if state is not None else None
    odds = odds_words(view, {"leader": fight.leader, "kind": fight.kind}, state) if fight is not None else ""
    return _("Stand and fight outside – the attacker: %(odds)s", odds=odds) if odds else _("Stand and fight outside")


def attackers(view: View, side: str, at: str) -> str:
    """9.16 Who attacks in a hex, as far as the threatened side sees it."""
    stacks = view_of(view).get("hexes", {}).get(at, {})
    for enemy, stack in stacks.items():
        if enemy == side:
            continue
        if "top" in stack:
            return _("Its strength is hidden under its top counter.")
        land, naval = (int((stack.get(kind) or {}).get("points", 0)) for kind in ("land", "naval"))
        led = ", ".join(name(each) for each in stack.get("leaders") or ())
        who = ", ".join(part for part in (led, forces(land, naval)) if part)
        return _("%(side)s there: %(force)s.", side=seat_word(enemy), force=who)
    return ""


def bid(view: View, it: Fields, state: Campaign | None) -> str:
    """16.11 to 16.13 What the points are written for, and what becomes of them."""
    had = view_of(view).get("treasury", {}).get(str(it.get("side")))
    text = _("The bids modify the diplomacy roll by 1 in favour of the side that bids more; all points bid are spent.")
    return text if had is None else f"{text} " + _("In the treasury: %(points)s.", points=had)


def turn(view: View, it: Fields, state: Campaign | None) -> str:
    if not single(it, "leader"):
        return ""
    place = name((view_of(view).get("leaders", {}).get(it["leader"]) or {}).get("at") or "")
    if it.get("inside") is True:
        return _("%(leader)s goes inside the walls: %(place)s", leader=name(it["leader"]), place=place)
    return _("%(leader)s comes out: %(place)s", leader=name(it["leader"]), place=place)


def come_out(view: View, it: Fields, state: Campaign | None) -> str:
    if not single(it, "hex", "kind"):
        return ""
    return _("%(kind)s come out from behind the walls of %(place)s", kind=kind_word(it["kind"]), place=name(it["hex"]))


def end_words(view: View, it: Fields, state: Campaign | None) -> str:
    phase = view_of(view).get("phase")
    words = {"campaign": _("End the campaign: supply comes next"), "recruit": _("Stop recruiting: the turn goes on")}
    return words.get(str(phase), "")


def accept(view: View, it: Fields, state: Campaign | None) -> str:
    asked = view_of(view).get("pending") or {}
    if asked.get("kind") == "losses":
        return _("Take the losses as proposed")
    if asked.get("kind") == "commander":
        return _("The proposed leader takes command")
    phase = view_of(view).get("phase")
    words = {"setup": _("Set up the rest as proposed"), "election": _("Place the leaders as proposed")}
    return words.get(str(phase), "")


SAID: Mapping[str, Callable[[View, Fields, Campaign | None], str]] = {
    "bid": bid,
    "deploy": deploy,
    "move": move,
    "attack": attack,
    "take": take,
    "place": place,
    "invert": invert,
    "turn": turn,
    "come_out": come_out,
    "done": end_words,
    "accept": accept,
    "lose": points_at(lambda where, kind: _("%(kind)s, %(place)s", kind=kind, place=where)),
    "recruit": points_at(lambda where, kind: _("%(kind)s, %(place)s", kind=kind, place=where)),
    "finish": lambda view, it, state: (
        _("%(leader)s has finished", leader=name(it["leader"])) if single(it, "leader") else ""
    ),
    "retire": lambda view, it, state: name(it["leader"]) if single(it, "leader") else "",
    "command": lambda view, it, state: name(it["leader"]) if single(it, "leader") else "",
}


def answer(view: View, command: Mapping[str, Any], state: Campaign | None = None) -> str:
    """A command of Punic Wars in words; empty while something in it is still to be chosen."""
    saying = SAID.get(str(command.get("type")))
    return saying(view, command, state) if saying else ""


def recount(command: Mapping[str, Any]) -> str:
    """A command of Punic Wars that was given, in words; empty where these would need the position of that moment."""
    return answer({}, command)


def question_of(view: View, asked: Asked | None) -> Asked | None:
    """9.16, 11.13 What threatens whom, and how much is lost for what."""
    if asked is None:
        return None
    about, hint = asked.about, ""
    if asked.kind == "threat":
        text = _(
            "The enemy attacks the %(kind)s at %(place)s.",
            kind=kind_word(str(about.get("kind"))),
            place=name(about.get("hex")),
        )
        text = " ".join(part for part in (text, attackers(view, asked.seat, str(about.get("hex")))) if part)
    elif asked.kind == "losses":
        hint = _("Tap a ringed hex of the map, or accept the proposal.")
        text = ""
        if "points" in about:  # how many is told to nobody but the loser
            text = ngettext("%(num)d point must be lost.", "%(num)d points must be lost.", int(about["points"]))
        text = " ".join(part for part in (cause_words(str(about.get("cause") or "")), text) if part)
    else:
        return asked
    return replace(asked, text=text, about={}, hint=hint)


def cause_words(cause: str) -> str:
    """For what points are lost."""
    words = {
        "combat": _("After combat."),
        "unsupplied": _("For lack of supply."),
        "unpaid": _("For lack of pay."),
        "sea": _("At sea."),
        "revolt": _("By revolt."),
        "leaving": _("When leaving."),
        "mountain": _("In the mountains."),
        "siege": _("By the siege."),
    }
    return words.get(cause, "")
