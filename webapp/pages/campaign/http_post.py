"""Posting JSON to an address on the internet, and never to this server's own network unless that is allowed.

The name is looked up once, every address it has must be public, and the connection goes to the address that was
checked, so that a name cannot point elsewhere between the check and the call. Redirects are not followed.
"""

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

from tactical.kernel.record import encode

PATIENCE = 5.0  # seconds for each step
DEADLINE = 10.0  # seconds for the whole call, however slowly the other end drips
TOO_SLOW = "the other end was too slow"
LONGEST = 2000  # letters of an address
TRANSLATED = tuple(map(ipaddress.ip_network, ("64:ff9b::/96", "64:ff9b:1::/48")))  # IPv4 by NAT64


class NotAllowed(ValueError):
    """An address that calls may not go to."""


class Failed(Exception):
    """The other end did not take it; the text says why."""


@dataclass(frozen=True)
class Target:
    """A checked address: the parts of its URL, and the machine that its name stands for."""

    parts: SplitResult
    machine: str
    port: int


def checked(url: str, near: bool) -> Target:
    """The target of a URL. Raises NotAllowed, and OSError for a name that nobody knows."""
    if len(url) > LONGEST:
        raise NotAllowed(f"an address has at most {LONGEST} letters")
    try:
        parts = urlsplit(url)
        port = parts.port or (443 if parts.scheme == "https" else 80)
    except ValueError:
        raise NotAllowed("this is not an address") from None
    if parts.scheme not in ("http", "https") or not parts.hostname:
        raise NotAllowed("an address begins with https:// or http://")
    if parts.username is not None or any(sign.isspace() for sign in url):
        raise NotAllowed("an address holds neither a user's name nor spaces")
    try:
        found = socket.getaddrinfo(parts.hostname, port, type=socket.SOCK_STREAM)
    except UnicodeError:
        raise NotAllowed("this is no name of a machine") from None
    machines = [str(each[4][0]) for each in found]
    if not near and not all(is_public(machine) for machine in machines):
        raise NotAllowed("this address is in the server's own network, which the organizer has not allowed")
    return Target(parts, machines[0], port)


def is_public(machine: str) -> bool:
    """Neither loopback, private, link-local, multicast nor reserved; also not when wrapped in an IPv6 address."""
    address = ipaddress.ip_address(machine.partition("%")[0])
    if isinstance(address, ipaddress.IPv6Address):
        teredo = address.teredo or (None, None)
        wrapped = [address.ipv4_mapped, address.sixtofour, *teredo]
        if any(address in network for network in TRANSLATED):
            wrapped.append(ipaddress.IPv4Address(int(address) & 0xFFFFFFFF))
        if any(inner is not None and not is_public(str(inner)) for inner in wrapped):
            return False
        if address.ipv4_mapped is not None:
            return True
    return address.is_global and not address.is_multicast


class _Plain(http.client.HTTPConnection):
    """A connection to the machine that was checked."""

    def __init__(self, target: Target) -> None:
        super().__init__(str(target.parts.hostname), target.port, timeout=PATIENCE)
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


def said(fault: Exception) -> str:
    """Why a call failed, in a sentence's worth."""
    return str(fault) or type(fault).__name__


def post(url: str, value: object, near: bool) -> None:
    """Post a value as JSON, within DEADLINE. Raises Failed with the reason."""
    status = answered(url, encode(value), {"Content-Type": "application/json"}, near)
    if not 200 <= status < 300:
        raise Failed(f"the other end answered {status}")


def answered(url: str, body: bytes, headers: Mapping[str, str], near: bool) -> int:
    """Post bytes within DEADLINE; the status of the answer. Raises Failed where there is none."""
    connection: _Plain | None = None
    try:
        target = checked(url, near)
        connection = (_Secure if target.parts.scheme == "https" else _Plain)(target)
        path = (target.parts.path or "/") + (f"?{target.parts.query}" if target.parts.query else "")
        watch = threading.Timer(DEADLINE, connection.cut)
        watch.start()
        try:
            own = {"Host": target.parts.netloc, "User-Agent": "Navarch"}
            connection.request("POST", path, body, {**headers, **own})
            status = connection.getresponse().status
        finally:
            watch.cancel()
            connection.close()
        if connection.was_cut:
            raise Failed(TOO_SLOW)
    except (NotAllowed, OSError, http.client.HTTPException, UnicodeError) as fault:
        raise Failed(TOO_SLOW if connection is not None and connection.was_cut else said(fault)) from None
    return status
