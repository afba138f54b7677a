"""O9.1 A war that is over, turn by turn and day by day, beside what each side believed."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace
from functools import partial
from typing import Any

from flask import render_template, request

from strategic.open_campaign.sequence import SEQUENCE
from strategic.open_campaign.state import State
from tactical.kernel import engine
from tactical.kernel.dice import BadFace, RollNeeded
from tactical.kernel.journal import Entry, replay
from tactical.kernel.protocol import UMPIRE, Illegal, NotYours, System
from tactical.kernel.record import BadInput
from webapp.http.forms import count
from webapp.http.fragments import csrf_input
from webapp.http.seats import seat_and_table, store
from webapp.pages.open_campaign import SYSTEM, open_blueprint
from webapp.pages.open_campaign.desk import TRUTH, charts
from webapp.pages.open_campaign.sea_chart import Box, Paper, scale_box
from webapp.post.deadlines import Turn, turn_view, turns
from webapp.storage.journal.records import Position, Table
from webapp.storage.journal.store import Store
from webapp.storage.services import letters
from webapp.systems.messages import lines_of
from webapp.systems.open_campaign.dispatch import days_of, number_in, side_name, span_words, with_fleet_names

# -- O9.1 The days of a turn that has run: what its commands bring, given again with their own dice.


def mornings(system: System, state: State, entries: Iterable[Entry]) -> dict[int, State]:
    """O9.1 The position on each morning of a turn by its day, from where the turn began and the entries of it.

    Days that a fleet makes up after a meeting (O6.1) are not among them. Raises Illegal, NotYours, BadInput, BadFace
    or RollNeeded for entries of an earlier version of the rules that are not possible any more.
    """
    found: dict[int, State] = {}

    def look(now: State) -> tuple[State, tuple[Any, ...]]:
        if now.step == "running" and now.watch == 0 and not now.late:
            if now.day == 1:
                found.clear()  # a turn that was taken back runs again
            found.setdefault(now.day, now)
        return now, ()

    looking = replace(system, apply=partial(engine.apply, replace(SEQUENCE, tidy=look)))
    for _each in replay(looking, state, entries):
        pass
    return found


# -- A war that is over, turn by turn and day by day (O9.1): where everything was, beside what each side believed.

bp = open_blueprint("open_replay")
MOST_TOLD = 60  # events of one turn
QUIET = frozenset(("ordered", "order_cancelled", "ready", "run", "marked", "turn_begins", "income", "books", "held"))


@bp.get("/<game>/replay", endpoint="replay")
def page(game: str) -> Any:
    """A turn of the war and a day of it, by two sliders; for every seat, once the war is over."""
    seat, table = seat_and_table(game)
    if table.state.result is None:
        return render_template("open_campaign/no_replay.html", game=table.game, seat=seat)
    run = turns(store(), game)
    number = min(max(count(request.args.get("turn", "")) or 1, 1), len(run) + 1)
    shown = table if number > len(run) else store().table_after(game, run[number - 1].first)
    days = 1 if number > len(run) else days_of(shown.view(UMPIRE))
    day = min(max(count(request.args.get("day", "")) or 1, 1), days)
    if day > 1:
        shown = on_day(store(), shown, run[number - 1], day)
    view = shown.view(UMPIRE)
    sides = [(side, side_name(view, side), number_in(view, side)) for side in view["sides"]]
    looks_as = request.args.get("as", TRUTH)
    looks_as = looks_as if looks_as in view["sides"] else TRUTH
    near = count(request.args.get("near", "1")) or 0
    return render_template(
        "open_campaign/replay.html",
        game=table.game,
        seat=seat,
        charts=charts(shown, looks_as, near, "", boxes_over),
        looks_as=looks_as,
        truth=TRUTH,
        sides=sides,
        near=near,
        turn=number,
        last=len(run) + 1,
        day=day,
        days=days,
        dates=span_words(view["date"], days_of(view)),
        told=tell_turn(store(), table, run[number - 1]) if number <= len(run) else [],
        marks=letters.marks(store(), game, seat),
        turn_of=lambda entry: next((each.number for each in run if entry <= each.last), len(run) + 1),
        newest=run[number - 1].last if number <= len(run) else table.game.version,
        csrf_input=csrf_input,
    )


def boxes_over(kind: str, paper: Paper) -> tuple[Box, ...]:
    """Where the switch, the button for the whole chart with the makers of the map below it, and the scale lie."""
    wide, high = paper.width, paper.height
    return (6, 6, wide * 0.7, 62), (wide - 176, high - 74, wide - 4, high - 2), scale_box(paper)


def on_day(store: Store, begun: Table, turn: Turn, day: int) -> Table:
    """The war on the morning of a day of a turn; where the umpire moved, or older rules ruled, as the turn began."""

    def find() -> dict[int, Any]:
        entries = store.entries(begun.game.id, turn.first, turn.last - turn.first)
        try:
            return mornings(begun.system, begun.state, [each for each in entries if each.number <= turn.last])
        except (Illegal, NotYours, BadInput, BadFace, RollNeeded):
            return {}

    found: dict[int, Any] = begun.kept.once("mornings", find)
    state = next((found[each] for each in range(day, 1, -1) if each in found), None)
    return begun if state is None else replace(begun, state=state, kept=Position(state))


def tell_turn(store: Store, table: Table, turn: Turn) -> list[str]:
    """What a turn brought, in sentences, without what only tells of paper work."""
    seen = turn_view(store, table, UMPIRE, turn)
    loud = [event for event in seen.events if event.get("type") not in QUIET]
    named = (with_fleet_names(seen.after, event) for event in loud)
    return [each.text for each in lines_of(SYSTEM, named)[:MOST_TOLD]]
