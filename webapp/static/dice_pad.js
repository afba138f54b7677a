// Dice by hand, in battles and campaigns: faces fill the slots one by one, a tap on a slot corrects it, and the last face
// confirms unless a slot is tapped first. A form[data-pad] has data-count, [name=rolls], .slots, .faces, [data-confirm].
"use strict";

(() => {
  let picked = [], slot = 0, padOf = "", timer = null;

  function pad() {
    const form = document.querySelector("form[data-pad]");
    clearTimeout(timer);
    if (!form) { padOf = ""; return; }
    const count = Number(form.dataset.count), field = form.querySelector("[name=rolls]");
    if (padOf !== field.id) { padOf = field.id; picked = new Array(count).fill(0); slot = 0; }
    form.querySelector(".typed").hidden = true;
    const places = form.querySelectorAll(".slots");
    let number = -1;
    for (const place of places) {
      place.hidden = false;
      place.replaceChildren(...Array.from({ length: Number(place.dataset.count || count) }, () => {
        const mine = (number += 1), button = document.createElement("button");
        button.type = "button";
        button.className = "slot" + (mine === slot ? " current" : "");
        button.textContent = picked[mine] || "·";
        if (picked[mine]) button.dataset.shows = picked[mine];
        button.setAttribute("aria-label", (mine + 1) + ": " + (picked[mine] || "–"));
        button.addEventListener("click", () => { slot = mine; pad(); });
        return button;
      }));
    }
    form.querySelector(".faces").hidden = false;
    form.querySelector(".slot.current")?.scrollIntoView({ block: "nearest" });
    field.value = `${form.dataset.before || ""} ${picked.filter(Boolean).join(" ")}`.trim();
    form.querySelector("[data-confirm]").disabled = picked.includes(0);
  }
  document.addEventListener("click", (event) => {
    const button = event.target.closest && event.target.closest("form[data-pad] .faces [data-face]");
    if (!button) return;
    picked[slot] = Number(button.dataset.face);
    const empty = picked.indexOf(0), was = slot;
    slot = empty < 0 ? was : empty;
    pad();
    if (empty < 0) {
      const confirm = document.querySelector("form[data-pad] [data-confirm]");
      confirm.classList.add("soon");
      timer = setTimeout(() => { if (document.contains(confirm)) confirm.click(); }, navarch.grace);
    }
  });
  document.addEventListener("keydown", (event) => {
    if (event.ctrlKey || event.metaKey || event.altKey || /^(INPUT|SELECT|TEXTAREA)$/.test(event.target.tagName)) return;
    if (/^[1-9]$/.test(event.key)) document.querySelector(`form[data-pad] .faces:not([hidden]) [data-face="${event.key}"]`)?.click();
  });
  document.addEventListener("htmx:after:swap", pad);
  navarch.ready(pad);
})();
