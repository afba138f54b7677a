// A form that is drawn upon: what is tapped, or changed in a field, is sent at once; the form stays, its inside comes new.
"use strict";

(() => {
  const form = document.getElementById("draw");

  // What is tapped is a button for a moment, so that taps that come while one is under way wait for their turn.
  window.navarch.draw = (value) => {
    const button = document.createElement("button");
    button.name = "do";
    button.value = value;
    button.hidden = true;
    form.append(button);
    form.requestSubmit(button);
    button.remove();
  };
  form.addEventListener("change", (event) => {
    if (event.target.matches("[data-now]")) window.navarch.draw("apply");
  });
  form.addEventListener("keydown", (event) => {
    if (event.key === "Enter" && event.target.matches("input[data-now]")) { event.preventDefault(); event.target.blur(); }
  });
  document.getElementById("leave").addEventListener("submit", (event) => {
    event.target.elements.title.value = form.elements.title.value; // what was typed last may still be under way
  });
})();
