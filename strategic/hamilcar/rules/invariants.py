"""What must hold in every position of Hamilcar."""

from __future__ import annotations

from strategic.hamilcar.rules.checks import check
from strategic.hamilcar.rules.turn import deck_of
from strategic.hamilcar.state import State
from strategic.hamilcar.tables import BATTLE_DECK
from strategic.point_to_point.invariants import land_faults
from strategic.point_to_point.tables import SIDES
from tactical.kernel.record import BadInput


def invariants(state: State) -> tuple[str, ...]:
    """2.2.7, 4 Complaints about a position: contradictions, cards missing, ships astray, troops at sea unaccounted."""
    found: list[str] = []
    if state.phase != "over":
        found += _clash(state)
        found += land_faults(state)
        found += _left_open(state)
    found += _cards(state)
    found += _sea(state)
    return tuple(found)


def _clash(state: State) -> list[str]:
    """4 The checks of a position typed in."""
    try:
        check(state)
    except BadInput as wrong:
        return [str(wrong)]
    return []


def _left_open(state: State) -> list[str]:
    """L1.1 A voyage is a march's, a meeting at sea a voyage's, a naval battle a meeting's: none is left behind."""
    found = []
    if state.voyage is not None and state.march is None:
        found.append("a voyage is left open without a march")
    if state.engagement is not None and state.voyage is None:
        found.append("fleets have met, and nobody sails")
    if state.naval is not None and state.engagement is None:
        found.append("a naval battle is left open without a meeting")
    return found


def _cards(state: State) -> list[str]:
    found = []
    if state.options.cards == "deck" and state.phase != "over":
        everywhere = sorted(
            (*state.deck, *state.discard, *state.removed, *state.hands["rome"], *state.hands["carthage"])
        )
        if everywhere != sorted(deck_of(state)):
            found.append("the strategy cards are not complete")
    if state.naval is not None:
        held = [card for fleet in state.naval.fleets.values() for card in fleet.hand]
        if sorted((*state.naval.deck, *state.naval.discard, *held)) != sorted(state.tactics_deck):
            found.append("the tactics cards are not complete")
    if state.battle is not None:
        for card in set(BATTLE_DECK):
            held_ = sum(hand.count(card) for hand in state.battle.hands.values())
            if state.battle.deck.count(card) + held_ > BATTLE_DECK.count(card):
                found.append(f"there are too many {card} in the battle")
    return found


def _sea(state: State) -> list[str]:
    found = []
    sailing = set()
    if state.voyage is not None:
        sailing = {*state.voyage.ships, *state.voyage.catching}
    for side in SIDES:
        for ship in state.ships[side]:
            if ship.at_sea and ship.name not in sailing:
                found.append(f"{ship.name} is at sea with nobody")
            if ship.at_sea and not ship.ready:
                found.append(f"{ship.name} is at sea unready")
    if state.voyage is not None and state.march is not None and not state.voyage.ended:
        here = state.spaces[state.voyage.start].all_of(state.march.side)
        if not here.holds(state.march.force):
            found.append("more is at sea than stood in the last port")
    if state.naval is not None and state.engagement is not None:
        for side in SIDES:
            fleet, sent = state.naval.fleets[side], state.engagement.fleets[side]
            ships = sorted((*fleet.ready, *fleet.sunk, *fleet.taken, *fleet.shoaled))
            if ships != sorted(unit.id for unit in sent.units):
                found.append(f"the ships of {side} in the battle are not those that were sent")
            if fleet.transports + fleet.transports_lost != len(sent.transports):
                found.append(f"the transports of {side} in the battle are not those that were sent")
    return found
