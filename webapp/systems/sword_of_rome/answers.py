"""What a power may answer to a march, in words: who comes, and each way to meet it."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from flask_babel import ngettext

from strategic.sword_of_rome.rules.house_rules import HOUSE
from strategic.sword_of_rome.rules.house_rules import sheet as rated
from strategic.sword_of_rome.rules.interception import modifier
from strategic.sword_of_rome.rules.sea import crossing_chances
from strategic.sword_of_rome.state import State
from strategic.sword_of_rome.tables import LEADERS, PLAYED
from webapp.http.language import gettext as _
from webapp.http.signs import with_sign
from webapp.presenting import event_words, naming
from webapp.presenting.campaign_labels import seat_word
from webapp.presenting.names import full_name
from webapp.presenting.picture import Asked, View
from webapp.presenting.sentences import tell
from webapp.systems.chances import at_most
from webapp.systems.land_answers import by_die
from webapp.systems.land_party import bounds, one_group, with_force
from webapp.systems.sword_of_rome.messages import wish_text

SYSTEM = "sword_of_rome"


def name(value: Any) -> str:
    """A space or a leader by its name."""
    return naming.say_value(SYSTEM, value)


def units(count: int) -> str:
    """A number of combat units, in words."""
    return ngettext("%(num)d CU", "%(num)d CUs", count)


def who_comes(view: View) -> str:
    """The army on the march: whose, under whom, how strong, from where, with what points left."""
    move = view.get("move")
    if not move:
        return ""
    leaders = ", ".join(name(one) for one in (move.get("leader"), *move.get("companions", ())) if one)
    return tell(
        _("On the march: %(leaders)s (%(power.bare)s) with %(units)s, from %(start)s to %(place)s, %(points)s."),
        power=event_words.side(SYSTEM, move["power"]),
        leaders=leaders or _("no leader"),
        units=units(int(move.get("units") or 0)),
        start=event_words.space(SYSTEM, move.get("came_from") or move["at"]),
        place=event_words.space(SYSTEM, move["at"]),
        points=ngettext("%(num)d point left", "%(num)d points left", int(move.get("points") or 0)),
    )


def marching(view: View) -> str:
    """The army that is to go on: under whom, how strong, where, with what points left."""
    move = view.get("move") or {}
    leaders = ", ".join(name(one) for one in (move.get("leader"), *move.get("companions", ())) if one)
    return tell(
        _("%(army)s at %(place)s, %(points)s."),
        army=with_force(leaders, units(int(move["units"])) if move.get("units") else ""),
        place=event_words.space(SYSTEM, move.get("at") or ""),
        points=ngettext("%(num)d point left", "%(num)d points left", int(move.get("points") or 0)),
    )


def question_of(view: View, found: Asked | None) -> Asked | None:
    """A question with what it is about: the army that comes, or what the prompt itself says."""
    if found is None:
        return None
    about = found.about
    comes = who_comes(view)
    place = event_words.space(SYSTEM, about.get("space") or "")
    words = {
        "march": marching(view),
        "declare": comes,
        "decline": comes,
        "order": comes,
        "permit": tell(
            _(
                "%(power)s %(power|asks|ask)s for safe passage out of %(place)s. "
                "If you refuse, %(power|it rolls|they roll)s."
            ),
            power=event_words.side(SYSTEM, str(about.get("power") or "")),
            place=place,
        ),
        "intercepted": f"{comes} "
        + tell(
            _("%(power)s %(power|intercepts|intercept)s at %(place)s: fight there, or try to go back."),
            place=place,
            power=event_words.side(SYSTEM, str(about.get("by") or "")),
        ),
        "flank": tell(
            _("%(power)s %(power|claims|claim)s the flank march past %(place)s."),
            power=event_words.side(SYSTEM, str(about.get("power") or "")),
            place=place,
        ),
        "battle": tell(
            _("%(attacker)s %(attacker|attacks|attack)s %(defender)s at %(place)s."),
            place=place,
            attacker=event_words.side(SYSTEM, str(about.get("attacker") or "")),
            defender=event_words.side(SYSTEM, str(about.get("defender") or "")),
        ),
        "foe": tell(_("%(army)s Several enemy armies stand there: it attacks them one after the other."), army=comes),
        "contest": sailing(about) if about.get("end") else "",
        "sea_roll": tell(
            _("Modifier of the crossing roll: %(modifier)s."), modifier=with_sign(int(about.get("modifier") or 0))
        ),
    }
    text = words.get(found.kind) or comes
    hint = _("Tap a ringed space of the map.") if found.kind == "march" else ""
    return Asked(found.kind, found.seat, found.rule, {}, text, hint=hint) if text else found


def sailing(about: Mapping[str, Any]) -> str:
    """9.6 An army at sea."""
    return tell(
        _("%(power)s %(power|sails|sail)s with %(units)s from %(start)s to %(place)s."),
        power=event_words.side(SYSTEM, str(about["power"] or "")),
        units=units(int(about.get("units") or 0)),
        start=event_words.space(SYSTEM, about["start"]),
        place=event_words.space(SYSTEM, about["end"]),
    )


def answer(view: View, command: Mapping[str, Any], state: State | None = None) -> str:
    """A whole command as one sentence; empty for parts that are still to be chosen and for what is done by hand."""
    saying = SAID.get(str(command.get("type")))
    return saying(view, command, state) if saying else ""


def recount(command: Mapping[str, Any]) -> str:
    """A command that was given, in words; empty for those of which only the position of that moment tells the rest."""
    if command.get("type") == "sea_roll" or (command.get("type") == "declare" and goes_inside(command)):
        return ""
    return answer({}, command)


def goes_inside(command: Mapping[str, Any]) -> bool:
    """10.3 Does somebody go inside the walls of the space that the army on the march has reached?"""
    slips = (command, *command.get("avoids", ()))
    return any(one.get("inside") or one.get("inside_leaders") for one in slips)


def declare(view: View, command: Mapping[str, Any], state: State | None) -> str:
    command = whole(command)
    place = (view.get("reaction") or {}).get("space") or (view.get("move") or {}).get("at")
    intercepting, slips = command.get("intercepts", ()), command.get("avoids", ())
    decided = [one for one in (*intercepting, *slips) if isinstance(one, Mapping)]
    parts = [by_die(intercepts(one), chance_of(state, one)) for one in decided if one in intercepting]
    parts += [avoids(one, name(place)) for one in decided if one in slips]
    if parts or intercepting or slips:
        return "; ".join(parts)
    own = (view.get("forces") or {}).get(place, {})
    if any(PLAYED.get(power) == command.get("side") for power in own):
        return tell(_("Stay at %(place)s: there may be a battle"), place=full_name(name(place)))
    return _("Intercept nobody: stay where you are")


def whole(command: Mapping[str, Any]) -> Mapping[str, Any]:
    """10.3 The declaration with the army that is named field by field among the others."""
    if command.get("space"):
        return {**command, "intercepts": (*command.get("intercepts", ()), command)}
    if any(command.get(key) for key in ("units", "inside", "leaders", "inside_leaders")):
        return {**command, "avoids": (*command.get("avoids", ()), command)}
    return command


def chance_of(state: State | None, attempt: Mapping[str, Any]) -> str:
    """10.4 The die of an interception; ratings and places are open to all."""
    if state is None or state.move is None or str(attempt.get("leader")) not in LEADERS:
        return ""
    leader = state.leaders[str(attempt["leader"])]
    return at_most(leader.tactics, modifier(state, str(attempt["power"]), state.move.at))


def leads(view: View, command: Mapping[str, Any], state: State | None) -> str:
    """9.1 A leader sets out with so many; 9.1.2 units are left or taken along."""
    leader = command.get("leader")
    people = [leader, *(one_group(command.get("companions")) or ())] if isinstance(leader, str) else []
    people = people or list(one_group(command.get("companions")) or ())
    names = [name(one) for one in people]
    place = where(view, leader) if isinstance(leader, str) else ""
    if place:  # several minor leaders bear one name
        names[0] = tell(_("%(leader)s at %(place)s"), leader=names[0], place=full_name(place))
    words = with_force(", ".join(names), some_units(command.get("units")))
    if command.get("flank") is True:
        return _("%(who)s, as a flank march", who=words)
    return words


def where(view: View, leader: str) -> str:
    """The space in whose forces a leader stands; empty where none tells."""
    for space, forces in (view.get("forces") or {}).items():
        if any(leader in (force.get("leaders") or ()) for force in forces.values()):
            return name(space)
    return ""


def to_space(view: View, command: Mapping[str, Any], state: State | None) -> str:
    """9.2 Where the army goes."""
    return tell(_("To %(place)s"), place=full_name(name(command["to"]))) if isinstance(command.get("to"), str) else ""


def attacks(view: View, command: Mapping[str, Any], state: State | None) -> str:
    """9.4.1 Whom the army attacks next: under whom, how strong."""
    power = command.get("power")
    if not isinstance(power, str):
        return ""
    force = ((view.get("forces") or {}).get((view.get("move") or {}).get("at")) or {}).get(power) or {}
    if not force.get("units"):
        return _("Attack %(power)s", power=seat_word(power))
    leaders = ", ".join(name(one) for one in force.get("leaders") or ())
    army = with_force(leaders, units(int(force["units"])))
    return _("Attack %(power)s: %(army)s", power=seat_word(power), army=army)


def permit(view: View, command: Mapping[str, Any], state: State | None) -> str:
    if command.get("allow") not in (True, False):
        return ""
    return _("Let the army go without a roll") if command["allow"] else _("Refuse: it must roll")


def confirm(view: View, command: Mapping[str, Any], state: State | None) -> str:
    if command.get("allow") not in (True, False):
        return ""
    return _("Grant the flank march") if command["allow"] else _("Refuse it: the army marches like any other")


def rolling(words: Callable[[], str]) -> Callable[[View, Mapping[str, Any], State | None], str]:
    """The die of the army on the march, by its leader's tactics."""

    def sentence(view: View, command: Mapping[str, Any], state: State | None) -> str:
        leader = rated(HOUSE.in_view(view)).leaders.get(str((view.get("move") or {}).get("leader")))
        return by_die(words(), at_most(leader.tactics) if leader else "")

    return sentence


def sea_roll(view: View, command: Mapping[str, Any], state: State | None) -> str:
    """9.6.4 What each face of the die does to the army at sea."""
    asked_now: Mapping[str, Any] = next(
        (each for each in view.get("pending") or () if each.get("kind") == "sea_roll"), {}
    )
    plus = int((asked_now.get("about") or {}).get("modifier") or 0)
    table = rated(HOUSE.in_view(view)).tables.naval_combat
    chances = crossing_chances(plus, table)
    return _(
        "Throw the die. Chance to land: %(lands)s in 6; to go back: %(back)s in 6; of attrition: %(lost)s in 6",
        lands=chances["success"],
        back=chances["return"],
        lost=chances["attrition"],
    )


def plainly(words: Callable[[], str]) -> Callable[[View, Mapping[str, Any], State | None], str]:
    """A command that says all by its kind."""
    return lambda view, command, state: words()


def approve(view: View, command: Mapping[str, Any], state: State | None) -> str:
    """A word on what another has set by hand; who has set it takes it back."""
    wish = (view.get("wishes") or {}).get(str(command.get("wish")))
    if wish is None or command.get("allow") not in (True, False):
        return ""
    what = wish_text(wish)
    if command.get("side") == wish["seat"]:
        return _("Take it back: %(what)s", what=what)
    if not command["allow"]:
        return _("Refuse: %(what)s", what=what)
    return tell(_("Agree (%(seat)s): %(what)s"), seat=event_words.side(SYSTEM, wish["seat"]), what=what)


SAID: Mapping[str, Callable[[View, Mapping[str, Any], State | None], str]] = {
    "declare": declare,
    "activate": leads,
    "drop": leads,
    "pick_up": leads,
    "step": to_space,
    "sail": to_space,
    "avoid_to": to_space,
    "permit": permit,
    "choose_foe": attacks,
    "confirm_flank": confirm,
    "approve": approve,
    "sea_roll": sea_roll,
    "decline": rolling(lambda: _("Try to go back: the enemy may let you go; otherwise you must roll")),
    "pursue": rolling(lambda: _("Roll to go on")),
    "fight": plainly(lambda: _("Fight there")),
    "pass": plainly(lambda: _("Let it pass: play no card")),
    "roll_battle": plainly(lambda: _("Throw three dice for each side")),
    "end_action": plainly(lambda: _("End the action: the next power acts")),
}


def intercepts(attempt: Mapping[str, Any]) -> str:
    """An interception: who, from where, with how many."""
    leaders = ", ".join(name(one) for one in (attempt.get("leader"), *people_of(attempt, "companions")) if one)
    return _(
        "Intercept from %(place)s: %(leaders)s with %(units)s",
        place=name(attempt["space"]),
        leaders=leaders,
        units=some_units(attempt.get("units")),
    )


def people_of(part: Mapping[str, Any], field: str) -> tuple[str, ...]:
    """Who is named; nobody while one of several companies is still to be chosen."""
    return one_group(part.get(field)) or ()


def some_units(value: Any) -> str:
    """A number of units in words, or the bounds while it is still to be chosen; empty for none."""
    low, high = bounds(value)
    if low != high:
        return _("%(low)s to %(high)s CUs", low=low, high=high)
    return units(high) if high else ""


def avoids(slip: Mapping[str, Any], place: str) -> str:
    """An avoidance: who slips away, by land or by sea, and who goes inside the walls."""
    parts = []
    away, inside = some_units(slip.get("units")), some_units(slip.get("inside"))
    leaders = ", ".join(name(one) for one in people_of(slip, "leaders"))
    if away or leaders:
        troops = ", ".join(part for part in (leaders, away) if part)
        if isinstance(slip.get("port"), str):
            parts.append(_("Leave by sea for %(port)s: %(troops)s", port=name(slip["port"]), troops=troops))
        else:
            parts.append(_("Avoid battle: %(troops)s", troops=troops))
    within = ", ".join(name(one) for one in people_of(slip, "inside_leaders"))
    if inside or within:
        troops = ", ".join(part for part in (within, inside) if part)
        parts.append(_("Go inside the walls of %(place)s: %(troops)s", place=place, troops=troops))
    return ", ".join(parts) or _("Stay and fight outside")
