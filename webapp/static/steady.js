// The swap style "steady": an answer is put into the page where it differs from what stands there, and the rest stays as
// the browser has it: laid out, painted, in focus. Afterwards the page is what a swap of the whole would have made of it.
"use strict";

(() => {
  // What people fill in, and what htmx has to be told of, comes new as a whole: nothing typed for one ship stays for
  // another. A form in which nothing differs but the version it speaks of stays with what was typed, until something is
  // done. `data-own` names attributes that the page's own scripts set after each swap: they stay as they are.
  const WHOLE = ":is(form, input, select, textarea, button, dialog, [hx-get], [hx-post]):not([data-own])";
  const MARKS = ["seen", "csrf_token"]; // hidden fields: they say nothing of what a form is for
  const isElement = (node) => node.nodeType === Node.ELEMENT_NODE;
  const isWhole = (node) => !isElement(node) || node.matches(WHOLE);
  const keyOf = (node) => (isElement(node) && (node.id || node.dataset.ship || node.dataset.mark || node.dataset.space)) || "";
  const kindOf = (node) => `${node.nodeName} ${keyOf(node)}`;

  let isDone = false; // the answer is to something that was done here
  document.addEventListener("htmx:before:swap", (event) => { isDone = (event.detail.ctx.request || {}).method === "POST"; });

  // Is it the same as it stands? A form is brought up to date on the way.
  function isSame(old, fresh) {
    if (old.nodeName === "FORM") {
      for (const name of MARKS) {
        const [mine, its] = [old, fresh].map((form) => form.querySelector(`input[type=hidden][name="${name}"]`));
        if (mine && its) mine.value = its.value;
      }
      if (isDone) old.reset();
    }
    return old.isEqualNode(fresh);
  }
  function attributes(old, fresh) {
    const own = (fresh.getAttribute("data-own") || "").split(" "), isTheirs = ({ name }) => !own.includes(name);
    for (const { name } of [...old.attributes].filter(isTheirs)) if (!fresh.hasAttribute(name)) old.removeAttribute(name);
    for (const { namespaceURI, name, value } of [...fresh.attributes].filter(isTheirs)) {
      if (old.getAttribute(name) !== value) old.setAttributeNS(namespaceURI, name, value);
    }
  }
  // `came` collects the elements that are new to the page.
  function renew(old, fresh, came) {
    attributes(old, fresh);
    const stood = [...old.childNodes], wanted = [...fresh.childNodes];
    let first = 0, end = stood.length, last = wanted.length;
    while (first < end && first < last && stood[first].isEqualNode(wanted[first])) first += 1;
    while (end > first && last > first && stood[end - 1].isEqualNode(wanted[last - 1])) { end -= 1; last -= 1; }
    const left = new Map(); // what stood here, by kind, in order
    for (const node of stood.slice(first, end)) left.set(kindOf(node), [...(left.get(kindOf(node)) || []), node]);
    const pairs = wanted.slice(first, last).map((node) => [left.get(kindOf(node))?.shift(), node]);
    for (const nodes of left.values()) for (const node of nodes) node.remove();
    let place = end < stood.length ? stood[end] : null; // from the last to the first, each goes before what follows it
    for (const [same, node] of pairs.reverse()) {
      const isKept = same && isSame(same, node), stays = isKept || (same && !isWhole(same) && !isWhole(node));
      if (stays) {
        if (same.nextSibling !== place) old.insertBefore(same, place);
        if (!isKept) renew(same, node, came);
      } else {
        if (same) same.remove();
        old.insertBefore(node, place);
        if (isElement(node)) came.push(node);
      }
      place = stays ? same : node;
    }
  }

  htmx.registerExtension("steady", {
    handle_swap(style, target, fragment) {
      if (style !== "steady") return false;
      const fresh = fragment.firstElementChild, came = [];
      // htmx marks the elements of which it knows: what comes is compared with what has that mark.
      for (const it of fragment.querySelectorAll("[hx-get], [hx-post]")) it.setAttribute("data-htmx-powered", "true");
      if (fresh && fresh.id === target.id) renew(target, fresh, came);
      else {
        came.push(...fragment.children);
        target.replaceWith(fragment);
      }
      return came;
    },
  });
})();
