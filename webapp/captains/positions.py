"""Where a forecast starts from: a scenario, a typed position, a battle under way, or a campaign's engagement."""

from __future__ import annotations

from typing import Any

import msgspec

from strategic.naval.handoff import battle_position
from tactical.battle import Battle
from tactical.kernel.protocol import UMPIRE
from tactical.kernel.record import BadInput, plain
from webapp.captains.matches import opening, player
from webapp.presenting.engagement_meetings import seen_engagement
from webapp.storage.errors import Refused
from webapp.storage.journal.store import Store


def start_of(
    store: Store | None,
    seat: str,
    game: str | None,
    scenario: str | None,
    position: dict[str, Any] | None,
    options: dict[str, Any],
) -> Battle:
    """The position to forecast from, as the seat sees it. Raises BadInput, Refused (nothing to forecast), Unknown."""
    given = [name for name, value in (("game", game), ("scenario", scenario), ("position", position)) if value]
    if len(given) != 1:
        raise BadInput(given[1] if len(given) > 1 else "scenario", "give one of game, scenario and position")
    if game is None or store is None:
        return opening(scenario, position, options)
    table = store.load(game)
    if not isinstance(table.state, Battle):
        engagement = seen_engagement(table, seat)
        if engagement is None:
            raise Refused("No engagement is pending in this campaign, so there is no battle to forecast.", path="game")
        raw = battle_position(engagement, engagement.models_per_unit or 1, campaign=game)
        return opening(None, plain(raw), {})
    if table.game.over:
        raise Refused("This battle is over: there is nothing to forecast.", path="game")
    return without_hidden_plots(table.view(seat), seat)


def without_hidden_plots(battle: Battle, seat: str) -> Battle:
    """A view as a position to play on from: sides whose plots are hidden plot anew, and nobody has agreed to end."""
    if battle.step == "plot" and seat != UMPIRE:
        ships = {
            name: msgspec.structs.replace(ship, plot=None) for name, ship in battle.ships.items() if ship.side != seat
        }
        battle = battle.with_ships(ships)
    sides = {
        name: msgspec.structs.replace(
            side, agreed=False, locked=side.locked and (battle.step != "plot" or name == seat or seat == UMPIRE)
        )
        for name, side in battle.sides.items()
    }
    return msgspec.structs.replace(battle, sides=sides)


def check_levels(start: Battle, levels: dict[str, str]) -> dict[str, str]:
    """The level of each side, able where none is given. Raises BadInput with the field."""
    for side, level in levels.items():
        if side not in start.sides:
            raise BadInput(
                f"levels.{side}",
                "there is no side called '%(side)s'; the sides are %(sides)s",
                side=side,
                sides=tuple(start.sides),
            )
        player(level, f"levels.{side}")
    return {side: levels.get(side, "able") for side in start.sides}
