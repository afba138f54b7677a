"""What went wrong is said on a page of the house, in the reader's language; below /api it is JSON."""

import pytest

from webapp import create_app
from webapp.storage.journal.store import Store


@pytest.fixture
def reader(tmp_path):
    return create_app({"STORE": Store(tmp_path / "games.db")}).test_client()


@pytest.mark.parametrize("path", ["/join/nobody", "/nowhere", "/g/none", "/campaign/none", "/display/none"])
def test_what_does_not_exist_is_a_page_with_the_way_home(reader, path):
    page = reader.get(f"{path}?lang=it")
    assert page.status_code == 404
    assert "Non trovato" in page.text and 'href="/"' in page.text and "masthead" in page.text
    assert "There is no" not in page.text and "This link" not in page.text


def test_an_unknown_join_link_says_whom_to_ask(reader):
    assert "ask the umpire for a new one" in reader.get("/join/nobody?lang=en").text


def test_a_page_that_is_only_read_says_so_and_names_the_methods(reader):
    with reader:
        token = reader.get("/").text.split('name="csrf-token" content="')[1].split('"')[0]
    refused = reader.post("/reference?lang=en", data={"csrf_token": token})
    assert refused.status_code == 405 and "GET" in refused.headers["Allow"]
    assert "only be read" in refused.text


def test_a_form_without_its_token_is_told_to_load_the_page_again(reader):
    refused = reader.post("/look?lang=en", data={"lang": "ru"})
    assert refused.status_code == 400 and "load the page again" in refused.text
    assert "CSRF" not in refused.text


def test_below_the_api_a_fault_is_json(reader):
    refused = reader.get("/api/v1/nowhere")
    assert refused.status_code == 404 and refused.json["error"] == "There is nothing at this address."
