"""Letters between seats: read by those to whom they are written, by nobody else."""

from __future__ import annotations

from flask import Flask

from kit.by_post import Box, Group
from webapp.post.postman import Postman


def test_a_letter_is_read_by_its_writer_and_its_reader_alone(group: Group):
    sent = group.ask("POST", "rome", "/letters", {"to": "carthage", "text": "Shall we share Sicily?"})
    assert sent.status_code == 201
    for seat, sees in (("rome", 1), ("carthage", 1), ("umpire", 0), ("spectator", 0)):
        answer = group.ask("GET", seat, "/letters").json
        assert len(answer["letters"]) == sees, seat
    assert group.ask("GET", "carthage", "/letters").json["unread"] == 1
    assert group.ask("GET", "rome", "/letters").json["unread"] == 0


def test_what_is_written_to_all_is_read_by_all(group: Group):
    group.ask("POST", "umpire", "/letters", {"to": "all", "text": "We play on Friday."})
    for seat in ("rome", "carthage", "umpire", "spectator"):
        assert group.ask("GET", seat, "/letters").json["letters"][0]["text"] == "We play on Friday."


def test_letters_to_nobody_empty_ones_and_a_spectators_are_refused(group: Group):
    for body, field in (
        ({"to": "gauls", "text": "x"}, "to"),
        ({"to": "rome", "text": "x"}, "to"),
        ({"to": "all", "text": " "}, "text"),
    ):
        answer = group.ask("POST", "rome", "/letters", body)
        assert answer.status_code == 400 and answer.json["detail"]["path"] == field
    assert group.ask("POST", "spectator", "/letters", {"to": "all", "text": "x"}).status_code == 403
    assert group.ask("POST", "rome", "/letters", {"to": "all", "text": "x" * 4001}).status_code == 400


def test_a_letter_that_is_sent_twice_by_one_key_arrives_once(group: Group):
    letter = {"to": "carthage", "text": "Shall we share Sicily?", "key": "a"}
    first, again = (group.ask("POST", "rome", "/letters", letter) for _each in range(2))
    assert first.status_code == again.status_code == 201 and first.json == again.json
    for key, seat, many in (("b", "rome", 2), ("", "rome", 3), ("", "rome", 4), ("a", "umpire", 5)):
        group.ask("POST", seat, "/letters", {**letter, "key": key})
        assert len(group.ask("GET", "carthage", "/letters").json["letters"]) == many


def test_a_letter_changes_nothing_in_the_game(group: Group):
    before = group.state()
    group.ask("POST", "rome", "/letters", {"to": "all", "text": "Hail."})
    assert group.state() == before


def test_a_letter_is_mailed_to_its_readers(postman: Postman, group: Group, box: tuple[Box, str]):
    group.put_in("rome", "Ada", "ada@rome.example")
    group.put_in("carthage", "Cleo", "cleo@carthage.example")
    group.ask("POST", "rome", "/letters", {"to": "carthage", "text": "Shall we share Sicily?"})
    postman.round([group.id])
    assert any("letter" in subject for subject in box[0].to("cleo@carthage.example"))
    assert not any("letter" in subject for subject in box[0].to("ada@rome.example"))
    assert any("Shall we share Sicily?" in str(mail.get_content()) for mail in box[0].mails)


def test_letters_on_the_page_are_escaped_and_marked_new(app: Flask, group: Group):
    group.ask("POST", "rome", "/letters", {"to": "all", "text": '<img src=x hx-get="/"> & "so"'})
    client = app.test_client()
    client.get(f"/join/{group.tokens['carthage']}")
    page = client.get(f"/g/{group.id}/letters").text
    assert "&lt;img src=x" in page and "<img src=x" not in page and ">new<" in page
    assert ">new<" not in client.get(f"/g/{group.id}/letters").text


def test_a_letter_with_a_key_is_written_once(postman: Postman, group: Group, box: tuple[Box, str]):
    group.put_in("carthage", "Cleo", "cleo@carthage.example")
    body = {"to": "carthage", "text": "Shall we share Sicily?", "key": "a1"}
    first, second = (group.ask("POST", "rome", "/letters", body) for _ in range(2))
    assert (first.status_code, second.status_code) == (201, 201) and first.json == second.json
    assert group.ask("POST", "carthage", "/letters", {**body, "to": "rome"}).json["id"] != first.json["id"], (
        "his own key"
    )
    for _ in range(2):
        assert group.ask("POST", "rome", "/letters", {**body, "key": ""}).status_code == 201
    assert len(group.ask("GET", "carthage", "/letters").json["letters"]) == 4
    postman.round([group.id])
    assert len([subject for subject in box[0].to("cleo@carthage.example") if "letter" in subject]) == 3
