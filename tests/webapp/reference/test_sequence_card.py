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


def test_l3_5_what_only_a_battle_of_a_campaign_allows_is_not_on_the_card_of_battles():
    said = {box.name: box.commands for box in play_box("galley")}
    assert said["end"] == (), "the end of the turn goes by itself"
    assert "plot" in said["plot"] and not {"evade", "deploy"} & {
        each for commands in said.values() for each in commands
    }
