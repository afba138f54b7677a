"""`apply`, `offers`, `why_not`, `waiting_for` and `advance`, made from a system's tables: the same for every system.

A system is a `Sequence`: its steps with their actions, what may be said at any time, and where in the state the next
step and the open prompts stand. Whatever needs no decision happens in `advance`.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from functools import cached_property, partial
from typing import Any, Generic, TypeVar

from tactical.kernel.dice import Dice, RollNeeded
from tactical.kernel.protocol import (
    BOTH,
    UMPIRE,
    Action,
    Event,
    Handled,
    Illegal,
    NotYours,
    Offer,
    Outcome,
    Prompt,
    Refusal,
    Step,
    System,
    event,
    no_offers,
    tag_of,
)
from tactical.kernel.record import BadInput, Reason, encode

S = TypeVar("S")
LONGEST = 10_000  # steps in a row that go by themselves; more is a fault of the tables


@dataclass(frozen=True)
class Sequence(Generic[S]):
    """The tables of a system.

    `steps`: boxes and prompts by name. `anytime`: what may be said in every step. `step_of`: the box that is next when
    nothing is asked. `prompts`: the questions that are open now. `over`: the paragraph and the sentence that refuse
    whatever comes after the end. `tidy` runs before each step; `finish` after each command (points are counted).
    `waiting`: who is waited for, where the steps do not say it. `parts` takes a compound command apart. `wrap` may
    stand around the carrying out of a command. `insists`: may this refused command be done all the same, in the open?
    `called`: what a seat is called in a refusal. `order`: the paragraph that refuses a command at the wrong time, else
    the step's, or the command's (`by_own_rule`). `extra`: what is offered whatever the step. `before_dice`: how a
    position stands before dice that no command ordered.
    """

    steps: Mapping[str, Step[S]]
    step_of: Callable[[S], str]
    sides: Callable[[S], tuple[str, ...]]
    is_over: Callable[[S], bool]
    over: tuple[str, str]
    anytime: tuple[Action[S], ...] = ()
    prompts: Callable[[S], tuple[Prompt, ...]] | None = None
    tidy: Callable[[S], Handled[S]] | None = None
    finish: Callable[[S], S] | None = None
    waiting: Callable[[S], tuple[str, ...]] | None = None
    parts: Callable[[S, Any], tuple[Any, ...]] | None = None
    wrap: Callable[[S, str, Any, Dice, Callable[[S, Any, Dice], Handled[S]]], Handled[S]] | None = None
    insists: Callable[[S, Any], bool] | None = None
    called: Callable[[str], str] = str
    order: str = ""
    by_own_rule: bool = False
    extra: Callable[[S, str], Iterable[Offer]] | None = None
    before_dice: Callable[[S], S] | None = None

    @cached_property
    def always(self) -> dict[type, Action[S]]:
        """What may be said in every step, by the command's type."""
        return {action.command: action for action in self.anytime}

    @cached_property
    def anywhere(self) -> dict[type, Action[S]]:
        """Some action of each command's type, whatever its step: whose command it is does not depend on the step."""
        found = {action.command: action for step in self.steps.values() for action in step.actions}
        return {**found, **self.always}

    @cached_property
    def of_any_side(self) -> frozenset[type]:
        """Commands that no step keeps to some of the sides: those that may be said at any time, too."""
        kept = (step for step in self.steps.values() if step.seats is not None and step.seats is not self.sides)
        return frozenset(self.anywhere) - {kind for step in kept for kind in step.by_command} | frozenset(self.always)

    @cached_property
    def offering(self) -> tuple[Action[S], ...]:
        """What may be said at any time and is offered."""
        return tuple(action for action in self.anytime if action.offers is not no_offers)

    @cached_property
    def staying(self) -> frozenset[type]:
        """Commands after which nothing happens by itself."""
        return frozenset(kind for kind, action in self.anywhere.items() if action.stays)

    @cached_property
    def rolling(self) -> frozenset[type]:
        """Commands after which dice that they have not ordered may be rolled."""
        return frozenset(kind for kind, action in self.anywhere.items() if action.rolls)

    @cached_property
    def boxes(self) -> dict[str, tuple[tuple[Step[S], None], ...]]:
        """Each step as the only one that is open."""
        return {name: ((step, None),) for name, step in self.steps.items()}

    @cached_property
    def carry(self) -> Callable[[S, Any, Dice], Handled[S]]:
        """The carrying out of one command."""
        return partial(carry_out, self)


def open_steps(sequence: Sequence[S], state: S) -> tuple[tuple[Step[S], Prompt | None], ...]:
    """The steps that take commands now: those of the open prompts, else the box that is next."""
    asked = () if sequence.prompts is None else sequence.prompts(state)
    if asked:
        return tuple((sequence.steps[prompt.kind], prompt) for prompt in asked)
    return sequence.boxes[sequence.step_of(state)]


def parts_of(sequence: Sequence[S], state: S, command: Any) -> tuple[Any, ...]:
    """The commands that a command consists of in this position, one after the other."""
    return (command,) if sequence.parts is None else sequence.parts(state, command)


def seats_of(sequence: Sequence[S], state: S, step: Step[S], prompt: Prompt | None) -> tuple[str, ...]:
    """Who must act in an open step."""
    if step.seats is not None:
        return step.seats(state)
    if prompt is None or not prompt.seat:
        return ()
    return sequence.sides(state) if prompt.seat == BOTH else (prompt.seat,)


def waiting_for(sequence: Sequence[S], state: S) -> tuple[str, ...]:
    """The seats that must act now."""
    if sequence.is_over(state):
        return ()
    if sequence.waiting is not None:
        return sequence.waiting(state)
    found = (
        seats_of(sequence, state, step, prompt) if step.awaited is None else step.awaited(state)
        for step, prompt in open_steps(sequence, state)
    )
    return tuple(dict.fromkeys(seat for seats in found for seat in seats))


def find(sequence: Sequence[S], state: S, command: Any) -> Action[S] | Illegal | NotYours:
    """Who resolves this command now, or why it cannot be said now."""
    kind = type(command)
    action = sequence.always.get(kind)
    if sequence.is_over(state) and not (action and action.after_end):
        return Illegal(*sequence.over)
    if action is not None:
        return action
    steps = open_steps(sequence, state)
    for step, prompt in steps:
        action = step.by_command.get(kind)
        if action is None:
            continue
        if prompt is None or action.whose is None or answers(sequence, state, action, command, step, prompt):
            return action
    step, prompt = steps[0]
    if any(kind in each.by_command for each, _ in steps):
        asked = tuple(map(sequence.called, waiting_for(sequence, state)))
        return NotYours("Only %(asked)s may answer this now.", asked=asked)
    own = sequence.anywhere[kind] if sequence.by_own_rule else step
    rule = prompt.rule if prompt is not None else sequence.order or own.rule
    return Illegal(rule, "`%(tag_of)s` is not a command of the %(step)s step.", tag_of=tag_of(kind), step=step.name)


def answers(sequence: Sequence[S], state: S, action: Action[S], command: Any, step: Step[S], prompt: Prompt) -> bool:
    """Is the command of somebody whom the prompt asks?"""
    whose = action.whose(state, command) if action.whose is not None else None
    return whose is None or any(seat in whose for seat in seats_of(sequence, state, step, prompt))


def not_yours(sequence: Sequence[S], state: S, seat: str, command: Any) -> Refusal | None:
    """Why this seat may not give the command, whatever is asked now; None when it may."""
    if seat != UMPIRE and seat not in sequence.sides(state):
        return NotYours("A spectator cannot give commands.")
    action = sequence.anywhere.get(type(command))
    if sequence.is_over(state) and not (action and action.after_end):
        return Illegal(*sequence.over)
    if seat == UMPIRE and (action is None or (action.whose is None and action.for_seat is None)):
        return None
    whose = whose_of(sequence, state, action, command)
    if not (whose is None or isinstance(whose, tuple)):
        return whose
    if seat == UMPIRE or whose is None or seat in whose:
        return action.for_seat(state, seat, command) if action is not None and action.for_seat is not None else None
    others = tuple(sequence.called(each) for each in whose) or (Reason("the umpire"),)
    return NotYours("This is for %(either)s to command, not for %(seat)s.", either=others, seat=sequence.called(seat))


def whose_of(
    sequence: Sequence[S], state: S, action: Action[S] | None, command: Any
) -> tuple[str, ...] | Illegal | BadInput | None:
    """Whose affair the command is: seats, () for the umpire's, None for any side's; a refusal when it names nobody."""
    try:
        if action is not None and action.whose is not None:
            return action.whose(state, command)
    except (Illegal, BadInput) as fault:  # the command names a ship or a side that is not there
        return fault
    return None if sequence.is_over(state) else waiting_for(sequence, state)


def whose(sequence: Sequence[S], state: S, command: Any) -> tuple[str, ...] | None:
    """The seats whose affair the command is, or the first part of it; None when it is nobody's in particular."""
    part = parts_of(sequence, state, command)[0]
    found = whose_of(sequence, state, sequence.anywhere.get(type(part)), part)
    return found if isinstance(found, tuple) else None


def why_not(sequence: Sequence[S], state: S, seat: str, command: Any) -> Refusal | None:
    """What `apply` would refuse this command with; None when it would carry it out. Of a compound, its first part's."""
    part = parts_of(sequence, state, command)[0]
    wrong = not_yours(sequence, state, seat, part)
    if wrong is not None:
        return wrong
    action = find(sequence, state, part)
    if not isinstance(action, Action):
        return action
    try:
        refusal = what_forbids(sequence, state, action, part)
    except BadInput as fault:  # the command names a side or a ship that is not there
        return fault
    return None if sequence.insists is not None and sequence.insists(state, part) else refusal


def what_forbids(sequence: Sequence[S], state: S, action: Action[S], command: Any) -> Illegal | NotYours | None:
    """What forbids a command that may be said in this step: its own rule, or that another seat is waited for."""
    return action.why_not(state, command) or out_of_turn(sequence, state, action, command)


def out_of_turn(sequence: Sequence[S], state: S, action: Action[S], command: Any) -> NotYours | None:
    """In a step that says who is waited for (`seats`): is the command nobody's of these? The umpire's always may be."""
    if type(command) in sequence.of_any_side:
        return None
    whose = action.whose(state, command) if action.whose is not None else None
    if not whose:
        return None
    for step, prompt in open_steps(sequence, state):
        if step.seats is None or type(command) not in step.by_command:
            continue
        seats = seats_of(sequence, state, step, prompt)
        if not any(seat in whose for seat in seats):
            return NotYours("Only %(asked)s may answer this now.", asked=tuple(map(sequence.called, seats)))
    return None


def apply(sequence: Sequence[S], state: S, seat: str, command: Any, dice: Dice) -> Outcome[S]:
    """Refuse first, roll next, change last; then run on to where somebody must decide.

    Raises NotYours for another seat's affairs, Illegal with the paragraph, BadInput, RollNeeded, BadFace; then nothing
    has changed.
    """
    events: tuple[Event, ...] = ()
    parts = parts_of(sequence, state, command)
    for part in parts:
        wrong = not_yours(sequence, state, seat, part)
        if wrong is not None:
            raise wrong
        if sequence.wrap is None:
            state, happened = carry_out(sequence, state, part, dice)
        else:
            state, happened = sequence.wrap(state, seat, part, dice, sequence.carry)
        events += happened
    if sequence.before_dice is not None and not sequence.rolling.issuperset(map(type, parts)):
        state, more = advance(sequence, state, Dice(), sequence.before_dice)
        events += more
    elif not sequence.staying.issuperset(map(type, parts)):
        state, more = advance(sequence, state, dice)
        events += more
    dice.finish()
    return Outcome(state, events)


def carry_out(sequence: Sequence[S], state: S, command: Any, dice: Dice) -> Handled[S]:
    """Refuse what the rules forbid, then do it."""
    action = find(sequence, state, command)
    if not isinstance(action, Action):
        raise action
    if action.checks_itself and out_of_turn(sequence, state, action, command) is None:
        return action.do(state, command, dice)
    wrong = what_forbids(sequence, state, action, command)
    if wrong is None:
        return action.do(state, command, dice)
    if isinstance(wrong, NotYours):
        raise wrong
    if sequence.insists is None or not sequence.insists(state, command):
        raise wrong
    state, events = action.do(state, command, dice)
    return state, (event(wrong.rule, "anyway", reason=wrong.reason, command=tag_of(type(command))), *events)


def advance(sequence: Sequence[S], state: S, dice: Dice, before_dice: Callable[[S], S] | None = None) -> Handled[S]:
    """Run on through what needs no decision, until somebody must decide or the game is over.

    `before_dice`: how a position stands and waits where dice come next that nobody has thrown; without it RollNeeded.
    """
    events: tuple[Event, ...] = ()
    for _ in range(LONGEST):
        if sequence.tidy is not None:
            state, tidied = sequence.tidy(state)
            events += tidied
        if sequence.is_over(state):
            break
        steps = open_steps(sequence, state)
        if any([is_open(sequence, state, step, prompt) for step, prompt in steps]):  # somebody must decide
            break
        leave = steps[0][0].leave
        if leave is None:
            raise LookupError(f"the step {steps[0][0].name} is not open and cannot be left")
        try:
            state, more = leave(state, dice)
        except RollNeeded:
            if before_dice is None:
                raise
            state = before_dice(state)
            break
        events += more
    else:
        raise RecursionError("the sequence of play runs in a circle")
    return state if sequence.finish is None else sequence.finish(state), events


def is_open(sequence: Sequence[S], state: S, step: Step[S], prompt: Prompt | None) -> bool:
    """Must somebody decide in this step?"""
    if step.is_open is not None:
        return step.is_open(state)
    seats = seats_of(sequence, state, step, prompt)
    return any(True for seat in seats for _ in offers_in(step, state, seat))


def offers_in(step: Step[S], state: S, seat: str) -> Iterable[Offer]:
    """What a seat that is waited for may say in a step."""
    if step.offers is not None:
        return step.offers(state, seat)
    return (offer for action in step.actions for offer in action.offers(state, seat))


def offers(sequence: Sequence[S], state: S, seat: str) -> tuple[Offer, ...]:
    """What the seat may command now; to the umpire what every side may, each once."""
    sides = sequence.sides(state)
    if seat != UMPIRE:
        return offers_to(sequence, state, seat) if seat in sides else ()
    own = list(sequence.extra(state, UMPIRE)) if sequence.extra is not None else []
    if not sequence.is_over(state):
        for step, prompt in open_steps(sequence, state):
            if UMPIRE in seats_of(sequence, state, step, prompt):
                own += offers_in(step, state, UMPIRE)
    found = {encode(offer): offer for offer in own}
    found |= {encode(offer): offer for side in sides for offer in offers_to(sequence, state, side)}
    return tuple(found.values())


def offers_to(sequence: Sequence[S], state: S, seat: str) -> tuple[Offer, ...]:
    """What one side may command: in the open steps that wait for it, and at any time."""
    over = sequence.is_over(state)
    found: list[Offer] = []
    if not over:
        for step, prompt in open_steps(sequence, state):
            if seat in seats_of(sequence, state, step, prompt):
                found += offers_in(step, state, seat)
    if sequence.extra is not None:
        found += sequence.extra(state, seat)
    for action in sequence.offering:
        if action.after_end or not over:
            found += action.offers(state, seat)
    return tuple(found)


def begin(sequence: Sequence[S], state: S, dice: Dice) -> Outcome[S]:
    """A scenario or a position, run on to where somebody must decide; without its dice it stays where it is."""
    try:
        return Outcome(*advance(sequence, state, dice))
    except RollNeeded:
        return Outcome(state)


def system(sequence: Sequence[Any], prompts: tuple[str, ...] = (), **facts: Any) -> System:
    """The `System` of these tables; `facts` are its name, title, version, state, command, options and the like.

    `prompts` are its kinds of questions, where they have no steps of their own.
    """
    return System(
        offers=partial(offers, sequence),
        apply=partial(apply, sequence),
        why_not=partial(why_not, sequence),
        whose=partial(whose, sequence),
        waiting_for=partial(waiting_for, sequence),
        sides=sequence.sides,
        is_over=sequence.is_over,
        prompts=prompts or tuple(name for name, step in sequence.steps.items() if step.actions),
        **facts,
    )
