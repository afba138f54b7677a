"""The Sword of Rome at five tablets: a secret and simultaneous answer, a battle declined and fought, a contested sea."""

from __future__ import annotations

import pytest
from playwright.sync_api import expect

from kit.two_tablets import TwoTablets

pytestmark = pytest.mark.browser

POWERS = ("romans", "gauls", "greeks", "carthaginians", "etruscans_samnites")


class FivePowers(TwoTablets):
    """Five tablets at one campaign."""

    def __init__(self, table) -> None:
        super().__init__(table, POWERS)

    def asks(self, *sides: str) -> None:
        """These powers and nobody else have something to answer."""
        for side, tablet in self.tablets.items():
            expect(tablet.page.locator(".wait.mine")).to_have_count(1 if side in sides else 0)


@pytest.mark.soak  # test_first_turns_by_map comes to the same meeting by touch in `make test`
def test_10_3_three_interceptors_of_two_powers_declare_in_secret_and_battle_is_declined_then_fought(table):
    table.set_up("sword_of_rome", scenario="gauls_before_greeks", dice="physical")
    powers = FivePowers(table)
    claudius_marches(powers)
    gauls_and_greeks_declare(powers)
    the_gauls_set_the_order(powers)
    claudius_declines_and_must_fight(powers)


def claudius_marches(powers: FivePowers) -> None:
    powers.picks("romans", 2)
    powers.act("romans", "Activate a general", cus=6)
    powers.puts_by("romans")
    powers.goes("romans", "ariminum")
    powers.asks("gauls", "greeks")


def gauls_and_greeks_declare(powers: FivePowers) -> None:
    for side in ("romans", "carthaginians", "etruscans_samnites"):
        expect(powers.page(side).locator("form.switches")).to_have_count(0)
    others = POWERS[2:] + POWERS[:1]
    named = {side: powers.page(side).content().count("brennus") for side in others}  # his plate on the map
    powers.declares("gauls", "gauls.bononia.brennus", "gauls.sena_gallica.minor_gauls_a")
    powers.asks("greeks")
    for side in others:
        told = powers.page(side).locator("#latest").inner_text()
        assert "Brennus" not in told and "Bononia" not in told
        assert powers.page(side).content().count("brennus") == named[side], "no command or event names him"
    powers.declares("greeks", "greeks.ravenna.pyrrhus")
    powers.asks("gauls")
    assert [attempt.power for attempt in powers.table.state.reaction.attempts] == ["gauls", "gauls", "greeks"]


def the_gauls_set_the_order(powers: FivePowers) -> None:
    powers.chooses("gauls", "Say who tries first", "Gauls, Greeks", 4, 2, 3)
    tried = [(one["power"], one["leader"], one["dice"], one["success"]) for one in powers.told("interception")]
    assert tried == [
        ("gauls", "brennus", [4], False),
        ("gauls", "minor_gauls_a", [2], False),
        ("greeks", "pyrrhus", [3], True),
    ]
    powers.asks("romans")


def claudius_declines_and_must_fight(powers: FivePowers) -> None:
    expect(powers.page("romans").locator(".note.asked")).to_contain_text("Fight, or go back?")
    powers.act("romans", "Decline battle")
    powers.asks("greeks")
    powers.chooses("greeks", "Let the army go", "Refuse: it must roll", 4)  # Claudius needs a 3: he is held
    powers.asks("romans")
    powers.act("romans", "Throw for the battle", 1, 2, 3, 4, 5, 6)
    assert powers.table.events()[-4:] == ["battle", "battle_rolled", "losses", "eliminated"]
    assert powers.table.state.force("ariminum", "romans").units == 0
    assert powers.table.state.force("ariminum", "greeks").units == 5
    for side in POWERS:
        expect(powers.page(side).locator("#latest")).to_contain_text("Claudius")
        powers.taps(side, "ariminum")
        expect(powers.page(side).locator("section.place")).to_contain_text("Greeks 5")


@pytest.mark.soak
def test_9_6_a_contested_sea_with_a_card_of_carthage(table):
    table.set_up("sword_of_rome", scenario="sail_to_syracusae", dice="physical")
    powers = FivePowers(table)
    powers.picks("greeks", 3)
    powers.act("greeks", "Activate a general", cus=3)
    powers.puts_by("greeks")
    powers.goes("greeks", "syracusae")
    powers.asks("carthaginians")
    powers.picks("carthaginians", 2)
    powers.act("carthaginians", "Contest the crossing")
    powers.asks("greeks")
    powers.act("greeks", "Throw for the crossing", 3)
    (crossing,) = powers.told("naval_combat")
    assert (crossing["modifier"], crossing["total"], crossing["result"]) == (-1, 2, "success")
    assert powers.table.state.hands["carthaginians"] == (1, 3)
    powers.act("greeks", "End the move")
    assert powers.table.state.force("syracusae", "greeks").units == 3
    powers.taps("romans", "syracusae")
    expect(powers.page("romans").locator("section.place")).to_contain_text("Timoleon")
