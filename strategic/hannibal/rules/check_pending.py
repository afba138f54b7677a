"""Whether what is under way in a position hangs together: the agenda, the card played, the march, the battle."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from strategic.hannibal.state import State
from strategic.hannibal.tables import (
    CARDS,
    CHART,
    LEADERS,
    TABLES,
)
from strategic.point_to_point.tables import SIDES
from tactical.kernel.protocol import Prompt
from tactical.kernel.reason import Reason, because

# What each prompt of the agenda is about (facts and their types), and what must be under way for it.
ABOUT: dict[str, dict[str, type]] = {
    "reinforce": {"left": dict},
    "place_consul": {"consuls": list},
    "put": {"left": int},
    "campaign": {"left": int},
    "choose": {"for": str, "card": int, "left": int},
    "counter": {"moment": str},
    "intercept": {"declared": list},
    "avoid": {"sheltered": bool},
    "siege": {"general": str, "space": str},
    "battle": {"space": str},
    "cancel": {"to": str},
    "remove": {"left": int},
}
PLAIN = (
    "return",
    "land",
    "proconsul",
    "consuls",
    "open",
    "who_first",
    "card",
    "end_play",
    "march",
    "naval",
    "contested",
    "intercepted",
    "meet",
    "clash",
    "pursuit",
    "halted",
    "join",
    "command",
    "battle_events",
    "elephants",
    "charge_roll",
    "deal_battle",
    "attack",
    "match",
    "counter_attack",
    "take_initiative",
    "losses",
    "retreat",
    "consequences",
    "battle_over",
)
KINDS = (*ABOUT, *PLAIN)
BY_ITSELF = (
    "consuls",
    "end_play",
    "naval",
    "contested",
    "meet",
    "clash",
    "halted",
    "siege",
    "battle",
    "charge_roll",
    "deal_battle",
    "losses",
    "consequences",
    "battle_over",
)
IN_BATTLE = (
    "join",
    "command",
    "battle_events",
    "elephants",
    "charge_roll",
    "deal_battle",
    "attack",
    "match",
    "counter_attack",
    "cancel",
    "take_initiative",
    "losses",
    "retreat",
    "consequences",
    "battle_over",
)
ON_THE_MARCH = ("naval", "contested", "intercepted")
IN_PLAY = ("put", "campaign", "choose", "march", "intercept", "siege", "battle")
MOMENTS = ("tribes", "storms", "weather", "fright")


def pending_faults(state: State) -> Iterator[tuple[str, Reason]]:
    """Each contradiction in what is under way, with the path to the field."""
    for number, prompt in enumerate(state.agenda):
        yield from _prompt(state, f"agenda[{number}]", prompt)
    yield from _march(state)
    yield from _battle(state)
    if state.play is not None and state.play.card not in CARDS:
        yield "play.card", because("there is no card %(card)s", card=state.play.card)
    train = state.lasting.siege_train
    if train is not None and (train not in state.generals or state.generals[train].status != "board"):
        yield "lasting.siege_train", Reason("the siege train must be with a Carthaginian general on the board")


def _prompt(state: State, at: str, prompt: Prompt) -> Iterator[tuple[str, Reason]]:
    if prompt.kind not in KINDS:
        yield f"{at}.kind", because("there is no step '%(kind)s'", kind=prompt.kind)
        return
    seats = ("",) if prompt.kind in BY_ITSELF else SIDES
    if prompt.seat not in seats:
        yield (
            f"{at}.seat",
            (
                Reason("there is no question here for a player to answer")
                if prompt.kind in BY_ITSELF
                else Reason("the seat must be Rome or Carthage")
            ),
        )
    for name, kind in ABOUT.get(prompt.kind, {}).items():
        if not isinstance(prompt.about.get(name), kind):
            yield f"{at}.about.{name}", because("this step needs a value of the type %(kind)s here", kind=kind.__name__)
    yield from _lists(at, prompt)
    if prompt.kind == "counter" and prompt.about.get("moment") not in MOMENTS:
        yield f"{at}.about.moment", because("the moment must be one of %(moments)s", moments=tuple(MOMENTS))
    if prompt.kind == "choose" and prompt.about.get("card") not in CARDS:
        yield f"{at}.about.card", Reason("there is no such card")
    if prompt.kind in IN_BATTLE and state.battle is None:
        yield f"{at}.kind", Reason("this step needs a battle, and none is being fought")
    if prompt.kind in ON_THE_MARCH and state.march is None:
        yield f"{at}.kind", Reason("this step needs a march, and nobody is marching")
    if prompt.kind in IN_PLAY and state.play is None:
        yield f"{at}.kind", Reason("this step needs a card, and none is being played")


def _lists(at: str, prompt: Prompt) -> Iterator[tuple[str, Reason]]:
    """What stands in the lists of some prompts."""
    left, lines = prompt.about.get("left"), [line.id for line in TABLES.reinforcement]
    if prompt.kind == "reinforce" and isinstance(left, dict):
        for line, count in left.items():
            if line not in lines or type(count) is not int or count < 1:
                yield f"{at}.about.left", Reason("each line of reinforcements in the list must still have CUs to place")
    if prompt.kind == "place_consul" and any(name not in LEADERS for name in prompt.about.get("consuls") or [""]):
        yield f"{at}.about.consuls", Reason("name one or more generals")
    declared = prompt.about.get("declared")
    if prompt.kind == "intercept" and isinstance(declared, list):
        for named in declared:
            if not isinstance(named, dict) or set(named) != {"space", "generals", "units", "elephants"}:
                yield f"{at}.about.declared", Reason("each entry must name a space, generals, units and elephants")


def _march(state: State) -> Iterator[tuple[str, Reason]]:
    march = state.march
    if march is None:
        return
    if state.play is None:
        yield "play", Reason("a general can march only after a card has been played")
    if not march.path or any(space not in CHART.spaces for space in march.path):
        yield "march.path", Reason("the path of a march must lead through spaces of the map")
        return
    if len(march.legs) != len(march.path) - 1:
        yield "march.legs", Reason("a path must have one leg fewer than it has spaces")
    if any(name not in LEADERS for name in march.generals):
        yield "march.companions", Reason("there is no such general")
        return
    if march.crossing is not None and march.crossing.to not in CHART.ports():
        yield "march.crossing.to", Reason("a voyage must lead to a port")
    if state.battle is not None:  # a battle changes general and CUs before it closes the march
        return
    if state.generals[march.general].space != march.at:
        yield "march.general", Reason("the march must be where the marching general is")
    if march.crossing is None and not state.spaces[march.at].all_of(march.side).holds(march.force):
        yield "march.units", Reason("more CUs are marching than are there")


def _battle(state: State) -> Iterator[tuple[str, Reason]]:
    battle = state.battle
    if battle is None:
        return
    if battle.space not in CHART.spaces:
        yield "battle.space", because("there is no space called %(space)s", space=repr(battle.space))
        return
    if state.play is None:
        yield "play", Reason("a battle can be fought only after a card has been played")
    parts: dict[str, Mapping[Any, object]] = {
        "generals": battle.generals,
        "commanders": battle.commanders,
        "start": battle.start,
        "hands": battle.hands,
        "shown": battle.shown,
        "fewer": battle.fewer,
        "no_allies": battle.no_allies,
        "lost": battle.lost,
    }
    for name, part in parts.items():
        if set(part) != set(SIDES):
            yield f"battle.{name}", Reason("give a value for rome and one for carthage")
    named = {name for names in battle.generals.values() for name in names} | {*battle.commanders.values()} - {None}
    if any(name not in LEADERS for name in named):
        yield "battle.generals", Reason("there is no such general")
