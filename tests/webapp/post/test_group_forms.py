"""The forms of the group's page act as the API does: who plays, until when, links and letters."""

from __future__ import annotations

import re

from flask import Flask

from tests.kit.by_post import Group
from webapp.post import deadlines, people


def test_the_forms_of_the_page_act_as_the_api_does(app: Flask, group: Group):
    client, store = app.test_client(), app.extensions["navarch"].store
    client.get(f"/join/{group.tokens['umpire']}")
    page = client.get(f"/g/{group.id}/group").text
    token = re.search(r'name="csrf-token" content="([^"]+)"', page)

    def post(what: str, **form: str):
        return client.post(f"/g/{group.id}/{what}", data={**form, "csrf_token": token[1]})  # type: ignore[index]

    def person():
        return people.people(store, group.id)[0]

    made = post("group/invite", seat="rome", name="Ada", address="ada@club.example", role="player", duty="")
    assert made.status_code == 200 and "Ada plays now" in made.text and "/join/" in made.text
    assert post("group/invite", seat="rome", name="").status_code == 422
    of_ada = f"group/people/{person().id}"
    assert post(of_ada, address="", mails="daily", away_from="", away_until="").status_code == 303
    assert (person().address, person().mails) == ("", "daily")
    renewed = post(of_ada, act="link")
    assert renewed.status_code == 200 and "The new link" in renewed.text
    assert post(of_ada, act="trial").status_code == 422

    time = {"days": "4", "hour": "", "zone": "UTC", "remind": "12", "grace": "0", "lapse": "umpire"}
    assert post("group/deadline", **time, act="keep").status_code == 303
    rule = deadlines.deadline(store, group.id)
    assert rule is not None and (rule.days, rule.hour, rule.remind, rule.is_paused) == (4, None, 12, False)
    assert post("group/deadline", **{**time, "days": "many"}).status_code == 422
    assert post("group/deadline", **time, is_paused="true").status_code == 303
    rule = deadlines.deadline(store, group.id)
    assert rule is not None and rule.is_paused
    assert post("group/deadline", act="more", seat="nobody", hours="24").status_code == 422
    assert post("group/deadline", act="none").status_code == 303 and deadlines.deadline(store, group.id) is None

    assert post("letters", to="all", text="Hail").status_code == 303
    assert post("letters", to="nobody", text="Hail again").status_code == 422
    assert post(of_ada, act="part").status_code == 303 and not people.people(store, group.id)


def test_the_form_of_a_page_needs_its_token_and_the_api_takes_no_form(app: Flask, group: Group):
    client = app.test_client()
    client.get(f"/join/{group.tokens['umpire']}")
    assert client.post(f"/g/{group.id}/group/deadline", data={"days": "4"}).status_code == 400
    held = {"Authorization": f"Bearer {group.tokens['umpire']}"}
    answer = client.put(f"/api/v1/games/{group.id}/deadline", data={"days": "4"}, headers=held)
    assert answer.status_code == 400 and "Send the body as JSON" in answer.json["error"]
