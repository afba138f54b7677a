"""Whole wars of two to eight sides at random, every switch on: what must hold after every command and every turn."""

import random
from collections import Counter

import msgspec
import pytest
from msgspec.structs import replace
from waters import begun, war

from kit.lengths import WARS_OF_SIDES, seeds
from strategic.coast import apart
from strategic.open_campaign import OPEN_CAMPAIGN as RULES
from strategic.open_campaign.commands import Command
from strategic.open_campaign.rules import days, meeting, orders, sailing, upkeep
from strategic.open_campaign.rules.fighting import garrison
from strategic.open_campaign.rules.upkeep import weeks
from strategic.open_campaign.rules.world import chart
from strategic.open_campaign.state import Letter, Order, Pin
from strategic.open_campaign.tables import TABLES
from tactical.kernel.dice import Dice, random_source
from tactical.kernel.protocol import SPECTATOR, UMPIRE
from tactical.kernel.random_play import fill
from tactical.kernel.record import encode, read

SWITCHES = {"weather": True, "land": True, "money": "full", "letters": "by_ship", "models": 8}
QUIET = ("resign", "open_battle", "ready", "run", "report")
ORDERS = ("order", "cancel_order")
TURNS, LONG, COMMANDS = 3, 10, 12  # `LONG` in the soak


def beginning(sides, turns=TURNS):
    """Every side with a fleet of warships and transports with companies, a port and a chest; allies far and near."""
    position = war(sides, ships=6, ports=10, turn_length="week", turns=turns, options=SWITCHES)
    position["ports"] = {f"p{number}": f"side{number}" for number in range(sides)}
    position["money"] = {side: 3000 for side in position["sides"]}
    for number in range(sides):
        position["fleets"][f"f{number}"] |= {"admiral": f"Admiral {number}", "fight": 1}
        for ship in (4, 5):
            position["ships"][f"s{number}-{ship}"] |= {"type": "transport", "companies": 1}
    return begun(position)


def apply(state, seat, command, seed):
    """The outcome of a command with dice of a seed; what must hold of it is asked at once."""
    source = random_source(random.Random(seed).randrange)
    outcome = RULES.apply(state, seat, read(command, Command), Dice(source=source, secret=source))
    assert not RULES.invariants(outcome.state), command
    accounts(state, outcome)
    besieged(state, outcome.state)
    secret(state, command, outcome)
    return outcome.state


def accounts(before, outcome):
    """No ship is ever gone from the books; men do not grow; money is what came in and went out."""
    after, told = outcome.state, outcome.events
    launched = [each for each in told if each.type == "launched"]
    assert set(before.ships) <= set(after.ships) and len(after.ships) == len(before.ships) + len(launched)
    assert men(after) <= men(before)
    sums = dict.fromkeys(("income", "books", "borrowed", "repaid"), 0)
    fields = {"income": "earned", "books": "spent", "borrowed": "amount", "repaid": "amount"}
    for each in told:
        if each.type in sums:
            sums[each.type] += each.data[fields[each.type]]
    built = sum(TABLES.money.price[each.data["ship"]] for each in told if each.type == "laid_down")
    right = sum(before.money.values()) + sums["income"] + sums["borrowed"] - sums["repaid"] - sums["books"] - built
    mended = right - sum(after.money.values())
    assert mended >= 0 and mended % TABLES.money.mend == 0 and min(after.money.values()) >= 0


def besieged(before, after):
    """O7.1 A siege grows by companies before the port alone, and nobody's deed sets it back while it stands."""
    for port, siege in after.sieges.items():
        was = before.sieges.get(port)
        grown = siege.points - (was.points if was else 0)
        fresh = was is not None and before.are_hostile(was.side, siege.side)
        assert 0 <= grown <= 2 * weeks(before) or (fresh and siege.points <= 2 * weeks(before)), (port, was, siege)
        if grown > 0:
            there = [fleet for fleet in after.fleets.values() if fleet.at == port and fleet.side == siege.side]
            assert any(after.ships[ship].companies for fleet in there for ship in fleet.ships), (port, siege)


A_WATCH = 70  # nautical miles that no fleet makes in three hours
STEPS = {
    (days, "watch"): A_WATCH,
    (meeting, "meet"): TABLES.chase.port,  # the quarry runs into a port
    **dict.fromkeys(((days, name) for name in ("night", "ashore", "float_prizes", "launch", "refit", "pay_fleets")), 0),
}
TOGETHER = ((days, "join_fleets"), (upkeep, "join_fleets"), (orders, "detach_ships"), (sailing, "scatter"))


@pytest.fixture
def ways(monkeypatch):
    """O4.1, O8.1 Asks after each step of a turn how far ships have come in it, and after each join or parting what is
    owed; how often which was done."""
    done = Counter()

    def watch(module, name, miles, owed=False):
        act = getattr(module, name)

        def asked(state, *given):
            found = act(state, *given)
            after = found[0] if isinstance(found, tuple) else found
            old, new = places(state), places(after)
            gone = [ship for ship, at in old.items() if ship in new and apart(at, new[ship]) > miles]
            assert not gone, f"{name}: {gone} have changed their place by no way"
            lost = set(old) - set(new)
            assert all(after.ships[ship].status != "afloat" for ship in lost) and len(after.fleets) >= len(state.fleets)
            assert not owed or arrears(state) == arrears(after), name
            done[name] += state != after
            return found

        monkeypatch.setattr(module, name, asked)

    for (module, name), miles in STEPS.items():
        watch(module, name, miles)
    for module, name in TOGETHER:
        watch(module, name, 0, owed=True)
    return done


def places(state):
    """Where each ship is that sails with a fleet."""
    world = chart(state.world)
    return {ship: world.point(fleet.at) for fleet in state.fleets.values() for ship in fleet.ships}


def arrears(state):
    """What is owed to all fleets together."""
    return sum(fleet.arrears for fleet in state.fleets.values())


def secret(before, command, outcome):
    """Of a secret command nobody learns anything who sees none of its events: not by view, offers or who must act."""
    if command["type"] not in RULES.secret:
        return
    assert outcome.events and all(each.only for each in outcome.events), command
    known = {seat for each in outcome.events for seat in each.only}
    for seat in {*before.sides, SPECTATOR} - known:
        assert encode(RULES.view(before, seat)) == encode(RULES.view(outcome.state, seat)), (seat, command)
        assert RULES.offers(before, seat) == RULES.offers(outcome.state, seat), (seat, command)
    assert RULES.waiting_for(before) == RULES.waiting_for(outcome.state)


def men(state):
    """The companies aboard ships that are afloat, and in the ports."""
    aboard = sum(ship.companies for ship in state.ships.values() if ship.status == "afloat")
    return aboard + sum(garrison(state, port) for port in state.ports)


def twin(state, side):
    """The position with everything changed that a side does not see: others' fleets, ships, papers, money, weather."""
    met = {each for found in (state.engagement, *state.waiting) if found for each in found.fleets}
    others = [each for each in state.sides if each != side and each not in met]
    fleets = {
        name: replace(fleet, at="p9", provisions=1, weary=1, admiral="X") if fleet.side in others else fleet
        for name, fleet in state.fleets.items()
    }
    ships = {
        name: replace(ship, pips=1, name="X", damage=1, companies=0) if ship.side in others and not ship.was else ship
        for name, ship in state.ships.items()
    }
    first = next((name for name, fleet in state.fleets.items() if fleet.side in others and fleet.ships), "")
    orders = {state.fleets[first].side: {first: Order("go", to="p8", note="secret")}} if first else {}
    changed = {
        "orders": {**{each: given for each, given in state.orders.items() if each not in others}, **orders},
        "letters": {**state.letters, **{each: (Letter(1, "secret"),) for each in others}},
        "known": {each: seen for each, seen in state.known.items() if each not in others},
        "pins": {**state.pins, **{each: (Pin("p1", "secret", 1),) for each in others}},
        "money": {**state.money, **dict.fromkeys(others, 7)},
        "debts": {**state.debts, **dict.fromkeys(others, 7)},
        "stocks": tuple(each for each in state.stocks if each.side not in others),
        "weather": {},
        "skies": (),
        "settled": {},
        "before": None,
    }
    return replace(state, fleets=fleets, ships=ships, **changed)


def nothing_unseen(state):
    """No byte of a side's view hangs on what it does not see."""
    for side in state.sides:
        assert encode(RULES.view(state, side)) == encode(RULES.view(twin(state, side), side)), side


def posted(state):
    """The position that the umpire reads, posted as a new campaign."""
    raw = msgspec.json.decode(encode(RULES.view(state, UMPIRE)))
    return RULES.start(None, raw, {}, Dice()).state


def all_orders(state, source):
    """An order for every fleet that has none, at random."""
    found = []
    for side in state.playing:
        given = state.orders.get(side, {})
        offers = [each for each in RULES.offers(state, side) if each.type == "order"]
        for fleet in dict.fromkeys(each.fields["fleet"] for each in offers):
            if fleet not in given:
                found.append(fill(source.choice([each for each in offers if each.fields["fleet"] == fleet]), source))
    return found


@pytest.mark.parametrize("seed", seeds((0,), WARS_OF_SIDES))
@pytest.mark.parametrize("sides", range(2, 9))
def test_o3_5_and_o5_2_and_o8_1_whole_wars_at_random_keep_their_books_their_secrets_and_their_places(sides, seed, ways):
    source = random.Random(sides + 10 * seed)
    turns = LONG if seed else TURNS
    state = beginning(sides, turns)
    while not RULES.is_over(state):
        if state.step == "orders":
            state = business(state, source)
            state = turn(state, source)
        else:
            nothing_unseen(state)
            name = source.choice(list(RULES.view(state, UMPIRE)["engagements"]))
            side = next(iter(RULES.view(state, UMPIRE)["engagements"][name]["fleets"]))
            told = {"type": "choose_way", "engagement": name, "way": "own_table", "side": side}
            state = apply(state, side, told, source.randrange(999))
    assert state.turn == turns and state.engagement is None
    assert ways["watch"] >= turns and ways["night"] >= turns


def business(state, source):
    """Some commands of all kinds, as they are offered."""
    for _ in range(COMMANDS):
        seat = source.choice(state.playing)
        offers = [each for each in RULES.offers(state, seat) if each.type not in QUIET]
        state = apply(state, seat, fill(source.choice(offers), source), 1)
    nothing_unseen(state)
    return state


def turn(state, source):
    """A turn: its orders in two sequences, with the same dice, from the position and from the same one posted."""
    given, seed = all_orders(state, source), source.randrange(999)
    ends = []
    for start in (state, posted(state)):
        source.shuffle(given)
        now = start
        for command in given:
            now = apply(now, command["side"], command, 1)
        sides = list(now.playing)
        source.shuffle(sides)
        for side in sides[:-1]:
            now = apply(now, side, {"type": "ready", "side": side}, 1)
        now = apply(now, sides[-1], {"type": "ready", "side": sides[-1]}, seed)
        ends.append(now)
    assert encode(ends[0]) == encode(ends[1]), "the same orders and dice, the same turn"
    return ends[0]
