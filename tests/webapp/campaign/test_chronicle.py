"""The chronicle read aloud: a paragraph, a map, the battles of each turn, by what a seat knows; paper, feed, public page."""

from __future__ import annotations

import html
import re
import xml.etree.ElementTree as tree
from typing import Any

import pytest
from flask import Flask
from flask.testing import FlaskClient
from test_campaign_replay import played

from strategic import SYSTEMS
from tactical.kernel.protocol import Event
from tactical.kernel.record import encode
from webapp.api.serializers import events_for
from webapp.pages.campaign import chronicle as chronicles
from webapp.pages.campaign.chronicle import Chapter, chapters, is_told
from webapp.post import deadlines, people
from webapp.post.deadlines import Deadline
from webapp.storage.journal.store import Store, link_battle
from webapp.storage.services import archive

from kit.wars import War  # isort: skip

ATOM = "{http://www.w3.org/2005/Atom}"


def told(war: War, seat: str, lang: str = "en") -> tuple[Chapter, ...]:
    with war.client.application.test_request_context(f"/?lang={lang}"):
        return chapters(war.store, war.store.load(war.id), seat)


@pytest.mark.parametrize("system", SYSTEMS)
@pytest.mark.parametrize("lang", ["en", "it", "ru"])
def test_each_turn_is_a_paragraph_of_whole_sentences(store: Store, client: FlaskClient, system: str, lang: str) -> None:
    war = War(store, client, system)
    played(war, 60)
    chapters = told(war, "spectator", lang)
    assert chapters
    for chapter in chapters:
        assert all(sentence.rstrip("»)”")[-1] in ".!?" for sentence in chapter.sentences), chapter.sentences
        assert chapter.paragraph == " ".join(chapter.sentences)
        assert all(a != b for a, b in zip(chapter.sentences, chapter.sentences[1:], strict=False))
        assert "_" not in chapter.paragraph
        assert lang != "ru" or not chapter.sentences or re.search("[а-я]", chapter.paragraph)
        assert 0 <= chapter.first <= chapter.entry <= war.version and chapter.time
    firsts = [chapter.first for chapter in chapters]
    assert firsts == sorted(firsts)
    late = [
        event for entry in store.entries(war.id, chapters[-1].entry) for event in events_for(entry.events, "spectator")
    ]
    assert not any(is_told(system, event) for event in late), "only a turn of which nothing is told yet has no chapter"


def test_the_page_has_paragraphs_and_maps_and_no_secret(war: War) -> None:
    played(war, 40)
    page = war.page("rome", "chronicle").text
    assert page.count('class="told-aloud"') == len(told(war, "rome"))
    pictures = re.findall(r'<img src="([^"]+)"', page)
    assert len(pictures) == sum(bool(chapter.entry) for chapter in told(war, "rome"))
    for address in pictures:
        answer = war.client.get(html.unescape(address))
        assert answer.status_code == 200 and answer.mimetype == "image/svg+xml"
        root = tree.fromstring(answer.text)
        assert root.tag.endswith("svg") and root.attrib["data-scheme"] == "day"
        assert root.findall(".//{*}style") and root.findall(".//{*}text")
        assert "script" not in {each.tag.rpartition("}")[2] for each in root.iter()}
    assert war.page("rome", f"chronicle/{war.version + 1}.svg").status_code == 404


def test_the_map_is_the_one_of_that_entry_and_seat(war: War) -> None:
    before = war.page("rome", "chronicle/0.svg").text
    war.post("umpire", "adjust", path="spaces.rome.rome.units", value="17", why="for the test")
    after = war.page("rome", "chronicle/1.svg").text
    assert ">17<" not in before and ">17" in after and war.page("rome", "chronicle/0.svg").text == before


def test_a_seat_is_told_no_more_than_it_may_know(war: War) -> None:
    secret, open_ = Event("9", "adjusted", {"x": 1}, ("carthage",)), Event("9", "adjusted", {"x": 2})
    entry = war.store.entry(war.id, 0)
    with war.store.write() as db:
        db.conn.execute(
            "update entries set events = ? where game = ? and number = 0", (encode((secret, open_)).decode(), war.id)
        )
    assert entry.number == 0
    assert len(" ".join(each.paragraph for each in told(war, "rome"))) > 0
    mine, theirs = (sum(len(each.sentences) for each in told(war, seat)) for seat in ("carthage", "rome"))
    assert (mine, theirs) == (2, 1)


def test_what_the_server_marks_is_not_told() -> None:
    assert not chronicles.is_told("hannibal", {"rule": "", "type": "acted", "name": "Ada"})


def test_the_steps_of_a_march_are_told_as_one(app: Flask) -> None:
    step = {
        "rule": "movement.land.1",
        "type": "stepped",
        "side": "carthage",
        "general": "hannibal",
        "companions": [],
        "units": 8,
        "elephants": 0,
        "kind": "road",
    }
    with app.test_request_context():
        chapter = Chapter("1")
        for start, to in (("saguntum", "laminium"), ("laminium", "salaria"), ("salaria", "corduba")):
            chapter.tell("hannibal", {**step, "start": start, "to": to})
        assert len(chapter.sentences) == 1
        assert "from Saguntum to Corduba" in chapter.paragraph
        chapter.tell("hannibal", {**step, "start": "corduba", "to": "hispalis", "units": 5})
        assert len(chapter.sentences) == 2, "an army that has left units behind is told of anew"
        chapter.tell("hannibal", {**step, "start": "gades", "to": "hispalis", "units": 5})
        chapter.tell("hannibal", {**step, "start": "hispalis", "to": "gades", "units": 5})
        assert len(chapter.sentences) == 4, "nobody goes from Gades to Gades"
        chapter.tell("hannibal", {**step, "start": "hispalis", "to": "gades", "units": 5})
        assert len(chapter.sentences) == 4, "what was just said is not said again"


def test_battles_on_the_table_are_linked_where_they_were_fought(war: War) -> None:
    battle, _ = war.store.create("galley", "mylae", title="Off Lipara <b>")
    link_battle(war.store, battle.id, war.id, "e1")
    event = Event("L1.4", "battle", {"game": battle.id})
    with war.store.write() as db:
        db.conn.execute(
            "update entries set events = ? where game = ? and number = 0", (encode((event,)).decode(), war.id)
        )
    page = war.page("rome", "chronicle").text
    assert f'href="/g/{battle.id}?seat=rome"' in page and "Off Lipara &lt;b&gt;" in page and "Lipara <b>" not in page
    war.store.delete(battle.id)
    assert war.page("rome", "chronicle").status_code == 200


# The feed ----------------------------------------------------------------------------------------------


def feed_address(war: War, seat: str) -> str:
    found = re.search(r'type="application/atom\+xml"[^>]* href="([^"]+)"', war.page(seat, "chronicle").text)
    assert found
    return html.unescape(found[1])


def test_the_feed_is_atom_by_its_own_key_without_a_seat(war: War, app: Flask) -> None:
    played(war, 30)
    war.post("rome", "chronicle", text="We <b>cross</b> & conquer.", seen_by="side")
    address = feed_address(war, "rome")
    stranger = app.test_client()
    answer = stranger.get(address)
    assert answer.status_code == 200 and answer.mimetype == "application/atom+xml"
    root = tree.fromstring(answer.text)
    assert root.tag == f"{ATOM}feed"
    entries = root.findall(f"{ATOM}entry")
    chapters = told(war, "rome")
    assert len(entries) == len(chapters)
    for entry, chapter in zip(entries, reversed(chapters), strict=True):
        content = entry.find(f"{ATOM}content")
        assert content is not None and content.attrib["type"] == "html"
        assert chapter.paragraph[:40] in html.unescape(content.text or "")
        for name in ("id", "title", "updated", "link"):
            assert entry.find(f"{ATOM}{name}") is not None
    assert len({entry.findtext(f"{ATOM}id") for entry in entries}) == len(entries)
    assert "We &lt;b&gt;cross" in (entries[0].findtext(f"{ATOM}content") or "") + (
        entries[-1].findtext(f"{ATOM}content") or ""
    )
    assert war.tokens["rome"] not in address + answer.text
    theirs = stranger.get(feed_address(war, "carthage")).text
    assert "conquer" not in theirs


def test_a_feeds_key_is_its_seats_own_and_ends_with_its_link(war: War, app: Flask) -> None:
    address = feed_address(war, "rome")
    stranger = app.test_client()
    assert stranger.get(address.replace("/rome/", "/carthage/")).status_code == 404
    assert stranger.get(address.replace("/rome/", "/nobody/")).status_code == 404
    assert stranger.get(re.sub(r"[0-9a-f]{40}", "0" * 40, address)).status_code == 404
    assert stranger.get(f"/g/{war.id}").status_code == 401, "it gives no seat"
    war.store.reissue(war.id, "rome")
    assert stranger.get(address).status_code == 404


# The public page ---------------------------------------------------------------------------------------

WHERE = ("", "/chronicle", "/chronicle?paper=a4", "/journal", "/feed.atom", "/map/0.svg")


def test_a_public_page_is_there_only_while_the_umpire_shows_it(war: War, app: Flask) -> None:
    stranger = app.test_client()
    assert {stranger.get(f"/public/{war.id}{what}").status_code for what in WHERE} == {404}
    seats = war.client.get(f"/seats/{war.id}").text
    assert "Open the public page" in seats and f"/public/{war.id}" not in seats
    sent = {"csrf_token": war.csrf(), "game": war.id, "act": "publish", "back": "seats"}
    answer = war.client.post("/organizer/keep", data=sent)
    assert answer.headers["Location"] == f"/seats/{war.id}#public"
    seats = war.client.get(f"/seats/{war.id}").text
    assert f'href="/public/{war.id}"' in seats and "Close the public page" in seats
    for what in WHERE:
        shown = stranger.get(f"/public/{war.id}{what}")
        assert shown.status_code == 200 and shown.headers["X-Robots-Tag"] == "noindex, nofollow", what
    war.client.post("/organizer/keep", data={**sent, "act": "hide"})
    assert {stranger.get(f"/public/{war.id}{what}").status_code for what in WHERE} == {404}
    assert [act.act for act in archive.acts(war.store, war.id)] == ["publish", "hide"]


def test_only_the_umpire_opens_it(war: War, app: Flask) -> None:
    for seat in ("rome", "spectator"):
        headers = {"Authorization": f"Bearer {war.tokens[seat]}"}
        answer = app.test_client().post(f"/api/v1/games/{war.id}/keeping", json={"act": "publish"}, headers=headers)
        assert answer.status_code == 403
    assert not war.store.game(war.id).is_public


def test_the_public_pages_tell_what_a_spectator_knows_and_can_command_nothing(war: War, app: Flask) -> None:
    played(war, 12)
    war.post("rome", "chronicle", text="Only ours: to Africa.", seen_by="side")
    war.store.name_seat(war.id, "rome", "Anna <b>")
    new = people.Newcomer("carthage", "Dido", "dido@club.example", "player", "", "en", "")
    people.invite(war.store, war.id, new)
    deadlines.keep(war.store, war.id, Deadline(days=3))
    archive.perform(war.store, war.id, "publish", "umpire")
    stranger = app.test_client()
    texts = [stranger.get(f"/public/{war.id}{what}").text for what in WHERE]
    whole = "".join(texts)
    assert "Only ours" not in whole and "dido@club.example" not in whole
    assert not any(token in whole for token in war.tokens.values())
    page = texts[0]
    assert "Anna &lt;b&gt;" in page and "Anna <b>" not in page and "Dido" in page and "until" in page
    main: Any = page.partition("<main")[2]
    assert "<form" not in main and 'id="map"' in main and "data-space" not in main
    assert stranger.post(f"/public/{war.id}").status_code == 405
    assert stranger.get(f"/g/{war.id}").status_code == 401
    spectators = war.page("spectator", "chronicle").text
    for paragraph in re.findall(r'<p class="told-aloud">(.*?)</p>', texts[1]):
        assert paragraph in spectators
    assert texts[3].count("<article") == war.version + 1


def test_older_entries_of_a_long_journal_are_led_to(war: War, app: Flask) -> None:
    for units in range(120):
        war.store.submit(
            war.id,
            units,
            "umpire",
            {"type": "adjust", "changes": {"spaces.rome.rome.units": 3 + units % 2}, "why": "x"},
        )
    archive.perform(war.store, war.id, "publish", "umpire")
    stranger = app.test_client()
    first = stranger.get(f"/public/{war.id}/journal").text
    assert 'id="entry-120"' in first and 'id="entry-21"' in first and 'id="entry-20"' not in first
    older = re.search(r'href="([^"]+before=21)"', first)
    assert older
    rest = stranger.get(older[1]).text
    assert 'id="entry-20"' in rest and 'id="entry-0"' in rest and 'id="entry-21"' not in rest
    assert "Older entries" not in rest
    assert stranger.get(f"/public/{war.id}/journal?before=x").status_code == 200


def test_strangers_ask_for_it_only_so_often(war: War) -> None:
    archive.perform(war.store, war.id, "publish", "umpire")
    from_here = war.client.application.extensions["navarch"].limits["public"]
    for _ in range(from_here.most):
        from_here.take("127.0.0.1")
    assert war.client.get(f"/public/{war.id}").status_code == 429
