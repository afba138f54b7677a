"""An army marches to the coast, sails, is intercepted; its battle is fought on the table and comes home."""

from __future__ import annotations

import json
from typing import Any

import pytest
from playwright.sync_api import expect

from kit.accessible import violations_in
from kit.colours import OTHERS
from kit.playing import Captain, play

pytestmark = pytest.mark.browser


def goes(tablet: Any, goal: str) -> None:
    """The army on the march goes to a space that is tapped, with all that can."""
    tablet.page.locator(f".cell[data-space='{goal}']").dispatch_event("click")
    tablet.page.locator(f"#table[data-space='{goal}'] .march .main").tap()


def ready(tablet: Any, kind: str, **values: Any) -> None:
    """Choose the ready answer of an offer: a button, or a line of its list."""
    wanted = [f'"type": "{kind}"', *(f'"{name}": {json.dumps(value)}' for name, value in values.items())]
    button = tablet.page.locator("#side " + "button[name=command]" + "".join(f"[value*='{part}']" for part in wanted))
    if button.count():
        return button.first.tap()
    option = tablet.page.locator("#side option" + "".join(f"[value*='{part}']" for part in wanted)).first
    chosen = option.get_attribute("value")
    form = option.locator("xpath=ancestor::form[1]")
    form.locator("select").select_option(value=chosen)
    return form.locator("button").last.tap()


def on(house: Any, *tablets: Any) -> None:
    """Every page has what the server has."""
    record = house.store.game(house.id)
    for tablet in tablets:
        tablet.catch_up(record.version, record.revision)


def moved(house: Any, before: int, *tablets: Any) -> None:
    """The campaign has gone on, and every page shows it."""
    for _look in range(300):
        if house.store.game(house.id).version > before:
            return on(house, *tablets)
        tablets[0].page.wait_for_timeout(20)
    raise AssertionError("the campaign did not go on")


def test_an_army_sails_is_caught_fights_on_the_table_and_comes_home(house: Any, before_the_voyage: Any) -> None:
    house.campaign(position=before_the_voyage, title="The war for Sicily")
    rome, carthage = house.tablet("rome"), house.tablet("carthage", "dark")

    def does(tablet: Any, act: Any, *given: Any, **named: Any) -> None:
        before = house.store.game(house.id).version
        act(tablet, *given, **named)
        moved(house, before, rome, carthage)

    # An army marches to the coast and sails; Carthage, which holds Lipara and the sea, comes out.
    does(rome, goes, "messana")
    assert house.state.marching().at == "messana"
    does(rome, goes, "lipara")
    while house.state.engagement is None:
        if house.state.asks().kind == "storm":
            does(carthage, ready, "pass")
        elif house.state.asks().kind == "sea_intercept":
            does(carthage, intercept)
        else:
            raise AssertionError(house.state.asks())
    assert [kind for kind in house.told() if kind in ("stepped", "sailed", "engagement")] == [
        "stepped",
        "sailed",
        "engagement",
    ]

    # Both want a battle; it is opened.
    for tablet in (rome, carthage):
        expect(tablet.page.locator("#meeting")).to_contain_text("A meeting at sea: Lipara")
        does(tablet, lambda each: each.page.get_by_role("button", name="A battle in this program").tap())
    expect(carthage.page.locator("#meeting")).to_contain_text("Both want a battle in this program")
    does(rome, lambda each: each.page.get_by_role("button", name="Open the battle").tap())
    battle = next(
        each.data["game"] for entry in house.store.entries(house.id) for each in entry.events if each.type == "battle"
    )
    sent = house.state.engagement

    # It is fought to its end on the tactical page.
    for tablet in (rome, carthage):
        tablet.page.locator("#to-battle").tap()
        expect(tablet.page.locator(".stakes")).to_contain_text("At stake: Lipara")
    deploy(house, battle, rome)
    players = [Captain(rome, seed=5), Captain(carthage, seed=6)]
    play(players, house, battle)
    table = house.store.load(battle)
    assert table.game.over and table.state.result.winner is not None, "these fleets fight until one is beaten"
    winner = table.state.result.winner
    loser = sent.other(winner)

    # It is reviewed beside the log and entered; both battle pages say so.
    for tablet in (rome, carthage):
        tablet.catch_up(table.game.version)
        expect(tablet.page.locator("#review")).to_contain_text("has won")
    rome.page.get_by_role("link", name="Review it beside the journal").tap()
    expect(rome.page.locator("main")).to_contain_text("What it will mean")
    assert house.state.engagement is not None
    rome.page.locator("#enter-outcome-review").tap()
    expect(rome.page.locator("#entered")).to_contain_text(f"of campaign {house.id}")
    expect(carthage.page.locator("#entered")).to_contain_text("Entered as entry")

    # The campaign shows what the rules demand.
    ships = table.state.ships
    units = table.state.link.units
    fallen = {
        side: [
            units[name]
            for name, ship in ships.items()
            if ship.side == side and ship.type != "transport" and ship.status in ("sunk", "captured")
        ]
        for side in sent.fleets
    }
    taken = [
        units[name]
        for name, ship in ships.items()
        if ship.side == loser and ship.status == "captured" and ship.type != "transport"
    ]
    state = house.state
    assert state.settled[sent.id].winner == winner and state.supremacy == winner
    names = {side: {ship.name: ship for ship in state.fleet(side)} for side in sent.fleets}
    assert fallen[loser], "somebody was sunk or taken"
    for unit in fallen[loser]:
        assert unit not in names[loser] and (unit in names[winner]) == (unit in taken)
    assert not any(names[winner][unit].ready for unit in taken), "prizes need repair"
    for unit in sent.fleets[loser].units:
        assert unit.id in fallen[loser] or not names[loser][unit.id].ready, "the loser's ships are unready"
    assert all(ship.ready for name, ship in names[winner].items() if name not in taken and name not in fallen[winner])
    price = len(fallen[loser]) // 2
    asked = state.asks()
    if price:
        assert asked is not None and (asked.kind, asked.seat, asked.about["left"]) == ("remove", loser, price)

    for tablet in (rome, carthage):
        tablet.page.goto(f"{house.url}/g/{house.id}")
        expect(tablet.page.locator("#meeting")).to_have_count(0)
        expect(tablet.page.locator(".latest")).to_contain_text("wins.")
        if price:
            expect(tablet.page.locator("#side")).to_contain_text("Take markers off")
    page = rome.page
    page.goto(f"{house.url}/campaign/{house.id}/register?seat=rome")
    for unit in fallen[loser]:
        expect(page.locator("table.register tr", has_text=unit)).to_contain_text(
            "a prize of" if unit in taken else "sunk"
        )
    assert (
        page.locator(".ship-history", has_text="ammed").count()
        or page.locator(".ship-history", has_text="oarded").count()
    )
    if price:
        owe(house, rome if loser == "rome" else carthage, rome, carthage)

    # Positions: who won is where he sailed to, who lost is where he came from.
    space = house.state.generals["gaius_duilius"].space
    assert space in (("lipara", "messana") if winner == "rome" else ("messana", None))


def intercept(tablet: Any) -> None:
    """Send out as many ships as there are, without a general."""
    form = tablet.page.locator("#side section.offer form:has([value*='sea_intercept'])")
    form.filter(has_text="under no general").locator("button").last.tap()


def deploy(house: Any, battle: str, rome: Any) -> None:
    """Rome puts its flagship elsewhere by tapping a hex of the board, when it may."""
    link = house.store.load(battle).state.link
    assert link.deploying[0] == "rome", "the holder of supremacy deploys second"
    rome.tap("#chip-r1")
    place = house.store.load(battle).state.ships["r1"].at
    rome.tap(rome.page.locator(f"[id='ghost-{place[0]}.{place[1] + 1}']"))
    assert house.store.load(battle).state.ships["r1"].at == (place[0], place[1] + 1)
    rome.tap(rome.page.get_by_label("Close the sheet"))


def owe(house: Any, tablet: Any, *tablets: Any) -> None:
    """The loser takes his markers off, by the page."""
    for one in tablets:
        one.page.goto(f"{house.url}/g/{house.id}")
    while (asked := house.state.asks()) is not None and asked.kind == "remove":
        before = house.store.game(house.id).version
        form = tablet.page.locator("#side form:has([value*='remove'])").first
        form.locator("button").last.tap()
        moved(house, before, *tablets)


def test_axe_finds_nothing_where_campaign_and_table_meet_in_any_scheme(house: Any) -> None:
    house.campaign(scenario="off_mylae")
    umpire = house.tablet("umpire")
    small = """() => [...document.querySelectorAll('button, .button, select, summary, input:not([type=hidden])')]
        .filter((part) => part.checkVisibility() && !part.matches('.on-board, [type=checkbox], [type=radio]'))
        .map((part) => [part.outerHTML.slice(0, 90), part.getBoundingClientRect()])
        .filter(([, box]) => box.height > 0 && box.height < 43.5).map(([html]) => html)"""

    def is_clean(path: str) -> None:
        umpire.page.goto(house.url + path)
        # the schemes of the others are looked at in campaign and battle
        assert violations_in(umpire.page, OTHERS if path.startswith("/linked") else ()) == [], path
        assert umpire.page.evaluate(small) == [], path

    is_clean(f"/g/{house.id}?seat=umpire")
    is_clean(f"/linked/{house.id}/report?seat=umpire")
    for side in ("rome", "carthage"):
        give(house, house.id, side, type="choose_way", engagement="2.1", way="battle", side=side)
    answer = give(house, house.id, "rome", type="open_battle", engagement="2.1", models_per_unit=1)
    battle = answer.events[-1]["game"]
    is_clean(f"/g/{house.id}?seat=umpire")
    is_clean(f"/g/{battle}?seat=umpire&ship=r1")
    for side in ("rome", "carthage"):
        give(house, battle, side, type="agree", side=side)
    is_clean(f"/g/{battle}?seat=umpire")
    is_clean(f"/linked/{battle}/review?seat=umpire")
    is_clean(f"/campaign/{house.id}/register?seat=umpire")
    umpire.faults.clear()  # axe itself writes styles, which the page's policy forbids


def give(house: Any, game: str, seat: str, **command: Any) -> Any:
    return house.store.submit(game, house.store.game(game).version, seat, command)


def test_on_a_phone_nothing_hangs_over_the_edge(house: Any) -> None:
    house.campaign(scenario="off_mylae")
    page = house.tablet("rome", width=390).page
    for path in (f"/g/{house.id}", f"/linked/{house.id}/report", f"/campaign/{house.id}/register"):
        page.goto(f"{house.url}{path}?seat=rome")
        assert page.evaluate("document.documentElement.scrollWidth") <= 390, path
