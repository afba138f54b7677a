"""How a form's fields become a command: kinds by the name's ending, objects by a dot."""

import pytest
from werkzeug.datastructures import MultiDict

from tactical.kernel.record import BadInput
from webapp.http.forms import read_command


def test_a_dot_leads_into_an_object_and_empty_fields_are_left_out():
    sent = MultiDict(
        [("type", "adjust"), ("changes.damage:int", "3"), ("changes.heavy:int", ""), ("changes.corvus:bool", "false")]
    )
    assert read_command(sent) == {"type": "adjust", "changes": {"damage": 3, "corvus": False}}


@pytest.mark.parametrize(("printed", "axial"), [("0101", [0, 0]), ("0403", [3, 1]), ("1210", [11, 4])])
def test_a_printed_hex_number_becomes_the_engines_hex(printed, axial):
    assert read_command(MultiDict({"changes.at:hex": printed})) == {"changes": {"at": axial}}


@pytest.mark.parametrize("typed", ["403", "4 3", "A101", "04033"])
def test_what_is_no_hex_number_is_refused_by_its_field(typed):
    with pytest.raises(BadInput, match="hex number"):
        read_command(MultiDict({"changes.at:hex": typed}))


def test_a_dot_behind_a_value_that_is_no_object_is_refused():
    with pytest.raises(BadInput, match="expected an object"):
        read_command(MultiDict([("changes", "all"), ("changes.damage:int", "3")]))
