"""The battle: who fights, its rounds card by card, withdrawal, and its chances."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator
from typing import Any

from msgspec.structs import replace as replace_fields

from strategic.interception import attempt, parties
from strategic.point_to_point.commands import (
    Attack,
    Cancel,
    ChangeCommand,
    Charge,
    Concede,
    CounterAttack,
    Done,
    Join,
    Match,
    Party,
    Pass,
    Pursue,
    Withdraw,
    companies,
)
from strategic.point_to_point.movement import brought, spend
from strategic.point_to_point.rulebook import auto, book_of, box
from strategic.point_to_point.siege import come_out
from strategic.point_to_point.state import ROADS, SIDES, Campaign, Handled, March, S, Side, Troops, enemy, replace
from strategic.point_to_point.survey import (
    commander,
    displace_all,
    enemy_units,
    generals_at,
    give_way,
    is_enemy_ground,
    is_shut_in,
    keep_to,
    provinces_under,
    rating,
    side_of_prompt,
    why_not_consular,
)
from tactical.kernel.dice import Dice
from tactical.kernel.protocol import Event, Illegal, Offer, Prompt, Step, event, offer, refuse
from tactical.kernel.record import Record

# -- Battle losses and what follows for the loser.


def lose_battle(state: S, loser: Side, card: str | None, rule: str) -> Handled[S]:
    """round.2, round.6 The battle is decided; `card` is what won it, None when the attacker ran out of cards.

    battle.7: now casualties are counted and the loser retreats.
    """
    battle = replace(state.fighting(), winner=enemy(loser), won_by=card, played=None)
    state = replace(state, battle=battle).then(
        Prompt("losses", "", "losses.1"),
        Prompt("retreat", loser, "retreat.1"),
        Prompt("consequences", "", "losses.5"),
        Prompt("battle_over", "", "round.7"),
    )
    return state, (event(rule, "battle_lost", side=loser, space=battle.space, by=card),)


def casualties(state: S, dice: Dice) -> Handled[S]:
    """losses.1 One die for both, in the column of the rounds played (losses.2). edition.3: this is not attrition.

    losses.4: only CUs are lost. With no round played there is no roll.
    """
    battle = state.fighting()
    if not battle.rounds:
        return state, ()
    (face,) = dice.roll(1, 6, "losses.1", space=battle.space)
    lost, elephant = state.tables.attrition.read(face, battle.rounds)
    gone: dict[Side, Troops] = {}
    for side in SIDES:
        state, gone[side] = lose(state, side, lost, elephant)
    told = event(
        "losses.1",
        "casualties",
        dice=[face],
        rounds=battle.rounds,
        result=lost,
        lost={side: each.size for side, each in gone.items()},
        elephants_lost={side: each.elephants for side, each in gone.items()},
    )
    return state, (told,)


def lose(state: S, side: Side, count: int, elephant: bool) -> tuple[S, Troops]:
    """losses.4 CUs of a side in the battle die; counted for losses.6."""
    battle = state.fighting()
    force = state.spaces[battle.space].outside(side)
    left = force.after_losses(count, elephant)
    gone = force.minus(left)
    state = replace(state, battle=battle.with_lost(side, gone.size))
    return state.set_outside(battle.space, side, left), gone


def losses(state: S, dice: Dice) -> Handled[S]:
    """losses.3 Casualties for both, then the retreat table for the loser.

    tables.retreat.elephant: of the CUs lost by the table an elephant goes first.
    tables.retreat.modifiers: by the card that won; nothing when the attacker had no card.
    losses.8: generals whose last CU dies by the table are displaced; by casualties they are not.
    """
    state, events = casualties(state.answered(), dice)
    battle = state.fighting()
    assert battle.winner is not None, "a battle that is over has a winner"
    loser = enemy(battle.winner)
    if not state.spaces[battle.space].outside(loser).size:
        return state, events
    (face,) = dice.roll(1, 6, "tables.retreat", side=loser)
    modifier = book_of(state).battle_cards[battle.won_by].retreat if battle.won_by else 0
    due = state.tables.retreat.read(face + modifier, battle.start[loser])
    state, gone = lose(state, loser, due, elephant=due > 0)
    told = event(
        "tables.retreat",
        "retreat_losses",
        side=loser,
        dice=[face],
        modifier=modifier,
        lost=gone.size,
        elephants_lost=gone.elephants,
    )
    events += (told,)
    if not state.spaces[battle.space].outside(loser).size:
        state, more = displace_all(state, battle.generals[loser], "losses.8")
        events += more
    return state, events


def consequences(state: S, dice: Dice) -> Handled[S]:
    """losses.5 Half the loser's dead, rounded down, in PCs of his choice. losses.6: all losses of the battle count."""
    state = state.answered()
    battle = state.fighting()
    assert battle.winner is not None, "a battle that is over has a winner"
    loser = enemy(battle.winner)
    due = battle.lost.get(loser, 0) // 2
    told = event("losses.5", "political_loss", side=loser, lost=battle.lost.get(loser, 0), pcs=due)
    if not due:
        return state, (told,)
    return state.then(Prompt("remove", loser, "losses.5", {"left": due, "why": "battle"})), (told,)


def battle_over(state: S, dice: Dice) -> Handled[S]:
    """round.7 The battle cards are shuffled together again for the next battle; the attacker's move has ended.

    movement.command.5 Whoever of the moving side has fought moves no more on this card.
    """
    state, battle = state.answered(), state.fighting()
    side = battle.attacker
    here = generals_at(state, side, battle.space, inside=False)
    state = spend(state, battle.space, state.spaces[battle.space].outside(side).size, (*battle.generals[side], *here))
    told = event("round.7", "battle_ended", space=battle.space, winner=battle.winner)
    return replace(state, battle=None, march=None), (told,)


# -- The order of a battle: who fights, change of command, elephants, the hands.

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


def join_choices(state: Campaign) -> Iterator[Offer]:
    """siege.6 Every party that may come out, or nobody; asked where a force with a general is shut in there."""
    battle, side = state.fighting(), side_of_prompt(state)
    inside, people = state.spaces[battle.space].within(side), generals_at(state, side, battle.space, inside=True)
    if battle.sortie or not is_shut_in(state, side, battle.space) or not inside.size or not people:
        return

    def why_not(group: Party, force: Troops) -> Illegal | None:
        return why_not_join(state, side, Join(group, force.units, force.elephants))

    for fields in companies("generals", parties(people), inside.only_units(), inside.size, why_not):
        yield Offer("join", "siege.6", fields)
    yield Offer("pass", "siege.6")


# change of command


def consuls_here(state: Campaign) -> tuple[str, ...]:
    """battle.1 The consuls in the battle, who commands first."""
    battle, standing = state.fighting(), book_of(state).standing
    names = [name for name in battle.generals["rome"] if state.generals[name].rank == "consul"]
    return tuple(sorted(names, key=lambda name: (name != battle.commanders["rome"], standing(state, name))))


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


def command_choices(state: Campaign) -> Iterator[Offer]:
    """battle.1a With both consuls there Carthage may roll; as the attacker it must (battle.1b), without a question."""
    if len(consuls_here(state)) > 1 and state.fighting().attacker != "carthage":
        yield Offer("change_command", "battle.1a")
        yield Offer("pass", "battle.1a")


# elephants


def elephants_here(state: Campaign) -> int:
    """battle.4 Elephant CUs on the field."""
    return state.spaces[state.fighting().space].outside("carthage").elephants


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


def charge_choices(state: Campaign) -> Iterator[Offer]:
    """battle.4 Charge or not, where Carthage has elephants."""
    if elephants_here(state):
        cite = book_of(state).cite("battle.4")
        yield Offer("charge", cite)
        yield Offer("pass", cite)


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


# -- Withdrawal from a battle: in place of a card, by a roll that the other side may cancel.

CITY = "city"


def withdrawals(state: Campaign, side: Side) -> tuple[str, ...]:
    """round.1c Where the side may withdraw: a sortie into its city (round.1c.5), the original attacker where he came
    from (round.1c.3), the defender anywhere near but there (round.1c.4); by road only (round.1c.2), or by sea where
    the game knows of it (11.9).
    """
    battle = state.fighting()
    if side == battle.attacker and battle.sortie:
        return (CITY,) if book_of(state).room(battle.space) - _inside(state) >= _outside(state, side).size else ()
    near = dict.fromkeys(book_of(state).chart.neighbours(battle.space, ROADS))
    ways = [there for there in near if (there == battle.came_from) == (side == battle.attacker)]
    by_land = tuple(there for there in ways if may_withdraw(state, side, there))
    return tuple(dict.fromkeys((*by_land, *book_of(state).sea_ways(state, side))))


def _inside(state: Campaign) -> int:
    return state.spaces[state.fighting().space].inside.size


def _outside(state: Campaign, side: Side) -> Troops:
    return state.spaces[state.fighting().space].outside(side)


def may_withdraw(state: Campaign, side: Side, there: str) -> bool:
    """round.1c.1 Not onto enemy PCs, CUs or tribes that are no friends.

    round.1c Those who came out of the city to join the battle go back there, not along by land.
    """
    battle = state.fighting()
    return (
        not is_enemy_ground(state, side, there)
        and not enemy_units(state, side, there)
        and keep_to(state, (name for name in battle.generals[side] if name not in _from_inside(state, side)), there)
        and book_of(state).may_units_enter(state, side, battle.space, there)
    )


def why_not_withdraw(state: Campaign, side: Side, to: str) -> Illegal | None:
    """round.1a A general must lead it, and there must be a way."""
    battle = state.fighting()
    if battle.commanders[side] is None:
        return Illegal("round.1a", "without a general an army cannot withdraw")
    if not battle.hands[side]:
        return Illegal("round.6", "without a battle card the attacker has lost (withdrawal.1)")
    if to not in withdrawals(state, side):
        return Illegal("round.1c.1", "the army cannot withdraw to %(to)s", to=to)
    return None


def withdraw(state: S, command: Withdraw, dice: Dice) -> Handled[S]:
    """round.1a, withdrawal.1 In place of a card: a die no higher than the battle rating."""
    side, battle = side_of_prompt(state), state.fighting()
    refuse(why_not_withdraw(state, side, command.to))
    leader = battle.commanders[side] or ""
    limit = rating(state, leader)
    good, face = attempt(dice, "round.1a", limit, general=leader)
    told = event("round.1a", "withdrawal", side=side, to=command.to, dice=[face], rating=limit, success=good)
    state = state.answered()
    if not good:
        return fail(state, side), (told,)
    return state.then(Prompt("cancel", enemy(side), "round.1b", {"to": command.to})), (told,)


def fail(state: S, side: Side) -> S:
    """round.1d The defender attacks in the next round; withdrawal.2: a cancelled try is a failed one
    (reading.1: the condensed rules stand above the tables, which would let the defender choose).

    Option cancelled_withdrawal "defender_chooses": the defender may leave the attack to the other.
    """
    other = enemy(side)
    state = replace(state, battle=replace(state.fighting(), initiative=other))
    if book_of(state).chooses_initiative(state):
        return state.then(Prompt("take_initiative", other, "withdrawal.2"))
    return state.then(attack_prompt(state))


def cancel(state: S, command: Cancel, dice: Dice) -> Handled[S]:
    """round.1b A die no higher than the battle rating cancels it; Flaminius stops a withdrawal on 1-4."""
    side, to = side_of_prompt(state), state.agenda[-1].about["to"]
    limit = book_of(state).limit(state, state.fighting().commanders[side] or "", "stop", False)
    good, face = attempt(dice, "round.1b", limit, side=side)
    told = event("round.1b", "withdrawal_stopped", side=side, dice=[face], rating=limit, success=good)
    state = state.answered()
    if good:
        return fail(state, enemy(side)), (told,)
    state, events = leave(state, enemy(side), to, dice)
    return state, (told, *events)


def cancel_over(state: S, dice: Dice) -> Handled[S]:
    """round.1b Nobody to stop it."""
    side, to = enemy(side_of_prompt(state)), state.agenda[-1].about["to"]
    return leave(state.answered(), side, to, dice)


def leave(state: S, side: Side, to: str, dice: Dice) -> Handled[S]:
    """round.1c, round.1c.6 Casualties for both, then the army is gone; withdrawal.3: no retreat table.

    round.1c.5 Those who came out of the city go back into it, as far as they survive. Ruling: casualties fall first on
    the army that came to their relief, and ordinary CUs go back before elephants.
    """
    state, events = casualties(state, dice)
    battle, names = state.fighting(), state.fighting().generals[side]
    force, by_sea = _outside(state, side), to in book_of(state).sea_ways(state, side)
    inside = force if to == CITY else returning(state, side)
    going, inside_too = force.minus(inside), names if to == CITY else _from_inside(state, side)
    state = state.enter_walls(battle.space, side, inside).move_generals(inside_too, battle.space, inside=True)
    if to != CITY:
        left = tuple(name for name in names if name not in inside_too)
        state = state.set_outside(battle.space, side, Troops()).add(to, side, going).move_generals(left, to)
        state, more = give_way(state, side, left, to)
        events += more
    state, more = book_of(state).leave_behind(state, side, names, battle.space, "withdraw")
    if side == battle.attacker:
        state = spend(
            spend(state, battle.space, inside.size, names), to if to != CITY else battle.space, going.size, ()
        )
    told = event("11.9" if by_sea else "round.1c", "withdrew", side=side, to=to, units=force.size, inside=inside.size)
    return state.then(Prompt("battle_over", "", "round.7")), (*events, *more, told)


def returning(state: Campaign, side: Side) -> Troops:
    """round.1c.5 The CUs that go back into the city out of which they came to join the battle."""
    battle = state.fighting()
    if side != battle.attacker or battle.sortie:
        return Troops()
    force = _outside(state, side)
    count = min(battle.sortie_size, force.size, max(state.room_left(battle.space), 0))
    units = min(force.units, count)
    return Troops(units, count - units)


def _from_inside(state: Campaign, side: Side) -> tuple[str, ...]:
    """round.1c The generals who came out of the city to join the attack."""
    return state.fighting().joined if side == state.fighting().attacker else ()


def take_initiative(state: S, command: CounterAttack, dice: Dice) -> Handled[S]:
    """withdrawal.2 The defender attacks."""
    state = state.answered()
    return state.then(attack_prompt(state)), ()


def leave_initiative(state: S, command: Pass, dice: Dice) -> Handled[S]:
    """withdrawal.2 The defender leaves the attack to the other."""
    side = side_of_prompt(state)
    state = replace(state.answered(), battle=replace(state.fighting(), initiative=enemy(side)))
    return state.then(attack_prompt(state)), ()


def cancel_choices(state: Campaign) -> Iterator[Offer]:
    """round.1b Roll or let them go; only a general stops a withdrawal."""
    if state.fighting().commanders[side_of_prompt(state)] is not None:
        yield Offer("cancel", "round.1b")
        yield Offer("pass", "round.1b")


# -- The battle round: attack, match or lose, the counter-attack.


def meanings(state: Campaign, side: Side, card: str) -> tuple[str, ...]:
    """round.2 The kinds for which a card of the battle hand can stand; a Reserve for any."""
    book = book_of(state)
    if book.battle_cards[card].wild:
        return tuple(each.id for each in book.battle_cards.values() if not each.wild)
    return (card, *book.also_means(state, side, card))


def battle_hand(state: Campaign, side: Side) -> tuple[str, ...]:
    """round.1 The kinds in a battle hand; all of them when hands are not tracked."""
    hand = state.fighting().hands[side]
    return tuple(book_of(state).battle_cards) if UNSEEN in hand else tuple(dict.fromkeys(hand))


def why_not_card(state: Campaign, side: Side, card: str, kind: str) -> Illegal | None:
    """round.1 The card is in the hand and can stand for this kind."""
    book = book_of(state)
    others = book.other_cards(state, side)
    if card not in others and (card not in book.battle_cards or card not in battle_hand(state, side)):
        return Illegal("round.1", "this battle hand does not hold %(card)s", card=card)
    if kind not in ((others[card],) if card in others else meanings(state, side, card)):
        return Illegal("round.2", "%(card)s cannot be played as %(kind)s", card=card, kind=kind)
    return None


def play_card(state: S, side: Side, card: str, kind: str) -> Handled[S]:
    """round.1 The card leaves the hand."""
    book = book_of(state)
    if card in book.other_cards(state, side):
        return book.play_other(state, side, card)
    battle = state.fighting()
    hands = {**battle.hands, side: without(battle.hands[side], card)}
    state = replace(state, battle=replace(battle, hands=hands, discard=(*battle.discard, card)))
    return book.after_card(state, side, card, kind), ()


def is_out(state: Campaign, side: Side) -> bool:
    """round.6 No battle card, nor (as far as the table can know) anything that stands for one or brings one?"""
    book = book_of(state)
    return not (state.fighting().hands[side] or book.may_hold_other(state, side) or book.may_take_card(state, side))


# the attack


def attack_open(state: Campaign) -> bool:
    """round.6 Has the attacker a card to play?"""
    return not is_out(state, side_of_prompt(state))


def attack(state: S, command: Attack, dice: Dice) -> Handled[S]:
    """round.1 The current attacker plays a card."""
    side = side_of_prompt(state)
    refuse(why_not_card(state, side, command.card, command.as_kind))
    state, events = play_card(state.answered(), side, command.card, command.as_kind)
    battle = state.fighting()
    free = command.card in book_of(state).battle_cards
    battle = replace(battle, played=command.as_kind, free_initiative=free, rounds=battle.rounds + 1)
    told = event(
        "round.1", "attack", side=side, card=command.card, kind=command.as_kind, round=battle.rounds, reveals=True
    )
    return replace(state, battle=battle).then(Prompt("match", enemy(side), "round.2")), (*events, told)


def attack_over(state: S, dice: Dice) -> Handled[S]:
    """round.6 Without a card the attacker loses."""
    return lose_battle(state.answered(), side_of_prompt(state), None, "round.6")


def no_card(state: S, command: Concede, dice: Dice) -> Handled[S]:
    """round.6 The attacker whose hand is empty admits that he has nothing else either."""
    if state.fighting().hands[side_of_prompt(state)]:
        raise Illegal("round.6", "an attacker with battle cards must play one or withdraw")
    return attack_over(state, dice)


def attack_choices(state: Campaign) -> Iterator[Offer]:
    """round.1 Each card with what it may stand for; the ways to withdraw."""
    side, battle, book = side_of_prompt(state), state.fighting(), book_of(state)
    if battle.hands[side]:
        for card in battle_hand(state, side):
            yield Offer("attack", "round.1", {"card": card, "as_kind": list(meanings(state, side, card))})
    for card, kind in book.other_cards(state, side).items():
        yield Offer("attack", "strategy.event.2", {"card": card, "as_kind": kind})
    if not battle.hands[side]:
        yield Offer("concede", "round.6")
    elif battle.commanders[side] is not None:
        yield from offer("withdraw", "round.1a", to=withdrawals(state, side))


# the match


def match_open(state: Campaign) -> bool:
    """round.2 Has the defender any card that could match, or (as far as the table can know) what brings him one?"""
    side, battle, book = side_of_prompt(state), state.fighting(), book_of(state)
    stands_for_it = battle.played == book.other_kind and book.may_hold_other(state, side)
    return bool(battle.hands[side]) or stands_for_it or book.may_take_card(state, side)


def match(state: S, command: Match, dice: Dice) -> Handled[S]:
    """round.2 The same kind; round.3a: a Double Envelopment takes the initiative without a roll."""
    side, battle = side_of_prompt(state), state.fighting()
    kind = battle.played or ""
    refuse(why_not_card(state, side, command.card, kind))
    state, events = play_card(state.answered(), side, command.card, kind)
    battle = replace(state.fighting(), played=None)
    told = event("round.2", "matched", side=side, card=command.card, kind=kind, reveals=True)
    if kind == "double_envelopment" and battle.free_initiative:
        state = replace(state, battle=replace(battle, initiative=side))
        return state.then(attack_prompt(state)), (*events, told, event("round.3a", "initiative", side=side))
    state = replace(state, battle=battle)
    return state.then(Prompt("counter_attack", side, "round.3")), (*events, told)


def match_over(state: S, dice: Dice) -> Handled[S]:
    """round.2 Not matched, on purpose or with an empty hand: the battle is lost."""
    return lose_battle(state.answered(), side_of_prompt(state), state.fighting().played, "round.2")


def match_choices(state: Campaign) -> Iterator[Offer]:
    """round.2 The cards that match, or losing."""
    side, battle, book = side_of_prompt(state), state.fighting(), book_of(state)
    kind = battle.played or ""
    hand = battle_hand(state, side) if battle.hands[side] else ()
    cards = [card for card in hand if kind in meanings(state, side, card)]
    cards += [card for card, stands_for in book.other_cards(state, side).items() if kind == stands_for]
    yield from offer("match", "round.2", card=cards)
    yield Offer("concede", "round.2")


# the counter-attack


def counter_open(state: Campaign) -> bool:
    """round.4a Only with a general."""
    return state.fighting().commanders[side_of_prompt(state)] is not None


def counter_attack(state: S, command: CounterAttack, dice: Dice) -> Handled[S]:
    """round.4 After a success the defender attacks in the next round (round.5).

    No higher than the commander's battle rating; Longus and Paulus have their own.
    """
    side = side_of_prompt(state)
    state = state.answered()
    battle = state.fighting()
    limit = book_of(state).limit(state, battle.commanders[side] or "", "counter_attack", side == battle.attacker)
    good, face = attempt(dice, "round.4", limit, side=side)
    told = event("round.4", "counter_attack", side=side, dice=[face], rating=limit, success=good)
    state = replace(state, battle=replace(battle, initiative=side if good else battle.initiative))
    return state.then(attack_prompt(state)), (told,)


def counter_over(state: S, dice: Dice) -> Handled[S]:
    """round.4a Without a general the attacker goes on."""
    state = state.answered()
    return state.then(attack_prompt(state)), ()


def counter_choices(state: Campaign) -> Iterator[Offer]:
    """round.3 Roll or not."""
    yield Offer("counter_attack", "round.4")
    yield Offer("pass", "round.3")


# -- What comes of a meeting: generals caught alone, an overrun, a battle, a pursuit.


def clash(state: S, dice: Dice) -> Handled[S]:
    """movement.land.4 What is left is overrun or fights, and who is alone is caught (movement.land.5a); who has
    intercepted is not overrun.
    """
    state = state.answered()
    march = state.march
    if march is None:
        return state, ()
    other = enemy(march.side)
    events: tuple[Event, ...] = ()
    troops = state.spaces[march.at].outside(other)
    if is_overrun(state, march):
        state, events = overrun(state, march, other)
    elif troops.size:
        return open_battle(state), ()
    return (state.then(Prompt("pursuit", march.side, "pursuit.1")) if march.chased else state), events


def is_overrun(state: Campaign, march: March) -> bool:
    """movement.land.4 Does one CU stand there against five, and has nobody intercepted?"""
    alone = state.spaces[march.at].outside(enemy(march.side)).size == 1
    return alone and march.force.size >= state.tables.movement.overrun and not march.intercepted


def overrun(state: S, march: March, other: Side) -> Handled[S]:
    """movement.land.4 Five CUs ride down one (reading.2); its general is then alone (movement.land.5a)."""
    troops = state.spaces[march.at].outside(other)
    state = state.set_outside(march.at, other, troops.only_trains())
    return state, (event("movement.land.4", "overrun", side=other, space=march.at, elephants=troops.elephants),)


def open_battle(state: S) -> S:
    """battle.1 A battle comes, unless the weather (card 41) prevents it."""
    march = state.marching()
    calm = book_of(state).moments(state, "weather")
    return state.then(*calm, Prompt("battle", "", "battle.1", {"space": march.at}))


# the pursuit


def pursue(state: S, command: Pursue, dice: Dice) -> Handled[S]:
    """pursuit.2 After a success the army moves on (pursuit.2b), after a failure it stops (pursuit.2c).

    pursuit.2a The battle rating of the active army's commander, whoever was activated; Flaminius 4.
    """
    state = state.answered()
    march = state.marching()
    leader = commander(state, march.generals) or ""
    limit = book_of(state).limit(state, leader, "pursue", True)
    good, face = attempt(dice, "pursuit.2", limit, general=leader)
    told = event("pursuit.2a", "pursuit", side=march.side, general=leader, dice=[face], rating=limit, success=good)
    return replace(state, march=replace(march, chased=False, stopped=not good)), (told,)


def give_up(state: S, command: Done | Pass, dice: Dice) -> Handled[S]:
    """pursuit.1 No pursuit: the army stops."""
    state = state.answered()
    march = state.marching()
    told = event("pursuit.1", "no_pursuit", side=march.side, general=march.general)
    return replace(state, march=replace(march, chased=False, stopped=True)), (told,)


def no_pursuit(state: S, dice: Dice) -> Handled[S]:
    """pursuit.3 No points are left."""
    state = state.answered()
    if state.march is None:
        return state, ()
    return replace(state, march=replace(state.march, chased=False, stopped=True)), ()


def pursuit_choices(state: Campaign) -> Iterator[Offer]:
    """pursuit.1, pursuit.3 Roll or stop, only with points left to go on with."""
    if state.march is not None and state.march.points > 0 and not state.march.stopped:
        yield Offer("pursue", "pursuit.2")
        yield Offer("done", "pursuit.1")


# -- The boxes of a meeting and of a battle: each question with its answers, and what goes by itself.

PURSUIT = box("pursuit", "pursuit.1", {Pursue: pursue, Done: give_up}, pursuit_choices, leave=no_pursuit)
ATTACK = box(
    "attack",
    "round.1",
    {Attack: attack, Withdraw: withdraw, Concede: no_card},
    attack_choices,
    attack_open,
    attack_over,
)
MATCH = box("match", "round.2", {Match: match, Concede: None}, match_choices, match_open, match_over)
BOXES: tuple[Step[Any], ...] = (
    auto("battle", "battle.1", begin),
    box("join", "siege.6", {Join: join, Pass: None}, join_choices),
    box("command", "battle.1", {ChangeCommand: change_command, Pass: None}, command_choices, leave=command_over),
    box("elephants", "battle.4", {Charge: charge, Pass: None}, charge_choices),
    auto("charge_roll", "battle.4", charge_roll),
    auto("deal_battle", "battle.5", deal_battle),
    ATTACK,
    MATCH,
    box(
        "counter_attack",
        "round.3",
        {CounterAttack: counter_attack, Pass: None},
        counter_choices,
        counter_open,
        counter_over,
    ),
    box("cancel", "round.1b", {Cancel: cancel, Pass: None}, cancel_choices, leave=cancel_over),
    auto("losses", "losses.1", losses),
    auto("consequences", "losses.5", consequences),
    auto("battle_over", "round.7", battle_over),
)


# -- battle.5 The coming battle: how many battle cards each side would hold, and where they are from.


class HandAhead(Record, frozen=True):
    """A side's hand before it is dealt: the cards, and their parts by what they are for."""

    side: Side
    cards: int
    parts: dict[str, int]


def meeting_there(state: Campaign, space: str, companions: tuple[str, ...], force: Troops) -> Campaign | None:
    """The position with the battle that begins if the army on the march comes to a space with these; None where it
    would not come to battle."""
    return meeting_here(brought(state, space, companions, force))


def meeting_here(state: Campaign) -> Campaign | None:
    """The position with the battle that begins where the army on the march stands, its cards not yet dealt; None where
    it does not come to battle, or where they have been dealt."""
    march, begun = state.march, state.battle
    if march is None:
        return None
    if begun is not None:
        return None if any(begun.hands.values()) else state
    place = state.spaces[march.at]
    if not place.outside(march.side).size or not place.outside(enemy(march.side)).size:
        return None
    if any(prompt.kind in ("meet", "clash") for prompt in state.agenda) and is_overrun(state, march):
        return None
    return replace_fields(state, battle=book_of(state).battle(state, battle_facts(state)))  # type: ignore[type-var]


def hands_of(meeting: Campaign | None) -> tuple[HandAhead, HandAhead] | None:
    """The hands of attacker and defender in a battle that is to begin."""
    if meeting is None:
        return None
    book, attacker = book_of(meeting), meeting.fighting().attacker
    hands = {side: HandAhead(side, *book.hand_size(meeting, side)) for side in SIDES}
    return hands[attacker], hands[enemy(attacker)]


# -- battle.6 Who wins a battle by cards that has not begun, at what chance: the rules' own rounds, played out many
# times.
#
# No secret goes into it: both hands are dealt from the whole deck, as they will be. What is assumed: each side plays
# the
# card that it holds most of, matches whenever it can and rolls for the initiative; nobody withdraws, no elephants
# charge,
# no event is played.

BATTLES = 300  # played out for each answer: the share is within three of a hundred in two cases of three


def attackers_share(meeting: Campaign, dice: Dice) -> float | None:
    """The attacker's share of battles won, between 0 and 1; None where battle cards are not dealt by the program.

    `meeting` is a position with a battle whose cards have not been dealt; `dice` are thrown and draw for all battles.
    """
    if book_of(meeting).no_deal(meeting):
        return None
    attacker = meeting.fighting().attacker
    return sum(winner_of(meeting, dice) == attacker for _battle in range(BATTLES)) / BATTLES


def winner_of(meeting: Campaign, dice: Dice) -> Side | None:
    """Who wins the battle, dealt and fought out once."""
    state: Any = meeting.then(Prompt("deal_battle", "", "battle.5"))
    state, _told = deal_battle(state, dice)
    while state.fighting().winner is None:
        state = next_act(state, dice)
    winner: Side | None = state.fighting().winner
    return winner


def next_act(state: Any, dice: Dice) -> Any:
    """The position after what the side that is asked does."""
    prompt = state.agenda[-1]
    hand, kind = state.fighting().hands[prompt.seat], state.fighting().played or ""
    if prompt.kind == "counter_attack":
        does = counter_attack(state, CounterAttack(), dice) if counter_open(state) else counter_over(state, dice)
    elif prompt.kind == "attack":
        card = commonest_kind(state, hand)
        does = (
            attack(state, Attack(card, meanings(state, prompt.seat, card)[0]), dice)
            if card
            else attack_over(state, dice)
        )
    else:
        fitting = [card for card in hand if kind in meanings(state, prompt.seat, card)]
        card = kind if kind in fitting else fitting[0] if fitting else ""
        does = match(state, Match(card), dice) if card else match_over(state, dice)
    return does[0]


def commonest_kind(state: Any, hand: tuple[str, ...]) -> str:
    """The kind of which most are held, cards that stand for any kind last; empty for an empty hand."""
    cards, held = book_of(state).battle_cards, Counter(hand)
    return max(held, key=lambda card: (not cards[card].wild, held[card]), default="")
