"""A whole fleet in a melee by one tap: all who meet an enemy ahead, all who run up, all who board with good odds."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import msgspec

from tactical.battle import Battle
from tactical.courses import is_behind_friend, straight
from tactical.geometry import geometry
from tactical.kernel.dice import Dice
from tactical.rules import boarding, movement
from webapp.http.language import gettext as _
from webapp.pages.battle import odds_hint
from webapp.pages.battle.order_records import Action, together

GOOD = 0.5  # the least chance to win a fight that is begun without a look at it


def meet_all(battle: Battle, names: Sequence[str]) -> list[Action]:
    """G4.6 Straight ahead with every ship of these that meets an enemy so, each tried after those before her."""
    commands = straight_on(battle, names, "contact")
    if len(commands) < 2:
        return []
    return [Action(_("Ahead, all who meet an enemy (%(count)s)", count=len(commands)), together(commands), "G4.6")]


def run_up_all(battle: Battle, names: Sequence[str]) -> list[Action]:
    """G4.3 Straight on with every ship of these that runs up so and stops; who only waits for a friend is left out."""
    commands = straight_on(battle, names, "blocked")
    if len(commands) < 2:
        return []
    said = _("Ahead, all whose way is barred (%(count)s)", count=len(commands))
    return [Action(said, together(commands), "G4.3", _("they run up and stop"), "danger")]


def straight_on(battle: Battle, names: Sequence[str], meets: str) -> list[dict[str, Any]]:
    """G4.1 The steps straight on that lead so, each tried on the position that those before it leave."""
    due = [name for name in names if battle.is_due(battle.ships[name])]
    if not battle.has_places or not due or not movement.may_move_now(battle, battle.ships[due[0]].side):
        return []
    now, commands = battle, list[dict[str, Any]]()
    for name in due:
        leg = straight(now)
        step, ship = leg.of(name), now.ships[name]
        if movement.why_not_step(now, step) is not None or is_behind_friend(now, name, leg):
            continue
        board = geometry(now)
        if board.way(now, name, ship, board.course(ship, step)[0]).meets == meets:
            now, _events = movement.step(now, step, Dice())
            said = {key: value for key, value in msgspec.to_builtins(leg).items() if value is not None}
            commands.append({"type": "step", "ship": name, **said})
    return commands


def board_all(battle: Battle, names: Sequence[str]) -> list[Action]:
    """G8.1 Board with every ship of these that is likelier to win the fight than not; no two board the same enemy."""
    taken: dict[str, tuple[str, float]] = {}
    for name in names:
        foes = boarding.board_targets(battle, name, battle.ships[name]) if may_board(battle, name) else ()
        chances = [(odds_hint.winning(battle, name, foe), foe) for foe in foes if foe not in taken]
        chance, best = max(chances, default=(0.0, ""))
        if chance > GOOD:
            taken[best] = name, odds_hint.getting_aboard(battle, name, best) * chance
    if len(taken) < 2:
        return []
    commands = [{"type": "board", "ship": name, "target": foe} for foe, (name, _chance) in taken.items()]
    hint = _("about %(ships)s ships taken in the end", ships=f"{sum(chance for _name, chance in taken.values()):.1f}")
    said = _("Board where the odds are good (%(count)s)", count=len(commands))
    return [Action(said, together(commands), "G8.1", hint, "main")]


def may_board(battle: Battle, name: str) -> bool:
    """G8.1 Is it her side's time to board, and has she not said that she will not?"""
    return battle.step == "board" and not battle.sides[battle.ships[name].side].done
