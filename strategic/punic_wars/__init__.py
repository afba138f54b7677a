"""SPI Punic Wars: three wars between Rome and Carthage on a hex map of the western Mediterranean."""

from __future__ import annotations

from strategic.naval.engagement import put_on_table
from strategic.punic_wars.commands import AnyCommand
from strategic.punic_wars.rules import geography
from strategic.punic_wars.rules.charts import HOUSE
from strategic.punic_wars.rules.position import check, invariants
from strategic.punic_wars.rules.preview import CALCULATORS
from strategic.punic_wars.sequence import SEQUENCE
from strategic.punic_wars.setup import ANEW, OPTIONS, scenarios, start
from strategic.punic_wars.state import Campaign
from strategic.punic_wars.view import HIDDEN, view
from tactical.kernel import engine
from tactical.kernel.protocol import declare

PUNIC_WARS = engine.system(
    SEQUENCE,
    name="punic_wars",
    title="Punic Wars",
    version="3",
    state=Campaign,
    command=AnyCommand,
    options=OPTIONS,
    scenarios=scenarios,
    start=start,
    view=view,
    invariants=invariants,
    hidden=HIDDEN,
    events=declare("kernel", "naval", "punic_wars"),
    check=check,
    house=HOUSE,
    anew=ANEW,
    internal=("battle", "groups", "ledger", "pending", "step"),
    calculators=CALCULATORS,
    routes=geography.routes,
    effects=put_on_table,
)
