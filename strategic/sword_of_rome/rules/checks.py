"""3 What a position may not contradict."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator

from strategic.sword_of_rome.commands import AnyCommand
from strategic.sword_of_rome.rules.land import is_among_others, is_stuck
from strategic.sword_of_rome.rules.moving_army import bound, first_crowd, foes
from strategic.sword_of_rome.rules.survey import MAY_WAIT, others
from strategic.sword_of_rome.state import State, Tally
from strategic.sword_of_rome.tables import (
    HOUSE,
    INDEPENDENT,
    LEADERS,
    MOST,
    PLAYED,
    POWERS,
    SEATS,
    SPACES,
    TABLES,
    is_city,
)
from tactical.kernel.corrections import complaints as complaints_of_wishes
from tactical.kernel.protocol import Prompt
from tactical.kernel.questions import faults as question_faults
from tactical.kernel.record import BadInput, Reason, because


def on_map(state: State) -> dict[str, int]:
    """The CUs of each power on the map, the moving army included."""
    found: dict[str, int] = {}
    for here in state.forces.values():
        for power, force in here.items():
            found[power] = found.get(power, 0) + force.total
    if state.move is not None:
        found[state.move.power] = found.get(state.move.power, 0) + state.move.units
    return {power: units for power, units in found.items() if units}


def check(state: State, at: str = "") -> None:
    """3 Refuse a position that contradicts itself; the path leads to the field."""
    HOUSE.check_kept(state.house, f"{at}house")
    for path, reason in complaints(state):
        raise BadInput(f"{at}{path}", reason)


def complaints(state: State) -> Iterator[tuple[str, Reason]]:
    """3 Each contradiction: the path to the field, and what is wrong."""
    yield from wrong_forces(state)
    yield from wrong_leaders(state)
    yield from wrong_politics(state)
    yield from wrong_seats(state)
    yield from wrong_action(state)
    yield from complaints_of_wishes(state, AnyCommand, MAY_WAIT, others)


def wrong_forces(state: State) -> Iterator[tuple[str, Reason]]:
    """2.2, 9.3.1 Spaces and powers that exist, counts that can be, walls that hold."""
    for space, here in state.forces.items():
        if space not in SPACES:
            yield f"forces.{space}", Reason("there is no such space")
            continue
        for power, force in here.items():
            path = f"forces.{space}.{power}"
            if power not in POWERS:
                yield path, Reason("there is no such power")
                continue
            for field in ("units", "inside"):
                if not 0 <= getattr(force, field) <= MOST:
                    yield f"{path}.{field}", because("a number of CUs must be between 0 and %(most)s", most=MOST)
            if (force.inside or force.inside_leaders) and not is_city(space):
                yield f"{path}.inside", because("%(name)s has no walls", name=SPACES[space].name)
            elif (force.inside or force.inside_leaders) and state.controller(space) != power:
                yield (
                    f"{path}.inside",
                    because("%(name)s is not a city of %(power)s", name=SPACES[space].name, power=power),
                )
            if force.inside > TABLES.avoidance.in_city:
                yield (
                    f"{path}.inside",
                    because(
                        "there is room inside the walls for only %(room_left)s %(room_left|CU|CUs)s",
                        room_left=TABLES.avoidance.in_city,
                    ),
                )
    space_of_enemies = first_crowd(state) if all(space in SPACES for space in state.forces) else None
    if space_of_enemies is not None:
        yield (
            f"forces.{space_of_enemies}",
            Reason("powers of different players cannot stand in the open in the same space (15.3)"),
        )
    for power, units in on_map(state).items():
        if units > MOST:
            yield (
                f"tallies.{power}",
                because("at most %(most)s %(most|CU|CUs)s of one power can be on the map", most=MOST),
            )
        tally = state.tallies.get(power, Tally())
        if state.tallies and tally.placed - tally.removed != units:
            counted = tally.placed - tally.removed
            yield (
                f"tallies.{power}",
                because(
                    "%(counted)s %(counted|CU|CUs)s should be on the map, but %(units)s %(units|is|are)s",
                    counted=counted,
                    units=units,
                ),
            )
    for power, tally in state.tallies.items():
        if power not in on_map(state) and tally.placed != tally.removed:
            yield (
                f"tallies.{power}",
                because(
                    "%(placed)s %(placed|CU|CUs)s should be on the map, but %(placed|there is none|there are none)s",
                    placed=tally.placed - tally.removed,
                ),
            )


def wrong_leaders(state: State) -> Iterator[tuple[str, Reason]]:
    """8 Leaders that exist, of their own power, each once."""
    seen: set[str] = set()
    places: list[tuple[str, str | None, str]] = [
        (f"forces.{space}.{power}.leaders", power, name)
        for space, here in state.forces.items()
        for power, force in here.items()
        for name in force.people
    ]
    places += [("displaced", None, name) for name in state.displaced]
    if state.move is not None:
        places += [("move.leader", state.move.power, name) for name in state.move.leaders]
    for path, power, name in places:
        if name not in LEADERS:
            yield path, because("there is no leader called %(leader)s", leader=repr(name))
        elif power is not None and LEADERS[name].power != power:
            yield path, because("%(name)s serves %(power)s", name=name, power=LEADERS[name].power)
        elif name in seen:
            yield path, because("%(name)s is in two places", name=name)
        seen.add(name)


def wrong_politics(state: State) -> Iterator[tuple[str, Reason]]:
    """4, 7, 13, 15 Control, loyalty, sieges, alliances, points."""
    for space, power in state.control.items():
        if space not in SPACES or power not in (*POWERS, INDEPENDENT):
            yield f"control.{space}", because("there is no such space, or no such power (%(power)s)", power=repr(power))
    for space, loyalty in state.loyalty.items():
        if space not in SPACES or not is_city(space) or not 0 <= loyalty <= 9:
            yield f"loyalty.{space}", Reason("a walled city must have a loyalty of 0 to 9")
    for space, level in state.sieges.items():
        if space not in SPACES or SPACES[space].kind not in ("walled", "tribal") or level < 0:
            yield f"sieges.{space}", Reason("only a city or a tribe can be besieged, at level 0 or more")
    for one, other in (*state.alliances, *state.proposals):
        if one not in PLAYED or other not in PLAYED or PLAYED[one] == PLAYED[other]:
            yield (
                "alliances",
                because("%(one)s and %(other)s do not belong to two different players", one=one, other=other),
            )
    for power in (*state.vp, *state.runners):
        if power not in POWERS:
            yield f"vp.{power}", Reason("there is no such power")
    if not 0 <= state.unrest <= 10:
        yield "unrest", Reason("unrest must be 0 to 10")


def wrong_seats(state: State) -> Iterator[tuple[str, Reason]]:
    """5, 6 Seats, hands, who acts."""
    if sorted(state.order) != sorted(SEATS):
        yield "order", because("name each seat once: %(list)s", list=tuple(SEATS))
    if state.active is not None and state.active not in SEATS:
        yield "active", because("there is no seat called %(runner)s", runner=repr(state.active))
    if state.active is None and not state.is_over:
        yield "active", Reason("name the seat that acts")
    if state.active is not None and state.active in state.resigned and not state.is_over:
        yield "active", because("%(active)s %(active|has|have)s left the game", active=state.active)
    for field in ("hands", "discards"):
        for seat, cards in getattr(state, field).items():
            if seat not in SEATS:
                yield f"{field}.{seat}", Reason("there is no such seat")
            elif any(card not in TABLES.cards.values for card in cards):
                yield f"{field}.{seat}", Reason("a card must have a value of 1 to 3")
    if not 1 <= state.round <= TABLES.turn.rounds:
        yield "round", because("a turn must have %(rounds)s %(rounds|round|rounds)s", rounds=TABLES.turn.rounds)
    if state.turn < 1:
        yield "turn", Reason("the first turn is turn 1")
    if not 1 <= state.options.turns <= 99:
        yield "options.turns", Reason("a game must have 1 to 99 turns")


def wrong_action(state: State) -> Iterator[tuple[str, Reason]]:
    """9 The action under way agrees with itself."""
    move = state.move
    if move is not None:
        if move.at not in SPACES or (move.came_from is not None and move.came_from not in SPACES):
            yield "move.at", Reason("there is no such space")
        if not 0 <= move.units <= TABLES.movement.limit:
            yield (
                "move.units",
                because("at most %(limit)s %(limit|CU|CUs)s may move at once", limit=TABLES.movement.limit),
            )
        if move.points < 0 or move.card not in TABLES.cards.values:
            yield "move.points", Reason("points must be 0 or more, and a card's value 1 to 3")
        yield from wrong_meeting(state)
        if move.lent not in (0, *TABLES.cards.values):
            yield "move.lent", Reason("ships must be lent for a card of value 1 to 3, or not at all (0)")
        if move.steps < 0:
            yield "move.steps", Reason("the number of steps must be 0 or more")
    for seat in SEATS:
        if bound(state, seat) - Counter(state.hands.get(seat, ())):
            yield f"hands.{seat}", Reason("the card that pays for an army's departure by sea is not in the hand")
    for field in ("reaction", "crossing", "battle"):
        if getattr(state, field) is not None and move is None and state.fleeing is None:
            yield field, Reason("there is no army on the move")
    if state.engagement is not None and (state.crossing is None or state.crossing.contest is None):
        yield "engagement", Reason("no contested crossing is under way")
    for _path, reason in question_faults("sword_of_rome", state, state.pending, tuple(SEATS)):
        yield "pending", reason
    for prompt in state.pending:
        if not is_asked(state, prompt):
            yield (
                "pending",
                because("in this position there is no decision of the kind %(kind)s to make", kind=repr(prompt.kind)),
            )


def wrong_meeting(state: State) -> Iterator[tuple[str, Reason]]:
    """9.4.1, 15.3 The moving army deals with the enemies where it is, and does not end among friends."""
    crossing = state.crossing
    if foes(state) and not state.pending and not state.is_over:
        yield "move.at", Reason("enemies stand in the open there, but nobody is asked to respond (9.4.1)")
    elif is_stuck(state) or (crossing is not None and crossing.purpose == "move" and is_among_others(state)):
        yield "move.at", Reason("the army would have to end its move among another player's CUs (15.3)")


def is_asked(state: State, prompt: Prompt) -> bool:
    """9 Does the position hold what an open question is about?"""
    reaction, about = state.reaction, prompt.about
    if prompt.kind == "battle":
        return state.move is not None
    if prompt.kind == "retreat":
        return state.fleeing is not None and (state.move is not None or not state.fleeing.attacker)
    if prompt.kind == "foe":
        return len(foes(state)) > 1 and about.get("powers") == list(foes(state))
    if prompt.kind == "order":
        return "powers" in about
    if prompt.kind == "avoid_to" or (prompt.kind == "permit" and about.get("what") == "avoid"):
        leaving = {slip.power for slip in reaction.avoidances if slip.leaves} if reaction is not None else set()
        return about.get("power") in leaving and (prompt.kind == "permit" or bool(about.get("choices")))
    if prompt.kind == "commander":
        return reaction is not None and reaction.intercepted_by is not None and bool(about.get("leaders"))
    if prompt.kind in ("intercepted", "permit"):
        came = state.move is not None and state.move.came_from is not None
        return reaction is not None and reaction.intercepted_by is not None and came
    return True
