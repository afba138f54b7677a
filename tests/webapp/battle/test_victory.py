"""The end of a battle: result, what it cost, and the advantage turn by turn."""

from __future__ import annotations

from typing import Any

from flask import Flask

from benchmarks.fleets import fleets
from kit.readers import app, store  # noqa: F401
from webapp.pages.battle.report import EDGE, LETTER, LINE, WIDE, Turn, place_words, turning
from webapp.storage.journal.store import Store


def test_g10_the_report_of_a_battle_that_is_over_tells_result_cost_and_turning_point(
    app: Flask,  # noqa: F811
    store: Store,  # noqa: F811
) -> None:
    game, tokens = store.create("galley", position=fleets(3))

    def report() -> str:
        headers = {"Authorization": f"Bearer {tokens['rome']}"}
        return app.test_client().get(f"/g/{game.id}/report", headers=headers).text

    def act(seat: str, **command: Any) -> None:
        store.submit(game.id, store.game(game.id).version, seat, command)

    act("umpire", type="adjust", why="sunk", ship="r1", changes={"status": "sunk", "at": None, "facing": None})
    assert 'class="victory"' not in report()
    act("rome", type="resign", side="rome")
    said = report()
    assert "2 of 3 ships left" in said and "3 of 3 ships left" in said and said.count('class="sunk"') == 1
    assert "graph-line" in said and "r1: sunk" in said
    assert "The turning point: turn 1" in said


def test_the_turn_that_brought_the_winner_most_turned_the_battle() -> None:
    class Over:
        sides = {"rome": None, "carthage": None}

        class result:
            winner = "carthage"

    leads = (0, 10, 4, -9, -8)
    turns = [Turn(number, lead, 0, 0, ()) for number, lead in enumerate(leads, 1)]
    assert turning(Over, turns) == turns[2]  # type: ignore[arg-type]
    assert turning(Over, turns[:1]) is None  # type: ignore[arg-type]


def test_words_of_neighbouring_turns_lie_over_no_other_and_inside_the_graph() -> None:
    who = ("Akrokorinthos: withdrawn", "Paralos: withdrawn", "Peirene: sunk")
    turns = [Turn(number, 0, EDGE + 40 * number, 100 + number, (who[number % 3],)) for number in range(13)]
    words = place_words(turns)
    assert len(words) >= 3
    for number, one in enumerate(words):
        wide = len(one.text) * LETTER
        assert one.x - wide / 2 >= EDGE and one.x + wide / 2 <= WIDE
        for other in words[number + 1 :]:
            apart = abs(one.x - other.x) >= (wide + len(other.text) * LETTER) / 2
            assert apart or abs(one.y - other.y) >= LINE
