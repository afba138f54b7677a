"""Everything that the battle page shows to one seat, gathered from its view and its offers."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from functools import cache, cached_property
from typing import Any

import msgspec
from flask import request, session
from markupsafe import Markup

from tactical.battle import Battle
from tactical.courses import orders as orders_of_fleet
from tactical.exercises import Lesson, all_lessons, is_at_end, is_learnt, is_reached, lesson_of, puzzle_of
from tactical.kernel.journal import Entry
from tactical.kernel.protocol import SPECTATOR, UMPIRE, Offer
from tactical.kernel.record import Reason, encode
from tactical.offers import to_act
from tactical.setup import all_scenarios
from tactical.ship import Ship, cruise, plot_range
from tactical.tabletop import Tape
from webapp.api.serializers import entry_for, events_for, offers_of, why_no_undo
from webapp.captains.courses import courses
from webapp.captains.seats import held_in
from webapp.http.language import gettext as _
from webapp.http.seats import held_seats, store
from webapp.pages.battle import looking, marks, orders, plans, results, roster, setup, sheet, side_heads
from webapp.pages.battle import roster as battle_roster
from webapp.pages.battle.board import Picture, pieces
from webapp.pages.battle.dice import Roll, roll_to_throw
from webapp.pages.battle.looking import Looking
from webapp.pages.battle.marks import reach
from webapp.pages.battle.odds import odds_links
from webapp.pages.battle.orders import Action, Aim, Closing, Order, aims, closing, command_json, on_board, refusal
from webapp.pages.battle.results import Line, happenings, lines
from webapp.presenting.battle_labels import level_meaning, level_word, ship_name, side_name, tones
from webapp.presenting.labels import goal_sentence, translate
from webapp.storage.journal.records import Table
from webapp.storage.journal.store import Store
from webapp.storage.journal.writing import is_asked
from webapp.storage.services import letters
from webapp.storage.services.archive import tape_of

# -- Would today's page show a command as the page did from which it was sent? And what came between, in words.

OF_SHIP = frozenset(("plot", "step", "fire", "ram", "rake", "hold", "board", "contact", "finish"))
OF_SIDE = frozenset(("lock", "done", "forgo"))
CHANGES_ALL = frozenset(("undo", "adjust", "level"))  # after these one looks again, whoever gave them
TOLD = 3  # sentences about what came between


def is_still_shown(store: Store, game: str, seat: str, seen: int, command: Mapping[str, Any]) -> bool:
    """Did only other seats act since `seen`, in the same step, and does the page show the seat's command as it did?

    A ship's command is shown as before when all her orders are, with their chances; a side's word when the same of its
    ships still have something to do. The engine has the last word: what is shown alike may be illegal all the same.
    """
    now = store.load(game)
    if now.game.waiting is not None or now.game.over or now.game.head != now.game.version:
        return False
    for entry in store.entries(game, seen):
        if seat in (entry.seat, entry.on_behalf) or entry.taken_back or entry.command.get("type") in CHANGES_ALL:
            return False
    then = store.table_after(game, seen)
    was, stands = then.view(seat), now.view(seat)
    if moment(was) != moment(stands) or stands.thrown is not None:
        return False
    offers = then.offers(seat), now.offers(seat)
    parts = parts_of(was, command)
    return (
        bool(parts)
        and parts == parts_of(stands, command)
        and all(is_alike(was, stands, *offers, each) for each in parts)
    )


def parts_of(battle: Battle, command: Mapping[str, Any]) -> list[Mapping[str, Any]]:
    """The commands that a command stands for in a position: those that it lists, or those of a fleet's ships."""
    if command.get("type") != "together":
        return [command]
    if command.get("what") is None:
        return list(command.get("commands", ()))
    side, squadron = str(command.get("side")), command.get("squadron")
    found = orders_of_fleet(battle, side, str(command["what"]), squadron) if side in battle.sides else ()
    return [msgspec.to_builtins(each) for each in found]


def moment(battle: Battle) -> tuple[Any, ...]:
    """Turn, phase and step."""
    return battle.turn, battle.phase, battle.step, battle.thrown


def is_alike(
    was: Battle, stands: Battle, before: Sequence[Offer], after: Sequence[Offer], command: Mapping[str, Any]
) -> bool:
    """Do both positions show one command alike? `before` and `after` are the seat's offers in them."""
    kind, ship, side = command.get("type"), command.get("ship"), command.get("side")
    if kind in OF_SIDE and side in stands.sides:
        return to_act(was, side) == to_act(stands, side)
    if kind in OF_SHIP and ship in stands.ships:
        return orders.of_ship(was, before, ship) == orders.of_ship(stands, after, ship)
    return False


def overtaken(store: Store, game: str, seat: str, seen: int) -> str:
    """Why a command that was sent from an older page was not carried out: what came first, as the seat may see it."""
    battle = store.load(game).view(seat)
    said: list[str] = []
    for entry in reversed(store.entries(game, seen)):
        if entry.command.get("type") == "undo":
            said.append(_("An action was taken back."))
        elif entry.taken_back is None:
            said += [each.text for each in lines(battle, entry_for(entry, seat).events)]
    if not said:
        return _("Your tap was not carried out, because the game had gone on. Look again, then decide.")
    return _("Your tap was not carried out, because this came first: %(what)s", what=" ".join(said[:TOLD]))


# -- What a battle teaches: in a lesson its goal until it is done, in a first battle each rule once, where it is met.


@dataclass(frozen=True)
class Taught:
    """What is told now: its name (so that it is told once), a head, a text, the rule.

    A puzzle's and a lesson's have a goal and say whether it is done; a lesson's tells what was learnt and what follows.
    """

    name: str
    head: str
    text: str
    rule: str
    goal: str = ""
    learnt: str = ""
    is_done: bool = False
    following: str = ""


def is_teaching(battle: Battle) -> bool:
    """Is this a scenario that teaches?"""
    return battle.scenario in lessons()


@cache
def lessons() -> frozenset[str]:
    """The scenarios that teach."""
    return frozenset(name for name, scenario in all_scenarios().items() if scenario.teaching)


def lesson(table: Table, battle: Battle, seat: str, page: Any) -> Taught | None:
    """What is told now: of a lesson its goal, of a first battle the first rule that fits and has not been read."""
    if seat == "spectator":
        return None
    if (rung := lesson_of(battle)) is not None:
        return on_the_ladder(table, battle, rung)
    if (puzzle := puzzle_of(battle)) is not None:
        is_done = is_reached(puzzle, battle) or is_at_end(puzzle, battle)
        return Taught(puzzle.id, _("Puzzle"), "", "", goal_sentence(puzzle), is_done=is_done)
    if not is_teaching(battle):
        return None
    read = read_by(table.game.id)
    if "left" in read:
        return None
    return next((each for each in fitting(battle, page) if each.name not in read), None)


def on_the_ladder(table: Table, battle: Battle, it: Lesson) -> Taught:
    """A lesson as it stands."""
    entries = store().entries(table.game.id)
    told = [event for entry in entries if entry.taken_back is None for event in entry.events]
    following = next((each.id for each in all_lessons().values() if each.order == it.order + 1), "")
    head = _(
        "Lesson %(number)s of %(total)s: %(title)s",
        number=it.order,
        total=len(all_lessons()),
        title=translate(it.title),
    )
    goal, learnt = translate(it.goal), translate(it.learnt)
    return Taught(it.id, head, translate(it.text), it.rule, goal, learnt, is_learnt(it, battle, told), following)


def fitting(battle: Battle, page: Any) -> list[Taught]:
    """The explanations that fit this moment, the most pressing first."""
    found: list[Taught] = []
    if page.roll is not None:
        dice = _(
            "Throw these dice on the table and tap their faces, or let the server throw. When there "
            "are several dice, each can be corrected until the last is tapped; a single die counts at once."
        )
        found.append(Taught("dice", _("Dice"), dice, "G5.2"))
    moments: set[str] = {battle.step} if battle.step != "move" or page.todo else set()
    if battle.turn > 1 and battle.step == "plot":
        moments.add("turn")
    for each in all_lessons().values():
        if each.moment in moments:
            found.append(Taught(each.moment, translate(each.title), translate(each.text), each.rule))
    if battle.is_over:
        over = _("The battle is over. The report shows what was sunk and taken, and how lucky the dice were.")
        found.append(Taught("over", _("Well rowed"), over, "G10.2"))
    return found


def read_by(game: str) -> tuple[str, ...]:
    """The explanations that this browser has read in a game."""
    return tuple(session.get("lessons", {}).get(game, ()))


def mark_read(game: str, name: str) -> None:
    """Remember that an explanation has been read; "left" ends them all."""
    lessons = dict(session.get("lessons", {}))
    lessons[game] = [*lessons.get(game, []), name][-20:]
    session["lessons"] = dict(list(lessons.items())[-8:])


# -- Everything that the battle page shows to one seat, gathered from its view and its offers.

LEVELS = ("adjudicate", "advise", "record")
CLOSING = frozenset(("done", "finish", "forgo"))  # book-keeping of the steps, told last
LINES = 8  # lines of news
NEWS = 12  # entries looked at for the line that stays
SOUNDS = {"reveal": "drum", "step": "oars", "ram": "crash", "bow_to_bow": "crash", "rake": "crash", "sunk": "water"}
TRACKED = 90  # entries looked at for where ships have come from


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
    heads: list[side_heads.SideHead]
    links: Mapping[str, str]
    chips: Sequence[battle_roster.Chip]
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
    undo_refused: str
    proposed: Mapping[str, Any]
    seats: list[Any]
    selected: Mapping[str, Any] | None = None
    panel: Mapping[str, Any] | None = None
    enemies: list[roster.Enemies] = field(default_factory=list)
    roster: list[roster.Row] = field(default_factory=list)
    totals: list[str] = field(default_factory=list)
    touching: battle_roster.Touching | None = None
    rows: list[battle_roster.ListRow] = field(default_factory=list)
    results: list[results.Card] = field(default_factory=list)
    more_results: int = 0
    happenings: str = "[]"
    sounds: str = "[]"
    aims: Mapping[str, Aim] = field(default_factory=dict)
    refused: Refusal | None = None
    lesson: Any = None
    acts: bool = False
    board: Sequence[tuple[str, Markup]] = ()
    tracks: Mapping[str, marks.Track] = field(default_factory=dict)
    plan: plans.Plan | None = None
    under_way: plans.Plan | None = None
    draws: bool = False
    pings: tuple[looking.Mark, ...] = ()
    clocks: Mapping[str, side_heads.Face] = field(default_factory=dict)
    letters: int = 0  # that the seat has not opened
    waits: Mapping[str, str] = field(default_factory=dict)  # by ship: why she waits
    held: tuple[str, ...] = ()  # the sides that captains play
    photo: setup.Picture | None = None
    reads: bool = False  # do the models on the table have tags that a photograph can be read by?
    tape: Tape | None = None  # what a photograph of this phase measured

    @property
    def aim(self) -> Aim | None:
        """The enemy that was tapped, while the selected ship can do something to her."""
        return self.aims.get(self.look.target or "")

    @cached_property
    def struck(self) -> set[str]:
        """The ships that an unread result tells of."""
        return {name for card in self.results for name in card.ships}

    @property
    def is_alone(self) -> bool:
        """Are all other sides played by captains, so that nobody else is asked?"""
        return all(side in self.held for side in self.battle.sides if side != self.look.seat)

    @property
    def thinking(self) -> str:
        """The sides for which captains think, where the game waits for nobody else; empty otherwise."""
        waiting = self.table.waiting_for
        thinks = bool(waiting) and set(waiting) <= set(self.held) and self.table.game.waiting is None
        return ", ".join(side_name(self.battle, side) for side in waiting) if thinks else ""

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
    told = store.entries(game.id, max(-1, game.version - TRACKED))
    late = [entry for entry in told if entry.number > game.version - results.LOOKED_AT]
    looks = store.looks(game.id)
    chips = tuple(battle_roster.chips(battle, mine, set(todo)))
    page = Shown(
        look=look,
        table=table,
        battle=battle,
        title=translate(game.title),
        version=game.version,
        revision=game.revision,
        heads=side_heads.heads(battle, acting, seat),
        links=look.to_ships(battle.ships),
        chips=chips,
        todo=todo,
        following=after(todo, look.ship),
        previous=neighbour(mine, look.ship, -1),
        next_chip=neighbour(mine, look.ship, 1),
        actions=[],
        closing=closing(battle, sides, waiting is None and not game.over),
        levels=levels(battle),
        roll=roll_to_throw(table, battle, seat, alone=refused is not None),
        news=latest(table, battle, seat, late),
        unread=max(0, game.version - looks.get(seat, 0)),
        undo_barred=why_no_undo(store, table, seat),
        consents=game.consents,
        undo_missing=() if is_asked(game) else tuple(side for side in battle.sides if side not in game.consents),
        undo_refused=game.refused,
        proposed=game.proposed,
        seats=held_seats(game.id),
        refused=refused,
        acts=bool(sides) and not game.over,
    )
    page.results, page.more_results = results.cards(store, table, battle, seat, sides, looks, late)
    page.aims = aims(battle, offers, look.ship) if page.acts and waiting is None else {}
    free = page.acts and waiting is None and battle.thrown is None
    kept = courses(store, game.id) if free else {}
    if free:
        page.waits = plans.notes(battle, kept, [look.ship] if look.ship in mine else mine)
        if look.ship in mine:
            page.plan = plans.plan(battle, look, free)
            page.under_way = plans.under_way(battle, kept, look, str(look.ship))
            page.draws = may_plan(page, battle.ships[str(look.ship)])
    page.actions = going_on(page, offers, sides, kept)
    page.clocks = {each.side: each for each in side_heads.faces(store, game.id, battle)}
    page.held = tuple(each.seat for each in held_in(store, game.id) if not each.fault)
    page.letters = letters.unread(store, game.id, seat) if seat != SPECTATOR else 0
    page.pings = looking.marks(store, game.id, battle, seat)
    if not battle.has_hexes and seat != SPECTATOR:
        page.reads, tape = tape_of(store, game.id)
        page.tape = tape if tape is not None and tape.holds(battle) else None
    if look.ship is not None:
        page.selected = selection(battle, offers, look, sides, seat, is_free=waiting is None, tape=page.tape)
    else:
        page.panel = panel_of(page, offers, [] if setup.is_quiet(battle) or waiting else sides, kept)
    if look.view == "board":
        page.tracks = marks.tracks(battle, told) if battle.has_places else {}
        page.board = pieces(battle, picture(battle, page, offers))
    page.happenings = happenings(battle, late, seat)
    page.sounds = sounds(late, seat)
    if not battle.has_places:
        on_own_table(page, offers, sides, page.acts and waiting is None)
    if look.view == "photo":
        page.photo = setup.picture(store, game.id, tones(battle))
    if look.view == "list":
        everyone = battle_roster.chips(battle, list(battle.ships), set(todo))
        page.rows = battle_roster.list_rows(battle, everyone, look.ship)
    page.lesson = lesson(table, battle, seat, page)
    return page


def sounds(late: Sequence[Entry], seat: str) -> str:
    """What the newest entries sound like, as far as a seat may hear them: [number, [sounds]], as JSON."""
    found = [
        (entry.number, heard)
        for entry in late[-NEWS:]
        if entry.taken_back is None
        and (
            heard := list(
                dict.fromkeys(
                    SOUNDS[kind] for each in events_for(entry.events, seat) if (kind := each["type"]) in SOUNDS
                )
            )
        )
    ]
    return encode(found).decode()


# -- The buttons at the bottom: the first always brings the game on.

ROOM = 2  # buttons beside the one to the next ship


def going_on(page: Shown, offers: list[Offer], sides: list[str], kept: Mapping[str, Any]) -> list[Action]:
    """What brings the game on, for one side at a time: what its whole fleet does next, then that it is done.

    For an umpire who has several sides each button has its side's name; what else they may say stands in the panel.
    """
    battle = page.battle
    side = orders.speaker(battle, offers, page.todo, page.look.ship)
    acts = [*fleet_act(page, offers, side, kept), *orders.of_side(battle, offers, side)] if page.acts else []
    if len(sides) == 1 and len(acts) < ROOM:
        acts += orders.forgoing(battle, offers, side)
    if side and len(sides) > 1:
        acts = [each._replace(label=f"{side_name(battle, side)}: {each.label}") for each in acts]
    return acts


def fleet_act(page: Shown, offers: list[Offer], side: str, kept: Mapping[str, Any]) -> list[Action]:
    """What all ships of a side do next in one act, or the one that is left; none in the fire step.

    On the players' own table there are two, for a player may have to say that no ships touch.
    """
    battle, look = page.battle, page.look
    todo = [name for name in page.todo if battle.ships[name].side == side]
    mine = [name for name, ship in battle.ships.items() if ship.side == side and ship.is_afloat]
    found: list[Action] = []
    if battle.step == "plot" and any(offer.type == "plot" and offer.fields["ship"] in mine for offer in offers):
        found = orders.lock_the_rest(battle, side)
    elif battle.step == "move" and not battle.has_places:
        return roster.step_all(battle, mine, side)
    elif battle.step == "move" and todo and not setup.is_quiet(battle):
        found = plans.all_ahead(battle, look, mine, kept)
        found = found or [each for each in orders.step_all(battle, mine) if not is_turn(each)]
        found = found or one_step(battle, offers, look.ship if look.ship in todo else todo[0])
    elif battle.step == "ram" and todo:
        found = orders.ram_all(battle, mine)
    elif battle.step == "board" and todo:
        found = orders.board_all(battle, mine)
    return found[:1]


def is_turn(action: Action) -> bool:
    """Do all ships turn? That is nothing to go on with."""
    return '"left"' in action.command or '"right"' in action.command


def one_step(battle: Battle, offers: list[Offer], name: str) -> list[Action]:
    """The steps of one ship, the best first: ahead, another into open water, and last across the edge."""
    mine = [offer for offer in offers if offer.fields.get("ship") == name]
    found = [each for each in orders.of_ship(battle, mine, name) if isinstance(each, Action)]
    found.sort(key=lambda each: (bool(each.ask), each.weight == "danger", each.weight != "main"))
    return [each._replace(label=f"{ship_name(battle, name)}: {each.label}") for each in found]


def on_own_table(page: Shown, offers: list[Offer], sides: list[str], may: bool) -> None:
    """The players' own table: whom the ship may touch, the roster, and in the tray what a whole side did."""
    battle = page.battle
    page.touching = battle_roster.touching(battle, offers, page.look, page.tape) if may else None
    if page.look.view != "fleet":
        return
    names = [chip.id for chip in page.chips]
    page.roster = roster.rows(battle, offers, page.chips, may, page.tape)
    page.enemies = roster.enemies(battle, names)
    page.totals = roster.totals(battle, names) if len(sides) == 1 else []


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
        found += sorted(
            (each for each in said if each.kind not in CLOSING),
            key=lambda each: (each.kind not in results.MOMENTS, each.weight != "loud"),
        )
        if len(found) >= LINES:
            break
    return (found + done)[:LINES]


def selection(
    battle: Battle,
    offers: list[Offer],
    look: Looking,
    sides: list[str],
    seat: str,
    is_free: bool,
    tape: Tape | None = None,
) -> dict[str, Any]:
    """The sheet of the selected ship, with what may be done with it: nothing while dice are awaited (not `is_free`)."""
    name = look.ship or ""
    ship = battle.ships[name]
    own = ship.side in sides
    squad = [other for other in battle_roster.squadrons(battle, ship.side).get(ship.squadron or "", ())] if own else []
    return {
        "id": name,
        "ship": ship,
        "name": ship_name(battle, name),
        "kind": battle.kind(ship),
        "chip": battle_roster.chips(battle, [name], ())[0],
        "side": side_name(battle, ship.side),
        "sheet": sheet.values(battle, name, seat if is_free else SPECTATOR),
        "notes": sheet.notes(battle, name),
        "threats": sheet.threats(battle, name) if own and battle.step != "over" else [],
        "where": sheet.where(battle, ship),
        "orders": orders_of(battle, offers, name, tape) if own and is_free and not battle.is_over else [],
        "deploy": setup.form(battle, offers, name) if own else None,
        "volley": orders.fire_all(battle, [name]) if own and is_free and battle.step == "fire" else [],
        "odds": odds_links(battle, name) if not battle.is_over else (),
        "squadron": ship.squadron,
        "squad": squad,
        "squad_actions": orders.of_squadron(battle, squad) if len(squad) > 1 and is_free else [],
        "own": own,
        "may_mark": is_free and sheet.may_mark(battle, ship, seat),
        "adjustable": sheet.fields(ship, battle.has_hexes) if seat == UMPIRE else [],
    }


def orders_of(battle: Battle, offers: list[Offer], name: str, tape: Tape | None = None) -> list[Order]:
    """What may be done with a ship: her headings while the sides deploy (L2.5), nothing while dice lie (L2.5.a)."""
    if setup.is_quiet(battle):
        return setup.orders_of(battle, offers, name)
    return orders.of_ship(battle, offers, name, tape)


def panel_of(page: Shown, offers: list[Offer], sides: list[str], kept: Mapping[str, Any]) -> Mapping[str, Any]:
    """What the fleet may do."""
    panel = battle_roster.panel(page.battle, page.look, offers, sides, page.todo, kept)
    below = {each.command for each in page.actions}  # what stands at the bottom stands only there
    groups = [
        {**each, "actions": tuple(it for it in each["actions"] if it.command not in below)} for each in panel["groups"]
    ]
    return {
        **panel,
        "groups": [each for each in groups if each["actions"]],
        "rows": [*panel["rows"], *setup.rows(page.battle, page.todo)],
    }


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
        if setup.is_on(battle):
            ghosts = setup.ghosts(battle, offers, look.ship)
        elif not battle.has_hexes:
            found = {}
        elif battle.step == "plot" and ship.status == "afloat":
            found = reach(battle, look.ship, plot_range(battle.kind(ship), ship, battle.options.sprint)[1])
        elif battle.step == "move":
            found = reach(battle, look.ship)
            for ghost in ghosts:
                found.pop(ghost.to, None)
        if page.draws:
            steps = plans.in_reach(battle, look.ship) if battle.has_hexes else {}
            near = {ghost.to for ghost in ghosts}
            found = {at: count for at, count in {**found, **steps}.items() if at not in near}
            leads = {at for at in steps if at in found}
    fire = battle.step == "fire" or request.args.get("rings") == "1"
    return Picture(
        links=links,
        selected=look.ship,
        to_act=set(page.todo),
        ghosts=ghosts,
        reach=found,
        usual=cruise(battle.kind(ship), ship) if ship is not None else 0,
        tracks=page.tracks,
        leads=leads,
        route=next((each.places for each in (page.plan, page.under_way) if each is not None), ()),
        draws=page.draws,
        rings=fire,
        sight=fire,
        struck=page.struck,
        pings=page.pings,
        proposed=page.proposed.get("ships", {}) if page.consents else {},
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
