"""What a seat may say in The Sword of Rome, in earlier versions too."""

from __future__ import annotations

from typing import Annotated, Any, Literal, get_args

import msgspec

from strategic.naval.settling import Assent, ChooseWay, OpenBattle, Report, Settle
from tactical.kernel.corrections import Approve
from tactical.kernel.protocol import tag_of
from tactical.kernel.record import Input

# -- What was set by hand before there was the command `by_hand`: journals of earlier versions hold these.

Name = Annotated[str, msgspec.Meta(min_length=1, max_length=40)]
Level = Annotated[int, msgspec.Meta(ge=0, le=9)]


class Pieces(Input, frozen=True):
    """CUs and leaders of a power in a space."""

    power: Name
    space: Name
    units: Annotated[int, msgspec.Meta(ge=0, le=99)] = 0
    leaders: Annotated[tuple[Name, ...], msgspec.Meta(max_length=30)] = ()


class Place(Pieces, frozen=True, tag="place"):
    """5.10 They come into play."""


class Remove(Pieces, frozen=True, tag="remove"):
    """5.5 They go out of play."""


class MoveByHand(Input, frozen=True, tag="move_by_hand"):
    """7 They go from one space to another."""

    power: Name
    space: Name
    to: Name
    units: Annotated[int, msgspec.Meta(ge=0, le=99)] = 0
    leaders: Annotated[tuple[Name, ...], msgspec.Meta(max_length=30)] = ()


class SetCommander(Input, frozen=True, tag="set_commander"):
    """8.2.1 Who commands in a space."""

    power: Name
    space: Name
    leader: Name


class SetControl(Input, frozen=True, tag="set_control"):
    """7.3 Who controls a space, and a city's loyalty."""

    space: Name
    power: Name
    loyalty: Level | None = None


class SetSiege(Input, frozen=True, tag="set_siege"):
    """13 The siege level of a space; none lifts the siege."""

    space: Name
    level: Level | None = None


class SetAlliance(Input, frozen=True, tag="set_alliance"):
    """15 Offer an alliance, agree to one, or end it."""

    power: Name
    other: Name
    allied: bool = True


class SetPoints(Input, frozen=True, tag="set_points"):
    """4 A power's victory points."""

    power: Name
    points: Annotated[int, msgspec.Meta(ge=0, le=12)]


class SetUnrest(Input, frozen=True, tag="set_unrest"):
    """20 Carthage's unrest."""

    level: Annotated[int, msgspec.Meta(ge=0, le=10)]


class SetEvent(Input, frozen=True, tag="set_event"):
    """7 An event is in force, or no more."""

    event: Name
    in_force: bool = True


class SetRunner(Input, frozen=True, tag="set_runner"):
    """16 Which seat decides for a power without a player."""

    power: Name
    runner: Name | None = None


class Note(Input, frozen=True, tag="note"):
    """7 A line for the log."""

    side: Name
    text: Annotated[str, msgspec.Meta(min_length=1, max_length=500)]


OldCommand = (
    Place
    | Remove
    | MoveByHand
    | SetCommander
    | SetControl
    | SetSiege
    | SetAlliance
    | SetPoints
    | SetUnrest
    | SetEvent
    | SetRunner
    | Note
)


# -- What a seat may say in The Sword of Rome. A card is named by its value; its text stays with the players.

Names = Annotated[tuple[Name, ...], msgspec.Meta(max_length=30)]
Card = Annotated[int, msgspec.Meta(ge=1, le=3)]
Units = Annotated[int, msgspec.Meta(ge=0, le=99)]
Text = Annotated[str, msgspec.Meta(min_length=1, max_length=500)]


class Activate(Input, frozen=True, tag="activate"):
    """9.1 Play a card to move a leader, with so many CUs and companions of his space.

    `flank`: as a flanking army (9.5.6), which the umpire or all other players must confirm. `by_event`: an event that
    was played by hand (a campaign, a neutral power) moves him as a card of this value would.
    """

    card: Card
    leader: Name
    units: Units
    companions: Names = ()
    flank: bool = False
    by_event: bool = False


class ConfirmFlank(Input, frozen=True, tag="confirm_flank"):
    """9.5.6 Has the army the right to flank? Each other player says so for himself, or the umpire for all."""

    side: Name
    allow: bool


class EndAction(Input, frozen=True, tag="end_action"):
    """5 The next player acts."""


class Step(Input, frozen=True, tag="step"):
    """9.2 Move one space by land."""

    to: Name


class Sail(Input, frozen=True, tag="sail"):
    """9.6.3 Sail to a port."""

    to: Name


class Drop(Input, frozen=True, tag="drop"):
    """9.1.2 Leave CUs and companions here."""

    units: Units
    companions: Names = ()


class PickUp(Input, frozen=True, tag="pick_up"):
    """9.1.2 Take CUs and leaders of this space along."""

    units: Units
    companions: Names = ()


class Halt(Input, frozen=True, tag="halt"):
    """9.2 End the move here."""


class LendShips(Input, frozen=True, tag="lend_ships"):
    """9.6.3 Carthage plays a card to carry an ally's army."""

    card: Card


class Try(Input, frozen=True):
    """10.3 An army, or part of one, that is to intercept."""

    power: Name
    space: Name
    leader: Name
    units: Units
    companions: Names = ()


class Slip(Input, frozen=True):
    """11.1 What is to avoid battle, and what goes inside the walls; `port` and `card` to leave by sea."""

    power: Name
    leaders: Names = ()
    units: Units = 0
    inside_leaders: Names = ()
    inside: Units = 0
    port: Name | None = None
    card: Card | None = None


class Declare(Input, frozen=True, tag="declare"):
    """10.3, 11.1 A seat's whole answer to a step, in secret; empty lists let the army pass.

    One army more may be named field by field, so that a part of it can be chosen from ranges: with `space` it is
    another attempt (`leader`, `units`, `companions`), without it another avoidance (`leaders`, `units`,
    `inside_leaders`, `inside`, `port`, `card`).
    """

    side: Name
    intercepts: Annotated[tuple[Try, ...], msgspec.Meta(max_length=30)] = ()
    avoids: Annotated[tuple[Slip, ...], msgspec.Meta(max_length=4)] = ()
    power: Name | None = None
    space: Name | None = None
    leader: Name | None = None
    units: Units = 0
    companions: Names = ()
    leaders: Names = ()
    inside_leaders: Names = ()
    inside: Units = 0
    port: Name | None = None
    card: Card | None = None

    @property
    def attempts(self) -> tuple[Try, ...]:
        """10.3 All attempts, the one named field by field last."""
        if self.power is None or self.space is None:
            return self.intercepts
        return (*self.intercepts, Try(self.power, self.space, self.leader or "-", self.units, self.companions))

    @property
    def slips(self) -> tuple[Slip, ...]:
        """11.1 All avoidances, the one named field by field last."""
        if self.power is None or self.space is not None:
            return self.avoids
        last = Slip(self.power, self.leaders, self.units, self.inside_leaders, self.inside, self.port, self.card)
        return (*self.avoids, last)


class CloseDeclarations(Input, frozen=True, tag="close_declarations"):
    """10.3 The umpire's timer has passed: who has not answered lets the army pass."""


class SetOrder(Input, frozen=True, tag="set_order"):
    """10.3 The winner of ties says in which order the players resolve their attempts.

    `powers` names the order by the powers that try, those of one player together.
    """

    players: Names = ()
    powers: Names = ()


class TakeCommand(Input, frozen=True, tag="take_command"):
    """10.4.a Who commands the joined army."""

    leader: Name


class Decline(Input, frozen=True, tag="decline"):
    """10.5.1 The intercepted army tries to go back."""


class Fight(Input, frozen=True, tag="fight"):
    """10.5.2 The intercepted army attacks."""


class Permit(Input, frozen=True, tag="permit"):
    """10.5.1, 11.1 The enemy leader lets the army go, or makes it roll."""

    allow: bool


class Contest(Input, frozen=True, tag="contest"):
    """9.6 (5p) Carthage discards a card against the army at sea."""

    card: Card


class Pass(Input, frozen=True, tag="pass"):
    """9.6 (5p) Carthage lets the army sail."""


class SeaRoll(Input, frozen=True, tag="sea_roll"):
    """9.6.4 Roll on the naval combat table."""


class AvoidTo(Input, frozen=True, tag="avoid_to"):
    """11.1.a Where the army that slipped away goes."""

    to: Name


class ChooseFoe(Input, frozen=True, tag="choose_foe"):
    """9.4.1 Which of several enemy armies in the space is attacked next."""

    power: Name


class Pursue(Input, frozen=True, tag="pursue"):
    """11.3 Roll to go on."""


class RollBattle(Input, frozen=True, tag="roll_battle"):
    """12.2 Fight the battle out."""


class SetModifier(Input, frozen=True, tag="modifier"):
    """12.2 A card changes a side's battle roll."""

    side_of_battle: Literal["attacker", "defender"]
    amount: Annotated[int, msgspec.Meta(ge=-9, le=9)]
    why: Text


class Retreat(Input, frozen=True, tag="retreat"):
    """12.4 Where the beaten force goes; `inside` CUs go behind the walls first, `card` pays for ships."""

    to: Name | None = None
    inside: Units = 0
    card: Card | None = None


class CaudineForks(Input, frozen=True, tag="caudine_forks"):
    """10.5.2 (note) The Samnites fall upon a moving army next to them: event 31."""

    card: Card
    space: Name
    leader: Name
    units: Units
    companions: Names = ()


class StormsAtSea(Input, frozen=True, tag="storms_at_sea"):
    """10.5.1 A storm keeps an army from going back by sea."""

    side: Name
    card: Card


class ByHand(Input, frozen=True, tag="by_hand"):
    """7 What no rule here moves: fields of the position, each by its path, and a note for the log.

    `rules.hand_fields` says which paths there are, whose they are and what may stand there. `side` writes the note.
    """

    changes: Annotated[dict[str, Any], msgspec.Meta(max_length=60)] = {}
    note: Annotated[str, msgspec.Meta(max_length=500)] = ""
    side: Name | None = None


class TakeCard(Input, frozen=True, tag="take_card"):
    """6.2 By hand: a card comes into the hand; without a value it is dealt."""

    side: Name
    card: Card | None = None


class Discard(Input, frozen=True, tag="discard"):
    """7 By hand: a card is played for its text, or discarded."""

    side: Name
    card: Card
    why: Annotated[str, msgspec.Meta(max_length=500)] = ""


class SetActive(Input, frozen=True, tag="set_active"):
    """5 The umpire says who acts, and in which order the seats follow."""

    side: Name
    order: Names = ()


class EndGame(Input, frozen=True, tag="end_game"):
    """4 The umpire ends the game and names the winner, if there is one."""

    why: Text
    winner: Name | None = None


class Resign(Input, frozen=True, tag="resign"):
    """4 Leave the game; the powers stay on the map without a player."""

    side: Name


class Adjust(Input, frozen=True, tag="adjust"):
    """The umpire sets fields of the position, each by its path, and says why."""

    changes: dict[str, Any]
    why: Text


BY_HAND = frozenset(
    ("by_hand", "take_card", "discard", "modifier", *(tag_of(command) for command in get_args(OldCommand)))
)

AnyCommand = (
    Activate
    | ConfirmFlank
    | EndAction
    | Step
    | Sail
    | Drop
    | PickUp
    | Halt
    | LendShips
    | Declare
    | CloseDeclarations
    | SetOrder
    | TakeCommand
    | Decline
    | Fight
    | Permit
    | Contest
    | Pass
    | SeaRoll
    | AvoidTo
    | ChooseFoe
    | Pursue
    | RollBattle
    | SetModifier
    | Retreat
    | CaudineForks
    | StormsAtSea
    | ByHand
    | Approve
    | TakeCard
    | Discard
    | SetActive
    | EndGame
    | Resign
    | Adjust
    | ChooseWay
    | OpenBattle
    | Settle
    | Report
    | Assent
    | OldCommand
)
