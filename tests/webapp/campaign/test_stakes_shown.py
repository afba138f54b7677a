"""Facts before decisions: the coming battle's strengths and odds, before a march and for who may avoid it."""

from __future__ import annotations

import html
import random
import re
from fractions import Fraction
from itertools import product
from typing import Any

import msgspec
import pytest
from flask import Flask
from flask.testing import FlaskClient

from kit.commands_of import picked
from kit.hamilcar_war import TWO, army, control, empty, ships, turn_of
from kit.hannibal_war import force, march
from kit.hannibal_war import war as small_war
from kit.wars import War
from strategic import SYSTEMS
from strategic.hamilcar import HAMILCAR
from strategic.hannibal import HANNIBAL
from strategic.hannibal.state import State
from strategic.point_to_point.battle import attackers_share, hands_of, meeting_here, meeting_there
from strategic.point_to_point.state import Troops
from strategic.sword_of_rome.rules import battle
from strategic.sword_of_rome.rules.battle import losses_inflicted_by
from strategic.sword_of_rome.rules.survey import enemies
from strategic.sword_of_rome.tables import TABLES
from tactical.kernel.dice import Dice, random_source
from tactical.kernel.protocol import UMPIRE
from tactical.kernel.record import plain
from webapp.storage.journal.store import Store
from webapp.systems.hamilcar.answers import SPEAKER

GISCO, METELLUS = "hannibal_gisco", "lucius_caecilius_metellus"
STEP = {"type": "step", "to": "arpi", "units": 6, "elephants": 0, "companions": []}


def words(page: str) -> str:
    return html.unescape(re.sub(r"\s+", " ", re.sub(r"<[^>]+>", " ", page)))


def before_arpi() -> State:
    return march(
        small_war(force("carthage", "beneventum", 6, "hannibal"), force("rome", "arpi", 4, "marcellus")), "hannibal"
    )


def test_battle_5_the_hands_ahead_are_those_that_are_dealt(store: Store, client: FlaskClient):
    war = War(store, client, position=plain(HANNIBAL.view(before_arpi(), UMPIRE)))
    ahead = hands_of(meeting_there(war.state, "arpi", (), Troops(units=6)))
    store.submit(war.id, war.version, "carthage", STEP)
    assert ahead is not None and hands_of(meeting_here(war.state)) == ahead
    while not (war.state.battle and war.state.battle.hands["rome"]):
        table = store.load(war.id)
        seat = table.waiting_for[0]
        kinds = [offer.type for offer in table.offers(seat)]
        kind = next(one for one in ("stand", "pass") if one in kinds)
        store.submit(war.id, table.game.version, seat, {"type": kind})
    assert {hand.side: hand.cards for hand in ahead} == {
        side: len(cards) for side, cards in war.state.battle.hands.items()
    }


def test_battle_5_the_march_and_the_avoid_question_show_both_hands(store: Store, client: FlaskClient):
    war = War(store, client, position=plain(HANNIBAL.view(before_arpi(), UMPIRE)))
    line = r"In a battle: Carthage \d+ battle cards \(general \+4, units \+6.*?\) against Rome \d+ battle cards \(.*?units \+4"
    assert re.search(line, words(war.page("carthage", query="&space=arpi").text))
    assert not re.search(line, words(war.page("carthage", query="&space=capua").text)), "nobody stands there"
    store.submit(war.id, war.version, "carthage", STEP)
    for seat in ("rome", "carthage"):
        assert re.search(line, words(war.page(seat).text))


@pytest.mark.parametrize(("mine", "theirs", "attack", "defend"), [(6, 4, 1, 0), (3, 9, 0, 2), (1, 1, 0, 0)])
def test_12_2_12_3_the_odds_are_those_of_every_throw(mine: int, theirs: int, attack: int, defend: int):
    wins = own = foe = 0
    for faces in product(range(1, 7), repeat=6):
        one, two = faces[:3], faces[3:]
        if sum(one) + attack > sum(two) + defend:
            wins += 1
            own += min(mine, losses_inflicted_by(two, theirs, TABLES.losses.to_winner))
            foe += min(theirs, losses_inflicted_by(one, mine, TABLES.losses.to_loser))
        else:
            own += min(mine, losses_inflicted_by(two, theirs, TABLES.losses.to_loser))
            foe += min(theirs, losses_inflicted_by(one, mine, TABLES.losses.to_winner))
    assert battle.odds(mine, theirs, attack, defend) == tuple(Fraction(each, 6**6) for each in (wins, own, foe))


@pytest.mark.parametrize("system", ["sword_of_rome", "hamilcar"])
def test_whoever_is_asked_where_a_battle_may_come_reads_its_odds(store: Store, client: FlaskClient, system: str):
    """Over random play: where an army on the move stands before another and somebody is asked whether he avoids it."""
    war, chance, met = War(store, client, system), random.Random(5), 0
    for _step in range(400):
        table = store.load(war.id)
        if not table.waiting_for or met > 2:
            break
        seat = table.waiting_for[0]
        if stands(table.state):
            said = words(war.page(seat).text)
            assert "In a battle:" in said, said[:3000]
            assert system == "hamilcar" or re.search(
                r"The attacker's chance to win is \d+%|is removed without a roll", said
            )
            met += 1
        gives_up = {"resign", "agree", *SYSTEMS[system].by_hand}
        offers = [one for one in table.offers(seat) if one.type not in gives_up]
        eager = [one for one in offers if one.type in ("activate", "step", "campaign_move")]
        offer = chance.choice(eager if eager and chance.random() < 0.7 else offers)
        store.submit(war.id, table.game.version, seat, chance.choice(picked(offer, 1, chance)))
    assert met


def stands(state: Any) -> bool:
    """Is somebody asked whether he avoids, with units of both in the open of one space?"""
    if hasattr(state, "march"):
        here = state.spaces[state.march.at] if state.march else None
        asked = state.agenda and state.agenda[-1].kind == "avoid"
        return bool(asked and here and here.rome.size and here.carthage.size)
    asks = any(prompt.kind == "declare" for prompt in state.pending)
    others = state.forces.get(state.move.at, {}) if state.move else {}
    return asks and any(force.units and enemies(state, power, state.move.power) for power, force in others.items())


def test_9_0_a_march_of_punic_wars_says_what_an_attack_there_would_be(store: Store, client: FlaskClient):
    war = War(store, client, "punic_wars", scenario="1")
    for _step in range(300):
        table = store.load(war.id)
        seat = table.waiting_for[0]
        reach = re.findall(r'data-leader="(\w+)"', war.page(seat).text)
        if reach and table.state.phase == "campaign":
            break
        offers = [one for one in table.offers(seat) if one.type not in ("resign", "agree")]
        chance = random.Random(_step)
        store.submit(war.id, table.game.version, seat, chance.choice(picked(chance.choice(offers), 1, chance)))
    state, enemy = war.state, "carthage" if seat == "rome" else "rome"
    near = [at for at in state.stacks if state.points(at, enemy, "land")]
    seen = [words(war.page("umpire", query=f"&pick={leader}&space={at}").text) for leader in reach for at in near]
    told = [page for page in seen if "An attack there on" in page]
    assert told and all(
        re.search(r"An attack there on .*?: \d+ against \d+, \d:\d; your own losses for each roll", page)
        for page in told
    )


def arpi_meeting(units: int, hannibals: tuple[int, ...] = ()) -> Any:
    """The battle that begins at Arpi with so many units of Carthage against four of Rome."""
    state = before_arpi()
    hands = {side: hannibals for side in state.hands} if hannibals else state.hands
    meeting = meeting_there(msgspec.structs.replace(state, hands=hands), "arpi", (), Troops(units=units))
    assert meeting is not None
    return meeting


def share_of(meeting: Any) -> float | None:
    source = random_source(random.Random(0).randrange)
    return attackers_share(meeting, Dice(source=source, secret=source))


def test_battle_6_the_chance_to_win_grows_with_the_army_and_hangs_on_no_secret():
    shares = [share_of(arpi_meeting(units)) for units in (1, 3, 6)]
    assert shares == sorted(shares) and shares[0] < shares[-1]
    assert share_of(arpi_meeting(6, (41, 42, 9))) == shares[-1] == share_of(arpi_meeting(6, (1, 2, 3)))


def test_battle_6_a_side_without_cards_loses_every_battle_that_is_played_out():
    meeting = arpi_meeting(6)
    none = msgspec.structs.replace(meeting.battle, fewer={"carthage": 99, "rome": 0})
    assert share_of(msgspec.structs.replace(meeting, battle=none)) == 0


def test_battle_6_who_decides_reads_the_chance_and_what_is_assumed(store: Store, client: FlaskClient):
    war = War(store, client, position=plain(HANNIBAL.view(before_arpi(), UMPIRE)))
    share = round(100 * (share_of(arpi_meeting(6)) or 0))
    said = f"Chance to win: Carthage {share}%, Rome {100 - share}%"
    assert said in words(war.page("carthage", query="&space=arpi").text)
    store.submit(war.id, war.version, "carthage", STEP)
    assert said in words(war.page("rome").text)


def test_11_6_2_the_ships_put_to_sea_under_those_who_are_named_already(app: Flask):
    state = army(army(empty(), "rome", "messana", 3, METELLUS), "carthage", "panormus", 2, GISCO)
    state = control(ships(ships(state, "rome", 1), "carthage", 1), None, "lipara")
    table = turn_of(state, "rome", TWO)
    table.say("rome", "activate", card=TWO, general=METELLUS)
    table.say("rome", "sail", to="lipara", ships=1, units=3, elephants=0)
    table.say("carthage", "sea_try", general=GISCO, units=1, elephants=0, trains=0)
    view = plain(HAMILCAR.view(table.state, "carthage"))
    with app.test_request_context():
        told = SPEAKER.answer(view, {"type": "sea_intercept", "ships": 1, "tries": []}, table.state)
    assert "under Hannibal Gisco with 1 unit" in told
