"""Starting a game from a scenario or a position; options."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from msgspec.structs import replace

from strategic.punic_wars.rules import phases
from strategic.punic_wars.rules.charts import HOUSE
from strategic.punic_wars.rules.pieces import SIDES, Options
from strategic.punic_wars.rules.position import check, complete, pool, read_position
from strategic.punic_wars.sequence import SEQUENCE
from strategic.punic_wars.state import Campaign
from strategic.punic_wars.tables import SCENARIOS
from tactical.kernel.dice import Dice
from tactical.kernel.engine import advance, begin
from tactical.kernel.options import choose_options, describe, infos
from tactical.kernel.protocol import Outcome, ScenarioInfo, event
from tactical.kernel.record import BadInput

OPTIONS = infos("punic_wars/options.toml")
ANEW = (  # what a start draws, deals or asks by itself where a position leaves it out
    "active",
    "must_attack",
    "attacked",
    "step",
    "battle",
    "battles",
    "tolls",
    "owed",
    "pending",
    "agreed",
    "result",
    "ledger",
    "accounts",
    "engagement",
    "settled",
)


def scenarios() -> tuple[ScenarioInfo, ...]:
    """19.0 The three wars."""
    return tuple(describe(war, ("Punic Wars (SPI), section 19",), SIDES) for war in SCENARIOS.values())


def start(
    scenario: str | None, position: Mapping[str, Any] | None, options: Mapping[str, Any], dice: Dice
) -> Outcome[Campaign]:
    """19.0 A new game: the set-up list of a scenario, or a position halfway through."""
    wanted, house = choose_options(options, Options, HOUSE)
    if wanted.turn_limit < 0:
        raise BadInput("options.turn_limit", "give a number of turns, or 0 for no limit")
    if position is not None:
        state = read_position({**position, **({"scenario": scenario} if scenario else {})})
        if options:
            state = replace(state, options=wanted, house=house or state.house)
        return begin(SEQUENCE, state, dice)  # dice of the table fall for a command, not for a position: `done` goes on
    if scenario is None or scenario not in SCENARIOS:
        raise BadInput("scenario", "this must be one of %(known)s", known=tuple(SCENARIOS))
    war = SCENARIOS[scenario]
    state = Campaign(
        scenario,
        options=wanted,
        house=house,
        leaders=pool(scenario),
        groups=phases.groups_of(war),
        shipbuilding=not war.special.inexperienced_at_sea,
    )
    state = complete(state)
    state = phases.fixed_set_up(state)
    for group in state.groups:
        if not phases.hexes_for(state, group, group.naval > 0):
            raise BadInput(
                "options.house.map",
                "in %(where)s there is no hex left for the set-up of %(cite)s",
                where=group.where,
                cite=group.cite,
            )
    check(state)
    state, events = advance(SEQUENCE, state, dice)
    return Outcome(state, (event(war.cite, "scenario", scenario=scenario), *events))
