// The measured sea: the slider, the number and the bow on the board are one angle; a hull shows where she comes to lie.
"use strict";

(() => {
  let held = null; // the pointer that drags the bow
  let swung = false; // the finger that let the bow go taps nothing

  const form = () => document.querySelector("form[data-bearing]");
  const aim = () => document.getElementById("aim");

  function show(from) {
    const all = form(), hull = aim();
    if (!all) return;
    const slide = all.querySelector("[data-slide]"), number = all.querySelector("[data-angle]");
    const value = Math.max(+slide.min, Math.min(+slide.max, Math.round(+from.value || 0)));
    slide.value = value;
    if (from !== number || from.value !== "") number.value = value;
    if (!hull) return;
    const facing = all.dataset.bearing === "facing" ? value : +hull.dataset.facing + value;
    hull.setAttribute("transform", `translate(${hull.dataset.x} ${hull.dataset.y}) rotate(${facing})`);
    hull.classList.add("live");
  }

  document.addEventListener("input", (event) => {
    if (event.target.closest("form[data-bearing]")) show(event.target);
  });

  document.addEventListener("pointerdown", (event) => {
    if (!event.target.closest || !event.target.closest("#aim .bow") || !form()) return;
    held = event.pointerId;
    event.stopImmediatePropagation(); // the board stays where it is
    event.preventDefault();
  }, true);
  document.addEventListener("pointermove", (event) => {
    const hull = aim(), all = form();
    if (event.pointerId !== held || !hull || !all) return;
    event.stopImmediatePropagation();
    const at = new DOMPoint(event.clientX, event.clientY).matrixTransform(hull.ownerSVGElement.getScreenCTM().inverse());
    const to = (Math.atan2(at.x - hull.dataset.x, hull.dataset.y - at.y) * 180) / Math.PI;
    const slide = all.querySelector("[data-slide]");
    if (all.dataset.bearing === "facing") slide.value = (Math.round(to) + 360) % 360;
    else slide.value = ((Math.round(to - hull.dataset.facing) + 540) % 360) - 180;
    show(slide);
  }, true);
  for (const end of ["pointerup", "pointercancel"]) {
    document.addEventListener(end, (event) => {
      if (event.pointerId !== held) return;
      held = null;
      swung = end === "pointerup";
      event.stopImmediatePropagation();
    }, true);
  }
  document.addEventListener("click", (event) => {
    if (!swung || event.detail === 0) return;
    swung = false;
    if (event.target.closest("svg.board")) { event.preventDefault(); event.stopImmediatePropagation(); }
  }, true);
  document.addEventListener("pointerdown", () => { swung = false; }, true);
})();
