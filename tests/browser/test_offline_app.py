"""The installed app without a network: rules, the fire table and the boarding odds; nothing of a seat is kept."""

from __future__ import annotations

import pytest
from playwright.sync_api import Browser, Page, expect

from kit.club_room import Server, club_server  # noqa: F401

pytestmark = pytest.mark.browser


def installed(chromium: Browser, server: Server) -> Page:
    """A tablet that has opened the reference once, with its worker at work."""
    context = chromium.new_context(viewport={"width": 1024, "height": 768})
    page = context.new_page()
    page.goto(f"{server.url}/reference")
    page.evaluate("navigator.serviceWorker.ready.then(() => true)")
    page.wait_for_function("navigator.serviceWorker.controller !== null")
    return page


def test_it_can_be_installed(chromium: Browser, server: Server):
    page = installed(chromium, server)
    devtools = page.context.new_cdp_session(page)
    told = devtools.send("Page.getAppManifest")
    assert told["url"].endswith("/manifest.webmanifest")
    assert told["errors"] == []
    errors = devtools.send("Page.getInstallabilityErrors")["installabilityErrors"]
    assert [error["errorId"] for error in errors if error["errorId"] != "in-incognito"] == []
    page.context.close()


def test_the_fire_table_and_the_boarding_odds_open_with_the_server_stopped(chromium: Browser, server: Server):
    page = installed(chromium, server)
    server.stop()
    try:
        page.goto(f"{server.url}/reference/galley/table/fire")
        expect(page.get_by_role("heading", level=1)).to_have_text("Missile fire")
        expect(page.locator("tbody tr")).to_have_count(6)
        page.goto(f"{server.url}/odds/common")
        expect(page.locator("#picked")).to_contain_text("attacker 85.5%")
        page.locator("select[name=a]").select_option("15")
        expect(page.locator("#picked")).not_to_contain_text("85.5%")
        styled = page.evaluate("getComputedStyle(document.querySelector('.panel')).borderRadius")
        assert styled == "10px", "the styles are kept too"
    finally:
        server.start()
    page.context.close()


def test_a_paragraph_and_a_calculator_lead_to_what_is_kept(chromium: Browser, server: Server):
    page = installed(chromium, server)
    server.stop()
    try:
        page.goto(f"{server.url}/reference/galley/G7.3")
        expect(page).to_have_url(f"{server.url}/reference/galley#p-G7.3")
        expect(page.locator("[id='p-G7.3']")).to_contain_text("Broken oars")
        page.goto(f"{server.url}/odds/boarding?attacker.heavy=3&defender.light=2")
        expect(page).to_have_url(f"{server.url}/odds/common")
        page.goto(f"{server.url}/reference/galley?step=fire")
        expect(page.locator("#table-fire")).to_be_visible()
    finally:
        server.start()
    page.goto(f"{server.url}/reference/galley/G7.3")
    expect(page).to_have_url(f"{server.url}/reference/galley/G7.3")
    page.context.close()


def test_a_rule_and_the_odds_open_over_a_battle_with_the_server_stopped(chromium: Browser, server: Server):
    page = installed(chromium, server)
    page.goto(server.url)
    page.get_by_role("button", name="Play now, alone").click()
    rule = page.locator("a[data-panel][href^='/reference/galley/G']").first
    number = rule.get_attribute("href").rsplit("/", 1)[1]  # type: ignore[union-attr]
    rule.wait_for(state="attached")
    server.stop()
    try:
        rule.dispatch_event("click")
        paragraph = page.locator(f"#over [id='p-{number}']")
        expect(paragraph).to_be_in_viewport()
        page.locator("#over-close").click()
        page.evaluate("""() => {
            const link = document.createElement("a");
            Object.assign(link, { href: "/odds/ram?hull_left=3", id: "asked" });
            link.dataset.panel = "";
            document.body.append(link);
            link.click();
        }""")
        expect(page.locator("#over-title")).to_have_text("Common cases")
    finally:
        server.start()
    page.context.close()


def test_the_rules_are_searched_with_the_server_stopped(chromium: Browser, server: Server):
    page = installed(chromium, server)
    server.stop()
    try:
        page.goto(f"{server.url}/reference/galley")
        page.locator("#q").press_sequentially("таранами", delay=20)
        expect(page.locator("#found li", has_text="G6.1 Who rams")).to_be_visible()
        page.goto(f"{server.url}/reference?q=xyzzy")
        expect(page.locator("#found")).to_contain_text("Nothing found.")
    finally:
        server.start()
    page.context.close()


# Ends when everything is kept in these colours; the worker notes the look last.
KEPT_IN = """async (look) => {
    for (;;) {
        const noted = await caches.match("/--look");
        if (noted && (await noted.text()) === look) return;
        await new Promise((resolve) => setTimeout(resolve, 50));
    } }"""


def kept(page: Page) -> list[str]:
    """The paths of everything in the caches."""
    return page.evaluate("""async () => {
        const found = [];
        for (const name of await caches.keys())
            for (const request of await (await caches.open(name)).keys()) found.push(new URL(request.url).pathname);
        return found; }""")


def test_no_game_no_seat_and_no_start_page_is_ever_kept(chromium: Browser, server: Server):
    page = installed(chromium, server)
    page.goto(server.url)
    page.goto(f"{server.url}/new?scenario=first_oars")
    page.get_by_role("button", name="Start", exact=True).click()
    expect(page.locator(".card svg.qr")).to_have_count(4)
    links = page.locator("a.qr-link").evaluate_all("all => all.map(each => each.href)")
    page.goto(links[0])
    page.goto(f"{server.url}/reference")
    page.wait_for_timeout(300)
    paths = kept(page)
    assert "/reference/galley" in paths and "/odds/common" in paths
    allowed = (
        *("/reference", "/odds", "/cases", "/static/", "/reference-files/", "/lobby-files/"),
        *("/no-network", "/--look"),
    )
    assert [path for path in paths if not path.startswith(allowed)] == []
    held = page.evaluate(
        """async (secrets) => {
        for (const name of await caches.keys()) {
            const cache = await caches.open(name);
            for (const request of await cache.keys()) {
                const text = await (await cache.match(request, {ignoreVary: true})).text();
                if (secrets.some((secret) => text.includes(secret))) return request.url;
            }
        }
        return null; }""",
        [link.rsplit("/", 1)[1] for link in links],
    )
    assert held is None
    server.stop()
    try:
        for address in ("", "/g/ABCD2345"):
            page.goto(server.url + address)
            expect(page.get_by_role("heading", level=1)).to_have_text("No network")
    finally:
        server.start()
    page.get_by_role("link", name="Try again").click()
    expect(page.get_by_role("button", name="Play now, alone")).to_be_visible()
    page.context.close()


def test_what_is_kept_follows_the_readers_language_and_colours(chromium: Browser, server: Server):
    page = installed(chromium, server)
    page.get_by_role("button", name="Night").click()
    page.evaluate(KEPT_IN, "en night")
    server.stop()
    try:
        page.goto(f"{server.url}/odds/common")
        expect(page.locator("html")).to_have_attribute("data-scheme", "night")
    finally:
        server.start()
    page.context.close()
