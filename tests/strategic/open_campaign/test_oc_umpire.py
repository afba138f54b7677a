"""O1.4, O2, O3.3, O3.7, O5, O9, O11: what the umpire does by hand, fleets split and joined, treaties, letters, goals."""

import pytest
from msgspec.structs import replace
from waters import all_ready, begun, said, war

from strategic.coast import is_hidden
from strategic.open_campaign import OPEN_CAMPAIGN
from strategic.open_campaign.rules.days import hear, rumours
from strategic.open_campaign.rules.ending import end, points
from strategic.open_campaign.rules.fighting import admirals_fate, float_prizes, praise
from strategic.open_campaign.rules.sight import MOST_PINS, carry, modifier
from strategic.open_campaign.state import Goal, Mail, Ship, Sighting
from tactical.kernel.dice import Dice
from tactical.kernel.protocol import UMPIRE, Illegal
from tactical.kernel.record import BadInput, encode, plain

GO = {"type": "order", "side": "side0", "fleet": "f0", "do": "go", "to": "p2", "stance": "avoid"}


def held(dispatches="hold"):
    """A turn that has run and waits for the umpire, and the position before it."""
    state = said(begun(war(options={"dispatches": dispatches})), "side0", **GO)
    return state, all_ready(state)


def test_o3_7_a_turn_is_taken_back_until_it_is_sent():
    before, state = held()
    assert state.step == "held" and state.fleets["f0"].at == "p2"
    back = said(state, UMPIRE, type="take_back")
    assert back.fleets == before.fleets and back.orders == before.orders and back.turn == 1
    assert not any(back.ready.values()) and back.step == "orders"
    again = all_ready(back)
    assert again.fleets == state.fleets, "the same orders and dice are the same turn"
    sent = said(state, UMPIRE, type="send")
    assert sent.before is None
    with pytest.raises(Illegal, match="dispatches of all turns so far have been sent"):
        said(sent, UMPIRE, type="take_back")


def test_o3_7_what_stood_before_the_turn_leaves_the_server_for_nobody_but_the_umpire():
    _, state = held()
    assert "before" in OPEN_CAMPAIGN.view(state, UMPIRE)
    assert all("before" not in OPEN_CAMPAIGN.view(state, side) for side in state.sides)


def test_o3_7_by_hand_the_umpire_moves_and_the_program_keeps_the_books():
    _, state = held("hand")
    assert state.step == "held" and state.fleets["f0"].at == "p0"
    moved = said(state, UMPIRE, type="adjust", changes={"fleets.f0.at": "p3"}, why="by hand")
    sent = said(moved, UMPIRE, type="send")
    assert (sent.turn, sent.fleets["f0"].at) == (2, "p3")


def test_o3_7_day_by_day_is_the_same_turn_and_can_be_taken_back_between_two_days():
    week = {"turn_length": "week"}
    whole = all_ready(said(begun(war(options={"dispatches": "hold"}) | week), "side0", **GO))
    state = all_ready(said(begun(war(options={"dispatches": "days"}) | week), "side0", **GO))
    assert (state.step, state.day, OPEN_CAMPAIGN.waiting_for(state)) == ("day", 2, (UMPIRE,))
    assert said(state, UMPIRE, type="take_back").step == "orders"
    with pytest.raises(Illegal):
        said(state, "side0", **GO)
    for _day in range(6):
        state = said(state, UMPIRE, type="run")
    assert (state.step, state.fleets, state.ships) == ("held", whole.fleets, whole.ships)


def test_o2_2_a_fleet_is_split_and_joined_again():
    state = said(
        begun(war()), "side0", type="detach", side="side0", fleet="f0", ships=["s0-1", "s0-2"], new="van", name="Van"
    )
    assert state.fleets["f0-van"].ships == ("s0-1", "s0-2") and len(state.fleets["f0"].ships) == 10
    joined = all_ready(
        said(state, "side0", type="order", side="side0", fleet="f0-van", do="join", to="f0", stance="avoid")
    )
    assert len(joined.fleets["f0"].ships) == 12 and not joined.fleets["f0-van"].ships


@pytest.mark.parametrize("ships", [[], ["s1-0"], [f"s0-{number}" for number in range(12)], ["s0-0", "s0-0"]])
def test_o2_2_only_some_of_a_fleets_own_ships_are_detached(ships):
    with pytest.raises(Illegal, match="Choose some"):
        said(begun(war()), "side0", type="detach", side="side0", fleet="f0", ships=ships, new="van")


def test_o1_4_the_umpire_gives_a_fleet_to_another_side():
    state = said(begun(war(3)), UMPIRE, type="assign", fleet="f0", to="side2")
    assert state.fleets["f0"].side == "side2" and {state.ships[each].side for each in state.fleets["f0"].ships} == {
        "side2"
    }
    with pytest.raises(Illegal, match="another side"):
        said(state, UMPIRE, type="assign", fleet="f0", to="side2")


def test_o1_4_a_fleet_that_arrives_later_is_not_on_the_map_before():
    position = war(turn_length="day", turns=5)
    position["fleets"]["f0"]["arrives"] = 2
    state = begun(position)
    with pytest.raises(Illegal, match="has no fleet"):
        said(state, "side0", **GO)
    assert said(all_ready(state), "side0", **GO).orders["side0"]


def test_o5_4_a_treaty_is_proposed_agreed_to_and_ended():
    state = said(
        begun(war(3)), "side0", type="propose", side="side0", to="side1", terms=["peace", "seeing"], text="Until May"
    )
    assert state.are_hostile("side0", "side1") and not OPEN_CAMPAIGN.view(state, "side2")["treaties"]
    with pytest.raises(Illegal, match="proposed nothing"):
        said(state, "side0", type="agree_treaty", side="side0", to="side1")
    agreed = said(state, "side1", type="agree_treaty", side="side1", to="side0")
    assert not agreed.are_hostile("side0", "side1") and agreed.are_hostile("side0", "side2")
    ended = said(agreed, "side0", type="denounce", side="side0", to="side1")
    assert ended.are_hostile("side0", "side1") and not ended.treaties


def test_o5_4_markets_feed_and_eyes_are_shared_by_treaty():
    position = war(3, ports=6)
    position["ports"] = {"p0": "side1"}
    position["treaties"] = [{"by": "side0", "to": "side1", "terms": ["markets", "seeing"], "turn": 1}]
    position["fleets"]["f2"]["at"] = "p0"
    state = begun(position)
    assert state.is_friendly("p0", "side0") and not state.is_friendly("p0", "side2")
    seen = all_ready(state).known
    of_third = [tuple(each for each in seen[side] if each.side == "side2") for side in ("side0", "side1")]
    assert of_third[0] and of_third[0] == of_third[1]


def test_o11_2_a_letter_by_ship_takes_its_days_and_may_be_taken():
    state = begun(war(options={"letters": "by_ship"}, ports=6))
    state = replace(state, ports={"p0": "side0", "p5": "side1"})
    sent = said(state, "side0", type="post", side="side0", to="side1", text="Let us talk.")
    assert sent.mail[0].days == 2 and not OPEN_CAMPAIGN.view(sent, "side1")["mail"]
    assert OPEN_CAMPAIGN.view(sent, "side0")["mail"][0]["arrived"], "the sender does not know what became of it"
    after = replace(sent, turn=2)
    assert [carry(after, sent.mail[0], Dice(faces)).lost for faces in ((1, 1, 1), (1, 2, 1))] == [True, False]
    late = carry(after, sent.mail[0], Dice((3, 4, 6)))
    assert (late.days, late.arrived) == (4, False)
    assert carry(after, Mail("side0", "side1", "x", 0, 1, False), Dice((1, 1, 1))).arrived


def test_o11_2_at_once_a_letter_is_there_and_a_third_side_reads_nothing():
    state = said(begun(war(3)), "side0", type="post", side="side0", to="side1", text="Let us talk.")
    assert OPEN_CAMPAIGN.view(state, "side1")["mail"] and not OPEN_CAMPAIGN.view(state, "side2")["mail"]


def test_o5_2_a_side_with_all_its_pins_still_writes_on_them_anew_and_takes_them_off():
    position = war(ports=MOST_PINS + 1)
    position["pins"] = {"side0": [{"space": f"p{number}", "note": "look", "turn": 1} for number in range(MOST_PINS)]}
    state = begun(position)
    anew = said(state, "side0", type="mark", side="side0", space="p3", note="anew").pins["side0"]
    assert [each.note for each in anew if each.space == "p3"] == ["anew"] and len(anew) == MOST_PINS
    assert len(said(state, "side0", type="mark", side="side0", space="p3", note="").pins["side0"]) == MOST_PINS - 1
    with pytest.raises(Illegal, match="at most 60 pins"):
        said(state, "side0", type="mark", side="side0", space=f"p{MOST_PINS}", note="one more")
    with pytest.raises(Illegal, match="at most 2000 characters"):
        said(state, "side0", type="mark", side="side0", space="p3", note="x" * 2001)


def test_o5_2_a_side_sets_pins_of_its_own_with_a_note():
    state = said(begun(war()), "side0", type="mark", side="side0", space="p3", note="Watch this")
    assert OPEN_CAMPAIGN.view(state, "side0")["pins"]["side0"][0]["note"] == "Watch this"
    assert not OPEN_CAMPAIGN.view(state, "side1")["pins"]
    assert not said(state, "side0", type="mark", side="side0", space="p3", note="").pins


@pytest.mark.parametrize(
    ("faces", "near", "number"), [((1, 1, 2, 1), "p1", 12), ((1, 4, 2, 1), "p1", 24), ((1, 6, 2, 6), "p1", 12)]
)
def test_o5_2_rumours_are_true_late_or_false_and_no_name_is_invented(faces, near, number):
    state = replace(begun(war(turn_length="week")), ports={"p0": "side0", "p1": "side1"})
    heard, _ = hear(state, "side0", "p0", Dice(faces))
    (seen,) = heard.known["side0"]
    assert (seen.side, seen.near, seen.number, seen.rumour) == ("side1", near, number, True)


@pytest.mark.parametrize(("turn", "hears"), [(6, False), (7, True)])
def test_o5_2_where_a_turn_is_a_day_ports_hear_rumours_once_a_week(turn, hears):
    state = replace(begun(war(turn_length="day", turns=9)), ports={"p0": "side0"}, turn=turn)
    heard, _ = rumours(state, Dice((6, 1, 1, 2, 1)[: 5 * hears]))
    assert bool(heard.known) == hears


def test_o5_1_a_headland_hides_and_scouts_see_more():
    assert is_hidden((22.5, 36.3), (23.3, 36.9)) and not is_hidden((20.0, 36.0), (20.2, 36.0))
    state = begun(war())
    assert modifier(state, "f1", 9.0, 10.0, True) == modifier(state, "f1", 9.0, 10.0, False) + 1


def test_o3_3_an_order_with_two_conditions_goes_home_when_it_is_not_met():
    position = war(turn_length="week", turns=2)
    position["ports"] = {"p0": "side0"}
    position["fleets"]["f1"]["at"] = "p5"
    order = {**GO, "to": "p3", "unmet_by": 3, "then": "home"}
    assert all_ready(said(begun(position), "side0", **order)).fleets["f0"].at == "p0"


def test_o2_4_an_admiral_whose_ship_is_lost_drowns_is_taken_or_gets_away():
    state = begun(war()).with_fleet("f0", admiral="Duilius", fight=2)
    fates = [admirals_fate(state, "f0", "side1", Dice((face,))) for face in (1, 4, 6)]
    assert [told[0].data["fate"] if told else None for _, told in fates] == ["drowned", "taken", None]
    assert fates[0][0].fleets["f0"].fight == 0 and fates[2][0].fleets["f0"].admiral == "Duilius"
    praised, _ = praise(state.with_fleet("f0", fight=1), "f0")
    assert praised.fleets["f0"].fight == 2
    assert state.with_fleet("f0", ill=True).skill("f0") == (0, 0)


def test_o6_3_half_of_what_the_winner_took_floats_for_him_a_turn_later():
    state = begun(war(ships=3))
    state = state.with_fleet("f1", ships=("s1-1", "s1-2"))
    taken = replace(state.ships["s1-0"], status="captured", captured_by="side0", prize=1)
    state = replace(state.with_ships({"s1-0": taken}), turn=2)
    won, _ = float_prizes(state, Dice((4,)))
    assert "s1-0" in won.fleets["f0"].ships and (won.ships["s1-0"].side, won.ships["s1-0"].pips) == ("side0", 2)
    assert OPEN_CAMPAIGN.view(won, "side1")["ships"]["s1-0"]["status"] == "captured"
    lost, _ = float_prizes(state, Dice((3,)))
    assert lost.ships["s1-0"].status == "captured" and not lost.ships["s1-0"].prize
    OPEN_CAMPAIGN.check(won)


def test_o9_1_goals_have_dates_and_the_table_says_what_if_we_stopped_now():
    goals = [{"side": "side0", "what": "warships", "space": "p0", "points": 7, "by": 1}]
    state = all_ready(said(begun(war(goals=goals)), "side0", **GO))
    assert state.goals[0].won == 0
    stayed = all_ready(begun(war(goals=goals)))
    gone = stayed.with_fleet("f0", at="p4")
    assert stayed.goals[0].won == 7 and points(gone)["side0"] == 36 + 7
    assert OPEN_CAMPAIGN.view(gone, "side0")["stopped_now"] == {"side0": 43}
    assert OPEN_CAMPAIGN.view(gone, UMPIRE)["stopped_now"] == {"side0": 43, "side1": 36}


def test_o5_2_what_if_we_stopped_now_tells_a_side_no_more_than_its_map_shows():
    goals = [{"side": "side0", "what": "cleared", "space": "p4", "points": 7, "by": 1}]
    state = begun(war(ships=1, goals=goals))
    here, away = (state.with_fleet("f1", at=at) for at in ("p4", "p2"))
    for seen, told in (((), 10), ((Sighting("side1", 1, "p4", 0.0, 0.0, 1, 1),), 3)):
        views = [
            OPEN_CAMPAIGN.view(replace(each, known={"side0": seen} if seen else {}), "side0") for each in (here, away)
        ]
        assert encode(views[0]) == encode(views[1]) and views[0]["stopped_now"] == {"side0": told}
    assert [points(each)["side0"] for each in (here, away)] == [3, 10], "the end counts what is true"
    after = [all_ready(each) for each in (here, away)]
    assert [each.goals[0].won for each in after] == [0, 7]
    assert [OPEN_CAMPAIGN.view(each, "side0")["goals"][0]["won"] for each in after] == [None, None]
    assert [end(each, "date")[0].result.points["side0"] for each in after] == [3, 10]


def test_o6_3_a_side_knows_the_ships_that_it_has_taken_and_counts_them():
    state = begun(war(ships=2, goals=[{"side": "side0", "what": "taken", "space": "p0", "points": 4}]))
    taken = replace(state.ships["s1-0"], status="captured", captured_by="side0", name="Tyche", pips=9)
    state = state.with_ships({"s1-0": taken}).with_fleet("f1", ships=("s1-1",))
    view = plain(OPEN_CAMPAIGN.view(state, "side0"))
    assert view["stopped_now"] == {"side0": 6 + 4}
    assert view["ships"]["s1-0"] == plain(Ship("side1", "trireme", status="captured", captured_by="side0"))
    assert "s1-1" not in view["ships"]


def test_o9_1_goals_are_sealed_or_open_and_of_equals_the_one_with_fewer_losses_wins():
    goals = [{"side": "side0", "what": "port", "space": "p0", "points": 3}]
    sealed, known = (begun(war(goals=goals, options={"goals": how})) for how in ("sealed", "open"))
    assert not OPEN_CAMPAIGN.view(sealed, "side1")["goals"] and OPEN_CAMPAIGN.view(known, "side1")["goals"]
    state = begun(war(ships=3))
    sunk = {"s1-9": replace(state.ships["s1-0"], status="sunk")}
    assert end(state.with_ships(sunk), "date")[0].result.winner == "side0"
    assert end(state, "date")[0].result.winner is None
    assert points(replace(state, goals=(Goal("side0", "taken", "p0", 4),)))["side0"] == 9


def test_o3_2_a_detached_fleet_or_a_pin_is_unseen_by_others():
    state = begun(war())
    before = encode(plain(OPEN_CAMPAIGN.view(state, "side1")))
    for command in (
        {"type": "detach", "side": "side0", "fleet": "f0", "ships": ["s0-1"], "new": "van"},
        {"type": "mark", "side": "side0", "space": "p3", "note": "here"},
        GO,
    ):
        state = said(state, "side0", **command)
        assert encode(plain(OPEN_CAMPAIGN.view(state, "side1"))) == before


def test_o5_4_nobody_writes_to_himself_or_to_a_side_that_there_is_not():
    for to in ("side0", "side9"):
        with pytest.raises((Illegal, BadInput)):
            said(begun(war()), "side0", type="post", side="side0", to=to, text="x")
