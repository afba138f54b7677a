"""What is made of a view stays while the seat sees the same, and no longer."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from flask import Flask
from flask.testing import FlaskClient

from kit.real_house import real_app, real_store
from webapp.http import cache
from webapp.pages.battle import same_view
from webapp.pages.battle.same_view import View, view_of
from webapp.storage.games import Store

__all__ = ["real_app", "real_store"]


@pytest.fixture
def asked(app: Flask) -> Iterator[None]:
    with app.test_request_context("/"):
        yield


@pytest.fixture
def game(store: Store) -> str:
    return store.create("galley", "mylae")[0].id


def plot(store: Store, game: str, place: int, seen: int) -> str:
    """Rome sets the speed of one of her ships."""
    ships = store.load(game).state.ships
    ship = [name for name in ships if ships[name].side == "rome"][place]
    store.submit(game, seen, "rome", {"type": "plot", "ship": ship, "speed": 1})
    return ship


def seen_by(store: Store, game: str, seat: str) -> View:
    return view_of(store, store.load(game), seat)


@pytest.mark.usefixtures("asked")
def test_who_sees_nothing_new_has_the_view_of_before(store: Store, game: str) -> None:
    before = {seat: seen_by(store, game, seat) for seat in ("rome", "carthage", "spectator", "umpire")}
    plot(store, game, 0, 0)
    after = {seat: seen_by(store, game, seat) for seat in before}
    assert {seat for seat in before if after[seat] is before[seat]} == {"carthage", "spectator"}
    for seat, view in after.items():
        assert view.battle == store.load(game).view(seat)


@pytest.mark.usefixtures("asked")
def test_games_and_seats_have_views_of_their_own(store: Store, game: str) -> None:
    other = store.create("galley", "mylae")[0].id
    views = [seen_by(store, code, seat) for code in (game, other) for seat in ("carthage", "spectator")]
    assert len({id(view) for view in views}) == 4


def test_what_is_made_is_of_one_language(app: Flask, store: Store, game: str) -> None:
    found = []
    for language in ("en", "it", "it"):
        with app.test_request_context("/", headers={"Accept-Language": language}):
            found.append(seen_by(store, game, "carthage"))
    assert found[0] is not found[1]
    assert found[1] is found[2]


@pytest.mark.usefixtures("asked")
def test_what_was_made_is_made_anew_for_other_values(store: Store, game: str, monkeypatch: pytest.MonkeyPatch) -> None:
    view, made = seen_by(store, game, "carthage"), []

    def ask(value: int) -> int:
        return view.once("test", value, make=lambda: made.append(value) or value * 2)  # type: ignore[func-returns-value]

    assert [ask(1), ask(1), ask(2)] == [2, 2, 4]
    assert made == [1, 2]
    monkeypatch.setattr(same_view, "LOOKS", 2)
    assert [ask(3), ask(1)] == [6, 2]
    assert made == [1, 2, 3, 1]
    assert len(view.made) == 2


@pytest.mark.usefixtures("asked")
def test_all_is_forgotten_with_what_else_is_kept(store: Store, game: str) -> None:
    before = seen_by(store, game, "carthage")
    cache.clear_all()
    assert seen_by(store, game, "carthage") is not before


def test_the_enemys_page_after_a_plot_is_that_of_a_fresh_load(app: Flask, store: Store) -> None:
    game, tokens = store.create("galley", "mylae")[:2]
    client: FlaskClient = app.test_client(use_cookies=False)

    def page(seat: str, more: str = "") -> str:
        answer = client.get(f"/g/{game.id}/table{more}", headers={"Authorization": f"Bearer {tokens[seat]}"})
        assert answer.status_code == 200
        return str(answer.text)

    for place in range(4):
        looked_at = {(seat, more): page(seat, more) for seat in tokens for more in ("", "?view=list", "?rings=1")}
        chosen = plot(store, game.id, place, place)
        after = {
            (seat, more): page(seat, more)
            for seat in tokens
            for more in ("", "?view=list", "?rings=1", f"?ship={chosen}")
        }
        for (seat, more), text in after.items():
            cache.clear_all()
            assert page(seat, more) == text
        assert looked_at["rome", ""] != after["rome", ""]
