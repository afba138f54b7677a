"""Answers that were given before: a question that is asked again is not reckoned again."""

from __future__ import annotations

from collections.abc import Callable, Hashable
from functools import wraps
from typing import Any, ParamSpec

Asked = ParamSpec("Asked")
Answer = dict[str, Any]
MOST = 4096  # answers of one calculator


def with_memory(reckon: Callable[Asked, Answer]) -> Callable[Asked, Answer]:
    """A calculator that remembers; each asker gets an answer of his own."""
    known: dict[Hashable, Answer] = {}

    @wraps(reckon)
    def ask(*values: Asked.args, **named: Asked.kwargs) -> Answer:
        question = (frozen(values), frozen(named))
        found = known.get(question)
        if found is None:
            found = reckon(*values, **named)
            if len(known) >= MOST:
                known.clear()
            known[question] = found
        answer: Answer = own(found)
        return answer

    return ask


def frozen(value: Any) -> Hashable:
    """A question's values as what can be looked up; 1, 1.0 and True are different questions."""
    if isinstance(value, dict):
        return tuple(sorted((name, frozen(part)) for name, part in value.items()))
    if isinstance(value, list | tuple):
        return tuple(frozen(part) for part in value)
    return (type(value).__name__, value)


def own(value: Any) -> Any:
    """A copy as deep as its dictionaries and lists."""
    if isinstance(value, dict):
        return {name: own(part) if isinstance(part, dict | list) else part for name, part in value.items()}
    return [own(part) if isinstance(part, dict | list) else part for part in value]
