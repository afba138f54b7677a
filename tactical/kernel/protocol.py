"""What engines and callers exchange: commands, offers, steps, prompts, events, secrets, a `System`."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from fractions import Fraction
from functools import cached_property, lru_cache, reduce
from operator import or_
from typing import Any, Generic, Literal, TypeVar

import msgspec
from msgspec.structs import replace

import data
from tactical.kernel.dice import Dice, RollNeeded
from tactical.kernel.house_rules import HouseRules
from tactical.kernel.record import BadInput, Input, Reason, Record, reason_of

# -- Which fields of a position are secret, and from whom. Each system declares its own, beside its `view`.

S = TypeVar("S")
Seats = tuple[str, ...] | None  # None: everybody
EVERY = "*"


def nobody(state: object, stars: tuple[str, ...]) -> Seats:
    """Hidden from every seat but the umpire's."""
    return ()


def its_own(state: object, stars: tuple[str, ...]) -> Seats:
    """Seen by the seat that the path itself names last, as in `hands.*`."""
    return stars[-1:]


@dataclass(frozen=True)
class Secret(Generic[S]):
    """A path that may be secret, as `hands.*` (a star stands for any one name), and the seats that may see it.

    `seen_by` gets the position and what the stars stand for; None says that everybody may see it now. The umpire
    always may and need not be named.
    """

    path: str
    seen_by: Callable[[S, tuple[str, ...]], Seats] = nobody


def seen_by(state: S, path: str, secrets: Iterable[Secret[S]]) -> Seats:
    """Who may see the field in this position; None for everybody, nobody's is ()."""
    seats: Seats = None
    way = steps_of(path)
    for secret in secrets:
        pattern = steps_of(secret.path)
        if pattern[0] in (EVERY, way[0]) and all(
            one in (EVERY, other) for one, other in zip(pattern, way, strict=False)
        ):
            if len(way) < len(pattern):  # a record that has the secret in it, among others
                seats = ()
            else:
                stars = tuple(other for one, other in zip(pattern, way, strict=False) if one == EVERY)
                seats = common(seats, secret.seen_by(state, stars))
    return seats


@lru_cache(maxsize=4096)
def steps_of(path: str) -> tuple[str, ...]:
    """The names of a path, from the outermost."""
    return tuple(path.split("."))


def common(one: Seats, other: Seats) -> Seats:
    """The seats in both."""
    if one is None or other is None:
        return other if one is None else one
    return tuple(sorted(set(one) & set(other)))


# -- What engines and callers exchange: commands and offers, steps and prompts, events and outcomes, a `System`.

UMPIRE = "umpire"
SPECTATOR = "spectator"
BOTH = "both"
ADJUSTED = "adjusted"


class Illegal(Exception):
    """A command against the rules: `rule` is the paragraph, `reason` a sentence that a player can act on.

    It is raised with the form of the sentence and what fills its gaps: `Illegal("G4.3", "%(ship)s waits.", ship="r1")`.
    `why` holds both, for other languages.
    """

    def __init__(self, rule: str, reason: Reason | str, /, **values: object) -> None:
        self.rule, self.why = rule, reason_of(reason, values)
        super().__init__(rule, self.why)

    @property
    def reason(self) -> str:
        """The sentence in English, with ids."""
        return str(self.why)

    def __str__(self) -> str:
        return f"{self.rule}: {self.why}"

    def __repr__(self) -> str:
        return f"{type(self).__name__}({str(self)!r})"


class NotYours(Exception):
    """A command that another seat must give; form and values as in Illegal."""

    def __init__(self, reason: Reason | str, /, **values: object) -> None:
        self.why = reason_of(reason, values)
        super().__init__(self.why)

    @property
    def reason(self) -> str:
        """The sentence in English, with ids."""
        return str(self.why)

    def __str__(self) -> str:
        return str(self.why)

    def __repr__(self) -> str:
        return f"{type(self).__name__}({str(self)!r})"


def refuse(wrong: Illegal | None) -> None:
    """Raise what forbids a command, if anything does."""
    if wrong is not None:
        raise wrong


class Offer(Record, frozen=True):
    """A command that a seat may give now.

    Each field holds its only value, a list of choices, or {"from": low, "to": high}; every combination
    of the choices of one offer is legal.
    """

    type: str
    rule: str
    fields: dict[str, Any] = {}


def offer(kind: str, rule: str, /, **choices: Any) -> tuple[Offer, ...]:
    """The offer of a command with its choices as keywords; () where one of them has nothing to choose from.

    >>> offer("put", "8.2", space=("roma", "capua"))
    (Offer(type='put', rule='8.2', fields={'space': ['roma', 'capua']}),)
    >>> offer("put", "8.2", space=())
    ()
    """
    fields = {name: list(each) if isinstance(each, list | tuple) else each for name, each in choices.items()}
    return () if [] in fields.values() else (Offer(kind, rule, fields),)


def span(low: int, high: int) -> Any:
    """A field's range, or its only number."""
    return low if low == high else {"from": low, "to": high}


class Event(Record, frozen=True):
    """What happened: the paragraph, a kind, and ids and numbers; never prose.

    `only` names the seats that may see it (empty: all; the umpire always may). `reveals` says that
    something hidden was shown, which bars a free undo. `again`: the umpire has seen it happen before the others
    are told, and is not told twice.
    """

    rule: str
    type: str
    data: dict[str, Any] = {}
    only: tuple[str, ...] = ()
    reveals: bool = False
    again: bool | msgspec.UnsetType = msgspec.UNSET

    def flat(self) -> dict[str, Any]:
        """The event as one flat object, as the API shows it."""
        return {"rule": self.rule, "type": self.type, **self.data}

    def seen_by(self, seat: str) -> bool:
        """May this seat see it? An adjustment of before version 2, which told its secrets, only the umpire."""
        if self.type in ("adjust", ADJUSTED) and "changes" in self.data and "hidden" not in self.data:
            return seat == UMPIRE
        if seat == UMPIRE:
            return self.again is not True
        return not self.only or seat in self.only


def event(rule: str, kind: str, /, only: tuple[str, ...] = (), reveals: bool = False, **data: Any) -> Event:
    """An event with its data as keywords."""
    return Event(rule, kind, data, only, reveals)


class Prompt(Record, frozen=True):
    """A question in mid-rule: who must answer, by which paragraph, about what. Its kind names a `Step`.

    It stands in the state, on a stack (see `prompts`). Without a seat it is a step that goes by itself; the seat
    "both" stands for all sides. `together` prompts of one kind on top of the stack are open at the same time.
    """

    kind: str
    seat: str
    rule: str
    about: dict[str, Any] = {}
    together: bool = False


class Outcome(msgspec.Struct, Generic[S], frozen=True):
    """The position after a command, and what happened."""

    state: S
    events: tuple[Event, ...] = ()


Handled = tuple[S, tuple[Event, ...]]
Handler = Callable[[S, Any, Dice], "tuple[S, tuple[Event, ...]]"]


def allow(state: Any, command: Any) -> None:
    """Nothing forbids it."""
    return None


def no_offers(state: Any, seat: str) -> tuple[Offer, ...]:
    """Nothing is offered: the command is for those who know it."""
    return ()


@dataclass(frozen=True)
class Action(Generic[S]):
    """All about one command: its paragraph, what forbids it, what it does, whose it is, what is offered of it.

    `why_not` never raises and changes nothing: an Illegal with the paragraph, or None. `do` may rely on it having been
    asked. `whose` names the seats that may give this command (the umpire always may): () is the umpire's alone, None
    any side's; without `whose` it is for those who are waited for. `offers` makes every legal command of this kind for
    a seat, from the same predicates as `why_not`. `for_seat` is what forbids it to this seat alone (only the umpire
    enters an outcome that no battle gave). `after_end` says that it is possible after the game is over, `stays` that
    nothing happens by itself after it, so that no dice fall for it; `rolls` False that what happens by itself after it
    stops before any dice. `checks_itself`: `do` refuses before anything else,
    so that it need not be asked first (rules written as a check within the deed).
    """

    command: type
    rule: str
    do: Callable[[S, Any, Dice], Handled[S]]
    why_not: Callable[[S, Any], Illegal | None] = allow
    offers: Callable[[S, str], Iterable[Offer]] = no_offers
    whose: Callable[[S, Any], tuple[str, ...] | None] | None = None
    after_end: bool = False
    stays: bool = False
    rolls: bool = True
    checks_itself: bool = False
    for_seat: Callable[[S, str, Any], Illegal | NotYours | None] | None = None

    @property
    def tag(self) -> str:
        """What the command is called, as in `{"type": tag}`."""
        return tag_of(self.command)


@dataclass(frozen=True)
class Step(Generic[S]):
    """A box of the sequence of play, or the answers to one kind of prompt: `name` is the box's or the prompt's kind.

    `is_open`: has anybody still something to do? Without it: is anything offered to a seat that is waited for?
    `leave`: what happens by itself when not; it returns the position in another step, or without the prompt.
    `seats`: who is waited for; without it whoever the prompt asks. A step without actions goes by itself.
    `offers`: what is offered in the step as a whole, instead of what its actions offer one by one.
    `awaited`: who of the seats has still to answer, where others may yet change what they have said.
    """

    name: str
    rule: str
    actions: tuple[Action[S], ...] = ()
    leave: Callable[[S, Dice], Handled[S]] | None = None
    is_open: Callable[[S], bool] | None = None
    seats: Callable[[S], tuple[str, ...]] | None = None
    offers: Callable[[S, str], Iterable[Offer]] | None = None
    awaited: Callable[[S], tuple[str, ...]] | None = None

    @cached_property
    def by_command(self) -> dict[type, Action[S]]:
        """The actions by their command's type."""
        return {action.command: action for action in self.actions}


def tag_of(command: type) -> str:
    """The `type` of a command."""
    return str(command.__struct_config__.tag)  # type: ignore[attr-defined]


def commands_in(namespace: Mapping[str, Any]) -> Any:
    """The union of the commands that a module defines, in their order: `Command = commands_in(globals())`."""
    inputs = [each for each in namespace.values() if isinstance(each, type) and issubclass(each, Input)]
    own = [each for each in inputs if each.__module__ == namespace["__name__"] and each.__struct_config__.tag]
    return reduce(or_, own)


@dataclass(frozen=True)
class OptionInfo:
    """A rule option: its name, default, choices or bounds, one line on what it means, and its paragraph."""

    name: str
    default: Any
    meaning: str
    choices: tuple[Any, ...] = ()
    rule: str = ""


@dataclass(frozen=True)
class ScenarioInfo:
    """A starting position that a system offers: id, title, a sentence of history, and where that is from."""

    id: str
    title: str
    history: str = ""
    sources: tuple[str, ...] = ()
    sides: tuple[str, ...] = ()


@dataclass(frozen=True)
class Settable:
    """A field that a side may set by hand: its path, what stands there, and what may.

    `values` are a range or choices, None where the field may be empty; `several` of them where it holds a list.
    """

    path: str
    now: Any
    values: Sequence[Any]
    several: bool = False


Refusal = Illegal | NotYours | BadInput


def not_asked(state: object, seat: str, command: object) -> Refusal | None:
    """Stands for a `why_not` that a system does not have: it is then found by trying (see `System`)."""
    return None


def by_trying(apply: Callable[[Any, str, Any, Dice], Outcome[Any]]) -> Callable[[Any, str, Any], Refusal | None]:
    """`why_not` of a system without tables: apply with no dice and see whether it refuses."""

    def why_not(state: Any, seat: str, command: Any) -> Refusal | None:
        try:
            apply(state, seat, command, Dice(secret=lambda sides: 1))
        except RollNeeded:
            return None
        except (Illegal, NotYours, BadInput) as wrong:
            return wrong
        return None

    return why_not


@dataclass(frozen=True)
class Charges(Generic[S]):
    """How people who share a side may each have charge of some of its pieces; a charge are the pieces' ids.

    `pieces(state, side)`: those that there are, by id, with their names. `may_give(state, command, charge)`: may who
    has this charge give this command for his side? `knowledge(state, side, charge)`: the position with what he knows
    alone, the same object where he knows what his side knows. `concerns(state, event, side, charge)`: does he hear of
    an event, where he does not? `fights(state, engagement, side, charge)`: does a piece of his take part in a meeting?
    """

    pieces: Callable[[S, str], Mapping[str, str]]
    may_give: Callable[[S, object, tuple[str, ...]], bool]
    knowledge: Callable[[S, str, tuple[str, ...]], S]
    concerns: Callable[[S, Event, str, tuple[str, ...]], bool]
    fights: Callable[[S, str, str, tuple[str, ...]], bool]


@dataclass(frozen=True)
class System:
    """A rule system as the rest of the house sees it: four functions and what they speak of.

    start(scenario | None, position | None, options, dice) -> Outcome; offers(state, seat); apply(state, seat,
    command, dice) -> Outcome; view(state, seat) -> a value that encodes to JSON and holds what the seat may see.
    `command` is the union of the system's commands, `state` its record. `waiting_for(state)` names the seats that
    must act; `sides(state)` the seats besides umpire and spectator; `is_over(state)`. `hidden` declares the secret
    fields of the state, which `view` keeps back and an adjustment masks. `why_not(state, seat, command)` is what
    `apply` would refuse with, `whose(state, command)` the seats whose affair the command is, `check(state)` raises
    BadInput for a position that contradicts itself, in mid-rule too. `effects(before, after)` is what else must
    happen because of a command, as typed records (a battle to open). `prompts` are all kinds that there are, and
    `events` too, each with its fields (see `vocabulary`). `version` changes when the rules' behaviour changes:
    entries of a journal say which made them. `by_hand`: kinds of commands by which people change what no rule here
    moves; a random player gives them as seldom as he gives up. `settable(state, seat)`: the fields that a side may
    change so now, where it may. `calculators` reckon odds by the system's own rules (`tactical.odds`);
    `routes(from, to, by)` is the cheapest way on a map that is no graph of connections. `chances(state, command)`
    is the chance of each die that decides whether a command of the seat that is asked succeeds.
    `at_once(state, side)` are commands for all pieces of a side together, which stand for several others; they are
    offered beside `offers`, which random play and perft count.
    `house` is what a group may replace of it (`options.house`), None where there is nothing. `anew` are the fields
    that `start` finds for itself where a position leaves them out: a set-up that is drawn by hand has none of them.
    `internal` are the fields of the state that the engine keeps for itself: no form asks the umpire for them.
    `secret`: kinds of commands of which only those hear that they were given who see one of their events (see
    `journal.knowers`); they change nothing that anybody else may see. `charges`: how people of one side may each have
    charge of some of its pieces, None where the system knows no such thing. `drawn` bounds, by field of the state, what
    people draw and write, where it comes in: positions, adjustments, imports (see `tactical.drawing`).
    `unsent(state)`: the position as the sides will know it when the umpire sends what he holds back, and the events
    that he will tell them then.
    """

    name: str
    title: str
    version: str
    state: Any
    command: Any
    options: tuple[OptionInfo, ...]
    scenarios: Callable[[], tuple[ScenarioInfo, ...]]
    start: Callable[[str | None, Mapping[str, Any] | None, Mapping[str, Any], Dice], Outcome[Any]]
    offers: Callable[[Any, str], tuple[Offer, ...]]
    apply: Callable[[Any, str, Any, Dice], Outcome[Any]]
    view: Callable[[Any, str], Any]
    waiting_for: Callable[[Any], tuple[str, ...]]
    sides: Callable[[Any], tuple[str, ...]]
    is_over: Callable[[Any], bool]
    invariants: Callable[[Any], tuple[str, ...]] = lambda state: ()
    hidden: tuple[Secret[Any], ...] = ()
    why_not: Callable[[Any, str, Any], Refusal | None] = not_asked
    whose: Callable[[Any, Any], tuple[str, ...] | None] = lambda state, command: None
    check: Callable[[Any], None] = lambda state: None
    effects: Callable[[Any, Any], tuple[Record, ...]] = lambda before, after: ()
    prompts: tuple[str, ...] = ()
    events: Mapping[str, Mapping[str, str]] = field(default_factory=dict, hash=False)
    by_hand: frozenset[str] = frozenset()
    drawn: Mapping[str, Callable[[object, object, str], None]] = field(default_factory=dict, hash=False)
    settable: Callable[[Any, str], Iterable[Settable]] | None = None
    calculators: tuple[Any, ...] = ()
    routes: Callable[[str, str, str], dict[str, Any]] | None = None
    chances: Callable[[Any, Mapping[str, Any]], tuple[Fraction, ...]] = lambda state, command: ()
    at_once: Callable[[Any, str], Iterable[Offer]] = no_offers
    house: HouseRules[Any] | None = None
    anew: tuple[str, ...] = ()
    internal: tuple[str, ...] = ()
    secret: frozenset[str] = frozenset()
    charges: Charges[Any] | None = None
    unsent: Callable[..., Outcome[Any]] = Outcome

    def __post_init__(self) -> None:
        """Every system says why not: one that has no tables by trying."""
        if self.why_not is not_asked:
            object.__setattr__(self, "why_not", by_trying(self.apply))


# -- The kinds of events that a system tells, each declared once with its fields, its sentence and its weight.
#
# The declarations are data (`data/events/<part>.toml`); tests hold every event that they make to them.

Fields = Mapping[str, str]
Vocabulary = Mapping[str, Fields]


def is_list_of(kind: type) -> Callable[[Any], bool]:
    """Is it a list of such values?"""
    return lambda value: isinstance(value, list | tuple) and all(type(each) is kind for each in value)


# what a field may hold, by the word in the table; a word with "?" behind it: or nothing, or no such field
SHAPES: dict[str, Callable[[Any], bool]] = {
    "text": lambda value: isinstance(value, str),
    "number": lambda value: type(value) is int,
    "flag": lambda value: isinstance(value, bool),
    "texts": is_list_of(str),
    "numbers": is_list_of(int),
    "list": lambda value: isinstance(value, list | tuple),
    "table": lambda value: isinstance(value, Mapping),
    "any": lambda value: True,
}
# words that also say what a value means, and so how it is said to a reader, with what they hold
MEANINGS = {
    **dict.fromkeys(
        ("aspect", "battle_card", "cause", "figure", "general", "goal", "leader", "level", "phase", "power", "region"),
        "text",
    ),
    **dict.fromkeys(("ship", "side", "space", "step", "word"), "text"),
    **dict.fromkeys(("generals", "leaders", "powers", "regions", "ships", "sides", "spaces"), "texts"),
    **dict.fromkeys(("card", "money", "signed", "units"), "number"),
    "heading": "any",
    "hex": "list",
}
WORDS = SHAPES | {word: SHAPES[shape] for word, shape in MEANINGS.items()}


class Kind(Input, frozen=True):
    """A kind of event: its fields and what they hold, its English sentence, how much it weighs, its former names.

    `sentence` is one text, or several by the condition under which each is said (the first that holds); its gaps are
    explained in webapp/presenting/sentences.py. A journal leaves out what is "soft"; a replay leads to what is "loud".
    `together` names the field whose values a chronicle lists where the same happens several times in a row.
    `act` says where a fight or a siege begins and ends, by condition where not always (webapp/presenting/acts.py).
    `costs` is what is lost by it (units, elephants among them, ships, points): the fields that count it, or a number;
    `payer` names whose loss it is: a field, a side, or "enemy", the other side than the event's.
    """

    fields: Fields = {}
    sentence: str | dict[str, str] = ""
    weight: Literal["soft", "plain", "loud"] = "plain"
    together: str = ""
    act: str | dict[str, str] = ""
    costs: dict[str, tuple[str | int, ...]] = {}
    payer: str = "side"
    old: tuple[str, ...] = ()


class Part(Input, frozen=True):
    """data/events/<part>.toml: kinds of events by name."""

    event: dict[str, Kind]


def kinds(*parts: str) -> dict[str, Kind]:
    """The kinds of these parts; of two with one name the later part's."""
    return {name: kind for part in parts for name, kind in data.read(f"events/{part}.toml", Part).event.items()}


def declare(*parts: str) -> Vocabulary:
    """The fields of the kinds of these parts."""
    return {name: kind.fields for name, kind in kinds(*parts).items()}


def wrong_in(vocabulary: Vocabulary, event: Event) -> str | None:
    """What is wrong with an event by the declarations; None when nothing is."""
    fields = vocabulary.get(event.type)
    if fields is None:
        return f"no kind of event is called {event.type!r}"
    for name in event.data.keys() - fields.keys():
        return f"{event.type} has no field {name!r}"
    for name, word in fields.items():
        value = event.data.get(name)
        if not (word.endswith("?") and value is None) and not WORDS[word.rstrip("?")](value):
            return f"{event.type}.{name} is {value!r} and should be {word}"
    return None


# -- The stack of questions in a state: the last is the next one; those that are asked together are open at once.

Stack = tuple[Prompt, ...]


def then(stack: Stack, *prompts: Prompt) -> Stack:
    """The stack with more prompts, in the order in which they will come."""
    return (*stack, *reversed(prompts))


def together(stack: Stack, *prompts: Prompt) -> Stack:
    """The stack with prompts that are all open at once, until each has been answered."""
    return (*stack, *(replace(prompt, together=True) for prompt in reversed(prompts)))


def open_now(stack: Stack) -> Stack:
    """The prompts that may be answered now, the next one first."""
    if not stack or not stack[-1].together:
        return stack[-1:]
    found: Stack = ()
    for prompt in reversed(stack):
        if not prompt.together or prompt.kind != stack[-1].kind:
            break
        found += (prompt,)
    return found


def answer(stack: Stack, seat: str | None = None) -> Stack:
    """The stack without the next prompt, or without the one of those open now that asks this seat."""
    for back, prompt in enumerate(open_now(stack), start=1):
        if seat is None or prompt.seat == seat:
            return (*stack[: len(stack) - back], *stack[len(stack) - back + 1 :])
    raise LookupError(f"nothing is asked of {seat}")


def asking(stack: Stack, **about: Any) -> Stack:
    """The stack whose next prompt has other facts."""
    return (*stack[:-1], replace(stack[-1], about={**stack[-1].about, **about}))


# -- Whose a command is, for the `whose` of an `Action`: the answers that every system needs.


def own_side(state: object, command: Any) -> tuple[str, ...]:
    """The side that the command names."""
    return (command.side,)


def umpires(state: object, command: object) -> tuple[str, ...]:
    """The umpire's alone."""
    return ()


def anybody(state: object, command: object) -> None:
    """Any side's."""
    return None


# -- `why_not` of rules that are written otherwise: as a check that raises, or as a deed that refuses on its way.


def by_check(check: Callable[..., object]) -> Callable[[S, Any], Illegal | None]:
    """`why_not` of a check that raises Illegal, for rules that are written so."""

    def why_not(state: S, command: Any) -> Illegal | None:
        try:
            check(state, command)
        except Illegal as wrong:
            return wrong
        return None

    return why_not


def by_attempt(do: Callable[[S, Any, Dice], object]) -> Callable[[S, Any], Illegal | None]:
    """`why_not` of a command that can only be judged by doing it, such as a path: whatever happens before its dice."""

    def why_not(state: S, command: Any) -> Illegal | None:
        try:
            do(state, command, Dice(secret=lambda sides: 1))
        except RollNeeded:
            return None
        except Illegal as wrong:
            return wrong
        return None

    return why_not
