"""A driver that plays offered commands at random to the end and says what an engine did wrong.

It knows no system. The caller passes the generator (seeded for a test), so the kernel stays without `random`.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Protocol, TypeVar

import msgspec

from tactical.kernel.dice import BadFace, Dice, random_source
from tactical.kernel.journal import Entry, replay
from tactical.kernel.protocol import ADJUSTED, SPECTATOR, UMPIRE, Illegal, NotYours, Offer, Outcome, System
from tactical.kernel.record import BadInput, decode, encode, plain, read

T = TypeVar("T")
QUITTING = frozenset({"resign", "agree", "forgo"})  # chosen rarely, or no game would get anywhere
CHOICES = (list, tuple)
RANGE = frozenset(("from", "to"))
LOOK = 3  # every so many commands the position is posted back, and an adjustment changes nothing
LIMIT = 20_000  # commands; a game that goes on longer does not end
REFUSALS = (Illegal, NotYours, BadInput, BadFace)
CRASHES = (
    LookupError,
    TypeError,
    ValueError,
    AttributeError,
    ArithmeticError,
    AssertionError,
    RecursionError,
)


class Generator(Protocol):
    """What the driver needs of `random.Random`."""

    def randrange(self, stop: int, /) -> int: ...

    def choice(self, seq: Sequence[T], /) -> T: ...


@dataclass
class Played:
    """One game: its journal, the JSON of the position after each entry (the start is 0), and the faults."""

    system: System
    scenario: str | None
    options: Mapping[str, Any]
    entries: list[Entry] = field(default_factory=list)
    states: list[bytes] = field(default_factory=list)
    faults: list[str] = field(default_factory=list)
    over: bool = False

    @property
    def commands(self) -> int:
        """How many commands were given."""
        return max(len(self.entries) - 1, 0)

    def fault(self, sentence: str) -> None:
        """Note what went wrong, and after which command."""
        self.faults.append(f"after command {self.commands}: {sentence}")


def play_at_random(
    system: System,
    scenario: str | None,
    random: Generator,
    options: Mapping[str, Any] | None = None,
    limit: int = LIMIT,
    rarely: Collection[str] | None = None,
    interrupting: int = 0,
) -> Played:
    """Play one game to its end, or to its first fault, and replay its journal.

    `rarely`: the kinds of commands that are given seldom; left out, those that give up and the system's by-hand ones.
    `interrupting`: one command in so many is of a seat that is not waited for and has something on offer; 0 for none.
    """
    played = Played(system, scenario, options or {})
    source = random_source(random.randrange)
    dice = Dice(source=source, secret=source)
    outcome = system.start(scenario, None, played.options, dice)
    note(played, UMPIRE, {"type": "start"}, outcome, dice)
    _play_on(played, outcome.state, random, limit, rarely, interrupting)
    if not played.over and not played.faults:
        played.fault(f"the game has not ended after {limit} commands")
    return played


def play_on(system: System, outcome: Outcome[Any], random: Generator, commands: int, interrupting: int = 0) -> Played:
    """Play at most so many commands on from an outcome, and replay them; a game may go on longer than that."""
    played = Played(system, None, {})
    note(played, UMPIRE, {"type": "start"}, outcome, Dice())
    _play_on(played, outcome.state, random, commands, None, interrupting)
    return played


def _play_on(
    played: Played,
    state: Any,
    random: Generator,
    limit: int,
    rarely: Collection[str] | None,
    interrupting: int,
) -> None:
    """Give commands until the game is over, a fault is found or the limit is reached; then replay the journal."""
    system = played.system
    rarely = QUITTING | system.by_hand if rarely is None else rarely
    while not played.faults and not system.is_over(state) and played.commands < limit:
        state = _one_command(played, state, random, rarely, interrupting)
    played.over = system.is_over(state)
    if not played.faults:
        check_replay(played)


def _one_command(played: Played, state: Any, random: Generator, rarely: Collection[str], interrupting: int = 0) -> Any:
    """Let somebody who is waited for, or who interrupts, give one of the commands on offer; the state after it."""
    system = played.system
    try:
        waiting = system.waiting_for(state)
        if not waiting:
            played.fault("nobody is waited for, and the game is not over")
            return state
        seat = random.choice(waiting)
        if interrupting and not random.randrange(interrupting):
            seat = random.choice(interrupters(system, state) or [seat])
            rarely = rarely if seat in waiting else QUITTING
        offers = system.offers(state, seat)
        if not offers:
            played.fault(f"{seat} is waited for and has no offer")
            return state
        command = fill(random_offer(offers, random, rarely), random)
    except CRASHES as crash:
        played.fault(f"the offers failed: {crash!r}")
        return state
    source = random_source(random.randrange)
    dice = Dice(source=source, secret=source)
    before = encode(state)
    try:
        outcome = system.apply(state, seat, read(command, system.command), dice)
    except REFUSALS as refusal:
        played.fault(f"{seat} was offered {encode(command).decode()} and refused: {refusal}")
        return state
    except CRASHES as crash:
        played.fault(f"{encode(command).decode()} by {seat} failed: {crash!r}")
        return state
    if encode(state) != before:
        played.fault(f"{command['type']} changed its argument")
    note(played, seat, command, outcome, dice)
    return outcome.state


def interrupters(system: System, state: Any) -> list[str]:
    """The seats that are not waited for and might say something else than that they give up."""
    others = [seat for seat in (*system.sides(state), UMPIRE) if seat not in system.waiting_for(state)]
    return [seat for seat in others if any(offer.type not in QUITTING for offer in system.offers(state, seat))]


def random_offer(offers: Sequence[Offer], random: Generator, rarely: Collection[str]) -> Offer:
    """Any of the offers; those that quit the game only once in two hundred times."""
    usual = [offer for offer in offers if offer.type not in rarely]
    return random.choice(usual if usual and random.randrange(200) else offers)


def fill(offer: Offer, random: Generator) -> dict[str, Any]:
    """A command from an offer, with a random choice for each field. LookupError when a field has no choice."""
    return {"type": offer.type, **{name: one_of(value, random) for name, value in offer.fields.items()}}


def one_of(value: Any, random: Generator) -> Any:
    """A choice of a list, a number of a range, or the only value."""
    if isinstance(value, str):
        return value
    if isinstance(value, CHOICES):
        return random.choice(value)
    if isinstance(value, dict) and value.keys() == RANGE:
        return value["from"] + random.randrange(value["to"] - value["from"] + 1)
    return value


def note(played: Played, seat: str, command: dict[str, Any], outcome: Outcome[Any], dice: Dice) -> None:
    """Write an entry, and check the position after it."""
    number = len(played.entries)
    entry = Entry(
        number,
        max(number - 1, 0),
        seat,
        "",
        command,
        tuple(dice.rolls),
        tuple(dice.draws),
        outcome.events,
        engine=played.system.version,
    )
    played.entries.append(entry)
    played.states.append(encode(outcome.state))
    found = complaints(played.system, outcome.state)
    if number % LOOK == 0 and not found:
        found = complaints_of_posting(played.system, outcome.state)
    for complaint in found:
        played.fault(complaint)


def complaints(system: System, state: Any) -> list[str]:
    """What is wrong with a position: its JSON, what each seat sees of it, the system's own invariants."""
    found: list[str] = []
    try:
        written = encode(state)
        again = decode(written, system.state)
        if again != state or encode(again) != written:
            found.append("the position does not come back from its JSON")
        for seat in (*system.sides(state), UMPIRE, SPECTATOR):
            encode(system.view(state, seat))
        found += system.invariants(state)
        if system.is_over(state) and getattr(state, "engagement", None) is not None:
            found.append("the game is over and an engagement is open")
    except (*REFUSALS, *CRASHES) as crash:
        found.append(f"the position cannot be read, shown or checked: {crash!r}")
    return found


def complaints_of_posting(system: System, state: Any) -> list[str]:
    """What goes wrong when the umpire's view is posted as a position, or given an adjustment that changes nothing."""
    found: list[str] = []
    raw = msgspec.json.decode(encode(system.view(state, UMPIRE)))
    try:
        if encode(system.start(None, raw, {}, Dice()).state) != encode(state):
            found.append("posted as a position it is another one")
    except (*REFUSALS, *CRASHES) as crash:
        found.append(f"posted as a position it is refused: {crash!r}")
    if ADJUSTED in system.events:
        path = state.__struct_fields__[0]
        said = {"type": "adjust", "changes": {path: plain(state)[path]}, "why": "as it stands"}
        try:
            if encode(system.apply(state, UMPIRE, read(said, system.command), Dice()).state) != encode(state):
                found.append("adjusted without a change it is another one")
        except (*REFUSALS, *CRASHES) as crash:
            found.append(f"adjusted without a change it is refused: {crash!r}")
    return found


def check_replay(played: Played) -> None:
    """The journal, replayed from the start with its own dice, must give the same positions and events."""
    state = decode(played.states[0], played.system.state)
    try:
        for entry, outcome in replay(played.system, state, played.entries[1:]):
            if encode(outcome.state) != played.states[entry.number]:
                played.faults.append(f"replay: entry {entry.number} gives another position")
                return
            if encode(outcome.events) != encode(entry.events):
                played.faults.append(f"replay: entry {entry.number} gives other events")
                return
    except (*REFUSALS, *CRASHES) as crash:
        played.faults.append(f"replay: {crash!r}")
