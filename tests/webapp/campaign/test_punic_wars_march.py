"""5.0 A leader's march on the page before it is walked: way, points, attrition, and the command that walks it."""

from __future__ import annotations

import html
import json
import re

from kit.wars import War

SEA = {
    "scenario": "2",
    "turn": 2,
    "phase": "campaign",
    "phasing": "carthage",
    "begun": True,
    "treasury": {"carthage": 40, "rome": 40},
    "stacks": {"2516": {"carthage": {"land": 3, "naval": 3}}, "2908": {"rome": {"land": 4}}},
    "leaders": {
        "cc": {"side": "carthage", "value": 2, "letter": "C", "at": "2516"},
        "rd": {"side": "rome", "value": 1, "letter": "D", "at": "2908"},
    },
}


def test_5_0_a_chosen_leader_tints_what_he_reaches_and_a_tap_draws_the_way(store, client):
    war = War(store, client, "punic_wars", position=SEA)
    bare = war.page("carthage").text
    assert 'data-leader="cc"' in bare and "within" not in bare
    chosen = war.page("carthage", query="&pick=cc").text
    assert chosen.count('class="within"') > 10
    way = war.page("carthage", query="&pick=cc&space=2617").text
    assert 'class="march-way"' in way
    assert 'class="march-step' in way


def test_11_11_the_attrition_of_the_sea_stands_on_the_page_before_the_march(store, client):
    war = War(store, client, "punic_wars", position=SEA)
    seen = war.page("carthage", query="&pick=cc&space=2914").text
    assert "losses for each roll – 1–2: 1 point" in seen
    assert "11.11" in seen
    assert 'class="arrives"' in seen


def test_5_12_the_button_walks_the_way_that_is_shown(store, client):
    war = War(store, client, "punic_wars", position=SEA)
    seen = war.page("carthage", query="&pick=cc&space=2515").text
    command = html.unescape(re.search(r'name="command" value="([^"]+)" data-march', seen).group(1))
    assert json.loads(command)["path"] == ["2515"]
    assert war.post("carthage", "command", command=command).status_code in (200, 303)
    state = store.load(war.id).state
    assert state.leaders["cc"].at == "2515"
    assert state.points("2515", "carthage", "naval") == 3


def test_9_12_the_other_side_is_shown_no_march(store, client):
    war = War(store, client, "punic_wars", position=SEA)
    for seat in ("rome", "spectator"):
        seen = war.page(seat, query="&pick=cc&space=2515").text
        assert "data-leader" not in seen
        assert "within" not in seen


def test_15_0_treasury_revenue_and_supply_stand_above_everything(store, client):
    war = War(store, client, "punic_wars", position=SEA)
    seen = war.page("carthage").text
    rows = dict(re.findall(r'<th scope="row"><svg.*?</svg> (\w+)</th>((?:<td>[^<]*</td>)+)', seen))
    cells = {side: re.findall(r"<td>([^<]*)</td>", row) for side, row in rows.items()}
    outlook = war.page_view("carthage")["outlook"]["carthage"]
    assert cells["Carthage"][1:] == ["40", str(outlook["revenue"]), str(outlook["supply"])]
    assert cells["Rome"][1:] == ["40", "–", "–"]  # 9.12 what Rome must pay would tell its strength
