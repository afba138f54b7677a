"""What is printed: sheets and cards, clean or with today's damage, tables, the fleet, the board."""

from __future__ import annotations

from typing import Any

import msgspec
from flask import render_template, request

from tactical.battle import Battle
from tactical.rules import boarding as boarding_rules
from tactical.rules import ramming
from tactical.rules.end_of_turn import REPAIR
from tactical.rules.missiles import WEAPONS
from tactical.ship import FIGURES, MOVEMENT, Ship, acceleration, complement_of, cruise, maximum, turn_cycle
from webapp.http.addresses import link
from webapp.pages.battle.board.board import Picture, board
from webapp.pages.battle.journal.journal import here
from webapp.pages.battle.roster.strip import chips
from webapp.presenting.battle_labels import ship_name, side_name
from webapp.presenting.labels import rowers_word, translate, type_word

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
