"""O3.3: a goal to which no way by sea leads is not offered and not taken, by page, API or mail; the dispatch says why."""

from __future__ import annotations

import copy
from types import SimpleNamespace
from typing import Any

import pytest

from kit.open_war import go, play, position, run_turn
from kit.wars import War
from strategic.captains.admirals import Staff
from strategic.open_campaign import OPEN_CAMPAIGN
from strategic.open_campaign.rules.world import chart, stock_world
from strategic.open_campaign.state import OnLane
from tactical.kernel.record import plain
from webapp.post import order_mails
from webapp.systems.open_campaign.dispatch import dispatch_lines

ISLE = {
    "type": "Feature",
    "properties": {"id": "isle", "name": "The Isle", "kind": "port", "rank": 90},
    "geometry": {"type": "Point", "coordinates": [27.5, 35.2]},
}
OVER_THE_SEA = {
    "type": "Feature",
    "properties": {"from": "rhodos", "to": "isle", "kind": "sea_lane"},
    "geometry": {"type": "LineString", "coordinates": [[28.23, 36.45], [27.5, 35.2]]},
}


def waters(*more: Any, **changes: Any) -> dict[str, Any]:
    """The war of Crete with an isle to which no lane leads, and what else is to be in its world."""
    world = copy.deepcopy(stock_world("crete"))
    return position(world={**world, "features": [*world["features"], ISLE, *more]}, **changes)


@pytest.fixture
def war(store, client):
    return War(store, client, "open_campaign", position=waters())


def give(war, command):
    return war.client.post(
        f"/api/v1/games/{war.id}/commands",
        json={"seen": war.version, "command": command},
        headers={"Authorization": f"Bearer {war.tokens[command['side']]}"},
    )


def dispatch_of(war, side, number=1):
    return war.client.get(f"/open/{war.id}/dispatch/{side}/{number}?seat={side}").text


@pytest.mark.parametrize("do", ["go", "patrol", "blockade", "scout"])
def test_o3_3_an_order_to_go_there_is_refused_with_the_places_name(war, do):
    refused = give(war, {**go("rhodes", "guard", "isle"), "do": do})
    assert refused.status_code == 422 and "No way by sea leads to The Isle." in refused.text
    assert not war.state.orders


@pytest.mark.parametrize("do", ["land", "raid", "besiege"])
def test_o3_3_o7_1_nor_may_a_fleet_land_there(store, client, do):
    war = War(store, client, "open_campaign", position=waters(options={"land": True}))
    refused = give(war, {**go("rhodes", "guard", "isle"), "do": do})
    assert refused.status_code == 422 and "No way by sea leads to The Isle." in refused.text
    assert give(war, {**go("rhodes", "guard", "telos"), "do": do}).status_code == 200


@pytest.mark.parametrize("do", ["escort", "join"])
def test_o3_3_nor_follow_a_fleet_that_lies_there(store, client, do):
    where = waters()
    where["fleets"]["escort"]["at"] = "isle"
    war = War(store, client, "open_campaign", position=where)
    refused = give(war, {**go("rhodes", "guard", "escort"), "do": do})
    assert refused.status_code == 422 and "No way by sea leads to the fleet" in refused.text
    offers = [each.fields for each in war.store.load(war.id).offers("rhodes") if each.type == "order"]
    assert not [each for each in offers if "escort" in each["do"]]
    assert give(war, go("rhodes", "escort", "isle")).status_code == 200, "it is there already"
    assert give(war, go("rhodes", "escort", "telos")).status_code == 422


def test_o3_3_a_fleet_between_two_places_is_offered_what_its_lane_leads_to(store, client):
    where = waters()
    lane = next(iter(chart("crete").lanes.values()))
    where["fleets"]["guard"]["at"] = {"lane": lane.id, "miles": 1}
    war = War(store, client, "open_campaign", position=where)
    assert war.state.fleets["guard"].at == OnLane(lane.id, 1)
    assert give(war, go("rhodes", "guard", "isle")).status_code == 422
    assert give(war, go("rhodes", "guard", "telos")).status_code == 200


def test_o3_3_it_is_not_offered_and_a_whole_world_is_as_before(war, store, client):
    goals = [
        each.fields["to"] for each in OPEN_CAMPAIGN.offers(war.state, "rhodes") if "go" in each.fields.get("do", ())
    ]
    assert goals == [list(chart("crete").spaces)] * 2
    page = war.client.get(f"/open/{war.id}/orders?seat=rhodes&fleet=guard").text
    assert '<option value="Telos">' in page and '<option value="The Isle">' not in page
    whole = War(store, client, "open_campaign", position=waters(OVER_THE_SEA))
    assert give(whole, go("rhodes", "guard", "isle")).status_code == 200
    page = whole.client.get(f"/open/{whole.id}/orders?seat=rhodes&fleet=guard").text
    assert '<option value="The Isle">' in page


def test_o3_3_the_page_says_so_for_a_tap_and_for_a_name_and_gives_no_order(war):
    for query in ("to=isle&do=go", "place=The+Isle"):
        page = war.client.get(f"/open/{war.id}/orders?seat=rhodes&fleet=guard&{query}").text
        assert "No way by sea leads to The Isle." in page
    form = {"csrf_token": war.csrf(), "seen": str(war.version), "turn": "1", "fleet": "guard", "do": "go", "to": "isle"}
    sent = war.client.post(f"/open/{war.id}/orders?seat=rhodes", data={**form, "act": "give", "stance": "accept"})
    assert sent.status_code == 422 and not war.state.orders


def test_o3_3_a_an_order_by_mail_is_answered_with_the_reason(war, store):
    order = SimpleNamespace(
        who=SimpleNamespace(seat="rhodes", game=war.id, charge=()), turn=1, text="Guard: go The Isle\nEscort: go Telos"
    )
    with war.client.application.test_request_context("/"):
        told = "\n".join(order_mails.give_lines(store, order))
    assert "not accepted: No way by sea leads to The Isle." in told and "understood as: Escort: Go Telos" in told
    assert set(war.state.orders["rhodes"]) == {"escort"}


@pytest.mark.parametrize("stands", [False, True])
def test_o11_1_a_way_that_is_lost_after_the_order_is_told_in_the_dispatch(store, client, stands):
    war = War(store, client, "open_campaign", position=waters(OVER_THE_SEA))
    play(war, go("rhodes", "guard", "isle", stands=stands))
    world = plain(war.state.world)
    without = [each for each in world["features"] if each["properties"].get("to") != "isle"]
    play(war, {"type": "adjust", "changes": {"world.features": without}, "why": "The straits are closed."})
    run_turn(war)
    text = dispatch_of(war, "rhodes")
    assert "Guard: Rhodos, as before." in text
    assert "No way by sea leads to The Isle: the fleet Guard waits." in text
    assert "No way by sea" not in dispatch_of(war, "cretans")
    with war.client.application.test_request_context("/"):
        view = war.page_view("rhodes")
        lines = dispatch_lines(
            view, view, view, [{"type": "ordered", "side": "rhodes", "fleet": "guard", "to": "isle"}], "rhodes", str
        )
    assert any("No way by sea leads to The Isle" in line for line in lines)
    if stands:
        run_turn(war)
        assert "No way by sea leads to The Isle" in dispatch_of(war, "rhodes", 2)


def test_o11_1_a_place_that_is_gone_is_no_goal_and_a_cancelled_order_is_none(store, client):
    war = War(store, client, "open_campaign", position=waters(OVER_THE_SEA))
    play(war, go("rhodes", "guard", "isle"), {"type": "cancel_order", "side": "rhodes", "fleet": "guard"})
    play(war, {"type": "adjust", "changes": {"world": stock_world("crete")}, "why": "The isle has sunk."})
    run_turn(war)
    assert "waits" not in dispatch_of(war, "rhodes")


def test_o4_2_in_winter_the_dispatch_says_that_the_way_leads_over_the_closed_sea(store, client):
    war = War(store, client, "open_campaign", position=waters(OVER_THE_SEA, date="-204-12-01"))
    run_turn(war, go("rhodes", "guard", "isle"), go("rhodes", "escort", "telos"))
    text = dispatch_of(war, "rhodes")
    assert "leads over the open sea, which is closed in winter" in text and "the fleet Guard waits" in text
    assert "the fleet Escort waits" not in text


def test_o3_3_admirals_of_the_computer_look_no_farther_than_their_ways_lead(war):
    view = war.page_view("rhodes")
    staff = Staff(view, chart(view["world"]), "rhodes")
    assert staff.miles("rhodos", "isle") is None and staff.miles("rhodos", "telos") is not None
