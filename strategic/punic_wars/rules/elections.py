"""8.32, 8.4 How lost leaders come back, and how Rome changes its consuls every year."""

from __future__ import annotations

from msgspec.structs import replace

from strategic.punic_wars.commands import Place, Retire
from strategic.punic_wars.rules.aftermath import aftermath
from strategic.punic_wars.rules.pieces import Election
from strategic.punic_wars.state import Campaign, Handled
from strategic.punic_wars.tables import NUMBERS
from tactical.kernel.dice import Dice
from tactical.kernel.protocol import Event, Illegal, event


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


def check_retire(state: Campaign, id: str) -> None:
    """8.42 One of the Roman leaders on the map, while one has still to go."""
    if not state.election.remove:
        raise Illegal("8.42", "No leader has to leave now.")
    leader = state.leaders.get(id)
    if leader is None or leader.side != "rome" or leader.at is None:
        raise Illegal("8.42", "Name a Roman leader on the map.")


def retire(state: Campaign, command: Retire, dice: Dice) -> Handled:
    """8.42 The leader leaves the map, from wherever he is, at no cost."""
    check_retire(state, command.leader)
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


def check_place(state: Campaign, id: str, at: str) -> None:
    """8.32, 8.4, 17.21 In any hex with a friendly combat point."""
    if id not in to_place(state):
        raise Illegal("8.32", "That leader does not come into play now.")
    if at not in state.hexes_of(state.leaders[id].side):
        raise Illegal("8.32", "A leader must be placed where at least one friendly combat point stands.")


def place(state: Campaign, command: Place, dice: Dice) -> Handled:
    """8.32, 8.33, 8.4 The leader comes into play, free of movement points."""
    check_place(state, command.leader, command.hex)
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
