"""Every event of a galley journal as a sentence in the reader's language. Events are stored as data, never as text."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from flask_babel import ngettext

from tactical.battle import Battle
from webapp.http.language import gettext as _
from webapp.http.signs import signed
from webapp.pages.battle import hand_messages
from webapp.pages.battle.roll_words import head_on_sums
from webapp.presenting import engagement_messages, server_events
from webapp.presenting.battle_labels import (
    aspect_word,
    coming_word,
    figures,
    heading_word,
    hex_name,
    ship_name,
    side_name,
    step_word,
)


@dataclass(frozen=True)
class Line:
    """One thing that happened: the paragraph, the sentence, the faces that fell, and how much it weighs.

    `weight` is "loud" for what decides a battle, "plain", or "soft" for book-keeping.
    """

    rule: str
    text: str
    dice: tuple[int, ...] = ()
    weight: str = "plain"
    kind: str = ""


Data = Mapping[str, Any]
LOUD = frozenset(("sunk", "captured", "over", "ram", "bow_to_bow", "rake", "thrown_back", "withdrawn", "resign"))
MARKS = frozenset(("captain",))  # they tell how an entry came about: a sign beside it, no line of their own
SOFT = frozenset(
    ("done", "plot", "step", "contact_off", "mark", "squadron", "paper", "level", "hold", "finish", "forgo", "go_on")
)


def line(battle: Battle, happened: Data) -> Line:
    """The sentence for one event, given flat (as `Event.flat` makes it)."""
    kind = str(happened.get("type", ""))
    writer = WRITERS.get(kind, unknown)
    weight = "loud" if kind in LOUD else "soft" if kind in SOFT else "plain"
    faces = happened.get("dice") or ()
    return Line(str(happened.get("rule", "")), writer(battle, happened), tuple(faces), weight, kind)


def lines(battle: Battle, events: Sequence[Data]) -> list[Line]:
    """The sentences for the events of one entry; a fleet's steps without incident are drawn into one."""
    found: list[Line] = []
    moved: list[Data] = []
    ahead: list[Data] = []
    events = [happened for happened in events if happened.get("type") not in MARKS]
    for happened in events:
        if happened.get("type") == "plot" and len(events) > 3:
            moved.append(happened)
            continue
        if happened.get("type") == "step" and happened.get("turn") == "none" and len(events) > 3:
            ahead.append(happened)
            continue
        found.append(line(battle, happened))
    if ahead:
        names = ", ".join(ship_name(battle, each["ship"]) for each in ahead)
        found.insert(0, Line("G4.1", _("Ahead: %(ships)s.", ships=names), (), "soft", "step"))
    if moved:
        said = ", ".join(f"{ship_name(battle, each['ship'])} {each['speed']}" for each in moved)
        found.insert(0, Line("G3.1", _("Speeds set: %(speeds)s.", speeds=said), (), "soft", "plot"))
    return found


def unknown(battle: Battle, it: Data) -> str:
    """An event that this page does not know yet: its kind and its data, so that nothing is hidden."""
    rest = ", ".join(f"{key} {value}" for key, value in it.items() if key not in ("rule", "type", "dice"))
    return f"{it.get('type')}: {rest}" if rest else str(it.get("type"))


def start(battle: Battle, it: Data) -> str:
    return _("The battle begins.")


def plot(battle: Battle, it: Data) -> str:
    return _("%(ship)s is plotted at %(speed)s.", ship=ship_name(battle, it["ship"]), speed=it["speed"])


def lock(battle: Battle, it: Data) -> str:
    return _("%(side)s has locked its plots.", side=side_name(battle, it["side"]))


def reveal(battle: Battle, it: Data) -> str:
    said = ", ".join(f"{ship_name(battle, name)} {speed}" for name, speed in it.get("speeds", {}).items())
    return _("The plots are shown: %(speeds)s.", speeds=said)


def initiative(battle: Battle, it: Data) -> str:
    return _("%(side)s rolls lower and moves all its ships first.", side=side_name(battle, it["side"]))


def step(battle: Battle, it: Data) -> str:
    ship, to = ship_name(battle, it["ship"]), it.get("to")
    where = hex_name(tuple(to)) if to else ""
    turn = it.get("turn")
    if not to:  # the players' own table
        turned = {"left": _("%(ship)s turns left.", ship=ship), "right": _("%(ship)s turns right.", ship=ship)}
        return turned.get(str(turn)) or _("%(ship)s goes ahead.", ship=ship)
    if turn == "left":
        said = _("%(ship)s turns left to %(hex)s.", ship=ship, hex=where)
    elif turn == "right":
        said = _("%(ship)s turns right to %(hex)s.", ship=ship, hex=where)
    elif turn in ("facing", "angle"):
        said = _(
            "%(ship)s faces %(way)s and goes to %(hex)s.", ship=ship, way=heading_word(it.get("facing")), hex=where
        )
    else:
        said = _("%(ship)s goes to %(hex)s.", ship=ship, hex=where)
    return said.replace(" .", ".")


def withdrawn(battle: Battle, it: Data) -> str:
    return _("%(ship)s leaves the battle over the edge.", ship=ship_name(battle, it["ship"]))


def contact(battle: Battle, it: Data) -> str:
    ship, target = ship_name(battle, it["ship"]), ship_name(battle, it["target"])
    if it.get("aspect"):
        turned = [coming_word(it["turn"])] if it.get("turn", "none") != "none" else []
        how = ", ".join((aspect_word(it["aspect"]), *turned))
        return _("%(ship)s meets %(target)s, %(aspect)s.", ship=ship, target=target, aspect=how)
    return _("%(ship)s is in contact with %(target)s.", ship=ship, target=target)


def contact_off(battle: Battle, it: Data) -> str:
    ship, target = ship_name(battle, it["ship"]), ship_name(battle, it.get("target"))
    return _("%(ship)s's contact with %(target)s is off.", ship=ship, target=target)


def follow(battle: Battle, it: Data) -> str:
    ship, target = ship_name(battle, it["ship"]), ship_name(battle, it["target"])
    where = hex_name(tuple(it["to"])) if it.get("to") else ""
    return _("%(target)s has moved off; %(ship)s follows to %(hex)s.", ship=ship, target=target, hex=where)


def waits(battle: Battle, it: Data) -> str:
    ship, target = ship_name(battle, it["ship"]), ship_name(battle, it["target"])
    return _("%(ship)s cannot get out of %(target)s's hex yet and waits.", ship=ship, target=target)


def stopped(battle: Battle, it: Data) -> str:
    if it.get("why") == "run_up":
        return _("%(ship)s runs up against what is ahead and stops.", ship=ship_name(battle, it["ship"]))
    return _("%(ship)s is shut in and stops.", ship=ship_name(battle, it["ship"]))


def backing_served(battle: Battle, it: Data) -> str:
    return _("%(ship)s cannot back and stands still, which serves.", ship=ship_name(battle, it["ship"]))


def fire(battle: Battle, it: Data) -> str:
    shots = figures(str(it["weapon"]), len(it.get("dice", ())) or 1)
    ship, target = ship_name(battle, it["ship"]), ship_name(battle, it["target"])
    effect = fire_effect(it)
    return _(
        "%(ship)s: %(shots)s at %(target)s, range %(range)s: %(effect)s.",
        ship=ship,
        shots=shots,
        target=target,
        range=it.get("range"),
        effect=effect,
    )


def fire_effect(it: Data) -> str:
    """What a volley did."""
    parts = []
    if it.get("hull"):
        parts.append(_("%(count)s hull damage", count=it["hull"]))
    dead = it.get("dead") or {}
    if dead:
        fallen = ", ".join(figures(figure, count) for figure, count in dead.items())
        parts.append(_("killed: %(fallen)s", fallen=fallen))
    if it.get("kills", 0) > sum(dead.values()):
        parts.append(_("there is nobody left to fall"))
    return "; ".join(parts) or _("no effect")


def sunk(battle: Battle, it: Data) -> str:
    ship = ship_name(battle, it["ship"])
    by = it.get("by")
    if by == "missiles":
        return _("%(ship)s is sunk by missiles.", ship=ship)
    if by == "flooding":
        return _("%(ship)s fills and sinks.", ship=ship)
    return _("%(ship)s is rammed and sinks.", ship=ship)


def bow_to_bow(battle: Battle, it: Data) -> str:
    ship, target, sums = ship_name(battle, it["ship"]), ship_name(battle, it["target"]), head_on_sums(battle, it)
    rams = it.get("rams", [])
    if len(rams) == 2:
        return _("%(ship)s and %(target)s meet bow to bow: each rams the other.", ship=ship, target=target) + sums
    winner = ship_name(battle, rams[0]) if rams else ""
    said = _("%(ship)s and %(target)s meet bow to bow: %(winner)s rams.", ship=ship, target=target, winner=winner)
    return said + sums


def ram(battle: Battle, it: Data) -> str:
    ship, target = ship_name(battle, it["ship"]), ship_name(battle, it["target"])
    modifier, full = it.get("modifier", 0), it.get("full_speed")
    parts = [str(it["dice"][0])] if it.get("dice") else []
    parts.append(_("ram %(modifier)s", modifier=signed(modifier)))
    if full:
        parts.append(_("full speed +1"))
    return _(
        "%(ship)s rams %(target)s: %(sum)s = %(damage)s hull damage and a breach.",
        ship=ship,
        target=target,
        sum=", ".join(parts),
        damage=it.get("damage"),
    )


def rake(battle: Battle, it: Data) -> str:
    ship, target = ship_name(battle, it["ship"]), ship_name(battle, it["target"])
    return _("%(ship)s breaks the oars of %(target)s and rows through her hex.", ship=ship, target=target)


def hold(battle: Battle, it: Data) -> str:
    ship = ship_name(battle, it["ship"])
    if it.get("target"):
        return _("%(ship)s holds off %(target)s and stops.", ship=ship, target=ship_name(battle, it["target"]))
    return _("%(ship)s holds and stops.", ship=ship)


def board(battle: Battle, it: Data) -> str:
    ship, target = ship_name(battle, it["ship"]), ship_name(battle, it["target"])
    how = it.get("how")
    if how == "corvus":
        return _("%(ship)s drops her corvus on %(target)s and boards.", ship=ship, target=target)
    if how == "counter":
        return _("%(ship)s follows the boarders she threw back and boards %(target)s.", ship=ship, target=target)
    if it.get("success"):
        return _("%(ship)s grapples %(target)s and boards.", ship=ship, target=target)
    return _("%(ship)s tries to board %(target)s and fails.", ship=ship, target=target)


def fight(battle: Battle, it: Data) -> str:
    boarders = ", ".join(ship_name(battle, name) for name in it.get("boarders", ()))
    return _(
        "Fight aboard %(ship)s: the boarders of %(boarders)s kill %(kills)s and lose %(losses)s.",
        ship=ship_name(battle, it["ship"]),
        boarders=boarders,
        kills=it.get("kills"),
        losses=it.get("losses"),
    )


def captured(battle: Battle, it: Data) -> str:
    ship, side = ship_name(battle, it["ship"]), side_name(battle, it["by"])
    return _("%(ship)s surrenders: a prize of %(side)s.", ship=ship, side=side)


def thrown_back(battle: Battle, it: Data) -> str:
    boarders = ", ".join(ship_name(battle, name) for name in it.get("boarders", ()))
    return _(
        "%(ship)s throws the boarders of %(boarders)s back.", ship=ship_name(battle, it["ship"]), boarders=boarders
    )


def fight_over(battle: Battle, it: Data) -> str:
    return _("The fight aboard %(ship)s ends; nobody is left to fight.", ship=ship_name(battle, it["ship"]))


def repair(battle: Battle, it: Data) -> str:
    ship, closed = ship_name(battle, it["ship"]), int(it.get("closed", 0))
    if not closed:
        return _("%(ship)s closes no breach.", ship=ship)
    return ngettext("%(ship)s closes %(num)d breach.", "%(ship)s closes %(num)d breaches.", closed, ship=ship)


def flood(battle: Battle, it: Data) -> str:
    ship = ship_name(battle, it["ship"])
    return _("%(ship)s takes water: %(damage)s hull damage.", ship=ship, damage=it.get("damage"))


def turn(battle: Battle, it: Data) -> str:
    return _("Turn %(turn)s begins.", turn=it["turn"])


def done(battle: Battle, it: Data) -> str:
    step = step_word(str(it.get("step", "")))
    return _("%(side)s is done (%(step)s).", side=side_name(battle, it["side"]), step=step)


def finish(battle: Battle, it: Data) -> str:
    step = step_word(str(it.get("step", "")))
    return _("%(ship)s is done (%(step)s).", ship=ship_name(battle, it["ship"]), step=step)


def forgo(battle: Battle, it: Data) -> str:
    side, fire = side_name(battle, it["side"]), it.get("step") == "fire"
    if it.get("forgone", True):
        if fire:
            return _("%(side)s holds fire this turn.", side=side)
        return _("%(side)s boards nobody this turn.", side=side)
    return _("%(side)s may fire again.", side=side) if fire else _("%(side)s may board again.", side=side)


def go_on(battle: Battle, it: Data) -> str:
    return _("The umpire lets the game go on.")


def evade(battle: Battle, it: Data) -> str:
    return _("%(side)s gives up the sea and leaves.", side=side_name(battle, it["side"]))


def resign(battle: Battle, it: Data) -> str:
    return _("%(side)s gives up.", side=side_name(battle, it["side"]))


def agree(battle: Battle, it: Data) -> str:
    side = side_name(battle, it["side"])
    if it.get("agreed", True):
        return _("%(side)s agrees to end the battle.", side=side)
    return _("%(side)s no longer agrees to end the battle.", side=side)


def over(battle: Battle, it: Data) -> str:
    score = ", ".join(f"{side_name(battle, side)} {count}" for side, count in it.get("points", {}).items())
    if it.get("winner"):
        return _(
            "The battle is over: %(side)s wins (%(score)s; %(why)s).",
            side=side_name(battle, it["winner"]),
            score=score,
            why=why_over(str(it.get("why"))),
        )
    return _("The battle is over: a draw (%(score)s; %(why)s).", score=score, why=why_over(str(it.get("why"))))


def faces_given(battle: Battle, it: Data) -> str:
    count = int(it.get("count") or 0)
    return ngettext("The umpire gave %(num)d die by hand.", "The umpire gave %(num)d dice by hand.", count)


def why_over(why: str) -> str:
    """Why a battle ended."""
    known = {
        "no_ships": _("a side has no ship left"),
        "turn_limit": _("the turn limit has come"),
        "resigned": _("the other gave up"),
        "agreed": _("all sides agreed"),
        "no_warships": _("a side has no warship left"),
        "evaded": _("the other evaded"),
    }
    return known.get(why, why)


def of_the_server(sentence: Callable[[Data], str]) -> Callable[[Battle, Data], str]:
    """A sentence that needs no battle, as a writer."""
    return lambda battle, it: sentence(it)


WRITERS: dict[str, Callable[[Battle, Data], str]] = {
    each.__name__: each
    for each in (
        start,
        plot,
        lock,
        reveal,
        initiative,
        step,
        withdrawn,
        contact,
        contact_off,
        follow,
        waits,
        stopped,
        backing_served,
        fire,
        sunk,
        bow_to_bow,
        ram,
        rake,
        hold,
        finish,
        board,
        fight,
        captured,
        thrown_back,
        fight_over,
        repair,
        flood,
        turn,
        done,
        forgo,
        go_on,
        evade,
        resign,
        agree,
        over,
        faces_given,
    )
} | hand_messages.WRITERS
WRITERS |= engagement_messages.WRITERS
WRITERS |= {kind: of_the_server(sentence) for kind, sentence in server_events.SENTENCES.items()}
