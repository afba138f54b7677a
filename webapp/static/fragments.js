// A page says with each request for its table which fragments it has (see http/fragments.py); the answer brings the others.
"use strict";

(() => {
  let puts = 0; // answers that have been put in
  let isUnsure = false; // an answer was put in that came from before another one: it may have left something out
  const wants = (target) => target && target.id === "table" && target.hasAttribute("data-live");

  document.addEventListener("htmx:config:request", (event) => {
    const { sourceElement, target, request } = event.detail.ctx;
    // A form that has stayed on the page speaks of what the page shows now.
    if (wants(target) && sourceElement !== document.body && request.body.has("seen")) request.body.set("seen", target.dataset.version);
  });
  document.addEventListener("htmx:before:request", (event) => {
    const { ctx } = event.detail;
    if (!wants(ctx.target)) return;
    ctx.puts = puts;
    ctx.isWhole = isUnsure;
    const has = isUnsure ? [] : ctx.target.querySelectorAll("[data-fragment]");
    ctx.request.headers["X-Fragments"] = Array.from(has, (it) => it.dataset.fragment).join(" ");
  });
  // An answer that is no table, or that has a fragment whose place is not there, does not fit: the page asks for all.
  document.addEventListener("htmx:before:swap", (event) => {
    const { ctx, tasks } = event.detail;
    if (ctx.puts === undefined) return;
    const places = new Set(tasks.map(({ target }) => target && target.id)); // null: a fragment whose place is not there
    if (places.has("state") && !places.has(null)) {
      if (ctx.request.method === "POST") for (const form of ctx.target.querySelectorAll("form")) form.reset(); // app.js has what is to be kept
      return;
    }
    event.preventDefault();
    event.stopImmediatePropagation();
    isUnsure = true;
    setTimeout(navarch.refresh, 0);
  });
  document.addEventListener("htmx:after:swap", (event) => {
    const { ctx } = event.detail, root = document.getElementById("table"), state = document.getElementById("state");
    if (ctx.puts === undefined || !root || !state) return;
    const { shape, fragment, ...told } = state.dataset;
    Object.assign(root.dataset, told);
    root.className = shape;
    isUnsure = ctx.puts !== puts;
    puts += 1;
    if (isUnsure) navarch.refresh();
  });
})();
