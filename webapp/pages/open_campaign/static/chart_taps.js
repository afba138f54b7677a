// A sea chart is one button: where it is tapped goes with the request. The goal of an order is dragged (O4.5, M8): where
// the finger leaves it, the chart is tapped.
"use strict";

(() => {
  document.addEventListener("htmx:config:request", (event) => {
    const { request } = event.detail.ctx, by = request.submitter;
    if (by?.type !== "image") return;
    request.body.delete(by.name);
    for (const [name, value] of new FormData(by.form, by)) if (name.startsWith(`${by.name}.`)) request.body.set(name, value);
  });
  let aim = null, from = null;
  const at = ({ clientX, clientY }) => new DOMPoint(clientX, clientY).matrixTransform(aim.ownerSVGElement.getScreenCTM().inverse());
  document.addEventListener("pointerdown", (event) => {
    const grip = event.target.closest && event.target.closest(".aim .grip");
    if (!grip || !event.isPrimary) return;
    aim = grip.closest(".aim");
    from = at(event);
    aim.ownerSVGElement.classList.add("dragging");
    grip.setPointerCapture(event.pointerId);
    event.preventDefault();
  });
  document.addEventListener("pointermove", (event) => {
    if (aim) aim.setAttribute("transform", `translate(${at(event).x - from.x} ${at(event).y - from.y})`);
  });
  for (const end of ["pointerup", "pointercancel"]) document.addEventListener(end, ({ type, clientX, clientY }) => {
    if (!aim) return;
    const chart = aim.ownerSVGElement;
    aim.removeAttribute("transform");
    chart.classList.remove("dragging");
    aim = null;
    if (type === "pointerup") chart.querySelector(".tap")?.dispatchEvent(new MouseEvent("click", { bubbles: true, cancelable: true, clientX, clientY, view: window }));
  });
})();
