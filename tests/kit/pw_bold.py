"""Random play with a purpose: leaders take what they can, go for the enemy and attack: every rule gets its turn.

The driver of the kernel picks any offer; this one weighs them, and reads nothing but offers and the map.
"""

from __future__ import annotations

import random
from typing import Any

from strategic.punic_wars import PUNIC_WARS
from strategic.punic_wars.rules.charts import axial
from strategic.punic_wars.rules.pieces import ENEMY
from strategic.punic_wars.state import Campaign
from tactical.board import distance
from tactical.kernel import random_play
from tactical.kernel.dice import Dice, random_source
from tactical.kernel.protocol import UMPIRE, Offer
from tactical.kernel.record import encode, read

WEIGHTS = {
    "done": 0.1,
    "turn": 0.05,
    "take": 0.4,
    "attack": 8.0,
    "move": 4.0,
    "finish": 0.2,
    "resign": 0.0002,
    "agree": 0.0002,
}


def play(scenario: str, seed: int, options: dict[str, Any], limit: int = 4000) -> random_play.Played:
    """One game, with the kernel's checks after every command and a replay at the end."""
    rng = random.Random(seed)
    source = random_source(rng.randrange)
    played = random_play.Played(PUNIC_WARS, scenario, options)
    dice = Dice(source=source, secret=source)
    outcome = PUNIC_WARS.start(scenario, None, options, dice)
    random_play.note(played, UMPIRE, {"type": "start"}, outcome, dice)
    state: Campaign = outcome.state
    while not played.faults and state.result is None and played.commands < limit:
        seats = PUNIC_WARS.waiting_for(state)
        seat = rng.choice(seats)
        offers = PUNIC_WARS.offers(state, seat)
        if not offers:
            played.fault(f"{seat} is waited for and has no offer")
            break
        command = wish(state, seat, offers, rng)
        before = encode(state)
        dice = Dice(source=source, secret=source)
        try:
            outcome = PUNIC_WARS.apply(state, seat, read(command, PUNIC_WARS.command), dice)
        except (*random_play.REFUSALS, *random_play.CRASHES) as wrong:
            played.fault(f"{command} by {seat}: {wrong!r}")
            break
        if encode(state) != before:
            played.fault(f"{command} changed its argument")
        random_play.note(played, seat, command, outcome, dice)
        state = outcome.state
    played.over = state.result is not None
    if not played.faults:
        random_play.check_replay(played)
    return played


def wish(state: Campaign, seat: str, offers: tuple[Offer, ...], rng: random.Random) -> dict[str, Any]:
    """A weighed choice of offer and fields."""
    weights = [weight(state, offer) for offer in offers]
    (offer,) = rng.choices(offers, weights)
    command = random_play.fill(offer, rng)
    if offer.type == "take" and rng.random() < 0.8:
        command = {"type": "take", **{name: _most(value) for name, value in offer.fields.items()}}
    if offer.type == "move" and rng.random() < 0.75:
        command["to"] = _towards(state, seat, offer.fields["to"], rng)
    return command


def weight(state: Campaign, offer: Offer) -> float:
    """A leader without a force looks for one first."""
    if offer.type == "take":
        leader = state.leaders[offer.fields["leader"]]
        return 12.0 if not leader.land + leader.naval else WEIGHTS["take"]
    return WEIGHTS.get(offer.type, 1.0)


def _most(value: Any) -> Any:
    return value["to"] if isinstance(value, dict) else value


def _towards(state: Campaign, seat: str, choices: list[str], rng: random.Random) -> str:
    """The hex nearest to some enemy stack that can be seen on the map."""
    goals = list(state.hexes_of(ENEMY[seat])) or choices
    rng.shuffle(goals)
    goals = goals[:3]
    return min(choices, key=lambda at: min(distance(axial(at), axial(goal)) for goal in goals))
