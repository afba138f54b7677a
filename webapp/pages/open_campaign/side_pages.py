"""A side's own pages: lists, treaties, letters (O5.4, O11.2), dates of battles (O3.6), money (O8.1), models (O2.2)."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from flask import Blueprint, Response, redirect, render_template, request, url_for
from flask_babel import format_decimal, ngettext
from flask_babel import lazy_gettext as _l

from strategic.open_campaign.rules.holding import position_for
from strategic.open_campaign.rules.money import MONTH, TALENT, income_of, upkeep
from strategic.open_campaign.rules.orders import LONGEST as LONGEST_NAME
from strategic.open_campaign.rules.orders import MOST_MODELS, MOST_OWNERS
from strategic.open_campaign.rules.world import chart
from strategic.open_campaign.tables import TABLES
from tactical.captains.worth import WORTH, Kind
from tactical.kernel.protocol import UMPIRE
from tactical.kernel.record import BadInput, plain
from webapp.files.book import (
    ENCODINGS,
    FORMATS,
    LARGEST,
    Cells,
    Row,
    cell_name,
    download,
    in_language,
    read_book,
    read_table,
)
from webapp.files.report import Report, Sent, ask_first, sent_file
from webapp.http.forms import count
from webapp.http.language import gettext as _
from webapp.http.language import tag, with_sign
from webapp.http.rate_limit import slow_down
from webapp.http.seats import REFUSALS, current_seat, seat_and_table
from webapp.pages.open_campaign import SYSTEM, open_blueprint
from webapp.pages.open_campaign.desk import NO_DATE, battle_title
from webapp.pages.open_campaign.orders import side_of, submit
from webapp.presenting.labels import place_name, type_word
from webapp.presenting.refusals import Flash, flash_of
from webapp.storage.journal.records import Table
from webapp.systems.open_campaign.dispatch import afloat, fleet_line, goal_line, number_in, side_name, where

View = Mapping[str, Any]


def side_pages(
    name: str, told: Callable[[Table, View, str], View], commands_of: Callable[[Table, str], Any] | None = None
) -> Blueprint:
    """A page of a side and its form: `told` is what its template is given of the side's view, `commands_of` what its
    form commands for the side, where it has one; or a page to be seen before it counts. An umpire names the side.
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

    if commands_of is None:
        return bp

    @bp.post("/<game>/" + name)
    def act(game: str) -> Any:
        seat, table = seat_and_table(game)
        side = side_of(table.sides, seat)
        try:
            commands = commands_of(table, side)
            if not isinstance(commands, list):
                return commands
            for command in commands:
                submit(game, seat, command)
        except REFUSALS as fault:
            return shown(game, flash_of(fault, SYSTEM))
        return redirect(address(".page", game, side), 303)

    return bp


def address(endpoint: str, game: str, side: str, **more: Any) -> str:
    """Where this seat has a page of a side."""
    seat = current_seat(game).id
    return url_for(endpoint, game=game, seat=seat, **more | ({"side": side} if seat == UMPIRE else {}))


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


def relations_commands(table: Table, side: str) -> list[dict[str, Any]]:
    """The form as commands. Raises BadInput for one that says nothing."""
    form, base = request.form, {"side": side, "to": request.form.get("to", "")[:60]}
    match form.get("act"):
        case "appoint":
            about = {name: form.get(name, "").strip() for name in ("engagement", "when", "where", "who")}
            return [{"type": "appoint", "side": side, **about}]
        case "propose":
            terms = [term for term in form.getlist("term") if term in TERMS]
            return [{"type": "propose", **base, "terms": terms, "text": form.get("text", "").strip()}]
        case "agree":
            return [{"type": "agree_treaty", **base}]
        case "denounce":
            return [{"type": "denounce", **base}]
        case "post":
            return [{"type": "post", **base, "text": form.get("text", "").strip()}]
    raise BadInput("act", "tap one of the buttons")


relations = side_pages("relations", relations_of, relations_commands)

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


def treasury_commands(table: Table, side: str) -> list[dict[str, Any]]:
    """The form as commands. Raises BadInput for one that says nothing."""
    form = request.form
    match form.get("act"):
        case "build":
            port, _at, ship = form.get("build", "").partition(":")
            return [{"type": "build", "side": side, "port": port[:60], "ship": ship[:40]}]
        case "borrow" | "repay" as act:
            return [{"type": act, "side": side, "amount": hundredths(form.get("amount", ""))}]
        case "subsidize":
            turns = count(form.get("turns", "")) or 1
            to, amount = form.get("to", "")[:60], hundredths(form.get("amount", ""))
            return [{"type": "subsidize", "side": side, "to": to, "amount": amount, "turns": turns}]
        case "ransom":
            return [{"type": "ransom", "side": side, "name": form.get("name", "")[:200]}]
    raise BadInput("act", "tap one of the buttons")


treasury = side_pages("treasury", treasury_of, treasury_commands)

# -- O2.2 The models that the players of a side bring to the table, registered by hand or from a spreadsheet.

NAME = "models"  # of the sheet, a row for each owner and type of ship
HEADS = ("owner", "type", "number")
Models = dict[str, dict[str, int]]  # by owner and type


def models_sheet(models: Mapping[str, Mapping[str, int]]) -> list[Cells]:
    """The rows of the models of a side, heads first."""
    rows: list[Cells] = [[*HEADS]]
    rows += [[owner, kind, number] for owner, own in models.items() for kind, number in own.items()]
    return rows


def from_book(data: bytes, encoding: str = "") -> tuple[Models, Report]:
    """The models of a file: of its sheet `models`, else the first. Raises BadInput, whose path is a cell."""
    book = read_book(data, encoding)
    table = read_table(book.sheet_with(NAME, HEADS), HEADS)
    found: Models = {}
    for row in table.rows:
        own, kind = found.setdefault(owner_of(row), {}), row.value("type")
        if len(found) > MOST_OWNERS:
            raise BadInput(row.cell("owner"), "there can be at most %(most)s owners", most=MOST_OWNERS)
        if kind not in TABLES.type:
            raise BadInput(row.cell("type"), "there is no such type of ship")
        own[kind] = own.get(kind, 0) + number_of(row)
    if not found:
        raise BadInput(cell_name(table.sheet.name, 1, 2), "nothing is written here")
    models = sum(number for own in found.values() for number in own.values())
    return found, book.report([table], owners=len(found), models=models)


def owner_of(row: Row) -> str:
    """The owner of a row's models. Raises BadInput."""
    if not 0 < len(row["owner"]) <= LONGEST_NAME:
        raise BadInput(row.cell("owner"), "an owner's name may have at most %(most)s letters", most=LONGEST_NAME)
    return row["owner"]


def number_of(row: Row) -> int:
    """How many models a row has. Raises BadInput."""
    number = row.whole_at("number")
    if not 0 <= number <= MOST_MODELS:
        raise BadInput(row.cell("number"), "this must be a number from 0 to %(most)s", most=MOST_MODELS)
    return number


def models_of(table: Table, view: View, side: str) -> View:
    """The models of a side by owner and type, with what they are worth."""
    owners, game = view["models"].get(side, {}), table.game.id
    return {
        "owners": owners,
        "types": [(kind, type_word(kind)) for kind in TABLES.type],
        "points": {owner: worth_of(own) for owner, own in owners.items()},
        "sums": {kind: sum(own.get(kind, 0) for own in owners.values()) for kind in TABLES.type},
        "most": view["options"]["models"],
        "most_models": MOST_MODELS,
        "post": address(".act", game, side),
        "files": [(each.upper(), address(".as_file", game, side, format=each)) for each in FORMATS],
    }


def worth_of(owned: Mapping[str, int]) -> str:
    """O2.2 What models are worth together in fitted points; a type that has none counts nothing."""
    return f"{WORTH.fleet(Kind(kind) for kind, number in owned.items() for _each in range(number)).points:g}"


def models_commands(table: Table, side: str) -> Any:
    """What an owner brings, or the owners of a spreadsheet, once their sender has seen what was read."""
    form = request.form
    if form.get("act") != "file":
        numbers = ((kind, count(form.get(kind, "")) or 0) for kind in TABLES.type)
        found = {form.get("owner", "").strip()[:200]: {kind: number for kind, number in numbers if number}}
    else:
        slow_down("spreadsheets")
        sent = sent_file(LARGEST) or Sent(b"")
        found, report = from_book(sent.data, sent.encoding)
        if len({*table.view(side)["models"].get(side, {}), *found}) > MOST_OWNERS:
            raise BadInput("file", "there can be at most %(most)s owners", most=MOST_OWNERS)
        if not sent.is_confirmed:
            (rows,) = in_language({NAME: models_sheet(found)}, tag()).values()
            back = address(".page", table.game.id, side)
            return ask_first(sent, report, rows, _("Register these models"), back, ENCODINGS)
    return [{"type": "register", "side": side, "owner": owner, "models": own} for owner, own in found.items()]


models = side_pages("models", models_of, models_commands)


@models.get("/<game>/models.<format>")
def as_file(game: str, format: str) -> Response:
    """The models of a side as a spreadsheet."""
    seat, table = seat_and_table(game)
    side = side_of(table.sides, seat)
    return download({NAME: models_sheet(table.view(side)["models"].get(side, {}))}, f"models-{side}", format)
