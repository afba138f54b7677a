// Pointing at a place of the board: the button arms, the next tap on the board points there before all or the own side
// alone, or measures. What others point at goes by itself after some seconds, also where a swap brings it again.
"use strict";

(() => {
  const LASTS = 8000;
  let armed = false, what = "";
  const seen = new Map(); // when this page first showed each ping

  const bar = () => document.getElementById("point-bar");
  function show() {
    const it = bar(), button = document.getElementById("arm");
    armed = armed && Boolean(it);
    if (!it) return;
    const choices = [...it.querySelectorAll("[data-point]")];
    if (!choices.some((each) => each.dataset.point === what)) what = choices[0].dataset.point;
    for (const each of choices) each.setAttribute("aria-pressed", String(each.dataset.point === what));
    it.hidden = !armed;
    button?.setAttribute("aria-pressed", String(armed));
  }
  function arm(on) { armed = on; show(); }

  function fade() {
    const now = performance.now();
    for (const mark of document.querySelectorAll("[data-ping]")) {
      const name = mark.dataset.ping;
      if (!seen.has(name)) {
        seen.set(name, now);
        setTimeout(fade, LASTS + 20);
      }
      if (now - seen.get(name) >= LASTS) mark.remove();
    }
    const said = document.getElementById("pinged");
    if (said && !said.children.length) said.remove();
  }

  function point(svg, event) {
    const at = new DOMPoint(event.clientX, event.clientY).matrixTransform(svg.getScreenCTM().inverse());
    return `${at.x.toFixed(1)},${at.y.toFixed(1)}`;
  }
  document.addEventListener("click", (event) => {
    const at = event.target.closest ? event.target : document.body, choice = at.closest("[data-point]");
    if (at.closest("[data-arm]")) { arm(!armed); return; }
    if (choice) { what = choice.dataset.point; show(); return; }
    const svg = at.closest("svg.board");
    if (!armed || !svg || !bar()) return;
    event.preventDefault();
    event.stopImmediatePropagation(); // what lies there is pointed at, not chosen
    const place = point(svg, event), addresses = bar().dataset;
    const kept = Object.fromEntries(new FormData(document.getElementById("orders")));
    arm(false);
    if (what === "ruler") {
      const link = document.createElement("a");
      link.href = `${addresses.ruler}&at=${place}&ship=${encodeURIComponent(kept.show)}`;
      link.setAttribute("data-panel", "");
      document.body.append(link);
      link.click();
      link.remove();
      return;
    }
    navarch.ask("POST", addresses.pings, { target: "#table", swap: "outerMorph", values: { ...kept, at: place, to: what } });
  }, true);
  document.addEventListener("keydown", (event) => { if (armed && event.key === "Escape") arm(false); });

  function begin() { show(); fade(); }
  document.addEventListener("htmx:after:swap", begin);
  navarch.ready(begin);
})();
