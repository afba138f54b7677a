"""The television's banner and fleets, read from its HTML: what everybody may know, and nothing else."""

from __future__ import annotations

import re

from test_battle_seen import RAMMING, give, until_contact


def banner(app, game):
    found = re.search(r'class="banner-title[^"]*">([^<]*)<', app.test_client().get(f"/display/{game}").text)
    return found and found[1]


def test_the_banner_tells_the_newest_event_of_weight_and_goes_with_an_undo(battle, store, app):
    ships = {**RAMMING["ships"], "c1": {**RAMMING["ships"]["c1"], "damage": 6}}
    game = battle({**RAMMING, "ships": ships})["rome"].game
    until_contact(store, game)
    assert banner(app, game) is None
    give(store, game, "rome", {"type": "ram", "ship": "r1"})
    sunk = not store.load(game).state.ships["c1"].is_afloat
    assert banner(app, game) == ("Tanit sunk" if sunk else "Tanit rammed")
    page = app.test_client().get(f"/display/{game}").text
    assert len(re.search(r'data-focus="([^"]*)"', page)[1].split()) >= 4, "rammer and rammed"
    assert page.count('class="silhouette gone') == sunk
    store.undo(game, store.game(game).version, "umpire")
    assert banner(app, game) is None


def test_whose_turn_it_is_is_said_without_how_far_a_plot_has_come(battle, store, app):
    game = battle(RAMMING)["rome"].game
    empty = app.test_client().get(f"/display/{game}/table").text
    give(store, game, "rome", {"type": "plot", "ship": "r1", "speed": 3})
    plotted = app.test_client().get(f"/display/{game}/table").text
    numbers = re.compile(r'data-(?:version|revision|stream)="[^"]*"|id="dice-\d+"')
    assert numbers.sub("", empty) == numbers.sub("", plotted)
    give(
        store,
        game,
        "rome",
        {
            "type": "together",
            "commands": [{"type": "plot", "ship": "r2", "speed": 1}, {"type": "lock", "side": "rome"}],
        },
    )
    turn = app.test_client().get(f"/display/{game}").text.split('class="screen-turn"')[1].split("</div>")[0]
    assert "Carthage" in turn and "Rome" not in turn
