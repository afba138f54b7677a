"""Playing a card: activate a general, place PCs, raise a unit, or discard it."""

from __future__ import annotations

from typing import Literal

from msgspec.structs import replace

from strategic.hannibal.commands import Activate, PlacePcs
from strategic.hannibal.rules.hand import ops_of, playable_numbers, spend, why_not_held
from strategic.hannibal.rules.survey import (
    province_of,
    region_of,
    side_of,
)
from strategic.hannibal.state import March, Play, State
from strategic.hannibal.tables import (
    CARDS,
    CHART,
    LEADERS,
    TABLES,
    ground,
)
from strategic.point_to_point.commands import Campaign, CampaignMove, Discard, Done, Put, RaiseUnit
from strategic.point_to_point.fatigue import is_spent, remaining_points
from strategic.point_to_point.pieces import Troops
from strategic.point_to_point.survey import (
    controls,
    enemy_units,
    holding,
    may_muster,
    muster,
    on_board,
    side_of_prompt,
)
from strategic.point_to_point.tables import Side, enemy
from tactical.kernel.dice import Dice
from tactical.kernel.protocol import Event, Illegal, Offer, Prompt, event, refuse


def why_not_card(state: State, side: Side, card: int) -> Illegal | None:
    """strategy.1 The card is in hand; if Rome opened, its first card is the campaign that it named."""
    if (wrong := why_not_held(state, side, card)) is not None:
        return wrong
    if side == "rome" and state.opening is not None and card != state.opening:
        return Illegal(
            "strategy.1",
            "Rome opened with card %(opening)s in order to go first, and must play it now",
            opening=state.opening,
        )
    return None


def begin(state: State, play: Play) -> State:
    """strategy.ops The card is being played; when all of it is done the play ends."""
    state = replace(state.answered(), play=play, opening=None)
    return state.then(Prompt("end_play", "", "strategy.4"))


def strategy_rating(state: State, general: str) -> int:
    """strategy.ops.1 The printed rating; Publius Scipio's is lower in Hispania."""
    leader, space = state.leaders[general], state.generals[general].space
    there = leader.strategy_in.get(region_of(space)) if space else None
    return there if there is not None else leader.strategy


def why_not_general(state: State, side: Side, general: str) -> Illegal | None:
    """strategy.ops.1 The general is this side's and on the board."""
    record = state.generals.get(general)
    if record is None or record.status != "board" or side_of(general) != side:
        return Illegal(
            "strategy.ops.1", "%(general)s is not a general of %(side)s on the board", general=general, side=side
        )
    return None


def why_not_activate(state: State, side: Side, command: Activate) -> Illegal | None:
    """strategy.ops.1 Rating no higher than the card's number; cards used as events have conditions of their own."""
    wrong = why_not_card(state, side, command.card) or why_not_general(state, side, command.general)
    if wrong is not None:
        return wrong
    card, rating = CARDS[command.card], strategy_rating(state, command.general)
    if rating > ops_of(state, command.card):
        return Illegal(
            "strategy.ops.1",
            "%(leader)s needs a card of at least %(needed)s %(needed|point|points)s",
            leader=command.general,
            needed=rating,
        )
    if command.use == "ops":
        return None
    if not card.use:
        return Illegal("strategy.3", "the event of card %(card)s moves nobody", card=command.card)
    if not card.may_be_event_of(side):
        return Illegal("strategy.3a", "card %(card)s is not an event of %(side)s", card=command.card, side=side)
    if rating > card.most_strategy:
        return Illegal(
            "strategy.3",
            "this event is for a general with strategy rating %(most_strategy)s or less",
            most_strategy=card.most_strategy,
        )
    if card.general and command.general != card.general:
        return Illegal("strategy.3", "this event is for %(general)s only", general=card.general)
    return None


def activate(state: State, command: Activate, dice: Dice) -> tuple[State, tuple[Event, ...]]:
    """strategy.ops.1 A general moves."""
    side = side_of_prompt(state)
    refuse(why_not_activate(state, side, command))
    card = CARDS[command.card]
    use = card.use if command.use == "event" else ""
    state, events = spend(state, side, command.card, command.use)
    state = begin(state, Play(command.card, side, ops_of(state, command.card), use))
    points = card.points if use else TABLES.movement.points
    state = start_march(state, command.general, points)
    return state, (*events, event("strategy.ops.1", "activated", general=command.general, points=points, use=use))


def start_march(state: State, general: str, points: int) -> State:
    """movement.land.1 The general stands ready to move, with the points that earlier moves on this card leave him."""
    record = state.generals[general]
    assert record.space is not None
    side = side_of(general)
    march = March(side, general, remaining_points(state, general, points), (record.space,), inside=record.inside)
    play = state.playing()
    state = replace(state, march=march, play=replace(play, moved=(*play.moved, general)))
    return state.then(Prompt("march", side, "movement.land.1"))


def why_not_campaign(state: State, side: Side, card: int) -> Illegal | None:
    """strategy.3 A campaign card of the hand."""
    if (wrong := why_not_card(state, side, card)) is not None:
        return wrong
    if not CARDS[card].campaign:
        return Illegal("strategy.3", "card %(card)s is not a campaign card", card=card)
    return None


def campaign(state: State, command: Campaign, dice: Dice) -> tuple[State, tuple[Event, ...]]:
    """strategy.3 Two generals (Minor) or three (Major) of any rating."""
    side = side_of_prompt(state)
    refuse(why_not_campaign(state, side, command.card))
    state, events = spend(state, side, command.card, "campaign")
    state = begin(state, Play(command.card, side, ops_of(state, command.card), campaign=True))
    prompt = Prompt("campaign", side, "strategy.3", {"left": CARDS[command.card].campaign})
    return state.then(prompt), events


def why_not_campaign_move(state: State, side: Side, general: str) -> Illegal | None:
    """strategy.3 Each general moves once on a campaign card."""
    if (wrong := why_not_general(state, side, general)) is not None:
        return wrong
    if general in state.playing().moved:
        return Illegal("strategy.3", "%(general)s has already moved during this card", general=general)
    if is_spent(state, general):
        return Illegal("movement.command.5", "%(general)s cannot move again during this card", general=general)
    return None


def campaign_move(state: State, command: CampaignMove, dice: Dice) -> tuple[State, tuple[Event, ...]]:
    """strategy.3 The next general moves; Nero has 6 points."""
    side = side_of_prompt(state)
    refuse(why_not_campaign_move(state, side, command.general))
    left: int = state.agenda[-1].about["left"]
    state = state.asking(left=left - 1)
    points = LEADERS[command.general].campaign_points or TABLES.movement.points
    state = start_march(state, command.general, points)
    return state, (event("strategy.ops.1", "activated", general=command.general, points=points, use="campaign"),)


def movers(state: State) -> tuple[str, ...]:
    """strategy.3 The generals who may still move on this campaign."""
    side = side_of_prompt(state)
    return tuple(name for name in on_board(state, side) if why_not_campaign_move(state, side, name) is None)


def campaign_open(state: State) -> bool:
    """strategy.3 Are moves and generals left?"""
    return state.agenda[-1].about["left"] > 0 and bool(movers(state))


def end_campaign(state: State, command: Done, dice: Dice) -> tuple[State, tuple[Event, ...]]:
    """strategy.3 No further general moves."""
    return state.answered(), ()


def why_not_discard(state: State, side: Side, card: int) -> Illegal | None:
    """strategy.4 Any card of the hand, but not in place of the campaign that Rome opened with."""
    if (wrong := why_not_card(state, side, card)) is not None:
        return wrong
    if state.opening is not None and side == "rome":
        return Illegal("strategy.1", "Rome opened with a campaign card and must play it")
    return None


def discard(state: State, command: Discard, dice: Dice) -> tuple[State, tuple[Event, ...]]:
    """strategy.4 The card goes face up to the discards, unused."""
    side = side_of_prompt(state)
    refuse(why_not_discard(state, side, command.card))
    state, events = spend(state, side, command.card, "discarded")
    return begin(state, Play(command.card, side, 0)), events


# PCs


def why_not_put(state: State, side: Side, space: str) -> Illegal | None:
    """strategy.ops.2a Not on tribes, enemy PCs or CUs. strategy.ops.2b: a CU there lets an enemy PC be flipped."""
    if space not in CHART.spaces:
        return Illegal("strategy.ops.2", "there is no space called %(space)s", space=space)
    place = state.spaces[space]
    if place.tribe:
        return Illegal(
            "strategy.ops.2a", "%(space)s is held by a tribe, which must first be subjugated (tribes.1)", space=space
        )
    if place.control == side:
        return Illegal("strategy.ops.2", "%(space)s already has a PC of %(side)s", space=space, side=side)
    if place.control == enemy(side) and ground(space).city:
        return Illegal(
            "cities.1", "%(space)s is a walled city: it falls only to a siege (strategy.ops.2b)", space=space
        )
    if place.control == enemy(side) and not place.outside(side).size:
        return Illegal(
            "strategy.ops.2b",
            "an enemy PC can be flipped only where a friendly CU stands, and %(space)s has none",
            space=space,
        )
    if enemy_units(state, side, space):
        return Illegal("strategy.ops.2a", "enemy CUs stand in %(space)s", space=space)
    return None


def puttable(state: State, side: Side) -> tuple[str, ...]:
    """strategy.ops.2 Every space where a PC may be placed or flipped."""
    return tuple(space for space in CHART.spaces if why_not_put(state, side, space) is None)


def place_pcs(state: State, command: PlacePcs, dice: Dice) -> tuple[State, tuple[Event, ...]]:
    """strategy.ops.2 As many PCs as the card's number."""
    side = side_of_prompt(state)
    refuse(why_not_card(state, side, command.card))
    ops = ops_of(state, command.card)
    state, events = spend(state, side, command.card, "pcs")
    state = begin(state, Play(command.card, side, ops))
    return state.then(Prompt("put", side, "strategy.ops.2", {"left": ops})), events


def put(state: State, command: Put, dice: Dice) -> tuple[State, tuple[Event, ...]]:
    """strategy.ops.2 One PC placed, or an enemy one flipped."""
    side = side_of_prompt(state)
    refuse(why_not_put(state, side, command.space))
    place = state.spaces[command.space]
    left: int = state.agenda[-1].about["left"]
    state = state.asking(left=left - 1).with_place(command.space, replace(place, control=side))
    rule = "strategy.ops.2b" if place.control else "strategy.ops.2"
    return state, (event(rule, "pc_placed", side=side, space=command.space, flipped=place.control is not None),)


def put_open(state: State) -> bool:
    """strategy.ops.2 Are PCs and spaces left?"""
    return state.agenda[-1].about["left"] > 0 and bool(puttable(state, side_of_prompt(state)))


def end_put(state: State, command: Done, dice: Dice) -> tuple[State, tuple[Event, ...]]:
    """strategy.ops.2 No further PC."""
    return state.answered(), ()


# a unit


def why_not_raise(state: State, side: Side, card: int, general: str) -> Illegal | None:
    """strategy.ops.3a A 3 card; the general in an own space of an own province, not besieged (strategy.ops.3b)."""
    if (wrong := why_not_card(state, side, card)) is not None:
        return wrong
    if ops_of(state, card) < 3:
        return Illegal("strategy.ops.3a", "raising a unit needs a card of 3 points")
    if (wrong := why_not_general(state, side, general)) is not None:
        return wrong
    space = state.generals[general].space or ""
    if not holding(state, side, space) or not controls(state, side, province_of(space)):
        return Illegal(
            "strategy.ops.3", "%(general)s must be in a friendly space of a friendly province", general=general
        )
    if not may_muster(state, side, space):
        return Illegal("strategy.ops.3b", "%(space)s is besieged or full", space=space)
    return None


def raise_unit(state: State, command: RaiseUnit, dice: Dice) -> tuple[State, tuple[Event, ...]]:
    """strategy.ops.3 One CU joins a general."""
    side = side_of_prompt(state)
    refuse(why_not_raise(state, side, command.card, command.general))
    space = state.generals[command.general].space or ""
    state, events = spend(state, side, command.card, "raise")
    state = begin(state, Play(command.card, side, ops_of(state, command.card)))
    state = muster(state, side, space, Troops(1))
    return state, (*events, event("strategy.ops.3", "unit_raised", side=side, general=command.general, space=space))


# offers


def card_offers(state: State) -> tuple[Offer, ...]:
    """strategy.3 What each card of the hand may be played for, events apart."""
    side = side_of_prompt(state)
    cards = [card for card in playable_numbers(state, side) if why_not_card(state, side, card) is None]
    generals = [g for g, record in state.generals.items() if record.status == "board" and side_of(g) == side]
    offers: list[Offer] = []
    for general in generals:
        uses: tuple[Literal["ops", "event"], ...] = ("ops", "event")
        for use in uses:
            fit = [card for card in cards if why_not_activate(state, side, Activate(card, general, use)) is None]
            if fit:
                fields = {"card": fit, "general": general, "use": use}
                offers.append(Offer("activate", "strategy.ops.1", fields))
    campaigns = [card for card in cards if CARDS[card].campaign]
    if campaigns and generals:
        offers.append(Offer("campaign", "strategy.3", {"card": campaigns}))
    if cards and puttable(state, side):
        offers.append(Offer("place_pcs", "strategy.ops.2", {"card": cards}))
    for general in generals:
        threes = [card for card in cards if why_not_raise(state, side, card, general) is None]
        if threes:
            offers.append(Offer("raise_unit", "strategy.ops.3", {"card": threes, "general": general}))
    spare = [card for card in cards if why_not_discard(state, side, card) is None]
    return (*offers, Offer("discard", "strategy.4", {"card": spare})) if spare else tuple(offers)


def campaign_offers(state: State) -> tuple[Offer, ...]:
    """strategy.3 The generals left, or no more."""
    return (
        Offer("campaign_move", "strategy.3", {"general": list(movers(state))}),
        Offer("done", "strategy.3"),
    )


def put_offers(state: State) -> tuple[Offer, ...]:
    """strategy.ops.2 The spaces, or no more."""
    return (
        Offer("put", "strategy.ops.2", {"space": list(puttable(state, side_of_prompt(state)))}),
        Offer("done", "strategy.ops.2"),
    )
