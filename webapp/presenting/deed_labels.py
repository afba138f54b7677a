"""What a seat must do, after "must": one phrase for each question, in the reader's language.

A system's own phrases stand in the table `deeds` of `data/<system>/words.toml` and come first. A phrase may name the
army that comes (`enemy`) and the battle card that lies there (`card`); its gaps are those of a sentence.
"""

from __future__ import annotations

from flask_babel import lazy_gettext as _l

from webapp.presenting.campaign_labels import Words, own_word
from webapp.presenting.words import words_of

ROLL, ACT = "roll", "act"
DEEDS: Words = {
    "act": _l("act"),
    "attack": _l("play a battle card"),
    "avoid": _l("avoid %(enemy.acc)s or stand"),
    "battle_events": _l("say whether to play battle events"),
    "budget": _l("spend the budget"),
    "campaign": _l("move the next general or end the campaign"),
    "cancel": _l("say whether to stop the withdrawal"),
    "card": _l("play a card"),
    "choose": _l("choose for the card that was played"),
    "command": _l("say who commands"),
    "commander": _l("say who commands the defence"),
    "counter": _l("say whether to play a counter-event"),
    "counter_attack": _l("say whether to roll for the initiative"),
    "elephants": _l("say whether the elephants charge"),
    "engagement": _l("say how the meeting at sea is settled"),
    "first_player": _l("say who plays first"),
    "intercept": _l("say whether to intercept %(enemy.acc)s"),
    "intercepted": _l("fight or go back"),
    "join": _l("say whether to come out and join the battle"),
    "land": _l("say where the general lands"),
    "losses": _l("choose the losses"),
    "march": _l("move the army"),
    "march_of": _l("move %(enemy.acc)s"),
    "match": _l("answer the card %(card)s"),
    "move": _l("move the army"),
    "open": _l("say whether to open with a campaign card"),
    "place_consul": _l("place the consuls"),
    "place_general": _l("place a general"),
    "proconsul": _l("name a proconsul"),
    "pursuit": _l("say whether to pursue %(enemy.acc)s"),
    "put": _l("place control markers"),
    "reinforce": _l("place reinforcements"),
    "remove": _l("take markers off the map"),
    "retreat": _l("say where to retreat"),
    "return": _l("bring displaced generals back"),
    "roll": _l("throw the dice"),
    "take_initiative": _l("say whether to take the initiative"),
    "who_first": _l("say who plays first"),
}


def phrase(system: str, kind: str) -> str:
    """The phrase for a question, a phase or a step; "act" where there is none."""
    own = words_of(system).deeds
    return own_word(kind, own, DEEDS) or own_word(ACT, own, DEEDS)
