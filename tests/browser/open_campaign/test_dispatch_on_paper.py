"""O11.1: a dispatch is two sheets of A4, also with eight fleets and six letters, and one column on a phone."""

import re

import pytest

from kit.open_war import position
from webapp.storage.services import letters

pytestmark = pytest.mark.browser


def test_o11_1_a_dispatch_with_eight_fleets_and_six_letters_is_two_sheets_and_one_column_on_a_phone(tables):
    where = position()
    for number in range(6):
        where["ships"][f"more-{number}"] = {"side": "rhodes", "type": "trireme", "name": "Tyche"}
        fleet = {
            "side": "rhodes",
            "name": f"Squadron {number}",
            "admiral": "",
            "at": "telos",
            "ships": [f"more-{number}"],
        }
        where["fleets"][f"more{number}"] = fleet
    tables.begin(position=where)
    for number in range(6):
        letters.send(tables.store, tables.id, "cretans", "rhodes", f"Letter {number}. " + "We shall come again. " * 40)
    letters.send(tables.store, tables.id, "umpire", "rhodes", "The weather turns after the fifteenth.")
    tables.play(*({"type": "ready", "side": side} for side in ("rhodes", "cretans")))
    page = tables.sit("rhodes")
    page.goto(f"{tables.address}/open/{tables.id}/dispatch/rhodes/1?seat=rhodes")
    assert page.evaluate("document.documentElement.scrollWidth") <= 390
    pdf = page.pdf(prefer_css_page_size=True, print_background=True)
    assert len(re.findall(rb"/Type\s*/Page[^s]", pdf)) == 2
    assert not tables.faults
