"""L3 What is special in a battle that belongs to a campaign: evading, and what comes home."""

from __future__ import annotations

import msgspec

from tactical.battle import Battle
from tactical.commands import Evade
from tactical.kernel.dice import Dice
from tactical.kernel.play import Event, Illegal, event
from tactical.rules.ending import linked_end, warships


def may_evade_now(battle: Battle) -> bool:
    """L3.5 At the end of a turn the holder of supremacy may concede it and leave, until he says `done`."""
    link = battle.link
    if link is None or not link.evades or link.supremacy is None or link.evaded is not None:
        return False
    side = battle.sides.get(link.supremacy)
    return side is not None and not side.done and bool(battle.afloat(link.supremacy))


def why_not_evade(battle: Battle, command: Evade) -> Illegal | None:
    """L3.5 What forbids evading."""
    link = battle.link
    if link is None or not link.evades:
        return Illegal("L3.5", "Only a battle of a campaign with evasion can be evaded.")
    if link.supremacy != command.side:
        return Illegal("L3.5", f"{command.side} does not hold naval supremacy and cannot evade.")
    return None


def evade(battle: Battle, command: Evade, dice: Dice) -> tuple[Battle, tuple[Event, ...]]:
    """L3.5 Supremacy is conceded; the side's ships that are in no fight leave at once, and no prize roll follows."""
    link = battle.link
    assert link is not None
    gone = [name for name in battle.afloat(command.side) if battle.ships[name].boarding is None]
    battle = battle.with_ships({name: battle.ships[name].away("withdrawn") for name in gone})
    battle = msgspec.structs.replace(battle, link=msgspec.structs.replace(link, evaded=command.side))
    left = event("L3.5", "evade", side=command.side, ships=gone)
    if warships(battle, command.side):
        return battle, (left,)
    others = [side for side in battle.sides if side != command.side and warships(battle, side)]
    battle, over = linked_end(battle, others[0] if len(others) == 1 else None, "evaded")
    return battle, (left, *over)
