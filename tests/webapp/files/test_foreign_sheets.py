"""Spreadsheets as people in other countries, and their programs, write them: letters, signs, heads, values, layouts."""

from __future__ import annotations

import io
from typing import Any

import openpyxl
import pytest
from odfdo import Document, Table

from kit.real_house import real_app, real_store
from tactical.kernel.record import BadInput
from webapp.files import book
from webapp.files.book import (
    ENCODINGS,
    FORMATS,
    MOST_ABOVE,
    WORDS,
    Cells,
    plain_word,
    read_book,
    read_table,
    value_for,
    word_for,
    words_for,
    yes_and_no,
)
from webapp.files.scenario import EXAMPLE, HEADS, SEA_HEADS, SIDE_HEADS, TYPE_HEADS, read_scenario, scenario_sheets
from webapp.presenting.labels import CREWS, TYPES
from webapp.systems.open_campaign.world_file import HEADS as PLACES

__all__ = ["real_app", "real_store"]
FLEET = ("type", "name", "crew", "corvus")
NAMES = {
    "windows-1251": ["лев", "Ястреб", "Лев", "Ёж и Волк", "Слава"],
    "koi8-r": ["Ястреб", "Медведь"],
    "ibm866": ["Ястреб", "Заря"],
    "iso8859-5": ["Ястреб", "Медведь"],
    "windows-1253": ["Νίκη", "Ασπίς", "Άργος", "Σωτήρ"],
    "windows-1252": ["Libertà", "Núñez", "Möwe", "È l’ora – “sì”"],
    "windows-1250": ["Żółw", "Świt"],
    "utf-8": ["Ястреб", "Νίκη"],
    "utf-8-sig": ["Libertà", "Ястреб"],
    "utf-16": ["Ястреб", "Libertà"],
    "utf-16-le": ["Nike", "Ястреб"],
    "utf-16-be": ["Nike", "Ястреб"],
}


def names_in(data: bytes, heads: tuple[str, ...] = FLEET, encoding: str = "") -> list[str]:
    return [row["name"] for row in read_table(read_book(data, encoding).sheets[0], heads).rows]


@pytest.mark.parametrize("encoding", NAMES)
def test_the_letters_of_a_file_are_found_by_what_is_in_it(encoding: str) -> None:
    names = NAMES[encoding]
    for chosen in ([names[0]], names) if encoding != "windows-1250" else (names,):
        text = "side;type;name\r\n" + "".join(f"rome;quinquereme;{name}\r\n" for name in chosen)
        assert names_in(text.encode(encoding), HEADS) == chosen
    found = read_book("".join(["type;name\r\n", *(f"trireme;{name}\r\n" for name in names)]).encode(encoding))
    assert found.encoding.startswith(encoding.removesuffix("-sig").removesuffix("-r")[:6].replace("iso885", "iso-88"))
    assert found.separator == ";"


def test_where_a_word_could_be_of_several_languages_the_readers_decides(app: Any) -> None:
    short = "type;name\ntrireme;Ёж\n".encode("windows-1251")
    with app.test_request_context("/?lang=ru", headers={"Accept-Language": "ru"}):
        assert names_in(short) == ["Ёж"]


def test_a_reader_says_himself_how_his_letters_are_written() -> None:
    for encoding in ENCODINGS:
        name = "Лев" if encoding.endswith(("1251", "8-r", "866", "cyrillic")) else "Leo"
        assert names_in(f"type;name\ntrireme;{name}\n".encode(encoding), encoding=encoding) == [name]
    with pytest.raises(BadInput) as wrong:
        read_book(b"type\ntrireme\n", "rot13")
    assert wrong.value.path == "encoding"


@pytest.mark.parametrize(
    "text",
    [
        "sep=;\r\ntype;name\r\ntrireme;Nike, of Rhodes\r\n",
        "SEP=;\ntype;name\ntrireme;Nike, of Rhodes\n",
        '"sep=;"\ntype;name\ntrireme;Nike, of Rhodes\n',
        "sep=|\ntype|name\ntrireme|Nike, of Rhodes\n",
        "type;name\rtrireme;Nike, of Rhodes\r",
        "type\tname\ntrireme\tNike, of Rhodes\n",
        "type|name\ntrireme|Nike, of Rhodes\n",
        "| type | name |\n|------|:----:|\n| trireme | Nike, of Rhodes |\n",
        'type,name\ntrireme,"Nike, of Rhodes"\n',
        "Fleet of Anna, winter; spring\ntype\tname\ntrireme\tNike, of Rhodes\n",
        "Fleet, winter\n\ntype;name\ntrireme;Nike, of Rhodes\n",
    ],
)
@pytest.mark.parametrize("encoding", ["utf-8", "utf-8-sig", "utf-16"])
def test_separators_and_line_ends_are_found_by_the_whole_file(text: str, encoding: str) -> None:
    assert names_in(text.encode(encoding)) == ["Nike, of Rhodes"]


def test_decimal_commas_do_not_part_the_cells() -> None:
    sheet = read_book("side;type;x;y\nrome;trireme;3,5;−4,25\ncarthage;trireme;1 000,5;2\n".encode()).sheets[0]
    one, other = read_table(sheet, HEADS).rows
    assert [one.number_at("x"), one.number_at("y"), other.number_at("x")] == [3.5, -4.25, 1000.5]


@pytest.mark.parametrize("text", ["3", "3.0", "3,00", "1 000", "1\u00a0000", "−2"])
def test_whole_numbers_as_people_write_them(text: str) -> None:
    row = read_table(read_book(f"type;points\ntrireme;{text}\n".encode()).sheets[0], TYPE_HEADS).rows[0]
    assert row.whole_at("points") == int(
        text.replace(" ", "").replace("\u00a0", "").replace("−", "-").split(",")[0].split(".")[0]
    )


@pytest.mark.parametrize("text", ["1,000", "1.000", "1.5", "1,5", "three", "1/2", "1e3"])
def test_a_number_that_could_be_two_is_refused_by_its_cell(text: str) -> None:
    row = read_table(read_book(f"type;points\ntrireme;{text}\n".encode()).sheets[0], TYPE_HEADS).rows[0]
    with pytest.raises(BadInput) as wrong:
        row.whole_at("points")
    assert wrong.value.path == "B2" and text in wrong.value.reason


SAID = {
    True: [
        "VERO",
        "ИСТИНА",
        "WAHR",
        "VRAI",
        "VERDADERO",
        "PRAWDA",
        "sì",
        "si",
        "Sì.",
        "да",
        "Да",
        "yes",
        "TRUE",
        "oui",
        "ja",
        "1",
        "x",
        "X",
        "✓",
        "✔️",
        "х",
    ],
    False: [
        "FALSO",
        "ЛОЖЬ",
        "FALSCH",
        "FAUX",
        "Falso",
        "FAŁSZ",
        "no",
        "нет",
        "Нет",
        "nein",
        "non",
        "FALSE",
        "0",
        "-",
        "–",
        "✗",
    ],
}


@pytest.mark.parametrize(("answer", "text"), [(answer, text) for answer, said in SAID.items() for text in said])
def test_yes_and_no_in_every_language(answer: bool, text: str) -> None:
    row = read_table(read_book(f"type;corvus;name\ntrireme;{text};Nike\n".encode()).sheets[0], FLEET).rows[0]
    assert row.is_yes("corvus") is answer


def test_no_word_says_yes_and_no_and_what_is_neither_is_refused() -> None:
    assert not {plain_word(word) or word for word in WORDS.yes.all()} & {
        plain_word(word) or word for word in WORDS.no.all()
    }
    assert yes_and_no()[""] is False
    row = read_table(read_book(b"type;corvus\ntrireme;perhaps\n").sheets[0], FLEET).rows[0]
    with pytest.raises(BadInput) as wrong:
        row.is_yes("corvus")
    assert wrong.value.path == "B2"


ALL_HEADS = {
    "ships": HEADS,
    "sides": SIDE_HEADS,
    "sea": SEA_HEADS,
    "types": TYPE_HEADS,
    "fleet": FLEET,
    "models": ("owner", "type", "number"),
    "places": PLACES,
}


@pytest.mark.parametrize("sheet", ALL_HEADS)
def test_every_head_has_its_words_and_no_word_means_two_heads(sheet: str) -> None:
    heads = ALL_HEADS[sheet]
    seen: dict[str, str] = {}
    for head in heads:
        word = word_for(head)
        assert word.means and (head in ("x", "y") or (word.it and word.ru)), head
        for each in (head, *word.all()):
            assert seen.setdefault(plain_word(each), head) == head, each
            assert words_for(heads)[plain_word(each)] == head


def test_types_and_crews_are_read_as_pages_call_them(app: Any) -> None:
    for group, names in (("type", TYPES), ("crew", CREWS)):
        for name, said in names.items():
            for language in ("en", "it", "ru"):
                with app.test_request_context("/", headers={"Accept-Language": language}):
                    assert value_for(group, str(said)) == name, (language, str(said))


@pytest.mark.parametrize(
    "text",
    [
        "lato;tipo;nome;rematori;corvo\nroma;Trireme;Lupa;SCELTI;sì\ncartagine;eptere;Tanit;medi;no\n",
        "Сторона;Тип;Название;Гребцы;Ворон\nrome;трирема;Lupa;элитные;да\ncarthage;гептера;Tanit;средние;нет\n",
        "lato;type;название;crew;corvo\nroma;трирема;Lupa;elite;ja\ncartagine;hepteres;Tanit;average;\n",
        "SIDE;Ship_type;Name;ROWERS;Corvus?\nroma;trireme;Lupa;Elite;TRUE\ncartagine;Hepteres;Tanit;AVERAGE;FALSE\n",
    ],
)
def test_heads_and_values_of_every_language_are_read_in_every_language(text: str) -> None:
    found = read_scenario(read_book(text.encode()))
    one, other = found.position["ships"].values()
    assert (one["type"], one["name"], one["crew"], one["corvus"]) == ("trireme", "Lupa", "elite", True)
    assert (other["type"], other["name"], other["crew"]) == ("hepteres", "Tanit", "average")
    assert not found.report.left_out


@pytest.mark.parametrize("text", ["Рим", "Roma Nova", "ROME", "Ρώμη"])
def test_a_side_may_have_any_name_in_any_letters(text: str) -> None:
    found = read_scenario(read_book(f"side;type\n{text};trireme\n{text};trireme\ncarthage;trireme\n".encode()))
    sides = {ship["side"] for ship in found.position["ships"].values()}
    assert len(sides) == 2 and all(side.isascii() and side.islower() for side in sides)
    if text != "ROME":
        assert text in {side.get("name") for side in found.position["sides"].values()}


def test_a_title_above_the_heads_and_columns_of_ones_own_are_left_alone_and_named() -> None:
    rows = (
        "My fleet;;;;\n;;;;\nnotes;side;type;name;points;squadrom\nold;rome;trireme;Nike;7;x\n;rome;trireme;Luna;7;\n"
    )
    found = read_book(rows.encode())
    table = read_table(found.sheets[0], HEADS)
    assert [row["name"] for row in table.rows] == ["Nike", "Luna"] and table.rows[0].cell("name") == "D4"
    told = {each.where: str(each.why) for each in table.left_out}
    assert set(told) == {"A1", "A3", "E3", "F3"} and "notes" in told["A3"] and "'squadron'" in told["F3"]
    assert "row 3" in str(table.notes[0])


def test_heads_are_not_looked_for_below_the_first_rows_and_missing_ones_are_told_where_the_others_stand() -> None:
    for above, is_found in ((MOST_ABOVE - 1, True), (MOST_ABOVE, False)):
        data = ("words;\n" * above + "type;name\ntrireme;Nike\n").encode()
        if is_found:
            assert names_in(data) == ["Nike"]
        else:
            with pytest.raises(BadInput):
                names_in(data)
    with pytest.raises(BadInput) as wrong:
        names_in(b"My fleet;\nname;crew\nNike;elite\n")
    assert wrong.value.path == "A2" and "type" in wrong.value.reason


@pytest.mark.parametrize("sum_", ["Total", "TOTALE:", "Итого", "Summe"])
def test_a_row_of_sums_is_left_out_and_named(sum_: str) -> None:
    rows = f"name;type;points\nNike;trireme;5\nTotal;trireme;5\n;;\n{sum_};;10\n"
    table = read_table(read_book(rows.encode()).sheets[0], ("type", "name", "points"))
    assert [row["name"] for row in table.rows] == ["Nike", "Total"], "a ship may have that name"
    assert [(each.where, str(each.why)) for each in table.left_out] == [("A5", "this row is a sum")]


@pytest.mark.parametrize("text", ["%PDF-1.7\n", "", "Typ;Bezeichnung\nx;y\n", "<html><td>type</td></html>"])
def test_a_file_without_any_head_is_told_which_heads_are_read(text: str) -> None:
    with pytest.raises(BadInput, match="has heads that are read here, such as type, name"):
        names_in(text.encode())


def test_plurals_of_types_are_read() -> None:
    said = ["Triremes", "triremi", "триремы", "квинкверемы", "trasporti"]
    assert [value_for("type", text) for text in said] == ["trireme"] * 3 + ["quinquereme", "transport"]


def test_a_formula_that_was_never_computed_and_an_error_are_told_by_their_cells() -> None:
    file, found = openpyxl.Workbook(), io.BytesIO()
    for row in (["type", "name"], ["trireme", '="Ni"&"ke"'], ["trireme", "#N/A"], ["trireme", "Luna"]):
        file.active.append(row)
    file.active["B3"].data_type = "e"
    file.save(found)
    sheets = read_book(found.getvalue())
    assert [row["name"] for row in read_table(sheets.sheets[0], FLEET).rows] == ["", "", "Luna"]
    (note,) = sheets.report([]).notes
    assert "never computed or failed: B2, B3" in str(note)


def as_xlsx(rows: list[Cells], *merged: str) -> bytes:
    file, found = openpyxl.Workbook(), io.BytesIO()
    for row in rows:
        file.active.append(row)
    for cells in merged:
        file.active.merge_cells(cells)
    file.save(found)
    return found.getvalue()


def as_ods(rows: list[Cells], *merged: str) -> bytes:
    file, table, found = Document("spreadsheet"), Table("Sheet"), io.BytesIO()
    file.body.clear()
    table.set_values(rows)
    for cells in merged:
        table.set_span(cells)
    file.body.append(table)
    file.save(found)
    return found.getvalue()


@pytest.mark.parametrize("write", [as_xlsx, as_ods])
def test_merged_cells_count_for_each_of_their_rows(write: Any) -> None:
    rows: list[Cells] = [
        ["Fleets", None, None],
        ["side", "type", "name"],
        ["rome", "trireme", "Nike"],
        [None, "trireme", "Luna"],
        [None, "trireme", "Lupa"],
        ["carthage", "trireme", "Tanit"],
        [None, None, None],
    ]
    found = read_scenario(read_book(write(rows, "A1:C1", "A3:A5", "A6:A7"))).position["ships"].values()
    assert [(ship["side"], ship["name"]) for ship in found] == [
        ("rome", "Nike"), ("rome", "Luna"), ("rome", "Lupa"), ("carthage", "Tanit"),
    ]  # fmt: skip


@pytest.mark.parametrize("write", [as_xlsx, as_ods])
def test_an_empty_cell_for_a_side_is_refused_by_its_own_name(write: Any) -> None:
    data = write([["side", "type"], ["rome", "trireme"], [None, "trireme"], ["carthage", "trireme"]])
    with pytest.raises(BadInput) as wrong:
        read_scenario(read_book(data))
    assert wrong.value.path.endswith("A3") and "side" in wrong.value.reason


HARD = [
    "'=x",
    "=1+1",
    "''=x",
    "-",
    "+1",
    "@x",
    "'t Harde",
    "007",
    "1e5",
    "3.0",
    "TRUE",
    "x;'=y",
    "; -1",
    '"a"',
    "a,b;c",
    "Лев",
]


@pytest.mark.parametrize("format", FORMATS)
@pytest.mark.parametrize("language", ["en", "it", "ru"])
def test_names_come_back_as_they_went_out(format: str, language: str) -> None:
    ships = {f"s{n}": {**EXAMPLE["ships"]["r1"], "name": name, "squadron": name} for n, name in enumerate(HARD)}
    position = {**EXAMPLE, "ships": {**ships, "c1": EXAMPLE["ships"]["c1"]}}
    sent = FORMATS[format][1](book.in_language(scenario_sheets("'=t", position), language))
    found = read_scenario(read_book(sent))
    assert [ship["name"] for ship in found.position["ships"].values()] == [*HARD, "Tanit"]
    assert [ship["squadron"] for ship in list(found.position["ships"].values())[:-1]] == HARD
    assert not found.report.left_out


@pytest.mark.parametrize("format", ["ods", "xlsx"])
@pytest.mark.parametrize("language", ["it", "ru"])
def test_a_file_in_a_readers_language_says_the_same(format: str, language: str) -> None:
    own = {
        "lembos": {
            "hull": 2,
            "maximum": 6,
            "cruise": 4,
            "turn_cycle": 1,
            "acceleration": 3,
            "ram": -1,
            "crew": {"roman": {"light": 1}},
        }
    }
    position = {**EXAMPLE, "types": own, "options": {"edge": "wall"}, "turn_limit": 8}
    sheets = scenario_sheets("A title", position)
    said = book.in_language(sheets, language)
    assert set(said) != set(sheets) and said != sheets
    plain, other = (read_scenario(read_book(FORMATS[format][1](each))) for each in (sheets, said))
    assert other.position == plain.position and other.title == "A title" and not other.report.left_out
    assert other.report.counts == plain.report.counts


@pytest.mark.parametrize("format", ["ods", "xlsx"])
def test_the_sheet_with_the_heads_is_read_and_the_others_are_named(format: str) -> None:
    sheets: Any = {
        "How to": [["Fill in the second sheet"]],
        "Foglio1": [[None], [None], [None, "type", "name"], [None, "trireme", "Nike"]],
    }
    found = read_book(FORMATS[format][1](sheets))
    table = read_table(found.sheet_with("ships", FLEET), FLEET)
    assert table.rows[0]["name"] == "Nike" and table.rows[0].cell("name") == "Foglio1!C4"
    assert [each.where for each in found.report([table]).left_out] == ["How to"]
