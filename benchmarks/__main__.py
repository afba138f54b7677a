"""`make bench`: measure everything, or the parts that are named: battles, campaigns, punic_wars."""

from __future__ import annotations

import sys
from importlib import import_module

from benchmarks.clock import show

PARTS = ("battles", "campaigns", "punic_wars")


def main(names: list[str]) -> int:
    """Print a table for each part."""
    wrong = [name for name in names if name not in PARTS]
    if wrong:
        print(f"There is no benchmark called {wrong[0]}; there are {', '.join(PARTS)}.", file=sys.stderr)
        return 2
    for name in names or PARTS:
        print(f"== {name}")
        print(show(import_module(f"benchmarks.{name}").rows()))
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
