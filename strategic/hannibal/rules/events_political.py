"""Events that move PCs, alliances, cards and offices."""

from __future__ import annotations

from msgspec.structs import replace

from strategic.hannibal.rules.consuls import romans
from strategic.hannibal.rules.event_shape import Choice, Kind, asking, if_options
from strategic.hannibal.rules.siege_roll import take_city
from strategic.hannibal.rules.survey import keeps_to, region_of, spaces_of
from strategic.hannibal.state import NO_CARD, General, Handled, State
from strategic.hannibal.tables import LEADERS, Card, ground
from strategic.point_to_point.survey import (
    controls,
    enemy_outside,
    enemy_units,
    holding,
    italian,
    plain_pcs,
)
from strategic.point_to_point.tables import Side, enemy
from tactical.kernel.dice import Dice
from tactical.kernel.protocol import event
from tactical.kernel.reason import Reason, because

NUMIDIAS = ("eastern_numidia", "western_numidia")


def pcs_without_cover(state: State, side: Side, provinces: tuple[str, ...], walled: bool) -> tuple[str, ...]:
    """strategy.3 PCs of a side that no own CU covers; tribes never, cities only when asked."""
    return tuple(
        space
        for space in spaces_of(*provinces)
        if holding(state, side, space)
        and not state.spaces[space].tribe
        and not state.spaces[space].all_of(side).size
        and (walled or not ground(space).city)
    )


def lose_pcs(state: State, side: Side, spaces: tuple[str, ...], card: Card) -> Handled:
    """strategy.3 PCs taken off. Ruling: a city stays a city, so one that is lost turns to the player of the event."""
    for space in spaces:
        now = enemy(side) if ground(space).city else None
        state = state.with_place(space, replace(state.spaces[space], control=now))
    return state, (event("strategy.3", "pcs_lost", side=side, spaces=list(spaces), card=card.number),)


def revolt_spaces(state: State, side: Side, card: Card) -> tuple[str, ...]:
    """strategy.3 Cards 1, 2 and 4: only if the opponent controls the province."""
    if not controls(state, enemy(side), card.province):
        return ()
    return pcs_without_cover(state, enemy(side), (card.province,), card.walled)


def revolt(state: State, side: Side, card: Card, dice: Dice) -> Handled:
    """strategy.3 Cards 1, 2 and 4: the province revolts."""
    return lose_pcs(state, enemy(side), revolt_spaces(state, side, card), card)


def numidias(state: State, side: Side, card: Card) -> tuple[str, ...]:
    """strategy.3 Card 3: a Numidia where the opponent has something to lose."""
    return tuple(province for province in NUMIDIAS if pcs_without_cover(state, enemy(side), (province,), True))


def numidia_revolts(state: State, side: Side, card: Card, choice: str, dice: Dice) -> Handled:
    """strategy.3 Card 3."""
    return lose_pcs(state, enemy(side), pcs_without_cover(state, enemy(side), (choice,), True), card)


def no_macedon(state: State, side: Side, card: Card) -> Reason | None:
    """strategy.3 Card 9: Carthage first, then Rome."""
    now = state.lasting.macedon
    if side == "carthage" and now != "none":
        return Reason("Carthage has already played Macedon's alliance; now only Rome may play it")
    if side == "rome" and now != "allied":
        return Reason("Rome can play this only to end Macedon's alliance with Carthage, and there is none")
    return None


def macedon(state: State, side: Side, card: Card, dice: Dice) -> Handled:
    """strategy.3 Card 9: alliance or its end; the other side discards a random card."""
    now = "allied" if side == "carthage" else "ended"
    state, events = random_discard(state.now(macedon=now), enemy(side), dice)
    return state, (event("strategy.3", "macedon", now=now, card=card.number), *events)


def random_discard(state: State, side: Side, dice: Dice) -> Handled:
    """strategy.3 A random card of the hand goes to the discards. A hand that is not tracked is drawn from by hand."""
    hand = state.hands[side]
    if not hand:
        return state, ()
    card = hand[dice.draw(len(hand))] if NO_CARD not in hand else NO_CARD
    state = state.without_card(side, card)
    if card == NO_CARD:
        return state, (event("reading.6", "draw_and_discard_by_hand", side=side),)
    state = state.discarded(card)
    if card == 64:
        state = state.now(reshuffle=True)
    return state, (event("strategy.3", "discarded", side=side, card=card, reveals=True),)


def diplomacy_spaces(state: State, side: Side, card: Card) -> tuple[str, ...]:
    """strategy.3 Cards 35 and 36: enemy PCs, neither city nor tribe, without an enemy CU."""
    return tuple(s for s in plain_pcs(state, enemy(side)) if not state.spaces[s].all_of(enemy(side)).size)


def flip_spaces(state: State, side: Side, card: Card) -> tuple[str, ...]:
    """strategy.3 Card 27: the same in Italy, while Hannibal is there."""
    hannibal = state.generals["hannibal"]
    if hannibal.status != "board" or region_of(hannibal.space or "") != "italia":
        return ()
    return tuple(space for space in diplomacy_spaces(state, side, card) if region_of(space) == "italia")


def flip(state: State, side: Side, card: Card, choice: str, dice: Dice) -> Handled:
    """strategy.3 Cards 27, 35, 36: the PC changes sides."""
    state = state.with_place(choice, replace(state.spaces[choice], control=side))
    return state, (event("strategy.3", "pc_placed", side=side, space=choice, flipped=True, card=card.number),)


def grain_spaces(state: State, side: Side, card: Card) -> tuple[str, ...]:
    """strategy.3 Card 56: Roman PCs, while Carthage controls Sicilia."""
    return plain_pcs(state, "rome") if controls(state, "carthage", "sicilia") else ()


def grain(state: State, side: Side, card: Card, choice: str, dice: Dice) -> Handled:
    """strategy.3 Card 56: Carthage takes off a Roman PC."""
    return lose_pcs(state, "rome", (choice,), card)


def pc_spaces(state: State, side: Side, card: Card) -> tuple[str, ...]:
    """strategy.3 Cards 23 and 24: spaces of the Numidias without an enemy CU; all in one (card 24)."""
    return tuple(
        space
        for space in spaces_of(*card.provinces)
        if not holding(state, side, space)
        and not enemy_units(state, side, space)
        and not state.spaces[space].tribe
        and (len(card.provinces) == 1 or _same(state, space))
    )


def _same(state: State, space: str) -> bool:
    """strategy.3 Card 24: the province of the first PC, once it is placed."""
    about = state.agenda[-1].about if state.agenda else {}
    chosen = about.get("province")
    return chosen is None or ground(space).province == chosen


def place_pc(state: State, side: Side, card: Card, choice: str, dice: Dice) -> Handled:
    """strategy.3 Cards 23 and 24: a PC placed, an enemy one flipped."""
    if state.agenda and state.agenda[-1].kind == "choose":
        state = state.asking(province=ground(choice).province)
    was = state.spaces[choice].control
    state = state.with_place(choice, replace(state.spaces[choice], control=side))
    return state, (
        event("strategy.3", "pc_placed", side=side, space=choice, flipped=was is not None, card=card.number),
    )


def no_defection(state: State, side: Side, card: Card) -> Reason | None:
    """strategy.3 Cards 25 and 26: a Roman city; Capua needs three provinces of Italy."""
    if not holding(state, "rome", card.space):
        return because("%(space)s is not Roman", space=card.space)
    if italian(state, "carthage") < card.italian:
        return because(
            "Carthage must control %(italian)s %(italian|province|provinces)s of Italy", italian=card.italian
        )
    return None


def city_defects(state: State, side: Side, card: Card, dice: Dice) -> Handled:
    """strategy.3 Cards 25 and 26: the city turns, Romans inside die."""
    return take_city(state, "carthage", card.space)


def no_dismissal(state: State, side: Side, card: Card) -> Reason | None:
    """strategy.3 Card 19: a proconsul other than Africanus, and somebody in the pool."""
    if not dismissable(state):
        return Reason("there is no proconsul who can be dismissed")
    return None if successors(state, side, card) else Reason("there is no unused Roman general")


def dismissable(state: State) -> tuple[str, ...]:
    """strategy.3 Card 19: the proconsul, never Africanus."""
    return tuple(
        name
        for name in romans(state, "board")
        if state.generals[name].rank == "proconsul" and not LEADERS[name].arrives
    )


def successors(state: State, side: Side, card: Card) -> tuple[str, ...]:
    """strategy.3 Card 19: generals of the pool who may be where the proconsul is."""
    old = dismissable(state)
    space = state.generals[old[0]].space if old else None
    return tuple(name for name in romans(state, "pool") if space and keeps_to(name, space))


def dismiss(state: State, side: Side, card: Card, choice: str, dice: Dice) -> Handled:
    """strategy.3 Card 19: another takes his army as proconsul."""
    (old, *_) = dismissable(state)
    record = state.generals[old]
    state = state.with_general(old, General("pool", rank="consul"))
    state = state.with_general(choice, replace(record, rank="proconsul"))
    return state, (event("strategy.3", "dismissed", general=old, successor=choice),)


def no_messenger(state: State, side: Side, card: Card) -> Reason | None:
    """strategy.3 Card 55: the opponent must have a card."""
    return None if state.hands[enemy(side)] else Reason("the opponent has no card")


def messenger(state: State, side: Side, card: Card, dice: Dice) -> Handled:
    """strategy.3 Card 55: a random card changes hands, unseen by others."""
    hand = state.hands[enemy(side)]
    taken_card = hand[dice.draw(len(hand))] if NO_CARD not in hand else NO_CARD
    state = state.without_card(enemy(side), taken_card)
    state = replace(state, hands={**state.hands, side: (*state.hands[side], taken_card)})
    seen = event("strategy.3", "messenger", side=side, reveals=True)
    secret = event("strategy.3", "card_taken", only=("rome", "carthage"), reveals=True, card=taken_card)
    return state, (seen, secret)


def lasting(**changes: object) -> Kind:
    """strategy.3 Cards 29, 57, 58, 64: an effect that lasts. It cannot be played while it lasts."""

    def why_not(state: State, side: Side, card: Card) -> Reason | None:
        same = all(getattr(state.lasting, name) == value for name, value in changes.items())
        return Reason("this event is already in force") if same else None

    def play(state: State, side: Side, card: Card, dice: Dice) -> Handled:
        return state.now(**changes), (event("strategy.3", "lasting", (), False, card=card.number, **changes),)

    return Kind(why_not, play)


def train_bearers(state: State, side: Side, card: Card) -> tuple[str, ...]:
    """strategy.3 Card 30: Carthaginian generals on the board without the train."""
    return tuple(
        name
        for name, general in state.generals.items()
        if LEADERS[name].side == "carthage"
        and general.status == "board"
        and state.lasting.siege_train != name
        and not enemy_outside(state, "carthage", general.space or "").size
    )


def give_train(state: State, side: Side, card: Card, choice: str, dice: Dice) -> Handled:
    """strategy.3 Card 30: the siege train is with this general."""
    return state.now(siege_train=choice), (event("strategy.3", "siege_train", general=choice),)


EVENTS = {
    "revolt": Kind(if_options(revolt_spaces), revolt),
    "numidia_revolts": Kind(if_options(numidias), asking("numidia_revolts")),
    "macedon": Kind(no_macedon, macedon),
    "diplomacy": Kind(if_options(diplomacy_spaces), asking("diplomacy")),
    "flip_in_italy": Kind(if_options(flip_spaces), asking("flip_in_italy", 0)),
    "grain_shortage": Kind(if_options(grain_spaces), asking("grain_shortage", 0)),
    "numidian_pcs": Kind(if_options(pc_spaces), asking("numidian_pcs", 0, optional=True)),
    "city_defects": Kind(no_defection, city_defects),
    "dismiss_proconsul": Kind(no_dismissal, asking("dismiss_proconsul")),
    "messenger": Kind(no_messenger, messenger),
    "naval_victory": lasting(naval_victory=True),
    "hanno_counsels": lasting(hanno_counsels=True),
    "cato_counsels": lasting(cato_counsels=True),
    "truce": lasting(truce=True),
    "siege_train": Kind(if_options(train_bearers), asking("siege_train")),
}

CHOICES = {
    "numidia_revolts": Choice(numidias, numidia_revolts),
    "diplomacy": Choice(diplomacy_spaces, flip),
    "flip_in_italy": Choice(flip_spaces, flip),
    "grain_shortage": Choice(grain_spaces, grain),
    "numidian_pcs": Choice(pc_spaces, place_pc),
    "dismiss_proconsul": Choice(successors, dismiss),
    "siege_train": Choice(train_bearers, give_train),
}
