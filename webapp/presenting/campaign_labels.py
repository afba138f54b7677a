"""The words that campaigns share: sides, commands, fields, phases, prompts, deeds, the link."""

from __future__ import annotations

from collections.abc import Mapping

from flask_babel import lazy_gettext as _l
from flask_babel import ngettext, pgettext
from flask_babel.speaklater import LazyString

from strategic.naval.engagement import Engagement
from tactical.kernel.questions import commands, questions
from webapp.http.language import gettext
from webapp.http.language import gettext as _
from webapp.presenting.labels import all_words, translate, words_of

# -- The words that campaigns share, in the reader's language: sides, commands, fields, phases, prompts.
#
# A system's own words stand in `data/<system>/words.toml` and come first. What has no word yet is shown by its own id
# with its underscores as spaces, so that nothing is hidden.

Words = dict[str, LazyString]

SIDES: Words = {
    "rome": _l("Rome"),
    "carthage": _l("Carthage"),
    "umpire": _l("Umpire"),
    "spectator": _l("Spectator"),
    "independent": _l("Independent"),
    "neutral": _l("Neutral"),
}

FIELDS: Words = {
    "allow": _l("The army may go"),
    "amount": _l("Amount"),
    "as_kind": _l("Played as"),
    "at": _l("Where"),
    "card": _l("Card"),
    "choice": _l("Choice"),
    "companions": _l("With him"),
    "count": _l("How many"),
    "dice": _l("Dice"),
    "elephants": _l("Elephants"),
    "elephants_inside": _l("Elephants into the city"),
    "from": _l("From"),
    "general": _l("General"),
    "generals": _l("Generals"),
    "group": _l("Group"),
    "hex": _l("Hex"),
    "inside": _l("Inside the walls"),
    "kind": _l("Kind"),
    "land": _l("Land points"),
    "leader": _l("Leader"),
    "leaders": _l("Leaders"),
    "line": _l("Line"),
    "losses": _l("Losses"),
    "naval": _l("Naval points"),
    "number": _l("Number"),
    "photo": _l("Photo"),
    "course": _l("Course"),
    "points": _l("Points"),
    "province": _l("Province"),
    "region": _l("Region"),
    "ships": _l("Ships"),
    "side": _l("Side"),
    "space": _l("Space"),
    "target": _l("Target"),
    "to": _l("To"),
    "trains": _l("Supply trains"),
    "turn": _l("Turn"),
    "units": _l("Units"),
    "units_inside": _l("Units into the city"),
    "use": _l("Used for"),
    "why": _l("Why"),
    "winner": _l("Winner"),
    "result": _l("Result"),
    "sum": _l("Sum"),
    "roll": _l("Roll"),
    "attacker": _l("Attacker"),
    "by": _l("By"),
    "city": _l("City"),
    "coast": _l("Coast"),
    "flank": _l("As a flank march, if the others grant it"),
    "force": _l("Force"),
    "how": _l("How"),
    "left": _l("Still to do"),
    "lost": _l("Lost"),
    "modifier": _l("Modifier"),
    "moment": _l("Moment"),
    "plain": _l("Open space"),
    "port": _l("Port"),
    "sea": _l("Sea"),
    "start": _l("From"),
    "success": _l("Success"),
    "tribe": _l("Tribe"),
    "walled_city": _l("Walled city"),
    "walled": _l("Walled city"),
    "box": _l("Box beside the map"),
    "tribal": _l("Tribe"),
    "spaces": _l("Spaces"),
    "url": _l("Address"),
    "text": _l("Text"),
    "file": _l("File"),
    "path": _l("Field"),
    "for": _l("For"),
    "declared": _l("Declared"),
    "consuls": _l("Consuls"),
    "value": _l("Value"),
    "revenue": _l("Revenue"),
    "supply": _l("Supply"),
    "normal": _l("Open space"),
    "mountain": _l("Mountain"),
    "river": _l("River"),
    "phase": _l("Phase"),
    "player": _l("Player"),
    "seat": _l("Seat"),
    "cards": _l("Cards"),
    "control": _l("Control"),
    "cause": _l("Cause"),
    "models_per_unit": _l("Models for each unit"),
    "nation": _l("Nation"),
    "way": _l("Method"),
    "in_force": _l("In force"),
    "level": _l("Level"),
}

PHASES: Words = {
    "activation": _l("Activation"),
    "bidding": _l("Bids"),
    "combat": _l("Combat"),
    "deal": _l("Cards"),
    "diplomacy": _l("Diplomacy"),
    "end": _l("End"),
    "first": _l("Who begins"),
    "isolation": _l("Isolation"),
    "leaders": _l("Leaders"),
    "losses": _l("Losses"),
    "movement": _l("Movement"),
    "over": _l("Over"),
    "recruiting": _l("Recruiting"),
    "reinforcements": _l("Reinforcements"),
    "removal": _l("Removal"),
    "setup": _l("Set-up"),
    "strategy": _l("Strategy"),
    "supply": _l("Supply"),
    "taxes": _l("Taxes"),
    "treasury": _l("Treasury"),
    "victory": _l("Victory"),
    "winter": _l("Winter"),
    "attrition": _l("Attrition"),
    "recruitment": _l("Recruiting"),
    "elections": _l("Elections"),
    "control": _l("Control"),
    "battle": _l("Battle"),
    "campaign": _l("Campaign"),
    "election": _l("Election"),
    "recruit": _l("Recruiting"),
    "tax": _l("Taxes"),
}

KINDS: Words = {"land": _l("land points"), "naval": _l("naval points")}  # of forces
VALUES: dict[str, Words] = {  # what is chosen in a field, where it has no name of its own
    "what": {"ship": _l("a ship"), "unit": _l("a unit")},
    "line": {"ship": _l("a ship"), "unit": _l("a unit"), "generals": _l("generals"), "council": _l("the Council")},
    "target": {"ships": _l("the warships"), "transports": _l("the transports")},
    "kind": {
        "maharbal": _l("Maharbal's cavalry"),
        "seamanship": _l("seamanship"),
        "corvus": _l("the corvus"),
        "ship": _l("a ship"),
        "repair": _l("repairs"),
        "none": _l("nothing"),
    },
    "choice": {"land": _l("on land"), "home": _l("back to the last port")},
}


def prompt_word(system: str, kind: str) -> str:
    """A question in mid-rule, or what is done in a box of the turn; "" of the toy of a test has its own id."""
    row = questions(system).get(kind)
    return gettext(row.title) if row and row.title else sentence_case(kind)


USES = {
    "ops": _l("for its points"),
    "event": _l("as an event"),
    "force_march": _l("as a forced march"),
    "africa": _l("for Africa"),
    "supremacy": _l("for naval supremacy"),
    "draw": _l("to draw a card"),
}


def use_word(use: str) -> str:
    """What a card is played for; empty when we have no word for it."""
    return str(USES[use]) if use in USES else ""


def kind_word(kind: str) -> str:
    """A kind of force; empty when it is none."""
    return str(KINDS[kind]) if kind in KINDS else ""


def own_word(what: str, own: Mapping[str, str], shared: Words) -> str:
    """A system's own word for something, else the shared one; empty when there is none."""
    return translate(own[what]) if what in own else str(shared.get(what, ""))


def value_word(field: str, value: str) -> str:
    """What is chosen in a field, in words; empty when it goes by a name."""
    words = VALUES.get(field, {})
    return str(words[value]) if value in words else ""


def side_word(side: str) -> str:
    """A side or seat; empty when it is none."""
    own = next((words.sides for words in all_words() if side in words.sides), {})
    return own_word(side, own, SIDES)


def command_word(system: str, kind: str) -> str:
    """A command by its kind; empty when we have no word for it."""
    row = commands(system).get(kind)
    return gettext(row.title) if row and row.title else ""


def command_title(system: str, kind: str) -> str:
    """A command's kind as a heading, always with some word."""
    return command_word(system, kind) or sentence_case(kind)


def known_field(system: str, field: str) -> str:
    """A field of a command or an event; empty when we have no word for it."""
    return own_word(field, words_of(system).fields, FIELDS)


def field_word(system: str, field: str) -> str:
    """A field of a command or an event."""
    return known_field(system, field) or sentence_case(field)


def phase_word(system: str, phase: str) -> str:
    """A phase or step of the turn."""
    return own_word(phase, words_of(system).phases, PHASES) or sentence_case(phase)


def sentence_case(text: str) -> str:
    """An id as words with a capital."""
    words = text.replace("_", " ")
    return words[:1].upper() + words[1:]


def seat_word(seat: str) -> str:
    """A seat, by its word or its own id."""
    return side_word(seat) or translate(sentence_case(seat)) or gettext("nobody")


def seat_name(state: object, seat: str) -> str:
    """A seat by its own name in a game, such as its organizer has given to players and sides; else its word."""
    for part in ("players", "sides"):
        held = getattr(state, part, None)
        own = getattr(held.get(seat), "name", "") if isinstance(held, Mapping) else ""
        if own:
            return translate(own)
    return seat_word(seat)


# -- What a seat must do, after "must": one phrase for each question, in the reader's language.
#
# They are the deeds of `data/questions/<system>.toml`. A phrase may name the
# army that comes (`enemy`) and the battle card that lies there (`card`); its gaps are those of a sentence.

ROLL, ACT = "roll", "act"


def phrase(system: str, kind: str) -> str:
    """The phrase for a question, a phase or a step; "act" where there is none."""
    own, shared = questions(system), questions("kernel")
    row = own.get(kind) or shared.get(kind) or own.get(ACT)
    return gettext(row.deed if row and row.deed else shared[ACT].deed)


# -- L1.2, L2.2 The words of the link: the ways to settle, and the levels of seamanship.


def way_word(way: str) -> str:
    """L1.2 The three ways."""
    known = {
        "own_table": _("The game's dice table"),
        "battle": _("A battle in this program"),
        "report": _("A report of a battle on another table"),
    }
    return known.get(way, way)


def consent_word(engagement: Engagement) -> str:
    """L1.2 Whose consent is needed, as the group has said at the start."""
    if engagement.deciding == "umpire":
        return _("In this campaign the umpire decides how a meeting at sea is settled.")
    if engagement.deciding == "table":
        return _(
            "In this campaign fleets fight their battles in this program, unless both sides agree on something else."
        )
    if engagement.deciding == "both":
        return _("Both sides must choose the same. A side that has chosen must wait for the other.")
    return _("The game's dice table needs nobody's consent; a battle or a report needs both sides'.")


def abandon_word() -> str:
    """L1.2.a Leaving a battle that is on the table."""
    return _("Abandon it: the game's dice table decides")


def level_word(level: str) -> str:
    """A level of seamanship."""
    poor = pgettext("seamanship", "poor")  # the rowers' word is another in some languages
    known = {"poor": poor, "fair": _("fair"), "good": _("good"), "excellent": _("excellent")}
    return known.get(level, level)


def lost_word(how: str) -> str:
    """How ships were lost."""
    known = {"sunk": _("sunk"), "storm": _("storm"), "winter": _("winter at sea"), "port": _("with their port")}
    return known.get(how) or how.replace("_", " ")


# -- What the fields of a campaign's position and their values are called, for the umpire's hand.

FIELDS_OF_STATES: Words = {
    "active": _l("Who acts"),
    "opening": _l("Card that opened the turn"),
    "discard": _l("Discarded cards"),
    "removed": _l("Cards out of the game"),
    "preferred": _l("Preferred provinces"),
    "hands": _l("Hand"),
    "status": _l("Where he is"),
    "board": _l("on the map"),
    "dead": _l("dead"),
    "displaced": _l("displaced"),
    "pool": _l("in the pool"),
    "waiting": _l("still to come"),
    "rank": _l("Rank"),
    "consul": _l("consul"),
    "proconsul": _l("proconsul"),
    "siege": _l("Siege points"),
    "besieger": _l("Besieger"),
}
WORDS: Words = FIELDS | PHASES | FIELDS_OF_STATES


def position_word(system: str, field: str) -> str:
    """A field of a position, or one of its values; empty when it has no word."""
    return own_word(field, words_of(system).position, WORDS)


def extra_words(letter: str, count: int) -> str:
    """What a counter shows by a letter and a number, in words: elephants, supply trains, naval points."""
    known = {
        "E": ngettext("%(num)d elephant", "%(num)d elephants", count),
        "T": ngettext("%(num)d supply train", "%(num)d supply trains", count),
        "N": ngettext("%(num)d naval point", "%(num)d naval points", count),
    }
    return known.get(letter, f"{letter} {count}")
