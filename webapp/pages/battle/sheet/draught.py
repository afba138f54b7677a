"""The sheet that is the ship: what its two plans are drawn from, and beside them every number in text."""

from __future__ import annotations

from dataclasses import dataclass

from flask_babel import ngettext
from markupsafe import Markup

from tactical.battle import Battle
from tactical.ship import FIGURES, MOVEMENT, STEPS_OF, Ship, complement_of, cruise, limit, maximum, turn_cycle
from webapp.http.language import gettext as _
from webapp.http.signs import minus
from webapp.presenting.battle_labels import figure_word, figures, letters, tones
from webapp.presenting.labels import rowers_word
from webapp.presenting.ships.deck_plan import deck_plan
from webapp.presenting.ships.figures import figure_sign
from webapp.presenting.ships.looks import galley_of, look_of
from webapp.presenting.ships.plans import Plans
from webapp.presenting.ships.profile import profile


@dataclass(frozen=True)
class Figures:
    """A kind of figure: how many are aboard, of how many, its sign and its word."""

    aboard: int
    whole: int
    sign: Markup
    word: str


@dataclass(frozen=True)
class Draught:
    """A ship's plans and numbers. `boxes` are the speeds up to her highest, each lit, free or barred; `turns` the
    straight steps of her cycle, each made or owed; `sprints` those of the battle, each left or spent; `steps` the
    phases of the turn in which she steps."""

    hull: Markup
    deck: Markup
    left: int
    whole: int
    crew: tuple[Figures, ...]
    speed: str
    boxes: tuple[str, ...]
    rowers: str
    turns: tuple[bool, ...]
    turning: str
    sprints: tuple[bool, ...]
    steps: tuple[tuple[int, str], ...]
    notes: tuple[tuple[str, str, str], ...]  # what is out of order: words, rule, weight

    @property
    def is_grave(self) -> bool:
        """Is a third of the hull left, or less?"""
        return self.left * 3 <= self.whole


def whole_crew(battle: Battle, ship: Ship) -> dict[str, int]:
    """The figures that a ship began with: her type's complement, or what is aboard when that is more."""
    listed = complement_of(battle.kind(ship), battle.sides[ship.side].navy)
    return {name: max(getattr(listed, name, 0) if listed else 0, getattr(ship, name)) for name in FIGURES}


def plans_of(battle: Battle, ship_id: str) -> Plans:
    """What the plans of a ship are drawn from."""
    ship = battle.ships[ship_id]
    kind, crew = battle.kind(ship), whole_crew(battle, ship)
    order, pennants = tones(battle), letters(battle)
    captor = (order[ship.captured_by], pennants[ship.captured_by]) if ship.captured_by in order else None
    look = look_of(battle, ship.side)
    return Plans(
        galley_of(ship, kind.hull, look, order[ship.side], pennants[ship.side], captor),
        kind.hull,
        kind.hull if ship.status == "sunk" else min(ship.damage, kind.hull),
        ship.breaches,
        ship.repaired,
        tuple((name, getattr(ship, name)) for name in FIGURES if getattr(ship, name)),
        tuple((name, count - getattr(ship, name)) for name, count in crew.items() if count > getattr(ship, name)),
        maximum(kind, ship),
        cruise(kind, ship),
        limit(kind, ship, battle.options.sprint),
    )


def draught(battle: Battle, ship_id: str) -> Draught:
    """The plans and numbers of a ship's sheet."""
    ship, plans = battle.ships[ship_id], plans_of(battle, ship_id)
    left, owed = plans.hull - plans.lost, max(0, turn_cycle(battle.kind(ship), ship) - ship.straight)
    side, speed = tones(battle)[ship.side], _("speed %(speed)s", speed=minus(ship.speed))
    crew = tuple(
        Figures(getattr(ship, name), count, figure_sign(name, side), figure_word(name))
        for name, count in whole_crew(battle, ship).items()
        if count
    )
    aboard = ", ".join(figures(name, getattr(ship, name)) for name, count in whole_crew(battle, ship).items() if count)
    breaches = _("Open breaches")
    words = {"oars": speed, "crew": aboard, "engines": aboard, "corvus": _("corvus")}
    return Draught(
        profile(plans, _("hull %(left)s of %(hull)s", left=left, hull=plans.hull), f"{breaches}: {ship.breaches}"),
        deck_plan(plans, tuple(words.items())),
        left,
        plans.hull,
        crew,
        minus(ship.speed),
        tuple(box(number, plans, ship) for number in range(1, plans.most + 1)),
        _("limit %(limit)s, %(crew)s", limit=plans.limit, crew=rowers_word(ship.crew)),
        tuple(number < ship.straight for number in range(turn_cycle(battle.kind(ship), ship))),
        _("may turn") if not owed else ngettext("%(num)d more step straight", "%(num)d more steps straight", owed),
        tuple(number >= ship.sprints for number in range(MOVEMENT.sprints)),
        tuple((phase, step_of(battle, ship, phase)) for phase in range(1, MOVEMENT.phases + 1)),
        tuple(out_of_order(ship, left)),
    )


def box(number: int, plans: Plans, ship: Ship) -> str:
    """The state of one speed: what she rows now, what she could, what is barred; above cruise it is a sprint."""
    state = "lit" if number <= ship.speed else "can" if number <= plans.limit else "out"
    return f"{state} sprint" if number > plans.cruise else state


def step_of(battle: Battle, ship: Ship, phase: int) -> str:
    """Whether she steps in a phase of this turn: made, now, to come, or none."""
    if battle.step == "plot" or not ship.is_afloat or phase not in STEPS_OF.get(ship.speed, ()):
        return "none"
    now = battle.phase or MOVEMENT.phases + 1
    return "now" if phase == now and not ship.stepped else "made" if phase <= now else "comes"


def out_of_order(ship: Ship, left: int) -> list[tuple[str, str, str]]:
    """What is out of order: words, rule, weight."""
    found = []
    if ship.oars_broken:
        found.append((_("oars broken"), "G7.3", "bad"))
    if ship.breaches:
        flood = ngettext("%(num)d open breach", "%(num)d open breaches", ship.breaches)
        found.append((flood, "G9.2", "bad"))
        if left <= ship.breaches and ship.is_afloat:
            found.append((_("sinks this turn unless they are closed"), "G9.3", "bad"))
    if ship.repaired:
        closed = ngettext("%(num)d breach closed", "%(num)d breaches closed", ship.repaired)
        found.append((closed, "G9.2", ""))
    if ship.corvus:
        found.append((_("corvus"), "G8.1", ""))
    return found
