"""Two whole turns of each system by touch alone, at the three sizes: no list opened, nothing unfolded, no text written.

Five powers have some forty cards in a turn: there the first turn has two cards for each, the second ends after two rounds.
"""

from __future__ import annotations

import pytest

from kit.by_map import ByMap
from kit.walking import Walk
from strategic import SYSTEMS
from tactical.kernel.protocol import UMPIRE
from tactical.kernel.record import plain

pytestmark = [pytest.mark.browser, pytest.mark.soak]
POWERS = ("romans", "gauls", "greeks", "carthaginians", "etruscans_samnites")
BOTH = ("rome", "carthage")
WARS = {
    "hannibal": (BOTH, "second_punic_war"),
    "hamilcar": (BOTH, "first_punic_war"),
    "sword_of_rome": (POWERS, "five_powers"),
    "punic_wars": (BOTH, "1"),
}
SIZES = ((1024, 768), (820, 1180), (390, 844))
ROUNDS = 2  # of the last turn of five powers


def shorten(table):
    """The same war with a low and a high card in each hand."""
    position = plain(SYSTEMS["sword_of_rome"].view(table.state, UMPIRE))
    hands = {power: [cards[0], cards[-1]] for power, cards in position["hands"].items()}
    table.set_up("sword_of_rome", position={**position, "hands": hands})


@pytest.mark.parametrize("system", WARS)
@pytest.mark.parametrize("size", SIZES, ids=lambda size: "x".join(map(str, size)))
def test_two_whole_turns_are_played_by_touch(table, system, size):
    sides, scenario = WARS[system]
    table.set_up(system, scenario=scenario, options={"sea_battles": "dice"})
    if system == "sword_of_rome":
        shorten(table)
    by = ByMap(table, sides, size)
    end = table.state.turn + 2

    def is_done(state):
        return state.turn >= end or (sides == POWERS and state.turn == end - 1 and state.round > ROUNDS)

    Walk(by, seed=size[0]).goes_on(is_done)

    by.closes()
