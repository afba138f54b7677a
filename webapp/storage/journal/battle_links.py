"""L1.4 A campaign's engagement and the battle on the table point at each other; campaign seats hold its seats.

What a campaign's command means for the battle is done by hooks (`Repository.transaction_hooks`): functions that the
store calls inside the command's transaction. They may create games and link them, and add events that name them.
"""

from __future__ import annotations

from sqlite_utils import Database

from tactical.kernel.protocol import SPECTATOR, UMPIRE, System
from tactical.kernel.record import Record
from webapp.storage.journal.records import Seat, Table
from webapp.storage.journal.repository import Repository


class BattleLink(Record, frozen=True):
    """A battle, and the engagement of the campaign that it settles."""

    battle: str
    campaign: str
    engagement: str


def link_battle(store: Repository, battle: str, campaign: str, engagement: str) -> None:
    """Link a battle to an engagement; it takes part in the transaction that is open, if one is."""
    with store.write() as db:
        db.table("links").insert({"battle": battle, "campaign": campaign, "engagement": engagement})


def campaign_of(store: Repository, battle: str) -> BattleLink | None:
    """What a battle settles; None for a battle of its own."""
    found = store.file.rows("select battle, campaign, engagement from links where battle = ?", battle)
    return BattleLink(**found[0]) if found else None


def battles_of(store: Repository, campaign: str) -> list[BattleLink]:
    """A campaign's battles, in the order of their opening."""
    sql = "select battle, campaign, engagement from links where campaign = ? order by rowid"
    return [BattleLink(**row) for row in store.file.rows(sql, campaign)]


def has_secret_meetings(system: System) -> bool:
    """O6.1 Do only those who meet know of a meeting in this system?"""
    return any(secret.path == "engagement" for secret in system.hidden)


def battles_for(store: Repository, table: Table, seat: str, charge: tuple[str, ...] = ()) -> list[BattleLink]:
    """O6.1 The battles of a campaign of which this seat may know: where meetings are secret, until the end its own.

    `charge`: whose seat it is has charge of these pieces, and knows of the battles in which he has a seat.
    """
    found = battles_of(store, table.game.id)
    if charge:
        his = Seat(table.game.id, seat, charge=charge)
        return [link for link in found if seat_in(store, link.battle, his) is not None]
    if not found or seat == UMPIRE or table.game.over or not has_secret_meetings(table.system):
        return found
    return [link for link in found if seat != SPECTATOR and seat in {each.id for each in store.seats(link.battle)}]


def archived_battles(store: Repository) -> set[str]:
    """The battles of all campaigns that lie in the archive."""
    sql = "select battle from links join games on games.id = links.campaign where games.archived"
    return {row["battle"] for row in store.file.rows(sql)}


def seat_in(store: Repository, game: str, seat: Seat) -> Seat | None:
    """The seat in that game which the holder of `seat` takes: his own, or in his campaign's battle the like-named.

    Who has charge of single pieces only watches a battle in which none of them fights. Nobody watches whom his seat in
    the campaign tells nothing of a secret meeting (O6.1).
    """
    if seat.game == game:
        return seat
    link = campaign_of(store, game)
    if link is None or link.campaign != seat.game:
        return None
    id = seat.id
    if seat.charge or id == SPECTATOR:
        campaign = store.load(link.campaign)
        charges = campaign.system.charges
        if charges is None or not charges.fights(campaign.state, link.engagement, seat.id, seat.charge):
            id = SPECTATOR
        knows = bool(seat.charge) and campaign.knowledge_for(seat.id, seat.charge) is campaign
        if id == SPECTATOR and not knows and not campaign.game.over and has_secret_meetings(campaign.system):
            return None
    return next((same for same in store.seats(game) if same.id == id), None)


def forget(db: Database, game: str) -> None:
    """Forget the links of a game that is deleted."""
    db.conn.execute("delete from links where battle = ? or campaign = ?", (game, game))
