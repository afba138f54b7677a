"""What the store refuses, beside the engine's own Illegal, NotYours, BadInput and BadFace."""

from __future__ import annotations

from tactical.kernel.record import Reason, reason_of


class Stale(Exception):
    """The caller has not seen the newest version, which is `version`; or (`is_lost`) more than the server has."""

    def __init__(self, version: int, seen: int = -1) -> None:
        self.is_lost = seen > version
        if self.is_lost:
            form = (
                "The server has lost moves: you have seen version %(seen)s, and it stands at %(version)s."
                " Tell the organizer; look again, then decide."
            )
        else:
            form = "The game has moved on to version %(version)s: look again, then decide."
        self.why = Reason(form, {"seen": seen, "version": version})
        super().__init__(str(self.why))
        self.version = version


class Unknown(Exception):
    """There is no such game, system, seat or map."""


class Barred(Exception):
    """Not this seat's to do or to see; `missing` names the sides whose consent would allow it."""

    def __init__(self, reason: Reason | str, missing: tuple[str, ...] = ()) -> None:
        self.why = reason_of(reason)
        super().__init__(str(self.why))
        self.missing = missing


class NoRoom(Exception):
    """The disk, or the file of games, has no room for it."""


class Refused(Exception):
    """Well-formed and allowed to the seat, but not now; `path` names the field at fault."""

    def __init__(self, reason: Reason | str, rule: str | None = None, path: str | None = None) -> None:
        self.why = reason_of(reason)
        super().__init__(str(self.why))
        self.rule = rule
        self.path = path
