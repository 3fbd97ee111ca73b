"""Crazy Eights, Two-Four-Jack, Mau-Mau: get rid of your cards onto a pile."""
