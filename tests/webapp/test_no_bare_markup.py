"""No drawing, template or script puts a bare value between angle brackets."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from functools import cache
from pathlib import Path

import pytest

from kit.escaping import MARK, foreign

WEBAPP = Path(__file__).parents[2] / "webapp"


def test_what_would_act_in_a_page_is_found() -> None:
    assert not foreign('<form hx-post="/g/ABCD/command?seat=rome" hx-swap="outerHTML"><a href="/">zq</a></form>')
    for bad in (
        f"<b title={MARK}>",
        f'<b title="{MARK}">',
        f"<b>{MARK}</b>",
        '<a href="javascript:zq">',
        "<b onclick=x>",
        '<b hx-on:click="x">',
        '<b hx-boost="true">',
    ):
        assert foreign(bad), bad


def test_templates_write_every_value_between_quotes_and_escaped() -> None:
    """What autoescaping does not cover: attributes without quotes, `safe`, autoescaping switched off."""
    found = []
    for file in sorted(WEBAPP.rglob("*.html")):
        text = re.sub(r"\{#.*?#\}", "", file.read_text(), flags=re.S)
        bare = re.search(r"<[a-z][^<>]*?\s[\w:-]+=\s*\{\{", re.sub(r'"[^"]*"', '""', text))
        safe = re.search(
            r"\|\s*safe\b|autoescape|\bMarkup\b|xmlattr|hx-on|hx-vals|hx-headers|<script(?![^>]*\ssrc=)", text
        )
        found += [(str(file.relative_to(WEBAPP)), each.group()) for each in (bare, safe) if each]
    assert not found


@pytest.mark.parametrize(
    "script", sorted({*WEBAPP.rglob("*.js")} - {WEBAPP / "static/htmx.min.js"}), ids=lambda path: path.name
)
def test_no_script_makes_markup_of_texts(script: Path) -> None:
    makes = (
        r"innerHTML\s*=|outerHTML\s*=|insertAdjacentHTML|createContextualFragment|document\.write|\beval\(|new Function"
    )
    assert not re.search(makes, script.read_text())


def test_no_markup_is_made_of_unescaped_values() -> None:
    found = [fault for file in sorted(WEBAPP.rglob("*.py")) for fault in bare_values(file)]
    assert not found, "\n".join(found)


def bare_values(file: Path) -> Iterator[str]:
    """Values in f-strings with markup in them that are neither escaped nor numbers nor drawn by a function."""
    if "cli" in file.parts:
        return
    tree = ast.parse(file.read_text())
    for scope in ast.walk(tree):
        if isinstance(scope, ast.FunctionDef):
            safe = safe_names(scope)
            for part in ast.walk(scope):
                if isinstance(part, ast.JoinedStr) and is_markup(part):
                    for value in part.values:
                        if isinstance(value, ast.FormattedValue) and not is_safe(value, safe):
                            yield f"{file.relative_to(WEBAPP)}:{value.lineno}: {ast.unparse(value.value)}"


def is_markup(text: ast.JoinedStr) -> bool:
    written = "".join(str(part.value) for part in text.values if isinstance(part, ast.Constant))
    return bool(re.search(r"</?[a-z]+[ >/]|[a-z-]+=\"", written)) and not written.startswith("attachment;")


def is_safe(value: ast.FormattedValue, safe: set[str]) -> bool:
    spec = ast.unparse(value.format_spec) if value.format_spec else ""
    return bool(re.search(r"[dfg]['\"]*$", spec)) or is_safe_expression(value.value, safe)


DRAWS = re.compile(
    r"^(escape|Markup|pips|holes|water|coast|land|outline|path|ring|place|frame|_grid|.*_(path|ink|key|bar)|deck|beak|plank|mountain|wave|len|round|int|float|graticule)$"
)


def is_safe_expression(value: ast.expr, safe: set[str]) -> bool:
    match value:
        case ast.Constant() | ast.UnaryOp() | ast.BinOp():
            return True  # arithmetic
        case ast.Name(id=name):
            return name in safe or name.isupper()
        case ast.JoinedStr(values=values):
            parts = [part for part in values if isinstance(part, ast.FormattedValue)]
            return is_markup(value) or all(is_safe(part, safe) for part in parts)  # markup is looked at by itself
        case ast.Subscript(value=inner):
            return is_safe_expression(inner, safe)
        case ast.IfExp(body=body, orelse=other):
            return is_safe_expression(body, safe) and is_safe_expression(other, safe)
        case ast.Call(func=ast.Attribute(value=ast.Constant(), attr="join")):
            return True  # of parts that are f-strings themselves
        case ast.Call(func=ast.Name(id=name) | ast.Attribute(attr=name)):
            return DRAWS.match(name) is not None or name in makers_of_markup()
    return False


@cache
def makers_of_markup() -> frozenset[str]:
    """Functions that give Markup wherever their name is defined: each of them is looked at by itself."""
    made: dict[str, set[str]] = {}
    for file in WEBAPP.rglob("*.py"):
        for each in ast.walk(ast.parse(file.read_text())):
            if isinstance(each, ast.FunctionDef):
                made.setdefault(each.name, set()).add(ast.unparse(each.returns) if each.returns else "")
    return frozenset(name for name, kinds in made.items() if kinds == {"Markup"})


def safe_names(scope: ast.FunctionDef) -> set[str]:
    """Names that hold numbers, or what is markup already."""
    every = (*scope.args.args, *scope.args.kwonlyargs)
    found = {
        each.arg for each in every if each.annotation and ast.unparse(each.annotation) in ("int", "float", "Markup")
    }
    for _ in range(3):
        for part in ast.walk(scope):
            if isinstance(part, ast.Assign) and isinstance(part.targets[0], ast.Name):
                value = part.value
                if is_safe_expression(value, found):
                    found.add(part.targets[0].id)
            if (
                isinstance(part, ast.Assign)
                and isinstance(part.targets[0], ast.Tuple)
                and is_safe_expression(part.value, found)
            ):
                found |= {each.id for each in part.targets[0].elts if isinstance(each, ast.Name)}
    return found
