// The sheet at the bottom of an upright screen has three heights: a tap on the grip goes to the next, a drag to the one
// that lies in its direction. The height is kept while this tab is open.
"use strict";

(() => {
  const HEIGHTS = ["low", "middle", "tall"], KEY = "navarch-sheet", FAR = 24; // pixels
  const table = () => document.getElementById("table");
  const now = () => (HEIGHTS.includes(table().dataset.sheet) ? table().dataset.sheet : "middle");
  let held = null, dragged = false;

  function put(height) {
    table().dataset.sheet = height;
    try { sessionStorage.setItem(KEY, height); } catch { /* a private window keeps nothing */ }
  }
  document.addEventListener("pointerdown", (event) => {
    const grip = event.target.closest && event.target.closest("#grip");
    if (!grip) return;
    held = event.clientY;
    dragged = false;
    grip.setPointerCapture(event.pointerId);
  });
  document.addEventListener("pointerup", (event) => {
    if (held === null) return;
    const up = held - event.clientY, place = HEIGHTS.indexOf(now());
    held = null;
    dragged = Math.abs(up) >= FAR;
    if (dragged) put(HEIGHTS[Math.max(0, Math.min(2, place + (up > 0 ? 1 : -1)))]);
  });
  // A tap counts when it has ended: else what comes to lie under the finger would be tapped with it.
  document.addEventListener("click", (event) => {
    if (event.target.id === "grip" && !dragged) put(HEIGHTS[(HEIGHTS.indexOf(now()) + 1) % 3]);
  });
  document.addEventListener("pointercancel", () => { held = null; });
  document.addEventListener("keydown", (event) => {
    if (event.target.id !== "grip" || !["Enter", " ", "ArrowUp", "ArrowDown"].includes(event.key)) return;
    event.preventDefault();
    const place = HEIGHTS.indexOf(now());
    put(HEIGHTS[event.key === "ArrowUp" ? Math.min(2, place + 1) : event.key === "ArrowDown" ? Math.max(0, place - 1) : (place + 1) % 3]);
  });
  navarch.ready(() => { try { if (table()) table().dataset.sheet = sessionStorage.getItem(KEY) || "middle"; } catch { /* as above */ } });
})();
