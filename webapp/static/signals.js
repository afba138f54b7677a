// What a player must not miss: a step glides, a ram jolts, and, if wished for, a sound and a buzz say "your turn" and "you
// are hit". Nothing moves for those who have asked their device for less motion.
"use strict";

(() => {
  const GLIDE = 180, JOLT = 160, RISE = 600; // milliseconds
  const still = () => window.matchMedia("(prefers-reduced-motion: reduce)").matches;
  const table = () => document.getElementById("table");
  let places = new Map(), tagged = new Map(), boardOf = "", newest = null, hurts = null, mine = null;

  const spots = () => new Map([...document.querySelectorAll("svg.board [data-ship]")].map((ship) => [ship.dataset.ship, [Number(ship.dataset.x), Number(ship.dataset.y), Number(ship.dataset.angle)]]));

  function glide() {
    const game = table()?.dataset.game || "", was = places;
    places = spots();
    if (still() || game !== boardOf) { boardOf = game; return; }
    for (const ship of document.querySelectorAll("svg.board [data-ship]")) {
      const from = was.get(ship.dataset.ship), to = places.get(ship.dataset.ship);
      if (!from || (from[0] === to[0] && from[1] === to[1] && from[2] === to[2])) continue;
      ship.animate([{ transform: `translate(${from[0]}px, ${from[1]}px)` }, { transform: `translate(${to[0]}px, ${to[1]}px)` }], { duration: GLIDE, easing: "ease-out" });
      const turn = (((from[2] - to[2] + 540) % 360) - 180), hull = ship.querySelector(".body");
      if (hull && turn) hull.animate([{ transform: `rotate(${to[2] + turn}deg)` }, { transform: `rotate(${to[2]}deg)` }], { duration: GLIDE, easing: "ease-out" });
    }
  }
  // A name goes with its ship, and what she has lost rises from her hull.
  const names = () => new Map([...document.querySelectorAll("svg.board .name-tag")].map((it) => [it.dataset.of, { at: it.getAttribute("transform"), left: Number(it.dataset.left), x: it.dataset.x, y: it.dataset.y }]));
  const asStyle = (at) => at.replace(/translate\(([-\d.]+)[ ,]+([-\d.]+)\)/, "translate($1px, $2px)");
  function lose(lost, { x, y }) {
    const board = document.querySelector("svg.board"), said = document.createElementNS("http://www.w3.org/2000/svg", "text");
    said.classList.add("lost-hull");
    said.textContent = `−${lost}`;
    board.append(said);
    said.animate([{ transform: `translate(${x}px, ${y}px)`, opacity: 1 }, { transform: `translate(${x}px, ${y - 40}px)`, opacity: 1 }], { duration: RISE, easing: "ease-out", fill: "forwards" });
    setTimeout(() => said.remove(), 2 * RISE);
  }
  function follow() {
    const was = tagged;
    tagged = names();
    if (still()) return;
    for (const [name, now] of tagged) {
      const before = was.get(name);
      if (!before || !now.at || !before.at) continue;
      if (now.left < before.left) lose(before.left - now.left, now);
      const it = document.querySelector(`svg.board .name-tag[data-of="${CSS.escape(name)}"]`);
      if (before.x !== now.x || before.y !== now.y) it.animate([{ transform: asStyle(before.at) }, { transform: asStyle(now.at) }], { duration: GLIDE, easing: "ease-out" });
    }
  }
  function jolt(ships) {
    if (still()) return;
    for (const name of ships) {
      const ship = document.querySelector(`svg.board [data-ship="${CSS.escape(name)}"] .hit-part`);
      ship?.animate([{ transform: "translate(0, 0)" }, { transform: "translate(5px, -3px)" }, { transform: "translate(-4px, 3px)" }, { transform: "translate(0, 0)" }], { duration: JOLT });
    }
  }

  // Sound and buzz: wished for in the menu, kept on this tablet.
  const KEY = "navarch-signals";
  let audio = null;
  const wished = () => { try { return localStorage.getItem(KEY) === "1"; } catch { return false; } };
  function tone(pitches) {
    if (!wished()) return;
    audio = audio || new (window.AudioContext || window.webkitAudioContext)();
    audio.resume?.();
    pitches.forEach((pitch, number) => {
      const voice = audio.createOscillator(), loud = audio.createGain(), at = audio.currentTime + number * 0.16;
      voice.frequency.value = pitch;
      loud.gain.setValueAtTime(0.0001, at);
      loud.gain.exponentialRampToValueAtTime(0.25, at + 0.02);
      loud.gain.exponentialRampToValueAtTime(0.0001, at + 0.15);
      voice.connect(loud).connect(audio.destination);
      voice.start(at);
      voice.stop(at + 0.16);
    });
  }
  function buzz(pattern) { if (wished()) navigator.vibrate?.(pattern); }

  function signal() {
    const root = table(), results = document.getElementById("results");
    if (!root) return;
    const now = Number(results?.dataset.newest || 0), hit = Number(results?.dataset.hurts || 0), turn = root.dataset.mine === "1";
    if (newest !== null) {
      if (now > newest) jolt((results.dataset.ships || "").split(" ").filter(Boolean));
      if (hit > hurts) { tone([196, 147]); buzz([120, 60, 120]); document.documentElement.dataset.signal = "hit"; }
      else if (turn && !mine) { tone([523, 659]); buzz(80); document.documentElement.dataset.signal = "turn"; }
    }
    newest = Math.max(newest || 0, now);
    hurts = Math.max(hurts || 0, hit);
    mine = turn;
    const box = document.getElementById("signals");
    if (box) box.checked = wished();
  }
  document.addEventListener("change", (event) => {
    if (event.target.id !== "signals") return;
    try { localStorage.setItem(KEY, event.target.checked ? "1" : "0"); } catch { /* a private window keeps nothing */ }
    tone([523, 659]);
  });
  document.addEventListener("htmx:before:swap", () => { places = spots(); tagged = names(); });
  function begin() { glide(); follow(); signal(); }
  document.addEventListener("htmx:after:swap", begin); // at once: a frame later the ship has been seen at her goal
  navarch.ready(begin);
})();
