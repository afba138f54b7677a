"""What a seat may say in Hannibal, besides what every game of the family knows."""

from __future__ import annotations

from typing import Literal

from strategic.naval.settling import LinkCommand
from strategic.point_to_point.commands import Party, Shared
from tactical.kernel.corrections import Adjust
from tactical.kernel.protocol import commands_in
from tactical.kernel.record import Input


class Reinforce(Input, frozen=True, tag="reinforce"):
    """reinforcements.1 Put one reinforcement CU of a line (1a … 2b) into a space."""

    line: str
    at: str


class ReturnGeneral(Input, frozen=True, tag="return_general"):
    """reinforcements.1e Bring a displaced general back."""

    general: str
    at: str


class Land(Input, frozen=True, tag="land"):
    """reinforcements.2c Say where Scipio Africanus and his CUs arrive."""

    at: str


class PlaceConsul(Input, frozen=True, tag="place_consul"):
    """reinforcements.4c Put a new consul on the board."""

    general: str
    at: str


class Activate(Input, frozen=True, tag="activate"):
    """strategy.ops.1 Play a card for operations, or for an event used so, to move a general."""

    card: int
    general: str
    use: Literal["ops", "event"] = "ops"


class PlacePcs(Input, frozen=True, tag="place_pcs"):
    """strategy.ops.2 Play a card to place PCs."""

    card: int


class PlayEvent(Input, frozen=True, tag="event"):
    """strategy.3 Play a card as its event."""

    card: int


class Sail(Input, frozen=True, tag="sail"):
    """movement.sea.3 Sail to a port, outside its walls or inside."""

    to: str
    units: int
    elephants: int
    companions: Party
    inside: bool = False


class Counter(Input, frozen=True, tag="counter"):
    """strategy.event.2 Play a counter-event at the moment that it names."""

    card: int


class BattleEvent(Input, frozen=True, tag="battle_event"):
    """battle.2 Play a battle event from hand."""

    card: int


class Choose(Input, frozen=True, tag="choose"):
    """strategy.3 Name what an event asks for: a space, a province, a general."""

    choice: str


Command = Shared | LinkCommand | Adjust | commands_in(globals())
