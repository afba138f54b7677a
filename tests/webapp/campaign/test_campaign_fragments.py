"""A campaign's page in fragments: whatever happens, what a page puts together is what a fresh load gives."""

from __future__ import annotations

import random
import re

import pytest
from flask.testing import FlaskClient

from benchmarks.fragments import Page
from kit.random_acts import change
from strategic import SYSTEMS
from tactical.kernel import cache
from webapp.presenting.map.sheet import sheet
from webapp.storage.journal.store import Store


class Holder:
    """A page of a seat, or a television, that holds what it was brought."""

    def __init__(self, client: FlaskClient, address: str, token: str = "") -> None:
        self.client, self.address = client, address
        self.headers = {"HX-Request": "true"} | ({"Authorization": f"Bearer {token}"} if token else {})
        self.page = Page()
        self.brought: list[str] = []

    def look(self, query: str = "") -> str:
        """What stands on the page after a look; `brought` are the ids of what came."""
        has = self.page.has()
        answer = self.client.get(self.address + query, headers={**self.headers, "X-Fragments": has}).text
        self.brought = re.findall(r'<hx-partial id="([^"]+)"', answer)
        self.page.put(answer)
        return without_seen(self.page)

    def fresh(self, query: str = "") -> str:
        """What a page that has nothing is brought, with everything drawn anew."""
        cache.clear()
        anew = Page()
        anew.put(self.client.get(self.address + query, headers={**self.headers, "X-Fragments": ""}).text)
        return without_seen(anew)


def without_seen(page: Page) -> str:
    """Without the version of which forms speak: static/fragments.js writes it when one is sent."""
    return re.sub(r'name="seen" value="\d+"', "", page.text())


@pytest.mark.parametrize("system", ["hannibal", "punic_wars", "sword_of_rome"])
def test_after_each_act_and_look_a_page_is_that_of_a_fresh_load(client: FlaskClient, store: Store, system: str) -> None:
    game, tokens = store.create(system, SYSTEMS[system].scenarios()[0].id)
    chance, spaces = random.Random(5), list(sheet(system).spots)
    seats = [*store.load(game.id).sides[:1], "umpire"]
    pages = [Holder(client, f"/g/{game.id}", tokens[seat]) for seat in seats]
    television = Holder(client, f"/display/{game.id}/table")
    for _act in range(8):
        change(store, game.id, chance)
        query = f"?space={chance.choice(spaces)}" if chance.random() < 0.5 else ""
        for page in pages:
            assert page.look(query) == page.fresh(query)
        assert television.look() == television.fresh()


def test_a_tap_on_a_space_brings_its_panel_and_its_ring_and_nothing_of_the_map(
    client: FlaskClient, store: Store
) -> None:
    game, tokens = store.create("hannibal", SYSTEMS["hannibal"].scenarios()[0].id)
    page = Holder(client, f"/g/{game.id}", tokens["rome"])
    page.look()
    assert {"marks", "level-1", "holders", "side"} <= set(page.brought)
    page.look("?space=capua")
    assert set(page.brought) <= {"state", "rings", "side", "hand", "strip"} and "side" in page.brought
    page.look("?space=capua")
    assert page.brought == ["state"]


def test_a_refusal_comes_with_the_panel_and_goes_with_the_next_look(client: FlaskClient, store: Store) -> None:
    game, tokens = store.create("hannibal", SYSTEMS["hannibal"].scenarios()[0].id)
    page = Holder(client, f"/g/{game.id}", tokens["rome"])
    before = page.look()
    headers = {**page.headers, "X-Fragments": page.page.has()}
    answer = client.post(
        f"/g/{game.id}/command", data={"seen": "0", "command": '{"type": "nonsense"}'}, headers=headers
    )
    assert answer.status_code == 422 and 'role="alert"' in answer.text and 'id="marks"' not in answer.text
    page.page.put(answer.text)
    assert page.look() == before
