"""Browsers that a seat has asked to be told by: web push, sealed and sent."""

from __future__ import annotations

import json
import os
import time
from base64 import urlsafe_b64decode, urlsafe_b64encode
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from datetime import datetime
from hashlib import sha256
from urllib.parse import urlsplit

from cryptography.hazmat.primitives import hashes
from cryptography.hazmat.primitives.asymmetric import ec
from cryptography.hazmat.primitives.asymmetric.utils import decode_dss_signature
from cryptography.hazmat.primitives.ciphers.aead import AESGCM
from cryptography.hazmat.primitives.kdf.hkdf import HKDF
from cryptography.hazmat.primitives.serialization import Encoding, PublicFormat
from flask_babel import force_locale

from tactical.kernel.protocol import SPECTATOR
from tactical.kernel.record import BadInput, Record
from tactical.kernel.record import encode as to_json
from webapp.http.language import gettext as _
from webapp.post.mail import Mail, Question, followed_by, question_text, until_lines
from webapp.post.webhooks import Failed, NotAllowed, read_address, status_of_post
from webapp.presenting.campaign_labels import seat_name
from webapp.presenting.labels import translate
from webapp.storage.errors import Barred, Unknown
from webapp.storage.file.database import check_stands
from webapp.storage.journal.records import Game, Table
from webapp.storage.journal.store import Store
from webapp.storage.services.letters import ALL, Letter

# -- Web push: a message to a browser that has asked for it, sealed so that the push service between cannot read it.
#
# Sealed as RFC 8291 lays down (aes128gcm, RFC 8188), signed with this server's own key as RFC 8292 does. No Flask.

CURVE = ec.SECP256R1()
ORDER = 0xFFFFFFFF00000000FFFFFFFFFFFFFFFFBCE6FAADA7179E84F3B9CAC2FC632551  # of the curve: FIPS 186-5, P-256
RECORD = 4096  # bytes of the one record of a message, sealed
STEP = 256  # a message is filled up to a multiple, so that its length tells nothing
MOST_BYTES = 3000  # bytes of a message before it is sealed
KEPT = 24 * 3600  # seconds for which the push service keeps a message for a browser that is away
SIGNED = 12 * 3600  # seconds for which a signature is good; a day is the most
KEY = "push key"  # the server's note


def own_key(store: Store) -> ec.EllipticCurvePrivateKey:
    """This server's key, made once: browsers take messages from it alone."""
    number = int(store.secret(KEY), 16)
    return ec.derive_private_key(number % (ORDER - 1) + 1, CURVE)


def public(key: ec.EllipticCurvePrivateKey) -> bytes:
    """The public half of a key, 65 bytes."""
    return key.public_key().public_bytes(Encoding.X962, PublicFormat.UncompressedPoint)


def seal(
    message: bytes,
    browser: bytes,
    secret: bytes,
    key: ec.EllipticCurvePrivateKey | None = None,
    salt: bytes = b"",
    step: int = STEP,
) -> bytes:
    """A message that only one browser can open: its public key (65 bytes) and its shared secret (16 bytes) seal it.

    `key` and `salt` are made anew for every message; a test may give them. Raises ValueError for a point that is none
    and for a message of more than `LONGEST` bytes. RFC 8291, sections 3 and 4.
    """
    if len(message) > MOST_BYTES:
        raise ValueError(f"a message has at most {MOST_BYTES} bytes")
    key, salt = key or ec.generate_private_key(CURVE), salt or os.urandom(16)
    shared = key.exchange(ec.ECDH(), ec.EllipticCurvePublicKey.from_encoded_point(CURVE, browser))
    about = b"WebPush: info\0" + browser + public(key)
    base = _derive(shared, secret, about, 32)
    cipher = AESGCM(_derive(base, salt, b"Content-Encoding: aes128gcm\0", 16))
    nonce = _derive(base, salt, b"Content-Encoding: nonce\0", 12)
    filled = message + b"\2" + b"\0" * (-(len(message) + 1) % step)
    head = salt + RECORD.to_bytes(4, "big") + bytes([len(public(key))]) + public(key)
    return head + cipher.encrypt(nonce, filled, None)


def _derive(secret: bytes, salt: bytes, about: bytes, length: int) -> bytes:
    return HKDF(hashes.SHA256(), length, salt, about).derive(secret)


def push_headers(key: ec.EllipticCurvePrivateKey, endpoint: str, contact: str, topic: str) -> Mapping[str, str]:
    """What goes with a sealed message: the signature (RFC 8292), and how long and how urgently it is kept (RFC 8030).

    `contact` is a mailto: or https: address of who runs this server. Of two messages of one `topic` that wait for a
    browser the newer takes the older one's place.
    """
    parts = urlsplit(endpoint)
    claims = {"aud": f"{parts.scheme}://{parts.netloc}", "exp": int(time.time()) + SIGNED, "sub": contact}
    body = f"{_pack({'typ': 'JWT', 'alg': 'ES256'})}.{_pack(claims)}"
    r, s = decode_dss_signature(key.sign(body.encode(), ec.ECDSA(hashes.SHA256())))
    token = f"{body}.{encode(r.to_bytes(32, 'big') + s.to_bytes(32, 'big'))}"
    return {
        "Authorization": f"vapid t={token}, k={encode(public(key))}",
        "Content-Encoding": "aes128gcm",
        "Content-Type": "application/octet-stream",
        "TTL": str(KEPT),
        "Urgency": "normal",
        "Topic": encode(sha256(topic.encode()).digest())[:32],
    }


def _pack(value: Mapping[str, object]) -> str:
    return encode(json.dumps(value, separators=(",", ":")).encode())


def encode(raw: bytes) -> str:
    """Bytes as browsers write them: base64url without padding."""
    return urlsafe_b64encode(raw).rstrip(b"=").decode()


def decode(text: str) -> bytes:
    """The bytes of such a text. Raises ValueError."""
    return urlsafe_b64decode(text.encode("ascii") + b"=" * (-len(text) % 4))


# -- Devices: the browsers that a seat has asked to tell when it is waited for or written to. No Flask.

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


# -- What a device says, in its reader's language: a title and a line. It is read over shoulders: no move is told.

LONGEST_TITLE = 300  # letters of a title


@contextmanager
def for_reader(device: Device) -> Iterator[None]:
    """Texts within are in the language of the page on which the device asked."""
    with force_locale(device.lang):
        yield


def title(game: Game) -> str:
    """The game."""
    return " ".join(translate(game.title).split())[:LONGEST_TITLE]


def turn(table: Table, seat: str, end: datetime | None) -> str:
    """The seat is waited for."""
    return " ".join([_("It is your turn as %(seat)s.", seat=seat_name(table.state, seat)), *until_lines(end)])


def reminder(table: Table, seat: str, end: datetime) -> str:
    """The seat's time will soon be over."""
    return " ".join(
        [_("The game is still waiting for you as %(seat)s.", seat=seat_name(table.state, seat)), *until_lines(end)]
    )


def time_over(table: Table, seat: str, act: str) -> str:
    """A seat's time is over, and what follows."""
    return " ".join([_("The time of %(seat)s has run out.", seat=seat_name(table.state, seat)), followed_by(act)])


def question(table: Table, asked: Question) -> str:
    """Somebody asks for the seat's word."""
    return question_text(table, asked)


def letter(table: Table, sent: Letter) -> str:
    """Somebody has written; what, is read on the page."""
    to = _("all") if sent.receiver == ALL else seat_name(table.state, sent.receiver)
    return _("A letter from %(seat)s to %(to)s has come.", seat=seat_name(table.state, sent.sender), to=to)


def trial() -> str:
    """Only to see whether it comes through."""
    return _("This is a test: this device will be notified when it is your turn.")


# -- Telling a device: what waits for it in the outbox is sealed and handed to its push service. No Flask.

GONE = (404, 410)  # what a push service answers when the browser has done without


def send_push(store: Store, mail: Mail, near: bool, contact: str) -> None:
    """Tell a device; one that its push service no longer knows is forgotten. Raises Failed.

    `contact`: the mailto: or https: address of who runs this server, for the push service. `near`: see `http_post`.
    """
    try:
        device = device_of(store, mail.game, mail.device)
    except Unknown:
        return
    told = {"title": mail.subject, "body": mail.body, "url": mail.stop, "tag": topic(mail)}
    sealed = seal(to_json(told), decode(device.browser), decode(device.secret))
    headers = push_headers(own_key(store), device.endpoint, contact, topic(mail))
    status = status_of_post(device.endpoint, sealed, headers, near)
    if status in GONE:
        forget(store, mail.game, device.id)
    elif not 200 <= status < 300:
        raise Failed(f"the other end answered {status}")


def topic(mail: Mail) -> str:
    """What a message is about: a newer one of the same game and seat takes the place of one not yet read."""
    return mail.stop
