"""`navarch serve`: the program for a club room, one process with many threads."""

from __future__ import annotations

import argparse
import json
import resource
import sys
import threading
from pathlib import Path
from typing import Any

from flask import Flask
from gunicorn.app.base import BaseApplication

from webapp import backups, create_app, trust
from webapp.campaign import ink
from webapp.campaign.sheet import has_map
from webapp.cli import database_option
from webapp.store import Store
from webapp.systems import systems

CAMPAIGN = "off_mylae"
THREADS = 400  # three for each expected tablet, and some: an open stream holds one


def register(subparsers: Any) -> None:
    """Add the subcommand."""
    parser = subparsers.add_parser(
        "serve",
        help="serve the pages and the API",
        description="Serves the pages and the API to this machine, or with --host 0.0.0.0 to the room.",
        epilog="Example: navarch serve --host 0.0.0.0 --demo",
    )
    parser.add_argument("--host", default="127.0.0.1", help="the address to listen at (default: 127.0.0.1)")
    parser.add_argument("--port", type=int, default=8000, help="the port (default: 8000)")
    parser.add_argument("--demo", action="store_true", help="set up a battle and a campaign once; print the seats")
    parser.add_argument("--tls", action="store_true", help="serve https with a certificate of this machine's own")
    parser.add_argument(
        "--backup-minutes", type=float, default=15, help="how often to back up; 0 for never (default: 15)"
    )
    database_option(parser)
    parser.set_defaults(run=run)


class Server(BaseApplication):
    """gunicorn with our settings; the application is made inside the worker, where its threads live."""

    def __init__(self, settings: dict[str, Any], config: dict[str, Any], minutes: float) -> None:
        self._settings, self._config, self._minutes = settings, config, minutes
        super().__init__()

    def load_config(self) -> None:
        for name, value in self._settings.items():
            self.cfg.set(name, value)

    def load(self) -> Flask:
        if self._minutes > 0:
            backups.keep_backing_up(Path(self._config["DATABASE"]), self._minutes)
        threading.Thread(target=draw_maps, name="maps", daemon=True).start()
        return create_app(self._config)


def draw_maps() -> None:
    """Draw the ground of every map once, while nobody waits: the first page of a campaign would take a second more."""
    for system in systems():
        if has_map(system):
            ink.ground(system)
            ink.cells(system)


def run(given: argparse.Namespace) -> int:
    """Serve until stopped."""
    database = Path(given.db).resolve()
    store = Store(database)
    config: dict[str, Any] = {"DATABASE": str(database)}
    scheme = "http"
    settings: dict[str, Any] = {
        "bind": f"{given.host}:{given.port}",
        "workers": 1,
        "worker_class": "gthread",
        "threads": THREADS,
        "worker_connections": 2 * THREADS,
        "timeout": 120,
        "graceful_timeout": 2,
        "loglevel": "warning",
        "proc_name": "navarch",
    }
    if given.tls:
        files = trust.prepare(database.parent / "tls", given.host)
        settings |= {"certfile": str(files.server), "keyfile": str(files.server)}
        config |= {"TLS_FOLDER": str(files.folder), "SESSION_COOKIE_SECURE": True}
        scheme = "https"
    links = [f"{scheme}://{host}:{given.port}" for host in hosts(given.host)]
    told = [f"Navarch is at {' and '.join(links)}"]
    if given.demo:
        told += demo_lines(store, links[min(1, len(links) - 1)])
        told += campaign_lines(store, links[min(1, len(links) - 1)])
    if given.tls:
        told.append(f"Tablets trust it after installing {links[0]}/trust/navarch.pem")
    store.file.close()
    allow_files()

    def say(_: object) -> None:
        print("\n".join(told), flush=True)

    Server({**settings, "when_ready": say}, config, given.backup_minutes).run()
    return 0


def allow_files() -> None:
    """Each thread may hold a socket and two files: more than systems allow unless asked."""
    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    wanted = 8 * THREADS if hard == resource.RLIM_INFINITY else min(hard, 8 * THREADS)
    if soft < wanted:
        resource.setrlimit(resource.RLIMIT_NOFILE, (wanted, hard))


def hosts(host: str) -> list[str]:
    """The names to print: for all interfaces this machine and its addresses."""
    if host in ("0.0.0.0", "::"):
        return ["127.0.0.1", *trust.addresses()]
    return [f"[{host}]" if ":" in host else host]


def demo_lines(store: Store, link: str) -> list[str]:
    """The seats of the demo battle, which is created once."""
    if "galley" not in store.systems:
        print("navarch: there is no galley engine here, so there is no demo", file=sys.stderr)
        return []
    game, tokens = demo(store)
    lines = [f"  {seat:<12}{link}/join/{token}" for seat, token in tokens.items()]
    return [f"The demo, {store.game(game).title}, is game {game}:", *lines]


def campaign_lines(store: Store, link: str) -> list[str]:
    """The seats of the demo campaign, stopped where a fleet off Mylae has just been intercepted."""
    found = demo_campaign(store)
    if found is None:
        return []
    game, tokens = found
    lines = [f"  {seat:<12}{link}/join/{token}" for seat, token in tokens.items()]
    return [f"The demo campaign, {store.game(game).title}, is game {game}; its battle waits to be opened:", *lines]


def demo_campaign(store: Store) -> tuple[str, dict[str, str]] | None:
    """The demo campaign and its tokens, created once; None where Hamilcar or its scenario is missing."""
    hamilcar = store.systems.get("hamilcar")
    if hamilcar is None or CAMPAIGN not in {scenario.id for scenario in hamilcar.scenarios()}:
        return None
    return kept(store, "demo campaign") or made(store, "demo campaign", "hamilcar", CAMPAIGN)


def kept(store: Store, note: str) -> tuple[str, dict[str, str]] | None:
    """A demo that was created earlier; None when there is none, or it was deleted."""
    found = store.note(note)
    known = json.loads(found) if found is not None else None
    return (known["game"], known["tokens"]) if known and store.pulses([known["game"]]) else None


def made(store: Store, note: str, system: str, scenario: str) -> tuple[str, dict[str, str]]:
    """A new demo, noted for the next start."""
    game, tokens = store.create(system, scenario=scenario)
    store.keep_note(note, json.dumps({"game": game.id, "tokens": tokens}))
    return game.id, tokens


def demo(store: Store) -> tuple[str, dict[str, str]]:
    """The demo battle and its tokens; it is created when there is none, or it was deleted."""
    known = kept(store, "demo")
    if known is not None:
        return known
    scenarios = [scenario.id for scenario in store.systems["galley"].scenarios()]
    mylae = next((name for name in scenarios if "mylae" in name), scenarios[0])
    return made(store, "demo", "galley", mylae)
