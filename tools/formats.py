"""The page "What Navarch reads and writes" of the docs, format by format, from the tables of the readers themselves.

To add a format write a function that returns a `Section`, and add it to `SECTIONS`; its examples are files beside the
page, each with the reader that takes it (`tests/webapp/files/test_formats_page.py` reads them all).
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from email.message import EmailMessage
from typing import Any, NamedTuple

import msgspec

from strategic.open_campaign.rules.world import MOST_LANES, MOST_SPACES
from strategic.season.rules.enrolling import MOST_APART, MOST_PLAYERS, MOST_ROUNDS
from strategic.season.state import Apart, AskedBye, Pairing, Player, Result, Round, Season
from strategic.season.tournament_file import MOST_CHARACTERS, write_tournament
from tactical.battle import HOUSE
from webapp.api.seasons import HEADS as FLEET_HEADS
from webapp.api.seasons import fleet_sheet, read_fleet, read_tournament_file
from webapp.files import mail_reader
from webapp.files.book import (
    ENCODINGS,
    FORMATS,
    LARGEST,
    MOST_COLUMNS,
    MOST_ROWS,
    WORDS,
    Written,
    read_book,
    word_for,
)
from webapp.files.report import Sent
from webapp.files.scenario import (
    EXAMPLE,
    HEADS,
    SEA_HEADS,
    SETTING_HEADS,
    SIDE_HEADS,
    TYPE_HEADS,
    from_book,
    read_scenario,
    scenario_sheets,
    types_sheet,
)
from webapp.http.forms import EXPORT_LIMIT, MEGA
from webapp.pages.open_campaign import side_pages
from webapp.post.order_mails import LARGEST as LARGEST_MAIL
from webapp.post.order_mails import LONGEST, LONGEST_HEAD
from webapp.post.people import MOST_LISTED, read_list
from webapp.storage.journal import transfer
from webapp.systems.open_campaign.orders import STANCE, VERBS
from webapp.systems.open_campaign.world_file import LARGEST as LARGEST_WORLD
from webapp.systems.open_campaign.world_file import MOST_FILES, read_worlds

FOLDER = "examples"  # of the files, beside the page


class Example(NamedTuple):
    """A file to download, and the reader that takes it; None for one that is only written."""

    name: str
    data: bytes
    read: Callable[[bytes], object] | None


class Section(NamedTuple):
    """A format: its title, who reads and who writes it (empty: nobody), its text as lines of Markdown, its examples."""

    title: str
    read: str
    written: str
    lines: list[str]
    examples: tuple[Example, ...] = ()


def in_formats(name: str, sheets: Written, read: Callable[[bytes], object]) -> tuple[Example, ...]:
    """A spreadsheet in each of its formats."""
    return tuple(Example(f"{name}.{format}", write(sheets), read) for format, (_type, write) in FORMATS.items())


def heads(names: Iterable[str]) -> list[str]:
    """A table of heads with what they mean, and as people of other languages write them."""
    rows = [
        f"| `{name}` | {word_for(name).means} | {', '.join(word_for(name).it)} | {', '.join(word_for(name).ru)} |"
        for name in names
    ]
    return ["| head | what stands below it | Italian | Russian |", "|---|---|---|---|", *rows, ""]


def spreadsheets() -> Section:
    """What holds for all of them."""
    yes, no = (", ".join(dict.fromkeys((*word.en, *word.it, *word.ru))) for word in (WORDS.yes, WORDS.no))
    return Section(
        "Spreadsheets: CSV, ODS, XLSX",
        "fleets and scenarios, ship types, a season's fleets, models",
        "the same",
        [
            f"A file may have {LARGEST // 1000} kB, {MOST_ROWS} rows and {MOST_COLUMNS} columns. What was read is",
            "shown before it counts, with all that was left out and why; over the API the same stands in `report`.",
            "",
            "- **Heads** stand in one row, also below a title. They may be English, Italian or Russian on any page.",
            "  A column of your own is left alone and named. The first head of each table below must be there.",
            "- **CSV** is parted by commas, semicolons or tabs; the first line may be Excel's `sep=;`. Letters",
            "  are found by what is in the file: UTF-8, UTF-16, or an older",
            "  encoding. Where a name is misspelt, choose among",
            f"  {', '.join(ENCODINGS)}.",
            "- **Numbers** have a decimal point or a comma. `1,000` is refused where a whole number is wanted: write",
            "  `1000`.",
            f"- **Yes** is {yes}, or what Excel and LibreOffice of",
            f"  other countries write (WAHR, VRAI …). **No** is {no},",
            "  or an empty cell.",
            "- **Merged cells** of ODS and XLSX count for each of their rows.",
            "- Of a formula its last value counts. No text that Navarch writes is a formula: in CSV an apostrophe",
            "  stands before a name that begins with `=`, `+`, `-` or `@`, and goes when the file is read.",
            "",
        ],
    )


def scenarios() -> Section:
    """Fleets and scenarios."""
    return Section(
        "Fleets and scenarios as spreadsheets",
        "saved positions (`/positions`), `POST /api/v1/positions/read`",
        "saved positions, the fleet builder, `GET /api/v1/positions/{id}/file.ods`",
        [
            "As CSV the ships alone; as ODS or XLSX with the sheets `ships`, `sides`, `board`, `sea` and `types`. A",
            "ship without a place lies ashore until somebody puts her down.",
            "",
            "Sheet `ships`:",
            "",
            *heads(HEADS),
            "Sheet `sides`:",
            "",
            *heads(SIDE_HEADS),
            f"Sheet `board`: a setting a row ({', '.join(f'`{each}`' for each in WORDS.values['setting'])},",
            "and the options of the rules).",
            "",
            *heads(SETTING_HEADS),
            "Sheet `sea`: on hexes a hex a row, on the measured sea a point of an outline a row.",
            "",
            *heads(SEA_HEADS),
        ],
        in_formats("fleets", scenario_sheets("An example", EXAMPLE), lambda data: read_scenario(read_book(data))),
    )


def ship_types() -> Section:
    """Own ship types."""
    return Section(
        "Ship types as spreadsheets",
        "a group's own values (`/campaign/house/galley`), a season's types",
        "the same pages",
        ["A row for each type. An empty cell has what the program's type of this name has.", "", *heads(TYPE_HEADS)],
        in_formats("ship_types", {"types": types_sheet({}, {"trireme": 6})}, from_book),
    )


def season_fleets() -> Section:
    """A season's fleets."""
    season = Season(title="Winter")
    return Section(
        "A season's fleet as a spreadsheet",
        "the season's page, `PUT /api/v1/seasons/{id}/players/{player}/fleet.csv`",
        "the same",
        [
            "A row for each ship. `?check=yes` answers with the ships and the report, and enters nothing.",
            "",
            *heads(FLEET_HEADS),
        ],
        in_formats("season_fleet", fleet_sheet(season, ""), lambda data: read_fleet(season, "hellenistic", data)),
    )


def own_models() -> Section:
    """The models of an open campaign."""
    example = {"models": side_pages.models_sheet({"Anna": {"trireme": 12, "quinquereme": 3}, "Bruno": {"bireme": 4}})}
    return Section(
        "Models of an open campaign as spreadsheets",
        "the page of models",
        "the same",
        ["A row for each owner and ship type.", "", *heads(side_pages.HEADS)],
        in_formats("models", example, side_pages.from_book),
    )


def saved_games() -> Section:
    """Whole games and seasons."""
    return Section(
        "Saved games and seasons: JSON",
        "the organizer's page, `navarch import`, `POST /api/v1/games/import`, `POST /api/v1/seasons/import`",
        "`navarch export`, `GET /api/v1/games/{id}/export`, `GET /api/v1/seasons/{id}/export`",
        [
            f"A whole game with its journal, up to {EXPORT_LIMIT // MEGA} MB. `navarch` is the number of the file's",
            f"format (now {transfer.FORMAT}), `least` the oldest program that reads it (now {transfer.LEAST}), and",
            "`game.engine` the version of the rules. A file of a newer program is refused with the version that it",
            "wants; a field that this program does not know is refused by its",
            "path. Games of every earlier version are read.",
            "",
        ],
    )


def scenario_files() -> Section:
    """A position as JSON."""
    whole = {
        "navarch": transfer.FORMAT,
        "least": transfer.LEAST,
        "system": "galley",
        "title": "An example",
        "position": EXAMPLE,
    }

    def read(data: bytes) -> Mapping[str, Any]:
        raw: dict[str, Any] = msgspec.json.decode(data)
        transfer.check_least(raw)
        return raw

    return Section(
        "Positions and wars by hand: JSON",
        "saved positions and wars, `POST /api/v1/games`",
        "the same pages",
        [
            "What a new game takes: `system`, `title`, `position`, with `navarch` and `least` as in a saved game.",
            "",
        ],
        (Example("position.json", msgspec.json.format(msgspec.json.encode(whole)), read),),
    )


def house_tables() -> Section:
    """A group's own values."""
    example = f'title = "Our values"\n{HOUSE.example}\n'
    return Section(
        "A group's own values: TOML or JSON",
        "`/campaign/house/{system}`, the option `house` of a new game",
        "the same page (JSON)",
        ["Fields that are left out stay as they are in the book. An unknown field is refused by its name.", ""],
        (Example("house.toml", example.encode(), lambda data: HOUSE.from_text(data.decode())),),
    )


def tournaments() -> Section:
    """A season as other programs read and write it."""
    names = ("Rossi, Anna", "Bianchi, Bruno", "Verdi, Carla", "Neri, Dino", "Núñez, Elsa")
    players = {f"p{place}": Player(name, rating=1900 - 50 * place) for place, name in enumerate(names, start=1)}
    players["p4"] = msgspec.structs.replace(players["p4"], byes=(AskedBye(2, "half"),))
    first = {
        "r1-1": Pairing(("p1", "p2"), result=Result("p1")),
        "r1-2": Pairing(("p3", "p4"), result=Result(None)),
        "r1-3": Pairing(("p5",)),
    }
    season = Season(
        "Winter cup", "swiss", 5, players=players, played=(Round(1, first, True),), apart=(Apart(("p1", "p3")),)
    )
    return Section(
        "Tournaments: FIDE's TRF",
        "*A tournament of another program* on `/seasons/new`, `POST /api/v1/seasons/tournament.trf`",
        "a season's page, `GET /api/v1/seasons/{season}/tournament.trf?edition=2016` or `2026`",
        [
            "Lines of fixed columns, in the editions of 2016 and 2026. A file may hold",
            f"{MOST_CHARACTERS // 1000} kB, {MOST_PLAYERS} players, {MOST_ROUNDS} rounds and {MOST_APART} groups of",
            "players who are not to meet; the guide says how a season is read from it.",
            "",
            "- Read: 001 (number, name, rating, points, rounds), 012, 092, 132, 142, 162, 192, 240, 260; of the",
            "  additions to 2016 XXR, XXP, XXZ, XXS, BBW, BBD, BBL, BBZ, BBF, BBU. All else is left out, and named.",
            "- Written in 2026: 012, 062, 072, 092, 132, 142, 152, 162, 192, 001, 240, 260; in 2016 XXR, XXC, XXS,",
            "  BBW … and XXP in their place, and byes of the next round in its columns.",
            "",
        ],
        tuple(
            Example(f"season_{edition}.trf", text.encode(), lambda data: read_tournament_file(Sent(data)))
            for edition, text in (
                ("2026", write_tournament(season, "2026")),
                ("2016", write_tournament(season, "2016")),
            )
        ),
    )


WORLD = {
    "type": "FeatureCollection",
    "features": [
        {
            "type": "Feature",
            "properties": {"id": id, "name": name, "kind": kind, "rank": rank},
            "geometry": {"type": "Point", "coordinates": at},
        }
        for id, name, kind, rank, at in (
            ("rhodos", "Rhodos", "port", 100, [28.23, 36.45]),
            ("telos", "Telos", "beach", 70, [27.35, 36.43]),
            ("kos", "Kos", "port", 90, [27.29, 36.9]),
        )
    ]
    + [
        {
            "type": "Feature",
            "properties": {"from": start, "to": end, "kind": kind},
            "geometry": {"type": "LineString", "coordinates": line},
        }
        for start, end, kind, line in (
            ("rhodos", "telos", "lane", [[28.23, 36.45], [27.8, 36.5], [27.35, 36.43]]),
            ("telos", "kos", "sea_lane", [[27.35, 36.43], [27.29, 36.9]]),
        )
    ],
}
PLACES = "name;kind;rank;lon;lat\nRhodos;port;100;28,23;36,45\nTelos;beach;70;27,35;36,43\nKos;port;90;27,29;36,9\n"
WAYS = "from;to;kind\nRhodos;Telos;lane\nTelos;Kos;sea lane\n"
KML = """\
<?xml version="1.0" encoding="UTF-8"?>
<kml xmlns="http://www.opengis.net/kml/2.2"><Document>
<Placemark><name>Rhodos</name><Point><coordinates>28.23,36.45,0</coordinates></Point></Placemark>
<Placemark><name>Telos</name><Point><coordinates>27.35,36.43,0</coordinates></Point></Placemark>
<Placemark><name>The strait</name>
<LineString><coordinates>28.23,36.45 27.8,36.5 27.35,36.43</coordinates></LineString></Placemark>
</Document></kml>
"""


def worlds() -> Section:
    """The world of an open campaign."""

    def read(*files: str) -> object:
        return read_worlds([("world", file.encode()) for file in files]).world["features"]

    return Section(
        "Worlds: GeoJSON, KML, lists of places and lanes",
        "a war of your own (`/open/new`), *Load an edited world* on the umpire's desk, `POST /api/v1/worlds`",
        "*This world as GeoJSON* on the umpire's desk",
        [
            f"Up to {MOST_FILES} files at once make one world ({LARGEST_WORLD // MEGA} MB together, of at most",
            f"{MOST_SPACES} places and {MOST_LANES} lanes and roads). [World files](guide.md#world-files) in the guide",
            "says feature by feature what becomes of what map programs write.",
            "",
        ],
        (
            Example("world.geojson", msgspec.json.format(msgspec.json.encode(WORLD)), lambda data: read(data.decode())),
            Example("world.kml", KML.encode(), lambda data: read(data.decode())),
            Example("places.csv", PLACES.encode(), lambda data: read(data.decode())),
            Example("lanes.csv", WAYS.encode(), lambda data: read(PLACES, data.decode())),
        ),
    )


def lists_of_people() -> Section:
    """Players of a season, people of a group."""
    example = "Anna Rossi, 1850, C.N. Ostia, anna@club.example\nBianchi, Bruno; 1700\n"
    example += '"Verdi, Carla" <carla@club.example>\n'
    return Section(
        "Lists of people: text",
        "*Enter several players* on a season's page, the page of a group, the club's address book",
        "",
        [
            f"A line for each person, up to {MOST_LISTED}; lines may be numbered. After the name may stand an address",
            "for mail and, in a season, a rating and a club, with commas, semicolons or tabs between.",
            "",
        ],
        (Example("players.txt", example.encode(), lambda data: read_list(data.decode(), with_rating=True)),),
    )


def order_mails() -> Section:
    """Orders by mail."""
    reply = EmailMessage()
    reply["From"], reply["To"], reply["Subject"] = "anna@club.example", "navarch@club.example", "Re: your turn"
    reply.set_content("Guard: go Telos, avoid\nEscort: stay\n\nOn Sunday Navarch wrote:\n> anna,\n> It is your turn.\n")
    bounds = {"longest_head": LONGEST_HEAD, "longest": LONGEST}
    return Section(
        "Orders by mail",
        "the server's own address, in a game by post",
        "dispatches, and an answer to each e-mail that says how its lines were understood",
        [
            f"A line for each fleet: its name, a colon, an order ({', '.join(VERBS)}), a place, and if you like a",
            f"stance ({', '.join(STANCE)}), with commas between. Plain text or HTML, up to {LARGEST_MAIL // 1000} kB.",
            "[Running a server](running.md) says which lines of a reply are read as its writer's own.",
            "",
        ],
        (Example("reply.eml", reply.as_bytes(), lambda data: mail_reader.read(data, **bounds)[1]),),
    )


def calendars() -> Section:
    """Deadlines and dates."""
    return Section(
        "Calendars: iCalendar",
        "",
        "deadlines of a seat (an address of its own, on the page *People and deadlines*), dates of a season",
        [
            "RFC 5545, to download or to subscribe to. Moments are written in UTC, and a program shows them in its own",
            "zone. An entry that was moved keeps its UID and has a higher SEQUENCE.",
            "",
        ],
    )


def tables_out() -> Section:
    """What is only written."""
    return Section(
        "Tables for other programs: CSV",
        "",
        "a season's table, a battle's report, a campaign's register of ships",
        ["In UTF-8 with the mark by which spreadsheets know it, parted by commas.", ""],
    )


SECTIONS: tuple[Callable[[], Section], ...] = (
    spreadsheets,
    scenarios,
    ship_types,
    season_fleets,
    own_models,
    saved_games,
    scenario_files,
    house_tables,
    tournaments,
    worlds,
    lists_of_people,
    order_mails,
    calendars,
    tables_out,
)

# The reports of which the page has pictures, which tools/pictures.py takes at each size.
REPORTS = {
    "fleet": "A fleet from a spreadsheet",
    "world": "A world from GeoJSON",
    "places": "Places and lanes from CSV and KML",
    "tournament": "A tournament (TRF)",
    "players": "A pasted list of players",
    "orders": "The answer to an order mail",
}
SIZES = {"tablet": (1024, 768), "phone": (390, 844)}


def anchor(title: str) -> str:
    """The anchor of a heading."""
    return "-".join("".join(each for each in title.lower() if each.isalnum() or each in " -").split())


def page(sections: Iterable[Section]) -> str:
    """The page in Markdown."""
    sections = tuple(sections)
    lines = [
        "# What Navarch reads and writes",
        "",
        "Whatever a stranger sends is read in a process of its own with limits of time and memory, and a fault names",
        "its cell, feature or field; nothing changes then. Names of people,",
        "ships and games have one form at every door:",
        "Unicode's NFKC, single spaces, no letters that cannot be seen.",
        "",
        "| format | read by | written by |",
        "|---|---|---|",
        *(
            f"| [{each.title}](#{anchor(each.title)}) | {each.read or '–'} | {each.written or '–'} |"
            for each in sections
        ),
        "",
    ]
    for each in sections:
        lines += [f"## {each.title}", "", *each.lines]
        if each.examples:
            links = ", ".join(f"[{example.name}]({FOLDER}/{example.name})" for example in each.examples)
            lines += [f"Examples: {links}", ""]
    lines += [
        "## What a report looks like",
        "",
        "Nothing of a file counts before somebody has seen the report and taps the button below it. Orders by mail",
        "count at once, and the answer says how each line was understood.",
        "",
        f"| | {' | '.join(SIZES)} |",
        f"|---{'|---' * len(SIZES)}|",
    ]
    for name, title in REPORTS.items():
        pictures = (f"![{title}, {size}](pictures/{picture(name, size)})" for size in SIZES)
        lines.append(f"| {title} | {' | '.join(pictures)} |")
    return "\n".join([*lines, ""])


def picture(name: str, size: str) -> str:
    """The file of a report's picture."""
    return f"report-{name}-{size}.png"
