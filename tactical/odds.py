"""Exact odds, reckoned with the same tables and functions that the rules use."""

from __future__ import annotations

from collections.abc import Callable, Hashable, Mapping
from dataclasses import dataclass
from fractions import Fraction
from functools import lru_cache, wraps
from itertools import repeat
from typing import Any, Literal, ParamSpec, TypeVar

import msgspec
import numpy as np
from numpy.typing import NDArray

from tactical.kernel.protocol import Illegal
from tactical.kernel.record import BadInput
from tactical.rules.boarding import HITS, lightest_fall, verdict
from tactical.rules.boarding import TABLE as BOARDING
from tactical.rules.end_of_turn import REPAIR, closes
from tactical.rules.missiles import MISSILES, WEAPONS, kill
from tactical.rules.ramming import RAM, head_on, ram_damage
from tactical.ship import CREWS, MARINES, TYPES, Ship

# -- Chances as exact fractions: pools of equal dice by convolution, and how a distribution is written down.

T = TypeVar("T", bound=Hashable)
Chances = dict[T, Fraction]

SIDES = 6
LARGEST_DENOMINATOR = SIDES**6  # beyond six dice a fraction tells a reader less than its decimal


def of_die(outcome: Callable[[int], T], sides: int = SIDES) -> Chances[T]:
    """The chance of each outcome of one die."""
    found: Chances[T] = {}
    for face in range(1, sides + 1):
        what = outcome(face)
        found[what] = found.get(what, Fraction(0)) + Fraction(1, sides)
    return found


def of_faces(faces: tuple[int, ...], sides: int = SIDES) -> Fraction:
    """The chance that a die shows one of these faces."""
    return Fraction(sum(1 for face in faces if 1 <= face <= sides), sides)


def both(one: Chances[T], other: Chances[T], join: Callable[[T, T], T]) -> Chances[T]:
    """Two independent throws taken together."""
    found: Chances[T] = {}
    for first, p in one.items():
        for second, q in other.items():
            what = join(first, second)
            found[what] = found.get(what, Fraction(0)) + p * q
    return found


def map_outcomes(chances: Mapping[T, Fraction], into: Callable[[T], Any]) -> dict[Any, Fraction]:
    """The same chances of what each outcome leads to, in the order of the outcomes."""
    found: dict[Any, Fraction] = {}
    for what, p in chances.items():
        key = into(what)
        found[key] = found.get(key, Fraction(0)) + p
    return found


def successes(dice: int, faces: tuple[int, ...]) -> Chances[int]:
    """How many of so many dice show one of these faces."""
    weights = pool([(dice, faces)])
    whole = SIDES**dice
    return {count: Fraction(int(weight), whole) for count, weight in enumerate(weights) if weight}


def pool(groups: list[tuple[int, tuple[int, ...]]]) -> Any:
    """The number of throws, of all 6^n, with 0, 1, 2 … hits; each group is (dice, faces that hit). Whole numbers."""
    weights = np.array([1], dtype=object)
    for dice, faces in groups:
        hit = sum(1 for face in faces if 1 <= face <= SIDES)
        for _ in range(dice):
            weights = np.convolve(weights, np.array([SIDES - hit, hit], dtype=object))
    return weights


def sort_keys(chances: Mapping[int, Fraction]) -> dict[str, Fraction]:
    """A distribution over whole numbers with its keys as text, lowest first."""
    return {str(count): chances[count] for count in sorted(chances)}


def mean(chances: Mapping[int, Fraction]) -> Fraction:
    """The average of a distribution over whole numbers."""
    return sum((count * p for count, p in chances.items()), Fraction(0))


def decimals(result: Any) -> Any:
    """A calculator's result with every chance as a decimal."""
    if isinstance(result, Fraction):
        return float(result)
    if isinstance(result, dict):
        return {name: decimals(value) for name, value in result.items()}
    if isinstance(result, list | tuple):
        return [decimals(value) for value in result]
    return result


def fractions(result: Any) -> Any:
    """The small fractions of a result in the same shape; None where there is none."""
    if isinstance(result, Fraction):
        return str(result) if result.denominator <= LARGEST_DENOMINATOR else None
    if isinstance(result, dict):
        found = {name: fractions(value) for name, value in result.items()}
        return {name: value for name, value in found.items() if value is not None} or None
    return None


def as_json(result: dict[str, Any]) -> dict[str, Any]:
    """A result as the API and the pages show it: decimals, with the small fractions beside them."""
    return {**decimals(result), "fractions": fractions(result) or {}}


# -- Answers that were given before: a question that is asked again is not reckoned again.

Asked = ParamSpec("Asked")
Answer = dict[str, Any]
ANSWERS_KEPT = 4096  # answers of one calculator


def with_memory(reckon: Callable[Asked, Answer]) -> Callable[Asked, Answer]:
    """A calculator that remembers; each asker gets an answer of his own."""
    known: dict[Hashable, Answer] = {}

    @wraps(reckon)
    def ask(*values: Asked.args, **named: Asked.kwargs) -> Answer:
        question = (frozen(values), frozen(named))
        found = known.get(question)
        if found is None:
            found = reckon(*values, **named)
            if len(known) >= ANSWERS_KEPT:
                known.clear()
            known[question] = found
        answer: Answer = own(found)
        return answer

    return ask


def frozen(value: Any) -> Hashable:
    """A question's values as what can be looked up; 1, 1.0 and True are different questions."""
    if isinstance(value, dict):
        return tuple(sorted((name, frozen(part)) for name, part in value.items()))
    if isinstance(value, list | tuple):
        return tuple(frozen(part) for part in value)
    return (type(value).__name__, value)


def own(value: Any) -> Any:
    """A copy as deep as its dictionaries and lists."""
    if isinstance(value, dict):
        return {name: own(part) if isinstance(part, dict | list) else part for name, part in value.items()}
    return [own(part) if isinstance(part, dict | list) else part for part in value]


# -- What a calculator is, and how its parameters are read: once for the API, the pages and the command line.

Kind = Literal["count", "flag", "choice", "crew", "counts"]
YES, NO = ("1", "true", "yes", "on"), ("0", "false", "no", "off")


@dataclass(frozen=True)
class Field:
    """One parameter: a whole number, a yes or no, a choice, or counts by name (`heavy:10,medium:2`).

    `default` None means that it must be given. `parts` are the names that counts may have.
    """

    name: str
    kind: Kind
    default: Any = None
    low: int = 0
    high: int = 99
    choices: tuple[str, ...] = ()
    parts: tuple[str, ...] = ()
    example: str = ""


@dataclass(frozen=True)
class Calculator:
    """One table of odds: its system, its name in addresses, the paragraphs it rests on, its fields and function.

    `run` takes the fields' values by name and returns chances as Fractions or floats in dicts and lists.
    """

    name: str
    system: str
    cites: tuple[str, ...]
    fields: tuple[Field, ...]
    run: Callable[..., dict[str, Any]]
    example: str

    def read(self, given: Mapping[str, str]) -> dict[str, Any]:
        """The values of a query or form. Raises BadInput with the parameter at fault."""
        names = [field.name for field in self.fields]
        for name in given:
            if name not in names:
                raise BadInput(name, "there is no such parameter; the parameters are %(names)s", names=tuple(names))
        return {field.name: value_of(field, given.get(field.name)) for field in self.fields}

    def answer(self, given: Mapping[str, str]) -> dict[str, Any]:
        """The odds for these parameters."""
        return self.run(**self.read(given))


def value_of(field: Field, text: str | None) -> Any:
    """One parameter's value from its text; an empty one is the default."""
    if text is None or not text.strip():
        if field.default is None:
            if field.example:
                raise BadInput(field.name, "this parameter is missing; for example %(example)s", example=field.example)
            raise BadInput(field.name, "this parameter is missing")
        return field.default
    text = text.strip()
    if field.kind == "count":
        return whole(text, field.name, field.low, field.high)
    if field.kind == "flag":
        if text.lower() not in YES + NO:
            raise BadInput(field.name, "expected 1 or 0")
        return text.lower() in YES
    if field.kind == "choice":
        if text not in field.choices:
            raise BadInput(field.name, "expected one of %(choices)s", choices=tuple(field.choices))
        return text
    return counts(text, field)


def counts(text: str, field: Field) -> dict[str, int]:
    """Counts by name, as in `heavy:10,medium:2`; the word `none` has none."""
    found = dict.fromkeys(field.parts, 0)
    if text == "none":
        return found
    given: set[str] = set()
    for part in text.split(","):
        name, colon, number = part.strip().partition(":")
        if name not in found or not colon:
            raise BadInput(
                field.name,
                "the counts must look like %(example)s; the names are %(names)s",
                example=field.example,
                names=tuple(field.parts),
            )
        if name in given:
            raise BadInput(f"{field.name}.{name}", "this is given twice")
        given.add(name)
        found[name] = whole(number, f"{field.name}.{name}", 0, field.high)
    return found


def whole(text: str, path: str, low: int, high: int) -> int:
    """A whole number within its bounds."""
    text = text.strip()
    digits = text[1:] if text.startswith("-") else text
    if not (digits.isascii() and digits.isdecimal() and len(digits) < 7):
        raise BadInput(path, "expected a whole number from %(low)s to %(high)s", low=low, high=high)
    number = int(text)
    if not low <= number <= high:
        raise BadInput(
            path, "expected a whole number from %(low)s to %(high)s, not %(number)s", low=low, high=high, number=number
        )
    return number


# -- G5.2, G5.4 A volley of archers and engines: kills, hull damage, and who falls in a given crew.

FACES = (1, 2, 3, 4, 5, 6)
Volley = dict[tuple[int, int], Fraction]  # (kills, hull damage) and its chance


@with_memory
def missiles(
    archers: int, catapults: int, stone_throwers: int, range: int, target: dict[str, int], hull_left: int
) -> dict[str, Any]:
    """G5.2 Kills and hull damage of one volley at a range; with a target's crew also who falls (G5.4).

    Groups out of reach do not fire and are named; Illegal when nobody reaches (G5.3). `hull_left` above 0 asks
    for the chance to sink the target (G5.8).
    """
    shots = {"archer": archers, "catapult": catapults, "stone_thrower": stone_throwers}
    out = [WEAPONS[weapon].field for weapon, count in shots.items() if count and range > WEAPONS[weapon].reach]
    firing = {weapon: count for weapon, count in shots.items() if count and range <= WEAPONS[weapon].reach}
    if out and not firing:
        reach = max(WEAPONS[weapon].reach for weapon, count in shots.items() if count)
        raise Illegal(
            "G5.3", "The target is at range %(range)s; these weapons reach %(reach)s.", range=range, reach=reach
        )
    found = volley(firing, range)
    kills, damage = map_outcomes(found, lambda each: each[0]), map_outcomes(found, lambda each: each[1])
    result: dict[str, Any] = {
        "kills": sort_keys(kills),
        "damage": sort_keys(damage),
        "mean_kills": mean(kills),
        "mean_damage": mean(damage),
        "out_of_reach": out,
    }
    if any(target.values()):
        result["casualties"] = casualties(kills, target)
    if hull_left:
        result["sunk"] = sum((p for points, p in damage.items() if points >= hull_left), Fraction(0))
    return result


def volley(firing: dict[str, int], reach: int) -> Volley:
    """G5.2 The chance of each pair of kills and hull damage, by counting the throws of each weapon's dice."""
    ways: dict[tuple[int, int], int] = {(0, 0): 1}
    for weapon, count in firing.items():
        die: dict[tuple[int, int], int] = {}
        for face in FACES:
            effect = WEAPONS[weapon].effect(reach, face)
            die[effect.kills, effect.hull] = die.get((effect.kills, effect.hull), 0) + 1
        for _ in repeat(None, count):
            further: dict[tuple[int, int], int] = {}
            for (kills, hull), have in ways.items():
                for (more, holes), add in die.items():
                    key = (kills + more, hull + holes)
                    further[key] = further.get(key, 0) + have * add
            ways = further
    whole = SIDES ** sum(firing.values())
    return {pair: Fraction(count, whole) for pair, count in sorted(ways.items())}


def casualties(kills: dict[int, Fraction], target: dict[str, int]) -> dict[str, dict[str, Fraction]]:
    """G5.4 For each kind of figure aboard, in the order in which they fall, how many of it die."""
    ship = msgspec.structs.replace(Ship(side="a", type="trireme"), **target)
    found: dict[str, dict[str, Fraction]] = {}
    dead = {count: kill(ship, count)[1] for count in kills}
    for field in MISSILES.order:
        if target.get(field):
            lost: dict[int, Fraction] = {}
            for count, p in kills.items():
                fallen = dead[count].get(field, 0)
                lost[fallen] = lost.get(fallen, Fraction(0)) + p
            found[field] = sort_keys(lost)
    return found


# -- G9.2, G9.3 Breaches closed and hull flooded, turn by turn.

Leaks = dict[tuple[int, int], Fraction]  # (open breaches, hull damage taken) and its chance


@with_memory
def repair(breaches: int, boarding: bool, hull_left: int, turns: int) -> dict[str, Any]:
    """G9.2, G9.3 How many breaches stay open after this turn's repairs, and the water of the turns to come.

    `turns` lists for the end of each turn the open breaches, the damage by flooding and, when `hull_left` is
    above 0, the chance that the ship has sunk. `boarding`: the fight lasts all the while.
    """
    leaks: Leaks = {(breaches, 0): Fraction(1)}
    coming = []
    for number in range(1, turns + 1):
        leaks = after_turn(leaks, boarding, hull_left)
        damage = map_outcomes(leaks, lambda leak: leak[1])
        row: dict[str, Any] = {
            "turn": number,
            "open": sort_keys(map_outcomes(leaks, lambda leak: leak[0])),
            "damage": sort_keys(damage),
            "mean_damage": mean(damage),
        }
        if hull_left:
            row["sunk"] = sum((p for total, p in damage.items() if total >= hull_left), Fraction(0))
        coming.append(row)
    first = after_turn({(breaches, 0): Fraction(1)}, boarding)
    return {"open": sort_keys(map_outcomes(first, lambda leak: leak[0])), "turns": coming}


def after_turn(leaks: Leaks, boarding: bool, hull_left: int = 0) -> Leaks:
    """G9.2, G9.3 One end of a turn: a die for each open breach, then each that is still open lets water in.

    A hull that is gone (`hull_left` above 0) takes no more.
    """
    found: Leaks = {}
    for (breaches, damage), p in leaks.items():
        if hull_left and damage >= hull_left:
            found[breaches, damage] = found.get((breaches, damage), Fraction(0)) + p
            continue
        for closed, q in successes(breaches, closes(boarding)).items():
            still = breaches - closed
            total = damage + still * REPAIR.flood
            key = (still, min(total, hull_left) if hull_left else total)
            found[key] = found.get(key, Fraction(0)) + p * q
    return found


# -- G6 The ram's odds: damage with and without full speed, and the meeting bow to bow.

ZERO = Fraction(0)


def ram(type: str, full_speed: bool, hull_left: int, breaches: int, boarding: bool) -> dict[str, Any]:
    """G6.2, G6.5 The odds of one ram by a ship of the rules' own types."""
    return ram_by(TYPES[type].ram or 0, full_speed, hull_left, breaches, boarding)


@with_memory
def ram_by(modifier: int, full_speed: bool, hull_left: int, breaches: int, boarding: bool) -> dict[str, Any]:
    """G6.2, G6.5 The damage of one ram, and whether it sinks a target with so much hull left at once.

    `sunk_this_turn` adds the flooding at this turn's end, by the breach of the ram and those open before (G9.3);
    `boarding`: a fight goes on aboard the target until then, so that only a six closes a breach (G9.2).
    """
    damage = of_die(lambda face: ram_damage(face, modifier, full_speed))
    sunk = sum((p for points, p in damage.items() if points >= hull_left), ZERO)
    later = ZERO
    for points, p in damage.items():
        if points < hull_left:
            ends = after_turn({(breaches + RAM.breaches, points): Fraction(1)}, boarding)
            later += p * sum((q for (_, total), q in ends.items() if total >= hull_left), ZERO)
    return {"sunk": sunk, "sunk_this_turn": sunk + later, "damage": sort_keys(damage)}


@with_memory
def bow_to_bow(crew: str, enemy: str) -> dict[str, Any]:
    """G6.1 Bow to bow: a crew rams, is rammed, or both ram each other."""
    mine, theirs = CREWS[crew].rank, CREWS[enemy].rank
    each = Fraction(1, SIDES**2)
    faces = range(1, SIDES + 1)
    margins = [head_on(one, mine, other, theirs) for one in faces for other in faces]
    return {
        "rams": each * sum(margin > 0 for margin in margins),
        "rammed": each * sum(margin < 0 for margin in margins),
        "both": each * sum(margin == 0 for margin in margins),
    }


# -- G8.3, G8.4 A boarding fight of any two crews to its end, as a Markov chain over how many marines are left.
#
# The lightest fall first, so a crew of n survivors is always the same crew: a state is two numbers. Hits, losses and
# the verdict are the rules' own functions.

Crew = dict[str, int]
Table = NDArray[Any]  # floats, or Fractions as objects

MOST_MARINES = 60  # marines of one crew: six hundred men; twice as many cost eight times the time
EXACT_UP_TO = 40  # states: a fight as small as this is reckoned in fractions
TAIL = 1e-12  # the chance of still longer fights that the last round's bucket carries
FAINT = 1e-18  # states less likely than this are left out of the count of rounds
WINNERS = {"captured": "attacker", "thrown_back": "defender", "over": "neither"}


@with_memory
def boarding(attacker: Crew, defender: Crew, by_die: bool = False) -> dict[str, Any]:
    """G8.4 Who wins, in which round, and with how many left. `neither`: both crews fell to the last.

    `by_die`: also the chances that the boarder gets aboard, without a corvus, and that she does and then wins (G8.1).
    `survivors` gives for each crew the chance of each number of marines left when the fight ends; `rounds` the
    chance that it ends with round 1, 2, 3 … (the last carries the tail). BadInput for a boarder without marines,
    and for crews beyond MOST.
    """
    a, d = sum(attacker.values()), sum(defender.values())
    if a == 0:
        raise BadInput("attacker", "a ship must have at least one marine to board (G8.1)")
    for name, marines in (("attacker", a), ("defender", d)):
        if marines > MOST_MARINES:
            raise BadInput(
                name,
                "%(marines)s marines are too many: the calculator can take at most %(most)s",
                marines=marines,
                most=MOST_MARINES,
            )
    found = fought(attacker, defender) if d else unfought(a)
    if not by_die:
        return found
    aboard = of_faces(BOARDING.board.succeeds)
    return {"gets_aboard": aboard, "takes_her": aboard * found["attacker"], **found}


def fought(attacker: Crew, defender: Crew) -> dict[str, Any]:
    """G8.4 The same for two crews that have marines, once they fight."""
    a, d = sum(attacker.values()), sum(defender.values())
    exact = (a + 1) * (d + 1) <= EXACT_UP_TO
    left_a, left_d = left_tables(attacker, defender, exact)
    ends = fought_out(left_a, left_d)
    won = {winner: Fraction(0) for winner in WINNERS.values()}
    left = {"attacker": [Fraction(0)] * (a + 1), "defender": [Fraction(0)] * (d + 1)}
    for x, y in np.argwhere(ends).tolist():
        chance = ends[x, y]
        won[WINNERS[verdict(x, y)]] += chance
        left["attacker"][x] += chance
        left["defender"][y] += chance
    survivors = {crew: {str(n): plain(chance) for n, chance in enumerate(row) if chance} for crew, row in left.items()}
    return {
        **{winner: plain(chance) for winner, chance in won.items()},
        "rounds": rounds(left_a.astype(float), left_d.astype(float)),
        "survivors": survivors,
        "mean_survivors": {
            crew: sum((int(n) * chance for n, chance in row.items()), Fraction(0)) for crew, row in survivors.items()
        },
    }


def plain(chance: Any) -> Any:
    """A Fraction as it is; a number of numpy's as a float."""
    return chance if isinstance(chance, Fraction) else float(chance)


def unfought(attackers: int) -> dict[str, Any]:
    """G8.5 A ship without marines surrenders at the first round, and nobody rolls."""
    one, none = Fraction(1), Fraction(0)
    return {
        "attacker": one,
        "defender": none,
        "neither": none,
        "rounds": [1.0],
        "survivors": {"attacker": {str(attackers): one}, "defender": {"0": one}},
        "mean_survivors": {"attacker": Fraction(attackers), "defender": none},
    }


def remaining_crew(crew: Crew, left: int) -> Crew:
    """G8.3 What remains of a crew when `left` are alive: the lightest fell first."""
    ship = msgspec.structs.replace(Ship(side="a", type="trireme"), **{kind: crew.get(kind, 0) for kind in MARINES})
    after = lightest_fall({"a": ship}, ship.marines - left)["a"]
    return {kind: getattr(after, kind) for kind in MARINES}


def hit_table(crew: Crew, exact: bool) -> Table:
    """G8.3 table[n, k]: the chance that the n survivors of a crew kill k in a round."""
    most = sum(crew.values())
    table = np.zeros((most + 1, most + 1), dtype=object if exact else float)
    row = np.array([Fraction(1) if exact else 1.0])
    before = dict.fromkeys(MARINES, 0)
    for left in range(most + 1):
        alive = remaining_crew(crew, left)
        for kind in MARINES:
            if alive[kind] > before[kind]:
                hits = of_faces(HITS[kind])
                row = np.convolve(row, np.array([1 - hits, hits], dtype=object if exact else float))
        before = alive
        table[left, : left + 1] = row
    return table


def left_tables(attacker: Crew, defender: Crew, exact: bool) -> tuple[Table, Table]:
    """G8.3 left_a[x, y, n]: the chance that of x attackers facing y defenders n live; left_d[y, x, n] the same."""
    hits_a, hits_d = hit_table(attacker, exact), hit_table(defender, exact)
    return left_after(hits_d, len(hits_a) - 1), left_after(hits_a, len(hits_d) - 1)


def left_after(hits: Table, struck: int) -> Table:
    """G8.3 table[x, y, n]: of x struck by y strikers n live; hits beyond the last are lost."""
    strikers = len(hits)
    table = np.zeros((struck + 1, strikers, struck + 1), dtype=hits.dtype)
    for x in range(struck + 1):
        dead = np.zeros((strikers, x + 1), dtype=hits.dtype)
        dead[:, : min(x, strikers)] = hits[:, :x]
        if x < strikers:
            dead[:, x] = hits[:, x:].sum(axis=1)
        table[x, :, : x + 1] = dead[:, ::-1]
    return table


def fought_out(left_a: Table, left_d: Table) -> Table:
    """G8.4 ends[x, y]: the chance that the fight ends with x attackers and y defenders alive.

    Rounds in which nobody falls only repeat the state: its visits are divided by the chance of leaving it. The
    first round is fought however lopsided the crews are, and ends such a fight even if nobody falls.
    """
    a, d = len(left_a) - 1, len(left_d) - 1
    undecided = goes_on(a, d).tolist()
    visits = np.zeros((a + 1, d + 1), dtype=left_a.dtype)
    ends = visits.copy()
    visits[a, d] = 1
    for x in range(a, -1, -1):
        for y in range(d, -1, -1):
            weight = visits[x, y]
            if not weight:
                continue
            is_open = undecided[x][y]
            if (x, y) != (a, d) and not is_open:
                ends[x, y] += weight
                continue
            after_a, after_d = left_a[x, y, : x + 1], left_d[y, x, : y + 1]
            stay = after_a[x] * after_d[y]
            if not is_open:
                ends[x, y] += stay * weight
            after = (after_a * (weight / (1 - stay) if is_open else weight))[:, None] * after_d
            after[x, y] = 0
            visits[: x + 1, : y + 1] += after
    return ends


@lru_cache(maxsize=256)
def goes_on(attackers: int, defenders: int) -> Table:
    """G8.4 table[x, y]: does the fight go on when x attackers and y defenders are left?"""
    found = [[verdict(x, y) == "goes_on" for y in range(defenders + 1)] for x in range(attackers + 1)]
    table = np.array(found)
    table.flags.writeable = False
    return table


def rounds(left_a: Table, left_d: Table) -> list[float]:
    """G8.4 The chance that the fight ends with round 1, 2, 3 …"""
    a, d = len(left_a) - 1, len(left_d) - 1
    open_states = goes_on(a, d)
    xs, ys, weights = np.array([a]), np.array([d]), np.array([1.0])
    lengths: list[float] = []
    going = 1.0
    while going > TAIL:
        after = (left_a[xs, ys] * weights[:, None]).T @ left_d[ys, xs]
        still = np.where(open_states, after, 0.0)
        xs, ys = np.nonzero(still > FAINT)
        weights = still[xs, ys]
        left = float(weights.sum())
        lengths.append(going - left)
        going = left
    lengths[-1] += going
    return lengths


# -- Exact odds, reckoned with the same tables and functions that the rules use.

RAMS = tuple(name for name, kind in TYPES.items() if kind.ram is not None)
QUALITIES = tuple(CREWS)

SHOTS = 20  # of one kind of weapon; the largest ship has four
BREACHES = 10  # as many as the largest hull has points
NOBODY = dict.fromkeys(MISSILES.order, 0)

GALLEY: tuple[Calculator, ...] = (
    Calculator(
        "boarding",
        "galley",
        ("G8.1", "G8.3", "G8.4", "G8.5"),
        (
            Field("attacker", "crew", parts=MARINES, high=MOST_MARINES, example="heavy:10"),
            Field("defender", "crew", parts=MARINES, high=MOST_MARINES, example="medium:8,light:2"),
            Field("by_die", "flag", False),
        ),
        boarding,
        "attacker=heavy:10&defender=medium:15",
    ),
    Calculator(
        "ram",
        "galley",
        ("G6.2", "G6.3", "G6.5", "G9.3"),
        (
            Field("type", "choice", choices=RAMS, example="quinquereme"),
            Field("full_speed", "flag", False),
            Field("hull_left", "count", low=1, high=99, example="6"),
            Field("breaches", "count", 0, high=BREACHES),
            Field("boarding", "flag", False),
        ),
        ram,
        "type=quinquereme&full_speed=1&hull_left=6",
    ),
    Calculator(
        "head_on",
        "galley",
        ("G6.1",),
        (
            Field("crew", "choice", choices=QUALITIES, example="average"),
            Field("enemy", "choice", choices=QUALITIES, example="elite"),
        ),
        bow_to_bow,
        "crew=average&enemy=elite",
    ),
    Calculator(
        "missiles",
        "galley",
        ("G5.2", "G5.3", "G5.4", "G5.8"),
        (
            Field("archers", "count", 0, high=SHOTS),
            Field("catapults", "count", 0, high=SHOTS),
            Field("stone_throwers", "count", 0, high=SHOTS),
            Field("range", "count", low=1, example="3"),
            Field("target", "counts", NOBODY, parts=MISSILES.order, high=MOST_MARINES, example="archers:2,heavy:8"),
            Field("hull_left", "count", 0, high=99),
        ),
        missiles,
        "archers=2&catapults=1&stone_throwers=0&range=3",
    ),
    Calculator(
        "repair",
        "galley",
        ("G9.2", "G9.3"),
        (
            Field("breaches", "count", low=0, high=BREACHES, example="2"),
            Field("boarding", "flag", False),
            Field("hull_left", "count", 0, high=99),
            Field("turns", "count", 6, low=1, high=12),
        ),
        repair,
        "breaches=2&boarding=0",
    ),
)
