"""L1.2 Where battles at sea are decided: chosen at the start, and kept by every system."""

from __future__ import annotations

import re
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from flask.testing import FlaskClient
from msgspec.structs import replace

from kit.linked_sea import Sea
from strategic import SYSTEMS
from strategic.naval.engagement import Deciding
from tactical.kernel.dice import Dice, random_source
from tactical.kernel.protocol import UMPIRE, Illegal, NotYours
from tactical.kernel.record import plain, read
from tests.webapp.test_linked_systems import hannibal, punic_wars, sword_of_rome


def hamilcar() -> Any:
    return SYSTEMS["hamilcar"].start("off_mylae", None, {}, Dice(secret=lambda sides: 1)).state


MEETINGS: dict[str, Callable[[], Any]] = {
    "hamilcar": hamilcar,
    "hannibal": hannibal,
    "sword_of_rome": sword_of_rome,
    "punic_wars": punic_wars,
}


def met(name: str, deciding: Deciding) -> Any:
    """Two fleets have met in a campaign whose group has said this at the start."""
    state = MEETINGS[name]()
    engagement = replace(state.engagement, deciding=deciding).decided()
    return replace(state, engagement=engagement, options=replace(state.options, sea_battles=deciding))


def say(name: str, state: Any, seat: str, way: str, side: str = "") -> Any:
    command = {"type": "choose_way", "engagement": state.engagement.id, "way": way, "side": side or seat}
    system = SYSTEMS[name]
    dice = Dice(source=random_source(lambda sides: 0), secret=lambda sides: 0)
    return system.apply(state, seat, read(command, system.command), dice).state


def offered(name: str, state: Any, seat: str) -> set[str]:
    return {offer.type for offer in SYSTEMS[name].offers(state, seat)}


@pytest.mark.parametrize("name", MEETINGS)
def test_where_both_must_choose_no_single_word_settles_and_who_has_answered_is_not_waited_for(name: str) -> None:
    state = met(name, "both")
    one, other = state.engagement.fleets
    assert set(SYSTEMS[name].waiting_for(state)) == {one, other}
    state = say(name, state, one, "own_table")
    assert state.engagement is not None, "the dice need both"
    assert SYSTEMS[name].waiting_for(state) == (other,)
    assert "choose_way" in offered(name, state, one), "who has answered may change its mind"
    differs = say(name, state, other, "battle")
    assert set(SYSTEMS[name].waiting_for(differs)) == {one, other} and differs.engagement.way is None
    settled = say(name, state, other, "own_table")
    assert settled.engagement is None or getattr(settled, "naval", None) is not None


@pytest.mark.parametrize("name", MEETINGS)
def test_where_the_table_is_said_a_meeting_goes_there_unless_both_leave_it(name: str) -> None:
    state = met(name, "table")
    one, other = state.engagement.fleets
    assert state.engagement.way == "battle" and "open_battle" in offered(name, state, other)
    state = say(name, state, one, "own_table")
    assert state.engagement.way == "battle" and "open_battle" in offered(name, state, other)
    assert SYSTEMS[name].waiting_for(state) == (other,)
    left = say(name, state, other, "own_table")
    assert left.engagement is None or getattr(left, "naval", None) is not None


@pytest.mark.parametrize("name", MEETINGS)
def test_where_the_umpire_decides_he_alone_is_asked(name: str) -> None:
    state = met(name, "umpire")
    one, other = state.engagement.fleets
    assert SYSTEMS[name].waiting_for(state) == (UMPIRE,)
    assert "choose_way" in offered(name, state, UMPIRE) and "choose_way" not in offered(name, state, one)
    with pytest.raises((Illegal, NotYours)):
        say(name, state, one, "own_table")
    with pytest.raises(NotYours):
        say(name, state, other, "own_table", UMPIRE)
    told = say(name, state, UMPIRE, "battle")
    assert told.engagement.way == "battle" and "open_battle" in offered(name, told, one)
    assert set(SYSTEMS[name].waiting_for(told)) == {one, other}


@pytest.mark.parametrize("name", MEETINGS)
def test_a_game_of_before_keeps_its_way_the_dice_need_no_consent(name: str) -> None:
    state = met(name, "")
    settled = say(name, state, next(iter(state.engagement.fleets)), "own_table")
    assert settled.engagement is None or getattr(settled, "naval", None) is not None


@pytest.mark.parametrize("name", MEETINGS)
def test_it_is_asked_beside_the_dice_in_plain_words_and_the_table_is_the_first(client: FlaskClient, name: str) -> None:
    scenario = SYSTEMS[name].scenarios()[0].id
    page = client.get(f"/new?system={name}&scenario={scenario}").text
    start, end = page.index('id="sea-battles"'), page.index("Rule options")
    asked = page[start:end]
    assert start < end and "Where battles at sea are decided" in asked
    assert [asked.index(f'value="{each}"') for each in ("table", "dice", "both", "umpire")] == sorted(
        asked.index(f'value="{each}"') for each in ("table", "dice", "both", "umpire")
    )
    assert 'value="table" checked' in asked
    assert "option.battles_at_sea" not in page and "option.naval_battles" not in page


def test_what_is_chosen_there_holds(client: FlaskClient, store: Any) -> None:
    token = re.search(r'name="csrf-token" content="([^"]+)"', client.get("/").text)
    assert token is not None
    sent = {
        "csrf_token": token.group(1),
        "system": "hannibal",
        "scenario": "second_punic_war",
        "option.sea_battles": "both",
    }
    answered = client.post("/new", data=sent)
    game = answered.headers["Location"].rpartition("/")[2]
    assert store.load(game).state.options.sea_battles == "both"
    refused = client.post("/new", data=sent | {"option.sea_battles": "chess"})
    assert refused.status_code == 400 and "options.sea_battles" in refused.text


def test_the_panel_says_whose_word_it_needs_and_asks_twice_before_one_side_settles_for_both(tmp_path: Path) -> None:
    old = Sea(tmp_path / "old.db")
    assert "This settles the meeting at once, for both sides." in old.page("rome")
    sea = Sea(tmp_path / "sea.db", options={"sea_battles": "both"})
    assert "at once, for both sides" not in sea.page("rome")
    assert "Both sides must choose the same." in sea.page("rome")
    sea.give("rome", type="choose_way", engagement="2.1", way="own_table", side="rome")
    page = sea.page("carthage")
    assert "Proposes: The game's dice table" in page and "Has not answered yet." in page
    assert "waiting for Rome" not in page and plain(sea.state)["engagement"]["way"] is None


def test_the_umpire_has_the_ways_on_his_page(tmp_path: Path) -> None:
    sea = Sea(tmp_path / "sea.db", options={"sea_battles": "umpire"})
    assert "In this campaign the umpire decides how a meeting at sea is settled." in sea.page("umpire")
    assert 'id="ways"' in sea.fetch("umpire") and 'id="ways"' not in sea.fetch("rome")
