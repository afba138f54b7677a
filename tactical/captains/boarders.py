"""G8 Boarding: whom to board, whom to help, and when to leave it."""

from __future__ import annotations

from typing import Any

from tactical.captains.chances import BOARDS, fight, sinks_by_flooding
from tactical.captains.choice import Choice, considered, reason
from tactical.captains.sea import Sea, hull_of
from tactical.captains.worth import boarding_value
from tactical.kernel.protocol import Offer


def board(sea: Sea, offers: list[Offer]) -> Choice | None:
    """G8.1 The best boarding of the side; None when none is worth trying."""
    options: list[tuple[dict[str, Any], float]] = []
    odds: dict[tuple[str, str], tuple[float, bool]] = {}
    for offer in offers:
        name, targets = offer.fields["ship"], offer.fields["target"]
        for target in [targets] if isinstance(targets, str) else targets:
            value, won, joins = worth(sea, name, target)
            odds[name, target] = won, joins
            options.append(({"type": "board", "ship": name, "target": target}, value))
    good = [
        option for option in options
        if option[1] > 0 and odds[option[0]["ship"], option[0]["target"]][0] >= sea.weights.keep
    ]  # fmt: skip
    if not good:
        return None
    best, value = max(good, key=lambda option: option[1])
    won, joins = odds[best["ship"], best["target"]]
    ship = sea.battle.ships[best["ship"]]
    how = "corvus" if ship.corvus else "counter" if best["target"] in ship.may_board else "die"
    kind = "board_joins" if joins else "board_wins"
    why = [reason(kind, rule="G8.4", odds=won, ship=best["ship"], foe=best["target"])]
    if how == "die":
        why.append(reason("board_die", rule="G8.1", odds=BOARDS, ship=best["ship"], foe=best["target"]))
    return Choice(best, tuple(why), considered(options), round(value, 3))


def worth(sea: Sea, name: str, target: str) -> tuple[float, float, bool]:
    """G8.2 What boarding brings, the chance to win the fight, and whether it joins one that is going on."""
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
        return chance * value, won, False
    crews = [hull_of(battle, each).marines for each in (*friends, ship)]
    together = tuple(sum(kind) for kind in zip(*crews, strict=True))
    before = tuple(sum(kind) for kind in zip(*crews[:-1], strict=True))
    defenders = (foe.heavy, foe.medium, foe.light)
    won, lost = fight((together[0], together[1], together[2]), defenders)
    had, had_lost = fight((before[0], before[1], before[2]), defenders)
    prize = 2 * sea.kind(foe).hull
    return chance * ((won - had) * prize + (had_lost - lost) * prize * sea.weights.retaken - 0.2), won, True
