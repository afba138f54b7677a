"""Why a meeting at sea refuses: each sentence's form, for the translators."""

from __future__ import annotations

from webapp.pages.campaign.refusals.marking import _l

FORMS = (
    _l("there is no engagement %(name)s"),
    _l("the turns fought are a count from 0"),
    _l("%(side)s's losses are counts from 0"),
    _l("%(side)s sent %(len)s naval units and cannot lose %(lost)s"),
    _l("%(side)s sent %(len)s naval units; %(count)s are told of"),
    _l("%(side)s sent %(len)s transports and cannot lose %(transports)s"),
    _l("%(side)s either fled or evaded, not both"),
    _l("a ship of %(side)s is named twice among its losses"),
    _l("the hull damage of %(side)s's ships is a count from 0"),
    _l("%(winner)s cannot have won and left"),
    _l("%(loser)s has warships left and neither fled nor evaded, so nobody has won"),
    _l("only the holder of supremacy evades"),
    _l("%(side)s takes no part in this engagement"),
    _l("%(who)s takes no part in this engagement and cannot be the %(field)s"),
    _l("%(side)s sent no ship %(name)s"),
    _l("%(side)s lost %(count)s %(kind)s but names %(len)s of them"),
    _l("a side that fled or evaded has left the victory to the other"),
    _l("A unit becomes 1 to %(most_models)s models, not %(models_per_unit)s."),
    _l("A side has no warship; only the system's own table settles this meeting."),
    _l("The battle has not ended."),
    _l("Engagement %(name)s is settled already."),
    _l("A side has no warship, so only the system's own table settles."),
    _l("The battle is on the table and the way is fixed; both may leave it for the own table."),
    _l("Both sides must first consent to a battle on the table (choose_way)."),
    _l("This battle is on the table already."),
    _l("A naval unit becomes 1 to %(most_models)s models."),
    _l("Engagement %(engagement)s is settled already, with another outcome."),
    _l("No battle is on the table; a report needs the assent of both sides (report)."),
    _l("A battle on the table was agreed; its own outcome settles."),
    _l("There is no report of the other side to agree to."),
    _l("In this campaign the umpire says how a meeting at sea is settled."),
)
