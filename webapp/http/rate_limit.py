"""How much one address may ask: a bucket of permissions that fills again by the minute."""

from __future__ import annotations

import ipaddress
from collections.abc import Callable, Mapping
from functools import lru_cache, wraps
from hashlib import blake2b
from typing import Any, ParamSpec, TypeVar

from flask import Flask, current_app, request

from webapp.http.shared_memory import Buckets, Common
from webapp.storage.services.limits import LIMITS, MINUTE, flowing

Given = ParamSpec("Given")
Answered = TypeVar("Answered")
RECKONED = "is_reckoned_apart"


@lru_cache(4096)
def client_network(address: str) -> str:
    """The network that shares a limit: an IPv4 address, or the 64 bits of an IPv6 network, which one household owns."""
    try:
        known = ipaddress.ip_address(address.partition("%")[0])
    except ValueError:
        return address
    if known.version == 6 and known.ipv4_mapped is None:
        return str(ipaddress.ip_network((known, 64), strict=False))
    return str(known.ipv4_mapped or known) if known.version == 6 else str(known)


class TooMany(Exception):
    """This address asks too often; after so many seconds it may ask again."""

    def __init__(self, reason: str, seconds: int = MINUTE) -> None:
        super().__init__(reason)
        self.seconds = seconds


def buckets_of(config: Mapping[str, Any], common: Common) -> dict[str, Buckets]:
    """A bucket for each row of the table that flows, for all processes of this server together."""
    return {
        name: Buckets(config.get(limit.setting, limit.most), common, place, limit.seconds)
        for place, (name, limit) in enumerate(flowing().items())
    }


def slow_down(name: str, amount: int = 1) -> None:
    """Take so much of a row of `limits.LIMITS` for the address that asks. Raises TooMany where too little is left."""
    buckets: Buckets = current_app.extensions["navarch-limits"][name]
    if not buckets.take(request.remote_addr or "", amount):
        seconds = LIMITS[name].seconds
        if seconds > MINUTE:
            raise TooMany("Too much has been saved today from your network address: try again tomorrow.", seconds)
        raise TooMany("Too many requests from your network address: wait a minute.")


def reckon_apart(name: str) -> Callable[[Callable[Given, Answered]], Callable[Given, Answered]]:
    """A view that reckons for long on a stranger's word: it is counted in a row of `limits.LIMITS`, and the bridge
    has one thread for all such views, so that commands and pages go on however many ask.
    """

    def wrap(view: Callable[Given, Answered]) -> Callable[Given, Answered]:
        @wraps(view)
        def count_and_view(*values: Given.args, **named: Given.kwargs) -> Answered:
            slow_down(name)
            return view(*values, **named)

        setattr(count_and_view, RECKONED, True)
        return count_and_view

    return wrap


def is_reckoned_apart(app: Flask, endpoint: str) -> bool:
    """Is it the endpoint of such a view?"""
    return getattr(app.view_functions.get(endpoint), RECKONED, False)


def asker() -> str:
    """A mark of the address that asks, the same for its whole network, from which only this server can tell it."""
    key: bytes = current_app.extensions["navarch"].secret("session").encode()
    return blake2b(client_network(request.remote_addr or "").encode(), key=key[:64], digest_size=12).hexdigest()
