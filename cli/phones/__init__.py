"""Phones at the table: a browser that is a peer. One machine serves the page; the same Python runs in the phone."""
