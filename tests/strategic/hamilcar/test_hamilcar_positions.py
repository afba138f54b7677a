"""Positions, contradictions, secrets, the umpire's adjustments, resigning."""

from __future__ import annotations

from typing import Any

import pytest
from msgspec.structs import replace

from kit.hamilcar_war import THREE, TWO, War, army, control, drawn_for, empty, read_plain, secret, ships, turn_of, war
from strategic.hamilcar import HAMILCAR
from strategic.hamilcar.rules.checks import name_of
from strategic.hamilcar.state import State
from tactical.kernel.dice import Dice
from tactical.kernel.protocol import Illegal, NotYours, Prompt
from tactical.kernel.record import BadInput, encode

COTTA, GISCO, HANNO, REGULUS = "gaius_aurelius_cotta", "hannibal_gisco", "hanno", "marcus_atilius_regulus"


def started() -> State:
    return HAMILCAR.start("first_punic_war", None, {}, Dice(secret=secret)).state


def test_a_position_posted_again_is_the_same_position() -> None:
    """reading.6 The umpire's state typed in gives the same state and the same offers."""
    state = started()
    again = HAMILCAR.start(None, read_plain(state), {}, Dice(secret=secret)).state
    assert encode(again) == encode(state)
    for seat in ("rome", "carthage", "umpire"):
        assert HAMILCAR.offers(again, seat) == HAMILCAR.offers(state, seat)


def test_a_position_typed_in_gets_what_it_leaves_out() -> None:
    """4, L2.4 Places, generals, options and the deck take their defaults; new ships take names that are free."""
    position = {
        "spaces": {"capua": {"rome": {"units": 4}}},
        "active": "rome",
        "phase": "strategy",
        "generals": {REGULUS: {"status": "board", "space": "capua"}},
        "hands": {"rome": [THREE], "carthage": [TWO]},
        "ships": {"rome": [{"name": "Aquila", "ready": False}], "carthage": []},
    }
    state = HAMILCAR.start(None, position, {}, Dice(secret=secret)).state
    assert state.spaces["capua"].control == "rome" and state.spaces["capua"].rome.units == 4
    assert len(state.deck) == 62 and THREE not in state.deck and HAMILCAR.invariants(state) == ()
    assert HAMILCAR.waiting_for(state) == ("rome",)
    assert [ship.name for ship in state.built("rome").ships["rome"]] == ["Aquila", "Lupa"]


@pytest.mark.parametrize(
    "path, position",
    [
        ("position.spaces.atlantis", {"spaces": {"atlantis": {}}}),
        ("position.generals.hanno.space", {"generals": {"hanno": {"status": "board", "space": "atlantis"}}}),
        ("position.ships.rome", {"ships": {"rome": [{"name": str(n)} for n in range(11)], "carthage": []}}),
        ("position.ships.carthage.0.name", {"ships": {"rome": [{"name": "Argo"}], "carthage": [{"name": "Argo"}]}}),
        ("position.seamanship", {"seamanship": 4}),
        ("position.turn", {"turn": 10}),
        ("position.council", {"council": [[4, 1]]}),
        ("position.fog", {"fog": True}),
        ("position.hands", {"hands": {"rome": [60, 60], "carthage": []}}),
        ("position.agenda.0.kind", {"active": "rome", "agenda": [{"kind": "sing", "seat": "rome", "rule": "1"}]}),
        ("position.agenda.0.kind", {"active": "rome", "agenda": [{"kind": "move", "seat": "rome", "rule": "1"}]}),
        ("position.agenda.0.about", {"active": "rome", "agenda": [{"kind": "points", "seat": "rome", "rule": "1"}]}),
        ("position.agenda.0.seat", {"active": "rome", "agenda": [{"kind": "points", "seat": "both", "rule": "1"}]}),
        ("position.active", {"phase": "strategy"}),
    ],
)
def test_a_contradiction_is_refused_with_the_path_to_the_field(path: str, position: dict[str, Any]) -> None:
    with pytest.raises(BadInput) as refusal:
        HAMILCAR.start(None, position, {}, Dice(secret=secret))
    assert refusal.value.path.startswith(path)


def test_a_wrong_space_record_is_refused() -> None:
    for place, field in (
        ({"rome": {"units": -1}}, "rome.units"),
        ({"inside": {"units": 1}}, "inside"),
        ({"siege": 1}, "besieger"),
        ({"rome": {"units": 1}, "carthage": {"units": 1}}, "carthage"),
        ({"rome": {"elephants": 1}}, "rome.elephants"),
    ):
        raw = read_plain(war())
        raw["spaces"]["arpi"] = {"control": "rome", **place}
        with pytest.raises(BadInput) as refusal:
            HAMILCAR.start(None, raw, {}, Dice(secret=secret))
        assert refusal.value.path == f"position.spaces.arpi.{field}"


def test_a_hand_is_seen_by_its_owner_only() -> None:
    """8.2 Two positions that differ in a secret only are the same to who may not see it."""
    state = started()
    hand = state.hands["carthage"]
    other = replace(
        state, hands={**state.hands, "carthage": (*hand[:-1], state.deck[0])}, deck=(hand[-1], *state.deck[1:])
    )
    for seat in ("rome", "spectator"):
        assert encode(HAMILCAR.view(state, seat)) == encode(HAMILCAR.view(other, seat))
    assert encode(HAMILCAR.view(state, "carthage")) != encode(HAMILCAR.view(other, "carthage"))
    seen = HAMILCAR.view(state, "rome")
    assert set(seen.hands["carthage"]) == {0} and set(seen.deck) == {0} and seen.hands["rome"] == state.hands["rome"]


def at_sea(first: str) -> State:
    state = army(army(empty(), "rome", "messana", 2, COTTA), "carthage", "panormus", 1, GISCO)
    state = control(ships(ships(state, "rome", 1), "carthage", 1), None, "lipara")
    table = turn_of(state, "rome", TWO)
    table.say("rome", "activate", card=TWO, general=COTTA)
    table.say("rome", "sail", to="lipara", ships=1, units=2, elephants=0)
    table.say("carthage", "sea_intercept", 1, ships=1, tries=[{"general": GISCO}])
    table.say(
        "rome",
        "choose_way",
        engagement=table.state.engaged().id,
        way="own_table",
        side="rome",
        drawn=drawn_for((first, "ambush" if first == "run" else "run")),
    )
    return table.state


def test_tactics_cards_are_hidden_from_the_enemy() -> None:
    """11.7.hands"""
    one, other = at_sea("run"), at_sea("ambush")
    fleets = {
        side: replace(fleet, hand=other.at_sea().fleets[side].hand) if side == "carthage" else fleet
        for side, fleet in one.at_sea().fleets.items()
    }
    swapped = replace(one, naval=replace(one.at_sea(), deck=other.at_sea().deck, fleets=fleets))
    assert encode(HAMILCAR.view(one, "rome")) == encode(HAMILCAR.view(swapped, "rome"))
    assert HAMILCAR.view(one, "carthage").at_sea().fleets["carthage"].hand == one.at_sea().fleets["carthage"].hand


def test_battle_hands_are_hidden_from_the_enemy() -> None:
    """14.1"""
    state = army(empty(), "rome", "beneventum", 5, REGULUS)
    table = turn_of(control(army(state, "carthage", "arpi", 4, HANNO), None, "arpi"), "rome", THREE)
    table.say("rome", "activate", card=THREE, general=REGULUS)
    table.say("rome", "step", to="arpi", units=5, elephants=0)
    table.stands()
    seen = HAMILCAR.view(table.state, "rome").fighting()
    assert set(seen.hands["carthage"]) == {"unseen"} and set(seen.deck) == {"unseen"}
    assert len(seen.hands["carthage"]) == len(table.state.fighting().hands["carthage"])
    assert seen.hands["rome"] == table.state.fighting().hands["rome"]


def test_the_umpire_adjusts_in_the_open_with_a_reason() -> None:
    table = War(war())
    table.say("umpire", "adjust", changes={"spaces.roma.rome.units": 9, "corvus": True}, why="miscounted")
    assert table.state.spaces["roma"].rome.units == 9 and table.state.corvus
    assert table.events[0].type == "adjusted" and table.events[0].data["why"] == "miscounted"
    with pytest.raises(NotYours):
        table.say("rome", "adjust", changes={"corvus": False}, why="please")
    for changes, path in (
        ({"spaces.roma.rome.horses": 1}, "changes.spaces.roma.rome.horses"),
        ({"turn": 12}, "changes.turn"),
    ):
        with pytest.raises(BadInput) as refusal:
            table.say("umpire", "adjust", changes=changes, why="no")
        assert refusal.value.path == path


def test_victory_4_a_side_may_sue_for_peace() -> None:
    table = War(war())
    with pytest.raises(NotYours):
        table.say("carthage", "resign", side="rome")
    table.say("rome", "resign", side="rome")
    assert table.state.result is not None and table.state.result.winner == "carthage"
    with pytest.raises(Illegal):
        table.say("carthage", "pass")


def test_a_seat_answers_only_what_it_is_asked() -> None:
    table = War(war())
    with pytest.raises(NotYours):
        table.say("rome", "pass")
    with pytest.raises(NotYours):
        table.say("spectator", "pass")
    with pytest.raises(Illegal):
        table.say("carthage", "halt")


def test_a_refused_command_changes_nothing() -> None:
    table = turn_of(army(empty(), "rome", "neapolis", 3, COTTA), "rome", TWO)
    before = encode(table.state)
    for fields in ({"card": 1, "general": COTTA}, {"card": TWO, "general": HANNO}, {"card": TWO, "general": "x"}):
        with pytest.raises(Illegal):
            table.say("rome", "activate", **fields)
    assert encode(table.state) == before


@pytest.mark.parametrize(
    "old, rule, new",
    [
        ("pursue", "pursuit.2", "pursuit"),
        ("entered", "movement.land.1", "meet"),
        ("meeting", "movement.land.4", "clash"),
        ("charge", "17", "elephants"),
        ("change_command", "battle.1", "command"),
        ("meet", "L1.1", "fleets_meet"),
        ("pursuit", "11.7.pursuit", "sea_pursuit"),
        ("pursuit", "pursuit.1", "pursuit"),
    ],
)
def test_questions_of_older_positions_go_by_todays_names(old: str, rule: str, new: str) -> None:
    assert name_of(Prompt(old, "rome", rule)) == new


def test_a_meeting_of_an_older_position_goes_on_as_it_began() -> None:
    """interception.3 Who came by an interception stood in the question; now the march knows it."""
    state = army(army(empty(), "rome", "capua", 6, REGULUS), "carthage", "beneventum", 5, "himilco")
    table = turn_of(control(state, None, "beneventum", "terventum"), "rome", THREE)
    table.say("rome", "activate", card=THREE, general=REGULUS)
    table.say("rome", "step", to="terventum", units=6, elephants=0)
    table.say("carthage", "intercept", general="himilco", units=5, elephants=0)
    table.say("carthage", "done", 1)
    state = table.state
    entered = Prompt("entered", "", "movement.land.1", {"interceptors": ["himilco"]})
    agenda = tuple(entered if prompt.kind == "meet" else prompt for prompt in state.agenda)
    table.state = replace(state, agenda=agenda, march=replace(state.marching(), intercepted=()))
    table.say("rome", "accept_battle")
    assert table.state.battle is not None and table.state.battle.interceptor == "carthage"


def test_an_older_list_of_interceptions_is_read() -> None:
    """interception.1 A general with his CUs, elephants and trains, in place of space and generals."""
    state = army(army(empty(), "rome", "capua", 6, REGULUS), "carthage", "beneventum", 5, "himilco")
    table = turn_of(control(state, None, "beneventum", "terventum"), "rome", THREE)
    table.say("rome", "activate", card=THREE, general=REGULUS)
    table.say("rome", "step", to="terventum", units=6, elephants=0)
    prompt = replace(table.state.agenda[-1], about={"declared": {"himilco": [4, 0, 0]}})
    table.state = replace(table.state, agenda=(*table.state.agenda[:-1], prompt))
    table.say("carthage", "done", 1)
    assert table.state.spaces["terventum"].carthage.units == 4
