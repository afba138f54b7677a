"""What `navarch serve` sets up beside the pages: HTTPS, the demo, rolling backups."""

from __future__ import annotations

import gc
import socket
import ssl
import threading
import time
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest
import trustme
from cryptography import x509

from kit.players import SERVER
from webapp import create_app
from webapp.cli import serve
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


def read_certificates(files: addresses.Authority) -> tuple[x509.Certificate, x509.Certificate]:
    server = x509.load_pem_x509_certificates(files.server.read_bytes())[0]
    return x509.load_pem_x509_certificate(files.certificate.read_bytes()), server


def test_the_certificates_end_with_two_years_and_a_tablet_takes_them(tmp_path: Path) -> None:
    for each in read_certificates(addresses.prepare(tmp_path / "tls", "")):
        life = each.not_valid_after_utc - each.not_valid_before_utc
        assert timedelta(days=700) < life < timedelta(days=825)
        assert each.not_valid_before_utc < datetime.now(UTC) - timedelta(hours=1), "a tablet's clock may be slow"


def test_the_authority_can_vouch_for_this_machine_and_local_addresses_alone(tmp_path: Path) -> None:
    files = addresses.prepare(tmp_path / "tls", "192.168.7.9")
    authority = trustme.CA.from_pem(files.certificate.read_bytes(), files.key.read_bytes())
    for name, is_ours in (("10.1.2.3", True), ("bank.example", False), ("1.1.1.1", False), ("2001:db8::1", False)):
        files.server.write_bytes(authority.issue_cert(name).private_key_and_cert_chain_pem.bytes())
        if is_ours:
            assert shake_hands(files, name).startswith("TLS")
        else:
            with pytest.raises(ssl.SSLCertVerificationError, match="permitted subtree"):
                shake_hands(files, name)


def test_an_authority_near_its_end_without_limits_or_for_another_name_is_made_anew(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    files = addresses.prepare(tmp_path / "tls", "")
    seen = [files.certificate.read_bytes()]
    without = trustme.CA()  # as earlier versions made it
    files.certificate.write_bytes(without.cert_pem.bytes())
    files.key.write_bytes(without.private_key_pem.bytes())
    seen.append(addresses.prepare(tmp_path / "tls", "").certificate.read_bytes())
    seen.append(addresses.prepare(tmp_path / "tls", "galleys.example").certificate.read_bytes())
    assert addresses.prepare(tmp_path / "tls", "").certificate.read_bytes() == seen[-1], "it can vouch for more"
    monkeypatch.setattr(addresses, "RENEWED", addresses.LIFE)
    seen.append(addresses.prepare(tmp_path / "tls", "").certificate.read_bytes())
    assert len(set(seen)) == 4 and shake_hands(files, "localhost").startswith("TLS")


def test_the_authoritys_certificate_is_served_and_nothing_else_of_it(tmp_path: Path) -> None:
    files = addresses.prepare(tmp_path / "tls", "")
    config = {"BLUEPRINTS": SERVER, "DATABASE": tmp_path / "games.db"}
    client = create_app({**config, "TLS_FOLDER": str(files.folder)}).test_client()
    answer = client.get("/trust/navarch.pem")
    assert answer.data == files.certificate.read_bytes() and b"PRIVATE" not in answer.data
    assert create_app(config).test_client().get("/trust/navarch.pem").status_code == 404


def test_the_demo_is_created_once(tmp_path: Path) -> None:
    store = Store(tmp_path / "games.db")
    game, tokens = serve.demo_battle(store)
    assert store.game(game).scenario == "mylae"
    assert serve.demo_battle(Store(tmp_path / "games.db")) == (game, tokens)
    store.delete(game)
    assert serve.demo_battle(store)[0] != game


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
