"""One golden playthrough of each scenario in English sentences, as the pages tell it: `told/*.txt`.

A rule that changes shows here as a sentence that changes; a new field, a new default or another order of offers does not.
Beside them stand the positions, in JSON (`playing`). An event that only some seats are told names them in brackets.
"""

from __future__ import annotations

import json
import sys
import tempfile
from collections.abc import Iterable, Iterator, Mapping
from pathlib import Path
from typing import Any

from flask import Flask
from flask_babel import force_locale

from goldens.playing import HERE, WAYS, Script, Way, document, kept, path_of, played, scenarios, states
from webapp import create_app
from webapp.pages.battle.results import lines
from webapp.systems.messages import lines_of

ENGLISH = HERE / "told"
ADMIRALS_ONLY_GIVE_ORDERS = "open_campaign"  # within a golden's length


def way_told(name: str) -> Way:
    """Which of a scenario's playthroughs is told: the captains', where it comes to more."""
    return "at_random" if name == ADMIRALS_ONLY_GIVE_ORDERS else "by_captains"


def path_told(name: str, scenario: str) -> Path:
    """The text of a scenario's playthrough."""
    return ENGLISH / f"{name}_{scenario}.txt"


def in_english(app: Flask, name: str, scenario: str, entries: Script) -> str:
    """The playthrough as text: a line for each command with its dice, and below it a line for each thing that happened."""
    with app.test_request_context(), force_locale("en"):
        positions = states(name, entries, 1)
        return "\n".join(
            [
                f"{name}, {scenario}",
                *(
                    line
                    for entry, state in zip(entries, positions, strict=True)
                    for line in of_entry(name, entry, state)
                ),
                "",
            ]
        )


def of_entry(name: str, entry: Mapping[str, Any], state: Any) -> Iterator[str]:
    """A command: its number, who gave it, its kind and the dice; then its events in words."""
    dice = f" {' '.join(map(str, entry['faces']))}" if "faces" in entry else ""
    yield f"{entry['number']} {entry['seat']}: {entry['command']['type']}{dice}"
    for only, events in by_seats(entry["events"]):
        seen = f"[{' '.join(only)}] " if only else ""
        for line in lines(state, events) if name == "galley" else lines_of(name, events):
            yield f"  {seen}{line.rule} {line.text}"


def by_seats(events: Iterable[Mapping[str, Any]]) -> Iterator[tuple[tuple[str, ...], list[dict[str, Any]]]]:
    """The events flat, those that follow one another and are told to the same seats together."""
    held: list[dict[str, Any]] = []
    before: tuple[str, ...] = ()
    for event in events:
        only = tuple(sorted(event.get("only", ())))
        if held and only != before:
            yield before, held
            held = []
        before = only
        held.append({"rule": event["rule"], "type": event["type"], **event.get("data", {})})
    if held:
        yield before, held


def main(*wanted: str) -> None:
    """Play the goldens of these systems, or of all, anew, and tell them."""
    with tempfile.TemporaryDirectory() as folder:
        app = create_app({"DATABASE": f"{folder}/games.db"})
        for number, (name, scenario) in enumerate(scenarios()):
            for way in WAYS if not wanted or name in wanted else ():
                entries = list(played(name, scenario, kept(name, scenario, way), 2000 + number, way=way))
                path_of(name, scenario, way).parent.mkdir(exist_ok=True)
                path_of(name, scenario, way).write_text(document(entries))
                if way == way_told(name):
                    text = in_english(app, name, scenario, json.loads(json.dumps(entries)))
                    ENGLISH.mkdir(exist_ok=True)
                    path_told(name, scenario).write_text(text)
                print(f"{name} {scenario} {way}: {len(entries)} commands", flush=True)


if __name__ == "__main__":
    main(*sys.argv[1:])
