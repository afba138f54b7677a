"""The handbooks: the same steps in three languages, a picture for each, nothing left in English."""

from __future__ import annotations

import re

import pytest
from flask.testing import FlaskClient

from tools.handbook import FOLDER, STEPS
from webapp.pages.reference.views import TITLES, handbook


@pytest.mark.parametrize("who", TITLES)
@pytest.mark.parametrize("language", ["en", "ru", "it"])
def test_each_step_is_told_walked_and_pictured(who: str, language: str):
    steps = handbook(who, language).step
    assert [step.id for step in steps] == list(STEPS[who])
    assert all((FOLDER / f"{who}-{step.id}.jpg").stat().st_size > 5000 for step in steps)
    if language != "en":
        english = {step.id: step for step in handbook(who, "en").step}
        assert all(step.title != english[step.id].title and step.text != english[step.id].text for step in steps)
    if language == "ru":
        assert not any(re.search(r"[A-Za-z]", step.title + step.text) for step in steps)


@pytest.mark.parametrize("language", ["en", "ru", "it"])
def test_the_pages_show_them(client: FlaskClient, language: str):
    for who in TITLES:
        page = client.get(f"/handbook/{who}?lang={language}").text
        for step in handbook(who, language).step:
            assert f'id="{step.id}"' in page and f"handbook/{who}-{step.id}.jpg" in page
            assert client.get(f"/reference-files/handbook/{who}-{step.id}.jpg").status_code == 200
    assert client.get("/handbook/cook").status_code == 404
