#!/usr/bin/env bash
# py4swiss 0.3.1 and gacrux 1.11.65, two engines for Swiss tournaments, on small tournament files (FIDE's TRF).
#
# Guessed: both pair the next round of a file of four players in the same way; both keep two players apart whom the file
#   names in a line `XXP`, the extension of which every manual of such files tells; both pair a player who entered after
#   round 1 and whose line therefore has no round.
# Seen: they pair the plain file alike (2-1, 3-4). With `XXP 1 2` py4swiss keeps the two apart, and gacrux pairs them
#   without a word. With a fifth player whose line ends before round 1, gacrux pairs all and gives one of the old ones the bye;
#   py4swiss answers the bye alone, and the other four are not paired at all.
# Means: ask an engine for its pairings and check them: nobody left out, nobody forbidden. Write `0000 - Z` for rounds
#   that a late entrant has missed.
set -eu
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
python3 -m venv "$folder/env"
"$folder/env/bin/pip" install -q --disable-pip-version-check py4swiss==0.3.1 gacrux==1.11.65 2>/dev/null
cat > "$folder/seen.py" <<'PY'
import contextlib
import io
import sys
from pathlib import Path

from gacrux.pairingdutch import pairing_dutch
from gacrux.trf2json import trf2json
from py4swiss.engines import DutchEngine
from py4swiss.trf import TrfParser

path = Path(sys.argv[1])


def player(number, name, points, round_=""):
    return f"001 {number:>4}      {name:<33}      "[:53].ljust(80) + f"{points:>4} {number:>4}  {round_}".rstrip()


HEAD = ["012 Cup", "XXR 3", "XXC white1"]
ROUND = [
    player(1, "A", 1.0, "   3 w 1"),
    player(2, "B", 1.0, "   4 b 1"),
    player(3, "C", 0.0, "   1 b 0"),
    player(4, "D", 0.0, "   2 w 0"),
]


def by_gacrux(text):
    with contextlib.redirect_stdout(io.StringIO()):
        read = trf2json()
        read.parse_file(text, 0)
        cup = read.get_tournament(1)
        settings = {"experimental": [], "top_color": "w", "verbose": 0}
        found = pairing_dutch(cup, cup["currentRound"] + 1, settings).compute_pairing(False, 1)
    return sorted((each["w"], each["b"]) for part in found if part for each in part.get("pairs", ()))


for what, lines in (
    ("plain", HEAD + ROUND),
    ("1 and 2 kept apart", [*HEAD, *ROUND, "XXP 1 2"]),
    ("a fifth came late", HEAD + [*ROUND, player(5, "E", 0.0)]),
):
    text = "\n".join(lines) + "\n"
    path.write_text(text)
    print(f"{what}: py4swiss", sorted((each.white, each.black) for each in DutchEngine.generate_pairings(TrfParser.parse(path))))
    print(f"{what}: gacrux", by_gacrux(text))
PY
"$folder/env/bin/python" "$folder/seen.py" "$folder/cup.trf" | tee "$folder/out"
diff "$folder/out" - <<'END'
plain: py4swiss [(2, 1), (3, 4)]
plain: gacrux [(2, 1), (3, 4)]
1 and 2 kept apart: py4swiss [(2, 3), (4, 1)]
1 and 2 kept apart: gacrux [(2, 1), (3, 4)]
a fifth came late: py4swiss [(5, 0)]
a fifth came late: gacrux [(2, 1), (3, 5), (4, 0)]
END
