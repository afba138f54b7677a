"""What the tests know of a system besides what it says of itself: `tests/facts/<system>.toml`.

`python tests/kit/facts_of.py SYSTEM` prints the figures of a new system's file, to be compared with one's own reckoning.
"""

from __future__ import annotations

import sys
from functools import cache
from pathlib import Path

import msgspec

sys.path.insert(0, str(Path(__file__).parents[1]))
sys.path.insert(0, str(Path(__file__).parents[2]))

from kit.commands_of import ones, perft
from tactical.kernel.record import Input
from webapp.storage.journal.store import all_systems

FOLDER = Path(__file__).parents[1] / "facts"


class Field(Input, frozen=True):
    """A path of the state, and a value for it."""

    path: str
    value: object


class Facts(Input, frozen=True):
    """A system's file.

    `perft`: by scenario, how many sequences of one, two … commands there are from the opening, all dice ones. `open`: a
    field that all may see. `free`: commands that no list can hold, or that are outside the rules: what the umpire, the
    pencil and the pen may say. `tapped`: a space with something in it. `rare`: standing orders' questions that short
    random games seldom meet. `one_by_one`: commands that may say at once, in this field, what is on offer one
    by one as this kind of command. `commands`: how many a stand-in gives in a test; `looked`: goldens of slow offers are
    looked at less often by this factor.
    """

    perft: dict[str, tuple[int, ...]]
    open: Field
    free: frozenset[str] = frozenset({"adjust", "report", "settle"})
    tapped: str = ""
    rare: frozenset[str] = frozenset()
    one_by_one: dict[str, tuple[str, str]] = {}
    commands: int = 250
    looked: int = 1


@cache
def facts_of(system: str) -> Facts:
    """A system's facts. FileNotFoundError where nobody has written them."""
    return msgspec.toml.decode((FOLDER / f"{system}.toml").read_bytes(), type=Facts)


def main(system: str) -> None:
    """Count and print the sequences of one and two commands of each scenario."""
    rules = all_systems()[system]
    print("[perft]")
    for scenario in rules.scenarios():
        state = rules.start(scenario.id, None, {}, ones()).state
        print(f"{scenario.id} = {[perft(rules, state, depth) for depth in (1, 2)]}")


if __name__ == "__main__":
    main(*sys.argv[1:])
