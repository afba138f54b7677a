"""G3.1 Plotting: the speed of each ship, against where the enemy can be."""

from __future__ import annotations

from tactical.captains import at_sea
from tactical.captains.aims import Aim, aim_of
from tactical.captains.choice import Choice, Reason, best_options, reason
from tactical.captains.courses import course_of
from tactical.captains.foresight import foreseen, sight_of, worth_of_plots
from tactical.captains.sea import Sea
from tactical.kernel.protocol import Offer
from tactical.ship import cruise, is_sprint, limit


def plot(sea: Sea, offers: dict[str, Offer]) -> Choice:
    """G3.1 The plot of one ship that has none; `offers` are those of the ships by name."""
    return plots(sea, offers, 1)[0]


def plots(sea: Sea, offers: dict[str, Offer], most: int = 999) -> list[Choice]:
    """G3.1 The plots of the ships that have none, of no more than `most` of them."""
    unset = [name for name in offers if sea.battle.ships[name].plot is None] or list(offers)[:1]
    lines = foreseen(sea) if sea.battle.has_hexes else None
    hunted: dict[str, int] = {}
    found = []
    for name in unset[:most]:
        speeds = offers[name].fields["speed"]
        if isinstance(speeds, int):
            found.append(only_plot(sea, name, speeds))
            continue
        if sea.battle.board.kind == "open":
            found.append(at_sea.plot(sea, name, speeds["from"], speeds["to"]))
            continue
        if not sea.battle.has_hexes or sea.battle.ships[name].at is None:
            found.append(by_habit(sea, name, speeds["from"], speeds["to"]))
            continue
        sight = sight_of(sea, name, lines)
        aim = aim_of(sea, name, hunted)
        values = {
            speed: value
            for speed, value in worth_of_plots(sea, name, sight, aim).items()
            if speeds["from"] <= speed <= speeds["to"]
        }
        best = max(values, key=lambda speed: values[speed].value)
        if aim.foe is not None and aim.why == "hunt":
            hunted[aim.foe] = hunted.get(aim.foe, 0) + 1
        found.append(
            Choice(
                command(name, best),
                tuple(reasons(sea, name, best, course_of(*values[best]).foe, bool(lines), aim)),
                best_options([(command(name, speed), value) for speed, (value, _) in values.items()]),
                round(values[best].value, 3),
            )
        )
    return found


def command(name: str, speed: int) -> dict[str, object]:
    """The command."""
    return {"type": "plot", "ship": name, "speed": speed}


def only_plot(sea: Sea, name: str, speed: int) -> Choice:
    """G6.7, G3.1 There is only one speed to plot."""
    owes = sea.battle.ships[name].must_back
    why = reason("plot_owed", rule="G6.7", ship=name) if owes else reason("plot_only", rule="G3.1", ship=name)
    return Choice(command(name, speed), (why,))


def by_habit(sea: Sea, name: str, low: int, high: int) -> Choice:
    """G1.5 Without hexes nobody knows where ships lie: row at cruise."""
    ship = sea.battle.ships[name]
    speed = max(low, min(high, cruise(sea.kind(ship), ship)))
    return Choice(command(name, speed), (reason("plot_cruise", rule="G1.5", ship=name, speed=speed),))


def reasons(sea: Sea, name: str, speed: int, met: str, foreseen: bool, aim: Aim) -> list[Reason]:
    """Why this speed."""
    ship = sea.battle.ships[name]
    found = []
    if met:
        kind = "plot_meet_likely" if foreseen else "plot_meet"
        found.append(reason(kind, rule="G3.1", ship=name, foe=met, speed=speed))
    found.append(reason(f"aim_{aim.why}", ship=name, foe=aim.foe))
    if is_sprint(sea.kind(ship), ship, speed, sea.battle.options.sprint):
        found.append(reason("plot_sprint", rule="G3.3", ship=name, speed=speed, spent=ship.sprints))
    elif speed <= 0 < limit(sea.kind(ship), ship, sea.battle.options.sprint):
        found.append(reason("plot_stays", rule="G3.1", ship=name, speed=speed))
    return found
