"""The calculators' pages, without JavaScript: forms, results as tables and plots, refusals at the field."""

from __future__ import annotations

import re

import pytest
from flask.testing import FlaskClient

from tactical.odds import Calculator
from webapp.api.views import calculators
from webapp.cli.rules import command_word
from webapp.pages.reference.odds import bars_with_a_tail, parts
from webapp.pages.reference.views import page as address_of


@pytest.mark.parametrize("calculator", calculators(), ids=command_word)
def test_every_calculator_answers_its_example_with_tables_and_a_plot(client: FlaskClient, calculator: Calculator):
    address = address_of(calculator)
    assert f'href="{address}"' in client.get("/odds").text
    page = client.get(f"{address}?{calculator.example}")
    assert page.status_code == 200
    assert 'class="plot"' in page.text and "<table>" in page.text
    assert client.get(address).status_code == 200


def test_a_form_sends_crews_in_parts(client: FlaskClient):
    whole = client.get("/odds/boarding?attacker=heavy:10&defender=medium:15").text
    parted = client.get("/odds/boarding?attacker.heavy=10&attacker.light=&defender.medium=15").text
    chances = re.findall(r"[\d.]+%", whole)
    assert "10.99%" in chances
    assert chances == re.findall(r"[\d.]+%", parted)


def test_a_fraction_stands_beside_its_decimal(client: FlaskClient):
    page = client.get("/odds/ram?type=trireme&hull_left=6").text
    assert "16.67%" in page and "1/6" in page


@pytest.mark.parametrize(
    ("address", "status", "said"),
    [
        ("/odds/ram?type=trireme&hull_left=0", 400, "from 1 to 99"),
        ("/odds/boarding?defender.medium=3", 400, "missing"),
        ("/odds/missiles?archers=1&range=9", 422, "/reference/galley/G5.3"),
        ("/odds/sorcery", 404, ""),
    ],
)
def test_refusals_stand_on_the_page(client: FlaskClient, address: str, status: int, said: str):
    page = client.get(address)
    assert page.status_code == status
    assert said in page.text


def test_a_long_faint_end_is_told_as_one():
    (bars,) = [part.bars for part in parts({"rounds": [0.9, 0.0991, 0.0005, 0.0001, 0.0001, 0.0001, 0.00005, 0.00005]})]
    assert [bar.label for bar in bars] == ["1", "2", "3", "4", "5", "6", "7 +"]
    assert sum(bar.chance for bar in bars) == pytest.approx(1)
    assert bars_with_a_tail(bars[:3]) == bars[:3]
