"""Macau Wars: a shedding game with wars, fours and calls."""
