"""L1 Who opens a campaign's battles and enters their outcomes, inside each command's transaction."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import UTC, datetime, timedelta
from typing import Any, NamedTuple

from flask_babel import gettext as _

from strategic.naval.engagement import BattleOpened, Engagement, NavalOutcome
from strategic.naval.handoff import TABLE, battle_position, outcome_of
from tactical.battle import Battle
from tactical.kernel.journal import Entry
from tactical.kernel.protocol import SPECTATOR, UMPIRE, Event, Illegal, Offer, Outcome, event
from tactical.kernel.record import Reason, because, plain
from webapp.storage.errors import Refused
from webapp.storage.journal.records import Table
from webapp.storage.journal.store import BattleLink, Store, battles_of, campaign_of, has_secret_meetings, link_battle
from webapp.storage.journal.writing import Repository

# -- L1 The link on this server: a campaign's engagement opens a battle, and the battle's outcome goes home. No Flask.
#
# `install` gives the store its hook (`open_linked_battles`), which is called inside each command's transaction. Systems
# are known only by their `engagement` and `settled`, so that every strategic engine that keeps them is linked alike.


class LinkedBattle(NamedTuple):
    """An engagement of a campaign and the battle that settles it, as they stand."""

    link: BattleLink
    campaign: Table
    engagement: Engagement | None  # None once it is settled
    battle: Table
    settled: NavalOutcome | None


def install(store: Repository) -> None:
    """Have the store open a campaign's battles and hold what they have settled; once is enough."""
    if open_linked_battles not in store.transaction_hooks:
        store.transaction_hooks.insert(0, open_linked_battles)
        store.bars.append(why_no_undo)


def engagement_of(state: Any) -> Engagement | None:
    """L1.1 The engagement that a campaign waits on, for systems that have any."""
    found = getattr(state, "engagement", None)
    return found if isinstance(found, Engagement) else None


def engagements_of(state: Any) -> tuple[Engagement, ...]:
    """O6.1 All engagements that a campaign waits on, the one in front first."""
    found = (getattr(state, "engagement", None), *(getattr(state, "waiting", None) or ()))
    return tuple(each for each in found if isinstance(each, Engagement))


def find_engagement(state: Any, name: str) -> Engagement | None:
    """O6.1 The engagement of this name, wherever it stands among those that wait; None once it is settled."""
    return next((each for each in engagements_of(state) if each.id == name), None)


def settled_of(state: Any) -> Mapping[str, NavalOutcome]:
    """L1.4 What a campaign has settled, by engagement."""
    return getattr(state, "settled", None) or {}


def open_linked_battles(
    store: Repository, table: Table, seat: str, command: Any, outcome: Outcome[Any]
) -> tuple[Event, ...]:
    """L1.2, L1.4 Open the battle that a campaign's command calls for; hold a side's `settle` to what was fought."""
    check_settling(store, table, seat, command)
    effects = table.system.effects(table.state, outcome.state)
    return tuple(open_battle(store, table, each.engagement) for each in effects if isinstance(each, BattleOpened))


def open_battle(store: Repository, table: Table, engagement: Engagement) -> Event:
    """L1.4, L2 Create the battle with the campaign's dice and link it to the engagement; the event names it.

    Where meetings are secret (O6.1) only those who meet hear of it.
    """
    rerolls = any(engagement.facts.values())
    position = battle_position(
        engagement,
        engagement.models_per_unit or 1,
        campaign=table.game.id,
        stakes=table.game.title,
        rerolls=rerolls,
    )
    position["link"]["powers"] = list(table.sides)
    title = f"{place_name(table, engagement)} · {table.game.title}"
    battle, _ = store.create("galley", None, position, {}, title, table.game.dice)
    link_battle(store, battle.id, table.game.id, engagement.id)
    there = tuple(sorted(engagement.fleets)) if has_secret_meetings(table.system) else ()
    return event("L1.4", "battle", there, engagement=engagement.id, game=battle.id)


def place_name(table: Table, engagement: Engagement) -> str:
    """What the place of the meeting is called."""
    return engagement.place.replace("_", " ").title()


def check_settling(store: Repository, table: Table, seat: str, command: Any) -> None:
    """L1.4 Nobody enters an outcome while its battle goes on; a side only what it gave, the umpire may correct it.

    Raises Illegal (L1.4) also for the umpire, who may end the battle first, in the open, or wait until it is abandoned.
    """
    outcome = getattr(command, "outcome", None)
    name = getattr(command, "engagement", None)
    if not isinstance(outcome, NavalOutcome) or command.__struct_config__.tag != "settle":
        return
    if name in settled_of(table.state):
        return  # the engine knows whether it is the same outcome
    links = [link for link in battles_of(store, table.game.id) if link.engagement == name]
    link = links[-1] if links else None  # one that was opened before was taken back
    engagement = None if link is None else find_engagement(table.state, link.engagement)
    if link is None or engagement is None:
        return
    fought = outcome_of_battle(store, link, engagement)
    if fought is None and (seat != UMPIRE or (engagement.opened and not is_abandoned(store, link.battle))):
        raise Illegal(
            "L1.4", "The battle %(battle)s has not ended; there is no outcome to enter yet.", battle=link.battle
        )
    if fought != outcome and seat != UMPIRE:
        raise Illegal(
            "L1.4", "This is not how the battle %(battle)s ended; only the umpire may correct it.", battle=link.battle
        )


def outcome_of_battle(store: Repository, link: BattleLink, engagement: Engagement) -> NavalOutcome | None:
    """L3.1 The outcome of a battle that has ended; None while it is fought."""
    battle = store.load(link.battle)
    if not battle.game.over or not isinstance(battle.state, Battle):
        return None
    return outcome_of(battle.state, engagement)


def linked_battle_of(store: Repository, battle: str) -> LinkedBattle | None:
    """L1.4 What a battle settles; None for a battle of its own."""
    link = campaign_of(store, battle)
    return None if link is None else _linked_battle(store, link)


def _linked_battle(store: Repository, link: BattleLink) -> LinkedBattle:
    campaign = store.load(link.campaign)
    engagement = find_engagement(campaign.state, link.engagement)
    settled = settled_of(campaign.state).get(link.engagement)
    return LinkedBattle(link, campaign, engagement, store.load(link.battle), settled)


def why_no_undo(store: Repository, game: str, last: Entry) -> Reason | None:
    """L1.5, L1.2 Why the last entry of a battle or campaign cannot be taken back because of the link; None when it may.

    A battle's, once the campaign has entered its outcome; a campaign's opening of a battle, once a plot is locked.
    """
    for happened in last.events:
        if happened.type == "battle" and has_begun(store, str(happened.data.get("game", ""))):
            return because(
                "In the battle %(game)s a plot is locked: the choice of how to settle the meeting is final.",
                game=happened.data["game"],
            )
    link = campaign_of(store, game)
    if link is None:
        return None
    if link.engagement in settled_of(store.load(link.campaign).state):
        return because(
            "The campaign %(campaign)s has entered this battle's outcome and moved on, so the outcome stands.",
            campaign=link.campaign,
        )
    return None


def has_begun(store: Repository, battle: str) -> bool:
    """L1.2 Has a side locked its first plot?"""
    state = store.load(battle).state
    if not isinstance(state, Battle):
        return False
    return state.turn > 1 or state.step != "plot" or any(side.locked for side in state.sides.values())


def is_abandoned(store: Repository, battle: str, now: datetime | None = None) -> bool:
    """L1.2.a Has nobody plotted in the battle for so many days that the system's own table settles instead?"""
    if store.game(battle).over:
        return False
    return (now or datetime.now(UTC)) - last_plot(store, battle) > timedelta(days=TABLE.abandoned_days)


def last_plot(store: Repository, battle: str) -> datetime:
    """L1.2.a When a plot was last set or locked in a battle; when it began, if none was."""
    found = store.file.rows(
        "select time from entries where game = ? and (number = 0 or (taken_back is null and"
        " (json_extract(command, '$.type') in ('plot', 'lock')"
        " or (json_extract(command, '$.type') = 'together' and command like '%\"plot\"%'))))"
        " order by number desc limit 1",
        battle,
    )
    return datetime.fromisoformat(found[0]["time"])


def offers_to_settle(store: Repository, table: Table, seat: str) -> tuple[Offer, ...]:
    """L1.4, O6.1 A campaign's offers to enter the outcomes of its battles that have ended; for sides and the umpire.

    A side enters only those of its own meetings, where there are several or they are secret.
    """
    if seat == SPECTATOR or table.game.waiting:
        return ()
    opened = {each.id: each for each in engagements_of(table.state) if each.opened}
    links = {link.engagement: link for link in battles_of(store, table.game.id)} if opened else {}
    is_own = len(opened) > 1 or has_secret_meetings(table.system)
    found = []
    for name, engagement in opened.items():
        if name not in links or (is_own and seat not in (UMPIRE, *engagement.fleets)):
            continue
        outcome = outcome_of_battle(store, links[name], engagement)
        if outcome is not None:
            found.append(Offer("settle", "L1.4", {"engagement": name, "outcome": plain(outcome)}))
    return tuple(found)


# -- L1.2.a A battle of a campaign that nobody plots in any more: a side may have the system's own table settle it.


def abandon(store: Store, game: str, seat: str, seen: int) -> int:
    """The campaign's version after its own table has settled the battle; silence is consent (L1.2.a).

    The umpire speaks for a side that has not said so itself. Raises Refused where there is no battle that this seat
    could abandon, or one in which somebody plotted in the last seven days; Stale.
    """
    engagement = engagement_of(store.load(game).state)
    links = [] if engagement is None else [link for link in battles_of(store, game) if link.engagement == engagement.id]
    if engagement is None or not engagement.opened or not links or (seat != UMPIRE and seat not in engagement.fleets):
        raise Refused(_("There is no battle here that you could abandon."), "L1.2.a")
    if not is_abandoned(store, links[-1].battle):
        raise Refused(
            _("This battle is not abandoned: a speed has been plotted in it within the last seven days."), "L1.2.a"
        )
    for side in engagement.sides:
        if engagement.chosen.get(side) != "own_table":
            command = {"type": "choose_way", "engagement": engagement.id, "way": "own_table", "side": side}
            seen = store.submit(game, seen, seat if seat == side else UMPIRE, command).version
    return seen
