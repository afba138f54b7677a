"""O11.1: each side's dispatch after every turn, from what it sees and nothing else."""

import re

import pytest
from flask import Flask

from kit.open_war import go, play, position, run_turn
from kit.wars import War
from webapp.post.mail import turn as mail_of_turn
from webapp.post.people import Person
from webapp.storage.services import letters
from webapp.systems.messages import lines_of
from webapp.systems.open_campaign.dispatch import days
from webapp.systems.open_campaign.presenter import strip


def dispatch(war, seat, side=None, number=1):
    return war.client.get(f"/open/{war.id}/dispatch/{side or seat}/{number}?seat={seat}")


def test_o11_1_a_side_reads_after_the_turn_where_its_fleets_are_and_what_wants_an_order(war):
    run_turn(war, go("rhodes", "guard", "telos"))
    text = dispatch(war, "rhodes").text
    assert "The Dispatch of Rhodes" in text and "1 June 204 BC" in text
    assert "Guard: Rhodos, now" in text and "Escort: Rhodos, as before." in text
    assert "2 fleets have no order." in text and "Needs an order" in text
    play(war, go("rhodes", "guard", "rhodos"))
    assert "1 fleet has no order." in dispatch(war, "rhodes").text


def test_o11_1_as_many_sail_that_the_same_lookout_sees_off_the_same_place_are_told_once(war):
    view = war.page_view("rhodes")
    seen = {"type": "sighted", "rule": "O5.1", "side": "rhodes", "fleet": "rhodos", "of": "cretans", "space": "telos"}
    happened = [{**seen, "number": number, "day": day} for number, day in ((9, 1), (9, 4), (20, 5), (9, 7))]
    with war.client.application.test_request_context("/"):
        told = days(view, view, happened, "rhodes", lambda event: f"{event['number']} on {event['day']}")
        lines = [line for day in told for line in day.sentences]
    assert [line for line in lines if " on " in line] == ["9 on 1", "20 on 5"]


def test_o11_1_the_journal_tells_such_a_sighting_once_a_turn_too(war):
    seen = {"type": "sighted", "rule": "O5.1", "side": "rhodes", "fleet": "rhodos", "of": "cretans", "space": "telos"}
    first, same = ({**seen, "number": 9, "day": day} for day in (1, 4))
    with war.client.application.test_request_context("/"):
        told = set()
        assert len(lines_of("open_campaign", (first, same, {**same, "number": 20}), told)) == 2
        assert lines_of("open_campaign", (same,), told) == ()
        next_turn = {"type": "turn_begins", "rule": "O3.1", "turn": 2, "date": "-204-06-02"}
        assert [each.kind for each in lines_of("open_campaign", (next_turn, same), told)] == ["turn_begins", "sighted"]


def test_o11_1_before_the_first_turn_there_is_none_and_no_stranger_reads_one(war):
    assert "The first dispatch comes" in war.client.get(f"/open/{war.id}/dispatch?seat=rhodes").text
    assert dispatch(war, "rhodes").status_code == 404
    run_turn(war)
    assert war.client.get(f"/open/{war.id}/dispatch?seat=rhodes").location.startswith(
        f"/open/{war.id}/dispatch/rhodes/1"
    )
    assert dispatch(war, "cretans", "rhodes").status_code == 404
    assert dispatch(war, "spectator", "rhodes").status_code == 404
    assert dispatch(war, "umpire", "rhodes").status_code == 200
    assert dispatch(war, "rhodes", number=2).status_code == 404


def test_o3_7_a_dispatch_that_is_held_is_the_umpires_alone_until_he_sends_it(store, client):
    war = War(store, client, "open_campaign", position=position(options={"dispatches": "hold"}))
    run_turn(war, go("rhodes", "guard", "telos"))
    assert dispatch(war, "rhodes").status_code == 404
    held = dispatch(war, "umpire", "rhodes").text
    assert "does not see it yet" in held and "Guard: Rhodos, now" in held
    assert war.page_view("rhodes")["fleets"]["guard"]["at"] == "rhodos"
    letters.send(store, war.id, "umpire", "rhodes", "The weather <turns> after the fifteenth.")
    play(war, {"type": "send"})
    assert war.page_view("rhodes")["fleets"]["guard"]["at"] == "telos"
    sent = dispatch(war, "rhodes").text
    assert "The weather &lt;turns&gt; after the fifteenth." in sent and "Guard: Rhodos, now" in sent
    assert "The weather" not in dispatch(war, "cretans").text


@pytest.mark.parametrize(
    "hidden",
    [
        {"at": "chersonasos"},
        {"name": "Nobody", "admiral": "Nobody", "seamanship": 2},
        {"ships": ["lasthenes-1"]},
    ],
)
def test_o5_2_no_byte_of_a_dispatch_differs_with_what_the_side_has_not_seen(store, client, hidden):
    texts = []
    for changed in ({}, hidden):
        where = position()
        where["fleets"]["lasthenes"] |= changed
        where["ships"] = {
            id: ship
            for id, ship in where["ships"].items()
            if any(id in each["ships"] for each in where["fleets"].values())
        }
        war = War(store, client, "open_campaign", position=where)
        run_turn(war, go("cretans", "lasthenes", "hierapytna"), go("rhodes", "guard", "telos"))
        text = dispatch(war, "rhodes").text.replace(war.id, "CODE")
        texts.append(re.sub(r'(csrf[-_]token"[^>]*?(content|value)=")[^"]+', r"\1", text))
    assert texts[0] == texts[1]


def test_o11_1_what_was_seen_stands_with_its_age_and_others_do_not_read_it(store, client):
    seen = {"side": "cretans", "number": 30, "near": "telos", "lon": 27.4, "lat": 36.4, "turn": 1, "day": 0}
    war = War(store, client, "open_campaign", position=position(known={"rhodes": [seen]}))
    run_turn(war)
    text = dispatch(war, "rhodes").text
    assert "Cretans: about 30 sail" in text and "yesterday, off Telos" in text
    assert "about 30 sail" not in dispatch(war, "cretans").text


def test_o11_1_the_mail_of_the_turn_is_the_dispatch(war, app):
    run_turn(war, go("rhodes", "guard", "telos"))
    who = Person(1, war.id, "rhodes", "Anna", "", "player", "", "en", "at_once", "http://here", "", "", "", "")
    with app.test_request_context():
        _subject, text = mail_of_turn(war.store, war.store.load(war.id), who, None, 0)
    assert "Dispatch 1 of Rhodes, 1 June 204 BC" in text
    assert "Guard: Rhodos, now" in text and "Needs an order: Escort, Guard" in text
    assert "Lasthenes" not in text


def test_o1_2_the_map_of_a_dispatch_names_where_its_places_come_from(war):
    run_turn(war)
    assert "ORBIS (Stanford), Pleiades (CC BY)" in dispatch(war, "rhodes").text


def test_o3_6_the_turn_on_the_map_has_its_date_in_words(app: Flask) -> None:
    with app.test_request_context("/"):
        assert strip({"turn": 1, "turns": 20, "date": "-413-05-01"}).turn == "1 of 20: 1 May 413 BC"


def test_o6_3_the_register_of_ships_reads_prizes_that_are_only_counted(store, client):
    taken = {f"taken-{number}": {"side": "cretans", "type": "bireme"} for number in range(40)}
    for ship in taken.values():
        ship |= {"status": "captured", "captured_by": "rhodes", "prize": 1}
    whole = position(turn=2)
    war = War(store, client, "open_campaign", position=whole | {"ships": whole["ships"] | taken})
    run_turn(war)
    assert "prizes afloat" in war.page("umpire", "log").text
    assert war.page("umpire", "register").status_code == 200
