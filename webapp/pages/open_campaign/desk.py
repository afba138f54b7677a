"""The umpire's desk: what needs him, every act by one tap, the charts."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator, Mapping
from dataclasses import replace
from typing import Any

from flask import abort, redirect, render_template, request, url_for
from flask_babel import ngettext

from strategic.coast import apart
from strategic.naval.engagement import Engagement
from strategic.open_campaign.rules.ending import points
from strategic.open_campaign.rules.fighting import captains_level
from strategic.open_campaign.rules.world import chart
from strategic.open_campaign.state import State
from tactical.kernel.protocol import UMPIRE
from tactical.kernel.record import BadInput, plain
from webapp.captains import seats
from webapp.captains.seats import turn_of
from webapp.http.forms import count
from webapp.http.language import gettext as _
from webapp.http.language import percent
from webapp.http.seats import REFUSALS, current_seat, store
from webapp.pages.open_campaign import SYSTEM, open_blueprint
from webapp.pages.open_campaign.sea_chart import (
    SHEET_BEYOND,
    Box,
    Charts,
    Paper,
    Truth,
    of_interest,
    paper_of,
    scale_box,
    sea_chart,
    tap_of,
    tapped,
)
from webapp.post.deadlines import turn_sentence, turn_view, turns
from webapp.presenting.labels import place_name
from webapp.presenting.refusals import Flash, flash_of
from webapp.storage.journal.engagements import find_engagement, offers_to_settle
from webapp.storage.journal.records import Table
from webapp.storage.journal.store import Store, battles_of
from webapp.storage.services import letters
from webapp.storage.services.letters import words_of
from webapp.systems.messages import lines_of
from webapp.systems.open_campaign.dispatch import (
    KINDS,
    Seen,
    afloat,
    days_of,
    fleet_line,
    goal_line,
    knowledge_of,
    newest,
    number_in,
    point_of,
    side_name,
    span_words,
    where,
    with_fleet_names,
)
from webapp.systems.open_campaign.world_file import ENDINGS

# -- The umpire's chart: the truth, or what one side knows with the truth joined to it; where a fleet may be moved.

RAISED = 78  # pixels by which the desk's scale stands above the turn's buttons
SIZES = {"wide": (736, 620), "narrow": (390, 300)}  # pixels of the chart

Over = Callable[[str, Paper], tuple[Box, ...]]
View = Mapping[str, Any]


def charts(table: Table, side: str, near: int, fleet: str, over: Over | None = None) -> Charts:
    """The charts of two screens: of the truth where `side` is no side; about what matters, or of the whole world.

    `over` says where buttons lie over a chart; without it those of the desk do.
    """
    whole = table.view(UMPIRE)
    is_side = side in whole["sides"]
    shown = table.view(side) if is_side else whole
    seen = knowledge_of(shown, side) if is_side else ()
    around = of_interest(whole if is_side else shown, seen) if near else ()
    found = {}
    for kind, size in SIZES.items():
        paper = paper_of(shown, *size, around)
        drawn = replace(sea_chart(shown, paper, seen, (over or boxes_over)(kind, paper)), chosen=fleet)
        if is_side:
            drawn = replace(drawn, truths=truths(whole, paper, side, seen))
        found[kind] = drawn
    return found


def boxes_over(kind: str, paper: Paper) -> tuple[Box, ...]:
    """Where the switch (on a phone with the makers of the map below it), the turn's buttons and the scale lie."""
    switch = (6.0, 6.0, paper.width * 0.7, 62.0)
    if kind == "narrow":
        return (*switch[:3], 80.0), scale_box(paper)
    return switch, (6, paper.height - 72, paper.width - 6, paper.height), scale_box(paper, RAISED)


def truths(view: View, paper: Paper, side: str, seen: tuple[Seen, ...]) -> tuple[Truth, ...]:
    """K6 The fleets of the others as they are; each joined to the nearest newest sighting of its own side.

    A sighting does not say which fleet was seen, so that the nearest one is only likely to be it. Fleets of a side
    at one place are one sign.
    """
    world = chart(view["world"])
    pins = list(newest(seen))
    found: dict[tuple[str, float, float], Truth] = {}
    for _id, fleet in afloat(view):
        if fleet["side"] == side:
            continue
        at, number = world.point(point_of(fleet)), len(fleet["ships"])
        own = [each for each in pins if each.side == fleet["side"]]
        belief = min(own, key=lambda each: apart(at, (each.lon, each.lat)), default=None)
        x, y = paper.at(at)
        if not paper.shows((x, y)):
            continue
        tie = paper.at((belief.lon, belief.lat)) if belief else (x, y)
        here = fleet["side"], x, y
        if here in found:
            found[here] = replace(found[here], number=found[here].number + number)
        else:
            found[here] = Truth(fleet["name"], number, number_in(view, fleet["side"]), x, y, tie)
    return tuple(found.values())


# -- What the umpire's desk shows: what needs him, what was settled without him, each side, and his chart.

TRUTH = "truth"
MOST_SETTLED = 12
NO_DATE = {"when": "", "where": "", "who": ""}
NEWS = frozenset(("sighted", "chased", "met", "fought", "hungry"))


def fleet_to_move(view: View, fleet: str, to: str) -> View | None:
    """The fleet that the umpire moves, where he may, with its name, the goal, and the goal's name."""
    if fleet not in dict(afloat(view)) or view["step"] not in ("orders", "held", "day"):
        return None
    space = chart(view["world"]).spaces.get(to)
    place = place_name(space.name) if space else ""
    return {"id": fleet, "name": view["fleets"][fleet]["name"], "to": to if space else "", "place": place}


def battle_title(view: View, meeting: View) -> str:
    """O6.1 A meeting that waits, by where it is."""
    place = chart(view["world"]).spaces.get(meeting["place"])
    return _("A battle off %(place)s", place=place_name(place.name) if place else meeting["place"])


def matters(store: Store, table: Table, view: View) -> Iterator[View]:
    """What needs the umpire: dice, meetings, free orders without an answer, sides without orders, notes, odd things.

    Each has its kind, its words, and what it is about.
    """
    if table.game.waiting is not None:
        text = _("The turn is waiting for dice rolled at the table.")
        yield {"kind": "dice", "title": _("Dice to throw"), "text": text}
    fought = {offer.fields["engagement"] for offer in offers_to_settle(store, table, UMPIRE)}
    for id, meeting in view["engagements"].items():
        date = view["appointed"].get(id, NO_DATE)
        dated = ", ".join(filter(None, (date["when"], date["where"], date["who"]))) if date["when"] else ""
        yield {
            "kind": "meeting",
            "title": battle_title(view, meeting),
            "text": sent_said(view, meeting) + (f" – {dated}" if dated else ""),
            "engagement": id,
            "is_opened": meeting.get("opened"),
            "is_fought": id in fought,
            "at_once": chances(view, view["instant"].get(id)),
            "date": date,
        }
    for side, written in view["letters"].items():
        for number, letter in enumerate(written):
            if not letter["answer"]:
                title = _("A free order from %(side)s", side=side_name(view, side))
                yield {**letter, "kind": "letter", "title": title, "side": side, "number": number}
    if view["step"] == "orders" and view["result"] is None:
        for side in view["sides"]:
            fleets = [id for id, fleet in afloat(view) if fleet["side"] == side]
            if fleets and not view["orders"].get(side) and not view["ready"].get(side) and not out(view, side):
                text = _("Its fleets in port stay there, and those at sea sail home.")
                title = _("No orders: %(side)s", side=side_name(view, side))
                yield {"kind": "side", "title": title, "text": text, "side": side}
        for orders in view["orders"].values():
            for fleet, order in orders.items():
                if order.get("note"):
                    title = _("A note with the order of the fleet %(fleet)s", fleet=view["fleets"][fleet]["name"])
                    yield {"kind": "note", "title": title, "text": order["note"]}
    yield from odd(view)


def out(view: View, side: str) -> bool:
    """Has the side given up?"""
    return bool(view["sides"][side].get("resigned"))


def odd(view: View) -> Iterator[View]:
    """Odd things that the program has noticed: hungry fleets far from food, goals that no lane reaches."""
    world = chart(view["world"])
    for id, fleet in afloat(view):
        if fleet["hungry"] > 1:
            title = _("No food: %(fleet)s", fleet=fleet["name"])
            yield {"kind": "odd", "title": title, "text": where(view, fleet)}
        order = view["orders"].get(fleet["side"], {}).get(id)
        at = fleet["at"]
        if order and isinstance(at, str) and order["to"] in world.spaces and not world.path(at, order["to"]):
            title = _("No route to its destination: %(fleet)s", fleet=fleet["name"])
            yield {"kind": "odd", "title": title, "text": place_name(world.spaces[order["to"]].name)}


def sent_said(view: View, meeting: View) -> str:
    """Who meets whom, with how many ships, and what each side wants."""
    parts = []
    for side, fleet in meeting["fleets"].items():
        number = len(fleet["units"]) + len(fleet["transports"])
        led = fleet.get("commander_name") or ""
        parts.append(f"{side_name(view, side)} {number}" + (f" ({led})" if led else ""))
    return _("%(one)s against %(other)s", one=parts[0], other=", ".join(parts[1:]))


def chances(view: View, instant: View | None) -> tuple[str, ...]:
    """O6.2 At what chances quick dice end a meeting, short for a phone; the meeting's page has the losses."""
    if not instant:
        return ()
    found = [f"{side_name(view, side)} {percent(round(100 * chance))}" for side, chance in instant["wins"].items()]
    return (*found, _("undecided: %(chance)s%%", chance=round(100 * instant["neither"])))


def settled(store: Store, table: Table, view: View) -> list[str]:
    """What the program has settled in the newest turn, counted by kind, then the loudest of it."""
    run = turns(store, table.game.id)
    if not run:
        return []
    events = [event for event in turn_view(store, table, UMPIRE, run[-1]).events if event.get("type") in NEWS]
    kinds = Counter(str(event["type"]) for event in events)
    found = []
    if kinds["sighted"]:
        found.append(str(ngettext("%(num)d sighting", "%(num)d sightings", kinds["sighted"])))
    loud = [event for event in events if event["type"] in ("fought", "chased", "met")]
    return found + [lines_of(SYSTEM, (with_fleet_names(view, event),))[0].text for event in loud[-MOST_SETTLED:]]


def side_line(view: View, side: str) -> View:
    """A side in numbers: its orders, ships, fleets and ports; whether it is ready."""
    fleets = [fleet_line(view, view, id) for id, fleet in afloat(view) if fleet["side"] == side]
    return {
        "id": side,
        "name": side_name(view, side),
        "colour": number_in(view, side),
        "given": sum(not each.is_idle for each in fleets),
        "fleets": len(fleets),
        "ships": sum(each.number for each in fleets),
        "ports": sum(holder == side for holder in view["ports"].values()),
        "is_ready": view["ready"].get(side),
        "is_out": out(view, side),
    }


# -- What the umpire does by one tap of his desk, each as a command of the engine or a row of the store.

MOST_GOALS, MOST_POINTS = 60, 999
WAYS = {"dice": "own_table", "table": "battle", "captains": "battle"}  # what a button means (L1.2)


def submit(game: str, command: dict[str, Any], is_next: bool = False) -> None:
    """A command of the umpire on what he has seen, or on what his last one brought (`is_next`).

    Raises Stale and what the engine refuses.
    """
    seen = None if is_next else count(request.form.get("seen", ""))
    version = store().game(game).version if seen is None else seen
    store().submit(game, version, UMPIRE, command)


def run(game: str, how: str, why: str) -> None:
    """O3.7 The turn runs; its dispatches are sent (run), wait (hold, days), or he moves himself (hand)."""
    changes = store().load(game).state.options.dispatches != how
    if changes:
        submit(game, {"type": "adjust", "changes": {"options.dispatches": how}, "why": why})
    submit(game, {"type": "run"}, changes)


def act(game: str) -> None:
    """What a button of the desk says, as commands of the engine or a row of the store.

    Raises BadInput for a form that names no act, or not all that its act is about.
    """
    form, state = request.form, store().load(game).state
    side, name = form.get("side", ""), form.get("engagement", "")
    match form.get("act", ""):
        case "run":
            run(game, "run", _("The dispatches of this turn will be sent as soon as the turn has been run."))
        case "run_and_hold":
            run(game, "hold", _("The umpire is holding back the dispatches of this turn."))
        case "by_days":
            run(game, "days", _("The umpire lets this turn run day by day."))
        case "by_hand":  # he has moved the fleets; the program keeps the books of the turn and holds its dispatches
            run(game, "hand", _("The umpire moves the fleets of this turn himself."))
        case "next_day":
            submit(game, {"type": "run"})
        case "to_the_end":
            why = _("The umpire lets the other days of this turn run at once.")
            submit(game, {"type": "adjust", "changes": {"options.dispatches": "hold"}, "why": why})
            submit(game, {"type": "run"}, True)
        case "send" | "take_back" as kind:
            submit(game, {"type": kind})
        case "move":
            fleet, space = form.get("fleet", ""), form.get("to", "")
            if fleet not in state.fleets or space not in chart(state.world).spaces:
                raise BadInput("to", "tap a fleet, then a place")
            why = form.get("why", "").strip()[:200] or _("The umpire moves the fleet.")
            submit(game, {"type": "adjust", "changes": {f"fleets.{fleet}.at": space}, "why": why})
        case "settle":
            settle(game, name, form.get("way", ""))
        case "appoint":
            about = {field: form.get(field, "").strip() for field in NO_DATE}
            side = next(iter(meeting_of(game, name).fleets))
            submit(game, {"type": "appoint", "side": side, "engagement": name, **about})
        case "enter":
            enter(game, name)
        case "answer":
            text = form.get("text", "").strip() or {"yes": _("Yes."), "no": _("No.")}.get(form.get("quick", ""), "")
            if not text:
                raise BadInput("text", "nothing is written here")
            submit(game, {"type": "answer", "side": side, "letter": count(form.get("number", "")) or 0, "text": text})
        case "wait":
            letter = count(form.get("number", "")) or 0
            submit(game, {"type": "answer", "side": side, "letter": letter, "text": "", "waits": True})
        case "stand":
            submit(game, {"type": "ready", "side": side, "ready": True})
        case "add":
            if side not in state.sides:
                raise BadInput("side", "there is no side of this name")
            letters.put(store(), game, side, state.turn, form.get("text", ""))
        case "judge":
            if form.get("sure") != "1":
                raise BadInput("sure", "tick the box first, because this ends the campaign at once")
            submit(game, {"type": "judge", "winner": form.get("winner") or None})
        case "assign":
            submit(game, {"type": "assign", "fleet": form.get("fleet", ""), "to": form.get("to", "")})
        case "set_goal":
            goals = [*map(plain, state.goals), goal_of_form(state)]
            submit(game, {"type": "adjust", "changes": {"goals": goals}, "why": _("The umpire sets a goal.")})
        case "drop_goal":
            number = count(form.get("number", ""))
            if number is None or number >= len(state.goals):
                raise BadInput("goal", "there is no such goal")
            goals = [plain(each) for place, each in enumerate(state.goals) if place != number]
            submit(game, {"type": "adjust", "changes": {"goals": goals}, "why": _("The umpire removes a goal.")})
        case _:
            raise BadInput("act", "tap one of the buttons")


def settle(game: str, name: str, button: str) -> None:
    """L1.2 How a meeting is settled, said for every side that is there; a battle on the table is opened at once."""
    way = WAYS.get(button)
    if way is None:
        raise BadInput("way", "say how the meeting is settled")
    for side in meeting_of(game, name).fleets:
        waits = find_engagement(store().load(game).state, name)
        if waits is None or waits.way is not None:
            break
        submit(game, {"type": "choose_way", "engagement": name, "way": way, "side": side}, True)
    if way == "battle":
        submit(game, {"type": "open_battle", "engagement": name}, True)
    if button == "captains":
        give_to_captains(game, name)


def meeting_of(game: str, name: str) -> Engagement:
    """O6.1 The meeting of this name, of all that wait. Raises BadInput where there is none."""
    found = find_engagement(store().load(game).state, name)
    if found is None:
        raise BadInput("engagement", "there is no such meeting")
    return found


def give_to_captains(game: str, engagement: str) -> None:
    """O2.4, O6.1 Captains of the computer fight a meeting to its end, each side's by its admiral's rating."""
    link = next(each for each in reversed(battles_of(store(), game)) if each.engagement == engagement)
    battle = store().load(link.battle)
    met = meeting_of(game, engagement)
    for side in battle.sides:
        held = seats.Held(
            link.battle, side, captains_level(met, side), "recalled", turn_of(battle), {}, UMPIRE, store().now()
        )
        seats.hand_over(store(), held)


def enter(game: str, name: str) -> None:
    """L1.4 The outcome of the battle that has ended goes home. Raises BadInput while it is fought."""
    for offer in offers_to_settle(store(), store().load(game), UMPIRE):
        if name in ("", offer.fields["engagement"]):
            submit(game, {"type": "settle", **offer.fields})
            return
    raise BadInput("engagement", "the battle is still being fought")


def goal_of_form(state: State) -> dict[str, Any]:
    """O9.1 A goal: of a side, in a place, with points, at the end or at the end of a turn. Raises BadInput."""
    form = request.form
    side, what, name = form.get("side", ""), form.get("kind", ""), form.get("space", "").strip()
    spaces = chart(state.world).spaces
    named = (id for id, each in spaces.items() if name in (id, each.name, place_name(each.name)))
    space = next(named, next(iter(spaces)) if what == "taken" else "")
    points = count(form.get("points", "")) or 0
    if side not in state.sides or what not in KINDS or not space or not 1 <= points <= MOST_POINTS:
        raise BadInput("goal", "choose a side, a place on the map, and 1 to %(most)s points", most=MOST_POINTS)
    if len(state.goals) >= MOST_GOALS:
        raise BadInput("goal", "a campaign can have at most %(most)s goals", most=MOST_GOALS)
    by = min(count(form.get("by", "")) or 0, state.turns)
    return {"side": side, "what": what, "space": space, "points": points, "by": by}


# -- The desk as a page: what needs the umpire with its answers in the line, everybody's knowledge, the turn.

bp = open_blueprint("open_desk")


@bp.get("/<game>/desk")
def page(game: str) -> Any:
    """The desk; the umpire's alone."""
    return desk_page(game)


def umpires(game: str) -> str:
    """The umpire's seat. Aborts for everybody else, who is not told that there is a desk."""
    seat = current_seat(game).id
    if seat != UMPIRE:
        abort(404)
    return seat


def desk_page(game: str, flash: Flash | None = None) -> Any:
    """The page: the truth or what a side knows, and a fleet that is being moved; with a refusal where there is one."""
    seat, table, values = umpires(game), store().load(game), request.values
    view, run, near = table.view(UMPIRE), turns(store(), game), count(values.get("near", "1")) or 0
    looks_as = values.get("as", "") if values.get("as") in view["sides"] else TRUTH
    fleet, to = (values.get(name, "") if looks_as == TRUTH else "" for name in ("fleet", "to"))
    drawn = charts(table, looks_as, near, fleet)
    if (tap := tap_of(request.args)) is not None:
        to = tapped(drawn, tap)
    stands = sorted(points(table.state).items(), key=lambda each: (-each[1], each[0]))
    body = render_template(
        "open_campaign/desk.html",
        game=table.game,
        seat=seat,
        view=view,
        near=near,
        flash=flash,
        sentence=turn_sentence(store(), table, seat),
        dates=span_words(view["date"], days_of(view)),
        matters=list(matters(store(), table, view)),
        settled=settled(store(), table, view),
        sides=[side_line(view, side) for side in view["sides"]],
        words={side: words_of(store(), game, side, view["turn"]) for side in view["sides"]},
        looks_as=looks_as,
        truth=TRUTH,
        charts=drawn,
        number=run[-1].number if run else 0,
        can_take_back=view["before"] is not None and table.game.waiting is None,
        can_captains=table.game.dice != "physical",
        is_moving=bool(fleet),
        moves=fleet_to_move(view, fleet, to),
        stands=[f"{side_name(view, side)} {number}" for side, number in stands],
        fleets=[(id, f"{side_name(view, each['side'])}: {each['name']}") for id, each in afloat(view)],
        goals=[f"{side_name(view, each['side'])}: {goal_line(view, each)}" for each in view["goals"]],
        beyond=SHEET_BEYOND,
        goal_kinds=[(kind, str(word)) for kind, word in KINDS.items()],
        world_files=ENDINGS,
    )
    return body, flash.status if flash else 200


@bp.post("/<game>/desk", endpoint="act")
def tap(game: str) -> Any:
    """One tap of the umpire, then the desk again."""
    umpires(game)
    try:
        act(game)
    except REFUSALS as fault:
        return desk_page(game, flash_of(fault, SYSTEM))
    more: dict[str, Any] = {"as": request.form.get("as", TRUTH), "near": request.form.get("near", "1")}
    return redirect(url_for(".page", game=game, seat=UMPIRE, **more), 303)
