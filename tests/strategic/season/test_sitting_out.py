"""O10.1 Byes that players ask for, players who are kept apart, late entry and leaving; pairings that keep to them."""

from __future__ import annotations

from itertools import combinations

import pytest

from kit.seasons import begun, do, paired, played, refused
from strategic.season.rules.pairing import byes, count_meetings
from strategic.season.rules.standings import standings
from strategic.season.state import Season


def rows(season: Season) -> dict[str, tuple[int, int]]:
    """Points and byes of each player."""
    return {row.player: (row.points, row.byes) for row in standings(season)}


@pytest.mark.parametrize(("bye", "gives"), [("half", (1, 1)), ("full", (3, 1)), ("zero", (0, 0))])
def test_o10_1_a_player_sits_out_a_round_that_he_has_asked_for(bye, gives):
    season = do(begun(5, settings={"unplayed": 1}), "ask_bye", player="p2", round=1, bye=bye)
    season = paired(season)
    pairing = next(each for each in season.now.pairings.values() if "p2" in each.players)
    assert pairing.players == ("p2",) and pairing.bye == bye and pairing.why.kind == f"asked_{bye}"
    assert [len(each.players) for each in season.now.pairings.values()] == [2, 2, 1], "nobody else sits out"
    assert rows(season)["p2"] == gives
    assert byes(season)["p2"] == (bye == "full"), "a bye of less than a victory leaves room for one"
    after = paired(played(season))
    assert "p2" in [name for each in after.now.pairings.values() for name in each.players if not each.bye]


def test_o10_1_a_bye_is_taken_back_and_a_round_that_is_paired_takes_none():
    season = do(begun(4), "ask_bye", player="p2", round=1, bye="half")
    season = do(season, "ask_bye", player="p2", round=1, bye="zero")
    assert [each.kind for each in season.players["p2"].byes] == ["zero"]
    season = do(season, "ask_bye", "p2", player="p2", round=1, bye="")
    assert season.players["p2"].byes == ()
    assert "already been paired" in refused(paired(season), "ask_bye", player="p2", round=1, bye="half")
    assert "64" in refused(season, "ask_bye", player="p2", round=65, bye="half")
    assert "no player" in refused(season, "ask_bye", player="p9", round=1, bye="half")


def test_o10_1_a_player_says_himself_that_he_is_absent_and_points_are_the_organizers():
    season = do(begun(4), "ask_bye", "p2", player="p2", round=1, bye="zero")
    assert season.players["p2"].byes
    for bye in ("half", "full"):
        refused(season, "ask_bye", "p2", player="p2", round=1, bye=bye)
    refused(season, "ask_bye", "p1", player="p2", round=1, bye="zero")
    refused(season, "keep_apart", "p1", players=["p1", "p2"])


def test_o10_1_the_organizers_own_pairings_leave_those_who_sit_out_where_they_are():
    season = do(do(begun(5), "ask_bye", player="p2", round=1, bye="half"), "pair")
    every = [list(each.players) for each in season.now.pairings.values()]
    again = do(season, "rearrange", round=1, pairings=every)
    assert [each.players for each in again.now.pairings.values()] == [
        each.players for each in season.now.pairings.values()
    ]
    assert "not paired in this round" in refused(
        season, "rearrange", round=1, pairings=[["p1", "p2"], ["p3", "p4"], ["p5"]]
    )


@pytest.mark.parametrize("way", ["swiss", "round_robin"])
@pytest.mark.parametrize("count", [4, 5, 8])
def test_o10_1_players_who_are_kept_apart_never_meet(way, count):
    season = begun(count, pairing=way, rounds=None if way == "round_robin" else 4)
    for pair in (["p1", "p2"], ["p1", "p3"]):
        season = do(season, "keep_apart", players=pair)
    while "complete" not in (said := str(why(season))) and "have been played" not in said:
        if "apart all" in said:
            break  # the round cannot be: the organizer decides
        season = played(paired(season))
    met = count_meetings(season)
    assert not {frozenset(("p1", "p2")), frozenset(("p1", "p3"))} & met.keys() and len(season.played) > 2
    if way == "round_robin":
        rest = {frozenset(pair) for pair in combinations(season.players, 2)}
        assert rest - met.keys() == {frozenset(("p1", "p2")), frozenset(("p1", "p3"))}


def why(season: Season) -> object:
    try:
        do(season, "pair")
    except Exception as wrong:
        return wrong
    return ""


def test_o10_1_players_are_kept_apart_for_some_rounds_and_may_meet_again():
    season = do(begun(3), "keep_apart", players=["p1", "p2", "p3"], last=1)
    assert "apart all who are not to meet" in refused(season, "pair")
    assert not season.kept_apart(2) and len(season.kept_apart(1)) == 3
    season = do(season, "keep_apart", players=["p3", "p2", "p1"], apart=False)
    assert season.apart == () and paired(season).now
    assert "not kept apart" in refused(season, "keep_apart", players=["p1", "p2"], apart=False)


@pytest.mark.parametrize(
    "fields",
    [
        {"players": ["p1"]},
        {"players": ["p1", "p1"]},
        {"players": ["p1", "p9"]},
        {"players": ["p1", "p2"], "first": 3, "last": 2},
        {"players": ["p1", "p2"], "last": 65},
    ],
)
def test_o10_1_who_cannot_be_kept_apart(fields):
    assert refused(begun(3), "keep_apart", **fields)


def test_o10_1_the_organizer_cannot_pair_by_hand_who_is_kept_apart():
    season = do(do(begun(4), "keep_apart", players=["p1", "p2"]), "pair")
    assert "are not to meet" in refused(season, "rearrange", round=1, pairings=[["p2", "p1"], ["p3", "p4"]])


def test_o10_1_the_lot_of_the_first_round_keeps_to_its_places_where_nobody_is_kept_apart():
    together, apart = (do(each, "pair") for each in (begun(6), do(begun(6), "keep_apart", players=["p1", "p2"])))
    assert [each.players for each in together.now.pairings.values()] == [("p1", "p2"), ("p3", "p4"), ("p5", "p6")]
    assert [each.players for each in apart.now.pairings.values()] == [("p1", "p3"), ("p2", "p4"), ("p5", "p6")]


JOSE = (
    "Jose\u0301 Nu\u0301n\u0303ez",
    "José  Núñez",
    "José\u00a0Núñez",
    "José\u200b Núñez",
    "\u200fJosé Núñez",
    "JOSÉ NÚÑEZ",
)


@pytest.mark.parametrize("name", JOSE)
def test_o10_1_a_name_in_other_letters_is_the_same_name(name):
    season = do(begun(0), "enroll", name="José Núñez")
    assert "already a player" in refused(season, "enroll", name=name)


@pytest.mark.parametrize("name", ["\u200b", " \u00a0 ", "x" * 61, ""])
def test_o10_1_a_name_of_nothing_that_is_seen_is_refused(name):
    assert "1 to 60" in refused(begun(0), "enroll", name=name)


def test_o10_1_a_player_has_a_rating_and_a_club():
    season = do(begun(0), "enroll", name="Ada\u202e", rating=1850, club=" C.N.  Ostia ")
    assert (season.players["p1"].name, season.players["p1"].rating, season.players["p1"].club) == (
        "Ada",
        1850,
        "C.N. Ostia",
    )
    for fields in ({"rating": -1}, {"rating": 10_000}, {"club": "x" * 61}):
        assert refused(season, "enroll", name="Bea", **fields)
