"""The orders page: by taps on the chart, with the way, the halts and the dangers before an order is given (O4.5)."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import partial
from typing import Any
from urllib.parse import quote_plus, urlencode

from flask import abort, redirect, render_template, request, url_for
from markupsafe import Markup, escape

from strategic.open_campaign.rules.world import chart
from tactical.kernel.protocol import SPECTATOR, UMPIRE
from tactical.kernel.record import BadInput
from webapp.http.cache import Cache, cache_by_language
from webapp.http.forms import count
from webapp.http.game_pages import REFUSALS
from webapp.http.seats import seat_and_knowledge, store
from webapp.pages.open_campaign.blueprint import SYSTEM, open_blueprint
from webapp.pages.open_campaign.detaching import kinds_of, read_detach
from webapp.pages.open_campaign.ordering import (
    DO,
    MOST_BACK,
    NEAREST,
    OF_ORDER,
    Screen,
    Wanted,
    command_of,
    fleets_said,
    screen,
    sides_said,
)
from webapp.pages.open_campaign.sea_chart import tap_of
from webapp.pages.open_campaign.world_sheet import BEYOND
from webapp.post.turn_sentence import turn_sentence
from webapp.presenting.flash import Flash, flash_of
from webapp.presenting.place_names import place_name
from webapp.storage.errors import Stale
from webapp.storage.journal.battle_links import battles_for
from webapp.storage.journal.records import Seat
from webapp.systems.open_campaign.dates import span_words
from webapp.systems.open_campaign.knowledge import days_of
from webapp.systems.open_campaign.order_words import (
    AFTER,
    MORE,
    ON_LAND,
    PACE,
    STANCE,
    STANCE_MEANS,
    THEN,
    WITH_A_FLEET,
)
from webapp.systems.open_campaign.order_words import DO as DO_WORDS

bp = open_blueprint("open_orders")
NOTHING = vars(Wanted())
OF_CHART = ("near", "about", "back")
PLACES = Cache()


@bp.get("/<game>/orders")
def page(game: str) -> Any:
    """The orders of the seat's side; the umpire names a side."""
    return orders_page(game)


def orders_page(game: str, flash: Flash | None = None) -> Any:
    """The page, with a refusal where there is one."""
    holder, table = seat_and_knowledge(game)
    seat, side = holder.id, side_of(table.sides, holder.side)
    found = screen(table, side, wanted(table.view(side)), tap_of(request.args), holder.charge)
    here = addresses(game, seat, found)
    is_part = bool(request.headers.get("HX-Request"))
    body = render_template(
        "open_campaign/_orders.html" if is_part else "open_campaign/orders.html",
        game=table.game,
        seat=seat,
        screen=found,
        flash=flash,
        sentence=turn_sentence(store(), table, seat),
        writes=not holder.charge or seat == side,
        dates=span_words(found.view["date"], days_of(found.view)),
        ready_fleets=fleets_said(sum(not each.is_idle for each in found.fleets), len(found.fleets)),
        ready_sides=sides_said(found.view),
        here=here,
        tap=partial(tap, here),
        to_fleet={id: tap(here, fleet=id) for id in found.view["fleets"]},
        is_commander=not holder.charge,
        with_a_fleet=WITH_A_FLEET,
        kinds=kinds_of(found.view, found.wanted.fleet) if found.is_open else (),
        fought_in=battles_in_charge(holder, found.view["step"]),
        kept=kept(seat, found),
        beyond=BEYOND,
        places=places(found.view),
        **words(bool(found.view["options"]["land"])),
        nearest=NEAREST,
        most_back=MOST_BACK,
    )
    return body, flash.status if flash else 200


def battles_in_charge(holder: Seat, step: str) -> tuple[str, ...]:
    """O1.4 The battles on the table in which a fleet in somebody's charge fights, while no orders are written."""
    if not holder.charge or holder.id != SPECTATOR or step == "orders":
        return ()
    found = battles_for(store(), store().load(holder.game), holder.side, holder.charge)
    return tuple(link.battle for link in found if not store().game(link.battle).over)


@cache_by_language
def words(has_land: bool) -> dict[str, tuple[tuple[str, ...], ...]]:
    """What may be chosen for an order, by the template's names: each thing's name and its words."""
    return {
        "do_words": tuple((name, str(DO_WORDS[name])) for name in DO),
        "more_words": tuple((name, str(word)) for name, word in MORE.items() if has_land or name not in ON_LAND),
        "stances": tuple((name, str(STANCE[name]), str(STANCE_MEANS[name])) for name in STANCE),
        "paces": tuple((name, str(word)) for name, word in PACE.items()),
        "thens": tuple((name, str(word)) for name, word in THEN.items()),
        "afters": tuple((name, str(word)) for name, word in AFTER.items() if name != "besiege" or has_land),
    }


def side_of(sides: tuple[str, ...], seat: str) -> str:
    """Whose orders are written: the seat's own; the umpire may write for any side. Aborts for who only looks on."""
    side = request.values.get("side", "") if seat == UMPIRE else seat
    if seat == SPECTATOR or side not in sides:
        abort(404)
    return side


def last(name: str) -> str:
    """A field's last value: what a page's fields say counts before what its address says."""
    given = request.values.getlist(name)
    return given[-1] if given else ""


def places(view: Mapping[str, Any]) -> dict[str, str]:
    """The spaces of a war's world by their names in the reader's language."""
    world = chart(view["world"])
    return PLACES.get(world.digest, lambda: {place_name(space.name): space.id for space in world.spaces.values()})


def wanted(view: Mapping[str, Any] | None = None) -> Wanted:
    """What the address or the form says. A goal may be written by its name, which `view` knows."""
    by_name = places(view).get(last("place").strip()) if view and last("place") else None
    return Wanted(
        fleet=last("fleet")[:40],
        do=last("do") if last("do") in (*DO, *MORE) else "go" if by_name else "",
        to=by_name or last("to")[:40],
        stance=last("stance") if last("stance") in STANCE else "accept",
        pace=last("pace") if last("pace") in PACE else "cruise",
        more_than=min(count(last("more_than")) or 0, 999),
        note=last("note")[:2000],
        near=min(count(last("near") or "1") or 0, NEAREST),
        about=last("about")[:40],
        back=min(count(last("back")) or 0, MOST_BACK),
        by_night=last("by_night") == "1",
        nights_at_sea=last("nights_at_sea") == "1",
        risk=last("risk") == "1",
        unmet_by=min(count(last("unmet_by")) or 0, 31),
        then=last("then") if last("then") in THEN else "",
        after=last("after") if last("after") in AFTER else "",
        stands=last("stands") == "1",
    )


def kept(seat: str, found: Screen, names: tuple[str, ...] = tuple(NOTHING)) -> dict[str, str]:
    """What the page's address says: its seat, and of what was tapped whatever is not the usual."""
    now = vars(found.wanted)
    values = {name: text_of(now[name]) for name in names if now[name] != NOTHING[name]}
    return {"seat": seat, **values, **({"side": found.side} if seat == UMPIRE else {})}


def addresses(game: str, seat: str, found: Screen) -> Callable[..., str]:
    """The page's address with something changed, as a function; another fleet begins anew."""
    page = f"/open/{game}/orders?"
    same = {name: urlencode({name: value}) for name, value in kept(seat, found).items()}
    anew = {name: same[name] for name in kept(seat, found, OF_CHART)}

    def here(**changes: Any) -> str:
        parts = {**(anew if "fleet" in changes else same)}
        for name, value in changes.items():
            parts.pop(name, None)
            if value != NOTHING[name]:
                parts[name] = f"{name}={quote_plus(text_of(value))}"
        return page + "&".join(parts.values())

    return here


def tap(here: Callable[..., str], **changes: Any) -> Markup:
    """The attributes of a link that brings the page with something changed, and with what its fields say."""
    address = escape(here(**changes))
    return Markup(f'href="{address}" hx-get="{address}" hx-include="#more"')


def text_of(value: Any) -> str:
    """A field as an address says it."""
    return "1" if value is True else str(value)


@bp.post("/<game>/orders")
def give(game: str) -> Any:
    """Give the order in hand, cancel one, or say that the orders stand; then the fleet that wants one next.

    Others write their orders at the same time, so a form is out of date only when its turn is over.
    """
    holder, table = seat_and_knowledge(game)
    seat, side = holder.id, side_of(table.sides, holder.side)
    try:
        submit(game, holder.side, read_command(game, side))
    except REFUSALS as fault:
        return orders_page(game, flash_of(fault, SYSTEM))
    more: dict[str, Any] = {"side": side} if seat == UMPIRE else {}
    if request.form.get("act") != "order":
        more["fleet"] = request.form.get("fleet", "")
    return redirect(url_for(".page", game=game, seat=seat, near=request.form.get("near", "1"), **more), 303)


def read_command(game: str, side: str) -> dict[str, Any]:
    """The form as a command. Raises BadInput for one that says nothing."""
    act, asked = request.form.get("act", ""), wanted()
    if act == "ready":
        return {"type": "ready", "side": side, "ready": request.form.get("ready") == "true"}
    if act == "cancel":
        return {"type": "cancel_order", "side": side, "fleet": asked.fleet}
    if act == "detach":
        return read_detach(store().load(game).view(side), side, asked.fleet)
    if act == "mark":
        return {"type": "mark", "side": side, "space": last("space"), "note": last("pin")[:2000]}
    if act == "write":
        return {"type": "write", "side": side, "text": request.form.get("text", "")}
    order = command_of(side, asked)
    if act != "order" or order is None:
        raise BadInput("do", "tap one of the orders, and its destination")
    fields = {name: getattr(order, name) for name in ("fleet", "to", *OF_ORDER)}
    return {"type": "order", "side": side, **fields}


def submit(game: str, seat: str, command: dict[str, Any]) -> None:
    """Give a command of this turn, whatever others have written meanwhile. Raises Stale when the turn is over."""
    turn = count(request.form.get("turn", ""))
    while True:
        table = store().load(game)
        if table.state.turn != turn:
            raise Stale(table.game.newest(seat))
        try:
            store().submit(game, table.game.version, seat, command)
            return
        except Stale as stale:
            if stale.is_lost:
                raise
