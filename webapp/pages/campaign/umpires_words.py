"""What the fields of a campaign's position and their values are called, for the umpire's hand."""

from __future__ import annotations

from flask_babel import lazy_gettext as _l

from webapp.pages.campaign.labels import FIELDS, PHASES, Words

FIELDS_OF_STATES: Words = {
    # The land wars
    "active": _l("Who acts"), "opening": _l("Card that opened the turn"), "discard": _l("Discarded cards"),
    "removed": _l("Cards out of the game"), "preferred": _l("Preferred provinces"), "hands": _l("Hand"),
    "status": _l("Where he is"), "board": _l("on the map"), "dead": _l("dead"), "displaced": _l("displaced"),
    "pool": _l("in the pool"), "waiting": _l("still to come"), "rank": _l("Rank"), "consul": _l("consul"),
    "proconsul": _l("proconsul"), "siege": _l("Siege points"), "besieger": _l("Besieger"),
    # Hamilcar
    "name": _l("Name"), "ready": _l("Ready"), "at_sea": _l("At sea"), "damage": _l("Damage"),
    "built_by": _l("Built by"),
    "budget": _l("Budget"), "next": _l("Next"), "supremacy": _l("Naval supremacy"), "seamanship": _l("Seamanship"),
    "corvus": _l("Corvus"), "forgotten": _l("Corvus forgotten"), "council": _l("Council"),
    "lost_ships": _l("Lost ships"), "seamanship_fell": _l("Seamanship has fallen"),
    "xanthippus_came": _l("Turn in which Xanthippus came"), "named": _l("Ships named so far"), "spent": _l("Spent"),
    "mercenary": _l("mercenary"), "out": _l("out of the game"), "track": _l("on the turn track"),
    # The Sword of Rome
    "round": _l("Round"), "order": _l("Order of play"), "acted": _l("Has acted"), "alliances": _l("Alliances"),
    "proposals": _l("Proposed alliances"), "unrest": _l("Unrest"), "events": _l("Events in force"),
    "resigned": _l("Have given up"), "vp": _l("Victory points"), "inside_leaders": _l("Leaders inside the walls"),
    "loyalty": _l("Loyalty"), "sieges": _l("Siege points"),
    # Punic Wars
    "phasing": _l("Whose turn it is"), "begun": _l("The war has begun"), "syracuse_bound": _l("Syracuse is bound"),
    "defected": _l("Have changed sides"), "war": _l("War"), "shipbuilding": _l("Shipbuilding"),
    "roman_leaders": _l("Roman leaders"), "consuls_lost": _l("Consuls lost"), "returning": _l("Leaders who return"),
    "must_attack": _l("Must attack"), "attacked": _l("Has attacked"), "battles": _l("Battles"), "tolls": _l("Tolls"),
    "owed": _l("Owed"), "agreed": _l("Have agreed to end"), "accounts": _l("Account"),
    "accounts.opening": _l("at the opening"), "bids": _l("Bids"),
    "letter": _l("Letter"), "finished": _l("Has finished"), "fate": _l("Fate"), "gone": _l("gone"), "": _l("none"),
    "land_inside": _l("Land points inside the walls"), "naval_inside": _l("Naval points in port"),
    "served_land": _l("Land points that have served"), "served_naval": _l("Naval points that have served"),
    "markers": _l("Marker"),
}  # fmt: skip
WORDS: Words = FIELDS | PHASES | FIELDS_OF_STATES
