"""battle.5 The coming battle of a land war in words: the cards that each side would hold, and what they are for."""

from __future__ import annotations

import random
from typing import Any

from flask_babel import lazy_gettext as _l
from flask_babel import ngettext

from strategic.point_to_point.battle_ahead import HandAhead, hands_of, meeting_here
from strategic.point_to_point.battle_chances import BATTLES, attackers_share
from strategic.point_to_point.state import Campaign
from strategic.point_to_point.tables import enemy
from tactical.kernel.dice import Dice, random_source
from webapp.http.language import gettext as _
from webapp.http.signs import with_sign
from webapp.presenting.campaign_labels import Words, seat_word

PARTS: Words = {
    "commander": _l("general"),
    "units": _l("units"),
    "interception": _l("interception"),
    "failed_avoid": _l("failed to avoid"),
    "latium": _l("Latium"),
    "tribe": _l("tribe"),
    "allies": _l("allied provinces"),
}


def lines_of_hands(hands: tuple[HandAhead, HandAhead] | None) -> tuple[str, ...]:
    """The hands of attacker and defender in words; nothing where it does not come to battle."""
    if hands is None:
        return ()
    told = [
        _(
            "%(side)s %(cards)s (%(parts)s)",
            side=seat_word(hand.side),
            cards=ngettext("%(num)d battle card", "%(num)d battle cards", hand.cards),
            parts=", ".join(f"{PARTS.get(name, name)} {with_sign(count)}" for name, count in hand.parts.items()),
        )
        for hand in hands
    ]
    return (_("In a battle: %(attacker)s against %(defender)s.", attacker=told[0], defender=told[1]),)


def chance_to_win(meeting: Any) -> tuple[str, ...]:
    """battle.6 Who wins at what chance, and what is assumed; nothing where the program does not deal the cards."""
    source = random_source(random.Random(0).randrange)  # the same position reads the same chance
    share = attackers_share(meeting, Dice(source=source, secret=source))
    if share is None:
        return ()
    attacker = meeting.fighting().attacker
    return (
        _(
            "Chance to win: %(attacker)s %(won)s%%, %(defender)s %(lost)s%%.",
            attacker=seat_word(attacker),
            won=round(100 * share),
            defender=seat_word(enemy(attacker)),
            lost=100 - round(100 * share),
        ),
        _(
            "The chance comes from %(battles)s battles that the program has played out: "
            "cards dealt at random, nobody withdraws, no events, no elephant charge.",
            battles=BATTLES,
        ),
    )


def battle_words(meeting: Any) -> tuple[str, ...]:
    """The battle that is to begin, in words: who wins at what chance, both hands; nothing where there is none."""
    if meeting is None:
        return ()
    chance = chance_to_win(meeting)
    return (*chance[:1], *lines_of_hands(hands_of(meeting)), *chance[1:])


def stakes(state: Campaign, seat: str) -> tuple[str, ...]:
    """The battle that the open question decides about."""
    return battle_words(meeting_here(state)) if state.agenda else ()
