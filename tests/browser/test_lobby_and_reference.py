"""The lobby and the reference in Chromium: accessible in three schemes, on tablet and phone; the search answers."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from playwright.sync_api import Browser, expect

from kit.accessible import violations
from kit.club_room import Server, club_server, is_too_wide  # noqa: F401
from kit.screens import screens

pytestmark = pytest.mark.browser
PAGES = (
    "/",
    "/battles",
    "/campaigns",
    "/fleets",
    "/position",
    "/new?scenario=first_oars",
    "/rejoin?code=ZZZ",
    "/reference",
    "/reference/galley?step=fire",
    "/reference/galley/G6.2",
    "/odds",
    "/odds/common",
    "/odds/boarding?attacker.heavy=10&defender.medium=8",
    "/odds/repair?breaches=2&hull_left=3",
    "/cases",
    "/cases/42",
)


COLOURED = ("/", "/fleets", "/reference/galley/G6.2", "/odds/repair?breaches=2&hull_left=3", "/cases/42")


def test_every_page_is_accessible(chromium: Browser, server: Server):
    context = chromium.new_context(viewport={"width": 1024, "height": 768}, service_workers="block")
    page = context.new_page()
    alike = (
        "/odds/common",
        "/odds",
        "/odds/boarding?attacker.heavy=10&defender.medium=8",
        "/reference/galley?step=fire",
    )
    # the same parts as on the pages that are left, which are one of each kind
    for path in (*(path for path in PAGES if path not in alike), "/reference/galley/table/fire"):
        page.goto(server.url + path)
        assert violations(page) == [], path
    context.close()


@pytest.mark.parametrize("scheme", ["dark", "night"])
def test_the_other_schemes_have_their_contrast(chromium: Browser, server: Server, scheme: str):
    context = chromium.new_context(viewport={"width": 1024, "height": 768}, service_workers="block")
    context.add_cookies([{"name": "scheme", "value": scheme, "url": server.url}])
    page = context.new_page()
    for path in COLOURED:
        page.goto(server.url + path)
        expect(page.locator("html")).to_have_attribute("data-scheme", scheme)
        assert violations(page, runOnly=["color-contrast"]) == [], path
    context.close()


@pytest.mark.parametrize("width", screens(320, 390, 1024))
def test_no_page_scrolls_sideways(chromium: Browser, server: Server, width: int):
    context = chromium.new_context(viewport={"width": width, "height": 768}, service_workers="block")
    page = context.new_page()
    for path in PAGES:
        page.goto(server.url + path)
        assert not is_too_wide(page), path
    context.close()


def test_a_battle_of_own_fleets_begins_without_javascript(chromium: Browser, server: Server):
    context = chromium.new_context(java_script_enabled=False)
    page = context.new_page()
    page.goto(f"{server.url}/battles")
    page.get_by_role("link", name="Fleet builder").click()
    page.locator("[name='second.nation']").select_option("rhodians")
    page.get_by_role("button", name="Its usual fleet").nth(1).click()
    expect(page.locator("[name='second.quadrireme']")).to_have_value("6")
    page.get_by_role("button", name="Show the fleets").click()
    expect(page.locator(".roster li")).to_have_count(20)
    names = page.locator(".roster").all_inner_texts()
    page.get_by_role("button", name="Other names").click()
    assert page.locator(".roster").all_inner_texts() != names
    page.get_by_role("button", name="Start this battle").click()
    expect(page).to_have_url(re.compile(r"/seats/\w{8}$"))
    expect(page.locator(".card svg.qr")).to_have_count(4)
    context.close()


def test_taps_in_the_builder_that_come_quickly_all_count_and_what_comes_is_seen(chromium: Browser, server: Server):
    context = chromium.new_context(viewport={"width": 1024, "height": 768}, service_workers="block")
    page = context.new_page()
    page.goto(f"{server.url}/fleets")
    number = page.locator("input[name='first.quinquereme']")
    fewer = page.get_by_label("Less: quinquereme").first
    before = int(number.input_value())
    for _ in range(before):
        fewer.evaluate("it => it.form.requestSubmit(it)")
    expect(number).to_have_value("0")
    show = page.get_by_role("button", name="Show the fleets")
    show.click()
    expect(page.get_by_role("button", name="Start this battle")).to_be_in_viewport()
    page.get_by_label("Less: quadrireme").first.click()
    page.get_by_label("Less: quadrireme").first.click()
    expect(page.locator("input[name='first.quadrireme']")).to_have_value("0")
    show.click()
    expect(page.locator("#refusal")).to_be_in_viewport()
    context.close()


def test_ones_own_ships_are_kept_on_the_tablet_and_go_to_a_file_and_back(
    chromium: Browser, server: Server, tmp_path: Path
):
    context = chromium.new_context(viewport={"width": 1024, "height": 768}, service_workers="block")
    page = context.new_page()
    page.goto(f"{server.url}/fleets")
    page.locator("#own-ships > summary").click()
    page.locator("#own").fill("Kyme, trireme\nAiantis, trireme\n")
    page.goto(f"{server.url}/fleets")
    page.locator("#own-ships > summary").click()
    expect(page.locator("#own")).to_have_value("Kyme, trireme\nAiantis, trireme\n")
    page.get_by_role("button", name="Make this side's fleet of them").click()
    expect(page.locator("input[name='first.trireme']")).to_have_value("2")
    with page.expect_download() as saved:
        page.get_by_role("link", name="As a file").click()
    file = tmp_path / saved.value.suggested_filename
    saved.value.save_as(file)
    assert file.read_text() == "Kyme, trireme\nAiantis, trireme\n"
    file.write_text("Leontis, bireme\n")
    page.locator("#own-file").set_input_files(file)
    expect(page.locator("#own")).to_have_value("Leontis, bireme\n")
    context.close()


def test_a_guest_joins_by_code(chromium: Browser, server: Server):
    host = chromium.new_context().new_page()
    host.goto(f"{server.url}/new?scenario=first_oars")
    host.get_by_role("button", name="Start", exact=True).click()
    code = host.locator("strong.code").inner_text()
    guest = chromium.new_context().new_page()
    guest.goto(server.url)
    guest.get_by_label("Join by code").fill(code.lower())
    guest.get_by_role("button", name="Join").click()
    expect(guest).to_have_url(re.compile(f"/g/{code}"))
    host.context.close()
    guest.context.close()


def test_the_search_answers_while_one_types(chromium: Browser, server: Server):
    context = chromium.new_context(service_workers="block")
    page = context.new_page()
    page.goto(f"{server.url}/reference")
    page.locator("#q").press_sequentially("таран", delay=20)
    expect(page.locator("[id='p-G6.1']")).to_be_visible()
    page.locator("[id='p-G6.1'] h3 a").click()
    expect(page.get_by_role("heading", level=1)).to_contain_text("G6.1")
    context.close()
