"""A turn of eight sides with three meetings and two free orders takes the umpire at most 60 taps (O11.1, O3.7)."""

import pytest
from playwright.sync_api import expect

pytestmark = pytest.mark.browser
PAIRS = (("rhodos", "rhodos"), ("kydonia", "kydonia"), ("telos", "telos"), ("hierapytna", "hierapytna"))
MOST_TAPS = 60


def eight():
    """Eight sides, of which two each lie at one place and seek each other."""
    sides = {f"s{n}": {"name": f"Side {n}", "allies": []} for n in range(8)}
    for n in range(8):
        sides[f"s{n}"]["allies"] = [f"s{m}" for m in range(8) if m // 2 != n // 2]
    ships = {
        f"s{n}-{k}": {"side": f"s{n}", "type": "trireme", "name": f"Ship {n} {k}"} for n in range(8) for k in range(12)
    }
    fleets = {
        f"f{n}": {
            "side": f"s{n}",
            "name": f"Fleet {n}",
            "admiral": "",
            "at": PAIRS[n // 2][n % 2],
            "ships": [f"s{n}-{k}" for k in range(12)],
        }
        for n in range(8)
    }
    where = {"world": "crete", "sides": sides, "fleets": fleets, "ships": ships, "date": "-204-06-01"}
    return {**where, "turn_length": "day", "turns": 3, "options": {"small_battles": False}}


def test_o3_7_a_turn_of_eight_sides_takes_the_umpire_few_taps(tables):
    tables.begin(position=eight())
    for n in range(8):
        stance = "seek" if n < 6 else "avoid"
        order = {"type": "order", "side": f"s{n}", "fleet": f"f{n}", "do": "stay", "stance": stance}
        tables.play(order)
    tables.play({"type": "write", "side": "s0", "text": "Send the pilot ashore."})
    tables.play({"type": "write", "side": "s5", "text": "Buy bread."})
    page, taps = tables.sit("umpire", 1440, 900), 0
    page.goto(f"{tables.address}/open/{tables.id}/desk?seat=umpire")

    def tap(button):
        nonlocal taps
        before = tables.store.game(tables.id).version
        button.tap()
        taps += 1
        expect(page.locator("form.htmx-request")).to_have_count(0)
        expect(page.locator(f"input[name=seen][value='{before}']")).to_have_count(0)

    for _ in range(2):
        tap(page.locator(".is-letter").first.get_by_role("button", name="Yes"))
    tap(page.get_by_role("button", name="Run and hold"))
    while page.locator(".is-meeting").count():
        tap(page.locator(".is-meeting").get_by_role("button", name="Dice").first)
    tap(page.get_by_role("button", name="Send the dispatches"))
    state = tables.store.load(tables.id).state
    assert state.turn == 2 and len(state.settled) >= 3
    assert taps <= MOST_TAPS, taps
    assert not tables.faults
