"""G2.3 Marks by hand, and levels that change: whatever they make is a position, and an adjust of nothing is accepted."""

from __future__ import annotations

import random

import pytest

from kit.odd_positions import odd_position
from tactical import GALLEY
from tactical.battle import Battle
from tactical.kernel.dice import Dice, random_source
from tactical.kernel.protocol import Illegal, NotYours
from tactical.kernel.record import BadInput, encode, plain, read
from tactical.rules.book_keeping import MARKS

LEAVING = ("resign", "agree", "level", "throw")


def do(battle: Battle, seat: str, kind: str, *dice: int, **fields) -> Battle:
    return GALLEY.apply(battle, seat, read({"type": kind, **fields}, GALLEY.command), Dice(dice)).state


def at_sea(level: str = "record", **ships) -> Battle:
    sheets = {
        "r1": {"side": "rome", "type": "trireme", "heavy": 3, "at": [3, 3], "facing": "N"},
        "c1": {"side": "carthage", "type": "trireme", "at": [3, 2], "facing": "S"},
        "c2": {"side": "carthage", "type": "trireme", "at": [4, 2], "facing": "S"},
    }
    for name, fields in ships.items():
        sheets[name] |= fields
    return GALLEY.start(None, {"ships": sheets, "level": level}, {}, Dice()).state


def unchanged(battle: Battle) -> None:
    """An adjust that changes nothing is accepted, and the state posts back as a position."""
    same = do(battle, "umpire", "adjust", changes={"turn": battle.turn}, why="-")
    assert encode(same) == encode(battle)
    assert encode(GALLEY.start(None, plain(battle), {}, Dice()).state) == encode(battle)


def test_g2_3_a_mark_that_contradicts_is_refused_with_the_reason():
    battle = at_sea()
    for field, value, why in (
        ("speed", 7, "must be -1 to 6"),
        ("facing", None, "heading"),
        ("boarding", "r1", "nobody boards"),
        ("captured_by", "greeks", "no side"),
        ("raked_by", "x9", "no ship"),
    ):
        with pytest.raises(BadInput, match=why) as refused:
            do(battle, "rome", "mark", ship="r1", field=field, value=value)
        assert refused.value.path == "value"


def test_g2_3_a_hull_marked_full_is_sunk():
    battle = do(at_sea(), "rome", "mark", ship="r1", field="damage", value=6)
    assert battle.ships["r1"].status == "sunk" and battle.ships["r1"].at is None and battle.board.wrecks == ((3, 3),)
    unchanged(battle)


def test_g8_6_a_captor_marked_makes_a_prize_and_a_prize_has_a_captor():
    taken = do(at_sea(), "carthage", "mark", ship="c1", field="captured_by", value="rome")
    assert taken.ships["c1"].is_prize
    same = do(at_sea(), "carthage", "mark", ship="c1", field="status", value="captured")
    assert same.ships["c1"].captured_by == "rome"
    free = do(taken, "carthage", "mark", ship="c1", field="captured_by", value=None)
    assert free.ships["c1"].is_afloat and free.ships["c1"].captured_by is None
    for battle in (taken, same, free):
        unchanged(battle)


def test_g8_2_a_fight_is_marked_on_both_sheets_and_struck_off_both():
    """Rome boards c1; c1's mark is taken off, and so is that of the boarder. When one of two boarders goes, it lasts."""
    fought = do(at_sea(), "rome", "mark", ship="r1", field="boarding", value="c1")
    assert (fought.ships["r1"].boarding, fought.ships["c1"].boarding) == ("c1", "c1")
    for name in ("r1", "c1"):
        over = do(fought, "umpire", "mark", ship=name, field="boarding", value=None)
        assert [over.ships[each].boarding for each in ("r1", "c1")] == [None, None]
        unchanged(over)
    for status in ("sunk", "withdrawn", "captured"):
        gone = do(fought, "rome", "mark", ship="r1", field="status", value=status)
        assert [gone.ships[each].boarding for each in ("r1", "c1")] == [None, None], status
        unchanged(gone)
    unchanged(fought)


def test_g2_3_a_sheet_that_was_contradictory_before_can_still_be_marked():
    """A game of an earlier version may hold one: a mark elsewhere is not refused for it."""
    battle = at_sea()
    odd = battle.with_ship("c1", read({**plain(battle.ships["c1"]), "boarding": "c1"}, type(battle.ships["c1"])))
    assert do(odd, "rome", "mark", ship="r1", field="damage", value=1).ships["r1"].damage == 1


@pytest.mark.parametrize("locked", [False, True])
def test_g3_1_plots_that_the_rules_forbid_are_rubbed_out_when_they_are_enforced_again(locked: bool):
    battle = do(at_sea("advise"), "rome", "plot", ship="r1", speed=5, anyway=True)
    battle = do(battle, "carthage", "plot", ship="c1", speed=2)
    if locked:
        battle = do(battle, "rome", "lock", side="rome")
    unchanged(battle)
    strict = do(battle, "umpire", "level", level="adjudicate")
    assert strict.ships["r1"].plot is None and not strict.sides["rome"].locked and strict.ships["c1"].plot == 2
    unchanged(strict)
    assert "rome" in GALLEY.waiting_for(strict)
    with pytest.raises(Illegal):
        do(strict, "rome", "plot", ship="r1", speed=5)
    assert do(battle, "umpire", "level", level="record").ships["r1"].plot == 5, "only sheets are kept: it stands"


@pytest.mark.parametrize("seed", range(60))
def test_g2_3_random_marks_and_commands_leave_positions(seed: int):
    """At `record` every mark is tried; at `advise` players insist on what the rules forbid; then rules are enforced."""
    rng = random.Random(f"marks {seed}")
    battle = odd_position(rng, table=seed % 5 == 4)
    if battle.is_over:
        return
    level = "record" if seed % 2 else "advise"
    battle, source = do(battle, "umpire", "level", level=level), random_source(rng.randrange)
    for _ in range(25):
        command = marked(battle, rng) if level == "record" and rng.random() < 0.6 else insisted(battle, rng)
        if command is None or battle.is_over:
            break
        try:
            said = read(command, GALLEY.command)
            battle = GALLEY.apply(battle, "umpire", said, Dice((), source)).state
        except (Illegal, NotYours, BadInput):
            continue
        unchanged(battle)
        assert battle.is_over or GALLEY.waiting_for(battle), command
    if not battle.is_over:
        unchanged(do(battle, "umpire", "level", level="adjudicate"))


def marked(battle: Battle, rng: random.Random) -> dict:
    """A mark in any box, sensible or not."""
    name, field = rng.choice(list(battle.ships)), rng.choice(sorted(MARKS))
    old = plain(getattr(battle.ships[name], field))
    if isinstance(old, bool):
        value = not old
    elif isinstance(old, int):
        value = old + rng.choice([-1, 1, 2, 5])
    elif field == "status":
        value = rng.choice(["afloat", "sunk", "captured", "withdrawn"])
    else:
        value = rng.choice([None, *battle.ships, *battle.sides, old])
    return {"type": "mark", "ship": name, "field": field, "value": value}


def insisted(battle: Battle, rng: random.Random) -> dict | None:
    """A command on offer, or a number beside it that the player insists on."""
    offers = [offer for offer in GALLEY.offers(battle, "umpire") if offer.type not in LEAVING]
    if not offers:
        return None
    offer = rng.choice(offers)
    fields = {}
    for name, value in offer.fields.items():
        if isinstance(value, list):
            fields[name] = rng.choice(value)
        elif isinstance(value, dict) and set(value) == {"from", "to"}:
            fields[name] = rng.randint(value["from"] - 2, value["to"] + 2)
        else:
            fields[name] = value
    insists = {"anyway": True} if rng.random() < 0.7 and "anyway" not in fields else {}
    return {"type": offer.type, **fields, **insists}
