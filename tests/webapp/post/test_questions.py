"""What one seat asks of another without the game waiting for it is told by mail and to devices, as a turn is."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta
from typing import Any

import pytest
from flask import Flask

from kit.by_post import Box, Group
from kit.open_war import position
from kit.push_service import PushBrowser, Service
from webapp.post.postman import Postman

MAIL = "club.example"
OTHERS = ("gauls", "etruscans_samnites", "greeks", "carthaginians")


def later(postman: Postman, group: Group, after: timedelta = timedelta(hours=1)) -> None:
    """A round after so long: nobody counts as sitting at the table."""
    postman.round([group.id], datetime.now(UTC) + after)


def five_powers(app: Flask, word: str) -> Group:
    """The five powers with a person at each seat; a change by hand wants this word."""
    scenario = app.extensions["navarch"].store.systems["sword_of_rome"].scenarios()[0].id
    group = Group(app.test_client(), "sword_of_rome", scenario, options={"by_hand": word})
    for seat in ("romans", *OTHERS, "umpire"):
        group.put_in(seat, seat.title(), f"{seat}@{MAIL}")
    return group


def seats_asked(box: Box) -> set[str]:
    """The seats whose people have a mail with a question."""
    return {str(mail["To"]).removesuffix(f"@{MAIL}") for mail in box.mails if "a question from" in str(mail["Subject"])}


@pytest.mark.parametrize(("word", "who"), [("one", set(OTHERS)), ("all", set(OTHERS)), ("umpire", {"umpire"})])
def test_a_change_by_hand_is_told_to_those_whose_word_it_wants(
    app: Flask, postman: Postman, box: tuple[Box, str], word: str, who: set[str]
):
    group = five_powers(app, word)
    assert group.command("romans", {"type": "by_hand", "changes": {"vp.romans": 12}}).status_code == 200
    for _twice in range(2):
        later(postman, group)
    assert seats_asked(box[0]) == who
    one = f"{next(iter(who))}@{MAIL}"
    assert box[0].to(one).count(next(each for each in box[0].to(one) if "a question from Romans" in each)) == 1
    assert "A change by hand from Romans is waiting for your agreement." in box[0].text(one)


def test_nobody_is_asked_for_a_change_that_counts_at_once_or_has_been_answered(
    app: Flask, postman: Postman, box: tuple[Box, str]
):
    group = five_powers(app, "one")
    assert group.command("romans", {"type": "by_hand", "changes": {"vp.romans": 12}}).status_code == 200
    refusal = {"type": "approve", "side": "greeks", "wish": 1, "allow": False}
    assert group.command("greeks", refusal).status_code == 200
    later(postman, group)
    assert seats_asked(box[0]) == set()


def test_a_change_by_hand_is_told_to_a_device_without_its_content(app: Flask, postman: Postman, service: Service):
    app.config["CALLS_MAY_STAY_HOME"] = True
    group, browser = five_powers(app, "umpire"), PushBrowser(service)
    assert group.ask("POST", "umpire", "/devices", browser.asks).status_code == 201
    assert group.command("romans", {"type": "by_hand", "changes": {"vp.romans": 12}}).status_code == 200
    later(postman, group)
    ((_headers, sealed),) = service.taken
    assert browser.opens(sealed)["body"] == "A change by hand from Romans is waiting for your agreement."


def war(app: Flask) -> Group:
    """The open campaign with a person at each seat."""
    group = Group(app.test_client(), "open_campaign", None, position=position())
    for seat in ("rhodes", "cretans", "umpire"):
        group.put_in(seat, seat.title(), f"{seat}@{MAIL}")
    return group


@pytest.mark.parametrize(
    ("command", "who", "text"),
    [
        ({"type": "write", "text": "Buy bread."}, "umpire", "A free order from Rhodes is waiting for your answer."),
        (
            {"type": "propose", "to": "cretans", "terms": ["peace"]},
            "cretans",
            "A treaty from Rhodes is waiting for your answer.",
        ),
    ],
)
def test_o3_4_o5_4_free_orders_and_treaties_are_told_to_who_answers_them(
    app: Flask, postman: Postman, box: tuple[Box, str], command: dict[str, Any], who: str, text: str
):
    group = war(app)
    assert group.command("rhodes", {**command, "side": "rhodes"}).status_code == 200
    later(postman, group)
    assert seats_asked(box[0]) == {who}
    said = [str(mail.get_content()) for mail in box[0].mails if "a question from" in str(mail["Subject"])]
    assert len(said) == 1 and text in said[0] and "bread" not in said[0]


def test_an_undo_that_wants_the_others_word_is_told_to_them(app: Flask, postman: Postman, box: tuple[Box, str]):
    scenario = app.extensions["navarch"].store.systems["galley"].scenarios()[0].id
    group = Group(app.test_client(), "galley", scenario)
    one, other = app.extensions["navarch"].store.load(group.id).sides
    for side in (one, other):
        group.put_in(side, side.title(), f"{side}@{MAIL}")
    assert group.command(other, {"type": "agree", "side": other}).status_code == 200
    assert group.ask("POST", one, "/undo", {"consent": True, "seen": group.state()["version"]}).status_code == 200
    later(postman, group)
    assert seats_asked(box[0]) == {other}
    assert "to take the last action back is waiting for your agreement." in box[0].text(f"{other}@{MAIL}")


def test_whom_anothers_act_calls_is_written_to_at_once_and_whose_own_act_it_was_when_he_is_quiet(
    app: Flask, postman: Postman, box: tuple[Box, str]
):
    group = war(app)
    to = f"rhodes@{MAIL}"

    def mails() -> int:
        return sum("your turn" in subject for subject in box[0].to(to))

    later(postman, group)
    before = mails()
    for is_ready in (True, False):
        assert group.command("rhodes", {"type": "ready", "side": "rhodes", "ready": is_ready}).status_code == 200
    later(postman, group, timedelta())
    assert mails() == before, "he sits at the game"
    later(postman, group, timedelta(minutes=16))
    assert mails() == before + 1
    assert group.command("umpire", {"type": "run"}).status_code == 200
    later(postman, group, timedelta())
    assert mails() == before + 2, "he acted within the quarter of an hour, and another has called him"


def test_of_several_in_a_seat_who_has_acted_himself_is_not_written_to_at_once(
    app: Flask, postman: Postman, box: tuple[Box, str]
):
    group = war(app)
    bruno = group.put_in("rhodes", "Bruno", f"bruno@{MAIL}")
    later(postman, group)
    before = {name: len(box[0].to(f"{name}@{MAIL}")) for name in ("rhodes", "bruno")}
    for is_ready in (True, False):
        body = {"command": {"type": "ready", "side": "rhodes", "ready": is_ready}, "seen": group.state()["version"]}
        token = str(bruno["link"]).rpartition("/")[2]
        assert group.ask("POST", "rhodes", "/commands", body, token=token).status_code == 200
    later(postman, group, timedelta())
    after = {name: len(box[0].to(f"{name}@{MAIL}")) for name in before}
    assert (after["rhodes"], after["bruno"]) == (before["rhodes"] + 1, before["bruno"])
