"""4.0, 8.0, 19.0 The phases of a turn, elections, setting up, and what follows by itself."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from itertools import product

from msgspec.structs import replace

from strategic.punic_wars import commands as c
from strategic.punic_wars.commands import Accept, Deploy, Lose, Place, Retire
from strategic.punic_wars.commands import Command as NameCommander
from strategic.punic_wars.rules import attrition, combat, control, movement, realm, towns
from strategic.punic_wars.rules.control import aftermath, worth
from strategic.punic_wars.rules.pieces import KINDS, SIDES, SYRACUSE, Election, Group, Side
from strategic.punic_wars.state import Campaign, Handled
from strategic.punic_wars.tables import LEADERS, NUMBERS, Scenario
from tactical.kernel.dice import Dice
from tactical.kernel.protocol import Event, Illegal, event

# -- 19.0 (procedure) Setting up: fixed hexes at once, areas by their owner's choice, all units face up.


def groups_of(scenario: Scenario) -> tuple[Group, ...]:
    """19.11 to 19.33 The set-up list with leader counters of the values named, in order of their letters (8.11)."""
    free = {id: counter for id, counter in LEADERS.items()}
    groups: tuple[Group, ...] = ()
    for listed in scenario.group:
        leaders: tuple[str, ...] = ()
        for value in listed.leaders:
            id = next(id for id, c in free.items() if c.side == listed.side and c.value == value)
            del free[id]
            leaders += (id,)
        groups += (
            Group(
                listed.side, listed.where, listed.usual or listed.where, listed.cite, listed.land, listed.naval, leaders
            ),
        )
    return groups


def hexes_for(state: Campaign, group: Group, naval: bool) -> tuple[str, ...]:
    """19.0 (procedure) The hexes for a group: any of the region where such units may stand (5.25, 5.32)."""
    places = state.chart.places
    named = (group.where,) if group.where in places else state.chart.region_hexes[group.where]
    return tuple(at for at in named if places[at].can_stop and not (naval and places[at].terrain != "coast"))


def check_deploy(state: Campaign, command: Deploy) -> tuple[int, int]:
    """19.0 (procedure) Points that the group still has, in a hex of its area."""
    if state.phase != "setup" or command.group >= len(state.groups):
        raise Illegal("19.0 (procedure)", "There is no such group to set up.")
    group = state.groups[command.group]
    land = group.land if command.land is None else command.land
    naval = group.naval if command.naval is None else command.naval
    if land > group.land or naval > group.naval:
        raise Illegal(
            "19.0 (procedure)",
            "Points left in this group: %(land)s land, %(naval)s naval.",
            land=group.land,
            naval=group.naval,
        )
    if not land + naval and not (command.leaders and group.leaders):
        raise Illegal("19.0 (procedure)", "This group has nothing to set up.")
    if command.hex not in hexes_for(state, group, naval > 0):
        raise Illegal(
            "19.0 (procedure)",
            "These units must be set up in %(where)s, where they may stand (5.25, 5.32).",
            where=group.where,
        )
    return land, naval


def deploy(state: Campaign, command: Deploy, dice: Dice) -> Handled:
    """19.0 (procedure) The owner sets up part of a group or all of it."""
    land, naval = check_deploy(state, command)
    group = state.groups[command.group]
    leaders = group.leaders if command.leaders else ()
    state = put(state, group.side, command.hex, land, naval, leaders)
    left = replace(
        group,
        land=group.land - land,
        naval=group.naval - naval,
        leaders=() if command.leaders else group.leaders,
    )
    rest = (left,) if left.land + left.naval or left.leaders else ()
    groups = state.groups[: command.group] + rest + state.groups[command.group + 1 :]
    return replace(state, groups=groups), (told_of(group, command.hex, land, naval, leaders),)


def told_of(group: Group, at: str, land: int, naval: int, leaders: tuple[str, ...]) -> Event:
    """The event `set_up`, which only the owner hears."""
    force = {"land": land, "naval": naval, "leaders": list(leaders)}
    return event(group.cite, "set_up", (group.side,), False, side=group.side, hex=at, **force)


def put(state: Campaign, side: str, at: str, land: int, naval: int, leaders: tuple[str, ...]) -> Campaign:
    """Units on the map, face up."""
    state = state.raised(at, side, "land", land).raised(at, side, "naval", naval)
    for id in leaders:
        state = state.with_leader(id, state.leaders[id].placed(at))
    return state


def fixed_set_up(state: Campaign) -> Campaign:
    """17.0, 19.0 (procedure) Groups that the list puts in one hex, the Syracusans among them."""
    for group in state.groups:
        if group.where in state.chart.places or group.side == SYRACUSE:
            state = put(state, group.side, group.where, group.land, group.naval, group.leaders)
    left = tuple(group for group in state.groups if group.where not in state.chart.places)
    return replace(state, groups=left)


def usual_hex(state: Campaign, group: Group) -> str:
    """The hex proposed, or another of the region where a group's own map does not allow it."""
    possible = hexes_for(state, group, group.naval > 0)
    return group.usual if group.usual in possible else possible[0]


def usual_set_up(state: Campaign, side: str) -> Handled:
    """19.0 (procedure) All that the side has still to set up goes to the hexes proposed in the scenario file."""
    events: tuple[Event, ...] = ()
    for group in state.groups:
        if group.side == side:
            at = usual_hex(state, group)
            state = put(state, side, at, group.land, group.naval, group.leaders)
            events += (told_of(group, at, group.land, group.naval, group.leaders),)
    if not events:
        raise Illegal("19.0 (procedure)", "You have set up everything.")
    return replace(state, groups=tuple(group for group in state.groups if group.side != side)), events


# -- 8.32, 8.4 How lost leaders come back, and how Rome changes its consuls every year.


def on_map(state: Campaign, side: str) -> tuple[str, ...]:
    """A side's leaders on the map, by id."""
    return tuple(sorted(id for id, leader in state.leaders.items() if leader.side == side and leader.at is not None))


def open_phase(state: Campaign, dice: Dice) -> Handled:
    """8.4, 4.2.B.1, 19.0 Rome removes two leaders, all when it has fewer; none is elected on turn 1.

    8.42 With more than two he chooses. Ruling P15: two are drawn, and one more for each lost (8.43), never above the
    scenario's number (8.41).
    """
    if state.turn == 1:
        return state, ()
    there = on_map(state, "rome")
    numbers = NUMBERS.elections
    if len(there) > numbers.removed:
        return replace(state, election=Election(numbers.removed, numbers.drawn)), ()
    events: tuple[Event, ...] = ()
    for id in there:
        state, more = _retire(state, id)
        events += more
    state, more = draw(replace(state, election=Election(0, numbers.drawn)), dice)
    return state, events + more


def check_retire(state: Campaign, command: Retire) -> None:
    """8.42 One of the Roman leaders on the map, while one has still to go."""
    if not state.election.remove:
        raise Illegal("8.42", "No leader has to leave now.")
    leader = state.leaders.get(command.leader)
    if leader is None or leader.side != "rome" or leader.at is None:
        raise Illegal("8.42", "Name a Roman leader on the map.")


def retire(state: Campaign, command: Retire, dice: Dice) -> Handled:
    """8.42 The leader leaves the map, from wherever he is, at no cost."""
    check_retire(state, command)
    state, events = _retire(state, command.leader)
    state = replace(state, election=replace(state.election, remove=state.election.remove - 1))
    if state.election.remove:
        return state, events
    state, more = draw(state, dice)
    return state, events + more


def usual_retirement(state: Campaign) -> str:
    """The proposal: the leader of least value, and of those one without points beside him."""
    there = on_map(state, "rome")
    return min(there, key=lambda id: (state.leaders[id].value, state.total(state.leaders[id].at or "", "rome"), id))


def _retire(state: Campaign, id: str) -> Handled:
    leader = state.leaders[id]
    happened = event("8.42", "retired", only=("rome",), leader=id, hex=leader.at)
    return state.with_leader(id, leader.removed("pool")), (happened,)


def draw(state: Campaign, dice: Dice) -> Handled:
    """8.4, 8.41, 8.43, 19.24.C The pool is mixed and drawn unseen, with one more for each leader lost."""
    want = state.election.to_draw + state.consuls_lost
    want = min(want, state.roman_leaders - len(on_map(state, "rome")))
    pool = sorted(
        id for id, leader in state.leaders.items() if leader.side == "rome" and leader.fate in ("pool", "lost")
    )
    elected = dice.shuffled(pool)[: max(0, want)] if state.hexes_of("rome") else ()
    for id in pool:
        state = state.with_leader(id, state.leaders[id].removed("pool"))
    state = replace(state, election=Election(0, 0, elected), consuls_lost=0)
    told = event("8.4", "elected", leaders=len(elected))
    own = event("8.4", "consuls", only=("rome",), reveals=True, leaders=list(elected))
    return state, (told, own)


def bring_back(state: Campaign) -> Campaign:
    """8.32 A lost Carthaginian leader comes back at the start of the next Carthaginian campaign phase."""
    if state.phasing != "carthage" or not state.hexes_of("carthage"):
        return state
    back = tuple(
        sorted(id for id, leader in state.leaders.items() if leader.side == "carthage" and leader.fate == "lost")
    )
    return replace(state, returning=back)


def to_place(state: Campaign) -> tuple[str, ...]:
    """Leaders that wait for a hex now."""
    return state.returning or state.election.drawn


def check_place(state: Campaign, command: Place) -> None:
    """8.32, 8.4, 17.21 In any hex with a friendly combat point."""
    if command.leader not in to_place(state):
        raise Illegal("8.32", "That leader does not come into play now.")
    if command.hex not in state.hexes_of(state.leaders[command.leader].side):
        raise Illegal("8.32", "A leader must be placed where at least one friendly combat point stands.")


def place(state: Campaign, command: Place, dice: Dice) -> Handled:
    """8.32, 8.33, 8.4 The leader comes into play, free of movement points."""
    check_place(state, command)
    leader = state.leaders[command.leader]
    state = state.with_leader(command.leader, leader.placed(command.hex))
    state = replace(
        state,
        returning=tuple(id for id in state.returning if id != command.leader),
        election=replace(state.election, drawn=tuple(id for id in state.election.drawn if id != command.leader)),
    )
    happened = event("8.32", "placed", only=(leader.side,), leader=command.leader, hex=command.hex)
    state, events = aftermath(state)
    return state, (event("8.32", "leader_placed", side=leader.side), happened, *events)


def usual_place(state: Campaign, id: str) -> str:
    """The proposal: beside the largest force that can move and has no leader (8.21), else beside the largest."""
    side = state.leaders[id].side

    def led(at: str) -> tuple[bool, int, str]:
        own = state.stack(at, side)
        return own.land + own.naval > 0 and not state.leaders_at(at, side), own.land + own.naval, at

    return max(state.hexes_of(side), key=led)


# -- Answers to questions in mid-rule, and what goes on when the last one is given.


def resume(state: Campaign, dice: Dice) -> Handled:
    """The move or the attack that waited for losses goes on."""
    if state.pending is not None:
        return state, ()
    if state.step is not None:
        return movement.enter(state, dice)
    if state.battle is not None:
        return combat.close(state)
    return aftermath(state)


def lose(state: Campaign, command: Lose, dice: Dice) -> Handled:
    """11.13, 11.21, 11.31, 12.32 The owner chooses which points are lost."""
    state, events = combat.choose(state, command)
    state, more = resume(state, dice)
    return state, events + more


def accept(state: Campaign, command: Accept, dice: Dice) -> Handled:
    """The proposal of the program stands for the owner's choice (19.0 procedure, 8.22, 8.32, 8.4, 11.13)."""
    kind = state.pending.kind if state.pending else ""
    if state.phase == "setup":
        return usual_set_up(state, command.side)
    if kind == "losses":
        state, events = combat.propose(state)
        state, more = resume(state, dice)
        return state, events + more
    if kind == "commander" and state.pending is not None:
        return combat.command(state, NameCommander(state.pending.about["leaders"][0]), dice)
    if state.election.remove and command.side == "rome":
        return retire(state, Retire(usual_retirement(state)), dice)
    waiting = to_place(state)
    if waiting and not kind and state.leaders[waiting[0]].side == command.side:
        return place(state, Place(waiting[0], usual_place(state, waiting[0])), dice)
    raise Illegal("4.1", "There is no proposal for you to answer now.")


# -- 4.0 Two player turns of five phases: which comes next, what happens by itself, who has something to do.

# 4.2 Carthage is first in every scenario; Rome elects instead of diplomacy.
ORDER: tuple[tuple[Side, str], ...] = (
    ("carthage", "diplomacy"),  # 4.2.A.1
    ("carthage", "tax"),  # 4.2.A.2
    ("carthage", "campaign"),  # 4.2.A.3
    ("carthage", "supply"),  # 4.2.A.4
    ("carthage", "recruit"),  # 4.2.A.5
    ("rome", "election"),  # 4.2.B.1
    ("rome", "tax"),  # 4.2.B.2
    ("rome", "campaign"),  # 4.2.B.3
    ("rome", "supply"),  # 4.2.B.4
    ("rome", "recruit"),  # 4.2.B.5
)


def next_phase(state: Campaign) -> Handled:
    """4.1, 4.2.C The next box; after the Roman recruiting phase a new game turn."""
    if state.phase == "setup":
        state, events = aftermath(state)
        return state.in_phase("diplomacy", "carthage", state.turn), events
    at = ORDER.index((state.phasing, state.phase)) + 1
    if at < len(ORDER):
        side, phase = ORDER[at]
        return state.in_phase(phase, side, state.turn), ()
    if is_empty(state) or (state.options.turn_limit and state.turn >= state.options.turn_limit):
        result = control.judge(state, "18.0")
        told = event("18.0", "over", winner=result.winner, level=result.level, points=result.points)
        return state.ended(result), (told,)
    new = state.in_phase("diplomacy", "carthage", state.turn + 1)
    return new, (event("4.2.C", "turn", turn=new.turn),)


def is_empty(state: Campaign) -> bool:
    """18.0 Has neither side a combat point or a region that pays? Then no turn would ever bring anything again."""
    return not any(state.hexes_of(side) or worth(state, side) for side in SIDES)


def is_held(state: Campaign) -> bool:
    """19.0, 19.34.C Does the phase take place? Neither diplomacy nor election on turn 1, no diplomacy in scenario 3."""
    if state.phase == "diplomacy":
        return realm.is_held(state)
    return state.phase != "election" or state.turn > 1


def begin(state: Campaign, dice: Dice) -> Handled:
    """The automatic part of a phase, once."""
    state, events = aftermath(state.having_begun())
    if state.result is not None:
        return state, events
    if is_held(state):
        events += (event("4.1", "phase", phase=state.phase, side=state.phasing),)
    more: tuple[Event, ...] = ()
    if state.phase == "election":
        state, more = open_phase(state, dice)
    elif state.phase == "tax":
        state, more = realm.tax(state)
    elif state.phase == "campaign":
        state = bring_back(state)
    elif state.phase == "supply":
        state, more = attrition.pay(state)
    elif state.phase == "recruit":
        state, more = realm.open_phase(state, dice)
    return state, events + more


def leave(state: Campaign, dice: Dice) -> Handled:
    """What happens by itself: rolls that are due, the beginning of a phase, the next phase."""
    if state.tolls:
        state, events = attrition.next_toll(state, dice)
        if state.pending is not None:
            return state, events
        state, more = aftermath(state)
        return state, events + more
    if not state.begun and state.phase != "setup":
        return begin(state, dice)
    if state.phase == "diplomacy":
        state = realm.conclude(state) if realm.is_held(state) else state
    return next_phase(state)


def can_act_in_campaign(state: Campaign) -> bool:
    """Leaders to place, to move, or units that may come out."""
    if state.returning or any(
        leader.side == state.phasing and leader.at is not None and not leader.finished
        for leader in state.leaders.values()
    ):
        return True
    return any(
        state.inside(at, state.phasing, kind)
        and (not towns.is_besieged(state, at, state.phasing) or at in state.attacked)
        for at in state.hexes_of(state.phasing)
        for kind in KINDS
    )


def recruit_offers(state: Campaign) -> Iterator[tuple[str, str, int]]:
    """13.0 Every hex and kind with the most points that may be added there now, and paid for."""
    for at, kind in product(state.chart.towns, KINDS):
        try:
            points = realm.most(state, at, kind)
        except Illegal:
            continue
        if points:
            yield at, kind, points


# the boxes of the track, and the set-up before and the end after them
WORK: dict[str, Callable[[Campaign], bool]] = {
    "setup": lambda state: bool(state.groups),
    "diplomacy": lambda state: realm.is_held(state) and len(state.bids) < 2,
    "election": lambda state: bool(state.election.remove or state.election.drawn),
    "tax": lambda state: False,
    "campaign": can_act_in_campaign,
    "supply": lambda state: False,
    "recruit": lambda state: any(True for _ in recruit_offers(state)),
    "over": lambda state: True,
}


def is_open(state: Campaign) -> bool:
    """Has anybody something to do or to answer?"""
    if state.result is not None or state.pending is not None:
        return True
    if state.tolls or (not state.begun and state.phase != "setup"):
        return False
    return WORK[state.phase](state)


def check_done(state: Campaign, command: c.Done) -> None:
    """5.25, 10.29, 8.32 Nobody is at sea, in mountains or bound to attack, and all leaders are placed."""
    if state.pending is None and not is_open(state):
        return  # a position that waits for the next phase, whose dice could not fall when it was set up
    if state.phase not in ("campaign", "recruit"):
        raise Illegal("4.1", "This phase ends automatically.")
    if state.returning:
        raise Illegal("8.32", "Place the leaders that have come back first.")
    if state.active is not None:
        movement.check_finish(state, c.Finish(state.active))


def finish(state: Campaign, command: c.Done, dice: Dice) -> Handled:
    """4.1 The phasing player has finished his campaign or his recruiting."""
    check_done(state, command)
    if not is_open(state):
        return state, ()
    state, events = next_phase(state)
    return state, (event("4.1", "phase_done", side=command.side), *events)
