// Numbers and switches of a form: the buttons "fewer" and "more" beside a number; without scripts the number is typed.
"use strict";

document.addEventListener("click", (event) => {
  const button = event.target.closest("[data-step]");
  const number = button?.parentElement.querySelector("input[type=number]");
  if (!number) return;
  if (button.dataset.step === "1") number.stepUp();
  else number.stepDown();
  number.dispatchEvent(new Event("change", { bubbles: true }));
});

// An army that is tapped on the map turns the first switch of its leaders to the next of its answers.
document.addEventListener("space", (event) => {
  const army = document.querySelector(`.switches [data-army="${CSS.escape(event.detail)}"]`);
  const [first] = army?.querySelectorAll("input[type=checkbox], input[type=radio]:checked") ?? [];
  if (!first) return;
  const choices = first.type === "radio" ? [...first.form.elements[first.name]] : [first];
  const next = choices[(choices.indexOf(first) + 1) % choices.length];
  next.checked = first.type === "radio" || !first.checked;
  next.dispatchEvent(new Event("change", { bubbles: true }));
  army.scrollIntoView({ block: "nearest" });
  event.preventDefault();
});
