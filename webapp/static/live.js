// The live page of a game, battle or campaign: it follows the stream, sends again what was lost, and lets no tap fall on
// a button that has only just come. One element carries data-live; it, or one inside it, carries data-version,
// data-revision, data-letters (unread), data-refresh and data-stream.
"use strict";

(() => {
  const page = () => document.querySelector("[data-live]");
  const state = () => { const root = page(); return root && (root.dataset.version === undefined ? root.querySelector("[data-version]") : root); };
  const into = () => ({ target: "#" + page().id, swap: "outerMorph" });
  const isAct = ({ request }) => request.method !== "GET";

  // The stream says that there is something new; the page then fetches its own view.
  let stream = null, streamOf = "", newest = -1, owed = 0, asked = 0, asking = false, acting = 0, looks = 0, looking = 0, lastLook = "";
  let answered = -1; // the newest revision of which an answer told, put in or not: the stream may take it for seen
  let hoped = -1; // what had been answered when the refresh was asked for: a server that answers with less has no more
  let isBehind = false; // the server has lost what this page shows: what is older may come

  function refresh() {
    owed += 1;
    look();
  }
  function look() {
    if (!page() || asking || acting || looking || lost) return;
    asking = true;
    hoped = answered;
    asked = owed; // what is told while this answer is on its way is still owed when it has come
    const answer = navarch.ask("GET", state().dataset.refresh, { ...into(), idle: true }); // it may bring nothing new
    answer.finally(() => { asking = false; setTimeout(catchUp, 80); });
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
    mine.addEventListener("lost", (event) => {
      newest = Number(event.data);
      answered = -1;
      isBehind = true;
      document.getElementById("lost-moves").hidden = false;
      setTimeout(refresh, 80);
    });
    mine.addEventListener("waiting", () => setTimeout(refresh, 80));
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

  document.addEventListener("htmx:config:request", (event) => {
    const { ctx } = event.detail;
    if (isAct(ctx) && page() && !ctx.request.body.get("key")) {
      const bytes = crypto.getRandomValues(new Uint8Array(12));
      ctx.request.body.set("key", Array.from(bytes, (byte) => byte.toString(16).padStart(2, "0")).join(""));
    }
  });
  const isHeard = (response) => Boolean(response) && ![502, 503, 504].includes(response.status);
  document.addEventListener("htmx:before:request", (event) => {
    const { ctx } = event.detail;
    if (!isAct(ctx)) return;
    if (lost && !lost.sending) { event.preventDefault(); return; }
    acting += 1;
    ctx.looks = lost ? lost.looks : looks;
    ctx.ended = () => { acting = Math.max(0, acting - 1); if (isHeard(ctx.response)) lost = null; };
  });
  document.addEventListener("htmx:finally:request", (event) => {
    const { ctx } = event.detail;
    if (ctx.ended) { ctx.ended(); setTimeout(catchUp, 80); }
  });
  document.addEventListener("htmx:after:request", (event) => {
    const { ctx } = event.detail, heard = isHeard(ctx.response);
    if (isAct(ctx) && heard) lost = null;
    if (!isAct(ctx) && heard && ctx.request.action === state()?.dataset.refresh) {
      owed = Math.max(0, owed - asked);
      asked = 0;
    }
    if (heard && !lost) navarch.link(true);
    // htmx puts nothing in for a place that is gone: a view of the game goes to the place of today.
    if (ctx.target?.isConnected === false && page() && ctx.text.includes("data-revision=")) ctx.target = into().target;
    lamp();
  });
  const missed = ({ ctx }) => {
    if (!page()) return;
    if (isAct(ctx)) lose(ctx);
    else if (!ctx.idle) later(ctx);
  };
  document.addEventListener("htmx:error", (event) => { if (isUnanswered(event.detail)) missed(event.detail); });
  document.addEventListener("htmx:response:error", (event) => { if (!isHeard(event.detail.ctx.response)) missed(event.detail); });

  function lose({ request, looks }) {
    if (!lost) lost = { path: request.action, values: [...request.body], looks, tries: 0 };
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
    navarch.ask("POST", lost.path, { ...into(), values: lost.values, headers });
  }
  // A look at something that got no answer: once more, unless something else was looked at since.
  function later(ctx) {
    const mine = looks, whole = ctx.target === page() || !document.contains(ctx.sourceElement);
    setTimeout(() => {
      if (mine !== looks || !page()) return;
      navarch.ask("GET", ctx.request.action, whole ? into() : { target: ctx.target, swap: ctx.swap });
    }, 600);
  }

  // An answer that is older than what is on screen comes too late, as does one to a look that another has followed.
  // A refresh that brings nothing new leaves the screen as it is.
  document.addEventListener("htmx:before:swap", (event) => {
    const root = page(), { ctx } = event.detail, text = ctx.text, revision = /data-revision="(\d+)"/.exec(text);
    if (!root || !revision) return;
    const told = Number(revision[1]), now = isBehind ? -1 : Number(state().dataset.revision);
    const letters = /data-letters="(\d+)"/.exec(text); // one to this seat alone counts in no revision
    const same = ctx.idle && !ctx.isWhole && told === now && (!letters || letters[1] === state().dataset.letters), hasLess = ctx.idle && told < hoped;
    if (!isBehind) answered = hasLess ? told : Math.max(answered, told);
    const version = /data-version="(\d+)"/.exec(text);
    isBehind = isBehind && Boolean(version) && Number(version[1]) > newest; // an answer from before the loss is not the last
    if (same || told < now || isOvertaken(ctx)) {
      event.preventDefault();
      event.stopImmediatePropagation();
    }
  });
  document.addEventListener("htmx:before:request", (event) => {
    const { ctx } = event.detail;
    if (isAct(ctx) || !page() || ctx.target !== page() || event.defaultPrevented) return;
    if (!ctx.idle) {
      looks += 1;
      looking += 1;
      lastLook = ctx.request.action;
      ctx.ended = () => { looking = Math.max(0, looking - 1); };
    }
  });

  // What was looked at while an act was on its way is looked at still when the act has its answer: unless that is a refusal.
  document.addEventListener("htmx:after:swap", (event) => {
    const { ctx } = event.detail;
    if (ctx.looks !== undefined && ctx.looks !== looks && page() && !document.getElementById("refused")) navarch.ask("GET", lastLook, into());
  });

  // Why a tap came to nothing stays to be read until the next one: also a refusal that a refresh has taken off the page.
  let refusal = "";
  const said = () => document.getElementById("said");
  function say(what) {
    if (said()) Object.assign(said(), { textContent: said().dataset[what] || what, hidden: false });
  }
  document.addEventListener("htmx:before:request", (event) => {
    if (event.detail.ctx.idle || !said()) return;
    refusal = "";
    said().hidden = true;
  });
  document.addEventListener("htmx:after:swap", () => {
    const now = document.getElementById("refused");
    if (!said()) return;
    if (now) { refusal = now.dataset.says; said().hidden = true; }
    else if (refusal) { say(refusal); refusal = ""; }
  });

  // A tap within half a second after the page changed counts only on what stood there before; the second of two never.
  // Neither is swallowed in silence.
  let changed = -Infinity, before = new Map(), last = "", lastAsks = null, lastAt = -Infinity;
  const flash = (control) => control.animate({ boxShadow: ["0 0 0 .4rem var(--warn)", "0 0 0 0 var(--warn)"] }, 600);
  const keyOf = (control) => control.getAttribute("href") || `${control.id} ${control.name} ${control.value} ${control.textContent}`;
  const placeOf = (control) => { const box = control.getBoundingClientRect(); return [box.x + box.width / 2, box.y + box.height / 2]; };
  const CONTROLS = "[data-live] button:not([type=button]), [data-live] a[data-go], [data-live] summary.ask";
  document.addEventListener("htmx:before:swap", (event) => {
    if (!page() || !event.detail.tasks.some(({ target }) => page().contains(target))) return;
    before = new Map();
    for (const control of document.querySelectorAll(CONTROLS)) before.set(keyOf(control), placeOf(control));
    changed = performance.now();
  });
  document.addEventListener("click", (event) => {
    const control = event.target.closest && event.target.closest(CONTROLS);
    if (!control || event.detail === 0 || control.matches("[data-again]")) return; // keys and steppers are no double taps
    const now = performance.now(), key = keyOf(control), stood = before.get(key);
    const fresh = now - changed < navarch.patience && !(stood && Math.hypot(stood[0] - placeOf(control)[0], stood[1] - placeOf(control)[1]) < 40);
    const asks = control.closest(".asks"); // its second tap is another, in the same place: not so soon after the first
    const twice = (key === last || (asks && asks === lastAsks)) && now - lastAt < navarch.patience && control.tagName !== "A";
    if (fresh || twice) {
      event.preventDefault();
      event.stopImmediatePropagation();
      flash(control);
      say(twice ? "twice" : "moved");
      return;
    }
    last = key;
    lastAsks = asks;
    lastAt = now;
  }, true);

  // While an act is on its way, a form that lets no other act follow takes no tap: that is said, too.
  document.addEventListener("submit", (event) => {
    if (!(acting || lost) || !page() || event.target.getAttribute("hx-sync") !== "this:drop") return;
    event.preventDefault();
    event.stopImmediatePropagation();
    if (event.submitter) flash(event.submitter);
    say("busy");
  }, true);

  document.addEventListener("click", (event) => {
    const said = event.target.closest && event.target.closest("#lost-moves");
    if (said && event.target.closest("button")) said.hidden = true;
  });
  function begin() { listen(); lamp(); }
  document.addEventListener("htmx:after:swap", begin);
  navarch.ready(begin);
  navarch.refresh = refresh;
})();
