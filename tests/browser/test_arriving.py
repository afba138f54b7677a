"""Who taps in a test looks at the page that the tap leads to, however long it takes to come."""

from __future__ import annotations

import pytest
from playwright.sync_api import Browser, Page, Route

pytestmark = pytest.mark.browser
FIRST = """<title>first</title><a href="/second">there</a> <a href="#below">below</a> <a href="/file">file</a>
<form method="post" action="/second"><button>send</button></form><p id="below">here</p>"""


def shelf(chromium: Browser) -> Page:
    """Two pages and a file, of which all but the first come late; nothing is asked of a network."""
    page = chromium.new_page(has_touch=True)

    def answer(route: Route) -> None:
        path = route.request.url.rsplit("/", 1)[1]
        if path != "first":
            page.wait_for_timeout(400)
        headers = {"Content-Disposition": "attachment; filename=a.txt"} if path == "file" else {}
        body = FIRST if path == "first" else f"<title>{path}</title><p>{path}</p>"
        route.fulfill(body=body, headers=headers, content_type="text/html")

    page.route("http://shelf.test/**", answer)
    page.goto("http://shelf.test/first")
    return page


def title(page: Page) -> str:
    """What the page is called at this moment: nothing is waited for."""
    return str(page.evaluate("document.title"))


@pytest.mark.parametrize(("role", "name"), [("link", "there"), ("button", "send")])
def test_a_tap_ends_on_the_page_that_it_leads_to(chromium: Browser, role: str, name: str) -> None:
    page = shelf(chromium)
    page.get_by_role(role, name=name).tap()  # type: ignore[arg-type]
    assert title(page) == "second"
    page.close()


@pytest.mark.parametrize("name", ["below", "file"])
def test_a_tap_that_leads_nowhere_else_stays(chromium: Browser, name: str) -> None:
    page = shelf(chromium)
    page.get_by_role("link", name=name).tap()
    assert title(page) == "first"
    page.close()
