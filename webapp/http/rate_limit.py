"""How much one address may ask: a bucket of permissions that fills again by the minute."""

from __future__ import annotations

import ipaddress
from collections.abc import Mapping
from functools import lru_cache
from typing import Any

from flask import current_app, request

from webapp.http.shared_memory import Buckets, Common


@lru_cache(4096)
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


KINDS = {
    "games": "GAMES_A_MINUTE", "imports": "IMPORTS_A_MINUTE", "own games": "OWN_GAMES_A_MINUTE",
    "forecasts": "FORECASTS_A_MINUTE", "mails": "MAILS_A_MINUTE", "letters": "LETTERS_A_MINUTE",
    "tokens": "BAD_TOKENS_A_MINUTE", "codes": "UNKNOWN_CODES_A_MINUTE", "public": "PUBLIC_PAGES_A_MINUTE",
    "seats": "SEAT_REQUESTS_A_MINUTE",
}  # what is limited, and the setting that says how much  # fmt: skip


def limits(config: Mapping[str, Any], common: Common) -> dict[str, Buckets]:
    """The buckets of each kind, for all processes of this server together."""
    return {kind: Buckets(config[name], common, place) for place, (kind, name) in enumerate(KINDS.items())}


def slow_down(kind: str) -> None:
    """TooMany when this address has used up its permissions of that kind (`games` or `tokens`)."""
    buckets: Buckets = current_app.extensions["navarch-limits"][kind]
    if not buckets.take(request.remote_addr or ""):
        raise TooMany("Too many requests from this address: wait a minute.")
