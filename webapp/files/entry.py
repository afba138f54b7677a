"""Where a child process begins: it takes its limits, then runs a reader. It needs the standard library alone.

Exit codes: 0 with the answer as JSON, 1 where the reader gave up, 2 where it could not be loaded, 3 at a limit; at the
other limits the system kills it.
"""

from __future__ import annotations

import json
import os
import resource
import runpy
import signal
import sys

GENTLE = 10  # how far it steps back behind the server
NO_READER, TOO_MUCH = 2, 3


def take_limits(memory: int, processor: int, seconds: float, answer: int) -> None:
    """Let the system stop this process at any of them, also where nobody waits for it any more."""
    limits = {
        resource.RLIMIT_AS: memory,
        resource.RLIMIT_CPU: processor,
        resource.RLIMIT_FSIZE: answer,
        resource.RLIMIT_CORE: 0,
    }
    for kind, most in limits.items():
        hard = resource.getrlimit(kind)[1]
        most = most if hard == resource.RLIM_INFINITY else min(most, hard)
        resource.setrlimit(kind, (most, most))
    signal.setitimer(signal.ITIMER_REAL, seconds + 1)
    os.nice(GENTLE)


def main() -> None:
    """Read the order and the file from the standard input, and write the reader's answer."""
    answer = os.dup(1)
    os.dup2(2, 1)  # what a library prints is not the answer
    order = json.loads(sys.stdin.buffer.readline())
    take_limits(**order["limits"])
    sys.path[:] = order["path"]
    try:
        read = runpy.run_path(order["reader"])["read"]
    except Exception:
        sys.exit(NO_READER)
    try:
        found = read(sys.stdin.buffer.read(), **order["given"])
        text = json.dumps(found).encode()
    except MemoryError:
        sys.exit(TOO_MUCH)
    if len(text) > order["limits"]["answer"]:
        sys.exit(TOO_MUCH)
    with open(answer, "wb") as file:
        file.write(text)


if __name__ == "__main__":
    main()
