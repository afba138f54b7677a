"""What each game of the family does in its own way: one value, a `Rulebook`.

A game's `rules/book.py` makes its Rulebook, and its package says once which record of a campaign is played by it; the
shared chapters ask for it by the campaign that they are given (`book_of`). Nothing is overridden and nothing inherited:
each field is a table or a named function, and what is left out is what the older game has nothing of.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any, Generic, Literal

from strategic.atlas import Atlas
from strategic.point_to_point.state import (
    Battle,
    BattleCard,
    Campaign,
    Ground,
    Handled,
    March,
    Province,
    S,
    Side,
    Troops,
)
from tactical.kernel.dice import Dice
from tactical.kernel.protocol import Illegal, Prompt

Task = Literal["intercept", "avoid", "pursue", "withdraw", "stop", "counter_attack"]
Moment = Literal["tribes", "weather", "fright"]


def anything(*given: Any) -> bool:
    """Nothing forbids it."""
    return True


def no_objection(*given: Any) -> Illegal | None:
    """There is nothing more to check."""
    return None


def nothing_more(state: S, *given: Any) -> Handled[S]:
    """Nothing more happens."""
    return state, ()


def no_prompts(*given: Any) -> tuple[Prompt, ...]:
    """Nobody is asked."""
    return ()


def none_of_them(*given: Any) -> tuple[str, ...]:
    """There is none."""
    return ()


def empty_hand(*given: Any) -> Mapping[str, str]:
    """No such card is held."""
    return {}


def zero(*given: Any) -> int:
    """No modifier."""
    return 0


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
    follows: Callable[[str, str], bool] = anything  # may the second go along under the first, ranks apart?
    keeps_to: Callable[[str, str], bool] = anything  # may this general be in this space?

    # movement
    why_not_load: Callable[[S, Troops], Illegal | None] = no_objection  # what may be carried besides CUs
    why_not_entry: Callable[[S, March, str], Illegal | None] = no_objection
    may_units_enter: Callable[[S, Side, str, str], bool] = anything  # CUs of a side from one space to another
    on_step: Callable[[S, str, bool, Dice], Handled[S]] = nothing_more  # a step by this kind of way; the bool: back?
    after_move: Callable[[S], Handled[S]] = nothing_more
    moments: Callable[[S, Moment], tuple[Prompt, ...]] = no_prompts  # what the enemy may answer with a card
    why_not_interception: Callable[[S], Illegal | None] = no_objection
    sail_back: Callable[[S], Handled[S]] = nothing_more  # an intercepted army goes back over the sea
    may_sail_back: Callable[[S], bool] = anything
    leave_behind: Callable[[S, Side, tuple[str, ...], str, str], Handled[S]] = nothing_more  # who, where, and how
    spoils: Callable[[S, Side, str], Handled[S]] = nothing_more  # what a side loses where its CUs are gone

    # the battle
    battle: Callable[[S, Mapping[str, Any]], Battle] = field(kw_only=True)  # the game's record of a battle
    hand_size: Callable[[S, Side], tuple[int, dict[str, int]]] = field(kw_only=True)  # cards, and where they are from
    battle_prompts: Callable[[S], tuple[Prompt, ...]] = no_prompts  # cards played before the hands are dealt
    after_deal: Callable[[S, Dice], Handled[S]] = nothing_more
    charge_modifier: Callable[[S], int] = zero
    no_deal: Callable[[S], bool] = lambda state: False  # are battle cards dealt at the players' own table?
    also_means: Callable[[S, Side, str], tuple[str, ...]] = none_of_them  # other kinds that a battle card stands for
    after_card: Callable[[S, Side, str, str], S] = lambda state, *given: state  # a battle card was played as a kind
    other_cards: Callable[[S, Side], Mapping[str, str]] = empty_hand  # what else is playable now, and as which kind
    other_kind: str = ""  # the kind for which such a card may be held
    may_hold_other: Callable[[S, Side], bool] = lambda state, side: False  # as far as the table can know
    may_take_card: Callable[[S, Side], bool] = lambda state, side: False  # the same of what brings a card of the enemy
    play_other: Callable[[S, Side, str], Handled[S]] = nothing_more
    chooses_initiative: Callable[[S], bool] = lambda state: False  # who stopped a withdrawal may leave the attack
    sea_ways: Callable[[S, Side], tuple[str, ...]] = none_of_them  # ports to which a side gets away from a battle

    # sieges
    why_not_siege: Callable[[S, str], Illegal | None] = no_objection
    why_not_sortie: Callable[[S], Illegal | None] = no_objection
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


__all__ = ["Campaign", "Moment", "Rulebook", "Task", "book_of", "play_by"]
