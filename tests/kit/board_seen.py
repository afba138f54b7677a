"""What a browser says of a battle's board: how much of the window shows it, its free part, names that lie over others."""

# How much of the window shows the board, by points eight pixels apart; sixteen of them count as one where their corners
# and their middle agree. What is drawn on it is left out meanwhile: a point is found in an empty board much sooner.
SHARE = """() => {
  const drawn = [...document.querySelector("svg.board").children];
  const was = drawn.map((it) => it.style.display);
  for (const it of drawn) it.style.display = "none";
  const isSeen = (x, y) => document.elementFromPoint(x, y)?.closest("svg.board") ? 1 : 0;
  const four = (from, to) => [4, 12, 20, 28].map((at) => from + at).filter((at) => at < to);
  let seen = 0, all = 0;
  for (let left = 0; left < innerWidth - 4; left += 32) for (let top = 0; top < innerHeight - 4; top += 32) {
    const across = four(left, innerWidth), down = four(top, innerHeight), count = across.length * down.length;
    const [x, right, y, foot] = [across[0], across.at(-1), down[0], down.at(-1)];
    const probes = [[x, y], [right, y], [x, foot], [right, foot], [across.at(across.length / 2), down.at(down.length / 2)]];
    const met = probes.reduce((sum, [x, y]) => sum + isSeen(x, y), 0);
    all += count;
    if (met % 5 === 0) seen += met ? count : 0;
    else for (const x of across) for (const y of down) seen += isSeen(x, y);
  }
  drawn.forEach((it, n) => { it.style.display = was[n]; });
  return seen / all;
}"""

# The free part in pixels, and where the map's edges lie.
FREE = """() => {
  const svg = document.querySelector("svg.board"), part = { left: 0, top: 0, right: innerWidth, bottom: innerHeight };
  for (const card of document.querySelectorAll(".top, .cameras, .side, .strip, .told")) {
    const it = card.getBoundingClientRect(), style = getComputedStyle(card), lies = style.getPropertyValue("--lies").trim();
    if (!it.width || style.visibility === "hidden") continue;
    if (lies === "top") part.top = Math.max(part.top, it.bottom);
    if (lies === "bottom") part.bottom = Math.min(part.bottom, it.top);
    if (lies === "right") part.right = Math.min(part.right, it.left);
    if (lies === "left") part.left = Math.max(part.left, it.right);
  }
  const [x, y, w, h] = svg.dataset.home.split(" ").map(Number), on = svg.getScreenCTM();
  const map = { left: on.a * x + on.e, top: on.d * y + on.f, right: on.a * (x + w) + on.e, bottom: on.d * (y + h) + on.f };
  return { part, map, unit: on.a };
}"""

# Names, chances and hulls that lie over one another, by a pixel and more.
OVER = """() => {
  const box = (it) => it.getBoundingClientRect(), on = document.querySelector("svg.board").getScreenCTM();
  const found = [...document.querySelectorAll(".name-tag:not([visibility]) .nm")].map((it) => [it.textContent, box(it), it.parentElement.dataset.of]);
  for (const it of document.querySelectorAll(".chance-card")) found.push(["chance", box(it), ""]);
  for (const it of document.querySelectorAll(".name-tag")) {
    const ship = document.querySelector(`[data-ship="${it.dataset.of}"]`), turn = (ship.dataset.angle * Math.PI) / 180;
    const long = it.dataset.long * on.a, broad = it.dataset.broad * on.a, s = Math.abs(Math.sin(turn)), c = Math.abs(Math.cos(turn));
    const w = s * long + c * broad, h = c * long + s * broad, x = ship.dataset.x * on.a + on.e, y = ship.dataset.y * on.d + on.f;
    found.push(["hull", { left: x - w / 2, right: x + w / 2, top: y - h / 2, bottom: y + h / 2 }, it.dataset.of]);
  }
  const over = [];
  found.forEach(([one, a, mine], n) => found.slice(n + 1).forEach(([other, b, its]) => {
    if (one === "hull" && other === "hull") return;
    if (a.left + 1 < b.right && b.left + 1 < a.right && a.top + 1 < b.bottom && b.top + 1 < a.bottom) over.push([one, mine, other, its]);
  }));
  return [found.length, over];
}"""
