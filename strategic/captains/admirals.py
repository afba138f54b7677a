"""An admiral for a seat of the open campaign: orders for its fleets, ships to build, treaties."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from strategic.coast import apart
from strategic.naval.handoff import navy
from strategic.open_campaign.rules.fighting import TWO_DICE, shift
from strategic.open_campaign.rules.world import Chart, chart
from strategic.open_campaign.state import OnLane
from strategic.open_campaign.tables import TABLES, WEATHER
from tactical.captains.reasons import Choice, Considered, reason
from tactical.captains.worth import WORTH, Kind
from tactical.kernel.protocol import Offer
from tactical.kernel.record import read

# -- What a side decides besides the orders of its fleets at sea: ships to build, treaties to seek and to accept.

View = Mapping[str, Any]
MONTHS = 2  # of upkeep that stay in the chest when a ship is laid down
BEATEN = 0.5  # the share of its ships whose loss makes a side seek peace


def decide(view: View, seat: str, offers: Sequence[Offer], mine: Mapping[str, Any]) -> Choice | None:
    """The first of: an answer to a proposal, peace that is sought, a ship laid down; None where there is nothing."""
    return accept(view, seat, offers) or seek(view, seat) or build(view, seat, offers, mine)


def enemies(view: View, seat: str) -> list[str]:
    """O5.4 The sides that still play and have neither alliance nor peace with this one."""
    allies = set(view["sides"][seat]["allies"])
    peace = {
        side
        for each in view["treaties"]
        if each["turn"] and "peace" in each["terms"]
        for side in (each["by"], each["to"])
    }
    others = (side for side, about in view["sides"].items() if side != seat and not about["resigned"])
    return sorted(side for side in others if side not in allies and side not in peace)


def loss_share(view: View, seat: str) -> float:
    """O9.1 How much of its ships a side has lost."""
    own = [ship for ship in view["ships"].values() if seat in (ship["side"], ship["was"])]
    lost = sum(ship["status"] != "afloat" or ship["side"] != seat for ship in own)
    return lost / len(own) if own else 0.0


def accept(view: View, seat: str, offers: Sequence[Offer]) -> Choice | None:
    """O5.4 Peace is accepted by who is beaten, and by who has other enemies left; the last enemy gets none."""
    for offer in offers:
        if offer.type != "agree_treaty":
            continue
        other = str(offer.fields["to"])
        if len(enemies(view, seat)) > 1 or loss_share(view, seat) >= BEATEN:
            command = {"type": "agree_treaty", "side": seat, "to": other}
            return Choice(command, (reason("side_agrees", rule="O5.4"),), (), 2.0)
    return None


def seek(view: View, seat: str) -> Choice | None:
    """O5.4 A beaten side with several enemies proposes peace to the one that holds most ports, once."""
    against = enemies(view, seat)
    if len(against) < 2 or loss_share(view, seat) < BEATEN or view["treaties"]:
        return None
    held = {side: sum(holder == side for holder in view["ports"].values()) for side in against}
    other = max(against, key=lambda side: (held[side], side))
    command = {"type": "propose", "side": seat, "to": other, "terms": ["peace"]}
    return Choice(command, (reason("side_proposes", rule="O5.4"),), (), 1.5)


def build(view: View, seat: str, offers: Sequence[Offer], mine: Mapping[str, Any]) -> Choice | None:
    """O8.1 The strongest ship that the chest pays, with upkeep for two months left in it."""
    due = sum(TABLES.money.upkeep[view["ships"][ship]["type"]] for fleet in mine.values() for ship in fleet["ships"])
    left = view["money"].get(seat, 0) - MONTHS * due
    for offer in offers:
        if offer.type != "build":
            continue
        kinds = offer.fields["ship"]
        kinds = [kinds] if isinstance(kinds, str) else list(kinds)
        paid = [kind for kind in kinds if TABLES.money.price[kind] <= left and kind != "transport"]
        if paid:
            kind = max(paid, key=lambda each: (TABLES.type[each].value, each))
            command = {"type": "build", "side": seat, "port": offer.fields["port"], "ship": kind}
            why = reason("side_builds", rule="O8.1", space=offer.fields["port"])
            return Choice(command, (why,), (), 1.0)
    return None


# -- An admiral for a seat of the open campaign: an order for each of its fleets, from its own side's view alone.

LIKELY = 0.5  # the chance of a victory from which a fleet forces a battle
EVENLY = 0.05  # the chance with which it still accepts one: an enemy up to about 1.3 times as strong leaves it that
BRAVEST = 3  # times its own ships that a fleet never stands against
HOPELESS = 0.02  # the chance below which it runs: no throw of the dice wins
VICTORY = 9  # O6.2: the total of quick dice from which the stronger has won
NEAR, FAR = 2 * 50, 3 * 50  # nautical miles: from what a fleet runs, and how far it goes to fight
WEARY = 2  # from here on the rowers rest
LAME = 0.25  # the share of a fleet's hull from whose loss on it goes to a yard
CRUISE = 50  # nautical miles a day, roughly
STALE = 4  # days after which a sighting frightens nobody
SMALL = 15  # warships up to which a fleet raids
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

    def value(self, fleet: Mapping[str, Any]) -> float:
        """O6.2 What a fleet counts in battle."""
        sheets = [self.view["ships"][ship] for ship in fleet["ships"]]
        return sum(worth(each) for each in sheets if each["type"] != "transport")

    def chance(self, fleet: Mapping[str, Any], number: int) -> float:
        """O6.2 How likely a fleet beats so many sail, if they are ships such as its own with average rowers."""
        kinds = [self.view["ships"][ship]["type"] for ship in fleet["ships"]]
        worth = [TABLES.quick.value[kind] for kind in kinds if kind != "transport"]
        if not worth:
            return 0.0
        theirs = number * sum(worth) / len(worth)
        return victory(self.value(fleet), theirs, min(len(worth), number), fleet["fight"])

    def companies(self, fleet: Mapping[str, Any]) -> int:
        """O7.1 The companies aboard."""
        return sum(self.view["ships"][ship]["companies"] for ship in fleet["ships"])

    def age(self, seen: Mapping[str, Any]) -> int:
        """O5.2 How many days ago that was seen, counted from the end of the last turn."""
        days = TABLES.days[self.view["turn_length"]]
        return int((self.view["turn"] - seen["turn"]) * days - seen["day"])

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


def worth(sheet: Mapping[str, Any]) -> float:
    """O6.2 What a ship counts in battle: by type, hull, rowers, navy and corvus."""
    hull: float = 1 - sheet["damage"] / TABLES.hull[sheet["type"]]
    rowers = next(name for name, row in TABLES.rowers.items() if sheet["pips"] <= row.most)
    kind = Kind(sheet["type"], navy(sheet["side"]), rowers, sheet["corvus"])
    return TABLES.quick.value[sheet["type"]] * hull * WORTH.factor(kind)


def victory(mine: float, theirs: float, ships: int, skill: int = 0) -> float:
    """O6.2 The chance that quick dice give a victory, exactly, where the smaller fleet has so many ships; the admirals'
    difference adds 2 at most.
    """
    if not mine:
        return 0.0
    more = shift(TABLES, mine, theirs, ships) if mine >= theirs else -shift(TABLES, theirs, mine, ships)
    return sum(total + more + max(-2, min(2, skill)) >= VICTORY for total in TWO_DICE) / len(TWO_DICE)


def answer(view: View, seat: str, offers: Sequence[Offer]) -> Choice | None:
    """O3.3 An order for the first fleet that has none, then what the side does; None where no order is asked."""
    if not any(offer.type == "order" for offer in offers) or "fleets" not in view:
        return None
    staff = Staff(view, chart(view["world"]), seat)
    given = view["orders"].get(seat, {})
    mine = {name: fleet for name, fleet in view["fleets"].items() if fleet["side"] == seat and fleet["ships"]}
    mine = {name: fleet for name, fleet in mine.items() if not fleet.get("strays_of")}
    waiting = [name for name in sorted(mine) if name not in given and mine[name].get("arrives", 0) <= view["turn"]]
    if not waiting:
        return decide(view, seat, offers, mine)
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
        gather(staff, name, fleet, mine),
        run(staff, name, fleet),
        embark(staff, name, fleet),
        assault(staff, name, fleet),
        convoy(staff, name, fleet),
        hunt(staff, name, fleet),
        raid(staff, name, fleet),
        reach_goal(staff, name, fleet, mine),
        join(staff, name, fleet, mine),
        blockade(staff, name, fleet),
        watch(staff, name, fleet),
    ]


def order_with_reason(
    staff: Staff, name: str, do: str, to: str, stance: str, why: str, value: float, **more: Any
) -> Choice:
    """An order with its reason; who is there already stays."""
    fleet = staff.view["fleets"][name]
    if do == "go" and to == fleet["at"]:
        do, to = "stay", ""
    command: dict[str, Any] = {"type": "order", "side": staff.seat, "fleet": name, "do": do, "stance": stance}
    command |= {"to": to} if to else {}
    if stance != "avoid" and staff.warships(fleet):
        command["more_than"] = bravery(staff, fleet)
    command |= more.pop("also", {})
    odds = more.pop("odds", None)
    space = more.pop("space", to) or staff.near(fleet)
    return Choice(command, (reason(why, rule="O3.3", odds=odds, fleet=fleet["name"], space=space, **more),), (), value)


def bravery(staff: Staff, fleet: Mapping[str, Any]) -> int:
    """O3.3 Up to how many sail a fleet stands: as many as it may still beat."""
    most = staff.warships(fleet)
    while most < BRAVEST * staff.warships(fleet) and staff.chance(fleet, most + 1) >= EVENLY:
        most += 1
    return most


def go_home(staff: Staff, name: str, fleet: Mapping[str, Any]) -> Choice | None:
    """O4.2 The open sea is closed in winter."""
    home = staff.nearest(staff.near(fleet), staff.ports())
    if int(staff.view["date"][-5:-3]) not in WEATHER.closed or home is None:
        return None
    return order_with_reason(staff, name, "go", home, "avoid", "fleet_winters", 9.0)


def feed(staff: Staff, name: str, fleet: Mapping[str, Any]) -> Choice | None:
    """O4.4 Who has little food left makes for the nearest market, unless it lasts to a goal that has one."""
    if not staff.view["options"]["provisions"]:
        return None
    here, feeds = staff.near(fleet), staff.feeds()
    market = staff.nearest(here, feeds)
    if market is None or (fleet["at"] in feeds and fleet["provisions"] > FOOD_LEFT):
        return None
    days = -(-(staff.miles(here, market) or 0) // CRUISE)
    lasts = [
        fleet["provisions"] * CRUISE >= (staff.miles(here, goal["space"]) or 0)
        for goal in staff.goals()
        if goal["space"] in feeds
    ]
    if not fleet["hungry"] and (fleet["provisions"] > FOOD_LEFT + days or any(lasts)):
        return None
    return order_with_reason(staff, name, "go", market, "avoid", "fleet_feeds", 8.0, days=fleet["provisions"])


def mend(staff: Staff, name: str, fleet: Mapping[str, Any]) -> Choice | None:
    """O2.3, O4.3 Who is worn by battle or by nights at sea goes to a yard of a friend and rests.

    A month has nights enough ashore: rowers who were weary at its beginning cost no fleet the whole of it.
    """
    ships = [staff.view["ships"][ship] for ship in fleet["ships"]]
    hull = sum(TABLES.hull[ship["type"]] for ship in ships)
    lost = sum(ship["damage"] for ship in ships)
    yards = [port for port in staff.ports() if str(staff.world.spaces[port].rank) in TABLES.yard]
    yard = staff.nearest(staff.near(fleet), yards or staff.ports())
    is_weary = fleet["weary"] >= WEARY and staff.view["turn_length"] != "month"
    if yard is None or (lost < LAME * hull and not is_weary):
        return None
    return order_with_reason(staff, name, "go", yard, "avoid", "fleet_mends", 7.0)


def run(staff: Staff, name: str, fleet: Mapping[str, Any]) -> Choice | None:
    """O5.3 A fleet runs home from more than it can fight, if that was seen within two days' sail."""
    home = staff.nearest(staff.near(fleet), staff.ports())
    here = staff.world.spaces[staff.near(fleet)].lonlat
    for seen in staff.seen():
        if staff.age(seen) > STALE:
            continue
        near = apart(here, (seen["lon"], seen["lat"])) <= NEAR
        odds = staff.chance(fleet, seen["number"])
        if home is not None and near and odds < HOPELESS:
            numbers = {"mine": len(fleet["ships"]), "theirs": seen["number"], "odds": odds}
            return order_with_reason(staff, name, "go", home, "avoid", "fleet_runs", 6.0, **numbers)
    return None


def convoy(staff: Staff, name: str, fleet: Mapping[str, Any]) -> Choice | None:
    """O9.1 Transports go where they are wanted."""
    if staff.warships(fleet) == len(fleet["ships"]):
        return None
    goals = [goal["space"] for goal in staff.goals() if goal["what"] == "transports"]
    to = staff.nearest(staff.near(fleet), goals or staff.ports())
    return None if to is None else order_with_reason(staff, name, "go", to, "avoid", "fleet_convoys", 5.0)


def hunt(staff: Staff, name: str, fleet: Mapping[str, Any]) -> Choice | None:
    """O5.3, O6.3 A fleet goes for what it will probably beat, does not shy at a few sail more, and follows up."""
    here = staff.world.spaces[staff.near(fleet)].lonlat
    for seen in staff.seen():
        far = apart(here, (seen["lon"], seen["lat"]))
        odds = staff.chance(fleet, seen["number"])
        if far <= FAR and odds >= LIKELY and seen["near"] in staff.world.spaces:
            also = {"more_than": seen["number"] + seen["number"] // 2, "after": "follow"}
            numbers = {"mine": len(fleet["ships"]), "theirs": seen["number"], "odds": odds, "also": also}
            return order_with_reason(staff, name, "patrol", seen["near"], "seek", "fleet_hunts", 4.0, **numbers)
    return None


def gather(staff: Staff, name: str, fleet: Mapping[str, Any], mine: Mapping[str, Any]) -> Choice | None:
    """O2.2, O5.3 Fleets that can beat together what each alone cannot join, the smaller one the larger."""
    own = staff.value(fleet)
    for seen in staff.seen():
        if not own or staff.age(seen) > STALE or staff.chance(fleet, seen["number"]) >= LIKELY:
            continue
        theirs = seen["number"] * own / staff.warships(fleet)
        for other, each in sorted(mine.items()):
            far = staff.miles(staff.near(fleet), staff.near(each))
            strength = (staff.value(each), other)
            if other == name or far is None or far > FAR or strength <= (own, name):
                continue
            ships = min(staff.warships(fleet) + staff.warships(each), seen["number"])
            if (odds := victory(own + strength[0], theirs, ships)) >= LIKELY:
                numbers = {"theirs": seen["number"], "odds": odds, "space": staff.near(each)}
                return order_with_reason(staff, name, "join", other, "accept", "fleet_gathers", 6.5, **numbers)
    return None


def embark(staff: Staff, name: str, fleet: Mapping[str, Any]) -> Choice | None:
    """O7.1 Empty transports in a port of their own take companies aboard, where more than one is there."""
    view, here = staff.view, fleet["at"]
    if not view["options"]["land"] or not isinstance(here, str) or view["ports"].get(here) != staff.seat:
        return None
    empty = any(
        view["ships"][ship]["type"] == "transport" and not view["ships"][ship]["companies"] for ship in fleet["ships"]
    )
    men = view["garrisons"].get(here, staff.world.spaces[here].rank // TABLES.land.company)
    return order_with_reason(staff, name, "embark", "", "accept", "fleet_embarks", 5.6) if empty and men > 1 else None


def assault(staff: Staff, name: str, fleet: Mapping[str, Any]) -> Choice | None:
    """O7.1 With companies aboard a fleet lands at the enemy's port that falls most probably, or besieges it."""
    men = staff.companies(fleet)
    if not staff.view["options"]["land"] or not men:
        return None
    here = staff.near(fleet)
    found = []
    for port in staff.ports(mine=False):
        far = staff.miles(here, port)
        siege = staff.view["sieges"].get(port)
        points = siege["points"] if siege is not None and siege["side"] == staff.seat else 0
        more = men + points - staff.world.spaces[port].rank // TABLES.land.company
        odds = sum(total + more >= TABLES.land.taken for total in TWO_DICE) / len(TWO_DICE)
        if far is not None and far <= 2 * FAR:
            found.append((odds, -far, port))
    if not found:
        return None
    odds, _, port = max(found)
    do, why = ("land", "fleet_lands") if odds >= LIKELY else ("besiege", "fleet_besieges")
    return order_with_reason(staff, name, do, port, "accept", why, 5.5, odds=odds)


def raid(staff: Staff, name: str, fleet: Mapping[str, Any]) -> Choice | None:
    """O7.1, O8.1 Where there is money, small fleets take the income of an enemy's port a day away."""
    options = staff.view["options"]
    port = staff.nearest(staff.near(fleet), staff.ports(mine=False))
    far = None if port is None else staff.miles(staff.near(fleet), port)
    if not options["land"] or options["money"] == "none" or port is None or far is None or far > 2 * CRUISE:
        return None
    if staff.warships(fleet) > SMALL or not staff.warships(fleet):
        return None
    return order_with_reason(staff, name, "raid", port, "avoid", "fleet_raids", 3.5)


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
            return order_with_reason(staff, name, "go", goal["space"], "accept", "fleet_wants", 3.0)
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
    return order_with_reason(staff, name, "escort", other, "accept", "fleet_joins", 2.0, space=staff.near(mine[other]))


def blockade(staff: Staff, name: str, fleet: Mapping[str, Any]) -> Choice | None:
    """O5.3 A fleet with food for the way and a day more lies before the nearest port of an enemy."""
    here = staff.near(fleet)
    port = staff.nearest(here, staff.ports(mine=False))
    far = None if port is None else staff.miles(here, port)
    if port is None or far is None or fleet["provisions"] < far // CRUISE + 1:
        return None
    return order_with_reason(staff, name, "blockade", port, "accept", "fleet_blockades", 1.0)


def watch(staff: Staff, name: str, fleet: Mapping[str, Any]) -> Choice:
    """O3.3 Whoever has nothing better stays where it is fed, and drills."""
    return order_with_reason(staff, name, "stay", "", "accept", "fleet_watches", 0.5)
