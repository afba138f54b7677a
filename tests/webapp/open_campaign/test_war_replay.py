"""O9.1: a war that is over is everybody's, turn by turn; the umpire may end it by his word."""

import re

import pytest

from kit.open_war import go, position, run_turn
from kit.wars import War
from strategic.open_campaign import OPEN_CAMPAIGN
from webapp.pages.open_campaign.war_replay import mornings
from webapp.storage.services import letters


@pytest.fixture
def short(store, client):
    return War(store, client, "open_campaign", position=position(turns=2))


def page(war, query="", seat="spectator"):
    shown = war.client.get(f"/open/{war.id}/replay?seat={seat}{query}").text
    return re.sub(r'<meta name="csrf-token"[^>]*>', "", shown)  # it tells the second in which it was made


def judge(war, **form):
    form = {"csrf_token": war.csrf(), "seen": str(war.version), "act": "judge", **form}
    return war.client.post(f"/open/{war.id}/desk?seat=umpire", data=form)


def test_o9_1_before_the_end_nobody_watches_the_war(short):
    for seat in ("spectator", "rhodes", "umpire"):
        assert "when it is over" in page(short, seat=seat) and "Lasthenes" not in page(short, seat=seat)


def test_o9_1_after_the_end_each_turn_is_shown_beside_what_a_side_believed(short):
    run_turn(short, go("rhodes", "guard", "telos"))
    run_turn(short)
    assert short.state.result is not None
    assert ">Lasthenes</text>" in page(short) and 'max="3"' in page(short)
    believed = page(short, "&turn=2&as=rhodes")
    assert ">Lasthenes</text>" not in believed and 'class="truth' in believed and ">Guard</text>" in believed
    assert page(short, "&turn=1") != page(short, "&turn=2") and page(short, "&turn=99") == page(short, "&turn=3")
    assert f"/open/{short.id}/replay" in short.page("spectator").text


def test_o9_1_named_marks_lead_to_the_turns_in_which_they_lie(short):
    run_turn(short, go("rhodes", "guard", "telos"))
    ordered = short.version
    run_turn(short)
    for entry, name in ((1, "The first sail"), (ordered + 1, "The last hope"), (short.version, "The end")):
        letters.set_mark(short.store, short.id, "rhodes", entry, name, "all")
    shown = page(short, "&turn=2")
    led = re.findall(r'href="[^"]*turn=(\d)[^"]*"[^>]*>\s*<svg class="flag".*?</svg> ([^<]+)</a>', shown)
    assert led == [("1", "The first sail"), ("2", "The last hope"), ("2", "The end")]
    assert 'id="set-mark"' in page(short, "&turn=1", "rhodes") and 'id="set-mark"' not in shown


def test_o9_1_a_turn_is_shown_day_by_day(store, client):
    war = War(store, client, "open_campaign", position=position(turns=1, turn_length="week"))
    run_turn(war, go("rhodes", "guard", "kydonia", stance="avoid"))
    assert war.state.result is not None
    days = [page(war, f"&turn=1&day={day}") for day in range(1, 4)]
    lies = [
        re.search(r"Guard</text>.*?</g>|M([\d.]+ [\d.]+)L[^>]*>\s*<rect[^>]*>.*?>Guard<", each, re.S)[0]
        for each in days
    ]
    assert len(set(lies)) > 1, "the fleet sails from day to day"
    assert "Day 2 of 7" in days[1] and page(war, "&turn=1&day=99") == page(war, "&turn=1&day=7")
    assert "Day 1" not in page(war, "&turn=2"), "the end has no days"
    found = mornings(OPEN_CAMPAIGN, store.table_after(war.id, 0).state, store.entries(war.id, 0))
    assert sorted(found) == list(range(1, 8)) and found[1].fleets["guard"].at == "rhodos"
    assert len({str(found[day].fleets["guard"].at) for day in found}) > 1


def test_o9_1_the_umpire_ends_it_by_his_word_when_he_has_said_that_he_is_sure(short):
    assert judge(short, winner="rhodes").status_code == 422 and short.state.result is None
    judge(short, winner="rhodes", sure="1")
    assert short.state.result.winner == "rhodes"
    assert "Watch the whole war" in short.client.get(f"/open/{short.id}/desk?seat=umpire").text


def test_o1_4_the_umpire_gives_a_fleet_to_another_side(short):
    form = {"csrf_token": short.csrf(), "seen": str(short.version), "act": "assign", "fleet": "escort", "to": "cretans"}
    short.client.post(f"/open/{short.id}/desk?seat=umpire", data=form)
    assert short.state.fleets["escort"].side == "cretans"
