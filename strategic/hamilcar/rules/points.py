"""8.2 The points of a card, split among PCs, the Council, repairs and trains."""

from __future__ import annotations

from msgspec.structs import replace

from strategic.hamilcar.commands import CouncilPc, Points, Repair, Supply
from strategic.hamilcar.rules.hand import check_hand, spend
from strategic.hamilcar.rules.in_progress import Play
from strategic.hamilcar.rules.operations import active_side
from strategic.hamilcar.rules.ships import repair, why_not_repair
from strategic.hamilcar.state import Handled, State
from strategic.hamilcar.tables import ALL_CELLS, ground
from strategic.point_to_point.commands import Done, Put
from strategic.point_to_point.pieces import Troops
from strategic.point_to_point.survey import (
    train_room,
)
from strategic.point_to_point.tables import Side, enemy
from tactical.kernel.dice import Dice
from tactical.kernel.protocol import Illegal, Offer, Prompt, event, refuse


def points(state: State, command: Points, dice: Dice) -> Handled:
    """8.2 Play a card for its points, which may be split among PCs, the Council, repairs and trains."""
    side = active_side(state)
    card = check_hand(state, side, command.card)
    state, events = spend(state.answered(), side, command.card, "points")
    state = replace(state, play=Play(command.card, side, card.ops))
    prompt = Prompt("points", side, "8.2", {"left": card.ops})
    return state.then(prompt, Prompt("impulse_over", "", "strategy.4")), events


def spend_point(state: State, price: int = 1) -> State:
    """8.2 So many points less; with none left the card is done."""
    left: int = state.agenda[-1].about["left"] - price
    return state.asking(left=left) if left > 0 else state.answered()


def may_put(state: State, side: Side, space: str) -> bool:
    """strategy.ops.2a An empty space without enemy CUs; or an enemy PC, no city and no tribe, under own CUs."""
    place = state.spaces[space]
    if place.tribe or place.control == side:
        return False
    if place.control is None:
        return not place.all_of(enemy(side)).size
    if ground(space).city or place.all_of(enemy(side)).size:
        return False
    return place.outside(side).size > 0


def put(state: State, command: Put, dice: Dice) -> Handled:
    """strategy.ops.2 One PC on the map."""
    side = active_side(state)
    if command.space not in state.spaces or not may_put(state, side, command.space):
        raise Illegal(
            "strategy.ops.2a", "%(side)s cannot place or flip a PC in %(space)s", side=side, space=command.space
        )
    state = spend_point(state).with_place(command.space, replace(state.spaces[command.space], control=side))
    return state, (event("8.2", "pc_placed", side=side, space=command.space),)


def council(state: State, command: CouncilPc, dice: Dice) -> Handled:
    """19.5, 8.2.c, 22.2.d Carthage places a PC in an empty cell of the Council."""
    side = active_side(state)
    if side != "carthage":
        raise Illegal("19.5", "only Carthage can place a marker in the Council")
    if command.cell not in free_cells(state):
        raise Illegal("19.5", "cell %(cell)s of the Council is not free", cell=str(list(command.cell)))
    price = 1
    state = replace(spend_point(state, price), council=tuple(sorted((*state.council, command.cell))))
    return state, (event("19.5", "council_pc", cell=list(command.cell)),)


def free_cells(state: State) -> tuple[tuple[int, int], ...]:
    """19.5, H.council The empty cells; one PC a cell."""
    return tuple(cell for cell in ALL_CELLS if cell not in state.council)


def repair_ship(state: State, command: Repair, dice: Dice) -> Handled:
    """8.2.b, 22.2.c One ship for a point."""
    side = active_side(state)
    refuse(why_not_repair(state, side, command.ship))
    return repair(spend_point(state, state.tables.budget.repair), side, (command.ship,), state.agenda[-1].rule)


def may_supply(state: State, side: Side, space: str, inside: bool) -> bool:
    """8.2.1, 8.2.1.limit With an army, or inside an own city up to its limit; into a besieged city nothing comes."""
    place = state.spaces[space]
    if not inside:
        return place.outside(side).size > 0
    if not ground(space).city or place.control != side or place.besieged():
        return False
    return train_room(state, space) > 0


def supply(state: State, command: Supply, dice: Dice) -> Handled:
    """8.2.d, 22.2.f One train for a point."""
    side = active_side(state)
    if command.at not in state.spaces or not may_supply(state, side, command.at, command.inside):
        if command.inside:
            raise Illegal("8.2.1", "no supply train of %(side)s can be placed inside %(at)s", side=side, at=command.at)
        raise Illegal("8.2.1", "no supply train of %(side)s can be placed at %(at)s", side=side, at=command.at)
    state = spend_point(state, state.tables.budget.supply).add(command.at, side, Troops(0, 0, 1), command.inside)
    return state, (event("8.2.d", "train_placed", side=side, space=command.at, inside=command.inside),)


def finish(state: State, command: Done, dice: Dice) -> Handled:
    """8.2 The points that are left are lost."""
    return state.answered(), ()


def offers(state: State) -> tuple[Offer, ...]:
    """8.2 Every use of a point."""
    side = active_side(state)
    found = []
    spaces = [space for space in state.spaces if may_put(state, side, space)]
    if spaces:
        found.append(Offer("put", "8.2", {"space": spaces}))
    return (*found, *common_uses(state, side), Offer("done", "8.2"))


def common_uses(state: State, side: Side) -> tuple[Offer, ...]:
    """8.2, 22.2 What operations points and the war budget both buy: the Council, repairs, trains."""
    found = []
    cells = [list(cell) for cell in free_cells(state)]
    if side == "carthage" and cells:
        found.append(Offer("council", "19.5", {"cell": cells}))
    if state.unready(side):
        found.append(Offer("repair", "8.2.b", {"ship": list(state.unready(side))}))
    for inside in (False, True):
        places = [space for space in state.spaces if may_supply(state, side, space, inside)]
        if places:
            found.append(Offer("supply", "8.2.d", {"at": places, "inside": inside}))
    return tuple(found)
