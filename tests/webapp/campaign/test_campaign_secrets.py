"""Two wars that differ only in a secret give the same page, byte for byte, to the seat that may not see it."""

from __future__ import annotations

import copy
import re

from kit.wars import War
from tactical.kernel.record import plain


def test_the_page_does_not_know_the_other_hand_nor_the_deck(store, client):
    first = War(store, client)
    other = copy.deepcopy(plain(first.state))
    hand, deck = list(other["hands"]["carthage"]), list(other["deck"])
    other["hands"]["carthage"], other["deck"] = deck[: len(hand)], [*hand, *deck[len(hand) :]]
    changed = War(store, client, position=other)
    store.rename(changed.id, store.game(first.id).title)
    for query in ("", "&space=saguntum", "&space=rome"):
        pages = [scrubbed(war, war.page("rome", query=query).text) for war in (first, changed)]
        assert pages[0] == pages[1]
    assert first.page("carthage").text != changed.page("carthage").text


def scrubbed(war: War, page: str) -> str:
    """The page without the game's code, its fragments' digests and the form's token."""
    page = re.sub(r'(csrf-token" content|csrf_token" value)="[^"]*"', r"\1", page)
    page = re.sub(r' data-fragment="[^"]*"', "", page)  # digests of texts with the code in them
    page = re.sub(r'<div id="latest".*?</div>', "", page, flags=re.S)
    return page.replace(war.id, "CODE")
