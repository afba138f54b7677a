// The table comes in parts (see pages/battle/parts.py). Each request says which parts the page holds; the answer brings
// the others, and the text of the whole table is put together here before anything else looks at it. Each request also
// names the page's stream, and the answer names the table: the stream brings what makes the next one of it.
"use strict";

(() => {
  const MARK = /<!--([+=~])([\w.,]+)-->/;
  const field = (name, value) => `<input type="hidden" name="${name}" value="${value}">`;
  const MOST = 8; // tables that the stream may go on from
  let held = []; // of the table that came last: digest and text of each part, with gaps for hidden fields
  let stream = ""; // this page's name for its stream
  const tables = new Map(); // by the names that the stream has for them

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

  const digests = () => held.map((part) => part.digest).join(" ");
  function keep(name, table) {
    if (!name) return;
    tables.delete(name);
    tables.set(name, table);
    if (tables.size > MOST) tables.delete(tables.keys().next().value);
  }
  navarch.parts = {
    // What a stream is asked for: it hears its name and what this page holds, which it may go on from by that name.
    begin(asked) {
      tables.clear();
      stream = Array.from(crypto.getRandomValues(new Uint8Array(12)), (byte) => byte.toString(16).padStart(2, "0")).join("");
      asked.set("page", stream);
      if (!held.length) return;
      asked.set("holds", digests());
      keep(stream, held);
    },
    // The table that the stream has brought; nothing if this page knows not what it goes on from.
    read(said) {
      const before = tables.get(said.on);
      if (!before) return null;
      const table = parts(said.text, before);
      keep(said.to, table);
      return table;
    },
    // The table as it is put in, from now on what this page holds.
    hold(table) {
      held = table;
      return filled(held.map((part) => part.text).join(""));
    },
  };

  const wants = (target) => target && target.id === "table" && target.hasAttribute("data-live");
  document.addEventListener("htmx:config:request", (event) => {
    const { target, request } = event.detail.ctx;
    if (!wants(target)) return;
    request.headers["X-Held"] = digests() || "none";
    request.headers["X-Live"] = stream;
  });
  document.addEventListener("htmx:before:request", (event) => { event.detail.ctx.held = held; });
  document.addEventListener("htmx:after:request", (event) => {
    const { ctx } = event.detail;
    if (!ctx.text.startsWith("<!--+")) return;
    try {
      const table = parts(ctx.text, ctx.held || []);
      keep(ctx.response.headers.get("X-Live"), table);
      ctx.text = navarch.parts.hold(table);
    } catch { // the page has lost touch: next time it gets all
      held = [];
      ctx.text = "";
      ctx.swap = "none";
      setTimeout(() => navarch.refresh(), 0);
    }
  });

  // The text of the first table is asked for once, when the browser has nothing else to do: the page that a browser has
  // read is no longer the text that was sent, and what people have written stands in it unescaped.
  async function learn() {
    const table = document.getElementById("table");
    if (held.length || !wants(table) || document.hidden) return;
    try {
      const answer = await fetch(table.dataset.refresh, { headers: { "HX-Request": "true", "X-Held": "none", "X-Live": stream } });
      const text = await answer.text();
      if (!answer.ok || !text.startsWith("<!--+")) return;
      const first = parts(text, []);
      keep(answer.headers.get("X-Live"), first);
      if (!held.length) held = first;
      navarch.hear(Number(/data-revision="(\d+)"/.exec(text)[1])); // it may be newer than what the page shows
    } catch { /* the first tap will bring the whole table */ }
  }
  window.addEventListener("load", () => setTimeout(learn, 400));
})();
