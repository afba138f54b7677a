"""The order of a battle: who fights, change of command, battle events, elephants, the hands."""

from __future__ import annotations

from msgspec.structs import replace

from strategic.hannibal.commands import BattleEvent, ChangeCommand, Charge, Join, Pass
from strategic.hannibal.rules.hand import answers, break_truce, may_answer, spend
from strategic.hannibal.rules.movement import fits, ranges
from strategic.hannibal.rules.operations import seat_side
from strategic.hannibal.rules.siege import came_out
from strategic.hannibal.state import UNSEEN, Battle, State, Troops
from strategic.hannibal.survey import commander, controlled, generals_at, is_shut_in, rating, region_of, standing
from strategic.hannibal.tables import (
    BATTLE_DECK,
    PROVINCES,
    SIDES,
    TABLES,
    Side,
    enemy,
    ground,
)
from strategic.interception import parties
from tactical.kernel.dice import Dice
from tactical.kernel.play import Event, Illegal, Offer, Prompt, event

SPY, SPANISH_DESERT, NUMIDIANS_DESERT, ALLY_DESERTS, MAHARBAL, FRIGHT = 20, 31, 32, 59, 6, 42
NUMIDIAS = ("eastern_numidia", "western_numidia")


def begin(state: State, dice: Dice) -> tuple[State, tuple[Event, ...]]:
    """battle.1 The armies meet. siege.6: a friendly besieged force may join the attacker."""
    about = state.agenda[-1].about
    state = state.answered()
    march = state.march
    if march is None or march.weathered or march.at != about["space"]:
        return state, ()
    side, space = march.side, march.at
    if not state.spaces[space].outside(enemy(side)).size or not state.spaces[space].outside(side).size:
        return state, ()
    is_sortie: bool = about.get("sortie", False)
    generals = {each: generals_at(state, each, space, inside=False) for each in SIDES}
    battle = Battle(
        space=space,
        attacker=side,
        initiative=side,
        generals=generals,
        commanders={each: commander(state, generals[each]) for each in SIDES},
        start={each: state.spaces[space].outside(each).size for each in SIDES},
        came_from=march.came_from(),
        landed=march.landed(),
        sortie=is_sortie,
        sortie_size=march.force.size if is_sortie else 0,
        interceptor=bool(march.intercepted),
        failed_avoid=march.failed_avoid,
        hands={each: () for each in SIDES},
        shown={each: () for each in SIDES},
        fewer={each: 0 for each in SIDES},
        no_allies={each: () for each in SIDES},
        lost={each: 0 for each in SIDES},
    )
    play = state.playing()
    state = replace(state, battle=battle, play=replace(play, fought=(*play.fought, *generals[side])))
    defender = enemy(side)
    told = event("battle.1", "battle", space=space, attacker=side, start=battle.start, commanders=battle.commanders)
    return state.then(
        Prompt("join", side, "siege.6"),
        Prompt("command", "carthage", "battle.1"),
        Prompt("battle_events", side, "battle.2"),
        Prompt("battle_events", defender, "battle.3"),
        Prompt("elephants", "carthage", "battle.4"),
        Prompt("deal_battle", "", "battle.5"),
    ), (told,)


# the besieged join


def check_join(state: State, side: Side, command: Join) -> None:
    """siege.6 A besieged force with a general comes out to join the attack of another army."""
    battle = state.fighting()
    inside = state.spaces[battle.space].within(side)
    force, here = Troops(command.units, command.elephants), generals_at(state, side, battle.space, inside=True)
    if not command.generals or not set(command.generals) <= set(here):
        raise Illegal("siege.6", "only a general inside leads troops out")
    if command.units < 0 or command.elephants < 0 or not inside.holds(force) or not force.size:
        raise Illegal("siege.6", "there are not so many CUs inside")


def join(state: State, command: Join, dice: Dice) -> tuple[State, tuple[Event, ...]]:
    """siege.6 They fight as one with the attacker."""
    side = seat_side(state)
    check_join(state, side, command)
    battle, force = state.fighting(), Troops(command.units, command.elephants)
    state = came_out(state.answered(), side, battle.space, force, command.generals)
    generals = {**battle.generals, side: (*battle.generals[side], *command.generals)}
    battle = replace(
        battle,
        generals=generals,
        commanders={**battle.commanders, side: commander(state, generals[side])},
        start={**battle.start, side: battle.start[side] + force.size},
        sortie_size=force.size,
    )
    play = state.playing()
    state = replace(state, battle=battle, play=replace(play, fought=(*play.fought, *command.generals)))
    return state, (event("siege.6", "joined", side=side, units=force.size, generals=list(command.generals)),)


def join_open(state: State) -> bool:
    """siege.6 Is there such a force?"""
    battle, side = state.fighting(), seat_side(state)
    if battle.sortie or not is_shut_in(state, side, battle.space):
        return False
    return bool(state.spaces[battle.space].within(side).size and generals_at(state, side, battle.space, inside=True))


def join_offers(state: State) -> tuple[Offer, ...]:
    """siege.6 Every party that may come out, or nobody."""
    side, space, offers = seat_side(state), state.fighting().space, []
    inside = state.spaces[space].within(side)
    for group in parties(generals_at(state, side, space, inside=True)):
        for elephants in range(inside.elephants + 1):

            def may_join(units: int, group: tuple[str, ...] = group, elephants: int = elephants) -> bool:
                return fits(lambda: check_join(state, side, Join(group, units, elephants)))

            for low, high in ranges(0, inside.units, may_join):
                fields = {"generals": [list(group)], "elephants": elephants, "units": {"from": low, "to": high}}
                offers.append(Offer("join", "siege.6", fields))
    return (*offers, Offer("pass", "siege.6"))


def pass_by(state: State, command: Pass, dice: Dice) -> tuple[State, tuple[Event, ...]]:
    """strategy.event.2 Nothing (more) here."""
    return state.answered(), ()


def nothing(state: State, dice: Dice) -> tuple[State, tuple[Event, ...]]:
    """strategy.event.2 There is no choice."""
    return state.answered(), ()


# change of command


def consuls_here(state: State) -> tuple[str, ...]:
    """battle.1 The consuls in the battle, who commands first."""
    names = [name for name in state.fighting().generals["rome"] if state.generals[name].rank == "consul"]
    return tuple(sorted(names, key=lambda name: (name != state.fighting().commanders["rome"], standing(state, name))))


def command_open(state: State) -> bool:
    """battle.1a With both consuls there Carthage may roll; as the attacker it must (battle.1b), without a question."""
    return len(consuls_here(state)) > 1 and state.fighting().attacker != "carthage"


def command_over(state: State, dice: Dice) -> tuple[State, tuple[Event, ...]]:
    """battle.1b Carthage must roll when it attacks."""
    must = len(consuls_here(state)) > 1 and state.fighting().attacker == "carthage"
    return roll_command(state.answered(), dice) if must else (state.answered(), ())


def change_command(state: State, command: ChangeCommand, dice: Dice) -> tuple[State, tuple[Event, ...]]:
    """battle.1a Carthage chooses to roll."""
    return roll_command(state.answered(), dice)


def roll_command(state: State, dice: Dice) -> tuple[State, tuple[Event, ...]]:
    """battle.1c On 4 or more the other consul commands."""
    battle, consuls = state.fighting(), consuls_here(state)
    (face,) = dice.roll(1, 6, "battle.1c")
    changed = face >= TABLES.battle.change_of_command
    now = consuls[1] if changed else battle.commanders["rome"]
    battle = replace(battle, commanders={**battle.commanders, "rome": now})
    return replace(state, battle=battle), (event("battle.1c", "change_of_command", dice=[face], commander=now),)


def command_offers(state: State) -> tuple[Offer, ...]:
    """battle.1a Roll or not."""
    return (Offer("change_command", "battle.1a"), Offer("pass", "battle.1a"))


# battle events


def battle_cards(state: State) -> tuple[int, ...]:
    """battle.2 The battle events that this battle knows."""
    region = region_of(state.fighting().space)
    spanish = (SPANISH_DESERT,) if region == "iberia" else ()
    numidian = (NUMIDIANS_DESERT,) if region == "africa" else ()
    return (SPY, *spanish, *numidian, ALLY_DESERTS)


def events_open(state: State) -> bool:
    """battle.2 Is the side asked?"""
    return may_answer(state, seat_side(state), battle_cards(state))


def check_battle_event(state: State, side: Side, card: int, cards: tuple[int, ...]) -> None:
    """battle.2 A battle event of the hand that fits this battle."""
    if card not in answers(state, side, cards):
        raise Illegal("battle.2", f"card {card} is not a battle event that this side can play now")


def battle_event(state: State, command: BattleEvent, dice: Dice) -> tuple[State, tuple[Event, ...]]:
    """battle.2 Before the cards: spies, deserters and unfaithful allies take effect at the deal."""
    side = seat_side(state)
    check_battle_event(state, side, command.card, battle_cards(state))
    state, events = spend(state, side, command.card, "battle")
    state, more = break_truce(state, command.card)
    battle, other = state.fighting(), enemy(side)
    if command.card == SPY:
        battle = replace(battle, spies=(*battle.spies, side))
    elif command.card == ALLY_DESERTS:
        battle = replace(battle, deserters=(*battle.deserters, side))
    else:
        spanish = tuple(p.id for p in PROVINCES.values() if p.region == "iberia")
        gone = spanish if command.card == SPANISH_DESERT else NUMIDIAS
        battle = replace(battle, no_allies={**battle.no_allies, other: (*battle.no_allies[other], *gone)})
    return replace(state, battle=battle), (*events, *more)


def events_offers(state: State) -> tuple[Offer, ...]:
    """battle.2 What the hand has, or nothing."""
    cards = answers(state, seat_side(state), battle_cards(state))
    offers = (Offer("battle_event", state.agenda[-1].rule, {"card": list(cards)}),) if cards else ()
    return (*offers, Offer("pass", state.agenda[-1].rule))


# elephants


def elephants_open(state: State) -> bool:
    """battle.4 Has Carthage elephants here?"""
    return state.spaces[state.fighting().space].carthage.elephants > 0


def charge(state: State, command: Charge, dice: Dice) -> tuple[State, tuple[Event, ...]]:
    """battle.4, elephants.2 Declared before cards are seen; Rome may frighten them (card 42)."""
    state = replace(state.answered(), battle=replace(state.fighting(), charge=True))
    fright = Prompt("counter", "rome", "strategy.event.2", {"moment": "fright"})
    return state.then(fright, Prompt("charge_roll", "", "battle.4")), (event("battle.4", "elephants_charge"),)


def charge_roll(state: State, dice: Dice) -> tuple[State, tuple[Event, ...]]:
    """battle.4a Above the Roman rating, or 2 and more without a general (battle.4b); a 1 costs Carthage (battle.4d)."""
    state = state.answered()
    battle = state.fighting()
    if battle.fright:
        return state, ()
    (face,) = dice.roll(1, 6, "battle.4")
    roman = battle.commanders["rome"]
    needed = rating(roman) + 1 if roman else TABLES.battle.elephants_without_general
    success = face >= needed
    elephants = state.spaces[battle.space].carthage.elephants
    fewer = {
        "rome": battle.fewer["rome"] + elephants * success,
        "carthage": battle.fewer["carthage"] + (face == 1),
    }
    told = event("battle.4c" if success else "battle.4", "elephant_roll", dice=[face], success=success, fewer=fewer)
    return replace(state, battle=replace(battle, fewer=fewer)), (told,)


def charge_offers(state: State) -> tuple[Offer, ...]:
    """battle.4 Charge or not."""
    return (Offer("charge", "battle.4"), Offer("pass", "battle.4"))


# the hands


def allied_cards(state: State, side: Side) -> int:
    """battle.5h Cards for allied provinces, only with a general (hands.2).

    battle.5h.1, battle.5h.2: each Numidia gives two; Latium none (battle.5h.3). The map's records say so.
    """
    battle = state.fighting()
    if not battle.generals[side]:
        return 0
    region = region_of(battle.space)
    gallic = state.options.gallic_allies == "province"
    total = 0
    for name in controlled(state, side):
        province = PROVINCES[name]
        if name in battle.no_allies[side]:
            continue
        if province.ally_scope == "province_only":
            near = gallic and ground(battle.space).province == name
        else:
            near = province.region == region  # battle.5h.4, hands.3: an island's cards only on that island
        total += province.ally_cards * near
    if side == "rome" and region == "italia":
        total = min(total, TABLES.battle.roman_allies_in_italy)
    return total


def hand_size(state: State, side: Side) -> tuple[int, dict[str, int]]:
    """battle.5 At most 20 (hands.1), and its parts for the players.

    battle.5b the commander, battle.5c the CUs, battle.5d and interception.general.2 the interceptor's advantage,
    battle.5e and avoid.more.1 a failed try to avoid, battle.5f Latium, battle.5g a friendly tribe.
    """
    battle, numbers = state.fighting(), TABLES.battle
    place = state.spaces[battle.space]
    defends = side == battle.defender
    parts = {
        "commander": rating(battle.commanders[side]),
        "units": place.outside(side).size,
        "interception": numbers.interception * (defends and battle.interceptor),
        "failed_avoid": -numbers.failed_avoid * (defends and battle.failed_avoid),
        "latium": numbers.latium * (side == "rome" and ground(battle.space).province == "latium"),
        "tribe": numbers.tribe * (side == "carthage" and place.tribe and place.control == "carthage"),
        "allies": allied_cards(state, side),
    }
    return min(max(sum(parts.values()), 0), numbers.hand), {name: n for name, n in parts.items() if n}


def deal_battle(state: State, dice: Dice) -> tuple[State, tuple[Event, ...]]:
    """battle.5 Deal, then take off what elephants cost (battle.5a), then spies and deserters."""
    state = state.answered()
    battle = state.fighting()
    events: tuple[Event, ...] = ()
    untracked = state.options.cards_on_table
    deck = () if untracked else dice.shuffled(BATTLE_DECK)
    rest: tuple[str, ...] = ()
    hands: dict[Side, tuple[str, ...]] = {}
    for side in SIDES:
        size, parts = hand_size(state, side)
        kept = max(size - battle.fewer[side], 0)
        hands[side] = (UNSEEN,) * kept if untracked else deck[:kept]
        rest, deck = (*rest, *deck[kept:size]), deck[size:]
        events += (event("battle.5", "battle_hand", side=side, cards=kept, dealt=size, parts=parts, reveals=True),)
    state = replace(state, battle=replace(battle, hands=hands, deck=(*deck, *rest)))
    for side in battle.deserters:
        state, more = desert(state, side, dice)
        events += more
    for side in battle.spies:
        state, more = spied(state, side, dice)
        events += more
    return state.then(attack_prompt(state)), events


def attack_prompt(state: State) -> Prompt:
    """round.1 The current attacker is to play; so the battle goes round by round (battle.6)."""
    return Prompt("attack", state.fighting().initiative, "round.1")


def desert(state: State, side: Side, dice: Dice) -> tuple[State, tuple[Event, ...]]:
    """strategy.event.2 Card 59: a random card of the enemy's battle hand changes hands."""
    battle, other = state.fighting(), enemy(side)
    hand = battle.hands[other]
    if not hand:
        return state, ()
    card = hand[dice.draw(len(hand))] if hand[0] != UNSEEN else UNSEEN
    hands = {**battle.hands, other: without(hand, card), side: (*battle.hands[side], card)}
    shown = {**battle.shown, other: within(battle.shown[other], hands[other])}
    state = replace(state, battle=replace(battle, hands=hands, shown=shown))
    return state, (event("strategy.event.2", "ally_deserts", side=side, card_number=ALLY_DESERTS, reveals=True),)


def spied(state: State, side: Side, dice: Dice) -> tuple[State, tuple[Event, ...]]:
    """strategy.event.2 Card 20: half of the enemy's cards, drawn at random, lie open from now on."""
    battle, other = state.fighting(), enemy(side)
    hand = battle.hands[other]
    if not hand or hand[0] == UNSEEN:
        return state, (event("strategy.event.2", "spied", side=side, cards=len(hand) // 2, by_hand=True),)
    seen = tuple(sorted(dice.shuffled(hand)[: len(hand) // 2]))
    state = replace(state, battle=replace(battle, shown={**battle.shown, other: seen}))
    return state, (event("strategy.event.2", "spied", side=side, open=list(seen), reveals=True),)


def without(hand: tuple[str, ...], card: str) -> tuple[str, ...]:
    """round.1 The hand without one such card."""
    rest = list(hand)
    rest.remove(card if card in rest else UNSEEN)
    return tuple(rest)


def within(shown: tuple[str, ...], hand: tuple[str, ...]) -> tuple[str, ...]:
    """strategy.event.2 The open cards that are still in the hand."""
    kept: list[str] = []
    for card in shown:
        if kept.count(card) < hand.count(card):
            kept.append(card)
    return tuple(kept)
