"""Calls: where a seat wants to be told, and posting to an address on the internet."""

from __future__ import annotations

import http.client
import ipaddress
import socket
import ssl
import threading
from collections.abc import Mapping
from contextlib import suppress
from dataclasses import dataclass
from urllib.parse import SplitResult, urlsplit

from tactical.kernel.protocol import SPECTATOR
from tactical.kernel.record import BadInput, Reason, encode
from webapp.storage.errors import Barred
from webapp.storage.file.database import check_stands
from webapp.storage.journal.store import Store

# -- Posting to an address on the internet, and never to this server's own network unless that is allowed.
#
# A request reads an address (`read_address`) and asks nobody about it. The name is looked up when the call is made, in
# a
# thread that no request waits for; every machine it stands for must be public, and the connection goes to the one that
# was checked, so that a name cannot point elsewhere between the check and the call. Redirects are not followed.

PATIENCE = 5.0  # seconds for each step
DEADLINE = 10.0  # seconds for the whole call, however slowly the other end drips
TOO_SLOW = "the other end was too slow"
LONGEST = 2000  # letters of an address
TRANSLATED = ipaddress.IPv6Network("64:ff9b::/96")  # IPv4 by NAT64 (RFC 6052)
GIVEN_OUT = ipaddress.IPv6Network("2000::/3")  # global unicast: what IANA gives out
IN_BOOKS = tuple(map(ipaddress.IPv6Network, ("2001:db8::/32", "3fff::/20")))  # for documentation (RFC 3849, 9637)
A_PUBLIC_ONE = "1.1.1.1"  # what a name is taken for until it is looked up


class NotAllowed(ValueError):
    """An address that calls may not go to."""

    def __init__(self, reason: str, /, **values: object) -> None:
        self.why = Reason(reason, values)
        super().__init__(str(self.why))


def at_home() -> NotAllowed:
    """What is raised for an address in the server's own network."""
    return NotAllowed("this address is in the server's own network, which the organizer has not allowed")


class Failed(Exception):
    """The other end did not take it; the text says why."""


@dataclass(frozen=True)
class Address:
    """An address in the right form: the parts of its URL and the port; nothing is known of the machine behind it."""

    parts: SplitResult
    port: int

    @property
    def host(self) -> str:
        """The name or number of the machine."""
        return str(self.parts.hostname)


@dataclass(frozen=True)
class Target:
    """An address with the machine that its name stands for, which may be called."""

    address: Address
    machine: str


def read_address(url: str, near: bool) -> Address:
    """The address of a URL by its form alone: no name is looked up. Raises NotAllowed.

    Without `near` an address that says by itself that it is in this server's network is refused.
    """
    if len(url) > LONGEST:
        raise NotAllowed("an address may have at most %(most)s characters", most=LONGEST)
    try:
        parts = urlsplit(url)
        port = parts.port or (443 if parts.scheme == "https" else 80)
    except ValueError:
        raise NotAllowed("this is not an address") from None
    if parts.scheme not in ("http", "https") or not parts.hostname:
        raise NotAllowed("an address must begin with https:// or http://")
    if parts.username is not None or any(sign.isspace() for sign in url):
        raise NotAllowed("an address must not contain a user name or spaces")
    try:
        parts.hostname.encode("idna")
    except UnicodeError:
        raise NotAllowed("this is not the name of a computer on the network") from None
    if not near and (is_home(parts.hostname) or not is_public(written_number(parts.hostname) or A_PUBLIC_ONE)):
        raise at_home()
    return Address(parts, port)


def is_home(host: str) -> bool:
    """Is this the name that every machine gives itself?"""
    return host.rstrip(".").lower().rpartition(".")[2] == "localhost"


def written_number(host: str) -> str | None:
    """The number of a machine where a host is written as one, in any form that the system reads; None for a name."""
    if ":" in host:
        return host
    try:
        return socket.inet_ntoa(socket.inet_aton(host))
    except OSError:
        return None


def find(address: Address, near: bool) -> Target:
    """The machine that an address stands for now. Raises NotAllowed, and OSError for a name that nobody knows.

    The name is looked up, which may take as long as somebody else's machine wants: never in a request's thread.
    """
    try:
        found = socket.getaddrinfo(address.host, address.port, type=socket.SOCK_STREAM)
    except UnicodeError:
        raise NotAllowed("this is not the name of a computer on the network") from None
    machines = [str(each[4][0]) for each in found]
    if not near and not all(is_public(machine) for machine in machines):
        raise at_home()
    return Target(address, machines[0])


def is_public(machine: str) -> bool:
    """Is a machine, by its number, one of the internet's: not loopback, private, link-local, multicast or reserved?

    An IPv6 address must be one of those that are given out (2000::/3), or IPv4 in IPv6's clothes; every IPv4 address
    within it must be public too.
    """
    try:
        address = ipaddress.ip_address(machine.partition("%")[0])
    except ValueError:
        return False
    if isinstance(address, ipaddress.IPv4Address):
        return address.is_global and not address.is_multicast
    inner = within(address)
    if not all(is_public(str(each)) for each in inner):
        return False
    if address.ipv4_mapped is not None or address in TRANSLATED:
        return True
    return address.is_global and address in GIVEN_OUT and not any(address in network for network in IN_BOOKS)


def within(address: ipaddress.IPv6Address) -> list[ipaddress.IPv4Address]:
    """The IPv4 addresses that an IPv6 address leads to: mapped, translated, 6to4, Teredo, ISATAP."""
    found = [address.ipv4_mapped, address.sixtofour, *(address.teredo or ())]
    low = ipaddress.IPv4Address(int(address) & 0xFFFFFFFF)
    if address in TRANSLATED or int(address) >> 32 & 0xFDFFFFFF == 0x5EFE:
        found.append(low)
    return [each for each in found if each is not None]


class _Plain(http.client.HTTPConnection):
    """A connection to the machine that was checked."""

    def __init__(self, target: Target) -> None:
        super().__init__(target.address.host, target.address.port, timeout=PATIENCE)
        self._machine = target.machine
        self.was_cut = False

    def connect(self) -> None:
        self.sock = socket.create_connection((self._machine, self.port), self.timeout)

    def cut(self) -> None:
        """End it from another thread: whoever reads or writes meets the end."""
        self.was_cut = True
        if (open_ := self.sock) is not None:
            with suppress(OSError):
                open_.shutdown(socket.SHUT_RDWR)


class _Secure(_Plain):
    """The same by TLS, with the certificate of the name."""

    def connect(self) -> None:
        super().connect()
        self.sock = ssl.create_default_context().wrap_socket(self.sock, server_hostname=self.host)


def failure_text(fault: Exception) -> str:
    """Why a call failed, in a sentence's worth."""
    return str(fault) or type(fault).__name__


def post(url: str, value: object, near: bool) -> None:
    """Post a value as JSON, within DEADLINE. Raises Failed with the reason."""
    status = status_of_post(url, encode(value), {"Content-Type": "application/json"}, near)
    if not 200 <= status < 300:
        raise Failed(f"the other end answered {status}")


def status_of_post(url: str, body: bytes, headers: Mapping[str, str], near: bool) -> int:
    """Post bytes within DEADLINE; the status of the answer. Raises Failed where there is none."""
    connection: _Plain | None = None
    try:
        target = find(read_address(url, near), near)
        parts = target.address.parts
        connection = (_Secure if parts.scheme == "https" else _Plain)(target)
        path = (parts.path or "/") + (f"?{parts.query}" if parts.query else "")
        watch = threading.Timer(DEADLINE, connection.cut)
        watch.start()
        try:
            own = {"Host": parts.netloc, "User-Agent": "Navarch"}
            connection.request("POST", path, body, {**headers, **own})
            status = connection.getresponse().status
        finally:
            watch.cancel()
            connection.close()
        if connection.was_cut:
            raise Failed(TOO_SLOW)
    except (NotAllowed, OSError, http.client.HTTPException, UnicodeError) as fault:
        raise Failed(TOO_SLOW if connection is not None and connection.was_cut else failure_text(fault)) from None
    return status


# -- Calls: where a seat wants to be told that it is its turn, at once or once a day, and how the last call went.

FIELDS = "game, seat, url, at_once, daily, home, told, told_at, failure, failed_at, lang, asked"


@dataclass(frozen=True)
class Call:
    """A seat's webhook. `home` is this server's own address for links; `told` the version it was told of last, in the
    language `lang`, and `asked` the open requests that it was told of, one a line."""

    game: str
    seat: str
    url: str
    at_once: int
    daily: int
    home: str
    told: int
    told_at: str | None
    failure: str | None
    failed_at: str | None
    lang: str
    asked: str

    @property
    def host(self) -> str:
        """Whom it calls; the whole address may hold a secret."""
        return urlsplit(self.url).netloc


def call_of(store: Store, game: str, seat: str) -> Call | None:
    """The call of a seat, if it has one."""
    rows = store.file.rows(f"select {FIELDS} from calls where game = ? and seat = ?", game, seat)
    return Call(**rows[0]) if rows else None


def calls(store: Store, game: str | None = None) -> list[Call]:
    """All calls, or those of a game."""
    if game is None:
        return [Call(**row) for row in store.file.rows(f"select {FIELDS} from calls")]
    return [Call(**row) for row in store.file.rows(f"select {FIELDS} from calls where game = ?", game)]


def keep(
    store: Store,
    game: str,
    seat: str,
    url: str,
    at_once: bool,
    daily: bool,
    home: str,
    near: bool,
    lang: str = "en",
    token: str = "",
) -> None:
    """Keep where and in which language a seat is called; an empty address ends it. Raises BadInput, Barred.

    `token`: the hash of the one by which it is asked for, and with which it ends.

    The address is read and not looked up (see `http_post`). `near`: the organizer allows addresses of this machine and
    its network.
    """
    if seat == SPECTATOR:
        raise Barred("The game never waits for a spectator.")
    url = url.strip()
    if not url:
        with store.write() as db:
            db.conn.execute("delete from calls where game = ? and seat = ?", (game, seat))
        return
    try:
        read_address(url, near)
    except NotAllowed as fault:
        raise BadInput("url", fault.why) from None
    row = {
        "game": game,
        "seat": seat,
        "url": url,
        "at_once": int(at_once),
        "daily": int(daily),
        "home": home,
        "told": -1,
        "told_at": None,
        "failure": None,
        "failed_at": None,
        "lang": lang,
        "asked": "",
        "token": token,
    }
    with store.write() as db:
        check_stands(db, token)
        db.table("calls").insert(row, replace=True)


def was_told(store: Store, call: Call, version: int, asked: str) -> None:
    """The call got through."""
    with store.write() as db:
        db.conn.execute(
            "update calls set told = ?, asked = ?, told_at = ?, failure = null, failed_at = null"
            " where game = ? and seat = ?",
            (version, asked, store.now(), call.game, call.seat),
        )


def was_not_told(store: Store, call: Call, version: int, asked: str, why: str) -> None:
    """The call failed: it is kept and shown. It is not tried again for the same version and requests."""
    with store.write() as db:
        db.conn.execute(
            "update calls set told = ?, asked = ?, failure = ?, failed_at = ? where game = ? and seat = ?",
            (version, asked, why[:300], store.now(), call.game, call.seat),
        )
