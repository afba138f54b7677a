// The map: one finger or the mouse drags, two fingers or the wheel zoom, a tap chooses the nearest space.
// Names, plates and signs come ready for some levels of nearness; the level's number and the size of a pixel are set here.
"use strict";

(() => {
  const svg = document.getElementById("map");
  if (!svg) return;
  const full = { x: 0, y: 0, w: Number(svg.dataset.width), h: Number(svg.dataset.height) };
  const LEVELS = svg.dataset.edges.split(" ").map(Number);
  const NEAREST = 4, EDGE = 16, EDGED = 0.15, FARTHEST = 0.22;
  const place_of = `map:${svg.closest("[data-game]")?.dataset.game}`;
  let view = { ...full };
  const fingers = new Map();
  let moved = 0;
  let before = null;

  const scale = () => Math.min(svg.clientWidth / view.w, svg.clientHeight / view.h) || 1;

  // So much is seen at the most: a tall map too, but at no scale for which no level is laid out.
  const widest = () => Math.max(full.w * 1.15, Math.min(full.h * 1.15 * svg.clientWidth / svg.clientHeight || 0, svg.clientWidth / FARTHEST));

  function show() {
    const w = Math.min(Math.max(view.w, full.w / NEAREST / 2), widest());
    const grown = w / view.w;
    view = { x: view.x + (view.w - w) / 2, y: view.y + (view.h - view.h * grown) / 2, w, h: view.h * grown };
    view.x = Math.min(Math.max(view.x, full.x - view.w / 2), full.x + full.w - view.w / 2);
    view.y = Math.min(Math.max(view.y, full.y - view.h / 2), full.y + full.h - view.h / 2);
    svg.setAttribute("viewBox", `${view.x} ${view.y} ${view.w} ${view.h}`);
    const near = scale();
    svg.dataset.level = String(1 + LEVELS.filter((edge) => near >= edge).length);
    svg.style.setProperty("--u", String(1 / near));
    sessionStorage.setItem(place_of, JSON.stringify(view));
    clear();
  }

  // On a phone what was told last stands at the end of the map where nothing happens.
  function clear() {
    const place = at(here());
    document.getElementById("latest")?.classList.toggle("above", Boolean(place) && place.y > view.y + view.h * 0.4);
  }

  // Where one looked last on this tablet; at first, where the seat has something.
  function begin() {
    const kept = sessionStorage.getItem(place_of);
    view = kept ? JSON.parse(kept) : home();
    // A link to a space (from the journal) shows it, wherever one looked last.
    const asked = at(new URLSearchParams(location.search).get("space"));
    const goal = asked || (!kept && table().concerns && at(here()));
    show();
    if (goal && !isShown(goal)) { centre(goal); show(); }
    happened = here();
  }
  function home() {
    const [x, y, w, h] = (svg.dataset.play || "").split(" ").map(Number);
    if (!w) return { ...full };
    const [across, down] = [svg.clientWidth, svg.clientHeight], free = [across - 2 * EDGE, down - 2 * EDGE];  // plates stand beside their spaces
    const wide = Math.min(Math.max(w / free[0], h / free[1]) * across, full.w * 1.15), high = wide * down / across;
    return { x: x + (w - wide) / 2, y: y + (h - high) / 2, w: wide, h: high };
  }
  const at = (space) => {
    const box = space && svg.querySelector(`.cells .cell[data-space="${CSS.escape(space)}"]`)?.getBBox();
    const mark = space && svg.querySelector(`[data-mark="${CSS.escape(space)}"]`)?.transform.baseVal[0].matrix;
    return mark ? { x: mark.e, y: mark.f } : box ? { x: box.x + box.width / 2, y: box.y + box.height / 2 } : null;
  };
  const isShown = ({ x, y }) => x > view.x + view.w * EDGED && x < view.x + view.w * (1 - EDGED) && y > view.y + view.h * EDGED && y < view.y + view.h * (1 - EDGED);
  const centre = ({ x, y }) => { view.x = x - view.w / 2; view.y = y - view.h / 2; };

  // The view goes to what happens when it is asked to (◎), or once when it comes upon the seat's own army out of view.
  let happened = "";
  const table = () => document.getElementById("table")?.dataset || {};
  const here = () => table().happens || "";
  document.addEventListener("htmx:after:swap", (event) => {
    clear();
    if (here() === happened) return;
    happened = here();
    const place = at(happened);
    if (!table().concerns || !place || isShown(place) || fingers.size) return;
    centre(place);
    show();
  });

  // Back closes the panel of a space that was tapped.
  window.addEventListener("popstate", () => {
    const { space, pick, game, seat } = table();
    if (!space || history.state?.place || history.state?.panel) return;
    navarch.ask("GET", `/g/${game}?seat=${seat}${pick ? `&pick=${encodeURIComponent(pick)}` : ""}`, { target: "#table", swap: "outerMorph" });
  });
  document.addEventListener("htmx:after:swap", () => { if (!table().space && history.state?.place) history.back(); });

  function fit() {
    view = { ...full };
    show();
  }

  function place(x, y) {
    const spot = new DOMPoint(x, y).matrixTransform(svg.getScreenCTM().inverse());
    return { x: spot.x, y: spot.y };
  }

  function zoom(factor, x, y) {
    const at = place(x, y);
    const w = Math.min(Math.max(view.w / factor, full.w / NEAREST / 2), widest());
    const ratio = w / view.w;
    view = { x: at.x - (at.x - view.x) * ratio, y: at.y - (at.y - view.y) * ratio, w, h: view.h * ratio };
    show();
  }

  svg.addEventListener("pointerdown", (event) => {
    if (fingers.size === 0) moved = 0;
    fingers.set(event.pointerId, { x: event.clientX, y: event.clientY });
    before = null;
  });
  window.addEventListener("pointermove", (event) => {
    const finger = fingers.get(event.pointerId);
    if (!finger) return;
    const dx = event.clientX - finger.x;
    const dy = event.clientY - finger.y;
    finger.x = event.clientX;
    finger.y = event.clientY;
    moved += Math.abs(dx) + Math.abs(dy);
    if (moved < 8) return;
    svg.classList.add("held");
    if (fingers.size === 1) {
      view.x -= dx / scale();
      view.y -= dy / scale();
      show();
    } else if (fingers.size === 2) {
      const [one, two] = [...fingers.values()];
      const now = { d: Math.hypot(one.x - two.x, one.y - two.y), x: (one.x + two.x) / 2, y: (one.y + two.y) / 2 };
      if (before) {
        view.x -= (now.x - before.x) / scale();
        view.y -= (now.y - before.y) / scale();
        zoom(now.d / before.d, now.x, now.y);
      }
      before = now;
    }
  });
  for (const ended of ["pointerup", "pointercancel"]) {
    window.addEventListener(ended, (event) => {
      fingers.delete(event.pointerId);
      before = null;
      svg.classList.remove("held");
    });
  }
  svg.addEventListener("wheel", (event) => {
    event.preventDefault();
    zoom(Math.exp(-event.deltaY / 400), event.clientX, event.clientY);
  }, { passive: false });

  // A tap opens its space in the side panel; a drag does not.
  svg.addEventListener("click", (event) => {
    const cell = event.target.closest(".cell");
    if (!cell) return;
    event.preventDefault();
    if (moved < 8) open(cell.classList.contains("hit") ? counter(event, cell) : goal(event.clientX, event.clientY, cell));
  });

  // A counter opens its own space; with a card or a leader in hand the ground under it is meant.
  function counter(event, hit) {
    if (!document.getElementById("table")?.dataset.pick) return hit;
    const under = document.elementsFromPoint(event.clientX, event.clientY).map((one) => one.closest(".cells .cell"));
    const ground = under.find(Boolean);
    return ground ? goal(event.clientX, event.clientY, ground) : hit;
  }

  // A space that is a legal goal wins a tap that falls near it; a counter keeps its own.
  function goal(x, y, cell) {
    const reach = 28;
    let best = null;
    for (const spot of svg.querySelectorAll(".spot.hot")) {
      const box = spot.querySelector(".glow").getBoundingClientRect();
      const far = Math.hypot(box.x + box.width / 2 - x, box.y + box.height / 2 - y);
      if (spot.dataset.mark === cell.dataset.space) return cell;
      if (far < reach && (!best || far < best.far)) best = { far, space: spot.dataset.mark };
    }
    return (best && svg.querySelector(`.cells .cell[data-space="${CSS.escape(best.space)}"]`)) || cell;
  }
  // A page that does otherwise with a tapped space than to show it takes the event.
  function open(cell) {
    const address = new URL(cell.getAttribute("href"), location.href);
    const tapped = new CustomEvent("space", { detail: address.searchParams.get("space"), cancelable: true, bubbles: true });
    if (!svg.dispatchEvent(tapped)) return;
    const card = document.querySelector(".card[aria-current]");
    if (card) address.searchParams.set("pick", new URL(card.href).searchParams.get("pick"));
    if (!history.state?.place) history.pushState({ place: true }, "");
    navarch.ask("GET", address.pathname + address.search, { target: "#table", swap: "outerMorph" });
  }

  // By keyboard: the arrows go from space to space, Enter opens, + and - zoom, 0 shows everything.
  svg.tabIndex = 0;
  const middle = (cell) => { const box = cell.getBBox(); return { x: box.x + box.width / 2, y: box.y + box.height / 2 }; };
  const WAYS = { ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, -1], ArrowDown: [0, 1] };
  svg.addEventListener("keydown", (event) => {
    const rect = svg.getBoundingClientRect();
    if (event.key === "+" || event.key === "=") return zoom(1.4, rect.x + rect.width / 2, rect.y + rect.height / 2);
    if (event.key === "-") return zoom(1 / 1.4, rect.x + rect.width / 2, rect.y + rect.height / 2);
    if (event.key === "0") return fit();
    const cells = [...svg.querySelectorAll(".cells .cell")];
    const here = document.activeElement.closest(".cell");
    if (event.key === "Enter" && here) { event.preventDefault(); moved = 0; return open(here); }
    const way = WAYS[event.key];
    if (!way) return undefined;
    event.preventDefault();
    if (!here) return cells[0]?.focus();
    const from = middle(here);
    let best = null;
    for (const cell of cells) {
      if (cell === here) continue;
      const to = middle(cell);
      const along = (to.x - from.x) * way[0] + (to.y - from.y) * way[1];
      const aside = Math.abs((to.x - from.x) * way[1]) + Math.abs((to.y - from.y) * way[0]);
      if (along > 0 && aside <= along * 1.5 && (!best || along + aside < best.cost)) best = { cell, cost: along + aside, to };
    }
    if (best) {
      best.cell.focus({ preventScroll: true });
      const gone = best.to.x < view.x || best.to.x > view.x + view.w || best.to.y < view.y || best.to.y > view.y + view.h;
      if (gone) { view.x = best.to.x - view.w / 2; view.y = best.to.y - view.h / 2; show(); }
    }
    return undefined;
  });

  document.querySelector(".map-tools").addEventListener("click", (event) => {
    const wish = event.target.closest("[data-zoom]")?.dataset.zoom;
    const rect = svg.getBoundingClientRect();
    const chosen = svg.querySelector(".spot.chosen .pick")?.getBoundingClientRect();
    const centred = [rect.x + rect.width / 2, rect.y + rect.height / 2];
    if (wish === "in" && chosen) {  // nearer means nearer to what is chosen
      const to = place(chosen.x + chosen.width / 2, chosen.y + chosen.height / 2);
      view.x = to.x - view.w / 2;
      view.y = to.y - view.h / 2;
      show();
    }
    if (wish === "in") zoom(1.5, ...centred);
    if (wish === "out") zoom(1 / 1.5, ...centred);
    if (wish === "fit") fit();
    if (wish === "here") {
      const happens = at(here());
      if (happens) centre(happens);
      else view = home();
      show();
    }
  });
  // After one's own act, and when a new question stands, the panel begins at the question.
  const question = () => document.querySelector("#side .note.asked")?.textContent || "";
  const version = () => document.getElementById("table")?.dataset.version;
  let stood = { version: version(), question: question() }, isMine = false;
  document.addEventListener("htmx:before:request", (event) => { if (event.detail.ctx.request.method !== "GET") isMine = true; });
  document.addEventListener("htmx:after:swap", () => {
    const now = { version: version(), question: question() };
    const toTop = now.version !== stood.version && (isMine || (now.question && now.question !== stood.question));
    if (now.version !== stood.version) isMine = false;
    stood = now;
    const side = document.getElementById("side");
    if (toTop && side) setTimeout(() => { side.scrollTop = 0; }); // after what was scrolled has been put back
  });
  // What happened last goes from the map after a while, and does not come back with the next tap: it is in the journal.
  const STAY = 12000;
  let told = { text: "", since: 0 };
  function tell() {
    const box = document.getElementById("latest");
    if (!box) return;
    if (told.text !== box.textContent) told = { text: box.textContent, since: Date.now() };
    box.style.setProperty("--stay", `${Math.max(0, STAY - (Date.now() - told.since))}ms`);
  }
  document.addEventListener("htmx:after:swap", tell);

  window.addEventListener("resize", show);
  tell();
  begin();
})();
