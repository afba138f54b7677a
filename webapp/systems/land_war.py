"""The events of the land war on points, as sentences in the reader's language."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from flask_babel import ngettext

from webapp.http.language import gettext as _
from webapp.presenting.campaign_labels import seat_said
from webapp.presenting.naming import said

Data = Mapping[str, Any]
Sentences = dict[str, Callable[[Data], str]]
LOUD = frozenset(("battle", "battle_ended", "battle_lost", "besieged", "eliminated"))
SOFT = frozenset(
    (
        "halted",
        "arranged",
        "took_command",
        "stood",
        "accepted",
        "no_pursuit",
        "initiative",
        "interception_declared",
        "battle_hand",
        "first_player",
        "dealt",
        "reinforcements",
        "reinforced",
        "landed",
        "change_of_command",
    )
)


def side(it: Data, key: str = "side") -> str:
    """A side of an event."""
    return seat_said(str(it.get(key) or ""))


def troops(it: Data) -> str:
    """What goes along: units, elephants, trains; "nobody else" for a general alone."""
    parts = []
    if units := _number(it.get("units")):
        parts.append(ngettext("%(num)d unit", "%(num)d units", units))
    if beasts := _number(it.get("elephants")):
        parts.append(ngettext("%(num)d elephant", "%(num)d elephants", beasts))
    if trains := _number(it.get("trains")):
        parts.append(ngettext("%(num)d train", "%(num)d trains", trains))
    return ", ".join(parts) or _("nobody else")


def _number(value: Any) -> int:
    return value if isinstance(value, int) else 0


def rolled(it: Data) -> str:
    """Whether a roll succeeded, and what it was thrown against."""
    result = _("it succeeds") if it.get("success") else _("it fails")
    if isinstance(it.get("rating"), int):
        return _("%(result)s (needed: at most %(rating)s)", result=result, rating=it["rating"])
    return result


def lost_by_side(lost: Any) -> str:
    """Losses as a number, or a number for each side."""
    if isinstance(lost, Mapping):
        return ", ".join(f"{seat_said(str(who))} {count}" for who, count in lost.items())
    return str(lost)


def political_loss(it: Data) -> str:
    """Markers to be given up for a battle; none for small losses."""
    pcs, lost = _number(it.get("pcs")), ngettext("%(num)d unit", "%(num)d units", _number(it.get("lost")))
    if not pcs:
        return _("%(side)s loses %(lost)s and gives up no marker.", side=side(it), lost=lost)
    return ngettext(
        "%(side)s must give up %(num)d marker: it lost %(lost)s.",
        "%(side)s must give up %(num)d markers: it lost %(lost)s.",
        pcs,
        side=side(it),
        lost=lost,
    )


def sentences(system: str) -> Sentences:
    """The kinds of the shared chapters, with the names of that system's spaces, generals and cards."""

    def name(value: Any, field: str = "") -> str:
        return said(system, value, field)

    def party(it: Data) -> str:
        return ", ".join(name(one) for one in (it["general"], *it.get("companions", ())) if one)

    def space(it: Data, key: str = "space") -> str:
        return name(it.get(key))

    def siege(it: Data) -> str:
        text = _(
            "%(general)s rolls for the siege of %(place)s: %(points)s siege points now.",
            general=name(it["general"]),
            place=space(it),
            points=it.get("points", 0),
        )
        return text + (" " + _("The besieger loses %(lost)s.", lost=it["lost"]) if it.get("lost") else "")

    def retreat(it: Data) -> str:
        goal = it.get("to")
        goal = goal[-1] if isinstance(goal, list | tuple) and goal else goal
        return _(
            "%(side)s retreats to %(place)s; lost on the way: %(lost)s.",
            side=side(it),
            place=name(goal) if goal and goal != "city" else _("the city"),
            lost=it.get("lost") or 0,
        )

    return {
        "accepted": lambda it: _(
            "%(general)s accepts battle at %(place)s.", general=name(it["general"]), place=space(it)
        ),
        "arranged": lambda it: _("%(side)s arranges its army at %(place)s.", side=side(it), place=space(it)),
        "attack": lambda it: _(
            "Round %(round)s: %(side)s attacks with %(card)s.",
            round=it.get("round", ""),
            side=side(it),
            card=name(it["card"], "kind"),
        ),
        "attrition": lambda it: _("Attrition at %(place)s: %(lost)s lost.", place=space(it), lost=it.get("lost", 0)),
        "avoided": lambda it: _(
            "%(general)s tries to avoid battle, from %(start)s to %(to)s: %(result)s.",
            general=name(it["general"]) if it.get("general") else side(it),
            start=space(it, "start"),
            to=space(it, "to"),
            result=rolled(it),
        ),
        "battle": lambda it: _("Battle at %(place)s: %(side)s attacks.", place=space(it), side=side(it, "attacker")),
        "battle_ended": lambda it: (
            _("%(side)s wins the battle at %(place)s.", side=side(it, "winner"), place=space(it))
            if it.get("winner")
            else _("The battle at %(place)s is over.", place=space(it))
        ),
        "battle_hand": lambda it: ngettext(
            "%(side)s draws %(num)d battle card.",
            "%(side)s draws %(num)d battle cards.",
            _number(it.get("dealt")) or _number(it.get("cards")),
            side=side(it),
        ),
        "battle_hands": lambda it: _("The battle cards are dealt."),
        "battle_lost": lambda it: _("%(side)s loses the battle at %(place)s.", side=side(it), place=space(it)),
        "besieged": lambda it: _("%(general)s besieges %(place)s.", general=name(it["general"]), place=space(it)),
        "casualties": lambda it: ngettext(
            "Casualties after %(num)d round: %(lost)s.",
            "Casualties after %(num)d rounds: %(lost)s.",
            _number(it.get("rounds")),
            lost=lost_by_side(it.get("lost", 0)),
        ),
        "change_of_command": lambda it: _("Who commands is settled: %(general)s.", general=name(it["commander"])),
        "city_taken": lambda it: _("%(side)s takes the city of %(place)s!", side=side(it), place=space(it)),
        "took_command": lambda it: _(
            "%(general)s takes command at %(place)s.", general=name(it["general"]), place=space(it)
        ),
        "consuls_drawn": lambda it: _("The new consuls: %(generals)s.", generals=name(it["generals"])),
        "counter_attack": lambda it: _(
            "%(side)s tries to take the initiative: %(result)s.", side=side(it), result=rolled(it)
        ),
        "dealt": lambda it: _("%(cards)s cards are dealt to each.", cards=it["cards"]),
        "displaced": lambda it: _("%(general)s is displaced.", general=name(it["general"])),
        "elephant_roll": lambda it: _("The elephants are met: %(result)s.", result=rolled(it)),
        "elephants_charged": lambda it: _("The elephants charge."),
        "eliminated": lambda it: _(
            "%(side)s loses all it has at %(place)s: %(troops)s.", side=side(it), place=space(it), troops=troops(it)
        ),
        "entered_city": lambda it: _(
            "%(general)s goes into the city of %(place)s with %(troops)s.",
            general=name(it["general"]),
            place=space(it),
            troops=troops(it),
        ),
        "first_player": lambda it: _("%(side)s plays first.", side=side(it)),
        "general_placed": lambda it: _(
            "%(general)s takes his post at %(place)s.", general=name(it["general"]), place=space(it)
        ),
        "generals_left": lambda it: _("Out of office: %(generals)s.", generals=name(it["generals"])),
        "halted": lambda it: _("The march ends at %(place)s.", place=space(it)),
        "held_out": lambda it: _("%(place)s holds out.", place=space(it)),
        "initiative": lambda it: _("%(side)s has the initiative.", side=side(it)),
        "interception": lambda it: _(
            "%(general)s tries to intercept at %(place)s: %(result)s.",
            general=name(it.get("general")),
            place=space(it, "to") if it.get("to") else space(it),
            result=rolled(it),
        ),
        "interception_declared": lambda it: _("%(side)s will try to intercept.", side=side(it)),
        "interception_failed": lambda it: _(
            "%(side)s fails to intercept at %(place)s.", side=side(it), place=space(it)
        ),
        "into_city": lambda it: _(
            "%(side)s goes back inside the walls with %(troops)s.", side=side(it), troops=troops(it)
        ),
        "isolated": lambda it: _(
            "%(side)s loses isolated markers: %(places)s.", side=side(it), places=name(it["spaces"])
        ),
        "joined": lambda it: _(
            "%(side)s joins the battle from the city of %(place)s with %(troops)s.",
            side=side(it),
            place=space(it),
            troops=troops(it),
        ),
        "landed": lambda it: _("%(general)s lands at %(place)s.", general=name(it["general"]), place=space(it)),
        "matched": lambda it: _("%(side)s matches with %(card)s.", side=side(it), card=name(it["card"], "kind")),
        "no_pursuit": lambda it: _("%(general)s does not pursue.", general=name(it["general"])),
        "over": lambda it: (
            _("The war is over: %(side)s wins.", side=side(it, "winner"))
            if it.get("winner")
            else _("The war is over: nobody wins.")
        ),
        "overrun": lambda it: _("%(side)s is overrun at %(place)s.", side=side(it), place=space(it)),
        "pc_flipped": lambda it: _("%(side)s turns the marker of %(place)s.", side=side(it), place=space(it)),
        "pc_placed": lambda it: _("%(side)s takes %(place)s.", side=side(it), place=space(it)),
        "pc_removed": lambda it: _("%(side)s loses its marker at %(place)s.", side=side(it), place=space(it)),
        "political_loss": political_loss,
        "proconsul": lambda it: _("%(general)s becomes proconsul.", general=name(it["general"])),
        "pursuit": lambda it: _("%(general)s pursues: %(result)s.", general=name(it["general"]), result=rolled(it)),
        "reinforced": lambda it: _(
            "%(side)s: %(troops)s at %(place)s.", side=side(it), troops=troops(it), place=space(it)
        ),
        "reinforcements": lambda it: _("Turn %(turn)s begins.", turn=it["turn"]),
        "retreat_cancelled": lambda it: _("%(side)s stays where it is.", side=side(it)),
        "retreat_losses": lambda it: _(
            "%(side)s loses %(lost)s in the retreat.", side=side(it), lost=it.get("lost", 0)
        ),
        "retreated": retreat,
        "sheltered": lambda it: _("%(side)s goes inside the walls of %(place)s.", side=side(it), place=space(it)),
        "siege_lifted": lambda it: _("The siege of %(place)s is lifted.", place=space(it)),
        "siege_roll": siege,
        "sortie": lambda it: _(
            "%(general)s makes a sortie from %(place)s with %(troops)s.",
            general=name(it["general"]),
            place=space(it),
            troops=troops(it),
        ),
        "stepped": lambda it: _(
            "%(party)s, with %(troops)s: from %(start)s to %(to)s.",
            party=party(it),
            troops=troops(it),
            start=space(it, "start"),
            to=space(it, "to"),
        ),
        "stepped_back": lambda it: _(
            "%(general)s steps back from %(start)s to %(to)s.",
            general=name(it["general"]),
            start=space(it, "start"),
            to=space(it, "to"),
        ),
        "stood": lambda it: _("%(side)s stands at %(place)s.", side=side(it), place=space(it)),
        "strategy_over": lambda it: _("The strategy phase of turn %(turn)s is over.", turn=it["turn"]),
        "subjugated": lambda it: _("%(side)s subdues the tribe of %(place)s.", side=side(it), place=space(it)),
        "turn": lambda it: _("Turn %(turn)s begins.", turn=it["turn"]),
        "unit_raised": lambda it: _(
            "%(general)s raises a unit at %(place)s.", general=name(it["general"]), place=space(it)
        ),
        "went_back": lambda it: _(
            "%(general)s goes back to %(place)s.",
            general=name(it["general"]) if it.get("general") else side(it),
            place=space(it, "to") if it.get("to") else space(it),
        ),
        "withdrawal": lambda it: _("%(side)s tries to withdraw: %(result)s.", side=side(it), result=rolled(it)),
        "withdrawal_stopped": lambda it: _("The enemy tries to stop the withdrawal: %(result)s.", result=rolled(it)),
        "withdrew": lambda it: _(
            "%(side)s withdraws to %(place)s with %(troops)s.", side=side(it), place=space(it, "to"), troops=troops(it)
        ),
    }


# Names of kinds in journals written before the two systems spoke one language.
OLD_NAMES = {
    "africanus_arrives": "africanus_arrived",
    "ally_deserts": "ally_deserted",
    "general_returns": "general_returned",
    "generals_leave": "generals_left",
    "rome_opens": "rome_opened",
    "carthage_decides": "carthage_decided",
    "engages": "engaged",
    "flees": "fled",
    "regroups": "regrouped",
    "retreats": "broke_off",
    "finds_port": "found_port",
    "puts_to_sea": "put_to_sea",
    "generals_arrive": "generals_arrived",
    "battle_ends": "battle_ended",
    "elephants_charge": "elephants_charged",
    "commands": "took_command",
    "battle_won": "battle_ended",
    "elephants": "elephant_roll",
    "arrives": "landed",
    "avoids": "avoided",
    "besieges": "besieged",
    "enters_city": "entered_city",
    "goes_back": "went_back",
    "holds_out": "held_out",
    "joins": "joined",
    "lands": "landed",
    "moves": "stepped",
    "pursues": "pursuit",
    "retreats_to": "retreated",
    "sails": "sailed",
    "shelters": "sheltered",
    "siege": "siege_roll",
    "tribe_subdued": "subjugated",
    "declined": "went_back",
    "avoid": "avoided",
    "shelter": "sheltered",
}


def with_old_names(told: Mapping[str, Callable[[Data], str]]) -> Sentences:
    """The sentences, under the names of older journals as well."""
    return {**{old: told[new] for old, new in OLD_NAMES.items() if new in told}, **told}
