// The goal of an order is dragged (O4.5): where the finger leaves it, the place under it is tapped.
"use strict";

(() => {
  let chart = null;
  const goalAt = ({ clientX, clientY }) => document.elementsFromPoint(clientX, clientY).map((each) => each.closest(".goal")).find(Boolean);
  const mark = (goal) => { for (const each of chart.querySelectorAll(".goal")) each.classList.toggle("under", each === goal); };
  document.addEventListener("pointerdown", (event) => {
    const grip = event.target.closest && event.target.closest(".aim .grip");
    if (!grip || !event.isPrimary) return;
    chart = grip.closest(".taps");
    chart.classList.add("dragging");
    grip.setPointerCapture(event.pointerId);
    event.preventDefault();
  });
  document.addEventListener("pointermove", (event) => { if (chart) mark(goalAt(event)); });
  for (const end of ["pointerup", "pointercancel"]) document.addEventListener(end, (event) => {
    if (!chart) return;
    const goal = end === "pointerup" ? goalAt(event) : null;
    mark(null);
    chart.classList.remove("dragging");
    chart = null;
    if (goal && !goal.classList.contains("chosen")) goal.dispatchEvent(new MouseEvent("click", { bubbles: true, cancelable: true }));
  });
})();
