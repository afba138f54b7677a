"""Starting a game from a scenario or a position; options; the umpire's hand; apply."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from msgspec.structs import replace

from strategic.punic_wars import commands as c
from strategic.punic_wars.house import validate_house
from strategic.punic_wars.invariants import invariants
from strategic.punic_wars.pieces import SIDES, Options
from strategic.punic_wars.position import check, completed, pool, read_position, reopened
from strategic.punic_wars.rules import deployment, engagements
from strategic.punic_wars.rules.aftermath import aftermath
from strategic.punic_wars.sequence import SEQUENCE
from strategic.punic_wars.state import Campaign
from strategic.punic_wars.tables import SCENARIOS
from tactical.kernel.dice import Dice, RollNeeded
from tactical.kernel.play import (
    UMPIRE,
    Event,
    Illegal,
    NotYours,
    OptionInfo,
    Outcome,
    ScenarioInfo,
    event,
    settle,
)
from tactical.kernel.record import BadInput, plain, read

OPTIONS = (
    OptionInfo("open_stacks", False, "Everybody may look into every stack at any time.", rule="9.12"),
    OptionInfo(
        "naval_battles", "ask", "`ask`: fleets that meet may fight on the table of ships; `table`: never.",
        ("ask", "table"), "L1.1",
    ),
    OptionInfo("turn_limit", 0, "The game is judged after so many turns; 0: it has no limit.", rule="18.1"),
    OptionInfo("house", None, "The group's own tables, values and hexes in place of reconstructed ones.", rule="3.3"),
)  # fmt: skip


def scenarios() -> tuple[ScenarioInfo, ...]:
    """19.0 The three wars."""
    return tuple(
        ScenarioInfo(war.id, war.title, war.history, ("Punic Wars (SPI), section 19",), SIDES)
        for war in SCENARIOS.values()
    )


def start(
    scenario: str | None, position: Mapping[str, Any] | None, options: Mapping[str, Any], dice: Dice
) -> Outcome[Campaign]:
    """19.0 A new game: the set-up list of a scenario, or a position halfway through."""
    chosen = dict(options)
    raw_house = chosen.pop("house", None)
    wanted: Options = read(_known(chosen), Options, "options")
    if wanted.turn_limit < 0:
        raise BadInput("options.turn_limit", "a number of turns, or 0 for none")
    house = validate_house(raw_house) if raw_house is not None else None
    if position is not None:
        state = read_position({**position, **({"scenario": scenario} if scenario else {})})
        if options:
            state = replace(state, options=wanted, house=house or state.house)
        try:
            return Outcome(*settle(SEQUENCE, _phase, state, dice))
        except RollNeeded:  # dice of the table fall for a command, not for a position: `done` goes on
            return Outcome(state)
    if scenario is None or scenario not in SCENARIOS:
        raise BadInput("scenario", f"this is one of {', '.join(SCENARIOS)}")
    war = SCENARIOS[scenario]
    state = Campaign(
        scenario,
        options=wanted,
        house=house,
        leaders=pool(scenario),
        groups=deployment.groups_of(war),
        shipbuilding=not war.special.inexperienced_at_sea,
    )
    state = completed(state)
    state = deployment.fixed_set_up(state)
    for group in state.groups:
        if not deployment.hexes_for(state, group, group.naval > 0):
            raise BadInput("options.house.map", f"in {group.where} there is no hex left for the set-up of {group.cite}")
    check(state)
    state, events = settle(SEQUENCE, _phase, state, dice)
    return Outcome(state, (event(war.cite, "scenario", scenario=scenario), *events))


def _known(options: Mapping[str, Any]) -> dict[str, Any]:
    for name in options:
        if name not in Options.__struct_fields__:
            raise BadInput(f"options.{name}", "there is no such option")
    return dict(options)


def _phase(state: Campaign) -> str:
    return state.phase


def side_of(state: Campaign, command: Any) -> str:
    """5.11 The side that a command belongs to."""
    if isinstance(command, c.Invert | c.Command | c.Lose):
        if state.pending is None:
            raise Illegal("4.1", "No question is open.")
        return state.pending.seat
    named = getattr(command, "side", None)
    if named is not None:
        return str(named)
    leader = getattr(command, "leader", None)
    if leader is not None:
        if leader not in state.leaders:
            raise Illegal("8.11", f"There is no leader {leader}.")
        return state.leaders[leader].side
    if isinstance(command, c.Deploy):
        if command.group >= len(state.groups):
            raise Illegal("19.0 (procedure)", "There is no such group to set up.")
        return state.groups[command.group].side
    return state.phasing


ANSWERS: dict[str, tuple[type, ...]] = {
    "threat": (c.Invert,),
    "commander": (c.Command, c.Accept),
    "losses": (c.Lose, c.Accept),
    "engagement": (c.ChooseWay, c.OpenBattle, c.Settle, c.Report, c.Assent),
}
ANY_TIME = (c.Turn, c.Resign, c.Agree)


def apply(state: Campaign, seat: str, command: Any, dice: Dice) -> Outcome[Campaign]:
    """4.1 Check whose it is and whether it is due, do it, and go on to where somebody must decide."""
    if isinstance(command, c.Adjust):
        return adjust(state, seat, command)
    if isinstance(command, c.Settle) and command.engagement in state.settled:
        return Outcome(*engagements.settle(state, command, dice))  # L1.4 the same outcome twice changes nothing
    if state.result is not None:
        raise Illegal("18.1", "The game is over.")
    if isinstance(command, c.Settle | c.OpenBattle):
        if seat not in (UMPIRE, *SIDES):
            raise NotYours("Only the sides and the umpire settle an engagement.")
        if isinstance(command, c.Settle) and seat != UMPIRE:
            engagements.check_settle(state, command)
    elif seat != UMPIRE and seat != side_of(state, command):
        raise NotYours(f"This is for {side_of(state, command)} to command.")
    asked = state.pending
    if asked is not None and not isinstance(command, (*ANSWERS[asked.kind], *ANY_TIME)):
        raise Illegal(asked.rule, f"First {asked.seat} must answer: {asked.kind}.")
    if asked is not None and isinstance(command, c.Accept) and command.side != asked.seat:
        raise NotYours(f"This is for {asked.seat} to answer.")
    handler = SEQUENCE[state.phase].handlers.get(type(command))
    if handler is None:
        raise Illegal("4.1", f"This cannot be done in the {state.phase} phase.")
    by_turns = state.phase in ("campaign", "recruit", "election") and asked is None
    if by_turns and not isinstance(command, ANY_TIME) and side_of(state, command) != state.phasing:
        raise Illegal("5.11", f"This is the turn of {state.phasing}.")
    new, events = handler(state, command, dice)
    new, more = settle(SEQUENCE, _phase, new, dice)
    return Outcome(new, events + more)


def adjust(state: Campaign, seat: str, command: c.Adjust) -> Outcome[Campaign]:
    """The umpire sets fields by their paths, with a reason; the position that results is checked like any other."""
    if seat != UMPIRE:
        raise NotYours("Only the umpire adjusts a position.")
    if not command.why.strip():
        raise BadInput("why", "an adjustment needs a reason")
    raw: Any = plain(state)
    for path, value in command.changes.items():
        at, keys = raw, path.split(".")
        for key in keys[:-1]:
            at = at.setdefault(key, {}) if isinstance(at, dict) else None
        if not isinstance(at, dict) or (len(keys) == 1 and keys[0] not in raw):
            raise BadInput(path, "there is no such field")
        if value is None and len(keys) > 1 and keys[0] in ("stacks", "markers", "holders"):
            at.pop(keys[-1], None)
        else:
            at[keys[-1]] = value
    new: Campaign = read(raw, Campaign, "changes")
    new = reopened(completed(new))
    check(new)
    events: tuple[Event, ...] = ()
    if new.result is None and new.pending is None and new.phase != "setup":
        new, events = aftermath(new)
    told = event("L1.4" if state.pending else "4.1", "adjusted", reveals=True, only=(UMPIRE,), changes=command.changes)
    return Outcome(new, (told, event("4.1", "adjustment", why=command.why), *events))


__all__ = ["OPTIONS", "apply", "invariants", "scenarios", "start"]
