// Rules, odds and the reference as a panel over the game: links with data-panel open in it, and so do the links and forms
// of what it shows. Closing it, or Back, leads to where one was; the page below is never left.
"use strict";

(() => {
  const INSIDE = /^\/(reference|odds|cases)(\/|$)/;
  let dialog = null;

  function build() {
    dialog = document.createElement("dialog");
    dialog.className = "over";
    dialog.id = "over";
    dialog.setAttribute("aria-labelledby", "over-title");
    const head = document.createElement("div"), title = document.createElement("h2"), close = document.createElement("button");
    head.className = "over-head";
    title.id = "over-title";
    close.type = "button";
    close.className = "plain";
    close.id = "over-close";
    close.textContent = "×";
    close.setAttribute("aria-label", document.body.dataset.close || "×");
    close.addEventListener("click", () => history.back());
    head.append(title, close);
    const body = document.createElement("div");
    body.className = "over-body";
    body.tabIndex = 0;
    dialog.append(head, body);
    dialog.addEventListener("cancel", (event) => { event.preventDefault(); history.back(); });
    dialog.addEventListener("click", (event) => { if (event.target === dialog) history.back(); });
    document.body.append(dialog);
  }

  async function show(address, within = false) {
    let text;
    try {
      const answer = await fetch(address, { headers: { Accept: "text/html" } });
      text = await answer.text();
    } catch { navarch.link(false); return; }
    if (within && !dialog.open) return; // it was closed meanwhile
    const found = new DOMParser().parseFromString(text, "text/html");
    if (!dialog) build();
    for (const sheet of found.querySelectorAll('link[rel="stylesheet"]')) {
      if (document.querySelector(`link[href="${CSS.escape(sheet.getAttribute("href"))}"], link[href="${sheet.getAttribute("href")}"]`)) continue;
      document.head.append(document.importNode(sheet));
    }
    dialog.querySelector("#over-title").textContent = found.title.split(" · ")[0];
    const body = dialog.querySelector(".over-body"), main = found.querySelector("main");
    body.replaceChildren(...[...(main ? main.childNodes : [])].map((node) => document.importNode(node, true)));
    body.scrollTop = 0;
    if (!dialog.open) { history.pushState({ panel: true }, ""); dialog.showModal(); body.focus(); }
    // Without a network the whole book comes in the place of one paragraph (reference/sw.js).
    const asked = new URL(address, location.href), isBook = body.querySelectorAll(".paragraph").length > 1;
    const target = asked.hash.slice(1) || (isBook && `p-${asked.pathname.split("/")[3]}`);
    if (target) document.getElementById(target)?.scrollIntoView();
  }

  document.addEventListener("click", (event) => {
    const link = event.target.closest && event.target.closest("a[href]");
    if (!link || event.defaultPrevented || event.metaKey || event.ctrlKey || event.shiftKey) return;
    const within = dialog && dialog.contains(link), address = new URL(link.href, location.href);
    if (!link.hasAttribute("data-panel") && !(within && INSIDE.test(address.pathname))) return;
    if (within && link.getAttribute("href").startsWith("#")) return;
    event.preventDefault();
    show(address.href, within);
  });
  document.addEventListener("submit", (event) => {
    const form = event.target;
    if (!dialog || !dialog.contains(form) || form.method !== "get") return;
    event.preventDefault();
    const address = new URL(form.getAttribute("action") || "", location.href);
    address.search = new URLSearchParams(new FormData(form, event.submitter)).toString();
    show(address.href, true);
  });
  navarch.open = show;
  window.addEventListener("popstate", () => { if (dialog && dialog.open && !history.state?.panel) dialog.close(); });
})();
