"""Why something is refused: an English form with gaps, and what fills them, so that it can be said in any language."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any, NamedTuple

NO_VALUES: Mapping[str, Any] = {}
EITHER = "either"  # the gap that choices fill


class Reason(NamedTuple):
    """A form such as "there is no space called %(space)s" with its values; a form without gaps has no values.

    A value is an id, a number, a text, or several of these. A gap with forms, "%(count|ship|ships)s", chooses by
    its value: the first for one, the last for several. The gap %(either)s joins choices by "or".

    >>> str(Reason("%(ship)s owes a step to %(sides)s", {"ship": "r1", "sides": ("rome", "carthage")}))
    'r1 owes a step to rome, carthage'
    >>> str(Reason("at most %(most)s %(most|ship|ships)s", {"most": 2}))
    'at most 2 ships'
    >>> str(Reason("name %(either)s", {"either": ("rome", "carthage")}))
    'name rome or carthage'
    """

    form: str
    values: Mapping[str, Any] = NO_VALUES

    def __str__(self) -> str:
        return self.form % English(self.values) if self.values else self.form


class English(dict[str, Any]):
    """The values of a reason as the API writes them, and the forms that its gaps choose."""

    def __getitem__(self, gap: str) -> str:
        name, *forms = gap.split("|")
        value = super().__getitem__(name)
        if not forms:
            return in_english(value, " or " if name == EITHER else ", ")
        count = value if isinstance(value, int | float) else len(value) if isinstance(value, list | tuple) else 1
        return forms[0 if count == 1 else -1]


def because(form: str, /, **values: object) -> Reason:
    """A reason whose values are named as in its form.

    >>> str(because("%(side)s has left", side="rome"))
    'rome has left'
    """
    return Reason(form, values)


def reason_of(reason: Reason | str, values: Mapping[str, Any] = NO_VALUES) -> Reason:
    """The reason that an exception was raised with: a form with its values, or a Reason as it is."""
    return reason if isinstance(reason, Reason) else Reason(reason, values)


def in_english(value: object, between: str = ", ") -> str:
    """A value as the API writes it: ids as they are, several with commas or another text between them."""
    if isinstance(value, Iterable) and not isinstance(value, str):
        return between.join(str(each) for each in value)
    return str(value)
