"""What somebody has written himself in a mail, and whether a program has sent it. Runs in a child process.

It imports nothing of the program. Where mail programs begin to quote is known by mail-parser-reply; what it does not
know (Russian, and whatever begins with a date) is one more language of it.
"""

from __future__ import annotations

import email
import email.policy
import re
import unicodedata
from collections.abc import Iterator
from email.message import EmailMessage
from html.parser import HTMLParser

END_OF_HEAD = re.compile(rb"\r?\n\r?\n")
WANTED = re.compile(rb"^(?:content-[a-z-]+|mime-version):[^\n]*(?:\n[ \t][^\n]*)*", re.IGNORECASE | re.MULTILINE)
BY_PROGRAM = re.compile(  # RFC 3834, and what lists, bounces and older responders write; it begins a line of the head
    rb"^(?:auto-submitted:\s*(?!no\b|\s)|precedence:\s*(?:bulk|junk|list|auto)|list-[a-z]+:|return-path:\s*<>"
    rb"|x-(?:autoreply|autorespond|auto-response-suppress|failed-recipients|loop)\b"
    rb"|content-type:\s*multipart/report|from:[^\n]*\bmailer-daemon@)",
    re.IGNORECASE | re.MULTILINE,
)
LANGUAGES = ("en", "it", "de", "es")  # of mail programs, as the library knows them
MARK = r"(?:> ?)*"
NAMES = "От|От кого|Отправитель|Отправлено|Дата|Кому|Получатель|Копия|Тема"
AUTHOR = r"<[^<>\s]+@[^<>\s]+>|wrote|ha\s+scritto|(?:на)?писал[аи]?(?:\(а\))?|пишет|a\s+écrit"
MORE = {  # another language for the library: lines that introduce a quotation, heads above one
    "wrote_header": rf"^({MARK}(?:\w+[,.]? ){{0,4}}\d{{1,4}}[ ./,-][^\n]*(?:\n(?!\n)[^\n]*){{0,2}}?(?:{AUTHOR})\s?:)$"
    rf"|^({MARK}[^\n]*(?:писал[аи]?(?:\(а\))?|пишет)\b[^\n]*:)$",
    "from_header": rf"((?:(?:^|\n|\n{MARK})[* ]*(?:{NAMES}):[ *]*(?:\s{{,2}}).*){{2,}}(?:\n.*){{,1}})",
    "signatures": "Best regards",
    "sent_from": "Sent from my",
}
WIDEST = 1000  # letters of a line that are read
LINES = re.compile(r"address|blockquote|br|d[dlt]|div|h[1-6r]|li|ol|p|pre|table|tr|ul")  # they begin a line
UNSEEN = frozenset(("head", "script", "style", "template", "title"))
BELOW = "-----Original Message-----"
BEGINS = ("divrplyfwdmsg", "appendonsend", "outlookmessageheader", "yahoo_quoted")  # ids and classes above a quotation
LINE_ABOVE = "border-top:solid"  # in the style of what Outlook sets above one


def read(data: bytes, *, longest_head: int, longest: int) -> tuple[bool, str, str]:
    """Has a program sent this mail, what its sender has written himself, and what he quotes without marks.

    Of each text so many letters are returned, and of the head only the fields that are needed are parsed. Raises any
    exception for what cannot be read.
    """
    head, *body = END_OF_HEAD.split(data, maxsplit=1)
    fields = b"\n".join(WANTED.findall(head))
    if len(fields) > longest_head:
        raise ValueError("the head is too long")
    mail = email.message_from_bytes(fields + b"\n\n" + b"".join(body), policy=email.policy.default)
    assert isinstance(mail, EmailMessage)
    parts = list(leaves(mail))
    plain = "\n".join(text_of(part) for part in parts if part.get_content_subtype() == "plain")
    html = "\n".join(text_of_html(text_of(part)) for part in parts if part.get_content_subtype() == "html")
    found = [own_text(text) for text in (plain, html) if text.strip()]
    # an order has a colon: a plain part without one only says that the mail is written in HTML
    colons = (texts for where in (0, 1) for texts in found if ":" in texts[where])
    own, below = next(colons, found[0] if found else ("", ""))
    return is_by_program(head), own[:longest], below[:longest]


def is_by_program(head: bytes) -> bool:
    """Does a mail's head say that a program has sent it: an automatic answer, a list, a bounce?"""
    return BY_PROGRAM.search(head) is not None


def leaves(part: EmailMessage) -> Iterator[EmailMessage]:
    """The texts of a mail in their order; what is attached, another mail too, is none."""
    if part.get_content_maintype() == "multipart":
        for each in part.iter_parts():
            assert isinstance(each, EmailMessage)
            yield from leaves(each)
    elif part.get_content_maintype() == "text" and not part.is_attachment():
        yield part


def text_of(part: EmailMessage) -> str:
    """A part's letters: in the encoding that it names, else in UTF-8, else as they are likely meant."""
    data = part.get_payload(decode=True)
    assert isinstance(data, bytes)
    text = decoded(data, part.get_content_charset() or "utf-8")
    return unflowed(text) if str(part.get_param("format", "")).lower() == "flowed" else text


def decoded(data: bytes, charset: str) -> str:
    """The same, of the bytes."""
    for name in (charset, "utf-8"):
        try:
            return data.decode(name)
        except (LookupError, ValueError):
            continue
    from chardetng_py import detect

    return data.decode(charset if charset.startswith("utf-16") else detect(data), "replace")


def unflowed(text: str) -> str:
    """RFC 3676 The paragraphs of flowed text, each as one line, with the marks of what is quoted."""
    found: list[tuple[int, str]] = []
    goes_on = False
    for line in text.splitlines():
        rest = line.lstrip(">")
        depth = len(line) - len(rest)
        rest = rest.removeprefix(" ")
        if goes_on and found[-1][0] == depth:
            found[-1] = depth, found[-1][1] + rest
        else:
            found.append((depth, rest))
        goes_on = rest.endswith(" ") and rest != "-- "
    return "\n".join("> " * depth + line for depth, line in found)


class Lines(HTMLParser):
    """The lines of a text in HTML, each behind a mark for every quotation in which it stands."""

    def __init__(self) -> None:
        super().__init__()
        self.lines = [""]
        self.quotes: list[bool] = []
        self.unseen = self.kept = 0

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        given = {name: (value or "").lower().replace(" ", "") for name, value in attrs}
        if LINES.fullmatch(tag):
            self.lines.append("")
        if tag == "body":
            self.unseen = 0
        self.unseen += tag in UNSEEN
        self.kept += tag == "pre"
        if tag == "blockquote":  # some programs indent what is written with it
            self.quotes.append("border:none" not in given.get("style", "") or "type" in given)
        if LINE_ABOVE in given.get("style", "") or {given.get("id"), *given.get("class", "").split()} & {*BEGINS}:
            self.lines += [BELOW, ""]

    def handle_endtag(self, tag: str) -> None:
        if LINES.fullmatch(tag):
            self.lines.append("")
        self.unseen -= tag in UNSEEN and self.unseen > 0
        self.kept -= tag == "pre" and self.kept > 0
        if tag == "blockquote" and self.quotes:
            self.quotes.pop()

    def handle_data(self, data: str) -> None:
        if self.unseen:
            return
        first, *more = data.split("\n") if self.kept else [data]
        for line in (first, *more):
            if line is not first:
                self.lines.append("")
            line = re.sub(r"[ \t\r\n\f]+", " ", line)
            self.lines[-1] += line if self.lines[-1] else "> " * sum(self.quotes) + line.lstrip()


def text_of_html(text: str) -> str:
    """What a text in HTML says, line by line."""
    page = Lines()
    page.feed(text)
    page.close()
    return "\n".join(page.lines)


def own_text(text: str) -> tuple[str, str]:
    """What he wrote himself, above, below and between what is quoted with marks; and what he quotes without them."""
    from mailparser_reply import EmailReplyParser, constants

    constants.MAIL_LANGUAGES["more"] = MORE
    own, below = list[str](), list[str]()
    for part in EmailReplyParser(languages=[*LANGUAGES, "more"]).read(cleaned(text)).replies:
        lines = part.full_body.splitlines()
        is_marked = next((line for line in lines if line.strip()), "").startswith(">")
        found = below if below or (part.headers and not is_marked) else own
        found += [BELOW] if below else []
        found += [line for line in lines if not line.startswith(">")]
    return "\n".join(own), "\n".join(below)


def cleaned(text: str) -> str:
    """The text with plain spaces, without letters that only say how it is laid out, with one empty line for several."""
    lines = (line[:WIDEST] for line in text.splitlines())
    kinds = ((sign, unicodedata.category(sign)) for sign in "\n".join(lines))
    plain = "".join(" " if kind == "Zs" else sign for sign, kind in kinds if kind != "Cf")
    return re.sub(r"\s*\n\s*\n\s*", "\n\n", plain)
