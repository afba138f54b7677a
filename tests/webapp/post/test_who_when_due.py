"""The first view of a group's page: who must do what, until when, who has answered; a weekly rhythm."""

from __future__ import annotations

import html
from datetime import UTC, datetime, timedelta
from zoneinfo import ZoneInfo

import pytest
from flask import Flask
from flask.testing import FlaskClient

from kit.hannibal_war import force, march
from kit.hannibal_war import war as small_war
from kit.open_war import position
from kit.wars import War, app, client, store
from strategic.hannibal import HANNIBAL
from tactical.kernel.protocol import UMPIRE
from tactical.kernel.record import plain
from webapp.pages import group
from webapp.post import deadlines
from webapp.post.deadlines import Wait, waits
from webapp.storage.journal.store import Store

__all__ = ["app", "client", "store"]


@pytest.mark.parametrize(
    ("since", "end"),
    [
        ("2026-11-23T10:00:00Z", "2026-11-29T19:00:00+00:00"),  # a Monday: the Sunday after
        ("2026-11-28T10:00:00Z", "2026-11-29T19:00:00+00:00"),  # a Saturday: one day on is that Sunday
        ("2026-11-29T10:00:00Z", "2026-12-06T19:00:00+00:00"),  # a Sunday: one day on is past it
    ],
)
def test_a_weekly_rhythm_ends_on_its_day_and_hour_in_the_clubs_zone(since: str, end: str):
    rule = deadlines.rule_of({"days": 1, "hour": 20, "weekday": 6, "zone": "Europe/Rome"}, None)
    found = deadlines.due(rule, Wait("rome", since))
    assert found is not None and found.isoformat() == end


def test_a_rule_without_a_weekday_counts_days_of_the_calendar():
    rule = deadlines.rule_of({"days": 1, "hour": 20}, None)
    found = deadlines.due(rule, Wait("rome", "2026-11-23T21:00:00Z"))
    assert rule.weekday is None and found is not None and found.isoformat() == "2026-11-24T20:00:00+00:00"


def test_who_when_due_says_the_sentence_the_deadline_and_each_seat(client: FlaskClient, store: Store):
    war = War(store, client)
    deadlines.keep(store, war.id, deadlines.rule_of({"days": 2, "hour": 20, "zone": "Europe/Rome"}, None))
    page = html.unescape(client.get(f"/g/{war.id}/group?seat=carthage").text)
    first = page[page.index('class="panel who-due"') : page.index("</section>")]
    assert "Rome must " in first and "(Europe/Rome)" in first and 'class="ring' in first
    assert first.index("Rome</strong>") < first.index("Carthage</strong>")
    assert first.count("not yet") == 1 and first.count('class="button main"') == 1


def test_the_ring_is_the_share_of_time_that_is_left(app: Flask):
    rule = deadlines.rule_of({"days": 2}, None)
    wait = Wait("rome", "2026-11-24T12:00:00Z")
    end = datetime(2026, 11, 26, 12, tzinfo=UTC)
    with app.test_request_context():
        shown = [group.due_by_clock(rule, end, wait, datetime(2026, 11, day, 12, tzinfo=UTC)) for day in (24, 25, 27)]
    assert [(one.share, one.is_late) for one in shown] == [(1.0, False), (0.5, False), (0.0, True)]


def test_a_question_that_anothers_act_asks_is_due_by_its_own_hours(client: FlaskClient, store: Store):
    """Who is asked whether he avoids has six hours, whoever marches has the three days of a turn."""
    before = march(
        small_war(force("carthage", "beneventum", 6, "hannibal"), force("rome", "arpi", 4, "marcellus")), "hannibal"
    )
    war = War(store, client, position=plain(HANNIBAL.view(before, UMPIRE)))
    deadlines.keep(store, war.id, deadlines.rule_of({"days": 3, "reaction": 6}, None))
    turn = waits(store, store.load(war.id))
    step = {"type": "step", "to": "arpi", "units": 6, "elephants": 0, "companions": []}
    store.submit(war.id, war.version, "carthage", step)
    asked = waits(store, store.load(war.id))
    assert [(one.seat, one.is_reaction) for one in turn] == [("carthage", False)]
    assert [(one.seat, one.is_reaction) for one in asked] == [("rome", True)]
    rule = deadlines.deadline(store, war.id)
    assert rule is not None
    assert deadlines.due(rule, asked[0]) == deadlines.moment(asked[0].since) + timedelta(hours=6)
    shown = client.get(f"/api/v1/games/{war.id}/deadline?seat=rome").json
    assert shown["waits"][0]["is_reaction"] and shown["deadline"]["reaction"] == 6


@pytest.mark.parametrize(
    ("day", "said", "strip"),
    [
        (28, "Saturday, 20:00", "23 24 25 26 27 28 29"),
        (29, "Sunday, 20:00", "23 24 25 26 27 28 29"),
        (34, "Friday, 20:00", "30 1 2 3 4 5 6"),
        (35, "Saturday 5 December, 20:00", "30 1 2 3 4 5 6"),
        (36, "Sunday 6 December, 20:00", "30 1 2 3 4 5 6"),  # not tomorrow
        (26, "Thursday 26 November, 20:00", "23 24 25 26 27 28 29"),  # it is over
    ],
)
def test_a_day_more_than_six_days_off_is_named_with_its_date_and_the_strip_shows_its_week(
    app: Flask, day: int, said: str, strip: str
):
    """Seen on Saturday, 28 November 2026."""
    rule, now = deadlines.rule_of({"days": 7, "hour": 20}, None), datetime(2026, 11, 28, 10, tzinfo=UTC)
    end = datetime(2026, 11, 1, 20, tzinfo=UTC) + timedelta(days=day - 1)
    with app.test_request_context():
        shown = group.due_by_clock(rule, end, Wait("rome", "2026-11-21T20:00:00Z"), now)
        text = deadlines.said_until(end, deadlines.of_day(end.date(), now.date()))
    assert (shown.text, text) == (f"Due {said}", f"{said} (UTC)")
    assert " ".join(each[1] for each in shown.week) == strip
    assert [each[1] for each in shown.week if each[3]] == [str(end.day)]


def test_what_was_done_in_the_turn_before_is_not_told_of_who_must_act(client: FlaskClient, store: Store, app: Flask):
    war = War(store, client, "open_campaign", scenario=None, position=position())

    def told() -> dict[str, tuple[bool, str]]:
        with app.test_request_context():
            return {row.seat: (row.must, row.did) for row in group.rows(store, store.load(war.id))}

    first, *others = store.load(war.id).waiting_for
    store.submit(war.id, war.version, first, {"type": "ready", "side": first})
    assert told()[first][0] is False and told()[first][1] and not any(told()[side][1] for side in others)
    for side in others:
        store.submit(war.id, war.version, side, {"type": "ready", "side": side})
    assert told() == {side: (True, "") for side in (first, *others)}


@pytest.mark.parametrize(
    ("ran", "due"),
    [
        ("2026-11-08T19:00:05", "2026-11-15"),  # 20:00:05 in Rome, as it was due
        ("2026-11-10T09:00:00", "2026-11-15"),  # late: that Sunday all the same
        ("2026-11-14T12:00:00", "2026-11-15"),
        ("2026-11-04T10:00:00", "2026-11-15"),  # early: it was due on the 8th
        ("2026-11-07T23:00:00", "2026-11-15"),
    ],
)
def test_o3_6_sundays_are_kept_in_a_war_whose_turn_runs_early_or_late(
    client: FlaskClient, store: Store, monkeypatch: pytest.MonkeyPatch, ran: str, due: str
):
    """A war begun on a Thursday, its first turn run on the first Sunday of November; then one that runs early or late."""

    def at(moment: str, *commands: dict[str, object]) -> None:
        monkeypatch.setattr(store, "now", lambda: f"{moment}.000Z")
        for command in commands:
            store.submit(war.id, war.version, str(command.get("side", UMPIRE)), command)

    def ends() -> set[str]:
        table, rule = store.load(war.id), deadlines.deadline(store, war.id)
        found = (deadlines.due_in(store, table, wait, rule, ()) for wait in waits(store, table))
        return {each.astimezone(ZoneInfo("Europe/Rome")).isoformat(" ", "minutes")[:16] for each in found if each}

    monkeypatch.setattr(store, "now", lambda: "2026-10-22T12:00:00.000Z")
    war = War(store, client, "open_campaign", scenario=None, position=position())
    rule = {"days": 7, "hour": 20, "weekday": 6, "zone": "Europe/Rome"}
    deadlines.keep(store, war.id, deadlines.rule_of(rule, None))
    assert ends() == {"2026-11-01 20:00"}, "the first turn has its week"
    at("2026-11-01T19:00:05", {"type": "run"})
    assert ends() == {"2026-11-08 20:00"}
    at("2026-11-03T07:00:00", {"type": "ready", "side": "rhodes"})
    at("2026-11-03T09:00:00", {"type": "ready", "side": "rhodes", "ready": False})
    assert ends() == {"2026-11-08 20:00"}, "taking it back puts nothing off"
    at(ran, {"type": "run"})
    assert ends() == {f"{due} 20:00"}


def test_o3_6_the_page_names_the_rule_without_days_where_it_has_none(client: FlaskClient, store: Store):
    war = War(store, client)
    for days, said in ((7, "Deadlines: 7 days, Sunday 20:00 Europe/Rome"), (0, "Deadlines: Sunday 20:00 Europe/Rome")):
        rule = {"days": days, "hour": 20, "weekday": 6, "zone": "Europe/Rome"}
        deadlines.keep(store, war.id, deadlines.rule_of(rule, None))
        assert f"<summary>{said}</summary>" in client.get(f"/g/{war.id}/group?seat=umpire").text
