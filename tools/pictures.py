"""Make the pictures of the documentation: `python tools/pictures.py [FOLDER]`.

It starts a server of its own with the demo games, opens the main pages in Chromium in three schemes at tablet size
and the battle on a phone, and writes one PNG for each.
"""

from __future__ import annotations

import logging
import os
import random
import sys
import tempfile
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from playwright.sync_api import Browser, sync_playwright
from werkzeug.serving import make_server

from tactical.kernel.dice import random_source
from tactical.kernel.record import read
from webapp import create_app
from webapp.storage.journal.store import Store

SCHEMES = ("day", "dark", "night")
TABLET, PHONE, TELEVISION = (1024, 768), (390, 844), (1280, 720)
FLAGS = [
    "--no-sandbox",
    "--disable-gpu",
    "--disable-quic",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
]


@contextmanager
def serving(store: Store) -> Iterator[str]:
    """A server for the pictures; its address."""
    logging.getLogger("werkzeug").setLevel(logging.ERROR)
    server = make_server("127.0.0.1", 0, create_app({"STORE": store}), threaded=True)
    threading.Thread(target=server.serve_forever, daemon=True).start()
    yield f"http://127.0.0.1:{server.server_port}"
    server.shutdown()


def battle_in_progress(store: Store, generator: random.Random) -> tuple[str, dict[str, str]]:
    """Mylae played at random into its third turn, stopped where Rome must move."""
    game, tokens = store.create("galley", "mylae", title="Mylae, 260 BC")
    for _ in range(2600):
        table = store.load(game.id)
        state = table.state
        waiting = table.system.waiting_for(state)
        if state.is_over or (state.turn >= 3 and state.step == "move" and state.phase == 3 and "rome" in waiting):
            break
        seat = generator.choice(waiting)
        offers = [o for o in table.system.offers(state, seat) if o.type not in ("resign", "agree", "forgo")]
        offer = generator.choice([o for o in offers if o.type != "plot"] or offers)
        command = {"type": offer.type, **{name: choose(name, value, generator) for name, value in offer.fields.items()}}
        read(command, table.system.command)
        store.submit(game.id, table.game.version, seat, command)
    return game.id, tokens


def choose(name: str, value: Any, generator: random.Random) -> Any:
    """One of an offer's choices; brisk speeds and straight courses make a livelier picture."""
    if isinstance(value, dict):
        return value["to"] if name == "speed" else generator.randint(value["from"], value["to"])
    if isinstance(value, list):
        return "none" if name == "turn" and generator.random() < 0.7 else generator.choice(value)
    return value


def take(
    browser: Browser, address: str, path: Path, size: tuple[int, int], scheme: str, join: str | None = None
) -> None:
    """One picture of one page, after joining a seat when a link is given."""
    context = browser.new_context(
        viewport={"width": size[0], "height": size[1]}, has_touch=True, service_workers="block", locale="en-GB"
    )
    base = address.split("/", 3)
    context.add_cookies([{"name": "scheme", "value": scheme, "url": "/".join(base[:3])}])
    page = context.new_page()
    if join:
        page.goto(join)
    page.goto(address)
    page.wait_for_timeout(500)
    page.screenshot(path=str(path))
    context.close()


def pages(url: str, store: Store) -> Iterator[tuple[str, str, tuple[int, int], str | None]]:
    """What to take: name, address, size, and the seat to join first."""
    battle, tokens = battle_in_progress(store, random.Random(11))
    rome = f"{url}/join/{tokens['rome']}"
    yield "battle", f"{url}/g/{battle}", TABLET, rome
    yield "battle-phone", f"{url}/g/{battle}", PHONE, rome
    yield "display", f"{url}/display/{battle}", TELEVISION, None
    yield "log", f"{url}/g/{battle}/log", TABLET, rome
    yield "lobby", f"{url}/", TABLET, None
    yield "reference", f"{url}/reference/galley", TABLET, None
    yield "odds", f"{url}/odds", TABLET, None
    yield "cases", f"{url}/cases", TABLET, None
    for name, system in store.systems.items():
        if name == "galley":
            continue
        game, seats = store.create(name, system.scenarios()[0].id)
        side = next(iter(seats))
        yield f"campaign-{name}", f"{url}/g/{game.id}", TABLET, f"{url}/join/{seats[side]}"


def main(folder: Path) -> int:
    """Take them all."""
    folder.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory() as place, sync_playwright() as play:
        store = Store(Path(place) / "pictures.db", source=random_source(random.Random(3).randrange))
        chromium = os.environ.get("CHROMIUM", "/usr/bin/chromium")
        browser = play.chromium.launch(executable_path=chromium, args=FLAGS)
        with serving(store) as url:
            for name, address, size, join in pages(url, store):
                for scheme in SCHEMES:
                    take(browser, address, folder / f"{name}-{scheme}.png", size, scheme, join)
                    print(folder / f"{name}-{scheme}.png")
        browser.close()
    return 0


if __name__ == "__main__":
    raise SystemExit(main(Path(sys.argv[1]) if len(sys.argv) > 1 else Path(__file__).parents[1] / "docs/pictures"))
