"""O3.4, O3.7: the umpire's desk, its answers in the line, and whom it is for."""

import io
import json

import pytest
import shapely

from kit.insistence import insist
from kit.open_war import go, play, position
from kit.wars import War
from tactical.kernel.record import encode
from webapp import create_app
from webapp.captains import seats
from webapp.post.deadlines import last_dispatch
from webapp.storage.journal.store import Store, all_systems, battles_of
from webapp.storage.journal.transfer import export, import_


@pytest.fixture
def met(tmp_path):
    """A war in which Rhodes has met the Cretans, and nothing small is settled without asking; every die shows its most."""
    store = Store(tmp_path / "met.db", all_systems(), lambda sides: sides)
    where = position(options={"small_battles": False})
    where["fleets"]["lasthenes"]["at"] = where["fleets"]["guard"]["at"] = "telos"
    with create_app({"STORE": store, "TESTING": True}).test_client() as client:
        war = War(store, client, "open_campaign", position=where)
        stay = {"type": "order", "do": "stay", "stance": "seek"}
        play(war, {**stay, "side": "rhodes", "fleet": "guard"}, {**stay, "side": "cretans", "fleet": "lasthenes"})
        play(war, {"type": "run"})
        yield war


def desk(war, seat="umpire", query=""):
    return war.client.get(f"/open/{war.id}/desk?seat={seat}{query}")


def act(war, what, **form):
    form = {"csrf_token": war.csrf(), "seen": str(war.version), "act": what, **form}
    return war.client.post(f"/open/{war.id}/desk?seat=umpire", data=form)


def test_o3_7_the_desk_is_the_umpires_alone(war):
    assert desk(war).status_code == 200
    assert [desk(war, seat).status_code for seat in ("rhodes", "spectator")] == [404, 404]
    form = {"csrf_token": war.csrf(), "act": "run", "seen": "0"}
    assert war.client.post(f"/open/{war.id}/desk?seat=rhodes", data=form).status_code == 404


def test_o3_4_a_free_order_is_answered_in_its_line(war):
    play(war, {"type": "write", "side": "rhodes", "text": "Send <b>the pilot</b> ashore."})
    assert "Send &lt;b&gt;the pilot&lt;/b&gt; ashore." in desk(war).text
    act(war, "answer", side="rhodes", number="0", quick="yes")
    assert war.state.letters["rhodes"][0].answer == "Yes." and "A free order" not in desk(war).text
    play(war, {"type": "write", "side": "rhodes", "text": "And count."})
    act(war, "answer", side="rhodes", number="1", text="Thirty.")
    assert war.state.letters["rhodes"][1].answer == "Thirty."
    assert act(war, "answer", side="rhodes", number="1").status_code == 422


def test_o3_4_the_turn_waits_for_a_letter_by_a_button_and_others_read_only_that_it_waits_for_the_umpire(war):
    play(war, {"type": "write", "side": "rhodes", "text": "Send the pilot ashore."})
    act(war, "wait", side="rhodes", number="0")
    assert "The turn does not run by itself until you answer." in desk(war).text
    assert "Wait for this" not in desk(war).text
    for side in ("rhodes", "cretans"):
        play(war, {"type": "ready", "side": side})
    assert war.state.turn == 1
    text = war.client.get(f"/open/{war.id}/orders?seat=cretans").text
    assert "must let the turn run" in text and "free order to" in text and "pilot" not in text
    act(war, "answer", side="rhodes", number="0", quick="yes")
    assert war.state.turn == 2


def test_o3_7_run_and_hold_waits_for_the_umpires_word_and_run_does_not(war):
    assert "No orders: Rhodes" in desk(war).text
    act(war, "stand", side="rhodes")
    assert war.state.ready["rhodes"] and "No orders: Rhodes" not in desk(war).text
    act(war, "run_and_hold")
    assert war.state.step == "held" and "You hold turn 1" in desk(war).text
    act(war, "send")
    assert war.state.turn == 2


def test_o3_7_a_turn_is_taken_back_until_it_is_sent(war):
    play(war, go("rhodes", "guard", "telos"))
    assert "Take the turn back" not in desk(war).text and act(war, "take_back").status_code == 422
    act(war, "run_and_hold")
    assert war.state.fleets["guard"].at != "rhodos" and "Take the turn back" in desk(war).text
    act(war, "take_back")
    assert war.state.step == "orders" and war.state.fleets["guard"].at == "rhodos"
    assert war.state.orders["rhodes"]["guard"].to == "telos"
    act(war, "run_and_hold")
    act(war, "send")
    assert "Take the turn back" not in desk(war).text and act(war, "take_back").status_code == 422


def test_o11_1_the_umpires_paragraph_is_read_with_the_dispatch_and_not_before(war):
    act(war, "run_and_hold")
    act(war, "add", side="rhodes", text="The <b>weather</b> turns.")
    addresses = [
        f"/g/{war.id}/letters?seat=rhodes",
        f"/open/{war.id}/dispatch/rhodes/1?seat=rhodes",
        f"/g/{war.id}?seat=rhodes",
    ]
    assert not any("weather" in war.client.get(each).text for each in addresses)
    assert (
        "The &lt;b&gt;weather&lt;/b&gt; turns." in war.client.get(f"/open/{war.id}/dispatch/rhodes/1?seat=umpire").text
    )
    act(war, "send")
    assert "The &lt;b&gt;weather&lt;/b&gt; turns." in war.client.get(addresses[1]).text
    assert "The <b>weather</b> turns." in last_dispatch(war.store, war.store.load(war.id), "rhodes")
    assert "weather" not in war.client.get(f"/open/{war.id}/dispatch/cretans/1?seat=cretans").text
    assert act(war, "add", side="rhodes", text="x" * 1201).status_code == 422
    assert act(war, "add", side="nobody", text="x").status_code == 422


def test_o3_7_by_hand_the_umpire_moves_the_fleets_and_the_program_keeps_the_books(war):
    text = desk(war, query="&fleet=lasthenes&to=telos").text
    assert "Lasthenes to Telos (moved by the umpire)" in text
    act(war, "move", fleet="lasthenes", to="telos", why="A fisherman has led them.")
    assert war.state.fleets["lasthenes"].at == "telos"
    assert act(war, "move", fleet="lasthenes", to="nowhere").status_code == 422
    play(war, go("rhodes", "guard", "telos"))
    act(war, "by_hand")
    assert war.state.step == "held" and war.state.fleets["guard"].at == "rhodos"


def test_o3_7_day_by_day_the_umpire_looks_at_each_day_and_lets_the_next_one_run(store, client):
    war = War(store, client, "open_campaign", position=position(turn_length="week"))
    play(war, go("rhodes", "guard", "kydonia", stance="avoid"))
    act(war, "by_days")
    assert (war.state.step, war.state.day) == ("day", 2)
    first = war.state.fleets["guard"].at
    text = desk(war).text
    assert "Day 1 has been run" in text and "Run day 2" in text and "Take the turn back" in text
    assert war.client.get(f"/open/{war.id}/dispatch/rhodes/1?seat=rhodes").status_code == 404
    act(war, "next_day")
    assert (war.state.step, war.state.day) == ("day", 3) and war.state.fleets["guard"].at != first
    act(war, "move", fleet="lasthenes", to="telos", why="A fisherman has led them.")
    assert war.state.fleets["lasthenes"].at == "telos" and war.state.step == "day"
    act(war, "to_the_end")
    assert war.state.step == "held" and war.state.fleets["guard"].at != "rhodos"
    act(war, "send")
    assert war.state.turn == 2


def test_k6_what_a_side_believes_is_joined_to_the_truth_for_the_umpire_alone(war):
    assert 'class="truth' not in desk(war).text
    text = desk(war, query="&as=rhodes").text
    assert 'class="truth' in text and "Lasthenes 6" in text
    assert "Lasthenes" not in war.client.get(f"/open/{war.id}/orders?seat=rhodes").text


def test_o6_1_captains_fight_a_meeting_and_its_outcome_goes_home(met):
    assert ">Captains</button>" in desk(met).text
    act(met, "settle", engagement=met.state.engagement.id, way="captains")
    (link,) = battles_of(met.store, met.id)
    held = seats.held_in(met.store, link.battle)
    assert {each.seat for each in held} == set(met.store.load(link.battle).sides) == {"rhodes", "cretans"}
    assert act(met, "enter").status_code == 422 and "Enter its outcome" not in desk(met).text
    for side in held:
        insist(met.store, link.battle, side.seat, {"type": "agree", "side": side.seat})
    assert "Enter its outcome" in desk(met).text
    act(met, "enter")
    assert met.state.engagement is None and met.state.settled


@pytest.mark.parametrize(("way", "step"), [("dice", "orders"), ("table", "engagement")])
def test_o6_1_a_meeting_is_settled_by_one_tap(met, way, step):
    assert "A battle off" in desk(met).text
    act(met, "settle", engagement=met.state.engagement.id, way=way)
    assert met.state.step == step
    if way == "table":
        assert met.state.engagement.opened and "Go to the battle" in desk(met).text


def test_o5_2_the_chart_shows_the_truth_or_what_a_side_knows(war):
    assert "Lasthenes" in desk(war).text
    text = desk(war, query="&as=rhodes").text
    assert ">Lasthenes</text>" not in text and ">Guard</text>" in text


def test_a_form_that_says_nothing_or_comes_late_is_refused(war):
    assert act(war, "dance").status_code == 422
    play(war, go("rhodes", "guard", "telos"))
    assert act(war, "run", seen="0").status_code == 409


def test_o1_1_the_world_is_taken_out_as_geojson(war):
    answer = war.client.get(f"/open/{war.id}/world.geojson?seat=rhodes")
    assert answer.mimetype == "application/geo+json" and answer.json["type"] == "FeatureCollection"
    assert "ORBIS" in str(answer.json["about"])
    assert len(shapely.from_geojson(answer.text).geoms) == len(answer.json["features"])  # as another program reads it


def put_back(war, world, seat="umpire", why="A port has silted up."):
    form = {"csrf_token": war.csrf(), "seen": str(war.version), "why": why}
    form["file"] = (io.BytesIO(json.dumps(world).encode()), "world.geojson")
    return war.client.post(f"/open/{war.id}/world?seat={seat}", data=form, content_type="multipart/form-data")


def test_o1_3_the_umpire_puts_an_edited_world_back_with_a_reason(war):
    world = war.client.get(f"/open/{war.id}/world.geojson?seat=umpire").json
    port = next(each for each in world["features"] if each["properties"].get("id") == "telos")
    port["properties"]["name"] = "New Telos"
    assert f'action="/open/{war.id}/world?seat=umpire"' in desk(war).text
    assert put_back(war, world, "rhodes").status_code == 404
    assert put_back(war, world, why=" ").status_code == 422
    assert put_back(war, [1]).status_code == 422
    assert put_back(war, {**world, "features": world["features"][:1]}).status_code == 422, "fleets stand nowhere"
    assert put_back(war, world).status_code == 303
    again = war.client.get(f"/open/{war.id}/world.geojson?seat=rhodes").json
    assert again["features"] == world["features"]
    assert "New Telos" in war.client.get(f"/open/{war.id}/orders?seat=rhodes&fleet=guard&to=telos").text


def test_o3_7_what_a_held_turn_told_comes_back_from_the_file_of_a_campaign(store, client):
    where = position(options={"dispatches": "hold"})
    where["fleets"]["lasthenes"]["at"] = where["fleets"]["guard"]["at"] = "telos"
    where["fleets"]["lasthenes"] |= {"provisions": 0}
    war = War(store, client, "open_campaign", position=where)
    play(war, {"type": "run"}, {"type": "send"})
    told = [each.events for each in war.store.entries(war.id)]
    assert any(each.again is True for events in told for each in events)
    game, _ = import_(war.store, json.loads(encode(export(war.store, war.id))))
    assert [each.events for each in war.store.entries(game.id)] == told


def test_o9_1_goals_are_set_and_removed_at_the_desk_and_read_by_the_side_whose_they_are(war):
    act(war, "set_goal", side="cretans", kind="port", space="Rhodos", points="15", by="4")
    act(war, "set_goal", side="rhodes", kind="taken", points="2")
    assert "Rhodos held: 15 points, at the end of turn 4" in desk(war).text
    mine, theirs = (war.client.get(f"/open/{war.id}/lists?seat={seat}").text for seat in ("rhodes", "cretans"))
    assert "Each ship captured: 2 points, at the end of the campaign" in mine and "Rhodos held" not in mine
    assert "Rhodos held: 15 points" in theirs and "Each ship captured" not in theirs
    assert act(war, "drop_goal", number="0").status_code == 303
    assert [goal.what for goal in war.state.goals] == ["taken"]


@pytest.mark.parametrize(
    ("what", "form", "said"),
    [
        ("set_goal", {"side": "cretans", "kind": "port", "space": "Atlantis", "points": "5"}, "choose a side, a place"),
        ("set_goal", {"side": "cretans", "kind": "port", "space": "Rhodos", "points": "1000"}, "1 to 999 points"),
        ("set_goal", {"side": "rome", "kind": "port", "space": "Rhodos", "points": "5"}, "choose a side, a place"),
        ("drop_goal", {"number": "3"}, "there is no such goal"),
    ],
)
def test_o9_1_what_is_not_a_goal_is_refused(war, what, form, said):
    assert said in act(war, what, **form).text and not war.state.goals


def test_o9_1_a_side_reads_its_points_if_the_war_stopped_now(war):
    play(war, {"type": "run"})
    own = war.store.load(war.id).view("rhodes")["stopped_now"]["rhodes"]
    assert f"If it ended now: {own} points" in war.client.get(f"/open/{war.id}/lists?seat=rhodes").text
    assert (
        f"Our points, if it ended now: {own}"
        in war.client.get(f"/open/{war.id}/dispatch?seat=rhodes", follow_redirects=True).text
    )
