// The clocks of the sides go on from what the server said they showed; its time is that of the page, and of each answer.
"use strict";

(() => {
  let ahead = 0; // seconds of the server's clock before this one's
  const here = () => Date.now() / 1000;

  function said(seconds) {
    const all = Math.floor(Math.abs(seconds)), two = (n) => String(n).padStart(2, "0");
    const hours = Math.floor(all / 3600), minutes = Math.floor(all / 60) % 60;
    return (seconds <= -1 ? "−" : "") + (hours ? `${hours}:${two(minutes)}` : minutes) + `:${two(all % 60)}`;
  }
  function show() {
    for (const it of document.querySelectorAll("[data-clock]")) {
      const way = Number(it.dataset.way), run = way ? Math.max(0, here() + ahead - Number(it.dataset.since)) : 0;
      const seconds = Number(it.dataset.clock) + way * run, text = said(seconds);
      if (it.textContent !== text) it.textContent = text;
      it.classList.toggle("runs", way !== 0);
      const up = it.dataset.over !== undefined && seconds < 0;
      it.classList.toggle("over", up);
      it.title = up ? it.dataset.over : "";
      if (it.nextElementSibling?.matches(".clock-up")) it.nextElementSibling.hidden = !up;
    }
  }
  const stamp = document.querySelector('meta[name="server-now"]');
  const loaded = (performance.timeOrigin + (performance.getEntriesByType("navigation")[0]?.responseStart || 0)) / 1000;
  if (stamp) ahead = Number(stamp.content) - loaded;
  else document.addEventListener("htmx:after:request", (event) => { // the clocks were set while the page was open
    const date = Date.parse(event.detail.ctx.response.headers.get("Date") || "");
    if (date) ahead = date / 1000 + 0.5 - here();
  });
  document.addEventListener("htmx:after:swap", show);
  setInterval(show, 500);
  document.addEventListener("DOMContentLoaded", show);
  show();
})();
