"""The forms of a page as somebody would send them, with their first choices; an empty number is filled in."""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from html.parser import HTMLParser

MAP = re.compile(r'<svg id="map".*?</svg>', re.DOTALL)  # nine tenths of a campaign's page, without a form or a button


@dataclass
class Form:
    """Where it goes, what it sends, and each of its named buttons as one more way to send it."""

    action: str
    fields: dict[str, str] = field(default_factory=dict)
    buttons: list[tuple[str, str]] = field(default_factory=list)
    choices: dict[str, list[str]] = field(default_factory=dict)

    def ways(self):
        """Every way to send it: one for each named button, or one; a choice is sent with each of its options."""
        sent = [{**self.fields, name: value} for name, value in self.buttons] or [dict(self.fields)]
        for name, options in self.choices.items():
            sent = [{**one, name: option} for one in sent for option in options]
        return sent


class Forms(HTMLParser):
    """Collects the forms of a page that post commands."""

    def __init__(self) -> None:
        super().__init__()
        self.found: list[Form] = []
        self._form: Form | None = None
        self._select = ""

    def handle_starttag(self, tag, attrs):
        about = {key: value or "" for key, value in attrs}
        if tag == "form" and about.get("method") == "post" and re.search("/(command|switches|orders)", about["action"]):
            self._form = Form(about["action"])
            self.found.append(self._form)
        if self._form is None:
            return
        if tag == "input" and about.get("name") and about.get("role") != "switch":  # what is off is not sent
            self._form.fields[about["name"]] = about.get("value") or about.get("max", "")  # what is empty is filled in
        if tag == "select":
            self._select = about["name"]
            self._form.choices[self._select] = []
        if tag == "option" and self._select:
            self._form.choices[self._select].append(about.get("value", ""))
        if tag == "button" and about.get("name"):
            self._form.buttons.append((about["name"], about.get("value", "")))

    def handle_endtag(self, tag):
        if tag == "form":
            self._form = None
        if tag == "select":
            self._select = ""


def forms(page: str) -> list[Form]:
    """The forms of a page."""
    reader = Forms()
    reader.feed(MAP.sub("", page))
    return reader.found
