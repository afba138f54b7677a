"""The API of devices: a browser asks to be told when its seat is waited for. The page's script uses it too."""

from __future__ import annotations

from typing import Annotated, Any

from flask import Blueprint, Response, current_app, g
from flask_babel import get_locale
from msgspec import Meta

from tactical.kernel.protocol import SPECTATOR
from tactical.kernel.record import Input
from webapp.api.errors import answer, answer_in_json
from webapp.http.addresses import root
from webapp.http.rate_limit import slow_down
from webapp.http.request_body import body
from webapp.http.seats import acting_seat, current_seat, store
from webapp.post import devices, web_push
from webapp.post.api import postman
from webapp.post.devices import Device
from webapp.storage.journal import tokens

bp = Blueprint("devices_api", __name__, url_prefix="/api/v1/games/<game>/devices")
answer_in_json(bp)


class Keys(Input, frozen=True):
    """What seals messages to a browser, as `PushSubscription.toJSON` gives it (base64url)."""

    p256dh: Annotated[str, Meta(max_length=200)]
    auth: Annotated[str, Meta(max_length=100)]


class Asked(Input, frozen=True):
    """A browser that asks to be told: the address at its push service and its keys."""

    endpoint: Annotated[str, Meta(max_length=2000)]
    keys: Keys


def device_json(device: Device) -> dict[str, Any]:
    """A device as its seat may see it: never its address, which is as good as a key."""
    return {"id": device.id, "service": device.service, "made": device.made}


def devices_json(game: str, seat: str) -> dict[str, Any]:
    """The devices of a seat, and the key to which a browser ties its consent."""
    key = web_push.encode(web_push.public(web_push.own_key(store())))
    those = () if seat == SPECTATOR else devices.devices(store(), game, seat)
    return {"key": key, "devices": [device_json(each) for each in those]}


@bp.get("")
def index(game: str) -> Response:
    """The devices of this seat, and the server's public key."""
    return answer(devices_json(game, current_seat(game).side))


@bp.post("")
def add(game: str) -> Response:
    """A browser of this seat asks to be told, by web push, when the seat is waited for or written to."""
    seat, wanted = acting_seat(game), body(Asked)
    slow_down("mails")
    near = bool(current_app.config.get("CALLS_MAY_STAY_HOME"))
    made = devices.add(
        store(),
        game,
        seat.side,
        _person(game, seat.side),
        wanted.endpoint,
        wanted.keys.p256dh,
        wanted.keys.auth,
        str(get_locale() or "en"),
        root(),
        near,
        tokens.token_hash(g.token),
    )
    postman().start()
    return answer(device_json(made), 201)


@bp.delete("/<int:id>")
def remove(game: str, id: int) -> Response:
    """This seat does without a device."""
    devices.remove(store(), game, acting_seat(game).side, id)
    return answer({"done": True})


@bp.post("/<int:id>/trial")
def trial(game: str, id: int) -> Response:
    """Tell a device something now, to see whether it comes through."""
    device = devices.device_of(store(), game, id, acting_seat(game).side)
    slow_down("mails")
    postman().try_device(device)
    return answer({"done": True})


def _person(game: str, seat: str) -> int:
    """Whose own link the browser came by; 0 for the seat's."""
    token = g.get("token")
    if not token:
        return 0
    known = store().file.rows(
        "select id from people where game = ? and seat = ? and token = ?", game, seat, tokens.token_hash(token)
    )
    return int(known[0]["id"]) if known else 0
