// Installs the service worker, and tells it the reader's look. In a game that waits until everything else is there.
"use strict";
if ("serviceWorker" in navigator) {
  const AFTER = 4000; // milliseconds
  const begin = () => navigator.serviceWorker.register("/sw.js").catch(() => {});
  if (document.querySelector("[data-live]")) window.addEventListener("load", () => setTimeout(begin, AFTER));
  else begin();
  const root = document.documentElement;
  const tell = () => navigator.serviceWorker.ready.then((registration) => {
    if (registration.active) registration.active.postMessage({ look: root.lang + " " + root.dataset.scheme });
  });
  tell();
  document.addEventListener("navarch:look", tell); // colours change in place, without a new page
}
