"""Positions typed in, questions that fit together, what always holds."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from typing import Any, TypeVar

from msgspec.structs import replace

from strategic.punic_wars.rules.charts import HOUSE
from strategic.punic_wars.rules.control import aftermath, control
from strategic.punic_wars.rules.geography import stop_distance
from strategic.punic_wars.rules.phases import ORDER, WORK
from strategic.punic_wars.rules.pieces import ENEMY, KINDS, SIDES, SIRACUSA, SYRACUSE, Account, Leader, Ledger, Stack
from strategic.punic_wars.rules.towns import available, remaining_points
from strategic.punic_wars.state import Campaign, Handled
from strategic.punic_wars.tables import LEADERS, NUMBERS, SCENARIOS, limit
from strategic.punic_wars.view import HIDDEN
from tactical.kernel import corrections
from tactical.kernel.corrections import Adjust
from tactical.kernel.dice import Dice
from tactical.kernel.protocol import Event
from tactical.kernel.questions import faults as question_faults
from tactical.kernel.record import BadInput, Reason, because, read

# -- What stands in a position beside the units: names that must exist, and questions that must fit together.


def check_pending(state: Campaign) -> None:
    """Every contradiction that is not about a stack or a leader, with its path."""
    _names(state)
    _election(state)
    _groups(state)
    _losses(state)
    _attack(state)
    _question(state)


def _check_names(path: str, names: Iterable[str], known: Mapping[str, object] | Iterable[str], what: str) -> None:
    known = set(known)
    for name in names:
        if name not in known:
            raise BadInput(f"{path}.{name}" if path else name, "there is no such %(what)s", what=what)


def _names(state: Campaign) -> None:
    """Sides, regions and hexes by their names."""
    chart = state.chart
    for field, about in (("treasury", state.treasury), ("losses", state.losses), ("bids", state.bids)):
        _check_names(field, about, SIDES, "side")
        for side, points in about.items():
            if points < 0:
                raise BadInput(f"{field}.{side}", "this cannot be below 0")
    are_paid = len(state.bids) == len(SIDES)  # 16.13 both are paid at once, when the second one is written
    for side, points in state.bids.items():
        if not are_paid and points > state.treasury[side]:
            raise BadInput(f"bids.{side}", "the bid is higher than the treasury (16.11)")
    _check_names("accounts", state.accounts, SIDES, "side")
    _check_names("ledger", state.ledger, (*SIDES, SYRACUSE), "nation")
    _check_names("holders", state.holders, chart.places, "hex")
    _check_names("holders", state.holders.values(), (*SIDES, SYRACUSE), "nation")
    for field, lords in (("last_control", state.last_control), ("recruit_control", state.recruit_control)):
        _check_names(field, lords, chart.regions, "region")
        _check_names(field, lords.values(), SIDES, "side")
    _check_names("recruited", state.recruited, chart.regions, "region")
    _check_names("defected", state.defected, chart.regions, "region")
    _check_names("markers", state.markers, chart.regions, "region")
    _check_names("markers", state.markers.values(), chart.places, "hex")
    _check_names("agreed", state.agreed, SIDES, "side")
    _check_names("attacked", state.attacked, chart.places, "hex")
    may_defect = regions_that_defect(state)
    for field, named in (("defected", state.defected), ("markers", state.markers)):
        for region in named:
            if region not in may_defect:
                raise BadInput(f"{field}.{region}", "this region cannot defect in this scenario (16.36)")
    if state.war and not state.war_rules.special.illyrian_war:
        raise BadInput("war", "there is no war with Illyria in this scenario (16.34)")
    if SIRACUSA in state.defected and SIRACUSA not in state.markers and state.scenario == "1":
        raise BadInput("markers", "a marker in a region that began neutral can never be removed (16.44)")
    for field, id in (("active", state.active), ("must_attack", state.must_attack)):
        if id is not None and (id not in state.leaders or state.leaders[id].at is None):
            raise BadInput(field, "there is no such leader on the map")
    if state.active is not None and state.leaders[state.active].side != state.phasing:
        raise BadInput("active", "only the phasing player may move (5.11)")


def regions_that_defect(state: Campaign) -> frozenset[str]:
    """16.36, 19.34.C The regions that a result of the scenario's table may name; none where it has no table."""
    name = state.war_rules.diplomacy
    rows = state.sheet.diplomatic(name).rows if name is not None else ()
    return frozenset(region for row in rows if row.result == "defection" for region in row.regions)


def _election(state: Campaign) -> None:
    """8.4, 8.32 Leaders that come into play are off the map."""
    for field, ids in (("election.drawn", state.election.drawn), ("returning", state.returning)):
        _check_names(field, ids, state.leaders, "leader")
        for id in ids:
            if state.leaders[id].at is not None:
                raise BadInput(f"{field}.{id}", "this leader is already on the map")
            if not state.hexes_of(state.leaders[id].side):
                raise BadInput(f"{field}.{id}", "his side has no combat point on the map to place him beside (8.32)")
    there = sum(1 for man in state.leaders.values() if man.side == "rome" and man.at is not None)
    if not 0 <= state.election.remove <= there:
        raise BadInput("election.remove", "that many leaders cannot leave the map (8.42)")
    if state.election.to_draw < 0 or state.consuls_lost < 0:
        raise BadInput("election", "numbers of leaders cannot be below 0")


def _groups(state: Campaign) -> None:
    """19.0 (procedure) Groups that wait for their hex, with leaders that are off the map."""
    for number, group in enumerate(state.groups):
        path = f"groups[{number}]"
        _check_names(f"{path}.side", (group.side,), SIDES, "side")
        _check_names(f"{path}.where", (group.where,), (*state.chart.regions, *state.chart.places), "region or hex")
        _check_names(f"{path}.leaders", group.leaders, state.leaders, "leader")
        if group.land < 0 or group.naval < 0 or not (group.land + group.naval or group.leaders):
            raise BadInput(path, "a group must have points or leaders")


def _losses(state: Campaign) -> None:
    """9.31, 11.0 Losses owed and rolls to come, of points that are there."""
    for number, owed in enumerate(state.owed):
        path = f"owed[{number}]"
        if owed.leader is not None and (owed.leader not in state.leaders or not state.leaders[owed.leader].at):
            raise BadInput(f"{path}.leader", "there is no such leader on the map")
        if owed.amount < 0:
            raise BadInput(f"{path}.amount", "points cannot be below 0")
        for pool in owed.pools:
            if not 0 <= pool.points <= state.stack(pool.hex, pool.nation).points(pool.kind):
                raise BadInput(
                    f"{path}.pools", "there are not that many %(kind)s points in %(hex)s", kind=pool.kind, hex=pool.hex
                )
            if owed.leader is not None and pool.hex != state.leaders[owed.leader].at:
                raise BadInput(f"{path}.pools", "a leader's losses must be taken where he stands")
    for number, toll in enumerate(state.tolls):
        if toll.hex is not None and toll.hex not in state.chart.places:
            raise BadInput(f"tolls[{number}].hex", "there is no such hex")
        if toll.points < 0:
            raise BadInput(f"tolls[{number}].points", "points cannot be below 0")
    step = state.step
    if step is not None:
        man = state.leaders.get(step.leader)
        if man is None or man.at is None or step.to not in state.chart.sides.get(man.at, {}):
            raise BadInput("step", "a leader on the map can step only into an adjacent hex")


def _attack(state: Campaign) -> None:
    """9.0 An attack that has been declared: its leader in its hex, enemies there, a commander who is there."""
    fight = state.battle
    if fight is None:
        return
    man = state.leaders.get(fight.leader)
    if man is None or man.at != fight.hex or man.side != fight.side or fight.side != state.phasing:
        raise BadInput(
            "battle.leader",
            "the attack must be led by a leader of the phasing side who is in the hex of the attack (9.13)",
        )
    if not state.points(fight.hex, ENEMY[fight.side], fight.kind) or not state.points(
        fight.hex, fight.side, fight.kind
    ):
        raise BadInput("battle", "an attack needs points of its kind on both sides (9.15)")
    if fight.commander is not None and fight.commander not in state.leaders_at(fight.hex, ENEMY[fight.side]):
        raise BadInput("battle.commander", "this leader does not stand in the hex (8.22)")
    if man.spent + NUMBERS.combat.face_up_cost > NUMBERS.movement.allowance and not fight.answered:
        raise BadInput("battle.leader", "the leader cannot pay for the attack (9.14)")


def _question(state: Campaign) -> None:
    """A question with what it is about: an attack, an engagement, or losses."""
    asked, fight = state.pending, state.battle
    if asked is None:
        return
    for path, reason in question_faults("punic_wars", state, (asked,), SIDES, "pending"):
        raise BadInput(path, reason)
    if asked.kind == "losses":
        if not state.owed or state.owed[0].side != asked.seat:
            raise BadInput("owed", "losses can be asked only of a side that has losses to take")
        if not 0 < state.owed[0].amount <= sum(pool.points for pool in state.owed[0].pools):
            raise BadInput("owed[0].amount", "that many points cannot be lost there")
        return
    if state.phase != "campaign" or fight is None:
        raise BadInput("battle", "this question can be open only during an attack")
    if asked.kind == "commander" and asked.about.get("leaders") != list(state.leaders_at(fight.hex, ENEMY[fight.side])):
        raise BadInput("pending.about", "the leaders to choose from must be those in the hex (8.22)")
    if asked.kind == "engagement":
        meeting = state.engagement
        if meeting is None or asked.about.get("engagement") != meeting.id or fight.kind != "naval":
            raise BadInput("engagement", "this question can be open only during an engagement")


# -- What must hold after every command, whatever was played.


def invariants(state: Campaign) -> tuple[str, ...]:
    """Points and money accounted for, nobody where he may not stand, counters within the mix; what is broken."""
    return (*accounts(state), *places(state), *leaders(state))


def accounts(state: Campaign) -> tuple[str, ...]:
    """15.0, 7.35 Treasuries and points to the unit."""
    found: tuple[str, ...] = ()
    for side in SIDES:
        if state.treasury[side] < 0 or state.accounts[side].balance != state.treasury[side]:
            found += (f"15.0 the treasury of {side} does not match its accounts",)
    for nation, book in state.ledger.items():
        for kind, present in (("land", book.land_in - book.land_lost), ("naval", book.naval_in - book.naval_lost)):
            if present != state.in_play(nation, kind):
                found += (f"{kind} points of {nation} are not accounted for",)
            if state.in_play(nation, kind) > limit(nation, kind):
                found += (f"7.35 {nation} has more {kind} points than counters",)
    return found


def places(state: Campaign) -> tuple[str, ...]:
    """5.25, 5.32, 5.33, 10.21, 17.0, 19.14.E No unit where it may not stand."""
    found: tuple[str, ...] = ()
    mover = state.leaders.get(state.active or "")
    for at, here in state.stacks.items():
        place = state.chart.places[at]
        for nation, stack in here.items():
            if stack.land < 0 or stack.naval < 0 or not stack.land + stack.naval:
                found += (f"an empty or negative stack in {at}",)
            if stack.naval and place.terrain == "land":
                found += (f"5.32 fleets in the all-land hex {at}",)
            if not place.can_stop and (mover is None or mover.at != at or mover.side != nation):
                found += (f"5.25 points left in {at}",)
            if place.terrain == "sea" and stack.land > stack.naval:
                found += (f"5.33 land points at sea without ships in {at}",)
            if place.region and state.alignment.get(place.region) == "closed":
                found += (f"19.14.E points in closed {place.region}",)
            if nation == SYRACUSE and at != NUMBERS.places.syracuse:
                found += (f"17.0 Syracusans in {at}",)
            for kind in KINDS:
                if stack.inside(kind) and place.settlement is None:
                    found += (f"10.21 units inside without a settlement in {at}",)
                if sum(stack.served(kind).values()) > stack.points(kind):
                    found += (f"5.24 more {kind} points have served in {at} than stand there",)
        for side in SIDES:
            for kind in KINDS:
                if 0 < state.inside(at, side, kind) < state.points(at, side, kind):
                    found += (f"7.34 {kind} points of {side} in two postures in {at}",)
    return found


def leaders(state: Campaign) -> tuple[str, ...]:
    """3.2 (movement allowance), 8.31, 8.41, 5.13 Leaders in play, their points and their forces."""
    found: tuple[str, ...] = ()
    for id, leader in state.leaders.items():
        if not 0 <= leader.spent <= NUMBERS.movement.allowance:
            found += (f"leader {id} has spent {leader.spent}",)
        if (leader.at is None) != bool(leader.fate):
            found += (f"leader {id} is neither on the map nor off it",)
        if leader.at is not None:
            if not state.chart.places[leader.at].can_stop and state.active != id:
                found += (f"5.25 leader {id} has stopped in {leader.at}",)
            for kind in KINDS:
                if leader.force(kind) > available(state, id, kind):
                    found += (f"5.24 leader {id} leads more {kind} points than can follow him",)
    roman = sum(1 for leader in state.leaders.values() if leader.side == "rome" and leader.at is not None)
    if roman > state.roman_leaders:
        found += ("8.41 too many Roman leaders",)
    return found


# -- Positions typed in by people: completed with defaults, and refused with the path of a contradiction.

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


# -- The umpire's hand.


def adjust(state: Campaign, command: Adjust, dice: Dice) -> Handled:
    """The umpire sets fields by their paths, with a reason; the position that results is checked like any other."""
    rule = "L1.4" if state.pending else "4.1"
    new, told = corrections.adjust(
        state, command.changes, command.why, rule, HIDDEN, check, lambda changed: balance(complete(changed))
    )
    events: tuple[Event, ...] = ()
    if new.result is None and new.pending is None and new.phase != "setup":
        new, events = aftermath(new)
    return new, (*told, *events)
