"""The Rulebook of Hamilcar, and the umpire."""

from __future__ import annotations

from msgspec.structs import replace

from strategic.hamilcar.rules import land, sea
from strategic.hamilcar.rules.checks import check
from strategic.hamilcar.rules.sea import voyage_prompts
from strategic.hamilcar.rules.survey import displace, leave_trains, standing, take_trains
from strategic.hamilcar.state import Handled, State, Voyage
from strategic.hamilcar.tables import BATTLE_CARDS, BATTLE_DECK, CHART, PROVINCES, ground, room
from strategic.hamilcar.view import HIDDEN
from strategic.point_to_point.rulebook import Rulebook, Task
from strategic.point_to_point.state import enemy
from strategic.point_to_point.survey import rating
from tactical.kernel import corrections
from tactical.kernel.corrections import Adjust
from tactical.kernel.dice import Dice
from tactical.kernel.protocol import Event

# -- The Rulebook of Hamilcar: as in Hannibal, except what stands here.

CITES = {
    "battle.4": "17",
    "battle.4c": "17",
    "battle.5": "14.1",
    "isolation.1": "19.4",
    "movement.general.2": "18.1",
    "movement.land.1a": "11.5",
    "movement.land.3": "18.1",
    "reading.5": "18.1",
}


def limit(state: State, general: str, task: Task, attacks: bool) -> int:
    """interception.2a, avoid.2, pursuit.2a, round.4 The battle rating, whatever is tried; 0 for nobody."""
    return rating(state, general)


def sail_back(state: State) -> tuple[State, tuple[Event, ...]]:
    """11.7.second.a, H11 The intercepted army goes back over its last lane, with the ships that brought it.

    11.7.second.example From Panormus to Messana without a new naval battle: nobody intercepts who has no supremacy.
    """
    march = state.marching()
    ships = tuple(name for name in march.escort if name in state.ready(march.side))
    state = state.put_to_sea(march.side, ships)
    state = replace(state, voyage=Voyage(march.at, march.path[-2], False, ships, back=True))
    return state.then(*voyage_prompts(enemy(march.side))[1:]), ()


BOOK: Rulebook[State] = Rulebook(
    chart=CHART,
    ground=ground,
    room=room,
    provinces=PROVINCES,
    battle_cards=BATTLE_CARDS,
    battle_deck=BATTLE_DECK,
    cites=CITES,
    isolation_order=("carthage", "rome"),
    standing=standing,
    limit=limit,
    displace=displace,
    why_not_load=sea.why_not_load,
    sail_back=sail_back,
    leave_behind=leave_trains,
    spoils=take_trains,
    battle=land.battle_of,
    hand_size=land.hand_size,
    charge_modifier=land.charge_modifier,
    sea_ways=land.sea_ways,
    why_not_siege=land.why_not_siege,
)


# -- reading.6 The umpire sets any field of a position, in the open but for the cards.


def adjust(state: State, command: Adjust, dice: Dice) -> Handled:
    """reading.6 Each change is a path (`spaces.roma.rome.units`) and its new value; contradictions are refused."""
    return corrections.adjust(state, command.changes, command.why, "reading.6", HIDDEN, check)
