"""`navarch serve` whose loop can be blocked: `python -m kit.stuck_server serve …`.

A file `block` in the current folder blocks the loop of one process for good; the page `/slow` takes longer than a blocked
loop is borne with, on a thread.
"""

from __future__ import annotations

import sys
import time
from pathlib import Path
from typing import Any

from flask import Flask

from navarch import main
from webapp import create_app
from webapp.cli import serve

STUCK_SECONDS = 4  # in place of the server's own patience
BLOCK = Path("block")


class Blocked(serve.Worker):
    """A process that blocks its loop when it is told to."""

    async def callback_notify(self) -> None:
        """Each second, on the loop."""
        await super().callback_notify()
        if BLOCK.exists():
            BLOCK.unlink()
            time.sleep(3600)


def create_slow_app(config: dict[str, Any]) -> Flask:
    """The application with a page that takes long."""
    app = create_app(config)

    def slow() -> str:
        time.sleep(STUCK_SECONDS + 2)
        return "done"

    app.add_url_rule("/slow", view_func=slow)
    return app


if __name__ == "__main__":
    serve.STUCK_SECONDS, serve.SEAS = STUCK_SECONDS, ()
    serve.Worker, serve.create_app = Blocked, create_slow_app  # type: ignore[misc]  # instead of the program's own
    sys.exit(main())
