"""G1.5 The players' own table gives what hexes give: meetings of two, rakers that row clear, ships that have rowed away."""

from __future__ import annotations

import pytest

from kit.fleet import do, go, offered, position, ship
from tactical import GALLEY
from tactical.battle import Battle
from tactical.kernel.protocol import Illegal

TABLE = {"kind": "table"}


def at_table(phase: int = 6, **ships: dict[str, object]) -> Battle:
    """The move step of a phase; r9 owes a step in every phase of its speed, so that the step goes on."""
    idle = ship("rome", None, None, speed=5, crew="elite")
    return position(ships={**ships, "r9": idle}, board=TABLE, step="move", phase=phase)


def galley(side: str, **fields: object) -> dict[str, object]:
    return ship(side, None, None, **{"speed": 2, "straight": 1, **fields})


def touch(battle: Battle, name: str, target: str, aspect: str = "side", **turn: str) -> Battle:
    return go(battle, ("contact", {"ship": name, "target": target, "aspect": aspect, **turn}))


def step(battle: Battle, name: str, turn: str = "none") -> Battle:
    return go(battle, ("step", {"ship": name, "turn": turn}))


def until(battle: Battle, name: str, phase: int) -> Battle:
    """The battle with steps made and `done` said until this step of this phase."""
    while (battle.step, battle.phase) != (name, phase):
        due = [each for each, sheet in battle.ships.items() if battle.is_due(sheet)]
        battle = step(battle, due[0]) if due else go(battle, ("done", {"side": GALLEY.waiting_for(battle)[0]}))
    return battle


def refusal(battle: Battle, kind: str, **fields: object) -> Illegal:
    with pytest.raises(Illegal) as refused:
        do(battle, "umpire", kind, **fields)
    return refused.value


WAYS = {
    "with the turn": lambda battle: touch(battle, "r1", "c1", "bow_to_bow", turn="right"),
    "after a step": lambda battle: touch(step(battle, "r1", "right"), "r1", "c1", "bow_to_bow"),
}


@pytest.mark.parametrize("way", WAYS)
def test_g4_6_who_turns_into_a_ship_that_waits_on_it_meets_it(way: str) -> None:
    battle = at_table(3, r1=galley("rome"), c1=galley("carthage", crew="elite"))
    met = WAYS[way](touch(battle, "c1", "r1"))
    assert (met.ships["c1"].contact, met.ships["r1"].contact) == ("r1", "c1") and met.ships["r1"].straight == 0
    met = until(met, "ram", 3)
    assert refusal(met, "ram", ship="r1").rule == "G6.10", "the elite crew chooses first"
    assert {offer.type for offer in GALLEY.offers(met, "carthage")} >= {"ram", "rake", "hold"}


@pytest.mark.parametrize("way", WAYS)
def test_g4_6_who_waited_on_a_ship_whose_step_ends_in_contact_waits_on(way: str) -> None:
    """c2 waits on r1, r2 on c2; r1 turns into c1."""
    battle = at_table(3, r1=galley("rome"), r2=galley("rome"), c1=galley("carthage"), c2=galley("carthage"))
    met = WAYS[way](touch(touch(battle, "c2", "r1", "parallel"), "r2", "c2"))
    assert {name: each.contact for name, each in met.ships.items()} == {
        "r1": "c1",
        "r2": "c2",
        "c1": None,
        "c2": "r1",
        "r9": None,
    }
    assert met.ships["c2"].aspect == "parallel" and met.ships["c2"].touching == ("r1",)


def test_g4_2_a_ship_turns_into_contact_only_when_its_cycle_is_served() -> None:
    battle = at_table(3, r1=galley("rome", straight=0), c1=galley("carthage"))
    wrong = {"ship": "r1", "target": "c1", "aspect": "side", "turn": "left"}
    assert refusal(battle, "contact", **wrong).rule == "G4.2"
    assert "turn" not in offered(battle, "rome", "contact", ship="r1")[0]
    ready = at_table(3, r1=galley("rome"), c1=galley("carthage"))
    assert offered(ready, "rome", "contact", ship="r1")[0]["turn"] == ["none", "left", "right"]
    assert refusal(step(ready, "r1"), "contact", **wrong).rule == "G4.1"


def test_g7_2_a_raker_in_its_targets_hex_meets_nobody_before_it_is_clear() -> None:
    ships = {"r1": galley("rome", crew="elite", speed=3), "c1": galley("carthage", speed=0)}
    ships["c2"] = galley("carthage", speed=4)
    battle = until(touch(at_table(2, **ships), "r1", "c1", "parallel"), "ram", 2)
    battle = until(go(battle, ("rake", {"ship": "r1"})), "move", 4)
    assert battle.ships["r1"].passing == "c1"
    for target in ("c1", "c2"):
        assert refusal(battle, "contact", ship="r1", target=target, aspect="side").rule == "G7.2"
    assert {offer.type for offer in GALLEY.offers(battle, "rome") if offer.fields.get("ship") == "r1"} == {
        "step",
        "hold",
        "leave",
    }
    clear = step(battle, "r1")
    assert clear.ships["r1"].passing is None
    assert refusal(clear, "contact", ship="r1", target="c2", aspect="side").rule == "G7.2", "its step led straight out"


@pytest.mark.parametrize("steps_first", [True, False])
def test_g8_1_nobody_boards_a_ship_that_has_rowed_away_to_a_contact(steps_first: bool) -> None:
    """a touched b before; b declares a contact with c in this phase."""
    ships = {
        "a": galley("rome", speed=0, touching=["b"], heavy=2),
        "b": galley("carthage"),
        "c": galley("rome", speed=0),
    }
    battle = at_table(3, **ships)
    battle = touch(step(battle, "b") if steps_first else battle, "b", "c")
    assert refusal(until(battle, "board", 3), "board", ship="a", target="b").rule == "G8.1"


def test_g4_6_when_the_ship_in_front_rows_on_contacts_with_those_that_could_follow_are_off() -> None:
    """r0 rows on; c1 waited on it first and could follow, c2 could not; r2 waits on c1, r3 on c2."""
    ships = {name: galley("rome") for name in ("r0", "r2", "r3")} | {name: galley("carthage") for name in ("c1", "c2")}
    battle = at_table(3, **ships)
    for name, target in (("c1", "r0"), ("c2", "r0"), ("r2", "c1"), ("r3", "c2")):
        battle = touch(battle, name, target)
    after = do(battle, "rome", "step", ship="r0", turn="none")
    assert {name: each.contact for name, each in after.state.ships.items() if each.contact} == {"r3": "c2"}
    off = [(each.data["ship"], each.data["target"]) for each in after.events if each.type == "contact_off"]
    assert off == [("c1", "r0"), ("c2", "r0"), ("r2", "c1")]
    again = touch(after.state, "r2", "c1")
    assert again.ships["r2"].contact == "c1", "what touches again is declared anew"
    after = until(after.state, "board", 3)
    assert all(each.waited == 0 and each.aspect is None for name, each in after.ships.items() if name != "r3")
    assert not hasattr(after.ships["c1"].waited_on, "lower"), "nothing of it is left after the move step"
