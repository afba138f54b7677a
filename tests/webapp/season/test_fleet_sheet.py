"""O10.1 A fleet as a spreadsheet: out and in again, each fault told by its cell, formulas never reckoned or written."""

from __future__ import annotations

import csv
import io

import pytest

from kit.seasons import begun, do
from tactical.kernel.record import BadInput
from webapp.api.seasons import fleet_sheet, read_fleet
from webapp.files.book import FORMATS, LARGEST, as_csv


def test_o10_1_a_fleet_goes_out_and_comes_in_the_same():
    season = begun(1)
    ships = [{"type": "quinquereme", "name": name, "crew": "elite", "corvus": True} for name in ("=1+1", "Лев", "-")]
    season = do(season, "set_fleet", player="p1", navy="roman", ships=ships)
    sent = as_csv(fleet_sheet(season, "p1")).decode("utf-8-sig")
    assert list(csv.reader(io.StringIO(sent)))[1] == ["quinquereme", "'=1+1", "elite", "yes"], "no formula is written"
    assert read_fleet(season, "roman", sent.encode("utf-8-sig"))[0] == ships
    assert read_fleet(season, "roman", sent.replace(",", ";").encode())[0] == ships, (
        "as spreadsheets of the south write it"
    )
    for _mimetype, written in FORMATS.values():
        assert read_fleet(season, "roman", written(fleet_sheet(season, "p1")))[0] == ships
        assert read_fleet(begun(0), "hellenistic", written(fleet_sheet(begun(0), "")))[0], (
            "the template can be sent back"
        )


@pytest.mark.parametrize(
    ("text", "cell"),
    [
        ("type,name\nquinquereme,Lupa\nraft,Lotta\n", "A3"),
        ("name,type,crew\nLupa,quinquereme,average\n\nFelix,quinquereme,drunk\n", "C4"),
        ("type,corvus\nquinquereme,perhaps\n", "B2"),
        ("type,name\nquinquereme," + "x" * 61, "B2"),
        ("type,name\nquinquereme," + "x" * 201, "B2"),
        ("type,type\nquinquereme,trireme\n", "B1"),
        ("name\nLupa\n", "A1"),
        ("type\n" + "quinquereme\n" * 41, "A42"),
        ("type\n" + "\n" * 499 + "trireme\n", "A501"),
        ("type" + "," * 40 + "oars\n", "AO1"),
        ("type\n", "A2"),
        ("", "A1"),
        ("type\nquinque\0reme\n", "A1"),
        ("x" * (LARGEST + 1), "A1"),
    ],
)
def test_o10_1_what_is_wrong_in_a_spreadsheet_is_told_by_its_cell(text, cell):
    with pytest.raises(BadInput) as wrong:
        read_fleet(begun(1), "roman", text.encode())
    assert wrong.value.path == cell
