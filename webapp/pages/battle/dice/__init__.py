"""Dice: the pad for those that the game is waiting for, what they are for, and who throws them."""
