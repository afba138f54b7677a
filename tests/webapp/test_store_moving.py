"""A game leaves one file of games and arrives in another, with everything that belongs to it."""

from __future__ import annotations

import sqlite3
from pathlib import Path
from typing import Any

import pytest

from kit.toy import SYSTEMS
from navarch import main
from tactical.kernel.record import BadInput
from webapp import create_app
from webapp.post import people
from webapp.storage.errors import Unknown
from webapp.storage.file.database import OF_A_GAME
from webapp.storage.journal import store as journal_store
from webapp.storage.journal.store import Store, battles_of, link_battle
from webapp.storage.journal.transfer import verify
from webapp.storage.services import backups, letters

SHOT = {"type": "shoot", "side": "red"}


@pytest.fixture
def machines(tmp_path: Path) -> tuple[Store, Store]:
    """Two files of games; the second has people and letters of its own, so that numbers are taken there."""
    for name in ("here", "there"):
        (tmp_path / name).mkdir()
    here, there = (Store(tmp_path / name / "games.db", SYSTEMS) for name in ("here", "there"))
    other, _ = there.create("toy", "duel")
    people.invite(there, other.id, newcomer("red", "Other"))
    letters.send(there, other.id, "red", "blue", "not yours")
    return here, there


def newcomer(seat: str, name: str) -> people.Newcomer:
    return people.Newcomer(
        seat=seat, name=name, address=f"{name.lower()}@club.example", role="player", duty="", lang="en", home=""
    )


@pytest.fixture
def campaign(machines: tuple[Store, Store]) -> tuple[str, str, dict[str, str]]:
    """A game with a battle, a person, a letter; its code, the battle's and the tokens."""
    here, _ = machines
    game, tokens = here.create("toy", "duel")
    battle, _ = here.create("toy", "duel")
    link_battle(here, battle.id, game.id, "e1")
    here.submit(game.id, 0, "red", SHOT)
    here.submit(battle.id, 0, "red", SHOT)
    person, _ = people.invite(here, game.id, newcomer("blue", "Gaia"))
    letters.send(here, game.id, "red", "blue", "Meet me at Mylae.")
    with here.write() as db:
        db.conn.execute(
            "insert into outbox (name, game, person, address) values ('first', ?, ?, 'gaia@club.example')",
            (game.id, person.id),
        )
    return game.id, battle.id, tokens


def test_everything_of_a_game_and_its_battle_comes_along_and_nothing_stays(
    machines: tuple[Store, Store], campaign: tuple[str, str, dict[str, str]]
) -> None:
    (here, there), (game, battle, tokens) = machines, campaign
    before = {name: here.load(name).state for name in (game, battle)}
    found = backups.arrive(there, backups.leave(here, game))
    assert found == {game: 1, battle: 1} and verify(there, game) == verify(there, battle) == []
    assert {name: there.load(name).state for name in (game, battle)} == before
    assert there.seat_of(tokens["red"]).id == "red"
    assert [link.battle for link in battles_of(there, game)] == [battle]
    gaia = next(each for each in people.people(there, game) if each.name == "Gaia")
    assert there.file.rows("select person from outbox where game = ?", game)[0]["person"] == gaia.id > 1
    assert [each.text for each in letters.letters(there, game, "blue")] == ["Meet me at Mylae."]
    for table in OF_A_GAME:
        assert here.file.rows(f"select * from {table} where game in (?, ?)", game, battle) == []
    with pytest.raises(Unknown):
        here.submit(game, 1, "red", SHOT)
    there.submit(game, 1, "red", SHOT)
    for store in machines:
        assert journal_store.look(store) == []


def test_every_column_with_a_number_of_its_own_is_listed(machines: tuple[Store, Store]) -> None:
    """A table that numbers its rows itself gives away numbers that another file has given away, too."""
    here, _ = machines
    keys = {
        table: [(row[1], row[2]) for row in here.file.db.conn.execute(f"pragma table_info({table})") if row[5]]
        for table in OF_A_GAME
    }
    numbered = {f"{table}.{key[0][0]}" for table, key in keys.items() if len(key) == 1 and key[0][1] == "INTEGER"}
    assert numbered <= backups.NUMBERED.keys()


def test_it_may_be_sent_twice_and_comes_back(
    machines: tuple[Store, Store], campaign: tuple[str, str, dict[str, str]]
) -> None:
    (here, there), (game, battle, _) = machines, campaign
    bundle = backups.leave(here, game)
    assert backups.whereabouts(here, game) == backups.ON_THE_WAY and backups.leave(here, game) == bundle
    assert backups.arrive(there, bundle) == backups.arrive(there, bundle)
    backups.settle(here, game, "beta")
    assert backups.whereabouts(here, battle) == "beta"
    with pytest.raises(BadInput, match="this game is on the machine beta"):
        backups.leave(here, game)
    there.submit(game, 1, "red", SHOT)
    with pytest.raises(BadInput, match="another game has the code"):
        backups.arrive(there, bundle)
    backups.arrive(here, backups.leave(there, game))
    assert backups.whereabouts(here, game) is None and here.game(game).version == 2


def test_a_battle_of_a_campaign_does_not_go_alone(
    machines: tuple[Store, Store], campaign: tuple[str, str, dict[str, str]]
) -> None:
    with pytest.raises(BadInput, match="move the campaign"):
        backups.leave(machines[0], campaign[1])


def test_what_is_no_such_game_or_has_a_fault_is_refused_and_changes_nothing(
    machines: tuple[Store, Store], campaign: tuple[str, str, dict[str, str]], tmp_path: Path
) -> None:
    (here, there), (game, _, _) = machines, campaign
    before = there.file.rows("select id from games")
    for content in (b"", b"no file of SQLite at all" * 99):
        (tmp_path / "other").write_bytes(content)
        with pytest.raises(BadInput, match="not a game moved here|another version"):
            backups.arrive(there, tmp_path / "other")
    bundle = backups.leave(here, game)
    with sqlite3.connect(bundle) as db:
        db.execute("update entries set seat = 'blue' where number = 1 and game = ?", (game,))
    with pytest.raises(BadInput, match="its hash differs"):
        backups.arrive(there, bundle)
    with sqlite3.connect(bundle) as db:
        db.execute('alter table games add column "more"") values (1); --" text')
    with pytest.raises(BadInput, match="not a game moved here"):
        backups.arrive(there, bundle)
    with sqlite3.connect(bundle) as db:
        db.execute("pragma user_version = 3")
    with pytest.raises(BadInput, match="another version of the program"):
        backups.arrive(there, bundle)
    assert there.file.rows("select id from games") == before


@pytest.mark.parametrize(("by", "code", "where"), [("false", 1, backups.ON_THE_WAY), ("no-such-program", 2, None)])
def test_what_the_other_machine_did_not_take_comes_back_and_what_nobody_knows_waits(
    machines: tuple[Store, Store],
    campaign: tuple[str, str, dict[str, str]],
    by: str,
    code: int,
    where: str | None,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    (here, _), (game, _, _) = machines, campaign
    monkeypatch.setattr("webapp.cli.games.Store", lambda path: here)
    assert main(["move", game, "--to", "beta", "--by", by, "--db", str(here.file.path)]) == code
    assert backups.whereabouts(here, game) == where
    assert (here.find(game) is None) == (where is not None)


def test_behind_nginx_a_game_that_moved_is_asked_of_its_machine(
    machines: tuple[Store, Store], campaign: tuple[str, str, dict[str, str]]
) -> None:
    (here, _), (game, battle, tokens) = machines, campaign
    backups.leave(here, game)
    head = {"Authorization": f"Bearer {tokens['red']}"}

    def answer(code: str, **config: Any) -> Any:
        client = create_app({"STORE": here, "TESTING": True, **config}).test_client()
        return client.get(f"/api/v1/games/{code}", headers=head)

    assert answer(game, BEHIND_PROXY=True).status_code == 503
    backups.settle(here, game, "beta")
    for code in (game, battle):
        assert answer(code, BEHIND_PROXY=True).headers["X-Accel-Redirect"] == "@beta"
    assert "X-Accel-Redirect" not in answer(game).headers, "nobody is sent on by a server that has no proxy"
    assert answer("K7M2QXAB", BEHIND_PROXY=True).status_code == 404


def test_a_request_that_was_looking_when_the_game_left_is_sent_after_it(
    machines: tuple[Store, Store], campaign: tuple[str, str, dict[str, str]], monkeypatch: pytest.MonkeyPatch
) -> None:
    (here, _), (game, _, tokens) = machines, campaign
    backups.leave(here, game)
    backups.settle(here, game, "beta")
    monkeypatch.setattr(here, "find", lambda code: "it was still here when the request came")
    client = create_app({"STORE": here, "TESTING": True, "BEHIND_PROXY": True}).test_client()
    head = {"Authorization": f"Bearer {tokens['red']}"}
    assert client.get(f"/api/v1/games/{game}", headers=head).headers["X-Accel-Redirect"] == "@beta"
    assert client.get("/api/v1/games/K7M2QXAB", headers=head).status_code in (401, 404)
