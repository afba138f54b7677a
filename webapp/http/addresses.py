"""Under which names the server answers, and how its own links begin.

Without settings (as in tests) every name is taken. `navarch serve` allows this machine's names, every address written
in numbers (which no foreign page can stand for) and what --public-url and --trusted-host name; any other `Host` is
refused, so that neither a link nor a webhook can be made to lead elsewhere.
"""

from __future__ import annotations

import ipaddress
from functools import lru_cache
from urllib.parse import urlsplit

from flask import abort, current_app, request, url_for
from werkzeug.exceptions import MisdirectedRequest

REMEMBERED = 64  # Host headers, which may be long
LOOPBACK = ("localhost", "127.0.0.1", "::1")


def root() -> str:
    """How links to this server begin, without a slash at the end: --public-url, else as the browser has called it."""
    return str(current_app.config.get("PUBLIC_URL") or request.host_url).rstrip("/")


def link(endpoint: str, **values: object) -> str:
    """The whole address of a page, as other tablets can use it."""
    return root() + url_for(endpoint, **values)  # type: ignore[arg-type]  # Flask takes any value


@lru_cache(REMEMBERED)
def host_of(host: str) -> str:
    """A Host header's name, without its port, in small letters."""
    return (urlsplit(f"//{host}").hostname or "").rstrip(".").lower()


def is_trusted(host: str) -> bool:
    """May this server be called by that Host header?"""
    allowed = current_app.config.get("HOSTS")
    if allowed is None:
        return True
    try:
        name = host_of(host)
    except ValueError:
        return False
    return name in allowed or is_number(name)


@lru_cache(REMEMBERED)
def is_number(name: str) -> bool:
    """Is it an address in numbers?"""
    try:
        ipaddress.ip_address(name.partition("%")[0])
    except ValueError:
        return False
    return True


def refuse_foreign_hosts() -> None:
    """421 for a Host that is not ours. Known before anything else looks at the request."""
    if not is_trusted(request.headers.get("Host", "")):
        abort(MisdirectedRequest.code, "This server is not known by that name: its organizer can allow it.")
