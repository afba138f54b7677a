"""Web push: a message to a browser that has asked for it, sealed so that the push service between cannot read it.

Sealed as RFC 8291 lays down (aes128gcm, RFC 8188), signed with this server's own key as RFC 8292 does. No Flask.
"""

from __future__ import annotations

import json
import os
import time
from base64 import urlsafe_b64decode, urlsafe_b64encode
from collections.abc import Mapping
from hashlib import sha256
from urllib.parse import urlsplit

from cryptography.hazmat.primitives import hashes
from cryptography.hazmat.primitives.asymmetric import ec
from cryptography.hazmat.primitives.asymmetric.utils import decode_dss_signature
from cryptography.hazmat.primitives.ciphers.aead import AESGCM
from cryptography.hazmat.primitives.kdf.hkdf import HKDF
from cryptography.hazmat.primitives.serialization import Encoding, PublicFormat

from webapp.storage.journal.store import Store

CURVE = ec.SECP256R1()
ORDER = 0xFFFFFFFF00000000FFFFFFFFFFFFFFFFBCE6FAADA7179E84F3B9CAC2FC632551  # of the curve: FIPS 186-5, P-256
RECORD = 4096  # bytes of the one record of a message, sealed
STEP = 256  # a message is filled up to a multiple, so that its length tells nothing
LONGEST = 3000  # bytes of a message before it is sealed
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
    if len(message) > LONGEST:
        raise ValueError(f"a message has at most {LONGEST} bytes")
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


def headers(key: ec.EllipticCurvePrivateKey, endpoint: str, contact: str, topic: str) -> Mapping[str, str]:
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
