"""L1 The link on the server: opening, fighting, settling, and what cannot be undone."""

from __future__ import annotations

from typing import Any

import pytest
from msgspec.structs import replace

from strategic.naval.engagement import Engagement, Fleet, NavalOutcome, NavalUnit, find, put_on_table
from tactical.kernel.dice import Dice
from tactical.kernel.protocol import Illegal, Offer, Outcome, System, event
from tactical.kernel.record import Input, Record, plain
from webapp.storage.errors import Refused
from webapp.storage.journal.engagements import install, linked_battle_of
from webapp.storage.journal.store import Store, all_systems, battles_of

SIDES = ("rome", "carthage")


class War(Record, frozen=True):
    """A campaign that is nothing but one meeting at sea."""

    engagement: Engagement | None = None
    settled: dict[str, NavalOutcome] = {}
    moves: int = 0


class OpenBattle(Input, frozen=True, tag="open_battle"):
    engagement: str


class Settle(Input, frozen=True, tag="settle"):
    engagement: str
    outcome: NavalOutcome


class March(Input, frozen=True, tag="march"):
    side: str


def start(scenario: Any, position: Any, options: Any, dice: Dice) -> Outcome[War]:
    fleets = {side: Fleet((NavalUnit(f"{side}-1", f"{side} one"),), commander="x") for side in SIDES}
    return Outcome(War(Engagement("e1", "toy", "mylae", fleets, "rome", "L1.1")))


def apply(state: War, seat: str, command: Any, dice: Dice) -> Outcome[War]:
    if isinstance(command, March):
        return Outcome(replace(state, moves=state.moves + 1), ())
    waiting = find(state.engagement, state.settled, command.engagement)
    if isinstance(command, OpenBattle):
        assert waiting is not None
        return Outcome(replace(state, engagement=waiting.on_table(1)), (event("L1.2", "battle_opened"),))
    if waiting is None:
        if state.settled[command.engagement] != command.outcome:
            raise Illegal("L1.4", "settled already, with another outcome")
        return Outcome(state)
    settled = {**state.settled, waiting.id: command.outcome}
    return Outcome(replace(state, engagement=None, settled=settled), (event("L1.3", "settled"),))


def offers(state: War, seat: str) -> tuple[Offer, ...]:
    return (Offer("march", "L1.1", {"side": seat}),) if seat in SIDES else ()


TOY = System(
    "toy_war",
    "Toy war",
    "1",
    War,
    OpenBattle | Settle | March,
    (),
    lambda: (),
    start,
    offers,
    apply,
    lambda state, seat: state,
    lambda state: SIDES,
    lambda state: SIDES,
    lambda state: False,
    effects=put_on_table,
)


@pytest.fixture
def store(tmp_path: Any) -> Store:
    store = Store(tmp_path / "war.db", {**all_systems(), "toy_war": TOY})
    install(store)
    return store


@pytest.fixture
def opened(store: Store) -> tuple[Store, str, str]:
    campaign, _ = store.create("toy_war", position={}, title="The war")
    answer = store.submit(campaign.id, 0, "rome", {"type": "open_battle", "engagement": "e1"})
    assert answer.events is not None
    return store, campaign.id, answer.events[-1]["game"]


def give(store: Store, game: str, seat: str, **command: Any) -> None:
    store.submit(game, store.game(game).version, seat, command)


def fought(store: Store, battle: str) -> None:
    """Both agree to end it at once: nobody has won, nothing is lost."""
    for side in SIDES:
        give(store, battle, side, type="agree", side=side)


def outcome(**fields: Any) -> dict[str, Any]:
    return {**plain(NavalOutcome(turns=1, sides={side: {} for side in SIDES})), **fields}  # type: ignore[dict-item]


def test_l1_4_the_engagement_and_the_battle_point_at_each_other(opened: tuple[Store, str, str]) -> None:
    store, campaign, battle = opened
    meeting = linked_battle_of(store, battle)
    assert meeting is not None and meeting.campaign.game.id == campaign and meeting.engagement is not None
    assert store.load(battle).state.link.game == campaign
    assert [link.battle for link in battles_of(store, campaign)] == [battle]
    assert store.game(battle).title == "Mylae · The war"


def test_l1_4_a_side_cannot_settle_before_the_end_nor_otherwise_than_it_was_fought(
    opened: tuple[Store, str, str],
) -> None:
    store, campaign, battle = opened
    with pytest.raises(Illegal, match="has not ended"):
        give(store, campaign, "rome", type="settle", engagement="e1", outcome=outcome())
    fought(store, battle)
    with pytest.raises(Illegal, match="only the umpire"):
        give(store, campaign, "rome", type="settle", engagement="e1", outcome=outcome(turns=9))
    assert store.game(campaign).version == 1
    give(store, campaign, "rome", type="settle", engagement="e1", outcome=outcome())
    assert store.load(campaign).state.settled["e1"].turns == 1
    state = store.load(campaign).state
    give(store, campaign, "carthage", type="settle", engagement="e1", outcome=outcome())
    assert store.load(campaign).state == state, "the same outcome twice changes nothing"


def test_l1_4_nobody_enters_an_outcome_while_the_battle_goes_on(opened: tuple[Store, str, str]) -> None:
    store, campaign, battle = opened
    with pytest.raises(Illegal, match="has not ended"):
        give(store, campaign, "umpire", type="settle", engagement="e1", outcome=outcome())
    assert store.game(campaign).version == 1
    for side in SIDES:
        give(store, battle, "umpire", type="agree", side=side)  # he ends it first, in the open
    give(store, campaign, "umpire", type="settle", engagement="e1", outcome=outcome())
    assert "e1" in store.load(campaign).state.settled


def test_l1_4_the_umpire_may_correct_the_outcome_in_the_open(opened: tuple[Store, str, str]) -> None:
    store, campaign, battle = opened
    fought(store, battle)
    give(store, campaign, "umpire", type="settle", engagement="e1", outcome=outcome(turns=3))
    assert store.load(campaign).state.settled["e1"].turns == 3
    assert store.entries(campaign)[-1].seat == "umpire"


def test_l1_5_a_battle_is_not_taken_back_once_the_campaign_has_moved_on(opened: tuple[Store, str, str]) -> None:
    store, campaign, battle = opened
    fought(store, battle)
    give(store, campaign, "rome", type="settle", engagement="e1", outcome=outcome())
    with pytest.raises(Refused, match="moved on") as refused:
        store.undo(battle, store.game(battle).version, "umpire")
    assert refused.value.rule == "L1.5"


def test_l1_5_until_then_it_may_be_and_the_engagement_stays_open(opened: tuple[Store, str, str]) -> None:
    store, campaign, battle = opened
    fought(store, battle)
    assert store.undo(battle, store.game(battle).version, "umpire").undone
    assert not store.game(battle).over and store.load(campaign).state.engagement is not None


def test_l1_2_the_way_is_fixed_once_a_plot_is_locked(opened: tuple[Store, str, str]) -> None:
    store, campaign, battle = opened
    give(store, battle, "rome", type="plot", ship="r1", speed=0)
    give(store, battle, "rome", type="lock", side="rome")
    with pytest.raises(Refused, match="is final"):
        store.undo(campaign, 1, "umpire")


def test_l1_1_the_campaign_waits_on_the_engagement_and_on_nothing_else(opened: tuple[Store, str, str]) -> None:
    store, campaign, _ = opened
    give(store, campaign, "rome", type="march", side="rome")
    assert store.load(campaign).state.moves == 1
