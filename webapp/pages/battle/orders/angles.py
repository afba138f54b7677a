"""G1.6 The step on the measured sea: chips for the usual angles, and a slider for any other."""

from __future__ import annotations

from collections.abc import Sequence

from tactical.battle import Battle
from tactical.commands import Step
from tactical.geometry import geometry
from tactical.geometry.places import Way
from tactical.kernel.protocol import Offer
from tactical.rules import movement
from tactical.ship import Ship, turn_cycle
from webapp.http.language import gettext as _
from webapp.http.signs import minus
from webapp.pages.battle.board.marks import Ghost
from webapp.pages.battle.orders.order_records import Action, Bearing, Cannot, Order, command_json
from webapp.pages.battle.orders.refusal_said import refusal
from webapp.presenting.battle_labels import ship_name

CHIPS = (-60, -30, 0, 30, 60)
FACINGS = tuple(range(0, 360, 45))


def steps(battle: Battle, offers: Sequence[Offer], ship_id: str) -> list[Order]:
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


def ghosts(battle: Battle, offers: Sequence[Offer], ship_id: str) -> tuple[Ghost, ...]:
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
