"""Somebody who draws a position or a campaign by taps, as the page sends them."""

from __future__ import annotations

import html
import json
import re
from typing import Any, Self

from flask.testing import FlaskClient


class DrawingHand:
    """The draft goes forth and back with each tap; `shelf` is the address under which drawings are saved."""

    shelf = ""

    def __init__(self, client: FlaskClient, address: str) -> None:
        self.client = client
        self.takes(client.get(address))

    def takes(self, answer: Any) -> Self:
        """Hold the page that came, and the draft in it."""
        self.answer, self.page = answer, answer.text
        found = re.search(r'name="draft" value="([^"]*)"', self.page)
        assert found is not None, self.page[:2000]
        self.text = html.unescape(found.group(1))
        self.draft = json.loads(self.text)
        return self

    def does(self, *acts: str, **fields: Any) -> Self:
        """Tap one after the other, with what is typed in the fields."""
        for act in acts:
            self.takes(self.client.post(f"{self.shelf}/draw", data={"draft": self.text, "do": act, **fields}))
        return self

    def leaves(self, act: str, **fields: str) -> Any:
        """The answer to what leads away from the drawing: save it, begin it, take it as a file."""
        return self.client.post(self.shelf, data={"draft": self.text, "do": act, **fields})

    def said(self, where: str) -> str:
        """What a line of the page says."""
        found = re.search(rf'id="{where}"[^>]*>([^<]*)', self.page)
        return html.unescape(found.group(1)) if found else ""
