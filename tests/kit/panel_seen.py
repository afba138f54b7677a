"""What of a campaign's panel is seen without opening a fold: its buttons and lists, read from the page's HTML."""

from __future__ import annotations

from dataclasses import dataclass, field
from html.parser import HTMLParser

from kit.reading_pages import MAP

ALONE = frozenset(("br", "circle", "hr", "img", "input", "link", "meta", "path", "rect", "use"))


@dataclass
class Button:
    """A button or a link that looks like one: its words, its classes, and whether it is seen."""

    classes: frozenset[str]
    is_seen: bool
    words: str = ""


@dataclass
class Panel(HTMLParser):
    """The panel of a page; `feed` it the page. `lists` are the numbers of entries of its lists."""

    buttons: list[Button] = field(default_factory=list)
    lists: list[int] = field(default_factory=list)

    def __post_init__(self) -> None:
        super().__init__()
        self.open: list[tuple[str, dict[str, str | None]]] = []
        self.reading: Button | None = None

    def is_inside(self) -> bool:
        return any(attributes.get("id") == "side" for _tag, attributes in self.open)

    def is_folded(self) -> bool:
        """Is what is read now in a closed fold, below its summary, or hidden?"""
        tags = [tag for tag, _attributes in self.open]
        for place, (tag, attributes) in enumerate(self.open):
            if "hidden" in attributes:
                return True
            if tag == "details" and "open" not in attributes and tags[place + 1 : place + 2] != ["summary"]:
                return True
        return False

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        attributes = dict(attrs)
        if tag in ALONE:
            return
        self.open.append((tag, attributes))
        if not self.is_inside():
            return
        classes = frozenset((attributes.get("class") or "").split())
        if (tag == "button" and "data-step" not in attributes) or "button" in classes:
            self.reading = Button(classes, not self.is_folded())
            self.buttons.append(self.reading)
        if tag == "select":
            self.lists.append(0)
        if tag == "option":
            self.lists[-1] += 1

    def handle_endtag(self, tag: str) -> None:
        while self.open:
            last, _attributes = self.open.pop()
            if last in ("button", "a", "summary"):
                self.reading = None
            if last == tag:
                return

    def handle_data(self, data: str) -> None:
        if self.reading is not None:
            self.reading.words = " ".join((self.reading.words + data).split())

    @property
    def seen(self) -> list[Button]:
        """The buttons that are seen."""
        return [one for one in self.buttons if one.is_seen]


def panel_of(page: str) -> Panel:
    """The panel of a page."""
    panel = Panel()
    panel.feed(MAP.sub("", page))
    return panel
