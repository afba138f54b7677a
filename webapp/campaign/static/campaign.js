// Live updates: the stream tells only the version; each page then fetches its own view. And the dice that are tapped.
"use strict";

(() => {
  const root = document.getElementById("campaign");
  if (!root) return;
  const side = () => document.getElementById("side");
  let stream = null;
  let asked = false;

  function address() {
    // The same space and card as now on screen.
    const wish = new URL(root.dataset.here, location.href);
    wish.searchParams.set("seat", root.dataset.seat);
    if (side().dataset.space) wish.searchParams.set("space", side().dataset.space);
    if (side().dataset.pick) wish.searchParams.set("pick", side().dataset.pick);
    return wish.pathname + wish.search;
  }
  function refresh() {
    if (asked) return;
    asked = true;
    htmx.ajax("GET", address(), { target: "#side", swap: "outerHTML" }).finally(() => { asked = false; });
  }
  function listen() {
    if (stream || document.hidden) return;
    stream = new EventSource(root.dataset.stream);
    stream.addEventListener("open", () => {
      if (!navarch.up) refresh();
      navarch.link(true);
    });
    stream.addEventListener("error", () => navarch.link(false));
    stream.addEventListener("version", (event) => { if (Number(event.data) > Number(side().dataset.version)) refresh(); });
    stream.addEventListener("waiting", refresh);
  }
  document.addEventListener("visibilitychange", () => {
    if (document.hidden) { stream?.close(); stream = null; }
    else { listen(); refresh(); }
  });
  window.addEventListener("pagehide", () => { stream?.close(); stream = null; });
  listen();

  document.addEventListener("htmx:afterSettle", () => { armDice(); });
  function armDice() {
    for (const row of document.querySelectorAll(".faces")) row.hidden = false;
  }
  root.addEventListener("click", (event) => {
    const face = event.target.closest("[data-face]");
    if (!face) return;
    const field = face.closest("form").querySelector("[name=rolls]");
    field.value = `${field.value} ${face.dataset.face}`.trim();
  });
  armDice();
})();
