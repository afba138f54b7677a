// Drawing a campaign: a tap on the map is sent at once (draft.js sends it, and what is changed in a field).
"use strict";

document.getElementById("map").addEventListener("space", (event) => {
  event.preventDefault();
  window.navarch.draw("tap." + event.detail);
});
