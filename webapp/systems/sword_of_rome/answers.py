"""What a power may answer to a march, its goals, marches and stakes."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from fractions import Fraction
from functools import partial
from typing import Any

from flask_babel import format_decimal, ngettext
from flask_babel import lazy_gettext as _l

from strategic.atlas import Reach
from strategic.sword_of_rome.rules import avoidance, interception, reaction
from strategic.sword_of_rome.rules.battle import BattleAhead, Way, battle_now, battle_there, choices, penalty, strength
from strategic.sword_of_rome.rules.interception import modifier
from strategic.sword_of_rome.rules.land import lane_of
from strategic.sword_of_rome.rules.offers import voyages
from strategic.sword_of_rome.rules.preview import StepShown, preview, ways_ahead
from strategic.sword_of_rome.rules.sea import crossing_chances
from strategic.sword_of_rome.rules.survey import (
    are_allied,
    enemy_in_the_open,
    is_friendly,
    powers_of,
    room_inside,
    seat_of,
)
from strategic.sword_of_rome.sequence import SEQUENCE
from strategic.sword_of_rome.state import Force, State
from strategic.sword_of_rome.tables import CHART, HOUSE, LEADERS, PLAYED, TABLES, is_clear, way_between
from strategic.sword_of_rome.tables import sheet as rated
from tactical.kernel.engine import offers
from tactical.kernel.protocol import UMPIRE, Offer
from tactical.kernel.record import BadInput
from webapp.http.forms import count
from webapp.http.language import gettext as _
from webapp.http.language import with_sign
from webapp.presenting import naming
from webapp.presenting.campaign_labels import Words, seat_word
from webapp.presenting.naming import say_value
from webapp.presenting.presentation import Amount, Army, Choice, Goals, Going, Switches, Walk, at_most
from webapp.presenting.refusals import refusal_text
from webapp.presenting.sentences import full_name, tell
from webapp.presenting.spoken import PLACES, Case, Gap, Speaker
from webapp.systems.land_answers import bounds, by_die, one_group, points_left, with_force
from webapp.systems.land_march import Ahead, Command, Fields, Leg, Naming, Price, Stage, goals, lost_units
from webapp.systems.land_march import walk as walk_of
from webapp.systems.sword_of_rome.presenter import wish_text

# -- What a power may answer to a march, in words: who comes, and each way to meet it.

SYSTEM = "sword_of_rome"


def name(value: Any) -> str:
    """A space or a leader by its name."""
    return naming.say_value(SYSTEM, value)


def units(count: int) -> str:
    """A number of combat units, in words."""
    return ngettext("%(num)d CU", "%(num)d CUs", count)


def move_of(case: Case) -> Mapping[str, Any]:
    """The army on the march; empty when none is."""
    return case.view.get("move") or {}


def leaders_of(move: Mapping[str, Any]) -> str:
    """Who leads an army."""
    return ", ".join(name(one) for one in (move.get("leader"), *move.get("companions", ())) if one)


def comes(case: Case) -> str:
    """The army on the march: whose, under whom, how strong, from where, with what points left."""
    move = move_of(case)
    if not move:
        return ""
    return tell(
        _("On the march: %(leaders)s (%(power.bare)s) with %(units)s, from %(start)s to %(place)s, %(points)s."),
        power=naming.side(SYSTEM, move["power"]),
        leaders=leaders_of(move) or _("no leader"),
        units=units(int(move.get("units") or 0)),
        start=naming.space(SYSTEM, move.get("came_from") or move["at"]),
        place=naming.space(SYSTEM, move["at"]),
        points=points_left(int(move.get("points") or 0)),
    )


def goes_inside(command: Mapping[str, Any]) -> bool:
    """10.3 Does somebody go inside the walls of the space that the army on the march has reached?"""
    slips = (command, *command.get("avoids", ()))
    return any(one.get("inside") or one.get("inside_leaders") for one in slips)


def declared(case: Case) -> str:
    """10.3 Who intercepts and who slips away, one by one."""
    command = whole(case.it)
    place = (case.view.get("reaction") or {}).get("space") or move_of(case).get("at")
    intercepting, slips = command.get("intercepts", ()), command.get("avoids", ())
    decided = [one for one in (*intercepting, *slips) if isinstance(one, Mapping)]
    parts = [by_die(intercepts(one), chance_of(case.state, one)) for one in decided if one in intercepting]
    parts += [avoids(one, name(place)) for one in decided if one in slips]
    return "; ".join(parts)


def place(case: Case) -> str:
    """The space that it names, or where the army is; of a declaration that where an army of the side's stands."""
    here = move_of(case).get("at") or ""
    if case.kind == "declare" and not case.is_question:
        here = (case.view.get("reaction") or {}).get("space") or here
        own = (case.view.get("forces") or {}).get(here, {})
        return case.name(here) if any(PLAYED.get(power) == case.it.get("side") for power in own) else ""
    if any(field in case.it for field in PLACES):
        return case.name(case.named) if case.named else ""
    return case.name(here) if here else ""


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


def led(case: Case) -> str:
    """9.1 A leader sets out with so many; 9.1.2 units are left or taken along."""
    leader = case.it.get("leader")
    companions = one_group(case.it.get("companions")) or ()
    names = [name(one) for one in ((leader, *companions) if isinstance(leader, str) else companions)]
    where = standing(case.view, leader) if isinstance(leader, str) else ""
    if where:  # several minor leaders bear one name
        names[0] = tell(_("%(leader)s at %(place)s"), leader=names[0], place=full_name(where))
    return with_force(", ".join(names), some_units(case.it.get("units")))


def standing(view: Mapping[str, Any], leader: str) -> str:
    """The space in whose forces a leader stands; empty where none tells."""
    for space, forces in (view.get("forces") or {}).items():
        if any(leader in (force.get("leaders") or ()) for force in forces.values()):
            return name(space)
    return ""


def foe(case: Case) -> str:
    """9.4.1 Whom the army attacks next: under whom, how strong."""
    here = (case.view.get("forces") or {}).get(move_of(case).get("at")) or {}
    force = here.get(case.it.get("power")) or {}
    if not force.get("units"):
        return ""
    return with_force(", ".join(name(one) for one in force.get("leaders") or ()), units(int(force["units"])))


def tactics(case: Case) -> str:
    """The die of the army on the march, by its leader's tactics."""
    leader = rated(HOUSE.in_view(case.view)).leaders.get(str(move_of(case).get("leader")))
    return at_most(leader.tactics) if leader else ""


def crossing(result: str) -> Gap:
    """9.6.4 So many faces of six have this result for the army at sea."""

    def faces(case: Case) -> Any:
        stack = case.view.get("pending") or ()
        plus = next((each["about"]["modifier"] for each in stack if each.get("kind") == "sea_roll"), 0)
        return crossing_chances(plus, rated(HOUSE.in_view(case.view)).tables.naval_combat)[result]

    return faces


def wish(case: Case) -> Mapping[str, Any]:
    """What another, or the seat itself, has set by hand."""
    return (case.view.get("wishes") or {}).get(str(case.it.get("wish"))) or {}


SPEAKER = Speaker(
    SYSTEM,
    {
        "army": lambda case: with_force(leaders_of(move_of(case)), some_units(move_of(case).get("units"))),
        "back": crossing("return"),
        "calm": lambda case: not any(whole(case.it).get(part) for part in ("intercepts", "avoids")),
        "comes": comes,
        "declared": declared,
        "foe": foe,
        "lands": crossing("success"),
        "led": led,
        "lost": crossing("attrition"),
        "own_wish": lambda case: wish(case).get("seat") == case.it.get("side") and case.get("allow") is not None,
        "place": place,
        "points": lambda case: points_left(int(move_of(case).get("points") or 0)),
        "sailing": lambda case: units(int(case.it.get("units") or 0)),
        "tactics": tactics,
        "wished": lambda case: wish_text(wish(case)) if wish(case) else "",
        "wisher": lambda case: naming.side(SYSTEM, wish(case)["seat"]),
    },
)


def recount(command: Mapping[str, Any]) -> str:
    """A command that was given, in words; empty for those of which only the position of that moment tells the rest."""
    if command.get("type") == "sea_roll" or (command.get("type") == "declare" and goes_inside(command)):
        return ""
    return SPEAKER.recount(command)


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


# -- 10.3, 11.1 The answer to a march, leader by leader: who intercepts, who slips away, who goes inside the walls.

STAY, TRY, AWAY, INSIDE = "stay", "try", "away", "inside"
LAND = "land"
Form = Mapping[str, str]


def switches(state: State, seat: str) -> Switches | None:
    """What the seat may answer to the step of a march; None when it is not asked."""
    if not any(prompt.kind == "declare" and prompt.seat == seat for prompt in state.pending):
        return None
    armies = [interceptor(state, *each) for each in origins(state, seat)]
    armies += [army_upon(state, power) for power in in_the_space(state, seat)]
    return Switches("declare", tuple(armies), _("Declare this"))


def origins(state: State, seat: str) -> tuple[tuple[str, str], ...]:
    """10.1 The seat's armies that may intercept: power and space."""
    return tuple((power, space) for power in powers_of(state, seat) for space in interception.armies(state, power))


def in_the_space(state: State, seat: str) -> tuple[str, ...]:
    """11.1 The seat's powers whose armies the march has reached."""
    return tuple(power for power in powers_of(state, seat) if reaction.may_answer_in_the_space(state, power))


def title_of(power: str, space: str, force: Force) -> str:
    """An army by its space, its power and its strength."""
    return _("%(space)s (%(power)s): %(troops)s", space=name(space), power=seat_word(power), troops=units(force.units))


def interceptor(state: State, power: str, space: str) -> Army:
    """10.3 An army beside the space: each leader intercepts or stays; the CUs that go with those who do."""
    force, at = state.force(space, power), f"{power}.{space}"
    leaders = tuple(
        Choice(
            f"{at}.{leader}",
            name(leader),
            (
                (STAY, _("Stay")),
                (TRY, by_die(_("Intercept"), chance_of(state, {"power": power, "leader": leader}))),
            ),
        )
        for leader in force.leaders
    )
    amount = Amount(f"{at}.units", _("CUs that intercept"), 1, force.units, force.units)
    return Army(space, title_of(power, space, force), leaders, (amount,))


def army_upon(state: State, power: str) -> Army:
    """9.3.1, 11.1 An army that the march has reached: each leader stays, slips away or goes inside; the CUs of each."""
    space = state.army.at
    force, at = state.force(space, power), f"{power}.{space}"
    room = min(room_inside(state, space, power), force.units, TABLES.avoidance.limit)
    leaves = avoidance.why_not_at_all(state, power) is None
    choices = [(STAY, _("Stay outside"))]
    choices += [(AWAY, _("Avoid battle"))] if leaves else []
    choices += [(INSIDE, _("Go inside the walls"))] if avoidance.own_walls(state, space, power) else []
    amounts: list[Amount] = []
    ways: list[Choice] = []
    if leaves:
        most = min(force.units, TABLES.avoidance.limit)
        amounts.append(Amount(f"{at}.units", _("CUs that avoid battle"), 1, most, most))
        if (out := ways_out(state, power))[1:] or out[0][0] != LAND:
            ways.append(Choice(f"{at}.way", _("How they leave"), out))
    if room:
        amounts.append(Amount(f"{at}.inside", _("CUs that go inside the walls"), 0, room, 0))
    leaders = tuple(Choice(f"{at}.{leader}", name(leader), tuple(choices)) for leader in force.leaders)
    return Army(space, title_of(power, space, force), leaders if len(choices) > 1 else (), tuple(amounts), tuple(ways))


def declaration(state: State, seat: str, form: Form) -> dict[str, Any]:
    """The command that the switches come to. Raises BadInput for a number that is none."""
    if switches(state, seat) is None:
        return {"type": "declare", "side": seat}  # whatever the game says to that
    tries = [attempt(state, form, *each) for each in origins(state, seat)]
    slips = [slip(state, form, power) for power in in_the_space(state, seat)]
    return {
        "type": "declare",
        "side": seat,
        "intercepts": [each for each in tries if each is not None],
        "avoids": [each for each in slips if each is not None],
    }


def attempt(state: State, form: Form, power: str, space: str) -> dict[str, Any] | None:
    """10.3.a Who of an army intercepts: the commander leads if he goes, and keeps a CU if he stays."""
    force, at = state.force(space, power), f"{power}.{space}"
    going = leaders_who(form, at, force.leaders, TRY)
    if not going:
        return None
    stays = 0 if going[0] == force.leaders[0] else TABLES.interception.commander_keeps
    many = min(number(form, f"{at}.units", force.units), max(1, force.units - stays))
    return {"power": power, "space": space, "leader": going[0], "units": many, "companions": going[1:]}


def slip(state: State, form: Form, power: str) -> dict[str, Any] | None:
    """11.1 Who of an army slips away and who goes inside; None when all stay. The commander keeps a CU if he stays."""
    space = state.army.at
    force, at = state.force(space, power), f"{power}.{space}"
    away, inside = leaders_who(form, at, force.leaders, AWAY), leaders_who(form, at, force.leaders, INSIDE)
    within = number(form, f"{at}.inside", 0)
    found: dict[str, Any] = {"power": power, "inside_leaders": inside, "inside": within}
    if away:
        stays = 0 if away[0] == force.leaders[0] or inside[:1] == [force.leaders[0]] else avoidance.keeps()
        most = min(force.units, TABLES.avoidance.limit) - within - stays
        found |= {"leaders": away, "units": max(1, min(number(form, f"{at}.units", force.units), most))}
        port, _dot, card = form.get(f"{at}.way", ways_out(state, power)[0][0]).partition(".")
        found |= {"port": port, "card": count(card)} if port != LAND else {}
    return found if away or inside or within else None


def ways_out(state: State, power: str) -> tuple[tuple[str, str], ...]:
    """11.1.a, 11.1.1 How an army may leave, in values and words: by land where there is a way, then each voyage."""
    by_sea = [
        (f"{port}.{card}", _("by sea to %(port)s for a card of value %(card)s", port=name(port), card=card))
        for card, _room, ports in voyages(state, power)
        for port in ports
    ]
    by_land = [(LAND, _("by land"))] if avoidance.ways_out(state, power, state.army.at) or not by_sea else []
    return (*by_land, *by_sea)


def leaders_who(form: Form, at: str, leaders: Iterable[str], value: str) -> list[str]:
    """The leaders who are switched so, the commander first."""
    return [leader for leader in leaders if form.get(f"{at}.{leader}") == value]


def number(form: Form, field: str, begin: int) -> int:
    """A number of the form, or where it begins. Raises BadInput."""
    text = form.get(field, "")
    if not text:
        return begin
    found = count(text)
    if found is None:
        raise BadInput(field, "this is not a whole number")
    return found


# -- 11.1.a, 12.4 The goals of The Sword of Rome's answers: where a beaten army goes, and one that slips away.


def by_land(state: State, command: Command) -> Way | None:
    """12.4 The way by land; None for a retreat to the ships."""
    return None if command.get("card") is not None else choices(state).get(command["to"])


def price(state: State, command: Command) -> Price:
    """12.4.5 The units that are lost; 12.4.3 or the card that pays for ships."""
    if command.get("card") is not None:
        return Price("", _("for a card of value %(value)s", value=command["card"]))
    way = by_land(state, command)
    lost = min(way.loss, strength(state)[0]) if way else 0
    return Price(with_sign(-lost) if lost else "0", lost_units(lost))


def way_back(state: State, command: Command) -> tuple[str, tuple[Leg, ...]]:
    """12.4.5 Space by space with what is lost there."""
    fleeing, way = state.flight, by_land(state, command)
    if way is None:
        return fleeing.space, (Leg(command["to"]),)
    legs = []
    for space in way.path:
        cost = penalty(state, fleeing.power, space)
        legs.append(Leg(space, cost, _("enemy ground: %(lost)s", lost=lost_units(cost)) if cost else ""))
    return fleeing.space, tuple(legs)


def arrives(state: State, command: Command) -> tuple[str, ...]:
    """12.4 What comes to the goal, and whom it finds there."""
    units, way = strength(state)[0], by_land(state, command)
    left = units - (min(way.loss, units) if way else 0)
    told = ngettext("%(num)d unit arrives.", "%(num)d units arrive.", left)
    if not left:
        told = _("Nobody arrives: the army is lost on the way, and its generals are displaced.")
    by_ship = (_("By sea: the naval roll may cost more."),) if command.get("card") is not None else ()
    return (told, *by_ship, *there(state, state.flight.power, command["to"]))


def there(state: State, power: str, space: str) -> tuple[str, ...]:
    """Whose ground it is, and which friends stand there."""
    told = []
    if is_friendly(state, power, space):
        told.append(
            tell(_("%(side)s %(side|holds|hold)s the space."), side=naming.side(SYSTEM, state.controller(space)))
        )
    for other, force in state.forces.get(space, {}).items():
        if force.total and are_allied(state, power, other):
            names = ", ".join(say_value(SYSTEM, name) for name in force.leaders)
            units = ngettext("%(num)d unit", "%(num)d units", force.total)
            told.append(_("There already: %(force)s.", force=with_force(names, units)))
    return tuple(told)


def slips(state: State, command: Command) -> tuple[str, ...]:
    """11.1.a Whose ground the army comes to."""
    prompt = next((one for one in state.pending if one.kind == "avoid_to"), None)
    power = str(prompt.about.get("power") or "") if prompt else ""
    return there(state, power, command["to"]) if power else ()


def without_card(fields: Fields) -> tuple[bool, int]:
    """12.4.3 A tap means the retreat of all, and by land where there is a way."""
    return fields.get("card") is None, -int(fields.get("inside") or 0)


NAMINGS: Mapping[str, Naming] = {
    "retreat": Naming("to", usual=without_card, price=price, way=way_back, follows=arrives),
    "avoid_to": Naming("to", follows=slips),
}


def answer_goals(
    state: State, seat: str, offers: Sequence[Offer], picked: str | None, where: str | None
) -> Goals | None:
    """The goals of what a power is asked."""
    return goals(SYSTEM, NAMINGS, state, seat, offers, picked, where)


# -- 12 The coming battle of The Sword of Rome in words: CUs, additions to the dice, who wins at what chance, losses.

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


# -- 9.2, 10.3 The march of The Sword of Rome by its goal: reach, way, and who may cut in at what chance.


def walk(state: State, seat: str, picked: str | None, where: str | None) -> Walk | None:
    """The army on the move, while it may step on; None when none waits for this seat."""
    move = state.move
    if move is None or state.pending or state.reaction is not None or seat not in (seat_of(state, move.power), UMPIRE):
        return None
    reach = ways_ahead(state)
    voyage = next((offer for offer in offers(SEQUENCE, state, seat) if offer.type == "sail"), None)
    ports = frozenset(voyage.fields["to"]) if voyage else frozenset()
    sea = ports - frozenset(reach.cost)
    names = ", ".join(say_value(SYSTEM, name) for name in move.leaders)
    units = ngettext("%(num)d CU", "%(num)d CUs", move.units)
    ahead = Ahead(
        move.leader,
        _("%(generals)s with %(troops)s", generals=names, troops=units),
        move.at,
        move.points,
        {**dict.fromkeys(sea, CHART.costs["sea"]), **reach.cost},
        partial(stages, state, reach),
        partial(why_not, reach),
        partial(outlook, state, reach),
        lambda goal, at_sea: Going(),
        sea,
        lambda goal: by_sea(state, goal) if goal in ports and goal in reach.cost else (),
    )
    return walk_of(SYSTEM, ahead, where)


def stages(state: State, reach: Reach, goal: str) -> tuple[Stage, ...]:
    """The way step by step, or the voyage."""
    if goal not in reach.cost:
        return by_sea(state, goal)
    path = reach.path[goal][1:]
    try:
        shown = {step.space: step for step in preview(state, state.army.leader, path)}
    except BadInput:
        shown = {}
    return tuple(
        Stage(
            to,
            reach.cost[to],
            cut_in(shown[to]) if to in shown else (),
            {"type": "step", "to": to},
        )
        for to in path
    )


def by_sea(state: State, goal: str) -> tuple[Stage, ...]:
    """9.6.3 The voyage to a port."""
    try:
        dangers = cut_in(preview(state, state.army.leader, (goal,))[0])
    except BadInput:
        dangers = ()
    return (Stage(goal, CHART.costs["sea"], dangers, {"type": "sail", "to": goal}),)


def cut_in(step: StepShown) -> tuple[str, ...]:
    """10.3 Who may intercept there, at what chance."""
    return tuple(
        _(
            "%(general)s may intercept from %(place)s: %(good)s in 6",
            general=say_value(SYSTEM, one.leader),
            place=say_value(SYSTEM, army.space),
            good=one.faces,
        )
        for army in step.may
        for one in army.leaders
        if one.faces
    )


def outlook(state: State, reach: Reach, goal: str) -> tuple[str, ...]:
    """Who stands at the goal in the open, and the odds of the battle there."""
    power = enemy_in_the_open(state, state.army.power, goal)
    if power is None:
        return ()
    force = state.force(goal, power)
    names = ", ".join(say_value(SYSTEM, name) for name in force.leaders)
    units = ngettext("%(num)d CU", "%(num)d CUs", force.units)
    told = _("%(generals)s with %(troops)s", generals=names, troops=units) if names else units
    path = reach.path[goal] if goal in reach.cost else (state.army.at, goal)
    way = way_between(*path[-2:])
    by = ("clear" if is_clear(state.army.power, way, ("clear",)) else lane_of(way.kind)) if way else "sea"
    text = _("%(side)s %(side|stands|stand)s there: %(force)s. There may be a battle.")
    stands = tell(text, side=naming.side(SYSTEM, power), force=told)
    return (stands, *battle_lines(battle_there(state, goal, by, path[-2])))


def why_not(reach: Reach, goal: str) -> str:
    """Why the army cannot come there."""
    return refusal_text(SYSTEM, reach.why_not[goal]) if goal in reach.why_not else ""
