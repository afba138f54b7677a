"""Would today's page show a command as the page did from which it was sent? And what came between, in words."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import msgspec

from tactical.battle import Battle
from tactical.fleet_orders import orders as orders_of_fleet
from tactical.kernel.protocol import Offer
from tactical.offers import to_act
from webapp.api.serializers import entry_for
from webapp.http.language import gettext as _
from webapp.pages.battle.orders import orders
from webapp.pages.battle.results.messages import lines
from webapp.storage.journal.store import Store

OF_SHIP = frozenset(("plot", "step", "fire", "ram", "rake", "hold", "board", "contact", "finish"))
OF_SIDE = frozenset(("lock", "done", "forgo"))
CHANGES_ALL = frozenset(("undo", "adjust", "level"))  # after these one looks again, whoever gave them
TOLD = 3  # sentences about what came between


def is_still_shown(store: Store, game: str, seat: str, seen: int, command: Mapping[str, Any]) -> bool:
    """Did only other seats act since `seen`, in the same step, and does the page show the seat's command as it did?

    A ship's command is shown as before when all her orders are, with their chances; a side's word when the same of its
    ships still have something to do. The engine has the last word: what is shown alike may be illegal all the same.
    """
    now = store.load(game)
    if now.game.waiting is not None or now.game.over or now.game.head != now.game.version:
        return False
    for entry in store.entries(game, seen):
        if seat in (entry.seat, entry.on_behalf) or entry.taken_back or entry.command.get("type") in CHANGES_ALL:
            return False
    then = store.table_after(game, seen)
    was, stands = then.view(seat), now.view(seat)
    if moment(was) != moment(stands) or stands.thrown is not None:
        return False
    offers = then.offers(seat), now.offers(seat)
    parts = parts_of(was, command)
    return (
        bool(parts)
        and parts == parts_of(stands, command)
        and all(is_alike(was, stands, *offers, each) for each in parts)
    )


def parts_of(battle: Battle, command: Mapping[str, Any]) -> list[Mapping[str, Any]]:
    """The commands that a command stands for in a position: those that it lists, or those of a fleet's ships."""
    if command.get("type") != "together":
        return [command]
    if command.get("what") is None:
        return list(command.get("commands", ()))
    side, squadron = str(command.get("side")), command.get("squadron")
    found = orders_of_fleet(battle, side, str(command["what"]), squadron) if side in battle.sides else ()
    return [msgspec.to_builtins(each) for each in found]


def moment(battle: Battle) -> tuple[Any, ...]:
    """Turn, phase and step."""
    return battle.turn, battle.phase, battle.step, battle.thrown


def is_alike(
    was: Battle, stands: Battle, before: Sequence[Offer], after: Sequence[Offer], command: Mapping[str, Any]
) -> bool:
    """Do both positions show one command alike? `before` and `after` are the seat's offers in them."""
    kind, ship, side = command.get("type"), command.get("ship"), command.get("side")
    if kind in OF_SIDE and side in stands.sides:
        return to_act(was, side) == to_act(stands, side)
    if kind in OF_SHIP and ship in stands.ships:
        return orders.of_ship(was, before, ship) == orders.of_ship(stands, after, ship)
    return False


def overtaken(store: Store, game: str, seat: str, seen: int) -> str:
    """Why a command that was sent from an older page was not carried out: what came first, as the seat may see it."""
    battle = store.load(game).view(seat)
    said: list[str] = []
    for entry in reversed(store.entries(game, seen)):
        if entry.command.get("type") == "undo":
            said.append(_("An action was taken back."))
        elif entry.taken_back is None:
            said += [each.text for each in lines(battle, entry_for(entry, seat).events)]
    if not said:
        return _("Your tap was not carried out, because the game had gone on. Look again, then decide.")
    return _("Your tap was not carried out, because this came first: %(what)s", what=" ".join(said[:TOLD]))
