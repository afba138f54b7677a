"""12 The coming battle of The Sword of Rome in words: CUs, additions to the dice, who wins at what chance, losses."""

from __future__ import annotations

from collections.abc import Mapping
from fractions import Fraction

from flask_babel import format_decimal, ngettext
from flask_babel import lazy_gettext as _l

from strategic.sword_of_rome.rules.battle_ahead import BattleAhead, battle_now
from strategic.sword_of_rome.state import State
from webapp.http.language import gettext as _
from webapp.http.signs import with_sign
from webapp.presenting.campaign_labels import Words, seat_word

ASKED = frozenset(("declare", "decline", "intercepted", "battle", "foe"))
ADDED: Words = {
    "force_ratio": _l("more units"),
    "leadership": _l("leadership"),
    "friendly_space": _l("friendly space"),
    "across": _l("over rough ground or a strait"),
    "interception": _l("interception"),
    "failed_avoidance": _l("failed to avoid"),
    "cards": _l("cards"),
}


def stakes(state: State, seat: str) -> tuple[str, ...]:
    """The battle that the open question decides about."""
    if not any(prompt.kind in ASKED for prompt in state.pending):
        return ()
    return battle_lines(battle_now(state))


def battle_lines(found: BattleAhead | None) -> tuple[str, ...]:
    """A battle before its dice: the chance, then what it rests on; nothing where it does not come to one."""
    if found is None:
        return ()
    sides = [
        f"{seat_word(power)} {force_words(units, added)}"
        for power, units, added in zip((found.attacker, found.defender), found.units, found.added, strict=True)
    ]
    meets = _("In a battle: %(attacker)s against %(defender)s.", attacker=sides[0], defender=sides[1])
    if found.is_automatic:
        winner = found.attacker if found.chance else found.defender
        return (_("The smaller army is removed without a roll; the winner is %(side)s.", side=seat_word(winner)), meets)
    return (
        _(
            "The attacker's chance to win is %(chance)s%%. On average the attacker loses %(own)s, the "
            "defender %(foe)s.",
            chance=round(100 * found.chance),
            own=average(found.losses[0]),
            foe=average(found.losses[1]),
        ),
        meets,
    )


def average(units: Fraction) -> str:
    """CUs to a tenth, in the reader's language."""
    return str(format_decimal(round(float(units), 1)))


def force_words(units: int, added: Mapping[str, int]) -> str:
    """The CUs of a side, and what it adds to its dice."""
    count = ngettext("%(num)d CU", "%(num)d CUs", units)
    more = ", ".join(f"{ADDED.get(reason, reason)} {with_sign(value)}" for reason, value in added.items())
    return f"{count} ({more})" if more else count
