"""How a system is shown: one `Presentation` for each, and the only list of them.

Everything in it is made from a view, never from a state, so that a page cannot tell more than the seat may know.
A system without a presentation has no campaign pages; nothing is looked up by a module's name.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from tactical.kernel.protocol import Offer
from webapp.presenting.march_preview import Goals, Walk
from webapp.presenting.picture import Asked, BattlePanel, Card, Fact, Ledger, Picture, Preview, Strip, View
from webapp.presenting.switches import Switches

Events = Iterable[Mapping[str, object]]
Sentence = Callable[[Mapping[str, Any]], str]


def no_picture(view: View) -> Picture:
    """A system without a map."""
    return Picture()


def turn_only(view: View) -> Strip:
    """The turn's number, where the view has one, and whose it is."""
    return Strip(str(view.get("turn", "")), active=str(view.get("active") or ""))


def no_hand(view: View, seat: str) -> tuple[Card, ...]:
    """A system without cards."""
    return ()


def no_pieces(view: View) -> tuple[Card, ...]:
    """Nothing is to be placed group by group."""
    return ()


def no_facts(view: View) -> tuple[Fact, ...]:
    """Nothing stands beside the map."""
    return ()


def nothing_there(view: View, where: str) -> tuple[Fact, ...]:
    """Nothing more is known of a space."""
    return ()


def no_ledger(view: View) -> Ledger | None:
    """Nothing is counted all the time."""
    return None


def no_names(view: View) -> dict[tuple[str, int], str]:
    """Numbers in offers are only numbers."""
    return {}


def no_answer(view: View, command: Mapping[str, Any], state: Any = None) -> str:
    """A command is told by its fields."""
    return ""


def no_dispatch(before: View, after: View, now: View, events: Any, side: str, tell: Any) -> list[str]:
    """Mail lists what happened since the reader's last act."""
    return []


@dataclass(frozen=True)
class OrderLine:
    """A line of a mail as it was read: the command that it means, what it is understood as, or why it is not."""

    text: str
    command: Mapping[str, Any] | None
    understood: str = ""
    fault: str = ""


def no_lines(view: View, side: str, text: str) -> tuple[OrderLine, ...]:
    """No orders come as lines."""
    return ()


@dataclass(frozen=True)
class Request:
    """What a seat is asked by another, without the game waiting for it: kind and some fields of the event of it."""

    seat: str
    by: str
    kind: str
    fields: Mapping[str, Any]


def no_requests(view: View) -> tuple[Request, ...]:
    """Nothing is asked beside the turn."""
    return ()


def all_events(events: Events, told: set[Hashable]) -> Events:
    """Every event is told."""
    return events


def no_recount(command: Mapping[str, Any]) -> str:
    """A command of the journal is told by its fields."""
    return ""


def plain_question(view: View, found: Asked | None) -> Asked | None:
    """A question as it stands."""
    return found


def no_previews(state: Any, seat: str, where: str | None) -> tuple[Preview, ...]:
    """Nothing is counted ahead."""
    return ()


def no_walk(state: Any, seat: str, picked: str | None, where: str | None) -> Walk | None:
    """No march is shown before it is walked."""
    return None


def no_goals(state: Any, seat: str, offers: Sequence[Offer], picked: str | None, where: str | None) -> Goals | None:
    """No answer names a space."""
    return None


def no_switches(state: Any, seat: str) -> Switches | None:
    """No answer is set leader by leader."""
    return None


def no_command(state: Any, seat: str, form: Mapping[str, str]) -> dict[str, Any]:
    """Nothing is set so."""
    return {}


def no_battle(view: View, seat: str) -> BattlePanel | None:
    """No battle is fought by cards."""
    return None


def no_shipyard(state: Any, side: str) -> Any:
    """No ship has a name of its own in this system."""
    return None


def nothing_more(own: Any) -> dict[str, Any]:
    """The tables in use are shown by their fields."""
    return {}


def question(view: View) -> Asked | None:
    """The one question that waits in mid-rule, as a view tells it: the newest of a stack, or the only one."""
    raw = view.get("pending") or next(iter(reversed(view.get("agenda") or ())), None)
    if not isinstance(raw, dict) or not raw.get("seat"):
        return None
    about = raw.get("about")
    return Asked(
        str(raw.get("kind", "")), raw["seat"], str(raw.get("rule", "")), about if isinstance(about, dict) else {}
    )


def no_stakes(state: Any, seat: str) -> tuple[str, ...]:
    """No battle is coming, or nothing can be said of it."""
    return ()


@dataclass(frozen=True)
class Presentation:
    """All that the pages need to show one system.

    `sentences` each kind of event as a sentence; `picture(view)` what stands on the map; `strip(view)` the turn and
    its phases; `hand(view, seat)` the cards held; `pieces(view)` the groups that are still to be placed, by the
    number of their field `group`; `prompt(view)` the question in mid-rule; `facts(view)`, `space(view, id)` what
    stands beside the map and about a space; `ledger(view)` what is counted all the time;
    `called(view)` words for numbers in offers, by field and number; `answer(view, command, state)` a command that is
    offered now as one sentence: it gets the whole view of the seat that asks, the offer's fields (one that is still to
    be chosen is a list or a range, or is missing) and the position, for the chances of dice (what they tell is open to
    everybody); `recount(command)` a command of the journal as one sentence, by its own fields alone, for the journal
    keeps no view: it gets every field that was given, and never a command of which something is hidden from the reader;
    `worded(view, asked)` a question in words; `previews(state, seat, id)` and `walk(state, seat, leader,
    id)` what the engine answers ahead; `goals(state, seat, offers, picked, id)` an answer that names a space, by a tap
    on the map; `stakes(state, seat)` the coming battle with its odds, for
    whoever decides about it; `battle(view, seat)` a battle by cards; `soft` the kinds that a chronicle
    id)` what the engine answers ahead; `switches(state, seat)` an answer that is set leader by leader, and
    `command_of(state, seat, form)` what the switches of a form come to; `stakes(state, seat)` the coming battle with
    its odds, for whoever decides about it; `battle(view, seat)` a battle by cards; `soft` the kinds that a chronicle
    leaves out, `loud` those to which a replay leads (battles, sieges, towns and leaders lost); `together` by kind the
    field whose values a chronicle lists where the same happens several times in a row; `built(state, side)` the
    position with one ship more, None where ships are but counted; `dispatch(before, after, now, events, side, tell)`
    the last turn as lines of a mail, from the side's views before and after it and now; `lines(view, side, text)` the
    orders that a side has written as lines; `requests(view)` who is asked for an answer that the game does not wait
    for, from the umpire's view; `without_repeats(events, told)` the events that a journal tells (`told` holds, from
    entry to entry, what need not be told again); `house` a template for the tables that a group may replace, where the
    common one does not do, and `house_values(own)` what it shows; `players_page` and `umpires_page` the pages to which
    links of seats lead, where the campaign's own is not the first, and `elsewhere` the kinds of commands that are given
    there alone.
    """

    system: str
    sentences: Mapping[str, Sentence]
    picture: Callable[[View], Picture] = no_picture
    strip: Callable[[View], Strip] = turn_only
    soft: frozenset[str] = frozenset()
    loud: frozenset[str] = frozenset()
    together: Mapping[str, str] = field(default_factory=dict)
    hand: Callable[[View, str], tuple[Card, ...]] = no_hand
    pieces: Callable[[View], tuple[Card, ...]] = no_pieces
    prompt: Callable[[View], Asked | None] = question
    facts: Callable[[View], tuple[Fact, ...]] = no_facts
    space: Callable[[View, str], tuple[Fact, ...]] = nothing_there
    ledger: Callable[[View], Ledger | None] = no_ledger
    called: Callable[[View], dict[tuple[str, int], str]] = no_names
    answer: Callable[[View, Mapping[str, Any], Any], str] = no_answer
    recount: Callable[[Mapping[str, Any]], str] = no_recount
    worded: Callable[[View, Asked | None], Asked | None] = plain_question
    previews: Callable[[Any, str, str | None], tuple[Preview, ...]] = no_previews
    walk: Callable[[Any, str, str | None, str | None], Walk | None] = no_walk
    goals: Callable[[Any, str, Sequence[Offer], str | None, str | None], Goals | None] = no_goals
    switches: Callable[[Any, str], Switches | None] = no_switches
    command_of: Callable[[Any, str, Mapping[str, str]], dict[str, Any]] = no_command
    stakes: Callable[[Any, str], tuple[str, ...]] = no_stakes
    battle: Callable[[View, str], BattlePanel | None] = no_battle
    built: Callable[[Any, str], Any] = no_shipyard
    dispatch: Callable[[View, View, View, Any, str, Any], list[str]] = no_dispatch
    lines: Callable[[View, str, str], tuple[OrderLine, ...]] = no_lines
    requests: Callable[[View], tuple[Request, ...]] = no_requests
    without_repeats: Callable[[Events, set[Hashable]], Events] = all_events
    house: str = "campaign/_house_values.html"
    house_values: Callable[[Any], dict[str, Any]] = nothing_more
    players_page: str = ""
    umpires_page: str = ""
    elsewhere: frozenset[str] = frozenset()

    def asked(self, view: View, seat: str = "") -> Asked | None:
        """The question that waits for an answer; the seat's own, where several stand at once."""
        for raw in view.get("pending") or ():
            if isinstance(raw, dict) and raw.get("seat") == seat:
                own = Asked(str(raw.get("kind", "")), seat, str(raw.get("rule", "")), raw.get("about") or {})
                return self.worded(view, own)
        return self.worded(view, self.prompt(view))
