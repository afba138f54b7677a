// A ship's printed card held before the camera opens the ship: only where the browser itself reads codes (BarcodeDetector).
"use strict";

(() => {
  const can = "BarcodeDetector" in window && Boolean(navigator.mediaDevices?.getUserMedia);
  const EVERY = 200; // milliseconds between two looks
  const button = () => document.getElementById("read-card");
  const show = () => button()?.toggleAttribute("hidden", !can);

  // The ship that a card of this game names: the card has the address of her sheet.
  function shipOf(text) {
    const found = /^https?:\/\/[^/]+(?:\/.*)?\/g\/([^/]+)\/sheet\/([^/?#]+)/.exec(text);
    return found && found[1] === document.getElementById("table").dataset.game ? decodeURIComponent(found[2]) : null;
  }

  async function look(dialog, video, said, words) {
    const detector = new BarcodeDetector({ formats: ["qr_code"] });
    while (dialog.open) {
      for (const { rawValue } of await detector.detect(video)) {
        const ship = shipOf(rawValue);
        if (ship !== null) return ship;
        said.textContent = words.other;
      }
      await new Promise((go) => setTimeout(go, EVERY));
    }
    return null;
  }

  async function read(words) {
    const [dialog, video, said, close] = ["dialog", "video", "p", "button"].map((name) => document.createElement(name));
    let stream = null;
    const stop = () => stream?.getTracks().forEach((each) => each.stop());
    Object.assign(video, { muted: true, playsInline: true });
    [dialog.id, said.textContent, close.textContent] = ["card-reader", words.hold, words.close];
    dialog.append(video, said, close);
    close.addEventListener("click", () => dialog.close());
    dialog.addEventListener("close", () => (stop(), dialog.remove()));
    document.body.append(dialog);
    dialog.showModal();
    try {
      stream = await navigator.mediaDevices.getUserMedia({ video: { facingMode: "environment" } });
      if (!dialog.open) return stop();
      video.srcObject = stream;
      await video.play();
      const ship = await look(dialog, video, said, words);
      if (ship === null) return;
      dialog.close();
      const to = new URL(location.href);
      to.searchParams.set("ship", ship);
      location.assign(to);
    } catch {
      said.textContent = words.none; // refused, or there is none
    }
  }

  document.addEventListener("click", (event) => {
    if (event.target.closest?.("#read-card")) read(button().dataset);
  });
  document.addEventListener("htmx:after:settle", show);
  navarch.ready(show);
})();
