// Drawing a position: a tap on the board is sent at once (draft.js sends it, and what is changed in a field).
"use strict";

(() => {
  const form = document.getElementById("draw");
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
    if (ship && !lays) window.navarch.draw("pick." + ship.dataset.ship);
    else if (board.dataset.sea) window.navarch.draw("tap." + atSea(board, event));
    else if (cell) window.navarch.draw("tap." + cell.dataset.at);
  });
})();
