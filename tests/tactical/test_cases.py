"""The published catalogue of adjudication cases, all run against the engine: G1.4, G4.6, G6.10, G7.2, G8.4 and more."""

from __future__ import annotations

import json

import msgspec
import pytest

from tactical import GALLEY
from tactical.kernel.dice import Dice
from tactical.kernel.record import encode, read
from tactical.position import invariants
from webapp.pages.reference.books import book
from webapp.pages.reference.cases import (
    Case,
    Fault,
    cases,
    chapters,
    citing,
    differences,
    disagreements,
    first_position,
    play_case,
)

ALL = cases()


@pytest.mark.parametrize("number", ALL, ids=lambda number: f"{number}-{ALL[number].title.replace(' ', '-')}")
def test_the_engine_gives_what_the_case_expects(number: int):
    assert disagreements(ALL[number]) == []


def test_the_catalogue_is_numbered_without_gaps_or_doubles():
    numbers = [case.number for chapter in chapters() for case in chapter.cases]
    assert sorted(numbers) == list(range(1, len(numbers) + 1)), "a case keeps its number; new ones come last"
    assert len(numbers) >= 188
    assert len({case.title for case in ALL.values()}) == len(numbers)


def test_every_cite_is_a_paragraph_and_every_refusal_too():
    known = book("galley").by_id
    for case in ALL.values():
        assert case.cites and set(case.cites) <= set(known), case.number
        assert {told.refused for told in case.play if told.refused} <= set(known), case.number
        assert case.expect, case.number


def test_the_chapters_that_a_table_argues_about_are_covered():
    for paragraph in (
        "G1.4",
        "G3.1",
        "G3.2",
        "G3.3",
        "G3.4",
        "G4.2",
        "G4.3",
        "G4.4",
        "G4.5",
        "G4.6",
        "G4.6.a",
        "G5.1",
        "G5.2",
        "G5.3",
        "G5.4",
        "G5.5",
        "G5.6",
        "G5.7",
        "G5.8",
        "G6.1",
        "G6.2",
        "G6.3",
        "G6.4",
        "G6.5",
        "G6.6",
        "G6.7",
        "G6.8",
        "G6.9",
        "G6.10",
        "G7.1",
        "G7.2",
        "G7.3",
        "G8.1",
        "G8.2",
        "G8.3",
        "G8.4",
        "G8.5",
        "G8.6",
        "G9.2",
        "G9.3",
        "G9.4",
        "G10.1",
        "G10.2",
        "G2.3",
        "G3.0",
        "G1.5",
    ):
        assert citing(paragraph), paragraph


@pytest.mark.parametrize("number", ALL)
def test_positions_are_the_contracts_own_and_stay_sound(number: int):
    case = ALL[number]
    battle = first_position(case)
    again = GALLEY.start(None, json.loads(encode(battle)), {}, Dice()).state
    assert encode(again) == encode(battle)
    after, _ = play_case(case)
    assert invariants(after) == ()


def test_a_refused_command_changes_nothing():
    for case in ALL.values():
        battle = first_position(case)
        for told in case.play:
            command = read(told.command, GALLEY.command, "command")
            if told.refused:
                before = encode(battle)
                with pytest.raises(Exception, match=told.refused):
                    GALLEY.apply(battle, told.seat, command, Dice(told.dice))
                assert encode(battle) == before
            else:
                battle = GALLEY.apply(battle, told.seat, command, Dice(told.dice)).state


def changed(case: Case, **fields: object) -> Case:
    return msgspec.structs.replace(case, **fields)


def test_a_case_that_is_wrong_is_found_out():
    case = ALL[next(number for number, each in ALL.items() if each.title == "From right astern")]
    wrong = changed(case, expect={"ships": {"b1": {"damage": 3}}})
    assert disagreements(wrong) == [Fault("ships.b1.damage", 4, 3)]
    refused = changed(case, play=(*case.play[:1], msgspec.structs.replace(case.play[1], refused="G7.1")))
    assert disagreements(refused)[0].expected == "G7.1"
    unknown = changed(case, expect={"ships": {"b7": {}}})
    assert disagreements(unknown) == [Fault("ships.b7", "no such field", {})]


def test_hexes_of_wrecks_may_come_in_any_order():
    assert differences({"wrecks": [[1, 2], [0, 1]]}, {"wrecks": [[0, 1], [1, 2]]}, "board") == []
    assert differences({"at": [1, 2]}, {"at": [2, 1]}, "ship") != []
