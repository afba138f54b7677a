// What every page needs: the CSRF header, a lost connection said plainly, and nothing lost in a swap.
"use strict";

const csrf = () => document.querySelector('meta[name="csrf-token"]').content;
const linkState = () => document.getElementById("link-state");

document.addEventListener("htmx:configRequest", (event) => {
  event.detail.headers["X-CSRFToken"] = csrf();
  // A button that stands outside its form (form="…") belongs to what is sent, as it does without htmx.
  const pressed = event.detail.triggeringEvent && event.detail.triggeringEvent.submitter;
  if (pressed && pressed.name) event.detail.parameters[pressed.name] = pressed.value;
});

// The state of the connection. Others may call it: navarch.link(true | false).
const navarch = (window.navarch = {
  up: true,
  link(up) {
    if (navarch.up === up && linkState().hidden === up) return;
    navarch.up = up;
    const bar = linkState();
    bar.hidden = up;
    if (!up) bar.textContent = bar.dataset.lost;
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

document.addEventListener("htmx:sendError", () => navarch.link(false));
document.addEventListener("htmx:responseError", (event) => {
  const bar = linkState();
  bar.textContent = bar.dataset.failed + " (" + event.detail.xhr.status + ")";
  bar.hidden = false;
  setTimeout(() => { if (navarch.up) bar.hidden = true; }, 6000);
});
document.addEventListener("htmx:afterRequest", (event) => { if (event.detail.xhr.status) navarch.link(true); });

// What a swap would lose is kept by id: open details, ticked boxes, typed texts, and scroll positions.
const KEPT = "details[id], [data-scroll][id], input[data-keep][id], textarea[data-keep][id], select[data-keep][id]";
let kept = new Map();

document.addEventListener("htmx:beforeSwap", (event) => {
  const acted = event.detail.requestConfig && event.detail.requestConfig.verb !== "get";
  kept = new Map();
  for (const part of document.querySelectorAll(KEPT)) {
    if (acted && part.matches("details.menu")) continue; // a menu has served when something was done in it
    if (part.matches("details")) kept.set(part.id, { open: part.open });
    else if (part.matches("[data-scroll]")) kept.set(part.id, { left: part.scrollLeft, top: part.scrollTop });
    else if (part.type === "checkbox" || part.type === "radio") kept.set(part.id, { checked: part.checked });
    else kept.set(part.id, { value: part.value, was: part.defaultValue });
  }
});
document.addEventListener("htmx:afterSwap", () => {
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

// A menu closes when something else is tapped, or by Escape.
document.addEventListener("click", (event) => {
  for (const menu of document.querySelectorAll("details.menu[open]")) if (!menu.contains(event.target)) menu.open = false;
});
document.addEventListener("keydown", (event) => {
  if (event.key !== "Escape") return;
  for (const menu of document.querySelectorAll("details.menu[open]")) {
    menu.open = false;
    menu.querySelector("summary").focus();
  }
});
