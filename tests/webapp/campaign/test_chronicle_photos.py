"""A note may carry a photo: shown to who may read the note, of the kinds that are shown, gone with the note."""

from __future__ import annotations

import html
import io
import re
import struct
import zlib
from typing import Any

import pytest
from flask import Flask

from webapp.http import photos
from webapp.pages.campaign import chronicle
from webapp.storage.services import archive

from kit.wars import War  # isort: skip


def png() -> bytes:
    """One red pixel."""

    def part(name: bytes, data: bytes) -> bytes:
        return struct.pack(">I", len(data)) + name + data + struct.pack(">I", zlib.crc32(name + data))

    head = struct.pack(">IIBBBBB", 1, 1, 8, 2, 0, 0, 0)
    body = part(b"IHDR", head) + part(b"IDAT", zlib.compress(b"\x00\xff\x00\x00")) + part(b"IEND", b"")
    return b"\x89PNG\r\n\x1a\n" + body


def jot(war: War, seat: str, data: bytes = b"", name: str = "table.png", **form: Any) -> Any:
    if data:
        form["photo"] = (io.BytesIO(data), name)
    return war.post(seat, "chronicle", **form)


def address(page: str) -> str:
    found = re.search(r'class="photo" src="([^"]+)"', page)
    assert found
    return html.unescape(found[1])


def test_a_photo_stands_with_its_note_for_those_who_may_read_it(war: War, app: Flask) -> None:
    assert jot(war, "rome", png(), text="Our table.", seen_by="side").status_code == 303
    where = address(war.page("rome", "chronicle").text)
    answer = war.client.get(where)
    assert (answer.status_code, answer.mimetype, answer.data) == (200, "image/png", png())
    assert answer.headers["X-Content-Type-Options"] == "nosniff"
    assert 'class="photo"' not in war.page("carthage", "chronicle").text
    assert war.client.get(where.replace("seat=rome", "seat=carthage")).status_code == 404
    assert war.client.get(where.replace("seat=rome", "seat=umpire")).status_code == 200
    assert app.test_client().get(where).status_code == 401


def test_a_photo_may_stand_alone_and_is_on_the_public_page_when_all_may_see_it(war: War, app: Flask) -> None:
    jot(war, "rome", png(), seen_by="side")
    jot(war, "rome", png(), seen_by="all")
    archive.perform(war.store, war.id, "publish", "umpire")
    stranger = app.test_client()
    page = stranger.get(f"/public/{war.id}/chronicle").text
    assert page.count('class="photo"') == 1
    assert stranger.get(address(page)).data == png()
    secret = war.store.file.rows("select min(note) as id from photos")[0]["id"]
    assert stranger.get(f"/public/{war.id}/photo/{secret}").status_code == 404


def test_a_photo_is_kept_without_where_it_was_taken(war: War) -> None:
    told = struct.pack(">I", 9) + b"tEXtGPS\x0041 N." + struct.pack(">I", zlib.crc32(b"tEXtGPS\x0041 N."))
    taken = png()[:33] + told + png()[33:]
    assert jot(war, "rome", taken, text="Our table.", seen_by="all").status_code == 303
    kept = war.client.get(address(war.page("rome", "chronicle").text)).data
    assert kept == png() and b"GPS" not in kept


@pytest.mark.parametrize("wrong", [b"<svg xmlns='http://www.w3.org/2000/svg'/>", b"GIF89a", b"<script>", b"x" * 10])
def test_what_is_no_photo_is_refused_and_nothing_is_written(war: War, wrong: bytes) -> None:
    answer = jot(war, "rome", wrong, name="x.png", text="Look!")
    assert answer.status_code == 422 and "JPEG or a PNG" in answer.text
    assert war.store.file.rows("select * from notes") == []


def test_too_large_a_photo_is_refused(war: War) -> None:
    assert jot(war, "rome", png() + b"0" * photos.LARGEST, text="Look!").status_code == 422
    assert war.store.file.rows("select * from notes") == []


def test_the_notes_and_photos_of_a_game_have_a_limit(war: War, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(chronicle, "LARGEST", 2 * len(png()) + len("Ура"))
    assert jot(war, "rome", png()).status_code == jot(war, "carthage", png()).status_code == 303
    assert jot(war, "rome", text="Ура").status_code == 422, "a letter of six bytes does not fit into three"
    assert jot(war, "rome", text="Ave").status_code == 303
    answer = jot(war, "rome", text="!")
    assert answer.status_code == 422 and "notes and photos of a game may take at most" in answer.text
    assert len(war.store.file.rows("select * from notes")) == 3


def test_an_address_sends_only_so_many_photos_and_notes(war: War, app: Flask) -> None:
    for _ in range(app.config["PHOTOS_A_MINUTE"]):
        assert jot(war, "rome", png()).status_code == 303
    assert jot(war, "rome", png()).status_code == 429
    for _ in range(app.config["NOTES_A_MINUTE"] - app.config["PHOTOS_A_MINUTE"] - 1):
        assert jot(war, "carthage", text="One of many.").status_code == 303
    assert jot(war, "carthage", text="One more.").status_code == 429


def test_a_photo_goes_with_its_note_and_with_its_game(war: War) -> None:
    jot(war, "rome", png(), text="One.")
    jot(war, "rome", png(), text="Two.")
    first = war.store.file.rows("select id from notes order by id")[0]["id"]
    war.post("carthage", "chronicle", strike=str(first))
    assert len(war.store.file.rows("select * from photos")) == 2
    war.post("rome", "chronicle", strike=str(first))
    assert len(war.store.file.rows("select * from photos")) == 1
    war.store.delete(war.id)
    assert war.store.file.rows("select * from photos") == []
