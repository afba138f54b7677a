"""L3.1 The form of an outcome that was fought on a table elsewhere."""

from msgspec.structs import replace

from kit.linked_battle import engagement, fleet
from strategic.naval.engagement import Transport
from webapp.pages.campaign.engagement import blank, read_report


def test_l3_1_the_form_asks_what_became_of_each_transport_that_has_a_name(app):
    tubs = (Transport("rome-t1", name="Tub"), Transport("rome-t2", name="Keel"))
    fleets = {"rome": replace(fleet("rome", 2), transports=tubs), "carthage": fleet("carthage", 2, 1)}
    met = engagement(fleets=fleets)
    form = {"rome.rome-t1.fate": "captured", "rome.rome-t2.fate": "sunk", "carthage.transports": "1", "turns": "3"}
    with app.test_request_context():
        typed = read_report(met, form)
        rome, carthage = (typed.outcome.of(side) for side in ("rome", "carthage"))
        assert (rome.transports, rome.sunk_transports, rome.captured_transports) == (2, ("rome-t2",), ("rome-t1",))
        assert (carthage.transports, carthage.sunk_transports) == (1, ())
        again = {side.id: side for side in blank(met, typed.outcome).sides}
        rows = [(row.name, row.fate) for row in again["rome"].ships if row.is_transport]
        assert rows == [("Tub", "captured"), ("Keel", "sunk")] and again["rome"].transports_sent == 0
        wrong = read_report(met, {**form, "rome.rome-t1.fate": "hurt"})
        assert wrong.outcome is None and "rome.rome-t1.fate" in wrong.faults
