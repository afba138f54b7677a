"""A seat's offers as buttons: what can be done with its odds, what cannot with the rule that forbids it.

The engine says what is legal; here it is only put into words. A button carries the whole command as JSON.
"""

from __future__ import annotations

import json
from collections.abc import Sequence
from typing import Any

from flask_babel import ngettext

from tactical.battle import Battle
from tactical.commands import Board, Plot, Rake, Ram, Step
from tactical.geometry.places import Way
from tactical.kernel.protocol import Illegal, Offer
from tactical.kernel.record import encode, read
from tactical.offers import to_act
from tactical.rules import missiles, movement
from tactical.rules.linked import deploys
from tactical.sequence import SEQUENCE
from tactical.ship import Ship, is_sprint, maximum, plot_range, turn_cycle
from webapp.http.cache import Cache
from webapp.http.language import gettext as _
from webapp.pages.battle.board.marks import Ghost
from webapp.pages.battle.orders import angles, odds_hint
from webapp.pages.battle.orders.order_records import (
    WORDED,
    Action,
    Blank,
    Cannot,
    Order,
    Target,
    Volley,
    command_json,
)
from webapp.pages.battle.orders.refusal_said import refusal
from webapp.presenting.battle_labels import (
    figures,
    heading_word,
    hex_name,
    ship_name,
    side_name,
)

_dials = Cache()


def why_not(battle: Battle, command: Any) -> Illegal | None:
    """The engine's own reason against a command; None when it is allowed."""
    return SEQUENCE.anywhere[type(command)].why_not(battle, command)


def cannot(battle: Battle, label: str, wrong: Illegal, command: str = "", chosen: bool = False) -> Cannot:
    """A refusal as a grey button."""
    return Cannot(label, refusal(battle, wrong.why), wrong.rule, command, chosen)


def of_ship(battle: Battle, offers: Sequence[Offer], ship_id: str) -> list[Order]:
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
            found += volleys(battle, mine, ship_id)
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
        return angles.steps(battle, offers, ship_id)
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
        return angles.ghosts(battle, offers, ship_id)
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


def volleys(battle: Battle, offers: Sequence[Offer], ship_id: str) -> list[Order]:
    """G5.1 Each weapon with the enemies that it reaches and sees, the nearest first."""
    ship = battle.ships[ship_id]
    found: list[Order] = []
    offered = {offer.fields["weapon"]: offer for offer in offers if offer.type == "fire"}
    for weapon, row in missiles.WEAPONS.items():
        left = missiles.ready(ship, weapon)
        offer = offered.get(weapon)
        if offer is not None:
            names = offer.fields["target"]
            ids = [names] if isinstance(names, str) else list(names)
            known = sorted((target(battle, ship, weapon, foe) for foe in ids), key=lambda each: each[0])
            far = 0 if battle.has_places else row.reach
            ranges = tuple((reach, odds_hint.faces_and_chance(weapon, reach)) for reach in range(1, far + 1))
            nearest = tuple(each for _range, each in known)
            found.append(Volley(ship_id, weapon, figures(weapon, left), left, nearest, far, ranges))
        elif left:
            found.append(no_volley(battle, ship, ship_id, weapon, left))
        elif getattr(ship, row.field) or ship.fired.get(weapon):
            said = _("They have already fired this turn: each fires once.")
            found.append(Cannot(figures(weapon, getattr(ship, row.field)), said, "G5.1"))
    return found


def target(battle: Battle, ship: Ship, weapon: str, foe: str) -> tuple[int, Target]:
    """An enemy in reach, with the chance of one weapon."""
    other = battle.ships[foe]
    if not battle.has_places:
        return 0, Target(foe, ship_name(battle, foe), "")
    reach = missiles.range_between(battle, ship, other)
    return reach, Target(foe, ship_name(battle, foe), odds_hint.one_shot(weapon, reach))


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
            hint = odds_hint.ram(battle, ship_id) if kind == "ram" else _("no roll needed: it succeeds")
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
        hint = odds_hint.boarding(battle, ship_id, foe)
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


def of_sides(battle: Battle, offers: Sequence[Offer]) -> list[Action]:
    """What sides, not ships, may do: lock, done, evade; several sides (for the umpire) by name."""
    found = []
    apart = ("resign", "agree", "forgo", "reroll")  # they have a place of their own
    own = [offer for offer in offers if "ship" not in offer.fields and offer.type not in apart]
    many = len({offer.fields.get("side") for offer in own}) > 1
    for offer in own:
        side = str(offer.fields.get("side", ""))
        name = side_name(battle, side)
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
        weight = "main" if offer.type in ("lock", "keep") else "plain" if offer.type == "done" else "danger"
        said = f"{name}: {label}" if many else label
        ask = given_away(battle, offer.type, side)
        if offer.type == "done" and not ask:
            weight = "main"
        found.append(Action(said, command_json(offer.type, side=side), offer.rule, weight=weight, ask=ask))
    return sorted(found, key=lambda each: each.weight == "danger")  # nobody leaves by a hasty thumb


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
