"""An open campaign: all that there is, frozen, and its small named changes."""

from __future__ import annotations

from collections.abc import Container, Iterable, Iterator
from itertools import count
from typing import Any, Literal

from msgspec import UNSET, UnsetType, field
from msgspec.structs import replace

from strategic.naval.engagement import Engagement, NavalOutcome
from strategic.naval.engagement import Fleet as SentFleet
from strategic.open_campaign.tables import TABLES, House, Tables, sheet
from tactical.kernel.protocol import Event
from tactical.kernel.record import Record

# -- An open campaign: all that there is, frozen.

TurnLength = Literal["day", "week", "month"]
Step = Literal["orders", "running", "engagement", "landings", "refit", "upkeep", "reports", "held", "day"]
Status = Literal["afloat", "sunk", "captured", "lost"]


class Options(Record, frozen=True):
    """What an organizer chooses before it begins."""

    small_battles: bool = True
    provisions: bool = True
    dispatches: Literal["run", "hold", "days", "hand"] = "run"
    weather: bool = True
    letters: Literal["at_once", "by_ship"] = "at_once"
    goals: Literal["sealed", "open"] = "sealed"
    land: bool = False
    money: Literal["none", "simple", "full"] = "none"
    models: int = 0


class Side(Record, frozen=True):
    """O1.4 A side, with whom it does not fight, and whether it has given up."""

    name: str
    allies: tuple[str, ...] = ()
    resigned: bool = False


class OnLane(Record, frozen=True):
    """O2.2 A place on a lane, so many miles from its first end."""

    lane: str
    miles: int


At = str | OnLane


class Ship(Record, frozen=True):
    """O2.1 A ship's sheet: `pips` are her rowers' (1 to 9), `weeks` since she was hauled out.

    `oars` of one side are broken, so many tenths of the rowers have deserted (`short`); a prize `was` another side's;
    taken in the turn `prize`. She has open `breaches`, so many of her `marines` are gone, and her rowers have gained
    or lost so many pips in this turn (`swing`). `fate` is her captain's in his last battle.
    """

    side: str
    type: str
    name: str = ""
    status: Status = "afloat"
    pips: int = 5
    damage: int = 0
    corvus: bool = False
    weeks: int = 0
    captured_by: str | None = None
    oars: bool = False
    short: int = 0
    captain: str = ""
    home: str = ""
    history: tuple[str, ...] = ()
    was: str = ""
    prize: int = 0
    companies: int = 0
    breaches: int = 0
    marines: int = 0
    swing: int = 0
    fate: Literal["", "drowned", "taken", "praised"] = ""

    @property
    def is_warship(self) -> bool:
        """Everything but a transport."""
        return self.type != "transport"

    @property
    def origin(self) -> str:
        """O6.3 The side whose ship she was before anybody took her."""
        return self.was or self.side


class Fleet(Record, frozen=True, kw_only=True):
    """O2.2 Ships under an admiral, with `provisions` in days; `course` is where the beaten run to this turn.

    A fleet is `kept` in by the weather for the day; it `arrives` with the turn of this number; `strays_of` is the fleet
    from which a storm has scattered its ships. A winner's `pursuit` takes it where the beaten run (follow, blockade,
    besiege); so many `nights` running it was at sea. While it is `engaged` it waits for that meeting, and has the days
    of the turn from the day and watch on to make up at which it was `halted`. `arrears` are hundredths of a talent.
    """

    provisions: int = 3
    seamanship: int = 0
    fight: int = 0
    weary: int = 0
    hungry: int = 0
    side: str
    name: str
    admiral: str = ""
    at: At
    ships: tuple[str, ...] = ()
    shy: bool = False
    course: str = ""
    water: int = 1
    thirsty: int = 0
    kept: bool = False
    has_met: bool = False
    ill: bool = False
    heading: str = ""
    arrives: int = 0
    strays_of: str = ""
    pursuit: str = ""
    nights: int = 0
    engaged: str = ""
    halted: tuple[int, ...] = ()
    arrears: int = 0


class Order(Record, frozen=True):
    """O3.3 What a fleet is to do, and in which turn; an order that `stands` is its next one, too (O3.2)."""

    do: str
    turn: int = 1
    to: str = ""
    way: tuple[str, ...] = ()
    stance: str = "accept"
    pace: str = "cruise"
    more_than: int = 0
    note: str = ""
    by_night: bool = False
    nights_at_sea: bool = False
    risk: bool = False
    unmet_by: int = 0
    then: str = ""
    after: str = ""
    stands: bool = False


class Letter(Record, frozen=True):
    """O3.4 A free order, and what the umpire answered; the turn `waits` for his answer."""

    turn: int
    text: str
    answer: str = ""
    waits: bool = False


class Sighting(Record, frozen=True):
    """O5.1 What was seen: whose, about how many sail, near which space, where and when, and its course."""

    side: str
    number: int
    near: str
    lon: float
    lat: float
    turn: int
    day: int
    course: str = ""
    rumour: bool = False


class Sky(Record, frozen=True):
    """O4.2 A region's day: the wind, the weather, and when a gale or storm breaks (1 before dawn, to 4)."""

    wind: str
    sky: str
    hour: int = 1


class Treaty(Record, frozen=True):
    """O5.4 What two sides have agreed: terms that the program knows (peace, passage, markets, seeing) and words.

    `by` has proposed it; it holds from the turn in which the other agreed.
    """

    by: str
    to: str
    terms: tuple[str, ...]
    text: str = ""
    turn: int = 0

    def is_between(self, one: str, other: str) -> bool:
        """Is it of these two?"""
        return {one, other} == {self.by, self.to}


class Mail(Record, frozen=True):
    """O11.2 A letter from one side to another; by ship it comes after so many days, or not at all."""

    by: str
    to: str
    text: str
    turn: int
    days: int = 0
    arrived: bool = True
    lost: bool = False


class Siege(Record, frozen=True):
    """O7.1 Who besieges a port, and its points."""

    side: str
    points: int = 0


class Stock(Record, frozen=True):
    """O8.1 A ship on the stocks, and the days until she is launched."""

    side: str
    port: str
    ship: str
    days: int


class Subsidy(Record, frozen=True):
    """O8.1 What one side pays another at the beginning of a turn, and for how many turns still."""

    by: str
    to: str
    amount: int
    turns: int


class Captive(Record, frozen=True):
    """O2.4, O8.1 An admiral whom another side has taken, with his ratings, and what his freedom costs."""

    side: str
    by: str
    name: str
    seamanship: int
    fight: int
    price: int


class Squadrons(Record, frozen=True):
    """O2.2 A battle on the table with fewer models than ships: all that were sent, and for whom each model stands."""

    full: dict[str, SentFleet]
    ships: dict[str, tuple[str, ...]]


class Appointment(Record, frozen=True):
    """O3.6 When (in the club's own zone), where and by whom a battle is fought at a table."""

    when: str
    where: str = ""
    who: str = ""


class Pin(Record, frozen=True):
    """O5.2 A pin that a side has set on its own map, with a note."""

    space: str
    note: str
    turn: int


class Goal(Record, frozen=True):
    """O9.1 Points for warships or transports in a space, for no enemy being there (cleared), for holding it (port),
    or for each ship of others that was taken, wherever that was.

    It counts at the end, or at the end of the turn `by`; `won` is what it has brought then.
    """

    side: str
    what: Literal["warships", "transports", "cleared", "port", "taken"]
    space: str
    points: int
    by: int = 0
    won: int | None = None


class Prize(Record, frozen=True):
    """O6.3 The fleet that has taken a ship and sails with her, and where the battle was."""

    fleet: str
    place: str


class Result(Record, frozen=True):
    """O9.1 How it ended."""

    winner: str | None
    points: dict[str, int]
    why: str


class State(Record, frozen=True):
    """All that there is. `day` and `watch` count within the turn, `pairs` are meetings of this watch still to come.

    `engagement` is the meeting in front, `waiting` are the others, `appointed` the dates of those that no turn waits
    for. When the rest are settled, the turn is `late`: who fought makes up his days, under the `skies` of those days,
    and does not meet at once again whom he `fought`. `unsent` are the events of a turn that the umpire holds.
    `counted` are the sail that a fleet's own lookouts have told of another today, `taken` the ships of others that a
    side has taken, and `prizes` those of them that may float for it.
    """

    world: str | dict[str, Any]
    sides: dict[str, Side]
    fleets: dict[str, Fleet]
    ships: dict[str, Ship]
    turn: int = 1
    date: str = "-260-03-01"
    turn_length: TurnLength = "week"
    turns: int = 20
    scenario: str | None = None
    step: Step = "orders"
    day: int = 0
    watch: int = 0
    pairs: tuple[tuple[str, str], ...] = ()
    met: tuple[tuple[str, str], ...] = ()
    ports: dict[str, str] = {}
    orders: dict[str, dict[str, Order]] = {}
    ready: dict[str, bool] = {}
    letters: dict[str, tuple[Letter, ...]] = {}
    known: dict[str, tuple[Sighting, ...]] = {}
    goals: tuple[Goal, ...] = ()
    engagement: Engagement | None = None
    settled: dict[str, NavalOutcome] = {}
    options: Options = field(default_factory=Options)
    result: Result | None = None
    weather: dict[str, Sky] = {}
    treaties: tuple[Treaty, ...] = ()
    mail: tuple[Mail, ...] = ()
    pins: dict[str, tuple[Pin, ...]] = {}
    garrisons: dict[str, int] = {}
    sieges: dict[str, Siege] = {}
    money: dict[str, int] = {}
    stocks: tuple[Stock, ...] = ()
    before: dict[str, Any] | None = None
    house: House | UnsetType = UNSET
    waiting: tuple[Engagement, ...] = ()
    late: bool = False
    skies: tuple[dict[str, Sky], ...] = ()
    fought: tuple[tuple[str, str], ...] = ()
    debts: dict[str, int] = {}
    subsidies: tuple[Subsidy, ...] = ()
    captives: tuple[Captive, ...] = ()
    models: dict[str, dict[str, dict[str, int]]] = {}
    squadrons: dict[str, Squadrons] = {}
    appointed: dict[str, Appointment] = {}
    unsent: tuple[Event, ...] = ()
    counted: dict[str, dict[str, int]] = {}
    taken: dict[str, tuple[str, ...]] = {}
    prizes: dict[str, Prize] = {}

    @property
    def tables(self) -> Tables:
        """The house numbers in use: the program's, or the group's own."""
        return sheet(self.house)

    @property
    def playing(self) -> tuple[str, ...]:
        """The sides that have not given up."""
        return tuple(name for name, side in self.sides.items() if not side.resigned)

    def skill(self, name: str) -> tuple[int, int]:
        """O2.4 An admiral's ratings for seamanship and for the fight; nothing while he is ill."""
        fleet = self.fleets[name]
        return (0, 0) if fleet.ill else (fleet.seamanship, fleet.fight)

    def are_hostile(self, one: str, other: str) -> bool:
        """O5.4 Do two sides fight each other?"""
        if one == other or self.sides[one].resigned or self.sides[other].resigned:
            return False
        if self.has_treaty(one, other, "peace"):
            return False
        return other not in self.sides[one].allies and one not in self.sides[other].allies

    def has_treaty(self, one: str, other: str, term: str) -> bool:
        """O5.4 Have two sides agreed on this?"""
        return any(each.turn and term in each.terms and each.is_between(one, other) for each in self.treaties)

    def is_friendly(self, space: str, side: str) -> bool:
        """O4.4 Is a port the side's own or an ally's?"""
        holder = self.ports.get(space)
        if holder is None:
            return False
        return holder == side or holder in self.sides[side].allies or self.has_treaty(holder, side, "markets")

    def warships(self, fleet: str) -> int:
        """How many ships of a fleet fight."""
        return sum(self.ships[each].is_warship for each in self.fleets[fleet].ships)

    def flagship(self, fleet: str) -> str:
        """O2.4 The ship that a fleet's admiral is aboard: the first warship, else the first ship; empty without any."""
        ships = self.fleets[fleet].ships
        return next((each for each in ships if self.ships[each].is_warship), ships[0] if ships else "")

    def at_sea(self) -> Iterator[str]:
        """The fleets that have ships and have come, by id."""
        return (name for name, fleet in sorted(self.fleets.items()) if fleet.ships and fleet.arrives <= self.turn)

    def order_of(self, fleet: str) -> Order | None:
        """O3.3 A fleet's order of this turn."""
        return self.orders.get(self.fleets[fleet].side, {}).get(fleet)

    def task(self, name: str) -> str:
        """O3.3, O6.3 What a fleet does: its winner's task where it has one, else its order's."""
        order = self.order_of(name)
        return self.fleets[name].pursuit or (order.do if order is not None else "")

    def with_fleet(self, name: str, **changes: Any) -> State:
        """The position with a fleet changed."""
        return replace(self, fleets={**self.fleets, name: replace(self.fleets[name], **changes)})

    def with_ships(self, ships: dict[str, Ship]) -> State:
        """The position with these ships' sheets changed."""
        return replace(self, ships={**self.ships, **ships})


# -- Small named changes of a position: ships lost, fleets split and joined, ships that change sides.

Handled = tuple[State, tuple[Event, ...]]
LONGEST_ID = 40
MOST_DEEDS = 12  # lines of a ship's history that are kept


def remove_ships(state: State, ships: Iterable[str], status: Status, by: str | None = None) -> State:
    """O2.1 The position without these ships in any fleet; their sheets say what became of them."""
    lost = set(ships)
    if not lost:
        return state
    state = state.with_ships({each: replace(state.ships[each], status=status, captured_by=by) for each in sorted(lost)})
    for name in tuple(state.at_sea()):
        left = tuple(each for each in state.fleets[name].ships if each not in lost)
        if left != state.fleets[name].ships:
            state = state.with_fleet(name, ships=left)
    return state


def free_id(taken: Container[str], stem: str, tail: str = "") -> str:
    """An id that is not taken, of at most 40 letters: the stem, the tail, and a number, with a tail from 2 on."""
    ends = (f"{tail}-{number}" if number > 1 or not tail else tail for number in count(1))
    return next(each for end in ends if (each := f"{stem[: LONGEST_ID - len(end)]}{end}") not in taken)


def wages(state: State, ships: Iterable[str]) -> int:
    """O8.1 What ships cost in a month at sea, in hundredths of a talent."""
    return sum(TABLES.money.upkeep[state.ships[each].type] for each in ships)


def detach_ships(state: State, name: str, ships: tuple[str, ...], new: str, called: str = "") -> State:
    """O2.2, O8.1 The position with some ships of a fleet as a fleet of its own, in the same place.

    Their part of the arrears, by what they cost, goes with them.
    """
    fleet = state.fleets[name]
    left = tuple(each for each in fleet.ships if each not in ships)
    owed = fleet.arrears * wages(state, ships) // max(1, wages(state, fleet.ships))
    own = replace(fleet, ships=ships, name=called or f"{fleet.name} II", arrears=owed)
    own = replace(own, admiral="", seamanship=0, fight=0)
    fleets = {**state.fleets, name: replace(fleet, ships=left, arrears=fleet.arrears - owed), new: own}
    return replace(state, fleets=dict(sorted(fleets.items())))


def scatter(state: State, name: str, ships: tuple[str, ...]) -> State:
    """O4.2 The position with ships of a fleet astray: a party of their own where they were scattered."""
    taken = [each for each, fleet in state.fleets.items() if fleet.ships or fleet.strays_of != name]
    new = free_id(taken, name, "-strays")
    return detach_ships(state, name, ships, new, state.fleets[name].name).with_fleet(new, strays_of=name)


def join_fleets(state: State, name: str, other: str) -> State:
    """O2.2 The position with all ships of a fleet in another that lies in the same place.

    The better admiral commands, the leaner larder counts, the arrears of both are owed (O8.1); prizes stay with those
    who took them (O6.3).
    """
    one, two = state.fleets[name], state.fleets[other]
    assert one.at == two.at, "ships change their place by sailing alone"
    led = max((two, one), key=lambda fleet: fleet.seamanship + fleet.fight)
    both = replace(
        two,
        ships=tuple(sorted((*two.ships, *one.ships))),
        provisions=min(one.provisions, two.provisions),
        water=min(one.water, two.water),
        weary=max(one.weary, two.weary),
        hungry=max(one.hungry, two.hungry),
        thirsty=max(one.thirsty, two.thirsty),
        nights=max(one.nights, two.nights),
        arrears=one.arrears + two.arrears,
        admiral=led.admiral,
        seamanship=led.seamanship,
        fight=led.fight,
    )
    prizes = {each: replace(held, fleet=other) for each, held in state.prizes.items() if held.fleet == name}
    state = replace(state, prizes={**state.prizes, **prizes})
    return replace(state, fleets={**state.fleets, other: both, name: replace(one, ships=(), arrears=0)})


def add_line(ship: Ship, deed: str) -> Ship:
    """O2.1 A ship with one line more in her history."""
    return replace(ship, history=(*ship.history, deed)[-MOST_DEEDS:])
