"""A tap that another seat's act has overtaken: carried out where the page would show it as before, else said plainly."""

from __future__ import annotations

import json
import re
from typing import Any

import pytest

from kit.readers import DUEL

AHEAD = {"type": "step", "turn": "none"}


def moving(at: dict[str, list[int]] | None = None, **more: Any) -> dict[str, Any]:
    """The duel in the first phase in which all its ships step; `at` puts some of them elsewhere."""
    ships = {name: {**ship, "at": (at or {}).get(name, ship["at"])} for name, ship in DUEL["ships"].items()}
    return {**DUEL, "ships": ships, "step": "move", "phase": 3, "options": {"edge": "wall"}, **more}


def step(ship: str, turn: str = "none") -> str:
    return json.dumps({"type": "step", "ship": ship, "turn": turn})


def refused(answer: Any) -> str:
    """The sentence of a refusal."""
    said = re.search(r'id="refused"[^>]*>\s*<p>(.*?)</p>', answer.text, re.S)
    assert said is not None and answer.status_code == 409
    return said[1]


def test_an_order_of_ones_own_is_carried_out_though_the_enemy_has_rowed(battle, store):
    seats = battle(moving())
    assert seats["carthage"].give(step("c1"), 0).status_code == 200
    answer = seats["rome"].give(step("r1"), 0)
    assert answer.status_code == 200 and 'id="refused"' not in answer.text
    entry = store.entry(seats["rome"].game, 2)
    assert (entry.seat, entry.command["ship"]) == ("rome", "r1")


def test_all_ahead_is_carried_out_though_the_enemy_has_rowed(battle, store):
    seats = battle(moving())
    seats["carthage"].give(step("c1"), 0)
    all_ahead = json.dumps({"type": "together", "commands": [{**AHEAD, "ship": name} for name in ("r1", "r2")]})
    assert seats["rome"].give(all_ahead, 0).status_code == 200
    assert store.game(seats["rome"].game).version == 2


def test_done_is_carried_out_in_its_own_step_and_in_no_other(battle, store):
    seats = battle(moving(step="fire"))
    game = seats["rome"].game
    done = json.dumps({"type": "done", "side": "rome"})
    seats["carthage"].give(json.dumps({"type": "forgo", "side": "carthage", "step": "fire"}), 0)
    assert seats["rome"].give(done, 0).status_code == 200
    version = store.game(game).version
    while store.load(game).state.step == "fire":
        side = store.load(game).waiting_for[0]
        store.submit(game, store.game(game).version, side, {"type": "done", "side": side})
    assert seats["rome"].give(done, version).status_code == 409


def test_a_step_that_would_now_meet_an_enemy_is_refused_and_told(battle, store):
    seats = battle(moving({"r1": [4, 2], "c2": [6, 2]}))
    seats["carthage"].give(step("c2"), 0)
    said = refused(seats["rome"].give(step("r1"), 0))
    assert (
        said.startswith("Your tap was not carried out, because this came first: Melqart goes to")
        and "version" not in said
    )
    assert store.game(seats["rome"].game).version == 1


@pytest.mark.parametrize("by", ["rome", "umpire"])
def test_what_ones_own_side_did_meanwhile_is_looked_at_again(battle, by):
    seats = battle(moving())
    seats[by].give(step("r2"), 0)
    assert "Lupa goes to" in refused(seats["rome"].give(step("r1"), 0))


def test_after_an_act_was_taken_back_one_looks_again(battle, store):
    seats = battle(moving())
    seats["carthage"].give(step("c1"), 0)
    store.undo(seats["rome"].game, 1, "carthage")
    assert "An action was taken back." in refused(seats["rome"].give(step("r1"), 0))


def test_the_api_still_answers_409(app, battle, store):
    game, tokens = store.create("galley", None, moving())
    store.submit(game.id, 0, "carthage", json.loads(step("c1")))
    answer = app.test_client().post(
        f"/api/v1/games/{game.id}/commands",
        json={"command": json.loads(step("r1")), "seen": 0},
        headers={"Authorization": f"Bearer {tokens['rome']}"},
    )
    assert answer.status_code == 409 and store.game(game.id).version == 1
