"""A real browser asks to be told, is told by its real worker, and says nothing while the game is before its eyes."""

from __future__ import annotations

import json
from datetime import UTC, datetime, timedelta
from typing import Any

import pytest
from playwright.sync_api import Browser, Page, expect

from kit.accessible import violations
from kit.club_room import Server, club_server, is_too_wide  # noqa: F401
from kit.push_service import PushBrowser, Service
from kit.screens import screens

pytestmark = pytest.mark.browser
SIZES = ({"width": 1024, "height": 768}, {"width": 390, "height": 844})
# The push service is the test's own: only the browser's question to its maker is answered by the test.
HANDS_OUT = "PushManager.prototype.subscribe = async () => ({ toJSON: () => (%s) });"


@pytest.mark.parametrize("size", screens(*SIZES))
def test_a_device_asks_is_tried_and_is_told_by_its_worker(
    whole_chromium: Browser, server: Server, size: dict[str, int]
):
    service = Service()
    mine = PushBrowser(service)
    server.app.config["CALLS_MAY_STAY_HOME"] = True
    made = server.app.test_client().post("/api/v1/games", json={"system": "hannibal", "scenario": "second_punic_war"})
    game, tokens = made.json["id"], {seat["id"]: seat["token"] for seat in made.json["seats"]}
    seat = server.app.extensions["navarch"].store.load(game).waiting_for[0]
    context = whole_chromium.new_context(viewport=size, has_touch=True)
    context.grant_permissions(["notifications"], origin=server.url)
    context.add_init_script(HANDS_OUT % json.dumps(mine.asks))
    page = context.new_page()
    page.goto(f"{server.url}/join/{tokens[seat]}")
    page.goto(f"{server.url}/g/{game}/group?seat={seat}")
    page.get_by_role("button", name="Notify me on this device").tap()
    expect(page.locator("#devices form")).to_have_count(1)
    assert not is_too_wide(page) and violations(page) == []
    page.get_by_role("button", name="Send a test notification").tap()
    expect(page.get_by_role("alert")).to_contain_text("on its way")
    post = server.app.extensions["navarch"].postman
    post.round([game], datetime.now(UTC) + timedelta(hours=1))
    told = [mine.opens(sealed) for _, sealed in service.taken]
    assert sorted(each["body"].split(":")[0] for each in told)[-1] == "This is a test"
    turn = next(each for each in told if "your turn" in each["body"])
    page.goto(f"{server.url}/g/{game}?seat={seat}")
    delivered(page, server, {**turn, "body": "not to be seen", "tag": "seen"})
    page.goto(f"{server.url}/g/{game}/group?seat={seat}")
    delivered(page, server, turn)
    page.wait_for_function("async () => (await (await navigator.serviceWorker.ready).getNotifications()).length === 1")
    shown = page.evaluate("async () => (await (await navigator.serviceWorker.ready).getNotifications())[0].body")
    assert shown == turn["body"]
    page.get_by_role("button", name="Stop notifying this device").tap()
    expect(page.locator("#devices form")).to_have_count(0)
    context.close()
    service.server.shutdown()


def delivered(page: Page, server: Server, told: dict[str, Any]) -> None:
    """Hand a message to the page's worker as the browser does when its push service brings it."""
    talk = page.context.new_cdp_session(page)
    found: list[str] = []
    talk.on(
        "ServiceWorker.workerRegistrationUpdated",
        lambda said: found.extend(
            each["registrationId"] for each in said["registrations"] if each["scopeURL"].startswith(server.url)
        ),
    )
    talk.send("ServiceWorker.enable")
    for _look in range(200):
        if found:
            break
        page.wait_for_timeout(50)
    talk.send(
        "ServiceWorker.deliverPushMessage", {"origin": server.url, "registrationId": found[0], "data": json.dumps(told)}
    )
