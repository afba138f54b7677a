"""The page of a campaign: offers as forms, commands, refusals, undo, dice, and what each seat may see."""

from __future__ import annotations

import html
import json
import re

import pytest

from kit.wars import War
from tactical.kernel.protocol import Offer
from webapp.pages.campaign import offers as campaign_offers
from webapp.presenting.campaign_labels import command_title
from webapp.presenting.map.sheet import has_map, sheet
from webapp.storage.journal.store import all_systems
from webapp.systems import presentation

STRATEGIC = [name for name in all_systems() if name != "galley"]


def ready(page: str) -> list[dict]:
    """The commands of the page's buttons and lists."""
    raw = re.findall(r'(?:name="command" value|<option value)="([^"]*)"', page)
    found = [json.loads(html.unescape(text)) for text in raw]
    return [command for command in found if isinstance(command, dict)]


@pytest.mark.parametrize("system", STRATEGIC)
def test_every_system_has_a_page_for_every_seat(store, client, system):
    war = War(store, client, system)
    for seat in war.tokens:
        page = war.page(seat)
        assert page.status_code == 200
        assert ('id="map"' in page.text) == has_map(system)


@pytest.mark.parametrize("system", [name for name in STRATEGIC if not presentation(name).elsewhere])
def test_every_ready_answer_of_the_page_is_taken(store, client, system):
    """What stands on a button is a whole command that the engine accepts."""
    war = War(store, client, system)
    table = store.load(war.id)
    seat = table.system.waiting_for(table.state)[0]
    commands = [command for command in ready(war.page(seat).text) if command["type"] not in ("resign", "agree")]
    answer = war.post(seat, "command", command=json.dumps(commands[0]))
    assert answer.status_code == 303
    assert war.version == 1


@pytest.mark.parametrize(
    "system, said",
    [
        ("hannibal", ("Turn 1 of 9", "Provinces that count:")),
        ("hamilcar", ("Turn 1 of",)),
        ("sword_of_rome", ("Turn 1 of",)),
    ],
)
def test_the_maps_cartouche_says_which_turn_of_how_many_it_is_and_what_is_counted(store, client, system, said):
    war = War(store, client, system)
    page = war.page(next(iter(war.tokens))).text
    corner = re.search(r'id="cartouche"[^>]*>.*?</div>', page, re.S)
    assert corner is not None and all(each in corner[0] for each in said)
    assert corner[0].count('class="now"') == 1
    if system == "hannibal":
        assert len(re.findall(r"(?:Rome|Carthage) \d+</b>", corner[0])) == 2


def test_an_offer_with_few_choices_becomes_ready_answers_and_one_with_numbers_a_form():
    offers = [
        Offer("retreat", "retreat.1", {"to": ["rome", "capua"]}),
        Offer("step", "movement.land.1", {"to": ["rome", "capua"], "units": {"from": 1, "to": 5}, "companions": [[]]}),
    ]
    retreat, step = campaign_offers.groups("hannibal", offers)
    assert [json.loads(one.command) for one in retreat.ready] == [
        {"type": "retreat", "to": "rome"},
        {"type": "retreat", "to": "capua"},
    ]
    assert [one.text for one in retreat.ready] == ["Rome", "Capua"]
    kinds = {control.name: control.kind for control in step.asks[0].controls}
    assert kinds == {"to": "choice", "units": "number", "companions": "fixed"}


def test_a_tapped_space_narrows_the_offers_to_itself():
    offers = [Offer("put", "x", {"space": ["rome", "capua"]}), Offer("done", "y"), Offer("step", "z", {"to": "rome"})]
    here = campaign_offers.narrow("hannibal", offers, "capua")
    assert [(offer.type, offer.fields) for offer in here] == [("put", {"space": "capua"})]


def test_the_side_panel_shows_what_stands_in_a_space(war):
    page = war.page("rome", query="&space=saguntum").text
    assert "Saguntum" in page and "Hannibal" in page and "Mago" in page
    assert "held by Carthage" in page


def test_a_stale_command_is_refused_and_the_table_is_fresh(war):
    command = ready(war.page("rome").text)[0]
    war.post("rome", "command", command=json.dumps(command))
    again = war.post("rome", "command", command=json.dumps(command), seen="0")
    assert again.status_code == 409
    assert "moved on" in again.text and 'name="seen" value="1"' in again.text


def test_a_refusal_shows_its_sentence_and_its_rule_and_changes_nothing(war):
    answer = war.post("rome", "command", command=json.dumps({"type": "halt"}))
    assert answer.status_code == 422
    assert 'role="alert"' in answer.text and "/reference/hannibal/" in answer.text
    assert war.version == 0


def test_a_misspelt_field_is_named(war):
    answer = war.post("rome", "command", command=json.dumps({"type": "open", "kard": 5}))
    assert answer.status_code == 422
    assert "kard" in answer.text.lower()


def test_a_spectator_sees_no_hand_and_no_offers(war):
    page = war.page("spectator").text
    assert "playable" not in page and 'name="command"' not in page


def test_nobody_reads_the_others_hand(war):
    hands = war.state.hands
    titles = {card for card in hands["carthage"] if card not in hands["rome"]}
    from webapp.presenting.naming import cards

    page = html.unescape(war.page("rome").text)
    mine = html.unescape(war.page("carthage").text)
    only = [cards("hannibal")[number]["effect"] for number in titles]
    shared = {cards("hannibal")[number]["effect"] for number in hands["rome"]}
    secret = [effect for effect in only if effect not in shared]
    assert secret and all(effect in mine for effect in secret)
    assert not any(effect in page for effect in secret)


def test_undo_says_why_it_is_barred(war):
    command = ready(war.page("rome").text)[0]
    war.post("rome", "command", command=json.dumps(command))
    page = war.page("carthage").text
    assert "I agree to take it back" in page
    answer = war.post("carthage", "undo")
    assert answer.status_code == 422 and war.version == 1


def test_both_sides_together_take_an_act_back(war):
    while war.store.entry(war.id, war.version).seat != "carthage":
        table = war.store.load(war.id)
        seat = table.system.waiting_for(table.state)[0]
        commands = ready(war.page(seat).text) or ready(war.page(seat, query=f"&pick={table.state.hands[seat][0]}").text)
        war.post(seat, "command", command=json.dumps([each for each in commands if each["type"] != "resign"][-1]))
    before = war.version
    assert war.post("rome", "undo").status_code == 422
    assert war.post("rome", "undo", consent="1").status_code == 303
    assert war.version == before
    with war.client.application.test_request_context():
        act = command_title("hannibal", war.store.entry(war.id, before).command["type"])
    asked, waits, umpire = (war.page(seat).text for seat in ("carthage", "rome", "umpire"))
    for page, said, buttons in (
        (asked, "Rome asks to take back “%s”: agree or refuse.", {"consent", "refuse"}),
        (waits, "Rome asks to take back “%s”. An answer is still missing from: Carthage.", {"refuse"}),
        (umpire, "Rome asks to take back “%s”. An answer is still missing from: Carthage.", {"consent", "refuse"}),
    ):
        note = page[page.index('id="take-back"') :].partition("</form>")[0]
        assert html.unescape(note).count(said % act) == 1
        assert said % act in html.unescape(page[page.index('id="sentence"') :].partition("</p>")[0])
        assert set(re.findall(r'name="(consent|refuse)" value="1"', note)) == buttons
    assert said % act in html.unescape(war.page("spectator").text)
    assert war.post("carthage", "undo", refuse="1").status_code == 303
    assert "Carthage has refused to take back" in war.page("rome").text
    assert 'id="take-back"' in war.page("carthage").text and war.version == before
    war.post("rome", "undo", consent="1")
    assert war.post("carthage", "undo", consent="1").status_code == 303
    assert war.version == before + 1
    assert "struck-entry" in war.page("rome", "log").text


def test_a_stranger_is_told_how_to_get_a_seat(war, app):
    with app.test_client() as stranger:
        assert stranger.get(f"/g/{war.id}").status_code == 401
        assert stranger.get(f"/campaign/{war.id}/spaces").status_code == 401


def test_the_journal_links_every_paragraph(war):
    war.post("rome", "command", command=json.dumps(ready(war.page("rome").text)[0]))
    log = war.page("rome", "log").text
    assert 'href="/reference/hannibal/strategy.' in log


def test_the_map_as_text_says_what_the_picture_shows(war):
    text = war.page("rome", "spaces").text
    row = re.search(r'id="space-saguntum".*?</tr>', text, re.S)[0]
    assert "Carthage" in row and "Hannibal" in row and "10 (2 elephants)" in row


def test_the_ground_is_drawn_once_for_all_pages(war, monkeypatch):
    """The ground is made once: a second page holds the very same drawing."""
    from webapp.presenting.map import sheet as map_svg

    ground = str(map_svg.ground(sheet("hannibal")))
    monkeypatch.setattr(map_svg, "earth", None)  # nothing is drawn any more
    for seat in ("rome", "carthage", "spectator"):
        assert ground in war.page(seat).text
