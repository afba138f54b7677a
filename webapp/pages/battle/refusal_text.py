"""The engine's refusals in the reader's language.

The engine says why in an English sentence with ids; here each sentence's form is known, so that it can be translated
and ids become names. A test holds this list against the engine's source.
"""

from __future__ import annotations

from webapp.http import sentence_forms as matching
from webapp.http.language import gettext
from webapp.pages.campaign.refusals import table


def _l(text: str) -> str:
    """Marks a sentence for the translators' catalogue."""
    return text


FORMS = (
    _l("Dice are thrown by the rules here; free throws belong to a battle that is only recorded."),
    _l("A battle of a campaign is not resigned; leave over the edge, evade, or agree to end it."),
    _l("On hexes a step into an enemy's hex makes the contact; none is declared."),
    _l(
        "%(ship)s may plot %(low)s to %(high)s: last turn's speed is %(speed)s, its acceleration "
        "%(change)s and its limit %(limit)s."
    ),
    _l("On the players' own table a ship has no facing here; give a turn."),
    _l("On hexes the range is counted on the board; leave `range` out."),
    _l("%(ship)s's sheet is kept by the rules; only the umpire may adjust it."),
    _l("On the players' own table give the range in steps as `range`."),
    _l("%(ship)s has broken oars and cannot be plotted above its cruise of %(count)s."),
    _l("%(ship)s may not face any way; it turns left, right or not at all."),
    _l("Dice lie on the table; %(waits)s must keep them or throw one again."),
    _l("%(ship)s must make %(count)s straight steps before it turns; it has made %(straight)s."),
    _l("A step is due, not optional; these ships still owe one: %(list)s."),
    _l("Only a battle of a campaign with evasion can be evaded."),
    _l("%(target)s lies abaft the beam of %(ship)s; the option forbids that shot."),
    _l("The plots of %(side)s are locked; no speed can be changed now."),
    _l("%(ship)s is in a boarding fight; its artillery does not fire."),
    _l("%(ship)s rows through the hex of %(passing)s and leaves straight ahead."),
    _l("%(ship)s has spent its %(sprints)s sprints; a fourth cannot be plotted."),
    _l("%(target)s boards %(boarding)s; nobody boards a boarder while it fights."),
    _l("%(first)s has the initiative and moves all its ships first."),
    _l("%(ship)s rammed last turn and must back one step: plot -1."),
    _l("The way out is blocked; %(ship)s waits and owes the step."),
    _l("%(contact)s has the better crew, may rake and chooses first."),
    _l("%(side)s does not hold naval supremacy and cannot evade."),
    _l("%(ship)s has stopped and makes no more steps this turn."),
    _l("%(ship)s at speed %(speed)s makes no step in phase %(phase)s (only in %(phases)s)."),
    _l("%(ship)s may not turn into a hex that is closed to it."),
    _l("%(ship)s's crew is %(crew)s, %(target)s's %(crew2)s: only a better crew may rake."),
    _l("Column %(column)s, row %(row)s is no free hex of %(side)s's own rows."),
    _l("%(ship)s has no step to choose; it stops by itself."),
    _l("%(ship)s is in a boarding fight and is not plotted."),
    _l("%(ship)s is in the hex of %(passing)s and must plot at least %(low)s."),
    _l("In the plot a side says `lock`, not `done`."),
    _l("%(ship)s is in a boarding fight and does not move."),
    _l("%(side)s has no dice on the table to decide about."),
    _l("%(deploying)s is still deploying; no speed is set yet."),
    _l("The hex beyond is the wall of the board."),
    _l("Give an angle or a facing, not both."),
    _l("On hexes %(ship)s turns left, right or not at all; angles are for the open sea."),
    _l("On the open sea give %(ship)s's turn as an angle of -60 to 60 degrees."),
    _l("On the open sea %(ship)s's facing is in degrees, clockwise from north."),
    _l("The water beyond %(target)s is not free."),
    _l("The wall of the board is beyond."),
    _l("%(ship)s is a transport; its contact is held."),
    _l("%(ship)s has made its attempt of this turn."),
    _l("Give a turn or a facing, not both."),
    _l("%(ship)s backs straight and does not turn."),
    _l("This is for %(list)s to command, not for %(seat)s."),
    _l("There is no ship %(ship_id)s in this battle."),
    _l("%(target)s broke %(ship)s's oars; %(ship2)s cannot board it."),
    _l("%(ship)s has made its step of this phase."),
    _l("%(ship)s has nothing to do in this step."),
    _l("%(ship)s's heading is not parallel to %(target)s's."),
    _l("The plots of %(side)s are locked already."),
    _l("%(ship)s has no ram; its contact is held."),
    _l("`%(word)s` is not a command of the %(step)s step."),
    _l("Only the umpire adjusts a battle."),
    _l("There is no side %(side)s in this battle."),
    _l("%(side)s is done with this step already."),
    _l("These ships have no plot yet: %(list)s."),
    _l("The line from %(ship)s to %(target)s is blocked."),
    _l("%(ship)s has %(left)s %(weapon)s(s) that may still fire."),
    _l("A spectator gives no commands."),
    _l("%(ship)s has no marine to board with."),
    _l("%(target)s is %(where)s; boarding needs range 1."),
    _l("It is not for %(side)s to deploy now."),
    _l("%(ship)s is in contact with %(contact)s already."),
    _l("%(ship)s is in contact with no enemy."),
    _l("%(ship)s may not join the fight on %(target)s."),
    _l("The hex beyond %(target)s is not free."),
    _l("%(ship)s owes no step in this phase."),
    _l("%(field)s is not a box on the sheet."),
    _l("%(target)s is at range %(reach)s; a %(weapon)s reaches %(reach2)s."),
    _l("%(target)s's oars are broken already."),
    _l("%(ship)s does not lie parallel to %(target)s."),
    _l("A third ship is in %(target)s's hex."),
    _l("%(target)s is %(status)s; nobody fires at it."),
    _l("No dice lie on the table."),
    _l("%(ship)s is %(status)s and boards nobody."),
    _l("%(target)s is %(status)s; nobody boards it."),
    _l("%(ship)s is in a fight already."),
    _l("%(ship)s is %(status)s and does not fire."),
    _l("%(ship)s is %(status)s and does not move."),
    _l("%(ship)s is %(status)s and sets no speed."),
    _l("Die %(die)s is not one of %(side)s's."),
    _l("%(target)s is no enemy afloat."),
    _l("%(deploying)s is still deploying."),
    _l("%(target)s is on %(ship)s's own side."),
    _l("A contact is held in the ram step; a step is due, not optional (G4.3)."),
    _l("On hexes a step over the edge leaves the battle."),
    _l("The fights of a ship whose sheet is kept on paper are settled on paper."),
    _l("The table's edge is a wall; %(ship)s cannot leave."),
    _l("%(side)s evades after the fights, repairs and floods of a turn, and only once."),
    _l("%(ship)s has broken oars and cannot be plotted above %(limit)s."),
    _l("%(side)s has no speed to set and counts as locked."),
    _l("%(side)s has nothing to decide in this step now."),
    _l("%(ship)s is done with this board step."),
    _l("%(ship)s is done with this fire step, or its sheet is kept on paper."),
    _l("%(side)s is done with this step."),
    _l("%(side)s goes without this step already."),
    _l("%(side)s does not go without this step."),
    _l("%(side)s is done; %(ship)s stands still before the edge."),
    _l("%(target)s is not in the hex that %(ship)s steps at."),
    _l("%(ship)s is %(status)s and stands nowhere."),
    _l("%(ship)s's sheet is kept on paper, its speed too."),
    _l("The battle is over."),
    _l("%(side)s has %(agreed)s already."),
    _l("%(target)s is a prize."),
    _l("%(target)s is gone."),
)
ALL = (*FORMS, *table.FORMS)


def understood(reason: str) -> tuple[str, dict[str, str]] | None:
    """The form of a sentence and what fills its gaps; None for one that is not known here."""
    return matching.understood(ALL, reason)


def translated(form: str, parts: dict[str, str]) -> str:
    """The form in the reader's language, filled."""
    return gettext(form, **parts) if parts else gettext(form)
