"""Until when a seat must have acted: days, a fixed hour, pauses, absences, more time."""

from __future__ import annotations

import re
from datetime import UTC, datetime, timedelta
from itertools import pairwise
from typing import Any
from zoneinfo import ZoneInfo

import icalendar
import pytest
from flask import Flask

from kit.by_post import Box, Group
from tactical.kernel.record import BadInput
from webapp.post import deadlines
from webapp.post.deadlines import Deadline, Wait, due
from webapp.post.people import Person
from webapp.post.postman import Postman
from webapp.presenting.campaign_labels import seat_word

SINCE = "2026-11-02T10:15:00Z"
BEGUN = datetime(2026, 11, 2, 10, 15, tzinfo=UTC)


def person(**about: str) -> Person:
    given = {"name": "Ada", "address": "", "role": "player", "duty": "", "lang": "en", "mails": "at_once", **about}
    return Person(1, "G", "rome", home="", stop="", consent="", **{"away_from": "", "away_until": "", **given})  # type: ignore[arg-type]


def test_a_seat_has_so_many_days():
    assert due(Deadline(days=3), Wait("rome", SINCE)) == BEGUN + timedelta(days=3)


def test_then_the_next_fixed_hour_in_its_zone():
    assert due(Deadline(days=3, hour=20, zone="Europe/Rome"), Wait("rome", SINCE)) == datetime(
        2026, 11, 5, 19, tzinfo=UTC
    )
    assert due(Deadline(days=0, hour=9, zone="UTC"), Wait("rome", SINCE)) == datetime(2026, 11, 3, 9, tzinfo=UTC)
    assert due(Deadline(days=0, hour=20, zone="Europe/Rome"), Wait("rome", "2026-07-01T10:00:00Z")) == datetime(
        2026, 7, 1, 18, tzinfo=UTC
    )


MONDAYS_AND_THURSDAYS = {"days": 3, "hour": 19, "weekdays": (0, 3)}
ROME, SANTIAGO = "Europe/Rome", "America/Santiago"
DAILY, WEEKLY = {"days": 1, "hour": 20}, {"days": 7, "hour": 20, "weekday": 6}
TABLE = [  # a rule, its zone, when the turn began and when it is due, by that zone's clock
    # a turn begins when the one before has run: just after the hour, at it, late by minutes, hours and days
    (DAILY, ROME, "2026-11-02 20:00:05", "2026-11-03 20:00"),
    (WEEKLY, ROME, "2026-11-01 20:00:05", "2026-11-08 20:00"),
    (WEEKLY, ROME, "2026-11-01 20:00:00", "2026-11-08 20:00"),
    (WEEKLY, ROME, "2026-11-01 20:31:00", "2026-11-08 20:00"),
    (WEEKLY, ROME, "2026-11-02 00:05:00", "2026-11-08 20:00"),
    (WEEKLY, ROME, "2026-11-03 09:00:00", "2026-11-08 20:00"),
    (WEEKLY, ROME, "2026-11-06 22:00:00", "2026-11-08 20:00"),
    (WEEKLY, ROME, "2026-11-08 12:00:00", "2026-11-15 20:00"),  # less than half a day would be left
    (WEEKLY, ROME, "2026-11-08 20:00:05", "2026-11-15 20:00"),
    (DAILY, ROME, "2026-11-03 00:10:00", "2026-11-03 20:00"),
    (DAILY, ROME, "2026-11-03 07:59:00", "2026-11-03 20:00"),
    (DAILY, ROME, "2026-11-03 09:00:00", "2026-11-04 20:00"),
    ({"days": 3, "hour": 23}, ROME, "2026-11-03 00:20:00", "2026-11-05 23:00"),
    ({"days": 14, "hour": 20, "weekday": 6}, ROME, "2026-11-03 09:00:00", "2026-11-15 20:00"),
    ({"days": 3, "hour": 20, "weekday": 6}, ROME, "2026-11-02 09:00:00", "2026-11-08 20:00"),
    # over the change to summer time, and back, in both halves of the world
    (DAILY, ROME, "2027-03-27 20:00:00", "2027-03-28 20:00"),
    (WEEKLY, ROME, "2027-03-21 20:00:05", "2027-03-28 20:00"),
    (WEEKLY, ROME, "2027-03-28 20:00:05", "2027-04-04 20:00"),
    ({"days": 1}, ROME, "2027-03-27 20:30:00", "2027-03-28 20:30"),
    ({"days": 1}, ROME, "2026-10-24 20:30:00", "2026-10-25 20:30"),
    (DAILY, ROME, "2026-10-24 20:00:00", "2026-10-25 20:00"),
    (WEEKLY, ROME, "2026-10-18 20:00:05", "2026-10-25 20:00"),
    (WEEKLY, ROME, "2026-10-20 20:00:00", "2026-10-25 20:00"),
    (DAILY, SANTIAGO, "2027-04-03 20:00:05", "2027-04-04 20:00"),
    (WEEKLY, SANTIAGO, "2027-03-28 20:00:05", "2027-04-04 20:00"),
    (WEEKLY, SANTIAGO, "2026-08-30 20:00:05", "2026-09-06 20:00"),
    ({"days": 2}, SANTIAGO, "2026-09-05 09:15:00", "2026-09-07 09:15"),
    (DAILY, SANTIAGO, "2026-09-05 20:00:00", "2026-09-06 20:00"),
    # two days of the week: a turn that runs on time, late by hours and days, and over the change of the clocks
    (MONDAYS_AND_THURSDAYS, ROME, "2026-11-02 19:00:05", "2026-11-05 19:00"),
    (MONDAYS_AND_THURSDAYS, ROME, "2026-11-05 19:00:05", "2026-11-09 19:00"),
    (MONDAYS_AND_THURSDAYS, ROME, "2026-11-05 19:00:00", "2026-11-09 19:00"),
    (MONDAYS_AND_THURSDAYS, ROME, "2026-11-03 02:00:00", "2026-11-05 19:00"),
    (MONDAYS_AND_THURSDAYS, ROME, "2026-11-04 22:00:00", "2026-11-05 19:00"),
    (MONDAYS_AND_THURSDAYS, ROME, "2026-11-05 12:00:00", "2026-11-09 19:00"),  # less than half a day would be left
    (MONDAYS_AND_THURSDAYS, ROME, "2027-03-25 19:00:05", "2027-03-29 19:00"),
    ({"days": 0, "hour": 19, "weekdays": (0, 3)}, ROME, "2026-11-03 09:00:00", "2026-11-05 19:00"),
    ({"days": 7, "hour": 20, "weekdays": (6,)}, ROME, "2026-11-01 20:00:05", "2026-11-08 20:00"),
    # rules of earlier games: no days, the next time that it is the hour
    ({"days": 0, "hour": 20, "weekday": 6}, ROME, "2026-11-01 20:00:05", "2026-11-08 20:00"),
    ({"days": 0, "hour": 20, "weekday": 6}, ROME, "2026-11-08 12:00:00", "2026-11-08 20:00"),
    ({"days": 0, "hour": 20}, ROME, "2026-11-01 20:00:05", "2026-11-02 20:00"),
]


def by_clock(text: str, zone: str) -> datetime:
    """A moment by the clock of a zone."""
    return datetime.fromisoformat(text).replace(tzinfo=ZoneInfo(zone)).astimezone(UTC)


@pytest.mark.parametrize(("rule", "zone", "since", "end"), TABLE)
def test_o3_6_days_are_days_of_the_calendar_in_the_rules_zone(rule: dict[str, int], zone: str, since: str, end: str):
    begun = by_clock(since, zone)
    found = due(Deadline(**rule, zone=zone), Wait("rome", begun.isoformat()))  # type: ignore[arg-type]
    assert found is not None and found == by_clock(end, zone)
    assert found > begun


@pytest.mark.parametrize("late", [timedelta(minutes=1), timedelta(hours=9), *map(timedelta, range(1, 7))])
def test_o3_6_however_late_the_umpire_is_sundays_are_kept(late: timedelta):
    """The change of the clocks lies among the Sundays."""
    rule = Deadline(**WEEKLY, zone=ROME)  # type: ignore[arg-type]
    sundays = [by_clock(f"{day} 20:00", ROME) for day in ("2027-03-14", "2027-03-21", "2027-03-28", "2027-04-04")]
    for before, after in pairwise(sundays):
        assert due(rule, Wait("rome", (before + late).isoformat())) == after


@pytest.mark.parametrize(
    ("since", "end"),
    [
        ("2026-11-04 10:00:00", "2026-11-15 20:00"),  # it was due on the 8th
        ("2026-11-07 23:00:00", "2026-11-15 20:00"),
        ("2026-11-08 19:59:00", "2026-11-15 20:00"),
        ("2026-11-08 20:00:05", "2026-11-15 20:00"),
    ],
)
def test_o3_6_a_turn_that_runs_early_leaves_the_next_its_week(since: str, end: str):
    rule = Deadline(**WEEKLY, zone=ROME)  # type: ignore[arg-type]
    asked = []

    def stood_open(moment: datetime) -> bool:
        asked.append(moment)
        return since > "2026-11-08 20"

    wait = Wait("rome", by_clock(since, ROME).isoformat())
    assert due(rule, wait, (), stood_open) == by_clock(end, ROME)
    assert asked == [by_clock("2026-11-08 20:00" if since > "2026-11-08 20" else "2026-11-01 20:00", ROME)]


def test_o3_6_with_two_days_a_week_a_turn_that_runs_early_leaves_the_next_its_days():
    rule = Deadline(**MONDAYS_AND_THURSDAYS, zone=ROME)  # type: ignore[arg-type]
    for since, end in (("2026-11-03 10:00:00", "2026-11-09 19:00"), ("2026-11-07 10:00:00", "2026-11-12 19:00")):
        wait = Wait("rome", by_clock(since, ROME).isoformat())
        assert due(rule, wait, (), lambda moment: False) == by_clock(end, ROME)


def test_days_of_the_week_are_set_by_their_boxes_and_told_by_the_api(app: Flask, group: Group):
    client, url = app.test_client(), f"/g/{group.id}/group"
    client.get(f"/join/{group.tokens['umpire']}")
    token = re.search(r'name="csrf-token" content="([^"]+)"', client.get(url).text)[1]  # type: ignore[index]
    form = {"csrf_token": token, "days": "3", "hour": "19", "zone": ROME, "act": "keep"}
    assert client.post(f"{url}/deadline", data={**form, "weekdays": ["0", "3"]}).status_code == 303
    page = client.get(url).text
    assert "<summary>Deadlines: 3 days, Monday, Thursday 19:00 Europe/Rome</summary>" in page
    assert re.findall(r'name="weekdays" value="(.)" checked', page) == ["0", "3"]
    told = group.ask("GET", "umpire", "/deadline").json["deadline"]
    assert (told["weekday"], told["weekdays"]) == (None, [0, 3])
    group.ask("PUT", "umpire", "/deadline", {"days": 7, "hour": 20, "weekday": 6})
    told = group.ask("GET", "umpire", "/deadline").json["deadline"]
    assert (told["weekday"], told["weekdays"]) == (6, [6])


def test_o3_6_a_pause_puts_a_turn_at_an_hour_off_by_whole_days():
    rule = Deadline(days=3, hour=20, zone=ROME)
    wait = Wait("rome", by_clock("2027-03-26 20:00:05", ROME).isoformat())
    for first, last, end in (
        ("2027-03-27 10:00", "2027-03-27 11:00", "2027-03-29 20:00"),
        ("2027-03-27 10:00", "2027-03-29 10:00", "2027-03-31 20:00"),
        ("2027-03-29 19:00", "2027-03-29 21:00", "2027-03-30 20:00"),
    ):
        paused = deadlines.pause(rule, by_clock(first, ROME).isoformat())
        assert due(deadlines.resume(paused, by_clock(last, ROME).isoformat()), wait) == by_clock(end, ROME)


def test_o3_6_an_absence_is_counted_by_the_rules_own_days():
    away = person(away_from="2026-11-05", away_until="2026-11-05")
    rule = Deadline(days=3, hour=1, zone="Pacific/Auckland")
    wait = Wait("rome", by_clock("2026-11-02 01:00:00", rule.zone).isoformat())
    assert due(rule, wait, [away]) == by_clock("2026-11-07 01:00", rule.zone)


def test_a_pause_stops_the_clock():
    rule = deadlines.pause(Deadline(days=3), "2026-11-03T10:15:00Z")
    assert due(rule, Wait("rome", SINCE)) is None
    rule = deadlines.resume(rule, "2026-11-06T10:15:00Z")
    assert due(rule, Wait("rome", SINCE)) == BEGUN + timedelta(days=6)
    assert due(rule, Wait("rome", "2026-11-05T10:15:00Z")) == datetime(2026, 11, 9, 10, 15, tzinfo=UTC)
    assert due(rule, Wait("rome", "2026-11-10T00:00:00Z")) == datetime(2026, 11, 13, tzinfo=UTC)


def test_who_is_away_has_a_day_after_his_return_unless_a_deputy_is_there():
    away = person(away_from="2026-11-04", away_until="2026-11-08")
    assert due(Deadline(days=3), Wait("rome", SINCE), [away]) == datetime(2026, 11, 10, 10, 15, tzinfo=UTC)
    assert due(Deadline(days=3), Wait("rome", SINCE), [away, person(role="deputy")]) == BEGUN + timedelta(days=3)


def test_the_umpire_gives_more_time_for_one_question():
    rule = deadlines.extend(Deadline(days=3), "rome", SINCE, 24)
    rule = deadlines.extend(rule, "rome", SINCE, 12)
    assert due(rule, Wait("rome", SINCE)) == BEGUN + timedelta(days=3, hours=36)
    assert due(rule, Wait("carthage", SINCE)) == BEGUN + timedelta(days=3)
    assert due(rule, Wait("rome", "2026-11-05T00:00:00Z")) == datetime(2026, 11, 8, tzinfo=UTC)


def test_a_question_in_anothers_turn_has_its_own_hours_whatever_the_hour_of_turns():
    rule = Deadline(days=3, hour=20, remind=24, reaction=12)
    asked = Wait("rome", SINCE, is_reaction=True)
    end = due(rule, asked)
    assert end == deadlines.moment(SINCE) + timedelta(hours=12)
    assert due(rule, Wait("rome", SINCE)) == datetime(2026, 11, 5, 20, tzinfo=UTC)
    assert due(Deadline(days=3), asked) == BEGUN + timedelta(days=3), "without hours of its own it has a turn's"
    assert due(deadlines.extend(rule, "rome", SINCE, 6), asked) == end + timedelta(hours=6)
    assert not deadlines.is_reminded(rule, asked, end, end - timedelta(hours=7)), "half of its time first"
    assert deadlines.is_reminded(rule, asked, end, end - timedelta(hours=6))


def test_reminder_and_lapse_by_the_clock():
    rule, end = Deadline(remind=24, grace=12), BEGUN
    assert not deadlines.is_reminded(rule, Wait("rome", SINCE), end, end - timedelta(hours=25))
    assert deadlines.is_reminded(rule, Wait("rome", SINCE), end, end - timedelta(hours=24))
    assert not deadlines.is_reminded(rule, Wait("rome", SINCE), end, end)
    assert not deadlines.has_lapsed(rule, end, end + timedelta(hours=11))
    assert deadlines.has_lapsed(rule, end, end + timedelta(hours=12))


@pytest.mark.parametrize(
    ("body", "field"),
    [
        ({"days": 61}, "days"),
        ({"hour": 24}, "hour"),
        ({"zone": "Atlantis/Poseidonis"}, "zone"),
        ({"lapse": "drown"}, "lapse"),
        ({"days": 0}, "days"),
        ({"grace": -1}, "grace"),
    ],
)
def test_a_bad_rule_is_refused_by_the_name_of_its_field(group: Group, body: dict[str, object], field: str):
    answer = group.ask("PUT", "umpire", "/deadline", body)
    assert answer.status_code == 400 and answer.json["detail"]["path"] == field, answer.text
    assert group.ask("GET", "umpire", "/deadline").json["deadline"] is None


def test_only_the_umpire_sets_the_time(group: Group):
    for method, what, body in (
        ("PUT", "/deadline", {}),
        ("DELETE", "/deadline", None),
        ("POST", "/deadline/more", {"seat": "rome", "hours": 3}),
    ):
        assert group.ask(method, "rome", what, body).status_code == 403


def test_a_zone_is_checked_where_it_is_used():
    with pytest.raises(BadInput, match="zone"):
        deadlines.zone_of(Deadline(zone="../etc/passwd"))


def later(days: float) -> datetime:
    return datetime.now(UTC) + timedelta(days=days)


def test_a_reminder_then_the_lapse_are_told_once_and_a_captain_answers(
    app: Flask, postman: Postman, group: Group, box: tuple[Box, str]
):
    waiting = group.state()["waiting_for"][0]
    other = "rome" if waiting == "carthage" else "carthage"
    group.put_in(waiting, "Ada", "ada@club.example")
    group.put_in(other, "Bea", "bea@club.example")
    group.ask("PUT", "umpire", "/deadline", {"days": 3, "remind": 24, "grace": 12, "lapse": "captain"})
    assert group.ask("GET", other, "/deadline").json["waits"][0]["seat"] == waiting
    for moment in (0, 1, 2.5, 2.6):
        postman.round([group.id], later(moment))
    subjects = box[0].to("ada@club.example")
    assert sum("your turn" in subject for subject in subjects) == 1
    assert sum("ends soon" in subject for subject in subjects) == 1
    version = group.state()["version"]
    postman.round([group.id], later(3.6))
    postman.round([group.id], later(0))
    assert sum("has run out" in subject for subject in box[0].to("bea@club.example")) == 1
    held = group.ask("GET", "umpire", "/captains").json["captains"]
    done = group.state()["version"] > version
    assert done or [(each["seat"], each["until"]) for each in held] == [(waiting, "prompt")]


def test_when_time_has_passed_what_can_pass_passes(postman: Postman, group: Group):
    group.ask("PUT", "umpire", "/deadline", {"days": 1, "grace": 0, "lapse": "orders"})
    asked = group.state()["waiting_for"][0]
    postman.round([group.id], later(1.1))
    entry = group.ask("GET", "umpire", "/journal").json["entries"][0]
    assert entry["seat"] == asked and entry["command"] == {"type": "pass"}
    assert [each["type"] for each in entry["events"]][-1] == "standing_order"


def test_where_nothing_can_pass_the_umpire_is_called(app: Flask, postman: Postman, box: tuple[Box, str]):
    battle = Group(app.test_client(), "galley", app.extensions["navarch"].store.systems["galley"].scenarios()[0].id)
    battle.put_in("umpire", "Max", "max@club.example")
    battle.ask("PUT", "umpire", "/deadline", {"days": 1, "grace": 0, "lapse": "orders"})
    postman.round([battle.id], later(1.1))
    assert battle.state()["version"] == 0
    assert "The umpire should decide what happens now." in box[0].text("max@club.example")


def test_the_calendar_holds_the_own_deadline(app: Flask, group: Group):
    group.ask("PUT", "umpire", "/deadline", {"days": 3, "remind": 24})
    waiting = group.state()["waiting_for"][0]
    client = app.test_client()
    client.get(f"/join/{group.tokens[waiting]}")
    text = client.get(f"/g/{group.id}/deadlines.ics").text
    assert text.startswith("BEGIN:VCALENDAR") and text.count("BEGIN:VEVENT") == 1 and "TRIGGER:-P1D" in text
    assert "DTEND" not in text, "an end that is the beginning is none (RFC 5545, 3.8.2.2)"
    looker = app.test_client()
    looker.get(f"/join/{group.tokens['spectator']}")
    assert "BEGIN:VEVENT" not in looker.get(f"/g/{group.id}/deadlines.ics").text


def test_a_deadline_that_was_moved_is_a_later_writing_of_the_same_entry(
    app: Flask, group: Group, monkeypatch: pytest.MonkeyPatch
):
    """RFC 5546, 2.1.5: of two entries with one UID the one with the later DTSTAMP stands."""
    group.ask("PUT", "umpire", "/deadline", {"days": 3, "hour": 20})
    seat, client = group.state()["waiting_for"][0], app.test_client()
    client.get(f"/join/{group.tokens[seat]}")

    def entry(at: datetime) -> Any:
        monkeypatch.setattr(app.extensions["navarch"].store, "now", at.isoformat)
        (found,) = icalendar.Calendar.from_ical(client.get(f"/g/{group.id}/deadlines.ics").text).walk("VEVENT")
        return found

    before = entry(BEGUN)
    assert group.ask("POST", "umpire", "/deadline/more", {"seat": seat, "hours": 24}).status_code == 200
    after = entry(BEGUN + timedelta(minutes=5))
    assert after["UID"] == before["UID"] and after["DTSTAMP"].dt > before["DTSTAMP"].dt
    assert after["DTSTART"].dt - before["DTSTART"].dt == timedelta(hours=24)


def test_the_umpire_has_one_entry_for_all_who_must_act_by_the_same_moment(app: Flask):
    war = Group(app.test_client(), "open_campaign", "rhodes_and_antiochus")
    war.ask("PUT", "umpire", "/deadline", {"days": 3, "hour": 20})
    sides, client = war.state()["waiting_for"], app.test_client()
    client.get(f"/join/{war.tokens['umpire']}")

    def entries() -> list[Any]:
        return icalendar.Calendar.from_ical(client.get(f"/g/{war.id}/deadlines.ics").text).walk("VEVENT")

    (found,) = entries()
    assert len(sides) > 1 and all(seat_word(side) in found["SUMMARY"] for side in sides)
    war.ask("POST", "umpire", "/deadline/more", {"seat": sides[0], "hours": 24})
    apart = entries()
    assert len(apart) == 2 and len({each["UID"] for each in apart}) == 2


def test_o3_6_no_turn_is_due_on_a_holiday() -> None:
    sundays = Deadline(days=3, hour=20, weekday=6, zone="Europe/Rome", holidays="2026-12-24/2027-01-06, 2026-12-13")
    assert due(sundays, Wait("rome", "2026-12-08T10:00:00Z")) == datetime(2026, 12, 20, 19, tzinfo=UTC)
    assert due(sundays, Wait("rome", "2026-12-20T10:00:00Z")) == datetime(2027, 1, 10, 19, tzinfo=UTC)
    any_hour = Deadline(days=3, holidays="2026-11-05")
    assert due(any_hour, Wait("rome", SINCE)) == BEGUN + timedelta(days=4)
    for wrong in ("Christmas", "2026-12-24 2027-01-06", "2026-02-30"):
        with pytest.raises(BadInput, match="holidays"):
            deadlines.holidays_of(Deadline(holidays=wrong))
