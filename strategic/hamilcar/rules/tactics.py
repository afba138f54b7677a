"""11.7.manoeuvre, 11.7.cards The ten tactics cards."""

from __future__ import annotations

from strategic.hamilcar.commands import PickShip, PickTactic, Tactic, Target
from strategic.hamilcar.rules.naval_battle import acting, aims, at, draw, hit, retreat, seize, with_fleet
from strategic.hamilcar.state import Handled, State
from strategic.hamilcar.tables import TACTICS
from strategic.point_to_point.commands import Pass
from strategic.point_to_point.tables import Side, enemy
from tactical.kernel.dice import Dice
from tactical.kernel.protocol import Illegal, Offer, Prompt, event, refuse


def why_not_tactic(state: State, command: Tactic) -> Illegal | None:
    """11.7.manoeuvre, H6 One card of the own hand that can do something."""
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


def no_tactic(state: State, command: Pass, dice: Dice) -> Handled:
    """11.7.manoeuvre No card is played."""
    return state.answered(), ()


def manoeuvre_offers(state: State) -> tuple[Offer, ...]:
    """11.7.manoeuvre The cards of the hand, or none."""
    _, fleet, _ = acting(state)
    found = []
    for card in dict.fromkeys(fleet.hand):
        uses = ("supremacy", "draw") if card == "fair_wind" else ("",)
        for use in uses:
            command = Tactic(card, use)  # type: ignore[arg-type]  # the words are the literals of the command
            if why_not_tactic(state, command) is None:
                found.append(Offer("tactic", TACTICS[card].cite, {"card": card, "use": use}))
    return (*found, Offer("pass", "11.7.manoeuvre"))


def pick_ship(state: State, command: PickShip, dice: Dice) -> Handled:
    """11.7.cards.2, H7.a One enemy ship is out of the battle, unready; the winner gets it."""
    side, _, foe = acting(state)
    if command.ship not in foe.ready:
        raise Illegal("11.7.cards.2", "%(ship)s is not a ready enemy ship in this battle", ship=command.ship)
    ready = tuple(name for name in foe.ready if name != command.ship)
    state = with_fleet(state.answered(), enemy(side), ready=ready, shoaled=(*foe.shoaled, command.ship))
    return state, (event("11.7.cards.2", "ship_aground", side=enemy(side), ship=command.ship),)


def pick_ship_offers(state: State) -> tuple[Offer, ...]:
    """11.7.cards.2 The enemy's ready ships."""
    return (Offer("pick_ship", "11.7.cards.2", {"ship": list(acting(state)[2].ready)}),)


def target(state: State, command: Target, dice: Dice) -> Handled:
    """11.7.cards.6 One hit on a ship or a transport."""
    side, _, foe = acting(state)
    if command.target not in aims(foe):
        raise Illegal("11.7.cards.6", "the enemy has no %(target)s left", target=command.target)
    return hit(state.answered(), side, command.target, 1, "11.7.cards.6")


def target_offers(state: State) -> tuple[Offer, ...]:
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


def pick_tactic_offers(state: State) -> tuple[Offer, ...]:
    """11.7.cards.5 Each kind of card that the deck still holds."""
    cards = sorted(set(state.at_sea().deck))
    return (Offer("pick_tactic", "11.7.cards.5", {"card": cards}),) if cards else ()
