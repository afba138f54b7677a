"""What stands in a position beside the units: names that must exist, and questions that must fit together."""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from strategic.punic_wars.rules.pieces import ENEMY, SIDES, SIRACUSA, SYRACUSE
from strategic.punic_wars.state import Campaign
from strategic.punic_wars.tables import NUMBERS
from tactical.kernel.record import BadInput

QUESTIONS = {"threat": "9.16", "commander": "8.22", "losses": "9.31", "engagement": "L1.1"}


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
    if asked.kind not in QUESTIONS:
        raise BadInput("pending.kind", "a question must be one of %(questions)s", questions=tuple(QUESTIONS))
    if asked.seat not in SIDES:
        raise BadInput("pending.seat", "a question must go to rome or carthage")
    if asked.kind == "losses":
        if not state.owed or state.owed[0].side != asked.seat:
            raise BadInput("owed", "losses can be asked only of a side that has losses to take")
        if not 0 < state.owed[0].amount <= sum(pool.points for pool in state.owed[0].pools):
            raise BadInput("owed[0].amount", "that many points cannot be lost there")
        return
    if fight is None or state.phase != "campaign":
        raise BadInput("battle", "this question can be open only during an attack")
    if asked.kind == "commander" and asked.about.get("leaders") != list(state.leaders_at(fight.hex, ENEMY[fight.side])):
        raise BadInput("pending.about", "the leaders to choose from must be those in the hex (8.22)")
    if asked.kind == "engagement":
        meeting = state.engagement
        if meeting is None or asked.about.get("engagement") != meeting.id or fight.kind != "naval":
            raise BadInput("engagement", "this question can be open only during an engagement")
