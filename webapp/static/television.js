// The television: the camera goes to what happens and back, and a banner says what it was. It rests on both fleets, so
// near that their ships are large; where not all find room so, on most of them, and while the turn is played on the thickest
// of the fight. A victory's page follows its banner. Without motion all is there at once, and goes as it came.
"use strict";

(() => {
  const HEX = 62.4, NAME = 24 / 13; // units of a hex; a name on the television to one on a tablet
  const FIGHT = 4 * HEX + 1, LEAST = 66; // units within which two enemies are in the fight; pixels of a ship at 1280
  const ENOUGH = 0.6; // of each fleet are to be seen, if need be in smaller ships
  const SLIDE = 500, HOLD = 4500; // milliseconds
  const still = () => window.matchMedia("(prefers-reduced-motion: reduce)").matches;
  const stage = () => document.querySelector(".screen-board"), board = () => document.querySelector("svg.board");
  let shown = null, at = null, sliding = 0, ending = 0;

  // The part of the map about some places: in the window's shape, at least `least` and at most `most` broad, and where the
  // map has room never beyond its edge.
  function about(points, margin, least, most = Infinity) {
    const svg = board(), [left, top, wide, high] = svg.dataset.home.split(" ").map(Number), frame = svg.getBoundingClientRect();
    const xs = points.map(([x]) => x), ys = points.map(([, y]) => y), shape = frame.width / frame.height;
    const needs = Math.max(Math.max(...xs) - Math.min(...xs) + 2 * margin, (Math.max(...ys) - Math.min(...ys) + 2 * margin) * shape);
    const w = Math.min(most, Math.max(least, needs)), h = w / shape;
    const inside = (middle, size, start, whole) => (size > whole ? middle - size / 2 : Math.min(start + whole - size, Math.max(start, middle - size / 2)));
    return [inside((Math.max(...xs) + Math.min(...xs)) / 2, w, left, wide), inside((Math.max(...ys) + Math.min(...ys)) / 2, h, top, high), w, h];
  }
  const fleets = () => [...document.querySelectorAll("svg.board [data-of]:not([data-prize])")].map((it) => [Number(it.dataset.x), Number(it.dataset.y), it.dataset.side]);
  // The ship that has most others about her, one of them an enemy, and those others.
  function fight() {
    const all = fleets(), near = ([x, y]) => all.filter((it) => Math.hypot(it[0] - x, it[1] - y) <= FIGHT);
    const groups = all.map((it) => near(it).filter((_, __, some) => some.some(([, , side]) => side !== it[2])));
    return groups.reduce((most, it) => (it.length > most.length ? it : most), []);
  }
  const isIn = ([x, y], [left, top, wide, high]) => x > left && x < left + wide && y > top && y < top + high;
  function rest() {
    const all = fleets(), box = whole(), some = stage().dataset.rest === "fight" && !all.every((it) => isIn(it, box)) ? fight() : [];
    return some.length ? about(some, 1.1 * HEX, 7 * HEX, near()) : box;
  }
  const near = () => (1280 * (Number(board().dataset.long) || 54)) / LEAST; // units of the map across a window of large ships
  function whole() {
    const [left, top, wide, high] = board().dataset.home.split(" ").map(Number), all = fleets();
    if (!all.length) return about([[left, top], [left + wide, top + high]], 0, 0);
    const far = about(all, 0.7 * HEX, 7 * HEX), sides = [...new Set(all.map(([, , side]) => side))].map((side) => all.filter((it) => it[2] === side));
    for (let most = near(); most < far[2]; most *= 1.1) {
      const box = about(all, 0.7 * HEX, 7 * HEX, most);
      if (sides.every((ships) => ships.filter((it) => isIn(it, box)).length >= ENOUGH * ships.length)) return box;
    }
    return far;
  }
  function put(box) {
    const svg = board();
    at = box;
    svg.setAttribute("viewBox", box.map((n) => n.toFixed(1)).join(" "));
    const unit = svg.clientWidth / box[2], names = NAME * Math.max(1, svg.clientWidth / 1280);
    svg.style.setProperty("--pixel", `${(1 / unit).toFixed(4)}px`);
    document.dispatchEvent(new CustomEvent("navarch:framed", { detail: unit / names }));
  }
  function slide(to) {
    cancelAnimationFrame(sliding);
    if (still() || !at) { put(to); return; }
    const from = at, began = performance.now();
    const frame = (now) => {
      const part = Math.min(1, (now - began) / SLIDE), eased = 1 - (1 - part) ** 3;
      put(from.map((n, place) => n + (to[place] - n) * eased));
      if (part < 1) sliding = requestAnimationFrame(frame);
    };
    sliding = requestAnimationFrame(frame);
  }
  const hasMap = () => Boolean(board()?.dataset.home);
  function end() {
    const banner = document.getElementById("banner"), won = document.getElementById("won");
    if (banner) banner.hidden = true;
    if (won) won.hidden = false;
    if (hasMap()) slide(rest());
  }
  function play() {
    const number = Number(stage()?.dataset.number ?? -1), banner = document.getElementById("banner");
    const isNew = shown !== null && number > shown, isFirst = shown === null;
    shown = Math.max(shown ?? -1, number);
    if (!isNew) {
      if (hasMap()) put(isFirst ? rest() : at); // a swap has put the whole map back
      if (isFirst || !banner || banner.hidden) end();
      return;
    }
    const spots = (stage().dataset.focus || "").split(" ").filter(Boolean).map(Number);
    const points = spots.flatMap((x, place) => (place % 2 ? [] : [[x, spots[place + 1]]]));
    if (hasMap() && points.length) slide(about(points.flatMap(([x, y]) => [[x, y], [x, y + 1.2 * HEX]]), 1.1 * HEX, 7 * HEX)); // the banner lies below
    if (banner) {
      banner.hidden = false;
      if (!still()) banner.animate([{ transform: "translateY(120%)" }, { transform: "none" }], { duration: SLIDE, easing: "ease-out" });
    }
    clearTimeout(ending);
    ending = setTimeout(end, HOLD);
  }
  document.addEventListener("htmx:after:swap", play);
  window.addEventListener("resize", () => { if (hasMap()) put(rest()); });
  navarch.ready(play);
})();
