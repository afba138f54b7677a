"""What the store refuses, beside the engine's own Illegal, NotYours, BadInput and BadFace."""

from __future__ import annotations


class Stale(Exception):
    """The caller has not seen the newest version, which is `version`; or (`is_lost`) more than the server has."""

    def __init__(self, version: int, seen: int = -1) -> None:
        self.is_lost = seen > version
        if self.is_lost:
            super().__init__(
                f"The server has lost moves: you have seen version {seen}, and it stands at {version}."
                " Tell the organizer; look again, then decide."
            )
        else:
            super().__init__(f"The game has moved on to version {version}: look again, then decide.")
        self.version = version


class Unknown(Exception):
    """There is no such game, system, seat or map."""


class Barred(Exception):
    """Not this seat's to do or to see; `missing` names the sides whose consent would allow it."""

    def __init__(self, reason: str, missing: tuple[str, ...] = ()) -> None:
        super().__init__(reason)
        self.missing = missing


class NoRoom(Exception):
    """The disk, or the file of games, has no room for it."""


class Refused(Exception):
    """Well-formed and allowed to the seat, but not now; `path` names the field at fault."""

    def __init__(self, reason: str, rule: str | None = None, path: str | None = None) -> None:
        super().__init__(reason)
        self.rule = rule
        self.path = path
