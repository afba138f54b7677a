"""What a page's stream brings: the parts of what the page would be shown if it asked, to nobody else, and once."""

from __future__ import annotations

import asyncio
import json
import random
import zlib
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from typing import Any

import pytest
from flask import Flask
from test_table_parts import Page, change

from benchmarks.fleets import fleets
from benchmarks.table_parts import Held, asking, told
from kit.readers import app, store  # noqa: F401
from tactical.kernel.protocol import SPECTATOR
from webapp.http import page_streams
from webapp.storage.games import Store

TWO = {"position": fleets(2)}
PLOT = {"type": "plot", "ship": "r0", "speed": 2}


class Follower(Page):
    """A page with its stream: it keeps the tables by the names that the stream has for them."""

    def __init__(self, app: Flask, game: str, seat: str, token: str, name: str, **cookies: str) -> None:  # noqa: F811
        super().__init__(app.test_client(), game, seat, token)
        for cookie, value in cookies.items():
            self.client.set_cookie(cookie, value)
        self.tables: dict[str, Held] = {}
        self._streams, self._token = app.extensions["navarch-page-streams"], token
        self.reopen(name)

    def reopen(self, name: str, **query: Any) -> None:
        """Open the stream under this name."""
        self.name = name
        asked = {"page": name, **query}
        self.answer = self.client.get(
            f"{self.address}/stream", query_string=asked, headers=self.headers, buffered=False
        )
        assert self.answer.status_code == 200
        stream = self._streams.named(self.address.rpartition("/")[2], name, self._token)
        assert isinstance(stream, page_streams.PageStream)
        self.stream = stream
        assert next(self.answer.iter_encoded()).startswith(b"retry")

    def news(self) -> dict[str, str]:
        """The fields of the next event, empty when there is nothing to tell; parts are put into the table."""
        fields = dict(line.split(": ", 1) for line in self.stream.tell_now().split("\n") if ": " in line)
        if fields.get("event") == "parts":
            said = json.loads(fields["data"])
            self.held = self.tables[said["to"]] = told(said["text"], self.tables[said["on"]])
        return fields

    @property
    def shown(self) -> str:
        """The table that the page holds."""
        return "".join(text for _digest, text in self.held)

    def _asking(self) -> dict[str, str]:
        return {**super()._asking(), "X-Live": self.name}

    def _heard(self, answer: Any) -> str:
        text = super()._heard(answer)
        if "X-Live" in answer.headers:
            self.tables[answer.headers["X-Live"]] = self.held
        return text


Begun = Callable[..., tuple[str, dict[str, str], Callable[..., Follower]]]


@pytest.fixture
def begun(app: Flask, store: Store) -> Iterator[Begun]:  # noqa: F811
    """A battle: its code, its tokens, and what sits down a page that follows."""

    def begin(**wanted: Any) -> tuple[str, dict[str, str], Callable[..., Follower]]:
        game, tokens = store.create("galley", **wanted)

        def sit(seat: str, name: str = "page", **cookies: str) -> Follower:
            return Follower(app, game.id, seat, tokens[seat], name, **cookies)

        return game.id, tokens, sit

    yield begin
    app.extensions["navarch-hub"].close()


@pytest.fixture
def asked(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """The tables that streams have asked for."""
    found: list[str] = []
    call = page_streams.call

    def counted(app: Flask, environ: dict[str, Any]) -> Any:  # noqa: F811
        found.append(f"{environ['PATH_INFO']}?{environ['QUERY_STRING']}")
        return call(app, environ)

    monkeypatch.setattr(page_streams, "call", counted)
    return found


def test_a_page_that_nobody_knows_hears_of_versions(begun: Begun, store: Store) -> None:  # noqa: F811
    game, _, sit = begun(**TWO)
    page = sit("rome")
    store.submit(game, 0, "rome", PLOT)
    assert page.news() == {"id": "1", "event": "version", "data": "1"} and page.news() == {}


def test_after_100_changes_what_streams_brought_is_the_page_of_a_fresh_load(begun: Begun, store: Store) -> None:  # noqa: F811
    chance = random.Random(5)
    game, tokens, sit = begun(scenario="mylae")
    ships = list(store.load(game).state.ships)
    pages = [sit(seat, view, scheme=scheme) for seat in tokens for view, scheme in (("a", "day"), ("b", "night"))]
    looks: dict[Follower, dict[str, str]] = {
        page: {"seat": page.seat, "ship": chance.choice(ships), "view": chance.choice(("board", "fleet", "list"))}
        for page in pages
    }
    for page, look in looks.items():
        page.look(**look)
    for number in range(100):
        if store.load(game).game.over:
            break
        change(store, game, chance)
        for page in pages if number % 10 == 0 else chance.sample(pages, 2):
            assert page.news()["event"] == "parts" and page.news() == {}
            assert page.shown == page.fresh(**looks[page]), (number, page.seat)
    assert number > 50


def test_a_stream_asks_once_for_all_who_ask_alike(begun: Begun, store: Store, asked: list[str]) -> None:  # noqa: F811
    game, _, sit = begun(**TWO)
    pages = [sit("rome", name) for name in "abc"] + [sit("rome", "night", scheme="night"), sit("carthage")]
    for page in pages:
        page.look(seat=page.seat)
    store.submit(game, 0, "rome", PLOT)

    async def all_told() -> list[str]:
        return list(await asyncio.gather(*(page.stream.tell() for page in pages)))

    with ThreadPoolExecutor(1) as apart:  # a browser test before this one may have left its loop in the main thread
        events = apart.submit(lambda: asyncio.run(all_told())).result()
    assert len(asked) == 3, "Rome by day, Rome by night, Carthage"
    assert events[0] == events[1] == events[2] and len(set(events)) == 3


def test_an_answer_to_the_page_brings_what_its_stream_would(begun: Begun, asked: list[str]) -> None:
    _game, _, sit = begun(**TWO)
    rome, other = sit("rome", "a"), sit("rome", "b")
    for page in (rome, other):
        page.look()
    rome.give(0, type="plot", ship="r0", **{"speed:int": 2}, show="r0")
    assert rome.news() == {} and asked == []
    assert other.news()["event"] == "parts"
    rome.give(1, type="plot", ship="r1", **{"speed:int": 2}, show="r1")
    assert rome.news() == {} and rome.shown == rome.fresh(ship="r1"), "its stream goes on from what it looks at now"


def test_a_stream_hears_at_its_opening_what_the_page_holds(begun: Begun, store: Store) -> None:  # noqa: F811
    game, _, sit = begun(**TWO)
    page = sit("rome")
    page.look(ship="r1")
    page.stream.close()
    query = {"after": 0, "revision": 0, "ship": "r1", "holds": asking(page.held)}
    page.reopen("anew", **query)
    page.tables = {"anew": page.held}
    store.submit(game, 0, "rome", PLOT)
    assert page.news()["event"] == "parts" and page.shown == page.fresh(ship="r1")


@pytest.mark.parametrize("query", ["after=x", "after=1&holds=a&revision=x"])
def test_a_stream_is_not_opened_by_what_is_no_number(begun: Begun, query: str) -> None:
    _game, _, sit = begun(**TWO)
    page = sit("rome")
    assert page.client.get(f"{page.address}/stream?{query}", headers=page.headers).status_code in (400, 422)


def test_while_an_answer_is_under_way_its_stream_waits(begun: Begun, store: Store) -> None:  # noqa: F811
    game, _, sit = begun(**TWO)
    rome = sit("rome")
    rome.look()
    rome.stream.answering()
    store.submit(game, 0, "rome", PLOT)
    assert rome.news() == {}
    rome.stream.answered()
    assert rome.news()["event"] == "parts" and rome.shown == rome.fresh()


def test_a_look_at_something_else_changes_what_the_stream_brings(begun: Begun, store: Store) -> None:  # noqa: F811
    game, _, sit = begun(**TWO)
    rome = sit("rome")
    rome.look()
    rome.look(ship="r1")
    store.submit(game, 0, "rome", PLOT)
    assert rome.news()["event"] == "parts" and rome.shown == rome.fresh(ship="r1")


def test_a_withdrawn_seat_is_brought_nothing(begun: Begun, store: Store, asked: list[str]) -> None:  # noqa: F811
    game, _, sit = begun(**TWO)
    rome, same, carthage = sit("rome", "a"), sit("rome", "b"), sit("carthage")
    for page in (rome, same, carthage):
        page.look()
    store.withdraw(game, "rome")
    store.submit(game, 0, "carthage", {"type": "plot", "ship": "c0", "speed": 2})
    assert all(page.news().get("event") in (None, "version") for page in (rome, same))
    assert carthage.news()["event"] == "parts" and len(asked) >= 1


def test_what_the_new_holder_of_a_seat_is_brought_is_not_shared_with_the_old_one(
    app: Flask,  # noqa: F811
    store: Store,  # noqa: F811
    begun: Begun,
    asked: list[str],
) -> None:
    game, _, sit = begun(**TWO)
    old = sit("rome", "old")
    old.look()
    new = Follower(app, game, "rome", store.reissue(game, "rome"), "new")
    new.look()
    store.submit(game, 0, "rome", PLOT)

    async def both_told() -> list[str]:
        return list(await asyncio.gather(new.stream.tell(), old.stream.tell()))

    with ThreadPoolExecutor(1) as apart:
        brought, withheld = apart.submit(lambda: asyncio.run(both_told())).result()
    assert asked and "event: parts" in brought
    assert "event: parts" not in withheld


def test_no_seat_hears_by_the_name_of_anothers_stream(begun: Begun, store: Store) -> None:  # noqa: F811
    game, tokens, sit = begun(**TWO)
    rome = sit("rome", "romes-own")
    rome.look()
    names = set(rome.tables)
    for seat in ("carthage", SPECTATOR):
        headers = {"Authorization": f"Bearer {tokens[seat]}", "X-Held": "none", "X-Live": "romes-own"}
        answer = rome.client.get(f"/g/{game}/table", headers={**headers, "HX-Request": "true"})
        assert answer.status_code == 200 and "X-Live" not in answer.headers
    store.submit(game, 0, "rome", PLOT)
    assert json.loads(rome.news()["data"])["on"] in names


def test_streams_that_call_themselves_alike_are_brought_each_its_own_seats_table(begun: Begun, store: Store) -> None:  # noqa: F811
    game, _, sit = begun(**TWO)
    pages = [sit(seat, "live") for seat in ("carthage", "rome")]
    for page in pages:
        page.look()
        page.tables["live"] = page.held
        page.reopen("live", after=0, revision=0, holds=" ".join(digest for digest, _text in pages[0].held))
    store.submit(game, 0, "rome", PLOT)

    async def all_told() -> list[str]:
        return list(await asyncio.gather(*(page.stream.tell() for page in pages)))

    with ThreadPoolExecutor(1) as apart:
        events = apart.submit(lambda: asyncio.run(all_told())).result()
    for page, event in zip(pages, events, strict=True):
        assert f"seat={page.seat}" in event and not any(
            f"seat={other.seat}" in event for other in pages if other != page
        )


def test_what_a_side_may_not_see_does_not_change_what_its_stream_brings(begun: Begun, store: Store) -> None:  # noqa: F811
    brought = []
    for speed in (1, 2):
        game, _, sit = begun(**TWO)
        carthage = sit("carthage")
        carthage.look()
        store.submit(game, 0, "rome", {**PLOT, "speed": speed})
        assert carthage.news()["event"] == "parts"
        brought.append(carthage.shown.replace(game, "GAME"))
    assert brought[0] == brought[1]


def test_a_page_whose_cookie_changes_is_known_again_by_its_next_look(begun: Begun, store: Store) -> None:  # noqa: F811
    game, _, sit = begun(**TWO)
    page = sit("rome")
    page.look()
    lesson = page.client.post(f"{page.address}/lesson", data={"name": "left"}, headers=page._asking())
    assert lesson.status_code == 200 and "X-Live" not in lesson.headers
    page._heard(lesson)
    store.submit(game, 0, "rome", PLOT)
    assert page.news()["event"] == "version"
    page.look()
    store.submit(game, 1, "rome", {**PLOT, "speed": 1})
    assert page.news()["event"] == "parts" and page.shown == page.fresh()


def test_a_page_that_has_seen_more_than_the_server_has_is_told(begun: Begun, store: Store) -> None:  # noqa: F811
    game, _, sit = begun(**TWO)
    store.submit(game, 0, "rome", PLOT)
    page = sit("rome")
    page.look()
    page.stream._hub.publish(game, 0, 0, has_gone_back=True)
    assert page.news()["event"] == "lost"


def test_events_of_a_stream_are_compressed_one_by_one(begun: Begun, store: Store) -> None:  # noqa: F811
    game, _, sit = begun(**TWO)
    page = sit("rome")
    page.look()
    page.stream.is_packed = True
    unpacking = zlib.decompressobj(wbits=31)
    assert unpacking.decompress(page.stream.sent(": ping\n\n")) == b": ping\n\n"
    for seen in range(3):
        store.submit(game, seen, "rome", {**PLOT, "speed": 1 + seen % 2})
        said = page.stream.tell_now()
        small = page.stream.sent(said)
        assert unpacking.decompress(small).decode() == said and len(small) < len(said)


def test_a_seat_has_so_many_pages_that_are_brought_tables(
    begun: Begun,
    store: Store,  # noqa: F811
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(page_streams, "MOST", 2)
    game, tokens, sit = begun(**TWO)
    pages = [sit("rome", "a"), sit("rome", "b"), sit("carthage", "a")]
    answer = pages[0].client.get(f"{pages[0].address}/stream?page=c", headers=pages[0].headers, buffered=False)
    streams = pages[0].client.application.extensions["navarch-page-streams"]
    assert streams.named(game, "c", tokens["rome"]) is None
    answer.close()
    pages[0].look()
    store.submit(game, 0, "rome", PLOT)
    assert pages[0].news()["event"] == "parts"
    del pages
