"""22 The points, the end of the war, and the war budget."""

from __future__ import annotations

from msgspec.structs import replace

from strategic.hamilcar.commands import BuildShip, Recruit, SpendTrain
from strategic.hamilcar.rules.ending import end
from strategic.hamilcar.rules.points import common_uses, spend_point
from strategic.hamilcar.rules.removal import owe
from strategic.hamilcar.rules.ships import build
from strategic.hamilcar.rules.survey import (
    capital,
    points,
    trains_of,
)
from strategic.hamilcar.state import Handled, State
from strategic.hamilcar.tables import ITALIAN
from strategic.point_to_point.commands import Done
from strategic.point_to_point.pieces import Troops
from strategic.point_to_point.survey import controls, may_muster, muster
from strategic.point_to_point.tables import SIDES, Side, as_side, enemy
from tactical.kernel.dice import Dice
from tactical.kernel.protocol import Illegal, Offer, Prompt, event


def victory(state: State, dice: Dice) -> Handled:
    """22.1 Count the points; the side with fewer loses PCs by the difference. The last turn ends the war (22.4)."""
    score = {side: points(state, side) for side in SIDES}
    told = event("22.1", "points", rome=score["rome"], carthage=score["carthage"])
    if all(controls(state, "carthage", province) for province in ITALIAN if province != "latium"):
        state, more = end(state, "carthage", "victory.5", "Carthage controls all Italy but Latium")
        return state, (told, *more)
    if state.turn >= state.tables.turns.last:
        rome_leads = score["rome"] > score["carthage"]
        why = "points" if score["rome"] != score["carthage"] else "a tie is Carthage's"
        state, more = end(state, "rome" if rome_leads else "carthage", "22.4", why)
        return state, (told, *more)
    state = replace(state, phase="budget")
    loser: Side = "rome" if score["rome"] < score["carthage"] else "carthage"
    difference = score[enemy(loser)] - score[loser]
    if not difference:
        return state, (told,)
    return state.then(owe(loser, difference, "22.1", "points")), (told,)


def budget(state: State, dice: Dice) -> Handled:
    """22.2, H.budget Who played and discarded the higher sum may burn trains; the other spends what is left."""
    state = replace(state, phase="next")
    spent = state.spent
    told = event("22.2", "war_budget", rome=spent["rome"], carthage=spent["carthage"])
    if spent["rome"] == spent["carthage"]:
        return state, (told,)
    larger: Side = "rome" if spent["rome"] > spent["carthage"] else "carthage"
    left = spent[larger] - spent[enemy(larger)]
    return state.then(Prompt("burn", larger, "22.2.a", {"left": left}), Prompt("spend_budget", "", "22.2.b")), (told,)


def burn(state: State, command: SpendTrain, dice: Dice) -> Handled:
    """22.2.a, 8.2.1.d A train anywhere on the map lowers the difference by 1 (22.2.example, 8.2.1.d.example)."""
    side = as_side(state.agenda[-1].seat)
    if (command.space, command.inside) not in trains_of(state, side):
        if command.inside:
            raise Illegal("22.2.a", "%(side)s has no supply train inside %(space)s", side=side, space=command.space)
        raise Illegal("22.2.a", "%(side)s has no supply train at %(space)s", side=side, space=command.space)
    left: int = state.agenda[-1].about["left"] - 1
    state = state.take(command.space, side, Troops(0, 0, 1), command.inside).asking(left=left)
    if not left:
        state = state.answered().answered()  # nothing is left to spend
    return state, (event("22.2.a", "train_burnt", side=side, space=command.space, left=left),)


def burnt(state: State, command: Done, dice: Dice) -> Handled:
    """22.2.b The rest of the difference is the other side's to spend."""
    return to_spend(state, dice)


def to_spend(state: State, dice: Dice) -> Handled:
    """22.2.b Ask the other side."""
    prompt = state.agenda[-1]
    side = enemy(as_side(prompt.seat))
    state = state.answered().answered()
    return state.then(Prompt("budget", side, "22.2.b", {"left": prompt.about["left"]})), ()


def burn_offers(state: State) -> tuple[Offer, ...]:
    """22.2.a The trains, or no more; not asked without trains."""
    side = as_side(state.agenda[-1].seat)
    found = trains_of(state, side)
    offers = []
    for inside in (False, True):
        spaces = [space for space, within in found if within == inside]
        if spaces:
            offers.append(Offer("spend_train", "22.2.a", {"space": spaces, "inside": inside}))
    return (*offers, Offer("done", "22.2.a")) if offers else ()


def remaining_budget(state: State) -> int:
    """22.2.b The points of the budget that are left."""
    count: int = state.agenda[-1].about["left"]
    return count


def build_ship(state: State, command: BuildShip, dice: Dice) -> Handled:
    """22.2.g Three points: 1 ready ship in port."""
    side = as_side(state.agenda[-1].seat)
    if remaining_budget(state) < state.tables.budget.build:
        raise Illegal(
            "22.2.g",
            "a ship costs %(build)s %(build|point|points)s, and %(left)s %(left|is|are)s left",
            build=state.tables.budget.build,
            left=remaining_budget(state),
        )
    if not state.berths(side):
        raise Illegal("2.2.7", "%(side)s has all the ships that it may have", side=side)
    return build(spend_point(state, state.tables.budget.build), side, 1, "22.2.g")


def may_recruit(state: State, side: Side) -> bool:
    """22.2.h The own capital, held and not besieged."""
    home = capital(side)
    return state.spaces[home].control == side and not state.spaces[home].besieged() and may_muster(state, side, home)


def recruit(state: State, command: Recruit, dice: Dice) -> Handled:
    """22.2.h Three points: 1 CU in the own unbesieged capital."""
    side = as_side(state.agenda[-1].seat)
    if remaining_budget(state) < state.tables.budget.recruit:
        raise Illegal(
            "22.2.h",
            "a CU costs %(recruit)s %(recruit|point|points)s, and %(left)s %(left|is|are)s left",
            recruit=state.tables.budget.recruit,
            left=remaining_budget(state),
        )
    if not may_recruit(state, side):
        raise Illegal("22.2.h", "new troops can be raised only in their side's capital, and not while it is besieged")
    state = muster(spend_point(state, state.tables.budget.recruit), side, capital(side), Troops(1))
    return state, (event("22.2.h", "reinforced", side=side, space=capital(side), units=1),)


def stop(state: State, command: Done, dice: Dice) -> Handled:
    """22.2.b What is not spent is lost."""
    return state.answered(), ()


def budget_offers(state: State) -> tuple[Offer, ...]:
    """22.2.b, H.budget.a Repairs, Council PCs, trains; a ship or a CU for 3; never a PC on the map (22.2.d)."""
    side = as_side(state.agenda[-1].seat)
    found = list(common_uses(state, side))
    if remaining_budget(state) >= state.tables.budget.build and state.berths(side):
        found.append(Offer("build_ship", "22.2.g"))
    if remaining_budget(state) >= state.tables.budget.recruit and may_recruit(state, side):
        found.append(Offer("recruit", "22.2.h"))
    return (*found, Offer("done", "22.2.b")) if found else ()
