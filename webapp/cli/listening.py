"""Where a server listens: one socket for each of its processes, at a port that nobody else has."""

from __future__ import annotations

import errno
import socket
from collections import Counter
from contextlib import ExitStack

from gunicorn.arbiter import Arbiter
from gunicorn.workers.base import Worker

from tactical.kernel.record import BadInput

MOST_PORT = 65_535
WAITING = 2048  # connections at one socket, until its process takes them


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


def give(arbiter: Arbiter, worker: Worker) -> None:
    """Give a new process the socket that the fewest others have. Of one shared socket the first awake takes all."""
    uses = Counter(each.sockets[0] for each in arbiter.WORKERS.values())
    worker.sockets = [min(arbiter.LISTENERS, key=lambda each: uses[each])]


def drop(arbiter: Arbiter, worker: Worker) -> None:
    """Close a process's socket when it has ended and no other will have it: nobody would answer there."""
    is_replaced = len(arbiter.WORKERS) < arbiter.num_workers
    if not is_replaced and all(each.sockets != worker.sockets for each in arbiter.WORKERS.values()):
        arbiter.LISTENERS.remove(worker.sockets[0])
        worker.sockets[0].close()


def close_others(arbiter: Arbiter, worker: Worker) -> None:
    """Close what the others listen at, in a new process."""
    for each in arbiter.LISTENERS:
        if each not in worker.sockets:
            each.close()
