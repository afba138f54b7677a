"""The one sentence of a campaign: who must do what at which place, since when (docs/design.md, The pages)."""

from __future__ import annotations

import html
import random
import re

import pytest
from flask import Flask
from flask.testing import FlaskClient
from flask_babel import force_locale

from firsts.finding import firsts
from kit.commands_of import picked
from kit.wars import War
from strategic import SYSTEMS
from tactical.kernel.protocol import UMPIRE
from tactical.kernel.record import plain
from webapp.post import deadlines
from webapp.post.deadlines import turn_sentence
from webapp.storage.journal.store import Store, all_systems

STRATEGIC = [name for name in all_systems() if name != "galley"]
LANGUAGES = ("en", "it", "ru")
STEPS = 70
ENDS = ("resign", "agree")


def play(war: War, store: Store, chance: random.Random) -> bool:
    """One random act of a seat that the game waits for; False when there is none."""
    table = store.load(war.id)
    for seat in table.waiting_for:
        offers = [one for one in table.offers(seat) if one.type not in ENDS]
        if offers:
            store.submit(war.id, table.game.version, seat, chance.choice(picked(chance.choice(offers), 1, chance)))
            return True
    return False


@pytest.mark.parametrize("system", STRATEGIC)
def test_s1_s2_s3_over_random_play_it_is_one_sentence_without_ids_or_you(
    app: Flask, store: Store, client: FlaskClient, system: str
):
    war, chance = War(store, client, system), random.Random(11)
    names = {*all_systems()[system].prompts, *store.load(war.id).sides} - {"rome", "carthage"}
    ids = re.compile("|".join(rf"\b{re.escape(name)}\b" for name in sorted(names) if "_" in name) or "$^")
    for _step in range(STEPS):
        table = store.load(war.id)
        if not table.waiting_for:
            break
        for language in LANGUAGES:
            with app.test_request_context(), force_locale(language):
                said = turn_sentence(store, table)
                own = turn_sentence(store, table, said.seats[0])
            assert said.text.endswith(".") and "%(" not in said.text and not ids.search(said.text), said.text
            assert said.seats and own.is_own and not said.is_own
            if language == "en":
                assert not re.search(r"\b(you|your|tap|choose a ringed)\b", said.text), said.text
                assert re.search(r"\byou must\b", own.text)
        if not play(war, store, chance):
            break


def test_s1_page_television_mail_list_and_api_say_the_same(war: War, store: Store, app: Flask, client: FlaskClient):
    with app.test_request_context(), force_locale("en"):
        said = turn_sentence(store, store.load(war.id)).text
    assert said.startswith("Rome must ")
    other = html.unescape(war.page("carthage").text)
    assert re.search(r'id="sentence"[^>]*>(?:<[^>]*>|\s)*' + re.escape(said), other)
    assert said in html.unescape(client.get(f"/display/{war.id}").text)
    told = client.get(f"/api/v1/games/{war.id}/deadline", headers={"Authorization": f"Bearer {war.tokens['carthage']}"})
    assert told.json is not None and told.json["waits"][0]["sentence"] == said
    assert said in html.unescape(client.get("/organizer").text)


def test_s1_by_post_the_deadline_takes_the_place_of_since(war: War, store: Store, app: Flask):
    rule = deadlines.rule_of({"days": 2, "zone": "Europe/Rome"}, None)
    deadlines.keep(store, war.id, rule)
    with app.test_request_context(), force_locale("en"):
        said = turn_sentence(store, store.load(war.id)).text
    assert re.search(r", by \w+, \d\d:\d\d \(Europe/Rome\)\.$", said), said


def test_s1_in_hannibal_too_a_meeting_at_sea_is_the_question(store: Store, client: FlaskClient):
    met = next(state for state in firsts("hannibal") if state.engagement)
    war = War(store, client, "hannibal", position=plain(SYSTEMS["hannibal"].view(met, UMPIRE)))
    for seat in ("rome", "carthage"):
        page = war.page(seat).text
        assert "you must say how the meeting at sea is settled at" in page and "Move the army" not in page
