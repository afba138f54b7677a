"""The description of the API, tried by schemathesis: each call by itself, and one after another by the description's
links. No call that it allows is an error of ours, none takes a second, and none changes something by a refusal."""

from __future__ import annotations

import gc
import random
import sqlite3
import time
from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
import schemathesis
from hypothesis import HealthCheck, Phase, given, settings

from kit.lengths import SCHEMA_EXAMPLES, scaled
from tactical.kernel.dice import random_source
from tactical.kernel.random_play import fill
from webapp import create_app
from webapp.storage.journal.store import Store, all_systems

FREE = dict.fromkeys(
    (
        "GAMES_A_MINUTE",
        "IMPORTS_A_MINUTE",
        "OWN_GAMES_A_MINUTE",
        "FORECASTS_A_MINUTE",
        "CUTS_A_MINUTE",
        "ODDS_A_MINUTE",
        "BAD_TOKENS_A_MINUTE",
        "UNKNOWN_CODES_A_MINUTE",
    ),
    1_000_000,
)
LEFT_OUT = ("/stream", "/forecasts")  # one never ends; the other begins processes, and has tests of its own
EXAMPLES = scaled(SCHEMA_EXAMPLES)  # of each call, and of ways through the links
SECOND = 1.0  # of the processor's time
CALM = {"deadline": None, "database": None, "suppress_health_check": list(HealthCheck), "phases": [Phase.generate]}


class Clock:
    """This thread's time of the processor, and how much of it went into sweeping memory.

    Hypothesis and schemathesis keep millions of objects beside the application, which a sweep looks at one by one.
    """

    def __init__(self) -> None:
        self.swept = self._begun = 0.0
        gc.callbacks.append(self._hear)

    def _hear(self, phase: str, _: object) -> None:
        if phase == "start":
            self._begun = time.thread_time()
        else:
            self.swept += time.thread_time() - self._begun

    def now(self) -> tuple[float, float]:
        """All the time, and that of the sweeps."""
        return time.thread_time(), self.swept

    def stop(self) -> None:
        """Listen no more."""
        gc.callbacks.remove(self._hear)


class Trial:
    """An application with a game of every system, and what was asked of it."""

    def __init__(self, path: Path) -> None:
        self.dice = random.Random(1)
        self.store = Store(path, source=random_source(self.dice.randrange))
        self.app = create_app({"STORE": self.store, "PROPAGATE_EXCEPTIONS": False, **FREE})
        self.watch = sqlite3.connect(path, isolation_level=None)
        self.umpires: dict[str, str] = {}
        for name, system in all_systems().items():
            game, tokens = self.store.create(name, scenario=system.scenarios()[0].id)
            self.umpires[game.id] = tokens["umpire"]
        self.own = list(self.umpires)
        self.count = 0
        self.clock = Clock()
        self.slowest = self.slowest_sweep = 0.0
        self.followed: Counter[str] = Counter()
        self.answered: set[int] = set()
        self.schema = schemathesis.openapi.from_wsgi("/api/v1/openapi.json", self.app)

    def writes(self) -> int:
        """A number that changes with every transaction on the file."""
        return int(self.watch.execute("pragma data_version").fetchone()[0])

    def ask(self, case: Any) -> None:
        """One generated call, three times in four about a game that exists."""
        if "game" in case.path_parameters and self.count % 4:
            case.path_parameters["game"] = self.own[self.count % len(self.own)]
        before, began = self.writes(), self.clock.now()
        self.looked_at(case, case.call(headers=self.headers(case)), before, began)

    def headers(self, case: Any) -> dict[str, str]:
        """The umpire's token of the game that is asked about."""
        game = str((case.path_parameters or {}).get("game"))
        token = self.umpires.get(game, self.umpires[self.own[0]])
        return {"Authorization": f"Bearer {token}", "Accept-Encoding": "identity"}

    def looked_at(self, case: Any, answer: Any, before: int, began: tuple[float, float]) -> None:
        """What must never be."""
        whole, swept = (now - then for now, then in zip(self.clock.now(), began, strict=True))
        spent = whole - swept
        self.slowest, self.slowest_sweep = max(self.slowest, spent), max(self.slowest_sweep, swept)
        self.count += 1
        self.answered.add(answer.status_code)
        what = (case.method, case.formatted_path, case.body, answer.text[:300])
        assert answer.status_code < 500, what
        assert spent < SECOND, (spent, *what)
        assert answer.status_code < 400 or self.writes() == before, ("a refusal changed something", *what)

    def try_all(self, examples: int) -> None:
        """Every call of the description, so many times each."""
        calm = settings(max_examples=examples, derandomize=True, **CALM)
        for found in self.schema.get_all_operations():
            operation = found.ok()
            if not any(part in operation.path for part in LEFT_OUT):
                calm(given(case=operation.as_strategy())(self.ask))()

    def follow(self, examples: int, steps: int) -> None:
        """So many ways through the links: a game that is begun, commands, undo, its journal, its export, …"""
        trial = self

        class Ways(self.schema.exclude(path_regex="|".join(LEFT_OUT)).as_state_machine()):  # type: ignore[misc]
            def setup(self) -> None:
                trial.sweep()
                self.chance = random.Random(1)  # the same calls must give the same answers again
                trial.dice.seed(1)

            def before_call(self, case: Any) -> None:
                trial.steer(case, self.chance)
                self.before, self.began = trial.writes(), trial.clock.now()

            def get_call_kwargs(self, case: Any) -> dict[str, Any]:
                return {"headers": trial.headers(case)}

            def after_call(self, answer: Any, case: Any) -> None:
                trial.looked_at(case, answer, self.before, self.began)
                trial.learn(case, answer)

            def validate_response(self, *given: Any, **named: Any) -> None:
                """Looked at already."""

        Ways.run(settings=settings(max_examples=examples, stateful_step_count=steps, derandomize=False, **CALM))

    def steer(self, case: Any, chance: random.Random) -> None:
        """Begin real games, and give commands that are on offer, as often as not: else hardly any way leads far."""
        if case.operation.path == "/api/v1/games" and chance.random() < 0.7:
            system = chance.choice(list(all_systems().values()))
            case.body = {"system": system.name, "scenario": chance.choice(system.scenarios()).id}
        game = str((case.path_parameters or {}).get("game"))
        if game in self.umpires:
            self.followed[case.operation.path] += 1
            if case.operation.path.endswith("/commands") and chance.random() < 0.7 and self.store.revisions([game]):
                table = self.store.load(game)
                waiting = table.system.waiting_for(table.state)
                offers = [offer for seat in waiting for offer in table.system.offers(table.state, seat)]
                if offers and isinstance(case.body, dict):
                    case.body = {**case.body, "command": fill(chance.choice(offers), chance), "rolls": "digital"}

    def learn(self, case: Any, answer: Any) -> None:
        """Remember the umpire's token of a game that was begun."""
        if answer.status_code == 201 and case.operation.path.startswith("/api/v1/games"):
            made = answer.json()
            self.umpires[made["id"]] = next(seat["token"] for seat in made["seats"] if seat["id"] == "umpire")

    def took(self) -> str:
        """The slowest answer, and the longest sweep of memory beside one."""
        return f"the slowest {self.slowest:.2f} s, beside sweeps of up to {self.slowest_sweep:.2f} s"

    def sweep(self) -> None:
        """Away with games that ways have left behind."""
        for game in set(self.umpires) - set(self.own):
            self.store.delete(game)
            del self.umpires[game]


@pytest.fixture
def trial(tmp_path: Path) -> Iterator[Trial]:
    made = Trial(tmp_path / "games.db")
    yield made
    made.clock.stop()


def test_no_described_call_is_an_error_of_ours(trial: Trial) -> None:
    trial.try_all(4)
    assert trial.count > 60 and {200, 400} <= trial.answered


def test_no_way_through_the_links_ends_in_an_error_of_ours(trial: Trial) -> None:
    wanted = {"/api/v1/games/{game}" + end for end in ("", "/commands", "/undo", "/journal")}
    for _round in range(6):  # the links of a way are drawn by lot
        trial.follow(15, 8)
        if wanted <= set(trial.followed):
            break
    assert wanted <= set(trial.followed), trial.followed


@pytest.mark.soak
def test_no_described_call_is_an_error_of_ours_in_many_tries_of_each(trial: Trial) -> None:
    trial.try_all(EXAMPLES)
    print(f"{trial.count} calls, answers {sorted(trial.answered)}, {trial.took()}")
    assert trial.count > EXAMPLES


@pytest.mark.soak
def test_none_of_many_ways_through_the_links_ends_in_an_error_of_ours(trial: Trial) -> None:
    trial.follow(EXAMPLES, 12)
    print(f"{trial.count} calls, {dict(trial.followed)}, answers {sorted(trial.answered)}, {trial.took()}")
    assert trial.count > EXAMPLES
