"""10.3, 11.1 The answer to a march, leader by leader: who intercepts, who slips away, who goes inside the walls."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

from strategic.sword_of_rome.rules import avoidance, interception, reaction
from strategic.sword_of_rome.rules.offers_of_declarations import voyages
from strategic.sword_of_rome.rules.survey import powers_of, room_inside
from strategic.sword_of_rome.state import Force, State
from strategic.sword_of_rome.tables import TABLES
from tactical.kernel.record import BadInput
from webapp.http.forms import count
from webapp.http.language import gettext as _
from webapp.presenting.campaign_labels import seat_word
from webapp.presenting.march_preview import Amount
from webapp.presenting.switches import Army, Choice, Switches
from webapp.systems.land_answers import by_die
from webapp.systems.sword_of_rome.answers import chance_of, name, units

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
