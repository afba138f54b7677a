"""L1 Where campaign and table meet: what is at stake, reports, the outcome's review."""

from __future__ import annotations

import json
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

from flask_babel import ngettext
from msgspec.structs import replace as replace_fields

from strategic.naval.engagement import (
    HULL,
    WAYS,
    Engagement,
    Fleet,
    NavalOutcome,
    SideOutcome,
    Transport,
    check_outcome,
)
from strategic.naval.handoff import TABLE as LINKING
from tactical.battle import Battle
from tactical.kernel.dice import Dice, RollNeeded
from tactical.kernel.protocol import SPECTATOR, UMPIRE, Event, Illegal, NotYours, Offer, Outcome
from tactical.kernel.record import plain, read
from tactical.rules.linked import deploys
from tactical.ship import TYPES
from webapp.api.serializers import offers_of
from webapp.http.forms import count, reason_text
from webapp.http.language import gettext as _
from webapp.presenting.campaign_labels import abandon_word, consent_word, level_word, prompt_word, seat_word, way_word
from webapp.presenting.labels import translate
from webapp.presenting.meetings import (
    Fought,
    at_opening,
    battle_of,
    engagement_in,
    entered_by,
    link_of,
    place_name,
    quick_dice_lines,
    seen_engagement,
    side_name,
    unit_names,
)
from webapp.storage.journal.engagements import LinkedBattle, linked_battle_of, outcome_of_battle
from webapp.storage.journal.records import Table
from webapp.storage.journal.store import Store, battles_of, campaign_of, touch
from webapp.storage.journal.writing import sentence
from webapp.systems import presentation
from webapp.systems.messages import Told, lines_of

# -- Pages on both sides of the link hear of each other: a change on one side touches the revision of the other's game.

TOLD = frozenset(("settled", "way", "battle_opened", "report"))


def touch_linked_games(store: Store, table: Table, seat: str, command: Any, outcome: Outcome[Any]) -> tuple[Event, ...]:
    """L1.4 Within the command's transaction: the other page is told that there is something to look at."""
    if isinstance(outcome.state, Battle):
        link = campaign_of(store, table.game.id) if moved_on(table.state, outcome.state) else None
        if link is not None:
            touch(store, link.campaign)
    elif any(happened.type in TOLD for happened in outcome.events):
        for link in battles_of(store, table.game.id):
            touch(store, link.battle)
    return ()


def moved_on(before: Battle, after: Battle) -> bool:
    """Has what the campaign's page shows of a battle changed: its turn, its end, the ships that are left?"""
    if before.link is None:
        return False
    return (before.turn, before.is_over, len(before.afloat())) != (after.turn, after.is_over, len(after.afloat()))


# -- L3.1 A naval outcome in words: what each side lost, by name, and what it will mean for the campaign.

MOST_LINES = 14
PRICES = ("remove", "lose", "losses")  # questions by which a beaten side pays


@dataclass(frozen=True)
class SideShown:
    """One side of an outcome: how many it sent, and what became of them."""

    id: str
    name: str
    sent: int
    sunk: int
    captured: int
    sunk_names: tuple[str, ...]
    captured_names: tuple[str, ...]
    transports: int
    transports_sent: int
    transport_names: tuple[str, ...]
    fled: bool
    evaded: bool
    damage: tuple[tuple[str, int], ...]

    @property
    def home(self) -> int:
        """Warships that come home."""
        return self.sent - self.sunk - self.captured


@dataclass(frozen=True)
class OutcomeShown:
    """A whole outcome."""

    winner: str
    turns: int
    sides: tuple[SideShown, ...]


@dataclass(frozen=True)
class Meaning:
    """What entering it brings: what is certain, who must pay next, and what hangs on a die, face by face."""

    certain: tuple[Told, ...]
    then: str = ""
    label: str = ""
    by_face: tuple[tuple[int, tuple[Told, ...]], ...] = ()


def outcome_words(engagement: Engagement, outcome: NavalOutcome, names: Mapping[str, str]) -> OutcomeShown:
    """L3.1 The outcome with the ships' names."""
    found = []
    for side in engagement.sides:
        fleet, lost = engagement.fleets[side], outcome.of(side)
        found.append(
            SideShown(
                id=side,
                name=side_name(side),
                sent=len(fleet.units),
                sunk=lost.sunk,
                captured=lost.captured,
                sunk_names=tuple(names.get(unit, unit) for unit in lost.sunk_ships),
                captured_names=tuple(names.get(unit, unit) for unit in lost.captured_ships),
                transports=lost.transports,
                transports_sent=len(fleet.transports),
                transport_names=tuple(
                    each.name
                    for each in fleet.transports
                    if each.name and each.id in (*lost.sunk_transports, *lost.captured_transports)
                ),
                fled=lost.fled,
                evaded=lost.evaded,
                damage=tuple((names.get(unit, unit), hull) for unit, hull in lost.damage.items() if hull),
            )
        )
    return OutcomeShown(side_name(outcome.winner) if outcome.winner else "", outcome.turns, tuple(found))


def outcome_meaning(table: Table, seat: str, engagement: Engagement, outcome: NavalOutcome) -> Meaning:
    """L1.4 What the campaign's own engine makes of it: the outcome is entered on a copy that nobody keeps.

    Where a die is needed each face is tried. Only what the seat may see, and nothing that shows something hidden.
    """
    command = read({"type": "settle", "engagement": engagement.id, "outcome": plain(outcome)}, table.system.command)
    happened, asked, after = _enter(table, command, ())
    if asked is None:
        return Meaning(_tell(table, seat, happened), _then(table, seat, after))
    tries = []
    for face in range(1, asked.dice[0] + 1):
        events, more, after = _enter(table, command, (face,))
        if more is not None or len(asked.dice) > 1:
            return Meaning((), label=asked.label)
        tries.append((face, events))
    always = [each for each in tries[0][1] if all(each in events for _face, events in tries)]
    by_face = tuple(
        (face, _tell(table, seat, [each for each in events if each not in always])) for face, events in tries
    )
    return Meaning(_tell(table, seat, always), _then(table, seat, after), asked.label, by_face)


def _enter(table: Table, command: Any, faces: tuple[int, ...]) -> tuple[list[Event], Any, Any]:
    """The events of entering it, the dice that are asked for (then there are no events), the position after it."""
    try:
        outcome = table.system.apply(table.state, UMPIRE, command, Dice(faces, None, lambda sides: 1))
    except RollNeeded as need:
        return [], need.asked, None
    except (Illegal, NotYours):
        return [], None, None
    return list(outcome.events), None, outcome.state


def _then(table: Table, seat: str, after: Any) -> str:
    """L3.6.a Who must pay for it next, with how many markers; other questions are not this outcome's."""
    asked = presentation(table.game.system).asked(plain(table.system.view(after, seat))) if after is not None else None
    if asked is None or asked.kind not in PRICES:
        return ""
    count = asked.count or asked.about.get("left")
    what = f"{seat_word(str(asked.seat))}: {prompt_word(table.game.system, asked.kind)}"
    return f"{what} ({count})" if count else what


def _tell(table: Table, seat: str, events: list[Event]) -> tuple[Told, ...]:
    seen = [each.flat() for each in events if each.seen_by(seat) and not each.reveals and each.type != "settled"]
    return lines_of(table.game.system, seen[:MOST_LINES])


# -- L1.4 The battle's side of the link: what is at stake, and the outcome for review once it is over.


@dataclass(frozen=True)
class Stakes:
    """What hangs on a battle, as a line and as the facts behind it."""

    campaign: str
    title: str
    place: str
    facts: tuple[tuple[str, str, str], ...]  # label, text, rule
    deploying: str


@dataclass(frozen=True)
class Review:
    """The outcome of a finished battle for a seat. `entered` is the campaign's entry once it is in its journal."""

    battle: str
    campaign: str
    title: str
    seat: str
    seen: int
    outcome: OutcomeShown
    meaning: Meaning | None
    command: str
    may_enter: bool
    may_correct: bool
    entered: int | None
    corrected: bool
    waits: str
    rolls: bool


def stakes(store: Store, battle: Battle, game: str, seat: str) -> Stakes | None:
    """L1.4 What is at stake; None for a battle of its own."""
    if battle.link is None:
        return None
    link = battle.link
    meeting = linked_battle_of(store, game)
    engagement = at_opening(store, meeting.link, meeting.campaign) if meeting else None
    facts: list[tuple[str, str, str]] = []
    afloat = {
        side: (
            sum(ship.status == "afloat" for ship in carrying),
            len(carrying),
        )
        for side in battle.sides
        if (carrying := [each for each in battle.ships.values() if each.side == side and battle.kind(each).ram is None])
    }
    for side, (left, sent) in afloat.items():
        facts.append(
            (
                _("Transports of %(side)s", side=side_name(side)),
                _("%(left)s of %(sent)s afloat, each with a unit of troops or a supply train", left=left, sent=sent),
                "L2.3",
            )
        )
    if link.supremacy is not None:
        said = side_name(link.supremacy)
        if link.evades:
            text = _("%(side)s holds supremacy, and may give it up at the end of a turn in order to leave", side=said)
        else:
            text = said
        facts.append((_("Naval supremacy"), text, "L3.5"))
    if battle.turn <= link.wall_until:
        facts.append((_("The edge"), _("a wall until the end of turn %(turn)s", turn=link.wall_until), "L3.4"))
    else:
        facts.append((_("The edge"), _("open (a side whose last warship leaves has fled)"), "L3.4"))
    if battle.turn_limit:
        facts.append((_("Turn limit"), _("after turn %(turn)s nobody has won", turn=battle.turn_limit), "L3.3"))
    facts.append((_("Victory"), _("only warships count; the last side with one has won"), "L3.3"))
    if link.models_per_unit > 1:
        facts.append((_("Models"), _("%(count)s for each naval unit", count=link.models_per_unit), "L2.1"))
    for side, left in link.rerolls.items():
        again = _("Dice re-rolled by %(side)s", side=side_name(side))
        facts.append((again, _("%(count)s left", count=left), "L2.5.a"))
    now = deploys(battle)
    return Stakes(
        campaign=link.game,
        title=translate(meeting.campaign.game.title) if meeting else link.stakes,
        place=place_name(link.system, engagement.place) if engagement else "",
        facts=tuple(facts),
        deploying=side_name(now) if now else "",
    )


def review(store: Store, game: str, seat: str, in_full: bool = True) -> Review | None:
    """L1.4 The outcome of a finished battle of a campaign; None while it is fought, or when it is of no campaign.

    `in_full` also asks the campaign's engine what it will mean.
    """
    meeting = linked_battle_of(store, game)
    if meeting is None or not meeting.battle.game.over:
        return None
    engagement = at_opening(store, meeting.link, meeting.campaign)
    if engagement is None:
        return None
    fought = outcome_of_battle(store, meeting.link, engagement)
    outcome = meeting.settled or fought
    if outcome is None:
        return None
    means = in_full and meeting.settled is None and meeting.engagement is not None
    meaning = outcome_meaning(meeting.campaign, seat, engagement, outcome) if means else None
    return _review(store, meeting, engagement, outcome, fought, seat, meaning)


def _review(
    store: Store,
    meeting: LinkedBattle,
    engagement: Engagement,
    outcome: NavalOutcome,
    fought: NavalOutcome | None,
    seat: str,
    meaning: Meaning | None,
) -> Review:
    campaign = meeting.campaign
    waiting = meeting.settled is None and meeting.engagement is not None
    held = {known.id for known in store.seats(campaign.game.id)}
    sits = seat in held and (seat in engagement.fleets or seat == UMPIRE)
    open_for = waiting and sits and campaign.game.waiting is None and seen_engagement(campaign, seat) is not None
    command = {"type": "settle", "engagement": engagement.id, "outcome": plain(outcome)}
    return Review(
        battle=meeting.link.battle,
        campaign=campaign.game.id,
        title=translate(campaign.game.title),
        seat=seat,
        seen=campaign.game.version,
        outcome=outcome_words(engagement, outcome, unit_names(engagement, meeting.battle.state)),
        meaning=meaning,
        command=json.dumps(command, separators=(",", ":")),
        may_enter=open_for,
        may_correct=open_for and seat == UMPIRE,
        entered=entered_by(store, campaign.game.id, engagement.id) if meeting.settled is not None else None,
        corrected=meeting.settled is not None and meeting.settled != fought,
        waits=_("Dice must be rolled in the campaign first.") if waiting and campaign.game.waiting is not None else "",
        rolls=campaign.game.dice != "digital",
    )


# -- L1.2 The campaign's side of the link: two fleets that have met, how each side would settle it, and what waits.

OWN = frozenset(("choose_way", "open_battle", "report", "assent", "settle"))  # offers that this panel gives


@dataclass(frozen=True)
class FleetShown:
    """A fleet as it has met the other."""

    id: str
    name: str
    commander: str
    ships: tuple[str, ...]
    warships: str
    transports: str
    notes: tuple[str, ...]
    chosen: str


@dataclass(frozen=True)
class Button:
    """A command that this seat may give."""

    text: str
    command: str
    main: bool = False
    alone: bool = False  # it settles the meeting for both at once, so it is asked twice


@dataclass(frozen=True)
class Choices:
    """The ways that a side may still choose; the umpire has both sides' before him."""

    side: str
    name: str
    buttons: tuple[Button, ...]


@dataclass(frozen=True)
class MeetingShown:
    """The panel."""

    engagement: str
    place: str
    rule: str
    mover: str
    supremacy: str
    fleets: tuple[FleetShown, ...]
    own_only: bool
    consent: str
    asked: tuple[str, ...]
    to_open: str
    way: str
    choices: tuple[Choices, ...]
    models: tuple[int, int] | None
    battle: Fought | None
    left: tuple[str, ...]
    review: Review | None
    proposed: OutcomeShown | None
    assented: str
    assents: tuple[Button, ...]
    may_report: bool
    may_enter: bool
    may_abandon: bool
    to_report: bool
    others: tuple[tuple[str, str], ...] = ()
    at_once: tuple[str, ...] = ()
    hides: frozenset[str] = OWN


def meeting_for(store: Store, table: Table, seat: str, view: dict[str, Any], name: str = "") -> MeetingShown | None:
    """The panel for a seat, of the meeting in front or of the one of this name; None while no engagement waits, or
    where it is hidden from the seat."""
    engagement = engagement_in(view, name)
    if engagement is None or view.get("naval"):
        return None
    game = table.game
    offers = [] if game.waiting else [each for each in offers_of(store, table, seat) if each.type in OWN]
    offers = [each for each in offers if each.fields.get("engagement") == engagement.id]
    link = link_of(store, game.id, engagement.id) if engagement.opened else None
    battle = battle_of(store, link, engagement) if link is not None else None
    names = unit_names(engagement)
    free = not engagement.opened and not engagement.own_table_only() and not game.waiting
    by_hand = free and "report" in kinds(table)
    return MeetingShown(
        engagement=engagement.id,
        place=place_name(game.system, engagement.place),
        rule=engagement.rule,
        mover=side_name(engagement.mover),
        supremacy=side_name(engagement.supremacy) if engagement.supremacy else "",
        fleets=tuple(fleet_of(side, engagement, names) for side in engagement.sides),
        own_only=engagement.own_table_only(),
        consent=consent_word(engagement),
        asked=engagement.asked(),
        to_open=_("Both want a battle in this program")
        if engagement.deciding in ("", "both")
        else _("It is fought in this program"),
        way=way_word(engagement.way) if engagement.way else "",
        choices=apart(
            [choices(engagement, side, offers) for side in (*engagement.sides, UMPIRE) if _ways(offers, side)]
        ),
        models=models(offers),
        battle=battle,
        left=tuple(
            _("%(side)s %(left)s of %(sent)s", side=side_name(side), left=left, sent=sent)
            for side, left, sent in (battle.left if battle else ())
        ),
        review=review(store, link.battle, seat) if battle is not None and battle.over and link is not None else None,
        proposed=outcome_words(engagement, engagement.proposed, names) if engagement.proposed else None,
        assented=", ".join(side_name(side) for side in engagement.assents),
        assents=tuple(
            Button(_("Agree for %(side)s", side=side_name(str(each.fields["side"]))), command_json(each), True)
            for each in offers
            if each.type == "assent"
        ),
        may_report=by_hand and seat in engagement.fleets and engagement.way != "battle",
        may_enter=by_hand and seat == UMPIRE,
        may_abandon=battle is not None
        and battle.abandoned
        and seat != SPECTATOR
        and not game.waiting
        and (seat == UMPIRE or seat in engagement.fleets),
        to_report=by_hand and engagement.way == "report" and seat in engagement.fleets,
        others=tuple(
            (id, place_name(game.system, each["place"]))
            for id, each in (view.get("engagements") or {}).items()
            if id != engagement.id
        ),
        at_once=quick_dice_lines((view.get("instant") or {}).get(engagement.id)),
    )


def kinds(table: Table) -> frozenset[str]:
    """The kinds of command that the system takes."""
    members = getattr(table.system.command, "__args__", (table.system.command,))
    return frozenset(str(each.__struct_config__.tag) for each in members)


def fleet_of(side: str, engagement: Engagement, names: dict[str, str]) -> FleetShown:
    """L1.1 One side: its ships by name with the damage that they bring, its transports, its commander."""
    fleet = engagement.fleets[side]
    ships = []
    for unit in fleet.units:
        if not unit.name:  # the points of some systems are like coins (L2.4): they are counted
            continue
        name = names[unit.id]
        ships.append(_("%(ship)s (hull −%(damage)s)", ship=name, damage=unit.damage) if unit.damage else name)
    notes = []
    if fleet.corvus:
        notes.append(_("corvus"))
    if fleet.seamanship:
        notes.append(_("seamanship: %(level)s", level=level_word(fleet.seamanship)))
    if engagement.supremacy == side:
        notes.append(_("naval supremacy"))
    if side == engagement.mover:
        notes.append(_("was on the move"))
    return FleetShown(
        id=side,
        name=side_name(side),
        commander=commander(fleet),
        ships=tuple(ships),
        warships=warships(len(fleet.units)),
        transports=transports(len(fleet.transports)),
        notes=tuple(notes),
        chosen=way_word(engagement.chosen[side]) if side in engagement.chosen else "",
    )


def warships(count: int) -> str:
    """L1.2.a So many warships, or none."""
    return ngettext("%(num)d warship", "%(num)d warships", count) if count else _("no warship")


def transports(count: int) -> str:
    """L2.3 So many transports; nothing when there are none."""
    return ngettext("%(num)d transport", "%(num)d transports", count) if count else ""


def commander(fleet: Fleet) -> str:
    """The commander with his rating."""
    if not fleet.commander_name:
        return ""
    return _("%(name)s, rating %(rating)s", name=translate(fleet.commander_name), rating=fleet.rating)


def choices(engagement: Engagement, side: str, offers: list[Offer]) -> Choices:
    """L1.2 The ways a side may choose, as buttons."""
    buttons = []
    for way in sorted(WAYS, key=lambda way: way != "battle"):  # the table first
        for offer in _ways(offers, side):
            offered = offer.fields["way"]
            if way == offered or (isinstance(offered, list) and way in offered):
                text = abandon_word() if engagement.opened else way_word(way)
                command = {"type": "choose_way", "engagement": engagement.id, "way": way, "side": side}
                agreed = any(chosen == way for other, chosen in engagement.chosen.items() if other != side)
                alone = way == "own_table" and not engagement.opened and not agreed and not engagement.deciding
                buttons.append(Button(text, json.dumps(command), agreed, alone or side == UMPIRE))
    return Choices(side, side_name(side), tuple(buttons))


def apart(sides: Sequence[Choices]) -> tuple[Choices, ...]:
    """The choices of each side; who chooses for several reads on each button for whom."""
    if len(sides) < 2:
        return tuple(sides)

    def name_side(side: Choices, one: Button) -> Button:
        return replace(one, text=_("%(title)s: %(what)s", title=side.name, what=one.text))

    return tuple(replace(side, buttons=tuple(name_side(side, one) for one in side.buttons)) for side in sides)


def _ways(offers: list[Offer], side: str) -> list[Offer]:
    return [each for each in offers if each.type == "choose_way" and each.fields.get("side") == side]


def models(offers: list[Offer]) -> tuple[int, int] | None:
    """L2.1 How many models a unit may become, once the battle may be opened."""
    for offer in offers:
        if offer.type == "open_battle":
            span = offer.fields.get("models_per_unit", 1)
            return (span["from"], span["to"]) if isinstance(span, dict) else (span, span)
    return None


def command_json(offer: Offer) -> str:
    """An offer without choices as a command."""
    return json.dumps({"type": offer.type, **offer.fields})


# -- L1.2 A typed outcome: from a form to a naval outcome, with each refusal at the field that it is about.

LARGEST = 999  # of a number in a form
HURT = "hurt"  # returned to port badly damaged: half her hull is gone at least, for whoever has not counted
FATES = ("home", HURT, "sunk", "captured")
BADLY = -(-TYPES[LINKING.type.default].hull // 2)
LEFT = ("", "fled", "evaded")


@dataclass(frozen=True)
class ShipRow:
    """A ship of the form: its fate, and the hull damage that it brings home; of a named transport its fate alone."""

    unit: str
    name: str
    fate: str
    damage: str
    fault: str = ""
    is_transport: bool = False


@dataclass(frozen=True)
class SideForm:
    """A side of the form."""

    id: str
    name: str
    ships: tuple[ShipRow, ...]
    transports: str
    transports_sent: int
    left: str
    may_evade: bool
    faults: Mapping[str, str]


@dataclass
class Report:
    """What was typed, what is wrong with it, and the outcome when nothing is."""

    winner: str
    turns: str
    sides: list[SideForm]
    faults: dict[str, str] = field(default_factory=dict)
    outcome: NavalOutcome | None = None


def blank(engagement: Engagement, outcome: NavalOutcome | None = None) -> Report:
    """An empty form, or one filled in from an outcome that is to be corrected."""
    values: dict[str, str] = {"winner": "", "turns": "1"}
    if outcome is not None:
        values = {"winner": outcome.winner or "", "turns": str(outcome.turns)}
        for side, fleet in engagement.fleets.items():
            lost = outcome.of(side)
            values[f"{side}.transports"] = str(lost.transports)
            values[f"{side}.left"] = "evaded" if lost.evaded else "fled" if lost.fled else ""
            units = [unit.id for unit in fleet.units]
            sunk = lost.sunk_ships or _last(units, lost.sunk, lost.captured_ships)
            captured = lost.captured_ships or _last(units, lost.captured, sunk)
            values |= {f"{side}.{unit}.fate": "sunk" for unit in sunk}
            values |= {f"{side}.{unit}.fate": "captured" for unit in captured}
            values |= {f"{side}.{unit}.damage": str(hull) for unit, hull in lost.damage.items()}
            down, taken = lost.transports_of(fleet, taken=outcome.winner == engagement.other(side))
            values |= {f"{side}.{each}.fate": "sunk" for each in down}
            values |= {f"{side}.{each}.fate": "captured" for each in taken}
    return _form(engagement, values, {})


def _last(units: list[str], count: int, other: tuple[str, ...]) -> tuple[str, ...]:
    """The ships that a system takes where no one has named them: the last of those sent."""
    free = [unit for unit in units if unit not in other]
    return tuple(free[len(free) - count :]) if count else ()


def read_report(engagement: Engagement, form: Mapping[str, str], names: Mapping[str, str] | None = None) -> Report:
    """L3.1 The outcome that was typed, or the form again with a sentence at each field that is wrong."""
    faults: dict[str, str] = {}
    winner = form.get("winner", "")
    if winner and winner not in engagement.fleets:
        faults["winner"] = _("Choose a side that took part, or nobody.")
    turns = _count(form, "turns", faults)
    sides = {}
    for side in engagement.sides:
        sides[side] = _side(engagement, side, form, faults)
    report = _form(engagement, form, faults, names)
    if faults:
        return report
    if winner:
        beaten = engagement.other(winner)
        sides[beaten] = fleeing(sides[beaten], len(engagement.fleets[beaten].units))
    outcome = NavalOutcome(winner=winner or None, turns=turns, sides=sides)
    try:
        check_outcome(engagement, outcome)
    except Illegal as fault:
        where, said = at_field(engagement, outcome, fault)
        return _form(engagement, form, {where: said}, names)
    report.outcome = outcome
    return report


def fleeing(beaten: SideOutcome, sent: int) -> SideOutcome:
    """L3.2 The loser's part: where nothing else was said, the warships that were left to it fled."""
    return beaten if beaten.evaded or beaten.lost >= sent else replace_fields(beaten, fled=True)


def _side(engagement: Engagement, side: str, form: Mapping[str, str], faults: dict[str, str]) -> SideOutcome:
    fleet = engagement.fleets[side]
    by_fate: dict[str, list[str]] = {fate: [] for fate in FATES}
    damage = {}
    carriers: dict[str, list[str]] = {"home": [], "sunk": [], "captured": []}
    for each in named_transports(fleet):
        if fate := _fate(form, f"{side}.{each.id}", faults, carriers):
            carriers[fate].append(each.id)
    for unit in fleet.units:
        key = f"{side}.{unit.id}"
        fate = _fate(form, key, faults, FATES)
        if not fate:
            continue
        by_fate[fate].append(unit.id)
        hull = _count(form, f"{key}.damage", faults, unit.damage)
        hull = max(hull, BADLY) if fate == HURT else hull
        if fate in ("home", HURT) and hull:
            damage[unit.id] = hull
    transports = len(carriers["sunk"]) + len(carriers["captured"])
    if not named_transports(fleet):
        transports = _count(form, f"{side}.transports", faults)
    if transports > len(fleet.transports) and f"{side}.transports" not in faults:
        faults[f"{side}.transports"] = _("At most %(count)s: no more were sent.", count=len(fleet.transports))
    left = form.get(f"{side}.left", "")
    if left not in LEFT:
        faults[f"{side}.left"] = _("The fleet must have stayed, fled or evaded.")
    return SideOutcome(
        sunk=len(by_fate["sunk"]),
        captured=len(by_fate["captured"]),
        transports=transports,
        fled=left == "fled",
        evaded=left == "evaded",
        sunk_ships=tuple(by_fate["sunk"]),
        captured_ships=tuple(by_fate["captured"]),
        sunk_transports=tuple(carriers["sunk"]),
        captured_transports=tuple(carriers["captured"]),
        damage=damage,
    )


def named_transports(fleet: Fleet) -> tuple[Transport, ...]:
    """L2.4 The transports of a fleet whose campaign keeps their names; of others an outcome has the number alone."""
    return tuple(each for each in fleet.transports if each.name)


def _fate(form: Mapping[str, str], key: str, faults: dict[str, str], fates: Collection[str]) -> str:
    """What became of a ship, as it was typed; empty, with a sentence at its field, where that is none of these."""
    fate = form.get(f"{key}.fate") or "home"
    if fate in fates:
        return fate
    faults[f"{key}.fate"] = _("She must have returned to port, been sunk or been captured.")
    return ""


def _count(form: Mapping[str, str], name: str, faults: dict[str, str], otherwise: int = 0) -> int:
    text = form.get(name, "").strip()
    if not text:
        return otherwise
    found = count(text)
    if found is None or found > LARGEST:
        faults[name] = _("Write a whole number from 0.")
        return 0
    return found


def at_field(engagement: Engagement, outcome: NavalOutcome, fault: Illegal) -> tuple[str, str]:
    """The field that contradicts the rest, and the sentence beside it. The check itself is the engine's."""
    for side, told in outcome.sides.items():
        if fault.rule == "L3.5" and told.evaded and engagement.supremacy != side:
            return f"{side}.left", _("Only the side with naval supremacy may evade.")
        for ship, damage in told.damage.items():
            if fault.rule == "L2.4" and damage >= HULL:
                return f"{side}.{ship}.damage", _("At %(hull)s damage she sinks.", hull=HULL)
    winner = outcome.winner
    if winner is None:
        return "winner", _("A side that fled or evaded cannot have won: name the winner.")
    own = outcome.of(winner)
    if own.fled or own.evaded:
        return f"{winner}.left", _("The winner neither fled nor evaded.")
    return "winner", sentence(reason_text(fault.why))


def _form(
    engagement: Engagement, form: Mapping[str, str], faults: Mapping[str, str], names: Mapping[str, str] | None = None
) -> Report:
    called = names or unit_names(engagement)
    sides = []
    for side in engagement.sides:
        fleet = engagement.fleets[side]
        rows = []
        for unit in fleet.units:
            key = f"{side}.{unit.id}"
            damage = form.get(f"{key}.damage", str(unit.damage))
            fault = faults.get(f"{key}.fate") or faults.get(f"{key}.damage") or ""
            rows.append(ShipRow(unit.id, called.get(unit.id, unit.id), form.get(f"{key}.fate", "home"), damage, fault))
        for each in named_transports(fleet):
            key = f"{side}.{each.id}.fate"
            rows.append(ShipRow(each.id, each.name, form.get(key, "home"), "", faults.get(key, ""), True))
        own = {name: faults[f"{side}.{name}"] for name in ("transports", "left") if f"{side}.{name}" in faults}
        sides.append(
            SideForm(
                side,
                side_name(side),
                tuple(rows),
                form.get(f"{side}.transports", "0"),
                len(fleet.transports) - len(named_transports(fleet)),
                form.get(f"{side}.left", ""),
                engagement.supremacy == side,
                own,
            )
        )
    return Report(form.get("winner", ""), form.get("turns", "1"), sides, dict(faults))


def most_turns() -> int:
    """L3.3 The turn limit of a linked battle, as a hint beside the field."""
    return LINKING.turn_limit
