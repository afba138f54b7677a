"""The same done several times in a row is told in one sentence, in three languages."""

from __future__ import annotations

import pytest
from flask import Flask
from flask_babel import force_locale

from webapp.pages.campaign.chronicle import Chapter

TAKES = [
    {"rule": "x", "type": "pc_placed", "side": "carthage", "space": space, "flipped": False}
    for space in ("taurini", "iberus", "numantia")
]
DISPLACED = [
    {"rule": "x", "type": "displaced", "general": general, "space": "gades", "dead": False}
    for general in ("hasdrubal", "mago")
]


@pytest.mark.parametrize(
    ("lang", "takes", "displaced"),
    [
        ("en", "Carthage takes Taurini, Iberus and Numantia.", "Hasdrubal and Mago are displaced."),
        ("it", "Cartagine prende i Taurini, l'Ebro e Numanzia.", "Asdrubale e Magone sono dispersi."),
        ("ru", "Карфаген занимает земли тавринов, Ибер и Нуманцию.", "Гасдрубал и Магон смещены."),
    ],
)
def test_what_happens_several_times_in_a_row_is_one_sentence(app: Flask, lang: str, takes: str, displaced: str) -> None:
    chapter = Chapter("1")
    with app.test_request_context(), force_locale(lang):
        for event in (*TAKES, {**TAKES[0], "side": "rome"}, *DISPLACED, {**DISPLACED[0], "dead": True}):
            chapter.tell("hannibal", event)
    assert chapter.sentences[0] == takes and chapter.sentences[2] == displaced
    assert len(chapter.sentences) == 4, "another side takes a space, and a general who dies is not displaced"
