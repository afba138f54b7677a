"""Make the pictures of the documentation: `python tools/pictures.py [NAME …]`, all or those whose names begin so.

It starts a server of its own with the demo games, opens the main pages in Chromium in three schemes at tablet size
and the battle on a phone, sends files as people have them and looks at what is told of each, and writes one PNG for
each.
"""

from __future__ import annotations

import html
import json
import logging
import os
import random
import sys
import tempfile
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from playwright.sync_api import Browser, Page, sync_playwright
from werkzeug.serving import make_server

from benchmarks.browser import ARGS
from strategic.open_campaign.rules.world import chart
from tactical.kernel.dice import random_source
from tactical.kernel.record import plain, read
from tools import formats
from webapp import create_app
from webapp.post import mail, order_mails, people
from webapp.storage.journal.store import Store

SCHEMES = ("day", "dark", "night")
TABLET, PHONE, TELEVISION = (1024, 768), (390, 844), (1280, 720)


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


# -- What is told of a file before it counts (docs: the page of formats), each at two sizes.

FLEET = """\
Fleet of Anna;;;
type;name;painted;corvus
quinquereme;Aquila;yes;VERO
trireme;Lupa;;no
trireme;Ястреб;yes;нет
;;bases are missing;
"""
TOURNAMENT = """\
012 Winter cup
022 Ostia
XXR 5
XXP 1 3
001    1      Rossi, Anna                       1850 ITA                         1.5    2     2 w 1  0000 - H     4 b 0
001    2      Bianchi, Bruno                    1700                             1.0    4     1 b 0     3 w 1
001    3   FM Verdi, Carla                                                       2.0    3  0000 - U     2 b 0     5 w -
001    4      Neri, Dino                                                         1.0    5            0000 - Z     1 w 1
001    5      Núñez, Elsa                                                        1.0    1                         3 b +
"""
PLAYERS = """\
Nome; Elo; Circolo
1. Rossi, Anna; 1850; C.N. Ostia
2. Bianchi, Bruno; 1700
3. Verdi, Carla; C.N. Ostia; carla@club.example
4. Rossi, Anna; 1850
"""
ODD = (
    {
        "type": "Feature",
        "properties": {"name": "The shoal"},
        "geometry": {"type": "Polygon", "coordinates": [[[27, 36]]]},
    },
    {"type": "Feature", "properties": {"name": "A place to be found"}, "geometry": None},
    {"type": "Feature", "properties": {"from": "kos", "to": "Halikarnassos"}, "geometry": None},
)
WORLD = {**formats.WORLD, "features": [*formats.WORLD["features"], *ODD]}  # type: ignore[misc]
LIST = formats.PLACES + "Halikarnassos;port;90;;\n"
STRAIT = formats.KML.replace("Rhodos", "Lindos").replace("28.23,36.45", "28.09,36.09").replace("Telos", "Halke")
LETTER = """<!doctype html><meta name="viewport" content="width=device-width"><style>
body {{ margin: 1.5rem; font: 17px/1.5 sans-serif; }} h1 {{ font-size: 1.3rem; }}
pre {{ font: inherit; white-space: pre-wrap; overflow-wrap: anywhere; }}</style><h1>{}</h1><pre>{}</pre>"""


def send(page: Page, form: str, *files: tuple[str, str]) -> None:
    """Send files by a form of the page."""
    those: list[Any] = [{"name": name, "mimeType": "", "buffer": text.encode()} for name, text in files]
    page.locator(f"{form} input[type=file]").set_input_files(those)
    page.locator(f"{form} button.main, {form} button").last.click()


def season(page: Page, url: str) -> str:
    """A season with a player, whose organizer the page is; its code."""
    made = page.request.post(f"{url}/api/v1/seasons", data={"title": "Winter league"}).json()
    head = {"Authorization": f"Bearer {made['token']}"}
    page.request.post(f"{url}/api/v1/seasons/{made['id']}/players", data={"name": "Rossi, Anna"}, headers=head)
    page.goto(f"{url}/join/{made['token']}")
    return str(made["id"])


def fleet(page: Page, url: str, store: Store) -> None:
    """A fleet for a season's player."""
    page.goto(f"{url}/g/{season(page, url)}?seat=umpire")
    page.evaluate("document.querySelectorAll('details').forEach(each => each.open = true)")
    send(page, "form[action*='/fleet/p1/sheet']", ("fleet.csv", FLEET))


def world(page: Page, url: str, store: Store, *files: tuple[str, str]) -> None:
    """The world of a new war."""
    page.goto(f"{url}/open/new")
    page.locator("input[name=world][value=file]").check()
    page.locator("input[name=side]").nth(0).fill("Rhodes")
    page.locator("input[name=side]").nth(1).fill("Kos")
    send(page, "form.questions", *(files or (("world.geojson", json.dumps(WORLD)),)))


def places(page: Page, url: str, store: Store) -> None:
    """The same from lists and KML."""
    world(page, url, store, ("places.csv", LIST), ("lanes.csv", formats.WAYS), ("strait.kml", STRAIT))


def tournament(page: Page, url: str, store: Store) -> None:
    """A season that another program has begun."""
    page.goto(f"{url}/seasons/new")
    send(page, "#by-file", ("cup.trf", TOURNAMENT))


def players(page: Page, url: str, store: Store) -> None:
    """A list that is pasted."""
    page.goto(f"{url}/g/{season(page, url)}?seat=umpire")
    page.locator("#enter-list > summary").click()
    page.locator("#enter-list textarea").fill(PLAYERS)
    page.locator("#enter-list button.main").click()


def orders(page: Page, url: str, store: Store) -> None:
    """The answer to orders by mail, as a mail program shows it."""
    app = create_app({"STORE": store})
    with app.test_request_context(base_url=url):
        game, _tokens = store.create("open_campaign", store.systems["open_campaign"].scenarios()[0].id)
        table = store.load(game.id)
        side = table.sides[0]
        anna = people.Newcomer(side, "Anna", "anna@club.example", "player", "", "en", "https://galleys.example")
        who, _token = people.invite(store, game.id, anna)
        people.ask(store, game.id, anna.address)
        with store.write() as db:
            db.conn.execute("update addresses set answer = 'yes'")
        who = people.person(store, game.id, who.id)
        names = [each.name for each in table.state.fleets.values() if each.side == side]
        place = next(iter(chart(plain(table.state)["world"]).spaces.values())).name
        text = f"{names[0]}: patrol {place}, avoid\nThe reserve: stay\n{names[-1]}: dance\nNB: I am away on Sunday."
        answered: list[mail.Text] = []

        def answer(who: people.Person, _name: str, read: Callable[[], tuple[str, list[str]]]) -> None:
            answered.append(mail.orders_read(who, *read()))

        order_mails.give(store, order_mails.Order(who, table.state.turn, text), "", answer)
    page.set_content(LETTER.format(*map(html.escape, answered[0])))


REPORTS: dict[str, Callable[[Page, str, Store], None]] = {
    "fleet": fleet,
    "world": world,
    "places": places,
    "tournament": tournament,
    "players": players,
    "orders": orders,
}


def take_report(browser: Browser, url: str, store: Store, name: str, size: str, path: Path) -> None:
    """One picture of what is told of a file."""
    width, height = formats.SIZES[size]
    context = browser.new_context(viewport={"width": width, "height": height}, has_touch=True, locale="en-GB")
    page = context.new_page()
    REPORTS[name](page, url, store)
    page.locator("#report, pre").wait_for()  # else there is a refusal to look at
    page.wait_for_load_state("networkidle")
    page.screenshot(path=str(path))
    context.close()


FOLDER = Path(__file__).parents[1] / "docs/pictures"


def main(wanted: tuple[str, ...], folder: Path = FOLDER) -> int:
    """Take all pictures, or those whose names begin so."""
    folder.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory() as place, sync_playwright() as play:
        store = Store(Path(place) / "pictures.db", source=random_source(random.Random(3).randrange))
        chromium = os.environ.get("CHROMIUM", "/usr/bin/chromium")
        browser = play.chromium.launch(executable_path=chromium, args=list(ARGS))
        with serving(store) as url:
            for name, address, size, join in pages(url, store):
                for path in (folder / f"{name}-{scheme}.png" for scheme in SCHEMES):
                    if path.name.startswith(wanted):
                        take(browser, address, path, size, path.stem.rpartition("-")[2], join)
                        print(path)
            for name in formats.REPORTS:
                for size in formats.SIZES:
                    path = folder / formats.picture(name, size)
                    if path.name.startswith(wanted):
                        take_report(browser, url, store, name, size, path)
                        print(path)
        browser.close()
    return 0


if __name__ == "__main__":
    raise SystemExit(main(tuple(sys.argv[1:]) or ("",)))
