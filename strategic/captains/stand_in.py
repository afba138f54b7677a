"""A stand-in for an absent player: it answers what is asked, marches and sails where cards allow."""

from __future__ import annotations

import heapq
from collections.abc import Mapping, Sequence
from functools import cache
from math import prod
from typing import Any, NamedTuple

import data
from strategic.captains import admirals
from strategic.interception import chance
from tactical.captains import Choice, Considered, Orders
from tactical.captains.reasons import best_options, reason
from tactical.kernel.protocol import Offer, System
from tactical.kernel.record import Input, plain

# -- data/<system>/stand_in.toml: what a stand-in of a system prefers, and what it means by it.


class Preferences(Input, frozen=True):
    """Commands from the first choice to the last resort; those that win provinces; each one's aim; generals march;
    admirals sail; what each tactics card of a battle at sea is worth, in ships.
    """

    first: tuple[str, ...]
    last: tuple[str, ...]
    political: tuple[str, ...] = ()
    aims: dict[str, str] = {}
    marches: bool = False
    sails: bool = False
    tactics: dict[str, float] = {}

    def rank(self, kind: str) -> int:
        """The place of a command: lower is preferred."""
        if kind in self.first:
            return self.first.index(kind)
        if kind in self.last:
            return 1000 + self.last.index(kind)
        return 500


@cache
def preferences_of(system: str) -> Preferences:
    """The preferences of a system; of one without any file, none."""
    try:
        found: Preferences = data.read(f"{system}/stand_in.toml", Preferences)
    except FileNotFoundError:
        return Preferences((), ())
    return found


# -- Offers cut down to what has a chance or better with every die: what a standing order with a threshold asks.

SETS = ("tries", "intercepts")  # fields whose choices are sets of attempts
DECLARED = "declare"  # the answer that may hold interceptions and avoidances at once


def at_least(system: System, state: Any, offers: Sequence[Offer], percent: int) -> list[Offer]:
    """The offers of which every die has this chance, the largest sets of attempts first.

    Of answers that may also hold avoidances it is the interceptions alone: who would slip away is asked.
    """
    cut = (_cut(system, state, offer, percent) for offer in offers)
    return [offer for offer in cut if offer is not None]


def _cut(system: System, state: Any, offer: Offer, percent: int) -> Offer | None:
    name = next((name for name in SETS if name in offer.fields), None)
    if name is None:
        return offer if _is_good(system, state, {"type": offer.type, **_first(offer.fields)}, percent) else None
    if offer.type == DECLARED and "power" in offer.fields:
        return None  # one army in part: the whole answers stand in an offer of their own
    sets = [
        attempts
        for attempts in offer.fields[name]
        if (attempts or offer.type != DECLARED)
        and _is_good(system, state, {"type": offer.type, name: attempts}, percent)
    ]
    if not sets:
        return None
    others: dict[str, Any] = {"avoids": []} if offer.type == DECLARED else {}
    return Offer(offer.type, offer.rule, {**offer.fields, **others, name: sorted(sets, key=len, reverse=True)})


def _first(fields: Mapping[str, Any]) -> dict[str, Any]:
    return {name: value[0] if isinstance(value, list | tuple) and value else value for name, value in fields.items()}


def _is_good(system: System, state: Any, command: Mapping[str, Any], percent: int) -> bool:
    return all(round(100 * each) >= percent for each in system.chances(state, command))


# -- Which space wins a province: majorities, read from a view and the printed map.

KEEPS = 0.1  # what any space is worth beside its province
TAKES = 0.3  # what it is worth more to take it from the enemy
HALF = 2
IDLE = 0.15  # what a province is worth that scores nothing


@cache
def members(system: str) -> dict[str, tuple[str, ...]]:
    """The spaces of each province of a system's map."""
    found: dict[str, list[str]] = {}
    for feature in data.raw_json(f"{system}/map.geojson")["features"]:
        about = feature["properties"]
        if about.get("province") and about.get("id"):
            found.setdefault(about["province"], []).append(about["id"])
    return {name: tuple(spaces) for name, spaces in found.items()}


@cache
def province_of(system: str) -> dict[str, str]:
    """The province of each space."""
    return {space: name for name, spaces in members(system).items() for space in spaces}


@cache
def card_values(system: str) -> dict[int, int]:
    """The operations that each card gives."""
    path = f"{system}/cards.toml"
    cards = data.read(path, dict[str, Any])["card"] if path in data.files(system) else ()
    return {int(card["number"]): int(card.get("ops", 0)) for card in cards}


def card_points(system: str, card: Any) -> float:
    """The operations of a card; 0 for what is no number of a strategy card."""
    return float(card_values(system).get(card, 0)) if isinstance(card, int) else 0.0


class Standing(NamedTuple):
    """How a province stands for a seat: markers of its own, of others, how many control it, and what it scores."""

    mine: int
    theirs: int
    needed: int
    score: float


@cache
def scores_on_map(system: str) -> dict[str, tuple[int, bool]]:
    """What the map says of each province: how many spaces control it, and whether it scores."""
    rows = data.raw_json(f"{system}/map.geojson").get("provinces", ())
    return {row["id"]: (int(row["needed"]), bool(row["scores"])) for row in rows}


def standing(system: str, view: Mapping[str, Any], seat: str, space: str) -> Standing:
    """How the province of a space stands."""
    name = province_of(system).get(space, "")
    spaces = members(system).get(name, (space,))
    holders = [view["spaces"].get(each, {}).get("control") for each in spaces]
    needed, scores = scores_on_map(system).get(name, (len(spaces) // HALF + 1, True))
    mine = holders.count(seat)
    return Standing(mine, len(holders) - mine - holders.count(None), needed, 1.0 if scores else IDLE)


def any_open(view: Mapping[str, Any]) -> bool:
    """Is there a space in nobody's hands, which a marker could win without a fight?"""
    spaces = view.get("spaces")
    if not isinstance(spaces, dict):
        return True
    return any(space.get("control") is None and not space.get("tribe") for space in spaces.values())


def province_gain(system: str, view: Mapping[str, Any], seat: str, space: str) -> float:
    """What one more marker there brings: most where it makes a majority or breaks the enemy's."""
    at = standing(system, view, seat, space)
    taken = view["spaces"].get(space, {}).get("control") not in (None, seat)
    value = KEEPS + TAKES * taken
    if at.mine < at.needed:
        value += at.score * ((at.mine + 1) / at.needed / HALF + (HALF if at.mine + 1 == at.needed else 0))
    if taken and at.theirs == at.needed:
        value += at.score * HALF
    return value


def cost(system: str, view: Mapping[str, Any], seat: str, space: str) -> float:
    """What giving a marker up costs: most where a majority goes with it."""
    at = standing(system, view, seat, space)
    if at.mine == at.needed:
        return HALF * at.score
    return at.score * at.mine / at.needed / HALF if at.mine < at.needed else KEEPS


# -- War at sea: when to put to sea against a fleet, which tactics card helps, when to leave a battle.

LIKELY = 0.5  # the chance from which ships put to sea; only the corvus and poor admirals bring less
OUTMATCHED = 2  # times its own ships from which one leaves a battle


class Strengths(NamedTuple):
    """Ready ships of its own side and of the enemy."""

    mine: int
    theirs: int


@cache
def ratings(system: str) -> dict[str, int]:
    """The battle rating of each general."""
    return {row["id"]: int(row["battle"]) for row in data.read(f"{system}/leaders.toml", dict[str, Any])["leader"]}


@cache
def weight_of_corvus(system: str) -> int:
    """11.6.2.a What the corvus adds to the dice of an interception."""
    return int(data.read(f"{system}/tables.toml", dict[str, Any])["naval"]["corvus_interception"])


def answer(system: str, view: Mapping[str, Any], seat: str, offers: Sequence[Offer]) -> Choice | None:
    """What is done at sea; None where nothing of it is asked."""
    kinds = {offer.type for offer in offers}
    if "sea_intercept" in kinds and view.get("voyage"):
        return intercept(system, view, seat, offers)
    if "turn_back" in kinds and view.get("voyage"):
        strengths = Strengths(len(view["voyage"]["ships"]), len(view["voyage"]["catching"]))
        return only(offers, "turn_back", "aim_turn_back", strengths) if strengths.mine < strengths.theirs else None
    if not view.get("naval"):
        return None
    if "tactic" in kinds:
        return tactic(system, view, seat, offers)
    fleets = view["naval"]["fleets"]
    strengths = Strengths(*(len(fleet["ready"]) for fleet in (fleets[seat], fleets[other(fleets, seat)])))
    if "flee" in kinds:
        return stay_or_leave(strengths, offers)
    if "cancel_retreat" in kinds and strengths.mine < strengths.theirs:
        return only(offers, "pass", "aim_let_go", strengths)
    return None


def other(fleets: Mapping[str, Any], seat: str) -> str:
    """The enemy at sea."""
    return next(side for side in fleets if side != seat)


def catches(system: str, view: Mapping[str, Any], seat: str, tries: Sequence[Mapping[str, Any]]) -> float:
    """11.6.2, 11.6.3 The chance that one of these generals succeeds; without any it is certain."""
    plus = weight_of_corvus(system) if seat == "rome" and view.get("corvus") else 0
    good = (chance(ratings(system).get(each["general"], 1), plus) for each in tries)
    return 1 - prod(1 - hits / faces for hits, faces in good) if tries else 1.0


def aboard(tries: Sequence[Mapping[str, Any]]) -> int:
    """The troops that these generals take along, and risk."""
    return sum(each["units"] + each["elephants"] for each in tries)


def intercept(system: str, view: Mapping[str, Any], seat: str, offers: Sequence[Offer]) -> Choice | None:
    """11.6 All ready ships against a fleet that is no stronger, under the generals who will probably find it."""
    offer = next(offer for offer in offers if offer.type == "sea_intercept")
    ships = offer.fields["ships"]
    strengths = Strengths(ships["to"] if isinstance(ships, dict) else ships, len(view["voyage"]["ships"]))
    options = [
        ({"type": "sea_intercept", "ships": strengths.mine, "tries": tries}, catches(system, view, seat, tries))
        for tries in offer.fields["tries"]
    ]
    command, odds = max(options, key=lambda option: (option[1], -aboard(option[0]["tries"])))
    if strengths.mine < strengths.theirs or odds < LIKELY:
        return only(offers, "pass", "aim_let_pass", strengths, odds)
    why = reason("aim_intercept", rule=offer.rule, odds=odds, mine=strengths.mine, theirs=strengths.theirs)
    return Choice(command, (why,), best_options([*options, ({"type": "pass"}, 0.0)]), round(odds, 3))


def tactic(system: str, view: Mapping[str, Any], seat: str, offers: Sequence[Offer]) -> Choice:
    """11.7.manoeuvre The card that helps most in this round, by what the preferences say of each; else none."""
    worth = preferences_of(system).tactics
    fleets = view["naval"]["fleets"]
    mine, foe = fleets[seat], fleets[other(fleets, seat)]
    outmatched = len(foe["ready"]) >= OUTMATCHED * len(mine["ready"])
    options: list[tuple[dict[str, Any], float]] = [({"type": "pass"}, 0.0)]
    for offer in offers:
        if offer.type == "tactic":
            card, use = offer.fields["card"], offer.fields["use"]
            value = worth.get(f"{card}.{use}" if use else card, 0.0)
            if card == "run":
                value = -value if not outmatched else value
            if card == "pursuit" and not foe["transports"]:
                value = 0.0
            options.append(({"type": "tactic", "card": card, "use": use}, value))
    command, value = max(options, key=lambda option: option[1])
    kind = (
        "aim_no_tactic" if command["type"] == "pass" else "aim_leave_sea" if command["card"] == "run" else "aim_tactic"
    )
    rule = next(offer.rule for offer in offers if offer.type == command["type"])
    why = reason(kind, rule=rule, mine=len(mine["ready"]), theirs=len(foe["ready"]))
    return Choice(command, (why,), best_options(options), round(value, 3))


def stay_or_leave(strengths: Strengths, offers: Sequence[Offer]) -> Choice | None:
    """11.7.choice Who is outmatched leaves: by giving up supremacy if it holds it, else by a die."""
    if strengths.theirs < OUTMATCHED * strengths.mine:
        return None
    kinds = {offer.type for offer in offers}
    return only(offers, "evade" if "evade" in kinds else "flee", "aim_leave_sea", strengths)


def only(
    offers: Sequence[Offer], kind: str, why: str, strengths: Strengths, odds: float | None = None
) -> Choice | None:
    """One kind of command without fields, and why; None where it is not offered."""
    offer = next((offer for offer in offers if offer.type == kind), None)
    if offer is None:
        return None
    told = reason(why, rule=offer.rule, odds=odds, mine=strengths.mine, theirs=strengths.theirs)
    rest = tuple(Considered({"type": each.type}, 0.0) for each in offers if each.type != kind and not each.fields)
    return Choice({"type": kind}, (told,), rest)


# -- A general who marches: where his army wins most, and the next step of the way there.

MARGIN = 1.5  # how many times the enemy's troops an army has that goes to meet them
FARTHEST = 10  # costs of way beyond which nobody looks
WORTH_IT = 0.5  # what a march must promise
PER_COST = 0.12  # how much less a goal is worth for each cost of way
SIEGES = {"tribe": 0.7, "city": 0.4}  # the share of a gain that a siege brings, which takes its time
CARD_POINT = 0.05  # what a point of the card that is spent on a march is worth otherwise
HOSTILE = 1  # what it costs more to pass a hostile tribe

Ways = dict[str, tuple[tuple[str, int, str], ...]]


class Goal(NamedTuple):
    """Where an army goes, what that promises, and the next space of the way; the space itself when it is there."""

    space: str
    value: float
    next: str


@cache
def ways(system: str) -> Ways:
    """From each space where one can go: the space, its cost, and whether by land or by sea."""
    found: dict[str, list[tuple[str, int, str]]] = {}
    for feature in data.raw_json(f"{system}/map.geojson")["features"]:
        about = feature["properties"]
        if "from" in about:
            for one, other in ((about["from"], about["to"]), (about["to"], about["from"])):
                found.setdefault(one, []).append((other, int(about["cost"]), about["kind"]))
    return {space: tuple(rows) for space, rows in found.items()}


@cache
def cities(system: str) -> frozenset[str]:
    """The walled spaces of a map."""
    features = [feature["properties"] for feature in data.raw_json(f"{system}/map.geojson")["features"]]
    return frozenset(about["id"] for about in features if about.get("city") or about.get("walls"))


def troops(place: Mapping[str, Any], side: str) -> int:
    """The units and elephants of a side that stand in a space, outside the walls."""
    force = place[side]
    return int(force["units"]) + int(force["elephants"])


def enemies(view: Mapping[str, Any], seat: str, space: str) -> int:
    """The enemy's troops in a space, those inside its walls too."""
    place = view["spaces"][space]
    inside = place["inside"]
    walled = int(inside["units"]) + int(inside["elephants"]) if place["control"] != seat else 0
    return sum(troops(place, side) for side in ("rome", "carthage") if side != seat) + walled


def promise(system: str, view: Mapping[str, Any], seat: str, space: str, strength: int) -> float:
    """What an army wins in a space: a marker turned, a tribe or a city besieged; 0 where there is nothing to win."""
    place = view["spaces"][space]
    if place["control"] == seat or enemies(view, seat, space) * MARGIN > strength:
        return 0.0
    gain = province_gain(system, view, seat, space)
    if place["tribe"]:
        return gain * SIEGES["tribe"]
    if place["control"] is None:
        return 0.0  # a marker goes there without an army
    return gain * SIEGES["city"] if space in cities(system) else gain


def goal(system: str, view: Mapping[str, Any], seat: str, start: str, strength: int) -> Goal | None:
    """The space that promises most for the way to it; None where no march is worth a card."""
    best: Goal | None = None
    queue: list[tuple[int, str, str]] = [(0, start, start)]
    seen: set[str] = set()
    sails = any(ship["ready"] for ship in (view.get("ships") or {}).get(seat, ()))
    while queue:
        cost, space, via = heapq.heappop(queue)
        if space in seen or cost > FARTHEST:
            continue
        seen.add(space)
        value = promise(system, view, seat, space, strength) / (1 + PER_COST * cost)
        if value > (best.value if best else WORTH_IT):
            best = Goal(space, value, via)
        for other, price, kind in ways(system).get(space, ()):
            if other in seen or (kind == "lane" and not sails):
                continue
            place = view["spaces"].get(other)
            if place is None or enemies(view, seat, other) * MARGIN > strength:
                continue
            hostile = HOSTILE * bool(place["tribe"] and place["control"] != seat)
            heapq.heappush(queue, (cost + price + hostile, other, other if via == start and space == start else via))
    return best


def army(view: Mapping[str, Any], seat: str, general: str) -> tuple[str, int] | None:
    """Where a general stands outside the walls, and with how many."""
    his = view["generals"].get(general) or {}
    space = his.get("space")
    if space is None or his.get("inside"):
        return None
    return space, troops(view["spaces"][space], seat)


def march(system: str, view: Mapping[str, Any], seat: str, offers: Sequence[Offer], first: Any) -> Choice | None:
    """A march begun or carried on; None where nothing is offered of it, or nothing is worth it."""
    kinds = {offer.type for offer in offers}
    if "activate" in kinds:
        return begin(system, view, seat, [offer for offer in offers if offer.type == "activate"], first)
    if kinds & {"step", "sail", "besiege"} and "halt" in kinds and view.get("march"):
        return go_on(system, view, seat, offers, first)
    return None


def begin(system: str, view: Mapping[str, Any], seat: str, offers: Sequence[Offer], first: Any) -> Choice | None:
    """The card and the general whose march promises most, if it is more than what markers bring."""
    options: list[tuple[dict[str, Any], float]] = []
    leads_to: dict[str, str] = {}
    for offer in offers:
        if offer.fields.get("use", "ops") != "ops":
            continue
        names = offer.fields["general"]
        for general in [names] if isinstance(names, str) else names:
            at = army(view, seat, general)
            found = goal(system, view, seat, *at) if at is not None and at[1] > 1 else None
            if at is None or found is None:
                continue
            command = {name: first(value) for name, value in offer.fields.items()} | {"general": general}
            leads_to[general] = found.space
            price = CARD_POINT * card_points(system, command.get("card"))
            options.append(({"type": "activate", **command}, found.value - price))
    if not options:
        return None
    command, value = max(options, key=lambda option: option[1])
    if value <= max(markers(system, view, seat), 0.0):
        return None
    general = command["general"]
    why = reason("aim_march", rule=offers[0].rule, general=general, space=leads_to[general])
    return Choice(command, (why,), best_options(options), round(value, 3))


def markers(system: str, view: Mapping[str, Any], seat: str) -> float:
    """The most that a marker brings which can be placed without a march."""
    return max(
        (
            province_gain(system, view, seat, space)
            for space, place in view["spaces"].items()
            if not place["tribe"] and may_take(system, place, seat, space) and not enemies(view, seat, space)
        ),
        default=0.0,
    )


def may_take(system: str, place: Mapping[str, Any], seat: str, space: str) -> bool:
    """Is it nobody's, or the enemy's under one's own troops and without walls?"""
    if place["control"] is None:
        return True
    return place["control"] != seat and troops(place, seat) > 0 and space not in cities(system)


def go_on(system: str, view: Mapping[str, Any], seat: str, offers: Sequence[Offer], first: Any) -> Choice | None:
    """The next step on the way to where the army wins most; a siege there, or a halt."""
    at = army(view, seat, view["march"]["general"])
    if at is None:
        return None
    found = goal(system, view, seat, *at)
    on, there = [], []
    if found is not None and found.space != at[0]:
        on = [fill_offer(offer, found.next, first) for offer in offers if leads(offer, found.next)]
    elif found is not None:
        there = [fill_offer(offer, "", first) for offer in offers if offer.type == "besiege"]
    halts = [fill_offer(offer, "", first) for offer in offers if offer.type == "halt"]
    options = [*on, *there, *halts]
    command, general = options[0], view["march"]["general"]
    rule = next(offer.rule for offer in offers if offer.type == command["type"])
    kind = "aim_march" if on else "aim_siege" if there else "aim_march_ends"
    why = reason(kind, rule=rule, general=general, space=found.space if found else at[0])
    rest = tuple(Considered(other, 0.0) for other in options[1:7])
    return Choice(command, (why,), rest, round(found.value, 3) if found else 0.0)


def leads(offer: Offer, to: str) -> bool:
    """Does a step or a passage lead there?"""
    if offer.type not in ("step", "sail"):
        return False
    there = offer.fields["to"]
    return there == to if isinstance(there, str) else to in there


def fill_offer(offer: Offer, to: str, first: Any) -> dict[str, Any]:
    """The offer with all who may come, to this space."""
    command = {"type": offer.type, **{name: first(value) for name, value in offer.fields.items()}}
    return {**command, "to": to} if to and "to" in command else command


# -- A stand-in for any campaign: it answers what is asked, gives nothing up, and wins provinces where cards allow.
#
# It sees a seat's view and its own offers, nothing else.

GIVES_UP = ("resign", "agree")
LATER = 900  # the rank of winning provinces when none is open to be won


def choose(system: str, view: Any, seat: str, offers: Sequence[Offer], orders: Orders | None = None) -> Choice:
    """What the seat should command now, out of its own offers. Raises ValueError when there is none.

    A raw stand-in only passes and answers; the others follow the system's preferences.
    """
    if not offers:
        raise ValueError(f"{seat} has no offer to choose from")
    wishes = preferences_of(system)
    raw = orders is not None and orders.level == "raw"
    usual = [offer for offer in offers if offer.type not in GIVES_UP] or list(offers)
    seen = view if isinstance(view, dict) else plain(view)
    if wishes.marches and not raw and (marched := march(system, seen, seat, usual, first)) is not None:
        return marched
    if wishes.tactics and not raw and (sailed := answer(system, seen, seat, usual)) is not None:
        return sailed
    if wishes.sails and not raw and (sailed := admirals.answer(seen, seat, usual)) is not None:
        return sailed
    idle = raw or not any_open(seen)

    def rank(offer: Offer) -> int:
        return LATER if idle and offer.type in wishes.political else wishes.rank(offer.type)

    ranked = sorted(usual, key=rank)
    best = ranked[0]
    same = [offer for offer in ranked if offer.type == best.type]
    command, value = best_of(system, seen, seat, same)
    rest = tuple(Considered(command_of(system, seen, seat, offer), 0.0) for offer in ranked if offer.type != best.type)
    aim = wishes.aims.get(best.type, "careful")
    kind = "careful" if aim == "careful" else f"aim_{aim}"
    return Choice(command, (reason(kind, rule=best.rule),), rest[:7], value)


def best_of(system: str, view: Mapping[str, Any], seat: str, offers: Sequence[Offer]) -> tuple[dict[str, Any], float]:
    """The best command among offers of one kind: the space that wins most, the card that carries most."""
    options = [filled for offer in offers for filled in variants(system, view, seat, offer)]
    return max(options, key=lambda option: option[1])


def variants(system: str, view: Mapping[str, Any], seat: str, offer: Offer) -> list[tuple[dict[str, Any], float]]:
    """An offer's commands over its one field that matters: a space to win, or a card to play."""
    base = command_of(system, view, seat, offer)
    if offer.type == "put" and isinstance(spaces := offer.fields.get("space"), list | tuple):
        return [({**base, "space": at}, province_gain(system, view, seat, at)) for at in spaces]
    if offer.type in ("remove", "lose_control") and isinstance(spaces := offer.fields.get("space"), list | tuple):
        return [({**base, "space": at}, -cost(system, view, seat, at)) for at in spaces]
    if isinstance(cards := offer.fields.get("card"), list | tuple):
        return [({**base, "card": card}, card_points(system, card)) for card in cards]
    return [(base, card_points(system, base.get("card")))]


def command_of(system: str, view: Mapping[str, Any], seat: str, offer: Offer) -> dict[str, Any]:
    """The offer with the first choice of each field; a side asked about itself names itself."""
    command = {"type": offer.type, **{name: first(value) for name, value in offer.fields.items()}}
    if offer.type == "first_player" and seat in (offer.fields.get("side") or ()):
        command["side"] = seat
    return command


def first(value: Any) -> Any:
    """A field's first choice; of a range its end, since more is stronger."""
    if isinstance(value, list | tuple):
        return value[0] if value else []
    if isinstance(value, dict) and value.keys() == {"from", "to"}:
        return value["to"]
    return value
