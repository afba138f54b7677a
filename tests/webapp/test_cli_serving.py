"""What `navarch serve` sets up beside the pages: HTTPS, the demo, rolling backups."""

from __future__ import annotations

import gc
import socket
import ssl
import threading
import time
from pathlib import Path

import pytest

from kit.players import SERVER
from webapp import create_app
from webapp.cli import demo, serve
from webapp.http import addresses
from webapp.storage.journal.store import Store
from webapp.storage.services import backups


def shake_hands(files: addresses.Authority, name: str) -> str:
    """A TLS handshake with the server's certificate, by a client that trusts the authority only."""
    ours, theirs = socket.socketpair()
    server = ssl.create_default_context(ssl.Purpose.CLIENT_AUTH)
    server.load_cert_chain(files.server)
    client = ssl.create_default_context(cafile=files.certificate)

    def serve_one() -> None:
        try:
            server.wrap_socket(theirs, server_side=True).close()
        except OSError:
            theirs.close()

    thread = threading.Thread(target=serve_one)
    thread.start()
    try:
        with client.wrap_socket(ours, server_hostname=name) as wrapped:
            return str(wrapped.version())
    finally:
        ours.close()
        thread.join(10)


def test_tablets_that_trust_the_authority_trust_the_server(tmp_path: Path) -> None:
    files = addresses.prepare(tmp_path / "tls", "192.168.7.9")
    for name in ("localhost", "127.0.0.1", "192.168.7.9", socket.gethostname()):
        assert shake_hands(files, name).startswith("TLS")
    with pytest.raises(ssl.SSLCertVerificationError):
        shake_hands(files, "elsewhere.example")


def test_the_authority_is_made_once_and_its_key_is_private(tmp_path: Path) -> None:
    first = addresses.prepare(tmp_path / "tls", "0.0.0.0")
    certificate = first.certificate.read_bytes()
    assert addresses.prepare(tmp_path / "tls", "0.0.0.0").certificate.read_bytes() == certificate
    assert first.key.stat().st_mode & 0o077 == 0 and first.server.stat().st_mode & 0o077 == 0


def test_the_authoritys_certificate_is_served_and_nothing_else_of_it(tmp_path: Path) -> None:
    files = addresses.prepare(tmp_path / "tls", "")
    config = {"BLUEPRINTS": SERVER, "DATABASE": tmp_path / "games.db"}
    client = create_app({**config, "TLS_FOLDER": str(files.folder)}).test_client()
    answer = client.get("/trust/navarch.pem")
    assert answer.data == files.certificate.read_bytes() and b"PRIVATE" not in answer.data
    assert create_app(config).test_client().get("/trust/navarch.pem").status_code == 404


def test_the_demo_is_created_once(tmp_path: Path) -> None:
    store = Store(tmp_path / "games.db")
    game, tokens = demo.demo_battle(store)
    assert store.game(game).scenario == "mylae"
    assert demo.demo_battle(Store(tmp_path / "games.db")) == (game, tokens)
    store.delete(game)
    assert demo.demo_battle(store)[0] != game


def test_the_links_name_the_machine_when_it_serves_the_room() -> None:
    assert serve.hosts("127.0.0.1") == ["127.0.0.1"]
    assert serve.hosts("::1") == ["[::1]"]
    assert serve.hosts("0.0.0.0")[0] == "127.0.0.1"


def test_backups_are_made_while_serving_when_something_changed(tmp_path: Path) -> None:
    store = Store(tmp_path / "games.db")
    store.create("galley", "first_oars")
    worker = backups.keep_backing_up(store.file.path, 0.0005)
    end = time.monotonic() + 10
    while not backups.backups(store.file.path):
        assert time.monotonic() < end
        time.sleep(0.01)
    worker.stop()
    copy = Store(backups.backups(store.file.path)[0])
    assert [game.id for game in copy.games()] == [game.id for game in store.games()]


def test_what_is_there_at_the_start_is_not_swept_again_and_again() -> None:
    before, as_python_begins = gc.get_threshold(), (700, 10, 10)
    gc.unfreeze()
    gc.set_threshold(*as_python_begins)
    try:
        serve.sweep_no_more()
        assert gc.get_freeze_count() > 50_000 and gc.get_threshold() > as_python_begins
    finally:
        gc.unfreeze()
        gc.set_threshold(*before)
