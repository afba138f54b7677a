// The camera over a battle's board. It moves when a finger moves it, when one of its buttons or arrows is tapped, and when
// the ship that was chosen, or one to whom something has happened, lies under a card or outside the window: then by the
// least that brings her out, and not while a finger is down or an order is looked at. It never zooms by itself. What no
// card covers is the free part of the board; the map's edge goes no farther in than the free part's. Who lies outside it
// is counted at an arrow on its edge.
"use strict";

(() => {
  const HEX = 62.4, BASE_LEAST = 28, BASE_MOST = 150; // units of a hex; pixels that it may be high
  const MINE = 48, PHONE = 32, FIRST = 40; // pixels that a quinquereme has at least in "my fleet" (on a phone), and where the page begins
  const NARROW = 500; // pixels of a phone's free part
  const FIGHT = 4 * HEX + 1; // units within which two enemies are in the fight
  const INSIDE = 60, GLIDE = 200, GAP = 8, TAPPED = 9; // pixels from the free part's edge, milliseconds, pixels
  const RESTS = 2500; // milliseconds after a finger has moved the board in which nothing else moves it
  const ARROWS = { left: "◂", right: "▸", top: "▴", bottom: "▾" };
  const CARDS = ".top, .cameras, .side, .strip, .told, .replay-card";
  let box = null; // what the window shows of the map: left, top, and pixels for a unit
  let middle = null; // the middle of the free part, in pixels, when the window had its size
  let touched = -Infinity, happened = null; // when a finger last moved the board; the place of what has happened
  let followed = "", chosen = "", shownUnit = 0, sliding = 0; // `sliding` is 0 while nothing moves

  const board = () => document.querySelector("svg.board");
  const still = () => window.matchMedia("(prefers-reduced-motion: reduce)").matches;
  const map = (svg) => svg.dataset.home.split(" ").map(Number);
  const key = () => `navarch-camera ${document.getElementById("table")?.dataset.game || location.pathname.split("/").slice(0, 3).join("/")}`;

  // The free part: left, top, right, bottom in pixels of the board. Each card says which side it takes away.
  function free(svg) {
    const frame = svg.getBoundingClientRect();
    const part = { left: GAP, top: GAP, right: frame.width - GAP, bottom: frame.height - GAP };
    for (const card of document.querySelectorAll(CARDS)) {
      const it = card.getBoundingClientRect(), style = getComputedStyle(card), lies = style.getPropertyValue("--lies").trim();
      if (!it.width || !lies || style.visibility === "hidden") continue;
      if (lies === "top") part.top = Math.max(part.top, it.bottom - frame.top + GAP);
      if (lies === "bottom") part.bottom = Math.min(part.bottom, it.top - frame.top - GAP);
      if (lies === "left") part.left = Math.max(part.left, it.right - frame.left + GAP);
      if (lies === "right") part.right = Math.min(part.right, it.left - frame.left - GAP);
    }
    return part;
  }
  // What lies over the board: the rectangles of its cards, in pixels of the board.
  navarch.cards = (svg) => {
    const frame = svg.getBoundingClientRect(), found = [];
    for (const card of document.querySelectorAll(`${CARDS}, .head-card, .tray-acts > *, #eyes > *`)) {
      const it = card.getBoundingClientRect(), style = getComputedStyle(card);
      if (it.width && style.visibility !== "hidden" && style.pointerEvents !== "none") found.push({ left: it.left - frame.left, right: it.right - frame.left, top: it.top - frame.top, bottom: it.bottom - frame.top });
    }
    return found;
  };
  const centre = (part) => ({ x: (part.left + part.right) / 2, y: (part.top + part.bottom) / 2 });
  const limits = (whole) => [Math.min(BASE_LEAST / HEX, whole), BASE_MOST / HEX];
  const fitting = (part, wide, high) => Math.min((part.right - part.left) / wide, (part.bottom - part.top) / high);

  // The map's edge stays at or outside the free part's; a map that is smaller than that lies in its middle.
  function clamp(svg, it, part = free(svg)) {
    const [left, top, wide, high] = map(svg);
    const along = (at, start, size, from, to) => {
      const first = start - from / it.unit, last = start + size - to / it.unit;
      return first > last ? (first + last) / 2 : Math.min(last, Math.max(first, at));
    };
    return { left: along(it.left, left, wide, part.left, part.right), top: along(it.top, top, high, part.top, part.bottom), unit: it.unit };
  }
  function show(svg, it) {
    box = it;
    const said = [it.left, it.top, svg.clientWidth / it.unit, svg.clientHeight / it.unit].map((n) => n.toFixed(2)).join(" ");
    if (svg.getAttribute("viewBox") !== said) svg.setAttribute("viewBox", said); // the same again lays all out anew
    svg.classList.toggle("near", it.unit > 0.72);
    if (it.unit === shownUnit) return;
    shownUnit = it.unit;
    svg.style.setProperty("--pixel", `${(1 / it.unit).toFixed(4)}px`);
    frame();
  }
  // Names find their places anew: they are cut at no edge of what the window now shows.
  function frame() { if (!sliding) point(); document.dispatchEvent(new CustomEvent("navarch:framed", { detail: box.unit })); }
  function keep(svg) {
    middle = centre(free(svg));
    const said = JSON.stringify({ x: box.left + middle.x / box.unit, y: box.top + middle.y / box.unit, unit: box.unit, chosen });
    try { sessionStorage.setItem(key(), said); } catch { /* a private window keeps nothing */ }
  }
  function press(name) {
    chosen = name;
    for (const each of document.querySelectorAll("[data-camera]")) each.setAttribute("aria-pressed", String(each.dataset.camera === name));
  }
  function halt() {
    cancelAnimationFrame(sliding);
    sliding = 0;
  }
  function slide(svg, to) {
    halt();
    const from = box, began = performance.now();
    if (still() || !from) { show(svg, to); frame(); return; }
    const glide = (now) => {
      const part = Math.min(1, (now - began) / GLIDE), eased = 1 - (1 - part) ** 3;
      show(svg, { left: from.left + (to.left - from.left) * eased, top: from.top + (to.top - from.top) * eased, unit: part < 1 ? from.unit + (to.unit - from.unit) * eased : to.unit });
      sliding = part < 1 ? requestAnimationFrame(glide) : 0;
      if (!sliding) frame();
    };
    sliding = requestAnimationFrame(glide);
  }

  // The three buttons. The ships stand as the names' anchors: those that are afloat and no prize.
  const ships = (svg) => [...svg.querySelectorAll("[data-of]:not([data-prize])")].map((it) => ({ x: +it.dataset.x, y: +it.dataset.y, side: it.dataset.side, isMine: it.hasAttribute("data-mine") }));
  function fighting(all) {
    const near = (one) => all.some((other) => other.side !== one.side && Math.hypot(other.x - one.x, other.y - one.y) <= FIGHT);
    return all.filter(near);
  }
  function wanted(svg, name) {
    const all = ships(svg), mine = all.filter((it) => it.isMine);
    const some = name === "mine" ? mine : name === "fight" ? fighting(all) : all;
    return some.length ? some : all;
  }
  function looking(svg, name) {
    const part = free(svg), [left, top, wide, high] = map(svg), some = wanted(svg, name), long = Number(svg.dataset.long) || 54;
    const xs = some.map((it) => it.x), ys = some.map((it) => it.y);
    const ends = some.length ? [Math.min(...xs) - HEX, Math.min(...ys) - HEX, Math.max(...xs) + HEX, Math.max(...ys) + HEX] : [left, top, left + wide, top + high];
    const fits = fitting(part, ends[2] - ends[0], ends[3] - ends[1]), [least, most] = limits(fits);
    let unit = Math.min(most, Math.max(least, fits)), at = { x: (ends[0] + ends[2]) / 2, y: (ends[1] + ends[3]) / 2 };
    const enough = (part.right - part.left < NARROW ? PHONE : MINE) / long;
    if (name === "mine" && unit < enough) { // a long line: she who acts, and her neighbours
      unit = enough;
      const hers = eyeOf(svg) || at;
      const inside = (value, low, high_, size) => (high_ - low <= size ? (low + high_) / 2 : Math.min(high_ - size / 2, Math.max(low + size / 2, value)));
      at = { x: inside(hers.x, ends[0], ends[2], (part.right - part.left) / unit), y: inside(hers.y, ends[1], ends[3], (part.bottom - part.top) / unit) };
    }
    const mid = centre(part);
    return clamp(svg, { left: at.x - mid.x / unit, top: at.y - mid.y / unit, unit }, part);
  }
  // A button's light goes out when ships that a tap on it would show lie outside the window. A film has no buttons.
  function dim(svg) {
    if (!chosen || sliding || !document.getElementById("cameras")) return;
    const all = wanted(svg, chosen), isOff = (value, size) => value < 0 || value > size;
    const misses = (it) => all.some(({ x, y }) => isOff((x - it.left) * it.unit, svg.clientWidth) || isOff((y - it.top) * it.unit, svg.clientHeight));
    if (misses(box) && !misses(looking(svg, chosen))) press("");
  }
  function begin(svg) {
    const long = Number(svg.dataset.long) || 54, both = looking(svg, "both");
    const name = both.unit * long >= FIRST || !svg.querySelector("[data-mine]") ? "both" : "mine";
    press(name);
    show(svg, name === "both" ? both : looking(svg, name));
  }
  function remembered(svg) {
    let said = null;
    try { said = JSON.parse(sessionStorage.getItem(key())); } catch { /* as if for the first time */ }
    if (!said || !(said.unit > 0)) return false;
    const part = free(svg), mid = centre(part), all = ships(svg);
    const eye = clamp(svg, { left: said.x - mid.x / said.unit, top: said.y - mid.y / said.unit, unit: said.unit });
    const sees = ({ x, y }) => (x - eye.left) * eye.unit > part.left && (x - eye.left) * eye.unit < part.right && (y - eye.top) * eye.unit > part.top && (y - eye.top) * eye.unit < part.bottom;
    if (all.length && !all.some(sees)) return false; // the fleets have left the water that was looked at
    press(said.chosen || "");
    show(svg, eye);
    return true;
  }

  // At each edge of the free part the number of ships beyond it that are not seen, and where something has happened.
  function point() {
    const svg = board(), eyes = document.getElementById("eyes");
    eyes?.replaceChildren();
    if (!svg || !eyes || !box) return;
    const part = free(svg), cards = navarch.cards(svg), { clientWidth: wide, clientHeight: high } = svg, beyond = { left: [], right: [], top: [], bottom: [] };
    const isSeen = (x, y) => x > 0 && y > 0 && x < wide && y < high && !cards.some((it) => x > it.left && x < it.right && y > it.top && y < it.bottom);
    const spots = [...ships(svg), ...(happened ? [{ ...happened, isFight: true }] : [])].map((it) => ({ ...it, sx: (it.x - box.left) * box.unit, sy: (it.y - box.top) * box.unit }));
    for (const it of spots) {
      const { sx: x, sy: y } = it;
      const off = Object.entries({ left: part.left - x, right: x - part.right, top: part.top - y, bottom: y - part.bottom }).sort((one, other) => other[1] - one[1])[0];
      if (off[1] > 0 && !isSeen(x, y)) beyond[off[0]].push({ ...it, far: off[1] });
      else if (it.isFight) happened = null;
    }
    const mean = (all, key) => all.reduce((sum, it) => sum + it[key], 0) / all.length;
    // Along an edge as near as may be to where they lie, over nothing that may be tapped and if possible over no ship.
    const within = (value, low, most, isFree) => {
      const all = [0, 60, -60, 120, -120, 180, -180, 240, -240].map((far) => Math.min(most - 50, Math.max(low + 50, value + far)));
      return all.find((at) => isFree(at, [...spots, ...tapped])) ?? all.find((at) => isFree(at, tapped));
    };
    const frame = svg.getBoundingClientRect(), tapped = [...svg.querySelectorAll("[data-to], .ghosts, .chance")].map((it) => {
      const at = it.getBoundingClientRect();
      return { sx: at.x + at.width / 2 - frame.x, sy: at.y + at.height / 2 - frame.y };
    });
    const isBare = (x, y, all) => !all.some((it) => Math.abs(it.sx - x) < 75 && Math.abs(it.sy - y) < 50);
    for (const [side, all] of Object.entries(beyond)) {
      if (!all.length) continue;
      all.sort((one, other) => one.far - other.far); // it leads to the nearest
      const arrow = document.createElement("button"), fights = all.filter((it) => it.isFight), aims = fights.length ? fights : all.slice(0, 1);
      const words = [["mine", all.filter((it) => it.isMine).length], ["foes", all.filter((it) => !it.isMine && !it.isFight).length]].filter(([, count]) => count);
      arrow.type = "button";
      arrow.className = `eye ${side}${fights.length ? " fight" : ""}`;
      arrow.dataset.eye = `${mean(aims, "x")} ${mean(aims, "y")}`;
      arrow.append(ARROWS[side]);
      for (const [kind, count] of words) arrow.append(Object.assign(document.createElement("span"), { className: kind, textContent: eyes.dataset[kind].replace("#", count) }));
      if (fights.length) arrow.setAttribute("aria-label", [eyes.dataset.fight, ...words.map(([kind, count]) => eyes.dataset[kind].replace("#", count))].join(", "));
      const isUpright = side === "left" || side === "right", x = isUpright ? part[side] : within(mean(aims, "sx"), part.left, part.right, (at, all) => isBare(at, part[side], all));
      const y = isUpright ? within(mean(aims, "sy"), part.top, part.bottom, (at, all) => isBare(x, at, all)) : part[side];
      if (x === undefined || y === undefined) continue; // there is no room for it now
      arrow.style.translate = `${x.toFixed(0)}px ${y.toFixed(0)}px`;
      eyes.append(arrow);
    }
  }

  // The chosen ship comes out from under a card, by the least.
  function eyeOf(svg) {
    const at = svg.querySelector("[data-at]")?.dataset.at;
    if (!at) return null;
    const [x, y] = at.split(" ").map(Number);
    return { x, y };
  }
  function follow(svg) {
    const at = eyeOf(svg), said = svg.querySelector("[data-at]")?.dataset.at || "";
    if (said === followed) return;
    followed = said;
    if (at) bring(svg, at);
  }
  function bring(svg, at) {
    const part = free(svg), x = (at.x - box.left) * box.unit, y = (at.y - box.top) * box.unit;
    const off = (value, low, high) => (high - low < 2 * INSIDE ? value - (low + high) / 2 : value < low + INSIDE ? value - low - INSIDE : value > high - INSIDE ? value - high + INSIDE : 0);
    if (x > part.left && x < part.right && y > part.top && y < part.bottom) return;
    const to = clamp(svg, { left: box.left + off(x, part.left, part.right) / box.unit, top: box.top + off(y, part.top, part.bottom) / box.unit, unit: box.unit }, part);
    slide(svg, to);
    box = to;
    keep(svg);
  }

  // A result is brought into sight as she is; while somebody plans or has just moved the board, an arrow tells of it.
  document.addEventListener("navarch:happened", ({ detail }) => {
    const svg = board(), isPlanning = fingers.size || performance.now() - touched < RESTS || document.querySelector("#plan, section#aim, .tray .asks[open]");
    if (!svg || !box) return;
    happened = detail;
    if (!isPlanning) bring(svg, detail);
    point();
  });

  // Fingers, wheel, keys
  const fingers = new Map();
  let dragged = false;
  function move(svg, dx, dy) { show(svg, clamp(svg, { left: box.left - dx / box.unit, top: box.top - dy / box.unit, unit: box.unit })); }
  function zoom(svg, by, x, y) {
    const [least, most] = limits(box.unit), unit = Math.min(most, Math.max(least, box.unit * by));
    if (unit === box.unit) return;
    press("");
    show(svg, clamp(svg, { left: box.left + x / box.unit - x / unit, top: box.top + y / box.unit - y / unit, unit }));
  }
  const spot = (svg, x, y) => { const frame = svg.getBoundingClientRect(); return [x - frame.left, y - frame.top]; };

  document.addEventListener("pointerdown", (event) => {
    const svg = event.target.closest && event.target.closest("svg.board");
    if (!svg || !box) return;
    halt();
    if (fingers.size === 0) dragged = false;
    fingers.set(event.pointerId, { x: event.clientX, y: event.clientY, startX: event.clientX, startY: event.clientY });
  });
  document.addEventListener("pointermove", (event) => {
    const finger = fingers.get(event.pointerId), svg = board();
    if (!finger || !svg) return;
    if (!dragged && Math.hypot(event.clientX - finger.startX, event.clientY - finger.startY) < TAPPED && fingers.size < 2) return;
    if (!dragged) press("");
    dragged = true;
    const other = [...fingers].find(([id]) => id !== event.pointerId)?.[1];
    if (other) {
      const was = Math.hypot(finger.x - other.x, finger.y - other.y), is = Math.hypot(event.clientX - other.x, event.clientY - other.y);
      move(svg, (event.clientX - finger.x) / 2, (event.clientY - finger.y) / 2);
      if (was > 10 && is > 10) zoom(svg, is / was, ...spot(svg, (event.clientX + other.x) / 2, (event.clientY + other.y) / 2));
    } else move(svg, event.clientX - finger.x, event.clientY - finger.y);
    finger.x = event.clientX;
    finger.y = event.clientY;
  });
  for (const end of ["pointerup", "pointercancel"]) {
    document.addEventListener(end, (event) => {
      if (fingers.delete(event.pointerId) && dragged && board() && box) { touched = performance.now(); keep(board()); frame(); }
    });
  }
  // A drag that ends on a ship or a ghost is not a tap.
  document.addEventListener("click", (event) => {
    if (dragged && event.target.closest("svg.board")) { event.preventDefault(); event.stopImmediatePropagation(); }
    dragged = false;
    const svg = board(), more = event.target.closest("#cameras-more"), button = event.target.closest("[data-camera]"), shown = event.target.closest("[data-eye]");
    const list = document.getElementById("cameras-more");
    if (list && (more || button || !event.target.closest("#cameras"))) list.setAttribute("aria-expanded", String(Boolean(more) && list.getAttribute("aria-expanded") !== "true"));
    if (!svg || !box) return;
    if (button) {
      press(button.dataset.camera);
      const to = looking(svg, button.dataset.camera);
      slide(svg, to);
      box = to;
      keep(svg);
    }
    if (shown) {
      const [x, y] = shown.dataset.eye.split(" ").map(Number), mid = centre(free(svg));
      slide(svg, clamp(svg, { left: x - mid.x / box.unit, top: y - mid.y / box.unit, unit: box.unit }));
    }
  }, true);
  document.addEventListener("wheel", (event) => {
    const svg = event.target.closest && event.target.closest("svg.board");
    if (!svg || !box) return;
    event.preventDefault();
    zoom(svg, event.deltaY > 0 ? 0.87 : 1.15, ...spot(svg, event.clientX, event.clientY));
    keep(svg);
  }, { passive: false });
  document.addEventListener("keydown", (event) => {
    const svg = board();
    if (!svg || !box || event.ctrlKey || event.metaKey || event.altKey || /^(INPUT|SELECT|TEXTAREA)$/.test(event.target.tagName)) return;
    const by = { "+": 1.25, "=": 1.25, "-": 0.8 }[event.key];
    if (!by) return;
    const mid = centre(free(svg));
    zoom(svg, by, mid.x, mid.y);
    keep(svg);
  });

  // After a swap all is where it was; in a window of another size the same place is in the middle, as near as before.
  function restore() {
    const svg = board();
    if (!svg) point();
    if (!svg || !svg.clientWidth || !svg.dataset.home) return;
    if (!box) {
      if (!remembered(svg)) begin(svg);
      keep(svg);
    } else show(svg, box);
    press(chosen);
    follow(svg);
    dim(svg);
    point();
  }
  document.addEventListener("htmx:after:swap", restore);
  window.addEventListener("resize", () => {
    const svg = board();
    if (!svg || !box || !svg.clientWidth) return;
    const x = box.left + middle.x / box.unit, y = box.top + middle.y / box.unit, mid = centre(free(svg));
    const hasButtons = document.getElementById("cameras"); // a film has none: what it showed is fitted to the new window
    show(svg, chosen && !hasButtons ? looking(svg, chosen) : clamp(svg, { left: x - mid.x / box.unit, top: y - mid.y / box.unit, unit: box.unit }));
    keep(svg);
    frame();
    followed = ""; // the chosen ship may be outside a window that was turned
    follow(svg);
    dim(svg);
  });
  navarch.ready(restore);
})();
