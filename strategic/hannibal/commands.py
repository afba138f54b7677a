"""What a seat may say in Hannibal. Lists of generals are ids; CUs are counted as ordinary `units` and `elephants`."""

from __future__ import annotations

from typing import Any, Literal

from strategic.settling import Assent, ChooseWay, OpenBattle, Report, Settle
from tactical.kernel.record import Input

Party = tuple[str, ...]


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


class FirstPlayer(Input, frozen=True, tag="first_player"):
    """strategy.2 Carthage says who plays first."""

    side: Literal["rome", "carthage"]


class Activate(Input, frozen=True, tag="activate"):
    """strategy.ops.1 Play a card for operations, or for an event used so, to move a general."""

    card: int
    general: str
    use: Literal["ops", "event"] = "ops"


class Campaign(Input, frozen=True, tag="campaign"):
    """strategy.3 Play a campaign card to move several generals."""

    card: int


class CampaignMove(Input, frozen=True, tag="campaign_move"):
    """strategy.3 Move the next general of the campaign."""

    general: str


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


class TakeCommand(Input, frozen=True, tag="take_command"):
    """movement.command.4 Name the commander among generals of equal standing."""

    general: str


class Arrange(Input, frozen=True, tag="arrange"):
    """movement.general.4 Say which of the CUs and generals in a city's space are inside the walls."""

    space: str
    units: int
    elephants: int
    generals: Party


class Step(Input, frozen=True, tag="step"):
    """movement.land.1 Move one space by land with these CUs and companions."""

    to: str
    units: int
    elephants: int
    companions: Party


class Sail(Input, frozen=True, tag="sail"):
    """movement.sea.3 Sail to a port, outside its walls or inside."""

    to: str
    units: int
    elephants: int
    companions: Party
    inside: bool = False


class Sortie(Input, frozen=True, tag="sortie"):
    """siege.6 Come out of the city against the enemy before its walls."""

    units: int
    elephants: int
    companions: Party


class Besiege(Input, frozen=True, tag="besiege"):
    """siege.1 Roll against the city or tribe in the space; a companion may be detached to do it."""

    general: str
    units: int
    elephants: int


class Halt(Input, frozen=True, tag="halt"):
    """movement.land.1 End the move."""


class Done(Input, frozen=True, tag="done"):
    """strategy.ops Nothing more of this."""


class Intercept(Input, frozen=True, tag="intercept"):
    """interception.1 Name generals and CUs of one space that will try."""

    space: str
    generals: Party
    units: int
    elephants: int


class GoBack(Input, frozen=True, tag="go_back"):
    """interception.3a The intercepted army goes back one space."""


class AcceptBattle(Input, frozen=True, tag="accept_battle"):
    """interception.3a The intercepted army fights."""


class Shelter(Input, frozen=True, tag="shelter"):
    """avoid.1a Go inside the walls."""

    generals: Party
    units: int
    elephants: int


class Avoid(Input, frozen=True, tag="avoid"):
    """avoid.2 Roll to slip away to a space next to this one."""

    to: str
    generals: Party
    units: int
    elephants: int


class Stand(Input, frozen=True, tag="stand"):
    """avoid.1 Stay and fight."""


class Pursue(Input, frozen=True, tag="pursue"):
    """pursuit.2 Roll to go on after the army that slipped away."""


class Join(Input, frozen=True, tag="join"):
    """siege.6 Besieged troops come out to join the battle."""

    generals: Party
    units: int
    elephants: int


class Counter(Input, frozen=True, tag="counter"):
    """strategy.event.2 Play a counter-event at the moment that it names."""

    card: int


class Pass(Input, frozen=True, tag="pass"):
    """strategy.event.2 Let the moment go by."""


class ChangeCommand(Input, frozen=True, tag="change_command"):
    """battle.1 Carthage rolls whether the other consul commands."""


class BattleEvent(Input, frozen=True, tag="battle_event"):
    """battle.2 Play a battle event from hand."""

    card: int


class Charge(Input, frozen=True, tag="charge"):
    """battle.4 Declare the elephant attack."""


class Attack(Input, frozen=True, tag="attack"):
    """round.1 Play a battle card; `as_kind` for a Reserve, Hannibal's Probe or Maharbal's cavalry."""

    card: str
    as_kind: str


class Match(Input, frozen=True, tag="match"):
    """round.2 Match the attack with this card."""

    card: str


class Concede(Input, frozen=True, tag="concede"):
    """round.2 Leave the attack unmatched and lose the battle."""


class CounterAttack(Input, frozen=True, tag="counter_attack"):
    """round.3 Roll for the initiative."""


class Withdraw(Input, frozen=True, tag="withdraw"):
    """round.1a Roll to leave the battle for a space next to it, or for the city."""

    to: str


class Cancel(Input, frozen=True, tag="cancel"):
    """round.1b Roll to stop the withdrawal."""


class RetreatTo(Input, frozen=True, tag="retreat"):
    """retreat.1 Where the loser goes; `inside` CUs go into the city first."""

    to: str
    units_inside: int = 0
    elephants_inside: int = 0


class Remove(Input, frozen=True, tag="remove"):
    """losses.5 Take one of the own PCs off."""

    space: str


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
