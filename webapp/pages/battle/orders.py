"""A seat's offers as buttons: what can be done with its odds, what cannot with the rule that forbids it."""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from operator import itemgetter
from typing import Any, NamedTuple
from zlib import crc32

from flask_babel import format_decimal, ngettext

from tactical import courses
from tactical.battle import Battle
from tactical.commands import Board, Finish, Plot, Rake, Ram, Resign, Step
from tactical.geometry import Way, geometry
from tactical.kernel.protocol import Illegal, Offer
from tactical.kernel.record import EITHER, Reason, encode, read
from tactical.offers import to_act
from tactical.rules import missiles, movement, plotting, ramming
from tactical.rules.book_keeping import why_not_finish
from tactical.rules.linked import deploys
from tactical.rules.plotting import to_plot
from tactical.sequence import SEQUENCE
from tactical.ship import MOVEMENT, Ship, ShipType, cruise, is_sprint, limit, maximum, plot_range, turn_cycle
from tactical.tabletop import Measured, Tape
from webapp.http.cache import Cache
from webapp.http.language import gettext, minus
from webapp.http.language import gettext as _
from webapp.pages.battle import odds
from webapp.pages.battle import odds as battle_odds
from webapp.pages.battle.looking import Looking
from webapp.pages.battle.marks import Chance, Ghost
from webapp.presenting.battle_labels import (
    figures,
    heading_word,
    hex_name,
    ship_name,
    side_name,
    status_word,
    step_word,
)
from webapp.presenting.sentences import Either, Several, Values, full_name

# -- What a button of the battle says and sends: orders that may be given, those that may not, small forms of choices.

LONGEST = 60  # letters of a command in an id
as_json = json.JSONEncoder(separators=(",", ":")).encode  # made once: `dumps` makes one for each command


class Action(NamedTuple):
    """A command that may be given now. `hint` says what it may bring; `weight` is main, plain or danger.

    `ask` is what a player is asked first, where the command gives something away. Where `address` is given,
    `command` is no command but courses of ships (see `plans`), and is sent there.
    """

    label: str
    command: str
    rule: str
    hint: str = ""
    weight: str = "plain"
    pressed: bool = False
    mark: str = ""
    ask: str = ""
    address: str = ""
    what: str = "action"

    @property
    def key(self) -> str:
        """A name for the page's ids: the command without its marks, a long one cut."""
        name = re.sub(r"[^A-Za-z0-9]+", "-", self.command).strip("-")
        return name if len(name) <= LONGEST else f"{name[:LONGEST]}-{crc32(name.encode()):08x}"


class Cannot(NamedTuple):
    """A command that a rule forbids now: a grey button that says why; at the level "advise" one may insist.

    `chosen` marks the one that was given before, as a speed whose plot is locked.
    """

    label: str
    reason: str
    rule: str
    command: str = ""
    chosen: bool = False
    what: str = "cannot"


@dataclass(frozen=True)
class Target:
    """An enemy in a weapon's reach: its range, and what one weapon does to it."""

    id: str
    name: str
    hint: str
    command: str = ""  # the shot at the range that a photograph measured


@dataclass(frozen=True)
class Volley:
    """One weapon of a ship: how many may fire, and at whom. `far` is the reach to type on the players' own table."""

    ship: str
    weapon: str
    label: str
    ready: int
    targets: tuple[Target, ...]
    far: int = 0
    ranges: tuple[tuple[int, str], ...] = ()
    what: str = "volley"


@dataclass(frozen=True)
class Blank:
    """An offer that this page has no picture for: its fields as a small form of choices."""

    label: str
    rule: str
    fixed: str
    fields: tuple[tuple[str, tuple[str, ...]], ...]
    what: str = "blank"


@dataclass(frozen=True)
class Bearing:
    """G1.6 Any angle or heading of a step on the measured sea, by a slider."""

    ship: str
    key: str
    low: int
    high: int
    now: int
    what: str = "bearing"


Order = Action | Cannot | Volley | Blank | Bearing
WORDED = frozenset(("plot", "step", "fire", "ram", "rake", "hold", "board", "contact", "leave", "finish"))


def command_json(kind: str, **fields: Any) -> str:
    """A command as JSON, for a button."""
    return as_json({"type": kind, **fields})


def together(commands: Sequence[dict[str, Any]]) -> str:
    """Several commands as one, and as one step of undo."""
    return as_json({"type": "together", "commands": list(commands)})


# -- Why the galley engine, the server or an undo refuses, in the reader's language, with names for ids.


def refusal(battle: Battle, why: Reason) -> str:
    """A reason as a sentence in the reader's language, with the ships' names for their ids."""
    if "label" in why.values:  # of the roll that must come first
        return _("Dice must be rolled first.")
    said = gettext(why.form)
    if why.values:
        said %= Values(lambda name: gap_text(battle, name, why.values[name]))
    return said[:1].upper() + said[1:] + ("" if said.endswith((".", "!", "?")) else ".")


def gap_text(battle: Battle, gap: str, value: Any) -> Any:
    """What fills a gap of a refusal: a number as it is, names for ids, words for the engine's own."""
    words = {
        "status": status_word,
        "weapon": weapon_word,
        "crew": quality_word,
        "crew2": quality_word,
        "step": step_word,
    }
    if isinstance(value, int):
        return value
    if isinstance(value, Reason):
        return gettext(value.form) % Values(lambda name: gap_text(battle, name, value.values[name]))
    word = words.get(gap) or (lambda each: name_of(battle, each))
    if isinstance(value, Iterable) and not isinstance(value, str):
        return (Either if gap == EITHER else Several)(
            gap_text(battle, gap, each) if isinstance(each, Reason) else word(str(each)) for each in value
        )
    return word(str(value))


def name_of(battle: Battle, id: str) -> str:
    """The name of a ship or a side; anything else as it is."""
    bare = id.strip("'")
    if bare in battle.ships:
        return ship_name(battle, bare)
    return full_name(side_name(battle, bare)) if bare in battle.sides else bare


def weapon_word(weapon: str) -> str:
    """One of a weapon."""
    known = {"archer": _("archer"), "catapult": _("catapult"), "stone_thrower": _("stone thrower")}
    return known.get(weapon, weapon)


def quality_word(crew: str) -> str:
    """A crew's quality."""
    return {"elite": _("elite"), "average": _("average"), "poor": _("poor")}.get(crew, crew)


def undo_word(why: Reason) -> str:
    """Why undo is barred, in the reader's language, without the codes of seats and rolls that a program is told."""
    if "seat" in why.values:
        return _("The last action was not yours: only the umpire, or all sides together, can take it back.")
    if "label" in why.values:
        return _("Dice must be rolled first.")
    return gettext(why.form, **why.values)


# -- G1.6 The step on the measured sea: chips for the usual angles, and a slider for any other.

CHIPS = (-60, -30, 0, 30, 60)
FACINGS = tuple(range(0, 360, 45))


def angle_steps(battle: Battle, offers: Sequence[Offer], ship_id: str) -> list[Order]:
    """G4.1 The chips of a step with where each leads, and any other angle by a slider and a number."""
    ship = battle.ships[ship_id]
    offered = [offer for offer in offers if offer.type == "step"]
    if not offered:
        wrong = movement.why_not_step(battle, Step(ship_id, angle=0))
        return [] if wrong is None else [Cannot(_("Step"), refusal(battle, wrong.why), wrong.rule)]
    key = "facing" if "facing" in offered[0].fields else "angle"
    found: list[Order] = []
    for value, way, command in chips(battle, ship_id, key):
        label, hint = words(battle, ship, value, way, key)
        weight = "danger" if way.meets in ("edge", "blocked") else "main" if value == 0 and key == "angle" else "plain"
        ask = _("She leaves the battle and does not come back.") if way.meets == "edge" else ""
        found.append(Action(label, command, offered[0].rule, hint, weight, ask=ask))
    ends = [(each["from"], each["to"]) if isinstance(each, dict) else (each, each) for each in values(offered, key)]
    low, high = min(each[0] for each in ends), max(each[1] for each in ends)
    if low != high:
        found.append(Bearing(ship_id, key, low, high, 0 if low <= 0 <= high else low))
    return found


def values(offers: Sequence[Offer], key: str) -> list[dict[str, int] | int]:
    """What the offers leave to choose."""
    return [offer.fields[key] for offer in offers]


def chips(battle: Battle, ship_id: str, key: str) -> list[tuple[int, Way, str]]:
    """The usual angles or headings that the rules take, with what each leads to and the command."""
    ship, found = battle.ships[ship_id], []
    for value in FACINGS if key == "facing" else CHIPS:
        step = Step(ship_id, facing=float(value)) if key == "facing" else Step(ship_id, angle=float(value))
        if movement.why_not_step(battle, step) is None:
            board = geometry(battle)
            way = board.way(battle, ship_id, ship, board.course(ship, step)[0])
            found.append((value, way, command_json("step", ship=ship_id, **{key: value})))
    return found


def angle_word(value: int, key: str, ship: Ship) -> str:
    """An angle as a button says it."""
    if key == "facing":
        return _("Face %(way)s", way=f"{value}°")
    if value == 0:
        return _("Back") if ship.speed < 0 else _("Ahead")
    return f"{'+' if value > 0 else ''}{minus(value)}°"


def words(battle: Battle, ship: Ship, value: int, way: Way, key: str) -> tuple[str, str]:
    """A chip and what it leads to."""
    label = angle_word(value, key, ship)
    if way.meets == "contact":
        return label, _("meets %(ship)s", ship=ship_name(battle, way.foes[0]))
    if way.meets == "edge":
        return label, _("leaves the battle across the edge of the board")
    if way.meets == "blocked":
        return label, _("is blocked by what lies ahead")
    return label, ""


def angle_ghosts(battle: Battle, offers: Sequence[Offer], ship_id: str) -> tuple[Ghost, ...]:
    """The chips as hulls where the ship comes to lie."""
    ship = battle.ships[ship_id]
    offered = [each for each in offers if each.type == "step" and each.fields.get("ship") == ship_id]
    if not offered or not movement.may_move_now(battle, ship.side):
        return ()
    key = "facing" if "facing" in offered[0].fields else "angle"
    found = []
    for value, way, command in chips(battle, ship_id, key):
        label, hint = words(battle, ship, value, way, key)
        turned = way.facing != ship.facing
        cost = _("turn cycle starts again: %(cycle)s", cycle=turn_cycle(battle.kind(ship), ship)) if turned else ""
        said = ", ".join(part for part in (f"{ship_name(battle, ship_id)}: {label}", hint, cost) if part)
        found.append(Ghost(str(value), way.facing, way.to, way.meets, said, command))
    return tuple(found)


# -- A seat's offers as buttons: what can be done with its odds, what cannot with the rule that forbids it.
#
# The engine says what is legal; here it is only put into words. A button carries the whole command as JSON.

_dials = Cache()


def why_not(battle: Battle, command: Any) -> Illegal | None:
    """The engine's own reason against a command; None when it is allowed."""
    return SEQUENCE.anywhere[type(command)].why_not(battle, command)


def cannot(battle: Battle, label: str, wrong: Illegal, command: str = "", chosen: bool = False) -> Cannot:
    """A refusal as a grey button."""
    return Cannot(label, refusal(battle, wrong.why), wrong.rule, command, chosen)


def of_ship(battle: Battle, offers: Sequence[Offer], ship_id: str, tape: Tape | None = None) -> list[Order]:
    """What may and may not be done with one ship now."""
    if not battle.ships[ship_id].is_afloat and battle.step != "ram":
        return []
    mine = [offer for offer in offers if offer.fields.get("ship") == ship_id]
    found: list[Order] = []
    match battle.step:
        case "plot":
            found += dial(battle, ship_id, any(offer.type == "plot" for offer in mine))
        case "move":
            found += steps(battle, mine, ship_id)
        case "fire":
            found += volleys(battle, mine, ship_id, tape)
        case "ram":
            found += meetings(battle, mine, ship_id)
        case "board":
            found += boardings(battle, mine, ship_id)
    if any(offer.type == "finish" for offer in mine):
        found.append(Action(_("Nothing more now"), command_json("finish", ship=ship_id), "G3.0"))
    return found + [blank(battle, offer) for offer in mine if offer.type not in WORDED]


def dial(battle: Battle, ship_id: str, may: bool) -> list[Order]:
    """G3.1 The speeds from backing to the maximum; those beyond this turn's limits are grey."""
    ship = battle.ships[ship_id]
    side = battle.sides[ship.side]
    deploying = battle.link.deploying if battle.link is not None else ()
    passing = None if ship.passing is None else (ship.passing, battle.ships.get(ship.passing))
    passed = None if passing is None else encode(passing)
    known = (encode(ship), encode(battle.kind(ship)), encode(side))
    depends = (*known, tuple(deploying), passed, battle.options.sprint)
    return list(_dials.get((ship_id, may, depends), lambda: speeds(battle, ship_id, may)))


def speeds(battle: Battle, ship_id: str, may: bool) -> tuple[Order, ...]:
    """Each speed, as it may be chosen or not."""
    ship = battle.ships[ship_id]
    kind = battle.kind(ship)
    low, high = plot_range(kind, ship, battle.options.sprint)
    found: list[Order] = []
    for speed in range(-1, max(maximum(kind, ship), high) + 1):
        command = command_json("plot", ship=ship_id, speed=speed)
        label = "−1" if speed < 0 else str(speed)
        if may and low <= speed <= high:
            sprint = is_sprint(kind, ship, speed, battle.options.sprint)
            hint = _("spends a sprint") if sprint else ""
            pressed = ship.plot == speed
            found.append(Action(label, command, "G3.1", hint, pressed=pressed, mark="!" if sprint else ""))
        elif (wrong := why_not(battle, Plot(ship_id, speed))) is not None:
            found.append(cannot(battle, label, wrong, command, ship.plot == speed))
    return tuple(found)


def steps(battle: Battle, offers: Sequence[Offer], ship_id: str) -> list[Order]:
    """G4.1 Left, ahead, right (or the six headings of G6.8), with where each leads; at sea the angles (G1.6)."""
    if battle.board.kind == "open":
        return angle_steps(battle, offers, ship_id)
    ship = battle.ships[ship_id]
    offered = next((offer for offer in offers if offer.type == "step"), None)
    found: list[Order] = []
    if offered is None:
        if (wrong := why_not(battle, Step(ship_id, turn="none"))) is not None:
            found.append(cannot(battle, _("Step"), wrong, command_json("step", ship=ship_id, turn="none")))
    else:
        ways = movement.choices(battle, ship_id, ship)
        key = "facing" if "facing" in offered.fields else "turn"
        for name in ways if key == "facing" else ("left", "none", "right"):
            command = command_json("step", ship=ship_id, **{key: name})
            if name in ways:
                label, hint = step_words(battle, ship, name, ways[name])
                weight = "danger" if ways[name].meets in ("edge", "blocked") else "main" if name == "none" else "plain"
                ask = _("She leaves the battle and does not come back.") if ways[name].meets == "edge" else ""
                found.append(Action(label, command, offered.rule, hint, weight, ask=ask))
            elif (wrong := why_not(battle, read(json.loads(command), Step))) is not None:
                found.append(cannot(battle, turn_word(name, ship), wrong, command))
    found += [hold_action(ship_id, "G4.3") for offer in offers if offer.type == "hold"]
    for offer in offers:
        if offer.type == "leave":
            ask = _("She leaves the battle and does not come back.")
            command = command_json("leave", ship=ship_id)
            found.append(Action(_("Leaves the table"), command, offer.rule, weight="danger", ask=ask))
    return found


def turn_word(name: str, ship: Ship) -> str:
    """A turn or a heading, as a button says it."""
    if name == "none":
        return _("Back") if ship.speed < 0 else _("Ahead")
    return {"left": _("Turn left"), "right": _("Turn right")}.get(name) or _("Face %(way)s", way=heading_word(name))


def step_words(battle: Battle, ship: Ship, name: str, way: Way) -> tuple[str, str]:
    """A step's button and what it leads to."""
    label = turn_word(name, ship)
    if way.meets == "contact" and way.to is not None:
        foe = next(other for other, there in battle.ships.items() if there.at == way.to)
        return label, _("meets %(ship)s", ship=ship_name(battle, foe))
    if way.meets == "edge":
        return label, _("leaves the battle across the edge of the board")
    if way.meets == "blocked":
        return label, _("is blocked by what lies ahead")
    return label, _("to %(hex)s", hex=hex_name(way.to)) if way.to is not None else ""


def ghosts(battle: Battle, offers: Sequence[Offer], ship_id: str) -> tuple[Ghost, ...]:
    """The steps on offer to a ship as ghosts on the board."""
    if battle.board.kind == "open":
        return angle_ghosts(battle, offers, ship_id)
    ship = battle.ships[ship_id]
    offered = next((each for each in offers if each.type == "step" and each.fields.get("ship") == ship_id), None)
    if offered is None or not battle.has_hexes:
        return ()
    key = "facing" if "facing" in offered.fields else "turn"
    found = []
    for name, way in movement.choices(battle, ship_id, ship).items():
        if way.to is None or way.facing is None:
            continue
        label, hint = step_words(battle, ship, name, way)
        turned = way.facing != ship.facing
        cost = "" if not turned else _("turn cycle starts again: %(cycle)s", cycle=turn_cycle(battle.kind(ship), ship))
        said = ", ".join(part for part in (f"{ship_name(battle, ship_id)}: {label}", hint, cost) if part)
        command = command_json("step", ship=ship_id, **{key: name})
        found.append(Ghost(name, way.facing, way.to, way.meets, said, command))
    return tuple(found)


def volleys(battle: Battle, offers: Sequence[Offer], ship_id: str, tape: Tape | None = None) -> list[Order]:
    """G5.1 Each weapon with the enemies that it reaches and sees, the nearest first; by a tape where one measured."""
    ship = battle.ships[ship_id]
    found: list[Order] = []
    offered = {offer.fields["weapon"]: offer for offer in offers if offer.type == "fire"}
    for weapon, row in missiles.WEAPONS.items():
        left = missiles.ready(ship, weapon)
        offer = offered.get(weapon)
        if offer is not None:
            names = offer.fields["target"]
            ids = [names] if isinstance(names, str) else list(names)
            near = tape.of(ship_id) if tape is not None else {}
            known = sorted((target(battle, ship_id, weapon, foe, near.get(foe)) for foe in ids), key=itemgetter(0))
            far = 0 if battle.has_places else row.reach
            ranges = tuple((reach, odds.faces_and_chance(weapon, reach)) for reach in range(1, far + 1))
            nearest = tuple(each for _range, each in known)
            found.append(Volley(ship_id, weapon, figures(weapon, left), left, nearest, far, ranges))
        elif left:
            found.append(no_volley(battle, ship, ship_id, weapon, left))
        elif getattr(ship, row.field) or ship.fired.get(weapon):
            said = _("They have already fired this turn: each fires once.")
            found.append(Cannot(figures(weapon, getattr(ship, row.field)), said, "G5.1"))
    return found


def target(battle: Battle, ship_id: str, weapon: str, foe: str, read: Measured | None) -> tuple[int, Target]:
    """An enemy in reach, with the chance of one weapon; on the players' own table with the range that was `read`."""
    ship, other = battle.ships[ship_id], battle.ships[foe]
    if not battle.has_places:
        return as_measured(ship_id, weapon, foe, ship_name(battle, foe), read)
    reach = missiles.range_between(battle, ship, other)
    return reach, Target(foe, ship_name(battle, foe), odds.one_shot(weapon, reach))


def as_measured(ship_id: str, weapon: str, foe: str, name: str, read: Measured | None) -> tuple[int, Target]:
    """G1.5 An enemy on the players' own table; where a photograph knows the range, with the shot at it."""
    if read is None:
        return 999, Target(foe, name, "")
    hint = range_words(read)
    if ship_id not in read.in_arc:
        hint = _("%(range)s, abaft the beam", range=hint)
    reach, far = read.ranges[0], missiles.WEAPONS[weapon].reach
    if len(read.ranges) > 1 or reach > far:
        return reach, Target(foe, name, hint)
    command = command_json("fire", ship=ship_id, weapon=weapon, target=foe, range=reach)
    return reach, Target(foe, name, f"{hint}: {odds.one_shot(weapon, reach)}", command)


def range_words(read: Measured) -> str:
    """G1.3 A range, or the two between which a ruler must decide; and whether something lies between."""
    if len(read.ranges) > 1:
        low, high = read.ranges[:2]
        said = _("range %(low)s or %(high)s: use a ruler", low=low, high=high)
    else:
        said = _("range %(range)s", range=read.ranges[0])
    return _("%(range)s, something lies between", range=said) if read.between else said


def no_volley(battle: Battle, ship: Ship, ship_id: str, weapon: str, left: int) -> Cannot:
    """Why a weapon that is ready has nobody to fire at."""
    label = figures(weapon, left)
    row = missiles.WEAPONS[weapon]
    if battle.sides[ship.side].done:
        return Cannot(label, _("This step is done for %(side)s.", side=side_name(battle, ship.side)), "G3.0")
    if row.artillery and ship.boarding is not None:
        return Cannot(label, _("In a boarding fight only the archers fire."), "G5.5")
    enemies = [other for other in battle.ships.values() if missiles.is_target(ship, other)]
    if ship.at is None or not enemies:
        return Cannot(label, _("There is no enemy to fire at."), "G5.1")
    near = min(missiles.range_between(battle, ship, other) for other in enemies if other.at is not None)
    if near > row.reach:
        said = _("The nearest enemy is at range %(near)s; these weapons reach %(reach)s.", near=near, reach=row.reach)
        return Cannot(label, said, "G5.3")
    return Cannot(label, _("Every enemy in reach is hidden."), "G5.6")


def meetings(battle: Battle, offers: Sequence[Offer], ship_id: str) -> list[Order]:
    """G6.1, G6.9, G7.1 Ram, rake or hold, with the chances before the dice."""
    ship = battle.ships[ship_id]
    kinds = {offer.type for offer in offers}
    found: list[Order] = []
    if ship.contact is None:
        return [Cannot(_("Ram"), _("No enemy is in contact with her."), "G4.6")] if ship.is_afloat else []
    foe = ship_name(battle, ship.contact)
    for kind, label, command in (
        ("ram", _("Ram %(ship)s", ship=foe), Ram(ship_id)),
        ("rake", _("Break the oars of %(ship)s", ship=foe), Rake(ship_id)),
    ):
        if kind in kinds:
            hint = odds.ram(battle, ship_id) if kind == "ram" else _("no roll needed: it succeeds")
            rule = "G6.1" if kind == "ram" else "G7.1"
            found.append(
                Action(label, command_json(kind, ship=ship_id), rule, hint, "main" if kind == "ram" else "plain")
            )
        elif (wrong := why_not(battle, command)) is not None:
            found.append(cannot(battle, label, wrong, command_json(kind, ship=ship_id)))
    if "hold" in kinds:
        found.append(hold_action(ship_id, "G6.9"))
    return found


def hold_action(ship_id: str, rule: str) -> Action:
    """Stop here."""
    return Action(_("Hold"), command_json("hold", ship=ship_id), rule, _("stops, speed 0; she may board"))


def boardings(battle: Battle, offers: Sequence[Offer], ship_id: str) -> list[Order]:
    """G8.1 Whom the ship may board, and why not its other neighbours."""
    ship = battle.ships[ship_id]
    found: list[Order] = []
    allowed: list[str] = []
    for offer in offers:
        if offer.type == "board":
            names = offer.fields["target"]
            allowed += [names] if isinstance(names, str) else list(names)
    for foe in allowed:
        label = _("Board %(ship)s", ship=ship_name(battle, foe))
        hint = odds.boarding(battle, ship_id, foe)
        found.append(Action(label, command_json("board", ship=ship_id, target=foe), "G8.1", hint, "main"))
        if ship.corvus:
            label = _("Board %(ship)s without the corvus", ship=ship_name(battle, foe))
            found.append(
                Action(label, command_json("board", ship=ship_id, target=foe, corvus=False), "G8.1", _("on 4 to 6"))
            )
    for foe, other in battle.ships.items():
        near = ship.at and other.at and missiles.range_between(battle, ship, other) <= 1
        if near and foe not in allowed and other.side != ship.side:
            wrong = why_not(battle, Board(ship_id, foe))
            if wrong is not None:
                label = _("Board %(ship)s", ship=ship_name(battle, foe))
                found.append(cannot(battle, label, wrong, command_json("board", ship=ship_id, target=foe)))
    if not found:
        found.append(Cannot(_("Board"), _("No enemy is at range 1."), "G8.1"))
    return found


def blank(battle: Battle, offer: Offer) -> Blank | Action:
    """Any other offer: as a button, or with its choices."""
    fixed = {name: value for name, value in offer.fields.items() if not isinstance(value, list | dict)}
    open_fields = []
    for name, value in offer.fields.items():
        if isinstance(value, list):
            open_fields.append((name, tuple(str(each) for each in value)))
        elif isinstance(value, dict):
            open_fields.append((f"{name}:int", tuple(str(each) for each in range(value["from"], value["to"] + 1))))
    label = offer.type.replace("_", " ").capitalize()
    if not open_fields:
        return Action(label, command_json(offer.type, **fixed), offer.rule)
    return Blank(label, offer.rule, command_json(offer.type, **fixed), tuple(open_fields))


APART = ("resign", "agree", "forgo", "reroll")  # what a side may say that has a place of its own


def speaker(battle: Battle, offers: Sequence[Offer], todo: Sequence[str], ship: str | None) -> str:
    """The side whose buttons stand at the bottom: the selected ship's where it has a say, else the first that has one.

    Only an umpire may speak for several. Empty where nobody has anything to say.
    """
    said = {str(offer.fields.get("side", "")) for offer in offers if is_of_side(offer)}
    said |= {battle.ships[name].side for name in todo}
    chosen = battle.ships[ship].side if ship in battle.ships else ""
    return chosen if chosen in said else next((side for side in battle.sides if side in said), "")


def is_of_side(offer: Offer) -> bool:
    """Is it for a side to say, not for a ship, and with no place of its own?"""
    return "ship" not in offer.fields and offer.type not in APART


def of_side(battle: Battle, offers: Sequence[Offer], side: str) -> list[Action]:
    """What a side, not a ship, may say: lock, done, evade; and the umpire that dice are to fall."""
    found = []
    for offer in offers:
        if not is_of_side(offer) or offer.fields.get("side", side) != side:
            continue
        label = {
            "lock": _("Lock the plots"),
            "done": done_word(battle.step),
            "evade": _("Concede supremacy and leave"),
            "keep": _("Keep the dice"),
            "go_on": _("Roll these dice"),
        }.get(offer.type)
        if label is None:
            order = blank(battle, offer)
            if isinstance(order, Action):
                found.append(order)
            continue
        if offer.type == "go_on":
            hint = _(
                "The dice that are due were not rolled by your adjustment. They will be rolled now, or with the "
                "next command of a side."
            )
            found.append(Action(label, command_json("go_on"), offer.rule, hint, "main"))
            continue
        ask = given_away(battle, offer.type, side)
        weight = "danger" if offer.type == "evade" else "main"
        if ask and battle.step in ("ram", "board"):
            weight = "plain" if offer.type == "done" else weight  # her ram or her boarding is the thing to do
        found.append(Action(label, command_json(offer.type, side=side), offer.rule, weight=weight, ask=ask))
    return sorted(found, key=lambda each: each.weight == "danger")  # nobody leaves by a hasty thumb


def lock_the_rest(battle: Battle, side: str) -> list[Action]:
    """G3.1 Lock, while ships of the side have no speed yet: they cruise, and the button asks first."""
    bare = to_plot(battle, side)
    if not bare or battle.sides[side].locked:
        return []
    speeds = [
        (name, paces(battle.ships[name], battle.kind(battle.ships[name]), battle.options.sprint)) for name in bare
    ]
    cruising = [{"type": "plot", "ship": name, "speed": pace} for name, (_same, pace, *_rest) in speeds]
    ask = ngettext(
        "%(num)d ship has no speed yet: she cruises.", "%(num)d ships have no speed yet: they cruise.", len(bare)
    )
    command = together([*cruising, {"type": "lock", "side": side}])
    return [Action(_("Lock the plots"), command, "G3.1", weight="main", ask=ask)]


def given_away(battle: Battle, kind: str, side: str) -> str:
    """What a side's word would give away, as a question before it is said; empty when nothing is lost."""
    if kind == "evade":
        return _("%(side)s leaves the sea to the enemy and the battle ends.", side=side_name(battle, side))
    open_fire = battle.step == "fire" and not battle.has_places  # nobody knows whether anybody is in reach
    left = len(to_act(battle, side)) if kind == "done" and deploys(battle) is None and not open_fire else 0
    if not left:
        return ""
    return ngettext("%(num)d ship can still act. Finish anyway?", "%(num)d ships can still act. Finish anyway?", left)


def done_word(step: str) -> str:
    """What "done" means in a step."""
    known = {
        "move": _("Done moving"),
        "fire": _("Done firing"),
        "ram": _("Done; hold the rest"),
        "board": _("Done boarding"),
        "end": _("Done with the turn"),
        "plot": _("Done deploying"),
    }
    return known.get(step, _("Done"))


def insist_on(command: str) -> str:
    """The same command with "do it anyway", for the level "advise"."""
    return json.dumps({**json.loads(command), "anyway": True}, separators=(",", ":"))


# -- G10.1 Ending a battle by word: giving up, and agreeing to end it. Kept in the menu, away from a hasty thumb.
#
# When one side has agreed, the question stands before the other on its page.


@dataclass(frozen=True)
class Closing:
    """What may be said about the end: who has agreed so far (names), giving up, and agreeing or taking it back."""

    agreed: tuple[str, ...] = ()
    resign: tuple[Order, ...] = ()
    agree: tuple[Action, ...] = ()


def closing(battle: Battle, sides: Sequence[str], may: bool) -> Closing:
    """The end as the seat of these sides may speak of it; nothing to press while it may not act."""
    if battle.is_over:
        return Closing()
    asks = tuple(side_name(battle, name) for name, side in battle.sides.items() if side.agreed)
    mine = [name for name in sides if not battle.sides[name].resigned] if may else []
    return Closing(
        asks, tuple(give_up(battle, side) for side in mine), tuple(agree_word(battle, side) for side in mine)
    )


def give_up(battle: Battle, side: str) -> Order:
    """G10.1 Giving up, or why it cannot be done: nobody resigns a battle of a campaign (L1.2)."""
    label = _("Give up for %(side)s", side=side_name(battle, side))
    wrong = why_not(battle, Resign(side))
    if wrong is not None:
        return cannot(battle, label, wrong)
    ask = _("This loses the battle at once for %(side)s. Really give up?", side=side_name(battle, side))
    return Action(label, command_json("resign", side=side), "G10.1", weight="danger", ask=ask)


def agree_word(battle: Battle, side: str) -> Action:
    """G10.1 Agreeing to end the battle, or taking that word back."""
    if battle.sides[side].agreed:
        label = _("Take back the agreement of %(side)s", side=side_name(battle, side))
        return Action(label, command_json("agree", side=side, agreed=False), "G10.1")
    label = _("Agree for %(side)s to end the battle", side=side_name(battle, side))
    return Action(label, command_json("agree", side=side), "G10.1")


# -- G3.0.a Holding fire, or boarding nobody, for the rest of the turn: the buttons that say so and take it back.

STEPS = ("fire", "board")


def forgo_word(step: str) -> str:
    """What a side says."""
    return _("Hold fire this turn") if step == "fire" else _("Board no ship this turn")


def back_word(step: str) -> str:
    """What takes that back."""
    return _("Fire after all this turn") if step == "fire" else _("Board after all this turn")


def forgoing(battle: Battle, offers: Sequence[Offer], side: str) -> list[Action]:
    """Beside `done`, while such a step may come again in this turn."""
    if battle.step not in STEPS or battle.phase is None or battle.phase >= MOVEMENT.phases:
        return []
    if not any(offer.type == "done" and offer.fields["side"] == side for offer in offers):
        return []
    return [Action(forgo_word(battle.step), command_json("forgo", side=side, step=battle.step), "G3.0.a")]


def for_turn(battle: Battle, side: str) -> list[Action]:
    """What the side has said, to be taken back; in the plot also what it may say."""
    found = []
    for step in STEPS if not battle.is_over else ():
        said = step in battle.sides[side].forgoes
        if said or battle.step == "plot":
            command = command_json("forgo", side=side, step=step, forgone=not said)
            found.append(Action(back_word(step) if said else forgo_word(step), command, "G3.0.a"))
    return found


# -- What a whole fleet or a squadron does in one action: plots, steps, fire, boarding.


def plot_all(battle: Battle, names: Sequence[str]) -> list[Action]:
    """G3.1 One speed for many ships: each as near to it as its own limits allow."""
    able = [name for name in names if plotting.can_plot(battle.ships[name])]
    if not able or battle.sides[battle.ships[able[0]].side].locked:
        return []

    ships, option = battle.ships, battle.options.sprint
    alike = tuple((name, paces(ships[name], battle.kind(ships[name]), option)) for name in able)
    same, slow, fast, rest, in_line = all_at(alike)
    found = [
        Action(_("Same as last turn"), same, "G3.1"),
        Action(_("All cruise"), slow, "G3.1"),
        Action(_("All at maximum"), fast, "G3.3", mark="!"),
        Action(_("All at rest"), rest, "G3.1"),
    ]
    if in_line != slow:
        found.insert(1, Action(_("All cruise together"), in_line, "G3.1"))
    return found


Paces = tuple[int, int, int, int]  # as last turn, cruise, limit, rest, each as near as the ship's limits allow


def paces(ship: Ship, kind: ShipType, option: str) -> Paces:
    """G3.1 The speeds that a whole fleet may be told to take."""
    low, high = plot_range(kind, ship, option)
    wanted = (ship.speed, cruise(kind, ship), limit(kind, ship, option), 0)
    same, slow, fast, rest = (max(low, min(high, speed)) for speed in wanted)
    return same, slow, fast, rest


@lru_cache(maxsize=1024)
def all_at(alike: tuple[tuple[str, Paces], ...]) -> tuple[str, ...]:
    """The commands that bring all these ships to one pace, for each of them, and to the slowest ship's cruise."""
    slowest = min((slow for _name, (_same, slow, _fast, _rest) in alike if slow > 0), default=0)
    paced = [(name, (*each, max(each[3], min(each[1], slowest)))) for name, each in alike]
    return tuple(
        together([{"type": "plot", "ship": name, "speed": speeds[place]} for name, speeds in paced])
        for place in range(5)
    )


def all_at_once(
    battle: Battle, names: Sequence[str], what: str, said: Callable[[int], str], least: int = 1, **more: Any
) -> list[Action]:
    """One command for a whole side, or for the one squadron to which all these ships belong; `said` by how many move.

    Nothing where fewer than `least` ships can do it.
    """
    if not names:
        return []
    side, squadrons = battle.ships[names[0]].side, {battle.ships[name].squadron for name in names}
    squadron = squadrons.pop() if len(squadrons) == 1 else None
    count = len(courses.orders(battle, side, what, squadron))
    if count < least:
        return []
    command = {"type": "together", "side": side, "what": what}
    if squadron is not None:
        command["squadron"] = squadron
    return [Action(said(count), as_json(command), courses.RULES[what], **more)]


def step_all(battle: Battle, names: Sequence[str]) -> list[Action]:
    """G4.1, G4.6, G4.3 Ahead, left or right for all that can; ahead into the enemy, or up to what bars the way."""
    return [
        *all_at_once(battle, names, "ahead", lambda count: _("All ahead (%(count)s)", count=count), weight="main"),
        *all_at_once(battle, names, "left", lambda count: _("All turn left (%(count)s)", count=count)),
        *all_at_once(battle, names, "right", lambda count: _("All turn right (%(count)s)", count=count)),
        *all_at_once(
            battle, names, "meet", lambda count: _("Ahead: all ships that meet an enemy (%(count)s)", count=count), 2
        ),
        *all_at_once(
            battle,
            names,
            "run_up",
            lambda count: _("Ahead: all ships whose path is blocked (%(count)s)", count=count),
            2,
            hint=_("they are blocked by what lies ahead"),
            weight="danger",
        ),
    ]


def board_all(battle: Battle, names: Sequence[str]) -> list[Action]:
    """G8.1 Board with every ship of these that is likelier to win the fight than not; no two board the same enemy."""
    taken = sum(chance for _name, chance in courses.good_fights(battle, names).values())
    hint = _("about %(ships)s ships taken in the end", ships=format_decimal(taken, "0.0"))
    return all_at_once(
        battle,
        names,
        "board",
        lambda count: _("Board where the odds are good (%(count)s)", count=count),
        2,
        hint=hint,
        weight="main",
    )


def fire_all(battle: Battle, names: Sequence[str]) -> list[tuple[str, str, list[Action]]]:
    """G5.1 Everything that these ships can throw at one enemy, by enemy: id, name, and the action."""
    found: dict[str, list[dict[str, Any]]] = {}
    if not battle.has_places or battle.step != "fire":
        return []
    for name in names:
        ship = battle.ships[name]
        if battle.sides[ship.side].done:
            continue
        for weapon in missiles.WEAPONS:
            if not missiles.may_fire(ship, weapon):
                continue
            for foe in missiles.targets(battle, ship, weapon):
                shot = {
                    "type": "fire",
                    "ship": name,
                    "weapon": weapon,
                    "count": missiles.ready(ship, weapon),
                    "target": foe,
                }
                found.setdefault(foe, []).append(shot)
    listed = sorted(found.items(), key=lambda each: -sum(shot["count"] for shot in each[1]))
    found_actions = []
    for foe, shots in listed[:8]:
        name = ship_name(battle, foe)
        count = sum(shot["count"] for shot in shots)
        hits = sum(shot["count"] * hit_chance(battle, shot["ship"], shot["weapon"], foe) for shot in shots)
        dice = (
            ngettext("%(num)d die", "%(num)d dice", count)
            + ", "
            + _("about %(hits)s hits", hits=format_decimal(hits, "0.0"))
        )
        action = Action(_("All fire at %(ship)s", ship=name), together(shots), "G5.1", dice)
        found_actions.append((foe, name, [action]))
    return found_actions


def hit_chance(battle: Battle, ship_id: str, weapon: str, foe: str) -> float:
    """G5.2 The chance of one shot to do anything."""
    row = missiles.WEAPONS[weapon]
    reach = missiles.range_between(battle, battle.ships[ship_id], battle.ships[foe])
    return sum(1 for face in range(1, 7) if row.effect(reach, face).kills or row.effect(reach, face).hull) / 6


def hold_all(battle: Battle, names: Sequence[str]) -> list[Action]:
    """G6.9 Hold every contact of these ships."""
    return all_at_once(battle, names, "hold", lambda count: _("All hold (%(count)s)", count=count))


def ram_all(battle: Battle, names: Sequence[str]) -> list[Action]:
    """G6.1 Ram with every ship of these that may, where no two meet the same enemy."""
    return all_at_once(battle, names, "ram", lambda count: _("All ram (%(count)s)", count=count), 2, weight="main")


def finish_all(battle: Battle, names: Sequence[str]) -> list[Action]:
    """G3.0 Nothing more with these ships in this fire or board step."""
    able = [name for name in names if why_not_finish(battle, Finish(name)) is None]
    if battle.step not in ("fire", "board") or not able or battle.sides[battle.ships[able[0]].side].done:
        return []
    commands = [{"type": "finish", "ship": name} for name in able]
    return [Action(_("Nothing more (%(count)s)", count=len(able)), together(commands), "G3.0")]


def of_squadron(battle: Battle, names: Sequence[str]) -> list[Action]:
    """What a squadron may do in one action, which is one step of undo."""
    match battle.step:
        case "plot":
            return plot_all(battle, names)
        case "move":
            return step_all(battle, names)
        case "fire":
            shots = [action for _foe, _name, actions in fire_all(battle, names) for action in actions]
            return [*shots, *finish_all(battle, names)]
        case "ram":
            return [*ram_all(battle, names), *hold_all(battle, names)]
        case "board":
            return [*board_all(battle, names), *finish_all(battle, names)]
    return []


# -- Tapping an enemy: the first tap shows what the selected ship can do to her and how likely, the second does it.
#
# The same chances stand on the board: a percentage, and in a word what it is the chance of.


@dataclass(frozen=True)
class Aim:
    """What the selected ship can do to one enemy now; the first action is what a second tap on her does."""

    target: str
    name: str
    actions: tuple[Action, ...]
    chances: tuple[str, ...]
    odds: tuple[float, str]  # the chance of what the first action is for, and that in a word


def aims(battle: Battle, offers: Sequence[Offer], ship_id: str | None) -> Mapping[str, Aim]:
    """The enemies that the selected ship can fire at, board or settle a contact with, each with what it takes."""
    ship = battle.ships.get(ship_id or "")
    mine = [offer for offer in offers if offer.fields.get("ship") == ship_id]
    if ship is None or ship_id is None or not mine or not battle.has_places:
        return {}
    if battle.step == "fire":
        return {
            foe: Aim(foe, name, tuple(actions), chances(battle, ship_id, foe), of_fire(battle, ship_id, foe))
            for foe, name, actions in fire_all(battle, [ship_id])
        }
    if battle.step == "ram" and ship.contact is not None:
        found = tuple(each for each in meetings(battle, mine, ship_id) if isinstance(each, Action))
        if not found:
            return {}
        rams = any(offer.type == "ram" for offer in mine)
        odds = of_ram(battle, ship_id, ship.contact) if rams else (1.0, _("oars"))
        return {ship.contact: Aim(ship.contact, ship_name(battle, ship.contact), found, (), odds)}
    if battle.step == "board":
        boards = [each for each in boardings(battle, mine, ship_id) if isinstance(each, Action)]
        by_foe: dict[str, list[Action]] = {}
        for foe in battle.ships:
            by_foe[foe] = [each for each in boards if f'"target":"{foe}"' in each.command]
        return {
            foe: Aim(foe, ship_name(battle, foe), tuple(found), (), of_boarding(battle, ship_id, foe))
            for foe, found in by_foe.items()
            if found
        }
    return {}


def chances(battle: Battle, ship_id: str, foe: str) -> tuple[str, ...]:
    """What each weapon does at this range."""
    ship, other = battle.ships[ship_id], battle.ships[foe]
    reach = missiles.range_between(battle, ship, other)
    return tuple(
        f"{figures(weapon, missiles.ready(ship, weapon))}: {battle_odds.one_shot(weapon, reach)}"
        for weapon in missiles.WEAPONS
        if missiles.may_fire(ship, weapon) and foe in missiles.targets(battle, ship, weapon)
    )


def of_fire(battle: Battle, ship_id: str, foe: str) -> tuple[float, str]:
    """G5.2 The chance that all her weapons together kill anybody or, where that is likelier, hole the hull."""
    ship = battle.ships[ship_id]
    reach = missiles.range_between(battle, ship, battle.ships[foe])
    no_death = no_hole = 1.0
    for weapon, row in missiles.WEAPONS.items():
        if not missiles.may_fire(ship, weapon) or foe not in missiles.targets(battle, ship, weapon):
            continue
        effects = [row.effect(reach, face) for face in range(1, 7)]
        count = missiles.ready(ship, weapon)
        no_death *= (sum(not effect.kills for effect in effects) / 6) ** count
        no_hole *= (sum(not effect.hull for effect in effects) / 6) ** count
    return (1 - no_hole, _("holed")) if no_hole < no_death else (1 - no_death, _("1 dead"))


def of_ram(battle: Battle, ship_id: str, foe: str) -> tuple[float, str]:
    """G6.1, G6.2, G9.3 The chance that she sinks of a ram by the turn's end; where she cannot, that it strikes."""
    ship, other = battle.ships[ship_id], battle.ships[foe]
    strikes = 1.0
    if ship.contact == foe and battle_odds.meets_head_on(battle, ship_id, foe):
        rams, _rammed, both = battle_odds.head_on(ship.crew, other.crew)
        strikes = rams + both
    fast = ramming.has_full_speed(battle.kind(ship), ship)
    sinks = battle_odds.blow_of(battle, ship_id, foe, fast).sunk_this_turn
    return (strikes * sinks, _("sinks")) if sinks else (strikes, _("rammed"))


def of_boarding(battle: Battle, ship_id: str, foe: str) -> tuple[float, str]:
    """G8.1, G8.4 The chance to come aboard and win the fight there."""
    chance = courses.getting_aboard(battle, ship_id, foe)
    return chance * courses.winning(battle, ship_id, foe), _("takes her")


def on_board(battle: Battle, look: Looking, found: Mapping[str, Aim], ghosts: Sequence[Ghost]) -> tuple[Chance, ...]:
    """The cards of the board: what can be done now, and dashed the rams that the steps on offer lead to."""
    now = [
        Chance(
            foe,
            aim.name,
            battle_odds.percent_sign(aim.odds[0]),
            aim.odds[1],
            look.url(target=foe),
            aim.actions[0].command if foe == look.target else "",
        )
        for foe, aim in found.items()
    ]
    ship = battle.ships.get(look.ship or "")
    later: dict[str, Chance] = {}
    if ship is not None and look.ship is not None and battle.kind(ship).ram is not None:
        for ghost in ghosts:
            foes = [name for name, each in battle.ships.items() if each.at == ghost.to and each.side != ship.side]
            for foe in foes if ghost.meets == "contact" else ():
                chance, word = of_ram(battle, look.ship, foe)
                later[foe] = Chance(foe, ship_name(battle, foe), battle_odds.percent_sign(chance), word)
    return (*now, *(each for foe, each in later.items() if foe not in found))
