"""11.6 Interception at sea: who may try, the dice, the automatic one, turning back."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import product
from typing import Any

from msgspec.structs import replace

from strategic.hamilcar.commands import Answer, Catcher, FightAtSea, SeaIntercept, Try, TurnBack
from strategic.hamilcar.rules.forces import why_not_force
from strategic.hamilcar.rules.hand import answers, card_of, check_hand, may_answer, spend
from strategic.hamilcar.rules.in_progress import Attempt
from strategic.hamilcar.rules.sea import may_land_in
from strategic.hamilcar.rules.ships import home
from strategic.hamilcar.state import Handled, State
from strategic.hamilcar.tables import ports_beside
from strategic.interception import succeeds
from strategic.point_to_point.commands import Pass
from strategic.point_to_point.displacement import displace_all, is_met_alone
from strategic.point_to_point.pieces import NONE, Troops
from strategic.point_to_point.survey import generals_at, rating
from strategic.point_to_point.tables import Side, as_side, enemy
from tactical.kernel.dice import Dice
from tactical.kernel.protocol import Illegal, Offer, Prompt, event, refuse


def modifier(state: State, side: Side) -> int:
    """11.6.2.a The corvus makes Roman interception harder."""
    return state.tables.naval.corvus_interception if side == "rome" and state.corvus else 0


def may_try(state: State, side: Side, general: str, to: str) -> bool:
    """11.6.2 A general in the port of arrival or one lane from it, not inside a besieged city."""
    record = state.generals[general]
    if record.status != "board" or state.leaders[general].side != side or record.space is None:
        return False
    if record.inside and state.spaces[record.space].besieged():
        return False
    return record.space == to or record.space in ports_beside(to)


def candidates(state: State, side: Side, to: str) -> dict[str, tuple[str, ...]]:
    """11.6.2.b The generals who may try, by the space that they stand in."""
    found: dict[str, tuple[str, ...]] = {}
    for space in (to, *ports_beside(to)):
        here = tuple(name for name in generals_at(state, side, space) if may_try(state, side, name, to))
        if here:
            found[space] = here
    return found


def is_automatic(state: State, side: Side, to: str) -> bool:
    """11.6.3 Supremacy and an own marker in the port of arrival catch even when the dice fail."""
    return state.supremacy == side and state.spaces[to].control == side


def may_intercept(state: State, side: Side, to: str) -> bool:
    """11.6.1 A ready ship, and a general who may try or an automatic interception (11.6.example.2).

    11.6.7.d, 11.6.example.1 CUs that stand in the port do not bar it.
    """
    if not state.ready(side):
        return False
    if is_automatic(state, side, to):
        return True
    return any(
        why_not_try(state, side, Try(name), to) is None or _whole(state, side, name, to) is not None
        for names in candidates(state, side, to).values()
        for name in names
    )


def may_go_back_free(state: State) -> bool:
    """H11 Nobody intercepts the way back over the last lane of a side with supremacy."""
    return state.sailing().back and state.supremacy == state.marching().side


def why_not_try(state: State, side: Side, attempt: Try, to: str) -> Illegal | None:
    """11.6.2, H13 Who may try, and with what."""
    if attempt.general not in state.generals or not may_try(state, side, attempt.general, to):
        return Illegal(
            "11.6.2",
            "%(general)s cannot try to intercept: a general must be free to "
            "put to sea, and in %(to)s or one lane from it",
            general=attempt.general,
            to=to,
        )
    record = state.generals[attempt.general]
    assert record.space is not None
    return why_not_force(
        state,
        side,
        record.space,
        attempt.force,
        (attempt.general,),
        state.options.lone_consul_fleet,
    )


def why_not_intercept(state: State, command: SeaIntercept) -> Illegal | None:
    """11.6.1, 11.6.2.b At least one ready ship; one try a space; all declared before any die."""
    side, to = as_side(state.agenda[-1].seat), state.sailing().to
    ready = len(state.ready(side))
    if not 1 <= command.ships <= ready:
        return Illegal(
            "11.6.1", "an interception needs at least 1 and at most %(ready)s ready %(ready|ship|ships)s", ready=ready
        )
    spaces = [state.generals[each.general].space for each in command.tries if each.general in state.generals]
    if len(set(spaces)) != len(spaces):
        return Illegal("11.6.2.b", "only one general may try from each space")
    for each in command.tries:
        if (wrong := why_not_try(state, side, each, to)) is not None:
            return wrong
    if not command.tries and not is_automatic(state, side, to):
        return Illegal("11.6.3", "without a general, interception needs supremacy and a friendly marker in the port")
    return None


def sea_intercept(state: State, command: SeaIntercept, dice: Dice) -> Handled:
    """11.6 The ships put to sea; each general rolls at most his battle rating (11.6.2), corvus +1 (11.6.2.a)."""
    refuse(why_not_intercept(state, command))
    side, voyage = as_side(state.agenda[-1].seat), state.sailing()
    ships = state.ready(side)[: command.ships]
    state = state.answered().put_to_sea(side, ships)
    plus = modifier(state, side)
    attempts, events = [], []
    for each in command.tries:
        (face,) = dice.roll(1, 6, "11.6.2", general=each.general, space=voyage.to)
        good = succeeds(face, rating(state, each.general), plus)
        space = state.generals[each.general].space
        assert space is not None
        attempts.append(Attempt(each.general, space, each.force, face, good))
        events.append(
            event(
                "11.6.2", "sea_interception", side=side, general=each.general, dice=[face], modifier=plus, success=good
            )
        )
    state = replace(state, voyage=replace(voyage, attempts=tuple(attempts), catching=ships))
    told = event("11.6", "put_to_sea", side=side, ships=list(ships), space=voyage.to)
    prompts = (Prompt("lookouts", side, "11.6.4"), Prompt("catcher", side, "H2.a"), Prompt("caught", "", "11.6.5"))
    return state.then(*prompts), (told, *events)


def let_pass(state: State, command: Pass, dice: Dice) -> Handled:
    """11.6 No interception here."""
    return state.answered(), ()


def intercept_offers(state: State) -> tuple[Offer, ...]:
    """11.6 Every set of tries, and the number of ships."""
    side, voyage = as_side(state.agenda[-1].seat), state.sailing()
    if (voyage.back and may_go_back_free(state)) or not may_intercept(state, side, voyage.to):
        return ()
    sets = list(_sets(state, side, voyage.to))
    ready = len(state.ready(side))
    ships: Any = 1 if ready == 1 else {"from": 1, "to": ready}
    found = [Offer("pass", "11.6")]
    if sets:
        found.insert(0, Offer("sea_intercept", "11.6", {"ships": ships, "tries": sets}))
    return tuple(found)


def _whole(state: State, side: Side, general: str, to: str) -> Try | None:
    """All the troops that a general can take along, leaving what must stay."""
    record = state.generals[general]
    assert record.space is not None
    here = state.spaces[record.space].all_of(side)
    elephants = min(here.elephants, state.tables.sea.units)
    for units in range(min(here.units, state.tables.sea.units - elephants), -1, -1):
        attempt = Try(general, units, elephants, min(here.trains, state.tables.sea.trains) if units + elephants else 0)
        if why_not_try(state, side, attempt, to) is None:
            return attempt
    return None


def _sets(state: State, side: Side, to: str) -> Iterator[list[dict[str, Any]]]:
    """For each space nobody, or one general alone or with all that he can take; not the empty set unless automatic."""
    per_space: list[list[Try | None]] = []
    for names in candidates(state, side, to).values():
        options: list[Try | None] = [None]
        for name in names:
            bare, whole = Try(name), _whole(state, side, name, to)
            options += [
                each for each in (whole, bare) if each is not None and why_not_try(state, side, each, to) is None
            ]
        per_space.append(list(dict.fromkeys(options)))
    for group in product(*per_space):
        tries = [each for each in group if each is not None]
        if tries or is_automatic(state, side, to):
            yield [
                {"general": t.general, "units": t.units, "elephants": t.elephants, "trains": t.trains} for t in tries
            ]


def lookouts_open(state: State) -> bool:
    """11.6.4 After dice that all failed a card may still help."""
    attempts = state.sailing().attempts
    if not attempts or any(each.succeeded for each in attempts):
        return False
    return may_answer(state, as_side(state.agenda[-1].seat), "lookouts")


def lookouts(state: State, command: Answer, dice: Dice) -> Handled:
    """11.6.4 A card lowers the die that it helps most."""
    side, voyage = as_side(state.agenda[-1].seat), state.sailing()
    check_hand(state, side, command.card)
    if command.card not in answers(state, side, "lookouts"):
        raise Illegal("11.6.4", "card %(card)s does not help an interception", card=command.card)
    lowered = card_of(state, command.card).die
    state, events = spend(state, side, command.card, "interception")
    best = min(voyage.attempts, key=lambda each: each.face - rating(state, each.general))
    good = succeeds(best.face, rating(state, best.general), modifier(state, side) + lowered)
    attempts = tuple(replace(each, succeeded=good) if each == best else each for each in voyage.attempts)
    state = replace(state.answered(), voyage=replace(voyage, attempts=attempts))
    told = event(
        "11.6.4", "die_lowered", side=side, general=best.general, dice=[best.face], modifier=lowered, success=good
    )
    return state, (*events, told)


def no_lookouts(state: State, command: Pass, dice: Dice) -> Handled:
    """11.6.4 The failure stands."""
    return state.answered(), ()


def lookouts_offers(state: State) -> tuple[Offer, ...]:
    """11.6.4 The cards held, or none."""
    if not lookouts_open(state):
        return ()
    cards = answers(state, as_side(state.agenda[-1].seat), "lookouts")
    return (*(Offer("answer", "11.6.4", {"card": card}) for card in cards), Offer("pass", "11.6.4"))


def successes(state: State) -> tuple[str, ...]:
    """H2.a The generals whose die was good."""
    return tuple(each.general for each in state.sailing().attempts if each.succeeded)


def catcher(state: State, command: Catcher, dice: Dice) -> Handled:
    """H2.a Of several the owner picks one; the rest stay where they are."""
    if command.general not in successes(state):
        raise Illegal("H2.a", "%(general)s has not intercepted", general=command.general)
    state = replace(state.answered(), voyage=replace(state.sailing(), catcher=command.general))
    return state, (event("H2.a", "catcher", general=command.general),)


def catcher_offers(state: State) -> tuple[Offer, ...]:
    """H2.a Asked only when several succeeded."""
    names = successes(state)
    return (Offer("catcher", "H2.a", {"general": list(names)}),) if len(names) > 1 else ()


def one_catcher(state: State, dice: Dice) -> Handled:
    """H2.a One success needs no choice."""
    names = successes(state)
    return replace(state.answered(), voyage=replace(state.sailing(), catcher=names[0] if names else None)), ()


def catching_force(state: State) -> Troops:
    """H2 The troops that sail with the commander of the interception."""
    voyage = state.sailing()
    return next((each.force for each in voyage.attempts if each.general == voyage.catcher), NONE)


def try_to_catch(state: State, dice: Dice) -> Handled:
    """11.6.5, H2.b Is the movement caught? A lone general is displaced (11.6.6); with supremacy one may turn back."""
    state = state.answered()
    march, voyage = state.marching(), state.sailing()
    side = enemy(march.side)
    if voyage.catcher is None and not is_automatic(state, side, voyage.to):
        state, more = home(state, side, voyage.catching)
        state = replace(state, voyage=replace(voyage, catching=(), attempts=()))
        return state, (event("11.6.7.c", "interception_failed", side=side, space=voyage.to), *more)
    state = replace(state, voyage=replace(voyage, caught=True))
    rule = "11.6.5" if voyage.catcher else "11.6.3"
    told = event(rule, "caught", side=side, general=voyage.catcher, ships=list(voyage.catching), space=voyage.to)
    if not voyage.ships and not march.force.size:
        state = replace(state, voyage=replace(state.sailing(), ended=True))
        state, back = home(state, side, voyage.catching)
        state, more = displace_all(state, march.generals, "11.6.6")
        return state, (told, *more, *back)
    if state.supremacy == march.side:
        return state.then(Prompt("turn_back", march.side, "11.6.7")), (told,)
    return state.then(Prompt("fleets_meet", "", "L1.1")), (told,)


def turn_back(state: State, command: TurnBack, dice: Dice) -> Handled:
    """11.6.7, H3 Supremacy goes to the enemy, the move is over in the last port, and no ship is turned."""
    state = state.answered()
    march, voyage = state.marching(), state.sailing()
    side = enemy(march.side)
    state = replace(state, supremacy=side, voyage=replace(voyage, ended=True))
    state, events = home(state, march.side, voyage.ships)
    state, more = home(state, side, voyage.catching)
    events += more
    told = event("11.6.7", "turned_back", side=march.side, space=voyage.start, supremacy=side)
    prompts = (
        Prompt("after_sea", side, "11.6.7.a", {"role": "catcher"}),
        Prompt("mover_home", "", "H10.b"),
    )
    return state.then(*prompts), (told, *events)


def fight(state: State, command: FightAtSea, dice: Dice) -> Handled:
    """11.6.7.b The mover takes the battle."""
    return state.answered().then(Prompt("fleets_meet", "", "L1.1")), ()


def turn_back_offers(state: State) -> tuple[Offer, ...]:
    """11.6.7 Give up supremacy, or fight."""
    return (Offer("turn_back", "11.6.7"), Offer("fight_at_sea", "11.6.7.b"))


def may_catcher_land(state: State) -> bool:
    """11.6.7.a The interceptor's general may land where he intercepted if no enemy CU is there, nor, where he has none
    either, a general of the enemy (movement.land.1e); CUs inside walls bar nobody (cities.3).
    """
    voyage = state.sailing()
    if voyage.catcher is None:
        return False
    side = state.leaders[voyage.catcher].side
    record = state.generals[voyage.catcher]
    if record.space is None or record.space == voyage.to:
        return False
    if state.spaces[voyage.to].outside(enemy(side)).size:
        return False
    if not catching_force(state).size and is_met_alone(state, side, voyage.to):
        return False
    return may_land_in(state, side, record.space, voyage.to, (voyage.catcher,))
