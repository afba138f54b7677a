"""What a seat may tell the galley engine to do, and whose command it is; unknown fields are refused."""

from __future__ import annotations

from typing import Annotated, Any, Literal

import msgspec

from tactical.battle import Battle
from tactical.board import Heading
from tactical.kernel.protocol import UMPIRE, NotYours
from tactical.kernel.record import Input

# -- What a seat may tell the galley engine to do. The words are the contract's; unknown fields are refused.
#
# `anyway` on a command means: do it although a rule forbids it. It counts only at the level "advise", after the
# rule has been shown, and is marked in the journal.

Name = Annotated[str, msgspec.Meta(min_length=1, max_length=60)]
Angle = Annotated[float, msgspec.Meta(ge=-60, le=60)]  # G4.1 degrees of a turn on the open sea
Count = Annotated[int, msgspec.Meta(ge=1, le=99)]
Weapon = Literal["archer", "catapult", "stone_thrower"]


class Plot(Input, frozen=True, tag="plot"):
    """G3.1 Set a ship's speed for the turn: -1 backs water."""

    ship: Name
    speed: Annotated[int, msgspec.Meta(ge=-99, le=99)]
    anyway: bool = False


class Lock(Input, frozen=True, tag="lock"):
    """G3.1 The side's plots stand."""

    side: Name


class Step(Input, frozen=True, tag="step"):
    """G4.1 One step: turn at most 60 degrees, then one hex; `facing` instead of `turn` by G6.8.

    On the open sea (G1.6) `angle` instead of `turn` (positive: to starboard), and a facing in degrees.
    `target` says which of two enemies in one hex the ship meets (G4.6, G7.2).
    """

    ship: Name
    turn: Literal["left", "right", "none"] | None = None
    facing: Heading | Annotated[float, msgspec.Meta(ge=0, le=360)] | None = None
    angle: Angle | None = None
    target: Name | None = None
    anyway: bool = False


class Fire(Input, frozen=True, tag="fire"):
    """G5.1 So many archers or engines of a ship shoot at a target; `range` only on the players' own table."""

    ship: Name
    weapon: Weapon
    count: Count
    target: Name
    range: Annotated[int, msgspec.Meta(ge=1, le=999)] | None = None
    anyway: bool = False


class Ram(Input, frozen=True, tag="ram"):
    """G6.1 Ram the ship that this one is in contact with."""

    ship: Name
    anyway: bool = False


class Rake(Input, frozen=True, tag="rake"):
    """G7.1 Break the oars of the ship that this one is in contact with."""

    ship: Name
    anyway: bool = False


class Hold(Input, frozen=True, tag="hold"):
    """G6.9 Stop without ramming."""

    ship: Name
    anyway: bool = False


class Board(Input, frozen=True, tag="board"):
    """G8.1 Board an enemy at range 1; `corvus` false leaves one's own corvus up."""

    ship: Name
    target: Name
    corvus: bool = True
    anyway: bool = False


class Contact(Input, frozen=True, tag="contact"):
    """G1.5 On the players' own table: this ship's base touches an enemy's; `turn`: it turned as it came up."""

    ship: Name
    target: Name
    aspect: Literal["bow_to_bow", "side", "parallel"]
    turn: Literal["left", "right", "none"] = "none"
    anyway: bool = False


class Leave(Input, frozen=True, tag="leave"):
    """G1.4 On the players' own table: the ship leaves it for good."""

    ship: Name


class Done(Input, frozen=True, tag="done"):
    """Nothing more to do in this step."""

    side: Name


class Finish(Input, frozen=True, tag="finish"):
    """G3.0 Nothing more with this ship in this fire or board step."""

    ship: Name


class Forgo(Input, frozen=True, tag="forgo"):
    """G3.0.a Go without firing, or without boarding, for the rest of the turn; `forgone` false takes the word back."""

    side: Name
    step: Literal["fire", "board"]
    forgone: bool = True


class Resign(Input, frozen=True, tag="resign"):
    """G10.1 Give the battle up."""

    side: Name


class Agree(Input, frozen=True, tag="agree"):
    """G10.1 End the battle when all sides have agreed; `agreed` false takes the word back."""

    side: Name
    agreed: bool = True


class Evade(Input, frozen=True, tag="evade"):
    """L3.5 Concede supremacy and leave; only in a linked battle."""

    side: Name


class Deploy(Input, frozen=True, tag="deploy"):
    """L2.5 Move a ship about one's own half before the first plot; only in a linked battle."""

    ship: Name
    at: tuple[int, int]
    facing: Heading


class Keep(Input, frozen=True, tag="keep"):
    """L2.5.a Let the dice lie."""

    side: Name


class Reroll(Input, frozen=True, tag="reroll"):
    """L2.5.a Throw one of one's own dice again; `die` counts the dice shown, from 0."""

    side: Name
    die: Annotated[int, msgspec.Meta(ge=0, le=99)]


class Adjust(Input, frozen=True, tag="adjust"):
    """The umpire sets fields, with a reason: of a ship, of a side, or of the battle itself when neither is named.

    `ships` changes several sheets at once, since a boarding fight or a contact stands on two.
    """

    why: Annotated[str, msgspec.Meta(min_length=1, max_length=500)]
    changes: dict[str, Any] = {}
    ship: Name | None = None
    side: Name | None = None
    ships: dict[Name, dict[str, Any]] = {}


class GoOn(Input, frozen=True, tag="go_on"):
    """G2.3.a After an adjustment: the umpire lets the dice fall that come next by themselves."""


class Mark(Input, frozen=True, tag="mark"):
    """Mark a sheet by hand, for a ship on paper or in a battle that is only recorded."""

    ship: Name
    field: Name
    value: int | bool | str | None


class Throw(Input, frozen=True, tag="throw"):
    """Throw dice that no rule asks for, in a battle that is only recorded."""

    side: Name
    count: Annotated[int, msgspec.Meta(ge=1, le=60)]
    label: Annotated[str, msgspec.Meta(max_length=80)] = ""


class SetLevel(Input, frozen=True, tag="level"):
    """How much the rules are enforced from now on."""

    level: Literal["adjudicate", "advise", "record"]


class Squadron(Input, frozen=True, tag="squadron"):
    """Group ships under a squadron's name; an empty name dissolves."""

    ships: Annotated[tuple[Name, ...], msgspec.Meta(min_length=1, max_length=200)]
    name: Annotated[str, msgspec.Meta(max_length=40)]


class Paper(Input, frozen=True, tag="paper"):
    """Flag a ship whose sheet is kept on paper, or take the flag away."""

    ship: Name
    paper: bool = True


Single = (
    Plot
    | Lock
    | Step
    | Fire
    | Ram
    | Rake
    | Hold
    | Board
    | Contact
    | Leave
    | Done
    | Finish
    | Forgo
    | Mark
    | Squadron
    | Paper
)


What = Literal["ahead", "left", "right", "meet", "run_up", "fire", "ram", "hold", "board"]


class Together(Input, frozen=True, tag="together"):
    """Several commands as one: all are carried out or none, and one undo takes them back.

    Either the commands themselves, or what a whole side or one of its squadrons is to do (`fleet_orders`).
    """

    commands: Annotated[tuple[Single, ...], msgspec.Meta(max_length=200)] = ()
    side: str | None = None
    what: What | None = None
    squadron: str | None = None


AnyCommand = (
    Plot
    | Lock
    | Step
    | Fire
    | Ram
    | Rake
    | Hold
    | Board
    | Contact
    | Leave
    | Done
    | Finish
    | Forgo
    | Resign
    | Agree
    | Evade
    | Deploy
    | Keep
    | Reroll
    | Adjust
    | GoOn
    | Mark
    | Throw
    | SetLevel
    | Squadron
    | Paper
    | Together
)


# -- G3.0 Whose affair a command is: of the side that it names, or whose ship it names; a side commands its own ships.


def of_ship(battle: Battle, command: Any) -> tuple[str, ...]:
    """G3.0 The ship's side. Raises Illegal for an unknown ship."""
    return (battle.ship(command.ship).side,)


def of_target(battle: Battle, command: Fire | Board | Contact) -> tuple[str, ...]:
    """G3.0 The ship's side; the target must be there, too. Raises Illegal for an unknown ship."""
    battle.ship(command.target)
    return of_ship(battle, command)


def of_ships(battle: Battle, command: Squadron) -> tuple[str, ...]:
    """G2.4 The sides of all these ships. Raises Illegal for an unknown ship."""
    return tuple(sorted({battle.ship(name).side for name in command.ships}))


def of_side(battle: Battle, command: Any) -> tuple[str, ...]:
    """G3.0 The side that speaks. Raises Illegal for an unknown one."""
    battle.side(command.side)
    return (command.side,)


def of_fleet(battle: Battle, command: Any) -> tuple[str, ...]:
    """G3.0 The side whose ships are meant. Raises Illegal for an unknown one."""
    return of_side(battle, command) if command.side is not None else tuple(battle.sides)


def of_anybody(battle: Battle, command: Any) -> None:
    """G2.3 How strictly the rules are kept is for the table to say."""
    return None


def of_umpire(battle: Battle, command: Any) -> tuple[str, ...]:
    """G2.3.a The umpire's alone."""
    return ()


def why_not_all(battle: Battle, seat: str, command: Squadron) -> NotYours | None:
    """G2.4 A squadron is of one's own ships alone."""
    others = [side for side in of_ships(battle, command) if side != seat and seat != UMPIRE]
    return (
        NotYours("This is for %(either)s to command, not for %(seat)s.", either=tuple(others), seat=seat)
        if others
        else None
    )


def why_not_umpires(battle: Battle, seat: str, command: Adjust) -> NotYours | None:
    """G2.3 Nobody but the umpire changes what stands."""
    return None if seat == UMPIRE else NotYours("Only the umpire may adjust a battle.")
