"""A text that would act if it became markup, and what acts in a page that is none of ours."""

from __future__ import annotations

import re
from html.parser import HTMLParser

MARK = """zq hx-post=/zq zq'"><i hx-get="/zq" hx-trigger="load">zq</i>"""


class Acts(HTMLParser):
    """What a page does: its elements' htmx attributes, handlers and scripts."""

    def __init__(self) -> None:
        super().__init__()
        self.found: list[tuple[str, str, str]] = []

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        acts = [(tag, name, value or "") for name, value in attrs if name.startswith(("hx-", "data-hx-", "on", "zq"))]
        links = [(tag, name, value or "") for name, value in attrs if name in ("href", "src", "action")]
        self.found += acts + [link for link in links if re.match(r"\s*(javascript|data|vbscript):", link[2])]


def foreign(page: str) -> list[tuple[str, str, str]]:
    """Attributes that act and hold the marker, or that no template of ours has: pages act by templates alone."""
    acts = Acts()
    acts.feed(page)
    return [act for act in acts.found if act[1] not in OURS or "zq" in act[2]]


OURS = {
    f"hx-{name}"
    for name in (
        "get",
        "post",
        "swap",
        "swap:inherited",
        "target",
        "target:inherited",
        "sync",
        "trigger",
        "select",
        "select:inherited",
        "include",
        "replace-url",
        "disable",
        "ignore",
    )
}
