"""11.6, 11.7 The rolls at sea before they are thrown. Only what is open on the table is used."""

from __future__ import annotations

from strategic.hamilcar.rules.naval_battle import engage_hits, luck
from strategic.hamilcar.rules.sea_interception import modifier as to_catch
from strategic.hamilcar.state import State
from strategic.point_to_point.survey import rating
from strategic.point_to_point.tables import as_side
from webapp.http.language import gettext as _
from webapp.systems.chances import at_most, by_face


def catching(state: State | None, general: str) -> str:
    """11.6.2 The die of a general who tries to catch the fleet."""
    if state is None or not state.agenda or general not in state.generals:
        return ""
    return at_most(rating(state, general), to_catch(state, as_side(state.agenda[-1].seat)))


def hits(state: State | None, target: str) -> str:
    """11.7.engage How many hits each face of the die makes in this round."""
    if state is None or state.naval is None or not state.agenda:
        return ""
    made = engage_hits(state, as_side(state.agenda[-1].seat), target)
    return _(
        "hits for each roll – %(hits)s",
        hits="; ".join(_("%(faces)s: %(points)s", faces=faces, points=count) for faces, count in by_face(made)),
    )


def lucky(state: State | None) -> str:
    """6.5.3.a The die by which a fleet regroups or flees."""
    if state is None or state.naval is None or not state.agenda:
        return ""
    return at_most(luck(state.naval.fleets[as_side(state.agenda[-1].seat)]))
