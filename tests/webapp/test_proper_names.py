"""What people call things has one form, whichever way it comes in: NFKC, single spaces, no control or format letters."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any
from xml.etree import ElementTree

import pytest
from flask import Flask

from kit import fleet
from kit.real_house import real_app, real_store
from tactical.kernel.record import NAME_LETTERS, TITLE_LETTERS, BadInput, clean_name, clean_names, plain
from webapp.post import seating
from webapp.post.people import people
from webapp.storage.journal import transfer
from webapp.storage.journal.store import Store
from webapp.storage.services import archive, letters

__all__ = ["real_app", "real_store"]
WRITTEN = " Ca\u0301to\u200b\u00a0 \uff34he\u000bElder\u202e "
CLEAN = "Cáto The Elder"


class Doors:
    """Ways for a name to come in; each returns the status and how the name is stored."""

    def __init__(self, app: Flask, store: Store) -> None:
        self.client, self.store = app.test_client(), store
        self.game, self.tokens = store.create("galley", "mylae", title="Mylae")

    def ask(self, method: str, path: str, body: Any, token: str | None = None) -> Any:
        headers = {"Authorization": f"Bearer {token}"} if token else {}
        return self.client.open(f"/api/v1{path}", method=method, json=body, headers=headers)

    def position(self, **ship: Any) -> dict[str, Any]:
        sides = {"rome": {"name": "Rome", "navy": "roman"}, "carthage": {"name": "Carthage"}}
        return {
            "sides": sides,
            "ships": {
                "r1": fleet.ship("rome", (3, 3), kind="quinquereme", **ship),
                "c1": fleet.ship("carthage", (6, 6)),
            },
        }

    def title_of_a_game(self, name: str) -> Any:
        made = self.ask("POST", "/games", {"system": "galley", "scenario": "mylae", "title": name})
        return made, lambda: self.store.game(made.json["id"]).title

    def ship_of_a_position(self, name: str) -> Any:
        made = self.ask("POST", "/games", {"system": "galley", "position": self.position(name=name)})
        return made, lambda: self.store.load(made.json["id"]).state.ships["r1"].name

    def side_of_a_position(self, name: str) -> Any:
        position = self.position()
        position["sides"]["rome"]["name"] = name
        made = self.ask("POST", "/games", {"system": "galley", "position": position})
        return made, lambda: self.store.load(made.json["id"]).state.sides["rome"].name

    def command(self, name: str) -> Any:
        command = {"type": "adjust", "ship": "r1", "changes": {"name": name}, "why": "a test"}
        path = f"/games/{self.game.id}/commands"
        made = self.ask("POST", path, {"command": command, "seen": 0}, self.tokens["umpire"])
        return made, lambda: self.store.load(self.game.id).state.ships["r1"].name

    def saved_position(self, name: str) -> Any:
        made = self.ask("POST", "/positions", {"title": name, "position": self.position()})
        return made, lambda: letters.all_positions(self.store)[0].title

    def season(self, name: str) -> Any:
        made = self.ask("POST", "/seasons", {"title": name, "pairing": "swiss"})
        return made, lambda: self.store.load(made.json["id"]).state.title

    def player_of_a_season(self, name: str) -> Any:
        season = self.ask("POST", "/seasons", {"title": "Winter", "pairing": "swiss"}).json
        ships = {"navy": "roman", "ships": [{"type": "quinquereme", "name": "Aquila"}]}
        made = self.ask("POST", f"/seasons/{season['id']}/players", {"name": name, "fleet": ships}, season["token"])
        return made, lambda: self.store.load(season["id"]).state.players["p1"].name

    def ship_of_a_season(self, name: str) -> Any:
        season = self.ask("POST", "/seasons", {"title": "Winter", "pairing": "swiss"}).json
        ships = {"navy": "roman", "ships": [{"type": "quinquereme", "name": name}]}
        made = self.ask("POST", f"/seasons/{season['id']}/players", {"name": "Ada", "fleet": ships}, season["token"])
        return made, lambda: self.store.load(season["id"]).state.players["p1"].ships["s1"].name

    def squadron_of_a_position(self, name: str) -> Any:
        made = self.ask("POST", "/games", {"system": "galley", "position": self.position(squadron=name)})
        return made, lambda: self.store.load(made.json["id"]).state.ships["r1"].squadron

    def ship_of_a_spreadsheet(self, name: str) -> Any:
        season = self.ask("POST", "/seasons", {"title": "Winter", "pairing": "swiss"}).json
        self.ask("POST", f"/seasons/{season['id']}/players", {"name": "Ada", "fleet": []}, season["token"])
        sheet = f'type;name\ntrireme;"{name}"\n'.encode()
        head = {"Authorization": f"Bearer {season['token']}"}
        made = self.client.put(f"/api/v1/seasons/{season['id']}/players/p1/fleet.csv", data=sheet, headers=head)
        return made, lambda: self.store.load(season["id"]).state.players["p1"].ships["s1"].name

    def substitute(self, name: str) -> Any:
        season = self.ask("POST", "/seasons", {"title": "Winter", "pairing": "swiss"}).json
        for who in ("Ada", "Bea"):
            self.ask("POST", f"/seasons/{season['id']}/players", {"name": who, "fleet": []}, season["token"])
        self.ask("POST", f"/seasons/{season['id']}/rounds", {}, season["token"])
        path = f"/seasons/{season['id']}/pairings/r1-1"
        made = self.ask("PUT", path, {"substitutes": {"p1": name}}, season["token"])
        return made, lambda: self.store.load(season["id"]).state.paired()["r1-1"][1].substitutes["p1"]

    def person(self, name: str) -> Any:
        body = {"seat": "rome", "name": name}
        made = self.ask("POST", f"/games/{self.game.id}/people", body, self.tokens["umpire"])
        return made, lambda: people(self.store, self.game.id)[0].name

    def request_for_a_seat(self, name: str) -> Any:
        made = self.ask("POST", f"/games/{self.game.id}/requests", {"seat": "rome", "name": name})
        return made, lambda: seating.waiting_in(self.store, self.game.id)[0].name

    def imported_title(self, name: str) -> Any:
        saved = plain(transfer.export(self.store, self.game.id))
        made = self.ask("POST", "/games/import", {**saved, "game": {**saved["game"], "title": name}})
        return made, lambda: self.store.game(made.json["id"]).title

    def imported_seat(self, name: str) -> Any:
        saved = plain(transfer.export(self.store, self.game.id))
        seats = [{**seat, "name": name} for seat in saved["seats"]]
        made = self.ask("POST", "/games/import", {**saved, "seats": seats})
        return made, lambda: self.store.seats(made.json["id"])[0].name

    def copy(self, name: str) -> Any:
        game, tokens = self.store.create("hannibal", "second_punic_war")
        made = self.ask("POST", f"/games/{game.id}/copy", {"title": name}, tokens["umpire"])
        return made, lambda: self.store.game(made.json["id"]).title


EVERY = [name for name, each in vars(Doors).items() if callable(each) and "name" in each.__annotations__]


@pytest.fixture
def doors(app: Flask, store: Store) -> Doors:
    return Doors(app, store)


@pytest.mark.parametrize("door", EVERY)
def test_a_name_is_stored_in_its_one_form(doors: Doors, door: str) -> None:
    way: Callable[[str], Any] = getattr(doors, door)
    answer, stored = way(WRITTEN)
    assert answer.status_code in (200, 201), answer.text
    assert stored() == CLEAN


@pytest.mark.parametrize("door", [door for door in EVERY if door != "ship_of_a_spreadsheet"])  # which names its cell
def test_a_name_that_is_too_long_is_refused_by_its_field(doors: Doors, door: str) -> None:
    answer, _ = getattr(doors, door)("x" * (2 * TITLE_LETTERS + 1))
    assert answer.status_code == 400, answer.text
    assert "title" in answer.json["error"] or "name" in answer.json["error"]


def test_a_saved_game_of_an_earlier_version_keeps_a_title_that_was_allowed(doors: Doors) -> None:
    answer, stored = doors.imported_title("x" * TITLE_LETTERS)
    assert answer.status_code == 201 and stored() == "x" * TITLE_LETTERS


def test_a_game_stored_with_a_title_of_its_own_kind_is_opened_exported_and_copied(doors: Doors) -> None:
    with doors.store.write() as db:
        db.conn.execute("update games set title = ? where id = ?", ("x" * 5000, doors.game.id))
    doors.client.get(f"/join/{doors.tokens['umpire']}")
    assert doors.client.get(f"/g/{doors.game.id}").status_code == 200
    assert transfer.export(doors.store, doors.game.id).game.title == "x" * 5000
    made, _ = archive.copy(doors.store, doors.game.id, "umpire")
    assert made.title == "x" * TITLE_LETTERS


def test_nothing_that_is_imported_makes_the_organizers_list_long(doors: Doors) -> None:
    """Titles and names of seats are short; what the journal tells is cut on the page."""
    doors.command("y" * TITLE_LETTERS)
    saved = plain(transfer.export(doors.store, doors.game.id))
    saved["entries"][1]["command"]["why"] = "z" * 400
    for event in saved["entries"][1]["events"]:
        event["data"] = {
            name: "z" * 1_000_000 if isinstance(value, str) else value for name, value in event["data"].items()
        }
    for _ in range(5):
        assert doors.ask("POST", "/games/import", saved).status_code == 201
    assert len(doors.client.get("/organizer").data) < 100_000


@pytest.mark.parametrize(
    "text, clean",
    [
        ("", ""),
        ("\u200b\u202e", ""),
        ("\u2800\u3164\u00ad\ufe0f\u034f\U000e0041\ufeff", ""),
        ("Jose\u0301\u00a0 N\u200fu\u00f1ez", "José Nuñez"),
        ("ﬁne", "fine"),
        ("Ада", "Ада"),
        ("A\tB\nC", "A B C"),
        ("A\u2028B", "A B"),
    ],
)
def test_the_one_form(text: str, clean: str) -> None:
    assert clean_name(text) == clean and clean_name(clean) == clean


def test_who_sits_there_is_a_short_name(doors: Doors) -> None:
    doors.store.name_seat(doors.game.id, "rome", "x" * 100)
    assert {len(seat.name) for seat in doors.store.seats(doors.game.id)} == {0, NAME_LETTERS}


@pytest.mark.parametrize(
    "same", ["JOSÉ NÚÑEZ", "Jose\u0301 Nu\u0301n\u0303ez", "José  Núñez", "José\u00a0Núñez", "Jo\u200bsé Núñez\u200f"]
)
def test_a_name_that_looks_the_same_is_the_same(doors: Doors, same: str) -> None:
    season = doors.ask("POST", "/seasons", {"title": "Winter", "pairing": "swiss"}).json
    path = f"/seasons/{season['id']}/players"
    assert doors.ask("POST", path, {"name": "José Núñez"}, season["token"]).status_code == 201
    again = doors.ask("POST", path, {"name": same}, season["token"])
    assert again.status_code == 422 and "already" in again.json["error"]
    for nobody in ("\u200b", "\u2800", "\u3164", " \u202e "):
        assert doors.ask("POST", path, {"name": nobody}, season["token"]).status_code == 400


def test_two_keys_that_are_one_name_are_refused() -> None:
    assert clean_names({"types": {" Lem\u200bbos": {"hull": 2}}}) == {"types": {"Lembos": {"hull": 2}}}
    assert clean_names({"models": {"rhodes": {"Anna  B": {"trireme": 2}}}})["models"]["rhodes"] == {
        "Anna B": {"trireme": 2}
    }
    with pytest.raises(BadInput) as wrong:
        clean_names({"types": {"lembos": {}, "lembos\u200b": {}}})
    assert wrong.value.path == "types"


@pytest.mark.parametrize("letter", ["\u000b", "\u0001", "\ufffe"])
def test_a_feed_is_xml_whatever_was_stored_before(doors: Doors, letter: str) -> None:
    name = f"Ada{letter}B"
    season = doors.ask("POST", "/seasons", {"title": name, "pairing": "swiss"}).json
    doors.ask("POST", f"/seasons/{season['id']}/players", {"name": name}, season["token"])
    doors.ask("POST", f"/seasons/{season['id']}/players", {"name": "Bea"}, season["token"])
    doors.ask("POST", f"/seasons/{season['id']}/rounds", {"date": name}, season["token"])
    with doors.store.write() as db:
        db.conn.execute("update games set title = ? where id = ?", (name, season["id"]))
    feed = doors.client.get(f"/season/{season['id']}/feed.atom")
    assert feed.mimetype == "application/atom+xml" and ElementTree.fromstring(feed.data).tag.endswith("feed")
