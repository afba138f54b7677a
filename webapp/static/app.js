// What every page needs: the CSRF header, a lost connection said plainly, and nothing lost in a swap.
"use strict";

const csrf = () => document.querySelector('meta[name="csrf-token"]').content;
const linkState = () => document.getElementById("link-state");

document.addEventListener("htmx:config:request", (event) => {
  const { ctx } = event.detail, { request } = ctx;
  request.headers["X-CSRFToken"] = csrf();
  // Of what a script asks for only the values that it names are sent, and no field of the page.
  if (ctx.values) {
    request.body = new FormData();
    for (const [name, value] of Array.isArray(ctx.values) ? ctx.values : Object.entries(ctx.values)) request.body.append(name, value);
  }
});

// Nothing is sent by itself: what changes something is a form that a person submits, or a request of a script of ours
// (whose element is the body). Markup that got into a page could not act without a tap.
document.addEventListener("htmx:config:request", (event) => {
  const { request, sourceElement, sourceEvent: by } = event.detail.ctx;
  const isSubmitted = by.isTrusted && by.type === "submit" && by.target === sourceElement;
  if (request.method !== "GET" && sourceElement !== document.body && !isSubmitted) event.preventDefault();
});

// A form whose taps wait for one another sends with each what it holds by then.
document.addEventListener("htmx:before:request", (event) => {
  const { sourceElement, request } = event.detail.ctx;
  if (!sourceElement.matches("form[hx-sync='this:queue all']")) return;
  request.body = new URLSearchParams(new FormData(sourceElement));
  if (request.submitter?.name) request.body.append(request.submitter.name, request.submitter.value);
});

// Of what was asked for one place of the page only the newest is put in: an answer that another question has overtaken
// changes neither the page nor its address. What asks while somebody types or slides neither waits nor is dropped: it
// takes the place of what it asked before. (A live page also counts an answer that came too late: live.js.)
const askedLast = new WeakMap(); // by place
const isOvertaken = (ctx) => ctx.request.method === "GET" && askedLast.has(ctx.target) && askedLast.get(ctx.target) !== ctx;
document.addEventListener("htmx:config:request", (event) => {
  const { request, sourceElement, sourceEvent } = event.detail.ctx;
  if (request.method === "GET" && ["input", "change"].includes(sourceEvent.type)) sourceElement.setAttribute("hx-sync", "this:replace");
});
document.addEventListener("htmx:before:request", (event) => {
  const { ctx } = event.detail;
  if (ctx.request.method === "GET" && ctx.target) askedLast.set(ctx.target, ctx);
});
document.addEventListener("htmx:after:request", (event) => {
  if (isOvertaken(event.detail.ctx) && !document.querySelector("[data-live]")) event.preventDefault();
});

// htmx 4 puts in every answer. An error's page is not put in; a refusal (409, 422) is the page with its sentence.
const FAILED = (response) => Boolean(response) && response.status >= 400 && ![409, 422].includes(response.status);
document.addEventListener("htmx:before:swap", (event) => {
  if (!FAILED(event.detail.ctx.response)) return;
  event.preventDefault();
  event.stopImmediatePropagation();
});

// The pages keep their own history (htmx's is off, and with it hx-replace-url): only the address of what a filter shows
// is written, when it is there to be seen.
document.addEventListener("htmx:after:swap", (event) => {
  const { replace, response } = event.detail.ctx;
  if (replace === "true") history.replaceState(history.state, "", response.raw.url);
});

// The state of the connection, and how long a button that has just come takes no tap.
const navarch = (window.navarch = {
  up: true,
  patience: 500, // milliseconds
  grace: 900, // milliseconds in which the last of some dice may still be corrected
  ...window.navarch,
  // What a script asks for; `how` says the target, the swap and the values. The body's requests wait for one another.
  ask: (method, path, how) => htmx.ajax(method, path, { source: document.body, ...how }),
  // When all scripts of the page stand and htmx has read its settings. Before that a deferred script begins nothing: what
  // a stream brought meanwhile would be put in by htmx's own defaults, and without the scripts that come after.
  ready(begin) {
    if (document.readyState === "complete") begin();
    else document.addEventListener("DOMContentLoaded", begin, { once: true });
  },
  // `kept`: an act is under way and will be sent again.
  link(up, kept = false) {
    if (navarch.up === up && linkState().hidden === up) return;
    navarch.up = up;
    const bar = linkState();
    bar.hidden = up;
    if (!up) bar.textContent = bar.dataset.lost + (kept && bar.dataset.kept ? " " + bar.dataset.kept : "");
    guard();
  },
});

// While the connection is lost, nothing that would be sent can be tapped.
function guard() {
  for (const button of document.querySelectorAll("button[type=submit], button:not([type])")) {
    if (!navarch.up && !button.disabled) {
      button.disabled = true;
      button.dataset.lost = "1";
    } else if (navarch.up && button.dataset.lost) {
      button.disabled = false;
      delete button.dataset.lost;
    }
  }
}

const isUnanswered = ({ ctx }) => Boolean(ctx) && ctx.text === undefined && !isOvertaken(ctx);
document.addEventListener("htmx:error", (event) => {
  if (isUnanswered(event.detail) && !document.querySelector("[data-live]")) navarch.link(false);
});
document.addEventListener("htmx:response:error", (event) => {
  const { response } = event.detail.ctx, bar = linkState();
  if (!FAILED(response) || [502, 503, 504].includes(response.status)) return;
  bar.textContent = bar.dataset.failed + " (" + response.status + ")";
  bar.hidden = false;
  setTimeout(() => { if (navarch.up) bar.hidden = true; }, 6000);
});
document.addEventListener("htmx:after:request", () => {
  if (!document.querySelector("[data-live]")) navarch.link(true);
});

// Colours and language change in place: the page stays, with what is selected and typed.
document.addEventListener("submit", (event) => {
  const form = event.target.closest("form.look"), pressed = event.submitter;
  if (!form || !pressed || !pressed.name) return;
  event.preventDefault();
  const said = new FormData(form);
  said.append(pressed.name, pressed.value);
  const kept = fetch(form.action, { method: "POST", body: said, redirect: "manual", headers: { "X-CSRFToken": csrf() } });
  if (pressed.name === "scheme") {
    document.documentElement.dataset.scheme = pressed.value;
    document.querySelector('meta[name="color-scheme"]').content = pressed.value === "day" ? "light" : "dark";
    for (const button of document.querySelectorAll("form.look [name=scheme]")) button.setAttribute("aria-pressed", String(button.value === pressed.value));
    kept.then(() => document.dispatchEvent(new Event("navarch:look")), () => {});
  } else kept.then(() => location.reload(), () => navarch.link(false));
});

// What a swap would lose is kept by id: open details, ticked boxes, typed texts, and scroll positions.
const KEPT = "details[id], [data-scroll][id], input[data-keep][id], textarea[data-keep][id], select[data-keep][id]";
let kept = new Map();

document.addEventListener("htmx:before:swap", (event) => {
  const acted = (event.detail.ctx.request || {}).method === "POST";
  kept = new Map();
  for (const part of document.querySelectorAll(KEPT)) {
    if (acted && part.matches("details.menu, details.asks")) part.open = false; // it has served when something was done in it
    else if (part.matches("details")) kept.set(part.id, { open: part.open });
    else if (part.matches("[data-scroll]")) kept.set(part.id, { left: part.scrollLeft, top: part.scrollTop });
    else if (part.type === "checkbox" || part.type === "radio") kept.set(part.id, { checked: part.checked });
    else kept.set(part.id, { value: part.value, was: part.defaultValue });
  }
});
document.addEventListener("htmx:after:swap", () => {
  for (const [id, state] of kept) {
    const part = document.getElementById(id);
    if (!part) continue;
    if ("open" in state) { if (part.dataset.open !== "fixed") part.open = state.open; }
    else if ("left" in state) { part.scrollLeft = state.left; part.scrollTop = state.top; }
    else if ("checked" in state) part.checked = state.checked;
    else if (state.value !== state.was && part.defaultValue === state.was) part.value = state.value;
  }
  if (!navarch.up) guard();
});

// A menu closes when something else is tapped, when a link in it leads on within the page, or by Escape.
document.addEventListener("click", (event) => {
  for (const menu of document.querySelectorAll("details.menu[open], details.asks[open]")) {
    if (!menu.contains(event.target) || event.target.closest("a[data-go]")) menu.open = false;
  }
});
document.addEventListener("keydown", (event) => {
  if (event.key !== "Escape") return;
  for (const menu of document.querySelectorAll("details.menu[open], details.asks[open]")) {
    menu.open = false;
    menu.querySelector("summary").focus();
  }
});

// A link is handed to another program, where the browser can; else it is copied.
document.addEventListener("click", async (event) => {
  const button = event.target.closest("[data-share]");
  if (!button) return;
  const { share: url, title, done } = button.dataset;
  try {
    if (navigator.share) { await navigator.share({ title, url }); return; }
    await navigator.clipboard.writeText(url);
    button.textContent = done;
  } catch { button.form.querySelector("input[readonly]").select(); }
});

// A link is copied, or where the browser forbids it, marked so that it can be copied by hand.
document.addEventListener("click", async (event) => {
  const button = event.target.closest("[data-copy]");
  if (!button) return;
  try {
    await navigator.clipboard.writeText(button.dataset.copy);
    button.textContent = button.dataset.done;
  } catch {
    const typed = button.closest("li").querySelector("input[readonly]");
    if (typed) typed.select();
    else getSelection().selectAllChildren(button.closest("li").querySelector(".code"));
  }
});
