"""What htmx does with an answer: a page has fragments, and puts those that an answer brings in their places."""

from __future__ import annotations

import re

PARTIAL = re.compile(r'<hx-partial id="([^"]*)" hx-swap="outerMorph(?: strip:true">(<svg>)|">)(.*?)</hx-partial>', re.S)
FRAGMENT = re.compile(r'data-fragment="([^"]*)"')


class Page:
    """The fragments that stand on a page, nested ones within their outer ones' text."""

    def __init__(self) -> None:
        self._tops: dict[str, str] = {}  # what was brought by itself, with what is inside it

    def has(self) -> str:
        """What it says that it has."""
        return " ".join(FRAGMENT.findall(self.text()))

    def text(self) -> str:
        """All that stands there."""
        return "\n".join(self._tops.values())

    def put(self, answer: str) -> None:
        """Put the fragments of an answer in."""
        for name, picture, brought in PARTIAL.findall(answer):
            text = brought.removesuffix("</svg>") if picture else brought
            key = FRAGMENT.search(text)
            assert key is not None, text[:80]
            self._place(name, key[1].partition(":")[0], text)

    def _place(self, name: str, key: str, text: str) -> None:
        if name in self._tops:
            self._tops[name] = text
            return
        for top, whole in self._tops.items():
            if (found := element(whole, key)) is not None:
                self._tops[top] = whole[: found[0]] + text + whole[found[1] :]
                return
        self._tops[name] = text


def element(text: str, key: str) -> tuple[int, int] | None:
    """Where the element of a fragment begins and ends in a text."""
    at = text.find(f'data-fragment="{key}:')
    if at < 0:
        return None
    begin = text.rindex("<", 0, at)
    start = re.compile(r"<([a-z][a-z0-9]*)").match(text, begin)
    assert start is not None
    depth = 0
    for tag in re.compile(rf"<(/?){start[1]}(?=[\s>/])[^<>]*?(/?)>").finditer(text, begin):
        depth += 0 if tag[2] else -1 if tag[1] else 1
        if depth == 0:
            return begin, tag.end()
    return None
