"""What a seat may see. Own units whole; of the enemy's, only what a leader has come to look at (9.12).

Treasuries, control, losses and lone markers are open to all. The bids are not (16.11), and of an enemy stack only the
top counter's kind shows (7.32), unless units of one's own stand in its hex or the game plays with open stacks.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from strategic.punic_wars.rules import towns
from strategic.punic_wars.rules.control import control, totals
from strategic.punic_wars.rules.pieces import KINDS, SIDES, SYRACUSE
from strategic.punic_wars.rules.preview import outlook
from strategic.punic_wars.rules.towns import change
from strategic.punic_wars.state import Campaign
from strategic.punic_wars.tables import COUNTERS
from tactical.kernel.protocol import SPECTATOR, UMPIRE, Seats, Secret
from tactical.kernel.record import plain


def view(state: Campaign, seat: str) -> dict[str, Any]:
    """9.12, 16.11 The position as this seat may see it; the umpire sees the position itself."""
    if seat == UMPIRE:
        return {
            **plain(state),
            "outlook": {side: outlook(state, side) for side in SIDES},
            "view": visible_part(state, seat),
        }
    return visible_part(state, seat)


def sees(state: Campaign, seat: str, at: str, side: str) -> bool:
    """9.12 May the seat look into a side's stack in a hex?"""
    if seat in (UMPIRE, side) or state.options.open_stacks or state.result is not None:
        return True
    return seat in SIDES and state.occupied(at, seat)


def visible_part(state: Campaign, seat: str) -> dict[str, Any]:
    """The public part, and the seat's own."""
    return {
        "scenario": state.scenario,
        "turn": state.turn,
        "phase": state.phase,
        "phasing": state.phasing,
        "options": plain(state.options),
        "house": plain(state.house) if state.house else None,
        "hexes": {at: _hex(state, seat, at) for at in sorted({*state.stacks, *(at for at, _side in state.led)})},
        "leaders": _leaders(state, seat),
        "treasury": state.treasury,
        "losses": state.losses,
        "bids": _bids(state, seat),
        **public(state),
        "victory": totals(state),
        "levels": plain(state.war_rules.victory),
        "shipbuilding": state.shipbuilding,
        "syracuse_bound": state.syracuse_bound,
        "war": state.war,
        "agreed": list(state.agreed),
        "active": state.active if state.active and _knows(state, seat, state.active) else None,
        "pending": _pending(state, seat),
        "engagement": plain(state.engagement) if state.engagement and seat in (UMPIRE, *SIDES) else None,
        "groups": [
            {"number": number, **plain(group)}
            for number, group in enumerate(state.groups)
            if seat in (UMPIRE, group.side)
        ],
        "election": _election(state, seat),
        "outlook": {side: outlook(state, side) for side in SIDES if seat in (UMPIRE, side)},
        "result": plain(state.result) if state.result else None,
    }


def public(state: Campaign) -> dict[str, Any]:
    """10.11, 14.11 Regions and towns: the same for every seat, so reckoned once for a position and kept beside it."""
    known: dict[str, Any] | None = state.__dict__.get("public")
    if known is None:
        lords = control(state)
        known = state.__dict__["public"] = {
            "regions": {
                name: {
                    "value": region.value,
                    "source": region.source,
                    "alignment": state.alignment.get(name),
                    "control": lords.get(name),
                    "marker": state.markers.get(name),
                }
                for name, region in state.chart.regions.items()
            },
            "towns": {at: towns.holder(state, at) for at in state.chart.towns},
        }
    return known


def _hex(state: Campaign, seat: str, at: str) -> dict[str, Any]:
    """The stacks in a hex: whole where the seat may look, else the kind of the top counter."""
    here: dict[str, Any] = {}
    for side in SIDES:
        if not state.occupied(at, side):
            continue
        look = _whole if sees(state, seat, at, side) else top
        known: dict[Any, dict[str, Any]] = state.__dict__.setdefault("seen", {})
        if (look, at, side) not in known:
            known[look, at, side] = look(state, at, side)
        here[side] = known[look, at, side]
    if SYRACUSE in state.stacks.get(at, {}) and state.owner(SYRACUSE) is None:
        stack = state.stacks[at][SYRACUSE]
        here[SYRACUSE] = {"land": stack.land, "naval": stack.naval}
    return here


def _whole(state: Campaign, at: str, side: str) -> dict[str, Any]:
    """3.2, 7.35 Points by kind with their posture and the coins that show them; leaders; whether besieged."""
    counters = COUNTERS.shown_as
    whole: dict[str, Any] = {
        kind: {
            "points": state.points(at, side, kind),
            "inside": state.inside(at, side, kind) > 0,
            "counters": list(change(state.points(at, side, kind), counters)),
        }
        for kind in KINDS
    }
    whole["syracusan"] = (
        {kind: state.stack(at, SYRACUSE).points(kind) for kind in KINDS}
        if (SYRACUSE in state.nations(at, side))
        else None
    )
    whole["leaders"] = list(state.leaders_at(at, side))
    whole["besieged"] = towns.is_besieged(state, at, side)
    return whole


def top(state: Campaign, at: str, side: str) -> dict[str, Any]:
    """7.32, 7.33 The kind of the top counter: face up leaders, land, naval; inverted the other way round."""
    leaders = [state.leaders[id] for id in state.leaders_at(at, side)]
    if any(not leader.inside for leader in leaders):
        return {"top": "leader", "inside": False}
    for kind in KINDS:
        if state.outside(at, side, kind):
            return {"top": kind, "inside": False}
    for kind in reversed(KINDS):
        if state.inside(at, side, kind):
            return {"top": kind, "inside": True}
    return {"top": "leader", "inside": True}


def _knows(state: Campaign, seat: str, id: str) -> bool:
    """May the seat know where and who this leader is?"""
    leader = state.leaders[id]
    if leader.at is None:
        return seat in (UMPIRE, leader.side)
    return sees(state, seat, leader.at, leader.side)


def _leaders(state: Campaign, seat: str) -> dict[str, Any]:
    """8.11 Leaders that the seat may see: what they lead and have spent only to their own side."""
    found: dict[str, Any] = {}
    for id, leader in state.leaders.items():
        if not _knows(state, seat, id):
            continue
        known = {"side": leader.side, "value": leader.value, "letter": leader.letter, "at": leader.at}
        found[id] = plain(leader) if seat in (UMPIRE, leader.side) else known
    return found


def _bids(state: Campaign, seat: str) -> dict[str, Any]:
    """16.11 The other's bid is only known to be written until both are."""
    both = len(state.bids) == len(SIDES)
    return {side: points if both or seat in (UMPIRE, side) else True for side, points in sorted(state.bids.items())}


def _pending(state: Campaign, seat: str) -> dict[str, Any] | None:
    """The question: to the others only who is asked, and by which rule."""
    asked = state.pending
    if asked is None:
        return None
    public: dict[str, Any] = {"kind": asked.kind, "seat": asked.seat, "rule": asked.rule}
    if asked.kind in ("threat", "engagement"):
        return {**public, "about": asked.about}
    if seat not in (UMPIRE, asked.seat):
        return public
    owed = plain(state.owed[0]) if state.owed else None
    return {**public, "about": asked.about, "owed": owed}


def _election(state: Campaign, seat: str) -> dict[str, Any]:
    """8.4 How many leaders are under way; who they are only to Rome. 8.32 Those that come back likewise."""
    mine = seat in (UMPIRE, "rome")
    return {
        "remove": state.election.remove,
        "drawn": list(state.election.drawn) if mine else len(state.election.drawn),
        "returning": list(state.returning) if seat in (UMPIRE, "carthage") else len(state.returning),
    }


def stack(state: Campaign, stars: tuple[str, ...]) -> Seats:
    """9.12 Whoever may look into a stack; neutral Syracusans stand open."""
    at, nation = stars[:2]
    side = state.owner(nation)
    looking = tuple(seat for seat in (*SIDES, SPECTATOR) if side is None or sees(state, seat, at, side))
    return None if len(looking) > len(SIDES) else looking


def leader(state: Campaign, stars: tuple[str, ...]) -> Seats:
    """8.11 What a leader leads and has spent is known to his own side."""
    found = state.leaders.get(stars[0])
    return () if found is None else (found.side,)


def bid(state: Campaign, stars: tuple[str, ...]) -> Seats:
    """16.11 A bid is its own side's until both are in."""
    return None if len(state.bids) == len(SIDES) else stars[:1]


def group(state: Campaign, stars: tuple[str, ...]) -> Seats:
    """19.0 What a side has still to set up is its own."""
    number = int(stars[0]) if stars[0].isdigit() else len(state.groups)
    return (state.groups[number].side,) if number < len(state.groups) else ()


def of_side(*sides: str) -> Callable[[Campaign, tuple[str, ...]], Seats]:
    """What these sides alone may see."""
    return lambda state, stars: sides


# what `shown` keeps back, whole or in part; the fields that no view tells are the umpire's
HIDDEN: tuple[Secret[Campaign], ...] = (
    Secret("stacks.*.*", stack),
    Secret("leaders.*", leader),
    Secret("bids.*", bid),
    Secret("groups.*", group),
    Secret("election", of_side("rome")),
    Secret("returning", of_side("carthage")),
    Secret("engagement", of_side(*SIDES)),
    *(
        Secret(name)
        for name in (
            "active",
            "must_attack",
            "attacked",
            "step",
            "battle",
            "battles",
            "tolls",
            "owed",
            "pending",
            "ledger",
            "accounts",
            "recruited",
            "recruit_control",
            "last_control",
            "roman_leaders",
            "consuls_lost",
            "defected",
            "begun",
        )
    ),
)
