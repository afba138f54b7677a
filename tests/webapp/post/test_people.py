"""Several people in one seat: links of their own, deputies, absences; addresses are for the seat and the umpire."""

from __future__ import annotations

from datetime import date

from flask import Flask

from kit.by_post import Box, Group
from webapp.post.people import in_charge, people
from webapp.post.postman import Postman


def test_each_person_has_a_link_of_his_own_which_ends_when_he_leaves(group: Group):
    first, second = group.put_in("rome", "Ada"), group.put_in("rome", "Bea", duty="admiral of the western fleet")
    tokens = [each["link"].rsplit("/", 1)[1] for each in (first, second)]
    assert len({*tokens, group.tokens["rome"]}) == 3
    for token in tokens:
        assert group.ask("GET", "", "", token=token).json["seat"] == "rome"
    assert group.ask("DELETE", "umpire", f"/people/{second['id']}").status_code == 200
    assert group.ask("GET", "", "", token=tokens[1]).status_code == 401
    assert group.ask("GET", "", "", token=tokens[0]).status_code == 200


def test_a_new_link_ends_the_old_one(group: Group):
    who = group.put_in("rome", "Ada")
    old = who["link"].rsplit("/", 1)[1]
    fresh = group.ask("POST", "umpire", f"/people/{who['id']}/link").json["link"].rsplit("/", 1)[1]
    assert group.ask("GET", "", "", token=old).status_code == 401
    assert group.ask("GET", "", "", token=fresh).json["seat"] == "rome"


def test_an_address_is_shown_to_its_seat_and_to_the_umpire_alone(group: Group):
    group.put_in("rome", "Ada", "ada@rome.example")
    for seat, sees in (("rome", True), ("umpire", True), ("carthage", False), ("spectator", False)):
        answer = group.ask("GET", seat, "/people")
        assert answer.json["people"][0]["name"] == "Ada"
        assert ("ada@rome.example" in answer.text) is sees, seat


def test_only_the_umpire_invites_and_a_seat_speaks_for_itself(group: Group):
    who = group.put_in("rome", "Ada", "ada@rome.example")
    invitation = {"seat": "rome", "name": "Eve"}
    assert group.ask("POST", "rome", "/people", invitation).status_code == 403
    assert group.ask("PATCH", "carthage", f"/people/{who['id']}", {"mails": "never"}).status_code == 403
    assert group.ask("PATCH", "spectator", f"/people/{who['id']}", {"mails": "never"}).status_code == 403
    assert group.ask("PATCH", "rome", f"/people/{who['id']}", {"mails": "never"}).json["mails"] == "never"


def test_bad_people_are_refused_by_the_name_of_the_field(group: Group):
    who = group.put_in("rome", "Ada")
    for body, field in (
        ({"seat": "nowhere", "name": "A"}, "seat"),
        ({"seat": "spectator", "name": "A"}, "seat"),
        ({"seat": "rome", "name": " "}, "name"),
        ({"seat": "rome", "name": "A", "address": "a b@c"}, "address"),
        ({"seat": "rome", "name": "A", "address": "a@b\nBcc: all@c"}, "address"),
        ({"seat": "rome", "name": "A", "role": "king"}, "role"),
    ):
        answer = group.ask("POST", "umpire", "/people", body)
        assert answer.status_code == 400 and answer.json["detail"]["path"] == field, answer.text
    for body, field in (
        ({"mails": "often"}, "mails"),
        ({"away_from": "soon"}, "away_from"),
        ({"away_from": "2026-12-09", "away_until": "2026-12-01"}, "away_until"),
        ({"away_from": "2026-12-01"}, "away_until"),
    ):
        answer = group.ask("PATCH", "umpire", f"/people/{who['id']}", body)
        assert answer.status_code == 400 and answer.json["detail"]["path"] == field, answer.text
    assert len(group.ask("GET", "umpire", "/people").json["people"]) == 1


def test_a_deputy_is_in_charge_while_every_player_is_away(app: Flask, group: Group):
    ada = group.put_in("rome", "Ada")
    group.put_in("rome", "Dan", role="deputy")
    away = {"away_from": "2026-12-01", "away_until": "2026-12-10"}
    assert group.ask("PATCH", "rome", f"/people/{ada['id']}", away).status_code == 200
    those = people(app.extensions["navarch"].store, group.id)
    assert [who.name for who in in_charge(those, "rome", date(2026, 11, 30))] == ["Ada"]
    assert [who.name for who in in_charge(those, "rome", date(2026, 12, 10))] == ["Dan"]
    assert [who.name for who in in_charge(those, "rome", date(2026, 12, 11))] == ["Ada"]


def test_an_invitation_is_mailed_with_the_link_and_a_way_to_end_mail(
    postman: Postman, group: Group, box: tuple[Box, str]
):
    who = group.invite("rome", "Ada", "ada@rome.example")
    postman.round([group.id])
    assert any(who["link"] in str(mail.get_content()) for mail in box[0].mails)
    assert who["link"].startswith("https://galleys.example/join/")
    mail = box[0].mails[0]
    assert mail["From"] == "Navarch <navarch@club.example>"
    stop = str(mail["List-Unsubscribe"]).strip(" <>").removeprefix("https://galleys.example")
    assert "Stop mail from this game?" in group.client.get(stop).text
    assert group.ask("GET", "rome", "/people").json["people"][0]["mails"] == "at_once", "looking ends nothing"
    assert group.client.post(stop).status_code == 200, "a mail program asks so by itself, at its reader's wish"
    told = group.ask("GET", "rome", "/people").json["people"][0]
    assert (told["mails"], told["consent"]) == ("never", "no")


def test_people_go_with_their_game(app: Flask, group: Group):
    group.put_in("rome", "Ada", "ada@rome.example")
    store = app.extensions["navarch"].store
    store.delete(group.id)
    assert people(store, group.id) == ()
    assert store.file.rows("select * from outbox where game = ?", group.id) == []


def test_a_mail_that_tells_only_the_last_lines_says_so_and_leads_to_the_rest(
    app: Flask, postman: Postman, group: Group, box: tuple[Box, str]
):
    asked = group.state()["waiting_for"][0]
    for units in range(20):
        changes = {"spaces.rome.rome.units": 3 + units % 2}
        group.command("umpire", {"type": "adjust", "changes": changes, "why": f"time {units}"})
    group.put_in(asked, "Ada", "ada@club.example")
    postman.round([group.id])
    text = box[0].text("ada@club.example")
    assert "time 19" in text and "time 4)" not in text
    assert f"The last 15 of 20 lines; all of them: https://galleys.example/campaign/{group.id}/replay/1?seat=" in text
