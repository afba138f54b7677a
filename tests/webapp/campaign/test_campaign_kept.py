"""A campaign's screen is gathered once for all who see the same: what is kept is what would be drawn anew."""

from __future__ import annotations

import random
import re
from pathlib import Path

import pytest

from strategic import SYSTEMS
from tactical.kernel import cache
from tactical.kernel.dice import random_source
from tactical.kernel.random_play import fill
from webapp import create_app
from webapp.storage.journal.store import Store

TOKEN = re.compile(r'(csrf-token" content|csrf_token" value)="[^"]*"')


@pytest.mark.parametrize("commands", [3, pytest.param(9, marks=pytest.mark.soak)])
@pytest.mark.parametrize("system", SYSTEMS)
def test_a_page_that_is_kept_is_the_page_drawn_anew_for_every_seat(system: str, commands: int, tmp_path: Path) -> None:
    chance = random.Random(4)
    store = Store(tmp_path / "games.db", source=random_source(chance.randrange))
    game, tokens = store.create(system, SYSTEMS[system].scenarios()[0].id)
    client = create_app({"STORE": store}).test_client(use_cookies=False)

    def page(seat: str, partial: bool) -> str:
        headers = {"Authorization": f"Bearer {tokens[seat]}"} | ({"HX-Request": "true"} if partial else {})
        answer = client.get(f"/g/{game.id}", headers=headers)
        assert answer.status_code == 200
        return TOKEN.sub("", answer.text)

    for number in range(commands):
        shown = {(seat, partial): page(seat, partial) for seat in tokens for partial in (False, True)}
        again = {(seat, partial): page(seat, partial) for seat in tokens for partial in (False, True)}
        assert again == shown
        for (seat, partial), text in shown.items():
            if (number + len(seat)) % 3 == 0:
                cache.clear()
                assert page(seat, partial) == text, (number, seat)
        table = store.load(game.id)
        offers = [
            (side, offer)
            for side in table.waiting_for
            for offer in table.offers(side)
            if offer.type not in SYSTEMS[system].by_hand
        ]
        if not offers:
            break
        side, offer = chance.choice(offers)
        store.submit(game.id, table.game.version, side, fill(offer, chance))


@pytest.mark.parametrize("system", SYSTEMS)
def test_each_browser_gets_its_own_token_in_every_form_that_is_kept(system: str, tmp_path: Path) -> None:
    store = Store(tmp_path / "games.db", source=random_source(random.Random(4).randrange))
    game, tokens = store.create(system, SYSTEMS[system].scenarios()[0].id)
    app, seat = create_app({"STORE": store}), next(iter(tokens))
    page = f"/g/{game.id}?seat={seat}"
    for _ in range(2):
        client = app.test_client()
        client.get(f"/join/{tokens[seat]}")
        text = client.get(page).text
        mine = re.findall(r'name="csrf-token" content="([^"]*)"', text)
        assert len(mine) == 1
        inputs = re.findall(r'<input type="hidden" name="csrf_token" value="([^"]*)">', text)
        assert set(inputs) == set(mine)
        assert len(inputs) == text.count("csrf_token") == text.count('method="post"') > 1
