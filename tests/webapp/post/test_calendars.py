"""Calendars, as two independent programs read them: a personal address, hours that exist, what is moved."""

from __future__ import annotations

import subprocess
import sys
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any
from zoneinfo import ZoneInfo

import icalendar
import pytest
from flask import Flask
from flask.testing import FlaskClient
from ical.calendar_stream import IcsCalendarStream

from kit.by_post import Group
from tactical.kernel.record import BadInput
from webapp.post import deadlines
from webapp.post.deadlines import Deadline
from webapp.presenting import calendars

ROME = ZoneInfo("Europe/Rome")


def organizer(client: FlaskClient, **more: Any) -> tuple[str, dict[str, str]]:
    """A season in Rome with two players and what speaks for its organizer."""
    made = client.post("/api/v1/seasons", json={"title": "Galleys, 2027; spring", "zone": "Europe/Rome", **more}).json
    head = {"Authorization": f"Bearer {made['token']}"}
    for name in ("Anna", "Bruno"):
        client.post(f"/api/v1/seasons/{made['id']}/players", json={"name": name}, headers=head)
    return made["id"], head


def read_twice(text: str) -> list[tuple[str, datetime, datetime, str]]:
    """The entries of a calendar as two programs read them, which must say the same."""
    one = [
        (str(each["UID"]), each.start.astimezone(UTC), each.end.astimezone(UTC), str(each["SUMMARY"]))
        for each in icalendar.Calendar.from_ical(text).walk("VEVENT")
    ]
    other = [
        (str(each.uid), each.start_datetime.astimezone(UTC), each.end_datetime.astimezone(UTC), str(each.summary))
        for each in IcsCalendarStream.calendar_from_ics(text).events
    ]
    assert sorted(one) == sorted(other)
    return sorted(one)


def season_with_dates(client: FlaskClient, starts: str, due: str, **more: Any) -> tuple[str, dict[str, str]]:
    season, head = organizer(client, **more)
    rounds = f"/api/v1/seasons/{season}/rounds"
    made = client.post(rounds, json={"starts": starts, "due": due}, headers=head)
    assert made.status_code == 201, made.text
    assert client.put(rounds, json={"published": True}, headers=head).status_code == 200
    return season, head


@pytest.mark.parametrize("day, hours", [("2027-03-27", 1), ("2027-03-28", 2), ("2027-10-30", 2), ("2027-10-31", 1)])
def test_o10_1_a_seasons_dates_stand_at_their_hours_on_both_sides_of_a_change_of_clocks(
    app: Flask, day: str, hours: int
) -> None:
    client = app.test_client()
    season, head = season_with_dates(client, f"{day}T20:00", "2027-11-30T22:00")
    client.put(
        f"/api/v1/seasons/{season}/pairings/r1-1", json={"at": f"{day}T21:30", "place": "Table 2, left"}, headers=head
    )
    text = client.get(f"/season/{season}/rounds.ics").text
    begin = datetime.fromisoformat(f"{day}T20:00+00:00") - timedelta(hours=hours)
    found = {uid.removesuffix("@navarch").partition("-")[2]: (start, end) for uid, start, end, _ in read_twice(text)}
    assert found["1"] == (begin, begin + timedelta(hours=3)), "a battle has an end"
    assert found["r1-1"][0] == begin + timedelta(hours=1, minutes=30)
    assert found["1-due"] == (datetime(2027, 11, 30, 21, tzinfo=UTC), datetime(2027, 11, 30, 21, 15, tzinfo=UTC))
    calendar = icalendar.Calendar.from_ical(text)
    assert calendar["X-WR-CALNAME"] == calendar["NAME"] == "Galleys, 2027; spring"
    assert calendar["X-WR-TIMEZONE"] == "Europe/Rome"
    assert calendar["REFRESH-INTERVAL"].dt == timedelta(hours=1)


def test_o10_1_a_battle_that_is_moved_has_a_higher_sequence_and_others_stay(app: Flask) -> None:
    client = app.test_client()
    season, head = season_with_dates(client, "2027-03-01T20:00", "2027-03-10T22:00", options={"remind": 24})

    def entries() -> dict[str, Any]:
        found = icalendar.Calendar.from_ical(client.get(f"/season/{season}/rounds.ics").text).walk("VEVENT")
        return {str(each["UID"]).partition("-")[2]: each for each in found}

    def arrange(at: str) -> None:
        done = client.put(f"/api/v1/seasons/{season}/pairings/r1-1", json={"at": at}, headers=head)
        assert done.status_code == 200, done.text

    arrange("2027-03-05T15:00")
    first = entries()
    arrange("2027-03-04T15:00")
    second, again = entries(), entries()
    name = "r1-1@navarch"
    assert second[name]["SEQUENCE"] > first[name]["SEQUENCE"] and second[name]["UID"] == first[name]["UID"]
    assert second[name]["LAST-MODIFIED"].dt >= first[name]["LAST-MODIFIED"].dt
    assert {uid: each["SEQUENCE"] for uid, each in again.items()} == {uid: it["SEQUENCE"] for uid, it in second.items()}
    assert second["1@navarch"]["SEQUENCE"] == first["1@navarch"]["SEQUENCE"], "the round was not moved"
    (alarm,) = second["1-due@navarch"].walk("VALARM")
    assert alarm["TRIGGER"].dt == -timedelta(hours=24) and not second[name].walk("VALARM")
    dates = {"round": 1, "starts": "2027-03-02T20:00", "due": "2027-03-10T22:00"}
    assert client.put(f"/api/v1/seasons/{season}/rounds", json=dates, headers=head).status_code == 200
    assert entries()["1@navarch"]["SEQUENCE"] > second["1@navarch"]["SEQUENCE"]


@pytest.mark.parametrize(
    "zone, missing, stands",
    [
        ("Europe/Rome", "2027-03-28T02:30", "2027-03-28T03:00"),
        ("Europe/Rome", "2027-03-28T02:00", "2027-03-28T01:59"),
        ("America/New_York", "2027-03-14T02:30", "2027-03-28T02:30"),
        ("Australia/Lord_Howe", "2027-10-03T02:15", "2027-10-03T02:30"),
        ("Africa/Cairo", "2027-04-30T00:30", "2027-04-29T23:30"),
        ("Europe/Moscow", "", "2027-03-28T02:30"),
        ("Europe/Rome", "", "2027-10-31T02:30"),
    ],
)
def test_o10_1_an_hour_that_does_not_exist_is_refused_and_one_that_comes_twice_is_not(
    app: Flask, zone: str, missing: str, stands: str
) -> None:
    client = app.test_client()
    season, head = organizer(client, zone=zone)
    rounds, due = f"/api/v1/seasons/{season}/rounds", "2027-12-01T20:00"
    if missing:
        answer = client.post(rounds, json={"starts": missing, "due": due}, headers=head)
        assert answer.status_code == 400 and answer.json["error"] == (
            f"command.starts: there is no {missing[11:]} on {missing[:10]} in {zone}: the clocks are put forward."
        )
        assert client.get(f"/api/v1/seasons/{season}").json["rounds"] == [], "nothing has changed"
    assert client.post(rounds, json={"starts": stands, "due": due}, headers=head).status_code == 201
    if missing:
        for body in ({"starts": missing}, {"starts": "", "due": missing}):
            assert client.put(rounds, json=body, headers=head).status_code == 400
        client.put(rounds, json={"published": True}, headers=head)
        assert (
            client.put(f"/api/v1/seasons/{season}/pairings/r1-1", json={"at": missing}, headers=head).status_code == 400
        )


@pytest.mark.parametrize(
    "zone", ["localtime", "posixrules", "Factory", "posix/Europe/Rome", "Mars/Olympus", "", "../x"]
)
def test_what_is_no_zone_of_a_place_is_refused(app: Flask, group: Group, zone: str) -> None:
    made = app.test_client().post("/api/v1/seasons", json={"title": "x", "zone": zone})
    assert made.status_code == 400 and "zone" in made.json["error"]
    assert group.ask("PUT", "umpire", "/deadline", {"days": 3, "zone": zone}).status_code == 400
    assert zone not in calendars.zones() and "Europe/Rome" in calendars.zones()


@pytest.mark.parametrize("holidays", ["2026-12-24/2026-12-20", "2026-12-13, 2027-01-06/2026-12-24"])
def test_o3_6_a_holiday_that_ends_before_it_begins_is_refused_and_an_older_rule_with_one_goes_on(
    group: Group, holidays: str
) -> None:
    answer = group.ask("PUT", "umpire", "/deadline", {"days": 3, "holidays": holidays})
    assert answer.status_code == 400 and "a holiday must begin before it ends" in answer.json["error"]
    assert group.ask("GET", "umpire", "/deadline").json["deadline"] is None
    rule = Deadline(days=3, holidays=holidays)
    assert deadlines.due(rule, deadlines.Wait("rome", "2026-12-01T10:00:00Z")) == datetime(2026, 12, 4, 10, tzinfo=UTC)


def subscribed(client: FlaskClient, group: Group) -> str:
    address: str = client.get(f"/api/v1/games/{group.id}/calendar").json["address"]
    return address.removeprefix("https://galleys.example")


def test_a_calendar_program_subscribes_to_a_personal_address(app: Flask, group: Group) -> None:
    rule = {"days": 3, "hour": 20, "zone": "Europe/Rome", "remind": 6}
    group.ask("PUT", "umpire", "/deadline", rule)
    seat, client = group.state()["waiting_for"][0], app.test_client()
    client.get(f"/join/{group.tokens[seat]}")
    page = client.get(f"/g/{group.id}/group?seat={seat}").text
    address = subscribed(client, group)
    assert f"https://galleys.example{address}".replace("&", "&amp;") in page and "webcal://galleys.example" in page
    text = app.test_client().get(address).text
    ((uid, start, end, _said),) = read_twice(text)
    assert uid.startswith(f"{group.id}-{seat}-") and start.astimezone(ROME).hour == 20 and end > start
    (event,) = icalendar.Calendar.from_ical(text).walk("VEVENT")
    (alarm,) = event.walk("VALARM")
    assert alarm["TRIGGER"].dt == -timedelta(hours=6) and str(event["URL"]).endswith(f"/g/{group.id}/home?seat={seat}")
    umpire = group.ask("GET", "umpire", "/calendar").json["address"].removeprefix("https://galleys.example")
    assert umpire != address and read_twice(app.test_client().get(umpire).text)[0][1] == start
    before = event["SEQUENCE"]
    group.ask("POST", "umpire", "/deadline/more", {"seat": seat, "hours": 24})
    (event,) = icalendar.Calendar.from_ical(app.test_client().get(address).text).walk("VEVENT")
    assert event["SEQUENCE"] > before and event["UID"] == uid
    before = event["SEQUENCE"]
    group.ask("DELETE", "umpire", "/deadline")
    group.ask("PUT", "umpire", "/deadline", rule)
    (event,) = icalendar.Calendar.from_ical(app.test_client().get(address).text).walk("VEVENT")
    assert event["SEQUENCE"] > before and event["UID"] == uid, "also where there was none for a while"


def test_the_address_ends_by_itself_with_another_one_and_with_the_link(app: Flask, group: Group) -> None:
    group.ask("PUT", "umpire", "/deadline", {"days": 3})
    seat, client = group.state()["waiting_for"][0], app.test_client()
    anna = group.invite(seat, "Anna")
    client.get(f"/join/{anna['link'].rpartition('/')[2]}")
    others = group.ask("GET", seat, "/calendar").json["address"]
    own = subscribed(client, group)
    assert own != others.removeprefix("https://galleys.example"), "each who holds the seat has his own"
    answer = client.post(
        f"/g/{group.id}/group/calendar?seat={seat}",
        data={"csrf_token": csrf(client, f"/g/{group.id}/group?seat={seat}")},
    )
    assert answer.status_code == 200 and "has stopped working" in answer.text
    newer = subscribed(client, group)
    assert newer != own and app.test_client().get(own).status_code == 404
    assert app.test_client().get(newer).status_code == 200
    assert app.test_client().get(others.removeprefix("https://galleys.example")).status_code == 200
    assert client.get(f"/g/{group.id}/group?seat={seat}").status_code == 200, "the link to the game stands"
    group.ask("POST", "umpire", f"/people/{anna['id']}/link")
    assert app.test_client().get(newer).status_code == 404


def csrf(client: FlaskClient, page: str) -> str:
    return client.get(page).text.partition('name="csrf_token" value="')[2].partition('"')[0]


def test_a_wrong_address_shows_nothing_and_counts_as_a_guess(app: Flask, group: Group) -> None:
    app.config["BAD_TOKENS_A_MINUTE"] = 3
    address = f"/g/{group.id}/calendar/umpire/{'0' * 40}.ics"
    answers = [app.test_client().get(address).status_code for _ in range(40)]
    assert answers[0] == 404 and answers[-1] == 429 and 200 not in answers
    assert app.test_client().get("/g/NOWHERE/calendar/umpire/0.ics").status_code in (404, 429)


def test_a_calendar_without_a_deadline_is_one_all_the_same(app: Flask, group: Group) -> None:
    """RFC 5545, 3.6: a calendar has one component or more."""
    address = group.ask("GET", "umpire", "/calendar").json["address"].removeprefix("https://galleys.example")
    text = app.test_client().get(address).text
    assert icalendar.Calendar.from_ical(text).subcomponents and read_twice(text) == []


def test_lines_are_folded_for_programs_that_count_bytes(app: Flask) -> None:
    """RFC 5545, 3.1: lines of 75 bytes at most, without a letter cut in two, each with CR and LF."""
    client = app.test_client()
    season, head = season_with_dates(client, "2027-03-27T20:00", "2027-03-30T22:00")
    where = "Клуб «Галера», второй этаж; у окна"
    client.put(f"/api/v1/seasons/{season}/pairings/r1-1", json={"at": "2027-03-27T21:00", "place": where}, headers=head)
    answer = client.get(f"/season/{season}/rounds.ics")
    assert answer.headers["Content-Type"] == "text/calendar; charset=utf-8"
    lines = answer.data.split(b"\r\n")
    assert lines.pop() == b"" and all(0 < len(line) <= 75 and line.decode() and b"\n" not in line for line in lines)
    places = {str(each.get("LOCATION")) for each in icalendar.Calendar.from_ical(answer.text).walk("VEVENT")}
    assert where in places


def test_hours_that_exist_are_told_from_others_in_any_zone() -> None:
    calendars.check_exists(datetime(2027, 3, 28, 3, tzinfo=ROME), "at")
    with pytest.raises(BadInput, match="there is no 02:59 on 2027-03-28 in Europe/Rome"):
        calendars.check_exists(datetime(2027, 3, 28, 2, 59, tzinfo=ROME), "at")


def test_what_few_requests_need_is_not_loaded_with_the_program(tmp_path: Path) -> None:
    given = {"DATABASE": str(tmp_path / "games.db"), "TESTING": True}
    said = f"import sys, webapp.cli.serve, webapp; webapp.create_app({given}); print(*sys.modules)"
    loaded = subprocess.run(
        [sys.executable, "-c", said],
        capture_output=True,
        text=True,
        check=True,
    ).stdout.split()
    assert "webapp.presenting.calendars" in loaded
    assert not {"icalendar", "trustme", "mailparser_reply", "chardetng_py"} & set(loaded)
