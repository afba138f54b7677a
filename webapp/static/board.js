// Pinch, drag and wheel on a map only; the view is kept when the picture is swapped. Used by battles and campaigns:
// any <svg class="board" viewBox data-home>, with buttons [data-zoom="in|out|fit"] near it.
"use strict";

(() => {
  const NEAR = 0.55; // shown part of the board below which hex numbers appear
  const NAMED = 0.55; // pixels for a unit from which names find room
  const LETTER = 13; // pixels of a name
  const TAPPED = 44, SHIP = 58; // pixels a ship wants to be tapped, units that it has
  let view = null; // the view box that the reader has chosen; null is the whole board
  let whole = false; // the reader asked for the whole board, so a small screen stays there
  let followed = "";
  let dragged = false;
  const fingers = new Map();

  const board = () => document.querySelector("svg.board");
  const eyeOf = (svg) => svg.querySelector("[data-at]")?.dataset.at || ""; // where the board looks
  const home = (svg) => svg.dataset.home.split(" ").map(Number);
  const now = (svg) => view || home(svg);

  // Pixels that a unit of the drawing has on the screen.
  const scale = (svg, box) => Math.min(svg.clientWidth / box[2], svg.clientHeight / box[3]);

  function show(svg) {
    const box = now(svg), all = home(svg), unit = scale(svg, box);
    const frames = box.map((n) => n.toFixed(1)).join(" ");
    if (svg.getAttribute("viewBox") !== frames) svg.setAttribute("viewBox", frames); // the same again lays all out anew
    svg.classList.toggle("near", unit > NEAR * 1.35 || (view !== null && box[2] < all[2] * NEAR));
    svg.classList.toggle("names", unit > NAMED);
    svg.style.setProperty("--name-size", Math.min(26, Math.max(9, LETTER / unit)).toFixed(1) + "px");
    const small = document.getElementById("overview"), frame = small && small.querySelector(".window");
    if (!frame) return;
    small.toggleAttribute("hidden", view === null);
    ["x", "y", "width", "height"].forEach((name, place) => frame.setAttribute(name, box[place].toFixed(0)));
  }
  // A tap on the small board leads there.
  document.addEventListener("pointerdown", (event) => {
    const small = event.target.closest && event.target.closest("#overview"), svg = board();
    if (!small || !svg || !view) return;
    const [x, y] = point(small, event.clientX, event.clientY);
    view = clamp(svg, [x - view[2] / 2, y - view[3] / 2, view[2], view[3]]);
    show(svg);
  });
  function zoom(svg, factor, x, y) {
    const whole = home(svg), box = now(svg);
    const width = Math.min(whole[2] * 1.15, Math.max(260, box[2] * factor)), by = width / box[2];
    view = clamp(svg, [x - (x - box[0]) * by, y - (y - box[1]) * by, width, box[3] * by]);
    if (width >= whole[2]) view = null;
    show(svg);
  }
  function clamp(svg, box) {
    const whole = home(svg);
    const keep = (at, size, start, all) => Math.min(start + all - size * 0.25, Math.max(start - size * 0.75, at));
    return [keep(box[0], box[2], whole[0], whole[2]), keep(box[1], box[3], whole[1], whole[3]), box[2], box[3]];
  }
  function point(svg, x, y) {
    const at = new DOMPoint(x, y).matrixTransform(svg.getScreenCTM().inverse());
    return [at.x, at.y];
  }
  function pan(svg, from, to) {
    const box = now(svg);
    view = clamp(svg, [box[0] + from[0] - to[0], box[1] + from[1] - to[1], box[2], box[3]]);
    show(svg);
  }

  document.addEventListener("pointerdown", (event) => {
    const svg = event.target.closest && event.target.closest("svg.board");
    if (!svg) return;
    if (fingers.size === 0) dragged = false;
    fingers.set(event.pointerId, { x: event.clientX, y: event.clientY, startX: event.clientX, startY: event.clientY });
  });
  document.addEventListener("pointermove", (event) => {
    const finger = fingers.get(event.pointerId), svg = board();
    if (!finger || !svg) return;
    if (!dragged && Math.hypot(event.clientX - finger.startX, event.clientY - finger.startY) < 9 && fingers.size < 2) return;
    dragged = true;
    const others = [...fingers.entries()].filter(([id]) => id !== event.pointerId).map(([, each]) => each);
    const before = point(svg, finger.x, finger.y);
    if (others.length) {
      const other = others[0];
      const was = Math.hypot(finger.x - other.x, finger.y - other.y), is = Math.hypot(event.clientX - other.x, event.clientY - other.y);
      const middle = point(svg, (finger.x + other.x) / 2, (finger.y + other.y) / 2);
      const moved = point(svg, (event.clientX + other.x) / 2, (event.clientY + other.y) / 2);
      pan(svg, middle, moved);
      if (was > 10 && is > 10) zoom(svg, was / is, middle[0], middle[1]);
    } else pan(svg, before, point(svg, event.clientX, event.clientY));
    finger.x = event.clientX; finger.y = event.clientY;
  });
  for (const end of ["pointerup", "pointercancel"]) {
    document.addEventListener(end, (event) => fingers.delete(event.pointerId));
  }
  // A tap on a hex in reach, or on the open sea, asks for the course there; a finger need not meet the small mark itself.
  document.addEventListener("click", (event) => {
    const svg = event.target.closest && event.target.closest("svg.board");
    if (!svg || event.defaultPrevented || event.target.closest("a, button, .bow")) return;
    const at = point(svg, event.clientX, event.clientY);
    const to = !svg.dataset.base ? nearest(svg, at) : at.map((n) => (n / Number(svg.dataset.base)).toFixed(1)).join(",");
    if (!to) return;
    if (document.getElementById("plan")?.dataset.to === to) { document.getElementById("row-there")?.click(); return; }
    const address = new URL(location.href);
    address.searchParams.set("to", to);
    address.searchParams.delete("target");
    navarch.go(address.href);
  });
  function nearest(svg, at) {
    const away = (mark) => Math.hypot(mark.getAttribute("x") - at[0], mark.getAttribute("y") - 7 - at[1]);
    const found = [...svg.querySelectorAll("[data-to]")].map((mark) => [away(mark), mark.dataset.to]).filter(([far]) => far < 32);
    return found.length ? found.sort((one, other) => one[0] - other[0])[0][1] : "";
  }
  // A drag that ends on a ship or a ghost is not a tap.
  document.addEventListener("click", (event) => {
    if (dragged && event.target.closest("svg.board")) { event.preventDefault(); event.stopImmediatePropagation(); }
    dragged = false;
    const button = event.target.closest("[data-zoom]"), svg = board(), shown = event.target.closest("[data-eye]");
    if (shown && svg && view) {
      const [x, y] = shown.dataset.eye.split(" ").map(Number);
      view = clamp(svg, [x - view[2] / 2, y - view[3] / 2, view[2], view[3]]);
      show(svg);
    }
    if (!button || !svg) return;
    const box = now(svg), eye = eyeOf(svg).split(" ").map(Number);
    const seen = eye.length === 2 && eye[0] > box[0] && eye[1] > box[1] && eye[0] < box[0] + box[2] && eye[1] < box[1] + box[3];
    const [x, y] = seen ? eye : [box[0] + box[2] / 2, box[1] + box[3] / 2];
    if (button.dataset.zoom === "fit") { view = null; whole = true; show(svg); }
    else zoom(svg, button.dataset.zoom === "in" ? 0.66 : 1.5, x, y);
  }, true);
  document.addEventListener("wheel", (event) => {
    const svg = event.target.closest && event.target.closest("svg.board");
    if (!svg || svg.hasAttribute("data-fixed")) return;
    event.preventDefault();
    const [x, y] = point(svg, event.clientX, event.clientY);
    zoom(svg, event.deltaY > 0 ? 1.15 : 0.87, x, y);
  }, { passive: false });

  // What is selected comes into view. Where ships would be too small to tap, the board goes close to it, once, unless the
  // reader wants the whole.
  function follow(svg) {
    const at = eyeOf(svg);
    if (!at || at === followed) return;
    followed = at;
    const [x, y] = at.split(" ").map(Number), all = home(svg);
    if (!view && !whole && scale(svg, all) * SHIP < TAPPED) {
      const unit = (TAPPED * 1.1) / SHIP, width = svg.clientWidth / unit, height = svg.clientHeight / unit;
      if (width < all[2]) view = clamp(svg, [x - width / 2, y - height / 2, width, height]);
    }
    const out = view && (x < view[0] + 40 || y < view[1] + 40 || x > view[0] + view[2] - 40 || y > view[1] + view[3] - 40);
    if (out) view = clamp(svg, [x - view[2] / 2, y - view[3] / 2, view[2], view[3]]);
  }
  const restore = () => { const svg = board(); if (svg) { follow(svg); show(svg); } };
  document.addEventListener("htmx:after:swap", restore);
  window.addEventListener("resize", restore);
  navarch.ready(restore);
})();
