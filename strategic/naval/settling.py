"""L1.2 to L1.4 How an engagement is settled, for systems whose engagement only waits: ways, reports, outcomes.

Each function takes the engagement and returns it changed; the system keeps it, and consumes the outcome itself.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from strategic.naval.engagement import MOST_MODELS, WAYS, Engagement, NavalOutcome, Way, check_outcome, find
from tactical.kernel.play import Event, Illegal, Offer, event
from tactical.kernel.record import BadInput, Input


class ChooseWay(Input, frozen=True, tag="choose_way"):
    """L1.2 How a side wants to settle the engagement."""

    engagement: str
    way: Way
    side: str


class OpenBattle(Input, frozen=True, tag="open_battle"):
    """L1.2 Put the agreed battle on the table, with so many models a naval unit."""

    engagement: str
    models_per_unit: int = 1


class Settle(Input, frozen=True, tag="settle"):
    """L1.3 Enter the outcome of a battle, or one that the umpire has."""

    engagement: str
    outcome: NavalOutcome


class Report(Input, frozen=True, tag="report"):
    """L1.2 Report an outcome from a table elsewhere; the other side assents or reports the same."""

    engagement: str
    outcome: NavalOutcome
    side: str


class Assent(Input, frozen=True, tag="assent"):
    """L1.2 Agree to the outcome that the other side reported."""

    engagement: str
    side: str


LinkCommand = ChooseWay | OpenBattle | Settle | Report | Assent


def waiting(engagement: Engagement | None, settled: Mapping[str, NavalOutcome], name: str) -> Engagement:
    """L1.4 The engagement that waits under this name; Illegal when it is unknown or settled."""
    found = find(engagement, settled, name)
    if found is None:
        raise Illegal("L1.4", f"Engagement {name} is settled already.")
    return found


def check_side(engagement: Engagement, side: str) -> None:
    """L1.2 Only a side that has a fleet there speaks; raises BadInput for any other."""
    if side not in engagement.fleets:
        raise BadInput("side", f"{side} has no fleet in this engagement")


def choose_way(engagement: Engagement, command: ChooseWay) -> tuple[Engagement, Event]:
    """L1.2 The own table needs no consent, a battle or a report both; on the table only both can leave it (L1.2.a)."""
    check_side(engagement, command.side)
    if command.way != "own_table" and engagement.own_table_only():
        raise Illegal("L1.2.a", "A side has no warship, so only the system's own table settles.")
    if engagement.opened and command.way != "own_table":
        raise Illegal("L1.2", "The battle is on the table and the way is fixed; both may leave it for the own table.")
    wish = engagement.abandoning if engagement.opened else None
    changed = wish(command.side) if wish else engagement.wishing(command.side, command.way)
    told = event("L1.2", "way", engagement=engagement.id, side=command.side, way=command.way, agreed=changed.way)
    return changed, told


def on_own_table(engagement: Engagement) -> bool:
    """L1.2 Is the system's own table agreed on, and no battle in the way?"""
    return engagement.way == "own_table" and not engagement.opened


def open_battle(engagement: Engagement, command: OpenBattle, rerolls: Mapping[str, int]) -> tuple[Engagement, Event]:
    """L1.2, L2.1 The agreed battle goes on the table; the way is fixed."""
    if engagement.way != "battle":
        raise Illegal("L1.2", "Both sides must first consent to a battle on the table (choose_way).")
    if engagement.opened:
        raise Illegal("L1.2", "This battle is on the table already.")
    if not 1 <= command.models_per_unit <= MOST_MODELS:
        raise Illegal("L2.1", f"A naval unit becomes 1 to {MOST_MODELS} models.")
    opened = engagement.on_table(command.models_per_unit)
    told = event(
        "L1.2", "battle_opened", engagement=engagement.id, models_per_unit=command.models_per_unit,
        place=engagement.place, rerolls=dict(rerolls),
    )  # fmt: skip
    return opened, told


def is_repeated(settled: Mapping[str, NavalOutcome], command: Settle | Report) -> bool:
    """L1.4 The same outcome twice changes nothing; another one for a settled engagement is refused."""
    if command.engagement not in settled:
        return False
    if settled[command.engagement] != command.outcome:
        raise Illegal("L1.4", f"Engagement {command.engagement} is settled already, with another outcome.")
    return True


def check_settle(engagement: Engagement, outcome: NavalOutcome, umpire: bool) -> None:
    """L1.4 An outcome enters from the table; the umpire may enter one whatever way was chosen."""
    if not engagement.opened and not umpire:
        raise Illegal("L1.2", "No battle is on the table; a report needs the assent of both sides (report).")
    check_outcome(engagement, outcome)


def report(engagement: Engagement, command: Report) -> tuple[Engagement, Event]:
    """L1.2 A report within what was sent, with the assent of the side that gives it."""
    check_side(engagement, command.side)
    if engagement.opened or engagement.way == "battle":
        raise Illegal("L1.2", "A battle on the table was agreed; its own outcome settles.")
    if engagement.own_table_only():
        raise Illegal("L1.2.a", "A side has no warship, so only the system's own table settles.")
    check_outcome(engagement, command.outcome)
    return _proposed(engagement, command.outcome, command.side)


def assent(engagement: Engagement, command: Assent) -> tuple[Engagement, Event]:
    """L1.2 The other side agrees to the report."""
    check_side(engagement, command.side)
    if engagement.proposed is None or command.side in engagement.assents:
        raise Illegal("L1.2", "There is no report of the other side to agree to.")
    return _proposed(engagement, engagement.proposed, command.side)


def _proposed(engagement: Engagement, outcome: NavalOutcome, side: str) -> tuple[Engagement, Event]:
    proposed = engagement.proposing(outcome, side)
    told = event("L1.2", "report", engagement=engagement.id, side=side, assents=list(proposed.assents))
    return proposed, told


def agreed_report(engagement: Engagement) -> NavalOutcome | None:
    """L1.2 The report that both sides have assented to."""
    return engagement.proposed if len(engagement.assents) == len(engagement.fleets) else None


def offers(engagement: Engagement, side: str) -> tuple[Offer, ...]:
    """L1.2 What a side may say about the engagement."""
    base: dict[str, Any] = {"engagement": engagement.id}
    if engagement.opened:
        if engagement.chosen.get(side) == "own_table":
            return ()
        return (Offer("choose_way", "L1.2.a", {**base, "way": "own_table", "side": side}),)
    ways: list[Way] = ["own_table"] if engagement.own_table_only() else list(WAYS)
    found = [
        Offer(
            "choose_way", "L1.2", {**base, "way": [w for w in ways if w != engagement.chosen.get(side)], "side": side}
        )
    ]
    if engagement.way == "battle":
        found.append(Offer("open_battle", "L1.2", {**base, "models_per_unit": {"from": 1, "to": MOST_MODELS}}))
    if engagement.proposed is not None and side not in engagement.assents:
        found.append(Offer("assent", "L1.2", {**base, "side": side}))
    return tuple(found)
