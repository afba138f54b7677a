"""Commands of earlier versions as the command `by_hand` that they have become."""

from __future__ import annotations

from typing import Any

from strategic.sword_of_rome.commands import ByHand
from strategic.sword_of_rome.rules import by_hand
from strategic.sword_of_rome.rules import old_commands as old
from strategic.sword_of_rome.rules.hand_fields import CITIES
from strategic.sword_of_rome.state import Force, State
from strategic.sword_of_rome.tables import SPACES, name_of
from tactical.kernel.dice import Dice
from tactical.kernel.protocol import Handled, Illegal

RULES = {old.Place: "5.10", old.Remove: "5.5", old.MoveByHand: "7", old.SetCommander: "8.2.1"}


def upgrade(state: State, command: old.OldCommand) -> ByHand:
    """The command as `by_hand`. Raises Illegal for pieces that are not there."""
    match command:
        case old.Note(side=side, text=text):
            return ByHand(note=text, side=side)
        case old.SetControl(space=space, power=power, loyalty=loyalty):
            if loyalty is None and space in CITIES:
                loyalty = state.loyalty_of(space)
            return ByHand({f"control.{space}": power} | ({} if loyalty is None else {f"loyalty.{space}": loyalty}))
        case old.SetSiege(space=space, level=level):
            return ByHand({f"sieges.{space}": level})
        case old.SetAlliance(power=power, other=other, allied=allied):
            return ByHand({f"alliances.{power}.{other}": allied})
        case old.SetPoints(power=power, points=points):
            return ByHand({f"vp.{power}": points})
        case old.SetUnrest(level=level):
            return ByHand({"unrest": level})
        case old.SetEvent(event=event, in_force=in_force):
            return ByHand({f"events.{event}": in_force})
        case old.SetRunner(power=power, runner=runner):
            return ByHand({f"runners.{power}": runner})
        case _:
            return ByHand(pieces(state, command))


def pieces(state: State, command: old.Place | old.Remove | old.MoveByHand | old.SetCommander) -> dict[str, Any]:
    """The fields of the forces that an old command changes. Raises Illegal for what is not there."""
    rule, power, here = RULES[type(command)], command.power, command.space
    force = state.force(here, power)
    if isinstance(command, old.SetCommander):
        if command.leader not in force.leaders:
            why = "%(leader)s does not stand in %(space)s."
            raise Illegal(rule, why, leader=name_of(command.leader), space=space_name(here))
        rest = tuple(name for name in force.leaders if name != command.leader)
        return fields(
            here, power, force, Force(force.units, (command.leader, *rest), force.inside, force.inside_leaders)
        )
    units, leaders = command.units, command.leaders
    if not units and not leaders:
        raise Illegal(rule, "Name the CUs or leaders that are meant.")
    if isinstance(command, old.Place):
        return fields(here, power, force, force.joined_by(units, leaders))
    if units > force.total:
        why = "In %(space)s are %(total)s CUs of %(power)s."
        raise Illegal(rule, why, space=space_name(here), total=force.total, power=name_of(power))
    if not set(leaders) <= set(force.people) or len(set(leaders)) < len(leaders):
        raise Illegal(rule, "Name leaders who stand in %(space)s, each once.", space=space_name(here))
    gone = fields(here, power, force, by_hand.empty(force, units, leaders))
    if isinstance(command, old.Remove):
        return gone
    if command.to not in SPACES or command.to == here:
        raise Illegal(rule, "The army is already in %(to)s.", to=repr(command.to))
    there = state.force(command.to, power)
    return gone | fields(command.to, power, there, there.joined_by(units, leaders))


def fields(space: str, power: str, before: Force, after: Force) -> dict[str, Any]:
    """The fields of a force that are not as before."""
    changed = (name for name in Force.__struct_fields__ if getattr(before, name) != getattr(after, name))
    return {f"forces.{space}.{power}.{name}": getattr(after, name) for name in changed}


def space_name(space: str) -> str:
    """A space by its name, or by what was written for it."""
    return SPACES[space].name if space in SPACES else repr(space)


def whose(state: State, command: old.OldCommand) -> tuple[str, ...] | None:
    """Whose command it is: that of the fields' owners. Raises Illegal for what is not there."""
    return by_hand.whose(state, upgrade(state, command))


def why_not(state: State, command: old.OldCommand) -> Illegal | None:
    """Why not, as for `by_hand`."""
    try:
        by_hand.result(state, upgrade(state, command))
    except Illegal as wrong:
        return wrong
    return None


def do(state: State, command: old.OldCommand, dice: Dice) -> Handled[State]:
    """The fields are set."""
    return by_hand.by_hand(state, upgrade(state, command), dice)
