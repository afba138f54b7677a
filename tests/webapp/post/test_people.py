"""Several people in one seat: links of their own, deputies, absences; addresses are for the seat and the umpire."""

from __future__ import annotations

import re
from datetime import date
from typing import Any

import pytest
from flask import Flask

from kit.by_post import Box, Group
from tactical.kernel.record import BadInput
from webapp.post.people import address_book, in_charge, people, read_list
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


def test_a_call_for_a_substitute_stands_on_the_page_and_is_answered_by_asking_for_the_seat(
    app: Flask, group: Group, postman: Postman, box: tuple[Box, str]
):
    group.put_in("rome", "Ada", "ada@club.example")
    group.put_in("carthage", "Hanno", "hanno@club.example")
    assert group.ask("POST", "rome", "/seats/rome/wanted").status_code == 403
    assert group.ask("POST", "umpire", "/seats/rome/wanted").status_code == 200
    postman.round([group.id])
    assert not any("substitute" in subject for subject in box[0].to("ada@club.example")), "she knows of it"
    assert f"https://galleys.example/g/{group.id}/ask" in box[0].text("hanno@club.example")
    client = app.test_client()
    client.get(f"/join/{group.tokens['carthage']}")
    page = client.get(f"/g/{group.id}/group").text
    assert "A substitute is wanted for Rome." in page and f'href="/g/{group.id}/ask"' in page
    assert group.ask("GET", "carthage", "/people").json["wanted"] == ["rome"]
    asked = group.ask("POST", "carthage", "/requests", {"seat": "rome", "name": "Hanno"}).json
    assert group.ask("POST", "umpire", f"/requests/{asked['id']}", {"yes": True}).status_code == 200
    assert group.ask("GET", "carthage", "/people").json["wanted"] == []
    group.ask("POST", "umpire", "/seats/rome/wanted")
    assert group.ask("DELETE", "carthage", "/seats/rome/wanted").status_code == 403
    assert group.ask("DELETE", "umpire", "/seats/rome/wanted").status_code == 200
    assert "A substitute is wanted" not in client.get(f"/g/{group.id}/group").text


SIDES = {"rome": "rome", "carthage": "carthage", "rhodes": "rhodes"}


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("Anna Rossi", [("Anna Rossi", "", "")]),
        ("Anna  Rossi ,  anna@club.example", [("Anna Rossi", "anna@club.example", "")]),
        ("Anna Rossi\tanna@club.example", [("Anna Rossi", "anna@club.example", "")]),
        ('"Anna" <anna@club.example>;', [("Anna", "anna@club.example", "")]),
        ("1. Anna\n2) Bruno\n• Carla\n- Dino", [(name, "", "") for name in ("Anna", "Bruno", "Carla", "Dino")]),
        (
            '"Rossi, Anna" <anna@club.example>, Bruno <b@c.example>',
            [("Rossi, Anna", "anna@club.example", ""), ("Bruno", "b@c.example", "")],
        ),
        ("anna@club.example Anna", [("Anna", "anna@club.example", "")]),
        (
            "Rhodes: Anna\n\n\ncarthage : Hanno, h@x.example\n",
            [("Anna", "", "rhodes"), ("Hanno", "h@x.example", "carthage")],
        ),
    ],
)
def test_a_list_is_read_as_people_paste_it(text: str, found: list[tuple[str, str, str]]):
    assert [(each.name, each.address, each.seat) for each in read_list(text, SIDES)] == found


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("Anna\nanna@club.example", "line 2: write a name"),
        ("Anna\nBruno, b@c.example, d@e.example", "line 2: write a name"),
        ("x" * 61, "line 1: write a name"),
        ("Anna\nSparta: Bruno", "line 2: there is no seat called Sparta"),
        ("Anna\n" * 41, "at most 40 people"),
    ],
)
def test_a_list_that_cannot_be_read_is_refused_by_its_line(text: str, said: str):
    with pytest.raises(BadInput, match=said):
        read_list(text, SIDES)


def umpires_page(app: Flask, group: Group) -> tuple[Any, str]:
    """The umpire's browser, and its token for forms."""
    client = app.test_client()
    client.get(f"/join/{group.tokens['umpire']}")
    found = re.search(r'name="csrf-token" content="([^"]+)"', client.get(f"/g/{group.id}/group").text)
    assert found
    return client, found[1]


def test_a_pasted_list_fills_the_seats_of_a_game_or_changes_nothing(app: Flask, group: Group):
    client, token = umpires_page(app, group)
    url = f"/g/{group.id}/group/list"
    for text, said in (
        ("Anna\nBruno\nCarla", "more people than free seats"),
        ("Sparta: Anna", "no seat called Sparta"),
    ):
        refused = client.post(url, data={"csrf_token": token, "list": text})
        assert (
            refused.status_code == 422
            and said in refused.text
            and people(app.extensions["navarch"].store, group.id) == ()
        )
    made = client.post(url, data={"csrf_token": token, "list": "Anna\nRome: Bruno, bruno@club.example"})
    assert made.status_code == 200 and len(set(re.findall(r"/join/[\w-]+", made.text))) == 2
    assert {who.name: who.seat for who in people(app.extensions["navarch"].store, group.id)} == {
        "Anna": "carthage",
        "Bruno": "rome",
    }


ELSEWHERE = {"REMOTE_ADDR": "203.0.113.9"}


def test_the_address_book_is_the_organizers_alone(app: Flask, group: Group):
    client, token = umpires_page(app, group)
    written = {"csrf_token": token, "list": "Zeno, zeno@club.example\nAnna, anna@club.example"}
    assert client.post("/organizer/book", data=written).status_code == 303
    assert [each.name for each in address_book(app.extensions["navarch"].store)] == ["Anna", "Zeno"]
    client.post("/organizer/book", data={**written, "list": "zeno, z@other.example"})
    zeno = address_book(app.extensions["navarch"].store)[1]
    assert zeno.address == "z@other.example", "a name stands there once"
    for path in ("/organizer", f"/g/{group.id}/group"):
        assert "z@other.example" in client.get(path).text
        assert "z@other.example" not in client.get(path, environ_base=ELSEWHERE).text, "an umpire is no organizer"
    others = client.post("/organizer/book", data={**written, "list": "Mago"}, environ_base=ELSEWHERE)
    assert others.status_code == 403
    client.post(f"/g/{group.id}/group/list", data={"csrf_token": token, "book": str(zeno.id)}, environ_base=ELSEWHERE)
    assert people(app.extensions["navarch"].store, group.id) == ()
    client.post(f"/g/{group.id}/group/list", data={"csrf_token": token, "book": str(zeno.id)})
    assert [who.address for who in people(app.extensions["navarch"].store, group.id)] == ["z@other.example"]
    client.post("/organizer/book", data={"csrf_token": token, "strike": str(zeno.id)})
    assert [each.name for each in address_book(app.extensions["navarch"].store)] == ["Anna"]
