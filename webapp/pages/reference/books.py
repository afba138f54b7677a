"""The rule books as the pages show them, and the search through them."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Mapping
from functools import cache
from pathlib import Path
from typing import Any, NamedTuple

from flask_babel import get_locale
from markupsafe import escape
from msgspec.structs import replace

import data
from strategic import NAMES
from tactical.kernel.record import BadInput, Record
from webapp.pages.reference.cases import Case, cases, chapters
from webapp.pages.reference.cases import Chapter as CaseChapter
from webapp.presenting.labels import words_of

# -- The rule books as the pages show them: paragraphs in our own words, by chapter, with status and source.

SYSTEMS = ("galley", *NAMES, "linking")
CHAPTER = re.compile(r"^# -- (.+)$|^id = \"(.+)\"$", re.MULTILINE)
NUMBER = re.compile(r"\b[A-Z]{0,2}\d+(?:\.\w+)+\b")


class Paragraph(Record, frozen=True):
    """One entry of a paragraphs.toml. `source` is set where the paragraph is not from the rule book itself.

    `inventory` is false for what our source does not have: readings, and paragraphs of the printed rules around it.
    """

    id: str
    title: str
    text: str
    kind: str
    enforce: bool = False
    status: str = "later"
    note: str = ""
    source: str = ""
    inventory: bool = True

    @property
    def origin(self) -> str:
        """rules, published, derived or reconstructed: a reading is derived, what the tables add was published."""
        if self.source:
            return self.source
        if self.kind == "reading":
            return "derived"
        return "published" if self.id.startswith("tables.") else "rules"

    @property
    def kept(self) -> str:
        """How the program keeps to it: one of `KEPT`; a remark asks nothing of anybody."""
        if self.status != "manual":
            return self.status
        return "remark" if self.kind == "comment" else "by hand"


class Paragraphs(Record, frozen=True):
    """A paragraphs.toml."""

    paragraph: tuple[Paragraph, ...]


class Chapter(NamedTuple):
    """A chapter with its paragraphs, in order."""

    title: str
    paragraphs: tuple[Paragraph, ...]


class Book(NamedTuple):
    """One system's paragraphs by chapter and by id."""

    system: str
    chapters: tuple[Chapter, ...]
    by_id: dict[str, Paragraph]

    def beside(self, paragraph: str) -> tuple[Paragraph | None, Paragraph | None]:
        """The paragraphs before and after."""
        ids = list(self.by_id)
        place = ids.index(paragraph)
        before = self.by_id[ids[place - 1]] if place else None
        after = self.by_id[ids[place + 1]] if place + 1 < len(ids) else None
        return before, after

    def chapter_of(self, paragraph: str) -> str:
        """The chapter's title."""
        return next(
            chapter.title for chapter in self.chapters if any(each.id == paragraph for each in chapter.paragraphs)
        )


def books() -> tuple[Book, ...]:
    """The books that are there."""
    return tuple(book(system) for system in SYSTEMS if (data.ROOT / system / "paragraphs.toml").exists())


@cache
def book(system: str) -> Book:
    """One book. FileNotFoundError when there is none."""
    path = f"{system}/paragraphs.toml"
    entries = {each.id: each for each in data.read(path, Paragraphs).paragraph}
    chapters: list[tuple[str, list[Paragraph]]] = []
    for title, paragraph in CHAPTER.findall((data.ROOT / path).read_text()):
        if title:
            chapters.append((title, []))
        elif paragraph in entries:
            if not chapters:
                chapters.append(("", []))
            chapters[-1][1].append(entries[paragraph])
    return Book(system, tuple(Chapter(title, tuple(each)) for title, each in chapters if each), entries)


def find(system: str, number: str) -> tuple[str, str] | None:
    """The book and paragraph that a rule number means: itself, in another book, or the nearest one above it."""
    here = [each for each in books() if each.system == system]
    others = [each for each in books() if each.system != system]
    wanted = number
    while wanted:
        for each in (*here, *others):
            if wanted in each.by_id:
                return each.system, wanted
            beginning = next((known for known in each.by_id if known.startswith(f"{wanted}.")), None)
            if beginning and each in here:
                return each.system, beginning
        wanted = wanted.rpartition(".")[0]
    return None


def pieces_with_links(system: str, text: str) -> list[tuple[str, str | None]]:
    """The text in pieces; a piece that is a paragraph's number comes with its address."""
    known = book(system).by_id
    pieces: list[tuple[str, str | None]] = []
    at = 0
    for found in NUMBER.finditer(text):
        if found.group() in known:
            pieces.append((text[at : found.start()], None))
            pieces.append((found.group(), f"/reference/{system}/{found.group()}"))
            at = found.end()
    pieces.append((text[at:], None))
    return [piece for piece in pieces if piece[0]]


# -- The books and the cases in the reader's language, from the files that stand beside the English ones.
#
# `data/<system>/paragraphs.<language>.toml` and `cases.<language>.toml` hold titles, texts and notes by id or number.
# A text that such a file does not have stays English; tests/webapp/reference/test_three_languages.py allows none.

ENGLISH = "en"
LANGUAGES = (ENGLISH, *data.languages(f"{SYSTEMS[0]}/paragraphs.toml"))


def reading() -> str:
    """The language of the page."""
    return str(get_locale() or ENGLISH)


@cache
def book_in(system: str, language: str) -> Book:
    """A book in a language."""
    known, plain = data.words_of(f"{system}/paragraphs.toml", language), book(system)
    by_id = {number: in_other_words(each, known.get(number, {})) for number, each in plain.by_id.items()}
    found = tuple(Chapter(title, tuple(by_id[each.id] for each in own)) for title, own in plain.chapters)
    return Book(system, found, by_id)


def in_other_words(paragraph: Paragraph, words: dict[str, str]) -> Paragraph:
    """A paragraph with its title, text and note in other words; what is not among them stays."""
    return replace(
        paragraph,
        title=words.get("title", paragraph.title),
        text=words.get("text", paragraph.text),
        note=words.get("note", paragraph.note),
    )


def book_in_language(system: str) -> Book:
    """A book in the language of the page."""
    return book_in(system, reading())


def books_in_language() -> tuple[Book, ...]:
    """All books in the language of the page."""
    return tuple(book_in_language(each.system) for each in books())


def case_in_language(case: Case, system: str) -> Case:
    """A case with its title and text in the language of the page."""
    words = data.words_of(f"{system}/cases.toml", reading()).get(str(case.number), {})
    return replace(case, title=words.get("title", case.title), text=words.get("text", case.text))


def chapters_in_language(system: str) -> tuple[CaseChapter, ...]:
    """The catalogue of a system in the language of the page, file by file."""
    heads = data.words_of(f"{system}/cases.toml", reading()).get("chapters", {})
    return tuple(
        CaseChapter(heads.get(each.title, each.title), tuple(case_in_language(case, system) for case in each.cases))
        for each in chapters(system)
    )


def cases_in_language(system: str) -> dict[int, Case]:
    """All cases of a system by number, in the language of the page."""
    return {number: case_in_language(case, system) for number, case in cases(system).items()}


# -- How much of each rule book is built, as the table of docs/coverage.md: every paragraph that is shown, by chapter.

BEGIN, END = "<!-- coverage:begin -->", "<!-- coverage:end -->"
KEPT = ("done", "by hand", "remark", "later")
HEAD = ("| {what} | done | by hand | remarks | later | all | not in our source |", "|---|" + "---:|" * 6)


def markdown() -> str:
    """All books in one table, then each book's chapters in a fold of its own."""
    found = books()
    lines = [HEAD[0].format(what="system"), HEAD[1]]
    lines += [row(words_of(book.system).title, book.by_id.values()) for book in found]
    lines.append(row("**together**", [each for book in found for each in book.by_id.values()]))
    for book in found:
        lines += ["", f"<details><summary>{escape(words_of(book.system).title)} by chapter</summary>", ""]
        lines += [HEAD[0].format(what="chapter"), HEAD[1]]
        lines += [row(chapter.title or "Rules", chapter.paragraphs) for chapter in book.chapters]
        lines += ["", "</details>"]
    return "\n".join(lines)


def row(what: str, paragraphs: Iterable[Paragraph]) -> str:
    """One line: how many paragraphs are kept in each way, how many there are, and how many of these we added."""
    found = list(paragraphs)
    counts = Counter(each.kept for each in found)
    numbers = [*(counts[kept] for kept in KEPT), len(found), sum(not each.inventory for each in found)]
    return f"| {what.replace('|', '/')} | {' | '.join(map(str, numbers))} |"


def played_by_hand(system: str) -> list[Paragraph]:
    """The rules of a system that the program leaves to the players, in the language of the page."""
    own = (book.by_id.values() for book in books_in_language() if book.system == system)
    return [each for paragraphs in own for each in paragraphs if each.kept == "by hand"]


def update(path: Path) -> None:
    """Write the table between the marks of a file. BadInput when the marks are not there."""
    text = path.read_text()
    begin, end = marks(text)
    path.write_text(f"{text[:begin]}\n{markdown()}\n{text[end:]}")


def current_table(text: str) -> str:
    """The table that a file shows now. BadInput when the marks are not there."""
    begin, end = marks(text)
    return text[begin:end].strip()


def marks(text: str) -> tuple[int, int]:
    """Where the first mark ends and the last begins. BadInput when they are not there, in order."""
    begin, end = text.find(BEGIN), text.find(END)
    if not 0 <= begin < end:
        raise BadInput("", "the file has no %(begin)s … %(end)s", begin=BEGIN, end=END)
    return begin + len(BEGIN), end


# -- Searching the paragraphs by Russian, Italian or English words: in the language of the page, then in the others.
#
# A word finds all its forms: Snowball's stems stand for them (snowballstemmer, by Snowball's own maintainers). Where
# the forms of a word have several stems (a fleeting vowel; man and men), data/search.toml has them from a dictionary.
# It also has the words that mean the same in three languages.

WORD = re.compile(r"[^\W_]+(?:[.'][^\W_]+)*")
SHORTEST = 3
LONGEST_ENDING = 6  # in Russian and Italian
CYRILLIC = re.compile("[а-я]")
TONGUES = {"en": "english", "it": "italian", "ru": "russian"}
LIMIT = 60


class Term(Record, frozen=True):
    """One thing: beginnings of its words in three languages."""

    en: tuple[str, ...]
    it: tuple[str, ...] = ()
    ru: tuple[str, ...] = ()


class Terms(Record, frozen=True):
    """data/search.toml."""

    source: str
    term: tuple[Term, ...]
    forms: dict[str, tuple[str, ...]] = {}


class Found(NamedTuple):
    """A paragraph that was found, in the language of the page; how well it fits, and whether in that language."""

    system: str
    paragraph: Paragraph
    weight: int
    own: bool


def search(text: str, system: str | None = None, language: str = ENGLISH) -> list[Found]:
    """The paragraphs that hold every word of the query in one language: those of the page's language first, and of
    each the best first. A rule number finds itself.
    """
    words = WORD.findall(plain(text))[:8]
    if not words:
        return []
    tongues = (language, *(each for each in LANGUAGES if each != language))
    wanted = {tongue: [beginnings(word, tongue) for word in words] for tongue in tongues}
    found = []
    for book in books():
        if system is not None and book.system != system:
            continue
        for number, shown in book_in(book.system, language).by_id.items():
            for tongue in tongues:
                told = book_in(book.system, tongue).by_id[number]
                weights = [
                    weight(told, word, starts, tongue) for word, starts in zip(words, wanted[tongue], strict=True)
                ]
                if all(weights):
                    found.append(Found(book.system, shown, sum(weights), tongue == language))
                    break
    return sorted(found, key=lambda each: (not each.own, -each.weight))[:LIMIT]


def beginnings(word: str, language: str = ENGLISH) -> tuple[str, ...]:
    """What words of a text begin with that answer a word of any of the three languages; a stem ends in a blank."""
    is_ours = bool(CYRILLIC.search(word)) == (language == "ru")
    starts = {word, *(f"{each} " for each in stems(word, language))} if is_ours else set()
    for term in terms():
        if any(means(word, start) for own in term.values() for start in own):
            starts.update(term[language])
    return tuple(starts)


@cache
def terms() -> tuple[Mapping[str, tuple[str, ...]], ...]:
    """The terms of data/search.toml: for each language the beginnings of the words for one thing."""
    found = data.read("search.toml", Terms).term
    return tuple({tongue: tuple(map(plain, getattr(each, tongue))) for tongue in ("en", "it", "ru")} for each in found)


def means(word: str, start: str) -> bool:
    """Does a word begin so, or the other way round while it is being typed?"""
    return word.startswith(start) or (len(word) >= SHORTEST and start.startswith(word))


def plain(text: str) -> str:
    """Lower case, and the Russian ё as е, as most people type it."""
    return text.lower().replace("ё", "е")


@cache
def stem(word: str, language: str = ENGLISH) -> str:
    """The stem that stands for all forms of a word."""
    found: str = stemmer(language).stemWord(word)
    return found


@cache
def stemmer(language: str) -> Any:
    """What finds the stems of a language."""
    import snowballstemmer  # which loads thirty languages

    return snowballstemmer.stemmer(TONGUES[language])


def stems(word: str, language: str) -> set[str]:
    """The stems that stand for all forms of a word."""
    root = stem(word, language)
    return {root, *sister_stems()[language].get(root, ())}


@cache
def sister_stems() -> Mapping[str, Mapping[str, set[str]]]:
    """The stems of other forms of the same word, for each language by the stem of one."""
    found: dict[str, dict[str, set[str]]] = {language: {} for language in LANGUAGES}
    for language, rows in data.read("search.toml", Terms).forms.items():
        for row in rows:
            for root in row.split():
                found[language].setdefault(root, set()).update(row.split())
    return found


def weight(paragraph: Paragraph, word: str, starts: tuple[str, ...], language: str) -> int:
    """How well a paragraph answers one word: its number, its title, its text."""
    if paragraph.id.lower() == word:
        return 100
    title, body = texts(paragraph.title, language), texts(paragraph.text, language)
    if any(f" {start}" in title for start in starts):
        return 10
    return 1 if any(f" {start}" in body for start in starts) else 0


@cache
def texts(text: str, language: str) -> str:
    """The words of a text in a row, then their stems, each between blanks."""
    words = WORD.findall(plain(text))
    return f" {' '.join((*words, *(stem(word, language) for word in words)))} "


class Index(NamedTuple):
    """What the search without a network needs: words with the places of their paragraphs; system, number and title."""

    words: Mapping[str, list[int]]
    paragraphs: list[tuple[str, str, str]]


def is_ending(root: str, word: str) -> bool:
    """Does a stem stand for a word in the search without a network (static/sw.js)?"""
    return len(root) >= SHORTEST and word.startswith(root) and len(word) - len(root) <= LONGEST_ENDING


@cache
def index(language: str) -> Index:
    """All paragraphs in a language by the stems of their words, and by the beginnings of other languages' terms.

    A stem stands for every word that begins with it; a form that does not (city, citi) has an entry of its own.
    """
    told = [(book.system, each) for book in books() for each in book_in(book.system, language).by_id.values()]
    at: dict[str, set[int]] = {}
    forms: dict[str, set[str]] = {}
    for place, (_system, each) in enumerate(told):
        for word in WORD.findall(plain(f"{each.id} {each.title} {each.text}")):
            at.setdefault(stem(word, language), set()).add(place)
            forms.setdefault(stem(word, language), set()).add(word)
    sisters = sister_stems()[language]
    every = {each for root in at for each in (root, *sisters.get(root, ()))}
    at = {root: set[int]().union(*(at.get(each, ()) for each in (root, *sisters.get(root, ())))) for root in every}
    found = {word: at[root] for root, own in forms.items() for word in own if not is_ending(root, word)} | at
    for term in terms():
        places = [at[root] for root, own in forms.items() if any(w.startswith(term[language]) for w in own)]
        for start in {start for tongue, own in term.items() if tongue != language for start in own}:
            found[start] = found.get(start, set()).union(*places)
    return Index(
        {word: sorted(places) for word, places in sorted(found.items()) if places},
        [(system, each.id, each.title) for system, each in told],
    )
