"""9 to 16 What is legal is offered: commands thought up at random are either refused or among the offers."""

from __future__ import annotations

import random

from test_sor_random_play import crowded

from kit.legions import from_position
from kit.offered import covered
from strategic.sword_of_rome import SWORD_OF_ROME
from strategic.sword_of_rome.rules.survey import powers_of
from strategic.sword_of_rome.tables import LEADERS, POWERS, SEATS, SPACES, ways
from tactical.kernel.dice import Dice, random_source
from tactical.kernel.protocol import Illegal, NotYours
from tactical.kernel.random_play import play_at_random
from tactical.kernel.record import BadInput, decode, read

COMMANDS = (
    "activate",
    "step",
    "sail",
    "drop",
    "pick_up",
    "declare",
    "declare",
    "declare",
    "declare",
    "permit",
    "decline",
    "fight",
    "retreat",
    "avoid_to",
    "contest",
    "pass",
    "take_card",
    "discard",
    "lend_ships",
    "storms_at_sea",
    "confirm_flank",
    "take_command",
    "caudine_forks",
    "halt",
    "end_action",
    "resign",
    "pursue",
    "roll_battle",
    "sea_roll",
)


def some(rng, people):
    """Some of these people, in their order, at most two of them."""
    return [name for name in people if rng.random() < 0.3][:2]


def thought_up(rng, state, seat):
    """A command with fields that lead somewhere as a rule."""
    kind = rng.choice(COMMANDS) if not state.asks("declare") or rng.random() < 0.3 else "declare"
    near = [way.other(state.move.at) for way in ways(state.move.at)] if state.move else []
    mine = [*powers_of(state, seat)] or [*POWERS]
    held = [space for space, here in state.forces.items() if any(power in here for power in mine)]
    space = rng.choice([*near * 3, *[each for each in near if each in held] * 9, *held, *SPACES])
    power = rng.choice([power for power in mine if power in state.forces.get(space, {})] * 6 + mine + [*POWERS])
    force = state.force(space, power)
    people = [*force.people] or list(LEADERS)[:3]
    leader, units = rng.choice(people), rng.randrange(0, 12)
    card = rng.randrange(1, 4)
    fields = {
        "activate": {"card": card, "leader": leader, "units": units, "companions": some(rng, people), "flank": False},
        "step": {"to": space},
        "sail": {"to": space},
        "avoid_to": {"to": space},
        "permit": {"allow": rng.random() < 0.5},
        "contest": {"card": card},
        "lend_ships": {"card": card},
        "storms_at_sea": {"side": seat, "card": card},
        "confirm_flank": {"side": seat, "allow": True},
        "take_command": {"leader": leader},
        "caudine_forks": {"card": card, "space": space, "leader": leader, "units": units},
        "retreat": {"to": rng.choice([space, None]), "inside": rng.randrange(3)},
        "take_card": {"side": seat, "card": card},
        "discard": {"side": seat, "card": card},
        "resign": {"side": seat},
    }.get(kind, {})
    if kind in ("drop", "pick_up"):
        there = state.move.companions if state.move and kind == "drop" else force.leaders
        fields = {"units": units, "companions": some(rng, there)}
    if kind == "declare":
        fields = declared(rng, state, seat, space, power, force, units, card)
    return {"type": kind, **fields}


def declared(rng, state, seat, space, power, force, units, card):
    """One army that tries, or one that avoids, field by field."""
    fields = {"side": seat, "power": power, "units": units}
    people = list(force.leaders)
    rng.shuffle(people)
    if state.move and space != state.move.at and people:
        company = [name for name in force.leaders if name != people[0] and rng.random() < 0.4]
        return {**fields, "space": space, "leader": people[0], "companions": company}
    if not state.move:
        return {"side": seat}
    there = [each for each in state.forces.get(state.move.at, {}) if each in powers_of(state, seat)]
    power = rng.choice(there or [power])
    present = list(state.force(state.move.at, power).leaders)
    first = rng.choice([*present, None])
    rest = [name for name in present if name != first and rng.random() < 0.4]
    behind = [name for name in present if name != first and name not in rest and rng.random() < 0.4]
    leaders = [first, *rest] if first else []
    by_sea = (
        {"port": rng.choice([each for each in SPACES if SPACES[each].port]), "card": card} if units % 4 == 0 else {}
    )
    return {
        **fields,
        "power": power,
        "leaders": leaders,
        "inside_leaders": behind,
        "inside": rng.randrange(4),
        **by_sea,
    }


def accepted(state, seat, command):
    """Does `apply` carry it out, and does it change anything?"""
    source = random_source(random.Random(1).randrange)
    try:
        dice = Dice(source=source, secret=source)
        return SWORD_OF_ROME.apply(state, seat, read(command, SWORD_OF_ROME.command), dice).state != state
    except (Illegal, NotYours, BadInput):
        return False


def says_nothing(command):
    """An army named field by field of which nobody does anything: the same answer as without it."""
    return (
        command["type"] == "declare"
        and not (command.get("units") or command.get("inside"))
        and not (command.get("inside_leaders"))
    )


def states(seed):
    """Positions of a game in a crowded Italy: every declaration, and some of the others."""
    raw = crowded(seed + 90)

    system = from_position(raw)
    played = play_at_random(system, None, random.Random(seed), {}, limit=200)
    for number, written in enumerate(played.states):
        if number % 20 == 0 or b'"kind":"declare"' in written:
            yield decode(written, SWORD_OF_ROME.state)


def test_10_3_what_is_accepted_is_offered():
    """9, 10.3.c, 11.1: every part of an army too; texts, and marches that an event's text allows, are for forms."""
    rng, found = random.Random(1), set()
    for state in (state for seed in range(6) for state in states(seed)):
        for seat in SEATS:
            offers = SWORD_OF_ROME.offers(state, seat)
            for _ in range(60):
                command = thought_up(rng, state, seat)
                if accepted(state, seat, command) and not says_nothing(command):
                    found.add((command["type"], bool(command.get("space")), bool(command.get("leaders"))))
                    assert covered(SWORD_OF_ROME, offers, command), (command, seat, state.pending)
    assert {kind for kind, _, _ in found} >= {"take_card", "step", "declare"}
    assert {("declare", True, False), ("declare", False, True)} <= found  # a part that tries, a part that slips away
