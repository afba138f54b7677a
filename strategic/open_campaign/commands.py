"""What the sides of an open campaign and their umpire may say."""

from __future__ import annotations

from typing import Literal

from strategic.naval.settling import Assent, ChooseWay, OpenBattle, Report, Settle
from tactical.kernel.corrections import Adjust
from tactical.kernel.record import Input

Do = Literal["go", "patrol", "blockade", "escort", "land", "stay", "scout", "join", "raid", "besiege", "embark"]
Then = Literal["", "home", "avoid"]
After = Literal["", "follow", "blockade", "besiege", "home"]
Term = Literal["peace", "passage", "markets", "seeing"]
Stance = Literal["seek", "accept", "avoid"]
Pace = Literal["easy", "cruise", "hard"]


class Order(Input, frozen=True, tag="order"):
    """O3.3 The order of a fleet for this turn; it replaces the one that it had. `to` is a space, of an escort a fleet.

    `way` are the spaces on the way, where it is not the shortest; `more_than` sail seen, and it avoids instead.
    `by_night` it rows half a day more, `nights_at_sea` it does not halt at a space for the night, with `risk` it puts
    out in a gale and in winter; not met by the day `unmet_by`, or with more seen than `more_than`, it does `then`.
    `after` is what it does when it has won a battle (O6.3). An order that `stands` is the fleet's in the turns that
    follow, too, until it has another one (O3.2).
    """

    side: str
    fleet: str
    do: Do
    to: str = ""
    way: tuple[str, ...] = ()
    stance: Stance = "accept"
    pace: Pace = "cruise"
    more_than: int = 0
    note: str = ""
    by_night: bool = False
    nights_at_sea: bool = False
    risk: bool = False
    unmet_by: int = 0
    then: Then = ""
    after: After = ""
    stands: bool = False


class CancelOrder(Input, frozen=True, tag="cancel_order"):
    """O3.2 The fleet has no order for this turn."""

    side: str
    fleet: str


class Write(Input, frozen=True, tag="write"):
    """O3.4 A free order to the umpire."""

    side: str
    text: str


class Ready(Input, frozen=True, tag="ready"):
    """O3.2 The side's orders stand; the turn runs when all have said so."""

    side: str
    ready: bool = True


class Run(Input, frozen=True, tag="run"):
    """O3.7 The umpire lets the turn run, whoever is ready."""


class Send(Input, frozen=True, tag="send"):
    """O3.7 The umpire sends what a held turn brought."""


class Answer(Input, frozen=True, tag="answer"):
    """O3.4 The umpire answers a free order, by the side and its number from 0; or the turn `waits` for his answer.

    Of a turn that waits the text is empty.
    """

    side: str
    letter: int
    text: str
    waits: bool = False


class Detach(Input, frozen=True, tag="detach"):
    """O2.2 Some ships of a fleet become a fleet of their own in the same place, called by the old and the `new` id."""

    side: str
    fleet: str
    ships: tuple[str, ...]
    new: str
    name: str = ""


class TakeBack(Input, frozen=True, tag="take_back"):
    """O3.7 The umpire takes back the turn that has run and is not sent: its orders stand again."""


class Propose(Input, frozen=True, tag="propose"):
    """O5.4 A treaty with another side: terms that the program knows, and words."""

    side: str
    to: str
    terms: tuple[Term, ...]
    text: str = ""


class Agree(Input, frozen=True, tag="agree_treaty"):
    """O5.4 Agree to the treaty that another side has proposed."""

    side: str
    to: str


class Denounce(Input, frozen=True, tag="denounce"):
    """O5.4 End the treaties with another side, or refuse what it has proposed."""

    side: str
    to: str


class Post(Input, frozen=True, tag="post"):
    """O11.2 A letter to another side; the umpire reads all."""

    side: str
    to: str
    text: str


class Mark(Input, frozen=True, tag="mark"):
    """O5.2 A pin on one's own map, with a note; an empty note takes it off."""

    side: str
    space: str
    note: str


class Build(Input, frozen=True, tag="build"):
    """O8.1 Lay a ship down in a yard of one's own."""

    side: str
    port: str
    ship: str


class Borrow(Input, frozen=True, tag="borrow"):
    """O8.1 Borrow so many hundredths of a talent on what the ports earn."""

    side: str
    amount: int


class Repay(Input, frozen=True, tag="repay"):
    """O8.1 Pay back so much of the debt."""

    side: str
    amount: int


class Subsidize(Input, frozen=True, tag="subsidize"):
    """O8.1 Pay another side so much at the beginning of each of so many turns; 0 ends it."""

    side: str
    to: str
    amount: int
    turns: int = 1


class Ransom(Input, frozen=True, tag="ransom"):
    """O8.1 Buy an admiral back whom an enemy has taken."""

    side: str
    name: str


class Register(Input, frozen=True, tag="register"):
    """O2.2 The models that an owner of a side brings to the table, by type; none takes the owner off."""

    side: str
    owner: str
    models: dict[str, int]


class Judge(Input, frozen=True, tag="judge"):
    """O9.1 The umpire ends the campaign by his word: who has won, or nobody."""

    winner: str | None = None


class Appoint(Input, frozen=True, tag="appoint"):
    """O3.6 The date of a battle at a table: when (YYYY-MM-DD HH:MM in the club's zone), where, and who plays.

    Without `when` the date is taken back.
    """

    side: str
    engagement: str
    when: str = ""
    where: str = ""
    who: str = ""


class Assign(Input, frozen=True, tag="assign"):
    """O1.4 The umpire gives a fleet to another side."""

    fleet: str
    to: str


class Resign(Input, frozen=True, tag="resign"):
    """O9.1 Give up: the side's fleets go home and fight no more."""

    side: str


Command = (
    Order
    | CancelOrder
    | Write
    | Ready
    | Run
    | Send
    | Answer
    | Resign
    | Adjust
    | Detach
    | TakeBack
    | Propose
    | Agree
    | Denounce
    | Post
    | Mark
    | Build
    | Borrow
    | Repay
    | Subsidize
    | Ransom
    | Appoint
    | Assign
    | Register
    | Judge
    | ChooseWay
    | OpenBattle
    | Settle
    | Report
    | Assent
)
