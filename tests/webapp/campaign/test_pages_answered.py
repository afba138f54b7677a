"""What a trial of the campaign pages found poor, and what stands there now."""

from __future__ import annotations

import io
import re
from pathlib import Path
from typing import Any

import pytest
from flask.testing import FlaskClient

from kit.linked_sea import Sea
from kit.wars import War
from webapp.storage.journal.store import Store


@pytest.fixture
def sea(tmp_path: Path) -> Sea:
    return Sea(tmp_path / "sea.db")


def test_a2_when_both_want_to_report_the_report_comes_first(sea: Sea) -> None:
    sea.give("rome", type="choose_way", engagement="2.1", way="report", side="rome")
    assert "How is it settled?" in sea.page("carthage")
    sea.give("carthage", type="choose_way", engagement="2.1", way="report", side="carthage")
    for seat in ("rome", "carthage"):
        page = sea.fetch(seat)
        link = re.search(r'<a class="button main" [^>]*id="report-link"', page)
        assert link is not None and link.start() < page.index('id="ways"')
        assert "How is it settled?" not in sea.page(seat) and "Settle it in another way?" in sea.page(seat)


def test_a13_who_opens_the_battle_is_told_that_it_holds_for_both(sea: Sea) -> None:
    for seat in ("rome", "carthage"):
        sea.give(seat, type="choose_way", engagement="2.1", way="battle", side=seat)
    for seat in ("rome", "carthage"):
        assert "The player who opens the battle decides this for both sides." in sea.page(seat)


@pytest.mark.parametrize(("lang", "power"), [("en", "Etruscans and Samnites"), ("ru", "Этруски и самниты")])
def test_a14_seats_have_their_names_and_a_link_is_copied(client: FlaskClient, store: Store, lang: str, power: str):
    war = War(store, client, "sword_of_rome")
    client.get(f"/?lang={lang}")
    page = client.get(f"/seats/{war.id}").text
    assert f"<h2>{power}</h2>" in page and "etruscans_samnites</" not in page
    form = {"csrf_token": war.csrf(), "seat": "romans", "act": "reissue"}
    given = client.post(f"/seats/{war.id}", data=form, follow_redirects=True).text
    (copied,) = re.findall(r'data-copy="([^"]+)"', given)
    assert client.get(copied.replace("http://localhost", "")).status_code == 302


def test_a17_a_file_that_is_no_game_is_refused_in_words(war: War) -> None:
    sent = {"csrf_token": war.csrf(), "file": (io.BytesIO(b'{"other": 1}'), "war.json")}
    refused = war.client.post("/organizer/import", data=sent)
    assert refused.status_code == 422
    assert "this file is not a saved game of this program" in refused.text


def test_s5_seats_and_links_are_one_tap_from_the_umpires_page_and_from_the_organizers(war: War) -> None:
    address = f'href="/g/{war.id}/seats?seat=umpire"'
    assert address in war.page("umpire").text and address in war.client.get("/organizer").text
    assert "/seats?seat=" not in war.page("rome").text


def test_s9_what_is_set_by_hand_is_told_once_and_in_words(client: FlaskClient, store: Store) -> None:
    war = War(store, client, "sword_of_rome")

    def give(**command: Any) -> None:
        store.submit(war.id, war.version, "umpire", command)

    give(type="set_siege", space="roma", level=2)
    give(type="set_alliance", power="gauls", other="etruscans", allied=True)
    for lang, siege in (("en", "Set by hand: the siege of Roma stands at 2."), ("ru", "Вручную: осада")):
        client.get(f"/?lang={lang}")
        text = re.sub(r"\s+", " ", re.sub(r"<[^>]+>", " ", war.page("umpire", "log").text))
        assert siege in text
        assert "Level 2" not in text and "Allied" not in text and "Уровень 2" not in text
