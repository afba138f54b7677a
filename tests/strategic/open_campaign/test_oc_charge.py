"""O1.4: an admiral of a side has charge of single fleets; where letters go by ship he knows what these and boats tell."""

from msgspec.structs import replace
from waters import begun, said, war

from strategic.open_campaign import OPEN_CAMPAIGN, commands
from strategic.open_campaign.rules.charge import CHARGES
from strategic.open_campaign.state import Sighting
from tactical.kernel.protocol import event
from tactical.kernel.record import encode, plain

BY_SHIP = {"letters": "by_ship"}
MINE = ("f0",)


def two_fleets(**more):
    """A side whose fleet f0 lies in p0 and has sent six ships, f0-van, away to p5; an enemy lies in p3."""
    state = begun(war(ports=8, options=BY_SHIP, **more))
    sent = [f"s0-{n}" for n in range(1, 7)]
    state = said(state, "side0", type="detach", side="side0", fleet="f0", ships=sent, new="van")
    fleets = {**state.fleets, "van": state.fleets["f0-van"]}
    del fleets["f0-van"]
    return replace(state, fleets=fleets)


def test_o1_4_he_orders_his_fleets_and_those_that_were_detached_from_them():
    state = begun(war())
    order = {"side": "side0", "fleet": "f0", "do": "stay"}
    assert CHARGES.pieces(state, "side0") == {"f0": state.fleets["f0"].name}
    assert CHARGES.may_give(state, commands.Order(**order), MINE)
    assert CHARGES.may_give(state, commands.Order(**{**order, "fleet": "f0-van"}), MINE)
    assert not CHARGES.may_give(state, commands.Order(**{**order, "fleet": "f01"}), MINE)
    assert not CHARGES.may_give(state, commands.Ready("side0"), MINE)
    assert not CHARGES.may_give(state, commands.Resign("side0"), MINE)


def test_o1_4_where_letters_arrive_at_once_he_knows_and_writes_what_his_side_does():
    state = begun(war())
    assert CHARGES.knowledge(state, "side0", MINE) is state
    assert CHARGES.may_give(state, commands.Write("side0", "Send the pilot ashore."), MINE)
    assert not CHARGES.may_give(two_fleets(), commands.Write("side0", "Send the pilot ashore."), MINE)


def test_o1_4_by_ship_he_sees_his_own_fleets_and_their_ships_alone():
    state = two_fleets()
    known = OPEN_CAMPAIGN.view(CHARGES.knowledge(state, "side0", MINE), "side0")
    assert set(known["fleets"]) == {"f0"}
    assert set(known["ships"]) == set(state.fleets["f0"].ships)


def test_o1_4_by_ship_nothing_of_what_he_is_not_told_changes_a_byte_of_his_view():
    state = two_fleets().with_fleet("van", at="p5")
    order = {"type": "order", "side": "side0", "fleet": "van", "do": "go", "to": "p7"}
    other = said(state, "side0", **order)
    other = said(other, "side0", type="mark", side="side0", space="p5", note="Here.")
    other = said(other, "side0", type="post", side="side0", to="side1", text="Peace?")
    one, two = (OPEN_CAMPAIGN.view(CHARGES.knowledge(each, "side0", MINE), "side0") for each in (state, other))
    assert encode(plain(one)) == encode(plain(two))


def test_o11_2_a_sighting_far_away_reaches_him_when_a_boat_has_had_the_days():
    state = two_fleets()
    boat = state.tables.letters.boat
    far = 24 * 7  # miles from p7 to p0
    days = far // boat
    assert days >= 1
    for age, has_come in ((days - 1, False), (days, True)):
        seen = Sighting("side1", 9, "p7", 23.5, 36.0, 1, 1 - age + state.day - 1)
        known = CHARGES.knowledge(type(state)(**{**fields(state), "known": {"side0": (seen,)}}), "side0", MINE).known
        assert (known["side0"] == (seen,)) == has_come


def fields(state):
    return {name: getattr(state, name) for name in state.__struct_fields__}


def test_o1_4_by_ship_he_hears_of_what_his_fleets_did_and_of_what_everybody_does():
    state = two_fleets()
    mine = event("O4.4", "hungry", ("side0",), side="side0", fleet="f0", days=2)
    theirs = event("O4.4", "hungry", ("side0",), side="side0", fleet="van", days=2)
    enemys = event("O4.4", "hungry", ("side1",), side="side1", fleet="f0", days=2)
    named = event("O4.4", "hungry", ("side0",), side="side0", fleet=state.fleets["f0"].name, days=2)
    open_to_all = event("O3.1", "turn_begins", turn=2, date="-260-03-08")
    assert [CHARGES.concerns(state, each, "side0", MINE) for each in (mine, named, theirs, enemys, open_to_all)] == [
        True,
        True,
        False,
        False,
        True,
    ]
