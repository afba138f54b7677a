"""What random play has met, noted down for the counts at the end of `make soak`."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable

from tactical.kernel.random_play import Played


def count(played: Played, note_down: Callable[[str, int], None]) -> None:
    """Note how often a game has met each kind of command and of event, and each rule."""
    met: Counter[str] = Counter()
    for entry in played.entries:
        met[f"command {entry.command['type']}"] += 1
        for happened in entry.events:
            met[f"event {happened.type}"] += 1
            met[f"rule {happened.rule}"] += 1
    for kind, often in sorted(met.items()):
        note_down(f"{played.system.name} {kind}", often)
