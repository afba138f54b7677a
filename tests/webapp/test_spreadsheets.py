"""Scenarios, fleets and ship types as CSV, ODS and XLSX: out and in the same, each fault by its cell, all bounded."""

from __future__ import annotations

import io
import zipfile
from datetime import date
from typing import Any

import openpyxl
import pytest
from odfdo import Document, Table

from tactical.kernel.record import BadInput, plain
from tactical.position import read_position
from tactical.setup import all_scenarios, position_of
from tactical.ship import TYPES
from webapp.files import scenario
from webapp.files.book import FORMATS, LARGEST, LOOKED_AT, MOST_ROWS, Cells, Written, read_book
from webapp.files.scenario import EXAMPLE, read_scenario, scenario_sheets
from webapp.pages.positions import open_sheets

CREW = {"hellenistic": {"light": 1, "archers": 1}}
OWN = {"lembos": {"hull": 2, "maximum": 6, "cruise": 4, "turn_cycle": 1, "acceleration": 3, "ram": -1, "crew": CREW}}


def written(sheets: Written, format: str) -> bytes:
    return FORMATS[format][1](sheets)


def changed(format: str, sheet: str, row: int, column: int, text: Any, position: Any = EXAMPLE) -> bytes:
    """The file of a position in which one cell was written over."""
    sheets = scenario_sheets("", position)
    rows = sheets[sheet]
    rows[row - 1] = [*rows[row - 1], *([None] * 40)][: max(column, len(rows[row - 1]))]
    rows[row - 1][column - 1] = text
    return written(sheets, format)


def read_sent(data: bytes) -> Any:
    """A battle of what a spreadsheet says."""
    found = read_scenario(read_book(data))
    return read_position(found.position, {})


@pytest.mark.parametrize("format", ["ods", "xlsx"])
@pytest.mark.parametrize("scenario", all_scenarios())
def test_every_scenario_goes_out_and_comes_in_the_same(scenario: str, format: str) -> None:
    position = {**position_of(all_scenarios()[scenario]), "scenario": None}
    data = written(scenario_sheets("=Drepana", position), format)
    assert read_scenario(read_book(data)).title == "=Drepana"
    assert plain(read_sent(data)) == plain(read_position(position, {}))


@pytest.mark.parametrize("format", ["ods", "xlsx"])
def test_own_types_figures_land_wrecks_options_and_damage_come_back(format: str) -> None:
    ships = {
        "a": {
            "side": "rome",
            "type": "lembos",
            "name": "Лев",
            "light": 2,
            "archers": 0,
            "crew": "poor",
            "at": [3, 4],
            "facing": "N",
            "damage": 1,
            "squadron": "Van",
        },
        "b": {"side": "carthage", "type": "lembos", "name": "-1", "at": [5, 4], "facing": "S", "oars_broken": True},
    }
    position = {**EXAMPLE, "types": OWN, "ships": ships, "turn_limit": 8, "options": {"edge": "wall"}}
    position["board"] = {"kind": "hexes", "columns": 12, "rows": 9, "land": [[0, 0], [1, 0]], "wrecks": [[7, 3]]}
    assert plain(read_sent(written(scenario_sheets("", position), format))) == plain(read_position(position, {}))


def test_as_csv_the_ships_stand_alone_and_have_the_sides_they_name() -> None:
    data = written(scenario_sheets("", EXAMPLE), "csv")
    assert data.startswith(b"\xef\xbb\xbfside,id,column,row,heading")
    assert list(read_sent(data).sides) == ["rome", "carthage"]
    south = data.replace(b",", b";")
    assert read_sent(south) == read_sent(data)


def test_a_battle_that_has_begun_is_not_cut_down_to_a_spreadsheet() -> None:
    for more in ({"turn": 2}, {"step": "missiles", "phase": 1}, {"first": "rome"}):
        with pytest.raises(BadInput):
            scenario_sheets("", {**EXAMPLE, **more})
    ships = {**EXAMPLE["ships"], "r1": {**EXAMPLE["ships"]["r1"], "status": "sunk"}}
    with pytest.raises(BadInput):
        scenario_sheets("", {**EXAMPLE, "ships": ships})


@pytest.mark.parametrize("format", ["ods", "xlsx"])
@pytest.mark.parametrize(
    ("sheet", "row", "column", "text", "cell"),
    [
        ("ships", 3, 2, "r1", "ships!B3"),
        ("ships", 2, 3, "left", "ships!C2"),
        ("ships", 2, 4, 4.5, "ships!D2"),
        ("ships", 2, 7, "raft", "ships!G2"),
        ("ships", 2, 10, "perhaps", "ships!J2"),
        ("ships", 2, 5, "up", "ships!E2"),
        ("ships", 2, 1, "greeks", "ships!A2"),
        ("ships", 2, 3, 99, "ships!C2"),
        ("ships", 2, 6, "x" * 201, "ships!F2"),
        ("sides", 2, 3, "martian", "sides!C2"),
        ("board", 3, 2, "lake", "board!B3"),
        ("board", 4, 2, 999, "board!B4"),
        ("board", 6, 1, "weather", "board!B6"),
    ],
)
def test_a_fault_names_its_cell(format: str, sheet: str, row: int, column: int, text: Any, cell: str) -> None:
    position = {**EXAMPLE, "options": {"edge": "wall"}}
    with pytest.raises(BadInput) as wrong:
        open_sheets(changed(format, sheet, row, column, text, position))
    assert wrong.value.path == cell


def packed(**parts: bytes) -> bytes:
    """A packed file of these parts."""
    found = io.BytesIO()
    with zipfile.ZipFile(found, "w", zipfile.ZIP_DEFLATED) as file:
        for name, content in parts.items():
            file.writestr(name.replace("__", "/").replace("_dot_", "."), content)
    return found.getvalue()


def repacked(data: bytes, part: str, old: bytes, new: bytes) -> bytes:
    """A packed file with other bytes in one part."""
    found = io.BytesIO()
    with zipfile.ZipFile(io.BytesIO(data)) as file, zipfile.ZipFile(found, "w", zipfile.ZIP_DEFLATED) as out:
        for name in file.namelist():
            content = file.read(name)
            assert name != part or old in content
            out.writestr(name, content.replace(old, new) if name == part else content)
    return found.getvalue()


def hostile() -> dict[str, bytes]:
    ods, xlsx = (written(scenario_sheets("", EXAMPLE), format) for format in ("ods", "xlsx"))
    return {
        "too many bytes": b"x" * (LARGEST + 1),
        "not a packed file": b"PK\x03\x04 and no more",
        "another packed file": packed(readme=b"hello"),
        "a bomb": packed(mimetype=b"application/vnd.oasis.opendocument.spreadsheet", content_dot_xml=b" " * 50_000_000),
        "too many parts": packed(**{f"part{number}": b"" for number in range(200)}),
        "no content": packed(mimetype=b"application/vnd.oasis.opendocument.spreadsheet"),
        "broken content": repacked(ods, "content.xml", b"</table:table-row>", b""),
        "broken sheet": repacked(xlsx, "xl/worksheets/sheet1.xml", b"</sheetData>", b""),
        "no sheet": repacked(
            repacked(ods, "content.xml", b"<table:table ", b"<table:other "),
            "content.xml",
            b"</table:table>",
            b"</table:other>",
        ),
        "no workbook": packed(xl__workbook_dot_xml=b"<workbook/>"),
        "a nul": b"side,type\nrome,quinque\0reme\n",
    }


@pytest.mark.parametrize("kind", hostile())
def test_a_hostile_file_is_refused_by_its_first_cell(kind: str) -> None:
    with pytest.raises(BadInput) as wrong:
        read_book(hostile()[kind])
    assert wrong.value.path == "A1"


def test_what_is_repeated_is_counted_and_not_written_out() -> None:
    ods = written({"ships": [["side", "type"], ["rome", "trireme"]]}, "ods")
    cell, row = b"<table:table-cell", b"<table:table-row"
    wide = repacked(ods, "content.xml", row + b">" + cell, row + b">" + cell + repeats("columns", 16_384))
    with pytest.raises(BadInput) as wrong:
        read_book(wide)
    assert wrong.value.path == "ships!AO1"
    deep = repacked(ods, "content.xml", row + b">", row + repeats("rows", 4 * MOST_ROWS) + b">")
    with pytest.raises(BadInput) as wrong:
        read_book(deep)
    assert wrong.value.path == f"ships!A{MOST_ROWS + 1}"
    end = b"</table:table>"
    below = row + repeats("rows", 1_048_576) + b">" + cell + repeats("columns", 16_384) + b"/></table:table-row>" + end
    assert read_book(repacked(ods, "content.xml", end, below)).sheets[0].rows == (("side", "type"), ("rome", "trireme"))


def repeats(what: str, number: int) -> bytes:
    """What a row or a cell of an ODS file says that stands there so many times."""
    return f' table:number-{what}-repeated="{number}"'.encode()


@pytest.mark.parametrize("format", FORMATS)
def test_a_large_but_plain_file_is_read_down_to_the_row_that_is_too_much(format: str) -> None:
    rows: list[Cells] = [["side", "name"], *([f"side {number}", f"ship {number}"] for number in range(3000))]
    with pytest.raises(BadInput) as wrong:
        read_book(written({"ships": rows}, format))
    assert wrong.value.path.endswith(f"A{MOST_ROWS + 1}")
    within = read_book(written({"ships": rows[:MOST_ROWS]}, format)).sheets[0]
    assert len(within.rows) == MOST_ROWS and within.rows[-1] == ("side 498", "ship 498")


def test_links_dates_and_lines_are_read_alike_and_columns_keep_their_places() -> None:
    """As LibreOffice writes a name that was pasted from a web page, and a cell of two paragraphs."""
    ods = written({"ships": [[None, "LINK"], [None, "LINES"], [None, "DATE"]]}, "ods")
    link = b'<text:a xlink:href="https://ships.example/nike">Nike</text:a>'
    text = b'office:value-type="string" calcext:value-type="string" office:string-value="DATE"'
    for old, new in (
        (b' office:string-value="LINK"><text:p>LINK<', b"><text:p>" + link + b"<"),
        (b' office:string-value="LINES"><text:p>LINES<', b"><text:p>Tanit</text:p><text:p>of Tyre<"),
        (text, b'office:value-type="date" office:date-value="2026-06-01"'),
    ):
        ods = repacked(ods, "content.xml", old, new)
    book = openpyxl.Workbook()
    book.active["B1"], book.active["B2"], book.active["B3"] = "Nike", "Tanit\nof Tyre", date(2026, 6, 1)
    book.active["B1"].hyperlink = "https://ships.example/nike"
    book.create_chartsheet()
    xlsx = io.BytesIO()
    book.save(xlsx)
    for data in (ods, xlsx.getvalue()):
        (sheet,) = read_book(data).sheets
        assert sheet.rows == (("", "Nike"), ("", "Tanit of Tyre"), ("", "2026-06-01"))


def test_what_stands_beside_the_text_of_a_cell_is_not_part_of_it() -> None:
    """A footnote, a reading above the letters, a remark at the cell: the name alone counts. Breaks are blanks."""
    ods = written({"ships": [["NOTE", "READING"], ["REMARK", "BREAK"]]}, "ods")
    note = b'<text:note text:note-class="footnote"><text:note-citation>1</text:note-citation><text:note-body>'
    for old, new in (
        (b"NOTE", b"Nike" + note + b"<text:p>built 260</text:p></text:note-body></text:note> of Rhodes"),
        (
            b"READING",
            b"<text:ruby><text:ruby-base>Tanit</text:ruby-base><text:ruby-text>a</text:ruby-text></text:ruby>",
        ),
        (b"BREAK", b"Sol<text:line-break/>of<text:tab/>Rome"),
    ):
        ods = repacked(
            ods, "content.xml", b' office:string-value="%s"><text:p>%s<' % (old, old), b"><text:p>" + new + b"<"
        )
    remark = b"><office:annotation><text:p>sunk?</text:p></office:annotation><text:p>Luna<"
    ods = repacked(ods, "content.xml", b' office:string-value="REMARK"><text:p>REMARK<', remark)
    assert read_book(ods).sheets[0].rows == (("Nike of Rhodes", "Tanit"), ("Luna", "Sol of Rome"))


@pytest.mark.parametrize(
    "text",
    [
        "sep=;\r\na,b,c;x\r\n1;2\r\n",
        '\ufeff"sep=\t"\na,b,c\tx\n1\t2\n',
        '"a,b,c";x\r1;2\r',
        '"a,b,c";x\n1;2\n',
        '"a,b,c",x\n1,2\n',
    ],
)
def test_csv_is_read_by_its_first_row_with_any_end_of_line(text: str) -> None:
    assert read_book(text.encode()).sheets[0].rows == (("a,b,c", "x"), ("1", "2"))


def test_a_row_far_below_is_refused_or_not_looked_for() -> None:
    for number, is_refused in ((MOST_ROWS, False), (MOST_ROWS + 1, True), (LOOKED_AT + 1, False)):
        book = openpyxl.Workbook()
        book.active["A1"], book.active[f"B{number}"] = "type", "trireme"
        found = io.BytesIO()
        book.save(found)
        if is_refused:
            with pytest.raises(BadInput):
                read_book(found.getvalue())
        else:
            assert read_book(found.getvalue()).sheets[0].rows[0] == ("type",)


def test_of_a_formula_the_last_value_counts_and_none_is_ever_written() -> None:
    book = openpyxl.Workbook()
    book.active.append(["type", "=1+1"])
    found = io.BytesIO()
    book.save(found)
    assert read_book(found.getvalue()).sheets[0].rows == (("type",),), "a formula that nobody has reckoned yet is empty"
    reckoned = repacked(found.getvalue(), "xl/worksheets/sheet1.xml", b"<v></v>", b"<v>2</v>")
    assert read_book(reckoned).sheets[0].rows == (("type", "2"),)
    sent = written({"x": [["=1+1", "+1", "@x", -3]]}, "xlsx")
    assert [cell.data_type for cell in openpyxl.load_workbook(io.BytesIO(sent)).active[1]] == ["s", "s", "s", "n"]
    table = Document(io.BytesIO(written({"x": [["=1+1", -3]]}, "ods"))).body.tables[0]
    assert isinstance(table, Table) and [cell.formula for cell in table.get_row(0).get_cells()] == [None, None]


@pytest.mark.parametrize("format", FORMATS)
def test_ship_types_go_out_and_come_in_the_same(format: str) -> None:
    for types in (TYPES, {}):
        found, points, _report = scenario.from_book(
            written({"types": scenario.types_sheet(types, {"trireme": 6})}, format)
        )
        assert {name: {**plain(TYPES[name]), **kind} for name, kind in found.items()} == plain(TYPES)
        assert points == {"trireme": 6}


@pytest.mark.parametrize(
    ("text", "cell"),
    [
        ("type,hull\ntrireme,0\n", "B2"),
        ("type,hull,maximum\nlembos,many,6\n", "B2"),
        ("type,hull\ntrireme,3\ntrireme,4\n", "A3"),
        ("type,roman archers\ntrireme,-1\n", "B2"),
        ("type,points\ntrireme,1.5\n", "B2"),
        ("type\nlembos\n", "A2"),
        ("type\n", "A2"),
    ],
)
def test_a_wrong_ship_type_is_told_by_its_cell(text: str, cell: str) -> None:
    with pytest.raises(BadInput) as wrong:
        scenario.from_book(text.encode())
    assert wrong.value.path == cell


@pytest.mark.parametrize("format", FORMATS)
def test_a_control_character_in_a_name_is_left_out(format: str) -> None:
    ships = {"r1": {**EXAMPLE["ships"]["r1"], "name": "Ti\x01fys\ufffe"}, "c1": EXAMPLE["ships"]["c1"]}
    sent = written(scenario_sheets("a\x02b", {**EXAMPLE, "ships": ships}), format)
    assert read_scenario(read_book(sent)).position["ships"]["r1"]["name"] == "Tifys"


@pytest.mark.parametrize(
    "more", [{"options": {"house": "x"}}, {"options": {"edge": []}}, {"turn_limit": []}, {"types": {"x": 1}}]
)
def test_a_position_that_is_none_is_refused_and_no_fault_of_ours(more: dict[str, Any]) -> None:
    with pytest.raises(BadInput):
        scenario_sheets("", {**EXAMPLE, **more})
