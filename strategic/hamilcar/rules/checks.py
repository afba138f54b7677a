"""What a position may not contradict, in mid-rule too, and what always holds."""

from __future__ import annotations

from msgspec.structs import replace

from strategic.hamilcar.rules.cards import deck_of
from strategic.hamilcar.state import General, State
from strategic.hamilcar.tables import ALL_CELLS, BATTLE_DECK, CARDS, CHART, HOUSE, LEADERS, TABLES, ground
from strategic.point_to_point.sequence import land_faults
from strategic.point_to_point.state import SIDES, Place
from tactical.kernel.protocol import Prompt
from tactical.kernel.questions import faults as question_faults
from tactical.kernel.questions import questions
from tactical.kernel.record import BadInput

# -- H.turn What a position in mid-rule must hold together: every question with what it asks about.

OLD_NAMES = {old: kind for kind, row in questions("hamilcar").items() for old in row.old}
OLD_AT_SEA = {("meet", "L1.1"): "fleets_meet", ("pursuit", "11.7.pursuit"): "sea_pursuit"}  # by their paragraphs


def name_of(prompt: Prompt) -> str:
    """H.turn What a question is called today."""
    return OLD_AT_SEA.get((prompt.kind, prompt.rule)) or OLD_NAMES.get(prompt.kind, prompt.kind)


def rename_prompt(state: State) -> State:
    """H.turn A position of an earlier program: its current question by today's name."""
    prompt = state.asks()
    if prompt is None or name_of(prompt) == prompt.kind:
        return state
    came = tuple(prompt.about.get("interceptors", ()))
    if came and state.march is not None:
        state = replace(state, march=replace(state.march, intercepted=came))
    return replace(state, agenda=(*state.agenda[:-1], replace(prompt, kind=name_of(prompt))))


def check_pending(state: State, at: str) -> None:
    """H.turn What is asked, and what is under way for it, hang together: every question is one that the game knows, put
    to a side, with all that it is about.
    """
    check_under_way(state, at)
    agenda = tuple(replace(prompt, kind=name_of(prompt)) for prompt in state.agenda)
    for path, reason in question_faults("hamilcar", state, agenda, SIDES, "agenda.{}"):
        raise BadInput(f"{at}{path}", reason)


def check_under_way(state: State, at: str) -> None:
    """H.turn A move, a voyage and a battle are of generals, spaces and ships that there are."""
    if state.phase == "strategy" and state.active is None and not state.agenda:
        raise BadInput(f"{at}active", "in the strategy phase it must be a side's turn")
    if state.march is not None:
        if state.march.general not in LEADERS:
            raise BadInput(
                f"{at}march.general", "there is no general called %(general)s", general=repr(state.march.general)
            )
        if not state.march.path:
            raise BadInput(f"{at}march.path", "a move must begin in a space")
        for space in state.march.path:
            if space not in CHART.spaces:
                raise BadInput(f"{at}march.path", "there is no space called %(space)s", space=repr(space))
    if state.voyage is not None:
        for name in ("start", "to"):
            if getattr(state.voyage, name) not in CHART.spaces:
                raise BadInput(f"{at}voyage.{name}", "there is no such space")
        if state.march is None:
            raise BadInput(f"{at}march", "a voyage must be part of a move")
    if state.battle is not None and (state.march is None or state.play is None):
        raise BadInput(f"{at}march", "a battle must be part of a move")
    if state.battle is not None and state.battle.space not in CHART.spaces:
        raise BadInput(f"{at}battle.space", "there is no space called %(space)s", space=repr(state.battle.space))
    if state.engagement is not None and set(state.engagement.fleets) != set(SIDES):
        raise BadInput(f"{at}engagement.fleets", "both sides must have a fleet in an engagement")


# -- 2.2.7, 4 What a position may not contradict.


def check(state: State, at: str = "") -> None:
    """2.2.7, 4 Refuse a position that contradicts itself; the path leads to the field."""
    HOUSE.check_kept(state.house, f"{at}house")
    if not 1 <= state.turn <= TABLES.turns.last:
        raise BadInput(f"{at}turn", "turns must be 1 to %(last)s", last=TABLES.turns.last)
    if not 0 <= state.seamanship < len(TABLES.sea.levels):
        raise BadInput(
            f"{at}seamanship",
            "seamanship must be 0 (poor) to %(levels)s (excellent)",
            levels=len(TABLES.sea.levels) - 1,
        )
    if state.lost_ships < 0:
        raise BadInput(f"{at}lost_ships", "this must be a whole number, 0 or more")
    for space in CHART.spaces:
        if space not in state.spaces:
            raise BadInput(f"{at}spaces.{space}", "this space is missing")
    for space, place in state.spaces.items():
        check_place(space, place, f"{at}spaces.{space}", is_met(state, space), is_rolled(state, space))
    for name, general in state.generals.items():
        check_general(name, general, f"{at}generals.{name}")
    for name in LEADERS:
        if name not in state.generals:
            raise BadInput(f"{at}generals.{name}", "this general is missing")
    check_ships(state, at)
    check_council(state, at)
    check_cards(state, at)
    check_pending(state, at)


def is_met(state: State, space: str) -> bool:
    """movement.general.3 Are both sides outside the walls? Only where an army arrives or a battle is fought.

    A war that ended meanwhile ended so.
    """
    marching = state.march is not None and bool(state.march.path) and state.march.at == space
    fighting = state.battle is not None and state.battle.space == space
    return state.result is not None or marching or fighting


def is_rolled(state: State, space: str) -> bool:
    """20.2.8 Has a siege just been rolled there, and the city may still hold out?"""
    return any(
        prompt.kind in ("hold_out", "siege_result") and prompt.about.get("space") == space for prompt in state.agenda
    )


def check_place(space: str, place: Place, at: str, met: bool = False, rolled: bool = False) -> None:
    """cities.2, 8.2.1.limit A space that the map has, with counts from 0 and walls that hold what is inside.

    `met`: both sides may be outside the walls just now. `rolled`: a city may have more siege points just now.
    """
    if space not in CHART.spaces:
        raise BadInput(at, "there is no such space")
    here = ground(space)
    for name, troops in (("rome", place.rome), ("carthage", place.carthage), ("inside", place.inside)):
        for field in ("units", "elephants", "trains"):
            if not 0 <= getattr(troops, field) <= 99:
                raise BadInput(f"{at}.{name}.{field}", "this must be a whole number from 0 to 99")
    if place.rome.elephants or (place.inside.elephants and place.control == "rome"):
        raise BadInput(f"{at}.rome.elephants", "Rome has no elephants")
    if place.rome.size and place.carthage.size and not met:
        raise BadInput(f"{at}.carthage", "CUs of both sides stand outside the walls of the same space")
    if not place.inside.is_nothing and (not here.city or place.control is None):
        raise BadInput(f"{at}.inside", "troops can be inside only in a walled city that a side holds")
    if place.inside.size > here.inside or place.inside.trains > here.inside:
        raise BadInput(
            f"{at}.inside",
            "there is room inside for only %(inside)s %(inside|CU|CUs)s and %(trains)s supply %(trains|train|trains)s",
            inside=here.inside,
            trains=here.inside,
        )
    if place.tribe and not here.tribe:
        raise BadInput(f"{at}.tribe", "no tribe lives here")
    if here.city and place.control is None:
        raise BadInput(f"{at}.control", "a walled city must have an owner")
    if place.siege < 0 or (place.siege >= TABLES.siege.takes and not rolled):
        raise BadInput(f"{at}.siege", "siege points must be 0 to %(most)s", most=TABLES.siege.takes - 1)
    if place.siege and (place.besieger is None or not place.outside(place.besieger).size):
        raise BadInput(f"{at}.besieger", "siege points need enemy CUs outside the walls")


def check_general(name: str, general: General, at: str) -> None:
    """4 A known general, in a space exactly when he is on the board."""
    if name not in LEADERS:
        raise BadInput(at, "there is no such general")
    if (general.status == "board") != (general.space is not None):
        raise BadInput(f"{at}.space", "a general must have a space when he is on the board, and none otherwise")
    if general.space is not None and general.space not in CHART.spaces:
        raise BadInput(f"{at}.space", "there is no space called %(space)s", space=repr(general.space))
    if general.inside and (general.space is None or not ground(general.space).city):
        raise BadInput(f"{at}.inside", "a general can be inside only in a walled city")


def check_ships(state: State, at: str) -> None:
    """2.2.7 At most ten a side, each name once; at sea only what is sailing."""
    names: set[str] = set()
    for side in SIDES:
        ships = state.ships[side]
        if len(ships) > TABLES.sea.ships:
            raise BadInput(
                f"{at}ships.{side}",
                "%(count)s ships are more than the limit of %(most)s",
                count=len(ships),
                most=TABLES.sea.ships,
            )
        for number, ship in enumerate(ships):
            path = f"{at}ships.{side}.{number}"
            if not ship.name.strip() or ship.name in names:
                raise BadInput(
                    f"{path}.name",
                    "every ship must have a name of its own; this one is used twice or empty: %(name)s",
                    name=repr(ship.name),
                )
            names.add(ship.name)
            if ship.damage < 0:
                raise BadInput(f"{path}.damage", "hull damage must be a whole number, 0 or more")
            if ship.at_sea and state.voyage is None:
                raise BadInput(f"{path}.at_sea", "nobody is sailing, so every ship must be in port")


def check_council(state: State, at: str) -> None:
    """H.council Nine cells, one PC each."""
    if len(set(state.council)) != len(state.council) or not set(state.council) <= set(ALL_CELLS):
        raise BadInput(f"{at}council", "the Council has nine cells, (1, 1) to (3, 3), and each holds at most one PC")


def check_cards(state: State, at: str) -> None:
    """8.2 No card is in two places."""
    everywhere = [*state.deck, *state.discard, *state.removed, *state.hands["rome"], *state.hands["carthage"]]
    known = [number for number in everywhere if number and number not in state.declared]
    if state.options.cards == "deck" and len(set(known)) != len(known):
        raise BadInput(f"{at}hands", "a strategy card is in two places")
    for number in known:
        if state.options.cards == "deck" and number not in CARDS:
            raise BadInput(f"{at}hands", "there is no card %(card)s", card=number)


# -- What must hold in every position of Hamilcar.


def invariants(state: State) -> tuple[str, ...]:
    """2.2.7, 4 Complaints about a position: contradictions, cards missing, ships astray, troops at sea unaccounted."""
    found: list[str] = []
    if state.phase != "over":
        try:
            check(state)
        except BadInput as wrong:
            found.append(str(wrong))
        found += land_faults(state)
        found += _left_open(state)
    found += _cards(state)
    found += _sea(state)
    return tuple(found)


def _left_open(state: State) -> list[str]:
    """L1.1 A voyage is a march's, a meeting at sea a voyage's, a naval battle a meeting's: none is left behind."""
    found = []
    if state.voyage is not None and state.march is None:
        found.append("a voyage is left open without a march")
    if state.engagement is not None and state.voyage is None:
        found.append("fleets have met, and nobody sails")
    if state.naval is not None and state.engagement is None:
        found.append("a naval battle is left open without a meeting")
    return found


def _cards(state: State) -> list[str]:
    found = []
    if state.options.cards == "deck" and state.phase != "over":
        everywhere = sorted(
            (*state.deck, *state.discard, *state.removed, *state.hands["rome"], *state.hands["carthage"])
        )
        if everywhere != sorted(deck_of(state)):
            found.append("the strategy cards are not complete")
    if state.naval is not None:
        held = [card for fleet in state.naval.fleets.values() for card in fleet.hand]
        if sorted((*state.naval.deck, *state.naval.discard, *held)) != sorted(state.tactics_deck):
            found.append("the tactics cards are not complete")
    if state.battle is not None:
        for card in set(BATTLE_DECK):
            held_ = sum(hand.count(card) for hand in state.battle.hands.values())
            if state.battle.deck.count(card) + held_ > BATTLE_DECK.count(card):
                found.append(f"there are too many {card} in the battle")
    return found


def _sea(state: State) -> list[str]:
    found = []
    sailing = set()
    if state.voyage is not None:
        sailing = {*state.voyage.ships, *state.voyage.catching}
    for side in SIDES:
        for ship in state.ships[side]:
            if ship.at_sea and ship.name not in sailing:
                found.append(f"{ship.name} is at sea with nobody")
            if ship.at_sea and not ship.ready:
                found.append(f"{ship.name} is at sea unready")
    if state.voyage is not None and state.march is not None and not state.voyage.ended:
        here = state.spaces[state.voyage.start].all_of(state.march.side)
        if not here.holds(state.march.force):
            found.append("more is at sea than stood in the last port")
    if state.naval is not None and state.engagement is not None:
        for side in SIDES:
            fleet, sent = state.naval.fleets[side], state.engagement.fleets[side]
            ships = sorted((*fleet.ready, *fleet.sunk, *fleet.taken, *fleet.shoaled))
            if ships != sorted(unit.id for unit in sent.units):
                found.append(f"the ships of {side} in the battle are not those that were sent")
            if fleet.transports + fleet.transports_lost != len(sent.transports):
                found.append(f"the transports of {side} in the battle are not those that were sent")
    return found
