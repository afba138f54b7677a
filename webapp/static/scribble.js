// The photograph of the table: a finger draws lines on it.
"use strict";

(() => {
  const STEP = 5, MOST = 380; // thousandths of the width between two points; points of a line
  let held = null, points = [], line = null;

  const table = () => document.getElementById("table");
  const photo = () => document.querySelector("#table-photo[data-lines]");

  function point(svg, event) {
    const at = new DOMPoint(event.clientX, event.clientY).matrixTransform(svg.getScreenCTM().inverse());
    const low = (n, most) => Math.round(Math.max(0, Math.min(most, n)));
    return [low(at.x, 1000), low(at.y, svg.viewBox.baseVal.height)];
  }
  function show() {
    const lines = document.getElementById("lines");
    if (!lines) return;
    if (!line) {
      line = document.createElementNS("http://www.w3.org/2000/svg", "polyline");
      line.setAttribute("class", "line-over");
    }
    if (line.parentNode !== lines) lines.append(line); // a live update may have brought a new picture
    line.setAttribute("points", points.map((each) => each.join(",")).join(" "));
  }
  document.addEventListener("pointerdown", (event) => {
    const svg = event.target.closest && event.target.closest("#table-photo[data-lines]");
    if (!svg || held !== null) return;
    held = event.pointerId;
    points = [point(svg, event)];
    event.preventDefault();
  });
  document.addEventListener("pointermove", (event) => {
    const svg = photo();
    if (event.pointerId !== held || !svg) return;
    const at = point(svg, event), last = points[points.length - 1];
    if (points.length < MOST && Math.hypot(at[0] - last[0], at[1] - last[1]) >= STEP) { points.push(at); show(); }
  });
  function ended(event) {
    if (event.pointerId !== held) return;
    held = null;
    line = null;
    const svg = photo();
    if (event.type !== "pointerup" || !svg || points.length < 2) return;
    const values = { points: points.map((each) => each.join(",")).join(" "), seen: table().dataset.version, view: "photo" };
    navarch.ask("POST", svg.dataset.lines, { target: "#table", swap: "outerMorph", values });
  }
  document.addEventListener("pointerup", ended);
  document.addEventListener("pointercancel", ended);
})();
