"""Under which names the server answers, its certificate, and its calls to others' machines."""

from __future__ import annotations

import ipaddress
import re
import socket
import threading
from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from functools import lru_cache
from pathlib import Path

from cryptography import x509
from cryptography.hazmat.primitives import hashes, serialization
from cryptography.hazmat.primitives.asymmetric import ec
from cryptography.x509.oid import ExtendedKeyUsageOID, NameOID
from flask import Blueprint, Flask, Response, abort, current_app, request, url_for
from werkzeug.exceptions import MisdirectedRequest

from webapp.storage.file.database import attempt
from webapp.storage.journal.store import Store

# -- Under which names the server answers, and how its own links begin.
#
# Without settings (as in tests) every name is taken. `navarch serve` allows this machine's names and addresses, the
# address at which the connection came in, and what --public-url and --trusted-host name; any other `Host` is refused,
# so
# that neither a link nor a webhook can be made to lead elsewhere.

REMEMBERED = 64  # Host headers, which may be long
LOOPBACK = ("localhost", "127.0.0.1", "::1")
HOST = re.compile(r"(?:\[([0-9A-Fa-f:.]+)(?:%[\w.-]*)?\]|([\w.-]+))(?::[0-9]{0,5})?", re.ASCII)
LOCAL_PATH = re.compile(r"/(?![/\\])[^\x00-\x1f\x7f\\]*")


def root() -> str:
    """How links to this server begin, without a slash at the end: --public-url, else as the browser has called it."""
    return str(current_app.config.get("PUBLIC_URL") or request.host_url).rstrip("/")


def link(endpoint: str, **values: object) -> str:
    """The whole address of a page, as other tablets can use it."""
    return root() + url_for(endpoint, **values)  # type: ignore[arg-type]  # Flask takes any value


def seat_path(game: str, seat: str = "") -> str:
    """The path by which a link leads a seat into its game: to its table, or to the page where it gives its orders."""
    return f"/g/{game}/home" + (f"?seat={seat}" if seat else "")


@lru_cache(REMEMBERED)
def host_of(host: str) -> str:
    """A Host header's name, without its port, in small letters; empty for what is not a name and a port."""
    found = HOST.fullmatch(host)
    return (found[1] or found[2]).rstrip(".").lower() if found else ""


def is_trusted(host: str) -> bool:
    """May this server be called by that Host header?"""
    allowed = current_app.config.get("HOSTS")
    if allowed is None:
        return True
    name = host_of(host)
    return name in allowed or is_address(name, str(request.environ.get("SERVER_NAME", "")))


@lru_cache(REMEMBERED)
def is_address(name: str, own: str) -> bool:
    """Is the name, in numbers, the address at which the connection came in?"""
    try:
        known = ipaddress.ip_address(own.partition("%")[0])
        return ipaddress.ip_address(name) in (known, getattr(known, "ipv4_mapped", None))
    except ValueError:
        return False


def local_path(said: str) -> str:
    """The same when it is a path of this server, which a browser cannot take for another server; else `/`."""
    return said if LOCAL_PATH.fullmatch(said) else "/"


def refuse_foreign_hosts() -> None:
    """421 for a Host that is not ours. Known before anything else looks at the request."""
    if not is_trusted(request.headers.get("Host", "")):
        abort(MisdirectedRequest.code, "This server does not answer to that name: whoever runs it can allow the name.")


# -- HTTPS for a club room: a certificate authority of this machine's own, and what a tablet needs to trust it.

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


AUTHORITY, SERVER = (
    x509.Name([x509.NameAttribute(NameOID.ORGANIZATION_NAME, "Navarch"), x509.NameAttribute(NameOID.COMMON_NAME, role)])
    for role in ("Navarch authority", "Navarch server")
)
PEM = serialization.Encoding.PEM
UNENCRYPTED = (PEM, serialization.PrivateFormat.PKCS8, serialization.NoEncryption())
LIFE, RENEWED = timedelta(days=730), timedelta(days=60)  # of an authority, and how long before its end it is replaced
LOCAL = tuple(
    map(
        ipaddress.ip_network,
        (
            "127.0.0.0/8",
            "10.0.0.0/8",
            "172.16.0.0/12",
            "192.168.0.0/16",
            "169.254.0.0/16",
            "::1",
            "fc00::/7",
            "fe80::/10",
        ),
    )
)  # where a machine's address may change from one evening to the next, and no server of the internet is


def prepare(folder: Path, host: str) -> Authority:
    """The authority in the folder, and a fresh server certificate for this machine's names.

    An authority can vouch for this machine's names and for local addresses alone, and for two years. It is made anew
    when it is near its end, or cannot vouch for a name that the machine has now: each tablet has to be told again.
    """
    files = Authority(folder)
    folder.mkdir(mode=0o700, exist_ok=True)
    now, own = datetime.now(UTC), names(host)
    known = files.certificate.exists() and files.key.exists()
    if not known or not vouches(x509.load_pem_x509_certificate(files.certificate.read_bytes()), own, now):
        key, certificate = make_authority(own, now)
        _write_secret(files.key, key)
        files.certificate.write_bytes(certificate)
    _write_secret(files.server, issue(files.certificate.read_bytes(), files.key.read_bytes(), own, now))
    return files


def make_authority(own: list[str], now: datetime) -> tuple[bytes, bytes]:
    """The key and the certificate of an authority for these names, in PEM."""
    key = ec.generate_private_key(ec.SECP256R1())
    certificate = (
        _certificate(key, AUTHORITY, AUTHORITY, now, now + LIFE)
        .add_extension(x509.BasicConstraints(ca=True, path_length=0), critical=True)
        .add_extension(_usage("key_cert_sign"), critical=True)
        .add_extension(x509.NameConstraints(permitted(own), None), critical=True)
        .sign(key, hashes.SHA256())
    )
    return key.private_bytes(*UNENCRYPTED), certificate.public_bytes(PEM)


def issue(certificate: bytes, authority_key: bytes, own: list[str], now: datetime) -> bytes:
    """The key and the certificate of a server with these names, in PEM; they end with the authority's.

    Tablets refuse a server certificate that is valid for longer than 825 days, from its first day to its last.
    """
    authority = x509.load_pem_x509_certificate(certificate)
    signer = serialization.load_pem_private_key(authority_key, None)
    if not isinstance(signer, ec.EllipticCurvePrivateKey):
        raise TypeError("the authority's key is of another kind than those that are made here")
    known = authority.extensions.get_extension_for_class(x509.SubjectKeyIdentifier).value
    key = ec.generate_private_key(ec.SECP256R1())
    issued = (
        _certificate(key, SERVER, authority.subject, now, authority.not_valid_after_utc)
        .add_extension(x509.BasicConstraints(ca=False, path_length=None), critical=True)
        .add_extension(_usage("digital_signature"), critical=True)
        .add_extension(x509.ExtendedKeyUsage([ExtendedKeyUsageOID.SERVER_AUTH]), critical=False)
        .add_extension(x509.AuthorityKeyIdentifier.from_issuer_subject_key_identifier(known), critical=False)
        .add_extension(x509.SubjectAlternativeName([general_name(name) for name in own]), critical=False)
        .sign(signer, hashes.SHA256())
    )
    return key.private_bytes(*UNENCRYPTED) + issued.public_bytes(PEM)


def _certificate(
    key: ec.EllipticCurvePrivateKey, subject: x509.Name, issuer: x509.Name, now: datetime, ending: datetime
) -> x509.CertificateBuilder:
    """The beginning of a certificate: it is valid from yesterday on, as a tablet's clock may be slow."""
    return (
        x509.CertificateBuilder(issuer, subject, key.public_key(), x509.random_serial_number())
        .not_valid_before(now - timedelta(days=1))
        .not_valid_after(ending)
        .add_extension(x509.SubjectKeyIdentifier.from_public_key(key.public_key()), critical=False)
    )


def _usage(only: str) -> x509.KeyUsage:
    """A key that serves for one thing."""
    signing = ("digital_signature", "content_commitment", "key_cert_sign", "crl_sign")
    other = ("key_encipherment", "data_encipherment", "key_agreement", "encipher_only", "decipher_only")
    return x509.KeyUsage(**{**dict.fromkeys((*signing, *other), False), only: True})


def permitted(own: list[str]) -> list[x509.GeneralName]:
    """What an authority may vouch for: these names, these addresses, and all local ones."""
    found: list[x509.GeneralName] = [x509.IPAddress(network) for network in LOCAL]
    for name in own:
        address = address_of(name)
        if address is None:
            found.append(x509.DNSName(name))
        elif not any(address in network for network in LOCAL):
            found.append(x509.IPAddress(ipaddress.ip_network(address)))
    return found


def address_of(name: str) -> ipaddress.IPv4Address | ipaddress.IPv6Address | None:
    """The address that is written so; None for a name."""
    try:
        return ipaddress.ip_address(name)
    except ValueError:
        return None


def general_name(name: str) -> x509.GeneralName:
    """A name or an address as a certificate has it."""
    address = address_of(name)
    return x509.DNSName(name) if address is None else x509.IPAddress(address)


def vouches(authority: x509.Certificate, own: list[str], now: datetime) -> bool:
    """Is an authority bound to some names, these among them, and good for some time yet?"""
    try:
        limits = authority.extensions.get_extension_for_class(x509.NameConstraints).value
    except x509.ExtensionNotFound:  # made by an earlier version: it could vouch for everything
        return False
    is_young = authority.not_valid_after_utc - now > RENEWED
    return is_young and set(permitted(own)) <= set(limits.permitted_subtrees or ())


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


# -- Calls to others' machines, each other end in a thread of its own, so that a slow one holds up nobody else.

MOST = 32  # other ends at a time


class OutgoingCalls:
    """The other ends that are being called now."""

    def __init__(self, app: Flask, store: Store, name: str) -> None:
        self.app, self.store, self.name = app, store, name
        self._guard = threading.Lock()
        self._busy: set[str] = set()

    def run(self, end: str, work: Callable[[], object]) -> bool:
        """Begin to work with another end; False when it is still busy, or too many are."""
        with self._guard:
            if end in self._busy or len(self._busy) >= MOST:
                return False
            self._busy.add(end)
        threading.Thread(target=self._work, args=(end, work), name=self.name, daemon=True).start()
        return True

    def _work(self, end: str, work: Callable[[], object]) -> None:
        with self.app.app_context():
            attempt(f"the call to {end}", work)
        with self._guard:
            self._busy.discard(end)
        self.store.file.close()
