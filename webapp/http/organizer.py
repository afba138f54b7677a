"""Who is the organizer, and who may begin a game.

With a password (--organizer-password-file) the organizer is whoever has given it in this browser. Without one it is
whoever sits at the machine itself: a request from a loopback address, under a loopback name, that no proxy has carried.
"""

from __future__ import annotations

import hashlib
import hmac

from flask import current_app, request, session
from werkzeug.security import check_password_hash, generate_password_hash

from webapp.http.addresses import LOOPBACK, host_of
from webapp.http.rate_limit import slow_down
from webapp.http.seats import store
from webapp.storage.errors import Barred

CARRIED = ("X-Forwarded-For", "X-Forwarded-Host", "X-Forwarded-Proto", "X-Real-IP", "Forwarded", "Via")
PLACE = "organizer"  # of the session


def password_hash(password: str) -> str:
    """What the server keeps of a password while it runs."""
    return generate_password_hash(password)


def has_password() -> bool:
    """Is a password asked of the organizer?"""
    return bool(current_app.config.get("ORGANIZER_PASSWORD"))


def is_organizer() -> bool:
    """Does the organizer ask?"""
    if has_password():
        return hmac.compare_digest(str(session.get(PLACE, "")), _mark())
    return (
        request.remote_addr in LOOPBACK
        and host_of(request.host) in LOOPBACK
        and not current_app.config.get("BEHIND_PROXY")
        and not any(name in request.headers for name in CARRIED)
    )


def log_in(password: str) -> bool:
    """Make this browser the organizer's, if the password is right. Raises TooMany for one that guesses.

    A try is counted before it is looked at: to look costs a tenth of a second of the processor.
    """
    slow_down("tokens")
    if not check_password_hash(current_app.config["ORGANIZER_PASSWORD"], password):
        return False
    session[PLACE] = _mark()
    session.permanent = True
    return True


def log_out() -> None:
    """Make it nobody's again."""
    session.pop(PLACE, None)


def _mark() -> str:
    """What the session of the organizer holds: another password, or another start of the server, ends it."""
    return hashlib.sha256(str(current_app.config["ORGANIZER_PASSWORD"]).encode()).hexdigest()[:32]


def allow_new_game(kind: str = "games") -> None:
    """Raises Barred where only the organizer begins games, TooMany for an address that begins too many, and NoRoom
    when the file of games has grown to its limit. `kind` is `games` or `imports`."""
    mine = is_organizer()
    if current_app.config.get("ONLY_ORGANIZER_BEGINS") and not mine:
        raise Barred("On this server only the organizer can begin games.")
    slow_down("own games" if mine else kind)
    store().file.check_room()
