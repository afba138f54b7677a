"""How a system is shown: its picture, its questions, one `Presentation` for each."""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from strategic.interception import chance, chance_of_least
from tactical.kernel import protocol
from tactical.kernel.protocol import BOTH, Offer, Prompt
from tactical.kernel.questions import questions
from webapp.http.language import gettext as _
from webapp.presenting.acts import NO_ACTS, Acts
from webapp.presenting.map.sheet import Sheet

# -- What a view shows upon a map, in words that every system shares: holders, stacks, sieges.
#
# A system's presentation makes them from its view (plain dicts, as its JSON reads); pages and drawings know nothing of
# the system behind.


@dataclass(frozen=True)
class Leader:
    """A general, king or admiral on the map; `rating` as players say it. Without a head of his own his side's sign is
    drawn."""

    id: str
    name: str
    rating: str = ""
    has_head: bool = True


@dataclass(frozen=True)
class Stack:
    """Forces of one side in one space. `strength` stands on the counter; `extras` are letters with numbers; `number` is
    that of the side, which whoever draws the map fills in."""

    space: str
    side: str
    strength: str = ""
    leaders: tuple[Leader, ...] = ()
    extras: tuple[tuple[str, int], ...] = ()
    inside: bool = False
    posture: str = ""
    number: int = 0


@dataclass(frozen=True)
class Siege:
    """A siege: who besieges, and how far it has come."""

    space: str
    side: str | None
    points: int


@dataclass(frozen=True)
class Course:
    """A way that is being gone: from space to space, by a fleet or an army; `text` stands beside a fleet."""

    side: str
    path: tuple[str, ...]
    fleet: bool = False
    text: str = ""


@dataclass(frozen=True)
class Picture:
    """Everything that changes on a map. `courses` is what is under way, `meeting` where two fleets have met, `battle`
    where armies fight; the first view shows `focus`, where it is not empty: else all that is held. `sides` are those of
    the game in their order, and `sheet` its own world: where one of them is not given, the system's printed ones."""

    holders: dict[str, str] = field(default_factory=dict)
    areas: dict[str, str] = field(default_factory=dict)
    stacks: tuple[Stack, ...] = ()
    sieges: dict[str, Siege] = field(default_factory=dict)
    notes: dict[str, tuple[str, ...]] = field(default_factory=dict)
    values: dict[str, str] = field(default_factory=dict)  # of areas, beside their names
    facts: tuple[tuple[str, str], ...] = ()
    courses: tuple[Course, ...] = ()
    meeting: str = ""
    battle: str = ""
    focus: frozenset[str] = frozenset()
    sides: tuple[str, ...] = ()
    sheet: Sheet | None = None

    def at(self, space: str) -> tuple[Stack, ...]:
        """The stacks of a space."""
        return tuple(stack for stack in self.stacks if stack.space == space)


View = dict[str, Any]


@dataclass(frozen=True)
class Card:
    """A card in hand, or pieces that are still to be placed. `number` is how commands name it; `picture` names the
    drawing that it bears."""

    number: int | str
    title: str
    value: str = ""
    text: str = ""
    side: str = ""
    picture: str = ""


@dataclass(frozen=True)
class Strip:
    """The turn, its phases as (id, words, is it now), and who is active.

    The map's cartouche shows the turn's number among all to the `last` (0: unknown), its date, and by side what is
    `counted`.
    """

    turn: str
    phases: tuple[tuple[str, str, bool], ...] = ()
    active: str = ""
    note: str = ""
    number: int = 0
    last: int = 0
    date: str = ""
    counted: str = ""
    tally: tuple[tuple[str, int], ...] = ()


@dataclass(frozen=True)
class Asked:
    """A question in mid-rule. `text` says in words what it is about, where the fields of `about` would not.

    `count` is how many are still to be paid, where the question is about that; `hint` what to tap, for who answers.
    """

    kind: str
    seat: str
    rule: str
    about: dict[str, Any] = field(default_factory=dict)
    text: str = ""
    count: int | None = None
    hint: str = ""


@dataclass(frozen=True)
class Fact:
    """A line of a panel: a label, what it says, and the paragraph that explains it."""

    label: str
    text: str
    rule: str = ""


@dataclass(frozen=True)
class Book:
    """A side's row of the ledger; what the seat may not know is empty."""

    side: str
    cells: tuple[str, ...]


@dataclass(frozen=True)
class Ledger:
    """What is counted all the time, side by side: the heads of its columns, and a row for each side."""

    heads: tuple[str, ...]
    books: tuple[Book, ...]


@dataclass(frozen=True)
class Preview:
    """An answer to what players stop the game to count: a title, its paragraph, lines, and spaces to show."""

    title: str
    rule: str
    lines: tuple[str, ...]
    spaces: tuple[str, ...] = ()


@dataclass(frozen=True)
class BattleCard:
    """How many cards of one kind are in the seat's own hand."""

    kind: str
    title: str
    count: int
    text: str = ""


@dataclass(frozen=True)
class BattleSide:
    """One side of a battle by cards: its part, who commands, how many cards it holds, what lies open of them.

    `units` are those that still fight and those with which it began.
    """

    side: str
    name: str
    role: str
    commander: str
    cards: int
    rating: str = ""
    units: tuple[int, int] | None = None
    shown: tuple[str, ...] = ()
    lines: tuple[str, ...] = ()


@dataclass(frozen=True)
class BattlePanel:
    """A battle by cards as both sides may see it, and the seat's own hand. `played` waits to be matched.

    `tactics`: it is fought with tactics cards, at sea, not with battle cards.
    `won` says who has won it, `status` whose part is played; `open` are the cards that lie face up, `possible` what the
    seat may still do.
    """

    title: str
    rule: str
    round: int
    initiative: str
    played: str
    sides: tuple[BattleSide, ...]
    own: tuple[BattleCard, ...] = ()
    status: str = ""
    open: tuple[str, ...] = ()
    possible: tuple[str, ...] = ()
    won: str = ""
    tactics: bool = False
    played_kind: str = ""
    played_by: str = ""


# -- Questions in mid-rule: pages show them before anything else, and a group may give them a shorter time than a turn.

STACKS = ("agenda", "pending")  # what the systems call their stack of questions


def is_first(system: str, kind: str) -> bool:
    """Is this question answered before anything else, whatever was tapped on the map?"""
    row = questions(system).get(kind)
    return row is not None and row.first


def is_asked_in_mid_rule(system: str, state: Any, seat: str) -> bool:
    """Does an open prompt ask this seat something in mid-rule?"""
    pending = next((found for name in STACKS if (found := getattr(state, name, None))), ())
    stack = (pending,) if isinstance(pending, Prompt) else tuple(pending)
    return any(is_first(system, each.kind) and each.seat in (seat, BOTH) for each in protocol.open_now(stack))


# -- A leader's march before it is walked: what he reaches, the way space by space, its points and dangers, the
# command.
#
# All of it is asked of the engine; a system without such a march has no `walk` in its presentation.


@dataclass(frozen=True)
class Footstep:
    """One hex or space of the way: points spent when it is entered, and what it may cost."""

    hex: str
    name: str
    spent: int
    dangers: tuple[str, ...] = ()
    note: str = ""


@dataclass(frozen=True)
class Tint:
    """A hex or space within reach: its outline, the points that it costs, and where they are written on the map.

    `price` stands there in place of the points, where what it costs is no number of points.
    """

    hex: str
    shape: str
    points: int
    disc: tuple[float, float] | None = None
    price: str = ""


@dataclass(frozen=True)
class Walker:
    """A leader who may be chosen."""

    id: str
    name: str
    force: str
    chosen: bool = False


@dataclass(frozen=True)
class Mark:
    """A hex of the way as it is drawn: where, and the points spent; `danger` when dice fall there."""

    x: float
    y: float
    spent: int
    danger: bool


@dataclass(frozen=True)
class Going:
    """Of an army what goes and what stays: `units` are the fewest and the most, elephants among them, where one may
    choose; `told` are sentences."""

    units: tuple[int, int] | None = None
    told: tuple[str, ...] = ()


@dataclass(frozen=True)
class Walk:
    """The march of one leader, and who else may be chosen. `command` walks the way; `barred` says why not.

    Where the rules move an army space by space, `orders` are those commands in turn, as JSON; `going` says what goes
    and what stays, and `goal` names its end, `spent` the points that it takes. `outlook` says what waits
    there. `at_sea`: it is a voyage; `voyage` are the orders of one that leads there beside the way by land. `is_ruin`:
    the army is certain to be lost, and the button asks twice.
    """

    walkers: tuple[Walker, ...]
    leader: str = ""
    name: str = ""
    force: str = ""
    left: int = 0
    tints: tuple[Tint, ...] = ()
    steps: tuple[Footstep, ...] = ()
    line: str = ""
    marks: tuple[Mark, ...] = ()
    arrives: tuple[str, ...] = ()
    command: str = ""
    barred: str = ""
    orders: str = ""
    going: Going = Going()
    goal: str = ""
    spent: int = 0
    outlook: tuple[str, ...] = ()
    at_sea: bool = False
    voyage: str = ""
    voyage_going: Going = Going()
    voyage_spent: int = 0
    voyage_dangers: tuple[str, ...] = ()
    is_ruin: bool = False
    is_voyage_ruin: bool = False
    points: int = 0


@dataclass(frozen=True)
class Amount:
    """A number of a command: its field, its label, the least and the most, and what it begins with."""

    field: str
    label: str
    low: int
    high: int
    begin: int | None


@dataclass(frozen=True)
class Choosing:
    """A field of a command that is chosen among a few: its name, its label, and each choice as JSON with its words."""

    field: str
    label: str
    options: tuple[tuple[str, str], ...]


@dataclass(frozen=True)
class Goals:
    """An answer that names a space, given by a tap on the map: the spaces, and what follows from the one tapped.

    `kinds` are the commands that it stands for. `walkers` are those of whom one is chosen first (`chosen`), where
    there are several. `command` is the answer as JSON, `button` its words; `amount` is a field of it that may still be
    changed, with the least and the most, `choosing` one that is chosen among a few. `beside`: a side may do it, but is
    asked something else.
    """

    kinds: tuple[str, ...]
    title: str
    tints: tuple[Tint, ...]
    walkers: tuple[Walker, ...] = ()
    chosen: str = ""
    goal: str = ""
    steps: tuple[Footstep, ...] = ()
    line: str = ""
    marks: tuple[Mark, ...] = ()
    follows: tuple[str, ...] = ()
    command: str = ""
    button: str = ""
    amount: Amount | None = None
    choosing: Choosing | None = None
    beside: bool = False

    @property
    def is_open(self) -> bool:
        """Are the goals shaded on the map? What is done beside is shaded once it is picked."""
        return not self.beside or bool(self.chosen or self.goal)


# -- Answers set leader by leader: a switch for each, and how many go with those of an army; one button sends them.


@dataclass(frozen=True)
class Choice:
    """One of several: the field's name, of whom or of what, the choices (value, text); the first holds at first."""

    field: str
    label: str
    choices: tuple[tuple[str, str], ...]


@dataclass(frozen=True)
class Army:
    """An army that may answer: its space and how strong it is, its leaders' switches, how many go and how."""

    space: str
    title: str
    leaders: tuple[Choice, ...] = ()
    amounts: tuple[Amount, ...] = ()
    ways: tuple[Choice, ...] = ()


@dataclass(frozen=True)
class Switches:
    """All that a seat answers with one button: the kind of command that it makes, its armies, the button's words."""

    kind: str
    armies: tuple[Army, ...]
    button: str


# -- How a system is shown: one `Presentation` for each, and the only list of them.
#
# Everything in it is made from a view, never from a state, so that a page cannot tell more than the seat may know.
# A system without a presentation has no campaign pages; nothing is looked up by a module's name.

Events = Iterable[Mapping[str, object]]
Sentence = Callable[[Mapping[str, Any]], str]


@dataclass(frozen=True)
class OrderLine:
    """A line of a mail as it was read: the command that it means, what it is understood as, or why it is not.

    What names neither a piece of the side nor an order, as "Phone: 555" below a mail, hardly is one (`may_be_order`).
    """

    text: str
    command: Mapping[str, Any] | None
    understood: str = ""
    fault: str = ""
    may_be_order: bool = True


@dataclass(frozen=True)
class Request:
    """What a seat is asked by another, without the game waiting for it: kind and some fields of the event of it."""

    seat: str
    by: str
    kind: str
    fields: Mapping[str, Any]


def nothing(*_given: Any) -> tuple[()]:
    """A system has none of these."""
    return ()


def none(*_given: Any) -> None:
    """A system has no such thing."""


def unsaid(*_given: Any) -> str:
    """A command is told by its fields."""
    return ""


no_hand = no_lines = nothing  # a system without cards, and one whose orders do not come as lines


def turn_only(view: View) -> Strip:
    """The turn's number, where the view has one, and whose it is."""
    return Strip(str(view.get("turn", "")), active=str(view.get("active") or ""))


def no_dispatch(before: View, after: View, now: View, events: Any, side: str, tell: Any) -> list[str]:
    """Mail lists what happened since the reader's last act."""
    return []


def question(view: View) -> Asked | None:
    """The one question that waits in mid-rule, as a view tells it: the newest of a stack, or the only one."""
    raw = view.get("pending") or next(iter(reversed(view.get("agenda") or ())), None)
    if not isinstance(raw, dict) or not raw.get("seat"):
        return None
    about = raw.get("about")
    return Asked(
        str(raw.get("kind", "")), raw["seat"], str(raw.get("rule", "")), about if isinstance(about, dict) else {}
    )


@dataclass(frozen=True)
class Presentation:
    """All that the pages need to show one system.

    `sentences` each kind of event as a sentence; `acts` where battles and sieges begin and end in its journal, and what
    they cost; `picture(view)` what stands on the map; `strip(view)` the turn and
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
    on the map; `switches(state, seat)` an answer that is set leader by leader, and
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
    acts: Acts = NO_ACTS
    picture: Callable[[View], Picture] = lambda view: Picture()  # a system without a map
    strip: Callable[[View], Strip] = turn_only
    soft: frozenset[str] = frozenset()
    loud: frozenset[str] = frozenset()
    together: Mapping[str, str] = field(default_factory=dict)
    hand: Callable[[View, str], tuple[Card, ...]] = no_hand
    pieces: Callable[[View], tuple[Card, ...]] = nothing
    prompt: Callable[[View], Asked | None] = question
    facts: Callable[[View], tuple[Fact, ...]] = nothing
    space: Callable[[View, str], tuple[Fact, ...]] = nothing
    ledger: Callable[[View], Ledger | None] = none
    called: Callable[[View], dict[tuple[str, int], str]] = lambda view: {}
    answer: Callable[[View, Mapping[str, Any], Any], str] = unsaid  # a command is told by its fields
    recount: Callable[[Mapping[str, Any]], str] = unsaid
    worded: Callable[[View, Asked | None], Asked | None] = lambda view, asked: asked
    previews: Callable[[Any, str, str | None], tuple[Preview, ...]] = nothing
    walk: Callable[[Any, str, str | None, str | None], Walk | None] = none
    goals: Callable[[Any, str, Sequence[Offer], str | None, str | None], Goals | None] = none
    switches: Callable[[Any, str], Switches | None] = none
    command_of: Callable[[Any, str, Mapping[str, str]], dict[str, Any]] = lambda state, seat, form: {}
    stakes: Callable[[Any, str], tuple[str, ...]] = nothing
    battle: Callable[[View, str], BattlePanel | None] = none
    built: Callable[[Any, str], Any] = none  # no ship has a name of its own
    dispatch: Callable[[View, View, View, Any, str, Any], list[str]] = no_dispatch
    lines: Callable[[View, str, str], tuple[OrderLine, ...]] = no_lines
    requests: Callable[[View], tuple[Request, ...]] = nothing
    without_repeats: Callable[[Events, set[Hashable]], Events] = lambda events, told: events
    house: str = "campaign/_house_values.html"
    house_values: Callable[[Any], dict[str, Any]] = lambda own: {}
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


# -- A die that is asked for, in words: what it may show at most, and how likely that is.


def at_most(limit: int, modifier: int = 0) -> str:
    """A die that must stay at or under a rating once the modifier is added: "3 or less: 3 of 6 (50%)"."""
    good, of = chance(limit, modifier)
    if good == 0:
        return _("cannot succeed")
    if good == of:
        return _("certain, whatever is rolled")
    return _(
        "a roll of %(most)s or less: %(good)s of %(of)s (%(share)s%%)",
        most=good,
        good=good,
        of=of,
        share=share(good, of),
    )


def at_least(face: int) -> str:
    """A die that must show so much or more."""
    good, of = chance_of_least(face)
    return _(
        "a roll of %(least)s or more: %(good)s of %(of)s (%(share)s%%)",
        least=face,
        good=good,
        of=of,
        share=share(good, of),
    )


def by_face(results: tuple[int, ...]) -> list[tuple[str, int]]:
    """Faces of the die that give alike, together: ("1–2", 0); the first result belongs to the face 1."""
    found: list[tuple[str, int]] = []
    first = 1
    for face in range(1, len(results) + 1):
        if face == len(results) or results[face] != results[face - 1]:
            found.append((f"{first}–{face}" if face > first else str(face), results[face - 1]))
            first = face + 1
    return found


def share(good: int, of: int) -> int:
    """The share of these faces among all, in percent."""
    return round(100 * good / of)


# -- What is under way on a map: the march with its way, the fleet at sea, and where two fleets have met.


def march(view: Mapping[str, Any]) -> tuple[Course, ...]:
    """The army on the march of a land war, from where it set out to where it stands."""
    moving = view.get("march")
    path = tuple(moving.get("path") or ()) if moving else ()
    return (Course(str(moving["side"]), path),) if moving and path else ()


def voyage(side: str, start: str, to: str, ships: int | None = None) -> Course:
    """A fleet between two ports, with so many warships where that is known."""
    return Course(side, (start, to), True, "" if ships is None else str(ships))


def meeting(view: Mapping[str, Any]) -> str:
    """Where two fleets have met; empty when none have."""
    found = view.get("engagement")
    return str(found.get("place") or "") if isinstance(found, Mapping) else ""


def course_of_other(view: Mapping[str, Any]) -> tuple[Course, ...]:
    """The way of the fleet that was met, where nothing else tells of it."""
    found = view.get("engagement")
    if not isinstance(found, Mapping) or not found.get("start") or not found.get("place"):
        return ()
    return (voyage(str(found.get("mover") or ""), str(found["start"]), str(found["place"])),)


def battle(view: Mapping[str, Any]) -> str:
    """Where armies fight; empty while none do."""
    found = view.get("battle")
    return str(found.get("space") or found.get("at") or found.get("hex") or "") if isinstance(found, dict) else ""


# -- Which small drawing a strategy card bears: by what it does, never by its title.

MARCH = "march"
PICTURES: dict[str, frozenset[str]] = {
    "battle": frozenset(("double_envelopment",)),
    "elephant": frozenset(("african_elephants", "fright")),
    "letter": frozenset(
        (
            "cato_counsels",
            "diplomacy",
            "dismiss_proconsul",
            "hanno_counsels",
            "macedon",
            "messenger",
            "spy",
            "truce",
        )
    ),
    "plague": frozenset(("epidemic", "grain_shortage", "pestilence")),
    "revolt": frozenset(
        (
            "ally_deserts",
            "city_defects",
            "flip_in_italy",
            "hostile_tribes",
            "mercenaries_desert",
            "numidia_revolts",
            "numidian_pcs",
            "numidians_desert",
            "revolt",
            "spanish_desert",
            "tribal_resistance",
        )
    ),
    "ship": frozenset(("corvus", "fleet_breaks_siege", "lookouts", "naval_victory", "seamanship")),
    "storm": frozenset(("bad_weather", "storm", "storms", "terrible_sea")),
    "troops": frozenset(("auxiliaries", "macedonians", "mutin", "recruits", "slingers", "volones")),
    "walls": frozenset(("siege_train", "sortie")),
}


def picture_of(*does: str, battle: bool = False, ship: bool = False) -> str:
    """The drawing for what a card does (its event or answer); else a battle, a ship or a march."""
    found = next((name for name, events in PICTURES.items() if events & frozenset(does)), "")
    return found or ("battle" if battle else "ship" if ship else MARCH)
