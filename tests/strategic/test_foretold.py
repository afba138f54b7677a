"""What is told before a decision is what comes of it: previews are compared with the command, played, in crowded wars.

The enemy lets everything pass and the dice cost nobody a unit, for that is what a preview leaves out.
"""

from __future__ import annotations

import json
import random
from collections import Counter
from collections.abc import Callable, Iterator, Mapping
from fractions import Fraction
from typing import Any

import pytest

from kit.crowded import SIDES, TABLES, WARS, play, start
from kit.lengths import FORETOLD, scaled
from kit.pw_bold import wish
from strategic.hamilcar.rules import land as first_land
from strategic.hamilcar.rules.sea import Route, sea_preview
from strategic.hannibal.rules.preview import army_reach, isolated_now, naval_odds
from strategic.hannibal.rules.siege_roll import siege_results
from strategic.point_to_point.battle import hands_of, meeting_there
from strategic.point_to_point.meeting import chances, party_of, watchers_at, ways_ahead, whole_party
from strategic.point_to_point.state import replace
from strategic.point_to_point.survey import commander as who_commands
from strategic.punic_wars import PUNIC_WARS
from strategic.punic_wars.rules import preview as punic_ahead
from strategic.punic_wars.rules.pieces import ENEMY
from strategic.sword_of_rome import SWORD_OF_ROME
from strategic.sword_of_rome import tables as sword_tables
from strategic.sword_of_rome.rules import interception
from strategic.sword_of_rome.rules import preview as sword_ahead
from tactical.kernel.dice import Dice, random_source
from tactical.kernel.protocol import Illegal, Outcome, System
from tactical.kernel.random_play import QUITTING, fill, random_offer
from tactical.kernel.record import encode, read

MARCHING = ("march", "move")
LETTING_BE = ("done", "pass", "stand", "accept_battle", "fight_at_sea")
FACES = range(1, 7)
FORETOLD_NOW = 60  # positions of each war in `make test`


def quiet(face: int = 3) -> Dice:
    """Open dice that all show one face, and hidden draws of the first."""
    return Dice(source=lambda sides: face, secret=lambda sides: 1)


def given(system: System, state: Any, seat: str, command: Mapping[str, Any], face: int = 3) -> Outcome[Any] | None:
    """The outcome of a command; None where it is refused."""
    try:
        return system.apply(state, seat, read(dict(command), system.command), quiet(face))
    except Illegal:
        return None


def let_be(system: System, outcome: Outcome[Any], until: Callable[[Any], bool], face: int = 3) -> Outcome[Any]:
    """Everybody lets pass what he is asked, until so much has come; with all events."""
    state, events = outcome.state, outcome.events
    for _ in range(12):
        prompt = state.asks()
        if until(state) or prompt is None or prompt.kind in MARCHING or not prompt.seat:
            break
        seat = system.waiting_for(state)[0]
        kinds = {offer.type for offer in system.offers(state, seat)}
        kind = next((each for each in LETTING_BE if each in kinds), None)
        after = given(system, state, seat, {"type": kind}, face) if kind else None
        if after is None:
            break
        state, events = after.state, (*events, *after.events)
    return Outcome(state, events)


def mover(state: Any) -> str:
    """Whose army is on the march."""
    return str(state.marching().side)


def step_of(fields: Mapping[str, Any], to: str) -> dict[str, Any]:
    """The step of the largest party."""
    companions, force = party_of(fields)
    command = {"type": "step", "to": to, "companions": companions, "units": force.units, "elephants": force.elephants}
    return {**command, "trains": force.trains} if force.trains else command


# the march


def the_march_ahead(system: System, state: Any, counted: Counter[str]) -> None:
    """movement.land.1 Every space that is in reach is come to by its way at its cost, and no other space next to one."""
    fields = whole_party(state)
    if fields is None or state.marching().stopped:
        return
    found, seat, start = ways_ahead(state), mover(state), state.marching()
    standing = {start.at: state}
    for goal in sorted(found.cost, key=lambda space: (len(found.path[space]), space)):
        if goal == start.at:
            continue
        before = standing.get(found.path[goal][-2])
        if before is None:
            continue
        told = given(system, before, seat, step_of(fields, goal))
        assert told is not None, (goal, found.path[goal])
        counted["reached"] += 1
        told = let_be(system, told, lambda now: bool(now.battle) or now.march is None)
        march, kinds = told.state.march, {each.type for each in told.events}
        if march is None or told.state.battle or kinds & {"attrition", "stepped_back", "overrun"}:
            continue
        assert march.at == goal and march.points == start.points - found.cost[goal]
        if march.force == party_of(fields)[1] and not march.stopped and told.state.asks().kind in MARCHING:
            standing[goal] = told.state
    for here, now in standing.items():
        for there in dict.fromkeys(system_chart(system).neighbours(here)):
            told = given(system, now, seat, step_of(fields, there))
            left = told.state.march.points if told is not None and told.state.march else None
            if told is None or left is None:
                continue
            assert there in found.cost and found.cost[there] <= start.points - left, (here, there)
            counted["next to it"] += 1


def system_chart(system: System) -> Any:
    """The map of a war."""
    return TABLES[system.name].CHART


def the_watchers(system: System, state: Any, counted: Counter[str]) -> None:
    """interception.general.1 Those named who could try, and no others, are asked when the army has come, at this chance."""
    fields = whole_party(state)
    if fields is None or state.marching().stopped:
        return
    for there in dict.fromkeys(system_chart(system).neighbours(state.marching().at)):
        told = given(system, state, mover(state), step_of(fields, there))
        if told is None or any(each.type == "attrition" for each in told.events):
            continue
        told = let_be(system, told, lambda now: bool(now.battle) or now.march is None or now.asks().kind == "intercept")
        now, may = told.state, dict[str, Fraction]()
        if now.asks() is not None and now.asks().kind == "intercept":
            for offer in system.offers(now, now.asks().seat):
                if offer.type == "intercept":
                    command = {"type": "intercept", "generals": offer.fields["generals"][0]}
                    (chance,) = chances(now, command)
                    leader = commander(now, offer.fields["generals"][0])
                    may[leader] = chance
        seen = {each.general: each.success for each in watchers_at(state, there)}
        assert seen == may, (there, seen, may)
        counted["watched"] += 1
        counted["watchers"] += len(seen)


def commander(state: Any, names: list[str]) -> str:
    """Who leads them."""
    return who_commands(state, names) or ""


def is_dealt(state: Any) -> bool:
    """Have the battle cards been dealt, or is nothing to come of it any more?"""
    return state.march is None or (state.battle is not None and any(state.battle.hands.values()))


def the_battle_ahead(system: System, state: Any, counted: Counter[str]) -> None:
    """battle.5, 14.1 The hands that are told are those that are dealt; where none is told, none is."""
    fields = whole_party(state)
    if fields is None or state.marching().stopped:
        return
    companions, force = party_of(fields)
    for there in dict.fromkeys(system_chart(system).neighbours(state.marching().at)):
        told = given(system, state, mover(state), step_of(fields, there))
        if told is None or any(each.type == "attrition" for each in told.events):
            continue
        told = let_be(system, told, is_dealt)
        hands = {
            each.data["side"]: (each.data["dealt"], each.data["parts"])
            for each in told.events
            if each.type == "battle_hand"
        }
        ahead = hands_of(meeting_there(state, there, companions, force))
        if not hands and told.state.battle is not None:
            continue  # it is still being asked who joins
        assert {one.side: (one.cards, one.parts) for one in ahead or ()} == hands, (there, ahead, hands)
        counted["battles" if hands else "no battle"] += 1


# the sea


def the_voyages(system: System, state: Any, counted: Counter[str]) -> None:
    """11.1 Hamilcar: every open route is sailed by somebody; who may catch him on its first lane is asked, at this chance."""
    seat = mover(state)
    routes = {route.to: route for route in sea_preview(state)}
    offers = [offer for offer in system.offers(state, seat) if offer.type == "sail" and not offer.fields["inside"]]
    assert {offer.fields["to"] for offer in offers} <= {to for to, route in routes.items() if route.open}
    for route in routes.values():
        lanes = [lane.to for lane in route.lanes]
        sailed = sail_along(system, state, seat, lanes, offers)
        assert route.open is bool(sailed) or "unsure" in sailed, (route.to, route.open, sailed)
        counted["open" if route.open else "closed"] += 1
        if route.open and len(lanes) == 1:
            asked_at_sea(system, state, seat, route, offers, counted)


def sail_along(system: System, state: Any, seat: str, lanes: list[str], offers: list[Any]) -> set[str]:
    """Does some party on offer come through to the last port? "unsure" where something else came between."""
    found: set[str] = set()
    for offer in offers:
        if offer.fields["to"] != lanes[0] or "sailed" in found:
            continue
        for end in ("to", "from"):
            command = fleet(offer, end)
            now, came = state, "sailed"
            for port in lanes:
                told = given(system, now, seat, {**command, "to": port})
                if told is None:
                    came = ""
                    break
                told = let_be(system, told, lambda now: now.battle is not None or now.march is None)
                now = told.state
                if port != lanes[-1] and (now.march is None or now.battle or now.march.at != port or now.march.stopped):
                    came = "unsure"
                    break
            found |= {came} - {""}
    return found


def fleet(offer: Any, end: str) -> dict[str, Any]:
    """The voyage of a party on offer, with the most or the fewest units."""
    fields = offer.fields
    return {
        "type": "sail",
        "to": fields["to"],
        "ships": fields["ships"]["to"],
        "companions": fields["companions"][0],
        "units": fields["units"][end],
        "elephants": fields["elephants"],
        "trains": max(fields.get("trains", (0,))),
    }


def asked_at_sea(system: System, state: Any, seat: str, route: Route, offers: list[Any], counted: Counter[str]) -> None:
    """11.6 Whoever may try is named beforehand with his chance, and so is the certain interception."""
    command = next(fleet(offer, "to") for offer in offers if offer.fields["to"] == route.to)
    told = given(system, state, seat, command)
    assert told is not None
    told = let_be(system, told, lambda now: now.asks() is not None and now.asks().kind == "sea_intercept")
    now, lane = told.state, route.lanes[0]
    if now.asks() is None or now.asks().kind != "sea_intercept":
        assert not lane.interceptors and not lane.automatic, lane
        return
    offered = [offer for offer in system.offers(now, now.asks().seat) if offer.type == "sea_intercept"]
    sets = [tries for offer in offered for tries in offer.fields["tries"]]
    who = {each["general"] for tries in sets for each in tries}
    assert {each.general for each in lane.interceptors} == who, (route.to, who)
    assert lane.automatic is ([] in sets)
    for each in lane.interceptors:
        command = {"type": "sea_intercept", "tries": [{"general": each.general}]}
        assert system.chances(now, command) == (Fraction(each.good, each.of),)
    counted["caught at sea"] += 1


def the_naval_roll(system: System, state: Any, counted: Counter[str]) -> None:
    """tables.naval Hannibal: of the six faces as many pass, turn back and sink as the odds say."""
    seat = mover(state)
    if seat != "carthage":
        return
    for offer in [each for each in system.offers(state, seat) if each.type == "sail"][:2]:
        fields, results = offer.fields, Counter[str]()
        to, units = fields["to"][0], fields["units"]["to"]
        command = {
            "type": "sail",
            "to": to,
            "inside": fields["inside"],
            "units": units,
            "elephants": fields["elephants"],
        }
        command["companions"] = fields["companions"][0]
        march = state.marching()
        odds = naval_odds(state, march.at, to, units + fields["elephants"], (march.general, *command["companions"]))
        for face in FACES:
            told = given(system, state, seat, command, face)
            assert told is not None
            told = let_be(system, told, lambda now: False, face)
            results.update(each.data["result"] for each in told.events if each.type == "naval_roll")
        if sum(results.values()) == len(FACES):
            shares = {name: Fraction(results[name], 6) for name in ("passes", "returns", "sunk")}
            assert shares == {"passes": odds.passes, "returns": odds.returns, "sunk": odds.sunk}, (to, results)
            counted["naval rolls"] += 1


# the siege


def the_siege_roll(system: System, state: Any, counted: Counter[str]) -> None:
    """tables.siege, 20.2.3 Each face gives the points and the losses that were told for it."""
    march = state.marching()
    if not any(offer.type == "besiege" for offer in system.offers(state, march.side)):
        return
    if system.name == "hannibal":
        faces = siege_results(state, march.general, march.at)
    else:
        faces = first_land.siege_results(state, march.side, march.at)
    for face, (points, losses) in zip(FACES, faces, strict=True):
        told = given(system, state, march.side, {"type": "besiege"}, face)
        rolls = [each.data for each in told.events if each.type == "siege_roll"] if told is not None else []
        if len(rolls) == 1:
            size = state.spaces[march.at].outside(march.side).size
            assert (rolls[0]["won"], rolls[0]["lost"]) == (points, min(losses, size)), (face, rolls)
            counted["siege rolls"] += 1


LAND = (the_march_ahead, the_watchers, the_battle_ahead, the_siege_roll)
FORETOLD_OF = {"hannibal": (*LAND, the_naval_roll), "hamilcar": (*LAND, the_voyages)}
MET = {
    "hannibal": ("reached", "next to it", "watchers", "battles", "no battle", "siege rolls", "naval rolls", "reaches"),
    "hamilcar": (
        "reached",
        "next to it",
        "watchers",
        "battles",
        "no battle",
        "siege rolls",
        "open",
        "closed",
        "caught at sea",
    ),
}


def foretold(name: str, positions: int, counted: Counter[str]) -> None:
    """Compare every preview in so many positions in which an army is on the march."""
    system, seed = WARS[name], 0

    def watch(before: Any, command: Mapping[str, Any], outcome: Outcome[Any]) -> None:
        state = outcome.state
        prompt = state.asks()
        if counted["positions"] >= positions or prompt is None or prompt.kind not in MARCHING or state.march is None:
            return
        counted["positions"] += 1
        before_it = encode(state)
        if name == "hannibal" and command["type"] == "activate" and command.get("use") == "ops":
            assert army_reach(before, command["general"]) == ways_ahead(state), command
            counted["reaches"] += 1
        for compare in FORETOLD_OF[name]:
            compare(system, state, counted)
        assert encode(state) == before_it

    while counted["positions"] < positions:
        play(name, 9000 + seed, 60, (watch,))
        seed += 1


@pytest.mark.parametrize(
    "positions", [FORETOLD_NOW, pytest.param(scaled(FORETOLD), marks=pytest.mark.soak)], ids=["now", "soak"]
)
@pytest.mark.parametrize("name", WARS)
def test_what_is_told_before_a_march_or_a_voyage_is_what_comes_of_it(
    name: str, positions: int, record_property: Callable[[str, int], None]
) -> None:
    """movement.land.1, interception.general.1, battle.5, tables.naval, 11.1, 11.6, 20.2.3"""
    counted: Counter[str] = Counter()
    foretold(name, positions, counted)
    for kind, count in counted.items():
        record_property(f"{name} {kind}", count)
    print(name, dict(counted))
    assert all(counted[kind] for kind in MET[name]), counted


@pytest.mark.parametrize(
    "positions", [FORETOLD_NOW, pytest.param(scaled(FORETOLD), marks=pytest.mark.soak)], ids=["now", "soak"]
)
def test_isolation_2_the_pcs_that_are_told_are_those_that_the_phase_takes_off(positions: int) -> None:
    """isolation.1 One side after the other, in crowded wars whose markers stand anyhow."""
    system, both = WARS["hannibal"], 0
    for seed in range(positions):
        state, rng = start("hannibal", seed)
        ground, markers = TABLES["hannibal"].ground, dict(state.spaces)
        for space, place in state.spaces.items():
            if not ground(space).city and not place.tribe and not ground(space).tribe:
                markers[space] = replace(place, control=rng.choice((*SIDES, None)))
        state = replace(state, spaces=markers)
        phase = replace(state, phase="isolation", agenda=(), active=None, first=None)
        position = json.loads(encode(system.view(phase, "umpire")))
        events = system.start(None, position, {}, quiet()).events
        gone = {each.data["side"]: tuple(each.data["spaces"]) for each in events if each.type == "isolated"}
        assert isolated_now(state) == {side: gone.get(side, ()) for side in SIDES}
        both += len(gone) == len(SIDES)
    assert both > positions // 10


# The Sword of Rome and Punic Wars.


def other_game(name: str, seed: int, commands: int) -> Iterator[tuple[Any, str]]:
    """The positions of a game at random, each with a seat that is waited for."""
    rng = random.Random(f"{name} {seed}")
    system, source = OTHERS[name], random_source(rng.randrange)
    scenario = rng.choice([each.id for each in system.scenarios()])
    state = system.start(scenario, None, {}, Dice(source=source, secret=source)).state
    for _ in range(commands):
        if system.is_over(state):
            return
        seat = rng.choice(system.waiting_for(state))
        yield state, seat
        offers = system.offers(state, seat)
        if name == "punic_wars":
            command = wish(state, seat, offers, rng)
        else:
            command = fill(random_offer(offers, rng, QUITTING | system.by_hand), rng)
        state = system.apply(state, seat, read(command, system.command), Dice(source=source, secret=source)).state


def the_step_ahead(state: Any, seat: str, counted: Counter[str]) -> None:
    """9.2, 10.2, 10.3 The Sword of Rome: a step is in reach exactly if it is legal, at its cost; who is said to be able to
    intercept there is he who may when the army has come, and whom it attacks is whom it meets.
    """
    system, move = OTHERS["sword_of_rome"], state.move
    if move is None or move.leader is None or not any(one.type == "step" for one in system.offers(state, seat)):
        return
    found = sword_ahead.ways_ahead(state)
    for way in sword_tables.ways(move.at):
        to = way.other(move.at)
        told = given(system, state, seat, {"type": "step", "to": to})
        direct = found.path.get(to) == (move.at, to)
        assert told is not None or not direct, to
        if told is None:
            continue
        assert found.cost[to] <= sword_tables.cost(move.power, way)
        counted["steps"] += 1
        now = told.state
        if now.move is None or now.move.at != to:
            continue
        assert move.points - now.move.points == sword_tables.cost(move.power, way)
        (shown,) = sword_ahead.preview(state, move.leader, [to], flank=move.flank)
        for each in shown.may:
            assert interception.why_not_from(now, each.power, each.space) is None, (to, each)
            counted["may"] += 1
        for each in shown.may_not:
            wrong = interception.why_not_from(now, each.power, each.space)
            assert each.rule == "10.3" or (wrong is not None and wrong.rule == each.rule), (to, each)
            counted["may not"] += 1


def the_path_ahead(state: Any, seat: str, counted: Counter[str]) -> None:
    """5.0, 11.0, 9.0 Punic Wars: a hex is in reach exactly if the move is legal; what arrives, what an attack costs both."""
    system = OTHERS["punic_wars"]
    offers = system.offers(state, seat)
    movers = {offer.fields["leader"] for offer in offers if offer.type == "move"}
    for id in sorted(one for one in movers if isinstance(one, str)):
        at, found = state.leaders[id].at, punic_ahead.reach_of(state, id)
        for to in state.chart.sides[at]:
            told = [given(system, state, seat, {"type": "move", "leader": id, "to": to}, face) for face in FACES]
            direct = found.path.get(to) == (at, to)
            assert told[0] is not None or not direct, (id, to)
            assert told[0] is None or to in found.cost, to
            seen = punic_ahead.path_preview(state, id, (to,))
            assert (seen.legs[0].refused is None) is (told[0] is not None), (id, to)
            counted["moves"] += 1
            rolls = [[e for e in one.events if e.type == "attrition"] for one in told if one is not None]
            if not rolls or any(len(each) != 1 for each in rolls) or state.occupied(to, ENEMY[seat]):
                continue
            left = Counter((one.state.leaders[id].land, one.state.leaders[id].naval) for one in told if one is not None)
            if sum(chance for *_force, chance in seen.arrives) > 0 and not any(one.state.owed for one in told if one):
                arrives = {(land, naval): round(6 * chance) for land, naval, chance in seen.arrives}
                assert arrives == dict(left), (id, to, arrives, left)
                counted["arrivals"] += 1
    for offer in [one for one in offers if one.type == "attack"]:
        kinds = offer.fields["kind"] if isinstance(offer.fields["kind"], list) else [offer.fields["kind"]]
        for kind in kinds:
            id = offer.fields["leader"]
            command = {"type": "attack", "leader": id, "kind": kind}
            for face in FACES:
                told = given(system, state, seat, command, face)
                fights = [e.data for e in told.events if e.type == "combat"] if told is not None else []
                foes = [
                    who for who, man in state.leaders.items() if man.at == state.leaders[id].at and man.side != seat
                ]
                ahead = [punic_ahead.attack_preview(state, id, kind, foe) for foe in (None, *foes)]
                if len(fights) == 1 and all(ahead):
                    names = ("attackers", "defenders", "ratio", "modifier")
                    told_of = [[each[name] for name in names] for each in ahead if each is not None]
                    assert [fights[0][name] for name in names] in told_of, (id, kind)  # the enemy says who commands
                    counted["attacks"] += 1


OTHERS = {"sword_of_rome": SWORD_OF_ROME, "punic_wars": PUNIC_WARS}
LOOKS = {"sword_of_rome": the_step_ahead, "punic_wars": the_path_ahead}
SEEN = {"sword_of_rome": ("steps", "may", "may not"), "punic_wars": ("moves", "arrivals", "attacks")}


@pytest.mark.parametrize(
    "positions", [FORETOLD_NOW, pytest.param(scaled(FORETOLD), marks=pytest.mark.soak)], ids=["now", "soak"]
)
@pytest.mark.parametrize("name", OTHERS)
def test_what_is_told_before_a_step_or_a_path_is_what_comes_of_it(
    name: str, positions: int, record_property: Callable[[str, int], None]
) -> None:
    """9.2, 10.3, 5.0, 11.0, 9.0"""
    counted: Counter[str] = Counter()
    seed = 0
    while counted["positions"] < positions:
        for state, seat in other_game(name, seed, 400):
            before = dict(counted)
            LOOKS[name](state, seat, counted)
            counted["positions"] += dict(counted) != before
            if counted["positions"] >= positions:
                break
        seed += 1
    for kind, count in counted.items():
        record_property(f"{name} {kind}", count)
    print(name, dict(counted))
    assert all(counted[kind] for kind in SEEN[name] if kind != "attacks" or positions > FORETOLD_NOW), counted
