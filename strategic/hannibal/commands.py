"""What a seat may say in Hannibal, besides what every game of the family knows."""

from __future__ import annotations

from typing import Any, Literal

from strategic.naval.settling import Assent, ChooseWay, OpenBattle, Report, Settle
from strategic.point_to_point.commands import (
    AcceptBattle,
    Arrange,
    Attack,
    Avoid,
    Besiege,
    CampaignMove,
    Cancel,
    ChangeCommand,
    Charge,
    Concede,
    CounterAttack,
    Done,
    FirstPlayer,
    GoBack,
    Halt,
    Intercept,
    Join,
    Match,
    Party,
    Pass,
    Pursue,
    Remove,
    RetreatTo,
    Shelter,
    Sortie,
    Stand,
    Step,
    TakeCommand,
    Withdraw,
)
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


class Proconsul(Input, frozen=True, tag="proconsul"):
    """reinforcements.3 Name a proconsul."""

    general: str


class PlaceConsul(Input, frozen=True, tag="place_consul"):
    """reinforcements.4c Put a new consul on the board."""

    general: str
    at: str


class Open(Input, frozen=True, tag="open"):
    """strategy.1 Rome will open with this campaign card."""

    card: int



class Activate(Input, frozen=True, tag="activate"):
    """strategy.ops.1 Play a card for operations, or for an event used so, to move a general."""

    card: int
    general: str
    use: Literal["ops", "event"] = "ops"


class Campaign(Input, frozen=True, tag="campaign"):
    """strategy.3 Play a campaign card to move several generals."""

    card: int



class PlacePcs(Input, frozen=True, tag="place_pcs"):
    """strategy.ops.2 Play a card to place PCs."""

    card: int


class Put(Input, frozen=True, tag="put"):
    """strategy.ops.2a Place or flip one PC."""

    space: str


class RaiseUnit(Input, frozen=True, tag="raise_unit"):
    """strategy.ops.3 Play a 3 to add a CU to a general."""

    card: int
    general: str


class PlayEvent(Input, frozen=True, tag="event"):
    """strategy.3 Play a card as its event."""

    card: int


class Discard(Input, frozen=True, tag="discard"):
    """strategy.4 Discard a card instead of playing it."""

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


class Resign(Input, frozen=True, tag="resign"):
    """victory.4 Sue for peace."""

    side: Literal["rome", "carthage"]


class Adjust(Input, frozen=True, tag="adjust"):
    """reading.6 The umpire sets fields of the position, each by its path, and says why."""

    changes: dict[str, Any]
    why: str


Command = (
    Reinforce
    | ReturnGeneral
    | Land
    | Proconsul
    | PlaceConsul
    | Open
    | FirstPlayer
    | Activate
    | Campaign
    | CampaignMove
    | PlacePcs
    | Put
    | RaiseUnit
    | PlayEvent
    | Discard
    | TakeCommand
    | Arrange
    | Step
    | Sail
    | Sortie
    | Besiege
    | Halt
    | Done
    | Intercept
    | GoBack
    | AcceptBattle
    | Shelter
    | Avoid
    | Stand
    | Pursue
    | Join
    | Counter
    | Pass
    | ChangeCommand
    | BattleEvent
    | Charge
    | Attack
    | Match
    | Concede
    | CounterAttack
    | Withdraw
    | Cancel
    | RetreatTo
    | Remove
    | Choose
    | Resign
    | Adjust
    | ChooseWay
    | OpenBattle
    | Settle
    | Report
    | Assent
)
