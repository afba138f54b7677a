"""The reference's names of things in the reader's language; what data files call their rows stays as it is."""

from __future__ import annotations

from webapp.http.language import gettext as _
from webapp.presenting.campaign_labels import PHASES, command_title, phase_word, prompt_word
from webapp.presenting.data_words import chapter_word
from webapp.presenting.labels import choice_word, crew_word, nation_word, option_word, system_word, type_word
from webapp.presenting.words import words_of


def source_word(source: str) -> str:
    """Where something comes from."""
    known = {
        "rules": _("from the rules"),
        "published": _("published elsewhere"),
        "derived": _("our reading"),
        "reconstructed": _("reconstructed"),
        "house": _("table of house rules"),
    }
    return known.get(source, source)


def status_word(status: str) -> str:
    """What the program does with a paragraph."""
    known = {"done": _("played by the program"), "manual": _("done by hand"), "later": _("not yet")}
    return known.get(status, status)


def kind_word(kind: str) -> str:
    """What kind of paragraph it is."""
    known = {
        "rule": _("rule"),
        "definition": _("definition"),
        "setup": _("set-up"),
        "comment": _("comment"),
        "reading": _("reading"),
    }
    return known.get(kind, kind)


def step_word(system: str, step: str) -> str:
    """A step of the galley turn; a campaign's as its own pages call it."""
    known = {
        "plot": _("Plot speeds"),
        "move": _("Move"),
        "fire": _("Fire"),
        "ram": _("Ram"),
        "board": _("Board"),
        "end": _("End of the turn"),
        "over": _("The battle is over"),
    }
    if step in known:
        return known[step]
    return phase_word(system, step) if step in PHASES or step in words_of(system).phases else prompt_word(system, step)


def figure_word(figure: str) -> str:
    """A kind of figure, or a weapon."""
    known = {
        "heavy": _("heavy marines"),
        "medium": _("medium marines"),
        "light": _("light marines"),
        "archers": _("archers"),
        "catapults": _("catapults"),
        "stone_throwers": _("stone throwers"),
        "archer": _("archer"),
        "catapult": _("catapult (bolt thrower)"),
        "stone_thrower": _("stone thrower"),
    }
    return known.get(figure, figure.replace("_", " "))


def odds_word(name: str) -> str:
    """A calculator."""
    known = {
        "boarding": _("Boarding fight"),
        "ram": _("Ram"),
        "head_on": _("Bow to bow"),
        "missiles": _("Missile fire"),
        "repair": _("Repairs and flooding"),
        "naval_round": _("Naval round"),
        "interception": _("Interception"),
        "siege": _("Siege"),
        "naval": _("Naval roll"),
        "combat": _("Combat"),
        "attrition": _("Attrition"),
        "sea_attrition": _("Attrition at sea"),
        "battle": _("Battle round"),
    }
    return known.get(name, name.replace("_", " ").capitalize())


def field_word(name: str) -> str:
    """A calculator's parameter."""
    known = {
        "attacker": _("Attacker's crew"),
        "defender": _("Defender's crew"),
        "type": _("Ramming ship"),
        "full_speed": _("At full speed"),
        "hull_left": _("Hull left"),
        "breaches": _("Open breaches"),
        "boarding": _("In a boarding fight"),
        "crew": _("Your rowers"),
        "enemy": _("The enemy's rowers"),
        "archers": _("Archers"),
        "catapults": _("Catapults"),
        "stone_throwers": _("Stone throwers"),
        "range": _("Range"),
        "target": _("Crew of the target"),
        "turns": _("Turns"),
        "ships": _("Ships"),
        "modifier": _("Modifier"),
        "die": _("Die"),
        "heavy": _("heavy"),
        "medium": _("medium"),
        "light": _("light"),
        "points": _("Points"),
        "units": _("CUs that besiege or march"),
        "rolls": _("Rolls"),
        "rating": _("Battle rating"),
        "ratings": _("Generals of each battle rating"),
        "round": _("Round (column)"),
        "side": _("Side"),
        "skilled": _("Skilled at sea"),
        "corvus": _("With the corvus"),
        "bonus": _("Bonus of tactics cards"),
        "supremacy": _("With naval supremacy"),
        "attackers": _("Attackers"),
        "defenders": _("Defenders"),
    }
    return known.get(name, name.replace("_", " ").capitalize())


def result_word(name: str) -> str:
    """A part of a calculator's result."""
    known = {
        "attacker": _("Attacker"),
        "defender": _("Defender"),
        "neither": _("Neither: both crews fall"),
        "rounds": _("Last round of the fight"),
        "survivors": _("Marines left at the end"),
        "mean_survivors": _("Marines left on average"),
        "sunk": _("Sunk at once"),
        "sunk_this_turn": _("Sunk by the end of the turn"),
        "damage": _("Hull damage"),
        "rams": _("Rams"),
        "rammed": _("Is rammed"),
        "both": _("Both ram each other"),
        "kills": _("Kills"),
        "mean_kills": _("Kills on average"),
        "mean_damage": _("Hull damage on average"),
        "casualties": _("Who falls"),
        "open": _("Breaches still open"),
        "turns": _("Turn by turn"),
        "turn": _("Turn"),
        "out_of_reach": _("Out of reach"),
        "passes": _("Passes"),
        "returns": _("Returns"),
        "taken": _("City taken"),
        "stopped": _("Besieger too weak"),
        "goes_on": _("Siege goes on"),
        "points": _("Siege points"),
        "losses": _("Losses"),
        "mean_losses": _("Losses on average"),
        "rolls": _("Roll by roll"),
        "roll": _("Roll"),
        "elephant": _("An elephant among them"),
        "succeeds": _("Succeeds"),
        "fails": _("Fails"),
        "interceptors": _("Generals who succeed"),
        "hits": _("Ships struck"),
        "prize": _("One of them a prize"),
        "supremacy": _("Takes supremacy"),
        "ratio": _("Ratio"),
        "attacker_loses": _("Attacker loses"),
        "defender_loses": _("Defender loses"),
        "mean_attacker_loses": _("Attacker loses on average"),
        "mean_defender_loses": _("Defender loses on average"),
        "mean_attacker": _("Attacker, on average"),
        "mean_defender": _("Defender, on average"),
    }
    return known.get(name) or figure_word(name).capitalize()


def side_word(side: str) -> str:
    """A side of a campaign."""
    return {"rome": _("Rome"), "carthage": _("Carthage")}.get(side, side)


def command_words(system: str, kind: str) -> str:
    """A command as players say it, not as the program writes it."""
    if system != "galley":
        return command_title(system, kind)
    known = {
        "plot": _("Plot a speed"),
        "lock": _("Lock the plots"),
        "deploy": _("Deploy a ship"),
        "done": _("Done"),
        "step": _("Step"),
        "contact": _("Report a contact"),
        "hold": _("Hold"),
        "leave": _("Leaves the table"),
        "fire": _("Fire"),
        "finish": _("Nothing more now"),
        "ram": _("Ram"),
        "rake": _("Break her oars"),
        "board": _("Board"),
        "evade": _("Concede supremacy and leave"),
    }
    return known.get(kind) or command_title(system, kind)


def words() -> dict[str, object]:
    """All of them, for templates."""
    return {
        each.__name__: each
        for each in (
            source_word,
            status_word,
            kind_word,
            step_word,
            command_words,
            figure_word,
            odds_word,
            field_word,
            result_word,
            system_word,
            type_word,
            crew_word,
            nation_word,
            option_word,
            choice_word,
            side_word,
            chapter_word,
        )
    }
