"""O10.1 Why two players meet, and what their battle was, in the reader's words."""

from __future__ import annotations

from flask_babel import ngettext

from strategic.season.rules.records import Best, Part
from strategic.season.state import Pairing, Season, Why
from webapp.http.language import gettext as _


def pairing_reason(why: Why) -> str:
    """The reason of a pairing as a sentence."""
    values = why.values
    one, other, points = values.get("one", 0), values.get("other", 0), values.get("points", 0)
    sentences = {
        "lot": _("The first round is drawn by lot."),
        "lot_bye": _(
            "The first round is drawn by lot; the number of players is odd, and the player drawn last has the bye."
        ),
        "first": _("The first round pairs players in the order in which they joined."),
        "same": _("Both have %(points)s points.", points=one),
        "near": _(
            "Their scores are the closest of those still unpaired: %(one)s and %(other)s points.", one=one, other=other
        ),
        "rematch": _("They have met before; every other pairing of this round would repeat more meetings."),
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
        "head_to_head": _("Results against players with equal points"),
    }[name]


def scenario_word(name: str) -> str:
    """A round's scenario."""
    return {
        "open_sea": _("Open sea (hexes)"),
        "west_coast": _("A coast in the west (hexes)"),
        "strait": _("A strait between two coasts (hexes)"),
        "island": _("An island in the middle (hexes)"),
        "measured_sea": _("Open sea, measured"),
        "measured_strait": _("A strait between two coasts, measured"),
        "own_table": _("Your own table, with ship sheets here"),
    }[name]


def overdue_word(what: str) -> str:
    """What happens to a pairing without a result when its round is due."""
    return {
        "wait": _("The result waits for the organizer"),
        "report": _("A report waiting for an answer counts as agreed"),
        "unplayed": _("A report counts as agreed; without one the battle counts as unplayed"),
    }[what]


def record_words(season: Season, best: Best) -> str:
    """A record as a sentence."""
    names = ", ".join(season.players[player].name for player in best.players)
    if best.kind == "longest_lived":
        return ngettext(
            "Longest-lived ship: %(ship)s (%(names)s), %(num)d battle.",
            "Longest-lived ship: %(ship)s (%(names)s), %(num)d battles.",
            best.count,
            ship=best.ship,
            names=names,
        )
    return {
        "best_captain": _("Best captain (ships taken less ships lost): %(names)s, %(count)s."),
        "prizes": _("Most prizes: %(names)s, %(count)s."),
        "rams": _("Most rams: %(names)s, %(count)s."),
        "oars": _("Most oars broken: %(names)s, %(count)s."),
        "battle": _("Most ships taken in a battle: %(names)s, %(count)s."),
    }[best.kind] % {"names": names, "count": best.count}


def part_words(season: Season, part: Part) -> str:
    """An addend of a record."""
    against = season.players[part.against].name if part.against else ""
    said = _("Round %(number)s", number=part.round)
    return f"{said}, {against}: {part.count}" if against else f"{said}: {part.count}"
