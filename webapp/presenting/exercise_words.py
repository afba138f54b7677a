"""What a puzzle asks, in a sentence."""

from __future__ import annotations

from tactical.exercises import Puzzle
from webapp.http.language import gettext as _


def goal_sentence(puzzle: Puzzle) -> str:
    """The goal of a puzzle."""
    ship = puzzle.start.ships[puzzle.target].get("name", puzzle.target)
    if puzzle.what == "sink" and puzzle.turns == 2:
        return _("Sink %(ship)s in two turns: before the next turn is over.", ship=ship)
    if puzzle.what == "sink":
        return _("Sink %(ship)s before this turn is over.", ship=ship)
    if puzzle.what == "take":
        return _("Take %(ship)s before this turn is over.", ship=ship)
    if puzzle.what == "oars":
        return _("Break the oars of %(ship)s before this turn is over.", ship=ship)
    return _("Come away with all your ships: none is sunk, taken or boarded when this turn is over.")
