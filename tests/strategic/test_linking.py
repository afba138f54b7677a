"""L2, L3 From an engagement to a battle and back."""

from __future__ import annotations

import random
from typing import Any

import msgspec
import pytest

from strategic.naval import settling
from strategic.naval.engagement import (
    Engagement,
    Fleet,
    NavalOutcome,
    NavalUnit,
    SideOutcome,
    Transport,
    check_outcome,
    units_lost,
)
from strategic.naval.handoff import battle_position, crew_of_another, outcome_of
from tactical import GALLEY
from tactical.battle import Battle
from tactical.kernel.dice import Dice, RollNeeded, random_source
from tactical.kernel.protocol import Illegal, Outcome
from tactical.kernel.record import decode, encode, read
from tactical.ship import FIGURES, TYPES


def fleet(side: str, ships: int, transports: int = 0, **facts: Any) -> Fleet:
    units = tuple(NavalUnit(f"{side}-{n}", f"{side.title()} {n}") for n in range(1, ships + 1))
    return Fleet(units, tuple(Transport(f"{side}-t{n}") for n in range(1, transports + 1)), **facts)


def engagement(**facts: Any) -> Engagement:
    """Rome sails with three ships and two transports and is met by Carthage's two off Mylae."""
    fleets = {
        "rome": fleet("rome", 3, 2, commander="duilius", rating=2, corvus=True, seamanship="poor"),
        "carthage": fleet("carthage", 2, commander="gisco", rating=1),
    }
    return Engagement(
        **{
            "id": "e1",
            "system": "hamilcar",
            "place": "mylae",
            "fleets": fleets,
            "mover": "rome",
            "rule": "11.7",
            "supremacy": "carthage",
            **facts,
        }
    )


def opened(models: int = 1, deployed: bool = True, **facts: Any) -> Battle:
    rerolls = facts.pop("rerolls", False)
    position = battle_position(engagement(**facts), models, campaign="CAMPGN", rerolls=rerolls)
    battle = GALLEY.start(None, position, {}, Dice()).state
    for side in battle.link.deploying if deployed else ():
        battle = do(battle, side, "done", side=side).state
    return battle


def do(battle: Battle, seat: str, kind: str, *dice: int, **fields: Any) -> Outcome[Battle]:
    return GALLEY.apply(battle, seat, read({"type": kind, **fields}, GALLEY.command), Dice(dice))


def adjusted(battle: Battle, **ships: dict[str, Any]) -> Battle:
    for name, changes in ships.items():
        battle = do(battle, "umpire", "adjust", ship=name, changes=changes, why="for the test").state
    return battle


def gone(*names: str) -> dict[str, dict[str, Any]]:
    return {name: {"status": "withdrawn", "at": None} for name in names}


def sunk(*names: str) -> dict[str, dict[str, Any]]:
    return {name: {"status": "sunk", "at": None, "damage": 8} for name in names}


def turn_end(battle: Battle) -> Battle:
    """Plot 0 for all, lock, and pass until the next turn or the end."""
    for side in battle.sides:
        for name in battle.afloat(side):
            battle = do(battle, side, "plot", ship=name, speed=0).state
        battle = do(battle, side, "lock", side=side).state if battle.afloat(side) else battle
    while battle.step in ("fire", "board", "end"):
        side = GALLEY.waiting_for(battle)[0]
        battle = do(battle, side, "done", side=side).state
    return battle


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


def close_quarters(rerolls: dict[str, int]) -> Battle:
    """r1 has run at c1's beam in a linked battle whose commanders have these re-rolls."""
    battle = opened()
    place = {"at": [8, 4], "facing": "N", "contact": "c1", "stepped": True, "speed": 3, "steps_made": 1, "plot": 1}
    raw = msgspec.to_builtins(battle)
    raw["ships"]["c1"].update({"at": [8, 3], "facing": "NE"})
    raw["ships"]["r1"].update(place)
    raw["link"]["rerolls"] = rerolls
    return GALLEY.start(None, {**raw, "step": "ram", "phase": 2}, {}, Dice()).state


def test_l2_5_a_a_commander_may_have_one_die_of_his_side_thrown_again():
    battle = close_quarters({"rome": 2})
    waiting = do(battle, "rome", "ram", 1, ship="r1")
    assert waiting.state.thrown is not None and waiting.state.ships["c1"].damage == 0
    assert waiting.events[0].data["dice"] == [1], "the first face stays in the journal"
    assert GALLEY.waiting_for(waiting.state) == ("rome",)
    again = do(waiting.state, "rome", "reroll", 6, side="rome", die=0).state
    assert again.ships["c1"].damage == 7 and again.link.rerolls == {"rome": 1} and again.thrown is None
    kept = do(waiting.state, "rome", "keep", side="rome").state
    assert kept.ships["c1"].damage == 2 and kept.link.rerolls == {"rome": 2}
    with pytest.raises(Illegal) as refused:
        do(waiting.state, "rome", "done", side="rome")
    assert refused.value.rule == "L2.5.a"


def test_l2_5_a_the_position_with_dice_on_the_table_is_the_same_whoever_threw_them():
    """The journal alone says who did; positions that were saved with it are read without."""
    ram = read({"type": "ram", "ship": "r1"}, GALLEY.command)
    battle = close_quarters({"rome": 2})
    by_hand = GALLEY.apply(battle, "rome", ram, Dice((1,))).state
    dice = Dice(source=lambda sides: 1)
    assert encode(GALLEY.apply(battle, "rome", ram, dice).state) == encode(by_hand)
    assert [roll.by for roll in dice.rolls] == ["server"]
    of_long_ago = encode(by_hand).replace(b'"by":"table"', b'"by":"server"')
    assert of_long_ago != encode(by_hand) == encode(decode(of_long_ago, GALLEY.state))


@pytest.mark.parametrize(
    "said",
    [
        {"type": "done", "side": "rome"},
        {"type": "agree", "side": "rome"},
        {"type": "adjust", "ship": "r1", "why": "no"},
        {"type": "level", "level": "advise"},
        {"type": "hold", "ship": "r1", "anyway": True},
    ],
)
def test_l2_5_a_while_dice_lie_on_the_table_nothing_else_is_taken_or_offered(said):
    battle = do(msgspec.structs.replace(close_quarters({"rome": 2}), level="advise"), "rome", "ram", 1, ship="r1").state
    assert [offer.type for offer in GALLEY.offers(battle, "rome")] == ["keep", "reroll"]
    assert not GALLEY.offers(battle, "carthage")
    wrong = GALLEY.why_not(battle, "umpire", read(said, GALLEY.command))
    assert wrong is not None and wrong.rule == "L2.5.a" and "must first keep the dice" in wrong.reason
    with pytest.raises(Illegal, match="must first keep the dice"):
        do(battle, "umpire", said["type"], **{name: value for name, value in said.items() if name != "type"})


def test_l2_5_a_at_most_once_a_turn_and_off_unless_chosen():
    spent = msgspec.to_builtins(close_quarters({"rome": 2}))
    spent["link"]["rerolled"] = {"rome": 1}
    battle = GALLEY.start(None, spent, {}, Dice()).state
    assert do(battle, "rome", "ram", 1, ship="r1").state.thrown is None
    assert opened().link.rerolls == {} and opened(rerolls=True).link.rerolls == {"rome": 2, "carthage": 1}


def bow_to_bow() -> Battle:
    """r1 and c1 meet bow to bow, and either commander has a re-roll; on the table lie a 2 of c1's and a 5 of r1's."""
    raw = msgspec.to_builtins(close_quarters({"rome": 1, "carthage": 1}))
    raw["ships"]["c1"]["facing"] = "S"
    return do(GALLEY.start(None, raw, {}, Dice()).state, "rome", "ram", 2, 5, 1, ship="r1").state


def test_l2_5_a_both_may_speak_before_either_answer_is_final():
    battle = bow_to_bow()
    assert GALLEY.waiting_for(battle) == ("rome", "carthage")
    kept = do(battle, "rome", "keep", side="rome").state
    assert GALLEY.waiting_for(kept) == ("carthage",)
    again = do(kept, "carthage", "reroll", 6, 3, side="carthage", die=0).state
    assert GALLEY.waiting_for(again) == ("rome",), "what Rome has kept lies otherwise now: it is asked anew"
    answered = do(again, "rome", "reroll", 6, 1, side="rome", die=1).state
    assert answered.thrown is None and answered.link.rerolls == {"rome": 0, "carthage": 0}
    assert answered.ships["r1"].damage and answered.ships["c1"].damage, "six and six: each rams the other"


def test_l2_5_a_when_both_have_kept_the_dice_they_lie():
    battle = do(bow_to_bow(), "rome", "keep", side="rome").state
    over = do(battle, "carthage", "keep", side="carthage").state
    assert over.thrown is None and over.link.rerolls == {"rome": 1, "carthage": 1} and over.ships["c1"].damage


def test_l2_5_a_the_marines_dice_are_not_thrown_again():
    """By the reading: bow to bow, ram and boarding dice; a fight, its repairs and floods go through."""
    raw = msgspec.to_builtins(fought())
    raw["link"]["rerolls"] = {"rome": 2, "carthage": 1}
    battle = to_the_end(GALLEY.start(None, raw, {}, Dice()).state, *(1,) * 18)
    assert battle.thrown is None and battle.step == "end"


def test_l1_1_the_engagement_and_the_battle_name_each_other():
    link = opened().link
    assert (link.game, link.engagement, link.system) == ("CAMPGN", "e1", "hamilcar")


def test_l1_2_a_where_a_side_has_no_warship_only_the_own_table_settles():
    fleets = {**engagement().fleets, "rome": fleet("rome", 0, 2)}
    with pytest.raises(Illegal) as refused:
        battle_position(engagement(fleets=fleets))
    assert refused.value.rule == "L1.2"


def test_l1_2_a_battle_of_a_campaign_is_not_resigned():
    with pytest.raises(Illegal) as refused:
        do(opened(), "rome", "resign", side="rome")
    assert refused.value.rule == "L1.2" and not any(o.type == "resign" for o in GALLEY.offers(opened(), "rome"))


@pytest.mark.parametrize(
    "sunk_models, captured_models, per_unit, sent, lost",
    [
        (2, 1, 1, 5, (2, 1)),
        (1, 0, 2, 5, (1, 0)),
        (1, 0, 3, 5, (0, 0)),
        (2, 0, 3, 5, (1, 0)),
        (1, 1, 2, 5, (0, 1)),
        (9, 9, 1, 3, (0, 3)),
        (3, 2, 5, 4, (1, 0)),
        (2, 3, 5, 4, (0, 1)),
    ],
)
def test_l3_2_models_to_units_halves_up_and_never_more_than_sent(sunk_models, captured_models, per_unit, sent, lost):
    assert units_lost(sunk_models, captured_models, per_unit, sent) == lost


def test_l3_1_captured_transports_do_not_come_home():
    taken = {"status": "captured", "captured_by": "carthage"}
    battle = turn_end(adjusted(opened(), **sunk("c1", "c2", "r5"), r4=taken))
    assert outcome_of(battle, engagement()).of("rome").transports == 2


def test_l3_1_damage_is_carried_home_by_who_floats_and_by_who_left():
    battle = adjusted(opened(), **sunk("c1", "c2", "r3"), r1={"damage": 2}, **gone("r2"))
    assert outcome_of(turn_end(battle), engagement()).of("rome").damage == {"rome-1": 2}


def test_l1_2_nobody_loses_more_than_was_sent():
    too_many = NavalOutcome(winner="rome", supremacy=None, turns=3, sides={"carthage": SideOutcome(sunk=3)})
    with pytest.raises(Illegal, match="cannot lose") as refused:
        check_outcome(engagement(), too_many)
    assert refused.value.rule == "L1.2"


def test_l3_3_only_warships_count_and_the_last_side_with_one_wins():
    battle = turn_end(adjusted(opened(), **sunk("c1"), c2={"status": "captured", "captured_by": "rome"}))
    assert battle.is_over and battle.result.winner == "rome"
    outcome = outcome_of(battle, engagement())
    assert outcome.winner == "rome" and outcome.of("carthage").sunk_ships == ("carthage-1",)
    assert outcome.of("carthage").captured_ships == ("carthage-2",) and outcome.of("carthage").lost == 2
    roman = turn_end(adjusted(opened(), **sunk("r1", "r2", "r3")))
    assert roman.result.winner == "carthage", "the transports afloat do not save Rome"


def test_l3_3_at_the_turn_limit_nobody_has_won():
    battle = msgspec.to_builtins(opened())
    battle = GALLEY.start(None, {**battle, "turn": 15}, {}, Dice()).state
    battle = turn_end(adjusted(battle, **sunk("c1")))
    assert battle.is_over and battle.result.winner is None
    outcome = outcome_of(battle, engagement())
    assert outcome.winner is None and outcome.turns == 15 and outcome.of("carthage").sunk == 1


def test_l3_4_until_the_end_of_turn_four_the_edge_is_a_wall():
    for turn, wall in ((1, True), (4, True), (5, False)):
        raw = {**msgspec.to_builtins(opened()), "turn": turn}
        assert GALLEY.start(None, raw, {}, Dice()).state.edge_is_wall() is wall


def test_l3_4_a_side_whose_last_warship_left_over_the_edge_has_fled():
    battle = turn_end(adjusted(opened(), **sunk("r1"), **gone("r2", "r3")))
    outcome = outcome_of(battle, engagement())
    assert outcome.winner == "carthage" and outcome.of("rome").fled and not outcome.of("rome").evaded
    assert outcome.of("rome").sunk == 1 and outcome.of("rome").transports == 0, "those are at the winner's mercy later"


def evading(battle: Battle) -> Battle:
    for side in battle.sides:
        for name in battle.afloat(side):
            battle = do(battle, side, "plot", ship=name, speed=0).state
        battle = do(battle, side, "lock", side=side).state
    while battle.step in ("fire", "board"):
        battle = do(battle, GALLEY.waiting_for(battle)[0], "done", side=GALLEY.waiting_for(battle)[0]).state
    return battle


def test_l3_5_at_the_end_of_a_turn_the_holder_of_supremacy_may_evade():
    battle = evading(opened())
    assert battle.step == "end" and GALLEY.waiting_for(battle) == ("carthage",)
    with pytest.raises(Illegal) as refused:
        do(battle, "rome", "evade", side="rome")
    assert refused.value.rule == "L3.5"
    over = do(battle, "carthage", "evade", side="carthage").state
    outcome = outcome_of(over, engagement())
    assert over.is_over and outcome.winner == "rome" and outcome.of("carthage").evaded
    assert not outcome.of("carthage").fled and outcome.of("carthage").lost == 0
    on = do(battle, "carthage", "done", side="carthage").state
    assert on.turn == 2 and on.step == "plot"


def test_l3_5_only_hamilcar_knows_evading():
    assert evading(opened(system="punic_wars", supremacy=None)).turn == 2


def test_l3_1_an_outcome_is_read_only_from_a_battle_that_has_ended():
    with pytest.raises(Illegal) as refused:
        outcome_of(opened(), engagement())
    assert refused.value.rule == "L1.4"


def test_l3_9_a_lost_flagship_changes_nothing_else():
    battle = turn_end(adjusted(opened(), **sunk("c1")))
    assert not battle.is_over and battle.ships["c2"].is_afloat


@pytest.mark.parametrize("seed", range(12))
def test_l3_1_battles_at_random_send_home_outcomes_that_hold(seed):
    """No ship or transport appears or vanishes: what comes home is what was sent, less what was lost."""
    rng = random.Random(seed)
    source = random_source(rng.randrange)
    met = engagement()
    battle = opened(rng.choice([1, 2]), deployed=False, rerolls=seed % 2 == 0)
    for _ in range(6000):
        if battle.is_over:
            break
        seat = rng.choice(GALLEY.waiting_for(battle))
        offer = rng.choice([o for o in GALLEY.offers(battle, seat) if o.type != "agree"])
        fields = {
            name: rng.choice(value)
            if isinstance(value, list)
            else rng.randint(value["from"], value["to"])
            if isinstance(value, dict)
            else value
            for name, value in offer.fields.items()
        }
        battle = GALLEY.apply(
            battle, seat, read({"type": offer.type, **fields}, GALLEY.command), Dice((), source)
        ).state
        assert GALLEY.invariants(battle) == ()
    outcome = outcome_of(battle, met)
    check_outcome(met, outcome)
    assert outcome.turns <= 15
    for side, sent in met.fleets.items():
        assert 0 <= outcome.of(side).lost <= len(sent.units)


def test_l3_4_a_side_has_not_fled_when_its_last_warship_was_sunk():
    battle = turn_end(adjusted(opened(), **gone("r2", "r3"), **sunk("r1")))
    outcome = outcome_of(battle, engagement())
    assert outcome.winner == "carthage" and not outcome.of("rome").fled and outcome.of("rome").sunk == 1


def last_to_leave() -> Battle:
    """Turn 6, past the wall: r3, Rome's last warship, leaves over the edge; c1, Carthage's last, owes a step."""
    battle = adjusted(opened(), **sunk("r1", "r2", "c2"), r3={"at": [4, 13], "facing": "S"})
    battle = do(battle, "umpire", "adjust", changes={"turn": 6}, why="the wall is gone").state
    for name in battle.afloat():
        battle = do(battle, "umpire", "plot", ship=name, speed=1 if name in ("r3", "c1") else 0).state
    for side in battle.sides:
        battle = do(battle, side, "lock", side=side).state
    return do(passed(battle), "rome", "step", ship="r3", turn="none").state


def flooding(battle: Battle) -> Battle:
    """c1, Carthage's last, has a breach that a 1 does not close, and one point of hull left."""
    return adjusted(battle, c1={"damage": 7, "breaches": 1})


def test_l3_4_a_side_that_fled_has_fled_though_nobody_has_won():
    battle = do(flooding(last_to_leave()), "carthage", "step", 1, ship="c1", turn="none").state
    assert battle.is_over and battle.result.winner is None and battle.link.fled == ("rome",)
    outcome = outcome_of(battle, engagement())
    assert outcome.winner is None and outcome.of("rome").fled and not outcome.of("carthage").fled
    assert outcome.of("carthage").lost == 2


def test_l3_4_both_sides_may_have_fled():
    battle = turn_end(adjusted(opened(), **gone("r1", "r2", "r3", "c1", "c2")))
    outcome = outcome_of(battle, engagement())
    assert outcome.winner is None and outcome.of("rome").fled and outcome.of("carthage").fled


def test_l3_3_who_has_the_last_warship_has_won_also_when_both_agree_to_end():
    battle = last_to_leave()
    for side in ("rome", "carthage"):
        battle = do(battle, side, "agree", side=side).state
    assert battle.result.winner == "carthage" and battle.result.why == "agreed"
    assert outcome_of(battle, engagement()).of("rome").fled


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


@pytest.mark.parametrize(
    "winner, sides, rule",
    [
        ("carthage", {"rome": SideOutcome(evaded=True)}, "L3.5"),
        ("rome", {"carthage": SideOutcome(evaded=True)}, None),
        (None, {"rome": SideOutcome(evaded=True), "carthage": SideOutcome(sunk=2)}, "L3.5"),
        (None, {"carthage": SideOutcome(evaded=True), "rome": SideOutcome(fled=True)}, None),
        (None, {"rome": SideOutcome(fled=True)}, "L3.1"),
        (None, {"rome": SideOutcome(fled=True), "carthage": SideOutcome(sunk=1, captured=1)}, None),
    ],
)
def test_l3_5_the_holder_of_supremacy_alone_evades_and_l3_4_who_left_leaves_nobody_behind(winner, sides, rule):
    assert refusal(NavalOutcome(winner, 3, sides)) == rule


def refusal(outcome: NavalOutcome) -> str | None:
    """The clause that a report of this outcome breaks."""
    try:
        check_outcome(engagement(), outcome)
    except Illegal as wrong:
        return wrong.rule
    return None


def test_l3_4_a_battle_of_version_0_1_did_not_note_who_went_last():
    raw = {**msgspec.to_builtins(opened())}
    raw["link"] = {**raw["link"], "fled": None}
    battle = GALLEY.start(None, raw, {}, Dice()).state
    outcome = outcome_of(turn_end(adjusted(battle, **gone("r2", "r3"), **sunk("r1"))), engagement())
    assert outcome.of("rome").fled


def test_l3_4_over_the_edge_in_play_is_noted():
    battle = adjusted(opened(), **sunk("r1", "r2"), r3={"at": [4, 13], "facing": "S", "speed": 1})
    battle = do(battle, "umpire", "adjust", changes={"turn": 5}, why="the wall is gone").state
    for name in battle.afloat():
        speed = 1 if name == "r3" else 0
        battle = do(battle, "umpire", "plot", ship=name, speed=speed).state
    for side in battle.sides:
        battle = do(battle, side, "lock", side=side).state
    battle = passed(battle)
    battle = do(battle, "rome", "step", ship="r3", turn="none").state
    assert battle.ships["r3"].status == "withdrawn" and battle.link.fled == ("rome",)


def passed(battle: Battle) -> Battle:
    """Say `done` in the fire and board steps."""
    while battle.step in ("fire", "board"):
        side = GALLEY.waiting_for(battle)[0]
        battle = do(battle, side, "done", side=side).state
    return battle


def fought() -> Battle:
    """c1 has boarded r1; the other ships of both stand by."""
    battle = opened()
    at = list(battle.ships["c1"].at)
    ships = {**msgspec.to_builtins(battle.ships)}
    ships["r1"] |= {"at": [at[0], at[1] - 1], "boarding": "r1", "heavy": 9}
    ships["c1"] |= {"boarding": "r1", "medium": 9}
    return GALLEY.start(None, {**msgspec.to_builtins(battle), "ships": ships}, {}, Dice()).state


def to_the_end(battle: Battle, *dice: int) -> Battle:
    for side in battle.sides:
        for name in battle.afloat(side):
            if battle.ships[name].boarding is None:
                battle = do(battle, side, "plot", ship=name, speed=0).state
    turn = battle.turn
    while battle.turn == turn and battle.step not in ("end", "over"):
        side = GALLEY.waiting_for(battle)[0]
        word = "lock" if battle.step == "plot" else "done"
        try:
            battle = do(battle, side, word, side=side).state
        except RollNeeded:
            battle = do(battle, side, word, *dice, side=side).state
    return battle


def test_l3_5_the_outcome_names_the_supremacy_that_was_conceded():
    """Carthage evades and leaves one ship in its fight: supremacy is Rome's, whatever becomes of that ship."""
    battle = do(fought(), "umpire", "adjust", changes={"turn_limit": 1}, why="short").state
    battle = to_the_end(battle, *(1,) * 18)
    assert battle.step == "end" and GALLEY.waiting_for(battle) == ("carthage",)
    battle = do(battle, "carthage", "evade", side="carthage").state
    assert battle.is_over and battle.result.winner is None and battle.ships["c1"].is_afloat
    outcome = outcome_of(battle, engagement())
    assert outcome.supremacy == "rome" and outcome.winner is None and not outcome.of("carthage").evaded


def test_l3_5_a_side_that_evaded_has_not_won():
    """c1 stays behind in its fight and takes the last Roman: nobody has won."""
    battle = do(to_the_end(fought(), *(1,) * 18), "carthage", "evade", side="carthage").state
    assert not battle.is_over and battle.turn == 2
    battle = adjusted(battle, **gone("r2", "r3"), r1={"heavy": 1})
    battle = to_the_end(battle, *(6,) * 10)
    assert battle.is_over and battle.result.winner is None
    outcome = outcome_of(battle, engagement())
    assert outcome.winner is None and outcome.supremacy == "rome" and outcome.of("rome").captured == 1


def test_l3_5_evading_comes_after_fights_repairs_and_floods():
    """c2 has a breach and one point left: it founders before Carthage is asked."""
    battle = to_the_end(adjusted(opened(), c2={"damage": 7, "breaches": 1}), 1)
    assert battle.step == "end" and battle.ships["c2"].status == "sunk"
    early = opened()
    with pytest.raises(Illegal, match="not a command of the plot step"):
        do(early, "carthage", "evade", side="carthage")
    over = do(battle, "carthage", "evade", side="carthage").state
    assert over.is_over and outcome_of(over, engagement()).of("carthage").sunk == 1


def test_l3_5_who_has_no_enemy_left_is_not_asked_whether_it_evades():
    battle = to_the_end(adjusted(opened(), **sunk("r1", "r2"), r3={"damage": 7, "breaches": 1}), 1)
    assert battle.is_over and battle.result.winner == "carthage"


def test_l2_1_a_ship_that_the_source_gives_another_navy_alone_comes_with_the_crew_of_those_who_built_her() -> None:
    """A Roman trireme of an open campaign: Hellenistic figures; a quinquereme has her own navy's."""
    assert crew_of_another("trireme", "roman") == {
        figure: getattr(TYPES["trireme"].crew["hellenistic"], figure) for figure in FIGURES
    }
    assert crew_of_another("quinquereme", "roman") == {} == crew_of_another("no_such_ship", "roman")
