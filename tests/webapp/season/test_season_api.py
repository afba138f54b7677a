"""O10 Seasons over the API: begun, paired, fought here, reported, exported; who may do what."""

from __future__ import annotations

import gzip
import json
from pathlib import Path
from typing import Any

import pytest
from flask import Flask
from flask.testing import FlaskClient

from kit.seasons import CLUB_2016
from strategic.season import SEASON
from tactical.kernel.protocol import UMPIRE
from webapp import create_app
from webapp.storage.errors import Barred
from webapp.storage.journal.store import Store
from webapp.storage.journal.transfer import verify

SAVED = Path(__file__).parents[2] / "saved_games"
FLEET = {"navy": "roman", "ships": [{"type": "quinquereme", "name": name} for name in ("Aquila", "Lupa", "Fortuna")]}


class Club:
    """A season, the organizer's token and the players' by their ids."""

    def __init__(self, client: FlaskClient, **wanted: Any) -> None:
        self.client = client
        made = self.ask("POST", "", None, {"title": "Winter", "pairing": "swiss", **wanted})
        assert made.status_code == 201, made.text
        self.id, self.tokens = made.json["id"], {"organizer": made.json["token"]}

    def ask(self, method: str, path: str, who: str | None, body: Any = None) -> Any:
        headers = {"Authorization": f"Bearer {self.tokens[who]}"} if who else {}
        return self.client.open(f"/api/v1/seasons{path}", method=method, headers=headers, json=body)

    def __call__(self, method: str, path: str = "", who: str | None = "organizer", body: Any = None) -> Any:
        return self.ask(method, f"/{self.id}{path}", who, body)

    def enroll(self, name: str, fleet: Any = FLEET) -> str:
        made = self("POST", "/players", body={"name": name, "fleet": fleet})
        assert made.status_code == 201, made.text
        self.tokens[made.json["id"]] = made.json["token"]
        return str(made.json["id"])

    def pair(self) -> Any:
        made = self("POST", "/rounds")
        assert made.status_code == 201, made.text
        return made.json

    def standings(self) -> dict[str, int]:
        return {row["player"]: row["points"] for row in self("GET", who=None).json["standings"]}


@pytest.fixture
def app(tmp_path) -> Flask:
    return create_app({"STORE": Store(tmp_path / "games.db"), "TESTING": True, "PROPAGATE_EXCEPTIONS": False})


@pytest.fixture
def club(app: Flask) -> Club:
    found = Club(app.test_client())
    for name in ("Anna", "Bruno", "Carla", "Dino", "Elsa"):
        found.enroll(name)
    return found


def test_a_round_is_paired_reported_with_the_others_word_and_counted(club: Club):
    made = club.pair()
    assert made["round"] == 1 and len(made["pairings"]) == 3
    pairs = [each for each in made["pairings"] if len(each["players"]) == 2]
    assert all(each["why"].endswith(".") for each in made["pairings"]) and len(pairs) == 2
    one, other = pairs[0]["players"]
    path = f"/pairings/{pairs[0]['id']}/result"
    told = club("POST", path, one, {"winner": one, "points": {one: 5, other: 2}})
    assert told.status_code == 202 and told.json["waits_for"] == [other]
    assert club("POST", path, one, {"winner": one, "points": {one: 5, other: 2}}).status_code in (202, 422)
    assert club.standings()[one] == 0
    agreed = club("POST", path, other, {"winner": one, "points": {one: 5, other: 2}})
    assert agreed.status_code == 200 and agreed.json["result"]["winner"] == one
    assert club.standings()[one] == 3
    store: Store = club.client.application.extensions["navarch"].store
    with pytest.raises(Barred, match="counts for all sides"):
        store.undo(club.id, store.game(club.id).version, other)
    last = club("POST", f"/pairings/{pairs[1]['id']}/result", body={"winner": None, "points": {}})
    assert last.status_code == 200
    shown = club("GET", who=None).json
    row = next(row for row in shown["standings"] if row["player"] == one)
    assert row["sum"] == [{"round": 1, "against": other, "how": "won", "points": 3}]
    assert set(row["breaks"]) == {"opponents", "ships", "head_to_head"} and shown["rounds_planned"] == 3


def test_the_organizer_changes_a_round_until_it_is_published(club: Club):
    club.pair()
    wanted = [{"players": ["p5", "p1"]}, {"players": ["p2", "p3"]}, {"players": ["p4"]}]
    changed = club("PUT", "/rounds", body={"pairings": wanted})
    assert changed.status_code == 200, changed.text
    assert [each["players"] for each in changed.json["pairings"]] == [["p5", "p1"], ["p2", "p3"], ["p4"]]
    assert club("PUT", "/rounds/1", body={"published": True}).json["published"]
    assert club("PUT", "/rounds/1", body={"pairings": wanted}).status_code == 422


def test_o10_1_a_round_is_the_organizers_alone_until_it_is_published(club: Club):
    club.pair()
    stranger = club.client.application.test_client()

    def rounds() -> list[int]:
        by_seat = [len(club("GET", who=who).json["rounds"]) for who in ("organizer", "p1", None)]
        table = stranger.get(f"/season/{club.id}/table.csv").text.partition("round,player")[2].splitlines()
        return [*by_seat, stranger.get(f"/season/{club.id}/print").text.count("paper-round"), min(1, len(table) - 1)]

    assert rounds() == [1, 0, 0, 0, 0]
    club("PUT", "/rounds/1", body={"published": True})
    assert rounds() == [1, 1, 1, 1, 1]


def test_o10_1_the_journal_does_not_tell_how_a_round_was_changed_before_it_is_published(club: Club):
    """Neither the organizer's pairings nor a correction of them; what everybody may know is that he changed them."""
    club.pair()
    wanted = [{"players": ["p5", "p1"]}, {"players": ["p2", "p3"]}, {"players": ["p4"]}]
    assert club("PUT", "/rounds", body={"pairings": wanted}).status_code == 200
    store: Store = club.client.application.extensions["navarch"].store
    changes = {"played.0.date": "2027-01-09", "title": "Spring"}
    adjust = {"type": "adjust", "changes": changes, "why": "a slip"}
    store.submit(club.id, store.game(club.id).version, "umpire", adjust)

    def told(who: str) -> list[dict[str, Any]]:
        headers = {"Authorization": f"Bearer {club.tokens[who]}"}
        journal = club.client.get(f"/api/v1/games/{club.id}/journal", headers=headers)
        assert who == "organizer" or "2027-01-09" not in journal.text
        return [entry["command"] for entry in journal.json["entries"]][-2:]

    assert told("organizer")[1] == adjust and told("organizer")[0]["pairings"] == [["p5", "p1"], ["p2", "p3"], ["p4"]]
    rearranged, adjusted = told("p1")
    assert rearranged == {"type": "rearrange"}
    assert adjusted["changes"] == {"played.0.date": "(hidden)", "title": "Spring"}
    assert verify(store, club.id) == []


@pytest.mark.parametrize(
    ("method", "path", "who", "body", "status"),
    [
        ("POST", "/players", None, {"name": "X"}, 401),
        ("POST", "/players", "p1", {"name": "X"}, 403),
        ("POST", "/players", "organizer", {"name": "anna"}, 422),
        ("POST", "/players", "organizer", {"name": "X", "fleet": 7}, 400),
        ("POST", "/players", "organizer", {"name": "X", "fleet": [{"type": "liner"}]}, 422),
        ("DELETE", "/players/p2", "p1", None, 403),
        ("DELETE", "/players/p9", "organizer", None, 400),
        ("POST", "/rounds", "p1", None, 403),
        ("POST", "/rounds", None, None, 401),
        ("PUT", "/rounds", "p1", {"pairings": []}, 403),
        ("PUT", "/rounds", "organizer", {"pairings": [["p1", "p1"]]}, 400),
        ("PUT", "/rounds", "organizer", {"pairings": [7]}, 400),
        ("POST", "/pairings/r1-1/result", "organizer", {"winner": "p9"}, 400),
        ("POST", "/pairings/r9-9/result", "organizer", {"winner": "p1"}, 400),
        ("POST", "/pairings/r1-9/battle", "organizer", None, 400),
        ("GET", "/export", "p1", None, 403),
    ],
)
def test_what_is_wrong_or_not_yours_is_refused_and_changes_nothing(club: Club, method, path, who, body, status):
    club.pair()
    before = club("GET").json
    refused = club(method, path, who, body)
    assert refused.status_code == status and refused.json["error"].endswith("."), refused.text
    assert club("GET").json == before


def test_a_game_is_no_season_and_a_season_is_not_begun_as_a_game(app: Flask, club: Club):
    assert club.ask("GET", "/ABCDEFGH", None).status_code == 404
    made = app.test_client().post("/api/v1/games", json={"system": "season", "position": {"title": "X"}})
    assert made.status_code == 400
    made = app.test_client().post("/api/v1/games", json={"system": "galley", "scenario": "mylae"}).json
    assert club.ask("GET", f"/{made['id']}", None).status_code == 404
    names = [each["name"] for each in app.test_client().get("/api/v1/systems").json["systems"]]
    assert "season" not in names


def test_a_battle_is_opened_here_with_both_fleets_and_its_end_is_entered_by_itself(app: Flask, club: Club):
    club.pair()
    store: Store = app.extensions["navarch"].store
    one, other = club("GET").json["rounds"][0]["pairings"][0]["players"]
    made = club("POST", "/pairings/r1-1/battle", one)
    assert made.status_code == 201, made.text
    battle = made.json["game"]
    state = store.load(battle).state
    assert [ship.name for ship in state.ships.values()] == ["Aquila", "Lupa", "Fortuna"] * 2
    assert set(state.sides) == {one, other}
    assert club("POST", "/pairings/r1-1/battle", other).status_code == 422
    assert club("POST", "/pairings/r1-1/result", one, {"winner": one}).status_code == 422
    sunk = {f"b{number}": {"damage": 20, "status": "sunk", "at": None} for number in (1, 2, 3)}
    sheets = {**sunk, "a1": {"damage": 2}}
    store.submit(battle, 0, UMPIRE, {"type": "adjust", "ships": sheets, "why": "a storm"})
    agree(store, battle)
    pairing = club("GET").json["rounds"][0]["pairings"][0]
    assert pairing["result"]["winner"] == one and pairing["game"] == battle
    players = {each["id"]: each for each in club("GET").json["players"]}
    assert {ship["status"] for ship in players[other]["ships"].values()} == {"sunk"}
    assert players[one]["ships"]["s1"]["damage"] == 2 and club.standings()[one] == 3
    assert not verify(store, club.id) and not verify(store, battle)


def agree(store: Store, battle: str) -> None:
    """Both players end the battle."""
    for side in store.load(battle).sides:
        store.submit(battle, store.game(battle).version, side, {"type": "agree", "side": side})


def test_a_season_is_exported_imported_undone_and_verified(app: Flask, club: Club):
    club.pair()
    store: Store = app.extensions["navarch"].store
    exported = club("GET", "/export").json
    made = club.ask("POST", "/import", None, exported)
    assert made.status_code == 201, made.text
    club.tokens["importer"] = made.json["token"]
    again = club.ask("GET", f"/{made.json['id']}", "importer").json
    before = club("GET").json
    assert {**again, "id": club.id, "version": before["version"]} == before and set(made.json["players"]) == set(
        club.tokens
    ) - {"organizer", "importer"}
    headers = {"Authorization": f"Bearer {club.tokens['organizer']}"}
    version = store.game(club.id).version
    undone = app.test_client().post(f"/api/v1/games/{club.id}/undo", json={"seen": version}, headers=headers)
    assert undone.status_code == 200 and not club("GET").json["rounds"]
    assert not verify(store, club.id)
    assert club.ask("POST", "/import", None, {"navarch": 1, "game": {"system": "galley"}}).status_code == 400


def test_nine_players_over_five_rounds_with_a_late_one_a_withdrawal_and_a_bye_each_round(app: Flask):
    club = Club(app.test_client(), rounds=5)
    for number in range(8):
        club.enroll(f"Player {number + 1}")
    for number in range(5):
        if number == 1:
            club.enroll("Late")
        if number == 3:
            assert club("DELETE", "/players/p2", "p2").status_code == 200
        drawn = club.pair()
        for each in drawn["pairings"]:
            if len(each["players"]) == 2:
                assert (
                    club("POST", f"/pairings/{each['id']}/result", body={"winner": each["players"][0]}).status_code
                    == 200
                )
    shown = club("GET", who=None).json
    met = [
        frozenset(each["players"]) for one in shown["rounds"] for each in one["pairings"] if len(each["players"]) == 2
    ]
    assert len(met) == len(set(met)), "nobody meets twice while it can be avoided"
    byes = [each["players"][0] for one in shown["rounds"] for each in one["pairings"] if len(each["players"]) == 1]
    assert len(byes) == len(set(byes)) == 2
    assert club("POST", "/rounds").status_code == 422
    assert sum(row["points"] for row in shown["standings"]) == 3 * (len(met) + len(byes))


def test_a_fleet_is_sent_as_a_spreadsheet_and_its_fault_names_the_cell(club: Club):
    path, client = f"/api/v1/seasons/{club.id}/players/p1/fleet.csv", club.client
    own = {"Authorization": f"Bearer {club.tokens['p1']}"}
    other = {"Authorization": f"Bearer {club.tokens['p2']}"}
    sent = client.get(path).text.replace("Aquila", "Felix")
    assert client.put(path, data=sent, headers=other).status_code == 403
    assert client.put(path, data=sent, headers=own).status_code == 200
    assert "Felix" in client.get(path).text
    wrong = client.put(path, data=sent.replace("average", "drunk", 1), headers=own)
    assert wrong.status_code == 400 and "C2" in wrong.text


def test_o10_1_a_tournament_file_begins_a_season_and_a_season_goes_out_as_one(app: Flask, club: Club):
    client = app.test_client()
    made = client.post("/api/v1/seasons/tournament.trf", data=CLUB_2016.encode("cp1252"))
    assert made.status_code == 201, made.text
    read = made.json["read"]
    assert read["counts"] == {"players": 5, "rounds": 3, "battles": 4} and read["encoding"] == "windows-1252"
    assert [each["where"] for each in read["left_out"]] == ["022"] and "Bianchi, Bruno has left" in read["notes"][0]
    season = client.get(f"/api/v1/seasons/{made.json['id']}").json
    assert [player["name"] for player in season["players"]][4] == "Núñez, Elsa" and season["rounds_planned"] == 5
    head = {"Authorization": f"Bearer {made.json['token']}"}
    paired = client.post(f"/api/v1/seasons/{made.json['id']}/rounds", headers=head)
    assert paired.status_code == 201 and sum(len(each["players"]) for each in paired.json["pairings"]) == 4
    for edition, code in (("2016", "XXP 1 3"), ("2026", "260 001 005    1    3")):
        sent = client.get(f"/api/v1/seasons/{made.json['id']}/tournament.trf?edition={edition}")
        assert code in sent.text and sent.text.count("\n001 ") == 5 and edition in sent.headers["Content-Disposition"]
        assert client.post("/api/v1/seasons/tournament.trf", data=sent.data).status_code == 201
    assert client.get(f"/api/v1/seasons/{made.json['id']}/tournament.trf?edition=2006").status_code == 400


@pytest.mark.parametrize(
    ("data", "says"),
    [
        (CLUB_2016.replace("   1 b 0  ", "   1 b 1  ").encode(), "line 6, column 92: line 7 says something else"),
        (b"x" * 100_001, "at most 100000"),
        (b"\x00\xff\xfe", "not a text file"),
        (b"", "no player"),
    ],
)
def test_o10_1_a_tournament_file_that_is_refused_begins_nothing(app: Flask, data: bytes, says: str):
    store: Store = app.extensions["navarch"].store
    made = app.test_client().post("/api/v1/seasons/tournament.trf", data=data)
    assert made.status_code == 400 and says in made.json["error"] and not store.games()


def test_o10_1_byes_and_players_who_are_kept_apart_over_the_api(club: Club):
    assert club("PUT", "/players/p1/byes/1", "p1", {"bye": "half"}).status_code == 403
    assert club("PUT", "/players/p1/byes/1", "p1", {"bye": "zero"}).status_code == 200
    assert club("PUT", "/players/p2/byes/1", body={"bye": "half"}).json["players"][1]["byes"] == [
        {"round": 1, "kind": "half"}
    ]
    assert club("PUT", "/players/p1/byes/1", "p1", {"bye": ""}).json["players"][0]["byes"] == []
    assert club("PUT", "/apart", "p1", {"players": ["p1", "p3"]}).status_code == 403
    assert club("PUT", "/apart", body={"players": ["p1", "p3"]}).json["apart"] == [
        {"players": ["p1", "p3"], "first": 1, "last": None}
    ]
    pairs = [each["players"] for each in club.pair()["pairings"]]
    assert ["p2"] in pairs and ["p1", "p3"] not in pairs and len(pairs) == 3
    assert club("PUT", "/players/p1/byes/1", body={"bye": "half"}).status_code == 422
    assert club("PUT", "/apart", body={"players": ["p1", "p3"], "apart": False}).json["apart"] == []
    assert club("PUT", "/apart", body={"players": ["p1", "p9"]}).status_code == 400


def test_o10_1_a_season_that_an_earlier_version_saved_goes_on(app: Flask):
    """Version 1: its players have no rating and no byes, its pairings no kind of bye, its season nobody kept apart."""
    saved = json.loads(gzip.decompress((SAVED / "v0.3" / "season.json.gz").read_bytes()))
    store: Store = app.extensions["navarch"].store
    made = app.test_client().post("/api/v1/seasons/import", json=saved)
    assert made.status_code == 201, made.text
    club = Club.__new__(Club)
    club.client, club.id, club.tokens = app.test_client(), made.json["id"], {"organizer": made.json["token"]}
    assert verify(store, club.id) == [] and saved["game"]["engine"] == "1"
    rounds = len(store.load(club.id).state.played)
    for pairing in store.load(club.id).state.now.open():
        assert club("POST", f"/pairings/{pairing}/result", body={"winner": None}).status_code == 200
    assert club("PUT", f"/players/p1/byes/{rounds + 1}", body={"bye": "half"}).status_code == 200
    assert club("PUT", "/apart", body={"players": ["p2", "p3"]}).status_code == 200
    pairs = [each["players"] for each in club.pair()["pairings"]]
    assert ["p1"] in pairs and not {("p2", "p3"), ("p3", "p2")} & {tuple(pair) for pair in pairs}
    assert club("PUT", "/rounds", body={"published": True}).status_code == 200
    assert verify(store, club.id) == [] and store.entries(club.id)[-1].engine == SEASON.version
    assert "0000 - H" in app.test_client().get(f"/api/v1/seasons/{club.id}/tournament.trf").text
