"""4.0 The sequence of play as tables: what each phase and each question takes, and what may be said at any time."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from strategic.naval.settling import Assent, ChooseWay, OpenBattle, Report, Settle
from strategic.punic_wars import commands as c
from strategic.punic_wars.rules import combat, control, engagements, movement, offers, phases, position, realm, towns
from strategic.punic_wars.rules.control import aftermath
from strategic.punic_wars.rules.phases import check_done, finish, is_open, leave
from strategic.punic_wars.rules.pieces import SIDES
from strategic.punic_wars.state import Campaign, Handled
from tactical.kernel.corrections import Adjust
from tactical.kernel.engine import Sequence
from tactical.kernel.protocol import Action, Illegal, Step, by_attempt, by_check, own_side, umpires

Whose = Callable[[Campaign, Any], tuple[str, ...]]
WhyNot = Callable[[Campaign, Any], Illegal | None]
BY_TURNS = ("campaign", "recruit", "election")


def leaders_side(state: Campaign, command: Any) -> tuple[str, ...]:
    """5.11 The side of the leader that the command names."""
    if command.leader not in state.leaders:
        raise Illegal("8.11", "There is no leader called %(leader)s.", leader=command.leader)
    return (state.leaders[command.leader].side,)


def groups_side(state: Campaign, command: c.Deploy) -> tuple[str, ...]:
    """19.0 (procedure) The side of the group."""
    if command.group >= len(state.groups):
        raise Illegal("19.0 (procedure)", "There is no such group to set up.")
    return (state.groups[command.group].side,)


def phasing(state: Campaign, command: Any) -> tuple[str, ...]:
    """5.11 The phasing side."""
    return (state.phasing,)


def both(state: Campaign, command: Any) -> tuple[str, ...]:
    """L1.2 Either side's."""
    return SIDES


def in_turn(whose: Whose, why_not: WhyNot) -> WhyNot:
    """5.11 In a player's phase only what is his can be done, and then what the rule itself forbids."""

    def found(state: Campaign, command: Any) -> Illegal | None:
        if state.pending is None and state.phase in BY_TURNS and state.phasing not in whose(state, command):
            return Illegal("5.11", "It is now the turn of %(phasing)s.", phasing=state.phasing)
        return why_not(state, command)

    return found


def by_turns(kind: type, rule: str, do: Any, why_not: WhyNot, whose: Whose) -> Action[Campaign]:
    """A command of a player's own phase."""
    return Action(kind, rule, do, in_turn(whose, why_not), whose=whose)


def why_not_settle(state: Campaign, command: Settle) -> Illegal | None:
    """L1.4 What was settled may be entered again, to no effect, even when the war is over."""
    if state.result is not None and command.engagement not in state.settled:
        return Illegal("18.1", "The game is over.")
    return by_attempt(engagements.settle)(state, command)


def settled_by(state: Campaign, seat: str, command: Settle) -> Illegal | None:
    """L1.2 A side enters only what was fought on the table."""
    if seat not in SIDES or command.engagement in state.settled or state.result is not None:
        return None
    return by_check(engagements.check_settle)(state, command)


DONE = by_turns(c.Done, "4.1", finish, by_check(check_done), own_side)
ACCEPT = by_turns(c.Accept, "4.1", phases.accept, by_attempt(phases.accept), own_side)
PLACE = by_turns(c.Place, "8.32", phases.place, by_check(phases.check_place), leaders_side)
LINK = (
    Action(ChooseWay, "L1.2", engagements.choose_way, by_attempt(engagements.choose_way), whose=own_side),
    Action(OpenBattle, "L1.2", engagements.open_battle, by_attempt(engagements.open_battle), whose=both),
    Action(Report, "L1.2", engagements.report, by_attempt(engagements.report), whose=own_side),
    Action(Assent, "L1.2", engagements.assent, by_attempt(engagements.assent), whose=own_side),
)


def phase(name: str, rule: str, what: Callable[[Campaign, str], Any], *actions: Action[Campaign]) -> Step[Campaign]:
    """4.1 A phase of the player turn."""
    return Step(name, rule, (DONE, ACCEPT, *actions), leave, is_open, offers.waiting_for, offers.due(what))


def question(name: str, rule: str, *actions: Action[Campaign]) -> Step[Campaign]:
    """4.1 A question in mid-rule."""
    return Step(name, rule, actions, None, lambda state: True, offers.waiting_for, offers.answers)


STEPS: dict[str, Step[Campaign]] = {
    step.name: step
    for step in (
        phase(
            "setup",
            "19.0 (procedure)",
            offers.set_up,
            Action(c.Deploy, "19.0 (procedure)", phases.deploy, by_check(phases.check_deploy), whose=groups_side),
        ),
        phase(
            "diplomacy",
            "4.2.A.1",
            offers.bidding,
            Action(c.Bid, "16.11", realm.bid, by_check(realm.check_bid), whose=own_side),
        ),
        phase(
            "election",
            "4.2.B.1",
            lambda state, side: offers.election(state),
            by_turns(c.Retire, "8.42", phases.retire, by_check(phases.check_retire), leaders_side),
            PLACE,
        ),
        phase("tax", "15.0", offers.nothing),
        phase(
            "campaign",
            "5.0",
            offers.campaign,
            PLACE,
            by_turns(c.ComeOut, "10.25", towns.come_out, by_check(towns.check_come_out), phasing),
            by_turns(
                c.Take,
                "5.13",
                movement.take,
                by_check(movement.check_take),
                leaders_side,
            ),
            by_turns(c.Move, "5.12", movement.move, by_check(movement.check_move), leaders_side),
            by_turns(c.March, "5.0 (procedure)", movement.march, by_attempt(movement.march), leaders_side),
            by_turns(c.Attack, "9.13", combat.attack, by_check(combat.check_attack), leaders_side),
            by_turns(c.Finish, "5.0 (procedure)", movement.finish, by_check(movement.check_finish), leaders_side),
        ),
        phase("supply", "12.0", offers.nothing),
        phase(
            "recruit",
            "13.0",
            offers.recruiting,
            by_turns(c.Recruit, "13.11", realm.recruit, by_attempt(realm.recruit), phasing),
        ),
        Step("over", "18.1"),
        question("threat", "9.16", Action(c.Invert, "9.16", combat.invert)),
        question("commander", "8.22", Action(c.Command, "8.22", combat.command, by_attempt(combat.command)), ACCEPT),
        question("losses", "9.31", Action(c.Lose, "9.31", phases.lose, by_attempt(phases.lose)), ACCEPT),
        Step(
            "engagement",
            "L1.1",
            LINK,
            None,
            lambda state: True,
            offers.may_speak,
            offers.answers,
            offers.who_must_answer,
        ),
    )
}

ANYTIME = (
    Action(c.Turn, "10.26", towns.turn, by_check(towns.check_turn), offers.turning, leaders_side),
    Action(
        c.Agree,
        "18.1",
        control.agree,
        by_check(control.check_agree),
        offers.agreeing,
        own_side,
    ),
    Action(c.Resign, "18.1", control.resign, offers=offers.resigning, whose=own_side),
    Action(Adjust, "4.1", position.adjust, whose=umpires, after_end=True, stays=True),
    Action(Settle, "L1.4", engagements.settle, why_not_settle, whose=both, after_end=True, for_seat=settled_by),
)


def tidy(state: Campaign) -> Handled:
    """10.11, 10.12, 10.35, 8.31 What follows by itself from any command, once nothing is asked any more."""
    in_mid_rule = state.result is not None or state.pending is not None or state.phase == "setup"
    return (state, ()) if in_mid_rule else aftermath(state)


SEQUENCE: Sequence[Campaign] = Sequence(
    steps=STEPS,
    step_of=lambda state: state.phase,
    prompts=lambda state: (state.pending,) if state.pending is not None else (),
    sides=lambda state: SIDES,
    is_over=lambda state: state.result is not None,
    over=("18.1", "The game is over."),
    anytime=ANYTIME,
    tidy=tidy,
    order="4.1",
)
