"""What happened since I looked: the replay on the map, and the journal that leads to it."""

from __future__ import annotations

import html
import re
from typing import Any

import pytest
from msgspec.structs import replace

from strategic import NAMES, SYSTEMS
from strategic.captains.stand_in import choose
from tactical.kernel.protocol import event
from tactical.kernel.record import plain
from webapp.pages.campaign import journal as campaign_journal
from webapp.pages.campaign.journal import journal, moves, places
from webapp.presenting.map.drawing import drawing
from webapp.presenting.map.sheet import sheet
from webapp.systems import presentation

from kit.wars import War  # isort: skip


def played(war: War, count: int) -> None:
    """Stand-ins give so many commands."""
    for _ in range(count):
        table = war.store.load(war.id)
        seat = table.waiting_for[0]
        every = [offer for offer in table.offers(seat) if offer.type != "resign"]
        offers = [offer for offer in every if offer.type in ("step", "activate")] or every  # they would rather march
        command = choose(table.game.system, table.view(seat), seat, offers).command
        war.store.submit(war.id, table.game.version, seat, command, "digital")


@pytest.fixture(name="fought")
def fought_war(war: War) -> War:
    played(war, 30)
    return war


def text(page: str) -> str:
    return " ".join(html.unescape(re.sub(r"<[^>]+>", " ", page)).split())


def test_each_step_shows_the_map_as_it_stood_then(fought: War) -> None:
    last = fought.store.game(fought.id).version
    for number in range(0, last + 1, 7):
        page = fought.page("rome", f"replay/{number}").text
        assert 'id="map"' in page and f'data-number="{number}"' in page and f"{number} / {last}" in text(page)
        picture = presentation("hannibal").picture(plain(fought.store.table_after(fought.id, number).view("rome")))
        strengths = {stack.strength for stack in picture.stacks if stack.strength}
        assert all(f">{strength}" in page for strength in strengths)
    assert fought.page("rome", f"replay/{last + 1}").status_code == 404


def test_an_arrow_leads_from_where_a_leader_stood_to_where_he_stands(fought: War) -> None:
    found = 0
    spots = sheet("hannibal").spots
    for number in range(1, fought.store.game(fought.id).version + 1):
        before, after = (
            presentation("hannibal").picture(plain(fought.store.table_after(fought.id, each).view("spectator")))
            for each in (number - 1, number)
        )
        arrows = moves(drawing("hannibal", after), "hannibal", before, ())
        stood, stand = places(before), places(after)
        moved = {(stood[who][0], stand[who][0]) for who in stand if who in stood and stood[who][0] != stand[who][0]}
        assert {(each.x, each.y, each.to_x, each.to_y) for each in arrows} == {
            (spots[start].x, spots[start].y, spots[end].x, spots[end].y) for start, end in moved
        }
        if arrows:
            found += len(arrows)
            page = fought.page("rome", f"replay/{number}").text
            assert page.count('class="arrow ') >= len(arrows)
    assert found, "somebody has marched"


def test_it_begins_where_the_seat_looked_last_and_remembers_the_end(fought: War) -> None:
    last = fought.store.game(fought.id).version
    fought.store.looked(fought.id, "rome", 5)
    answer = fought.page("rome", "replay")
    assert answer.headers["Location"].endswith(f"/campaign/{fought.id}/replay/6?seat=rome")
    fought.page("rome", f"replay/{last}")
    assert fought.store.last_look(fought.id, "rome") == last
    fought.page("spectator", f"replay/{last}")
    assert fought.store.last_look(fought.id, "spectator") == 0


def test_a_step_tells_a_seat_no_more_than_its_journal(fought: War) -> None:
    table = fought.store.load(fought.id)
    with fought.client.application.test_request_context():
        theirs: Any = journal(fought.store, table, "rome")
        mine = journal(fought.store, table, "carthage")
    secret = [
        (one.number, line.text)
        for one, other in zip(mine, theirs, strict=True)
        for line in one.events
        if line not in other.events
    ]
    for number, said in secret[:10]:
        assert said not in text(fought.page("rome", f"replay/{number}").text)


def test_journal_lines_lead_to_their_space_and_are_sorted_by_side_and_chapter(fought: War) -> None:
    page = fought.page("rome", "log").text
    links = re.findall(rf'href="/g/{fought.id}\?seat=rome&amp;space=([a-z0-9_]+)"', page)
    assert links and set(links) <= set(sheet("hannibal").spots)
    assert fought.page("rome", "", f"&space={links[0]}").status_code == 200
    chapters = re.findall(r'<option value="([^"]+)"', page.partition('name="chapter"')[2])
    assert "Strategy phase" in chapters
    some = fought.page("rome", "log", f"&chapter={chapters[0]}").text
    assert 0 < some.count("<article") < page.count("<article")
    carthage = fought.page("rome", "log", "&side=carthage").text
    assert 0 < carthage.count("<article") < page.count("<article")
    assert "<article" not in fought.page("rome", "log", "&chapter=%3Cb%3E").text


@pytest.mark.parametrize("name", NAMES)
def test_every_kind_of_weight_is_one_that_its_campaign_tells_and_no_chronicle_leaves_out(name: str) -> None:
    own, kinds = presentation(name).loud, set(SYSTEMS[name].events)
    assert own <= kinds and not own & presentation(name).soft
    assert {"engagement", "settled", "over"} & kinds <= campaign_journal.loud(name)


def test_it_jumps_to_what_has_weight_and_to_turns(fought: War, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(
        campaign_journal, "loud", lambda _: frozenset(("stepped",))
    )  # the stand-ins march much and fight seldom
    entries = fought.store.entries(fought.id)
    loud = campaign_journal.of_weight("hannibal", entries, "rome")
    assert len(loud) > 1, "somebody has marched"
    told = [number for number in loud if any(event.type == "stepped" for event in entries[number].events)]
    assert told == loud and loud == sorted(set(loud))
    page = fought.page("rome", f"replay/{loud[0] - 1}").text
    assert re.search(rf'id="later" data-to="{loud[0]}"', page)
    page = fought.page("rome", f"replay/{loud[-1]}").text
    assert re.search('id="later" aria-disabled', page)
    assert (
        campaign_journal.beside(loud, loud[0]) == (None, loud[1])
        and campaign_journal.beside(loud, loud[0] + 1)[0] == loud[0]
    )
    assert campaign_journal.turn_starts(entries, "rome")[0] == (1, 0)


def test_a_moment_that_was_taken_back_or_is_hidden_is_none(fought: War) -> None:
    entry = fought.store.entry(fought.id, 1)
    battle = event("battle.1", "battle", space="rome")
    secret = event("battle.1", "battle", only=("carthage",), space="rome")
    assert campaign_journal.of_weight("hannibal", [replace(entry, events=(battle,), taken_back=None)], "rome") == [1]
    assert campaign_journal.of_weight("hannibal", [replace(entry, events=(battle,), taken_back=2)], "rome") == []
    assert campaign_journal.of_weight("hannibal", [replace(entry, events=(secret,), taken_back=None)], "rome") == []
    assert campaign_journal.of_weight("hannibal", [replace(entry, events=(secret,), taken_back=None)], "carthage") == [
        1
    ]


def test_a_link_leads_to_its_moment_for_whoever_opens_it(fought: War) -> None:
    last = fought.store.game(fought.id).version
    page = fought.page("rome", "replay/7").text
    assert f'href="/campaign/{fought.id}/replay?at=7"' in page
    for seat in ("carthage", "spectator"):
        answer = fought.page(seat, "replay", "&at=7")
        assert answer.headers["Location"].endswith(f"/replay/7?seat={seat}")
    assert fought.page("rome", "replay", f"&at={last + 1}").status_code == 404
    for odd in ("x", "-1", "²", ""):
        assert fought.page("rome", "replay", f"&at={odd}").status_code == 303
    assert "replay/7?seat=carthage" in html.unescape(page), "who holds several seats looks with other eyes"
