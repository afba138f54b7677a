"""H.turn What a position in mid-rule must hold together: every question with what it asks about."""

from __future__ import annotations

from msgspec.structs import replace

from strategic.hamilcar.state import BOTH, State
from strategic.hamilcar.tables import CHART, LEADERS
from strategic.point_to_point.tables import SIDES
from tactical.kernel.protocol import Prompt
from tactical.kernel.record import BadInput

# the steps that go by themselves, and the questions to a side; the engagement asks both
BY_ITSELF = (
    "carthage_due",
    "generals_leave",
    "rome_due",
    "consuls",
    "impulse_over",
    "arrive",
    "caught",
    "fleets_meet",
    "naval",
    "catcher_home",
    "mover_home",
    "meet",
    "clash",
    "halted",
    "siege",
    "battle",
    "charge_roll",
    "deal_battle",
    "losses",
    "consequences",
    "battle_over",
    "siege_result",
    "winter_sea",
    "spend_budget",
)
ASKED = (
    "reinforce",
    "place_general",
    "proconsul",
    "elect",
    "reform",
    "open",
    "first_player",
    "impulse",
    "campaign",
    "points",
    "move",
    "storm",
    "sea_intercept",
    "lookouts",
    "catcher",
    "turn_back",
    "engagement",
    "manoeuvre",
    "shallows",
    "hit",
    "fair_wind",
    "engage",
    "regroup",
    "sea_pursuit",
    "after_sea",
    "prize_roll",
    "intercept",
    "intercepted",
    "avoid",
    "pursuit",
    "join",
    "command",
    "elephants",
    "attack",
    "match",
    "counter_attack",
    "cancel",
    "retreat",
    "hold_out",
    "freeze",
    "remove",
    "burn",
    "budget",
)

# questions by the names that earlier programs gave them, in positions that they wrote
OLD_NAMES = {
    "entered": "meet",
    "meeting": "clash",
    "pursue": "pursuit",
    "change_command": "command",
    "charge": "elephants",
}
OLD_AT_SEA = {("meet", "L1.1"): "fleets_meet", ("pursuit", "11.7.pursuit"): "sea_pursuit"}

AT_SEA = ("march", "voyage", "play")
IN_BATTLE = ("battle", "march", "play")
ON_LAND = ("march", "play")
OWN_TABLE = ("naval", "engagement", *AT_SEA)

# what each kind of question needs besides itself
NEEDS: dict[str, tuple[str, ...]] = {
    **dict.fromkeys(
        (
            "storm",
            "sea_intercept",
            "arrive",
            "lookouts",
            "catcher",
            "caught",
            "turn_back",
            "fleets_meet",
            "after_sea",
            "catcher_home",
            "mover_home",
        ),
        AT_SEA,
    ),
    **dict.fromkeys(
        ("naval", "manoeuvre", "engage", "regroup", "sea_pursuit", "shallows", "hit", "fair_wind"), OWN_TABLE
    ),
    **dict.fromkeys(
        (
            "join",
            "command",
            "elephants",
            "charge_roll",
            "deal_battle",
            "attack",
            "match",
            "counter_attack",
            "cancel",
            "retreat",
            "losses",
            "consequences",
            "battle_over",
        ),
        IN_BATTLE,
    ),
    **dict.fromkeys(
        ("intercept", "meet", "clash", "avoid", "pursuit", "intercepted", "siege", "battle", "hold_out"),
        ON_LAND,
    ),
    "engagement": ("engagement", *AT_SEA),
    "campaign": ("play",),
}

# the facts that a question carries
ABOUT: dict[str, tuple[str, ...]] = {
    "reinforce": ("left",),
    "place_general": ("generals",),
    "elect": ("elected",),
    "reform": ("general",),
    "points": ("left",),
    "remove": ("left",),
    "burn": ("left",),
    "budget": ("left",),
    "freeze": ("space",),
    "siege": ("general", "space"),
    "battle": ("space",),
    "hold_out": ("space", "left"),
    "after_sea": ("role",),
    "cancel": ("to",),
}


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
    """H.turn What is asked, and what is under way for it, hang together."""
    check_under_way(state, at)
    check_agenda(state, at)


def check_agenda(state: State, at: str) -> None:
    """H.turn Every question is one that the game knows, put to a side, with all that it is about."""
    for number, prompt in enumerate(state.agenda):
        path = f"{at}agenda.{number}"
        if prompt.seat not in ("", BOTH, *SIDES):
            raise BadInput(f"{path}.seat", "there is no seat called %(runner)s", runner=repr(prompt.seat))
        if (prompt.seat == BOTH) != (prompt.kind == "engagement"):
            raise BadInput(f"{path}.seat", "only an engagement can ask both sides, and it must")
        if name_of(prompt) not in (ASKED if prompt.seat else BY_ITSELF):
            raise BadInput(f"{path}.kind", "there is no question called %(kind)s", kind=repr(prompt.kind))
        for name in NEEDS.get(name_of(prompt), ()):
            if getattr(state, name) is None:
                raise BadInput(
                    f"{at}{name}", "the question %(kind)s needs the field %(name)s", kind=repr(prompt.kind), name=name
                )
        for name in ABOUT.get(name_of(prompt), ()):
            if name not in prompt.about:
                raise BadInput(
                    f"{path}.about",
                    "the question %(kind)s has no field called %(name)s",
                    kind=repr(prompt.kind),
                    name=repr(name),
                )
    if state.agenda and state.agenda[-1].kind == "move" and state.march is None:
        raise BadInput(f"{at}march", "the question 'move' can be open only during a march")


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
    if state.battle is not None and state.battle.space not in CHART.spaces:
        raise BadInput(f"{at}battle.space", "there is no space called %(space)s", space=repr(state.battle.space))
    if state.engagement is not None and set(state.engagement.fleets) != set(SIDES):
        raise BadInput(f"{at}engagement.fleets", "both sides must have a fleet in an engagement")
