"""Numbers in addresses: as many digits as a database counts to, in ASCII; anything longer leads nowhere (404)."""

from __future__ import annotations

from werkzeug.routing import IntegerConverter


class Number(IntegerConverter):
    """`<int:…>` of at most nine digits."""

    regex = r"[0-9]{1,9}"
