// What happened is shown entry after entry: a step glides, a result rises from its hull, a volley is one sum; a ram throws
// both hulls back, with splinters, foam and oars; who sinks lies awash, and her name is crossed out over the sea. A great
// moment is a line across the whole board, on own tables too, and a victory opens its page. The page itself stands at the
// end at once, so nothing waits for this; a tap anywhere shows the end. Nothing moves for those who have asked their device
// for less motion. (webapp/pages/battle/results.py writes what happened.)
"use strict";

(() => {
  const GLIDE = 180, NEXT = 300, JOLT = 180, RISE = 600, STAYS = 1200, SINKS = 1800, LINE = 2000; // milliseconds
  const still = () => window.matchMedia("(prefers-reduced-motion: reduce)").matches;
  const board = () => document.querySelector("svg.board");
  const gameOf = () => document.getElementById("table")?.dataset.game || location.pathname.split("/")[2];
  const written = () => JSON.parse(document.getElementById("happenings")?.dataset.entries || "[]");
  let places = new Map(), tags = new Map(), hulls = new Map(), boardOf = "", shown = -1, free = 0; // `free`: when what is under way has ended
  let tagged = tags; // the names before the last swap
  let running = new Map(); // the animations of each ship, until the last of them has ended

  const spots = () => new Map([...document.querySelectorAll("svg.board [data-ship]")].map((ship) => [ship.dataset.ship, [Number(ship.dataset.x), Number(ship.dataset.y), Number(ship.dataset.angle)]]));
  const drawn = () => new Map([...document.querySelectorAll("svg.board [data-ship]")].map((ship) => [ship.dataset.ship, ship]));
  const names = () => new Map([...document.querySelectorAll("svg.board .name-tag")].map((it) => [it.dataset.of, { text: it.querySelector(".nm").textContent, at: it.getAttribute("transform"), left: Number(it.dataset.left), x: it.dataset.x, y: it.dataset.y }]));
  const asStyle = (at) => at.replace(/translate\(([-\d.]+)[ ,]+([-\d.]+)\)/, "translate($1px, $2px)");
  const lineOf = () => document.querySelector("p.moment");
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
  // Something that is drawn over the board for a moment, and goes from place to place: x, y, turn, size, how plain it is.
  function draw(kind, name, attributes = {}) {
    const it = document.createElementNS("http://www.w3.org/2000/svg", kind);
    it.classList.add(name);
    for (const [key, value] of Object.entries(attributes)) it.setAttribute(key, value);
    board().append(it);
    return it;
  }
  const placed = ([x, y, turn = 0, size = 1, opacity = 1, more = {}]) => ({ transform: `translate(${x}px, ${y}px) rotate(${turn}rad) scale(${size})`, opacity, ...more });
  function pass(it, stations, delay, duration) {
    const one = it.animate(stations.map(placed), { duration, delay, easing: "ease-out", fill: "both" });
    one.onfinish = () => it.remove();
    return one;
  }
  function rise(words, x, y, delay) {
    const said = draw("text", "lost-hull");
    said.textContent = words;
    pass(said, [[x, y, 0, 1, 0], [x, y, 0, 1, 1, { offset: 0.02 }], [x, y - 40]], delay, RISE).onfinish = () => setTimeout(() => said.remove(), STAYS - RISE);
  }
  // A hull is thrown along a line, and comes back.
  function shove(name, x, y, delay) {
    shipOf(name)?.querySelector(".hit-part")?.animate([{ transform: "none" }, { transform: `translate(${x}px, ${y}px)`, offset: 0.3 }, { transform: "none" }], { duration: JOLT, delay, composite: "add" });
  }
  // A ram along the bow's line, from where she came to whom she struck: both hulls are thrown back, foam and splinters fly,
  // and the oars of the side that was struck snap aft.
  function crash(by, from, name, to, delay) {
    const far = Math.hypot(to[0] - from[0], to[1] - from[1]) || 1, x = (to[0] - from[0]) / far, y = (to[1] - from[1]) / far, mx = to[0] - 13 * x, my = to[1] - 13 * y;
    const turn = (to[2] * Math.PI) / 180, hx = Math.sin(turn), hy = -Math.cos(turn), side = Math.sign(x * hy - y * hx) || 1;
    shove(name, 10 * x, 10 * y, delay);
    shove(by, -6 * x, -6 * y, delay);
    for (const n of [-1, 0, 1]) pass(draw("circle", "crash-foam", { r: 9 }), [[mx + 11 * n * y, my - 11 * n * x, 0, 0.2], [mx + 11 * n * y + 12 * x, my - 11 * n * x + 12 * y, 0, 2, 0]], delay, RISE);
    for (let n = 0; n < 9; n++) {
      const way = Math.atan2(y, x) + (n - 4) / 4, off = 24 + ((n * 37) % 26);
      pass(draw("path", "splinter", { d: `M0 0h${6 + (n % 3) * 4}` }), [[mx, my, way], [mx + off * Math.cos(way), my + off * Math.sin(way), way + 2 + n, 1, 0]], delay, RISE);
    }
    for (let n = 0; n < 6; n++) {
      const a = to[0] + hx * (22 - 9 * n) - side * hy * 9, b = to[1] + hy * (22 - 9 * n) + side * hx * 9, out = side < 0 ? turn + Math.PI : turn;
      pass(draw("path", "snapped", { d: "M0 0h13" }), [[a, b, out], [a - 16 * hx, b - 16 * hy, out + side * 1.5, 1, 0]], delay + 12 * n, RISE);
    }
  }
  // Who is gone lies there for a while: awash and heeling if she sinks, and then her name is crossed out over the sea.
  function leave(name, sinks, [x, y], delay) {
    const hull = hulls.get(name), tag = tagged.get(name);
    const body = hull.cloneNode(true), gone = draw("g", "going");
    body.removeAttribute("transform");
    for (const it of body.querySelectorAll(".todo, .struck")) it.remove();
    for (const it of [body, ...body.querySelectorAll("[id], [data-ship]")]) { it.removeAttribute("id"); delete it.dataset.ship; }
    gone.append(body);
    pass(gone, [[x, y], [x, y, sinks ? 0.12 : 0, 1, 0.75, { offset: 0.4 }], [x, y + 5 * sinks, sinks ? 0.28 : 0, 0.87, 0]], delay, SINKS);
    if (!sinks || !tag) return;
    pass(draw("circle", "gone-ring", { r: 24 }), [[x, y, 0, 0.3, 0], [x, y, 0, 1, 0.7, { offset: 0.5 }], [x, y, 0, 1.5, 0]], delay, SINKS);
    const said = draw("text", "gone-name"), line = draw("path", "gone-line", { pathLength: 1 });
    said.textContent = tag.text;
    const box = said.getBBox();
    y += 30 + box.height / 2; // below her
    line.setAttribute("d", `M${box.x - 4} ${box.y + box.height / 2}h${box.width + 8}`);
    pass(said, [[x, y, 0, 1, 0], [x, y, 0, 1, 1, { offset: 0.15 }], [x, y, 0, 1, 1, { offset: 0.85 }], [x, y, 0, 1, 0]], delay, LINE);
    pass(line, [[x, y, 0, 1, 1, { strokeDashoffset: 1 }], [x, y, 0, 1, 1, { strokeDashoffset: 1, offset: 0.25 }], [x, y, 0, 1, 1, { strokeDashoffset: 0, offset: 0.45 }], [x, y, 0, 1, 1, { strokeDashoffset: 0, offset: 0.85 }], [x, y, 0, 1, 0, { strokeDashoffset: 0 }]], delay, LINE);
  }

  // A great moment: its line stands for two seconds, and longer where none follows to be read.
  const lines = [];
  let telling = 0, isOver = false;
  function tell() {
    const line = lineOf(), next = lines.shift();
    clearTimeout(telling);
    if (!line) return;
    line.hidden = !next;
    if (!next && isOver && line.dataset.result) navarch.open(line.dataset.result); // the victory's page
    isOver = Boolean(next) && (isOver || next[2] === "over");
    if (!next) return;
    const [title, how] = next, big = document.createElement("strong"), small = document.createElement("span");
    big.textContent = title;
    small.textContent = how;
    line.replaceChildren(big, small);
    if (!still()) line.animate([{ opacity: 0, transform: "scaleY(0.4)" }, { opacity: 1, transform: "none" }], { duration: GLIDE, easing: "ease-out" });
    telling = setTimeout(tell, LINE);
  }
  function announce(moments, delay) {
    if (!moments.length || !lineOf()) return;
    setTimeout(() => {
      const rests = lineOf().hidden;
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
    const words = lineOf()?.dataset;
    if (!words) return "";
    const men = dead ? (words[new Intl.PluralRules(document.documentElement.lang).select(dead)] || words.other).replace("#", dead) : "";
    return [[hull ? `−${hull}` : "", men].filter(Boolean).join(", "), "·".repeat(missed)].filter(Boolean).join(" ");
  }

  // Of a replay the page has the one entry that it shows: it is played when the film goes on to it.
  let moment = Infinity;
  const film = () => (document.querySelector("#happenings[data-film]") ? Number(document.getElementById("replay").dataset.number) : null);

  function play() {
    const was = places, game = gameOf(), entries = written(), now = film();
    const fresh = entries.filter(([number]) => (now === null ? number > shown : now > moment));
    moment = now ?? Infinity;
    places = spots();
    tagged = tags;
    tags = names();
    const isNew = game !== boardOf;
    boardOf = game;
    shown = Math.max(isNew ? -1 : shown, ...entries.map(([number]) => number), -1);
    if (!isNew && now === null) fresh.forEach(([, , , moments], place) => announce(moments, still() || !board() ? 0 : (place + 1) * NEXT));
    if (isNew || still() || !board()) return;
    let delay = Math.max(0, free - performance.now());
    const at = new Map(was), ends = new Map(), struck = new Set();
    let eye = null; // where the camera is to look: the last great moment, or else the last result
    const last = new Map(fresh.flatMap(([number, moves]) => moves.map(([name]) => [name, number])));
    for (const [number, moves, said, moments] of summed(fresh)) {
      for (const [name, x, y, angle] of moves) {
        const from = at.get(name), end = places.get(name);
        if (!from) continue;
        const to = last.get(name) === number && end ? end : [x ?? from[0], y ?? from[1], angle ?? from[2]];
        go(name, from, to, delay);
        at.set(name, to);
        ends.set(name, delay);
      }
      const after = moves.length ? delay + GLIDE : delay, risen = new Map();
      for (const [name, words, , , kind, by] of said) {
        const spot = at.get(name) || places.get(name), [x, y] = spot || [];
        if (x === undefined) continue;
        const goes = (kind === "sunk" || kind === "withdrawn") && hulls.has(name) && !hulls.get(name).isConnected;
        if (goes) leave(name, kind === "sunk", spot, after);
        else rise(words, x, y + 26 * (risen.get(name) || 0), after);
        const from = (kind === "ram" || kind === "rake") && at.get(by);
        if (from) crash(by, from, name, spot, after);
        else shove(name, 4, -3, after);
        if (!eye || !eye.great || moments.length) eye = { x, y, great: moments.length > 0 };
        risen.set(name, (risen.get(name) || 0) + 1);
        struck.add(name);
      }
      delay += NEXT;
    }
    for (const [name, to] of places) if (was.has(name) && !ends.has(name) && String(was.get(name)) !== String(to) && !running.has(name)) go(name, was.get(name), to, 0);
    if (fresh.length) free = performance.now() + delay;
    if (eye) document.dispatchEvent(new CustomEvent("navarch:happened", { detail: eye }));
    for (const [name, tag] of tags) {
      const before = tagged.get(name), it = document.querySelector(`svg.board .name-tag[data-of="${CSS.escape(name)}"]`);
      if (!before || !tag.at || !before.at) continue;
      if (tag.left < before.left && !struck.has(name) && now === null) rise(`−${before.left - tag.left}`, tag.x, tag.y, 0);
      if (before.x !== tag.x || before.y !== tag.y) animate(`name of ${name}`, it, [{ transform: asStyle(before.at) }, { transform: asStyle(tag.at) }], ends.get(name) || 0);
    }
  }
  // A tap shows the end of all that is still to come.
  document.addEventListener("pointerdown", () => {
    if (lineOf() && !lineOf().hidden) tell();
    if (free <= performance.now()) return;
    free = 0;
    for (const it of board()?.getAnimations({ subtree: true }) || []) it.finish();
  }, true);
  document.addEventListener("htmx:before:swap", () => { places = spots(); tags = names(); hulls = drawn(); });
  document.addEventListener("htmx:after:swap", play); // at once: a frame later the ship has been seen at her goal
  navarch.ready(play);
})();
