"""Everything that the battle page shows to one seat, gathered from its view and its offers."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any

from flask import request
from markupsafe import Markup

from tactical.battle import Battle
from tactical.kernel.journal import Entry
from tactical.kernel.protocol import SPECTATOR, UMPIRE, Offer
from tactical.kernel.reason import Reason
from tactical.offers import to_act
from tactical.ship import Ship
from webapp.api.serializers import entry_for, offers_of, why_no_undo
from webapp.courses.saved_courses import courses
from webapp.http.language import gettext as _
from webapp.http.seats import held_seats
from webapp.pages.battle import teaching
from webapp.pages.battle.board import pointing
from webapp.pages.battle.board.board import Picture, pieces
from webapp.pages.battle.board.looking import Looking
from webapp.pages.battle.board.marks import reach
from webapp.pages.battle.dice.awaited import Roll, roll_to_throw
from webapp.pages.battle.head import clock_faces, heads
from webapp.pages.battle.odds_links import odds_links
from webapp.pages.battle.orders import forgoing, orders, plans, whole_fleet
from webapp.pages.battle.orders.aiming import Aim, aims, on_board
from webapp.pages.battle.orders.end_battle import Closing, closing
from webapp.pages.battle.orders.order_records import Action, Order, command_json
from webapp.pages.battle.orders.refusal_said import refusal
from webapp.pages.battle.results import results
from webapp.pages.battle.results.happenings import happenings
from webapp.pages.battle.results.messages import Line, lines
from webapp.pages.battle.roster import fleet_panel, roster, ship_list, strip, touching
from webapp.pages.battle.setup import deploying, table_photo
from webapp.pages.battle.sheet import adjusting, sheet
from webapp.presenting.battle_labels import (
    level_meaning,
    level_word,
    ship_name,
    side_name,
    tones,
)
from webapp.presenting.labels import translate
from webapp.storage.journal.records import Table
from webapp.storage.journal.store import Store
from webapp.storage.services import letters

LEVELS = ("adjudicate", "advise", "record")
CLOSING = frozenset(("done", "finish", "forgo"))  # book-keeping of the steps, told last
LINES = 8  # lines of news
NEWS = 12  # entries looked at for the line that stays


@dataclass(frozen=True)
class Refusal:
    """Why the last command was not taken: the sentence, the rule, and the command, if one may insist on it."""

    sentence: str
    rule: str | None = None
    command: str = ""
    insist: bool = False
    stale: bool = False


@dataclass
class Shown:
    """The whole page for one seat."""

    look: Looking
    table: Table
    battle: Battle
    title: str
    version: int
    revision: int
    heads: list[heads.SideHead]
    links: Mapping[str, str]
    chips: Sequence[strip.Chip]
    todo: list[str]
    following: str | None
    previous: str | None
    next_chip: str | None
    actions: list[Action]
    closing: Closing
    levels: tuple[Action, ...]
    roll: Roll | None
    news: list[Line]
    unread: int
    undo_barred: Reason | None
    consents: tuple[str, ...]
    undo_missing: tuple[str, ...]
    seats: list[Any]
    selected: Mapping[str, Any] | None = None
    panel: Mapping[str, Any] | None = None
    enemies: list[roster.Enemies] = field(default_factory=list)
    roster: list[roster.Row] = field(default_factory=list)
    totals: list[str] = field(default_factory=list)
    touching: touching.Touching | None = None
    rows: list[ship_list.Row] = field(default_factory=list)
    results: list[results.Card] = field(default_factory=list)
    more_results: int = 0
    happenings: str = "[]"
    aims: Mapping[str, Aim] = field(default_factory=dict)
    refused: Refusal | None = None
    lesson: Any = None
    acts: bool = False
    board: Sequence[tuple[str, Markup]] = ()
    plan: plans.Plan | None = None
    under_way: plans.Plan | None = None
    draws: bool = False
    pings: tuple[pointing.Mark, ...] = ()
    clocks: Mapping[str, clock_faces.Face] = field(default_factory=dict)
    letters: int = 0  # that the seat has not opened
    waits: list[str] = field(default_factory=list)
    photo: table_photo.Picture | None = None

    @property
    def aim(self) -> Aim | None:
        """The enemy that was tapped, while the selected ship can do something to her."""
        return self.aims.get(self.look.target or "")

    @cached_property
    def struck(self) -> set[str]:
        """The ships that an unread result tells of."""
        return {name for card in self.results for name in card.ships}

    @property
    def is_my_turn(self) -> bool:
        """Is there anything for this seat to do, or dice to throw?"""
        return bool(self.todo or self.actions or (self.roll and self.roll.mine))


def gather(store: Store, table: Table, look: Looking, refused: Refusal | None = None) -> Shown:
    """Gather the page."""
    seat, game = look.seat, table.game
    battle: Battle = table.view(seat)
    waiting = game.waiting
    offers = offers_of(store, table, seat) if waiting is None and not game.over else []
    sides = [side for side in battle.sides if seat in (side, UMPIRE)]
    mine = [name for name, ship in battle.ships.items() if ship.side in sides] or list(battle.ships)
    acting = {side: to_act(battle, side) for side in battle.sides} if not game.over and battle.thrown is None else {}
    todo = [name for side in sides for name in acting.get(side, ())] if waiting is None else []
    mine.sort(key=lambda name: (list(battle.sides).index(battle.ships[name].side), battle.ships[name].squadron or ""))
    late = store.entries(game.id, max(-1, game.version - results.LOOKED_AT))
    looks = store.looks(game.id)
    chips = tuple(strip.chips(battle, mine, set(todo)))
    page = Shown(
        look=look,
        table=table,
        battle=battle,
        title=translate(game.title),
        version=game.version,
        revision=game.revision,
        heads=heads.heads(battle, acting, seat),
        links=look.to_ships(battle.ships),
        chips=chips,
        todo=todo,
        following=after(todo, look.ship),
        previous=neighbour(mine, look.ship, -1),
        next_chip=neighbour(mine, look.ship, 1),
        actions=orders.of_sides(battle, offers) + forgoing.in_tray(battle, offers),
        closing=closing(battle, sides, waiting is None and not game.over),
        levels=levels(battle),
        roll=roll_to_throw(table, battle, seat, alone=refused is not None),
        news=latest(table, battle, seat, late),
        unread=max(0, game.version - looks.get(seat, 0)),
        undo_barred=why_no_undo(store, table, seat),
        consents=game.consents,
        undo_missing=tuple(side for side in battle.sides if side not in game.consents),
        seats=held_seats(game.id),
        refused=refused,
        acts=bool(sides) and not game.over,
    )
    page.results, page.more_results = results.cards(store, table, battle, seat, sides, looks, late)
    page.aims = aims(battle, offers, look.ship) if page.acts and waiting is None else {}
    free = page.acts and waiting is None and battle.thrown is None
    kept = courses(store, game.id) if free else {}
    if free:
        page.waits = plans.notes(battle, kept, mine)
        if look.ship in mine:
            page.plan = plans.plan(battle, look, free)
            page.under_way = plans.under_way(battle, kept, look, str(look.ship))
            page.draws = may_plan(page, battle.ships[str(look.ship)])
    page.clocks = {each.side: each for each in clock_faces.faces(store, game.id, battle)}
    page.letters = letters.unread(store, game.id, seat) if seat != SPECTATOR else 0
    page.pings = pointing.marks(store, game.id, battle, seat)
    if look.ship is not None:
        page.selected = selection(battle, offers, look, sides, seat, is_free=waiting is None)
    else:
        page.panel = panel_of(page, offers, [] if deploying.is_quiet(battle) or waiting else sides, kept)
    if look.view == "board":
        page.board = pieces(battle, picture(battle, page, offers))
        page.happenings = happenings(battle, late, seat)
    if not battle.has_places:
        on_own_table(page, offers, sides, page.acts and waiting is None)
    if look.view == "photo":
        page.photo = table_photo.picture(store, game.id, tones(battle))
    if look.view == "list":
        everyone = strip.chips(battle, list(battle.ships), set(todo))
        page.rows = ship_list.rows(battle, everyone, look.ship)
    page.lesson = teaching.lesson(table, battle, seat, page)
    return page


def on_own_table(page: Shown, offers: list[Offer], sides: list[str], may: bool) -> None:
    """The players' own table: whom the ship may touch, the roster, and in the tray what a whole side did."""
    battle = page.battle
    page.touching = touching.touching(battle, offers, page.look) if may else None
    if page.look.view != "fleet":
        return
    names = [chip.id for chip in page.chips]
    page.roster = roster.rows(battle, offers, page.chips, may)
    page.enemies = roster.enemies(battle, names)
    page.totals = roster.totals(battle, names) if len(sides) == 1 else []
    if len(sides) == 1 and battle.step == "move" and may:
        page.actions = roster.step_all(battle, names, sides[0]) + page.actions


def after(todo: list[str], ship: str | None) -> str | None:
    """The next ship that has something to do; the first when this one is the last."""
    rest = [name for name in todo if name != ship]
    if not rest:
        return None
    if ship in todo:
        place = todo.index(ship)
        return (todo[place + 1 :] + todo[:place])[0]
    return rest[0]


def neighbour(mine: list[str], ship: str | None, way: int) -> str | None:
    """The chip beside this one, round and round."""
    if not mine:
        return None
    if ship not in mine:
        return mine[0]
    return mine[(mine.index(ship) + way) % len(mine)]


def latest(table: Table, battle: Battle, seat: str, late: Sequence[Entry]) -> list[Line]:
    """What happened last, the newest first; that somebody is done with a step pushes no result away."""
    version = table.game.version
    found: list[Line] = []
    done: list[Line] = []
    for entry in reversed(late[-NEWS:]):
        if entry.taken_back is not None or entry.command.get("type") == "undo":
            if entry.number == version:
                found.append(Line("", _("The last action was taken back."), (), "soft", "undo"))
            continue
        said = lines(battle, entry_for(entry, seat).events)
        done += [each for each in said if each.kind in CLOSING]
        found += sorted((each for each in said if each.kind not in CLOSING), key=lambda each: each.weight != "loud")
        if len(found) >= LINES:
            break
    return (found + done)[:LINES]


def selection(
    battle: Battle, offers: list[Offer], look: Looking, sides: list[str], seat: str, is_free: bool
) -> dict[str, Any]:
    """The sheet of the selected ship, with what may be done with it: nothing while dice are awaited (not `is_free`)."""
    name = look.ship or ""
    ship = battle.ships[name]
    own = ship.side in sides
    squad = [other for other in strip.squadrons(battle, ship.side).get(ship.squadron or "", ())] if own else []
    return {
        "id": name,
        "ship": ship,
        "name": ship_name(battle, name),
        "kind": battle.kind(ship),
        "chip": strip.chips(battle, [name], ())[0],
        "side": side_name(battle, ship.side),
        "sheet": sheet.values(battle, name, seat if is_free else SPECTATOR),
        "notes": sheet.notes(battle, name),
        "threats": sheet.threats(battle, name) if own and battle.step != "over" else [],
        "where": sheet.where(battle, ship),
        "orders": orders_of(battle, offers, name) if own and is_free and not battle.is_over else [],
        "deploy": deploying.form(battle, offers, name) if own else None,
        "volley": whole_fleet.fire_all(battle, [name]) if own and is_free and battle.step == "fire" else [],
        "odds": odds_links(battle, name) if not battle.is_over else (),
        "squadron": ship.squadron,
        "squad": squad,
        "squad_actions": whole_fleet.of_squadron(battle, squad) if len(squad) > 1 and is_free else [],
        "own": own,
        "may_mark": is_free and sheet.may_mark(battle, ship, seat),
        "adjustable": adjusting.fields(ship, battle.has_hexes) if seat == UMPIRE else [],
    }


def orders_of(battle: Battle, offers: list[Offer], name: str) -> list[Order]:
    """What may be done with a ship: her headings while the sides deploy (L2.5), nothing while dice lie (L2.5.a)."""
    if deploying.is_quiet(battle):
        return deploying.orders_of(battle, offers, name)
    return orders.of_ship(battle, offers, name)


def panel_of(page: Shown, offers: list[Offer], sides: list[str], kept: Mapping[str, Any]) -> Mapping[str, Any]:
    """What the fleet may do."""
    panel = fleet_panel.panel(page.battle, page.look, offers, sides, page.todo, kept)
    return {**panel, "rows": [*panel["rows"], *deploying.rows(page.battle, page.todo)]}


def picture(battle: Battle, page: Shown, offers: list[Offer]) -> Picture:
    """What the board shows, with what the selected ship may do drawn on it."""
    look = page.look
    ship = battle.ships.get(look.ship or "")
    links = {**page.links, **{name: look.url(target=name) for name in page.aims}}
    ghosts: tuple[Any, ...] = ()
    found: dict[tuple[int, int], int] = {}
    leads: set[tuple[int, int]] = set()
    if ship is not None and ship.is_afloat and look.ship is not None:
        ghosts = orders.ghosts(battle, offers, look.ship)
        if deploying.is_on(battle):
            ghosts = deploying.ghosts(battle, offers, look.ship)
        elif not battle.has_hexes:
            found = {}
        elif battle.step == "plot":
            pace = ship.plot if ship.plot is not None else ship.speed
            found = reach(battle, look.ship, pace)
        elif battle.step == "move":
            found = reach(battle, look.ship)
            for ghost in ghosts:
                found.pop(ghost.to, None)
        if page.draws:
            steps = plans.in_reach(battle, look.ship) if battle.has_hexes else {}
            near = {ghost.to for ghost in ghosts}
            found = {**({} if battle.step == "plot" else found), **steps}
            found = {at: count for at, count in found.items() if at not in near}
            leads = {at for at in steps if at in found}
    fire = battle.step == "fire" or request.args.get("rings") == "1"
    return Picture(
        links=links,
        selected=look.ship,
        to_act=set(page.todo),
        ghosts=ghosts,
        reach=found,
        leads=leads,
        route=next((each.places for each in (page.plan, page.under_way) if each is not None), ()),
        draws=page.draws,
        rings=fire,
        sight=fire,
        struck=page.struck,
        pings=page.pings,
        targets=page.aims,
        strikes={page.aim.target: page.aim.actions[0].command} if page.aim is not None else {},
        chances=on_board(battle, look, page.aims, ghosts),
        mine={name for name, each in battle.ships.items() if look.seat in (each.side, UMPIRE)},
    )


def may_plan(page: Shown, ship: Ship) -> bool:
    """May a course be set for the selected ship by tapping where she is to go?"""
    battle, name = page.battle, page.look.ship or ""
    free = page.acts and page.roll is None and battle.thrown is None and battle.step in ("plot", "move")
    return free and page.look.seat in (ship.side, UMPIRE) and plans.may_order(battle, name)


def levels(battle: Battle) -> tuple[Action, ...]:
    """G2.3 How much of the rules is enforced; a change is for all seats, so it is asked first."""
    found = []
    for level in LEVELS:
        here = battle.level == level
        ask = "" if here else _("From now on, for all seats: %(meaning)s", meaning=level_meaning(level))
        command = command_json("level", level=level)
        found.append(Action(level_word(level), command, "G2.3", pressed=here, ask=ask))
    return tuple(found)


def refusal_of(battle: Battle, why: Reason, rule: str | None, command: str, insist: bool) -> Refusal:
    """A refusal with the ships' names in it."""
    return Refusal(refusal(battle, why), rule, command, insist)
