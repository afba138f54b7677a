"""O10.1 Rounds: matchings, pairings, their dates."""

from __future__ import annotations

import re
from calendar import monthrange
from collections import Counter
from collections.abc import Iterable, Sequence
from itertools import combinations

import msgspec

from strategic.season.commands import Arrange, Lapse, Pair, Publish, Rearrange, Schedule, Substitute
from strategic.season.rules.enrolling import LONGEST_NAME, MOST_ROUNDS, Handled, next_round, replace
from strategic.season.rules.results import find, settle, with_pairing
from strategic.season.rules.standings import how, points_of
from strategic.season.state import SETTINGS, Pairing, Result, Round, Season, Why
from tactical.kernel.dice import Dice
from tactical.kernel.protocol import UMPIRE, Illegal, event
from tactical.kernel.record import BadInput

# -- O10.1 Pairings: Swiss as a matching of least cost, round robin by the circle method.

BYE = ""  # stands for the empty place of an odd number of players


def count_meetings(season: Season) -> dict[frozenset[str], int]:
    """How often two players have met; in a Swiss season a battle that was not fought does not count."""
    found: dict[frozenset[str], int] = {}
    for _round, pairing in season.paired().values():
        unplayed = season.pairing == "swiss" and pairing.result is not None and not pairing.result.played
        if not pairing.is_bye and not unplayed:
            pair = frozenset(pairing.players)
            found[pair] = found.get(pair, 0) + 1
    return found


def byes(season: Season) -> dict[str, int]:
    """In how many rounds each player has had the points of a bye or of a victory without a battle."""
    found = dict.fromkeys(season.players, 0)
    for _round, pairing in season.paired().values():
        for player in pairing.players:
            found[player] += how(pairing, player) in ("bye", "full_bye", "forfeit_won")
    return found


def firsts(season: Season) -> dict[str, int]:
    """How often each player was named first, so that he deployed first."""
    found = dict.fromkeys(season.players, 0)
    for _round, pairing in season.paired().values():
        if not pairing.is_bye:
            found[pairing.players[0]] += 1
    return found


class Costs:
    """What each possible pairing of a round of these players costs: whole numbers, the less the better.

    Another bye weighs more than all else in the round together, then a rematch, then the score of who has the bye, then
    the squares of the differences of scores; whatever a win is worth. `points` stand in place of the scores. Pairs that
    are kept `apart` are none.
    """

    def __init__(self, season: Season, players: Sequence[str], points: dict[str, int] | None = None) -> None:
        self.points = points or points_of(season)
        self.met, self.byes = count_meetings(season), byes(season)
        self.apart = season.kept_apart(next_round(season))
        scores = [self.points[player] for player in players]
        self.lowest, pairs = min(scores, default=0), len(players) // 2
        spread = max(scores, default=0) - self.lowest
        self.score = pairs * spread**2 + 1
        self.rematch = self.score * (spread + 1)
        self.again = self.rematch * (pairs * max(self.met.values(), default=0) + 1)

    def of(self, one: str, other: str) -> int:
        """O10.1 No rematch while one can be avoided, near scores, a bye once each and to the lowest scores."""
        if BYE in (one, other):
            player = one or other
            return self.again * self.byes[player] + self.score * (self.points[player] - self.lowest)
        apart = self.points[one] - self.points[other]
        return self.rematch * self.met.get(frozenset((one, other)), 0) + apart * apart


def match(costs: Costs, players: Sequence[str]) -> list[tuple[str, str]]:
    """As many pairs as can be of all who may meet, at the least total cost: a matching of greatest weight (networkx).

    With an odd number of players one of them is paired with BYE.
    """
    import networkx as nx  # with it comes much else

    everybody = [*players, BYE] if len(players) % 2 else list(players)
    graph: nx.Graph[str] = nx.Graph()
    for one, other in combinations(everybody, 2):
        if frozenset((one, other)) not in costs.apart:
            graph.add_edge(one, other, weight=-costs.of(one, other))
    found = nx.max_weight_matching(graph, maxcardinality=True)
    place = {name: number for number, name in enumerate(everybody)}
    return sorted((tuple(sorted(pair, key=place.__getitem__)) for pair in found), key=lambda pair: place[pair[0]])


def in_turn(season: Season, one: str, other: str) -> tuple[str, str]:
    """Who has deployed first less often does so now; of two alike, the one who came first."""
    before = firsts(season)
    order = list(season.players)
    first, second = sorted((one, other), key=lambda name: (before[name], order.index(name)))
    return first, second


def swiss(season: Season, players: Sequence[str], dice: Dice) -> list[Pairing]:
    """O10.1 The next Swiss round; the first is drawn by lot, two by two, and the last of an odd number has the bye."""
    is_first = not season.played
    places = {player: -place for place, player in enumerate(dice.shuffled(players))} if is_first else None
    costs = Costs(season, players, places)
    found = match(costs, sorted(players, key=lambda name: -costs.points[name]))
    if 2 * len(found) < len(players):
        raise Illegal(
            "O10.1",
            "No pairings of this round keep apart all who are not to meet. Let some of them meet, or give one a bye.",
        )
    return byes_last(_pairing(season, costs, pair, is_first) for pair in found)


def byes_last(found: Iterable[Pairing]) -> list[Pairing]:
    """Pairings of two, then whoever sits out."""
    return sorted(found, key=lambda pairing: pairing.is_bye)


def _pairing(season: Season, costs: Costs, pair: tuple[str, str], is_first: bool) -> Pairing:
    if BYE in pair:
        player = pair[0] or pair[1]
        if is_first:
            return Pairing((player,), Why("lot_bye"))
        return Pairing((player,), Why("bye", {"points": costs.points[player], "byes": costs.byes[player]}))
    one, other = in_turn(season, *pair)
    if is_first:
        return Pairing((one, other), Why("lot"))
    values = {"one": costs.points[one], "other": costs.points[other]}
    again = costs.met.get(frozenset(pair), 0)
    if again:
        return Pairing((one, other), Why("rematch", {**values, "met": again}))
    return Pairing((one, other), Why("near" if values["one"] != values["other"] else "same", values))


def circle(players: Sequence[str], number: int) -> list[tuple[str, str]]:
    """Round `number` (from 1) of a round robin by the circle method; an odd one out is paired with BYE.

    The first player stands still and the others go round, so that each pair meets once in n - 1 rounds (n even).
    """
    everybody = [*players, BYE] if len(players) % 2 else list(players)
    turn = (number - 1) % (len(everybody) - 1)
    around = everybody[1:]
    ring = [everybody[0], *around[-turn:], *around[:-turn]] if turn else everybody
    half = len(ring) // 2
    return list(zip(ring[:half], reversed(ring[half:]), strict=True))


def round_robin(season: Season, players: Sequence[str], number: int) -> list[Pairing]:
    """O10.1 A round of everybody against everybody: by the circle while nobody has come or gone.

    Otherwise as many as can be of those who have not met; whoever has no such opponent left sits the round out.
    """
    together = all(season.entered(each.number) == tuple(players) for each in season.played)
    costs = Costs(season, players)
    pairs = circle(players, number) if together else match(costs, players)
    found = []
    for one, other in pairs:
        pair = frozenset((one, other))
        if BYE in pair:
            found.append(Pairing((one or other,), Why("bye_in_turn", {"round": number})))
        elif not costs.met.get(pair, 0) and pair not in costs.apart:
            found.append(Pairing(in_turn(season, one, other), Why("circle", {"round": number})))
    paired = {player for each in found for player in each.players}
    found += [Pairing((player,), Why("nobody_left", {"round": number})) for player in players if player not in paired]
    return byes_last(found)


def has_everybody_met(season: Season, players: Sequence[str]) -> bool:
    """Has each of these met each who is not kept apart from him?"""
    known = count_meetings(season).keys() | season.kept_apart(next_round(season))
    return all(frozenset(pair) in known for pair in combinations(players, 2))


def asked_byes(season: Season, number: int) -> list[Pairing]:
    """O10.1 Those who have asked to sit out a round."""
    asked = {id: player.bye_in(number) for id, player in season.players.items() if player.is_in(number)}
    return [Pairing((id,), Why(f"asked_{bye.kind}"), bye=bye.kind) for id, bye in asked.items() if bye]


def count_rounds(way: str, count: int) -> int:
    """O10.1 How many rounds a season of so many players has, where nobody has said: all against all, or log2."""
    if count < 2:
        return 0
    if way == "round_robin":
        return count - 1 if count % 2 == 0 else count
    return max(1, (count - 1).bit_length())


# -- O10.1 When, where and by whom a round is played, and what happens when its time is over.

LONGEST_TEXT = 60
MOMENT = re.compile(r"(2\d{3})-(0[1-9]|1[0-2])-([0-2]\d|3[01])T(?:[01]\d|2[0-3]):[0-5]\d", re.ASCII)


def check_moment(text: str, at: str) -> None:
    """Raises BadInput for what is not a moment by the clock, as 2026-12-03T19:30."""
    found = MOMENT.fullmatch(text)
    if text and not found:
        raise BadInput(at, "give a date and an hour, such as 2026-12-03T19:30")
    if found:
        year, month, day = (int(part) for part in found.groups())
        if day > monthrange(year, month)[1]:
            raise BadInput(at, "give a date and an hour, such as 2026-12-03T19:30")


def check_scenario(name: str, at: str) -> None:
    """Raises BadInput for a scenario that is not in the table."""
    if name not in SETTINGS.scenario:
        raise BadInput(at, "there is no scenario called %(name)s: %(names)s", name=name, names=tuple(SETTINGS.scenario))


def check_dates(command: Pair | Schedule) -> None:
    """Raises BadInput for dates or a scenario that cannot be."""
    if len(command.date) > LONGEST_TEXT:
        raise BadInput("command.date", "it may have at most %(most)s characters", most=LONGEST_TEXT)
    check_moment(command.starts, "command.starts")
    check_moment(command.due, "command.due")
    if command.starts and command.due and command.due <= command.starts:
        raise BadInput("command.due", "results must be due after the round begins")
    check_scenario(command.scenario, "command.scenario")


def schedule(season: Season, command: Schedule, dice: Dice) -> Handled:
    """O10.1 Other dates, or another sea for the battles that are not on the table yet."""
    now = season.now
    if now is None or now.number != command.round:
        raise BadInput("command.round", "round %(number)s is not the one that was paired last", number=command.round)
    check_dates(command)
    if command.scenario != now.scenario and any(each.game for each in now.pairings.values()):
        raise Illegal("O10.1", "A battle of this round has already been opened; its scenario stays.")
    fields = {name: getattr(command, name) for name in ("date", "starts", "due", "scenario")}
    after = msgspec.structs.replace(now, **fields)
    told = event("O10.1", "round_scheduled", round=now.number)
    return replace(season, played=(*season.played[:-1], after)), (told,)


def arrange(season: Season, command: Arrange, dice: Dice) -> Handled:
    """O10.1 When and where two players fight."""
    now, pairing = find(season, command.pairing)
    if command.side and command.side not in pairing.players:
        raise Illegal("O10.1", "%(player)s is not in this pairing.", player=command.side)
    if pairing.result is not None:
        raise Illegal("O10.1", "This pairing already has its result.")
    check_moment(command.at, "command.at")
    if len(command.place) > LONGEST_TEXT:
        raise BadInput("command.place", "it may have at most %(most)s characters", most=LONGEST_TEXT)
    after = msgspec.structs.replace(pairing, at=command.at, place=" ".join(command.place.split()))
    told = event("O10.1", "battle_arranged", pairing=command.pairing, players=list(pairing.players))
    return with_pairing(season, now, command.pairing, after, now.published), (told,)


def substitute(season: Season, command: Substitute, dice: Dice) -> Handled:
    """O10.1 Somebody plays for a player this once; points and ships are the player's."""
    now, pairing = find(season, command.pairing)
    if command.player not in pairing.players:
        raise Illegal("O10.1", "%(player)s is not in this pairing.", player=command.player)
    if pairing.result is not None:
        raise Illegal("O10.1", "This pairing already has its result.")
    name = " ".join(command.name.split())
    if len(name) > LONGEST_NAME:
        raise BadInput("command.name", "a player's name must have 1 to %(most)s characters", most=LONGEST_NAME)
    others = {id: who for id, who in pairing.substitutes.items() if id != command.player}
    after = msgspec.structs.replace(pairing, substitutes={**others, command.player: name} if name else others)
    told = event("O10.1", "substitute", pairing=command.pairing, player=command.player, name=name)
    return with_pairing(season, now, command.pairing, after, now.published), (told,)


def lapse(season: Season, command: Lapse, dice: Dice) -> Handled:
    """O10.1 A report that waits stands; what nobody has reported was not played, where the season says so."""
    now, pairing = find(season, command.pairing)
    if not now.published or not now.due:
        raise Illegal("O10.1", "Round %(number)s has no date by which results are due.", number=now.number)
    if pairing.result is not None:
        raise Illegal("O10.1", "This pairing already has its result.")
    if pairing.game is not None:
        raise Illegal(
            "O10.1",
            "The battle %(game)s is being fought in this program; its outcome will settle this pairing.",
            game=pairing.game,
        )
    if pairing.proposed is not None and season.settings.overdue != "wait":
        result = pairing.proposed
    elif season.settings.overdue == "unplayed":
        result = Result(played=False)
    else:
        raise Illegal("O10.1", "In this season the organizer decides on an overdue result.")
    told = event("O10.1", "time_over", pairing=command.pairing, players=list(pairing.players))
    season, more = settle(season, now, command.pairing, pairing, result)
    return season, (told, *more)


# -- O10.1 Rounds: pair, change by hand, publish.


def why_not_pair(season: Season) -> Illegal | None:
    """O10.1 A round is paired when the one before is settled, and two players are there who may meet."""
    now = season.now
    if now is not None and now.open():
        return Illegal(
            "O10.1",
            "Results of round %(number)s that are still missing: %(count)s.",
            number=now.number,
            count=len(now.open()),
        )
    players = season.entered(next_round(season))
    if len(players) < 2:
        return Illegal("O10.1", "A round needs at least two players.")
    if season.rounds is not None and len(season.played) >= season.rounds:
        return Illegal("O10.1", "All rounds of the season have been played (%(rounds)s in all).", rounds=season.rounds)
    if len(season.played) >= MOST_ROUNDS:
        return Illegal("O10.1", "A season may have at most %(rounds)s %(rounds|round|rounds)s.", rounds=MOST_ROUNDS)
    there = [id for id, player in season.players.items() if player.is_in(next_round(season))]
    if season.pairing == "round_robin" and has_everybody_met(season, there):
        return Illegal("O10.1", "Every player has met every other: the round robin is complete.")
    return None


def pair(season: Season, command: Pair, dice: Dice) -> Handled:
    """O10.1 The pairings of the next round, which the organizer may still change."""
    wrong = why_not_pair(season)
    if wrong:
        raise wrong
    check_dates(command)
    number = next_round(season)
    players = season.entered(number)
    if season.pairing == "swiss":
        found = swiss(season, players, dice)
    else:
        found = round_robin(season, players, number)
    found += asked_byes(season, number)
    drawn = Round(
        number,
        dict(zip(ids(number, len(found)), found, strict=True)),
        date=command.date,
        starts=command.starts,
        due=command.due,
        scenario=command.scenario,
    )
    told = event("O10.1", "round_paired", round=number, pairings=len(found))
    return replace(season, played=(*season.played, drawn)), (told,)


def ids(number: int, count: int) -> list[str]:
    """The ids of a round's pairings: r2.1, r2.2, …, written with a hyphen, as a point leads into a record."""
    return [f"r{number}-{place}" for place in range(1, count + 1)]


def drawn_round(season: Season, number: int) -> Round:
    """The round that is paired and not published. Raises Illegal, BadInput."""
    now = season.now
    if now is None or now.number != number:
        raise BadInput("command.round", "round %(number)s is not the one that was paired last", number=number)
    if now.published:
        raise Illegal(
            "O10.1", "Round %(number)s is published, so its pairings can no longer be changed.", number=number
        )
    return now


def rearrange(season: Season, command: Rearrange, dice: Dice) -> Handled:
    """O10.1 The organizer's own pairings: everybody who is in the round once; what stays as it was keeps its reason."""
    now = drawn_round(season, command.round)
    wanted = season.entered(now.number)
    asked = asked_byes(season, now.number)
    pairings = [players for players in command.pairings if players not in [each.players for each in asked]]
    count = Counter(player for players in pairings for player in players)
    for player, times in count.items():
        if player not in wanted:
            raise BadInput("command.pairings", "%(player)s is not paired in this round", player=player)
        if times > 1:
            raise BadInput("command.pairings", "%(player)s is paired twice", player=player)
    missing = [player for player in wanted if player not in count]
    if missing:
        raise BadInput("command.pairings", "%(player)s is not in any pairing", player=missing[0])
    if any(len(players) not in (1, 2) for players in pairings):
        raise BadInput("command.pairings", "a pairing must have two players, or one who has a bye")
    for players in pairings:
        if frozenset(players) in season.kept_apart(now.number):
            one, other = (season.players[player].name for player in players)
            raise Illegal("O10.1", "%(one)s and %(other)s are not to meet in this round.", one=one, other=other)
    before = {each.players: each for each in now.pairings.values()}
    found = [before.get(players) or Pairing(players, chosen_by_hand(season, players)) for players in pairings]
    found += asked
    again = msgspec.structs.replace(now, pairings=dict(zip(ids(now.number, len(found)), found, strict=True)))
    told = event("O10.1", "round_changed", only=(UMPIRE,), round=now.number)  # so that nobody else reads the command
    return replace(season, played=(*season.played[:-1], again)), (told,)


def chosen_by_hand(season: Season, players: tuple[str, ...]) -> Why:
    """The reason of a pairing that the organizer has made: how often the two have met, and their points."""
    points = points_of(season)
    if len(players) == 1:
        return Why("organizer_bye", {"points": points[players[0]]})
    values = {"one": points[players[0]], "other": points[players[1]]}
    return Why("organizer", {**values, "met": count_meetings(season).get(frozenset(players), 0)})


def publish(season: Season, command: Publish, dice: Dice) -> Handled:
    """O10.1 The pairings stand."""
    now = drawn_round(season, command.round)
    told = event("O10.1", "round_published", round=now.number)
    return replace(season, played=(*season.played[:-1], replace_round(now, published=True))), (told,)


def replace_round(now: Round, **fields: object) -> Round:
    """A round with other fields."""
    found: Round = msgspec.structs.replace(now, **fields)
    return found
