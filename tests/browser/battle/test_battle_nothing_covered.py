"""No control of a roster row, tray or panel is covered: at its middle lies it itself, on every screen, in every language."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import pytest

from kit.commands_of import expanded
from kit.tablets import PHONE, TABLET
from tactical.offers import waiting_for

pytestmark = pytest.mark.browser
UPRIGHT = {"width": 820, "height": 1180}
WANTED = ("ram", "board", "contact")  # what brings the next step about
# The controls that something else covers at their middle, once they are scrolled to.
COVERED = """() => {
  const name = (it) => it.textContent.trim().replace(/\\s+/g, " ") || it.getAttribute("aria-label") || it.id;
  const controls = [...document.querySelectorAll(
    "#roster a, #roster button, #roster summary, .tray a, .tray button, .tray summary, #side a, #side button, #side summary, #side select, .strip a, .top button, .top summary, .tabs a"
  )].filter((it) => it.checkVisibility({ visibilityProperty: true }) && it.getClientRects().length);
  const found = [];
  for (const it of controls) {
    it.scrollIntoView({ block: "center", inline: "center", behavior: "instant" });
    const box = it.getBoundingClientRect(), x = box.x + box.width / 2, y = box.y + box.height / 2;
    const seen = document.elementFromPoint(x, y);
    if (!seen || !(it.contains(seen) || seen.contains(it) && seen.matches("a, button, summary, label"))) {
      found.push(`${name(it)} lies under ${seen ? seen.className || seen.tagName : "nothing"} at ${Math.round(x)}, ${Math.round(y)}`);
    }
  }
  return [controls.length, found];
}"""


def fleets(kind: str) -> dict[str, Any]:
    """Two ships a side, with long names, that soon meet: on the own table or on hexes."""
    places = {"r1": ([2, 2], "SE"), "r2": ([2, 4], "SE"), "c1": ([3, 2], "NW"), "c2": ([3, 4], "NW")}
    names = {"r1": "Hanno's Gift", "r2": "Concordia", "c1": "Purple Shell", "c2": "Akrokorinthos"}
    ships: dict[str, Any] = {}
    for name, (at, facing) in places.items():
        side = "rome" if name[0] == "r" else "carthage"
        ships[name] = {"side": side, "name": names[name], "type": "quadrireme", "speed": 2}
        if kind == "hexes":
            ships[name] |= {"at": at, "facing": facing}
    board = {"kind": "table"} if kind == "table" else {"columns": 10, "rows": 8}
    sides = {"rome": {"name": "Rome", "navy": "roman"}, "carthage": {"name": "Carthage"}}
    return {"board": board, "sides": sides, "ships": ships, "options": {"edge": "wall"}}


def states(room: Any, game: str) -> Iterator[str]:
    """Play the first turn; stop at each position of a new kind in which Rome has something to do. Says the ship."""
    met = set()
    while (table := room.store.load(game)).state.turn == 1:
        side = waiting_for(table.state)[0]
        offers = [
            offer for offer in table.offers(side) if offer.type not in ("resign", "agree", "level", "evade", "leave")
        ]
        kind = (table.state.step, *sorted({offer.type for offer in offers if "ship" in offer.fields}))
        if side == "rome" and kind not in met and len(kind) > 1:
            met.add(kind)
            yield next(str(offer.fields["ship"]) for offer in offers if "ship" in offer.fields)
        unplotted = {name for name, ship in table.state.ships.items() if ship.plot is None}
        offers = [offer for offer in offers if offer.type != "plot" or offer.fields["ship"] in unplotted]
        wanted = [
            offer for offer in offers if offer.type in WANTED and (offer.type, offer.fields["ship"]) != ("ram", "r2")
        ]
        closing = [offer for offer in offers if offer.type in ("done", "lock")]
        command = list(expanded((wanted or closing or offers)[0]))[-1 if side == "rome" else 0]  # Rome is the faster
        if "turn" in command:
            command["turn"] = "none"  # straight at the enemy
        room.store.submit(game, table.game.version, side, command)


@pytest.mark.parametrize(
    ("kind", "languages"),
    [
        *((kind, ("ru",)) for kind in ("table", "hexes")),  # the longest words
        *(pytest.param(kind, ("en", "it"), marks=pytest.mark.soak) for kind in ("table", "hexes")),
    ],
)
def test_no_control_is_covered_in_any_step_screen_or_language(room, tablet, kind, languages):
    game, tokens = room.battle(position=fleets(kind))
    rome = tablet(tokens["rome"])
    found, steps = [], set()
    for ship in states(room, game):
        step = room.state(game).step
        steps.add(step)
        for language in languages:
            for address in (f"/g/{game}?lang={language}", f"/g/{game}?lang={language}&ship={ship}"):
                rome.go(address)
                for size in (TABLET, UPRIGHT, PHONE):
                    rome.page.set_viewport_size(size)
                    count, covered = rome.page.evaluate(COVERED)
                    assert count > 10
                    found += [f"{step} {address} {size['width']}: {said}" for said in covered]
    assert steps >= {"plot", "move", "ram", "board"}, steps
    assert not found, "\n".join(found)
