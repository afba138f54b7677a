"""Every place of every map has its name in each language, and one function gives it."""

from __future__ import annotations

import re

import pytest
from flask_babel import force_locale

import data
from strategic import NAMES
from webapp.presenting.labels import PlaceNames, place_name, place_names, translate
from webapp.presenting.map.placement import place_labels
from webapp.presenting.map.sheet import has_map, seas, sheet
from webapp.presenting.naming import names, say_value
from webapp.presenting.sentences import full_name
from webapp.systems.messages import lines_of

LANGUAGES = ("ru", "it")
MAPS = [name for name in NAMES if has_map(name)]


def on_maps() -> set[str]:
    """The names of all spaces, provinces, regions and seas, as the maps have them."""
    papers = [sheet(system) for system in MAPS]
    spots = {spot.name for paper in papers for spot in paper.spots.values() if spot.name}
    ancient = data.raw_json("open_campaign/map.geojson")["features"]
    ports = {each["properties"]["name"] for each in ancient if each["geometry"]["type"] == "Point"}
    areas = {area.name for paper in papers for area in paper.areas.values()}
    return spots | areas | ports | {sea.name for sea in seas()}


@pytest.mark.parametrize("language", LANGUAGES)
def test_every_place_of_every_map_is_named_and_nothing_else(language):
    assert set(place_names(language)) == on_maps()


def test_in_russian_every_name_is_in_cyrillic():
    assert data.read("geo/places.ru.toml", PlaceNames).same == ()
    latin = {name for name in place_names("ru").values() if any("a" <= letter <= "z" for letter in name.lower())}
    assert latin == set()


@pytest.mark.parametrize("language", LANGUAGES)
def test_a_name_that_stays_as_on_the_map_is_listed_as_such(language):
    found = data.read(f"geo/places.{language}.toml", PlaceNames)
    assert {name for name, own in found.names.items() if own == name} == set()
    assert set(found.same) & set(found.names) == set() and len(set(found.same)) == len(found.same)


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("system", MAPS)
def test_a_place_is_said_by_its_own_name_wherever_an_id_is_told(app, system, language):
    paper = sheet(system)
    places = {
        **{area.id: area.name for area in paper.areas.values()},
        **{spot.id: spot.name for spot in paper.spots.values() if spot.name},
    }
    with app.test_request_context(), force_locale(language):
        for id, name in places.items():
            assert say_value(system, id) == place_name(name) == place_names(language)[name]


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("system", MAPS)
def test_the_map_bears_the_readers_names(app, system, language):
    own, known = place_names(language), on_maps()
    with app.test_request_context(), force_locale(language):
        shown = {name.text for level in place_labels(sheet(system), ()) for name in level.names}
    assert len(shown) > 10 and shown <= {own[name] for name in known}


@pytest.mark.parametrize("system", MAPS)
def test_in_russian_whoever_and_whatever_has_a_name_has_a_russian_one(app, system):
    with app.test_request_context(), force_locale("ru"):
        told = {id: say_value(system, id) for id in names(system)}
    assert {id: text for id, text in told.items() if re.search("[A-Za-z]{3}", text)} == {}


@pytest.mark.parametrize("system", MAPS)
def test_in_italian_no_leader_keeps_a_name_that_italian_changes(app, system):
    english = re.compile(r"\b(Hannibal|Hamilcar|Hasdrubal|Hanno|Mago|Gisgo|Scipio|Pyrrhus|Maximus|Catulus|Brennus)\b")
    with app.test_request_context(), force_locale("it"):
        told = {id: say_value(system, id) for id in names(system)}
    assert {id: text for id, text in told.items() if english.search(text)} == {}


def test_where_no_request_is_as_in_mail_an_event_names_places_in_the_readers_language(app):
    with app.app_context():
        step = {"type": "stepped", "general": "mago", "units": 2, "start": "new_carthage", "to": "saguntum"}
        with force_locale("it"):
            (line,) = lines_of("hannibal", [step])
        assert line.text == "Magone va con 2 unità da Nuova Cartagine a Sagunto."


def test_a_battles_title_is_told_place_by_place(app):
    with app.test_request_context(), force_locale("it"):
        assert translate("New Carthage · Off Mylae, 260 BC").startswith("Nuova Cartagine · ")
        assert translate("Our own war") == "Our own war"


@pytest.mark.parametrize("language", ("en", *LANGUAGES))
def test_no_two_hexes_are_called_alike_and_none_by_its_number(app, language):
    with app.test_request_context(), force_locale(language):
        said = [say_value("punic_wars", at) for at in sheet("punic_wars").spots]
    assert len(set(said)) == len(said) and not any(re.search(r"\d{4}", name) for name in said)


def test_a_hex_without_a_settlement_is_named_by_the_nearest_with_its_grammar(app):
    cases = {
        "en": (("", "the hex south of Roma"), ("", "the place 2 hexes north-east of Mediolanum")),
        "it": (("da", "dall'esagono a sud di Roma"), ("a", "nell'esagono situato 2 esagoni a nord-est di Milano")),
        "ru": (
            ("whence", "из гекса к югу от Рима"),
            ("where", "в гексе на расстоянии 2 гексов к северо-востоку от Медиолана"),
        ),
    }
    for language, wanted in cases.items():
        with app.test_request_context(), force_locale(language):
            for at, (case, words) in zip(("2909", "2501"), wanted, strict=True):
                assert full_name(say_value("punic_wars", at)).case(case) == words
