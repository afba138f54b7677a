"""O2.2: the models that players bring, registered by taps or from a spreadsheet, with what they are worth."""

import io

from webapp.pages.lobby.fleet_values import worth


def page(war, seat="rhodes", what="models"):
    return war.client.get(f"/open/{war.id}/{what}?seat={seat}")


def register(war, seat="rhodes", **form):
    form = {"csrf_token": war.csrf(), "turn": str(war.state.turn), "act": "owner", **form}
    return war.client.post(f"/open/{war.id}/models?seat={seat}", data=form, content_type="multipart/form-data")


def test_o2_2_an_owner_registers_models_by_his_own_name_and_is_removed(war):
    assert register(war, owner="Анна & Co", trireme="12", bireme="3").status_code == 303
    assert war.state.models == {"rhodes": {"Анна & Co": {"bireme": 3, "trireme": 12}}}
    points = worth(["trireme"] * 12 + ["bireme"] * 3).points
    assert "Анна &amp; Co" in page(war).text and f">{points:g}</td>" in page(war).text
    register(war, owner="Анна & Co")
    assert war.state.models == {}


def test_o2_2_a_spreadsheet_is_read_and_written(war):
    sheet = "owner,type,number\nBen,trireme,4\nCleo,quinquereme,2\n"
    register(war, act="file", file=(io.BytesIO(sheet.encode()), "models.csv"))
    assert page(war, what="models.csv").text == sheet
    assert register(war, act="file", file=(io.BytesIO(b"ship\nArgo\n"), "models.csv")).status_code == 422
    assert register(war, act="file").status_code == 422 and page(war, "spectator").status_code == 404
