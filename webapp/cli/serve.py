"""`navarch serve`: the program for a club room: a loop that holds the connections, threads for whole requests.

`navarch promote` makes this machine the writer of what another one has replicated, and serves.
"""

from __future__ import annotations

import argparse
import errno
import gc
import json
import os
import resource
import shutil
import signal
import socket
import sqlite3
import sys
import tempfile
from collections import Counter
from contextlib import ExitStack, closing, suppress
from pathlib import Path
from typing import Any, ClassVar
from urllib.parse import urlsplit

from flask import Flask
from gunicorn.app.base import BaseApplication
from gunicorn.arbiter import Arbiter
from gunicorn.workers.base import Worker as AnyWorker
from uvicorn_worker import UvicornWorker

import webapp
from tactical.kernel import cache
from tactical.kernel.record import BadInput
from webapp import create_app
from webapp.cli import add, database_option, number_from, replicating
from webapp.http import addresses
from webapp.http.cache import SHELF
from webapp.http.forms import EXPORT_LIMIT
from webapp.http.operations import COUNTS, log_lines
from webapp.http.rate_limit import Common, share
from webapp.http.seats import password_hash
from webapp.http.server import AT_ONCE, HELD, UNFINISHED, Bridge, Guarded, Unshared
from webapp.post import mail
from webapp.storage.file import anchors
from webapp.storage.file.database import sqlite_line
from webapp.storage.file.election import Election
from webapp.storage.journal import store as journal_store
from webapp.storage.journal.records import LETTERS
from webapp.storage.journal.store import Store
from webapp.storage.journal.transfer import verify
from webapp.storage.services import backups
from webapp.storage.services.archive import flowing
from webapp.storage.services.backups import Replica, watch

DAY_SECONDS = 24 * 3600
PASSWORD_LETTERS = 8  # of an organizer's password, at least
MOST_PROCESSES = 64
MOST_PORT = 65_535
MOST_CACHE = 4096  # megabytes
WAITING = 2048  # connections at one socket, until its process takes them
CAMPAIGN = "off_mylae"  # the scenario of the demo campaign
STUCK_SECONDS = 15  # without a sign of life from a process's loop, until the process is replaced
IN_MEMORY = Path("/dev/shm")  # where the counts lie, if it is there: a full disk must not touch them
FILES = 16_384  # sockets and files that the server may hold: a stream holds one socket
SWEEPS = (50_000, 20, 20)  # values more than went, until memory is swept; and of these, until the older ones are too


def register(subparsers: Any) -> None:
    """Add both subcommands."""
    add_options(
        add(
            subparsers,
            "serve",
            run,
            "Serves the pages and the API: to this machine alone, or with --host 0.0.0.0 to the network.",
            "serve --host 0.0.0.0 --demo",
        )
    )
    promoting = add(
        subparsers,
        "promote",
        promote,
        "Names this machine the writer, restores the newest replicated moment of the one that wrote"
        " before, verifies every game, and serves with these options. The other machine takes no more commands.",
        "promote --replica sftp://backup.example/navarch --machine beta --db games.db",
    )
    promoting.add_argument(
        "--acknowledged",
        type=Path,
        metavar="FILE",
        help="the other machine's games file, where its disk can still be read: what it acknowledged and did not"
        " replicate is told to the organizer",
    )
    add_options(promoting)


def add_options(parser: argparse.ArgumentParser) -> None:
    """All options of a server."""
    parser.add_argument("--host", default="127.0.0.1", help="address to listen on (default: 127.0.0.1)")
    parser.add_argument(
        "--port", type=number_from(1, MOST_PORT), default=8000, help="port to listen on (default: 8000)"
    )
    parser.add_argument(
        "--demo",
        action="store_true",
        help="create a demo battle and a demo campaign, once, and print the links of their seats",
    )
    parser.add_argument(
        "--tls",
        action="store_true",
        help="serve HTTPS with a certificate from this machine's own certificate authority",
    )
    parser.add_argument(
        "--backup-minutes",
        type=number_from(0, 7 * 24 * 60, float),
        default=15,
        help="minutes between backups; 0 for none (default: 15)",
    )
    parser.add_argument(
        "--public-url", metavar="URL", help="base address of this server in links, for example https://galleys.example"
    )
    parser.add_argument(
        "--trusted-host",
        action="append",
        default=[],
        metavar="NAME",
        help="another host name under which this server is reached; may be repeated",
    )
    parser.add_argument(
        "--behind-proxy", action="store_true", help="trust the X-Forwarded-For, -Proto and -Host headers of a proxy"
    )
    parser.add_argument(
        "--organizer-password-file",
        type=Path,
        metavar="FILE",
        help="file with the password that /organizer asks for, from this machine too",
    )
    parser.add_argument(
        "--only-organizer-begins", action="store_true", help="only the organizer may start or import games"
    )
    parser.add_argument(
        "--mail",
        metavar="URL",
        default=os.environ.get("NAVARCH_MAIL"),
        help="mail server, as smtp://user:password@mail.example:587 (default: the environment variable NAVARCH_MAIL)",
    )
    parser.add_argument("--mail-from", metavar="ADDRESS", help="sender address of mail")
    parser.add_argument("--mail-in", metavar="MAILDIR", help="Maildir of that address: orders by mail are read from it")
    parser.add_argument(
        "--codes",
        type=first_letters,
        metavar="LETTERS",
        default=LETTERS,
        help="the codes of games that begin here begin with one of these letters, for nginx before several machines",
    )
    parser.add_argument("--log-json", action="store_true", help="write the log as JSON lines, without secrets")
    parser.add_argument(
        "--processes",
        type=number_from(1, MOST_PROCESSES),
        default=cores(),
        metavar="N",
        help=f"number of worker processes (default: one for each core, here {cores()})",
    )
    parser.add_argument(
        "--cache",
        type=number_from(1, MOST_CACHE),
        default=cache.MOST >> 20,
        metavar="MEGABYTES",
        help=f"memory of each process for what would else be made again (default: {cache.MOST >> 20})",
    )
    database_option(parser)
    replicating.add_options(parser)


def cores() -> int:
    """The cores that this program may use."""
    allowed = len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1
    return min(MOST_PROCESSES, allowed)


def first_letters(said: str) -> str:
    """Some letters of codes. Raises argparse.ArgumentTypeError."""
    if not said or set(said) - set(LETTERS):
        raise argparse.ArgumentTypeError(f"expected some of the letters {LETTERS}")
    return said


class Server(BaseApplication):
    """gunicorn with our settings; the application is made inside the worker, where its threads live."""

    def __init__(self, settings: dict[str, Any], config: dict[str, Any], minutes: float) -> None:
        self._settings, self._config, self._minutes = settings, config, minutes
        super().__init__()

    def load_config(self) -> None:
        for name, value in self._settings.items():
            self.cfg.set(name, value)

    def load(self) -> Bridge:
        database = Path(self._config["DATABASE"])
        election = Election(database)
        replica: Replica | None = self._config["REPLICA"]
        if replica is None:  # else Litestream brings the log home
            election.when_ours(lambda: backups.keep_checkpointing(database))
        if self._minutes > 0:
            election.when_ours(lambda: backups.keep_backing_up(database, self._minutes))
        app = create_app({**self._config, "ELECTION": election})
        app.jinja_env.bytecode_cache = SHELF.templates((Path(webapp.__file__),))
        if not self._config["SHOWS_ONLY"]:
            election.stand()
            if replica is not None:
                watch(replica, lambda _: show_only(app, election))
        sweep_no_more()
        processes = self._config["PROCESSES"]
        Guarded.unfinished = share(UNFINISHED, processes)
        return Bridge(
            app,
            has_shares=not self._config["BEHIND_PROXY"],
            at_once=share(AT_ONCE, processes),
            held=share(HELD, processes, 2 * EXPORT_LIMIT),
        )


class Worker(UvicornWorker):
    """A process that serves: uvicorn's loop, our deadlines; it stops when the process that started it is gone."""

    CONFIG_KWARGS: ClassVar[dict[str, Any]] = {
        "loop": "asyncio",
        "http": Guarded,
        "ws": "none",
        "lifespan": "off",
        "interface": "asgi3",
        "proxy_headers": False,
        "server_header": False,
        "access_log": False,
        "timeout_notify": 1,
        "timeout_graceful_shutdown": 1,
    }

    async def callback_notify(self) -> None:
        """Each second: say that the loop lives, and stop if the process that started this one is gone."""
        self.notify()
        if self.ppid != os.getppid():
            os.kill(os.getpid(), signal.SIGTERM)


class BehindProxy(Worker):
    """The same where every connection is the proxy's, which must know itself how many one address may have."""

    CONFIG_KWARGS: ClassVar[dict[str, Any]] = {**Worker.CONFIG_KWARGS, "http": Unshared}


def sweep_no_more() -> None:
    """What is there now stays as long as the process: the sweeps of memory pass it over, and come seldom.

    A sweep writes to all that it passes, so that a forked process would have a copy of everything in place of a share,
    and holds everybody up for a tenth of a second; a page makes thousands of values that stay.
    """
    gc.collect()
    gc.freeze()
    gc.set_threshold(*SWEEPS)


def show_only(app: Flask, election: Election) -> None:
    """Take no more commands: another machine writes now."""
    app.extensions["navarch"].store.file.shows_only = True
    election.stop()


def run(given: argparse.Namespace) -> int:
    """Serve until stopped. Raises BadInput for wrong options and for a port that is taken: no file is made then."""
    replica = replicating.replica_of(given)
    config = doors(given) | {"PROCESSES": given.processes, "CODES": given.codes, "REPLICA": replica}
    with ExitStack() as stack:
        sockets = [stack.enter_context(each) for each in listen(given.host, given.port, given.processes)]
        return serve(given, config, replica, sockets)


def check(given: argparse.Namespace) -> None:
    """Raises BadInput where these options cannot be served with, or the port is taken."""
    doors(given)
    for each in listen(given.host, given.port, 1):
        each.close()


def serve(
    given: argparse.Namespace, config: dict[str, Any], replica: Replica | None, sockets: list[socket.socket]
) -> int:
    """Serve at these sockets until stopped."""
    database = Path(given.db).resolve()
    cache.allow(given.cache << 20)
    if given.log_json:
        log_lines()
    following = replicating.follow(replica, database) if replica is not None and given.standby else None
    shows_only = following is not None
    if replica is not None and not shows_only and not replicating.is_replicated():
        shows_only = replicating.begin_writing(replica, database, given.words)
    store = Store(database, shows_only=shows_only)
    store.first_letters = given.codes
    backups.tighten(database)
    lost = [] if shows_only else journal_store.look(store)
    if replica is None:
        backups.checkpoint(database)
    config |= {"DATABASE": str(database), "SHOWS_ONLY": shows_only}
    config["COMMON"] = Common(len(flowing()), is_shared=given.processes > 1)
    scheme = "http"
    settings: dict[str, Any] = {
        "workers": given.processes,
        "worker_class": BehindProxy if given.behind_proxy else Worker,
        "timeout": STUCK_SECONDS,
        "graceful_timeout": 2,
        "keepalive": 30,
        "loglevel": "warning",
        "proc_name": "navarch",
        "control_socket_disable": True,  # it would lie in the home of a user who has none
    }
    if given.tls:
        files = addresses.prepare(database.parent / "tls", given.host)
        settings |= {"certfile": str(files.server), "keyfile": str(files.server)}
        config |= {"TLS_FOLDER": str(files.folder), "SESSION_COOKIE_SECURE": True}
        config.setdefault("HSTS_SECONDS", DAY_SECONDS)
        scheme = "https"
    links = [f"{scheme}://{host}:{given.port}" for host in hosts(given.host)]
    told = [f"Navarch is at {' and '.join(links)}", sqlite_line(), *map(str, lost)]
    if given.demo:
        told += battle_lines(store, links[min(1, len(links) - 1)])
        told += campaign_lines(store, links[min(1, len(links) - 1)])
    if given.tls:
        told.append(f"Tablets trust it after installing {links[0]}/trust/navarch.pem")
    store.file.close()
    allow_files()

    def say(worker: Any) -> None:
        if worker.age == 1:  # the first: from now on somebody answers
            print("\n".join(told), flush=True)

    def bring_home(_: object) -> None:
        if replica is not None:
            return
        with suppress(sqlite3.Error):  # else it is brought home at the next start
            backups.checkpoint(database)

    def tidy(_: object) -> None:
        bring_home(_)
        if following is not None:
            following.terminate()
        if given.processes > 1:
            shutil.rmtree(os.environ[COUNTS], ignore_errors=True)

    hooks = {
        "pre_fork": give_socket,
        "post_fork": close_other_sockets,
        "child_exit": drop_socket,
        "post_worker_init": say,
        "worker_exit": lambda arbiter, worker: bring_home(arbiter),
        "on_exit": tidy,
    }
    if given.processes > 1:
        os.environ[COUNTS] = tempfile.mkdtemp(prefix="navarch-counts-", dir=IN_MEMORY if IN_MEMORY.is_dir() else None)
    settings["bind"] = [f"fd://{each.detach()}" for each in sockets]  # gunicorn's own from now on
    SHELF.open(database)
    sweep_no_more()
    Server({**settings, **hooks}, config, given.backup_minutes).run()
    return 0


def doors(given: argparse.Namespace) -> dict[str, Any]:
    """Who may come in by which name, as the application's settings. Raises OSError, BadInput."""
    found: dict[str, Any] = {
        "BEHIND_PROXY": given.behind_proxy,
        "ONLY_ORGANIZER_BEGINS": given.only_organizer_begins,
        "HOSTS": frozenset(name.lower() for name in (*addresses.names(given.host), *given.trusted_host)),
    }
    if given.mail:
        mail.server(given.mail, given.mail_from or "")
        found |= {"MAIL": given.mail, "MAIL_FROM": given.mail_from, "MAIL_IN": given.mail_in}
    if given.organizer_password_file is not None:
        password = given.organizer_password_file.read_text().strip()
        if len(password) < PASSWORD_LETTERS:
            raise BadInput(
                "--organizer-password-file", "a password has at least %(shortest)s letters", shortest=PASSWORD_LETTERS
            )
        found["ORGANIZER_PASSWORD"] = password_hash(password)
    if given.public_url is not None:
        parts = urlsplit(given.public_url)
        if parts.scheme not in ("http", "https") or not parts.hostname or parts.path.strip("/"):
            raise BadInput("--public-url", "give it as https://galleys.example, without a path")
        found["PUBLIC_URL"] = given.public_url.rstrip("/")
        found["HOSTS"] |= {parts.hostname.lower()}
        if parts.scheme == "https":
            found |= {"SESSION_COOKIE_SECURE": True, "HSTS_SECONDS": 365 * DAY_SECONDS}
    return found


def allow_files() -> None:
    """Each connection is a socket: more than systems allow unless asked."""
    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    wanted = FILES if hard == resource.RLIM_INFINITY else min(hard, FILES)
    if soft < wanted:
        resource.setrlimit(resource.RLIMIT_NOFILE, (wanted, hard))


def hosts(host: str) -> list[str]:
    """The names to print: for all interfaces this machine and its addresses."""
    if host in ("0.0.0.0", "::"):
        return ["127.0.0.1", *addresses.addresses()]
    return [f"[{host}]" if ":" in host else host]


# -- Where a server listens: one socket for each of its processes, at a port that nobody else has.


def prompt_socket(family: int) -> socket.socket:
    """A socket whose connections send at once: asyncio sees to it only where it knows that a socket is one of TCP.

    It does not of those that gunicorn takes over by number. An answer whose body goes out after its head would wait
    until the other side acknowledges the head, which it may put off for 40 ms.
    """
    made = socket.socket(family)
    made.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
    made.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
    return made


def listen(host: str, port: int, count: int) -> list[socket.socket]:
    """So many sockets that listen at one address: the system deals the connections out among them.

    The first is bound as if it were to stay alone, so a port that any program holds is refused, be it another Navarch;
    from then on no other program can get it. Raises BadInput when the port or the address cannot be had.
    """
    with ExitStack() as unused:
        found = [unused.enter_context(prompt_socket(socket.AF_INET6 if ":" in host else socket.AF_INET))]
        try:
            found[0].bind((host, port))
            found[0].listen(WAITING)
        except (OSError, UnicodeError) as fault:
            match getattr(fault, "errno", None):
                case errno.EADDRINUSE:
                    other = port + 1 if port < MOST_PORT else port - 1
                    raise BadInput(
                        "--port",
                        "port %(port)s is taken, perhaps by another Navarch; try --port %(other)s",
                        port=port,
                        other=other,
                    ) from None
                case errno.EACCES:
                    raise BadInput(
                        "--port", "this account may not use port %(port)s; try one from 1024 on", port=port
                    ) from None
            raise BadInput(
                "--host", "this machine cannot listen at %(host)s (%(fault)s)", host=host, fault=fault
            ) from None
        for _ in range(count - 1):
            found[0].setsockopt(socket.SOL_SOCKET, socket.SO_REUSEPORT, 1)
            found.append(unused.enter_context(prompt_socket(found[0].family)))
            found[-1].setsockopt(socket.SOL_SOCKET, socket.SO_REUSEPORT, 1)
            found[-1].bind(found[0].getsockname())
            found[-1].listen(WAITING)
        unused.pop_all()
        return found


def give_socket(arbiter: Arbiter, worker: AnyWorker) -> None:
    """Give a new process the socket that the fewest others have. Of one shared socket the first awake takes all."""
    uses = Counter(each.sockets[0] for each in arbiter.WORKERS.values())
    worker.sockets = [min(arbiter.LISTENERS, key=lambda each: uses[each])]


def drop_socket(arbiter: Arbiter, worker: AnyWorker) -> None:
    """Close a process's socket when it has ended and no other will have it: nobody would answer there."""
    is_replaced = len(arbiter.WORKERS) < arbiter.num_workers
    if not is_replaced and all(each.sockets != worker.sockets for each in arbiter.WORKERS.values()):
        arbiter.LISTENERS.remove(worker.sockets[0])
        worker.sockets[0].close()


def close_other_sockets(arbiter: Arbiter, worker: AnyWorker) -> None:
    """Close what the others listen at, in a new process."""
    for each in arbiter.LISTENERS:
        if each not in worker.sockets:
            each.close()


# -- The demo of `navarch serve --demo`: a battle and a campaign, each created once.


def battle_lines(store: Store, link: str) -> list[str]:
    """The seats of the demo battle, which is created once."""
    if "galley" not in store.systems:
        print("navarch: there is no galley engine here, so there is no demo", file=sys.stderr)
        return []
    game, tokens = demo_battle(store)
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
    """The demo campaign and its tokens, created once; None where no system has its scenario."""
    found = (name for name, each in store.systems.items() if CAMPAIGN in {one.id for one in each.scenarios()})
    system = next(found, None)
    note = "demo campaign"
    return None if system is None else find_demo(store, note) or make_demo(store, note, system, CAMPAIGN)


def find_demo(store: Store, note: str) -> tuple[str, dict[str, str]] | None:
    """A demo that was created earlier; None when there is none, or it was deleted."""
    found = store.note(note)
    known = json.loads(found) if found is not None else None
    return (known["game"], known["tokens"]) if known and store.revisions([known["game"]]) else None


def make_demo(store: Store, note: str, system: str, scenario: str) -> tuple[str, dict[str, str]]:
    """A new demo, noted for the next start."""
    game, tokens = store.create(system, scenario=scenario)
    store.keep_note(note, json.dumps({"game": game.id, "tokens": tokens}))
    return game.id, tokens


def demo_battle(store: Store) -> tuple[str, dict[str, str]]:
    """The demo battle and its tokens; it is created when there is none, or it was deleted."""
    known = find_demo(store, "demo")
    if known is not None:
        return known
    scenarios = [scenario.id for scenario in store.systems["galley"].scenarios()]
    mylae = next((name for name in scenarios if "mylae" in name), scenarios[0])
    return make_demo(store, "demo", "galley", mylae)


# -- `navarch promote`.


def promote(given: argparse.Namespace) -> int:
    """Take over, verify, serve. Raises BadInput, ReplicaFailed."""
    replica = replicating.replica_of(given)
    if replica is None:
        raise BadInput("--replica", "say where the copies are kept")
    check(given)  # before the other machine has to stop
    database = Path(given.db).resolve()
    writer = replicating.take_over(replica, database)
    games = verify_file(database)
    lost = anchors.compare(database, given.acknowledged) if given.acknowledged else []
    store = Store(database)
    journal_store.add(store, lost)
    store.file.close()
    print(*(f"{replica.machine} goes on from {writer}: {games} games, verified", *lost), sep="\n", flush=True)
    given.words = ["serve", *without(given.words[1:], "--acknowledged")]
    return run(given)


def without(words: list[str], option: str) -> list[str]:
    """A command line without an option and its value."""
    left = [word for word in words if not word.startswith(f"{option}=")]
    at = left.index(option) if option in left else len(left)
    return left[:at] + left[at + 2 :]


def verify_file(database: Path) -> int:
    """The number of games of a restored file. Raises BadInput when SQLite or a journal finds a fault in it."""
    with closing(sqlite3.connect(database)) as db:
        found = str(db.execute("pragma quick_check").fetchone()[0])
    if found != "ok":
        raise BadInput("--replica", "the restored file is damaged: %(found)s", found=found)
    store = Store(database)
    games = [row["id"] for row in store.file.rows("select id from games")]
    faults = [f"{game}: {fault}" for game in games for fault in verify(store, game)]
    store.file.close()
    if faults:
        raise BadInput("--replica", "a restored journal has a fault: %(fault)s", fault=faults[0])
    return len(games)
