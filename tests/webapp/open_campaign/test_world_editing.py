"""O1.2, O1.3: the world drawn by taps, upon the sea or a picture of one's own."""

import io
import re
import struct
import zlib
from itertools import product

import pytest

from kit.open_war import go, play
from strategic.open_campaign.rules.sight import eyes_of
from strategic.open_campaign.rules.world import chart
from tactical.kernel.record import BadInput
from webapp.pages.open_campaign import worlds
from webapp.pages.open_campaign.worlds import drawings, remarks


def png(width=60, height=40):
    """A picture of one colour."""

    def part(kind, data):
        return struct.pack(">I", len(data)) + kind + data + struct.pack(">I", zlib.crc32(kind + data))

    head = struct.pack(">IIBBBBB", width, height, 8, 2, 0, 0, 0)
    lines = zlib.compress((b"\0" + b"\xd0\xc0\x90" * width) * height)
    return io.BytesIO(b"\x89PNG\r\n\x1a\n" + part(b"IHDR", head) + part(b"IDAT", lines) + part(b"IEND", b""))


def page(war, query="", seat="umpire"):
    return war.client.get(f"/open/{war.id}/world/edit?seat={seat}{query}")


def act(war, what, **form):
    form = {"csrf_token": war.csrf(), "seen": str(war.version), "act": what, **form}
    return war.client.post(f"/open/{war.id}/world/edit?seat=umpire", data=form, content_type="multipart/form-data")


def world(war):
    return chart(war.state.world)


def test_o1_3_the_world_is_the_umpires_alone_to_draw(war):
    assert page(war).status_code == 200
    assert [page(war, seat=seat).status_code for seat in ("rhodes", "spectator")] == [404, 404]


def test_o1_3_a_place_is_added_named_moved_and_removed_by_taps(war):
    assert act(war, "add", at="26.1,36.0", name="Новый <b>порт</b>", kind="port", rank="80").status_code == 303
    (new,) = [each for each in world(war).spaces.values() if each.kind == "port" and "порт" in each.name]
    assert len(world(war).ways[new.id]) == 1, "a lane joins it to the nearest place"
    assert "Новый &lt;b&gt;порт&lt;/b&gt;" in page(war, f"&space={new.id}").text
    act(war, "change", space=new.id, name="Nea Polis", kind="beach", rank="70")
    before = world(war).ways[new.id][0].miles
    act(war, "move", space=new.id, at="26.1,35.0")
    moved = world(war).spaces[new.id]
    assert (moved.name, moved.kind, moved.lonlat) == ("Nea Polis", "beach", (26.1, 35.0))
    assert world(war).ways[new.id][0].miles != before and world(war).ways[new.id][0].line[0] == (26.1, 35.0)
    act(war, "remove", space=new.id)
    assert new.id not in world(war).spaces
    assert act(war, "remove", space="rhodos").status_code == 422, "a side holds it, and fleets lie there"


def test_o1_3_a_lane_is_laid_and_removed_and_what_is_odd_is_said(war):
    act(war, "join", space="telos", to="kydonia", kind="sea_lane")
    assert world(war).between("telos", "kydonia").kind == "sea_lane"
    act(war, "part", space="telos", to="kydonia")
    assert all(lane.other("telos") != "kydonia" for lane in world(war).ways["telos"])
    act(war, "add", at="24.9,35.2", name="Inland", kind="port", rank="70")
    for lane in world(war).ways["inland"]:
        act(war, "part", space="inland", to=lane.other("inland"))
    assert "No lane leads from the other places to: Inland." in page(war).text
    act(war, "join", space="inland", to="kydonia", kind="lane")
    act(war, "add", at="24.9,35.2", name="Inland again", kind="port", rank="70")
    text = page(war).text
    assert "Two names lie at the same spot: Inland / Inland again." in text and "These lanes cross land:" in text


def test_o1_3_a_tap_means_the_place_near_it_and_else_the_sea(war):
    with war.client.application.test_request_context("/"):
        spots = drawings(war.store.load(war.id).view("umpire"))["wide"].spots
    telos = next(each for each in spots if each.id == "telos")
    free = next(
        (x, y)
        for x, y in product(range(20, 700, 20), range(20, 600, 20))
        if all((x - each.x) ** 2 + (y - each.y) ** 2 > 40**2 for each in spots)
    )

    def tapped(x, y, query=""):
        return page(war, f"{query}&chart=wide&tap.x={round(x) + 320}&tap.y={round(y) + 320}").text

    assert 'value="Telos"' in tapped(telos.x, telos.y) and "A new place" in tapped(*free)
    assert "Move it here" in tapped(*free, "&space=kydonia&mode=move")
    assert "Lay the lane" in tapped(telos.x, telos.y, "&space=kydonia&mode=join")


def test_o1_3_once_orders_are_given_a_change_has_its_reason(war):
    play(war, go("rhodes", "guard", "telos"))
    form = {"space": "hierapytna", "name": "New Town", "kind": "port", "rank": "80"}
    assert act(war, "change", **form).status_code == 422
    assert act(war, "change", why="The harbour has a new name.", **form).status_code == 303


def test_o1_3_the_world_lies_on_a_picture_so_many_miles_wide(war):
    assert act(war, "picture", miles="300").status_code == 422, "no picture was chosen"
    act(war, "picture", miles="300", photo=(png(), "map.png"))
    orders = war.client.get(f"/open/{war.id}/orders?seat=rhodes").text
    address = re.search(r'<image class="picture" href="([^"]+)"', orders)[1].replace("&amp;", "&")
    assert war.client.get(address).mimetype == "image/png" and 'class="world on-picture"' in orders
    act(war, "picture", miles="600", at="25.0,35.5")
    assert war.state.world["picture"] == {"at": [25.0, 35.5], "miles": 600, "number": 2}
    assert act(war, "picture", miles="300", seen="0", photo=(png(90), "other.png")).status_code == 409
    assert act(war, "picture", miles="300", photo=(io.BytesIO(b"no picture"), "map.png")).status_code == 422
    assert war.client.get(address).data[:24] == png().read()[:24], "a change that is refused leaves the picture"
    assert war.state.world["picture"]["number"] == 2
    act(war, "no_picture")
    assert 'class="picture"' not in war.client.get(f"/open/{war.id}/orders?seat=rhodes").text
    assert act(war, "dance").status_code == 422


@pytest.mark.parametrize("ports", [2, 3, 8])
def test_o1_2_an_empty_sea_has_a_port_for_each_side_and_nothing_odd(ports, client):
    world = chart(worlds.empty_sea(ports))
    assert len(world.spaces) == ports and len(world.lanes) == (1 if ports == 2 else ports)
    assert remarks(world, False) == []


def test_o1_3_what_no_world_can_have_is_refused():
    sea = worlds.empty_sea(2)
    for fault in (
        lambda: worlds.add(sea, (-40.0, 36.0), " ", "port", 90),
        lambda: worlds.add(sea, (-40.0, 36.0), "X", "volcano", 90),
        lambda: worlds.join(sea, "port_1", "port_1", "lane"),
        lambda: worlds.move(sea, "nowhere", (-40.0, 36.0)),
    ):
        with pytest.raises(BadInput):
            fault()


def test_o1_1_o5_1_a_cape_is_given_to_a_side_which_sees_from_there_who_passes(war):
    cape = next(id for id, space in world(war).spaces.items() if space.kind == "cape")
    form = {"space": cape, "name": "The cape", "kind": "cape", "rank": "60"}
    assert act(war, "change", **form, holder="cretans").status_code == 303
    assert war.state.ports[cape] == "cretans" and cape in {eye.called for eye in eyes_of(war.state)}
    assert re.search(r'<option value="cretans" selected>', page(war, f"&space={cape}").text)
    assert act(war, "change", **form).status_code == 303 and war.state.ports[cape] == "cretans"
    assert act(war, "change", **form, holder="rome").status_code == 422
    assert act(war, "change", **form, holder="").status_code == 303 and cape not in war.state.ports
