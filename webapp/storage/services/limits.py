"""What anybody may store here or start, and how much of it: the one table of these limits. No Flask.

A row with `seconds` flows: so much within that time. `rate_limit.slow_down(name)` counts it and takes the number from
the setting of the row. A row without them is how much there may be at a time: code that keeps to it reads `most(name)`.
`python docs/limits.py` writes the table into docs/threats.md.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Literal

Whose = Literal["an address", "the organizer", "a game", "the server"]
MINUTE, HOUR, DAY = 60, 3600, 24 * 3600
MARKS = "<!-- limits, written by python docs/limits.py -->", "<!-- end of limits -->"


@dataclass(frozen=True)
class Limit:
    """How much there may be of what, for whom, within so many seconds (0: at a time), by which setting."""

    what: str
    whose: Whose
    most: int
    seconds: int = 0
    setting: str = ""
    unit: Literal["", "bytes", "hours"] = ""

    def amount(self) -> str:
        """The limit as the table writes it: `20 a minute`, `2 MB a day`, `12 at a time`."""
        text = f"{self.most:,} {self.unit}".strip()
        if self.unit == "bytes":
            text = f"{self.most >> 30} GB" if self.most >= 1 << 30 else f"{self.most >> 20} MB"
        if self.unit == "hours":
            return text
        return f"{text} { ({MINUTE: 'a minute', HOUR: 'an hour', DAY: 'a day', 0: 'at a time'}[self.seconds]) }"


LIMITS: Mapping[str, Limit] = {
    "games": Limit("games, campaigns and samples begun", "an address", 10, MINUTE, "GAMES_A_MINUTE"),
    "imports": Limit("games brought in or copied", "an address", 5, MINUTE, "IMPORTS_A_MINUTE"),
    "own games": Limit("games begun, brought in or copied", "the organizer", 6000, MINUTE, "OWN_GAMES_A_MINUTE"),
    "forecasts": Limit("forecasts asked for over the API", "an address", 60, MINUTE, "FORECASTS_A_MINUTE"),
    "mails": Limit("people, e-mail addresses and devices entered", "an address", 12, MINUTE, "MAILS_A_MINUTE"),
    "letters": Limit("letters written", "an address", 20, MINUTE, "LETTERS_A_MINUTE"),
    "tokens": Limit("wrong tokens, links and passwords", "an address", 20, MINUTE, "BAD_TOKENS_A_MINUTE"),
    "codes": Limit("codes that no game has", "an address", 20, MINUTE, "UNKNOWN_CODES_A_MINUTE"),
    "public": Limit(
        "pages and replays that are shown to everybody", "an address", 240, MINUTE, "PUBLIC_PAGES_A_MINUTE"
    ),
    "cuts": Limit("parts of the great map cut out", "an address", 60, MINUTE, "CUTS_A_MINUTE"),
    "odds": Limit("odds reckoned by the calculators", "an address", 120, MINUTE, "ODDS_A_MINUTE"),
    "seats": Limit("requests for a seat", "an address", 20, MINUTE, "SEAT_REQUESTS_A_MINUTE"),
    "calls": Limit("addresses for webhooks, entered or changed", "an address", 12, MINUTE, "CALLS_A_MINUTE"),
    "notes": Limit("notes of a chronicle", "an address", 20, MINUTE, "NOTES_A_MINUTE"),
    "photos": Limit("photographs", "an address", 6, MINUTE, "PHOTOS_A_MINUTE"),
    "spreadsheets": Limit("spreadsheets read", "an address", 20, MINUTE, "SPREADSHEETS_A_MINUTE"),
    "saved positions": Limit("positions and campaigns saved", "an address", 20, DAY, "SAVED_POSITIONS_A_DAY"),
    "saved bytes": Limit("bytes of saved positions", "an address", 4 << 20, DAY, "SAVED_BYTES_A_DAY", "bytes"),
    "shelf": Limit("saved positions in all", "the server", 500),
    "file": Limit("the games file, for everything but moves", "the server", 64 << 30, 0, "LARGEST_FILE", "bytes"),
    "seat requests": Limit("requests for a seat that wait for an answer", "a game", 12),
    "people": Limit("people in the seats", "a game", 60),
    "kept letters": Limit("letters that are kept", "a game", 5000),
    "open forecasts": Limit("forecasts that are in progress or waiting", "an address", 2),
    "forecast hours": Limit("a forecast, before it is stopped", "the server", 6, 0, "", "hours"),
    "battles": Limit("battles of one forecast", "an address", 2000),
}


def most(name: str) -> int:
    """How much there may be of what this row of the table is about."""
    return LIMITS[name].most


def flowing() -> dict[str, Limit]:
    """The rows that are counted within a time; their order is that of their rooms in the common memory."""
    return {name: limit for name, limit in LIMITS.items() if limit.seconds}


def settings() -> dict[str, Any]:
    """The settings of the table, with what stands in it."""
    return {limit.setting: limit.most for limit in LIMITS.values() if limit.setting}


def table() -> str:
    """The limits as a table of Markdown."""
    head = "| what is counted | for | at most | setting |\n|---|---|---|---|\n"
    rows = (
        f"| {limit.what} | {limit.whose} | {limit.amount()} | {f'`{limit.setting}`' if limit.setting else ''} |\n"
        for limit in LIMITS.values()
    )
    return head + "".join(rows)


def with_table(page: str) -> str:
    """The text of a page with the table between its marks. Raises ValueError where it has none."""
    begin, end = MARKS
    found, count = re.subn(
        f"{re.escape(begin)}.*?{re.escape(end)}", lambda _: f"{begin}\n{table()}{end}", page, flags=re.DOTALL
    )
    if count != 1:
        raise ValueError(f"The page has {count} places for the table: expected {begin} and {end} once.")
    return found
