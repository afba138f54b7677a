"""C1 Markup that had got into a page would send nothing by itself: only a form that a person submits does."""

from __future__ import annotations

import pytest

pytestmark = pytest.mark.browser
PLANT = """([markup]) => {
  const place = document.createElement('div');
  place.innerHTML = markup;
  document.querySelector('#side').append(place);
  htmx.process(place);
}"""


@pytest.mark.parametrize(
    "markup",
    [
        '<i hx-post="{}" hx-trigger="load" hx-vals=\'{{"type":"resign","side":"rome","seen":"0"}}\'>z</i>',
        '<i hx-post="{}" hx-trigger="click from:body" hx-vals=\'{{"type":"resign","side":"rome","seen":"0"}}\'>z</i>',
        '<form hx-post="{}" hx-trigger="load, every 50ms"><input name="type" value="resign"><input name="side" value="rome">'
        '<input name="seen" value="0"></form>',
        '<form hx-post="{}" hx-trigger="submit from:body, click from:body"><input name="type" value="resign">'
        '<input name="side" value="rome"><input name="seen" value="0"></form>',
    ],
)
def test_planted_markup_sends_nothing_by_itself(room, tablet, markup):
    game, tokens = room.battle()
    victim, _ = room.battle()
    rome = tablet(tokens["rome"])
    sent = []
    rome.page.on("request", lambda request: sent.append(request.url) if request.method == "POST" else None)
    rome.page.evaluate(PLANT, [markup.format(f"/g/{victim}/command?seat=rome")])
    rome.page.wait_for_timeout(400)
    assert not [url for url in sent if victim in url]
    rome.tap(rome.page.get_by_role("button", name="All cruise").first)
    assert not [url for url in sent if victim in url] and any(game in url for url in sent)
    assert room.store.game(victim).version == 0 and room.store.game(game).version >= 1
