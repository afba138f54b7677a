"""O8.1: the books of a side and what it may do with its money, by taps."""

import pytest

from kit.open_war import position, run_turn
from kit.wars import War


@pytest.fixture
def rich(store, client):
    where = position(options={"money": "full"}, money={"rhodes": 5000, "cretans": 3000}, turn_length="week")
    return War(store, client, "open_campaign", position=where)


def page(war, seat="rhodes"):
    return war.client.get(f"/open/{war.id}/treasury?seat={seat}")


def act(war, what, **form):
    form = {"csrf_token": war.csrf(), "turn": str(war.state.turn), "act": what, **form}
    return war.client.post(f"/open/{war.id}/treasury?seat=rhodes", data=form)


def test_o8_1_ships_are_laid_down_and_loans_taken_and_paid_back_by_taps(rich):
    assert ">50<" in page(rich).text
    act(rich, "build", build="rhodos:trireme")
    assert (
        rich.state.stocks[0].ship == "trireme" and "Rhodos: trireme, 42 days until she is launched" in page(rich).text
    )
    act(rich, "borrow", amount="1.5")
    assert rich.state.debts == {"rhodes": 150} and ">49.50<" in page(rich).text
    act(rich, "repay", amount="0,5")
    assert rich.state.debts == {"rhodes": 100}


def test_o8_1_a_subsidy_is_promised_seen_by_both_and_ended(rich):
    act(rich, "subsidize", to="cretans", amount="2", turns="3")
    assert "To Cretans: 2 a turn, turns left: 3" in page(rich).text
    assert "From Rhodes: 2 a turn, turns left: 3" in page(rich, "cretans").text
    run_turn(rich)
    assert rich.state.subsidies[0].turns < 3
    act(rich, "subsidize", to="cretans", amount="0", turns="1")
    assert not rich.state.subsidies


def test_o8_1_a_captive_admiral_is_ransomed(store, client):
    held = {"side": "rhodes", "by": "cretans", "name": "Eudamos", "seamanship": 1, "fight": 1, "price": 1000}
    where = position(options={"money": "full"}, money={"rhodes": 5000, "cretans": 0}, captives=[held])
    where["fleets"]["escort"]["admiral"] = ""
    war = War(store, client, "open_campaign", position=where)
    assert "Eudamos is held by Cretans: 10" in page(war).text and "You hold Eudamos: 10" in page(war, "cretans").text
    act(war, "ransom", name="Eudamos")
    assert war.state.fleets["escort"].admiral == "Eudamos" and war.state.money["cretans"] == 1000


def test_o8_1_what_cannot_be_paid_or_says_nothing_is_refused(rich):
    before = rich.state
    for form in ({"act": "borrow", "amount": "x"}, {"act": "borrow", "amount": "900000"}, {"act": "dance"}):
        assert act(rich, form.pop("act"), **form).status_code == 422
    assert rich.state == before and page(rich, "spectator").status_code == 404


def test_o8_1_without_money_the_page_says_so(war):
    assert "There is no money in this campaign." in page(war).text
    assert "treasury" not in war.client.get(f"/open/{war.id}/lists?seat=rhodes").text
