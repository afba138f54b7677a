"""The words of campaigns in the reader's language: sides, commands, fields, phases, prompts, facts.

What has no word here yet is shown by its own id with its underscores as spaces, so that nothing is hidden.
"""

from __future__ import annotations

from flask_babel import lazy_gettext as _l
from flask_babel.speaklater import LazyString

from webapp.http.language import gettext
from webapp.pages.lobby.labels import translated

Words = dict[str, LazyString]

SIDES: Words = {
    "rome": _l("Rome"), "carthage": _l("Carthage"), "syracuse": _l("Syracuse"), "umpire": _l("Umpire"),
    "spectator": _l("Spectator"), "romans": _l("Romans"), "etruscans": _l("Etruscans"),
    "samnites": _l("Samnites"), "gauls": _l("Gauls"), "greeks": _l("Greeks"), "carthaginians": _l("Carthaginians"),
    "etruscans_samnites": _l("Etruscans and Samnites"), "transalpine_gauls": _l("Transalpine Gauls"),
    "volsci": _l("Volsci"), "independent": _l("Independent"), "neutral": _l("Neutral"),
}  # fmt: skip

COMMANDS: Words = {
    "accept": _l("Accept"), "accept_battle": _l("Accept battle"), "activate": _l("Activate a general"),
    "agree": _l("Agree to end"), "arrange": _l("Arrange who is within the walls"), "assault": _l("Assault"),
    "attack": _l("Attack"), "avoid": _l("Avoid battle"), "battle_event": _l("Play a battle event"),
    "besiege": _l("Besiege"), "bid": _l("Bid"), "build": _l("Build"), "campaign": _l("Play a campaign card"),
    "campaign_move": _l("Move the next general"), "cancel": _l("Stop the withdrawal"),
    "change_command": _l("Call for a change of command"), "charge": _l("Charge with elephants"),
    "choose": _l("Choose"), "concede": _l("Leave it unmatched"), "counter": _l("Play a counter-event"),
    "counter_attack": _l("Roll for the initiative"), "deploy": _l("Deploy"), "discard": _l("Discard a card"),
    "done": _l("Nothing more"), "event": _l("Play as an event"), "first_player": _l("Say who plays first"),
    "go_back": _l("Go back"), "halt": _l("End the move"), "intercept": _l("Intercept"), "join": _l("Join the battle"),
    "land": _l("Land"), "lose": _l("Take losses"), "match": _l("Match the attack"), "move": _l("Move"),
    "open": _l("Open with a campaign card"), "open_battle": _l("Fight it on the table"), "pass": _l("Let it pass"),
    "place_consul": _l("Place a consul"), "place_pcs": _l("Place control markers"),
    "proconsul": _l("Name a proconsul"), "pursue": _l("Pursue"), "put": _l("Place a marker"),
    "raise_unit": _l("Raise a unit"), "recruit": _l("Recruit"), "reinforce": _l("Reinforce"),
    "remove": _l("Remove a marker"), "resign": _l("Sue for peace"), "retreat": _l("Retreat"),
    "return_general": _l("Bring a general back"), "sail": _l("Sail"), "settle": _l("Enter a naval outcome"),
    "shelter": _l("Go inside the walls"), "sortie": _l("Sally out"), "stand": _l("Stand and fight"),
    "step": _l("March"), "take_command": _l("Take command"), "withdraw": _l("Withdraw"), "start": _l("Start"),
    "adjust": _l("Adjustment by the umpire"), "undo": _l("Taken back"), "turn": _l("Turn"), "path": _l("Path"),
    "assent": _l("Agree to the report"), "choose_way": _l("Say how the meeting is settled"),
    "come_out": _l("Come out of the walls"), "command": _l("Name the commander"), "finish": _l("Finish the march"),
    "invert": _l("Answer the attack"), "march": _l("March"), "place": _l("Place"),
    "report": _l("Report the outcome"), "retire": _l("Relieve a leader"), "take": _l("Take or leave points"),
    # Hamilcar
    "points": _l("Play for points"), "supply": _l("Place a train"), "target": _l("Say whom it hits"),
    "prize_roll": _l("Roll for prizes"),
    # The Sword of Rome
    "modifier": _l("Change the battle roll by a card"),
    "avoid_to": _l("Slip away to"), "caudine_forks": _l("Play Caudine Forks"),
    "close_declarations": _l("Close the declarations"), "contest": _l("Contest the crossing"),
    "confirm_flank": _l("Confirm the flank march"),
    "declare": _l("Declare"), "decline": _l("Decline battle"), "drop": _l("Leave units behind"),
    "end_action": _l("End the action"), "end_game": _l("End the game"), "fight": _l("Fight"),
    "lend_ships": _l("Lend ships"), "move_by_hand": _l("Move by hand"), "note": _l("Write a note"),
    "permit": _l("Let the army go"), "pick_up": _l("Pick units up"), "roll_battle": _l("Throw for the battle"),
    "sea_roll": _l("Throw for the crossing"), "set_active": _l("Set who acts"), "set_alliance": _l("Set an alliance"),
    "set_commander": _l("Set the commander"), "set_control": _l("Set control"), "set_event": _l("Set an event"),
    "set_order": _l("Say who tries first"), "set_points": _l("Set points"), "set_runner": _l("Set the runner"),
    "set_siege": _l("Set a siege"), "set_unrest": _l("Set unrest"), "storms_at_sea": _l("Play Storms at Sea"),
    "take_card": _l("Take a card"),
    # Hamilcar
    "after_sea": _l("After the battle at sea"), "answer": _l("Answer"), "build_ship": _l("Build a ship"),
    "build_ships": _l("Build ships"), "burn_trains": _l("Burn the supply trains"),
    "cancel_retreat": _l("Stop the retreat"), "catcher": _l("Who catches them"), "council": _l("Call the council"),
    "elect": _l("Elect"), "engage": _l("Engage"), "enter": _l("Enter the city"), "evade": _l("Evade"),
    "fight_at_sea": _l("Fight at sea"), "flee": _l("Flee"), "hire": _l("Hire"), "hold_out": _l("Hold out"),
    "pick_ship": _l("Pick a ship"), "pick_tactic": _l("Pick a tactics card"), "place_general": _l("Place a general"),
    "reform": _l("Reform the fleet"), "regroup": _l("Regroup"), "remove_council": _l("Dissolve the council"),
    "repair": _l("Repair"), "sea_intercept": _l("Intercept at sea"), "spend_train": _l("Spend a supply train"),
    "tactic": _l("Play a tactics card"), "training": _l("Train the crews"), "turn_back": _l("Turn back"),
}  # fmt: skip

FIELDS: Words = {
    "allow": _l("It may go"), "amount": _l("Amount"), "as_kind": _l("Played as"), "at": _l("Where"),
    "card": _l("Card"), "choice": _l("Choice"),
    "companions": _l("With him"), "count": _l("How many"), "dice": _l("Dice"), "elephants": _l("Elephants"),
    "elephants_inside": _l("Elephants into the city"), "from": _l("From"), "general": _l("General"),
    "generals": _l("Generals"), "group": _l("Group"), "hex": _l("Hex"), "inside": _l("Inside the walls"),
    "kind": _l("Kind"), "land": _l("Land points"), "leader": _l("Leader"), "leaders": _l("Leaders"),
    "line": _l("Line"), "losses": _l("Losses"), "naval": _l("Naval points"), "number": _l("Number"),
    "points": _l("Points"), "province": _l("Province"), "region": _l("Region"), "ships": _l("Ships"),
    "side": _l("Side"), "space": _l("Space"), "target": _l("Target"), "to": _l("To"), "trains": _l("Supply trains"),
    "turn": _l("Turn"), "units": _l("Units"), "units_inside": _l("Units into the city"), "use": _l("Used for"),
    "why": _l("Why"), "winner": _l("Winner"), "result": _l("Result"), "sum": _l("Sum"), "roll": _l("Roll"),
    "attacker": _l("Attacker"), "by": _l("By"), "city": _l("City"), "coast": _l("Coast"), "force": _l("Force"),
    "how": _l("How"), "left": _l("Still to do"), "lost": _l("Lost"), "modifier": _l("Modifier"),
    "moment": _l("Moment"), "plain": _l("Open space"), "port": _l("Port"), "sea": _l("Sea"),
    "start": _l("From"), "success": _l("Success"), "tribe": _l("Tribe"), "walled_city": _l("Walled city"),
    "walled": _l("Walled city"), "spaces": _l("Spaces"), "url": _l("Address"), "text": _l("Text"),
    "file": _l("File"), "path": _l("Field"), "for": _l("For"), "declared": _l("Declared"),
    "consuls": _l("Consuls"), "value": _l("Value"), "revenue": _l("Revenue"), "supply": _l("Supply"),
    "normal": _l("Open space"), "mountain": _l("Mountain"), "river": _l("River"),
    "phase": _l("Phase"), "player": _l("Player"), "seat": _l("Seat"), "cards": _l("Cards"), "control": _l("Control"),
    "cause": _l("Cause"), "models_per_unit": _l("Models for each unit"), "nation": _l("Nation"), "way": _l("Way"),
}  # fmt: skip

PHASES: Words = {
    "activation": _l("Activation"), "bidding": _l("Bids"), "combat": _l("Combat"), "deal": _l("Cards"),
    "diplomacy": _l("Diplomacy"), "end": _l("End"), "first": _l("Who begins"), "isolation": _l("Isolation"),
    "leaders": _l("Leaders"), "losses": _l("Losses"), "movement": _l("Movement"), "over": _l("Over"),
    "recruiting": _l("Recruiting"), "reinforcements": _l("Reinforcements"), "removal": _l("Removal"),
    "setup": _l("Set-up"), "strategy": _l("Strategy"), "supply": _l("Supply"), "taxes": _l("Taxes"),
    "treasury": _l("Treasury"), "victory": _l("Victory"), "winter": _l("Winter"), "attrition": _l("Attrition"),
    "recruitment": _l("Recruiting"), "elections": _l("Elections"), "control": _l("Control"), "battle": _l("Battle"),
    "campaign": _l("Campaign"), "election": _l("Election"), "recruit": _l("Recruiting"), "tax": _l("Taxes"),
}  # fmt: skip

PROMPTS: Words = {
    "attack": _l("Play a battle card"), "avoid": _l("Avoid the battle, or stand?"),
    "battle_events": _l("Play battle events?"), "campaign": _l("Move the next general of the campaign"),
    "cancel": _l("Stop the withdrawal?"), "card": _l("Play a card"), "choose": _l("Choose"),
    "command": _l("Change of command?"), "counter": _l("Play a counter-event?"),
    "counter_attack": _l("Roll for the initiative?"), "elephants": _l("Charge with the elephants?"),
    "intercept": _l("Intercept?"), "intercepted": _l("Fight, or go back?"), "join": _l("Come out and join the battle?"),
    "land": _l("Where does Scipio Africanus land?"), "march": _l("Move the army"), "match": _l("Match the attack"),
    "open": _l("Open with a campaign card?"), "place_consul": _l("Place the consuls"),
    "proconsul": _l("Name a proconsul"), "pursuit": _l("Pursue?"), "put": _l("Place the markers"),
    "reinforce": _l("Place the reinforcements"), "remove": _l("Take markers off"), "retreat": _l("Where to retreat?"),
    "return": _l("Bring the displaced generals back"), "take_initiative": _l("Take the initiative?"),
    "who_first": _l("Who plays first?"), "losses": _l("Choose the losses"), "threat": _l("What do the threatened do?"),
    "order": _l("Who tries first?"), "flank": _l("Has the army the right to march on the flank?"),
    "avoid_to": _l("Where does the army slip away to?"), "contest": _l("Contest the crossing with a card?"),
    "declare": _l("Intercept, avoid, or let it pass?"), "permit": _l("Let the army go?"),
    "sea_roll": _l("Throw for the crossing"), "after_sea": _l("What after the battle at sea?"),
    "burn": _l("Burn the supply trains?"), "catcher": _l("Who catches them?"), "elect": _l("Who is elected?"),
    "engage": _l("Engage?"), "fair_wind": _l("Fair wind: for what?"),
    "hold_out": _l("Hold out?"), "place_general": _l("Where does the general stand?"),
    "reform": _l("How is the fleet reformed?"), "regroup": _l("Regroup, or leave the battle?"),
    "sea_intercept": _l("Intercept at sea?"), "budget": _l("Spend the budget"), "turn_back": _l("Turn back?"),
    "manoeuvre": _l("Play tactics cards"), "hit": _l("Which ship is hit?"),
    "engagement": _l("How is the meeting at sea settled?"), "commander": _l("Who commands the defence?"),
    "impulse": _l("Play a card"), "storm": _l("Raise a storm?"),
    "lookouts": _l("Play a card that helps the interception?"), "sea_pursuit": _l("Stop their retreat by a pursuit?"),
    "shallows": _l("Which ship runs aground?"), "freeze": _l("Spend a supply train against the winter?"),
}  # fmt: skip
QUESTIONS = frozenset(  # prompts that are answered before anything else, whatever was tapped on the map
    (
        "attack", "avoid", "battle_events", "cancel", "command", "counter", "counter_attack", "elephants", "intercept",
        "intercepted", "join", "losses", "declare", "order", "permit", "avoid_to", "contest", "sea_roll", "battle",
        "match", "pursuit", "retreat", "take_initiative", "threat", "who_first",
    )
)  # fmt: skip
KINDS: Words = {"land": _l("land points"), "naval": _l("naval points")}  # of forces
QUIET = frozenset(("arrange", "resign", "agree", "discard", "take_command"))

BY_HAND = frozenset(  # The Sword of Rome: what its fragment leaves to the players, done by hand and shown closed
    ("place", "remove", "move_by_hand", "take_card", "note", "modifier", "end_game", "set_active")
)
COLOURS = {
    "rome": 0, "romans": 0, "carthage": 1, "carthaginians": 1, "gauls": 2, "greeks": 3, "syracuse": 3,
    "etruscans_samnites": 4, "etruscans": 4, "samnites": 4,
}  # fmt: skip


def is_quiet(system: str, kind: str) -> bool:
    """Always possible and seldom wanted: shown closed, after the rest."""
    by_hand = kind in BY_HAND or (kind.startswith("set_") and kind != "set_order")  # 10.3: an answer, not book-keeping
    return kind in QUIET or (system == "sword_of_rome" and by_hand)


def colour(side: str) -> int:
    """A side's colour and shape on every page, by number."""
    return COLOURS.get(side, 5)


def prompt_word(kind: str) -> str:
    """A question in mid-rule."""
    return str(PROMPTS[kind]) if kind in PROMPTS else command_title(kind)


USES = {
    "ops": _l("for its points"), "event": _l("as an event"), "force_march": _l("as a forced march"),
    "africa": _l("for Africa"), "supremacy": _l("for naval supremacy"), "draw": _l("to draw a card"),
}  # fmt: skip


def use_word(use: str) -> str:
    """What a card is played for; empty when we have no word for it."""
    return str(USES[use]) if use in USES else ""


def kind_word(kind: str) -> str:
    """A kind of force; empty when it is none."""
    return str(KINDS[kind]) if kind in KINDS else ""


def side_word(side: str) -> str:
    """A side or seat; empty when it is none."""
    return str(SIDES[side]) if side in SIDES else ""


def command_word(kind: str) -> str:
    """A command or event by its kind; empty when we have no word for it."""
    return str(COMMANDS[kind]) if kind in COMMANDS else ""


def command_title(kind: str) -> str:
    """A command's kind as a heading, always with some word."""
    return command_word(kind) or sentence_case(kind)


def field_word(field: str) -> str:
    """A field of a command or an event."""
    return str(FIELDS[field]) if field in FIELDS else sentence_case(field)


def phase_word(phase: str) -> str:
    """A phase or step of the turn."""
    return str(PHASES[phase]) if phase in PHASES else sentence_case(phase)


def sentence_case(text: str) -> str:
    """An id as words with a capital."""
    words = text.replace("_", " ")
    return words[:1].upper() + words[1:]


def seat_said(seat: str) -> str:
    """A seat, by its word or its own id."""
    return side_word(seat) or translated(sentence_case(seat)) or gettext("nobody")
