// What a player must not miss, and what the sea sounds like; both only where they are wished for in the menu, and made by
// this script: two notes and a buzz for "your turn" and "you are hit"; drum, oars, crash and water for what happened.
"use strict";

(() => {
  const table = () => document.getElementById("table");
  const KEYS = { signals: "navarch-signals", sounds: "navarch-sounds" }; // kept on this tablet
  const APART = 300; // milliseconds from one sound to the next, as what happened is shown (happenings.js)
  let hurts = null, mine = null, heard = null, audio = null, hiss = null;

  const wished = (what) => { try { return localStorage.getItem(KEYS[what]) === "1"; } catch { return false; } };
  function sounding() {
    audio = audio || new (window.AudioContext || window.webkitAudioContext)();
    audio.resume?.();
    return audio;
  }
  // A source that swells and fades: `shape` are seconds to its height and to its end, and how loud it is there.
  function play(source, at, [up, end, loud], filter = null) {
    const gain = audio.createGain();
    gain.gain.setValueAtTime(0.0001, at);
    gain.gain.exponentialRampToValueAtTime(loud, at + up);
    gain.gain.exponentialRampToValueAtTime(0.0001, at + end);
    (filter ? source.connect(filter) : source).connect(gain).connect(audio.destination);
    source.start(at);
    source.stop(at + end + 0.01);
  }
  function note(pitch, at, shape, to = pitch) {
    const voice = audio.createOscillator();
    voice.frequency.setValueAtTime(pitch, at);
    voice.frequency.exponentialRampToValueAtTime(to, at + shape[1]);
    play(voice, at, shape);
  }
  function noise(kind, from, to, at, shape) {
    if (!hiss) {
      hiss = audio.createBuffer(1, audio.sampleRate, audio.sampleRate);
      hiss.getChannelData(0).forEach((_, place, all) => { all[place] = Math.random() * 2 - 1; });
    }
    const source = audio.createBufferSource(), filter = audio.createBiquadFilter();
    source.buffer = hiss;
    source.loop = true;
    filter.type = kind;
    filter.frequency.setValueAtTime(from, at);
    filter.frequency.exponentialRampToValueAtTime(to, at + shape[1]);
    play(source, at, shape, filter);
  }
  const SOUNDS = {
    drum: (at) => { for (const beat of [0, 0.32]) note(110, at + beat, [0.005, 0.28, 0.5], 48); },
    oars: (at) => { for (const stroke of [0, 0.34]) noise("bandpass", 380, 900, at + stroke, [0.14, 0.3, 0.16]); },
    crash: (at) => { noise("lowpass", 1800, 160, at, [0.004, 0.55, 0.5]); note(90, at, [0.004, 0.4, 0.4], 36); },
    water: (at) => { noise("lowpass", 900, 140, at, [0.4, 1.6, 0.3]); note(70, at + 0.2, [0.2, 1.2, 0.12], 30); },
  };
  function tone(pitches) {
    if (!wished("signals")) return;
    sounding();
    pitches.forEach((pitch, number) => note(pitch, audio.currentTime + number * 0.16, [0.02, 0.15, 0.25]));
  }
  function buzz(pattern) { if (wished("signals")) navigator.vibrate?.(pattern); }

  // Each sound once, however many ships rowed or struck since the last look.
  function listen() {
    const told = JSON.parse(document.getElementById("happenings")?.dataset.sounds || "[]");
    const fresh = heard === null ? [] : told.filter(([number]) => number > heard);
    heard = Math.max(heard ?? -1, ...told.map(([number]) => number));
    const all = new Set(fresh.flatMap(([, sounds]) => sounds));
    if (!all.size || !wished("sounds")) return;
    sounding();
    [...all].forEach((name, place) => SOUNDS[name](audio.currentTime + (place * APART) / 1000));
    document.documentElement.dataset.sounds = [...all].join(" ");
  }

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
    listen();
    for (const what of Object.keys(KEYS)) {
      const box = document.getElementById(what);
      if (box) box.checked = wished(what);
    }
  }
  document.addEventListener("change", (event) => {
    const { id, checked } = event.target;
    if (!(id in KEYS)) return;
    try { localStorage.setItem(KEYS[id], checked ? "1" : "0"); } catch { /* a private window keeps nothing */ }
    if (id === "signals") tone([523, 659]);
    else if (checked) SOUNDS.drum(sounding().currentTime);
  });
  document.addEventListener("htmx:after:swap", signal);
  navarch.ready(signal);
})();
