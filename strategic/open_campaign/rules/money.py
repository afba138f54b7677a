"""O8.1 Money: income, upkeep, yards, loans, subsidies and ransom."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import count

from msgspec.structs import replace

from strategic.naval.handoff import ship_name
from strategic.open_campaign import commands as c
from strategic.open_campaign.rules.orders import why_not_side
from strategic.open_campaign.rules.sailing import lies_in_port
from strategic.open_campaign.rules.sight import why_not_to
from strategic.open_campaign.rules.upkeep import deserters, larder, weeks, with_pips
from strategic.open_campaign.rules.world import chart
from strategic.open_campaign.state import Captive, Fleet, Handled, Ship, State, Stock, Subsidy, free_id, wages
from strategic.open_campaign.tables import CAPTAINS, TABLES
from tactical.kernel.dice import Dice
from tactical.kernel.protocol import Event, Illegal, Offer, event

# -- O8.1 Money, in hundredths of a talent: income of ports, upkeep, arrears and repair, ships built in yards.

MONTH = 30
TALENT = 100


def income(state: State, port: str, days: int = MONTH) -> int:
    """O8.1 What a port brings in so many days."""
    space = chart(state.world).spaces[port]
    month = TABLES.money.income.get(str(space.rank), 0) if space.income is None else space.income
    return month * days // MONTH


def share(state: State, monthly: int, days: int, divisor: int = 1) -> int:
    """O8.1 What falls due in so many days from the beginning of this turn on, of an amount for a month.

    The turns of a month come to the month's amount: what one turn is short of a whole hundredth the next ones pay.
    """
    past = (state.turn - 1) * state.tables.days[state.turn_length]
    by_then, before = (monthly * day // (MONTH * divisor) for day in (past + days, past))
    return by_then - before


def talents(amount: int) -> int | float:
    """O8.1 An amount in hundredths of a talent, as talents."""
    return amount / TALENT if amount % TALENT else amount // TALENT


def with_money(state: State, side: str, more: int) -> State:
    """O8.1 A side's chest with so much more, or less; never below nothing."""
    if state.options.money == "none":
        return state
    money = {**state.money, side: max(0, state.money.get(side, 0) + more)}
    return replace(state, money={name: money[name] for name in sorted(money)})


def with_debt(state: State, side: str, more: int) -> State:
    """O8.1 What a side owes, with so much more or less."""
    debts = {**state.debts, side: state.debts.get(side, 0) + more}
    return replace(state, debts={name: debts[name] for name in sorted(debts) if debts[name]})


def take_in(state: State) -> Handled:
    """O3.1, O8.1 At the beginning of a turn ports bring in what they earn in so many days; then subsidies are paid."""
    if state.options.money == "none":
        return state, ()
    events: list[Event] = []
    for side in state.playing:
        earned = income_of(state, side, state.tables.days[state.turn_length])
        state = with_money(state, side, earned)
        events.append(event("O8.1", "income", (side,), side=side, earned=earned, left=state.money[side]))
    state, told = pay_subsidies(state)
    return state, (*events, *told)


def income_of(state: State, side: str, days: int) -> int:
    """O8.1 What a side's ports bring in so many days."""
    return share(state, sum(income(state, port) for port, holder in state.ports.items() if holder == side), days)


def pay_subsidies(state: State) -> Handled:
    """O8.1 What sides have promised one another for so many turns, as far as the chest reaches."""
    events: list[Event] = []
    left = []
    for each in state.subsidies:
        paid = min(each.amount, state.money.get(each.by, 0))
        state = with_money(with_money(state, each.by, -paid), each.to, paid)
        seen = tuple(sorted((each.by, each.to)))
        events.append(event("O8.1", "subsidy_paid", seen, side=each.by, of=each.to, amount=paid))
        left += [replace(each, turns=each.turns - 1)] if each.turns > 1 else []
    return replace(state, subsidies=tuple(left)), tuple(events)


def pay_fleets(state: State, dice: Dice) -> Handled:
    """O3.1, O8.1 What the fleets cost in a turn. Rowers at sea who are not paid lose heart.

    With full money each fleet is paid for itself, its arrears first, and debts grow by their interest; a fleet that is
    not paid loses heart and rowers once a week as a hungry one does (O4.4).
    """
    if state.options.money == "none":
        return state, ()
    days = state.tables.days[state.turn_length]
    events: list[Event] = []
    for side in state.playing:
        mine = [name for name in state.at_sea() if state.fleets[name].side == side]
        state, spent, unpaid = (pay_each if state.options.money == "full" else pay_all)(state, side, mine, days)
        events.append(event("O8.1", "books", (side,), side=side, spent=spent, left=state.money.get(side, 0)))
        for name in unpaid:
            state, told = lose_heart(state, name, dice)
            events += told
    return state, tuple(events)


def pay_all(state: State, side: str, mine: list[str], days: int) -> tuple[State, int, list[str]]:
    """O8.1 Simple money: the fleets of a side are paid together; who is at sea notices when there is too little."""
    due, chest = sum(upkeep(state, name, days) for name in mine), state.money.get(side, 0)
    unpaid = [name for name in mine if chest < due and not lies_in_port(state, state.fleets[name])]
    return with_money(state, side, -due), min(due, chest), unpaid


def pay_each(state: State, side: str, mine: list[str], days: int) -> tuple[State, int, list[str]]:
    """O8.1 Full money: interest grows, and fleet by fleet is paid with its arrears, as far as the chest reaches."""
    debt = state.debts.get(side, 0)
    state = with_debt(state, side, share(state, debt * TABLES.money.interest, days, 100))
    spent, unpaid = 0, []
    for name in mine:
        due = upkeep(state, name, days) + state.fleets[name].arrears
        if due <= state.money.get(side, 0):
            state, spent = with_money(state, side, -due), spent + due
            state = state.with_fleet(name, arrears=0)
        else:
            state = state.with_fleet(name, arrears=due)
            unpaid.append(name)
    return state, spent, unpaid


def lose_heart(state: State, name: str, dice: Dice) -> Handled:
    """O8.1 A fleet without pay: a pip less; with full money a pip and deserters for each week that ends."""
    fleet = state.fleets[name]
    if state.options.money == "simple":
        return with_pips(state, fleet.ships, -1), ()
    for _ in range(weeks(state)):
        state = deserters(with_pips(state, fleet.ships, -1), name, dice)
    told = event("O8.1", "unpaid", (fleet.side,), side=fleet.side, fleet=fleet.name, owed=fleet.arrears)
    return state, (told,)


def upkeep(state: State, name: str, days: int) -> int:
    """O8.1 What a fleet costs in so many days."""
    fleet = state.fleets[name]
    divisor = TABLES.money.laid_up if lies_in_port(state, fleet) else 1
    return share(state, wages(state, fleet.ships), days, divisor)


def why_not_build(state: State, command: c.Build) -> Illegal | None:
    """O8.1 In a yard of one's own with a place on the stocks, for what the chest holds."""
    wrong = why_not_side(state, command.side)
    if wrong is not None:
        return wrong
    if state.options.money == "none":
        return Illegal("O8.1", "There is no money in this campaign.")
    if state.ports.get(command.port) != command.side:
        return Illegal("O8.1", "%(side)s does not hold the port %(space)s.", side=command.side, space=command.port)
    rank = str(chart(state.world).spaces[command.port].rank)
    busy = sum(stock.port == command.port for stock in state.stocks)
    if busy >= TABLES.money.stocks.get(rank, 0):
        return Illegal("O8.1", "There is no free slipway there.")
    if command.ship not in TABLES.money.price or TABLES.money.price[command.ship] > state.money.get(command.side, 0):
        return Illegal("O8.1", "The treasury does not hold that much.")
    return None


def build(state: State, command: c.Build, dice: Dice) -> Handled:
    """O8.1 A ship is laid down and paid; only her own side hears of it."""
    stock = Stock(command.side, command.port, command.ship, TABLES.money.weeks[command.ship] * 7)
    state = with_money(state, command.side, -TABLES.money.price[command.ship])
    told = event("O8.1", "laid_down", (command.side,), side=command.side, space=command.port, ship=command.ship)
    return replace(state, stocks=tuple(sorted((*state.stocks, stock), key=lambda each: (each.side, each.port)))), (
        told,
    )


def launch(state: State) -> Handled:
    """O8.1 Ships on the stocks grow by a turn; what is ready is launched, if her side still holds the port."""
    days = state.tables.days[state.turn_length]
    left, events = [], []
    for stock in state.stocks:
        if stock.days > days:
            left.append(replace(stock, days=stock.days - days))
        elif state.ports.get(stock.port) == stock.side:
            state = launch_ship(state, stock)
            told = event("O8.1", "launched", (stock.side,), side=stock.side, space=stock.port, ship=stock.ship)
            events.append(told)
    return replace(state, stocks=tuple(left)), tuple(events)


def launch_ship(state: State, stock: Stock) -> State:
    """O2.1, O8.1 A new ship with a captain, and with a name of her side's list that no ship of it has borne."""
    side, new = stock.side, free_id(state.ships, f"{stock.side}-{stock.ship}")
    borne = {ship.name for ship in state.ships.values() if side in (ship.side, ship.was)}
    ship = Ship(
        side,
        stock.ship,
        next(name for number in count() if (name := ship_name(side, number)) not in borne),
        pips=TABLES.money.pips,
        home=stock.port,
        captain=CAPTAINS.of(side, len(state.ships)),
    )
    return moor(state.with_ships({new: ship}), (new,), side, stock.port)


def moor(state: State, ships: tuple[str, ...], side: str, space: str) -> State:
    """O6.3, O8.1 The position with ships that are new to a side there: with its first fleet in that space, or alone.

    A fleet that waits for its battle takes none, since they are not among those that it has sent (O6.1).
    """
    for name in state.at_sea():
        fleet = state.fleets[name]
        if fleet.side == side and fleet.at == space and not (fleet.strays_of or fleet.engaged):
            return state.with_fleet(name, ships=(*fleet.ships, *ships))
    own = Fleet(side=side, name=chart(state.world).spaces[space].name, at=space, ships=ships)
    own = replace(own, provisions=larder(state, own))
    fleets = {**state.fleets, free_id(state.fleets, ships[0], "-fleet"): own}
    return replace(state, fleets=dict(sorted(fleets.items())))


def offer_builds(state: State, seat: str) -> Iterator[Offer]:
    """O8.1 What each yard of a side may lay down now."""
    for port in sorted(state.ports) if state.options.money != "none" else ():
        may = [
            kind
            for kind in TABLES.money.price
            if why_not_build(state, c.Build(side=seat, port=port, ship=kind)) is None
        ]
        if may:
            yield Offer("build", "O8.1", {"side": seat, "port": port, "ship": may})


# -- O8.1 Full money: loans, subsidies and ransom.

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
