"""Cards: the deal, the hand, what a card is played for, and the answers to one."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from itertools import product
from typing import Literal

from msgspec.structs import replace

from strategic.hannibal.commands import Activate, Counter, PlacePcs
from strategic.hannibal.rules.attrition import attrition
from strategic.hannibal.rules.sea import after_storm
from strategic.hannibal.rules.survey import province_of, region_of, side_of
from strategic.hannibal.state import NO_CARD, Handled, March, Play, State
from strategic.hannibal.tables import CARDS, CHART, LEADERS, TABLES, ground
from strategic.point_to_point.commands import (
    Campaign,
    CampaignMove,
    Discard,
    Done,
    FirstPlayer,
    OpenCampaign,
    Pass,
    Put,
    RaiseUnit,
)
from strategic.point_to_point.movement import is_spent, lessen, remaining_points
from strategic.point_to_point.movement import put as put_down
from strategic.point_to_point.rulebook import always, box
from strategic.point_to_point.state import SIDES, Side, Troops, enemy
from strategic.point_to_point.state import March as MarchUnderWay
from strategic.point_to_point.survey import (
    controls,
    enemy_outside,
    enemy_units,
    holding,
    may_muster,
    muster,
    on_board,
    side_of_prompt,
)
from tactical.kernel.dice import Dice
from tactical.kernel.protocol import Event, Illegal, Offer, Prompt, event, offer, refuse

# -- Cards leaving a hand, and the moments at which a side may answer with one.

TRUCE = 64


def ops_of(state: State, card: int) -> int:
    """strategy.ops.2 The operations number of a card (card 32: option card_32_ops)."""
    return state.options.card_32_ops if card == 32 else CARDS[card].ops


def why_not_held(state: State, side: Side, card: int) -> Illegal | None:
    """strategy.4 A side plays cards of its own hand."""
    if card not in CARDS:
        return Illegal("strategy.3", "there is no card %(card)s", card=card)
    if not state.holds(side, card):
        return Illegal("strategy.4", "card %(number)s is not in this hand", number=card)
    return None


def playable_numbers(state: State, side: Side) -> tuple[int, ...]:
    """strategy.4 The cards that a side may play: its hand, or every card not yet seen when hands are not tracked."""
    if NO_CARD in state.hands[side]:
        return tuple(card for card in CARDS if state.holds(side, card))
    return tuple(sorted(set(state.hands[side])))


def spend(state: State, side: Side, card: int, how: str, out: bool = False) -> Handled:
    """strategy.4 The card leaves the hand, face up; `out` takes it out of the game. deal.2: Truce marks a reshuffle."""
    state = state.without_card(side, card)
    state = replace(state, removed=(*state.removed, card)) if out else state.discarded(card)
    if card == TRUCE:
        state = state.now(reshuffle=True)
    return state, (event("strategy.4", "card_played", side=side, card=card, how=how, reveals=True),)


def break_truce(state: State, card: int) -> Handled:
    """strategy.event.1 Card 64: an event that breaks the truce ends it."""
    if state.lasting.truce and CARDS[card].breaks_truce:
        return state.now(truce=False), (event("strategy.event.1", "truce_broken", card=card),)
    return state, ()


def may_answer(state: State, side: Side, cards: Iterable[int]) -> bool:
    """strategy.event.2 Is this side asked for one of these counter-events?

    With counter_prompts "always" everyone is asked whose hand may hold one as far as the table can know, so that
    the question tells the enemy nothing; with "held" only who holds one.
    """
    own = [card for card in cards if CARDS[card].may_be_event_of(side)]
    if state.options.counter_prompts == "held":
        return any(state.holds(side, card) for card in own)
    seen = {*state.discard, *state.removed}
    return bool(state.hands[side]) and any(card not in seen for card in own)


def answers(state: State, side: Side, cards: Iterable[int]) -> tuple[int, ...]:
    """strategy.event.2 The counter-events among these that the side can play."""
    return tuple(card for card in cards if CARDS[card].may_be_event_of(side) and state.holds(side, card))


# -- strategy.event.1 The truce (card 64): what it forbids.


def why_not_entry(state: State, march: MarchUnderWay, to: str) -> Illegal | None:
    """strategy.event.1 Spaces with an enemy PC or CU are closed."""
    side = march.side
    if state.lasting.truce and (enemy_units(state, side, to) or holding(state, enemy(side), to)):
        return Illegal("strategy.event.1", "the truce (card 64) closes spaces with an enemy PC or CU")
    return None


def why_not_interception(state: State) -> Illegal | None:
    """strategy.event.1 Nobody intercepts."""
    if state.lasting.truce:
        return Illegal("strategy.event.1", "nobody may intercept during the truce (card 64)")
    return None


def why_not_siege(state: State, space: str) -> Illegal | None:
    """strategy.event.1 No siege is rolled for."""
    if state.lasting.truce:
        return Illegal("strategy.event.1", "there are no siege rolls during the truce (card 64)")
    return None


def why_not_sortie(state: State) -> Illegal | None:
    """strategy.event.1 Nobody comes out of a city to fight."""
    if state.lasting.truce:
        return Illegal("strategy.event.1", "the truce (card 64) forbids this")
    return None


# -- Playing a card: activate a general, place PCs, raise a unit, or discard it.


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


def activate(state: State, command: Activate, dice: Dice) -> Handled:
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


def campaign(state: State, command: Campaign, dice: Dice) -> Handled:
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


def campaign_move(state: State, command: CampaignMove, dice: Dice) -> Handled:
    """strategy.3 The next general moves; Nero has 6 points."""
    side = side_of_prompt(state)
    refuse(why_not_campaign_move(state, side, command.general))
    left: int = state.agenda[-1].about["left"]
    state = state.asking(left=left - 1)
    points = LEADERS[command.general].campaign_points or TABLES.movement.points
    state = start_march(state, command.general, points)
    return state, (event("strategy.ops.1", "activated", general=command.general, points=points, use="campaign"),)


def why_not_discard(state: State, side: Side, card: int) -> Illegal | None:
    """strategy.4 Any card of the hand, but not in place of the campaign that Rome opened with."""
    if (wrong := why_not_card(state, side, card)) is not None:
        return wrong
    if state.opening is not None and side == "rome":
        return Illegal("strategy.1", "Rome opened with a campaign card and must play it")
    return None


def discard(state: State, command: Discard, dice: Dice) -> Handled:
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


def place_pcs(state: State, command: PlacePcs, dice: Dice) -> Handled:
    """strategy.ops.2 As many PCs as the card's number."""
    side = side_of_prompt(state)
    refuse(why_not_card(state, side, command.card))
    ops = ops_of(state, command.card)
    state, events = spend(state, side, command.card, "pcs")
    state = begin(state, Play(command.card, side, ops))
    return state.then(Prompt("put", side, "strategy.ops.2", {"left": ops})), events


def put(state: State, command: Put, dice: Dice) -> Handled:
    """strategy.ops.2 One PC placed, or an enemy one flipped."""
    side = side_of_prompt(state)
    refuse(why_not_put(state, side, command.space))
    place = state.spaces[command.space]
    left: int = state.agenda[-1].about["left"]
    state = state.asking(left=left - 1).with_place(command.space, replace(place, control=side))
    rule = "strategy.ops.2b" if place.control else "strategy.ops.2"
    return state, (event(rule, "pc_placed", side=side, space=command.space, flipped=place.control is not None),)


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


def raise_unit(state: State, command: RaiseUnit, dice: Dice) -> Handled:
    """strategy.ops.3 One CU joins a general."""
    side = side_of_prompt(state)
    refuse(why_not_raise(state, side, command.card, command.general))
    space = state.generals[command.general].space or ""
    state, events = spend(state, side, command.card, "raise")
    state = begin(state, Play(command.card, side, ops_of(state, command.card)))
    state = muster(state, side, space, Troops(1))
    return state, (*events, event("strategy.ops.3", "unit_raised", side=side, general=command.general, space=space))


# offers


def card_choices(state: State) -> Iterator[Offer]:
    """strategy.3 What each card of the hand may be played for, events apart."""
    side = side_of_prompt(state)
    cards = [card for card in playable_numbers(state, side) if why_not_card(state, side, card) is None]
    generals = on_board(state, side)
    uses: tuple[Literal["ops", "event"], ...] = ("ops", "event")
    for general, use in product(generals, uses):
        fit = [card for card in cards if why_not_activate(state, side, Activate(card, general, use)) is None]
        yield from offer("activate", "strategy.ops.1", card=fit, general=general, use=use)
    if generals:
        yield from offer("campaign", "strategy.3", card=[card for card in cards if CARDS[card].campaign])
    if any(True for _ in puttable(state, side)):
        yield from offer("place_pcs", "strategy.ops.2", card=cards)
    for general in generals:
        threes = [card for card in cards if why_not_raise(state, side, card, general) is None]
        yield from offer("raise_unit", "strategy.ops.3", card=threes, general=general)
    spare = [card for card in cards if why_not_discard(state, side, card) is None]
    yield from offer("discard", "strategy.4", card=spare)


def campaign_choices(state: State) -> Iterator[Offer]:
    """strategy.3 The generals who may still move on this campaign, or no more."""
    side = side_of_prompt(state)
    movers = [name for name in on_board(state, side) if why_not_campaign_move(state, side, name) is None]
    if state.agenda[-1].about["left"] > 0 and movers:
        yield from offer("campaign_move", "strategy.3", general=movers)
        yield Offer("done", "strategy.3")


def puttable(state: State, side: Side) -> Iterator[str]:
    """strategy.ops.2 Every space where a PC may be placed or flipped."""
    return (space for space in CHART.spaces if why_not_put(state, side, space) is None)


def put_choices(state: State) -> Iterator[Offer]:
    """strategy.ops.2 The spaces, or no more, while PCs are left."""
    spaces = list(puttable(state, side_of_prompt(state)))
    if state.agenda[-1].about["left"] > 0 and spaces:
        yield from offer("put", "strategy.ops.2", space=spaces)
        yield Offer("done", "strategy.ops.2")


# -- Counter-events: what may be played at which moment of the enemy's play.

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
    place = set_back(march)
    return place < len(march.path) - 1 and not enemy_outside(state, march.side, march.path[place]).size


def set_back(march: March) -> int:
    """strategy.event.2 Card 41: the place on the path where the weather leaves the general: the second space that he
    entered, or the port of a voyage that it undoes. The path counts from the start, 0.
    """
    seas = [index for index, leg in enumerate(march.legs) if leg == "sea"]
    return min([2, *seas])


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
    state = put_down(state, march, march.at, march.path[place])
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


def counter_choices(state: State) -> Iterator[Offer]:
    """strategy.event.2 The cards that answer, or nothing, where the moment exists and the side is asked."""
    side, cards = side_of_prompt(state), CARDS_AT[state.agenda[-1].about["moment"]]
    if moment_fits(state) and may_answer(state, side, cards):
        yield from offer("counter", "strategy.event.2", card=answers(state, side, cards))
        yield Offer("pass", "strategy.event.2")


# -- The deal, who goes first, and whose card is next.


def reshuffle(state: State, dice: Dice) -> Handled:
    """deal.2 The discards go back into the deck; cards 57 and 58 end with it."""
    deck = () if state.options.cards_on_table else dice.shuffled((*state.deck, *state.discard))
    state = replace(state.now(reshuffle=False, hanno_counsels=False, cato_counsels=False), deck=deck, discard=())
    return state, (event("deal.2", "reshuffled", cards=len(deck)),)


def unseen(state: State) -> int:
    """deal.2 How many cards are left to deal."""
    if state.options.cards_on_table:
        return len(CARDS) - len(state.discard) - len(state.removed)
    return len(state.deck)


def deal(state: State, dice: Dice) -> Handled:
    """deal.1 Each side gets its cards. deal.2: reshuffle first when they do not suffice, or after Truce."""
    each = state.tables.turns.cards[min(state.turn, TABLES.turns.last) - 1]
    events: tuple[Event, ...] = ()
    if unseen(state) < 2 * each or state.lasting.reshuffle:
        state, events = reshuffle(state, dice)
    if state.options.cards_on_table:
        state = replace(state, hands={side: (NO_CARD,) * each for side in SIDES})
    else:
        state = replace(
            state,
            hands={"rome": state.deck[0 : 2 * each : 2], "carthage": state.deck[1 : 2 * each : 2]},
            deck=state.deck[2 * each :],
        )
        for side in SIDES:
            events += (event("deal.1", "hand", only=(side,), reveals=True, side=side, cards=list(state.hands[side])),)
    events += (event("deal.1", "dealt", turn=state.turn, cards=each, reveals=True),)
    return replace(state, phase="first").then(Prompt("open", "rome", "strategy.1")), events


def why_not_opening(state: State, card: int) -> Illegal | None:
    """strategy.1 Only a campaign card lets Rome go first."""
    if (wrong := why_not_held(state, "rome", card)) is not None:
        return wrong
    if not CARDS[card].campaign:
        return Illegal("strategy.1", "card %(card)s is not a campaign card", card=card)
    return None


def open_(state: State, command: OpenCampaign, dice: Dice) -> Handled:
    """strategy.1 Rome goes first with a campaign card, which must then be its first play."""
    refuse(why_not_opening(state, command.card))
    state = replace(state.answered(), first="rome", opening=command.card)
    return state, (event("strategy.1", "rome_opened", card=command.card, reveals=True),)


def leave_it(state: State, command: Pass, dice: Dice) -> Handled:
    """strategy.2 Rome does not open: Carthage decides."""
    state = state.answered().then(Prompt("who_first", "carthage", "strategy.2"))
    return state, (event("strategy.2", "carthage_decided"),)


def first_player(state: State, command: FirstPlayer, dice: Dice) -> Handled:
    """strategy.2 Carthage names the side that plays first."""
    state = replace(state.answered(), first=command.side)
    return state, (event("strategy.2", "first_player", side=command.side),)


def first_over(state: State, dice: Dice) -> Handled:
    """sequence.3 The strategy phase begins."""
    return replace(state, phase="strategy", active=None), ()


def next_card(state: State, dice: Dice) -> Handled:
    """strategy.4 The sides alternate; who has no card left is passed over; with no cards left winter comes."""
    if not any(state.hands[side] for side in SIDES):
        return replace(state, phase="winter", active=None, opening=None), ()
    wanted = enemy(state.active) if state.active else (state.first or "carthage")
    side = wanted if state.hands[wanted] else enemy(wanted)
    return replace(state, active=side).then(Prompt("card", side, "strategy.4")), ()


def open_choices(state: State) -> Iterator[Offer]:
    """strategy.1 Rome's campaign cards, or leaving it to Carthage."""
    campaigns = [card for card in playable_numbers(state, "rome") if CARDS[card].campaign]
    yield from offer("open", "strategy.1", card=campaigns)
    yield Offer("pass", "strategy.2")


def first_choices(state: State) -> tuple[Offer, ...]:
    """strategy.2 Either side."""
    return offer("first_player", "strategy.2", side=SIDES)


# -- The boxes of the cards: each question with its answers.

FIRST = (
    box("open", "strategy.1", {OpenCampaign: open_, Pass: leave_it}, open_choices, always),
    box("who_first", "strategy.2", {FirstPlayer: first_player}, first_choices, always),
)
PLAYED = (
    box("put", "strategy.ops.2", {Put: put, Done: None}, put_choices),
    box("campaign", "strategy.3", {CampaignMove: campaign_move, Done: None}, campaign_choices),
)
COUNTER = box("counter", "strategy.event.2", {Counter: counter, Pass: None}, counter_choices)
