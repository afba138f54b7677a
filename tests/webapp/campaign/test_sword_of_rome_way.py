"""10.3 The planned way of a marching army on its page: each step with who may intercept, from where, at what chance."""

from __future__ import annotations

import html
import re

from webapp import create_app
from webapp.storage.journal.store import Store

SEATS = ("gauls", "etruscans_samnites", "romans", "greeks", "carthaginians")
LATIUM = {
    "forces": {
        "roma": {"romans": {"units": 5, "leaders": ["claudius"]}},
        "praeneste": {"gauls": {"units": 4, "leaders": ["brennus"]}},
        "tarracina": {"volsci": {"units": 2, "leaders": ["minor_volsci_a"]}},
    },
    "hands": {seat: [1, 2, 3] for seat in SEATS},
    "active": "romans",
}


def under_way(folder, units, **position):
    """Claudius has been activated; the Romans' page of a space."""
    store = Store(folder / "games.db")
    game, tokens = store.create("sword_of_rome", **position)
    store.submit(game.id, 0, "romans", {"type": "activate", "card": 2, "leader": "claudius", "units": units})
    client = create_app({"STORE": store}).test_client()
    client.get(f"/join/{tokens['romans']}")

    def page(space: str) -> str:
        text = client.get(f"/g/{game.id}?seat=romans&space={space}&lang=en").text
        return re.sub(r"\s+", " ", html.unescape(re.sub("<[^>]+>", " ", text)))

    return page


def test_10_3_one_step_says_who_may_intercept_from_where_with_which_chance(tmp_path):
    text = under_way(tmp_path, 6, scenario="gauls_before_greeks")("ariminum")
    assert "Who may intercept here" in text
    for line in (
        "Brennus (Gauls) from Bononia: 3 of 6",
        "Gallic leader A (Gauls) from Sena Gallica: 1 of 6",
        "Pyrrhus (Greeks) from Ravenna: 3 of 6",
    ):
        assert line in text


def test_10_3_a_longer_way_is_shown_step_by_step(tmp_path):
    text = under_way(tmp_path, 6, scenario="gauls_before_greeks")("sena_gallica")
    titles = re.findall(r"Step (\d), ([^:]+): who may intercept", text)
    assert len(titles) > 1 and titles[-1][1] == "Sena Gallica"
    assert [number for number, _place in titles] == [str(number) for number in range(1, len(titles) + 1)]
    assert text.count("The step costs") == len(titles)


def test_10_2_who_may_not_is_told_with_the_clause(tmp_path):
    text = under_way(tmp_path, 5, position=LATIUM)("velitrae")
    assert "Brennus (Gauls) from Praeneste: 2 of 6" in text
    assert "Volsci may not react from Tarracina (10.3):" in text
