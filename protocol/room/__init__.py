"""Rooms: where people gather, from which match after match starts. Nothing here is binding, and no proof depends on it."""
