"""A stage on a page that has htmx and our style of swapping, and no script that changes what stands there."""

from __future__ import annotations

from playwright.sync_api import Page

STAGE = """() => {
  const stage = document.body.appendChild(document.createElement("div"));
  const parsed = (text) => new DOMParser().parseFromString(text, "text/html").body.firstElementChild;
  // Where two elements differ; app.js itself keeps what was open.
  const told = (node) => (node ? `${node.nodeName} ${node.data || [...node.attributes || []].map((it) => `${it.name}=${it.value.trim()}`).filter((it) => it !== "class=" && !it.startsWith("data-htmx-powered=") && !(node.matches("details[id]") && it.startsWith("open="))).sort()}` : "nothing");
  const unlike = (one, other) => {
    if (told(one) !== told(other)) return `${told(one)} is not ${told(other)}`;
    for (let at = 0; at < Math.max(one.childNodes.length, other.childNodes.length); at += 1) {
      const found = unlike(one.childNodes[at], other.childNodes[at]);
      if (found) return found;
    }
    return "";
  };
  window.put = async (text, method = "GET") => {
    if (!stage.children.length) { stage.append(parsed(text)); htmx.process(stage); return ""; }
    const target = stage.firstElementChild;
    await htmx.swap({ sourceElement: target, target, text, swap: "outerMorph", request: { method } });
    return unlike(stage.firstElementChild, parsed(text));
  };
  window.stage = stage;
}"""


def put(page: Page, text: str, method: str = "GET") -> str:
    """Put a text in the place of what stands on the stage; where it is then not what the text says, else nothing."""
    return str(page.evaluate("([text, method]) => put(text, method)", [text, method]))
