"""The description of the API, tried by schemathesis: no call that it allows is an error of ours or changes by a refusal."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
import schemathesis
from hypothesis import HealthCheck, Phase, given, settings

from webapp import create_app
from webapp.storage.games import Store
from webapp.systems import systems

FREE = dict.fromkeys(
    ("GAMES_A_MINUTE", "IMPORTS_A_MINUTE", "OWN_GAMES_A_MINUTE", "FORECASTS_A_MINUTE", "BAD_TOKENS_A_MINUTE",
     "UNKNOWN_CODES_A_MINUTE"), 1_000_000,
)  # fmt: skip
LEFT_OUT = ("/stream", "/forecasts")  # one never ends; the other begins processes, and has tests of its own


class Trial:
    """An application with a game of every system, and what was asked of it."""

    def __init__(self, path: Path) -> None:
        self.store = Store(path)
        self.app = create_app({"STORE": self.store, "PROPAGATE_EXCEPTIONS": False, **FREE})
        self.seats = []
        for name, system in systems().items():
            game, tokens = self.store.create(name, scenario=system.scenarios()[0].id)
            self.seats.append((game.id, tokens["umpire"]))
        self.count = 0
        self.answered: set[int] = set()

    def standing(self) -> dict[str, tuple[int, int]]:
        return {game.id: (game.version, game.pulse) for game in self.store.games()}

    def ask(self, case: Any) -> None:
        """One generated call, three times in four about a game that exists."""
        game, token = self.seats[self.count % len(self.seats)]
        if "game" in case.path_parameters and self.count % 4:
            case.path_parameters["game"] = game
        self.count += 1
        before = self.standing()
        answer = case.call(headers={"Authorization": f"Bearer {token}"})
        self.answered.add(answer.status_code)
        assert answer.status_code < 500, (case.method, case.formatted_path, case.body, answer.text[:300])
        if answer.status_code >= 400:
            assert self.standing() == before, "a refusal changed something"

    def try_all(self, examples: int) -> None:
        """Every call of the description, so many times each."""
        calm = settings(max_examples=examples, deadline=None, database=None, derandomize=True,
                        phases=[Phase.generate], suppress_health_check=list(HealthCheck))  # fmt: skip
        schema = schemathesis.openapi.from_wsgi("/api/v1/openapi.json", self.app)
        for found in schema.get_all_operations():
            operation = found.ok()
            if not any(part in operation.path for part in LEFT_OUT):
                calm(given(case=operation.as_strategy())(self.ask))()


def test_no_described_call_is_an_error_of_ours(tmp_path: Path) -> None:
    trial = Trial(tmp_path / "games.db")
    trial.try_all(4)
    assert trial.count > 60 and {200, 400} <= trial.answered


@pytest.mark.soak
def test_no_described_call_is_an_error_of_ours_in_two_thousand_tries(tmp_path: Path) -> None:
    trial = Trial(tmp_path / "games.db")
    trial.try_all(100)
    print(f"{trial.count} calls, answers {sorted(trial.answered)}")
    assert trial.count > 2000
