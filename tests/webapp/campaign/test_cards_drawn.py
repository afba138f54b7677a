"""The cards of a hand: a drawing for what each does, and the whole text once it is tapped."""

from __future__ import annotations

import html
import re
from pathlib import Path

import pytest
from flask.testing import FlaskClient

import webapp
from kit.wars import War
from strategic.hannibal.tables import CARDS
from webapp.presenting import naming
from webapp.presenting.presentation import MARCH, PICTURES, picture_of
from webapp.storage.journal.store import Store
from webapp.systems import presentation

DRAWN = Path(webapp.__file__).parent / "pages/campaign/templates/campaign/_card_picture.html"


def test_7_every_kind_of_card_has_a_drawing_of_its_own():
    drawn = set(re.findall(r'kind == "(\w+)"', DRAWN.read_text()))
    assert drawn == set(PICTURES)
    assert len({id for ids in PICTURES.values() for id in ids}) == sum(len(ids) for ids in PICTURES.values())


def test_7_no_event_of_a_drawing_is_unknown():
    hamilcar = naming.cards("hamilcar").values()
    known = {card.event for card in CARDS.values()} | {
        str(card.get(key)) for card in hamilcar for key in ("event", "answer")
    }
    assert {id for ids in PICTURES.values() for id in ids} - known == set()
    assert picture_of("nothing") == MARCH


@pytest.mark.parametrize("system", ["hannibal", "hamilcar"])
def test_7_a_tapped_card_shows_its_whole_text(store: Store, client: FlaskClient, system: str):
    war = War(store, client, system)
    seat = "rome"
    held = [card for card in war.page_view(seat)["hands"][seat] if card]
    page = war.page(seat).text
    assert page.count('class="picture"') == len(held)
    number = next(card for card in held if naming.cards(system)[card].get("effect"))
    shown = html.unescape(war.page(seat, query=f"&pick={number}").text)
    panel = shown[shown.index('id="card-title"') : shown.index('id="hand"')]
    assert str(naming.cards(system)[number]["effect"]) in panel


def test_7_a_card_of_the_sword_of_rome_shows_as_many_companies_as_it_has_points(store: Store, client: FlaskClient):
    war = War(store, client, "sword_of_rome")
    seat = store.load(war.id).waiting_for[0]
    hand = presentation("sword_of_rome").hand(war.page_view(seat), seat)
    assert hand and all(card.picture == f"column_{card.number}" for card in hand)
    shown = war.page(seat).text.partition('id="hand"')[2]
    flags = [part.count('class="red"') for part in shown.split('class="picture"')[1:]]
    assert flags == [card.number for card in hand]
