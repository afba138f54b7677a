"""L1.4 The battle's side of the link: what is at stake, and the outcome for review once it is over."""

from __future__ import annotations

import json
from dataclasses import dataclass

from strategic.naval.engagement import Engagement, NavalOutcome
from tactical.battle import Battle
from tactical.kernel.protocol import UMPIRE
from tactical.kernel.record import plain
from tactical.rules.linked import deploys
from webapp.engagements.linked_battles import LinkedBattle, linked_battle_of, outcome_of_battle
from webapp.http.language import gettext as _
from webapp.pages.campaign.engagement import outcomes
from webapp.presenting.engagement_meetings import (
    at_opening,
    entered_by,
    place_name,
    seen_engagement,
    side_name,
    unit_names,
)
from webapp.presenting.labels import translate
from webapp.storage.journal.store import Store


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
    outcome: outcomes.OutcomeShown
    meaning: outcomes.Meaning | None
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
    meaning = outcomes.meaning(meeting.campaign, seat, engagement, outcome) if means else None
    return _review(store, meeting, engagement, outcome, fought, seat, meaning)


def _review(
    store: Store,
    meeting: LinkedBattle,
    engagement: Engagement,
    outcome: NavalOutcome,
    fought: NavalOutcome | None,
    seat: str,
    meaning: outcomes.Meaning | None,
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
        outcome=outcomes.outcome_words(engagement, outcome, unit_names(engagement, meeting.battle.state)),
        meaning=meaning,
        command=json.dumps(command, separators=(",", ":")),
        may_enter=open_for,
        may_correct=open_for and seat == UMPIRE,
        entered=entered_by(store, campaign.game.id, engagement.id) if meeting.settled is not None else None,
        corrected=meeting.settled is not None and meeting.settled != fought,
        waits=_("Dice must be rolled in the campaign first.") if waiting and campaign.game.waiting is not None else "",
        rolls=campaign.game.dice != "digital",
    )
