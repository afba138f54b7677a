"""The first turn of each campaign by touch alone, by all its seats: cards, armies and spaces are tapped, no list is opened.

What decides is acted out; what is left of the turn is played on by whoever is asked (that of the Sword of Rome in the
soak).
"""

from __future__ import annotations

import random
from typing import Any

import pytest
from playwright.sync_api import expect
from test_punic_wars_turn import second_turn

from kit.by_map import ByMap, carry_on
from kit.playing import Captain, play
from tactical.kernel.dice import Dice, random_source
from tactical.kernel.record import plain
from webapp.storage.journal.store import all_systems, battles_of

pytestmark = pytest.mark.browser
TABLET, PHONE = (1024, 768), (390, 844)
TURNED = pytest.mark.parametrize("size", [PHONE, pytest.param(TABLET, marks=pytest.mark.soak)])
SIZES = pytest.mark.parametrize("size", [TABLET, pytest.param(PHONE, marks=pytest.mark.soak)])


def war_in_gaul(position: Any) -> dict:
    """Hannibal beside Scipio in Etruria, Mago before Massilia, two cards a side: Carthage plays."""
    position.army("carthage", "faesulae", 9, ("hannibal",))
    position.army("carthage", "nemausus", 5, ("mago",))
    position.army("rome", "falerii", 5, ("p_scipio",))
    position.plays("carthage")
    raw = {name: value for name, value in position.raw.items() if name not in ("deck", "options")}
    return raw | {"hands": {"carthage": [61, 62], "rome": [44, 45]}}


@TURNED
def test_hannibal_with_a_battle_and_a_siege(table, position, size):
    table.set_up("hannibal", position=war_in_gaul(position), options={"counter_prompts": "held"})
    by = ByMap(table, ("carthage", "rome"), size)

    # A card, the army that it moves, the space where it goes, all of it: three taps and a button
    by.picks("carthage", 61)
    by.does("carthage", "Activate a general", "Hannibal", space="faesulae")
    by.does("carthage", "March", "Hannibal", space="falerii")
    carry_on(by, lambda state: state.battle is not None and state.battle.hands)
    for side in ("carthage", "rome"):
        panel = by.page(side).locator(".battle-panel")
        expect(panel).to_contain_text("Battle at Falerii")
        expect(by.page(side).locator("#hand .battle-card").first).to_be_visible()
    carry_on(by, lambda state: state.active == "rome")
    assert "battle_ended" in table.events()

    # Rome takes what it likes: a card for its points, and the spaces by tapping them
    by.picks("rome", 44)
    by.does("rome", "Place control markers", "")
    by.puts_by("rome")
    by.does("rome", "Place a marker", "", space=by.ringed("rome"))
    carry_on(by, lambda state: state.active == "carthage")
    assert "pc_placed" in table.events() or "pc_flipped" in table.events()

    # Mago shuts Massilia in
    by.picks("carthage", 62)
    by.does("carthage", "Activate a general", "Mago", space="nemausus")
    by.does("carthage", "March", "Mago", space="massilia")
    carry_on(by, lambda state: state.asks().kind == "march")
    by.puts_by("carthage")
    by.does("carthage", "Besiege", "Massilia: a point in")
    assert "siege_roll" in table.events()
    carry_on(by, lambda state: state.turn == 2)
    by.closes()


POWERS = ("romans", "gauls", "greeks", "carthaginians", "etruscans_samnites")


@pytest.mark.parametrize(
    ("size", "is_whole"),
    [(TABLET, False), *(pytest.param(size, True, marks=pytest.mark.soak) for size in (TABLET, PHONE))],
)
def test_the_sword_of_rome_with_three_interceptors(table, size, is_whole):
    table.set_up("sword_of_rome", scenario="gauls_before_greeks", dice="physical")
    by = ByMap(table, POWERS, size)
    by.picks("romans", 2)
    start = next(
        space
        for space, powers in table.state.forces.items()
        if "romans" in powers and "claudius" in powers["romans"].leaders
    )
    by.does("romans", "Activate a general", "Claudius", space=start)
    by.does("romans", "March", "Ariminum", space="ariminum")
    by.asks("gauls", "greeks")
    expect(by.page("gauls").locator(".note.asked")).to_contain_text("Claudius (Romans) with 6 CUs")
    expect(by.page("gauls").locator("form.switches input[role=switch]")).to_have_count(2)
    switch = by.page("gauls").locator("form.switches input[name='gauls.bononia.brennus']")
    for is_on in (True, False):  # an army that is tapped on the map turns its leader's switch
        by.page("gauls").touchscreen.tap(*by.shown(by.page("gauls"), "bononia"))
        expect(switch).to_be_checked(checked=is_on)
    by.declares("gauls", "gauls.bononia.brennus", "gauls.sena_gallica.minor_gauls_a")
    by.declares("greeks", "greeks.ravenna.pyrrhus")
    by.does("gauls", "Say who tries first", "Gauls, Greeks", 4, 2, 3)
    expect(by.page("romans").locator(".note.asked")).to_contain_text("the Greeks intercept")
    by.does("romans", "Decline battle")
    by.does("greeks", "Let the army go", "Refuse: it must roll", 4)
    by.does("romans", "Throw for the battle", "", 1, 2, 3, 4, 5, 6)
    assert table.state.force("ariminum", "greeks").units == 5
    if is_whole:
        carry_on(by, lambda state: (state.turn, state.round) != (1, 1), 30)
    by.closes()


@SIZES
def test_punic_wars_with_diplomacy_and_combat(table, size):
    table.set_up("punic_wars", position=second_turn(), dice="physical", options={"naval_battles": "table"})
    by = ByMap(table, ("carthage", "rome"), size)
    by.does("carthage", "Bid")
    by.does("rome", "Bid", "", 3)
    by.does("carthage", "Take up or drop points", "Hannibal", space="1607")
    by.does("carthage", "Move", space="1508")
    by.does("carthage", "Attack", "land points", 3)
    assert table.events()[-3:].count("combat") == 1 or "combat" in table.events()
    by.does("carthage", "Finish the march", "Hannibal")
    by.puts_by("carthage")
    for side in ("carthage", "rome"):
        carry_on(by, lambda state, side=side: (state.phase, state.phasing) == ("recruit", side), 40)
        by.does(side, "Recruit", space=by.ringed(side))
    carry_on(by, lambda state: state.turn == 3)
    assert {"supplied", "recruited", "elected", "taxes"} <= set(table.events())
    by.closes()


@SIZES
def test_punic_wars_is_set_up_by_tapping_hexes(table, size):
    table.set_up("punic_wars", scenario="3")
    by = ByMap(table, ("carthage", "rome"), size)
    by.sees_all()
    side = next(side for side, tablet in by.tablets.items() if tablet.is_asked())
    for _group in range(2):
        hexes = next(
            offer.fields["hex"]
            for offer in table.store.systems["punic_wars"].offers(table.state, side)
            if offer.type == "deploy"
        )
        by.does(side, "Deploy", "", space=hexes if isinstance(hexes, str) else hexes[0])
    assert table.events().count("set_up") >= 2
    carry_on(by, lambda state: state.turn == 2)
    by.closes()


def off_mylae() -> dict:
    """Two fleets have met off Mylae, a ship a side stays in port, badly damaged; a card a side is left."""
    source = random_source(random.Random(3).randrange)
    raw = plain(all_systems()["hamilcar"].start("off_mylae", None, {}, Dice(source=source, secret=source)).state)
    for side, damage in (("rome", 4), ("carthage", 7)):
        raw["ships"][side] = [ship if ship["at_sea"] else {**ship, "damage": damage} for ship in raw["ships"][side]]
    raw["engagement"]["deciding"] = "both"
    raw = {name: value for name, value in raw.items() if name not in ("deck", "options")}
    return raw | {"hands": {"rome": [239], "carthage": [225]}}


@pytest.mark.soak  # test_linked_war sails, meets and fights on the table in `make test`
@pytest.mark.parametrize("size", [TABLET, PHONE])
def test_hamilcar_with_a_battle_by_cards_and_one_on_the_table(table, size):
    table.set_up("hamilcar", position=off_mylae(), options={"sea_battles": "both"})
    by = ByMap(table, ("rome", "carthage"), size)

    # Both want the game's own cards; Carthage sinks a ship and slips away, which costs it the mastery of the sea
    for side in ("rome", "carthage"):
        by.settles(side, "The game's dice table")
    for side in ("rome", "carthage"):
        panel = by.page(side).locator(".battle-panel")
        expect(panel).to_contain_text("Battle at sea off Lipara")
        expect(by.page(side).locator("#hand .battle-card").first).to_be_visible()
    by.does("carthage", "Let it pass")
    by.does("carthage", "Engage", "ships")
    by.does("carthage", "Evade")
    carry_on(by, lambda state: state.march is not None and state.naval is None and state.asks().kind == "move")
    assert table.state.generals["gaius_duilius"].space == "lipara"
    by.does("rome", "End the move")

    # The last Carthaginian ship sails for Messana, Rome comes out with one: on the table
    by.picks("carthage", 225)
    by.does("carthage", "Activate a general", "Gisco", space="panormus")
    by.does("carthage", "Sail", "", space="messana")
    by.does("rome", "Let it pass", "Raise no storm")
    by.sets("rome", "Intercept at sea", "Duilius with 3 units", "Ships", 1)
    by.does("rome", "Intercept at sea", "Duilius with 3 units")
    by.does("rome", "Name the ships", "Aquila")
    by.does("rome", "Let it pass", "Play no card")
    for side in ("rome", "carthage"):
        by.settles(side, "A battle in this program")
    by.opens_the_battle("rome")
    battle = next(link.battle for link in battles_of(table.store, table.id))
    players = [Captain(tablet, seed=seed) for seed, tablet in enumerate(by.tablets.values(), start=5)]
    play(players, table, battle)
    by.comes_home("rome")
    assert table.state.engagement is None and table.state.settled["2.2"].winner
    carry_on(by, lambda state: state.turn == 3)
    by.closes()
