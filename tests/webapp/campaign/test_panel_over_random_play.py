"""The rules of the panel on every page that random play meets: no long list, no two buttons alike, one that stands out."""

from __future__ import annotations

import random
import re
from collections import Counter

import pytest
from flask.testing import FlaskClient

from kit.commands_of import picked
from kit.lengths import PANELS, seeds
from kit.panel_seen import Panel, panel_of
from kit.wars import War
from strategic import SYSTEMS
from tactical.kernel.protocol import Offer
from webapp.pages.campaign.offers import groups
from webapp.storage.journal.store import Store

POSITIONS, APART = 5, 9  # of each game, and the commands between them
LEAST, MOST = 5, 8  # entries of a list: of fewer each is seen, of more too
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
    found = [f"a list of {size}" for size in panel.lists if not LEAST <= size <= MOST]
    found += [f"{count} buttons say {text!r}" for text, count in words.items() if count > 1]
    found += [f"{len(mains)} buttons stand out: {mains}"] if len(mains) > 1 else []
    found += [f"{text!r} stands out" for text in mains if LOSING.search(text)]
    return found


@pytest.mark.parametrize("seed", seeds([3], PANELS))
@pytest.mark.parametrize("system", SYSTEMS)
def test_11_3_no_long_list_no_two_buttons_alike_and_one_that_stands_out(
    store: Store, client: FlaskClient, system: str, seed: int
):
    """At positions of random play, for every seat: also for who looks on, and for the umpire, who may do all."""
    scenarios = [one.id for one in store.systems[system].scenarios()]
    war, chance = War(store, client, system, scenario=scenarios[seed % len(scenarios)]), random.Random(seed)
    wrong: dict[str, str] = {}
    filled = 0
    for step in range(POSITIONS * APART):
        table = store.load(war.id)
        if not table.waiting_for:
            break
        if step % APART == 0:
            for seat in war.tokens:
                panels = [panel_of(page) for page in pages(war, seat, chance)]
                filled += any("main" in one.classes for panel in panels for one in panel.seen)
                for fault in (fault for panel in panels for fault in faults(panel)):
                    wrong.setdefault(fault, f"{system} {seed}: {seat}, version {war.version}")
        seat = chance.choice(table.waiting_for)
        offers = [one for one in table.offers(seat) if one.type not in ENDS]
        store.submit(war.id, table.game.version, seat, chance.choice(picked(chance.choice(offers), 1, chance)))
    assert not wrong
    assert filled


def test_p6_two_kinds_of_command_with_the_same_words_say_which_they_are(client: FlaskClient):
    offers = [
        Offer("drop", "9.1.2", {"units": 1}),
        Offer("pick_up", "9.1.2", {"units": 1}),
    ]
    with client.application.test_request_context("/"):
        said = [
            one.text for group in groups("sword_of_rome", offers, answer=lambda it: "1 unit") for one in group.ready
        ]
    assert len(set(said)) == 2 and all(text.endswith(": 1 unit") for text in said)
