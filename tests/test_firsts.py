"""The first positions: what a system declares is met in one of them, and a secret in one of them tells nobody anything.

The contract of `test_every_system.py` is held in all of them, too.
"""

from __future__ import annotations

import random
from collections.abc import Iterator
from itertools import islice
from pathlib import Path
from typing import Any

import msgspec
import pytest

from firsts.finding import AT_SEA, firsts, held, is_met, met, wanted
from kit.commands_of import after, picked
from kit.facts_of import facts_of
from strategic.open_campaign.rules.holding import is_held
from strategic.punic_wars.rules.control import control
from tactical.kernel.dice import Dice
from tactical.kernel.protocol import SPECTATOR, Illegal, NotYours, Secret, System, seen_by
from tactical.kernel.random_play import complaints, complaints_of_posting
from tactical.kernel.record import BadInput, encode, plain, read
from test_adjusting import Served
from test_order_never_decides import played
from webapp.storage.journal.store import all_systems

# What a system declares and no position can show, with the reason.
NEVER = {
    "punic_wars": {
        ("prompt", "tax"): "goes by itself",
        ("prompt", "supply"): "goes by itself",
        ("command", "march"): "several moves in one, whose way the page draws",
    },
    "sword_of_rome": {
        ("command", "modifier"): "written by hand into a battle",
        ("command", "end_game"): "said by hand",
        ("command", "set_active"): "said by hand",
        ("secret", "reaction.avoidances"): "declared together with attempts; test_sor_11_avoiding",
        **{
            ("command", kind): "read in journals of earlier versions, never offered"
            for kind in (
                "move_by_hand",
                "place",
                "remove",
                "set_alliance",
                "set_commander",
                "set_control",
                "set_event",
                "set_points",
                "set_runner",
                "set_siege",
                "set_unrest",
            )
        },
    },
}


@pytest.mark.parametrize("name", all_systems())
def test_every_prompt_command_and_secret_has_a_first_position(name: str) -> None:
    rules = all_systems()[name]
    free = {("command", kind) for kind in facts_of(name).free}
    missing = wanted(rules) - met(rules, firsts(name)) - free - NEVER.get(name, {}).keys()
    assert not missing, f"python tests/firsts/finding.py {name}: {sorted(missing)}"


def test_what_is_in_a_position_is_no_exception() -> None:
    for name, never in NEVER.items():
        assert not never.keys() & met(all_systems()[name], firsts(name))


@pytest.mark.parametrize("name", all_systems())
def test_a_side_that_gives_up_in_any_first_position_leaves_a_sound_end(name: str) -> None:
    """Also in the middle of a battle or of a meeting at sea: nothing stays open, and the end posts back."""
    rules = all_systems()[name]
    for state in firsts(name):
        for side in rules.sides(state):
            for offer in rules.offers(state, side):
                if offer.type == "resign":
                    end = after(rules, state, side, picked(offer, 1, random.Random(1))[0]).state
                    assert complaints(rules, end) + complaints_of_posting(rules, end) == []


# Secrets ------------------------------------------------------------------------------------------------


def put(raw: Any, path: str, value: Any) -> Any:
    """The position with another value at the path."""
    first, _, rest = path.partition(".")
    if isinstance(raw, dict):
        return {**raw, first: put(raw[first], rest, value) if rest else value}
    return [(put(each, rest, value) if rest else value) if str(n) == first else each for n, each in enumerate(raw)]


# What of a secret lies open: how many leaders are under way, and what stands in the open of the map or the sequence.
OPEN = {"election": ("remove",), "active": None, "begun": None, "must_attack": None}
NESTED = ("appointed.", "skies.", "squadrons.", "unsent.")  # what may be another stands deeper in these
UNCHECKED = (
    "accounts",
    "owed",
    "pending",
    "stacks.*.*",
    "reaction.avoidances",
)  # one alone of what hangs together; no position is typed like that


def others(name: str, path: str, value: Any) -> Iterator[Any]:
    """What else may stand at the path: other values, another order, something where nothing is, and nothing."""
    known = OPEN.get(path, ()) if name == "punic_wars" else ()
    if known is None:
        return
    if path.endswith(".plot"):
        yield from {None, 1, 2} - {value}
    elif isinstance(value, bool):
        yield not value
    elif isinstance(value, int):
        yield from (value + 1, value - 1)
    elif isinstance(value, str) and path.startswith("wishes."):
        yield value.replace('"card":1', '"card":3')
    elif isinstance(value, str) and path.startswith("appointed."):
        yield value.translate(str.maketrans("6Ce", "7DE"))  # another year, another place, other players
    elif isinstance(value, str) and path == "returning":
        yield value
    elif isinstance(value, list | tuple):
        yield list(value)[::-1]
        if path in ("reaction.attempts", "attacked", "tolls", "defected"):
            yield list(value)[1:]
        if path == "reaction.avoidances":
            yield [*value, {"power": "gauls", "leaders": (), "units": 1, "inside_leaders": (), "inside": 0}]
        if path == "owed":
            yield [{**each, "amount": each["amount"] + 1} for each in value]
    elif isinstance(value, dict) and path.startswith("prizes."):
        yield {**value, "fleet": ""}
    elif isinstance(value, dict) and path == "accounts":
        yield {side: {name: points + 1 for name, points in sums.items()} for side, sums in value.items()}
    elif isinstance(value, dict) and path == "pending":
        if value["kind"] in ("threat", "engagement"):  # asked in the open
            return
        about = value["about"]
        yield {**value, "about": {each: held for each, held in about.items() if each != "points"} | {"points": 9}}
    elif isinstance(value, dict):
        numbers = (each for each, held in value.items() if type(held) is int and held and each not in known)
        yield from ({**value, each: value[each] + 1} for each in numbers)
        if path.startswith(NESTED):
            parts = ((each, other) for each, held in value.items() for other in others(name, path, held))
            yield from ({**value, each: other} for each, other in parts)


def twins_of(rules: System, state: Any, secret: Any) -> Iterator[tuple[str, str, Any]]:
    """A seat that may not see the secret, its path, and a position that differs in nothing else."""
    raw = plain(state)
    if secret.path == "before.*" and is_held(state):  # a side sees its part of it: test_oc_holding
        return
    for path, value in held(raw, secret):
        may = seen_by(state, path, rules.hidden)
        if may is None:
            continue
        for other in others(rules.name, path, value):
            if encode(other) == encode(value):
                continue
            changed = {each: what for each, what in put(raw, path, other).items() if each != "ledger"}
            try:
                if secret.path in UNCHECKED:
                    twin = read(put(raw, path, other), rules.state)
                else:
                    twin = rules.start(None, changed, {}, Dice(secret=lambda sides: 1)).state
            except (Illegal, NotYours, BadInput):
                continue
            knows = {each["power"] for each in (*value, *other)} if path.startswith("reaction.") else set()
            knows |= {state.pending.seat} if path in ("owed", "pending") else set()
            if secret.path == "stacks.*.*" and control(twin) != control(state):  # who controls a region is open
                continue
            for seat in (*rules.sides(state), SPECTATOR):
                if seat not in may and not {seat, *seat.split("_")} & knows:
                    yield seat, path, twin


def exchanged(rules: System, state: Any, secret: Secret[Any]) -> Iterator[tuple[str, str, Any]]:
    """The same with a card of the secret and one of another secret exchanged, to who may see neither."""
    raw = plain(state)
    lists = {path: value for each in rules.hidden for path, value in held(raw, each) if isinstance(value, list | tuple)}
    for path, cards in held(raw, secret):
        for other, more in lists.items() if isinstance(cards, list | tuple) else ():
            seats = (seen_by(state, path, rules.hidden), seen_by(state, other, rules.hidden))
            pair = next(((one, two) for one in cards for two in more if one != two and type(one) is type(two)), None)
            if other == path or None in seats or pair is None or isinstance(pair[0], dict):
                continue
            at, there = list(cards), list(more)
            at[at.index(pair[0])], there[there.index(pair[1])] = pair[1], pair[0]
            try:
                twin = rules.start(None, put(put(raw, path, at), other, there), {}, Dice(secret=lambda sides: 1)).state
            except (Illegal, NotYours, BadInput):
                continue
            if twin.agenda != state.agenda:  # who is asked may hang on who holds a card that answers (counter_prompts)
                continue
            for seat in (*rules.sides(state), SPECTATOR):
                fair_wind = any(
                    each.kind == "fair_wind" and each.seat == seat for each in state.agenda
                )  # sees the deck
                if all(seat not in may for may in seats if may is not None) and not fair_wind:
                    yield seat, path, twin


@pytest.mark.parametrize("name", ["hannibal", "hamilcar"])
def test_a_card_of_a_hand_and_one_of_a_deck_exchanged_are_one_to_the_others(name: str) -> None:
    rules, compared = all_systems()[name], 0
    for state in firsts(name):
        for secret in rules.hidden:
            for seat, at, twin in islice(exchanged(rules, state, secret), 6):
                compared += 1
                assert encode(rules.view(state, seat)) == encode(rules.view(twin, seat)), f"the view tells {seat} {at}"
                assert encode(rules.offers(state, seat)) == encode(rules.offers(twin, seat)), f"offers tell {seat} {at}"
    assert compared > 50


DECLARED = [(name, secret.path) for name, rules in all_systems().items() for secret in rules.hidden]
# Secrets whose other values are not the same to who may not see them: what the map or the sequence shows besides.
SHOWN = {("punic_wars", path) for path, known in OPEN.items() if known is None}
# Reckoned from the rest, or of one value only.
RECKONED = {
    ("punic_wars", "returning"),
    ("punic_wars", "step"),
    ("punic_wars", "ledger"),
    ("punic_wars", "recruit_control"),
    ("punic_wars", "last_control"),
}


@pytest.mark.parametrize(("name", "path"), DECLARED)
def test_a_declared_secret_tells_nobody_else_anything(name: str, path: str, tmp_path: Path) -> None:
    """Its value and its presence exchanged: view, offers, who is waited for, and what a program reads, adjusted too."""
    rules = all_systems()[name]
    secret = next(each for each in rules.hidden if each.path == path)
    compared, served = 0, False
    for state in firsts(name):
        if not is_met(rules, state, plain(state), secret) and not path.endswith((".plot", ".avoidances")):
            continue
        for seat, at, twin in islice(twins_of(rules, state, secret), 12):
            compared += 1
            assert encode(rules.view(state, seat)) == encode(rules.view(twin, seat)), f"the view tells {seat} {at}"
            assert encode(rules.offers(state, seat)) == encode(rules.offers(twin, seat)), f"offers tell {seat} {at}"
            assert rules.waiting_for(state) == rules.waiting_for(twin), f"who is waited for tells {at}"
            if not served and path not in UNCHECKED:
                served = True
                answers_are_alike(tmp_path, name, seat, at, state, twin)
    assert compared or (name, path) in SHOWN | RECKONED, f"no first position shows {path}: tests/firsts/finding.py"


def answers_are_alike(folder: Path, name: str, seat: str, path: str, *states: Any) -> None:
    """What a program reads of both positions at the seat, before and after the umpire has exchanged the secret."""
    values = [dict(held(plain(state), Secret[Any](path)))[path] for state in states]
    read_by_seat = []
    for number, state in enumerate(states):
        served = Served(folder / f"{number}.db", name, typed(state))
        told = [served.read(seat)]
        served.give({"type": "adjust", "changes": {path: values[1 - number]}, "why": "misdealt"})
        read_by_seat.append([*told, served.read(seat)])
    assert read_by_seat[0] == read_by_seat[1], f"an answer or the journal tells {seat} {path}"


def typed(state: Any) -> Any:
    """A position without what is reckoned from the rest."""
    return msgspec.structs.replace(state, ledger={}) if "ledger" in state.__struct_fields__ else state


# Where battles at sea are decided -----------------------------------------------------------------------


@pytest.mark.parametrize(("name", "options"), AT_SEA.items())
def test_by_dice_no_meeting_at_sea_waits_for_anybody(name: str, options: dict[str, Any]) -> None:
    """The command that stops the campaign where both choose is played on by dice where the group has said so."""
    rules, looked = all_systems()[name], 0
    for state in firsts(name):
        if state.engagement is None:
            both = msgspec.structs.replace(state.options, **options)
            looked += by_dice(rules, msgspec.structs.replace(state, options=both))
    for scenario in rules.scenarios()[:2]:
        if looked:
            return
        for seed in range(6):
            before = None
            for state in played(rules, scenario.id, options, seed, 300):
                if before is not None and before.engagement is None and state.engagement is not None:
                    looked += by_dice(rules, before)
                before = state
            if looked:
                return
    assert looked, "no fleets have met"


def by_dice(rules: System, before: Any) -> int:
    """Every command that opens an engagement: with `dice` it opens none. How many there were."""
    dice = msgspec.structs.replace(before, options=msgspec.structs.replace(before.options, sea_battles="dice"))
    found = 0
    for seat in rules.waiting_for(before):
        for offer in rules.offers(before, seat):
            for command in picked(offer, 20, random.Random(1)):
                if after(rules, before, seat, command).state.engagement is None:
                    continue
                found += 1
                then = after(rules, dice, seat, command).state
                asked = {each.type for who in rules.waiting_for(then) for each in rules.offers(then, who)}
                assert "choose_way" not in asked, f"{command} by {seat} still asks how the meeting is settled"
    return found
