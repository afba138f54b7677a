"""What an answer does not change on a campaign's page stays; afterwards its parts are those of a fresh load."""

from __future__ import annotations

import random
import urllib.request

import pytest

from kit.random_acts import change
from kit.staged import STAGE, put, put_parts
from webapp.presenting.map.layout import sheet

pytestmark = pytest.mark.browser
PARTS = ("strip", "overlay", "hits", "side", "hand")


@pytest.mark.parametrize("system", ["hannibal", "sword_of_rome"])
def test_after_each_act_and_look_the_parts_are_those_of_a_fresh_load(table, chromium, system):
    chance = random.Random(5)
    table.set_up(system)
    seat, spaces = next(iter(table.tokens)), list(sheet(system).spots)

    def asked(query: str, **headers: str) -> str:
        wanted = {"Authorization": f"Bearer {table.tokens[seat]}", **headers}
        with urllib.request.urlopen(
            urllib.request.Request(f"{table.address}/g/{table.id}?{query}", headers=wanted)
        ) as answer:
            return answer.read().decode()

    def whole(query: str) -> str:
        page = asked(query)
        return page[page.index('<div id="campaign"') : page.rindex("</main>")]

    context = chromium.new_context(service_workers="block")
    page = context.new_page()
    page.goto(f"{table.address}/handbook/player")
    page.evaluate(STAGE)
    put(page, whole(f"seat={seat}"))
    page.evaluate("() => { stage.querySelector('#overlay').mine = 1; }")
    for number in range(40):
        change(table.store, table.id, chance)
        query = f"seat={seat}" + (f"&space={chance.choice(spaces)}" if chance.random() < 0.5 else "")
        said = asked(query, **{"HX-Request": "true"})
        assert not put_parts(page, said, whole(query), PARTS), (number, query)
    assert page.evaluate("stage.querySelector('#overlay').mine") == 1
    context.close()
