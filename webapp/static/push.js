// Asks this browser to be told by web push, and hands what it answers to the server.
"use strict";

(() => {
  const box = document.getElementById("devices"), button = document.getElementById("tell-me"), not = document.getElementById("tell-not");
  if (!box) return;
  const can = window.isSecureContext && "serviceWorker" in navigator && "PushManager" in window && "Notification" in window;
  button.hidden = !can;
  not.hidden = can;
  if (!can) return;
  navigator.serviceWorker.register("/sw.js").catch(() => {});

  const bytes = (text) => Uint8Array.from(atob(text.replaceAll("-", "+").replaceAll("_", "/")), (sign) => sign.charCodeAt(0));
  const say = (text) => { not.textContent = text; not.hidden = false; };

  async function subscribed() {
    const manager = (await navigator.serviceWorker.ready).pushManager;
    const wanted = { userVisibleOnly: true, applicationServerKey: bytes(box.dataset.key) };
    try {
      return await manager.subscribe(wanted);
    } catch (fault) {
      const old = await manager.getSubscription(); // tied to another key: a server of before at this address
      if (!old) throw fault;
      await old.unsubscribe();
      return manager.subscribe(wanted);
    }
  }

  button.addEventListener("click", async () => {
    button.disabled = true;
    try {
      if ((await Notification.requestPermission()) !== "granted") return say(box.dataset.barred);
      const { endpoint, keys } = (await subscribed()).toJSON();
      const answer = await fetch(box.dataset.send, { method: "POST", headers: { "Content-Type": "application/json", "X-CSRFToken": csrf() }, body: JSON.stringify({ endpoint, keys }) });
      if (answer.ok) return location.reload();
      say((await answer.json()).message || box.dataset.failed);
    } catch {
      say(box.dataset.failed);
    } finally {
      button.disabled = false;
    }
  });
})();
