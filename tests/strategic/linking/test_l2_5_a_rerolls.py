"""L2.5.a A commander may have one die of his side thrown again."""

from __future__ import annotations

import msgspec
import pytest

from kit.linked_battle import (
    do,
    fought,
    opened,
    to_the_end,
)
from tactical import GALLEY
from tactical.battle import Battle
from tactical.kernel.dice import Dice
from tactical.kernel.protocol import Illegal
from tactical.kernel.record import decode, encode, read


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
