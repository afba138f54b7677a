"""What a mail says in plain text, and whether a program has sent it. Runs in a child process.

It imports nothing of the program.
"""

from __future__ import annotations

import email
import email.policy
import re
from email.message import EmailMessage

END_OF_HEAD = re.compile(rb"\r?\n\r?\n")
WANTED = re.compile(
    rb"^(?:auto-submitted|content-[a-z-]+|mime-version):[^\n]*(?:\n[ \t][^\n]*)*", re.IGNORECASE | re.MULTILINE
)


def read(data: bytes, *, longest_head: int, longest: int) -> tuple[bool, str]:
    """Has a program sent this mail, and its text, of which so many letters are read; empty where it has none.

    Of its head only the fields that are needed are parsed. Raises any exception for what cannot be read.
    """
    head, *body = END_OF_HEAD.split(data, maxsplit=1)
    fields = b"\n".join(WANTED.findall(head))
    if len(fields) > longest_head:
        raise ValueError("the head is too long")
    mail = email.message_from_bytes(fields + b"\n\n" + b"".join(body), policy=email.policy.default)
    assert isinstance(mail, EmailMessage)
    by_program = str(mail.get("Auto-Submitted", "no")).lower() != "no"
    part = mail.get_body(("plain",))
    try:
        return by_program, str(part.get_content())[:longest] if part is not None else ""
    except (LookupError, ValueError, AttributeError):  # letters that are not known here
        return by_program, ""
