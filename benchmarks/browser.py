"""What an answer costs the browser: a change put into a battle's page beside a swap of the whole table, in one page.

It is the clock of the page's own thread, from the text in hand to a page that is laid out; drawing comes after it.
"""

from __future__ import annotations

import os
import statistics
import tempfile
from collections.abc import Callable
from pathlib import Path

from playwright.sync_api import sync_playwright

from benchmarks.row import Row
from benchmarks.served import navarch
from benchmarks.web import Battle

# The shell is the same Chromium without windows; a page costs it less than half the processor time.
SHELL, WHOLE = "/usr/bin/chromium-headless-shell", "/usr/bin/chromium"
CHROMIUM = os.environ.get("CHROMIUM") or (SHELL if Path(SHELL).exists() else WHOLE)
ARGS = (
    "--no-sandbox",
    "--disable-gpu",
    "--disable-quic",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
)
EACH, UNCOUNTED = 12, 3  # changes put in by each way in a round, and those of the first round that warm the page
PUT = """async ([texts, count]) => {
  const took = { outerMorph: [], outerHTML: [] };
  for (let number = 0; number < count; number += 1) for (const [swapStyle, each] of Object.entries(took)) {
    const root = document.getElementById("table"), begun = performance.now();
    htmx.swap({ sourceElement: root, target: root, text: texts[number % 2], swap: swapStyle });
    document.body.getBoundingClientRect();
    each.push(performance.now() - begun);
    await new Promise((then) => requestAnimationFrame(() => setTimeout(then, 0)));
  }
  return took;
}"""


def measures(rounds: int) -> dict[str, Callable[[], Row]]:
    """The measures in the browser by their ids."""
    return {"browser.put.40": lambda: _put(rounds)}


def _put(rounds: int) -> Row:
    """A plot of a battle of 40 ships that comes to a page, there and back."""
    with tempfile.TemporaryDirectory() as name, navarch(Path(name)) as server, sync_playwright() as driver:
        battle = Battle(server)
        texts = []
        for _ in range(2):
            battle.plot()
            texts.append(battle.page("rome").decode())
        browser = driver.chromium.launch(executable_path=CHROMIUM, args=list(ARGS))
        context = browser.new_context(viewport={"width": 1024, "height": 768}, has_touch=True, service_workers="block")
        page = context.new_page()
        page.goto(f"http://127.0.0.1:{server.port}/join/{battle.tokens['rome']}")
        page.evaluate(PUT, [texts, UNCOUNTED])
        found = [page.evaluate(PUT, [texts, EACH]) for _ in range(rounds)]
        browser.close()
    ours, whole = ([statistics.median(each[way]) for each in found] for way in ("outerMorph", "outerHTML"))
    ratios = [mine / theirs for mine, theirs in zip(ours, whole, strict=True)]
    known = {"against": "a swap of the whole table", "rounds": rounds, "ratios": ratios, "least": min(ours)}
    return Row(
        "browser.put.40",
        statistics.median(ours),
        "ms",
        statistics.median(whole),
        statistics.median(ratios),
        0.25,
        "lower",
        known,
    )
