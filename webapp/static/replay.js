// A replay that plays: forward at a pace, by a slider, and each moment keeps its own address.
"use strict";

(() => {
  const part = () => document.getElementById("replay");
  let playing = false, pace = "1200", timer = null;

  async function show(number) {
    const address = part().dataset.address.replace(/replay\/\d+/, "replay/" + number);
    try {
      const text = await (await fetch(address)).text();
      const found = new DOMParser().parseFromString(text, "text/html").getElementById("replay");
      if (!found) return;
      part().replaceWith(document.importNode(found, true));
      history.replaceState(null, "", address);
      dress();
    } catch { playing = false; dress(); }
  }
  function next() {
    clearTimeout(timer);
    const here = Number(part().dataset.number), last = Number(part().dataset.last);
    if (!playing || here >= last) { playing = false; dress(); return; }
    timer = setTimeout(async () => { if (playing) { await show(here + 1); next(); } }, Number(pace));
  }
  function dress() {
    const bar = part().querySelector(".replay-play"), play = document.getElementById("play");
    bar.hidden = false;
    document.getElementById("pace").value = pace;
    if (playing) play.textContent = play.dataset.stop;
    document.dispatchEvent(new Event("htmx:after:swap")); // the board's view is kept
  }
  document.addEventListener("click", (event) => {
    const to = event.target.closest && event.target.closest("#replay a[data-to]");
    if (to && !event.ctrlKey && !event.metaKey && !event.shiftKey) {
      event.preventDefault();
      playing = false;
      show(Number(to.dataset.to));
      return;
    }
    if (event.target.id !== "play") return;
    playing = !playing;
    if (playing) { event.target.textContent = event.target.dataset.stop; next(); } else show(Number(part().dataset.number));
  });
  document.addEventListener("change", (event) => {
    if (event.target.id === "pace") pace = event.target.value;
    if (event.target.id === "slide") { playing = false; show(Number(event.target.value)); }
  });
  navarch.ready(dress);
})();
