// A replay that plays: forward at a pace, by a timeline, and each moment keeps its own address. `?until=` plays a part.
"use strict";

(() => {
  const part = () => document.getElementById("replay"), play = () => document.getElementById("play");
  const REST = 100; // milliseconds
  const asked = new URL(location.href).searchParams, until = Number(asked.get("until")) || Infinity;
  let isPlaying = false, timer = null, wanted = null, resting = null;

  const at = () => Number(part().dataset.number);
  const addressOf = (number) => `${part().dataset.address}/${number}${part().dataset.asked}`;

  // Only the newest wish is shown (static/app.js), and only it moves the timeline: a finger there wishes for many, and one
  // is asked for when the finger rests.
  async function show(number) {
    wanted = number;
    const slide = document.getElementById("slide");
    await navarch.ask("GET", addressOf(number), { source: slide, event: { type: "input" }, target: "#replay", swap: "outerMorph" });
    if (wanted !== number) return;
    wanted = null;
    if (at() === number) history.replaceState(null, "", addressOf(number));
    else isPlaying = false; // it did not come
    dress();
  }
  function go() {
    clearTimeout(timer);
    if (!isPlaying || at() >= Math.min(Number(part().dataset.last), until)) { stop(); return; }
    timer = setTimeout(async () => {
      if (!isPlaying) return;
      await show(Math.min(Number(part().dataset.next), until));
      go();
    }, Number(document.getElementById("pace").value));
  }
  function stop() {
    isPlaying = false;
    clearTimeout(timer);
    clearTimeout(resting);
    dress();
  }
  function dress() {
    for (const it of part().querySelectorAll(".replay-play")) it.hidden = false;
    play().setAttribute("aria-pressed", String(isPlaying));
    play().textContent = isPlaying ? `❚❚ ${play().dataset.stop}` : `▶ ${play().dataset.play}`;
    if (wanted === null) document.getElementById("slide").value = at();
  }
  document.addEventListener("click", (event) => {
    const to = event.target.closest && event.target.closest("#replay a[data-to]");
    if (to && !event.ctrlKey && !event.metaKey && !event.shiftKey) {
      event.preventDefault();
      stop();
      show(Number(to.dataset.to));
      return;
    }
    if (!event.target.closest || !event.target.closest("#play")) return;
    if (isPlaying) { stop(); return; }
    isPlaying = true;
    dress();
    go();
  });
  document.addEventListener("input", (event) => {
    if (event.target.id !== "slide") return;
    wanted = event.target.valueAsNumber;
    stop();
    resting = setTimeout(show, REST, wanted);
  });
  document.addEventListener("keydown", (event) => {
    if (event.key !== " " || /^(INPUT|SELECT|BUTTON|A)$/.test(event.target.tagName)) return;
    event.preventDefault();
    play().click();
  });
  document.addEventListener("htmx:after:swap", dress);
  navarch.ready(() => {
    dress();
    if (until < Infinity) play().click();
  });
})();
