"""A library that few ask for is imported by its first use."""

import sys

import pytest

from tactical.kernel.later import Later


def test_a_library_is_imported_by_its_first_use(monkeypatch):
    monkeypatch.delitem(sys.modules, "colorsys", raising=False)
    colours = Later("colorsys")
    assert "colorsys" not in sys.modules
    assert colours.rgb_to_hsv(0, 0, 0) == (0, 0, 0)
    assert colours.rgb_to_hsv is sys.modules["colorsys"].rgb_to_hsv


def test_what_it_does_not_have_is_told_as_by_the_library_itself():
    with pytest.raises(AttributeError, match="colorsys"):
        _ = Later("colorsys").no_such_thing
