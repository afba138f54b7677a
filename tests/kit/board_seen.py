"""What a browser says of a battle's board: how much of the window shows it, its free part, names that lie over others."""

# How much of the window shows the board, by points eight pixels apart; sixteen of them count as one where the corners of
# their square agree: whatever may be tapped is larger. What is drawn on the board is left out meanwhile: a point is found
# in an empty board much sooner.
SHARE = """() => {
  const drawn = [...document.querySelector("svg.board").children];
  const was = drawn.map((it) => it.style.display);
  for (const it of drawn) it.style.display = "none";
  const isSeen = (x, y) => document.elementFromPoint(x, y)?.closest("svg.board") ? 1 : 0;
  const points = (end) => Array.from({ length: Math.floor((end - 5) / 8) + 1 }, (_, n) => 4 + 8 * n);
  const [across, down] = [points(innerWidth), points(innerHeight)];
  const corners = (all) => [...all.filter((_, n) => n % 4 === 0), all.at(-1)];
  const met = corners(down).map((y) => corners(across).map((x) => isSeen(x, y)));
  let seen = 0;
  for (let row = 0; row < down.length; row += 4) for (let column = 0; column < across.length; column += 4) {
    const [n, m] = [row / 4, column / 4], sum = met[n][m] + met[n][m + 1] + met[n + 1][m] + met[n + 1][m + 1];
    const [xs, ys] = [across.slice(column, column + 4), down.slice(row, row + 4)];
    if (sum % 4 === 0) seen += sum ? xs.length * ys.length : 0;
    else for (const x of xs) for (const y of ys) seen += isSeen(x, y);
  }
  drawn.forEach((it, n) => { it.style.display = was[n]; });
  return seen / (across.length * down.length);
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
