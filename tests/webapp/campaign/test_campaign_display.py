"""/display/<game> of a campaign: the map, whose turn it is, the last events, the code; a spectator's knowledge."""

from __future__ import annotations

import html
import re
from typing import Any

import pytest
from flask.testing import FlaskClient

from strategic import SYSTEMS
from tactical.kernel.protocol import SPECTATOR
from webapp.pages.campaign.display import spectators_view
from webapp.presenting.map.sheet import has_map
from webapp.storage.journal.store import Store
from webapp.systems import PRESENTATIONS


def begun(store: Store, system: str) -> str:
    scenario = SYSTEMS[system].scenarios()[0].id
    game, _ = store.create(system, scenario, title="Club <night>")
    return game.id


@pytest.mark.parametrize("system", PRESENTATIONS)
def test_a18_the_television_shows_map_turn_seats_and_code_to_anybody(
    client: FlaskClient, store: Store, system: str
) -> None:
    game = begun(store, system)
    store.name_seat(game, store.load(game).sides[0], "Anna <b>")
    answer = client.get(f"/display/{game}")
    assert answer.status_code == 200
    page = answer.text
    assert ('id="map"' in page) == has_map(system) and game in page and 'class="qr"' in page
    assert "Anna &lt;b&gt;" in page and "Club &lt;night&gt;" in page and "<b>" not in page.split("Anna")[1][:10]
    said = html.unescape(re.sub(r"<[^>]+>", " ", page))
    assert said.count("must act") == len(set(store.load(game).waiting_for))
    assert f'data-stream="/display/{game}/stream?after=' in page
    changing = client.get(f"/display/{game}/table").text
    assert not any(each in changing for each in ("data-space", "<form", "<button", "<a ")), "nothing can be tapped"
    assert changing.lstrip().startswith('<div id="table" data-live')


@pytest.mark.parametrize("system", ["hannibal", "hamilcar"])
def test_a18_it_knows_what_a_spectator_knows(client: FlaskClient, store: Store, app: Any, system: str) -> None:
    game = begun(store, system)
    table = store.load(game)
    with app.test_request_context(f"/display/{game}"):
        found = spectators_view(game)
    assert found["screen"].seat == SPECTATOR and not found["screen"].hand
    assert found["screen"].view == shown_to_spectator(table)


def shown_to_spectator(table: Any) -> dict[str, Any]:
    from tactical.kernel.record import plain

    seen: dict[str, Any] = plain(table.view(SPECTATOR))
    return seen


def test_a18_a_stranger_without_a_seat_is_led_to_it(client: FlaskClient, store: Store) -> None:
    game = begun(store, "hannibal")
    answer = client.get(f"/g/{game}")
    assert answer.status_code == 401 and f'href="/display/{game}"' in answer.text
    assert client.get("/display/NOGAME").status_code == 404
