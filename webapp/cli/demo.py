"""The demo of `navarch serve --demo`: a battle and a campaign, each created once."""

from __future__ import annotations

import json
import sys

from webapp.storage.journal.store import Store

CAMPAIGN = "off_mylae"  # the scenario of the demo campaign


def battle_lines(store: Store, link: str) -> list[str]:
    """The seats of the demo battle, which is created once."""
    if "galley" not in store.systems:
        print("navarch: there is no galley engine here, so there is no demo", file=sys.stderr)
        return []
    game, tokens = demo_battle(store)
    lines = [f"  {seat:<12}{link}/join/{token}" for seat, token in tokens.items()]
    return [f"The demo, {store.game(game).title}, is game {game}:", *lines]


def campaign_lines(store: Store, link: str) -> list[str]:
    """The seats of the demo campaign, stopped where a fleet off Mylae has just been intercepted."""
    found = demo_campaign(store)
    if found is None:
        return []
    game, tokens = found
    lines = [f"  {seat:<12}{link}/join/{token}" for seat, token in tokens.items()]
    return [f"The demo campaign, {store.game(game).title}, is game {game}; its battle waits to be opened:", *lines]


def demo_campaign(store: Store) -> tuple[str, dict[str, str]] | None:
    """The demo campaign and its tokens, created once; None where no system has its scenario."""
    found = (name for name, each in store.systems.items() if CAMPAIGN in {one.id for one in each.scenarios()})
    system = next(found, None)
    note = "demo campaign"
    return None if system is None else find_demo(store, note) or make_demo(store, note, system, CAMPAIGN)


def find_demo(store: Store, note: str) -> tuple[str, dict[str, str]] | None:
    """A demo that was created earlier; None when there is none, or it was deleted."""
    found = store.note(note)
    known = json.loads(found) if found is not None else None
    return (known["game"], known["tokens"]) if known and store.revisions([known["game"]]) else None


def make_demo(store: Store, note: str, system: str, scenario: str) -> tuple[str, dict[str, str]]:
    """A new demo, noted for the next start."""
    game, tokens = store.create(system, scenario=scenario)
    store.keep_note(note, json.dumps({"game": game.id, "tokens": tokens}))
    return game.id, tokens


def demo_battle(store: Store) -> tuple[str, dict[str, str]]:
    """The demo battle and its tokens; it is created when there is none, or it was deleted."""
    known = find_demo(store, "demo")
    if known is not None:
        return known
    scenarios = [scenario.id for scenario in store.systems["galley"].scenarios()]
    mylae = next((name for name in scenarios if "mylae" in name), scenarios[0])
    return make_demo(store, "demo", "galley", mylae)
