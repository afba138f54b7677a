"""The table in fragments: whatever happens, what a page puts together is what a fresh load gives, for every seat."""

from __future__ import annotations

import gzip
import random
import re
from collections.abc import Callable
from typing import Any

import pytest
from flask import Flask
from flask.testing import FlaskClient

from benchmarks.fleets import fleets
from benchmarks.fragments import FRAGMENT, PARTIAL
from benchmarks.fragments import Page as Holder
from kit.random_acts import change
from kit.readers import Reader, app, battle, store  # noqa: F401
from tactical.kernel import cache
from tactical.kernel.protocol import SPECTATOR
from webapp.storage.journal.store import Store

KILOBYTE = 1024


class Page(Holder):
    """A page of a seat, with its address."""

    def __init__(self, client: FlaskClient, game: str, seat: str, token: str) -> None:
        super().__init__()
        self.client, self.address = client, f"/g/{game}"
        self.seat, self.headers = seat, {"Authorization": f"Bearer {token}", "HX-Request": "true"}
        self.size = 0

    def look(self, **query: Any) -> str:
        """The table, put together."""
        return self._heard(self.client.get(f"{self.address}/table", query_string=query, headers=self._asking()))

    def give(self, seen: int, **fields: Any) -> str:
        """The same after a command."""
        given = {"seen": seen, **fields}
        return self._heard(self.client.post(f"{self.address}/command", data=given, headers=self._asking()))

    def fresh(self, **query: Any) -> str:
        """The whole table, as a page that has nothing gets it, with everything drawn anew."""
        cache.clear()
        answer = self.client.get(
            f"{self.address}/table", query_string=query, headers={**self.headers, "X-Fragments": ""}
        )
        anew = Holder()
        anew.put(answer.text)
        return without_seen(anew)

    def _asking(self) -> dict[str, str]:
        return {**self.headers, "X-Fragments": self.has(), "Accept-Encoding": "gzip"}

    def _heard(self, answer: Any) -> str:
        assert answer.status_code == 200, answer.text
        self.size = len(answer.data)
        packed = answer.headers.get("Content-Encoding") == "gzip"
        self.put((gzip.decompress(answer.data) if packed else answer.data).decode())
        return without_seen(self)


def without_seen(page: Holder) -> str:
    """What stands there, but for the version of which its forms speak: static/fragments.js writes it when one is sent."""
    return re.sub(r'name="seen" value="\d+"', "", page.text())


Pages = Callable[..., tuple[str, dict[str, Page]]]


@pytest.fixture
def pages(app: Flask, store: Store) -> Pages:  # noqa: F811
    def begin(**wanted: Any) -> tuple[str, dict[str, Page]]:
        game, tokens = store.create("galley", **wanted)
        return game.id, {seat: Page(app.test_client(), game.id, seat, token) for seat, token in tokens.items()}

    return begin


@pytest.mark.parametrize("changes", [120, pytest.param(500, marks=pytest.mark.soak)])
def test_after_so_many_changes_the_fragments_give_the_page_of_a_fresh_load(
    pages: Pages,
    store: Store,  # noqa: F811
    changes: int,
) -> None:
    chance = random.Random(3)
    game, each = pages(scenario="mylae")
    ships = list(store.load(game).state.ships)
    for number in range(changes):
        if store.load(game).game.over:
            game, each = pages(scenario="mylae")
        change(store, game, chance)
        for seat in (*each,) if number % 50 == 0 else (list(each)[number % len(each)],):
            query: dict[str, Any] = {"ship": chance.choice(ships)} if chance.random() < 0.4 else {}
            query |= {"view": chance.choice(("board", "fleet", "list"))}
            assert each[seat].look(**query) == each[seat].fresh(**query), (number, seat, query)


def test_a_plot_takes_six_kilobytes_with_the_next_ships_plans(pages: Pages) -> None:
    _game, each = pages(position=fleets(20))
    rome, carthage, watcher = (each[seat] for seat in ("rome", "carthage", SPECTATOR))
    for page in (rome, carthage, watcher):
        page.look()
    rome.look(ship="r0")
    for number in range(6):
        ship = f"r{number}"
        rome.give(number, type="plot", ship=ship, **{"speed:int": 2}, show=ship)
        assert rome.size <= 6 * KILOBYTE, number
        for page in (carthage, watcher):
            page.look()
            assert page.size <= 6 * KILOBYTE, page.seat


def test_a_step_takes_twelve_kilobytes_with_her_plans(pages: Pages, store: Store) -> None:  # noqa: F811
    game, each = pages(position=fleets(20))
    for seat, letter in (("rome", "r"), ("carthage", "c")):
        plots = [{"type": "plot", "ship": f"{letter}{number}", "speed": 2} for number in range(20)]
        both = {"type": "together", "commands": [*plots, {"type": "lock", "side": seat}]}
        store.submit(game, store.game(game).version, seat, both)
    while (table := store.load(game)).state.step == "fire":
        side = table.waiting_for[0]
        store.submit(game, table.game.version, side, {"type": "done", "side": side})
    mover, other = "rome", "carthage"
    each[other].look()
    each[mover].look()
    for _ in range(4):
        offers = [offer for offer in store.load(game).offers(mover) if offer.type == "step"]
        ship = str(offers[0].fields["ship"])
        each[mover].look(ship=ship)
        each[mover].give(store.game(game).version, type="step", ship=ship, turn="none", show=ship)
        assert each[mover].size <= 12 * KILOBYTE
        each[other].look()
        assert each[other].size <= 12 * KILOBYTE


def test_a_page_that_has_what_nobody_knows_gets_everything(pages: Pages) -> None:
    page = pages(position=fleets(2))[1]["rome"]
    every = page.look()
    for said in ("xxxxxxxx:yyyyyyyy", "x", ":", "a:b " * 5000):
        headers = {**page.headers, "X-Fragments": said}
        anew = Holder()
        anew.put(page.client.get(f"{page.address}/table", headers=headers).text)
        assert without_seen(anew) == every


def test_a_page_that_has_everything_hears_its_version_alone(pages: Pages) -> None:
    page = pages(position=fleets(2))[1]["rome"]
    page.look()
    said = page.client.get(f"{page.address}/table", headers={**page.headers, "X-Fragments": page.has()}).text
    assert said.count("<hx-partial") == 1 and 'id="state"' in said


def test_what_another_seat_has_brings_nothing_of_it(pages: Pages, store: Store) -> None:  # noqa: F811
    """G3.1.a A page of carthage that claims the fragments of rome is brought carthage's own, whole."""
    game, each = pages(position=fleets(3))
    store.submit(game, 0, "rome", {"type": "plot", "ship": "r0", "speed": 2})
    each["rome"].look()
    carthage = each["carthage"]
    said = carthage.client.get(
        f"{carthage.address}/table", headers={**carthage.headers, "X-Fragments": each["rome"].has()}
    ).text
    carthage.look()
    for _name, _picture, brought in PARTIAL.findall(said):
        key = FRAGMENT.findall(brought)[0]
        assert key in carthage.has().split()


def test_a_withdrawn_seat_is_brought_nothing(pages: Pages, store: Store) -> None:  # noqa: F811
    game, each = pages(position=fleets(2))
    rome = each["rome"]
    rome.look()
    store.withdraw(game, "rome")
    store.submit(game, 0, "carthage", {"type": "plot", "ship": "c0", "speed": 1})
    answer = rome.client.get(f"{rome.address}/table", headers={**rome.headers, "X-Fragments": rome.has()})
    assert answer.status_code == 204 and not answer.data


def test_a_page_that_says_nothing_gets_the_whole_table(battle: Callable[..., dict[str, Reader]]) -> None:  # noqa: F811
    rome = battle()["rome"]
    for text in (rome.get().text, rome.get("/table").text):
        assert (
            "<!--" not in text
            and "<hx-partial" not in text
            and 'name="csrf_token"' in text
            and 'name="seen" value="0"' in text
        )


def test_seats_that_share_a_server_see_only_their_own(pages: Pages, store: Store) -> None:  # noqa: F811
    """G3.1.a What is kept for one seat is never another's: a plot is told to its own side and the umpire alone."""
    game, each = pages(position=fleets(3))
    for page in each.values():
        page.look()
    before = {seat: page.look() for seat, page in each.items()}
    store.submit(game, 0, "rome", {"type": "plot", "ship": "r0", "speed": 2})
    texts = {2: {seat: page.look() for seat, page in each.items()}}
    other, others = pages(position=fleets(3))
    store.submit(other, 0, "rome", {"type": "plot", "ship": "r0", "speed": 1})
    texts[1] = {seat: page.look() for seat, page in others.items()}
    for seat in ("carthage", SPECTATOR):
        assert FRAGMENT.sub("", texts[1][seat].replace(other, game)) == FRAGMENT.sub("", texts[2][seat])
        assert before[seat] != texts[2][seat]  # the version
    for seat in ("rome", "umpire"):
        assert FRAGMENT.sub("", texts[1][seat].replace(other, game)) != FRAGMENT.sub("", texts[2][seat])


def test_two_who_share_a_seat_share_its_drawing_but_not_what_they_have_read(pages: Pages, store: Store) -> None:  # noqa: F811
    game, each = pages(position=fleets(2))
    each["rome"].look()
    known = store.load(game).game
    again = Page(each["rome"].client, game, "rome", each["rome"].headers["Authorization"].split()[1])
    assert again.look() == each["rome"].look()
    store.submit(game, known.version, "rome", {"type": "plot", "ship": "r0", "speed": 2})
    assert 'class="badge"' in each["rome"].look()
    store.looked(game, "rome", known.version + 1)
    assert 'class="badge"' not in each["rome"].look()


def test_a_table_asked_for_by_token_needs_no_session(pages: Pages) -> None:
    _game, each = pages(position=fleets(2))
    page = each["rome"]
    answer = page.client.get(f"{page.address}/table", headers=page.headers)
    assert "<form" in answer.text and "csrf_token" not in answer.text and "Set-Cookie" not in answer.headers
    page.look()
    assert 'data-version="1"' in page.give(0, type="plot", ship="r0", **{"speed:int": 1})
