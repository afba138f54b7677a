"""The report after the action, and what is printed."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import Any

import msgspec
from flask import Response, render_template, request, url_for

from tactical.battle import Battle
from tactical.captains.worth import WORTH, Kind
from tactical.kernel.journal import Entry
from tactical.kernel.protocol import SPECTATOR
from tactical.rules import boarding as boarding_rules
from tactical.rules import ramming
from tactical.rules.end_of_turn import REPAIR
from tactical.rules.missiles import WEAPONS
from tactical.ship import FIGURES, MOVEMENT, Ship, acceleration, complement_of, cruise, maximum, turn_cycle
from webapp.files.book import Cells, csv_file
from webapp.http.addresses import link
from webapp.http.language import gettext as _
from webapp.http.language import with_sign
from webapp.http.seats import store
from webapp.pages.battle import journal, replay, side_heads
from webapp.pages.battle.board import Picture, board
from webapp.pages.battle.journal import chapters, here
from webapp.pages.battle.replay import knows, turn_starts
from webapp.pages.battle.results import Line
from webapp.pages.battle.roster import Chip, chips
from webapp.presenting.battle_labels import letters, ship_name, ship_state, side_name, status_word, tones
from webapp.presenting.labels import rowers_word, translate, type_word
from webapp.presenting.ships.galley import points
from webapp.storage.journal.records import Table
from webapp.storage.services.archive import layout_of

# -- The advantage turn by turn: what the ships of two fleets are still worth, and the turn in which that changed most.

WIDE, HIGH, EDGE = 560, 220, 24  # the graph, and what is left free around its lines
LEAST = 10.0  # points at the upper edge at least: a quinquereme
MOST = 60  # turns that are looked at
LETTER, LINE, FROM_DOT = 11.5, 22.0, 12.0  # of a word in the graph: a letter's width, its height, how far from its dot


@dataclass(frozen=True)
class Turn:
    """The lead of the first side when a turn began, in fitted points, its place in the graph, who was lost before."""

    turn: int
    lead: float
    x: float
    y: float
    lost: tuple[str, ...]

    @property
    def word(self) -> str:
        """Who was lost, as short as a graph has room for."""
        return self.lost[0] + (f" +{len(self.lost) - 1}" if len(self.lost) > 1 else "") if self.lost else ""


@dataclass(frozen=True)
class Word:
    """Who was lost, in the graph: the middle of the text, and the line it stands on."""

    text: str
    x: float
    y: float

    def meets(self, x: float, y: float, wide: float) -> bool:
        """Would a text of this width in this place lie over it?"""
        return abs(self.x - x) < (len(self.text) * LETTER + wide) / 2 and abs(self.y - y) < LINE


@dataclass(frozen=True)
class Advantage:
    """The graph: `line` and `area` as points of SVG, `zero` the height of an even battle, `turning` what turned it,
    `marks` leads beside their heights."""

    first: str
    turns: tuple[Turn, ...]
    line: str
    area: str
    zero: float
    turning: Turn | None
    marks: tuple[tuple[str, float], ...] = ()
    words: tuple[Word, ...] = ()


def remaining_worth(battle: Battle, side: str) -> float:
    """What the ships of a side that are afloat are worth, each by the share of her hull that is left."""
    found = 0.0
    for ship in battle.ships.values():
        if ship.side == side and ship.is_afloat:
            hull = battle.kind(ship).hull
            kind = Kind(ship.type, battle.sides[side].navy, ship.crew, ship.corvus)
            found += WORTH.points(kind) * max(0, hull - ship.damage) / hull
    return found


def missing_ships(before: Battle, after: Battle) -> tuple[str, ...]:
    """The ships that were afloat before and are no longer, each with what became of her."""
    return tuple(
        f"{ship_name(after, name)}: {status_word(ship.status)}"
        for name, ship in after.ships.items()
        if not ship.is_afloat and before.ships[name].is_afloat
    )


def advantage(table: Table, seat: str, entries: Sequence[Entry]) -> Advantage | None:
    """The graph of a battle that is over; None for more sides than two, and for ships without fitted points."""
    battle: Battle = table.view(seat)
    kinds = {ship.type for ship in battle.ships.values()}
    starts = turn_starts(entries)[:MOST]
    if not battle.is_over or len(battle.sides) != 2 or not kinds <= WORTH.ships.keys():
        return None
    positions: list[tuple[int, Battle]] = []
    for turn, number in starts:
        then = store().table_after(table.game.id, number)
        positions.append((turn, then.view(knows(table, seat, then.state.turn))))
    positions.append((battle.turn + 1, battle))
    first, other = battle.sides
    leads = [remaining_worth(then, first) - remaining_worth(then, other) for _turn, then in positions]
    most = max(LEAST, *map(abs, leads))
    zero, step = HIGH / 2, (WIDE - 2 * EDGE) / max(1, len(leads) - 1)
    turns = tuple(
        Turn(
            turn,
            round(lead, 1),
            round(EDGE + step * place, 1),
            round(zero - (HIGH / 2 - EDGE) * lead / most, 1),
            missing_ships(positions[place - 1][1], then) if place else (),
        )
        for place, ((turn, then), lead) in enumerate(zip(positions, leads, strict=True))
    )
    line = " ".join(points((each.x, each.y)) for each in turns)
    area = f"{points((turns[0].x, zero))} {line} {points((turns[-1].x, zero))}"
    tick = max(5, round(most / 2 / 5) * 5)
    marks = tuple((lead_word(lead), round(zero - (HIGH / 2 - EDGE) * lead / most, 1)) for lead in (tick, 0, -tick))
    return Advantage(first, turns, line, area, zero, turning(battle, turns), marks, place_words(turns))


def place_words(turns: Sequence[Turn]) -> tuple[Word, ...]:
    """Who was lost, beside the dot of each turn: inside the graph, over no dot and no other word, and
    where there is room above the line or below it.

    A word for which nothing is free is left out; the list below the graph has them all.
    """
    dots, words = [each for each in turns if each.lost], list[Word]()
    for each in dots:
        wide = len(each.word) * LETTER
        beside = wide / 2 + FROM_DOT
        for x, y in (
            (each.x, each.y - FROM_DOT),
            (each.x, each.y + FROM_DOT + LINE / 2),
            (min(max(each.x, EDGE + wide / 2), WIDE - wide / 2), each.y - FROM_DOT),
            (min(max(each.x, EDGE + wide / 2), WIDE - wide / 2), each.y + FROM_DOT + LINE / 2),
            (each.x + beside, each.y + LINE / 4),
            (each.x - beside, each.y + LINE / 4),
        ):
            is_inside = x - wide / 2 >= EDGE and x + wide / 2 <= WIDE and LINE <= y <= HIGH
            is_over_dot = any(abs(dot.x - x) < wide / 2 + 7 and -7 < y - dot.y < LINE for dot in dots)
            if is_inside and not is_over_dot and not any(word.meets(x, y, wide) for word in words):
                words.append(Word(each.word, round(x, 1), round(y, 1)))
                break
    return tuple(words)


def turning(battle: Battle, turns: Sequence[Turn]) -> Turn | None:
    """The turn that brought the winner most, or that changed most in a draw; None where nothing changed."""
    winner, first = battle.result.winner if battle.result else None, next(iter(battle.sides))
    swings = [
        (
            abs(after.lead - before.lead)
            if winner is None
            else (after.lead - before.lead) * (1 if winner == first else -1)
        )
        for before, after in pairwise(turns)
    ]
    most = max(swings, default=0.0)
    return turns[swings.index(most)] if most > 0 else None


def lead_word(lead: float) -> str:
    """A lead in whole points with its sign; none without one."""
    return with_sign(round(lead)) if round(lead) else "0"


# -- The report after the action, as a page, as text and as CSV.


def report(game: str) -> str:
    """What became of each ship, what it counts, and how lucky the dice were."""
    at, table, battle = here(game)
    entries = store().entries(game)
    graph, best = advantage(table, at.seat, entries), replay.best(table, at.seat, entries)
    turning = graph.turning.turn if graph and graph.turning else None
    return render_template(
        "battle/report.html",
        at=at,
        b=battle,
        title=translate(table.game.title),
        fates=fates(battle),
        best=best,
        turned=next((each for each in best if each.turn == turning and each.picture), None),
        table=table,
        tones=tones(battle),
        fleets=fleets(battle),
        flags=letters(battle),
        scores=scores(battle),
        graph=graph,
        ram=replay.best_ram(entries, at.seat),
        may_share=table.game.over and battle.link is None and at.seat != SPECTATOR,
        shared=url_for("battle.shared_start", game=game, _external=True) if table.game.is_public else "",
        luck=journal.count_dice(battle, entries),
        loud=loud(table, at.seat),
        created=table.game.created[:10],
        used=side_heads.time_by_side(store(), game, battle),
    )


def scores(battle: Battle) -> list[tuple[str, int]]:
    """G10.2 Each side with its points, the winner first."""
    winner = battle.result.winner if battle.result else None
    found = [(side, it.points) for side, it in battle.sides.items()]
    return sorted(found, key=lambda each: each[0] != winner)


def fleets(battle: Battle) -> list[tuple[str, list[tuple[Chip, str, str]]]]:
    """Each side with its ships as chips, and what became of each, in a word and as the rules call it."""
    found = []
    for side in battle.sides:
        names = [name for name, ship in battle.ships.items() if ship.side == side]
        lots = [str(battle.ships[name].status) for name in names]
        found.append((side, list(zip(chips(battle, names, ()), map(status_word, lots), lots, strict=True))))
    return found


def fates(battle: Battle) -> list[dict[str, Any]]:
    """Each ship and what became of it."""
    return [
        {
            "id": name,
            "name": ship_name(battle, name),
            "side": side_name(battle, ship.side),
            "type": type_word(ship.type),
            "status": status_word(ship.status),
            "left": max(0, battle.kind(ship).hull - ship.damage),
            "hull": battle.kind(ship).hull,
            "marines": ship.marines,
            "state": ship_state(ship),
            "captor": side_name(battle, ship.captured_by) if ship.captured_by else "",
        }
        for name, ship in battle.ships.items()
    ]


def loud(table: Table, seat: str) -> list[tuple[int, list[Line]]]:
    """What decided the battle, by turn."""
    battle: Battle = table.view(seat)
    found: dict[int, list[Line]] = {}
    for chapter in chapters(battle, store().entries(table.game.id), seat):
        said = [line for entry in chapter.entries if not entry.struck for line in entry.lines if line.weight == "loud"]
        if said:
            found.setdefault(chapter.turn, []).extend(said)
    return list(found.items())


def report_text(game: str) -> Response:
    """The report as plain text."""
    at, table, battle = here(game)
    title = translate(table.game.title)
    parts = [title, "=" * len(title), ""]
    parts += [f"{side_name(battle, side)}: {head.points}" for side, head in battle.sides.items()]
    parts.append("")
    for turn, said in loud(table, at.seat):
        parts.append(_("Turn %(turn)s", turn=turn))
        parts += [f"  {line.text} [{line.rule}]" for line in said]
    parts.append("")
    for fate in fates(battle):
        parts.append(f"{fate['side']}: {fate['name']}, {fate['type']}: {fate['status']}, {fate['left']}/{fate['hull']}")
    return Response("\n".join(parts) + "\n", mimetype="text/plain", headers=attachment(game, "txt"))


def report_csv(game: str) -> Response:
    """The ships' fates and the dice as CSV."""
    _at, _table, battle = here(game)
    heads = ("ship", "name", "side", "type", "status", "captured_by", "hull", "hull_left", "breaches", "marines")
    rows: list[Cells] = [[*heads]]
    for name, ship in battle.ships.items():
        hull, taken = battle.kind(ship).hull, ship.captured_by or ""
        sheet = (hull, max(0, hull - ship.damage), ship.breaches, ship.marines)
        rows.append([name, ship.name, ship.side, ship.type, ship.status, taken, *sheet])
    rows += [[], ["rule", "side", "dice", "expected", "actual"]]
    for row in journal.count_dice(battle, store().entries(game)):
        rows.append([row.rule, row.side, row.dice, f"{row.expected:.2f}", f"{row.actual:.2f}"])
    return csv_file(rows, f"navarch-{game}")


def attachment(game: str, ending: str) -> dict[str, str]:
    """The header that names a file."""
    return {"Content-Disposition": f'attachment; filename="navarch-{game}.{ending}"'}


# -- What is printed: sheets and cards, clean or with today's damage, tables, the fleet, the board.

LAYOUTS = ("sheet", "four", "nine", "fleet", "board")
EACH = {"sheet": 1, "four": 4, "nine": 9}


def page(game: str) -> str:
    """Choose what to print, or the printed thing itself."""
    at, table, battle = here(game)
    layout = request.args.get("layout", "")
    paper = "letter" if request.args.get("paper") == "letter" else "a4"
    state = "clean" if request.args.get("state") == "clean" else "today"
    title = translate(table.game.title)
    if layout not in LAYOUTS:
        return render_template("battle/print_choice.html", at=at, title=title, b=battle, layouts=LAYOUTS)
    wanted = request.args.get("side")
    names = [name for name, ship in battle.ships.items() if wanted in (None, "", ship.side)]
    sheets = [sheet(battle, name, state, at) for name in names]
    each = EACH.get(layout, 1)
    pages = [sheets[start : start + each] for start in range(0, len(sheets), each)] if layout in EACH else []
    picture = board(battle, Picture(still=True)) if layout == "board" and battle.has_places else None
    return render_template(
        "battle/print.html",
        at=at,
        title=title,
        b=battle,
        layout=layout,
        paper=paper,
        state=state,
        pages=pages,
        sheets=sheets,
        picture=picture,
        steps=MOVEMENT.steps,
        back=MOVEMENT.back,
        weapons=fire_table(),
        sprints=MOVEMENT.sprints,
        rams=ram_table(battle),
        boards=boarding_rules.TABLE,
        repair=REPAIR,
        turns=battle.turn_limit or 12,
        models=kept.ships if (kept := layout_of(store(), game)) else {},
    )


def sheet(battle: Battle, name: str, state: str, at: Any) -> dict[str, Any]:
    """One ship's sheet for paper."""
    ship = battle.ships[name]
    if state == "clean":
        ship = fresh(battle, ship)
    kind = battle.kind(ship)
    hull = kind.hull
    return {
        "id": name,
        "ship": ship,
        "name": ship_name(battle, name),
        "side": side_name(battle, ship.side),
        "type": type_word(ship.type),
        "crew": rowers_word(ship.crew),
        "hull": hull,
        "damage": min(hull, ship.damage),
        "maximum": maximum(kind, ship),
        "cruise": cruise(kind, ship),
        "acceleration": acceleration(kind, ship),
        "cycle": turn_cycle(kind, ship),
        "ram": kind.ram,
        "chip": chips(battle, [name], ())[0],
        "link": link("battle.sheet", game=at.game, ship=name),
        "full": complement(battle, battle.ships[name]),
        "aboard": {figure: getattr(ship, figure) for figure in FIGURES},
    }


def complement(battle: Battle, ship: Ship) -> dict[str, int]:
    """The boxes for each kind of figure: the type's complement, or what is aboard when that is more."""
    listed = complement_of(battle.kind(ship), battle.sides[ship.side].navy)
    found = {}
    for figure in FIGURES:
        count = max(getattr(listed, figure, 0) if listed else 0, getattr(ship, figure))
        if count:
            found[figure] = count
    return found


def fresh(battle: Battle, ship: Ship) -> Ship:
    """The ship as she was built: no damage, a full complement."""
    listed = complement_of(battle.kind(ship), battle.sides[ship.side].navy)
    figures = {name: getattr(listed, name) for name in FIGURES} if listed else {}
    return msgspec.structs.replace(
        ship,
        damage=0,
        breaches=0,
        repaired=0,
        oars_broken=False,
        raked_by=None,
        sprints=0,
        speed=0,
        status="afloat",
        **figures,
    )


def ram_table(battle: Battle) -> list[tuple[str, list[int]]]:
    """G6.2 What a ram does by the ramming ship's type, for each face of the die, below full speed."""
    kinds = {ship.type: battle.kind(ship) for ship in battle.ships.values()}
    return [
        (name, [ramming.ram_damage(face, kind.ram, False) for face in range(1, 7)])
        for name, kind in sorted(kinds.items(), key=lambda each: each[1].hull)
        if kind.ram is not None
    ]


def fire_table() -> list[dict[str, Any]]:
    """The fire table, from the rules' own."""
    found = []
    for weapon, row in WEAPONS.items():
        for band in row.band:
            found.append(
                {
                    "weapon": row.field,
                    "from": band.from_,
                    "to": band.to,
                    "effects": sorted(band.effects.items()),
                    "id": weapon,
                }
            )
    return found
