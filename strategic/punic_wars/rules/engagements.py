"""L1.2 to L1.4 How two sides settle an engagement at sea: the shared procedure, and what this campaign makes of it."""

from __future__ import annotations

from msgspec.structs import replace

from strategic.naval import settling
from strategic.naval.engagement import Engagement, NavalOutcome, check_outcome
from strategic.naval.settling import Assent, ChooseWay, OpenBattle, Report, Settle
from strategic.punic_wars.rules.combat import at_sea, by_dice
from strategic.punic_wars.state import Campaign, Handled
from tactical.kernel.dice import Dice
from tactical.kernel.protocol import UMPIRE, Event, Illegal, Offer, event


def waiting(state: Campaign, name: str, side: str | None = None) -> Engagement:
    """L1.4 The engagement that waits; Illegal for one that is settled already or unknown, or for a third party."""
    engagement = settling.waiting(state.engagement, state.settled, name)
    if side is not None and side not in engagement.fleets:
        raise Illegal("L1.2", "Only the two sides whose fleets have met can settle the meeting.")
    return engagement


def choose_way(state: Campaign, command: ChooseWay, dice: Dice) -> Handled:
    """L1.2, L1.2.a A side says how it would settle; by the table of the game the die is rolled at once (9.25)."""
    engagement, told = settling.choose_way(
        waiting(state, command.engagement, None if command.side == UMPIRE else command.side), command
    )
    if engagement.way != "own_table":
        return replace(state, engagement=engagement), (told,)
    state, more = by_dice(replace(state, engagement=None, pending=None), dice)
    return state, (told, *more)


def open_battle(state: Campaign, command: OpenBattle, dice: Dice) -> Handled:
    """L1.2, L2.1 The agreed battle goes on the table; leaders of this game bring no rerolls."""
    engagement, told = settling.open_battle(waiting(state, command.engagement), command, {})
    return replace(state, engagement=engagement), (told,)


def check_settle(state: Campaign, command: Settle) -> None:
    """L1.2, L1.4 A side enters only what was fought on the table; the server holds it to that battle's outcome."""
    settling.check_settle(waiting(state, command.engagement), command.outcome, umpire=False)


def settle(state: Campaign, command: Settle, dice: Dice) -> Handled:
    """L1.3, L1.4 The outcome of the battle, or one that the umpire has; the same outcome twice changes nothing."""
    if settling.is_repeated(state.settled, command):
        return state, ()
    return _enter(state, waiting(state, command.engagement), command.outcome)


def report(state: Campaign, command: Report, dice: Dice) -> Handled:
    """L1.2 An outcome from a table elsewhere, within what was sent; it enters when both sides have given the same."""
    return _assent(state, *settling.report(waiting(state, command.engagement, command.side), command))


def assent(state: Campaign, command: Assent, dice: Dice) -> Handled:
    """L1.2 The other side agrees to the report."""
    return _assent(state, *settling.assent(waiting(state, command.engagement, command.side), command))


def _assent(state: Campaign, engagement: Engagement, told: Event) -> Handled:
    agreed = settling.agreed_report(engagement)
    if agreed is None:
        return replace(state, engagement=engagement), (told,)
    state, more = _enter(state, engagement, agreed)
    return state, (told, *more)


def _enter(state: Campaign, engagement: Engagement, outcome: NavalOutcome) -> Handled:
    """L1.3 Checked against what was sent, remembered, and handed to the one function that takes it in."""
    check_outcome(engagement, outcome)
    settled = {**state.settled, engagement.id: outcome}
    told = event("L1.3", "settled", engagement=engagement.id, winner=outcome.winner)
    state, more = at_sea(replace(state, engagement=None, pending=None, settled=settled), outcome)
    return state, (told, *more)


def offers(state: Campaign, side: str) -> tuple[Offer, ...]:
    """L1.2 What a side may say about the engagement."""
    return () if state.engagement is None else settling.offers(state.engagement, side)
