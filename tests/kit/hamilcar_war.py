"""Positions of Hamilcar for tests, and a table at which commands are given with stated dice."""

from __future__ import annotations

from typing import Any

from msgspec.structs import replace

from strategic.hamilcar import HAMILCAR
from strategic.hamilcar.setup import all_scenarios, set_up
from strategic.hamilcar.state import General, Options, Ship, State
from strategic.hamilcar.tables import CARDS, HOUSE, TACTICS_DECK
from strategic.point_to_point.state import Place, Side, Troops
from tactical.kernel.dice import Dice
from tactical.kernel.options import choose_options
from tactical.kernel.protocol import Event, Offer
from tactical.kernel.record import encode, read


def secret(sides: int) -> int:
    """A source for shuffles that leaves the order as it is."""
    return 1


def war(**options: Any) -> State:
    """The first turn, before the deal, with the deck in printed order."""
    return set_up(all_scenarios()["first_punic_war"], *choose_options(options, Options, HOUSE), Dice(secret=secret))


def empty(**options: Any) -> State:
    """The map with its markers, but nobody on it and no ship in port."""
    state = war(**options)
    spaces = {name: replace(place, rome=Troops(), carthage=Troops()) for name, place in state.spaces.items()}
    generals = {
        name: General("pool") if general.status == "board" else general for name, general in state.generals.items()
    }
    return replace(state, spaces=spaces, generals=generals, ships={"rome": (), "carthage": ()}, phase="strategy")


def army(
    state: State,
    side: Side,
    space: str,
    units: int = 0,
    general: str | None = None,
    trains: int = 0,
    elephants: int = 0,
    inside: bool = False,
    rank: str = "general",
) -> State:
    """The same with an army in a space."""
    state = state.add(space, side, Troops(units, elephants, trains), inside)
    if general is not None:
        state = state.with_general(general, General("board", space, inside, rank))  # type: ignore[arg-type]
    return state


def ships(state: State, side: Side, ready: int, unready: int = 0) -> State:
    """The same with so many ships of a side in port."""
    for each in (*[True] * ready, *[False] * unready):
        state = state.built(side, each)
    return state


def control(state: State, side: Side | None, *spaces: str) -> State:
    """The same with a side's markers in spaces."""
    for space in spaces:
        state = state.with_place(space, replace(state.spaces[space], control=side))
    return state


def hold(state: State, side: Side, *cards: int) -> State:
    """The same with these cards in a hand, taken from wherever they are."""
    state = replace(
        state,
        deck=tuple(card for card in state.deck if card not in cards),
        hands={name: tuple(card for card in hand if card not in cards) for name, hand in state.hands.items()},
    )
    return replace(state, hands={**state.hands, side: (*state.hands[side], *cards)})


def no_storms(state: State) -> State:
    """The same with the cards that answer already on the discard pile, so that nobody is asked for them."""
    cards = tuple(number for number, card in CARDS.items() if card.answer)
    deck = tuple(card for card in state.deck if card not in cards)
    hands = {name: tuple(card for card in hand if card not in cards) for name, hand in state.hands.items()}
    gone = tuple(card for card in cards if card not in state.discard)
    return replace(state, deck=deck, discard=(*state.discard, *gone), hands=hands)


def drawn_for(wanted: tuple[str, ...], deck: tuple[str, ...] = TACTICS_DECK) -> tuple[int, ...]:
    """The hidden draws that shuffle the deck so that these cards come first; another for one that has run out."""
    rest, found = list(deck), []
    for card in wanted:
        there = card if card in rest else next(other for other in reversed(rest) if other not in wanted)
        found.append(rest.index(there))
        rest.pop(found[-1])
    return (*found, *([0] * len(rest)))


ONE, TWO, THREE, TWO_SHIPS = 206, 230, 242, 236  # plain cards of the substitute deck: points, and a 3 with two ships
FLEETING = 207  # a card for the other side, so that the turn goes on


def turn_of(state: State, side: Side, *cards: int, storms: bool = False) -> War:
    """It is the impulse of a side that holds these cards; nobody holds a card that answers unless `storms`."""
    other: Side = "carthage" if side == "rome" else "rome"
    state = hold(hold(state, side, *cards), other, FLEETING)
    state = replace(state, active=side, first=side, phase="strategy")
    return War(state if storms else no_storms(state))


class War:
    """A campaign at a table: `say` gives a command with its dice, and keeps what happened."""

    def __init__(self, state: State) -> None:
        outcome = HAMILCAR.start(None, read_plain(state), {}, Dice(secret=secret))
        self.state: State = outcome.state
        self.events: tuple[Event, ...] = outcome.events

    def say(self, seat: str, word: str, /, *faces: int, drawn: tuple[int, ...] = (), **fields: Any) -> State:
        """Give a command."""
        command = read({"type": word, **fields}, HAMILCAR.command)
        dice = Dice(faces, drawn=drawn, secret=secret)
        outcome = HAMILCAR.apply(self.state, seat, command, dice)
        self.state, self.events = outcome.state, outcome.events
        assert not HAMILCAR.invariants(self.state), HAMILCAR.invariants(self.state)
        return self.state

    def stands(self) -> None:
        """Whoever may avoid the battle does not; nobody is asked who can only stand."""
        kind, seat = self.asked()
        if kind == "avoid":
            self.say(seat, "stand")

    def rolls_for_prizes(self, *faces: int) -> None:
        """The winner of a naval battle rolls for the transports that are left, besides what has happened before."""
        before, (kind, seat) = self.events, self.asked()
        assert kind == "prize_roll"
        self.say(seat, "prize_roll", *faces)
        self.events = (*before, *self.events)

    def offers(self, seat: str, kind: str | None = None) -> list[Offer]:
        """What the seat may say, of one kind or any."""
        return [offer for offer in HAMILCAR.offers(self.state, seat) if kind in (None, offer.type)]

    def asked(self) -> tuple[str, str]:
        """The current question and its seat."""
        prompt = self.state.asks()
        assert prompt is not None
        return prompt.kind, prompt.seat

    def told(self, kind: str) -> list[dict[str, Any]]:
        """The data of the last events of a kind."""
        return [event.data for event in self.events if event.type == kind]


def read_plain(state: State) -> dict[str, Any]:
    """The state as a position typed in."""
    import json

    found: dict[str, Any] = json.loads(encode(state))
    return found


def ready_names(state: State, side: Side) -> tuple[str, ...]:
    """The ready ships of a side."""
    return tuple(ship.name for ship in state.ships[side] if ship.ready)


__all__ = ["Place", "Ship", "War", "army", "control", "drawn_for", "empty", "hold", "no_storms", "ships", "war"]
