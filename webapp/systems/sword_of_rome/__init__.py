"""The Sword of Rome as the pages show it."""

from webapp.presenting.presentation import Presentation
from webapp.presenting.spoken import told
from webapp.systems.sword_of_rome import answers, presenter

PRESENTATION = Presentation(
    "sword_of_rome",
    picture=presenter.read,
    strip=presenter.strip,
    sentences=presenter.SENTENCES,
    **(told(presenter.KINDS, answers.SPEAKER) | {"recount": answers.recount}),
    hand=presenter.hand,
    prompt=presenter.prompt,
    facts=presenter.facts,
    previews=presenter.previews,
    walk=answers.walk,
    goals=answers.answer_goals,
    switches=answers.switches,
    command_of=answers.declaration,
    stakes=answers.stakes,
)
