"""The register in words: a ship's state, her deeds, and the same as CSV."""

from __future__ import annotations

import io

from flask_babel import ngettext

from webapp.http.language import gettext as _
from webapp.pages.campaign.engagement.register import Register, Ship, Told
from webapp.pages.campaign.engagement.ship_history import Deed
from webapp.presenting.engagement_labels import lost_word
from webapp.presenting.engagement_meetings import side_name
from webapp.spreadsheets.csv_rows import Rows

CSV = ("side", "ship", "holder", "state", "turn", "place", "battle", "entry", "deed", "other", "count", "battle_turn")


def state_text(ship: Ship) -> str:
    """How a ship stands now."""
    if ship.holder is None:
        how = next((told.deed.other for told in reversed(ship.deeds) if told.deed.kind == "lost"), "")
        known = {
            "sunk": _("sunk"),
            "lost": _("lost (%(how)s)", how=lost_word(how)),
            "broken_up": _("broken up"),
            "taken": _("captured"),
        }
        return known.get(ship.fate, "")
    parts = []
    if ship.holder != ship.side:
        parts.append(_("a prize of %(side)s", side=side_name(ship.holder)))
    parts.append(_("ready") if ship.ready else _("unready"))
    parts.append(_("at sea") if ship.at_sea else _("in port"))
    if ship.damage:
        parts.append(_("hull −%(count)s", count=ship.damage))
    return ", ".join(parts)


def deed_text(deed: Deed) -> str:
    """One deed as a sentence."""
    it = {"other": deed.other, "count": deed.count}
    match deed.kind:
        case "rammed":
            return _("rammed %(other)s: %(count)s hull damage", **it)
        case "was_rammed":
            return _("rammed by %(other)s: lost %(count)s of her hull", **it)
        case "raked":
            return _("broke the oars of %(other)s", **it)
        case "was_raked":
            return _("had her oars broken by %(other)s", **it)
        case "boarded":
            return _("boarded %(other)s", **it)
        case "took":
            return _("took %(other)s", **it)
        case "taken":
            return _("surrendered to %(side)s", side=side_name(deed.other))
        case "shot":
            return _("shot at by %(other)s: lost %(count)s of her hull", **it)
        case "flooded":
            return _("took water: lost %(count)s of her hull", **it)
        case "mended":
            return ngettext("closed %(num)d breach", "closed %(num)d breaches", deed.count)
        case "damage":
            return _("returned to port with %(count)s hull damage", **it)
        case "lost":
            return _("lost (%(how)s)", how=lost_word(deed.other))
        case "prize":
            return _("went over to %(side)s as a prize", side=side_name(deed.other))
        case "broken_up":
            return _("broken up by %(side)s", side=side_name(deed.other))
    known = {
        "sunk": _("sank"),
        "left": _("left the battle across the edge of the board"),
        "fought": _("met the enemy"),
        "built": _("was launched"),
        "repaired": _("was repaired"),
        "returned": _("was won back"),
        "aground": _("ran aground"),
    }
    return known.get(deed.kind, deed.kind)


def chapters(ship: Ship) -> list[tuple[str, str, str, list[Told]]]:
    """A ship's history: (turn, place, battle, deeds), one chapter for each stretch at one place."""
    found: list[tuple[str, str, str, list[Told]]] = []
    for told in ship.deeds:
        if found and (found[-1][0], found[-1][1]) == (told.turn, told.place):
            turn, place, battle, deeds = found[-1]
            found[-1] = (turn, place, battle or told.battle, [*deeds, told])
        else:
            found.append((told.turn, told.place, told.battle, [told]))
    return found


def as_csv(found: Register) -> str:
    """Every deed as a row; a ship without deeds has one row of her own. The words are ids, for other programs."""
    out = io.StringIO()
    sheet = Rows(out)
    sheet.writerow(CSV)
    for side, ships in found.by_side():
        for ship in ships:
            now = ship.fate if ship.holder is None else "ready" if ship.ready else "unready"
            head = [side, ship.name, ship.holder or "", now]
            for told in ship.deeds:
                deed = told.deed
                sheet.writerow(
                    [
                        *head,
                        told.turn,
                        told.place,
                        told.battle,
                        told.entry,
                        deed.kind,
                        deed.other,
                        deed.count or "",
                        deed.turn or "",
                    ]
                )
            if not ship.deeds:
                sheet.writerow([*head, *[""] * (len(CSV) - len(head))])
    return out.getvalue()
