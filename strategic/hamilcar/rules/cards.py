"""Cards: the order of the turn, the hand, and what a card or its points are played for."""

from __future__ import annotations

from collections.abc import Iterator

from msgspec.structs import replace

from strategic.hamilcar.commands import Activate, BuildShips, CouncilPc, Declare, Points, Repair, Supply, Training
from strategic.hamilcar.rules.survey import (
    BARCA,
    XANTHIPPUS,
    build,
    improve,
    leave_board,
    repair,
    side_of,
    why_not_repair,
)
from strategic.hamilcar.state import NO_CARD, General, Handled, March, Play, State
from strategic.hamilcar.tables import ALL_CELLS, CARDS, Card, ground
from strategic.point_to_point.commands import (
    Campaign,
    CampaignMove,
    Discard,
    Done,
    FirstPlayer,
    OpenCampaign,
    Pass,
    Put,
    RaiseUnit,
)
from strategic.point_to_point.movement import is_spent, remaining_points
from strategic.point_to_point.rulebook import Handlers, box
from strategic.point_to_point.state import SIDES, Side, Troops, as_side, enemy
from strategic.point_to_point.survey import controls, may_muster, muster, on_board, side_of_prompt, train_room
from tactical.kernel.dice import Dice
from tactical.kernel.protocol import Event, Illegal, Offer, Prompt, event, offer, refuse

# -- Cards leaving a hand, what they show, and the moments at which a side may answer with one.


def card_of(state: State, number: int) -> Card:
    """8.2 What a card shows: as declared at the table, or of the deck."""
    found = state.declared.get(number) or CARDS.get(number)
    if found is None:
        raise Illegal("8.2", "there is no card %(card)s", card=number)
    return found


def check_hand(state: State, side: Side, number: int) -> Card:
    """strategy.4 A side plays cards of its own hand."""
    card = card_of(state, number)
    if number == NO_CARD or number not in state.hands[side]:
        raise Illegal("strategy.4", "card %(number)s is not in this hand", number=number)
    refuse(why_not_opening(state, side, number))
    return card


def why_not_opening(state: State, side: Side, number: int | None = None) -> Illegal | None:
    """7.3 Carthage went first by a campaign card: it plays that one now, for operations or as its event."""
    if side == "carthage" and state.opening is not None and number != state.opening:
        return Illegal(
            "7.3", "Carthage named card %(opening)s in order to go first, and must play it now", opening=state.opening
        )
    return None


def playable(state: State, side: Side) -> tuple[int, ...]:
    """strategy.4 The cards of a hand, each number once; 7.3 only the one by which Carthage went first."""
    if side == "carthage" and state.opening is not None:
        return (state.opening,)
    return tuple(sorted({card for card in state.hands[side] if card != NO_CARD}))


def spend(state: State, side: Side, number: int, how: str) -> Handled:
    """22.2 The card leaves the hand face up, and its printed value counts for the war budget, however it was used."""
    card = card_of(state, number)
    state = state.without_card(side, number)
    declared = {key: value for key, value in state.declared.items() if key != number}
    spent = {**state.spent, side: state.spent[side] + card.ops}
    state = replace(state, discard=(*state.discard, number), spent=spent, declared=declared, opening=None)
    told = event("8.2", "card_played", side=side, card=number, title=card.title, ops=card.ops, how=how, reveals=True)
    return state, (told,)


def declare(state: State, command: Declare, dice: Dice) -> Handled:
    """8.2 Cards on the table: one unseen card of the hand becomes the card that is said."""
    side = command.side
    if state.options.cards != "table":
        raise Illegal("8.2", "the program deals the cards of this game, so none can be declared")
    if NO_CARD not in state.hands[side]:
        raise Illegal("strategy.4", "%(side)s has shown all its cards", side=side)
    if state.declared.get(command.number) is not None or any(command.number in hand for hand in state.hands.values()):
        raise Illegal("8.2", "card %(number)s is already on the table", number=command.number)
    if not 1 <= command.ops <= 3 or not 0 <= command.ships <= 2 or not 0 <= command.campaign <= 3 or command.number < 1:
        raise Illegal(
            "8.2", "a card must have a number, 1 to 3 points and 0 to 2 ships; a campaign card moves up to 3 generals"
        )
    if command.ships and command.ops != 3 and not command.event:
        raise Illegal("8.2.e", "only cards of 3 points can show ships")
    card = Card(
        command.number,
        f"Card {command.number}",
        command.ops,
        "both",
        ships=command.ships,
        campaign=command.campaign,
        use=command.use,
        event=command.event,
    )
    state = state.without_card(side, NO_CARD)
    hands = {**state.hands, side: (*state.hands[side], command.number)}
    state = replace(state, hands=hands, declared={**state.declared, command.number: card})
    return state, (event("8.2", "card_declared", side=side, card=command.number, ops=command.ops),)


def declare_offers(state: State, seat: str) -> tuple[Offer, ...]:
    """8.2 A side with unseen cards says what one of them shows, under a number that is free."""
    side = as_side(seat)
    if NO_CARD not in state.hands[side]:
        return ()
    free = next(n for n in range(1, 200) if not any(n in hand for hand in state.hands.values()))
    fields = {"side": side, "number": free, "ops": {"from": 1, "to": 3}, "ships": 0}
    return (Offer("declare", "8.2", fields),)


def kinds(answer: str) -> tuple[int, ...]:
    """11.6.4 The cards that answer such a moment."""
    return tuple(number for number, card in CARDS.items() if card.answer == answer)


def may_answer(state: State, side: Side, *answers: str) -> bool:
    """strategy.event.2 Is this side asked? Whenever its hand may hold such a card as far as the table can know."""
    if not state.hands[side]:
        return False
    seen = {*state.discard, *state.removed}
    return any(
        number not in seen and CARDS[number].may_be_event_of(side) for answer in answers for number in kinds(answer)
    )


def answers(state: State, side: Side, *kinds_: str) -> tuple[int, ...]:
    """strategy.event.2 The answering cards that the side holds."""
    return tuple(
        number
        for answer in kinds_
        for number in kinds(answer)
        if number in state.hands[side] and CARDS[number].may_be_event_of(side)
    )


# -- H.turn The order of the turn: what each phase puts on the agenda, and whose card is next.


def reinforcements(state: State, dice: Dice) -> Handled:
    """6, H.turn Carthage, then Rome, then the consuls and their reforms; left out on turn 1."""
    state = replace(state, phase="deal")
    if state.turn <= 1:
        return state, ()
    return state.then(
        Prompt("carthage_due", "", "6.1"),
        Prompt("generals_leave", "", "6.1.1.b"),
        Prompt("rome_due", "", "6.2"),
        Prompt("proconsul", "rome", "6.4"),
        Prompt("consuls", "", "6.4.a"),
    ), (event("6", "reinforcements", turn=state.turn),)


def deck_of(state: State) -> tuple[int, ...]:
    """2.2, 26.12 The cards of the deck; the allies card joins it by an option."""
    return tuple(number for number, card in CARDS.items() if not card.optional or state.options.more_allies)


def deal(state: State, dice: Dice) -> Handled:
    """deal.1 Each side gets the turn's cards; when they run out the discards are shuffled in."""
    count = state.tables.turns.cards[state.turn - 1]
    state = replace(state, phase="first")
    if state.options.cards == "table":
        hands: dict[Side, tuple[int, ...]] = {side: (*state.hands[side], *[NO_CARD] * count) for side in SIDES}
        return replace(state, hands=hands), (event("deal.1", "dealt", cards=count),)
    deck, discard = state.deck, state.discard
    if len(deck) < count * 2:
        deck, discard = dice.shuffled((*deck, *discard)), ()
    hands = {
        "rome": (*state.hands["rome"], *deck[:count]),
        "carthage": (*state.hands["carthage"], *deck[count : 2 * count]),
    }
    state = replace(state, deck=deck[2 * count :], discard=discard, hands=hands)
    return state, (event("deal.1", "dealt", cards=count, reveals=True),)


def first(state: State, dice: Dice) -> Handled:
    """7.3 Carthage may open with a campaign card; else Rome says who plays first."""
    state = replace(state, phase="strategy")
    return state.then(Prompt("open", "carthage", "7.3"), Prompt("first_player", "rome", "7.3")), ()


def opens(state: State, command: OpenCampaign, dice: Dice) -> Handled:
    """7.3 Carthage opens with a campaign card and so plays first; then it must play it, in any way that it may be."""
    card = check_hand(state, "carthage", command.card)
    if not card.campaign:
        raise Illegal("7.3", "card %(card)s is not a campaign card", card=command.card)
    state = replace(state.answered().answered(), first="carthage", active="carthage", opening=command.card)
    return state, (event("7.3", "first_player", side="carthage", card=command.card, reveals=True),)


def open_choices(state: State) -> Iterator[Offer]:
    """7.3 Its campaign cards; asked whatever it holds, so that nothing shows."""
    for number in playable(state, "carthage"):
        if card_of(state, number).campaign:
            yield Offer("open", "7.3", {"card": number})
    yield Offer("pass", "7.3")


def first_player(state: State, command: FirstPlayer, dice: Dice) -> Handled:
    """7.3 Rome's choice."""
    state = replace(state.answered(), first=command.side, active=command.side)
    return state, (event("7.3", "first_player", side=command.side),)


def first_choices(state: State) -> tuple[Offer, ...]:
    """7.3 Either side."""
    return offer("first_player", "7.3", side=SIDES)


def strategy(state: State, dice: Dice) -> Handled:
    """strategy.4 Cards are played by turns until both hands are empty; who has none left is passed over."""
    assert state.active is not None
    for side in (state.active, enemy(state.active)):
        if state.hands[side]:
            return replace(state, active=side).then(Prompt("impulse", side, "8.2")), ()
    return replace(state, phase="winter", active=None), (event("strategy.4", "strategy_over", turn=state.turn),)


def impulse_over(state: State) -> State:
    """strategy.4 The next impulse is the other side's."""
    assert state.active is not None
    return replace(state, active=enemy(state.active), play=None, march=None, voyage=None)


def over(state: State, dice: Dice) -> Handled:
    """strategy.4 The card is done."""
    return impulse_over(state.answered()), ()


def next_turn(state: State, dice: Dice) -> Handled:
    """4 The marker goes on; what is counted by the turn starts again. 26.15 Xanthippus' contract (26.15.example)."""
    events: tuple[Event, ...] = ()
    contract = state.options.extended_contract and state.xanthippus_came and state.turn > state.xanthippus_came
    if contract and state.generals[XANTHIPPUS].status == "board":
        state = leave_board(state, XANTHIPPUS)
        events = (event("26.15", "contract_over", general=XANTHIPPUS),)
    state = replace(
        state,
        turn=state.turn + 1,
        phase="reinforcements",
        spent={"rome": 0, "carthage": 0},
        lost_ships=0,
        seamanship_fell=False,
        first=None,
        active=None,
        opening=None,
    )
    if state.turn == state.tables.turns.barca and state.generals[BARCA].status == "mercenary":
        state = state.with_general(BARCA, General("track"))  # 6.1.3.b he arrives this turn
    return state, (*events, event("4", "turn", turn=state.turn))


# -- 8.2 What a card may be played for: a move, a campaign, points to be split, ships, a unit, training, an event.

TO_RAISE = 3  # strategy.ops.3, 8.2.e: only a card of 3 points raises a unit or builds ships


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
    side = side_of_prompt(state)
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
    side = side_of_prompt(state)
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
    side = side_of_prompt(state)
    card = check_hand(state, side, command.card)
    if not card.campaign:
        raise Illegal("11.1.1.c", "card %(card)s is not a campaign card", card=command.card)
    return start_campaign(state.answered(), side, command.card)


def campaign_move(state: State, command: CampaignMove, dice: Dice) -> Handled:
    """11.1.1.c The next general of the campaign; each moves once."""
    side = side_of_prompt(state)
    refuse(why_not_leader(state, side, command.general))
    if command.general in state.playing().moved:
        raise Illegal("11.1.1.c", "%(general)s has already moved in this campaign", general=command.general)
    return begin_march(state, command.general), ()


def campaign_choices(state: State) -> Iterator[Offer]:
    """11.1.1.c Generals who have not moved, while the card has moves left; or no more."""
    play = state.playing()
    names = [n for n in on_board(state, play.side) if n not in play.moved and not is_spent(state, n)]
    if len(play.moved) < play.campaign and names:
        yield from offer("campaign_move", "11.1.1.c", general=names)
        yield Offer("done", "11.1.1.c")


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
    side = side_of_prompt(state)
    card = check_hand(state, side, command.card)
    refuse(why_not_build(state, side, card))
    state, events = spend(state.answered(), side, command.card, "build_ships")
    state, more = build(state, side, card.ships, "8.2.e")
    return impulse_over(state), (*events, *more)


def why_not_raise(state: State, side: Side, card: Card, general: str) -> Illegal | None:
    """strategy.ops.3 A 3, and a general in an own space of an own province, not besieged: siege.7, only from the first
    point.
    """
    if card.ops != TO_RAISE:
        return Illegal("strategy.ops.3", "a unit can be raised only with a card of 3 points")
    space = state.generals[general].space if general in on_board(state, side) else None
    own = space is not None and state.spaces[space].control == side and may_muster(state, side, space)
    if space is None or not own or not controls(state, side, ground(space).province):
        return Illegal(
            "strategy.ops.3", "%(general)s must stand in a friendly space of a friendly province", general=general
        )
    return None


def raise_unit(state: State, command: RaiseUnit, dice: Dice) -> Handled:
    """strategy.ops.3 A CU joins a general."""
    side = side_of_prompt(state)
    refuse(why_not_raise(state, side, check_hand(state, side, command.card), command.general))
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
    side = side_of_prompt(state)
    refuse(why_not_training(state, side, check_hand(state, side, command.card)))
    state, events = spend(state.answered(), side, command.card, "training")
    state, more = improve(state, "8.2.a")
    return impulse_over(state), (*events, *more)


def discard(state: State, command: Discard, dice: Dice) -> Handled:
    """strategy.4, 22.2 A card is thrown away; its value counts for the war budget all the same."""
    side = side_of_prompt(state)
    check_hand(state, side, command.card)
    if state.opening is not None and side == "carthage":
        raise Illegal("7.3", "Carthage named this card in order to go first, and must play it now")
    state, events = spend(state.answered(), side, command.card, "discard")
    return impulse_over(state), events


def card_choices(state: State) -> Iterator[Offer]:
    """8.2 What each card of the hand may be played for."""
    side = side_of_prompt(state)
    leaders = on_board(state, side)
    for number in playable(state, side):
        card = card_of(state, number)
        yield from _moves(state, side, number, card, leaders)
        yield Offer("points", "8.2", {"card": number})
        if why_not_build(state, side, card) is None:
            yield Offer("build_ships", "8.2.e", {"card": number})
        raisers = [name for name in leaders if why_not_raise(state, side, card, name) is None]
        yield from offer("raise_unit", "strategy.ops.3", card=number, general=raisers)
        if why_not_training(state, side, card) is None:
            yield Offer("training", "8.2.a", {"card": number})
        if state.opening is None:
            yield Offer("discard", "strategy.4", {"card": number})


def _moves(state: State, side: Side, number: int, card: Card, leaders: tuple[str, ...]) -> Iterator[Offer]:
    by_trains: dict[int, list[str]] = {}
    for name in leaders:
        short = max(state.leaders[name].strategy - card.ops, 0)
        if short <= trains_with(state, name):
            by_trains.setdefault(short, []).append(name)
    for short, names in by_trains.items():
        yield from offer("activate", "8.2", card=number, general=names, trains=short, use="ops")
    if card.use and card.may_be_event_of(side):
        able = [name for name in leaders if state.leaders[name].strategy <= card.most_strategy]
        yield from offer("activate", "8.2", card=number, general=able, use="event")
    if card.campaign and leaders:
        yield Offer("campaign", "11.1.1.c", {"card": number})


# -- 8.2 The points of a card, split among PCs, the Council, repairs and trains.


def points(state: State, command: Points, dice: Dice) -> Handled:
    """8.2 Play a card for its points, which may be split among PCs, the Council, repairs and trains."""
    side = side_of_prompt(state)
    card = check_hand(state, side, command.card)
    state, events = spend(state.answered(), side, command.card, "points")
    state = replace(state, play=Play(command.card, side, card.ops))
    prompt = Prompt("points", side, "8.2", {"left": card.ops})
    return state.then(prompt, Prompt("impulse_over", "", "strategy.4")), events


def spend_point(state: State, price: int = 1) -> State:
    """8.2 So many points less; with none left the card is done."""
    left: int = state.agenda[-1].about["left"] - price
    return state.asking(left=left) if left > 0 else state.answered()


def may_put(state: State, side: Side, space: str) -> bool:
    """strategy.ops.2a An empty space without enemy CUs; or an enemy PC, no city and no tribe, under own CUs."""
    place = state.spaces[space]
    if place.tribe or place.control == side:
        return False
    if place.control is None:
        return not place.all_of(enemy(side)).size
    if ground(space).city or place.all_of(enemy(side)).size:
        return False
    return place.outside(side).size > 0


def put(state: State, command: Put, dice: Dice) -> Handled:
    """strategy.ops.2 One PC on the map."""
    side = side_of_prompt(state)
    if command.space not in state.spaces or not may_put(state, side, command.space):
        raise Illegal(
            "strategy.ops.2a", "%(side)s cannot place or flip a PC in %(space)s", side=side, space=command.space
        )
    state = spend_point(state).with_place(command.space, replace(state.spaces[command.space], control=side))
    return state, (event("8.2", "pc_placed", side=side, space=command.space),)


def council(state: State, command: CouncilPc, dice: Dice) -> Handled:
    """19.5, 8.2.c, 22.2.d Carthage places a PC in an empty cell of the Council."""
    side = side_of_prompt(state)
    if side != "carthage":
        raise Illegal("19.5", "only Carthage can place a marker in the Council")
    if command.cell not in free_cells(state):
        raise Illegal("19.5", "cell %(cell)s of the Council is not free", cell=str(list(command.cell)))
    state = replace(spend_point(state), council=tuple(sorted((*state.council, command.cell))))
    return state, (event("19.5", "council_pc", cell=list(command.cell)),)


def free_cells(state: State) -> tuple[tuple[int, int], ...]:
    """19.5, H.council The empty cells; one PC a cell."""
    return tuple(cell for cell in ALL_CELLS if cell not in state.council)


def repair_ship(state: State, command: Repair, dice: Dice) -> Handled:
    """8.2.b, 22.2.c One ship for a point."""
    side = side_of_prompt(state)
    refuse(why_not_repair(state, side, command.ship))
    return repair(spend_point(state, state.tables.budget.repair), side, (command.ship,), state.agenda[-1].rule)


def may_supply(state: State, side: Side, space: str, inside: bool) -> bool:
    """8.2.1, 8.2.1.limit With an army, or inside an own city up to its limit; into a besieged city nothing comes."""
    place = state.spaces[space]
    if not inside:
        return place.outside(side).size > 0
    if not ground(space).city or place.control != side or place.besieged():
        return False
    return train_room(state, space) > 0


def supply(state: State, command: Supply, dice: Dice) -> Handled:
    """8.2.d, 22.2.f One train for a point."""
    side = side_of_prompt(state)
    if command.at not in state.spaces or not may_supply(state, side, command.at, command.inside):
        if command.inside:
            raise Illegal("8.2.1", "no supply train of %(side)s can be placed inside %(at)s", side=side, at=command.at)
        raise Illegal("8.2.1", "no supply train of %(side)s can be placed at %(at)s", side=side, at=command.at)
    state = spend_point(state, state.tables.budget.supply).add(command.at, side, Troops(0, 0, 1), command.inside)
    return state, (event("8.2.d", "train_placed", side=side, space=command.at, inside=command.inside),)


def point_choices(state: State) -> Iterator[Offer]:
    """8.2 Every use of a point; the points that are left are lost."""
    side = side_of_prompt(state)
    yield from offer("put", "8.2", space=[space for space in state.spaces if may_put(state, side, space)])
    yield from common_uses(state, side)
    yield Offer("done", "8.2")


def common_uses(state: State, side: Side) -> Iterator[Offer]:
    """8.2, 22.2 What operations points and the war budget both buy: the Council, repairs, trains."""
    if side == "carthage":
        yield from offer("council", "19.5", cell=[list(cell) for cell in free_cells(state)])
    yield from offer("repair", "8.2.b", ship=state.unready(side))
    for inside in (False, True):
        places = [space for space in state.spaces if may_supply(state, side, space, inside)]
        yield from offer("supply", "8.2.d", at=places, inside=inside)


# -- The boxes of the cards: each question with its answers.

# by points and by the war budget; PCs on the map only by points (22.2.d)
BOUGHT: Handlers = {CouncilPc: council, Repair: repair_ship, Supply: supply}
FIRST = (
    box("open", "7.3", {OpenCampaign: opens, Pass: None}, open_choices),
    box("first_player", "7.3", {FirstPlayer: first_player}, first_choices),
)
PLAYED = (
    box("campaign", "11.1.1.c", {CampaignMove: campaign_move, Done: None}, campaign_choices),
    box("points", "8.2", {**BOUGHT, Put: put, Done: None}, point_choices),
)
