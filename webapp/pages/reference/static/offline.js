// Installs the service worker, tells it the reader's look, and says so when this page comes from what was kept.
"use strict";
if ("serviceWorker" in navigator) {
  navigator.serviceWorker.register("/sw.js").catch(() => {});
  const root = document.documentElement;
  const tell = () => navigator.serviceWorker.ready.then((registration) => {
    if (registration.active) registration.active.postMessage({ look: root.lang + " " + root.dataset.scheme });
  });
  tell();
  document.addEventListener("navarch:look", tell); // colours change in place, without a new page
}
