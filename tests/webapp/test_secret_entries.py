"""Nothing that a side can fetch changes while others write orders (O3.2; docs/decisions/035)."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from kit.every_address import addresses, fetched, parting
from tactical.kernel.dice import random_source
from tactical.kernel.protocol import SPECTATOR, UMPIRE
from tactical.kernel.record import plain
from webapp import create_app
from webapp.http.streams import Hub
from webapp.post.deadlines import Deadline, keep
from webapp.storage.errors import Refused, Stale
from webapp.storage.journal import transfer
from webapp.storage.journal.store import Store

RHODES, SYRIA, ROME = "rhodes", "antiochus", "rome"
BEFORE, LATER = "2026-01-01T00:00:00.000Z", "2026-01-01T05:00:00.000Z"


class Sea:
    """A war of three sides whose second turn has begun, in a house with a clock that stands."""

    def __init__(self, path: Path) -> None:
        self.store = Store(path, source=random_source(lambda sides: 0))
        self.time = BEFORE
        self.store.now = lambda: self.time  # type: ignore[method-assign]
        self.app = create_app({"STORE": self.store, "TESTING": True})
        options = {"letters": "by_ship", "money": "full", "land": True, "small_battles": True}
        game, self.tokens = self.store.create("open_campaign", "rhodes_and_antiochus", options=options)
        self.id = game.id
        self.clients = {seat: self.app.test_client() for seat in (*self.tokens, "")}
        for seat, token in self.tokens.items():
            self.clients[seat].get(f"/join/{token}")

    @property
    def state(self) -> Any:
        return self.store.load(self.id).state

    def give(self, seat: str, /, **command: Any) -> int:
        """Give a command as who has seen all; the version that it is answered with."""
        return self.store.submit(self.id, self.store.game(self.id).version, seat, command, "digital").version

    def newest(self, seat: str) -> int:
        """The version as the API tells it to a seat."""
        return int(self.clients[seat].get(f"/api/v1/games/{self.id}?seat={seat}").json["version"])


@pytest.fixture
def sea(tmp_path: Path) -> Sea:
    found = Sea(tmp_path / "sea.db")
    for side in found.state.playing:
        found.give(side, type="ready", side=side)
    if found.state.step == "held":
        found.give(UMPIRE, type="send")
    assert found.state.step == "orders"
    assert found.state.turn == 2
    return found


def secret_acts(sea: Sea) -> Iterator[dict[str, Any]]:
    """What Rhodes does of which Antiochus may not hear: one command of every secret kind that she can give."""
    state = sea.state
    first, *_ = (name for name, each in state.fleets.items() if each.side == RHODES and len(each.ships) > 2)
    port = next(name for name, holder in state.ports.items() if holder == RHODES)
    mine = {"side": RHODES}
    yield {"type": "order", **mine, "fleet": first, "do": "patrol", "to": port, "stance": "seek"}
    yield {"type": "order", **mine, "fleet": first, "do": "stay"}
    yield {"type": "cancel_order", **mine, "fleet": first}
    yield {"type": "detach", **mine, "fleet": first, "ships": [state.fleets[first].ships[0]], "new": "spy"}
    yield {"type": "write", **mine, "text": "Send the pilot ashore."}
    yield {"type": "answer", **mine, "letter": 0, "text": "", "waits": True}
    yield {"type": "answer", **mine, "letter": 0, "text": "He is ashore."}
    yield {"type": "mark", **mine, "space": port, "note": "ours"}
    yield {"type": "post", **mine, "to": SYRIA, "text": "On its way by ship."}
    yield {"type": "propose", **mine, "to": ROME, "terms": ["seeing"]}
    yield {"type": "agree_treaty", "side": ROME, "to": RHODES}
    yield {"type": "denounce", **mine, "to": ROME}
    yield {"type": "borrow", **mine, "amount": 100}
    yield {"type": "repay", **mine, "amount": 50}
    yield {"type": "subsidize", **mine, "to": ROME, "amount": 10, "turns": 1}


def test_o3_2_nothing_that_a_side_can_fetch_changes_while_others_write_orders(sea: Sea) -> None:
    keep(sea.store, sea.id, Deadline(days=3))
    with sea.store.write() as db:
        db.conn.execute("update games set is_public = 1 where id = ?", (sea.id,))
    watching = (SYRIA, SPECTATOR, "")
    paths = list(dict.fromkeys(addresses(sea.app, sea.store, sea.id, tuple(sea.tokens))))
    sea.time = LATER
    before = {
        seat: fetched(sea.clients[seat], seat, paths) for _ in range(2) for seat in watching
    }  # the first look is noted
    acts = list(secret_acts(sea))
    for act in acts:
        sea.give(UMPIRE if act["type"] == "answer" else act["side"], **act)
    assert {act["type"] for act in acts} >= sea.store.systems["open_campaign"].secret - {"build", "ransom", "assign"}
    assert len(paths) > 60
    for seat in watching:
        after = fetched(sea.clients[seat], seat, paths)
        assert sum(status == 200 for status, *_ in after.values()) > 12
        changed = {
            path: parting(before[seat][path], after[path]) for path in after if before[seat][path] != after[path]
        }
        assert not changed, (seat, list(changed), list(changed.values())[:3])


def an_order(sea: Sea, side: str, do: str = "stay") -> dict[str, Any]:
    """An order for the side's first fleet."""
    fleet = next(name for name, each in sea.state.fleets.items() if each.side == side and each.ships)
    return {"type": "order", "side": side, "fleet": fleet, "do": do}


def test_a_side_has_seen_enough_that_has_seen_all_it_may_know_of(sea: Sea) -> None:
    known = sea.newest(SYRIA)
    newest = [sea.give(RHODES, **an_order(sea, RHODES)) for _ in range(3)][-1]
    assert (sea.newest(SYRIA), sea.newest(RHODES), sea.newest(UMPIRE)) == (known, newest, newest)
    for wrong, is_lost in ((known - 1, False), (newest + 1, True)):
        with pytest.raises(Stale) as stale:
            sea.store.submit(sea.id, wrong, SYRIA, an_order(sea, SYRIA))
        assert (stale.value.version, stale.value.is_lost) == (known, is_lost)
    own = sea.store.submit(sea.id, known, SYRIA, an_order(sea, SYRIA)).version
    assert sea.newest(SYRIA) == own == newest + 1
    assert sea.newest(RHODES) == newest
    assert sea.store.submit(sea.id, own, RHODES, an_order(sea, RHODES)).version == own + 1  # the umpire's number
    sea.give(ROME, type="ready", side=ROME)
    with pytest.raises(Stale):
        sea.store.submit(sea.id, own, SYRIA, an_order(sea, SYRIA))


def test_a_stream_tells_a_side_nothing_of_what_others_write(sea: Sea) -> None:
    hub: Hub = sea.app.extensions["navarch"].hub
    streams = {seat: hub.stream(sea.id, None, seat=seat) for seat in (RHODES, SYRIA, SPECTATOR, UMPIRE)}

    def told() -> dict[str, list[str]]:
        return {seat: re.findall(r"event: .*", "".join(iter(stream.news, ""))) for seat, stream in streams.items()}

    told()
    sea.give(RHODES, **an_order(sea, RHODES))
    sea.give(RHODES, type="write", side=RHODES, text="By night.")
    assert {seat for seat, events in told().items() if events} == {RHODES, UMPIRE}
    sea.give(ROME, type="ready", side=ROME)
    assert all("event: version" in events for events in told().values())
    hub.close()


def test_an_order_taken_back_is_as_secret_as_the_order(sea: Sea) -> None:
    known = sea.newest(SYRIA)
    sea.give(RHODES, **an_order(sea, RHODES))
    sea.store.undo(sea.id, sea.newest(RHODES), RHODES)
    assert sea.newest(SYRIA) == known
    own = sea.store.submit(sea.id, known, SYRIA, an_order(sea, SYRIA)).version
    before = sea.clients[SYRIA].get(f"/api/v1/games/{sea.id}?seat={SYRIA}").json
    assert before["undo_barred"] is None
    sea.give(RHODES, **an_order(sea, RHODES))
    assert sea.clients[SYRIA].get(f"/api/v1/games/{sea.id}?seat={SYRIA}").json == before
    for consent in (False, True):
        with pytest.raises(Refused, match="Others may have acted"):
            sea.store.undo(sea.id, own, SYRIA, consent)
    assert len(sea.store.undo(sea.id, sea.newest(UMPIRE), UMPIRE).missing) == 0
    sea.store.undo(sea.id, own, SYRIA)


def test_a_game_that_is_imported_keeps_what_each_side_knows_of(sea: Sea) -> None:
    known = sea.newest(SYRIA)
    sea.give(RHODES, **an_order(sea, RHODES))
    sea.store.undo(sea.id, sea.newest(RHODES), RHODES)
    sea.give(RHODES, **an_order(sea, RHODES))
    copy, _ = transfer.import_(sea.store, plain(transfer.export(sea.store, sea.id)))
    assert copy.behind == sea.store.game(sea.id).behind
    assert copy.newest(SYRIA) == copy.newest(SPECTATOR) == known
    assert copy.newest(RHODES) == copy.version == known + 3
