"""The tables of Hamilcar: no gaps, no dangling ids, and a source on every record."""

from __future__ import annotations

import tomllib
from collections import Counter

import data
from strategic.hamilcar.setup import all_scenarios
from strategic.hamilcar.tables import (
    BATTLE_DECK,
    CARDS,
    CHART,
    LEADERS,
    NAMES,
    PROVINCES,
    STORM_LANES,
    TABLES,
    TACTICS,
    ground,
)

SOURCES = {"rules", "published", "derived", "reconstructed"}


def test_lanes_join_ports_and_every_port_has_a_lane() -> None:
    """11.1"""
    for way in CHART.connections:
        if way.kind == "lane":
            assert ground(way.start).port and ground(way.end).port
            assert way.cost == 1
    assert all(CHART.water[port] for port in CHART.ports())
    assert len({frozenset((way.start, way.end)) for way in CHART.connections if way.kind == "lane"}) == 34


def test_the_lanes_that_the_rules_name_are_there() -> None:
    """11.7.example, 11.7.second.example, 26.7.example, 11.1.2 And they say so."""
    named = [
        ("roma", "neapolis"),
        ("neapolis", "regium"),
        ("regium", "messana"),
        ("regium", "syracusae"),
        ("agrigentum", "syracusae"),
        ("messana", "panormus"),
        ("panormus", "lilybaeum"),
    ]
    by_rules = {
        frozenset((way.start, way.end))
        for way in CHART.connections
        if way.kind == "lane" and way.about["source"] == "rules"
    }
    assert by_rules == {frozenset(pair) for pair in named}
    assert frozenset(("agrigentum", "syracusae")) in STORM_LANES  # though the sign is ours


def test_provinces_hold_their_spaces_and_the_great_ports_are_three() -> None:
    """20.2.7, H.scoring"""
    assert sum(len(province.spaces) for province in PROVINCES.values()) == len(CHART.spaces)
    for province in PROVINCES.values():
        assert 0 < province.needed <= len(province.spaces)
        assert 2 * province.needed > len(province.spaces)
    assert {space for space in CHART.spaces if ground(space).great} == {"carthago", "roma", "syracusae"}
    assert all((ground(space).inside > 0) == ground(space).city for space in CHART.spaces)


def test_every_record_says_where_it_comes_from() -> None:
    for name in ("tables", "leaders", "cards"):
        text = (data.ROOT / "hamilcar" / f"{name}.toml").read_text()
        assert set(_sources(tomllib.loads(text))) <= SOURCES
    for feature in data.raw_json("hamilcar/map.geojson")["features"]:
        assert feature["properties"]["source"] in SOURCES


def _sources(value: object) -> list[str]:
    if isinstance(value, dict):
        own = [v for k, v in value.items() if k.endswith("source") and isinstance(v, str)]
        return own + [found for v in value.values() for found in _sources(v)]
    if isinstance(value, list):
        return [found for v in value for found in _sources(v)]
    return []


def test_the_substitute_deck_has_its_values_and_signs_of_ships() -> None:
    """8.2.e, 8.2.a 64 cards: 21, 22 and 21 of one, two and three points; ships on threes, two of them on seven."""
    deck = [card for card in CARDS.values() if not card.optional]
    assert Counter(card.ops for card in deck) == {1: 21, 2: 22, 3: 21}
    assert all((card.ships > 0) == (card.ops == 3) for card in deck)
    assert sum(card.ships == 2 for card in deck) == 7
    assert Counter(card.campaign for card in deck if card.campaign) == {3: 2, 2: 4}
    assert {60, 83, 92, 101, 103} <= set(CARDS) and len(BATTLE_DECK) == 48


def test_the_tables_have_no_gaps() -> None:
    """H.table, H.dice Hits grow with die and round; each die has six faces; nine turns."""
    naval = TABLES.naval.hits
    assert len(naval) == 7 and all(len(row) == TABLES.naval.rounds == 5 for row in naval)
    assert all(list(row) == sorted(row) for row in naval)
    assert all(list(column) == sorted(column) for column in zip(*naval, strict=True))
    attrition = TABLES.attrition.losses
    assert [row[:5] for row in attrition] == [tuple(row) for row in naval]  # columns I to V are its first five
    siege = TABLES.siege
    assert all(len(row) == 6 for row in (siege.red_points, siege.red_losses, siege.white_points, siege.white_losses))
    turns = TABLES.turns
    assert len(turns.cards) == len(turns.mercenary_price) == len(turns.years) == turns.last == 9


def test_the_vectors_of_the_worked_battle_stand_in_the_table() -> None:
    """H.table (modified die, round) and hits, as the rules' example has them."""
    vectors = [(3, 1, 0), (6, 1, 1), (5, 2, 1), (2, 2, 0), (5, 3, 1), (4, 3, 1), (1, 4, 0), (5, 5, 2)]
    assert all(TABLES.naval.read(die, column) == hits for die, column, hits in vectors)


def test_scenarios_name_what_there_is() -> None:
    """4"""
    for scenario in all_scenarios().values():
        for force in scenario.force:
            assert force.space in CHART.spaces
            assert force.general is None or LEADERS[force.general].side == force.side
        assert all(name in LEADERS for name in (*scenario.out, *scenario.consuls))
        assert all(space in CHART.spaces for space in scenario.control)


def test_generals_known_from_the_rules_have_their_ratings() -> None:
    """6.5, 14.1.example Valerius fights as a 2, Paterculus is 1-1, Gisco an admiral with a 1."""
    assert LEADERS["manius_valerius_maximus"].battle == 2 and LEADERS["hannibal_gisco"].battle == 1
    paterculus = LEADERS["gaius_sulpicius_paterculus"]
    assert (paterculus.strategy, paterculus.battle) == (1, 1) and LEADERS["hannibal_gisco"].admiral
    assert sorted(leader.arrives for leader in LEADERS.values() if leader.arrives) == [2, 3, 4, 5, 6, 7]


def test_ship_names_belong_to_one_side() -> None:
    """L2.4 Enough for a long war."""
    rome, carthage = NAMES.of("rome"), NAMES.of("carthage")
    assert len(set(rome)) == len(rome) >= 40 and len(set(carthage)) == len(carthage) >= 40
    assert not set(rome) & set(carthage)
    assert len(TACTICS) == 10
