"""Dates of a season as ical.js reads them, the reader of many calendar programs, beside icalendar: the same moments.

It comes from npm, pinned by its hash, and is not kept; without npm this test is left out.
"""

from __future__ import annotations

import io
import shutil
import subprocess
import tarfile
from base64 import b64encode
from datetime import UTC, datetime
from hashlib import sha512
from pathlib import Path
from typing import Any

import icalendar
import pytest

pytestmark = [pytest.mark.browser, pytest.mark.soak]
PACKAGE = "ical.js@2.2.1"
SHA512 = "yK/UlPbEs316igb/tjRgbFA8ZV75rCsBJp/hWOatpyaPNlgw0dGDmU+FoicOcwX4xXkeXOkYiOmCqNPFpNPkQg=="
READ = """async ([script, text]) => {
  const { default: ical } = await import(`data:text/javascript;base64,${script}`);
  const events = new ical.Component(ical.parse(text)).getAllSubcomponents("vevent").map((each) => new ical.Event(each));
  const moment = (time) => time.toJSDate().toISOString();
  return events.map((each) => [each.uid, moment(each.startDate), moment(each.endDate), each.summary, each.sequence]);
}"""
DAYS = ("2027-03-27", "2027-03-28", "2027-10-30", "2027-10-31")


@pytest.fixture(scope="module")
def ical_js(tmp_path_factory: pytest.TempPathFactory) -> str:
    """The script, in base64."""
    if shutil.which("npm") is None:
        pytest.skip("npm is missing: calendars are not read by ical.js")
    folder = tmp_path_factory.mktemp("npm")
    command = ["npm", "pack", "--silent", "--pack-destination", str(folder), PACKAGE]
    subprocess.run(command, check=True, capture_output=True, cwd=folder, timeout=120)
    (packed,) = (path.read_bytes() for path in Path(folder).glob("*.tgz"))
    assert b64encode(sha512(packed).digest()).decode() == SHA512
    with tarfile.open(fileobj=io.BytesIO(packed)) as package:
        script = package.extractfile("package/dist/ical.js")
        assert script is not None
        return b64encode(script.read()).decode()


def calendar(room: Any, zone: str, day: str) -> str:
    """The feed of a season with a round, a battle in the night in which the clocks may change, and a last hour."""
    client = room.app.test_client()
    made = client.post("/api/v1/seasons", json={"title": "Galleys, 2027; spring", "zone": zone}).json
    head = {"Authorization": f"Bearer {made['token']}"}
    base = f"/api/v1/seasons/{made['id']}"
    for name in ("Ёж", "Núñez, Elsa"):
        client.post(f"{base}/players", json={"name": name}, headers=head)
    dates = {"starts": f"{day}T20:00", "due": f"{day[:8]}31T23:30"}
    assert client.post(f"{base}/rounds", json=dates, headers=head).status_code == 201
    client.put(f"{base}/rounds", json={"published": True}, headers=head)
    arranged = {"at": f"{day}T03:30", "place": "Table 2, left; by the window"}
    assert client.put(f"{base}/pairings/r1-1", json=arranged, headers=head).status_code == 200
    return str(client.get(f"/season/{made['id']}/rounds.ics").text)


@pytest.mark.parametrize("zone", ["Europe/Rome", "America/New_York", "Australia/Lord_Howe", "UTC"])
def test_two_readers_see_the_same_moments_on_both_sides_of_a_change_of_clocks(browser, room, ical_js, zone):
    context = browser.new_context(timezone_id="Asia/Kolkata")
    page = context.new_page()
    for day in DAYS:
        text = calendar(room, zone, day)
        found = sorted(
            (uid, datetime.fromisoformat(start), datetime.fromisoformat(end), said, sequence)
            for uid, start, end, said, sequence in page.evaluate(READ, [ical_js, text])
        )
        events = icalendar.Calendar.from_ical(text).walk("VEVENT")
        wanted = [
            (str(e["UID"]), e.start.astimezone(UTC), e.end.astimezone(UTC), str(e["SUMMARY"]), int(e["SEQUENCE"]))
            for e in events
        ]
        assert found == sorted(wanted) and len(found) == 3
    context.close()
