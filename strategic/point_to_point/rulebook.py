"""What each game of the family does in its own way: one value, a `Rulebook`; and the box of a question.

A game's `rules/book.py` makes its Rulebook, and its package says once which record of a campaign is played by it; the
shared chapters ask for it by the campaign that they are given (`book_of`). Nothing is overridden and nothing inherited:
each field is a table or a named function, and what is left out is what the older game has nothing of.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field, replace
from typing import Any, Generic, Literal

from strategic.atlas import Atlas
from strategic.point_to_point.state import Battle, BattleCard, Ground, Handled, March, Province, S, Side, Troops
from tactical.kernel.dice import Dice
from tactical.kernel.engine import offers_in
from tactical.kernel.protocol import Action, Illegal, Offer, Prompt, Step, by_attempt

Task = Literal["intercept", "avoid", "pursue", "withdraw", "stop", "counter_attack"]
Moment = Literal["tribes", "weather", "fright"]


def nothing_more(state: S, *given: Any) -> Handled[S]:
    """Nothing more happens."""
    return state, ()


@dataclass(frozen=True)
class Rulebook(Generic[S]):
    """The tables and the named functions in which the games of the family differ.

    Functions that say why not give an Illegal with its paragraph, or None; those that act the state and the events.
    """

    chart: Atlas
    ground: Callable[[str], Ground]
    room: Callable[[str], int]
    provinces: Mapping[str, Province]
    battle_cards: Mapping[str, BattleCard]
    battle_deck: tuple[str, ...]
    cites: Mapping[str, str]  # the paragraph of the game's own book that stands for one of the family's
    isolation_order: tuple[Side, ...]

    # people
    standing: Callable[[S, str], tuple[int, ...]]  # what decides who commands
    limit: Callable[[S, str, Task, bool], int]  # the most that a die may show; the last: is his side the attacker?
    displace: Callable[[S, str, str], Handled[S]]  # take a general off the board by a paragraph
    follows: Callable[[str, str], bool] = lambda *given: True  # may the second go along under the first, ranks apart?
    keeps_to: Callable[[str, str], bool] = lambda *given: True  # may this general be in this space?

    # movement
    why_not_load: Callable[[S, Troops], Illegal | None] = lambda *given: None  # what may be carried besides CUs
    why_not_entry: Callable[[S, March, str], Illegal | None] = lambda *given: None
    may_units_enter: Callable[[S, Side, str, str], bool] = lambda *given: True  # CUs from one space to another
    on_step: Callable[[S, str, bool, Dice], Handled[S]] = nothing_more  # a step by this kind of way; the bool: back?
    after_move: Callable[[S], Handled[S]] = nothing_more
    moments: Callable[[S, Moment], tuple[Prompt, ...]] = lambda *given: ()  # what the enemy may answer with a card
    why_not_interception: Callable[[S], Illegal | None] = lambda *given: None
    sail_back: Callable[[S], Handled[S]] = nothing_more  # an intercepted army goes back over the sea
    leave_behind: Callable[[S, Side, tuple[str, ...], str, str], Handled[S]] = nothing_more  # who, where, and how
    spoils: Callable[[S, Side, str], Handled[S]] = nothing_more  # what a side loses where its CUs are gone

    # the battle
    battle: Callable[[S, Mapping[str, Any]], Battle] = field(kw_only=True)  # the game's record of a battle
    hand_size: Callable[[S, Side], tuple[int, dict[str, int]]] = field(kw_only=True)  # cards, and where they are from
    battle_prompts: Callable[[S], tuple[Prompt, ...]] = lambda *given: ()  # cards played before the hands are dealt
    after_deal: Callable[[S, Dice], Handled[S]] = nothing_more
    charge_modifier: Callable[[S], int] = lambda *given: 0
    no_deal: Callable[[S], bool] = lambda state: False  # are battle cards dealt at the players' own table?
    also_means: Callable[[S, Side, str], tuple[str, ...]] = lambda *given: ()  # what else a card stands for
    after_card: Callable[[S, Side, str, str], S] = lambda state, *given: state  # a battle card was played as a kind
    other_cards: Callable[[S, Side], Mapping[str, str]] = lambda *given: {}  # what else is playable, as which kind
    other_kind: str = ""  # the kind for which such a card may be held
    may_hold_other: Callable[[S, Side], bool] = lambda state, side: False  # as far as the table can know
    may_take_card: Callable[[S, Side], bool] = lambda state, side: False  # the same of what brings a card of the enemy
    play_other: Callable[[S, Side, str], Handled[S]] = nothing_more
    chooses_initiative: Callable[[S], bool] = lambda state: False  # who stopped a withdrawal may leave the attack
    sea_ways: Callable[[S, Side], tuple[str, ...]] = lambda *given: ()  # ports to which a side gets away from a battle

    # sieges
    why_not_siege: Callable[[S, str], Illegal | None] = lambda *given: None
    why_not_sortie: Callable[[S], Illegal | None] = lambda *given: None
    isolating: Callable[[S, str], bool] = lambda state, kind: False  # does this kind of way block a path?

    def cite(self, paragraph: str) -> str:
        """The paragraph by which this game does what that paragraph of the family says."""
        return self.cites.get(paragraph, paragraph)


_BOOKS: dict[type, Rulebook[Any]] = {}


def play_by(kind: type, book: Rulebook[Any]) -> None:
    """Let campaigns of this record be played by this Rulebook; each game says so once, in its package."""
    _BOOKS[kind] = book


def book_of(state: S) -> Rulebook[S]:
    """The Rulebook of a campaign."""
    return _BOOKS[type(state)]


# -- The box of a question: its answers, what may be chosen, and what happens where nobody has a choice.

Handler = Callable[[Any, Any, Dice], Handled[Any]]
Handlers = Mapping[type, Handler | None]
Choices = Callable[[Any], Iterable[Offer]]
Leave = Callable[[Any, Dice], Handled[Any]]


def let_be(state: S, *given: object) -> Handled[S]:
    """strategy.event.2 The question is off the agenda, and nothing more happens."""
    return state.answered(), ()


def always(state: Any) -> bool:
    """The side asked must answer."""
    return True


def box(
    name: str,
    rule: str,
    handlers: Handlers,
    choices: Choices,
    is_open: Callable[[Any], bool] | None = None,
    leave: Leave = let_be,
) -> Step[Any]:
    """One question: `choices` yields every legal answer, and nothing where nobody need be asked.

    Each command refuses for itself before it does anything; one without a handler lets happen what happens by itself
    (`leave`) where nothing is yielded. `is_open` says whether somebody is asked, where that is another question.
    """
    actions = _actions(rule, handlers, leave)
    return Step(name, rule, actions, leave, is_open, offers=lambda state, seat: choices(state))


def _actions(rule: str, handlers: Handlers, leave: Leave) -> tuple[Action[Any], ...]:
    deeds = {kind: do or (lambda state, command, dice: leave(state, dice)) for kind, do in handlers.items()}
    return tuple(Action(kind, rule, do, by_attempt(do), checks_itself=True) for kind, do in deeds.items())


def also(step: Step[Any], handlers: Handlers, more: Choices = lambda state: ()) -> Step[Any]:
    """A box of the family with the answers that one game has besides, and with `more` to choose from."""
    actions = (*step.actions, *_actions(step.rule, handlers, let_be))
    return replace(step, actions=actions, offers=lambda state, seat: (*offers_in(step, state, seat), *more(state)))


def auto(name: str, rule: str, leave: Leave) -> Step[Any]:
    """A box without commands."""
    return Step(name, rule, leave=leave)


def by_name(*steps: Step[Any]) -> dict[str, Step[Any]]:
    """The boxes by their names; of two with one name the later."""
    return {step.name: step for step in steps}
