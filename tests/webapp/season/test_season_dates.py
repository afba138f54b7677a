"""O10.1 The dates of a season by the clock of its zone."""

from __future__ import annotations

from datetime import datetime
from zoneinfo import ZoneInfo

import pytest

from kit.seasons import begun, do
from tactical.kernel.record import BadInput
from webapp.api.seasons import begins, is_overdue, zone_of


def test_o10_1_a_round_has_dates_by_the_clock_of_the_seasons_zone():
    season = do(begun(4, zone="Europe/Rome"), "pair", starts="2026-12-03T19:30", due="2026-12-10T23:59")
    season = do(season, "publish", round=1)
    pairing = season.now.pairings["r1-1"]
    assert begins(season, season.now, pairing) == datetime(2026, 12, 3, 19, 30, tzinfo=ZoneInfo("Europe/Rome"))
    rome, utc = ZoneInfo("Europe/Rome"), ZoneInfo("UTC")
    assert not is_overdue(season, season.now, datetime(2026, 12, 10, 23, 58, tzinfo=rome))
    assert is_overdue(season, season.now, datetime(2026, 12, 10, 22, 59, tzinfo=utc))
    later = do(season, "arrange", "p1", pairing="r1-1", side="p1", at="2026-12-05T15:00", place="table  2")
    assert begins(later, later.now, later.now.pairings["r1-1"]).day == 5
    assert later.now.pairings["r1-1"].place == "table 2"


@pytest.mark.parametrize("zone", ["r5", "Europe/Nowhere", "", "../etc", "a\0b"])
def test_o10_1_a_zone_that_there_is_not_is_refused(zone):
    with pytest.raises(BadInput):
        zone_of(zone)
