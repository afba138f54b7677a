"""5.0 The march of a Punic Wars leader, asked of the engine: reach, way, points, attrition and what arrives."""

from __future__ import annotations

import json
from dataclasses import replace

from flask_babel import ngettext

from strategic.punic_wars.rules import leading
from strategic.punic_wars.rules.pieces import ENEMY
from strategic.punic_wars.rules.preview import Danger, Leg, Preview, attack_ahead, path_preview, reach_of
from strategic.punic_wars.state import Campaign
from strategic.punic_wars.view import sees
from tactical.kernel.protocol import UMPIRE, Illegal
from webapp.http.language import gettext as _
from webapp.presenting.campaign_labels import kind_word
from webapp.presenting.map import svg as map_svg
from webapp.presenting.map.layout import sheet
from webapp.presenting.march_preview import Footstep, Mark, Tint, Walk, Walker
from webapp.presenting.naming import say_value
from webapp.systems.chances import by_face
from webapp.systems.punic_wars.answers import loss_words
from webapp.systems.punic_wars.force import forces, why_barred

SYSTEM = "punic_wars"
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
        walkers, id, say_value(SYSTEM, id), _force(land, naval), leading.remaining_points(state.leaders[id]), tints
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
        leading.mover(state, id)
    except Illegal:
        return False
    return True


def force_of(state: Campaign, id: str) -> tuple[int, int]:
    """5.13 The force that follows him; all that can follow while he has taken none."""
    leader = state.leaders[id]
    if leader.land or leader.naval or leader.spent:
        return leader.land, leader.naval
    return leading.available(state, id, "land"), leading.available(state, id, "naval")


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
