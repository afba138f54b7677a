"""The tables as the pages show them, all from the data that the engine reads."""

from __future__ import annotations

import importlib
from collections.abc import Iterable, Mapping
from typing import Any, NamedTuple

from flask_babel import pgettext

from tactical import GALLEY
from tactical.kernel.engine import Sequence
from tactical.kernel.protocol import Step, tag_of
from tactical.rules.boarding import TABLE as BOARDING
from tactical.rules.end_of_turn import REPAIR
from tactical.rules.ending import WORTH
from tactical.rules.missiles import MISSILES, WEAPONS
from tactical.rules.ramming import RAM, ram_damage
from tactical.ship import CREWS, FIGURES, MARINES, MOVEMENT, SHIPS, STEPS_OF, TYPES, Complement
from webapp.api.fleets import NATIONS
from webapp.http.language import faces, with_sign
from webapp.http.language import gettext as _
from webapp.presenting.battle_labels import figure_word, figures
from webapp.presenting.campaign_labels import PHASES, command_title, phase_word, prompt_word, side_word
from webapp.presenting.labels import (
    chapter_word,
    choice_word,
    crew_word,
    nation_word,
    option_word,
    system_word,
    type_word,
    words_of,
)

# -- The reference's names of things in the reader's language; what data files call their rows stays as it is.


def source_word(source: str) -> str:
    """Where something comes from."""
    known = {
        "rules": _("from the rules"),
        "published": _("published elsewhere"),
        "derived": _("our reading"),
        "reconstructed": _("reconstructed"),
        "house": _("table of house rules"),
    }
    return known.get(source, source)


def status_word(status: str) -> str:
    """What the program does with a paragraph."""
    known = {"done": _("played by the program"), "manual": _("done by hand"), "later": _("not yet")}
    return known.get(status, status)


def kind_word(kind: str) -> str:
    """What kind of paragraph it is."""
    known = {
        "rule": _("rule"),
        "definition": _("definition"),
        "setup": _("set-up"),
        "comment": _("comment"),
        "reading": _("reading"),
    }
    return known.get(kind, kind)


def step_word(system: str, step: str) -> str:
    """A step of the galley turn; a campaign's as its own pages call it."""
    known = {
        "plot": _("Plot speeds"),
        "move": _("Move"),
        "fire": _("Fire"),
        "ram": _("Ram"),
        "board": _("Board"),
        "end": _("End of the turn"),
        "over": _("The battle is over"),
    }
    if step in known:
        return known[step]
    return phase_word(system, step) if step in PHASES or step in words_of(system).phases else prompt_word(system, step)


def odds_word(name: str) -> str:
    """A calculator."""
    known = {
        "boarding": _("Boarding fight"),
        "ram": _("Ram"),
        "head_on": _("Bow to bow"),
        "missiles": _("Missile fire"),
        "repair": _("Repairs and flooding"),
        "naval_round": _("Naval round"),
        "interception": _("Interception"),
        "siege": _("Siege"),
        "naval": _("Naval roll"),
        "combat": _("Combat"),
        "attrition": _("Attrition"),
        "sea_attrition": _("Attrition at sea"),
        "battle": _("Battle round"),
    }
    return known.get(name, name.replace("_", " ").capitalize())


def field_word(name: str) -> str:
    """A calculator's parameter."""
    known = {
        "attacker": _("Attacker's crew"),
        "defender": _("Defender's crew"),
        "type": _("Ramming ship"),
        "full_speed": _("At full speed"),
        "hull_left": _("Hull left"),
        "breaches": _("Open breaches"),
        "boarding": _("In a boarding fight"),
        "by_die": _("Gets aboard on a die of 4 to 6"),
        "crew": _("Your rowers"),
        "enemy": _("The enemy's rowers"),
        "archers": _("Archers"),
        "catapults": _("Catapults"),
        "stone_throwers": _("Stone throwers"),
        "range": _("Range"),
        "target": _("Crew of the target"),
        "turns": _("Turns"),
        "ships": _("Ships"),
        "modifier": _("Modifier"),
        "die": _("Die"),
        "heavy": _("heavy"),
        "medium": _("medium"),
        "light": _("light"),
        "points": _("Points"),
        "units": _("CUs that besiege or march"),
        "rolls": _("Rolls"),
        "rating": _("Battle rating"),
        "ratings": _("Generals of each battle rating"),
        "round": _("Round (column)"),
        "side": _("Side"),
        "skilled": _("Skilled at sea"),
        "corvus": _("With the corvus"),
        "bonus": _("Bonus of tactics cards"),
        "supremacy": _("With naval supremacy"),
        "attackers": _("Attackers"),
        "defenders": _("Defenders"),
    }
    return known.get(name, name.replace("_", " ").capitalize())


def result_word(name: str) -> str:
    """A part of a calculator's result."""
    known = {
        "attacker": _("Attacker"),
        "defender": _("Defender"),
        "neither": _("Neither: both crews fall"),
        "rounds": _("Last round of the fight"),
        "survivors": _("Marines left at the end"),
        "mean_survivors": _("Marines left on average"),
        "gets_aboard": _("Gets aboard"),
        "takes_her": _("Gets aboard and takes her"),
        "sunk": _("Sunk at once"),
        "sunk_this_turn": _("Sunk by the end of the turn"),
        "damage": _("Hull damage"),
        "rams": _("Rams"),
        "rammed": _("Is rammed"),
        "both": _("Both ram each other"),
        "kills": _("Kills"),
        "mean_kills": _("Kills on average"),
        "mean_damage": _("Hull damage on average"),
        "casualties": _("Who falls"),
        "open": _("Breaches still open"),
        "turns": _("Turn by turn"),
        "turn": _("Turn"),
        "out_of_reach": _("Out of reach"),
        "passes": _("Passes"),
        "returns": _("Returns"),
        "taken": _("City taken"),
        "stopped": _("Besieger too weak"),
        "goes_on": _("Siege goes on"),
        "points": _("Siege points"),
        "losses": _("Losses"),
        "mean_losses": _("Losses on average"),
        "rolls": _("Roll by roll"),
        "roll": _("Roll"),
        "elephant": _("An elephant among them"),
        "succeeds": _("Succeeds"),
        "fails": _("Fails"),
        "interceptors": _("Generals who succeed"),
        "hits": _("Ships struck"),
        "prize": _("One of them a prize"),
        "supremacy": _("Takes supremacy"),
        "ratio": _("Ratio"),
        "attacker_loses": _("Attacker loses"),
        "defender_loses": _("Defender loses"),
        "mean_attacker_loses": _("Attacker loses on average"),
        "mean_defender_loses": _("Defender loses on average"),
        "mean_attacker": _("Attacker, on average"),
        "mean_defender": _("Defender, on average"),
    }
    return known.get(name) or figure_word(name).capitalize()


def column_word(table: str, column: str) -> str:
    """A column of a table in a calculator's result: what is told turn by turn has come to pass by then."""
    return _("Sunk by then") if (table, column) == ("turns", "sunk") else result_word(column)


def command_words(system: str, kind: str) -> str:
    """A command as players say it, not as the program writes it."""
    if system != "galley":
        return command_title(system, kind)
    known = {
        "plot": _("Plot a speed"),
        "lock": _("Lock the plots"),
        "deploy": _("Deploy a ship"),
        "done": _("Done"),
        "step": _("Step"),
        "contact": _("Report a contact"),
        "hold": _("Hold"),
        "leave": _("Leaves the table"),
        "fire": _("Fire"),
        "finish": _("Nothing more now"),
        "ram": _("Ram"),
        "rake": _("Break her oars"),
        "board": _("Board"),
        "evade": _("Concede supremacy and leave"),
    }
    return known.get(kind) or command_title(system, kind)


def words() -> dict[str, object]:
    """All of them, for templates."""
    return {
        each.__name__: each
        for each in (
            source_word,
            status_word,
            kind_word,
            step_word,
            command_words,
            figure_word,
            odds_word,
            field_word,
            result_word,
            column_word,
            system_word,
            type_word,
            crew_word,
            nation_word,
            option_word,
            choice_word,
            side_word,
            chapter_word,
        )
    }


# -- The galley tables as the pages show them, all from the data that the engine reads.

NEEDED = {  # which tables a step of the turn calls for, the first first
    "plot": ("ships", "steps", "crews"),
    "move": ("steps", "ships", "crews"),
    "fire": ("fire", "casualties"),
    "ram": ("ram", "crews"),
    "board": ("boarding", "casualties"),
    "end": ("boarding", "repair"),
    "over": ("points",),
}


class Row(NamedTuple):
    """A row of a table: what it is about, its cells, and where it comes from when that is not the table's source."""

    head: str
    cells: tuple[str, ...]
    about: str = ""
    source: str = ""


class Table(NamedTuple):
    """A table with its paragraph and its source."""

    id: str
    title: str
    cite: str
    source: str
    columns: tuple[str, ...]
    rows: tuple[Row, ...]
    note: str = ""


def tables() -> dict[str, Table]:
    """All galley tables, in the order of the rules."""
    made = (
        ships(),
        crews(),
        steps(),
        fire(),
        casualties(),
        ram(),
        boarding(),
        repair(),
        points(),
        nations(),
        options(),
    )
    return {table.id: table for table in made}


def needed_first(step: str) -> list[Table]:
    """All tables, those of a step of the turn first."""
    all_ = tables()
    first = NEEDED.get(step, ())
    return [all_[name] for name in first] + [table for name, table in all_.items() if name not in first]


def complement(crew: Complement | None) -> str:
    """What a ship carries."""
    if crew is None:
        return _("not in the source")
    return ", ".join(figures(each, getattr(crew, each)) for each in FIGURES if getattr(crew, each))


def ships() -> Table:
    """G2.0 The ship types."""
    rows = tuple(
        Row(
            type_word(name),
            (
                "–" if kind.ram is None else with_sign(kind.ram),
                str(kind.hull),
                f"{kind.maximum} / {kind.cruise}",
                str(kind.turn_cycle),
                str(kind.acceleration),
                complement(kind.crew.get("roman")),
                complement(kind.crew.get("hellenistic")),
            ),
            name,
            kind.source,
        )
        for name, kind in TYPES.items()
    )
    columns = (
        _("Type"),
        pgettext("weapon", "Ram"),  # the act is another word in some languages
        _("Hull"),
        _("Max / cruise"),
        _("Turn cycle"),
        _("Acceleration"),
        _("Roman complement"),
        _("Hellenistic complement"),
    )
    return Table("ships", _("Ship types"), SHIPS.cite, "rules", columns, rows)


def crews() -> Table:
    """G2.2 The rowers."""
    rows = tuple(
        Row(crew_word(name), (with_sign(crew.maximum), with_sign(crew.acceleration), with_sign(crew.turn_cycle)), name)
        for name, crew in CREWS.items()
    )
    columns = (_("Rowers"), _("Max speed"), _("Acceleration"), _("Turn cycle"))
    note = _("The rowers never change the cruise speed; acceleration is never below 1, the turn cycle never below 0.")
    return Table("crews", _("Quality of the rowers"), SHIPS.crew.cite, "rules", columns, rows, note)


def steps() -> Table:
    """G3.2 In which phases a speed steps."""
    phases = range(1, MOVEMENT.phases + 1)
    rows = tuple(
        Row(
            _("back") if speed < 0 else str(speed),
            tuple("●" if phase in STEPS_OF[speed] else "" for phase in phases),
            str(speed),
        )
        for speed in sorted(STEPS_OF)
    )
    columns = (_("Speed"), *(_("phase %(number)d", number=phase) for phase in phases))
    return Table("steps", _("Steps by phase"), MOVEMENT.cite, MOVEMENT.source, columns, rows)


def fire() -> Table:
    """G5.2 The fire table."""
    rows = tuple(
        Row(
            figure_word(name),
            (
                str(band.from_) if band.from_ == band.to else f"{band.from_}–{band.to}",
                *(does(weapon.band, place, face) for face in range(1, 7)),
            ),
            name,
        )
        for name, weapon in WEAPONS.items()
        for place, band in enumerate(weapon.band)
    )
    columns = (_("Weapon"), _("Range"), *(_("die %(face)d", face=face) for face in range(1, 7)))
    note = _("The “catapult” of the source is a bolt thrower. There are no shots beyond long range.")
    return Table("fire", _("Missile fire"), MISSILES.cite, MISSILES.source, columns, rows, note)


def does(bands: object, place: int, face: int) -> str:
    """What a face does in a band, in words."""
    effect = bands[place].effects.get(face)  # type: ignore[index]
    if effect is None:
        return ""
    told = []
    if effect.hull:
        told.append(_("%(number)d hull", number=effect.hull))
    if effect.kills:
        told.append(_("%(number)d killed", number=effect.kills))
    return " + ".join(told)


def casualties() -> Table:
    """G5.4, G8.3 Who falls first."""
    rows = (
        Row(_("to missiles"), (" → ".join(map(figure_word, MISSILES.order)),), "missiles"),
        Row(_("in a boarding fight"), (" → ".join(map(figure_word, BOARDING.fight.lightest_first)),), "fight"),
    )
    return Table("casualties", _("Who falls first"), "G5.4", "rules", (_("Losses"), _("In this order")), rows)


def ram() -> Table:
    """G6.2 The damage of a ram by type and die."""
    rows = []
    for name, kind in TYPES.items():
        if kind.ram is None:
            continue
        for fast in (False, True):
            cells = tuple(str(ram_damage(face, kind.ram, fast)) for face in range(1, 7))
            rows.append(Row(type_word(name), (_("full") if fast else _("less"), *cells), name))
    columns = (_("Ramming ship"), _("Speed"), *(_("die %(face)d", face=face) for face in range(1, 7)))
    note = _(
        "Every ram opens one breach as well. Bow to bow each ship rolls a die first, and the "
        "better crew adds %(bonus)d; the ship with the higher roll rams, on a tie both ram.",
        bonus=RAM.better_crew,
    )
    return Table("ram", _("Damage of a ram"), RAM.cite, "rules", columns, tuple(rows), note)


def boarding() -> Table:
    """G8.1, G8.3, G8.4 The numbers of boarding."""
    kills = tuple(Row(figure_word(kind), (faces(getattr(BOARDING.fight, kind)),), kind) for kind in MARINES)
    rows = (
        Row(_("to board without a corvus"), (faces(BOARDING.board.succeeds),), "board"),
        *kills,
        Row(
            _("end of a fight"),
            (_("%(times)d times as many marines as the enemy", times=BOARDING.fight.overwhelms),),
            "overwhelms",
        ),
    )
    note = _(
        "A marine kills one enemy on these faces. A corvus boards without a roll; archers and artillery do not fight."
    )
    return Table(
        "boarding", _("Boarding"), BOARDING.fight.cite, "rules", (_("Who or what"), _("On a roll of")), rows, note
    )


def repair() -> Table:
    """G9.2, G9.3 Repairs and flooding."""
    rows = (
        Row(_("a breach is closed"), (faces(REPAIR.closes),), "closes"),
        Row(_("in a boarding fight"), (faces(REPAIR.closes_in_a_fight),), "fight"),
        Row(_("each breach still open"), (_("%(number)d hull", number=REPAIR.flood),), "flood"),
    )
    return Table(
        "repair",
        _("Repairs and flooding"),
        REPAIR.cite,
        "rules",
        (_("At the end of the turn"), _("On a roll of")),
        rows,
    )


def points() -> Table:
    """G10.2 The score."""
    rows = tuple(
        Row(word, (share(getattr(WORTH, name)),), name)
        for name, word in (("sunk", _("sunk")), ("captured", _("captured")), ("withdrawn", _("withdrawn")))
    )
    note = _("Our own rule: the source has no scoring. Halves are rounded down.")
    return Table(
        "points", _("Points for an enemy ship"), WORTH.cite, "derived", (_("Ship"), _("Part of her hull")), rows, note
    )


def share(halves: int) -> str:
    """A number of halves."""
    return str(halves // 2) if halves % 2 == 0 else f"{halves}/2"


def nations() -> Table:
    """G2.5 National tendencies."""
    quality = {"best": _("best"), "average": _("average"), "poor": _("poor")}
    rows = tuple(
        Row(
            nation_word(name, nation.title),
            (quality.get(nation.ships, nation.ships), ", ".join(map(crew_word, nation.crews))),
            name,
        )
        for name, nation in NATIONS.items()
    )
    note = _("The fleet builder's proposals; players may change them. The quality of a ship has no effect.")
    return Table("nations", _("Nations"), "G2.5", "rules", (_("Nation"), _("Ships"), _("Rowers")), rows, note)


def options() -> Table:
    """The rule options."""

    def listed(choices: Iterable[object]) -> str:
        return ", ".join(choice_word(str(choice).lower()) for choice in choices)

    rows = tuple(
        Row(option_word(each.name, each.meaning), (listed([each.default]), listed(each.choices), each.rule), each.name)
        for each in GALLEY.options
    )
    columns = (_("Option"), _("Default"), _("Choices"), _("Paragraph"))
    return Table("options", _("Rule options"), "G3.3", "derived", columns, rows)


# -- The sequence of play, from the engine's own: each step with its paragraph and the commands that it takes.


class Box(NamedTuple):
    """One step: its name, its paragraph, and the commands that players give in it."""

    name: str
    rule: str
    commands: tuple[str, ...]


def play_box(system: str) -> tuple[Box, ...]:
    """The steps of a system's turn in which players give commands; none while its engine is not here.

    What a battle allows in a campaign alone stands in the book of linked battles, whose paragraphs begin with L.
    """
    return tuple(
        Box(step.name, step.rule, commands_of(system, step)) for step in sequence(system).values() if step.actions
    )


def commands_of(system: str, step: Step[Any]) -> tuple[str, ...]:
    """What players say in a step; nothing where it waits for them only in a battle of a campaign."""
    own = [action for action in step.by_command.values() if system != "galley" or not action.rule.startswith("L")]
    found = tuple(tag_of(action.command) for action in own)
    return () if found == ("done",) and len(own) < len(step.by_command) else found


def sequence(system: str) -> Mapping[str, Step[Any]]:
    """The engine's sequence by step name."""
    name = "tactical.sequence" if system == "galley" else f"strategic.{system}.sequence"
    try:
        found = importlib.import_module(name)
    except ModuleNotFoundError:
        return {}
    steps = getattr(found, "SEQUENCE", None)
    return steps.steps if isinstance(steps, Sequence) else {}
