#!/usr/bin/env bash
# icalendar 7.3.0: the VTIMEZONE that it writes for Europe/Rome, beside the zone itself.
#
# Guessed: `Calendar.add_missing_timezones()` writes each change of the clocks where RFC 5545 (3.6.5) wants it: in the
#   local time that was in force before it, so that less TZOFFSETFROM it is the moment of the change.
# Seen: changes to summer time are written in the time that is in force after them: an hour late. Changes back are right.
# Means: a reader that keeps to the standard shows the first hour of summer time wrong. Write times in UTC, or bring a
#   VTIMEZONE of another source.
set -eu
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
python3 -m venv "$folder/env"
"$folder/env/bin/pip" install -q --disable-pip-version-check icalendar==7.3.0 tzdata==2026.6 2>/dev/null
cat > "$folder/seen.py" <<'PY'
from datetime import UTC, datetime, timedelta
from zoneinfo import ZoneInfo

import icalendar

zone = ZoneInfo("Europe/Rome")
calendar, event = icalendar.Calendar(), icalendar.Event()
event.add("uid", "1@example.org")
event.add("dtstart", datetime(2027, 6, 20, 20, tzinfo=zone))
calendar.add_component(event)
calendar.add_missing_timezones()
hours = [datetime(2027, 1, 1, tzinfo=UTC) + timedelta(hours=number) for number in range(365 * 24)]
turns = [after for before, after in zip(hours, hours[1:]) if before.astimezone(zone).utcoffset() != after.astimezone(zone).utcoffset()]
written = []
for name in ("DAYLIGHT", "STANDARD"):
    for part in calendar.walk(name):
        listed = part.get("RDATE", [])
        for dates in listed if isinstance(listed, list) else [listed]:
            written += [each.dt - part["TZOFFSETFROM"].td for each in dates.dts if each.dt.year == 2027]
for turn, told in zip(turns, sorted(written)):
    print(f"the clocks change at {turn:%d %B %H:%M} UTC, written {told:%d %B %H:%M} UTC")
PY
"$folder/env/bin/python" "$folder/seen.py" | tee "$folder/out"
diff "$folder/out" - <<'END'
the clocks change at 28 March 01:00 UTC, written 28 March 02:00 UTC
the clocks change at 31 October 01:00 UTC, written 31 October 01:00 UTC
END
