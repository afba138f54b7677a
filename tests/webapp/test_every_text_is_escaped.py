"""What people write is text wherever it is drawn: no quote, bracket or htmx attribute of theirs becomes markup."""

from __future__ import annotations

import random
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import msgspec
import pytest
from flask import Flask

from kit.escaping import MARK, foreign
from kit.real_house import real_app, real_store  # noqa: F401
from kit.toy import SYSTEMS
from tactical.battle import Battle
from tactical.kernel.dice import Dice
from tactical.kernel.protocol import UMPIRE, Illegal, System
from tactical.kernel.random_play import play_at_random
from tactical.kernel.record import BadInput, decode, plain, read
from webapp.pages.battle.board import Picture, board
from webapp.storage.journal import new_game
from webapp.storage.journal.new_game import check_names
from webapp.storage.journal.store import Store, all_systems

LIVE = re.compile(r"""(?<![\w-])zq['"]|<i hx-get""")  # a digest may end in these two letters


STRANGE = 'x"><i hx-post="/g/VICTIM/command" hx-trigger="load" hx-vals=\'{"type":"resign"}\'>z</i><a id="'


@pytest.mark.parametrize("name", [STRANGE, "", "R1", "a b", "a" * 41, "ж", "a.b", 'a"'])
def test_the_name_of_a_ship_is_refused_unless_it_is_one(app: Flask, name: str) -> None:
    client, position = app.test_client(), duel()
    position["ships"][name] = {**position["ships"].pop("r1")}
    answer = client.post("/api/v1/games", json={"system": "galley", "position": position})
    assert answer.status_code == 400
    assert answer.json["detail"]["path"] == "position.ships"
    assert "name" in answer.json["error"]


def test_the_name_of_a_side_is_refused_unless_it_is_one(app: Flask) -> None:
    position = duel()
    position["sides"][STRANGE] = position["sides"].pop("rome")
    position["ships"]["r1"]["side"] = STRANGE
    answer = app.test_client().post("/api/v1/games", json={"system": "galley", "position": position})
    assert (answer.status_code, answer.json["detail"]["path"]) == (400, "position.sides")


def test_an_import_with_the_name_of_a_ship_that_is_none_is_refused(app: Flask, store: Store) -> None:
    client = app.test_client()
    made = client.post("/api/v1/games", json={"system": "galley", "position": duel()}).json
    umpire = {"Authorization": f"Bearer {next(s['token'] for s in made['seats'] if s['id'] == UMPIRE)}"}
    saved = client.get(f"/api/v1/games/{made['id']}/export", headers=umpire).json
    saved["entries"][0]["state"]["ships"][STRANGE] = saved["entries"][0]["state"]["ships"].pop("r1")
    answer = client.post("/api/v1/games/import", json=saved)
    assert (answer.status_code, answer.json["detail"]["path"]) == (400, "entries[0].state.ships")
    assert len(store.games()) == 1


def test_no_command_writes_a_name_that_is_none(tmp_path: Path) -> None:
    store = Store(tmp_path / "toys.db", SYSTEMS)
    game, _ = store.create("toy", scenario="duel")
    with pytest.raises(BadInput, match="name"):
        store.submit(game.id, 0, UMPIRE, {"type": "adjust", "points": {STRANGE: 1}, "why": "a test"})
    assert store.game(game.id).version == 0


def test_proper_names_of_ships_and_numbers_of_engagements_are_no_such_names() -> None:
    """What a report counts by ship, and what engines number themselves, pass; anything else under those names does not."""
    toy = SYSTEMS["toy"]
    check_names(toy, b'{"settled":{"2.1":{"sides":{"rome":{"damage":{"Aquila \\"II\\"":1}}}}}}', "")
    with pytest.raises(BadInput, match="settled.2.1: 'A' is not a name"):
        check_names(toy, b'{"settled":{"2.1":{"A":{"damage":{}}}}}', "")


def test_a_board_of_old_names_is_escaped(app: Flask) -> None:
    """Games saved before names were checked open, and what is drawn of them is text."""
    position = duel()
    position["ships"][STRANGE] = {**position["ships"].pop("r1"), "name": MARK}
    battle = read(plain(begun(all_systems()["galley"], position)), Battle)
    with app.test_request_context():
        drawn = str(board(battle, Picture(links={name: "/here" for name in battle.ships})))
    assert "<i hx-post" not in drawn and not LIVE.search(drawn)
    assert "hx-ignore" in drawn


def duel() -> dict[str, Any]:
    """Two ships that are not in contact, as a position typed in."""
    return {
        "board": {"kind": "hexes", "columns": 12, "rows": 8, "land": []},
        "sides": {"rome": {"navy": "roman"}, "carthage": {"navy": "hellenistic"}},
        "ships": {
            "r1": {"side": "rome", "type": "quinquereme", "at": [2, 2], "facing": "N"},
            "c1": {"side": "carthage", "type": "trireme", "at": [6, 2], "facing": "N"},
        },
    }


def begun(system: System, position: Any) -> Any:
    return system.start(None, position, {}, Dice(source=lambda sides: 1, secret=lambda sides: 1)).state


@pytest.mark.parametrize("name", all_systems())
def test_a_marker_in_every_text_is_nowhere_markup(app: Flask, store: Store, name: str) -> None:
    system = store.systems[name]
    position = plain(played(system))
    marked, places = planted(system, position)
    assert places or name != "galley", "no text of the position took the marker"
    game, tokens = store.create(name, position=marked, title=MARK)
    for seat in tokens:
        store.name_seat(game.id, seat, MARK)
    say_everything(store, game.id, system)
    checked = 0
    _, *rest = system.sides(store.load(game.id).state)  # a further side's pages come from the templates of the first
    for seat, token in {**{seat: token for seat, token in tokens.items() if seat not in rest}, "": ""}.items():
        client = app.test_client()
        if token:
            assert client.get(f"/join/{token}").status_code == 302
        for address in addresses(app, store, game.id):
            answer = client.get(f"{address}{'&' if '?' in address else '?'}seat={seat}")
            assert answer.status_code < 500, (seat, address)
            if answer.mimetype in ("text/html", "image/svg+xml"):
                checked += 1
                found = LIVE.search(answer.text)
                assert not found, (seat, address, answer.text[max(0, found.start() - 200) : found.end() + 80])
                assert not foreign(answer.text), (seat, address)
    assert checked > 20


def played(system: System) -> Any:
    """A position some way into the first scenario, with more in it than the opening."""
    game = play_at_random(system, system.scenarios()[0].id, random.Random(5), limit=60)
    return decode(game.states[-1], system.state)


def planted(system: System, position: Any) -> tuple[Any, list[str]]:
    """The position with the marker in every text that the engine lets pass, and where these are."""
    found: list[str] = []
    for path in texts(position):
        tried = with_value(position, path, MARK)
        try:
            new_game.start(system, None, tried, {}, Dice(source=lambda sides: 1, secret=lambda sides: 1))
        except (BadInput, Illegal):
            continue
        position = tried
        found.append(".".join(map(str, path)))
    return position, found


def texts(position: Any) -> Iterator[tuple[str | int, ...]]:
    """One path for each kind of place that holds a text or nothing."""
    known: set[tuple[str, ...]] = set()
    waiting: list[tuple[Any, tuple[str | int, ...]]] = [(position, ())]
    while waiting:
        value, path = waiting.pop()
        if isinstance(value, dict):
            waiting += [(part, (*path, name)) for name, part in value.items()]
        elif isinstance(value, list):
            waiting += [(part, (*path, place)) for place, part in enumerate(value)]
        elif value is None or isinstance(value, str):
            kind = tuple(name if name in FIELDS else "*" for name in map(str, path))
            if kind not in known:
                known.add(kind)
                yield path


def _fields(kind: type) -> Iterator[str]:
    for each in kind.__subclasses__():
        yield from getattr(each, "__struct_fields__", ())
        yield from _fields(each)


FIELDS = frozenset(_fields(msgspec.Struct))


def with_value(value: Any, path: tuple[str | int, ...], new: Any) -> Any:
    if not path:
        return new
    copy = value.copy()
    copy[path[0]] = with_value(value[path[0]], path[1:], new)
    return copy


def say_everything(store: Store, game: str, system: System) -> None:
    """Adjust with the marker as the reason, and write it into the chronicle."""
    for ship in (None, *list(getattr(store.load(game).state, "ships", {}))[:1]):
        command = {"type": "adjust", "changes": {}, "why": MARK} | ({"ship": ship} if ship else {})
        try:
            store.submit(game, store.game(game).version, UMPIRE, command)
        except (BadInput, Illegal):
            continue
    with store.write() as db:
        db.table("notes").insert(
            {"game": game, "seat": UMPIRE, "entry": 0, "time": store.now(), "seen_by": "", "text": MARK}
        )
        for seat in (seat.id for seat in store.seats(game)):
            db.table("seat_requests").insert(
                {
                    "game": game,
                    "seat": seat,
                    "name": MARK,
                    "lang": "en",
                    "home": "",
                    "time": store.now(),
                    "state": "open",
                    "token": f"asked by {seat}",
                }
            )
            letter = {"game": game, "sender": UMPIRE, "receiver": seat, "time": store.now(), "entry": 0, "text": MARK}
            db.table("letters").insert(letter)
            db.table("people").insert(
                {
                    "game": game,
                    "seat": seat,
                    "name": MARK,
                    "address": "",
                    "role": "",
                    "duty": MARK,
                    "lang": "en",
                    "mails": "",
                    "home": "",
                    "away_from": "",
                    "away_until": "",
                    "stop": "",
                    "token": f"hash of {seat}",
                }
            )


def addresses(app: Flask, store: Store, game: str) -> list[str]:
    """Every page about a game, and those that list games."""
    table = store.load(game)
    ships = list(getattr(table.state, "ships", {}))[:2]
    found = ["/", "/organizer", f"/rejoin?code={game}", f"/g/{game}?view=fleet"]
    for rule in app.url_map.iter_rules():
        if "GET" not in (rule.methods or ()) or "<game>" not in rule.rule or rule.rule.endswith("/stream"):
            continue
        path = rule.rule.replace("<game>", game).replace("<int:number>", str(table.game.version))
        found += [path.replace("<ship>", ship) for ship in ships] if "<ship>" in path else [path]
    return found + [f"/g/{game}?ship={ship}" for ship in ships]
