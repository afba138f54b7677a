"""O10.1 Our pairings beside those of three other programs: none has fewer byes, rematches or differences of scores.

py4swiss and gacrux pair by FIDE's Dutch system and read our tournament files (of 2016 and of 2026); swisspair pairs card
tournaments by points and places, and is given the players. All three keep to rules that we do not have (sides, floats),
so that theirs cost more now and then, or they find no pairings at all; never less.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable
from pathlib import Path

import pytest
from gacrux.gacruxexeptions import GacruxNoLegalPairing
from gacrux.pairingdutch import pairing_dutch
from gacrux.trf2json import trf2json
from py4swiss.engines import DutchEngine
from py4swiss.engines.common import PairingError
from py4swiss.trf import TrfParser
from swisspair import Player, create_matches

from kit.lengths import ENGINE_SEASONS, scaled
from kit.seasons import do, faults, swiss_season
from strategic.season.rules.pairing import BYE, byes, count_meetings
from strategic.season.rules.standings import points_of
from strategic.season.state import Season
from strategic.season.tournament_file import write_tournament
from tactical.kernel.protocol import Illegal

Pairs = list[tuple[str, str]]
NOTHING = (PairingError, GacruxNoLegalPairing, RuntimeError)  # what they raise where no round suits their rules


def by_py4swiss(season: Season, place: Path) -> Pairs:
    (place / "season.trf").write_text(write_tournament(season, "2016"), newline="")
    found = DutchEngine.generate_pairings(TrfParser.parse(place / "season.trf"))
    return [(f"p{pair.white}", f"p{pair.black}" if pair.black else BYE) for pair in found]


def by_gacrux(season: Season, place: Path) -> Pairs:
    file = trf2json()
    file.parse_file(write_tournament(season, "2026").replace("\r\n", "\n"), 0)
    assert file.chessjson["status"]["code"] == 0, file.chessjson["status"]
    number, how = len(season.played) + 1, {"experimental": [], "top_color": "w", "verbose": 0}
    found = pairing_dutch(file.get_tournament(1), number, how).compute_pairing(False, 1)
    pairs = [pair for bracket in found if bracket for pair in bracket.get("pairs", ())]
    return [(f"p{pair['w']}", f"p{pair['b']}" if pair["b"] else BYE) for pair in pairs]


def by_swisspair(season: Season, place: Path) -> Pairs:
    number = len(season.played) + 1
    points, met, had, apart = points_of(season), count_meetings(season), byes(season), season.kept_apart(number)
    there = sorted(season.entered(number), key=lambda id: -points[id])
    barred = {
        id: {
            other
            for other in there
            if other != id and (frozenset((id, other)) in apart or met.get(frozenset((id, other))))
        }
        for id in there
    }
    players = [Player(id, points[id], place, not had[id], barred[id]) for place, id in enumerate(there, start=1)]
    return [(match.p1.id, match.p2.id if match.p2 else BYE) for match in create_matches(players)]


ENGINES: dict[str, Callable[[Season, Path], Pairs]] = {
    "py4swiss": by_py4swiss,
    "gacrux": by_gacrux,
    "swisspair": by_swisspair,
}


def compare(seeds: range, engine: str, place: Path) -> Counter[str]:
    """How many rounds were paired alike, at more cost there, or not at all there. Fails where theirs is better."""
    found: Counter[str] = Counter()
    for seed in seeds:
        for season in swiss_season(seed):
            try:
                now = do(season, "pair").now if season.played else None
            except Illegal:  # all rounds are played, or nobody may meet
                continue
            if now is None:
                continue  # the first round is drawn by lot
            ours = [
                each.players if len(each.players) == 2 else (*each.players, BYE)
                for each in now.pairings.values()
                if not each.bye
            ]
            try:
                theirs = ENGINES[engine](season, place)
            except NOTHING:
                found["nothing"] += 1
                continue
            assert {*sum(theirs, ())} == {*sum(ours, ())}, "the same players are in the round"
            own, other = faults(season, ours), faults(season, theirs)
            assert own <= other, f"season {seed}, round {now.number}: {theirs} costs {other}, ours {own}"
            found["alike" if own == other else "ours is better"] += 1
    return found


@pytest.mark.parametrize("engine", ENGINES)
def test_o10_1_no_other_program_pairs_a_round_with_fewer_byes_rematches_or_differences(engine, tmp_path):
    found = compare(range(8), engine, tmp_path)
    assert found["alike"] > 20 > 4 * found["nothing"], found


@pytest.mark.soak
@pytest.mark.parametrize("engine", ENGINES)
def test_o10_1_no_other_program_pairs_two_hundred_seasons_better(engine, tmp_path):
    found = compare(range(1000, 1000 + scaled(ENGINE_SEASONS)), engine, tmp_path)
    print(engine, dict(found))
    assert found["alike"] > 10 * found["nothing"] > 0, found
