"""Two games that differ only in a secret are one game, byte for byte, in all that a seat or a spectator can fetch: view,
journal, every page; from a typed position on, after commands, adjustments and undo, and in the battles of a campaign."""

from __future__ import annotations

import random
import re
from collections.abc import Iterator
from itertools import islice
from pathlib import Path
from typing import Any

import pytest
from test_every_text_is_escaped import addresses
from test_linked_systems import SYSTEMS as WARS

from goldens.playing import kept, scenarios, states
from kit.facts_of import facts_of
from kit.lengths import SECRET_PAIRS, scaled
from kit.linked_sea import Sea
from kit.twins import far_twin, twins
from tactical.kernel.dice import Dice, random_source
from tactical.kernel.protocol import SPECTATOR, UMPIRE, Illegal, NotYours, seen_by
from tactical.kernel.random_play import QUITTING, fill
from tactical.kernel.record import BadInput, encode, plain
from webapp import create_app
from webapp.storage.errors import Barred, Refused
from webapp.storage.journal import records, store
from webapp.storage.journal.store import Store, all_systems

REFUSED = (Illegal, NotYours, BadInput, Refused, Barred)


class World:
    """A server with one game, whose codes, tokens, clock and dice are the same as in its twin's."""

    def __init__(self, path: Path, system: str, state: Any, seed: int = 1) -> None:
        throw, self.names = random.Random(seed), random.Random(2)
        self.store = Store(path, source=random_source(throw.randrange))
        self.store.now = lambda: "2026-01-01T00:00:00.000Z"  # type: ignore[method-assign]
        self.app = create_app({"STORE": self.store, "TESTING": True})
        game, self.tokens = self.store.create(system, None, typed(state))
        self.id = game.id
        self.clients = {seat: self.app.test_client() for seat in self.tokens}
        for seat, token in self.tokens.items():
            self.clients[seat].get(f"/join/{token}")

    @property
    def state(self) -> Any:
        return self.store.load(self.id).state

    def give(self, seat: str, command: dict[str, Any]) -> str:
        """Give a command; what is answered."""
        try:
            return encode(
                self.store.submit(self.id, self.store.game(self.id).version, seat, command, "digital")
            ).decode()
        except REFUSED as fault:
            return f"{type(fault).__name__} {fault}"

    def undo(self) -> str:
        """Take the last command back; why not, if not."""
        try:
            self.store.undo(self.id, self.store.game(self.id).version, UMPIRE)
        except REFUSED as fault:
            return str(fault)
        return ""

    def fetch(self, seat: str, pages: bool) -> dict[str, str]:
        """All that the seat can fetch, by address."""
        api = [f"/api/v1/games/{self.id}{what}" for what in ("", "/journal", "/export", "/captains", "/requests")]
        wanted = [*api, *(addresses(self.app, self.store, self.id) if pages else [])]
        found = {}
        for address in dict.fromkeys(wanted):
            answer = self.clients[seat].get(f"{address}{'&' if '?' in address else '?'}seat={seat}")
            found[address] = f"{answer.status_code} {scrubbed(answer.text)}"
        return found


def typed(state: Any) -> dict[str, Any]:
    """A position as a person types it, without what is reckoned from the rest."""
    return {name: value for name, value in plain(state).items() if name != "ledger"}


def scrubbed(page: str) -> str:
    """A page without the token of its forms and the key of the seat's own feed, which hangs on its server."""
    page = re.sub(r"(/feed/\w+)/[0-9a-f]{40}\.atom", r"\1", page)
    return re.sub(r'(csrf-token" content|csrf_token" value)="[^"]*"', r"\1", page)


@pytest.fixture
def same_names(monkeypatch: pytest.MonkeyPatch) -> Iterator[Any]:
    """Codes and tokens that two servers draw alike; call it before each."""
    drawn = random.Random(3)
    monkeypatch.setattr(
        records, "code", lambda first=records.LETTERS: "".join(map(drawn.choice, (first, *[records.LETTERS] * 7)))
    )
    monkeypatch.setattr(records, "token", lambda: "".join(drawn.choice(records.LETTERS) for _ in range(24)))
    monkeypatch.setattr(store, "token_hex", lambda many: f"{drawn.getrandbits(8 * many):0{2 * many}x}")
    yield lambda seed=3: drawn.seed(seed)


class Pair:
    """Two worlds that a seat must not be able to tell apart."""

    def __init__(self, path: Path, same_names: Any, system: str, seat: str, one: Any, other: Any) -> None:
        self.system, self.seat = all_systems()[system], seat
        worlds = []
        for name, state in (("one", one), ("other", other)):
            same_names()
            worlds.append(World(path.with_name(f"{path.name}-{name}.db"), system, state))
        self.one, self.other = worlds
        self.compared, self.is_spent = 0, False

    def equal(self, pages: bool = False) -> None:
        """Is all the same to the seat, and to who has none?"""
        for seat in (self.seat, SPECTATOR):
            one, other = self.one.fetch(seat, pages), self.other.fetch(seat, pages)
            assert one.keys() == other.keys()
            for address, text in one.items():
                self.compared += 1
                assert text == other[address], (seat, address, differing(text, other[address]))

    def give(self, seat: str, command: dict[str, Any], instead: dict[str, Any] | None = None) -> bool:
        """The command in one world, it or another in the other; False when the rules now tell the seat which is which."""
        before = self.secrets()
        answers = self.one.give(seat, command), self.other.give(seat, instead or command)
        self.is_spent |= instead is None and not before <= self.secrets()
        is_told = self.is_told()
        if seat == self.seat and not is_told:
            assert answers[0] == answers[1], command
        return not is_told

    def undo(self) -> bool:
        """Take the last command back in both worlds, if anything can be."""
        answers = {world.undo() for world in (self.one, self.other)}
        assert len(answers) == 1, answers
        return answers == {""}

    def secrets(self) -> set[str]:
        """In what the worlds differ. What differs no more after the same command in both was used up in the open: a
        revolt takes a point of a stack of two, none of a single one, and both losses are told (11.31)."""
        return {path for path, _, _ in differences(plain(self.one.state), plain(self.other.state), "")}

    def is_told(self) -> bool:
        """Do the engine's own views differ now, as when hands are laid open, or was a difference used up?"""
        return self.is_spent or any(
            encode(self.system.view(self.one.state, seat)) != encode(self.system.view(self.other.state, seat))
            for seat in (self.seat, SPECTATOR)
        )


def differing(one: str, other: str) -> tuple[str, str]:
    """Where two texts part."""
    place = next((place for place, pair in enumerate(zip(one, other, strict=False)) if pair[0] != pair[1]), 0)
    return one[max(0, place - 60) : place + 60], other[max(0, place - 60) : place + 60]


def tried(pair: Pair, chance: random.Random, commands: int, pages: bool) -> int:
    """Look; adjust and take back; play what the seat may; look after each. How much was compared.

    Every page is looked at after the secret was adjusted, and with `pages` at other moments too.
    """
    pair.equal(pages)
    path, value = (known := facts_of(pair.system.name).open).path, known.value
    assert pair.give(UMPIRE, {"type": "adjust", "changes": {path: value}, "why": "the table says so"})
    pair.equal()
    changes = ({"type": "adjust", "changes": values, "why": "misdealt"} for values in exchanged(pair))
    assert pair.give(UMPIRE, *changes)
    assert pair.one.store.game(pair.one.id).version == pair.other.store.game(pair.other.id).version == 2
    pair.equal(pages=True)
    assert pair.undo()
    pair.equal()
    for _ in range(commands):
        offers = [each for each in pair.system.offers(pair.one.state, pair.seat) if each.type not in QUITTING]
        if not offers or not pair.give(pair.seat, fill(chance.choice(offers), chance)):
            break
        pair.equal()
        if chance.random() < 0.3 and pair.undo():
            pair.equal()
    if not pair.is_told():
        pair.equal(pages)
    return pair.compared


def exchanged(pair: Pair) -> tuple[dict[str, Any], dict[str, Any]]:
    """The fields in which the worlds differ, all of them secret, each with the other world's value."""
    found = list(differences(plain(pair.one.state), plain(pair.other.state), ""))
    for path, _, _ in found:
        seats = seen_by(pair.one.state, path, pair.system.hidden)
        assert seats is not None and pair.seat not in seats, f"{path} is open to {pair.seat}"
    return {path: other for path, _, other in found}, {path: one for path, one, _ in found}


def differences(one: Any, other: Any, path: str) -> Iterator[tuple[str, Any, Any]]:
    """The paths to the fields that differ."""
    if isinstance(one, dict) and isinstance(other, dict) and one.keys() == other.keys() and "land" not in one:
        for name in one:
            yield from differences(one[name], other[name], f"{path}.{name}".lstrip("."))
    elif one != other:
        yield path, one, other


def pairs(system: str, scenario: str, every: int) -> Iterator[tuple[str, Any, Any]]:
    """Twins along the scenario's golden game that do differ."""
    for state in states(system, kept(system, scenario), every):
        for seat, one, other in twins(system, state):
            if encode(one) != encode(other):
                yield seat, one, other


@pytest.mark.parametrize("system", [name for name, rules in all_systems().items() if rules.hidden])
def test_a_typed_position_keeps_its_secret_whatever_is_done(tmp_path: Path, same_names: Any, system: str) -> None:
    scenario = "mylae" if system == "galley" else all_systems()[system].scenarios()[0].id
    found = next(islice(pairs(system, scenario, 3), 1, None))
    assert tried(Pair(tmp_path / "game", same_names, system, *found), random.Random(1), 3, pages=False) > 60


@pytest.mark.parametrize(
    "system",
    [
        "open_campaign",
        "punic_wars",
        *(pytest.param(name, marks=pytest.mark.soak) for name in ("hannibal", "hamilcar", "sword_of_rome")),
    ],
)
def test_no_page_hangs_on_all_that_a_side_does_not_see(tmp_path: Path, same_names: Any, system: str) -> None:
    """Every hidden field changed at once, in a late position of a golden game."""
    rules, throw = all_systems()[system], random.Random(7)
    *_, state = states(system, kept(system, rules.scenarios()[0].id), 60)
    seat = throw.choice(tuple(rules.sides(state)))
    twin, changed = far_twin(rules, state, seat, throw)
    pair = Pair(tmp_path / "game", same_names, system, seat, state, twin)
    pair.equal(pages=True)
    assert changed and pair.compared > 60


def test_the_comparison_can_fail(tmp_path: Path, same_names: Any) -> None:
    """Whose secret it is can tell the worlds apart."""
    seat, one, other = next(pairs("hannibal", "second_punic_war", 3))
    pair = Pair(tmp_path / "game", same_names, "hannibal", seat, one, other)
    pair.seat = next(side for side in pair.system.sides(one) if side != seat)
    with pytest.raises(AssertionError, match="/api/v1/games"):
        pair.equal()


def test_plots_given_and_taken_back_leave_no_trace(tmp_path: Path, same_names: Any) -> None:
    state = all_systems()["galley"].start("mylae", None, {}, Dice(source=lambda sides: 1)).state
    pair = Pair(tmp_path / "game", same_names, "galley", "rome", state, state)
    for ship, one, other in (("c1", 1, 2), ("c2", 2, 1)):
        told = ({"type": "plot", "ship": ship, "speed": speed} for speed in (one, other))
        assert pair.give("carthage", *told)
    pair.equal(pages=True)
    assert pair.undo()
    pair.equal()
    for world in (pair.one, pair.other):
        world.store.undo(world.id, world.store.game(world.id).version, "carthage")
    pair.equal(pages=True)


# The battle of a campaign ---------------------------------------------------------------------------------


@pytest.fixture
def no_clock(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(Store, "now", staticmethod(lambda: "2026-01-01T00:00:00.000Z"))


def read_by(seat: str, sea: Sea, pages: bool) -> dict[str, str]:
    """All that the seat in the campaign can fetch of the campaign and its battle."""
    client, found = sea.client(seat), {}
    for game in filter(None, (sea.id, sea.battle)):
        api = [f"/api/v1/games/{game}{what}" for what in ("", "/journal", "/export")]
        linked = [f"/linked/{game}/{what}" for what in ("report", "review")]
        for address in [*api, *linked, *(addresses(sea.app, sea.store, game) if pages else [])]:
            answer = client.get(f"{address}{'&' if '?' in address else '?'}seat={seat}")
            found[address] = f"{answer.status_code} {scrubbed(answer.text)}"
        assert found[f"/api/v1/games/{game}"].startswith("200")
    return found


def same(one: Sea, other: Sea, pages: bool = False, seat: str = "rome") -> int:
    """Is all the same to the seat? How much was compared."""
    first, second = read_by(seat, one, pages), read_by(seat, other, pages)
    for (address, text), again in zip(first.items(), second.values(), strict=True):
        assert text == again, (address, differing(text, again))
    return len(first)


def test_a_battle_of_a_campaign_keeps_the_secrets_of_both(tmp_path: Path, same_names: Any, no_clock: None) -> None:
    """Carthage's hand differs between the campaigns, and then her plots in the battle."""
    position = plain(all_systems()["hamilcar"].start("off_mylae", None, {}, Dice(secret=lambda sides: 1)).state)
    hand, deck = list(position["hands"]["carthage"]), list(position["deck"])
    hand[0], deck[0] = deck[0], hand[0]
    hidden = {**position, "hands": {**position["hands"], "carthage": hand}, "deck": deck}
    seas = []
    for name, state in (("one", position), ("other", hidden)):
        same_names()
        seas.append(Sea(tmp_path / f"{name}.db", None, position=state))
    same(*seas, pages=True)
    for sea, speed in zip(seas, (1, 2), strict=True):
        same_names(4)
        sea.open()
        sea.deploy()
        ship = next(name for name, ship in sea.store.load(sea.battle).state.ships.items() if ship.side == "carthage")
        sea.give("carthage", sea.battle, type="plot", ship=ship, speed=speed)
        sea.give("umpire", sea.battle, type="adjust", ship=ship, changes={"plot": 3 - speed}, why="misheard")
    same(*seas, pages=True)
    for sea in seas:
        for seat in ("umpire", "carthage"):
            sea.store.undo(sea.battle, sea.store.game(sea.battle).version, seat)
    same(*seas)


@pytest.mark.parametrize("system", WARS)
def test_a_battle_of_every_campaign_keeps_the_secrets_of_both(
    tmp_path: Path, same_names: Any, no_clock: None, system: str
) -> None:
    """What a side may not see of the campaign differs from the first, then the other side's plots in the battle."""
    build, sides, *_ = WARS[system]
    tried = [found for found in twins(system, build()) if found[0] in sides]
    assert tried
    for number, (seat, *twin) in enumerate(tried):
        assert encode(twin[0]) != encode(twin[1])
        other = next(side for side in sides if side != seat)
        seas = []
        for name, state in zip(("one", "other"), twin, strict=True):
            same_names()
            seas.append(Sea(tmp_path / f"{number}-{name}.db", None, system=system, position=typed(state)))
        compared = same(*seas, pages=True, seat=seat)
        for sea, speed in zip(seas, (1, 2), strict=True):
            same_names(4)
            for side in sides:
                sea.give(side, type="choose_way", engagement=sea.state.engagement.id, way="battle", side=side)
            opened = sea.give(sides[0], type="open_battle", engagement=sea.state.engagement.id, models_per_unit=1)
            sea.battle = opened.events[-1]["game"]
            sea.deploy()
            ships = sea.store.load(sea.battle).state.ships
            ship = next(name for name, one in ships.items() if one.side == other and one.type != "transport")
            sea.give(other, sea.battle, type="plot", ship=ship, speed=speed)
            sea.give("umpire", sea.battle, type="adjust", ship=ship, changes={"plot": 3 - speed}, why="misheard")
        compared += same(*seas, pages=True, seat=seat)
        for sea in seas:
            for by in ("umpire", other):
                sea.store.undo(sea.battle, sea.store.game(sea.battle).version, by)
        compared += same(*seas, seat=seat)
        assert compared > 60, compared


@pytest.mark.soak
@pytest.mark.parametrize(("system", "scenario"), scenarios())
def test_typed_positions_keep_their_secrets_at_length(
    tmp_path: Path, same_names: Any, system: str, scenario: str
) -> None:
    compared = 0
    for number, found in enumerate(islice(pairs(system, scenario, 2), scaled(SECRET_PAIRS))):
        pair = Pair(tmp_path / f"game{number}", same_names, system, *found)
        compared += tried(pair, random.Random(number), 12, pages=number % 4 == 0)
    print(f"{system} {scenario}: {compared} comparisons")
    assert compared or system == "galley"
