"""How much of the window shows a battle's board, looked at by points."""

SHARE = """() => {
  let seen = 0, all = 0;
  for (let x = 2; x < innerWidth; x += 4) for (let y = 2; y < innerHeight; y += 4) {
    all += 1;
    if (document.elementFromPoint(x, y)?.closest("svg.board")) seen += 1;
  }
  return seen / all;
}"""
