"""G8 Boarding: whom to board, whom to help, and when to leave it."""

from __future__ import annotations

from typing import Any, NamedTuple

from tactical.captains.chances import BOARDS, Crew, combine, fight, sinks_by_flooding
from tactical.captains.choice import Choice, best_options, reason
from tactical.captains.sea import Sea, hull_of
from tactical.captains.worth import boarding_value
from tactical.kernel.protocol import Offer
from tactical.rules.boarding import is_able


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
            found[name, target] = boarding = worth(sea, name, target)
            options.append(({"type": "board", "ship": name, "target": target}, boarding.value))
    keep = sea.weights.keep if sea.lead_with_all_sunk > 0 else 0.0
    good = [option for option in options if option[1] > 0 and found[option[0]["ship"], option[0]["target"]].won >= keep]
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


def worth(sea: Sea, name: str, target: str) -> Boarding:
    """G8.2 What boarding brings, alone, with friends who may join it, or in a fight that is going on."""
    battle = sea.battle
    ship, foe = battle.ships[name], battle.ships[target]
    chance = 1.0 if ship.corvus or target in ship.may_board else BOARDS
    mine, theirs = sea.hull(name), sea.hull(target)
    friends = [battle.ships[each] for each in battle.boarders_of(target)]
    if not friends:
        won, _ = fight(mine.marines, theirs.marines)
        value = boarding_value(sea.orders.level, mine, theirs)
        if sea.orders.level != "raw" and sinks_by_flooding(mine.breaches, mine.left, True, 2) > 0.3:
            value *= 0.5  # she goes down in the fight, and her marines with her
        if sea.weights.helpers and battle.has_hexes:
            together, won_together = with_friends(sea, name, target)
            if together > value:
                return Boarding(chance * together, won_together, "board_with_friends")
        return Boarding(chance * value, won, "board_wins")
    crews = [hull_of(battle, each).marines for each in (*friends, ship)]
    defenders = (foe.heavy, foe.medium, foe.light)
    won, lost = fight(combine(*crews), defenders)
    had, had_lost = fight(combine(*crews[:-1]), defenders)
    prize = 2 * sea.kind(foe).hull
    value = chance * ((won - had) * prize + (had_lost - lost) * prize * sea.weights.retaken - 0.2)
    return Boarding(value, won, "board_joins")


def with_friends(sea: Sea, name: str, target: str) -> tuple[float, float]:
    """G8.1, G8.2 What a boarding brings, and its odds, when each friend beside the target joins it with its own die."""
    mine, theirs = sea.hull(name), sea.hull(target)
    shares = {mine.marines: 1.0}
    for away, friend in sea.foes_near(target):
        if away > 1:
            break
        if friend == name or not is_able(sea.battle.ships[friend]):
            continue
        crew = sea.hull(friend)
        joins = 1.0 if crew.corvus else BOARDS
        then: dict[Crew, float] = {}
        for had, share in shares.items():
            more = combine(had, crew.marines)
            then[more] = then.get(more, 0.0) + share * joins
            then[had] = then.get(had, 0.0) + share * (1 - joins)
        shares = then
    value = won = 0.0
    for marines, share in shares.items():
        value += share * boarding_value(sea.orders.level, mine._replace(marines=marines), theirs)
        won += share * fight(marines, theirs.marines)[0]
    return value, won
