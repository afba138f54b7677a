"""A side's own pages: its lists, treaties and letters (O5.4, O11.2), dates of battles (O3.6), money (O8.1)."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from flask import Blueprint, redirect, render_template, request, url_for
from flask_babel import format_decimal, ngettext
from flask_babel import lazy_gettext as _l

from strategic.open_campaign.rules.holding import position_for
from strategic.open_campaign.rules.money import MONTH, TALENT, income_of, upkeep
from strategic.open_campaign.rules.world import chart
from strategic.open_campaign.tables import TABLES
from tactical.kernel.protocol import UMPIRE
from tactical.kernel.record import BadInput, plain
from webapp.http.forms import count
from webapp.http.language import gettext as _
from webapp.http.language import with_sign
from webapp.http.seats import REFUSALS, seat_and_table
from webapp.pages.open_campaign import SYSTEM, open_blueprint
from webapp.pages.open_campaign.desk import NO_DATE, battle_title
from webapp.pages.open_campaign.orders import side_of, submit
from webapp.presenting.labels import place_name, type_word
from webapp.presenting.refusals import Flash, flash_of
from webapp.storage.journal.records import Table
from webapp.systems.open_campaign.dispatch import afloat, fleet_line, goal_line, number_in, side_name, where

View = Mapping[str, Any]


def side_pages(
    name: str, told: Callable[[Table, View, str], View], command_of: Callable[[str], View] | None = None
) -> Blueprint:
    """A page of a side and its form: `told` is what its template is given of the side's view, `command_of` what its
    form commands for the side, where it has one. An umpire names the side.
    """
    bp = open_blueprint(f"open_{name}")

    def shown(game: str, flash: Flash | None = None) -> Any:
        seat, table = seat_and_table(game)
        side = side_of(table.sides, seat)
        view = plain(table.view(side))
        body = render_template(
            f"open_campaign/{name}.html",
            game=table.game,
            seat=seat,
            side=side,
            side_name=side_name(view, side),
            turn=view["turn"],
            is_open=view["result"] is None and not view["sides"][side].get("resigned"),
            flash=flash,
            **told(table, view, side),
        )
        return body, flash.status if flash else 200

    @bp.get("/<game>/" + name)
    def page(game: str) -> Any:
        return shown(game)

    if command_of is None:
        return bp

    @bp.post("/<game>/" + name)
    def act(game: str) -> Any:
        seat, table = seat_and_table(game)
        side = side_of(table.sides, seat)
        try:
            submit(game, seat, dict(command_of(side)))
        except REFUSALS as fault:
            return shown(game, flash_of(fault, SYSTEM))
        more: dict[str, Any] = {"side": side} if seat == UMPIRE else {}
        return redirect(url_for(".page", game=game, seat=seat, **more), 303)

    return bp


# -- Fleets, ships, admirals, goals and ports as lists, as the side knows them.


def lists_of(table: Table, view: View, side: str) -> View:
    """What a side has, and the goals and ports of which it knows."""
    world = chart(view["world"])
    return {
        "signed": with_sign,
        "money": view["options"]["money"],
        "fleets": [fleet_line(view, view, id) for id, fleet in afloat(view) if fleet["side"] == side],
        "ships": ships_of(view, side),
        "admirals": admirals(view, side),
        "goals": goals(view, side),
        "points": view["stopped_now"][side],
        "ports": sorted(
            (place_name(world.spaces[id].name), side_name(view, holder))
            for id, holder in view["ports"].items()
            if id in world.spaces
        ),
    }


def admirals(view: View, side: str) -> list[View]:
    """O2.4 The admirals of a side who have ships, the best first."""
    found = [
        {**each, "fleet": each["name"], "name": each["admiral"], "where": where(view, each), "is_ill": each["ill"]}
        for _id, each in afloat(view)
        if each["side"] == side and each["admiral"]
    ]
    return sorted(found, key=lambda each: (-each["seamanship"] - each["fight"], each["name"]))


def goals(view: View, side: str) -> list[str]:
    """O9.1 The goals of which a side knows: its own first, then those of others by their names."""
    mine = [goal_line(view, each) for each in view["goals"] if each["side"] == side]
    others = [
        f"{side_name(view, each['side'])}: {goal_line(view, each)}" for each in view["goals"] if each["side"] != side
    ]
    return [*mine, *others]


def needs(ship: View) -> str:
    """O2.1 What a yard or a beach has to mend in a ship, and how long she has not been hauled out."""
    found = [_("oars broken")] if ship["oars"] else []
    if ship["breaches"]:
        found.append(str(ngettext("%(num)d breach", "%(num)d breaches", ship["breaches"])))
    if ship["weeks"]:
        found.append(str(ngettext("%(num)d week in the water", "%(num)d weeks in the water", ship["weeks"])))
    return ", ".join(found)


def ships_of(view: View, side: str) -> list[View]:
    """The side's ships in words, by fleet; `hull` is what is left of it, and of how much."""
    fleets = {ship: str(fleet["name"]) for fleet in view["fleets"].values() for ship in fleet["ships"]}
    found = []
    for id, ship in view["ships"].items():
        if ship["side"] == side:
            whole = int(TABLES.hull[ship["type"]])
            hull = f"{max(0, whole - ship['damage'])}/{whole}"
            words = {"name": ship["name"] or id, "type": type_word(ship["type"]), "fleet": fleets.get(id, "")}
            found.append({**ship, **words, "hull": hull, "needs": needs(ship)})
    return sorted(found, key=lambda each: (each["fleet"] == "", each["fleet"], each["type"], each["name"]))


lists = side_pages("lists", lists_of)

# -- Treaties and letters, and when the side's battles are fought at a table.

LONGEST = 2000  # letters of a letter, as the rule has it
TERMS = {
    "peace": _l("We do not fight each other."),
    "passage": _l("Our fleets let each other pass."),
    "markets": _l("Our ports feed each other's fleets."),
    "seeing": _l("We tell each other what we see."),
}


def relations_of(table: Table, view: View, side: str) -> View:
    """The other sides as this one stands to them, and its meetings that may have a date."""
    by_ship = view["options"]["letters"] == "by_ship"
    meetings = [
        {"id": id, "title": battle_title(view, meeting) + ": " + side_name(view, enemy)}
        | dict(view["appointed"].get(id, NO_DATE))
        for id, meeting in view["engagements"].items()
        for enemy in [next(each for each in meeting["fleets"] if each != side)]
    ]
    return {
        "others": [other_side(view, side, id) for id in view["sides"] if id != side],
        "battles": meetings,
        "terms": list(TERMS.items()),
        "by_ship": by_ship,
        "how": _("Letters go by dispatch boat: they may arrive late or be captured.")
        if by_ship
        else _("Letters come at once."),
        "longest": LONGEST,
    }


def other_side(view: View, side: str, id: str) -> View:
    """Another side: the treaties that hold and that wait between the two, and the letters, the newest first."""
    treaties = [
        row | {"terms": [TERMS[term] for term in row["terms"]], "is_ours": row["by"] == side}
        for row in view["treaties"]
        if {row["by"], row["to"]} == {side, id}
    ]
    letters = [
        row | {"is_ours": row["by"] == side}
        for row in reversed(view["mail"])
        if {row["by"], row["to"]} == {side, id} and (row["by"] == side or (row["arrived"] and not row["lost"]))
    ]
    return {
        "id": id,
        "name": side_name(view, id),
        "colour": number_in(view, id),
        "is_out": bool(view["sides"][id].get("resigned")),
        "holds": [each for each in treaties if each["turn"]],
        "waits": [each for each in treaties if not each["turn"]],
        "letters": letters,
    }


def relations_command(side: str) -> View:
    """The form as a command. Raises BadInput for one that says nothing."""
    form, base = request.form, {"side": side, "to": request.form.get("to", "")[:60]}
    match form.get("act"):
        case "appoint":
            about = {name: form.get(name, "").strip() for name in ("engagement", "when", "where", "who")}
            return {"type": "appoint", "side": side, **about}
        case "propose":
            terms = [term for term in form.getlist("term") if term in TERMS]
            return {"type": "propose", **base, "terms": terms, "text": form.get("text", "").strip()}
        case "agree":
            return {"type": "agree_treaty", **base}
        case "denounce":
            return {"type": "denounce", **base}
        case "post":
            return {"type": "post", **base, "text": form.get("text", "").strip()}
    raise BadInput("act", "tap one of the buttons")


relations = side_pages("relations", relations_of, relations_command)

# -- Money: what a side has, earns, owes and pays; building, borrowing, subsidies and ransoms by taps.


def treasury_of(table: Table, view: View, side: str) -> View:
    """What a side has, may do, and has agreed to; amounts are in talents, as they are written."""
    state, offers = position_for(table.state, side), tuple(table.offers(side))
    fleets = [id for id, fleet in state.fleets.items() if fleet.side == side and fleet.ships]
    most = {offer.type: offer.fields["amount"]["to"] for offer in offers if offer.type in ("borrow", "repay")}
    may_buy = {offer.fields["name"] for offer in offers if offer.type == "ransom"}

    def port_name(port: str) -> str:
        return place_name(chart(view["world"]).spaces[port].name)

    def yard(port: str, types: list[str]) -> View:
        named = [(kind, f"{type_word(kind)} ({talents(TABLES.money.price[kind])})") for kind in types]
        return {"port": port, "name": port_name(port), "types": named}

    books = {
        "chest": talents(view["money"].get(side, 0)),
        "income": talents(income_of(state, side, MONTH)),
        "upkeep": talents(sum(upkeep(state, id, MONTH) for id in fleets)),
        "debt": talents(view["debts"].get(side, 0)),
        "yards": [yard(offer.fields["port"], offer.fields["ship"]) for offer in offers if offer.type == "build"],
        "stocks": [
            (port_name(each["port"]), type_word(each["ship"]), each["days"])
            for each in view["stocks"]
            if each["side"] == side
        ],
        "lend": talents(most.get("borrow", 0)),
        "repay": talents(most.get("repay", 0)),
        "others": [(id, side_name(view, id)) for id in state.playing if id != side],
        "subsidies": [subsidy_line(view, side, row) for row in view["subsidies"] if side in (row["by"], row["to"])],
        "held": [
            (each["name"], side_name(view, each["by"]), talents(each["price"]), each["name"] in may_buy)
            for each in view["captives"]
            if each["side"] == side
        ],
        "captives": [(each["name"], talents(each["price"])) for each in view["captives"] if each["by"] == side],
    }
    return {"books": books, "money": view["options"]["money"]}


def subsidy_line(view: View, side: str, row: View) -> str:
    """A subsidy in words."""
    form = _("To %(side)s: %(amount)s a turn, turns left: %(turns)s")
    if row["to"] == side:
        form = _("From %(side)s: %(amount)s a turn, turns left: %(turns)s")
    other = row["to"] if row["by"] == side else row["by"]
    return str(form) % {"side": side_name(view, other), "amount": talents(row["amount"]), "turns": row["turns"]}


def talents(amount: int) -> str:
    """So many hundredths of a talent, as talents, with the comma or the point of the reader's language."""
    return format_decimal(amount / TALENT, "0.00" if amount % TALENT else "0")


def hundredths(typed: str) -> int:
    """An amount in talents, as it was typed, in hundredths. Raises BadInput for what is no amount."""
    whole, _point, part = typed.strip().replace(",", ".").partition(".")
    talents_given, cents = count(whole or "0"), count(part or "0")
    if not (whole or part) or talents_given is None or cents is None:
        raise BadInput("amount", "give an amount in talents")
    return talents_given * TALENT + (count(f"{part}00"[:2]) or 0)


def treasury_command(side: str) -> View:
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


treasury = side_pages("treasury", treasury_of, treasury_command)
