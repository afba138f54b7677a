"""The head of the page: the sides with their points, and the clocks."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from flask import redirect, render_template, request, url_for
from flask.typing import ResponseReturnValue

from tactical.battle import Battle
from tactical.kernel.protocol import UMPIRE
from tactical.kernel.record import BadInput
from webapp.http.forms import reason_text, whole
from webapp.http.seats import current_seat, store
from webapp.pages.battle import setup
from webapp.pages.battle.looking import looking
from webapp.pages.lobby import clock_of
from webapp.presenting.battle_labels import letters, side_name, tones
from webapp.presenting.labels import translate
from webapp.storage.errors import Barred
from webapp.storage.journal.store import Store
from webapp.storage.services import clocks

# -- The clocks of a battle as pages show them, and the umpire's page on which they are set.


@dataclass(frozen=True)
class Face:
    """A clock: what it showed at a moment (`since`, the world's seconds), and whether it runs up, down or stands."""

    side: str
    name: str
    shown: float
    since: float
    way: int
    counts_down: bool

    @property
    def text(self) -> str:
        """What it showed then."""
        return clock_text(self.shown)


def faces(store: Store, game: str, battle: Battle) -> tuple[Face, ...]:
    """The clocks of all sides, as at the last change; a script lets them go on. None where the game has none."""
    kept = clocks.clocks(store, game)
    if kept is None:
        return ()
    down = kept.rule.counts_down
    return tuple(
        Face(
            side,
            side_name(battle, side),
            kept.stands_at(side),
            kept.since,
            (-1 if down else 1) if kept.is_running(side) else 0,
            down,
        )
        for side in battle.sides
    )


def clock_text(seconds: float) -> str:
    """Minutes and seconds, or hours before them: 4:05, 1:04:05, −0:10."""
    whole = int(abs(seconds))
    hours, minutes = divmod(whole // 60, 60)
    text = f"{hours}:{minutes:02d}:{whole % 60:02d}" if hours else f"{minutes}:{whole % 60:02d}"
    return f"−{text}" if seconds <= -1 else text


def time_by_side(store: Store, game: str, battle: Battle) -> list[tuple[str, str, str, bool]]:
    """For the report: each side, the time that it has used, what its clock shows now, whether its time is up."""
    kept, now = clocks.clocks(store, game), clocks.clock()
    if kept is None:
        return []
    spent = kept.at(now).spent
    return [
        (
            side_name(battle, side),
            clock_text(spent.get(side, 0.0)),
            clock_text(kept.shows(side, now)),
            kept.shows(side, now) < 0,
        )
        for side in battle.sides
    ]


def server_now() -> str:
    """The server's time, by which a page sets its own."""
    return f"{clocks.clock():.1f}"


def page(game: str, problem: str = "") -> str:
    """What the clocks show; for the umpire also what may be done with them."""
    seat = current_seat(game).id
    table = store().load(game)
    battle: Battle = table.view(seat)
    return render_template(
        "battle/clocks.html",
        at=looking(table, seat, None, None),
        b=battle,
        problem=problem,
        clocks=clocks.clocks(store(), game),
        faces=faces(store(), game, battle),
        tones=tones(battle),
        title=translate(table.game.title),
    )


def change(game: str) -> ResponseReturnValue:
    """Set the clocks, stop them, let them go on, give a side time."""
    if current_seat(game).id != UMPIRE:
        raise Barred("Only the umpire can set the clocks.")
    act = request.form.get("act", "")
    try:
        if act in ("stop", "go_on"):
            clocks.stop(store(), game, act == "stop")
        elif act == "give":
            minutes = whole(request.form.get("minutes"), "minutes")
            clocks.give(store(), game, request.form.get("side", ""), 60 * minutes)
        else:
            clocks.set_clocks(store(), game, clock_of(request.form))
    except BadInput as fault:
        return page(game, reason_text(fault.why)), 422
    return redirect(url_for("battle.clocks", game=game, seat=UMPIRE), 303)


# -- The sides in the page's head.


@dataclass(frozen=True)
class SideHead:
    """A side in the page's head: who it is, how many still have something to do, whether it is locked or done."""

    id: str
    name: str
    letter: str
    shape: int
    to_go: int | None
    locked: bool
    done: bool
    points: int
    afloat: int
    agreed: bool
    deployment: str


def heads(battle: Battle, acting: Mapping[str, tuple[str, ...]], seat: str) -> list[SideHead]:
    """The sides in the page's head. How far another side's plot has come is its own affair."""
    pennants, shapes = letters(battle), tones(battle)
    found = []
    for side_id, side in battle.sides.items():
        secret = battle.step == "plot" and seat not in (side_id, UMPIRE)
        count = None if secret else len(acting.get(side_id, ()))
        found.append(
            SideHead(
                side_id,
                side_name(battle, side_id),
                pennants[side_id],
                shapes[side_id],
                count,
                side.locked,
                side.done,
                side.points,
                len(battle.afloat(side_id)),
                side.agreed,
                setup.word(battle, side_id),
            )
        )
    return found
