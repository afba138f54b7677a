"""The first two turns by stated dice: a siege, a crossing of the Alps, an interception, a battle; then the year turns."""

import random

from kit.hannibal_war import asked, dice, do, offered, step, the
from strategic.hannibal import HANNIBAL
from tactical.kernel.dice import Dice, random_source
from tactical.kernel.random_play import QUITTING, fill
from tactical.kernel.record import plain, read

CARTHAGE = (63, 61, 62, 33, 37, 35, 36)
ROME = (1, 2, 4, 43, 44, 45, 46)


def opening():
    """The scenario with these hands, Carthage to play."""
    scenario = HANNIBAL.start("second_punic_war", None, {"counter_prompts": "held"}, dice()).state
    position = {name: value for name, value in plain(scenario).items() if name not in ("deck", "agenda")}
    position |= {"phase": "strategy", "active": "carthage", "hands": {"carthage": CARTHAGE, "rome": ROME}}
    return HANNIBAL.start(None, position, {}, dice()).state


def to_falerii():
    """Hannibal's march to Etruria; Mago stays before Massilia."""
    state = do(opening(), "carthage", "activate", card=63, general="hannibal", use="event").state
    friends = ("mago", "h_gisgo")
    for space, faces in (("dertosa", ()), ("ilerda", ()), ("tolosa", (1,)), ("narbo", ()), ("nemausus", ())):
        units = state.spaces[state.marching().at].carthage.units
        state = step(state, space, units, *faces, elephants=2, companions=friends)
    state = do(state, "rome", "discard", card=44).state
    state = do(state, "carthage", "activate", card=61, general="hannibal", use="event").state
    state = step(state, "massilia", 7, elephants=2, companions=friends)
    siege = do(state, "carthage", "besiege", 6, general="mago", units=3, elephants=0)
    assert the(siege, "siege_roll")["points"] == siege.state.spaces["massilia"].siege == 1
    state = step(siege.state, "druentia", 4, elephants=2, companions=("h_gisgo",))
    state = step(state, "taurini", 4, 4, elephants=2, companions=("h_gisgo",))
    assert state.spaces["taurini"].carthage.size == 5  # the Alps took one of six
    for space in ("boii", "mutina"):
        state = step(state, space, 3, elephants=2, companions=("h_gisgo",))
    state = do(state, "rome", "discard", card=45).state
    state = do(state, "carthage", "activate", card=62, general="hannibal", use="event").state
    state = step(state, "ariminum", 3, elephants=2, companions=("h_gisgo",))
    return step(state, "falerii", 3, elephants=2, companions=("h_gisgo",))


def test_two_turns_of_the_second_punic_war():
    state = to_falerii()
    assert asked(state) == "intercept"
    state = do(state, "rome", "intercept", space="rome", generals=["p_scipio"], units=8, elephants=0).state
    state = do(state, "rome", "done", 2).state
    state = do(state, "carthage", "accept_battle").state
    state = do(state, "carthage", "charge", 5).state
    battle = state.fighting()
    assert battle.space == "falerii" and battle.interceptor and len(battle.hands["rome"]) == 2 + 8 + 1 + 2 - 2
    attack = offered(state, "carthage", "attack")[0]
    state = do(state, "carthage", "attack", card=attack["card"], as_kind=attack["as_kind"][0]).state
    outcome = do(state, "rome", "concede", 4, 3)
    assert the(outcome, "battle_lost")["side"] == "rome"
    state = outcome.state
    assert asked(state) == "retreat" and "rome" in offered(state, "rome", "retreat")[0]["to"]
    state = do(state, "rome", "retreat", to="rome").state
    while asked(state) == "remove":
        state = do(state, "rome", "remove", space=offered(state, "rome", "remove")[0]["space"][0]).state
    assert state.spaces["falerii"].carthage.size == 5 and state.march is None
    second_year(state)


def second_year(state):
    """Discards to the end of the first turn, then the second by the first seeded choices; it must reach turn 3."""
    dealer = random.Random(5)
    source = random_source(dealer.randrange)
    seen = []
    for _ in range(600):
        if state.turn == 3 or HANNIBAL.is_over(state):
            break
        seat = HANNIBAL.waiting_for(state)[0]
        offers = [each for each in HANNIBAL.offers(state, seat) if each.type not in QUITTING]
        first_turn = [offer for offer in offers if offer.type == "discard"] if state.turn == 1 else []
        offer = dealer.choice(first_turn or offers)
        command = read(fill(offer, dealer), HANNIBAL.command)
        outcome = HANNIBAL.apply(state, seat, command, Dice(source=source, secret=source))
        state, seen = outcome.state, [*seen, *(happened.type for happened in outcome.events)]
        assert HANNIBAL.invariants(state) == ()
    assert state.turn == 3
    for kind in ("attrition", "count", "reinforced", "consuls_drawn", "consul_placed", "dealt"):
        assert kind in seen
