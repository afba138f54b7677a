"""House rules, one way for every system: read, refused by field, kept, shown, adjusted, carried on."""

from __future__ import annotations

import html
import json
import re
from typing import Any

import pytest
from flask.testing import FlaskClient

from kit.commands_of import ones
from tactical.kernel.dice import Dice
from tactical.kernel.house_rules import HouseRules
from tactical.kernel.protocol import SPECTATOR, UMPIRE, Illegal
from tactical.kernel.record import BadInput, decode, encode, plain, read
from webapp import create_app
from webapp.presenting.labels import words_of
from webapp.storage.journal.store import Store, all_systems

NAMES = list(all_systems())
WRONG: dict[str, tuple[dict[str, Any], str]] = {
    "galley": (
        {"types": {"trireme": {"hull": 0, "maximum": 5, "cruise": 3, "turn_cycle": 1, "acceleration": 3}}},
        "types.trireme.hull",
    ),
    "hannibal": ({"generals": {"hannibal": {"strategy": 4, "battle": 4}}}, "generals.hannibal.strategy"),
    "hamilcar": ({"trident_row": 0}, "trident_row"),
    "sword_of_rome": ({"hand": {"romans": 99}}, "hand.romans"),
    "open_campaign": ({"sight": 99}, "sight"),
    "punic_wars": ({"map": {"values": {"Latium": 99}}}, "map.values.Latium"),
}
KEPT = {
    "galley": ("types.trireme.hull", 0),
    "hannibal": ("house.passes", 99),
    "hamilcar": ("house.trident_row", 0),
    "sword_of_rome": ("house.back", 99),
    "punic_wars": ("house.map.values.Latium", 99),
    "open_campaign": ("house.sight", 99),
}

SAME = {
    "it": ("bireme", "trireme", "quadrireme", "quinquereme", "hepteres")
}  # words that a language shares with English


def rules_of(system: str) -> HouseRules[Any]:
    found = all_systems()[system].house
    assert found is not None
    return found


def begun(system: str, **options: Any) -> Any:
    rules = all_systems()[system]
    return rules.start(rules.scenarios()[0].id, None, options, ones()).state


def example(system: str) -> dict[str, Any]:
    return rules_of(system).replaced(rules_of(system).from_text(rules_of(system).example))


@pytest.mark.parametrize("system", NAMES)
def test_every_system_says_what_may_be_replaced_and_by_which_paragraph(system: str) -> None:
    house = rules_of(system)
    (option,) = (each for each in all_systems()[system].options if each.name == "house")
    assert option.rule == house.rule
    assert house.from_text(house.written(house.printed())) == house.printed()
    assert house.in_use(None) == json.loads(encode(house.printed()))
    assert example(system) and house.in_use(house.read(example(system))) != house.in_use(None)


@pytest.mark.parametrize("system", NAMES)
def test_a_game_keeps_its_house_rules_and_a_game_without_any_is_as_before(system: str) -> None:
    rules, house = all_systems()[system], rules_of(system)
    own = begun(system, house=example(system))
    assert house.replaced(house.kept(own)) == example(system)
    assert encode(own) != encode(begun(system))
    assert house.kept(begun(system)) is None
    assert encode(begun(system, house={})) == encode(begun(system))
    assert encode(decode(encode(own), rules.state)) == encode(own)
    whole = {name: value for name, value in plain(own).items() if name in rules.state.__struct_fields__}
    assert house.kept(rules.start(None, whole, {}, ones()).state) == house.kept(own)
    position = {name: value for name, value in plain(begun(system)).items() if name in rules.state.__struct_fields__}
    again = rules.start(None, position, {"house": example(system)}, ones()).state
    assert house.kept(again) == house.kept(own)


@pytest.mark.parametrize("system", NAMES)
def test_a_value_that_does_not_hold_is_refused_by_its_field(system: str) -> None:
    wrong, path = WRONG[system]
    for raw, field in ((wrong, path), ({"dragons": 3}, "dragons")):
        with pytest.raises(BadInput) as refused:
            begun(system, house=raw)
        assert refused.value.path == f"options.house.{field}"
        with pytest.raises(BadInput) as refused:
            rules_of(system).from_text(json.dumps(raw))
        assert refused.value.path == f"house.{field}"
    with pytest.raises(BadInput, match="neither TOML nor JSON"):
        rules_of(system).from_text("a = [")


@pytest.mark.parametrize("system", NAMES)
def test_the_umpire_adjusts_them_and_is_refused_what_does_not_hold(system: str) -> None:
    rules, state = all_systems()[system], begun(system, house=example(system))
    path, value = KEPT[system]
    wanted = {"type": "adjust", "changes": {path: value}, "why": "our own copy"}
    before = encode(state)
    with pytest.raises((BadInput, Illegal)) as refused:
        rules.apply(state, UMPIRE, read(wanted, rules.command), Dice())
    assert "Latium" in str(refused.value) or path.rpartition(".")[2] in str(refused.value)
    assert encode(state) == before


@pytest.mark.parametrize("system", NAMES)
def test_everybody_sees_them(system: str) -> None:
    rules, state = all_systems()[system], begun(system, house=example(system))
    for seat in (*rules.sides(state), UMPIRE, SPECTATOR):
        seen = plain(rules.view(state, seat))
        kept = seen["types"] if system == "galley" else (seen.get("house") or seen["view"]["house"])
        assert kept


def test_hannibal_is_played_with_a_groups_ratings_and_tables() -> None:
    state = begun(
        "hannibal",
        house={
            "generals": {"fabius": {"strategy": 1, "battle": 5}},
            "cards": [5] * 9,
            "passes": 0,
            "siege_points": [3] * 6,
        },
    )
    assert (state.leaders["fabius"].strategy, state.leaders["fabius"].battle) == (1, 5)
    assert state.leaders["fabius"].source == state.tables.naval.source == "house"
    assert {len(hand) for hand in state.hands.values()} == {5}
    assert state.tables.naval.passes == 0 and state.tables.siege.read(1) == (3, 1)
    assert begun("hannibal").tables.siege.read(1) == (0, 1)


def test_the_sword_of_rome_is_played_with_a_groups_ratings_and_hands() -> None:
    state = begun(
        "sword_of_rome",
        house={"leaders": {"camillus": {"tactics": 6, "initiative": 2}}, "automatic": 2.5, "hand": {"gauls": 3}},
    )
    assert (state.leaders["camillus"].tactics, state.leaders["camillus"].initiative) == (6, 2)
    assert state.tables.battle.automatic == 2.5 and state.tables.cards.hand["gauls"] == 3
    assert len(state.hands.get("gauls", ())) in (0, 3)


def test_a_battle_is_rowed_with_a_groups_ship_types() -> None:
    battle = begun("galley", house=example("galley"))
    triremes = [ship for ship in battle.ships.values() if ship.type == "trireme"]
    assert battle.types["trireme"].hull == 5
    assert all(battle.kind(ship).maximum == 6 for ship in triremes)


@pytest.fixture
def browser(tmp_path: Any) -> FlaskClient:
    """An application with every system."""
    return create_app(
        {"STORE": Store(tmp_path / "games.db", all_systems()), "TESTING": True, "WTF_CSRF_ENABLED": False}
    ).test_client()


@pytest.mark.parametrize("system", NAMES)
@pytest.mark.parametrize("language", ["en", "ru", "it"])
def test_the_page_shows_what_is_in_use_in_every_language(browser: FlaskClient, system: str, language: str) -> None:
    page = browser.get(f"/campaign/house/{system}", headers={"Accept-Language": language})
    assert page.status_code == 200
    said = html.unescape(re.sub(r"<pre.*?</pre>|<[^>]+>", " ", page.text, flags=re.DOTALL))
    heading = re.search(r"<h1>(.*?)</h1>", page.text, re.DOTALL)
    assert heading is not None and not re.search(r">\s*[a-z]+\.\d", heading[1]), "a paragraph by its chapter's name"
    assert not re.search(r"\b[a-z]+_[a-z_]+\b", said), re.findall(r"\b[a-z]+_[a-z_]+\b", said)
    assert f'<html lang="{language}"' in page.text
    words = {name: word for name, word in words_of(system).house.items() if word not in SAME.get(language, ())}
    told = {name for name, word in words.items() if re.search(rf"\b{re.escape(word)}\b", said)}
    assert told if language == "en" and words else not told, told
    assert language != "en" or not (set(rules_of(system).kind.__struct_fields__) & set(words)) - told


@pytest.mark.parametrize("system", NAMES)
def test_a_game_begins_with_them_on_the_set_up_page_and_shows_them_in_play(browser: FlaskClient, system: str) -> None:
    scenario, house = all_systems()[system].scenarios()[0].id, rules_of(system)
    form = {"system": system, "scenario": scenario, "dice": "digital"}
    page = browser.get(f"/new?system={system}&scenario={scenario}").text
    assert 'name="house"' in page
    form["csrf_token"] = re.search(r'name="csrf_token" value="([^"]+)"', page).group(1)  # type: ignore[union-attr]
    wrong, path = WRONG[system]
    refused = browser.post("/new", data={**form, "house": json.dumps(wrong)})
    assert refused.status_code == 400 and f"house.{path}" in refused.text
    answer = browser.post("/new", data={**form, "house": house.example})
    game = answer.headers["Location"].rpartition("/")[2]
    shown = browser.get(f"/campaign/{game}/house?seat=umpire").text
    assert "your own" in shown
    file = browser.get(f"/campaign/{game}/house.json?seat=umpire").text
    assert json.loads(file) == example(system)
    assert f"/campaign/{game}/house" in browser.get(f"/g/{game}?seat=umpire").text
    plain_game = browser.post("/new", data=form).headers["Location"].rpartition("/")[2]
    assert f"/campaign/{plain_game}/house" not in browser.get(f"/g/{plain_game}?seat=umpire").text


@pytest.mark.parametrize(
    ("language", "words"),
    [
        ("ru", ("бирема", "квинквирема", "транспорт", "Римский")),
        ("it", ("quinquereme", "trasporto", "Romana", "Ellenistica")),
    ],
)
def test_types_and_navies_of_the_galley_are_named_in_the_readers_language(
    browser: FlaskClient, language: str, words: tuple[str, ...]
) -> None:
    answer = browser.get("/campaign/house/galley", headers={"Accept-Language": language})
    table = re.sub(r"<[^>]+>", " ", answer.text[answer.text.rindex("</form>") :])
    assert not {"hellenistic", "roman", "transport", "Hellenistic"} & set(re.findall(r"\w+", table))
    known = {word.lower() for word in re.findall(r"\w+", table)}
    assert {word.lower() for word in words} <= known
