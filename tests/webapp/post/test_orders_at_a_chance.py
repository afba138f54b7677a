"""Standing orders with a threshold: the chance of each die is the rules' own, and what is worse than asked is let pass."""

from __future__ import annotations

import random
from fractions import Fraction
from functools import cache
from typing import Any

import pytest
from flask import Flask

from kit.by_post import Group
from strategic.captains.stand_in import at_least as cut
from tactical.kernel.dice import Dice, RollNeeded, random_source
from tactical.kernel.protocol import Offer
from tactical.kernel.random_play import QUITTING, fill, random_offer
from tactical.kernel.record import plain, read
from webapp.post import orders
from webapp.storage.journal.store import Store, all_systems

ROLLING = {
    "hannibal": {"intercept"},
    "hamilcar": {"sea_intercept"},
    "sword_of_rome": {"declare"},
}  # the questions that short random games are sure to meet; others are looked at when they come
SYSTEM_OF = {system.state: system for system in all_systems().values()}
SUCCESS = ("interception", "avoided", "sea_interception")


def chances(state: Any, command: dict[str, Any]) -> tuple[Fraction, ...]:
    return SYSTEM_OF[type(state)].chances(state, command)


def at_least(state: Any, offers: list[Offer], percent: int) -> list[Offer]:
    return cut(SYSTEM_OF[type(state)], state, offers, percent)


@cache
def met(name: str, wanted: int) -> list[tuple[orders.Question, Any, str, list[Offer]]]:
    """Positions of random play in which a die may be thrown for an answer: question, state, seat, what could be done."""
    system, found, seed = all_systems()[name], [], 0
    known = [question for question in orders.questions(name) if question.rolls]
    while len(found) < wanted and seed < 60:
        dice = random.Random(seed)
        source = random_source(dice.randrange)
        scenarios = sorted(scenario.id for scenario in system.scenarios())
        state = system.start(scenarios[seed % len(scenarios)], None, {}, Dice(source=source, secret=source)).state
        seed += 1
        for _ in range(200):
            if system.is_over(state) or len(found) >= wanted:
                break
            seat = dice.choice(system.waiting_for(state))
            offers = system.offers(state, seat)
            asked = [o for o in offers if o.type not in orders.ALWAYS_THERE | system.by_hand]
            question = next((each for each in known if each.has(asked)), None)
            if question is not None and (more := question.more(asked)):
                found.append((question, state, seat, more))
            command = fill(random_offer(offers, dice, QUITTING | system.by_hand), dice)
            state = system.apply(state, seat, read(command, system.command), Dice(source=source, secret=source)).state
    return found


def thrown(name: str, state: Any, seat: str, command: dict[str, Any], face: int) -> list[bool]:
    """Whether each try of the command succeeds when every die shows this face."""
    system, results = all_systems()[name], []
    source = random_source(random.Random(1).randrange)
    for _ in range(12):
        outcome = system.apply(state, seat, read(command, system.command), Dice(source=lambda _s: face, secret=source))
        results += [bool(e.data["success"]) for e in outcome.events if e.type in SUCCESS and "success" in e.data]
        state = outcome.state
        waiting = system.waiting_for(state)
        if results or not waiting:
            break
        seat, command = pass_on(name, state, waiting[0])
    return results


def pass_on(name: str, state: Any, seat: str) -> tuple[str, dict[str, Any]]:
    """Whoever is asked lets it pass, so that the dice are thrown."""
    system = all_systems()[name]
    offers = [o for o in system.offers(state, seat) if o.type not in orders.ALWAYS_THERE | system.by_hand]
    question = next(each for each in orders.questions(name) if each.has(offers))
    return seat, orders.with_side(question.no, seat, offers)


@pytest.mark.parametrize("name", sorted(ROLLING))
def test_the_chance_of_each_die_is_what_its_faces_bring(name: str) -> None:
    looked_at = set()
    for question, state, seat, more in met(name, 12):
        for offer in at_least(state, more, 0)[:3]:
            if offer.type not in ("intercept", "avoid", "sea_intercept", "declare"):
                continue
            command = {n: v[0] if isinstance(v, list) and v else v for n, v in offer.fields.items()}
            command = {n: v["to"] if isinstance(v, dict) and "to" in v else v for n, v in command.items()}
            command["type"] = offer.type
            told = chances(state, command)
            if len(told) != 1:
                continue  # several dice: each is one of these
            try:
                good = sum(thrown(name, state, seat, command, face) == [True] for face in range(1, 7))
            except (StopIteration, RollNeeded):
                continue  # another is asked first who has more to say than to let it pass
            assert told == (Fraction(good, 6),), (question.id, plain(command))
            looked_at.add(question.id)
    assert looked_at >= ROLLING[name]


@pytest.mark.parametrize("name", sorted(ROLLING))
def test_what_is_worse_than_asked_is_left_out_and_nothing_else(name: str) -> None:
    kinds: set[bool] = set()
    for _question, state, _seat, more in met(name, 12):
        for least in (17, 33, 50, 67, 83, 100):
            kept = at_least(state, more, least)
            for offer in kept:
                for attempts in every(offer):
                    assert all(round(100 * each) >= least for each in chances(state, attempts))
            best = max(
                (min(chances(state, a), default=Fraction(1)) for o in at_least(state, more, 0) for a in every(o)),
                default=Fraction(0),
            )
            assert bool(kept) is (round(100 * best) >= least and bool(at_least(state, more, 0)))
            kinds.add(bool(kept))
    assert kinds == {True, False}


def every(offer: Offer) -> list[dict[str, Any]]:
    """An offer's sets of attempts, or its one group."""
    name = next((name for name in ("tries", "intercepts") if name in offer.fields), None)
    if name is None:
        if "general" in offer.fields:
            return [{"type": offer.type, "general": offer.fields["general"]}]
        generals = offer.fields.get("generals")
        return [{"type": offer.type, "generals": generals[0] if generals else []}]
    return [{"type": offer.type, name: attempts} for attempts in offer.fields[name]]


def best_of(state: Any, offers: list[Offer]) -> int:
    """The best chance of a single die, in percent."""
    return max(round(100 * chances(state, attempts)[0]) for offer in offers for attempts in every(offer))


def test_a_threshold_acts_or_lets_pass_and_the_journal_says_so(tmp_path: Any) -> None:
    """The same position with an order just good enough, and one that asks for more."""
    asked = [each[1:] for each in met("hannibal", 30) if each[0].id == "intercept"]
    best, state, seat = max(((best_of(*each[::2]), *each[:2]) for each in asked), key=lambda found: found[0])
    assert 0 < best < 100
    store = Store(tmp_path / "games.db", all_systems())
    store.transaction_hooks.append(orders.mark_order)
    for least, kind in ((best, "intercept"), (best + 1, "done")):
        game, _ = store.create("hannibal", position=plain(state))
        orders.keep(store, game.id, seat, {"intercept": f"do:{least}"})
        found = orders.next_answer(store, game.id)
        assert found is not None and found[1] == seat and found[2]["type"] == kind
        assert orders.give(store, game.id, *found)
        entry = store.entry(game.id, 1)
        assert entry.command["type"] == kind and entry.events[-1].type == orders.ORDERED


def test_orders_with_a_chance_are_kept_shown_and_changed(group: Group) -> None:
    answer = group.ask("PUT", "rome", "/orders", {"orders": {"intercept": "do:50", "avoid": "do", "counter": "pass"}})
    assert answer.json["orders"]["intercept"] == "do:50" and answer.json["orders"]["avoid"] == "do"
    assert set(answer.json["least"]) == {"intercept", "avoid"}
    group.ask("PUT", "rome", "/orders", {"orders": {"intercept": "do"}})
    assert group.ask("GET", "rome", "/orders").json["orders"]["intercept"] == "do"


@pytest.mark.parametrize("wrong", ["do:0", "do:101", "do:", "do:x", "do:5.5", "pass:50", "do:50:50", "do:050", ":50"])
def test_a_bad_chance_is_refused_and_changes_nothing(group: Group, wrong: str) -> None:
    answer = group.ask("PUT", "rome", "/orders", {"orders": {"counter": "pass", "intercept": wrong}})
    assert answer.status_code == 400 and answer.json["detail"]["path"] == "orders.intercept"
    assert group.ask("GET", "rome", "/orders").json["orders"]["counter"] == "ask"


def test_a_question_without_a_die_takes_no_chance(group: Group) -> None:
    assert group.ask("PUT", "rome", "/orders", {"orders": {"elephants": "do"}}).status_code == 200
    assert group.ask("PUT", "rome", "/orders", {"orders": {"elephants": "do:50"}}).status_code == 400


def test_the_page_says_the_chance_and_the_roll(app: Flask, group: Group) -> None:
    client = app.test_client()
    client.get(f"/join/{group.tokens['rome']}")
    page = client.get(f"/g/{group.id}/group").text
    assert '<option value="do:50">Do it at 50% or better (on a roll of 3 or less)</option>' in page
    group.ask("PUT", "rome", "/orders", {"orders": {"intercept": "do:42"}})
    page = client.get(f"/g/{group.id}/group").text
    assert '<option value="do:42" selected>Do it at 42% or better</option>' in page
