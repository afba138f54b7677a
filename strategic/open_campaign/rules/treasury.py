"""O8.1 Full money: loans, subsidies and ransom."""

from __future__ import annotations

from collections.abc import Iterator

from msgspec.structs import replace

from strategic.open_campaign import commands as c
from strategic.open_campaign.rules.changes import Handled
from strategic.open_campaign.rules.letters import why_not_to
from strategic.open_campaign.rules.money import MONTH, income_of, talents, with_debt, with_money
from strategic.open_campaign.rules.orders import why_not_side
from strategic.open_campaign.state import Captive, State, Subsidy
from strategic.open_campaign.tables import TABLES
from tactical.kernel.dice import Dice
from tactical.kernel.protocol import Illegal, Offer, event

MOST_TURNS = 60  # of a subsidy


def why_not_full(state: State, side: str) -> Illegal | None:
    """O8.1 Only with full money, and only who plays."""
    if state.options.money != "full":
        return Illegal("O8.1", "There are no loans, subsidies or ransoms in this campaign.")
    return why_not_side(state, side)


def credit(state: State, side: str) -> int:
    """O8.1 What a side can still borrow: what its ports earn in some months, less what it owes."""
    return max(0, TABLES.money.loan * income_of(state, side, MONTH) - state.debts.get(side, 0))


def why_not_borrow(state: State, command: c.Borrow) -> Illegal | None:
    """O8.1 Lenders look at what the ports earn."""
    wrong, most = why_not_full(state, command.side), credit(state, command.side)
    if wrong is None and not 1 <= command.amount <= most:
        return Illegal(
            "O8.1",
            "%(side)s can borrow at most %(most)s %(most|talent|talents)s.",
            side=command.side,
            most=talents(most),
        )
    return wrong


def borrow(state: State, command: c.Borrow, dice: Dice) -> Handled:
    """O8.1 The money is in the chest, and the debt grows by its interest."""
    side = command.side
    state = lend(state, side, command.amount)
    told = event("O8.1", "borrowed", (side,), side=side, amount=command.amount, debt=state.debts[side])
    return state, (told,)


def lend(state: State, side: str, more: int) -> State:
    """O8.1 So much more, or less, in a side's chest and in what it owes."""
    return with_money(with_debt(state, side, more), side, more)


def payable(state: State, side: str) -> int:
    """O8.1 How much of its debt a side can pay back now."""
    return min(state.debts.get(side, 0), state.money.get(side, 0))


def why_not_repay(state: State, command: c.Repay) -> Illegal | None:
    """O8.1 No more than the debt, and no more than the chest holds."""
    wrong, most = why_not_full(state, command.side), payable(state, command.side)
    if wrong is None and not 1 <= command.amount <= most:
        return Illegal(
            "O8.1",
            "%(side)s can pay back at most %(most)s %(most|talent|talents)s.",
            side=command.side,
            most=talents(most),
        )
    return wrong


def repay(state: State, command: c.Repay, dice: Dice) -> Handled:
    """O8.1 The debt is less by so much."""
    side = command.side
    state = lend(state, side, -command.amount)
    told = event("O8.1", "repaid", (side,), side=side, amount=command.amount, debt=state.debts.get(side, 0))
    return state, (told,)


def why_not_subsidize(state: State, command: c.Subsidize) -> Illegal | None:
    """O8.1 To another side, an amount that the chest could pay once, for some turns."""
    wrong = why_not_full(state, command.side) or why_not_to(state, command.side, command.to)
    if wrong is not None:
        return wrong
    if not 1 <= command.turns <= MOST_TURNS:
        return Illegal("O8.1", "A subsidy must run for 1 to %(most)s turns.", most=MOST_TURNS)
    if not 0 <= command.amount <= state.money.get(command.side, 0):
        return Illegal("O8.1", "The treasury does not hold that much.")
    return None


def subsidize(state: State, command: c.Subsidize, dice: Dice) -> Handled:
    """O8.1 So much at the beginning of each of so many turns, in place of what was promised; 0 ends it."""
    others = [each for each in state.subsidies if (each.by, each.to) != (command.side, command.to)]
    if command.amount:
        others.append(Subsidy(command.side, command.to, command.amount, command.turns))
    seen = tuple(sorted((command.side, command.to)))
    told = event(
        "O8.1", "subsidized", seen, side=command.side, of=command.to, amount=command.amount, turns=command.turns
    )
    return replace(state, subsidies=tuple(sorted(others, key=lambda each: (each.by, each.to)))), (told,)


def captive(state: State, side: str, name: str) -> Captive | None:
    """O2.4 An admiral of a side whom an enemy holds."""
    return next((each for each in state.captives if (each.side, each.name) == (side, name)), None)


def vacant(state: State, side: str) -> str | None:
    """O2.4 The first fleet of a side that has no admiral."""
    mine = (name for name in state.at_sea() if state.fleets[name].side == side and not state.fleets[name].engaged)
    return next((name for name in mine if not state.fleets[name].admiral and not state.fleets[name].strays_of), None)


def why_not_ransom(state: State, command: c.Ransom) -> Illegal | None:
    """O8.1 An admiral of one's own whom an enemy holds, for what the chest holds, and a fleet that wants one."""
    wrong = why_not_full(state, command.side)
    if wrong is not None:
        return wrong
    found = captive(state, command.side, command.name)
    if found is None:
        return Illegal("O8.1", "No enemy holds anybody of this name.")
    if vacant(state, command.side) is None:
        return Illegal("O8.1", "Every fleet of %(side)s already has an admiral.", side=command.side)
    if found.price > state.money.get(command.side, 0):
        return Illegal("O8.1", "The treasury does not hold that much.")
    return None


def ransom(state: State, command: c.Ransom, dice: Dice) -> Handled:
    """O2.4, O8.1 The captor has the price, and the admiral takes over a fleet of his side that has none."""
    found, fleet = captive(state, command.side, command.name), vacant(state, command.side)
    assert found is not None and fleet is not None
    state = with_money(with_money(state, command.side, -found.price), found.by, found.price)
    state = replace(state, captives=tuple(each for each in state.captives if each != found))
    seen = tuple(sorted((found.side, found.by)))
    told = event("O8.1", "ransomed", seen, side=found.side, of=found.by, admiral=found.name, amount=found.price)
    return state.with_fleet(fleet, admiral=found.name, seamanship=found.seamanship, fight=found.fight), (told,)


def offer_money(state: State, seat: str) -> Iterator[Offer]:
    """O8.1 What a side may do with full money."""
    if why_not_full(state, seat) is not None:
        return
    if most := credit(state, seat):
        yield Offer("borrow", "O8.1", {"side": seat, "amount": {"from": 1, "to": most}})
    if most := payable(state, seat):
        yield Offer("repay", "O8.1", {"side": seat, "amount": {"from": 1, "to": most}})
    others = [side for side in state.playing if side != seat]
    if others:
        amounts = {"from": 0, "to": state.money.get(seat, 0)}
        turns = {"from": 1, "to": MOST_TURNS}
        yield Offer("subsidize", "O8.1", {"side": seat, "to": others, "amount": amounts, "turns": turns})
    for each in state.captives:
        if each.side == seat and why_not_ransom(state, c.Ransom(side=seat, name=each.name)) is None:
            yield Offer("ransom", "O8.1", {"side": seat, "name": each.name})
