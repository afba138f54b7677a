"""The first positions: of every prompt, of every command on offer under it, and of every declared secret, by system.

Golden games and random ones meet the common ones; the tests of the rules lead to the others. `python
tests/firsts/finding.py [SYSTEM …]` finds them anew: do so when a prompt, a command or a secret is new. A position is
kept as the umpire types it, without what has its default, so that a new field changes none of them.
"""

from __future__ import annotations

import gzip
import json
import random
import sys
from collections.abc import Iterator
from functools import cache
from pathlib import Path
from typing import Any

sys.path.insert(0, str(Path(__file__).parents[1]))
sys.path.insert(0, str(Path(__file__).parents[2]))

import pytest

from goldens.playing import WAYS, kept, lean, scenarios, states
from tactical.kernel.dice import Dice, random_source
from tactical.kernel.protocol import EVERY, SPECTATOR, UMPIRE, Secret, System, seen_by
from tactical.kernel.random_play import QUITTING, complaints, complaints_of_posting, fill
from tactical.kernel.record import decode, encode, plain, read
from webapp.storage.journal.store import all_systems

HERE = Path(__file__).parent
TESTS = HERE.parent
Feature = tuple[str, ...]
AT_SEA = {
    "hannibal": {"sea_battles": "both", "battles_at_sea": True},
    "hamilcar": {"sea_battles": "both", "elected_consuls": 1},
    "punic_wars": {"sea_battles": "both"},
    "sword_of_rome": {"sea_battles": "both", "battles_at_sea": True},
}
GAMES, LENGTH = 4, 400  # random games of each scenario, and their commands
PLACES = {"galley": ("tactical", "strategic/linking")}


def features_of(rules: System, state: Any) -> set[Feature]:
    """What is met in a position: open prompts, the commands on offer under them, and secrets with something in them."""
    asked = prompts_in(state)
    found: set[Feature] = {("prompt", kind) for kind in asked}
    for seat in (*rules.waiting_for(state), *rules.sides(state), UMPIRE):
        found |= {("command", *asked, offer.type) for offer in rules.offers(state, seat)}
    raw = plain(state)
    return found | {("secret", secret.path) for secret in rules.hidden if is_met(rules, state, raw, secret)}


def prompts_in(state: Any) -> tuple[str, ...]:
    """The kinds of the open prompts, else the box of the sequence that waits."""
    asked = getattr(state, "agenda", ())[-1:] or getattr(state, "pending", ()) or ()
    asked = asked if isinstance(asked, tuple) else (asked,)
    return tuple(sorted({prompt.kind for prompt in asked})) or (
        getattr(state, "step", None) or getattr(state, "phase", ""),
    )


def is_met(rules: System, state: Any, raw: Any, secret: Secret[Any]) -> bool:
    """Is there something in the secret that a seat may not see?"""
    every = {*rules.sides(state), SPECTATOR}
    return any(
        not every <= set(seen_by(state, path, rules.hidden) or ()) and value
        for path, value in held(raw, secret)
        if seen_by(state, path, rules.hidden) is not None
    )


def held(raw: Any, secret: Secret[Any]) -> Iterator[tuple[str, Any]]:
    """The paths of a secret in a position, and what stands there."""
    found: list[tuple[tuple[str, ...], Any]] = [((), raw)]
    for name in secret.path.split("."):
        found = [((*way, key), value) for way, at in found for key, value in inside(at) if name in (EVERY, key)]
    return ((".".join(way), value) for way, value in found)


def inside(value: Any) -> Iterator[tuple[str, Any]]:
    """The parts of an object or a list, by name or place."""
    if isinstance(value, dict):
        yield from value.items()
    elif isinstance(value, list | tuple):
        yield from ((str(place), each) for place, each in enumerate(value))


def path_of(system: str) -> Path:
    """The positions of a system."""
    return HERE / f"{system}.json.gz"


@cache
def firsts(system: str) -> tuple[Any, ...]:
    """The positions that are kept of a system; none where nobody has looked for them."""
    path = path_of(system)
    rows = json.loads(gzip.decompress(path.read_bytes())) if path.exists() else []
    return tuple(decode(encode(row), all_systems()[system].state) for row in rows)


def wanted(rules: System) -> set[Feature]:
    """The prompts, commands and secrets that a system declares."""
    commands = {each.__struct_config__.tag for each in rules.command.__args__}
    return (
        {("prompt", kind) for kind in rules.prompts}
        | {("command", kind) for kind in commands}
        | {("secret", secret.path) for secret in rules.hidden}
    )


def met(rules: System, found: list[Any] | tuple[Any, ...]) -> set[Feature]:
    """What of that these positions meet."""
    every = {each for state in found for each in features_of(rules, state)}
    return {("command", each[-1]) if each[0] == "command" else each for each in every}


# Finding them -------------------------------------------------------------------------------------------


def in_goldens(name: str) -> Iterator[Any]:
    """Every position of the golden games."""
    for system, scenario in scenarios():
        if system == name:
            for way in WAYS:
                yield from states(name, kept(name, scenario, way), 1 if name != "galley" else 5)


def at_random(rules: System) -> Iterator[Any]:
    """Positions of random games in which fleets that meet stop."""
    for scenario in rules.scenarios():
        for seed in range(GAMES):
            throw = random.Random(seed)
            source = random_source(throw.randrange)
            options = AT_SEA.get(rules.name, {}) if seed % 2 else {}
            state = rules.start(scenario.id, None, options, Dice(source=source, secret=source)).state
            for _ in range(LENGTH):
                yield state
                if rules.is_over(state):
                    break
                seat = throw.choice(rules.waiting_for(state))
                offers = [each for each in rules.offers(state, seat) if each.type not in QUITTING | rules.by_hand]
                kinds = sorted({each.type for each in offers})
                kind = throw.choice(kinds)
                command = fill(throw.choice([each for each in offers if each.type == kind]), throw)
                dice = Dice(source=source, secret=source)
                state = rules.apply(state, seat, read(command, rules.command), dice).state


def in_tests(rules: System) -> list[Any]:
    """Every position that the tests of the rules come to."""
    seen: list[Any] = []
    apply = rules.apply

    def watched(state: Any, *given: Any, **named: Any) -> Any:
        seen.append(state)
        outcome = apply(state, *given, **named)
        seen.append(outcome.state)
        return outcome

    object.__setattr__(rules, "apply", watched)
    try:
        folders = PLACES.get(rules.name, (f"strategic/{rules.name}",))
        quick = ["-k", "not random and not soak", "-p", "no:cacheprovider", "-q", "--no-header"]
        pytest.main([*quick, *(str(TESTS / folder) for folder in folders)])
    finally:
        object.__setattr__(rules, "apply", apply)
    return seen


def find(rules: System) -> list[Any]:
    """Positions in which each feature is met at least once, none of them complained of."""
    found: list[Any] = []
    known: set[Feature] = set()
    for source in (in_goldens(rules.name), at_random(rules), in_tests(rules)):
        for state in source:
            if rules.is_over(state):
                continue
            try:
                new = features_of(rules, state) - known
            except (LookupError, TypeError, ValueError, AttributeError):  # a test's half-made position
                continue
            if new and not wrong_with(rules, state):
                known |= new
                found.append(state)
    return fewest(rules, found)


def wrong_with(rules: System, state: Any) -> list[str]:
    """Complaints of a position. That the umpire waits for the dice that lie on the table (L2.5.a) is none."""
    return complaints(rules, state) + [
        each for each in complaints_of_posting(rules, state) if "must first keep the dice" not in each
    ]


def fewest(rules: System, found: list[Any]) -> list[Any]:
    """The positions without those whose features the others have."""
    features = [features_of(rules, state) for state in found]
    left = list(range(len(found)))
    for place in range(len(found)):
        others: set[Feature] = set().union(*(features[other] for other in left if other != place))
        if features[place] <= others:
            left.remove(place)
    return [found[place] for place in left]


def main(*names: str) -> None:
    """Find and keep the positions of these systems, or of all; what is declared and never met is printed."""
    for name in names or all_systems():
        rules = all_systems()[name]
        found = find(rules)
        rows = [lean(state) for state in found]
        path_of(name).write_bytes(gzip.compress(json.dumps(rows).encode(), mtime=0))
        print(name, len(found), path_of(name).stat().st_size, "never met:", sorted(wanted(rules) - met(rules, found)))


if __name__ == "__main__":
    main(*sys.argv[1:])
