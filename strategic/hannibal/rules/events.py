"""Cards played as events: which may be played, and what each does. Choices are prompts of the kind `choose`."""

from __future__ import annotations

from msgspec.structs import replace

from strategic.hannibal.commands import Choose, PlayEvent
from strategic.hannibal.rules.event_kinds import CHOICES, EVENTS
from strategic.hannibal.rules.hand import break_truce, playable_numbers, spend
from strategic.hannibal.rules.operations import begin, why_not_card
from strategic.hannibal.state import Play, State
from strategic.hannibal.tables import CARDS
from strategic.point_to_point.commands import Done
from strategic.point_to_point.survey import side_of_prompt
from strategic.point_to_point.tables import Side
from tactical.kernel.dice import Dice
from tactical.kernel.protocol import Event, Illegal, Offer, event, refuse


def why_not_event(state: State, side: Side, number: int) -> Illegal | None:
    """strategy.3a A card of the own colour, whose event can do something now."""
    if (wrong := why_not_card(state, side, number)) is not None:
        return wrong
    card = CARDS[number]
    if not card.may_be_event_of(side):
        return Illegal("strategy.3a", "card %(card)s is not an event of %(side)s", card=number, side=side)
    if card.answer_only:
        return Illegal(
            "strategy.event.2", "card %(number)s can be played only as a response, or for operations", number=number
        )
    if card.use or card.campaign:
        return Illegal("strategy.3", "card %(number)s can be played only to activate generals", number=number)
    why_not = EVENTS[card.event].why_not(state, side, card)
    if why_not:
        return Illegal("strategy.3", why_not)
    return None


def play_event(state: State, command: PlayEvent, dice: Dice) -> tuple[State, tuple[Event, ...]]:
    """strategy.3 The event happens; if it breaks the truce, the truce is over."""
    side = side_of_prompt(state)
    refuse(why_not_event(state, side, command.card))
    card = CARDS[command.card]
    out = card.removed == "after_event" or (
        card.removed == "after_the_second_event_play" and state.lasting.macedon != "none"
    )
    state, events = spend(state, side, command.card, "event", out=out)
    state = begin(state, Play(command.card, side, 0))
    state, more = break_truce(state, command.card)
    state, last = EVENTS[card.event].play(state, side, card, dice)
    told = event("strategy.3", "event", side=side, card=command.card, event=card.event)
    return state, (*events, told, *more, *last)


def event_offers(state: State) -> tuple[Offer, ...]:
    """strategy.3 The cards of the hand that may be played as events now."""
    side = side_of_prompt(state)
    cards = [card for card in playable_numbers(state, side) if why_not_event(state, side, card) is None]
    return (Offer("event", "strategy.3", {"card": cards}),) if cards else ()


def choices(state: State) -> tuple[str, ...]:
    """strategy.3 What the event's question may be answered with."""
    prompt = state.agenda[-1]
    return CHOICES[prompt.about["for"]].options(state, side_of_prompt(state), CARDS[prompt.about["card"]])


def choose_open(state: State) -> bool:
    """strategy.3 Is something left to choose?"""
    return state.agenda[-1].about["left"] > 0 and bool(choices(state))


def choose(state: State, command: Choose, dice: Dice) -> tuple[State, tuple[Event, ...]]:
    """strategy.3 One answer."""
    if command.choice not in choices(state):
        raise Illegal("strategy.3", "this event does not offer the choice %(choice)s", choice=command.choice)
    prompt, side = state.agenda[-1], side_of_prompt(state)
    left: int = prompt.about["left"]
    state = state.asking(left=left - 1) if left > 1 else state.answered()
    card = CARDS[prompt.about["card"]]
    return CHOICES[prompt.about["for"]].act(state, side, card, command.choice, dice)


def choose_done(state: State, command: Done, dice: Dice) -> tuple[State, tuple[Event, ...]]:
    """strategy.3 Some events do up to so much."""
    if not state.agenda[-1].about.get("optional"):
        raise Illegal("strategy.3", "this event must be carried out")
    return state.answered(), ()


def choose_over(state: State, dice: Dice) -> tuple[State, tuple[Event, ...]]:
    """strategy.3 Nothing (more) to choose."""
    return state.answered(), ()


def choose_offers(state: State) -> tuple[Offer, ...]:
    """strategy.3 The choices."""
    offers = (Offer("choose", "strategy.3", {"choice": list(choices(state))}),)
    return (*offers, Offer("done", "strategy.3")) if state.agenda[-1].about.get("optional") else offers


def end_play(state: State, dice: Dice) -> tuple[State, tuple[Event, ...]]:
    """strategy.4 The card has been played; the other side is next."""
    return replace(state.answered(), play=None, march=None, battle=None), ()
