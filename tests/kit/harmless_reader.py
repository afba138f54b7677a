"""A reader for child processes that does one thing to be stopped for; it reads nothing, and imports nothing of the program."""

import os
import sys
import time


def read(data, *, does="sleep", **given):
    """What it was asked for."""
    if does == "sleep":
        time.sleep(60)
    elif does == "spin":
        while True:
            pass
    elif does == "allocate":
        return len(bytearray(given["bytes"]))
    elif does == "print":
        sys.stdout.write("x" * given["bytes"])
    elif does == "answer":
        return "x" * given["bytes"]
    elif does == "die":
        os.abort()
    elif does == "give up":
        raise LookupError("not my kind of file")
    elif does == "look around":
        return {
            "files": sorted(int(name) for name in os.listdir("/proc/self/fd")),
            "variables": sorted(os.environ),
            "program": sorted(
                name for name in sys.modules if name.split(".")[0] in ("webapp", "tactical", "strategic")
            ),
        }
    return data.decode()
