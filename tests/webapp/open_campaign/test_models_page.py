"""O2.2: the models that players bring, registered by taps or from a spreadsheet, with what they are worth."""

import io
import re

import pytest

from tactical.captains.worth import WORTH, Kind


def page(war, seat="rhodes", what="models"):
    return war.client.get(f"/open/{war.id}/{what}?seat={seat}")


def register(war, seat="rhodes", **form):
    form = {"csrf_token": war.csrf(), "turn": str(war.state.turn), "act": "owner", **form}
    return war.client.post(f"/open/{war.id}/models?seat={seat}", data=form, content_type="multipart/form-data")


def test_o2_2_an_owner_registers_models_by_his_own_name_and_is_removed(war):
    assert register(war, owner="Анна & Co", trireme="12", bireme="3").status_code == 303
    assert war.state.models == {"rhodes": {"Анна & Co": {"bireme": 3, "trireme": 12}}}
    points = WORTH.fleet([Kind("trireme")] * 12 + [Kind("bireme")] * 3).points
    assert "Анна &amp; Co" in page(war).text and f">{points:g}</td>" in page(war).text
    register(war, owner="Анна & Co")
    assert war.state.models == {}


def read_in(war, data, name="models.csv"):
    """Send a spreadsheet, and say that it shall count where the page shows what was read."""
    shown, before = register(war, act="file", file=(io.BytesIO(data), name)), war.state.models
    kept = re.search(r'id="rows".*name="kept_file" value="([^"]*)"', shown.text, re.DOTALL)
    assert (kept is not None) == (shown.status_code == 200)
    return register(war, act="file", kept_file=kept[1], is_read="yes") if kept and war.state.models == before else shown


@pytest.mark.parametrize("format", ["csv", "ods", "xlsx"])
def test_o2_2_a_spreadsheet_is_written_and_read_and_no_owner_is_a_formula(war, format):
    models = {"=1+1": {"trireme": 4}, "Cleo": {"quinquereme": 2}}
    register(war, owner="=1+1", trireme="4")
    register(war, owner="Cleo", quinquereme="2")
    written = page(war, what=f"models.{format}").data
    assert format != "csv" or b"'=1+1,trireme,4" in written
    for owner in models:
        register(war, owner=owner)
    assert war.state.models == {} and read_in(war, written, f"models.{format}").status_code == 303
    assert war.state.models == {"rhodes": models}


@pytest.mark.parametrize(
    ("text", "cell"),
    [
        ("ship\nArgo\n", "A1"),
        ("owner,type,number\n,trireme,1\n", "A2"),
        ("owner,type,number\nLidia,raft,1\n", "B2"),
        ("owner,type,number\nLidia,trireme,-1\n", "C2"),
        ("owner,type,number\nA\rB,trireme,1\nLidia,raft,1\n", "B2"),
        ("owner,type,number\n" + "".join(f"P{number},trireme,1\n" for number in range(21)), "A22"),
        ("", "A"),
    ],
)
def test_o2_2_what_is_wrong_in_a_spreadsheet_is_said_by_its_cell_and_changes_nothing(war, text, cell):
    answer = read_in(war, text.encode())
    assert answer.status_code == 422 and cell in re.findall(r'role="alert">([^<]*)', answer.text)[0]
    assert war.state.models == {}


def test_o2_2_a_spreadsheet_with_too_many_owners_in_all_changes_nothing(war):
    register(war, owner="Ada", trireme="1")
    sheet = "owner,type,number\n" + "".join(f"P{number},trireme,1\n" for number in range(20))
    answer = read_in(war, sheet.encode())
    assert answer.status_code == 422 and "at most 20 owners" in answer.text
    assert war.state.models == {"rhodes": {"Ada": {"trireme": 1}}} and page(war, "spectator").status_code == 404
