"""What a seat may say in Hamilcar, besides what every game of the family knows. Generals are ids, ships are names."""

from __future__ import annotations

from typing import Literal

from strategic.naval.settling import LinkCommand
from strategic.point_to_point.commands import Party, Shared, Taking
from tactical.kernel.corrections import Adjust
from tactical.kernel.protocol import commands_in
from tactical.kernel.record import Input

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


class Elect(Input, frozen=True, tag="elect"):
    """26.14 Choose a consul without a draw."""

    general: str


class Reform(Input, frozen=True, tag="reform"):
    """6.5.3.b The naval reform of a consul who is an admiral."""

    kind: Literal["seamanship", "corvus", "ship", "repair", "none"]


class Declare(Input, frozen=True, tag="declare"):
    """8.2 Cards on the table: say what the next card of its own hand shows."""

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


class Points(Input, frozen=True, tag="points"):
    """8.2 Play a card for its points, to be split among the uses of 8.2."""

    card: int


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


class Training(Input, frozen=True, tag="training"):
    """8.2.a Rome gives up a card with two ships for a level of seamanship."""

    card: int


class PlayEvent(Input, frozen=True, tag="event"):
    """strategy.3 Play a card as its event."""

    card: int
    choice: str | None = None


class Hire(Input, frozen=True, tag="hire"):
    """6.1.2, 6.1.3 Hire Xanthippus or Hamilcar Barca for PCs of the Council, in place of a card."""

    general: str
    at: str
    cells: tuple[Cell, ...]


class Answer(Input, frozen=True, tag="answer"):
    """11.6.4 Play a card in the other's turn: a storm, or help for an interception."""

    card: int


class Sail(Taking, frozen=True, tag="sail"):
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


class Enter(Taking, frozen=True, tag="enter"):
    """cities.4 Go inside the walls with these troops, and end the move."""

    units: int
    elephants: int
    trains: int = 0
    companions: Party = ()


class Try(Taking, frozen=True):
    """11.6.2 A general who tries to intercept, with what he takes along."""

    general: str
    units: int = 0
    elephants: int = 0
    trains: int = 0


class SeaIntercept(Input, frozen=True, tag="sea_intercept"):
    """11.6 Put ready ships to sea against the mover, under the generals who try."""

    ships: int
    tries: tuple[Try, ...] = ()


class SeaTry(Try, frozen=True, tag="sea_try"):
    """11.6.2 Name a general who tries with part of his troops, before the ships put to sea."""


class ChooseShips(Input, frozen=True, tag="choose_ships"):
    """L2.4 Of one's own ships that differ in hull damage, say which. Where one is taken as a prize it is the first."""

    ships: tuple[str, ...]


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


class PrizeRoll(Input, frozen=True, tag="prize_roll"):
    """11.7.after.3 The winner rolls for the transports of a loser who has no ship left to cover them."""


class HoldOut(Input, frozen=True, tag="hold_out"):
    """20.2.8 Remove 1 CU and 1 train inside to cancel the siege point just scored."""


class SpendTrain(Input, frozen=True, tag="spend_train"):
    """21.1.1 Remove a train so that the army does not roll in winter; or 8.2.1.d at the war budget."""

    space: str
    inside: bool = False


class RemoveCouncil(Input, frozen=True, tag="remove_council"):
    """19.5.a Take a PC off the Council."""

    cell: Cell


Command = Shared | LinkCommand | Adjust | commands_in(globals())
