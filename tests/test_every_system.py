"""The contract that every system keeps, held once over all systems and scenarios."""

from __future__ import annotations

import json
import random
from collections.abc import Iterator
from typing import Any

import pytest
from flask import Flask
from hypothesis import HealthCheck, settings
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, invariant, rule, run_state_machine_as_test
from msgspec.structs import fields

from firsts.finding import firsts
from goldens.playing import WAYS, Way, document, kept, path_of, played, scenarios, states
from goldens.telling import in_english, path_told, way_told
from kernel.morra import MORRA
from kit.commands_of import (
    after,
    expanded,
    is_read,
    legal_but_not_offered,
    near,
    ones,
    perft,
    picked,
    pools_of,
    refusal,
    size,
)
from kit.facts_of import facts_of
from kit.twins import far_twin, hidden_from, twins
from tactical.kernel.dice import Dice, random_source
from tactical.kernel.journal import Entry, command_seen_by
from tactical.kernel.protocol import SPECTATOR, UMPIRE, System
from tactical.kernel.random_play import QUITTING, complaints
from tactical.kernel.record import encode, plain, read
from webapp import create_app
from webapp.storage.journal.store import all_systems

EVERY = 9  # how many commands of a golden lie between the positions that are looked at; in the soak a third
BOLD = 3  # as many times further apart are those that are looked at of a golden of captains
MOST = 6  # commands tried of one offer
NEAR = 120  # near misses tried in one position
CHANGED = {
    "hannibal": 0.9,
    "hamilcar": 0.9,
    "punic_wars": 0.2,
    "open_campaign": 0.6,
}  # the least share of what is hidden
GREAT_WARS = ("rhodes_and_antiochus", "sicily")  # of hundreds of ships, each a page of secrets
NAMES = list(all_systems())
HOW_OFTEN = pytest.mark.parametrize("every", [EVERY, pytest.param(EVERY // 3, marks=pytest.mark.soak)])


def positions(system: str, scenario: str, every: int = EVERY) -> Iterator[Any]:
    """Positions at some depth of the scenario's golden games: by chance, and by captains, who seek battle and besiege.

    With a system's first scenario also its first positions.
    """
    yield from states(system, kept(system, scenario), every)
    yield from states(system, kept(system, scenario, "by_captains"), BOLD * every)
    if scenario == all_systems()[system].scenarios()[0].id:
        yield from firsts(system)


def given(rules: System, state: Any) -> Iterator[tuple[str, Any]]:
    """Who is waited for, with each of his offers."""
    for seat in rules.waiting_for(state):
        for offer in rules.offers(state, seat):
            yield seat, offer


# 1. Offered and legal -------------------------------------------------------------------------------------


@HOW_OFTEN
@pytest.mark.parametrize(("system", "scenario"), scenarios())
def test_whatever_is_offered_is_legal_and_why_not_says_so(system: str, scenario: str, every: int) -> None:
    rules, throw = all_systems()[system], random.Random(3)
    for state in positions(system, scenario, every):
        before = encode(state)
        for seat, offer in given(rules, state):
            for command in picked(offer, MOST, throw):
                assert refusal(rules, state, seat, command) is None, (seat, command)
                assert rules.why_not(state, seat, read(command, rules.command)) is None, (seat, command)
        assert encode(state) == before


@HOW_OFTEN
@pytest.mark.parametrize(("system", "scenario"), scenarios())
def test_whatever_is_legal_is_offered(system: str, scenario: str, every: int) -> None:
    rules, throw = all_systems()[system], random.Random(5)
    facts, missing = facts_of(system), dict[str, Any]()
    for state in positions(system, scenario, every):
        for seat in rules.waiting_for(state):
            missing |= legal_but_not_offered(
                rules, state, seat, throw, NEAR, facts.one_by_one, facts.free | missing.keys()
            )
    assert not missing, missing


@pytest.mark.parametrize(("system", "scenario"), scenarios())
def test_a_refusal_leaves_the_bytes_equal_and_why_not_says_the_same(system: str, scenario: str) -> None:
    rules, throw = all_systems()[system], random.Random(7)
    for state in positions(system, scenario, EVERY * 2):
        before = encode(state)
        offers = [offer for _, offer in given(rules, state)]
        pools = pools_of(offers)
        for _ in range(NEAR // 2 if offers else 0):
            command = near(picked(throw.choice(offers), 1, throw)[0], pools, throw)
            seat = throw.choice((*rules.sides(state), UMPIRE, SPECTATOR))
            if command is None or not is_read(rules, command):
                continue
            wrong = refusal(rules, state, seat, command)
            if wrong is not None:
                assert encode(state) == before
            said = rules.why_not(state, seat, read(command, rules.command))
            assert (type(said), str(said)) == (type(wrong), str(wrong)), (seat, command)


@pytest.mark.parametrize(("system", "scenario"), scenarios())
def test_all_commands_to_depth_two_from_the_opening_are_carried_out(system: str, scenario: str) -> None:
    """All of the first, and of the second as many as a moment allows: every third of few, by chance of many."""
    rules, throw = all_systems()[system], random.Random(9)
    state = rules.start(scenario, None, {}, ones()).state
    first = [(seat, command) for seat, offer in given(rules, state) for command in picked(offer, 40, throw)]
    for seat, command in throw.sample(first, min(len(first), 120)):
        then = after(rules, state, seat, command).state
        second = [(who, offer) for who, offer in given(rules, then)]
        for who, offer in throw.sample(second, min(len(second), 12)):
            for each in picked(offer, 2, throw):
                after(rules, then, who, each)


# 2. Secrets -----------------------------------------------------------------------------------------------


@HOW_OFTEN
@pytest.mark.parametrize(("system", "scenario"), scenarios())
def test_two_positions_that_differ_in_a_secret_are_one_to_who_may_not_see_it(
    system: str, scenario: str, every: int
) -> None:
    rules = all_systems()[system]
    looked = 0
    for state in positions(system, scenario, every):
        for seat, one, other in twins(system, state):
            looked += encode(one) != encode(other)
            for who in (seat, SPECTATOR):
                assert encode(rules.view(one, who)) == encode(rules.view(other, who)), who
            assert encode(rules.offers(one, seat)) == encode(rules.offers(other, seat))
            assert rules.waiting_for(one) == rules.waiting_for(other)
    assert looked or system == "galley" or not rules.hidden, "no position with a secret was looked at"


@pytest.mark.parametrize("every", [70, pytest.param(25, marks=pytest.mark.soak)])
@pytest.mark.parametrize(
    ("system", "scenario"),
    [pytest.param(*each, marks=pytest.mark.soak if each[1] in GREAT_WARS else ()) for each in scenarios()],
)
def test_nothing_hangs_on_all_that_a_side_does_not_see(system: str, scenario: str, every: int) -> None:
    """Every hidden field changed at once: the whole view, what is reckoned for it too, offers, refusals, who must act."""
    rules, throw = all_systems()[system], random.Random(5)
    later = list(states(system, kept(system, scenario), every))[1:]
    for state in later if system != "open_campaign" else later[-1:]:
        seat = throw.choice(tuple(rules.sides(state)))
        twin, changed = far_twin(rules, state, seat, throw)
        assert len(changed) >= len(hidden_from(rules, state, seat)) * CHANGED.get(system, 0)
        for who in (seat, SPECTATOR):
            one, other = plain(rules.view(state, who)), plain(rules.view(twin, who))
            assert not [name for name in one if encode(one[name]) != encode(other[name])], who
        assert encode(rules.offers(state, seat)) == encode(rules.offers(twin, seat))
        assert rules.waiting_for(state) == rules.waiting_for(twin)
        offers = rules.offers(state, seat)
        pools = pools_of(offers)
        for offer in throw.sample(offers, min(len(offers), 20)):
            command = near(picked(offer, 1, throw)[0], pools, throw)
            if command is not None and is_read(rules, command):
                said = read(command, rules.command)
                assert str(rules.why_not(state, seat, said)) == str(rules.why_not(twin, seat, said)), command


def told_apart(
    rules: System, state: Any, throw: random.Random
) -> Iterator[tuple[str, dict[str, Any], dict[str, Any], bool]]:
    """Two commands of one offer after which somebody's view is the same: who, both, and may he tell them apart after all?

    Their events and their entries in the journal must be the same to him, too.
    """
    for seat in rules.waiting_for(state):
        offers = list(rules.offers(state, seat))
        for offer in throw.sample(offers, min(4, len(offers))):
            said = picked(offer, 3, throw)[:2]
            come = [after(rules, state, seat, command) for command in said]
            if len(said) < 2 or encode(come[0].state) == encode(come[1].state):
                continue
            for who in (*rules.sides(state), SPECTATOR):
                if who != seat and encode(rules.view(come[0].state, who)) == encode(rules.view(come[1].state, who)):
                    one, other = (
                        (
                            command_seen_by(Entry(1, 0, seat, "", command, events=outcome.events), who),
                            [happened.flat() for happened in outcome.events if happened.seen_by(who)],
                        )
                        for command, outcome in zip(said, come, strict=True)
                    )
                    yield who, said[0], said[1], one != other


@pytest.mark.parametrize(("system", "scenario"), scenarios())
def test_what_a_view_cannot_tell_apart_the_journal_does_not_either(system: str, scenario: str) -> None:
    rules, throw = all_systems()[system], random.Random(3)
    for state in (
        *states(system, kept(system, scenario), 40),
        *states(system, kept(system, scenario, "by_captains"), 40),
    ):
        for who, one, other, is_told in told_apart(rules, state, throw):
            assert not is_told, (who, one, other)


def test_in_the_smallest_system_it_is_asked() -> None:
    state = MORRA.start("match", None, {}, ones()).state
    found = list(told_apart(MORRA, state, random.Random(3)))
    assert found and not any(is_told for *_, is_told in found)


# 3. There and back ----------------------------------------------------------------------------------------


@pytest.mark.parametrize(("system", "scenario"), scenarios())
def test_a_position_written_out_and_posted_back_is_the_same(system: str, scenario: str) -> None:
    rules = all_systems()[system]
    for state in positions(system, scenario):
        whole = plain(rules.view(state, UMPIRE))
        whole = {name: value for name, value in whole.items() if name in rules.state.__struct_fields__}
        again = rules.start(None, whole, {}, Dice(secret=lambda sides: 1)).state
        assert encode(again) == encode(state)
        assert encode(rules.offers(again, UMPIRE)) == encode(rules.offers(state, UMPIRE))
        rules.check(state)
        assert not rules.invariants(state)


# 4. Golden playthroughs -----------------------------------------------------------------------------------


@pytest.fixture(scope="module")
def app(tmp_path_factory: pytest.TempPathFactory) -> Flask:
    """The program, whose sentences tell a golden."""
    return create_app({"DATABASE": str(tmp_path_factory.mktemp("told") / "games.db")})


@pytest.mark.parametrize("way", WAYS)
@pytest.mark.parametrize(("system", "scenario"), scenarios())
def test_a_golden_playthrough_is_played_again_to_the_byte(app: Flask, system: str, scenario: str, way: Way) -> None:
    script = kept(system, scenario, way)
    assert script, "make goldens"
    entries = list(played(system, scenario, script, 0, way=way))
    plainly = json.loads(json.dumps(entries))
    if way == way_told(system):
        text = in_english(app, system, scenario, plainly)
        assert text == path_told(system, scenario).read_text(), "another sentence: judge it, then `make goldens`"
    for now, golden in zip(plainly, script, strict=True):
        assert now == golden, "judge it by the rules, then `make goldens` and read the diff"
    assert document(entries) == path_of(system, scenario, way).read_text()


# 5. Perft -------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(("system", "scenario"), scenarios())
def test_so_many_sequences_of_commands_are_there(system: str, scenario: str) -> None:
    rules = all_systems()[system]
    state = rules.start(scenario, None, {}, ones()).state
    depths = facts_of(system).perft[scenario]
    assert tuple(perft(rules, state, depth) for depth in range(1, len(depths) + 1)) == depths


def test_an_offer_stands_for_as_many_commands_as_are_counted() -> None:
    rules = all_systems()["galley"]
    state = rules.start("mylae", None, {}, ones()).state
    for _, offer in given(rules, state):
        assert len(list(expanded(offer))) == size(offer)


# 6. Any commands in any order, and back again -------------------------------------------------------------


class Game(RuleBasedStateMachine):
    """Commands on offer by whoever is waited for, and undo: a position is the same whenever one comes back to it."""

    system = ""

    def __init__(self) -> None:
        super().__init__()
        self.rules = all_systems()[self.system]
        self.throw = random.Random(1)
        begun = self.rules.start(self.rules.scenarios()[0].id, None, {}, self.dice()).state
        self.past: list[tuple[Any, bytes]] = [(begun, encode(begun))]

    def dice(self) -> Dice:
        source = random_source(self.throw.randrange)
        return Dice(source=source, secret=source)

    @rule(seat=st.integers(0, 9), which=st.integers(0, 9999), seed=st.integers(0, 9999))
    def command(self, seat: int, which: int, seed: int) -> None:
        """Some command on offer, with some dice."""
        state = self.past[-1][0]
        waiting = self.rules.waiting_for(state)
        if not waiting:
            assert self.rules.is_over(state)
            return
        who = waiting[seat % len(waiting)]
        offers = [offer for offer in self.rules.offers(state, who) if offer.type not in QUITTING]
        assert offers
        self.throw = random.Random(seed)
        command = picked(offers[which % len(offers)], 1, self.throw)[0]
        after = self.rules.apply(state, who, read(command, self.rules.command), self.dice()).state
        self.past.append((after, encode(after)))

    @rule(steps=st.integers(1, 3))
    def undo(self, steps: int) -> None:
        """Back by so many commands."""
        del self.past[max(1, len(self.past) - steps) :]

    @invariant()
    def stands(self) -> None:
        """What is on the table is as it was, reads back, and contradicts nothing."""
        state, written = self.past[-1]
        assert encode(state) == written
        assert not complaints(self.rules, state)


@pytest.mark.parametrize("system", NAMES)
def test_commands_and_undo_in_any_order(system: str) -> None:
    machine = type(f"GameOf{system}", (Game,), {"system": system})
    slow = [HealthCheck.too_slow, HealthCheck.data_too_large]
    run_state_machine_as_test(
        machine, settings=settings(max_examples=8, stateful_step_count=20, deadline=None, suppress_health_check=slow)
    )


@pytest.mark.parametrize("system", NAMES)
def test_an_option_has_one_default_in_the_table_and_in_the_record(system: str) -> None:
    """What the forms and the API say is the default is what a game without a choice is played with."""
    rules = all_systems()[system]
    record = next(field.type for field in fields(rules.state) if field.name == "options")()
    said = {option.name: option.default for option in rules.options if option.default is not None}
    assert {name: getattr(record, name) for name in said} == said
