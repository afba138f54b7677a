"""Punic Wars as the pages show it."""

from webapp.presenting.presentation import Presentation
from webapp.systems.punic_wars import answers, presenter

PRESENTATION = Presentation(
    "punic_wars",
    picture=presenter.read,
    strip=presenter.strip,
    sentences=presenter.SENTENCES,
    acts=presenter.ACTS,
    soft=presenter.SOFT,
    loud=presenter.LOUD,
    together=presenter.TOGETHER,
    prompt=presenter.prompt,
    facts=presenter.facts,
    space=presenter.space,
    ledger=presenter.ledger,
    pieces=presenter.pieces,
    called=presenter.group_names,
    previews=presenter.previews,
    walk=answers.walk,
    goals=answers.answer_goals,
    answer=answers.SPEAKER.answer,
    recount=answers.SPEAKER.recount,
    worded=answers.SPEAKER.question,
    house="punic_wars/templates/_house.html",
    house_values=presenter.house_values,
)
