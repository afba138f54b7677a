"""Punic Wars as the pages show it."""

from webapp.presenting.presentation import Presentation
from webapp.presenting.spoken import told
from webapp.systems.punic_wars import answers, presenter

PRESENTATION = Presentation(
    "punic_wars",
    picture=presenter.read,
    strip=presenter.strip,
    sentences=presenter.SENTENCES,
    **told(presenter.KINDS, answers.SPEAKER),
    prompt=presenter.prompt,
    facts=presenter.facts,
    space=presenter.space,
    ledger=presenter.ledger,
    pieces=presenter.pieces,
    called=presenter.group_names,
    previews=presenter.previews,
    walk=answers.walk,
    goals=answers.answer_goals,
    house="punic_wars/templates/_house.html",
    house_values=presenter.house_values,
)
