"""O3.3.a Replies as mail programs write them, through a real mail server: the order is given, and nothing else is read.

The lines that introduce a quotation are those of Gmail, Outlook, Apple Mail, Thunderbird, Yandex, Mail.ru, The Bat! and
telephones, in English, Italian and Russian.
"""

from __future__ import annotations

import base64
import html
import textwrap
from collections.abc import Callable
from email.message import EmailMessage

import pytest

from kit.by_mail import Club
from webapp.files import mail_reader
from webapp.post import order_mails

ADA = "ada@club.example"
ORDER = "Guard: go Telos, avoid"
EARLIER = "Escort: go Telos"  # what the player wrote in an earlier mail, and now quotes
Build = Callable[[str], EmailMessage | bytes]


def marked(text: str, mark: str = "> ") -> str:
    return "\n".join(mark + line for line in text.splitlines())


def plain(text: str, charset: str = "utf-8", cte: str | None = None, **params: str) -> EmailMessage:
    mail = EmailMessage()
    mail.set_content(text, charset=charset, cte=cte)
    for name, value in params.items():
        mail.set_param(name, value)
    return mail


def in_html(body: str, charset: str = "utf-8", cte: str = "quoted-printable") -> EmailMessage:
    mail = EmailMessage()
    page = f"<html><head><title>Re: x</title><style>p: {{color: red}}</style></head><body>{body}</body></html>"
    mail.set_content(page, subtype="html", charset=charset, cte=cte)
    return mail


def escaped(text: str) -> str:
    return "<br>\n".join(html.escape(line) or "&nbsp;" for line in text.splitlines())


def alternative(text: str, page: str) -> EmailMessage:
    mail = EmailMessage()
    mail.set_content(text)
    mail.add_alternative(page, subtype="html")
    return mail


def above(intro: str, mark: str = "> ") -> Build:
    """A reply above what is quoted, with marks or without them."""
    return lambda sent: plain(f"{ORDER}\n\nAda\n\n{intro}\n\n{marked(sent, mark)}\n")


def below(intro: str) -> Build:
    return lambda sent: plain(f"{intro}\n{marked(sent)}\n\n{ORDER}\n\n-- \nPhone: 555\n")


def wrapped(sent: str, width: int) -> str:
    """Quoted text as a program writes it that breaks lines, and tokens, at so many letters."""
    lines = (piece for line in sent.splitlines() for piece in textwrap.wrap(line, width - 2) or [""])
    return marked("\n".join(lines))


def inside(intro: str, width: int = 0, place: int = 3) -> Build:
    """A reply between the lines of what is quoted without marks, which a program may have broken anew."""

    def build(sent: str) -> EmailMessage:
        lines = sent.splitlines()
        if width:
            lines = [piece for line in lines for piece in textwrap.wrap(line, width) or [""]]
        return plain("\n".join(["See below.", "", intro, "", *lines[:place], ORDER, *lines[place:]]))

    return build


def thread(sent: str) -> EmailMessage:
    """A long one: the mark is its last line but a few, below 40,000 letters of earlier mails."""
    old = f"On Sat, 21 Nov 2026 at 10:00 Ada <{ADA}> wrote:\n" + marked(f"{EARLIER}\n" + "We sail at dawn. " * 2500)
    return plain(f"{ORDER}\n\nOn Sun, 29 Nov 2026 at 10:00 Navarch <n@c.example> wrote:\n{marked(old)}\n{marked(sent)}")


def cut_by_soft_hyphens(sent: str) -> EmailMessage:
    return plain(f"{ORDER}\n\nNavarch wrote:\n" + marked(sent.replace("orders:", "or\u00adders:\u200b")))


def attached(sent: str) -> EmailMessage:
    """The dispatch is forwarded as a mail of its own."""
    mail, inner = plain(ORDER), EmailMessage()
    inner["From"], inner["Subject"] = "navarch@club.example", "your turn"
    inner.set_content(f"{EARLIER}\n{sent}", cte="base64")
    mail.add_attachment(inner)
    return mail


def with_winmail(sent: str) -> EmailMessage:
    mail = plain(f"{ORDER}\n\n_____\nFrom: Navarch\nSent: Sunday\nTo: Ada\nSubject: your turn\n\n{sent}")
    mail.add_attachment(b"x\x9f>\x22" * 100, "application", "ms-tnef", filename="winmail.dat")
    return mail


def with_a_picture(sent: str) -> EmailMessage:
    """What stands below a picture is a part of its own."""
    mail = plain("Look:")
    mail.make_mixed()
    mail.attach(plain("x"))
    picture = EmailMessage()
    picture.set_content(b"png", "image", "png", disposition="inline")
    mail.attach(picture)
    mail.attach(plain(f"{ORDER}\n\n{marked(sent)}"))
    return mail


def raw(head: str, body: bytes) -> bytes:
    return f"From: Ada <{ADA}>\nTo: navarch@club.example\n{head}\n\n".encode() + body


OUTLOOK = "{}: Navarch <navarch@club.example>\n{}: Sunday, November 29, 2026 10:02 AM\n{}: Ada <ada@club.example>\n{}: your turn"
EN, IT = OUTLOOK.format("From", "Sent", "To", "Subject"), OUTLOOK.format("Da", "Inviato", "A", "Oggetto")
RU = OUTLOOK.format("От", "Отправлено", "Кому", "Тема")
N = "Navarch <navarch@club.example>"
SHAPES: dict[str, Build] = {
    # above, with marks, as each program introduces what it quotes
    "gmail": above(f"On Sun, Nov 29, 2026 at 10:02\u202fAM {N}\nwrote:"),
    "gmail, broken in a date": above(f"On Sun, 29 Nov 2026\nat 10:02 {N} wrote:"),
    "gmail, three lines": above("On Sun, 29 Nov 2026 at 10:02 Navarch of the Club\n<navarch@club.example>\nwrote:"),
    "gmail in italian": above(f"Il giorno dom 29 nov 2026 alle ore 10:02 {N} ha\nscritto:"),
    "gmail in russian": above(f"вс, 29 нояб. 2026\u202fг. в 10:02, {N}:"),
    "gmail in russian, two lines": above("вс, 29 нояб. 2026 г. в 10:02, Navarch\n<navarch@club.example>:"),
    "apple mail": above(f"On 29 Nov 2026, at 10:02, {N} wrote:"),
    "apple mail in italian": above(f"Il giorno 29 nov 2026, alle ore 10:02, {N} ha scritto:"),
    "apple mail in russian": above(f"29 нояб. 2026 г., в 10:02, {N} написал(а):"),
    "thunderbird": above("On 29/11/2026 10:02, Navarch wrote:"),
    "thunderbird in russian": above("29.11.2026 10:02, Navarch пишет:"),
    "yandex": above('29.11.2026, 10:02, "Navarch" <navarch@club.example>:'),
    "mail.ru": above("Воскресенье, 29 ноября 2026, 10:02 +03:00 от Navarch <navarch@club.example>:"),
    "the bat": above("Здравствуйте, Navarch.\n\nВы писали 29 ноября 2026 г., 10:02:", "N> "),
    "roundcube in russian": above("Navarch писал(а) 29.11.2026 10:02:"),
    "proton": above(f"Sent with Proton Mail secure email.\n\nOn Sunday, November 29th, 2026 at 10:02, {N} wrote:"),
    "orange": lambda sent: plain(
        f"{ORDER}\n\n> Message du 29/11/26 10:02\n> De : Navarch <n@c.example>\n> Objet : your turn\n>\n{marked(sent)}"
    ),
    # above, without marks
    "gmx": above(
        "Gesendet: Sonntag, 29. November 2026 um 10:02 Uhr\nVon: Navarch <n@c.example>\nAn: Ada\nBetreff: your turn", ""
    ),
    "yahoo without marks": above(f"    On Sunday, November 29, 2026 at 10:02:00 AM GMT+1, {N} wrote:  \n ", " "),
    "gmail without marks": above(f"On Sun, 29 Nov 2026 at 10:02 {N}\nwrote:", ""),
    "thunderbird in italian without marks": above("Il 29/11/2026 10:02, Navarch ha scritto:", ""),
    "yandex without marks": above('29.11.2026, 10:02, "Navarch" <navarch@club.example>:', ""),
    "outlook": above(EN, ""),
    "outlook in italian": above(IT, ""),
    "outlook in russian": above(RU, ""),
    "outlook with a line": above(f"________________________________\n{EN}", ""),
    "outlook, original message": above(f"-----Original Message-----\n{EN}", ""),
    "outlook, original message in italian": above(f"-----Messaggio originale-----\n{IT}", ""),
    "outlook, original message in russian": above(f"-----Исходное сообщение-----\n{RU}", ""),
    "outlook in a language that is not known": above(OUTLOOK.format("Kimden", "Tarih", "Kime", "Konu"), ""),
    "iphone": above(f"Sent from my iPhone\n\nOn 29 Nov 2026, at 10:02, {N} wrote:"),
    "android in russian": above(
        "Отправлено с Samsung: см. https://samsung.example\n\n-------- Исходное сообщение --------\n" + RU, ""
    ),
    "forwarded": above(f"---------- Forwarded message ---------\n{EN}", ""),
    "forwarded by apple mail in italian": above("Inizio messaggio inoltrato:\n\n" + IT, ""),
    "nothing introduces it": above("", ""),
    # below and between
    "below": below(f"On 29/11/2026 10:02, {N} wrote:"),
    "below, broken": below(f"Il giorno dom 29 nov 2026 alle ore 10:02 {N}\nha scritto:"),
    "below in russian": below("29.11.2026 10:02, Navarch пишет:"),
    "between": lambda sent: plain(f"On Sunday, {N} wrote:\n> Rhodes must write orders.\n\n{ORDER}\n\n{marked(sent)}"),
    # between and below, without marks: what is his is known by what he was sent
    "inside outlook's": inside(f"-----Original Message-----\n{EN}"),
    "inside outlook's, between empty lines": inside(EN, place=2),
    "inside outlook's in russian, broken anew": inside(RU, 76),
    "inside thunderbird's in italian, broken narrowly": inside("Il 29/11/2026 10:02, Navarch ha scritto:", 30, 7),
    "inside what nothing introduces": inside(""),
    "below outlook's": inside(f"________________________________\n{EN}", place=-1),
    "below all of outlook's": lambda sent: plain(f"{EN}\n\n{sent}\n\n{ORDER}\n\n-- \nEscort: go Telos\n"),
    "inside outlook's, above an earlier mail of his own": lambda sent: plain(
        f"{EN}\n\n{sent.splitlines()[0]}\n{ORDER}\n{sent}\n\nFrom: Ada\nSent: Saturday\n\n{EARLIER}\n"
    ),
    "inside html of outlook": lambda sent: in_html(
        '<p>See below.</p><div style="border:none;border-top:solid #E1E1E1 1.0pt"><p><b>Von:</b> Navarch</p></div>'
        + "".join(f"<p>{html.escape(line) or '&nbsp;'}<o:p></o:p></p>" for line in sent.splitlines()[:3])
        + f'<p style="color:red">{ORDER}</p>'
        + "".join(f"<p>{html.escape(line) or '&nbsp;'}</p>" for line in sent.splitlines()[3:])
    ),
    # how it is packed
    "a signature": lambda sent: plain(f"{ORDER}\n\n-- \nAda\nPhone: 555\nEscort: go Telos\n\n{marked(sent)}"),
    "a signature without a line": lambda sent: plain(
        f"{ORDER}\n\nAda Rossi\nPhone: 555\nWeb: https://ada.example\n\n{marked(sent)}"
    ),
    "no-break spaces": lambda sent: plain(f"Guard:\u00a0go\u00a0Telos,\u202favoid\n\n{marked(sent)}"),
    "a soft hyphen": lambda sent: plain(f"\u202aGu\u00adard: go Te\u200blos, avoid\u202c\n\n{marked(sent)}"),
    "base64": lambda sent: plain(f"{ORDER}\n\n{marked(sent)}", cte="base64"),
    "utf-16 in base64": lambda sent: plain(f"{ORDER}\n\n{marked(sent)}", charset="utf-16", cte="base64"),
    "windows-1251": lambda sent: plain(f"Привет!\n{ORDER}\n\n{marked(sent)}", charset="windows-1251", cte="8bit"),
    "flowed": lambda sent: plain(f"Guard: go Telos, \navoid\n\n{wrapped(sent, 60)}", format="flowed"),
    "token wrapped": lambda sent: plain(f"{ORDER}\n\nNavarch wrote:\n{wrapped(sent, 40)}"),
    "token wrapped deep": lambda sent: plain(f"{ORDER}\n\nNavarch wrote:\n{marked(wrapped(sent, 30), '>> ')}"),
    "token with soft hyphens": cut_by_soft_hyphens,
    "a long thread": thread,
    "attached": attached,
    "a new mail with the mark on top": lambda sent: plain(
        "\n".join([*(line for line in sent.splitlines() if line.startswith(order_mails.MARK)), "", ORDER])
    ),
    "winmail": with_winmail,
    "a picture between": with_a_picture,
    "a numbered list": lambda sent: plain(f"1) {ORDER}\n\n{marked(sent)}"),
    "a disclaimer below": lambda sent: plain(
        f"{ORDER}\n\n{marked(sent)}\n\nCONFIDENTIALITY NOTICE: this e-mail is for its reader: keep away.\n"
    ),
    "a list": lambda sent: plain(f"- {ORDER}\n\n{marked(sent, '| ')}"),
    "bold": lambda sent: plain(
        f"*Guard*: go Telos, *avoid*\n\n*Da:* Navarch <n@c.example>\n*Inviato:* domenica\n*A:* Ada\n\n{sent}"
    ),
    "an order that was broken": lambda sent: plain(f"Guard: go Telos,\navoid\n\nCiao\n{marked(sent)}"),
    "a carriage return ends each line": lambda sent: raw(
        "Content-Transfer-Encoding: base64",
        base64.encodebytes(f"{ORDER}\r\r{marked(sent)}".replace("\n", "\r").encode()),
    ),
    "unknown letters": lambda sent: raw(
        "MIME-Version: 1.0\nContent-Type: text/plain; charset=x-mac-thing",
        f"Привет!\n{ORDER}\n\n{marked(sent)}".encode("cp1251"),
    ),
    "no letters named": lambda sent: raw(
        "Subject: x", "Così sia\n".encode("latin-1") + f"{ORDER}\n\n{marked(sent)}".encode()
    ),
    # HTML
    "html": lambda sent: in_html(f"<div>{ORDER}</div><blockquote>{escaped(sent)}</blockquote>"),
    "html of gmail": lambda sent: in_html(
        f'<div dir="ltr">{ORDER}</div><br><div class="gmail_quote"><div dir="ltr" class="gmail_attr">On Sun, 29 Nov 2026 at 10:02, Navarch &lt;<a href="mailto:navarch@club.example">navarch@club.example</a>&gt; wrote:<br></div><blockquote class="gmail_quote" style="margin:0px 0px 0px 0.8ex">{escaped(sent)}</blockquote></div>'
    ),
    "html of outlook": lambda sent: in_html(
        f'<p class="MsoNormal">Guard:&nbsp;go Telos,\r\navoid<o:p></o:p></p><div><div style="border:none;border-top:solid #E1E1E1 1.0pt;padding:3.0pt 0cm 0cm 0cm"><p><b>Kimden:</b> Navarch<br><b>Tarih:</b> Pazar<br></p></div></div><p>{escaped(sent)}</p>'
    ),
    "html of outlook on the web": lambda sent: in_html(
        f'<div>{ORDER}</div><div id="appendonsend"></div><hr><div id="divRplyFwdMsg"><b>Van:</b> Navarch<br><b>Verzonden:</b> zondag</div><div>{escaped(sent)}</div>',
        cte="base64",
    ),
    "html of spark": lambda sent: in_html(
        f'<div name="messageBodySection"><div dir="auto">{ORDER}</div></div><div name="messageSignatureSection"><br>--<br>Ada: captain</div><div name="messageReplySection">On 29 Nov 2026 at 10:02 +0100, Navarch, wrote:<br><blockquote type="cite">{escaped(sent)}</blockquote></div>'
    ),
    "html of outlook on a telephone": lambda sent: in_html(
        f'<div>{ORDER}</div><div id="ms-outlook-mobile-signature">Get <a href="https://aka.ms/x">Outlook for iOS</a></div><hr style="display:inline-block;width:98%"><div id="divRplyFwdMsg"><b>Da:</b> Navarch<br><b>Inviato:</b> domenica</div><div>{escaped(sent)}</div>'
    ),
    "html of apple mail": lambda sent: in_html(
        f'<div>{ORDER}</div><div><br><blockquote type="cite"><div>On 29 Nov 2026, at 10:02, Navarch wrote:</div><br><div><div>{escaped(sent)}</div></div></blockquote></div>'
    ),
    "html below": lambda sent: in_html(
        f'<div class="moz-cite-prefix">On 29/11/2026 10:02, Navarch wrote:<br></div><blockquote type="cite"><pre>{html.escape(sent)}</pre></blockquote><p>{ORDER}</p>'
    ),
    "html, indented": lambda sent: in_html(
        f'<blockquote style="margin: 0 0 0 40px; border: none; padding: 0px"><div>{ORDER}</div></blockquote><blockquote>{escaped(sent)}</blockquote>'
    ),
    "html with a broken token": lambda sent: in_html(
        f"<p>{ORDER}</p><blockquote>{escaped(sent).replace('orders:', 'or<wbr>ders&#58;<b>').replace('-1-', '&#8209;1<span>-</span>')}</blockquote>"
    ),
    "html beside an empty text": lambda sent: alternative(
        "\n", f"<p>{ORDER}</p><blockquote>{escaped(sent)}</blockquote>"
    ),
    "html beside a text that says so": lambda sent: alternative(
        "This mail is written in HTML.", f"<ul><li>{ORDER}</li></ul><blockquote>{escaped(sent)}</blockquote>"
    ),
    "html of a telephone": lambda sent: in_html(
        f"<div>{ORDER}</div><div><i>Sent from Samsung: https://x.example</i></div><br><div>-------- Original message --------</div><div>From: Navarch &lt;n@c.example&gt; </div><div>To: Ada </div><div>{escaped(sent)}</div>"
    ),
    "html below what is quoted without a block": lambda sent: in_html(
        f'<table><tr><td>{ORDER}</td></tr></table><div class="yahoo_quoted">Pazar, Navarch:<br>{escaped(sent)}</div>'
    ),
    "html and text": lambda sent: alternative(
        f"{ORDER}\n\nOn Sunday Navarch wrote:\n{marked(sent)}",
        f"<p>{ORDER}</p><blockquote>{escaped(sent)}</blockquote>",
    ),
}


@pytest.mark.parametrize("shape", SHAPES)
def test_o3_3_a_a_reply_is_read_as_its_senders_program_writes_it(club: Club, shape: str) -> None:
    content = SHAPES[shape](club.box.text(ADA))
    if isinstance(content, EmailMessage):
        content["From"], content["To"] = f"Ada <{ADA}>", "navarch@club.example"
        content = content.as_bytes()
    many = len(club.box.mails)
    club.hand_in(content)
    club.look()
    given = {name: (order.to, order.stance, order.note) for name, order in club.state.orders.get("rhodes", {}).items()}
    assert given == {"guard": ("telos", "avoid", "")}
    (back,) = (str(mail.get_content()) for mail in club.box.mails[many:])
    assert back.count("understood as") == 1 and "understood as: Guard: Go Telos, avoid" in back
    assert "not accepted" not in back


def test_o3_3_a_between_the_lines_of_an_answer_only_what_is_new_is_read(club: Club) -> None:
    club.reply(f"{EARLIER}\nGuard: dance Telos", club.box.text(ADA))
    lines = club.box.text(ADA).splitlines()
    assert any("understood as: Escort" in line for line in lines)
    place = next(number for number, line in enumerate(lines) if "not accepted" in line) + 1
    many = len(club.box.mails)
    club.hand_in(raw("Subject: x", "\n".join([EN, "", *lines[:place], ORDER, *lines[place:]]).encode()))
    club.look()
    assert {name: order.to for name, order in club.state.orders["rhodes"].items()} == {
        "escort": "telos",
        "guard": "telos",
    }
    (back,) = (str(mail.get_content()) for mail in club.box.mails[many:])
    assert back.count("understood as") == 1 and "not accepted" not in back


def test_o3_3_a_between_the_lines_of_a_mail_of_which_nothing_is_known_nothing_is_read(club: Club) -> None:
    sent = club.box.text(ADA)
    with club.store.write() as db:
        db.conn.execute("update outbox set digests = ''")
    mail = inside(EN)(sent)
    assert isinstance(mail, EmailMessage)
    mail["From"] = ADA
    club.hand_in(mail.as_bytes())
    club.look()
    assert not club.state.orders and "No line of your e-mail is an order" in club.box.text(ADA)


@pytest.mark.parametrize("lang, understood", [("it", "inteso come"), ("ru", "понято как")])
def test_o3_3_a_a_dispatch_in_another_language_is_told_from_a_reply_without_marks(
    club: Club, lang: str, understood: str
) -> None:
    with club.store.write() as db:
        db.conn.execute("update people set lang = ? where name = 'rhodes'", (lang,))
    club.send("Guard: go Telos", "nothing")
    club.look()  # its answer is a mail to which he may reply, in his language
    sent, many = club.box.text(ADA), len(club.box.mails)
    assert order_mails.MARK in sent and "Reply to" not in sent
    club.hand_in(raw("Content-Type: text/plain; charset=utf-8", f"{ORDER}\n\n{sent}".encode()))
    club.look()
    assert club.state.orders["rhodes"]["guard"].to == "telos"
    (back,) = (str(mail.get_content()) for mail in club.box.mails[many:])
    assert back.count(understood) == 1, back


def test_o3_3_a_a_broken_pathological_text_takes_no_longer_than_another() -> None:
    for much in ("\n" * 200_000, "> " * 100_000, "On x " * 40_000, "From: x\n" * 20_000, " " * 200_000):
        assert ORDER in mail_reader.own_text(f"{ORDER}\n\n{much}")[0]


@pytest.mark.parametrize(
    "data, charset, text",
    [
        ("Ястреб: идти Телос".encode("koi8-r"), "koi8-r", "Ястреб: идти Телос"),
        ("Ястреб: идти Телос".encode("cp1251"), "x-unknown", "Ястреб: идти Телос"),
        ("Città: va’ lì".encode(), "us-ascii", "Città: va’ lì"),
        ("Città: è lì, più là".encode("cp1252"), "utf-8", "Città: è lì, più là"),
    ],
)
def test_letters_are_read_in_the_encoding_that_a_mail_names_else_as_they_are_meant(
    data: bytes, charset: str, text: str
) -> None:
    assert mail_reader.decoded(data, charset) == text


def test_flowed_text_is_whole_again_and_a_line_of_a_signature_is_not() -> None:
    assert mail_reader.unflowed("Guard: go \nTelos\n>> a \n>> b\n> c \n-- \n > d") == (
        "Guard: go Telos\n> > a b\n> c \n-- \n> d"
    )


TOKEN = ("7XAF8SQ3", "1", "2", "b362d42d223055eb60da390412b3a5e6")
WHOLE = f"{order_mails.MARK} {'-'.join(TOKEN)}"
SPELLED = {
    "a no-break space": plain(WHOLE.replace(" ", "\u00a0")),
    "broken at every tenth letter": plain(marked("\n".join(WHOLE[at : at + 10] for at in range(0, len(WHOLE), 10)))),
    "broken and packed": plain(marked("\n".join(textwrap.wrap(WHOLE, 20)), "> > "), cte="quoted-printable"),
    "broken in html": in_html(WHOLE.replace("-1-", "-<wbr>1<br>\r\n-")),
    "entities in base64": in_html(WHOLE.replace(" ", "&nbsp;").replace("-", "&#45;"), cte="base64"),
    "spans": in_html(WHOLE.replace("-1-", "</span><b>-1-</b><span>").replace("-orders", "<i>-orders</i>")),
    "hyphens that do not break": plain(WHOLE.replace("-", "\u2011"), cte="quoted-printable"),
    "a dash": plain(WHOLE.replace("-", "\u2013"), cte="base64"),
    "a wide colon": plain(WHOLE.replace(": ", "\uff1a"), cte="8bit"),
    "bold": plain(WHOLE.replace("navarch-orders:", "*navarch-orders:*")),
    "a capital": plain(WHOLE.replace("navarch", "Navarch")),
    "large letters": plain(WHOLE.upper()),
    "letters of no width": plain("\u200b".join(WHOLE), cte="base64"),
    "between signs": plain(f"a < b\n{WHOLE}\n> c"),
    "at the very end": plain(f"xx{WHOLE}", cte="base64"),
    "utf-16": plain(WHOLE, charset="utf-16", cte="base64"),
}


@pytest.mark.parametrize("spelled", SPELLED)
def test_o3_3_a_a_token_is_found_however_it_is_broken_and_spelled(spelled: str) -> None:
    letters = [*order_mails.spellings(SPELLED[spelled].as_bytes().rstrip())]
    game, number, turn, proof = next(order_mails.tokens_of(letters))
    assert (game, number, turn, proof.lower()) == TOKEN


@pytest.mark.parametrize("wrong", [WHOLE[:-1], WHOLE.replace("-1-", "-x-"), WHOLE.replace("orders", "order")])
def test_o3_3_a_what_is_not_whole_is_no_token(wrong: str) -> None:
    assert not [*order_mails.tokens_of([*order_mails.spellings(plain(wrong).as_bytes())])]
