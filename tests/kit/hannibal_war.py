"""Small wars for the tests: a few pieces on an otherwise empty board, stated dice, and the command that is tried."""

from __future__ import annotations

import random
from typing import Any

import pytest

from strategic.hannibal import HANNIBAL
from strategic.hannibal.state import State
from tactical.kernel.dice import Dice, random_source
from tactical.kernel.protocol import Illegal, NotYours, Outcome
from tactical.kernel.record import read

OTHER = {"rome": "carthage", "carthage": "rome"}


def dice(*faces: int, seed: int = 1) -> Dice:
    """Open dice as stated, hidden draws from a seed; a roll beyond the stated faces is a fault of the test."""
    return Dice(faces, secret=random_source(random.Random(seed).randrange))


def force(side: str, space: str, units: int = 0, *generals: str, elephants: int = 0, inside: int = 0) -> dict[str, Any]:
    """CUs and generals of a side in a space."""
    return {
        "side": side,
        "space": space,
        "units": units,
        "generals": generals,
        "elephants": elephants,
        "inside": inside,
    }


def war(
    *forces: dict[str, Any],
    active: str = "carthage",
    cards: tuple[int, ...] = (33,),
    others: tuple[int, ...] = (62,),
    control: dict[str, str | None] | None = None,
    options: dict[str, Any] | None = None,
    places: dict[str, dict[str, Any]] | None = None,
    ranks: dict[str, str] | None = None,
    **fields: Any,
) -> State:
    """A position in which `active` is to play one of `cards`, the enemy holding `others` (so the turn goes on)."""
    spaces: dict[str, dict[str, Any]] = {}
    for space, side in (control or {}).items():
        spaces.setdefault(space, {})["control"] = side
    for space, record in (places or {}).items():
        spaces.setdefault(space, {}).update(record)
    generals: dict[str, dict[str, Any]] = {}
    for each in forces:
        place = spaces.setdefault(each["space"], {})
        if each["units"] or each["elephants"]:
            place[each["side"]] = {"units": each["units"], "elephants": each["elephants"]}
        if each["inside"]:
            place["inside"] = {"units": each["inside"]}
        walled = bool(each["inside"]) and not each["units"] and not each["elephants"]
        for name in each["generals"]:
            generals[name] = {"space": each["space"], "inside": walled}
    for name, rank in (ranks or {}).items():
        generals.setdefault(name, {})["rank"] = rank
    position = {
        "spaces": spaces,
        "generals": generals,
        "active": active,
        "phase": "strategy",
        "hands": {active: list(cards), OTHER[active]: list(others)},
        **fields,
    }
    settings = {"counter_prompts": "held", **(options or {})}
    return HANNIBAL.start(None, position, settings, dice()).state


def do(state: State, seat: str, kind: str, *faces: int, seed: int = 1, **fields: Any) -> Outcome[State]:
    """Give a command with stated dice, all of which it must use."""
    thrown = dice(*faces, seed=seed)
    outcome = HANNIBAL.apply(state, seat, read({"type": kind, **fields}, HANNIBAL.command), thrown)
    thrown.finish()
    assert HANNIBAL.invariants(outcome.state) == ()
    return outcome


def refused(state: State, seat: str, kind: str, rule: str, **fields: Any) -> str:
    """The command is refused by this paragraph; the sentence is returned."""
    with pytest.raises(Illegal) as refusal:
        HANNIBAL.apply(state, seat, read({"type": kind, **fields}, HANNIBAL.command), dice(1, 1, 1, 1, 1, 1))
    assert refusal.value.rule == rule
    return refusal.value.reason


def not_yours(state: State, seat: str, kind: str, **fields: Any) -> None:
    """The command is another seat's."""
    with pytest.raises(NotYours):
        HANNIBAL.apply(state, seat, read({"type": kind, **fields}, HANNIBAL.command), dice())


def offered(state: State, seat: str, kind: str) -> list[dict[str, Any]]:
    """The fields of the offers of a kind."""
    return [offer.fields for offer in HANNIBAL.offers(state, seat) if offer.type == kind]


def asked(state: State) -> str | None:
    """The kind of the question that is open."""
    prompt = state.asks()
    return prompt.kind if prompt else None


def march(state: State, general: str, card: int = 33, use: str = "ops") -> State:
    """The general is activated."""
    seat = HANNIBAL.waiting_for(state)[0]
    return do(state, seat, "activate", card=card, general=general, use=use).state


def step(state: State, to: str, units: int, *faces: int, elephants: int = 0, companions: tuple[str, ...] = ()) -> State:
    """One step by land."""
    seat = HANNIBAL.waiting_for(state)[0]
    found = do(state, seat, "step", *faces, to=to, units=units, elephants=elephants, companions=list(companions))
    return found.state


def sail(
    state: State,
    to: str,
    units: int,
    *faces: int,
    elephants: int = 0,
    companions: tuple[str, ...] = (),
    inside: bool = False,
) -> Outcome[State]:
    """One voyage."""
    seat = HANNIBAL.waiting_for(state)[0]
    return do(
        state, seat, "sail", *faces, to=to, units=units, elephants=elephants, companions=list(companions), inside=inside
    )


def kinds(outcome: Outcome[State]) -> list[str]:
    """The kinds of the events, in order."""
    return [happened.type for happened in outcome.events]


def the(outcome: Outcome[State], kind: str) -> dict[str, Any]:
    """The data of the one event of a kind."""
    (found,) = [happened.data for happened in outcome.events if happened.type == kind]
    return found
