"""The report after the action, as a page, as text and as CSV."""

from __future__ import annotations

import io
from typing import Any

from flask import Response, render_template, url_for

from tactical.battle import Battle
from tactical.kernel.protocol import SPECTATOR
from webapp.http.language import gettext as _
from webapp.http.seats import store
from webapp.pages.battle.head import clock_faces
from webapp.pages.battle.journal import dice_stats
from webapp.pages.battle.journal.journal import chapters, here
from webapp.pages.battle.replay import moments
from webapp.pages.battle.report.advantage import advantage
from webapp.pages.battle.results.messages import Line
from webapp.pages.battle.roster.strip import Chip, chips
from webapp.presenting.battle_labels import letters, ship_name, ship_state, side_name, status_word, tones
from webapp.presenting.labels import translate, type_word
from webapp.spreadsheets.csv_rows import Rows
from webapp.storage.journal.records import Table


def report(game: str) -> str:
    """What became of each ship, what it counts, and how lucky the dice were."""
    at, table, battle = here(game)
    entries = store().entries(game)
    graph, best = advantage(table, at.seat, entries), moments.best(table, at.seat, entries)
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
        ram=moments.best_ram(entries, at.seat),
        may_share=table.game.over and battle.link is None and at.seat != SPECTATOR,
        shared=url_for("battle.shared_start", game=game, _external=True) if table.game.is_public else "",
        luck=dice_stats.count_dice(battle, entries),
        loud=loud(table, at.seat),
        created=table.game.created[:10],
        used=clock_faces.time_by_side(store(), game, battle),
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
    out = io.StringIO()
    sheet = Rows(out)
    sheet.writerow(
        ["ship", "name", "side", "type", "status", "captured_by", "hull", "hull_left", "breaches", "marines"]
    )
    for name, ship in battle.ships.items():
        hull = battle.kind(ship).hull
        sheet.writerow(
            [
                name,
                ship.name,
                ship.side,
                ship.type,
                ship.status,
                ship.captured_by or "",
                hull,
                max(0, hull - ship.damage),
                ship.breaches,
                ship.marines,
            ]
        )
    sheet.writerow([])
    sheet.writerow(["rule", "side", "dice", "expected", "actual"])
    for row in dice_stats.count_dice(battle, store().entries(game)):
        sheet.writerow([row.rule, row.side, row.dice, f"{row.expected:.2f}", f"{row.actual:.2f}"])
    return Response(out.getvalue(), mimetype="text/csv", headers=attachment(game, "csv"))


def attachment(game: str, ending: str) -> dict[str, str]:
    """The header that names a file."""
    return {"Content-Disposition": f'attachment; filename="navarch-{game}.{ending}"'}
