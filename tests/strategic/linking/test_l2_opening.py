"""L2 From an engagement to a battle: models, crews, transports, names, deployment."""

from __future__ import annotations

import msgspec
import pytest

from kit.linked_battle import (
    do,
    engagement,
    fleet,
    opened,
    refusal,
)
from strategic.naval import settling
from strategic.naval.engagement import (
    Fleet,
    NavalOutcome,
    NavalUnit,
    SideOutcome,
)
from strategic.naval.handoff import battle_position, crew_of_another
from tactical import GALLEY
from tactical.battle import Battle
from tactical.kernel.dice import Dice
from tactical.kernel.protocol import Illegal
from tactical.ship import FIGURES, TYPES


def test_l2_1_each_unit_becomes_one_to_five_quinqueremes():
    assert len([s for s in opened().ships.values() if s.side == "rome" and s.type == "quinquereme"]) == 3
    assert len([s for s in opened(3).ships.values() if s.side == "carthage"]) == 6
    for wrong in (0, 6):
        with pytest.raises(Illegal) as refused:
            battle_position(engagement(), wrong)
        assert refused.value.rule == "L2.1"


@pytest.mark.parametrize(
    "seamanship, crew", [("poor", "poor"), ("fair", "poor"), ("good", "average"), ("excellent", "average")]
)
def test_l2_2_seamanship_makes_the_roman_rowers_and_the_corvus_is_on_all_models(seamanship, crew):
    fleets = {**engagement().fleets}
    fleets["rome"] = msgspec.structs.replace(fleets["rome"], seamanship=seamanship)
    battle = opened(fleets=fleets)
    romans = [s for s in battle.ships.values() if s.side == "rome" and s.type == "quinquereme"]
    assert {s.crew for s in romans if not s.flagship} == {crew} and all(s.corvus for s in romans)
    assert [s.crew for s in romans if s.flagship] == ["average"], "whatever the seamanship"
    punic = [s for s in battle.ships.values() if s.side == "carthage"]
    assert {s.crew for s in punic} == {"average"} and not any(s.corvus for s in punic)


@pytest.mark.parametrize("rome, carthage", [(24, 24), (40, 40), (120, 119), (230, 1), (300, 300)])
def test_l2_1_as_many_models_are_offered_as_one_battle_holds(rome, carthage):
    fleets = {"rome": fleet("rome", rome, 1), "carthage": fleet("carthage", carthage)}
    meeting = engagement(fleets=fleets, supremacy=None)
    most = min(5, 239 // (rome + carthage))
    if not most:
        assert "battle" not in settling.offers(meeting, "rome")[0].fields["way"]
        with pytest.raises(Illegal, match="240 ships"):
            settling.choose_way(meeting, settling.ChooseWay("e1", "battle", "rome"))
        return
    consented = meeting.wishing("rome", "battle").wishing("carthage", "battle")
    offers = {offer.type: offer.fields for offer in settling.offers(consented, "rome")}
    assert offers["open_battle"]["models_per_unit"] == ({"from": 1, "to": most} if most > 1 else 1)
    for models in range(1, most + 1):
        position = battle_position(meeting, models)
        assert len(GALLEY.start(None, position, {}, Dice()).state.ships) == models * (rome + carthage) + 1
    for models in range(most + 1, 6):
        with pytest.raises(Illegal, match="240 ships"):
            settling.open_battle(consented, settling.OpenBattle("e1", models), {})


def test_l2_3_every_transport_is_a_ship_of_our_own_that_cannot_ram():
    battle = opened()
    (first, *_) = carried = [s for s in battle.ships.values() if s.type == "transport"]
    assert len(carried) == 2 and first.heavy == 2 and first.archers == 0
    kind = battle.kind(first)
    assert (kind.ram, kind.hull, kind.maximum, kind.cruise, kind.turn_cycle, kind.acceleration) == (None, 4, 2, 2, 2, 1)


def meeting(facing: str, contact_by: str) -> Battle:
    ships = {
        "r1": {"side": "rome", "type": "transport", "at": [4, 4], "facing": "N"},
        "c1": {"side": "carthage", "type": "quinquereme", "at": [4, 3], "facing": facing},
        "c9": {"side": "carthage", "type": "quinquereme", "at": [15, 0], "facing": "N"},
    }
    other = {"r1": "c1", "c1": "r1"}
    ships[contact_by]["contact"] = other[contact_by]
    return GALLEY.start(None, {"ships": ships, "step": "ram", "phase": 2}, {}, Dice()).state


def test_l2_3_a_a_contact_by_a_transport_is_held_and_bow_to_bow_the_warship_rams_without_a_roll():
    with pytest.raises(Illegal) as refused:
        do(meeting("S", "r1"), "rome", "ram", ship="r1")
    assert refused.value.rule == "L2.3"
    assert [offer.type for offer in GALLEY.offers(meeting("S", "r1"), "rome") if offer.fields.get("ship")] == ["hold"]
    after = do(meeting("S", "c1"), "carthage", "ram", 2, ship="c1").state
    assert after.ships["r1"].damage == 3 and after.ships["c1"].damage == 0


def test_l2_4_ships_keep_their_names_and_their_damage():
    fleets = {**engagement().fleets}
    hurt = (NavalUnit("rome-1", "Aquila", 3), *fleets["rome"].units[1:])
    fleets["rome"] = msgspec.structs.replace(fleets["rome"], units=hurt)
    battle = opened(fleets=fleets)
    assert battle.ships["r1"].name == "Aquila" and battle.ships["r1"].damage == 3
    assert len({ship.name for ship in battle.ships.values()}) == len(battle.ships)
    nameless = {side: Fleet(tuple(NavalUnit(f"{side}{n}", "") for n in range(9))) for side in ("rome", "carthage")}
    drawn = [ship.name for ship in opened(2, fleets=nameless).ships.values()]
    assert len(set(drawn)) == len(drawn) == 36


def test_l2_5_the_fleets_face_each_other_and_transports_are_behind_and_the_commander_leads():
    battle = opened()
    rows = {name: ship.at[1] + ship.at[0] // 2 for name, ship in battle.ships.items()}
    assert all(ship.facing == ("S" if ship.side == "rome" else "N") for ship in battle.ships.values())
    transports = [rows[name] for name, ship in battle.ships.items() if ship.type == "transport"]
    warships = [rows[name] for name, ship in battle.ships.items() if ship.side == "rome" and ship.type != "transport"]
    assert max(transports) < min(warships) < max(warships + [rows[n] for n in rows if n.startswith("c")])
    assert battle.ships["r1"].flagship and battle.ships["c1"].flagship


def test_l2_5_one_model_of_the_commanders_unit_is_the_flagship():
    flagships = [name for name, ship in opened(3).ships.items() if ship.flagship]
    assert flagships == ["r1", "c1"]


def test_l2_5_the_holder_of_supremacy_deploys_second():
    battle = opened(deployed=False)
    assert GALLEY.waiting_for(battle) == ("rome",)
    with pytest.raises(Illegal) as refused:
        do(battle, "carthage", "deploy", ship="c1", at=[5, 10], facing="N")
    assert refused.value.rule == "L2.5"
    with pytest.raises(Illegal, match=r"L2\.5"):
        do(battle, "rome", "plot", ship="r1", speed=1)
    with pytest.raises(Illegal, match="the rows of"):
        do(battle, "rome", "deploy", ship="r1", at=[5, 10], facing="S")
    battle = do(battle, "rome", "deploy", ship="r1", at=[2, 1], facing="SE").state
    assert battle.ships["r1"].at == (2, 1) and battle.ships["r1"].facing == "SE"
    battle = do(battle, "rome", "done", side="rome").state
    assert GALLEY.waiting_for(battle) == ("carthage",)
    battle = do(battle, "carthage", "done", side="carthage").state
    assert set(GALLEY.waiting_for(battle)) == {"rome", "carthage"}
    assert {offer.type for offer in GALLEY.offers(battle, "rome")} >= {"plot"}


@pytest.mark.parametrize(
    "sides, rule",
    [
        ({"rome": SideOutcome(damage={"rome-1": 8})}, "L2.4"),
        ({"rome": SideOutcome(damage={"rome-1": 99})}, "L2.4"),
        ({"rome": SideOutcome(damage={"rome-1": 7})}, None),
        ({"rome": SideOutcome(sunk=1, sunk_ships=("rome-1",), damage={"rome-1": 9})}, None),
    ],
)
def test_l2_4_a_ship_that_comes_home_floats(sides, rule):
    assert refusal(NavalOutcome(turns=3, sides=sides)) == rule


def test_l2_1_a_ship_that_the_source_gives_another_navy_alone_comes_with_the_crew_of_those_who_built_her() -> None:
    """A Roman trireme of an open campaign: Hellenistic figures; a quinquereme has her own navy's."""
    assert crew_of_another("trireme", "roman") == {
        figure: getattr(TYPES["trireme"].crew["hellenistic"], figure) for figure in FIGURES
    }
    assert crew_of_another("quinquereme", "roman") == {} == crew_of_another("no_such_ship", "roman")
