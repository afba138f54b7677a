"""The open campaign as the pages show it."""

from __future__ import annotations

from webapp.presenting.presentation import Presentation
from webapp.presenting.spoken import told
from webapp.systems.open_campaign import presenter
from webapp.systems.open_campaign.dispatch import dispatch_lines, without_repeats
from webapp.systems.open_campaign.orders import read_lines

PRESENTATION = Presentation(
    "open_campaign",
    picture=presenter.read,
    strip=presenter.strip,
    sentences=presenter.SENTENCES,
    **told(presenter.KINDS),
    answer=presenter.SPEAKER.answer,
    facts=presenter.facts,
    ledger=presenter.ledger,
    space=presenter.space,
    prompt=presenter.meeting_question,
    dispatch=dispatch_lines,
    lines=read_lines,
    requests=presenter.requests,
    without_repeats=without_repeats,
    players_page="open_orders.page",
    umpires_page="open_desk.page",
    elsewhere=frozenset(("order", "cancel_order", "ready")),
)
