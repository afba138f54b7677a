"""O3.1 The sequence of a turn: orders, its days, its meetings, and the sending of what it brought."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from typing import Any

from msgspec.structs import replace as replace_in

from strategic.naval import settling
from strategic.open_campaign import commands as c
from strategic.open_campaign.rules import days, ending, meeting, money, orders, sight
from strategic.open_campaign.rules.fighting import enter, quick_dice
from strategic.open_campaign.rules.holding import in_front, meetings, unopened_first, wait_for_sending
from strategic.open_campaign.rules.orders import in_squadrons
from strategic.open_campaign.state import Handled, Squadrons, State
from tactical.kernel.corrections import Adjust
from tactical.kernel.dice import Dice
from tactical.kernel.engine import Sequence
from tactical.kernel.protocol import UMPIRE, Action, Offer, Step

MEETING = settling.Meeting[State](quick_dice, enter)


def field_models(state: State) -> State:
    """O2.2 The battle that was just opened, with the models that the table has."""
    assert state.engagement is not None
    engagement, ships = in_squadrons(state, state.engagement)
    if not ships:
        return state
    kept = Squadrons(state.engagement.fleets, ships)
    return replace_in(state, engagement=engagement, squadrons={**state.squadrons, engagement.id: kept})


def about_its_meeting(action: Action[State]) -> Action[State]:
    """O6.1 The action with the meeting in front that its command names: they are settled in any order."""
    for_seat = action.for_seat

    def carry_out(state: State, command: Any, dice: Dice) -> Handled:
        there = tuple(sorted(side for each in meetings(state) if each.id == command.engagement for side in each.sides))
        state, told = action.do(in_front(state, command.engagement), command, dice)
        told = tuple(replace_in(each, only=each.only or there) for each in told)
        return unopened_first(field_models(state) if isinstance(command, settling.OpenBattle) else state), told

    return replace(
        action,
        do=carry_out,
        why_not=lambda state, command: action.why_not(in_front(state, command.engagement), command),
        for_seat=for_seat and (lambda state, seat, it: for_seat(in_front(state, it.engagement), seat, it)),
    )


LINK = {action.tag: about_its_meeting(action) for action in MEETING.actions()}
SETTLING = ("choose_way", "open_battle", "report", "assent")


def speaking(state: State) -> tuple[str, ...]:
    """L1.2 Who may say how the meetings are settled."""
    found = [seat for each in meetings(state) for seat in ((UMPIRE,) if each.is_umpires() else tuple(each.fleets))]
    return tuple(dict.fromkeys(found))


def seats_to_answer(state: State) -> tuple[str, ...]:
    """L1.2, O3.6 Who has still to answer; about a meeting that has its date nobody, before or after it."""
    undated = (each for each in meetings(state) if each.id not in state.appointed)
    return tuple(dict.fromkeys(seat for each in undated for seat in each.asked()))


def settled_how(state: State, seat: str) -> Iterator[Offer]:
    """L1.2, O6.1 What a seat may say about its meetings, in any order."""
    for each in meetings(state):
        if seat in each.fleets or seat == UMPIRE:
            yield from settling.offers(each, seat)


LATER = (  # O3.6: a battle that has a date is settled while the campaign goes on
    replace(LINK[SETTLING[0]], offers=settled_how),
    *(LINK[tag] for tag in SETTLING[1:]),
)
SEQUENCE: Sequence[State] = Sequence(
    steps={
        "orders": Step(
            "orders",
            "O3.2",
            (
                Action(c.Order, "O3.3", orders.order, orders.why_not_order, orders.offer_orders, orders.own),
                Action(c.CancelOrder, "O3.2", orders.cancel, orders.why_not_cancel, orders.offer_cancel, orders.own),
                Action(c.Ready, "O3.2", orders.ready, orders.why_not_ready, orders.offer_ready, orders.own),
                Action(c.Run, "O3.7", orders.run, whose=days.nobody),
                *LATER,
            ),
            seats=lambda state: state.playing,
            awaited=orders.missing,
            is_open=lambda state: True,
        ),
        "running": Step("running", "O3.1", leave=days.go_on, is_open=lambda state: False),
        "landings": Step("landings", "O7.1", leave=days.land, is_open=lambda state: False),
        "refit": Step("refit", "O2.3", leave=days.repair, is_open=lambda state: False),
        "upkeep": Step("upkeep", "O8.1", leave=days.keep, is_open=lambda state: False),
        "reports": Step("reports", "O3.1", leave=days.report, is_open=lambda state: False),
        "held": Step(
            "held",
            "O3.7",
            (Action(c.Send, "O3.7", days.send, offers=days.offer_send, whose=days.nobody), *LATER),
            seats=lambda state: (UMPIRE,),
        ),
        "day": Step(
            "day",
            "O3.7",
            (Action(c.Run, "O3.7", days.next_day, whose=days.nobody), *LATER),
            seats=lambda state: (UMPIRE,),
            is_open=lambda state: True,
        ),
        "engagement": Step(
            "engagement",
            "O6.1",
            tuple(LINK[tag] for tag in SETTLING),
            is_open=lambda state: True,
            seats=speaking,
            offers=settled_how,
            awaited=seats_to_answer,
        ),
    },
    step_of=lambda state: state.step,
    sides=lambda state: tuple(state.sides),
    is_over=lambda state: state.result is not None,
    over=("O9.1", "The campaign is over."),
    order="O3.1",
    extra=days.offers,
    anytime=(
        wait_for_sending(Action(c.Build, "O8.1", money.build, money.why_not_build, money.offer_builds, orders.own)),
        wait_for_sending(Action(c.Borrow, "O8.1", money.borrow, money.why_not_borrow, money.offer_money, orders.own)),
        wait_for_sending(Action(c.Repay, "O8.1", money.repay, money.why_not_repay, whose=orders.own)),
        wait_for_sending(Action(c.Subsidize, "O8.1", money.subsidize, money.why_not_subsidize, whose=orders.own)),
        wait_for_sending(Action(c.Ransom, "O8.1", money.ransom, money.why_not_ransom, whose=orders.own)),
        Action(c.Register, "O2.2", orders.register, orders.why_not_register, orders.offer_models, orders.own),
        Action(c.Judge, "O9.1", ending.judge, ending.why_not_judge, whose=days.nobody),
        wait_for_sending(Action(c.Detach, "O2.2", orders.detach, orders.why_not_detach, whose=orders.own)),
        Action(c.TakeBack, "O3.7", days.take_back, days.why_not_take_back, whose=days.nobody),
        Action(c.Propose, "O5.4", sight.propose, sight.why_not_propose, whose=orders.own),
        Action(c.Agree, "O5.4", sight.agree, sight.why_not_agree, whose=orders.own),
        Action(c.Denounce, "O5.4", sight.denounce, sight.why_not_denounce, sight.offer_treaties, orders.own),
        Action(c.Post, "O11.2", sight.post, sight.why_not_post, whose=orders.own),
        Action(c.Mark, "O5.2", sight.mark, sight.why_not_mark, whose=orders.own),
        Action(c.Appoint, "O3.6", meeting.appoint, meeting.why_not_appoint, whose=orders.own),
        Action(c.Assign, "O1.4", days.assign, days.why_not_assign, whose=days.nobody),
        Action(c.Write, "O3.4", orders.write, orders.why_not_write, whose=orders.own),
        Action(c.Answer, "O3.4", orders.answer, orders.why_not_answer, whose=days.nobody),
        Action(c.Resign, "O9.1", ending.resign, ending.why_not_resign, ending.offer_resign, orders.own),
        LINK["settle"],
        Action(Adjust, "O3.7", days.adjust, whose=days.nobody, after_end=True, stays=True),
    ),
)
