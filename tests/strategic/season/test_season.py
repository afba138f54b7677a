"""O10 A club's season: enrolling, pairing, results, ships, standings; whole seasons at random."""

from __future__ import annotations

import random
from itertools import combinations
from typing import Any

import pytest
from msgspec.structs import replace

from kit.lengths import SEASONS, scaled
from kit.seasons import OWN, QUINQUEREMES, begun, do, faults, paired, played, refused
from strategic.season import SEASON
from strategic.season.rules.pairing import BYE, circle, count_meetings
from strategic.season.rules.standings import standings
from strategic.season.state import SETTINGS, Pairing, Round, Season, Why
from tactical.kernel.dice import Dice, random_source
from tactical.kernel.protocol import Illegal
from tactical.kernel.record import encode, plain, read


def all_matchings(players: list[str]) -> Any:
    """Every way to put everybody into pairs."""
    if not players:
        yield []
        return
    for other in players[1:]:
        rest = [name for name in players[1:] if name != other]
        for more in all_matchings(rest):
            yield [(players[0], other), *more]


# Pairings ------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("win", [1, 3, 20, 100])
@pytest.mark.parametrize("count", range(2, 9))
@pytest.mark.parametrize("by_chance", [False, True])
def test_o10_1_no_round_could_be_better_whatever_a_win_is_worth(count, win, by_chance):
    """An exhaustive search in every round of a season of up to eight players; the better placed wins, or by chance."""
    rng, settings = random.Random(count * win), {"win": win, "bye": win, "damage": False}
    season = played(paired(begun(count, settings=settings)), rng)
    for _ in range(count):
        season = do(season, "pair")
        found = [
            pair.players if len(pair.players) == 2 else (*pair.players, BYE) for pair in season.now.pairings.values()
        ]
        before = replace(season, played=season.played[:-1])
        everybody = [*season.players, BYE] if count % 2 else list(season.players)
        assert faults(before, found) == min(faults(before, each) for each in all_matchings(everybody))
        season = do(season, "publish", round=season.now.number)
        for name in season.now.open():
            meet = season.now.pairings[name].players
            winner = rng.choice([*meet, None]) if by_chance else min(meet)
            season = do(season, "report", pairing=name, result={"winner": winner})


def test_o10_1_the_first_round_is_drawn_by_lot_and_the_last_of_it_has_the_bye():
    season, pair = begun(5), read({"type": "pair"}, SEASON.command)
    dice = Dice(secret=random_source(random.Random(3).randrange))
    drawn = SEASON.apply(season, "umpire", pair, dice).state
    lot = [name for each in drawn.now.pairings.values() for name in each.players]
    rest = list(season.players)
    order = [rest.pop(face) for face in dice.draws]
    assert lot == [*sorted(order[:2]), *sorted(order[2:4]), order[4]] and order != sorted(order)
    assert [len(each.players) for each in drawn.now.pairings.values()] == [2, 2, 1]
    assert [each.why.kind for each in drawn.now.pairings.values()] == ["lot", "lot", "lot_bye"]
    again = SEASON.apply(season, "umpire", pair, Dice(drawn=dice.draws)).state
    assert again == drawn, "the journal has the lots"
    with pytest.raises(LookupError):
        SEASON.apply(season, "umpire", pair, Dice())


def test_o10_1_a_season_of_an_earlier_version_goes_on_as_it_was_paired():
    old = begun(5)
    names = [("p1", "p5"), ("p2", "p4"), ("p3",)]
    first = {f"r1-{number}": Pairing(each, Why("first")) for number, each in enumerate(names, start=1)}
    season = replace(old, played=(Round(1, first, published=True),))
    season = paired(played(season))
    assert {"first"} == {each.why.kind for each in season.played[0].pairings.values()}
    assert "lot" not in {each.why.kind for each in season.now.pairings.values()}


@pytest.mark.parametrize("count", [2, 3, 6, 7, 8])
def test_o10_1_a_round_robin_has_each_pair_once(count):
    season = begun(count, pairing="round_robin")
    while not isinstance(why_not_pair(season), Illegal):
        season = played(paired(season))
    pairs = [frozenset(pair.players) for _round, pair in season.paired().values() if not pair.is_bye]
    assert sorted(map(sorted, pairs)) == sorted(map(list, combinations(season.players, 2)))
    assert len(season.played) == (count - 1 if count % 2 == 0 else count)
    first = [pair.players[0] for _round, pair in season.paired().values() if not pair.is_bye]
    assert max(map(first.count, season.players)) - min(map(first.count, season.players)) <= 2


def why_not_pair(season: Season) -> Any:
    return SEASON.why_not(season, "umpire", read({"type": "pair"}, SEASON.command))


def test_o10_1_a_round_of_the_circle_has_everybody_once():
    for count in (2, 5, 8):
        players = [f"p{number}" for number in range(count)]
        for number in range(1, 9):
            names = [name for pair in circle(players, number) for name in pair if name != BYE]
            assert sorted(names) == sorted(players)


def test_o10_1_swiss_pairs_near_scores_and_nobody_twice_and_a_bye_once_each():
    season = begun(7)
    for _ in range(5):
        season = played(paired(season))
    assert max(count_meetings(season).values()) == 1
    sat_out = [pair.players[0] for _round, pair in season.paired().values() if pair.is_bye]
    assert len(sat_out) == len(set(sat_out)) == 5
    kinds = {pair.why.kind for _round, pair in season.paired().values()}
    assert kinds <= {"lot", "lot_bye", "near", "same", "bye"} and {"lot", "lot_bye", "bye"} <= kinds


def test_o10_1_a_rematch_says_so():
    season = played(paired(begun(2)))
    season = paired(season)
    assert season.now.pairings["r2-1"].why.kind == "rematch" and season.now.pairings["r2-1"].players == ("p2", "p1")


def test_o10_1_who_joins_late_is_paired_from_the_next_round_and_who_withdraws_no_more():
    season = do(paired(begun(4)), "enroll", name="Late")
    assert season.players["p5"].since == 2
    season = do(season, "withdraw", "p1", player="p1")
    season = paired(played(season))
    assert {name for pair in season.now.pairings.values() for name in pair.players} == {"p2", "p3", "p4", "p5"}
    season = paired(played(do(season, "return", player="p1")))
    assert "p1" in {name for pair in season.now.pairings.values() for name in pair.players}


def test_o10_1_a_round_robin_with_a_late_player_has_no_pair_twice():
    season = played(paired(begun(4, pairing="round_robin")))
    season = do(season, "enroll", name="Late")
    for _ in range(12):
        if isinstance(why_not_pair(season), Illegal):
            break
        season = played(paired(season))
    assert set(count_meetings(season).values()) == {1} and len(count_meetings(season)) == 10


def test_o10_1_the_organizer_changes_pairings_until_they_are_published():
    season = do(begun(4), "pair")
    assert "of round 1 that are still missing: 2" in refused(season, "pair")
    acted_on = do(season, "report", pairing="r1-1", result={"winner": "p1"})
    assert acted_on.now.published, "a result publishes its round"
    assert "is not in any pairing" in refused(season, "rearrange", round=1, pairings=[["p1", "p2"]])
    assert "twice" in refused(season, "rearrange", round=1, pairings=[["p1", "p2"], ["p1", "p3"], ["p4"]])
    assert "not the one" in refused(season, "rearrange", round=2, pairings=[])
    season = do(season, "rearrange", round=1, pairings=[["p3", "p2"], ["p4"], ["p1"]])
    assert [pair.players for pair in season.now.pairings.values()] == [("p3", "p2"), ("p4",), ("p1",)]
    assert [pair.why.kind for pair in season.now.pairings.values()] == ["organizer", "organizer_bye", "organizer_bye"]
    season = do(season, "publish", round=1)
    assert "its pairings can no longer be changed" in refused(
        season, "rearrange", round=1, pairings=[["p1", "p2"], ["p3", "p4"]]
    )
    assert "of round 1 that are still missing: 1" in refused(season, "pair")


def test_o10_1_pairing_is_the_organizers():
    for kind, fields in (("pair", {}), ("publish", {"round": 1}), ("end", {}), ("enroll", {"name": "X"})):
        refused(do(begun(2), "pair"), kind, "p1", **fields)


# Results -------------------------------------------------------------------------------------------------


def test_o10_1_a_players_report_waits_for_the_others_word():
    season = paired(begun(2))
    season = do(
        season, "report", "p1", pairing="r1-1", side="p1", result={"winner": "p1", "points": {"p1": 7, "p2": 2}}
    )
    assert season.now.pairings["r1-1"].result is None and SEASON.waiting_for(season) == ("p2",)
    assert "other player" in refused(season, "agree", "p1", pairing="r1-1", side="p1")
    refused(season, "agree", "p1", pairing="r1-1", side="p2")
    fallen = do(season, "agree", "p2", pairing="r1-1", side="p2", agrees=False)
    assert fallen.now.pairings["r1-1"].proposed is None
    season = do(season, "agree", "p2", pairing="r1-1", side="p2")
    assert season.now.pairings["r1-1"].result.points == {"p1": 7, "p2": 2}
    assert "only the organizer" in refused(season, "report", "p2", pairing="r1-1", side="p2", result={"winner": "p2"})
    corrected = do(season, "report", pairing="r1-1", result={"winner": None})
    assert [row.points for row in standings(corrected)] == [1, 1]


@pytest.mark.parametrize(
    ("result", "says"),
    [
        ({"winner": "p9"}, "not in this pairing"),
        ({"winner": "p1", "points": {"p9": 1}}, "not in this pairing"),
        ({"winner": "p1", "points": {"p1": -1}}, "from 0"),
        ({"winner": "p1", "played": False, "points": {"p1": 1}}, "not played"),
        ({"winner": "p9", "played": False}, "not in this pairing"),
        ({"winner": "p2", "outcome": {"winner": "p1"}}, "another winner"),
        ({"outcome": {"winner": "p1", "sides": {"p2": {"sunk": 9}}}}, "cannot lose"),
        ({"outcome": {"winner": "p1", "sides": {"rome": {"sunk": 1}}}}, "not in this pairing"),
    ],
)
def test_o10_1_a_result_that_contradicts_itself_changes_nothing(result, says):
    assert says in refused(paired(begun(2)), "report", pairing="r1-1", result=result)


def test_o10_1_what_was_not_played_gives_nobody_anything():
    season = paired(begun(2))
    refused(season, "report", "p1", pairing="r1-1", side="p1", result={"played": False})
    season = do(season, "report", pairing="r1-1", result={"played": False})
    assert [row.points for row in standings(season)] == [0, 0] and season.players["p1"].repairs == 0


# Ships ---------------------------------------------------------------------------------------------------


def after_a_battle(lost: dict[str, Any] | None = None, **fields: Any) -> Season:
    """Two players after a first battle that p1 has won."""
    outcome = {"winner": "p1", "turns": 6, "sides": {"p1": {"damage": {"s1": 3}}, "p2": {"fled": True, **(lost or {})}}}
    return do(paired(begun(2, **fields)), "report", pairing="r1-1", result={"outcome": outcome})


def test_o10_1_ships_come_home_with_their_damage_and_what_is_lost_is_lost():
    season = after_a_battle({"sunk": 1, "sunk_ships": ["s2"], "captured": 1})
    assert season.players["p1"].ships["s1"].damage == 3
    statuses = [ship.status for ship in season.players["p2"].ships.values()]
    assert statuses == ["afloat", "sunk", "afloat", "captured"]
    assert [row.breaks["ships"] for row in standings(season)] == [2, 0]


def test_o10_1_a_ship_is_repaired_with_points_and_a_lost_one_replaced():
    season = after_a_battle({"sunk": 1, "sunk_ships": ["s2"]})
    assert season.players["p1"].repairs == 6
    assert "from 1 to 3" in refused(season, "repair", "p1", player="p1", ship="s1", points=4)
    assert "is not damaged" in refused(season, "repair", "p1", player="p1", ship="s2", points=1)
    assert "6 points left" in refused(season, "repair", "p2", player="p2", ship="s2", points=8)
    season = do(season, "repair", "p1", player="p1", ship="s1", points=2)
    assert season.players["p1"].ships["s1"].damage == 1 and season.players["p1"].repairs == 4
    season = played(paired(season))
    season = do(season, "repair", "p2", player="p2", ship="s2", points=8)
    assert season.players["p2"].ships["s2"].status == "afloat" and season.players["p2"].repairs == 4
    assert "under way" in refused(paired(season), "repair", "p1", player="p1", ship="s1", points=1)


def test_o10_1_crews_learn_by_battles_and_are_shaken_by_losses():
    season = played(paired(after_a_battle()))
    assert {ship.crew for ship in season.players["p1"].ships.values()} == {"elite"}
    shaken = after_a_battle({"sunk": 2, "sunk_ships": ["s1", "s2"]})
    assert [ship.crew for ship in shaken.players["p2"].ships.values()][2:] == ["poor", "poor"]


def test_o10_1_where_the_organizer_has_said_so_every_fleet_is_whole_in_each_round():
    season = after_a_battle({"sunk": 1, "sunk_ships": ["s2"]}, settings={"damage": False})
    assert all(ship.status == "afloat" and not ship.damage for ship in season.players["p2"].ships.values())


def test_o10_1_a_fleet_holds_to_the_seasons_points_and_to_its_navy():
    season = begun(0, points=25)
    assert "worth 40 points" in refused(season, "enroll", name="Big", ships=QUINQUEREMES)
    elite = [{**ship, "crew": "elite", "corvus": True} for ship in QUINQUEREMES]
    assert "worth 55 points" in refused(season, "enroll", name="Big", navy="roman", ships=QUINQUEREMES)
    assert "worth 70 points" in refused(season, "enroll", name="Big", navy="roman", ships=elite)
    assert "no ship of the type" in refused(season, "enroll", name="Odd", ships=[{"type": "liner"}])
    season = do(season, "enroll", name="Fair", ships=QUINQUEREMES[:2])
    assert "already a player" in refused(season, "enroll", name="fair")
    season = do(season, "set_fleet", "p1", player="p1", navy="roman", ships=QUINQUEREMES[:1])
    assert len(season.players["p1"].ships) == 1
    fought = played(paired(do(season, "enroll", name="Other")))
    assert "has already fought" in refused(fought, "set_fleet", "p1", player="p1", navy="roman", ships=[])


# Standings -----------------------------------------------------------------------------------------------


def unplayed(season: Season, name: str, winner: str | None = None) -> Season:
    return do(season, "report", pairing=name, result={"winner": winner, "played": False})


def test_o10_1_only_battles_that_were_fought_count_in_tie_breaks():
    season = played(paired(begun(4, settings={"unplayed": 1})))
    breaks = {row.player: row.breaks for row in standings(season)}
    assert {row["opponents"] for row in breaks.values()} == {0, 3}
    season = paired(season)
    assert {row.player: row.breaks for row in standings(season)} == breaks, "a round that is only published"
    for name in season.now.open():
        season = unplayed(season, name)
    after = {row.player: row for row in standings(season)}
    fought = {line.against for line in after["p1"].break_sums["opponents"]}
    assert fought == {"p2"} and all(
        line.how in ("won", "lost") for row in after.values() for line in row.break_sums["head_to_head"]
    )
    assert [row.points for row in standings(season)] == [4, 4, 1, 1]


def test_o10_1_a_victory_by_forfeit_has_the_points_and_is_no_battle():
    season = unplayed(paired(begun(2, rounds=3)), "r1-1", "p1")
    rows = {row.player: row for row in standings(season)}
    assert (rows["p1"].points, rows["p1"].won, rows["p2"].points, rows["p2"].lost) == (3, 0, 0, 0)
    assert [line.how for line in rows["p1"].sum] == ["forfeit_won"] and rows["p1"].breaks["opponents"] == 0
    assert season.players["p1"].repairs == 0
    assert do(season, "pair").now.pairings["r2-1"].why.kind == "near", "they have not met yet"


def test_o10_1_each_number_of_the_standings_is_the_sum_of_its_lines():
    season = played(paired(played(paired(begun(3)))))
    for row in standings(season):
        assert row.points == sum(line.points for line in row.sum)
        assert row.breaks == {name: sum(line.points for line in row.break_sums[name]) for name in row.breaks}
        opponents = {line.against: line.points for line in row.break_sums["opponents"]}
        assert opponents == {other.player: other.points for other in standings(season) if other.player in opponents}
        assert row.won + row.drawn + row.lost + sum(line.how == "bye" for line in row.sum) == len(row.sum)


def test_o10_1_tie_breaks_count_in_the_organizers_order():
    reports = {"r1-1": ("p1", {"p1": 9}), "r1-2": ("p2", {"p2": 1})}
    for order, best in ((("ships",), "p1"), (("opponents", "ships"), "p1"), ((), "p1")):
        season = paired(begun(4, settings={"tie_breaks": order}))
        for name, pair in season.now.pairings.items():
            winner = pair.players[0]
            points = {winner: 9 if name == "r1-1" else 1}
            season = do(season, "report", pairing=name, result={"winner": winner, "points": points})
        rows = standings(season)
        assert rows[0].player == best and (rows[1].place == 2) is bool(order) and rows[0].points == rows[1].points
    assert reports


def test_o10_1_after_its_end_a_season_takes_nothing_more():
    season = do(played(paired(begun(2))), "end")
    assert "is over" in refused(season, "pair") and SEASON.is_over(season)
    assert "still missing" in refused(paired(begun(2)), "end")


# Whole seasons -------------------------------------------------------------------------------------------


def random_season(seed: int) -> Season:
    """A season at random, with every command there is but the end and an adjust; invariants after each."""
    rng = random.Random(seed)
    season = begun(
        rng.randint(2, 9),
        pairing=rng.choice(["swiss", "round_robin"]),
        rounds=rng.choice([None, 3, 5]),
        settings={
            "damage": rng.random() < 0.7,
            "tie_breaks": rng.sample(["opponents", "ships", "head_to_head"], 2),
            "overdue": rng.choice(["wait", "report", "unplayed"]),
        },
    )
    if rng.random() < 0.3:
        season = do(season, "set_types", types=OWN, prices={"liburna": 5})
    for _ in range(6):
        if rng.random() < 0.3:
            bye = rng.choice(["half", "full", "zero", ""])
            coming, id = len(season.played) + rng.randint(1, 2), rng.choice(list(season.players))
            if coming <= (season.rounds or 6):
                season = do(season, "ask_bye", player=id, round=coming, bye=bye)
        if rng.random() < 0.1:
            season = do(season, "keep_apart", players=rng.sample(list(season.players), 2))
        if rng.random() < 0.3:
            ships = [{"type": "liburna"}] if season.types and rng.random() < 0.5 else QUINQUEREMES[:2]
            season = do(season, "enroll", name=f"Late {len(season.players)}", navy="roman", ships=ships)
        player = rng.choice(list(season.players))
        if rng.random() < 0.2 and season.players[player].until is None:
            season = do(season, "withdraw", player, player=player)
        if why_not_pair(season) is not None:
            continue
        there = season.entered(len(season.played) + 1)
        season = do(season, "pair", scenario=rng.choice(list(SETTINGS.scenario)))
        if rng.random() < 0.3:
            season = do(season, "schedule", round=season.now.number, due=f"2026-12-{season.now.number:02}T22:00")
        if rng.random() < 0.2:
            names = list(there)
            rng.shuffle(names)
            pairs = [names[at : at + 2] for at in range(0, len(names), 2)]
            apart = season.kept_apart(season.now.number)
            pairs = [
                part for each in pairs for part in ([each] if frozenset(each) not in apart else [each[:1], each[1:]])
            ]
            season = do(season, "rearrange", round=season.now.number, pairings=pairs)
        season = do(season, "publish", round=season.now.number)
        for name in season.now.open():
            one = rng.choice(season.now.pairings[name].players)
            if rng.random() < 0.3:
                season = do(season, "arrange", one, pairing=name, side=one, at="2026-12-01T19:00", place="the club")
            if rng.random() < 0.3:
                season = do(season, "substitute", one, pairing=name, player=one, name=rng.choice(["Zoe", ""]))
            season = settle(season, name, rng)
        for id, player in season.players.items():
            for ship, each in player.ships.items():
                if each.status == "afloat" and each.damage and player.repairs and rng.random() < 0.5:
                    points = min(each.damage, season.players[id].repairs)
                    season = do(season, "repair", id, player=id, ship=ship, points=points) if points else season
    return season


def settle(season: Season, name: str, rng: random.Random) -> Season:
    """A pairing's result at random, by a player with the other's word or by the organizer."""
    pair = season.now.pairings[name]
    winner = rng.choice([*pair.players, None])
    sides = {}
    for id in pair.players:
        afloat = [ship for ship, each in season.players[id].ships.items() if each.status == "afloat"]
        sunk = rng.sample(afloat, rng.randint(0, len(afloat) // 2))
        rest = [ship for ship in afloat if ship not in sunk]
        sides[id] = {"sunk": len(sunk), "sunk_ships": sunk, "damage": {ship: rng.randint(0, 3) for ship in rest}}
        sides[id]["fled"] = winner not in (None, id)
    result = rng.choice([{"winner": winner}, {"outcome": {"winner": winner, "turns": 5, "sides": sides}}])
    if rng.random() < 0.1:
        return unplayed(season, name, winner)
    if rng.random() < 0.5:
        return do(season, "report", pairing=name, result=result)
    one, other = rng.sample(pair.players, 2)
    season = do(season, "report", one, pairing=name, side=one, result=result)
    if season.settings.overdue in ("report", "unplayed") and season.now.due:
        return do(season, "lapse", pairing=name)
    return do(season, "agree", other, pairing=name, side=other)


@pytest.mark.parametrize("seed", range(40))
def test_o10_1_seasons_at_random_keep_their_invariants_and_post_back(seed):
    season = random_season(seed)
    again = SEASON.start(None, plain(SEASON.view(season, "umpire")), {}, Dice()).state
    assert encode(again) == encode(season)


@pytest.mark.soak
def test_o10_1_many_seasons_at_random_keep_their_invariants():
    for seed in range(scaled(SEASONS)):
        random_season(1000 + seed)
