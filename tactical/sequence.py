"""G3 The sequence of play, as on a player's sheet, and `apply`, which runs it."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from tactical.battle import Battle
from tactical.commands import (
    Adjust,
    Agree,
    AnyCommand,
    Board,
    Contact,
    Deploy,
    Done,
    Evade,
    Finish,
    Fire,
    Hold,
    Keep,
    Leave,
    Lock,
    Mark,
    Paper,
    Plot,
    Rake,
    Ram,
    Reroll,
    Resign,
    SetLevel,
    Squadron,
    Step,
    Throw,
    Together,
)
from tactical.kernel import play
from tactical.kernel.dice import Dice, RollNeeded
from tactical.kernel.play import SPECTATOR, UMPIRE, Event, Illegal, NotYours, Outcome, event
from tactical.kernel.record import read
from tactical.rules import (
    boarding,
    book_keeping,
    contacts,
    end_of_turn,
    ending,
    linked,
    missiles,
    movement,
    oars,
    own_table,
    plotting,
    ramming,
    rerolls,
)
from tactical.todo import follow
from tactical.whose_turn import is_open, why_not_done

Handled = tuple[Battle, tuple[Event, ...]]


def done(battle: Battle, command: Done, dice: Dice) -> Handled:
    """G3.0 The side has nothing more to do in this step; contacts that it leaves open are held (G6.9).

    A contact that another crew settles first (G6.10) stays open, and the side is not done before it is settled.
    """
    events: tuple[Event, ...] = ()
    if linked.deploys(battle) is not None:
        return linked.deployed(battle), (event("L2.5", "deployed", side=command.side),)
    if battle.step == "ram":
        battle, events = ramming.hold_rest(battle, command.side, dice)
    said = event("G3.0", "done", side=command.side, step=battle.step)
    battle = battle.standing(False)
    waits = battle.step == "ram" and bool(contacts.in_contact(battle, command.side))
    return battle if waits else battle.side_done(command.side), (*events, said)


def no_step(battle: Battle) -> bool:
    """G9.1 Nobody chooses anything at the end of the turn, except evading in a linked battle (L3.5).

    A typed position stands there before its dice, until somebody says `done`.
    """
    return battle.stands or linked.may_evade_now(battle)


def never(battle: Battle) -> bool:
    """G10.1 A battle that is over stays so."""
    return True


def no_leave(battle: Battle, dice: Dice) -> Handled:
    """G10.1 There is nothing after the end."""
    return battle, ()


# step, rule, commands and who resolves each, who still has something to do, what happens by itself afterwards
SEQUENCE: dict[str, play.Step[Battle]] = {
    step.name: step
    for step in (
        play.Step(
            "plot", "G3.1", {Plot: plotting.plot, Lock: plotting.lock, Deploy: linked.deploy, Done: done},
            plotting.is_open, plotting.reveal,
        ),
        play.Step(
            "move", "G4.1",
            {
                Step: movement.step, Contact: own_table.contact, Hold: ramming.hold, Leave: own_table.leave_table,
                Done: done,
            },
            is_open, movement.close,
        ),
        play.Step(
            "fire", "G5.1", {Fire: missiles.fire, Finish: book_keeping.finish, Done: done},
            is_open, missiles.close,
        ),
        play.Step(
            "ram", "G6.1", {Ram: ramming.ram, Rake: oars.rake, Hold: ramming.hold, Done: done},
            contacts.is_open, ramming.close,
        ),
        play.Step(
            "board", "G8.1", {Board: boarding.board, Finish: book_keeping.finish, Done: done},
            is_open, boarding.close,
        ),
        play.Step("end", "G9.1", {Evade: linked.evade, Done: done}, no_step, end_of_turn.end_of_turn),
        play.Step("over", "G10.1", {}, never, no_leave),
    )
}  # fmt: skip
ANY_STEP: dict[type, play.Handler[Battle]] = {
    Resign: ending.resign,
    Agree: ending.agree,
    Adjust: book_keeping.adjust,
    Mark: book_keeping.mark,
    Throw: book_keeping.throw,
    SetLevel: book_keeping.level,
    Squadron: book_keeping.squadron,
    Paper: book_keeping.paper,
}
WHY_NOT: dict[type, Callable[[Battle, Any], Illegal | None]] = {
    Plot: plotting.why_not_plot,
    Lock: plotting.why_not_lock,
    Step: movement.why_not_step,
    Contact: own_table.why_not_contact,
    Leave: own_table.why_not_leave,
    Fire: missiles.why_not_fire,
    Ram: ramming.why_not_ram,
    Rake: oars.why_not_rake,
    Hold: ramming.why_not_hold,
    Board: boarding.why_not_board,
    Done: why_not_done,
    Evade: linked.why_not_evade,
    Deploy: linked.why_not_deploy,
    Resign: ending.why_not_resign,
    Agree: ending.why_not_agree,
    Finish: book_keeping.why_not_finish,
    Mark: book_keeping.why_not_mark,
    Throw: book_keeping.why_not_throw,
}
AFTER_THE_END = (Adjust, Squadron, Mark)


def apply(battle: Battle, seat: str, command: Any, dice: Dice) -> Outcome[Battle]:
    """G3.0 Carry out one command of a seat, then run the steps in which nobody has anything to do.

    Raises NotYours for another side's affairs, Illegal with the paragraph, RollNeeded for dice of the table.
    """
    commands = command.commands if isinstance(command, Together) else (command,)
    events: tuple[Event, ...] = ()
    for each in commands:
        yours(battle, seat, each)
        before = battle
        battle, happened = commanded(battle, seat, each, dice)
        follow(before, battle, each)
        events += happened
    battle, moved_on = play.settle(SEQUENCE, lambda state: state.step, battle, dice)
    battle = ending.scored(battle)
    dice.finish()
    return Outcome(battle, (*events, *moved_on))


def commanded(battle: Battle, seat: str, command: Any, dice: Dice) -> Handled:
    """L2.5.a Carry a command out; a commander with re-rolls may look at the dice first."""
    if isinstance(command, Keep | Reroll):
        wrong = rerolls.why_not_answer(battle, command)
        if wrong or battle.thrown is None:
            raise wrong or Illegal("L2.5.a", "No dice lie on the table.")
        return rerolls.answered(battle, command, read(battle.thrown.command, AnyCommand), dice, carry_out)
    if battle.thrown is not None:
        waits = " and ".join(battle.thrown.waits)
        raise Illegal("L2.5.a", f"Dice lie on the table; {waits} must keep them or throw one again.")
    if isinstance(command, Ram | Board) and battle.link is not None:
        return rerolls.offered(battle, command, seat, dice, carry_out)
    return carry_out(battle, command, dice)


def carry_out(battle: Battle, command: Any, dice: Dice) -> Handled:
    """G3.0 Refuse what the rules forbid, then do it. At the level "advise" a player may insist, in the open."""
    kind = type(command)
    handler = SEQUENCE[battle.step].handlers.get(kind) or ANY_STEP.get(kind)
    if battle.is_over and kind not in AFTER_THE_END:
        raise Illegal("G10.1", "The battle is over.")
    if handler is None:
        word = kind.__struct_config__.tag
        raise Illegal(SEQUENCE[battle.step].rule, f"`{word}` is not a command of the {battle.step} step.")
    wrong = WHY_NOT[kind](battle, command) if kind in WHY_NOT else None
    if wrong is None:
        return handler(battle, command, dice)
    if not (battle.level == "advise" and getattr(command, "anyway", False) and can_insist(battle, command)):
        raise wrong
    battle, events = handler(battle, command, dice)
    return battle, (event(wrong.rule, "anyway", reason=wrong.reason, command=command.__struct_config__.tag), *events)


def can_insist(battle: Battle, command: Any) -> bool:
    """G2.3 Some refusals are of things that cannot be done at all: no contact to ram in, no such place."""
    name = getattr(command, "ship", None)
    if name is not None and not battle.ship(name).is_afloat:
        return False
    if isinstance(command, Ram | Rake | Hold):
        return battle.ship(command.ship).contact is not None
    if isinstance(command, Step):
        ship = battle.ship(command.ship)
        return (
            not (command.turn and command.facing)
            and ship.boarding is None
            and (not battle.has_places or ship.at is not None)
        )
    if isinstance(command, Fire | Board | Contact):
        target = battle.ship(command.target)
        return target.is_afloat and target.side != battle.ship(command.ship).side
    return isinstance(command, Plot)


def yours(battle: Battle, seat: str, command: Any) -> None:
    """G3.0 A side commands its own ships; the umpire any; a spectator none. Unknown ships and sides are named."""
    if seat == SPECTATOR:
        raise NotYours("A spectator gives no commands.")
    kind = type(command)
    if kind is Adjust and seat != UMPIRE:
        raise NotYours("Only the umpire adjusts a battle.")
    if kind is SetLevel:
        return
    fields = kind.__struct_fields__
    sides = set()
    if "side" in fields and command.side:
        if command.side not in battle.sides:
            raise Illegal("G2.3", f"There is no side {command.side!r} in this battle.")
        sides.add(command.side)
    if "ship" in fields and command.ship:
        sides.add(battle.ship(command.ship).side)
    elif "ships" in fields:
        sides.update(battle.ship(name).side for name in command.ships)
    if kind is Fire or kind is Board or kind is Contact:
        battle.ship(command.target)
    if seat != UMPIRE and sides - {seat}:
        raise NotYours(f"This is for {' and '.join(sorted(sides - {seat}))} to command, not for {seat}.")


def settled(battle: Battle) -> Outcome[Battle]:
    """G3.0 Run on from a position in which nobody has anything to do, but roll nothing.

    Before dice it stands still for somebody's command: a `done` at the turn's end, the last `lock` before initiative.
    """
    events: tuple[Event, ...] = ()
    while not SEQUENCE[battle.step].is_open(battle):
        try:
            battle, more = SEQUENCE[battle.step].leave(battle, Dice())
        except RollNeeded:
            battle = plotting.unlocked(battle) if battle.step == "plot" else battle.standing(True)
            break
        events += more
    return Outcome(ending.scored(battle), events)
