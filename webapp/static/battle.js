// The battle page: taps that swap only the table, live updates, dice by hand, long presses, the waking screen.
"use strict";

(() => {
  const table = () => document.getElementById("table");
  let stream = null, streamOf = "", busy = 0;

  // Links of the table swap the table instead of loading a page; their address stays in the bar.
  function go(address, push = true) {
    const url = new URL(address, location.href);
    const part = url.pathname.replace(/\/$/, "") + "/table" + url.search;
    htmx.ajax("GET", part, { target: "#table", swap: "outerHTML" });
    if (push) history.replaceState(null, "", url.pathname + url.search);
  }
  document.addEventListener("click", (event) => {
    const link = event.target.closest("a[data-go]");
    if (!link || event.defaultPrevented || event.metaKey || event.ctrlKey) return;
    const address = link.getAttribute("href");
    if (!address) return;
    event.preventDefault();
    go(address);
  });

  // Live: the stream says only that there is something new; the page then fetches its own view.
  function refresh() {
    const part = table();
    if (!part || busy) return;
    htmx.ajax("GET", part.dataset.refresh, { target: "#table", swap: "outerHTML" });
  }
  function listen() {
    const part = table();
    if (!part || !part.dataset.stream || !window.EventSource) return;
    const wanted = part.dataset.game + part.dataset.seat;
    if (stream && streamOf === wanted && stream.readyState !== EventSource.CLOSED) return;
    if (stream) stream.close();
    streamOf = wanted;
    stream = new EventSource(part.dataset.stream);
    let opened = false;
    stream.onopen = () => { navarch.link(true); live(true); if (opened) refresh(); opened = true; };
    stream.onerror = () => {
      live(false);
      setTimeout(() => { if (stream.readyState !== EventSource.OPEN) navarch.link(false); }, 1200);
      if (stream.readyState === EventSource.CLOSED) setTimeout(() => { stream = null; listen(); refresh(); }, 3000);
    };
    const changed = (event) => {
      const shown = table();
      if (shown && (event.type === "waiting" || Number(event.data) > Number(shown.dataset.version))) refresh();
    };
    stream.addEventListener("version", changed);
    stream.addEventListener("waiting", changed);
  }
  function live(on) {
    const lamp = document.getElementById("live");
    if (lamp) lamp.classList.toggle("on", on);
  }
  document.addEventListener("htmx:beforeRequest", (event) => { if (event.detail.requestConfig.verb !== "get") busy += 1; });
  document.addEventListener("htmx:afterRequest", (event) => {
    if (event.detail.requestConfig.verb !== "get") busy = Math.max(0, busy - 1);
  });
  document.addEventListener("visibilitychange", () => {
    if (document.hidden) { if (stream) { stream.close(); stream = null; } }
    else { listen(); refresh(); wake(); }
  });

  // After each swap: the lamp, the dice pad, the selected chip in sight, a word about plain http.
  function dress() {
    live(Boolean(stream && stream.readyState === EventSource.OPEN));
    dice();
    const chip = document.querySelector(".strip [aria-current]"), strip = document.getElementById("strip");
    if (chip && strip) {
      const at = chip.getBoundingClientRect(), frame = strip.getBoundingClientRect();
      if (at.left < frame.left || at.right > frame.right) strip.scrollLeft += at.left - frame.left - frame.width / 2;
      if (at.top < frame.top || at.bottom > frame.bottom) strip.scrollTop += at.top - frame.top - frame.height / 2;
    }
    const word = document.getElementById("insecure");
    if (word && !window.isSecureContext) { word.hidden = false; word.textContent = table().dataset.insecure; }
    listen();
  }
  document.addEventListener("htmx:afterSettle", dress);

  // Dice by hand: big faces fill the slots one by one; a tap on a slot corrects it; then confirm.
  let picked = [], slot = 0, padOf = "";
  function dice() {
    const form = document.getElementById("dice-form");
    if (!form) { padOf = ""; return; }
    const count = Number(form.dataset.count), before = form.dataset.before;
    const field = form.querySelector("input[name=rolls]");
    if (padOf !== field.id) { padOf = field.id; picked = new Array(count).fill(0); slot = 0; }
    form.querySelector("#dice-typed").hidden = true;
    const slots = form.querySelector(".slots"), faces = form.querySelector(".faces");
    slots.hidden = faces.hidden = false;
    slots.replaceChildren(...picked.map((face, number) => {
      const button = document.createElement("button");
      button.type = "button";
      button.className = "slot" + (number === slot ? " current" : "");
      button.textContent = face || "·";
      button.setAttribute("aria-label", (number + 1) + ": " + (face || "–"));
      button.addEventListener("click", () => { slot = number; dice(); });
      return button;
    }));
    for (const button of faces.children) {
      button.onclick = () => {
        picked[slot] = Number(button.dataset.face);
        const empty = picked.indexOf(0);
        slot = empty < 0 ? Math.min(slot + 1, count - 1) : empty;
        dice();
      };
    }
    field.value = (before + " " + picked.filter(Boolean).join(" ")).trim();
    form.querySelector("#dice-confirm").disabled = picked.includes(0);
  }

  // A long press on a mark takes it back.
  let press = null;
  document.addEventListener("pointerdown", (event) => {
    const mark = event.target.closest && event.target.closest("button.mark");
    if (!mark) return;
    press = setTimeout(() => { mark.value = mark.dataset.back; mark.click(); press = null; }, 550);
  });
  for (const end of ["pointerup", "pointercancel", "pointerleave"]) {
    document.addEventListener(end, () => { clearTimeout(press); press = null; });
  }
  document.addEventListener("contextmenu", (event) => { if (event.target.closest("button.mark")) event.preventDefault(); });

  // Swipe over the sheet's head to the next ship.
  let swipe = null;
  document.addEventListener("pointerdown", (event) => {
    const head = event.target.closest && event.target.closest("[data-swipe]");
    swipe = head ? { x: event.clientX, y: event.clientY, head } : null;
  });
  document.addEventListener("pointerup", (event) => {
    if (!swipe) return;
    const x = event.clientX - swipe.x, y = event.clientY - swipe.y;
    if (Math.abs(x) > 60 && Math.abs(y) < 50) {
      const address = x < 0 ? swipe.head.dataset.next : swipe.head.dataset.prev;
      if (address) go(address);
    }
    swipe = null;
  });

  // Keys: n the next ship that has something to do, [ and ] the ships beside, u undo.
  document.addEventListener("keydown", (event) => {
    if (event.ctrlKey || event.metaKey || event.altKey || /^(INPUT|SELECT|TEXTAREA)$/.test(event.target.tagName)) return;
    const head = document.getElementById("sheet-head");
    const wanted = { n: () => document.getElementById("next"), u: () => document.getElementById("undo") }[event.key];
    if (wanted && wanted()) { wanted().click(); event.preventDefault(); }
    else if (event.key === "]" && head) go(head.dataset.next);
    else if (event.key === "[" && head) go(head.dataset.prev);
    else if (/^[1-6]$/.test(event.key)) {
      const face = document.querySelector(`.faces:not([hidden]) [data-face="${event.key}"]`);
      if (face) face.click();
    }
  });

  // The screen stays awake while a battle is open, where the browser allows it.
  async function wake() {
    if (!("wakeLock" in navigator) || document.hidden) return;
    try { await navigator.wakeLock.request("screen"); } catch { /* low battery or not allowed: the screen may sleep */ }
  }

  function begin() { dress(); wake(); }
  if (document.readyState === "loading") document.addEventListener("DOMContentLoaded", begin);
  else begin();
})();
