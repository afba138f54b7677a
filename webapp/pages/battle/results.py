"""What happened, as sentences, as cards that stay until they are read, and for the board's animation."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache, partial
from typing import Any

from flask_babel import ngettext

from tactical.battle import Battle
from tactical.kernel.corrections import HIDDEN
from tactical.kernel.journal import Entry
from tactical.kernel.protocol import kinds
from tactical.kernel.record import encode
from tactical.ship import FIGURES, Ship
from webapp.api.serializers import entry_for
from webapp.http.language import gettext as _
from webapp.http.language import minus, with_sign
from webapp.pages.battle import marks
from webapp.pages.battle.dice import head_on_sums
from webapp.pages.battle.marks import angle_of
from webapp.presenting import refusals
from webapp.presenting.battle_labels import (
    aspect_word,
    box_word,
    figure_word,
    figures,
    heading_word,
    hex_name,
    level_word,
    ship_name,
    side_name,
    status_word,
    step_word,
)
from webapp.presenting.labels import type_word
from webapp.presenting.sentences import Name, Several, fill, full_name, tellers, weighing
from webapp.storage.journal.records import Table
from webapp.storage.journal.store import Store

# -- What was done by hand, as sentences: against a rule, by the umpire, by a mark on a sheet.

Data = Mapping[str, Any]


def anyway(battle: Battle, it: Data) -> str:
    return _("Done although a rule forbids it: %(reason)s", reason=it.get("reason"))


def adjust(battle: Battle, it: Data) -> str:
    what = ship_name(battle, it["ship"]) if it.get("ship") else side_name(battle, it.get("side") or "")
    before = it.get("before", {})
    changes = it.get("changes", {}).items()
    said = ", ".join(
        f"{box_word(name)} {hand_value(before.get(name))} → {hand_value(value)}" for name, value in changes
    )
    return _(
        "The umpire adjusts %(what)s: %(changes)s (%(why)s).",
        what=what or _("the battle"),
        changes=said,
        why=it.get("why"),
    )


def adjusted(battle: Battle, it: Data) -> str:
    """Each ship, side or the battle with its fields, before and after; of a hidden field only the name."""
    before, owned = it.get("before", {}), dict[str, list[str]]()
    for path, value in it.get("changes", {}).items():
        kind, _dot, rest = path.partition(".")
        owner, _dot, field = rest.partition(".")
        what = {"ships": ship_name(battle, owner), "sides": side_name(battle, owner)}.get(kind, _("the battle"))
        name = box_word(field if kind in ("ships", "sides") and field else path)
        if value == HIDDEN:
            said = _("%(field)s (hidden)", field=name)
        elif kind == "types" and not field and isinstance(value, Mapping):
            size = (f"{value.get(side, 0):g}" for side in ("length", "beam"))
            said = _("%(type)s: a hull of %(size)s base lengths", type=type_word(owner), size=" × ".join(size))
        else:
            said = f"{name} {hand_value(before.get(path))} → {hand_value(value)}"
        owned.setdefault(str(what), []).append(said)
    return " ".join(
        _("The umpire adjusts %(what)s: %(changes)s (%(why)s).", what=what, changes=", ".join(said), why=it.get("why"))
        for what, said in owned.items()
    )


def mark(battle: Battle, it: Data) -> str:
    return _(
        "Marked by hand on %(ship)s: %(field)s %(before)s → %(value)s.",
        ship=ship_name(battle, it["ship"]),
        field=box_word(str(it.get("field"))),
        before=hand_value(it.get("before")),
        value=hand_value(it.get("value")),
    )


def hand_value(value: Any) -> Any:
    """What stood or stands in a field: a number below zero with the minus sign, all else as it is."""
    return minus(value) if isinstance(value, int | float) and value < 0 else value


HAND_WRITERS: dict[str, Callable[[Battle, Data], str]] = {
    each.__name__: each for each in (anyway, adjust, adjusted, mark)
}


# -- Every event of a galley journal as a sentence in the reader's language. Events are stored as data, never as text.


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


MARKS = frozenset(("captain",))  # they tell how an entry came about: a sign beside it, no line of their own
KINDS = kinds("kernel", "galley")
TELLERS = tellers(KINDS)
LOUD = weighing(KINDS, "loud")
SOFT = weighing(KINDS, "soft")


def line(battle: Battle, happened: Data) -> Line:
    """The sentence for one event, given flat (as `Event.flat` makes it)."""
    kind = str(happened.get("type", ""))
    weight = "loud" if kind in LOUD else "soft" if kind in SOFT else "plain"
    faces = happened.get("dice") or ()
    return Line(str(happened.get("rule", "")), sentence(battle, kind, happened), tuple(faces), weight, kind)


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
        said = ", ".join(f"{ship_name(battle, each['ship'])} {minus(each['speed'])}" for each in moved)
        found.insert(0, Line("G3.1", _("Speeds set: %(speeds)s.", speeds=said), (), "soft", "plot"))
    return found


def sentence(battle: Battle, kind: str, it: Data) -> str:
    """One event in words: by the function that decides something about it, else by its sentence in data/events."""
    if kind in WRITERS:
        return WRITERS[kind](battle, it)
    teller = TELLERS.get(kind)
    return teller.tell(it, partial(say, battle), {}) if teller else unknown(battle, it)


class Point(Name):
    """A point of the measured sea: where a sentence has a word for a hex and one for a point, it takes the last."""

    def agree(self, forms: Sequence[str]) -> str:
        return forms[-1]


def say(battle: Battle, word: str, field: str, value: Any) -> Any:
    """A field of an event as players say it, by the word that data/events has for it; below zero with a minus sign."""
    if word == "ship":
        return ship_name(battle, value)
    if word == "ships":
        return Several(ship_name(battle, each) for each in value or ())
    if word == "side":
        return full_name(side_name(battle, value))
    if word == "hex":
        said = hex_name(tuple(value)) if value else ""
        return said if battle.has_hexes else Point(said)
    if word == "number" and isinstance(value, int) and value < 0:
        return minus(value)
    return WORDED[word](value) if word in WORDED else value


WORDED: dict[str, Callable[[Any], str]] = {
    "aspect": aspect_word,
    "heading": heading_word,
    "level": level_word,
    "step": step_word,
}


def unknown(battle: Battle, it: Data) -> str:
    """An event that this page does not know yet: its kind and its data, so that nothing is hidden."""
    rest = ", ".join(f"{key} {value}" for key, value in it.items() if key not in ("rule", "type", "dice"))
    return f"{it.get('type')}: {rest}" if rest else str(it.get("type"))


def reveal(battle: Battle, it: Data) -> str:
    said = ", ".join(f"{ship_name(battle, name)} {minus(speed)}" for name, speed in it.get("speeds", {}).items())
    return _("The plots are shown: %(speeds)s.", speeds=said)


def fire(battle: Battle, it: Data) -> str:
    shots = figures(str(it["weapon"]), len(it.get("dice", ())) or 1)
    ship, target = ship_name(battle, it["ship"]), ship_name(battle, it["target"])
    effect = fire_effect(it)
    return _(
        "%(ship)s fires at %(target)s with %(shots)s at range %(range)s – %(effect)s.",
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
        parts.append(_("nobody is left to hit"))
    return "; ".join(parts) or _("no effect")


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
    parts.append(_("ram %(modifier)s", modifier=with_sign(modifier)))
    if full:
        parts.append(_("full speed +1"))
    return _(
        "%(ship)s rams %(target)s: %(sum)s = %(damage)s hull damage and a breach.",
        ship=ship,
        target=target,
        sum=", ".join(parts),
        damage=it.get("damage"),
    )


def over(battle: Battle, it: Data) -> str:
    score = ", ".join(f"{side_name(battle, side)} {count}" for side, count in it.get("points", {}).items())
    values = {
        "score": score,
        "why": why_over(str(it.get("why"))),
        "winner": full_name(side_name(battle, it.get("winner"))),
    }
    if it.get("winner"):
        return fill(_("The battle is over: %(winner)s %(winner|wins|win)s (%(score)s; %(why)s)."), values.__getitem__)
    return fill(_("The battle is over: a draw (%(score)s; %(why)s)."), values.__getitem__)


def faces_given(battle: Battle, it: Data) -> str:
    count = int(it.get("count") or 0)
    return ngettext("The umpire set %(num)d die by hand.", "The umpire set %(num)d dice by hand.", count)


def why_over(why: str) -> str:
    """Why a battle ended."""
    known = {
        "no_ships": _("a side has no ship left"),
        "turn_limit": _("the turn limit was reached"),
        "resigned": _("the other side gave up"),
        "agreed": _("all sides agreed"),
        "no_warships": _("a side has no warship left"),
        "evaded": _("the other side evaded"),
    }
    return known.get(why, why)


def of_the_server(sentence: Callable[[Data], str]) -> Callable[[Battle, Data], str]:
    """A sentence that needs no battle, as a writer."""
    return lambda battle, it: sentence(it)


WRITERS: dict[str, Callable[[Battle, Data], str]] = {
    each.__name__: each for each in (reveal, fire, bow_to_bow, ram, over, faces_given)
} | HAND_WRITERS
WRITERS |= {kind: of_the_server(sentence) for kind, sentence in refusals.SENTENCES.items()}


# -- What befell ships, as cards that stay until they are read: the dice, the rule, before and after.
#
# A card of one's own act is read by the next act; one of another seat's act, or of the end of a turn, stays until
# tapped.
# How far a seat has read stands in the store beside its last look at the journal.

LOOKED_AT = 30  # entries that are searched for results
SHOWN = 3  # cards on the page
RESULTS = frozenset(
    (
        "ram",
        "bow_to_bow",
        "rake",
        "board",
        "fight",
        "captured",
        "thrown_back",
        "fight_over",
        "sunk",
        "flood",
        "withdrawn",
    )
)
MAY_BE_RESULTS = RESULTS | {"fire"}
BY_ITSELF = frozenset(("fight", "captured", "thrown_back", "fight_over", "flood"))  # nobody's act: the turn's end
Change = tuple[str, str, Any, Any]  # ship, field, before, after


@dataclass(frozen=True)
class Card:
    """One result: the journal's entry, its lines, what changed on each ship, and whether it struck one's own.

    `own` is a result of the seat's own act.
    """

    number: int
    lines: tuple[Line, ...]
    changes: tuple[tuple[str, str], ...]
    ships: tuple[str, ...]
    own: bool
    hurts: bool


def is_result(event: Mapping[str, Any], own: bool) -> bool:
    """Does an event belong on a card? Shots of others only when they did something, one's own always."""
    kind = event.get("type")
    return kind in RESULTS or (kind == "fire" and bool(own or event.get("hull") or event.get("kills")))


def cursor(seat: str, own: bool = False) -> str:
    """The name under which the store keeps how far a seat has read results."""
    return f"{seat}:own results" if own else f"{seat}:results"


def unread(table: Table, seat: str, looks: Mapping[str, int], late: Sequence[Entry]) -> list[Entry]:
    """Those of the journal's late entries with results that the seat has not read, the newest first."""
    version = table.game.version
    seen, seen_own = looks.get(cursor(seat), 0), looks.get(cursor(seat, True), 0)
    found = []
    for entry in reversed(late):
        if entry.number <= max(seen, version - LOOKED_AT):
            break
        if entry.taken_back is not None or (entry.number <= seen_own and is_own(entry, seat)):
            continue
        if not any(event.type in MAY_BE_RESULTS for event in entry.events):
            continue
        if any(is_result(event, is_own(entry, seat)) for event in entry_for(entry, seat).events):
            found.append(entry)
    return found


def is_own(entry: Entry, seat: str) -> bool:
    """Did this seat bring the result about, and is it no part of the end of the turn?"""
    return seat in (entry.seat, entry.on_behalf) and not any(event.type in BY_ITSELF for event in entry.events)


def cards(
    store: Store,
    table: Table,
    battle: Battle,
    seat: str,
    sides: list[str],
    looks: Mapping[str, int],
    late: Sequence[Entry],
) -> tuple[list[Card], int]:
    """The newest cards among the journal's late entries, and how many more there are."""
    entries = unread(table, seat, looks, late)
    return [card(store, table, battle, seat, sides, entry) for entry in entries[:SHOWN]], max(0, len(entries) - SHOWN)


def card(store: Store, table: Table, battle: Battle, seat: str, sides: list[str], entry: Entry) -> Card:
    """One entry as a card."""
    own = is_own(entry, seat)
    events = [event for event in entry_for(entry, seat).events if is_result(event, own)]
    found = changes(store, table.game.id, entry.number, entry.parent, seat)
    by_ship: dict[str, list[str]] = {}
    for name, field, before, after in found:
        by_ship.setdefault(name, []).append(change_word(battle, name, field, before, after))
    meant = (str(event.get("target") or event.get("ship")) for event in events if is_result(event, False))
    struck = tuple(by_ship) or tuple(meant)
    return Card(
        entry.number,
        tuple(line(battle, event) for event in sorted(events, key=lambda each: each.get("type") not in MOMENTS)),
        tuple((ship_name(battle, name), "; ".join(said)) for name, said in by_ship.items()),
        tuple(name for name in struck if name in battle.ships),
        own,
        any(battle.ships[name].side in sides for name in by_ship if name in battle.ships),
    )


@lru_cache(maxsize=512)
def changes(store: Store, game: str, number: int, parent: int | None, seat: str) -> tuple[Change, ...]:
    """What an entry changed on the sheets, as the seat may see it. Entries never change, so this is remembered."""
    after: Battle = store.table_after(game, number).view(seat)
    before: Battle = store.table_after(game, parent if parent is not None else number - 1).view(seat)
    return tuple(
        (name, field, old, new)
        for name, ship in after.ships.items()
        if name in before.ships
        for field, old, new in differences(before.ships[name], ship)
    )


def differences(before: Ship, after: Ship) -> list[tuple[str, Any, Any]]:
    """The fields of a sheet that a result may change."""
    fields = ("damage", "breaches", *FIGURES, "oars_broken", "corvus", "status")
    pairs = [(field, getattr(before, field), getattr(after, field)) for field in fields]
    return [(field, old, new) for field, old, new in pairs if old != new]


def change_word(battle: Battle, name: str, field: str, before: Any, after: Any) -> str:
    """A change as players say it."""
    if field == "damage":
        whole = battle.kind(battle.ships[name]).hull
        left = f"{max(0, whole - before)} → {max(0, whole - after)}"
        return _("hull %(change)s of %(whole)s", change=left, whole=whole)
    if field == "breaches":
        return _("breaches %(before)s → %(after)s", before=before, after=after)
    if field == "oars_broken":
        return _("oars broken") if after else _("oars mended")
    if field == "corvus":
        return _("corvus lost") if before else _("corvus")
    if field == "status":
        return status_word(after)
    return f"{figure_word(field)} {before} → {after}"


def mark_read(store: Store, game: str, seat: str, upto: int) -> None:
    """The seat has read all results up to an entry."""
    store.looked(game, cursor(seat), max(upto, store.last_look(game, cursor(seat))))


def read(seat: str, seen: int) -> dict[str, int]:
    """The seat acts upon what it saw: the results of its own acts up to then are read."""
    return {cursor(seat, True): seen}


# -- What each entry did to the ships on the board, for static/happenings.js, which shows one entry after another.

MOST = 16  # entries that are shown one after another
GOES = frozenset(("step", "follow", "rake", "deploy", "contact"))
MOMENTS = frozenset(("over", "sunk", "captured", "withdrawn", "rake"))  # what the whole table should see


def happenings(battle: Battle, late: Sequence[Entry], seat: str) -> str:
    """The newest entries in which ships moved or were struck, as far as a seat may see them, as JSON.

    Each is [number, [[ship, x, y, degrees]], [[ship, words that rise from her, hull, dead, kind, by whom]],
    [[title, how it came, kind]]]; x, y and degrees may be null; hull and dead are those of a volley, null of what is
    none; a kind is that of the event; a title is a moment that the whole table should see. Without places on a board
    there are moments alone.
    """
    found = []
    for entry in reversed(late):
        if entry.taken_back is not None:
            continue
        events = entry_for(entry, seat).events
        drawn = events if battle.has_places else ()
        goes = [at for event in drawn if event.get("type") in GOES and (at := place_of(event))]
        said = [
            (*word, *volley(event), event.get("type"), event.get("ship"))
            for event in drawn
            if (word := words_of(event))
        ]
        moments = [moment(battle, event, events) for event in events if event.get("type") in MOMENTS]
        if goes or said or moments:
            found.append((entry.number, goes, said, moments))
        if len(found) == MOST:
            break
    return encode(found[::-1]).decode()


def moment(battle: Battle, event: Data, events: Sequence[Data]) -> tuple[str, str, str]:
    """A moment in two or three words, how it came (by the ram or the fight in the same entry), and its kind."""
    how = next((each for each in events if each is not event and title_of(battle, each)), event)
    return title_of(battle, event), line(battle, how).text, str(event.get("type"))


def volley(event: Data) -> tuple[int | None, int | None]:
    """The hull damage and the dead of a volley; nothing for what is none."""
    if event.get("type") != "fire":
        return None, None
    return int(event.get("hull") or 0), sum((event.get("dead") or {}).values())


def title_of(battle: Battle, event: Data) -> str:
    """An event in two or three words; nothing for one that needs no banner."""
    ship, target = (ship_name(battle, event[key]) if event.get(key) else "" for key in ("ship", "target"))
    leads = bool(event.get("ship") in battle.ships and battle.ships[event["ship"]].flagship)
    match event.get("type"):
        case "over" if event.get("winner"):
            return _("Victory: %(side)s", side=side_name(battle, event["winner"]))
        case "over":
            return _("A draw.").rstrip(".")
        case "sunk":
            return _("Flagship %(ship)s sunk", ship=ship) if leads else _("%(ship)s sunk", ship=ship)
        case "captured":
            return _("Flagship %(ship)s taken", ship=ship) if leads else _("%(ship)s taken", ship=ship)
        case "withdrawn":
            return _("%(ship)s gone", ship=ship)
        case "ram":
            return _("%(ship)s rammed", ship=target)
        case "rake":
            return _("%(ship)s: oars broken", ship=target)
        case "bow_to_bow":
            return _("Bow to bow")
        case "thrown_back":
            return _("Boarders thrown back")
    return ""


def place_of(event: Data) -> tuple[str, float | None, float | None, float | None] | None:
    """Where a ship came to in an event, and how she heads; None for one that did not move."""
    to, facing = event.get("to"), event.get("facing")
    if to is None and facing is None:
        return None
    x, y = marks.place(tuple(to)) if to is not None else (None, None)
    return str(event["ship"]), x, y, None if facing is None else angle_of(facing)


def words_of(event: Data) -> tuple[str, str] | None:
    """The ship from which a result rises, and the result in a word or two; None for an event without one."""
    ship, target = str(event.get("ship", "")), str(event.get("target", ""))
    match event.get("type"):
        case "ram":
            return target, minus(-int(event.get("damage") or 0))
        case "fire":
            return target, shot(event)
        case "rake":
            return target, _("oars broken")
        case "captured":
            return ship, _("taken")
        case "sunk":
            return ship, _("sunk")
        case "withdrawn":
            return ship, _("left")
        case "flood":
            return ship, minus(-int(event.get("damage") or 0))
        case "board" if not event.get("success"):
            return target, _("boarding failed")
    return None


def shot(event: Data) -> str:
    """What a volley did, in a word or two."""
    hull, dead = volley(event)
    said = [minus(-hull)] if hull else []
    said += [ngettext("%(num)d dead", "%(num)d dead", dead)] if dead else []
    return ", ".join(said) or _("missed")
