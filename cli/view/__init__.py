"""Turns tables, rooms and lists into views, and keys and clicks into deeds. No terminal library in here."""
