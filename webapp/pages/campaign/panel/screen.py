"""One screen of a campaign: the game as a seat sees it, its map, and what the seat may do there."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import partial
from secrets import token_hex
from typing import Any

from strategic import SYSTEMS
from tactical.kernel.protocol import SPECTATOR, UMPIRE, Offer
from tactical.kernel.record import encode, plain
from webapp.api.serializers import events_for, last_act, offers_of, why_no_undo
from webapp.http.cache import Cache
from webapp.pages.campaign.hand import offer_forms
from webapp.pages.campaign.hand.answers_by_map import on_the_map, without_cards
from webapp.pages.campaign.hand.offer_forms import Group, Ready
from webapp.pages.campaign.history.chronicle import is_worth
from webapp.pages.campaign.panel import battle_story
from webapp.pages.campaign.panel.battle_story import Result, Round
from webapp.pages.campaign.panel.wishes import WishShown, list_wishes, without_answers
from webapp.post.turn_sentence import TurnSentence, doing_of, turn_sentence
from webapp.post.turn_status import Wait, waits
from webapp.presenting.map.drawing import Box, Drawing, drawing, home
from webapp.presenting.map.layout import has_map, sheet
from webapp.presenting.map.sheet import Spot
from webapp.presenting.march_preview import Goals, Walk
from webapp.presenting.mid_rule import QUESTIONS
from webapp.presenting.picture import Asked, BattlePanel, Card, Fact, Ledger, Picture, Preview, Stack, Strip
from webapp.presenting.presentation import Presentation, no_hand
from webapp.presenting.refusals import refusal_text
from webapp.presenting.switches import Switches
from webapp.storage.journal.battle_links import battles_for
from webapp.storage.journal.records import Game, RollAsked, Table, roll_seen_by
from webapp.storage.journal.store import Store
from webapp.systems.messages import Told, lines_of
from webapp.systems.presentations import presentation

MOST_HOT = 64
PICKED = ("card", "group")  # what is picked: a card of the hand, or a group of pieces to be placed
WHO = ("fleet", "general", "leader")  # who is to act: an army that is tapped offers what its leaders may do
STEPS = ("step", "sail")  # an army that goes space by space is moved by its goal
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
        return self.asked is not None and self.asked.seat == self.seat and self.asked.kind in QUESTIONS

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


_screens = Cache(single_flight=True)


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

    of_card = offer_forms.narrow(game.system, offers, chosen.number, PICKED) if chosen else []
    of_card = [offer for offer in of_card if offer.type != "take_card"]  # a card that is drawn is none of the hand
    paper = picture.sheet or (sheet(game.system) if has_map(game.system) else None)
    spots = paper.spots if paper else {}
    place = _place(how, view, picture, spots, of_card or offers, space, answer)
    groups = on_the_map(offer_forms.groups(game.system, offers, how.called(view), answer), spots)
    where = place.spot.id if place else None
    walk = None if game.waiting else how.walk(table.state, seat, card, where)
    goals = how.goals(table.state, seat, offers, card, where) if offers and not (walk and walk.points) else None
    if goals and pieces:
        goals = replace(goals, chosen=card or "")
    fought, happened = how.battle(view, seat), battle_story.recent(store, table, seat)
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
            offer_forms.groups(game.system, of_card, how.called(view) if pieces else None, answer), spots
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
        rounds=battle_story.rounds(happened) if fought and not fought.tactics else (),
        switches=switches,
        wishes=list_wishes(how, view, seat, every),
        result=None if fought else battle_story.result(game.system, happened, game.version),
        playable=frozenset(one.number for one in held if offer_forms.is_played(game.system, offers, one.number)),
    )


def group_for(system: str, offers: Sequence[Offer], card: str | None, space: str | None) -> str | None:
    """The group of pieces that is picked, or the only one that may be placed in the space that was tapped."""
    here = offer_forms.narrow(system, offers, space) if space else []
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
    return goals(offer_forms.ids_in(named), picture)


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
    answer: offer_forms.Answer,
) -> Place | None:
    system = how.system
    spot = spots.get(space) if space else None
    if spot is None:
        return None
    here = offer_forms.narrow(system, offers, spot.id)
    for leader in (leader.id for stack in picture.at(spot.id) for leader in stack.leaders):
        led = offer_forms.narrow(system, offers, leader, WHO)
        here += [offer for offer in led if offer not in here]
    return Place(
        spot,
        picture.holders.get(spot.id),
        picture.at(spot.id),
        how.space(view, spot.id),
        tuple(one for one in offer_forms.groups(system, here, how.called(view), answer) if not one.warning),
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
