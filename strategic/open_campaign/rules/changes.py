"""Small named changes of a position: ships lost, fleets split and joined, ships that change sides."""

from __future__ import annotations

from collections.abc import Iterable

from msgspec.structs import replace

from strategic.open_campaign.state import Ship, State, Status
from tactical.kernel.protocol import Event

Handled = tuple[State, tuple[Event, ...]]
MOST_DEEDS = 12  # lines of a ship's history that are kept


def remove_ships(state: State, ships: Iterable[str], status: Status, by: str | None = None) -> State:
    """O2.1 The position without these ships in any fleet; their sheets say what became of them."""
    lost = set(ships)
    if not lost:
        return state
    state = state.with_ships({each: replace(state.ships[each], status=status, captured_by=by) for each in sorted(lost)})
    for name in tuple(state.at_sea()):
        left = tuple(each for each in state.fleets[name].ships if each not in lost)
        if left != state.fleets[name].ships:
            state = state.with_fleet(name, ships=left)
    return state


def detach_ships(state: State, name: str, ships: tuple[str, ...], new: str, called: str = "") -> State:
    """O2.2 The position with some ships of a fleet as a fleet of its own, in the same place."""
    fleet = state.fleets[name]
    left = tuple(each for each in fleet.ships if each not in ships)
    own = replace(fleet, ships=ships, name=called or f"{fleet.name} II", admiral="", seamanship=0, fight=0)
    fleets = {**state.fleets, name: replace(fleet, ships=left), new: own}
    return replace(state, fleets=dict(sorted(fleets.items())))


def scatter(state: State, name: str, ships: tuple[str, ...]) -> State:
    """O4.2 The position with ships of a fleet astray, with those that were so already."""
    new = f"{name}-strays"
    if new not in state.fleets or not state.fleets[new].ships:
        state = detach_ships(state, name, ships, new, state.fleets[name].name)
        return state.with_fleet(new, strays_of=name)
    left = tuple(each for each in state.fleets[name].ships if each not in ships)
    state = state.with_fleet(name, ships=left)
    return state.with_fleet(new, ships=tuple(sorted((*state.fleets[new].ships, *ships))))


def join_fleets(state: State, name: str, other: str) -> State:
    """O2.2 The position with all ships of a fleet in another; the better admiral commands, the leaner larder counts."""
    one, two = state.fleets[name], state.fleets[other]
    led = max((two, one), key=lambda fleet: fleet.seamanship + fleet.fight)
    both = replace(
        two,
        ships=tuple(sorted((*two.ships, *one.ships))),
        provisions=min(one.provisions, two.provisions),
        water=min(one.water, two.water),
        weary=max(one.weary, two.weary),
        hungry=max(one.hungry, two.hungry),
        thirsty=max(one.thirsty, two.thirsty),
        admiral=led.admiral,
        seamanship=led.seamanship,
        fight=led.fight,
    )
    return replace(state, fleets={**state.fleets, other: both, name: replace(one, ships=())})


def add_line(ship: Ship, deed: str) -> Ship:
    """O2.1 A ship with one line more in her history."""
    return replace(ship, history=(*ship.history, deed)[-MOST_DEEDS:])
