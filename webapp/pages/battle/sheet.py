"""One ship's sheet: its two plans, every number with its sum, and the umpire's marks."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from flask_babel import format_decimal, ngettext
from markupsafe import Markup

from tactical.battle import Battle
from tactical.board import HEADINGS
from tactical.geometry import geometry
from tactical.rules import missiles, movement
from tactical.rules.boarding import HITS
from tactical.rules.end_of_turn import REPAIR, closes
from tactical.ship import (
    BROKEN_OARS,
    CREWS,
    FIGURES,
    MOVEMENT,
    STEPS_OF,
    Ship,
    acceleration,
    complement_of,
    cruise,
    limit,
    maximum,
    plot_range,
    turn_cycle,
)
from webapp.http.language import faces, minus, with_sign
from webapp.http.language import gettext as _
from webapp.pages.battle import odds
from webapp.pages.battle.orders import command_json
from webapp.presenting.battle_labels import (
    box_word,
    figure_word,
    figures,
    heading_word,
    hex_name,
    letters,
    ship_name,
    side_name,
    status_word,
    tones,
)
from webapp.presenting.labels import rowers_word
from webapp.presenting.ships.galley import figure_sign, galley_of, look_of
from webapp.presenting.ships.plans import Plans, deck_plan, profile

# -- The sums behind a ship's speed and her turn cycle, line by line.


def speed_value(battle: Battle, ship: Ship) -> str:
    """This turn's speed; in the plot what has been set and what may be."""
    if battle.step != "plot":
        most = maximum(battle.kind(ship), ship)
        return _("%(speed)s of %(most)s", speed=minus(ship.speed), most=most)
    low, high = plot_range(battle.kind(ship), ship, battle.options.sprint)
    if ship.plot is not None:
        return _("%(plot)s set (%(low)s to %(high)s)", plot=minus(ship.plot), low=minus(low), high=high)
    return _("last %(last)s; %(low)s to %(high)s", last=minus(ship.speed), low=minus(low), high=high)


def speed_sums(battle: Battle, ship: Ship) -> tuple[str, ...]:
    """G2.2, G3.1 The sum behind this turn's limit."""
    kind = battle.kind(ship)
    rowers = CREWS[ship.crew]
    most, slow, change = maximum(kind, ship), cruise(kind, ship), acceleration(kind, ship)
    top = limit(kind, ship, battle.options.sprint)
    low, high = plot_range(kind, ship, battle.options.sprint)
    word = rowers_word(ship.crew)
    broken = _(", broken oars %(add)s", add=with_sign(BROKEN_OARS.cruise)) if ship.oars_broken else ""
    lines = [
        _(
            "Maximum %(most)s: type %(type)s, %(crew)s %(add)s",
            most=most,
            type=kind.maximum,
            crew=word,
            add=with_sign(rowers.maximum),
        ),
        _("Cruise %(slow)s: type %(type)s", slow=slow, type=kind.cruise) + broken,
        _(
            "Acceleration %(change)s: type %(type)s, %(crew)s %(add)s",
            change=change,
            type=kind.acceleration,
            crew=word,
            add=with_sign(rowers.acceleration),
        ),
    ]
    if battle.step == "plot":
        lines.insert(
            0,
            _(
                "Limit %(high)s: %(what)s %(top)s, acceleration %(change)s from %(last)s",
                high=high,
                what=_("cruise") if top == slow else _("maximum"),
                top=top,
                change=change,
                last=minus(ship.speed),
            ),
        )
        if low == high:
            lines.insert(1, _("Only %(low)s may be plotted.", low=minus(low)))
    elif ship.speed:
        phases = ", ".join(str(phase) for phase in sorted(STEPS_OF.get(ship.speed, ())))
        lines.insert(0, _("Steps made in this turn: %(made)s.", made=ship.steps_made))
        lines.insert(0, _("At speed %(speed)s she steps in the phases %(phases)s.", speed=ship.speed, phases=phases))
    return tuple(lines)


def cycle_sums(battle: Battle, ship: Ship) -> tuple[str, ...]:
    """G4.2 The sum behind the turn cycle."""
    kind = battle.kind(ship)
    cycle = turn_cycle(kind, ship)
    add = with_sign(CREWS[ship.crew].turn_cycle)
    word = rowers_word(ship.crew)
    said = _("Cycle %(cycle)s: type %(type)s, %(crew)s %(add)s", cycle=cycle, type=kind.turn_cycle, crew=word, add=add)
    if ship.oars_broken:
        said += _(", broken oars %(add)s", add=with_sign(BROKEN_OARS.turn_cycle))
    made = ngettext(
        "%(num)d straight step since she last turned", "%(num)d straight steps since she last turned", ship.straight
    )
    may = _("She may turn at her next step.") if ship.straight >= cycle else _("She must go straight first.")
    return said, f"{made}. {may}"


# -- G2.3 The umpire's hand on a ship's sheet: a field for each value, empty where nothing is to change.

NUMBERS = (*FIGURES, "damage", "breaches", "speed", "sprints", "straight")
STATUSES = ("afloat", "sunk", "captured", "withdrawn")


@dataclass(frozen=True)
class Field:
    """One value that the umpire may set: the form's name for it, a label, what it is now, and the choices, if any."""

    name: str
    label: str
    now: str
    choices: tuple[tuple[str, str], ...] = ()


def fields(ship: Ship, has_hexes: bool) -> list[Field]:
    """G2.3 Everything on a sheet that the umpire may set, as the form asks for it."""
    found = [Field(f"changes.{name}:int", box_word(name), minus(getattr(ship, name))) for name in NUMBERS]
    for name in ("corvus", "oars_broken"):
        yes_no = (("true", _("yes")), ("false", _("no")))
        found.append(
            Field(f"changes.{name}:bool", box_word(name), _("yes") if getattr(ship, name) else _("no"), yes_no)
        )
    if isinstance(ship.facing, float) and ship.at is not None:
        found.append(Field("changes.at:json", _("place, [x, y]"), f"[{ship.at[0]:g}, {ship.at[1]:g}]"))
        found.append(Field("changes.facing:json", _("heading in degrees"), f"{ship.facing:g}"))
    if has_hexes:
        headings = tuple((way, heading_word(way)) for way in HEADINGS)
        found.append(Field("changes.at:hex", box_word("at"), hex_name(ship.at)))
        found.append(Field("changes.facing", box_word("facing"), heading_word(ship.facing), headings))
    statuses = tuple((status, status_word(status)) for status in STATUSES)
    return [*found, Field("changes.status", box_word("status"), status_word(ship.status), statuses)]


# -- One ship's sheet as values: what it says, the sum behind each number, the rule, and who may mark it.


@dataclass(frozen=True)
class Mark:
    """A box that is marked by hand: the command of a tap, and the one that takes it back."""

    tap: str
    back: str


@dataclass(frozen=True)
class Value:
    """One value of the sheet. `sums` are the lines behind it; `boxes` of `whole` are filled where it is drawn so."""

    key: str
    label: str
    value: str
    rule: str
    sums: tuple[str, ...] = ()
    mark: Mark | None = None
    boxes: int | None = None
    whole: int = 0
    weight: str = ""


def may_mark(battle: Battle, ship: Ship, seat: str) -> bool:
    """G2.3 Is this sheet marked by hand, and by this seat?"""
    return (battle.level == "record" or ship.paper) and seat in (ship.side, "umpire")


def marker(ship_id: str, field: str, value: int, step: int, most: int, may: bool) -> Mark | None:
    """The two commands of a box that counts; a tap goes the way that battle goes."""
    if not may:
        return None

    def command(count: int) -> str:
        return command_json("mark", ship=ship_id, field=field, value=max(0, min(most, count)))

    return Mark(command(value + step), command(value - step))


def values(battle: Battle, ship_id: str, seat: str) -> list[Value]:
    """The whole sheet, in the order in which one reads it."""
    ship = battle.ships[ship_id]
    may = may_mark(battle, ship, seat)
    return [
        *hull(battle, ship_id, ship, may),
        *figures_aboard(battle, ship_id, ship, may),
        *rowing(battle, ship_id, ship, may),
    ]


def hull(battle: Battle, ship_id: str, ship: Ship, may: bool) -> list[Value]:
    """G2.0, G9.3 The hull, its breaches."""
    kind = battle.kind(ship)
    left = max(0, kind.hull - ship.damage)
    sums: tuple[str, ...] = (
        _(
            "Hull of the type %(hull)s − damage %(damage)s = %(left)s",
            hull=kind.hull,
            damage=ship.damage,
            left=left,
        ),
        _("At %(hull)s damage she sinks.", hull=kind.hull),
    )
    found = [
        Value(
            "hull",
            _("Hull"),
            f"{left}/{kind.hull}",
            "G2.0",
            sums,
            marker(ship_id, "damage", ship.damage, 1, 99, may),
            left,
            kind.hull,
            "bad" if left <= kind.hull / 3 else "",
        )
    ]
    if ship.breaches or ship.repaired or may:
        sums = (
            ngettext(
                "%(num)d open: each adds %(flood)s hull damage at the end of the turn.",
                "%(num)d open: each adds %(flood)s hull damage at the end of the turn.",
                ship.breaches,
                flood=REPAIR.flood,
            ),
            _(
                "One die for each breach: it is closed on %(faces)s, in a boarding fight only on %(fight)s.",
                faces=faces(closes(in_fight=False)),
                fight=faces(closes(in_fight=True)),
            ),
            _("Breaches closed for good: %(count)s.", count=ship.repaired),
        )
        found.append(
            Value(
                "breaches",
                _("Open breaches"),
                str(ship.breaches),
                "G9.2",
                sums,
                marker(ship_id, "breaches", ship.breaches, 1, 99, may),
                weight="bad" if ship.breaches else "",
            )
        )
    return found


def figures_aboard(battle: Battle, ship_id: str, ship: Ship, may: bool) -> list[Value]:
    """G2.0.a, G5.1 Marines, archers and engines; what may still fire in this turn."""
    found = []
    weapon_of = {row.field: weapon for weapon, row in missiles.WEAPONS.items()}
    for figure in FIGURES:
        count = getattr(ship, figure)
        fired = ship.fired.get(weapon_of.get(figure, ""), 0)
        if not count and not (may and figure in ("heavy", "medium", "light", "archers")):
            continue
        if figure in HITS:
            sums: tuple[str, ...] = (
                _(
                    "In a boarding fight each marine rolls a die and kills one enemy on %(faces)s.",
                    faces=faces(HITS[figure]),
                ),
                _("One figure stands for ten men."),
            )
            rule = "G8.3"
            value = str(count)
        else:
            weapon = weapon_of[figure]
            row = missiles.WEAPONS[weapon]
            ready = missiles.ready(ship, weapon) if ship.is_afloat else 0
            bands = [odds.one_shot(weapon, band.to) for band in row.band]
            sums = (
                *bands,
                _("May still fire this turn: %(ready)s; already fired: %(fired)s.", ready=ready, fired=fired),
            )
            rule = "G5.2"
            still = _("%(ready)s ready", ready=ready)
            value = str(count) if not fired or not count else f"{count} ({still})"
        found.append(
            Value(
                figure, figure_word(figure).capitalize(), value, rule, sums, marker(ship_id, figure, count, -1, 99, may)
            )
        )
    return found


def rowing(battle: Battle, ship_id: str, ship: Ship, may: bool) -> list[Value]:
    """G2.2, G3.1, G4.2 Speed and its limits, turn cycle, sprints, corvus."""
    kind = battle.kind(ship)
    cycle = turn_cycle(kind, ship)
    left = MOVEMENT.sprints - ship.sprints
    sprint_sums = (
        _("%(all)s in a battle − %(spent)s spent = %(left)s", all=MOVEMENT.sprints, spent=ship.sprints, left=left),
        _("Each turn plotted above cruise (%(cruise)s) spends one sprint.", cruise=cruise(kind, ship)),
    )
    found = [
        Value("speed", _("Speed"), speed_value(battle, ship), "G3.1", speed_sums(battle, ship)),
        Value(
            "cycle",
            _("Turn cycle"),
            _("%(made)s of %(cycle)s", made=min(ship.straight, cycle), cycle=cycle),
            "G4.2",
            cycle_sums(battle, ship),
            weight="good" if ship.straight >= cycle else "",
        ),
        Value(
            "sprints",
            _("Sprints left"),
            str(left),
            "G3.3",
            sprint_sums,
            marker(ship_id, "sprints", ship.sprints, 1, MOVEMENT.sprints, may),
        ),
    ]
    if ship.corvus or may:
        turned = command_json("mark", ship=ship_id, field="corvus", value=not ship.corvus)
        said = _("With the corvus, boarding needs no roll; the corvus is lost when the boarders are thrown back.")
        found.append(
            Value(
                "corvus",
                _("Corvus"),
                _("yes") if ship.corvus else _("no"),
                "G8.1",
                (said,),
                Mark(turned, turned) if may else None,
            )
        )
    if ship.oars_broken or may:
        turned = command_json("mark", ship=ship_id, field="oars_broken", value=not ship.oars_broken)
        said = _(
            "Broken oars: cruise %(cruise)s, no speed above it, turn cycle %(cycle)s, and she cannot board "
            "the ship that broke them.",
            cruise=with_sign(BROKEN_OARS.cruise),
            cycle=with_sign(BROKEN_OARS.turn_cycle),
        )
        value = _("broken") if ship.oars_broken else _("whole")
        found.append(
            Value(
                "oars",
                _("Oars"),
                value,
                "G7.3",
                (said,),
                Mark(turned, turned) if may else None,
                weight="bad" if ship.oars_broken else "",
            )
        )
    return found


def notes(battle: Battle, ship_id: str) -> list[tuple[str, str, str]]:
    """What binds or frees the ship now: sentence, rule, weight."""
    ship = battle.ships[ship_id]
    found: list[tuple[str, str, str]] = []
    if ship.status == "captured":
        found.append((_("A prize of %(side)s.", side=side_name(battle, ship.captured_by)), "G8.6", "careful"))
    if ship.must_back:
        found.append((_("She rammed and must back one step: plot −1."), "G6.7", "careful"))
    if ship.free_turn == "any" and not ship.must_back:
        found.append(
            (
                _("She was rammed: she may choose any speed within her limit, and any heading before her first step."),
                "G6.8",
                "",
            )
        )
    if ship.free_turn == "one_side":
        found.append((_("After backing off, she may turn with her first step, whatever her turn cycle."), "G6.7", ""))
    if ship.passing:
        found.append(
            (
                _("She rows through %(ship)s's hex and leaves straight ahead.", ship=ship_name(battle, ship.passing)),
                "G7.2",
                "careful",
            )
        )
    if ship.contact:
        found.append((_("In contact with %(ship)s.", ship=ship_name(battle, ship.contact)), "G4.6", "careful"))
    if ship.boarding == ship_id:
        names = ", ".join(ship_name(battle, name) for name in battle.boarders_of(ship_id))
        found.append((_("Boarded by %(ships)s.", ships=names), "G8.2", "careful"))
    elif ship.boarding:
        found.append((_("Boards %(ship)s.", ship=ship_name(battle, ship.boarding)), "G8.2", "careful"))
    if ship.may_board:
        names = ", ".join(ship_name(battle, name) for name in ship.may_board)
        found.append((_("She may board %(ships)s without a roll.", ships=names), "G8.4", "good"))
    if ship.stopped and ship.is_afloat and not ship.boarding and battle.step != "plot":
        found.append((_("Stopped: no more steps in this turn."), "G4.5", ""))
    if ship.paper:
        found.append((_("On paper: her sheet is kept by hand."), "G2.3", "careful"))
    return found


def threats(battle: Battle, ship_id: str) -> list[tuple[str, str]]:
    """What the enemy can do to this ship next: who may step into her, who may board her, who reaches her with fire."""
    ship = battle.ships[ship_id]
    if not ship.is_afloat or ship.at is None:
        return []
    found: list[tuple[str, str]] = []
    shots: dict[str, list[Any]] = {}
    board = geometry(battle)
    for name, foe in battle.ships.items():
        if foe.side == ship.side or not foe.is_afloat or foe.at is None:
            continue
        near = missiles.range_between(battle, foe, ship)
        if near == 1 and not foe.stopped and foe.boarding is None and battle.kind(foe).ram is not None:
            there = (board.way(battle, name, foe, facing) for facing in movement.headings(battle, foe).values())
            if any(way.to == ship.at or ship_id in way.foes for way in there):
                blow = odds.blow_of(battle, name, ship_id, False)
                said = _(
                    "%(ship)s can step into her; chance that a ram sinks her: %(chance)s, by the turn's end %(later)s",
                    ship=ship_name(battle, name),
                    chance=odds.percent(blow.sunk),
                    later=odds.percent(blow.sunk_this_turn),
                )
                found.append((said, "G6.2"))
        if near <= 1 and foe.marines and foe.boarding is None and not foe.tried_boarding:
            said = _("%(ship)s can board her", ship=ship_name(battle, name))
            hint = odds.boarding(battle, name, ship_id)
            found.append((f"{said}: {hint}" if hint else said, "G8.1"))
        for weapon in missiles.WEAPONS:
            if (
                missiles.may_fire(foe, weapon)
                and near <= missiles.WEAPONS[weapon].reach
                and missiles.sees(battle, foe, ship)
            ):
                shots.setdefault(weapon, []).append((missiles.ready(foe, weapon), max(1, near)))
    for weapon, groups in shots.items():
        row = missiles.WEAPONS[weapon]
        count = sum(number for number, _near in groups)
        killed = sum(number * sum(row.effect(near, face).kills for face in range(1, 7)) / 6 for number, near in groups)
        said = _(
            "%(figures)s can reach her: %(killed)s killed on average",
            figures=figures(row.field, count),
            killed=format_decimal(killed, "0.0"),
        )
        found.append((said, "G5.2"))
    return found


def where(battle: Battle, ship: Ship) -> str:
    """Hex and heading, or nothing on the players' own table."""
    if ship.at is None:
        return ""
    if battle.board.kind == "open":
        return _("at %(place)s, heading %(way)s", place=hex_name(ship.at), way=heading_word(ship.facing))
    return _("hex %(hex)s, heading %(way)s", hex=hex_name(ship.at), way=heading_word(ship.facing))


# -- The sheet that is the ship: what its two plans are drawn from, and beside them every number in text.


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
