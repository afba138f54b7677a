"""What a second trial of the campaign pages found dangerous or untrue."""

from __future__ import annotations

import html
import json
import re
from datetime import UTC, datetime

import pytest
from flask.testing import FlaskClient
from flask_babel import force_locale

from kit.wars import War
from tactical.kernel.protocol import Offer
from webapp.pages.campaign import offers as campaign_offers
from webapp.pages.campaign.offers import warning
from webapp.pages.lobby import options_of
from webapp.post import deadlines, people
from webapp.post.deadlines import said_until
from webapp.post.mail import until_lines
from webapp.presenting.map.sheet import sheet
from webapp.storage.journal.store import Store, all_systems
from webapp.storage.services import archive
from webapp.systems import presentation

STRATEGIC = [name for name in all_systems() if name != "galley"]


def place_of(page: str) -> str:
    """The part of a page that is about the tapped space."""
    return page[page.index('class="part place"') : page.index('id="facts-title"')].partition('id="all-offers"')[0]


@pytest.mark.parametrize("seat", ["rome", "carthage", "umpire"])
@pytest.mark.parametrize("space", ["rome", "carthage"])
def test_a_capital_does_not_offer_to_end_the_war_of_the_side_of_its_name(war: War, seat: str, space: str):
    page = war.page(seat, query=f"&space={space}").text
    assert "resign" not in html.unescape(place_of(page))


def test_a_side_is_not_the_space_of_its_name():
    offers = [
        Offer("first_player", "strategy.2", {"side": ["rome", "carthage"]}),
        Offer("put", "x", {"space": ["rome", "capua"]}),
    ]
    assert [one.type for one in campaign_offers.narrow("hannibal", offers, "rome")] == ["put"]
    assert campaign_offers.ids_in(offers) == {"rome", "capua"}
    assert campaign_offers.ids_in(offers[:1]) == frozenset()


@pytest.mark.parametrize("system", STRATEGIC)
def test_what_ends_a_war_is_asked_twice_and_never_stands_out(store: Store, client: FlaskClient, system: str):
    war = War(store, client, system)
    page = war.page(store.load(war.id).waiting_for[0]).text
    buttons = re.findall(r'<button name="command" value="([^"]*)" class="([^"]*)"', page)
    grave = [(each, look) for each, look in buttons if warning(system, json.loads(html.unescape(each))["type"])]
    assert grave and all(look == "danger" for _each, look in grave)
    for each, _look in grave:
        asked = page[: page.index(f'value="{each}"')].rpartition('<details class="twice"')[2]
        assert "<summary" in asked and "</details>" not in asked


def test_a_lost_battle_is_asked_twice_and_stands_after_its_answers():
    offers = [Offer("concede", "round.2"), Offer("match", "round.2", {"card": ["probe", "reserve"]})]
    groups = campaign_offers.groups("hannibal", offers)
    assert [group.type for group in groups] == ["match", "concede"]
    assert groups[1].warning and not any(group.main for group in groups)


def test_no_stands_after_yes_and_does_not_stand_out_beside_it():
    offers = [Offer("end_action", "5"), Offer("halt", "9.2"), Offer("step", "9.2", {"to": "roma"})]
    groups = campaign_offers.groups("sword_of_rome", offers)
    assert [(group.type, group.main) for group in groups] == [("step", True), ("end_action", False), ("halt", False)]
    assert campaign_offers.groups("sword_of_rome", offers[:1])[0].main


@pytest.mark.parametrize("system", STRATEGIC)
def test_the_panel_says_who_won(store: Store, client: FlaskClient, system: str):
    war = War(store, client, system)
    first, *others = war.store.load(war.id).sides
    for side in [first] if len(others) == 1 else others:
        answer = war.post(side, "command", command=json.dumps({"type": "resign", "side": side}))
        assert answer.status_code == 303, answer.text
    ending = re.search(r'id="ending">(.*?)</div>', war.page(first).text, re.S)
    assert ending is not None and re.search("The war is over| wins", ending[1])


def test_an_amount_begins_with_nothing_and_a_force_with_all_of_it():
    bid, step = campaign_offers.groups(
        "punic_wars",
        [
            Offer("bid", "16.11", {"side": "rome", "points": {"from": 0, "to": 23}}),
            Offer("take", "5.13", {"leader": "hannibal", "land": {"from": 0, "to": 7}, "naval": 0}),
        ],
    )
    numbers = {one.name: one.begin for group in (bid, step) for one in group.asks[0].controls if one.kind == "number"}
    assert numbers == {"points": None, "land": 7}
    (retreat,) = campaign_offers.groups("hannibal", [Offer("retreat", "x", {"units_inside": {"from": 0, "to": 3}})])
    assert retreat.asks[0].controls[0].begin == 0
    (pencil,) = campaign_offers.groups("sword_of_rome", [Offer("remove", "5.5", {"units": {"from": 1, "to": 3}})])
    assert pencil.asks[0].controls[0].begin is None


@pytest.fixture
def italy(store: Store, client: FlaskClient) -> War:
    """Five powers: the Gauls begin, with cards of which some are worth the same."""
    return War(store, client, "sword_of_rome")


def test_after_a_command_no_card_is_picked_and_the_march_is_offered_with_a_banner(italy: War):
    points = italy.state.hands["gauls"][0]
    query = f"&space=luna&pick={points}"
    sent = {"type": "activate", "card": points, "leader": "minor_gauls_b", "units": 5}
    done = italy.client.post(
        f"/g/{italy.id}/command?seat=gauls{query}",
        data={"csrf_token": italy.csrf(), "seen": "0", "command": json.dumps(sent)},
        headers={"HX-Request": "true"},
    ).text
    assert 'data-pick=""' in done and 'data-space=""' in done
    assert 'id="place-title"' not in done
    assert "Gallic leader B with 5 CUs. Points left:" in done and "Tap a number on the map" in done
    assert re.search(r'data-mark="pisae" class="[^"]*\bhot\b', done)
    others = italy.page("romans").text
    assert "Gallic leader B with 5 CUs at Luna" in others and "Tap a number" not in others


def test_what_is_done_by_hand_lies_in_one_fold(italy: War):
    for query in ("", "&space=luna", f"&pick={italy.state.hands['gauls'][0]}"):
        page = italy.page("gauls", query=query).text
        folds = re.split(r'<details class="aside-offer" id="\w+-by-hand">', page)
        assert len(folds) - 1 == len(re.findall("By hand, as your copy of the rules says", page)) <= 2
        assert 'value="set_' not in folds[0] and '"set_' not in html.unescape(folds[0])
    assert '"take_card"' not in html.unescape(page[page.index('id="card-title"') :].partition('id="all-offers"')[0])


def test_who_waits_is_not_told_to_tap_nor_that_nothing_is_lost(store: Store, client: FlaskClient):
    about = {"kind": "losses", "seat": "rome", "rule": "11.13"}
    with client.application.test_request_context(), force_locale("en"):
        how = presentation("punic_wars")
        known = how.asked({"pending": {**about, "about": {"points": 2, "cause": "combat"}}})
        unknown = how.asked({"pending": about})
    assert known is not None and unknown is not None
    assert "2 points must be lost." in known.text and "must be lost" not in unknown.text


@pytest.fixture
def set_up(store: Store, client: FlaskClient) -> War:
    """The Second Punic War, before anybody has deployed."""
    return War(store, client, "punic_wars", scenario="2")


def own_box(war: War, seat: str) -> tuple[float, ...]:
    """The first view of the map that a seat gets."""
    found = re.search(r'data-play="([^"]*)"', war.page(seat).text)
    assert found is not None
    return tuple(map(float, found[1].split()))


@pytest.mark.parametrize("seat", ["carthage", "rome"])
def test_the_first_view_of_a_set_up_fits_the_seats_own_ground(set_up: War, seat: str):
    spots = sheet("punic_wars").spots
    x, y, wide, high = own_box(set_up, seat)
    grounds = {group["where"] for group in set_up.page_view(seat)["groups"]}
    assert grounds
    own = [spot for spot in spots.values() if spot.province in grounds or spot.id in grounds]
    assert all(x < spot.x < x + wide and y < spot.y < y + high for spot in own)
    everybodys = own_box(set_up, "umpire")
    assert wide * high < everybodys[2] * everybodys[3]


@pytest.mark.parametrize("seat", ["carthage", "rome", "umpire"])
def test_what_is_still_to_place_is_a_list_and_a_group_lights_its_ground(set_up: War, seat: str):
    groups = set_up.page_view(seat)
    groups = (groups.get("view") or groups)["groups"]
    page = set_up.page(seat).text
    assert f"Still to place: {len(groups)}" in page
    assert html.unescape(page).count('"type": "deploy"') == 0
    for group in groups[:4]:
        lit = set_up.page(seat, query=f"&pick={group['number']}").text
        offered = groups_hexes(set_up, seat, group["number"])
        assert set(re.findall(r'data-goal="(\d+)"', lit)) == set(offered)
        assert f'data-pick="{group["number"]}"' in lit
        there = set_up.page(seat, query=f"&pick={group['number']}&space={offered[0]}").text
        placing = html.unescape(there[there.index('class="part march goals offer"') :])
        assert f'"group": {group["number"]}, "hex": "{offered[0]}"' in placing


def groups_hexes(war: War, seat: str, number: int) -> list[str]:
    """Where the engine lets a group be set up."""
    table = war.store.load(war.id)
    offers = [one for one in table.system.offers(table.state, seat) if one.fields.get("group") == number]
    return sorted({at for one in offers for at in one.fields["hex"]})


def test_a_hannibal_to_be_placed_is_called_by_his_name(set_up: War):
    listed = re.search(r'<h2 id="pieces-title">.*?</section>', set_up.page("carthage").text, re.S)
    assert listed is not None and "Hannibal, 10 land points" in listed[0]


def test_no_two_answers_of_a_kind_bear_the_same_words(war: War):
    general = "hanno"
    offers = [
        Offer("activate", "x", {"card": [13, 14], "general": general, "use": "ops"}),
        Offer("choose", "x", {"choice": "etruria", "side": "rome"}),
        Offer("choose", "x", {"choice": "etruria", "side": "carthage"}),
        Offer("retreat", "x", {"to": ["capua", "rome"], "units_inside": {"from": 1, "to": 3}}),
        Offer("retreat", "x", {"to": ["capua", "rome"], "generals_inside": [["hanno"]]}),
        Offer("retreat", "x", {"to": ["capua", "rome"], "units_inside": {"from": 0, "to": 1}}),
    ]
    with war.client.application.test_request_context(), force_locale("en"):
        answer = presentation("hannibal").answer
        groups = campaign_offers.groups("hannibal", offers, answer=lambda command: answer({}, command, None))
    words = [[one.text for one in (*group.ready, *group.asks)] for group in groups]
    assert all(len(texts) == len(set(texts)) for texts in words), words
    (activate, choose, retreat) = words
    assert all("card 13" in text or "card 14" in text for text in activate)
    assert [text.rpartition(": ")[2] for text in choose] == ["Rome", "Carthage"]
    assert any("Units into the city (1 to 3)" in text for text in retreat)


@pytest.mark.parametrize("system", STRATEGIC)
def test_no_page_of_a_war_says_one_thing_on_two_buttons(store: Store, client: FlaskClient, system: str):
    war = War(store, client, system)
    for seat in (*store.load(war.id).sides, "umpire"):
        page = war.page(seat).text
        for group in re.findall(r'<section class="offer".*?</section>', page, re.S):
            texts = re.findall(r'<button name="command"[^>]*>([^<]*)</button>', group)
            assert len(texts) == len(set(texts)) or "twice" in group, (seat, texts)


def test_attack_buttons_say_how_many_are_held_and_the_panel_who_has_won(war: War):
    battle = {
        "space": "rome",
        "attacker": "carthage",
        "initiative": "carthage",
        "rounds": 2,
        "hands": {"carthage": ["probe", "probe", "maharbal"], "rome": 3},
        "winner": None,
    }
    view = {"battle": battle, "agenda": [{"kind": "attack", "seat": "carthage"}]}
    shows = presentation("hannibal")
    with war.client.application.test_request_context(), force_locale("en"):
        assert shows.answer(view, {"type": "attack", "card": "probe", "as_kind": "probe"}, None) == "Probe ×2"
        cavalry = shows.answer(view, {"type": "attack", "card": "maharbal", "as_kind": "double_envelopment"}, None)
        assert cavalry == "Maharbal's cavalry as Double Envelopment"
        assert shows.battle(view, "carthage").won == ""
        assert shows.battle({"battle": {**battle, "winner": "carthage"}}, "rome").won == "Carthage has won the battle."


def test_10_3_a_declaration_is_a_sentence_also_while_a_number_is_to_be_chosen(war: War):
    view = {"move": {"at": "pisae"}, "forces": {"pisae": {"gauls": {}}}}
    part = {"power": "gauls", "space": "bononia", "leader": "brennus", "units": {"from": 1, "to": 4}, "companions": []}
    said = presentation("sword_of_rome").answer
    with war.client.application.test_request_context(), force_locale("en"):
        assert said(view, {"type": "declare", "side": "gauls", **part}, None) == (
            "Intercept from Bononia: Brennus with 1 to 4 CUs"
        )
        nothing = {"type": "declare", "intercepts": [], "avoids": []}
        assert said(view, {**nothing, "side": "gauls"}, None) == "Stay at Pisae: there may be a battle"
        assert said(view, {**nothing, "side": "romans"}, None) == "Intercept nobody: stay where you are"


def test_10_3_each_army_alone_stands_before_several_together(war: War):
    brennus, aristos = ({"power": "gauls", "space": at, "leader": who} for at, who in (("a", "b"), ("c", "d")))
    tries = [[], [aristos], [brennus, aristos], [brennus]]
    offer = Offer("declare", "10.3", {"side": "gauls", "intercepts": tries, "avoids": [[]]})
    (group,) = campaign_offers.groups("sword_of_rome", [offer])
    told = [json.loads(one.command)["intercepts"] for one in group.ready]
    assert told == [[], [aristos], [brennus], [brennus, aristos]]


def test_16_11_a_bid_says_what_it_is_for_and_9_16_a_threat_who_attacks(war: War):
    shows = presentation("punic_wars")
    hexes = {"0104": {"rome": {}, "carthage": {"leaders": ["ca"], "land": {"points": 7}}}}
    asked = {"kind": "threat", "seat": "rome", "rule": "9.16", "about": {"kind": "land", "hex": "0104"}}
    with war.client.application.test_request_context(), force_locale("en"):
        bid = shows.answer({"treasury": {"rome": 23}}, {"type": "bid", "side": "rome", "points": 0}, None)
        assert "diplomacy roll" in bid and "In the treasury: 23." in bid
        threat = shows.asked({"pending": asked, "hexes": hexes}, "rome")
        assert threat is not None and "Carthage there: Hannibal, 7 land points." in threat.text


def test_the_organizer_reaches_every_seat_from_another_browser(war: War):
    with war.client.application.test_client() as other:
        listed = other.get("/organizer").text
        assert f'href="/seats/{war.id}"' in listed
        page = other.get(f"/seats/{war.id}")
        assert page.status_code == 200 and "You are the organizer" in page.text
        token = re.search(r'name="csrf_token" value="([^"]+)"', page.text)
        assert token is not None
        other.post(f"/seats/{war.id}", data={"csrf_token": token[1], "seat": "rome"})
        link = re.search(r'value="http://localhost(/join/[^"]+)"', other.get(f"/seats/{war.id}").text)
        assert link is not None and other.get(link[1]).status_code == 302
        assert other.get(f"/g/{war.id}?seat=rome").status_code == 200
    elsewhere = {"REMOTE_ADDR": "203.0.113.9"}
    with war.client.application.test_client() as stranger:
        assert stranger.get(f"/seats/{war.id}", environ_base=elsewhere).status_code == 403


def test_the_list_of_games_says_beside_the_title_who_is_waited_for(war: War):
    page = war.client.get("/organizer").text
    row = page[page.index(f'id="game-{war.id}"') :]
    first = re.search(r"</th>\s*<td[^>]*>(.*?)</td>", row, re.S)
    assert first is not None and " must " in first[1]


@pytest.mark.parametrize("system", STRATEGIC)
def test_start_and_set_up_begin_the_same_war(store: Store, client: FlaskClient, system: str):
    rules = store.systems[system]
    scenario = rules.scenarios()[0].id
    cards = re.findall(r'<form method="post" action="/new".*?</form>', client.get("/campaigns").text, re.S)
    start = next(
        card for card in cards if f'value="{system}"' in card and f'name="scenario" value="{scenario}"' in card
    )
    set_up = client.get(f"/new?system={system}&scenario={scenario}").text
    sent = dict(re.findall(r'<input type="hidden" name="(option[^"]*)" value="([^"]*)"', start))
    form = dict(re.findall(r'<input type="radio" name="(option[^"]*)" value="([^"]*)" checked', set_up))
    for name, body in re.findall(r'<select name="(option[^"]*)">(.*?)</select>', set_up, re.S):
        form[name] = re.findall(r'value="([^"]*)" selected', body)[0]
    assert form and options_of(rules, sent) == options_of(rules, form)


def test_a_deadline_is_told_by_the_clock_of_the_groups_zone_and_by_the_players_name(war: War):
    for seat, called in (("carthage", "Anna"), ("rome", "Bruno")):
        people.invite(war.store, war.id, people.Newcomer(seat, called, "", "player", "", "en", ""))
    deadlines.keep(war.store, war.id, deadlines.Deadline(days=3, zone="Europe/Rome"))
    page = war.page("umpire").text and war.client.get(f"/g/{war.id}/group?seat=umpire").text
    whose = page[page.index("Whose turn it is") :].partition("</section>")[0]
    assert "(Europe/Rome)" in whose and "UTC" not in whose
    assert "Anna, " in whose or "Bruno, " in whose
    archive.perform(war.store, war.id, "publish", "umpire")
    assert "(Europe/Rome)" in war.client.get(f"/public/{war.id}").text
    noon = datetime(2026, 7, 1, 12, tzinfo=UTC)
    local = deadlines.in_zone(noon, deadlines.Deadline(zone="Europe/Rome"))
    with war.client.application.test_request_context(), force_locale("en"):
        assert said_until(local) == "Wed 1 Jul, 14:00 (Europe/Rome)"
        assert until_lines(local) == ["Please act by Wednesday 1 July, 14:00 (Europe/Rome)."]


@pytest.mark.parametrize("system", ["hannibal", "hamilcar"])
def test_the_rules_of_options_are_called_by_their_chapters_before_a_war_begins(store: Store, client, system: str):
    scenario = store.systems[system].scenarios()[0].id
    page = client.get(f"/new?system={system}&scenario={scenario}").text
    called = re.findall(r'<a class="rule" href="/reference/[^"]*">([^<]*)</a>', page)
    assert called and not [each for each in called if re.match(r"[a-z]+\.", each)]


def test_a_town_and_its_region_are_not_one_word(set_up: War):
    page = set_up.page("rome", query="&space=" + next(at for at, one in towns() if one == "Massilia")).text
    assert "Region of Massilia" in page


def towns() -> list[tuple[str, str]]:
    """The hexes of Punic Wars that have a name."""
    return [(spot.id, spot.name) for spot in sheet("punic_wars").spots.values() if spot.name]
