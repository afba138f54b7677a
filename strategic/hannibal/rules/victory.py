"""The political count, PCs removed as a price, and the end of the game."""

from __future__ import annotations

from msgspec.structs import replace

from strategic.hannibal.rules.survey import points
from strategic.hannibal.state import Result, State
from strategic.hannibal.tables import ITALIAN, TABLES
from strategic.point_to_point.commands import Remove
from strategic.point_to_point.state import Side, enemy
from strategic.point_to_point.survey import controls, plain_pcs, provinces_under
from tactical.kernel.dice import Dice
from tactical.kernel.protocol import Event, Illegal, Offer, Prompt, event, refuse

# -- Removing PCs as a price, and suing for peace when they run out.


def end(state: State, winner: Side, rule: str, why: str) -> tuple[State, tuple[Event, ...]]:
    """victory.5 The campaign is over; a battle or a meeting at sea that was going on is over, too."""
    state = replace(
        state,
        result=Result(winner, why),
        phase="over",
        agenda=(),
        play=None,
        march=None,
        battle=None,
        engagement=None,
        active=None,
    )
    return state, (event(rule, "over", winner=winner, why=why),)


def must_remove(state: State) -> bool:
    """losses.5 Has the side asked enough PCs to pay with?"""
    prompt = state.agenda[-1]
    left: int = prompt.about["left"]
    return 0 < left <= len(plain_pcs(state, _side(prompt.seat)))


def why_not_remove(state: State, side: Side, space: str) -> Illegal | None:
    """reading.3 Any own PC that is neither city nor tribe."""
    if space not in plain_pcs(state, side):
        return Illegal(
            "reading.3",
            "%(space)s has no PC that %(side)s may lose (cities and tribes do not count)",
            space=space,
            side=side,
        )
    return None


def remove(state: State, command: Remove, dice: Dice) -> tuple[State, tuple[Event, ...]]:
    """losses.5 The loser picks each PC himself (reading.3)."""
    prompt = state.agenda[-1]
    side = _side(prompt.seat)
    refuse(why_not_remove(state, side, command.space))
    state = state.with_place(command.space, replace(state.spaces[command.space], control=None))
    left: int = prompt.about["left"]
    state = state.asking(left=left - 1) if left > 1 else state.answered()
    return state, (event(prompt.rule, "pc_removed", side=side, space=command.space, why=prompt.about.get("why")),)


def removal_over(state: State, dice: Dice) -> tuple[State, tuple[Event, ...]]:
    """losses.7 Who cannot pay sues for peace; nothing to pay is nothing."""
    prompt = state.agenda[-1]
    if prompt.about["left"] <= 0:
        return state.answered(), ()
    side = _side(prompt.seat)
    rule = "victory.4" if prompt.about.get("why") == "points" else "losses.7"
    return end(state, enemy(side), rule, f"{side} sues for peace")


def offers(state: State) -> tuple[Offer, ...]:
    """reading.3 The PCs that may go."""
    prompt = state.agenda[-1]
    return (Offer("remove", prompt.rule, {"space": list(plain_pcs(state, _side(prompt.seat)))}),)


def _side(seat: str) -> Side:
    return "rome" if seat == "rome" else "carthage"


# -- The political count and the end of the game.


def is_italy_lost(state: State) -> bool:
    """victory.7 Does Carthage control every province of Italy but Latium?"""
    return all(controls(state, "carthage", province) for province in ITALIAN if province != "latium")


def victory_check(state: State, dice: Dice) -> tuple[State, tuple[Event, ...]]:
    """victory.3 Count the provinces; the side behind removes PCs, or the game ends."""
    rome, carthage = points(state, "rome"), points(state, "carthage")
    counted = event(
        "victory.2",
        "count",
        turn=state.turn,
        rome=rome,
        carthage=carthage,
        provinces={"rome": list(provinces_under(state, "rome")), "carthage": list(provinces_under(state, "carthage"))},
    )
    if is_italy_lost(state):
        state, events = end(state, "carthage", "victory.7", "Carthage controls all Italy but Latium")
        return state, (counted, *events)
    if state.turn >= TABLES.turns.last:
        winner: Side = "rome" if rome > carthage else "carthage"
        why = f"{rome} to {carthage} provinces" + (": a tie is Carthage's" if rome == carthage else "")
        state, events = end(state, winner, "victory.5", why)
        return state, (counted, *events)
    state = next_turn(state)
    if rome == carthage:
        return state, (counted,)
    behind: Side = "rome" if rome < carthage else "carthage"
    prompt = Prompt("remove", behind, "victory.3", {"left": abs(rome - carthage), "why": "points"})
    return state.then(prompt), (counted, event("victory.3", "behind", side=behind, by=abs(rome - carthage)))


def next_turn(state: State) -> State:
    """sequence.6 The turn closes: effects for the turn end, and the next begins with reinforcements."""
    state = state.now(naval_victory=False)
    return replace(state, turn=state.turn + 1, phase="reinforcements", first=None, opening=None, active=None)


def on_capital_fall(state: State, taker: Side) -> tuple[State, tuple[Event, ...]]:
    """victory.6 The enemy's capital has fallen."""
    return end(state, taker, "victory.6", f"the capital of {enemy(taker)} has fallen")
