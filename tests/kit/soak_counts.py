"""The figures of a soak, added up at its end: what `record_property` notes of counts.

A whole soak fails when a kind of command or of event was never met: its games have grown tame, or the kind is dead.
"""

from __future__ import annotations

import tomllib
from collections import Counter
from collections.abc import Mapping
from pathlib import Path

import pytest

from webapp.storage.journal.store import all_systems

UNMET = Path(__file__).parents[1] / "soak" / "unmet.toml"


def never_met(counted: Mapping[str, int]) -> list[str]:
    """The kinds of commands and events of each system that were not counted and that `tests/soak/unmet.toml` does not list."""
    known = {f"{system} {kind}" for system, kinds in tomllib.loads(UNMET.read_text()).items() for kind in kinds}
    wanted = {
        f"{system.name} {kind}"
        for system in all_systems().values()
        for kind in (
            *(f"command {each.__struct_config__.tag}" for each in system.command.__args__),
            *(f"event {name}" for name in system.events),
        )
    }
    return sorted(wanted - known - counted.keys())


def counts(config: pytest.Config) -> tuple[Counter[str], Counter[str]]:
    """What the tests have counted by name, and the seconds of the tests that did."""
    counted: Counter[str] = Counter()
    seconds: Counter[str] = Counter()
    reporter = config.pluginmanager.get_plugin("terminalreporter")
    for report in reporter.getreports("passed") + reporter.getreports("failed"):
        for name, value in report.user_properties:
            if report.when == "call" and isinstance(value, int):
                counted[name] += value
                seconds[name] += report.duration
    return counted, seconds


def is_whole(config: pytest.Config) -> bool:
    """Is this the whole soak, in the process that gathers its reports?"""
    alone = config.option.markexpr == "soak" and not config.option.keyword
    return alone and config.args == config.getini("testpaths") and not hasattr(config, "workerinput")


def pytest_sessionfinish(session: pytest.Session) -> None:
    if is_whole(session.config) and not session.exitstatus and never_met(counts(session.config)[0]):
        session.exitstatus = pytest.ExitCode.TESTS_FAILED


def pytest_terminal_summary(terminalreporter: pytest.TerminalReporter, config: pytest.Config) -> None:
    counted, seconds = counts(config)
    if not counted:
        return
    terminalreporter.section("counted")
    for name, total in counted.items():
        terminalreporter.write_line(f"{name}: {total:,} ({seconds[name]:,.0f} s)")
    if is_whole(config):
        terminalreporter.section("never met")
        for kind in never_met(counted):
            terminalreporter.write_line(f"{kind}: a soak that does not come to it proves nothing of it", red=True)
