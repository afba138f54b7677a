// Names and chances on a battle's board: as large on the screen at every zoom, each at the first of its places where it
// covers no ship, ghost, chance or other name, and is cut neither by a card nor at the window's edge. She who was chosen
// comes first, then targets, then the most hurt; a name for which nothing is free waits until its ship is chosen.
"use strict";

(() => {
  const CARD = { wide: 78, high: 46 }, LINE = 15, HULL = 11, BOX = 6; // pixels: a card, a name, its hull, a point of it
  const NEXT = 6, FAR = 22, RING = 38; // pixels between a ship and her name; farther out; units from a target to its card
  const USUAL = 17; // pixels of the page's text when the browser's size is the usual one
  let unit = 0, ink = null; // pixels of usual text for a unit of the board
  const widths = new Map();

  const board = () => document.querySelector("svg.board");
  // Whoever has larger text in the browser gets larger names; the television has a size of its own.
  const large = () => (board()?.closest(".screen") ? 1 : parseFloat(getComputedStyle(document.documentElement).fontSize) / USUAL);
  function wide(text) {
    if (!ink) {
      ink = document.createElement("canvas").getContext("2d");
      ink.font = `700 13px ${getComputedStyle(document.body).fontFamily}`;
    }
    if (!widths.has(text)) widths.set(text, ink.measureText(text).width + 4);
    return widths.get(text);
  }
  const about = (x, y, w, h) => ({ left: x - w / 2, right: x + w / 2, top: y - h / 2, bottom: y + h / 2 });
  const inside = (box, edge) => box.left >= edge.left && box.right <= edge.right && box.top >= edge.top && box.bottom <= edge.bottom;
  const meets = (one, other) => one.left < other.right && other.left < one.right && one.top < other.bottom && other.top < one.bottom;

  // A hull in pixels: the box about her as she lies.
  function hull(tag, ship) {
    const it = tag.dataset;
    const turn = ((Number(ship?.dataset.angle) || 0) * Math.PI) / 180, long = it.long * unit, broad = it.broad * unit * 1.4;
    const w = Math.abs(Math.sin(turn)) * long + Math.abs(Math.cos(turn)) * broad, h = Math.abs(Math.cos(turn)) * long + Math.abs(Math.sin(turn)) * broad;
    const x = Number(ship?.dataset.x ?? it.x) * unit, y = Number(ship?.dataset.y ?? it.y) * unit;
    return { ...about(x, y, w, h), x, y, of: it.of };
  }
  function ghosts(svg) {
    return [...svg.querySelectorAll(".ghosts[transform]")].map((it) => {
      const [x, y] = it.getAttribute("transform").match(/-?[\d.]+/g).map(Number);
      return about(x * unit, y * unit, 50 * unit, 50 * unit);
    });
  }
  // What the window shows, in pixels of usual text.
  function frame(svg) {
    const { clientWidth: w, clientHeight: h } = svg, { x, y, width, height } = svg.viewBox.baseVal;
    const seen = unit / Math.min(w / width, h / height); // names are larger on the television, and with larger text
    return about((x + width / 2) * unit, (y + height / 2) * unit, w * seen, h * seen);
  }
  // The cards that lie over the board, in the same pixels.
  function cards(svg) {
    const { x, y, width } = svg.viewBox.baseVal, seen = (unit * width) / svg.clientWidth;
    return (navarch.cards?.(svg) || []).map((it) => ({ left: x * unit + it.left * seen, right: x * unit + it.right * seen, top: y * unit + it.top * seen, bottom: y * unit + it.bottom * seen }));
  }
  const put = (node, x, y) => {
    node.setAttribute("transform", `translate(${(x / unit).toFixed(1)} ${(y / unit).toFixed(1)}) scale(${(1 / unit).toFixed(4)})`);
    node.removeAttribute("visibility");
  };

  function place() {
    const svg = board();
    if (!svg || !unit) return;
    const ships = new Map([...svg.querySelectorAll("[data-ship]")].map((it) => [it.dataset.ship, it]));
    const edge = frame(svg), over = cards(svg);
    const isCut = (box) => over.some((card) => meets(card, box) && !inside(box, card));
    const isSeen = (box, ship) => (!meets(edge, ship) && !meets(edge, box)) || (inside(box, edge) && !isCut(box));
    const tags = [...svg.querySelectorAll(".name-tag")], hulls = tags.map((tag) => hull(tag, ships.get(tag.dataset.of))), taken = [...hulls, ...ghosts(svg)];
    for (const card of svg.querySelectorAll(".chance")) {
      const x = card.dataset.x * unit, y = card.dataset.y * unit, up = RING * unit + CARD.high / 2, side = RING * unit + CARD.wide / 2;
      const spots = [[0, -up], [0, up], [-side, 0], [side, 0], [-50, -up], [50, -up], [-50, up], [50, up],
        [0, up + FAR], [0, -up - FAR], [-50, up + FAR], [50, up + FAR], [-50, -up - FAR], [50, -up - FAR]];
      const isFree = ([dx, dy]) => !taken.some((it) => meets(it, about(x + dx, y + dy, CARD.wide, CARD.high)));
      const isWhole = ([dx, dy]) => { const it = about(x + dx, y + dy, CARD.wide, CARD.high); return inside(it, edge) && !isCut(it); };
      const [dx, dy] = spots.find((it) => isFree(it) && isWhole(it)) || spots.find(isFree) || spots[0];
      put(card, x + dx, y + dy);
      taken.push(about(x + dx, y + dy, CARD.wide + 2, CARD.high + 2));
    }
    const rankOf = (it) => { const ship = ships.get(it.of); return ship?.classList.contains("selected") ? 0 : ship?.classList.contains("target") ? 1 : 2; };
    const order = tags.map((tag, n) => [rankOf(hulls[n]), Number(tag.dataset.left), tag, hulls[n]]).filter(([, , tag]) => !tag.hasAttribute("data-mute"));
    order.sort((one, other) => one[0] - other[0] || one[1] - other[1]);
    for (const [rank, , tag, it] of order) {
      const name = tag.querySelector(".nm").textContent, boxes = (tag.querySelectorAll("path").length && tag.innerHTML.split("M").length - 1) || 0;
      const w = Math.max(wide(name), boxes * BOX), high = LINE + (boxes ? HULL : 0);
      const half = (it.bottom - it.top) / 2, across = (it.right - it.left) / 2;
      const down = half + NEXT / 2 + high / 2, right = across + NEXT + w / 2, out = (w / 2 + across) * 0.6;
      const spots = [[0, down], [0, -down], [right, 0], [-right, 0], [out, down], [-out, down], [out, -down], [-out, -down],
        [0, down + FAR], [0, -down - FAR], [out, down + FAR], [-out, down + FAR], [out, -down - FAR]];
      const isFree = ([dx, dy]) => isSeen(about(it.x + dx, it.y + dy, w, high), it) && !taken.some((other) => other !== it && meets(other, about(it.x + dx, it.y + dy, w, high)));
      const found = spots.find(isFree) || (rank === 0 ? spots.find(([dx, dy]) => !isCut(about(it.x + dx, it.y + dy, w, high))) : null);
      if (!found) { tag.setAttribute("visibility", "hidden"); continue; }
      const [x, y] = [it.x + found[0], it.y + found[1]];
      put(tag, x, y - high / 2 + 12); // a text stands on its line
      taken.push(about(x, y, w, high));
    }
  }
  document.addEventListener("navarch:framed", (event) => { unit = event.detail / large(); place(); });
  document.addEventListener("htmx:after:swap", place);
})();
