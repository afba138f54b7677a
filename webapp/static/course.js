// A course drawn with the finger: from the selected ship through the hexes in reach, on the open sea to any place. The
// server says which hexes may be crossed ([data-to], and [data-hex] for the first step) and makes the course.
"use strict";

(() => {
  const NEAR = 34; // units from the middle of a ship or a hex
  let held = null, way = [], swung = false;

  const board = () => document.querySelector("svg.board[data-draws]");
  const point = (svg, event) => {
    const at = new DOMPoint(event.clientX, event.clientY).matrixTransform(svg.getScreenCTM().inverse());
    return { x: at.x, y: at.y };
  };
  const far = (one, other) => Math.hypot(one.x - other.x, one.y - other.y);
  function ship(svg) {
    const found = svg.querySelector(".ship.selected");
    return found && { x: +found.dataset.x, y: +found.dataset.y };
  }
  function places(svg) {
    const marks = [...svg.querySelectorAll("[data-to]")].map((it) => ({ to: it.dataset.to, x: +it.getAttribute("x"), y: +it.getAttribute("y") }));
    return marks.concat([...svg.querySelectorAll("[data-hex]")].map((it) => ({ to: it.dataset.hex, x: +it.dataset.x, y: +it.dataset.y })));
  }
  function show(svg) {
    let line = svg.querySelector("#drawn");
    if (!line) {
      line = document.createElementNS("http://www.w3.org/2000/svg", "path");
      line.id = "drawn";
      svg.append(line);
    }
    const start = ship(svg);
    line.setAttribute("d", way.length ? `M${start.x} ${start.y}` + way.map((it) => `L${it.x} ${it.y}`).join("") : "");
  }
  function drop() {
    held = null;
    way = [];
    document.getElementById("drawn")?.remove();
  }

  document.addEventListener("pointerdown", (event) => {
    swung = false;
    if (held !== null) { drop(); return; } // a second finger: the board is moved, no course is drawn
    const svg = event.target.closest && event.target.closest("svg.board[data-draws]"), start = svg && ship(svg);
    if (!start || event.target.closest(".bow, button") || far(point(svg, event), start) > NEAR) return;
    held = event.pointerId;
    way = [];
    event.stopImmediatePropagation(); // the board stays where it is
  }, true);
  document.addEventListener("pointermove", (event) => {
    const svg = board(), start = svg && ship(svg);
    if (event.pointerId !== held || !start) return;
    event.stopImmediatePropagation();
    const at = point(svg, event);
    if (svg.dataset.base) {
      const base = Number(svg.dataset.base);
      way = far(at, start) > NEAR ? [{ ...at, to: `${(at.x / base).toFixed(1)},${(at.y / base).toFixed(1)}` }] : [];
    } else if (far(at, start) < NEAR) way = [];
    else {
      const mark = places(svg).find((it) => far(it, at) < NEAR);
      const known = mark ? way.findIndex((it) => it.to === mark.to) : -1;
      if (known >= 0) way.length = known + 1; // the finger went back
      else if (mark) way.push(mark);
    }
    show(svg);
  }, true);
  document.addEventListener("pointerup", (event) => {
    if (event.pointerId !== held) return;
    const svg = board(), drawn = way.map((it) => it.to).join(";");
    held = null;
    swung = way.length > 0;
    if (!svg || !swung) { drop(); return; }
    event.stopImmediatePropagation();
    const table = document.getElementById("table"), line = document.getElementById("with-line");
    const name = svg.querySelector(".ship.selected").dataset.ship, address = document.getElementById("orders").getAttribute("action");
    const values = { ship: name, drawn, seen: table.dataset.version, show: name, view: "board" };
    if (line && line.checked) values.line = "1";
    navarch.ask("POST", address.replace("/command", "/course"), { target: "#table", swap: "outerMorph", values });
  }, true);
  document.addEventListener("pointercancel", (event) => { if (event.pointerId === held) drop(); }, true);
  document.addEventListener("htmx:after:swap", () => { if (held === null) drop(); }); // the answer draws the course itself
  document.addEventListener("click", (event) => {
    if (!swung || event.detail === 0) return;
    swung = false;
    if (event.target.closest("svg.board")) { event.preventDefault(); event.stopImmediatePropagation(); }
  }, true);

  // A tap on a hex in reach, or on the open sea, asks for the course there; a finger need not meet the small mark itself.
  document.addEventListener("click", (event) => {
    const svg = event.target.closest && event.target.closest("svg.board");
    if (!svg || event.defaultPrevented || event.target.closest("a, button, .bow")) return;
    const at = point(svg, event), base = Number(svg.dataset.base);
    const to = base ? `${(at.x / base).toFixed(1)},${(at.y / base).toFixed(1)}` : nearest(svg, at);
    if (!to) return;
    if (document.getElementById("plan")?.dataset.to === to) { document.getElementById("row-there")?.click(); return; }
    const address = new URL(location.href);
    address.searchParams.set("to", to);
    address.searchParams.delete("target");
    navarch.go(address.href);
  });
  function nearest(svg, at) {
    const marks = [...svg.querySelectorAll("[data-to]")].map((it) => ({ to: it.dataset.to, x: +it.getAttribute("x"), y: +it.getAttribute("y") }));
    const found = marks.map((it) => [far(it, at), it.to]).filter(([away]) => away < 32);
    return found.length ? found.sort((one, other) => one[0] - other[0])[0][1] : "";
  }
})();
