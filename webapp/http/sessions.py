"""The browser's session: a cookie that only this server reads, whatever its clock says.

A seat's token lies in it, so it is encrypted (Fernet) and not only signed. It has no age: a server whose clock was
wrong for an hour, as a small one is after a power cut, knows its tablets all the same. A cookie that cannot be read,
such as one from another file of games, is left alone: what is new then goes into a second one beside it.
"""

from __future__ import annotations

import base64
import hashlib
import zlib
from datetime import date
from typing import Any

from cryptography.fernet import Fernet, InvalidToken
from flask import Flask, Request, Response, request
from flask.json.tag import TaggedJSONSerializer
from flask.sessions import SecureCookieSession, SecureCookieSessionInterface
from itsdangerous import BadSignature

from webapp.http.fragments import vary

LARGEST = 64 * 1024  # bytes of a session's JSON; a cookie holds 4 KB, and compressed ones are bounded by this
DAY = "day"  # of the session: on which its cookie was written last
JSON = TaggedJSONSerializer()


class BrowserSession(SecureCookieSession):
    """A session, and the name of the cookie it stands in."""

    place = ""


class BrowserSessions(SecureCookieSessionInterface):
    """How sessions are read from cookies and written back."""

    def open_session(self, app: Flask, request: Request) -> BrowserSession | None:
        """The session of the first cookie that can be read, else an empty one for the first free name."""
        if not app.secret_key:
            return None
        first = self.get_cookie_name(app)
        if "HTTP_COOKIE" not in request.environ:
            return _place({}, first)
        places = (first, f"{first}-2")
        for place in places:
            value = request.cookies.get(place)
            found = {} if value is None else self._read(app, value)
            if found is not None:
                return _place(found, place)
        return _place({}, places[-1])

    def save_session(self, app: Flask, session: Any, response: Response) -> None:
        """Write the session into its cookie, for the days that are set, counted by the browser's clock.

        They begin anew on each day with the first whole page. Any other answer that changes nothing leaves the cookie
        alone: one that comes late, as a picture's does, would put back what a later one has changed.
        """
        if session.accessed:
            vary(response, "Cookie")
        options: dict[str, Any] = {
            "domain": self.get_cookie_domain(app),
            "path": self.get_cookie_path(app),
            "secure": self.get_cookie_secure(app),
            "samesite": self.get_cookie_samesite(app),
            "httponly": self.get_cookie_httponly(app),
        }
        if not session:
            if session.modified:
                response.delete_cookie(session.place, **options)
        elif session.modified or (session.permanent and session.get(DAY) != _today() and _is_page(response)):
            if session.permanent:
                session[DAY] = _today()
            age = int(app.permanent_session_lifetime.total_seconds()) if session.permanent else None
            response.set_cookie(session.place, self._write(app, session), max_age=age, **options)
            vary(response, "Cookie")

    def _write(self, app: Flask, session: BrowserSession) -> str:
        packed = zlib.compress(JSON.dumps(dict(session)).encode())
        return _lock(app).encrypt(packed).decode()

    def _read(self, app: Flask, value: str) -> dict[str, Any] | None:
        """What a cookie says; None when it is none of ours. Cookies of earlier versions were only signed."""
        try:
            reading = zlib.decompressobj()
            plain = reading.decompress(_lock(app).decrypt(value), LARGEST)
            found = JSON.loads(plain.decode())
        except (InvalidToken, zlib.error, ValueError):
            signing = self.get_signing_serializer(app)
            try:
                found = signing.loads(value) if signing is not None else None
            except BadSignature:
                return None
        return found if isinstance(found, dict) else None


def _today() -> int:
    return date.today().toordinal()


def _is_page(answer: Response) -> bool:
    return answer.mimetype == "text/html" and "HX-Request" not in request.headers


def _place(found: dict[str, Any], place: str) -> BrowserSession:
    session = BrowserSession(found)
    session.place = place
    return session


def _lock(app: Flask) -> Fernet:
    key = app.secret_key.encode() if isinstance(app.secret_key, str) else bytes(app.secret_key or b"")
    return Fernet(base64.urlsafe_b64encode(hashlib.sha256(b"session cookie" + key).digest()))
