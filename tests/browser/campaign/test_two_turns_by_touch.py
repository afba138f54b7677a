"""Two whole turns of each system by touch alone, at the three sizes: no list opened, nothing unfolded, no text written."""

from __future__ import annotations

import pytest

from kit.by_map import ByMap
from kit.walking import Walk

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


@pytest.mark.parametrize("system", WARS)
@pytest.mark.parametrize("size", SIZES, ids=lambda size: "x".join(map(str, size)))
def test_two_whole_turns_are_played_by_touch(table, system, size):
    sides, scenario = WARS[system]
    table.set_up(system, scenario=scenario, options={"sea_battles": "dice"})
    by = ByMap(table, sides, size)
    end = table.state.turn + 2
    Walk(by, seed=size[0]).goes_on(lambda state: state.turn >= end)

    by.closes()
