"""4.1 Every combination of the choices of every offer is accepted; nothing that is offered is refused."""

from __future__ import annotations

import random
from itertools import product

import pytest
from pw_bold import wish

from strategic.punic_wars import PUNIC_WARS
from tactical.kernel.dice import Dice, random_source
from tactical.kernel.play import Illegal
from tactical.kernel.record import read


def combinations(offer):
    """All commands that an offer stands for; of a long range only its ends and its middle."""
    names, choices = list(offer.fields), []
    for value in offer.fields.values():
        if isinstance(value, dict):
            low, high = value["from"], value["to"]
            choices.append(sorted({low, (low + high) // 2, high}))
        else:
            choices.append(value if isinstance(value, list) else [value])
    for chosen in product(*choices):
        yield {"type": offer.type, **dict(zip(names, chosen, strict=True))}


def refused(state, seat):
    """Offered commands that `apply` refuses."""
    found = []
    for offer in PUNIC_WARS.offers(state, seat):
        for command in combinations(offer):
            source = random_source(random.Random(1).randrange)
            try:
                PUNIC_WARS.apply(state, seat, read(command, PUNIC_WARS.command), Dice(source=source, secret=source))
            except Illegal as illegal:
                found.append((command, str(illegal)))
    return found


@pytest.mark.parametrize("scenario, seed", [("1", 3), ("2", 5), ("3", 4)])
def test_4_1_every_combination_of_an_offer_is_accepted(scenario, seed):
    rng = random.Random(seed)
    source = random_source(rng.randrange)
    state = PUNIC_WARS.start(scenario, None, {"turn_limit": 9}, Dice(source=source, secret=source)).state
    for number in range(120):
        if state.result is not None:
            break
        for seat in PUNIC_WARS.waiting_for(state):
            if number % 8 == 0 or state.pending is not None:
                assert refused(state, seat) == []
        seat = rng.choice(PUNIC_WARS.waiting_for(state))
        command = wish(state, seat, PUNIC_WARS.offers(state, seat), rng)
        dice = Dice(source=source, secret=source)
        state = PUNIC_WARS.apply(state, seat, read(command, PUNIC_WARS.command), dice).state
