"""The pages where campaign and table meet."""

from __future__ import annotations

from typing import Any

from flask import Blueprint, Response, redirect, render_template, request, url_for
from flask.typing import ResponseReturnValue

from strategic.naval.engagement import Engagement
from tactical.kernel.protocol import UMPIRE, Illegal, NotYours
from tactical.kernel.record import BadInput, plain
from webapp.files.book import csv_file
from webapp.http import operations
from webapp.http.forms import read_form, read_photo, whole
from webapp.http.language import gettext as _
from webapp.http.rate_limit import slow_down
from webapp.http.seats import NoSeat, current_seat, store
from webapp.pages.battle import dice
from webapp.pages.battle.report import loud
from webapp.pages.campaign import chronicle
from webapp.pages.campaign import engagement as campaign_engagement
from webapp.pages.campaign import register as campaign_register
from webapp.pages.campaign.register import register as fleet_register
from webapp.pages.campaign.views import show
from webapp.post import seating
from webapp.presenting.meetings import battle_of, link_of, place_name, seen_engagement, unit_names
from webapp.presenting.refusals import Flash, flash_of
from webapp.storage.errors import Barred, Refused, Stale, Unknown
from webapp.storage.journal.engagements import abandon, linked_battle_of
from webapp.storage.journal.records import Table

bp = Blueprint(
    "linked", __name__, template_folder="templates", static_folder="static", static_url_path="/linked/static"
)
FAULTS = (BadInput, Illegal, NotYours, Barred, Refused, Stale)


@bp.record_once
def install(state: Any) -> None:
    """Pages on both sides hear of each other."""
    known = state.app.extensions["navarch"].store.transaction_hooks
    if campaign_engagement.touch_linked_games not in known:
        known.append(campaign_engagement.touch_linked_games)


# What the battle's and the campaign's templates ask for ------------------------------------------------------


@bp.app_template_global()
def linked_stakes(game: str, seat: str, battle: Any) -> Any:
    """L1.4 What hangs on a battle."""
    return campaign_engagement.stakes(store(), battle, game, seat)


@bp.app_template_global()
def linked_review(game: str, seat: str) -> Any:
    """L1.4 The outcome of a battle that is over."""
    return campaign_engagement.review(store(), game, seat, in_full=False)


@bp.app_template_global()
def linked_dice(battle: Any, seat: str) -> Any:
    """L2.5.a The dice that somebody may have thrown again."""
    return dice.rerolls(battle, seat)


@bp.app_template_global()
def linked_meeting(screen: Any) -> Any:
    """L1.2 The engagement on a campaign's page."""
    if "engagement" not in screen.view or not screen.view["engagement"]:
        return None
    return campaign_engagement.meeting_for(
        store(), store().load(screen.game.id), screen.seat, screen.view, meeting_name()
    )


def meeting_name() -> str:
    """O6.1 Which of several meetings the reader has chosen; empty for the one in front."""
    return request.values.get("meeting", "")[:80]


# From the battle to the campaign -----------------------------------------------------------------------------


@bp.post("/linked/<game>/settle")
def settle(game: str) -> ResponseReturnValue:
    """L1.4 Enter the outcome of a finished battle into its campaign."""
    seat, meeting = current_seat(game), linked_battle_of(store(), game)
    if meeting is None:
        raise Unknown("This battle belongs to no campaign.")
    form = read_form(request.form)
    if form.command.get("type") != "settle":
        raise BadInput("command", "only an outcome can be entered here")
    try:
        store().submit(meeting.link.campaign, form.seen, seat.id, form.command, form.faces, form.key)
    except FAULTS as fault:
        return review_page(game, flash_of(fault))
    if store().game(meeting.link.campaign).waiting is not None:
        return redirect(f"/g/{meeting.link.campaign}?seat={seat.id}", 303)  # dice by hand: they are asked for there
    return redirect(url_for("linked.review_page", game=game, seat=seat.id), 303)


@bp.get("/linked/<game>/review")
def review_page(game: str, flash: Flash | None = None) -> ResponseReturnValue:
    """L1.4 The outcome beside the battle's log."""
    seat, table = current_seat(game), store().load(game)
    found = campaign_engagement.review(store(), game, seat.id)
    if found is None:
        return redirect(f"/g/{game}?seat={seat.id}", 303)
    body = render_template(
        "engagements/review.html",
        review=found,
        game=table.game,
        seat=seat.id,
        flash=flash,
        loud=loud(table, seat.id),
        system=store().game(found.campaign).system,
    )
    return body, flash.status if flash else 200


# Reports and corrections -------------------------------------------------------------------------------------


@bp.get("/linked/<game>/report")
def report(game: str) -> ResponseReturnValue:
    """L1.2 The form for an outcome: a side's report, or the umpire's correction."""
    table, seat, engagement = _waiting(game)
    link = link_of(store(), game, engagement.id) if engagement.opened else None
    known = engagement.proposed or (battle_of(store(), link, engagement).outcome if link is not None else None)
    return _form(table, seat, engagement, campaign_engagement.blank(engagement, known))


@bp.post("/linked/<game>/report")
def send_report(game: str) -> ResponseReturnValue:
    """L1.2 Give the typed outcome, with a note and a photo for the chronicle if there are any; what is wrong is said
    at its field, and nothing changes."""
    table, seat, engagement = _waiting(game)
    typed = campaign_engagement.read_report(engagement, request.form, _names(table, engagement))
    if typed.outcome is None:
        return _form(table, seat, engagement, typed, Flash(_("Check the marked fields. Nothing has been entered.")))
    command: dict[str, Any] = {"engagement": engagement.id, "outcome": plain(typed.outcome)}
    command |= {"type": "settle"} if seat == UMPIRE else {"type": "report", "side": seat}
    text, photo = request.form.get("note", ""), read_photo()
    try:
        text = text.strip()
        if text or photo:
            slow_down("notes")
            chronicle.check(store(), game, text, photo)
        store().submit(game, whole(request.form.get("seen"), "seen"), seat, command)
        if text or photo:
            chronicle.write(store(), game, seat, text, "all", photo)
    except FAULTS as fault:
        return _form(table, seat, engagement, typed, flash_of(fault))
    return redirect(f"/g/{game}?seat={seat}", 303)


def _waiting(game: str) -> tuple[Table, str, Engagement]:
    """The campaign and the engagement that waits, for a seat that may speak for it. Raises Barred, Refused."""
    seat, table = current_seat(game).id, store().load(game)
    engagement = seen_engagement(table, seat, meeting_name())
    if engagement is None:
        raise Refused(_("No engagement waits to be settled."), "L1.1")
    if seat != UMPIRE and seat not in engagement.fleets:
        raise Barred(_("Only the two sides and the umpire may report."))
    if seat != UMPIRE and (engagement.opened or engagement.way == "battle"):
        raise Refused(
            _("The sides have agreed to fight this battle in this program; only the umpire may correct its outcome."),
            "L1.4",
        )
    return table, seat, engagement


def _names(table: Table, engagement: Engagement) -> dict[str, str]:
    link = link_of(store(), table.game.id, engagement.id) if engagement.opened else None
    return unit_names(engagement, store().load(link.battle).state if link is not None else None)


def _form(
    table: Table, seat: str, engagement: Engagement, typed: campaign_engagement.Report, flash: Flash | None = None
) -> ResponseReturnValue:
    body = render_template(
        "engagements/report.html",
        game=table.game,
        seat=seat,
        engagement=engagement,
        report=typed,
        flash=flash,
        place=place_name(table.game.system, engagement.place),
        corrects=seat == UMPIRE,
        most_turns=campaign_engagement.most_turns(),
        note=request.form.get("note", ""),
    )
    return body, flash.status if flash else 200


# A battle that nobody fights ---------------------------------------------------------------------------------


@bp.post("/linked/<game>/abandoned")
def abandoned(game: str) -> ResponseReturnValue:
    """L1.2.a Seven days without a word: the system's own table settles when a side asks for it; silence is consent."""
    seat = current_seat(game).id
    try:
        abandon(store(), game, seat, whole(request.form.get("seen"), "seen"))
    except FAULTS as fault:
        return _campaign(game, flash_of(fault))
    return redirect(f"/g/{game}?seat={seat}", 303)


def _campaign(game: str, flash: Flash) -> ResponseReturnValue:
    return show(game, flash)


# The register ------------------------------------------------------------------------------------------------


@bp.get("/campaign/<game>/register")
def register_page(game: str) -> str:
    """L2.4 Every named ship of the war."""
    seat, table = current_seat(game), store().load(game)
    return render_template(
        "engagements/register.html",
        game=table.game,
        seat=seat.id,
        register=fleet_register(store(), table, seat.id),
        state_said=campaign_register.state_text,
        deed_said=campaign_register.deed_text,
        chapters=campaign_register.chapters,
    )


@bp.get("/campaign/<game>/register.csv")
def register_csv(game: str) -> Response:
    """L2.4 The register for other programs."""
    seat, table = current_seat(game), store().load(game)
    return csv_file(campaign_register.as_rows(fleet_register(store(), table, seat.id)), f"navarch-{game}-register")


@bp.errorhandler(NoSeat)
def no_seat(fault: NoSeat) -> ResponseReturnValue:
    """Nobody's page: say how to get a seat."""
    game = (request.view_args or {}).get("game", "")
    return seating.page(game), 401


@bp.errorhandler(Unknown)
def unknown(fault: Unknown) -> ResponseReturnValue:
    """No such game."""
    return operations.not_found(fault)


@bp.errorhandler(BadInput)
@bp.errorhandler(Illegal)
@bp.errorhandler(NotYours)
@bp.errorhandler(Barred)
@bp.errorhandler(Refused)
@bp.errorhandler(Stale)
def refuse(fault: Exception) -> ResponseReturnValue:
    """A refusal on a page of its own, with the way back."""
    game, flash = (request.view_args or {}).get("game", ""), flash_of(fault)
    status = 403 if isinstance(fault, Barred | NotYours) else flash.status
    return render_template("engagements/refused.html", game=game, flash=flash), status
