"""Telling a device: what waits for it in the outbox is sealed and handed to its push service. No Flask."""

from __future__ import annotations

from tactical.kernel.record import encode
from webapp.post import devices, web_push
from webapp.post.http_post import Failed, status_of_post
from webapp.post.mail import Mail
from webapp.storage.errors import Unknown
from webapp.storage.journal.store import Store

GONE = (404, 410)  # what a push service answers when the browser has done without


def send_push(store: Store, mail: Mail, near: bool, contact: str) -> None:
    """Tell a device; one that its push service no longer knows is forgotten. Raises Failed.

    `contact`: the mailto: or https: address of who runs this server, for the push service. `near`: see `http_post`.
    """
    try:
        device = devices.device_of(store, mail.game, mail.device)
    except Unknown:
        return
    told = {"title": mail.subject, "body": mail.body, "url": mail.stop, "tag": topic(mail)}
    sealed = web_push.seal(encode(told), web_push.decode(device.browser), web_push.decode(device.secret))
    headers = web_push.headers(web_push.own_key(store), device.endpoint, contact, topic(mail))
    status = status_of_post(device.endpoint, sealed, headers, near)
    if status in GONE:
        devices.forget(store, mail.game, device.id)
    elif not 200 <= status < 300:
        raise Failed(f"the other end answered {status}")


def topic(mail: Mail) -> str:
    """What a message is about: a newer one of the same game and seat takes the place of one not yet read."""
    return mail.stop
