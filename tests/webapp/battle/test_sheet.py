"""The sheet and the roll of dice say the numbers of the tables that the rules read."""

from __future__ import annotations

import msgspec
import pytest

from tactical.rules import boarding, end_of_turn
from tactical.ship import BROKEN_OARS, TYPES, Ship, cruise, turn_cycle
from webapp.pages.battle import dice, sheet


@pytest.fixture
def lines(battle, store, app):
    """Every line of r1's sheet, as the umpire reads it of a ship with broken oars and a breach."""
    state = store.load(battle()["rome"].game).state
    changed = state.with_ship("r1", msgspec.structs.replace(state.ships["r1"], oars_broken=True, breaches=2, heavy=3))

    def read() -> str:
        with app.test_request_context("/"):
            return "\n".join(line for value in sheet.values(changed, "r1", "umpire") for line in value.sums)

    return read


def test_g8_3_the_sheet_says_on_what_a_marine_kills(lines, app, monkeypatch):
    assert "kills one enemy on 4–6." in lines() and "kills one enemy on 3–6." not in lines()
    monkeypatch.setitem(boarding.HITS, "heavy", (3, 4, 5, 6))
    assert "kills one enemy on 3–6." in lines() and boarding.kills({"heavy": (2, 3, 6)}) == 2
    with app.test_request_context("/"):
        assert dice.roll_meaning("G8.3", {"figure": "heavy"}) == "kills one enemy on 3–6"


def test_g9_2_the_sheet_says_what_closes_a_breach_and_what_an_open_one_costs(lines, app):
    assert "it is closed on 5–6, in a boarding fight only on 6." in lines()
    assert f"2 open: each adds {end_of_turn.REPAIR.flood} hull damage" in lines()
    with app.test_request_context("/"):
        assert dice.roll_meaning("G9.2", {}) == "a breach is closed on 5–6, in a fight only on 6"


def test_g7_3_the_sheet_says_what_broken_oars_cost(lines):
    assert (BROKEN_OARS.cruise, BROKEN_OARS.turn_cycle) == (-1, 1)
    kind, whole = TYPES["quinquereme"], Ship("rome", "quinquereme")
    broken = msgspec.structs.replace(whole, oars_broken=True)
    assert cruise(kind, broken) == cruise(kind, whole) - 1 and turn_cycle(kind, broken) == turn_cycle(kind, whole) + 1
    assert ", broken oars −1" in lines() and ", broken oars +1" in lines()
