// Drawing a position: a tap on the board, or a field that was changed, is sent at once; the form stays, its inside comes new.
"use strict";

(() => {
  const form = document.getElementById("draw");

  // What is tapped is a button for a moment, so that taps that come while one is under way wait for their turn.
  function say(value) {
    const button = document.createElement("button");
    button.name = "do";
    button.value = value;
    button.hidden = true;
    form.append(button);
    form.requestSubmit(button);
    button.remove();
  }
  function atSea(board, event) {
    const point = new DOMPoint(event.clientX, event.clientY).matrixTransform(board.getScreenCTM().inverse());
    const scale = Number(board.dataset.sea);
    return (point.x / scale).toFixed(2) + "," + (point.y / scale).toFixed(2);
  }
  form.addEventListener("click", (event) => {
    const board = event.target.closest("svg[data-board]");
    if (!board) return;
    const ship = event.target.closest("[data-ship]"), cell = event.target.closest("[data-at]");
    const lays = ["land", "wreck", "coast"].includes(board.dataset.tool);
    if (ship && !lays) say("pick." + ship.dataset.ship);
    else if (board.dataset.sea) say("tap." + atSea(board, event));
    else if (cell) say("tap." + cell.dataset.at);
    else if (ship) say("tap." + ship.dataset.on);
  });
  form.addEventListener("change", (event) => {
    if (event.target.matches("[data-now]")) say("apply");
  });
  document.getElementById("leave").addEventListener("submit", (event) => {
    event.target.elements.title.value = form.elements.title.value; // what was typed last may still be under way
  });
  form.addEventListener("keydown", (event) => {
    if (event.key === "Enter" && event.target.matches("input[data-now]")) { event.preventDefault(); event.target.blur(); }
  });
})();
