"""The Sword of Rome as the pages show it."""

from webapp.presenting.presentation import Presentation
from webapp.systems.sword_of_rome import answers, goals, march, messages, presenter, stakes, switches

PRESENTATION = Presentation(
    "sword_of_rome",
    picture=presenter.read,
    strip=presenter.strip,
    sentences=messages.SENTENCES,
    soft=messages.SOFT,
    loud=messages.LOUD,
    together=messages.TOGETHER,
    hand=presenter.hand,
    prompt=presenter.prompt,
    facts=presenter.facts,
    previews=presenter.previews,
    walk=march.walk,
    goals=goals.answer_goals,
    switches=switches.switches,
    command_of=switches.declaration,
    stakes=stakes.stakes,
    answer=answers.answer,
    recount=answers.recount,
    worded=answers.question_of,
)
