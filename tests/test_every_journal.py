"""The journal's page of every system opens for every seat, whatever was played, and asks for no words of a secret."""

from __future__ import annotations

import random
from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from tactical.kernel.dice import random_source
from tactical.kernel.journal import command_seen_by
from tactical.kernel.random_play import QUITTING, fill, random_offer
from webapp import create_app
from webapp.storage.journal.engagements import install
from webapp.storage.journal.store import Store, all_systems
from webapp.systems import PRESENTATIONS

COMMANDS = 60
SELDOM = {"hamilcar"}  # systems that hide a command so seldom that this play meets none


@pytest.mark.parametrize("system", all_systems())
def test_the_journal_opens_for_every_seat_and_recounts_whole_commands_alone(
    system: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    throw = random.Random(8)
    store = Store(tmp_path / "games.db", all_systems(), random_source(throw.randrange))
    install(store)
    game, tokens = store.create(system, scenario=all_systems()[system].scenarios()[0].id)
    for _command in range(COMMANDS):
        table = store.load(game.id)
        seats = table.system.waiting_for(table.state)
        if table.game.over or not seats:
            break
        seat = throw.choice(seats)
        offers = [one for one in table.system.offers(table.state, seat) if one.type not in QUITTING]
        store.submit(game.id, table.game.version, seat, fill(random_offer(offers, throw, ()), throw))
    entries = store.entries(game.id)
    if system in PRESENTATIONS:
        shown = PRESENTATIONS[system]

        def recount(command: Mapping[str, Any]) -> str:
            assert command in [entry.command for entry in entries], f"{command} is not a command that was given"
            return shown.recount(command)

        monkeypatch.setitem(PRESENTATIONS, system, replace(shown, answer=None, recount=recount))
    app = create_app({"STORE": store, "TESTING": True})
    for seat, token in tokens.items():
        page = app.test_client().get(f"/g/{game.id}/log", headers={"Authorization": f"Bearer {token}"})
        assert page.status_code == 200, (seat, page.text)
    masked = [
        entry.command["type"] for entry in entries for seat in tokens if command_seen_by(entry, seat) != entry.command
    ]

    assert masked or system in SELDOM, "this play says nothing of masked commands"
