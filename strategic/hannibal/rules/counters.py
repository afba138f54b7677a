"""Counter-events: what may be played at which moment of the enemy's play."""

from __future__ import annotations

from collections.abc import Callable

from msgspec.structs import replace

from strategic.hannibal.commands import Counter
from strategic.hannibal.rules.attrition import attrition
from strategic.hannibal.rules.hand import answers, break_truce, may_answer, spend
from strategic.hannibal.rules.sea import after_storm
from strategic.hannibal.rules.survey import province_of
from strategic.hannibal.state import Handled, March, State
from strategic.hannibal.tables import TABLES
from strategic.point_to_point.commands import Pass
from strategic.point_to_point.movement import lessen, put
from strategic.point_to_point.survey import enemy_outside, side_of_prompt
from tactical.kernel.dice import Dice
from tactical.kernel.protocol import Illegal, Offer, event

HOSTILE = ("gallia_transalpina", "liguria")
CARDS_AT: dict[str, tuple[int, ...]] = {"tribes": (7, 8), "storms": (60,), "weather": (41,), "fright": (42,)}


def moment_fits(state: State) -> bool:
    """strategy.event.2 Does the moment that the prompt names exist?"""
    moment = state.agenda[-1].about["moment"]
    march = state.march
    if moment == "fright":
        return state.battle is not None and state.battle.charge
    if march is None:
        return False
    if moment == "storms":
        return march.crossing is not None and march.crossing.force.size > 0
    if moment == "tribes":
        return not march.inside and march.force.size > 0 and province_of(march.at) in HOSTILE
    return set_back(march) < len(march.path) - 1 and _way_is_free(state, march)


def set_back(march: March) -> int:
    """strategy.event.2 Card 41: the place on the path where the weather leaves the general: the second space that he
    entered, or the port of a voyage that it undoes. The path counts from the start, 0.
    """
    seas = [index for index, leg in enumerate(march.legs) if leg == "sea"]
    return min([2, *seas])


def _way_is_free(state: State, march: March) -> bool:
    return not enemy_outside(state, march.side, march.path[set_back(march)]).size


def counter_open(state: State) -> bool:
    """strategy.event.2 Is the side asked?"""
    cards = CARDS_AT[state.agenda[-1].about["moment"]]
    return moment_fits(state) and may_answer(state, side_of_prompt(state), cards)


def counter(state: State, command: Counter, dice: Dice) -> Handled:
    """strategy.event.2 The card is played and the moment answered."""
    side, moment = side_of_prompt(state), state.agenda[-1].about["moment"]
    if command.card not in answers(state, side, CARDS_AT[moment]):
        raise Illegal("strategy.event.2", "card %(card)s cannot be played in response to this", card=command.card)
    state, events = spend(state.answered(), side, command.card, "counter")
    state, more = break_truce(state, command.card)
    acts: dict[str, Callable[[State, Dice], Handled]] = {
        "tribes": hostile_tribes,
        "storms": storms,
        "weather": bad_weather,
        "fright": fright,
    }
    state, last = acts[moment](state, dice)
    return state, (*events, *more, *last)


def pass_counter(state: State, command: Pass, dice: Dice) -> Handled:
    """strategy.event.2 The moment goes by."""
    return state.answered(), ()


def counter_over(state: State, dice: Dice) -> Handled:
    """strategy.event.2 Nobody can answer."""
    return state.answered(), ()


def hostile_tribes(state: State, dice: Dice) -> Handled:
    """tables.attrition.tribes Cards 7 and 8: the moving force rolls in the column 5-6."""
    march = state.marching()
    left, events = attrition(
        state,
        dice,
        "tables.attrition.tribes",
        march.force,
        0,
        TABLES.attrition.tribes_force,
        side=march.side,
        space=march.at,
    )
    return lessen(state, left), events


def storms(state: State, dice: Dice) -> Handled:
    """tables.attrition.modifiers Card 60: attrition at +2 before any naval roll (naval.1: Rome's voyages too)."""
    march = state.marching()
    assert march.crossing is not None
    left, events = attrition(
        state,
        dice,
        "tables.attrition.modifiers",
        march.crossing.force,
        TABLES.attrition.storms,
        side=march.side,
        to=march.crossing.to,
    )
    return after_storm(state, left), events


def bad_weather(state: State, dice: Dice) -> Handled:
    """strategy.event.2 Card 41: back to the second space entered, a leg by sea undone; the move is over."""
    march = state.marching()
    place = set_back(march)
    state = put(state, march, march.at, march.path[place])
    back = replace(
        march,
        path=march.path[: place + 1],
        legs=march.legs[:place],
        stopped=True,
        chased=False,
        intercepted=(),
        inside=False,
        weathered=True,
    )
    told = event("strategy.event.2", "bad_weather", general=march.general, start=march.at, to=back.at)
    return replace(state, march=back), (told,)


def fright(state: State, dice: Dice) -> Handled:
    """strategy.event.2 Card 42: the charge fails, and Carthage loses 2 battle cards."""
    battle = state.fighting()
    fewer = {**battle.fewer, "carthage": battle.fewer["carthage"] + TABLES.battle.fright}
    told = event("strategy.event.2", "elephant_fright", cards=TABLES.battle.fright)
    return replace(state, battle=replace(battle, charge=False, fright=True, fewer=fewer)), (told,)


def counter_offers(state: State) -> tuple[Offer, ...]:
    """strategy.event.2 The cards that answer, or nothing."""
    cards = answers(state, side_of_prompt(state), CARDS_AT[state.agenda[-1].about["moment"]])
    offers = (Offer("counter", "strategy.event.2", {"card": list(cards)}),) if cards else ()
    return (*offers, Offer("pass", "strategy.event.2"))
