"""What a browser says of a battle's board: how much of the window shows it, its free part, names that lie over others."""

# How much of the window shows the board. The edges of what lies over it cut the window into rectangles, and each is seen
# or not as its middle is. What lies over it is what may be tapped outside the board, outermost only, and what sticks out
# of that. What is drawn on the board is left out meanwhile: a point is found in an empty board much sooner.
# (An arrow at the edge is a mark on the board.)
SHARE = """() => {
  const svg = document.querySelector("svg.board"), drawn = [...svg.children], was = drawn.map((it) => it.style.display);
  for (const it of drawn) it.style.display = "none";
  const xs = new Set([0, innerWidth]), ys = new Set([0, innerHeight]);
  const inside = (it, card) => it.left >= card.left && it.right <= card.right && it.top >= card.top && it.bottom <= card.bottom;
  const cut = (it, card) => {
    const box = it.getBoundingClientRect(), style = getComputedStyle(it);
    const lies = !it.contains(svg) && box.width && box.height && style.visibility !== "hidden" && style.pointerEvents !== "none";
    if (lies && !(card && inside(box, card))) {
      for (const x of [box.left, box.right]) if (x > 0 && x < innerWidth) xs.add(x);
      for (const y of [box.top, box.bottom]) if (y > 0 && y < innerHeight) ys.add(y);
    }
    if (it === svg || (lies && style.overflow !== "visible")) return;
    for (const child of it.children) cut(child, card || (lies ? box : null));
  };
  cut(document.body, null);
  const [across, down] = [xs, ys].map((all) => [...all].sort((one, other) => one - other));
  let seen = 0;
  for (let n = 1; n < across.length; n++) for (let m = 1; m < down.length; m++) {
    const [left, right, top, bottom] = [across[n - 1], across[n], down[m - 1], down[m]];
    if (document.elementFromPoint((left + right) / 2, (top + bottom) / 2)?.closest("svg.board, #eyes")) seen += (right - left) * (bottom - top);
  }
  drawn.forEach((it, n) => { it.style.display = was[n]; });
  return seen / (innerWidth * innerHeight);
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

# Names that a card cuts.
CUT_BY_CARDS = """() => {
  const svg = document.querySelector("svg.board"), frame = svg.getBoundingClientRect(), cards = navarch.cards(svg);
  return [...document.querySelectorAll(".name-tag:not([visibility]) .nm")].map((it) => [it.textContent, it.getBoundingClientRect()]).filter(([, it]) => {
    const [left, right, top, bottom] = [it.left - frame.left + 1, it.right - frame.left - 1, it.top - frame.top + 2, it.bottom - frame.top - 2];
    return cards.some((card) => left < card.right && card.left < right && top < card.bottom && card.top < bottom &&
      !(left >= card.left && right <= card.right && top >= card.top && bottom <= card.bottom));
  }).map(([name]) => name);
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
