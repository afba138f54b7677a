"""A push service and a browser's half of web push, written from the receiver's side of RFC 8291."""

from __future__ import annotations

import json
import threading
from collections.abc import Iterator
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any

import pytest
from cryptography.hazmat.primitives import hashes
from cryptography.hazmat.primitives.asymmetric import ec
from cryptography.hazmat.primitives.ciphers.aead import AESGCM
from cryptography.hazmat.primitives.hmac import HMAC

from webapp.post import devices
from webapp.post.devices import encode


class Service:
    """A push service: a real server that takes what is sent to it, and answers what it is told to answer."""

    def __init__(self) -> None:
        self.taken: list[tuple[dict[str, str], bytes]] = []
        self.answer = 201
        self.is_ready = threading.Event()  # while it is not set, nothing is answered
        self.is_ready.set()
        service = self

        class Handler(BaseHTTPRequestHandler):
            def do_POST(self) -> None:
                body = self.rfile.read(int(self.headers["Content-Length"]))
                service.taken.append((dict(self.headers), body))
                service.is_ready.wait(60)
                self.send_response(service.answer)
                self.end_headers()

            def log_message(self, format: str, *args: Any) -> None:
                pass

        self.server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        self.url = f"http://127.0.0.1:{self.server.server_port}"
        threading.Thread(target=self.server.serve_forever, daemon=True).start()


@pytest.fixture
def service() -> Iterator[Service]:
    found = Service()
    yield found
    found.server.shutdown()


class PushBrowser:
    """A browser with its keys; it opens what is sealed for it, step by step as RFC 8291 tells a receiver to."""

    def __init__(self, service: Service, name: str = "one") -> None:
        self.key, self.secret = ec.generate_private_key(ec.SECP256R1()), bytes(range(16))
        self.service, self.endpoint = service, f"{service.url}/push/{name}"

    @property
    def asks(self) -> dict[str, Any]:
        return {
            "endpoint": self.endpoint,
            "keys": {"p256dh": encode(devices.public(self.key)), "auth": encode(self.secret)},
        }

    def opens(self, sealed: bytes) -> dict[str, Any]:
        salt, length = sealed[:16], sealed[20]
        sender, text = sealed[21 : 21 + length], sealed[21 + length :]
        shared = self.key.exchange(ec.ECDH(), ec.EllipticCurvePublicKey.from_encoded_point(ec.SECP256R1(), sender))
        mine = devices.public(self.key)
        base = mac(mac(self.secret, shared), b"WebPush: info\0" + mine + sender + b"\1")
        start = mac(salt, base)
        cipher = mac(start, b"Content-Encoding: aes128gcm\0\1")[:16]
        nonce = mac(start, b"Content-Encoding: nonce\0\1")[:12]
        opened = AESGCM(cipher).decrypt(nonce, text, None)
        found: dict[str, Any] = json.loads(opened.rstrip(b"\0")[:-1])
        return found


def mac(key: bytes, text: bytes) -> bytes:
    """HMAC with SHA-256."""
    made = HMAC(key, hashes.SHA256())
    made.update(text)
    return made.finalize()
