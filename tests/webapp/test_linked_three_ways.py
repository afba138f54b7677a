"""L1.3 Three ways, one function: the same losses by the own table, a battle or a report give the same campaign."""

from __future__ import annotations

import random
from pathlib import Path

import pytest
from msgspec.structs import replace

from kit.linked_sea import Sea, chosen
from strategic.hamilcar import HAMILCAR
from strategic.hamilcar.state import State
from strategic.naval.engagement import NavalOutcome, SideOutcome
from tactical.kernel.dice import Dice, random_source
from tactical.kernel.protocol import UMPIRE
from tactical.kernel.record import encode, plain, read
from webapp.cli import serve
from webapp.storage.journal.store import Store

SIDES = ("rome", "carthage")


def start(seed: int) -> State:
    source = random_source(random.Random(seed).randrange)
    state: State = HAMILCAR.start("off_mylae", None, {}, Dice(source=source, secret=source)).state
    return state


def give(state: State, seat: str, dice: Dice, **command: object) -> State:
    after: State = HAMILCAR.apply(state, seat, read(command, HAMILCAR.command), dice).state
    return after


def by_own_table(state: State, seed: int) -> tuple[State, tuple[int, ...]]:
    """The naval battle of the game's own table at random; the campaign right after, and the dice of the entering."""
    pick = random.Random(seed)
    source = random_source(random.Random(seed + 100).randrange)
    state = give(
        state,
        "rome",
        Dice(source=source, secret=source),
        type="choose_way",
        engagement="2.1",
        way="own_table",
        side="rome",
    )
    while True:
        before = state
        seat = HAMILCAR.waiting_for(state)[0]
        offers = [each for each in HAMILCAR.offers(state, seat) if each.type != "resign"]
        dice = Dice(source=source, secret=source)
        state = give(state, seat, dice, **chosen(pick.choice(offers), pick))
        if before.naval is not None and state.naval is None:
            entering = tuple(face for roll in dice.rolls if roll.rule == "11.7.after.3" for face in roll.faces)
            return state, entering


def by_battle(state: State, outcome: NavalOutcome, faces: tuple[int, ...]) -> State:
    for side in SIDES:
        state = give(state, side, Dice(), type="choose_way", engagement="2.1", way="battle", side=side)
    state = give(state, "rome", Dice(), type="open_battle", engagement="2.1", models_per_unit=1)
    return give(state, UMPIRE, Dice(faces), type="settle", engagement="2.1", outcome=plain(outcome))


def by_report(state: State, outcome: NavalOutcome, faces: tuple[int, ...]) -> State:
    state = give(state, "rome", Dice(), type="report", engagement="2.1", outcome=plain(outcome), side="rome")
    return give(state, "carthage", Dice(faces), type="assent", engagement="2.1", side="carthage")


@pytest.mark.parametrize("seed", range(12))
def test_l1_3_the_same_losses_by_each_way_give_the_same_bytes(seed: int) -> None:
    begun = start(seed)
    after, faces = by_own_table(begun, seed)
    outcome = after.settled["2.1"]
    assert encode(by_battle(begun, outcome, faces)) == encode(after)
    assert encode(by_report(begun, outcome, faces)) == encode(after)


def test_l1_3_other_losses_give_another_campaign() -> None:
    begun = start(1)
    none = by_report(begun, NavalOutcome(turns=3), ())
    one = by_report(begun, NavalOutcome(turns=3, sides={"rome": SideOutcome(sunk=1)}), ())
    assert encode(none) != encode(one)


def test_l1_3_a_battle_on_the_server_and_a_report_of_it_give_the_same_bytes(tmp_path: Path) -> None:
    states = []
    for way in ("battle", "report"):
        folder = tmp_path / way
        folder.mkdir()
        sea = Sea(folder / "sea.db", seed=3)
        sea.store.source = lambda sides: 4
        if way == "battle":
            sea.open()
            sea.deploy()
            sea.sink("c1", "c2", "c3")
            sea.sink("c4", status="withdrawn")
            sea.sink("r6")
            sea.play(300)
            sea.enter("rome")
            fought = sea.state.settled["2.1"]
        else:
            for side in SIDES:
                sea.give(side, type="report", engagement="2.1", outcome=plain(fought), side=side)
        states.append(sea.state)
    assert encode(states[0]) == encode(states[1])
    assert states[0].settled["2.1"].of("rome").transports == 1


def test_l1_4_the_campaign_replays_without_the_battles_file(tmp_path: Path) -> None:
    sea = Sea(tmp_path / "sea.db")
    sea.open()
    sea.deploy()
    sea.sink("c1", "c2", "c3", "c4")
    sea.play(300)
    sea.enter("rome")
    opened = sea.store.table_after(sea.id, sea.store.game(sea.id).version - 1)
    entry = sea.store.entries(sea.id)[-1]
    dice = Dice(tuple(face for roll in entry.rolls for face in roll.faces))
    again = HAMILCAR.apply(opened.state, entry.seat, read(entry.command, HAMILCAR.command), dice).state
    assert encode(again) == encode(sea.state)
    assert replace(again, settled={}) != again


def test_the_demo_campaign_is_created_once(tmp_path: Path) -> None:
    store = Store(tmp_path / "games.db")
    found = serve.demo_campaign(store)
    assert found is not None and set(found[1]) == {"rome", "carthage", "umpire", "spectator"}
    assert store.load(found[0]).state.engagement.place == "lipara"
    assert serve.demo_campaign(Store(tmp_path / "games.db")) == found
    lines = serve.campaign_lines(store, "http://127.0.0.1:8000")
    assert "Off Mylae" in lines[0] and any(f"/join/{found[1]['rome']}" in line for line in lines)
