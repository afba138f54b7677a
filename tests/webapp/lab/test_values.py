"""O6.2 The laboratory's fit of the table of quick dice: it finds what made the battles, and says how far it errs."""

import random

from webapp.lab.plan import Cell, Row
from webapp.lab.quick_dice import EVEN, ROWS, fit, share, strength
from webapp.lab.report import quick_table

VALUES, CREWS = {"trireme": 2.0, "quinquereme": 5.0}, {"poor": 0.7, "average": 1.0, "elite": 1.4}


def fought(number):
    """So many meetings whose winner hangs on the ratio of values that we know, and a loser that loses three of four."""
    source = random.Random(1)
    cells, rows = [], []
    for name in range(number):
        sides = {}
        for side in ("west", "east"):
            crew, sides[side] = source.choice(list(CREWS)), {}
            for _ in range(source.randint(3, 8)):
                kind = f"{source.choice(list(VALUES))}:{crew}"
                sides[side][kind] = sides[side].get(kind, 0) + 1
        cells.append(Cell(str(name), "random", {}, "able", "able", "1", 2, {}, sides))
        a, b = (sum(VALUES[k.split(":")[0]] * CREWS[k.split(":")[1]] * n for k, n in sides[s].items()) for s in sides)
        for game in range(2):
            one, other = (a, b) if game == 0 else (b, a)
            counts = [sum(sides[side].values()) for side in sides][:: 1 if game == 0 else -1]
            won = source.random() < one**3 / (one**3 + other**3)
            lost = [round(count * (0.25 if won == (place == 0) else 0.75)) for place, count in enumerate(counts)]
            told = ("a" if won else "b", "", "west", 8, 0, 0, 9, *lost, 0, 0)
            rows.append(Row(str(name), game, "random", "{}", "able", "able", "1", *told))
    return cells, rows


def test_o6_2_values_rowers_and_losses_are_found_again_with_their_error():
    found = fit(*fought(500))
    assert abs(found.values["trireme"] - 2.0) < 0.5 and found.values["quinquereme"] == 5.0
    assert abs(found.crews["elite"] - 1.4) < 0.2 and abs(found.crews["poor"] - 0.7) < 0.15
    assert abs(found.steepness - 3) < 0.7 and list(found.shift) == sorted(found.shift)
    rows = {row.name: row for row in found.rows}
    assert abs(rows["beaten"].loser - 75) < 5 and abs(rows["beaten"].winner - 25) < 5
    assert found.battles == 1000 and sum(each.battles for each in found.checked) == 200
    assert 0 < found.error_chance < 12 and 0 < found.error_loss < 12
    assert strength(found, {"quinquereme:average": 2}) == 10
    page = quick_table(found)
    assert all(name in page for name, _ in ROWS) and quick_table(None) == ""


def test_o6_2_the_share_of_victories_is_that_of_two_dice():
    assert share(0) == 0.5 and EVEN == 7
    assert share(1) == (15 + 15 / 2) / 36, "9 to 13 of 3 to 13 won, 6 to 8 undecided"
    assert fit([], []) is None
