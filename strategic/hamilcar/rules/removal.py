"""Removing PCs as a price, the Council's first, and suing for peace when they run out."""

from __future__ import annotations

from msgspec.structs import replace

from strategic.hamilcar.commands import RemoveCouncil
from strategic.hamilcar.rules.ending import end
from strategic.hamilcar.state import Handled, State
from strategic.point_to_point.commands import Remove
from strategic.point_to_point.survey import plain_pcs
from strategic.point_to_point.tables import Side, as_side, enemy
from tactical.kernel.dice import Dice
from tactical.kernel.protocol import Event, Illegal, Offer, Prompt, event


def owe(side: Side, count: int, rule: str, why: str) -> Prompt:
    """11.7.political The question which PCs a side takes off."""
    return Prompt("remove", side, rule, {"left": count, "why": why})


def means(state: State, side: Side) -> int:
    """11.7.political How many PCs a side could take off: those on the map and in the Council."""
    return len(plain_pcs(state, side)) + (len(state.council) if side == "carthage" else 0)


def council_first(state: State) -> bool:
    """19.5.a Must the next PC of Carthage come from the Council: the first of every price?"""
    prompt = state.agenda[-1]
    return prompt.seat == "carthage" and bool(state.council) and not prompt.about.get("begun")


def remove(state: State, command: Remove, dice: Dice) -> Handled:
    """11.7.political The loser picks each PC himself: neither cities nor tribes."""
    side = as_side(state.agenda[-1].seat)
    if council_first(state):
        raise Illegal("19.5.a", "the first PC that Carthage removes must come from the Council")
    if command.space not in plain_pcs(state, side):
        raise Illegal(
            "11.7.political",
            "%(space)s has no PC that %(side)s may lose (cities and tribes do not count)",
            space=command.space,
            side=side,
        )
    state = state.with_place(command.space, replace(state.spaces[command.space], control=None))
    return _pay(state, event(state.agenda[-1].rule, "pc_removed", side=side, space=command.space))


def remove_council(state: State, command: RemoveCouncil, dice: Dice) -> Handled:
    """19.5.a Carthage takes a PC off the Council."""
    if state.agenda[-1].seat != "carthage" or command.cell not in state.council:
        raise Illegal("19.5.a", "there is no PC of Carthage in this cell of the Council")
    state = replace(state, council=tuple(cell for cell in state.council if cell != command.cell))
    return _pay(state, event(state.agenda[-1].rule, "council_pc_removed", cell=list(command.cell)))


def _pay(state: State, told: Event) -> Handled:
    left: int = state.agenda[-1].about["left"]
    return (state.asking(left=left - 1, begun=True) if left > 1 else state.answered()), (told,)


def removal_over(state: State, dice: Dice) -> Handled:
    """11.7.political Who cannot pay sues for peace and has lost; nothing to pay is nothing."""
    prompt = state.agenda[-1]
    if prompt.about["left"] <= 0:
        return state.answered(), ()
    side = as_side(prompt.seat)
    return end(state, enemy(side), prompt.rule, f"{side} sues for peace")


def offers(state: State) -> tuple[Offer, ...]:
    """19.5.a The PCs that may go; none when the price cannot be paid."""
    prompt = state.agenda[-1]
    side, left = as_side(prompt.seat), prompt.about["left"]
    if not 0 < left <= means(state, side):
        return ()
    cells = [list(cell) for cell in state.council] if side == "carthage" else []
    found = [Offer("remove_council", "19.5.a", {"cell": cells})] if cells else []
    spaces = list(plain_pcs(state, side))
    if spaces and not council_first(state):
        found.append(Offer("remove", prompt.rule, {"space": spaces}))
    return tuple(found)
