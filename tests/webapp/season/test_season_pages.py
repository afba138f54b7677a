"""O10 A season's pages: begun, players entered, a round played, the wall; refusals stand on the page."""

from __future__ import annotations

import html
import io
import re
from typing import Any
from xml.etree import ElementTree

import pytest
from flask import Flask
from flask.testing import FlaskClient
from icalendar import Calendar

from kit.seasons import CLUB_2016
from webapp import create_app
from webapp.post import people
from webapp.storage.journal.store import Store


@pytest.fixture
def app(tmp_path) -> Flask:
    return create_app({"STORE": Store(tmp_path / "games.db"), "TESTING": True, "PROPAGATE_EXCEPTIONS": False})


class Reader:
    """A browser."""

    def __init__(self, app: Flask) -> None:
        self.client: FlaskClient = app.test_client()
        self.page = ""

    def get(self, address: str, status: int = 200) -> str:
        answer = self.client.get(address, follow_redirects=True)
        assert answer.status_code == status, answer.text
        self.page = answer.text
        return answer.text

    def send(self, address: str, status: int = 200, **fields: Any) -> str:
        token = re.search(r'name="csrf_token" value="([^"]+)"', self.page)
        assert token, self.page
        sent = {name.replace("__", "."): value for name, value in fields.items()} | {"csrf_token": token[1]}
        answer = self.client.post(address, data=sent, follow_redirects=True)
        assert answer.status_code == status, answer.text
        self.page = answer.text
        return answer.text

    def command(self, season: str, seat: str, kind: str, status: int = 200, **fields: Any) -> str:
        seen = re.search(r'name="seen" value="(\d+)"', self.page)
        given = {"type": kind, "seen": seen[1] if seen else "0", **fields}
        return self.send(f"/g/{season}/command?seat={seat}", status, **given)


@pytest.fixture
def organizer(app: Flask) -> Reader:
    reader = Reader(app)
    reader.get("/seasons/new")
    reader.send(
        "/seasons/new", title="Winter <league>", pairing="swiss", rounds="3", points="60", damage="stays", first="ships"
    )
    return reader


def season_of(app: Flask) -> str:
    store: Store = app.extensions["navarch"].store
    return next(game.id for game in store.games() if game.system == "season")


def entered(app: Flask, organizer: Reader, name: str) -> Reader:
    """A player who has opened his link."""
    season = season_of(app)
    organizer.send(
        f"/season/{season}/players?seat=umpire", name=name, navy="roman", count__quinquereme="4", names="Aquila, Lupa"
    )
    link = re.search(r'href="[^"]*(/join/[^"]+)"', organizer.page)
    assert link
    player = Reader(app)
    player.get(link[1])
    return player


def test_a_season_is_begun_played_and_shown_on_the_wall(app: Flask, organizer: Reader):
    assert "Winter &lt;league&gt;" in organizer.page and "<league>" not in organizer.page
    season = season_of(app)
    anna, bruno = entered(app, organizer, "Anna"), entered(app, organizer, "Bruno")
    assert "You have nothing to play now." in anna.page and "4 of 4 ships, 55 points" in anna.page
    organizer.command(season, "umpire", "pair", date="Thursday")
    assert "Round 1 is a draft" in organizer.page
    organizer.command(season, "umpire", "publish", **{"round:int": "1"})
    anna.get(f"/g/{season}")
    assert "Your battle: Anna against Bruno" in anna.page
    report = {"pairing": "r1-1", "side": "p1", "result.winner": "p1", "result.points.p1:int": "3"}
    anna.command(season, "p1", "report", **report)
    assert "Your report is waiting for an answer from Bruno." in anna.page
    bruno.get(f"/g/{season}")
    assert "Anna reports: Anna won." in bruno.page
    bruno.command(season, "p2", "agree", pairing="r1-1", side="p2")
    assert "Anna won." in bruno.page
    wall = Reader(app).get(f"/display/{season}")
    assert "Anna" in wall and "Thursday" not in wall and "1–0–0" in wall
    assert "csrf_token" not in wall and "<form" not in wall
    table = app.test_client().get(f"/season/{season}/table.csv").text
    assert "1,Anna,3,1,0,0" in table and "1,Anna,Bruno,Anna won.,3 : 0" in table
    feed = ElementTree.fromstring(app.test_client().get(f"/season/{season}/feed.atom").data)
    assert "Winter <league>" in [each.text for each in feed.iter("{http://www.w3.org/2005/Atom}title")]
    log = anna.get(f"/g/{season}/log")
    assert "Anna wins the battle between Anna and Bruno." in log and "Round 1 begins." in log


def test_a_battle_is_opened_from_the_page_and_both_sit_in_it(app: Flask, organizer: Reader):
    season = season_of(app)
    anna, bruno = entered(app, organizer, "Anna"), entered(app, organizer, "Bruno")
    organizer.command(season, "umpire", "pair")
    anna.get(f"/g/{season}")
    anna.send(f"/season/{season}/battle/r1-1?seat=p1")
    assert "Aquila" in anna.page and 'id="board' in anna.page
    bruno.get(f"/g/{season}")
    battle = re.search(r'href="(/g/\w+\?seat=p2)"', bruno.page)
    assert battle and "Lupa" in bruno.get(battle[1])


def test_two_players_of_a_draft_change_places(app: Flask, organizer: Reader):
    season = season_of(app)
    for name in ("Anna", "Bruno", "Carla", "Dino"):
        entered(app, organizer, name)
    organizer.get(f"/g/{season}?seat=umpire")
    organizer.command(season, "umpire", "pair")
    before = [pair.players for pair in app.extensions["navarch"].store.load(season).state.now.pairings.values()]
    (one, _), (other, _) = before
    organizer.send(f"/season/{season}/exchange?seat=umpire", one=one, other=other)
    after = [pair.players for pair in app.extensions["navarch"].store.load(season).state.now.pairings.values()]
    assert [pair[0] for pair in after] == [other, one] and "The organizer chose this pairing." in organizer.page
    organizer.send(f"/season/{season}/exchange?seat=umpire", 422, one=one, other=one)
    assert "Choose two different players" in organizer.page


def test_what_is_wrong_stands_on_the_page_and_changes_nothing(app: Flask, organizer: Reader):
    season = season_of(app)
    store: Store = app.extensions["navarch"].store
    before = store.game(season).version
    organizer.send(f"/season/{season}/players?seat=umpire", 422, name="", navy="roman")
    assert 'id="refusal"' in organizer.page
    organizer.send(f"/season/{season}/players?seat=umpire", 422, name="Big", navy="roman", count__quinquereme="9")
    assert "worth 123 points" in organizer.page
    organizer.send(f"/season/{season}/players?seat=umpire", 422, name="Odd", navy="roman", count__quinquereme="x")
    organizer.command(season, "umpire", "pair", 422)
    assert "A round needs at least two players." in organizer.page
    assert store.game(season).version == before
    stranger = Reader(app)
    assert stranger.client.get(f"/g/{season}").status_code in (401, 403)
    assert stranger.client.post(f"/season/{season}/players", data={"name": "X"}).status_code in (400, 401, 403)
    organizer.get("/seasons/new")
    organizer.send("/seasons/new", 422, title="", pairing="swiss")
    assert 'id="refusal"' in organizer.page
    assert Reader(app).client.get("/display/ABCDEFGH").status_code == 404


def test_no_other_game_has_pages_of_a_season(app: Flask, organizer: Reader):
    battle = app.extensions["navarch"].store.create("galley", "first_oars")[0].id
    token = re.search(r'name="csrf_token" value="([^"]+)"', organizer.page)[1]
    adapter, asked = app.url_map.bind("localhost"), 0
    for rule in app.url_map.iter_rules():
        if rule.endpoint.startswith("season.") and "game" in rule.arguments:
            address = adapter.build(rule.endpoint, {name: "1" for name in rule.arguments} | {"game": battle})
            method = "POST" if "POST" in rule.methods else "GET"
            answer = organizer.client.open(address, method=method, data={"csrf_token": token, "rating": "x"})
            assert answer.status_code == 404, (address, answer.text)
            asked += 1
    assert asked > 10


def test_the_links_page_and_undo_serve_a_season_too(app: Flask, organizer: Reader):
    season = season_of(app)
    entered(app, organizer, "Anna")
    assert "Anna" in organizer.get(f"/seats/{season}")
    organizer.get(f"/g/{season}?seat=umpire")
    organizer.send(f"/g/{season}/undo?seat=umpire", seen="1")
    assert not app.extensions["navarch"].store.load(season).state.players
    again = entered(app, organizer, "Bruno")
    assert "Bruno" in again.page, "a seat that was taken back is given to the next player, with a new link"


def test_o10_1_a_round_has_dates_in_the_calendar_and_on_paper(app: Flask, organizer: Reader):
    season = season_of(app)
    for name in ("Anna", "Bruno"):
        entered(app, organizer, name)
    organizer.get(f"/g/{season}")
    dates = {"starts": "2026-12-03T19:30", "due": "2026-12-10T22:00", "scenario": "island"}
    organizer.command(season, "umpire", "pair", **dates)
    assert "Thu 3 Dec 19:30" in organizer.page and "Results due by Thu 10 Dec 22:00" in organizer.page
    organizer.command(season, "umpire", "arrange", pairing="r1-1", at="2026-12-05T15:00", place="<b>Table 2")
    organizer.command(season, "umpire", "substitute", pairing="r1-1", player="p1", name="Zoe")
    assert "Zoe plays" in organizer.page and "&lt;b&gt;Table 2" in organizer.page and "<b>Table 2" not in organizer.page
    stranger = Reader(app)
    assert "BEGIN:VEVENT" not in stranger.get(f"/season/{season}/rounds.ics"), "a draft is in nobody's calendar"
    organizer.command(season, "umpire", "publish", **{"round:int": "1"})
    calendar = Calendar.from_ical(stranger.get(f"/season/{season}/rounds.ics"))
    moments = sorted(each.decoded("dtstart").isoformat() for each in calendar.walk("VEVENT"))
    assert [moment[:16] for moment in moments] == ["2026-12-03T19:30", "2026-12-05T15:00", "2026-12-10T22:00"]
    paper = stranger.get(f"/season/{season}/print")
    assert (
        "Thursday 3 December 2026, 19:30 · An island in the middle (hexes)" in paper and "Aquila, quinquereme" in paper
    )


def test_o10_1_pages_bring_only_what_has_changed(app: Flask, organizer: Reader):
    season = season_of(app)
    organizer.get(f"/g/{season}")
    for path in (f"/display/{season}", f"/g/{season}"):
        page = organizer.client.get(path).text
        has = " ".join(re.findall(r'data-fragment="([^"]+)"', page))
        refresh = html.unescape(re.search(r'data-refresh="([^"]+)"', page)[1])
        assert organizer.client.get(refresh, headers={"X-Fragments": has}).text.count("<hx-partial") == 1, "the version"
        entered(app, organizer, f"New at {path}")
        told = organizer.client.get(refresh, headers={"X-Fragments": has}).text
        assert f"New at {path}" in told and 'id="standings"' in told and 'id="rounds"' not in told


def test_g2_1_own_ship_types_are_typed_in_and_enter_fleets(app: Flask, organizer: Reader):
    season = season_of(app)
    types = '[types."liburna"]\nhull = 4\nmaximum = 6\ncruise = 4\nturn_cycle = 1\nacceleration = 3\nram = 0\n'
    organizer.get(f"/g/{season}")
    organizer.send(f"/season/{season}/types?seat=umpire", types=types + "crew.roman = {medium = 1}", prices="liburna 5")
    assert 'name="count.liburna"' in organizer.page and "liburna 5" in organizer.page
    organizer.send(f"/season/{season}/players?seat=umpire", name="Anna", navy="roman", count__liburna="3")
    assert "3 of 3 ships, 15 points" in organizer.page
    for wrong in ({"types": "hull = "}, {"types": types, "prices": "liburna"}, {"types": types.replace("4", "0", 1)}):
        organizer.get(f"/g/{season}")
        organizer.send(f"/season/{season}/types?seat=umpire", 422, **wrong)
        assert 'id="refusal"' in organizer.page


def test_o10_1_a_fleet_is_sent_as_a_spreadsheet_from_the_page(app: Flask, organizer: Reader):
    season = season_of(app)
    player = entered(app, organizer, "Anna")
    for text, status, said in (("type,name\nquinquereme,Celer\n", 200, "Celer"), ("type\nraft\n", 422, "A2")):
        player.get(f"/g/{season}")
        sheet = (io.BytesIO(text.encode()), "fleet.csv")
        player.send(f"/season/{season}/fleet/p1/sheet?seat=p1", status, file=sheet, navy="roman")
        assert said in player.page
    assert "Celer" not in player.get(f"/g/{season}"), "what was read is shown and has not counted yet"
    sheet = (io.BytesIO(b"type,name\nquinquereme,Celer\n"), "fleet.csv")
    player.send(f"/season/{season}/fleet/p1/sheet?seat=p1", file=sheet, navy="roman")
    player.send(f"/season/{season}/fleet/p1/sheet?seat=p1", **kept(player.page))
    assert "Celer" in player.page and "Your file, before it counts" not in player.page


def kept(page: str) -> dict[str, str]:
    """The fields of the form that makes a file count."""
    form = page.partition('id="rows"')[2].partition("</form>")[0]
    return {name: value for name, value in re.findall(r'name="(\w+)" value="([^"]*)"', form) if name != "csrf_token"}


def test_players_stand_by_their_names_on_the_pages_of_people_letters_and_seats(app: Flask, organizer: Reader):
    season = season_of(app)
    anna = entered(app, organizer, "Anna <A>")
    entered(app, organizer, "Bruno")
    organizer.command(season, "umpire", "pair")
    organizer.command(season, "umpire", "publish", **{"round:int": "1"})
    for reader, seat in ((organizer, "umpire"), (anna, "p1")):
        for page in ("group", "letters"):
            text = reader.get(f"/g/{season}/{page}?seat={seat}")
            assert "Bruno" in text and "<A>" not in text and not re.search(r"\bP[12]\b", text)
    links = organizer.get(f"/seats/{season}")
    assert "Anna &lt;A&gt;" in links and not re.search(r">P[12]\b", links)


def test_a_pasted_list_enters_everybody_and_shows_each_link_once(app: Flask, organizer: Reader):
    season = season_of(app)
    organizer.get(f"/g/{season}?seat=umpire")
    names = ["Anna Rossi", "Bruno", "Carla Verdi"]
    organizer.send(
        f"/season/{season}/list?seat=umpire",
        list="Anna Rossi\n\n Bruno <bruno@club.example>\nCarla Verdi, c@club.example",
        is_read="yes",
    )
    store: Store = app.extensions["navarch"].store
    assert [player.name for player in store.load(season).state.players.values()] == names
    links = re.findall(r'<a class="code" href="[^"]*(/join/[^"]+)"', organizer.page)
    assert len(set(links)) == 3 and [who.address for who in people.people(store, season)] == [
        "bruno@club.example",
        "c@club.example",
    ]
    player = Reader(app)
    assert "You are: Carla Verdi." in player.get(links[2])
    before = store.game(season).version
    for text, said in (("Dino\nan@address.example", "line 2"), ("", "write a line for each person")):
        organizer.send(f"/season/{season}/list?seat=umpire", 422, list=text)
        assert said in organizer.page and store.game(season).version == before
    player.get(f"/g/{season}")
    player.send(f"/season/{season}/list?seat=p3", 422, list="Eva")
    assert store.game(season).version == before


def test_who_has_entered_no_fleet_has_no_navy_and_byes_are_counted(app: Flask, organizer: Reader):
    season = season_of(app)
    organizer.get(f"/g/{season}?seat=umpire")
    organizer.send(f"/season/{season}/list?seat=umpire", list="Anna\nBruno\nCarla", is_read="yes")
    for page in (f"/g/{season}?seat=umpire", f"/season/{season}/print"):
        assert not re.search(r'class="quiet navy"', organizer.get(page))
    organizer.get(f"/g/{season}?seat=umpire")
    organizer.command(season, "umpire", "pair")
    assert "As a calendar file" not in organizer.page, "no date is set"
    organizer.command(season, "umpire", "publish", **{"round:int": "1"})
    assert "+ 1 bye" in organizer.get(f"/display/{season}")
    rows = app.test_client().get(f"/season/{season}/table.csv").text.splitlines()
    assert rows[0].endswith(",byes") and sorted(row.rpartition(",")[2] for row in rows[1:4]) == ["0", "0", "1"]


def test_o10_1_a_tournament_file_is_sent_from_the_page_and_what_was_read_is_told(app: Flask):
    reader = Reader(app)
    reader.get("/seasons/new")
    wrong = (io.BytesIO(CLUB_2016.replace("1850", "18.0").encode()), "cup.trf")
    reader.send("/seasons/tournament-file", 422, file=wrong)
    assert "line 6, column 49" in reader.page and not app.extensions["navarch"].store.games()
    reader.send("/seasons/tournament-file", file=(io.BytesIO(CLUB_2016.encode()), "cup.trf"))
    for said in (
        "5 players · 3 rounds · 4 battles",
        "Bianchi, Bruno has left",
        "022",
        "<td>1850</td>",
        "<td>Núñez, Elsa</td>",
    ):
        assert said in reader.page, said
    assert not app.extensions["navarch"].store.games(), "its sender looks at it first"
    kept = re.search(r'name="kept_file" value="([^"]+)"', reader.page)[1]
    reader.send("/seasons/tournament-file", kept_file=kept, is_read="yes")
    for said in ("Winter cup", "rating 1850", "Núñez, Elsa won by forfeit."):
        assert said in reader.page, said
    assert "Rossi, Anna – Verdi, Carla" in reader.page and "This bye comes from a tournament file." in reader.page
    reader.command(season_of(app), "umpire", "pair")
    assert "Round 4 is a draft" in reader.page


def test_o10_1_a_pasted_list_has_ratings_and_clubs(app: Flask, organizer: Reader):
    season = season_of(app)
    organizer.get(f"/g/{season}")
    text = "Nome\tElo\nAnna Rossi\n2. Bruno, 1850\nNeri, Dino; C.N. Ostia; 1700\nElsa\u200b\tRoma\n\nJosé  Núñez, 1500, Ostia"
    organizer.send(f"/season/{season}/list?seat=umpire", list=text)
    assert "5 players" in organizer.page and "this is the head of a column" in organizer.page
    assert not app.extensions["navarch"].store.load(season).state.players, "nobody before it is confirmed"
    organizer.send(f"/season/{season}/list?seat=umpire", list=text, is_read="yes")
    players = app.extensions["navarch"].store.load(season).state.players.values()
    assert [(each.name, each.rating, each.club) for each in players] == [
        ("Anna Rossi", 0, ""),
        ("Bruno", 1850, ""),
        ("Neri, Dino", 1700, "C.N. Ostia"),
        ("Elsa", 0, "Roma"),
        ("José Núñez", 1500, "Ostia"),
    ]
    assert "rating 1700 · C.N. Ostia" in organizer.page
    again = "Carla\nJose\u0301 Núñez\ncarla"
    organizer.send(f"/season/{season}/list?seat=umpire", list=again)
    assert "José Núñez · carla</th><td>there is already a player of this name" in organizer.page
    assert "1 player<" in organizer.page
    organizer.send(f"/season/{season}/list?seat=umpire", list=again, is_read="yes")
    assert [each.name for each in app.extensions["navarch"].store.load(season).state.players.values()][5:] == ["Carla"]


def test_o10_1_who_sits_out_and_who_is_kept_apart_is_set_on_the_page(app: Flask, organizer: Reader):
    season = season_of(app)
    anna = entered(app, organizer, "Anna")
    for name in ("Bruno", "Carla", "Dino", "Elsa"):
        entered(app, organizer, name)
    anna.get(f"/g/{season}")
    assert "Sit out a round" in anna.page and "points of a draw" not in anna.page
    anna.command(season, "p1", "ask_bye", player="p1", bye="zero", **{"round:int": "1"})
    organizer.get(f"/g/{season}")
    assert "Round 1: Absent" in organizer.page
    organizer.command(season, "umpire", "ask_bye", player="p1", bye="half", **{"round:int": "1"})
    organizer.send(f"/season/{season}/apart?seat=umpire", one="p2", other="p3")
    assert "Bruno – Carla" in organizer.page
    organizer.send(f"/season/{season}/apart?seat=umpire", 422, one="p2", other="p2")
    organizer.get(f"/g/{season}")
    organizer.command(season, "umpire", "pair")
    assert "The player sits out this round, with the points of a draw." in organizer.page
    organizer.send(f"/season/{season}/exchange?seat=umpire", one="p2", other="p3")
    organizer.get(f"/g/{season}")
    organizer.command(season, "umpire", "publish", **{"round:int": "1"})
    first = next(iter(app.extensions["navarch"].store.load(season).state.now.open()))
    winner = app.extensions["navarch"].store.load(season).state.now.pairings[first].players[1]
    organizer.command(
        season, "umpire", "report", pairing=first, **{"result.played:bool": "false", "result.winner": winner}
    )
    assert "won by forfeit." in organizer.page
    organizer.command(season, "umpire", "keep_apart", **{"players:list": ["p2", "p3"], "apart:bool": "false"})
    assert "Bruno – Carla" not in organizer.page
    assert "wins the battle between" in organizer.get(f"/g/{season}/log") and "Anna sits out round 1." in organizer.page
