"""Every two sides of a game differ in colour and in shape, and each side has the same on every page that draws it."""

from __future__ import annotations

import re
from itertools import combinations

import pytest
from flask.testing import FlaskClient

from kit.wars import War, app, client, store
from strategic import NAMES, SYSTEMS
from strategic.open_campaign.rules.world import stock_world
from tests.webapp.battle.test_colours_and_weight import light
from tests.webapp.campaign.test_map_colours import HEADS, tokens
from webapp.pages.open_campaign.founding import Answers, found
from webapp.presenting.map.placement import frame, outline
from webapp.presenting.ships import galley
from webapp.presenting.ships import galley as ship_tokens
from webapp.presenting.ships.galley import measures
from webapp.presenting.sides import MOST, NOBODY, SIGNS, side_number, sign_at
from webapp.storage.journal.store import Store
from webapp.storage.services import archive

__all__ = ["app", "client", "store"]
CALLED = ("Rhodes", "Egypt", "Крит", "Syria 2", "Les Étrusques", "Pontus", "Cyprus", "Bosporus")
OPENINGS = [(system, each.id) for system in NAMES if system != "season" for each in SYSTEMS[system].scenarios()]
SIGN = re.compile(r'<svg class="side-sign s(\d)"[^>]*><path d="([^"]+)"/></svg>\s*(?:<[^>]+>)*\s*([^<]+)')


def own_war(sides: int) -> dict:
    return found(Answers(world=stock_world("levant"), sides=CALLED[:sides], warships=4, transports=0))


def drawn(text: str) -> dict[str, set[tuple[str, str]]]:
    """The names on a page before which a sign stands, with its number and its shape."""
    named: dict[str, set[tuple[str, str]]] = {}
    for number, shape, name in SIGN.findall(text):
        named.setdefault(name.strip(), set()).add((number, shape))
    return named


@pytest.mark.parametrize("sides", range(2, MOST + 1))
def test_in_a_war_of_ones_own_every_page_gives_each_side_one_colour_and_one_sign(
    store: Store, client: FlaskClient, sides: int
) -> None:
    war = War(store, client, "open_campaign", position=own_war(sides))
    archive.perform(store, war.id, "publish", "umpire")
    ids, names = list(war.state.sides), CALLED[:sides]
    numbers = {name: str(number) for number, name in enumerate(names)}
    expected = {name: {(numbers[name], sign_at(int(numbers[name])))} for name in names}
    everywhere = (f"/g/{war.id}?seat=umpire", f"/g/{war.id}?seat=spectator", f"/display/{war.id}", f"/public/{war.id}")
    for path in (*everywhere, f"/g/{war.id}/group?seat=umpire", f"/open/{war.id}/desk?seat=umpire"):
        shown = drawn(client.get(path).text)
        assert {name: shown.get(name) for name in names} == expected, path
    others = drawn(client.get(f"/open/{war.id}/relations?seat={ids[0]}").text)
    assert {name: others.get(name) for name in names[1:]} == {name: expected[name] for name in names[1:]}
    for seat, name in zip(ids, names, strict=True):
        orders, page = client.get(f"/open/{war.id}/orders?seat={seat}").text, war.page(seat).text
        assert f'class="desk s{numbers[name]}"' in orders and f'class="sentence waits s{numbers[name]}"' in page
        assert drawn(orders)[name] == expected[name] == drawn(page)[name]


@pytest.mark.parametrize("sides", range(2, MOST + 1))
def test_on_every_map_of_a_war_of_ones_own_a_fleet_has_the_sign_of_its_side(
    store: Store, client: FlaskClient, sides: int
) -> None:
    war = War(store, client, "open_campaign", position=own_war(sides))
    wanted = {str(number): sign_at(number) for number in range(sides)}
    for path in (f"/g/{war.id}?seat=umpire", f"/campaign/{war.id}/replay/0?seat=umpire"):
        text = client.get(path).text
        signs = dict(re.findall(r'<path id="held-(\d)" d="([^"]+)"/>', text))
        plates = re.findall(r'class="counter s(\d)"(.*?)</g></g>', text, re.DOTALL)
        borne = {(number, sign) for number, plate in plates for sign in re.findall(r'href="#held-(\d)"', plate)}
        assert borne == {(number, number) for number in wanted} and "head-" not in "".join(each for _, each in plates)
        assert {number: signs[number] for number in wanted} == wanted
    desk = client.get(f"/open/{war.id}/desk?seat=umpire&near=0").text
    assert dict(re.findall(r'<g class="plate s(\d)"><rect[^>]*><path class="sign"[^>]* d="([^"]+)"', desk)) == wanted


@pytest.mark.parametrize(("system", "scenario"), OPENINGS)
def test_at_every_opening_two_sides_have_two_numbers(store: Store, client: FlaskClient, system: str, scenario: str):
    war = War(store, client, system, scenario=scenario)
    sides = store.load(war.id).sides
    numbers = {side: side_number(system, sides, side) for side in sides}
    assert len(set(numbers.values())) == len(sides) and NOBODY not in numbers.values()
    shown = drawn(client.get(f"/display/{war.id}").text)
    assert {number for found in shown.values() for number, _ in found} >= {str(number) for number in numbers.values()}
    for name, signs in drawn(war.page("umpire").text).items():
        assert shown.get(name, signs) == signs, name


def test_a_printed_system_keeps_its_colours_whatever_the_order_of_its_sides() -> None:
    for system in ("hannibal", "hamilcar", "punic_wars"):
        assert [side_number(system, ("carthage", "rome"), side) for side in ("rome", "carthage")] == [0, 1]
    assert side_number("open_campaign", ("carthage", "rome"), "rome") == 1
    assert side_number("open_campaign", ("carthage", "rome"), "umpire") == NOBODY


def test_eight_sides_and_nobody_differ_without_colour_in_every_drawing() -> None:
    ship = measures("trireme")
    for shapes in (
        [sign_at(number) for number in range(NOBODY + 1)],
        [outline(number, 60, -13, 13) for number in range(NOBODY + 1)],
        [frame(number) for number in range(NOBODY + 1)],
        [str(galley.band(ship, number)) for number in range(MOST)],
        [ship_tokens.shield_path(number, 6) for number in range(MOST)],
    ):
        assert len(set(shapes)) == len(shapes)
    assert len(SIGNS) == NOBODY + 1


@pytest.mark.parametrize(("scheme", "least"), [("day", 25), ("dark", 25), ("night", 5)])
def test_no_two_sides_have_nearly_the_same_colour(scheme: str, least: float) -> None:
    """Red on black, the colours differ in lightness alone; there the shapes say it."""
    assert scheme in HEADS
    known = tokens(scheme)
    colours = [lab(known[f"side{number}"]) for number in range(MOST)]
    near = [
        (one, other, round(far))
        for (one, here), (other, there) in combinations(enumerate(colours), 2)
        if (far := sum((a - b) ** 2 for a, b in zip(here, there, strict=True)) ** 0.5) < least
    ]
    assert near == []


def lab(colour: str) -> tuple[float, float, float]:
    """A colour in CIELAB, in which distances are what an eye sees."""
    parts = [light(f"#{colour[at : at + 2] * 3}") for at in (1, 3, 5)]  # of a grey the luminance is the linear value
    x = sum(a * b for a, b in zip((0.4339, 0.3762, 0.1899), parts, strict=True))
    y = sum(a * b for a, b in zip((0.2126, 0.7152, 0.0722), parts, strict=True))
    z = sum(a * b for a, b in zip((0.0178, 0.1095, 0.8730), parts, strict=True))
    fx, fy, fz = (each ** (1 / 3) if each > 0.008856 else 7.787 * each + 16 / 116 for each in (x, y, z))
    return 116 * fy - 16, 500 * (fx - fy), 200 * (fy - fz)
