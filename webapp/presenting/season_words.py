"""O10.1 Why two players meet, and what their battle was, in the reader's words."""

from __future__ import annotations

from flask_babel import ngettext

from strategic.season.state import Pairing, Season, Why
from webapp.http.language import gettext as _


def pairing_reason(why: Why) -> str:
    """The reason of a pairing as a sentence."""
    values = why.values
    one, other, points = values.get("one", 0), values.get("other", 0), values.get("points", 0)
    sentences = {
        "first": _("The first round pairs players in the order in which they joined."),
        "same": _("Both have %(points)s points.", points=one),
        "near": _("Their scores are the nearest that are left: %(one)s and %(other)s points.", one=one, other=other),
        "rematch": _("They have met before; every other pairing of this round would repeat more."),
        "bye": _(
            "The number of players is odd: the bye goes to the lowest score without one (%(points)s points).",
            points=points,
        ),
        "bye_in_turn": _("The number of players is odd: each player sits out once."),
        "nobody_left": _("There is no opponent left in this round whom this player has not met."),
        "circle": _("Every player meets every other once (round %(round)s).", round=values.get("round", 0)),
        "organizer_bye": _("The organizer gave the bye."),
    }
    if why.kind in sentences:
        return sentences[why.kind]
    met = values.get("met", 0)
    again = " " + ngettext("They have met %(num)d time.", "They have met %(num)d times.", met) if met else ""
    return _("The organizer chose this pairing.") + again


def result_text(season: Season, pairing: Pairing) -> str:
    """What a pairing came to; empty while nothing is known."""
    result = pairing.result
    if pairing.is_bye:
        return _("Bye")
    if result is None:
        return ""
    if not result.played:
        return _("Not played")
    if result.winner is None:
        return _("Draw")
    return _("%(player)s won.", player=season.players[result.winner].name)


def result_word(how: str) -> str:
    """What a battle was to a player."""
    return {
        "won": _("Won"),
        "drawn": _("Drawn"),
        "lost": _("Lost"),
        "bye": _("Bye"),
        "unplayed": _("Not played"),
        "open": _("Not reported yet"),
    }[how]


def tie_break_word(name: str) -> str:
    """A tie-break's name."""
    return {
        "opponents": _("Opponents' points"),
        "ships": _("Ships taken"),
        "head_to_head": _("Against equals"),
    }[name]
