"""O2.2 The models of those who play: registered, also from a spreadsheet; a battle asks for no more of them."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping

from msgspec.structs import replace

from strategic.naval.deployment import Wounds
from strategic.naval.engagement import Engagement, Fleet, NavalOutcome, SideOutcome
from strategic.open_campaign import commands as c
from strategic.open_campaign.rules.changes import Handled
from strategic.open_campaign.rules.orders import why_not_side
from strategic.open_campaign.state import State
from strategic.open_campaign.tables import TABLES
from tactical.kernel.dice import Dice
from tactical.kernel.protocol import Illegal, Offer, event

MOST_OWNERS, MOST_MODELS, LONGEST = 20, 200, 60
DAMAGE_LEFT = 1  # a point of hull that a ship of a squadron keeps


def why_not_register(state: State, command: c.Register) -> Illegal | None:
    """O2.2 An owner with a name, known types, and no more models than fit on a table."""
    wrong = why_not_side(state, command.side)
    if wrong is not None:
        return wrong
    owners = state.models.get(command.side, {})
    named = 0 < len(command.owner.strip()) <= LONGEST
    known = all(kind in TABLES.type and 0 <= number <= MOST_MODELS for kind, number in command.models.items())
    if not named or not known or (command.owner not in owners and len(owners) >= MOST_OWNERS):
        return Illegal(
            "O2.2",
            "Give an owner's name, and for each type of ship 0 to %(most)s %(most|model|models)s.",
            most=MOST_MODELS,
        )
    return None


def register(state: State, command: c.Register, dice: Dice) -> Handled:
    """O2.2 What an owner brings, in place of what was registered; without models the owner is taken off."""
    counted = {kind: number for kind, number in sorted(command.models.items()) if number}
    owners = {name: own for name, own in state.models.get(command.side, {}).items() if name != command.owner}
    owners |= {command.owner: counted} if counted else {}
    models = {**state.models, command.side: dict(sorted(owners.items()))}
    told = event("O2.2", "registered", side=command.side, owner=command.owner, number=sum(counted.values()))
    return replace(state, models={side: models[side] for side in sorted(models) if models[side]}), (told,)


def offer_models(state: State, seat: str) -> Iterator[Offer]:
    """O2.2 Owners that were registered may be taken off."""
    if not state.sides[seat].resigned:
        for owner in state.models.get(seat, {}):
            yield Offer("register", "O2.2", {"side": seat, "owner": owner, "models": {}})


def table_has(state: State) -> Counter[str]:
    """O2.2 All models of the table, whoever brings them."""
    return sum((Counter(own) for owners in state.models.values() for own in owners.values()), Counter())


def ships_a_model(state: State, engagement: Engagement) -> int:
    """O2.2, L2.1 For how many ships a model stands, the same for both sides: the fewest for which there are models."""
    has, most = table_has(state), state.options.models
    for ships in range(1, MOST_MODELS + 1):
        lists = [Counter(unit.type for unit in fleet.units) for fleet in engagement.fleets.values()]
        wanted = [Counter({kind: -(-number // ships) for kind, number in each.items()}) for each in lists]
        fits = not most or all(each.total() <= most for each in wanted)
        both = wanted[0] + wanted[1]
        if fits and (not has or all(has.get(kind, 0) >= number for kind, number in both.items())):
            return ships
        if fits and has and all(number <= 1 for each in wanted for number in each.values()):
            return ships  # a type of which the table has none: others stand in for it
    return MOST_MODELS


def in_squadrons(state: State, engagement: Engagement) -> tuple[Engagement, dict[str, tuple[str, ...]]]:
    """O2.2, L2.1 The engagement as the table fields it, and the ships of each squadron by the one that leads it."""
    ships = ships_a_model(state, engagement)
    if ships == 1:
        return engagement, {}
    squadrons: dict[str, tuple[str, ...]] = {}
    fleets = {}
    for side, fleet in engagement.fleets.items():
        leaders = []
        kinds = [(unit.type, engagement.late.get(unit.id)) for unit in fleet.units]
        for kind in dict.fromkeys(kinds):
            own = [unit for unit, of in zip(fleet.units, kinds, strict=True) if of == kind]
            for place in range(0, len(own), ships):
                leaders.append(own[place])
                squadrons[own[place].id] = tuple(unit.id for unit in own[place : place + ships])
        fleets[side] = replace(fleet, units=tuple(unit for unit in fleet.units if unit in leaders))
    return replace(engagement, fleets=fleets), squadrons


def whole(engagement: Engagement, full: Mapping[str, Fleet]) -> Engagement:
    """O2.2 The engagement with all ships that were sent."""
    return replace(engagement, fleets=dict(full)) if full else engagement


def of_all_ships(outcome: NavalOutcome, squadrons: Mapping[str, tuple[str, ...]], state: State) -> NavalOutcome:
    """O2.2, L3.2 What befell a model befell all ships for which it stands; damage as far as each can bear it."""
    if not squadrons:
        return outcome
    return replace(outcome, sides={side: expand(told, squadrons, state) for side, told in outcome.sides.items()})


def expand(told: SideOutcome, squadrons: Mapping[str, tuple[str, ...]], state: State) -> SideOutcome:
    """O2.2 One side's losses, ship by ship."""
    sunk = tuple(ship for name in told.sunk_ships for ship in squadrons.get(name, (name,)))
    captured = tuple(ship for name in told.captured_ships for ship in squadrons.get(name, (name,)))
    damage = {
        ship: min(int(TABLES.hull[state.ships[ship].type]) - DAMAGE_LEFT, state.ships[ship].damage + more)
        for name, now in told.damage.items()
        for more in (max(0, now - state.ships[name].damage),)
        for ship in squadrons.get(name, (name,))
    }
    wounds: dict[str, Wounds] | None = None
    if told.wounds:
        wounds = {ship: each for name, each in told.wounds.items() for ship in squadrons.get(name, (name,))}
    return replace(
        told,
        sunk=len(sunk) or told.sunk,
        captured=len(captured) or told.captured,
        sunk_ships=sunk,
        captured_ships=captured,
        damage=damage,
        left=sum(len(each) for each in squadrons.values()) and told.left,
        **({} if wounds is None else {"wounds": wounds}),
    )
