"""The pages of dispatches (O11.1): a side's own, each with an address; the umpire reads all of them."""

from __future__ import annotations

from typing import Any

from flask import abort, redirect, render_template, url_for

from tactical.kernel.protocol import SPECTATOR, UMPIRE
from webapp.http.language import gettext as _
from webapp.http.seats import current_seat, seat_and_knowledge, store
from webapp.pages.open_campaign import SYSTEM, open_blueprint
from webapp.pages.open_campaign.sea_chart import of_interest, paper_of, sea_chart
from webapp.post import deadlines, people
from webapp.post.deadlines import Turn, said_until, turn_view, turns, wait_of
from webapp.presenting.campaign_labels import seat_name
from webapp.storage.journal.records import Table
from webapp.storage.journal.store import Store
from webapp.storage.services import letters
from webapp.storage.services.letters import words_of
from webapp.systems.messages import lines_of
from webapp.systems.open_campaign.dispatch import dispatch, knowledge_of

bp = open_blueprint("dispatches", static_folder="static")
MOST_LETTERS, LONGEST_LETTER = 6, 230  # letters on the second page, and how much of each where they are many
FEW, LONG = 2, 700  # so few letters stand there at greater length
SIZES = {"wide": (714, 424), "narrow": (362, 300)}  # pixels of the map on paper and on a phone


@bp.get("/<game>/dispatch")
def newest(game: str) -> Any:
    """The newest dispatch of this seat; a page that says so where there is none yet."""
    holder = current_seat(game)
    seat, found = holder.id, sent(store(), game, holder.side)
    if not found:
        return render_template("open_campaign/no_dispatch.html", game=store().game(game), seat=seat)
    sides = store().load(game).sides
    side = holder.side if holder.side in sides else sides[0]
    return redirect(url_for(".page", game=game, side=side, number=found[-1].number, seat=seat))


@bp.get("/<game>/dispatch/<side>/<int:number>")
def page(game: str, side: str, number: int) -> Any:
    """A dispatch with its maps, letters, and the hour by which orders are due.

    A side reads its own, the umpire every one, also while he holds it; another side's is not told from one that there
    is not.
    """
    holder, known = seat_and_knowledge(game)
    if side not in known.sides or holder.side not in (side, UMPIRE):
        abort(404)
    all_sent = sent(store(), game, holder.side)
    turn = next((each for each in all_sent if each.number == number), None)
    if turn is None:
        abort(404)
    table, charge = store().load(game), holder.charge  # of fleets alone: what he knows of it is told (O1.4)
    after = store().table_after(game, turn.last).after_sending().knowledge_for(side, charge).view(side)
    knowledge = knowledge_of(after, side)
    around = of_interest(after, knowledge)
    seen = turn_view(store(), table, side, turn, charge)
    now = (table.after_sending() if turn.is_held else table).knowledge_for(side, charge).view(side)
    told = dispatch(seen.before, seen.after, now, seen.events, side, lambda event: lines_of(SYSTEM, (event,))[0].text)
    knows_all = table.knowledge_for(side, charge) is table
    until = table.game.version + 1 if turn.is_held else turn.last  # later letters belong to the next dispatch
    post = [
        each
        for each in letters.letters(store(), game, side if knows_all else SPECTATOR)
        if turn.first <= each.entry < until
    ]
    words = [each.text for each in post if each.sender == UMPIRE][-2:]

    def name(seat: str) -> str:
        return _("all") if seat == letters.ALL else seat_name(table.state, seat)

    return render_template(
        "open_campaign/dispatch.html",
        game=known.game,
        seat=holder.id,
        told=told,
        charts={kind: sea_chart(after, paper_of(after, *size, around), knowledge) for kind, size in SIZES.items()},
        letters=[
            (f"{name(each.sender)} → {name(each.receiver)}", shortened(each.text, len(post)))
            for each in [each for each in post if each.sender != UMPIRE][-MOST_LETTERS:]
        ],
        words=[each for each in (*words, words_of(store(), game, side, turn.number)) if each and knows_all],
        due=due_said(store(), table, side) if told.next_span else "",
        is_held=turn.is_held,
        numbers=[each.number for each in all_sent],
    )


def sent(store: Store, game: str, seat: str) -> tuple[Turn, ...]:
    """The turns whose dispatches this seat may read: those that were sent, and for the umpire the one that he holds."""
    if seat == SPECTATOR:
        return ()
    return tuple(turn for turn in turns(store, game) if seat == UMPIRE or not turn.is_held)


def shortened(text: str, of: int) -> str:
    """One `of` so many letters as far as the page holds it; the whole of it stands among the letters."""
    most = LONG if of <= FEW else LONGEST_LETTER
    return text if len(text) <= most else text[:most].rstrip() + " …"


def due_said(store: Store, table: Table, side: str) -> str:
    """The day and hour by which the side's orders are due, by the group's own clock; empty without a deadline."""
    rule = deadlines.deadline(store, table.game.id)
    if rule is None or side not in table.waiting_for:
        return ""
    end = deadlines.due_in(store, table, wait_of(store, table, side), rule, people.people(store, table.game.id))
    return said_until(deadlines.in_zone(end, rule), deadlines.LONG) if end else ""
