"""What went wrong, as a page of the house in the reader's language: nothing here, not for you, too much, our fault."""

from __future__ import annotations

from typing import Any

from flask import current_app, render_template
from werkzeug.exceptions import HTTPException, default_exceptions

from webapp.http.language import gettext
from webapp.http.language import gettext as _


def _l(text: str) -> str:
    """Marks a sentence for the translators' catalogue."""
    return text


LOST_MOVES = _l(
    "The server has lost moves: what you last saw is no longer valid. Check the game, tell the organizer, and re-enter"
    " the missing moves."
)
HOUSE = (
    LOST_MOVES,
    _l("This link is unknown: ask the umpire for a new one."),
    _l("There is no such game."),
    _l("This game is moving to another machine: try again in a moment."),
    _l("This link is unknown: the game may have been deleted."),
    _l("There is no such seat in this game."),
    _l("There is no such request in this game."),
    _l("There is no such position."),
    _l("There is no such entry in the journal."),
    _l("There is no such ship in this battle."),
    _l("There is no such season."),
    _l("There is no such person in this game."),
    _l("There is no such forecast."),
    _l("This seat has no such device."),
    _l("A seat is taken by opening its link."),
    _l("This command was given by a person."),
    _l("This server does not use HTTPS."),
    _l("This battle belongs to no campaign."),
    _l("Only the umpire can give out seats."),
    _l("Only the umpire can adjust the position."),
    _l("Only the umpire can export a game: the file holds every side's secrets."),
    _l("A spectator only watches and cannot take anything back."),
    _l("A spectator only watches and cannot point, draw or leave notes."),
    _l("This token is unknown: it may have been withdrawn."),
    _l("On this server only the organizer can begin games."),
    _l("Too many requests from your network address: wait a minute."),
    _l("The server is reading too many files: try again in a moment."),
    _l("Too much has been saved today from your network address: try again tomorrow."),
    _l("Two forecasts from your network address are still being fought: wait until one has ended, or stop one."),
    _l("This server does not answer to that name: whoever runs it can allow the name."),
    _l("The server's disk is full, so nothing has been saved. The organizer must make room on it."),
    _l("Another program has locked the games file, so nothing was saved. Try again in a moment."),
    _l(
        "The program may only read the games file, so nothing has been saved. The "
        "organizer must let the program write to the file and its folder."
    ),
    _l(
        "This machine only shows the games, so nothing has been saved. Open the game on the machine that accepts"
        " commands."
    ),
    _l(
        "The games file is damaged at this place. The organizer can check it with `navarch verify` "
        "and go back with `navarch restore`."
    ),
    _l("The games file has reached its limit: only moves are written until the organizer makes room."),
    _l("This is not a games file. Name another file with --db, or go back with `navarch restore`."),
    _l("The games file cannot be opened or read. The organizer must check the disk, the path and the permissions."),
)


# The title of a status's page, and what it means.
MEANINGS = {
    400: (
        _l("That cannot be read"),
        _l("The form cannot be read. Go back, load the page again and fill in the form again."),
    ),
    401: (_l("No seat here"), _l("Open the link or the QR code that the umpire gives you.")),
    403: (_l("Not for this seat"), _l("This seat may not do that or see it.")),
    404: (_l("Not found"), _l("There is nothing at this address. A game may have been deleted, or a link mistyped.")),
    405: (_l("That cannot be done"), _l("This page can only be read; go back and use its buttons.")),
    409: (_l("The game has moved on"), _l("Somebody was quicker. Go back and look at the game as it is now.")),
    413: (_l("Too large"), _l("This upload is too large for the server.")),
    429: (_l("Too many requests"), _l("Too many requests came from this tablet: wait a minute.")),
    500: (_l("An error in the program"), _l("The program has made an error. The game is as it was before.")),
}


def page(fault: HTTPException) -> Any:
    """The page of an HTTP error, with the sentence of whoever raised it, and the way home.

    An application without our pages (one that serves the API alone) answers plainly.
    """
    if "battle" not in current_app.blueprints:
        return fault
    code = fault.code or 500
    own = in_words(fault.description or "") if is_own(fault) else ""
    title, meaning = MEANINGS.get(code, (_l("That cannot be done"), ""))
    text = render_template("fault.html", title=_(title), said=own or (meaning and _(meaning)), code=code)
    return current_app.make_response((text, code, fault.get_headers()[1:]))


def plainly(code: int, sentence: str) -> Any:
    """A page for a status that the library knows no exception for, or when the games file cannot be read."""
    said = in_words(sentence)
    if "battle" not in current_app.blueprints:
        return current_app.response_class(said, code, mimetype="text/plain")
    text = render_template("fault.html", title=_("The server cannot do that now"), said=said, code=code)
    headers = {"Retry-After": "10"} if code == 503 else {}
    return current_app.make_response((text, code, headers))


def not_found(fault: Exception) -> Any:
    """The page for a game, ship or entry that does not exist."""
    return render_template("fault.html", title=_("Not found"), said=in_words(str(fault)), code=404), 404


def in_words(sentence: str) -> str:
    """A sentence of the house in the reader's language; one that is not known stays as it is."""
    return gettext(sentence) if sentence in HOUSE else sentence


def is_own(fault: HTTPException) -> bool:
    """Is the sentence one of ours, and not the library's English for the code?"""
    usual = default_exceptions.get(fault.code or 500)
    return bool(fault.description) and (usual is None or fault.description != usual.description)
