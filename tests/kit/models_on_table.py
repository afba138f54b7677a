"""A battle whose models lie on a table: its layout, its position, and photographs of the models as they lie."""

from __future__ import annotations

import html
import io
import json
import re
from collections.abc import Mapping
from typing import Any

import msgspec

from kit.photographed import Wanted, layout_for, photograph
from kit.readers import Reader
from tactical.tabletop import Layout

TABLE = (700.0, 500.0)
SIDES = {"rome": {"name": "Rome", "navy": "roman"}, "carthage": {"name": "Carthage", "navy": "hellenistic"}}
Lies = Mapping[str, tuple[float, float, float]]


def models(ships: int = 4, table: tuple[float, float] = TABLE) -> Layout:
    """The layout of so many ships s0, s1 …, whose bases are a base length of the rules long."""
    layout = layout_for(Wanted(table=table, ships=ships))
    return msgspec.structs.replace(layout, base_length=layout.ships["s0"].base[0])


def afloat(layout: Layout, kind: str, lies: Lies, **more: Any) -> dict[str, Any]:
    """A position with these ships, those of even numbers Roman; on the measured sea they lie where the models lie."""
    unit = layout.base_length
    board: dict[str, Any] = {"kind": kind}
    if kind == "open":
        board |= {"width": layout.table[0] / unit, "height": layout.table[1] / unit}
    ships = {}
    for number, (name, (x, y, heading)) in enumerate(lies.items()):
        where = {"at": [x / unit, y / unit], "facing": heading} if kind == "open" else {}
        side = ("rome", "carthage")[number % 2]
        ships[name] = {"side": side, "name": name.upper(), "type": "quinquereme", "speed": 2, **where}
    return {"board": board, "sides": SIDES, "ships": ships, **more}


def photo_of(layout: Layout, lies: Lies, seed: int = 1, hidden: tuple[int, ...] = (), also: tuple = ()) -> bytes:
    """A JPEG of the models as they lie; a ship that `lies` leaves out is not there."""
    wanted = Wanted(table=layout.table, width=1500)
    return photograph(wanted, seed, hidden, also, layout, lies).jpeg()


def send_photo(seat: Reader, photo: bytes, **fields: str) -> Any:
    """The page after a photograph was sent from it."""
    return seat.post("/table/read", photo=(io.BytesIO(photo), "table.jpg"), **fields)


def places_on(page: Any) -> dict[str, list[float]]:
    """The ships that the page's form carries: x, y and heading."""
    found = re.search(r'name="ships" value="([^"]*)"', page.text)
    assert found is not None, page.text
    return dict(json.loads(html.unescape(found[1])))


def confirm(seat: Reader, page: Any) -> Any:
    """The answer to the form's Confirm."""
    seen = re.search(r'name="seen" value="(\d+)"', page.text)
    assert seen is not None
    return seat.post("/table/confirm", ships=json.dumps(places_on(page)), seen=seen[1])


def said_on(page: Any) -> list[str]:
    """What the page says about the reading."""
    told = re.search(r'id="reading-told".*?</div>', page.text, re.S)
    return [html.unescape(each) for each in re.findall(r"<p[^>]*>([^<]*)</p>", told[0])] if told else []
