"""HTTPS for a club room: a certificate authority of this machine's own, and what a tablet needs to trust it."""

from __future__ import annotations

import ipaddress
import socket
from contextlib import suppress
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from pathlib import Path

import trustme
from flask import Blueprint, Response, abort, current_app

bp = Blueprint("authority", __name__)


@dataclass(frozen=True)
class Authority:
    """The files: the authority's certificate (to be trusted), the server's certificate and its key."""

    folder: Path

    @property
    def certificate(self) -> Path:
        """What a tablet downloads and trusts."""
        return self.folder / "authority.pem"

    @property
    def key(self) -> Path:
        """The authority's key, which never leaves this machine."""
        return self.folder / "authority.key"

    @property
    def server(self) -> Path:
        """The server's certificate chain and key in one file."""
        return self.folder / "server.pem"


def prepare(folder: Path, host: str) -> Authority:
    """The authority in the folder (made once), and a fresh server certificate for this machine's names."""
    files = Authority(folder)
    folder.mkdir(mode=0o700, exist_ok=True)
    if files.certificate.exists() and files.key.exists():
        authority = trustme.CA.from_pem(files.certificate.read_bytes(), files.key.read_bytes())
    else:
        authority = trustme.CA(organization_name="Navarch")
        _write_secret(files.key, authority.private_key_pem.bytes())
        files.certificate.write_bytes(authority.cert_pem.bytes())
    # Tablets refuse a server certificate that is valid for longer than 825 days; each start makes a new one.
    issued = authority.issue_cert(*names(host), not_after=datetime.now(UTC) + timedelta(days=800))
    _write_secret(files.server, issued.private_key_and_cert_chain_pem.bytes())
    return files


def _write_secret(path: Path, content: bytes) -> None:
    path.touch(mode=0o600)
    path.write_bytes(content)


def names(host: str) -> list[str]:
    """The names and addresses under which tablets may find this machine."""
    own = socket.gethostname()
    found = ["localhost", "127.0.0.1", "::1", own, f"{own.split('.')[0]}.local", *addresses()]
    if host not in ("0.0.0.0", "::", ""):
        found.append(host)
    return [name for name in dict.fromkeys(found) if _is_name(name)]


def addresses() -> list[str]:
    """This machine's addresses in the local network, the one that leads outward first."""
    found = []
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as probe, suppress(OSError):
        probe.connect(("192.0.2.1", 9))  # sends nothing: only asks which way a packet would go
        found.append(probe.getsockname()[0])
    with suppress(OSError):
        found += [str(info[4][0]) for info in socket.getaddrinfo(socket.gethostname(), None, socket.AF_INET)]
    return [address for address in dict.fromkeys(found) if not ipaddress.ip_address(address).is_loopback]


def _is_name(name: str) -> bool:
    return bool(name) and all(part for part in name.split(".")) and "_" not in name


def authority() -> Authority | None:
    """The authority of this server; None when it serves plain HTTP. Downloaded from /trust/navarch.pem."""
    folder = current_app.config.get("TLS_FOLDER")
    return Authority(Path(folder)) if folder else None


@bp.get("/trust/navarch.pem")
def download() -> Response:
    """The authority's certificate, to be installed on a tablet."""
    files = authority()
    if files is None:
        abort(404, "This server does not use HTTPS.")
    return Response(files.certificate.read_bytes(), mimetype="application/x-x509-ca-cert")
