"""14, 17 A battle on land begins: commanders, elephants, hands."""

from __future__ import annotations

from msgspec.structs import replace

from strategic.hamilcar.commands import ChangeCommand, Charge, Join, Pass
from strategic.hamilcar.state import State
from strategic.hamilcar.survey import commander, controls, generals_at, least_consular, rating
from strategic.hamilcar.tables import BATTLE_DECK, PROVINCES, SIDES, Side, ground
from strategic.hamilcar.troops import Troops
from strategic.hamilcar.undertakings import Battle
from tactical.kernel.dice import Dice
from tactical.kernel.play import Event, Illegal, Offer, Prompt, event

Handled = tuple[State, tuple[Event, ...]]


def begin_battle(
    state: State, sortie: bool = False, interceptor: Side | None = None, failed_avoid: Side | None = None
) -> Handled:
    """battle The CUs outside the walls fight; the side that moves attacks."""
    march = state.marching()
    space, side = march.at, march.side
    place = state.spaces[space]
    generals: dict[Side, tuple[str, ...]] = {each: generals_at(state, each, space, inside=False) for each in SIDES}
    battle = Battle(
        space, side, side, generals, {each: commander(state, generals[each]) for each in SIDES},
        {each: place.outside(each).size for each in SIDES}, came_from=march.came_from(), landed=march.landed(),
        interceptor=interceptor, failed_avoid=failed_avoid, sortie=sortie,
    )  # fmt: skip
    state = replace(state, battle=battle, march=replace(march, stopped=True))
    told = event("battle", "battle", space=space, attacker=side, start=battle.start, commanders=battle.commanders)
    prompts = (
        Prompt("join", side, "siege.6"),
        Prompt("change_command", "carthage", "battle.1"),
        Prompt("charge", "carthage", "17"),
        Prompt("deal_battle", "", "14.1"),
    )
    return state.then(*prompts), (told,)


# the besieged come out


def check_join(state: State, command: Join) -> Troops:
    """siege.6 Only with a general from inside, and only CUs that are there; a sortie has come out already."""
    battle = state.fighting()
    side, space = battle.attacker, battle.space
    inside = generals_at(state, side, space, inside=True)
    if battle.sortie or not command.generals or not set(command.generals) <= set(inside):
        raise Illegal("siege.6", "only generals inside the walls lead troops out to join the battle")
    force = Troops(command.units, command.elephants)
    here = state.troops(space, side, inside=True)
    if not force.size or min(force.units, force.elephants) < 0 or not here.holds(force):
        raise Illegal("siege.6", "so many CUs are not inside")
    staying = [name for name in inside if name not in command.generals]
    if here.size - force.size < least_consular(state, staying):
        raise Illegal("18.1", "a consul is not left with fewer CUs than a consular army has")
    return force


def join(state: State, command: Join, dice: Dice) -> Handled:
    """siege.6 The besieged fight beside those who came to relieve them."""
    force = check_join(state, command)
    battle = state.fighting()
    side, space = battle.attacker, battle.space
    state = state.answered().take(space, side, force, inside=True).add(space, side, force)
    state = state.move_generals(command.generals, space)
    generals = {**battle.generals, side: generals_at(state, side, space, inside=False)}
    battle = replace(
        battle, generals=generals, commanders={**battle.commanders, side: commander(state, generals[side])},
        start={**battle.start, side: state.troops(space, side).size},
    )  # fmt: skip
    told = event("siege.6", "joins", side=side, space=space, units=force.size, generals=list(command.generals))
    return replace(state, battle=battle), (told,)


def stay_inside(state: State, command: Pass, dice: Dice) -> Handled:
    """siege.6 The besieged stay behind their walls."""
    return state.answered(), ()


def join_offers(state: State) -> tuple[Offer, ...]:
    """siege.6 All inside with all their CUs, or nobody."""
    battle = state.fighting()
    inside = generals_at(state, battle.attacker, battle.space, inside=True)
    here = state.troops(battle.space, battle.attacker, inside=True)
    try:
        check_join(state, Join(inside, here.units, here.elephants))
    except Illegal:
        return ()
    fields = {"generals": [list(inside)], "units": here.units, "elephants": here.elephants}
    return (Offer("join", "siege.6", fields), Offer("pass", "siege.6"))


# change of command


def consuls(state: State) -> tuple[str, ...]:
    """battle.1 The consuls on the field."""
    return tuple(name for name in state.fighting().generals["rome"] if state.generals[name].rank == "consul")


def change_command(state: State, command: ChangeCommand, dice: Dice) -> Handled:
    """battle.1 On 4 or more the other consul commands; compulsory when Carthage attacks."""
    state, battle = state.answered(), state.fighting()
    (face,) = dice.roll(1, 6, "battle.1", space=battle.space)
    changes = face >= state.tables.battle.change_of_command
    told = event("battle.1", "change_of_command", dice=[face], changes=changes)
    if not changes:
        return state, (told,)
    other = next(name for name in consuls(state) if name != battle.commanders["rome"])
    return replace(state, battle=replace(battle, commanders={**battle.commanders, "rome": other})), (told,)


def keep_command(state: State, command: Pass, dice: Dice) -> Handled:
    """battle.1 Carthage, attacked, does not ask for it."""
    return state.answered(), ()


def command_offers(state: State) -> tuple[Offer, ...]:
    """battle.1 Only with both consuls; when Carthage attacks it must roll."""
    if len(consuls(state)) < 2:
        return ()
    found = [Offer("change_command", "battle.1")]
    return tuple(found) if state.fighting().attacker == "carthage" else (*found, Offer("pass", "battle.1"))


# elephants


def elephants(state: State) -> int:
    """17 Elephant CUs on the field."""
    return state.spaces[state.fighting().space].outside("carthage").elephants


def charge(state: State, command: Charge, dice: Dice) -> Handled:
    """17 A die above the Roman rating costs Rome a card for each elephant CU; -2 until Xanthippus has come.

    17.a On a modified 1 or less Carthage loses exactly one card, however many elephants attack.
    """
    state, battle = state.answered(), state.fighting()
    plus = state.tables.battle.forgotten if state.forgotten else 0
    leader = battle.commanders["rome"]
    limit = rating(state, leader) if leader else state.tables.battle.elephants_without_general
    (face,) = dice.roll(1, 6, "17", space=battle.space)
    total = face + plus
    fewer: dict[Side, int] = {}
    if total > limit:
        fewer["rome"] = elephants(state)
    if total <= 1:
        fewer["carthage"] = state.tables.battle.wild
    told = event("17", "elephants", dice=[face], modifier=plus, rating=limit, fewer=fewer)
    return replace(state, battle=replace(battle, fewer=fewer)), (told,)


def no_charge(state: State, command: Pass, dice: Dice) -> Handled:
    """17 The elephants stay back."""
    return state.answered(), ()


def charge_offers(state: State) -> tuple[Offer, ...]:
    """17 Declared before any battle card is seen."""
    return (Offer("charge", "17"), Offer("pass", "17")) if elephants(state) else ()


# hands


def allies(state: State, side: Side, space: str) -> int:
    """hands.4 Cards for allied provinces of the region, with a general present; an island's only on that island."""
    if not state.fighting().generals[side]:
        return 0
    here = ground(space)
    total = 0
    for province in PROVINCES.values():
        if not controls(state, side, province.id):
            continue
        if province.region == here.region:  # on the islands each region is one island or one pair of them
            total += province.ally_cards
    if side == "rome" and here.region == "italia":
        total = min(total, state.tables.battle.roman_allies_in_italy)
    return total


def hand_size(state: State, side: Side) -> int:
    """14.1 Rating, CUs (10 at most), allies and the rest; 15 at most, before elephants. 26.13 lifts these limits.

    14.1.example A 1-1 general with 15 CUs and no allies gets 11.
    """
    battle, table = state.fighting(), state.tables.battle
    size = battle.start[side]
    if not state.options.epic_battles:
        size = min(size, table.unit_cards)
    total = rating(state, battle.commanders[side]) + size + allies(state, side, battle.space)
    total += table.interception if battle.interceptor == side else 0
    total -= table.failed_avoid if battle.failed_avoid == side else 0
    place = state.spaces[battle.space]
    if side == "rome" and ground(battle.space).province == "latium":
        total += table.latium
    if side == "carthage" and place.tribe and place.control == side:
        total += table.tribe
    most = table.epic_hand if state.options.epic_battles else table.hand
    cards: int = max(min(total, most) - battle.fewer.get(side, 0), 0)
    return cards


def deal_battle(state: State, dice: Dice) -> Handled:
    """14.1 Both hands from the shuffled battle deck."""
    state = state.answered()
    deck = dice.shuffled(BATTLE_DECK)
    battle = state.fighting()
    first, second = hand_size(state, battle.attacker), hand_size(state, battle.defender)
    hands: dict[Side, tuple[str, ...]] = {
        battle.attacker: deck[:first], battle.defender: deck[first : first + second],
    }  # fmt: skip
    state = replace(state, battle=replace(battle, hands=hands, deck=deck[first + second :]))
    told = event("14.1", "battle_hands", cards={side: len(hands[side]) for side in SIDES}, reveals=True)
    return state.then(attack_prompt(state)), (told,)


def attack_prompt(state: State) -> Prompt:
    """round.1 The side with the initiative attacks."""
    return Prompt("attack", state.fighting().initiative, "round.1")
