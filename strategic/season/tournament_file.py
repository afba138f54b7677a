"""O10.1 A season as other programs read and write it: FIDE's Tournament Report File (TRF), of 2016 and of 2026.

A file is lines of fixed columns, counted from 1, each with a code of three characters. With the edition of 2016 go what
the pairing programs JaVaFo (XXR, XXP, XXZ, XXS) and bbpPairings (BBW and the like) have added to it; that of 2026 has
the records 142, 162, 240 and 260 for this. Sources: FIDE Handbook C.04 Annex 2 (TRF16) and its edition of 2026, the
manuals of the two programs.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator, Mapping
from typing import Literal, NamedTuple

from msgspec.structs import replace

from strategic.season.rules.enrolling import HIGHEST_RATING, LONGEST_NAME, MOST_APART, MOST_PLAYERS, MOST_ROUNDS
from strategic.season.rules.pairing import ids
from strategic.season.rules.standings import how, points_of, standings, worth
from strategic.season.setup import LONGEST_TITLE, planned_rounds
from strategic.season.state import (
    Apart,
    AskedBye,
    AskedKind,
    Bye,
    Pairing,
    Player,
    Result,
    Round,
    Season,
    Settings,
    Why,
)
from tactical.kernel.protocol import Illegal
from tactical.kernel.record import BadInput, Reason, because, clean_name, read

Edition = Literal["2016", "2026"]
MOST_CHARACTERS = 100_000  # 64 players with 64 rounds are half of it
FIRST_ROUND, WIDTH = 92, 10  # the column where the rounds of a player begin, and how many each has
GAPS = (4, 9, 14, 48, 53, 80, 85)  # the columns of a player's line that are empty
DATE = re.compile(r"\d\d/\d\d/\d\d", re.ASCII)
TENTHS = re.compile(r"(?=\.?\d)\d{0,2}(?:\.\d?)?", re.ASCII)
TOKEN = re.compile(r"\S+")

# What a result is in a player's line: the letters that may stand in his opponent's, the kinds of byes, what we call it.
MATES = {"1": "0", "0": "1", "=": "=", "+": "-", "-": "+-", "W": "L", "L": "W", "D": "D", "": ""}
BYES: Mapping[str, Bye] = {
    "U": "",
    "+": "",
    "F": "full",
    "H": "half",
    "=": "half",
    "Z": "zero",
    "-": "zero",
    "": "zero",
}
KINDS: Mapping[str, AskedKind] = {"F": "full", "H": "half", "Z": "zero"}
CODES = {"bye": "U", "full_bye": "F", "half_bye": "H", "zero_bye": "Z", "won": "1", "drawn": "=", "lost": "0"}
CODES |= {"forfeit_won": "+", "forfeit_lost": "-", "unplayed": "-", "open": " "}

# What a result is worth: in tenths of a point where a file says nothing, and what files call it.
STANDARD = {"win": 10, "draw": 5, "loss": 0, "unplayed": 0, "bye": 10}
WORTH = {"W": "win", "D": "draw", "L": "loss", "A": "unplayed", "Z": "unplayed", "P": "bye"}
WORTH |= {"BBW": "win", "BBD": "draw", "BBL": "loss", "BBF": "unplayed", "BBU": "bye"}
WORTH |= {"WW": "win", "BW": "win", "WD": "draw", "BD": "draw", "WL": "loss", "BL": "loss"}
WORTH |= {"PAB": "bye", "FL": "unplayed"}
WORTH |= dict.fromkeys(("FW", "FPB", "HPB", "ZPB", "BBZ", "X"), "")  # we have no points of their own for these


class Tournament(NamedTuple):
    """The season of a file; codes of its lines that were not taken over; what a reader should know besides."""

    season: Season
    left_out: tuple[tuple[str, Reason], ...]
    notes: tuple[Reason, ...]


class Entry(NamedTuple):
    """What a player's line says of a round: opponent (0: none), colour, result, and the column where it begins."""

    opponent: int = 0
    colour: str = ""
    result: str = ""
    column: int = 0


# -- A file that comes in.


class Line:
    """A line of the file."""

    def __init__(self, number: int, text: str) -> None:
        self.number, self.text, self.code = number, text, text[:3].upper()

    def part(self, first: int, last: int) -> str:
        """What stands in these columns, without blanks around it."""
        return self.text[first - 1 : last].strip()

    def wrong(self, column: int, why: Reason) -> BadInput:
        """A refusal that names the line and the column."""
        where = {"line": self.number, "column": column}
        return BadInput("file", "line %(line)s, column %(column)s: %(why)s", why=why, **where)

    def note(self, why: Reason) -> Reason:
        """A note that names the line."""
        return because("line %(line)s: %(why)s", line=self.number, why=why)

    def check_gaps(self, *columns: int) -> None:
        """Raises BadInput where a column that must be empty is not."""
        for column in columns:
            if self.part(column, column):
                raise self.wrong(
                    column,
                    because("this column must be empty: what stands before it is too long, or the line is shifted"),
                )

    def count(self, first: int, last: int, most: int, least: int = 1) -> int:
        """The number in these columns. Raises BadInput."""
        found = self.part(first, last)
        if not (found.isascii() and found.isdigit() and least <= int(found) <= most):
            why = because("'%(text)s' is not a number from %(least)s to %(most)s", text=found, least=least, most=most)
            raise self.wrong(first, why)
        return int(found)

    def tenths(self, column: int, text: str) -> int:
        """Points such as 11.5, in tenths. Raises BadInput."""
        plain = text.strip().replace(",", ".").replace("½", ".5")
        if not TENTHS.fullmatch(plain):
            raise self.wrong(column, because("'%(text)s' is not a number of points, such as 2.5", text=text.strip()))
        return round(float(plain) * 10)

    def numbers(self, first: int) -> list[tuple[int, int]]:
        """The starting numbers from a column on, each with its column. Raises BadInput."""
        found = [(each.start() + first, each.end() + first - 1) for each in TOKEN.finditer(self.text[first - 1 :])]
        return [(self.count(*each, most=9999), each[0]) for each in found]


class Reading:
    """A tournament file as it is read: each line adds to it. Raises BadInput, which names the line and the column."""

    def __init__(self, text: str) -> None:
        if len(text) > MOST_CHARACTERS:
            raise BadInput("file", "the file may have at most %(most)s characters", most=MOST_CHARACTERS)
        self.title, self.is_swiss, self.rounds = "", True, 0
        self.worth: dict[str, int] = {}
        self.lines: dict[int, Line] = {}
        self.names: dict[str, Line] = {}
        self.entries: dict[int, list[Entry]] = {}
        self.byes: list[tuple[Line, int, AskedKind]] = []
        self.apart: list[tuple[Line, int, int | None]] = []
        self.dates: list[str] = []
        self.left_out: Counter[str] = Counter()
        self.notes: list[Reason] = []
        for number, each in enumerate(re.split(r"\r\n|\r|\n", text.lstrip("\ufeff")), start=1):
            if each.strip() and not each.startswith("###"):
                self.read(Line(number, each.expandtabs(1)))
        if not self.lines:
            raise BadInput("file", "there is no player in this file: no line begins with 001")
        rounds = [len(entries) for entries in self.entries.values()]
        entries = ((place, self.entry(one, place)) for one in self.lines for place in range(1, max(rounds) + 1))
        self.last = max((place for place, each in entries if each.opponent or each.result in ("U", "+")), default=0)

    def read(self, line: Line) -> None:
        """What a line says."""
        match line.code:
            case "001":
                self.read_player(line)
            case "012":
                self.title = clean_name(line.text[4:])[:LONGEST_TITLE]
            case "092" | "192":
                kind = re.sub(r"[^A-Z]", "", line.text[4:].upper())
                self.is_swiss = "ROUNDROBIN" not in kind and "BERGER" not in kind
            case "132":
                dates = [line.part(at, at + 7) for at in range(FIRST_ROUND, len(line.text) + 1, WIDTH)]
                self.dates = [date if DATE.fullmatch(date) else "" for date in dates]
            case "142" | "XXR":
                self.rounds = line.count(4, len(line.text), MOST_ROUNDS)
            case "162":
                for found in re.finditer(r"(\S)\s*(\S*)", line.text[4:]):
                    self.read_worth(line, 5 + found.start(), found[1], found[2])
            case "XXS":
                for found in TOKEN.finditer(line.text[3:]):
                    name, _equals, value = found[0].partition("=")
                    self.read_worth(line, 4 + found.start(), name, value)
            case "BBW" | "BBD" | "BBL" | "BBZ" | "BBF" | "BBU":
                self.read_worth(line, 1, line.code, line.text[3:])
            case "240":
                kind = line.part(5, 5).upper()
                if kind not in KINDS:
                    raise line.wrong(5, because("'%(text)s' is not a kind of bye: F, H or Z", text=kind))
                self.byes.append((line, line.count(7, 9, MOST_ROUNDS), KINDS[kind]))
            case "XXZ":
                self.byes.append((line, 0, "zero"))
            case "260":
                first, last = line.count(5, 7, MOST_ROUNDS), line.count(9, 11, 999)
                if last < first:
                    raise line.wrong(9, because("the last round comes before the first"))
                self.apart.append((line, first, last))
            case "XXP":
                self.apart.append((line, 1, None))
            case "062" | "072" | "152" | "XXC":
                pass  # how many players there are, and who begins: that follows from the rest
            case _:
                self.left_out[line.text[:3]] += 1

    def read_worth(self, line: Line, column: int, name: str, text: str) -> None:
        """What a result is worth."""
        if name.upper() not in WORTH:
            raise line.wrong(column, because("there is no result called %(name)s", name=name))
        points = line.tenths(column, text)
        if known := WORTH[name.upper()]:
            self.worth[known] = points

    def read_player(self, line: Line) -> None:
        """A player, with what he did in each round."""
        line.check_gaps(*GAPS)
        number, name = line.count(5, 8, 9999), clean_name(line.part(15, 47))
        if other := self.lines.get(number):
            raise line.wrong(5, because("line %(other)s has the number %(text)s too", text=number, other=other.number))
        if not 1 <= len(name) <= LONGEST_NAME:
            raise line.wrong(15, because("a player's name must have 1 to %(most)s characters", most=LONGEST_NAME))
        if other := self.names.get(name.casefold()):
            raise line.wrong(15, because("line %(other)s has the name %(name)s too", name=name, other=other.number))
        if len(self.lines) >= MOST_PLAYERS:
            raise line.wrong(1, because("a season may have at most %(most)s players", most=MOST_PLAYERS))
        columns = range(FIRST_ROUND, len(line.text.rstrip()) + 1, WIDTH)
        if len(columns) > MOST_ROUNDS:
            raise line.wrong(
                columns[MOST_ROUNDS], because("a season may have at most %(most)s rounds", most=MOST_ROUNDS)
            )
        self.entries[number] = [read_entry(line, column) for column in columns]
        self.lines[number] = self.names[name.casefold()] = line

    def entry(self, number: int, place: int) -> Entry:
        """What a player's line says of a round; nothing where it is too short."""
        return (self.entries[number][place - 1 : place] or [Entry()])[0]

    def known(self, line: Line, number: int, column: int) -> int:
        """The starting number. Raises BadInput for one that nobody has."""
        if number not in self.lines:
            raise line.wrong(column, because("there is no player with the number %(number)s", number=number))
        return number

    def byes_to_come(self) -> dict[int, dict[int, AskedKind]]:
        """The byes of rounds that are not paired, by starting number and round."""
        found: dict[int, dict[int, AskedKind]] = {number: {} for number in self.lines}
        for number, entries in self.entries.items():
            for place, each in enumerate(entries[self.last :], start=self.last + 1):
                if each.result:
                    found[number][place] = BYES[each.result] or "full"
        for line, wanted, kind in self.byes:
            for number, column in line.numbers(10 if wanted else 4):
                place = wanted or self.last + 1
                if self.known(line, number, column) and place > self.last:
                    found[number][place] = kind
        return found


def read_entry(line: Line, at: int) -> Entry:
    """What stands in the ten columns of a round. Raises BadInput."""
    line.check_gaps(at + 4, at + 6, at + 8, at + 9)
    opponent = line.count(at, at + 3, 9999, least=0) if line.part(at, at + 3) else 0
    colour = line.part(at + 5, at + 5).lower().replace("-", "")
    result = line.part(at + 7, at + 7).upper().replace("½", "=")
    is_known = result in (MATES if opponent else BYES) and colour in (("w", "b") if opponent else ("",))
    if not is_known and not (opponent and not colour and result in ("+", "-")):
        why = because(
            "'%(text)s' is not a result: write an opponent, w or b, and one of 1 = 0 + - W D L, "
            "or 0000 - and one of U F H Z",
            text=line.part(at, at + 7),
        )
        raise line.wrong(at, why)
    return Entry(opponent, colour, result, at)


def read_tournament(text: str) -> Tournament:
    """The season of a file. Halves of a point become whole ones: 2 for a victory, 1 for a draw.

    Where the file contradicts itself its columns may be bytes of UTF-8. Raises BadInput, which names the line and the
    column.
    """
    try:
        return tournament_of(Reading(text))
    except BadInput as fault:
        try:
            return tournament_of(Reading("\n".join(map(by_bytes, text.splitlines()))))
        except BadInput:
            raise fault from None


def by_bytes(text: str) -> str:
    """The line as a program means it that counts bytes of UTF-8 and not letters when it writes a player's name."""
    data = text.encode()
    before, name, rest = (part.decode(errors="replace") for part in (data[:14], data[14:47], data[47:]))
    return text if text.isascii() or not text.startswith("001") else f"{before}{name:<33}{rest}"


def tournament_of(file: Reading) -> Tournament:
    """The season of a file that was read line by line. Raises BadInput."""
    order = {number: f"p{place}" for place, number in enumerate(sorted(file.lines), start=1)}
    byes = file.byes_to_come()
    players = {id: read_member(file, number, byes[number]) for number, id in order.items()}
    tenths = {**STANDARD, "bye": file.worth.get("win", STANDARD["bye"]), **file.worth}
    unit = next(unit for unit in (10, 5, 1) if not any(points % unit for points in tenths.values()))
    season = Season(
        title=file.title or "TRF",
        pairing="swiss" if file.is_swiss else "round_robin",
        rounds=max(file.rounds, file.last) or None,
        settings=read({name: points // unit for name, points in tenths.items()}, Settings),
        players=players,
        played=tuple(read_round(file, order, players, number) for number in range(1, file.last + 1)),
        apart=tuple(read_apart(file, order)),
    )
    left_out = tuple(
        (code, because("lines of this kind: %(count)s", count=count)) for code, count in sorted(file.left_out.items())
    )
    return Tournament(season, left_out, (*file.notes, *points_that_differ(file, order, season, unit)))


def read_member(file: Reading, number: int, byes: Mapping[int, AskedKind]) -> Player:
    """A player, from his first round that is not a zero-point bye.

    He has left if he does not play in the last round and has nothing written there, or is absent in the next one too.
    """
    line, last = file.lines[number], file.last
    name = clean_name(line.part(15, 47))
    each = [file.entry(number, place) for place in range(1, last + 1)]
    there = [place for place, entry in enumerate(each, start=1) if entry.opponent or BYES[entry.result] != "zero"]
    until = there[-1] if there else 0
    is_gone = until < last and (byes.get(last + 1) == "zero" or bool(until and not each[-1].result))
    if is_gone:
        file.notes.append(line.note(because("%(name)s has left, after round %(number)s", name=name, number=until)))
    since = there[0] if there else 1 if is_gone else last + 1
    return Player(
        name,
        since=since,
        until=until if is_gone else None,
        rating=line.count(49, 52, HIGHEST_RATING, least=0) if line.part(49, 52) else 0,
        byes=() if is_gone else tuple(AskedBye(place, kind) for place, kind in sorted(byes.items())),
    )


def read_round(file: Reading, order: Mapping[int, str], players: Mapping[str, Player], number: int) -> Round:
    """The pairings of a round with their results. Raises BadInput where the lines of two players contradict."""
    found: list[Pairing] = []
    for one, id in order.items():
        own, line = file.entry(one, number), file.lines[one]
        if not own.opponent:
            if players[id].is_in(number):
                kind = BYES[own.result]
                found.append(Pairing((id,), Why(f"asked_{kind}" if kind else "imported_bye"), bye=kind))
            continue
        other = file.entry(file.known(line, own.opponent, own.column), number)
        same_colour = own.colour == other.colour and bool(own.colour)
        mates = tuple(MATES[own.result]) or ("",)
        if own.opponent == one or other.opponent != one or same_colour or other.result not in mates:
            why = because("line %(other)s says something else of this battle", other=file.lines[own.opponent].number)
            raise line.wrong(own.column, why)
        if not own.result and number < file.last:
            raise line.wrong(own.column + 7, because("the result of this battle is missing"))
        if own.colour == "b" or (not own.colour and one > own.opponent):
            continue  # it is entered with the first named player
        winner = id if own.result in ("1", "+", "W") else order[own.opponent] if own.result in ("0", "L") else None
        winner = order[own.opponent] if other.result == "+" else winner
        result = Result(winner, played=own.result not in ("+", "-")) if own.result else None
        found.append(Pairing((id, order[own.opponent]), Why("imported"), result=result))
    found.sort(key=lambda pairing: pairing.is_bye)
    date = file.dates[number - 1] if number <= len(file.dates) else ""
    return Round(number, dict(zip(ids(number, len(found)), found, strict=True)), published=True, date=date)


def read_apart(file: Reading, order: Mapping[int, str]) -> Iterator[Apart]:
    """Who is not to meet. Raises BadInput."""
    for place, (line, first, last) in enumerate(file.apart):
        numbers = [file.known(line, *each) for each in line.numbers(4 if last is None else 12)]
        if len(set(numbers)) < max(2, len(numbers)):
            raise line.wrong(5, because("name two or more different players"))
        if place >= MOST_APART:
            raise line.wrong(1, because("at most %(most)s groups of players may be kept apart", most=MOST_APART))
        is_to_the_end = last is None or last >= (file.rounds or MOST_ROUNDS)
        yield Apart(tuple(order[number] for number in numbers), first, None if is_to_the_end else last)


def points_that_differ(file: Reading, order: Mapping[int, str], season: Season, unit: int) -> Iterator[Reason]:
    """A note for each player whose points in the file are not those of his results.

    Those of the next round's bye may be among them.
    """
    points = points_of(season)
    for number, id in order.items():
        line, player = file.lines[number], season.players[id]
        if not line.part(81, 84):
            continue
        stated, next_bye = line.tenths(81, line.part(81, 84)), player.bye_in(len(season.played) + 1)
        more = worth(season, f"{next_bye.kind}_bye") if next_bye else 0
        if stated not in (points[id] * unit, (points[id] + more) * unit):
            values = {"stated": f"{stated / 10:g}", "sum": f"{points[id] * unit / 10:g}", "name": player.name}
            why = because("the file gives %(name)s %(stated)s points; the results come to %(sum)s", **values)
            yield line.note(why)


# -- A file that goes out.


def write_tournament(season: Season, edition: Edition) -> str:
    """The published rounds of a season as a file, with CR and LF at the end of each line.

    Where a draw is half a victory, a victory is written as 1 point, which all programs take for granted. A name is cut
    at 33 characters. Raises Illegal for points that cannot be written.
    """
    season = replace(season, played=tuple(each for each in season.played if each.published))
    is_new, unit, now = edition == "2026", unit_of(season.settings), len(season.played) + 1
    numbers = {id: place for place, id in enumerate(season.players, start=1)}
    rounds = max(planned_rounds(season), len(season.played), 1)
    to_come = {} if season.ended else {id: byes_of(player, now) for id, player in season.players.items()}
    lines = [f"012 {season.title}", f"062 {len(numbers)}"]
    lines.append(f"072 {sum(player.rating > 0 for player in season.players.values())}")
    lines.append("092 Swiss" if season.pairing == "swiss" else "092 Round robin")
    dates = [each.starts[2:10].replace("-", "/") if each.starts else each.date for each in season.played]
    if any(DATE.fullmatch(date) for date in dates):
        written = (date if DATE.fullmatch(date) else "" for date in dates)
        lines.append(f"{'132':<{FIRST_ROUND - 1}}" + "  ".join(f"{date:<8}" for date in written).rstrip())
    lines += [f"142 {rounds}", "152 W"] if is_new else [f"XXR {rounds}", "XXC white1"]
    lines += worth_lines(season.settings, unit, is_new)
    if is_new:
        lines.append("192 CUSTOM_SWISS" if season.pairing == "swiss" else "192 CUSTOM_ROUNDROBIN")
    for row in sorted(standings(season), key=lambda row: numbers[row.player]):
        name, rating = season.players[row.player].name[:33], season.players[row.player].rating or ""
        played, points = [columns(season, each, row.player, numbers) for each in season.played], row.points
        if not is_new and (next_bye := to_come.get(row.player, {}).get(now)):
            played.append(f"0000 - {next_bye[0].upper()}")
            points += worth(season, f"{next_bye}_bye")
        if points * 10 > 999 * unit:
            raise Illegal("O10.1", "A tournament file cannot hold scores above 99.9.")
        start = f"001 {numbers[row.player]:>4}      {name:<33} {rating:>4}"
        lines.append(f"{start:<80}{points / unit:>4.1f} {row.place:>4}" + "".join(f"  {each}" for each in played))
    lines += bye_lines(to_come, numbers) if is_new else ()
    if is_new:
        for each in season.apart:
            those = "".join(f" {numbers[player]:>4}" for player in each.players)
            lines.append(f"260 {each.first:03} {each.last or max(rounds, each.first):03}{those}")
    else:
        pairs = (sorted(numbers[player] for player in pair) for pair in season.kept_apart(now))
        lines += (f"XXP {one} {other}" for one, other in sorted(pairs))
    return "".join(f"{line}\r\n" for line in lines)


def unit_of(settings: Settings) -> int:
    """What a point of the file is here: a victory, where all else is a multiple of its half; else a point."""
    halves, rest = settings.win == 2 * settings.draw > 0, (settings.loss, settings.unplayed, settings.bye)
    return settings.win if halves and not any(points % settings.draw for points in rest) else 1


def worth_lines(settings: Settings, unit: int, is_new: bool) -> Iterator[str]:
    """What results are worth, where it is not what programs take for granted."""
    points = {name: getattr(settings, name) / unit for name in STANDARD}
    if all(points[name] * 10 == STANDARD[name] for name in STANDARD):
        return
    of = {name: f"{points[what]:.1f}" for name, what in WORTH.items() if what}
    if is_new and settings.unplayed:
        raise Illegal(
            "O10.1",
            "The edition of 2026 has one value for absence and for a battle that was not played. Take that of 2016.",
        )
    if is_new:
        yield "162  " + "    ".join(f"{name}{of[name]:>4}" for name in "WDLP")
        return
    of |= {"FW": of["W"], "FPB": of["W"], "HPB": of["D"], "ZPB": "0.0", "BBZ": "0.0"}
    names = ("WW", "BW", "WD", "BD", "WL", "BL", "ZPB", "HPB", "FPB", "PAB", "FW", "FL")
    yield "XXS " + " ".join(f"{name}={of[name]}" for name in names)
    yield from (f"{name} {of[name]:>4}" for name in ("BBW", "BBD", "BBL", "BBZ", "BBF", "BBU"))


def columns(season: Season, now: Round, player: str, numbers: Mapping[str, int]) -> str:
    """A round in a player's line. Who sits out in a round robin is absent there: it gives no points."""
    pairing = next((each for each in now.pairings.values() if player in each.players), None)
    code = CODES[how(pairing, player)] if pairing else "Z"
    if pairing is None or pairing.is_bye:
        return "0000 - Z" if code == "U" and season.pairing == "round_robin" else f"0000 - {code}"
    return f"{numbers[pairing.other(player)]:>4} {'w' if pairing.players[0] == player else 'b'} {code}"


def byes_of(player: Player, now: int) -> dict[int, AskedKind]:
    """A player's byes in rounds to come; who has left is absent in the next."""
    return {bye.round: bye.kind for bye in player.byes if bye.round >= now} if player.is_in(now) else {now: "zero"}


def bye_lines(to_come: Mapping[str, Mapping[int, AskedKind]], numbers: Mapping[str, int]) -> Iterator[str]:
    """Byes in rounds to come: one line for each kind and round."""
    found: dict[tuple[int, str], str] = {}
    for id, byes in to_come.items():
        for number, kind in byes.items():
            key = (number, kind[0].upper())
            found[key] = f"{found.get(key, '')} {numbers[id]:>4}"
    yield from (f"240 {kind} {number:03}{those}" for (number, kind), those in sorted(found.items()))
