// Picks one boarding fight out of the tables below it. The tables come from the server: nothing is reckoned here.
"use strict";
const picker = document.getElementById("pick");
if (picker) {
  const told = document.getElementById("picked");
  const pick = () => {
    const form = new FormData(picker);
    const grid = document.querySelector(`[data-fight="${form.get("attacker")}-${form.get("defender")}"]`);
    const cell = grid && grid.querySelector(`[data-a="${form.get("a")}"][data-d="${form.get("d")}"]`);
    told.textContent = cell ? cell.title : "";
  };
  picker.hidden = false;
  picker.addEventListener("change", pick);
  pick();
}
