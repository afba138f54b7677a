// Navarch without a network. Only what is public is kept: rules, tables, odds, cases, styles, scripts.
"use strict";
const CACHE = "navarch-{{ version }}";
const SHELL = {{ shell | tojson }};
const PUBLIC = {{ public | tojson }};
const PATIENCE = 3000; // milliseconds until what is kept is shown instead of a slow answer
const LOOK = "/--look";

const isPublic = (url) => url.origin === location.origin && PUBLIC.some((start) =>
  start.endsWith("/") ? url.pathname.startsWith(start) : url.pathname === start || url.pathname.startsWith(start + "/"));

// A page of its own, or what the panel over a game shows (static/panel.js).
const isPage = (request) => request.mode === "navigate" || (request.headers.get("Accept") || "").startsWith("text/html");

async function keepShell() {
  const cache = await caches.open(CACHE);
  await Promise.all(SHELL.map(async (address) => {
    const answer = await fetch(address, { cache: "no-cache", credentials: "same-origin" });
    if (answer.ok && !answer.redirected) await cache.put(address, answer);
  }));
}

self.addEventListener("install", (event) => event.waitUntil(keepShell().then(() => self.skipWaiting())));

self.addEventListener("activate", (event) => event.waitUntil((async () => {
  for (const name of await caches.keys()) if (name.startsWith("navarch-") && name !== CACHE) await caches.delete(name);
  await self.clients.claim();
})()));

async function follow(look) {
  const cache = await caches.open(CACHE);
  const known = await cache.match(LOOK);
  if (known && (await known.text()) === look) return;
  if (known) await keepShell();
  await cache.put(LOOK, new Response(look));
}

// The reader has chosen another language or colours: what is kept is fetched again in them, one choice after another.
let followed = Promise.resolve();
self.addEventListener("message", (event) => {
  if (!event.data || !event.data.look) return;
  followed = followed.then(() => follow(event.data.look)).catch(() => {});
  event.waitUntil(followed);
});

// The search without a network: the page that is kept, with links to the paragraphs that hold all words of the query.
// An entry of the index stands for the words that begin with it; the longest Russian and Italian endings have six letters.
async function searched(cache, page, url) {
  const kept = await cache.match("/reference/words.json", { ignoreVary: true });
  const asked = url.searchParams.get("q").toLowerCase().replaceAll("ё", "е").match(/[\p{L}\p{N}]+([.'][\p{L}\p{N}]+)*/gu);
  if (!kept || !asked) return page;
  const { words, paragraphs, nothing } = await kept.json();
  const answers = (start, word) => start.startsWith(word)
    || (start.length > 2 && word.startsWith(start) && word.length - start.length <= 6);
  const places = asked.map((word) =>
    new Set(Object.keys(words).filter((start) => answers(start, word)).flatMap((start) => words[start])));
  const system = url.pathname.split("/")[2];
  const found = paragraphs.filter((each, at) => (!system || each[0] === system) && places.every((one) => one.has(at)));
  const lines = found.slice(0, 60).map(([book, number, title]) =>
    `<li><a href="/reference/${book}#p-${number}"><span class="code">${number}</span> ${title}</a></li>`);
  const list = lines.length ? `<ul>${lines.join("")}</ul>` : `<p>${nothing}</p>`;
  const html = (await page.text()).replace(/<div id="found"[^>]*>/, (head) => head + list);
  return new Response(html, { headers: { "Content-Type": "text/html; charset=utf-8" } });
}

async function kept(request) {
  const cache = await caches.open(CACHE);
  const url = new URL(request.url);
  const found = (await cache.match(request, { ignoreVary: true }))
    || (await cache.match(url.pathname, { ignoreVary: true, ignoreSearch: true }));
  if (found && url.searchParams.has("q") && url.pathname.startsWith("/reference")) return searched(cache, found, url);
  if (found || !isPage(request)) return found;
  if (!isPublic(url)) return cache.match("/no-network", { ignoreVary: true });
  const paragraph = url.pathname.match(/^\/reference\/([^/]+)\/([^/]+)$/);
  if (paragraph && await cache.match(`/reference/${paragraph[1]}`)) {
    return Response.redirect(`/reference/${paragraph[1]}#p-${paragraph[2]}`);
  }
  if (url.pathname.startsWith("/odds/")) return Response.redirect("/odds/common");
  return cache.match("/reference", { ignoreVary: true });
}

async function answer(event) {
  const request = event.request;
  const slow = new Promise((resolve) => setTimeout(resolve, PATIENCE));
  const fresh = fetch(request).then(async (answered) => {
    const url = new URL(request.url);
    if (answered.ok && !answered.redirected && !url.search && !request.headers.has("HX-Request")) {
      await (await caches.open(CACHE)).put(url.pathname, answered.clone());
    }
    return answered;
  });
  event.waitUntil(fresh.catch(() => {}));
  const first = await Promise.race([fresh.catch(() => null), slow]);
  return first || (await kept(request)) || fresh;
}

// Other pages than the public ones are never kept: without a network their place is taken by a page that says so.
self.addEventListener("fetch", (event) => {
  const request = event.request;
  if (request.method !== "GET" || request.headers.has("Authorization")) return;
  if ((request.headers.get("Accept") || "").includes("text/event-stream")) return;
  if (isPublic(new URL(request.url))) event.respondWith(answer(event));
  else if (request.mode === "navigate") event.respondWith(fetch(request).catch(() => kept(request)));
});

// A seat is waited for or written to. Who has the game before his eyes need not be told.
const page = (told) => new URL(told.url || "/", location.origin);
// Where a seat's link leads: to the game's own page, or to the orders or the desk of a war of one's own.
const table = (url) => new URL(url).pathname.replace(/^\/g\/(\w+)\/home$|^\/open\/(\w+)\/(?:orders|desk)$/, "/g/$1$2");
self.addEventListener("push", (event) => {
  const told = event.data ? event.data.json() : {};
  event.waitUntil((async () => {
    const open = await clients.matchAll({ type: "window", includeUncontrolled: true });
    const isSeen = open.some((each) => each.visibilityState === "visible" && table(each.url) === table(page(told)));
    if (isSeen) return;
    await self.registration.showNotification(told.title || "Navarch", {
      body: told.body || "", tag: told.tag || "", icon: "/static/icon.svg", data: told,
    });
  })());
});

self.addEventListener("notificationclick", (event) => {
  event.notification.close();
  const wanted = page(event.notification.data || {});
  event.waitUntil((async () => {
    if (wanted.origin !== location.origin) return;
    const open = await clients.matchAll({ type: "window", includeUncontrolled: true });
    const there = open.find((each) => table(each.url) === table(wanted));
    if (there) await there.focus();
    else await clients.openWindow(wanted.href);
  })());
});
