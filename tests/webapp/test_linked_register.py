"""L2.4, L3.9 The fleet register: every named ship, what it did in which battle, and what has become of it."""

from __future__ import annotations

import codecs
import csv
import io
from pathlib import Path

import pytest

from kit.linked_sea import Sea
from strategic.naval.engagement import NavalOutcome, SideOutcome
from tactical.kernel.record import plain
from webapp.pages.campaign.register import of_battle, register


@pytest.fixture
def sea(tmp_path: Path) -> Sea:
    return Sea(tmp_path / "sea.db")


def rows(sea: Sea) -> list[dict[str, str]]:
    answer = sea.client("rome").get(f"/campaign/{sea.id}/register.csv?seat=rome")
    assert answer.mimetype == "text/csv"
    assert answer.data.startswith(codecs.BOM_UTF8)
    return list(csv.DictReader(io.StringIO(answer.data.decode("utf-8-sig"))))


def test_l2_4_every_ship_of_the_war_stands_in_it_with_its_state(sea: Sea) -> None:
    found = register(sea.store, sea.store.load(sea.id), "rome")
    ships = {(ship.side, ship.name): ship for ship in found.ships.values()}
    assert len(ships) == 12
    assert ships["rome", "Aquila"].at_sea and ships["rome", "Aquila"].ready
    assert ships["rome", "Minerva"].ready is False and not ships["rome", "Minerva"].deeds
    page = sea.page("rome", f"/campaign/{sea.id}/register?seat=rome")
    assert "Aquila ready, at sea" in page and "Minerva unready, in port" in page


def test_l3_9_prizes_and_losses_go_to_the_register(sea: Sea) -> None:
    sea.open()
    sea.deploy()
    sea.sink("c1", "c2")
    sea.sink("c3", status="captured", captured_by="rome")
    sea.sink("r2")
    sea.sink("c4", status="withdrawn")
    sea.play(300)
    sea.enter("rome")
    found = register(sea.store, sea.store.load(sea.id), "spectator")
    assert found.ships["carthage", "Tanit"].holder is None and found.ships["carthage", "Tanit"].fate == "lost"
    prize = found.ships["carthage", "Astarte"]
    assert prize.holder == "rome" and prize.ready is False and prize.counts["prize"] == 1
    assert ("rome", "Astarte") not in found.ships, "one ship is not two because she changed hands"
    assert found.ships["rome", "Lupa"].counts["battles"] == 1
    page = sea.page("rome", f"/campaign/{sea.id}/register?seat=rome")
    assert "a prize of Rome, unready, in port" in page and "went over to Rome as a prize" in page
    assert f"/g/{sea.battle}/log" not in page, "a fight that nobody recorded leads nowhere"


def test_l2_4_damage_from_a_report_is_remembered_and_its_repair(sea: Sea) -> None:
    outcome = NavalOutcome("rome", 4, {"rome": SideOutcome(damage={"Aquila": 3}), "carthage": SideOutcome(fled=True)})
    for side in ("rome", "carthage"):
        sea.give(side, type="report", engagement="2.1", outcome=plain(outcome), side=side)
    deeds = register(sea.store, sea.store.load(sea.id), "rome").ships["rome", "Aquila"].deeds
    assert [(told.deed.kind, told.deed.count) for told in deeds] == [("fought", 0), ("damage", 3)]
    assert deeds[1].place == "Lipara" and deeds[1].turn == "2"
    assert "returned to port with 3 hull damage" in sea.page("rome", f"/campaign/{sea.id}/register?seat=rome")


def test_l2_4_deeds_are_read_from_the_battles_own_journal(sea: Sea) -> None:
    sea.open()
    battle = sea.store.load(sea.battle).state
    names = {"r1": "Aquila", "c1": "Tanit"}
    happened = [
        {"type": "ram", "ship": "r1", "target": "c1", "damage": 4},
        {"type": "rake", "ship": "c1", "target": "r1"},
        {"type": "turn", "turn": 2},
        {"type": "fire", "ship": "c1", "target": "r1", "hull": 1},
        {"type": "fire", "ship": "c1", "target": "r1", "hull": 0},
        {"type": "board", "ship": "c1", "target": "r1", "success": False},
        {"type": "board", "ship": "r1", "target": "c1", "success": True},
        {"type": "flood", "ship": "c1", "damage": 1},
        {"type": "repair", "ship": "c1", "closed": 2},
        {"type": "captured", "ship": "c1", "by": "rome"},
        {"type": "ram", "ship": "r1", "target": "r5", "damage": 1},
    ]
    deeds = list(of_battle(battle, names, happened))
    assert [(deed.ship, deed.kind, deed.other, deed.count) for deed in deeds] == [
        ("Aquila", "rammed", "Tanit", 4),
        ("Tanit", "was_rammed", "Aquila", 4),
        ("Tanit", "raked", "Aquila", 0),
        ("Aquila", "was_raked", "Tanit", 0),
        ("Aquila", "shot", "Tanit", 1),
        ("Aquila", "boarded", "Tanit", 0),
        ("Tanit", "flooded", "", 1),
        ("Tanit", "mended", "", 2),
        ("Tanit", "taken", "rome", 0),
        ("Aquila", "took", "Tanit", 0),
        ("Aquila", "rammed", battle.ships["r5"].name, 1),
    ]
    assert deeds[0].turn == 1 and deeds[4].turn == 2


def test_l2_4_a_battle_played_to_its_end_agrees_with_the_register(sea: Sea) -> None:
    sea.open()
    sea.deploy()
    events = ("ram", "rake", "captured", "sunk")
    sea.play(4000)
    state = sea.store.load(sea.battle).state
    happened = [each for entry in sea.store.entries(sea.battle) for each in entry.events if each.type in events]
    warships = {name for name, ship in state.ships.items() if state.kind(ship).ram is not None}
    found = register(sea.store, sea.store.load(sea.id), "rome")
    made = sum(ship.counts["rammed"] for ship in found.ships.values())
    suffered = sum(ship.counts["was_rammed"] for ship in found.ships.values())
    assert made == sum(each.type == "ram" for each in happened)
    assert suffered == sum(each.type == "ram" and each.data["target"] in warships for each in happened)
    sunk = sum(ship.counts["sunk"] for ship in found.ships.values())
    assert sunk == sum(each.type == "sunk" and each.data["ship"] in warships for each in happened)
    assert {row["ship"] for row in rows(sea)} == {ship.name for ship in found.ships.values()}


def test_l2_4_what_was_taken_back_is_not_in_the_register(sea: Sea) -> None:
    sea.open()
    sea.store.undo(sea.id, sea.store.game(sea.id).version, "umpire")
    found = register(sea.store, sea.store.load(sea.id), "rome")
    assert all(not told.battle for ship in found.ships.values() for told in ship.deeds)
    assert len(rows(sea)) == 12


def test_l2_4_the_register_needs_a_seat(sea: Sea) -> None:
    assert sea.app.test_client().get(f"/campaign/{sea.id}/register").status_code == 401
    assert sea.client("rome").get("/campaign/NOSUCH/register?seat=rome").status_code == 404


def test_l2_4_two_states_that_differ_in_a_secret_give_equal_registers(tmp_path: Path) -> None:
    texts, hands = [], []
    for seed in (1, 2):
        folder = tmp_path / str(seed)
        folder.mkdir()
        sea = Sea(folder / "sea.db", seed=seed)  # other cards in the hands
        hands.append(sea.state.hands)
        texts.append(sea.client("spectator").get(f"/campaign/{sea.id}/register.csv?seat=spectator").text)
    assert hands[0] != hands[1] and texts[0] == texts[1]


def test_l3_2_two_models_of_a_unit_are_one_ship_of_the_register(sea: Sea) -> None:
    sea.open(models=2)
    sea.deploy()
    battle = sea.store.load(sea.battle).state
    assert [battle.ships[name].name for name in ("r1", "r2", "r3")] == ["Aquila I", "Aquila II", "Lupa I"]
    sea.sink(*(name for name, ship in battle.ships.items() if ship.side == "carthage"))
    sea.sink("r1", "r2", "r3")
    sea.play(300)
    page = sea.page("rome", f"/linked/{sea.battle}/review?seat=rome")
    assert "Sunk 2 Captured" in page, "three models of two are two units, halves up; which ones the campaign picks"
    form = sea.fetch("umpire", f"/linked/{sea.id}/report?seat=umpire")
    assert form.count('<option value="sunk" selected>') == 6
    assert sea.enter("rome").status_code == 303
    found = register(sea.store, sea.store.load(sea.id), "rome")
    assert len(found.ships) == 12 and found.ships["rome", "Aquila"].counts["battles"] == 1
    lost = {ship.name for ship in found.ships.values() if ship.side == "rome" and ship.holder is None}
    assert len(lost) == 2
