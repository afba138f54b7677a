"""The umpire's hand, in every system: what it changes is told, and what was hidden stays hidden."""

from __future__ import annotations

import json
import random
from pathlib import Path
from typing import Any

import pytest

from tactical.kernel.dice import Dice, random_source
from tactical.kernel.protocol import SPECTATOR, UMPIRE, Event, Secret, its_own, seen_by
from tactical.kernel.record import BadInput, encode, plain, read
from webapp import create_app
from webapp.storage.journal.store import Store, all_systems
from webapp.storage.journal.transfer import export, import_

SCENARIOS = {
    "galley": "mylae",
    "hannibal": "second_punic_war",
    "hamilcar": "first_punic_war",
    "sword_of_rome": "five_powers",
    "punic_wars": "2",
}


def opened(system: str) -> Any:
    """A position with secrets in it: plots written, hands dealt, bids made, stacks on the map."""
    rules, throw = all_systems()[system], random.Random(4)
    dice = Dice(source=random_source(throw.randrange), secret=random_source(throw.randrange))
    state = rules.start(SCENARIOS[system], None, {}, dice).state
    if system == "galley":
        return read_state("galley", state, {f"ships.{name}.plot": 2 for name in state.ships})
    if system == "punic_wars":
        given = {"type": "accept", "side": "carthage"}, {"type": "accept", "side": "rome"}
        for command in given:
            seat = command["side"]
            state = rules.apply(state, seat, read(command, rules.command), dice).state
    return state


def read_state(system: str, state: Any, changes: dict[str, Any]) -> Any:
    """The same state with fields set, without telling anybody."""
    rules = all_systems()[system]
    command = read({"type": "adjust", "changes": changes, "why": "so"}, rules.command)
    return rules.apply(state, UMPIRE, command, Dice()).state


def secrets(system: str, state: Any) -> list[tuple[str, str, Any, Any]]:
    """Secret fields: the path, a seat that may not see it, and two values between which it cannot tell."""
    if system == "galley":
        return [("ships.c1.plot", "rome", 1, 2), ("ships.r1.plot", SPECTATOR, None, 1)]
    if system == "punic_wars":
        at = next(hex for hex, here in state.stacks.items() if "rome" in here and not state.occupied(hex, "carthage"))
        stack = plain(state.stacks[at]["rome"])
        return [
            (f"stacks.{at}.rome", "carthage", {**stack, "land": stack["land"] + more}, {**stack, "land": stack["land"]})
            for more in (1, 2)
        ]
    seat = next(seat for seat, hand in state.hands.items() if len(set(hand)) > 1)
    other = next(other for other in state.hands if other != seat)
    hand = list(state.hands[seat])
    found = [(f"hands.{seat}", other, hand, hand[::-1]), (f"hands.{seat}", SPECTATOR, hand, hand[::-1])]
    if system != "sword_of_rome":
        deck = list(state.deck)
        found += [("deck", seat, deck, deck[::-1])]
    return found


class Served:
    """A game on a server, whose tables are read as programs read them."""

    def __init__(self, path: Path, system: str, state: Any) -> None:
        throw = random.Random(1)
        self.store = Store(path, source=random_source(throw.randrange))
        self.store.now = lambda: "2026-01-01T00:00:00.000Z"  # type: ignore[method-assign]
        self.client = create_app({"STORE": self.store, "TESTING": True}).test_client()
        game, self.tokens = self.store.create(system, None, plain(state))
        self.id = game.id

    def give(self, command: dict[str, Any]) -> None:
        self.store.submit(self.id, self.store.game(self.id).version, UMPIRE, command)

    def read(self, seat: str) -> list[Any]:
        """All that a seat can fetch, without the code of the game."""
        headers = {"Authorization": f"Bearer {self.tokens[seat]}"}
        pages = [self.client.get(f"/api/v1/games/{self.id}{what}", headers=headers).text for what in ("", "/journal")]
        return [page.replace(self.id, "CODE") for page in pages]


@pytest.mark.parametrize("system", SCENARIOS)
def test_an_adjusted_secret_stays_one_in_state_offers_and_journal(tmp_path: Path, system: str) -> None:
    state = opened(system)
    assert secrets(system, state)
    for number, (path, seat, one, other) in enumerate(secrets(system, state)):
        seen = []
        for value in (one, other):
            served = Served(tmp_path / f"{number}{len(seen)}.db", system, state)
            served.give({"type": "adjust", "changes": {path: value}, "why": "misdealt"})
            served.give({"type": "adjust", "changes": {path: one}, "why": "and back"})
            told = [served.read(seat)]
            served.store.undo(served.id, 2, UMPIRE)
            served.store.undo(served.id, 3, UMPIRE)
            told.append(served.read(seat))
            seen.append(told)
            assert encode(value).decode() in served.read(UMPIRE)[1]
        assert seen[0] == seen[1], (path, seat)
        assert "misdealt" in seen[0][0][1] and path in seen[0][0][1]


@pytest.mark.parametrize("system", SCENARIOS)
def test_the_owner_and_the_umpire_read_the_values(system: str) -> None:
    rules, state = all_systems()[system], opened(system)
    path, seat, one, _ = secrets(system, state)[0]
    command = read({"type": "adjust", "changes": {path: one}, "why": "misdealt"}, rules.command)
    events = rules.apply(state, UMPIRE, command, Dice()).events
    told = [event for event in events if event.type == "adjusted"]
    whole = [event for event in told if event.data["changes"][path] == plain(command.changes[path])]
    assert len(told) == 2 and len(whole) == 1 and not whole[0].seen_by(seat) and whole[0].seen_by(UMPIRE)
    owners = [
        side
        for side in rules.sides(state)
        if (side != seat and side in path) or (path.startswith("ships.c") and side == "carthage")
    ]
    assert owners and all(whole[0].seen_by(owner) for owner in owners)


@pytest.mark.parametrize(
    ("system", "changes", "before"),
    [
        ("galley", {"ships.r1.damage": 2, "turn_limit": 9}, {"ships.r1.damage": 0, "turn_limit": 15}),
        ("hannibal", {"spaces.rome.rome.units": 9}, None),
        ("hamilcar", {"corvus": True}, {"corvus": False}),
        ("sword_of_rome", {"unrest": 3, "control.capua": "samnites"}, {"unrest": 0, "control.capua": None}),
        ("punic_wars", {"treasury.rome": 7}, None),
    ],
)
def test_an_open_field_is_told_to_all_with_what_it_was(
    system: str, changes: dict[str, Any], before: dict[str, Any] | None
) -> None:
    rules, state = all_systems()[system], opened(system)
    command = read({"type": "adjust", "changes": changes, "why": "as at the table"}, rules.command)
    told = [event for event in rules.apply(state, UMPIRE, command, Dice()).events if event.type == "adjusted"]
    assert len(told) == 1 and told[0].data["changes"] == changes and told[0].data["why"] == "as at the table"
    assert told[0].seen_by(SPECTATOR) and told[0].data["hidden"] == []
    assert set(told[0].data["before"]) == set(changes) and before in (None, told[0].data["before"])


@pytest.mark.parametrize("system", SCENARIOS)
@pytest.mark.parametrize(
    ("given", "path"),
    [
        ({"changes": {"weather": "fine"}}, "changes.weather"),
        ({"changes": {"weather.wind": 3}}, "changes.weather.wind"),
        ({"changes": {}}, "changes"),
        ({"changes": {"turn": 1}, "why": " "}, "why"),
        ({"changes": {"turn": -7}}, "changes.turn"),
        ({"changes": {"options.wether": 1}}, "changes.options.wether"),
    ],
)
def test_a_field_that_is_not_there_is_named_by_its_path(system: str, given: dict[str, Any], path: str) -> None:
    rules, state = all_systems()[system], opened(system)
    before = encode(state)
    with pytest.raises(BadInput) as refusal:
        rules.apply(state, UMPIRE, read({"type": "adjust", "why": "so", **given}, rules.command), Dice())
    assert refusal.value.path == path and encode(state) == before


def test_g2_3_several_sheets_are_changed_at_once() -> None:
    rules, state = all_systems()["galley"], opened("galley")
    ships = {"r1": {"boarding": "c1", "at": [4, 4]}, "c1": {"boarding": "c1", "at": [4, 5]}}
    command = read({"type": "adjust", "ships": ships, "why": "a fight stands on two sheets"}, rules.command)
    outcome = rules.apply(state, UMPIRE, command, Dice())
    assert outcome.state.ships["r1"].boarding == outcome.state.ships["c1"].boarding == "c1"
    with pytest.raises(BadInput) as refusal:
        rules.apply(
            state, UMPIRE, read({"type": "adjust", "ships": {"r1": ships["r1"]}, "why": "half"}, rules.command), Dice()
        )
    assert refusal.value.path == "ships.r1.boarding"


def test_an_adjustment_of_before_version_2_is_read_by_the_umpire_alone(tmp_path: Path) -> None:
    old = Event("reading.6", "adjusted", {"changes": {"hands.rome": [1, 2]}, "why": "misdealt"})
    assert old.seen_by(UMPIRE) and not old.seen_by("carthage") and not old.seen_by("rome")


def test_a_path_inside_around_and_beside_a_secret() -> None:
    hidden = (Secret[Any]("hands.*", its_own), Secret[Any]("battle.deck"))
    assert seen_by(None, "hands.rome", hidden) == seen_by(None, "hands.rome.0", hidden) == ("rome",)
    assert (
        seen_by(None, "hands", hidden)
        == seen_by(None, "battle", hidden)
        == seen_by(None, "battle.deck.3", hidden)
        == ()
    )
    assert seen_by(None, "battle.rounds", hidden) is None


@pytest.mark.parametrize("system", SCENARIOS)
def test_an_adjusted_game_is_exported_and_comes_back(tmp_path: Path, system: str) -> None:
    state = opened(system)
    path, _, one, _ = secrets(system, state)[0]
    served = Served(tmp_path / "games.db", system, state)
    served.give({"type": "adjust", "changes": {path: one}, "why": "misdealt"})
    again = import_(served.store, json.loads(encode(export(served.store, served.id))))[0].id
    assert served.store.state_after(again, 1) == served.store.state_after(served.id, 1)
    assert served.store.entries(again)[1].events == served.store.entries(served.id)[1].events
    seat = next(seat for seat in served.tokens if seat != UMPIRE)
    answer = served.client.get(
        f"/api/v1/games/{served.id}/export", headers={"Authorization": f"Bearer {served.tokens[seat]}"}
    )
    assert answer.status_code == 403
