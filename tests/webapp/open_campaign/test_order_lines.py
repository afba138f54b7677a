"""O3.3.a: orders as plain lines, read back as they are understood."""

import pytest

from kit.open_war import position
from strategic.open_campaign.setup import start
from tactical.kernel.dice import Dice
from tactical.kernel.record import plain
from webapp.systems.open_campaign.orders import read_lines


@pytest.fixture
def read(app):
    view = plain(start(None, position(), {}, Dice(())).state)
    with app.test_request_context():
        yield lambda text: read_lines(view, "rhodes", text)


@pytest.mark.parametrize(
    ("text", "command", "understood"),
    [
        ("Squadron Guard: go Telos, avoid", {"do": "go", "to": "telos", "stance": "avoid"}, "Guard: Go Telos, avoid"),
        ("guard: BLOCKADE kydonia", {"do": "blockade", "to": "kydonia"}, "Guard: Blockade Kydonia, accept"),
        (
            "Escort: escort the Guard; seek",
            {"do": "escort", "to": "guard", "stance": "seek"},
            "Escort: Escort Guard, seek",
        ),
        ("Guard: stay", {"do": "stay", "to": ""}, "Guard: Stay, accept"),
        ("Guard: scout Telos, avoid", {"do": "scout", "to": "telos"}, "Guard: Scout Telos, avoid"),
        ("Guard: join Escort", {"do": "join", "to": "escort"}, "Guard: Join the fleet Escort, accept"),
        ("Guard: raid Kydonia", {"do": "raid", "to": "kydonia"}, "Guard: Raid Kydonia, accept"),
        ("Guard: embark companies", {"do": "embark", "to": ""}, "Guard: Embark companies, accept"),
        (
            "Guard: patrol to Telos, hard, look out for smoke",
            {"do": "patrol", "pace": "hard", "note": "look out for smoke"},
            "Guard: Patrol Telos, accept (for the umpire: look out for smoke)",
        ),
    ],
)
def test_o3_3_a_a_line_is_understood(read, text, command, understood):
    (line,) = read(text)
    assert command.items() <= dict(line.command).items() and line.understood == understood


@pytest.mark.parametrize(
    ("text", "fault"),
    [
        ("Lasthenes: go Telos", "There is no fleet called 'Lasthenes'."),
        (
            "Guard: sail Telos",
            "'sail' is not an order: use one of go, patrol, blockade, escort, land, stay, "
            "scout, join the fleet, raid, besiege, embark companies.",
        ),
        ("Guard: go Atlantis", "There is no destination 'Atlantis'."),
    ],
)
def test_o3_3_a_what_is_not_understood_says_why(read, text, fault):
    (line,) = read(text)
    assert line.command is None and line.fault == fault


def test_o3_3_a_of_a_mail_the_last_line_of_a_fleet_counts_and_quoted_lines_do_not(read):
    lines = read("Dear umpire,\n> Guard: stay\nGuard: go Telos\nGuard: stay\n-- \nAnna: sent from my phone")
    assert [line.understood for line in lines] == ["Guard: Stay, accept"]


def test_o3_3_a_lines_are_read_back_first_and_then_given(war):
    form = {"csrf_token": war.csrf(), "turn": "1", "text": "Guard: go Telos, avoid\nNobody: stay"}
    where = f"/open/{war.id}/lines?seat=rhodes"
    text = war.client.post(where, data={**form, "act": "read"}).text
    assert (
        "Guard: Go Telos, avoid" in text
        and "There is no fleet called &#39;Nobody&#39;." in text
        and not war.state.orders
    )
    assert war.client.post(where, data={**form, "act": "give"}).status_code == 303
    assert war.state.orders["rhodes"]["guard"].to == "telos"
