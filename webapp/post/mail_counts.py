"""How many mails were written on a day: to one address, from one game, in all. No Flask.

The counts stand apart from the mails, so that to delete a game does not make room for more of them.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from sqlite_utils import Database

from webapp.storage.file.database import rows


@dataclass(frozen=True)
class Shares:
    """How many mails may be written on a day; `invitations` are those that nobody has asked for."""

    address: int = 60
    game: int = 600
    server: int = 6000
    invitations_to_address: int = 3
    invitations: int = 200

    def of(self, game: str, address: str, is_invitation: bool = False) -> Mapping[str, int]:
        """What a mail counts for, each with how many may be."""
        whom = mailbox(address)
        found = {f"to {whom}": self.address, f"from {game}": self.game, "all": self.server}
        if is_invitation:
            found |= {f"invitations to {whom}": self.invitations_to_address, "invitations": self.invitations}
        return found


def mailbox(address: str) -> str:
    """Whose box an address leads to: capitals and what follows a plus sign lead to the same one."""
    name, _, machine = address.lower().rpartition("@")
    return f"{name.partition('+')[0]}@{machine}"


def count(db: Database, day: str, shares: Mapping[str, int]) -> bool:
    """Count one more mail of a day in an open transaction; False, and nothing counted, where a share is used up."""
    marks = ", ".join("?" * len(shares))
    found = rows(db, f"select whose, many from mail_counts where day = ? and whose in ({marks})", day, *shares)
    if any(row["many"] >= shares[row["whose"]] for row in found):
        return False
    db.conn.execute("delete from mail_counts where day < ?", (day,))
    for whose in shares:
        db.conn.execute(
            "insert into mail_counts (day, whose, many) values (?, ?, 1)"
            " on conflict (day, whose) do update set many = many + 1",
            (day, whose),
        )
    return True
