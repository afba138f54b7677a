"""The umpire's desk: what wants a hand, every act by one tap, the charts."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, replace
from typing import Any

from flask import abort, redirect, render_template, request, url_for
from flask_babel import ngettext

from strategic.coast import apart
from strategic.naval.engagement import Engagement
from strategic.open_campaign.rules.ending import points
from strategic.open_campaign.rules.fighting import captains_level
from strategic.open_campaign.rules.world import chart
from tactical.kernel.protocol import UMPIRE
from tactical.kernel.record import BadInput, plain
from webapp.captains import seats
from webapp.captains.seats import turn_of
from webapp.http.forms import count
from webapp.http.language import gettext as _
from webapp.http.language import percent
from webapp.http.seats import REFUSALS, current_seat, store
from webapp.pages.open_campaign import SYSTEM as OPEN_CAMPAIGN
from webapp.pages.open_campaign import open_blueprint
from webapp.pages.open_campaign.sea_chart import (
    SHEET_BEYOND,
    Box,
    Paper,
    SeaChart,
    Tap,
    Truth,
    of_interest,
    paper_of,
    place_of,
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


@dataclass(frozen=True)
class Drawn:
    """A chart of a screen's size; `moves`: a tap on it says where the chosen fleet is moved."""

    kind: str
    chart: SeaChart
    moves: bool


def charts(table: Table, side: str, near: int, fleet: str, over: Over | None = None) -> tuple[Drawn, ...]:
    """The charts of two screens: of the truth where `side` is no side; about what matters, or of the whole world.

    `over` says where buttons lie over a chart; without it those of the desk do.
    """
    whole = table.view(UMPIRE)
    is_side = side in whole["sides"]
    shown = table.view(side) if is_side else whole
    seen = knowledge_of(shown, side) if is_side else ()
    around = of_interest(whole if is_side else shown, seen) if near else ()
    found = []
    for kind, size in SIZES.items():
        paper = paper_of(shown, *size, around)
        drawn = replace(sea_chart(shown, paper, seen, (over or boxes_over)(kind, paper)), chosen=fleet)
        if is_side:
            drawn = replace(drawn, truths=truths(whole, paper, side, seen))
        found.append(Drawn(kind, drawn, bool(fleet) and not is_side))
    return tuple(found)


def boxes_over(kind: str, paper: Paper) -> tuple[Box, ...]:
    """Where the switch (on a phone with the makers of the map below it), the turn's buttons and the scale lie."""
    switch = (6.0, 6.0, paper.width * 0.7, 62.0)
    if kind == "narrow":
        return (*switch[:3], 80.0), scale_box(paper)
    return switch, (6, paper.height - 72, paper.width - 6, paper.height), scale_box(paper, RAISED)


def truths(view: Mapping[str, Any], paper: Paper, side: str, seen: tuple[Seen, ...]) -> tuple[Truth, ...]:
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
        at, number = place_of(world, fleet), len(fleet["ships"])
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


# -- What the umpire's desk shows: what wants a hand, what was settled without him, each side, and his chart.

SYSTEM, TRUTH = "open_campaign", "truth"
MOST_SETTLED = 12
NO_DATE = {"when": "", "where": "", "who": ""}
NEWS = frozenset(("sighted", "chased", "met", "fought", "hungry"))


@dataclass(frozen=True)
class Hand:
    """A thing that wants a hand: its kind (meeting, letter, side, note, odd), its words, and what it is about.

    `date` is a meeting's at a table (O3.6); a letter's turn `waits` for its answer (O3.4).
    """

    kind: str
    title: str
    text: str
    side: str = ""
    number: int = 0
    engagement: str = ""
    is_opened: bool = False
    is_fought: bool = False
    at_once: tuple[str, ...] = ()
    date: Mapping[str, str] = field(default_factory=lambda: NO_DATE)
    waits: bool = False


@dataclass(frozen=True)
class SideLine:
    """A side: its orders, ships, fleets and ports in numbers; whether it is ready."""

    id: str
    name: str
    colour: int
    given: int
    fleets: int
    ships: int
    ports: int
    is_ready: bool
    is_out: bool
    has_dispatch: bool
    words: str


@dataclass(frozen=True)
class Desk:
    """Everything that the template of the desk draws; `moves` is the fleet that the umpire moves, and where to."""

    view: Mapping[str, Any]
    step: str
    hands: tuple[Hand, ...]
    settled: tuple[str, ...]
    sides: tuple[SideLine, ...]
    looks_as: str
    charts: tuple[Drawn, ...]
    number: int
    is_held: bool
    can_take_back: bool
    can_captains: bool
    moves: tuple[str, str, str, str]
    stands: tuple[str, ...]
    fleets: tuple[tuple[str, str], ...]
    goals: tuple[str, ...]


def desk(store: Store, table: Table, looks_as: str, near: int, fleet: str, to: str, tap: Tap | None = None) -> Desk:
    """The desk of the umpire, who looks at the truth or at what a side knows, and may be moving a fleet.

    `tap` is where he has tapped a chart, to say where that fleet is moved.
    """
    view = table.view(UMPIRE)
    run = turns(store, table.game.id)
    looks_as = looks_as if looks_as in view["sides"] else TRUTH
    drawn = charts(table, looks_as, near, fleet if looks_as == TRUTH else "")
    if tap is not None:
        kind, x, y = tap
        to = next((tapped(each.chart, x, y) for each in drawn if each.kind == kind), "")
    moves = move_in_hand(view, fleet, to) if looks_as == TRUTH else ("", "", "", "")
    return Desk(
        view=view,
        step=str(view["step"]),
        hands=tuple(hands(store, table, view)),
        settled=tuple(settled(store, table, view)),
        sides=tuple(side_line(store, table, view, side, bool(run)) for side in view["sides"]),
        looks_as=looks_as,
        charts=drawn,
        number=run[-1].number if run else 0,
        is_held=view["step"] == "held",
        can_take_back=view["before"] is not None and table.game.waiting is None,
        can_captains=table.game.dice != "physical",
        moves=moves,
        stands=tuple(f"{side_name(view, side)} {number}" for side, number in best(points(table.state))),
        fleets=tuple((id, f"{side_name(view, fleet['side'])}: {fleet['name']}") for id, fleet in afloat(view)),
        goals=tuple(f"{side_name(view, each['side'])}: {goal_line(view, each)}" for each in view["goals"]),
    )


def move_in_hand(view: Mapping[str, Any], fleet: str, to: str) -> tuple[str, str, str, str]:
    """The fleet that the umpire moves, its name, the goal, and its name; empty for what there is not."""
    if fleet not in dict(afloat(view)) or view["step"] not in ("orders", "held", "day"):
        return "", "", "", ""
    space = chart(view["world"]).spaces.get(to)
    return fleet, view["fleets"][fleet]["name"], to if space else "", place_name(space.name) if space else ""


def best(found: Mapping[str, int]) -> list[tuple[str, int]]:
    """Points by side, the most first."""
    return sorted(found.items(), key=lambda each: (-each[1], each[0]))


def battle_title(view: Mapping[str, Any], meeting: Mapping[str, Any]) -> str:
    """O6.1 A meeting that waits, by where it is."""
    place = chart(view["world"]).spaces.get(meeting["place"])
    return _("A battle off %(place)s", place=place_name(place.name) if place else meeting["place"])


def hands(store: Store, table: Table, view: Mapping[str, Any]) -> list[Hand]:
    """What wants a hand: dice, meetings, free orders without an answer, sides without orders, notes, odd things."""
    found: list[Hand] = []
    if table.game.waiting is not None:
        found.append(Hand("dice", _("Dice to throw"), _("The turn is waiting for dice rolled at the table.")))
    fought = {offer.fields["engagement"] for offer in offers_to_settle(store, table, UMPIRE)}
    for id, meeting in view["engagements"].items():
        date = view["appointed"].get(id, NO_DATE)
        dated = ", ".join(filter(None, (date["when"], date["where"], date["who"]))) if date["when"] else ""
        found.append(
            Hand(
                "meeting",
                battle_title(view, meeting),
                sent_said(view, meeting) + (f" – {dated}" if dated else ""),
                engagement=id,
                is_opened=bool(meeting.get("opened")),
                is_fought=id in fought,
                at_once=chances(view, view["instant"].get(id)),
                date=date,
            )
        )
    for side, written in view["letters"].items():
        for number, letter in enumerate(written):
            if not letter["answer"]:
                title = _("A free order from %(side)s", side=side_name(view, side))
                found.append(Hand("letter", title, letter["text"], side, number, waits=letter["waits"]))
    if view["step"] == "orders" and view["result"] is None:
        for side in view["sides"]:
            fleets = [id for id, fleet in afloat(view) if fleet["side"] == side]
            if fleets and not view["orders"].get(side) and not view["ready"].get(side) and not out(view, side):
                title = _("No orders: %(side)s", side=side_name(view, side))
                found.append(Hand("side", title, _("Its fleets in port stay there, and those at sea sail home."), side))
        for side, orders in view["orders"].items():
            for fleet, order in orders.items():
                if order.get("note"):
                    title = _("A note with the order of the fleet %(fleet)s", fleet=view["fleets"][fleet]["name"])
                    found.append(Hand("note", title, order["note"], side))
    found += odd(view)
    return found


def out(view: Mapping[str, Any], side: str) -> bool:
    """Has the side given up?"""
    return bool(view["sides"][side].get("resigned"))


def odd(view: Mapping[str, Any]) -> list[Hand]:
    """Odd things that the program has noticed: hungry fleets far from food, goals that no lane reaches."""
    found = []
    world = chart(view["world"])
    for id, fleet in afloat(view):
        if fleet["hungry"] > 1:
            title = _("No food: %(fleet)s", fleet=fleet["name"])
            found.append(Hand("odd", title, where(view, fleet), fleet["side"]))
        order = view["orders"].get(fleet["side"], {}).get(id)
        at = fleet["at"]
        if order and isinstance(at, str) and order["to"] in world.spaces and not world.path(at, order["to"]):
            title = _("No route to its destination: %(fleet)s", fleet=fleet["name"])
            found.append(Hand("odd", title, place_name(world.spaces[order["to"]].name), fleet["side"]))
    return found


def sent_said(view: Mapping[str, Any], meeting: Mapping[str, Any]) -> str:
    """Who meets whom, with how many ships, and what each side wants."""
    parts = []
    for side, fleet in meeting["fleets"].items():
        number = len(fleet["units"]) + len(fleet["transports"])
        led = fleet.get("commander_name") or ""
        parts.append(f"{side_name(view, side)} {number}" + (f" ({led})" if led else ""))
    return _("%(one)s against %(other)s", one=parts[0], other=", ".join(parts[1:]))


def chances(view: Mapping[str, Any], instant: Mapping[str, Any] | None) -> tuple[str, ...]:
    """O6.2 At what chances quick dice end a meeting, short for a phone; the meeting's page has the losses."""
    if not instant:
        return ()
    found = [f"{side_name(view, side)} {percent(round(100 * chance))}" for side, chance in instant["wins"].items()]
    return (*found, _("undecided: %(chance)s%%", chance=round(100 * instant["neither"])))


def settled(store: Store, table: Table, view: Mapping[str, Any]) -> list[str]:
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


def side_line(store: Store, table: Table, view: Mapping[str, Any], side: str, has_dispatch: bool) -> SideLine:
    """A side in numbers."""
    fleets = [fleet_line(view, view, id) for id, fleet in afloat(view) if fleet["side"] == side]
    return SideLine(
        side,
        side_name(view, side),
        number_in(view, side),
        sum(not each.is_idle for each in fleets),
        len(fleets),
        sum(each.number for each in fleets),
        sum(holder == side for holder in view["ports"].values()),
        bool(view["ready"].get(side)),
        out(view, side),
        has_dispatch,
        words_of(store, table.game.id, side, view["turn"]),
    )


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


def run_and_send(game: str) -> None:
    """O3.7 The turn runs, and is sent by itself."""
    run(game, "run", _("The dispatches of this turn will be sent as soon as the turn has been run."))


def run_and_hold(game: str) -> None:
    """O3.7 The turn runs, and its dispatches wait for the umpire."""
    run(game, "hold", _("The umpire is holding back the dispatches of this turn."))


def run_by_days(game: str) -> None:
    """O3.7 The turn runs for a day; the umpire lets each of the others run, and the dispatches wait."""
    run(game, "days", _("The umpire lets this turn run day by day."))


def next_day(game: str) -> None:
    """O3.7 The next day of a turn that runs day by day."""
    submit(game, {"type": "run"})


def to_the_end(game: str) -> None:
    """O3.7 The other days of the turn run without a stop; the dispatches wait."""
    why = _("The umpire lets the other days of this turn run at once.")
    submit(game, {"type": "adjust", "changes": {"options.dispatches": "hold"}, "why": why})
    submit(game, {"type": "run"}, True)


def run_by_hand(game: str) -> None:
    """O3.7 The umpire has moved the fleets; the program keeps the books of the turn and holds its dispatches."""
    run(game, "hand", _("The umpire moves the fleets of this turn himself."))


def send(game: str) -> None:
    """O3.7 The dispatches that are held go out."""
    submit(game, {"type": "send"})


def take_back(game: str) -> None:
    """O3.7 The turn that has run and is not sent is taken back; its orders stand again."""
    submit(game, {"type": "take_back"})


def move(game: str) -> None:
    """O3.7 By hand: a fleet is moved to a space, with a reason."""
    fleet, space = request.form.get("fleet", ""), request.form.get("to", "")
    state = store().load(game).state
    if fleet not in state.fleets or space not in chart(state.world).spaces:
        raise BadInput("to", "tap a fleet, then a place")
    why = request.form.get("why", "").strip()[:200] or _("The umpire moves the fleet.")
    submit(game, {"type": "adjust", "changes": {f"fleets.{fleet}.at": space}, "why": why})


def settle(game: str) -> None:
    """L1.2 How a meeting is settled, said for every side that is there; a battle on the table is opened at once."""
    button, name = request.form.get("way", ""), request.form.get("engagement", "")
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


def appoint(game: str) -> None:
    """O3.6 A battle gets its date at a table."""
    name = request.form.get("engagement", "")
    about = {field: request.form.get(field, "").strip() for field in ("when", "where", "who")}
    side = next(iter(meeting_of(game, name).fleets))
    submit(game, {"type": "appoint", "side": side, "engagement": name, **about})


def enter(game: str) -> None:
    """L1.4 The outcome of the battle that has ended goes home. Raises BadInput while it is fought."""
    name = request.form.get("engagement", "")
    for offer in offers_to_settle(store(), store().load(game), UMPIRE):
        if name in ("", offer.fields["engagement"]):
            submit(game, {"type": "settle", **offer.fields})
            return
    raise BadInput("engagement", "the battle is still being fought")


def answer(game: str) -> None:
    """O3.4 A free order is answered, by a button's word or the umpire's own."""
    own, quick = request.form.get("text", "").strip(), request.form.get("quick", "")
    text = own or {"yes": _("Yes."), "no": _("No.")}.get(quick, "")
    side, number = request.form.get("side", ""), count(request.form.get("number", "")) or 0
    if not text:
        raise BadInput("text", "nothing is written here")
    submit(game, {"type": "answer", "side": side, "letter": number, "text": text})


def wait(game: str) -> None:
    """O3.4 The turn does not run by itself until a free order is answered."""
    side, number = request.form.get("side", ""), count(request.form.get("number", "")) or 0
    submit(game, {"type": "answer", "side": side, "letter": number, "text": "", "waits": True})


def stand(game: str) -> None:
    """O3.2 A side without orders is ready: its fleets stay, or go home."""
    submit(game, {"type": "ready", "side": request.form.get("side", ""), "ready": True})


def judge(game: str) -> None:
    """O9.1 The umpire ends the campaign by his word: a side has won, or nobody."""
    winner = request.form.get("winner", "")
    if request.form.get("sure") != "1":
        raise BadInput("sure", "tick the box first, because this ends the campaign at once")
    submit(game, {"type": "judge", "winner": winner or None})


def assign(game: str) -> None:
    """O1.4 A fleet goes over to another side."""
    submit(game, {"type": "assign", "fleet": request.form.get("fleet", ""), "to": request.form.get("to", "")})


def set_goal(game: str) -> None:
    """O9.1 A goal more: of a side, in a place, with points, at the end or at the end of a turn. Raises BadInput."""
    state, form = store().load(game).state, request.form
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
    goal = {"side": side, "what": what, "space": space, "points": points, "by": by}
    change_goals(game, [*map(plain, state.goals), goal], _("The umpire sets a goal."))


def drop_goal(game: str) -> None:
    """O9.1 A goal less, by its number. Raises BadInput."""
    goals, number = store().load(game).state.goals, count(request.form.get("number", ""))
    if number is None or number >= len(goals):
        raise BadInput("goal", "there is no such goal")
    change_goals(
        game, [plain(each) for place, each in enumerate(goals) if place != number], _("The umpire removes a goal.")
    )


def change_goals(game: str, goals: list[object], why: str) -> None:
    """O9.1 All goals as they are from now on."""
    submit(game, {"type": "adjust", "changes": {"goals": goals}, "why": why})


def add(game: str) -> None:
    """O11.1 The umpire's paragraph in a side's dispatch of this turn, which the side reads when it is sent."""
    state, side = store().load(game).state, request.form.get("side", "")
    if side not in state.sides:
        raise BadInput("side", "there is no side of this name")
    letters.put(store(), game, side, state.turn, request.form.get("text", ""))


def nothing(game: str) -> None:
    """A form that names no act. Raises BadInput."""
    raise BadInput("act", "tap one of the buttons")


ACTS: dict[str, Callable[[str], None]] = {
    "run": run_and_send,
    "run_and_hold": run_and_hold,
    "by_days": run_by_days,
    "next_day": next_day,
    "to_the_end": to_the_end,
    "by_hand": run_by_hand,
    "send": send,
    "take_back": take_back,
    "move": move,
    "settle": settle,
    "appoint": appoint,
    "enter": enter,
    "answer": answer,
    "wait": wait,
    "stand": stand,
    "add": add,
    "judge": judge,
    "set_goal": set_goal,
    "drop_goal": drop_goal,
    "assign": assign,
}


# -- The umpire's desk: what wants a hand with its answers in the line, the chart with everybody's knowledge, the turn.

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
    """The page, with a refusal where there is one."""
    seat, table = umpires(game), store().load(game)
    near = count(request.values.get("near", "1")) or 0
    looks_as, moves = request.values.get("as", TRUTH), (request.values.get("fleet", ""), request.values.get("to", ""))
    found = desk(store(), table, looks_as, near, *moves, tap_of(request.args))
    body = render_template(
        "open_campaign/desk.html",
        game=table.game,
        seat=seat,
        desk=found,
        near=near,
        flash=flash,
        sentence=turn_sentence(store(), table, seat),
        dates=span_words(found.view["date"], days_of(found.view)),
        truth=TRUTH,
        beyond=SHEET_BEYOND,
        goal_kinds=tuple((kind, str(word)) for kind, word in KINDS.items()),
        world_files=ENDINGS,
    )
    return body, flash.status if flash else 200


@bp.post("/<game>/desk")
def act(game: str) -> Any:
    """One tap of the umpire, then the desk again."""
    umpires(game)
    try:
        ACTS.get(request.form.get("act", ""), nothing)(game)
    except REFUSALS as fault:
        return desk_page(game, flash_of(fault, OPEN_CAMPAIGN))
    looks_as, near = request.form.get("as", TRUTH), request.form.get("near", "1")
    more: dict[str, Any] = {"as": looks_as, "near": near}
    return redirect(url_for(".page", game=game, seat=UMPIRE, **more), 303)
