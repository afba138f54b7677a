// What htmx's own morphing leaves to us: attributes that the page's scripts set stay (`data-own` names them), and a form
// that is for something else, or in which something was done, is empty.
"use strict";

(() => {
  const MARKS = 'input[type=hidden][name="seen"], input[type=hidden][name="csrf_token"]'; // they say nothing of what a form is for
  const purpose = (form) => {
    const plain = form.cloneNode(true);
    for (const it of plain.querySelectorAll(MARKS)) it.remove();
    return plain.innerHTML;
  };
  let isDone = false, stale = []; // is this the answer to something that was done here; the forms to empty
  document.addEventListener("htmx:before:swap", (event) => {
    isDone = (event.detail.ctx.request || {}).method === "POST";
    stale = [];
  });
  document.addEventListener("htmx:after:swap", () => { for (const form of stale) form.reset(); });

  htmx.registerExtension("morph", {
    htmx_before_morph_node(old, { newNode }) {
      if (old.nodeName === "FORM" && newNode.nodeName === "FORM" && (isDone || purpose(old) !== purpose(newNode))) stale.push(old);
    },
    htmx_before_morph_attr(it, { attrName }) {
      if ((it.getAttribute("data-own") || "").split(" ").includes(attrName)) return false;
    },
  });
})();
