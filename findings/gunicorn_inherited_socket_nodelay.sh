#!/usr/bin/env bash
# gunicorn 27.0.1 with uvicorn's worker: a listening socket that is handed over by number (--bind fd://N).
#
# Guessed: it serves like the same socket bound by gunicorn itself (--bind 127.0.0.1:PORT); asyncio switches Nagle's
#   algorithm off (TCP_NODELAY) on every TCP connection that it takes.
# Seen: gunicorn makes the inherited socket anew from its number, family and type, and leaves out the protocol, so that
#   Python knows it as protocol 0. The connections it accepts have protocol 0 as well, and asyncio switches Nagle's
#   algorithm off only where it reads IPPROTO_TCP. Bound by address: TCP_NODELAY is 1. Inherited: 0.
# Means: an answer whose body is sent after its head waits until the client acknowledges the head, which Linux puts off
#   for some 40 ms. Set TCP_NODELAY on the listening socket: on Linux the connections inherit it. The third line shows it.
set -eu
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
python3 -m venv "$folder/env"
"$folder/env/bin/pip" install -q --disable-pip-version-check gunicorn==27.0.1 uvicorn==0.54.0 uvicorn-worker==0.4.0 h11==0.16.0 2>/dev/null
cat > "$folder/seen.py" <<'PY'
"""Answers with TCP_NODELAY of the connection that asks: the only established one of this process."""
import os
import socket


def nodelay():
    for name in os.listdir("/proc/self/fd"):
        try:
            own = socket.socket(fileno=os.dup(int(name)))
        except OSError:
            continue
        with own:
            try:
                if own.family == socket.AF_INET and own.getpeername():
                    return own.getsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY) and 1
            except OSError:
                continue


async def app(scope, receive, send):
    if scope["type"] != "http":
        return
    await send({"type": "http.response.start", "status": 200, "headers": []})
    await send({"type": "http.response.body", "body": str(nodelay()).encode()})
PY
cat > "$folder/ask.py" <<'PY'
"""Starts gunicorn with a way of binding and prints what its application sees."""
import http.client
import os
import socket
import subprocess
import sys
import time

folder, way = sys.argv[1:]
listening = socket.socket()
listening.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
listening.bind(("127.0.0.1", 0))
port = listening.getsockname()[1]
if way == "address":
    listening.close()
    bind, handed = f"127.0.0.1:{port}", ()
else:
    if way == "inherited, set beforehand":
        listening.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
    listening.listen()
    bind, handed = f"fd://{listening.fileno()}", (listening.fileno(),)
command = [f"{folder}/env/bin/gunicorn", "-k", "uvicorn_worker.UvicornWorker", "--bind", bind, "seen:app"]
server = subprocess.Popen(command, cwd=folder, pass_fds=handed, stderr=subprocess.DEVNULL)
try:
    for _ in range(300):
        try:
            link = http.client.HTTPConnection("127.0.0.1", port, timeout=5)
            link.request("GET", "/")
            print(f"{way}: TCP_NODELAY {link.getresponse().read().decode()}")
            break
        except OSError:
            time.sleep(0.1)
finally:
    server.terminate()
    server.wait(20)
PY
for way in address inherited "inherited, set beforehand"; do
  "$folder/env/bin/python" "$folder/ask.py" "$folder" "$way"
done | tee "$folder/out"
diff "$folder/out" - <<'END'
address: TCP_NODELAY 1
inherited: TCP_NODELAY 0
inherited, set beforehand: TCP_NODELAY 1
END
