"""L1.2 to L1.4 How an engagement is settled, for systems whose engagement only waits: ways, reports, outcomes.

Each function takes the engagement and returns it changed; the system keeps it, and consumes the outcome itself.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any, Generic, TypeVar

from msgspec.structs import replace

from strategic.naval.engagement import MOST_MODELS, WAYS, Engagement, NavalOutcome, NavalUnit, Way, check_outcome, find
from tactical.kernel.dice import Dice
from tactical.kernel.protocol import (
    UMPIRE,
    Action,
    Event,
    Handled,
    Illegal,
    NotYours,
    Offer,
    Step,
    anybody,
    by_attempt,
    by_check,
    event,
    own_side,
)
from tactical.kernel.record import BadInput, Input
from tactical.position import SHIP_LIMIT

S = TypeVar("S")


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
        raise Illegal("L1.4", "Engagement %(name)s is already settled.", name=name)
    return found


def check_side(engagement: Engagement, side: str) -> None:
    """L1.2 Only a side that has a fleet there speaks; raises BadInput for any other."""
    if side not in engagement.fleets:
        raise BadInput("side", "%(side)s %(side|has|have)s no fleet in this engagement", side=side)


def choose_way(engagement: Engagement, command: ChooseWay) -> tuple[Engagement, Event]:
    """L1.2 The own table needs no consent, a battle or a report both; on the table only both can leave it (L1.2.a)."""
    if engagement.is_umpires() and command.side != UMPIRE:
        raise Illegal("L1.2", "In this campaign the umpire decides how a meeting at sea is settled.")
    if not (engagement.is_umpires() and command.side == UMPIRE):
        check_side(engagement, command.side)
    if command.way != "own_table" and engagement.own_table_only():
        raise Illegal("L1.2.a", "A side has no warship, so only the game's dice table can settle this.")
    if command.way == "battle" and not engagement.is_for_table():
        raise Illegal(
            "L2.1",
            "One battle holds at most %(ship_limit)s %(ship_limit|ship|ships)s; this meeting has more.",
            ship_limit=SHIP_LIMIT,
        )
    if engagement.opened and command.way != "own_table":
        raise Illegal(
            "L1.2",
            "The battle is being fought in this program. Both sides together may settle it by the game's dice table.",
        )
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
        raise Illegal("L1.2", "Both sides must first consent to a battle in this program.")
    if engagement.opened:
        raise Illegal("L1.2", "This battle has already been opened.")
    if not 1 <= command.models_per_unit <= MOST_MODELS:
        raise Illegal(
            "L2.1", "A naval unit must be represented by 1 to %(most_models)s models.", most_models=MOST_MODELS
        )
    if command.models_per_unit > engagement.most_models():
        raise Illegal(
            "L2.1",
            "One battle holds at most %(ship_limit)s %(ship_limit|ship|ships)s; this meeting has more.",
            ship_limit=SHIP_LIMIT,
        )
    opened = engagement.on_table(command.models_per_unit)
    told = event(
        "L1.2",
        "battle_opened",
        engagement=engagement.id,
        models_per_unit=command.models_per_unit,
        place=engagement.place,
        rerolls=dict(rerolls),
    )
    return opened, told


def is_repeated(settled: Mapping[str, NavalOutcome], command: Settle | Report) -> bool:
    """L1.4 The same outcome twice changes nothing; another one for a settled engagement is refused."""
    if command.engagement not in settled:
        return False
    if settled[command.engagement] != command.outcome:
        raise Illegal(
            "L1.4", "Engagement %(engagement)s is already settled, with another outcome.", engagement=command.engagement
        )
    return True


def check_settle(engagement: Engagement, outcome: NavalOutcome, umpire: bool) -> None:
    """L1.4 An outcome enters from the table; the umpire may enter one whatever way was chosen."""
    if not engagement.opened and not umpire:
        raise Illegal("L1.2", "No battle has been opened, so a report needs the consent of both sides.")
    check_outcome(engagement, outcome)


def report(engagement: Engagement, command: Report) -> tuple[Engagement, Event]:
    """L1.2 A report within what was sent, with the assent of the side that gives it."""
    check_side(engagement, command.side)
    if engagement.is_umpires():
        raise Illegal("L1.2", "In this campaign the umpire decides how a meeting at sea is settled.")
    if engagement.opened or engagement.way == "battle":
        raise Illegal("L1.2", "Both sides agreed to a battle in this program; its outcome settles the meeting.")
    if engagement.own_table_only():
        raise Illegal("L1.2.a", "A side has no warship, so only the game's dice table can settle this.")
    check_outcome(engagement, command.outcome)
    return _propose(engagement, command.outcome, command.side)


def assent(engagement: Engagement, command: Assent) -> tuple[Engagement, Event]:
    """L1.2 The other side agrees to the report."""
    check_side(engagement, command.side)
    if engagement.proposed is None or command.side in engagement.assents:
        raise Illegal("L1.2", "The other side has made no report that you could agree to.")
    return _propose(engagement, engagement.proposed, command.side)


def _propose(engagement: Engagement, outcome: NavalOutcome, side: str) -> tuple[Engagement, Event]:
    proposed = engagement.proposing(outcome, side)
    told = event("L1.2", "report", engagement=engagement.id, side=side, assents=list(proposed.assents))
    return proposed, told


def agreed_report(engagement: Engagement) -> NavalOutcome | None:
    """L1.2 The report that both sides have assented to."""
    return engagement.proposed if len(engagement.assents) == len(engagement.fleets) else None


def offers(engagement: Engagement, side: str) -> tuple[Offer, ...]:
    """L1.2 What a side may say about the engagement."""
    base: dict[str, Any] = {"engagement": engagement.id}
    if (side == UMPIRE) != engagement.is_umpires():
        return ()
    if engagement.opened:
        if engagement.chosen.get(side) == "own_table":
            return ()
        return (Offer("choose_way", "L1.2.a", {**base, "way": "own_table", "side": side}),)
    ways: list[Way] = ["own_table"] if engagement.own_table_only() else list(WAYS)
    if not engagement.is_for_table():
        ways = [way for way in ways if way != "battle"]
    found = [
        Offer(
            "choose_way", "L1.2", {**base, "way": [w for w in ways if w != engagement.chosen.get(side)], "side": side}
        )
    ]
    if engagement.way == "battle":
        most = engagement.most_models()
        models: Any = {"from": 1, "to": most} if most > 1 else 1
        found.append(Offer("open_battle", "L1.2", {**base, "models_per_unit": models}))
    if engagement.proposed is not None and side not in engagement.assents:
        found.append(Offer("assent", "L1.2", {**base, "side": side}))
    return tuple(found)


def outcome_event(engagement: Engagement, outcome: NavalOutcome) -> Event:
    """L1.3 The event `settled`: who won, after how many turns, and what each side lost."""
    sides = {
        side: {"sunk": lost.sunk, "captured": lost.captured, "transports": lost.transports}
        for side in engagement.fleets
        for lost in (outcome.of(side),)
    }
    return event("L1.3", "settled", engagement=engagement.id, winner=outcome.winner, turns=outcome.turns, sides=sides)


# -- L2.6, L3.8 A convoy and the fleet that comes out against it, in campaigns whose counters are no ships.

MOST_LOST = 3  # L3.8: without a winner it arrives if it lost at most one in so many of its transports


def units_of(side: str, count: int) -> tuple[NavalUnit, ...]:
    """L2.6 Quinqueremes that stand for no counter of the campaign: nothing of them is kept but the record."""
    return tuple(NavalUnit(f"{side}-{number + 1}", "") for number in range(count))


def met(engagement: Engagement) -> Event:
    """L1.1 The event `engagement`: how many ships have met, and how many transports the mover has."""
    return event(
        "L1.1",
        "engagement",
        engagement=engagement.id,
        place=engagement.place,
        mover=engagement.mover,
        ships={side: len(fleet.units) for side, fleet in engagement.fleets.items()},
        transports={engagement.mover: len(engagement.fleets[engagement.mover].transports)},
    )


def arrives(engagement: Engagement, outcome: NavalOutcome) -> bool:
    """L3.8 Has the mover won, or nobody, with at most a third of the convoy's transports lost?"""
    lost, sent = outcome.of(engagement.mover).transports, len(engagement.fleets[engagement.mover].transports)
    return outcome.winner == engagement.mover or (outcome.winner is None and MOST_LOST * lost <= sent)


# the commands of a meeting, for systems with one engagement at a time


def meeting_step(*sides: str) -> Step[Any]:
    """L1.1, L1.2 The step "engagement", in which the campaign waits until `state.engagement` is settled.

    The campaign waits for each side that has not answered yet; a side may change its answer until then.
    """

    def speakers(state: Any) -> tuple[str, ...]:
        return tuple(seat for seat in (*sides, UMPIRE) if offers(state.engagement, seat)) or sides

    return Step(
        "engagement",
        "L1.1",
        is_open=lambda state: True,
        seats=speakers,
        offers=lambda state, seat: offers(state.engagement, seat),
        awaited=lambda state: state.engagement.asked(),
    )


@dataclass(frozen=True)
class Meeting(Generic[S]):
    """What a system makes of its meeting at sea; its state has `engagement` and `settled`.

    `own_table` settles by the system's own rules, `enter` takes an outcome in; both take the engagement off. `check`
    raises Illegal for what else stands in the way of a command. `rerolls` are those of the commanders on the table.
    """

    own_table: Callable[[S, Dice], Handled[S]]
    enter: Callable[[S, Engagement, NavalOutcome, Dice], Handled[S]]
    check: Callable[[S, Any], None] = lambda state, command: None
    rerolls: Callable[[S], Mapping[str, int]] = lambda state: {}

    def carry_out(self, state: Any, command: LinkCommand, dice: Dice) -> Handled[Any]:
        """L1.2 to L1.4 One command about the engagement."""
        if isinstance(command, Settle | Report) and is_repeated(state.settled, command):
            return state, ()
        engagement = waiting(state.engagement, state.settled, command.engagement)
        self.check(state, command)
        if isinstance(command, Settle):
            check_settle(engagement, command.outcome, umpire=True)
            return self.enter(state, engagement, command.outcome, dice)
        engagement, told = self._changed(state, engagement, command)
        state = replace(state, engagement=engagement)
        outcome = agreed_report(engagement)
        if isinstance(command, ChooseWay) and on_own_table(engagement):
            state, more = self.own_table(state, dice)
        elif isinstance(command, Report | Assent) and outcome is not None:
            state, more = self.enter(state, engagement, outcome, dice)
        else:
            more = ()
        return state, (told, *more)

    def _changed(
        self, state: S, engagement: Engagement, command: ChooseWay | OpenBattle | Report | Assent
    ) -> tuple[Engagement, Event]:
        if isinstance(command, ChooseWay):
            return choose_way(engagement, command)
        if isinstance(command, Report):
            return report(engagement, command)
        if isinstance(command, Assent):
            return assent(engagement, command)
        facts = dict(self.rerolls(state))
        engagement, told = open_battle(engagement, command, {**dict.fromkeys(engagement.fleets, 0), **facts})
        return (replace(engagement, facts=facts) if facts else engagement), told

    def actions(
        self, by_seat: Callable[[S, str, Any], Illegal | NotYours | None] | None = None
    ) -> tuple[Action[S], ...]:
        """L1.2 Who may say what: a way, a report and an assent are a side's own."""
        return tuple(
            Action(
                kind,
                "L1.2",
                self.carry_out,
                by_attempt(self.carry_out),
                whose=own_side if "side" in kind.__struct_fields__ else anybody,
                checks_itself=True,
                for_seat=by_seat or only_umpire_enters,
            )
            for kind in (ChooseWay, OpenBattle, Settle, Report, Assent)
        )


def only_umpire_enters(state: Any, seat: str, command: Any) -> Illegal | NotYours | None:
    """L1.4 Without a battle only the umpire enters an outcome."""
    engagement: Engagement | None = state.engagement
    if seat == UMPIRE or not isinstance(command, Settle) or command.engagement in state.settled:
        return None
    if engagement is None or engagement.id != command.engagement:
        return None
    return by_check(lambda _, said: check_settle(engagement, said.outcome, umpire=False))(state, command)
