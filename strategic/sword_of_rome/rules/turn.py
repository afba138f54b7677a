"""5, 6 Rounds and turns, hands of cards, and the end of the game. What a phase does is done by hand."""

from __future__ import annotations

from msgspec.structs import replace

from strategic.sword_of_rome.commands import Discard, EndAction, EndGame, Resign, SetActive, TakeCard
from strategic.sword_of_rome.rules.moving_army import why_not_spend
from strategic.sword_of_rome.rules.survey import players
from strategic.sword_of_rome.state import Result, State
from strategic.sword_of_rome.tables import CARTHAGE, SEATS, TABLES, name_of
from tactical.kernel.corrections import without_wishes_of
from tactical.kernel.dice import Dice
from tactical.kernel.protocol import Event, Handled, Illegal, event


def end_action(state: State, command: EndAction, dice: Dice) -> Handled[State]:
    """5 The next player of the order acts; after the last one the round is over, after five rounds the turn."""
    seats = players(state)
    said = event("5", "action_ended", seat=state.active)
    order = state.order
    assert state.active is not None and seats
    after = order.index(state.active) + 1 if state.active in order else 0
    later = [seat for seat in order[after:] if seat in seats]
    if later:
        return replace(state, active=later[0], acted=False), (said,)
    state = replace(state, active=seats[0], acted=False, round=state.round + 1)
    if state.round <= TABLES.turn.rounds:
        return state, (said, event("5", "round", turn=state.turn, round=state.round))
    state, more = next_turn(state, dice)
    return state, (said, *more)


def next_turn(state: State, dice: Dice) -> Handled[State]:
    """5, 6.2 The turn is over. Attrition, surrender, isolation, scoring and reinforcements are done by hand."""
    ended = event("5", "turn_ended", turn=state.turn, by_hand=["5.5", "5.6", "5.7", "5.8", "5.9", "5.10"])
    if state.turn >= state.options.turns:
        result = Result(None, "The last turn is played; the players count their points by hand.")
        return replace(state, round=TABLES.turn.rounds, result=result, pending=()), (
            ended,
            event("4", "over", why=result.why, winner=None),
        )
    state = replace(state, turn=state.turn + 1, round=1)
    state, dealt = deal(state, dice) if state.options.cards == "dealt" else (state, ())
    return state, (ended, *dealt)


def hand_size(state: State, seat: str) -> int:
    """6.2.2 The cards to which a hand is filled; Carthage's by its ports in Sicily and its unrest."""
    table = state.tables.cards
    size = table.hand[seat]
    if seat == CARTHAGE:
        size += sum(state.controller(port) == CARTHAGE for port in table.for_each_port)
        size -= state.unrest // table.unrest_for_each
    return max(0, size)


def deal(state: State, dice: Dice) -> Handled[State]:
    """6.2 Every hand is filled with card values, each value as likely; the Gauls discard what they kept."""
    events: tuple[Event, ...] = ()
    for seat in players(state):
        kept = () if seat in TABLES.cards.discards_all else state.hands.get(seat, ())
        drawn = tuple(one_card(dice) for _ in range(hand_size(state, seat) - len(kept)))
        state = replace(state, hands={**state.hands, seat: tuple(sorted((*kept, *drawn)))})
        events += (
            event("6.2", "dealt", seat=seat, cards=len(drawn)),
            event("6.2", "hand", only=(seat,), seat=seat, values=list(state.hands[seat])),
        )
    return state, events


def one_card(dice: Dice) -> int:
    """6.2.2 A card's value, drawn in secret."""
    values = TABLES.cards.values
    return values[dice.draw(len(values))]


def why_not_take_card(state: State, command: TakeCard) -> Illegal | None:
    """6.2 Cards are entered by hand at any time but in mid-question; a hand holds no more than 15."""
    if state.pending:
        return Illegal("6.2", "Answer the open question first.")
    if len(state.hands.get(command.side, ())) >= 15:
        return Illegal("6.2", "The hand is full.")
    return None


def take_card(state: State, command: TakeCard, dice: Dice) -> Handled[State]:
    """6.2 By hand: a card of this value comes into the hand, seen by its owner only."""
    card = command.card if command.card is not None else one_card(dice)
    hand = tuple(sorted((*state.hands.get(command.side, ()), card)))
    state = replace(state, hands={**state.hands, command.side: hand})
    return state, (
        event("6.2", "card_taken", by_hand=True, seat=command.side),
        event("6.2", "hand", only=(command.side,), seat=command.side, values=list(hand)),
    )


def why_not_discard(state: State, command: Discard) -> Illegal | None:
    """7, 11.1.1 A card that is played for its text must be in the hand and bound to nothing else."""
    if state.asks("contest") is not None and command.side == CARTHAGE:
        return Illegal("9.6 (5p)", "Answer the army at sea first: contest or pass.")
    return why_not_spend(state, command.side, command.card, "7")


def discard(state: State, command: Discard, dice: Dice) -> Handled[State]:
    """7 By hand: a card is played for its text, or discarded; what it does is entered by hand too."""
    state = state.discarding(command.side, command.card)
    said = event("7", "discarded", by_hand=True, seat=command.side, card=command.card, why=command.why)
    return state, (said,)


def why_not_set_active(state: State, command: SetActive) -> Illegal | None:
    """5 Between two actions only; the order names every seat once."""
    if state.pending or state.move is not None:
        return Illegal("5", "An action is under way; finish it first.")
    if command.side in state.resigned:
        return Illegal("5", "The player of %(side)s has left the game.", side=name_of(command.side))
    if command.order and sorted(command.order) != sorted(SEATS):
        return Illegal("5", "Name each seat once: %(list)s.", list=tuple(SEATS))
    return None


def set_active(state: State, command: SetActive, dice: Dice) -> Handled[State]:
    """5 By hand: who acts now (first player, interrupting cards), and who follows whom."""
    order = command.order or state.order
    state = replace(state, active=command.side, acted=False, order=order)
    return state, (event("5", "set_active", by_hand=True, seat=command.side, order=list(order)),)


def end_game(state: State, command: EndGame, dice: Dice) -> Handled[State]:
    """4 By hand: the game is over."""
    state = replace(state, result=Result(command.winner, command.why), pending=(), engagement=None)
    return state, (event("4", "over", by_hand=True, winner=command.winner, why=command.why),)


def why_not_end_game(state: State, command: EndGame) -> Illegal | None:
    """4 A winner is one of the seats."""
    if command.winner is not None and command.winner not in SEATS:
        return Illegal("4", "There is no seat called %(runner)s.", runner=repr(command.winner))
    return None


def why_not_resign(state: State, command: Resign) -> Illegal | None:
    """4 A player leaves between two actions, once."""
    if command.side in state.resigned:
        return Illegal("4", "The player of %(side)s has already left the game.", side=name_of(command.side))
    if state.pending or state.move is not None:
        return Illegal("4", "An action is under way; finish it first.")
    return None


def resign(state: State, command: Resign, dice: Dice) -> Handled[State]:
    """4 A player leaves: his powers stand where they are and answer nothing. The last one left wins."""
    was_active = state.active == command.side
    said = event("4", "resign", seat=command.side)
    state = without_wishes_of(replace(state, resigned=(*state.resigned, command.side)), command.side)
    left = players(state)
    if len(left) <= 1:
        result = Result(left[0] if left else None, "All others have left the game.")
        return replace(state, result=result), (said, event("4", "over", winner=result.winner, why=result.why))
    if was_active:
        state, more = end_action(state, EndAction(), dice)
        return state, (said, *more)
    return state, (said,)
