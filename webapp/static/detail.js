// How finely the ships of a board are drawn: by the pixels of a quinquereme's length (webapp/static/ships.css).
"use strict";

(() => {
  const LONG = 58, FULL = 72, HALF = 36; // units of a quinquereme; pixels from which all, and half of her oars are drawn
  function tell() {
    for (const svg of document.querySelectorAll("svg.board")) {
      const box = svg.viewBox.baseVal;
      if (!box || !box.width || !svg.clientWidth) continue;
      const long = LONG * Math.min(svg.clientWidth / box.width, svg.clientHeight / box.height);
      svg.classList.toggle("half-size", long < FULL && long >= HALF);
      svg.classList.toggle("small-size", long < HALF);
    }
  }
  new MutationObserver(tell).observe(document.documentElement, { subtree: true, attributeFilter: ["viewBox"] });
  window.addEventListener("resize", tell);
  document.addEventListener("DOMContentLoaded", tell);
  document.addEventListener("htmx:after:settle", tell);
  tell();
})();
