"""Web push: a browser is told that its seat is waited for, by a service that cannot read it."""

from __future__ import annotations

import json
import socket
import time
from base64 import urlsafe_b64decode
from collections.abc import Callable
from datetime import UTC, datetime, timedelta
from typing import Any

import pytest
from cryptography.hazmat.primitives import hashes
from cryptography.hazmat.primitives.asymmetric import ec
from cryptography.hazmat.primitives.asymmetric.utils import encode_dss_signature
from flask import Flask

from kit.by_post import Box, Group
from kit.push_service import PushBrowser, Service
from webapp.post import devices
from webapp.post.devices import decode, encode
from webapp.post.postman import Postman

LATER = timedelta(hours=1)  # after the last act, so that nobody counts as sitting at the table


@pytest.fixture
def near(app: Flask) -> Flask:
    """The organizer allows push services in the server's own network."""
    app.config["CALLS_MAY_STAY_HOME"] = True
    return app


def later(postman: Postman, group: Group, after: timedelta = LATER) -> None:
    postman.round([group.id], datetime.now(UTC) + after)


def asked(group: Group) -> str:
    """The seat that is waited for."""
    seat: str = group.state()["waiting_for"][0]
    return seat


# How it is sealed ------------------------------------------------------------------------------------


def test_rfc_8291_the_example_of_its_appendix_is_sealed_byte_for_byte():
    key = ec.derive_private_key(
        int.from_bytes(decode("yfWPiYE-n46HLnH0KqZOF1fJJU3MYrct3AELtAQ-oRw"), "big"), ec.SECP256R1()
    )
    browser = decode("BCVxsr7N_eNgVRqvHtD0zTZsEc6-VV-JvLexhqUzORcxaOzi6-AYWXvTBHm4bjyPjs7Vd8pZGH6SRpkNtoIAiw4")
    made = devices.seal(
        b"When I grow up, I want to be a watermelon",
        browser,
        decode("BTBZMqHH6r4Tts7J_aSIgg"),
        key,
        decode("DGv6ra1nlYgDCS1FRnbzlw"),
        step=1,
    )
    assert encode(made) == (
        "DGv6ra1nlYgDCS1FRnbzlwAAEABBBP4z9KsN6nGRTbVYI_c7VJSPQTBtkgcy27mlmlMoZIIgDll6e3vCYLocInmYWAmS6TlzAC8wEqKK6PBru3jl7A_"
        "yl95bQpu6cVPTpK4Mqgkf1CXztLVBSt2Ks3oZwbuwXPXLWyouBWLVWGNWQexSgSxsj_Qulcy4a-fN"
    )


def test_a_message_of_any_length_within_a_step_has_the_same_length():
    key = devices.public(ec.generate_private_key(ec.SECP256R1()))
    lengths = {len(devices.seal(b"x" * many, key, b"s" * 16)) for many in range(devices.STEP)}
    assert len(lengths) == 1
    with pytest.raises(ValueError):
        devices.seal(b"x" * (devices.MOST_BYTES + 1), key, b"s" * 16)


def test_rfc_8292_the_signature_names_the_service_and_is_the_servers_own(app: Flask):
    key = devices.own_key(app.extensions["navarch"].store)
    said = devices.push_headers(key, "https://push.example/send/abc", "mailto:navarch@club.example", "/g/x")
    scheme, token, public = said["Authorization"].replace(",", "").split(" ")
    head, claims, signature = token.removeprefix("t=").split(".")
    raw = decode(signature)
    shown = ec.EllipticCurvePublicKey.from_encoded_point(ec.SECP256R1(), decode(public.removeprefix("k=")))
    signed = encode_dss_signature(int.from_bytes(raw[:32], "big"), int.from_bytes(raw[32:], "big"))
    shown.verify(signed, f"{head}.{claims}".encode(), ec.ECDSA(hashes.SHA256()))
    told = json.loads(urlsafe_b64decode(claims + "=="))
    assert (scheme, told["aud"], told["sub"]) == ("vapid", "https://push.example", "mailto:navarch@club.example")
    assert 0 < told["exp"] - datetime.now(UTC).timestamp() < 24 * 3600
    assert len(said["Topic"]) == 32
    assert devices.public(devices.own_key(app.extensions["navarch"].store)) == devices.public(key), "one key for good"


# What is told ----------------------------------------------------------------------------------------


def test_a_device_is_told_once_that_its_seat_is_waited_for(
    near: Flask, postman: Postman, group: Group, service: Service
):
    browser, seat = PushBrowser(service), asked(group)
    made = group.ask("POST", seat, "/devices", browser.asks)
    assert made.status_code == 201 and browser.endpoint not in made.text
    for _twice in range(2):
        later(postman, group)
    ((headers, sealed),) = service.taken
    assert headers["Content-Encoding"] == "aes128gcm" and headers["Authorization"].startswith("vapid t=")
    told = browser.opens(sealed)
    assert "It is your turn" in told["body"]
    assert told["url"] == f"/g/{group.id}/home?seat={seat}"
    assert sorted(told) == ["body", "tag", "title", "url"]


def test_whom_nobody_waits_for_is_not_told(near: Flask, postman: Postman, group: Group, service: Service):
    seat = asked(group)
    other = next(each for each in ("rome", "carthage") if each != seat)
    group.ask("POST", other, "/devices", PushBrowser(service).asks)
    later(postman, group)
    assert service.taken == []


def test_who_has_acted_within_two_minutes_is_told_when_they_are_over(near: Flask, postman: Postman, service: Service):
    battle = Group(near.test_client(), "galley", near.extensions["navarch"].store.systems["galley"].scenarios()[0].id)
    side = asked(battle)
    battle.ask("POST", side, "/devices", PushBrowser(service).asks)
    plot = next(offer for offer in battle.state(side)["offers"] if offer["type"] == "plot")["fields"]
    ship = plot["ship"] if isinstance(plot["ship"], str) else plot["ship"][0]
    assert battle.command(side, {"type": "plot", "ship": ship, "speed": 1}).status_code == 200
    later(postman, battle, timedelta(minutes=1))
    assert service.taken == [] and side in battle.state()["waiting_for"]
    later(postman, battle, timedelta(minutes=3))
    assert len(service.taken) == 1


def test_a_letter_is_announced_to_its_reader_and_not_told(
    near: Flask, postman: Postman, group: Group, service: Service
):
    seat = asked(group)
    other = next(each for each in ("rome", "carthage") if each != seat)
    browser = PushBrowser(service)
    group.ask("POST", other, "/devices", browser.asks)
    group.ask("POST", seat, "/letters", {"to": "umpire", "text": "Between us."})
    group.ask("POST", seat, "/letters", {"to": other, "text": "Shall we share Sicily?"})
    later(postman, group)
    told = [browser.opens(sealed)["body"] for _, sealed in service.taken]
    assert len(told) == 1 and "A letter from" in told[0] and "Sicily" not in told[0]


def test_a_person_who_is_away_is_not_told_but_his_deputy_is(
    near: Flask, postman: Postman, group: Group, service: Service
):
    seat = asked(group)
    ada, ben = group.put_in(seat, "Ada"), group.put_in(seat, "Ben", role="deputy")
    hers, his = PushBrowser(service, "ada"), PushBrowser(service, "ben")
    for person, browser in ((ada, hers), (ben, his)):
        token = person["link"].rpartition("/")[2]
        assert group.ask("POST", seat, "/devices", browser.asks, token=token).status_code == 201
    away = {"away_from": "2020-01-01", "away_until": "2099-01-01"}
    assert group.ask("PATCH", seat, f"/people/{ada['id']}", away).status_code == 200
    later(postman, group)
    ((_, sealed),) = service.taken
    assert "your turn" in his.opens(sealed)["body"]


def test_a_browser_that_is_gone_is_forgotten_and_a_busy_service_asked_again(
    near: Flask, postman: Postman, group: Group, service: Service
):
    store, seat = near.extensions["navarch"].store, asked(group)
    group.ask("POST", seat, "/devices", PushBrowser(service).asks)
    service.answer = 503
    later(postman, group)
    later(postman, group, LATER + timedelta(minutes=10))
    assert len(service.taken) == 2 and len(devices.devices(store, group.id)) == 1
    service.answer = 410
    later(postman, group, LATER + timedelta(hours=1))
    assert len(service.taken) == 3 and devices.devices(store, group.id) == ()
    later(postman, group, LATER + timedelta(hours=9))
    assert len(service.taken) == 3


def test_a_slow_push_service_holds_up_no_mail_no_order_and_no_other_service(
    near: Flask, postman: Postman, group: Group, service: Service, box: tuple[Box, str]
):
    seat, slow = asked(group), Service()
    slow.is_ready.clear()
    group.ask("POST", seat, "/devices", PushBrowser(slow).asks)
    group.ask("POST", seat, "/devices", PushBrowser(service, "two").asks)
    group.put_in(seat, "Ada", "ada@club.example")
    postman.by_itself = True  # as in a server: devices are told apart
    later(postman, group)
    assert any("your turn" in subject for subject in box[0].to("ada@club.example"))
    assert until(lambda: len(service.taken) == 1 and len(slow.taken) == 1), "the slow one has not answered yet"
    later(postman, group, LATER + timedelta(minutes=10))
    assert len(slow.taken) == 1, "it is not asked again while it is asked"
    slow.is_ready.set()
    sent = "select count(*) as many from outbox where device > 0 and sent is not null"
    assert until(lambda: near.extensions["navarch"].store.file.rows(sent)[0]["many"] == 2)
    slow.server.shutdown()


def until(has_come: Callable[[], bool]) -> bool:
    """Wait for what other threads do; False when it does not come within a minute."""
    end = time.monotonic() + 60
    while not has_come() and time.monotonic() < end:
        time.sleep(0.01)
    return has_come()


def test_a_trial_comes_through_and_a_renewed_link_ends_the_devices_of_the_old_one(
    near: Flask, postman: Postman, group: Group, service: Service
):
    store, browser = near.extensions["navarch"].store, PushBrowser(service)
    id = group.ask("POST", "rome", "/devices", browser.asks).json["id"]
    assert group.ask("POST", "rome", f"/devices/{id}/trial").status_code == 200
    later(postman, group, timedelta())
    assert any("This is a test" in browser.opens(sealed)["body"] for _, sealed in service.taken)
    store.reissue(group.id, "rome")
    assert devices.devices(store, group.id) == ()


def test_no_name_is_looked_up_while_a_browser_asks(
    app: Flask, group: Group, service: Service, monkeypatch: pytest.MonkeyPatch
):
    asked = []
    monkeypatch.setattr(socket, "getaddrinfo", lambda *given, **_: asked.append(given))
    asks = {**PushBrowser(service).asks, "endpoint": "https://slow.example/push"}
    assert group.ask("POST", "rome", "/devices", asks).status_code == 201
    assert asked == []


# Who may, and what is refused ------------------------------------------------------------------------


def test_no_seat_sees_or_ends_the_devices_of_another(near: Flask, group: Group, service: Service):
    id = group.ask("POST", "rome", "/devices", PushBrowser(service).asks).json["id"]
    for seat in ("carthage", "umpire", "spectator"):
        answer = group.ask("GET", seat, "/devices")
        assert answer.json["devices"] == [] and "/push/" not in answer.text, seat
    assert group.ask("DELETE", "carthage", f"/devices/{id}").status_code == 404
    assert group.ask("POST", "umpire", f"/devices/{id}/trial").status_code == 404
    assert group.ask("POST", "spectator", "/devices", PushBrowser(service).asks).status_code == 403
    assert group.ask("DELETE", "rome", f"/devices/{id}").status_code == 200
    assert group.ask("GET", "rome", "/devices").json["devices"] == []


@pytest.mark.parametrize(
    "change, field",
    [
        ({"endpoint": "ftp://push.example/x"}, "endpoint"),
        ({"endpoint": "http://127.0.0.1:1/x"}, "endpoint"),
        ({"endpoint": "http://1.1.1.1/x"}, "endpoint"),
        ({"keys": {"p256dh": "AAAA", "auth": encode(b"s" * 16)}}, "p256dh"),
        ({"keys": {"p256dh": "не", "auth": encode(b"s" * 16)}}, "p256dh"),
        ({"keys": {"p256dh": encode(devices.public(ec.generate_private_key(ec.SECP256R1()))), "auth": "AA"}}, "auth"),
    ],
)
def test_what_no_browser_hands_out_is_refused_by_field(
    app: Flask, group: Group, service: Service, change: dict[str, Any], field: str
):
    asks = {**PushBrowser(service).asks, "endpoint": "https://1.1.1.1/push", **change}
    answer = group.ask("POST", "rome", "/devices", asks)
    assert answer.status_code == 400 and answer.json["detail"]["path"] == field
    assert group.ask("GET", "rome", "/devices").json["devices"] == []


def test_a_seat_has_only_so_many_devices_and_one_that_asks_again_counts_once(
    near: Flask, group: Group, service: Service
):
    for number in range(devices.MOST):
        asks = PushBrowser(service, str(number)).asks
        for _twice in range(2):
            assert group.ask("POST", "rome", "/devices", asks).status_code == 201
    assert len(group.ask("GET", "rome", "/devices").json["devices"]) == devices.MOST
    assert group.ask("POST", "rome", "/devices", PushBrowser(service, "more").asks).status_code == 400


def test_the_groups_page_shows_the_service_and_not_the_address(near: Flask, group: Group, service: Service):
    browser = PushBrowser(service, "secret-address")
    group.ask("POST", "rome", "/devices", browser.asks)
    client = near.test_client()
    client.get(f"/join/{group.tokens['rome']}")
    page = client.get(f"/g/{group.id}/group").text
    assert service.url.removeprefix("http://") in page and "secret-address" not in page
    assert 'data-key="' in page
