"""G5 to G8 Fire, contact and boarding: what a captain does with a ship near an enemy."""

from __future__ import annotations

from typing import Any, NamedTuple

from tactical.captains.at_sea import ASPECTS
from tactical.captains.judgement import (
    BOARDS,
    CAPTURED,
    SUNK,
    Crew,
    Hull,
    Sea,
    aspect_of,
    bears,
    blow,
    boarding_value,
    combine,
    fight,
    head_on,
    meeting,
    ram_value,
    shot,
    shots_sink,
    sinks_by_flooding,
)
from tactical.captains.reasons import Choice, Mind, Reason, best_options, reason
from tactical.commands import Board
from tactical.kernel.protocol import Offer
from tactical.rules.boarding import why_not_board
from tactical.rules.ending import HALVES
from tactical.rules.missiles import WEAPONS, range_between
from tactical.rules.movement import is_mutual
from tactical.rules.ramming import has_full_speed
from tactical.ship import STEPS_OF, Ship, ShipType

# -- G5 Fire: whom each weapon shoots at, and whether it waits for a shorter range.

LIGHTLY = 0.5  # an archer or engine killed, against a marine
FOUGHT = 1.5  # a target that a friend boards, or that may board one, counts so much more


def shoot(sea: Sea, offers: list[Offer]) -> Choice | None:
    """G5.1 The best shot of the side; None when what is left is better kept for a later phase."""
    options: list[tuple[dict[str, Any], float]] = []
    waiting = 0
    for offer in offers:
        for command, value in shots(sea, offer):
            if value > 0 and may_wait(sea, command):
                waiting += 1
            elif value > 0:
                options.append((command, value))
    if not options:
        return None
    best, value = max(options, key=lambda option: option[1])
    ship, target = sea.battle.ships[best["ship"]], sea.battle.ships[best["target"]]
    reach = range_between(sea.battle, ship, target) if ship.at and target.at else 1
    kills, hull = shot(best["weapon"], reach)
    kind = "fire_hull" if hull > kills else "fire_kill"
    why = reason(
        kind,
        rule="G5.2",
        odds=hull if hull > kills else kills,
        ship=best["ship"],
        foe=best["target"],
        weapon=best["weapon"],
        count=best["count"],
        range=reach,
    )
    return Choice(best, (why,), best_options(options), round(value, 3))


def shots(sea: Sea, offer: Offer) -> list[tuple[dict[str, Any], float]]:
    """The shots of one weapon group, all of it at one target, and what each is worth."""
    if "range" in offer.fields:
        return []  # G1.5: on the players' own table a captain does not see how far it is
    count = offer.fields["count"]
    most = count if isinstance(count, int) else count["to"]
    targets = offer.fields["target"]
    name, weapon = offer.fields["ship"], offer.fields["weapon"]
    found = []
    for target in [targets] if isinstance(targets, str) else targets:
        value = volley_worth(sea, sea.battle.ships[name], weapon, most, target)
        command = {"type": "fire", "ship": name, "weapon": weapon, "count": most, "target": target}
        found.append((command, value))
    return found


KEPT = 4096
_worths: dict[tuple[Mind, int, int, str, int], tuple[Ship, Ship, dict[str, ShipType], float]] = {}


def volley_worth(sea: Sea, ship: Ship, weapon: str, count: int, target: str) -> float:
    """G5.2, G5.4 What a volley is worth; kept by the two sheets, which are others after every change."""
    foe = sea.battle.ships[target]
    key = sea.mind, id(ship), id(foe), weapon, count
    found = _worths.get(key)
    if found is not None and found[0] is ship and found[1] is foe and found[2] is sea.battle.types:
        return found[3]
    if len(_worths) >= KEPT:
        _worths.clear()
    value = worked_out(sea, ship, weapon, count, foe)
    _worths[key] = ship, foe, sea.battle.types, value
    return value


def worked_out(sea: Sea, ship: Ship, weapon: str, count: int, foe: Ship) -> float:
    """The same, reckoned: who falls next, and what the hull loses."""
    if ship.at is None or foe.at is None:
        return 0.0
    reach = range_between(sea.battle, ship, foe)
    kills, hull = shot(weapon, reach)
    shooters = foe.archers + foe.catapults + foe.stone_throwers
    expected = kills * count
    falls = min(expected, shooters) * LIGHTLY + max(0.0, min(expected - shooters, foe.marines))
    if shooters and foe.marines:
        falls += 0.1 * expected  # who shoots less and has fewer left is boarded sooner
    value = sea.weights.marine * falls
    if foe.boarding is not None or reach == 1:
        value *= FOUGHT
    if hull:
        left = max(1, sea.kind(foe).hull - foe.damage)
        sunk = shots_sink(weapon, count, reach, left)
        value += sea.weights.damage * min(left, hull * count) + sunk * sea.kind(foe).hull * HALVES["sunk"] / 2
    return value if sea.orders.level != "raw" else value / reach


def may_wait(sea: Sea, command: dict[str, Any]) -> bool:
    """G5.1 May the range become short later in this turn? Then the shot is kept."""
    phase = sea.battle.phase or 0
    ship, foe = sea.battle.ships[command["ship"]], sea.battle.ships[command["target"]]
    if not sea.weights.saves_fire or ship.at is None or foe.at is None or ship.facing is None or foe.facing is None:
        return False
    short = min(band.to for band in WEAPONS[command["weapon"]].band)
    away = range_between(sea.battle, ship, foe)
    if away <= short or not sea.battle.has_hexes:
        return False
    mine, theirs = coming(ship, phase), coming(foe, phase)
    delta = (foe.at[0] - ship.at[0], foe.at[1] - ship.at[1])
    closing = mine * max(0.0, bears(ship.facing, delta))
    closing += theirs * max(0.0, bears(foe.facing, (-delta[0], -delta[1])))
    return closing >= away - short


def coming(ship: Ship, phase: int) -> int:
    """The steps that a ship still makes this turn."""
    if ship.stopped or ship.boarding is not None or ship.speed <= 0:
        return 0
    return sum(1 for due in STEPS_OF[ship.speed] if due > phase)


# -- G8 Boarding: whom to board, whom to help, and when to leave it.


class Boarding(NamedTuple):
    """What a boarding brings, the chance to win its fight, and the kind of reason that tells it."""

    value: float
    won: float
    kind: str


def board(sea: Sea, offers: list[Offer]) -> Choice | None:
    """G8.1 The best boarding of the side; None when none is worth trying."""
    options: list[tuple[dict[str, Any], float]] = []
    found: dict[tuple[str, str], Boarding] = {}
    for offer in offers:
        name, targets = offer.fields["ship"], offer.fields["target"]
        for target in [targets] if isinstance(targets, str) else targets:
            found[name, target] = boarding = boarding_worth(sea, name, target)
            options.append(({"type": "board", "ship": name, "target": target}, boarding.value))
    good = [option for option in options if is_worth_trying(sea, found[option[0]["ship"], option[0]["target"]])]
    if not good:
        return None
    best, value = max(good, key=lambda option: option[1])
    _, won, kind = found[best["ship"], best["target"]]
    ship = sea.battle.ships[best["ship"]]
    how = "corvus" if ship.corvus else "counter" if best["target"] in ship.may_board else "die"
    why = [reason(kind, rule="G8.4", odds=won, ship=best["ship"], foe=best["target"])]
    if how == "die":
        why.append(reason("board_die", rule="G8.1", odds=BOARDS, ship=best["ship"], foe=best["target"]))
    return Choice(best, tuple(why), best_options(options), round(value, 3))


def is_worth_trying(sea: Sea, boarding: Boarding) -> bool:
    """G8.1 Does a boarding bring something, at odds that the captain takes? Who wins only by prizes takes any."""
    keep = sea.weights.keep if sea.lead_with_all_sunk > 0 else 0.0
    return boarding.value > 0 and boarding.won >= keep


def boarding_worth(sea: Sea, name: str, target: str) -> Boarding:
    """G8.2 What boarding brings, alone, with friends who may join it, or in a fight that is going on."""
    battle = sea.battle
    ship = battle.ships[name]
    chance = 1.0 if ship.corvus or target in ship.may_board else BOARDS
    mine, theirs = sea.hull(name), sea.hull(target)
    friends = battle.boarders_of(target)
    if not friends:
        won, _ = fight(mine.marines, theirs.marines)
        value = boarding_value(sea.mind, mine, theirs)
        if sea.orders.level != "raw" and sinks_by_flooding(mine.breaches, mine.left, True, 2) > 0.3:
            value *= 0.5  # she goes down in the fight, and her marines with her
        if sea.weights.helpers and battle.has_hexes:
            together, won_together = with_friends(sea, name, target)
            if together > value:
                return Boarding(chance * together, won_together, "board_with_friends")
        return Boarding(chance * value, won, "board_wins")
    return joining_worth(sea, combine(*(sea.hull(each).marines for each in friends)), mine, theirs, chance)


def joining_worth(sea: Sea, aboard: Crew, mine: Hull, theirs: Hull, chance: float) -> Boarding:
    """G8.2 What it brings to join those who are aboard already, with this chance to get there."""
    won, lost = fight(combine(aboard, mine.marines), theirs.marines)
    had, had_lost = fight(aboard, theirs.marines)
    prize = 2 * theirs.hull
    value = chance * ((won - had) * prize + (had_lost - lost) * prize * sea.weights.retaken - 0.2)
    return Boarding(value, won, "board_joins")


def with_friends(sea: Sea, name: str, target: str) -> tuple[float, float]:
    """G8.1, G8.2 What a boarding brings, and its odds, when friends beside the target join it, each with its own die:
    those that may, where they find it worth trying once they see who is aboard.
    """
    mine, theirs = sea.hull(name), sea.hull(target)
    shares = {mine.marines: 1.0}
    for away, friend in sea.foes_near(target):
        if away > 1:
            break
        if friend == name or why_not_board(sea.battle, Board(friend, target)) is not None:
            continue
        crew = sea.hull(friend)
        joins = 1.0 if crew.corvus else BOARDS
        then: dict[Crew, float] = {}
        for had, share in shares.items():
            goes = joins if is_worth_trying(sea, joining_worth(sea, had, crew, theirs, joins)) else 0.0
            for crews, part in ((combine(had, crew.marines), goes), (had, 1 - goes)):
                then[crews] = then.get(crews, 0.0) + share * part
        shares = {crews: share for crews, share in then.items() if share}
    value = won = 0.0
    for marines, share in shares.items():
        value += share * boarding_value(sea.mind, mine._replace(marines=marines), theirs)
        won += share * fight(marines, theirs.marines)[0]
    return value, won


# -- G6, G7 In contact: to ram, to break the oars, or to hold and board.


def settle(sea: Sea, offers: list[Offer]) -> Choice:
    """G6.1 The best deed of the side's ships in contact."""
    found = (
        best_act(sea, name, [offer for offer in offers if offer.fields["ship"] == name]) for name in in_turn(offers)
    )
    return max(found, key=lambda choice: choice.value)


def in_turn(offers: list[Offer]) -> list[str]:
    """The ships with a contact, each once."""
    return list(dict.fromkeys(offer.fields["ship"] for offer in offers))


def best_act(sea: Sea, name: str, offers: list[Offer]) -> Choice:
    """G6.1, G6.9, G7.1 One ship's best deed, by its exact odds."""
    battle = sea.battle
    ship = battle.ships[name]
    foe = ship.contact or ""
    target = battle.ships[foe]
    mutual = is_mutual(battle, name)
    if battle.board.kind == "open":
        aspect = ASPECTS[ship.aspect or "side"]
    elif not battle.has_hexes:
        aspect = "head" if ship.aspect == "bow_to_bow" else "beam"
    elif mutual:
        aspect = "head"
    else:
        aspect = aspect_of(ship.facing or "N", target.facing or "N")
    mine, theirs = sea.hull(name), sea.hull(foe)
    fast = has_full_speed(sea.kind(ship), ship)
    theirs_fast = has_full_speed(sea.kind(target), target)
    found = meeting(sea.mind, mine, theirs, aspect, fast, theirs_fast, True)
    values = {"ram": found.ram, "rake": found.rake, "hold": found.hold}
    values["ram"] += fights(sea, foe, theirs, ram_value(sea.mind, mine, theirs, fast))
    if sea.lead_with_all_sunk < 0:
        values["ram"] -= ram_value(sea.mind, mine, theirs, fast)
    offered = {offer.type: values[offer.type] for offer in offers}
    if sea.orders.level == "raw" and "ram" in offered and sum(mine.marines) <= sum(theirs.marines):
        offered["ram"] = max(offered["ram"], 0.1)
    best = max(offered, key=lambda deed: offered[deed])
    commands: dict[str, dict[str, Any]] = {deed: {"type": deed, "ship": name} for deed in offered}
    return Choice(
        commands[best],
        tuple(reasons(best, name, foe, mine, theirs, aspect, fast)),
        best_options([(commands[deed], value) for deed, value in offered.items()]),
        round(offered[best], 3),
    )


def fights(sea: Sea, foe: str, theirs: Hull, hit: float) -> float:
    """G8.4, G10.2 What a ram changes in a fight on or by its target: a friend saved, or a prize lost to the sea."""
    battle = sea.battle
    target = battle.ships[foe]
    if target.boarding is None:
        return 0.0
    boarders = [battle.ships[each] for each in battle.boarders_of(target.boarding)]
    crew = (sum(s.heavy for s in boarders), sum(s.medium for s in boarders), sum(s.light for s in boarders))
    boarded = battle.ships[target.boarding]
    won, _ = fight(crew, (boarded.heavy, boarded.medium, boarded.light))
    if target.boarding == foe:
        return -hit * won * float(CAPTURED / SUNK)  # she will be ours, and worth more afloat
    return float(0.5 * won) * sea.kind(boarded).hull * CAPTURED


def reasons(deed: str, name: str, foe: str, mine: Hull, theirs: Hull, aspect: str, fast: bool) -> list[Reason]:
    """Why this deed, with its odds."""
    if deed == "rake":
        return [reason("rake", rule="G7.1", ship=name, foe=foe)]
    if deed == "hold":
        won, _ = fight(mine.marines, theirs.marines)
        if sum(mine.marines) and won > 0:
            return [reason("hold_to_board", rule="G6.9", odds=won, ship=name, foe=foe)]
        return [reason("hold_still", rule="G6.9", ship=name, foe=foe)]
    struck = blow(mine.ram or 0, fast, theirs.left, theirs.breaches)
    found = [
        reason(
            "ram_sinks",
            rule="G6.2",
            odds=struck.sinks_soon,
            ship=name,
            foe=foe,
            damage=round(struck.damage, 1),
            full_speed=fast,
        )
    ]
    if aspect == "head":
        rams, rammed, both = head_on(mine.crew, theirs.crew)
        rammed = round(rammed + both, 4)
        found.append(reason("ram_head_on", rule="G6.1", odds=rams + both, ship=name, foe=foe, rammed=rammed))
    return found
