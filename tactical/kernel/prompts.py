"""The stack of questions in a state: the last is the next one; those that are asked together are open at once."""

from __future__ import annotations

from typing import Any

from msgspec.structs import replace

from tactical.kernel.protocol import Prompt

Stack = tuple[Prompt, ...]


def then(stack: Stack, *prompts: Prompt) -> Stack:
    """The stack with more prompts, in the order in which they will come."""
    return (*stack, *reversed(prompts))


def together(stack: Stack, *prompts: Prompt) -> Stack:
    """The stack with prompts that are all open at once, until each has been answered."""
    return (*stack, *(replace(prompt, together=True) for prompt in reversed(prompts)))


def next_of(stack: Stack) -> Prompt | None:
    """The prompt that is next; None when nothing is asked."""
    return stack[-1] if stack else None


def open_now(stack: Stack) -> Stack:
    """The prompts that may be answered now, the next one first."""
    if not stack or not stack[-1].together:
        return stack[-1:]
    found: Stack = ()
    for prompt in reversed(stack):
        if not prompt.together or prompt.kind != stack[-1].kind:
            break
        found += (prompt,)
    return found


def answer(stack: Stack, seat: str | None = None) -> Stack:
    """The stack without the next prompt, or without the one of those open now that asks this seat."""
    for back, prompt in enumerate(open_now(stack), start=1):
        if seat is None or prompt.seat == seat:
            return (*stack[: len(stack) - back], *stack[len(stack) - back + 1 :])
    raise LookupError(f"nothing is asked of {seat}")


def asking(stack: Stack, **about: Any) -> Stack:
    """The stack whose next prompt has other facts."""
    return (*stack[:-1], replace(stack[-1], about={**stack[-1].about, **about}))
