"""The card of the sequence of play shows the engine's own steps."""

import pytest

from webapp.pages.reference.tables import play_box


@pytest.mark.parametrize(
    ("system", "step", "rule", "command"),
    [
        ("galley", "ram", "G6.1", "rake"),
        ("hannibal", "march", "movement.land.1", "besiege"),
        ("punic_wars", "campaign", "5.0", "attack"),
        ("punic_wars", "threat", "9.16", "invert"),
    ],
)
def test_each_step_stands_on_the_card_with_its_paragraph_and_commands(system, step, rule, command):
    box = next(box for box in play_box(system) if box.name == step)
    assert box.rule == rule and command in box.commands
