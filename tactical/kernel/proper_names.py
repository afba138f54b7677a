"""What people call things (games, seasons, players, sides, fleets, ships, places): one form of it, however it comes in.

Ids are another matter: they are keys, of `[a-z0-9_-]`.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Annotated, TypeVar, cast
from unicodedata import category, normalize

from msgspec import Meta

from tactical.kernel.record import BadInput

T = TypeVar("T")
TITLE_LETTERS = 200  # of a title, or of any other proper name, at most
NAME_LETTERS = 60  # of who somebody is, at most
Title = Annotated[str, Meta(max_length=TITLE_LETTERS)]
Name = Annotated[str, Meta(max_length=NAME_LETTERS)]
FIELDS = frozenset(
    {"name", "names", "title", "label", "owner", "admiral", "commander_name", "where", "who", "place", "substitutes"}
)  # that hold proper names, one or several, in commands, positions and requests


def clean_name(text: str) -> str:
    """The text without control and format letters, in Unicode's form NFKC, with one space where there are more.

    >>> clean_name(" Ada\\u200b  Lovelace\\u000b")
    'Ada Lovelace'
    """
    if not (text.isascii() and text.isprintable()):
        seen = (" " if category(sign) == "Cc" else sign for sign in text if category(sign) != "Cf")
        text = normalize("NFKC", "".join(seen))
    return " ".join(text.split())


def clean_names(raw: T, at: str = "") -> T:
    """Plain values with every proper name clean (see `FIELDS`). Raises BadInput for one that is too long."""
    return cast("T", _clean(raw, at, is_name=False))


def _clean(value: object, at: str, is_name: bool) -> object:
    """The same; `is_name`: texts in it are names, however deep they are."""
    if isinstance(value, list):
        return [_clean(each, f"{at}[{place}]", is_name) for place, each in enumerate(value)]
    if isinstance(value, Mapping):
        return {
            key: _clean(each, f"{at}.{key}" if at else str(key), is_name or key in FIELDS)
            for key, each in value.items()
        }
    if not (is_name and isinstance(value, str)):
        return value
    found = value if len(value) > 4 * TITLE_LETTERS else clean_name(value)  # what is that long is not read
    if len(found) > TITLE_LETTERS:
        raise BadInput(at, "a name or title may have at most %(most)s characters", most=TITLE_LETTERS)
    return found
