// The buttons "fewer" and "more" beside a number that is to be sent; without scripts the number is typed.
"use strict";

document.addEventListener("click", (event) => {
  const button = event.target.closest("[data-step]");
  const number = button?.parentElement.querySelector("input[type=number]");
  if (!number) return;
  if (button.dataset.step === "1") number.stepUp();
  else number.stepDown();
  number.dispatchEvent(new Event("change", { bubbles: true }));
});
