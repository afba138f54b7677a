// A replay that plays: forward at a pace, by a timeline, and each moment keeps its own address. `?until=` plays a part.
"use strict";

(() => {
  const part = () => document.getElementById("replay"), play = () => document.getElementById("play");
  const asked = new URL(location.href).searchParams, until = Number(asked.get("until")) || Infinity;
  let isPlaying = false, timer = null, wanted = null, isAsking = false;

  const at = () => Number(part().dataset.number);
  const addressOf = (number) => `${part().dataset.address}/${number}${part().dataset.asked}`;

  // Only the newest wish is fetched: a finger on the timeline wishes for many.
  async function show(number) {
    wanted = number;
    if (isAsking) return;
    isAsking = true;
    while (wanted !== null && wanted !== at()) {
      const now = wanted;
      await navarch.ask("GET", addressOf(now), { target: "#replay", swap: "outerMorph" });
      if (at() !== now) { isPlaying = false; break; } // it did not come
      history.replaceState(null, "", addressOf(now));
      if (wanted === now) wanted = null;
    }
    wanted = null;
    isAsking = false;
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
    dress();
  }
  function dress() {
    for (const it of part().querySelectorAll(".replay-play")) it.hidden = false;
    play().setAttribute("aria-pressed", String(isPlaying));
    play().textContent = isPlaying ? `⏸ ${play().dataset.stop}` : `▶ ${play().dataset.play}`;
    document.getElementById("slide").value = at();
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
    const number = event.target.valueAsNumber;
    stop();
    show(number);
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
