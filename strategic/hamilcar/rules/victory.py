"""21, 22 Winter, points, PCs removed as a price, and the end of the war."""

from __future__ import annotations

from collections.abc import Iterator

from msgspec.structs import replace

from strategic.hamilcar.commands import BuildShip, Recruit, RemoveCouncil, SpendTrain
from strategic.hamilcar.rules.cards import BOUGHT, common_uses, spend_point
from strategic.hamilcar.rules.survey import build, capital, points, trains_of
from strategic.hamilcar.state import Handled, State
from strategic.hamilcar.tables import ITALIAN
from strategic.point_to_point.commands import Done, Pass, Remove, Resign
from strategic.point_to_point.rulebook import auto, book_of, box, let_be
from strategic.point_to_point.state import SIDES, Side, Troops, as_side, enemy, over
from strategic.point_to_point.survey import (
    controls,
    enemy_units,
    freezing,
    may_muster,
    muster,
    plain_pcs,
    side_of_prompt,
)
from tactical.kernel.dice import Dice
from tactical.kernel.protocol import Event, Illegal, Offer, Prompt, event, offer

# -- 21 Winter: armies on enemy ground, trains in their place, the ships of both sides.


def winter(state: State, dice: Dice) -> Handled:
    """H.turn Land first, then each side's ready ships once (21.1.4)."""
    state = replace(state, phase="isolation")
    prompts = [Prompt("freeze", side, "21.1.1", {"space": space}) for side in SIDES for space in freezing(state, side)]
    return state.then(*prompts, Prompt("winter_sea", "", "21.1.4")), ()


def spend_train(state: State, command: SpendTrain, dice: Dice) -> Handled:
    """21.1.1, 8.2.1.c A train goes, and the army does not roll (8.2.1.c.example)."""
    side, space = side_of_prompt(state), state.agenda[-1].about["space"]
    place = state.spaces[space]
    if command.space != space or command.inside or not place.outside(side).trains:
        raise Illegal(
            "21.1.1", "there is no supply train of %(side)s with the army at %(space)s", side=side, space=space
        )
    army = place.outside(side)
    state = state.answered().set_outside(space, side, replace(army, trains=army.trains - 1))
    return state, (event("21.1.1", "train_spent", side=side, space=space),)


def roll(state: State, dice: Dice) -> Handled:
    """winter One roll; generals are never hurt by attrition, but trains without any CU among enemies are taken."""
    side, space = side_of_prompt(state), state.agenda[-1].about["space"]
    army = state.spaces[space].outside(side)
    state = state.answered()
    if not army.size:
        return state, ()
    (face,) = dice.roll(1, 6, "winter", side=side, space=space)
    lost, elephant = state.tables.attrition.read(face, army.size)
    left = army.after_losses(lost, elephant)
    state = state.set_outside(space, side, left)
    told = event(
        "21.1.1",
        "attrition",
        side=side,
        space=space,
        dice=[face],
        lost=army.size - left.size,
        elephants_lost=army.elephants - left.elephants,
    )
    if not left.size and enemy_units(state, side, space):
        state, more = book_of(state).spoils(state, side, space)
        return state, (told, *more)
    return state, (told,)


def freeze_choices(state: State) -> Iterator[Offer]:
    """21.1.1 A train in place of the roll; asked only where the army has one."""
    side, space = side_of_prompt(state), state.agenda[-1].about["space"]
    army = state.spaces[space].outside(side)
    if army.trains and army.size:
        yield Offer("spend_train", "21.1.1", {"space": space, "inside": False})
        yield Offer("pass", "21.1.1")


def winter_sea(state: State, dice: Dice) -> Handled:
    """21.1.4 One die a side in the column of its ready ships: so many become unready; no train helps (21.1.4.a).

    L2.4 In winter all hull damage is cleared.
    """
    state = state.answered()
    events: tuple[Event, ...] = ()
    for side in SIDES:
        ships = tuple(replace(ship, damage=0) for ship in state.fleet(side))
        state = state.with_fleet(side, ships)
        ready = state.ready(side)
        if not ready:
            continue
        (face,) = dice.roll(1, 6, "21.1.4", side=side)
        count, _ = state.tables.attrition.read(face, len(ready))
        turned = ready[len(ready) - min(count, len(ready)) :]
        state = state.made_unready(side, turned)
        events += (event("21.1.4", "winter_at_sea", side=side, dice=[face], ships=list(turned)),)
    return state, events


# -- How the war ends.


def end(state: State, winner: Side, rule: str, why: str) -> Handled:
    """victory.5 The campaign is over; what was at sea is in port."""
    for side in SIDES:
        state = state.put_into_port(side, tuple(ship.name for ship in state.fleet(side) if ship.at_sea))
    return over(state, winner, rule, why, voyage=None, naval=None)


def resign(state: State, command: Resign, dice: Dice) -> Handled:
    """victory.4 A side sues for peace and has lost."""
    return end(state, enemy(command.side), "victory.4", f"{command.side} sues for peace")


# -- Removing PCs as a price, the Council's first, and suing for peace when they run out.


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
    side = side_of_prompt(state)
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


def remove_choices(state: State) -> Iterator[Offer]:
    """19.5.a The PCs that may go; none when the price cannot be paid."""
    prompt = state.agenda[-1]
    side, left = as_side(prompt.seat), prompt.about["left"]
    if not 0 < left <= means(state, side):
        return
    if side == "carthage":
        yield from offer("remove_council", "19.5.a", cell=[list(cell) for cell in state.council])
    if not council_first(state):
        yield from offer("remove", prompt.rule, space=plain_pcs(state, side))


# -- 22 The points, the end of the war, and the war budget.


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
    side = side_of_prompt(state)
    if (command.space, command.inside) not in trains_of(state, side):
        if command.inside:
            raise Illegal("22.2.a", "%(side)s has no supply train inside %(space)s", side=side, space=command.space)
        raise Illegal("22.2.a", "%(side)s has no supply train at %(space)s", side=side, space=command.space)
    left: int = state.agenda[-1].about["left"] - 1
    state = state.take(command.space, side, Troops(0, 0, 1), command.inside).asking(left=left)
    if not left:
        state = state.answered().answered()  # nothing is left to spend
    return state, (event("22.2.a", "train_burnt", side=side, space=command.space, left=left),)


def to_spend(state: State, dice: Dice) -> Handled:
    """22.2.b The rest of the difference is the other side's to spend."""
    prompt = state.agenda[-1]
    side = enemy(as_side(prompt.seat))
    state = state.answered().answered()
    return state.then(Prompt("budget", side, "22.2.b", {"left": prompt.about["left"]})), ()


def burn_choices(state: State) -> Iterator[Offer]:
    """22.2.a The trains, or no more; not asked without trains."""
    found = trains_of(state, side_of_prompt(state))
    for inside in (False, True):
        spaces = [space for space, within in found if within == inside]
        yield from offer("spend_train", "22.2.a", space=spaces, inside=inside)
    if found:
        yield Offer("done", "22.2.a")


def remaining_budget(state: State) -> int:
    """22.2.b The points of the budget that are left."""
    count: int = state.agenda[-1].about["left"]
    return count


def build_ship(state: State, command: BuildShip, dice: Dice) -> Handled:
    """22.2.g Three points: 1 ready ship in port."""
    side = side_of_prompt(state)
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
    side = side_of_prompt(state)
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


def budget_choices(state: State) -> Iterator[Offer]:
    """22.2.b, H.budget.a Repairs, Council PCs, trains; a ship or a CU for 3; never a PC on the map (22.2.d).

    What is not spent is lost.
    """
    side, table = side_of_prompt(state), state.tables.budget
    found = list(common_uses(state, side))
    if remaining_budget(state) >= table.build and state.berths(side):
        found.append(Offer("build_ship", "22.2.g"))
    if remaining_budget(state) >= table.recruit and may_recruit(state, side):
        found.append(Offer("recruit", "22.2.h"))
    yield from (*found, Offer("done", "22.2.b")) if found else ()


BOXES = (
    auto("winter_sea", "21.1.4", winter_sea),
    auto("spend_budget", "22.2.b", let_be),
    box("freeze", "21.1.1", {SpendTrain: spend_train, Pass: None}, freeze_choices, leave=roll),
    box("remove", "losses.5", {Remove: remove, RemoveCouncil: remove_council}, remove_choices, leave=removal_over),
    box("burn", "22.2.a", {SpendTrain: burn, Done: None}, burn_choices, leave=to_spend),
    box("budget", "22.2.b", {**BOUGHT, BuildShip: build_ship, Recruit: recruit, Done: None}, budget_choices),
)
