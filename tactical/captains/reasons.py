"""Every kind of reason that a captain gives; the pages have a sentence for each, in each language."""

from __future__ import annotations

KINDS: frozenset[str] = frozenset(
    (
        "agree_ahead", "aim_fight", "aim_guard", "aim_hunt", "aim_keep_lead", "aim_keep_off", "aim_march",
        "aim_march_ends", "aim_siege", "aim_no_enemy", "aim_intercept", "aim_leave_sea", "aim_let_go", "aim_let_pass",
        "aim_no_tactic", "aim_tactic", "aim_turn_back",
        "aim_province", "aim_reserve", "aim_safety", "aim_strength", "board_die", "board_joins", "board_not",
        "board_wins", "board_with_friends", "careful", "deployed", "done", "evade", "fire_hull", "fire_kill",
        "fire_waits", "hold_still", "hold_to_board", "keep", "lock", "nothing_else", "plot_cruise", "plot_meet",
        "plot_meet_likely", "plot_only", "plot_owed", "plot_sprint", "plot_stays", "rake", "ram_head_on",
        "ram_sinks", "reroll", "stay", "step_blind", "step_meet", "step_only", "step_risk",
    )
)  # fmt: skip
