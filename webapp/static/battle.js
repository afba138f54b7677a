// The battle page: taps that swap only the table, long presses, swipes, keys, the waking screen.
"use strict";

(() => {
  const table = () => document.getElementById("table");
  let shown = location.href; // the address of what the table shows

  // Links of the table swap the table instead of loading a page; each has its address, so that Back goes to the one before.
  function go(address, push = true) {
    const url = new URL(address, location.href);
    const part = url.pathname.replace(/\/$/, "") + "/table" + url.search;
    if (push && url.href !== location.href) history.pushState({ battle: true }, "", url.pathname + url.search);
    shown = location.href;
    navarch.ask("GET", part, { target: "#table", swap: "outerMorph" });
  }
  document.addEventListener("click", (event) => {
    const link = event.target.closest("a[data-go]");
    if (!link || event.defaultPrevented || event.metaKey || event.ctrlKey) return;
    const address = link.getAttribute("href");
    if (!address) return;
    event.preventDefault();
    go(address);
  });
  navarch.go = go;
  window.addEventListener("popstate", () => {
    if (location.href === shown) return; // only a panel over the battle was closed
    shown = location.href;
    if (table() && location.pathname === `/g/${table().dataset.game}`) go(location.href, false);
  });

  // A button outside its form may send it elsewhere, as a course: htmx sees that only of buttons within.
  document.addEventListener("htmx:config:request", (event) => {
    const { ctx } = event.detail, by = ctx.request.submitter;
    if (by && by.form === ctx.sourceElement && by.hasAttribute("formaction")) ctx.request.action = by.getAttribute("formaction");
  });

  // After each swap: the selected chip in sight, a word about plain http.
  function dress() {
    const chip = document.querySelector(".strip [aria-current]"), strip = document.getElementById("strip");
    if (chip && strip) {
      const at = chip.getBoundingClientRect(), frame = strip.getBoundingClientRect();
      if (at.left < frame.left || at.right > frame.right) strip.scrollLeft += at.left - frame.left - frame.width / 2;
      if (at.top < frame.top || at.bottom > frame.bottom) strip.scrollTop += at.top - frame.top - frame.height / 2;
    }
    if (table().dataset.page && table().dataset.page !== location.pathname + location.search) {
      history.replaceState(history.state, "", table().dataset.page); // the next ship came by itself
      shown = location.href;
    }
    const word = document.getElementById("insecure");
    if (word && !window.isSecureContext) { word.hidden = false; word.textContent = table().dataset.insecure; }
  }
  document.addEventListener("htmx:after:swap", dress);

  // A long press on a mark takes it back.
  let press = null, pressed = false;
  document.addEventListener("pointerdown", (event) => {
    const mark = event.target.closest && event.target.closest("button.mark");
    if (!mark) return;
    pressed = false;
    press = setTimeout(() => { mark.value = mark.dataset.back; mark.click(); press = null; pressed = true; }, 550);
  });
  for (const end of ["pointerup", "pointercancel", "pointerleave"]) {
    document.addEventListener(end, () => { clearTimeout(press); press = null; });
  }
  // The finger that is lifted after a long press taps nothing more.
  document.addEventListener("click", (event) => {
    if (!pressed || event.detail === 0) return;
    pressed = false;
    if (event.target.closest("button.mark")) { event.preventDefault(); event.stopImmediatePropagation(); }
  }, true);
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
  });

  // The screen stays awake while a battle is open, where the browser allows it.
  async function wake() {
    if (!("wakeLock" in navigator) || document.hidden) return;
    try { await navigator.wakeLock.request("screen"); } catch { /* low battery or not allowed: the screen may sleep */ }
  }

  document.addEventListener("visibilitychange", () => { if (!document.hidden) wake(); });
  function begin() { dress(); wake(); }
  navarch.ready(begin);
})();
