"""The pages of groups by post: who plays, until when, by what orders; letters; the calendar; the end of mail."""

from __future__ import annotations

from collections.abc import Callable
from datetime import datetime, timedelta
from typing import Any
from zoneinfo import available_timezones

import icalendar
from flask import Blueprint, Response, redirect, render_template, request, url_for
from flask.typing import ResponseReturnValue
from flask_babel import format_datetime
from flask_babel import lazy_gettext as _l

from tactical.kernel.protocol import SPECTATOR, UMPIRE
from webapp.http.game_pages import REFUSALS
from webapp.http.language import gettext as _
from webapp.http.rate_limit import TooMany, slow_down
from webapp.http.seats import NoSeat, current_seat, store
from webapp.pages.group import due_shown
from webapp.post import api, charges, consents, deadlines, devices_api, mail, orders, people, postman
from webapp.post.clock_words import said_until
from webapp.post.turn_sentence import turn_sentence
from webapp.presenting.campaign_labels import seat_word
from webapp.presenting.flash import Flash, flash_of
from webapp.presenting.rule_link import rule_words
from webapp.seating.no_seat import no_seat, unknown
from webapp.storage.errors import Unknown
from webapp.storage.journal.store import Store
from webapp.storage.services import letters

bp = Blueprint("post", __name__, template_folder="templates")
bp.register_error_handler(NoSeat, no_seat)
bp.register_error_handler(Unknown, unknown)
QUESTIONS = {
    "counter": _l("May I play a counter-event?"),
    "counter_at_sea": _l("Play a counter-event at sea?"),
    "battle_event": _l("Play a battle event?"),
    "open": _l("Open the turn with a campaign card?"),
    "intercept": _l("Intercept an army that passes?"),
    "sea_intercept": _l("Intercept at sea?"),
    "avoid": _l("Avoid battle, or go inside the walls?"),
    "elephants": _l("Shall the elephants charge?"),
    "tactic": _l("Play a tactics card?"),
    "spend_train": _l("Spend a supply train?"),
    "declare": _l("Intercept the army that is coming, or avoid battle?"),
    "contest": _l("Contest the crossing?"),
    "fight": _l("Fight, or decline battle?"),
    "retire": _l("Relieve a leader?"),
    "recruit": _l("Recruit?"),
}
ANSWERS = {
    "ask": _l("Ask me"),
    "empty": _l("Let it pass when I can do nothing else"),
    "pass": _l("Always let it pass"),
    "do": _l("Always do it"),
}
DOES = {"declare": _l("Always intercept")}  # what the order to do it means, where the question has two answers
SIXTHS = (17, 33, 50, 67, 83)  # percent: one face of six, two, ...
LAPSES = {
    "wait": _l("everybody is notified, and the game waits"),
    "umpire": _l("the umpire decides what to do"),
    "orders": _l("every question that can be passed is passed"),
    "captain": _l("a captain answers in the seat's place"),
}
MAILS = {"at_once": _l("At once"), "daily": _l("Once a day"), "never": _l("Never")}
ROLES = {"player": _l("player"), "deputy": _l("deputy")}


# Who plays -------------------------------------------------------------------------------------------


@bp.get("/g/<game>/group")
def group(game: str, flash: Flash | None = None) -> ResponseReturnValue:
    """Who plays in which seat, until when, and by what orders."""
    holder = current_seat(game)
    seat, table = holder.id, store().load(game).for_seat(holder.id)
    record = table.game
    those = people.people(store(), game)
    pieces = {} if holder.charge else {each: charges.pieces_of(table, each) for each in table.sides}
    given = orders.orders(store(), game, seat)
    body = render_template(
        "post/group.html",
        game=record,
        seat=seat,
        flash=flash,
        is_umpire=seat == UMPIRE,
        looks_on=seat == SPECTATOR,
        people=[(each, api.person_json(each, holder.side)) for each in those],
        may_change=lambda who: people.may_change(holder.side, who),
        pieces_of=lambda who: pieces.get(who.seat, {}) if people.may_change(seat, who) else {},
        charge_words=lambda who: ", ".join(pieces.get(who.seat, {}).get(each, each) for each in who.charge),
        seats=[each.id for each in store().seats(game) if each.id != SPECTATOR],
        rule=deadlines.deadline(store(), game),
        waits=said_waits(game),
        sentence=turn_sentence(store(), table, seat).text,
        due=due_shown.first_due(store(), table),
        rows=due_shown.rows(store(), table),
        weekdays=due_shown.weekdays(),
        has_mail=api.postman().server is not None,
        questions=[
            (each, QUESTIONS[each.id], rule_words(record.system, each.rule), answers(each, given.get(each.id)))
            for each in questions(game, seat)
        ],
        told=devices_api.devices_json(game, seat),
        when=said_when,
        lapses=LAPSES,
        mails=MAILS,
        roles=ROLES,
        zones=sorted(available_timezones()),
        failures=mail.failures(store(), game) if seat == UMPIRE else [],
        lapsed=postman.lapses(store(), game),
    )
    return body, flash.status if flash else 200


def questions(game: str, seat: str) -> tuple[orders.Question, ...]:
    """The questions that this seat may answer beforehand."""
    return orders.questions(store().game(game).system) if seat in store().load(game).sides else ()


def answers(question: orders.Question, given: orders.Order | None) -> list[tuple[str, str, bool]]:
    """What may be ordered for a question: as it is written, in words, and whether it is ordered now."""
    found = {id: str(text) for id, text in ANSWERS.items() if id != "do" or question.does}
    if "do" in found:
        found["do"] = str(DOES.get(question.id, found["do"]))
    if question.rolls:
        for least in sorted({*SIXTHS, *([given.least] if given and given.least else ())}):
            found[f"do:{least}"] = at_or_better(question.id, least)
    now = (given or orders.Order()).written
    return [(written, text, written == now) for written, text in found.items()]


def at_or_better(question: str, least: int) -> str:
    """An order with a least chance, in words; as a roll too where it is a number of a die's faces."""
    faces = SIXTHS.index(least) + 1 if least in SIXTHS else 0
    if question == "declare":
        said = _("Intercept at %(chance)s%% or better", chance=least)
    else:
        said = _("Do it at %(chance)s%% or better", chance=least)
    return said if not faces else _("%(order)s (on a roll of %(face)s or less)", order=said, face=faces)


def said_waits(game: str) -> list[dict[str, Any]]:
    """Who is waited for, by seat and by name, and until when, in words."""
    rule, those = deadlines.deadline(store(), game), people.people(store(), game)
    return [
        {
            **wait,
            "said": said_until(deadlines.in_zone(datetime.fromisoformat(wait["until"]), rule)) if wait["until"] else "",
            "who": ", ".join(who.name for who in those if who.seat == wait["seat"] and who.role != "deputy"),
        }
        for wait in api.due_now(game)
    ]


def do(
    game: str, act: Callable[[], Response], sentence: Callable[[dict[str, Any]], str] | None = None
) -> ResponseReturnValue:
    """Let the API's function act by this page's form, and show the page again, with a sentence about its answer.

    A refusal is said on the page.
    """
    try:
        answer = act()
    except (*REFUSALS, TooMany) as fault:
        return group(game, flash_of(fault))
    if sentence is not None:
        return group(game, Flash(sentence(answer.json or {}), status=200))
    return redirect(url_for("post.group", game=game, seat=current_seat(game).id), 303)


@bp.post("/g/<game>/group/invite")
def invite(game: str) -> ResponseReturnValue:
    """Put somebody into a seat; his link is shown once, and mailed to him."""

    def sentence(made: dict[str, Any]) -> str:
        who = made["name"]
        return _("%(name)s plays now. The link of %(name)s, shown only here: %(link)s", name=who, link=made["link"])

    return do(game, lambda: api.invite(game), sentence)


@bp.post("/g/<game>/group/people/<int:id>")
def change(game: str, id: int) -> ResponseReturnValue:
    """What a person says of himself, a trial mail, a new link, or his leave."""
    match request.form.get("act"):
        case "part":
            return do(game, lambda: api.part(game, id))
        case "link":
            sentence = _("The new link, shown only here: %(link)s")
            return do(game, lambda: api.new_link(game, id), lambda made: sentence % made)
        case "charge":
            return do(game, lambda: api.entrust(game, id))
        case "trial":
            sent = _("A test e-mail is on its way; this page will show whether the mail server accepted it.")
            return do(game, lambda: api.trial(game, id), lambda made: sent)
    return do(game, lambda: api.change(game, id))


@bp.post("/g/<game>/group/devices/<int:id>")
def change_device(game: str, id: int) -> ResponseReturnValue:
    """Try one of this seat's devices, or do without it; one is added by the page's script (see `devices_api`)."""
    if request.form.get("act") == "trial":
        sent = _("A notification is on its way to this device.")
        return do(game, lambda: devices_api.trial(game, id), lambda made: sent)
    return do(game, lambda: devices_api.remove(game, id))


@bp.post("/g/<game>/group/deadline")
def set_time(game: str) -> ResponseReturnValue:
    """Set the rule for time, pause it, give more time, or do without."""
    acts = {"none": api.no_time, "more": api.more_time}
    return do(game, lambda: acts.get(request.form.get("act", ""), api.set_time)(game))


@bp.post("/g/<game>/group/wanted")
def call_for_substitute(game: str) -> ResponseReturnValue:
    """Call for a substitute."""
    return do(game, lambda: api.call_for_substitute(game, request.form.get("seat", "")))


@bp.post("/g/<game>/group/orders")
def order(game: str) -> ResponseReturnValue:
    """Set this seat's standing orders."""
    return do(game, lambda: api.order(game))


# Letters ---------------------------------------------------------------------------------------------


@bp.get("/g/<game>/letters")
def post(game: str, flash: Flash | None = None, text: str = "") -> ResponseReturnValue:
    """The letters that this seat may read; opening the page opens them."""
    seat = current_seat(game).id
    known = letters.last_read(store(), game, seat)
    found = letters.letters(store(), game, seat)
    if seat != SPECTATOR:
        letters.mark_read(store(), game, seat)
    body = render_template(
        "post/letters.html",
        game=store().game(game),
        seat=seat,
        flash=flash,
        letters=found,
        known=known,
        text=text,
        to=api.receivers(game, seat),
        all=letters.ALL,
        when=said_when,
        longest=letters.LONGEST,
    )
    return body, flash.status if flash else 200


@bp.post("/g/<game>/letters")
def send(game: str) -> ResponseReturnValue:
    """Write a letter."""
    try:
        api.send(game)
    except (*REFUSALS, TooMany) as fault:
        return post(game, flash_of(fault), request.form.get("text", ""))
    return redirect(url_for("post.post", game=game, seat=current_seat(game).id), 303)


def said_when(moment: str) -> str:
    """A letter's time."""
    return str(format_datetime(deadlines.moment(moment), "d MMM y, HH:mm"))


@bp.app_template_global()
def letters_unread(game: str, seat: str) -> int:
    """How many letters a seat has not opened, for the menu."""
    return letters.unread(store(), game, seat)


# Calendar, end of mail -------------------------------------------------------------------------------


@bp.get("/g/<game>/deadlines.ics")
def calendar(game: str) -> Response:
    """Until when who must act, as a calendar file."""
    seat, record = current_seat(game), store().game(game)
    rule = deadlines.deadline(store(), game)
    found = icalendar.Calendar()
    found.add("prodid", "-//Navarch//EN")
    found.add("version", "2.0")
    for wait in api.due_now(game):
        if wait["until"] is not None and (seat.id in (UMPIRE, wait["seat"])):
            found.add_component(entry(record.title, game, wait, rule.remind if rule else 0))
    answer = Response(found.to_ical(), mimetype="text/calendar")
    answer.headers["Content-Disposition"] = f'attachment; filename="navarch-{game}.ics"'
    return answer


def entry(title: str, game: str, wait: dict[str, Any], remind: int) -> icalendar.Event:
    """One deadline as an entry of a calendar."""
    end = datetime.fromisoformat(wait["until"])
    found = icalendar.Event()
    found.add("uid", f"{game}-{wait['seat']}-{wait['since']}@navarch")
    found.add("dtstamp", deadlines.moment(wait["since"]))
    found.add("dtstart", end)
    found.add("dtend", end)
    found.add("summary", _("%(game)s: deadline of %(seat)s", game=title, seat=seat_word(wait["seat"])))
    if remind:
        alarm = icalendar.Alarm()
        alarm.add("action", "DISPLAY")
        alarm.add("description", title)
        alarm.add("trigger", timedelta(hours=-remind))
        found.add_component(alarm)
    return found


@bp.get("/post/stop/<stop>")
def ask_stop(stop: str) -> str:
    """Ask before mail ends: a program that follows links must not end it."""
    return render_template("post/stop.html", stop=stop, consent=None)


@bp.post("/post/stop/<stop>")
def end_mail(stop: str) -> str:
    """No more mail from this game to this address."""
    return render_template("post/stop.html", stop=stop, consent=consent_of(consents.refuse, stop))


@bp.get("/post/yes/<secret>")
def ask_yes(secret: str) -> str:
    """Ask before mail comes: a program that follows links must not say yes for its reader."""
    found = consent_of(consents.consent_of, secret)
    return render_template("post/yes.html", secret=secret, consent=found, game=store().game(found.game))


@bp.post("/post/yes/<secret>")
def let_mail_come(secret: str) -> str:
    """Mail from this game comes to this address."""
    found = consent_of(consents.accept, secret)
    api.postman().look_soon(found.game)
    return render_template("post/yes.html", secret=secret, consent=found, game=store().game(found.game))


def consent_of(act: Callable[[Store, str], consents.Consent], secret: str) -> consents.Consent:
    """The consent of a link; a secret that is nobody's counts as a guess. Raises TooMany, Unknown."""
    try:
        return act(store(), secret)
    except Unknown:
        slow_down("tokens")
        raise
