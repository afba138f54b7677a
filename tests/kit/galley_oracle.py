"""A second reckoning of the galley game's fights: written from the paragraphs G5 to G9, sharing no code with the engine.

It takes a position as plain JSON, what the engine says was thrown, and reckons what must stand on each sheet then. Of
the engine's events it believes the dice and nothing else; `wrong` is what it finds.
"""

from __future__ import annotations

import copy
from collections.abc import Iterable, Mapping, Sequence
from typing import Any

Sheets = dict[str, dict[str, Any]]
# G2.0, L2.3 ram modifier, hull, maximum
TYPES: dict[str, tuple[int | None, int, int]] = {
    "bireme": (-1, 4, 5),
    "trireme": (0, 6, 5),
    "quadrireme": (0, 7, 4),
    "quinquereme": (1, 8, 3),
    "hepteres": (2, 10, 3),
    "transport": (None, 4, 2),
}
RANKS = {"poor": 0, "average": 1, "elite": 2}
AHEAD = {"N": (0, -1), "NE": (1, -1), "SE": (1, 0), "S": (0, 1), "SW": (-1, 1), "NW": (-1, 0)}
FALL = ("archers", "catapults", "stone_throwers", "light", "medium", "heavy")  # G5.4
KEPT = {**dict.fromkeys(FALL, 0), "damage": 0, "breaches": 0, "repaired": 0, "status": "afloat", "captured_by": None}
KEPT |= {"boarding": None, "corvus": False, "oars_broken": False, "raked_by": None, "full_speed_last": False}
WEAPONS = {"archer": ("archers", 4), "catapult": ("catapults", 10), "stone_thrower": ("stone_throwers", 10)}


def of_ship(raw: Mapping[str, Any], field: str) -> Any:
    """A field of a sheet, or what it is where the position leaves it out."""
    return raw.get(field, KEPT.get(field))


class Reckoning:
    """One command and all that came of it. `sheets` is what must stand there now."""

    def __init__(self, before: Mapping[str, Any], command: Mapping[str, Any]) -> None:
        self.before, self.command = before, command
        self.sheets: Sheets = copy.deepcopy(dict(before["ships"]))
        self.wrong: list[str] = []
        self.at_the_end: list[tuple[str, Mapping[str, Any]]] = []
        self.rowed: set[str] = set()

    def says(self, what: bool, sentence: str) -> None:
        """Note what is not so."""
        if not what:
            self.wrong.append(f"{sentence}: {self.command}")

    def have(self, name: str, field: str) -> Any:
        """A field of a sheet as it stands now."""
        return of_ship(self.sheets[name], field)

    def marines(self, name: str) -> int:
        """G8.3 Who fights: not archers nor artillery."""
        return int(sum(self.have(name, kind) for kind in ("heavy", "medium", "light")))

    def take(self, events: Iterable[tuple[str, Mapping[str, Any]]], is_new_turn: bool) -> None:
        """Go through what happened; the end of the turn comes last."""
        for kind, data in events:
            if kind in ("step", "contact") and data["ship"] == self.command.get("ship"):
                self.rowed.add(data["ship"])
            if kind in ("fire", "ram", "bow_to_bow", "rake", "board"):
                getattr(self, kind)(data)
            elif kind == "sunk" and data["by"] != "flooding":
                self.says(self.have(data["ship"], "damage") >= self.hull(data["ship"]), "G5.8, G6.5 sunk too early")
                self.sink(data["ship"])
            elif kind == "withdrawn":
                self.sheets[data["ship"]]["status"] = "withdrawn"
            elif kind in ("fight", "repair", "flood", "captured", "thrown_back", "fight_over", "sunk"):
                self.at_the_end.append((kind, data))
        if is_new_turn:
            self.end_of_turn()
            for name, sheet in self.sheets.items():
                sheet["full_speed_last"] = self.was_at_full_speed(name)

    def was_at_full_speed(self, name: str) -> bool:
        """G6.3 Plotted at the maximum, and every step made, whatever stopped her after the last."""
        sheet = self.before["ships"][name]
        made = sheet.get("steps_made", 0) + (name in self.rowed)
        most = self.most(name)
        return bool(self.have(name, "status") == "afloat" and sheet.get("plot") == most and made >= most)

    def most(self, name: str) -> int:
        """G2.2 The maximum of its type, and one more with elite rowers."""
        return TYPES[self.sheets[name]["type"]][2] + (self.sheets[name].get("crew") == "elite")

    def hull(self, name: str) -> int:
        """G2.0 The hull of its type."""
        return TYPES[self.sheets[name]["type"]][1]

    def sink(self, name: str) -> None:
        """G9.3 Who fought it is free; where other boarders are left, they fight on."""
        self.sheets[name] |= {"status": "sunk", "boarding": None}
        for other, sheet in self.sheets.items():
            if sheet.get("boarding") == name:
                self.sheets[other]["boarding"] = None
        for other, sheet in self.sheets.items():
            if sheet.get("boarding") == other and not self.boarders(other):
                self.sheets[other]["boarding"] = None

    def boarders(self, name: str) -> list[str]:
        """G8.2 Who boards it."""
        return sorted(other for other, sheet in self.sheets.items() if sheet.get("boarding") == name and other != name)

    # -- G5

    def range(self, one: str, other: str) -> int:
        """G1.3 Hexes from one to the other, 1 at least."""
        (q, r), (u, v) = self.before["ships"][one]["at"], self.before["ships"][other]["at"]
        return max(1, abs(q - u), abs(r - v), abs(q + r - u - v))

    def fire(self, data: Mapping[str, Any]) -> None:
        """G5.2, G5.3, G5.4 What each die does at that range, and who falls."""
        ship, target, weapon = data["ship"], data["target"], data["weapon"]
        on_hexes = self.before["ships"][ship].get("at") is not None
        reach = self.range(ship, target) if on_hexes else data["range"]
        self.says(reach == data["range"] and reach <= WEAPONS[weapon][1], "G5.3 another range")
        self.says(weapon == "archer" or self.have(ship, "boarding") is None, "G5.5 artillery in a fight")
        self.says(self.have(target, "status") == "afloat", "G8.6 fired at a prize or a wreck")
        kills = hull = 0
        for face in data["dice"]:
            if weapon == "archer":
                kills += face == 6 or (face == 5 and reach == 1)
            elif weapon == "catapult":
                kills += face == 6 or (face == 5 and reach <= 3)
            elif reach <= 3:
                kills, hull = kills + (face == 6), hull + {6: 2, 5: 1}.get(face, 0)
            else:
                hull += face == 6
        self.sheets[target]["damage"] = self.have(target, "damage") + hull
        self.fall([target], FALL, kills)

    def fall(self, names: Sequence[str], order: Sequence[str], dead: int) -> None:
        """G5.4, G8.2.a In this order of kinds, over all these ships."""
        for kind in order:
            for name in names:
                while dead and self.have(name, kind):
                    self.sheets[name][kind] -= 1
                    dead -= 1

    # -- G6, G7

    def full_speed(self, name: str) -> bool:
        """G6.3 Plotted at the maximum, and at it all last turn or without a step before this phase."""
        sheet = self.before["ships"][name]
        most = self.most(name)
        whole = not sheet.get("oars_broken") or sheet.get("raked")  # G6.10 broken in this very step
        here = bool(sheet.get("stepped") or sheet.get("contact"))
        fresh = sheet.get("steps_made", 0) <= int(here)
        return bool(whole and sheet.get("plot") == most and (sheet.get("full_speed_last") or fresh))

    def ram(self, data: Mapping[str, Any]) -> None:
        """G6.2, G6.4 One die, the modifier, 1 for full speed; a breach."""
        ship, target = data["ship"], data["target"]
        modifier = TYPES[self.sheets[ship]["type"]][0]
        self.says(modifier is not None, "L2.3 a transport rams")
        damage = max(0, data["dice"][0] + (modifier or 0) + self.full_speed(ship))
        self.sheets[target]["damage"] = self.have(target, "damage") + damage
        self.sheets[target]["breaches"] = self.have(target, "breaches") + 1

    def bow_to_bow(self, data: Mapping[str, Any]) -> None:
        """G6.1 Both roll, the better crew adds 1; the higher rams, on a tie both."""
        thrown = dict(zip(data["rolled_by"], data["dice"], strict=True))
        (one, first), (other, second) = thrown.items()
        ranks = {name: RANKS[self.sheets[name].get("crew", "average")] for name in thrown}
        first, second = first + (ranks[one] > ranks[other]), second + (ranks[other] > ranks[one])
        rams = {one} if first > second else {other} if second > first else {one, other}
        self.says(set(data["rams"]) == rams, "G6.1 somebody else rams")

    def rake(self, data: Mapping[str, Any]) -> None:
        """G7.1, G7.3 May it, and whose oars are broken."""
        self.says(self.may_rake(data["ship"]) is not False, "G7.1 it may not")
        self.sheets[data["target"]] |= {"oars_broken": True, "raked_by": data["ship"]}

    def may_rake(self, name: str) -> bool | None:
        """G7.1 The better crew, parallel, whole oars, no third ship there, the hex beyond free or an open edge; None off hexes."""
        ships = self.before["ships"]
        ship, foe = ships[name], ships[ships[name]["contact"]]
        if ship.get("at") is None or any(each.get("stood") or each.get("raked") for each in ships.values()):
            return None  # on the table, or in the middle of a step whose start is not seen here
        if RANKS[ship.get("crew", "average")] <= RANKS[foe.get("crew", "average")] or ship["type"] == "transport":
            return False
        if foe.get("status", "afloat") != "afloat" or foe.get("oars_broken"):
            return False
        one, other = AHEAD[ship["facing"]], AHEAD[foe["facing"]]
        if other not in (one, (-one[0], -one[1])):
            return False
        beyond = [foe["at"][0] + one[0], foe["at"][1] + one[1]]
        board = self.before["board"]
        held = (
            [each["at"] for each in ships.values() if each.get("at")] + board.get("land", []) + board.get("wrecks", [])
        )
        column, row = beyond[0], beyond[1] + beyond[0] // 2
        is_inside = 0 <= column < board["columns"] and 0 <= row < board["rows"]
        is_wall = not is_inside and self.before["options"].get("edge", "wall") == "wall"
        return held.count(foe["at"]) == 1 and beyond not in held and not is_wall

    # -- G8

    def board(self, data: Mapping[str, Any]) -> None:
        """G8.1, G7.3 By the own corvus, after throwing back, or on 4-6; at range 1, with a marine, in no fight."""
        ship, foe = data["ship"], data["target"]
        sheet, target = self.sheets[ship], self.sheets[foe]
        if sheet.get("at") is not None:
            self.says(self.range(ship, foe) == 1, "G8.1 too far")
        self.says(self.marines(ship) > 0 and sheet.get("boarding") is None, "G8.1 not able")
        self.says(
            target.get("boarding") in (None, foe) and self.have(foe, "status") == "afloat", "G8.2 not to be boarded"
        )
        self.says(not (sheet.get("oars_broken") and sheet.get("raked_by") == foe), "G7.3 her oars were broken by it")
        uses_corvus = sheet.get("corvus", False) and self.command.get("corvus", True)
        how = "corvus" if uses_corvus else "counter" if foe in sheet.get("may_board", ()) else "die"
        self.says(how == data["how"], "G8.1 another way")
        if how != "die" or data["dice"][0] >= 4:
            sheet["boarding"] = target["boarding"] = foe

    def end_of_turn(self) -> None:
        """G9.1 Fights and surrenders, repairs, flooding and sinking, each checked against what was told."""
        told = {(kind, data["ship"]): data for kind, data in self.at_the_end}
        due: set[tuple[str, str]] = set()
        for name in sorted(self.sheets):
            if self.sheets[name].get("boarding") == name:
                due |= self.round(name, told)
        for name, sheet in self.sheets.items():
            if self.have(name, "status") in ("afloat", "captured") and self.have(name, "breaches"):
                due.add(("repair", name))
                faces = told.get(("repair", name), {"dice": ()})["dice"]
                self.says(len(faces) == sheet["breaches"], "G9.2 a die for each breach")
                closed = sum(face == 6 or (face == 5 and sheet.get("boarding") is None) for face in faces)
                sheet |= {"breaches": sheet["breaches"] - closed, "repaired": self.have(name, "repaired") + closed}
        for name, sheet in self.sheets.items():
            if self.have(name, "status") not in ("afloat", "captured"):
                continue
            if self.have(name, "breaches"):
                due.add(("flood", name))
                sheet["damage"] = self.have(name, "damage") + sheet["breaches"]
            if self.have(name, "damage") >= self.hull(name):
                due.add(("sunk", name))
                self.sink(name)
        self.says(due == set(told), f"G9.1 due is {sorted(due)}, told is {sorted(told)}")

    def round(self, name: str, told: Mapping[tuple[str, str], Mapping[str, Any]]) -> set[tuple[str, str]]:
        """G8.3, G8.4, G8.5 One round of a fight; what must be told of it."""
        boarders, due = self.boarders(name), set()
        attackers, defenders = sum(map(self.marines, boarders)), self.marines(name)
        if attackers and defenders:
            due.add(("fight", name))
            rolled = told.get(("fight", name), {"rolled": {}})["rolled"]
            hits = {each: self.hits(each, rolled.get(each, {})) for each in (*boarders, name)}
            order = ("light", "medium", "heavy")
            self.fall(boarders, order, hits[name])
            self.fall([name], order, sum(hits[each] for each in boarders))
            attackers, defenders = sum(map(self.marines, boarders)), self.marines(name)
        if attackers and attackers >= 2 * defenders:
            due.add(("captured", name))
            self.sheets[name] |= {"status": "captured", "captured_by": self.sheets[boarders[0]]["side"]}
        elif defenders and defenders >= 2 * attackers:
            due.add(("thrown_back", name))
            for each in boarders:
                self.sheets[each]["corvus"] = False
        elif not attackers and not defenders:
            due.add(("fight_over", name))
        else:
            return due
        for each in (*boarders, name):
            self.sheets[each]["boarding"] = None
        return due

    def hits(self, name: str, rolled: Mapping[str, Sequence[int]]) -> int:
        """G8.3 Each marine one die: heavy 4-6, medium 5-6, light 6."""
        least = {"heavy": 4, "medium": 5, "light": 6}
        for kind in least:
            self.says(len(rolled.get(kind, ())) == self.have(name, kind), f"G8.3 a die for each marine of {name}")
        return sum(face >= least[kind] for kind, faces in rolled.items() for face in faces)


def differences(reckoning: Reckoning, after: Mapping[str, Any]) -> list[str]:
    """What is wrong, and where the sheets after the command are not the reckoned ones."""
    found = list(reckoning.wrong)
    for name, sheet in after["ships"].items():
        if sheet.get("status") == "withdrawn":
            continue
        fields = KEPT if of_ship(sheet, "status") == "afloat" else ("status", "damage", "captured_by")
        found += [
            f"{name}.{field}: reckoned {reckoning.have(name, field)}, stands {of_ship(sheet, field)}"
            for field in fields
            if reckoning.have(name, field) != of_ship(sheet, field)
        ]
        is_gone = of_ship(sheet, "damage") >= reckoning.hull(name) and after["step"] != "fire"
        if is_gone and of_ship(sheet, "status") in ("afloat", "captured"):
            found.append(f"G5.8, G6.5, G9.3 {name} is afloat with all her hull gone")
    return found
