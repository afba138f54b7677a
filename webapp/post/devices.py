"""Devices: the browsers that a seat has asked to tell when it is waited for or written to. No Flask."""

from __future__ import annotations

from urllib.parse import urlsplit

from cryptography.hazmat.primitives.asymmetric import ec

from tactical.kernel.protocol import SPECTATOR
from tactical.kernel.record import BadInput, Record
from webapp.post.http_post import NotAllowed, read_address
from webapp.post.web_push import CURVE, decode
from webapp.storage.errors import Barred, Unknown
from webapp.storage.file.tables import check_stands
from webapp.storage.journal.store import Store

MOST = 12  # devices of one seat
FIELDS = "id, game, seat, person, endpoint, browser, secret, lang, home, made"


class Device(Record, frozen=True):
    """A browser of a seat; `person` is who sat there by his own link, 0 for the seat's.

    `endpoint` is the address at its push service, which is as good as a key; `browser` and `secret` seal what is sent
    (base64url).
    """

    id: int
    game: str
    seat: str
    person: int
    endpoint: str
    browser: str
    secret: str
    lang: str
    home: str
    made: str

    @property
    def service(self) -> str:
        """The push service, which may be shown; the whole address may not."""
        return urlsplit(self.endpoint).netloc


def devices(store: Store, game: str, seat: str | None = None) -> tuple[Device, ...]:
    """The devices of a game, or of one of its seats."""
    rows = store.file.rows(f"select {FIELDS} from devices where game = ? order by id", game)
    return tuple(device for row in rows if (device := Device(**row)) and seat in (None, device.seat))


def device_of(store: Store, game: str, id: int, seat: str | None = None) -> Device:
    """One device of a game, or of one of its seats. Raises Unknown."""
    found = next((each for each in devices(store, game, seat) if each.id == id), None)
    if found is None:
        raise Unknown("This seat has no such device.")
    return found


def add(
    store: Store,
    game: str,
    seat: str,
    person: int,
    endpoint: str,
    browser: str,
    secret: str,
    lang: str,
    home: str,
    near: bool,
    token: str = "",
) -> Device:
    """A browser asks to be told; one that has asked before for this seat is renewed. Raises BadInput, Barred.

    `token`: the hash of the one by which it asks, and with which it ends. `near`: the organizer allows addresses of
    this machine and its network.
    """
    if seat == SPECTATOR:
        raise Barred("The game never waits for a spectator.")
    check(endpoint, browser, secret, near)
    known = devices(store, game, seat)
    if len(known) >= MOST and endpoint not in {each.endpoint for each in known}:
        raise BadInput("endpoint", "a seat may have at most %(most)s devices", most=MOST)
    row = {
        "game": game,
        "seat": seat,
        "person": person,
        "endpoint": endpoint,
        "browser": browser,
        "secret": secret,
        "lang": lang,
        "home": home,
        "made": store.now(),
        "token": token,
    }
    with store.write() as db:
        check_stands(db, token)
        db.conn.execute("delete from devices where game = ? and seat = ? and endpoint = ?", (game, seat, endpoint))
        made = db.table("devices").insert(row).last_pk
    return device_of(store, game, int(made or 0), seat)


def check(endpoint: str, browser: str, secret: str, near: bool) -> None:
    """Is this what a browser hands out, by its form? Raises BadInput."""
    try:
        read_address(endpoint, near)
    except NotAllowed as fault:
        raise BadInput("endpoint", fault.why) from None
    if not near and urlsplit(endpoint).scheme != "https":
        raise BadInput("endpoint", "a push service must be reached by https")
    try:
        ec.EllipticCurvePublicKey.from_encoded_point(CURVE, decode(browser))
    except ValueError:
        raise BadInput("p256dh", "this is not a browser's public key") from None
    try:
        known = decode(secret)
    except ValueError:
        known = b""
    if len(known) != 16:
        raise BadInput("auth", "this is not a browser's secret of 16 bytes")


def remove(store: Store, game: str, seat: str, id: int) -> None:
    """A seat does without a device. Raises Unknown."""
    device_of(store, game, id, seat)
    forget(store, game, id)


def forget(store: Store, game: str, id: int) -> None:
    """A device is no more: its push service says so, or its seat; what waits for it is not sent."""
    with store.write() as db:
        db.conn.execute("delete from devices where game = ? and id = ?", (game, id))
        db.conn.execute("delete from outbox where game = ? and device = ? and sent is null", (game, id))
