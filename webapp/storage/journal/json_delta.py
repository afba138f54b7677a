"""What differs between two positions, as plain JSON: how a saved game keeps thousands of them small.

A change is [path, value] (set it) or [path] (remove it); a path is a list of names and places in lists.
"""

from __future__ import annotations

from typing import Any

from tactical.kernel.record import BadInput, encode

Change = list[Any]


def changes(before: Any, after: Any) -> list[Change]:
    """The changes that lead from one value to the other, to the same bytes."""
    found: list[Change] = []
    _compare(before, after, [], found)
    if encode(apply_changes(before, found)) != encode(after):
        return [[[], after]]  # equal, and yet other bytes: 1 that became true, or names in another order
    return found


def _compare(before: Any, after: Any, path: list[str | int], found: list[Change]) -> None:
    if before == after and type(before) is type(after):
        return
    if isinstance(before, dict) and isinstance(after, dict) and _keeps_order(before, after):
        found += [[[*path, name]] for name in before if name not in after]
        for name, value in after.items():
            if name in before:
                _compare(before[name], value, [*path, name], found)
            else:
                found.append([[*path, name], value])
    elif isinstance(before, list) and isinstance(after, list) and len(before) == len(after) and before:
        for place, value in enumerate(after):
            _compare(before[place], value, [*path, place], found)
    else:
        found.append([path, after])


def _keeps_order(before: dict[str, Any], after: dict[str, Any]) -> bool:
    """Do the names come in the right order when old ones keep their place and new ones come last?"""
    kept = [name for name in before if name in after]
    return [*kept, *(name for name in after if name not in before)] == list(after)


def apply_changes(before: Any, found: list[Change]) -> Any:
    """The value after the changes; what they do not touch is shared. Raises BadInput for changes that do not fit."""
    after = before
    for change in found:
        if not (isinstance(change, list) and len(change) in (1, 2) and isinstance(change[0], list)):
            raise BadInput("", "a change must be [path, value] or [path]")
        after = _apply(after, change[0], change)
    return after


def _apply(value: Any, path: list[Any], change: Change) -> Any:
    if not path:
        if len(change) == 1:
            raise BadInput("", "the whole position cannot be removed")
        return change[1]
    name, last = path[0], len(path) == 1
    if isinstance(value, dict) and isinstance(name, str):
        if last and len(change) == 1:
            if name not in value:
                raise BadInput("", "there is no %(name)s to remove", name=name)
            return {key: part for key, part in value.items() if key != name}
        if not last and name not in value:
            raise BadInput("", "there is no %(name)s", name=name)
        return {**value, name: _apply(value.get(name), path[1:], change)}
    if isinstance(value, list) and type(name) is int and 0 <= name < len(value) and not (last and len(change) == 1):
        return [*value[:name], _apply(value[name], path[1:], change), *value[name + 1 :]]
    raise BadInput("", "the path does not lead anywhere at %(name)s", name=repr(name))
