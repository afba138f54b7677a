"""A captain's reasons as sentences in the reader's language."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, NamedTuple

from tactical.battle import Battle
from tactical.captains import Choice, Reason
from webapp.http.language import gettext as _
from webapp.presenting.battle_labels import ship_name
from webapp.presenting.labels import translated
from webapp.presenting.naming import said


class Told(NamedTuple):
    """A reason as it is shown: the sentence, the paragraph, and the chance."""

    text: str
    rule: str | None
    odds: float | None


class Names:
    """What the ships of a battle are called; in a campaign what players call its generals and spaces."""

    def __init__(self, state: Any, system: str = "galley") -> None:
        self.state = state
        self.system = system

    def __getitem__(self, name: str) -> str:
        if isinstance(self.state, Battle) and name in self.state.ships:
            return str(ship_name(self.state, name))
        return said(self.system, name) if self.system != "galley" else translated(name.replace("_", " "))


def percent(chance: float | None) -> str:
    """A chance in per cent, whole, but never 0 or 100 when it is neither."""
    if chance is None:
        return "?"
    share = 100 * chance
    if 0 < share < 1:
        return "<1 %"
    if 99 < share < 100:
        return ">99 %"
    return f"{share:.0f} %"


def told(reason: Reason, state: Any, system: str = "galley") -> Told:
    """One reason as a sentence."""
    names, it = Names(state, system), reason.data
    values = {**it, "chance": percent(reason.odds)}
    values |= {name: names[it[name]] if it.get(name) else "" for name in ("ship", "foe", "general", "space")}
    if isinstance(it.get("rammed"), float):
        values["rammed"] = percent(it["rammed"])
    writer = SENTENCES.get(reason.kind)
    return Told(writer(values) if writer else reason.kind, reason.rule, reason.odds)


def reasons(choice: Choice, state: Any, system: str = "galley") -> list[Told]:
    """The reasons of a choice as sentences."""
    return [told(each, state, system) for each in choice.reasons]


Writer = Callable[[dict[str, Any]], str]
SENTENCES: dict[str, Writer] = {
    "agree_ahead": lambda it: _("All others are ready to end, and we lead by %(mine)s points to %(theirs)s.", **it),
    "aim_guard": lambda it: _("It covers the transports.", **it),
    "aim_hunt": lambda it: _("It hunts %(foe)s.", **it),
    "aim_intercept": lambda it: _(
        "%(mine)s of our ships can sail against %(theirs)s of theirs; they find them with %(chance)s.", **it
    ),
    "aim_leave_sea": lambda it: _(
        "We are outmatched at sea, %(mine)s to %(theirs)s: better leave than lose all.", **it
    ),
    "aim_let_go": lambda it: _("They are stronger, %(theirs)s to our %(mine)s: let them go.", **it),
    "aim_let_pass": lambda it: _(
        "Ships, ours to theirs: %(mine)s to %(theirs)s; chance to find them: %(chance)s. Better let them pass.", **it
    ),
    "aim_no_tactic": lambda it: _("No card in hand would help now.", **it),
    "aim_tactic": lambda it: _("This card helps most now.", **it),
    "aim_turn_back": lambda it: _("Too few ships to fight, %(mine)s against %(theirs)s: it turns back.", **it),
    "aim_keep_lead": lambda it: _("We lead and little time is left: it keeps away.", **it),
    "aim_keep_off": lambda it: _("Closing would cost more than it brings: it keeps off %(foe)s and shoots.", **it),
    "aim_march": lambda it: _("%(general)s marches to %(space)s, where it wins most.", **it),
    "aim_march_ends": lambda it: _("%(general)s stays: from here no march is worth more.", **it),
    "aim_siege": lambda it: _("%(general)s has come to %(space)s to take it.", **it),
    "aim_no_enemy": lambda it: _("No enemy is left to hunt.", **it),
    "aim_fight": lambda it: _("The fight is taken up where it is offered.", **it),
    "aim_province": lambda it: _("It wins or breaks the majority of a province, which is what counts.", **it),
    "aim_safety": lambda it: _("It keeps the army together and out of danger.", **it),
    "aim_strength": lambda it: _("It makes the own side stronger at no risk.", **it),
    "aim_reserve": lambda it: _("Its squadron is in reserve and waits.", **it),
    "board_die": lambda it: _("The boarding itself needs a die: %(chance)s.", **it),
    "board_joins": lambda it: _("It joins the fight aboard %(foe)s: together we win it with %(chance)s.", **it),
    "board_not": lambda it: _("No boarding here is worth its risk.", **it),
    "board_wins": lambda it: _("Its marines win the fight aboard %(foe)s with %(chance)s.", **it),
    "board_with_friends": lambda it: _(
        "With the friends beside %(foe)s, who may join it, we win the fight with %(chance)s.", **it
    ),
    "careful": lambda it: _("The careful answer: it risks nothing and gives nothing up.", **it),
    "deployed": lambda it: _("The fleet lies well as it is.", **it),
    "done": lambda it: _("Nothing more to do in this step.", **it),
    "evade": lambda it: _("We are outmatched, %(mine)s to %(theirs)s: better lose supremacy than the fleet.", **it),
    "fire_hull": lambda it: _("%(ship)s hurls stones at the hull of %(foe)s, range %(range)s.", **it),
    "fire_kill": lambda it: _("%(ship)s shoots at the men of %(foe)s, range %(range)s: %(chance)s for each die.", **it),
    "fire_waits": lambda it: _("The range will be shorter later this turn: the other shots are kept.", **it),
    "hold_still": lambda it: _("A ram would cost more than it brings: it holds.", **it),
    "hold_to_board": lambda it: _("It holds, to board: its marines win with %(chance)s.", **it),
    "keep": lambda it: _("These dice can stand.", **it),
    "lock": lambda it: _("All ships have their speed.", **it),
    "nothing_else": lambda it: _("There is nothing else to do.", **it),
    "plot_cruise": lambda it: _("At cruise, speed %(speed)s.", **it),
    "plot_meet": lambda it: _("At speed %(speed)s it may meet %(foe)s this turn.", **it),
    "plot_meet_likely": lambda it: _("At speed %(speed)s it meets %(foe)s where it will probably go.", **it),
    "plot_only": lambda it: _("It can plot nothing else.", **it),
    "plot_owed": lambda it: _("It has rammed and owes a step back.", **it),
    "plot_sprint": lambda it: _("A sprint is worth it here (%(spent)s of three are spent).", **it),
    "plot_stays": lambda it: _("It does better to stay than to row on.", **it),
    "rake": lambda it: _("The better crew breaks the oars of %(foe)s without a die.", **it),
    "ram_head_on": lambda it: _("Bow to bow: it rams with %(chance)s and is rammed with %(rammed)s.", **it),
    "ram_sinks": lambda it: _(
        "A ram sinks %(foe)s with a chance of %(chance)s, at once or by flooding; on average %(damage)s damage.", **it
    ),
    "reroll": lambda it: _("A %(face)s can only get better: %(chance)s for a higher face.", **it),
    "stay": lambda it: _("The battle can still be won: we stay.", **it),
    "step_blind": lambda it: _("A captain does not see your table: straight on.", **it),
    "step_meet": lambda it: _("This course meets %(foe)s with %(chance)s; that would be worth %(value)s points.", **it),
    "step_only": lambda it: _("There is no other step.", **it),
    "step_risk": lambda it: _("It accepts a risk of %(value)s points by what the enemy may do.", **it),
}
