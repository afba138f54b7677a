"""Every engine is playable by its pages alone: what they offer, the engine takes, entry after entry."""

from __future__ import annotations

import random
import re

import pytest

from kit.reading_pages import forms
from kit.wars import War
from tactical.kernel.dice import random_source
from webapp import create_app
from webapp.presenting.map.sheet import has_map, sheet
from webapp.storage.journal.store import Store, all_systems
from webapp.systems import presentation

ACTS = [12, pytest.param(48, marks=pytest.mark.soak)]
STRATEGIC = [name for name in all_systems() if name != "galley"]


def ends_it(way: dict[str, str]) -> bool:
    """Would this give the war up?"""
    text = way.get("command", "") + way.get("type", "")
    return '"resign"' in text or '"agree"' in text or '"end_game"' in text or text in ("resign", "agree", "end_game")


@pytest.mark.parametrize("acts", ACTS)
@pytest.mark.parametrize("system", STRATEGIC)
def test_a_war_is_played_by_the_forms_of_its_page(system, acts, tmp_path):
    chance = random.Random(7)
    store = Store(tmp_path / "war.db", all_systems(), random_source(chance.randrange))
    app = create_app({"STORE": store, "TESTING": True, "WTF_CSRF_ENABLED": False})
    with app.test_client() as client:
        war = War(store, client, system)
        for _act in range(acts):
            table = store.load(war.id)
            seats = table.system.waiting_for(table.state)
            if table.game.over or not seats:
                break
            seat = chance.choice(seats)
            ways = on_page(war, seat, chance)
            assert ways, f"{seat} is waited for and its page offers nothing"
            sent = chance.choice(ways)
            action = sent.pop("action")
            answer = client.post(action, data=sent)
            if 'id="asks-again"' in answer.text:
                answer = client.post(action, data=sent | {"sure": "1"})
            assert answer.status_code == 303, (sent, answer.text[:2000])
        assert war.version >= acts // 2


def on_page(war, seat, chance):
    """Every way to send a form of the page, with one card of the hand tapped, or of the page that the seat's link leads to."""
    held = presentation(war.store.game(war.id).system).hand(war.page_view(seat), seat)
    picked = f"&pick={chance.choice(held).number}" if held else ""
    found = []
    rings = re.findall(r'data-mark="([^"]+)" class="[^"]*\bhot\b', war.page(seat).text)
    tapped = f"&space={chance.choice(rings)}" if rings else ""
    for query in ("", picked, tapped):
        for form in forms(war.page(seat, query=query, **{"HX-Request": "true"}).text):
            found += [{"action": form.action, **way} for way in form.ways() if not ends_it(way)]
    if presentation(war.store.game(war.id).system).elsewhere:
        home = war.client.get(f"/g/{war.id}/home?seat={seat}").location
        for query in ("", "&do=stay"):
            for form in forms(war.client.get(home + query).text):
                found += [{"action": form.action, **way} for way in form.ways() if way.get("act") in ("ready", "order")]
    return found


@pytest.mark.parametrize("system", [name for name in STRATEGIC if has_map(name)])
def test_the_picture_of_a_war_names_only_what_is_on_the_map(store, client, system):
    war = War(store, client, system)
    paper = sheet(system)
    for seat in war.tokens:
        picture = presentation(system).picture(war.page_view(seat))
        assert set(picture.holders) <= set(paper.spots)
        assert {stack.space for stack in picture.stacks} <= set(paper.spots)
        assert set(picture.areas) <= set(paper.areas)
        assert picture.holders or picture.areas


def test_an_enemy_stack_of_punic_wars_is_a_question_mark():
    view = {"hexes": {"0214": {"rome": {"top": "land", "inside": False}}}, "leaders": {}}
    (stack,) = presentation("punic_wars").picture(view).stacks
    assert (stack.strength, stack.leaders, stack.extras) == ("?", (), ())


def test_the_hexes_of_punic_wars_touch_and_do_not_overlap():
    paper = sheet("punic_wars")
    assert paper.hexes and len(paper.spots) == 780
    whole = sum(spot.cell.area for spot in paper.spots.values())
    from shapely.ops import unary_union

    joined = unary_union([spot.cell.buffer(0.5) for spot in paper.spots.values()])
    assert joined.geom_type == "Polygon"
    assert joined.area == pytest.approx(whole, rel=0.03)
