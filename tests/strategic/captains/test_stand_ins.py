"""Stand-ins of the campaigns: a legal answer to every prompt, from the seat's view alone, and a whole war played."""

from __future__ import annotations

import random

import pytest

import strategic
from kit.facts_of import facts_of
from strategic.captains import choose
from strategic.captains.stand_in import card_points, goal, preferences_of, province_gain, standing
from tactical.captains import LEVELS, Orders
from tactical.captains.reasons import KINDS
from tactical.kernel.dice import Dice, random_source
from tactical.kernel.protocol import Offer
from tactical.kernel.random_play import QUITTING, fill
from tactical.kernel.record import plain, read
from tools.wars import war

SYSTEMS = strategic.SYSTEMS


def begun(system, seed):
    generator = random.Random(seed)
    source = random_source(generator.randrange)
    scenario = system.scenarios()[0].id
    return system.start(scenario, None, {}, Dice(source=source, secret=source)).state, generator, source


@pytest.mark.parametrize("name", sorted(SYSTEMS))
def test_every_prompt_met_in_random_play_has_a_legal_answer_with_a_reason(name):
    system = SYSTEMS[name]
    state, generator, source = begun(system, 11)
    asked = set()
    for number in range(facts_of(name).commands):
        if system.is_over(state):
            break
        seat = generator.choice(system.waiting_for(state))
        offers = system.offers(state, seat)
        level = LEVELS[number % 3]
        choice = choose(name, system.view(state, seat), seat, offers, Orders(level))
        dice = Dice(source=source, secret=source)
        system.apply(state, seat, read(choice.command, system.command), dice)
        assert choice.reasons and {each.kind for each in choice.reasons} <= KINDS
        asked.add(choice.command["type"])
        usual = [offer for offer in offers if offer.type not in QUITTING] or list(offers)
        command = read(fill(generator.choice(usual), generator), system.command)
        state = system.apply(state, seat, command, Dice(source=source, secret=source)).state
    assert len(asked) >= 2


@pytest.mark.parametrize("name", ["hannibal", "hamilcar"])
def test_two_stand_ins_play_a_war_to_its_end(name):
    system = SYSTEMS[name]
    state, generator, source = begun(system, 5)
    for _ in range(4000):
        if system.is_over(state):
            break
        seat = generator.choice(system.waiting_for(state))
        choice = choose(name, system.view(state, seat), seat, system.offers(state, seat))
        state = system.apply(
            state, seat, read(choice.command, system.command), Dice(source=source, secret=source)
        ).state
    assert state.result is not None


@pytest.mark.parametrize("name", ["hannibal", "hamilcar"])
@pytest.mark.parametrize("side", ["rome", "carthage"])
def test_a_general_beats_random_play(name, side):
    assert war(name, side, 1)


def test_victory_1_a_marker_that_makes_a_majority_is_worth_most():
    state, _, _ = begun(SYSTEMS["hannibal"], 1)
    view = plain(state)
    for space in view["spaces"].values():
        space["control"] = None
    first = province_gain("hannibal", view, "rome", "western_ligurians")
    assert standing("hannibal", view, "rome", "western_ligurians").mine == 0
    scoring = max(view["spaces"], key=lambda space: province_gain("hannibal", view, "rome", space))
    assert province_gain("hannibal", view, "rome", scoring) > first
    assert card_points("hannibal", 33) == 3 and card_points("hannibal", "frontal_assault") == 0


def test_nothing_is_given_up_while_anything_else_is_offered():
    offers = (Offer("resign", "1", {"side": "rome"}), Offer("pass", "2"))
    assert choose("hannibal", {}, "rome", offers).command == {"type": "pass"}
    assert choose("hannibal", {}, "rome", offers[:1]).command["type"] == "resign"
    assert preferences_of("nowhere").first == ()


def test_a_general_marches_to_the_marker_that_breaks_a_majority_and_not_past_a_stronger_army():
    state, _, _ = begun(SYSTEMS["hamilcar"], 1)
    view = plain(state)
    view["spaces"]["panormus"]["carthage"]["units"] = 8
    found = goal("hamilcar", view, "carthage", "panormus", 8)
    assert found is not None and view["spaces"][found.space]["control"] != "carthage"
    for space in view["spaces"].values():
        if space["control"] != "carthage":
            space["rome"]["units"] = 9
    assert goal("hamilcar", view, "carthage", "panormus", 8) is None


def test_a_march_that_is_begun_goes_on_to_its_goal_and_ends_there():
    system = SYSTEMS["hamilcar"]
    state, generator, source = begun(system, 2)
    reached = 0
    for _ in range(400):
        if system.is_over(state):
            break
        seat = generator.choice(system.waiting_for(state))
        choice = choose("hamilcar", system.view(state, seat), seat, system.offers(state, seat))
        kind = choice.reasons[0].kind
        if kind in ("aim_siege", "aim_march_ends"):
            general = state.generals[choice.reasons[0].data["general"]]
            reached += kind == "aim_siege" and general.space == choice.reasons[0].data["space"]
        state = system.apply(
            state, seat, read(choice.command, system.command), Dice(source=source, secret=source)
        ).state
    assert reached
