"""O3.7: of a turn that the umpire holds nobody else learns anything at any address, until he sends it."""

from __future__ import annotations

import random
import re
import sqlite3
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from kit.every_address import addresses, fetched, parting
from kit.insistence import insist
from kit.straight_sea import row
from strategic.open_campaign import OPEN_CAMPAIGN
from strategic.open_campaign.commands import Command
from tactical.kernel.dice import Dice, random_source
from tactical.kernel.protocol import SPECTATOR, UMPIRE
from tactical.kernel.record import read
from webapp import create_app
from webapp.post import mail, people, postman
from webapp.post.deadlines import turn_view, turns
from webapp.post.webhooks import Call
from webapp.storage.journal.store import Store, battles_of

NOW = "2026-01-01T05:00:00.000Z"
DIFFERS = re.compile(r'("hash":|"revision":|data-revision=")"?[0-9a-f]+"?')
EGYPT, GUARD = "egypt", "guard"
LAST = {"type": "ready", "side": EGYPT}


def waters(small: bool) -> dict[str, Any]:
    """Rhodes and the Cretans sail at each other in a week with weather and money; a guard and Egypt lie far off."""
    lie = {"escort": ("rhodes", "p6"), GUARD: ("rhodes", "p15"), "lasthenes": ("cretans", "p10"), "nile": (EGYPT, "p1")}
    many = 8 if small else 12
    names = {fleet: [f"{fleet}-{ship}" for ship in range(many)] for fleet in lie}
    options = {"dispatches": "hold", "money": "full", "land": True, "letters": "by_ship", "small_battles": small}
    return {
        "world": row(16),
        "sides": {name: {"name": name} for name in ("rhodes", "cretans", EGYPT)},
        "fleets": {
            fleet: {"side": side, "name": fleet, "admiral": fleet, "at": at, "ships": names[fleet]}
            for fleet, (side, at) in lie.items()
        },
        "ships": {ship: {"side": lie[fleet][0], "type": "trireme"} for fleet, own in names.items() for ship in own},
        "ports": {at: side for side, at in lie.values()},
        "money": {"rhodes": 500, "cretans": 500, EGYPT: 500},
        "turn_length": "week",
        "turns": 3,
        "options": options,
    }


class Held:
    """One of two wars that were the same until their turn ran."""

    def __init__(self, path: Path) -> None:
        self.random = random.Random(1)
        self.store = Store(path, source=random_source(self.random.randrange))
        self.store.now = lambda: NOW  # type: ignore[method-assign]
        self.app = create_app({"STORE": self.store, "TESTING": True})
        self.id, self.tokens = "", dict[str, str]()

    @property
    def state(self) -> Any:
        return self.store.load(self.id).state

    def give(self, seat: str, /, **command: Any) -> None:
        self.store.submit(self.id, self.store.game(self.id).version, seat, command, "digital")

    def meeting(self) -> str:
        return str(self.state.engagement.id)

    def client(self, seat: str) -> tuple[Any, str]:
        """A browser that has joined a seat, and what the seat is called there; the empty name is a stranger's."""
        client = self.app.test_client()
        landed = client.get(f"/join/{self.tokens[seat]}").location if seat else ""
        return client, landed.rpartition("seat=")[2]

    def ask(self, seat: str, what: str, body: dict[str, Any]) -> Any:
        answer = self.app.test_client().post(
            f"/api/v1/{what}", json=body, headers={"Authorization": f"Bearer {self.tokens[seat]}"}
        )
        return answer.status_code, answer.json


def begun(path: Path, small: bool, dice: str = "digital") -> Held:
    """A war in which all but Egypt have said that their orders are final."""
    war = Held(path)
    game, war.tokens = war.store.create("open_campaign", None, waters(small), dice=dice)
    war.id = game.id
    for side, fleet, to in (("rhodes", "escort", "p11"), ("cretans", "lasthenes", "p7")):
        war.give(side, type="order", side=side, fleet=fleet, do="patrol", to=to, stance="seek")
    war.give("cretans", type="post", side="cretans", to=EGYPT, text="Come soon.")
    who, war.tokens[GUARD] = people.invite(
        war.store, war.id, people.Newcomer("rhodes", "Agathon", "a@example.org", "player", "", "en", "http://localhost")
    )
    people.entrust(war.store, war.id, who.id, (GUARD,))
    people.invite(
        war.store, war.id, people.Newcomer(EGYPT, "Ptah", "p@example.org", "player", "", "en", "http://localhost")
    )
    with war.store.write() as db:
        db.conn.execute("update games set is_public = 1 where id = ?", (war.id,))
    for side in ("rhodes", "cretans"):
        war.give(side, type="ready", side=side)
    return war


def two_wars(folder: Path, small: bool, fits: Callable[[Any], Any]) -> tuple[Held, Held]:
    """Two wars with other dice since the turn ran; of each `fits` finds something, and not the same."""
    one = begun(folder / "one.db", small)
    with sqlite3.connect(folder / "one.db") as whole, sqlite3.connect(folder / "other.db") as copy:
        whole.backup(copy)
    other = Held(folder / "other.db")
    other.id, other.tokens = one.id, one.tokens
    found: dict[Any, int] = {}
    for seed in range(40):
        source = random_source(random.Random(seed).randrange)
        after = OPEN_CAMPAIGN.apply(one.state, EGYPT, read(LAST, Command), Dice(source=source, secret=source)).state
        if (what := fits(after)) is not None:
            found.setdefault(what, seed)
        if len(found) == 2:
            break
    for war, seed in zip((one, other), found.values(), strict=True):
        war.random.seed(seed)
        war.give(EGYPT, **LAST)
    return one, other


def differences(one: Held, other: Held, seat: str, since: int) -> dict[str, Any]:
    """The addresses at which a seat is answered otherwise in the two wars; those of older entries are left out."""
    asked = (SPECTATOR, EGYPT)
    paths = dict.fromkeys(addresses(one.app, one.store, one.id, asked))
    new = [path for path in paths if not path.startswith("/organizer") and is_new(path, since)]
    was, now = (fetched(*war.client(seat), new, ({},)) for war in (one, other))
    assert sum(status == 200 for status, *_ in was.values()) > 8
    plain = {
        path: [(status, DIFFERS.sub(r"\1", text), etag) for status, text, etag in (was[path], now[path])]
        for path in was
    }
    return {path: parting(*pair) for path, pair in plain.items() if pair[0] != pair[1]}


def is_new(path: str, since: int) -> bool:
    """Is an address about no entry, or one of the last?"""
    numbers = [int(number) for number in re.findall(r"/(\d+)(?=$|/|\.)", path)]
    return not numbers or numbers[0] >= since


def posts(war: Held) -> list[Any]:
    """What mail and a webhook tell Egypt."""
    table = war.store.load(war.id)
    with war.app.test_request_context("/"):
        (who,) = (each for each in people.people(war.store, war.id) if each.seat == EGYPT)
        call = Call(war.id, EGYPT, "http://localhost", 1, 1, "http://localhost", 0, None, None, None, "en", "")
        wait = postman.Told(next(iter(postman.waits(war.store, table))), (), "")
        return [mail.turn(war.store, table, who, None, 0), postman.message(war.store, call, table, wait)]


def test_o3_7_other_dice_and_other_corrections_of_a_held_turn_change_nothing_that_others_are_shown(
    tmp_path: Path,
) -> None:
    one, other = two_wars(tmp_path, True, lambda after: len(after.fleets["escort"].ships) or None)
    since = one.store.game(one.id).version
    assert (one.state.step, other.state.step) == ("held", "held")
    one.give(UMPIRE, type="adjust", changes={"fleets.nile.at": "p2", "ports.p15": "cretans"}, why="The oars.")
    other.give(UMPIRE, type="adjust", changes={"money.egypt": 3, "ships.guard-1.damage": 2}, why="The hull.")
    for seat in ("rhodes", EGYPT, GUARD):
        assert not differences(one, other, seat, since), seat
    assert posts(one) == posts(other)


def test_o3_7_a_battle_on_the_table_in_a_held_turn_is_known_to_those_who_fight_it_alone(tmp_path: Path) -> None:
    one, other = two_wars(tmp_path, False, lambda after: after.engagement and after.engagement.id)
    since = one.store.game(one.id).version
    for war in (one, other):
        name = war.meeting()
        for side in ("rhodes", "cretans"):
            war.give(side, type="choose_way", side=side, engagement=name, way="battle")
        war.give("rhodes", type="open_battle", engagement=name)
        (link,) = battles_of(war.store, war.id)
        for side in ("rhodes", "cretans"):
            insist(war.store, link.battle, side, {"type": "agree", "side": side})
    for seat in (EGYPT, SPECTATOR, GUARD, ""):
        assert not differences(one, other, seat, since), seat
    guessed = [one.meeting(), other.meeting(), "t1-9-9-9"]
    for war in (one, other):
        refused = []
        for name in guessed:
            there = {"engagement": name, "side": EGYPT}
            for wish in ({**there, "type": "choose_way", "way": "battle"}, {**there, "type": "assent"}):
                seen = war.store.game(war.id).version
                refused.append(war.ask(EGYPT, f"games/{war.id}/commands", {"command": wish, "seen": seen}))
        assert all(each == refused[0] for each in refused) and refused[0][0] == 422
        assert war.ask(EGYPT, "forecasts", {"game": war.id, "battles": 1})[0] == 422
        (link,) = battles_of(war.store, war.id)
        undone = war.ask(EGYPT, f"games/{war.id}/undo", {"seen": war.store.game(war.id).version, "consent": True})
        assert link.battle not in str(undone)
        client, seat = war.client("rhodes")
        assert [each["battle"] for each in client.get(f"/api/v1/games/{war.id}?seat={seat}").json["battles"]]
        assert client.get(f"/g/{link.battle}?seat={seat}").status_code == 200
        client, seat = war.client(SPECTATOR)
        assert client.get(f"/g/{link.battle}?seat={seat}").status_code in (401, 403)


def test_o3_7_a_side_is_not_told_which_dice_the_umpire_throws_at_the_table(tmp_path: Path) -> None:
    war = begun(tmp_path / "war.db", True, "physical")
    seen = {"seen": war.store.game(war.id).version}
    thrown = war.ask(UMPIRE, f"games/{war.id}/commands", {"command": {"type": "run"}, **seen})[1]["roll_needed"]
    assert thrown["about"] == {"only": UMPIRE}
    client, seat = war.client(EGYPT)
    game = client.get(f"/api/v1/games/{war.id}?seat={seat}").json
    assert (game["roll_needed"], game["waiting_for"]) == (None, [UMPIRE])
    mark = {"type": "mark", "side": EGYPT, "space": "p1", "note": "Here?"}
    for what, body in (("commands", {"command": mark, **seen}), ("undo", seen), ("hint", {})):
        status, refused = war.ask(EGYPT, f"games/{war.id}/{what}", body)
        assert status >= 400 and thrown["rule"] not in str(refused) and thrown["rule"] not in game["undo_barred"]


def test_o3_7_the_umpires_own_pages_tell_a_held_turn_once_however_it_ends(tmp_path: Path) -> None:
    war = begun(tmp_path / "war.db", True)
    war.give(EGYPT, **LAST)
    heard = [each.type for each in war.state.unsent]
    war.give(UMPIRE, type="judge", winner="rhodes")
    table = war.store.load(war.id)
    seen = turn_view(war.store, table, UMPIRE, turns(war.store, war.id)[-1])
    assert heard and all(
        sum(each["type"] == kind for each in seen.events) == heard.count(kind) for kind in dict.fromkeys(heard)
    )


@pytest.mark.parametrize(
    ("lang", "looks", "must"),
    [
        ("en", "The umpire is looking at the turn.", "The umpire must look at the turn and send the dispatches"),
        ("it", "L'arbitro sta esaminando il turno.", "L'arbitro deve esaminare il turno e mandare i dispacci"),
        ("ru", "Судья просматривает ход.", "просмотреть ход и отправить депеши"),
    ],
)
def test_o3_7_a_side_reads_that_the_umpire_looks_at_the_turn(sea: Held, lang: str, looks: str, must: str) -> None:
    client, seat = sea.client(EGYPT)
    text = client.get(f"/open/{sea.id}/orders?seat={seat}", headers={"Accept-Language": lang}).text
    assert looks in text.replace("&#39;", "'") and must in text.replace("&#39;", "'")


@pytest.fixture(scope="module")
def sea(tmp_path_factory: pytest.TempPathFactory) -> Held:
    war = begun(tmp_path_factory.mktemp("held") / "war.db", True)
    war.give(EGYPT, **LAST)
    return war
