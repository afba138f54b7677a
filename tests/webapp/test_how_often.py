"""How often one may guess codes, begin games and fill the file."""

from __future__ import annotations

import re

import pytest
from flask import request

from kit.doors import (
    DUEL,
    ELSEWHERE,
    house,
    real_games,  # noqa: F401
)
from kit.players import SERVER, Player
from webapp.storage.errors import NoRoom
from webapp.storage.journal.store import Store


@pytest.mark.parametrize(
    "address",
    [
        "/api/v1/games/{}",
        "/api/v1/games/{}/journal",
        "/display/{}",
        "/g/{}",
        "/rejoin?code={}",
        "/g/{}/sheet/r1",
        "/join/{}",
        "/seats/{}",
    ],
)
def test_unknown_codes_are_guessed_slowly(real: Store, address: str) -> None:
    client = house(real).test_client()
    answers = [client.get(address.format(f"ABCD{n:04d}"), environ_base=ELSEWHERE).status_code for n in range(25)]
    assert set(answers[:20]) <= {404, 401} and set(answers[20:]) == {429}


def test_a_code_in_a_body_or_at_a_new_page_is_a_guess_too(real: Store) -> None:
    app = house(real)
    app.add_url_rule("/new-page", "new_page", lambda: real.load(request.args["code"]).game.title)
    client, codes = app.test_client(), [f"ABCD{n:04d}" for n in range(25)]
    bodies = [client.post("/api/v1/forecasts", json={"game": code}, environ_base=ELSEWHERE) for code in codes]
    assert [each.status_code for each in bodies] == [404] * 20 + [429] * 5
    other = {"REMOTE_ADDR": "203.0.113.10"}
    found = [client.get(f"/new-page?code={code}", environ_base=other).status_code for code in codes]
    assert found == [404] * 20 + [429] * 5


@pytest.mark.parametrize("form", [{"act": "pause"}, {"entry": "0"}, {"act": "nonsense", "entry": "x"}])
@pytest.mark.parametrize("page", ["/organizer/keep", "/organizer/copy"])
def test_a_stranger_does_not_learn_which_codes_there_are(real: Store, page: str, form: dict[str, str]) -> None:
    game, _tokens = real.create("hannibal", scenario="second_punic_war")
    client = house(real).test_client()
    answers = [client.post(page, data={**form, "game": code}, environ_base=ELSEWHERE) for code in (game.id, "ABCD2345")]
    texts = [re.sub(r'(csrf[^>]*)="[^"]{40,}"', r"\1", each.text) for each in answers]
    assert answers[0].status_code == answers[1].status_code == 422 and texts[0] == texts[1]


def test_games_that_were_deleted_are_not_guesses_of_a_browser_that_knew_them(real: Store) -> None:
    client = house(real).test_client()
    for _game in range(25):
        game, tokens = real.create("galley", scenario="mylae")
        client.get(f"/join/{tokens['umpire']}", environ_base=ELSEWHERE)
        real.delete(game.id)
    assert {client.get("/", environ_base=ELSEWHERE).status_code for _visit in range(2)} == {200}


def test_who_knows_a_code_is_not_slowed_down_by_those_who_guess(real: Store) -> None:
    game, tokens = real.create("galley", scenario="mylae")
    client = house(real).test_client()
    for n in range(30):
        client.get(f"/api/v1/games/ABCD{n:04d}")
    seat = {"Authorization": f"Bearer {tokens['umpire']}"}
    assert client.get(f"/api/v1/games/{game.id}", headers=seat).status_code == 200


def test_strangers_begin_ten_games_a_minute_and_five_imports(store: Store) -> None:
    app = house(store, BLUEPRINTS=SERVER)
    client = app.test_client()
    begun = [client.post("/api/v1/games", json=DUEL, environ_base=ELSEWHERE).status_code for _ in range(11)]
    assert begun == [201] * 10 + [429]
    player = Player(client)
    saved = player.get("umpire", "/export").json
    brought = [client.post("/api/v1/games/import", json=saved, environ_base=ELSEWHERE).status_code for _ in range(6)]
    assert brought == [201] * 5 + [429]


def test_the_file_of_games_has_a_limit(store: Store) -> None:
    client = house(store, BLUEPRINTS=SERVER, LARGEST_FILE=1024).test_client()
    answer = client.post("/api/v1/games", json=DUEL)
    assert (answer.status_code, store.games()) == (507, [])
    assert "limit" in answer.json["error"]


def test_a_file_at_its_limit_takes_moves_and_what_makes_it_no_larger(store: Store) -> None:
    game, _ = store.create("toy", "duel")
    store.file.largest = store.file.size()
    grow = "insert into notes (game, text) values (?, ?)", (game.id, "x" * 100_000)
    with pytest.raises(NoRoom, match="only moves"), store.write() as db:
        db.conn.execute(*grow)
    assert store.file.rows("select * from notes") == []
    for number, side in enumerate(("red", "blue")):
        store.submit(game.id, number, side, {"type": "plot", "side": side, "number": 3})
    store.undo(game.id, 2, "umpire")
    with store.write(is_move=True) as db:
        db.conn.execute(*grow)
    store.rename(game.id, "Another title")
    store.delete(game.id)
    assert store.games() == []
