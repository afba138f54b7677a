"""O3.1 The sequence of a turn: orders, its days, its meetings, and the sending of what it brought."""

from __future__ import annotations

from collections.abc import Iterator

from strategic.naval import settling
from strategic.open_campaign import commands as c
from strategic.open_campaign.rules import days, ending, letters, money, orders, umpire
from strategic.open_campaign.rules.fighting import enter, quick_dice
from strategic.open_campaign.state import State
from tactical.kernel.adjusting import Adjust
from tactical.kernel.engine import Sequence
from tactical.kernel.protocol import UMPIRE, Action, Offer, Step

MEETING = settling.Meeting[State](quick_dice, enter)
LINK = {action.tag: action for action in MEETING.actions()}


def speaking(state: State) -> tuple[str, ...]:
    """L1.2 Who may say how a meeting is settled."""
    assert state.engagement is not None
    return (UMPIRE,) if state.engagement.is_umpires() else tuple(state.engagement.fleets)


def awaited(state: State) -> tuple[str, ...]:
    """L1.2 Who has still to answer."""
    assert state.engagement is not None
    return state.engagement.asked()


def settled_how(state: State, seat: str) -> Iterator[Offer]:
    """L1.2 What a side may say about the meeting."""
    assert state.engagement is not None
    yield from settling.offers(state.engagement, seat)


SEQUENCE: Sequence[State] = Sequence(
    steps={
        "orders": Step(
            "orders",
            "O3.2",
            (
                Action(c.Order, "O3.3", orders.order, orders.why_not_order, orders.offer_orders, orders.own),
                Action(c.CancelOrder, "O3.2", orders.cancel, orders.why_not_cancel, orders.offer_cancel, orders.own),
                Action(c.Ready, "O3.2", orders.ready, orders.why_not_ready, orders.offer_ready, orders.own),
                Action(c.Run, "O3.7", orders.run, whose=umpire.nobody),
            ),
            seats=lambda state: state.playing,
            awaited=orders.unready,
            is_open=lambda state: True,
        ),
        "running": Step("running", "O3.1", leave=days.go_on, is_open=lambda state: False),
        "held": Step(
            "held",
            "O3.7",
            (Action(c.Send, "O3.7", days.send, offers=umpire.offer_send, whose=umpire.nobody),),
            seats=lambda state: (UMPIRE,),
        ),
        "engagement": Step(
            "engagement",
            "O6.1",
            tuple(LINK[tag] for tag in ("choose_way", "open_battle", "report", "assent")),
            is_open=lambda state: True,
            seats=speaking,
            offers=settled_how,
            awaited=awaited,
        ),
    },
    step_of=lambda state: state.step,
    sides=lambda state: tuple(state.sides),
    is_over=lambda state: state.result is not None,
    over=("O9.1", "The campaign is over."),
    order="O3.1",
    extra=umpire.offers,
    anytime=(
        Action(c.Build, "O8.1", money.build, money.why_not_build, money.offer_builds, orders.own),
        Action(c.Detach, "O2.2", orders.detach, orders.why_not_detach, whose=orders.own),
        Action(c.TakeBack, "O3.7", days.take_back, days.why_not_take_back, whose=umpire.nobody),
        Action(c.Propose, "O5.4", letters.propose, letters.why_not_propose, whose=orders.own),
        Action(c.Agree, "O5.4", letters.agree, letters.why_not_agree, whose=orders.own),
        Action(c.Denounce, "O5.4", letters.denounce, letters.why_not_denounce, letters.offer_treaties, orders.own),
        Action(c.Post, "O11.2", letters.post, letters.why_not_post, whose=orders.own),
        Action(c.Mark, "O5.2", letters.mark, letters.why_not_mark, whose=orders.own),
        Action(c.Assign, "O1.4", umpire.assign, umpire.why_not_assign, whose=umpire.nobody),
        Action(c.Write, "O3.4", orders.write, orders.why_not_write, whose=orders.own),
        Action(c.Answer, "O3.4", orders.answer, orders.why_not_answer, whose=umpire.nobody),
        Action(c.Resign, "O9.1", ending.resign, ending.why_not_resign, ending.offer_resign, orders.own),
        LINK["settle"],
        Action(Adjust, "O3.7", umpire.adjust, whose=umpire.nobody, after_end=True, stays=True),
    ),
)
