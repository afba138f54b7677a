"""What msgspec says of a value that has not the right shape, as a Reason that can be said in any language."""

from __future__ import annotations

import re

from tactical.kernel.reason import NO_VALUES, Reason

GAP = re.compile(r"%\\\((\w+)\\\)s")  # a gap in a form whose other characters are escaped
SHAPES = (  # whichever says more stands first
    Reason("expected '%(wanted)s' of length %(length)s, got %(given)s"),
    Reason("expected '%(wanted)s' of length %(low)s to %(high)s"),
    Reason("expected '%(wanted)s' of length >= %(least)s"),
    Reason("expected '%(wanted)s' of length <= %(most)s"),
    Reason("expected '%(wanted)s' of length %(length)s"),
    Reason("expected '%(wanted)s' matching regex %(pattern)s"),
    Reason("expected '%(wanted)s', got '%(given)s'"),
    Reason("expected '%(wanted)s' >= %(least)s"),
    Reason("expected '%(wanted)s' <= %(most)s"),
    Reason("expected '%(wanted)s'"),
    Reason("object missing required field '%(field)s'"),
    Reason("object contains unknown field '%(field)s'"),
    Reason("invalid enum value %(value)s"),
    Reason("invalid value %(value)s"),
    Reason("integer value out of range"),
)
KNOWN = tuple((shape.form, re.compile(GAP.sub(r"(?P<\1>.+)", re.escape(shape.form)))) for shape in SHAPES)


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
