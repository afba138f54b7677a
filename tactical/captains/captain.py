"""A captain: from a view and its offers to one command with its reasons; battles played to their end."""

from __future__ import annotations

import gc
from collections.abc import Callable, Container, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from math import sqrt
from typing import Any

from tactical.battle import Battle
from tactical.captains import fighting, steering
from tactical.captains.judgement import Sea
from tactical.captains.reasons import Choice, Orders, reason
from tactical.kernel.dice import Dice, random_source
from tactical.kernel.journal import Entry
from tactical.kernel.protocol import Offer, Outcome, System
from tactical.kernel.random_play import QUITTING, Generator, fill
from tactical.kernel.record import Record, read
from tactical.ship import Ship

# -- The captain of lessons and puzzles: her ships row straight on as slowly as they may, and do nothing else.

ANSWERS = ("hold", "keep", "done", "finish")  # what is answered before anything else, in this order


def stand(view: Battle, side: str, kinds: dict[str, list[Offer]]) -> Choice | None:
    """What such a captain does; None where only something else is on offer."""
    unset = [offer for offer in kinds.get("plot", ()) if view.ships[str(first_choices(offer)["ship"])].plot is None]
    if unset:
        return Choice(slowest(unset[0]))
    if "lock" in kinds:
        return Choice({"type": "lock", "side": side})
    for kind in ANSWERS:
        if kind in kinds:
            return Choice({"type": kind, **first_choices(kinds[kind][0])})
    if "step" in kinds:
        return Choice(straight(kinds["step"][0]))
    return None


def slowest(offer: Offer) -> dict[str, Any]:
    """The least speed that a ship may be given."""
    speeds = offer.fields["speed"]
    choices = range(speeds["from"], speeds["to"] + 1) if isinstance(speeds, dict) else speeds
    found = [choices] if isinstance(choices, int) else list(choices)
    return {
        "type": "plot",
        "ship": first_choices(offer)["ship"],
        "speed": min(found, key=lambda speed: (abs(speed), speed)),
    }


def straight(offer: Offer) -> dict[str, Any]:
    """A step straight on, where that is on offer."""
    command = {"type": "step", **first_choices(offer)}
    turns = offer.fields.get("turn")
    if isinstance(turns, list | tuple) and "none" in turns:
        command["turn"] = "none"
    return command


def first_choices(offer: Offer) -> dict[str, Any]:
    """The first of each choice of an offer."""
    return {name: one(value) for name, value in offer.fields.items()}


def one(value: Any) -> Any:
    """The first of a field's choices."""
    if isinstance(value, dict) and "from" in value:
        return value["from"]
    return value[0] if isinstance(value, list | tuple) else value


# -- Everything else that a captain is asked: to lock, to be done, to deploy, to keep dice or throw again, to evade.

POOR_RAM = 3  # L2.5.a a ram's die up to this is worth another throw
EVADES_BELOW = 0.5  # L3.4, L3.5 the share of the enemy's strength below which a side leaves


def lock(side: str) -> Choice:
    """G3.1 All ships have their speed."""
    return Choice({"type": "lock", "side": side}, (reason("lock", rule="G3.1"),))


def answer_with_nothing(sea: Sea, kind: str = "done") -> Choice:
    """G3.0 Nothing more to do in this step, or nothing that is worth doing."""
    return Choice({"type": "done", "side": sea.side}, (reason(kind),))


def dice(sea: Sea, offers: dict[str, list[Offer]]) -> Choice:
    """L2.5.a Throw a bad die again: a missed boarding, a bow-to-bow that was lost, a weak ram that did not sink."""
    thrown = sea.battle.thrown
    keep = Choice({"type": "keep", "side": sea.side}, (reason("keep", rule="L2.5.a"),))
    if thrown is None or "reroll" not in offers:
        return keep
    allowed = offers["reroll"][0].fields["die"]
    own = [allowed] if isinstance(allowed, int) else list(allowed)
    number = -1
    bad: list[tuple[int, int, int]] = []
    faces = [(roll, face) for roll in thrown.rolls for face in roll.faces]
    enemy_best = {roll.rule: face for roll, face in faces if sea.battle.ships[roll.about["ship"]].side != sea.side}
    for number, (roll, face) in enumerate(faces):
        if number not in own:
            continue
        lost_meeting = roll.rule == "G6.1" and face < enemy_best.get("G6.1", 0)
        if (roll.rule == "G8.1" and face <= 3) or lost_meeting or (roll.rule == "G6.2" and face <= POOR_RAM):
            bad.append((face, number, roll.sides))
    if not bad:
        return keep
    face, die, sides = min(bad)
    why = reason("reroll", rule="L2.5.a", odds=(sides - face) / sides, face=face)
    return Choice({"type": "reroll", "side": sea.side, "die": die}, (why,))


def end_of_turn(sea: Sea, kinds: set[str]) -> Choice:
    """L3.5 The holder of supremacy leaves a battle that is being lost; a raw captain never does."""
    if "evade" in kinds and sea.orders.level != "raw":
        mine, theirs = strength(sea, sea.mine), strength(sea, sea.foes)
        if mine < EVADES_BELOW * theirs:
            why = reason("evade", rule="L3.5", mine=round(mine), theirs=round(theirs))
            return Choice({"type": "evade", "side": sea.side}, (why,))
        return answer_with_nothing(sea, "stay")
    return answer_with_nothing(sea)


def break_off(sea: Sea, kinds: Container[str]) -> Choice | None:
    """G10.1, L3.4 Give up a battle that is lost, where the captain's orders allow it: its ships get away."""
    first = sea.orders.breaks_off
    if not first or sea.battle.turn < first or "resign" not in kinds:
        return None
    mine, theirs = strength(sea, sea.mine), strength(sea, sea.foes)
    if mine >= EVADES_BELOW * theirs:
        return None
    why = reason("evade", rule="L3.4", mine=round(mine), theirs=round(theirs))
    return Choice({"type": "resign", "side": sea.side}, (why,))


def strength(sea: Sea, ships: dict[str, Ship]) -> float:
    """Hulls and marines that are left."""
    return sum(max(0, sea.kind(ship).hull - ship.damage) + 0.5 * ship.marines for ship in ships.values())


def ending(sea: Sea, offers: dict[str, list[Offer]]) -> Choice | None:
    """G10.1 Agree to end the battle when all others have, and this side leads."""
    if "agree" not in offers:
        return None
    others = [side for name, side in sea.battle.sides.items() if name != sea.side]
    mine = sea.battle.sides[sea.side].points
    if not all(other.agreed for other in others) or mine <= max(other.points for other in others):
        return None
    why = reason("agree_ahead", rule="G10.1", mine=mine, theirs=max(other.points for other in others))
    return Choice({"type": "agree", "side": sea.side}, (why,))


def anything(side: str, offers: list[Offer]) -> Choice:
    """The first offer that gives nothing up, with the first choice of each field: never no answer."""
    usual = [offer for offer in offers if offer.type not in QUITTING]
    offer = (usual or [each for each in offers if each.type == "agree"] or offers)[0]
    fields = {name: first_choice(value) for name, value in offer.fields.items()}
    return Choice({"type": offer.type, **fields}, (reason("nothing_else", rule=offer.rule),))


def first_choice(value: Any) -> Any:
    """A field's first choice."""
    if isinstance(value, list | tuple):
        return value[0]
    return value["from"] if isinstance(value, dict) else value


# -- A captain: from a view and its offers to one command, with the reasons.

TOGETHER = 200  # commands that one `together` may hold


def choose(view: Battle, side: str, offers: Sequence[Offer], orders: Orders | None = None) -> Choice:
    """G3.0 What the side should command now, out of its own offers; there is always something.

    `view` is what the side sees. Raises ValueError when there is no offer at all.
    """
    if not offers:
        raise ValueError(f"{side} has no offer to choose from")
    kinds = by_type(offers)
    if orders is not None and orders.level == "still":
        return stand(view, side, kinds) or anything(side, list(offers))
    sea = Sea(view, side, orders or Orders())
    if (over := ending(sea, kinds) or break_off(sea, kinds)) is not None:
        return over
    return of_step(sea, kinds) or anything(side, list(offers))


def of_step(sea: Sea, kinds: dict[str, list[Offer]]) -> Choice | None:
    """The choice by what is on offer, in the order of the sequence of play."""
    if "keep" in kinds:
        return dice(sea, kinds)
    if "deploy" in kinds:
        return answer_with_nothing(sea, "deployed")
    if "plot" in kinds and ("lock" not in kinds or unset(sea, kinds["plot"])):
        return steering.plot(sea, {offer.fields["ship"]: offer for offer in kinds["plot"]})
    if "lock" in kinds:
        return lock(sea.side)
    if "step" in kinds and not ("done" in kinds and sea.battle.has_places):  # G6.7: only the edge lies behind
        return steering.steer(sea, kinds["step"])
    if "fire" in kinds and (found := fighting.shoot(sea, kinds["fire"])) is not None:
        return found
    meetings = [offer for kind in ("ram", "rake", "hold") for offer in kinds.get(kind, ()) if is_met(sea, offer)]
    if meetings:
        return fighting.settle(sea, meetings)
    if "board" in kinds and (boarding := fighting.board(sea, kinds["board"])) is not None:
        return boarding
    if "evade" in kinds:
        return end_of_turn(sea, set(kinds))
    if "done" in kinds:
        return answer_with_nothing(
            sea, "fire_waits" if "fire" in kinds else "board_not" if "board" in kinds else "done"
        )
    return None


def is_met(sea: Sea, offer: Offer) -> bool:
    """Is the offer about a contact? On the players' own table a ship may hold without one."""
    return sea.battle.ships[offer.fields["ship"]].contact is not None


def unset(sea: Sea, offers: list[Offer]) -> bool:
    """Is there a ship without a plot?"""
    return any(sea.battle.ships[offer.fields["ship"]].plot is None for offer in offers)


def choose_all(view: Battle, side: str, offers: Sequence[Offer], orders: Orders | None = None) -> Choice:
    """As `choose`, but all plots of a turn as one `together`: what matches and forecasts use."""
    kinds = by_type(offers)
    if "plot" not in kinds or "deploy" in kinds or (orders is not None and orders.level == "still"):
        return choose(view, side, offers, orders)
    sea = Sea(view, side, orders or Orders())
    if (over := break_off(sea, kinds)) is not None:
        return over
    open_plots = {
        offer.fields["ship"]: offer for offer in kinds["plot"] if view.ships[offer.fields["ship"]].plot is None
    }
    if len(open_plots) < 2:
        return choose(view, side, offers, orders)
    found = steering.plots(sea, open_plots, TOGETHER - 1)
    commands = [choice.command for choice in found]
    if len(found) == len(open_plots):
        commands.append({"type": "lock", "side": side})
    return Choice({"type": "together", "commands": commands}, tuple(why for each in found for why in each.reasons))


def by_type(offers: Sequence[Offer]) -> dict[str, list[Offer]]:
    """The offers by their command."""
    found: dict[str, list[Offer]] = {}
    for offer in offers:
        found.setdefault(offer.type, []).append(offer)
    return found


# -- Battles between captains, or against random play, to their end: what matches, forecasts and the laboratory run.
#
# The caller passes the generator (seeded), so the engine stays without `random`.

MOST = 20_000  # commands; a battle that goes on longer is stopped and counts as drawn
SWEPT = 200_000  # objects more, before the garbage is swept: positions go by their counts, and a sweep finds nothing
Player = Orders | None  # None plays at random


@dataclass
class Fought:
    """A battle that was played: its last position, how many commands, and its journal when it was kept."""

    start: Battle
    state: Battle
    commands: int = 0
    entries: list[Entry] = field(default_factory=list)

    @property
    def winner(self) -> str | None:
        """G10.1 Who won; nobody in a draw, or when the battle was stopped."""
        return self.state.result.winner if self.state.result is not None else None


def play(
    system: System,
    state: Battle,
    players: Mapping[str, Player],
    random: Generator,
    keep: bool = False,
    stop: Callable[[], bool] | None = None,
) -> Fought:
    """Play a battle to its end. Any seat that is waited for may act next, drawn evenly: nobody has the last word.

    Raises Illegal or BadInput when a captain gave a command that the rules refuse: that is a fault.
    """
    with seldom_swept():
        return fought_out(system, state, players, random, keep, stop)


@contextmanager
def seldom_swept() -> Iterator[None]:
    """While a battle is fought Python looks for cycles of garbage less often: that took a fifth of its time."""
    usual = gc.get_threshold()
    gc.set_threshold(max(SWEPT, usual[0]) if usual[0] else 0, *usual[1:])
    try:
        yield
    finally:
        gc.set_threshold(*usual)


def fought_out(
    system: System,
    state: Battle,
    players: Mapping[str, Player],
    random: Generator,
    keep: bool,
    stop: Callable[[], bool] | None,
) -> Fought:
    """The battle, command by command."""
    fought = Fought(state, state)
    source = random_source(random.randrange)
    while not system.is_over(fought.state) and fought.commands < MOST:
        if stop is not None and stop():
            break
        waiting = system.waiting_for(fought.state)
        if not waiting:
            break
        seat = waiting[random.randrange(len(waiting))] if len(waiting) > 1 else waiting[0]
        raw = answer(system, fought.state, seat, players.get(seat), random)
        dice = Dice(source=source, secret=source)
        outcome: Outcome[Battle] = system.apply(fought.state, seat, read(raw, system.command), dice)
        fought.commands += len(raw["commands"]) if raw["type"] == "together" else 1
        fought.state = outcome.state
        if keep:
            number = len(fought.entries) + 1
            rolls, draws = tuple(dice.rolls), tuple(dice.draws)
            fought.entries.append(Entry(number, number - 1, seat, "", raw, rolls, draws, outcome.events))
    return fought


def answer(system: System, state: Battle, seat: str, player: Player, random: Generator) -> dict[str, Any]:
    """One command of a seat: a captain's, or any that is on offer."""
    offers = system.offers(state, seat)
    if player is None:
        usual = [offer for offer in offers if offer.type not in QUITTING]
        return fill(random.choice(usual or offers), random)
    return choose_all(system.view(state, seat), seat, offers, player).command


# -- Shares with their Wilson intervals: how sure a count of battles makes us.

SURE = 1.959964  # standard deviations of 95 per cent


class Share(Record, frozen=True):
    """A share of so many trials, with the lowest and highest share that would be no surprise (95 per cent)."""

    share: float
    low: float
    high: float

    @property
    def is_open(self) -> bool:
        """May it be a half, as far as is known?"""
        return self.low <= 0.5 <= self.high


def wilson(hits: float, trials: int) -> Share:
    """The Wilson interval of a share; of no trials everything is possible."""
    if trials == 0:
        return Share(0.0, 0.0, 1.0)
    share = hits / trials
    spread = SURE * sqrt(share * (1 - share) / trials + SURE**2 / (4 * trials**2))
    middle, whole = share + SURE**2 / (2 * trials), 1 + SURE**2 / trials
    low, high = (middle - spread) / whole, (middle + spread) / whole
    return Share(round(share, 4), round(max(0.0, low), 4), round(min(1.0, high), 4))
