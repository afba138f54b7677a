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
  let acting = 0; // commands of one's own that are under way: their answers are the new page
  let newest = 0;
  root.addEventListener("htmx:beforeRequest", (event) => { if (event.detail.requestConfig.verb === "post") acting += 1; });
  root.addEventListener("htmx:afterRequest", (event) => {
    if (event.detail.requestConfig.verb !== "post") return;
    acting -= 1;
    setTimeout(catchUp, 80);
  });
  function catchUp() {
    if (!acting && newest > Number(side().dataset.version)) refresh();
  }
  function refresh() {
    if (asked || acting) return;
    asked = true;
    htmx.ajax("GET", address(), { target: "#campaign", swap: "none" }).finally(() => {
      asked = false;
      setTimeout(catchUp, 80);
    });
  }
  function listen() {
    if (stream || document.hidden) return;
    stream = new EventSource(root.dataset.stream);
    stream.addEventListener("open", () => {
      if (!navarch.up) refresh();
      navarch.link(true);
    });
    stream.addEventListener("error", () => navarch.link(false));
    stream.addEventListener("version", (event) => {
      newest = Math.max(newest, Number(event.data));
      setTimeout(catchUp, 80);
    });
    stream.addEventListener("waiting", () => setTimeout(refresh, 80));
  }
  document.addEventListener("visibilitychange", () => {
    if (document.hidden) { stream?.close(); stream = null; }
    else { listen(); refresh(); }
  });
  window.addEventListener("pagehide", () => { stream?.close(); stream = null; });
  listen();

  // An answer that is older than what is on screen comes too late.
  document.addEventListener("htmx:beforeSwap", (event) => {
    const pulse = /data-pulse="(\d+)"/.exec(event.detail.xhr.responseText);
    if (pulse && Number(pulse[1]) < Number(side().dataset.pulse)) event.detail.shouldSwap = false;
    // A button that was replaced while its answer was under way has lost the page around it: its answer would find no
    // place and empty the page. The page itself takes it in.
    if (event.detail.shouldSwap && !document.contains(event.detail.requestConfig.elt)) {
      event.detail.shouldSwap = false;
      htmx.swap(root, event.detail.xhr.responseText, { swapStyle: "none" });
    }
  });
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
