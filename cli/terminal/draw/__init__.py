"""Draws views onto canvases. Pure: no clock, no network, no terminal."""
