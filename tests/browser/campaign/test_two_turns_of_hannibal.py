"""The first two turns of the second Punic War on two tablets: a siege, the Alps, an interception and a battle."""

from __future__ import annotations

import random
import re

import pytest
from playwright.sync_api import expect

import data
from kit.two_tablets import TwoTablets
from strategic.hannibal import HANNIBAL
from tactical.kernel.dice import Dice, random_source
from tactical.kernel.record import plain

pytestmark = pytest.mark.browser

CARTHAGE = (63, 61, 62, 33, 37, 35, 36)
ONLY_MEN = re.compile(r"· Mago with [\dto ]+ units$")
ROME = (1, 2, 4, 43, 44, 45, 46)


def opening() -> dict:
    """The scenario with these hands, Carthage to play."""
    source = random_source(random.Random(1).randrange)
    scenario = HANNIBAL.start("second_punic_war", None, {}, Dice(source=source, secret=source)).state
    position = {name: value for name, value in plain(scenario).items() if name not in ("deck", "agenda", "options")}
    return position | {"phase": "strategy", "active": "carthage", "hands": {"carthage": CARTHAGE, "rome": ROME}}


class War(TwoTablets):
    """The acts of this war."""

    def plays(self, side: str, card: int, use: str) -> None:
        """A card is played on a general."""
        self.puts_by(side)
        self.picks(side, card)
        self.chooses(side, "Activate a general", use)
        self.puts_by(side)

    def steps(self, side: str, to: str, *faces: int, units: int = 0) -> None:
        """The army marches into a space that is tapped on the map; unless said otherwise with all that can."""
        before = self.table.version
        self.taps(side, to)
        if units:
            self.page(side).locator(".march input[name=units]").fill(str(units))
        self.page(side).locator(".march .main").click()
        self.settled(before, faces)

    def gives_up(self, side: str, card: int) -> None:
        """A card is discarded."""
        self.puts_by(side)
        self.picks(side, card)
        self.act(side, "Discard a card")

    def keeps_its_hand_secret(self) -> None:
        """Neither a card of the other's hand nor its title stands on a side's page."""
        titles = {card["number"]: card["title"] for card in data.read("hannibal/cards.toml", dict)["card"]}
        for side, other in (("rome", "carthage"), ("carthage", "rome")):
            html = self.page(side).content()
            own = {titles[card] for card in self.table.state.hands[side]}
            for card in self.table.state.hands[other]:
                assert f"pick={card}" not in html
                assert titles[card] in own or f'class="title">{titles[card]}<' not in html


@pytest.mark.soak  # test_first_turns_by_map plays such turns by touch in `make test`
def test_two_tablets_play_the_first_two_turns(table):
    table.set_up("hannibal", position=opening(), options={"counter_prompts": "held"}, dice="physical")
    war = War(table)
    war.keeps_its_hand_secret()
    hannibal_marches_to_gaul(war)
    massilia_is_besieged(war)
    hannibal_crosses_the_alps(war)
    scipio_intercepts_at_falerii(war)
    rome_loses_the_battle(war)
    the_year_ends(war)
    the_second_year_is_played(war)


def hannibal_marches_to_gaul(war: War) -> None:
    war.plays("carthage", 63, "Hannibal, by the event of")
    for space in ("dertosa", "ilerda"):
        war.steps("carthage", space)
    war.steps("carthage", "tolosa", 1)  # the Pyrenees take nobody
    war.both_see("Tolosa")
    for space in ("narbo", "nemausus"):
        war.steps("carthage", space)
    assert war.table.state.generals["hannibal"].space == "nemausus"
    war.gives_up("rome", 44)


def massilia_is_besieged(war: War) -> None:
    war.plays("carthage", 61, "Hannibal, by the event of")
    war.steps("carthage", "massilia", units=9)
    war.puts_by("carthage")
    war.act("carthage", "Besiege", 6, about=ONLY_MEN, units=3)
    war.both_see(re.compile("siege", re.I))
    assert war.table.state.spaces["massilia"].siege == 1
    for side in war.tablets:
        expect(war.page(side).locator(".spot .works")).to_have_count(1)
    war.taps("rome", "massilia")
    expect(war.page("rome").locator("section.place")).to_contain_text("Mago")
    war.puts_by("rome")


def hannibal_crosses_the_alps(war: War) -> None:
    war.steps("carthage", "druentia", units=6)
    war.steps("carthage", "taurini", 4, units=6)
    (crossing,) = [loss for loss in war.told("attrition") if loss["space"] == "taurini"]
    assert crossing["lost"] == 1 and war.table.state.spaces["taurini"].carthage.size == 5
    war.both_see(re.compile(r"attrition.*Taurini|Taurini.*attrition", re.I))
    for space in ("boii", "mutina"):
        war.steps("carthage", space)
    war.gives_up("rome", 45)


def scipio_intercepts_at_falerii(war: War) -> None:
    war.plays("carthage", 62, "Hannibal, by the event of")
    war.steps("carthage", "ariminum")
    war.steps("carthage", "falerii")
    for side in war.tablets:
        expect(war.page(side).locator(".note b").first).to_have_text("Rome")
        expect(war.page(side).locator(".note").first).to_contain_text("Intercept?")
    assert war.tablets["rome"].is_asked() and not war.tablets["carthage"].is_asked()
    expect(war.tablets["carthage"].offer("Intercept")).to_have_count(0)
    war.act("rome", "Intercept", about="Publius Scipio", units=8)
    war.act("rome", "Nothing more", 2)
    assert war.told("interception")[0]["dice"] == [2]


def rome_loses_the_battle(war: War) -> None:
    war.act("carthage", "Accept battle")
    war.act("carthage", "Charge", 5)
    assert [len(hand) for hand in war.table.state.battle.hands.values()] == [11, 9]
    for side, other in (("rome", "11 battle cards"), ("carthage", "9 battle cards")):
        expect(war.page(side).locator("#side")).to_contain_text(other)
    war.chooses("carthage", "Attack", "Frontal Assault")
    assert war.tablets["rome"].is_asked()
    war.act("rome", "Leave it unmatched", 4, 3)
    war.both_see("Rome loses the battle at Falerii.")
    war.goes("rome", "rome")
    assert war.table.state.generals["p_scipio"].space == "rome"
    assert war.table.state.spaces["falerii"].carthage.size == 5
    war.taps("rome", "falerii")
    for words in ("Carthage 5", "2 elephants"):
        expect(war.page("rome").locator("section.place")).to_contain_text(words)
    war.puts_by("rome")


def the_year_ends(war: War) -> None:
    """Whoever is asked takes off a marker or gives up a card, until both hands are empty and the winter is over."""
    assert war.table.state.turn == 1 and all(war.table.state.hands.values())
    while war.table.state.turn == 1:
        war.goes_on()
    (count,) = war.told("count")
    for side in war.tablets:
        expect(war.page(side).locator(".turn")).to_contain_text("2 (")
        for other in ("rome", "carthage"):
            fact = (
                war.page(side)
                .locator("dl.facts div")
                .filter(has_text=f"{other.capitalize()}")
                .filter(has_text="provinces that count")
            )
            expect(fact).to_contain_text(f"{count[other]} provinces that count")
    war.keeps_its_hand_secret()


def the_second_year_is_played(war: War) -> None:
    """Reinforcements, consuls, a new hand, all cards one after the other, the winter: then it is turn 3."""
    assert war.told("siege_lifted") or war.table.state.spaces["massilia"].siege
    while war.table.state.turn == 2:
        war.goes_on()
    for kind in ("reinforced", "consuls_drawn", "consul_placed", "dealt"):
        assert war.told(kind), kind
    assert war.table.state.turn == 3 and len(war.told("count")) == 2
    for side in war.tablets:
        expect(war.page(side).locator(".turn")).to_contain_text("3 (")
    war.keeps_its_hand_secret()
