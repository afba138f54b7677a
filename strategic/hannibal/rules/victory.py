"""The political count, PCs removed as a price, and the end of the game."""

from __future__ import annotations

from msgspec.structs import replace

from strategic.hannibal.rules.survey import points
from strategic.hannibal.state import Handled, State
from strategic.hannibal.tables import ITALIAN, TABLES
from strategic.point_to_point.commands import Remove
from strategic.point_to_point.rulebook import box
from strategic.point_to_point.state import Side, enemy, over
from strategic.point_to_point.survey import controls, plain_pcs, provinces_under, side_of_prompt
from tactical.kernel.dice import Dice
from tactical.kernel.protocol import Illegal, Offer, Prompt, event, offer

# -- Removing PCs as a price, and suing for peace when they run out.


def remove(state: State, command: Remove, dice: Dice) -> Handled:
    """losses.5 The loser picks each PC himself: any own PC that is neither city nor tribe (reading.3)."""
    prompt, side = state.agenda[-1], side_of_prompt(state)
    if command.space not in plain_pcs(state, side):
        raise Illegal(
            "reading.3",
            "%(space)s has no PC that %(side)s may lose (cities and tribes do not count)",
            space=command.space,
            side=side,
        )
    state = state.with_place(command.space, replace(state.spaces[command.space], control=None))
    left: int = prompt.about["left"]
    state = state.asking(left=left - 1) if left > 1 else state.answered()
    return state, (event(prompt.rule, "pc_removed", side=side, space=command.space, why=prompt.about.get("why")),)


def removal_over(state: State, dice: Dice) -> Handled:
    """losses.7 Who cannot pay sues for peace; nothing to pay is nothing."""
    prompt = state.agenda[-1]
    if prompt.about["left"] <= 0:
        return state.answered(), ()
    side = side_of_prompt(state)
    rule = "victory.4" if prompt.about.get("why") == "points" else "losses.7"
    return over(state, enemy(side), rule, f"{side} sues for peace")


def remove_choices(state: State) -> tuple[Offer, ...]:
    """losses.5, reading.3 The PCs that may go, where they are enough to pay with."""
    prompt = state.agenda[-1]
    spaces = plain_pcs(state, side_of_prompt(state))
    return offer("remove", prompt.rule, space=spaces) if 0 < prompt.about["left"] <= len(spaces) else ()


BOX = box("remove", "losses.5", {Remove: remove}, remove_choices, leave=removal_over)


# -- The political count and the end of the game.


def victory_check(state: State, dice: Dice) -> Handled:
    """victory.3 Count the provinces; the side behind removes PCs, or the game ends.

    victory.7 It ends where Carthage controls every province of Italy but Latium.
    """
    rome, carthage = points(state, "rome"), points(state, "carthage")
    counted = event(
        "victory.2",
        "count",
        turn=state.turn,
        rome=rome,
        carthage=carthage,
        provinces={"rome": list(provinces_under(state, "rome")), "carthage": list(provinces_under(state, "carthage"))},
    )
    if all(controls(state, "carthage", province) for province in ITALIAN if province != "latium"):
        state, events = over(state, "carthage", "victory.7", "Carthage controls all Italy but Latium")
        return state, (counted, *events)
    if state.turn >= TABLES.turns.last:
        winner: Side = "rome" if rome > carthage else "carthage"
        why = f"{rome} to {carthage} provinces" + (": a tie is Carthage's" if rome == carthage else "")
        state, events = over(state, winner, "victory.5", why)
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


def on_capital_fall(state: State, taker: Side) -> Handled:
    """victory.6 The enemy's capital has fallen."""
    return over(state, taker, "victory.6", f"the capital of {enemy(taker)} has fallen")
