"""The laboratory's fit: the value of a ship and O6.2 the table of quick dice find what made the battles, and tell errors.

What is kept of it is held against battles that were fought of each of thirty pairs (data/lab/pairs.toml), and kept with
their numbers in data/galley/fought.toml: the four historical battles and twenty-six fleets that the fit has not seen.
"""

import random
from math import exp, log

import pytest

from strategic.open_campaign.tables import TABLES
from tactical.captains.captain import wilson
from tactical.captains.worth import FOUGHT, WORTH, Kind, kind_of
from tactical.setup import all_scenarios
from webapp.lab.plan import Cell, Row
from webapp.lab.report import quick, values
from webapp.lab.values import EVEN, RATIOS, ROWS, SINKS, fights, quick_table, share, steps, worth_table

POINTS, ROWERS = {"trireme": 4.0, "quinquereme": 10.0}, {"poor": 0.7, "average": 1.0, "elite": 1.4}
STEEPNESS, SIZE = 1.5, 0.6


def points(name: str) -> float:
    """The points that we know of a ship as a cell names her."""
    ship = kind_of(name)
    roman = 1.5 if ship.navy == "roman" and ship.type == "quinquereme" else 1.0
    return POINTS[ship.type] * ROWERS[ship.crew] * roman * (1.3 if ship.corvus else 1.0)


def fought(number: int) -> tuple[list[Cell], list[Row]]:
    """So many pairs whose winner hangs on values that we know; a loser loses three of four ships in danger."""
    source = random.Random(1)
    cells, rows = [], []
    for name in range(number):
        sides: dict[str, dict[str, int]] = {}
        for side in ("west", "east"):
            crew, navy = source.choice(list(ROWERS)), source.choice(("roman", "hellenistic"))
            corvus, sides[side] = source.choice(("", "corvus")), {}
            for _ in range(source.randint(1, 8)):
                kind = source.choice(list(POINTS)) if navy == "hellenistic" else "quinquereme"
                ship = f"{navy}:{kind}:{crew}:{corvus}"
                sides[side][ship] = sides[side].get(ship, 0) + 1
        is_quick = name % 2 == 1
        cells.append(Cell(str(name), "drawn", {}, "able", "able", "1", 2, {}, {}, sides, 5 if is_quick else 0))
        for game in range(2):
            order = list(sides.values())[:: 1 if game == 0 else -1]
            one, other = (sum(points(ship) * n for ship, n in side.items()) for side in order)
            counts = [sum(side.values()) for side in order]
            odds = STEEPNESS * min(counts) ** SIZE * log(one / other)
            won = source.random() < 1 / (1 + exp(-odds))
            danger = [min(counts[0], SINKS * counts[1]), min(counts[1], SINKS * counts[0])]
            shares = (0.25, 0.75) if won else (0.75, 0.25)
            lost = [sum(source.random() < of for _ in range(ships)) for ships, of in zip(danger, shares, strict=True)]
            told = ("a" if won else "b", "", "west", 8, 0, 0, 9, *lost, 0, 0, f"{name}:{game}")
            rows.append(Row(str(name), game, "drawn", "{}", "able", "able", "1", *told))
    return cells, rows


def test_values_rowers_navies_and_corvus_are_found_again_with_their_errors():
    known = fights(*fought(1500))
    found = worth_table(known, "able")
    ships = found.ships
    assert ships["quinquereme"].points == 10 and abs(ships["trireme"].points - 4) < 0.8
    assert abs(ships["trireme"].elite - 1.4) < 0.2 and abs(ships["quinquereme"].poor - 0.7) < 0.1
    assert abs(ships["quinquereme"].roman - 1.5) < 0.2 and abs(ships["quinquereme"].corvus - 1.3) < 0.15
    assert abs(found.steepness - STEEPNESS) < 0.4 and abs(found.size - SIZE) < 0.25
    assert found.battles == len(known) == 3000 and found.level == "able" and found.spread < 0.2
    assert {name for name, _ in RATIOS[:4]} < found.errors.keys(), "uneven fleets too"
    assert all(0 <= each.error < 12 for each in found.errors.values())
    assert "quinquereme" in values(found) and values(None) == ""


def test_o6_2_the_losses_of_quick_dice_are_found_again_of_the_ships_in_danger():
    known = fights(*fought(1000))
    found = quick_table(known, "able")
    rows = {row.name: row for row in found.rows}
    assert abs(rows["beaten"].loser - 75) < 8 and abs(rows["beaten"].winner - 25) < 8
    assert found.battles == 1000 and list(found.shift) == sorted(found.shift) and found.over == 0
    assert all(each.chance < 12 and each.losses < 12 for each in found.errors.values())
    assert all(name in quick(found) for name, _ in ROWS) and quick(None) == ""


def test_a_battle_that_is_another_one_again_is_fitted_once():
    cells, rows = fought(4)
    twins = [*rows, Row("0", 2, *(getattr(rows[0], name) for name in Row.__struct_fields__[2:]))]
    assert len(fights(cells, twins)) == len(fights(cells, rows)) == 8


def test_o6_2_the_share_of_victories_is_that_of_two_dice():
    assert share(0) == 0.5 and EVEN == 7
    assert share(1) == (15 + 15 / 2) / 36, "9 to 13 of 3 to 13 won, 6 to 8 undecided"
    assert list(steps(2.0)) == sorted(steps(2.0))


# -- What is kept.


def test_what_is_kept_names_its_level_its_battles_and_its_errors_over_uneven_fleets():
    assert WORTH.level == TABLES.quick.level == "able"
    assert WORTH.battles == sum(WORTH.errors[name].battles for name, _ in RATIOS) > 2000
    assert TABLES.quick.fitted_to_battles == sum(TABLES.quick.errors[name][0] for name, _ in RATIOS) > 1000
    assert TABLES.quick.errors["all"] == (
        TABLES.quick.fitted_to_battles,
        TABLES.quick.error_in_wins,
        TABLES.quick.error_in_losses,
    )


PAIRS = [name for name, each in FOUGHT.items() if each.level == WORTH.level]


def told(name: str) -> tuple[float, float, float, float]:
    """The chance of the first side with its interval, and how often it won, of a kept pair; a draw counts half."""
    each = FOUGHT[name]
    one, other = each.won
    chance = WORTH.chance(each.ships(one), each.ships(other))
    return chance.share, chance.low, chance.high, (each.won[one] + each.drawn / 2) / each.battles


def test_thirty_pairs_are_kept_the_historical_battles_among_them():
    assert len(PAIRS) >= 30 and {"mylae", "drepana", "ecnomus", "salamis"} <= {*PAIRS}
    for name in {*PAIRS} & all_scenarios().keys():
        assert FOUGHT[name].won.keys() == all_scenarios()[name].sides.keys()


@pytest.mark.parametrize("name", PAIRS)
def test_the_value_of_a_ship_says_who_wins_within_its_interval(name):
    """The battles' own interval must meet it: of thirty battles the dice alone leave much open."""
    _chance, low, high, fought_share = told(name)
    battles = wilson(fought_share * FOUGHT[name].battles, FOUGHT[name].battles)
    assert low <= battles.high and battles.low <= high


def test_over_all_pairs_the_values_err_by_few_points():
    off = [abs(share_ - fought_share) for share_, _, _, fought_share in map(told, PAIRS)]
    assert sum(off) / len(off) < 0.12
    sure = [name for name in PAIRS if abs(told(name)[0] - 0.5) > 0.3]
    wrong = [name for name in sure if (told(name)[0] - 0.5) * (told(name)[3] - 0.5) <= 0]
    assert len(sure) >= 12 and len(wrong) <= 1


def test_rowers_navy_and_corvus_count_and_no_interval_has_no_width():
    elite, poor = ([Kind("trireme", crew=crew)] * 4 for crew in ("elite", "poor"))
    assert WORTH.chance(elite, poor).share > 0.85
    roman, punic = ([Kind("quinquereme", navy)] * 6 for navy in ("roman", "hellenistic"))
    assert WORTH.chance(roman, punic).share > 0.75
    corvus = [ship._replace(corvus=True) for ship in roman]
    assert WORTH.chance(corvus, punic).share > WORTH.chance(roman, punic).share
    same = WORTH.chance(punic, punic)
    assert same.share == 0.5 and same.high - same.low > 0.1 and same.is_open
    lone = WORTH.chance([Kind("quinquereme")] * 20, [Kind("bireme")])
    assert lone.low < lone.share < lone.high
    assert WORTH.fleet(punic).low < WORTH.fleet(punic).points == 60 < WORTH.fleet(punic).high
    assert WORTH.fleet([Kind("transport")]).unknown == ("transport",)
