"""A stranger's file is read in a child process: it is stopped at each of its limits, and knows nothing of the server."""

from __future__ import annotations

import os
import socket
import threading
import time
from pathlib import Path
from typing import Any

import pytest

from kit import harmless_reader
from tactical.kernel.record import BadInput
from webapp.files import child_process
from webapp.files.child_process import AT_ONCE, WAITING, Limits, Unreadable, read_apart
from webapp.http.rate_limit import TooMany

READER = Path(harmless_reader.__file__)
LONG = 60.0  # seconds by the clock, where another limit is to be met
MEGA = 1 << 20


def said(does: str, kind: Any = str, limits: Limits | None = None, **given: object) -> Any:
    return read_apart(READER, b"Nike", kind, "photo", limits or Limits(seconds=LONG), does=does, **given)


def test_what_a_reader_says_comes_back_and_what_it_prints_does_not() -> None:
    assert said("echo") == said("print", bytes=10 * MEGA) == "Nike"
    assert said("allocate", int, bytes=20 * MEGA) == 20 * MEGA


@pytest.mark.parametrize(
    ("does", "limits", "given"),
    [
        ("sleep", Limits(seconds=0.5), {}),
        ("spin", Limits(processor=1, seconds=LONG), {}),
        ("allocate", Limits(memory=100 * MEGA, seconds=LONG), {"bytes": 200 * MEGA}),
        ("answer", Limits(answer=MEGA, seconds=LONG), {"bytes": 2 * MEGA}),
        ("die", Limits(seconds=LONG), {}),
    ],
)
def test_a_reader_is_stopped_at_its_limit_in_a_sentence(does: str, limits: Limits, given: dict[str, int]) -> None:
    with pytest.raises(BadInput) as wrong:
        said(does, limits=limits, **given)
    said_of = "could not be read in time" if does == "sleep" else "too much time or memory"
    assert wrong.value.path == "photo" and said_of in wrong.value.reason


def test_a_reader_that_gives_up_says_so_and_so_does_an_answer_of_another_shape() -> None:
    with pytest.raises(Unreadable):
        said("give up")
    with pytest.raises(BadInput):
        said("echo", int)


def test_a_reader_that_cannot_be_loaded_is_a_fault_of_ours(tmp_path: Path) -> None:
    with pytest.raises(RuntimeError, match="cannot be loaded"):
        read_apart(tmp_path / "no_reader.py", b"Nike", str, "photo", Limits(seconds=LONG))


def test_a_child_has_no_descriptors_variables_or_modules_of_the_server(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("NAVARCH_SECRET", "x")
    with socket.create_server(("127.0.0.1", 0)) as server:
        os.set_inheritable(server.fileno(), True)
        found = said("look around", dict[str, list[Any]])
    assert len(found["files"]) == 5, "the three that all have, the one for its answer, and the folder that is listed"
    assert found["program"] == [] and "NAVARCH_SECRET" not in found["variables"]


def test_a_few_files_are_read_at_once_and_one_more_waits_while_others_are_told_to_come_again() -> None:
    answers: list[str] = []

    def ask() -> None:
        try:
            said("sleep", limits=Limits(seconds=2.0))
        except TooMany:
            answers.append("come again")
        except BadInput:
            answers.append("stopped")

    askers = [threading.Thread(target=ask) for _each in range(AT_ONCE + WAITING + 2)]
    for asker in askers:
        asker.start()
    for asker in askers:
        asker.join()
    assert answers == ["come again"] * 2 + ["stopped"] * (AT_ONCE + WAITING)
    assert said("echo") == "Nike", "each place is given back"


def test_a_thread_of_ours_waits_for_its_turn(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(child_process, "_places", threading.BoundedSemaphore(1))
    assert child_process._places.acquire(blocking=False)
    with pytest.raises(TooMany):
        said("echo")
    assert read_apart(READER, b"Nike", str, "mail", Limits(), waits=True, does="echo") == "Nike"


def test_a_child_that_nobody_waits_for_any_more_ends_by_itself(monkeypatch: pytest.MonkeyPatch) -> None:
    """As when the server is killed meanwhile: its own clock stops it a second after ours."""
    run = child_process.subprocess.run
    monkeypatch.setattr(
        child_process.subprocess, "run", lambda *what, timeout, **more: run(*what, timeout=LONG, **more)
    )
    began = time.monotonic()
    with pytest.raises(BadInput):
        said("sleep", limits=Limits(seconds=0.5))
    assert time.monotonic() - began < LONG / 2
