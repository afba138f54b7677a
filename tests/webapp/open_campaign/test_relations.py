"""O5.4, O11.2, O2.4: treaties and letters between sides by taps, each known to the two alone; the admirals."""

import re

import pytest

from kit.open_war import play, position, run_turn
from kit.wars import War
from tactical.kernel.record import BadInput
from webapp.storage.services import letters


def page(war, seat="rhodes", query=""):
    return war.client.get(f"/open/{war.id}/relations?seat={seat}{query}")


def act(war, what, seat="rhodes", to="cretans", **form):
    form = {"csrf_token": war.csrf(), "turn": str(war.state.turn), "act": what, "to": to, **form}
    return war.client.post(f"/open/{war.id}/relations?seat={seat}", data=form)


def test_o5_4_a_treaty_is_proposed_agreed_to_and_ended_by_taps(war):
    assert "No treaty." in page(war).text
    assert act(war, "propose", term=["peace", "markets"], text="And <b>no</b> spies.").status_code == 303
    mine, theirs = page(war).text, page(war, "cretans").text
    assert "You have proposed" in mine and "Agree to it" not in mine
    assert "Proposed to you" in theirs and "And &lt;b&gt;no&lt;/b&gt; spies." in theirs
    act(war, "agree", "cretans", "rhodes")
    assert war.state.has_treaty("rhodes", "cretans", "peace") and "Agreed since turn 1" in page(war).text
    act(war, "denounce")
    assert not war.state.treaties and "No treaty." in page(war, "cretans").text


def test_o5_4_what_says_nothing_is_refused(war):
    assert act(war, "propose").status_code == 422
    assert act(war, "agree").status_code == 422
    assert act(war, "dance").status_code == 422
    assert act(war, "post", text="Too late.", turn="9").status_code == 409
    assert page(war, "spectator").status_code == 404


def test_o11_2_a_letter_at_once_is_read_at_once(war):
    assert "Letters come at once." in page(war).text
    act(war, "post", text="We <i>shall</i> come.")
    assert "We &lt;i&gt;shall&lt;/i&gt; come." in page(war, "cretans").text


def test_o11_2_a_letter_by_ship_is_read_when_it_has_come(store, client):
    war = War(store, client, "open_campaign", position=position(options={"letters": "by_ship"}, turn_length="week"))
    assert "by dispatch boat" in page(war).text
    act(war, "post", text="We shall come.")
    assert "We shall come." in page(war).text and "We shall come." not in page(war, "cretans").text
    run_turn(war)
    assert "We shall come." in page(war, "cretans").text
    assert letters.receivers(store, war.id, "rhodes") == ("umpire",), "no other letter is quicker"
    with pytest.raises(BadInput, match="nobody of that name"):
        letters.send(store, war.id, "rhodes", "cretans", "At once.")
    assert "cretans" in letters.receivers(store, war.id, "umpire")


def test_o5_4_a_third_side_reads_nothing_of_it(store, client):
    where = position()
    where["sides"]["egypt"] = {"name": "Egypt"}
    war = War(store, client, "open_campaign", position=where)
    play(war, {"type": "propose", "side": "rhodes", "to": "cretans", "terms": ["peace"], "text": "Secret."})
    play(war, {"type": "post", "side": "rhodes", "to": "cretans", "text": "Hidden."})
    text = page(war, "egypt").text
    assert "Secret." not in text and "Hidden." not in text and text.count("No treaty.") == 2
    assert "Secret." in page(war, "umpire", "&side=rhodes").text


@pytest.mark.parametrize(("ill", "shown"), [(True, "Guard (ill)"), (False, "Guard")])
def test_o2_4_the_lists_tell_admirals_and_what_is_to_mend(store, client, ill, shown):
    where = position()
    where["fleets"]["guard"] |= {"seamanship": 2, "fight": 1, "ill": ill}
    where["ships"]["guard-1"] |= {"oars": True, "weeks": 3}
    war = War(store, client, "open_campaign", position=where)
    text = war.client.get(f"/open/{war.id}/lists?seat=rhodes").text
    assert re.search(rf'scope="row">{re.escape(shown)}</th><td>Guard</td>', text)
    assert ">+2</td>" in text and "oars broken, 3 weeks in the water" in text
