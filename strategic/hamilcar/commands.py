"""What a seat may say in Hamilcar. Generals are ids, ships are names; CUs are counted as `units` and `elephants`."""

from __future__ import annotations

from typing import Any, Literal

from strategic.engagement import NavalOutcome, Way
from tactical.kernel.record import Input

Party = tuple[str, ...]
Cell = tuple[int, int]
SideName = Literal["rome", "carthage"]


class Reinforce(Input, frozen=True, tag="reinforce"):
    """6.1, 6.2 Place one reinforcement of a line: a ship, or a unit in a space."""

    line: str
    what: Literal["ship", "unit"]
    at: str | None = None


class PlaceGeneral(Input, frozen=True, tag="place_general"):
    """6.1.1.c, 6.4.a Put an arriving general on the board."""

    general: str
    at: str


class Proconsul(Input, frozen=True, tag="proconsul"):
    """6.4 Name one of last turn's consuls proconsul."""

    general: str


class Elect(Input, frozen=True, tag="elect"):
    """26.14 Choose a consul without a draw."""

    general: str


class Reform(Input, frozen=True, tag="reform"):
    """6.5.3.b The naval reform of a consul who is an admiral."""

    kind: Literal["seamanship", "corvus", "ship", "repair", "none"]


class OpenCampaign(Input, frozen=True, tag="open"):
    """7.3 Carthage opens the turn with this campaign card."""

    card: int


class FirstPlayer(Input, frozen=True, tag="first_player"):
    """7.3 Rome says who plays first."""

    side: SideName


class Declare(Input, frozen=True, tag="declare"):
    """8.2 Cards on the table: say what the next card of the own hand shows."""

    side: SideName
    number: int
    ops: int
    ships: int = 0
    campaign: int = 0
    use: Literal["", "force_march", "africa"] = ""
    event: Literal["", "seamanship", "corvus", "diplomacy"] = ""


class Activate(Input, frozen=True, tag="activate"):
    """8.2, 8.2.1.a Play a card to move a general; trains with him may make up missing points."""

    card: int
    general: str
    trains: int = 0
    use: Literal["ops", "event"] = "ops"


class Campaign(Input, frozen=True, tag="campaign"):
    """11.1.1.c Play a campaign card to move several generals."""

    card: int


class CampaignMove(Input, frozen=True, tag="campaign_move"):
    """11.1.1.c Move the next general of the campaign."""

    general: str


class Points(Input, frozen=True, tag="points"):
    """8.2 Play a card for its points, to be split among the uses of 8.2."""

    card: int


class Put(Input, frozen=True, tag="put"):
    """8.2 Place or flip one PC on the map for a point."""

    space: str


class CouncilPc(Input, frozen=True, tag="council"):
    """19.5 Place one PC in the Council for a point."""

    cell: Cell


class Repair(Input, frozen=True, tag="repair"):
    """8.2.b Make one ship ready for a point."""

    ship: str


class Supply(Input, frozen=True, tag="supply"):
    """8.2.d Place one train for a point, with an army or inside an own city."""

    at: str
    inside: bool = False


class BuildShips(Input, frozen=True, tag="build_ships"):
    """8.2.e Play a 3 for the ships that it shows."""

    card: int


class BuildShip(Input, frozen=True, tag="build_ship"):
    """22.2.g A new ship from the war budget."""


class Recruit(Input, frozen=True, tag="recruit"):
    """22.2.h A new CU in the own capital from the war budget."""


class RaiseUnit(Input, frozen=True, tag="raise_unit"):
    """strategy.ops.3 Play a 3 to add a CU to a general."""

    card: int
    general: str


class Training(Input, frozen=True, tag="training"):
    """8.2.a Rome gives up a card with two ships for a level of seamanship."""

    card: int


class PlayEvent(Input, frozen=True, tag="event"):
    """strategy.3 Play a card as its event."""

    card: int
    choice: str | None = None


class Discard(Input, frozen=True, tag="discard"):
    """strategy.4 Discard a card instead of playing it."""

    card: int


class Hire(Input, frozen=True, tag="hire"):
    """6.1.2, 6.1.3 Hire Xanthippus or Hamilcar Barca for PCs of the Council, in place of a card."""

    general: str
    at: str
    cells: tuple[Cell, ...]


class Answer(Input, frozen=True, tag="answer"):
    """11.6.4 Play a card in the other's turn: a storm, or help for an interception."""

    card: int


class Pass(Input, frozen=True, tag="pass"):
    """strategy.event.2 Let the moment go by."""


class Done(Input, frozen=True, tag="done"):
    """8.2 Nothing more of this."""


class Step(Input, frozen=True, tag="step"):
    """movement.land.1 Move one space by land with these troops and companions."""

    to: str
    units: int
    elephants: int
    trains: int = 0
    companions: Party = ()


class Sail(Input, frozen=True, tag="sail"):
    """11.1 Sail one lane with these ships, troops and companions, outside the walls of the port or inside."""

    to: str
    ships: int
    units: int
    elephants: int
    trains: int = 0
    companions: Party = ()
    inside: bool = False


class BurnTrains(Input, frozen=True, tag="burn_trains"):
    """8.2.1.burn The commander destroys trains of his army at 1 movement point each."""

    count: int


class Besiege(Input, frozen=True, tag="besiege"):
    """20.2.3 Roll against the city or tribe in the space."""


class Sortie(Input, frozen=True, tag="sortie"):
    """siege.6 Come out of the city against the enemy before its walls."""

    units: int
    elephants: int
    trains: int = 0
    companions: Party = ()


class Enter(Input, frozen=True, tag="enter"):
    """cities.4 Go inside the walls with these troops, and end the move."""

    units: int
    elephants: int
    trains: int = 0
    companions: Party = ()


class Halt(Input, frozen=True, tag="halt"):
    """movement.land.1 End the move."""


class Try(Input, frozen=True):
    """11.6.2 A general who tries to intercept, with what he takes along."""

    general: str
    units: int = 0
    elephants: int = 0
    trains: int = 0


class SeaIntercept(Input, frozen=True, tag="sea_intercept"):
    """11.6 Put ready ships to sea against the mover, under the generals who try."""

    ships: int
    tries: tuple[Try, ...] = ()


class Catcher(Input, frozen=True, tag="catcher"):
    """H2.a Of several who succeeded, name the one who commands."""

    general: str


class TurnBack(Input, frozen=True, tag="turn_back"):
    """11.6.7 Give up supremacy and go back to the last port."""


class FightAtSea(Input, frozen=True, tag="fight_at_sea"):
    """11.6.7.b Take the battle."""


class AfterSea(Input, frozen=True, tag="after_sea"):
    """11.6.7.a, 11.7.places Where the general goes: on land here, or home (back to his last port)."""

    choice: Literal["land", "home"]


class ChooseWay(Input, frozen=True, tag="choose_way"):
    """L1.2 How a side wants to settle the engagement."""

    engagement: str
    way: Way
    side: SideName


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
    side: SideName


class Assent(Input, frozen=True, tag="assent"):
    """L1.2 Agree to the outcome that the other side reported."""

    engagement: str
    side: SideName


class Tactic(Input, frozen=True, tag="tactic"):
    """11.7.manoeuvre Play a tactics card; Fair Wind also says which of its two uses."""

    card: str
    use: Literal["", "supremacy", "draw"] = ""


class Target(Input, frozen=True, tag="target"):
    """11.7.cards.6 Whom Splintered Hulls hits."""

    target: Literal["ships", "transports"]


class PickShip(Input, frozen=True, tag="pick_ship"):
    """11.7.cards.2 Which enemy ship runs into the shallows."""

    ship: str


class PickTactic(Input, frozen=True, tag="pick_tactic"):
    """11.7.cards.5 Which card Fair Wind takes from the deck."""

    card: str


class Engage(Input, frozen=True, tag="engage"):
    """11.7.engage Name the target and roll."""

    target: Literal["ships", "transports"]


class Regroup(Input, frozen=True, tag="regroup"):
    """11.7.regroup Roll for a tactics card."""


class Flee(Input, frozen=True, tag="flee"):
    """11.7.flee Roll to leave the battle."""


class Evade(Input, frozen=True, tag="evade"):
    """11.7.evade Give up supremacy to leave the battle."""


class CancelRetreat(Input, frozen=True, tag="cancel_retreat"):
    """11.7.pursuit Play Pursuit against the enemy's retreat."""


class Intercept(Input, frozen=True, tag="intercept"):
    """interception.1 Name a general of one space who tries by land, and his troops."""

    general: str
    units: int
    elephants: int
    trains: int = 0


class GoBack(Input, frozen=True, tag="go_back"):
    """interception.3a, 11.7.second.a The intercepted army goes back where it came from."""


class AcceptBattle(Input, frozen=True, tag="accept_battle"):
    """interception.3a The intercepted army fights."""


class Shelter(Input, frozen=True, tag="shelter"):
    """avoid.1a Go inside the walls."""

    units: int
    elephants: int
    trains: int = 0
    generals: Party = ()


class Avoid(Input, frozen=True, tag="avoid"):
    """avoid.2 Roll to slip away to a space next to this one."""

    to: str
    general: str
    units: int
    elephants: int
    trains: int = 0


class Stand(Input, frozen=True, tag="stand"):
    """avoid.1 Stay and fight."""


class Pursue(Input, frozen=True, tag="pursue"):
    """pursuit.2 Roll to go on after the army that slipped away."""


class Join(Input, frozen=True, tag="join"):
    """siege.6 Besieged troops under a general come out to join the battle of their friends before the walls."""

    generals: Party
    units: int
    elephants: int


class ChangeCommand(Input, frozen=True, tag="change_command"):
    """battle.1 Carthage rolls whether the other consul commands."""


class Charge(Input, frozen=True, tag="charge"):
    """17 Declare the elephant attack."""


class Attack(Input, frozen=True, tag="attack"):
    """round.1 Play a battle card; `as_kind` says what a Reserve stands for."""

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
    """round.1a, 11.9 Roll to leave the battle for a space next to it, or over a lane."""

    to: str


class Cancel(Input, frozen=True, tag="cancel"):
    """round.1b Roll to stop the withdrawal."""


class RetreatTo(Input, frozen=True, tag="retreat"):
    """retreat.1, 11.9 Where the loser goes; these CUs go into the city first."""

    to: str
    units_inside: int = 0
    elephants_inside: int = 0


class HoldOut(Input, frozen=True, tag="hold_out"):
    """20.2.8 Remove 1 CU and 1 train inside to cancel the siege point just scored."""


class SpendTrain(Input, frozen=True, tag="spend_train"):
    """21.1.1 Remove a train so that the army does not roll in winter; or 8.2.1.d at the war budget."""

    space: str
    inside: bool = False


class Remove(Input, frozen=True, tag="remove"):
    """losses.5 Take one of the own PCs off the map."""

    space: str


class RemoveCouncil(Input, frozen=True, tag="remove_council"):
    """19.5.a Take a PC off the Council."""

    cell: Cell


class Resign(Input, frozen=True, tag="resign"):
    """victory.4 Sue for peace."""

    side: SideName


class Adjust(Input, frozen=True, tag="adjust"):
    """reading.6 The umpire sets fields of the position, each by its path, and says why."""

    changes: dict[str, Any]
    why: str


Command = (
    Reinforce | PlaceGeneral | Proconsul | Elect | Reform | OpenCampaign | FirstPlayer | Declare | Activate
    | Campaign | CampaignMove | Points | Put | CouncilPc | Repair | Supply | BuildShips | BuildShip | Recruit
    | RaiseUnit | Training | PlayEvent | Discard | Hire | Answer | Pass | Done | Step | Sail | BurnTrains | Besiege
    | Sortie | Enter | Halt | SeaIntercept | Catcher | TurnBack | FightAtSea | AfterSea | ChooseWay | OpenBattle
    | Settle | Report | Assent | Tactic | Target | PickShip | PickTactic | Engage | Regroup | Flee | Evade
    | CancelRetreat | Intercept | GoBack | AcceptBattle | Shelter | Avoid | Stand | Pursue | Join
    | ChangeCommand | Charge | Attack | Match | Concede | CounterAttack | Withdraw | Cancel | RetreatTo | HoldOut
    | SpendTrain | Remove | RemoveCouncil | Resign | Adjust
)  # fmt: skip
