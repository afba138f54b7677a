"""An address that is put together from what is kept is the one that Flask would make."""

from __future__ import annotations

from pathlib import Path

import pytest
from flask import url_for

from webapp import create_app
from webapp.pages.battle.looking import Looking


@pytest.mark.parametrize("ship", [None, "r1", "a b", "ä&?=/#", "x~y.z-_"])
@pytest.mark.parametrize("view", ["board", "fleet"])
def test_an_address_is_what_flask_makes(tmp_path: Path, ship: str | None, view: str) -> None:
    app = create_app({"DATABASE": tmp_path / "games.db"})
    look = Looking("ABC234", "rome", ship, view)
    named = {"seat": "rome", "ship": ship, "view": None if view == "board" else view}
    with app.test_request_context():
        for endpoint in ("game.page", "game.table", "game.page"):
            assert look.url(endpoint) == url_for(endpoint, game="ABC234", **{k: v for k, v in named.items() if v})
        assert look.url("game.page", rings="1").endswith("rings=1")
