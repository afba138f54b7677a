// A photograph of the table: sent, drawn as if seen from above with the ships over it, corrected by a finger, confirmed.
// The server forgets the picture: what is drawn here is the file that was chosen.
"use strict";

(() => {
  const SHARP = 1500, SOURCE = 2600; // pixels of the drawing's width, and of the picture that it is taken from
  const MOST = 15 << 20; // bytes that the server takes
  const HEAD = { "X-Part": "reading" };
  let photo = null, taps = []; // the file; the corners of the table in its pixels
  let places = {}, past = [], chosen = null, laying = null, held = null; // x, y and heading by ship; what stood before

  const one = (id) => document.getElementById(id);
  const find = (what, name) => [...document.querySelectorAll(`#reading [data-${what}]`)].filter((it) => it.dataset[what] === name);
  const token = () => document.querySelector('meta[name="csrf-token"]').content;
  const near = (n) => Math.round(n * 10) / 10;

  // -- Sent, and what came of it.

  function stage() {
    if (one("reading")) return;
    const dialog = document.createElement("dialog"), close = document.createElement("button"), reading = document.createElement("section");
    dialog.className = "reading-over";
    Object.assign(close, { type: "button", className: "plain reading-close", textContent: "×" });
    close.setAttribute("aria-label", document.body.dataset.close || "×");
    close.addEventListener("click", () => dialog.close());
    Object.assign(reading, { id: "reading", className: "reading" });
    dialog.append(close, reading);
    dialog.addEventListener("close", () => dialog.remove());
    dialog.autofocus = true;
    document.body.append(dialog);
    dialog.showModal();
  }
  function busy(on, words = "") {
    one("reading").setAttribute("aria-busy", String(on));
    let line = one("reading-busy");
    if (!line && on) {
      line = document.createElement("p");
      Object.assign(line, { id: "reading-busy", className: "reading-busy" });
      line.setAttribute("role", "status");
      line.append(document.createElement("progress"), " " + words);
      one("reading").append(line);
    }
    if (line) line.hidden = !on;
  }
  function refuse(text) {
    const said = document.createElement("p");
    Object.assign(said, { className: "note refused", textContent: text });
    said.setAttribute("role", "alert");
    (one("reading-told") || one("reading")).replaceChildren(said);
  }
  async function post(address, body) {
    try {
      const answer = await fetch(address, { method: "POST", body, headers: { ...HEAD, "X-CSRFToken": token() } });
      return [answer, new DOMParser().parseFromString(await answer.text(), "text/html")];
    } catch { navarch.link(false); return []; }
  }
  async function send(address, file, words = "") {
    stage();
    const form = one("reading-form"), body = form ? new FormData(form) : new FormData();
    for (const [name, value] of [["photo", file], ["corners", taps.join(" ")]]) body.set(name, value);
    busy(true, words);
    const [answer, text] = await post(address, body);
    if (!one("reading")) return; // it was closed meanwhile
    busy(false);
    if (!answer) return;
    photo = file;
    taps = [];
    take(text);
  }
  function take(text) {
    const found = text.getElementById("reading");
    if (!found) { refuse((text.querySelector("main [role=alert]") || text.body).textContent.trim()); return; }
    one("reading").replaceWith(document.importNode(found, true));
    begin();
  }

  // -- The picture: as it was taken, to tap the table's corners in it; or as if seen from above.

  async function pixels(most) {
    const picture = await createImageBitmap(photo), by = Math.min(1, most / picture.width), canvas = document.createElement("canvas");
    canvas.width = Math.round(picture.width * by);
    canvas.height = Math.round(picture.height * by);
    const context = canvas.getContext("2d", { willReadFrequently: true });
    context.drawImage(picture, 0, 0, canvas.width, canvas.height);
    return { canvas, by, all: () => context.getImageData(0, 0, canvas.width, canvas.height) };
  }
  async function asTaken() {
    const canvas = one("reading-photo"), { canvas: from, by } = await pixels(SHARP);
    [canvas.width, canvas.height] = [from.width, from.height];
    canvas.getContext("2d").drawImage(from, 0, 0);
    canvas.dataset.by = by;
    canvas.hidden = one("reading-view").hidden = false;
  }
  async function fromAbove(lens) {
    const canvas = one("reading-photo"), { width, height, x: left, y: top } = one("reading-ships").viewBox.baseVal;
    const { by, all } = await pixels(SOURCE), from = all(), source = new Uint32Array(from.data.buffer);
    const wide = SHARP, high = Math.round((SHARP * height) / width), step = width / wide;
    const made = new ImageData(wide, high), target = new Uint32Array(made.data.buffer);
    const { turn: [a, b, c], place: [px, py, pz], focal, k1, k2, middle: [mx, my] } = lens;
    for (let row = 0, at = 0; row < high; row += 1) {
      const y = top + (row + 0.5) * step - py;
      for (let column = 0; column < wide; column += 1, at += 1) {
        const x = left + (column + 0.5) * step - px, deep = c[0] * x + c[1] * y - c[2] * pz;
        const u = (a[0] * x + a[1] * y - a[2] * pz) / deep, v = (b[0] * x + b[1] * y - b[2] * pz) / deep;
        const far = u * u + v * v, bent = (1 + far * (k1 + k2 * far)) * focal;
        const i = Math.round((u * bent + mx + 0.5) * by - 0.5), j = Math.round((v * bent + my + 0.5) * by - 0.5);
        if (i >= 0 && j >= 0 && i < from.width && j < from.height) target[at] = source[j * from.width + i];
      }
    }
    [canvas.width, canvas.height] = [wide, high];
    canvas.getContext("2d").putImageData(made, 0, 0);
    canvas.hidden = false;
  }

  // -- The ships: where each lies, what a finger or a button changes, and how that is taken back.

  function begin() {
    [places, past, chosen, laying] = [{}, [], null, null];
    for (const { dataset } of document.querySelectorAll("#reading [data-ship]")) places[dataset.ship] = dataset.at ? dataset.at.split(" ").map(Number) : null;
    one("reading-live")?.toggleAttribute("hidden", !navigator.mediaDevices?.getUserMedia);
    if (!one("reading-photo") || !photo) return;
    const { lens, taps: wanted } = one("reading").dataset;
    const drawn = wanted !== undefined && !one("reading-ships") ? asTaken() : lens && fromAbove(JSON.parse(lens));
    drawn?.catch(() => {}); // what this browser cannot show has been read all the same
  }
  const laid = ([x, y, heading]) => `translate(${x} ${y}) rotate(${heading})`;

  function show() {
    for (const [name, place] of Object.entries(places)) {
      for (const it of find("ship", name)) {
        it.classList.toggle("away", !place);
        it.classList.toggle("chosen", name === chosen);
        if (place) it.setAttribute("transform", laid(place));
      }
      for (const it of find("of", name)) it.classList.toggle("away", Boolean(place));
      for (const it of find("wait", name)) it.hidden = Boolean(place);
      for (const it of find("lay", name)) it.setAttribute("aria-pressed", String(name === laying));
    }
    one("reading-table").classList.toggle("laying", laying !== null);
    one("reading-form").elements.ships.value = JSON.stringify(Object.fromEntries(Object.entries(places).filter(([, place]) => place)));
    one("reading-count").textContent = Object.values(places).filter(Boolean).length;
    one("reading-undo").disabled = !past.length;
    one("reading").classList.toggle("changed", past.length > 0); // what was said of contacts and ranges is of before
    handle();
  }
  function handle() { // the bow of the chosen ship, to turn her by
    const ships = one("reading-ships");
    ships.querySelector(".reading-handle")?.remove();
    const place = places[chosen];
    if (!place) return;
    const across = 1 / ships.getScreenCTM().a, long = find("ship", chosen)[0].querySelector(".touch").r.baseVal.value;
    const group = document.createElementNS(ships.namespaceURI, "g"), far = long + 30 * across;
    const [line, bow] = ["line", "circle"].map((name) => document.createElementNS(ships.namespaceURI, name));
    group.setAttribute("class", "reading-handle");
    group.setAttribute("transform", laid(place));
    for (const [name, value] of [["y1", -long], ["y2", -far + 14 * across]]) line.setAttribute(name, value);
    bow.setAttribute("cy", -far);
    bow.setAttribute("r", 16 * across);
    group.append(line, bow);
    ships.append(group);
  }
  const remember = () => past.push(JSON.stringify(places));
  function put(name, place) {
    remember();
    places[name] = place;
    [chosen, laying] = [name, null];
    show();
  }
  function spot(event) {
    const { x, y } = new DOMPoint(event.clientX, event.clientY).matrixTransform(one("reading-ships").getScreenCTM().inverse());
    return [x, y];
  }

  document.addEventListener("pointerdown", (event) => {
    const on = (what) => event.target.closest?.(`#reading ${what}`);
    if (held || !one("reading-ships")) return;
    const wait = on("[data-wait]"), either = on("[data-of]"), ship = on("[data-ship]");
    if (wait && !on("button")) held = { name: wait.dataset.wait, id: event.pointerId, isNew: true };
    else if (on(".reading-handle")) held = { name: chosen, id: event.pointerId, turns: true };
    else if (either) put(either.dataset.of, either.dataset.at.split(" ").map(Number));
    else if (ship) {
      const [x, y] = spot(event), [a, b] = places[ship.dataset.ship];
      held = { name: (chosen = ship.dataset.ship), id: event.pointerId, off: [a - x, b - y] };
      show();
    } else if (laying && on("#reading-table")) put(laying, [...spot(event).map(near), 0]);
    else return;
    if (held && !held.isNew) held.before = JSON.stringify(places);
    event.preventDefault();
  });
  document.addEventListener("pointermove", (event) => {
    if (!held || event.pointerId !== held.id || held.isNew) return;
    const [x, y] = spot(event), place = places[held.name];
    if (held.turns) place[2] = (Math.round((Math.atan2(x - place[0], place[1] - y) * 180) / Math.PI) + 360) % 360;
    else [place[0], place[1]] = [near(x + held.off[0]), near(y + held.off[1])];
    show();
  });
  function let_go(event) {
    if (!held || event.pointerId !== held.id) return;
    const { name, isNew, before } = held, box = one("reading-table")?.getBoundingClientRect();
    held = null;
    if (!box) return;
    const within = event.clientX >= box.left && event.clientX <= box.right && event.clientY >= box.top && event.clientY <= box.bottom;
    if (isNew && within && event.type === "pointerup") put(name, [...spot(event).map(near), 0]);
    else if (before && before !== JSON.stringify(places)) { past.push(before); show(); }
  }
  for (const end of ["pointerup", "pointercancel"]) document.addEventListener(end, let_go);

  document.addEventListener("click", (event) => {
    const button = event.target.closest?.("#reading button");
    if (one("reading") && event.target === one("reading-photo") && one("reading-photo").dataset.by) tap(event);
    if (!button) return;
    if (button.name === "put") {
      event.preventDefault();
      const [name, ...place] = button.value.split(" ");
      put(name, place.map(Number));
    } else if (button.dataset.lay) { laying = laying === button.dataset.lay ? null : button.dataset.lay; show(); }
    else if (button.id === "reading-undo") { places = JSON.parse(past.pop()); show(); }
    else if (button.id === "reading-larger") { button.setAttribute("aria-pressed", String(one("reading-table").classList.toggle("larger"))); handle(); }
    else if (button.id === "reading-live") live(button.dataset);
  });

  // -- Four taps on the table's corners, where its tags were not seen.

  function tap(event) {
    const canvas = one("reading-photo"), box = canvas.getBoundingClientRect(), context = canvas.getContext("2d");
    const [x, y] = [((event.clientX - box.left) / box.width) * canvas.width, ((event.clientY - box.top) / box.height) * canvas.height];
    taps.push(`${near(x / canvas.dataset.by)},${near(y / canvas.dataset.by)}`);
    context.beginPath();
    context.arc(x, y, (14 * canvas.width) / box.width, 0, 7);
    Object.assign(context, { lineWidth: (4 * canvas.width) / box.width, strokeStyle: "#fff", fillStyle: "rgb(168 67 0 / 55%)" });
    context.fill();
    context.stroke();
    if (taps.length === 4) send(document.querySelector("#reading [data-read]").dataset.read, photo);
  }

  // -- The photograph: of the phone's own camera or a file; or of the live picture, where the page may show one.

  document.addEventListener("change", (event) => {
    const input = event.target;
    if (!input.matches?.("input[data-read]") || !input.files.length) return;
    const [file] = input.files, { read, busy: words, large } = input.dataset;
    taps = [];
    if (file.size > MOST) { stage(); refuse(large); } else send(read, file, words);
    input.value = "";
  });

  async function live(words) {
    const view = one("reading-view"), place = document.createElement("div"), address = document.querySelector("#reading [data-read]").dataset.read;
    const [video, said, shutter] = ["video", "p", "button"].map((name) => document.createElement(name));
    place.className = "reading-live";
    Object.assign(video, { muted: true, playsInline: true });
    Object.assign(shutter, { type: "button", className: "main", textContent: words.shutter });
    let stream = null;
    const stop = () => { stream?.getTracks().forEach((each) => each.stop()); place.remove(); one("reading-table")?.removeAttribute("hidden"); };
    try {
      stream = await navigator.mediaDevices.getUserMedia({ video: { facingMode: "environment", width: { ideal: 4096 }, height: { ideal: 3072 } } });
    } catch { refuse(words.none); return; }
    video.srcObject = stream;
    await video.play();
    const wide = Math.floor((words.tag * video.videoWidth) / (words.table * 1.1));
    said.textContent = (wide >= words.enough ? words.good : words.small).replace("#", wide);
    place.append(video, said, shutter);
    one("reading-table").hidden = true;
    view.hidden = false;
    view.append(place);
    shutter.addEventListener("click", async () => {
      const taken = await still(stream.getVideoTracks()[0], video);
      stop();
      send(address, new File([taken], "table.jpg", { type: taken.type }));
    });
    one("reading").closest("dialog")?.addEventListener("close", stop);
  }
  async function still(track, video) { // with all that the camera can, which is more than its live picture
    try { return await new ImageCapture(track).takePhoto(); } catch { /* then what is seen */ }
    const canvas = document.createElement("canvas");
    [canvas.width, canvas.height] = [video.videoWidth, video.videoHeight];
    canvas.getContext("2d").drawImage(video, 0, 0);
    return new Promise((done) => canvas.toBlob(done, "image/jpeg", 0.92));
  }

  // -- Confirmed.

  document.addEventListener("submit", async (event) => {
    const form = event.target;
    if (form.id !== "reading-form" || event.submitter?.formAction !== form.action) return;
    event.preventDefault();
    const body = new FormData(form);
    body.delete("photo");
    busy(true);
    const [answer, text] = await post(form.action, body);
    if (!one("reading")) return;
    busy(false);
    if (!answer) return;
    const onward = answer.headers.get("X-Next");
    if (onward) { location.assign(onward); return; }
    one("reading-told").replaceChildren(...(text.getElementById("reading-told") || text.body).childNodes);
    const seen = text.querySelector("#reading-form [name=seen]"); // what has happened meanwhile is told, and then known
    if (seen) form.elements.seen.value = seen.value;
  });

  navarch.ready(begin);
})();
