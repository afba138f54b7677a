"""What msgspec says of a value that has not the right shape, as a Reason that can be said in any language."""

from __future__ import annotations

import re

from tactical.kernel.reason import NO_VALUES, Reason

GAP = re.compile(r"%\\\((\w+)\\\)s")  # a gap in a sentence whose other characters are escaped
SHAPES = (  # msgspec's sentence and ours; whichever says more stands first
    (
        "expected '%(wanted)s' of length %(length)s, got %(given)s",
        Reason("expected %(wanted)s of length %(length)s, got %(given)s"),
    ),
    (
        "expected '%(wanted)s' of length %(low)s to %(high)s",
        Reason("expected %(wanted)s of length %(low)s to %(high)s"),
    ),
    ("expected '%(wanted)s' of length >= %(least)s", Reason("expected %(wanted)s of length %(least)s or more")),
    ("expected '%(wanted)s' of length <= %(most)s", Reason("expected %(wanted)s of length %(most)s or less")),
    ("expected '%(wanted)s' of length %(length)s", Reason("expected %(wanted)s of length %(length)s")),
    ("expected '%(wanted)s' matching regex %(pattern)s", Reason("expected %(wanted)s that matches %(pattern)s")),
    ("expected '%(wanted)s', got '%(given)s'", Reason("expected %(wanted)s, got %(given)s")),
    ("expected '%(wanted)s' >= %(least)s", Reason("expected %(wanted)s, %(least)s or more")),
    ("expected '%(wanted)s' <= %(most)s", Reason("expected %(wanted)s, %(most)s or less")),
    ("expected '%(wanted)s'", Reason("expected %(wanted)s")),
    ("object missing required field '%(field)s'", Reason("the field '%(field)s' is missing")),
    ("object contains unknown field '%(field)s'", Reason("there is no field '%(field)s'")),
    ("invalid enum value %(value)s", Reason("the value %(value)s is not among the possible ones")),
    ("invalid value %(value)s", Reason("the value %(value)s is not possible here")),
    ("integer value out of range", Reason("the number is too large or too small")),
)
KNOWN = tuple((shape.form, re.compile(GAP.sub(r"(?P<\1>.+)", re.escape(theirs)))) for theirs, shape in SHAPES)


def shape_reason(text: str) -> Reason:
    """The reason for a sentence of msgspec without its path; one that is not known here is its own form.

    >>> shape_reason("Expected `int`, got `str`").values
    {'wanted': 'int', 'given': 'str'}
    """
    written = text[:1].lower() + text[1:].replace("`", "'")
    for form, pattern in KNOWN:
        if found := pattern.fullmatch(written):
            return Reason(form, found.groupdict() or NO_VALUES)
    return Reason(written)
