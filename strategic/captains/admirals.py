"""An admiral for a seat of the open campaign: an order for each of its fleets, from its own side's view alone."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from strategic.open_campaign.rules.world import Chart, apart, chart
from strategic.open_campaign.state import OnLane
from strategic.open_campaign.tables import TABLES, WEATHER
from tactical.captains.choice import Choice, Considered, reason
from tactical.kernel.protocol import Offer
from tactical.kernel.record import read

View = Mapping[str, Any]
BOLD = 1.3  # how many times the sail that were seen a fleet has that goes to meet them
WEARY = 2  # from here on the rowers rest
LAME = 0.25  # the share of a fleet's hull from whose loss on it goes to a yard
CRUISE = 50  # nautical miles a day, roughly
FOOD_LEFT = 1  # days of food with which a fleet turns to a market


@dataclass(frozen=True)
class Staff:
    """What an admiral knows: the view of the side, the chart, the side itself."""

    view: View
    world: Chart
    seat: str

    def near(self, fleet: Mapping[str, Any]) -> str:
        """The space in which a fleet lies, or by which it sails."""
        at = fleet["at"]
        return self.world.near(at if isinstance(at, str) else read(at, OnLane, "at"))

    def miles(self, one: str, other: str) -> int | None:
        """The way by sea between two spaces; None where there is none."""
        found = self.world.from_(other).get(one)
        return None if found is None else found[0]

    def friends(self) -> tuple[str, ...]:
        """The sides that do not fight this one."""
        allies = self.view["sides"][self.seat]["allies"]
        return (self.seat, *(side for side in self.view["sides"] if side in allies))

    def ports(self, mine: bool = True) -> tuple[str, ...]:
        """The ports of friends, or those of enemies."""
        return tuple(port for port, side in self.view["ports"].items() if (side in self.friends()) == mine)

    def warships(self, fleet: Mapping[str, Any]) -> int:
        """How many of a fleet's ships fight."""
        return sum(self.view["ships"][ship]["type"] != "transport" for ship in fleet["ships"])

    def nearest(self, start: str, among: Sequence[str]) -> str | None:
        """The nearest of some spaces."""
        return self.world.nearest(start, among)

    def feeds(self) -> tuple[str, ...]:
        """O4.4 Where a fleet finds food: friendly ports, and the markets of ports that no enemy holds."""
        hostile = set(self.ports(mine=False))
        return tuple(
            name
            for name, space in self.world.spaces.items()
            if name not in hostile and (space.rank >= TABLES.food.market or name in self.view["ports"])
        )

    def goals(self) -> list[Mapping[str, Any]]:
        """O9.1 What brings this side points."""
        return [goal for goal in self.view["goals"] if goal["side"] == self.seat]

    def seen(self) -> list[Mapping[str, Any]]:
        """What was seen of enemies in this turn and the last one, the newest first."""
        known = self.view["known"].get(self.seat, ())
        late = (each for each in known if each["side"] not in self.friends() and each["turn"] >= self.view["turn"] - 1)
        return sorted(late, key=lambda each: (-each["turn"], -each["day"], each["near"]))


def answer(view: View, seat: str, offers: Sequence[Offer]) -> Choice | None:
    """O3.3 An order for the first fleet that has none; None where no order is asked."""
    if not any(offer.type == "order" for offer in offers) or "fleets" not in view:
        return None
    staff = Staff(view, chart(view["world"]), seat)
    given = view["orders"].get(seat, {})
    mine = {name: fleet for name, fleet in view["fleets"].items() if fleet["side"] == seat and fleet["ships"]}
    mine = {name: fleet for name, fleet in mine.items() if not fleet.get("strays_of")}
    waiting = [name for name in sorted(mine) if name not in given and mine[name].get("arrives", 0) <= view["turn"]]
    if not waiting:
        return None
    name = waiting[0]
    options = [option for option in wishes(staff, name, mine) if option is not None]
    best, others = options[0], options[1:]
    rest = tuple(Considered(each.command, each.value) for each in others)
    return Choice(best.command, best.reasons, rest, best.value)


def wishes(staff: Staff, name: str, mine: Mapping[str, Any]) -> list[Choice | None]:
    """What a fleet might do, the most urgent first."""
    fleet = mine[name]
    return [
        go_home(staff, name, fleet),
        feed(staff, name, fleet),
        mend(staff, name, fleet),
        run(staff, name, fleet),
        convoy(staff, name, fleet),
        hunt(staff, name, fleet),
        reach_goal(staff, name, fleet, mine),
        join(staff, name, fleet, mine),
        blockade(staff, name, fleet),
        watch(staff, name, fleet),
    ]


def ordered(staff: Staff, name: str, do: str, to: str, stance: str, why: str, value: float, **more: Any) -> Choice:
    """An order with its reason; who is there already stays."""
    fleet = staff.view["fleets"][name]
    if do == "go" and to == fleet["at"]:
        do, to = "stay", ""
    command = {"type": "order", "side": staff.seat, "fleet": name, "do": do, "stance": stance}
    command |= {"to": to} if to else {}
    space = more.pop("space", to) or staff.near(fleet)
    return Choice(command, (reason(why, rule="O3.3", fleet=fleet["name"], space=space, **more),), (), value)


def go_home(staff: Staff, name: str, fleet: Mapping[str, Any]) -> Choice | None:
    """O4.2 The open sea is closed in winter."""
    home = staff.nearest(staff.near(fleet), staff.ports())
    if int(staff.view["date"][-5:-3]) not in WEATHER.closed or home is None:
        return None
    return ordered(staff, name, "go", home, "avoid", "fleet_winters", 9.0)


def feed(staff: Staff, name: str, fleet: Mapping[str, Any]) -> Choice | None:
    """O4.4 Who has little food left makes for the nearest market."""
    if not staff.view["options"]["provisions"]:
        return None
    here, feeds = staff.near(fleet), staff.feeds()
    market = staff.nearest(here, feeds)
    if market is None or (fleet["at"] in feeds and fleet["provisions"] > FOOD_LEFT):
        return None
    days = -(-(staff.miles(here, market) or 0) // CRUISE)
    if fleet["provisions"] > FOOD_LEFT + days and not fleet["hungry"]:
        return None
    return ordered(staff, name, "go", market, "avoid", "fleet_feeds", 8.0, days=fleet["provisions"])


def mend(staff: Staff, name: str, fleet: Mapping[str, Any]) -> Choice | None:
    """O2.3, O4.3 Who is worn by battle or by nights at sea goes to a yard of a friend and rests."""
    ships = [staff.view["ships"][ship] for ship in fleet["ships"]]
    hull = sum(TABLES.hull[ship["type"]] for ship in ships)
    lost = sum(ship["damage"] for ship in ships)
    yards = [port for port in staff.ports() if str(staff.world.spaces[port].rank) in TABLES.yard]
    yard = staff.nearest(staff.near(fleet), yards or staff.ports())
    if yard is None or (lost < LAME * hull and fleet["weary"] < WEARY):
        return None
    return ordered(staff, name, "go", yard, "avoid", "fleet_mends", 7.0)


def run(staff: Staff, name: str, fleet: Mapping[str, Any]) -> Choice | None:
    """O5.3 A fleet runs home from more than it can fight, if that was seen within two days' sail."""
    home = staff.nearest(staff.near(fleet), staff.ports())
    here = staff.world.spaces[staff.near(fleet)].lonlat
    for seen in staff.seen():
        near = apart(here, (seen["lon"], seen["lat"])) <= 2 * CRUISE
        if home is not None and near and seen["number"] > BOLD * max(1, staff.warships(fleet)):
            numbers = {"mine": len(fleet["ships"]), "theirs": seen["number"]}
            return ordered(staff, name, "go", home, "avoid", "fleet_runs", 6.0, **numbers)
    return None


def convoy(staff: Staff, name: str, fleet: Mapping[str, Any]) -> Choice | None:
    """O9.1 Transports go where they are wanted."""
    if staff.warships(fleet) == len(fleet["ships"]):
        return None
    goals = [goal["space"] for goal in staff.goals() if goal["what"] == "transports"]
    to = staff.nearest(staff.near(fleet), goals or staff.ports())
    return None if to is None else ordered(staff, name, "go", to, "avoid", "fleet_convoys", 5.0)


def hunt(staff: Staff, name: str, fleet: Mapping[str, Any]) -> Choice | None:
    """O5.3 A fleet that is stronger goes for what was seen near it."""
    here = staff.world.spaces[staff.near(fleet)].lonlat
    for seen in staff.seen():
        far = apart(here, (seen["lon"], seen["lat"]))
        if far <= 3 * CRUISE and seen["number"] * BOLD <= staff.warships(fleet) and seen["near"] in staff.world.spaces:
            numbers = {"mine": len(fleet["ships"]), "theirs": seen["number"]}
            return ordered(staff, name, "go", seen["near"], "seek", "fleet_hunts", 4.0, **numbers)
    return None


def reach_goal(staff: Staff, name: str, fleet: Mapping[str, Any], mine: Mapping[str, Any]) -> Choice | None:
    """O9.1 The nearest fleet with warships goes to a space that brings points."""
    for goal in staff.goals():
        if goal["what"] == "transports":
            continue
        ways = {
            other: staff.miles(staff.near(each), goal["space"])
            for other, each in mine.items()
            if staff.warships(each) == len(each["ships"])
        }
        among = sorted((miles, other) for other, miles in ways.items() if miles is not None)
        if among and among[0][1] == name:
            return ordered(staff, name, "go", goal["space"], "accept", "fleet_wants", 3.0)
    return None


def join(staff: Staff, name: str, fleet: Mapping[str, Any], mine: Mapping[str, Any]) -> Choice | None:
    """O2.2 A small fleet keeps with the nearest fleet that is larger."""
    larger = {
        other: staff.miles(staff.near(fleet), staff.near(each))
        for other, each in mine.items()
        if 2 * staff.warships(fleet) < staff.warships(each)
    }
    among = sorted((miles, other) for other, miles in larger.items() if miles is not None)
    if not among:
        return None
    other = among[0][1]
    return ordered(staff, name, "escort", other, "accept", "fleet_joins", 2.0, space=staff.near(mine[other]))


def blockade(staff: Staff, name: str, fleet: Mapping[str, Any]) -> Choice | None:
    """O5.3 A fleet with food for the way and a day more lies before the nearest port of an enemy."""
    here = staff.near(fleet)
    port = staff.nearest(here, staff.ports(mine=False))
    far = None if port is None else staff.miles(here, port)
    if port is None or far is None or fleet["provisions"] < far // CRUISE + 1:
        return None
    return ordered(staff, name, "blockade", port, "accept", "fleet_blockades", 1.0)


def watch(staff: Staff, name: str, fleet: Mapping[str, Any]) -> Choice:
    """O3.3 Whoever has nothing better stays where it is fed, and drills."""
    return ordered(staff, name, "stay", "", "accept", "fleet_watches", 0.5)
