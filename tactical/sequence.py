"""G3 The sequence of play, as on a player's sheet: the tables that `kernel.engine` runs."""

from __future__ import annotations

from collections.abc import Callable
from operator import attrgetter
from typing import Any

from tactical import commands as say
from tactical import courses
from tactical.battle import Battle
from tactical.commands import (
    of_anybody,
    of_fleet,
    of_ship,
    of_ships,
    of_side,
    of_target,
    of_umpire,
    why_not_all,
    why_not_umpires,
)
from tactical.kernel.dice import Dice
from tactical.kernel.engine import Sequence
from tactical.kernel.protocol import Action, Handled, Illegal, Step, allow, event
from tactical.kernel.record import read
from tactical.offers import at_any_time, in_step, is_open, waiting_for, why_not_done
from tactical.rules import (
    boarding,
    book_keeping,
    end_of_turn,
    ending,
    linked,
    missiles,
    movement,
    own_table,
    plotting,
    ramming,
)

WhyNot = Callable[[Battle, Any], Illegal | None]
SIDES_OWN = frozenset(
    (  # what a side says of itself or of its ships in the course of play
        say.Plot,
        say.Lock,
        say.Step,
        say.Fire,
        say.Ram,
        say.Rake,
        say.Hold,
        say.Board,
        say.Contact,
        say.Leave,
        say.Done,
        say.Finish,
        say.Forgo,
        say.Agree,
    )
)
AT_TABLE = (say.Fire, say.Board, say.Contact)  # commands that name a second ship


def action(
    command: type, rule: str, do: Callable[[Battle, Any, Dice], Handled[Battle]], why_not: WhyNot = allow, **more: Any
) -> Action[Battle]:
    """A command; whose it is follows from what it names; while dice lie on the table none is taken (L2.5.a)."""
    fields = command.__struct_fields__  # type: ignore[attr-defined]
    owner = of_target if command in AT_TABLE else of_ship if "ship" in fields else of_side
    if command in SIDES_OWN:
        why_not = unless_given_up(why_not, "side" in fields)
    return Action(command, rule, do, unless_dice_lie(why_not), **{"whose": owner, **more})


def unless_dice_lie(why_not: WhyNot) -> WhyNot:
    """L2.5.a The dice on the table come first."""

    def asked(battle: Battle, command: Any) -> Illegal | None:
        return why_not(battle, command) if battle.thrown is None else linked.dice_lie(battle.thrown)

    return asked


def unless_given_up(why_not: WhyNot, names_side: bool) -> WhyNot:
    """G10.1.a Nobody commands the ships of a side that has given up."""

    def asked(battle: Battle, command: Any) -> Illegal | None:
        side = command.side if names_side else battle.ship(command.ship).side
        if battle.side(side).resigned:
            return Illegal("G10.1", "%(side)s %(side|has|have)s already given up.", side=side)
        return why_not(battle, command)

    return asked


def finish_side(battle: Battle, command: say.Done, dice: Dice) -> Handled[Battle]:
    """G3.0 The side has nothing more to do in this step; contacts that it leaves open are held (G6.9).

    A contact that another crew settles first (G6.10) stays open, and the side is not done before it is settled.
    """
    if linked.deploys(battle) is not None:
        return linked.deploy_next(battle), (event("L2.5", "deployed", side=command.side),)
    battle, events = ramming.hold_rest(battle, command.side, dice) if battle.step == "ram" else (battle, ())
    said = event("G3.0", "done", side=command.side, step=battle.step)
    battle = battle.standing(False)
    waits = battle.step == "ram" and bool(movement.in_contact(battle, command.side))
    return battle if waits else battle.side_done(command.side), (*events, said)


def is_asked(battle: Battle) -> bool:
    """G9.1 Nobody chooses anything at the end of the turn, except evading in a linked battle (L3.5).

    A typed position stands there before its dice, until somebody says `done`.
    """
    return battle.stands or linked.may_evade_now(battle)


def answer(battle: Battle, command: say.Keep | say.Reroll, dice: Dice) -> Handled[Battle]:
    """L2.5.a Keep the dice on the table or throw one again; then what was ordered is carried out with them."""
    assert battle.thrown is not None
    ordered = read(battle.thrown.command, say.AnyCommand)
    return linked.answer(battle, command, ordered, dice, SEQUENCE.carry)


def command_ship(battle: Battle, seat: str, command: Any, dice: Dice, carry: linked.Carry) -> Handled[Battle]:
    """L2.5.a Carry a command out; a commander with re-rolls may look at the dice first."""
    if battle.link is not None and isinstance(command, say.Ram | say.Board):
        return linked.offer(battle, command, seat, dice, carry)
    return carry(battle, command, dice)


def before_dice(battle: Battle) -> Battle:
    """G2.3.a, G3.0 Where dice come next a position waits: for `go_on`, a `done`, or the `lock` before initiative."""
    return plotting.unlock(battle) if battle.step == "plot" else battle.standing(True)


def go_on(battle: Battle, command: say.GoOn, dice: Dice) -> Handled[Battle]:
    """G2.3.a The umpire lets what would follow by itself follow, with its dice."""
    return battle.standing(False), (event("G2.3.a", "go_on"),)


def why_not_go_on(battle: Battle, command: say.GoOn) -> Illegal | None:
    """G2.3.a Only where a position stands before its dice."""
    return None if battle.stands else Illegal("G2.3.a", "The game is not waiting for the umpire.")


def insists(battle: Battle, command: Any) -> bool:
    """G2.3 At the level "advise" a player may do what a rule forbids, in the open."""
    wants = getattr(command, "anyway", False) and battle.level == "advise" and battle.thrown is None
    return wants and can_insist(battle, command)


def can_insist(battle: Battle, command: Any) -> bool:
    """G2.3 Some refusals are of things that cannot be done at all: no contact to ram in, no such place."""
    name = getattr(command, "ship", None)
    if name is not None and not battle.ship(name).is_afloat:
        return False
    if isinstance(command, say.Ram | say.Rake | say.Hold):
        return battle.ship(command.ship).contact is not None
    if isinstance(command, say.Step):
        ship = battle.ship(command.ship)
        return (
            not (command.turn and command.facing)
            and ship.boarding is None
            and (not battle.has_places or ship.at is not None)
        )
    if isinstance(command, say.Fire | say.Board | say.Contact):
        target = battle.ship(command.target)
        return target.is_afloat and target.side != battle.ship(command.ship).side
    return isinstance(command, say.Plot)


def sides(battle: Battle) -> tuple[str, ...]:
    """All sides; what a step offers to a side says by itself whether that may still speak in it."""
    return tuple(battle.sides)


DONE = action(say.Done, "G3.0", finish_side, why_not_done)
HOLD = action(say.Hold, "G6.9", ramming.hold, ramming.why_not_hold)
FINISH = action(say.Finish, "G3.0", book_keeping.finish, book_keeping.why_not_finish)

# step, paragraph, commands, what happens by itself afterwards, who still has something to do, who may speak, offers
STEPS: dict[str, Step[Battle]] = {
    step.name: step
    for step in (
        Step(
            "plot",
            "G3.1",
            (
                action(say.Plot, "G3.1", plotting.plot, plotting.why_not_plot, stays=True),
                action(say.Lock, "G3.1", plotting.lock, plotting.why_not_lock),
                action(say.Deploy, "L2.5", linked.deploy, linked.why_not_deploy),
                DONE,
            ),
            plotting.reveal,
            is_open,
            sides,
            in_step,
        ),
        Step(
            "move",
            "G4.1",
            (
                action(say.Step, "G4.1", movement.step, movement.why_not_step),
                action(say.Contact, "G4.6", own_table.contact, own_table.why_not_contact),
                HOLD,
                action(say.Leave, "G1.4", own_table.leave_table, own_table.why_not_leave),
                DONE,
            ),
            movement.close,
            is_open,
            sides,
            in_step,
        ),
        Step(
            "fire",
            "G5.1",
            (action(say.Fire, "G5.1", missiles.fire, missiles.why_not_fire), FINISH, DONE),
            missiles.close,
            is_open,
            sides,
            in_step,
        ),
        Step(
            "ram",
            "G6.1",
            (
                action(say.Ram, "G6.1", ramming.ram, ramming.why_not_ram),
                action(say.Rake, "G7.1", ramming.rake, ramming.why_not_rake),
                HOLD,
                DONE,
            ),
            ramming.close,
            movement.is_open,
            sides,
            in_step,
        ),
        Step(
            "board",
            "G8.1",
            (action(say.Board, "G8.1", boarding.board, boarding.why_not_board), FINISH, DONE),
            boarding.close,
            is_open,
            sides,
            in_step,
        ),
        Step(
            "end",
            "G9.1",
            (action(say.Evade, "L3.5", linked.evade, linked.why_not_evade), DONE),
            end_of_turn.end_of_turn,
            is_asked,
            sides,
            in_step,
        ),
        Step("over", "G10.1"),
    )
}


def parts(battle: Battle, command: Any) -> tuple[Any, ...]:
    """The commands that a command consists of."""
    return courses.expand(battle, command) if type(command) is say.Together else (command,)


def nothing(battle: Battle, command: say.Together, dice: Dice) -> Handled[Battle]:
    """A command for a fleet that stands for nothing has been refused."""
    raise AssertionError("a command for a fleet is carried out as its ships' commands")


ANYTIME: tuple[Action[Battle], ...] = (
    Action(say.Together, "G3.0", nothing, courses.why_nobody, whose=of_fleet),
    Action(say.Keep, "L2.5.a", answer, linked.why_not_answer, whose=of_side),
    Action(say.Reroll, "L2.5.a", answer, linked.why_not_answer, whose=of_side),
    action(say.Resign, "G10.1", ending.resign, ending.why_not_resign),
    action(say.Agree, "G10.1", ending.agree, ending.why_not_agree),
    action(say.Forgo, "G3.0.a", plotting.forgo, plotting.why_not_forgo),
    action(
        say.Adjust,
        "G2.3",
        book_keeping.adjust,
        whose=of_anybody,
        for_seat=why_not_umpires,
        after_end=True,
        rolls=False,
    ),
    action(say.GoOn, "G2.3.a", go_on, why_not_go_on, whose=of_umpire),
    action(say.Mark, "G2.3", book_keeping.mark, book_keeping.why_not_mark, after_end=True),
    action(say.Throw, "G2.3", book_keeping.throw, book_keeping.why_not_throw),
    action(say.SetLevel, "G2.3", book_keeping.level, whose=of_anybody),
    action(say.Squadron, "G2.4", book_keeping.squadron, whose=of_ships, for_seat=why_not_all, after_end=True),
    action(say.Paper, "G2.3", book_keeping.paper),
)

SEQUENCE: Sequence[Battle] = Sequence(
    steps=STEPS,
    step_of=attrgetter("step"),
    sides=sides,
    is_over=lambda battle: battle.step == "over",
    over=("G10.1", "The battle is over."),
    anytime=ANYTIME,
    waiting=waiting_for,
    parts=parts,
    wrap=command_ship,
    insists=insists,
    finish=ending.score,
    extra=at_any_time,
    before_dice=before_dice,
)
