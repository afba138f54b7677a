"""Accessible: no violation that axe finds, in three schemes; keyboard; text at 200 %; targets of 44 pixels."""

from __future__ import annotations

import pytest

from kit.accessible import violations
from kit.colours import COLOURS, OTHERS, wear
from kit.tablets import DUEL, PHONE

pytestmark = pytest.mark.browser
TAGS = ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa", "best-practice"]
SPEECH = "label-content-name-mismatch"  # the words that are seen are those by which a voice finds the control
ALL = {"runOnly": TAGS, "rules": {SPEECH: {"enabled": True}}}
TABLE = {**DUEL, "board": {"kind": "table"}, "options": {}}
TABLE["ships"] = {
    name: {what: value for what, value in ship.items() if what not in ("at", "facing")}
    for name, ship in DUEL["ships"].items()
}


def paths(game: str) -> list[str]:
    return [
        f"/g/{game}?ship=r1",
        f"/g/{game}",
        f"/g/{game}?view=fleet",
        f"/g/{game}?view=list&ship=r1",
        f"/g/{game}?view=log",
        f"/g/{game}/log",
        f"/g/{game}/replay/1",
        f"/g/{game}/report",
        f"/g/{game}/seats",
        f"/g/{game}/print",
        f"/g/{game}/print?layout=sheet",
        f"/display/{game}",
    ]


def test_axe_finds_nothing_in_any_scheme(room, tablet):
    game, tokens = room.battle("first_oars")
    room.store.submit(game, 0, "athens", {"type": "plot", "ship": "a1", "speed": 2}, None, None)
    umpire = tablet(tokens["umpire"])
    found = []
    for path in paths(game):
        umpire.go(path.replace("ship=r1", "ship=a1"))
        umpire.page.locator("main").wait_for()
        found += [f"{path} {said}" for said in violations(umpire.page, **ALL)]
        for scheme in OTHERS if path in paths(game)[:4] else ():  # the tabs of the table have every colour
            wear(umpire.page, scheme)
            found += [f"{path} {scheme} {said}" for said in violations(umpire.page, runOnly=list(COLOURS))]
    assert not found, "\n".join(found)


def test_axe_finds_nothing_on_a_phone_in_battle_and_on_the_own_table(room, tablet):
    game, tokens = room.battle(dice="physical")
    state = room.state(game)
    for side in state.sides:
        plots = [{"type": "plot", "ship": name, "speed": 2} for name, ship in state.ships.items() if ship.side == side]
        commands = [*plots, {"type": "lock", "side": side}]
        room.store.submit(
            game, room.store.game(game).version, side, {"type": "together", "commands": commands}, None, None
        )
    rome = tablet(tokens["rome"], PHONE, "dark", at=f"/g/{game}?ship=r1")
    found = violations(rome.page, **ALL)
    _game, tokens = room.battle(position=TABLE)
    found += violations(tablet(tokens["rome"], PHONE).page, **ALL)
    assert not found, "\n".join(found)


def test_everything_tapped_is_44_pixels(room, tablet):
    game, tokens = room.battle()
    rome = tablet(tokens["rome"], at=f"/g/{game}?ship=r1")
    small = rome.page.evaluate(
        """() => [...document.querySelectorAll('button, a.button, a.chip, a.tab, summary, select')].filter(e => e.checkVisibility()
            && !e.closest('svg')).filter(e => { const r = e.getBoundingClientRect(); return r.width && (r.height < 43.5 || r.width < 43.5); })
            .map(e => e.outerHTML.slice(0, 120))"""
    )
    assert small == []


def test_text_at_200_percent_scrolls_nowhere_sideways(room, tablet):
    game, tokens = room.battle()
    rome = tablet(tokens["rome"], {"width": 512, "height": 384}, at=f"/g/{game}/log")
    assert rome.page.evaluate("document.documentElement.scrollWidth <= document.documentElement.clientWidth + 1")


def test_dice_keep_their_pips_where_a_reader_forces_the_colours(room, tablet):
    _game, tokens = room.battle()
    page = tablet(tokens["rome"]).page
    page.emulate_media(forced_colors="active")
    shown = page.evaluate(
        """() => {
          const face = document.body.appendChild(document.createElement("button"));
          face.className = "face"; face.dataset.face = "6";
          return getComputedStyle(face, "::before").backgroundImage;
        }"""
    )
    assert shown.count("radial-gradient") == 6


def test_a_battle_by_keyboard_from_the_text_board(room, tablet):
    game, tokens = room.battle()
    rome = tablet(tokens["rome"], at=f"/g/{game}?view=list")
    assert rome.page.locator("table.ships tbody tr").count() == 4
    rome.page.locator("#row-r1").focus()
    rome.page.keyboard.press("Enter")
    rome.page.locator("#ship-name").wait_for()
    assert rome.page.evaluate("document.activeElement.id") == "row-r1"
    rome.page.get_by_role("button", name="2", exact=True).focus()
    rome.page.keyboard.press("Enter")
    rome.until(1)
    assert room.state(game).ships["r1"].plot == 2
    row = rome.page.locator("tr", has=rome.page.locator("#row-c1")).inner_text()
    assert "ahead" in row or "bow" in row
