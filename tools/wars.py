"""How many wars a stand-in wins against random play, as docs/captains.md says: sides and dice mirrored.

Example: python -m tools.wars hamilcar 50
"""

from __future__ import annotations

import random
import sys

from strategic import SYSTEMS
from strategic.captains import choose
from tactical.captains.captain import wilson
from tactical.kernel.dice import Dice, random_source
from tactical.kernel.random_play import QUITTING, fill
from tactical.kernel.record import read

SIDES = ("rome", "carthage")


def war(name: str, side: str, number: int) -> bool:
    """Does the stand-in win the war of this number, with the same dice on either side?"""
    system, generator = SYSTEMS[name], random.Random(f"{name} {number}")
    source = random_source(generator.randrange)
    state = system.start(system.scenarios()[0].id, None, {}, Dice(source=source, secret=source)).state
    while not system.is_over(state):
        seat = generator.choice(system.waiting_for(state))
        offers = system.offers(state, seat)
        if seat == side:
            raw = choose(name, system.view(state, seat), seat, offers).command
        else:
            raw = fill(generator.choice([offer for offer in offers if offer.type not in QUITTING]), generator)
        state = system.apply(state, seat, read(raw, system.command), Dice(source=source, secret=source)).state
    return bool(state.result.winner == side)


def main(name: str, dice: int) -> None:
    """Play each of so many dice from both sides, and print what was won."""
    won = {side: sum(war(name, side, number) for number in range(dice)) for side in SIDES}
    share = wilson(sum(won.values()), len(SIDES) * dice)
    told = ", ".join(f"as {side} {count} of {dice}" for side, count in won.items())
    print(f"{name}: {told}: {share.share:.0%} ({share.low:.1%} to {share.high:.1%})")


if __name__ == "__main__":
    main(sys.argv[1], int(sys.argv[2]))
