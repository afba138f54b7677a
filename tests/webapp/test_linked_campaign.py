"""L1.2 The campaign's page while an engagement waits: the ways, the battle's progress, reports, abandoned battles."""

from __future__ import annotations

import io
import re
import struct
import zlib
from pathlib import Path
from typing import Any

import pytest

from kit.linked_sea import Sea
from strategic.naval.engagement import NavalOutcome, SideOutcome
from tactical.kernel.record import plain
from webapp.pages.campaign import chronicle
from webapp.storage.errors import Barred
from webapp.storage.journal.engagements import is_abandoned


@pytest.fixture
def sea(tmp_path: Path) -> Sea:
    return Sea(tmp_path / "sea.db")


def report(**changed: Any) -> dict[str, Any]:
    """A form: Carthage has lost a ship and fled."""
    return {
        "winner": "rome",
        "turns": "6",
        "carthage.Tanit.fate": "sunk",
        "carthage.left": "fled",
        "rome.Aquila.damage": "2",
        **changed,
    }


def send(sea: Sea, seat: str, **fields: Any) -> Any:
    return sea.post(seat, f"/linked/{sea.id}/report", seen=sea.store.game(sea.id).version, **fields)


def test_l1_2_the_panel_shows_both_fleets_and_the_ways_with_who_has_consented(sea: Sea) -> None:
    page = sea.page("rome")
    assert "A meeting at sea: Lipara" in page
    assert "Gaius Duilius, rating 2 4 warships : Aquila, Lupa, Fortuna, Victoria ; 3 transports" in page
    assert "Hannibal Gisco, rating 1 4 warships : Tanit, Melqart, Astarte, Eshmun" in page
    assert "Proposes" not in page
    sea.give("carthage", type="choose_way", engagement="2.1", way="battle", side="carthage")
    for seat in ("rome", "carthage", "spectator"):
        assert "Proposes: A battle in this program" in sea.page(seat)
    assert "Open the battle" not in sea.page("rome")
    sea.give("rome", type="choose_way", engagement="2.1", way="battle", side="rome")
    assert "Open the battle" in sea.page("rome") and "Open the battle" not in sea.page("spectator")
    assert 'id="ways"' not in sea.fetch("spectator")


def test_l1_2_the_panels_buttons_are_the_campaigns_commands(sea: Sea) -> None:
    for seat in ("rome", "carthage"):
        version = sea.store.game(sea.id).version
        sent = {"type": "choose_way", "engagement": "2.1", "way": "battle", "side": seat, "seen": version}
        assert sea.post(seat, f"/g/{sea.id}/command", **sent).status_code == 303
    version = sea.store.game(sea.id).version
    sent = {"type": "open_battle", "engagement": "2.1", "models_per_unit:int": "2", "seen": version}
    assert sea.post("rome", f"/g/{sea.id}/command", **sent).status_code == 303
    page = sea.page("carthage")
    assert (
        "The battle is being fought in this program: turn 1 of 15. Warships left: Rome 8 of 8, Carthage 8 of 8." in page
    )
    assert "Leave the table?" in page and "Abandon it" in page


def test_l1_4_the_panel_follows_the_battle_and_enters_its_outcome(sea: Sea) -> None:
    sea.open()
    revision = sea.store.game(sea.id).revision
    sea.deploy()
    sea.sink("c1", "c2", "c3", "c4")
    assert sea.store.game(sea.id).revision > revision, "the campaign's page hears of the battle"
    assert "Carthage 0 of 4" in sea.page("rome")
    sea.play(300)
    page = sea.page("rome")
    assert "The battle has been fought." in page and "Rome has won" in page
    assert "Enter it into the campaign" in page and "How is it settled?" not in page
    revision = sea.store.game(sea.battle).revision
    assert sea.enter("rome").status_code == 303
    assert sea.store.game(sea.battle).revision > revision, "the battle's page hears that it was entered"
    assert "A meeting at sea" not in sea.page("rome")


def test_l1_2_a_report_enters_when_the_other_side_assents(sea: Sea) -> None:
    assert send(sea, "rome", **report()).status_code == 303
    page = sea.page("carthage")
    assert "Reported by Rome" in page and "Sunk 1: Tanit" in page and "Agree for Carthage" in page
    assert "It enters the campaign when the other side has agreed." in sea.page("rome")
    assert sea.state.engagement is not None
    sea.give("carthage", type="assent", engagement="2.1", side="carthage")
    fleet = {side: SideOutcome() for side in ("rome", "carthage")}
    fleet["rome"] = SideOutcome(damage={"Aquila": 2})
    fleet["carthage"] = SideOutcome(sunk=1, sunk_ships=("Tanit",), fled=True)
    assert sea.state.settled["2.1"] == NavalOutcome("rome", 6, fleet)
    assert next(ship for ship in sea.state.ships["rome"] if ship.name == "Aquila").damage == 2
    with pytest.raises(Barred, match="counts for all sides"):  # carthage does not take its assent back by itself
        sea.store.undo(sea.id, sea.store.game(sea.id).version, "carthage")


@pytest.mark.parametrize(("typed", "hull"), [("0", 4), ("", 4), ("2", 4), ("5", 5)])
def test_l2_4_badly_hit_is_half_the_hull_for_who_has_not_counted_more(sea: Sea, typed: str, hull: int) -> None:
    assert "returned to port badly damaged" in sea.fetch("rome", f"/linked/{sea.id}/report?seat=rome")
    fields = report(**{"rome.Aquila.fate": "hurt", "rome.Aquila.damage": typed})
    assert send(sea, "rome", **fields).status_code == 303
    outcome = sea.fetch("carthage")
    assert f"Aquila −{hull}" in outcome, "the other side sees what it is asked to agree to"


@pytest.mark.parametrize(
    ("field", "value", "sentence"),
    [
        ("turns", "many", "Write a whole number from 0."),
        ("rome.transports", "4", "At most 3: no more were sent."),
        ("rome.left", "evaded", "Only the side with naval supremacy may evade."),
        ("carthage.Eshmun.damage", "8", "At 8 damage she sinks."),
        ("rome.left", "fled", "The winner neither fled nor evaded."),
        ("winner", "", "A side that fled or evaded cannot have won: name the winner."),
        ("winner", "syracuse", "Choose a side that took part, or nobody."),
        ("carthage.Tanit.fate", "eaten", "She must have returned to port, been sunk or been captured."),
        ("carthage.Eshmun.damage", "-1", "Write a whole number from 0."),
    ],
)
def test_l3_1_what_is_wrong_is_said_at_its_field_and_changes_nothing(
    sea: Sea, field: str, value: str, sentence: str
) -> None:
    version = sea.store.game(sea.id).version
    answer = send(sea, "rome", **report(**{field: value}))
    assert answer.status_code == 422
    assert answer.text.count('class="field-fault"') == 1
    assert sentence.replace("'", "&#39;") in answer.text
    assert re.search(r'aria-invalid="true" aria-describedby="[^"]+" autofocus', answer.text), "the page opens there"
    assert sea.store.game(sea.id).version == version


@pytest.mark.parametrize("left", ["", "fled"])
def test_l3_3_the_losers_ships_that_are_left_have_fled_where_nothing_else_is_said(sea: Sea, left: str) -> None:
    assert "the fleet stayed; if it lost, the rest of it fled" in sea.fetch(
        "rome", f"/linked/{sea.id}/report?seat=rome"
    )
    assert send(sea, "rome", **report(**{"carthage.left": left})).status_code == 303
    outcome = sea.state.engagement.proposed
    assert (outcome.winner, outcome.of("carthage").fled, outcome.of("rome").fled) == ("rome", True, False)


def test_l3_3_nobody_has_fled_where_nobody_has_won_or_nothing_is_left(sea: Sea) -> None:
    stayed = report(**{"winner": "", "carthage.left": ""})
    assert send(sea, "rome", **stayed).status_code == 303
    assert not sea.state.engagement.proposed.of("carthage").fled
    sunk = {f"carthage.{ship}.fate": "sunk" for ship in ("Tanit", "Melqart", "Astarte", "Eshmun")}
    assert send(sea, "rome", **report(**sunk, **{"carthage.left": ""})).status_code == 303
    assert not sea.state.engagement.proposed.of("carthage").fled


def test_l1_2_the_journal_says_how_it_is_settled_and_not_that_somebody_agreed(sea: Sea) -> None:
    sea.give("rome", type="choose_way", engagement="2.1", way="own_table", side="rome")
    log = sea.page("rome", f"/g/{sea.id}/log?seat=rome")
    assert (
        "Rome chooses “The game's dice table”. That is how the meeting will be settled." in log and "Agreed:" not in log
    )


def test_11_7_cards_at_sea_are_tactics_cards_without_a_note_of_ours(sea: Sea) -> None:
    sea.give("rome", type="choose_way", engagement="2.1", way="own_table", side="rome")
    page = sea.page("rome")
    assert re.search(r"\d tactics cards?", page) and "battle card" not in page and "our proposal" not in page


def test_l3_5_evading_is_offered_to_the_holder_of_supremacy_alone(sea: Sea) -> None:
    page = sea.fetch("rome", f"/linked/{sea.id}/report?seat=rome")
    assert page.count('value="evaded"') == 1
    answer = send(sea, "rome", **report(**{"carthage.left": "evaded"}))
    assert answer.status_code == 303


def test_l1_2_a_stale_report_and_one_of_a_spectator_are_refused(sea: Sea) -> None:
    sea.give("rome", type="choose_way", engagement="2.1", way="report", side="rome")
    stale = sea.post("rome", f"/linked/{sea.id}/report", **report(), seen=0)
    assert stale.status_code == 409 and "The game has moved on" in stale.text
    assert send(sea, "spectator", **report()).status_code == 403
    sea.give("umpire", type="settle", engagement="2.1", outcome=plain(NavalOutcome(turns=2)))
    assert send(sea, "rome", **report()).status_code == 422, "no engagement waits any more"


def forget(sea: Sea) -> None:
    """All that was said in the battle was said years ago."""
    with sea.store.write() as db:
        db.conn.execute("update entries set time = '2020-01-01T00:00:00+00:00' where game = ?", (sea.battle,))


def test_l1_2_a_the_seven_days_count_from_the_last_plot(sea: Sea) -> None:
    sea.open()
    sea.deploy()
    forget(sea)
    for agreed in (True, False):
        version = sea.store.game(sea.battle).version
        sea.store.submit(sea.battle, version, "rome", {"type": "agree", "side": "rome", "agreed": agreed})
    assert is_abandoned(sea.store, sea.battle), "what is no plot does not put them off"
    plot = {"type": "plot", "ship": "r1", "speed": 0}
    sea.store.submit(sea.battle, sea.store.game(sea.battle).version, "rome", plot)
    assert not is_abandoned(sea.store, sea.battle)
    sea.store.undo(sea.battle, sea.store.game(sea.battle).version, "umpire")
    assert is_abandoned(sea.store, sea.battle), "nor does one that was taken back"


def test_l1_2_a_a_program_may_abandon_a_battle_as_a_page_may(sea: Sea) -> None:
    sea.open()

    def ask(seat: str, seen: int) -> Any:
        bearer = {"Authorization": f"Bearer {sea.tokens[seat]}"}
        return sea.app.test_client().post(f"/api/v1/games/{sea.id}/abandoned", json={"seen": seen}, headers=bearer)

    version = sea.store.game(sea.id).version
    early = ask("rome", version)
    assert early.status_code == 422 and early.json["rule"] == "L1.2.a" and "not abandoned" in early.json["error"]
    forget(sea)
    assert ask("spectator", version).status_code == 422 and ask("rome", version - 1).status_code == 409
    assert sea.store.game(sea.id).version == version
    answer = ask("rome", version)
    assert answer.status_code == 200 and answer.json["version"] == sea.store.game(sea.id).version == version + 2
    assert sea.state.naval is not None and sea.state.engagement.way == "own_table"


def test_l1_2_a_an_abandoned_battle_is_settled_by_the_own_table(sea: Sea) -> None:
    sea.open()
    early = sea.post("rome", f"/linked/{sea.id}/abandoned", seen=sea.store.game(sea.id).version)
    assert early.status_code == 422 and "not abandoned" in early.text
    forget(sea)
    page = sea.page("carthage")
    assert "it is abandoned" in page and "Settle it by the game's dice table" in page
    assert "Settle it by the game's dice table" not in sea.page("spectator")
    version = sea.store.game(sea.id).version
    assert sea.post("spectator", f"/linked/{sea.id}/abandoned", seen=version).status_code == 422
    assert sea.post("carthage", f"/linked/{sea.id}/abandoned", seen=version).status_code == 303
    assert sea.state.naval is not None and sea.state.engagement.way == "own_table"
    acted = [(entry.seat, entry.on_behalf) for entry in sea.store.entries(sea.id)[-2:]]
    assert sorted(acted, key=str) == [("carthage", None), ("umpire", "rome")], "the journal says who spoke for whom"


def test_l1_4_the_chronicle_tells_of_the_meeting_the_battle_and_its_end(sea: Sea) -> None:
    sea.open()
    sea.deploy()
    sea.sink("c1", "c2", "c3", "c4")
    sea.play(300)
    sea.enter("rome")
    page = sea.page("rome", f"/campaign/{sea.id}/chronicle?seat=rome")
    assert "Fleets meet off Lipara: Rome (Aquila, Lupa, Fortuna, Victoria and 3 transports); Carthage (Tanit" in page
    assert f"It is fought in this program as battle {sea.battle}." in page
    assert "The meeting at sea is settled: Rome wins. Rome: no losses. Carthage: 4 ships sunk." in page
    assert "how to settle the meeting" not in page, "how they agreed is for the journal"
    assert "how to settle the meeting" in sea.page("rome", f"/g/{sea.id}/log?seat=rome")


def test_l1_1_a_campaign_without_an_engagement_shows_no_panel(sea: Sea) -> None:
    sea.give("umpire", type="settle", engagement="2.1", outcome=plain(NavalOutcome(turns=2)))
    assert "A meeting at sea" not in sea.page("rome")
    refused = sea.client("rome").get(f"/linked/{sea.id}/report?seat=rome")
    assert refused.status_code == 422 and "No engagement waits" in refused.text


def picture() -> bytes:
    """One red pixel as a PNG."""

    def chunk(name: bytes, body: bytes) -> bytes:
        return struct.pack(">I", len(body)) + name + body + struct.pack(">I", zlib.crc32(name + body))

    head = chunk(b"IHDR", struct.pack(">IIBBBBB", 1, 1, 8, 2, 0, 0, 0))
    return b"\x89PNG\r\n\x1a\n" + head + chunk(b"IDAT", zlib.compress(b"\0\xff\0\0")) + chunk(b"IEND", b"")


def test_a15_a_report_takes_a_note_and_a_photo_into_the_chronicle(sea: Sea) -> None:
    photo = picture()
    wrong = send(sea, "rome", **report(), note="We won.", photo=(io.BytesIO(b"<svg/>"), "table.jpg"))
    assert wrong.status_code == 422 and "We won." in wrong.text
    assert sea.store.game(sea.id).version == 0 or sea.state.settled == {}
    assert sea.store.file.rows("select * from notes") == []
    sent = send(sea, "rome", **report(), note="Aquila <b>first</b>.", photo=(io.BytesIO(photo), "table.png"))
    assert sent.status_code == 303
    written = chronicle.notes(sea.store, sea.id, "carthage")
    assert [(each.seat, each.text, each.has_photo) for each in written] == [("rome", "Aquila <b>first</b>.", True)]
    assert chronicle.note_photo(sea.store, sea.id, "carthage", written[0].id) == ("image/png", photo)
    assert send(sea, "carthage", **report()).status_code == 303, "without a note it is as before"
    assert len(chronicle.notes(sea.store, sea.id, "rome")) == 1
