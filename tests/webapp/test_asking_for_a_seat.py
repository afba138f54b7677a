"""Getting in by a game's code: asking for a seat, the umpire's yes or no, what is told to whom, and how often."""

from __future__ import annotations

import re
import threading
from concurrent.futures import ThreadPoolExecutor
from typing import Any

import pytest
from flask import Flask

from kit.real_house import Browser, real_app, real_store
from tactical.kernel.protocol import SPECTATOR, UMPIRE
from webapp import create_app
from webapp.post import seating
from webapp.post.people import people
from webapp.storage.errors import Refused
from webapp.storage.journal.store import Store

__all__ = ["real_app", "real_store"]
ELSEWHERE = {"REMOTE_ADDR": "203.0.113.9"}


class House:
    """A game of one system, its umpire's browser, and strangers who know the code."""

    def __init__(self, app: Flask, store: Store, system: str = "galley", scenario: str = "mylae") -> None:
        self.app, self.store = app, store
        game, self.tokens = store.create(system, scenario=scenario)
        self.id, self.side = game.id, store.load(game.id).sides[0]
        self.umpire = self.sits(UMPIRE)

    def sits(self, seat: str) -> Any:
        client = self.app.test_client()
        client.get(f"/join/{self.tokens[seat]}")
        return client

    def asks(self, client: Any, name: str, seat: str = "", **more: Any) -> Any:
        return client.post(f"/g/{self.id}/ask", data={"wanted": seat or self.side, "name": name, **more})

    def says(self, say: str, number: int = 0, **more: Any) -> Any:
        wanted = seating.waiting_in(self.store, self.id)[number].id
        return self.umpire.post(f"/g/{self.id}/answer?seat=umpire", data={"request": wanted, "say": say, **more})

    def api(self, bearer: str | None, what: str = "", **body: Any) -> Any:
        headers = {"Authorization": f"Bearer {bearer}"} if bearer else {}
        client = self.app.test_client()
        address = f"/api/v1/games/{self.id}/requests{what}"
        return client.post(address, json=body, headers=headers) if body else client.get(address, headers=headers)


@pytest.fixture
def house(app: Flask, store: Store) -> House:
    return House(app, store)


@pytest.mark.parametrize(("system", "scenario"), [("galley", "mylae"), ("hannibal", "second_punic_war")])
def test_who_knows_the_code_asks_and_sits_down_when_the_umpire_says_yes(
    app: Flask, store: Store, system: str, scenario: str
) -> None:
    house = House(app, store, system, scenario)
    guest = app.test_client()
    page = guest.get(f"/g/{house.id}")
    assert page.status_code == 401 and 'name="wanted"' in page.text
    assert house.asks(guest, "Ada").status_code == 303
    assert "The umpire has been notified" in guest.get(f"/g/{house.id}/ask").text
    asked = house.umpire.get(f"/g/{house.id}?seat=umpire").text
    assert "Ada asks for the seat" in asked and "Yes, let them in" in asked
    assert house.says("yes").status_code == 303
    assert "Ada asks" not in house.umpire.get(f"/g/{house.id}?seat=umpire").text
    moved = guest.get(f"/g/{house.id}/asked", headers={"HX-Request": "true"})
    assert (moved.status_code, moved.headers["HX-Redirect"]) == (204, f"/g/{house.id}/home?seat={house.side}")
    assert guest.get(moved.headers["HX-Redirect"], follow_redirects=True).status_code == 200
    assert guest.get(f"/api/v1/games/{house.id}").json["seat"] == house.side
    assert [who.name for who in people(store, house.id)] == ["Ada"]
    assert "Ada" in guest.get(f"/display/{house.id}").text


def test_a_guest_who_opens_the_page_again_is_led_to_the_seat(house: House) -> None:
    guest = house.app.test_client()
    house.asks(guest, "Ada")
    house.says("yes")
    led = guest.get(f"/g/{house.id}/ask")
    assert (led.status_code, led.headers["Location"]) == (303, f"/g/{house.id}/home?seat={house.side}")
    assert "Your seats on this tablet" in guest.get(f"/g/{house.id}/ask").text


def test_no_is_said_in_words_and_one_may_ask_again(house: House) -> None:
    guest = house.app.test_client()
    house.asks(guest, "Ada")
    house.says("no")
    refused = guest.get(f"/g/{house.id}/asked")
    assert refused.status_code == 200 and "The umpire has declined" in refused.text
    assert guest.get(f"/g/{house.id}").status_code == 401, "nobody sits down by a no"
    house.asks(guest, "Ada Again")
    assert [each.name for each in seating.waiting_in(house.store, house.id)] == ["Ada Again"]
    house.says("yes")
    assert guest.get(f"/g/{house.id}/asked").headers["Location"].endswith(f"?seat={house.side}")


def test_two_who_ask_for_one_seat_are_both_heard_and_the_umpire_sees_who_sits_there(house: House) -> None:
    first, second = house.app.test_client(), house.app.test_client()
    house.asks(first, "Ada")
    house.asks(second, "Boris")
    assert [each.name for each in seating.waiting_in(house.store, house.id)] == ["Ada", "Boris"]
    house.says("yes", 0)
    page = house.umpire.get(f"/g/{house.id}?seat=umpire").text
    assert "Boris asks for the seat" in page and "This seat is taken by Ada." in page
    assert "has been notified" in second.get(f"/g/{house.id}/asked").text
    house.says("yes", 0)
    assert {who.name for who in people(house.store, house.id)} == {"Ada", "Boris"}
    assert all(each.get(f"/g/{house.id}/asked").status_code == 303 for each in (first, second))
    assert house.sits(house.side).get(f"/g/{house.id}").status_code == 200, "the seat's own link still opens it"


def test_who_asks_once_more_has_one_request_and_may_ask_no_more(house: House) -> None:
    guest, other = house.app.test_client(), house.store.load(house.id).sides[1]
    house.asks(guest, "Ada")
    house.asks(guest, "Ada of Carthage", other)
    assert [(each.name, each.seat) for each in seating.waiting_in(house.store, house.id)] == [
        ("Ada of Carthage", other)
    ]
    guest.post(f"/g/{house.id}/ask", data={"act": "withdraw"})
    assert seating.waiting_in(house.store, house.id) == ()
    assert "has been notified" not in guest.get(f"/g/{house.id}/ask").text


@pytest.mark.parametrize(
    ("seat", "name", "said"),
    [
        ("umpire", "Ada", "no such side"),
        ("spectator", "Ada", "no such side"),
        ("nobody", "Ada", "no such side"),
        ("rome", "  ", "1 to 60 characters"),
        ("rome", "a" * 61, "1 to 60 characters"),
    ],
)
def test_what_cannot_be_asked_is_refused_in_words(house: House, seat: str, name: str, said: str) -> None:
    answer = house.asks(house.app.test_client(), name, seat)
    assert answer.status_code == 422 and said in answer.text and 'role="alert"' in answer.text
    told = house.api(None, seat=seat, name=name)
    assert told.status_code == 400 and said in told.json["error"] and told.json["detail"]["path"] in ("seat", "name")
    assert seating.waiting_in(house.store, house.id) == ()


def test_no_more_wait_than_the_umpire_can_answer(house: House) -> None:
    for number in range(seating.MOST):
        seating.ask_for_seat(house.store, house.id, house.side, f"Guest {number}", seating.Guest())
    answer = house.api(None, seat=house.side, name="One more")
    assert answer.status_code == 422 and "Too many people" in answer.json["error"]
    assert "Too many people" in house.asks(house.app.test_client(), "One more").text
    house.says("no")
    assert house.api(None, seat=house.side, name="One more").status_code == 201


def test_one_asks_as_slowly_as_one_guesses_codes(house: House) -> None:
    client = house.app.test_client()
    answers = [
        client.post(
            f"/api/v1/games/{house.id}/requests",
            json={"seat": house.side, "name": "Ada", "token": "x" * n},
            environ_base=ELSEWHERE,
        ).status_code
        for n in range(25)
    ]
    assert set(answers[:20]) == {201, 422} and set(answers[20:]) == {429}
    page = client.post(f"/g/{house.id}/ask", data={"wanted": house.side, "name": "Ada"}, environ_base=ELSEWHERE)
    assert page.status_code == 429
    guesses = [
        client.get(f"/g/ABCD{n:04d}/ask", environ_base={"REMOTE_ADDR": "203.0.113.10"}).status_code for n in range(25)
    ]
    assert set(guesses[:20]) == {404} and set(guesses[20:]) == {429}


def test_over_the_api_the_token_of_the_request_becomes_the_seats(house: House) -> None:
    made = house.api(None, seat=house.side, name="Ada")
    assert made.status_code == 201 and made.json["state"] == "open"
    token = made.json["token"]
    game = f"/api/v1/games/{house.id}"
    seat = {"Authorization": f"Bearer {token}"}
    client = house.app.test_client()
    assert client.get(game, headers=seat).status_code == 401, "it is nobody's yet"
    assert house.api(token).json == {"requests": [{k: v for k, v in made.json.items() if k != "token"}]}
    umpire = house.tokens[UMPIRE]
    assert [each["name"] for each in house.api(umpire).json["requests"]] == ["Ada"]
    said = house.api(umpire, f"/{made.json['id']}", yes=True)
    assert said.json["state"] == "given"
    assert house.api(umpire, f"/{made.json['id']}", yes=True).status_code == 200, "said twice it counts once"
    assert house.api(umpire, f"/{made.json['id']}", yes=False).status_code == 422
    assert len(people(house.store, house.id)) == 1
    assert client.get(game, headers=seat).json["seat"] == house.side
    assert house.api(token).json["requests"][0]["state"] == "given"
    assert token not in str(house.store.file.rows("select * from seat_requests")), "only hashes are kept"
    assert token not in str(house.store.file.rows("select * from people"))


def test_asking_anew_with_the_token_replaces_the_request(house: House) -> None:
    token = house.api(None, seat=house.side, name="Ada").json["token"]
    again = house.api(None, seat=house.side, name="Adele", token=token)
    assert again.json["token"] == token
    assert [each.name for each in seating.waiting_in(house.store, house.id)] == ["Adele"]


def test_only_the_umpire_and_the_organizer_answer(house: House) -> None:
    guest = house.app.test_client()
    house.asks(guest, "Ada")
    id = seating.waiting_in(house.store, house.id)[0].id
    for seat in (house.side, SPECTATOR):
        assert house.api(house.tokens[seat]).status_code == 403
        assert house.api(house.tokens[seat], f"/{id}", yes=True).status_code == 403
    assert house.api(None).status_code == 401
    far = {"environ_base": ELSEWHERE}
    for client in (guest, house.sits(house.side), house.sits(SPECTATOR)):
        assert client.get(f"/g/{house.id}/requests", **far).status_code in (401, 403)
        answer = client.post(f"/g/{house.id}/answer", data={"request": id, "say": "yes"}, **far)
        assert answer.status_code == 403
    assert [each.state for each in seating.waiting_in(house.store, house.id)] == ["open"]
    at_home = house.app.test_client()
    assert "Ada asks for the seat" in at_home.get("/organizer").text
    at_home.post(f"/g/{house.id}/answer", data={"request": id, "say": "yes", "back": "organizer"})
    assert [who.name for who in people(house.store, house.id)] == ["Ada"]
    assert house.api(house.tokens[UMPIRE], "/999", yes=True).status_code == 404


def test_a_request_is_told_to_nobody_else(house: House) -> None:
    """All that sides, spectator and strangers can fetch is the same with the request and without, but for a counter."""
    there = [house.side, house.store.load(house.id).sides[1], SPECTATOR]
    clients = {seat: house.sits(seat) for seat in there} | {"": house.app.test_client()}
    looked_at = ("", "/table", "/log", "/group", "/letters", "/ask", "/asked")

    def seen() -> dict[tuple[str, str], str]:
        found = {}
        for seat, client in clients.items():
            wanted = [f"/g/{house.id}{what}" for what in looked_at] + [f"/display/{house.id}"]
            wanted += [f"/api/v1/games/{house.id}{what}" for what in ("", "/journal", "/people", "/letters")]
            for address in wanted:
                text = client.get(f"{address}?seat={seat}", environ_base=ELSEWHERE).text
                text = re.sub(r'data-revision="\d+"', "", text)
                found[seat, address] = re.sub(r'(csrf-token" content|csrf_token" value)="[^"]*"', "", text)
        return found

    before = seen()
    house.asks(house.app.test_client(), "Zenobia")
    after = seen()
    assert after == before and not any("Zenobia" in text for text in after.values())
    house.says("no")
    assert seen() == before


def test_the_pages_of_seats_show_who_asks(house: House) -> None:
    house.asks(house.app.test_client(), "Ada")
    page = house.umpire.get(f"/seats/{house.id}").text
    assert "Ada asks for the seat" in page and 'name="back" value="seats"' in page
    answered = house.says("no", back="seats")
    assert answered.headers["Location"] == f"/seats/{house.id}"


def test_requests_go_with_their_game_and_outlast_a_restart(house: House) -> None:
    guest = house.app.test_client()
    house.asks(guest, "Ada")
    again = create_app({"STORE": Store(house.store.file.path), "TESTING": True})
    again.test_client_class = Browser
    later = again.test_client()
    later.set_cookie("navarch", guest.get_cookie("navarch").value)
    assert "has been notified" in later.get(f"/g/{house.id}/ask").text
    house.store.delete(house.id)
    assert house.store.file.rows("select * from seat_requests") == []


def test_of_answers_at_the_same_time_one_counts(house: House) -> None:
    for number in range(12):
        house.asks(house.app.test_client(), f"Guest {number}")
        wanted = seating.waiting_in(house.store, house.id)[0].id
        together = threading.Barrier(4)

        def say(yes: bool, id: int = wanted, together: threading.Barrier = together) -> str:
            together.wait()
            try:
                return seating.answer(house.store, house.id, id, yes).state
            except Refused:
                return "too late"
            finally:
                house.store.file.close()

        with ThreadPoolExecutor(4) as threads:
            said = set(threads.map(say, (True, False, True, False)))
        sits = f"Guest {number}" in {who.name for who in people(house.store, house.id)}
        assert said == {"given" if sits else "refused", "too late"}
