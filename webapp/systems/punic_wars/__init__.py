"""Punic Wars as the pages show it."""

from webapp.systems.presentation import Presentation
from webapp.systems.punic_wars import march, messages, presenter

PRESENTATION = Presentation(
    "punic_wars",
    picture=presenter.read,
    strip=presenter.strip,
    sentences=messages.SENTENCES,
    soft=messages.SOFT,
    prompt=presenter.prompt,
    facts=presenter.facts,
    space=presenter.space,
    ledger=presenter.ledger,
    called=presenter.called,
    previews=presenter.previews,
    walk=march.walk,
)
