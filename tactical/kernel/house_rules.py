"""House rules: a group's own values in the place of the program's, one way for every system.

A group writes them under `options.house` when a game begins, or in a file (TOML or JSON) that it shares with others.
They are checked, kept in the position and told in every view, and the umpire may adjust them like any other field.
What a group leaves out stays as it is. The group's `title` for them may stand there, too.
"""

from __future__ import annotations

import json
import re
import tomllib
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any, Generic, TypeVar

from msgspec import Struct, UnsetType
from msgspec.structs import replace

from tactical.kernel.cache import remember
from tactical.kernel.record import BadInput, Input, check_bounds, check_fields, decode, encode, plain, read

H = TypeVar("H", bound=Input)
T = TypeVar("T")
V = TypeVar("V", bound=Struct)
OPTION = "house"  # the option, and the beginning of every path that names a field of it


@dataclass(frozen=True)
class HouseRules(Generic[H]):
    """What a group may replace of one system.

    `kind` is the record that it writes, whose fields have defaults and whose defaults replace nothing; `rule` is the
    paragraph that allows it. The bounds of its numbers stand in its types (`record.bounded`); `check` raises BadInput,
    its path within the record, for other values with which nothing can be played. `printed` are the program's own
    values as a group would write them. `kept(state)` is what a game is played with, None where nothing is replaced.
    `example` shows how it is written, as TOML.
    """

    kind: type[H]
    rule: str
    check: Callable[[H], None]
    printed: Callable[[], H]
    kept: Callable[[Any], H | None] = lambda state: getattr(state, OPTION, None) or None
    example: str = ""

    def read(self, raw: object, at: str = OPTION) -> H:
        """What a group wrote, checked. Raises BadInput, whose path begins with `at`, for what does not hold."""
        house: H = read(raw, self.kind, at)
        check_fields(raw, plain(house), at)
        self.check_kept(house, at)
        return house

    def in_view(self, view: Mapping[str, Any]) -> H | None:
        """What a game is played with, as its view tells it."""
        raw = view.get(OPTION)
        return read(raw, self.kind, OPTION) if raw else None

    def from_text(self, text: str) -> H:
        """What stands in a file, TOML or JSON, checked. Raises BadInput."""
        try:
            raw: object = json.loads(text) if text.lstrip().startswith("{") else tomllib.loads(text)
        except (ValueError, RecursionError) as error:
            place = re.search(r"line (\d+),? column (\d+)", str(error))
            if place is None:
                raise BadInput(OPTION, "this is neither TOML nor JSON") from None
            raise BadInput(
                OPTION,
                "this is neither TOML nor JSON (line %(line)s, column %(column)s)",
                line=place[1],
                column=place[2],
            ) from None
        return self.read(raw)

    def replaced(self, house: H) -> dict[str, Any]:
        """What a group has replaced, as plain values: the fields that are not as they are by default."""
        nothing = as_file(self.kind())
        return {name: value for name, value in as_file(house).items() if value != nothing[name]}

    def written(self, house: H) -> str:
        """The file that `from_text` takes, to share with another group."""
        return json.dumps(self.replaced(house), indent=1, ensure_ascii=False)

    def in_use(self, house: H | None) -> dict[str, Any]:
        """The program's values with those of a group in their place, as plain values by field.

        What a group names of several (generals, provinces by name) is replaced one by one.
        """
        found = as_file(self.printed())
        for name, value in (self.replaced(house) if house is not None else {}).items():
            both = isinstance(value, Mapping) and isinstance(found[name], Mapping)
            found[name] = {**found[name], **value} if both else value
        return found

    def check_kept(self, house: H | UnsetType | None, at: str = OPTION) -> None:
        """Raises BadInput, its path in `at`, for values in a position with which nothing can be played."""
        if not house:
            return
        try:
            check_bounds(house)
            self.check(house)
        except BadInput as fault:
            raise BadInput(f"{at}.{fault.path}", fault.why) from None

    def of(self, options: Mapping[str, Any]) -> H | None:
        """The house rules among the options of a new game: nothing, or an empty text, means none. Raises BadInput."""
        raw = options.get(OPTION)
        return self.read(raw, f"options.{OPTION}") if raw else None


def as_file(house: object) -> dict[str, Any]:
    """Values as their file has them."""
    found: dict[str, Any] = json.loads(encode(house))
    return found


def other_options(options: Mapping[str, Any]) -> dict[str, Any]:
    """The options of a new game without its house rules."""
    return {name: value for name, value in options.items() if name != OPTION}


def replacing(printed: V, **own: object) -> V:
    """A printed table with a group's values in place of some of its own, and its mark; those that are None stay."""
    new = {name: value for name, value in own.items() if value is not None}
    if new and "source" in printed.__struct_fields__:
        new["source"] = OPTION
    return replace(printed, **new)


def sheets(kind: type[H], made: Callable[[H], T]) -> Callable[[H | UnsetType | None], T]:
    """What is made of house rules, once for each of their values; of none it is the program's own."""
    own = made(kind())

    @remember
    def of_bytes(raw: bytes) -> T:
        return made(decode(raw, kind))

    return lambda house: of_bytes(encode(house)) if house else own
