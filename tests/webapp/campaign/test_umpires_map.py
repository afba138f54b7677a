"""The umpire's hand by taps: the page of campaigns by hand upon a game under way (docs/design.md, The engine)."""

from __future__ import annotations

import re
from typing import Any, Self

import pytest
from flask.testing import FlaskClient

from kit.drawing_hand import DrawingHand
from kit.wars import War
from tactical.kernel.record import plain
from webapp.storage.journal.store import Store

ARMIES = {  # an army, and where it goes
    "hannibal": ("saguntum/carthage", "gades", "spaces"),
    "hamilcar": ("roma/rome", "capua", "spaces"),
    "sword_of_rome": ("velitrae/romans", "roma", "forces"),
    "punic_wars": ("2915/carthage", "2914", "stacks"),
}


class UmpiresHand(DrawingHand):
    """The umpire of a war, on the map that he changes."""

    def __init__(self, war: War, of: str = "game") -> None:
        self.war, self.address = war, f"/wars/game/{war.id}"
        super().__init__(war.client, f"{self.address}?seat=umpire&of={of}")

    def does(self, *acts: str, **fields: Any) -> Self:
        for act in acts:
            sent = {"csrf_token": self.war.csrf(), "draft": self.text, "do": act, "shown": self.draft["of"], **fields}
            self.takes(self.client.post(f"{self.address}/draw?seat=umpire", data=sent))
        return self

    def puts(self, why: str = "a slip", seat: str = "umpire") -> Any:
        sent = {"csrf_token": self.war.csrf(), "draft": self.text, "do": "put", "title": why}
        return self.client.post(f"{self.address}?seat={seat}", data=sent)


def log(war: War) -> str:
    return re.sub(r"\s+", " ", re.sub(r"<[^>]+>", " ", war.page("umpire", "log").text))


@pytest.mark.parametrize("system", ARMIES)
def test_an_army_is_tapped_goes_to_a_space_and_grows_before_the_game_knows(
    store: Store, client: FlaskClient, system: str
):
    army, goal, family = ARMIES[system]
    war = War(store, client, system)
    hand, before, version = UmpiresHand(war, f"space.{army.partition('/')[0]}"), war.state, war.version
    hand.does(f"take.{army}", f"tap.{goal}")
    path = next(iter(re.findall(rf'value="more\.({family}\.{goal}\.{army.partition("/")[2]}\.\w+)"', hand.page)))
    hand.does(f"more.{path}")
    assert war.state == before and war.version == version, "what is drawn is no move"
    assert not hand.said("problem") and 'id="changes"' in hand.page
    assert hand.puts("the tide was forgotten").status_code == 303
    assert war.version == version + 1 and "the tide was forgotten" in log(war)
    start, _slash, side = army.partition("/")
    forces = plain(war.state)[family]
    assert not (forces.get(start, {}).get(side) or {}).get(path.rpartition(".")[2])
    assert forces[goal][side]


def test_3_units_that_the_umpire_adds_have_come_into_play(store: Store, client: FlaskClient):
    war = War(store, client, "sword_of_rome")
    before = war.state.tallies["etruscans"]
    space = next(space for space, here in war.state.forces.items() if "etruscans" in here)
    hand = UmpiresHand(war, f"space.{space}").does(*[f"more.forces.{space}.etruscans.units"] * 2)
    assert not hand.said("problem") and hand.puts().status_code == 303
    assert war.state.tallies["etruscans"].placed == before.placed + 2
    assert war.state.tallies["etruscans"].removed == before.removed


def test_what_contradicts_itself_is_said_before_it_is_put(war: War):
    hand = UmpiresHand(war, "space.gades").does("less.spaces.gades.siege")
    assert hand.said("problem") and re.search(r'value="put" disabled', hand.page)
    assert hand.said("barred") == hand.said("problem"), "the reason stands beside the button as well"
    assert hand.puts().status_code == 422 and not war.version
    hand.does("before")
    assert not hand.said("problem") and 'id="changes"' not in hand.page


def test_it_needs_a_change_and_a_reason(war: War):
    hand = UmpiresHand(war, "space.gades")
    assert "othing was changed" in hand.puts().text
    hand.does("more.spaces.gades.carthage.units")
    refused = hand.puts(why=" ")
    assert refused.status_code == 422 and "reason" in refused.text and not war.version


def test_what_others_did_meanwhile_is_never_taken_back(war: War):
    hand = UmpiresHand(war, "space.gades").does("more.spaces.gades.carthage.units")
    other = UmpiresHand(war, "space.saguntum").does("more.spaces.saguntum.carthage.units")
    assert other.puts().status_code == 303
    late = hand.puts()
    assert late.status_code == 409 and "Start again from the present position" in late.text
    assert war.version == 1


@pytest.mark.parametrize("seat", ["rome", "spectator"])
def test_nobody_else_has_the_umpires_map(war: War, seat: str):
    hand = UmpiresHand(war, "space.gades").does("more.spaces.gades.carthage.units")
    page = war.client.get(f"{hand.address}?seat={seat}")
    assert page.status_code in (403, 422) and "draft" not in page.text
    assert hand.puts(seat=seat).status_code in (403, 422) and not war.version
    sent = {"csrf_token": war.csrf(), "draft": hand.text, "do": "apply"}
    assert war.client.post(f"{hand.address}/draw?seat={seat}", data=sent).status_code in (403, 422)


def test_the_drawing_of_another_game_is_refused(war: War, store: Store, client: FlaskClient):
    other = War(store, client)
    hand = UmpiresHand(war, "space.gades").does("more.spaces.gades.carthage.units")
    hand.address = f"/wars/game/{other.id}"
    assert hand.puts().status_code == 422 and not other.version


def test_the_umpires_menu_and_a_tapped_space_lead_to_it(war: War):
    page = war.page("umpire", query="&space=gades").text
    assert f'href="/wars/game/{war.id}?seat=umpire"' in page
    assert f'href="/wars/game/{war.id}?seat=umpire&amp;of=space.gades"' in page
