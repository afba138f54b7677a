"""What the umpire does by one tap of his desk, each as a command of the engine or a row of the store."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from flask import request

from strategic.naval.engagement import Engagement
from strategic.open_campaign.rules.fighting import captains_level
from strategic.open_campaign.rules.world import chart
from tactical.kernel.protocol import UMPIRE
from tactical.kernel.record import BadInput, plain
from webapp.captains import seats
from webapp.captains.runner import turn_of
from webapp.engagements.linked_battles import find_engagement, offers_to_settle
from webapp.http.forms import count
from webapp.http.language import gettext as _
from webapp.http.seats import store
from webapp.presenting.place_names import place_name
from webapp.storage.journal.battle_links import battles_of
from webapp.storage.services import umpire_words
from webapp.systems.open_campaign.goal_words import KINDS

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
    umpire_words.put(store(), game, side, state.turn, request.form.get("text", ""))


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
