"""A battle by cards and its result in the panel: strengths, both cards, what an answer means, what it cost."""

from __future__ import annotations

import html
import random
import re
from typing import Any

from flask.testing import FlaskClient

from kit.commands_of import picked
from kit.wars import War
from webapp.pages.campaign.panel import battle_story
from webapp.storage.games import Store

ENDS = ("resign", "agree", "concede", "withdraw")
WANTED = ("activate", "attack", "accept_battle", "match", "stand", "step")


def until(store: Store, client: FlaskClient, wanted: Any, seed: int, most: int = 4000) -> tuple[War, str]:
    """A war of warlike random play, at the moment when something holds for whoever must act; whose seat that is."""
    war, chance = War(store, client), random.Random(seed)
    for _act in range(most):
        table = store.load(war.id)
        if not table.waiting_for:
            war = War(store, client)
            continue
        seat = table.waiting_for[0]
        if wanted(table, seat):
            return war, seat
        offers = [one for one in table.offers(seat) if one.type not in ENDS] or table.offers(seat)
        likely = [one for one in offers if one.type in WANTED] or offers
        store.submit(war.id, table.game.version, seat, chance.choice(picked(chance.choice(likely), 1, chance)))
    raise AssertionError("it never came to that")


def is_asked_to_match(table: Any, seat: str) -> bool:
    battle = table.state.battle
    return battle is not None and bool(battle.played) and table.state.agenda[-1].kind == "match"


def test_p2_who_must_answer_sees_strengths_the_card_played_and_what_an_answer_does(store: Store, client: FlaskClient):
    war, seat = until(store, client, is_asked_to_match, 4)
    battle = war.state.battle
    page = html.unescape(war.page(seat).text)
    panel = page[page.index('class="part battle-panel"') : page.index('id="hand"')]
    for side in ("rome", "carthage"):
        assert f">{len(battle.hands[side])}</strong>" in panel
        assert f"of {battle.start[side]} units" in panel
    assert panel.count('class="played') == 2 and "Your answer lies here" in panel
    assert "to attack next, " in page or "without a throw" in page or "match" not in page
    hand = page[page.index('id="hand"') :]
    held = set(battle.hands[seat])
    assert hand.count("battle-card") == len(held)
    for kind in re.findall(r'"card": ?"(\w+)"', " ".join(re.findall(r'value="([^>]*)" aria-label', hand))):
        assert kind in held


def test_a_battle_hand_stands_on_no_other_page(store: Store, client: FlaskClient):
    war, seat = until(store, client, is_asked_to_match, 4)
    other = next(side for side in ("rome", "carthage") if side != seat)
    hand = war.page(other).text
    assert "The answer lies here" in hand and "Your answer" not in hand
    spectator = war.page("spectator").text if "spectator" in war.tokens else hand
    assert 'name="command"' not in spectator[spectator.index('id="hand"') :].partition("</section>")[0]


def test_p9_after_a_battle_the_panel_says_who_won_what_it_cost_and_leads_to_it(store: Store, client: FlaskClient):
    def is_over(table: Any, seat: str) -> bool:
        found = battle_story.result("hannibal", battle_story.recent(store, table, seat), table.game.version)
        return table.state.battle is None and found is not None and bool(found.winner)

    war, seat = until(store, client, is_over, 6)
    page = html.unescape(war.page(seat).text)
    part = page[page.index('id="result"') :].partition("</section>")[0]
    events = [event.flat() for entry in store.entries(war.id) for event in entry.events]
    end = max(place for place, it in enumerate(events) if it["type"] == "battle_ended")
    begun = max(place for place, it in enumerate(events[:end]) if it["type"] == "battle")
    lost = {"rome": 0, "carthage": 0}
    for it in events[begun:]:
        for side, count in battle_story.lost_in(it).items():
            lost[side] += count
    shown = [int(each.replace("–", "0")) for each in re.findall(r"<td><strong>([^<]*)</strong>", part)]
    assert sorted(shown) == sorted(count for side, count in lost.items() if count or len(shown) > 1)
    assert f"won-by-{['rome', 'carthage'].index(events[end]['winner'])}" in part
    assert re.search(r"/replay/\d+\?seat=", part)


def test_a_result_goes_when_the_next_battle_begins():
    events = [(3, {"type": "battle"}), (5, {"type": "battle_ended", "space": "cannae", "winner": "rome"})]
    assert battle_story.result("hannibal", [*events, (6, {"type": "battle"})], 6) is None
    assert battle_story.result("hannibal", events, 5 + battle_story.SHOWN + 1) is None
