"""Every page of a campaign in every scheme: nothing that axe finds, and nothing too small to tap."""

from __future__ import annotations

import msgspec
import pytest

from firsts.finding import firsts, prompts_in
from kit.accessible import violations, violations_in
from kit.colours import OTHERS
from strategic import SYSTEMS
from tactical.kernel.protocol import UMPIRE
from tactical.kernel.record import plain

pytestmark = pytest.mark.browser
SMALL = """() => [...document.querySelectorAll('button, .button, select, summary, input:not([type=hidden])')]
    .filter((part) => part.checkVisibility() && !part.matches('[type=checkbox], [type=radio]'))
    .map((part) => [part.outerHTML.slice(0, 90), part.getBoundingClientRect()])
    .filter(([, box]) => box.height > 0 && box.height < 43.5).map(([html]) => html)"""


def test_axe_finds_nothing_on_the_pages_of_a_campaign_in_any_scheme(table):
    table.set_up()
    page = table.tablet("umpire").page
    for where in ("", "&space=saguntum"):
        page.goto(f"{table.address}/g/{table.id}?seat=umpire{where}")
        assert violations_in(page, OTHERS) == []  # the map has every colour of these pages
        assert page.evaluate(SMALL) == []
    for what in ("spaces", "chronicle", "calls", "adjust"):
        page.goto(f"{table.address}/campaign/{table.id}/{what}?seat=umpire")
        assert violations(page) == [], what
    page.goto(f"{table.address}/organizer")
    assert violations(page) == []


def test_on_a_phone_nothing_hangs_over_the_edge(table):
    table.set_up()
    page = table.tablet("rome", 390, 844).page
    assert page.evaluate("document.documentElement.scrollWidth") <= 390
    assert violations(page) == []


QUESTIONS = (("hannibal", "attack"), ("hannibal", "match"), ("hamilcar", "engagement"), ("sword_of_rome", "engagement"))
SEEN = [(*one, (390, 844)) for one in QUESTIONS] + [(*one, (1024, 768)) for one in QUESTIONS[1:3]]


@pytest.mark.parametrize(("system", "kind", "size"), SEEN)
def test_f2_the_button_of_a_battles_question_is_seen_without_scrolling(table, system, kind, size):
    state = next(one for one in firsts(system) if kind in prompts_in(one))
    if kind == "engagement":  # nobody has said yet how it is settled
        open_ = msgspec.structs.replace(state.engagement, chosen={}, way=None)
        state = msgspec.structs.replace(state, engagement=open_)
    table.set_up(system, position=plain(SYSTEMS[system].view(state, UMPIRE)))
    page = table.tablet(SYSTEMS[system].waiting_for(state)[0], *size).page
    side, main = (page.locator(one).first.bounding_box() for one in ("#side", "#side .main, #ways button"))
    assert side["y"] <= main["y"] and main["y"] + main["height"] <= side["y"] + side["height"]
    assert page.locator("#side").evaluate("side => side.scrollTop") == 0
