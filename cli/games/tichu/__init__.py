"""Tichu: combinations, bombs, an exchange, calls and a wish."""
