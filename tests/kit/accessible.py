"""What axe finds on a page against accessibility: the script goes in once a page, and only the violations come back."""

from __future__ import annotations

import json
from importlib import resources
from typing import Any

from playwright.sync_api import Page

from kit.colours import COLOURS, wear

AXE = (resources.files("axe_playwright_python") / "axe.min.js").read_text()
LEAN = {"resultTypes": ["violations"], "selectors": False, "elementRef": False}


def violations(page: Page, **options: Any) -> list[str]:
    """What axe finds, an element a line: its rule, its HTML, and what is wrong. `options` are those of `axe.run`."""
    session = page.context.new_cdp_session(page)  # past the page's own policy
    session.send("Runtime.evaluate", {"expression": f"if (!window.axe) {{ {AXE} }}"})
    asked = f"axe.run(document, {json.dumps(LEAN | options)}).then((found) => JSON.stringify(found.violations))"
    answer = session.send("Runtime.evaluate", {"expression": asked, "awaitPromise": True, "returnByValue": True})
    session.detach()
    return [
        f"{fault['id']}: {node['html'][:160]} {node['any'][0]['message'] if node['any'] else ''}"
        for fault in json.loads(answer["result"]["value"])
        for node in fault["nodes"]
    ]


def violations_in(page: Page, schemes: tuple[str, ...]) -> list[str]:
    """The same of the page as it is, and of its colours in other schemes."""
    found = violations(page)
    for scheme in schemes:
        wear(page, scheme)
        found += [f"{scheme} {fault}" for fault in violations(page, runOnly=list(COLOURS))]
    return found
