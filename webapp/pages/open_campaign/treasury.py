"""Money (O8.1): what a side has, earns, owes and pays; building, borrowing, subsidies and ransoms by taps."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from flask import redirect, render_template, request, url_for
from flask_babel import format_decimal

from strategic.open_campaign.rules.holding import position_for
from strategic.open_campaign.rules.money import MONTH, TALENT, income_of, upkeep
from strategic.open_campaign.rules.world import chart
from strategic.open_campaign.state import State
from strategic.open_campaign.tables import TABLES
from tactical.kernel.protocol import UMPIRE, Offer
from tactical.kernel.record import BadInput, plain
from webapp.http.forms import count
from webapp.http.language import gettext as _
from webapp.http.seats import REFUSALS, seat_and_table
from webapp.pages.open_campaign import SYSTEM, open_blueprint
from webapp.pages.open_campaign.orders import side_of, submit
from webapp.presenting.labels import place_name, type_word
from webapp.presenting.refusals import Flash, flash_of
from webapp.systems.open_campaign.dispatch import side_name

bp = open_blueprint("open_treasury")
View = Mapping[str, Any]


@dataclass(frozen=True)
class Yard:
    """A port that may lay a ship down now: its id and name, and each type with its price."""

    port: str
    name: str
    types: tuple[tuple[str, str], ...]


@dataclass(frozen=True)
class Books:
    """What the page shows of a side; amounts are in talents, as they are written."""

    chest: str
    income: str
    upkeep: str
    debt: str
    yards: tuple[Yard, ...]
    stocks: tuple[tuple[str, str, int], ...]
    lend: str
    repay: str
    others: tuple[tuple[str, str], ...]
    subsidies: tuple[str, ...]
    held: tuple[tuple[str, str, str, bool], ...]
    captives: tuple[tuple[str, str], ...]


@bp.get("/<game>/treasury")
def page(game: str) -> Any:
    """The books of the seat's side; the umpire names a side."""
    return treasury_page(game)


@bp.post("/<game>/treasury")
def act(game: str) -> Any:
    """Build, borrow, pay back, promise or ransom; then the page again."""
    seat, table = seat_and_table(game)
    side = side_of(table.sides, seat)
    try:
        submit(game, seat, command_of(side))
    except REFUSALS as fault:
        return treasury_page(game, flash_of(fault, SYSTEM))
    more: dict[str, Any] = {"side": side} if seat == UMPIRE else {}
    return redirect(url_for(".page", game=game, seat=seat, **more), 303)


def command_of(side: str) -> dict[str, Any]:
    """The form as a command. Raises BadInput for one that says nothing."""
    form = request.form
    match form.get("act"):
        case "build":
            port, _at, ship = form.get("build", "").partition(":")
            return {"type": "build", "side": side, "port": port[:60], "ship": ship[:40]}
        case "borrow" | "repay" as act:
            return {"type": act, "side": side, "amount": hundredths(form.get("amount", ""))}
        case "subsidize":
            turns = count(form.get("turns", "")) or 1
            amount = hundredths(form.get("amount", ""))
            return {"type": "subsidize", "side": side, "to": form.get("to", "")[:60], "amount": amount, "turns": turns}
        case "ransom":
            return {"type": "ransom", "side": side, "name": form.get("name", "")[:200]}
    raise BadInput("act", "tap one of the buttons")


def hundredths(typed: str) -> int:
    """An amount in talents, as it was typed, in hundredths. Raises BadInput for what is no amount."""
    whole, _point, part = typed.strip().replace(",", ".").partition(".")
    talents_given, cents = count(whole or "0"), count(part or "0")
    if not (whole or part) or talents_given is None or cents is None:
        raise BadInput("amount", "give an amount in talents")
    return talents_given * TALENT + (count(f"{part}00"[:2]) or 0)


def talents(amount: int) -> str:
    """So many hundredths of a talent, as talents, with the comma or the point of the reader's language."""
    return format_decimal(amount / TALENT, "0.00" if amount % TALENT else "0")


def books(state: State, view: View, side: str, offers: tuple[Offer, ...]) -> Books:
    """What a side has, may do, and has agreed to."""
    fleets = [id for id, fleet in state.fleets.items() if fleet.side == side and fleet.ships]
    most = {offer.type: offer.fields["amount"]["to"] for offer in offers if offer.type in ("borrow", "repay")}
    may_buy = {offer.fields["name"] for offer in offers if offer.type == "ransom"}
    return Books(
        chest=talents(view["money"].get(side, 0)),
        income=talents(income_of(state, side, MONTH)),
        upkeep=talents(sum(upkeep(state, id, MONTH) for id in fleets)),
        debt=talents(view["debts"].get(side, 0)),
        yards=tuple(yard(view, offer.fields) for offer in offers if offer.type == "build"),
        stocks=tuple(
            (port_name(view, each["port"]), type_word(each["ship"]), each["days"]) for each in mine(view, side)
        ),
        lend=talents(most.get("borrow", 0)),
        repay=talents(most.get("repay", 0)),
        others=tuple((id, side_name(view, id)) for id in state.playing if id != side),
        subsidies=tuple(
            subsidy_line(view, side, each) for each in view["subsidies"] if side in (each["by"], each["to"])
        ),
        held=tuple(
            (each["name"], side_name(view, each["by"]), talents(each["price"]), each["name"] in may_buy)
            for each in view["captives"]
            if each["side"] == side
        ),
        captives=tuple((each["name"], talents(each["price"])) for each in view["captives"] if each["by"] == side),
    )


def yard(view: View, fields: Mapping[str, Any]) -> Yard:
    """What a port may lay down."""
    types = tuple((kind, f"{type_word(kind)} ({talents(TABLES.money.price[kind])})") for kind in fields["ship"])
    return Yard(fields["port"], port_name(view, fields["port"]), types)


def mine(view: View, side: str) -> list[View]:
    """The ships of a side that are on the stocks."""
    return [each for each in view["stocks"] if each["side"] == side]


def port_name(view: View, port: str) -> str:
    """A port by its name."""
    return place_name(chart(view["world"]).spaces[port].name)


def subsidy_line(view: View, side: str, row: View) -> str:
    """A subsidy in words."""
    form = _("To %(side)s: %(amount)s a turn, turns left: %(turns)s")
    if row["to"] == side:
        form = _("From %(side)s: %(amount)s a turn, turns left: %(turns)s")
    other = row["to"] if row["by"] == side else row["by"]
    return str(form) % {"side": side_name(view, other), "amount": talents(row["amount"]), "turns": row["turns"]}


def treasury_page(game: str, flash: Flash | None = None) -> Any:
    """The page, with a refusal where there is one."""
    seat, table = seat_and_table(game)
    side = side_of(table.sides, seat)
    view = plain(table.view(side))
    body = render_template(
        "open_campaign/treasury.html",
        game=table.game,
        seat=seat,
        side=side,
        side_name=side_name(view, side),
        turn=view["turn"],
        money=view["options"]["money"],
        is_open=view["result"] is None and not view["sides"][side]["resigned"],
        books=books(position_for(table.state, side), view, side, tuple(table.offers(side))),
        flash=flash,
    )
    return body, flash.status if flash else 200
