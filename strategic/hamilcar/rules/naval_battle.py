"""11.7 The naval battle by the game's own table, with its tactics cards."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, Literal

from msgspec.structs import replace

from strategic.hamilcar.commands import (
    CancelRetreat,
    ChooseShips,
    Engage,
    Evade,
    Flee,
    PickShip,
    PickTactic,
    Regroup,
    Tactic,
    Target,
)
from strategic.hamilcar.rules.aftermath import enter
from strategic.hamilcar.rules.sea import catching_force
from strategic.hamilcar.rules.survey import is_unskilled, whose_ships, why_not_ships
from strategic.hamilcar.state import BOTH, Handled, NavalBattle, SeaFleet, State
from strategic.hamilcar.tables import TABLES, TACTICS
from strategic.interception import FACES
from strategic.naval import settling
from strategic.naval.engagement import Engagement, Fleet, NavalOutcome, NavalUnit, SideOutcome, Transport, stops
from strategic.naval.settling import Report, Settle
from strategic.point_to_point.commands import Pass
from strategic.point_to_point.rulebook import auto, box
from strategic.point_to_point.state import SIDES, Side, Troops, as_side, enemy
from strategic.point_to_point.survey import commander, rating, side_of_prompt
from tactical.kernel.dice import Dice
from tactical.kernel.protocol import (
    UMPIRE,
    Event,
    Illegal,
    NotYours,
    Offer,
    Prompt,
    Step,
    by_attempt,
    event,
    offer,
    refuse,
)

# -- 11.7 The naval battle by the game's own table: rounds of manoeuvre, engagement, and regrouping or retreat.
#
# 11.7.example is played through in the tests; H.example names its slips, which are not followed here.

Aim = Literal["ships", "transports"]


def begin(state: State, dice: Dice) -> Handled:
    """11.7.hands, H4, 11.2.a The deck is shuffled; supremacy gives 1 card, each commander his battle rating.

    11.7.hands.example Supremacy and a rating of 2 make three cards.
    """
    engagement = state.engaged()
    deck = dice.shuffled(state.tactics_deck)
    first = state.supremacy
    fleets: dict[Side, SeaFleet] = {}
    for side in (first, enemy(first)):
        sent = engagement.fleets[side]
        count = sent.rating + (state.tables.naval.supremacy_cards if side == state.supremacy else 0)
        fleets[side] = SeaFleet(
            tuple(unit.id for unit in sent.units),
            transports=len(sent.transports),
            hand=deck[:count],
            rating=sent.rating,
            admiral=sent.admiral,
            general=sent.commander,
        )
        deck = deck[count:]
    battle = NavalBattle(engagement.id, fleets, order=(first, enemy(first)), deck=deck)
    state = replace(state, naval=battle, engagement=replace(engagement, way="own_table"))
    told = event(
        "11.7.hands",
        "naval_battle",
        engagement=engagement.id,
        first=first,
        cards={side: len(fleets[side].hand) for side in SIDES},
        reveals=True,
    )
    return state.then(Prompt("naval", "", "11.7.rounds")), (told,)


def with_fleet(state: State, side: Side, **changes: Any) -> State:
    """The battle with one fleet changed."""
    battle = state.at_sea()
    return replace(
        state, naval=replace(battle, fleets={**battle.fleets, side: replace(battle.fleets[side], **changes)})
    )


def at(state: State, **changes: Any) -> State:
    """The battle with its own facts changed."""
    return replace(state, naval=replace(state.at_sea(), **changes))


def proceed(state: State, dice: Dice) -> Handled:
    """11.7.steps Ask the next step; a fleet without a ready ship does nothing (11.7.engage.a, H5.a)."""
    battle = state.at_sea()
    if battle.retreat:
        return over(state.answered(), dice)
    if battle.turn >= len(battle.order):
        return round_over(state, dice)
    side = battle.side
    fleet = battle.fleets[side]
    if not fleet.ready:
        return at(state, turn=battle.turn + 1, step="manoeuvre"), ()
    if battle.step == "manoeuvre":
        return at(state, step="engage").then(Prompt("manoeuvre", side, "11.7.manoeuvre")), ()
    if battle.step == "engage":
        state = at(state, step="regroup")
        if fleet.skips:
            return with_fleet(state, side, skips=False, bonus=0, bonus_on_transports=0), (
                event("11.7.cards.8", "no_engagement", side=side),
            )
        return state.then(Prompt("engage", side, "11.7.engage")), ()
    state = at(with_fleet(state, side, bonus=0, bonus_on_transports=0), turn=battle.turn + 1, step="manoeuvre")
    return state.then(Prompt("regroup", side, "11.7.choice")), ()


def round_over(state: State, dice: Dice) -> Handled:
    """11.7.end.1, 11.7.end.3 A fleet without ready ships, or the fifth round, ends it; else a new round (H5)."""
    battle = state.at_sea()
    if battle.round >= state.tables.naval.rounds or not all(battle.fleets[side].ready for side in SIDES):
        return over(state.answered(), dice)
    first = state.supremacy
    for side in SIDES:
        state = with_fleet(state, side, no_corvus=False)
    state = at(state, round=battle.round + 1, order=(first, enemy(first)), turn=0, step="manoeuvre")
    return state, (event("11.7.rounds", "naval_round", round=battle.round + 1, first=first),)


# manoeuvre


def acting(state: State) -> tuple[Side, SeaFleet, SeaFleet]:
    """Who must decide, his fleet and the enemy's."""
    side = side_of_prompt(state)
    fleets = state.at_sea().fleets
    return side, fleets[side], fleets[enemy(side)]


def draw(state: State, side: Side, count: int) -> State:
    """H4 Draw cards; an empty deck gives none."""
    battle = state.at_sea()
    taken = battle.deck[:count]
    return with_fleet(at(state, deck=battle.deck[count:]), side, hand=(*battle.fleets[side].hand, *taken))


def seize(state: State, side: Side, rule: str) -> Handled:
    """11.7.supremacy A side takes supremacy at once; the order of the round stays (H5)."""
    if state.supremacy == side:
        return state, ()
    return replace(state, supremacy=side), (event(rule, "supremacy", side=side),)


# engagement


def aims(foe: SeaFleet) -> tuple[Aim, ...]:
    """11.7.engage.b What can be named as the target."""
    found: list[Aim] = []
    if foe.ready:
        found.append("ships")
    if foe.transports:
        found.append("transports")
    return tuple(found)


def modifier(state: State, side: Side, no_corvus: bool = False) -> int:
    """11.7.engage.d, 11.7.engage.e, H6.a Rome: poor or fair seamanship -1, the corvus +1, which it may not forgo."""
    if side == "carthage":
        return 0
    corvus = state.tables.naval.corvus if state.corvus and not no_corvus else 0
    return corvus + (state.tables.naval.unskilled if is_unskilled(state) else 0)


def engage_modifier(state: State, side: Side, target: str) -> int:
    """11.7.engage.d, 11.7.engage.e What a side adds to its die at this target: seamanship, corvus, tactics cards."""
    fleet = state.at_sea().fleets[side]
    bonus = fleet.bonus + fleet.next_bonus + (fleet.bonus_on_transports if target == "transports" else 0)
    return modifier(state, side, fleet.no_corvus) + bonus


def engage_hits(state: State, side: Side, target: str) -> tuple[int, ...]:
    """11.7.engage The hits of each face of the die, from 1 to 6, in this round."""
    battle, plus = state.at_sea(), engage_modifier(state, side, target)
    return tuple(state.tables.naval.read(face + plus, battle.round) for face in FACES)


def engage(state: State, command: Engage, dice: Dice) -> Handled:
    """11.7.engage One die in the column of the round; hits at once, those beyond the target are lost (H6)."""
    side, fleet, foe = acting(state)
    if command.target not in aims(foe):
        raise Illegal("11.7.engage.b", "the enemy has no %(target)s left in this battle", target=command.target)
    battle = state.at_sea()
    plus = engage_modifier(state, side, command.target)
    (face,) = dice.roll(1, 6, "11.7.engage", side=side, round=str(battle.round))
    total = face + plus
    hits = state.tables.naval.read(total, battle.round)
    state = state.answered()
    prize = is_prize(state, side, command.target, total, hits)
    told = event(
        "11.7.engage",
        "engaged",
        side=side,
        round=battle.round,
        target=command.target,
        dice=[face],
        modifier=plus,
        hits=hits,
        prize=prize,
    )
    state, more = hit(state, side, command.target, hits, "11.7.engage.c", prize)
    state = with_fleet(state, side, bonus=0, bonus_on_transports=0, next_bonus=0, draw_on_hit=0)
    if hits and fleet.draw_on_hit:
        state = draw(state, side, fleet.draw_on_hit)
    seized: tuple[Event, ...] = ()
    if total >= state.tables.naval.trident_row:
        state, seized = seize(state, side, "11.7.supremacy")
    return state, (told, *more, *seized)


def is_prize(state: State, side: Side, aim: Aim, total: int, hits: int) -> bool:
    """11.7.prizes, H7 Rome with the corvus, on its row, against ships, with a hit: one hit is a prize.

    11.7.cards.7 In an ambush the corvus gives nothing, so no prize either.
    """
    corvus = side == "rome" and state.corvus and not state.at_sea().fleets[side].no_corvus
    return corvus and aim == "ships" and hits > 0 and total >= state.tables.naval.corvus_row


def hit(state: State, side: Side, aim: Aim, hits: int, rule: str, prize: bool = False) -> Handled:
    """11.7.engage.c Each hit sets one ship or one transport of the enemy aside; a prize is taken, not sunk."""
    foe, other = state.at_sea().fleets[enemy(side)], enemy(side)
    if not hits:
        return state, ()
    if aim == "transports":
        lost = min(hits, foe.transports)
        state = with_fleet(state, other, transports=foe.transports - lost, transports_lost=foe.transports_lost + lost)
        return state, (event(rule, "transports_hit", side=other, count=lost),)
    count = min(hits, len(foe.ready))
    if which := whose_ships(state, "ships_struck", other, count, foe.ready, lost=True, prize=prize, rule=rule):
        return state.then(*which), ()
    return strike(state, other, foe.ready[len(foe.ready) - count :], rule, prize)


def ships_struck(state: State, command: ChooseShips, dice: Dice) -> Handled:
    """L2.4 The owner says which of his ships are hit; the first is the prize, if there is one."""
    refuse(why_not_ships(state, command.ships))
    side, about = side_of_prompt(state), state.agenda[-1].about
    return strike(state.answered(), side, command.ships, about.get("rule", "11.7.engage.c"), about.get("prize", False))


def strike(state: State, other: Side, struck: tuple[str, ...], rule: str, prize: bool) -> Handled:
    """11.7.engage.c, 11.7.prizes These ships are set aside, sunk; of a prize the first is taken."""
    foe = state.at_sea().fleets[other]
    taken = struck[:1] if prize else ()
    sunk = tuple(name for name in struck if name not in taken)
    ready = tuple(name for name in foe.ready if name not in struck)
    state = with_fleet(state, other, ready=ready, sunk=(*foe.sunk, *sunk), taken=(*foe.taken, *taken))
    return state, (event(rule, "ships_hit", side=other, sunk=list(sunk), taken=list(taken)),)


def engage_choices(state: State) -> tuple[Offer, ...]:
    """11.7.engage.b The targets there are."""
    return offer("engage", "11.7.engage", target=aims(acting(state)[2]))


# regrouping and retreat


def luck(fleet: SeaFleet) -> int:
    """6.5.3.a, H8 Up to which die a fleet regroups (11.7.regroup.example) or flees: an admiral's rating, else 1."""
    least: int = TABLES.naval.luck
    return max(fleet.rating, least) if fleet.admiral else least


def regroup(state: State, command: Regroup, dice: Dice) -> Handled:
    """11.7.regroup Roll for a card. Seamanship and corvus do not count here (H6.a)."""
    side, fleet, _ = acting(state)
    if not state.at_sea().deck:
        raise Illegal("H4", "the deck is empty: no card can be drawn")
    (face,) = dice.roll(1, 6, "11.7.regroup", side=side)
    good = face <= luck(fleet)
    state = state.answered()
    told = event("11.7.regroup", "regrouped", side=side, dice=[face], success=good)
    return (draw(state, side, 1) if good else state), (told,)


def flee(state: State, command: Flee, dice: Dice) -> Handled:
    """11.7.flee Roll to leave the battle."""
    side, fleet, _ = acting(state)
    (face,) = dice.roll(1, 6, "11.7.flee", side=side)
    good = face <= luck(fleet)
    told = event("11.7.flee", "fled", side=side, dice=[face], success=good)
    state = state.answered()
    if not good:
        return state, (told,)
    state, more = retreat(state, side, "flee", "11.7.flee")
    return state, (told, *more)


def evade(state: State, command: Evade, dice: Dice) -> Handled:
    """11.7.evade, H8.a The holder of supremacy leaves without a die; it passes at once, even if Pursuit stops him."""
    side, _, _ = acting(state)
    if state.supremacy != side:
        raise Illegal(
            "11.7.evade", "only the side with naval supremacy may evade, and %(side)s does not have it", side=side
        )
    state, events = seize(state.answered(), enemy(side), "11.7.evade")
    state, more = retreat(state, side, "evade", "11.7.evade")
    return state, (*events, *more)


def regroup_choices(state: State) -> Iterator[Offer]:
    """11.7.choice Regroup, flee, evade, or none of them."""
    if state.at_sea().deck:
        yield Offer("regroup", "11.7.regroup")
    yield Offer("flee", "11.7.flee")
    if state.supremacy == acting(state)[0]:
        yield Offer("evade", "11.7.evade")
    yield Offer("pass", "11.7.choice")


def retreat(state: State, side: Side, how: Literal["evade", "flee", "card"], rule: str) -> Handled:
    """11.7.pursuit The retreat stands unless the enemy plays Pursuit; `retreat` remembers who leaves and how."""
    told = event(rule, "broke_off", side=side, how=how)
    return state.then(Prompt("sea_pursuit", enemy(side), "11.7.pursuit", {"side": side, "how": how})), (told,)


def cancel_retreat(state: State, command: CancelRetreat, dice: Dice) -> Handled:
    """11.7.pursuit Cancel any retreat, besides the card of the manoeuvre; the battle goes on."""
    side, fleet, _ = acting(state)
    if "pursuit" not in fleet.hand:
        raise Illegal("11.7.pursuit", "%(side)s does not hold the Pursuit card", side=side)
    hand = list(fleet.hand)
    hand.remove("pursuit")
    battle = state.at_sea()
    state = with_fleet(at(state.answered(), discard=(*battle.discard, "pursuit")), side, hand=tuple(hand))
    return state, (event("11.7.pursuit", "retreat_cancelled", side=side),)


def leave_battle(state: State, dice: Dice) -> Handled:
    """11.7.end.2 A retreat that stands ends the battle at once."""
    about = state.agenda[-1].about
    state = state.answered()
    state = at(state, retreat=about["how"], order=(as_side(about["side"]),), turn=0)
    return state, ()


def pursuit_choices(state: State) -> Iterator[Offer]:
    """11.7.pursuit Pursuit, if held, or nothing; asked whenever his hand may hold one as far as the other can know."""
    hand = acting(state)[1].hand
    if hand and state.at_sea().discard.count("pursuit") < state.tactics_deck.count("pursuit"):
        if "pursuit" in hand:
            yield Offer("cancel_retreat", "11.7.pursuit")
        yield Offer("pass", "11.7.pursuit")


# the end


def winner(battle: NavalBattle) -> Side | None:
    """H9 Who stays, who has ready ships while the other has none; nobody after five rounds or when none is left."""
    if battle.retreat:
        return enemy(battle.order[0])
    able = [side for side in SIDES if battle.fleets[side].ready]
    return able[0] if len(able) == 1 else None


def outcome_of(state: State) -> NavalOutcome:
    """L1.3, L3.1 The own table's outcome, in the same words as any other way of settling."""
    battle = state.at_sea()
    won = winner(battle)
    sides: dict[str, SideOutcome] = {}
    for side in SIDES:
        fleet = battle.fleets[side]
        lost_to_shoals = won == enemy(side)
        captured = (*fleet.taken, *(fleet.shoaled if lost_to_shoals else ()))
        left = side == battle.order[0] if battle.retreat else False
        sides[side] = SideOutcome(
            sunk=len(fleet.sunk),
            captured=len(captured),
            transports=fleet.transports_lost,
            fled=left and battle.retreat != "evade",
            evaded=left and battle.retreat == "evade",
            sunk_ships=fleet.sunk,
            captured_ships=captured,
            disabled_ships=() if lost_to_shoals else fleet.shoaled,
        )
    return NavalOutcome(won, battle.round, sides, state.supremacy)


def over(state: State, dice: Dice) -> Handled:
    """11.7.end The battle is over; its outcome goes the same way as every other (L1.3)."""
    outcome = outcome_of(state)
    engagement = state.engaged()
    state = replace(state, naval=None)
    told = event("11.7.end", "naval_battle_over", winner=outcome.winner, rounds=outcome.turns)
    state, more = enter(state, engagement, outcome, dice)
    return state, (told, *more)


# -- 11.7.manoeuvre, 11.7.cards The ten tactics cards.


def why_not_tactic(state: State, command: Tactic) -> Illegal | None:
    """11.7.manoeuvre, H6 One card of one's own hand that can do something."""
    side, fleet, foe = acting(state)
    if command.card not in fleet.hand:
        return Illegal("11.7.manoeuvre", "%(side)s does not hold card %(card)s", side=side, card=repr(command.card))
    if command.card == "shallows" and not foe.ready:
        return Illegal("11.7.cards.2", "the enemy has no ship that could run aground")
    if command.card == "splintered_hulls" and not foe.ready and not foe.transports:
        return Illegal("11.7.cards.6", "there is nothing left to hit")
    if command.card == "fair_wind":
        if command.use == "supremacy" and state.supremacy == side:
            return Illegal("11.7.cards.5", "%(side)s already holds supremacy", side=side)
        if command.use == "draw" and not state.at_sea().deck:
            return Illegal("11.7.cards.5", "the deck is empty")
        if not command.use:
            return Illegal("11.7.cards.5", "say whether Fair Wind is used for supremacy or for a card")
    elif command.use:
        return Illegal("11.7.manoeuvre", "only Fair Wind has two uses")
    return None


def tactic(state: State, command: Tactic, dice: Dice) -> Handled:
    """11.7.manoeuvre Play one card of the ten (11.7.cards)."""
    refuse(why_not_tactic(state, command))
    side, fleet, _ = acting(state)
    card, battle = TACTICS[command.card], state.at_sea()
    hand = list(fleet.hand)
    hand.remove(command.card)
    state = at(state.answered(), discard=(*battle.discard, command.card))
    state = with_fleet(
        state,
        side,
        hand=tuple(hand),
        rating=fleet.rating + card.rating,
        bonus=fleet.bonus + card.bonus,
        bonus_on_transports=fleet.bonus_on_transports + card.bonus_on_transports,
        next_bonus=fleet.next_bonus + card.next_bonus,
        draw_on_hit=fleet.draw_on_hit + card.draw_on_hit,
    )
    told = event(card.cite, "tactic", side=side, card=command.card, use=command.use)
    state, more = _special(state, side, command)
    state = draw(state, side, card.draw)
    return state, (told, *more)


def _special(state: State, side: Side, command: Tactic) -> Handled:
    """11.7.cards What a card does besides its numbers."""
    match command.card:
        case "ambush":  # 11.7.cards.7
            return with_fleet(state, enemy(side), no_corvus=True), ()
        case "fire_ships":  # 11.7.cards.8
            return with_fleet(state, enemy(side), skips=True), ()
        case "shallows":
            return state.then(Prompt("shallows", side, "11.7.cards.2")), ()
        case "splintered_hulls":
            return state.then(Prompt("hit", side, "11.7.cards.6")), ()
        case "fair_wind" if command.use == "supremacy":
            return seize(state, side, "11.7.cards.5")
        case "fair_wind":
            return state.then(Prompt("fair_wind", side, "11.7.cards.5")), ()
        case "run":
            return retreat(state, side, "card", "11.7.cards.9")
    return state, ()


def manoeuvre_choices(state: State) -> Iterator[Offer]:
    """11.7.manoeuvre The cards of the hand, or none."""
    uses: tuple[Literal["supremacy", "draw"], ...] = ("supremacy", "draw")
    for card in dict.fromkeys(acting(state)[1].hand):
        for command in [Tactic(card, use) for use in uses] if card == "fair_wind" else [Tactic(card)]:
            if why_not_tactic(state, command) is None:
                yield Offer("tactic", TACTICS[card].cite, {"card": card, "use": command.use})
    yield Offer("pass", "11.7.manoeuvre")


def pick_ship(state: State, command: PickShip, dice: Dice) -> Handled:
    """11.7.cards.2, H7.a One enemy ship is out of the battle, unready; the winner gets it."""
    side, _, foe = acting(state)
    if command.ship not in foe.ready:
        raise Illegal("11.7.cards.2", "%(ship)s is not a ready enemy ship in this battle", ship=command.ship)
    ready = tuple(name for name in foe.ready if name != command.ship)
    state = with_fleet(state.answered(), enemy(side), ready=ready, shoaled=(*foe.shoaled, command.ship))
    return state, (event("11.7.cards.2", "ship_aground", side=enemy(side), ship=command.ship),)


def pick_ship_choices(state: State) -> tuple[Offer, ...]:
    """11.7.cards.2 The enemy's ready ships."""
    return (Offer("pick_ship", "11.7.cards.2", {"ship": list(acting(state)[2].ready)}),)


def target(state: State, command: Target, dice: Dice) -> Handled:
    """11.7.cards.6 One hit on a ship or a transport."""
    side, _, foe = acting(state)
    if command.target not in aims(foe):
        raise Illegal("11.7.cards.6", "the enemy has no %(target)s left", target=command.target)
    return hit(state.answered(), side, command.target, 1, "11.7.cards.6")


def target_choices(state: State) -> tuple[Offer, ...]:
    """11.7.cards.6 What there is to hit."""
    return (Offer("target", "11.7.cards.6", {"target": list(aims(acting(state)[2]))}),)


def pick_tactic(state: State, command: PickTactic, dice: Dice) -> Handled:
    """11.7.cards.5 One card of the deck instead of supremacy."""
    side, fleet, _ = acting(state)
    deck = list(state.at_sea().deck)
    if command.card not in deck:
        raise Illegal("11.7.cards.5", "card %(card)s is not in the deck", card=repr(command.card))
    deck.remove(command.card)
    state = with_fleet(at(state.answered(), deck=tuple(deck)), side, hand=(*fleet.hand, command.card))
    return state, (event("11.7.cards.5", "tactic_taken", side=side, card=command.card, only=(side,), reveals=True),)


def pick_tactic_choices(state: State) -> tuple[Offer, ...]:
    """11.7.cards.5 Each kind of card that the deck still holds."""
    return offer("pick_tactic", "11.7.cards.5", card=sorted(set(state.at_sea().deck)))


# -- L1 The engagement: opened where two fleets meet, settled in one of three ways by one function.


def fleet_of(state: State, side: Side, ships: tuple[str, ...], force: Troops, general: str | None) -> Fleet:
    """L1.1 One side as it enters: each ready ship a unit (L2.1), each CU with its train a transport (L2.3)."""
    units = []
    for name in ships:
        ship = state.ship(side, name)
        units.append(NavalUnit(name, name, ship.damage if ship else 0))
    transports = tuple(
        Transport(
            f"{side}-{number + 1}",
            int(number < force.size),
            force.units <= number < force.size,
            int(number < force.trains),
        )
        for number in range(force.transports)
    )
    return Fleet(
        tuple(units),
        transports,
        general,
        state.leaders[general].name if general else None,
        rating(state, general),
        general is not None and state.leaders[general].admiral,
        side == "rome" and state.corvus,
        state.tables.sea.levels[state.seamanship] if side == "rome" else None,
    )


def meet(state: State, dice: Dice) -> Handled:
    """L1.1 The fleets meet: the campaign waits on the engagement and on nothing else. L1.1.a: all choices are made."""
    state = state.answered()
    march, voyage = state.marching(), state.sailing()
    side, other = march.side, enemy(march.side)
    engagement = Engagement(
        id=f"{state.turn}.{len(state.settled) + 1}",
        system="hamilcar",
        place=voyage.to,
        fleets={
            side: fleet_of(state, side, voyage.ships, march.force, commander(state, march.generals)),
            other: fleet_of(state, other, voyage.catching, catching_force(state), voyage.catcher),
        },
        mover=side,
        rule="11.7",
        start=voyage.start,
        turn=state.turn,
        deciding=state.options.sea_battles,
        supremacy=state.supremacy,
    ).decided()
    state = replace(state, engagement=engagement)
    told = event(
        "L1.1",
        "engagement",
        engagement=engagement.id,
        place=voyage.to,
        mover=side,
        ships={name: [unit.name for unit in fleet.units] for name, fleet in engagement.fleets.items()},
        transports={name: len(fleet.transports) for name, fleet in engagement.fleets.items()},
    )
    return state.then(Prompt("engagement", BOTH, "L1.2", {"engagement": engagement.id})), (told,)


def check(state: State, command: Any) -> None:
    """L1.2 What the system's own table has begun, it ends."""
    if state.naval is not None:
        raise Illegal("L1.2", "The battle is being settled by the game's dice table.")


def by_own_table(state: State, dice: Dice) -> Handled:
    """L1.2 The battle is fought by the game's own table; L1.2.a unasked where a side has no warship."""
    return begin(state.answered(), dice)


def rerolls(state: State) -> dict[str, int]:
    """L2.5.a The commanders' re-rolls on the table, if the option is on."""
    allowed = state.options.commander_rerolls
    return {side: fleet.rating if allowed else 0 for side, fleet in state.engaged().fleets.items()}


MEETING: settling.Meeting[State] = settling.Meeting(
    by_own_table, lambda state, *given: enter(state.answered(), *given), check, rerolls
)


def as_report(state: State, seat: str, command: Any) -> Any:
    """L1.2 Without a battle on the table an outcome that a side enters is its report, which the other must agree to."""
    if not isinstance(command, Settle) or seat == UMPIRE or command.engagement in state.settled:
        return command
    if state.engagement is None or state.engagement.id != command.engagement or state.engagement.opened:
        return command
    return Report(command.engagement, command.outcome, seat)


def by_seat(state: State, seat: str, command: Any) -> Illegal | NotYours | None:
    """L1.2 A side's outcome is refused as its report would be."""
    meant = as_report(state, seat, command)
    return None if meant is command else by_attempt(MEETING.carry_out)(state, meant)


def may_speak(state: State) -> tuple[str, ...]:
    """L1.2 Who can still say something about the engagement."""
    return tuple(seat for seat in (*SIDES, UMPIRE) if offers(state, seat))


def who_must_answer(state: State) -> tuple[str, ...]:
    """L1.2 Who has still to answer."""
    assert state.engagement is not None
    return state.engagement.asked()


def offers(state: State, side: str) -> tuple[Offer, ...]:
    """L1.2 What a side may say about the engagement; none where only the system's own table can settle it."""
    engagement = state.engagement
    if engagement is None or engagement.own_table_only() or not stops(engagement.deciding, True):
        return ()
    return settling.offers(engagement, side)


# -- The boxes of a battle at sea: each question with its answers.

BOXES: tuple[Step[Any], ...] = (
    auto("fleets_meet", "L1.1", meet),
    auto("naval", "11.7.rounds", proceed),
    Step("engagement", "L1.2", leave=by_own_table, seats=may_speak, offers=offers, awaited=who_must_answer),
    box("manoeuvre", "11.7.manoeuvre", {Tactic: tactic, Pass: None}, manoeuvre_choices),
    box("shallows", "11.7.cards.2", {PickShip: pick_ship}, pick_ship_choices),
    box("hit", "11.7.cards.6", {Target: target}, target_choices),
    box("fair_wind", "11.7.cards.5", {PickTactic: pick_tactic}, pick_tactic_choices),
    box("engage", "11.7.engage", {Engage: engage}, engage_choices),
    box("regroup", "11.7.choice", {Regroup: regroup, Flee: flee, Evade: evade, Pass: None}, regroup_choices),
    box(
        "sea_pursuit", "11.7.pursuit", {CancelRetreat: cancel_retreat, Pass: None}, pursuit_choices, leave=leave_battle
    ),
)
