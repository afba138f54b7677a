"""`navarch table`: tags to print for the models on a table, and what a photograph of the table says."""

from __future__ import annotations

import argparse
import json
import re
from pathlib import Path
from typing import Any

import msgspec

from tactical.battle import Battle
from tactical.kernel.record import BadInput, encode, plain
from tactical.tabletop import MOST_SHIPS, THICKEST, Layout, read_layout
from webapp.camera.reading import LARGEST, as_answer, read_photo, read_taps
from webapp.camera.sheet import PAPERS, RULERS, TAGS, Wanted, as_measured, as_pdf, as_svg, draw_up, fleet_of, pages
from webapp.cli import add, database_option, existing, number_from
from webapp.http.forms import parse
from webapp.storage.journal.store import Store


def register(subparsers: Any) -> None:
    """Add the subcommand with its two parts."""
    parser = add(
        subparsers,
        "table",
        read,
        "Printed tags on the bases and in the table's corners let a photograph say where each ship lies.",
        "table sheet --ships 12 --table 1800x1200 --tag 16 --base 80x25 --out tags",
    )
    parts = parser.add_subparsers(dest="part", required=True, metavar="PART")
    sheet = parts.add_parser(
        "sheet",
        help="write the tags to print (sheet.pdf) and where each of them sits (layout.json)",
        description="Print at 100 %, check a ruler, cut, glue. Lengths are in millimetres.",
        epilog="Example: navarch table sheet --fleet K7M2QX --table 1800x1200 --tag 16 --base 80x25 --out tags",
    )
    whose = sheet.add_mutually_exclusive_group(required=True)
    whose.add_argument("--fleet", metavar="GAME", help="the ships of this battle")
    whose.add_argument("--ships", type=number_from(1, MOST_SHIPS), metavar="N", help="so many ships, s0, s1 …")
    sheet.add_argument(
        "--table",
        type=lengths,
        required=True,
        metavar="1800x1200",
        help="the table, from west to east and from north to south",
    )
    sheet.add_argument(
        "--tag", type=number_from(*TAGS, float), default=16.0, metavar="MM", help="a tag's black square (default: 16)"
    )
    sheet.add_argument(
        "--base", type=lengths, required=True, metavar="80x25", help="a base; its length is a base length of the rules"
    )
    sheet.add_argument(
        "--height",
        type=number_from(0, THICKEST, float),
        default=3.0,
        metavar="MM",
        help="a base's thickness (default: 3)",
    )
    sheet.add_argument("--middles", action="store_true", help="two more tags, for the middle of the long sides")
    sheet.add_argument("--paper", choices=PAPERS, default="a4", help="(default: a4)")
    sheet.add_argument("--svg", action="store_true", help="SVG pages in place of a PDF")
    sheet.add_argument(
        "--ruler",
        type=number_from(*RULERS, float),
        default=100.0,
        metavar="MM",
        help="what the printed ruler of 100 mm measures, where it is not 100: the layout is for that print",
    )
    sheet.add_argument(
        "--out", type=Path, default=Path(), metavar="DIR", help="the folder to write to (default: this one)"
    )
    database_option(sheet)
    sheet.set_defaults(run=write_sheet)
    reading = parts.add_parser(
        "read",
        help="say where the ships in a photograph lie",
        description="Reads a photograph of the table. Exits 1 with the reason where it cannot be read. Needs the extra:"
        " pip install navarch[camera]",
        epilog="Example: navarch table read photo.jpg --layout tags/layout.json --json",
    )
    reading.add_argument("photo", type=Path, metavar="PHOTO", help="a JPEG, PNG or WebP file")
    reading.add_argument("--layout", type=Path, required=True, metavar="FILE", help="the layout.json of the sheet")
    reading.add_argument(
        "--corners",
        metavar="X,Y X,Y X,Y X,Y",
        help="the table's corners in the photograph, in pixels, clockwise from the north-west: in place of corner tags",
    )
    reading.add_argument("--json", action="store_true", help="report as JSON")
    reading.set_defaults(run=read)


def lengths(text: str) -> tuple[float, float]:
    """Two lengths written as 1800x1200. Raises ArgumentTypeError."""
    found = re.fullmatch(r"(\d{1,5}(?:\.\d+)?)\s*[x×*]\s*(\d{1,5}(?:\.\d+)?)", text.strip())
    if found is None:
        raise argparse.ArgumentTypeError("expected two lengths in mm, such as 1800x1200")
    return float(found[1]), float(found[2])


def write_sheet(given: argparse.Namespace) -> int:
    """Write the sheet and its layout."""
    wanted = Wanted(given.table, given.base, given.tag, ships_of(given), given.height, given.middles)
    printed = draw_up(wanted)
    paper = PAPERS[given.paper]
    sheets = pages(printed, paper)
    layout = as_measured(printed, given.ruler)
    read_layout(msgspec.to_builtins(layout, str_keys=True))
    given.out.mkdir(parents=True, exist_ok=True)
    if given.svg:
        written = [given.out / f"sheet{number}.svg" for number in range(1, len(sheets) + 1)]
        for file, marks in zip(written, sheets, strict=True):
            file.write_text(as_svg(marks, paper))
    else:
        written = [given.out / "sheet.pdf"]
        written[0].write_bytes(as_pdf(sheets, paper))
    (given.out / "layout.json").write_bytes(msgspec.json.format(encode(layout)) + b"\n")
    for file in [*written, given.out / "layout.json"]:
        print(file)
    print(f"Print at 100 % ({len(sheets)} pages), and measure the rulers: 100 mm.")
    return 0


def ships_of(given: argparse.Namespace) -> dict[str, str]:
    """The ships to print tags for, with their names. Raises BadInput, Unknown."""
    if given.fleet is None:
        return {f"s{number}": "" for number in range(int(given.ships))}
    state = Store(existing(given.db)).load(given.fleet.upper()).state
    if not isinstance(state, Battle):
        raise BadInput("fleet", "this game is not a battle")
    return fleet_of(state)


def read(given: argparse.Namespace) -> int:
    """Read a photograph and report."""
    layout: Layout = read_layout(parse(given.layout.read_bytes()), "layout")
    with given.photo.open("rb") as file:
        data = file.read(LARGEST + 1)
    answer = plain(as_answer(read_photo(data, layout, read_taps(given.corners or ""))))
    if given.json:
        print(json.dumps(answer, indent=2, ensure_ascii=False))
        return 1 if answer["why_not"] else 0
    if answer["why_not"]:
        print(f"Not read: {answer['why_not']}.")
        return 1
    for name, ship in answer["ships"].items():
        print(f"{name:<16}{ship['x']:8.1f} {ship['y']:8.1f} mm {ship['heading']:7.1f}°  {ship['tags']} tags")
    for title in ("not_seen", "ask", "twice", "strangers", "warnings"):
        if answer[title]:
            print(f"{title.replace('_', ' ')}: {'; '.join(map(str, answer[title]))}")
    return 0
