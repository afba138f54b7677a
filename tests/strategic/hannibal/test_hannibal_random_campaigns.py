"""Random campaigns to the end, with invariants and replay; and bolder ones that seek battle."""

import random

import pytest

from kit.lengths import WARS_AT_RANDOM, scaled
from strategic.hannibal import HANNIBAL
from strategic.hannibal.tables import CHART
from tactical.kernel.dice import Dice, random_source
from tactical.kernel.random_play import QUITTING, fill, play_at_random
from tactical.kernel.record import encode, read

OPTIONS = (
    {},
    {"cards_on_table": True},
    {"counter_prompts": "held"},
    {
        "cancelled_withdrawal": "defender_chooses",
        "gallic_allies": "province",
        "isolation_straits": "blocked",
        "card_32_ops": 2,
        "siege_train_survives": False,
    },
)
EAGER = {
    "activate": 10,
    "campaign": 10,
    "halt": 1,
    "arrange": 0.5,
    "take_command": 0.5,
    "discard": 0.5,
    "place_pcs": 0.5,
}
WARLIKE = (
    "besiege",
    "sortie",
    "join",
    "intercept",
    "avoid",
    "pursue",
    "charge",
    "counter",
    "battle_event",
    "counter_attack",
    "cancel",
    "event",
    "attack",
    "match",
    "raise_unit",
    "withdraw",
    "go_back",
)


@pytest.mark.parametrize("seed", [0, 3, *(pytest.param(seed, marks=pytest.mark.soak) for seed in (1, 2))])
def test_random_campaigns_end_without_a_fault(seed):
    played = play_at_random(HANNIBAL, None, random.Random(seed), OPTIONS[seed % 4])
    assert played.faults == [] and played.over


def weight(offer):
    """Bigger armies and bolder acts first."""
    if offer.type in ("step", "sail"):
        return (1 + offer.fields["units"]["to"] + offer.fields["elephants"]) / 4
    return EAGER.get(offer.type, 6 if offer.type in WARLIKE else 2)


def bold(state, offer, dealer):
    """The command; a march goes where the enemy is, and with most of the army."""
    command = fill(offer, dealer)
    if offer.type not in ("step", "sail"):
        return command
    other = "carthage" if HANNIBAL.waiting_for(state)[0] == "rome" else "rome"
    met = [space for space in offer.fields["to"] if state.spaces[space].outside(other).size]
    near = [
        space
        for space in offer.fields["to"]
        if any(state.spaces[n].outside(other).size for n in CHART.neighbours(space))
    ]
    if met or near:
        command["to"] = dealer.choice(met or near)
        command["units"] = offer.fields["units"]["to"]
    return command


def campaign(seed, options):
    """A bold campaign; the kinds of all events. Every command offered must be accepted, every position sound."""
    dealer = random.Random(seed)
    source = random_source(dealer.randrange)
    seen: set[str] = set()
    state = HANNIBAL.start(None, None, options, Dice(source=source, secret=source)).state
    for _ in range(9000):
        if HANNIBAL.is_over(state):
            return seen
        seat = HANNIBAL.waiting_for(state)[0]
        offers = [each for each in HANNIBAL.offers(state, seat) if each.type not in QUITTING]
        offer = dealer.choices(offers, [weight(each) for each in offers])[0]
        before = encode(state)
        command = bold(state, offer, dealer)
        outcome = HANNIBAL.apply(state, seat, read(command, HANNIBAL.command), Dice(source=source, secret=source))
        assert encode(state) == before
        state = outcome.state
        seen |= {happened.type for happened in outcome.events}
        assert HANNIBAL.invariants(state) == (), command
    raise AssertionError("the campaign does not end")


def test_bold_campaigns_fight_besiege_and_intercept_without_a_fault():
    seen = set().union(*(campaign(100 + seed, OPTIONS[seed % 4]) for seed in range(6)))
    assert {"battle", "siege_roll", "interception", "avoided", "naval_roll", "retreated", "displaced"} <= seen


@pytest.mark.soak
def test_many_random_campaigns():
    for seed in range(scaled(WARS_AT_RANDOM["hannibal"])):
        played = play_at_random(HANNIBAL, None, random.Random(1000 + seed), OPTIONS[seed % 4])
        assert played.faults == [] and played.over, seed
    for seed in range(scaled(WARS_AT_RANDOM["hannibal"])):
        campaign(2000 + seed, OPTIONS[seed % 4])
