"""What a seat may see, field by field. Decks and other hands are counts; the umpire sees all."""

from __future__ import annotations

from typing import Any

from strategic.hannibal.state import Battle, State
from strategic.point_to_point.state import SIDES, Side
from tactical.kernel.protocol import UMPIRE, Secret, its_own
from tactical.kernel.record import plain

# strategy.4, battle.5 What only its holder knows, and what nobody does
HIDDEN: tuple[Secret[State], ...] = (
    Secret("deck"),
    Secret("hands.*", its_own),
    Secret("battle.deck"),
    Secret("battle.hands.*", its_own),
    Secret("battle.free_initiative"),
)


def view(state: State, seat: str) -> dict[str, Any]:
    """The state as the seat may see it: the same fields as a position, hidden ones as counts."""
    if seat == UMPIRE:
        whole: dict[str, Any] = plain(state)
        return whole
    return {
        "turn": state.turn,
        "phase": state.phase,
        "spaces": plain(state.spaces),
        "generals": plain(state.generals),
        "active": state.active,
        "first": state.first,
        "opening": state.opening,
        "consuls": list(state.consuls),
        "deck": len(state.deck),
        "discard": list(state.discard),
        "removed": list(state.removed),
        "hands": {side: _hand(state.hands[side], side, seat) for side in SIDES},
        "agenda": plain(state.agenda),
        "play": plain(state.play),
        "march": plain(state.march),
        "battle": _battle(state.battle, seat) if state.battle else None,
        "lasting": plain(state.lasting),
        "preferred": list(state.preferred),
        "options": plain(state.options),
        "result": plain(state.result),
        "engagement": plain(state.engagement),
        "settled": plain(state.settled),
        **({"house": plain(state.house)} if state.house else {}),
    }


def _hand(hand: tuple[Any, ...], side: Side, seat: str) -> Any:
    """strategy.4 The own hand sorted, so that its order tells nothing of the deal; another's as a count."""
    return sorted(hand) if side == seat else len(hand)


def _battle(battle: Battle, seat: str) -> dict[str, Any]:
    """battle.5 The own battle cards; of the enemy's only what lies open."""
    return {
        "space": battle.space,
        "attacker": battle.attacker,
        "initiative": battle.initiative,
        "generals": plain(battle.generals),
        "commanders": plain(battle.commanders),
        "start": plain(battle.start),
        "came_from": battle.came_from,
        "landed": battle.landed,
        "sortie": battle.sortie,
        "sortie_size": battle.sortie_size,
        "interceptor": battle.interceptor,
        "failed_avoid": battle.failed_avoid,
        "discard": list(battle.discard),
        "hands": {side: _hand(hand, side, seat) for side, hand in battle.hands.items()},
        "shown": plain(battle.shown),
        "fewer": plain(battle.fewer),
        "charge": battle.charge,
        "fright": battle.fright,
        "no_allies": plain(battle.no_allies),
        "spies": list(battle.spies),
        "deserters": list(battle.deserters),
        "rounds": battle.rounds,
        "played": battle.played,
        "probe_used": battle.probe_used,
        "winner": battle.winner,
        "won_by": battle.won_by,
        "lost": plain(battle.lost),
    }
