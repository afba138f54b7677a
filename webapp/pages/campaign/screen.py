"""One screen of a campaign: the game as a seat sees it, its map, and what the seat may do there."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import partial
from secrets import token_hex
from typing import Any

from strategic import SYSTEMS
from tactical.kernel.corrections import Approve
from tactical.kernel.protocol import SPECTATOR, UMPIRE, Illegal, NotYours, Offer, tag_of
from tactical.kernel.record import BadInput, encode, plain
from webapp.api.serializers import events_for, last_act, offers_of, why_no_undo
from webapp.http.cache import Cache
from webapp.http.forms import parse_field, whole
from webapp.http.language import gettext as _
from webapp.pages.campaign import offers as campaign_offers
from webapp.pages.campaign.chronicle import is_worth
from webapp.pages.campaign.offers import Group, Ready, on_the_map, without_cards
from webapp.post.deadlines import TurnSentence, Wait, doing_of, take_back_text, turn_sentence, waits
from webapp.presenting.map.drawing import Box, Drawing, drawing, home
from webapp.presenting.map.sheet import Spot, bytes_of, has_map, sheet
from webapp.presenting.presentation import (
    Asked,
    BattlePanel,
    Card,
    Fact,
    Goals,
    Ledger,
    Picture,
    Presentation,
    Preview,
    Stack,
    Strip,
    Switches,
    Walk,
    is_first,
    no_hand,
)
from webapp.presenting.refusals import refusal_text
from webapp.storage.errors import Stale
from webapp.storage.journal.records import Game, RollAsked, Table, roll_seen_by
from webapp.storage.journal.store import Store, battles_for
from webapp.systems import presentation
from webapp.systems.messages import Told, lines_of

# -- What the journal tells of the last battle or siege: its rounds card by card, who won, what it cost, what follows.

LOOKED_AT = 80  # entries: a battle by cards of twenty rounds
Data = Mapping[str, Any]


@dataclass(frozen=True)
class Round:
    """A round of a battle by cards: who attacked with what, and whether it was matched."""

    side: str
    card: str
    is_matched: bool = False


@dataclass(frozen=True)
class Result:
    """How a battle or siege ended: the sentence, who won, what each side lost by it, its own effects, its entry."""

    title: str
    winner: str
    lost: Mapping[str, Counter[str]]
    follows: tuple[str, ...]
    number: int


def recent(store: Store, table: Table, seat: str) -> list[tuple[int, Data]]:
    """The events of the last entries that a seat may know, each with its entry's number; none that was taken back."""
    after = max(-1, table.game.version - LOOKED_AT)
    entries = [entry for entry in store.entries(table.game.id, after, seat=seat) if entry.taken_back is None]
    return [(entry.number, it) for entry in entries for it in events_for(entry.events, seat)]


def rounds(events: list[tuple[int, Data]]) -> tuple[Round, ...]:
    """The rounds of the battle by cards that is being fought."""
    found: list[Round] = []
    for _number, it in events:
        if it["type"] == "battle":
            found = []
        elif it["type"] == "attack" and it.get("card"):
            found.append(Round(str(it.get("side")), str(it.get("kind") or it["card"])))
        elif it["type"] == "matched" and found:
            found[-1] = Round(found[-1].side, found[-1].card, True)
    return tuple(found)


def result(system: str, events: list[tuple[int, Data]]) -> Result | None:
    """The end of the last battle or siege, until the next act comes; None when there is none."""
    how = presentation(system)
    act = how.acts.last(events)
    if act is None or act.end is None:
        return None
    title = lines_of(system, [act.events[act.end][1]])
    effects = lines_of(system, [it for _number, it in act.events if how.acts.follows(it)])
    lost = how.acts.lost(it for _number, it in act.events)
    return Result(title[0].text, act.winner, lost, tuple(line.text for line in effects), act.number) if title else None


# -- A march to its goal, carried out space by space: each step is a command, and the first question ends it.

MOST = 20  # steps of one march
LONGEST = 6000  # letters of its orders
KINDS = ("sail", "step")


def orders_of(form: Mapping[str, str]) -> list[dict[str, Any]]:
    """The steps that a form sends, with as many units as it says, elephants among them. Raises BadInput."""
    text, units = form.get("orders", ""), form.get("units", "")
    orders = parse_field(text, "orders") if len(text) <= LONGEST else None
    if not isinstance(orders, list) or not 0 < len(orders) <= MOST:
        raise BadInput("orders", "these are not the steps of a march")
    if not all(isinstance(one, dict) and one.get("type") in KINDS for one in orders):
        raise BadInput("orders", "these are not the steps of a march")
    many = whole(units, "units") if units else None
    if many is None:
        return orders
    return [{**one, "units": many - elephants_of(one)} if "units" in one else one for one in orders]


def elephants_of(order: Mapping[str, Any]) -> int:
    """The elephants of a step."""
    return order["elephants"] if isinstance(order.get("elephants"), int) else 0


def go(store: Store, game: str, seen: int, seat: str, orders: list[dict[str, Any]]) -> bool:
    """Give the steps one after the other, until the army has come to its goal, dice are asked for, or somebody must
    answer. Does it wait on its way for somebody else's answer? Raises what refuses the first step (Illegal, NotYours,
    BadInput, Stale, Barred, Refused)."""
    store.submit(game, seen, seat, orders[0])
    for order in orders[1:]:
        table = store.load(game)
        if table.game.waiting or table.waiting_for != (seat,):
            return seat not in table.waiting_for
        if not any(offer.type == order["type"] for offer in table.offers(seat)):
            return False
        try:
            store.submit(game, table.game.version, seat, order)
        except (Illegal, NotYours, BadInput, Stale):
            return False  # something on the way has changed what may go: the page shows where the army stands
    return False


# -- What was set by hand and waits for the word of others: who wishes what, who has agreed, what a seat may answer.

APPROVE = tag_of(Approve)


@dataclass(frozen=True)
class WishShown:
    """One wish: its number, the seat that has set it, the sentences of what it comes to, who has agreed, the answers.

    `answers` are buttons, each a text and its command as JSON; `is_own`: this seat has set it.
    """

    number: int
    seat: str
    is_own: bool
    lines: tuple[str, ...]
    agreed: tuple[str, ...]
    answers: tuple[tuple[str, str], ...]


def list_wishes(
    how: Presentation, view: Mapping[str, Any], seat: str, offers: Iterable[Offer]
) -> tuple[WishShown, ...]:
    """The wishes that wait, each with what the seat may answer for itself; the umpire answers as the umpire."""
    waiting: Mapping[str, Any] = view.get("wishes") or {}
    own = {offer.fields["wish"]: offer for offer in offers if offer.type == APPROVE and offer.fields["side"] == seat}
    return tuple(
        WishShown(
            int(number),
            wish["seat"],
            wish["seat"] == seat,
            tuple(how.sentences[each["type"]](each) for each in wish["what"] if each["type"] in how.sentences),
            tuple(wish["agreed"]),
            answers(own[int(number)], wish["seat"] == seat) if int(number) in own else (),
        )
        for number, wish in waiting.items()
    )


def answers(offer: Offer, is_own: bool) -> tuple[tuple[str, str], ...]:
    """The buttons of an offer: agree, refuse, or take it back."""
    allow = offer.fields["allow"]
    words = {True: _("Agree"), False: _("Take it back") if is_own else _("Refuse")}
    return tuple(
        (words[each], json.dumps({"type": offer.type, **offer.fields, "allow": each}))
        for each in (allow if isinstance(allow, list) else [allow])
    )


def without_answers(offers: Iterable[Offer]) -> list[Offer]:
    """The offers without the answers to what waits, which have their own place."""
    return [offer for offer in offers if offer.type != APPROVE]


# -- One screen of a campaign: the game as a seat sees it, its map, and what the seat may do there.

MOST_HOT = 64
PICKED = ("card", "group")  # what is picked: a card of the hand, or a group of pieces to be placed
WHO = ("fleet", "general", "leader")  # who is to act: an army that is tapped offers what its leaders may do
STEPS = ("step", "sail")  # an army that goes space by space is moved by its goal
SCREEN_BYTES = 1 << 20  # of a screen without its map, about
MOST_TOLD = 4  # so many lines of what happened last stand upon the map


@dataclass(frozen=True)
class Place:
    """The space that was tapped."""

    spot: Spot
    holder: str | None
    stacks: tuple[Stack, ...]
    facts: tuple[Fact, ...]
    groups: tuple[Group, ...]


@dataclass(frozen=True)
class Screen:
    """Everything that the page shows of the game; `stamp` is this screen's own, for the parts that are drawn of it."""

    game: Game
    seat: str
    sides: tuple[str, ...]
    view: dict[str, Any]
    drawing: Drawing | None
    picture: Picture
    strip: Strip
    asked: Asked | None
    waits: tuple[Wait, ...]
    hand: tuple[Card, ...]
    card: Card | None
    card_groups: tuple[Group, ...]
    place: Place | None
    groups: tuple[Group, ...]
    facts: tuple[Fact, ...]
    previews: tuple[Preview, ...]
    hot: frozenset[str]
    latest: tuple[Told, ...]
    roll: RollAsked | None
    undo_barred: str | None
    playable: frozenset[int | str] = field(default=frozenset())
    battles: tuple[str, ...] = ()
    walk: Walk | None = None
    goals: Goals | None = None
    stakes: tuple[str, ...] = ()
    ledger: Ledger | None = None
    battle: BattlePanel | None = None
    ending: str = ""
    pieces: tuple[Card, ...] = ()
    happens: str = ""
    rounds: tuple[Round, ...] = ()
    result: Result | None = None
    wishes: tuple[WishShown, ...] = ()
    switches: Switches | None = None
    sentence: TurnSentence = field(default_factory=partial(TurnSentence, ""))
    take_back: str = ""
    stamp: str = field(default_factory=lambda: token_hex(8))

    @property
    def picked(self) -> str:
        """What a tap on the map keeps in hand: a card, pieces to be placed, a leader to march or to be placed."""
        if self.card:
            return str(self.card.number)
        if self.goals:
            return self.goals.chosen if self.goals.walkers else ""
        return self.walk.leader if self.walk and not self.walk.points else ""  # who steps on is no choice

    @property
    def reach(self) -> Walk | Goals | None:
        """What is shaded on the map as within reach."""
        return self.goals if self.goals and self.goals.is_open else self.walk

    @property
    def by_goal(self) -> tuple[str, ...]:
        """The kinds of commands that a tap on a goal of the map stands for."""
        if self.goals:
            return self.goals.kinds
        return STEPS if self.walk and self.walk.points else ()

    @property
    def home(self) -> Box | None:
        """Where the view of the map begins."""
        return home(self.drawing, self.seat) if self.drawing else None

    @property
    def is_concerned(self) -> bool:
        """Has this seat an army where it happens, or must it answer what happens there?"""
        return self.mine or any(stack.side == self.seat for stack in self.picture.at(self.happens))

    @property
    def has_hand(self) -> bool:
        """Is there a place for cards on this seat's page? It is there also while the seat holds none."""
        return self.seat in self.sides and presentation(self.game.system).hand is not no_hand

    @property
    def mine(self) -> bool:
        """Must this seat do something?"""
        return any(wait.seat == self.seat for wait in self.waits)

    def answers_of(self, kind: str) -> tuple[Ready, ...]:
        """The answers that play a battle card of this kind."""
        plays = (group for group in self.groups if group.type in ("attack", "match"))
        ready = [one for group in plays for one in group.ready]
        return tuple(one for one in ready if json.loads(one.command).get("card") == kind)

    @property
    def must_answer(self) -> bool:
        """Is this seat asked in mid-rule, so that its answers come before what stands where it tapped?"""
        return self.asked is not None and self.asked.seat == self.seat and is_first(self.game.system, self.asked.kind)

    @property
    def has_house_rules(self) -> bool:
        """Is the game played with values of the group's own?"""
        return bool(self.view.get("house") or (self.view.get("view") or {}).get("house"))

    @property
    def may_adjust(self) -> bool:
        """Only the umpire adjusts."""
        return self.seat == UMPIRE

    @property
    def may_change(self) -> bool:
        """May this seat change the game by hand, as the umpire or as a side of a system that lets it?"""
        return self.may_adjust or (SYSTEMS[self.game.system].settable is not None and not self.looks_on)

    @property
    def looks_on(self) -> bool:
        """A spectator cannot give commands."""
        return self.seat == SPECTATOR


def size_of_screen(seen: Screen) -> int:
    """About how many bytes a screen takes, with the world of its game; to look through one would take long."""
    return SCREEN_BYTES + (bytes_of(seen.picture.sheet) if seen.picture.sheet else 0)


_screens = Cache(single_flight=True, size=size_of_screen)


def screen(store: Store, table: Table, seat: str, space: str | None = None, card: str | None = None) -> Screen:
    """The screen of a game for a seat, with the space and the card that were tapped.

    It is gathered once for all who see the same view, unless battles on the table have a say in it.
    """
    game = table.game
    battles = tuple(link.battle for link in battles_for(store, table, seat))
    if battles or not table.kept.chain:
        found = gather(store, table, seat, battles, space, card)
    else:
        depends = (str(store.file.path), table.kept.chain, encode(game), seat, space, card)
        found = _screens.get(depends, lambda: gather(store, table, seat, battles, space, card))
    waiting = waits(store, table)  # standing orders and deadlines may be given without a change of the game
    return replace(found, waits=waiting, sentence=turn_sentence(store, table, seat, waiting))


def gather(
    store: Store, table: Table, seat: str, battles: tuple[str, ...], space: str | None, card: str | None
) -> Screen:
    """The same, gathered anew, without who is waited for; `battles` of the campaign stand on the table."""
    game = table.game
    view = plain(table.view(seat))
    how = presentation(game.system)
    picture = how.picture(view)
    offered = [] if game.waiting else offers_of(store, table, seat)
    every = [offer for offer in offered if offer.type not in how.elsewhere]
    switches = None if game.waiting else how.switches(table.state, seat)
    offers = [offer for offer in without_answers(every) if switches is None or offer.type != switches.kind]
    held, barred = how.hand(view, seat), why_no_undo(store, table, seat)
    pieces = how.pieces(view) if offers else ()
    card = group_for(game.system, offers, card, space) if pieces else card
    chosen = next((one for one in (*held, *pieces) if str(one.number) == card), None)

    def answer(command: Mapping[str, Any]) -> str:
        return how.answer(view, command, table.state)

    of_card = campaign_offers.narrow(game.system, offers, chosen.number, PICKED) if chosen else []
    of_card = [offer for offer in of_card if offer.type != "take_card"]  # a card that is drawn is none of the hand
    paper = picture.sheet or (sheet(game.system) if has_map(game.system) else None)
    spots = paper.spots if paper else {}
    place = _place(how, view, picture, spots, of_card or offers, space, answer)
    groups = on_the_map(campaign_offers.groups(game.system, offers, how.called(view), answer), spots)
    where = place.spot.id if place else None
    walk = None if game.waiting else how.walk(table.state, seat, card, where)
    goals = how.goals(table.state, seat, offers, card, where) if offers and not (walk and walk.points) else None
    if goals and pieces:
        goals = replace(goals, chosen=card or "")
    fought, happened = how.battle(view, seat), recent(store, table, seat)
    return Screen(
        game=game,
        seat=seat,
        sides=table.sides,
        view=view,
        drawing=drawing(game.system, picture) if spots else None,
        picture=picture,
        strip=how.strip(view),
        asked=how.asked(view, seat),
        waits=(),
        hand=held,
        card=chosen,
        card_groups=on_the_map(
            campaign_offers.groups(game.system, of_card, how.called(view) if pieces else None, answer), spots
        ),
        place=place,
        groups=without_cards(groups) if held or pieces else groups,
        pieces=pieces,
        facts=how.facts(view),
        previews=how.previews(table.state, seat, where),
        hot=hot(
            (
                armies_of(switches)
                or rings(without_answers(offered), of_card, walk, goals, picture, None if how.elsewhere else where)
            )
            & frozenset(spots),
            0 if (goals and goals.is_open) or any(group.by_map for group in groups) else len(spots),
        ),
        battles=tuple(battle for battle in battles if not store.game(battle).over),
        walk=walk,
        goals=goals,
        stakes=() if game.waiting else how.stakes(table.state, seat),
        ledger=how.ledger(view),
        battle=fought,
        ending=ending(how, view),
        latest=latest(store, table, seat),
        happens=happening(table, picture, spots),
        roll=roll_seen_by(game.waiting, seat) if game.waiting else None,
        undo_barred=refusal_text(game.system, barred) if barred else None,
        rounds=rounds(happened) if fought and not fought.tactics else (),
        switches=switches,
        wishes=list_wishes(how, view, seat, every),
        take_back=take_back_text(store, table, seat),
        result=None if fought else result(game.system, happened),
        playable=frozenset(one.number for one in held if campaign_offers.is_played(game.system, offers, one.number)),
    )


def group_for(system: str, offers: Sequence[Offer], card: str | None, space: str | None) -> str | None:
    """The group of pieces that is picked, or the only one that may be placed in the space that was tapped."""
    here = campaign_offers.narrow(system, offers, space) if space else []
    fitting = {str(offer.fields["group"]) for offer in here if "group" in offer.fields}
    return card if card in fitting or len(fitting) != 1 else fitting.pop()


def armies_of(switches: Switches | None) -> frozenset[str]:
    """The spaces of the armies whose leaders are switched."""
    return frozenset(army.space for army in switches.armies) if switches else frozenset()


def rings(
    offers: Sequence[Offer],
    of_card: Sequence[Offer],
    walk: Walk | None,
    aims: Goals | None,
    picture: Picture,
    where: str | None,
) -> frozenset[str]:
    """The spaces to point out: the goals of an answer or of a march that goes space by space, else what the offers
    name; of a fleet only where it is, until that space is tapped (`where`)."""
    if aims is not None and aims.is_open:
        return frozenset(tint.hex for tint in aims.tints)
    if walk is not None and walk.points:
        return frozenset(tint.hex for tint in walk.tints)
    at = {leader.id: stack.space for stack in picture.stacks for leader in stack.leaders}
    named = []
    for each in of_card or offers:
        fleet = str(each.fields.get("fleet"))
        is_elsewhere = fleet in at and at[fleet] != where
        named.append(Offer(each.type, each.rule, {"fleet": fleet}) if is_elsewhere else each)
    return goals(campaign_offers.ids_in(named), picture)


def happening(table: Table, picture: Picture, spots: Mapping[str, Spot]) -> str:
    """The space where something happens: a battle, a meeting, the end of a march, or what somebody is asked about."""
    ends = (course.path[-1] for course in reversed(picture.courses) if course.path)
    asked = (doing_of(table, seat).space for seat in table.waiting_for)
    return next((space for space in (picture.battle, picture.meeting, *ends, *asked) if space in spots), "")


def goals(mentioned: frozenset[str], picture: Picture) -> frozenset[str]:
    """The spaces that offers name, and where the leaders stand whom they name."""
    led = {leader.id: stack.space for stack in picture.stacks for leader in stack.leaders}
    return mentioned | {led[name] for name in mentioned & led.keys()}


def hot(spaces: frozenset[str], among: int) -> frozenset[str]:
    """The spaces to point out `among` so many of the map: none when a great part of them is meant; with 0 all."""
    return spaces if not among or len(spaces) <= max(MOST_HOT, among // 5) else frozenset()


def _place(
    how: Presentation,
    view: dict[str, Any],
    picture: Picture,
    spots: Mapping[str, Spot],
    offers: list[Offer],
    space: str | None,
    answer: campaign_offers.Answer,
) -> Place | None:
    system = how.system
    spot = spots.get(space) if space else None
    if spot is None:
        return None
    here = campaign_offers.narrow(system, offers, spot.id)
    for leader in (leader.id for stack in picture.at(spot.id) for leader in stack.leaders):
        led = campaign_offers.narrow(system, offers, leader, WHO)
        here += [offer for offer in led if offer not in here]
    return Place(
        spot,
        picture.holders.get(spot.id),
        picture.at(spot.id),
        how.space(view, spot.id),
        tuple(one for one in campaign_offers.groups(system, here, how.called(view), answer) if not one.warning),
    )


def ending(how: Presentation, view: dict[str, Any]) -> str:
    """Who won, as a sentence; empty while the war goes on."""
    result = (view.get("view") or view).get("result")
    return how.sentences["over"](result) if result else ""


def latest(store: Store, table: Table, seat: str) -> tuple[Told, ...]:
    """What happened last, as the seat may know it."""
    entry = last_act(store, table, seat)
    if entry is None:
        return ()
    lines = tuple(
        each for each in lines_of(table.game.system, events_for(entry.events, seat)) if each.kind != "captain"
    )
    if len(lines) > MOST_TOLD:  # what carries the war on stands before its small print
        lines = tuple(line for line in lines if is_worth(table.game.system, line.kind)) or lines
    return lines[-MOST_TOLD:]
