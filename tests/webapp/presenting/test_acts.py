"""What an act cost is what the position has lost by it: over random play of every campaign, each entry and each act."""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Iterable
from typing import Any

import pytest

from kit import pw_bold
from kit.books import TURNS_COAT, flat, gained, stock
from kit.lengths import seeds
from strategic import SYSTEMS
from tactical.kernel.random_play import Played, play_at_random
from tactical.kernel.record import decode
from webapp.presenting.acts import Act, Acts
from webapp.systems import presentation

ENOUGH = 700  # commands of each war
WITH_ACTS = (4, 8)  # seeds of wars that are long enough for an act to be told
WINDOW = 400  # events of the journal that a page looks through


def books_of(acts: Acts, system: str, played: Played) -> list[str]:
    """The entries after which a side has not what it had, less what it lost, and what came."""
    states = [stock(system, decode(each, played.system.state)) for each in played.states]
    wrong = []
    for entry, before, after in zip(played.entries[1:], states, states[1:], strict=False):
        if TURNS_COAT & {it.type for it in entry.events}:
            continue
        due = Counter(before)
        due.subtract(flat(acts.lost(it.flat() for it in entry.events)))
        due.update(gained(entry.events))
        due.subtract(after)
        if off := {key: count for key, count in due.items() if count}:
            wrong.append(f"{entry.number} {entry.command}: {off} {[it.type for it in entry.events]}")
    return wrong


def acts_of(acts: Acts, played: Played) -> Iterable[Act]:
    """Each act as the page shows it, after each entry that has something of it."""
    told: list[tuple[int, dict[str, Any]]] = []
    for entry in played.entries:
        told = told[-WINDOW:] + [(entry.number, it.flat()) for it in entry.events]
        act = acts.last(told)
        if act is not None and act.last == entry.number:
            yield act


def unlike_the_positions(acts: Acts, system: str, played: Played, act: Act) -> str:
    """How the cost of an act differs from what the position lost between its first entry and its last; apart from
    what its first entry told before it, and its last after it."""
    first = act.events[0][0]
    entries = [entry for entry in played.entries if first <= entry.number <= act.last]
    before, after = (
        stock(system, decode(played.states[at], played.system.state)) for at in (max(first - 1, 0), act.last)
    )
    said = flat(acts.lost(it for _number, it in act.events))
    flats = [it.flat() for entry in entries for it in entry.events]
    kept = [it for _number, it in act.events]
    begin, end = flats.index(kept[0]), len(flats) - flats[::-1].index(kept[-1])
    apart = flat(acts.lost((*flats[:begin], *flats[end:])))
    due = Counter(before)
    for part in (after, said, apart):
        due.subtract(part)
    due.update(gained(it for entry in entries for it in entry.events))
    off = {key: count for key, count in due.items() if count}
    return f"{act.number} {[it['type'] for it in kept]}: {off}" if off else ""


def played_at_random(system: str, seed: int) -> Played:
    """A war at random; of Punic Wars one whose leaders go for the enemy, or there would be no battles."""
    rules, chance = SYSTEMS[system], random.Random(seed)
    scenarios = [one.id for one in rules.scenarios()]
    scenario = scenarios[seed % len(scenarios)]
    if system == "punic_wars":
        return pw_bold.play(scenario, seed, {}, ENOUGH)
    return play_at_random(rules, scenario, chance, limit=ENOUGH)


@pytest.mark.parametrize("seed", seeds([*WITH_ACTS], 10))
@pytest.mark.parametrize("system", SYSTEMS)
def test_an_act_costs_what_the_position_has_lost_by_it(system: str, seed: int):
    """Of units, elephants, ships or points, by side: in every entry, and from each act's first entry to its last."""
    acts, played = presentation(system).acts, played_at_random(system, seed)
    assert not books_of(acts, system, played)
    found = list(acts_of(acts, played))
    assert not [wrong for act in found if (wrong := unlike_the_positions(acts, system, played, act))]
    assert found or system == "open_campaign" or seed not in WITH_ACTS
