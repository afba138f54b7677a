"""Codes of games, tokens of seats: made from `secrets`, stored only as hashes."""

from __future__ import annotations

import hashlib
import secrets

LETTERS = "23456789ABCDEFGHJKMNPQRSTUVWXYZ"  # without 0 O 1 I L, which a table misreads


def code(first: str = LETTERS) -> str:
    """A game's short code, which begins with one of the letters `first`."""
    return secrets.choice(first) + "".join(secrets.choice(LETTERS) for _ in range(7))


def token() -> str:
    """A seat's secret."""
    return secrets.token_urlsafe(24)


def token_hash(secret: str) -> str:
    """What the store keeps of a token; a token has 192 random bits, so a plain hash is enough."""
    return hashlib.sha256(secret.encode("utf-8", "surrogatepass")).hexdigest()
