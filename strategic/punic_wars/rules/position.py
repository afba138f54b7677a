"""Positions typed in by people: completed with defaults, and refused with the path of a contradiction."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any, TypeVar

from msgspec.structs import replace

from strategic.punic_wars.rules.aftermath import aftermath
from strategic.punic_wars.rules.check_pending import check_pending
from strategic.punic_wars.rules.control import control
from strategic.punic_wars.rules.geography import stop_distance
from strategic.punic_wars.rules.house_rules import HOUSE
from strategic.punic_wars.rules.leading import remaining_points
from strategic.punic_wars.rules.phases import ORDER, WORK
from strategic.punic_wars.rules.pieces import KINDS, SIDES, SIRACUSA, SYRACUSE, Account, Leader, Ledger, Stack
from strategic.punic_wars.state import Campaign
from strategic.punic_wars.tables import LEADERS, NUMBERS, SCENARIOS, limit
from tactical.kernel.reason import Reason, because
from tactical.kernel.record import BadInput, read

NATIONS = (*SIDES, SYRACUSE)
T = TypeVar("T")


def read_position(raw: Mapping[str, Any]) -> Campaign:
    """The position as a checked state; fields left out take their defaults. BadInput names the contradiction."""
    state: Campaign = read(dict(raw), Campaign, "")
    if state.scenario not in SCENARIOS:
        raise BadInput(
            "scenario",
            "there is no scenario called %(scenario)s; the scenarios are %(known)s",
            scenario=state.scenario,
            known=tuple(SCENARIOS),
        )
    HOUSE.check_kept(state.house)
    state = complete(state)
    if "holders" not in raw:
        state = replace(state, holders=garrisons(state))
    check(state)
    in_mid_rule = state.result is not None or state.pending is not None or state.phase == "setup"
    return state if in_mid_rule else aftermath(state)[0]


def complete(state: Campaign) -> Campaign:
    """14.11, 19.14.A, 19.24.A, 19.34.A Alignments, leaders off the map, treasuries and accounts left out."""
    scenario = state.war_rules
    start = {name: region.alignment[state.scenario] for name, region in state.chart.regions.items()}
    nothing: dict[str, int] = {side: 0 for side in SIDES}
    roman = sum(len(group.leaders) for group in scenario.group if group.side == "rome")
    state = replace(
        state,
        leaders=fill(state.leaders, pool(state.scenario)),
        alignment=fill(state.alignment, start),
        treasury=fill(state.treasury, nothing),
        losses=fill(state.losses, nothing),
        roman_leaders=state.roman_leaders or roman,
        stacks={
            at: {nation: stack for nation, stack in here.items() if stack.land or stack.naval}
            for at, here in state.stacks.items()
            if any(stack.land or stack.naval for stack in here.values())
        },
    )
    if state.phase == "recruit" and state.begun and not state.recruit_control:
        state = replace(state, recruit_control=control(state))
    return reopen_accounts(state) if set(state.accounts) < set(SIDES) or not state.ledger else state


def garrisons(state: Campaign) -> dict[str, str]:
    """10.11, P18 Settlements with land points inside, which nobody says who holds: it is they who were last alone."""
    found: dict[str, str] = {}
    for at, here in state.stacks.items():
        nations = [nation for nation, stack in here.items() if stack.inside("land")]
        if nations:
            found[at] = next((nation for nation in nations if nation != SYRACUSE), SYRACUSE)
    return found


def fill(given: dict[str, T], defaults: dict[str, T]) -> dict[str, T]:
    """What was given, in its order, and then what was left out."""
    return {**given, **{name: value for name, value in defaults.items() if name not in given}}


def reopen_accounts(state: Campaign) -> Campaign:
    """15.0 New accounts that start from the position as it is."""
    return replace(
        state,
        accounts={side: Account(opening=state.treasury[side]) for side in SIDES},
        ledger={nation: Ledger(state.in_play(nation, "land"), state.in_play(nation, "naval")) for nation in NATIONS},
    )


def balance(state: Campaign) -> Campaign:
    """15.0 The position with accounts that fit it: its own where they do, else new ones."""
    return state if not list(wrong_accounts(state)) else reopen_accounts(state)


def wrong_accounts(state: Campaign) -> Iterator[tuple[str, Reason]]:
    """15.0, 7.35 Where treasuries and points on the map are not what accounts and ledgers give, with the reason."""
    for side in SIDES:
        if state.accounts.get(side, Account()).balance != state.treasury[side]:
            yield f"treasury.{side}", Reason("the accounts do not add up; leave `accounts` out")
    for nation in NATIONS:
        book = state.ledger.get(nation, Ledger())
        for kind, present in (("land", book.land_in - book.land_lost), ("naval", book.naval_in - book.naval_lost)):
            if present != state.in_play(nation, kind):
                yield (
                    f"ledger.{nation}",
                    because("this is not the number of %(kind)s points on the map; leave `ledger` out", kind=kind),
                )


def pool(scenario: str) -> dict[str, Leader]:
    """8.4, 19.14.B, 19.34.B All leader counters of a scenario, off the map."""
    without = SCENARIOS[scenario].special.without_value
    return {
        counter.id: Leader("rome" if counter.side == "rome" else "carthage", counter.value, counter.letter, fate="pool")
        for counter in LEADERS.values()
        if counter.value != without
    }


def check(state: Campaign) -> None:
    """Every contradiction that a position can hold, with its path."""
    HOUSE.check_kept(state.house)
    if state.phase not in WORK:
        raise BadInput("phase", "this must be one of %(known)s", known=tuple(WORK))
    if state.phase not in ("setup", "over") and (state.phasing, state.phase) not in ORDER:
        raise BadInput(
            "phasing", "the %(phase)s phase is not one of %(phasing)s (4.2)", phase=state.phase, phasing=state.phasing
        )
    if state.turn < 1:
        raise BadInput("turn", "the first turn is turn 1")
    for name, lord in state.alignment.items():
        if name not in state.chart.regions or lord not in (*SIDES, "neutral", "closed"):
            raise BadInput(f"alignment.{name}", "a known region must be rome, carthage, neutral or closed")
    for at, here in state.stacks.items():
        if at not in state.chart.places:
            raise BadInput(f"stacks.{at}", "there is no such hex")
        for nation, stack in here.items():
            _check_stack(state, at, nation, stack)
        _check_inside(state, at)
    _check_limits(state)
    for id, leader in state.leaders.items():
        _check_leader(state, id, leader)
    if sum(1 for man in state.leaders.values() if man.side == "rome" and man.at) > state.roman_leaders:
        raise BadInput("leaders", "Rome has at most %(most)s leaders on the map (8.41)", most=state.roman_leaders)
    for side in SIDES:
        if state.treasury[side] < 0:
            raise BadInput(f"treasury.{side}", "a treasury cannot be below 0")
    for path, reason in wrong_accounts(state):
        raise BadInput(path, reason)
    check_pending(state)


def _check_stack(state: Campaign, at: str, nation: str, stack: Stack) -> None:
    """5.25, 5.32, 10.21, 17.0 Points of a known nation where they may stand."""
    path = f"stacks.{at}.{nation}"
    place = state.chart.places[at]
    if nation not in NATIONS:
        raise BadInput(path, "a nation must be carthage, rome or syracuse")
    if nation == SYRACUSE and at != NUMBERS.places.syracuse:
        raise BadInput(path, "Syracusan units can never leave 3315 (17.0)")
    for kind in KINDS:
        if stack.points(kind) < 0:
            raise BadInput(f"{path}.{kind}", "points cannot be below 0")
        if stack.inside(kind) and place.settlement is None:
            raise BadInput(f"{path}.{kind}_inside", "units can be inside only a city or a village (10.21)")
        if sum(stack.served(kind).values()) > stack.points(kind):
            raise BadInput(f"{path}.served_{kind}", "more points have already moved or fought than stand there (5.24)")
    if stack.naval and place.terrain == "land":
        raise BadInput(f"{path}.naval", "fleets cannot stand in an all-land hex (5.32)")
    if place.region and state.alignment.get(place.region) == "closed":
        raise BadInput(path, "no unit may stand in %(region)s (19.14.E, 19.24.D)", region=place.region)
    mover = state.leaders.get(state.active or "")
    if not place.can_stop and (mover is None or mover.at != at or mover.side != nation):
        raise BadInput(path, "only a force that is moving can be in an all-sea or mountain hex (5.25)")
    if place.region == SIRACUSA and state.alignment.get(SIRACUSA) == "neutral":
        if nation != SYRACUSE:
            raise BadInput(path, "combat units in a neutral Syracuse have driven it to the enemy's side (17.11)")
        for kind in KINDS:
            if stack.inside(kind):
                raise BadInput(f"{path}.{kind}_inside", "neutral Syracusans have no enemy and cannot go inside (17.11)")
    ally = state.owner(SYRACUSE)
    if nation == SYRACUSE and ally is not None:
        friends = state.stack(at, ally)
        for kind in KINDS:
            if friends.points(kind) and stack.points(kind) and friends.inside(kind) != stack.inside(kind):
                raise BadInput(
                    f"{path}.{kind}_inside",
                    "units must have the same posture as their ally's units of that kind (7.34)",
                )


def _check_inside(state: Campaign, at: str) -> None:
    """10.22, P18 One side at most is inside a settlement, and it is the side that holds it."""
    inside = {
        state.owner(nation) or nation
        for nation, stack in state.stacks[at].items()
        for kind in KINDS
        if stack.inside(kind)
    }
    if len(inside) > 1:
        raise BadInput(f"stacks.{at}", "both sides are inside; only the holder of a city or village can go in (10.22)")
    nation = state.holders.get(at)
    if inside and nation is not None and (state.owner(nation) or nation) not in inside:
        raise BadInput(f"holders.{at}", "the side inside must hold the city or village (10.22)")


def _check_limits(state: Campaign) -> None:
    """7.35 (limits) The counter mix."""
    for nation in NATIONS:
        for kind in KINDS:
            if state.in_play(nation, kind) > limit(nation, kind):
                raise BadInput(
                    "stacks",
                    "%(nation)s has at most %(most)s %(kind)s points (7.35)",
                    nation=nation,
                    most=limit(nation, kind),
                    kind=kind,
                )


def _check_leader(state: Campaign, id: str, leader: Leader) -> None:
    """8.11, 8.31, 5.13 A known counter, on the map or off it, with a force that is there."""
    path = f"leaders.{id}"
    counter = LEADERS.get(id)
    if counter is None or counter.side != leader.side:
        raise BadInput(path, "there is no such leader counter")
    if counter.value == state.war_rules.special.without_value:
        raise BadInput(
            path, "leaders of value %(value)s are not in this scenario (19.14.B, 19.34.B)", value=counter.value
        )
    if leader.value != counter.value:
        raise BadInput(f"{path}.value", "this counter has the value %(value)s", value=counter.value)
    if not 0 <= leader.spent <= NUMBERS.movement.allowance:
        raise BadInput(
            f"{path}.spent",
            "a leader can spend only 0 to %(points)s movement points",
            points=NUMBERS.movement.allowance,
        )
    if leader.at is None:
        if not leader.fate:
            raise BadInput(f"{path}.at", "a leader must be in a hex, or `fate` must say where he is")
        return
    if leader.at not in state.chart.places:
        raise BadInput(f"{path}.at", "there is no hex %(at)s", at=leader.at)
    if leader.fate:
        raise BadInput(f"{path}.fate", "a leader on the map has no fate: leave it empty")
    region = state.chart.places[leader.at].region
    if region and state.alignment.get(region) == "closed":
        raise BadInput(f"{path}.at", "no unit may stand in %(region)s", region=region)
    if leader.inside and state.chart.places[leader.at].settlement is None:
        raise BadInput(f"{path}.inside", "units can be inside only a city or a village (10.21)")
    if not state.chart.places[leader.at].can_stop:
        if state.active != id or leader.finished:
            raise BadInput(f"{path}.at", "only a leader who is moving can be in an all-sea or mountain hex (5.25)")
        away = stop_distance(state, leader.at, leader.land, leader.naval, frozenset())
        if away is None or away * NUMBERS.movement.hex_cost > remaining_points(leader):
            raise BadInput(
                f"{path}.spent", "he would not have enough points left to reach a hex where he may stop (5.25)"
            )
    for kind in KINDS:
        if leader.force(kind) > state.stack(leader.at, leader.side).points(kind):
            raise BadInput(f"{path}.{kind}", "he leads more points than there are in the hex")
