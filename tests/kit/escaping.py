"""A text that would act if it became markup, and what acts in a page that is none of ours."""

from __future__ import annotations

import re
from collections.abc import Iterator

from lxml import etree, html

MARK = """zq hx-post=/zq zq'"><i hx-get="/zq" hx-trigger="load">zq</i>"""
READER = html.HTMLParser(encoding="utf-8", huge_tree=True)


def acts(page: str) -> Iterator[tuple[str, str, str]]:
    """What a page does: its elements' htmx attributes, handlers and scripts, as element, attribute, value."""
    for element in html.document_fromstring(page.encode(), parser=READER).iter(etree.Element):
        for name, value in element.attrib.items():
            is_script = name in ("href", "src", "action") and re.match(r"\s*(javascript|data|vbscript):", value)
            if is_script or name.startswith(("hx-", "data-hx-", "on", "zq")):
                yield element.tag, name, value


def foreign(page: str) -> list[tuple[str, str, str]]:
    """Attributes that act and hold the marker, or that no template of ours has: pages act by templates alone."""
    return [act for act in acts(page) if act[1] not in OURS or "zq" in act[2]]


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
