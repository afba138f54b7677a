"""The events of the open campaign as sentences in the reader's language: data/events/open_campaign.toml."""

from __future__ import annotations

from tactical.kernel.vocabulary import kinds
from webapp.presenting.event_words import saying
from webapp.presenting.sentences import sentences, weighing

KINDS = kinds("open_campaign")
SENTENCES = sentences(KINDS, saying("open_campaign"), {})
LOUD = weighing(KINDS, "loud")
SOFT = weighing(KINDS, "soft")
