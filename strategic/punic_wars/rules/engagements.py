"""L1.2 How the two sides settle an engagement: the own table, a battle on this server, or a report."""

from __future__ import annotations

from typing import Any

from msgspec.structs import replace

from strategic.engagement import MOST_MODELS, WAYS, Engagement, NavalOutcome, check_outcome, find
from strategic.punic_wars.commands import Assent, ChooseWay, OpenBattle, Report, Settle
from strategic.punic_wars.rules.combat import at_sea, by_dice
from strategic.punic_wars.state import Campaign
from tactical.kernel.dice import Dice
from tactical.kernel.play import Event, Illegal, Offer, event

Done = tuple[Campaign, tuple[Event, ...]]


def check_open(state: Campaign, name: str) -> Engagement:
    """L1.4 The engagement that waits; Illegal for one that is settled already or unknown."""
    engagement = find(state.engagement, state.settled, name)
    if engagement is None:
        raise Illegal("L1.4", f"Engagement {name} is settled already.")
    return engagement


def choose_way(state: Campaign, command: ChooseWay, dice: Dice) -> Done:
    """L1.2 A side says how it would settle; the own table needs no consent, a battle or a report both sides'.

    L1.2.a Once the battle is on the table only both together can leave it, for the own table.
    """
    engagement = check_open(state, command.engagement)
    if engagement.opened:
        if command.way != "own_table":
            raise Illegal("L1.2", "The battle is on the table; both sides may abandon it for the own table.")
        engagement = engagement.abandoning(command.side)
    else:
        engagement = engagement.wishing(command.side, command.way)
    told = event("L1.2", "way", engagement=engagement.id, side=command.side, way=command.way, agreed=engagement.way)
    if engagement.way != "own_table":
        return replace(state, engagement=engagement), (told,)
    state, more = by_dice(replace(state, engagement=None, pending=None), dice)
    return state, (told, *more)


def open_battle(state: Campaign, command: OpenBattle, dice: Dice) -> Done:
    """L1.2, L2.1 The agreed battle goes on the table."""
    engagement = check_open(state, command.engagement)
    if engagement.way != "battle":
        raise Illegal("L1.2", "Both sides must first consent to a battle on the table (choose_way).")
    if engagement.opened:
        raise Illegal("L1.2", "This battle is on the table already.")
    if not 1 <= command.models_per_unit <= MOST_MODELS:
        raise Illegal("L2.1", f"A naval point becomes 1 to {MOST_MODELS} models.")
    engagement = engagement.on_table(command.models_per_unit)
    told = event(
        "L1.2", "battle_opened", engagement=engagement.id, models_per_unit=command.models_per_unit,
        place=engagement.place,
    )  # fmt: skip
    return replace(state, engagement=engagement), (told,)


def check_settle(state: Campaign, name: str) -> None:
    """L1.2, L1.4 A side enters only what was fought on the table; the server holds it to that battle's outcome."""
    if not check_open(state, name).opened:
        raise Illegal("L1.2", "No battle is on the table; a report needs the assent of both sides (report).")


def settle(state: Campaign, command: Settle, dice: Dice) -> Done:
    """L1.3, L1.4 The outcome of the battle, or one that the umpire has; the same outcome twice changes nothing."""
    engagement = find(state.engagement, state.settled, command.engagement)
    if engagement is None:
        if state.settled[command.engagement] == command.outcome:
            return state, ()
        raise Illegal("L1.4", f"Engagement {command.engagement} is settled already, with another outcome.")
    return _enter(state, engagement, command.outcome)


def report(state: Campaign, command: Report, dice: Dice) -> Done:
    """L1.2 An outcome from a table elsewhere, within what was sent; it enters when both sides have given the same."""
    engagement = check_open(state, command.engagement)
    if engagement.opened or engagement.way == "battle":
        raise Illegal("L1.2", "A battle on the table was agreed; its own outcome settles.")
    check_outcome(engagement, command.outcome)
    return _assented(state, engagement.proposing(command.outcome, command.side), command.side)


def assent(state: Campaign, command: Assent, dice: Dice) -> Done:
    """L1.2 The other side agrees to the report."""
    engagement = check_open(state, command.engagement)
    if engagement.proposed is None or command.side in engagement.assents:
        raise Illegal("L1.2", "There is no report of the other side to agree to.")
    return _assented(state, engagement.proposing(engagement.proposed, command.side), command.side)


def _assented(state: Campaign, engagement: Engagement, side: str) -> Done:
    assert engagement.proposed is not None
    told = event("L1.2", "report", engagement=engagement.id, side=side, assents=list(engagement.assents))
    if len(engagement.assents) < len(engagement.fleets):
        return replace(state, engagement=engagement), (told,)
    state, more = _enter(state, engagement, engagement.proposed)
    return state, (told, *more)


def _enter(state: Campaign, engagement: Engagement, outcome: NavalOutcome) -> Done:
    """L1.3 Checked against what was sent, remembered, and handed to the one function that takes it in."""
    check_outcome(engagement, outcome)
    settled = {**state.settled, engagement.id: outcome}
    told = event("L1.3", "settled", engagement=engagement.id, winner=outcome.winner)
    state, more = at_sea(replace(state, engagement=None, pending=None, settled=settled), outcome)
    return state, (told, *more)


def offers(state: Campaign, side: str) -> tuple[Offer, ...]:
    """L1.2 What a side may say about the engagement."""
    engagement = state.engagement
    if engagement is None:
        return ()
    base: dict[str, Any] = {"engagement": engagement.id}
    if engagement.opened:
        if engagement.chosen.get(side) == "own_table":
            return ()
        return (Offer("choose_way", "L1.2.a", {**base, "way": "own_table", "side": side}),)
    ways = [way for way in WAYS if way != engagement.chosen.get(side)]
    found = [Offer("choose_way", "L1.2", {**base, "way": ways, "side": side})]
    if engagement.way == "battle":
        found.append(Offer("open_battle", "L1.2", {**base, "models_per_unit": {"from": 1, "to": MOST_MODELS}}))
    if engagement.proposed is not None and side not in engagement.assents:
        found.append(Offer("assent", "L1.2", {**base, "side": side}))
    return tuple(found)
