"""A number has a minus sign on a page, not a hyphen."""

from __future__ import annotations

import re
from pathlib import Path

import webapp
from webapp.http.language import minus, with_sign

ROOT = Path(webapp.__file__).parent
LINES = {"cli", "lab", "http/language.py"}  # what is written for a terminal, and the sign itself


def test_a_number_below_nought_has_a_minus_sign():
    assert (minus(-2), minus(3), with_sign(-2), with_sign(0), with_sign(3)) == ("−2", "3", "−2", "+0", "+3")


def test_no_page_writes_a_sign_by_a_format_of_its_own():
    found = set()
    for path in [*ROOT.rglob("*.py"), *ROOT.rglob("*.html")]:
        name = path.relative_to(ROOT).as_posix()
        for line in path.read_text().splitlines():
            if re.search(r":\+[.\d]*[df]\}|%\+[.\d]*[df]", line) and "replace('-', '−')" not in line:
                found |= {name} - {name for each in LINES if name.startswith(each)}
    assert found == set()
