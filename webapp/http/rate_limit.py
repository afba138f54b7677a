"""How much one address may ask: a bucket of permissions that fills again by the minute."""

from __future__ import annotations

import ipaddress
import threading
from time import monotonic

from flask import current_app, request

REMEMBERED = 10_000  # addresses; beyond that the fullest buckets are forgotten


def neighbourhood(address: str) -> str:
    """Who shares a share: an IPv4 address, or the 64 bits of an IPv6 network, of which one house owns all."""
    try:
        known = ipaddress.ip_address(address.partition("%")[0])
    except ValueError:
        return address
    if known.version == 6 and known.ipv4_mapped is None:
        return str(ipaddress.ip_network((known, 64), strict=False))
    return str(known.ipv4_mapped or known) if known.version == 6 else str(known)


class TooMany(Exception):
    """This address asks too often."""


class Buckets:
    """Token buckets by address: `a_minute` permissions, which flow in evenly."""

    def __init__(self, a_minute: int) -> None:
        self.a_minute = a_minute
        self._level: dict[str, tuple[float, float]] = {}
        self._guard = threading.Lock()

    def take(self, address: str) -> bool:
        """Take one permission; False when there is none left."""
        now = monotonic()
        with self._guard:
            level, since = self._level.get(address, (float(self.a_minute), now))
            level = min(self.a_minute, level + (now - since) * self.a_minute / 60)
            self._level[address] = (max(level - 1, level % 1), now)
            if len(self._level) > REMEMBERED:
                fullest = max(self._level, key=lambda known: self._level[known][0])
                del self._level[fullest]
            return level >= 1


def slow_down(kind: str) -> None:
    """TooMany when this address has used up its permissions of that kind (`games` or `tokens`)."""
    buckets: Buckets = current_app.extensions["navarch-limits"][kind]
    if not buckets.take(request.remote_addr or ""):
        raise TooMany("Too many requests from this address: wait a minute.")
