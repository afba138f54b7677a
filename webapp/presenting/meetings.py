"""A campaign's meetings and tables, and a season's pairings, in words."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from flask_babel import format_decimal, ngettext, pgettext

from strategic.naval.engagement import Engagement, NavalOutcome
from strategic.season.rules.standings import Best, Part, how
from strategic.season.state import AskedBye, Pairing, Season, Why
from tactical.battle import Battle
from tactical.kernel.protocol import SPECTATOR
from tactical.kernel.record import decode, plain, read
from webapp.http.language import gettext as _
from webapp.presenting.campaign_labels import seat_word
from webapp.presenting.naming import say_value
from webapp.presenting.refusals import level_name
from webapp.storage.journal.engagements import find_engagement, is_abandoned, outcome_of_battle, settled_of
from webapp.storage.journal.records import Table
from webapp.storage.journal.store import BattleLink, Store, battles_of

# -- L1.4 A meeting of a campaign and its battle as a seat may see it: read from the views, never from a state.


@dataclass(frozen=True)
class Fought:
    """A battle of a campaign: how far it is, and what it sends home once it has ended."""

    game: str
    turn: int
    limit: int | None
    step: str
    left: tuple[tuple[str, int, int], ...]  # side, warships afloat, warships sent
    over: bool
    abandoned: bool
    outcome: NavalOutcome | None


def seen_engagement(table: Table, seat: str, name: str = "") -> Engagement | None:
    """L1.1 The engagement that the campaign waits on, or the one of this name, when this seat may see it."""
    return engagement_in(plain(table.view(seat)), name)


def engagement_in(view: Mapping[str, Any], name: str = "") -> Engagement | None:
    """L1.1, O6.1 The engagement of this name in a view, else the one in front; None where there is none to see."""
    raw = view.get("engagement") if isinstance(view, Mapping) else None
    raw = (view.get("engagements") or {}).get(name, raw) if raw else raw
    return read(raw, Engagement) if isinstance(raw, dict) else None


def link_of(store: Store, campaign: str, engagement: str) -> BattleLink | None:
    """The battle of an engagement; one that was opened before was taken back."""
    links = [link for link in battles_of(store, campaign) if link.engagement == engagement]
    return links[-1] if links else None


def battle_of(store: Store, link: BattleLink, engagement: Engagement | None) -> Fought:
    """L1.4 How the battle stands, by what anybody may see of it."""
    table = store.load(link.battle)
    battle: Battle = table.view(SPECTATOR)
    left = []
    for side in battle.sides:
        own = [ship for ship in battle.ships.values() if ship.side == side and battle.kind(ship).ram is not None]
        left.append((side, sum(ship.status == "afloat" for ship in own), len(own)))
    ended = table.game.over and engagement is not None
    return Fought(
        game=link.battle,
        turn=battle.turn,
        limit=battle.turn_limit,
        step=battle.step,
        left=tuple(left),
        over=table.game.over,
        abandoned=engagement is not None and is_abandoned(store, link.battle),
        outcome=outcome_of_battle(store, link, engagement) if ended and engagement is not None else None,
    )


def at_opening(store: Store, link: BattleLink, campaign: Table) -> Engagement | None:
    """L1.4 The engagement as it was when its battle was opened: from the campaign's own journal."""
    open_now = find_engagement(campaign.state, link.engagement)
    if open_now is not None:
        return open_now
    for entry in reversed(store.entries(link.campaign)):
        if any(each.type == "battle" and each.data.get("game") == link.battle for each in entry.events):
            state = decode(store.state_after(link.campaign, entry.number), campaign.system.state)
            return find_engagement(state, link.engagement)
    return None


def entered_by(store: Store, campaign: str, engagement: str) -> int | None:
    """L1.4 The entry of the campaign's journal that settled the engagement; None while none stands."""
    for entry in reversed(store.entries(campaign)):
        if entry.taken_back is None and any(
            each.type == "settled" and each.data.get("engagement") == engagement for each in entry.events
        ):
            return entry.number
    return None


def settled_outcome(table: Table, engagement: str) -> NavalOutcome | None:
    """L1.4 What the campaign has entered for an engagement."""
    return settled_of(table.state).get(engagement)


def place_name(system: str, place: str) -> str:
    """A place by its name on the map, as a title."""
    name = say_value(system, place)
    return name[:1].upper() + name[1:]


def side_name(side: str) -> str:
    """A side of a campaign by its name."""
    return seat_word(side)


def unit_names(engagement: Engagement, battle: Battle | None = None) -> dict[str, str]:
    """L2.4 Each unit's ship's name: the campaign's own, else that of the model that stands for it."""
    names = {unit.id: unit.name for fleet in engagement.fleets.values() for unit in fleet.units if unit.name}
    if battle is not None and battle.link is not None and battle.link.models_per_unit == 1:
        for model, unit in battle.link.units.items():
            names.setdefault(unit, battle.ships[model].name)
    counted = {
        unit.id: _("Ship %(number)s", number=number)
        for fleet in engagement.fleets.values()
        for number, unit in enumerate(fleet.units, start=1)
    }
    return {**counted, **names}


def quick_dice_lines(instant: Mapping[str, Any] | None) -> tuple[str, ...]:
    """O6.2 What the table of quick dice expects of a meeting, as lines; nothing in a system that has no such table."""
    if not instant:
        return ()
    found = [
        _(
            "%(side)s: victory %(chance)s%%, average loss %(losses)s",
            side=side_name(side),
            chance=round(100 * chance),
            losses=format_decimal(instant["losses"].get(side, 0), "0.0"),
        )
        for side, chance in instant["wins"].items()
    ]
    return (*found, _("undecided: %(chance)s%%", chance=round(100 * instant["neither"])), fitted_to(instant))


def fitted_to(instant: Mapping[str, Any]) -> str:
    """O6.2 Whose battles the table of quick dice is fitted to, and how far it errs."""
    return _(
        "as %(level)s captains fight, with an error of %(error)s points of a hundred",
        level=level_name(instant["level"]),
        error=format_decimal(instant["error"], "0.0"),
    )


# -- O10.1 Why two players meet, and what their battle was, in the reader's words.


def pairing_reason(why: Why) -> str:
    """The reason of a pairing as a sentence."""
    values = why.values
    one, other, points = values.get("one", 0), values.get("other", 0), values.get("points", 0)
    sentences = {
        "lot": _("The first round is drawn by lot."),
        "lot_bye": _(
            "The first round is drawn by lot; the number of players is odd, and the player drawn last has the bye."
        ),
        "first": _("The first round pairs players in the order in which they joined."),
        "same": _("Both have %(points)s points.", points=one),
        "near": _(
            "Their scores are the closest of those still unpaired: %(one)s and %(other)s points.", one=one, other=other
        ),
        "rematch": _("They have met before; every other pairing of this round would repeat more meetings."),
        "bye": _(
            "The number of players is odd: the bye goes to the lowest score without one (%(points)s points).",
            points=points,
        ),
        "bye_in_turn": _("The number of players is odd: each player sits out once."),
        "nobody_left": _("There is no opponent left in this round whom this player has not met."),
        "circle": _("Every player meets every other once (round %(round)s).", round=values.get("round", 0)),
        "organizer_bye": _("The organizer gave the bye."),
        "asked_half": _("The player sits out this round, with the points of a draw."),
        "asked_full": _("The player sits out this round, with the points of a victory."),
        "asked_zero": _("The player is absent in this round."),
        "imported": _("This pairing comes from a tournament file."),
        "imported_bye": _("This bye comes from a tournament file."),
    }
    if why.kind in sentences:
        return sentences[why.kind]
    met = values.get("met", 0)
    again = " " + ngettext("They have met %(num)d time.", "They have met %(num)d times.", met) if met else ""
    return _("The organizer chose this pairing.") + again


def result_text(season: Season, pairing: Pairing) -> str:
    """What a pairing came to; empty while nothing is known."""
    result = pairing.result
    if pairing.is_bye:
        return result_word(how(pairing, pairing.players[0]))
    if result is None:
        return ""
    if not result.played and result.winner:
        return _("%(player)s won by forfeit.", player=season.players[result.winner].name)
    if not result.played:
        return _("Not played")
    if result.winner is None:
        return _("Draw")
    return _("%(player)s won.", player=season.players[result.winner].name)


def result_word(how: str) -> str:
    """What a battle was to a player."""
    return {
        "won": _("Won"),
        "drawn": _("Drawn"),
        "lost": pgettext("season", "Lost"),
        "bye": _("Bye"),
        "half_bye": _("Bye (points of a draw)"),
        "full_bye": _("Bye (points of a victory)"),
        "zero_bye": _("Absent"),
        "forfeit_won": _("Won by forfeit"),
        "forfeit_lost": _("Lost by forfeit"),
        "unplayed": _("Not played"),
        "open": _("Not reported yet"),
    }[how]


def bye_words(bye: AskedBye) -> str:
    """A bye that a player has asked for."""
    return ": ".join((_("Round %(number)s", number=bye.round), result_word(f"{bye.kind}_bye")))


def tie_break_word(name: str) -> str:
    """A tie-break's name."""
    return {
        "opponents": _("Opponents' points"),
        "ships": _("Ships taken"),
        "head_to_head": _("Results against players with equal points"),
    }[name]


def scenario_word(name: str) -> str:
    """A round's scenario."""
    return {
        "open_sea": _("Open sea (hexes)"),
        "west_coast": _("A coast in the west (hexes)"),
        "strait": _("A strait between two coasts (hexes)"),
        "island": _("An island in the middle (hexes)"),
        "measured_sea": _("Open sea, measured"),
        "measured_strait": _("A strait between two coasts, measured"),
        "own_table": _("Your own table, with ship sheets here"),
    }[name]


def overdue_word(what: str) -> str:
    """What happens to a pairing without a result when its round is due."""
    return {
        "wait": _("The result waits for the organizer"),
        "report": _("A report waiting for an answer counts as agreed"),
        "unplayed": _("A report counts as agreed; without one the battle counts as unplayed"),
    }[what]


def record_words(season: Season, best: Best) -> str:
    """A record as a sentence."""
    names = ", ".join(season.players[player].name for player in best.players)
    if best.kind == "longest_lived":
        return ngettext(
            "Longest-lived ship: %(ship)s (%(names)s), %(num)d battle.",
            "Longest-lived ship: %(ship)s (%(names)s), %(num)d battles.",
            best.count,
            ship=best.ship,
            names=names,
        )
    return {
        "best_captain": _("Best captain (ships taken less ships lost): %(names)s, %(count)s."),
        "prizes": _("Most prizes: %(names)s, %(count)s."),
        "rams": _("Most rams: %(names)s, %(count)s."),
        "oars": _("Most oars broken: %(names)s, %(count)s."),
        "battle": _("Most ships taken in a battle: %(names)s, %(count)s."),
    }[best.kind] % {"names": names, "count": best.count}


def part_words(season: Season, part: Part) -> str:
    """An addend of a record."""
    against = season.players[part.against].name if part.against else ""
    said = _("Round %(number)s", number=part.round)
    return f"{said}, {against}: {part.count}" if against else f"{said}: {part.count}"
