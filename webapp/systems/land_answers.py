"""What a side may say in a land war, as whole sentences."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from flask_babel import ngettext

from strategic.point_to_point.state import Campaign
from webapp.http.forms import count
from webapp.http.language import gettext as _
from webapp.presenting.campaign_labels import seat_word
from webapp.presenting.naming import say_value
from webapp.presenting.presentation import View
from webapp.presenting.sentences import full_name, tell
from webapp.systems import land_war
from webapp.systems.land_war import card_name

# -- Forces and generals of a land war's commands in words; a choice still to be made reads as a range.


@dataclass(frozen=True)
class Case:
    """A command as it is to be told: in which system, in which view, and in which position where chances are asked."""

    system: str
    view: Mapping[str, Any]
    state: Any
    it: Mapping[str, Any]

    def name(self, value: Any, field: str = "") -> str:
        """A space, general, ship or card by its name."""
        return say_value(self.system, value, field)

    def place(self, field: str = "to") -> str:
        """The space that a field names; empty while it is still to be chosen."""
        value = self.it.get(field)
        return self.name(value) if isinstance(value, str) else ""

    @property
    def march(self) -> Mapping[str, Any]:
        """The army on the march; empty when none is."""
        return self.view.get("march") or {}

    @property
    def here(self) -> str:
        """Where it stands now."""
        path = tuple(self.march.get("path") or ())
        return self.name(path[-1]) if path else ""

    @property
    def prompt(self) -> Mapping[str, Any]:
        """The question that is answered."""
        agenda = self.view.get("agenda") or ()
        return agenda[-1] if agenda and isinstance(agenda[-1], Mapping) else {}

    @property
    def asked(self) -> str:
        """The question's kind."""
        return str(self.prompt.get("kind", ""))


def bounds(value: Any) -> tuple[int, int]:
    """The least and the most of a number, of a range or of a list of numbers."""
    if isinstance(value, bool) or value is None:
        return 0, 0
    if isinstance(value, int):
        return value, value
    if isinstance(value, Mapping):
        return int(value.get("from", 0)), int(value.get("to", 0))
    numbers = [each for each in value if isinstance(each, int)] if isinstance(value, Sequence) else []
    return (min(numbers), max(numbers)) if numbers else (0, 0)


def troops(it: Mapping[str, Any], ending: str = "") -> str:
    """Units, elephants and trains of a command; empty for none. `ending` is what the fields' names end in."""
    return ", ".join(
        part
        for part in (
            _units(*bounds(it.get(f"units{ending}"))),
            _elephants(*bounds(it.get(f"elephants{ending}"))),
            _trains(*bounds(it.get(f"trains{ending}"))),
        )
        if part
    )


def _units(low: int, high: int) -> str:
    if low == high:
        return ngettext("%(num)d unit", "%(num)d units", high) if high else ""
    return _("%(low)s to %(high)s units", low=low, high=high)


def _elephants(low: int, high: int) -> str:
    if low == high:
        return ngettext("%(num)d elephant", "%(num)d elephants", high) if high else ""
    return _("%(low)s to %(high)s elephants", low=low, high=high)


def _trains(low: int, high: int) -> str:
    if low == high:
        return ngettext("%(num)d supply train", "%(num)d supply trains", high) if high else ""
    return _("%(low)s to %(high)s supply trains", low=low, high=high)


def one_group(value: Any) -> tuple[str, ...] | None:
    """A list of generals; the only one of a list of such lists; None while one of several is still to be chosen."""
    found = list(value or ())
    if found and all(isinstance(each, list | tuple) for each in found):
        return tuple(found[0]) if len(found) == 1 else None
    return tuple(each for each in found if isinstance(each, str))


def with_force(people: str, force: str) -> str:
    """Generals with a force; whichever there is."""
    if people and force:
        return _("%(generals)s with %(troops)s", generals=people, troops=force)
    if people:
        return _("%(generals)s without troops", generals=people)
    return force


def people(case: Case, *fields: str, first: str = "") -> str:
    """Generals by name: `first`, then those of the fields."""
    names = [first] if first else []
    for field in fields:
        names += one_group(case.it.get(field)) or ()
    return ", ".join(case.name(each) for each in dict.fromkeys(names))


def army(march: Mapping[str, Any], name: Any) -> str:
    """The army on the march: its generals and what goes with them."""
    generals = ", ".join(name(each) for each in (march.get("general"), *(march.get("companions") or ())) if each)
    force = troops(march.get("force") or march)
    return with_force(generals, force) if march.get("legs") else generals


# -- What a side may say in a land war, as whole sentences: who, from where, with what, by which die.
#
# Also what "no" means: which question it answers and what happens then.

Saying = Callable[[Case], str]


def by_die(words: str, roll: str) -> str:
    """What is tried, then the die that it needs."""
    return _("%(deed)s – %(die)s", deed=words, die=roll) if roll else words


def command_words(case: Case) -> str:
    """The marching general with those of the command, and what they take along."""
    return with_force(people(case, "companions", first=str(case.march.get("general") or "")), troops(case.it))


def group(case: Case) -> str:
    """The generals that the command names, and what they take along."""
    return with_force(people(case, "generals", first=str(case.it.get("general") or "")), troops(case.it))


def towards(place: str, who: str) -> str:
    """Somebody goes somewhere, as far as either is known."""
    if place and who:
        return tell(_("To %(place)s: %(who)s"), place=full_name(place), who=who)
    return tell(_("To %(place)s"), place=full_name(place)) if place else who


def step(case: Case) -> str:
    return towards(case.place(), command_words(case))


def sail(case: Case) -> str:
    place, low, high = case.place(), *bounds(case.it.get("ships"))
    fleet = ""
    if high:
        fleet = str(high) if low == high else _("%(low)s to %(high)s", low=low, high=high)
        fleet = "; " + _("warships: %(count)s", count=fleet)
    goal = _("into the city of %(place)s", place=place) if case.it.get("inside") is True else place
    return towards(goal if place else "", command_words(case)) + fleet


def besieging(read: Callable[[Any, str], Sequence[tuple[int, int]]]) -> Saying:
    """Who besieges, and what each face of the die gives by the system's own table (`read`: state and general)."""

    def besiege(case: Case) -> str:
        general = str(case.it.get("general") or case.march.get("general") or "")
        who = with_force(case.name(general) if general else "", troops(case.it))
        if case.state is None or case.state.march is None:
            return who
        at = case.state.march.at
        said = land_war.siege(case.state, at, case.name(at), read(case.state, general))
        return said if general in ("", case.march.get("general")) else f"{said} · {who}"

    return besiege


def arrange(case: Case) -> str:
    who = with_force(people(case, "generals"), troops(case.it)) or _("nobody")
    return _("Within the walls of %(place)s: %(who)s", place=case.place("space"), who=who)


def intercept(case: Case) -> str:
    generals = one_group(case.it.get("generals")) or ((case.it["general"],) if case.it.get("general") else ())
    words = (
        tell(_("%(who)s, from %(place)s"), who=group(case), place=full_name(case.place("space")))
        if case.it.get("space")
        else group(case)
    )
    return by_die(words, land_war.interception(case.state, generals))


def go_back(case: Case) -> str:
    path = tuple(case.march.get("path") or ())
    return (
        tell(_("Go back to %(place)s; the move ends there"), place=full_name(case.name(path[-2])))
        if len(path) > 1
        else ""
    )


def avoid(case: Case) -> str:
    generals = one_group(case.it.get("generals")) or ()
    words = towards(case.place(), group(case))
    return by_die(words, land_war.avoidance(case.state, generals))


def shelter(case: Case) -> str:
    who = group(case)
    return _("Behind the walls of %(place)s, no roll needed: %(who)s", place=case.here, who=who) if case.here else who


def attack(case: Case) -> str:
    card, kind = case.it.get("card"), case.it.get("as_kind")
    if not isinstance(card, str) or not isinstance(kind, str):
        return ""
    if card == kind:
        return card_and_count(case, card)
    played = card_name(case.system, card) if (number := count(card)) is None else case.name(number, "card")
    return _("%(card)s as %(kind)s", card=played, kind=card_name(case.system, kind))


def match(case: Case) -> str:
    card = case.it.get("card")
    if not isinstance(card, str):
        return ""
    words = card_and_count(case, card) if (number := count(card)) is None else case.name(number, "card")
    battle = case.view.get("battle") or {}
    if battle.get("played") == "double_envelopment" and battle.get("free_initiative", True):
        return _("%(card)s: you attack next, without a roll", card=words)
    roll = land_war.initiative(case.state)
    return _("%(card)s: to attack next, %(die)s", card=words, die=roll) if roll else words


def card_and_count(case: Case, card: str) -> str:
    """A battle card with how many of it are held: of whoever may see his own."""
    hands = (case.view.get("battle") or {}).get("hands") or {}
    held = hands.get(case.prompt.get("seat"))
    held_of_it = held.count(card) if isinstance(held, list | tuple) else 0
    return f"{card_name(case.system, card)} ×{held_of_it}" if held_of_it else card_name(case.system, card)


def withdraw(case: Case) -> str:
    to = case.it.get("to")
    if not isinstance(to, str):
        return ""
    place = _("into the city") if to == "city" else _("to %(place)s", place=case.name(to))
    return by_die(_("Withdraw %(place)s", place=place), land_war.withdrawal(case.state))


def retreat(case: Case) -> str:
    to = case.it.get("to")
    goal = to[-1] if isinstance(to, list | tuple) and len(to) == 1 else to
    if not isinstance(goal, str):
        return ""
    space = (case.view.get("battle") or {}).get("space")
    if goal == "city" and not space:
        return ""
    words = (
        _("Behind the walls of %(place)s", place=case.name(space)) if goal == "city" else towards(case.name(goal), "")
    )
    inside = with_force(people(case, "generals_inside"), troops(case.it, "_inside"))
    return _("%(deed)s; into the city first: %(who)s", deed=words, who=inside) if inside else words


def activate(case: Case) -> str:
    general = case.it.get("general")
    if not isinstance(general, str):
        return ""
    card = case.it.get("card")
    played = case.name(card, "card") if isinstance(card, int | str) else ""
    if case.it.get("use") == "event":
        words = _("%(general)s, by the event of %(card)s", general=case.name(general), card=played or _("the card"))
    else:
        words = _("%(general)s, for the points of %(card)s", general=case.name(general), card=played or _("the card"))
    _low, trains = bounds(case.it.get("trains"))
    return _("%(deed)s, and %(troops)s", deed=words, troops=troops({"trains": trains})) if trains else words


def first_player(case: Case) -> str:
    side = case.it.get("side")
    return _("%(side)s plays first", side=seat_word(side)) if isinstance(side, str) else ""


def at_place(field: str) -> Saying:
    """Somebody comes to a space."""

    def words(case: Case) -> str:
        who, place = case.it.get(field), case.place("at")
        if not isinstance(who, str):
            return ""
        return (
            tell(_("%(general)s at %(place)s"), general=case.name(who), place=full_name(place))
            if place
            else case.name(who)
        )

    return words


def reinforce(case: Case) -> str:
    place = case.place("at")
    if case.it.get("what") == "ship":
        return _("A new ship")
    return tell(_("A unit at %(place)s"), place=full_name(place)) if place else _("A unit")


def halt(case: Case) -> str:
    return tell(_("End the move at %(place)s"), place=full_name(case.here)) if case.here else ""


def stand(case: Case) -> str:
    return tell(_("Stand at %(place)s: there will be a battle"), place=full_name(case.here)) if case.here else ""


def accept_battle(case: Case) -> str:
    return tell(_("Fight at %(place)s"), place=full_name(case.here)) if case.here else ""


def end_words(case: Case) -> str:
    """What ends by it."""
    if case.asked == "intercept":
        declared = case.prompt.get("about", {}).get("declared")
        return _("Nobody else: throw the dice") if declared else _("Let them pass: nobody tries")
    words = {
        "pursuit": _("Do not pursue: the move ends"),
        "put": _("Place no more markers"),
        "campaign": _("Move nobody else"),
        "points": _("Spend no more points"),
        "budget": _("Spend no more"),
        "burn": _("Burn no more supply trains"),
        "choose": _("Choose nothing more"),
    }
    return words.get(case.asked, "")


def let_be(case: Case) -> str:
    """What "no" does."""
    battle = case.view.get("battle") or {}
    initiative = seat_word(str(battle.get("initiative") or ""))
    words = {
        "battle_events": _("Play no event and deal the hands"),
        "counter": _("Play no card: the game goes on"),
        "counter_attack": _("Do not roll: %(side)s keeps the initiative", side=initiative),
        "cancel": _("Let them go: the battle ends"),
        "command": _("Do not roll: the command stays as it is"),
        "elephants": _("Hold the elephants back"),
        "join": _("Stay within the walls"),
        "open": _("Do not open with a card"),
        "proconsul": _("Name no proconsul"),
        "take_initiative": _("Leave the attack to the other side"),
        "intercept": _("Let them pass: nobody tries"),
        "pursuit": _("Do not pursue: the move ends"),
        "sea_intercept": _("Let the fleet pass: no ship puts to sea"),
        "storm": _("Raise no storm: the fleet sails on"),
        "lookouts": _("Play no card: the result stands"),
        "manoeuvre": _("Play no tactics card: go on to the engagement"),
        "regroup": _("Do neither: fight on"),
        "sea_pursuit": _("Let them go: the battle at sea ends"),
        "hold_out": _("Give up nothing: the siege points stay"),
        "freeze": _("Spend no supply train: the army makes its winter roll"),
        "prize_roll": _("Do not roll: the transports get away"),
    }
    return words.get(case.asked, "")


def name_words(field: str, kind: str = "") -> Saying:
    """The one thing that the command names."""

    def words(case: Case) -> str:
        value = case.it.get(field)
        return case.name(value, kind) if isinstance(value, str | int) else ""

    return words


SAID: Mapping[str, Saying] = {
    "step": step,
    "sail": sail,
    "sortie": command_words,
    "halt": halt,
    "done": end_words,
    "pass": let_be,
    "arrange": arrange,
    "take_command": name_words("general"),
    "intercept": intercept,
    "go_back": go_back,
    "accept_battle": accept_battle,
    "shelter": shelter,
    "avoid": avoid,
    "stand": stand,
    "pursue": lambda case: by_die(_("Roll to pursue"), land_war.pursuit(case.state)),
    "join": group,
    "change_command": lambda case: by_die(
        _("Roll to see whether the other consul commands"), land_war.change_of_command(case.state)
    ),
    "charge": lambda case: by_die(_("Let the elephants charge"), land_war.charge(case.state)),
    "attack": attack,
    "match": match,
    "concede": lambda case: _("Leave it unmatched: the battle is lost"),
    "counter_attack": lambda case: by_die(_("Roll for the initiative"), land_war.initiative(case.state)),
    "withdraw": withdraw,
    "cancel": lambda case: by_die(_("Roll to stop the withdrawal"), land_war.stopping(case.state)),
    "retreat": retreat,
    "campaign_move": name_words("general"),
    "proconsul": name_words("general"),
    "first_player": first_player,
    "raise_unit": lambda case: (
        _("A unit for %(general)s", general=case.name(case.it["general"]))
        if isinstance(case.it.get("general"), str)
        else ""
    ),
    "activate": activate,
    "reinforce": reinforce,
    "return_general": at_place("general"),
    "place_consul": at_place("general"),
    "place_general": at_place("general"),
}


def answer(
    system: str, own: Mapping[str, Saying], view: View, command: Mapping[str, Any], state: Campaign | None = None
) -> str:
    """A command of the land war, or of the system's `own`; empty for what its fields tell well enough."""
    saying = own.get(str(command.get("type"))) or SAID.get(str(command.get("type")))
    return saying(Case(system, view, state, command)) if saying else ""
