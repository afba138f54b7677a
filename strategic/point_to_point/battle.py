"""The order of a battle: who fights, change of command, elephants, the hands."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from strategic.interception import parties
from strategic.point_to_point.commands import ChangeCommand, Charge, Join, Pass
from strategic.point_to_point.offering import forces
from strategic.point_to_point.pieces import Troops, replace
from strategic.point_to_point.rulebook import book_of
from strategic.point_to_point.siege import come_out
from strategic.point_to_point.state import Campaign, Handled, S
from strategic.point_to_point.survey import (
    commander,
    generals_at,
    is_shut_in,
    provinces_under,
    rating,
    side_of_prompt,
    why_not_consular,
)
from strategic.point_to_point.tables import SIDES, Side, enemy
from tactical.kernel.dice import Dice
from tactical.kernel.protocol import Event, Illegal, Offer, Prompt, event, refuse

UNSEEN = "unseen"  # a battle card in a hand that is not tracked


def begin(state: S, dice: Dice) -> Handled[S]:
    """battle.1 The armies meet. siege.6: a friendly besieged force may join the attacker."""
    about, book = state.agenda[-1].about, book_of(state)
    state = state.answered()
    march = state.march
    if march is None or march.weathered or march.at != about["space"]:
        return state, ()
    side, space = march.side, march.at
    place = state.spaces[space]
    if not place.outside(enemy(side)).size or not place.outside(side).size:
        return state, ()
    facts = battle_facts(state, about.get("sortie", False))
    generals = facts["generals"]
    battle, play = book.battle(state, facts), state.playing()
    state = replace(state, battle=battle, play=replace(play, fought=(*play.fought, *generals[side])))
    told = event("battle.1", "battle", space=space, attacker=side, start=battle.start, commanders=battle.commanders)
    return state.then(
        Prompt("join", side, "siege.6"),
        Prompt("command", "carthage", "battle.1"),
        *book.battle_prompts(state),
        Prompt("elephants", "carthage", book.cite("battle.4")),
        Prompt("deal_battle", "", book.cite("battle.5")),
    ), (told,)


def battle_facts(state: Campaign, is_sortie: bool = False) -> dict[str, Any]:
    """battle.1 Who meets whom where the army on the march stands, under whom, how strong; no cards are dealt yet."""
    march = state.marching()
    space, place = march.at, state.spaces[march.at]
    generals = {each: generals_at(state, each, space, inside=False) for each in SIDES}
    return {
        "space": space,
        "attacker": march.side,
        "initiative": march.side,
        "generals": generals,
        "commanders": {each: commander(state, generals[each]) for each in SIDES},
        "start": {each: place.outside(each).size for each in SIDES},
        "came_from": march.came_from(),
        "landed": march.landed(),
        "sortie": is_sortie,
        "sortie_size": march.force.size if is_sortie else 0,
        "joined": march.generals if is_sortie else (),
        "hands": {each: () for each in SIDES},
        "fewer": dict.fromkeys(SIDES, 0),
        "lost": dict.fromkeys(SIDES, 0),
    }


# the besieged join


def why_not_join(state: Campaign, side: Side, command: Join) -> Illegal | None:
    """siege.6 A besieged force with a general comes out to join the attack of another army."""
    battle = state.fighting()
    inside = state.spaces[battle.space].within(side)
    force, here = command.force, generals_at(state, side, battle.space, inside=True)
    if battle.sortie or not command.generals or not set(command.generals) <= set(here):
        return Illegal("siege.6", "only a general inside can lead troops out")
    if len(set(command.generals)) != len(command.generals):
        return Illegal("siege.6", "name each general once")
    if not force.is_counted or not inside.holds(force) or not force.size:
        return Illegal("siege.6", "there are not that many CUs inside")
    return why_not_consular(
        state, command.generals, force, [name for name in here if name not in command.generals], inside
    )


def join(state: S, command: Join, dice: Dice) -> Handled[S]:
    """siege.6 They fight as one with the attacker."""
    side = side_of_prompt(state)
    refuse(why_not_join(state, side, command))
    battle, force = state.fighting(), command.force
    state = come_out(state.answered(), side, battle.space, force, command.generals)
    generals = {**battle.generals, side: (*battle.generals[side], *command.generals)}
    battle = replace(
        battle,
        generals=generals,
        commanders={**battle.commanders, side: commander(state, generals[side])},
        start={**battle.start, side: battle.start[side] + force.size},
        sortie_size=force.size,
        joined=command.generals,
    )
    play = state.playing()
    state = replace(state, battle=battle, play=replace(play, fought=(*play.fought, *command.generals)))
    told = event("siege.6", "joined", side=side, space=battle.space, units=force.size, generals=list(command.generals))
    return state, (told,)


def join_open(state: Campaign) -> bool:
    """siege.6 Is there such a force?"""
    battle, side = state.fighting(), side_of_prompt(state)
    if battle.sortie or not is_shut_in(state, side, battle.space):
        return False
    return bool(state.spaces[battle.space].within(side).size and generals_at(state, side, battle.space, inside=True))


def join_offers(state: Campaign) -> tuple[Offer, ...]:
    """siege.6 Every party that may come out, or nobody."""
    side, space, offers = side_of_prompt(state), state.fighting().space, []
    inside = state.spaces[space].within(side).only_units()
    for group in parties(generals_at(state, side, space, inside=True)):

        def may_join(force: Troops, group: tuple[str, ...] = group) -> bool:
            return why_not_join(state, side, Join(group, force.units, force.elephants)) is None

        for fields in forces(inside, inside.size, may_join):
            offers.append(Offer("join", "siege.6", {"generals": [list(group)], **fields}))
    return (*offers, Offer("pass", "siege.6"))


def pass_by(state: S, command: Pass, dice: Dice) -> Handled[S]:
    """strategy.event.2 Nothing (more) here."""
    return state.answered(), ()


def no_choice(state: S, dice: Dice) -> Handled[S]:
    """strategy.event.2 There is no choice."""
    return state.answered(), ()


# change of command


def consuls_here(state: Campaign) -> tuple[str, ...]:
    """battle.1 The consuls in the battle, who commands first."""
    battle, standing = state.fighting(), book_of(state).standing
    names = [name for name in battle.generals["rome"] if state.generals[name].rank == "consul"]
    return tuple(sorted(names, key=lambda name: (name != battle.commanders["rome"], standing(state, name))))


def command_open(state: Campaign) -> bool:
    """battle.1a With both consuls there Carthage may roll; as the attacker it must (battle.1b), without a question."""
    return len(consuls_here(state)) > 1 and state.fighting().attacker != "carthage"


def command_over(state: S, dice: Dice) -> Handled[S]:
    """battle.1b Carthage must roll when it attacks."""
    must = len(consuls_here(state)) > 1 and state.fighting().attacker == "carthage"
    return roll_command(state.answered(), dice) if must else (state.answered(), ())


def change_command(state: S, command: ChangeCommand, dice: Dice) -> Handled[S]:
    """battle.1a Carthage chooses to roll."""
    return roll_command(state.answered(), dice)


def roll_command(state: S, dice: Dice) -> Handled[S]:
    """battle.1c On 4 or more the other consul commands."""
    battle, consuls = state.fighting(), consuls_here(state)
    (face,) = dice.roll(1, 6, "battle.1c")
    changed = face >= state.tables.battle.change_of_command
    now = consuls[1] if changed else battle.commanders["rome"]
    battle = replace(battle, commanders={**battle.commanders, "rome": now})
    return replace(state, battle=battle), (event("battle.1c", "change_of_command", dice=[face], commander=now),)


def command_offers(state: Campaign) -> tuple[Offer, ...]:
    """battle.1a Roll or not."""
    return (Offer("change_command", "battle.1a"), Offer("pass", "battle.1a"))


# elephants


def elephants_here(state: Campaign) -> int:
    """battle.4 Elephant CUs on the field."""
    return state.spaces[state.fighting().space].outside("carthage").elephants


def elephants_open(state: Campaign) -> bool:
    """battle.4 Has Carthage elephants here?"""
    return elephants_here(state) > 0


def charge(state: S, command: Charge, dice: Dice) -> Handled[S]:
    """battle.4, elephants.2 Declared before cards are seen; Rome may frighten them (card 42)."""
    cite = book_of(state).cite("battle.4")
    state = replace(state.answered(), battle=replace(state.fighting(), charge=True))
    fright = book_of(state).moments(state, "fright")
    return state.then(*fright, Prompt("charge_roll", "", cite)), (event(cite, "elephants_charged"),)


def charge_roll(state: S, dice: Dice) -> Handled[S]:
    """battle.4a Above the Roman rating, or 2 and more without a general (battle.4b); a 1 costs Carthage (battle.4d).

    17.a However many elephants attack, on a (modified) 1 or less Carthage loses exactly one card.
    """
    state, book = state.answered(), book_of(state)
    battle = state.fighting()
    if not battle.charge:  # card 42 has frightened them
        return state, ()
    plus = book.charge_modifier(state)
    (face,) = dice.roll(1, 6, book.cite("battle.4"), space=battle.space)
    total, roman = face + plus, battle.commanders["rome"]
    needed = rating(state, roman) + 1 if roman else state.tables.battle.elephants_without_general
    success, unruly = total >= needed, total <= 1
    fewer = {
        "rome": battle.fewer["rome"] + elephants_here(state) * success,
        "carthage": battle.fewer["carthage"] + unruly,
    }
    rule = book.cite("battle.4c" if success else "battle.4")
    told = event(rule, "elephant_roll", dice=[face], modifier=plus, success=success, fewer=fewer)
    return replace(state, battle=replace(battle, fewer=fewer)), (told,)


def charge_offers(state: Campaign) -> tuple[Offer, ...]:
    """battle.4 Charge or not."""
    cite = book_of(state).cite("battle.4")
    return (Offer("charge", cite), Offer("pass", cite))


# the hands


def allied_cards(state: Campaign, side: Side, is_near: Callable[[str], bool]) -> int:
    """battle.5h, hands.4 Cards for allied provinces, only with a general (hands.2).

    battle.5h.1, battle.5h.2: each Numidia gives two; Latium none (battle.5h.3). The map's records say so. `is_near`
    says whether a province's help comes to this battle; Rome has at most 2 in Italy.
    """
    battle, book = state.fighting(), book_of(state)
    if not battle.generals[side]:
        return 0
    total = sum(book.provinces[name].ally_cards for name in provinces_under(state, side) if is_near(name))
    if side == "rome" and book.ground(battle.space).region == "italia":
        total = min(total, state.tables.battle.roman_allies_in_italy)
    return total


def deal_battle(state: S, dice: Dice) -> Handled[S]:
    """battle.5, 14.1 Deal, then take off what elephants cost (battle.5a)."""
    state, book = state.answered(), book_of(state)
    battle = state.fighting()
    events: tuple[Event, ...] = ()
    untracked = book.no_deal(state)
    deck = () if untracked else dice.shuffled(book.battle_deck)
    rest: tuple[str, ...] = ()
    hands: dict[Side, tuple[str, ...]] = {}
    for side in SIDES:
        size, parts = book.hand_size(state, side)
        kept = max(size - battle.fewer.get(side, 0), 0)
        hands[side] = (UNSEEN,) * kept if untracked else deck[:kept]
        rest, deck = (*rest, *deck[kept:size]), deck[size:]
        told = event(book.cite("battle.5"), "battle_hand", side=side, cards=kept, dealt=size, parts=parts, reveals=True)
        events += (told,)
    state = replace(state, battle=replace(battle, hands=hands, deck=(*deck, *rest)))
    state, more = book.after_deal(state, dice)
    return state.then(attack_prompt(state)), (*events, *more)


def attack_prompt(state: Campaign) -> Prompt:
    """round.1 The current attacker is to play; so the battle goes round by round (battle.6)."""
    return Prompt("attack", state.fighting().initiative, "round.1")


def without(hand: tuple[str, ...], card: str) -> tuple[str, ...]:
    """round.1 The hand without one such card."""
    rest = list(hand)
    rest.remove(card if card in rest else UNSEEN)
    return tuple(rest)
