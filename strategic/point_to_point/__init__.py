"""The land war on points that Hannibal and Hamilcar both play.

Each chapter stands here once. What a game of the family does in its own way is one value, its `Rulebook`.
"""
