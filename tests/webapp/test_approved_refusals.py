"""Every refusal, said in three languages from samples, is what a reader approved: tests/approved/refusals_*.txt.

The three files have the same lines in the same order, so that a reader may lay them side by side.
`APPROVE=1 pytest tests/webapp/test_approved_refusals.py` writes them anew: read the difference before it is committed.
"""

from __future__ import annotations

import os
import re
from pathlib import Path

import pytest
from flask_babel import force_locale
from msgspec.structs import replace

from kit.refusal_samples import GAP, PARTS, filling, forms
from tactical.kernel.protocol import Illegal
from tactical.kernel.record import because
from tactical.position import read_position
from tactical.setup import all_scenarios, position_of
from webapp.pages.battle.orders import refusal
from webapp.presenting.refusals import flash_of

APPROVED = Path(__file__).parents[1] / "approved"


def lines() -> list[str]:
    """All refusals by the part of the program that gives them; one with a name or a number twice."""
    battle = read_position(position_of(all_scenarios()["mylae"]), {})
    greeks = {side: each if side == "rome" else replace(each, name="Greeks") for side, each in battle.sides.items()}
    battle = replace(battle, sides=greeks)
    found, last = [], ""
    for part, form in forms():
        found += [f"== {part}"] if part != last else []
        last, gaps = part, GAP.findall(form)
        for number in range(2 if gaps else 1):
            why = because(form, **{gap: filling(part, gap, number, form) for gap in gaps})
            system = PARTS[part][0]
            found.append(refusal(battle, why) if part == "tactical" else flash_of(Illegal("1", why), system).text)
    return found


@pytest.mark.parametrize("language", ["en", "it", "ru"])
def test_refusals_are_said_as_a_reader_approved(app, language):
    with app.test_request_context(), force_locale(language):
        said = "".join(f"{each}\n" for each in lines())
    path = APPROVED / f"refusals_{language}.txt"
    if os.environ.get("APPROVE"):
        path.write_text(said)
    assert said == path.read_text()
    assert not re.search(r"%\(|None|\(\)| ,|  ", said)
