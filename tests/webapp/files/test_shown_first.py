"""What is read of a spreadsheet is shown with its report before it counts, on pages and over the API alike."""

from __future__ import annotations

import html
import io
import json
import re
from typing import Any

import pytest
from flask.testing import FlaskClient

from kit.real_house import real_app, real_store
from webapp.files.book import as_csv
from webapp.files.scenario import EXAMPLE, types_sheet
from webapp.storage.journal.store import Store

__all__ = ["real_app", "real_store"]
FLEET = "sep=;\r\nМой флот;;\r\nтип;название;заметки;ворон\r\nтрирема;Ястреб;старый;ДА\r\nквинкверема;Лев;;ЛОЖЬ\r\n"


@pytest.fixture
def client(app: Any) -> Any:
    return app.test_client()


def season(client: FlaskClient) -> tuple[str, dict[str, str]]:
    """A season with a player; its code and the organizer's head, whose browser this is, too."""
    made = client.post("/api/v1/seasons", json={"title": "Winter", "pairing": "swiss"}).json
    head = {"Authorization": f"Bearer {made['token']}"}
    client.post(f"/api/v1/seasons/{made['id']}/players", json={"name": "Anna", "fleet": []}, headers=head)
    client.get(f"/join/{made['token']}", follow_redirects=True)
    return made["id"], head


def send(client: FlaskClient, address: str, data: bytes, **fields: str) -> Any:
    return client.post(address, data={"file": (io.BytesIO(data), "sheet.csv"), **fields})


def form_in(page: Any, part: str) -> dict[str, str]:
    """The hidden fields of the form in a part of the page."""
    text = page.text.partition(f'id="{part}"')[2].partition("</section>")[0]
    form = text[text.rindex("<form") :]
    found = re.findall(r'<input type="hidden" name="(\w+)" value="([^"]*)"', form)
    return {name: html.unescape(value) for name, value in found}


def names(store: Store, code: str) -> list[str]:
    return [ship.name for ship in store.load(code).state.players["p1"].ships.values()]


def test_a_russian_fleet_is_shown_then_entered(client: FlaskClient, store: Store) -> None:
    code, _head = season(client)
    page = send(client, f"/season/{code}/fleet/p1/sheet?seat=umpire", FLEET.encode("windows-1251"), navy="hellenistic")
    assert page.status_code == 200 and names(store, code) == []
    for said in ("windows-1251", "Ястреб", "2 ships", "заметки", "row 2", "Enter this fleet"):
        assert said in page.text, said
    entered = client.post(f"/season/{code}/fleet/p1/sheet?seat=umpire", data=form_in(page, "rows"))
    assert entered.status_code == 303 and names(store, code) == ["Ястреб", "Лев"]
    assert store.load(code).state.players["p1"].navy == "hellenistic"


def test_letters_that_were_not_found_rightly_are_chosen_and_shown_again(client: FlaskClient, store: Store) -> None:
    code, _head = season(client)
    address = f"/season/{code}/fleet/p1/sheet?seat=umpire"
    page = send(client, address, "type;name\ntrireme;Мария\n".encode("mac-cyrillic"), navy="hellenistic")
    assert "Мария" not in page.text
    again = client.post(address, data={**form_in(page, "report"), "encoding": "mac-cyrillic"})
    assert "Мария" in again.text and names(store, code) == []
    client.post(address, data=form_in(again, "rows"))
    assert names(store, code) == ["Мария"]


def test_a_program_gets_the_same_report_and_may_ask_for_it_alone(client: FlaskClient, store: Store) -> None:
    code, head = season(client)
    address = f"/api/v1/seasons/{code}/players/p1/fleet.csv"
    asked = client.put(f"{address}?check=yes&navy=hellenistic", data=FLEET.encode("windows-1251"), headers=head)
    assert asked.status_code == 200 and names(store, code) == []
    assert [ship["name"] for ship in asked.json["ships"]] == ["Ястреб", "Лев"]
    report = asked.json["report"]
    assert report["encoding"] == "windows-1251" and report["separator"] == ";" and report["counts"]["ships"] == 2
    assert {each["where"] for each in report["left_out"]} == {"A1", "C2"}
    entered = client.put(f"{address}?navy=hellenistic", data=FLEET.encode("windows-1251"), headers=head)
    assert entered.json["report"] == report and entered.json["players"] and names(store, code) == ["Ястреб", "Лев"]
    for more, kind in (("&encoding=windows-1253", "text/csv"), ("", "text/csv; charset=windows-1253")):
        data = "type;name\ntrireme;Ίων\n".encode("windows-1253")
        said = client.put(f"{address}?check=yes{more}", data=data, headers={**head, "Content-Type": kind})
        assert said.json["ships"][0]["name"] == "Ίων"
    assert client.put(f"{address}?encoding=rot13", data=b"type\n", headers=head).status_code == 400


def test_a_position_is_shown_with_its_report_and_a_program_may_ask_for_it(client: FlaskClient) -> None:
    sheet = "side;type;name;notes\nrome;quinquereme;Ястреб;x\ncarthage;trireme;Νίκη;\n".encode("utf-16")
    page = send(client, "/positions/draw", sheet)
    assert page.status_code == 200 and 'id="report"' in page.text and "2 ships" in page.text and "notes" in page.text
    plain = client.post("/api/v1/positions/read", data=sheet).json
    assert set(plain) == {"title", "position"}, "as programs of before send it on"
    told = client.post("/api/v1/positions/read?report=yes", data=sheet).json
    assert told["report"]["counts"] == {"rows": 2, "ships": 2, "sides": 2}
    assert told["report"]["left_out"][0]["where"] == "D1"


def test_own_types_are_shown_before_a_season_or_a_game_takes_them(client: FlaskClient, store: Store) -> None:
    code, _head = season(client)
    sheet = as_csv({"types": types_sheet({}, {"trireme": 6})}).replace(b"bireme", b"lembos", 1)
    page = send(client, f"/season/{code}/types?seat=umpire", sheet)
    assert page.status_code == 200 and "lembos" in page.text and not store.load(code).state.types
    client.post(f"/season/{code}/types?seat=umpire", data=form_in(page, "rows"))
    assert "lembos" in store.load(code).state.types and store.load(code).state.prices == {"trireme": 6}
    games = len(store.file.rows("select id from games"))
    page = send(client, "/campaign/house/galley", sheet, do="start", scenario="mylae", title="Ours")
    assert page.status_code == 200 and len(store.file.rows("select id from games")) == games
    begun = client.post("/campaign/house/galley", data=form_in(page, "rows"))
    assert begun.status_code == 303 and len(store.file.rows("select id from games")) == games + 1
    assert 'id="report"' in send(client, "/campaign/house/galley", sheet, do="check").text


@pytest.mark.parametrize("kept", ["", "!!!", "eJwDAAAAAAE=", "AAAA"])
def test_a_form_without_a_file_that_can_be_read_is_refused(client: FlaskClient, store: Store, kept: str) -> None:
    code, _head = season(client)
    fields = {"kept_file": kept, "is_read": "yes", "navy": "hellenistic"}
    assert client.post(f"/season/{code}/fleet/p1/sheet?seat=umpire", data=fields).status_code == 422
    assert names(store, code) == []


@pytest.mark.parametrize("encoding", ["utf-8-sig", "utf-16", "windows-1251"])
@pytest.mark.parametrize("address", ["/positions/draw", "/wars/draw", "/campaign/house/galley"])
def test_json_is_read_in_the_letters_of_other_programs_too(client: FlaskClient, address: str, encoding: str) -> None:
    house = {"title": "Ястреб и Лев", "types": {}}
    position = {"spaces": {"capua": {"rome": {"units": 3}}}}
    war = {"system": "hannibal", "title": "Ястреб и Лев", "position": position}
    whole = {"position": {**EXAMPLE, "ships": EXAMPLE["ships"]}, "title": "Ястреб и Лев"}
    sent = {"/wars/draw": war, "/campaign/house/galley": house}.get(address, whole)
    data = json.dumps(sent, ensure_ascii=False).encode(encoding)
    page = client.post(address, data={"file": (io.BytesIO(data), "file.json"), "do": "check"})
    assert page.status_code == 200 and "Ястреб и Лев" in html.unescape(page.text)


def test_what_is_no_text_is_refused(client: FlaskClient) -> None:
    page = client.post("/wars/draw", data={"file": (io.BytesIO(b"\x89PNG\0\0\0\r\n\x1a\n\xff\xfe"), "file.json")})
    assert page.status_code == 422


def test_every_table_for_spreadsheets_begins_with_the_mark_of_utf_8(client: FlaskClient, store: Store) -> None:
    code, _head = season(client)
    game, tokens = store.create("galley", "mylae")
    client.get(f"/join/{tokens['umpire']}")
    for address in (f"/season/{code}/table.csv", f"/season/{code}/types.csv?seat=umpire", f"/g/{game.id}/report.csv"):
        assert client.get(address).data.startswith(b"\xef\xbb\xbf"), address
