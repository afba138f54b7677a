"""8.2 What a card may be played for: a move, a campaign, points to be split, ships, a unit, training, an event."""

from __future__ import annotations

from msgspec.structs import replace

from strategic.hamilcar.commands import Activate, BuildShips, Training
from strategic.hamilcar.rules.hand import card_of, check_hand, playable, spend
from strategic.hamilcar.rules.in_progress import March, Play
from strategic.hamilcar.rules.ships import build, improve
from strategic.hamilcar.rules.survey import side_of
from strategic.hamilcar.rules.turn import impulse_over
from strategic.hamilcar.state import Handled, State
from strategic.hamilcar.tables import Card, ground
from strategic.point_to_point.commands import Campaign, CampaignMove, Discard, RaiseUnit
from strategic.point_to_point.fatigue import is_spent, remaining_points
from strategic.point_to_point.pieces import Troops
from strategic.point_to_point.survey import (
    controls,
    may_muster,
    muster,
    on_board,
)
from strategic.point_to_point.tables import Side, as_side
from tactical.kernel.dice import Dice
from tactical.kernel.protocol import Illegal, Offer, Prompt, event, refuse

TO_RAISE = 3  # strategy.ops.3, 8.2.e: only a card of 3 points raises a unit or builds ships


def active_side(state: State) -> Side:
    """8.2 Whose card is next."""
    return as_side(state.agenda[-1].seat)


# a move


def trains_with(state: State, general: str) -> int:
    """8.2.1.a The trains in the general's own stack."""
    record = state.generals[general]
    assert record.space is not None
    return state.troops(record.space, side_of(general), record.inside).trains


def check_activate(state: State, command: Activate) -> Card:
    """8.2.1.a Points of the card and trains with the general make up his strategy rating; none is spent in vain.

    8.2.1.a.example Two points and a train move a general with a strategy rating of 3.
    """
    side = active_side(state)
    card = check_hand(state, side, command.card)
    refuse(why_not_leader(state, side, command.general))
    need = state.leaders[command.general].strategy
    if command.use == "event":
        if not card.use or not card.may_be_event_of(side):
            raise Illegal(
                "strategy.3",
                "card %(card)s is not an event that moves a general of %(side)s",
                card=command.card,
                side=side,
            )
        if need > card.most_strategy:
            raise Illegal(
                "8.2",
                "this card moves only generals with a strategy rating of %(most_strategy)s or less",
                most_strategy=card.most_strategy,
            )
        if command.trains:
            raise Illegal("8.2.1.a", "supply trains cannot be spent on an event")
        return card
    short = max(need - card.ops, 0)
    if not 0 <= command.trains <= trains_with(state, command.general):
        raise Illegal(
            "8.2.1.a",
            "%(general)s has only %(trains_with)s supply %(trains_with|train|trains)s with him",
            general=command.general,
            trains_with=trains_with(state, command.general),
        )
    if command.trains != short:
        raise Illegal(
            "8.2.1.a",
            "this card is %(short)s below the general's strategy rating: pay with %(short)s "
            "supply %(short|train|trains)s",
            short=short,
        )
    return card


def why_not_leader(state: State, side: Side, general: str) -> Illegal | None:
    """movement.command.5 A general of the side on the board; who stands under another may be parted from him."""
    if general not in on_board(state, side):
        return Illegal("8.2", "%(general)s is not a general of %(side)s on the board", general=general, side=side)
    if is_spent(state, general):
        return Illegal("movement.command.5", "%(general)s cannot move again during this card", general=general)
    return None


def activate(state: State, command: Activate, dice: Dice) -> Handled:
    """8.2 Play a card to move a general; any card lets him sail (11.1.1.a)."""
    card = check_activate(state, command)
    side = active_side(state)
    use = card.use if command.use == "event" else ""
    state, events = spend(state.answered(), side, command.card, "activate")
    record = state.generals[command.general]
    if command.trains:
        assert record.space is not None
        state = state.take(record.space, side, Troops(0, 0, command.trains), record.inside)
        events += (event("8.2.1.a", "trains_spent", side=side, space=record.space, trains=command.trains),)
    state = replace(state, play=Play(command.card, side, card.ops, use=use))
    state = state.then(Prompt("impulse_over", "", "strategy.4"))
    return begin_march(state, command.general, use), events


def begin_march(state: State, general: str, use: str = "") -> State:
    """11.1.b The move begins; a forced march has more points, but no more of them at sea."""
    record = state.generals[general]
    assert record.space is not None
    points = state.tables.movement.force_march if use == "force_march" else state.tables.movement.points
    left = remaining_points(state, general, points)
    play = state.playing()
    march = March(
        side_of(general),
        general,
        left,
        (record.space,),
        inside=record.inside,
        sailed=play.lanes.get(general, 0),
        africa=use == "africa",
    )
    state = replace(state, march=march, play=replace(play, moved=(*play.moved, general)))
    return state.then(Prompt("move", march.side, "movement.land.1"))


def start_campaign(state: State, side: Side, number: int) -> Handled:
    """11.1.1.c A campaign: two or three generals move, each by land and sea as he likes."""
    card = card_of(state, number)
    state, events = spend(state, side, number, "campaign")
    state = replace(state, play=Play(number, side, card.ops, campaign=card.campaign))
    return state.then(Prompt("campaign", side, "11.1.1.c"), Prompt("impulse_over", "", "strategy.4")), events


def campaign(state: State, command: Campaign, dice: Dice) -> Handled:
    """11.1.1.c Play a campaign card."""
    side = active_side(state)
    card = check_hand(state, side, command.card)
    if not card.campaign:
        raise Illegal("11.1.1.c", "card %(card)s is not a campaign card", card=command.card)
    return start_campaign(state.answered(), side, command.card)


def campaign_move(state: State, command: CampaignMove, dice: Dice) -> Handled:
    """11.1.1.c The next general of the campaign; each moves once."""
    side = active_side(state)
    refuse(why_not_leader(state, side, command.general))
    if command.general in state.playing().moved:
        raise Illegal("11.1.1.c", "%(general)s has already moved in this campaign", general=command.general)
    return begin_march(state, command.general), ()


def campaign_offers(state: State) -> tuple[Offer, ...]:
    """11.1.1.c Generals who have not moved, while the card has moves left."""
    play = state.playing()
    if len(play.moved) >= play.campaign:
        return ()
    names = [n for n in on_board(state, play.side) if n not in play.moved and not is_spent(state, n)]
    found = [Offer("campaign_move", "11.1.1.c", {"general": names})] if names else []
    return (*found, Offer("done", "11.1.1.c")) if names else ()


def over(state: State, dice: Dice) -> Handled:
    """strategy.4 The card is done."""
    return impulse_over(state.answered()), ()


# a whole card


def why_not_build(state: State, side: Side, card: Card) -> Illegal | None:
    """8.2.e Only a 3, for the ships that it shows, and never more than ten (2.2.7)."""
    if card.ops != TO_RAISE or not card.ships:
        return Illegal("8.2.e", "ships can be built only with a card of 3 points that shows ships")
    if not state.berths(side):
        return Illegal(
            "2.2.7",
            "%(side)s has %(ships)s %(ships|ship|ships)s already and may have no more",
            side=side,
            ships=state.tables.sea.ships,
        )
    return None


def build_ships(state: State, command: BuildShips, dice: Dice) -> Handled:
    """8.2.e As many ready ships as the card shows."""
    side = active_side(state)
    card = check_hand(state, side, command.card)
    refuse(why_not_build(state, side, card))
    state, events = spend(state.answered(), side, command.card, "build_ships")
    state, more = build(state, side, card.ships, "8.2.e")
    return impulse_over(state), (*events, *more)


def may_raise(state: State, side: Side, general: str) -> bool:
    """strategy.ops.3 A general in an own space of an own province, not besieged: siege.7, only from the first point."""
    space = state.generals[general].space
    if space is None or state.spaces[space].control != side or not may_muster(state, side, space):
        return False
    return controls(state, side, ground(space).province)


def raise_unit(state: State, command: RaiseUnit, dice: Dice) -> Handled:
    """strategy.ops.3 A CU joins a general."""
    side = active_side(state)
    card = check_hand(state, side, command.card)
    if card.ops != TO_RAISE:
        raise Illegal("strategy.ops.3", "a unit can be raised only with a card of 3 points")
    if command.general not in on_board(state, side) or not may_raise(state, side, command.general):
        raise Illegal(
            "strategy.ops.3",
            "%(general)s must stand in a friendly space of a friendly province",
            general=command.general,
        )
    state, events = spend(state.answered(), side, command.card, "raise_unit")
    space = state.generals[command.general].space
    assert space is not None
    inside = state.generals[command.general].inside and state.room_left(space) > 0
    state = state.add(space, side, Troops(1), inside) if inside else muster(state, side, space, Troops(1))
    told = event("strategy.ops.3", "unit_raised", side=side, general=command.general, space=space)
    return impulse_over(state), (*events, told)


def why_not_training(state: State, side: Side, card: Card) -> Illegal | None:
    """8.2.a, 11.8.3.a Rome, a card with two ships; the whole card is used up."""
    if side != "rome":
        return Illegal("8.2.a", "only Rome can train crews")
    if card.ships < 2:
        return Illegal("8.2.a", "crews can be trained only with a card that shows two ships")
    if state.seamanship >= len(state.tables.sea.levels) - 1:
        return Illegal("11.8.3", "Roman seamanship is already excellent")
    return None


def training(state: State, command: Training, dice: Dice) -> Handled:
    """8.2.a Seamanship rises one level."""
    side = active_side(state)
    refuse(why_not_training(state, side, check_hand(state, side, command.card)))
    state, events = spend(state.answered(), side, command.card, "training")
    state, more = improve(state, "8.2.a")
    return impulse_over(state), (*events, *more)


def discard(state: State, command: Discard, dice: Dice) -> Handled:
    """strategy.4, 22.2 A card is thrown away; its value counts for the war budget all the same."""
    side = active_side(state)
    check_hand(state, side, command.card)
    if state.opening is not None and side == "carthage":
        raise Illegal("7.3", "Carthage named this card in order to go first, and must play it now")
    state, events = spend(state.answered(), side, command.card, "discard")
    return impulse_over(state), events


def offers(state: State) -> tuple[Offer, ...]:
    """8.2 What each card of the hand may be played for."""
    side = active_side(state)
    found: list[Offer] = []
    leaders = list(on_board(state, side))
    for number in playable(state, side):
        card = card_of(state, number)
        found += _moves(state, side, number, card, leaders)
        found.append(Offer("points", "8.2", {"card": number}))
        if card.ops == TO_RAISE and card.ships and state.berths(side):
            found.append(Offer("build_ships", "8.2.e", {"card": number}))
        raisers = [name for name in on_board(state, side) if may_raise(state, side, name)]
        if card.ops == TO_RAISE and raisers:
            found.append(Offer("raise_unit", "strategy.ops.3", {"card": number, "general": raisers}))
        if why_not_training(state, side, card) is None:
            found.append(Offer("training", "8.2.a", {"card": number}))
        if state.opening is None:
            found.append(Offer("discard", "strategy.4", {"card": number}))
    return tuple(found)


def _moves(state: State, side: Side, number: int, card: Card, leaders: list[str]) -> list[Offer]:
    found = []
    by_trains: dict[int, list[str]] = {}
    for name in leaders:
        short = max(state.leaders[name].strategy - card.ops, 0)
        if short <= trains_with(state, name):
            by_trains.setdefault(short, []).append(name)
    for short, names in by_trains.items():
        found.append(Offer("activate", "8.2", {"card": number, "general": names, "trains": short, "use": "ops"}))
    if card.use and card.may_be_event_of(side):
        able = [name for name in leaders if state.leaders[name].strategy <= card.most_strategy]
        if able:
            found.append(Offer("activate", "8.2", {"card": number, "general": able, "use": "event"}))
    if card.campaign and leaders:
        found.append(Offer("campaign", "11.1.1.c", {"card": number}))
    return found
