"""A report of a file says the same to a person and to a program, and stays short."""

from __future__ import annotations

from typing import Any

from flask import render_template

from kit.real_house import real_app, real_store
from tactical.kernel.record import because
from webapp.files.report import MOST_OF_ONE, MOST_TOLD, NOUNS, LeftOut, Report

__all__ = ["real_app", "real_store"]


def test_a_report_says_the_same_to_a_person_and_to_a_program(app: Any) -> None:
    left = LeftOut("features[3]", because("this line has %(parts)s parts", parts=2))
    report = Report("GeoJSON", {"places": 26, "lanes": 1}, (left,), encoding="UTF-8")
    said = report.as_json()
    assert said["counts"] == {"places": 26, "lanes": 1} and said["encoding"] == "UTF-8"
    assert said["left_out"] == [{"where": "features[3]", "why": "this line has 2 parts"}]
    with app.test_request_context("/"):
        page = render_template("_report.html", report=report)
    for text in ("GeoJSON", "UTF-8", "26 places", "1 lane", "features[3]", "this line has 2 parts"):
        assert text in page


def shown(app: Any, report: Report) -> str:
    with app.test_request_context("/"):
        return render_template("_report.html", report=report)


def test_what_was_left_out_is_told_up_to_a_bound_and_then_counted(app: Any) -> None:
    many = tuple(LeftOut(f"A{row}", because("row %(row)s is odd", row=row)) for row in range(MOST_TOLD + 7))
    report = Report("CSV", {"rows": 0}, many)
    assert len(report.as_json()["left_out"]) == MOST_TOLD and report.as_json()["left_out_more"] == 7
    page = shown(app, report)
    assert "7 more were left out" in page and f"A{MOST_TOLD}<" not in page and page.count("<tr>") == MOST_TOLD + 1


def test_what_was_left_out_for_one_reason_is_one_line_with_the_names_of_things(app: Any) -> None:
    why = because("nothing is written here")
    several = [LeftOut(f"A{row}", why, "Kos & Telos" if row == 1 else "") for row in range(MOST_OF_ONE + 3)]
    page = shown(app, Report("CSV", {"rows": 0}, (*several, LeftOut("B1", because("this is your own")))))
    assert page.count("nothing is written here") == 1 and "and 3 more" in page and "more were left out" not in page
    assert 'A1 <span class="quiet">Kos &amp; Telos</span> · A2 · ' in page and f"A{MOST_OF_ONE}" not in page


def test_every_noun_can_be_said_of_one_and_of_several(app: Any) -> None:
    with app.test_request_context("/"):
        for noun, said in NOUNS.items():
            assert said(1).startswith("1 ") and said(2).startswith("2 ") and said(1) != said(2), noun
