// The live page of a game, battle or campaign: it follows the stream, sends again what was lost, and lets no tap fall on
// a button that has only just come. One element carries data-live; it, or one inside it, carries data-version,
// data-revision, data-letters (unread), data-refresh and data-stream. data-swap is how an answer is put in ("steady", see steady.js, or "none" for parts).
// A page that holds its table in parts (parts.js) names its stream, which then brings the parts that are new by itself.
"use strict";

(() => {
  const page = () => document.querySelector("[data-live]");
  const state = () => { const root = page(); return root && (root.dataset.version === undefined ? root.querySelector("[data-version]") : root); };
  const into = () => ({ target: "#" + page().id, swap: page().dataset.swap || "steady" });
  const config = (event) => event.detail.requestConfig;
  const isAct = (event) => config(event).verb !== "get";

  // The stream says that there is something new; the page then fetches its own view, unless the stream brings it along.
  let stream = null, streamOf = "", newest = -1, owed = 0, asked = 0, asking = false, acting = 0, looks = 0, looking = 0;
  let answered = -1; // the newest revision of which an answer told, put in or not: the stream may take it for seen
  let hoped = -1; // what had been answered when the refresh was asked for: a server that answers with less has no more
  let isBehind = false; // the server has lost what this page shows: what is older may come
  let starting = false; // a refresh is being started, not a look of the reader's
  const AGAIN = 3000; // milliseconds between two streams that are opened to tell what this page holds
  let toldAnew = -Infinity;

  function refresh() {
    owed += 1;
    look();
  }
  function look() {
    if (!page() || asking || acting || looking || lost) return;
    asking = starting = true;
    hoped = answered;
    asked = owed; // what is told while this answer is on its way is still owed when it has come
    const answer = htmx.ajax("GET", state().dataset.refresh, into());
    starting = false;
    answer.catch(() => {}).finally(() => { asking = false; setTimeout(catchUp, 80); });
  }
  function catchUp() {
    if (page() && (owed || newest > Number(state().dataset.version) || answered > Number(state().dataset.revision))) look();
  }
  const isOpen = () => Boolean(stream && stream.readyState === EventSource.OPEN);
  function listen() {
    if (!page() || document.hidden || !window.EventSource) return;
    const wanted = page().dataset.game + " " + page().dataset.seat;
    if (stream && streamOf === wanted && stream.readyState !== EventSource.CLOSED) return;
    if (stream) stream.close();
    const address = new URL(state().dataset.stream || page().dataset.stream, location.href);
    address.searchParams.set("after", state().dataset.version); // the server hears what this page has seen
    address.searchParams.set("revision", state().dataset.revision);
    if (navarch.parts) {
      for (const [name, value] of new URL(state().dataset.refresh, location.href).searchParams) address.searchParams.set(name, value);
      navarch.parts.begin(address.searchParams);
    }
    const mine = new EventSource(address);
    let opened = false;
    stream = mine;
    streamOf = wanted;
    mine.onopen = () => {
      if (opened || !navarch.up) setTimeout(refresh, 80);
      opened = true;
      if (!lost) navarch.link(true);
      lamp();
    };
    mine.onerror = () => {
      lamp();
      setTimeout(() => { if (stream === mine && !isOpen()) navarch.link(false); }, 2500);
      if (mine.readyState === EventSource.CLOSED) setTimeout(() => { if (stream === mine) { stream = null; listen(); } }, 2000);
    };
    mine.addEventListener("version", (event) => { newest = Math.max(newest, Number(event.data)); setTimeout(catchUp, 80); });
    mine.addEventListener("parts", (event) => bring(Number(event.lastEventId), JSON.parse(event.data)));
    mine.addEventListener("lost", (event) => {
      newest = Number(event.data);
      answered = -1;
      isBehind = true;
      document.getElementById("lost-moves").hidden = false;
      setTimeout(refresh, 80);
    });
    mine.addEventListener("waiting", () => setTimeout(refresh, 80));
  }
  // What the stream brings is put in as a refresh's answer is; what does not fit this page's look is fetched.
  function bring(version, said) {
    const text = navarch.parts.read(said), revision = text && Number(/data-revision="(\d+)"/.exec(text)[1]);
    newest = Math.max(newest, version);
    if (text && revision <= Number(state().dataset.revision)) return;
    if (!text || said.at !== state().dataset.refresh || asking || acting || looking || lost) { setTimeout(refresh, 80); return; }
    const root = page(), request = { verb: "get", path: said.at, elt: root, idle: true, look: looks };
    const xhr = { status: 200, responseText: text, getResponseHeader: () => said.to };
    const detail = { elt: root, target: root, xhr, requestConfig: request, shouldSwap: true, serverResponse: text };
    if (!htmx.trigger(root, "htmx:beforeSwap", detail) || !detail.shouldSwap) return;
    htmx.swap(detail.target, detail.serverResponse, { swapStyle: page().dataset.swap || "steady" }, { contextElement: root });
    lamp();
  }
  // A look that went past the process of the stream: a new stream hears what this page holds.
  function tellAnew(answer) {
    if (!navarch.parts || !stream || answer.getResponseHeader("X-Live") || performance.now() - toldAnew < AGAIN) return;
    toldAnew = performance.now();
    stream.close();
    stream = null;
    listen();
  }
  function lamp() {
    const light = document.getElementById("live");
    if (!light) return;
    light.classList.toggle("on", isOpen() && !lost);
    light.classList.toggle("sending", Boolean(lost));
  }
  document.addEventListener("visibilitychange", () => {
    if (document.hidden) { stream?.close(); stream = null; }
    else { listen(); refresh(); }
  });
  window.addEventListener("pagehide", () => { stream?.close(); stream = null; });
  window.addEventListener("pageshow", (event) => { if (event.persisted) { listen(); refresh(); } });
  window.addEventListener("online", () => { listen(); again(); catchUp(); });

  // An act that got no answer is sent again, with the key that makes it count once, until the server says something.
  let lost = null;
  const PAUSES = [250, 600, 1200, 2000];

  document.addEventListener("htmx:configRequest", (event) => {
    if (event.detail.verb !== "get" && page() && !event.detail.parameters.key) {
      const bytes = crypto.getRandomValues(new Uint8Array(12));
      event.detail.parameters.key = Array.from(bytes, (byte) => byte.toString(16).padStart(2, "0")).join("");
    }
  });
  // What follows when a request has ended, also one whose form a refresh has replaced meanwhile: of that one htmx tells
  // the page nothing more.
  const isHeard = (xhr) => Boolean(xhr.status) && ![502, 503, 504].includes(xhr.status);
  function ended(event, then) {
    const xhr = event.detail.xhr;
    xhr.addEventListener("loadend", () => { then(xhr); setTimeout(catchUp, 80); });
  }
  document.addEventListener("htmx:beforeRequest", (event) => {
    if (!isAct(event)) return;
    if (lost && !lost.sending) { event.preventDefault(); return; }
    acting += 1;
    ended(event, (xhr) => { acting = Math.max(0, acting - 1); if (isHeard(xhr)) lost = null; });
  });
  document.addEventListener("htmx:afterRequest", (event) => {
    const heard = isHeard(event.detail.xhr);
    if (isAct(event) && heard) lost = null;
    if (!isAct(event) && heard && config(event).path === state()?.dataset.refresh) {
      owed = Math.max(0, owed - asked);
      asked = 0;
      if (config(event).idle) tellAnew(event.detail.xhr);
    }
    if (heard && !lost) navarch.link(true);
    lamp();
  });
  const missed = (event) => {
    if (!page()) return;
    if (isAct(event)) lose(config(event));
    else if (!config(event).idle) later(config(event), event.detail.elt);
  };
  document.addEventListener("htmx:sendError", missed);
  document.addEventListener("htmx:timeout", missed);
  document.addEventListener("htmx:responseError", (event) => {
    if ([502, 503, 504].includes(event.detail.xhr.status)) missed(event);
  });

  function lose(request) {
    if (!lost) lost = { path: request.path, values: request.formData, tries: 0 };
    lost.sending = false;
    lost.tries += 1;
    if (lost.tries > 3) navarch.link(false, true);
    lamp();
    clearTimeout(lost.timer);
    lost.timer = setTimeout(again, PAUSES[Math.min(lost.tries, PAUSES.length) - 1]);
  }
  function again() {
    if (!lost || lost.sending || !page()) return;
    clearTimeout(lost.timer);
    lost.sending = true;
    const headers = { "X-Retry": String(lost.tries) };
    htmx.ajax("POST", lost.path, { ...into(), values: lost.values, headers }).catch(() => {});
  }
  // A look at something that got no answer: once more, unless something else was looked at since.
  function later(request, element) {
    const mine = looks, whole = request.target === page() || !document.contains(element);
    setTimeout(() => {
      if (mine !== looks || !page()) return;
      const where = whole ? into() : { source: element, target: request.target, swap: element.getAttribute("hx-swap") || "innerHTML" };
      htmx.ajax("GET", request.path, where).catch(() => {});
    }, 600);
  }

  // An answer that is older than what is on screen comes too late, as does one to a look that another has followed; one
  // whose place is gone goes to the place of today. A refresh that brings nothing new leaves the screen as it is.
  document.addEventListener("htmx:beforeSwap", (event) => {
    const root = page(), text = event.detail.xhr.responseText, revision = /data-revision="(\d+)"/.exec(text);
    if (!root || !event.detail.shouldSwap || !revision) return;
    const told = Number(revision[1]), now = isBehind ? -1 : Number(state().dataset.revision);
    const letters = /data-letters="(\d+)"/.exec(text); // one to this seat alone counts in no revision
    const same = config(event).idle && told === now && (!letters || letters[1] === state().dataset.letters), hasLess = config(event).idle && told < hoped;
    if (!isBehind) answered = hasLess ? told : Math.max(answered, told);
    const version = /data-version="(\d+)"/.exec(text);
    isBehind = isBehind && Boolean(version) && Number(version[1]) > newest; // an answer from before the loss is not the last
    if (same || told < now || (config(event).look || looks) !== looks) event.detail.shouldSwap = false;
    else if (root.dataset.swap === "none" && !document.contains(config(event).elt)) {
      event.detail.shouldSwap = false;
      htmx.swap(root, text, { swapStyle: "none" }, { contextElement: root });
    } else if (!document.contains(event.detail.target)) event.detail.target = root;
  });
  document.addEventListener("htmx:beforeRequest", (event) => {
    if (isAct(event) || !page() || config(event).target !== page() || event.defaultPrevented) return;
    if (!starting) {
      looks += 1;
      looking += 1;
      ended(event, () => { looking = Math.max(0, looking - 1); });
    }
    config(event).idle = starting; // it may bring nothing new
    config(event).look = looks;
  });

  // Why a tap came to nothing stays to be read until the next one: also a refusal that a refresh has taken off the page.
  let refusal = "";
  const said = () => document.getElementById("said");
  function say(what) {
    if (said()) Object.assign(said(), { textContent: said().dataset[what] || what, hidden: false });
  }
  document.addEventListener("htmx:beforeRequest", (event) => {
    if (config(event).idle || !said()) return;
    refusal = "";
    said().hidden = true;
  });
  document.addEventListener("htmx:afterSettle", () => {
    const now = document.getElementById("refused");
    if (!said()) return;
    if (now) { refusal = now.dataset.says; said().hidden = true; }
    else if (refusal) { say(refusal); refusal = ""; }
  });

  // A tap within half a second after the page changed counts only on what stood there before; the second of two never.
  // Neither is swallowed in silence.
  let changed = -Infinity, before = new Map(), last = "", lastAt = -Infinity;
  const keyOf = (control) => control.getAttribute("href") || `${control.id} ${control.name} ${control.value} ${control.textContent}`;
  const placeOf = (control) => { const box = control.getBoundingClientRect(); return [box.x + box.width / 2, box.y + box.height / 2]; };
  const CONTROLS = "[data-live] button:not([type=button]), [data-live] a[data-go], [data-live] summary.ask";
  document.addEventListener("htmx:beforeSwap", (event) => {
    if (!event.detail.shouldSwap || !page() || !page().contains(event.detail.target)) return;
    before = new Map();
    for (const control of document.querySelectorAll(CONTROLS)) before.set(keyOf(control), placeOf(control));
    changed = performance.now();
  });
  document.addEventListener("click", (event) => {
    const control = event.target.closest && event.target.closest(CONTROLS);
    if (!control || event.detail === 0 || control.matches("[data-again]")) return; // keys and steppers are no double taps
    const now = performance.now(), key = keyOf(control), stood = before.get(key);
    const fresh = now - changed < navarch.patience && !(stood && Math.hypot(stood[0] - placeOf(control)[0], stood[1] - placeOf(control)[1]) < 40);
    const twice = key === last && now - lastAt < navarch.patience && control.tagName !== "A";
    if (fresh || twice) {
      event.preventDefault();
      event.stopImmediatePropagation();
      control.animate({ boxShadow: ["0 0 0 .4rem var(--warn)", "0 0 0 0 var(--warn)"] }, 600);
      say(twice ? "twice" : "moved");
      return;
    }
    last = key;
    lastAt = now;
  }, true);

  document.addEventListener("click", (event) => {
    const said = event.target.closest && event.target.closest("#lost-moves");
    if (said && event.target.closest("button")) said.hidden = true;
  });
  function begin() { listen(); lamp(); }
  document.addEventListener("htmx:afterSettle", begin);
  navarch.ready(begin);
  navarch.refresh = refresh;
  navarch.hear = (revision) => { answered = Math.max(answered, revision); catchUp(); };
})();
