"""The kernel's engine over the smallest system: who may say what when, and what happens by itself."""

from __future__ import annotations

import random
from typing import Any

import pytest
from msgspec.structs import replace

from kernel.morra import MORRA, Adjust, Game, Resign, Show
from tactical.kernel import engine, protocol
from tactical.kernel.dice import Dice, RollNeeded
from tactical.kernel.protocol import UMPIRE, Illegal, NotYours, Prompt, by_trying
from tactical.kernel.random_play import play_at_random
from tactical.kernel.record import BadInput, Input, encode


def match() -> Game:
    game: Game = MORRA.start("match", None, {}, Dice()).state
    return game


def said(game: Game, seat: str, command: Any, *faces: int) -> Any:
    return MORRA.apply(game, seat, command, Dice(faces))


def test_two_questions_are_open_at_once_and_answered_in_any_order() -> None:
    game = match()
    assert MORRA.waiting_for(game) == ("red", "blue")
    after = said(game, "blue", Show("blue", 2, 5)).state
    assert MORRA.waiting_for(after) == ("red",) and MORRA.offers(after, "blue")[0].type == "resign"
    outcome = said(after, "red", Show("red", 3, 4))
    assert outcome.state.score == {"red": 0, "blue": 1} and outcome.state.round == 2
    assert [event.type for event in outcome.events] == ["showed", "has_shown", "counted"]
    assert MORRA.waiting_for(outcome.state) == ("red", "blue")


@pytest.mark.parametrize(
    ("seat", "command", "refusal", "words"),
    [
        ("red", Show("blue", 2, 5), NotYours, "for blue to command, not for red"),
        ("spectator", Show("red", 2, 5), NotYours, "spectator"),
        ("green", Show("red", 2, 5), NotYours, "spectator"),
        ("red", Adjust({"round": 3}, "so"), NotYours, "the umpire"),
        ("red", Show("red", 2, 9), Illegal, "cannot be 9"),
        ("red", Show("green", 2, 5), BadInput, "red or blue"),
        ("umpire", Adjust({"round": 30}, "so"), BadInput, "nine rounds"),
    ],
)
def test_a_refusal_is_the_same_asked_before_and_changes_nothing(
    seat: str, command: Any, refusal: type[Exception], words: str
) -> None:
    game = match()
    before = encode(game)
    with pytest.raises(refusal, match=words):
        said(game, seat, command)
    assert encode(game) == before
    if not isinstance(command, Adjust) or seat != UMPIRE:  # what an adjustment comes to is known when it is made
        assert isinstance(MORRA.why_not(game, seat, command), refusal)


def test_the_umpire_speaks_for_either_side_and_sees_all_offers() -> None:
    game = match()
    assert said(game, UMPIRE, Show("red", 1, 2)).state.shown == {"red": (1, 2)}
    assert len(MORRA.offers(game, UMPIRE)) == len(MORRA.offers(game, "red")) + len(MORRA.offers(game, "blue"))
    assert MORRA.whose(game, Show("red", 1, 2)) == ("red",) and MORRA.whose(game, Adjust({}, "")) == ()


def test_a_question_that_was_answered_is_not_asked_again() -> None:
    after = said(match(), "red", Show("red", 1, 2)).state
    with pytest.raises(NotYours):
        said(after, "red", Show("red", 1, 2))


def test_nothing_but_what_may_come_after_the_end_comes_after_it() -> None:
    over = said(match(), "red", Resign("red")).state
    assert over.winner == "blue" and MORRA.waiting_for(over) == () == MORRA.offers(over, "blue")
    with pytest.raises(Illegal, match="M3: The match is over"):
        said(over, "blue", Show("blue", 1, 2))
    assert said(over, UMPIRE, Adjust({"winner": None}, "a slip")).state.winner is None


def test_a_die_of_the_table_is_asked_for_before_anything_changes() -> None:
    game = Game(round=9, asked=match().asked, score={"red": 1, "blue": 1})
    one = said(game, "red", Show("red", 1, 2)).state
    with pytest.raises(RollNeeded):
        said(one, "blue", Show("blue", 2, 7))
    assert said(one, "blue", Show("blue", 2, 7), 5).state.winner == "blue"
    assert MORRA.why_not(one, "blue", Show("blue", 2, 7)) is None


def test_prompts_stand_on_a_stack_and_those_asked_together_are_open_together() -> None:
    first, second, third = (Prompt(kind, "red", "M1") for kind in "abc")
    stack = protocol.then((), first, second)
    assert stack[-1] == first and protocol.answer(stack) == (second,)
    both = protocol.together(stack, Prompt("d", "red", "M1"), Prompt("d", "blue", "M1"))
    assert [prompt.seat for prompt in protocol.open_now(both)] == ["red", "blue"]
    left = protocol.answer(both, "blue")
    assert [prompt.seat for prompt in protocol.open_now(left)] == ["red"] and protocol.answer(left, "red") == stack
    with pytest.raises(LookupError):
        protocol.answer(left, "blue")
    assert protocol.asking((third,), where="rome")[0].about == {"where": "rome"}


def test_tables_that_run_in_a_circle_are_a_fault_that_is_named() -> None:
    step = engine.Step[Game]("count", "M2", leave=lambda game, dice: (game, ()))
    circle = engine.Sequence[Game](
        {"count": step}, lambda game: "count", lambda game: ("red",), lambda game: False, ("", "")
    )
    with pytest.raises(RecursionError):
        engine.advance(circle, Game(), Dice())


def test_random_play_finds_no_fault() -> None:
    for seed in range(20):
        played = play_at_random(MORRA, "match", random.Random(seed))
        assert played.over and not played.faults, played.faults


def test_why_not_by_trying_says_the_same_as_the_tables() -> None:
    trying = by_trying(MORRA.apply)
    for command in (Show("red", 2, 9), Show("red", 2, 5), Show("blue", 2, 5)):
        one, other = trying(match(), "red", command), MORRA.why_not(match(), "red", command)
        assert (type(one), str(one)) == (type(other), str(other))


class Draw(Input, frozen=True, tag="draw"):
    side: str


def test_in_a_step_that_waits_through_seats_nobody_else_acts_though_the_command_is_his_own() -> None:
    """Whose affair a command is does not say whose turn it is."""
    drawn = engine.Action[Game](
        Draw, "M1", lambda game, said, dice: (replace(game, round=9), ()), whose=lambda game, said: (said.side,)
    )
    tables = engine.Sequence[Game](
        {"draw": engine.Step("draw", "M1", (drawn,), is_open=lambda game: True, seats=lambda game: ("red",))},
        lambda game: "draw",
        lambda game: ("red", "blue"),
        lambda game: False,
        ("", ""),
    )
    for seat in ("blue", UMPIRE):
        wrong = engine.why_not(tables, Game(), seat, Draw("blue"))
        assert isinstance(wrong, NotYours) and wrong.reason == "Only red may answer this now."
        with pytest.raises(NotYours):
            engine.apply(tables, Game(), seat, Draw("blue"), Dice())
    assert engine.apply(tables, Game(), UMPIRE, Draw("red"), Dice()).state.round == 9
