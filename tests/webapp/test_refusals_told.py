"""Refusals and undo reasons of every system in the reader's language: those in the sources, and those met in play."""

from __future__ import annotations

import ast
import random
import re
from collections.abc import Iterator
from pathlib import Path

import pytest
from flask import Flask
from flask_babel import force_locale

from goldens.playing import kept, scenarios, states
from kit.commands_of import near, picked, plain_commands, pools_of, refusal
from kit.real_house import shared_app, shared_store  # noqa: F401
from tactical.kernel.protocol import SPECTATOR, UMPIRE, Illegal, NotYours
from tactical.kernel.record import Reason, because
from webapp.pages.battle.orders import gap_text, undo_word
from webapp.presenting.refusals import flash_of, refusal_text
from webapp.storage.errors import Barred
from webapp.storage.journal.store import all_systems

ROOT = Path(__file__).parents[2]
FORM_AT = {
    "Barred": 0,
    "BadFace": 1,
    "BadInput": 1,
    "Illegal": 1,
    "NotYours": 0,
    "Reason": 0,
    "Refused": 0,
    "because": 0,
}
NAMES_GAPS = ("BadFace", "BadInput", "Illegal", "NotYours", "because")  # their gaps are filled by keyword
GAP = re.compile(r"%\((\w+)\)s")
EVERY, NEAR = [24, pytest.param(8, marks=pytest.mark.soak)], 60


def refusals() -> Iterator[tuple[str, ast.expr, ast.Call, str]]:
    """Each call in the sources that gives a reason: where, the reason, the call, and what is called."""
    for folder in ("tactical", "strategic", "webapp"):
        for path in sorted((ROOT / folder).rglob("*.py")):
            for node in ast.walk(ast.parse(path.read_text())):
                name = getattr(node.func, "id", "") if isinstance(node, ast.Call) else ""
                if isinstance(node, ast.Call) and name in FORM_AT and len(node.args) > FORM_AT[name]:
                    yield f"{path.relative_to(ROOT)}:{node.lineno}", node.args[FORM_AT[name]], node, name


def test_no_refusal_is_a_sentence_with_its_values_in_it() -> None:
    """Other languages need the form: no f-string and no sum of texts, but where a page has translated it already."""
    made = [
        where
        for where, reason, _, name in refusals()
        if isinstance(reason, ast.JoinedStr | ast.BinOp) and not (name == "Reason" and where.startswith("webapp/pages"))
    ]
    assert not made


def test_a_form_names_just_the_values_that_fill_it() -> None:
    wrong, found = [], 0
    for where, reason, call, name in refusals():
        if isinstance(reason, ast.Constant) and isinstance(reason.value, str) and name in NAMES_GAPS:
            given = {each.arg for each in call.keywords}
            found += 1
            if None not in given and set(GAP.findall(reason.value)) != given:
                wrong.append((where, reason.value, given))
    assert found > 700 and not wrong


def test_a_reason_reads_in_english_as_it_was_written() -> None:
    why = because("%(ship)s owes %(count)s steps to %(sides)s.", ship="r1", count=2, sides=("rome", "carthage"))
    assert str(why) == "r1 owes 2 steps to rome, carthage."
    assert str(Reason("100 % is all")) == "100 % is all"
    assert str(Illegal("G4.3", why)) == "G4.3: r1 owes 2 steps to rome, carthage."


IDS = re.compile(r"[a-z0-9_.:]*")  # what may stand for a thing's name; a word of a language is a Reason


def texts(node: ast.AST, local: dict[str, list[ast.expr]], seen: frozenset[str] = frozenset()) -> Iterator[str]:
    """The texts that an expression may come to: its own, and those of the names that its function gives a value."""
    if isinstance(node, ast.Constant) and isinstance(node.value, str):
        yield node.value
    elif isinstance(node, ast.Name) and node.id not in seen:
        for value in local.get(node.id, ()):
            yield from texts(value, local, seen | {node.id})
    elif isinstance(node, ast.IfExp):
        yield from (text for part in (node.body, node.orelse) for text in texts(part, local, seen))
    elif isinstance(node, ast.JoinedStr):
        yield from (part.value for part in node.values if isinstance(part, ast.Constant))
    elif isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute) and node.func.attr in ("replace", "title"):
        yield "a word made of an id"
    elif isinstance(node, ast.BoolOp | ast.Tuple | ast.List | ast.BinOp):
        yield from (text for part in ast.iter_child_nodes(node) for text in texts(part, local, seen))


def assigned(function: ast.AST) -> dict[str, list[ast.expr]]:
    """What the names of a function are given, in assignments and loops over what stands there in full."""
    found: dict[str, list[ast.expr]] = {}
    for node in ast.walk(function):
        pairs = []
        if isinstance(node, ast.Assign):
            pairs = [(target, node.value) for target in node.targets]
        elif isinstance(node, ast.For) and isinstance(node.iter, ast.Tuple | ast.List):
            pairs = [(node.target, each) for each in node.iter.elts]
        for target, value in pairs:
            if isinstance(target, ast.Tuple) and isinstance(value, ast.Tuple):
                for name, each in zip(target.elts, value.elts, strict=False):
                    found.setdefault(getattr(name, "id", ""), []).append(each)
            found.setdefault(getattr(target, "id", ""), []).append(value)
    return found


@pytest.mark.parametrize("folder", ["tactical", "strategic"])
def test_no_refusal_and_no_event_has_a_word_of_a_language_as_a_value(folder: str) -> None:
    """Values are numbers, ids, names, what somebody has typed, or reasons: these alone are told in every language."""
    wrong, found = [], 0
    for path in sorted((ROOT / folder).rglob("*.py")):
        for function in ast.walk(ast.parse(path.read_text())):
            local = assigned(function) if isinstance(function, ast.FunctionDef) else {}
            for node in ast.walk(function) if local else ():
                if isinstance(node, ast.Call) and getattr(node.func, "id", "") in (*NAMES_GAPS, "event"):
                    found += len(node.keywords)
                    wrong += [
                        f"{path.relative_to(ROOT)}:{node.lineno} {each.arg}: {text!r}"
                        for each in node.keywords
                        for text in texts(each.value, local)
                        if not IDS.fullmatch(text)
                    ]
    assert found > 200 and not wrong


def heard(system: str, scenario: str, every: int) -> dict[str, Reason]:
    """The refusals of near misses in a golden game, by their forms."""
    rules, throw, found = all_systems()[system], random.Random(11), dict[str, Reason]()
    for state in states(system, kept(system, scenario), every):
        offers = [offer for seat in rules.waiting_for(state) for offer in rules.offers(state, seat)]
        pools = pools_of(offers)
        for _ in range(NEAR if offers else 0):
            seat = throw.choice((*rules.waiting_for(state), *rules.sides(state), UMPIRE, SPECTATOR))
            command = near(picked(throw.choice(offers), 1, throw)[0], pools, throw)
            command = command or throw.choice(plain_commands(rules, seat))
            wrong = refusal(rules, state, seat, command)
            if isinstance(wrong, Illegal | NotYours):
                found[wrong.why.form] = wrong.why
    return found


@pytest.mark.parametrize("every", EVERY)
@pytest.mark.parametrize(("system", "scenario"), scenarios())
def test_what_is_refused_in_play_is_told_in_every_language(app: Flask, system: str, scenario: str, every: int) -> None:
    reasons = heard(system, scenario, every)
    assert reasons
    for language in ("ru", "it"):
        with app.test_request_context(), force_locale(language):
            for why in reasons.values():
                said = refusal_text(system, why)
                assert said != str(why), why
                assert language != "ru" or re.search("[а-я]", said), said
                if language == "ru" and system != "galley":
                    typed = re.findall(r"'(.+?)'|\b([a-z0-9_]+)\b", " ".join(map(str, why.values.values())))
                    typed = {part for pair in typed for word in pair for part in re.findall("[A-Za-z]+", word)}
                    assert not [word for word in re.findall("[A-Za-z]{3,}", said) if word not in typed], (said, why)


def test_a_refusal_names_what_the_engine_knows_by_id(app: Flask) -> None:
    wrong = Illegal("movement.land.1", "no road leads from %(start)s to %(end)s", start="capua", end="new_carthage")
    with app.test_request_context(), force_locale("en"):
        assert flash_of(wrong, "hannibal").text == "No road leads from Capua to New Carthage."
        assert flash_of(wrong).text == "No road leads from capua to new_carthage.", "nobody knows whose it is"


def test_a_ships_refusal_names_several_ships_and_words(app: Flask) -> None:
    battle = all_systems()["galley"].start("first_oars", None, {}, None).state  # type: ignore[arg-type]
    ships = tuple(battle.ships)[:2]
    with app.test_request_context(), force_locale("en"):
        assert gap_text(battle, "list", ships) == [battle.ships[name].name for name in ships]
        assert gap_text(battle, "weapon", "stone_thrower") == "stone thrower" and gap_text(battle, "count", 3) == 3


@pytest.mark.parametrize(
    "why",
    [
        Reason("There is nothing to take back."),
        because(
            "The last action was by %(seat)s: only the umpire, or all sides together, can take it back.", seat="rome"
        ),
        Reason("Dice have been rolled: only the umpire, or all sides together, can take this back."),
        Reason("Something hidden was shown: only the umpire, or all sides together, can take this back."),
        because(
            "In the battle %(game)s a plot is locked: the choice of how to settle the meeting is final.",
            game="ABCDEFGH",
        ),
        Reason("A spectator only watches and cannot take anything back."),
    ],
)
def test_why_nothing_is_taken_back(app: Flask, why: Reason) -> None:
    for language in ("ru", "it"):
        with app.test_request_context(), force_locale(language):
            assert refusal_text("hamilcar", why) != str(why) and undo_word(why) != str(why)
            assert str(why) not in flash_of(Barred(why, ("rome",)), "hamilcar").text
