"""Positions dealt tight for both land wars: few spaces, many armies, generals alone, sieges, fleets and trains.

From the opening most of what goes wrong between armies never comes up; here it does within a card or two.
"""

from __future__ import annotations

import random
from collections.abc import Callable, Iterable, Mapping
from typing import Any

from strategic.hamilcar import HAMILCAR
from strategic.hamilcar import tables as first_war
from strategic.hannibal import HANNIBAL
from strategic.hannibal import tables as second_war
from strategic.point_to_point.state import Campaign
from tactical.kernel.dice import Dice, random_source
from tactical.kernel.protocol import Offer, System
from tactical.kernel.random_play import QUITTING, fill
from tactical.kernel.record import BadInput, read

WARS = {"hannibal": HANNIBAL, "hamilcar": HAMILCAR}
TABLES = {"hannibal": second_war, "hamilcar": first_war}
SIDES = ("rome", "carthage")
IDLE = QUITTING | {"pass", "done", "halt", "discard", "stand", "accept_battle", "points", "place_pcs", "council"}
IDLE |= {"arrange", "take_command", "charge", "event"}
EAGER = {"campaign": 6, "activate": 3, "campaign_move": 3, "step": 4, "sail": 2, "intercept": 3}
Position = dict[str, Any]


def deal(name: str, rng: random.Random) -> Position:
    """A crowded position of a war, for `System.start`; it is not checked, and may be refused as a contradiction."""
    tables = TABLES[name]
    spaces: dict[str, Position] = {}
    generals: dict[str, Position] = {}
    people = {side: [who for who, leader in tables.LEADERS.items() if leader.side == side] for side in SIDES}
    for names in people.values():
        rng.shuffle(names)
    elephants = 3
    for space in cluster(name, rng):
        side, here = rng.choice(SIDES), tables.ground(space)
        control = rng.choice(SIDES) if here.city else rng.choice((*SIDES, None))
        if here.tribe:
            control = rng.choice((None, "carthage"))
        record: Position = spaces.setdefault(space, {"control": control})
        size = rng.choice((0, 0, 1, 1, 2, 3, 4, 5, 6, 8))
        if size:
            beasts = int(side == "carthage" and elephants > 0 and rng.random() < 0.3)
            elephants -= beasts
            record[side] = troops(name, size - beasts, beasts, rng)
        besieging = size and here.city and control != side
        if here.city and rng.random() < 0.6:
            owner_out = record.get(control, {}).get("units", 0)
            if besieging or not owner_out or rng.random() < 0.3:
                record["inside"] = troops(name, rng.randrange(1, here_room(name, space) + 1), 0, rng, most=2)
        if besieging and rng.random() < 0.6:
            record |= {"siege": rng.choice((1, 2)), "besieger": side}
        for _ in range(rng.choice((0, 1, 1, 2, 3) if size else (0, 0, 0, 1, 2))):
            place_general(tables, people[side], generals, space, False)
        if record.get("inside") and rng.random() < 0.5:
            place_general(tables, people[control], generals, space, True)
    return {"spaces": spaces, "generals": generals, **cards_and_fleets(name, rng)}


def here_room(name: str, space: str) -> int:
    """The CUs that the walls of a city hold."""
    return TABLES[name].room(space)


def troops(name: str, units: int, elephants: int, rng: random.Random, most: int = 3) -> Position:
    """Troops as a position writes them, in Hamilcar with some trains."""
    found: Position = {"units": units, "elephants": elephants}
    return found if name == "hannibal" else {**found, "trains": rng.randrange(most + 1)}


def cluster(name: str, rng: random.Random) -> list[str]:
    """A handful of neighbouring spaces, over roads and sea lanes, about a space by a port."""
    chart, sea = TABLES[name].CHART, getattr(TABLES[name], "ports_beside", lambda space: ())
    found = [rng.choice(list(chart.ports()))]
    wanted = rng.randrange(6, 12)
    while len(found) < wanted:
        here = rng.choice(found)
        near = [*chart.neighbours(here), *sea(here)]
        if not near or rng.random() < 0.2:
            near = list(chart.ports())
        there = rng.choice(near)
        if there not in found:
            found.append(there)
    return found


def place_general(tables: Any, people: list[str], generals: dict[str, Position], space: str, inside: bool) -> None:
    """Put the next general of a side into the space, as a consul, proconsul or general."""
    if not people:
        return
    who = people.pop()
    leader = tables.LEADERS[who]
    if getattr(leader, "keeps_to", None) and tables.ground(space).region != leader.keeps_to:
        return
    rank = "general"
    if leader.side == "rome":
        consuls = sum(record.get("rank") == "consul" for record in generals.values())
        rank = "proconsul" if consuls >= 2 or getattr(leader, "rank", "") == "proconsul" else "consul"
    generals[who] = {"status": "board", "space": space, "inside": inside, "rank": rank}


def cards_and_fleets(name: str, rng: random.Random) -> Position:
    """Hands full of the cards that move most, the turn, and in Hamilcar ships, supremacy, corvus and seamanship."""
    tables = TABLES[name]
    strong = [number for number, card in tables.CARDS.items() if card.campaign or card.ops == 3]
    others = [number for number in tables.CARDS if number not in strong]
    if name == "hamilcar":
        strong = [n for n in strong if not tables.CARDS[n].optional]
        others = [n for n in others if not tables.CARDS[n].optional]
    rng.shuffle(strong)
    rng.shuffle(others)
    active = rng.choice(SIDES)
    found: Position = {
        "turn": rng.randrange(2, 7),
        "active": active,
        "first": active,
        "phase": "strategy",
        "hands": {side: [*strong[n::2][:5], *others[n::2][:3]] for n, side in enumerate(SIDES)},
    }
    if name == "hannibal":
        return found
    ships = {
        side: [
            {"name": f"{side} {number}", "ready": rng.random() < 0.8, "at_sea": False, "built_by": side}
            for number in range(rng.randrange(6))
        ]
        for side in SIDES
    }
    return {
        **found,
        "ships": ships,
        "supremacy": rng.choice(SIDES),
        "corvus": rng.random() < 0.5,
        "seamanship": rng.randrange(4),
        "council": [[1, 1], [2, 2], [2, 3]],
    }


def start(name: str, seed: int, **options: Any) -> tuple[Campaign, random.Random]:
    """The first position dealt from a seed that the system takes, and the generator to play on with."""
    rng = random.Random(f"{name} {seed}")
    source = random_source(rng.randrange)
    while True:
        try:
            return WARS[name].start(None, deal(name, rng), options, Dice(source=source, secret=source)).state, rng
        except BadInput:
            continue


def bold(state: Any, offers: Iterable[Offer], rng: random.Random) -> dict[str, Any]:
    """A command from the offers, mostly one that moves somebody, and mostly to where others stand."""
    offers = [offer for offer in offers if offer.type not in QUITTING]
    active = [offer for offer in offers if offer.type not in IDLE]
    kinds = sorted({offer.type for offer in (active if active and rng.random() < 0.9 else offers)})
    kind = rng.choices(kinds, [EAGER.get(each, 1) for each in kinds])[0]
    command = fill(rng.choice([offer for offer in offers if offer.type == kind]), rng)
    if kind not in ("step", "sail") or rng.random() < 0.3:
        return command
    met = [offer for offer in offers if offer.type == kind and crowd(state, offer)]
    if not met:
        return command
    offer = rng.choice(met)
    return {**fill(offer, rng), "to": rng.choice(crowd(state, offer))}


def crowd(state: Any, offer: Offer) -> list[str]:
    """The goals of a step or voyage where somebody stands."""
    to = offer.fields["to"]
    people = {general.space for general in state.generals.values()}
    ends = [to] if isinstance(to, str) else to
    return [
        end for end in ends if end in people or not all(state.spaces[end].outside(side).is_nothing for side in SIDES)
    ]


Watch = Callable[[Any, Mapping[str, Any], Any], None]


def play(name: str, seed: int, commands: int, watch: Iterable[Watch] = (), **options: Any) -> set[str]:
    """Play a crowded war for so many commands; the kinds of events that came.

    After every command the invariants hold, and each of `watch` is given the position before, the command, the outcome.
    """
    system: System = WARS[name]
    state, rng = start(name, seed, **options)
    source, seen = random_source(rng.randrange), set[str]()
    assert system.invariants(state) == (), (seed, "as dealt")
    for number in range(commands):
        if system.is_over(state):
            break
        seat = rng.choice(system.waiting_for(state))
        command = bold(state, system.offers(state, seat), rng)
        outcome = system.apply(state, seat, read(command, system.command), Dice(source=source, secret=source))
        assert system.invariants(outcome.state) == (), (name, seed, number, command)
        for look in watch:
            look(state, command, outcome)
        seen |= {event.type for event in outcome.events}
        state = outcome.state
    return seen
