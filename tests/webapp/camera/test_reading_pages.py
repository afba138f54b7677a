"""G1.5, G1.6 The pages that read the table by a photograph, and what a reading is for."""

from __future__ import annotations

import html
import io
import json
import math
import re
from typing import Any

import msgspec
import pytest

from kit.linked_sea import Sea
from kit.models_on_table import afloat, confirm, models, photo_of, places_on, said_on, send_photo
from kit.readers import app, battle, commands_on, store
from tactical.tabletop import Tape
from webapp.camera import reading
from webapp.post import deadlines, mail
from webapp.storage.errors import Barred, Refused
from webapp.storage.services.archive import keep_layout, tape_of

__all__ = ["app", "battle", "store"]
LAYOUT = models(3)
LONG = LAYOUT.base_length
# s0 has her bow in the side of s1; s2 lies off to the east.
MET = {"s0": (200.0, 250.0, 90.0), "s1": (200.0 + LONG / 2 + 12.55, 250.0, 0.0), "s2": (520.0, 250.0, 270.0)}
APART = {"s0": (150.0, 250.0, 90.0), "s1": (350.0, 150.0, 0.0), "s2": (520.0, 350.0, 270.0)}
HEIC, HUGE = b"\0\0\0\x18ftypheic" + b"\0" * 40, b"\xff\xd8\xff" + b"\0" * (15 << 20)


@pytest.fixture(scope="module")
def photo() -> bytes:
    return photo_of(LAYOUT, MET)


def begin(battle: Any, store: Any, kind: str, lies: Any = APART, **more: Any) -> Any:
    seats = battle(afloat(LAYOUT, kind, lies, **more))
    keep_layout(store, seats["rome"].game, LAYOUT)
    return seats


def as_it_was(store: Any, game: str) -> tuple[Any, ...]:
    record = store.game(game)
    return record.version, record.consents, record.proposed, store.load(game).state, tape_of(store, game)[1]


# -- The photograph.


def test_without_tags_the_page_leads_to_the_sheet_and_hexes_have_none(battle, store):
    seats = battle(afloat(LAYOUT, "table", APART))
    assert "/table/sheet" in seats["rome"].get("/table/read").text
    assert 'id="read-table"' not in seats["rome"].get().text
    keep_layout(store, seats["rome"].game, LAYOUT)
    assert 'id="read-table"' in seats["rome"].get().text and 'id="read-table"' not in seats["spectator"].get().text
    assert "never stored" in seats["rome"].get("/table/read").text
    assert seats["spectator"].get("/table/read").status_code == 403
    assert battle(scenario="mylae")["rome"].get("/table/read").status_code == 404


def test_the_ships_lie_over_the_photograph_and_the_picture_is_kept_nowhere(battle, store, photo):
    rome = begin(battle, store, "table")["rome"]
    before = as_it_was(store, rome.game)
    page = send_photo(rome, photo)
    assert page.status_code == 200 and said_on(page) == []
    for name, (x, y, heading) in places_on(page).items():
        assert math.dist((x, y), MET[name][:2]) < 3 and abs((heading - MET[name][2] + 180) % 360 - 180) < 3
    lens = json.loads(html.unescape(re.search(r'data-lens="([^"]*)"', page.text)[1]))
    assert lens["width"] == 1500 and len(lens["turn"]) == 3 and "data:" not in page.text
    assert as_it_was(store, rome.game) == before, "nothing counts before Confirm"
    with store.write() as db:
        assert not db.conn.execute("select 1 from table_photos").fetchall()


REFUSED = {
    "HEIC": (HEIC, "HEIC", "HEIC", "HEIC"),
    "large": (HUGE, "at most 15 MB", "15 MB", "15 МБ"),
    "text": (b"Nike" * 90, "must be a whole JPEG", "JPEG", "JPEG"),
    "nothing": (b"", "choose a photograph", "", ""),
}


@pytest.mark.parametrize("case", REFUSED)
def test_what_cannot_be_read_is_refused_in_three_languages_and_changes_nothing(battle, store, case):
    data, *wanted = REFUSED[case]
    rome = begin(battle, store, "open")["rome"]
    before, told = as_it_was(store, rome.game), []
    for language, words in zip(("en", "it", "ru"), wanted, strict=True):
        rome.client.get(f"/?lang={language}")
        page = send_photo(rome, data)
        assert page.status_code == 422
        told.append(said_on(page)[0])
        assert words in told[-1]
    assert len(set(told)) == 3, told
    assert as_it_was(store, rome.game) == before


def test_without_the_extra_the_page_says_how_to_get_it(battle, store, photo, monkeypatch):
    rome = begin(battle, store, "open")["rome"]
    monkeypatch.setattr(reading, "is_installed", lambda: False)
    page = send_photo(rome, photo)
    assert page.status_code == 422 and "pip install navarch[camera]" in said_on(page)[0]


def test_too_many_photographs_are_refused_with_a_sentence(battle, store, app):
    rome = begin(battle, store, "open")["rome"]
    app.extensions["navarch"].limits["table photographs"].most = 1
    send_photo(rome, HEIC)
    refused = send_photo(rome, HEIC)
    assert refused.status_code == 429 and 'role="alert"' in refused.text


def test_where_corner_tags_are_missing_four_taps_do(battle, store):
    rome = begin(battle, store, "table")["rome"]
    scene = photo_of(LAYOUT, MET, 1, hidden=(0, 2))
    page = send_photo(rome, scene)
    assert (
        page.status_code == 422 and "data-taps" in page.text and "only 2 of 4 corner tags" in said_on(page)[0].lower()
    )
    wrong = send_photo(rome, scene, corners="1,2 3,4")
    assert wrong.status_code == 422 and "clockwise" in said_on(wrong)[0]
    from kit.photographed import Wanted, photograph

    eye = photograph(Wanted(table=LAYOUT.table, width=1500), 1, (0, 2), (), LAYOUT, MET).camera
    width, height = LAYOUT.table
    taps = eye.project([[0, 0, 0], [width, 0, 0], [width, height, 0], [0, height, 0]])
    read = send_photo(rome, scene, corners=" ".join(f"{x:.0f},{y:.0f}" for x, y in taps))
    assert read.status_code == 200 and set(places_on(read)) == {"s0", "s1", "s2"}


def test_a_second_photograph_adds_what_the_first_did_not_see(battle, store, photo):
    rome = begin(battle, store, "open")["rome"]
    first = send_photo(rome, photo_of(LAYOUT, {name: MET[name] for name in ("s0", "s1")}))
    assert set(places_on(first)) == {"s0", "s1"} and 'data-wait="s2" class="side0">' in first.text
    moved = {**places_on(first), "s0": [205.0, 250.0, 90.0]}
    second = send_photo(rome, photo, ships=json.dumps(moved))
    assert set(places_on(second)) == {"s0", "s1", "s2"}
    assert places_on(second)["s0"] == [205.0, 250.0, 90.0], "what was corrected stays"


def test_a_ship_that_is_seen_in_two_places_shows_both_and_a_tap_takes_one(battle, store):
    rome = begin(battle, store, "table")["rome"]
    tag = LAYOUT.ships["s2"].tags[0]
    page = send_photo(rome, photo_of(LAYOUT, MET, 1, also=((tag.id, 350.0, 90.0, 0.0, tag.size),)))
    assert set(places_on(page)) == {"s0", "s1"} and page.text.count('data-of="s2"') == 2
    choices = re.findall(r'name="put" value="(s2 [^"]*)"', page.text)
    assert len(choices) == 2
    there = min(choices, key=lambda it: math.dist(map(float, it.split()[1:3]), MET["s2"][:2]))
    put = rome.post("/table/read", ships=json.dumps(places_on(page)), put=there)
    assert put.status_code == 200 and math.dist(places_on(put)["s2"][:2], MET["s2"][:2]) < 4


@pytest.mark.parametrize("ships", ["[", "[]", '{"s0": [1, 2, "Nike"]}', '{"s0": [9e9, 0, 0]}', '{"s0": {"x": 1}}'])
def test_places_that_are_none_are_refused(battle, store, ships):
    rome = begin(battle, store, "table")["rome"]
    for path in ("/table/read", "/table/confirm"):
        assert rome.post(path, ships=ships, seen=0).status_code == 422


# -- The measured sea: a position that the others are asked about.


def test_g1_6_a_reading_is_proposed_to_the_others_and_counts_with_their_word(battle, store, photo):
    seats = begin(battle, store, "open")
    rome, carthage = seats["rome"], seats["carthage"]
    was = store.load(rome.game).state
    assert confirm(rome, send_photo(rome, photo)).status_code == 303
    asked = store.game(rome.game)
    assert (asked.version, asked.consents) == (0, ("rome",)) and store.load(rome.game).state == was
    page = carthage.get().text
    assert page.count('class="proposed') == 3 and "Agree, lay them so" in page
    assert (
        "Agree, lay them so" not in rome.get().text
        and "word" not in seats["spectator"].get().text.split("take-back")[1]
    )
    assert carthage.post("/undo", partial=True, word=1, seen=0).status_code == 200
    now = store.load(rome.game).state
    for name, (x, y, heading) in MET.items():
        assert math.dist(now.ships[name].at, (x / LONG, y / LONG)) < 3 / LONG
        assert abs((now.ships[name].facing - heading + 180) % 360 - 180) < 3
    entry = store.entry(rome.game, 1)
    assert (entry.seat, entry.command["type"]) == ("umpire", "adjust") and "(Rome)" in entry.command["why"]
    assert store.game(rome.game).consents == () and not store.game(rome.game).proposed
    again = confirm(rome, send_photo(rome, photo))
    assert again.status_code == 422 and "nothing to change" in said_on(again)[0]


def test_a_refusal_changes_nothing_and_is_told(battle, store, photo):
    seats = begin(battle, store, "open")
    rome, carthage = seats["rome"], seats["carthage"]
    was = store.load(rome.game).state
    confirm(rome, send_photo(rome, photo))
    assert carthage.post("/undo", partial=True, refuse=1, seen=0).status_code == 200
    assert store.load(rome.game).state == was and store.game(rome.game).refused == "carthage"
    assert "has refused to lay the ships as photographed" in rome.get().text
    assert 'class="proposed' not in rome.get().text
    confirm(rome, send_photo(rome, photo))
    assert store.game(rome.game).consents == ("rome",), "it may be asked again"
    assert rome.post("/undo", partial=True, refuse=1, seen=0).status_code == 200
    record = store.game(rome.game)
    assert (record.version, record.consents, record.refused, record.proposed) == (0, (), "", {})


def test_the_umpires_word_is_enough(battle, store, photo):
    seats = begin(battle, store, "open")
    confirm(seats["rome"], send_photo(seats["rome"], photo))
    assert seats["umpire"].post("/undo", partial=True, word=1, seen=0).status_code == 200
    assert store.game(seats["rome"].game).version == 1
    moved = photo_of(LAYOUT, {**MET, "s2": (560.0, 400.0, 300.0)})
    assert confirm(seats["umpire"], send_photo(seats["umpire"], moved)).status_code == 303
    entry = store.entry(seats["rome"].game, 2)
    assert set(entry.command["ships"]) == {"s2"}, "who has not moved stays where the board has her"


def test_a_game_that_has_gone_on_is_told_and_the_next_confirm_counts(battle, store, photo):
    seats = begin(battle, store, "open")
    rome, page = seats["rome"], send_photo(seats["rome"], photo)
    store.submit(rome.game, 0, "rome", {"type": "plot", "ship": "s0", "speed": 1})
    late = confirm(rome, page)
    assert late.status_code == 422 and "has gone on" in said_on(late)[0] and places_on(late) == places_on(page)
    assert confirm(rome, late).status_code == 303


def test_who_owes_a_word_on_a_reading_is_told(battle, store, app, photo):
    rome = begin(battle, store, "open")["rome"]
    confirm(rome, send_photo(rome, photo))
    table = store.load(rome.game)
    with app.test_request_context():
        own, other = (deadlines.turn_sentence(store, table, reader) for reader in ("carthage", "rome"))
        assert own.is_own and own.text == "Rome proposes to lay the ships as photographed: agree or refuse."
        assert not other.is_own and other.seats == ("carthage",) and "still missing from: Carthage" in other.text
        (asked,) = mail.questions(store, table)
        assert asked.seat == "carthage" and "photograph of the table from Rome" in mail.question_text(table, asked)


def test_a_ship_without_a_place_and_one_on_another_are_told(battle, store, photo):
    rome = begin(battle, store, "open")["rome"]
    page = send_photo(rome, photo_of(LAYOUT, {name: MET[name] for name in ("s0", "s1")}))
    refused = confirm(rome, page)
    assert refused.status_code == 422 and said_on(refused)[0] == "These ships have no place yet: S2."
    on_top = {**places_on(page), "s2": [205.0, 252.0, 90.0]}
    refused = rome.post("/table/confirm", ships=json.dumps(on_top), seen=0)
    assert refused.status_code == 422 and "lies across another ship" in said_on(refused)[0]
    assert store.game(rome.game).consents == ()
    as_before = re.search(r'name="put" value="(s2 [^"]*)"', page.text)[1]
    assert as_before == f"s2 {APART['s2'][0]:g} {APART['s2'][1]:g} 270"


def test_one_question_stands_at_a_time(store, battle):
    seats = begin(battle, store, "open")
    game, why = seats["rome"].game, "as photographed"
    adjust = {"type": "adjust", "ships": {"s0": {"facing": 80}}, "why": why}
    store.submit(game, 0, "rome", {"type": "plot", "ship": "s0", "speed": 1})
    with pytest.raises(Refused):
        store.agree(game, 1, "carthage")
    store.propose(game, 1, "rome", adjust)
    for seat in ("rome", "carthage"):
        with pytest.raises(Refused, match="Another question is open"):
            store.propose(game, 1, seat, adjust)
    with pytest.raises(Refused, match="Another question is open"):
        store.undo(game, 1, "carthage", consent=True)
    with pytest.raises(Barred):
        store.agree(game, 1, "spectator")
    with pytest.raises(Barred):
        store.propose(game, 1, "spectator", adjust)
    store.submit(game, 1, "carthage", {"type": "plot", "ship": "s1", "speed": 1})
    assert not store.game(game).proposed, "the next act drops it"
    store.undo(game, store.game(game).newest("rome"), "rome", consent=True)
    with pytest.raises(Refused, match="Another question is open"):
        store.propose(game, store.game(game).newest("carthage"), "carthage", adjust)


# -- The players' own table: a measuring tape.

MOVING = {"step": "move", "phase": 3}


def test_g1_5_a_tape_proposes_contacts_and_a_tap_confirms_them(battle, store, photo):
    rome = begin(battle, store, "table", **MOVING)["rome"]
    assert confirm(rome, send_photo(rome, photo)).status_code == 303
    kept = tape_of(store, rome.game)[1]
    assert kept is not None and kept.of("s0")["s1"].aspects == {"s0": "side"}
    contact = {"type": "contact", "ship": "s0", "target": "s1", "aspect": "side"}
    page = rome.get(ship="s0").text
    assert contact in map(json.loads, commands_on(page)) and store.game(rome.game).version == 0
    assert 'class="way main" name="command"' in page
    row = rome.get().text
    assert "Touches S1" in row and "Touches S0" not in row
    assert rome.give(json.dumps(contact), 0).status_code == 200
    assert store.load(rome.game).state.ships["s0"].contact == "s1"


def test_g5_3_a_tape_proposes_the_range_of_a_shot_and_leaves_it_to_a_ruler_where_it_must(battle, store, photo):
    seats = begin(battle, store, "table", step="fire", phase=3)
    rome = seats["rome"]
    confirm(rome, send_photo(rome, photo))
    page = rome.get(ship="s0").text
    shots = [each for each in map(json.loads, commands_on(page)) if each["type"] == "fire"]
    assert {"type": "fire", "ship": "s0", "weapon": "archer", "target": "s1", "range": 1} in shots
    kept = tape_of(store, rome.game)[1]
    unsure = [msgspec.structs.replace(each, ranges=(1, 2)) for each in kept.measured]
    from webapp.storage.services.archive import keep_tape

    keep_tape(store, rome.game, Tape(kept.turn, kept.phase, tuple(unsure)))
    page = rome.get(ship="s0").text
    assert "range 1 or 2: use a ruler" in page and not [each for each in commands_on(page) if '"range"' in each]
    ruler = rome.get("/ruler", ship="s0").text
    assert "1 or 2: use a ruler" in ruler
    keep_tape(store, rome.game, Tape(kept.turn, kept.phase + 1, kept.measured))
    shots = [each for each in map(json.loads, commands_on(rome.get(ship="s0").text)) if each["type"] == "fire"]
    assert not shots, "the tape of another phase measures nothing"


def test_in_a_campaigns_battle_the_table_is_read_as_well(tmp_path, photo):
    sea = Sea(tmp_path / "games.db")
    sea.open()
    sea.deploy()
    names = list(sea.store.load(sea.battle).state.ships)
    to_table = {"type": "adjust", "why": "our own table", "changes": {"board": {"kind": "table"}}}
    sea.give("umpire", sea.battle, **to_table, ships={name: {"at": None, "facing": None} for name in names})
    models = dict(zip((names[0], names[-1]), (LAYOUT.ships["s0"], LAYOUT.ships["s1"]), strict=True))
    keep_layout(sea.store, sea.battle, msgspec.structs.replace(LAYOUT, ships=models))
    page = sea.post("rome", f"/g/{sea.battle}/table/read", photo=(io.BytesIO(photo), "table.jpg"))
    assert set(places_on(page)) == {names[0], names[-1]}
    sea.post("rome", f"/g/{sea.battle}/table/confirm", ships=json.dumps(places_on(page)), seen="0")
    kept = tape_of(sea.store, sea.battle)[1]
    assert kept is not None and kept.of(names[0])[names[-1]].aspects == {names[0]: "side"}
