"""Every kind of event, said in three languages from samples, is what a reader approved: tests/approved/events_*.txt.

The samples follow the words of an event's fields: a plural side and a feminine name, one, two, five and none, a list of
one, of two and an empty one; for what a function says, for the link and for captains they stand in tests/kit/told_samples.py.
`APPROVE=1 pytest tests/webapp/test_approved_events.py` writes the files anew: read the difference before it is committed.
"""

from __future__ import annotations

import os
import re
from functools import partial
from pathlib import Path

import pytest
from flask_babel import force_locale
from msgspec.structs import replace

from kit.told_samples import DECIDED, IN_A_CAMPAIGN, LINK, OUTMATCHED, REASON
from tactical.captains import Reason
from tactical.kernel.protocol import kinds
from tactical.position import read_position
from tactical.setup import all_scenarios, position_of
from webapp.captains.hints import TELLERS as CAPTAINS
from webapp.captains.hints import sentence as reason_told
from webapp.pages.battle.results import say as say_of_battle
from webapp.pages.battle.results import sentence as say_event
from webapp.presenting.sentences import Teller, conditions
from webapp.systems.hamilcar.presenter import SENTENCES as HAMILCAR
from webapp.systems.hannibal.presenter import SENTENCES as HANNIBAL
from webapp.systems.messages import LINK as LINK_TOLD
from webapp.systems.open_campaign.presenter import SENTENCES as OPEN_CAMPAIGN
from webapp.systems.punic_wars.presenter import SENTENCES as PUNIC_WARS
from webapp.systems.sword_of_rome.presenter import SENTENCES as SWORD_OF_ROME

APPROVED = Path(__file__).parents[1] / "approved"
NUMBERS = (1, 2, 5, 0)
MONEY = (100, 200, 500, 250)  # hundredths of a talent
PARTS = {
    "galley": ("galley",),
    "hannibal": ("point_to_point", "hannibal"),
    "hamilcar": ("point_to_point", "hamilcar"),
    "sword_of_rome": ("approval", "sword_of_rome"),
    "punic_wars": ("punic_wars",),
    "open_campaign": ("open_campaign",),
}
TOLD = {"hannibal": HANNIBAL, "hamilcar": HAMILCAR, "sword_of_rome": SWORD_OF_ROME, "punic_wars": PUNIC_WARS}
TOLD |= {"open_campaign": OPEN_CAMPAIGN}
NAMES = {
    "galley": {"side": ("rome", "carthage"), "ship": ("r1", "c1"), "hex": ([3, 2], [6, 2]), "step": ("fire", "ram")},
    "hannibal": {"side": ("rome", "carthage"), "space": ("syracuse", "capua"), "general": ("hannibal", "hanno")},
    "hamilcar": {
        "card": (38,),
        "side": ("carthage", "rome"),
        "space": ("lilybaeum", "messana"),
        "general": ("hamilcar_barca", "gaius_duilius"),
    },
    "sword_of_rome": {
        "side": ("romans", "gauls"),
        "space": ("thurii", "fregellae"),
        "general": ("pyrrhus", "camillus"),
    },
    "punic_wars": {
        "side": ("syracuse", "rome"),
        "space": ("3315", "0612", "0104", "2516"),
        "region": ("Sicilia", "Bruttium"),
        "general": ("ra", "ca"),
    },
    "open_campaign": {"side": ("cretans", "rome"), "space": ("messana", "ostia_portus")},
}
LISTED = {
    ("galley", "ship"): ("c2", "r2"),
    ("sword_of_rome", "space"): ("capua", "roma"),
}  # a list without the event's own
COMPANION = {"hannibal": "mago", "hamilcar": "himilco", "sword_of_rome": "timoleon"}
NEVER_NONE = ("behind", "reinforced", "reinforcements_lost", "troops_raised")  # no rule makes one of nothing
MAY_BE_NONE = (
    "bid",
    "bids",
    "fight",
    "naval_combat",
    "plot",
    "points",
    "set_points",
    "set_unrest",
    "siege_points",
    "siege_roll",
    "supplied",
    "taxes",
    "war_budget",
)  # in others a rule says nothing when a number is 0
FEWEST = 4  # stands for 0 there
OF_A_TOWN = re.compile(
    "the (?:port|walls) of|with the city|relie|builds|raises"
)  # said only of a hex with a settlement
ALIKE = {"power": "side", "leader": "general"}
FIELDS = {
    "lost": {"carthage": 1, "rome": 2},
    "losses": {"carthage": 3, "rome": 2},
    "ratio": "3:1",
    "result": "revolt",
    "scenario": "1",
    "date": "-260-06-05",
    "fate": "drowned",
    "admiral": "Aristo",
    "fleet": "Aristo",
    "name": "Red",
    "owner": "Anna",
    "ship": "Aquila",
    **dict.fromkeys(("label", "text", "when", "why"), "…"),  # what a person writes
}
PLAIN = {
    "cause": "sea",
    "phase": "campaign",
    "heading": "N",
    "aspect": "side",
    "level": "advise",
    "signed": 1,
    "card": 5,
    "table": {},
    "list": [],
    "units": 2,
}


def sample(system: str, word: str, number: int) -> object:
    """A value for a field of this word: the sample of this number."""
    names = NAMES[system]
    word = ALIKE.get(word, word)
    single = ALIKE.get(word[:-1], word[:-1])
    if word == "number":
        return NUMBERS[number]
    if word == "money":
        return MONEY[number]
    if word == "flag":
        return number % 2 == 0
    if word in names:
        return names[word][number % len(names[word])]
    if single in names:
        return [*LISTED.get((system, single), reversed(names[single][:2]))][
            : 2 if word == "sides" else (1, 2, 2, 0)[number]
        ]  # who meets is two
    if word == "texts" or word == "ships":
        return ["Aquila", "Lupa"][: (1, 2, 2, 0)[number]]
    return PLAIN.get(word, [3, 2] if word == "numbers" else "frontal_assault" if word == "battle_card" else "x")


def others_before(words: dict[str, str], field: str) -> int:
    """How many fields of its meaning stand before a field that names something: each has another name."""
    kind = ALIKE.get(words[field], words[field])
    before = [ALIKE.get(word, word) for name, word in words.items() if name != field][: list(words).index(field)]
    return before.count(kind) if kind in ("side", "space", "general", "ship", "hex") else 0


def samples(system: str):
    """Each kind with a sentence, its condition, and the events that are samples of it."""
    for name, kind in sorted(kinds(*PARTS[system]).items()):
        cases = {"else": kind.sentence} if isinstance(kind.sentence, str) else kind.sentence
        words = {field: word.rstrip("?") for field, word in kind.fields.items()}
        spoken = [case for case, text in cases.items() if text]
        for place, condition in enumerate(spoken):
            wanted = dict(conditions(condition))
            asked = {field for case in spoken[:place] for field, _ in conditions(case)}  # these do not hold
            for number in range(len(NUMBERS)):
                if name in NEVER_NONE and number == 3:
                    continue
                it = {
                    field: sample(system, word, (number + others_before(words, field)) % 4)
                    for field, word in words.items()
                }
                if name not in MAY_BE_NONE:
                    it = {field: FEWEST if value == 0 and value is not False else value for field, value in it.items()}
                if OF_A_TOWN.search(cases[condition]):
                    it = {field: "2516" if value == "0104" else value for field, value in it.items()}
                it |= {
                    field: value
                    for field, value in FIELDS.items()
                    if words.get(field) in ("table", "text") and field in it
                }
                it |= {field: None for field in asked - set(wanted)}
                for field, value in wanted.items():
                    have = it.get(field) or sample(system, words.get(field, field), 0)
                    it[field] = have if value is None else False if value == "False" else value
                if it.get("companions"):
                    it["companions"] = [COMPANION[system]]
                if name == "tactic":
                    it["card"] = "fair_wind"
                if name == "set_event":
                    it["event"] = "appian_way"
                if it.get("broken_up"):
                    it["broken_up"] = ["Tanit"]
                if system == "punic_wars" and it.get("to") == "syracuse":  # it never joins itself
                    it["to"] = "carthage"
                if name == "consuls" and it.get("leaders") and system == "punic_wars":
                    it["leaders"] = ["ra", "rb"][: len(it["leaders"])]
                if name == "battle_rolled":
                    it["totals"] = [17, 12]
                if name in ("dropped", "picked_up") and it["units"] is None and it["leaders"] is None:
                    it["units"] = NUMBERS[number % 3]
                if name == "political_loss" and condition == "pcs":
                    it["lost"] = 2 * it["pcs"]
                yield name, condition, {"type": name, **it}


def lines(system: str) -> list[str]:
    """What is said of all samples, each once."""
    battle = read_position(position_of(all_scenarios()["mylae"]), {})
    greeks = {side: each if side == "carthage" else replace(each, name="Greeks") for side, each in battle.sides.items()}
    battle = replace(battle, sides=greeks)
    tellers = {name: Teller(kind) for name, kind in kinds(*PARTS[system]).items()}
    found: dict[str, None] = {}
    for name, condition, it in samples(system):
        told = (
            tellers[name].tell(it, partial(say_of_battle, battle), {}) if system == "galley" else TOLD[system][name](it)
        )
        found[f"{name}{'' if condition == 'else' else f' ({condition})'}: {told}"] = None
    for it in DECIDED.get(system, ()):
        told = say_event(battle, it["type"], it) if system == "galley" else TOLD[system][it["type"]](it)
        found[f"{it['type']} (by a function): {told}"] = None
    if system == "galley":
        found |= {f"captain {kind}: {told}": None for kind, told in reasons_told(battle)}
    return [*found, *(f"link {it['type']}: {LINK_TOLD[it['type']](system, it)}" for it in LINK.get(system, ()))]


def reasons_told(battle):
    """What a captain says for each kind of reason."""
    for kind, teller in CAPTAINS.items():
        about = IN_A_CAMPAIGN if {"general", "space"} & set(teller.words) else REASON
        data = {field: about[field] for field in teller.words}
        if kind in OUTMATCHED:
            data |= {"mine": about["theirs"], "theirs": about["mine"]}
        system = "hamilcar" if about is IN_A_CAMPAIGN else "galley"
        yield kind, reason_told(Reason(kind, data, None, 0.65), battle if system == "galley" else None, system).text


@pytest.mark.parametrize("language", ["en", "it", "ru"])
def test_events_are_said_as_a_reader_approved(app, language):
    with app.test_request_context(), force_locale(language):
        said = "".join(f"== {system}\n" + "".join(f"{each}\n" for each in lines(system)) + "\n" for system in PARTS)
    path = APPROVED / f"events_{language}.txt"
    if os.environ.get("APPROVE"):
        path.write_text(said)
    assert said == path.read_text()
    assert not re.search(r": .*(%\(|None)", said)


# Words of docs/words.md that are ruled out and have no other meaning in an event.
RULED_OUT = {
    "it": "logoramento|fuori gioco|perizia navale|arte marinaresca|armat[ae]|salmeri[ae]|tren[oi]|lotta|giornale|raggruppa",
    "ru": "вожд|вне игры|вытеснен|погон|истощени|осадн\\w+ обоз|шестиугольник|карт\\w* (боя|битвы)\\b|обломк|выучк|перестро",
}


@pytest.mark.parametrize("language", RULED_OUT)
def test_no_event_is_said_in_a_word_that_is_ruled_out(language):
    text = (APPROVED / f"events_{language}.txt").read_text()
    assert re.findall(rf"(?i)^.*\b(?:{RULED_OUT[language]}).*$", text, re.MULTILINE) == []
