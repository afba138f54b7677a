"""What a side may say and is asked in Punic Wars, and its goals and marches."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any

from flask_babel import lazy_gettext as _l
from flask_babel import ngettext

from strategic.punic_wars.rules import towns
from strategic.punic_wars.rules.attrition import can_be_supplied
from strategic.punic_wars.rules.control import control
from strategic.punic_wars.rules.geography import Barred
from strategic.punic_wars.rules.pieces import ENEMY
from strategic.punic_wars.rules.preview import (
    Danger,
    Leg,
    Preview,
    attack_ahead,
    attack_preview,
    path_preview,
    reach_of,
)
from strategic.punic_wars.rules.realm import affordable
from strategic.punic_wars.state import Campaign
from strategic.punic_wars.tables import NUMBERS
from strategic.punic_wars.view import sees
from tactical.kernel.protocol import UMPIRE, Illegal, Offer
from tactical.kernel.record import BadInput
from webapp.http.forms import count
from webapp.http.language import gettext as _
from webapp.presenting.campaign_labels import Words, kind_word, seat_word
from webapp.presenting.map import sheet as map_svg
from webapp.presenting.map.sheet import sheet
from webapp.presenting.naming import say_value
from webapp.presenting.presentation import Footstep, Goals, Mark, Tint, Walk, Walker, by_face
from webapp.presenting.refusals import refusal_text
from webapp.presenting.sentences import join_parts
from webapp.presenting.spoken import Case, Speaker
from webapp.systems.land_answers import bounds
from webapp.systems.land_march import Command, Naming, Price, goals
from webapp.systems.land_march import Fields as AnswerFields

# -- Punic Wars forces, and why a step is closed, in the reader's language.


def forces(land: int, naval: int) -> str:
    """A force in words; nothing for a leader alone."""
    parts = []
    if land:
        parts.append(ngettext("%(num)d land point", "%(num)d land points", land))
    if naval:
        parts.append(ngettext("%(num)d naval point", "%(num)d naval points", naval))
    return join_parts(parts)


def why_barred(barred: Barred) -> str:
    """Why a step is closed, in the reader's language."""
    return refusal_text("punic_wars", barred.reason)


# -- What fills the sentences of what a side may say in Punic Wars, and of what it is asked.

SYSTEM = "punic_wars"


def view_of(case: Case) -> Mapping[str, Any]:
    """The part of a view that every seat gets; the umpire's holds it beside the position."""
    inner = case.view.get("view")
    return inner if isinstance(inner, dict) else case.view


def group(case: Case) -> str:
    """19.0 (procedure) A group, or a part of it, once that is chosen."""
    it = case.it
    found = next((each for each in view_of(case).get("groups") or () if each["number"] == it.get("group")), None)
    if found is None:
        return ""
    land = found.get("land", 0) if it.get("land") is None else it["land"]
    naval = found.get("naval", 0) if it.get("naval") is None else it["naval"]
    if not isinstance(land, int) or not isinstance(naval, int):
        return ""
    led = () if it.get("leaders") is False else found.get("leaders") or ()
    return ", ".join(part for part in (forces(land, naval), case.names(*led)) if part) or case.name(found["where"])


def odds(case: Case, leader: Any, kind: Any) -> str:
    """9.0 (procedure) Ratio and losses, only where no counter in the hex hides its strength from the seat."""
    state = case.state
    if state is None or leader not in state.leaders:
        return ""
    where = state.leaders[leader].at
    stacks = view_of(case).get("hexes", {}).get(where or "", {})
    if where is None or any("top" in stack for stack in stacks.values()):
        return ""
    try:
        found = attack_preview(state, leader, kind)
    except (Illegal, BadInput):
        return ""
    return "" if found is None else loss_words(found)


def fight_odds(case: Case) -> str:
    """9.0 (procedure) The same of the attack that has been declared."""
    fight = case.state.battle if case.state is not None else None
    return odds(case, fight.leader, fight.kind) if fight is not None else ""


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


def is_open(case: Case) -> bool:
    """Is it still to be chosen how many a leader takes along?"""
    return any(low != high for low, high in (bounds(case.it.get(kind)) for kind in ("land", "naval")))


def attackers(case: Case) -> str:
    """9.16 Who attacks in a hex, as far as the threatened side sees it."""
    stacks = view_of(case).get("hexes", {}).get(str(case.it.get("hex")), {})
    for enemy, stack in stacks.items():
        if enemy == case.it.get("seat"):
            continue
        if "top" in stack:
            return _("Its strength is hidden under its top counter.")
        land, naval = (int((stack.get(kind) or {}).get("points", 0)) for kind in ("land", "naval"))
        led = case.names(*(stack.get("leaders") or ()))
        who = ", ".join(part for part in (led, forces(land, naval)) if part)
        return _("%(side)s there: %(force)s.", side=seat_word(enemy), force=who)
    return ""


def treasury(case: Case) -> str:
    """16.11 The points that a side has, where the seat may know them."""
    had = view_of(case).get("treasury", {}).get(str(case.it.get("side")))
    return "" if had is None else str(had)


def lost(case: Case) -> str:
    """11.13 How many points are to be lost, which nobody but the loser is told."""
    if (points := case.it.get("points")) is None:
        return ""
    return ngettext("%(num)d point must be lost.", "%(num)d points must be lost.", int(points))


def stands_at(case: Case) -> str:
    """Where a leader is."""
    leader = view_of(case).get("leaders", {}).get(case.it.get("leader")) or {}
    return case.name(leader.get("at") or "")


SPEAKER = Speaker(
    SYSTEM,
    {
        "asked": lambda case: (view_of(case).get("pending") or {}).get("kind"),
        "attackers": attackers,
        "fight_odds": fight_odds,
        "force": lambda case: forces(bounds(case.it.get("land"))[1], bounds(case.it.get("naval"))[1]),
        "group": group,
        "kind": lambda case: kind_word(kind) if isinstance(kind := case.it.get("kind"), str) else "",
        "lost": lost,
        "odds": lambda case: odds(case, case.it.get("leader"), case.it.get("kind")),
        "open": is_open,
        "phase": lambda case: view_of(case).get("phase"),
        "place": lambda case: case.name(case.named) if case.named else "",
        "stands": stands_at,
        "treasury": treasury,
    },
)


# -- 8.32, 11.13, 13.11, 19.0 (procedure) The goals of Punic Wars: set-up, leaders, recruits, points that are lost.

GROUNDS: Words = {
    "city": _l("city"),
    "village": _l("village"),
    "coast": _l("on the coast"),
    "land": _l("inland"),
    "sea": _l("sea"),
}


def ground(state: Campaign, at: str) -> tuple[str, ...]:
    """4.3, 10.0 What a hex is: its settlement, its ground, whose region it is."""
    place = state.chart.places[at]
    parts = [say_value(SYSTEM, place.region)] if place.region else []
    parts.append(str(GROUNDS[place.settlement.kind if place.settlement else place.terrain]))
    lord = control(state).get(place.region or "")
    if lord:
        parts.append(_("controlled by %(side)s", side=seat_word(lord)))
    return (", ".join(parts) + ".",)


def stands(state: Campaign, side: str, at: str) -> tuple[str, ...]:
    """The side's own points in a hex, and whether they can be supplied there."""
    land, naval = state.points(at, side, "land"), state.points(at, side, "naval")
    told = [_("There already: %(force)s.", force=forces(land, naval))] if land + naval else []
    if not can_be_supplied(state, at, side, control(state)):
        told.append(_("Supply does not reach this hex now."))
    return tuple(told)


def follow_placing(state: Campaign, command: Command) -> tuple[str, ...]:
    """8.32, 19.0 (procedure) Where a leader or a group comes to stand, and whom it finds there."""
    side = state.leaders[command["leader"]].side if "leader" in command else state.groups[command["group"]].side
    return (*ground(state, command["hex"]), *stands(state, side, command["hex"]))


def follow_recruiting(state: Campaign, command: Command) -> tuple[str, ...]:
    """13.11, 13.22 What the region still allows, and what the treasury holds."""
    side, at = state.phasing, command["hex"]
    left = affordable(state, state.chart.places[at].region or "", side)
    return (
        *ground(state, at),
        *stands(state, side, at),
        _(
            "Each point costs %(price)s; the region allows %(left)s more. In the treasury: %(points)s.",
            price=NUMBERS.recruiting.point_cost,
            left=left,
            points=state.treasury[side],
        ),
    )


def recruit_price(state: Campaign, command: Command) -> Price:
    """13.11 The price of one point."""
    cost = NUMBERS.recruiting.point_cost
    return Price(str(cost), ngettext("%(num)d for each point", "%(num)d for each point", cost))


def who_loses(state: Campaign, command: Command) -> str:
    """11.13 Whose points of which kind."""
    return f"{seat_word(command['nation'])}, {kind_word(command['kind'])}"


def follow_loss(state: Campaign, command: Command) -> tuple[str, ...]:
    """11.13 How many are lost in all, and what stands in the hex."""
    side, at = state.pending.seat if state.pending else "", command["hex"]
    stand = forces(state.points(at, side, "land"), state.points(at, side, "naval"))
    told = (_("There: %(force)s.", force=stand),) if stand else ()
    lost = state.owed[0].amount
    return (*told, ngettext("%(num)d point is lost in all.", "%(num)d points are lost in all.", lost))


def whole(fields: AnswerFields) -> int:
    """19.0 (procedure) A tap means the whole group."""
    return int("land" not in fields)


NAMINGS: Mapping[str, Naming] = {
    "deploy": Naming("hex", ("group",), usual=whole, follows=follow_placing),
    "place": Naming(
        "hex", ("leader",), lambda state, command: say_value(SYSTEM, command["leader"]), follows=follow_placing
    ),
    "lose": Naming(
        "hex", ("nation", "kind"), who_loses, follows=follow_loss, amount="points", begins=lambda high: None
    ),
    "recruit": Naming(
        "hex",
        ("kind",),
        lambda state, command: kind_word(command["kind"]),
        price=recruit_price,
        follows=follow_recruiting,
        amount="points",
        begins=lambda high: None,
    ),
}


def answer_goals(
    state: Campaign, seat: str, offers: Sequence[Offer], picked: str | None, where: str | None
) -> Goals | None:
    """The goals of what a side may place. Of a set-up's groups one is picked first, from the list of them all."""
    group = count(picked)
    offers = [offer for offer in offers if offer.type != "deploy" or offer.fields["group"] == group]
    return goals(SYSTEM, NAMINGS, state, seat, offers, picked, where)


# -- 5.0 The march of a Punic Wars leader, asked of the engine: reach, way, points, attrition and what arrives.

SHOWN = 6  # so many outcomes of the attrition on the way are listed


def walk(state: Campaign, seat: str, id: str | None, to: str | None) -> Walk | None:
    """The march of the leader who is chosen to the hex that was tapped; without a leader only who may be chosen."""
    if state.phase != "campaign" or state.pending is not None or state.result is not None:
        return None
    walkers = tuple(
        Walker(name, say_value(SYSTEM, name), _force(*force_of(state, name)), name == id)
        for name in state.leaders
        if can_march(state, seat, name)
    )
    if not walkers:
        return None
    if id is None or not any(walker.id == id for walker in walkers):
        return Walk(walkers)
    land, naval = force_of(state, id)
    reach = reach_of(state, id, land, naval)
    start = state.leaders[id].at or ""
    cells = map_svg.cells(sheet(SYSTEM))
    tints = tuple(Tint(at, cells[at], cost) for at, cost in reach.cost.items() if at != start)
    found = Walk(
        walkers, id, say_value(SYSTEM, id), _force(land, naval), towns.remaining_points(state.leaders[id]), tints
    )
    if to is None or to == start:
        return found
    if to not in reach.path:
        why = reach.why_not.get(to)
        barred = why_barred(why) if why else _("out of reach with the points that are left")
        return Walk(walkers, id, found.name, found.force, found.left, tints, barred=barred)
    along = _along(state, found, reach.path[to][1:], land, naval)
    return replace(along, outlook=outlook(state, seat, id, to, land, naval))


def outlook(state: Campaign, seat: str, id: str, to: str, land: int, naval: int) -> tuple[str, ...]:
    """9.12, 9.0 (procedure) The attack that he could make there, by kind; none on a stack that the seat may not see."""
    enemy = ENEMY[state.leaders[id].side]
    if not sees(state, seat, to, enemy):
        return ()
    found = ((kind, attack_ahead(state, id, to, kind, points)) for kind, points in (("land", land), ("naval", naval)))
    return tuple(
        _(
            "An attack there on %(kind)s: %(own)s against %(foe)s, %(odds)s; it costs %(cost)s.",
            kind=kind_word(kind),
            own=one["attackers"],
            foe=one["defenders"],
            odds=loss_words(one),
            cost=ngettext("%(num)d point", "%(num)d points", one["cost"]),
        )
        for kind, one in found
        if one is not None
    )


def can_march(state: Campaign, seat: str, id: str) -> bool:
    """5.11 May this seat march him now?"""
    leader = state.leaders[id]
    if leader.at is None or leader.side != state.phasing or seat not in (leader.side, UMPIRE):
        return False
    try:
        towns.mover(state, id)
    except Illegal:
        return False
    return True


def force_of(state: Campaign, id: str) -> tuple[int, int]:
    """5.13 The force that follows him; all that can follow while he has taken none."""
    leader = state.leaders[id]
    if leader.land or leader.naval or leader.spent:
        return leader.land, leader.naval
    return towns.available(state, id, "land"), towns.available(state, id, "naval")


def _along(state: Campaign, found: Walk, path: tuple[str, ...], land: int, naval: int) -> Walk:
    seen = path_preview(state, found.leader, path, land, naval)
    spots = sheet(SYSTEM).spots
    hexes = (state.leaders[found.leader].at or "", *path)
    line = "M" + "L".join(f"{spots[at].x:.1f} {spots[at].y:.1f}" for at in hexes)
    marks = tuple(Mark(spots[leg.hex].x, spots[leg.hex].y, leg.spent, bool(leg.dangers)) for leg in seen.legs)
    command: dict[str, object] = {"type": "march", "leader": found.leader, "path": list(path)}
    leader = state.leaders[found.leader]
    if (leader.land, leader.naval) != (land, naval):
        command |= {"land": land, "naval": naval}
    barred = "" if seen.legal else _("Nobody may stop there: the force must march on.")
    return Walk(
        found.walkers,
        found.leader,
        found.name,
        found.force,
        found.left,
        found.tints,
        tuple(_step(leg) for leg in seen.legs),
        line,
        marks,
        _arrives(seen, land, naval),
        json.dumps(command),
        barred,
    )


def _step(leg: Leg) -> Footstep:
    note = why_barred(leg.refused) if leg.refused else (_("enemies stand there") if leg.unknown else "")
    return Footstep(leg.hex, say_value(SYSTEM, leg.hex), leg.spent, tuple(_danger(one) for one in leg.dangers), note)


def _danger(danger: Danger) -> str:
    """One roll: what is lost with each face."""
    causes = {"sea": _("at sea"), "leaving": _("when leaving"), "mountain": _("in the mountains")}
    cause = causes.get(danger.cause, danger.cause)
    losses = ", ".join(
        _("%(faces)s: %(points)s", faces=faces, points=ngettext("%(num)d point", "%(num)d points", points))
        for faces, points in by_face(danger.points)
        if points
    )
    if not losses:
        return _("Attrition %(cause)s (%(rule)s): no losses whatever is rolled.", cause=cause, rule=danger.rule)
    return _(
        "Attrition %(cause)s (%(rule)s), losses for each roll – %(losses)s.",
        cause=cause,
        rule=danger.rule,
        losses=losses,
    )


def _arrives(seen: Preview, land: int, naval: int) -> tuple[str, ...]:
    """The chances of what arrives, when any of it can be lost."""
    if len(seen.arrives) == 1 and seen.arrives[0][:2] == (land, naval):
        return ()
    likely = sorted(seen.arrives, key=lambda one: -one[2])[:SHOWN]
    return tuple(
        _("%(chance)s%%: %(force)s", chance=max(1, round(chance * 100)), force=_force(left, ships))
        for left, ships, chance in likely
    )


def _force(land: int, naval: int) -> str:
    """A force in words."""
    return forces(land, naval) or _("alone")
