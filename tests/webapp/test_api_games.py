"""API v1: games, commands, dice, undo, journal, seats."""

from __future__ import annotations

from typing import Any

from flask.testing import FlaskClient

from kit.players import Player
from webapp.storage.journal.store import Store


def test_systems_are_listed_with_scenarios_options_and_seats(client: FlaskClient) -> None:
    (toy,) = client.get("/api/v1/systems").json["systems"]
    assert toy["name"] == "toy"
    assert toy["scenarios"][0]["id"] == "duel"
    assert toy["scenarios"][0]["seats"] == toy["seats"] == ["red", "blue", "umpire", "spectator"]
    (cards,) = toy["options"]
    assert (cards["name"], cards["default"], cards["meaning"]) == ("cards", 8, "how many cards the deck has")


def test_a_new_game_has_a_code_and_a_link_for_each_seat(game: Player) -> None:
    assert len(game.id) == 8 and not set(game.id) & set("01ILO")
    assert game.created["version"] == 0
    assert [seat["id"] for seat in game.created["seats"]] == ["red", "blue", "umpire", "spectator"]
    assert len({seat["token"] for seat in game.created["seats"]}) == 4
    for seat in game.created["seats"]:
        assert seat["join_url"] == f"http://localhost/join/{seat['token']}"


def test_a_game_shows_what_its_seat_may_see_and_do(game: Player) -> None:
    game.give("red", 0, "plot", side="red", number=4)
    red, blue, umpire = (game.get(seat).json for seat in ("red", "blue", "umpire"))
    assert (red["id"], red["system"], red["title"], red["version"]) == (game.id, "toy", "A duel", 1)
    assert (red["seat"], red["over"], red["waiting_for"], red["roll_needed"]) == (
        "red",
        False,
        ["red", "blue"],
        None,
    )
    assert red["state"]["plots"] == {"red": 4} and blue["state"]["plots"] == {"red": None}
    assert "plot" not in [offer["type"] for offer in red["offers"]]
    plots = [offer for offer in blue["offers"] if offer["type"] == "plot"]
    assert plots == [{"type": "plot", "rule": "T1", "fields": {"side": "blue", "number": {"from": 1, "to": 5}}}]
    assert len(umpire["offers"]) == len(red["offers"]) + len(blue["offers"])
    assert game.get("spectator").json["offers"] == []


def test_a_command_answers_with_version_and_events(physical: Player) -> None:
    answer = physical.give("red", 0, "shoot", rolls=[5, 2], side="red")
    assert answer.status_code == 200
    assert answer.json == {
        "version": 1,
        "events": [{"rule": "T3", "type": "shot", "side": "red", "dice": [5, 2], "hits": 1}],
    }


def test_faces_in_a_digital_game_are_422_but_for_the_umpire(game: Player) -> None:
    refused = game.give("red", 0, "shoot", rolls=[6, 6, 1, 1], side="red")
    assert (refused.status_code, refused.json["detail"]) == (422, {"path": "rolls"})
    assert "only the umpire may enter faces" in refused.json["error"]
    assert game.get("red").json["version"] == 0
    assert game.give("umpire", 0, "shoot", rolls=[6, 6, 1, 1], side="red").status_code == 200
    told = game.get("blue", "/journal").json["entries"][0]["events"][-1]
    assert told == {"rule": "T3", "type": "faces_given", "count": 4, "by": "umpire"}


def test_the_same_key_gives_the_first_answer_byte_for_byte(game: Player) -> None:
    first = game.give("red", 0, "shoot", key="k", side="red")
    game.give("blue", 1, "shoot", side="blue")
    assert game.give("red", 0, "shoot", key="k", side="red").data == first.data
    assert game.get("red").json["version"] == 2


def test_a_stale_command_is_409_with_the_version(game: Player) -> None:
    game.give("red", 0, "shoot", side="red")
    stale = game.give("blue", 0, "shoot", side="blue")
    assert (stale.status_code, stale.json["detail"], stale.json["rule"]) == (409, {"version": 1}, None)


def test_a_refusal_by_the_rules_is_422_with_the_paragraph(game: Player) -> None:
    refused = game.give("red", 0, "plot", side="red", number=6)
    assert (refused.status_code, refused.json) == (
        422,
        {"error": "A plot is 1 to 5.", "rule": "T1", "detail": {}},
    )


def test_another_sides_command_is_403(game: Player) -> None:
    assert game.give("red", 0, "shoot", side="blue").status_code == 403
    assert game.give("spectator", 0, "shoot", side="blue").status_code == 403


def test_physical_dice_are_asked_for_and_shown(physical: Player) -> None:
    answer = physical.give("red", 0, "shoot", side="red").json
    assert answer["version"] == 0 and "events" not in answer
    asked = answer["roll_needed"]
    assert (asked["rule"], asked["dice"], asked["label"]) == ("T3", [6, 6], "T3: 2 dice (side red)")
    red, blue = physical.get("red").json, physical.get("blue").json
    assert red["version"] == 0 and red["waiting_for"] == ["red"]
    assert red["roll_needed"] == asked
    assert red["offers"] == [{"type": "shoot", "rule": "T3", "fields": {"side": "red"}}]
    assert blue["roll_needed"] == {name: value for name, value in asked.items() if name != "command"}
    assert blue["offers"] == []
    waits = physical.give("blue", 0, "shoot", side="blue")
    assert waits.status_code == 422 and "must be rolled" in waits.json["error"]
    wrong = physical.give("red", 0, "shoot", rolls=[7, 1], side="red")
    assert (wrong.status_code, wrong.json["rule"], wrong.json["detail"]["path"]) == (422, "T3", "rolls")
    assert physical.give("red", 0, "shoot", rolls=[1, 1], side="red").json["version"] == 1
    assert physical.get("red").json["roll_needed"] is None


def test_only_the_umpire_cancels_a_roll(physical: Player) -> None:
    physical.give("red", 0, "shoot", side="red")
    assert physical.post("red", "cancel-roll", seen=0).status_code == 403
    assert physical.post("umpire", "cancel-roll", seen=0).json == {"version": 0}
    assert physical.post("umpire", "cancel-roll", seen=0).status_code == 422


def test_undo_and_consent(game: Player) -> None:
    game.give("red", 0, "shoot", side="red")
    barred = game.post("red", "undo", seen=1)
    assert barred.status_code == 403 and barred.json["detail"] == {"missing": ["red", "blue"]}
    assert game.get("red").json["undo_barred"] == barred.json["error"]
    assert game.get("umpire").json["undo_barred"] is None
    assert game.post("red", "undo", seen=1, consent=True).json == {
        "version": 1,
        "undone": False,
        "entry": None,
        "missing": ["blue"],
    }
    assert game.get("blue").json["consents"] == ["red"]
    refused = game.post("blue", "undo", seen=1, refuse=True)
    assert refused.status_code == 200 and not refused.json["undone"]
    assert (game.get("red").json["consents"], game.get("red").json["refused"]) == ([], "blue")
    assert game.post("red", "undo", seen=1, consent=True).json["missing"] == ["blue"]
    assert game.post("blue", "undo", seen=1, consent=True).json["version"] == 2
    (shot, undo) = game.get("blue", "/journal").json["entries"]
    assert shot["taken_back"] == 2 and len(shot["dice"][0]["faces"]) >= 2
    assert (undo["seat"], undo["command"]["type"], undo["command"]["entry"]) == ("blue", "undo", 1)
    assert game.post("blue", "undo", seen=2).status_code == 422


def test_the_journal_shows_what_the_seat_may_see(game: Player) -> None:
    game.give("red", 0, "plot", side="red", number=4)
    game.give("umpire", 1, "shoot", rolls=[1, 2], side="blue")
    red, blue, umpire = (game.get(seat, "/journal").json for seat in ("red", "blue", "umpire"))
    assert red["version"] == 2 and red["next"] is None
    assert [entry["number"] for entry in red["entries"]] == [1, 2]
    assert red["entries"][0]["command"] == {"type": "plot", "side": "red", "number": 4}
    assert blue["entries"][0]["command"] == {"type": "plot"} and blue["entries"][0]["events"] == []
    assert umpire["entries"][0]["events"][0]["number"] == 4
    shot = blue["entries"][1]
    assert (shot["seat"], shot["on_behalf"], shot["time"][-1]) == ("umpire", "blue", "Z")
    assert shot["dice"] == [{"rule": "T3", "sides": 6, "faces": [1, 2], "about": {"side": "blue"}, "by": "table"}]
    assert shot["events"][0]["rule"] == "T3"
    assert "draws" not in red["start"] and red["start"]["number"] == 0


def test_the_journal_comes_in_pages(game: Player) -> None:
    for seen in range(5):
        game.give("umpire", seen, "shoot", rolls=[1, 1], side="red", note=str(seen))
    first = game.get("red", "/journal?limit=2").json
    assert [entry["number"] for entry in first["entries"]] == [1, 2] and first["next"] == 2
    rest = game.get("red", f"/journal?after={first['next']}").json
    assert [entry["number"] for entry in rest["entries"]] == [3, 4, 5]
    assert rest["start"] is None and rest["next"] is None
    assert game.get("red", "/journal?after=5").json["entries"] == []
    assert game.get("red", "/journal?after=x").status_code == 400


def test_tokens_name_seats_of_one_game(client: FlaskClient, game: Player) -> None:
    other = Player(client)
    path = f"/api/v1/games/{game.id}"
    assert client.get(path).status_code == 401
    assert client.get(path, headers={"Authorization": "Bearer nonsense"}).status_code == 401
    assert client.get(path, headers={"Authorization": "Basic eDp5"}).status_code == 401
    assert client.get(path, headers=other.headers("umpire")).status_code == 403
    assert client.get("/api/v1/games/NOGAME", headers=game.headers("red")).status_code == 404


def test_the_umpire_withdraws_and_reissues_a_seat(game: Player) -> None:
    assert game.post("red", "seats/blue/reissue").status_code == 403
    assert game.post("umpire", "seats/green/reissue").status_code == 404
    fresh = game.post("umpire", "seats/blue/reissue").json
    assert game.get("blue").status_code == 401
    game.tokens["blue"] = fresh["token"]
    assert game.get("blue").json["seat"] == "blue"
    assert fresh["join_url"].endswith(f"/join/{fresh['token']}")


def test_where_a_seat_has_looked_last_is_remembered(game: Player) -> None:
    game.give("red", 0, "shoot", side="red")
    assert game.post("red", "looked", version=9).json == {"version": 1}
    assert (game.get("red").json["last_look"], game.get("blue").json["last_look"]) == (1, 0)


def test_a_position_starts_a_game_and_comes_back_the_same(client: FlaskClient, game: Player) -> None:
    game.give("red", 0, "draw", side="red")
    state = game.get("umpire").json["state"]
    again = Player(client, scenario=None, position=state)
    assert again.get("umpire").json["state"] == state
    assert again.get("umpire").json["offers"] == game.get("umpire").json["offers"]


def test_wrong_games_are_refused_with_the_path(client: FlaskClient) -> None:
    def refused(**wanted: Any) -> tuple[int, str | None]:
        answer = client.post("/api/v1/games", json=wanted)
        return answer.status_code, answer.json["detail"].get("path")

    position = {"points": {"red": 1, "blue": 0}}
    assert refused() == (400, "system")
    assert refused(system="chess", scenario="duel") == (400, "system")
    assert refused(system="toy") == (400, "scenario")
    assert refused(system="toy", scenario="duel", position=position) == (400, "scenario")
    assert refused(system="toy", scenario="trio") == (400, "scenario")
    assert refused(system="toy", scenario="duel", dice="loaded") == (400, "dice")
    assert refused(system="toy", scenario="duel", options={"wind": 1}) == (400, "options.wind")
    assert refused(system="toy", scenario="duel", options={"cards": 5}) == (400, "options.cards")
    assert refused(system="toy", scenario="duel", options={"cards": True}) == (400, "options.cards")
    assert refused(system="toy", scenario="duel", extra=1) == (400, "extra")
    assert refused(system="toy", position={"points": {"red": "1"}}) == (400, "position.points[...]")
    assert refused(system="toy", position={"points": {"red": 1}}) == (400, "position.points")
    assert refused(system="toy", position={"points": {"red": 101, "blue": 0}}) == (422, None)


def test_a_game_goes_out_as_a_file_and_back_to_the_same_bytes(game: Player, store: Store) -> None:
    game.give("red", 0, "plot", side="red", number=4)
    game.give("umpire", 1, "shoot", side="red")
    game.post("umpire", "undo", seen=2)
    game.give("blue", 3, "draw", side="blue")
    assert game.get("red", "/export").status_code == 403
    exported = game.get("umpire", "/export")
    made = game.client.post("/api/v1/games/import", data=exported.data, content_type="application/json")
    assert made.status_code == 201 and made.json["version"] == 4
    new = made.json["id"]
    assert new != game.id
    assert [store.state_after(new, number) for number in range(5)] == [
        store.state_after(game.id, number) for number in range(5)
    ]
    assert store.entries(new) == store.entries(game.id)
    tokens = {seat["id"]: seat["token"] for seat in made.json["seats"]}
    assert set(tokens.values()).isdisjoint(game.tokens.values())
    umpire = {"Authorization": f"Bearer {tokens['umpire']}"}
    shown = game.client.get(f"/api/v1/games/{new}", headers=umpire).json
    assert {**shown, "id": game.id} == game.get("umpire").json
    assert game.client.get(f"/api/v1/games/{new}/export", headers=umpire).json["entries"] == exported.json["entries"]


def test_an_imported_game_remembers_taken_back_dice(game: Player, store: Store) -> None:
    game.give("umpire", 0, "shoot", side="red")
    game.post("umpire", "undo", seen=1)
    exported = game.get("umpire", "/export").json
    new = game.client.post("/api/v1/games/import", json=exported).json["id"]
    store.submit(new, 2, "umpire", {"type": "shoot", "side": "red"})
    assert store.entry(new, 3).faces == store.entry(game.id, 1).faces


def test_maps_of_a_system_without_a_map_are_404(client: FlaskClient) -> None:
    for path in ("galley", "nowhere", "nowhere/routes?from=a&to=b"):
        assert client.get(f"/api/v1/maps/{path}").status_code == 404


def test_maps_and_routes_of_a_strategic_system(client: FlaskClient) -> None:
    map_ = client.get("/api/v1/maps/hannibal")
    assert (map_.status_code, map_.mimetype) == (200, "application/geo+json")
    assert map_.json["type"] == "FeatureCollection"
    unchanged = client.get("/api/v1/maps/hannibal", headers={"If-None-Match": map_.headers["ETag"]})
    assert unchanged.status_code == 304
    spaces = [each["id"] for each in map_.json["features"] if each["geometry"]["type"] == "Point"]
    path = "/api/v1/maps/hannibal/routes"
    route = client.get(f"{path}?from={spaces[0]}&to={spaces[1]}&by=any").json
    assert {"path", "cost"} <= route.keys()

    def fault(query: str) -> tuple[int, str]:
        answer = client.get(f"{path}?{query}")
        return answer.status_code, answer.json["detail"]["path"]

    assert fault(f"to={spaces[0]}") == (400, "from")
    assert fault(f"from={spaces[0]}&to=atlantis") == (400, "to")
    assert fault(f"from={spaces[0]}&to={spaces[1]}&by=air") == (400, "by")
