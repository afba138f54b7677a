"""O3.2 to O3.4, O2.2 Orders and letters to the umpire; models that are registered."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Collection, Iterator, Mapping
from itertools import pairwise
from typing import Any

from msgspec.structs import asdict, replace

from strategic.naval.engagement import Engagement, Fleet, NavalOutcome, NavalUnit, SideOutcome, Wounds
from strategic.open_campaign import commands as c
from strategic.open_campaign.rules.sailing import FOLLOWING
from strategic.open_campaign.rules.world import Chart, chart
from strategic.open_campaign.state import Fleet as OwnFleet
from strategic.open_campaign.state import Handled, Letter, OnLane, Order, State, detach_ships
from strategic.open_campaign.tables import TABLES
from tactical.kernel.dice import Dice
from tactical.kernel.protocol import UMPIRE, Illegal, Offer, event
from tactical.kernel.record import BadInput, decode, encode

# -- O3.2 to O3.4 Orders: given in secret, changed freely until all are ready; letters to the umpire.

SAILING = ("go", "patrol", "blockade", "scout")
ASHORE = ("land", "raid", "besiege")
STANCES = ("seek", "accept", "avoid")
LONGEST_TEXT = 2000
LONGEST_NAME = 40
SHORT_NAME = re.compile(r"[a-z0-9_-]{1,40}")
KEPT = ("world", "sides", "options", "house", "letters", "mail", "treaties", "pins")  # what taking back a turn leaves


def own(state: State, command: Any) -> tuple[str, ...]:
    """O1.4 The side that the command names."""
    if command.side not in state.sides:
        raise BadInput("command.side", "there is no side called '%(side)s'", side=command.side)
    return (command.side,)


def fleets_of(state: State, side: str) -> tuple[str, ...]:
    """O2.2 The side's fleets that have ships, by name."""
    return tuple(
        name for name in state.at_sea() if state.fleets[name].side == side and not state.fleets[name].strays_of
    )


def why_not_side(state: State, side: str) -> Illegal | None:
    """O9.1 Who has given up commands nothing."""
    return Illegal("O9.1", "%(side)s %(side|has|have)s given up.", side=side) if state.sides[side].resigned else None


def why_not_fleet(state: State, side: str, fleet: str) -> Illegal | None:
    """O2.2 Only a fleet of one's own takes orders; another's is not told from one that there is not."""
    if fleet not in fleets_of(state, side):
        return Illegal("O2.2", "%(side)s %(side|has|have)s no fleet called %(fleet)s.", side=side, fleet=fleet)
    return None


def why_not_order(state: State, command: c.Order) -> Illegal | None:
    """O3.3 The fleet must be the side's own, and the goal one that the order can have."""
    wrong = why_not_side(state, command.side) or why_not_fleet(state, command.side, command.fleet)
    if wrong is not None:
        return wrong
    if (command.do in (*ASHORE, "embark") or command.after == "besiege") and not state.options.land:
        return Illegal("O7.1", "There is no war on land in this campaign.")
    if command.do in ("stay", "embark") and command.to:
        return Illegal("O3.3", "A fleet that stays cannot have a destination.")
    if command.do in FOLLOWING and (command.to == command.fleet or command.to not in fleets_of(state, command.side)):
        return Illegal("O3.3", "An escort must go with another fleet of its own side.")
    world = chart(state.world)
    if command.do in (*SAILING, *ASHORE) and command.to not in world.spaces:
        return Illegal("O3.3", "There is no space called %(space)s on this map.", space=command.to)
    if min(command.more_than, command.unmet_by) < 0 or len(command.note) > LONGEST_TEXT:
        return Illegal(
            "O3.3",
            "The number of sail must be 0 or more, and a note may have at most %(most)s %(most|character|characters)s.",
            most=LONGEST_TEXT,
        )
    if command.way and not is_way(world, state.fleets[command.fleet], command):
        return Illegal("O3.3", "The route does not lead from the fleet, lane by lane, to its destination.")
    return why_not_reach(state, command)


def why_not_reach(state: State, command: c.Order) -> Illegal | None:
    """O3.3 A way by sea, whatever its length, must lead from the fleet to its goal."""
    world, near = chart(state.world), within_reach(state, command.fleet)
    if command.do in FOLLOWING and world.near(state.fleets[command.to].at) not in near:
        return Illegal("O3.3", "No way by sea leads to the fleet %(fleet)s.", fleet=command.to)
    if command.do in (*SAILING, *ASHORE) and command.to not in near:
        return Illegal("O3.3", "No way by sea leads to %(space)s.", space=world.spaces[command.to].name)
    return None


def within_reach(state: State, fleet: str) -> Collection[str]:
    """O3.3 The spaces to which some way by sea leads from a fleet, with the one where it is."""
    world = chart(state.world)
    return world.from_(world.near(state.fleets[fleet].at))


def is_way(world: Chart, fleet: OwnFleet, command: c.Order) -> bool:
    """O3.3 Does the way lead from where the fleet is, lane by lane, to the goal?"""
    if (
        command.do not in SAILING
        or command.way[-1] != command.to
        or any(each not in world.spaces for each in command.way)
    ):
        return False
    first = command.way[0]
    if isinstance(fleet.at, OnLane):
        lane = world.lanes[fleet.at.lane]
        begins = first in (lane.start, lane.end)
    else:
        begins = first in beside(world, fleet.at)
    return begins and all(other in beside(world, one) for one, other in pairwise(command.way))


def beside(world: Chart, space: str) -> tuple[str, ...]:
    """The spaces one lane away."""
    return tuple(lane.other(space) for lane in world.ways[space])


def order(state: State, command: c.Order, dice: Dice) -> Handled:
    """O3.2, O3.3 The fleet's order of this turn, in place of the one it had; only its own side hears of it."""
    given = Order(
        turn=state.turn, **{name: value for name, value in asdict(command).items() if name not in ("side", "fleet")}
    )
    told = event(
        "O3.3",
        "ordered",
        (command.side,),
        side=command.side,
        fleet=command.fleet,
        do=given.do,
        to=given.to,
        stance=given.stance,
    )
    return with_orders(state, command.side, {**state.orders.get(command.side, {}), command.fleet: given}), (told,)


def with_orders(state: State, side: str, given: dict[str, Order]) -> State:
    """O3.5 The side's orders, in an order that does not tell which came first."""
    orders = {**state.orders, side: dict(sorted(given.items()))}
    return replace(state, orders={name: orders[name] for name in sorted(orders) if orders[name]})


def standing(state: State) -> dict[str, dict[str, Order]]:
    """O3.2 The orders that stand in the next turn, too; their ways and notes were for this one."""
    return {
        side: mine
        for side, given in state.orders.items()
        if not state.sides[side].resigned
        and (
            mine := {
                name: replace(each, turn=state.turn + 1, way=(), note="")
                for name, each in given.items()
                if each.stands and state.fleets[name].ships
            }
        )
    }


def why_not_cancel(state: State, command: c.CancelOrder) -> Illegal | None:
    """O3.2 There must be an order."""
    wrong = why_not_side(state, command.side) or why_not_fleet(state, command.side, command.fleet)
    if wrong is None and command.fleet not in state.orders.get(command.side, {}):
        return Illegal("O3.2", "The fleet %(fleet)s has no order.", fleet=command.fleet)
    return wrong


def cancel(state: State, command: c.CancelOrder, dice: Dice) -> Handled:
    """O3.2 The fleet has no order any more."""
    left = {name: given for name, given in state.orders[command.side].items() if name != command.fleet}
    told = event("O3.2", "order_cancelled", (command.side,), side=command.side, fleet=command.fleet)
    return with_orders(state, command.side, left), (told,)


def why_not_detach(state: State, command: c.Detach) -> Illegal | None:
    """O2.2 Some of a fleet's ships, not all, and a new name for them that no fleet has."""
    wrong = why_not_side(state, command.side) or why_not_fleet(state, command.side, command.fleet)
    if wrong is not None:
        return wrong
    own = state.fleets[command.fleet].ships
    chosen = set(command.ships)
    if not chosen or not chosen < set(own) or len(chosen) != len(command.ships):
        return Illegal("O2.2", "Choose some of the ships of the fleet %(fleet)s, but not all.", fleet=command.fleet)
    if (
        f"{command.fleet}-{command.new}" in state.fleets
        or not SHORT_NAME.fullmatch(command.new)
        or not SHORT_NAME.fullmatch(f"{command.fleet}-{command.new}")
        or len(command.name) > LONGEST_NAME
    ):
        return Illegal("O2.2", "A new fleet needs a short name of its own.")
    return None


def detach(state: State, command: c.Detach, dice: Dice) -> Handled:
    """O2.2 The ships become a fleet of their own; only their own side hears of it."""
    ships = tuple(each for each in state.fleets[command.fleet].ships if each in command.ships)
    state = detach_ships(state, command.fleet, ships, f"{command.fleet}-{command.new}", command.name)
    told = event("O2.2", "detached", (command.side,), side=command.side, fleet=command.fleet, ships=len(ships))
    return state, (told,)


def why_not_write(state: State, command: c.Write) -> Illegal | None:
    """O3.4 A letter says something, and not too much."""
    if not 0 < len(command.text.strip()) <= LONGEST_TEXT:
        return Illegal("O3.4", "A letter must have 1 to %(most)s %(most|character|characters)s.", most=LONGEST_TEXT)
    return why_not_side(state, command.side)


def write(state: State, command: c.Write, dice: Dice) -> Handled:
    """O3.4 The letter lies on the umpire's desk; it stops nothing."""
    letters = {**state.letters, command.side: (*state.letters.get(command.side, ()), Letter(state.turn, command.text))}
    told = event("O3.4", "letter", (command.side,), side=command.side, text=command.text)
    return replace(state, letters={side: letters[side] for side in sorted(letters)}), (told,)


def why_not_answer(state: State, command: c.Answer) -> Illegal | None:
    """O3.4 There must be such a letter."""
    if command.side not in state.sides or not 0 <= command.letter < len(state.letters.get(command.side, ())):
        return Illegal("O3.4", "There is no such letter.")
    if command.waits and (command.text or state.letters[command.side][command.letter].answer):
        return Illegal("O3.4", "The turn can wait only for an answer that is still to be written.")
    return None


def answer(state: State, command: c.Answer, dice: Dice) -> Handled:
    """O3.4 The umpire's words stand beside the letter, or the turn waits for them; only its writer hears of it.

    When all are ready and the last letter that the turn waited for is answered, it runs.
    """
    letters = list(state.letters[command.side])
    before = letters[command.letter]
    letters[command.letter] = replace(before, answer=command.text, waits=command.waits or before.waits)
    state = replace(state, letters={**state.letters, command.side: tuple(letters)})
    if command.waits:
        return state, (event("O3.4", "letter_waits", (command.side,), side=command.side),)
    told = event("O3.4", "letter_answered", (command.side,), side=command.side, text=command.text)
    runs = before.waits and state.step == "orders" and not missing(state)
    return (run_on(state) if runs else state), (told,)


def why_not_ready(state: State, command: c.Ready) -> Illegal | None:
    """O3.2 Who plays may say so."""
    return why_not_side(state, command.side)


def ready(state: State, command: c.Ready, dice: Dice) -> Handled:
    """O3.2 When all are ready, the turn runs."""
    told = event("O3.2", "ready", side=command.side, ready=command.ready)
    state = replace(state, ready={**state.ready, command.side: command.ready})
    return (state, (told,)) if missing(state) else (run_on(state), (told,))


def run(state: State, command: c.Run, dice: Dice) -> Handled:
    """O3.7 The umpire lets the turn run with the orders that there are."""
    return run_on(state), (event("O3.7", "run", turn=state.turn),)


def run_on(state: State) -> State:
    """O3.1 The orders are opened, and the first day begins."""
    before = None
    if state.before is None:
        whole = decode(encode(replace(state, before=None)), dict[str, Any])
        before = {name: value for name, value in whole.items() if name not in KEPT}
    return replace(state, step="running", day=1, watch=0, before=before or state.before)


def unready(state: State) -> tuple[str, ...]:
    """O3.2 Who has still to say that his orders stand."""
    return tuple(side for side in state.playing if not state.ready.get(side))


def missing(state: State) -> tuple[str, ...]:
    """O3.2, O3.4 Who keeps the turn from running: whoever is not ready, then the umpire if it waits for his answer."""
    waits = any(each.waits and not each.answer for letters in state.letters.values() for each in letters)
    return unready(state) or ((UMPIRE,) if waits else ())


def offer_orders(state: State, seat: str) -> Iterator[Offer]:
    """O3.3 Where each fleet may go, whom it may escort, and that it stays."""
    if state.sides[seat].resigned:
        return
    world = chart(state.world)
    mine = fleets_of(state, seat)
    for fleet in mine:
        near = within_reach(state, fleet)
        spaces = [space for space in world.spaces if space in near]
        base = {"side": seat, "fleet": fleet}
        yield Offer("order", "O3.3", {**base, "do": list(SAILING), "to": spaces, "stance": list(STANCES)})
        if state.options.land:
            yield Offer("order", "O7.1", {**base, "do": list(ASHORE), "to": spaces, "stance": list(STANCES)})
            yield Offer("order", "O7.1", {**base, "do": "embark", "stance": list(STANCES)})
        others = [each for each in mine if each != fleet and world.near(state.fleets[each].at) in near]
        if others:
            yield Offer("order", "O3.3", {**base, "do": list(FOLLOWING), "to": others, "stance": list(STANCES)})
        yield Offer("order", "O3.3", {**base, "do": "stay", "stance": list(STANCES)})


def offer_cancel(state: State, seat: str) -> Iterator[Offer]:
    """O3.2 The orders that were given."""
    if not state.sides[seat].resigned:
        for fleet in state.orders.get(seat, {}):
            yield Offer("cancel_order", "O3.2", {"side": seat, "fleet": fleet})


def offer_ready(state: State, seat: str) -> Iterator[Offer]:
    """O3.2 That the orders stand, or no longer."""
    if not state.sides[seat].resigned:
        yield Offer("ready", "O3.2", {"side": seat, "ready": not state.ready.get(seat, False)})


# -- O2.2 The models of those who play: registered, also from a spreadsheet; a battle asks for no more of them.

MOST_OWNERS, MOST_MODELS, LONGEST = 20, 200, 60
DAMAGE_LEFT = 1  # a point of hull that a ship of a squadron keeps


def why_not_register(state: State, command: c.Register) -> Illegal | None:
    """O2.2 An owner with a name, known types, and no more models than fit on a table."""
    wrong = why_not_side(state, command.side)
    if wrong is not None:
        return wrong
    owners = state.models.get(command.side, {})
    named = 0 < len(command.owner.strip()) <= LONGEST
    known = all(kind in TABLES.type and 0 <= number <= MOST_MODELS for kind, number in command.models.items())
    if not named or not known or (command.owner not in owners and len(owners) >= MOST_OWNERS):
        return Illegal(
            "O2.2",
            "Give an owner's name, and for each type of ship 0 to %(most)s %(most|model|models)s.",
            most=MOST_MODELS,
        )
    return None


def register(state: State, command: c.Register, dice: Dice) -> Handled:
    """O2.2 What an owner brings, in place of what was registered; without models the owner is taken off."""
    counted = {kind: number for kind, number in sorted(command.models.items()) if number}
    owners = {name: own for name, own in state.models.get(command.side, {}).items() if name != command.owner}
    owners |= {command.owner: counted} if counted else {}
    models = {**state.models, command.side: dict(sorted(owners.items()))}
    told = event("O2.2", "registered", side=command.side, owner=command.owner, number=sum(counted.values()))
    return replace(state, models={side: models[side] for side in sorted(models) if models[side]}), (told,)


def offer_models(state: State, seat: str) -> Iterator[Offer]:
    """O2.2 Owners that were registered may be taken off."""
    if not state.sides[seat].resigned:
        for owner in state.models.get(seat, {}):
            yield Offer("register", "O2.2", {"side": seat, "owner": owner, "models": {}})


def table_has(state: State) -> Counter[str]:
    """O2.2 All models of the table, whoever brings them."""
    return sum((Counter(own) for owners in state.models.values() for own in owners.values()), Counter())


def ships_a_model(state: State, engagement: Engagement) -> int:
    """O2.2, L2.1 For how many ships a model stands, the same for both sides: the fewest for which there are models."""
    has, most = table_has(state), state.options.models
    for ships in range(1, MOST_MODELS + 1):
        lists = [Counter(unit.type for unit in fleet.units) for fleet in engagement.fleets.values()]
        wanted = [Counter({kind: -(-number // ships) for kind, number in each.items()}) for each in lists]
        fits = not most or all(each.total() <= most for each in wanted)
        both = wanted[0] + wanted[1]
        if fits and (not has or all(has.get(kind, 0) >= number for kind, number in both.items())):
            return ships
        if fits and has and all(number <= 1 for each in wanted for number in each.values()):
            return ships  # a type of which the table has none: others stand in for it
    return MOST_MODELS


def in_squadrons(state: State, engagement: Engagement) -> tuple[Engagement, dict[str, tuple[str, ...]]]:
    """O2.2, L2.1 The engagement as the table fields it, and the ships of each squadron by the one that leads it."""
    ships = ships_a_model(state, engagement)
    if ships == 1:
        return engagement, {}
    squadrons: dict[str, tuple[str, ...]] = {}
    fleets = {}
    for side, fleet in engagement.fleets.items():
        leaders: list[NavalUnit] = []
        leader: dict[str, str] = {}
        kinds = [(unit.type, engagement.late.get(unit.id)) for unit in fleet.units]
        for kind in dict.fromkeys(kinds):
            own = [unit for unit, of in zip(fleet.units, kinds, strict=True) if of == kind]
            for place in range(0, len(own), ships):
                leaders.append(own[place])
                squadrons[own[place].id] = tuple(unit.id for unit in own[place : place + ships])
                leader |= dict.fromkeys(squadrons[own[place].id], own[place].id)
        units = tuple(unit for unit in fleet.units if unit in leaders)
        fleets[side] = replace(fleet, units=units, flagship=leader.get(fleet.flagship, fleet.flagship))
    return replace(engagement, fleets=fleets), squadrons


def whole(engagement: Engagement, full: Mapping[str, Fleet]) -> Engagement:
    """O2.2 The engagement with all ships that were sent."""
    return replace(engagement, fleets=dict(full)) if full else engagement


def of_all_ships(outcome: NavalOutcome, squadrons: Mapping[str, tuple[str, ...]], state: State) -> NavalOutcome:
    """O2.2, L3.2 What befell a model befell all ships for which it stands; damage as far as each can bear it."""
    if not squadrons:
        return outcome
    return replace(outcome, sides={side: expand(told, squadrons, state) for side, told in outcome.sides.items()})


def expand(told: SideOutcome, squadrons: Mapping[str, tuple[str, ...]], state: State) -> SideOutcome:
    """O2.2 One side's losses, ship by ship."""
    sunk = tuple(ship for name in told.sunk_ships for ship in squadrons.get(name, (name,)))
    captured = tuple(ship for name in told.captured_ships for ship in squadrons.get(name, (name,)))
    damage = {
        ship: min(int(TABLES.hull[state.ships[ship].type]) - DAMAGE_LEFT, state.ships[ship].damage + more)
        for name, now in told.damage.items()
        for more in (max(0, now - state.ships[name].damage),)
        for ship in squadrons.get(name, (name,))
    }
    wounds: dict[str, Wounds] | None = None
    if told.wounds:
        wounds = {ship: each for name, each in told.wounds.items() for ship in squadrons.get(name, (name,))}
    return replace(
        told,
        sunk=len(sunk) or told.sunk,
        captured=len(captured) or told.captured,
        sunk_ships=sunk,
        captured_ships=captured,
        fled_ships=tuple(ship for name in told.fled_ships for ship in squadrons.get(name, (name,))),
        damage=damage,
        left=sum(len(each) for each in squadrons.values()) and told.left,
        **({} if wounds is None else {"wounds": wounds}),
    )
