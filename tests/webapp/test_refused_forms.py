"""Every form of the program, sent with one field wrong: a refusal brings it back as it was filled in, and unfolded."""

from __future__ import annotations

import re
from collections import deque
from collections.abc import Iterator
from pathlib import Path
from typing import Any
from urllib.parse import urljoin, urlsplit

import pytest
from lxml import html
from werkzeug.datastructures import MultiDict
from werkzeug.exceptions import HTTPException
from werkzeug.routing import RequestRedirect

from kit.open_war import position
from kit.tablets import DUEL
from webapp import create_app
from webapp.http.forms import LOST, filled_in
from webapp.storage.journal.store import Store, all_systems

READER = html.HTMLParser(encoding="utf-8", huge_tree=True)
CODE = re.compile(r"/([A-Z0-9]{8})(?=[/?]|$)")
CHOICES = ("select", "checkbox", "radio")
UNTYPED = ("hidden", "submit", "button", "image", "reset", "file", "password")
WRONG = ("\x00", "x" * 5000, "-99999999", "999999999999", "x", "")
READ_ONLY = ("reference.", "cases.", "handbooks.", "offline.")  # without a form that is sent
Fields = list[tuple[str, str]]


def kind_of(control: Any) -> str:
    return str(control.get("type") or "text") if control.tag == "input" else str(control.tag)


def option_value(option: Any) -> str:
    return str(option.get("value", option.text_content().strip()))


class Sheet:
    """A form of a page: where it goes, and its fields."""

    def __init__(self, page: str, element: Any) -> None:
        self.page, self.element, self.action = page, element, urljoin(page, element.get("action") or page)
        own = [*element.iter("input", "select", "textarea", "button")]
        if element.get("id"):
            own += element.getroottree().xpath("//*[@form=$id]", id=element.get("id"))
        self.controls = [each for each in own if each.get("name")]
        self.typed = [each for each in self.controls if kind_of(each) not in UNTYPED and each.tag != "button"]

    @property
    def kind(self) -> tuple[str, ...]:
        """What is alike of forms of which one is tried."""
        path = re.sub(r"/\d+(?=/|$)", "/1", CODE.sub("/CODE", urlsplit(self.action).path))
        return (path, *sorted({each.get("name") for each in self.typed}))

    @property
    def fixed(self) -> set[tuple[str, str]]:
        """What it always sends."""
        hidden = [each for each in self.controls if kind_of(each) == "hidden" and each.get("name") not in LOST]
        return {(each.get("name"), each.get("value") or "") for each in hidden}

    def filled(self) -> Fields:
        """What a person sends who has changed all that he may choose, by its first button."""
        found: Fields = []
        for each in self.controls:
            name, kind, value = each.get("name"), kind_of(each), each.get("value") or ""
            if each.tag == "button":
                found += (
                    [(name, value)]
                    if not any(one.tag == "button" for one in self.controls[: self.controls.index(each)])
                    else []
                )
            elif kind == "select":
                found.append((name, option_value(each.xpath(".//option")[-1 if name != "system" else 0])))
            elif kind == "checkbox":
                found += [(name, each.get("value", "on"))] if each.get("checked") is None else []
            elif kind == "radio":
                found += [(name, value)] if name not in dict(found) else []
            elif kind in ("number", "range"):
                found.append((name, each.get("max") or value or "3"))
            elif kind in ("hidden", "textarea"):
                found.append((name, value or each.text_content().strip()))
            elif kind not in UNTYPED:
                found.append((name, value or "12"))
        return found

    def standing(self) -> Fields:
        """What of its fields a person would send, as it stands."""
        found: Fields = []
        for each in self.typed:
            name, kind = each.get("name"), kind_of(each)
            if kind == "select":
                chosen = each.xpath(".//option[@selected]") or each.xpath(".//option")[:1]
                found.append((name, option_value(chosen[-1])))
            elif kind in CHOICES:
                found += [(name, each.get("value", "on"))] if each.get("checked") is not None else []
            else:
                found.append((name, (each.get("value") if each.tag == "input" else each.text_content().strip()) or ""))
        return found


def sheets(page: str, text: str) -> Iterator[Sheet]:
    """The forms of a page that send something."""
    for element in html.document_fromstring(text.encode(), parser=READER).iter("form"):
        if (element.get("method") or "").lower() == "post":
            yield Sheet(page, element)


class House:
    """A server with a game of each kind, and a browser that holds every seat."""

    def __init__(self, file: Path) -> None:
        self.store = Store(file, all_systems())
        limits = {name: 10**6 for name in ("GAMES_A_MINUTE", "MAILS_A_MINUTE", "LETTERS_A_MINUTE", "CALLS_A_MINUTE")}
        self.app = create_app({"STORE": self.store, "TESTING": True, "PROPAGATE_EXCEPTIONS": False, **limits})
        for buckets in self.app.extensions["navarch"].limits.values():
            buckets.most = 10**6
        self.client = self.app.test_client()
        self.tokens: dict[str, dict[str, str]] = {}
        self.starts = ["/", "/organizer", "/position", "/campaigns", "/fleets", "/season", "/forecast", "/house"]
        for system, wanted in (
            ("galley", {"position": DUEL}),
            ("hannibal", {}),
            ("hamilcar", {}),
            ("open_campaign", {"position": position()}),
        ):
            wanted = wanted or {"scenario": self.store.systems[system].scenarios()[0].id}
            game, tokens = self.store.create(system, **wanted)
            self.tokens[game.id] = tokens
            self.sit(game.id)
            self.client.post(
                f"/api/v1/games/{game.id}/people",
                json={"seat": next(iter(tokens)), "name": "Ada"},
                headers={"Authorization": f"Bearer {tokens['umpire']}"},
            )
            self.starts += [f"/g/{game.id}{what}?seat={seat}" for seat in tokens for what in ("", "/group", "/letters")]

        season = self.client.post("/api/v1/seasons", json={"title": "Winter"}).json
        self.tokens[season["id"]] = {"umpire": season["token"]}
        self.sit(season["id"])
        self.starts.append(f"/g/{season['id']}?seat=umpire")

    def sit(self, game: str) -> None:
        """Take every seat of a game: a browser forgets those that it has not used for long."""
        for token in self.tokens.get(game, {}).values():
            self.client.get(f"/join/{token}")

    def pages(self) -> Iterator[tuple[str, str]]:
        """A page of each kind to which links lead, for each seat and system."""
        waiting, known = deque(self.starts), set[tuple[str, str, str]]()
        adapter = self.app.url_map.bind("localhost")
        while waiting:
            address = waiting.popleft()
            found = self.client.get(address, follow_redirects=True)
            if found.mimetype != "text/html" or found.status_code != 200:
                continue
            yield found.request.full_path, found.text
            for link in dict.fromkeys(re.findall(r'href="(/[^"#]*)', found.text)):
                link = link.replace("&amp;", "&")
                try:
                    endpoint, values = adapter.match(urlsplit(link).path, "GET")
                except (HTTPException, RequestRedirect):
                    continue
                seat = re.search(r"seat=(\w+)", link)
                system = self.store.game(values["game"]).system if values.get("game") in self.tokens else ""
                kind = (endpoint, system, seat[1] if seat else "")
                if kind not in known and not endpoint.startswith(READ_ONLY):
                    known.add(kind)
                    waiting.append(link)

    def refusals(self, sheet: Sheet) -> Iterator[tuple[str, Fields, Any]]:
        """The answer to a form with one field wrong, until one is a refusal: the field, what was sent besides it."""
        names = dict.fromkeys(
            each.get("name") for each in sorted(sheet.typed, key=lambda each: kind_of(each) in CHOICES)
        )
        for name in names:
            for wrong in WRONG:
                game = CODE.search(sheet.action)
                self.sit(game[1] if game else "")
                rest = [(field, value) for field, value in sheet.filled() if field != name]
                answer = self.client.post(sheet.action, data=MultiDict([*rest, (name, wrong)]))
                assert answer.status_code < 500, (sheet.action, name, wrong)
                if answer.status_code >= 400:
                    yield name, rest, answer
                    return
                now = sheets(sheet.page, self.client.get(sheet.page).text)
                if (fresh := next((each for each in now if each.kind == sheet.kind), None)) is None:
                    return  # it was taken, and is not there any more
                sheet = fresh


def test_every_form_that_is_refused_comes_back_as_it_was_filled_in(tmp_path: Path) -> None:
    house = House(tmp_path / "games.db")
    found: dict[tuple[str, ...], Sheet] = {}
    for page, text in house.pages():
        for sheet in sheets(page, text):
            if any(kind_of(each) not in CHOICES for each in sheet.typed):
                found.setdefault(sheet.kind, sheet)
    faults, refused = [], 0
    for kind, sheet in sorted(found.items(), key=lambda each: each[0][0].endswith("/seats")):  # these end links
        for name, rest, answer in house.refusals(sheet):
            refused += 1
            faults += [
                f"{kind[0]} ({name}, {answer.status_code}): {fault}" for fault in faults_of(sheet, name, rest, answer)
            ]
    assert len(found) >= 40 and refused >= 33 and faults == []


def faults_of(sheet: Sheet, name: str, rest: Fields, answer: Any) -> Iterator[str]:
    """What is wrong with how a form came back that was sent with the field `name` wrong."""
    typed = {each.get("name") for each in sheet.typed} - {name}
    sent = [pair for pair in rest if pair[0] in typed and pair not in sheet.fixed]
    all_back = [each for each in sheets(sheet.action, answer.text) if each.kind[0] == sheet.kind[0]]
    back = [each for each in all_back if (each.kind, each.fixed) == (sheet.kind, sheet.fixed)] or all_back
    if not back:
        said = html.document_fromstring(answer.text.encode(), parser=READER).xpath("string(//main)")
        yield f"it did not come back: {' '.join(said.split())[:200]}"
        return
    lost = {id(each): [pair for pair in sent if pair not in each.standing()] for each in back}
    same = min(back, key=lambda each: len(lost[id(each)]))
    if lost[id(same)]:
        yield f"lost {lost[id(same)][:5]}"
    if more := [pair for pair in same.standing() if pair[0] in typed and pair not in sent]:
        yield f"not sent {more[:5]}"
    if any(fold.get("open") is None for fold in same.element.iterancestors("details")):
        yield "it is folded"


PAGE = """<!doctype html><details id="fold"><summary>More</summary><form method="post" action="/set?seat=a">
<input type="hidden" name="act" value="{act}"><input name="days" value="3"><input name="name"><input type="password" name="pass">
<select name="zone"><option>UTC</option><option selected>Rome</option></select><input type="checkbox" name="grace" checked>
<textarea name="text">old</textarea></form></details>"""
SENT = MultiDict(
    [("act", "set"), ("days", '"><b>7'), ("name", "a&b"), ("pass", "secret"), ("zone", "UTC"), ("text", "</textarea>x")]
)


def test_what_comes_back_is_text_and_a_password_never_comes_back() -> None:
    page = filled_in(PAGE.format(act="set"), "/set", SENT)
    (sheet,) = sheets("/set", page)
    assert sheet.standing() == [("days", '"><b>7'), ("name", "a&b"), ("zone", "UTC"), ("text", "</textarea>x")]
    assert "secret" not in page and "<b>" not in page and '<details id="fold" open="">' in page


@pytest.mark.parametrize(("path", "act"), [("/elsewhere", "set"), ("/set", "more")])
def test_a_form_for_something_else_stays_as_it_is(path: str, act: str) -> None:
    assert filled_in(PAGE.format(act=act), path, SENT) == PAGE.format(act=act)
