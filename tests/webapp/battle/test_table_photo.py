"""G1.5 The players' own table as a photograph: for its seats alone, drawn on, gone with its game."""

from __future__ import annotations

import io
import re

import pytest

from tests.webapp.test_photos import SECRET, jpeg, png
from webapp.pages.battle import setup
from webapp.storage.errors import Barred

TABLE = {
    "board": {"kind": "table"},
    "sides": {"rome": {"name": "Rome"}, "carthage": {"name": "Carthage"}},
    "ships": {
        "r1": {"side": "rome", "type": "quinquereme", "speed": 2},
        "c1": {"side": "carthage", "type": "quinquereme", "speed": 2},
    },
}


def take(seat, data: bytes):
    return seat.post("/table-photo", photo=(io.BytesIO(data), "table.jpg"))


def line(seat, **said):
    return seat.post("/table-photo/lines", partial=True, view="photo", **said)


def lines_on(page: str) -> list[str]:
    return re.findall(r'class="line-over[^"]*" points="([^"]*)"', page)


def test_a_photo_is_shown_to_every_seat_and_to_nobody_else(battle, store, app):
    seats = battle(TABLE)
    rome = seats["rome"]
    assert "Take a photo of the table" in rome.get(view="photo").text
    assert rome.get("/table-photo").status_code == 404
    before = store.game(rome.game).revision
    assert take(rome, jpeg()).status_code == 303
    assert store.game(rome.game).revision > before, "the others' pages are drawn anew"
    assert 'viewBox="0 0 1000 750"' in seats["carthage"].get(view="photo").text
    for seat in seats.values():
        answer = seat.get("/table-photo")
        assert (answer.status_code, answer.mimetype) == (200, "image/jpeg") and SECRET not in answer.data
    assert app.test_client().get(f"/g/{rome.game}/table-photo").status_code == 401


@pytest.mark.parametrize(
    ("wrong", "said"), [(b"", "JPEG or a PNG"), (b"GIF89a", "JPEG or a PNG"), (jpeg() + b"0" * 3 * 1024 * 1024, "3 MB")]
)
def test_what_is_no_photo_is_refused_and_the_old_one_stays(battle, store, wrong, said):
    rome = battle(TABLE)["rome"]
    take(rome, png())
    answer = take(rome, wrong)
    assert answer.status_code == 422 and said in answer.text
    assert setup.table_photo(store, rome.game).kind == "image/png"


def test_lines_are_drawn_and_rubbed_out_each_his_own_last(battle, store):
    seats = battle(TABLE)
    rome, carthage = seats["rome"], seats["carthage"]
    take(rome, png())
    line(rome, points="1,2 3,4")
    line(carthage, points="5,6 7,8 9,10")
    assert lines_on(line(rome, points="11,12 13,14").text) == ["1,2 3,4", "5,6 7,8 9,10", "11,12 13,14"]
    assert lines_on(line(rome, out="last").text) == ["1,2 3,4", "5,6 7,8 9,10"]
    assert lines_on(carthage.get(view="photo").text) == ["1,2 3,4", "5,6 7,8 9,10"]
    assert lines_on(line(carthage, out="all").text) == []
    line(rome, points="1,2 3,4")
    take(carthage, jpeg())
    assert lines_on(rome.get(view="photo").text) == [], "the lines go with the photo that they were drawn on"


@pytest.mark.parametrize("points", ["", "1,2", "1,2 x", "1,2 3,4;", "1,2  3,4", '"><script>', " ".join(["1,1"] * 401)])
def test_what_is_no_line_is_refused(battle, store, points):
    rome = battle(TABLE)["rome"]
    take(rome, png())
    assert line(rome, points=points).status_code == 422
    assert store.file.rows("select * from table_lines") == []


def test_there_are_only_so_many_lines_and_none_without_a_photo(battle, store, monkeypatch):
    rome = battle(TABLE)["rome"]
    assert "there is no photo of the table yet" in line(rome, points="1,2 3,4").text
    take(rome, png())
    monkeypatch.setattr(setup, "LINES", 1)
    assert line(rome, points="1,2 3,4").status_code == 200
    assert "at most 1 lines can be kept" in line(rome, points="1,2 3,4").text


def test_a_spectator_sees_the_photo_and_changes_nothing(battle, store):
    seats = battle(TABLE)
    take(seats["rome"], png())
    page = seats["spectator"].get(view="photo").text
    assert "table-photo" in page and "data-lines" not in page and 'type="file"' not in page
    for act in (
        lambda: setup.take(store, seats["rome"].game, "spectator", png()),
        lambda: setup.rub_out(store, seats["rome"].game, "spectator", True),
    ):
        with pytest.raises(Barred):
            act()


def test_a_board_of_hexes_has_no_photo(battle):
    rome = battle()["rome"]
    assert ">Photo<" not in rome.get().text and "photo-pane" not in rome.get(view="photo").text
    assert take(rome, png()).status_code == 404


def test_photo_and_lines_go_with_their_game(battle, store):
    rome = battle(TABLE)["rome"]
    take(rome, png())
    line(rome, points="1,2 3,4")
    store.delete(rome.game)
    assert store.file.rows("select * from table_photos") == store.file.rows("select * from table_lines") == []
