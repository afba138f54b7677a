"""Under which names the server answers, and how its own links begin.

Without settings (as in tests) every name is taken. `navarch serve` allows this machine's names and addresses, the
address at which the connection came in, and what --public-url and --trusted-host name; any other `Host` is refused, so
that neither a link nor a webhook can be made to lead elsewhere.
"""

from __future__ import annotations

import ipaddress
import re
from functools import lru_cache

from flask import abort, current_app, request, url_for
from werkzeug.exceptions import MisdirectedRequest

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
