"""A campaign's public page, while its umpire shows it."""

from __future__ import annotations

from flask import Response, abort, g, render_template, request, url_for

from tactical.kernel.protocol import SPECTATOR
from webapp.http.forms import count
from webapp.http.rate_limit import slow_down
from webapp.http.seats import store
from webapp.pages.campaign import chronicle as campaign_chronicle
from webapp.pages.campaign import display
from webapp.pages.campaign.journal import lines
from webapp.pages.frame import campaign_blueprint
from webapp.pages.organizer import due
from webapp.post.people import wanted
from webapp.presenting.map.sheet import has_map

bp = campaign_blueprint("public", __name__, template_folder="templates", url_prefix="/public/<game>")
ENTRIES = 100  # of the journal on one page
NO_ROBOTS = "noindex, nofollow"
MAP = (1150, 720)  # pixels that the page has for the map


@bp.before_request
def shown_to_all() -> None:
    """The game while it is shown to everybody; 404 for any other, as if there were none. Raises TooMany, Unknown."""
    slow_down("public")
    game = (request.view_args or {})["game"]
    if not store().game(game).is_public:
        abort(404)
    g.table = store().load(game).for_seat(SPECTATOR)


@bp.after_request
def without_robots(answer: Response) -> Response:
    """An answer that search machines leave alone."""
    answer.headers["X-Robots-Tag"] = NO_ROBOTS
    return answer


@bp.get("")
def page(game: str) -> str:
    """The map and all that leads on."""
    shown = display.spectators_view(game, MAP)
    until, late = due(store(), game, shown["screen"].waits)
    return render_template(
        "public/public.html",
        **shown,
        until=until,
        late=late,
        wanted=wanted(store(), game),
        has_map=has_map(g.table.game.system),
    )


@bp.get("/chronicle")
def chronicle(game: str) -> str:
    """The war turn by turn, as a spectator may know it."""
    paper = request.args.get("paper", "")
    return render_template(
        "campaign/chronicle.html",
        game=g.table.game,
        seat=SPECTATOR,
        flash=None,
        is_public=True,
        chapters=campaign_chronicle.titles(g.table, SPECTATOR),
        paper=paper if paper in campaign_chronicle.PAPERS else "",
        has_map=has_map(g.table.game.system),
        feed=url_for("public.feed", game=game),
        picture=lambda chapter: url_for("public.picture", game=game, number=chapter.entry),
        photo=lambda note: url_for("public.photo", game=game, id=note.id),
    )


@bp.get("/photo/<int:id>")
def photo(game: str, id: int) -> Response:
    """The photo of a note that everybody may read."""
    return campaign_chronicle.photo_of(game, id, SPECTATOR)


@bp.get("/map/<int:number>.svg")
def picture(game: str, number: int) -> Response:
    """The map after an entry."""
    return campaign_chronicle.picture_of(game, number, SPECTATOR)


@bp.get("/feed.atom")
def feed(game: str) -> Response:
    """The chronicle as a feed."""
    return campaign_chronicle.feed_of(
        game,
        SPECTATOR,
        link=url_for("public.page", game=game),
        own=request.path,
        page=url_for("public.chronicle", game=game),
        picture=lambda chapter: url_for("public.picture", game=game, number=chapter.entry),
    )


@bp.get("/journal")
def journal(game: str) -> str:
    """The journal, the newest entries first; `before` leads on to older ones."""
    game_now = g.table.game
    asked = count(request.args.get("before"))
    end = game_now.version + 1 if asked is None else asked
    start = max(0, min(end, game_now.version + 1) - ENTRIES)
    found = [entry for entry in store().entries(game, start - 1, ENTRIES, SPECTATOR) if entry.number < end]
    told = [lines(game_now.system, entry, SPECTATOR) for entry in reversed(found)]
    return render_template("public/journal.html", game=game_now, entries=told, older=start)
