"""Every question to a player, said in three languages, is what a reader approved: tests/approved/prompts_*.txt.

The positions are those of tests/firsts, which meet each prompt. A line has the question's kind and title, what the seat
must do, and what the page says of it; of each kind at most three different questions are kept, chosen in English.
`APPROVE=1 pytest tests/webapp/test_approved_prompts.py` writes the files anew: read the difference before it is committed.
"""

from __future__ import annotations

import os
import re
from collections.abc import Iterator
from functools import cache
from pathlib import Path

import pytest
from flask_babel import force_locale

from firsts.finding import firsts
from strategic import SYSTEMS
from tactical.kernel.record import plain
from webapp.post.deadlines import fill_within
from webapp.presenting import naming
from webapp.presenting.campaign_labels import phrase, prompt_word
from webapp.presenting.presentation import Asked
from webapp.systems import presentation

APPROVED = Path(__file__).parents[1] / "approved"
MOST = 3  # questions of a kind
ENEMY = {"hannibal": "hannibal", "hamilcar": "hanno", "sword_of_rome": "gauls", "punic_wars": "syracuse"}


@cache
def asked(system: str) -> tuple[tuple[dict[str, object], str], ...]:
    """The views, with their seats, in which a question stands: of each kind so many that differ in English."""
    found: dict[str, dict[str, tuple[dict[str, object], str]]] = {}
    with force_locale("en"):
        for state in firsts(system):
            for seat in SYSTEMS[system].waiting_for(state):
                view = plain(SYSTEMS[system].view(state, seat))
                posed = presentation(system).asked(view, seat)
                if posed is not None:
                    found.setdefault(posed.kind, {}).setdefault(f"{posed.text} {posed.hint}", (view, seat))
    return tuple(each for kind in sorted(found) for each in [*found[kind].values()][:MOST])


def lines(system: str) -> Iterator[str]:
    """The questions of a system."""
    for view, seat in asked(system):
        posed = presentation(system).asked(view, seat)
        assert isinstance(posed, Asked)
        title = prompt_word(system, posed.kind)
        known = {
            "card": naming.say(system, "battle_card", "card", "frontal_assault"),
            "enemy": naming.side(system, ENEMY[system])
            if system not in ("hannibal", "hamilcar")
            else naming.general(system, ENEMY[system]),
        }
        must = fill_within(phrase(system, posed.kind), known.__getitem__)
        yield " | ".join((f"{posed.kind}: {title}", must, posed.text, posed.hint))


@pytest.mark.parametrize("language", ["en", "it", "ru"])
def test_questions_are_said_as_a_reader_approved(app, language):
    with app.test_request_context(), force_locale(language):
        said = "".join(f"== {system}\n" + "".join(f"{each}\n" for each in lines(system)) for system in ENEMY)
    path = APPROVED / f"prompts_{language}.txt"
    if os.environ.get("APPROVE"):
        path.write_text(said)
    assert said == path.read_text()
    assert not re.search(r"%\(|None", said)
