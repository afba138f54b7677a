"""Morra, the smallest system that has everything: two secret answers at once, a die, a secret, an end, an umpire.

M1 Each round both show one to five fingers and call the sum, at the same time. M2 Who alone calls the sum scores.
M3 The first with three wins. M4 After nine rounds the higher score wins, and a die decides between equals.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from msgspec import field
from msgspec.structs import replace

from tactical.kernel import corrections, engine, protocol
from tactical.kernel.dice import Dice
from tactical.kernel.protocol import (
    UMPIRE,
    Action,
    Event,
    Illegal,
    Offer,
    Outcome,
    Prompt,
    ScenarioInfo,
    Secret,
    Step,
    event,
    its_own,
)
from tactical.kernel.record import BadInput, Input, Record, read

SIDES = ("red", "blue")


class Show(Input, frozen=True, tag="show"):  # commands: what people write, so a typo in a field is refused
    """M1 Fingers shown and the sum called."""

    side: str
    fingers: int
    call: int


class Resign(Input, frozen=True, tag="resign"):
    """M3 Give up."""

    side: str


class Adjust(Input, frozen=True, tag="adjust"):
    """The umpire changes something."""

    changes: dict[str, Any]
    why: str


class Game(Record, frozen=True):  # the state: all that there is, frozen
    """A match: the round, the score, what has been shown in secret, the open questions, the winner."""

    round: int = 1
    score: dict[str, int] = field(default_factory=lambda: dict.fromkeys(SIDES, 0))
    shown: dict[str, tuple[int, int]] = {}
    asked: tuple[Prompt, ...] = ()
    winner: str | None = None


def why_not_show(game: Game, said: Show) -> Illegal | None:
    """M1 A hand has five fingers, and the other shows one to five as well."""
    if not 1 <= said.fingers <= 5:
        return Illegal("M1", "Show one to five fingers.")
    if said.fingers + 1 <= said.call <= said.fingers + 5:
        return None
    return Illegal("M1", "With %(shown)s shown the sum cannot be %(sum)s.", shown=said.fingers, sum=said.call)


def show(game: Game, said: Show, dice: Dice) -> tuple[Game, tuple[Event, ...]]:
    """M1 One has shown; nobody sees it before both have: what, only its own side is told, and all are told that."""
    game = replace(game, shown={**game.shown, said.side: (said.fingers, said.call)})
    secret = event("M1", "showed", only=(said.side,), side=said.side, fingers=said.fingers, call=said.call)
    return replace(game, asked=protocol.answer(game.asked, said.side)), (
        secret,
        event("M1", "has_shown", side=said.side),
    )


def offer_show(game: Game, side: str) -> Iterator[Offer]:
    """M1 One offer for each number of fingers, with the sums that can be."""
    for fingers in range(1, 6):
        call = {"from": fingers + 1, "to": fingers + 5}
        yield Offer("show", "M1", {"side": side, "fingers": fingers, "call": call})


def count(game: Game, dice: Dice) -> tuple[Game, tuple[Event, ...]]:
    """M2, M3, M4 Both have shown, or a match begins: count, and ask again."""
    told: tuple[Event, ...] = ()
    if game.shown:
        total = sum(fingers for fingers, _ in game.shown.values())
        right = [side for side in SIDES if game.shown[side][1] == total]
        score = {side: game.score[side] + (right == [side]) for side in SIDES}
        told = (event("M2", "counted", total=total, shown=dict(game.shown), score=score, reveals=True),)
        game = replace(game, round=game.round + 1, score=score, shown={})
    best = max(SIDES, key=lambda side: game.score[side])
    if game.score[best] < 3 and game.round <= 9:
        return replace(game, asked=protocol.together((), *(Prompt("show", side, "M1") for side in SIDES))), told
    if len(set(game.score.values())) == 1:
        best = SIDES[(dice.roll(1, 6, "M4")[0] - 1) // 3]
    return replace(game, winner=best), (*told, event("M3", "over", winner=best))


def resign(game: Game, said: Resign, dice: Dice) -> tuple[Game, tuple[Event, ...]]:
    """M3 The other wins."""
    winner = SIDES[said.side == "red"]
    return replace(game, winner=winner, asked=()), (event("M3", "over", winner=winner),)


def check(game: Game) -> None:
    """Raise BadInput for what no match can come to."""
    if not 1 <= game.round <= 10:
        raise BadInput("round", "a match has nine rounds")


def adjust(game: Game, said: Adjust, dice: Dice) -> tuple[Game, tuple[Event, ...]]:
    """The umpire sets fields."""
    return corrections.adjust(game, said.changes, said.why, "M1", HIDDEN, check)


def own(game: Game, said: Any) -> tuple[str, ...]:
    """The side that the command names."""
    if said.side not in SIDES:
        raise BadInput("command.side", "this is red or blue")
    return (said.side,)


HIDDEN = (Secret[Game]("shown.*", its_own),)
TABLES = engine.Sequence[Game](
    steps={
        "count": Step("count", "M2", leave=count),
        "show": Step("show", "M1", (Action(Show, "M1", show, why_not_show, offer_show, own),)),
    },
    step_of=lambda game: "count",
    prompts=lambda game: protocol.open_now(game.asked),
    sides=lambda game: SIDES,
    is_over=lambda game: game.winner is not None,
    over=("M3", "The match is over."),
    anytime=(
        Action(Resign, "M3", resign, offers=lambda game, side: [Offer("resign", "M3", {"side": side})], whose=own),
        Action(Adjust, "M1", adjust, whose=lambda game, said: (), after_end=True),
    ),
)


def start(scenario: str | None, position: Any, options: Any, dice: Dice) -> Outcome[Game]:
    """A new match, or one that somebody typed in."""
    game = typed(position) if position is not None else Game()
    return engine.begin(TABLES, game, dice)


def typed(position: Any) -> Game:
    """A typed position, checked."""
    game: Game = read(position, Game, "position")
    check(game)
    return game


def view(game: Game, seat: str) -> Game:
    """M1 Nobody sees what the other shows before both have; `(0, 0)` says that he has."""
    return (
        game
        if seat == UMPIRE
        else replace(game, shown={side: said if side == seat else (0, 0) for side, said in game.shown.items()})
    )


MORRA = engine.system(
    TABLES,
    name="morra",
    title="Morra",
    version="1",
    state=Game,
    command=Show | Resign | Adjust,
    options=(),
    scenarios=lambda: (ScenarioInfo("match", "A match"),),
    start=start,
    view=view,
    hidden=HIDDEN,
    check=check,
    events=("showed", "has_shown", "counted", "over", "adjusted"),
)
