"""What a whole fleet does in one command: the same as its ships' commands one after the other, offered where it can be."""

from __future__ import annotations

import random
from typing import Any

import pytest

from kit.fleet import do, on, position, ship
from tactical import GALLEY
from tactical.battle import Battle
from tactical.courses import IN_STEP, TURNS, offers, orders, run_ups
from tactical.kernel.dice import Dice, random_source
from tactical.kernel.protocol import Illegal, NotYours, Offer
from tactical.kernel.record import BadInput, encode, read


def moving(**ships: Any) -> Battle:
    """Rome's ships, in two squadrons, are to move in phase 1; an enemy lies ahead of r3."""
    fleet = {
        "r1": ship("rome", (3, 6), "N", squadron="First"),
        "r2": ship("rome", (3, 5), "N", squadron="First"),
        "r3": ship("rome", (8, 3), "N", squadron="Second"),
        "c1": ship("carthage", (8, 2), "S"),
        **ships,
    }
    battle = position(ships={name: {**sheet, "speed": 3} for name, sheet in fleet.items()})
    for side, names in (("rome", ("r1", "r2", "r3")), ("carthage", ("c1",))):
        for name in names:
            battle = do(battle, side, "plot", ship=name, speed=3).state
    battle = do(battle, "rome", "lock", side="rome").state
    return on(do(battle, "carthage", "lock", side="carthage").state)


def told(battle: Battle, side: str) -> list[dict[str, Any]]:
    return [offer.fields for offer in offers(battle, side)]


def mover(battle: Battle) -> str:
    return str(GALLEY.waiting_for(battle)[0])


def test_g4_1_all_ahead_moves_those_who_can_the_foremost_first_and_leaves_out_who_would_meet():
    battle = moving()
    if mover(battle) != "rome":
        battle = do(battle, "carthage", "step", ship="c1", turn="none").state
    found = orders(battle, "rome", "ahead")
    assert [command.ship for command in found][:2] == ["r2", "r1"] and all(each.turn == "none" for each in found)
    after = do(battle, "rome", "together", side="rome", what="ahead").state
    assert after.ships["r2"].at == (3, 4) and after.ships["r1"].at == (3, 5)


def test_g4_1_a_squadron_moves_alone():
    battle = moving()
    if mover(battle) != "rome":
        battle = do(battle, "carthage", "step", ship="c1", turn="none").state
    assert {"side": "rome", "what": "ahead", "squadron": "First"} in told(battle, "rome")
    after = do(battle, "rome", "together", side="rome", what="ahead", squadron="First").state
    assert after.ships["r1"].at == (3, 5) and after.ships["r3"].at == battle.ships["r3"].at


@pytest.mark.parametrize(
    ("fields", "kind"),
    [
        ({"side": "rome", "what": "fire"}, Illegal),
        ({"side": "rome", "what": "ahead", "squadron": "Third"}, Illegal),
        ({"side": "parthia", "what": "ahead"}, Illegal),
        ({"side": "rome"}, Illegal),
        ({}, Illegal),
        ({"side": "rome", "what": "fly"}, BadInput),
    ],
)
def test_what_no_ship_can_do_is_refused_with_its_rule(fields, kind):
    with pytest.raises(kind) as refused:
        do(moving(), "umpire", "together", **fields)
    assert str(refused.value)


def test_a_side_commands_its_own_fleet_only():
    battle = moving()
    if mover(battle) != "rome":
        battle = do(battle, "carthage", "step", ship="c1", turn="none").state
    with pytest.raises(NotYours):
        do(battle, "carthage", "together", side="rome", what="ahead")


def explicit(offer: Offer, battle: Battle) -> list[dict[str, Any]]:
    """The ships' commands of an offer as a program would send them."""
    found = orders(battle, offer.fields["side"], offer.fields["what"], offer.fields.get("squadron"))
    return [{"type": command.__struct_config__.tag, **_given(command)} for command in found]


def _given(command: Any) -> dict[str, Any]:
    fields = {name: getattr(command, name) for name in command.__struct_fields__}
    return {name: value for name, value in fields.items() if value is not None and value is not False}


@pytest.mark.parametrize("scenario", ["mylae", "first_oars"])
@pytest.mark.parametrize("seed", range(3))
def test_every_offer_to_a_fleet_is_legal_and_is_its_ships_commands(scenario, seed):
    """Along random battles: the same position and events as by the commands themselves, whatever the dice."""
    rng = random.Random(seed)
    known = {each.id for each in GALLEY.scenarios()}
    battle = GALLEY.start(scenario if scenario in known else sorted(known)[0], None, {}, Dice()).state
    met: set[str] = set()
    for _ in range(400):
        if battle.is_over:
            break
        for side in battle.sides:
            for offer in offers(battle, side):
                met.add(offer.fields["what"])
                one, other = (
                    GALLEY.apply(
                        battle, side, read(raw, GALLEY.command), Dice((), random_source(random.Random(7).randrange))
                    )
                    for raw in (
                        {"type": "together", **offer.fields},
                        {"type": "together", "commands": explicit(offer, battle)},
                    )
                )
                assert encode(one) == encode(other), offer
        seat = rng.choice(GALLEY.waiting_for(battle))
        found = [*offers(battle, seat)] or list(GALLEY.offers(battle, seat))
        offer = rng.choice([each for each in found if each.type not in ("agree", "resign", "forgo")])
        fields = {name: _picked(rng, value) for name, value in offer.fields.items()}
        source = random_source(rng.randrange)
        battle = GALLEY.apply(
            battle, seat, read({"type": offer.type, **fields}, GALLEY.command), Dice((), source)
        ).state
    assert {"ahead", "fire"} <= met <= {what for whats in IN_STEP.values() for what in whats}


def _picked(rng: random.Random, value: Any) -> Any:
    if isinstance(value, list):
        return rng.choice(value)
    return rng.randint(value["from"], value["to"]) if isinstance(value, dict) else value


# -- Who would run up on a friend, told in the plot.


def plotted(speeds: dict[str, int], **ships: Any) -> Battle:
    battle = position(ships=ships)
    for name, speed in speeds.items():
        battle = do(battle, ships[name]["side"], "plot", ship=name, speed=speed).state
    return battle


def test_g4_3_a_faster_ship_astern_runs_up_on_a_slower_one_in_the_phase_that_the_engine_says():
    battle = plotted(
        {"r1": 3, "r2": 1},
        r1=ship("rome", (3, 6), "N", speed=3),
        r2=ship("rome", (3, 5), "N", speed=1),
        c1=ship("carthage", (3, 1), "S", speed=2),
    )
    assert list(run_ups(battle, "rome", {})) == [("r1", "r2", 2)]
    battle = do(battle, "carthage", "plot", ship="c1", speed=0).state
    for side in ("rome", "carthage"):
        battle = do(battle, side, "lock", side=side).state
    while battle.step == "move" and (due := [name for name in ("r2", "r1") if battle.is_due(battle.ships[name])]):
        phase = battle.phase
        battle = do(battle, "rome", "step", ship=due[0], turn="none").state
        battle = on(battle)
        if battle.ships["r1"].stopped:
            break
    assert battle.ships["r1"].stopped and phase == 2


@pytest.mark.parametrize(
    "speeds, legs",
    [({"r1": 3, "r2": 3}, {}), ({"r1": 3}, {}), ({"r1": 3, "r2": 1}, {"r1": (TURNS["left"],)})],
    ids=["as fast", "the other has no plot yet", "she turns away"],
)
def test_g4_3_nobody_is_warned_of_a_friend_who_is_not_in_the_way(speeds: dict[str, int], legs: dict[str, Any]):
    two = {"r1": ship("rome", (3, 6), "N", speed=3, straight=9), "r2": ship("rome", (3, 5), "N", speed=2)}
    battle = plotted(speeds, **two, c1=ship("carthage", (10, 1), "S"))
    assert list(run_ups(battle, "rome", legs)) == []
