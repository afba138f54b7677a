"""Hannibal's events as sentences in the reader's language: data/events/hannibal.toml and the land war's."""

from __future__ import annotations

from tactical.kernel.vocabulary import kinds
from webapp.presenting.sentences import together, weighing
from webapp.systems import land_war

KINDS = kinds("point_to_point", "hannibal")
SENTENCES = land_war.sentences_of("hannibal", KINDS, {})
LOUD = weighing(KINDS, "loud")
SOFT = weighing(KINDS, "soft")
TOGETHER = together(KINDS)
