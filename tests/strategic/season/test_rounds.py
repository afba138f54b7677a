"""O10.1 Dates, seas, substitutes, what is overdue; own ship types; records of a season."""

from __future__ import annotations

import random
from typing import Any

import pytest

from kit.seasons import OWN, QUINQUEREMES, begun, do, paired, played, refused
from strategic.season.rules.results import battle_position, fought_out
from strategic.season.rules.standings import records
from strategic.season.state import SETTINGS, Season
from tactical import GALLEY
from tactical.kernel.dice import Dice, random_source
from tactical.kernel.protocol import event
from tactical.kernel.record import BadInput, read


def dated(**fields: Any) -> Season:
    season = begun(4, zone="Europe/Rome", **fields)
    season = do(season, "pair", starts="2026-12-03T19:30", due="2026-12-10T23:59", scenario="island")
    return do(season, "publish", round=1)


@pytest.mark.parametrize(
    ("kind", "seat", "fields"),
    [
        ("schedule", "umpire", {"round": 2}),
        ("schedule", "umpire", {"round": 1, "starts": "on Thursday"}),
        ("schedule", "umpire", {"round": 1, "starts": "2026-12-03T19:30", "due": "2026-12-03T19:00"}),
        ("schedule", "umpire", {"round": 1, "scenario": "the moon"}),
        ("schedule", "p1", {"round": 1}),
        ("arrange", "p3", {"pairing": "r1-1", "side": "p3", "at": "2026-12-05T15:00"}),
        ("arrange", "p1", {"pairing": "r1-1", "side": "p1", "at": "25"}),
        ("arrange", "p1", {"pairing": "r1-1", "side": "p1", "place": "x" * 61}),
        ("substitute", "p3", {"pairing": "r1-1", "player": "p1", "name": "Zoe"}),
        ("substitute", "umpire", {"pairing": "r1-1", "player": "p1", "name": "x" * 61}),
        ("lapse", "p1", {"pairing": "r1-1"}),
        ("lapse", "umpire", {"pairing": "r1-1"}),  # this season waits for its organizer
    ],
)
def test_o10_1_dates_that_cannot_be_and_what_is_not_ones_own_are_refused(kind, seat, fields):
    assert {"p1", "p3"} - set(dated().now.pairings["r1-1"].players) == {"p3"}
    assert refused(dated(), kind, seat, **fields)


def test_o10_1_what_is_arranged_in_a_draft_does_not_publish_it():
    season = do(begun(4), "pair")
    season = do(season, "arrange", pairing="r1-1", at="2026-12-05T15:00")
    assert not season.now.published and season.now.pairings["r1-1"].at


def test_o10_1_a_substitute_plays_and_the_points_are_the_players():
    season = dated()
    one = season.now.pairings["r1-1"].players[0]
    season = do(season, "substitute", one, pairing="r1-1", player=one, name=" Zoe ")
    assert season.now.pairings["r1-1"].substitutes == {one: "Zoe"}
    assert battle_position(season, "r1-1", "x")["sides"][one]["name"] == f"Zoe ({season.players[one].name})"
    again = do(season, "substitute", one, pairing="r1-1", player=one, name="")
    assert again.now.pairings["r1-1"].substitutes == {}


def test_o10_1_an_overdue_result_is_settled_as_the_season_says():
    season = dated(settings={"overdue": "unplayed"})
    one = season.now.pairings["r1-1"].players[0]
    season = do(season, "report", one, pairing="r1-1", side=one, result={"winner": one})
    for name in ("r1-1", "r1-2"):
        season = do(season, "lapse", pairing=name)
    first, second = (season.now.pairings[name].result for name in ("r1-1", "r1-2"))
    assert first.winner == one and not second.played
    assert refused(season, "lapse", pairing="r1-1")
    waits = dated(settings={"overdue": "report"})
    assert refused(waits, "lapse", pairing="r1-1")
    there = do(dated(settings={"overdue": "unplayed"}), "open", one, pairing="r1-1", game="abc")
    assert refused(there, "lapse", pairing="r1-1"), "a battle on the table goes on"


@pytest.mark.parametrize("scenario", list(SETTINGS.scenario))
@pytest.mark.parametrize("ships", [1, 12])
def test_o10_1_each_scenario_makes_a_battle_that_begins(scenario, ships):
    season = begun(0)
    for name in ("Anna", "Bruno"):
        season = do(season, "enroll", name=name, navy="roman", ships=[{"type": "quinquereme"}] * ships)
    season = do(season, "pair", scenario=scenario)
    position = battle_position(season, "r1-1", "x")
    battle = GALLEY.start(None, position, {}, Dice(source=random_source(random.Random(1).randrange))).state
    assert len(battle.ships) == 2 * ships and battle.board.kind == SETTINGS.scenario[scenario].kind
    assert bool(battle.board.has_land) == (SETTINGS.scenario[scenario].coast != "open")
    assert GALLEY.waiting_for(battle)


def test_g2_1_a_club_has_ship_types_of_its_own_with_points_of_their_own():
    season = do(begun(0, points=20), "set_types", types=OWN, prices={"liburna": 5})
    ships = [{"type": "liburna", "name": "Celer"}] * 4
    season = do(season, "enroll", name="Anna", navy="roman", ships=ships)
    assert refused(season, "enroll", name="Bruno", navy="roman", ships=[*ships, ships[0]])
    assert refused(season, "enroll", name="Bruno", navy="hellenistic", ships=ships)
    assert refused(season, "set_types", types={}), "a fleet has ships of it"
    season = do(season, "enroll", name="Bruno", navy="hellenistic", ships=QUINQUEREMES[:2])
    season = do(season, "pair")
    battle = GALLEY.start(None, battle_position(season, "r1-1", "x"), {}, Dice()).state
    assert battle.types["liburna"].hull == 4 and "liburna" in {ship.type for ship in battle.ships.values()}
    damaged = {"winner": None, "turns": 3, "sides": {"p1": {"damage": {"s1": 3}}, "p2": {}}}
    assert refused(
        season, "report", pairing="r1-1", result={"outcome": {**damaged, "sides": {"p1": {"damage": {"s1": 4}}}}}
    )
    after = do(season, "report", pairing="r1-1", result={"outcome": damaged})
    assert after.players["p1"].ships["s1"].damage == 3
    assert refused(after, "set_types", types=OWN)


def test_g2_1_types_with_which_nothing_can_be_played_are_refused():
    broken = {"liburna": {**OWN["liburna"], "hull": 0}}
    assert refused(begun(0), "set_types", types=broken)
    assert refused(begun(0), "set_types", types=OWN, prices={"raft": 3})
    with pytest.raises(BadInput):
        begun(0, types=broken)


def test_o10_1_each_record_is_the_sum_of_its_parts():
    season = begun(4, settings={"damage": True})
    for number in (1, 2, 3):
        season = paired(season)
        for name in season.now.open():
            one, other = season.now.pairings[name].players
            sides = {one: {}, other: {"captured": 1, "sunk": 0, "fled": True}}
            outcome = {"winner": one, "turns": 4, "sides": sides}
            deeds = {one: {"rams": number}, other: {"oars": 1}}
            season = do(season, "report", pairing=name, result={"outcome": outcome, "deeds": deeds})
    found = {each.kind: each for each in records(season)}
    assert set(found) == {"best_captain", "prizes", "rams", "oars", "battle", "longest_lived"}
    for each in found.values():
        assert each.count == sum(part.count for part in each.parts) and each.players
    longest = found["longest_lived"]
    ship = next(s for s in season.players[longest.players[0]].ships.values() if s.name == longest.ship)
    assert len(ship.rounds) == longest.count == 3
    assert records(begun(4)) == () and records(played(paired(begun(4, settings={"damage": False})))) == ()


def test_o10_1_the_journal_of_a_battle_counts_rams_and_oars():
    season = paired(begun(2))
    one, other = season.now.pairings["r1-1"].players
    battle = GALLEY.start(None, battle_position(season, "r1-1", "x"), {}, Dice()).state
    told = [
        *(event("G6.1", "ram", ship=ship, target="b1", breaches=1, damage=0) for ship in ("a1", "a1", "b1")),
        event("G7.1", "rake", ship="b1", target="a1"),
        event("G3.1", "done", side=one),
    ]
    for side in (one, other):
        battle = GALLEY.apply(battle, side, read({"type": "agree", "side": side}, GALLEY.command), Dice()).state
    result = fought_out(season, "r1-1", battle, told)
    assert (result.deeds[one].rams, result.deeds[other].rams, result.deeds[other].oars) == (2, 1, 1)
