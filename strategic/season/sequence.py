"""O10.1 The commands of a season: everything may be said at any time that its rule allows; nothing goes by itself."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

from strategic.season import commands as say
from strategic.season.rules import enrolling, pairing, results
from strategic.season.setup import HIDDEN, check
from strategic.season.state import Season
from tactical.kernel import corrections, engine
from tactical.kernel.dice import Dice
from tactical.kernel.protocol import Action, Illegal, Offer, Step, event
from tactical.kernel.record import BadInput

Handled = enrolling.Handled


def organizers(season: Season, command: Any) -> tuple[str, ...]:
    """The organizer's alone."""
    return ()


def players_own(season: Season, command: Any) -> tuple[str, ...]:
    """The player's whom the command names, and the organizer's."""
    return (command.player,)


def absent(season: Season, command: Any) -> tuple[str, ...]:
    """The player's own where no points come of it; else the organizer's alone."""
    return (command.player,) if command.bye in ("", "zero") else ()


def one_side(season: Season, command: Any) -> tuple[str, ...]:
    """The side's that the command names; without one the organizer's."""
    return (command.side,) if command.side else ()


def either(season: Season, command: Any) -> tuple[str, ...]:
    """Both players' of the pairing."""
    found = season.paired().get(command.pairing)
    return found[1].players if found else ()


def refusing(do: Callable[[Season, Any, Dice], Handled]) -> Callable[[Season, Any], Illegal | None]:
    """Why not, by trying: the deeds of a season refuse before they change anything; a lot falls as it may."""

    def why_not(season: Season, command: Any) -> Illegal | None:
        try:
            do(season, command, Dice(secret=lambda sides: 1))
        except Illegal as wrong:
            return wrong
        except BadInput as wrong:
            return Illegal("O10.1", wrong.why)
        return None

    return why_not


def end(season: Season, command: say.End, dice: Dice) -> Handled:
    """O10.1 The standings stand."""
    now = season.now
    if now is not None and now.open():
        raise Illegal(
            "O10.1",
            "Results of round %(number)s that are still missing: %(count)s.",
            number=now.number,
            count=len(now.open()),
        )
    return enrolling.replace(season, ended=True), (event("O10.1", "season_ended"),)


def adjust(season: Season, command: say.Adjust, dice: Dice) -> Handled:
    """The organizer's hand."""
    return corrections.adjust(season, command.changes, command.why, "O10.1", HIDDEN, check)


def offers(season: Season, seat: str) -> Iterator[Offer]:
    """What a player may do now: answer a report, repair a ship, sit out the next round or play after all, withdraw."""
    player = season.players.get(seat)
    if player is None or season.ended:
        return
    for name, (_now, pair) in season.paired().items():
        if seat in pair.players and pair.proposed is not None and pair.proposed_by != seat:
            yield Offer("agree", "O10.1", {"pairing": name, "side": seat, "agrees": True})
    for name, ship in player.ships.items():
        most = min(player.repairs, ship.damage)
        if ship.status == "afloat" and most and not results.is_fighting(season, seat):
            yield Offer("repair", "O10.1", {"player": seat, "ship": name, "points": {"from": 1, "to": most}})
    if player.until is None:
        number = enrolling.next_round(season)
        if number <= (season.rounds or enrolling.MOST_ROUNDS):
            bye = "" if player.bye_in(number) else "zero"
            yield Offer("ask_bye", "O10.1", {"player": seat, "round": number, "bye": bye})
        yield Offer("withdraw", "O10.1", {"player": seat})


def waiting(season: Season) -> tuple[str, ...]:
    """Players whose word or whose battle is wanted."""
    now = season.now
    if now is None or not now.published or season.ended:
        return ()
    found = []
    for name in now.open():
        pair = now.pairings[name]
        found += [player for player in pair.players if player != pair.proposed_by]
    return tuple(player for player in season.players if player in found)


def _action(command: type, do: Callable[[Season, Any, Dice], Handled], whose: Callable[..., Any]) -> Action[Season]:
    return Action(command, "O10.1", do, refusing(do), whose=whose, checks_itself=True)


SEQUENCE = engine.Sequence[Season](
    steps={"season": Step("season", "O10.1", is_open=lambda season: True)},
    step_of=lambda season: "season",
    sides=lambda season: tuple(season.players),
    is_over=lambda season: season.ended,
    over=("O10.1", "The season is over."),
    waiting=waiting,
    extra=offers,
    anytime=(
        _action(say.Enroll, enrolling.enroll, organizers),
        _action(say.Return, enrolling.come_back, organizers),
        _action(say.Withdraw, enrolling.withdraw, players_own),
        _action(say.AskBye, enrolling.ask_bye, absent),
        _action(say.KeepApart, enrolling.keep_apart, organizers),
        _action(say.SetFleet, enrolling.set_fleet, players_own),
        _action(say.SetTypes, enrolling.set_types, organizers),
        _action(say.Pair, pairing.pair, organizers),
        _action(say.Rearrange, pairing.rearrange, organizers),
        _action(say.Schedule, pairing.schedule, organizers),
        _action(say.Publish, pairing.publish, organizers),
        _action(say.Arrange, pairing.arrange, one_side),
        _action(say.Substitute, pairing.substitute, players_own),
        _action(say.Open, results.open_battle, either),
        _action(say.Report, results.report, one_side),
        _action(say.Agree, results.agree, one_side),
        _action(say.Lapse, pairing.lapse, organizers),
        _action(say.Repair, results.repair, players_own),
        _action(say.End, end, organizers),
        Action(say.Adjust, "O10.1", adjust, whose=organizers, after_end=True),
    ),
)
