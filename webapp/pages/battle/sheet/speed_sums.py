"""The sums behind a ship's speed and her turn cycle, line by line."""

from __future__ import annotations

from flask_babel import ngettext

from tactical.battle import Battle
from tactical.ship import (
    BROKEN_OARS,
    CREWS,
    STEPS_OF,
    Ship,
    acceleration,
    cruise,
    limit,
    maximum,
    plot_range,
    turn_cycle,
)
from webapp.http.language import gettext as _
from webapp.http.signs import minus, with_sign
from webapp.presenting.labels import rowers_word


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
