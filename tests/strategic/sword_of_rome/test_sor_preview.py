"""10 Interception shown before the move: for each step who may, with which chance, who may not, and why."""

import pytest

from kit.legions import army, do, intercept, march, may_intercept, position, tried
from strategic.sword_of_rome.rules.preview import preview
from tactical.kernel.record import BadInput, encode


def state_of():
    return position(
        army("romans", "roma", 5, "claudius"),
        army("gauls", "praeneste", 4, "brennus", "minor_gauls_a"),
        army("greeks", "antium", 3, "timoleon"),
        army("volsci", "tarracina", 2, "minor_volsci_a"),
        army("samnites", "aufidena", 3, "egnatius"),
    )


def test_10_3_the_preview_names_interceptors_in_tie_order_with_their_chances():
    (step,) = preview(state_of(), "claudius", ["velitrae"])
    assert [(each.power, each.space, each.rule) for each in step.may] == [
        ("gauls", "praeneste", "10.3.b"),
        ("greeks", "antium", "10.3.b"),
    ]
    brennus, minor = step.may[0].leaders
    assert (brennus.commands, brennus.most, brennus.faces, brennus.modifier) == (True, 4, 2, 1)
    assert (minor.commands, minor.most, minor.faces) == (False, 3, 0)


def test_10_2_the_preview_says_why_not():
    (step,) = preview(state_of(), "claudius", ["velitrae"])
    assert [(each.power, each.rule) for each in step.may_not] == [("volsci", "10.3")]
    (flank,) = preview(state_of(), "claudius", ["velitrae"], flank=True)
    assert not flank.may and {each.rule for each in flank.may_not} == {"10.2.e"}


def test_10_1_the_preview_follows_the_path_and_tells_whom_it_attacks():
    first, second = preview(state_of(), "claudius", ["velitrae", "fregellae"])
    assert (first.cost, second.cost) == (1, 1)
    assert [each.power for each in second.may] == ["gauls", "samnites"]
    (attack,) = preview(state_of(), "claudius", ["antium"])
    assert attack.attacks == "greeks" and {each.rule for each in attack.may_not} == {"10.2.c"}


def test_9_6_3_the_preview_shows_voyages():
    (step,) = preview(state_of(), "timoleon", ["neapolis"])
    assert (step.by, step.cost) == ("sea", 3)


def test_10_the_preview_agrees_with_the_rules_at_every_step():
    """What it promises is what the seats are then asked."""
    state = state_of()
    steps = preview(state, "claudius", ["velitrae", "fregellae"])
    moving = march(state, "romans", "claudius", "velitrae")
    for number, step in enumerate(steps):
        for each in step.may:
            assert may_intercept(moving, each.power, each.space) == ""
        assert {prompt.seat for prompt in moving.pending} == {each.seat for each in step.may}
        if number == 0:
            moving = do(intercept(intercept(moving, "gauls"), "greeks"), "romans", "step", to="fregellae")


def test_10_the_preview_changes_nothing_and_sees_no_secret():
    state = march(state_of(), "romans", "claudius", "velitrae")
    declared = intercept(state, "gauls", tried("gauls", "praeneste", "brennus", 4))
    passed = intercept(state, "gauls")
    before = encode(declared)
    assert encode(preview(declared, "claudius", ["fregellae"])) == encode(preview(passed, "claudius", ["fregellae"]))
    assert encode(declared) == before


@pytest.mark.parametrize(
    "leader, path, field",
    [("pyrrhus", ["velitrae"], "leader"), ("claudius", ["atlantis"], "path[0]"), ("claudius", ["capua"], "path[0]")],
)
def test_10_the_preview_names_what_it_does_not_understand(leader, path, field):
    with pytest.raises(BadInput) as error:
        preview(state_of(), leader, path)
    assert error.value.path == field
