"""10, 11, 12 The answers to what a seat is asked, as offers."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import permutations

from strategic.naval import settling
from strategic.sword_of_rome.rules import declining, reaction, retreat
from strategic.sword_of_rome.rules.hands import spendable
from strategic.sword_of_rome.rules.offers_of_declarations import declarations
from strategic.sword_of_rome.state import State
from tactical.kernel.protocol import Offer, Prompt


def of_prompt(state: State, prompt: Prompt) -> Iterator[Offer]:
    """10, 11, 12 What the seat that is asked may say."""
    about = prompt.about
    if prompt.kind == "declare":
        yield from declarations(state, prompt.seat)
    elif prompt.kind == "flank":
        yield Offer("confirm_flank", "9.5.6", {"side": prompt.seat, "allow": [True, False]})
    elif prompt.kind == "order":
        yield Offer("set_order", "10.3", {"players": [list(order) for order in permutations(reaction.players(state))]})
    elif prompt.kind == "commander":
        yield Offer("take_command", "10.4.a", {"leader": list(about["leaders"])})
    elif prompt.kind == "intercepted":
        yield Offer("fight", "10.5.2")
        if declining.why_not_decline(state) is None:
            yield Offer("decline", "10.5.1")
    elif prompt.kind == "permit":
        yield Offer("permit", prompt.rule, {"allow": [True, False]})
    elif prompt.kind == "contest":
        yield Offer("pass", "9.6 (5p)")
        yield Offer("contest", "9.6 (5p)", {"card": sorted(set(spendable(state, prompt.seat)))})
    elif prompt.kind == "engagement" and state.engagement is not None:
        yield from settling.offers(state.engagement, prompt.seat)
    elif prompt.kind == "sea_roll":
        yield Offer("sea_roll", "9.6.4")
    elif prompt.kind == "avoid_to":
        yield Offer("avoid_to", "11.1.a", {"to": list(about["choices"])})
    elif prompt.kind == "foe":
        yield Offer("choose_foe", "9.4.1", {"power": list(about["powers"])})
    elif prompt.kind == "pursue":
        yield Offer("pursue", "11.3")
    elif prompt.kind == "battle":
        yield Offer("roll_battle", "12.2")
    elif prompt.kind == "retreat":
        yield from retreats(state)


def retreats(state: State) -> Iterator[Offer]:
    """12.4 Where a beaten force may go: by land or to its ships, behind its walls, by sea for a card."""
    units, _ = retreat.strength(state)
    ends = [*retreat.choices(state), *retreat.ports(state, None)]
    for inside_walls in range(retreat.room(state) + 1):
        if inside_walls == units or not ends:
            yield Offer("retreat", "12.4", {"to": None, "inside": inside_walls})
        else:
            yield Offer("retreat", "12.4", {"to": ends, "inside": inside_walls})
    for card in retreat.cards(state):
        yield Offer("retreat", "12.4.3", {"to": list(retreat.ports(state, card)), "inside": 0, "card": card})
