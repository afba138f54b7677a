"""L1.2.a A battle of a campaign that nobody plots in any more: a side may have the system's own table settle it."""

from __future__ import annotations

from flask_babel import gettext as _

from tactical.kernel.protocol import UMPIRE
from webapp.engagements.linked_battles import engagement_of, is_abandoned
from webapp.storage.errors import Refused
from webapp.storage.journal.battle_links import battles_of
from webapp.storage.journal.store import Store


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
