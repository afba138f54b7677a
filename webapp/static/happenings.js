// What happened is shown entry after entry: a step glides, a result rises from its hull, a ram jolts, a volley is one sum, and
// a great moment is a line across the whole board, on own tables too. The page itself stands at the end at once, so nothing waits for this; a tap anywhere shows the end. Nothing moves for those who have asked their
// device for less motion. (webapp/pages/battle/results.py writes what happened.)
"use strict";

(() => {
  const GLIDE = 180, NEXT = 300, JOLT = 160, RISE = 600, STAYS = 1200, LINE = 2000; // milliseconds
  const still = () => window.matchMedia("(prefers-reduced-motion: reduce)").matches;
  const board = () => document.querySelector("svg.board");
  const gameOf = () => document.getElementById("table")?.dataset.game || location.pathname.split("/")[2];
  const written = () => JSON.parse(document.getElementById("happenings")?.dataset.entries || "[]");
  let places = new Map(), tags = new Map(), boardOf = "", shown = -1, free = 0; // `free`: when what is under way has ended
  let running = new Map(); // the animations of each ship, until the last of them has ended

  const spots = () => new Map([...document.querySelectorAll("svg.board [data-ship]")].map((ship) => [ship.dataset.ship, [Number(ship.dataset.x), Number(ship.dataset.y), Number(ship.dataset.angle)]]));
  const names = () => new Map([...document.querySelectorAll("svg.board .name-tag")].map((it) => [it.dataset.of, { at: it.getAttribute("transform"), left: Number(it.dataset.left), x: it.dataset.x, y: it.dataset.y }]));
  const asStyle = (at) => at.replace(/translate\(([-\d.]+)[ ,]+([-\d.]+)\)/, "translate($1px, $2px)");
  const shipOf = (name) => document.querySelector(`svg.board [data-ship="${CSS.escape(name)}"]`);

  // A ship waits where she was until her turn comes, and where she came to until her next.
  function animate(name, it, frames, delay, duration = GLIDE) {
    const all = running.get(name) || [];
    const waits = all.some((one) => one.effect.target === it);
    const one = it.animate(frames, { duration, delay, easing: "ease-out", fill: waits ? "forwards" : "both" });
    running.set(name, [...all, one]);
    one.onfinish = () => {
      if (running.get(name)?.some((other) => other.playState !== "finished")) return;
      for (const other of running.get(name) || []) other.cancel();
      running.delete(name);
    };
  }
  function go(name, from, to, delay) {
    const ship = shipOf(name), turn = ((from[2] - to[2] + 540) % 360) - 180, hull = ship?.querySelector(".hit-part");
    if (!ship) return;
    const rest = to[2] - Number(ship.dataset.angle); // degrees that she still has to turn
    if (from[0] !== to[0] || from[1] !== to[1] || turn) animate(name, ship, [{ transform: `translate(${from[0]}px, ${from[1]}px)` }, { transform: `translate(${to[0]}px, ${to[1]}px)` }], delay);
    if (hull && turn) animate(name, hull, [{ transform: `rotate(${rest + turn}deg)` }, { transform: `rotate(${rest}deg)` }], delay);
  }
  function rise(words, x, y, delay) {
    const said = document.createElementNS("http://www.w3.org/2000/svg", "text"), end = { transform: `translate(${x}px, ${y - 40}px)`, opacity: 1 };
    said.classList.add("lost-hull");
    said.textContent = words;
    board().append(said);
    const up = said.animate([{ transform: `translate(${x}px, ${y}px)`, opacity: 0 }, { transform: `translate(${x}px, ${y}px)`, opacity: 1, offset: 0.02 }, end], { duration: RISE, delay, easing: "ease-out", fill: "both" });
    up.onfinish = () => setTimeout(() => said.remove(), STAYS - RISE);
  }
  function jolt(name, delay) {
    shipOf(name)?.querySelector(".hit-part")?.animate([{ transform: "translate(0, 0)" }, { transform: "translate(5px, -3px)" }, { transform: "translate(-4px, 3px)" }, { transform: "translate(0, 0)" }], { duration: JOLT, delay });
  }

  // A great moment: its line stands for two seconds, and longer where none follows to be read.
  const lines = [];
  let telling = 0;
  function tell() {
    const line = document.getElementById("moment"), next = lines.shift();
    clearTimeout(telling);
    if (!line) return;
    line.hidden = !next;
    if (!next) return;
    const [title, how] = next, big = document.createElement("strong"), small = document.createElement("span");
    big.textContent = title;
    small.textContent = how;
    line.replaceChildren(big, small);
    if (!still()) line.animate([{ opacity: 0, transform: "scaleY(0.4)" }, { opacity: 1, transform: "none" }], { duration: GLIDE, easing: "ease-out" });
    telling = setTimeout(tell, LINE);
  }
  function announce(moments, delay) {
    if (!moments.length || !document.getElementById("moment")) return;
    setTimeout(() => {
      const rests = document.getElementById("moment").hidden;
      lines.push(...moments);
      if (rests) tell();
    }, delay);
  }

  // The volleys at one ship that follow one another rise as one: what they did together, and a dot for each that missed.
  function summed(fresh) {
    const found = fresh.map(([number, moves, said, moments]) => [number, moves, [...said], moments]), runs = new Map();
    for (const [, , said] of found) for (const word of [...said]) {
      const [name, , hull, dead] = word;
      if (hull === null) { runs.delete(name); continue; }
      const run = runs.get(name) || { hull: 0, dead: 0, missed: 0, shots: 0, place: null };
      if (run.place) run.place.splice(run.place.indexOf(run.word), 1);
      Object.assign(run, { hull: run.hull + hull, dead: run.dead + dead, missed: run.missed + !(hull || dead), shots: run.shots + 1, place: said, word });
      runs.set(name, run);
      if (run.shots > 1) word[1] = volley(run) || word[1];
    }
    return found;
  }
  function volley({ hull, dead, missed }) {
    const words = document.getElementById("moment")?.dataset;
    if (!words) return "";
    const men = dead ? (words[new Intl.PluralRules(document.documentElement.lang).select(dead)] || words.other).replace("#", dead) : "";
    return [[hull ? `−${hull}` : "", men].filter(Boolean).join(", "), "·".repeat(missed)].filter(Boolean).join(" ");
  }

  // Of a replay the page has the one entry that it shows: it is played when the film goes on to it.
  let moment = Infinity;
  const film = () => (document.querySelector("#happenings[data-film]") ? Number(document.getElementById("replay").dataset.number) : null);

  function play() {
    const was = places, tagged = tags, game = gameOf(), entries = written(), now = film();
    const fresh = entries.filter(([number]) => (now === null ? number > shown : now > moment));
    moment = now ?? Infinity;
    places = spots();
    tags = names();
    const isNew = game !== boardOf;
    boardOf = game;
    shown = Math.max(isNew ? -1 : shown, ...entries.map(([number]) => number), -1);
    if (!isNew && now === null) fresh.forEach(([, , , moments], place) => announce(moments, still() || !board() ? 0 : (place + 1) * NEXT));
    if (isNew || still() || !board()) return;
    let delay = Math.max(0, free - performance.now());
    const at = new Map(was), ends = new Map(), struck = new Set();
    const last = new Map(fresh.flatMap(([number, moves]) => moves.map(([name]) => [name, number])));
    for (const [number, moves, said] of summed(fresh)) {
      for (const [name, x, y, angle] of moves) {
        const from = at.get(name), end = places.get(name);
        if (!from) continue;
        const to = last.get(name) === number && end ? end : [x ?? from[0], y ?? from[1], angle ?? from[2]];
        go(name, from, to, delay);
        at.set(name, to);
        ends.set(name, delay);
      }
      const after = moves.length ? delay + GLIDE : delay, risen = new Map();
      for (const [name, words] of said) {
        const [x, y] = at.get(name) || places.get(name) || [];
        if (x === undefined) continue;
        rise(words, x, y + 26 * (risen.get(name) || 0), after);
        jolt(name, after);
        risen.set(name, (risen.get(name) || 0) + 1);
        struck.add(name);
      }
      delay += NEXT;
    }
    for (const [name, to] of places) if (was.has(name) && !ends.has(name) && String(was.get(name)) !== String(to) && !running.has(name)) go(name, was.get(name), to, 0);
    if (fresh.length) free = performance.now() + delay;
    for (const [name, tag] of tags) {
      const before = tagged.get(name), it = document.querySelector(`svg.board .name-tag[data-of="${CSS.escape(name)}"]`);
      if (!before || !tag.at || !before.at) continue;
      if (tag.left < before.left && !struck.has(name) && now === null) rise(`−${before.left - tag.left}`, tag.x, tag.y, 0);
      if (before.x !== tag.x || before.y !== tag.y) animate(`name of ${name}`, it, [{ transform: asStyle(before.at) }, { transform: asStyle(tag.at) }], ends.get(name) || 0);
    }
  }
  // A tap shows the end of all that is still to come.
  document.addEventListener("pointerdown", () => {
    if (!document.getElementById("moment")?.hidden) tell();
    if (free <= performance.now()) return;
    free = 0;
    for (const it of board()?.getAnimations({ subtree: true }) || []) it.finish();
  }, true);
  document.addEventListener("htmx:before:swap", () => { places = spots(); tags = names(); });
  document.addEventListener("htmx:after:swap", play); // at once: a frame later the ship has been seen at her goal
  navarch.ready(play);
})();
