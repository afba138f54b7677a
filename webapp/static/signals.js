// What a player must not miss: if wished for, a sound and a buzz say "your turn" and "you are hit".
"use strict";

(() => {
  const table = () => document.getElementById("table");
  let hurts = null, mine = null;

  // Sound and buzz: wished for in the menu, kept on this tablet.
  const KEY = "navarch-signals";
  let audio = null;
  const wished = () => { try { return localStorage.getItem(KEY) === "1"; } catch { return false; } };
  function tone(pitches) {
    if (!wished()) return;
    audio = audio || new (window.AudioContext || window.webkitAudioContext)();
    audio.resume?.();
    pitches.forEach((pitch, number) => {
      const voice = audio.createOscillator(), loud = audio.createGain(), at = audio.currentTime + number * 0.16;
      voice.frequency.value = pitch;
      loud.gain.setValueAtTime(0.0001, at);
      loud.gain.exponentialRampToValueAtTime(0.25, at + 0.02);
      loud.gain.exponentialRampToValueAtTime(0.0001, at + 0.15);
      voice.connect(loud).connect(audio.destination);
      voice.start(at);
      voice.stop(at + 0.16);
    });
  }
  function buzz(pattern) { if (wished()) navigator.vibrate?.(pattern); }

  function signal() {
    const root = table(), results = document.getElementById("results");
    if (!root) return;
    const hit = Number(results?.dataset.hurts || 0), turn = root.dataset.mine === "1";
    if (hurts !== null) {
      if (hit > hurts) { tone([196, 147]); buzz([120, 60, 120]); document.documentElement.dataset.signal = "hit"; }
      else if (turn && !mine) { tone([523, 659]); buzz(80); document.documentElement.dataset.signal = "turn"; }
    }
    hurts = Math.max(hurts || 0, hit);
    mine = turn;
    const box = document.getElementById("signals");
    if (box) box.checked = wished();
  }
  document.addEventListener("change", (event) => {
    if (event.target.id !== "signals") return;
    try { localStorage.setItem(KEY, event.target.checked ? "1" : "0"); } catch { /* a private window keeps nothing */ }
    tone([523, 659]);
  });
  document.addEventListener("htmx:after:swap", signal);
  navarch.ready(signal);
})();
