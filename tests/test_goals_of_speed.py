"""`make bench` says of each goal whether it is met, by the rows that show it."""

from __future__ import annotations

import subprocess
import sys

from benchmarks.__main__ import measures
from benchmarks.goals import GOALS, verdicts


def test_every_row_that_a_goal_names_is_measured() -> None:
    known = measures(1)
    for _goal, named in GOALS:
        for name in named:
            assert name in known or (name.endswith(".") and any(id.startswith(name) for id in known)), name


def test_a_goal_is_met_when_all_its_rows_are_and_missed_when_one_is_not() -> None:
    every = ("page.campaign.one", "page.campaign.two", "growth.5000", "start.help")
    rows = {
        "page.campaign.one": {"id": "page.campaign.one", "met": True},
        "page.campaign.two": {"id": "page.campaign.two", "met": False},
        "growth.5000": {"id": "growth.5000", "met": True},
    }
    *goals, last = verdicts(rows, every)
    told = dict(zip((goal for goal, _ in GOALS), (line[72:].strip() for line in goals), strict=True))
    assert told["a campaign's page for twelve"] == "MISSED (page.campaign.two)"
    assert told["command 5,000 for what command 10 costs"] == "met"
    assert told["help under half of `import flask`"] == "not measured (start.help)"
    assert told["a plot in six kilobytes"] == "not measured (http.tap.bytes)"
    assert last.startswith(f"1 of {len(GOALS)} goals met")


def test_the_walk_says_what_it_does_before_it_walks() -> None:
    """A walk prints its tables, and takes half a minute."""
    walk = [sys.executable, "-m", "benchmarks.walk"]
    told = subprocess.run([*walk, "--help"], capture_output=True, text=True, check=True).stdout
    assert "FOLDER" in told and "| floor |" not in told
    refused = subprocess.run([*walk, "docs"], capture_output=True, text=True, check=False)
    assert refused.returncode == 2 and "no webapp" in refused.stderr
