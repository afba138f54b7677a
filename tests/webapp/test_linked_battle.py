"""L1.4, L2.5 The battle's page of a campaign: what is at stake, deploying, dice thrown again, the outcome for review."""

from __future__ import annotations

import json
import re
from pathlib import Path

import msgspec
import pytest

from kit.linked_sea import Sea
from strategic.naval.engagement import NavalOutcome
from tactical.kernel.record import encode, plain
from webapp.pages.battle import roster
from webapp.pages.battle.board import Picture, board
from webapp.pages.battle.side_heads import heads
from webapp.presenting.battle_labels import tones
from webapp.presenting.sides import side_number
from webapp.storage.journal.engagements import linked_battle_of
from webapp.storage.journal.store import Store
from webapp.storage.journal.transfer import verify


@pytest.fixture
def sea(tmp_path: Path) -> Sea:
    return Sea(tmp_path / "sea.db")


@pytest.fixture
def opened(sea: Sea) -> Sea:
    sea.open()
    return sea


@pytest.fixture
def beaten(opened: Sea) -> Sea:
    """Rome has won: two of Carthage's sunk, one captured, one over the edge; a Roman ship and a transport lost."""
    opened.deploy()
    opened.sink("c1", "c2")
    opened.sink("c3", status="captured", captured_by="rome")
    opened.sink("r2", "r5")
    opened.sink("c4", status="withdrawn")
    opened.play(300)
    return opened


def test_l1_4_the_battles_page_says_what_is_at_stake_and_leads_back(opened: Sea) -> None:
    page = opened.page("rome", f"/g/{opened.battle}?seat=rome")
    assert "At stake: Lipara · Off Mylae, 260 BC" in page
    assert "Transports of Rome 3 of 3 afloat" in page
    assert "Carthage holds supremacy, and may give it up at the end of a turn in order to leave" in page
    assert "a wall until the end of turn 4" in page and "after turn 15 nobody has won" in page
    assert f'href="/g/{opened.id}?seat=rome"' in opened.fetch("rome", f"/g/{opened.battle}?seat=rome")
    assert "At stake" in opened.page("spectator", f"/g/{opened.battle}?seat=spectator")


def test_l1_4_a_battle_of_its_own_has_no_banner(sea: Sea) -> None:
    game, tokens = sea.store.create("galley", "mylae")
    client = sea.app.test_client()
    client.get(f"/join/{tokens['rome']}")
    assert "At stake" not in client.get(f"/g/{game.id}?seat=rome").text
    assert client.get(f"/linked/{game.id}/review?seat=rome").status_code == 303


def test_l2_5_a_ship_is_deployed_by_form_and_by_its_hexes_on_the_board(opened: Sea) -> None:
    page = opened.fetch("rome", f"/g/{opened.battle}?seat=rome&ship=r1")
    assert "Rome deploys now" in page and "ghost-place" in page
    hexes = re.findall(r'<option value="(\[-?\d+, -?\d+\])"', page)
    assert len(hexes) == page.count('class="ghost-place"') + 1, "every free hex is offered by form and on the board"
    place = json.loads(hexes[3])
    sent = {"type": "deploy", "ship": "r1", "at:json": hexes[3], "facing": "SE", "seen": "0"}
    assert opened.post("rome", f"/g/{opened.battle}/command", **sent).status_code == 303
    ship = opened.store.load(opened.battle).state.ships["r1"]
    assert [*ship.at] == place and ship.facing == "SE"
    assert "Aquila is deployed in hex" in opened.page("rome", f"/g/{opened.battle}/log?seat=rome")


def test_l2_5_while_the_sides_deploy_no_speed_is_offered(opened: Sea) -> None:
    page = opened.page("rome", f"/g/{opened.battle}?seat=rome")
    assert "All cruise" not in page and "Done deploying" in page
    other = opened.fetch("carthage", f"/g/{opened.battle}?seat=carthage&ship=c1")
    assert "ghost-place" not in other and "Deploy her" not in other
    opened.deploy()
    assert "All cruise" in opened.page("rome", f"/g/{opened.battle}?seat=rome")


def boarding(path: Path) -> Sea:
    """Carthage is about to board, and may have a die thrown again; nothing has been thrown yet."""
    sea = Sea(path / "sea.db", seed=5, options={"commander_rerolls": True})
    sea.open()
    assert "Dice re-rolled by Rome 2 left" in sea.page("rome", f"/g/{sea.battle}?seat=rome")
    sea.deploy()
    r1, c1 = {"at": [6, 3], "facing": "S"}, {"at": [6, 4], "facing": "N"}
    for ship, changes in (("r1", r1), ("c1", c1)):
        sea.give("umpire", sea.battle, type="adjust", ship=ship, changes=changes, why="side by side")
    sea.give("umpire", sea.battle, type="adjust", changes={"step": "board", "phase": 1}, why="side by side")
    return sea


def test_l2_5_a_another_process_has_the_same_dice_on_the_table_and_the_same_new_ones(tmp_path: Path) -> None:
    """What it plays on is the position that is stored; so a choice that was taken back gets its own dice again."""
    sea = boarding(tmp_path)
    here, there = sea.store, Store(sea.store.file.path)
    there.load(sea.battle)
    sea.give("carthage", sea.battle, type="board", ship="c1", target="r1")
    table = there.load(sea.battle)
    assert table.state.thrown is not None and encode(table.state) == here.load(sea.battle).json
    seen = table.game.version
    (offer,) = (each for each in table.offers("carthage") if each.type == "reroll")
    again = {"type": "reroll", **offer.fields}
    for number, store in enumerate((here, there, here, there)):
        store.submit(sea.battle, seen + 2 * number, "carthage", again)
        here.undo(sea.battle, seen + 2 * number + 1, "umpire")
    faces = {here.entry(sea.battle, seen + 2 * number + 1).faces for number in range(4)}
    assert len(faces) == 1
    assert verify(here, sea.battle) == []


def test_l2_5_a_the_dice_that_lie_are_shown_to_who_may_throw_one_again(tmp_path: Path) -> None:
    sea = boarding(tmp_path)
    sea.give("carthage", sea.battle, type="board", ship="c1", target="r1")
    thrown = sea.store.load(sea.battle).state.thrown
    assert thrown is not None and thrown.waits == ("carthage",)
    page = sea.fetch("carthage", f"/g/{sea.battle}?seat=carthage")
    assert "Dice on the table" in page and page.count("</span> re-roll<") == 1
    assert "to decide whether to re-roll a die" in sea.fetch("rome", f"/g/{sea.battle}?seat=rome")
    command = re.search(r'value="([^"]*reroll[^"]*)"', page)
    assert command is not None
    seen = sea.store.game(sea.battle).version
    sent = command.group(1).replace("&#34;", '"').replace("&quot;", '"')
    assert sea.post("carthage", f"/g/{sea.battle}/command", command=sent, seen=seen).status_code == 303
    assert sea.store.load(sea.battle).state.thrown is None
    assert "re-rolls a die" in sea.page("rome", f"/g/{sea.battle}/log?seat=rome")


def test_l1_4_the_outcome_is_shown_for_review_with_what_it_will_mean(beaten: Sea) -> None:
    for seat in ("rome", "carthage", "spectator"):
        page = beaten.page(seat, f"/linked/{beaten.battle}/review?seat={seat}")
        assert "Rome has won" in page and "Sunk 2: Tanit, Melqart" in page
        assert "Captured by the enemy 1: Astarte" in page and "Transports lost 1 of 3" in page
        assert "Carthage fled" in page
        assert "Rome takes Astarte into its fleet (unready)." in page and "Rome has naval supremacy." in page
        assert "Carthage: Take markers off (1)" in page
    assert "Enter it into the campaign" not in beaten.page(
        "spectator", f"/linked/{beaten.battle}/review?seat=spectator"
    )
    assert beaten.state.engagement is not None, "to look is not to enter"


def test_l1_4_a_side_enters_it_and_both_pages_say_as_which_entry(beaten: Sea) -> None:
    answer = beaten.enter("carthage")
    assert answer.status_code == 303
    assert beaten.state.settled["2.1"].winner == "rome" and beaten.state.supremacy == "rome"
    number = beaten.store.game(beaten.id).version
    for path in (f"/linked/{beaten.battle}/review?seat=rome", f"/g/{beaten.battle}?seat=rome"):
        assert f"Entered as entry {number} of campaign {beaten.id}." in beaten.page("rome", path)
    assert beaten.store.entries(beaten.id)[-1].seat == "carthage"


def test_l1_4_entering_it_twice_changes_nothing(beaten: Sea) -> None:
    page = beaten.fetch("rome", f"/linked/{beaten.battle}/review?seat=rome")
    seen = re.search(r'name="seen" value="(\d+)"', page)
    assert seen is not None and beaten.enter("rome").status_code == 303
    state = beaten.state
    outcome = json.dumps({"type": "settle", "engagement": "2.1", "outcome": plain(state.settled["2.1"])})
    late = beaten.post("carthage", f"/linked/{beaten.battle}/settle", seen=seen.group(1), command=outcome)
    assert late.status_code == 409 and beaten.state == state
    version = beaten.store.game(beaten.id).version
    again = beaten.post("carthage", f"/linked/{beaten.battle}/settle", seen=version, command=outcome)
    assert again.status_code == 303 and beaten.state == state


def test_l1_4_a_side_cannot_enter_another_outcome_than_was_fought(beaten: Sea) -> None:
    other = json.dumps({"type": "settle", "engagement": "2.1", "outcome": plain(NavalOutcome(turns=1))})
    refused = beaten.enter("rome", command=other)
    assert refused.status_code == 422 and "only the umpire may correct it" in refused.text
    other_kind = json.dumps({"type": "resign", "side": "rome"})
    assert beaten.enter("rome", command=other_kind).status_code == 422
    assert beaten.state.engagement is not None and beaten.state.result is None


def test_l1_4_a_spectator_and_a_stranger_enter_nothing(beaten: Sea) -> None:
    command = json.dumps({"type": "settle", "engagement": "2.1", "outcome": {}})
    version = beaten.store.game(beaten.id).version
    refused = beaten.post("spectator", f"/linked/{beaten.battle}/settle", seen=version, command=command)
    assert refused.status_code in (403, 422)
    assert beaten.app.test_client().get(f"/linked/{beaten.battle}/review").status_code == 401
    assert beaten.state.engagement is not None


def test_l1_4_the_umpire_corrects_it_in_the_open(beaten: Sea) -> None:
    form = beaten.page("umpire", f"/linked/{beaten.id}/report?seat=umpire")
    assert "The journal records it with your name" in form
    fields = {
        "winner": "rome",
        "turns": "3",
        "rome.transports": "1",
        "rome.Lupa.fate": "sunk",
        "carthage.left": "fled",
        "carthage.Tanit.fate": "sunk",
        "seen": beaten.store.game(beaten.id).version,
    }
    assert beaten.post("umpire", f"/linked/{beaten.id}/report", **fields).status_code == 303
    settled = beaten.state.settled["2.1"]
    assert settled.turns == 3 and settled.of("carthage").sunk_ships == ("Tanit",)
    page = beaten.page("rome", f"/linked/{beaten.battle}/review?seat=rome")
    assert "The umpire has corrected it." in page
    meeting = linked_battle_of(beaten.store, beaten.battle)
    assert meeting is not None and meeting.settled == settled


def test_l1_4_the_correction_starts_from_what_was_fought(beaten: Sea) -> None:
    page = beaten.fetch("umpire", f"/linked/{beaten.id}/report?seat=umpire")
    assert '<option value="rome" selected>' in page
    sunk = re.search(r'name="carthage.Tanit.fate".*?<option value="sunk" selected>', page, re.S)
    assert sunk is not None
    refused = beaten.client("rome").get(f"/linked/{beaten.id}/report?seat=rome")
    assert refused.status_code == 422 and "only the umpire may correct" in refused.text


def test_l3_6_a_the_winner_is_offered_the_prize_roll_after_the_battle(opened: Sea) -> None:
    """11.7.after.3 Entering the outcome throws nothing; then the winner may roll one die in column V."""
    opened.deploy()
    opened.sink("r1", "r2", "r3", "r4")
    opened.play(300)
    assert opened.store.load(opened.battle).state.result.winner == "carthage"
    page = opened.page("carthage", f"/linked/{opened.battle}/review?seat=carthage")
    assert "A die decides it:" not in page
    version = opened.store.game(opened.id).version
    assert opened.enter("carthage").status_code == 303
    assert opened.store.game(opened.id).version == version + 1
    assert not opened.store.entries(opened.id)[-1].rolls
    seen = opened.store.game(opened.id).version
    thrown = opened.post("carthage", f"/g/{opened.id}/command", command='{"type": "prize_roll"}', seen=seen)
    assert thrown.status_code == 303
    faces = [roll.faces for roll in opened.store.entries(opened.id)[-1].rolls]
    assert len(faces) == 1 and len(faces[0]) == 1, "one die in column V, thrown once"


def test_l1_4_with_dice_by_hand_the_campaign_asks_the_table_for_the_prize_roll(tmp_path: Path) -> None:
    sea = Sea(tmp_path / "sea.db", dice="physical")
    sea.open()
    sea.deploy()
    sea.sink("r1", "r2", "r3")
    sea.sink("r4", status="captured", captured_by="carthage")
    sea.play(300)
    fought = sea.store.load(sea.battle).state
    assert fought.is_over and fought.result.winner == "carthage"
    assert sea.enter("carthage").status_code == 303
    assert sea.state.settled["2.1"].winner == "carthage"
    seen = sea.store.game(sea.id).version
    sent = '{"type": "prize_roll"}'
    assert sea.post("carthage", f"/g/{sea.id}/command", command=sent, seen=seen).status_code == 303
    waiting = sea.store.game(sea.id).waiting
    assert waiting is not None and waiting.asked.rule == "11.7.after.3"
    thrown = sea.post("carthage", f"/g/{sea.id}/command", command=sent, seen=seen, rolls="6")
    assert thrown.status_code == 303
    assert sea.store.entries(sea.id)[-1].rolls[0].by == "table"


def test_l1_4_a_side_has_the_colour_of_its_power_on_the_map(opened: Sea) -> None:
    """Whichever stands first in the battle: the campaign says which side is which colour."""
    battle = opened.store.load(opened.battle).state
    for sides in (battle.sides, dict(reversed(battle.sides.items()))):
        now = msgspec.structs.replace(battle, sides=sides)
        assert tones(now) == {"rome": 0, "carthage": 1} == {side: side_number("hamilcar", (), side) for side in sides}
        with opened.app.test_request_context():
            shapes = {chip.side: chip.shape for chip in roster.chips(now, list(now.ships), ())}
            assert shapes == {head.id: head.shape for head in heads(now, {}, "umpire")} == tones(now)
            assert "#body-" in (drawn := str(board(now, Picture(still=True)))) and "side2" not in drawn
    alone = msgspec.structs.replace(battle, link=None, sides=dict(reversed(battle.sides.items())))
    assert tones(alone) == {"carthage": 0, "rome": 1}, "a battle of its own goes by the order of its sides"


def test_l1_4_a_battle_of_a_war_of_ones_own_goes_by_the_order_of_its_sides_there(opened: Sea) -> None:
    battle = opened.store.load(opened.battle).state
    assert battle.link.powers == opened.store.load(opened.id).sides
    powers = ("syria", "crete", "carthage", "athens", "sparta", "rome")
    now = msgspec.structs.replace(
        battle, link=msgspec.structs.replace(battle.link, system="open_campaign", powers=powers)
    )
    assert tones(now) == {"rome": 5, "carthage": 2}
    before = msgspec.structs.replace(now.link, powers=msgspec.UNSET)
    assert sorted(tones(msgspec.structs.replace(now, link=before)).values()) == [0, 1], (
        "of earlier versions: by its own"
    )


def test_l1_4_of_two_powers_of_one_colour_the_second_gets_a_free_one(opened: Sea) -> None:
    battle = opened.store.load(opened.battle).state
    one = battle.sides["rome"]
    link = msgspec.structs.replace(battle.link, system="sword_of_rome")
    sides = dict.fromkeys(("etruscans_samnites", "greeks", "romans", "samnites"), one)
    now = msgspec.structs.replace(battle, link=link, sides=sides)
    assert tones(now) == {"etruscans_samnites": 4, "greeks": 3, "romans": 0, "samnites": 1}


def test_l1_4_the_other_page_is_told_when_the_change_is_on_the_disk(sea: Sea) -> None:
    """The campaign hears that a battle has moved on, by the listeners, and what they then read is the new revision."""
    sea.open()
    heard: list[tuple[str, int, int]] = []
    sea.store.listeners.append(
        lambda game, _version, revision: heard.append((game, revision, sea.store.game(game).revision))
    )
    before = sea.store.game(sea.id).revision
    sea.deploy()
    sea.sink("c1")
    told = [(revision, stands) for game, revision, stands in heard if game == sea.id]
    assert told and told[-1][0] > before and all(revision == stands for revision, stands in told)
    assert sea.store.game(sea.id).revision == told[-1][0]
