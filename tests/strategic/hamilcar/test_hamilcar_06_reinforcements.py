"""6 Reinforcements, generals, reforms, mercenaries; 7.3 who plays first."""

from __future__ import annotations

from typing import Any

import pytest
from msgspec.structs import replace

from kit.hamilcar_war import ONE, War, army, control, empty, hold, no_storms, ships, turn_of, war
from strategic.hamilcar.rules.reinforcements import posts
from strategic.hamilcar.state import General, State
from strategic.hamilcar.tables import LEADERS
from strategic.point_to_point.state import Troops
from tactical.kernel.protocol import Illegal

CAUDEX, FLACCUS = "appius_claudius_caudex", "quintus_fulvius_flaccus"
ASINA, VALERIUS = "gnaeus_cornelius_scipio_asina", "manius_valerius_maximus"
DUILIUS, PATERCULUS = "gaius_duilius", "gaius_sulpicius_paterculus"


def spring(state: State | None = None, turn: int = 2, **changes: Any) -> War:
    """The reinforcement phase of a turn, Carthage's question first."""
    return War(replace(no_storms(state or war()), turn=turn, phase="reinforcements", **changes))


def take_all(table: War, seat: str) -> None:
    """Place every reinforcement of a seat somewhere."""
    while table.asked() == ("reinforce", seat):
        offer = table.offers(seat, "reinforce")[-1].fields
        at = offer.get("at")
        table.say(seat, "reinforce", line=offer["line"], what=offer["what"], at=at[0] if at else None)


def until(table: War, kind: str) -> None:
    """Go on with any offer until this is asked."""
    for _ in range(60):
        asked, seat = table.asked()
        if asked == kind:
            return
        if asked == "reinforce":
            take_all(table, seat)
            continue
        offer = table.offers(seat)[0]
        fields = {k: v[0] if isinstance(v, list) else v for k, v in offer.fields.items()}
        table.say(seat, offer.type, **fields)
    raise AssertionError(f"{kind} is never asked")


def test_6_turn_1_has_no_reinforcements() -> None:
    table = War(war())
    assert table.asked() == ("open", "carthage")


def test_6_1_carthage_gets_a_ship_and_6_1_a_a_unit_for_a_general_or_a_city() -> None:
    """6.1.b The ship is no CU while there are fewer than 5; the unit goes to a general or a city."""
    table = spring()
    assert table.asked() == ("reinforce", "carthage")
    assert table.state.agenda[-1].about["left"] == {"ship": 1, "unit": 1}
    with pytest.raises(Illegal) as refusal:
        table.say("carthage", "reinforce", line="ship", what="unit", at="carthago")
    assert refusal.value.rule == "6.1"
    table.say("carthage", "reinforce", line="ship", what="ship")
    assert len(table.state.ships["carthage"]) == 4
    with pytest.raises(Illegal):
        table.say("carthage", "reinforce", line="unit", what="unit", at="roma")
    table.say("carthage", "reinforce", line="unit", what="unit", at="lilybaeum")
    assert table.state.spaces["lilybaeum"].carthage.units == 3


def test_6_1_a_the_unit_goes_to_any_general_or_into_an_unbesieged_own_city() -> None:
    """With Adherbal in the field at Tunes, and to Utica; not into besieged Agrigentum, nor to units without a general."""
    state = army(army(war(), "carthage", "tunes", 1, "adherbal"), "carthage", "zama", 2)
    state = army(state.take("agrigentum", "carthage", Troops(1)), "rome", "agrigentum", 3)
    state = state.with_place("agrigentum", replace(state.spaces["agrigentum"], siege=1, besieger="rome"))
    offers = spring(state).offers("carthage", "reinforce")
    (places,) = [offer.fields["at"] for offer in offers if offer.fields["line"] == "unit"]
    assert {"tunes", "utica", "lilybaeum", "carthago"} <= set(places)
    assert not {"agrigentum", "zama", "roma"} & set(places)


def test_6_1_with_five_ships_the_ship_may_be_a_unit() -> None:
    table = spring(ships(war(), "carthage", 2))
    table.say("carthage", "reinforce", line="ship", what="unit", at="carthago")
    assert table.state.spaces["carthago"].carthage.units == 4


def test_6_1_b_council_units_go_to_carthage_and_may_be_ships() -> None:
    table = spring(replace(war(), council=((1, 1), (2, 2), (2, 3))))
    with pytest.raises(Illegal):
        table.say("carthage", "reinforce", line="council", what="unit", at="lilybaeum")
    table.say("carthage", "reinforce", line="council", what="ship")
    assert len(table.state.ships["carthage"]) == 4


def test_6_1_1_one_from_the_track_and_one_drawn_and_6_1_1_b_all_leave_first_and_6_1_1_c_they_go_to_units_or_cities_and_6_1_1_e_but_the_hired() -> (
    None
):
    """All leave but Xanthippus and Barca; two arrive, more by the Council."""
    state = army(army(war(), "carthage", "utica", 1, "xanthippus"), "carthage", "tunes", 1, "hamilcar_barca")
    table = spring(replace(state, council=((1, 1), (2, 1), (3, 1), (1, 3), (2, 3))))
    take_all(table, "carthage")
    arriving = table.state.agenda[-1].about["generals"]
    assert arriving[0] == "hamilcar_the_other" and len(arriving) == 3  # 1 more is allowed, but the reserve has only 2
    assert set(arriving) == {"hamilcar_the_other", "hannibal_gisco", "hanno"}
    assert table.state.generals["xanthippus"].status == table.state.generals["hamilcar_barca"].status == "board"
    assert table.state.generals["hanno"].status == "pool"
    assert "lilybaeum" in posts(table.state, "hanno") and "roma" not in posts(table.state, "hanno")
    table.say("carthage", "place_general", general="hanno", at="carthago")
    assert table.state.generals["hanno"].space == "carthago"


def test_6_1_1_where_the_track_names_nobody_two_are_drawn() -> None:
    state = war()
    for name in ("hamilcar_the_other", "himilco"):
        state = state.with_general(name, General("pool"))
    table = spring(state, turn=8)
    take_all(table, "carthage")
    assert len(table.state.agenda[-1].about["generals"]) == 2


def test_6_1_1_a_four_at_most_besides_the_hired() -> None:
    state = war()
    for name in ("himilco", "adherbal", "carthalo", "hasdrubal_son_of_hanno"):
        state = state.with_general(name, General("pool"))
    table = spring(replace(state, council=((1, 1), (2, 1), (1, 3), (2, 3))))
    take_all(table, "carthage")
    assert len(table.state.agenda[-1].about["generals"]) == 4


def test_6_1_1_d_a_displaced_carthaginian_goes_to_the_reserve_and_6_1_2_b_xanthippus_does_not_and_6_1_3_c_barca_does() -> (
    None
):
    from strategic.hamilcar.rules.survey import displace

    state = army(army(empty(), "carthage", "utica", 1, "xanthippus"), "carthage", "tunes", 1, "hamilcar_barca")
    state, _ = displace(state, "xanthippus", "6.1.1.d")
    state, _ = displace(state, "hamilcar_barca", "6.1.1.d")
    assert state.generals["xanthippus"].status == "out"
    assert state.generals["hamilcar_barca"].status == "pool"


def hiring(**changes: Any) -> War:
    state = replace(
        army(empty(), "carthage", "carthago", 2, "hanno"), **{"council": ((1, 1), (1, 2), (1, 3)), **changes}
    )
    return turn_of(state, "carthage", ONE)


def test_6_1_2_xanthippus_is_hired_for_council_pcs_in_place_of_a_card_and_6_1_2_a_lands_with_an_elephant_in_africa() -> (
    None
):
    """H.budget He lands with an elephant in an own African port, the tactics are remembered, and the
    hiring counts as the play of a card and 0 in the war budget.
    """
    table = hiring()
    with pytest.raises(Illegal) as refusal:
        table.say("carthage", "hire", general="xanthippus", at="lilybaeum", cells=[(1, 1), (1, 2), (1, 3)])
    assert refusal.value.rule == "6.1.2.a"
    table.say("carthage", "hire", general="xanthippus", at="utica", cells=[(1, 1), (1, 2), (1, 3)])
    state = table.state
    assert state.council == () and not state.forgotten and state.spaces["utica"].carthage.elephants == 1
    assert state.generals["xanthippus"].space == "utica"
    assert table.asked() == ("impulse", "rome")  # the next card is Rome's
    assert state.hands["carthage"] == (ONE,) and state.spent["carthage"] == 0


def test_6_1_2_without_the_price_nobody_is_hired() -> None:
    table = hiring(council=((1, 1), (1, 2)))
    assert not table.offers("carthage", "hire")
    with pytest.raises(Illegal) as refusal:
        table.say("carthage", "hire", general="xanthippus", at="utica", cells=[(1, 1), (1, 2)])
    assert refusal.value.rule == "6.1.2"


def test_6_1_3_barca_only_after_xanthippus_and_6_1_3_a_with_a_unit_to_sicily_first() -> None:
    """With an own port in Sicily he lands there, else in Carthage, with 1 CU."""
    with pytest.raises(Illegal) as refusal:
        hiring().say("carthage", "hire", general="hamilcar_barca", at="lilybaeum", cells=[(1, 1), (1, 2), (1, 3)])
    assert refusal.value.rule == "6.1.3"
    table = hiring(xanthippus_came=1)
    with pytest.raises(Illegal):
        table.say("carthage", "hire", general="hamilcar_barca", at="carthago", cells=[(1, 1), (1, 2), (1, 3)])
    table.say("carthage", "hire", general="hamilcar_barca", at="lilybaeum", cells=[(1, 1), (1, 2), (1, 3)])
    assert table.state.spaces["lilybaeum"].carthage.units == 1
    lost = control(
        army(empty(), "carthage", "carthago", 2, "hanno"), "rome", "lilybaeum", "agrigentum", "lipara", "syracusae"
    )
    table = turn_of(replace(lost, council=((1, 1), (1, 2), (1, 3)), xanthippus_came=1), "carthage", ONE)
    table.say("carthage", "hire", general="hamilcar_barca", at="carthago", cells=[(1, 1), (1, 2), (1, 3)])
    assert table.state.spaces["carthago"].carthage.units == 3


def watched_lilybaeum(siege: int = 0, inside: int = 1) -> State:
    """Rome stands before Lilybaeum, the only Carthaginian port of Sicily."""
    state = control(
        army(empty(), "carthage", "carthago", 3, "hanno"), "rome", "agrigentum", "lipara", "syracusae", "panormus"
    )
    state = control(army(state, "rome", "lilybaeum", 3), "carthage", "lilybaeum")
    place = replace(state.spaces["lilybaeum"], inside=Troops(inside), siege=siege, besieger="rome" if siege else None)
    state = state.with_place("lilybaeum", place)
    return replace(state, council=((1, 1), (1, 2), (1, 3)), xanthippus_came=1)


def test_6_1_3_a_barca_lands_in_a_city_before_which_enemies_stand_until_it_is_besieged() -> None:
    """siege.7 From the first siege point; then, or where the walls are full, he lands in Carthage. The refusal says why."""
    cells = [(1, 1), (1, 2), (1, 3)]
    table = turn_of(watched_lilybaeum(), "carthage", ONE)
    with pytest.raises(Illegal, match="only if no port of Sicily") as refusal:
        table.say("carthage", "hire", general="hamilcar_barca", at="carthago", cells=cells)
    assert refusal.value.rule == "6.1.3.a"
    table.say("carthage", "hire", general="hamilcar_barca", at="lilybaeum", cells=cells)
    assert table.state.spaces["lilybaeum"].inside == Troops(2)
    assert table.state.generals["hamilcar_barca"].inside
    for state, why in ((watched_lilybaeum(1), "besieged"), (watched_lilybaeum(0, 2), "no walls have room")):
        table = turn_of(state, "carthage", ONE)
        with pytest.raises(Illegal, match=why) as refusal:
            table.say("carthage", "hire", general="hamilcar_barca", at="lilybaeum", cells=cells)
        assert refusal.value.rule == "6.1.3.a"
        table.say("carthage", "hire", general="hamilcar_barca", at="carthago", cells=cells)
    assert posts(watched_lilybaeum(0, 2), "hamilcar_barca") == ("lilybaeum",), "alone he needs no room"
    assert posts(watched_lilybaeum(1), "hamilcar_barca") == ("carthago",)


def test_6_1_3_b_barca_comes_free_on_turn_7_without_a_unit() -> None:
    table = War(replace(no_storms(war()), turn=6, phase="next"))
    until(table, "place_general")
    assert "hamilcar_barca" in table.state.agenda[-1].about["generals"]
    units = sum(place.carthage.units for place in table.state.spaces.values())
    table.say("carthage", "place_general", general="hamilcar_barca", at="lilybaeum")
    assert sum(place.carthage.units for place in table.state.spaces.values()) == units


def test_6_2_rome_gets_a_unit_for_each_province_of_italy_and_6_2_a_two_go_to_any_general_and_6_2_b_each_may_be_a_ship() -> (
    None
):
    """Five provinces: 5 CUs, 2 of them with any general, the rest to Rome; each may be a ship."""
    table = spring()
    until(table, "reinforce")
    take_all(table, "carthage")
    until(table, "reinforce")
    assert table.asked() == ("reinforce", "rome")
    assert table.state.agenda[-1].about["left"] == {"generals": 2, "roma": 3}
    table.say("rome", "reinforce", line="generals", what="unit", at="messana")
    with pytest.raises(Illegal):
        table.say("rome", "reinforce", line="roma", what="unit", at="messana")
    table.say("rome", "reinforce", line="roma", what="ship")
    assert len(table.state.ships["rome"]) == 2 and table.state.spaces["messana"].rome.units == 3


def test_6_2_six_at_most() -> None:
    state = control(war(), "rome", "pisae", "faesulae", "tarquini")
    table = spring(state)
    take_all(table, "carthage")
    until(table, "reinforce")
    assert sum(table.state.agenda[-1].about["left"].values()) == 6


def elections(state: State | None = None) -> War:
    table = spring(state)
    until(table, "proconsul")
    return table


def test_6_4_one_of_last_years_consuls_must_become_proconsul() -> None:
    """6.4, 6.4.a The rest leave; two new consuls are drawn, not last turn's."""
    table = elections()
    assert set(table.offers("rome", "proconsul")[0].fields["general"]) == {VALERIUS, CAUDEX}
    assert not table.offers("rome", "pass")
    table.say("rome", "proconsul", general=VALERIUS)
    assert table.state.generals[VALERIUS].rank == "proconsul"
    new = table.state.agenda[-1].about["generals"]
    assert len(new) == 2 and not {VALERIUS, CAUDEX} & set(new)
    assert table.state.consuls == tuple(new)


def test_6_4_c_asina_joins_the_draw_when_caudex_leaves() -> None:
    """6.4.c, 4.1.b, 6.4.d Caudex leaves the game, and Flaccus with turn 1."""
    table = elections()
    table.say("rome", "proconsul", general=VALERIUS)
    assert table.state.generals[CAUDEX].status == "out"
    assert table.state.generals[ASINA].status == "pool"
    assert table.state.generals[FLACCUS].status == "out"


def test_6_4_d_the_advice_is_an_option() -> None:
    table = elections(war(flaccus_leaves=False))
    table.say("rome", "proconsul", general=VALERIUS)
    assert table.state.generals[FLACCUS].status == "pool"


def test_6_4_a_consuls_go_where_three_units_stand() -> None:
    """6.4.a, 18.1 A consul takes command of a consular army."""
    state = army(army(empty(), "rome", "capua", 3), "rome", "arpi", 2)
    assert posts(state, DUILIUS) == ("capua",)


def reforming(**changes: Any) -> War:
    """Duilius, an admiral, has just been elected."""
    from tactical.kernel.protocol import Prompt

    state = army(ships(empty(), "rome", 1, 4), "rome", "capua", 5, DUILIUS, rank="consul")
    state = replace(hold(hold(state, "rome", ONE), "carthage", 207), active="rome", **changes)
    return War(state.then(Prompt("reform", "rome", "6.5.3.b", {"general": DUILIUS})))


def test_6_5_3_b_1_the_reform_raises_seamanship() -> None:
    """6.5.3.b, 6.5.3.b.1, 6.4.b, 11.8.3.a At once, on election."""
    table = reforming()
    table.say("rome", "reform", kind="seamanship")
    assert table.state.seamanship == 1


def test_6_5_3_b_2_the_reform_fits_the_corvus_and_11_8_1_b_or_takes_it_off() -> None:
    for fitted in (False, True):
        table = reforming(corvus=fitted)
        table.say("rome", "reform", kind="corvus")
        assert table.state.corvus is not fitted


def test_6_5_3_b_3_the_reform_adds_a_ship() -> None:
    table = reforming()
    table.say("rome", "reform", kind="ship")
    assert len(table.state.ready("rome")) == 2


def test_6_5_3_b_4_the_reform_repairs_three_ships() -> None:
    table = reforming()
    table.say("rome", "reform", kind="repair")
    assert len(table.state.ready("rome")) == 4


def test_6_4_b_a_reform_is_optional_and_only_for_admirals() -> None:
    """6.4.b, 6.5 Elected admirals are asked, others are not; `none` is allowed."""
    table = reforming()
    table.say("rome", "reform", kind="none")
    assert table.state.seamanship == 0
    elected = elections()
    elected.say("rome", "proconsul", general=VALERIUS)
    asked = [prompt.about["general"] for prompt in elected.state.agenda if prompt.kind == "reform"]
    assert set(asked) == {name for name in elected.state.consuls if LEADERS[name].admiral}


def test_6_5_1_a_displaced_aristocrat_costs_pcs_equal_to_his_battle_rating() -> None:
    from strategic.hamilcar.rules.survey import displace

    state = army(empty(), "rome", "messana", 0, ASINA)
    state, _ = displace(state, ASINA, "11.6.6")
    prompt = state.asks()
    assert prompt is not None and (prompt.kind, prompt.seat) == ("remove", "rome")
    assert prompt.about["left"] == LEADERS[ASINA].battle
    state, _ = displace(army(empty(), "rome", "messana", 0, DUILIUS), DUILIUS, "11.6.6")
    assert state.asks() is None


def test_7_3_rome_decides_who_plays_first() -> None:
    table = War(war())
    table.say("carthage", "pass")
    assert table.asked() == ("first_player", "rome")
    table.say("rome", "first_player", side="carthage")
    assert table.asked() == ("impulse", "carthage")


def test_7_3_unless_carthage_opens_with_a_campaign_card() -> None:
    table = War(war())
    state = hold(table.state, "carthage", 37)
    state = replace(state, agenda=(replace(state.agenda[0]), replace(state.agenda[1])))
    table = War(state)
    with pytest.raises(Illegal):
        table.say(
            "carthage", "open", card=next(c for c in table.state.hands["carthage"] if c not in (37, 38, 39, 40, 33, 34))
        )
    table.say("carthage", "open", card=37)
    assert table.state.first == "carthage" and table.asked() == ("impulse", "carthage")
    assert {offer.type for offer in table.offers("carthage")} >= {"campaign", "points", "activate"}
    assert all(offer.fields["card"] == 37 for offer in table.offers("carthage") if "card" in offer.fields)
    for word in ("discard", "hire"):
        assert not table.offers("carthage", word)
    with pytest.raises(Illegal) as refusal:
        table.say("carthage", "discard", card=37)
    assert refusal.value.rule == "7.3"
    table.say("carthage", "points", card=37)
    assert table.asked() == ("points", "carthage") and table.state.opening is None


def test_h_turn_carthage_is_reinforced_first_then_rome() -> None:
    """H.turn Reinforcements (Carthage, Rome, consuls), deal, first player, strategy."""
    table = spring()
    order = []
    for _ in range(40):
        asked = table.asked()
        if not order or order[-1] != asked:
            order.append(asked)
        if asked == ("first_player", "rome"):
            break
        if asked[0] == "reinforce":
            take_all(table, asked[1])
            continue
        if asked[0] == "open":
            table.say("carthage", "pass")
            continue
        offer = table.offers(asked[1])[0]
        table.say(asked[1], offer.type, **{k: v[0] if isinstance(v, list) else v for k, v in offer.fields.items()})
    kinds = [kind for kind in order if kind[0] != "reform"]
    assert kinds == [
        ("reinforce", "carthage"),
        ("place_general", "carthage"),
        ("reinforce", "rome"),
        ("proconsul", "rome"),
        ("place_general", "rome"),
        ("open", "carthage"),
        ("first_player", "rome"),
    ]
