"""Games that were played once give the same positions again."""

from pathlib import Path

import msgspec
import pytest

from recorded.recording import Recording, replayed

GAMES = sorted(Path(__file__).parent.glob("*.json"))


@pytest.mark.parametrize("path", GAMES, ids=lambda path: path.stem)
def test_a_recorded_game_gives_the_same_positions(path):
    recording = msgspec.json.decode(path.read_bytes(), type=Recording)
    assert len(recording.marks) > 2 and replayed(recording) == recording.marks


def test_there_are_recorded_battles():
    assert len([path for path in GAMES if path.name.startswith("galley")]) >= 3
