// One's own ships are kept on this tablet: what the list of the fleet builder holds comes back with the next visit. It is
// saved as a file, and a file of it can be opened.
"use strict";

(() => {
  const KEY = "navarch-ships", part = (id) => document.getElementById(id);
  const kept = () => { try { return localStorage.getItem(KEY) || ""; } catch { return ""; } };
  function keep(text) {
    try { localStorage.setItem(KEY, text); } catch { /* a private window keeps nothing */ }
    part("own").value = text;
  }
  if (!part("own").value) part("own").value = kept();
  document.addEventListener("input", (event) => { if (event.target.id === "own") keep(event.target.value); });
  document.addEventListener("change", async (event) => {
    if (event.target.id !== "own-file" || !event.target.files.length) return;
    keep((await event.target.files[0].text()).slice(0, part("own").maxLength));
  });
  document.addEventListener("click", (event) => {
    if (event.target.id === "own-save") event.target.href = URL.createObjectURL(new Blob([part("own").value], { type: "text/plain" }));
  });
  const show = () => { for (const id of ["own-save", "own-open"]) part(id).hidden = false; };
  document.addEventListener("htmx:after:swap", show);
  show();
})();
