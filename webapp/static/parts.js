// The table comes in parts (see pages/battle/parts.py). Each request says which parts the page holds; the answer brings
// the others, and the text of the whole table is put together here before anything else looks at it.
"use strict";

(() => {
  const MARK = /<!--([+=~])([\w.,]+)-->/;
  const field = (name, value) => `<input type="hidden" name="${name}" value="${value}">`;
  let held = []; // of the table that came last: digest and text of each part, with gaps for hidden fields

  // A text with marks as parts; `before` are the parts that the page said it held.
  function parts(text, before) {
    const found = [], pieces = text.split(MARK);
    for (let at = 1; at < pieces.length; at += 3) {
      const said = pieces[at + 1].split(","), rest = pieces[at + 2];
      if (pieces[at] === "+") found.push({ digest: said[0], text: rest });
      else if (pieces[at] === "~") {
        const [place, first, last] = said.map(Number), old = before[place].text;
        found.push({ digest: said[3], text: old.slice(0, first) + rest + old.slice(old.length - last) });
      } else {
        const [first, end] = said.map(Number);
        if (!(end <= before.length)) throw new Error("a part is missing");
        found.push(...before.slice(first, end));
      }
    }
    return found;
  }
  function filled(text) {
    const version = /data-version="(\d+)"/.exec(text);
    return text.replaceAll("<!--c-->", field("csrf_token", csrf())).replaceAll("<!--s-->", field("seen", version ? version[1] : ""));
  }

  const wants = (target) => target && target.id === "table" && target.hasAttribute("data-live");
  document.addEventListener("htmx:configRequest", (event) => {
    if (wants(event.detail.target)) event.detail.headers["X-Held"] = held.map((part) => part.digest).join(" ") || "none";
  });
  document.addEventListener("htmx:beforeRequest", (event) => { event.detail.requestConfig.held = held; });
  document.addEventListener("htmx:beforeSwap", (event) => {
    const text = event.detail.xhr.responseText;
    if (!text.startsWith("<!--+")) return;
    try {
      held = parts(text, event.detail.requestConfig.held || []);
      event.detail.serverResponse = filled(held.map((part) => part.text).join(""));
    } catch { // the page has lost touch: next time it gets all
      held = [];
      event.detail.shouldSwap = false;
      setTimeout(() => navarch.refresh(), 0);
    }
  });

  // The text of the first table is asked for once, when the browser has nothing else to do: the page that a browser has
  // read is no longer the text that was sent, and what people have written stands in it unescaped.
  async function learn() {
    const table = document.getElementById("table");
    if (held.length || !wants(table) || document.hidden) return;
    try {
      const answer = await fetch(table.dataset.refresh, { headers: { "HX-Request": "true", "X-Held": "none" } });
      const text = await answer.text();
      if (answer.ok && !held.length && text.startsWith("<!--+")) held = parts(text, []);
    } catch { /* the first tap will bring the whole table */ }
  }
  window.addEventListener("load", () => setTimeout(learn, 400));
})();
