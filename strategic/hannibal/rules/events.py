"""Cards played as events: which may be played, and what each does."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass

from msgspec.structs import replace

from strategic.hannibal.commands import Choose, PlayEvent
from strategic.hannibal.rules.attrition import wear_all, wear_outside
from strategic.hannibal.rules.cards import begin, break_truce, playable_numbers, spend, why_not_card
from strategic.hannibal.rules.reinforcements import romans
from strategic.hannibal.rules.siege_roll import take_city
from strategic.hannibal.rules.survey import keeps_to, province_of, region_of, remaining_elephants, spaces_in, spaces_of
from strategic.hannibal.state import NO_CARD, General, Handled, Play, State
from strategic.hannibal.tables import CARDS, CHART, LEADERS, TABLES, Card, ground
from strategic.interception import attempt
from strategic.point_to_point.commands import Done
from strategic.point_to_point.rulebook import auto, box
from strategic.point_to_point.state import Side, Troops, enemy
from strategic.point_to_point.survey import (
    armies,
    commander,
    controls,
    enemy_outside,
    enemy_units,
    generals_at,
    holding,
    italian,
    may_muster,
    muster,
    plain_pcs,
    rating,
    side_of_prompt,
)
from tactical.kernel.dice import Dice
from tactical.kernel.protocol import Illegal, Offer, Prompt, event, offer, refuse
from tactical.kernel.record import Reason, because

# -- What an event is made of: why it cannot be played, what it does, what it asks.


Options = Callable[[State, Side, Card], tuple[str, ...]]
WhyNot = Callable[[State, Side, Card], Reason | None]
Act = Callable[[State, Side, Card, str, Dice], Handled]


def no_options(state: State, side: Side, card: Card) -> tuple[str, ...]:
    """strategy.3 The event asks nothing."""
    return ()


@dataclass(frozen=True)
class Kind:
    """An event: `why_not` is the sentence that forbids it now, None when it may be played.

    `options` are what its question may be answered with now, where it asks one, and `act` is what an answer does.
    """

    why_not: WhyNot
    play: Callable[[State, Side, Card, Dice], Handled]
    options: Options = no_options
    act: Act | None = None


def if_options(options: Options) -> WhyNot:
    """strategy.3 An event that has nothing to choose cannot be played."""
    return lambda state, side, card: (
        None if options(state, side, card) else Reason("there is nothing that this event could do")
    )


def asking(options: Options, act: Act, count: int = 1, optional: bool = False, why_not: WhyNot | None = None) -> Kind:
    """strategy.3 An event that asks for so many choices, for as many as the card has units where `count` is 0."""

    def play(state: State, side: Side, card: Card, dice: Dice) -> Handled:
        about = {"for": card.event, "card": card.number, "left": count or card.units, "optional": optional}
        return state.then(Prompt("choose", side, "strategy.3", about)), ()

    return Kind(why_not or if_options(options), play, options, act)


# -- Events that move PCs, alliances, cards and offices.

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


POLITICAL = {
    "revolt": Kind(if_options(revolt_spaces), revolt),
    "numidia_revolts": asking(numidias, numidia_revolts),
    "macedon": Kind(no_macedon, macedon),
    "diplomacy": asking(diplomacy_spaces, flip),
    "flip_in_italy": asking(flip_spaces, flip, 0),
    "grain_shortage": asking(grain_spaces, grain, 0),
    "numidian_pcs": asking(pc_spaces, place_pc, 0, optional=True),
    "city_defects": Kind(no_defection, city_defects),
    "dismiss_proconsul": asking(successors, dismiss, why_not=no_dismissal),
    "messenger": Kind(no_messenger, messenger),
    "naval_victory": lasting(naval_victory=True),
    "hanno_counsels": lasting(hanno_counsels=True),
    "cato_counsels": lasting(cato_counsels=True),
    "truce": lasting(truce=True),
    "siege_train": asking(train_bearers, give_train),
}

# -- Events that raise troops.


def raise_units(state: State, side: Side, card: Card, space: str, troops: Troops) -> Handled:
    """strategy.3 The CUs appear."""
    state = muster(state, side, space, troops)
    told = event(
        "strategy.3",
        "troops_raised",
        side=side,
        space=space,
        units=troops.units,
        elephants=troops.elephants,
        card=card.number,
    )
    return state, (told,)


def raise_here(state: State, side: Side, card: Card, choice: str, dice: Dice) -> Handled:
    """strategy.3 The card's CUs in the space chosen."""
    return raise_units(state, side, card, choice, Troops(card.units))


def allied_ports(state: State, side: Side, card: Card) -> tuple[str, ...]:
    """strategy.3 Card 10: friendly ports in Africa or Italy, while Macedon is allied."""
    if state.lasting.macedon != "allied":
        return ()
    return tuple(
        space
        for space in CHART.ports()
        if region_of(space) in ("africa", "italia")
        and holding(state, side, space)
        and may_muster(state, side, space, card.units)
    )


def slinger_ports(state: State, side: Side, card: Card) -> tuple[str, ...]:
    """strategy.3 Card 11: the controller of the Baleares, a port with his PC and no enemy CU."""
    if not controls(state, side, "balearic_islands"):
        return ()
    return tuple(
        space for space in CHART.ports() if holding(state, side, space) and not enemy_units(state, side, space)
    )


def no_elephants(state: State, side: Side, card: Card) -> Reason | None:
    """strategy.3 Card 12: Carthage must be able to take them in (siege.more.2)."""
    return None if may_muster(state, side, "carthage", card.units) else Reason("Carthage is besieged or full")


def african_elephants(state: State, side: Side, card: Card, dice: Dice) -> Handled:
    """strategy.3, elephants.1 Card 12: at most four elephant CUs; ordinary CUs make up the rest."""
    elephants = min(card.units, remaining_elephants(state))
    return raise_units(state, side, card, "carthage", Troops(card.units - elephants, elephants))


def with_general(state: State, side: Side, card: Card, spaces: tuple[str, ...]) -> tuple[str, ...]:
    """strategy.3 Spaces with an own general that can take the card's CUs."""
    return tuple(
        space for space in spaces if generals_at(state, side, space) and may_muster(state, side, space, card.units)
    )


def recruit_spaces(state: State, side: Side, card: Card) -> tuple[str, ...]:
    """strategy.3 Cards 13 to 16: generals in these provinces (card 15: friendly ones)."""
    spaces = with_general(state, side, card, spaces_of(*card.provinces))
    return tuple(space for space in spaces if not card.friendly or controls(state, side, province_of(space)))


def auxiliary_spaces(state: State, side: Side, card: Card) -> tuple[str, ...]:
    """strategy.3 Cards 44 to 48: Roman generals in Italy, if the province is Roman."""
    if not controls(state, side, card.province):
        return ()
    return with_general(state, side, card, spaces_in("italia"))


def no_volones(state: State, side: Side, card: Card) -> Reason | None:
    """strategy.3 Card 43: three Italian provinces lost, and no Carthaginian CU in Latium."""
    if italian(state, "carthage") < card.italian:
        return because(
            "Carthage must control %(italian)s %(italian|province|provinces)s of Italy", italian=card.italian
        )
    return Reason("a Carthaginian CU is in Latium") if enemy_units(state, "rome", "rome") else None


def volones(state: State, side: Side, card: Card, dice: Dice) -> Handled:
    """strategy.3 Card 43: four CUs in Rome."""
    return raise_units(state, side, card, "rome", Troops(card.units))


def mutin_spaces(state: State, side: Side, card: Card) -> tuple[str, ...]:
    """strategy.3 Card 22: Sicilian spaces without a city and without a Roman CU."""
    return tuple(
        space
        for space in spaces_in("island_sicily")
        if not ground(space).city and not enemy_outside(state, side, space).size
    )


def mutin(state: State, side: Side, card: Card, choice: str, dice: Dice) -> Handled:
    """strategy.3 Card 22: a CU and a PC."""
    state = state.with_place(choice, replace(state.spaces[choice], control="carthage"))
    return raise_units(state, side, card, choice, Troops(1))


TROOPS = {
    "macedonians": asking(allied_ports, raise_here),
    "slingers": asking(slinger_ports, raise_here),
    "african_elephants": Kind(no_elephants, african_elephants),
    "recruits": asking(recruit_spaces, raise_here),
    "auxiliaries": asking(auxiliary_spaces, raise_here),
    "volones": Kind(no_volones, volones),
    "mutin": asking(mutin_spaces, mutin),
}

# -- Events that wear armies or touch sieges.

HOSTILE = ("gallia_transalpina", "liguria")


def tribe_spaces(state: State, side: Side, card: Card) -> tuple[str, ...]:
    """strategy.3 Cards 7 and 8 as events: enemy forces in Transalpine Gaul or Liguria."""
    return tuple(space for space in spaces_of(*HOSTILE) if state.spaces[space].outside(enemy(side)).size)


def hostile_tribes(state: State, side: Side, card: Card, choice: str, dice: Dice) -> Handled:
    """tables.attrition.tribes Cards 7 and 8: always the column 5-6."""
    column = TABLES.attrition.tribes_force
    return wear_outside(state, dice, "tables.attrition.tribes", enemy(side), choice, 0, column)


def enemy_armies(state: State, side: Side, card: Card) -> tuple[str, ...]:
    """strategy.3 Card 51: an enemy army, a general with CUs."""
    other = enemy(side)
    return tuple(space for space in armies(state, other) if generals_at(state, other, space))


def epidemic(state: State, side: Side, card: Card, choice: str, dice: Dice) -> Handled:
    """strategy.3 Card 51: it rolls attrition."""
    return wear_all(state, dice, "strategy.3", enemy(side), choice)


def besiegers(state: State, side: Side, card: Card) -> tuple[str, ...]:
    """strategy.3 Card 52: enemy armies that besiege a city of this side."""
    other = enemy(side)
    return tuple(
        space
        for space, place in state.spaces.items()
        if ground(space).city and place.besieged() and place.besieger == other and place.outside(other).size
    )


def pestilence(state: State, side: Side, card: Card, choice: str, dice: Dice) -> Handled:
    """strategy.3 Card 52: attrition at +1."""
    modifier = TABLES.attrition.pestilence
    return wear_outside(state, dice, "tables.attrition.modifiers", enemy(side), choice, modifier)


def deserting(state: State) -> tuple[str, ...]:
    """strategy.3 Card 21: Carthaginian forces outside the spaces of their own cities."""
    return tuple(
        space
        for space, place in state.spaces.items()
        if place.carthage.size and not (ground(space).city and holding(state, "carthage", space))
    )


def mercenaries_desert(state: State, side: Side, card: Card, dice: Dice) -> Handled:
    """strategy.3 Card 21: a general saves his stack with a die no higher than his battle rating; else attrition."""
    told = []
    for space in deserting(state):
        leader = commander(state, generals_at(state, "carthage", space))
        if leader is not None:
            saved, face = attempt(dice, "strategy.3", rating(state, leader), general=leader, space=space)
            told.append(event("strategy.3", "loyalty", general=leader, space=space, dice=[face], success=saved))
            if saved:
                continue
        state, more = wear_outside(state, dice, "strategy.3", "carthage", space)
        told += more
    return state, tuple(told)


def besieged_own(state: State, side: Side, card: Card) -> tuple[str, ...]:
    """strategy.3 Card 17: a city with siege points."""
    return tuple(space for space, place in state.spaces.items() if ground(space).city and place.besieged())


def surprise_sortie(state: State, side: Side, card: Card, choice: str, dice: Dice) -> Handled:
    """strategy.3 Card 17: one siege point less."""
    place = state.spaces[choice]
    left = place.siege - 1
    state = state.with_place(choice, replace(place, siege=left, besieger=place.besieger if left else None))
    return state, (event("strategy.3", "siege_points", space=choice, points=left, card=card.number),)


def besieged_ports(state: State, side: Side, card: Card) -> tuple[str, ...]:
    """strategy.3 Card 49: a besieged city with a port."""
    return tuple(space for space in besieged_own(state, side, card) if ground(space).port)


def tribes_under_attack(state: State, side: Side, card: Card) -> tuple[str, ...]:
    """strategy.3 Card 53: a tribe with subjugation points."""
    return tuple(space for space, place in state.spaces.items() if place.tribe and place.siege)


def relieve(state: State, side: Side, card: Card, choice: str, dice: Dice) -> Handled:
    """strategy.3 Cards 49 and 53: all points go."""
    place = replace(state.spaces[choice], siege=0, besieger=None)
    return state.with_place(choice, place), (
        event("strategy.3", "siege_points", space=choice, points=0, card=card.number),
    )


WAR = {
    "hostile_tribes": asking(tribe_spaces, hostile_tribes),
    "epidemic": asking(enemy_armies, epidemic),
    "pestilence": asking(besiegers, pestilence),
    "mercenaries_desert": Kind(if_options(lambda state, side, card: deserting(state)), mercenaries_desert),
    "sortie": asking(besieged_own, surprise_sortie),
    "fleet_breaks_siege": asking(besieged_ports, relieve),
    "tribal_resistance": asking(tribes_under_attack, relieve),
}

# -- The registry of events by the name that the cards' table gives them.

EVENTS: dict[str, Kind] = {**POLITICAL, **TROOPS, **WAR}
# -- Cards played as events: which may be played, and what each does. Choices are prompts of the kind `choose`.


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


def play_event(state: State, command: PlayEvent, dice: Dice) -> Handled:
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
    return offer("event", "strategy.3", card=cards)


def choices(state: State) -> tuple[str, ...]:
    """strategy.3 What the event's question may be answered with."""
    prompt = state.agenda[-1]
    return EVENTS[prompt.about["for"]].options(state, side_of_prompt(state), CARDS[prompt.about["card"]])


def choose(state: State, command: Choose, dice: Dice) -> Handled:
    """strategy.3 One answer."""
    if command.choice not in choices(state):
        raise Illegal("strategy.3", "this event does not offer the choice %(choice)s", choice=command.choice)
    prompt, side = state.agenda[-1], side_of_prompt(state)
    left: int = prompt.about["left"]
    state = state.asking(left=left - 1) if left > 1 else state.answered()
    act = EVENTS[prompt.about["for"]].act
    assert act is not None, "an event that has asked knows what an answer does"
    return act(state, side, CARDS[prompt.about["card"]], command.choice, dice)


def choose_done(state: State, command: Done, dice: Dice) -> Handled:
    """strategy.3 Some events do up to so much."""
    if not state.agenda[-1].about.get("optional"):
        raise Illegal("strategy.3", "this event must be carried out")
    return state.answered(), ()


def choose_choices(state: State) -> Iterator[Offer]:
    """strategy.3 What is left to choose, and no more where the event does up to so much."""
    if state.agenda[-1].about["left"] > 0 and choices(state):
        yield from offer("choose", "strategy.3", choice=choices(state))
        if state.agenda[-1].about.get("optional"):
            yield Offer("done", "strategy.3")


def end_play(state: State, dice: Dice) -> Handled:
    """strategy.4 The card has been played; the other side is next."""
    return replace(state.answered(), play=None, march=None, battle=None), ()


BOXES = (
    box("choose", "strategy.3", {Choose: choose, Done: choose_done}, choose_choices),
    auto("end_play", "strategy.4", end_play),
)
