"""Whatever random play of any system brings stands on every page in words: no key, no id, nobody's name missing.

Each kind of moment (who is asked what, and what he may do) is looked at once as its own page, with a space and a card
tapped as the next command names them; the other pages of the war at its end. In Russian and Italian no English is left.
"""

from __future__ import annotations

import json
import random
import re
import tomllib
from functools import cache
from typing import Any

import pytest
from lxml import html

import data
from kit.lengths import ACTS_TOLD
from kit.wars import War
from tactical.kernel.dice import random_source
from tactical.kernel.protocol import Illegal, Offer
from tactical.kernel.random_play import fill
from webapp import create_app
from webapp.presenting.labels import place_names
from webapp.presenting.map.sheet import has_map
from webapp.storage.journal.store import Store, all_systems

STRATEGIC = [name for name in all_systems() if name != "galley"]
LEFT_OUT = frozenset(("resign", "agree", "end_game"))
SELDOM = re.compile(r"set_(?!order)|place$|remove$|move_by_hand|note|take_card|discard|arrange")
PAGES = ("log", "chronicle", "spaces", "hand", "register", "replay/1")
RAW = re.compile(
    r"\b[a-z]+_[a-z_]+\b|%\(|[{}]|\bNone\b|\bTrue\b|\bFalse\b|\b0 units\b"
    r"|\bnobody\b(?!'s|: stay| (else|tries|wins|holds|rules|is|intercepts))|(?<!to )\b1 (points|units|rounds|cards|ships|markers)\b"
)
ENGLISH = re.compile(
    r"\b(the|with|units?|loses|takes|tries|from|points?|card|battle|space|general|leader|power|army|fleet|turn|side|"
    r"into|your|walls|ships?|and|left|nobody|yes|none|placed|level|loyalty)\b",
    re.IGNORECASE,
)
WORDS = (
    "//text()[not(ancestor::script or ancestor::style or ancestor::textarea or ancestor::pre or ancestor::code)]"
    " | //@aria-label | //@title | //@placeholder"
)
OWN_WORDS = re.compile(r"navarch|Side di Panfilia|docs/running\.md|JSON|CSV|English|Italiano", re.IGNORECASE)


@cache
def names() -> re.Pattern[str]:
    """What has one name in every language: places, people, ships."""
    found = set(re.findall(r"[A-Z][\w' .]+", (data.ROOT / "linking/names.toml").read_text()))
    for system in filter(has_map, STRATEGIC):
        for feature in json.loads((data.ROOT / system / "map.geojson").read_text())["features"]:
            found |= {str(value) for value in feature["properties"].values() if isinstance(value, str)}
        leaders = data.ROOT / system / "leaders.toml"
        for rows in tomllib.loads(leaders.read_text()).values() if leaders.exists() else ():
            found |= {str(row["name"]) for row in rows if isinstance(row, dict) and "name" in row}
    return re.compile("|".join(re.escape(name) for name in sorted(found, key=len, reverse=True) if " " in name))


@cache
def english_names(language: str) -> re.Pattern[str]:
    """The names of places as the maps have them, where this language has another."""
    known = place_names(language)
    called = {*known.values()}
    found = sorted((name for name in known if known[name] != name and name not in called), key=len, reverse=True)
    return re.compile(rf"\b({'|'.join(map(re.escape, found))})(?!\w)")


@cache
def longer_names(language: str) -> re.Pattern[str]:
    """The names of several words that this language has as the maps do, though a part of one may be another's name."""
    found = sorted((name for name, own in place_names(language).items() if own == name and " " in name), reverse=True)
    return re.compile("|".join(map(re.escape, found)) or "(?!)")


@cache
def fleets() -> re.Pattern[str]:
    """Two ships and more by their names, which stay as they are, though a ship may be called as a place is."""
    found = re.findall(r"\"([A-Z][\w' .]+)\"", (data.ROOT / "linking/names.toml").read_text())
    ship = rf"(?:{'|'.join(map(re.escape, sorted(set(found), key=len, reverse=True)))})(?: \d+)?"
    return re.compile(rf"\b{ship}(?:, {ship})+\b")


@cache  # the pages of a war have most of their texts in common
def wrong(text: str, language: str) -> bool:
    """Is something raw in it, or English where it should not be?"""
    text = longer_names(language).sub("", OWN_WORDS.sub("", fleets().sub("", text)))
    if language != "en" and english_names(language).search(text):
        return True
    text = names().sub("", text)
    return bool(RAW.search(text)) or (language != "en" and bool(ENGLISH.search(text)))


def shown(page: Any) -> list[str]:
    """The texts that a page shows or reads aloud; what stands in a text field is the group's own."""
    found = html.document_fromstring(page.text).xpath(WORDS)
    return [text.strip() for text in found if text.strip()]


def about(offer: Offer, command: dict[str, Any]) -> str:
    """The address of the page on which the space and the card of a command have been tapped."""
    space = next((command[name] for name in ("space", "to", "at", "hex") if isinstance(command.get(name), str)), "")
    card = command.get("card", "")
    return (f"&space={space}" if space else "") + (f"&pick={card}" if isinstance(card, int) else "")


def asked(war: War, seat: str) -> str:
    """What the seat is asked, by kind."""
    view = war.page_view(seat)
    found = view.get("pending") or view.get("agenda") or ()
    raw = found if isinstance(found, dict) else found[-1] if found else {}
    return str(raw.get("kind", ""))


# In `make test` each system is played in one language: that every sentence is translated and keeps its gaps,
# test_translations holds, and that refusals do, test_refusals_told.
SPOKEN = {"hamilcar": "it", "hannibal": "ru", "open_campaign": "it", "punic_wars": "en", "sword_of_rome": "ru"}
PLAYED = [  # five powers have more to be asked
    *((system, SPOKEN.get(system, "en"), 60 if system == "sword_of_rome" else 40) for system in STRATEGIC),
    *(
        pytest.param(system, language, ACTS_TOLD, marks=pytest.mark.soak)
        for system in STRATEGIC
        for language in ("en", "ru", "it")
    ),
]


@pytest.mark.parametrize(("system", "language", "acts"), PLAYED)
def test_every_page_of_random_play_is_in_words(system, language, acts, tmp_path):
    seed = {"en": 5, "ru": 6, "it": 7}[language]
    chance = random.Random(seed)
    store = Store(tmp_path / "war.db", all_systems(), random_source(chance.randrange))
    app = create_app({"STORE": store, "TESTING": True, "WTF_CSRF_ENABLED": False})
    looked, raw = set(), set()
    with app.test_client() as client:
        for scenario in all_systems()[system].scenarios():
            war = War.__new__(War)
            war.store, war.client = store, client
            game, war.tokens = store.create(system, scenario=scenario.id)
            war.id = game.id
            for seat in war.tokens:
                war.join(seat)
            client.get(f"/?lang={language}")
            for _act in range(acts):
                table = store.load(war.id)
                seats = table.system.waiting_for(table.state)
                if table.game.over or not seats:
                    break
                seat = chance.choice(seats)
                offers = [one for one in table.system.offers(table.state, seat) if one.type not in LEFT_OUT]
                weights = [0.1 if SELDOM.match(one.type) else 1 for one in offers]
                command = fill(offer := chance.choices(offers, weights)[0], chance)
                moment = (seat, asked(war, seat), offer.type)
                if moment not in looked:
                    looked.add(moment)
                    raw |= {
                        text for text in shown(war.page(seat, query=about(offer, command))) if wrong(text, language)
                    }
                try:
                    store.submit(war.id, table.game.version, seat, command)
                except Illegal as refused:  # what play by hand allows, the position may not
                    raw |= {refused.reason} if not refused.reason else set()
            for page in PAGES:
                raw |= {text for text in shown(war.page("umpire", page)) if wrong(text, language)}
    assert len(looked) > (15 if system in SPOKEN else 3), "longer games, please"
    assert raw == set(), sorted(raw)[:60]
