"""A page's fragments: elements with an id, of which an answer brings those that the page does not have.

In a template, `{% call fragment("tray") %}<section id="tray">…</section>{% endcall %}` makes a fragment; fragments may
stand inside others. The page has each one's key and digest as `data-fragment`, and sends them with a request for it
(`X-Fragments`, static/fragments.js). The answer is an `<hx-partial>` for each fragment whose own text differs; of one
whose own text is the same, those inside are looked at. Nothing is remembered of who asked.

A fragment's digest leaves out the hidden fields of its forms, which hold this browser's token and the version shown
(`http/gaps.py`). What people have written is escaped, so none of it can be a mark.
"""

from __future__ import annotations

import base64
import hashlib
import re
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from functools import cached_property

from flask import g
from markupsafe import Markup

from tactical.kernel.cache import remember
from webapp.http import gaps

HEADER = "X-Fragments"
MARK = re.compile(r"<!--f:([\w.-]+)-->")
MOST = 2000  # fragments that a page may say it has
PARTIAL = Markup('<hx-partial id="{}" hx-swap="outerMorph">{}</hx-partial>\n')
# Read as part of a picture; `strip` takes the <svg> off again.
IN_PICTURE = Markup('<hx-partial id="{}" hx-swap="outerMorph strip:true"><svg>{}</svg></hx-partial>\n')
OWN, FOUND = Markup('id="{}"'), Markup(' data-fragment="{}:{}"')


@dataclass(frozen=True)
class Fragment:
    """An element: its id, its key and digest, its text with marks for the fragments inside it.

    `is_picture`: it stands inside an SVG. Without a digest it is in every answer.
    """

    name: str
    key: str
    digest: str
    text: str
    is_picture: bool


@dataclass(frozen=True, eq=False)
class Drawing:
    """A page's text with marks for its fragments, and these by their keys."""

    text: str
    fragments: Mapping[str, Fragment]

    @cached_property
    def put_together(self) -> str:
        """The whole page with gaps for its hidden fields: many ask for it."""
        return self.put(self.text)

    def whole(self, version: int) -> Markup:
        """The whole page with its hidden fields."""
        return gaps.fill_gaps(self.put_together, version)

    def changed(self, said: str, version: int) -> Markup:
        """The partials of the fragments that a page lacks, by what it says that it has."""
        return gaps.fill_gaps(lacking(self, said), version)

    def partials(self, text: str, has: Mapping[str, str]) -> Iterator[Markup]:
        """Those of the fragments in a text that a page lacks which has these digests, by their keys."""
        for key in MARK.findall(text):
            it = self.fragments[key]
            if it.digest and has.get(key) == it.digest:
                yield from self.partials(it.text, has)
            else:
                yield (IN_PICTURE if it.is_picture else PARTIAL).format(it.name, Markup(self.put(it.text)))

    def put(self, text: str) -> str:
        """A text with the fragments in their places."""
        return MARK.sub(lambda mark: self.put(self.fragments[mark[1]].text), text)


@remember
def lacking(drawing: Drawing, said: str) -> Markup:
    """The partials of a drawing for a page that says that it has these: pages of one seat mostly say the same."""
    pairs = (each.partition(":") for each in said.split(" ")[:MOST])
    return Markup("").join(drawing.partials(drawing.text, {key: digest for key, _colon, digest in pairs}))


def fragment(name: str, is_picture: bool = False, always: bool = False, caller: Callable[[], str] = str) -> Markup:
    """In a template: the element of this id as a fragment, `always` if every answer is to bring it.

    Its text is that element, with its id.
    """
    text = str(caller())
    drawn: dict[str, Fragment] | None = g.get("fragments")
    if drawn is None:
        return Markup(text)
    key = digest_of(name)
    drawn[key] = make_fragment(name, text, is_picture, always)
    return Markup(f"<!--f:{key}-->")


@remember
def make_fragment(name: str, text: str, is_picture: bool, always: bool) -> Fragment:
    """The fragment of a text, with its key and digest in the element."""
    key, digest = digest_of(name), "" if always else digest_of(text)
    own = OWN.format(name)
    if own not in text:
        raise ValueError(f"the fragment {name} has no such id")
    marked = text.strip().replace(own, own + FOUND.format(key, digest), 1)
    return Fragment(name, key, digest, marked, is_picture)


@remember
def digest_of(text: str) -> str:
    """Eight letters for a text: two different ones among some hundred have the same by no chance that matters."""
    return base64.b64encode(hashlib.blake2b(text.encode(), digest_size=6).digest(), b"._").decode()


def drawing(render: Callable[[], str]) -> Drawing:
    """What a template makes, in fragments, with gaps for hidden fields."""
    with _drawing() as fragments, gaps.leave_gaps():
        return Drawing(render(), fragments)


@contextmanager
def _drawing() -> Iterator[dict[str, Fragment]]:
    g.fragments = {}
    try:
        yield g.fragments
    finally:
        del g.fragments
