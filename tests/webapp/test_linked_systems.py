"""L2.6, L3.7, L3.8 The same pages for every system whose fleets come down to the table."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from kit.linked_sea import Sea
from tactical.kernel.record import plain
from webapp.pages.campaign.register import register


def hannibal() -> Any:
    from kit.hannibal_war import force, march, sail, war

    armies = (force("carthage", "carthage", 5, "hasdrubal"), force("rome", "cosa", 8, "p_scipio"))
    state = war(*armies, cards=(3,), options={"battles_at_sea": True})
    return sail(march(state, "hasdrubal", 3), "new_carthage", 5).state


def sword_of_rome() -> Any:
    from kit.legions import army, position
    from strategic.sword_of_rome import SWORD_OF_ROME
    from tactical.kernel.dice import Dice
    from tactical.kernel.record import read

    state = position(army("greeks", "neapolis", 3, "timoleon"), active="greeks", options={"battles_at_sea": True})
    for seat, command in (
        ("greeks", {"type": "activate", "card": 3, "leader": "timoleon", "units": 3}),
        ("greeks", {"type": "sail", "to": "syracusae"}),
        ("carthaginians", {"type": "contest", "card": 2}),
    ):
        state = SWORD_OF_ROME.apply(state, seat, read(command, SWORD_OF_ROME.command), Dice()).state
    return state


def punic_wars() -> Any:
    from kit.pw_table import after, attack, points, table

    fleets = {
        "2909": {"rome": points(2, 3), "carthage": points(3, 2)},
        "1012": {"carthage": points(4)},
        "3009": {"rome": points(4)},
    }  # where the fleets meet, and an army of each elsewhere
    return after(table(fleets, {"rc": "2909"}), "rome", attack("rc", "naval"))


SYSTEMS = {
    "hannibal": (hannibal, ("carthage", "rome"), "New Carthage", "4 warships; 5 transports", "The convoy arrives"),
    "sword_of_rome": (
        sword_of_rome,
        ("greeks", "carthaginians"),
        "Syracusae",
        "Greeks 5 warships",
        "The convoy arrives",
    ),
    "punic_wars": (punic_wars, ("rome", "carthage"), "The hex south of Roma", "3 warships", "What it will mean"),
}


@pytest.mark.parametrize("system", SYSTEMS)
def test_l1_4_a_meeting_goes_to_the_table_and_comes_home(tmp_path: Path, system: str) -> None:
    build, (mover, other), place, fleet, means = SYSTEMS[system]
    sea = Sea(tmp_path / "sea.db", None, system=system, position=plain(build()))
    name = sea.state.engagement.id
    page = sea.page(mover)
    assert f"A meeting at sea: {place}" in page and fleet in page and "Ship 1" not in page
    for side in (mover, other):
        sea.give(side, type="choose_way", engagement=name, way="battle", side=side)
    assert "Open the battle" in sea.page(other)
    sea.battle = sea.give(mover, type="open_battle", engagement=name, models_per_unit=1).events[-1]["game"]
    assert f"At stake: {place}" in sea.page(other, f"/g/{sea.battle}?seat={other}")
    ships = sea.store.load(sea.battle).state.ships
    sea.sink(*(ship for ship, one in ships.items() if one.side == other and one.type != "transport"))
    sea.play(300)
    review = sea.page(mover, f"/linked/{sea.battle}/review?seat={mover}")
    assert "has won" in review and means in review
    assert sea.enter(other).status_code == 303
    assert sea.state.settled[name].winner == mover and sea.state.engagement is None
    assert "A meeting at sea" not in sea.page(mover)
    page = sea.page(mover, f"/linked/{sea.battle}/review?seat={mover}")
    assert f"Entered as entry {sea.store.game(sea.id).version} of campaign {sea.id}." in page
    found = register(sea.store, sea.store.load(sea.id), mover)
    beaten = [ship for ship in ships.values() if ship.side == other and ship.type != "transport"]
    assert {ship.name for ship in beaten} <= {ship.name for ship in found.ships.values()}


def test_l3_8_a_report_that_loses_too_many_transports_is_refused_at_its_field(tmp_path: Path) -> None:
    sea = Sea(tmp_path / "sea.db", None, system="hannibal", position=plain(hannibal()))
    version = sea.store.game(sea.id).version
    fields = {"winner": "", "turns": "15", "carthage.transports": "6", "seen": version}
    answer = sea.post("carthage", f"/linked/{sea.id}/report", **fields)
    assert answer.status_code == 422 and "At most 5: no more were sent." in answer.text
    for side in ("carthage", "rome"):
        good = {**fields, "carthage.transports": "1", "seen": sea.store.game(sea.id).version}
        assert sea.post(side, f"/linked/{sea.id}/report", **good).status_code == 303
    assert sea.state.settled["1.1"].of("carthage").transports == 1
    assert "The convoy arrives; 1 CU is lost." in sea.page("rome", f"/campaign/{sea.id}/chronicle?seat=rome")
