"""O10.1 Tournament files (FIDE's TRF of 2016 and 2026): in, out, there and back, and what is wrong in which column."""

from __future__ import annotations

import random
import re
from collections import deque
from typing import Any

import pytest

from kit.seasons import CLUB_2016, begun, do, paired, played, swiss_season
from strategic.season import SEASON
from strategic.season.rules.standings import how, points_of, standings
from strategic.season.state import Apart, AskedBye, Season
from strategic.season.tournament_file import MOST_CHARACTERS, read_tournament, write_tournament
from tactical.kernel.dice import Dice
from tactical.kernel.protocol import Illegal
from tactical.kernel.record import BadInput, plain

CLUB_2026 = """\
### what follows is the same tournament
012 Winter cup
142 5
162  W 1.0    D 0.5    L 0.0    A 0.0    P 1.0
192 FIDE_DUTCH
260 001 005    1    3
240 Z 004    2
240 H 005    1    4
""" + "".join(line for line in CLUB_2016.splitlines(keepends=True) if line.startswith("001"))


def results(season: Season) -> dict[str, list[str]]:
    """What each round was to each player."""
    return {
        player: [
            next((how(each, player) for each in now.pairings.values() if player in each.players), "")
            for now in season.played
        ]
        for player in season.players
    }


@pytest.mark.parametrize("text", [CLUB_2016, CLUB_2026])
@pytest.mark.parametrize("end", ["\n", "\r\n", "\r"])
def test_o10_1_a_tournament_file_becomes_a_season(text, end):
    season, left_out, notes = read_tournament("\ufeff" + text.replace("\n", end))
    again = SEASON.start(None, plain(season), {}, Dice()).state
    assert again == season and SEASON.invariants(season) == ()
    assert (season.title, season.pairing, season.rounds) == ("Winter cup", "swiss", 5)
    assert (season.settings.win, season.settings.draw, season.settings.bye) == (2, 1, 2)
    assert [player.name for player in season.players.values()] == [
        "Rossi, Anna",
        "Bianchi, Bruno",
        "Verdi, Carla",
        "Neri, Dino",
        "Núñez, Elsa",
    ]
    assert [player.rating for player in season.players.values()] == [1850, 1700, 0, 0, 0]
    assert [(player.since, player.until) for player in season.players.values()] == [
        (1, None),
        (1, 2),
        (1, None),
        (3, None),
        (3, None),
    ]
    assert results(season) == {
        "p1": ["won", "half_bye", "lost"],
        "p2": ["lost", "won", ""],
        "p3": ["bye", "lost", "forfeit_lost"],
        "p4": ["", "", "won"],
        "p5": ["", "", "forfeit_won"],
    }
    assert ("p4", "p1") in [each.players for each in season.now.pairings.values()], "white is named first"
    assert points_of(season) == {"p1": 3, "p2": 2, "p3": 2, "p4": 2, "p5": 2}
    assert season.apart == (Apart(("p1", "p3")),)
    assert season.players["p1"].byes == ((AskedBye(5, "half"),) if text == CLUB_2026 else ())
    assert [code for code, _why in left_out] == (["022"] if text == CLUB_2016 else [])
    assert [re.sub(r"line \d+", "line", str(note)) for note in notes] == [
        "line: Bianchi, Bruno has left, after round 2"
    ]


def by_bytes(text: str) -> str:
    """A file as programs write it that pad the bytes of UTF-8 to 33, and not the letters."""
    lines = text.splitlines()
    names = [line[14:47].rstrip() for line in lines]
    return "\n".join(
        f"{line[:14]}{name}{' ' * (33 - len(name.encode()))}{line[47:]}" if line.startswith("001") else line
        for line, name in zip(lines, names, strict=True)
    )


@pytest.mark.parametrize("name", ["Núñez, Elsa", "Ёжикова, Анна", "Łoś, Żaneta"])
def test_o10_1_columns_that_were_counted_in_bytes_are_found(name):
    text = CLUB_2016.replace("Núñez, Elsa".ljust(20), name.ljust(20))
    assert by_bytes(text) != text
    assert read_tournament(by_bytes(text)) == read_tournament(text)


def test_o10_1_halves_are_read_with_a_comma_and_as_a_sign():
    text = CLUB_2016.replace("     2 w 1", "     2 w ½").replace("     1 b 0", "     1 b ½").replace("1.5 ", "1,0 ")
    season = read_tournament(text).season
    assert [results(season)[player][0] for player in ("p1", "p2")] == ["drawn", "drawn"]


@pytest.mark.parametrize("edition", ["2016", "2026"])
@pytest.mark.parametrize("seed", range(30))
def test_o10_1_a_season_that_goes_out_comes_in_again(seed, edition):
    for season in swiss_season(seed):
        text = write_tournament(season, edition)
        assert text.isascii() or "Núñez" in text
        assert all(line == line.rstrip("\n") for line in text.split("\r\n"))
        read = read_tournament(text)
        assert not read.left_out and not [note for note in read.notes if "points" in note.form]
        again = SEASON.start(None, plain(read.season), {}, Dice()).state
        assert write_tournament(again, edition) == text
        worth = season.settings.win // again.settings.win
        assert [(row.player, row.place, row.points) for row in standings(season)] == [
            (row.player, row.place, worth * row.points) for row in standings(again)
        ] or worth != 1
        absent = ("", "zero_bye")
        for own, read_own in zip(results(season).values(), results(again).values(), strict=True):
            assert [each if each not in absent else "" for each in own] == [
                each if each not in absent else "" for each in read_own
            ]
        now = len(season.played) + 1
        assert season.kept_apart(now) == again.kept_apart(now)
        assert set(season.entered(now)) == set(again.entered(now)) or now > (season.rounds or 0)


def test_o10_1_a_round_under_way_goes_out_without_its_results_and_a_draft_does_not():
    season = played(paired(begun(4, rounds=3)))
    drafted = do(season, "pair")
    assert write_tournament(drafted, "2026") == write_tournament(season, "2026")
    under_way = do(drafted, "publish", round=2)
    under_way = do(under_way, "report", pairing="r2-1", result={"winner": None})
    again = read_tournament(write_tournament(under_way, "2026")).season
    assert sorted(results(again)[player][1] for player in again.players) == ["drawn", "drawn", "open", "open"]


def test_o10_1_halves_are_written_where_a_draw_is_half_a_victory():
    for settings, edition, said in (
        ({"win": 2, "draw": 1, "bye": 2}, "2026", None),
        ({"win": 3, "draw": 1, "bye": 3}, "2026", "162  W 3.0    D 1.0    L 0.0    P 3.0"),
        ({"win": 3, "draw": 1, "bye": 3, "unplayed": 1}, "2016", "BBF  1.0"),
        ({"win": 3, "draw": 1, "bye": 2}, "2016", "BBU  2.0"),
        ({"win": 4, "draw": 2, "bye": 4}, "2016", None),
    ):
        season = do(paired(begun(3, settings=settings)), "report", pairing="r1-1", result={"winner": None})
        lines = write_tournament(season, edition).splitlines()
        points = [line[80:84] for line in lines if line.startswith("001")]
        assert (
            said in lines
            if said
            else points[:2] == [" 0.5", " 0.5"] and not [line for line in lines if line[:3] in ("162", "XXS")]
        )
        read = read_tournament("\n".join(lines)).season.settings
        ratio = season.settings.win // read.win
        assert [getattr(season.settings, name) for name in ("win", "draw", "loss", "bye", "unplayed")] == [
            ratio * getattr(read, name) for name in ("win", "draw", "loss", "bye", "unplayed")
        ]


def test_o10_1_scores_that_have_no_room_are_refused():
    season = played(paired(begun(2, settings={"win": 100, "draw": 1, "bye": 100})))
    with pytest.raises(Illegal) as wrong:
        write_tournament(season, "2026")
    assert "99.9" in str(wrong.value)
    with pytest.raises(Illegal) as wrong:
        write_tournament(begun(2, settings={"unplayed": 1}), "2026")
    assert "Take that of 2016" in str(wrong.value)


def test_o10_1_points_of_the_file_that_are_not_those_of_its_results_are_told():
    notes = read_tournament(CLUB_2016.replace("  1.5    2 ", "  2.5    2 ")).notes
    assert "line 6: the file gives Rossi, Anna 2.5 points; the results come to 1.5" in map(str, notes)


def changed(line: int, start: int, new: str) -> str:
    """The file of 2016 with other letters from a column of a line on."""
    lines = CLUB_2016.splitlines()
    old = lines[line - 1].ljust(start + len(new))
    lines[line - 1] = old[: start - 1] + new + old[start - 1 + len(new) :]
    return "\n".join(lines)


@pytest.mark.parametrize(
    ("text", "where", "says"),
    [
        (changed(6, 5, "   x"), "line 6, column 5", "not a number"),
        (changed(7, 5, "   1"), "line 7, column 5", "line 6 has the number 1 too"),
        (changed(7, 15, "Rossi,  Anna  "), "line 7, column 15", "line 6 has the name"),
        (changed(7, 15, " " * 30), "line 7, column 15", "1 to 60"),
        (changed(6, 48, "x"), "line 6, column 48", "must be empty"),
        (changed(6, 49, "18.0"), "line 6, column 49", "not a number"),
        (changed(6, 81, " one"), "line 6, column 81", "not a number of points"),
        (changed(6, 92, "   9"), "line 6, column 92", "no player with the number 9"),
        (changed(6, 92, "   3"), "line 6, column 92", "line 8 says something else"),
        (changed(6, 92, "   1"), "line 6, column 92", "line 6 says something else"),
        (changed(6, 97, "b"), "line 6, column 92", "line 7 says something else"),
        (changed(6, 97, "x"), "line 6, column 92", "is not a result"),
        (changed(6, 99, "="), "line 6, column 92", "line 7 says something else"),
        (changed(6, 99, "?"), "line 6, column 92", "is not a result"),
        (changed(6, 100, "1"), "line 6, column 100", "must be empty"),
        (changed(6, 102, "0000 - 1"), "line 6, column 102", "is not a result"),
        (changed(3, 5, "many"), "line 3, column 4", "not a number"),
        (changed(3, 5, "65"), "line 3, column 4", "from 1 to 64"),
        (changed(4, 5, "1 9"), "line 4, column 7", "no player with the number 9"),
        (changed(4, 5, "1 1"), "line 4, column 5", "two or more"),
        (changed(5, 5, "x"), "line 5, column 5", "not a number"),
        (CLUB_2026.replace("240 Z", "240 Q"), "line 7, column 5", "not a kind of bye"),
        (CLUB_2026.replace("240 Z 004", "240 Z 000"), "line 7, column 7", "from 1 to 64"),
        (CLUB_2026.replace("260 001 005", "260 005 001"), "line 6, column 9", "before the first"),
        (CLUB_2026.replace("D 0.5", "D 0:5"), "line 4, column 15", "not a number of points"),
        (CLUB_2026.replace("D 0.5", "Q 0.5"), "line 4, column 15", "no result called Q"),
    ],
)
def test_o10_1_a_bad_line_is_named_with_its_column(text, where, says):
    with pytest.raises(BadInput) as wrong:
        read_tournament(text)
    assert where in str(wrong.value) and says in str(wrong.value)


@pytest.mark.parametrize(
    ("text", "says"),
    [
        ("", "no player"),
        ("012 Nobody\r\n", "no player"),
        ("x" * (MOST_CHARACTERS + 1), "at most"),
        (
            "\n".join(f"001 {n:>4}      Player {n}" for n in range(1, 66)),
            "line 65, column 1: a season may have at most 64 players",
        ),
        ("001    1      Anna" + " " * 73 + "0000 - Z  " * 65, "column 732: a season may have at most 64 rounds"),
        (
            CLUB_2016.replace("     2 w 1  ", "     2 w    ").replace("     1 b 0  ", "     1 b    "),
            "line 6, column 99: the result of this battle is missing",
        ),
    ],
)
def test_o10_1_a_file_that_is_no_tournament_or_too_large_is_refused(text, says):
    with pytest.raises(BadInput) as wrong:
        read_tournament(text)
    assert says in str(wrong.value)


@pytest.mark.parametrize("seed", range(200))
def test_o10_1_any_letters_in_a_file_are_read_or_refused_in_a_sentence(seed):
    """One to three letters of a good file are changed; what still comes in keeps all that holds of a season."""
    rng = random.Random(seed)
    letters = deque((CLUB_2016, CLUB_2026)[seed % 2])
    for _ in range(rng.randint(1, 3)):
        letters[rng.randrange(len(letters))] = rng.choice(" 0123456789-+=wbHFUZ\t\n\x85\u2028x,.")
    try:
        read: Any = read_tournament("".join(letters))
        SEASON.start(None, plain(read.season), {}, Dice())
    except BadInput as wrong:
        assert wrong.reason
        return
    assert SEASON.invariants(read.season) == ()
    write_tournament(read.season, "2026")
