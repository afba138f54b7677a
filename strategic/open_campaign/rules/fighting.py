"""O6.2, O6.3, O7.1 Quick dice, what comes home from a battle, and land in little."""

from __future__ import annotations

from collections.abc import Iterable
from functools import lru_cache
from itertools import product
from math import exp, lgamma, log
from typing import Literal, NamedTuple

from msgspec import UNSET
from msgspec.structs import replace

from strategic.naval.engagement import Engagement, NavalOutcome, SideOutcome, Wounds
from strategic.naval.handoff import navy
from strategic.open_campaign.rules.holding import close_meeting, fleets_there, onlookers, sent_ships
from strategic.open_campaign.rules.money import income, moor, with_money
from strategic.open_campaign.rules.orders import fleets_of, of_all_ships, whole
from strategic.open_campaign.rules.sailing import ROUGH, home, quality, sky
from strategic.open_campaign.rules.upkeep import weeks, with_pips
from strategic.open_campaign.rules.world import chart
from strategic.open_campaign.state import Captive, Fleet, Handled, Prize, Ship, Siege, State, add_line, remove_ships
from strategic.open_campaign.tables import TABLES, QuickResult, Tables
from tactical.captains.worth import WORTH, Kind
from tactical.kernel.dice import Dice
from tactical.kernel.protocol import UMPIRE, Event, event
from tactical.kernel.record import Record

# -- O6.2, O6.3 Quick dice, and what comes home from a battle, wherever it was fought.

EVEN = 7  # two dice as often over as under it
HAS_CORVUS = STANDS_IN = "quinquereme"  # the type that carries the corvus; a unit without a type of the tables
LEVELS: tuple[Literal["raw", "able", "seasoned"], ...] = (
    "raw",
    "able",
    "seasoned",
)  # O2.4: captains by their admiral's rating
TWO_DICE = tuple(one + other for one, other in product(range(1, 7), repeat=2))
WEARY = 2


def value(tables: Tables, ship: Ship, weary: int = 0) -> float:
    """O6.2 What a ship counts in battle: by type and hull, her side's navy, rowers who may be weary (O4.3), corvus."""
    hull = max(0.0, 1 - ship.damage / TABLES.hull[ship.type])
    factor = WORTH.factor(Kind(ship.type, navy(ship.side), quality(ship, weary), ship.corvus))
    return tables.quick.value[ship.type] * hull * factor


def strength(state: State, engagement: Engagement, side: str) -> float:
    """O6.2 The fighting value of a side of an engagement; ships that come in later count half (O5.3)."""
    there = (state.fleets[name] for name in fleets_there(state, engagement, side))
    weary = {each: fleet.weary for fleet in there for each in fleet.ships}
    return sum(
        value(state.tables, state.ships[each], weary.get(each, 0))
        * (state.tables.quick.arriving if each in engagement.late else 1)
        for each in sent_ships(engagement.fleets[side])
    )


def quick_dice(state: State, dice: Dice) -> Handled:
    """O6.2 Two dice on the table of results, by the ratio of values and the admirals' difference."""
    assert state.engagement is not None
    state, engagement = whole_engagement(state, state.engagement)
    return enter(state, engagement, throw_outcome(state, engagement, dice), dice)


def throw_outcome(state: State, engagement: Engagement, dice: Dice) -> NavalOutcome:
    """O6.2 The outcome that the dice give a meeting; nothing is entered yet."""
    stronger, weaker, more = footing(state, engagement)
    total = sum(dice.roll(2, 6, "O6.2", only=onlookers(state, *engagement.sides))) + more
    fates = fates_of(state.tables, engagement, (stronger, weaker), total)
    sides = {side: throw_losses(state, engagement, side, fate, dice) for side, fate in fates.items()}
    winner = next((side for side, fate in fates.items() if fate.has_won), None)
    return NavalOutcome(winner=winner, turns=1, sides=sides)


def whole_engagement(state: State, engagement: Engagement) -> tuple[State, Engagement]:
    """O2.2 The engagement with all its ships, where the table had a model for several of them."""
    squadrons = state.squadrons.get(engagement.id)
    if squadrons is None:
        return state, engagement
    left = {name: each for name, each in state.squadrons.items() if name != engagement.id}
    return replace(state, squadrons=left), whole(engagement, squadrons.full)


def footing(state: State, engagement: Engagement) -> tuple[str, str, int]:
    """O6.2 The stronger side, the weaker, and what is added to the dice: by ratio, admirals, and who lay at anchor."""
    stronger, weaker = sorted(engagement.sides, key=lambda side: (-strength(state, engagement, side), side))
    skill = engagement.fleets[stronger].rating - engagement.fleets[weaker].rating
    ships = min(len(fleet.units) for fleet in engagement.fleets.values())
    more = shift(state.tables, strength(state, engagement, stronger), strength(state, engagement, weaker), ships)
    quick = state.tables.quick
    more += max(-quick.rating, min(quick.rating, skill))
    if engagement.deployment and len(engagement.deployment.anchored) == 1:
        more += quick.anchored if engagement.deployment.anchored[0] == weaker else -quick.anchored
    return stronger, weaker, more


def shift(tables: Tables, high: float, low: float, ships: int) -> int:
    """O6.2 What the ratio of two values adds to the dice of the stronger, where the smaller fleet has so many ships.

    Of many ships the luck evens out: the ratio is taken to the power that `WORTH.size` gives their number.
    """
    if not low:
        return len(tables.quick.shift)
    ratio = log(high / low) * max(1, ships) ** WORTH.size
    return sum(ratio >= log(step) for step in tables.quick.shift)


class Fate(NamedTuple):
    """O6.2 What a total of the dice means for one side: whether it has won or has fled; and whether its ships are lost.

    A ship is lost of so many of a hundred `warships`, or of `transports`; of all together no more than `most`.
    """

    has_won: bool
    fled: bool
    warships: int
    transports: int
    most: int


def fates_of(tables: Tables, engagement: Engagement, order: tuple[str, str], total: int) -> dict[str, Fate]:
    """O6.2 What a total means for the stronger side and the weaker, which `order` names in this order.

    A ship sinks or takes so many (`sinks` of the table) in the turns of a battle: of a fleet no more ships than its
    enemy can sink are in danger, and the share of the table is the share of these. A winner keeps one warship at least.
    Transports alone beat nobody.
    """
    row = result(tables, total)
    winner, loser = order if total >= EVEN else order[::-1]
    is_decided = row.name != "undecided" and bool(engagement.fleets[winner].units)
    fates = {}
    for side in order:
        fleet, share = engagement.fleets[side], row.winner if side == winner else row.loser
        has_won = is_decided and side == winner
        most = tables.quick.sinks * len(engagement.fleets[engagement.other(side)].units)
        warships, transports = (
            round(share * min(1, most / len(ships))) if ships else 0 for ships in (fleet.units, fleet.transports)
        )
        fates[side] = Fate(has_won, is_decided and side == loser, warships, transports, most)
    return fates


@lru_cache(maxsize=4096)
def mean_loss(ships: int, share: int, most: int) -> float:
    """O6.2 How many of so many ships are lost on average, each of so many of a hundred, and no more than `most`."""
    if ships <= most or share in (0, 100):
        return min(ships * share / 100, most)
    ways = (lgamma(ships + 1) - lgamma(lost + 1) - lgamma(ships - lost + 1) for lost in range(most))
    chances = (
        exp(way + lost * log(share / 100) + (ships - lost) * log(1 - share / 100)) for lost, way in enumerate(ways)
    )
    return most - sum((most - lost) * chance for lost, chance in enumerate(chances))


class Instant(Record, frozen=True):
    """O6.2 What quick dice give: each side's chance to win, that of neither, the warships that each loses on average.

    `error` is how far the table errs against battles of captains of this `level`, in points of a hundred.
    """

    wins: dict[str, float]
    neither: float
    losses: dict[str, float]
    error: float
    level: str


def redact(state: State, engagement: Engagement, seat: str) -> State:
    """O5.2, O6.1 The position with no more of an enemy's ships than the meeting shows to this seat.

    That is each warship's type, crew (weary or not) and damage, and whether the side has the corvus; transports are
    whole and average.
    """
    ships = {}
    for side, fleet in engagement.fleets.items():
        if side == seat:
            continue
        for unit in fleet.units:
            kind = unit.type if unit.type in TABLES.type else STANDS_IN
            pips = TABLES.rowers[unit.crew if unit.crew in TABLES.rowers else "average"].most
            corvus = fleet.has_corvus(unit) and kind == HAS_CORVUS
            ships[unit.id] = Ship(side, kind, pips=pips, damage=unit.damage, corvus=corvus)
        ships |= {each.id: Ship(side, "transport") for each in fleet.transports}
        for name in fleets_there(state, engagement, side):
            state = state.with_fleet(name, weary=0)
    return state.with_ships(ships)


def instant(state: State, engagement: Engagement, seat: str = UMPIRE) -> Instant:
    """O6.2 The forecast of a meeting by the table that settles it, before anything is simulated.

    The umpire's is exact; a side's is as good as what it knows of the enemy.
    """
    if seat != UMPIRE:
        state = redact(state, engagement, seat)
    stronger, weaker, more = footing(state, engagement)
    wins, losses = {stronger: 0.0, weaker: 0.0}, {stronger: 0.0, weaker: 0.0}
    for total in (throw + more for throw in TWO_DICE):
        for side, fate in fates_of(state.tables, engagement, (stronger, weaker), total).items():
            wins[side] += fate.has_won / len(TWO_DICE)
            ships = len(engagement.fleets[side].units)
            losses[side] += mean_loss(ships, fate.warships, min(fate.most, ships - fate.has_won)) / len(TWO_DICE)
    quick = state.tables.quick
    return Instant(wins, 1 - sum(wins.values()), losses, quick.error_in_wins, quick.level)


def captains_level(engagement: Engagement, side: str) -> Literal["raw", "able", "seasoned"]:
    """O2.4 How good the captains are who fight a meeting for a side: by its admiral's rating for the fight."""
    return LEVELS[max(0, min(len(LEVELS) - 1, engagement.fleets[side].rating))]


def result(tables: Tables, total: int) -> QuickResult:
    """O6.2 The row of the table; a total under 7 mirrors one over it, read for the weaker."""
    mirrored = total if total >= EVEN else 2 * EVEN - total
    return next((row for row in tables.quick.result if mirrored >= row.total), tables.quick.result[-1])


def throw_losses(state: State, engagement: Engagement, side: str, fate: Fate, dice: Dice) -> SideOutcome:
    """O6.2 Every ship throws for herself so that the share comes out; so many of a hundred lost are taken.

    Where more would be lost than the enemy can sink, the lowest throws are. Transports that the beaten lose are taken,
    others sunk. Of the rest a quarter, times twice the share, come home damaged: by half a die of their hull, never all
    of it.
    """
    fleet, who, share = engagement.fleets[side], onlookers(state, *engagement.sides), fate.warships
    faces = dice.roll(len(fleet.units), 100, "O6.2", only=who)
    throws = {unit.id: face for unit, face in zip(fleet.units, faces, strict=True)}
    lowest = sorted((each for each in throws if throws[each] <= share), key=throws.__getitem__)
    lost = set(lowest[: min(fate.most, len(throws) - fate.has_won)])
    gone = [each for each in throws if each in lost]
    taken = dice.roll(len(gone), 100, "O6.2", only=who)
    captured = tuple(each for each, face in zip(gone, taken, strict=True) if face <= state.tables.quick.taken)
    faces = dice.roll(len(fleet.transports), 100, "O6.2", only=who)
    struck = sorted(zip(faces, (each.id for each in fleet.transports), strict=True))
    carriers = tuple(each for face, each in struck if face <= fate.transports)[: fate.most - len(gone)]
    sunk = tuple(each for each in gone if each not in captured)
    worst = 100 - (100 - share) * min(100, 2 * share) // 400  # of a hundred: from this face on she is damaged
    hurt = [each for each, face in throws.items() if face > worst and each not in lost]
    blows = dice.roll(len(hurt), 6, "O6.2", only=who)
    return SideOutcome(
        sunk=len(sunk),
        captured=len(captured),
        transports=len(carriers),
        fled=fate.fled,
        sunk_ships=sunk,
        captured_ships=captured,
        sunk_transports=() if fate.fled else carriers,
        captured_transports=carriers if fate.fled else (),
        damage={each: damage_after_blow(state.ships[each], face) for each, face in zip(hurt, blows, strict=True)},
    )


def damage_after_blow(ship: Ship, face: int) -> int:
    """O6.2 Her damage after a blow of half a die: what she had and the new one, and a point of her hull left."""
    return min(int(TABLES.hull[ship.type]) - 1, ship.damage + (face + 1) // 2)


def enter(state: State, engagement: Engagement, outcome: NavalOutcome, dice: Dice) -> Handled:
    """O6.3 Sunk, captured and damaged ships by name, admirals; the beaten make for the nearest port."""
    squadrons = state.squadrons.get(engagement.id)
    given, outcome = outcome, of_all_ships(outcome, squadrons.ships if squadrons else {}, state)
    state, engagement = whole_engagement(state, engagement)
    losses = []
    events: list[Event] = []
    for side in engagement.sides:
        state, told = come_home(state, engagement, outcome, side, dice)
        events += told
        losses.append(outcome.of(side).lost + outcome.of(side).transports)
    state = man_prizes(state, engagement, outcome)
    state = replace(close_meeting(state, engagement), settled={**state.settled, engagement.id: given})
    told_all = event(
        "O6.3",
        "settled",
        tuple(sorted(engagement.sides)),
        True,
        engagement=engagement.id,
        space=engagement.place,
        winner=outcome.winner,
        sides=list(engagement.sides),
        losses=losses,
    )
    return state, (told_all, *events)


def come_home(state: State, engagement: Engagement, outcome: NavalOutcome, side: str, dice: Dice) -> Handled:
    """O6.3 What one side brings home."""
    fleet, told = engagement.fleets[side], outcome.of(side)
    enemy = engagement.other(side)
    units = [unit.id for unit in fleet.units]
    sunk = pick(units, told.sunk_ships, told.sunk, told.captured_ships)
    captured = pick(units, told.captured_ships, told.captured, sunk)
    sunk_transports, captured_transports = told.transports_of(fleet, taken=outcome.winner == enemy)
    taken, down = (*captured, *captured_transports), (*sunk, *sunk_transports)
    fleets = fleets_there(state, engagement, side)
    flagships = {name: state.flagship(name) for name in fleets}
    if fleet.flagship and fleet.commander in flagships:
        flagships[fleet.commander] = fleet.flagship
    deed = f"{engagement.place} {state.date}"
    hurt = {each: damage for each, damage in told.damage.items() if each not in (*taken, *down)}
    state = state.with_ships({each: replace(state.ships[each], damage=damage) for each, damage in hurt.items()})
    if told.wounds is not UNSET:
        left = [each for each in units if each not in (*taken, *down)]
        state = state.with_ships({each: wound(state.ships[each], told.wounds.get(each, Wounds())) for each in left})
    state = state.with_ships({each: add_line(state.ships[each], deed) for each in sent_ships(fleet)})
    won = [each for each in hurt if outcome.winner == side]
    for fate, ships in (("drowned", down), ("taken", taken), ("praised", won)):  # O6.3: the captains
        state = state.with_ships({each: replace(state.ships[each], fate=fate) for each in ships})
    state = remove_ships(remove_ships(state, down, "sunk"), taken, "captured", enemy)
    foreign = [each for each in taken if state.ships[each].origin != enemy]
    state = replace(state, taken=add_names(state.taken, enemy, foreign))
    events: tuple[Event, ...] = ()
    for name in fleets:
        own = state.fleets[name]
        state = state.with_fleet(name, weary=max(own.weary, WEARY))
        state = with_pips(state, own.ships, (outcome.winner == side) - (outcome.winner == enemy))
        if told.fled or outcome.winner == enemy:
            state = state.with_fleet(name, shy=True, course=(home(state, name) or "") if own.ships else "", pursuit="")
    if outcome.winner == side:
        state = standing_order(state, fleets, engagement, enemy)
    led = [name for name in fleets if state.fleets[name].admiral or name == fleet.commander]
    lost = [name for name in led if flagships[name] in (*down, *taken)]
    for name in lost:
        state, more = admirals_fate(state, name, enemy, dice)
        events += more
    is_great = outcome.winner == side and outcome.of(enemy).lost * 2 > len(engagement.fleets[enemy].units)
    if is_great and fleet.commander not in lost:
        state, events = praise(state, fleet.commander or "")
    return state, events


def add_names(books: dict[str, tuple[str, ...]], side: str, names: Iterable[str]) -> dict[str, tuple[str, ...]]:
    """O9.1 The books of the sides with these names in that of one side, each once."""
    own = tuple(sorted({*books.get(side, ()), *names}))
    return dict(sorted({**books, side: own}.items())) if own else books


def man_prizes(state: State, engagement: Engagement, outcome: NavalOutcome) -> State:
    """O6.3 What a winner has taken may float for him in the next turn: it stays with his largest fleet there."""
    if outcome.winner is None:
        return state
    lost = engagement.fleets[engagement.other(outcome.winner)]
    captors = fleets_there(state, engagement, outcome.winner)
    captor = max(captors, key=lambda name: len(state.fleets[name].ships), default="")
    ships = {
        each: replace(ship, prize=state.turn)
        for each in sent_ships(lost)
        if (ship := state.ships[each]).status == "captured" and ship.captured_by == outcome.winner
    }
    prizes = {**state.prizes, **dict.fromkeys(ships, Prize(captor, engagement.place))}
    return replace(state.with_ships(ships), prizes=dict(sorted(prizes.items())))


def standing_order(state: State, fleets: tuple[str, ...], engagement: Engagement, enemy: str) -> State:
    """O6.3 The winner follows the beaten, blockades or besieges the port that they run to, or goes home, as ordered."""
    beaten = fleets_there(state, engagement, enemy)
    refuge = next((state.fleets[name].course for name in beaten if state.fleets[name].course), "")
    if not refuge:
        mouth = (fleet for fleet in beaten if state.fleets[fleet].ships)
        refuge = next((home(state, name) or "" for name in mouth), "")
    for name in fleets:
        order = state.order_of(name)
        after = order.after if order is not None else ""
        if after == "home":
            state = state.with_fleet(name, course=home(state, name) or "", pursuit="")
        elif after and refuge:
            state = state.with_fleet(name, course=refuge, pursuit=after)
    return state


def wound(ship: Ship, marks: Wounds) -> Ship:
    """O2.1, O6.3 Her sheet with the breaches, oars and marines that the table sent home."""
    return replace(ship, breaches=marks.breaches, oars=marks.oars, marines=marks.marines)


def admirals_fate(state: State, name: str, enemy: str, dice: Dice) -> Handled:
    """O2.4 His ship is lost: he drowns, is taken by the enemy (and may be ransomed, O8.1), or gets away to another."""
    fleet = state.fleets[name]
    (face,) = dice.roll(1, 6, "O2.4", only=UMPIRE)
    row = state.tables.admiral
    fate = "drowned" if face <= row.drowned else "taken" if face <= row.captured else "saved"
    if not fleet.admiral or fate == "saved":
        return state, ()
    if fate == "taken":
        held = Captive(fleet.side, enemy, fleet.admiral, fleet.seamanship, fleet.fight, price_of(fleet))
        state = replace(state, captives=tuple(sorted((*state.captives, held), key=lambda it: (it.side, it.name))))
    told = event("O2.4", "admiral_lost", (fleet.side,), True, side=fleet.side, admiral=fleet.admiral, fate=fate)
    return state.with_fleet(name, admiral="", seamanship=0, fight=0), (told,)


def price_of(fleet: Fleet) -> int:
    """O8.1 What the freedom of a fleet's admiral costs, by his ratings."""
    return TABLES.money.ransom + TABLES.money.ransom_rating * (fleet.seamanship + fleet.fight)


def praise(state: State, name: str) -> Handled:
    """O2.4 Who sinks or takes more than half of the enemy is praised: his rating for the fight grows, to 2 at most."""
    fleet = state.fleets.get(name)
    if fleet is None or not fleet.admiral or fleet.fight >= state.tables.admiral.best:
        return state, ()
    told = event("O2.4", "admiral_praised", (fleet.side,), side=fleet.side, admiral=fleet.admiral)
    return state.with_fleet(name, fight=fleet.fight + 1), (told,)


def float_prizes(state: State, dice: Dice) -> Handled:
    """O6.3 In the turn after the battle half of what the winner took floats for him, with prize crews.

    A prize sails with the fleet that has taken her; where that is lost, or waits for another battle, she makes for the
    port of her captor's that is nearest to where she was taken.
    """
    won: dict[str, list[str]] = {}
    for name, ship in sorted(state.ships.items()):
        captor = ship.captured_by or ""
        if ship.status != "captured" or not ship.prize or ship.prize >= state.turn:
            continue
        (face,) = dice.roll(1, 6, "O6.3", only=UMPIRE)
        state = state.with_ships({name: replace(ship, prize=0)})
        if face >= state.tables.prize.floats:
            won.setdefault(captor, []).append(name)
            state = launch_prize(state, name, captor)
    state = replace(state, prizes={name: held for name, held in state.prizes.items() if state.ships[name].prize})
    told = (event("O6.3", "prizes", (captor,), True, side=captor, ships=len(names)) for captor, names in won.items())
    return state, tuple(told)


def launch_prize(state: State, name: str, captor: str) -> State:
    """O6.3 The position with a prize among her captor's ships: with his fleet, or where the nearest of his ports is.

    Of a game that did not keep with whom she sails she joins his first fleet.
    """
    held = state.prizes.get(name) or Prize(next((each for each in fleets_of(state, captor)), ""), "")
    floating, fleet = state.with_ships({name: prize_of(state.ships[name], captor)}), state.fleets.get(held.fleet)
    if fleet is not None and fleet.side == captor and fleet.ships and not fleet.engaged:
        return floating.with_fleet(held.fleet, ships=(*fleet.ships, name))
    if not held.place:
        return state
    ports = (port for port in sorted(state.ports) if state.is_friendly(port, captor))
    return moor(floating, (name,), captor, chart(state.world).nearest(held.place, ports) or held.place)


def prize_of(ship: Ship, captor: str) -> Ship:
    """O6.3 A ship that floats for her captor, with a poor crew; one that was his own is his again."""
    return replace(
        ship,
        side=captor,
        status="afloat",
        pips=TABLES.prize.pips,
        captain="",
        fate="",
        companies=0,
        was="" if ship.origin == captor else ship.origin,
        captured_by=None if ship.origin == captor else captor,
    )


def pick(units: list[str], named: tuple[str, ...], count: int, other: tuple[str, ...]) -> tuple[str, ...]:
    """L2.4 The ships that were named, else the last of those that are not lost otherwise."""
    if named or not count:
        return named
    left = [each for each in units if each not in other]
    return tuple(left[-count:])


# -- O7.1 Land in little: companies aboard and in ports, landings by a small table, sieges in weeks, raids.

ASSAULTS = ("land", "besiege", "raid")


def garrison(state: State, port: str) -> int:
    """O7.1 The companies in a port: those that were put there, else its own by its rank."""
    space = chart(state.world).spaces[port]
    own = space.rank // TABLES.land.company if space.garrison is None else space.garrison
    return state.garrisons.get(port, own)


def companies(state: State, fleet: str) -> int:
    """O7.1 The companies aboard a fleet's transports."""
    return sum(state.ships[each].companies for each in state.fleets[fleet].ships)


def with_companies(state: State, fleet: str, left: int) -> State:
    """O7.1 The fleet with so many companies left aboard, the first ships first."""
    ships = {}
    for each in state.fleets[fleet].ships:
        stay = min(left, state.ships[each].companies)
        left -= stay
        if stay != state.ships[each].companies:
            ships[each] = replace(state.ships[each], companies=stay)
    return state.with_ships(ships)


def ashore(state: State, dice: Dice) -> Handled:
    """O3.1, O7.1 Landings, raids and embarking by order, then the sieges, when the days of a turn are over."""
    if not state.options.land:
        return state, ()
    events: list[Event] = []
    for name in tuple(state.at_sea()):
        order, fleet = state.order_of(name), state.fleets[name]
        if fleet.engaged:
            continue  # O3.6: it waits for its battle
        if order is not None and order.do == "embark":
            state = embark(state, name)
        elif fleet.pursuit == "besiege" and fleet.at == fleet.course:
            state, told = assault(state, name, "besiege", dice)
            events += told
        elif order is not None and order.do == "land" and fleet.at == order.to and is_own(state, fleet):
            state = disembark(state, name)
        elif order is not None and order.do in ASSAULTS and fleet.at == order.to:
            state, told = assault(state, name, order.do, dice)
            events += told
    state, told = sieges(state)
    return state, (*events, *told)


def besiegers(state: State, port: str, side: str) -> list[str]:
    """O7.1 The fleets of a side before a port that an enemy of it holds, and those that besiege it beside them."""
    holder = state.ports.get(port)
    return [
        name
        for name in state.at_sea()
        if (fleet := state.fleets[name]).at == port
        and holder is not None
        and state.are_hostile(fleet.side, holder)
        and state.are_hostile(side, holder)
        and (fleet.side == side or (is_beside(state, name) and not state.are_hostile(fleet.side, side)))
    ]


def is_beside(state: State, name: str) -> bool:
    """O7.1 Does a fleet take part in whatever siege there is: has it orders to besiege, to blockade or to land?"""
    return state.task(name) in ("besiege", "blockade", "land")


def standing_siege(state: State, port: str) -> Siege | None:
    """O7.1 The siege of a port as it is kept up: by the side that began it, else by the first of those beside it.

    None without companies before the port.
    """
    siege = state.sieges.get(port)
    if siege is None:
        return None
    sides = [state.fleets[name].side for name in besiegers(state, port, siege.side) if companies(state, name)]
    return None if not sides else siege if siege.side in sides else replace(siege, side=sides[0])


def embark(state: State, name: str) -> State:
    """O7.1 In a port of its own side a fleet's empty transports take a company each; the garrison keeps one."""
    fleet, port = state.fleets[name], str(state.fleets[name].at)
    if not is_own(state, fleet):
        return state
    left = garrison(state, port)
    ships = {}
    for each in fleet.ships:
        ship = state.ships[each]
        if not ship.is_warship and not ship.companies and left > 1:
            ships[each] = replace(ship, companies=1)
            left -= 1
    return replace(state.with_ships(ships), garrisons={**state.garrisons, port: left})


def is_own(state: State, fleet: Fleet) -> bool:
    """O7.1 Does a fleet lie in a port of its own side?"""
    return isinstance(fleet.at, str) and state.ports.get(fleet.at) == fleet.side


def disembark(state: State, name: str) -> State:
    """O7.1 Companies that land in a port of their own side join its garrison."""
    port = str(state.fleets[name].at)
    left = garrison(state, port) + companies(state, name)
    return replace(with_companies(state, name, 0), garrisons={**state.garrisons, port: left})


def assault(state: State, name: str, do: str, dice: Dice) -> Handled:
    """O7.1 What a fleet's companies do at a hostile port: storm it, besiege it, or raid its country."""
    fleet = state.fleets[name]
    port = str(fleet.at)
    holder = state.ports.get(port)
    landed = companies(state, name)
    if holder is None or not state.are_hostile(holder, fleet.side) or not (landed or do == "raid"):
        return state, ()
    if do == "raid":
        taken = min(income(state, port, 7), state.money.get(holder, 0))
        state = with_money(with_money(state, holder, -taken), fleet.side, taken)
        told = event("O7.1", "raided", (fleet.side, holder), True, side=fleet.side, of=holder, space=port)
        return state, (told,)
    siege = standing_siege(state, port)
    points = siege.points if siege is not None and not state.are_hostile(siege.side, fleet.side) else 0
    begun = replace(state, sieges={**state.sieges, port: siege or Siege(fleet.side)})
    if do == "besiege":
        told = event("O7.1", "besieged", (fleet.side, holder), True, side=fleet.side, of=holder, space=port)
        return begun, (told,) if siege is None else ()
    who = onlookers(state, *sorted((fleet.side, holder)))
    total = sum(dice.roll(2, 6, "O7.1", only=who)) + landed - garrison(state, port)
    if total + points >= TABLES.land.taken:
        return capture(with_companies(state, name, 0), port, fleet.side, landed)
    if total + points >= TABLES.land.ashore:
        told = event("O7.1", "besieged", (fleet.side, holder), True, side=fleet.side, of=holder, space=port)
        return begun, (told,)
    told = event("O7.1", "beaten_off", (fleet.side, holder), True, side=fleet.side, of=holder, space=port)
    return with_companies(state, name, landed - -(-landed // 3)), (told,)


def capture(state: State, port: str, side: str, landed: int) -> Handled:
    """O7.1 A port changes hands, and who took it garrisons it."""
    sieges = {name: siege for name, siege in state.sieges.items() if name != port}
    garrisons = {**state.garrisons, port: landed}
    told = event("O7.1", "port_taken", side=side, of=state.ports[port], space=port)
    return replace(state, ports={**state.ports, port: side}, sieges=sieges, garrisons=garrisons), (told,)


def sieges(state: State) -> Handled:
    """O7.1 A point a week, two under a blockade; a siege without companies before the port is lifted."""
    events: list[Event] = []
    passed = weeks(state)
    for port in sorted(state.sieges):
        siege = standing_siege(state, port)
        if siege is None:
            state = replace(state, sieges={name: each for name, each in state.sieges.items() if name != port})
            continue
        there = besiegers(state, port, siege.side)
        points = siege.points + passed * (1 + is_starved(state, there))
        state = replace(state, sieges={**state.sieges, port: replace(siege, points=points)})
        if points >= chart(state.world).spaces[port].rank // TABLES.land.falls:
            first = next(name for name in there if state.fleets[name].side == siege.side and companies(state, name))
            landed = companies(state, first)
            state, told = capture(with_companies(state, first, 0), port, siege.side, landed)
            events += told
    return state, tuple(events)


def is_starved(state: State, there: list[str]) -> bool:
    """O7.1 Ships enough on station, by an order to blockade or besiege, and no gale that drives them off."""
    on = [name for name in there if state.task(name) in ("blockade", "besiege")]
    ships = sum(state.warships(name) for name in on)
    return ships >= TABLES.land.fewest and all(sky(state, state.fleets[name], state.watch) not in ROUGH for name in on)
