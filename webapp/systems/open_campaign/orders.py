"""O3.3 Orders in words, and as plain lines."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterable, Mapping
from typing import Any

from flask_babel import lazy_gettext as _l

from strategic.open_campaign.rules.world import chart
from tactical.kernel.record import clean_name
from webapp.http.language import gettext as _
from webapp.presenting.labels import place_name
from webapp.presenting.presentation import OrderLine

# -- Orders in words: the six, those behind "more", the three stances, and an order as a line.

DO = {
    "go": _l("Go"),
    "patrol": _l("Patrol"),
    "blockade": _l("Blockade"),
    "escort": _l("Escort"),
    "land": _l("Land"),
    "stay": _l("Stay"),
}
MORE = {
    "scout": _l("Scout"),
    "join": _l("Join the fleet"),
    "raid": _l("Raid"),
    "besiege": _l("Besiege"),
    "embark": _l("Embark companies"),
}  # the orders behind "more" (O3.3)
ON_LAND = ("raid", "besiege", "embark")  # of these, those of the war on land (O7.1)
WITHOUT_A_GOAL = ("stay", "embark")
WITH_A_FLEET = ("escort", "join")
STANCE = {"seek": _l("Seek"), "accept": _l("Accept"), "avoid": _l("Avoid")}
STANCE_MEANS = {
    "seek": _l("attack them"),
    "accept": _l("if they come"),
    "avoid": _l("keep away"),
}
DO_MEANS = {  # of the orders whose one word does not say it (O3.3)
    "patrol": _l("At its station a patrol looks out as a scout does, and nobody catches it at anchor."),
}
THEN = {"": _l("Nothing else"), "avoid": _l("Avoid them"), "home": _l("Go home")}
AFTER = {
    "": _l("As the order says"),
    "follow": _l("Pursue the beaten fleet"),
    "blockade": _l("Blockade them"),
    "besiege": _l("Besiege them"),
    "home": _l("Go home"),
}
PACE = {"easy": _l("Easy"), "cruise": _l("Cruise"), "hard": _l("Hard")}


def goal_words(view: Mapping[str, Any], order: Mapping[str, Any]) -> str:
    """Where an order leads: a space, or the fleet that is escorted or joined; empty where it leads nowhere."""
    to = order.get("to") or ""
    if to in view["fleets"]:
        return str(view["fleets"][to]["name"])
    space = chart(view["world"]).spaces.get(to)
    return place_name(space.name) if space is not None else to


def order_line(view: Mapping[str, Any], order: Mapping[str, Any] | None) -> str:
    """An order as a line: "Blockade Panormus, accept"; empty where there is none."""
    if not order:
        return ""
    goal = goal_words(view, order)
    stance = str(STANCE.get(order.get("stance", ""), "")).lower()
    verb = {**DO, **MORE}.get(order["do"], order["do"].replace("_", " ").capitalize())
    return ", ".join(part for part in (f"{verb} {goal}".strip(), stance) if part)


# -- O3.3.a Orders as plain lines, as one writes them in a mail: "Squadron Duilius: go Mylae, avoid".
#
# Each line is read for itself; what is not understood says why. Verbs and stances are English or the reader's own
# words.

MOST_LINES = 200
LONGEST = 400  # letters of a line
WIDE = 60  # letters after which mail programs break a line
QUOTED = (">", "--", "|")  # how lines begin that a mail program has quoted or added
LITTLE = frozenset(("to", "the", "at", "off", "with", "a", "al", "di", "in", "на", "в", "к", "у", "с"))
VERBS = {**DO, **MORE}
View = Mapping[str, Any]


def read_lines(view: View, side: str, text: str) -> tuple[OrderLine, ...]:
    """All lines of a text that may be orders; a fleet's last line counts, so earlier ones of it are left out."""
    lines = [read_line(view, side, line) for line in own_lines(text)]
    last = {line.command["fleet"]: number for number, line in enumerate(lines) if line.command}
    return tuple(line for number, line in enumerate(lines) if not line.command or last[line.command["fleet"]] == number)


def own_lines(text: str) -> Iterable[str]:
    """The lines that are not quoted, empty, or a greeting without a colon; one that was broken is whole again."""
    found: list[str] = []
    goes_on = False
    for line in map(clean_name, text.splitlines()[:MOST_LINES]):
        if line.startswith("--"):
            break  # a signature
        if line and not line.startswith(QUOTED) and ":" in line:
            found.append(line)
            goes_on = True
        elif goes_on := bool(goes_on and line and (found[-1].endswith(",") or len(found[-1]) >= WIDE)):
            found[-1] += f" {line}"
    return (line[:LONGEST] for line in found)


def read_line(view: View, side: str, line: str) -> OrderLine:
    """One line: a fleet, a colon, a verb, a goal, then a stance, a pace or a note, with commas between."""
    who, _colon, rest = line.partition(":")
    first, *more = [part.strip() for part in re.split(r"[,;.](?:\s|$)", rest) if part.strip()] or [""]
    verb, _space, goal = first.partition(" ")
    do = word_of(verb, VERBS) or word_of(first, VERBS)
    fleets = fleets_of(view, side, who)
    if not fleets:
        fault = _("There is no fleet called '%(name)s'.", name=who.strip())
        return OrderLine(line, None, fault=fault, may_be_order=bool(do))
    if len(fleets) > 1:
        return OrderLine(line, None, fault=_("Several fleets are called '%(name)s'.", name=who.strip()))
    (fleet,) = fleets
    if not do:
        return OrderLine(
            line, None, fault=_("'%(word)s' is not an order: use one of %(orders)s.", word=verb, orders=words(VERBS))
        )
    goals = {""} if do in WITHOUT_A_GOAL else goals_of(view, side, do, goal)
    if len(goals) > 1:
        return OrderLine(line, None, fault=_("Several destinations are called '%(name)s'.", name=goal.strip()))
    if not goals:
        return OrderLine(line, None, fault=_("There is no destination '%(name)s'.", name=goal.strip()))
    (to,) = goals
    command: dict[str, Any] = {"type": "order", "side": side, "fleet": fleet, "do": do, "to": to}
    notes = []
    for part in more:
        if stance := word_of(part, STANCE):
            command["stance"] = stance
        elif pace := word_of(part, PACE):
            command["pace"] = pace
        else:
            notes.append(part)
    if notes:
        command["note"] = ", ".join(notes)
    order = {"stance": "accept", **command}
    said = f"{view['fleets'][fleet]['name']}: {order_line(view, order)}"
    for_umpire = _("for the umpire")
    return OrderLine(line, command, said + (f" ({for_umpire}: {command['note']})" if notes else ""))


def words(table: Mapping[str, Any]) -> str:
    """The words of a table, as they may be written."""
    return ", ".join(str(word).lower() for word in table.values())


def bare(text: str) -> str:
    """A name as it is compared: small letters without accents, without little words."""
    plain = unicodedata.normalize("NFKD", text.casefold())
    letters = "".join(sign if sign.isalnum() else " " for sign in plain if not unicodedata.combining(sign))
    return " ".join(word for word in letters.split() if word not in LITTLE)


def word_of(text: str, table: Mapping[str, Any]) -> str:
    """The id of a word, in English or as the reader says it; empty where it is none."""
    given = bare(text)
    return next((id for id, word in table.items() if given and given in (bare(id), bare(str(word)))), "")


def fleets_of(view: View, side: str, text: str) -> set[str]:
    """The fleets of the side that a text may mean, by their names or their admirals', also after a title."""
    own = {id: fleet for id, fleet in view["fleets"].items() if fleet["side"] == side and fleet["ships"]}
    names = [
        (bare(str(name)), id) for id, fleet in own.items() for name in (fleet["name"], fleet["admiral"], id) if name
    ]
    return meant(names, text)


def goals_of(view: View, side: str, do: str, text: str) -> set[str]:
    """The spaces that a text may mean, on the map or in the reader's language, or the fleets to escort or join."""
    if do in WITH_A_FLEET:
        return fleets_of(view, side, text)
    spaces = chart(view["world"]).spaces.values()
    return meant(
        [(bare(name), each.id) for each in spaces for name in (each.name, place_name(each.name), each.id)], text
    )


def meant(names: list[tuple[str, str]], text: str) -> set[str]:
    """The ids whose name is this, else those whose name ends a longer text, else those whose name begins with it."""
    given = bare(text)
    tests = (lambda name: name == given, lambda name: given.endswith(f" {name}"), lambda name: name.startswith(given))
    found = ({id for name, id in names if given and name and fits(name)} for fits in tests)
    return next(filter(None, found), set())
