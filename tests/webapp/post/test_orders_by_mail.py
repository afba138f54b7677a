"""O3.3.a: a reply to the dispatch, through a real mail server into a Maildir, is given and read back as understood."""

from pathlib import Path

import pytest

from kit import harmless_reader
from webapp.files import mail_reader
from webapp.files.child_process import Limits
from webapp.post import order_mails
from webapp.post.mail import Shares


def test_o3_3_a_a_reply_is_given_line_by_line_and_read_back(club):
    sent = club.box.text("ada@club.example")
    assert "Reply to this e-mail" in sent and order_mails.MARK in sent
    club.reply("Guard: go Telos, avoid\nEscort: dance Telos\n", sent)
    assert {name: order.to for name, order in club.state.orders["rhodes"].items()} == {"guard": "telos"}
    back = club.box.text("ada@club.example")
    assert "understood as: Guard: Go Telos, avoid" in back and "not accepted: 'dance' is not an order" in back
    club.reply("Guard: stay\n", sent)
    assert club.state.orders["rhodes"]["guard"].do == "stay", "the last before the deadline counts"


def test_o3_3_a_only_the_token_of_ones_own_dispatch_counts(club):
    sent, many = club.box.text("ada@club.example"), len(club.box.mails)
    (line,) = [each for each in sent.splitlines() if each.startswith(order_mails.MARK)]
    for wrong in ("nothing", line[:-1] + ("0" if line[-1] != "0" else "1"), line.replace("-1-", "-2-", 1)):
        club.reply("Guard: go Telos\n", wrong)
    club.reply("Lasthenes: stay\n", sent, Auto_Submitted="auto-replied")
    club.reply("Guard: go Telos\n" + "x" * order_mails.LARGEST, sent)
    assert not club.state.orders and len(club.box.mails) == many + 4, "each is answered but what a program sent"
    assert all("was not read as orders" in mail.get_content() for mail in club.box.mails[many:])
    club.reply("Lasthenes: stay\n", sent, sender="ben@club.example")
    assert not club.state.orders and "There is no fleet" in club.box.text("ada@club.example")


def test_o3_3_a_a_reply_to_a_turn_that_is_over_changes_nothing_and_says_so(club):
    sent = club.box.text("ada@club.example")
    for side in ("rhodes", "cretans"):
        club.store.submit(club.id, club.store.game(club.id).version, side, {"type": "ready", "side": side})
    assert club.state.turn == 2
    club.reply("Guard: go Telos\n", sent)
    assert not club.state.orders and "The turn of this dispatch is over" in "".join(
        str(each.get_content()) for each in club.box.mails
    )


def test_o3_3_a_what_a_mail_program_quotes_without_marks_is_not_read():
    text = "Guard: stay\n-----Original Message-----\nEscort: go Telos\nnavarch-orders: X-1-1-0"
    assert order_mails.own_lines(text) == ["Guard: stay"]


@pytest.mark.parametrize("encoding", ["7bit", "quoted-printable", "base64"])
def test_o3_3_a_the_token_is_found_however_the_mail_is_packed_and_whatever_stands_in_its_head(club, encoding):
    sent = club.box.text("ada@club.example")
    seals = " ".join(["b=q83vEjRWeJA"] * 3000)  # as servers on the way add them
    club.reply("Guard: stay\n", sent, mark="> " * 12, encoding=encoding, DKIM_Signature=seals)
    assert club.state.orders["rhodes"]["guard"].do == "stay"


def test_o3_3_a_nothing_is_parsed_of_a_mail_without_a_token_that_holds(club, monkeypatch):
    parsed = []
    monkeypatch.setattr(order_mails, "read_apart", lambda *what, **given: parsed.append(what) or (False, "", ""))
    sent = club.box.text("ada@club.example")
    (line,) = [each for each in sent.splitlines() if each.startswith(order_mails.MARK)]
    for wrong in ("nothing", line[:-1] + ("0" if line[-1] != "0" else "1"), line.replace("-1-", "-9-", 1)):
        for encoding in ("7bit", "base64"):
            club.reply("Guard: go Telos\n", wrong, encoding=encoding)
    assert parsed == []
    club.reply("Guard: go Telos\n", sent)
    assert len(parsed) == 1


def test_o3_3_a_a_fault_in_one_mail_is_that_mails_alone_and_is_logged(club, monkeypatch, caplog):
    sent, read = club.box.text("ada@club.example"), order_mails.read_apart

    def fail_at_the_first(*what, **given):
        monkeypatch.setattr(order_mails, "read_apart", read)
        raise RecursionError("out of a mail")

    monkeypatch.setattr(order_mails, "read_apart", fail_at_the_first)
    club.send("Guard: go Telos\n", sent)
    club.send("Escort: stay\n", sent)
    club.look()
    assert len(club.state.orders["rhodes"]) == 1, "one of the two was read"
    assert "an e-mail could not be read, and was deleted: RecursionError" in caplog.text
    assert "out of a mail" not in caplog.text and not any((club.maildir / "new").iterdir())


def test_o3_3_a_a_mail_that_takes_too_long_is_given_up_and_the_next_one_is_read(club, monkeypatch, caplog):
    sent = club.box.text("ada@club.example")
    with monkeypatch.context() as slow:
        slow.setattr(order_mails, "READER", Path(harmless_reader.__file__))
        slow.setattr(order_mails, "LIMITS", Limits(seconds=0.2))
        club.reply("Guard: go Telos\n", sent)
    assert not club.state.orders and "could not be read, and was deleted: BadInput" in caplog.text
    club.reply("Guard: stay\n", sent)
    assert club.state.orders["rhodes"]["guard"].do == "stay"


def test_o3_3_a_of_a_head_at_most_16_kb_are_parsed():
    head = b"Subject: x\n" + b"".join(b"Content-Language: %d\n" % number for number in range(2000))
    with pytest.raises(ValueError):
        mail_reader.read(head + b"\nGuard: stay\n", longest_head=order_mails.LONGEST_HEAD, longest=100)
    within = head[:10_000].rpartition(b"\n")[0]
    assert mail_reader.read(within + b"\n\nGuard: stay\n", longest_head=order_mails.LONGEST_HEAD, longest=5) == (
        False,
        "Guard",
        "",
    )


# What is answered: whatever bears a mark or comes from a player; nothing that a program sent, and so much a day.


def answers(club, since):
    return [(mail["To"], str(mail.get_content())) for mail in club.box.mails[since:]]


def test_o3_3_a_a_mail_without_a_mark_from_a_players_address_says_how_to_order(club):
    many = len(club.box.mails)
    club.reply("Guard: go Telos\n", "nothing", sender="Ada of Rhodes <ADA+war@club.example>")
    ((to, text),) = answers(club, many)
    assert to == "ada@club.example" and "it has no line “navarch-orders: …” in it" in text
    club.reply("Guard: go Telos\n", text)
    assert club.state.orders["rhodes"]["guard"].to == "telos", (
        "he plays in one game only: its mark stands in the answer"
    )
    club.reply("Guard: go Telos\n", "nothing", sender="stranger@else.example")
    assert len(club.box.mails) == many + 2, "who is nobody here and bears no mark is not answered"


def test_o3_3_a_a_mark_that_does_not_hold_is_told_to_whoever_bears_it_so_often_a_day(club):
    mark, many = f"{order_mails.MARK} 8GFK-1-1-{'0' * 32}", len(club.box.mails)
    for _ in range(5):
        club.reply("Guard: go Telos, visit https://shop.example\n", mark, sender="stranger@else.example")
    told = answers(club, many)
    assert len(told) == Shares().unread_by_stranger and {to for to, _text in told} == {"stranger@else.example"}
    for words in ("is not whole", "non è completa", "неполна"):
        assert words in told[0][1], "nobody knows his language"
    assert "shop.example" not in told[0][1] and "galleys.example" not in told[0][1]
    for _ in range(Shares().unread_by_player + 5):
        club.reply("Guard: go Telos\n", mark)
    assert len(club.box.mails) == many + Shares().unread_by_stranger + Shares().unread_by_player
    with club.store.write() as db:
        db.conn.execute("update addresses set answer = 'no' where address = 'ben@club.example'")
    club.reply("Lasthenes: stay\n", mark, sender="ben@club.example")
    assert not club.box.mails[many + Shares().unread_by_stranger + Shares().unread_by_player :], "he wants no mail"


@pytest.mark.parametrize(
    "head",
    [
        "Auto-Submitted: auto-replied (vacation)",
        "auto-submitted:auto-generated",
        "Precedence: bulk",
        "Precedence: list",
        "Precedence: auto_reply",
        "List-Id: <war.club.example>",
        "List-Unsubscribe: <mailto:x@club.example>",
        "X-Autoreply: yes",
        "X-Auto-Response-Suppress: All",
        "Return-Path: <>",
        "Content-Type: multipart/report; report-type=delivery-status",
        "X-Failed-Recipients: ada@club.example",
    ],
)
@pytest.mark.parametrize("is_whole", [True, False])
def test_o3_3_a_what_a_program_sent_is_neither_read_nor_answered(club, head, is_whole):
    sent, many = club.box.text("ada@club.example"), len(club.box.mails)
    quoted = sent if is_whole else "navarch-orders: cut"
    club.hand_in(f"From: ada@club.example\n{head}\nSubject: Re\n\nGuard: go Telos\n\n{quoted}".encode())
    club.look()
    assert not club.state.orders and len(club.box.mails) == many


@pytest.mark.parametrize("sender", ["navarch@club.example", "MAILER-DAEMON@mx.club.example", "", "<script>@x"])
def test_o3_3_a_nobody_is_answered_where_a_mail_names_nobody_or_this_server(club, sender):
    many = len(club.box.mails)
    club.hand_in(f"From: {sender}\n\nGuard: go Telos\n> navarch-orders: cut".encode())
    club.look()
    assert len(club.box.mails) == many


def test_o3_3_a_a_person_says_that_he_answers_himself(club):
    club.reply("Guard: go Telos\n", club.box.text("ada@club.example"), Auto_Submitted="no")
    assert club.state.orders["rhodes"]["guard"].to == "telos"
    assert club.box.mails[-1]["Auto-Submitted"] == "auto-generated" and club.box.mails[-1]["X-Auto-Response-Suppress"]


def test_o3_3_a_a_mail_that_cannot_be_read_or_is_too_large_is_answered(club, monkeypatch):
    sent, many = club.box.text("ada@club.example"), len(club.box.mails)
    club.hand_in(b"From: ada@club.example\n" + b"Content-Language: x\n" * 2000 + f"\nGuard: stay\n{sent}".encode())
    club.reply("x" * order_mails.LARGEST, sent)
    (_to, unreadable), (_to, large) = answers(club, many)
    assert "could not be read" in unreadable and order_mails.MARK in unreadable and "it is too large" in large


def test_o3_3_a_of_the_marks_in_a_thread_the_last_turns_counts(club):
    first = club.box.text("ada@club.example")
    for side in ("rhodes", "cretans"):
        club.store.submit(club.id, club.store.game(club.id).version, side, {"type": "ready", "side": side})
    club.look()
    second = club.box.text("ada@club.example")
    club.hand_in(f"From: ada@club.example\n\nOn Sunday Navarch wrote:\n> {first}\nGuard: go Telos\n".encode())
    marks = [line for text in (first, second) for line in text.splitlines() if line.startswith(order_mails.MARK)]
    club.hand_in("From: ada@club.example\n\nGuard: go Telos\n> {}\n> {}\n".format(*marks).encode())
    club.look()
    assert club.state.orders["rhodes"]["guard"].to == "telos"


def test_o3_3_a_who_gives_no_orders_by_mail_is_told_so(club):
    sent, many = club.box.text("ada@club.example"), len(club.box.mails)
    with club.store.write() as db:
        db.conn.execute("update people set seat = 'umpire' where name = 'rhodes'")
    club.reply("Guard: go Telos\n", sent)
    ((_to, text),) = answers(club, many)
    assert "This seat gives no orders by e-mail" in text
    club.reply("Guard: go Telos\n", "nothing")
    assert "This seat gives no orders by e-mail" in club.box.mails[-1].get_content()


def test_o3_3_a_what_is_too_much_for_one_round_waits_for_the_next(club, monkeypatch):
    sent = club.box.text("ada@club.example")
    monkeypatch.setattr(order_mails, "AT_ONCE", 1000)
    for lines in ("Escort: stay\n" + "x" * 1000, "Guard: go Telos\n"):
        club.send(lines, sent)
    club.look()
    assert len(club.state.orders["rhodes"]) == 1
    club.look()
    assert len(club.state.orders["rhodes"]) == 2


def test_o3_3_a_lines_that_name_neither_a_fleet_nor_an_order_are_counted_and_others_are_refused(club):
    sent = club.box.text("ada@club.example")
    club.reply("Guard: go Telos\nPhone: 555\nGaurd: stay\nEscort: dance\n", sent)
    back = club.box.text("ada@club.example")
    assert "1 line names neither a fleet nor an order" in back and "555" not in back
    assert "There is no fleet called 'Gaurd'." in back and "'dance' is not an order" in back


def test_o3_3_a_two_fleets_of_one_name_are_told_apart(club):
    sent = club.box.text("ada@club.example")
    state = club.store.load(club.id).state
    changes = {"fleets.escort.name": "Guard"}
    command = {"type": "adjust", "changes": changes, "why": "a name"}
    assert state.fleets["escort"].name == "Escort"
    club.store.submit(club.id, club.store.game(club.id).version, "umpire", command)
    club.reply("Guard: go Telos\n", sent)
    assert "Several fleets are called 'Guard'." in club.box.text("ada@club.example") and not club.state.orders
