"""The teaching battle: each step explained once, beside the thing itself; it can be left at any time."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache
from typing import Any

from flask import session

from tactical.battle import Battle
from tactical.setup import all_scenarios
from webapp.http.language import gettext as _
from webapp.storage.records import Table


@dataclass(frozen=True)
class Lesson:
    """One explanation: its name (so that it is shown once), a head, a text, the rule."""

    name: str
    head: str
    text: str
    rule: str


def is_teaching(battle: Battle) -> bool:
    """Is this a scenario that teaches?"""
    return battle.scenario in lessons()


@cache
def lessons() -> frozenset[str]:
    """The scenarios that teach."""
    return frozenset(name for name, scenario in all_scenarios().items() if scenario.teaching)


def lesson(table: Table, battle: Battle, seat: str, page: Any) -> Lesson | None:
    """The first explanation that fits the moment and has not been read; None outside a teaching battle."""
    if seat == "spectator" or not is_teaching(battle):
        return None
    read = read_by(table.game.id)
    if "left" in read:
        return None
    return next((each for each in fitting(battle, page) if each.name not in read), None)


def fitting(battle: Battle, page: Any) -> list[Lesson]:
    """The explanations that fit this moment, the most pressing first."""
    found: list[Lesson] = []
    if page.roll is not None:
        found.append(
            Lesson(
                "dice",
                _("Dice"),
                _(
                    "Throw these dice on the table and tap their faces, or let the server throw. Of several "
                    "dice each can be corrected until the last is tapped; a single one counts at once."
                ),
                "G5.2",
            )
        )
    if battle.step == "plot":
        found.append(
            Lesson(
                "plot",
                _("Set a speed for each ship"),
                _(
                    "Each turn begins in secret: tap a number beside each ship. 3 is cruise for a "
                    "trireme; a higher speed spends one of three sprints. Grey numbers say why they "
                    "cannot be chosen. When all are set, lock the plots."
                ),
                "G3.1",
            )
        )
    if battle.step == "move" and page.todo:
        found.append(
            Lesson(
                "move",
                _("Move"),
                _(
                    "A ship with a ring owes a step now. Tap it, then tap one of the ghosts on the "
                    "board: ahead, or with a turn. The faster a ship, the more of the six phases it "
                    "moves in."
                ),
                "G4.1",
            )
        )
    if battle.step == "fire":
        found.append(
            Lesson(
                "fire",
                _("Fire"),
                _(
                    "Archers reach four hexes. Tap a ship, then the enemy to fire at; its chances "
                    "are shown beside it. When you have fired enough, tap Done firing."
                ),
                "G5.1",
            )
        )
    if battle.step == "ram":
        found.append(
            Lesson(
                "ram",
                _("In contact"),
                _(
                    "Your ship has come against an enemy. Ram to break her hull, rake to break her "
                    "oars if your crew is better and you lie parallel, or hold to board."
                ),
                "G6.1",
            )
        )
    if battle.step == "board":
        found.append(
            Lesson(
                "board",
                _("Board"),
                _(
                    "Beside an enemy your marines may board: on a die of 4 to 6, or without one from "
                    "a corvus. The fight is rolled at the end of the turn."
                ),
                "G8.1",
            )
        )
    if battle.turn > 1 and battle.step == "plot":
        found.append(
            Lesson(
                "turn",
                _("The turn is over"),
                _(
                    "Fights were rolled, breaches repaired or flooded. The journal tells each with "
                    "its dice; undo takes back what was tapped by mistake, until dice have fallen."
                ),
                "G9.1",
            )
        )
    if battle.is_over:
        found.append(
            Lesson(
                "over",
                _("Well rowed"),
                _("The battle is over. The report counts what was sunk and taken, and how lucky the dice were."),
                "G10.2",
            )
        )
    return found


def read_by(game: str) -> tuple[str, ...]:
    """The explanations that this browser has read in a game."""
    return tuple(session.get("lessons", {}).get(game, ()))


def mark_read(game: str, name: str) -> None:
    """Remember that an explanation has been read; "left" ends them all."""
    lessons = dict(session.get("lessons", {}))
    lessons[game] = [*lessons.get(game, []), name][-20:]
    session["lessons"] = dict(list(lessons.items())[-8:])
