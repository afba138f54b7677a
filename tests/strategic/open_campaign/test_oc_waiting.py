"""O6.1 Only the fleets that take part in a meeting wait; they make up their days when it is settled."""

import pytest
from msgspec.structs import replace
from waters import all_ready, begun, said, war

from strategic.naval.engagement import put_on_table
from strategic.open_campaign import OPEN_CAMPAIGN
from strategic.open_campaign.rules.holding import meetings
from tactical.kernel.protocol import UMPIRE, Illegal


def ordered(state, number, do, to, stance="seek"):
    told = {"side": f"side{number}", "fleet": f"f{number}", "do": do, "to": to, "stance": stance}
    return said(state, told["side"], type="order", **told)


def waters():
    """Side 0 sails from p8 to p11 past side 1 at p9, side 2 far in the west from p0 to p5, in a week."""
    position = war(3, ports=16, turn_length="week")
    for name, at in {"f0": "p8", "f1": "p9", "f2": "p0"}.items():
        position["fleets"][name]["at"] = at
    state = begun(position)
    for number, (do, to) in enumerate((("patrol", "p11"), ("patrol", "p9"), ("go", "p5"))):
        state = ordered(state, number, do, to)
    return state


def waiting():
    """The first turn in which the two meet."""
    found = (all_ready(waters(), seed) for seed in range(20))
    return next(state for state in found if state.engagement is not None)


def settle(state, name, winner=None):
    sides = {} if winner is None else {"side1": {"fled": True}}
    return said(state, UMPIRE, type="settle", engagement=name, outcome={"winner": winner, "turns": 3, "sides": sides})


def test_o6_1_who_takes_no_part_has_its_days_and_who_does_keeps_its_place():
    state = waiting()
    here = state.fleets["f0"].at
    assert state.fleets["f2"].at == "p5" and here != "p11" and state.fleets["f1"].at == "p9"
    assert {name: fleet.engaged for name, fleet in state.fleets.items()} == {
        "f0": state.engagement.id,
        "f1": state.engagement.id,
        "f2": "",
    }
    before = state.fleets["f0"].provisions
    after = settle(state, state.engagement.id, "side0")
    assert after.fleets["f0"].at == "p11" and after.turn == 2, "the winner makes up his days"
    assert after.fleets["f2"] == replace(state.fleets["f2"], at="p5") and after.fleets["f0"].provisions <= before
    assert not any(fleet.engaged or fleet.halted for fleet in after.fleets.values()) and not after.fought


def appoint(state, when="2026-12-31 20:00", side="side0"):
    name = state.engagement.id
    return said(state, side, type="appoint", side=side, engagement=name, when=when, where="The club", who="Ann, Ben")


def test_o3_6_a_battle_at_a_table_has_a_date_and_only_its_fleets_wait_for_it():
    state = waiting()
    name, here = state.engagement.id, state.fleets["f0"].at
    after = appoint(state)
    assert (after.turn, after.step) == (2, "orders") and after.appointed[name].when == "2026-12-31 20:00"
    assert not OPEN_CAMPAIGN.invariants(after) and meetings(after) and after.fleets["f0"].engaged == name
    assert OPEN_CAMPAIGN.view(after, "side1")["appointed"][name]["where"] == "The club"
    assert OPEN_CAMPAIGN.view(after, "side2")["appointed"] == {} == OPEN_CAMPAIGN.view(after, "side2")["engagements"]
    after = ordered(ordered(after, 2, "go", "p2"), 0, "go", "p1")
    third = all_ready(after)
    assert third.turn == 3 and third.fleets["f2"].at == "p2", "the others go on"
    assert third.fleets["f0"].at == here and third.fleets["f1"].at == state.fleets["f1"].at
    moved = appoint(third, "2027-01-07 19:30")
    assert (moved.turn, moved.appointed[name].when) == (3, "2027-01-07 19:30")
    home = settle(moved, name, "side0")
    assert home.step == "orders" and not home.appointed and home.engagement is None and name in home.settled
    assert not home.fleets["f0"].engaged and not OPEN_CAMPAIGN.invariants(home)


def test_o3_6_an_appointed_battle_is_opened_and_reported_while_the_campaign_goes_on():
    state = appoint(waiting())
    name = state.engagement.id
    for side in state.engagement.fleets:
        assert any(offer.type == "choose_way" for offer in OPEN_CAMPAIGN.offers(state, side))
        state = said(state, side, type="choose_way", side=side, engagement=name, way="battle")
    assert not any(offer.type == "choose_way" for offer in OPEN_CAMPAIGN.offers(state, "side2"))
    assert said(state, UMPIRE, type="open_battle", engagement=name).engagement.opened


@pytest.mark.parametrize(
    "wrong", [{"when": "tomorrow"}, {"when": "2026-12-31 20:00:00.5"}, {"where": "x" * 201}, {"side": "side2"}]
)
def test_o3_6_a_date_is_one_and_is_set_by_those_who_meet(wrong):
    state = waiting()
    command = {"side": "side0", "engagement": state.engagement.id, "when": "2026-12-31 20:00", **wrong}
    with pytest.raises(Illegal):
        said(state, command["side"], type="appoint", **command)


def two_meetings():
    """Side 0 meets side 1 in the east, side 2 side 3 in the west."""
    position = war(4, ports=16, turn_length="week")
    for name, at in {"f0": "p12", "f1": "p12", "f2": "p2", "f3": "p2"}.items():
        position["fleets"][name]["at"] = at
    for seed in range(40):
        state = begun(position)
        for number, to in enumerate(("p12", "p12", "p2", "p2")):
            state = ordered(state, number, "patrol", to)
        state = all_ready(state, seed)
        if state.waiting:
            return state
    raise AssertionError("they never meet both")


def test_o6_1_meetings_of_one_turn_are_settled_in_any_order_and_each_is_known_to_those_who_meet():
    state = two_meetings()
    names = [each.id for each in meetings(state)]
    ends = []
    for order in (names, names[::-1]):
        after = state
        for name in order[:2]:
            after = settle(after, name)
            assert not OPEN_CAMPAIGN.invariants(after)
        ends.append(after)
    one, other = (replace(each, settled={}, step="orders") for each in ends)
    assert one.fleets == other.fleets and one.ships == other.ships
    (mine,) = OPEN_CAMPAIGN.view(state, "side3")["engagements"].values()
    assert set(mine["fleets"]) == {"side2", "side3"} == set(OPEN_CAMPAIGN.view(state, "side3")["engagement"]["fleets"])
    assert set(OPEN_CAMPAIGN.waiting_for(state)) == {"side0", "side1", "side2", "side3"}


def test_o6_1_a_battle_that_is_opened_leaves_the_other_meeting_in_front_and_is_opened_once():
    state = two_meetings()
    first, second = meetings(state)
    for side in first.fleets:
        state = said(state, side, type="choose_way", side=side, engagement=first.id, way="battle")
    opened = said(state, UMPIRE, type="open_battle", engagement=first.id)
    assert opened.engagement.id == second.id and [each.opened for each in meetings(opened)] == [False, True]
    (effect,) = OPEN_CAMPAIGN.effects(state, opened)
    assert effect.engagement.id == first.id
    side = next(iter(second.fleets))
    after = said(opened, side, type="choose_way", side=side, engagement=second.id, way="battle")
    assert OPEN_CAMPAIGN.effects(opened, after) == () == put_on_table(opened, after)
    with pytest.raises(Illegal, match="no part|no engagement"):
        settle(after, "t9-9-9-9")


def test_o6_1_a_side_that_gives_up_takes_its_meetings_with_it():
    state = two_meetings()
    after = said(state, "side2", type="resign", side="side2")
    assert [set(each.fleets) for each in meetings(after)] == [{"side0", "side1"}] and after.step == "engagement"
    assert not after.fleets["f3"].engaged and not OPEN_CAMPAIGN.invariants(after)


def test_o3_6_the_turn_stops_for_a_meeting_without_a_date_and_a_date_may_be_taken_back():
    state = two_meetings()
    front, other = meetings(state)
    side, their = next(iter(front.fleets)), next(iter(other.fleets))
    dated = appoint(state, side=side)
    assert dated.step == "engagement" and set(dated.appointed) == {front.id}
    asked = OPEN_CAMPAIGN.waiting_for(dated)
    assert set(asked) == set(other.asked()) != set(OPEN_CAMPAIGN.waiting_for(state)), "no deadline runs for the first"
    back = appoint(dated, "", side)
    assert back.step == "engagement" and not back.appointed
    gone_on = said(dated, their, type="appoint", side=their, engagement=other.id, when="2026-12-31 20:00")
    assert gone_on.step == "orders" and len(meetings(gone_on)) == 2 and not OPEN_CAMPAIGN.invariants(gone_on)
    assert appoint(gone_on, "", side).step == "orders"
