"""O10.1 A season by mail: the pairing, a report that waits for one's word, a reminder, what is overdue."""

from __future__ import annotations

import re
from datetime import UTC, datetime, timedelta
from typing import Any

import pytest
from flask import Flask

from kit.by_post import Box, Group
from tactical.kernel.protocol import UMPIRE
from webapp.api.seasons import give
from webapp.post.postman import Postman
from webapp.storage.journal.store import Store

NOW = datetime(2026, 12, 1, 12, tzinfo=UTC)
DATES = {"starts": "2026-12-03T19:30", "due": "2026-12-10T22:00", "scenario": "island"}


class Season(Group):
    """A season of three over the API, each with an address; the third gets the bye."""

    def __init__(self, app: Flask, **options: Any) -> None:
        self.client = app.test_client()
        wanted = {"title": "Winter league", "zone": "Europe/Rome", "options": options}
        made = self.client.post("/api/v1/seasons", json=wanted).json
        self.id, self.tokens = made["id"], {UMPIRE: made["token"]}
        for player, name in (("p1", "Anna"), ("p2", "Bruno"), ("p3", "Carla")):
            give(self.store, self.id, UMPIRE, {"type": "enroll", "name": name})
            self.put_in(player, name, f"{name.lower()}@club.example")

    @property
    def store(self) -> Store:
        return self.client.application.extensions["navarch"].store

    def say_to_season(self, kind: str, seat: str = UMPIRE, **fields: Any) -> None:
        give(self.store, self.id, seat, {"type": kind, **fields})


@pytest.fixture
def season(app: Flask) -> Season:
    found = Season(app, overdue="unplayed")
    found.say_to_season("pair", **DATES)
    return found


def test_o10_1_each_player_is_written_to_once_when_the_round_is_published(
    season: Season, postman: Postman, box: tuple[Box, str]
):
    postman.round([season.id], NOW)
    assert not any("round 1" in subject for subject in box[0].to("anna@club.example")), "a draft is nobody's news"
    season.say_to_season("publish", round=1)
    one, other = season.store.load(season.id).state.now.pairings["r1-1"].players
    names = {"p1": "anna", "p2": "bruno", "p3": "carla"}
    for _ in range(3):
        postman.round([season.id], NOW)
    about = [subject for subject in box[0].to(f"{names[one]}@club.example") if "round 1" in subject]
    assert about == [f"Winter league: round 1, you against {names[other].title()}"]
    text = box[0].text(f"{names[one]}@club.example")
    assert "Thursday 3 December, 19:30 (Europe/Rome)" in text and "An island in the middle" in text
    assert "/post/stop/" in text and f"/g/{season.id}/home?seat={one}" in text
    (third,) = {"p1", "p2", "p3"} - {one, other}
    assert box[0].to(f"{names[third]}@club.example")[-1] == "Winter league: you have a bye in round 1"


def test_o10_1_a_report_is_told_to_the_other_and_stands_when_its_time_is_over(
    season: Season, postman: Postman, box: tuple[Box, str]
):
    season.say_to_season("publish", round=1)
    one, other = season.store.load(season.id).state.now.pairings["r1-1"].players
    address = {"p1": "anna", "p2": "bruno", "p3": "carla"}[other] + "@club.example"
    season.say_to_season("report", one, pairing="r1-1", side=one, result={"winner": one})
    postman.round([season.id], NOW)
    assert "counts as agreed from Thursday 10 December, 22:00 (Europe/Rome)" in box[0].text(address)
    due = datetime(2026, 12, 10, 21, tzinfo=UTC)
    postman.round([season.id], due - timedelta(minutes=1))
    assert season.store.load(season.id).state.now.pairings["r1-1"].result is None
    postman.round([season.id], due)
    assert season.store.load(season.id).state.now.pairings["r1-1"].result.winner == one


def test_o10_1_who_has_not_reported_is_reminded_and_then_the_battle_counts_as_not_played(
    season: Season, postman: Postman, box: tuple[Box, str]
):
    season.say_to_season("publish", round=1)
    postman.round([season.id], datetime(2026, 12, 9, 20, 59, tzinfo=UTC))
    before = len(box[0].mails)
    for _ in range(2):
        postman.round([season.id], datetime(2026, 12, 9, 21, tzinfo=UTC))
    assert len(box[0].mails) == before + 2, "both of the pairing, once; not who has the bye"
    assert "has no result yet" in str(box[0].mails[-1].get_content())
    postman.round([season.id], datetime(2026, 12, 10, 21, tzinfo=UTC))
    assert season.store.load(season.id).state.now.pairings["r1-1"].result.played is False


def test_o10_1_mail_is_in_its_readers_language_and_ends_by_its_link(
    season: Season, postman: Postman, box: tuple[Box, str]
):
    with season.store.write() as db:
        db.conn.execute("update people set lang = 'it' where seat = 'p1'")
        db.conn.execute("update people set lang = 'ru' where seat = 'p2'")
    assert season.say("stop", "carla@club.example").status_code == 200
    season.say_to_season("publish", round=1)
    postman.round([season.id], NOW)
    assert "turno 1" in box[0].to("anna@club.example")[-1]
    assert "тур 1" in box[0].to("bruno@club.example")[-1]
    assert not any("round 1" in subject for subject in box[0].to("carla@club.example"))


def test_o10_1_no_address_and_no_token_stands_in_what_a_stranger_reads(season: Season):
    season.say_to_season("publish", round=1)
    client = season.client.application.test_client()
    pages = (f"/api/v1/seasons/{season.id}", f"/display/{season.id}", f"/season/{season.id}/feed.atom")
    secrets = ["@club.example", *season.tokens.values()]
    for page in (*pages, f"/season/{season.id}/table.csv"):
        answer = client.get(page)
        assert answer.status_code == 200
        assert not any(secret in answer.text for secret in secrets), page


def test_o10_1_a_letter_calls_its_reader_by_name(season: Season, postman: Postman, box: tuple[Box, str]):
    season.ask("POST", UMPIRE, "/letters", {"to": "p2", "text": "Shall we play on Friday?"})
    postman.round([season.id], NOW)
    assert "Winter league: a letter from Umpire" in box[0].to("bruno@club.example")
    assert "Umpire writes to Bruno:" in box[0].text("bruno@club.example")


def test_o10_1_an_address_that_is_entered_with_a_player_gets_the_link(
    season: Season, box: tuple[Box, str], postman: Postman
):
    browser = season.client.application.test_client()
    browser.get(f"/join/{season.tokens[UMPIRE]}")
    page = browser.get(f"/g/{season.id}").text
    token = re.search(r'name="csrf_token" value="([^"]+)"', page.partition("<main")[2])
    fields = {"csrf_token": token[1], "name": "Dino", "address": "dino@club.example", "navy": "roman"}
    shown = browser.post(f"/season/{season.id}/players?seat=umpire", data=fields).text
    postman.round([season.id])
    link = re.search(r'href="[^"]*(/join/[^"]+)"', shown)[1]
    assert link in box[0].text("dino@club.example")
    assert season.client.application.test_client().get(link, follow_redirects=True).status_code == 200


def test_o10_1_the_page_of_a_seasons_people_says_how_many_results_are_missing(season: Season):
    season.say_to_season("publish", round=1)
    browser = season.client.application.test_client()
    browser.get(f"/join/{season.tokens[UMPIRE]}")
    page = browser.get(f"/g/{season.id}/group")
    assert page.status_code == 200 and "Results of round 1 that are still missing: 1." in page.text
    assert browser.get(f"/api/v1/games/{season.id}/deadline").status_code == 200
