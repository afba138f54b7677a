"""The rules of the panel on every page that random play meets: no long list, no two buttons alike, one that stands out."""

from __future__ import annotations

import random
import re
from collections import Counter

import pytest
from flask.testing import FlaskClient

from kit.commands_of import picked
from kit.panel_seen import Panel, panel_of
from kit.wars import War
from strategic import SYSTEMS
from webapp.storage.journal.store import Store

STEPS = 40
MOST = 8  # entries of a list
ENDS = ("resign", "agree")
LOSING = re.compile(r"\b(lose|lost|sue|give up|end|unmatched)\b", re.IGNORECASE)


def pages(war: War, seat: str, chance: random.Random) -> list[str]:
    """The seat's page as it stands, with a space that is pointed out, and with a card of the hand."""
    bare = war.page(seat).text
    found = [bare]
    spaces = re.findall(r'data-mark="([^"]+)" class="[^"]*\bhot\b', bare)
    cards = re.findall(r'class="card[^"]*playable"[^>]*pick=(\d+)', bare)
    if spaces:
        found.append(war.page(seat, query=f"&space={chance.choice(spaces)}").text)
    if cards:
        found.append(war.page(seat, query=f"&pick={chance.choice(cards)}").text)
    return found


def faults(panel: Panel) -> list[str]:
    """What is wrong with a panel, in words."""
    words = Counter(one.words for one in panel.seen if one.words)
    mains = [one.words for one in panel.seen if "main" in one.classes]
    found = [f"a list of {size}" for size in panel.lists if size > MOST]
    found += [f"{count} buttons say {text!r}" for text, count in words.items() if count > 1]
    found += [f"{len(mains)} buttons stand out: {mains}"] if len(mains) > 1 else []
    found += [f"{text!r} stands out" for text in mains if LOSING.search(text)]
    return found


@pytest.mark.parametrize("system", SYSTEMS)
def test_11_3_no_long_list_no_two_buttons_alike_and_one_that_stands_out(store: Store, client: FlaskClient, system: str):
    war, chance = War(store, client, system), random.Random(3)
    wrong: dict[str, str] = {}
    filled = 0
    for _step in range(STEPS):
        table = store.load(war.id)
        if not table.waiting_for:
            break
        seat = table.waiting_for[0]
        for page in pages(war, seat, chance):
            panel = panel_of(page)
            filled += any("main" in one.classes for one in panel.seen)
            for fault in faults(panel):
                wrong.setdefault(fault, f"{seat}, version {war.version}")
        offers = [one for one in table.offers(seat) if one.type not in ENDS]
        store.submit(war.id, table.game.version, seat, chance.choice(picked(chance.choice(offers), 1, chance)))
    assert not wrong
    assert filled > STEPS // 3
