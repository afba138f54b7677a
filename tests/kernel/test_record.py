"""Types are learned before threads may read them."""

from __future__ import annotations

from tactical.kernel.record import Record, learn_types


def test_every_type_is_learned_once_it_is_defined():
    class Late(Record, frozen=True):
        other: str = ""

    before = learn_types()

    class Later(Late, frozen=True):
        more: tuple[Late, ...] = ()

    class Strange(Record, frozen=True):
        of: object = None
        does: type[object] | None = None

    assert learn_types() == before + 2
    assert Later.__mro__[1] is Late and Strange.__mro__[1] is Record
